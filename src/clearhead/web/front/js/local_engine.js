// The local Python behind `clearhead serve`: a question is a POST to this server and to no other.
import { t } from "./strings.js";

const LONGEST = 120_000; // milliseconds; the server's own limit is shorter. What needs torch may take as long as the server lets it.

export function localEngine() {
  let stop = new AbortController();
  return {
    warm() {},
    cancel() { stop.abort(); stop = new AbortController(); },
    async ask(name, text) {
      const mine = stop.signal;
      const signal = AbortSignal.any && !name.startsWith("local_") ? AbortSignal.any([mine, AbortSignal.timeout(LONGEST)]) : mine;
      try {
        const reply = await fetch(`desk/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal });
        if (reply.headers.get("content-type")?.startsWith("application/json")) return await reply.text();
        return JSON.stringify({ ok: false, error: `${reply.status}: ${(await reply.text()).slice(0, 300)}` });
      } catch (error) {
        return JSON.stringify({ ok: false, error: mine.aborted ? t("engine.stopped") : error.name === "TimeoutError" ? t("engine.slow") : t("engine.gone") });
      }
    },
  };
}
