// Runs: what was trained, its curve while it learns, and a text drawn from it.
import { $, h, made } from "./dom.js";
import { begin } from "./app.js";
import { ask } from "./engine.js";
import { fault, percent } from "./local.js";
import { t } from "./strings.js";

const EVERY = 4000; // milliseconds between two looks
let chosen = "";

begin();
look();

async function look() {
  try {
    const { runs } = await ask("local_runs", {}, "runs");
    fault(runs.length ? null : new Error(t("runs.none")));
    $("#rows").replaceChildren(...runs.map((run) => h("tr", {}, h("td", {}, h("button", { type: "button", class: "quiet", "aria-pressed": String(run.name === chosen), click: () => choose(run.name) }, run.name)), h("td", {}, run.recipe), h("td", { class: "long" }, run.corpus),
      h("td", { class: "num" }, run.done ? t("runs.done") : percent(run.tokens / run.total)), h("td", { class: "num" }, run.accuracy === null ? "" : percent(run.accuracy)))));
    if (chosen) await curve();
  } catch (error) { fault(error); }
  if (!document.hidden) setTimeout(look, EVERY);
  else document.addEventListener("visibilitychange", look, { once: true });
}

async function choose(name) {
  chosen = name;
  $("#one").hidden = false;
  $("#name").textContent = name;
  $("#text").textContent = "";
  try { await curve(); } catch (error) { fault(error); }
}

async function curve() {
  const found = await ask("local_run", { run: chosen }, "curve");
  $("#drawing").replaceChildren(found.picture ? made(found.picture) : t("runs.nocurve"));
}

$("#sample").addEventListener("click", async () => {
  $("#sample").disabled = true;
  try { $("#text").textContent = (await ask("local_sample", { run: chosen, prompt: $("#prompt").value, seed: Math.floor(Math.random() * 1e6) })).text; fault(null); } catch (error) { fault(error); }
  $("#sample").disabled = false;
});
