// Every scheme side by side: computed only while the table is open and the page is at rest, and shown row by row.
import { h, setText } from "../page/dom.js";

const HEADS = ["scheme", "largest loss", "supremum", "landmarks together", "mean error"];

export class Comparison {
  // ask(open): whether the comparison is wanted
  constructor(element, ask) {
    this.body = h("tbody");
    this.text = h("p", { class: "lmdk-summary", "aria-live": "polite" });
    const head = h("thead", {}, h("tr", {}, ...HEADS.map((t) => h("th", { scope: "col" }, t))));
    const frame = h(
      "div",
      { class: "lmdk-tableframe", tabindex: "0", role: "region", "aria-label": "Comparison" },
      h("table", { class: "lmdk-table" }, head, this.body),
    );
    this.details = h("details", { class: "lmdk-compare" }, h("summary", {}, "Compare all schemes on this track"), frame, this.text);
    this.details.addEventListener("toggle", () => this.details.open !== this.wanted && ask(this.details.open));
    element.append(this.details);
  }

  // The rows of before stay, dimmed, until there are as many new ones.
  show(wanted, { rows, chosen, text, schemes }) {
    this.wanted = wanted;
    this.details.open = wanted;
    const complete = rows.length === schemes;
    this.body.classList.toggle("lmdk-waits", wanted && !complete);
    if (rows.length < this.body.children.length && !complete && wanted) {
      setText(this.text, `Computing: ${rows.length} of ${schemes} schemes.`);
      return;
    }
    this.body.replaceChildren(
      ...rows.map((row, k) => {
        const cells = row.map((cell, c) => (c ? h("td", {}, cell) : h("th", { scope: "row" }, cell)));
        return h("tr", { "aria-current": k === chosen ? "true" : undefined }, ...cells);
      }),
    );
    setText(this.text, complete ? text : wanted ? `Computing: ${rows.length} of ${schemes} schemes.` : "");
  }
}
