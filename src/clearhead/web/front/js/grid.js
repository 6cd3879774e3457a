// A table to fill in, as in a spreadsheet: arrows, Enter and Tab move, a paste fills as many cells as it has, rows and columns come and go.
import { h } from "./dom.js";
import { t } from "./strings.js";

const MOST = 64; // rows or columns

export function makeGrid({ name, cells, words = false, shape = "table", fixed = false, rowLabels = [], columnLabels = [], changed, focused = () => {} }) {
  let rows = cells.map((row) => row.map(String));
  const table = h("table", { class: `grid${words ? " words" : ""}`, "aria-label": name });
  const box = h("div", { class: "gridbox" }, shape === "number" ? table : h("div", { class: "brackets" }, table));
  const element = h("div", {}, box);
  const resizing = fixed || shape === "number" ? null : h("div", { class: "resize noprint" });
  if (resizing) element.append(resizing);

  const input = (i, j) => table.tBodies[0].rows[i]?.querySelectorAll("input")[j];
  const label = (i, j) => (shape === "number" ? name : shape === "row" ? t("grid.entry", { name, column: j + 1 }) : t("grid.cell", { name, row: i + 1, column: j + 1 }));

  function draw() {
    const body = h("tbody", {}, rows.map((row, i) => h("tr", {},
      rowLabels.length ? h("th", { scope: "row" }, rowLabels[i] ?? "") : null,
      row.map((value, j) => h("td", {}, h("input", {
        type: "text", value, "aria-label": label(i, j), inputmode: words ? "text" : "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "60",
        input: (event) => { rows[i][j] = event.target.value; fit(); changed(rows); },
        focus: (event) => { event.target.select(); focused(i, j); },
        keydown: (event) => move(event, i, j),
        paste: (event) => paste(event, i, j),
      }))))));
    const head = columnLabels.length ? h("thead", {}, h("tr", {}, rowLabels.length ? h("td") : null, columnLabels.map((word) => h("th", { scope: "col" }, word)))) : null;
    table.replaceChildren(...[head, body].filter(Boolean));
    fit();
    drawSizes();
  }

  function fit() {
    const widest = Math.max(2, ...rows.flat().map((value) => value.length));
    table.style.setProperty("--w", String(Math.min(widest, 14)));
  }

  function drawSizes() {
    if (!resizing) return;
    const stepper = (word, count, fewer, more) => h("span", {}, `${count} ${t(`grid.${word}`)}`,
      h("button", { type: "button", "aria-label": t(`grid.fewer.${word}`, { name }), click: fewer, disabled: count < 2 }, "−"),
      h("button", { type: "button", "aria-label": t(`grid.more.${word}`, { name }), click: more, disabled: count >= MOST }, "+"));
    const blank = words ? "?" : "0";
    const tall = shape === "table" ? stepper("rows", rows.length, () => resize(rows.slice(0, -1)), () => resize([...rows, rows[0].map(() => blank)])) : null;
    const wide = stepper("columns", rows[0].length, () => resize(rows.map((row) => row.slice(0, -1))), () => resize(rows.map((row) => [...row, blank])));
    resizing.replaceChildren(...[tall, wide].filter(Boolean));
  }

  function resize(next) {
    const active = [...resizing.querySelectorAll("button")].indexOf(document.activeElement);
    rows = next;
    draw();
    resizing.querySelectorAll("button")[active]?.focus();
    changed(rows);
  }

  function move(event, i, j) {
    const field = event.target;
    const whole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    const atStart = field.selectionEnd === 0, atEnd = field.selectionStart === field.value.length;
    const to = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [event.shiftKey ? -1 : 1, 0] }[event.key]
      ?? (event.key === "ArrowLeft" && (whole || atStart) ? [0, -1] : event.key === "ArrowRight" && (whole || atEnd) ? [0, 1] : null);
    const next = to && !event.ctrlKey && !event.metaKey && !event.altKey ? input(i + to[0], j + to[1]) : null;
    if (next) { event.preventDefault(); next.focus(); }
  }

  function paste(event, i, j) {
    const block = asBlock(event.clipboardData?.getData("text") ?? "", words);
    if (block.length === 1 && block[0].length === 1) return;
    event.preventDefault();
    const height = fixed ? rows.length : Math.min(MOST, shape === "table" ? Math.max(rows.length, i + block.length) : rows.length);
    const width = fixed ? rows[0].length : Math.min(MOST, Math.max(rows[0].length, j + Math.max(...block.map((row) => row.length))));
    const blank = fixed ? "" : words ? "?" : "0";
    rows = Array.from({ length: height }, (_, a) => Array.from({ length: width }, (_, b) => block[a - i]?.[b - j] ?? rows[a]?.[b] ?? blank));
    draw();
    input(i, j)?.focus();
    changed(rows);
  }

  draw();
  return {
    element,
    cells: () => rows,
    input,
    set(next) { rows = next.map((row) => row.map(String)); draw(); },
    each(action) { rows.forEach((row, i) => row.forEach((_, j) => action(input(i, j), i, j))); },
  };
}

// What a spreadsheet, a LaTeX matrix, NumPy or a person puts on the clipboard, as rows of cells.
export function asBlock(text, words = false) {
  const lines = text.replace(/\r/g, "").replace(/\\\\/g, "\n").replace(/\]\s*,?\s*\[/g, "\n").replace(/[[\]]/g, "").split("\n").filter((line) => line.trim());
  const cut = (line) => {
    if (line.includes("\t")) return line.split("\t");
    if (line.includes("&")) return line.split("&");
    if (line.includes(";")) return line.split(";");
    if (words) return line.split(/\s*,\s*|\s+/);
    return /,\s/.test(line) || (line.match(/,/g) ?? []).length > 1 || /\d\.\d.*,|,.*\d\.\d/.test(line) ? line.split(/\s*,\s*/) : line.trim().split(/\s+/);
  };
  const rows = lines.map((line) => cut(line).map((cell) => cell.trim().replace(/^["']|["']$/g, "")).filter((cell, at, all) => cell || at < all.length - 1));
  return rows.length ? rows : [[""]];
}
