// The terms of the field in texts: a dotted underline, and a tip with the meaning on hover, focus or tap.
// The first of each in a paragraph is marked. The main paragraph is marked as it is set, as it changes while a slider moves:
// if it has the same terms as before, only the text between them is replaced. All other texts are marked when the page
// is at rest. Terms in buttons, lists of choices and legends of charts cannot be marked: asks.js explains them.
import { Asks } from "./asks.js";
import { h } from "./dom.js";
import { unbroken } from "./format.js";

const MARKED = "p, h2, h3, li, legend, label, th, dt, dd, caption, figcaption, .lmdk-rownote td, .lmdk-listhead span";
const HELP = ".lmdk-term, .lmdk-ask";
const LEFT_ALONE =
  "button, select, summary, a, svg, input, textarea, [aria-hidden=true], [role=option], .lmdk-map, .lmdk-plot, .lmdk-figureplot, .lmdk-toast, .lmdk-readout";
const QUOTED = /["“]$/; // before a term that is part of a name, such as that of a lesson or of a control
const REST = 250; // milliseconds without a new text until the rest is marked
const IDLE = 500; // milliseconds in which a busy page is marked all the same
const AWAY = 150; // milliseconds in which a pointer may go from a term to its tip

export class Terms {
  // entries: [[names, meaning]]; a name that begins with a small letter may also begin with a capital
  constructor(root, entries) {
    this.root = root;
    this.id = `lmdk-terms-${Math.random().toString(36).slice(2)}`; // no count: every bundle has a copy of this module
    this.index = new Map(
      entries.flatMap(([names], k) => names.flatMap((name) => [name, ...(name.length > 1 ? [name[0].toUpperCase() + name.slice(1)] : [])].map((n) => [n, k]))),
    );
    const names = [...this.index.keys()].sort((a, b) => b.length - a.length).map((n) => n.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    this.pattern = new RegExp(`(?<![\\p{L}\\p{N}-])(${names.join("|")})(?:s|es)?(?![\\p{L}\\p{N}-])`, "u");
    this.meanings = h("div", { hidden: true }, ...entries.map(([[name], meaning], k) => h("span", { id: `${this.id}-${k}`, "data-term": name }, meaning)));
    this.tip = h("div", { class: "lmdk-tip", role: "tooltip", popover: "manual" });
    root.append(this.meanings, this.tip);
    root.dataset.lmdkTerms = this.id;
    this.known = new WeakMap(); // of an element: the text in which terms were looked for
    this.marks = new WeakSet(); // elements in which there were some
    this.asks = new Asks(root, this.meanings, (text) => this.termsIn(text));
    this.entries = entries;
    this.stop = new AbortController();
    this.listen();
  }

  listen() {
    const on = (target, type, act, options = {}) => target.addEventListener(type, act, { signal: this.stop.signal, ...options });
    const term = (event) => event.target.closest?.(HELP);
    const mouse = (act) => (event) => event.pointerType === "mouse" && act(event);
    const over = (event) => {
      if (term(event)) this.open(term(event));
      else if (this.tip.contains(event.target)) clearTimeout(this.leaving);
      else this.leave();
    };
    on(this.root, "pointerover", mouse(over));
    on(
      this.root,
      "pointerleave",
      mouse(() => this.leave()),
    );
    on(this.root, "focusin", (event) => (term(event) ? this.open(term(event)) : this.close()));
    on(this.root, "focusout", () => this.close());
    on(this.root, "click", (event) => {
      const at = term(event);
      if (!at) return this.close();
      if (!at.closest(".lmdk-check")) event.preventDefault(); // a label would move the focus to its control
      this.open(at);
    });
    on(this.root, "keydown", (event) => this.scroll(event));
    on(this.root, "toggle", (event) => event.target.matches("details") && this.later(), { capture: true });
    on(document, "keydown", (event) => event.key === "Escape" && this.at && (this.close(), event.preventDefault()), { capture: true });
    const follow = () => this.at && this.place(this.at.getClientRects()[0]);
    on(window, "scroll", follow, { capture: true, passive: true });
    on(window, "resize", follow);
  }

  // The text of the main paragraph, its terms marked.
  setText(element, sentence) {
    const text = unbroken(sentence);
    if (this.known.get(element) === text && element.textContent === text) return;
    const pieces = this.pieces(text);
    const nodes = element.childNodes;
    const alike = nodes.length === pieces.length && pieces.every((piece, k) => k % 2 === 0 || nodes[k].textContent === piece);
    if (alike) {
      for (let k = 0; k < pieces.length; k += 2) if (nodes[k].data !== pieces[k]) nodes[k].data = pieces[k];
    } else this.fill(element, pieces);
    this.known.set(element, text);
  }

  // The numbers of the terms in a text, in order.
  termsIn(text) {
    return [...new Set([...text.matchAll(new RegExp(this.pattern, "gu"))].map((match) => this.index.get(match[1])))];
  }

  // Text, term, text, ..., text: the first occurrence of each term, except after a text that matches `unless`.
  pieces(text, seen = new Set(), unless = null) {
    const found = [];
    let rest = 0; // where the text that is not yet in the pieces begins
    for (let from = 0; ; ) {
      const match = this.pattern.exec(text.slice(from));
      if (!match) return [...found, text.slice(rest)];
      const start = from + match.index;
      from = start + match[0].length;
      const k = this.index.get(match[1]);
      if (seen.has(k) || unless?.test(text.slice(0, start))) continue;
      seen.add(k);
      found.push(text.slice(rest, start), match[0]);
      rest = from;
    }
  }

  fill(element, pieces) {
    const made = pieces.map((piece, k) => (k % 2 ? this.term(piece) : document.createTextNode(piece)));
    element.replaceChildren(...made);
  }

  term(text) {
    const { 1: name } = this.pattern.exec(text);
    return h("span", { class: "lmdk-term", tabindex: "0", "aria-describedby": `${this.id}-${this.index.get(name)}` }, text);
  }

  // Marks what is not marked yet, once no text has changed for a while.
  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => whenIdle(() => this.markAll()), REST);
  }

  markAll() {
    for (const element of this.root.querySelectorAll(MARKED)) {
      const text = element.textContent;
      if (this.known.get(element) === text && (element.querySelector(".lmdk-term") || !this.marks.has(element))) continue;
      if (element.closest(LEFT_ALONE)) continue;
      this.known.set(element, text);
      this.mark(element);
    }
    this.asks.show((term) => this.index.get(this.pattern.exec(term.textContent)?.[1]));
  }

  // Marks the first of each term in the texts of an element, not in those of controls within it.
  mark(element) {
    const own = (node) => node.parentElement.closest(MARKED) === element && !node.parentElement.closest(`${LEFT_ALONE}, .lmdk-term`);
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) if (own(walk.currentNode)) texts.push(walk.currentNode);
    const marked = [...element.querySelectorAll(".lmdk-term")].map((term) => this.index.get(this.pattern.exec(term.textContent)?.[1]));
    const seen = new Set(marked);
    for (const node of texts) this.split(node, seen);
    this.marks[element.querySelector(".lmdk-term") ? "add" : "delete"](element);
  }

  // Marks the first of each term in parts of a text that stay as they are, such as those of a lesson.
  markOnce(parts) {
    const seen = new Set();
    for (const part of parts) {
      const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const texts = [];
      const marks = ({ parentElement: at }) => !at.closest(`${LEFT_ALONE}, h1, h2, code, pre, blockquote`) && !isSource(at);
      while (walk.nextNode()) if (marks(walk.currentNode)) texts.push(walk.currentNode);
      for (const node of texts) this.split(node, seen, QUOTED);
    }
  }

  split(node, seen, unless = null) {
    const pieces = this.pieces(node.data, seen, unless);
    if (pieces.length > 1) node.replaceWith(...pieces.map((piece, k) => (k % 2 ? this.term(piece) : piece)));
  }

  open(term) {
    clearTimeout(this.leaving);
    if (this.at === term) return;
    this.close();
    if (term.closest("[data-lmdk-terms]").dataset.lmdkTerms !== this.id) return; // of a page within this text
    this.at = term;
    this.tip.replaceChildren(...this.said(term));
    this.tip.showPopover?.();
    this.tip.classList.add("lmdk-shown");
    this.place(term.getClientRects()[0]);
  }

  // The content of a tip: the meaning of a term, or each term of a group with its meaning.
  said(term) {
    const meaning = (id) => this.meanings.querySelector(`#${id}`).textContent;
    if (term.matches(".lmdk-term")) return [meaning(term.getAttribute("aria-describedby"))];
    return this.asks.termsOf(term).map((k) => h("p", {}, h("b", {}, this.entries[k][0][0]), `: ${this.entries[k][1]}`));
  }

  // A long tip, with the arrow keys.
  scroll(event) {
    const by = { ArrowDown: 60, ArrowUp: -60 }[event.key];
    if (!by || !this.at?.matches(".lmdk-ask") || this.tip.scrollHeight <= this.tip.clientHeight) return;
    this.tip.scrollBy({ top: by });
    event.preventDefault();
  }

  // Below the term, or above it if there is more room, never over it or beyond an edge: a long tip scrolls.
  place(line) {
    if (!line) return this.close(); // its text is gone
    const { left, top, bottom } = line;
    this.tip.style.maxHeight = "";
    const { offsetWidth: width, offsetHeight: full } = this.tip;
    const { clientWidth, clientHeight } = document.documentElement;
    const [above, beneath] = [top - 8, clientHeight - bottom - 8];
    const under = full <= beneath || beneath >= above;
    const height = Math.min(full, under ? beneath : above);
    const x = Math.max(8, Math.min(left, clientWidth - 8 - width));
    const y = under ? bottom + 4 : top - 4 - height;
    Object.assign(this.tip.style, { left: `${x}px`, top: `${y}px`, maxHeight: height < full ? `${height}px` : "" });
  }

  leave() {
    clearTimeout(this.leaving);
    if (this.at) this.leaving = setTimeout(() => this.at !== document.activeElement && this.close(), AWAY);
  }

  close() {
    clearTimeout(this.leaving);
    if (!this.at) return;
    this.at = null;
    this.tip.classList.remove("lmdk-shown");
    this.tip.hidePopover?.();
  }

  remove() {
    clearTimeout(this.waiting);
    clearTimeout(this.leaving);
    this.stop.abort();
  }
}

// Before the next frame of the page only if nothing else waits; not every browser tells.
const whenIdle = (act) => (window.requestIdleCallback ? window.requestIdleCallback(act, { timeout: IDLE }) : act());

// Whether a text is in the list of papers at the end of a lesson, whose titles are not our wording.
function isSource(element) {
  let at = element.closest("ul, ol, p");
  while (at && !at.matches("h2")) at = at.previousElementSibling;
  return at?.textContent.startsWith("Sources") ?? false;
}
