// A fold whose content is computed only while it is open: opening it asks for that, and the kernel says whether it is open.
import { h, setText } from "../page/dom.js";

export class Fold {
  // ask(open): whether its content is wanted
  constructor(name, title, ask, ...inside) {
    this.element = h("details", { class: `lmdk-${name}` }, h("summary", {}, title), ...inside);
    this.element.addEventListener("toggle", () => this.element.open !== this.wanted && ask(this.element.open));
  }

  show(wanted) {
    this.wanted = wanted;
    this.element.open = wanted;
  }
}

// The texts above a table, a paragraph each.
export function fillTexts(element, texts) {
  if (texts.length !== element.children.length) element.replaceChildren(...texts.map(() => h("p", {})));
  for (const [k, text] of texts.entries()) setText(element.children[k], text);
}
