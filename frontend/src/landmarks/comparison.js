// Every scheme side by side: computed only while the table is open and the page is at rest, and shown row by row. A click on a
// row opens its scheme.
import { button, h, setText, table } from "../page/dom.js";
import { Fold } from "./fold.js";
import { fillRows, openable } from "./rows.js";

const HEADS = ["scheme", "largest loss", "supremum", "landmarks together", "mean error, one draw"];

export class Comparison {
  // ask(open): whether the comparison is wanted; go(k): the k-th scheme is wanted; save(): the file
  constructor(element, { ask, go, save }) {
    this.body = h("tbody");
    openable(this.body, go);
    this.text = h("p", { class: "lmdk-summary", "aria-live": "polite" });
    const file = h("div", { class: "lmdk-choices" }, button("Comparison as CSV", save));
    this.fold = new Fold("compare", "Compare all schemes on this track", ask, table("Comparison", HEADS, this.body), this.text, file);
    element.append(this.fold.element);
  }

  // The rows of before stay, dimmed, until there are as many new ones.
  show(wanted, { rows, chosen, text, schemes }, progress) {
    this.fold.show(wanted);
    const complete = rows.length === schemes;
    this.body.classList.toggle("lmdk-waits", wanted && !complete);
    setText(this.text, complete && text ? text : wanted ? progress : "");
    if (rows.length < this.body.children.length && !complete && wanted) return;
    const told = JSON.stringify([rows, chosen]);
    if (told === this.told) return; // rows that stay as they are keep the focus and the place of a tip
    this.told = told;
    fillRows(this.body, rows, HEADS, (k) => ({ "aria-current": k === chosen ? "true" : undefined }));
  }
}
