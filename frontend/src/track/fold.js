// A fold whose content is computed only while it is open: opening it asks for that, and the kernel says whether it is open.
import { BlockList, filled } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";

export class Fold {
  // ask(open): whether its content is wanted
  constructor(name, title, ask, ...inside) {
    this.element = h("details", { class: `lmdk-${name}` }, h("summary", {}, title), ...inside);
    this.element.addEventListener("toggle", () => this.element.open !== this.wanted && ask(this.element.open));
  }

  entitle(title) {
    setText(this.element.firstElementChild, title);
  }

  show(wanted) {
    this.wanted = wanted;
    this.element.open = wanted;
  }
}

const RADIUS = "radius"; // of a limit that follows the protection radius

// A panel without a view of its own: its controls, its blocks and its files, in the order in which Python names them. A bare
// one has no fold: it stands in its place under its heading.
export class PanelFold {
  constructor(page, { name, title, bare, place, about, fields, files, closed }) {
    this.page = page;
    this.place = place;
    this.open = `${name}.open`;
    this.name = name;
    this.closed = closed;
    this.follows = fields.filter((each) => page.fields.declared[each].preset === RADIUS);
    this.answer = new BlockList(page); // stands first, so that an opened fold shows it
    this.blocks = new BlockList(page);
    /** @type {Record<string, BlockList>} */
    this.below = {};
    const said = h("p", { class: "lmdk-meaning", hidden: !about }, about);
    const controls = h("div", { class: "lmdk-pair", hidden: !fields.length }, ...fields.map((each) => page.fields.field(each)));
    const saves = files.map(([what, text]) => button(text, () => page.saver.save(what, text)));
    const inside = [said, this.answer.element, controls, this.blocks.element, h("div", { class: "lmdk-choices", hidden: !files.length }, ...saves)];
    this.fold = bare ? null : new Fold("fold", title, (open) => this.opened(open), ...inside);
    this.element = this.fold?.element ?? h("div", { class: "lmdk-bare", hidden: true }, h("h2", { hidden: !title }, title), ...inside);
    this.element.dataset.panel = name;
  }

  // Asks for what is in it; a fold below the picture comes to the top of the window, with its answer.
  opened(open) {
    this.page.ask(this.open, open);
    this.arrives = open && this.place === "compare"; // until there is something in it, the page may be too short
  }

  bring() {
    this.arrives = false;
    requestAnimationFrame(() => this.element.scrollIntoView({ block: "start" }));
  }

  // blocks: of the open panels, by name; none after a refusal
  show(choices, blocks) {
    this.fold?.show(choices[this.open]);
    for (const each of this.follows) this.page.fields.rows[each].unchosen(choices.radius_m);
    if (!blocks) return;
    const told = filled(this.page, blocks[this.name] ?? (this.fold ? [] : this.closed));
    if (!this.fold) this.element.hidden = !told.length;
    this.answer.show(told.filter(({ look }) => look === "answer"));
    this.blocks.show(told.filter(({ below, look }) => !below && look !== "answer"));
    this.showBelow(told.filter(({ below }) => below));
    if (this.arrives && told.length) this.bring();
    const headings = this.blocks.element.querySelectorAll(":scope > section > h2");
    for (const heading of headings) {
      heading.hidden = headings.length === 1; // the title of the fold says it
      heading.parentElement?.classList.toggle("lmdk-untitled", heading.hidden);
    }
  }

  // Whether there is anything to see of it.
  isOpen(choices) {
    return this.fold ? choices[this.open] : !this.element.hidden || filled(this.page, this.closed).length > 0;
  }

  // Those that stand below a control.
  showBelow(blocks) {
    for (const { below } of blocks) this.below[below] ??= this.listBelow(below);
    for (const [name, list] of Object.entries(this.below)) list.show(blocks.filter(({ below }) => below === name));
  }

  listBelow(name) {
    const list = new BlockList(this.page);
    list.element.classList.add("lmdk-belowfield");
    list.element.dataset.panel = this.name;
    this.page.fields.rows[name].row.append(list.element);
    return list;
  }
}
