// Lab: each claim with a button that reruns it, a bar while it runs, its verdict, numbers and picture. How far it is, is told from
// how long it took here the last time; the first time the bar only says that it goes on.
import { $, h, kept, made, say } from "./dom.js";
import { begin } from "./app.js";
import { ask, cancel } from "./engine.js";
import { fault } from "./local.js";
import { t } from "./strings.js";

begin();
ask("local_lab", {}).then(({ claims }) => $("#claims").replaceChildren(...claims.map(card)), fault);

function card({ name, claim }) {
  const out = h("div", { class: "stack", hidden: true });
  const button = h("button", { type: "button", "aria-label": `${t("lab.rerun")}: ${name}`, click: () => rerun(name, button, stop, out) }, t("lab.rerun"));
  const stop = h("button", { type: "button", class: "quiet", hidden: true, click: () => cancel() }, t("lab.stop"));
  return h("section", { class: "card claim", "data-claim": name }, h("header", {}, h("h2", {}, name), h("span", { class: "row" }, stop, button)), h("p", {}, claim), out);
}

async function rerun(name, button, stop, out) {
  const quick = $("#quick").checked, key = `lab:${name}:${quick}`;
  const began = Date.now(), last = kept.get(key);
  const bar = h("progress", { "aria-label": t("lab.progress", { name }), max: "1" }), words = h("p", { class: "small soft" });
  const tick = () => {
    const seconds = (Date.now() - began) / 1000;
    if (last) bar.value = Math.min(0.97, seconds / last);
    words.textContent = t(last ? "lab.last" : "lab.running", { seconds: Math.round(seconds), last: Math.round(last) });
  };
  const clock = setInterval(tick, 500);
  tick();
  out.hidden = false;
  out.replaceChildren(h("div", { class: "running" }, bar, words));
  button.disabled = true;
  stop.hidden = false;
  say(t("lab.progress", { name }));
  try {
    const found = await ask("local_lab", { name, quick });
    fault(null);
    kept.set(key, (Date.now() - began) / 1000);
    out.replaceChildren(h("p", {}, h("strong", {}, found.verdict), ` · ${found.seconds} s`), h("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": name }, made(found.picture)),
      h("div", { class: "scroller" }, h("table", { class: "plain" }, h("tbody", {}, Object.entries(found.numbers).map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, shown(value))))))));
    say(`${name}: ${found.verdict}`);
  } catch (error) { fault(error); out.replaceChildren(); out.hidden = true; }
  clearInterval(clock);
  button.disabled = false;
  stop.hidden = true;
}

const shown = (value) => (Array.isArray(value) ? value.map(shown).join(", ") : value && typeof value === "object" ? `${shown(value.value)} (${shown(value.low)} to ${shown(value.high)})` : typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value));
