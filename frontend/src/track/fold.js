// A fold whose content is computed only while it is open: opening it asks for that, and the kernel says whether it is open.
import { BlockList } from "../page/blocks.js";
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

// A panel without a view of its own: its controls, its blocks and its files, in the order in which Python names them.
export class PanelFold {
  constructor(page, { name, title, tab, fields, files }) {
    this.tab = tab;
    this.open = `${name}.open`;
    this.name = name;
    this.blocks = new BlockList(page);
    const controls = h("div", { class: "lmdk-pair" }, ...fields.map((each) => page.fields.field(each)));
    const saves = files.map(([what, text]) => button(text, () => page.saver.save(what, text)));
    const inside = [controls, this.blocks.element, h("div", { class: "lmdk-choices" }, ...saves)];
    this.fold = new Fold(`fold lmdk-${name.replaceAll("_", "")}`, title, (open) => page.ask(this.open, open), ...inside);
    this.element = this.fold.element;
    this.element.dataset.panel = name;
  }

  // blocks: of the open panels, by name; none after a refusal
  show(choices, blocks) {
    this.fold.show(choices[this.open]);
    if (!blocks) return;
    this.blocks.show(blocks[this.name] ?? []);
    const headings = this.blocks.element.querySelectorAll(":scope > section > h2");
    for (const heading of headings) heading.hidden = headings.length === 1; // the title of the fold says it
  }
}

// The texts above a table, a paragraph each.
export function fillTexts(element, texts) {
  if (texts.length !== element.children.length) element.replaceChildren(...texts.map(() => h("p", {})));
  for (const [k, text] of texts.entries()) setText(element.children[k], text);
}
