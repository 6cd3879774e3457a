// Python in the browser: Pyodide in a worker, so that the page never freezes. To stop a computation, the worker is replaced.
import { t } from "./strings.js";

const LONGEST = 30_000; // milliseconds for one question, once Python is there
const REST = 3_000; // milliseconds without a question after which the next visit is prepared

export function browserEngine(tell) {
  let worker = null;
  let number = 0;
  let isReady = false;
  const open = new Map();
  let resting = 0;
  let isPrepared = false;

  // A second Python, while the reader reads: what it puts away lets the next visit begin at once.
  function rest() {
    clearTimeout(resting);
    if (isPrepared || open.size) return;
    resting = setTimeout(() => {
      isPrepared = true;
      const maker = new Worker(new URL("memory_worker.js", import.meta.url), { type: "module" });
      maker.onmessage = maker.onerror = () => maker.terminate();
    }, REST);
  }

  function start() {
    if (worker) return worker;
    isReady = false;
    tell("loading");
    worker = new Worker(new URL("python_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.ready) { isReady = true; isPrepared ||= data.from === "memory"; tell("ready", data.from); for (const one of open.values()) limit(one); rest(); return; }
      if (data.failed) { fail(data.failed); return; }
      const one = open.get(data.id);
      open.delete(data.id);
      if (one) { clearTimeout(one.timer); one.resolve(data.text); }
      rest();
    };
    worker.onerror = (event) => fail(event.message || t("engine.worker"));
    return worker;
  }

  function fail(reason) {
    tell("failed");
    replace(t("engine.start", { reason }));
  }

  function replace(reason) {
    worker?.terminate();
    worker = null;
    for (const one of open.values()) { clearTimeout(one.timer); one.resolve(JSON.stringify({ ok: false, error: reason })); }
    open.clear();
  }

  function limit(one) {
    one.timer = setTimeout(() => { replace(t("engine.slow")); start(); }, LONGEST);
  }

  return {
    warm() { start(); },
    cancel() { replace(t("engine.stopped")); start(); },
    ask(name, text) {
      return new Promise((resolve) => {
        const one = { resolve, timer: 0 };
        number += 1;
        clearTimeout(resting);
        open.set(number, one);
        start().postMessage({ id: number, name, text });
        if (isReady) limit(one);
      });
    },
  };
}
