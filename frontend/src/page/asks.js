// Terms that cannot be marked, in buttons, lists of choices, headings of menus and legends of charts: one "?" for each group
// of controls or views, whose tip has those that no text of the group explains.
import { h } from "./dom.js";

const GROUPS = "fieldset, section:not(.lmdk-untitled), .lmdk-header, .lmdk-menuitems";
const UNSEEN = "[hidden], .lmdk-tip, .lmdk-toast, .lmdk-offscreen, .lmdk-readout, .lmdk-warned > summary, .hoverlayer, style";

let serial = 0;

export class Asks {
  // meanings: an element for what describes each "?"; termsIn(text): the numbers of the terms in a text
  constructor(root, meanings, termsIn) {
    this.root = root;
    this.meanings = meanings;
    this.termsIn = termsIn;
    this.shown = new Map(); // of a group: its button, with the terms behind it
  }

  // numberOf(mark): the term of a marked word
  show(numberOf) {
    const seen = seenOn();
    const wanted = this.wanted(seen);
    for (const group of new Set([...wanted.keys(), ...this.shown.keys()])) {
      const explained = new Set([...group.querySelectorAll(".lmdk-term")].filter((mark) => seen(mark)).map(numberOf));
      this.place(
        group,
        [...(wanted.get(group) ?? [])].filter((k) => !explained.has(k)),
      );
    }
  }

  // The terms of all visible texts, by group.
  wanted(seen) {
    const found = new Map();
    const walk = document.createTreeWalker(this.root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { nodeValue: text, parentElement: at } = walk.currentNode;
      const terms = text.trim() ? this.termsIn(text) : [];
      if (!terms.length || this.root.contains(at.closest(UNSEEN)) || !seen(at)) continue;
      const within = at.closest(GROUPS);
      const group = within?.querySelector(":scope > .lmdk-front") ?? within; // the first controls explain the headings of folds too
      if (!group || !this.root.contains(group)) continue;
      if (!found.has(group)) found.set(group, new Set());
      for (const k of terms) found.get(group).add(k);
    }
    return found;
  }

  place(group, terms) {
    const { ask, text } = this.shown.get(group) ?? this.made();
    if (!terms.length || !group.isConnected) {
      ask.remove();
      text.remove();
      group.classList.remove("lmdk-cornered");
      this.shown.delete(group);
      return;
    }
    this.shown.set(group, { ask, text, terms });
    text.textContent = terms.map((k) => `${this.meanings.children[k].dataset.term}: ${this.meanings.children[k].textContent}`).join(" ");
    const home = homeOf(group);
    if (ask.parentElement !== home) home.append(ask);
    ask.classList.toggle("lmdk-corner", home === group);
    group.classList.toggle("lmdk-cornered", home === group);
  }

  made() {
    const text = h("span", { id: `lmdk-ask-${++serial}` });
    this.meanings.append(text);
    return { text, ask: h("button", { type: "button", class: "lmdk-ask", "aria-label": "Words explained", "aria-describedby": text.id }) };
  }

  termsOf(ask) {
    return [...this.shown.values()].find((one) => one.ask === ask)?.terms ?? [];
  }
}

// Where the "?" of a group goes: where its page says, after its heading, in its first text, or in its corner.
function homeOf(group) {
  const first = [".lmdk-askhere", "legend", "h2", "p"].map((what) => group.querySelector(`:scope > ${what}:not([hidden])`));
  return first.find(Boolean) ?? group;
}

// Whether an element is shown while its page is: another page may be open now. What is folded away is not asked for, as the
// browser would have to style it.
function seenOn() {
  const open = new Map(); // of a page: whether it is shown
  return (element) => {
    const at = element.closest("select") ?? element; // choices of a list are never laid out
    const page = at.closest(".lmdk-explorer");
    const closed = at.closest("details:not([open])");
    if (closed && at.closest("summary")?.parentElement !== closed) return false;
    if (page && !open.has(page)) open.set(page, page.checkVisibility());
    return (open.get(page) ?? true) ? at.checkVisibility() : !page.contains(at.closest("[hidden]"));
  };
}
