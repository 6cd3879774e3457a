// What the pages of a local server share: their runs to choose from, and faults said in one place.
import { $, h } from "./dom.js";
import { ask } from "./engine.js";
import { t } from "./strings.js";

export function fault(error) {
  $("#fault").hidden = !error?.message;
  $("#fault").textContent = error ? error.message : "";
}

export async function fillRuns(select, wanted = "") {
  const { runs } = await ask("local_runs", {});
  select.replaceChildren(...runs.map((run) => h("option", { value: run.name, selected: run.name === wanted }, `${run.name} (${run.recipe})`)));
  if (!runs.length) throw new Error(t("runs.none"));
  return runs;
}

// A button that waits for its answer says so, and cannot be pressed twice.
export async function pressed(button, action) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    await action();
    fault(null);
  } catch (error) { fault(error); }
  button.disabled = false;
  button.removeAttribute("aria-busy");
}

export const percent = (share) => `${Math.round(100 * share)} %`;
