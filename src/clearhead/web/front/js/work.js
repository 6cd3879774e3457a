// Work: the problem on the left, every step on the right, new with every key.
import { $, copy, download, h, later, made, say, toast } from "./dom.js";
import { begin } from "./app.js";
import { DeskError, Overtaken, ask, warm } from "./engine.js";
import { chooseProblem, start } from "./chooser.js";
import { linkTo, packed, remember, unpacked } from "./state.js";
import { makeGrid } from "./grid.js";
import { optionField } from "./options.js";
import { reachable, showSteps } from "./steps.js";
import { t } from "./strings.js";

const steps = $("#steps"), form = $("#form"), alert = $("#fault");
let state = { example: "self-attention" }; // what the address says: an example as it is, or a problem
let problem = null; // the tree that is edited
let style = "connections";
let grids = new Map();
let stands = null; // the given that somebody stands in: its table, row and column

begin();
warm();
open().catch((error) => fault(error));
addEventListener("hashchange", async () => { if (location.hash.slice(1) !== (await packed(state))) open().catch(fault); });

async function open() {
  const wanted = (await unpacked(location.hash)) ?? { example: "self-attention" };
  const { first } = start();
  style = wanted.style ?? "connections";
  state = wanted;
  if (wanted.example === "self-attention" && !wanted.style && first) {
    take(first, true);
    return;
  }
  if (problem === null) { // the page was born with another problem: it must not be taken for this one
    steps.replaceChildren(h("p", { class: "soft" }, t("work.working")));
    $("#title").textContent = t("work.working");
    $("#kind").textContent = "";
  }
  steps.classList.add("stale");
  take(await ask("work", { ...wanted, style }, "work"), true);
}

// A worked problem: the form is drawn anew only where the problem is another one.
function take(found, fresh) {
  alert.hidden = true;
  for (const { grid } of grids.values()) grid.each((input) => { input.removeAttribute("aria-invalid"); input.removeAttribute("aria-describedby"); });
  if (fresh) { problem = structuredClone(found.problem); draw(found.form); }
  $("#title").textContent = found.title;
  $("#kind").textContent = found.kind;
  $("#picture").hidden = !found.maps;
  $('[data-export="svg"]').hidden = !found.maps;
  document.title = `${found.title} · Clearhead`;
  if (found.html) showSteps(steps, found.html);
  else reachable(steps); // the page was born with the steps of its first problem
  drawBeside();
  if (stands && document.activeElement?.closest(".grid")) goes(...stands);
  steps.classList.remove("stale");
}

// The picture stands beside the sliders that move it; where the steps have it, it is for paper.
function drawBeside() {
  const drawn = steps.querySelector(".picture svg");
  $("#drawn").replaceChildren(...(drawn ? [drawn.cloneNode(true)] : []));
}

function fault(error) {
  if (error instanceof Overtaken) return;
  steps.classList.add("stale");
  alert.hidden = false;
  alert.textContent = error.message;
  const place = error instanceof DeskError ? error.at : null;
  const known = place && grids.get(place.name);
  if (known) {
    const input = place.column ? known.grid.input(known.shape === "row" ? 0 : place.row - 1, place.column - 1) : null;
    if (input) { input.setAttribute("aria-invalid", "true"); input.setAttribute("aria-describedby", "fault"); }
  }
}

const keep = later(250, () => remember(state));

async function edited() {
  state = style === "connections" ? { problem } : { problem, style };
  keep();
  const began = performance.now();
  try {
    take(await ask("work", { problem, style }, "work"), false);
    steps.dataset.took = String(performance.now() - began);
  } catch (error) { fault(error); }
}

function draw(found) {
  grids = new Map();
  const tables = found.given.map((field) => {
    if (field.shape === "file") return h("p", { class: "small soft" }, t("work.large", { name: field.name }));
    const grid = makeGrid({ ...field, changed: (rows) => { put(field, rows); edited(); }, focused: (i, j) => goes(field.name, i, j) });
    grids.set(field.name, { grid, shape: field.shape });
    return h("figure", {}, h("figcaption", {}, made(field.symbol)), grid.element);
  });
  const options = found.options.map((option) => optionField(option, (value) => { setOption(option, value); edited(); }));
  const formulas = found.steps ? h("label", { class: "field" }, h("span", {}, t("work.formulas")), formulaBox(found.steps)) : null;
  $("#tables").replaceChildren(...tables);
  $("#options").replaceChildren(...options);
  $("#formulas").replaceChildren(...[formulas].filter(Boolean));
  showSource(false);
}

const at = (path) => path.slice(0, -1).reduce((tree, key) => tree[key], problem);

function put(field, rows) {
  const value = field.shape === "table" ? rows.map((row) => [...row]) : field.shape === "row" ? [...rows[0]] : rows[0][0];
  at(field.path)[field.path.at(-1)] = value;
}

function setOption(option, value) {
  problem.options ??= {};
  if (option.name === "round" && value === "exact") delete problem.options.round;
  else problem.options[option.name] = option.control === "text" && /^\d+$/.test(value) ? Number(value) : value;
}

function formulaBox(steps) {
  const text = Object.entries(steps).map(([name, formula]) => `${name} = ${formula}`).join("\n");
  return h("textarea", { class: "code formulas", spellcheck: "false", rows: String(Math.min(16, Object.keys(steps).length + 1)), value: text,
    input: (event) => {
      const lines = event.target.value.split("\n").filter((line) => line.trim());
      const bad = lines.find((line) => !line.includes("="));
      if (bad !== undefined) { fault(new Error(t("work.formula.bad", { line: bad.trim().slice(0, 60) }))); return; }
      problem.steps = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]));
      forget(Object.keys(problem.steps));
      edited();
    } });
}

// What the file says about steps that are gone goes with them.
function forget(names) {
  const known = (name) => names.some((one) => one === name || one.startsWith(`${name}[`));
  if (problem.why) problem.why = Object.fromEntries(Object.entries(problem.why).filter(([name]) => known(name)));
  if ([problem.answer].flat().some((name) => name !== undefined && !known(String(name).replace(/\d+$/, "")) && !known(name))) delete problem.answer;
}

// A given that somebody stands in: where it goes, and still goes when its number is another.
function goes(name, i, j) {
  stands = [name, i, j];
  const page = steps.querySelector(".clearhead");
  if (page) window.clearheadRelate?.(page, name, i, j);
  mirror();
}

// The givens are edited in the form: what lights up in their tables lights up there.
function mirror() {
  for (const [name, { grid }] of grids) {
    const table = [...steps.querySelectorAll(".given table")].find((one) => one.dataset.name === name);
    const rows = table ? [...table.tBodies[0].rows].map((row) => [...row.cells].filter((cell) => cell.tagName === "TD")) : [];
    grid.each((input, i, j) => input.classList.toggle("origin", rows[i]?.[j]?.classList.contains("origin") ?? false));
  }
}
for (const event of ["focusin", "focusout", "keyup"]) steps.addEventListener(event, () => requestAnimationFrame(mirror));

// the problem as a file

async function showSource(wanted) {
  $("#as-form").hidden = wanted;
  $("#as-text").hidden = !wanted;
  $("#tab-form").setAttribute("aria-selected", String(!wanted));
  $("#tab-text").setAttribute("aria-selected", String(wanted));
  if (!wanted) return;
  const source = $("#source");
  source.readOnly = true; // what somebody writes while the text is on its way would be written over
  try { source.value = (await ask("read", { problem })).toml; } catch (error) { fault(error); }
  source.readOnly = false;
}
$("#tab-form").addEventListener("click", async () => {
  if ($("#as-text").hidden) return;
  try { draw((await ask("read", { problem })).form); } catch (error) { fault(error); }
});
$("#tab-text").addEventListener("click", () => showSource(true));
$("#source").addEventListener("input", later(120, async (event) => {
  try {
    const found = await ask("work", { toml: $("#source").value, style }, "work");
    problem = structuredClone(found.problem);
    state = { problem };
    keep();
    take(found, false);
  } catch (error) { fault(error); }
}));

// around it

$("#choose").addEventListener("click", async () => {
  const found = await chooseProblem({ kinds: true });
  if (!found) return;
  state = found.example ? { example: found.example } : { kind: found.kind };
  try {
    take(await ask("work", { ...state, style }, "work"), true);
    if (found.kind) state = { problem };
    remember(state);
    say(t("work.opened", { title: $("#title").textContent }));
  } catch (error) { fault(error); }
});
$("#style").addEventListener("change", (event) => { style = event.target.value; edited(); });
$("#link").addEventListener("click", async () => {
  const address = await linkTo("work.html", state);
  toast((await copy(address)) ? t("link.copied") : address);
});
$("#jump").addEventListener("click", () => steps.scrollIntoView());
$("#practise").addEventListener("click", async () => {
  location.href = await linkTo("practise.html", { sheet: [state.example ? { example: state.example } : { problem }] });
});
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", async () => {
    if (button.dataset.export === "print") { print(); return; }
    try { download(await ask("export", { problem, style, to: button.dataset.export })); } catch (error) { fault(error); }
  });
}
