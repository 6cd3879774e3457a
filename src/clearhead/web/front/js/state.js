// What a page shows, in the fragment of its address: a link reopens it, and no server ever sees it.
// Short things are said in words (#example=sorter); everything else is JSON, deflated, in base64url (#s=…).

const toText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
const MOST = 200_000; // characters of a fragment, and of what it unpacks to

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > MOST) throw new Error("too long");
    parts.push(piece.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function packed(state) {
  if (typeof state.example === "string" && Object.keys(state).length === 1) return `example=${encodeURIComponent(state.example)}`;
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  let text = "";
  const deflated = await through(new CompressionStream("deflate-raw"), bytes);
  for (let at = 0; at < deflated.length; at += 3 * 0x2000) text += toText(deflated.subarray(at, at + 3 * 0x2000));
  return `s=${text}`;
}

export async function unpacked(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text || text.length > MOST) return null;
  try {
    if (text.startsWith("example=")) return { example: decodeURIComponent(text.slice(8)) };
    if (!text.startsWith("s=")) return null;
    const found = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), toBytes(text.slice(2)))));
    return found && typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

export async function remember(state) {
  history.replaceState(null, "", `${location.pathname}${location.search}#${await packed(state)}`);
}

export const linkTo = async (page, state) => `${new URL(page, location.href).href.split("#")[0]}#${await packed(state)}`;
