// What the pages say, in the language of the reader. The table is front/strings.json; every string stands there once.
import { STRINGS } from "./strings_table.js";
import { kept } from "./dom.js";

export const LANGUAGES = { en: "English", de: "Deutsch" };

const wished = kept.get("language") ?? (navigator.language ?? "en").slice(0, 2);
export const language = wished in LANGUAGES ? wished : "en";

export function t(key, values = {}) {
  const entry = STRINGS[key];
  if (!entry) throw new Error(`no string ${key}`);
  return (entry[language] ?? entry.en).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

// The page comes in English; what carries data-t is put into the reader's language.
export function translate(root = document) {
  document.documentElement.lang = language;
  if (language === "en") return;
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of root.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
}

export function choose(code) {
  kept.set("language", code);
  location.reload();
}
