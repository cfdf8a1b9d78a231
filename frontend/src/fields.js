// Rows of controls: each asks for a change by its name and shows the values that came back. None computes anything.
import { h, setText } from "./dom.js";
import { numberField, readNumber, showNumber } from "./number_field.js";

let serial = 0;

export class Fields {
  // ask(name, value, commit): commit is false while a slider is on its way; awaits(name): a later value was asked already
  constructor(ask, awaits = () => false) {
    this.ask = ask;
    this.awaits = awaits;
    this.rows = {};
  }

  group(title, ...children) {
    return h("fieldset", {}, h("legend", {}, title), ...children);
  }

  row(name, label, control, ...rest) {
    control.id ||= `lmdk-control-${++serial}`;
    const row = h("div", { class: "lmdk-field" }, h("label", { for: control.id }, label), control, ...rest);
    this.rows[name] = { row, control };
    return row;
  }

  // choices: [{ name, title, meaning }]
  choice(name, label, choices) {
    const select = h("select", {}, ...choices.map((c) => h("option", { value: c.name }, c.title)));
    select.setAttribute("aria-label", label);
    select.addEventListener("change", () => this.ask(name, select.value, true));
    const meaning = h("p", { class: "lmdk-meaning" });
    const row = this.row(name, label, select, meaning);
    Object.assign(this.rows[name], { meaning, choices });
    return row;
  }

  // A slider on a log scale (or a plain one) with the number beside it, in its own unit; whole: of whole numbers.
  // ends: what it goes from and to, in words. To the right is always more accurate, stronger, or more of what the label
  // says; where the number falls on that way, it runs backwards.
  slider(name, label, { low, high, ends, backwards = false, log = false, step = 0.01, unit = "", whole = false, numberLabel = `${label} value` }) {
    const sign = backwards ? -1 : 1;
    const to = (v) => sign * (log ? Math.log10(v) : v);
    const from = (p) => (log ? 10 ** (sign * p) : sign * p);
    const [first, last] = backwards ? [high, low] : [low, high];
    const range = h("input", { type: "range", min: String(to(first)), max: String(to(last)), step: String(step) });
    range.setAttribute("aria-label", label);
    const number = numberField({ "aria-label": numberLabel, whole });
    const read = () => (whole ? Math.round(from(Number(range.value))) : Number(from(Number(range.value)).toPrecision(3)));
    range.addEventListener("input", () => {
      showNumber(number, read());
      range.setAttribute("aria-valuetext", `${read()} ${unit}`.trim());
      this.ask(name, read(), false);
    });
    range.addEventListener("change", () => this.ask(name, read(), true));
    this.whenEntered(number, name);
    const words = h("div", { class: "lmdk-ends", id: `lmdk-ends-${++serial}` }, h("span", {}, ends[0]), h("span", { class: "lmdk-offscreen" }, " to "), h("span", {}, ends[1]));
    range.setAttribute("aria-describedby", words.id);
    const row = this.row(name, label, range, words);
    range.before(h("span", { class: "lmdk-beside" }, number, unit));
    row.classList.add("lmdk-sliding");
    Object.assign(this.rows[name], {
      show: (value) => {
        if (document.activeElement !== number) showNumber(number, Number(value.toPrecision(6)));
        if (!range.matches(":active")) range.value = String(to(log ? Math.max(low, value) : value));
        range.setAttribute("aria-valuetext", `${Number(value.toPrecision(3))} ${unit}`.trim());
      },
    });
    return row;
  }

  number(name, label, { whole = true } = {}, ...rest) {
    const input = numberField({ "aria-label": label, whole });
    this.whenEntered(input, name);
    const row = this.row(name, label, input, ...rest);
    this.rows[name].show = (value) => {
      if (document.activeElement !== input) showNumber(input, value);
    };
    return row;
  }

  checkbox(name, label) {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => this.ask(name, box.checked, true));
    const row = h("label", { class: "lmdk-check" }, box, ` ${label}`);
    this.rows[name] = { row, show: (value) => (box.checked = value) };
    return row;
  }

  // A button that takes a file; act(file).
  upload(text, label, accept, act) {
    const file = h("input", { type: "file", class: "lmdk-file", "aria-label": label, accept });
    file.addEventListener("change", () => {
      if (file.files[0]) act(file.files[0]);
      file.value = "";
    });
    return h("label", { class: "lmdk-upload" }, text, file);
  }

  whenEntered(input, name) {
    input.addEventListener("change", () => this.ask(name, readNumber(input.value), true));
    input.addEventListener("blur", () => this.shown && this.show(...this.shown)); // what was refused goes
  }

  // Shows the values that came back; a subclass hides the rows that have nothing to choose.
  show(values, ...rest) {
    this.shown = [values, ...rest];
    for (const [name, { control, show, meaning, choices }] of Object.entries(this.rows)) {
      if (!(name in values) || this.awaits(name)) continue;
      if (show) show(values[name]);
      else if (choices) {
        control.value = values[name];
        setText(meaning, choices.find((c) => c.name === values[name])?.meaning ?? "");
      }
    }
  }
}
