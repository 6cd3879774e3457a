// Ask: the answer, how sure it is, the runners-up and why; or "I don't know".
import { $, h, made, say } from "./dom.js";
import { begin } from "./app.js";
import { ask } from "./engine.js";
import { fault, fillRuns, percent, pressed } from "./local.js";
import { linkTo } from "./state.js";
import { t } from "./strings.js";

begin();
fillRuns($("#run")).catch(fault);

$("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  pressed($("#form button"), answer);
});

async function answer() {
  const run = $("#run").value, question = $("#question").value;
  say(t("ask.thinking"));
  const found = await ask("local_ask", { run, question });
  $("#result").hidden = false;
  $("#answer").textContent = found.answer ?? t("ask.idk");
  $("#sure-words").textContent = `${t("ask.sure")}: ${percent(found.probability)}${found.answer === null ? ` (${found.guess})` : ""}`;
  $("#sure").style.width = `${100 * found.probability}%`;
  $("#others").replaceChildren(...found.runners_up.map((one) => h("li", {}, `${one.answer}: ${percent(one.probability)}`)));
  $("#notes").replaceChildren(...found.notes.map((note) => h("li", {}, note)));
  $("#why").textContent = found.why;
  $("#drawing").replaceChildren(made(found.picture));
  $("#look").href = await linkTo("look.html", { run, text: question });
  say(`${$("#answer").textContent}, ${percent(found.probability)}`);
}
