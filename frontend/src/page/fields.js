// The controls, drawn from the declarations of the choices that Python sends: each asks for a change by the choice's name
// and shows the value that came back. None computes anything.
import { h, setText } from "./dom.js";
import { inField, numberField, readNumber, showNumber } from "./number_field.js";
import { scaleOf } from "./scale.js";
import { fileGoes, UPLOAD_GOES } from "./server.js";

let serial = 0;

export class Fields {
  // declared: the fields by name, as `Kind.describe` writes them; ask(name, value, commit): commit is false while a slider
  // is moving; awaits(name): whether a later value has been requested already
  constructor(declared, ask, awaits = (_name) => false) {
    this.declared = declared;
    this.ask = ask;
    this.awaits = awaits;
    /** @type {Record<string, any>} */
    this.rows = {};
  }

  // The groups as fieldsets; more: elements that follow a field, by its name.
  groups(groups, more = {}) {
    return groups.map(({ title, names }) => h("fieldset", {}, h("legend", {}, title), ...names.flatMap((name) => this.field(name, ...(more[name] ?? [])))));
  }

  // The control of one choice, in a row with its label; rest: what else belongs in the row.
  field(name, ...rest) {
    const declared = this.declared[name];
    const number = declared.slider ? this.slider : this.number;
    const draw = { choice: this.choice, several: this.several, flag: this.flag, box: this.box, typed: this.typed, number }[declared.kind];
    const row = draw.call(this, name, declared, rest);
    if (declared.fixed) fix(row);
    return row;
  }

  row(name, label, control, ...rest) {
    control.id ||= `lmdk-control-${++serial}`;
    const row = h("div", { class: "lmdk-field" }, h("label", { for: control.id }, label), control, ...rest);
    this.rows[name] = { row, control };
    return row;
  }

  choice(name, { label, choices }, rest) {
    const select = h("select", { "aria-label": label }, ...choices.map((c) => h("option", { value: c.name }, c.title)));
    select.addEventListener("change", () => this.ask(name, select.value, true));
    const meaning = h("p", { class: "lmdk-meaning" });
    const row = this.row(name, label, select, meaning, ...rest);
    const show = (value) => {
      select.value = value;
      setText(meaning, choices.find((c) => c.name === value)?.meaning ?? "");
    };
    Object.assign(this.rows[name], { meaning, show });
    return row;
  }

  // A slider on a log scale (or a plain one) with the number beside it, in its own unit, and words at both ends. To the
  // right is always more accurate, stronger, or more of what the label says; where the number falls on that way, it runs
  // backwards.
  slider(name, { label, unit, whole, origin, slider }, rest) {
    const { ends } = slider;
    const { to, from, first, last, step } = scaleOf(slider, whole);
    const range = h("input", { type: "range", min: String(first), max: String(last), step: String(step), "aria-label": label });
    const number = numberField({ "aria-label": `${label} value`, whole });
    const read = () => (whole ? Math.round(from(Number(range.value))) : Number(from(Number(range.value)).toPrecision(3)));
    const said = h("span", { class: "lmdk-unit" }, unit);
    const spoken = (value) => range.setAttribute("aria-valuetext", `${value + origin} ${said.textContent}`.trim());
    range.addEventListener("input", () => {
      showNumber(number, read() + origin);
      spoken(read());
      this.ask(name, read(), false);
    });
    range.addEventListener("change", () => this.ask(name, read(), true));
    this.whenEntered(number, name, origin);
    const row = this.row(name, label, range, endsOf(range, ...ends), ...rest);
    range.before(h("span", { class: "lmdk-beside" }, number, said));
    row.classList.add("lmdk-sliding");
    Object.assign(this.rows[name], {
      unit: said,
      show: (value) => {
        this.fill(number, inField(value) + origin);
        if (!range.matches(":active")) range.value = String(to(value));
        spoken(Number(value.toPrecision(3)));
      },
      reach: (most) => (range.max = String(to(most))),
    });
    return row;
  }

  number(name, { label, unit, whole, origin, empty }, rest) {
    const input = numberField({ "aria-label": label, whole, placeholder: empty || null });
    this.whenEntered(input, name, origin);
    const said = h("span", { class: "lmdk-beside", hidden: !unit }, unit);
    const row = this.row(name, label, input, said, ...rest);
    this.rows[name].unit = said;
    let [chosen, preset] = [/** @type {any} */ (null), /** @type {any} */ (null)];
    const fill = () => this.fill(input, chosen === null ? "" : typeof chosen === "number" ? chosen + origin : (preset ?? chosen));
    // a word stands for a number that follows from other choices
    Object.assign(this.rows[name], { show: (value) => ((chosen = value), fill()), unchosen: (value) => ((preset = value), fill()) });
    return row;
  }

  // South, west, north and east of a box: all four are asked for together. empty: what is shown while none is chosen.
  box(name, { label }, rest) {
    const sides = ["South", "West", "North", "East"].map((side) => ({
      side,
      input: numberField({ "aria-label": `${side} of the ${label.toLowerCase()}, degrees` }),
    }));
    const read = () => sides.map(({ input }) => readNumber(input.value));
    for (const { input } of sides) input.addEventListener("change", () => this.ask(name, read(), true));
    const limits = h("div", { class: "lmdk-limits", role: "group", "aria-label": label }, ...sides.map(({ side, input }) => h("label", {}, side, input)));
    const row = this.row(name, label, limits, ...rest);
    let chosen = [];
    let empty = [];
    const fill = () => (chosen.length ? chosen : empty).forEach((limit, k) => this.fill(sides[k].input, limit));
    Object.assign(this.rows[name], {
      show: (value) => ((chosen = value), fill()),
      unchosen: (value) => ((empty = value), fill()),
    });
    return row;
  }

  // A box being typed in keeps what was typed; one whose value was entered shows the value in use.
  fill(input, value) {
    if (document.activeElement !== input || this.typing !== input) showNumber(input, value);
  }

  // A list or a range of numbers, as text; help: how it is written.
  typed(name, { label, help }, rest) {
    const input = h("input", { type: "text", autocomplete: "off", class: "lmdk-typed" });
    this.whenTyped(input, () => this.ask(name, input.value, true));
    const row = this.row(name, label, input, h("span", { class: "lmdk-meaning" }, help), ...rest);
    this.rows[name].show = (values) => {
      if (document.activeElement !== input || this.typing !== input) input.value = values.join(" ");
    };
    return row;
  }

  // One or more of several names, a box for each.
  several(name, { label, choices }) {
    const boxes = choices.map(({ name: value }) => h("input", { type: "checkbox", value, onchange: () => send() }));
    const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
    const send = () => this.ask(name, chosen(), true);
    const labels = choices.map(({ title }, k) => h("label", {}, boxes[k], ` ${title}`));
    const row = h("div", { class: "lmdk-schemes", role: "group", "aria-label": label }, h("strong", {}, label), ...labels);
    const show = (names) => {
      for (const box of boxes) box.checked = names.includes(box.value);
    };
    this.rows[name] = { row, control: boxes[0], show };
    return row;
  }

  flag(name, { label }) {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => this.ask(name, box.checked, true));
    const row = h("label", { class: "lmdk-check" }, box, ` ${label}`);
    this.rows[name] = { row, control: box, show: (value) => (box.checked = value) };
    return row;
  }

  whenEntered(input, name, origin) {
    this.whenTyped(input, () => {
      const value = readNumber(input.value);
      this.ask(name, typeof value === "number" ? value - origin : value, true);
    });
  }

  // send(): what was typed is entered
  whenTyped(input, send) {
    input.addEventListener("input", () => (this.typing = input));
    input.addEventListener("change", () => {
      this.typing = null;
      send();
    });
    input.addEventListener("blur", () => {
      this.typing = null;
      if (this.shown) this.show(...this.shown); // drops what was refused
    });
  }

  // The units of numbers that are in the unit of the data, by the names of their choices.
  units(units) {
    for (const [name, unit] of Object.entries(units)) {
      const said = this.rows[name]?.unit;
      if (!said) continue;
      setText(said, unit);
      said.hidden = !unit;
    }
  }

  // Which of several names can be chosen: the others are shown but disabled.
  only(name, able) {
    for (const option of this.rows[name].control.options) option.disabled = !able(option.value);
  }

  // Shows the values that came back, and hides the choices that have no effect now.
  show(values, visible = Object.keys(this.rows)) {
    this.shown = [values, visible];
    const seen = new Set(visible);
    for (const [name, { row, show }] of Object.entries(this.rows)) {
      row.hidden = !seen.has(name);
      if (name in values && !this.awaits(name)) show(values[name]);
    }
  }
}

// In a file without a kernel a control whose answers were not recorded shows its value.
function fix(row) {
  row.classList.add("lmdk-fixed");
  for (const control of row.querySelectorAll("input, select, button")) Object.assign(control, { disabled: true, title: "Fixed in this file" });
}

// The words at both ends of a slider, which describe it.
export function endsOf(range, low, high) {
  const id = `lmdk-ends-${++serial}`;
  range.setAttribute("aria-describedby", id);
  return h("div", { class: "lmdk-ends", id }, h("span", {}, low), h("span", { class: "lmdk-offscreen" }, " to "), h("span", {}, high));
}

// A button that uploads a user's data, and where they go if that may be another computer; act(file). shown: the same in a word
export function dataUpload(text, accept, act, shown = text) {
  const title = `${text}, or drop the file anywhere on the page`;
  return [uploadButton(text, accept, act, shown, title), ...(UPLOAD_GOES ? [h("span", { class: "lmdk-goes", title: fileGoes() }, UPLOAD_GOES)] : [])];
}

// A button that takes a file; act(file).
export function uploadButton(text, accept, act, shown = text, title = "") {
  const file = h("input", { type: "file", class: "lmdk-file", "aria-label": text, accept });
  file.addEventListener("change", () => {
    if (file.files[0]) act(file.files[0]);
    file.value = "";
  });
  return h("label", { class: "lmdk-upload", title }, shown, file);
}
