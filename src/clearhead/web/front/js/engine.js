// Where Python runs: `ask(name, input)` gives the desk's answer, from the local server or from Pyodide in a worker.
// Only the newest of several questions with one key is asked; one that takes too long is stopped.
import { localEngine } from "./local_engine.js";
import { browserEngine } from "./browser_engine.js";
import { t } from "./strings.js";

export class DeskError extends Error {
  constructor(answer) { super(answer.error); this.at = answer.at; this.bug = answer.bug; }
}
export class Overtaken extends Error {}

const kind = document.querySelector('meta[name="clearhead-engine"]').content;
export const isLocal = kind === "local";
const engine = isLocal ? localEngine() : browserEngine(tell);

export function tell(state, from = "") {
  dispatchEvent(new CustomEvent("clearhead-python", { detail: state }));
  const place = document.querySelector(".engine");
  if (!place) return;
  place.dataset.state = state;
  if (from) place.dataset.from = from; // whether Python began from nothing, or from an earlier visit's memory
  place.textContent = state === "loading" ? t("engine.loading") : state === "failed" ? t("engine.failed") : "";
}

const PATIENCE = 1200; // milliseconds until a reader is told that something goes on, and may stop it
let long = 0; // questions that take longer than that

const running = new Map(); // key → what runs now and what waits behind it

export async function ask(name, input, key = "") {
  if (!key) return answer(name, input);
  const now = running.get(key);
  if (now) {
    now.next?.reject(new Overtaken());
    return new Promise((resolve, reject) => { now.next = { name, input, resolve, reject }; });
  }
  const mine = { next: null };
  running.set(key, mine);
  try {
    return await answer(name, input);
  } finally {
    running.delete(key);
    const { next } = mine;
    if (next) ask(next.name, next.input, key).then(next.resolve, next.reject);
  }
}

function count(change) {
  long += change;
  dispatchEvent(new CustomEvent("clearhead-busy", { detail: long > 0 }));
}

async function answer(name, input) {
  let isLong = false;
  const waiting = setTimeout(() => { isLong = true; count(1); }, PATIENCE);
  try {
    const found = JSON.parse(await engine.ask(name, JSON.stringify(input)));
    if (!found.ok) throw new DeskError(found);
    return found.value;
  } finally {
    clearTimeout(waiting);
    if (isLong) count(-1);
  }
}

export const warm = () => engine.warm();
export const cancel = () => engine.cancel();
