// The worker that holds Python. Everything comes from this site's own folder; nothing else is ever asked.
import { loadPyodide } from "../pyodide/pyodide.mjs";

const here = (path) => new URL(path, import.meta.url).href;
const fetched = async (path) => {
  const reply = await fetch(here(path));
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.arrayBuffer();
};

let python;
const desk = (async () => {
  const archive = fetched("../python/rooms.zip");
  python = await loadPyodide({ indexURL: here("../pyodide/"), fullStdLib: false });
  python.unpackArchive(await archive, "zip", { extractDir: "/clearhead" });
  python.runPython("import sys; sys.path.insert(0, '/clearhead'); sys.dont_write_bytecode = True");
  return python.pyimport("clearhead.desk").answer;
})();
let asked = false; // whether somebody waits already
desk.then((answer) => {
  postMessage({ ready: true });
  if (!asked) answer("work", '{"example": "self-attention"}'); // so that the first key does not wait for imports
}, (error) => postMessage({ failed: String(error?.message ?? error).slice(0, 300) }));

let pdf; // pypdf is fetched once, when the first PDF comes
const readsPdf = () => (pdf ??= fetched("../python/pdf.zip").then((archive) => python.unpackArchive(archive, "zip", { extractDir: "/clearhead" })));

onmessage = async ({ data: { id, name, text } }) => {
  asked = true;
  try {
    const answer = await desk;
    if (name === "mark" && /"name":"[^"]*\.pdf"/i.test(text)) await readsPdf();
    postMessage({ id, text: answer(name, text) });
  } catch (error) {
    postMessage({ id, text: JSON.stringify({ ok: false, bug: true, error: String(error?.message ?? error).slice(-300) }) });
  }
};
