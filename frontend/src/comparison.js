// Every scheme side by side, asked for only while the table is open and the page is at rest.
import { h, setText } from "./dom.js";

const HEADS = ["scheme", "largest loss", "supremum", "landmarks together", "mean error"];
const REST = 400; // milliseconds

export class Comparison {
  constructor(element, ask) {
    this.ask = ask;
    this.body = h("tbody");
    this.text = h("p", { class: "lmdk-summary" });
    const table = h(
      "table",
      { class: "lmdk-table" },
      h("thead", {}, h("tr", {}, ...HEADS.map((t) => h("th", { scope: "col" }, t)))),
      this.body,
    );
    this.details = h("details", { class: "lmdk-compare" }, h("summary", {}, "Compare all schemes on this track"));
    this.details.append(h("div", { class: "lmdk-tableframe", tabindex: "0", role: "region", "aria-label": "Comparison" }, table), this.text);
    this.details.addEventListener("toggle", () => this.painted());
    element.append(this.details);
  }

  painted() {
    clearTimeout(this.timer);
    if (this.details.open) this.timer = setTimeout(this.ask, REST);
  }

  show({ rows, chosen, text }) {
    this.body.replaceChildren(
      ...rows.map((row, k) =>
        h(
          "tr",
          { "aria-current": k === chosen ? "true" : undefined },
          ...row.map((cell, c) => (c ? h("td", {}, cell) : h("th", { scope: "row" }, cell))),
        ),
      ),
    );
    setText(this.text, text);
  }
}
