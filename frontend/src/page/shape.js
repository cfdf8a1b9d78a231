// The shape of a page, in one place: answers as numbers above its picture, folds next to it that show their present value, and
// tabs below with the reasons. Which tab is open is the page's own business, unless a tab stands for a choice that Python
// computes only while it is open.
import { h, setAttributes, setText } from "./dom.js";

const AT_REST = 900; // milliseconds without a new answer until it is read aloud
const READ = 3000; // milliseconds after which a screen reader has taken it up

// The answers of a page: a name, a number in its colour, and a line that says what it means.
export class Answers {
  constructor() {
    this.list = h("ul", { class: "lmdk-headlines", "aria-label": "The answers as numbers" });
    this.open = -1; // the card whose line is shown on a narrow page
    this.list.addEventListener("click", ({ target }) => this.tell(target.closest("li")));
    this.said = h("p", { class: "lmdk-offscreen", role: "status", "aria-live": "polite" });
    this.lines = h("ul", { class: "lmdk-answerlines" }); // for a page too narrow to show them above the picture
    this.element = h("div", { class: "lmdk-threeanswers" }, this.list, this.said);
  }

  // answers: [{ name, value, line, short, look, said }], all but the first three may be left out. short: the line where there
  // is little room; brief: the line on the first screen, if it is shorter there; look: "red", "amber", "grey" or nothing; said: more of it, beside the pointer; scale: drawn below it
  show(answers) {
    const told = JSON.stringify(answers);
    if (told === this.told) return;
    const first = !this.told;
    this.told = told;
    this.list.replaceChildren(...answers.map(tile));
    this.tell(null);
    const dot = (line) => (line[0] === line[0].toLowerCase() ? "" : ".");
    this.lines.replaceChildren(...answers.map(({ name, value, line }) => h("li", {}, `${name}: ${value}${dot(line)} ${line}`)));
    clearTimeout(this.waiting);
    setText(this.said, ""); // the answers before: they are no longer true
    const whole = answers.every(({ value }) => value !== "…"); // none is still computed
    if (!first && whole)
      this.waiting = setTimeout(() => {
        setText(this.said, answers.map(({ name, value, line }) => `${name}: ${value}. ${line}`).join(" "));
        this.waiting = setTimeout(() => setText(this.said, ""), READ); // the page has them above, and says nothing twice
      }, AT_REST);
  }

  // On a narrow page a card has a few words: a tap shows its line, another one hides it.
  tell(card) {
    const cards = [...this.list.children];
    if (card) this.open = this.open === cards.indexOf(card) ? -1 : cards.indexOf(card);
    for (const [k, each] of cards.entries()) each.classList.toggle("lmdk-told", k === this.open);
  }

  remove() {
    clearTimeout(this.waiting);
  }
}

// scale: { at, marks: [[name, at], ...], said }, shares of its length
function scaleOf({ at, marks, said }) {
  const place = (share) => `${100 * Math.max(0, Math.min(1, share))}%`;
  const ticks = marks.map(([, share], k) => h("i", { class: `lmdk-tick${k}`, style: `left: ${place(share)}` }));
  // each name ends at its tick, or before the next one if both are near
  const ends = marks.map(([name, share], k) => ({ name, k, at: Math.max(0, Math.min(1, share)) })).sort((a, b) => a.at - b.at);
  const wide = ends.at(-1)?.at || 1;
  const names = ends.map(({ name, k, at }, n) => {
    const style = `flex: ${n === 0 ? "0 1" : "1 1"} ${(100 * (at - (n ? ends[n - 1].at : 0))) / wide}%`;
    return h("span", { style }, name, h("i", { class: `lmdk-tick${k}` }));
  });
  const bar = h("span", { class: "lmdk-scalebar" }, h("b", { style: `width: ${place(at)}` }), ...ticks);
  const below = h("span", { class: "lmdk-scalenames", style: `width: ${place(wide)}` }, ...names);
  return h("span", { class: "lmdk-answerscale", role: "img", "aria-label": said, title: said }, bar, below);
}

function tile({ name, value, line, short, brief, look, said = [], scale = null }) {
  const number = h("span", { class: `lmdk-headlinevalue${look ? ` lmdk-headline${look}` : ""}` }, value);
  const lines = [
    h("span", { class: "lmdk-headlineline" }, brief || line),
    " ",
    h("span", { class: "lmdk-headlineshort", "aria-hidden": "true" }, short || line),
  ];
  const more = scale ? [" ", scaleOf(scale)] : [];
  return h("li", said.length ? { title: said.join(" ") } : {}, h("span", { class: "lmdk-headlinename" }, name), " ", number, " ", ...lines, ...more);
}

// A fold next to the picture. Its headline shows its present value: `say`.
export class Aside {
  constructor(title, ...inside) {
    this.value = h("span", { class: "lmdk-asidevalue" });
    this.inside = h("fieldset", { "aria-label": title }, h("p", { class: "lmdk-askhere" }), ...inside);
    const summary = h("summary", {}, h("span", { class: "lmdk-asidename" }, title), " ", this.value);
    this.element = h("details", { class: "lmdk-aside" }, summary, this.inside);
  }

  say(text) {
    setText(this.value, text);
  }
}

// A row of tabs: one panel is shown at a time.
export class Tabs {
  // label: of the row; choice: { ask(name, on), awaits(name), chosen(name) }: for tabs that stand for a choice; of any tab that
  // its name was chosen
  constructor(label, choice) {
    this.choice = choice;
    /** @type {any[]} */
    this.tabs = [];
    /** @type {any} */
    this.current = null;
    this.fixed = false; // in a file without a kernel, where no choice of a tab changes
    this.id = `lmdk-tab-${Math.random().toString(36).slice(2)}`;
    this.row = h("div", { class: "lmdk-tabs", role: "tablist", "aria-label": label });
    this.panels = h("div", { class: "lmdk-panels" });
    this.element = h("div", { class: "lmdk-reasons" }, this.row, this.panels);
    this.row.addEventListener("keydown", (event) => this.key(event));
  }

  // name: in this page; open: the choice that is on while this tab is shown; first(): called when it is first shown;
  // holds(choices): whether a file without a kernel has something in it
  add(name, title, elements, { open = "", first = () => {}, holds = (choices) => choices[open] } = {}) {
    const inside = [h("p", { class: "lmdk-askhere" }), ...elements];
    const ids = { id: `${this.id}-${name}`, "aria-controls": `${this.id}-${name}-panel` };
    const button = h("button", { type: "button", role: "tab", "data-tab": name, ...ids, onclick: () => this.select(name) }, title);
    const panel = h("section", { class: "lmdk-tabpanel", role: "tabpanel", id: ids["aria-controls"], "aria-labelledby": ids.id, hidden: true }, ...inside);
    const tab = { name, button, panel, open, on: false, first, holds };
    this.tabs.push(tab);
    this.row.append(button);
    this.panels.append(panel);
    if (this.tabs.length === 1) this.show(tab);
    else button.tabIndex = -1;
    return panel;
  }

  named(name) {
    return this.tabs.find((tab) => tab.name === name);
  }

  // Shows the tab that contains an element.
  reveal(element) {
    const tab = this.tabs.find(({ panel }) => panel.contains(element));
    if (tab) this.select(tab.name);
  }

  // The user opens a tab: what the previous one computed only while it was open is no longer wanted.
  select(name) {
    const [before, tab] = [this.current, this.named(name)];
    this.show(tab);
    if (before !== tab) this.set(before, false);
    this.set(tab, true);
    this.choice.chosen?.(name);
  }

  // Restores the tab that was shown; one that stands for a choice follows the choice.
  restore(name) {
    const tab = this.named(name);
    if (tab && !tab.open && !tab.button.hidden && !this.current.on) this.show(tab);
  }

  set(tab, on) {
    if (!tab.open || tab.on === on || this.fixed) return;
    tab.on = on;
    this.choice.ask(tab.open, on);
  }

  show(tab) {
    if (this.current === tab) return;
    this.current = tab;
    for (const each of this.tabs) {
      const on = each === tab;
      setAttributes(each.button, { "aria-selected": on });
      each.button.tabIndex = on ? 0 : -1;
      each.panel.hidden = !on;
    }
    if (!tab.shown) tab.first();
    tab.shown = true;
  }

  // Which choices are on: a tab whose choice came on by a link, by undo or from Python is shown.
  follow(choices) {
    for (const tab of this.tabs) {
      if (this.fixed && tab.open) this.offer(tab.name, tab.holds(choices));
      if (!tab.open || this.choice.awaits(tab.open) || tab.on === choices[tab.open]) continue;
      tab.on = choices[tab.open];
      if (tab.on) this.show(tab);
      else if (tab === this.current) this.show(this.tabs[0]);
    }
  }

  // Whether a tab can be opened at all: some have nothing in a file without a kernel.
  offer(name, on) {
    const tab = this.named(name);
    tab.button.hidden = !on;
    if (!on && tab === this.current) this.show(this.tabs[0]);
  }

  key(event) {
    const seen = this.tabs.filter(({ button }) => !button.hidden);
    const at = seen.indexOf(this.current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = seen[(to + seen.length) % seen.length];
    this.select(tab.name);
    tab.button.focus();
  }
}
