// The first rows of a table with a list above each column, in which its owner says what it contains. The choice is stored
// in this browser under a number made of the headings, without them or any data.
import { button, h, recalled, remember, tableFrame } from "./dom.js";

export { QuestionForm } from "./question_form.js";

import { numberField, readNumber, showNumber } from "./number_field.js";
import { RowsDrawn } from "./rows_drawn.js";

const NAME = "lmdk-columns";
const MOST_KEPT = 30;
const PLANE = ["x", "y"];

export class ColumnChooser {
  // preview: lines, headings, fixed, columns, question, meanings, drawn; load({ columns, headings, epsg }); close();
  // ask({ columns, headings }): how the rows look with other columns, which `drawing.show` gets
  constructor({ lines, headings, fixed, columns, question, meanings, drawn }, load, close, ask) {
    this.lines = lines;
    this.ask = ask;
    this.drawing = new RowsDrawn();
    this.headings = h("input", { type: "checkbox", checked: headings, disabled: fixed });
    this.headings.addEventListener("change", () => (this.draw(), this.askAgain()));
    this.epsg = numberField({ "aria-label": "EPSG number", whole: true });
    this.epsgRow = h("label", { class: "lmdk-epsg" }, "EPSG number of x and y ", this.epsg);
    this.selects = lines[0].map((_, k) => this.select(k, meanings));
    this.body = h("tbody");
    this.head = h("tr");
    const heads = h("thead", {}, h("tr", {}, ...this.selects.map((select) => h("th", {}, select))), this.head);
    const [yes, no] = [
      "If it is, load the file; otherwise say what each column contains.",
      "Or say what each column contains, and the file is read again that way.",
    ];
    this.said = h("p", { class: "lmdk-meaning", role: "status" }, question ? yes : no);
    this.element = h(
      "section",
      { class: "lmdk-columns", "aria-label": "What each column contains" },
      h("div", { class: "lmdk-askhere" }, h("label", { class: "lmdk-check" }, this.headings, " The first line names the columns"), " "),
      this.said,
      this.drawing.element,
      tableFrame("The first rows of the file", heads, this.body),
      this.epsgRow,
      h(
        "div",
        { class: "lmdk-choices" },
        button("Load with these columns", () => this.load(load)),
        button("Close", close),
      ),
    );
    this.show({ columns, headings, epsg: null });
    this.drawing.show(drawn);
    if (this.recall()) this.askAgain();
    this.draw();
  }

  askAgain() {
    const { columns, headings } = this.chosen();
    this.ask({ columns, headings });
  }

  focus() {
    this.selects[0].focus({ preventScroll: true });
  }

  select(k, meanings) {
    const options = [["", "not used"], ...meanings].map(([name, title]) => h("option", { value: name }, title));
    const select = h("select", { "aria-label": `Column ${k + 1} contains` }, ...options);
    select.addEventListener("change", () => {
      for (const other of this.selects) if (other !== select && other.value === select.value) other.value = "";
      this.epsgRow.hidden = !this.inPlane();
      this.askAgain();
    });
    return select;
  }

  inPlane() {
    return this.selects.some((select) => PLANE.includes(select.value));
  }

  show({ columns, headings, epsg }) {
    this.headings.checked = headings;
    showNumber(this.epsg, epsg ?? "");
    this.selects.forEach((select, k) => (select.value = Object.keys(columns).find((name) => columns[name] === k) ?? ""));
    this.epsgRow.hidden = !this.inPlane();
  }

  draw() {
    const named = this.headings.checked;
    const cells = (line, tag) => line.map((text) => h(tag, tag === "th" ? { scope: "col" } : {}, text));
    this.head.hidden = !named;
    this.head.replaceChildren(...(named ? cells(this.lines[0], "th") : []));
    this.body.replaceChildren(...this.lines.slice(named ? 1 : 0).map((line) => h("tr", {}, ...cells(line, "td"))));
  }

  chosen() {
    const used = this.selects.map((select, k) => [select.value, k]).filter(([name]) => name);
    const epsg = this.inPlane() ? readNumber(this.epsg.value) : null;
    return { columns: Object.fromEntries(used), headings: this.headings.checked, epsg: typeof epsg === "number" ? epsg : null };
  }

  load(load) {
    const chosen = this.chosen();
    const others = Object.entries(read()).slice(1 - MOST_KEPT);
    remember(NAME, JSON.stringify({ ...Object.fromEntries(others), [this.key()]: chosen })); // a browser that keeps nothing asks again
    load(chosen);
  }

  // The same headings, or as many columns without any: the previous choice. Returns whether there is one.
  recall() {
    for (const named of [true, false]) {
      const kept = read()[this.key(named)];
      if (!kept || (!named && this.headings.disabled)) continue;
      this.show(kept);
      this.said.textContent = "The columns are set as you chose last time for such a table.";
      return true;
    }
    return false;
  }

  key(named = this.headings.checked) {
    return named ? hashed(this.lines[0].join("\n")) : `${this.lines[0].length} columns`;
  }
}

// A number that identifies headings and cannot be turned back into them.
function hashed(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193) >>> 0;
  return `#${hash.toString(36)}`;
}

function read() {
  try {
    return JSON.parse(recalled(NAME) ?? "{}") ?? {};
  } catch {
    return {};
  }
}
