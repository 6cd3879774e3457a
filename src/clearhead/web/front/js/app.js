// What every page has: the reader's language, the engine's state, and, on a static site, a copy that works offline.
import { $, h } from "./dom.js";
import { LANGUAGES, choose, language, t, translate } from "./strings.js";
import { isLocal } from "./engine.js";

export function begin() {
  translate();
  const side = $(".bar .side");
  side.append(h("label", {}, h("span", { class: "sr" }, t("language")), h("select", { change: (event) => choose(event.target.value) },
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === language, lang: code }, name)))));
  if (!isLocal && "serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
}
