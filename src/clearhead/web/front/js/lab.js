// Lab: each claim with a button that reruns it, the seconds that pass, its verdict, numbers and picture.
import { $, h, made, say } from "./dom.js";
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
  const began = Date.now();
  const clock = setInterval(() => { button.textContent = t("lab.running", { seconds: Math.round((Date.now() - began) / 1000) }); }, 500);
  button.disabled = true;
  stop.hidden = false;
  try {
    const found = await ask("local_lab", { name, quick: $("#quick").checked });
    fault(null);
    out.hidden = false;
    out.replaceChildren(h("p", {}, h("strong", {}, found.verdict), ` · ${found.seconds} s`), h("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": name }, made(found.picture)),
      h("div", { class: "scroller" }, h("table", { class: "plain" }, h("tbody", {}, Object.entries(found.numbers).map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, shown(value))))))));
    say(`${name}: ${found.verdict}`);
  } catch (error) { fault(error); }
  clearInterval(clock);
  button.disabled = false;
  stop.hidden = true;
  button.textContent = t("lab.rerun");
}

const shown = (value) => (Array.isArray(value) ? value.map(shown).join(", ") : value && typeof value === "object" ? `${shown(value.value)} (${shown(value.low)} to ${shown(value.high)})` : typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value));
