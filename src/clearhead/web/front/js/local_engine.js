// The local Python behind `clearhead serve`: a question is a POST to this server and to no other.
const LONGEST = 120_000; // milliseconds; the server's own limit is shorter

export function localEngine() {
  let stop = new AbortController();
  return {
    warm() {},
    cancel() { stop.abort(); stop = new AbortController(); },
    async ask(name, text) {
      const signal = AbortSignal.any ? AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST)]) : stop.signal;
      try {
        const reply = await fetch(`desk/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal });
        if (reply.headers.get("content-type")?.startsWith("application/json")) return await reply.text();
        return JSON.stringify({ ok: false, error: `${reply.status}: ${(await reply.text()).slice(0, 300)}` });
      } catch (error) {
        return JSON.stringify({ ok: false, error: error.name === "AbortError" ? "stopped" : "the server does not answer; is clearhead serve still running?" });
      }
    },
  };
}
