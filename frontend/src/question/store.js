// The answers, in the browser's storage under the name of each question: they survive a reload and leave the browser only in
// a file that the student saves. An entry is { stamp, given, said, right, words, tries, again }; one whose stamp is not that of
// the question belongs to an older question and does not count.
const PREFIX = "lmdk-answer:";
const CHANGED = "lmdk-answers";
const WHOLE = "lmdk-whole";

// For when the browser stores nothing, as in some private windows; on the page, as more than one bundle has this module.
const memory = (globalThis.lmdkAnswers ??= new Map());

function store() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

// The entry of a question, or null. asked: at least its name and its stamp.
export function saved({ name, stamp }) {
  try {
    const entry = JSON.parse(store()?.getItem(PREFIX + name) ?? memory.get(name) ?? "null");
    return entry?.stamp === stamp ? entry : null;
  } catch {
    return null; // someone else wrote there
  }
}

// Whether what follows a question may be shown: it would give the answer away to whoever can still try.
export function isSettled(asked) {
  const entry = saved(asked);
  return entry !== null && !entry.again;
}

export function keep({ name, stamp }, entry) {
  const text = JSON.stringify({ stamp, ...entry });
  memory.set(name, text);
  try {
    store()?.setItem(PREFIX + name, text);
  } catch {
    // full, or not allowed: it is kept until the page is closed
  }
  tell([name]);
}

export function forget(names) {
  for (const name of names) {
    memory.delete(name);
    store()?.removeItem(PREFIX + name);
  }
  tell(names);
}

// Whether a lesson is shown whole, with all answers, as a teacher may want; this is not stored.
export const isWhole = () => globalThis.lmdkWhole === true;

export function showWhole(on) {
  globalThis.lmdkWhole = on;
  window.dispatchEvent(new CustomEvent(WHOLE));
}

// Calls back when that changes; returns what ends it.
export function onWhole(act) {
  window.addEventListener(WHOLE, act);
  return () => window.removeEventListener(WHOLE, act);
}

function tell(names) {
  window.dispatchEvent(new CustomEvent(CHANGED, { detail: names }));
}

// Calls back with the names of questions whose entries have changed, in this window or another; returns what ends it.
export function onAnswers(act) {
  const here = (event) => act(event.detail);
  const elsewhere = (event) => event.key?.startsWith(PREFIX) && act([event.key.slice(PREFIX.length)]);
  window.addEventListener(CHANGED, here);
  window.addEventListener("storage", elsewhere);
  return () => {
    window.removeEventListener(CHANGED, here);
    window.removeEventListener("storage", elsewhere);
  };
}
