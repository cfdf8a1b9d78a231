// All questions about a file in one form: each is filled in with what is likely, so that one click reads the file.
import { button, h, setText, tableFrame } from "./dom.js";

const LONG = 30; // characters; a list on a phone cuts off a longer answer, which then stands below it

export class QuestionForm {
  // form: questions ({ kind, label, said, answers: [[text, options]] }), table ({ heads, rows, marks }) or null; load(options); close()
  constructor({ questions, table }, load, close) {
    this.fields = questions.map((question) => (question.kind === "timezone" ? zoneField(question) : answerField(question)));
    this.yes = button("Yes, read it so", () => load(Object.assign({}, ...this.fields.map(({ options }) => options()))));
    this.element = h(
      "section",
      { class: "lmdk-columns", "aria-label": "Questions about the file" },
      table && marked(table),
      ...this.fields.map(({ element }) => element),
      h("div", { class: "lmdk-choices lmdk-askhere" }, this.yes, button("Close", close)),
    );
  }

  focus() {
    this.yes.focus({ preventScroll: true });
  }
}

function answerField({ label, said, answers }) {
  const select = h("select", {}, ...answers.map(([text], k) => h("option", { value: String(k) }, text)));
  const whole = answers.some(([text]) => text.length > LONG) && h("span", { class: "lmdk-meaning lmdk-wholeanswer", "aria-hidden": "true" }, answers[0][0]);
  if (whole) select.addEventListener("change", () => setText(whole, answers[Number(select.value)][0]));
  const element = h("label", { class: "lmdk-answer" }, h("span", {}, label), select, whole, said && h("span", { class: "lmdk-meaning" }, said));
  return { element, options: () => answers[Number(select.value)][1] };
}

function zoneField({ label }) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const id = `lmdk-zones-${Math.random().toString(36).slice(2)}`;
  const input = h("input", { list: id, value: own });
  const values = ["UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])];
  const list = h("datalist", { id }, ...values.map((value) => h("option", { value })));
  return { element: h("label", { class: "lmdk-answer" }, h("span", {}, label), input, list), options: () => ({ timezone: input.value }) };
}

// The first rows, with what their columns contain above them; only columns that are read have a colour.
function marked({ heads, rows, marks }) {
  const used = (k) => (marks[k] ? { class: "lmdk-used" } : {});
  const named = h("tr", {}, ...heads.map((_, k) => h("td", used(k), marks[k] ?? "")));
  const head = h("thead", {}, named, h("tr", {}, ...heads.map((text, k) => h("th", { scope: "col", ...used(k) }, text))));
  return tableFrame("The first rows of the file", head, h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((text, k) => h("td", used(k), text))))));
}
