// Home: an example that moves when touched. Its frames were worked by Python when the page was made; nothing is loaded for it.
import { $ } from "./dom.js";
import { begin } from "./app.js";
import { start } from "./chooser.js";
import { t } from "./strings.js";

begin();
const { frames } = start();
const range = $("#temperature");

function show() {
  const frame = frames[Number(range.value)];
  $("#temperature-value").textContent = frame.temperature;
  range.setAttribute("aria-valuetext", t("home.valuetext", { temperature: frame.temperature, weights: frame.weights.join(", ") }));
  document.querySelectorAll(".touch .bar-row").forEach((row, at) => {
    row.querySelector(".track > span").style.width = `${100 * Number(frame.weights[at])}%`;
    row.querySelector(".value").textContent = frame.weights[at];
  });
  $("#home-output").textContent = frame.output;
}
range.addEventListener("input", show);
show();
