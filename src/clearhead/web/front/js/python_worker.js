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

// What few questions need is fetched once, when the first of them comes.
const LATE = {
  "../python/pdf.zip": (name, text) => name === "mark" && (/"name":"[^"]*\.pdf"/i.test(text) || text.includes('"base64":"JVBERi')), // by its name, or %PDF-
  "../python/xlsx.zip": (name, text) => name === "export" && text.includes('"to":"xlsx"'),
};
const unpacked = new Set();
async function unpack(path) {
  if (unpacked.has(path)) return;
  python.unpackArchive(await fetched(path), "zip", { extractDir: "/clearhead" });
  unpacked.add(path);
}

onmessage = async ({ data: { id, name, text } }) => {
  asked = true;
  try {
    const answer = await desk;
    for (const [path, isNeeded] of Object.entries(LATE)) if (isNeeded(name, text)) await unpack(path);
    postMessage({ id, text: answer(name, text) });
  } catch (error) {
    postMessage({ id, text: JSON.stringify({ ok: false, bug: true, error: String(error?.message ?? error).slice(-300) }) });
  }
};
