// The worker that holds Python and puts the reader's questions to the desk.
import { fetched, remembered, rooms, woken } from "./python_start.js";

let python;
const desk = (async () => {
  const archive = rooms();
  const known = await remembered(archive);
  python = known ?? (await woken(archive));
  return { answer: python.pyimport("clearhead.desk").answer, from: known ? "memory" : "nothing" };
})();
let asked = false; // whether somebody waits already
desk.then(({ answer, from }) => {
  postMessage({ ready: true, from });
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
    const { answer } = await desk;
    for (const [path, isNeeded] of Object.entries(LATE)) if (isNeeded(name, text)) await unpack(path);
    postMessage({ id, text: answer(name, text) });
  } catch (error) {
    postMessage({ id, text: JSON.stringify({ ok: false, bug: true, error: String(error?.message ?? error).slice(-300) }) });
  }
};
