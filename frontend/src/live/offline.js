// Keeps the files of a site in the browser, so that it opens without a network after the first visit. The site puts this before
// it: self.lmdkSite = { version, files }. A site that was written again has another version, and replaces the previous one once
// no page of that is open.
const { version, files } = /** @type {any} */ (self).lmdkSite;
const PREFIX = `lmdk ${/** @type {any} */ (self).registration.scope} `;
const NAME = PREFIX + version;

self.addEventListener("install", (event) => {
  /** @type {any} */ (event).waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  const ends = caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))));
  /** @type {any} */ (event).waitUntil(ends.then(() => /** @type {any} */ (self).clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = /** @type {any} */ (event);
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  url.search = url.hash = ""; // a page's address contains settings
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  const found = caches.open(NAME).then((cache) => cache.match(url.href));
  /** @type {any} */ (event).respondWith(found.then((answer) => answer ?? fetch(request)));
});
