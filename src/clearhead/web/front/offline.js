// The service worker of a static site: every file of this version is kept, so that the next visit needs no network.
// VERSION and FILES are written above when the site is made. A new version is fetched whole before it takes over.
const CACHE = `clearhead ${VERSION}`;
const home = new URL("./", self.location);
const known = new Set(FILES.map((path) => new URL(path, home).href));

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await Promise.all(FILES.map(async (path) => {
      const reply = await fetch(new Request(new URL(path, home), { cache: "no-cache" }));
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
      await cache.put(new URL(path, home).href, reply);
    }));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("clearhead ") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== self.location.origin || !address.href.startsWith(home.href)) return;
  address.search = "";
  address.hash = "";
  const wanted = address.href === home.href ? new URL("index.html", home).href : address.href;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(wanted);
    if (kept) return kept;
    const reply = await fetch(event.request);
    if (reply.ok && !known.has(wanted)) await cache.put(wanted, reply.clone());
    return reply;
  })());
});
