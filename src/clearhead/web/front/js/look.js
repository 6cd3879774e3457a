// Look: the lens' own page in a frame that can reach nothing; any head of it worked by hand.
import { $, h } from "./dom.js";
import { begin } from "./app.js";
import { ask } from "./engine.js";
import { fault, fillRuns, pressed } from "./local.js";
import { linkTo, unpacked } from "./state.js";

begin();
open();
async function open() {
  const state = (await unpacked(location.hash)) ?? {};
  if (typeof state.text === "string") $("#text").value = state.text;
  try { await fillRuns($("#run"), state.run); if (state.text) look(); } catch (error) { fault(error); }
}

const look = () => pressed($("#form button[type=submit]"), async () => {
  const found = await ask("local_look", { run: $("#run").value, text: $("#text").value });
  $("#lens").hidden = false;
  $("#lens").src = found.page;
  $("#head").replaceChildren(...found.heads.map((name) => h("option", { value: name }, name)));
  $("#head-box").hidden = $("#work-head").hidden = false;
});
$("#form").addEventListener("submit", (event) => { event.preventDefault(); look(); });
$("#work-head").addEventListener("click", () => pressed($("#work-head"), async () => {
  const { toml } = await ask("local_look", { run: $("#run").value, text: $("#text").value, head: $("#head").value });
  location.href = await linkTo("work.html", { problem: (await ask("read", { toml })).problem });
}));
