// What every page has: the reader's language, the engine's state, and, on a static site, a copy that works offline.
import { $, h } from "./dom.js";
import { LANGUAGES, choose, language, t, translate } from "./strings.js";
import { cancel, isLocal } from "./engine.js";

const A_WHILE = 1500; // milliseconds

export function begin() {
  translate();
  const side = $(".bar .side");
  side.append(h("label", {}, h("span", { class: "sr" }, t("language")), h("select", { change: (event) => choose(event.target.value) },
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === language, lang: code }, name)))));
  const stop = h("button", { type: "button", class: "stop", hidden: true, click: () => cancel() }, t("engine.stop"));
  side.prepend(stop);
  let isBusy = false;
  const offer = () => { stop.hidden = !isBusy || $(".engine").dataset.state === "loading"; };
  addEventListener("clearhead-busy", ({ detail }) => { isBusy = detail; offer(); });
  addEventListener("clearhead-python", () => queueMicrotask(offer));
  if (!isLocal && "serviceWorker" in navigator) afterPython(() => navigator.serviceWorker.register("offline.js").catch(() => {}));
}

// Tabs by arrow keys, Home and End, as everywhere.
addEventListener("keydown", (event) => {
  const list = event.target.closest?.('[role="tab"]')?.closest('[role="tablist"]');
  if (!list) return;
  const tabs = () => [...list.querySelectorAll('[role="tab"]')];
  const at = tabs().indexOf(event.target), last = tabs().length - 1;
  const to = { ArrowLeft: at ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tabs()[to].click();
  tabs()[to].focus(); // the click may have drawn them anew
});

// Keeping a copy for the next visit must not slow this one: it waits until Python is there, or a while where nobody asks for it.
function afterPython(action) {
  let done = false;
  const once = () => { if (!done) { done = true; action(); } };
  addEventListener("clearhead-python", ({ detail }) => { if (detail !== "loading") once(); });
  addEventListener("load", () => setTimeout(() => { if ($(".engine").dataset.state === undefined) once(); }, A_WHILE));
}
