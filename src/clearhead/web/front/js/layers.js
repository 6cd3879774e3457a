// Layers: the source of a net, its table and picture; where it breaks, and the repair with one click.
import { $, copy, h, later, made, say, toast } from "./dom.js";
import { begin } from "./app.js";
import { ask, warm } from "./engine.js";
import { library } from "./chooser.js";
import { remember, unpacked } from "./state.js";
import { t } from "./strings.js";

let found = null;

begin();
warm();
open();
async function open() {
  const state = await unpacked(location.hash);
  if (typeof state?.source === "string") { $("#source").value = state.source; $("#input").value = String(state.input ?? "1x32x32"); }
  else $("#source").value = (await library()).nets["exam-net-broken"];
  examine();
}

async function examine() {
  const source = $("#source").value, input = $("#input").value;
  try {
    found = await ask("layers", { source, input }, "layers");
    $("#fault").hidden = true;
    draw();
  } catch (error) { if (error.message) { $("#fault").hidden = false; $("#fault").textContent = error.message; $("#result").classList.add("stale"); } }
}
const soon = later(250, () => { examine(); remember({ source: $("#source").value, input: $("#input").value }); });

const count = (number) => (number === null || number === undefined ? "" : number.toLocaleString("en"));

function draw() {
  $("#result").hidden = false;
  $("#result").classList.remove("stale");
  const broken = found.break;
  $("#verdict").className = `first${broken ? "" : " clean"}`;
  const output = Array.isArray(found.output) ? found.output.join(" × ") : "";
  $("#verdict").replaceChildren(...(broken
    ? [h("h2", {}, t("layers.breaks", { line: broken.line })), h("p", {}, broken.why)]
    : [h("h2", {}, t("layers.runs")), h("p", {}, t("layers.total", { output, weights: found.weights === null ? `≥ ${count(found.at_least)}` : count(found.weights) }))]));
  const repaired = found.mended !== "";
  $("#repair").hidden = !repaired;
  if (repaired) {
    $("#diff").replaceChildren(...found.diff.split("\n").filter((line) => !/^(---|\+\+\+)/.test(line)).map((line) => h("span", { class: line.startsWith("-") ? "minus" : line.startsWith("+") ? "plus" : "" }, line || " ")));
    $("#repair-title").textContent = found.repaired ? t("layers.mends", { n: found.repairs.length }) : t("layers.partly");
  }
  $("#rows").replaceChildren(...found.layers.map((layer) => h("tr", { class: broken && layer.output === null ? "broken" : "" },
    h("td", {}, layer.name), h("td", {}, layer.kind), h("td", { class: "num" }, layer.output === null ? "?" : layer.output.join(" × ")), h("td", { class: "num" }, count(layer.weights)),
    h("td", { class: "num" }, layer.field ?? ""), h("td", { class: "small soft" }, layer.arithmetic))));
  $("#drawing").replaceChildren(made(found.picture));
  say(broken ? `${t("layers.breaks", { line: broken.line })}. ${broken.why}` : t("layers.runs"));
}

for (const id of ["#source", "#input"]) $(id).addEventListener("input", soon);
$("#apply").addEventListener("click", () => { $("#source").value = found.mended; soon(); $("#source").focus(); });
$("#copy").addEventListener("click", async () => toast((await copy($("#source").value)) ? t("layers.copied") : t("layers.select")));
$("#file").addEventListener("change", async (event) => { const one = event.target.files[0]; if (one) { $("#source").value = await one.text(); soon(); } });
