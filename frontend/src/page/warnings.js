// Where the guarantee ends: a chip next to the title with the number of notes, which opens to all of them over what lies
// below. So nothing moves when warnings come and go. New ones come first.
import { bullets, closedFromOutside, h, setText } from "./dom.js";

export class Warnings {
  // simulation: whether the first note of the page always says that this is a simulation
  constructor(simulation = false) {
    this.simulation = simulation;
    /** @type {string[]} */
    this.order = [];
    this.words = h("span", {});
    this.list = h("div", { class: "lmdk-warnings" });
    const summary = h("summary", {}, h("span", { "aria-hidden": "true" }, "⚠ "), this.words);
    this.element = h("details", { class: "lmdk-warned lmdk-none" }, summary, this.list);
    this.remove = closedFromOutside([this.element]);
    this.list.addEventListener("click", () => window.getSelection().isCollapsed && (this.element.open = false));
  }

  show(warnings) {
    const key = warnings.join("\n");
    if (key === this.key) return;
    this.key = key;
    this.order = [...warnings.filter((text) => !this.order.includes(text)), ...this.order.filter((text) => warnings.includes(text))];
    const notes = (count) => (this.simulation ? `+${count}` : `${count} note${count === 1 ? "" : "s"}`);
    const more = warnings.length - Number(this.simulation);
    setText(this.words, [...(this.simulation ? ["Simulation"] : []), ...(more > 0 ? [notes(more)] : [])].join(" "));
    this.list.replaceChildren(bullets(this.order));
    this.element.classList.toggle("lmdk-none", !warnings.length);
    if (!warnings.length) this.element.open = false;
  }
}
