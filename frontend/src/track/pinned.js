// Two options side by side: a button keeps the present settings, and a table says what has changed since.
import { TableBlock } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";

export class Pinned {
  // act: { pin(), swap(), unpin() }
  constructor(element, { pin, swap, unpin }) {
    this.fixed = false;
    this.names = { pin: "Pin these settings", instead: "Pin these instead" };
    this.pin = button("Pin these settings", pin, { title: "Keep them, change something, and see both side by side" });
    this.more = [button("Swap", swap, { title: "Work on the pinned option, and pin this one" }), button("Unpin", unpin)];
    this.text = h("p", { role: "status" });
    this.title = h("h2", {});
    this.table = new TableBlock();
    const buttons = h("div", { class: "lmdk-choices" }, this.pin, ...this.more);
    this.parts = [this.title, buttons, this.text, this.table.element];
    element.append(...this.parts);
  }

  // In a file without a kernel: the option that its author has pinned is shown or hidden, where that stays open.
  recorded(open) {
    this.names = { pin: open ? "Show the pinned option" : "", instead: "" };
    this.fixed = true;
    this.more.shift()?.remove();
    setText(this.more[0], "Hide the pinned option");
    if (!open) this.more.shift()?.remove();
  }

  // Where nothing is pinned, the empty one of the cards has the button that pins; a file without a kernel may have no cards.
  show(on, { text, table } = { text: "", table: null }) {
    setText(this.pin, on ? this.names.instead : this.names.pin);
    this.pin.hidden = !this.pin.textContent;
    for (const control of this.more) control.hidden = !on;
    for (const part of this.parts) part.hidden = !on && (!this.fixed || this.pin.hidden);
    this.table.element.hidden = !on;
    if (!on) return;
    setText(this.text, text);
    setText(this.title, table.title);
    this.table.show(table);
  }
}
