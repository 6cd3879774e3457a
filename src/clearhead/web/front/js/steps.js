// The steps as Python wrote them, laid over those that stand there: only what differs is touched, so that the browser
// sets only that anew, what is open stays open, and a chosen number stays chosen.
import { later, made } from "./dom.js";

export function showSteps(place, html) {
  const fresh = made(html).firstElementChild;
  const old = place.querySelector(".clearhead");
  reachable(place);
  if (!old) { place.replaceChildren(fresh); return; }
  const focus = chosenIn(old);
  childrenLike(old, fresh);
  if (!focus || !choose(old, focus)) for (const sum of old.querySelectorAll(".sum:not(:empty)")) sum.textContent = "";
}

// What is wider than its place can be scrolled by keyboard too; looked at when the typing rests.
export const reachable = later(400, (place) => {
  const wide = [...place.querySelectorAll(".scroll")].map((one) => [one, one.scrollWidth > one.clientWidth + 1 && !one.querySelector("[tabindex]")]);
  for (const [one, isWide] of wide) { if (isWide) one.tabIndex = 0; else one.removeAttribute("tabindex"); }
});

// An element made like another: its attributes, then its children one by one.
function like(now, wanted) {
  if (now.nodeType !== wanted.nodeType || now.nodeName !== wanted.nodeName) { now.replaceWith(wanted); return; }
  if (now.nodeType !== Node.ELEMENT_NODE) { if (now.data !== wanted.data) now.data = wanted.data; return; }
  if (now.classList.contains("sum")) return; // what was said of a number: `choose` says it anew
  const own = now.nodeName === "DETAILS" ? "open" : now.nodeName === "DIV" ? "tabindex" : ""; // not Python's: the reader opened it, or `reachable` set it
  for (const { name, value } of wanted.attributes) if (now.getAttribute(name) !== value && name !== own) now.setAttribute(name, value);
  for (const { name } of [...now.attributes]) if (!wanted.hasAttribute(name) && name !== own) now.removeAttribute(name);
  childrenLike(now, wanted);
}

function childrenLike(now, wanted) {
  let mine = now.firstChild, theirs = wanted.firstChild;
  while (theirs) {
    const next = theirs.nextSibling;
    if (!mine) now.append(theirs);
    else { const after = mine.nextSibling; like(mine, theirs); mine = after; }
    theirs = next;
  }
  while (mine) { const after = mine.nextSibling; mine.remove(); mine = after; }
}

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
  if (!cell) return false;
  for (const other of table.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
  cell.tabIndex = 0;
  if (active && document.activeElement !== cell) cell.focus({ preventScroll: true });
  else cell.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
  return true;
}
