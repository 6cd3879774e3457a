// The options of a problem as switches, sliders and lists.
import { h } from "./dom.js";
import { t } from "./strings.js";

export function optionField(option, set) {
  const named = t(`option.${option.name}`) || option.name;
  const id = `option-${option.name}`;
  if (option.control === "switch") return h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", id, checked: Boolean(option.value), change: (event) => set(event.target.checked) }), named);
  if (option.control === "slider") return slider(option, named, id, set);
  if (option.control === "choice") {
    return h("label", { class: "field" }, h("span", {}, named), h("select", { id, change: (event) => set(option.choices.find((one) => String(one) === event.target.value)) },
      option.choices.map((one) => h("option", { value: String(one), selected: String(one) === String(option.value) }, said(option.name, one)))));
  }
  if (option.control === "text") return h("label", { class: "field" }, h("span", {}, named), h("input", { type: "text", id, value: String(option.value), input: (event) => set(event.target.value) }));
  return h("p", { class: "small soft" }, t("option.file", { name: named }));
}

function said(name, choice) {
  if (name === "round") return choice === "exact" ? t("round.exact") : t("round.to", { n: choice });
  return t(`choice.${choice}`);
}

function slider(option, named, id, set) {
  const number = h("input", { type: "text", inputmode: "decimal", "aria-label": t("option.exactly", { name: named }), value: String(option.value), size: 5 });
  const range = h("input", { type: "range", id, min: String(option.least), max: String(option.most), step: String(option.by) });
  range.value = String(Number(option.value) || 0);
  const grown = () => { const value = Number(number.value); if (value > Number(range.max)) range.max = String(Math.ceil(value)); range.value = String(value || 0); };
  grown();
  range.addEventListener("input", () => { number.value = range.value; set(range.value); });
  number.addEventListener("input", () => { grown(); set(number.value); });
  number.style.width = "5rem";
  return h("div", { class: "field wide" }, h("label", { for: id, class: "small soft" }, named), h("div", { class: "row" }, h("span", { class: "grow" }, range), number));
}
