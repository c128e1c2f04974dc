// Keeps the page readable while the server is away: the page itself, its script, style and pictures, and what the games
// look like. Nothing else is kept: games are the server's.

const KEPT = 'trilith-1';
const PAGE = '/';
const SHELL = ['/assets/first.js', '/assets/app.js', '/assets/more.js', '/assets/app.css', '/assets/icon.svg'];
const GAMES = '/api/games';

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll([PAGE, ...SHELL, GAMES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then(async (cache) => {
        const known = new Set([PAGE, ...SHELL, GAMES]);
        for (const request of await cache.keys()) if (!known.has(new URL(request.url).pathname)) await cache.delete(request);
      })
      .then(() => self.clients.claim()),
  );
});

/** From the server if it answers, else as it was. */
async function fresh(request, key) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch (fault) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw fault;
  }
}

/** What carries its version in its address never changes. */
async function kept(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request)) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin) return;
  if (pathname === PAGE) event.respondWith(fresh(event.request, PAGE));
  else if (pathname === GAMES) event.respondWith(fresh(event.request, GAMES));
  else if (SHELL.includes(pathname)) event.respondWith(kept(event.request));
});
