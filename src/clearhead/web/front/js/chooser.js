// The library of problems as a dialog: search, topics, levels; and blank problems of every kind.
import { h } from "./dom.js";
import { ask } from "./engine.js";
import { t } from "./strings.js";

let shelf;
export const library = () => (shelf ??= start().library ? Promise.resolve(start().library) : ask("library", {}));

// What the page was born with, so that nothing waits for Python: the default problem worked, and the library.
let born;
export function start() {
  if (born === undefined) {
    const place = document.getElementById("start");
    born = place ? JSON.parse(place.textContent) : {};
  }
  return born;
}

export async function chooseProblem({ kinds = false } = {}) {
  const { examples, kinds: known } = await library();
  return new Promise((resolve) => {
    const list = h("div", { class: "choices" });
    const search = h("input", { type: "search", "aria-label": t("choose.search"), placeholder: t("choose.search"), input: draw });
    const dialog = h("dialog", { "aria-label": t("choose.title"), close: () => { dialog.remove(); resolve(dialog.found ?? null); } },
      h("div", { class: "top" }, h("div", { class: "row" }, h("h2", {}, t("choose.title")), h("button", { type: "button", class: "quiet", click: () => dialog.close() }, t("close"))), search), list);
    const take = (found) => { dialog.found = found; dialog.close(); };
    function draw() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (one) => words.every((word) => Object.values(one).join(" ").toLowerCase().includes(word));
      const groups = new Map();
      for (const one of examples.filter(fits)) groups.set(one.topic, [...(groups.get(one.topic) ?? []), one]);
      const parts = [...groups].flatMap(([topic, inside]) => [h("h3", {}, topic), ...inside.map((one) =>
        h("button", { type: "button", click: () => take({ example: one.name, title: one.title }) }, h("span", {}, one.title), h("span", { class: "level" }, t(`level.${one.level}`))))]);
      const blank = kinds ? known.filter(fits).map((one) => h("button", { type: "button", click: () => take({ kind: one.name }) }, h("span", {}, `${one.name}: ${one.about}`))) : [];
      list.replaceChildren(...parts, ...(blank.length ? [h("h3", {}, t("choose.kinds")), ...blank] : []),
        ...(parts.length + blank.length ? [] : [h("p", { class: "soft" }, t("choose.none"))]));
    }
    draw();
    document.body.append(dialog);
    dialog.showModal();
    search.focus();
  });
}
