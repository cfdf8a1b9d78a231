// An action beside "Found": what it costs to leave out the places that are found too near, computed once it is opened, and a
// button that does so.
import { button, h, setText } from "../page/dom.js";
import { Fold } from "./fold.js";

export class LeaveOut {
  // ask(open): whether the costs are wanted; use(): the places are left out
  constructor({ ask, use }) {
    this.text = h("p", { class: "lmdk-meaning", role: "status" });
    this.button = button("", use);
    this.fold = new Fold("leaving", "", ask, this.text, this.button);
    this.element = this.fold.element;
    this.element.hidden = true;
  }

  // open: whether the costs are wanted; title: what can be left out, "" for nothing; use: what the button says, "" for none
  show(open, { title, text, use }) {
    this.fold.show(open);
    this.fold.entitle(`${title} …`);
    this.element.hidden = !title;
    setText(this.text, text);
    setText(this.button, use);
    this.button.hidden = !use;
  }
}
