/**
 * The service worker: keeps one whole version of the client, so that the page opens without a network and never mixes versions.
 *
 * The server fills in CLIENT, so each version of the client is a new worker with a cache of its own. Files are found by
 * their address, which names the version. Pages come from the network; only without one, the cached page is shown.
 */

const { version, files, documents } = CLIENT;
const PREFIX = "cheeseboard-";
const KEPT = 2; // caches: this version, and the one before for pages that are still open

/** Cache all files of this version, or fail: then the worker before stays, and the browser tries again later. */
async function install() {
  const cache = await caches.open(PREFIX + version);
  await cache.addAll([...files, ...documents]);
  await skipWaiting();
}

async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + version);
  await Promise.all(names.slice(0, Math.max(0, names.length - KEPT + 1)).map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return caches.match(files.find((name) => name.endsWith("/index.html")));
  }
}

async function document(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(request, { ignoreSearch: true });
    if (cached) return cached;
    throw error;
  }
}

function respond(event) {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== location.origin || event.request.method !== "GET") return;
  if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
  else if (documents.includes(pathname)) event.respondWith(document(event.request));
  else if (event.request.mode === "navigate" && !pathname.includes(".")) event.respondWith(page(event));
}

/** Show the table whose notification was clicked. */
async function showTable(notification) {
  notification.close();
  const open = await clients.matchAll({ type: "window" });
  const table = open.find((client) => new URL(client.url).pathname === notification.data);
  return table ? table.focus() : clients.openWindow(notification.data);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", respond);
addEventListener("notificationclick", (event) => event.waitUntil(showTable(event.notification)));
