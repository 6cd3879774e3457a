// The steps as Python wrote them, put on the page so that only what changed is touched; a chosen number stays chosen.
import { made } from "./dom.js";

export function showSteps(place, html) {
  const fresh = made(html).firstElementChild;
  const old = place.querySelector(".clearhead");
  if (!old) { place.replaceChildren(fresh); remember(fresh); return; }
  const focus = chosenIn(old);
  const parts = [...fresh.children];
  parts.forEach((part, at) => {
    const source = part.outerHTML;
    const now = old.children[at];
    if (!now) { part.source = source; old.append(part); }
    else if (now.source !== source) { keepOpen(now, part); part.source = source; now.replaceWith(part); }
  });
  while (old.children.length > parts.length) old.lastElementChild.remove();
  if (focus) choose(old, focus);
}

export const remember = (root) => { for (const part of root.children) part.source = part.outerHTML; };

// Which number somebody looks at, by step and place, so that it is still lit when the steps are new.
function chosenIn(root) {
  const cell = root.querySelector("td.chosen");
  const row = cell?.parentElement;
  if (!cell) return null;
  const cells = [...row.cells].filter((one) => one.tagName === "TD");
  return { step: cell.closest(".step").dataset.step, i: [...row.parentElement.rows].indexOf(row), j: cells.indexOf(cell), active: document.activeElement === cell };
}

function choose(root, { step, i, j, active }) {
  const table = [...root.querySelectorAll(".step")].find((one) => one.dataset.step === step)?.querySelector("table[role=grid]");
  const cell = [...(table?.tBodies[0].rows[i]?.cells ?? [])].filter((one) => one.tagName === "TD")[j];
  if (!cell) return;
  if (active) cell.focus({ preventScroll: true });
  else cell.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
}

function keepOpen(now, part) {
  const was = now.querySelector("details"), will = part.querySelector("details");
  if (was && will) will.open = was.open;
}
