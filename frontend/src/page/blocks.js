// Blocks that Python defines (lmdk_widgets/page/blocks.py), drawn: a table, cards, and a chart under its title. No headings
// are written here.
import { Chart } from "./chart.js";
import { ChartTime } from "./chart_time.js";
import { button, h, setText, tableFrame } from "./dom.js";

// A part of the page under a heading; without one it gets the title of its block.
export function part(title, ...children) {
  const element = h("section", { class: "lmdk-part" }, h("h2", {}), ...children);
  if (title) entitle(element, title);
  return element;
}

function entitle(element, title) {
  const heading = element?.querySelector(":scope > h2");
  if (!heading) return; // it is elsewhere
  element.setAttribute("aria-label", title);
  setText(heading, title);
}

export class TableBlock {
  // place: a part that gets its title; none if the title is elsewhere
  constructor(place = null) {
    this.place = place;
    this.head = h("thead");
    this.body = h("tbody");
    this.element = tableFrame(null, this.head, this.body);
    place?.append(this.element);
  }

  show(table) {
    const { title, columns, rows } = table;
    entitle(this.place, title);
    this.element.setAttribute("aria-label", title);
    this.heads(columns);
    this.body.replaceChildren(...rows.flatMap((row, r) => this.rowsOf(table, row, r)));
  }

  // Headings that stay keep the focus.
  heads(columns) {
    const told = JSON.stringify(columns);
    if (told === this.told) return;
    this.told = told;
    const head = columns.map(({ heading, align }, k) => h("th", { scope: "col", class: `lmdk-${align}` }, this.heading(heading, k)));
    this.head.replaceChildren(...(columns.some(({ heading }) => heading) ? [h("tr", {}, ...head)] : []));
  }

  // The content of a heading, and of the first cell of a row.
  heading(text, _k) {
    return text;
  }

  name(text, _r) {
    return text;
  }

  rowsOf({ columns, notes, warned, marked }, [name, ...cells], r) {
    const bad = new Set(warned.filter(([row]) => row === r).map(([, k]) => k));
    const cell = (text, k) => h("td", { "data-head": columns[k].heading, class: `lmdk-${columns[k].align}${bad.has(k) ? " lmdk-cellbad" : ""}` }, text);
    const here = { "aria-current": marked === r ? "true" : undefined, class: notes.length ? "lmdk-noted" : undefined };
    const row = h("tr", here, h("th", { scope: "row" }, this.name(name, r)), ...cells.map((text, k) => cell(text, k + 1)));
    return notes.length ? [row, h("tr", { class: "lmdk-rownote" }, h("td", { colspan: String(columns.length) }, notes[r]))] : [row];
  }
}

// A table whose rows ask for something: a click on a row does, and so does Enter on its name. One name is reached by Tab, the
// others by arrow keys.
export class OpenTable extends TableBlock {
  // open(k): the setting of the k-th row is wanted
  constructor(open, place = null) {
    super(place);
    const index = (event) => [...this.body.children].indexOf(event.target.closest("tr"));
    this.body.addEventListener("click", (event) => {
      if (index(event) >= 0 && !window.getSelection()?.toString()) open(index(event));
    });
    this.body.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
      if (!by || index(event) < 0) return;
      event.preventDefault();
      this.focusRow(Math.min(Math.max(index(event) + by, 0), this.body.children.length - 1));
    });
  }

  // signs: before the name of each row; met: whether it is one of the good ones. Who stands on a row still does afterwards.
  show(table, signs = [], met = []) {
    const at = [...this.body.children].findIndex((row) => row.contains(this.body.getRootNode().activeElement));
    this.signs = signs;
    super.show(table);
    for (const [k, row] of [...this.body.children].entries()) row.classList.toggle("lmdk-meets", met[k] === true);
    if (at >= 0 && table.rows.length) this.focusRow(Math.min(at, table.rows.length - 1));
  }

  name(text, k) {
    return button(`${this.signs[k] ?? ""}${text}`, () => {}, { class: "lmdk-open", title: this.opens(k), tabindex: k ? "-1" : "0" });
  }

  // What the k-th row opens.
  opens(_k) {
    return "Open this setting";
  }

  focusRow(k) {
    for (const [i, row] of [...this.body.children].entries()) row.querySelector("button").tabIndex = i === k ? 0 : -1;
    this.body.children[k]?.querySelector("button").focus();
  }

  // The previous rows, which are dimmed.
  waits(on) {
    this.body.classList.toggle("lmdk-waits", on);
  }
}

// The table of a panel: its rows and its headings ask for what Python declares. While rows are still to come, the previous
// ones stay, dimmed.
class PanelTable extends OpenTable {
  constructor(page) {
    super((k) => this.acts[k] && this.request(this.acts[k]), part(""));
    this.request = (operation) => page.pump.request(operation);
    this.sorts = [];
  }

  show(table) {
    const { acts = [], signs = [], waits = false, rows, columns } = table;
    this.waits(waits);
    if (waits && rows.length < this.body.children.length) return;
    this.acts = acts;
    this.sorts = columns.map(({ sort }) => sort);
    this.element.classList.toggle("lmdk-opens", acts.length > 0);
    this.element.classList.toggle("lmdk-sorts", this.sorts.some(Boolean));
    super.show(
      { ...table, columns: columns.map(({ order, ...column }) => column) }, // headings whose order alone changes stay
      signs,
      signs.map((sign) => sign !== ""),
    );
    for (const [k, { sort, order }] of columns.entries()) if (sort) this.head.querySelectorAll("th")[k].setAttribute("aria-sort", order || "none");
  }

  heading(text, k) {
    return this.sorts[k] ? button(text, () => this.request(this.sorts[k]), { class: "lmdk-sort", title: "Sort" }) : text;
  }

  name(text, k) {
    return this.acts[k] ? super.name(text, k) : text;
  }

  opens(k) {
    return this.acts[k].name === "person" ? "Choose this person, to open on Track" : super.opens(k);
  }
}

// A chart with its title, made when it is first drawn. page: keeps it; place: its part or any other element; beside: a
// picture to whose bottom it extends.
export class ChartBlock {
  // time: what a chart over time asks for, as ChartTime takes it
  constructor(page, place, onclick = null, beside = null, time = /** @type {any} */ (null)) {
    this.element = place;
    /** @type {Chart | null} */
    this.chart = null;
    const save = (picture, format) => page.savePicture(picture, format);
    this.make = (label) => {
      const made = page.keep(new Chart(place, { label, onclick, beside, save }));
      if (time && made) this.time = new ChartTime(made, time);
      return made;
    };
  }

  show(chart) {
    this.draw(chart, {});
  }

  draw({ title, figure, summary }, arrays) {
    entitle(this.element, title);
    this.chart ??= this.make(title);
    if (!this.chart) return;
    this.chart.title = title;
    this.chart.draw(figure, arrays, summary);
  }
}

// The chart of a panel: its marks ask for what Python declares.
class PanelChart extends ChartBlock {
  constructor(page, place) {
    super(page, place, ({ trace, index }) => {
      const act = this.figure.data[trace].meta?.[index];
      if (act) page.pump.request(act);
    });
  }

  show(chart) {
    this.figure = chart.figure;
    super.show(chart);
  }
}

// Settings side by side, each with its answers and a button. What does not change keeps the focus.
export class CardsBlock {
  // act(operation): what the button of a card asks for; picture(): an element that the page draws in, on each card
  constructor(act = (_operation) => {}, picture = () => /** @type {any} */ (null)) {
    this.act = act;
    this.picture = picture;
    this.list = h("div", { class: "lmdk-cards" });
    this.note = h("p", { class: "lmdk-meaning" });
    this.element = h("section", { class: "lmdk-sidebyside" }, this.list, this.note);
    /** @type {any[]} */
    this.cards = [];
  }

  show({ title, note, cards }) {
    this.element.setAttribute("aria-label", title);
    setText(this.note, note);
    while (this.cards.length < cards.length) this.cards.push(this.card());
    this.cards.length = cards.length;
    for (const [k, card] of this.cards.entries()) this.fill(card, cards[k]);
    const elements = this.cards.map(({ element }) => element);
    if (elements.length !== this.list.children.length) this.list.replaceChildren(...elements);
  }

  card() {
    const [name, about, said] = [h("h3", {}), h("p", { class: "lmdk-cardabout" }), h("p", { class: "lmdk-cardsaid" })];
    const card = { name, about, said, picture: this.picture(), answers: h("dl", {}), told: "", operation: null };
    const use = button("", () => this.act(card.operation));
    const element = h("article", { class: "lmdk-card" }, name, about, ...(card.picture ? [card.picture] : []), card.answers, said, use);
    return Object.assign(card, { use, element });
  }

  fill(card, { name, about, answers, said, act }) {
    setText(card.name, name);
    setText(card.about, about);
    setText(card.said, said);
    card.operation = act?.operation;
    card.use.hidden = !act;
    if (act) setText(card.use, act.label);
    card.use.setAttribute("aria-label", `${act?.label ?? ""}: ${name}`);
    card.element.setAttribute("aria-label", name);
    card.element.classList.toggle("lmdk-emptycard", !answers.length);
    if (card.picture) card.picture.hidden = !answers.length;
    const told = JSON.stringify(answers);
    if (told !== card.told) card.answers.replaceChildren(...answers.flatMap(answerLines));
    card.told = told;
  }
}

function answerLines({ name, value, line, short, look }) {
  const number = h("dd", { class: look ? `lmdk-headline${look}` : "" }, value);
  return [h("dt", { title: line }, h("b", {}, name), " ", h("span", {}, short || line)), number];
}

class TextBlock {
  constructor(look) {
    this.element = h("p", { class: { quiet: "lmdk-meaning", answer: "lmdk-foldanswer" }[look] ?? null, "aria-live": "polite" });
  }

  show(text) {
    setText(this.element, text);
  }
}

// Buttons in a row, each with what it asks for. One that stays keeps the focus.
class ButtonsBlock {
  constructor(page) {
    this.page = page;
    this.element = h("div", { class: "lmdk-choices" });
    this.acts = [];
  }

  show(acts) {
    const { page, element } = this;
    this.acts = offered(page, acts);
    while (element.children.length > this.acts.length) element.lastElementChild?.remove();
    for (const [k, { label, title = "" }] of this.acts.entries()) {
      const made = element.children[k] ?? button("", () => page.pump.request(this.acts[k].operation), { class: "lmdk-act" });
      setText(made, label);
      /** @type {any} */ (made).title = title;
      if (!made.parentElement) element.append(made);
    }
  }
}

// The buttons that are there: in a file without a kernel only those whose choice stays open.
function offered(page, acts) {
  const { recorded } = page.options;
  const isOpen = ({ op, name }) => recorded.open.includes(op === "pin" ? "pinned" : name);
  return acts.filter(({ operation, where = "" }) => (recorded ? where !== "page" && isOpen(operation) : where !== "file"));
}

// Blocks without the rows of buttons in which there is none.
export function filled(page, blocks) {
  return blocks.filter(({ kind, shown }) => kind !== "buttons" || offered(page, shown).length);
}

const MADE = {
  text: (_page, look) => new TextBlock(look),
  buttons: (page) => new ButtonsBlock(page),
  table: (page) => new PanelTable(page),
  cards: (page) => new CardsBlock((operation) => page.pump.request(operation)),
  chart: (page) => new PanelChart(page, part("")),
};

// Blocks of any kind, one below the other. What does not change is not drawn again: it keeps the focus.
export class BlockList {
  constructor(page) {
    this.page = page;
    this.element = h("div", {});
    this.views = {};
  }

  // blocks: { kind, shown, look }, as `block_messages` writes them
  show(blocks) {
    const seen = {};
    const views = blocks.map(({ kind, look = "" }) => {
      const name = kind + look;
      seen[name] = (seen[name] ?? 0) + 1;
      return (this.views[`${seen[name]} ${name}`] ??= { block: MADE[kind](this.page, look), told: "" });
    });
    const elements = views.map(({ block }) => block.place ?? block.element);
    this.arrange(elements);
    for (const [k, view] of views.entries()) {
      const told = JSON.stringify(blocks[k].shown);
      if (told === view.told) continue;
      view.told = told;
      view.block.show(blocks[k].shown);
    }
  }

  // These elements in this order; the one with the focus stays where it is, as moving it would lose the focus.
  arrange(elements) {
    const { element } = this;
    for (const child of [...element.children]) if (!elements.includes(child)) child.remove();
    for (const [k, wanted] of elements.entries()) {
      while (element.children[k] !== wanted) {
        const other = element.children[k] ?? null;
        if (wanted.parentElement === element && !other?.matches(":focus-within")) element.append(other);
        else element.insertBefore(wanted, other);
      }
    }
  }
}
