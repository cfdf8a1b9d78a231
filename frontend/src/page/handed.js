// What one page of the dashboard hands to another: a file that the other reads as if it were uploaded there, and settings for
// it. It is only in the memory of the page.

// on the page, not in this module, which each bundle has its own copy of: what waits for each page
const waiting = (globalThis.lmdkHanded ??= new Map());
const HANDED = "lmdk-handed";
const OPEN = "lmdk-open";

// The dashboard takes other pages to the front: open(name). Returns a function that ends that.
export function takesPages(open) {
  const opened = (/** @type {any} */ { detail }) => open(detail);
  window.addEventListener(OPEN, opened);
  globalThis.lmdkDashboards = (globalThis.lmdkDashboards ?? 0) + 1;
  return () => {
    window.removeEventListener(OPEN, opened);
    globalThis.lmdkDashboards -= 1;
  };
}

// Whether there is a dashboard, that is another page to hand something to.
export const canHandOver = () => (globalThis.lmdkDashboards ?? 0) > 0;

// message: { name, settings, read: how the file is read }, with the content of the file as its buffer
export function handOver(page, { name, settings, read }, [buffer]) {
  waiting.set(page, { file: new File([buffer], name), settings, read });
  window.dispatchEvent(new CustomEvent(OPEN, { detail: page }));
  window.dispatchEvent(new CustomEvent(HANDED));
}

// Calls act({ file, settings, read }) with what is handed to a page, now and later. Returns a function that ends that.
export function takesHanded(page, act) {
  const take = () => {
    const found = waiting.get(page);
    waiting.delete(page);
    if (found) act(found);
  };
  window.addEventListener(HANDED, take);
  take();
  return () => window.removeEventListener(HANDED, take);
}
