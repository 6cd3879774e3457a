// Mark: somebody's working with every number coloured by how it was read; a reading is corrected by hand, and nothing is lost.
import { $, asBase64, download, h, kept, made, say } from "./dom.js";
import { begin } from "./app.js";
import { ask, warm } from "./engine.js";
import { chooseProblem, library } from "./chooser.js";
import { remember, unpacked } from "./state.js";
import { t } from "./strings.js";

let state = { example: "self-attention" };
let file = null; // a dropped file that is no text: { name, base64 }
let found = null; // the last mark
let numbers = null; // the reading as corrected; null: as the program read it
const before = []; // corrections that can be taken back
let corrected = -1; // the number that was corrected last: the keyboard goes on from there
let earlier = { page: "", numbers: [] }; // corrections made to the last page that was marked: they hold for lines that are still the same

begin();
warm();
open();
async function open() {
  state = (await unpacked(location.hash)) ?? state;
  $("#problem").textContent = state.example ?? state.problem?.title ?? "";
  const last = kept.get("mark");
  if (last?.working && !$("#working").value) {
    $("#working").value = last.working;
    earlier = { page: last.page ?? "", numbers: last.mended ?? [] };
  }
}

const posed = () => (state.problem ? { problem: state.problem } : { example: state.example });

async function mark() {
  const working = $("#working").value;
  try {
    found = await ask("mark", { ...posed(), ...(file ?? { working, name: "working.md" }), ...(numbers ? { numbers } : {}) }, "mark");
    $("#fault").hidden = true;
    earlier = { page: found.page, numbers: found.numbers.filter((one) => one.mended) };
    if (!file) kept.set("mark", { working: working.slice(0, 200_000), page: found.page, mended: earlier.numbers });
    draw();
  } catch (error) { if (error.message) { $("#fault").hidden = false; $("#fault").textContent = error.message; } }
}

// Marked anew: what was corrected by hand is still so wherever its line is the same.
async function markAgain() {
  const { page, numbers: mended } = earlier;
  numbers = null;
  before.length = 0;
  await mark();
  if (!found || !mended.length) return;
  const old = page.split("\n"), lines = found.page.split("\n");
  const corrected = new Map();
  for (const one of mended) {
    const same = found.numbers.filter((other) => other.written === one.written && other.column === one.column && lines[other.line - 1] === old[one.line - 1]);
    const nearest = same.sort((a, b) => Math.abs(a.line - one.line) - Math.abs(b.line - one.line))[0];
    if (nearest) corrected.set(nearest, one.is);
  }
  if (!corrected.size) return;
  before.push(null);
  numbers = found.numbers.map((one) => (corrected.has(one) ? { ...one, is: corrected.get(one), sure: true, mended: true } : one));
  await mark();
}

function draw() {
  const isNew = $("#result").hidden;
  $("#result").hidden = false;
  const error = found.first_error;
  $("#score").textContent = found.said;
  const first = $("#first");
  first.className = `first${error ? "" : " clean"}`;
  first.replaceChildren(...(error
    ? [h("h2", {}, t("mark.first")), h("p", {}, h("strong", {}, `${error.step}${error.cell ? ` (${error.cell.join(", ")})` : ""}`), ": ", t("mark.got", { got: error.got, expected: error.expected })),
      error.slip ? h("p", {}, t("mark.slip", { slip: error.slip })) : null, error.hint ? h("p", { class: "soft" }, error.hint) : null].filter(Boolean)
    : [h("h2", {}, t("mark.clean"))]));
  drawPage();
  if (corrected >= 0) $(`#page [data-number="${corrected}"]`)?.focus();
  corrected = -1;
  $("#steps").replaceChildren(...found.key.map((step, at) => drawStep(step, at + 1)).filter(Boolean));
  $("#notes").replaceChildren(...found.notes.map((note) => h("li", {}, `${note.line ? `${t("mark.line", { n: note.line })}: ` : ""}${note.text}`)));
  $("#undo").hidden = before.length === 0;
  if (isNew && $("#result").getBoundingClientRect().top > innerHeight) $("#result").scrollIntoView(); // on a phone it is far below
  say(error ? `${found.said}. ${t("mark.first")}: ${error.step}` : found.said);
}

const verdicts = () => new Map(found.steps.flatMap((step) => step.cells.map((one) => [`${step.name} ${one.cell}`, one.verdict])));

function drawPage() {
  const known = verdicts();
  const lines = found.page.split("\n");
  $("#page-card").hidden = !found.page;
  const parts = lines.flatMap((line, row) => {
    const here = found.numbers.filter((one) => one.line === row + 1).sort((a, b) => a.column - b.column);
    const pieces = [];
    let place = 0;
    for (const one of here) {
      const from = one.column - 1;
      pieces.push(line.slice(place, from), numberButton(one, known));
      place = from + one.written.length;
    }
    return [...pieces, line.slice(place), "\n"];
  });
  $("#page").replaceChildren(...parts);
}

const saidOf = (one) => (one.is && typeof one.is === "object" ? `${one.is.step} (${one.is.cell.join(", ")})` : one.is === null ? t("read.open") : t(`read.${one.is}`));

function numberButton(one, known) {
  const verdict = one.is && typeof one.is === "object" ? known.get(`${one.is.step} ${one.is.cell}`) ?? "unsure" : one.is === null ? "unsure" : "unread";
  const button = h("button", { type: "button", class: `n ${verdict}${one.mended ? " mended" : ""}`, "data-number": String(found.numbers.indexOf(one)), draggable: "true", title: saidOf(one), "aria-label": `${one.written}: ${saidOf(one)}, ${t(`verdict.${verdict}`)}`,
    click: () => ask_what(one, button),
    dragstart: (event) => event.dataTransfer.setData("text/plain", `number ${found.numbers.indexOf(one)}`) }, one.written);
  return button;
}

function drawStep(step, number) {
  const marks = found.steps.find((one) => one.name === step.name);
  const cells = new Map((marks?.cells ?? []).map((one) => [String(one.cell), one]));
  const body = Array.from({ length: step.rows }, (_, i) => h("tr", {}, Array.from({ length: step.columns }, (_, j) => {
    const one = cells.get(`${i + 1},${j + 1}`);
    const how = step.made[`${i + 1},${j + 1}`];
    const words = one ? `${t(`verdict.${one.verdict}`)}${one.verdict === "right" ? "" : `; ${t("mark.key", { expected: one.expected })}${how ? `: ${how}` : ""}`}` : t("verdict.missing");
    const cell = h("td", { class: one?.verdict ?? "", title: words }, one?.got ?? "", one ? h("span", { class: "sr" }, ` ${words}`) : null);
    cell.addEventListener("dragover", (event) => { event.preventDefault(); cell.classList.add("over"); });
    cell.addEventListener("dragleave", () => cell.classList.remove("over"));
    cell.addEventListener("drop", (event) => {
      event.preventDefault();
      cell.classList.remove("over");
      const number = found.numbers[Number(event.dataTransfer.getData("text/plain").replace("number ", ""))];
      if (number) correct(number, { step: step.name, cell: [i + 1, j + 1] });
    });
    return cell;
  })));
  const worth = step.max_score ? `${Number(step.score.toFixed(2))} / ${step.max_score}` : t("mark.notcounted");
  return h("section", { class: "step-marks", "data-step": step.name },
    h("header", {}, h("h3", {}, `${number}. `, made(step.symbol)), h("span", { class: `verdict ${marks?.verdict ?? ""}` }, `${t(`verdict.${marks?.verdict ?? "missing"}`)} · ${worth}`)),
    step.reason ? h("p", {}, step.reason) : null,
    h("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": step.name }, h("table", { class: "marks" }, h("tbody", {}, body))));
}

// What is this number? A list for keyboard and pointer alike; dragging it onto a cell does the same.
function ask_what(one, button) {
  $(".popover")?.remove();
  const steps = found.key;
  const is = one.is && typeof one.is === "object" ? one.is : null;
  const step = h("select", { change: () => sizes() }, h("option", { value: "" }, t("read.none")), steps.map((known) => h("option", { value: known.name, selected: is?.step === known.name }, known.name)));
  const row = h("select"), column = h("select");
  const places = h("div", { class: "row" }, h("label", {}, `${t("read.row")} `, row), h("label", {}, `${t("read.column")} `, column));
  const words = h("select", {}, ["not used", "given", "intermediate"].map((word) => h("option", { value: word, selected: one.is === word }, t(`read.${word}`))));
  const wordsBox = h("label", { class: "field" }, h("span", {}, t("read.instead")), words);
  function sizes() {
    const known = steps.find((other) => other.name === step.value);
    const fill = (select, count, chosen) => select.replaceChildren(...Array.from({ length: count }, (_, n) => h("option", { value: String(n + 1), selected: n + 1 === chosen }, String(n + 1))));
    places.hidden = !known;
    wordsBox.hidden = Boolean(known);
    if (known) { fill(row, known.rows, is?.cell[0]); fill(column, known.columns, is?.cell[1]); }
  }
  sizes();
  const away = () => { popover.remove(); button.focus(); };
  const popover = h("div", { class: "popover", role: "dialog", "aria-label": t("read.what", { written: one.written }), keydown: (event) => { if (event.key === "Escape") away(); } },
    h("strong", {}, t("read.what", { written: one.written })), h("label", { class: "field" }, h("span", {}, t("read.step")), step), places, wordsBox,
    h("div", { class: "row" }, h("button", { type: "button", class: "main", click: () => { popover.remove(); correct(one, step.value ? { step: step.value, cell: [Number(row.value), Number(column.value)] } : words.value); } }, t("read.take")),
      h("button", { type: "button", click: away }, t("close"))));
  const box = button.getBoundingClientRect();
  popover.style.left = `${Math.max(8, Math.min(box.left + scrollX, scrollX + document.documentElement.clientWidth - 336))}px`;
  popover.style.top = `${box.bottom + scrollY + 6}px`;
  document.body.append(popover);
  step.focus();
}

function correct(one, is) {
  before.push(numbers);
  const at = (corrected = found.numbers.indexOf(one));
  numbers = found.numbers.map((other, place) => {
    if (place === at) return { ...other, is, sure: true, mended: true };
    const same = typeof is === "object" && other.is && typeof other.is === "object" && other.is.step === is.step && String(other.is.cell) === String(is.cell);
    return same ? { ...other, is: "not used", mended: true } : other; // a cell is one number's
  });
  mark();
}

// around it

$("#mark").addEventListener("click", markAgain);
$("#undo").addEventListener("click", () => { numbers = before.pop() ?? null; mark(); });
$("#working").addEventListener("input", () => { file = null; $("#file-name").textContent = ""; });
$("#try").addEventListener("click", async () => {
  const { workings } = await library();
  state = { example: "self-attention" };
  $("#problem").textContent = state.example;
  $("#working").value = workings["self-attention"];
  file = null;
  markAgain();
});
$("#choose").addEventListener("click", async () => {
  const chosen = await chooseProblem();
  if (!chosen) return;
  state = { example: chosen.example };
  $("#problem").textContent = chosen.example;
  remember(state);
});
$("#keep-reading").addEventListener("click", () => {
  if (found) download({ name: "reading.json", type: "application/json", text: `${JSON.stringify({ working: found.file, sha256: found.sha256, numbers: found.numbers.map(({ mended, ...one }) => one) }, null, 1)}\n` });
});

async function takeFile(one) {
  if (!one) return;
  const isText = /\.(md|markdown|txt|text|tex|csv|tsv|json|py|ipynb|html?|rst|m)$/i.test(one.name) || one.type.startsWith("text/");
  $("#file-name").textContent = one.name;
  if (isText) {
    file = { working: await one.text(), name: one.name };
    $("#working").value = file.working;
  } else file = { base64: await asBase64(one), name: one.name };
  markAgain();
}
$("#file").addEventListener("change", (event) => takeFile(event.target.files[0]));
const drop = $("#drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); takeFile(event.dataTransfer.files[0]); });
