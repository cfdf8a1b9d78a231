// Where the guarantee ends, in a place that keeps its height: the first words of all warnings, and their number; the whole
// list opens over what lies below. So nothing moves when warnings come and go.
import { bullets, closedFromOutside, h } from "./dom.js";

export class Warnings {
  constructor() {
    /** @type {string[]} */
    this.order = [];
    this.number = h("b", {});
    this.words = h("span", {});
    this.list = h("div", { class: "lmdk-warnings" });
    const summary = h("summary", {}, h("span", {}, this.number, this.words));
    this.element = h("details", { class: "lmdk-warned", hidden: true }, summary, this.list);
    this.remove = closedFromOutside([this.element]);
    this.list.addEventListener("click", () => window.getSelection().isCollapsed && (this.element.open = false));
  }

  // What has come stands first in the line.
  show(warnings) {
    const key = warnings.join("\n");
    if (key === this.key) return;
    this.key = key;
    this.order = [...warnings.filter((text) => !this.order.includes(text)), ...this.order.filter((text) => warnings.includes(text))];
    this.number.textContent = `⚠ ${warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}: `;
    this.words.textContent = this.order.join(" ⚠ ");
    this.list.replaceChildren(bullets(warnings));
    this.element.classList.toggle("lmdk-none", !warnings.length);
    this.element.hidden = false;
    if (!warnings.length) this.element.open = false;
  }
}
