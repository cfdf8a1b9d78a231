// Sentences for the user: refusals with the choices that mend them, and short confirmations.
import { h } from "./dom.js";

export class Notices {
  constructor(element) {
    this.panel = h("div", { class: "lmdk-error", role: "alert", hidden: true });
    this.toast = h("div", { class: "lmdk-toast", role: "status", "aria-live": "polite" });
    element.append(this.panel, this.toast);
  }

  // choices: [{ text, act }]; options: { label, values, act } for a choice from a list
  error(text, { rows = [], rowName = "line", more = 0, choices = [], pick = null } = {}) {
    const close = () => this.clear();
    const buttons = choices.map(({ text: said, act }) =>
      h("button", { type: "button", onclick: () => (close(), act()) }, said),
    );
    this.panel.replaceChildren(h("p", {}, text));
    if (rows.length) {
      const list = rows.map(([number, reason]) => h("li", {}, `${rowName} ${number}: ${reason}`));
      if (more) list.push(h("li", {}, `and ${more.toLocaleString("en")} more`));
      this.panel.append(h("ul", {}, ...list));
    }
    if (pick) buttons.unshift(...this.picker(pick, close));
    this.panel.append(h("div", { class: "lmdk-choices" }, ...buttons, h("button", { type: "button", onclick: close }, "Close")));
    this.panel.hidden = false;
    this.panel.scrollIntoView({ block: "nearest" });
  }

  picker({ label, values, preset, act }, close) {
    const id = `lmdk-pick-${Math.random().toString(36).slice(2)}`;
    const input = h("input", { "aria-label": label, list: id, value: preset, class: "lmdk-pick" });
    const list = h("datalist", { id }, ...values.map((value) => h("option", { value })));
    const go = h("button", { type: "button", onclick: () => (close(), act(input.value)) }, "Use it");
    return [h("label", {}, `${label} `, input), list, go];
  }

  clear() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
  }

  say(text) {
    this.toast.textContent = text;
    this.toast.classList.add("lmdk-shown");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.toast.classList.remove("lmdk-shown"), 4000);
  }
}
