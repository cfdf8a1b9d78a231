// Every scheme side by side: computed only while the table is open and the page is at rest, and shown row by row. A click on a
// row opens its scheme.
import { button, h, setText } from "../page/dom.js";
import { Fold } from "./fold.js";
import { OpenTable } from "./open_table.js";

export class Comparison {
  // ask(open): whether the comparison is wanted; go(k): the k-th scheme is wanted; save(): the file
  constructor(element, { ask, go, save }) {
    this.table = new OpenTable(go);
    this.text = h("p", { class: "lmdk-summary", "aria-live": "polite" });
    this.read = h("p", { class: "lmdk-summary" });
    const file = h("div", { class: "lmdk-choices" }, button("Comparison as CSV", save));
    this.fold = new Fold("compare", "", ask, this.table.element, this.text, this.read, file);
    element.append(this.fold.element);
  }

  // The previous rows stay, dimmed, until there are as many new ones.
  show(wanted, compared, progress) {
    this.fold.show(wanted);
    if (!compared) return;
    const { table, text, read, schemes } = compared;
    const complete = table.rows.length === schemes;
    this.table.waits(wanted && !complete);
    setText(this.text, complete && text ? text : wanted ? progress : "");
    setText(this.read, complete ? read : "");
    if (table.rows.length < this.table.body.children.length && !complete && wanted) return;
    const told = JSON.stringify(table);
    if (told === this.told) return; // rows that stay as they are keep the focus and the place of a tip
    this.told = told;
    this.table.show(table);
  }
}
