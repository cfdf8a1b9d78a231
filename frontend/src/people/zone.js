// The time zone of an own table: by whose clock its nights and hours are counted.
import { button, h, setText } from "../page/dom.js";

let serial = 0;

export class Zone {
  // act(timezone): it is chosen
  constructor(act) {
    const id = `lmdk-zones-${++serial}`;
    this.input = h("input", {
      type: "text",
      list: id,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": "Time zone of the table",
      placeholder: "Europe/Paris",
    });
    const names = h("datalist", { id }, ...(Intl.supportedValuesOf?.("timeZone") ?? []).map((value) => h("option", { value })));
    const choose = () => this.input.value.trim() && act(this.input.value.trim());
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && choose());
    this.said = h("span", { class: "lmdk-meaning" });
    const row = h("span", { class: "lmdk-peoplepath" }, this.input, names, button("Set zone", choose));
    this.element = h("div", { class: "lmdk-peoplezone", hidden: true }, this.said, row);
  }

  // zone: { zone, said, open }
  show({ zone, said, open }) {
    this.element.hidden = !open;
    setText(this.said, said);
    if (document.activeElement !== this.input) this.input.value = zone;
  }
}
