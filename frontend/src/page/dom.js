// Small helpers to build and update elements.
import { unbroken } from "./format.js";
import palette from "./palette.css";

export const DARK = /@media ?\(prefers-color-scheme: ?dark\)/g;

const VERBATIM = new Set(["code", "pre", "script", "style", "textarea"]);

// Whether a finger is what points first: it cannot point without choosing.
export const TOUCH = Boolean(globalThis.matchMedia?.("(pointer: coarse)").matches);

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  const said = (child) => (typeof child === "string" && !VERBATIM.has(tag) ? unbroken(child) : child);
  const given = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...given.map(said));
  return element;
}

export const button = (text, act, attributes = {}) => h("button", { type: "button", onclick: act, ...attributes }, text);

export const details = (summary, ...parts) => h("details", {}, h("summary", {}, summary), ...parts);

// A button that is on or off: act(on).
export function switchButton(text, on, act, attributes = {}) {
  const element = button(text, () => {
    element.ariaPressed = String(element.ariaPressed !== "true");
    act(element.ariaPressed === "true");
  });
  return Object.assign(element, { ariaPressed: String(on), ...attributes });
}

// JupyterLab prevents what Enter does in the fields of a cell, so a browser would not say that one has changed.
export function changesOnEnter(root) {
  root.addEventListener("beforeinput", (event) => {
    const { inputType, target } = event;
    if (inputType !== "insertLineBreak" || !target.matches("input")) return;
    setTimeout(() => {
      if (!event.defaultPrevented || !target.matches(":focus")) return;
      target.blur();
      target.focus();
    });
  });
}

// Folds that lie over the page: a press elsewhere or Escape closes the open one. Returns a function that ends this.
export function closedFromOutside(folds) {
  const closeOutside = (event) => {
    for (const fold of folds) if (fold.open && !fold.contains(event.target)) fold.open = false;
  };
  const closeByKey = (event) => {
    const fold = event.currentTarget;
    if (event.key !== "Escape" || !fold.open) return;
    fold.open = false;
    fold.querySelector("summary").focus();
  };
  for (const fold of folds) fold.addEventListener("keydown", closeByKey);
  document.addEventListener("pointerdown", closeOutside);
  return () => document.removeEventListener("pointerdown", closeOutside);
}

// Calls back whenever an element has another size, and at first; returns a function that ends this.
export function onSize(element, act) {
  const observer = new ResizeObserver(act);
  observer.observe(element);
  return () => observer.disconnect();
}

export const bullets = (lines, attributes = {}) => h("ul", attributes, ...lines.map((line) => h("li", {}, line)));

// A table in a frame that scrolls, also by keyboard.
export function tableFrame(label, head, body) {
  return h("div", { class: "lmdk-tableframe", tabindex: "0", role: "region", "aria-label": label }, h("table", { class: "lmdk-tabular" }, head, body));
}

export function table(label, heads, body) {
  return tableFrame(label, h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), body);
}

// heads: of the columns, for a narrow page on which each cell says its own.
export function tableRow([name, ...cells], attributes = {}, heads = []) {
  const row = cells.map((cell, k) => h("td", { "data-head": heads[k + 1] }, cell));
  return h("tr", attributes, h("th", { scope: "row" }, name), ...row);
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

// An element of a drawing.
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

export function setText(element, text) {
  const said = unbroken(String(text ?? ""));
  if (element.textContent !== said) element.textContent = said;
}

// The style sheets of what is a view by itself. Its place gets a class: a selector with `:has` would make the browser style the
// whole page again at every change.
const VIEWS = new Set(["", "dashboard"]);

// A style sheet, once in the root (a document or a shadow root) that holds the element: that of all widgets, or a lab's.
// JupyterLab has its own theme, whatever the system's: there, it decides what is dark.
export function addStyle(element, css, name = "") {
  if (VIEWS.has(name)) element.classList.add("lmdk-host");
  const root = element.getRootNode();
  const home = root instanceof ShadowRoot ? root : document.head;
  if (home.querySelector(`style[data-lmdk-style="${name}"]`)) return;
  if (name !== "palette") addStyle(element, palette, "palette"); // the colours that all others use
  const themed = "jpThemeLight" in document.body.dataset ? css.replaceAll(DARK, 'body[data-jp-theme-light="false"]') : css;
  const sheet = h("style", { "data-lmdk-style": name, nonce: document.body.dataset.nonce }, themed);
  if (name === "leaflet")
    home.prepend(sheet); // ours take precedence, whichever widget came first
  else home.append(sheet);
}

// What the browser stores under a name, or null; if it may not store anything, it forgets.
export function recalled(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, text) {
  try {
    window.localStorage.setItem(name, text);
  } catch {}
}

// Copies text to the clipboard, even if the page may not use the clipboard interface (plain http on a class network).
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// Copies the address with these settings; returns the sentence to show, or why there is no such address.
export async function copyLink({ link, left_out: leftOut, too_long: tooLong }) {
  if (tooLong.length) {
    return `No link was copied: with ${listed(tooLong)} it would be too long. Save the settings as a file instead, or copy them as Python.`;
  }
  const url = new URL(window.location.href);
  url.search = link;
  url.hash = "";
  const holds = leftOut.length ? `your settings, but not ${listed(leftOut)}` : "your settings, no coordinates and no data";
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname) ? " It opens on this computer only." : "";
  return (await copyText(url.href)) ? `Link copied: it contains ${holds}.${here}` : `Copy this link: ${url.href}`;
}

// "a, b and c"
export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

// Copies a text, or saves it as a file if that is refused; says what it does, and what to change in it.
export async function copyPython({ text, said, file, mend }, notices) {
  if (await copyText(text)) notices.say(said);
  else download(file, "text/plain", text);
  if (mend) notices.note(mend); // what has to be changed in it before it is used
}

export function download(name, type, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Named arrays that were sent as buffers: names [[name, "f4" | "f8" | "i4" | "u1"], ...].
export function unpack(names, buffers) {
  const types = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };
  return Object.fromEntries(names.map(([name, type], k) => [name, numbersIn(buffers[k], types[type])]));
}

export function numbersIn(view, Type) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  // a copy only if the bytes are not aligned to the type
  const aligned = bytes.byteOffset % Type.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  return new Type(aligned.buffer, aligned.byteOffset, aligned.byteLength / Type.BYTES_PER_ELEMENT);
}
