// Practise: a sheet of blank steps, checked by the same marker that marks paper; hints in three stages; new numbers on a click.
import { $, copy, download, h, kept, made, say, toast } from "./dom.js";
import { begin } from "./app.js";
import { ask, warm } from "./engine.js";
import { chooseProblem } from "./chooser.js";
import { linkTo, remember, unpacked } from "./state.js";
import { makeGrid } from "./grid.js";
import { t } from "./strings.js";

const SIGNS = { right: "✓", follows: "→", wrong: "✗", unsure: "?" };
let state = { sheet: [{ example: "self-attention" }], when: "each" };
let at = 0; // which problem of the sheet
let grids = new Map();

begin();
warm();
open();
addEventListener("hashchange", open);

async function open() {
  const wanted = await unpacked(location.hash);
  const sheet = Array.isArray(wanted?.sheet) && wanted.sheet.length ? wanted.sheet.slice(0, 30) : wanted?.example ? [{ example: wanted.example }] : null;
  if (sheet) state = { sheet, when: wanted.when === "end" ? "end" : "each" };
  at = Math.min(at, state.sheet.length - 1);
  drawTabs();
  await drawSheet();
}

const task = () => state.sheet[at];
const posed = () => (task().problem ? { problem: task().problem, seed: task().seed ?? 0 } : { example: String(task().example ?? "self-attention"), seed: task().seed ?? 0 });
const place = () => `practice:${JSON.stringify(posed())}`;

function drawTabs() {
  const tabs = $("#tabs");
  tabs.hidden = state.sheet.length < 2;
  tabs.replaceChildren(...state.sheet.map((one, number) => h("button", { type: "button", role: "tab", "aria-selected": String(number === at), click: () => { at = number; drawTabs(); drawSheet(); } }, t("practise.number", { n: number + 1 }))));
}

async function drawSheet() {
  const place = $("#sheet"), alert = $("#fault");
  try {
    const sheet = await ask("sheet", posed(), "sheet");
    alert.hidden = true;
    $("#title").textContent = sheet.title;
    $("#policy").textContent = sheet.policy;
    $("#seed").textContent = sheet.seed ? t("practise.seed", { seed: sheet.seed }) : t("practise.original");
    $("#when").textContent = t(`practise.when.${state.when}`);
    grids = new Map();
    const saved = kept.get(placeKey()) ?? {};
    place.replaceChildren(h("div", { class: "card", tabindex: "0", role: "group", "aria-label": t("work.given") }, made(sheet.given)), h("div", { class: "tasks" }, sheet.steps.map((step, number) => drawStep(step, saved[step.name], number + 1))));
    document.title = `${sheet.title} · Clearhead`;
    progress();
    if (Object.keys(saved).length && state.when === "each") check();
  } catch (error) { alert.hidden = false; alert.textContent = error.message; }
}
const placeKey = place;

function drawStep(step, saved, number) {
  const cells = Array.from({ length: step.rows }, (_, i) => Array.from({ length: step.columns }, (_, j) => saved?.[i]?.[j] ?? ""));
  const one = { step, focus: [1, 1], stage: 0, stageOf: "" };
  const verdict = h("span", { class: "verdict", role: "status" });
  const box = h("div", { class: "hintbox note", role: "status", hidden: true });
  one.slip = h("p", { class: "alert", hidden: true });
  one.grid = makeGrid({ name: step.name, cells, shape: step.shape, fixed: true, rowLabels: step.row_labels, columnLabels: step.column_labels,
    focused: (i, j) => { one.focus = [i + 1, j + 1]; },
    changed: () => { save(); clear(one); progress(); } });
  one.verdict = verdict;
  one.box = box;
  grids.set(step.name, one);
  const full = () => one.grid.cells().flat().every((cell) => cell.trim());
  one.grid.element.addEventListener("focusout", () => { if (state.when === "each" && full()) check(step.name); });
  return h("section", { class: "task card", "data-step": step.name, "aria-label": step.name },
    h("header", {}, h("h2", {}, `${number}. `, made(step.symbol)), verdict),
    h("div", { class: "formula", tabindex: "0", role: "group", "aria-label": t("practise.formula", { name: step.name }) }, made(step.formula)), h("p", { class: "soft" }, made(step.why)),
    one.grid.element, one.slip,
    h("div", { class: "row noprint" },
      state.when === "each" ? h("button", { type: "button", class: "main", click: () => check(step.name) }, t("practise.check")) : null,
      h("button", { type: "button", click: () => hint(one) }, t("practise.hint"))),
    box);
}

function clear(one) {
  one.verdict.textContent = "";
  one.verdict.className = "verdict";
  one.slip.hidden = true;
  one.grid.each((input) => { input.classList.remove(...Object.keys(SIGNS)); input.removeAttribute("aria-description"); });
}

const filled = () => Object.fromEntries([...grids].map(([name, { grid }]) => [name, grid.cells()]).filter(([, rows]) => rows.flat().some((cell) => cell.trim())));
const save = () => kept.set(placeKey(), filled());

function progress() {
  const cells = [...grids.values()].flatMap(({ grid }) => grid.cells().flat());
  const done = cells.filter((cell) => cell.trim()).length;
  $("#progress > span").style.width = `${cells.length ? (100 * done) / cells.length : 0}%`;
  $("#progress").setAttribute("aria-valuenow", String(cells.length ? Math.round((100 * done) / cells.length) : 0));
}

async function check(only = "") {
  try {
    const mark = await ask("check", { ...posed(), cells: filled() }, "check");
    $("#fault").hidden = true;
    for (const found of mark.steps) if (!only || found.name === only || grids.get(found.name)?.verdict.textContent) show(found, mark);
    if (!only) summary(mark);
    else announce(mark.steps.find((one) => one.name === only), mark);
  } catch (error) { if (error.message) { $("#fault").hidden = false; $("#fault").textContent = error.message; } }
}

function show(found, mark) {
  const one = grids.get(found.name);
  if (!one) return;
  clear(one);
  if (!found.cells.length) return;
  const blank = one.grid.cells().flat().some((cell) => !cell.trim());
  one.verdict.classList.add(found.verdict);
  one.verdict.textContent = `${SIGNS[found.verdict] ?? ""} ${t(`verdict.${found.verdict}`)}${blank && found.verdict !== "wrong" ? ` ${t("practise.sofar")}` : ""}`;
  for (const { cell: [row, column], verdict } of found.cells) {
    const input = one.grid.input(row - 1, column - 1);
    if (!input) continue;
    input.classList.add(verdict);
    input.setAttribute("aria-description", t(`verdict.${verdict}`));
  }
  const error = mark.first_error;
  if (error?.step === found.name) {
    one.slip.hidden = false;
    one.slip.replaceChildren(`${error.cell ? t("practise.cell", { row: error.cell[0], column: error.cell[1] }) : ""} ${error.slip ? t("practise.slip", { slip: error.slip }) : ""}${error.hint ? ` ${error.hint}.` : ""}`.trim() || t("verdict.wrong"));
  } else one.slip.hidden = true;
}

const announce = (found, mark) => found && say(`${found.name}: ${t(`verdict.${found.verdict}`)}${mark.first_error?.step === found.name ? `. ${mark.first_error.hint}` : ""}`);

function summary(mark) {
  const words = mark.score === null ? t("mark.undecided") : t("practise.score", { score: Number(mark.score.toFixed(2)), most: mark.max_score });
  $("#summary").hidden = false;
  $("#summary").textContent = words;
  say(words);
}

// One more stage with every click, for the cell that somebody stood in last.
async function hint(one) {
  const where = one.focus.join(",");
  one.stage = one.stageOf === where ? Math.min(3, one.stage + 1) : 1;
  one.stageOf = where;
  try {
    const found = await ask("hint", { ...posed(), cells: filled(), when: state.when, step: one.step.name, cell: one.focus, stage: one.stage });
    one.stage = found.stage;
    one.box.hidden = false;
    const { first, own } = found;
    const heading = `${t(`hint.${found.stage}`, { row: one.focus[0], column: one.focus[1] })}${own.length ? ` ${t("hint.own", { names: own.join(", ") })}` : ""}`;
    one.box.replaceChildren(h("p", { class: "small soft" }, heading), ...(found.html ? [h("p", {}, made(found.html))] : []), h("p", {}, found.text),
      ...(first ? [h("p", { class: "small" }, t("hint.first", { step: first.step, row: first.cell[0], column: first.cell[1] }))] : []));
  } catch (error) { one.box.hidden = false; one.box.textContent = error.message; }
}

// around the sheet

$("#check-all").addEventListener("click", () => check());
$("#new").addEventListener("click", async () => {
  state.sheet[at] = { ...task(), seed: 1 + Math.floor(Math.random() * 999_999) };
  await remember(state);
  await drawSheet();
  say(t("practise.fresh"));
});
$("#again").addEventListener("click", () => { kept.set(placeKey(), {}); $("#summary").hidden = true; drawSheet(); });
$("#hand-in").addEventListener("click", async () => {
  try { download(await ask("handed_in", { ...posed(), cells: filled() })); } catch (error) { $("#fault").hidden = false; $("#fault").textContent = error.message; }
});
$("#choose").addEventListener("click", async () => {
  const found = await chooseProblem();
  if (!found) return;
  state = { sheet: [{ example: found.example }], when: state.when };
  at = 0;
  await remember(state);
  drawTabs();
  drawSheet();
});

// for teachers: a sheet of several problems as one link

const teacher = { sheet: [] };
function drawTeacher() {
  $("#teacher-list").replaceChildren(...teacher.sheet.map((one, number) => h("li", {}, `${one.title} `,
    h("button", { type: "button", class: "quiet", "aria-label": t("teacher.remove.one", { title: one.title }), click: () => { teacher.sheet.splice(number, 1); drawTeacher(); } }, t("teacher.remove")))));
  $("#teacher-link").disabled = teacher.sheet.length === 0;
}
$("#teacher-add").addEventListener("click", async () => {
  const found = await chooseProblem();
  if (found) { teacher.sheet.push({ example: found.example, title: found.title }); drawTeacher(); }
});
$("#teacher-link").addEventListener("click", async () => {
  const varied = $("#teacher-vary").checked;
  const sheet = teacher.sheet.map(({ example }) => (varied ? { example, seed: 1 + Math.floor(Math.random() * 999_999) } : { example }));
  const address = await linkTo("practise.html", { sheet, when: $("#teacher-when").checked ? "end" : "each" });
  $("#teacher-out").hidden = false;
  $("#teacher-out").value = address;
  toast((await copy(address)) ? t("link.copied") : t("link.ready"));
});
drawTeacher();
