// Runs: what was trained, its curve while it learns, and a text drawn from it.
import { $, h, made } from "./dom.js";
import { begin } from "./app.js";
import { ask } from "./engine.js";
import { fault, percent, pressed } from "./local.js";
import { t } from "./strings.js";

const EVERY = 4000; // milliseconds between two looks
let chosen = "";
let shown = "", drawn = ""; // what stands there: only what is new is drawn, so that nobody loses their place

begin();
look();

async function look() {
  try {
    const { runs } = await ask("local_runs", {}, "runs");
    fault(runs.length ? null : new Error(t("runs.none")));
    drawRows(runs);
    if (chosen) await curve();
  } catch (error) { fault(error); }
  if (!document.hidden) setTimeout(look, EVERY);
  else document.addEventListener("visibilitychange", look, { once: true });
}

function drawRows(runs) {
  const now = JSON.stringify([runs, chosen]);
  if (now === shown) return;
  shown = now;
  const focus = document.activeElement?.dataset.run;
  $("#rows").replaceChildren(...runs.map((run) => h("tr", {}, h("td", {}, h("button", { type: "button", class: "quiet", "data-run": run.name, "aria-pressed": String(run.name === chosen), click: () => choose(run.name) }, run.name)), h("td", {}, run.recipe), h("td", { class: "long" }, run.corpus),
      h("td", { class: "num" }, run.done ? t("runs.done") : percent(run.tokens / run.total)), h("td", { class: "num" }, run.accuracy === null ? "" : percent(run.accuracy)))));
  if (focus !== undefined) [...document.querySelectorAll("[data-run]")].find((one) => one.dataset.run === focus)?.focus();
}

async function choose(name) {
  chosen = name;
  $("#one").hidden = false;
  $("#name").textContent = name;
  $("#text").textContent = "";
  drawn = "";
  $("#drawing").replaceChildren();
  for (const one of document.querySelectorAll("[data-run]")) one.setAttribute("aria-pressed", String(one.dataset.run === name));
  try { await curve(); } catch (error) { fault(error); }
}

async function curve() {
  const found = await ask("local_run", { run: chosen }, "curve");
  if (found.picture === drawn && $("#drawing").childNodes.length) return;
  drawn = found.picture;
  $("#drawing").replaceChildren(drawn ? made(drawn) : t("runs.nocurve"));
}

$("#sample").addEventListener("click", () => pressed($("#sample"), async () => {
  $("#text").textContent = (await ask("local_sample", { run: chosen, prompt: $("#prompt").value, seed: Math.floor(Math.random() * 1e6) })).text;
}));
