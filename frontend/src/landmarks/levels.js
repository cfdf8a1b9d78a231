// Levels of privacy with a name: a button for each sets epsilon and the radius together, and a list says what they do.
import { button, details, h, setText } from "../page/dom.js";

const OWN = "These values are this page's own and no standard; another scheme or other landmarks change what they do.";

export class Levels {
  // take(name): a level is wanted
  constructor(take) {
    this.take = take;
    this.buttons = h("div", { class: "lmdk-choices", role: "group", "aria-label": "Levels of epsilon and radius" });
    this.list = h("ul", {});
    this.element = h("div", { class: "lmdk-levels" }, this.buttons, details("What the levels do", this.list, h("p", {}, OWN)));
  }

  show(levels) {
    if (this.list.children.length !== levels.length) {
      const title = (name) => name[0].toUpperCase() + name.slice(1);
      this.buttons.replaceChildren(...levels.map(({ name }) => button(title(name), () => this.take(name))));
      this.list.replaceChildren(...levels.map(() => h("li", {})));
    }
    for (const [k, { text, on }] of levels.entries()) {
      setText(this.list.children[k], text);
      this.buttons.children[k].ariaPressed = String(on);
      this.buttons.children[k].title = text;
    }
  }
}
