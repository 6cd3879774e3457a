// Python in a worker: from nothing, or from the memory that an earlier visit put away. Then it need not wake up, nor read our
// modules: a fifth of the time. Everything comes from this site's own folder; nothing else is ever asked.
import { loadPyodide, version } from "../pyodide/pyodide.mjs";

const MEMORY = "clearhead-memory"; // a store of its own: those of the service worker go with their version
const here = (path) => new URL(path, import.meta.url).href;

export async function fetched(path) {
  const reply = await fetch(here(path));
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.arrayBuffer();
}
export const rooms = () => fetched("../python/rooms.zip");

// Python with our rooms in it, whose archive may still be on its way.
export async function woken(archive, options = {}) {
  const python = await loadPyodide({ indexURL: here("../pyodide/"), fullStdLib: false, ...options });
  python.unpackArchive(await archive, "zip", { extractDir: "/clearhead" });
  python.runPython("import sys; '/clearhead' in sys.path or sys.path.insert(0, '/clearhead'); sys.dont_write_bytecode = True");
  return python;
}

// Python as an earlier visit left it; null where there was none, or it cannot be taken up.
export async function remembered(archive) {
  try {
    const store = await caches.open(MEMORY);
    if (!(await store.keys()).length) return null;
    const address = await addressOf(await archive);
    const kept = await store.match(address);
    if (!kept) return null;
    try {
      const python = await woken(archive, { _loadSnapshot: new Uint8Array(await kept.arrayBuffer()) });
      python.runPython("import importlib, random; importlib.invalidate_caches(); random.seed()"); // other dice than last time
      return python;
    } catch {
      await store.delete(address);
    }
  } catch { /* a browser that keeps nothing */ }
  return null;
}

// Put a memory away, in the place of any other.
export async function keep(memory, archive) {
  const store = await caches.open(MEMORY), address = await addressOf(archive);
  for (const old of await store.keys()) await store.delete(old);
  await store.put(address, new Response(memory));
}

export async function isKept(archive) {
  return Boolean(await (await caches.open(MEMORY)).match(await addressOf(archive)));
}

// Where a memory is kept that was made of these very sources by this very Python.
async function addressOf(archive) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", archive));
  return here(`../python/memory-${version}-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}
