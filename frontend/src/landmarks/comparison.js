// Every scheme side by side: computed only while the table is open and the page is at rest, and shown row by row.
import { h, setText, table, tableRow } from "../page/dom.js";

const HEADS = ["scheme", "largest loss", "supremum", "landmarks together", "mean error"];

export class Comparison {
  // ask(open): whether the comparison is wanted
  constructor(element, ask) {
    this.body = h("tbody");
    this.text = h("p", { class: "lmdk-summary", "aria-live": "polite" });
    this.details = h(
      "details",
      { class: "lmdk-compare" },
      h("summary", {}, "Compare all schemes on this track"),
      table("Comparison", HEADS, this.body),
      this.text,
    );
    this.details.addEventListener("toggle", () => this.details.open !== this.wanted && ask(this.details.open));
    element.append(this.details);
  }

  // The rows of before stay, dimmed, until there are as many new ones.
  show(wanted, { rows, chosen, text, schemes }) {
    this.wanted = wanted;
    this.details.open = wanted;
    const complete = rows.length === schemes;
    this.body.classList.toggle("lmdk-waits", wanted && !complete);
    const progress = wanted ? `Computing: ${rows.length} of ${schemes} schemes.` : "";
    setText(this.text, complete ? text : progress);
    if (rows.length < this.body.children.length && !complete && wanted) return;
    this.body.replaceChildren(...rows.map((row, k) => tableRow(row, { "aria-current": k === chosen ? "true" : undefined }, HEADS)));
  }
}
