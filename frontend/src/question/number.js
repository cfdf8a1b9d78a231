// A number: a field with its unit. Fractions and percentages are read as well, and the field says how.
import { h, setText } from "../page/dom.js";
import { numberField, readNumber, showNumber } from "../page/number_field.js";

const FRACTION = /^([^/]+)\/([^/]+)$/; // 1/5
const PERCENT = /^([^%]+)%$/; // 73 %

// The number that was typed: 0.2, 0,2, 1/5 or, where the answer has no unit, 20 %; null of an empty field; the text itself
// where it is none, or could be two.
export function readAnswer(text, unit = "") {
  const typed = text.trim().replace("−", "-");
  const [, over, under] = (FRACTION.exec(typed) ?? []).map(readNumber);
  if (typeof over === "number" && typeof under === "number" && under !== 0) return over / under;
  const percent = unit ? null : readNumber(PERCENT.exec(typed)?.[1] ?? "");
  if (typeof percent === "number") return Number((percent / 100).toPrecision(15)); // 7 / 100, without a last digit of its own
  return readNumber(typed);
}

export class NumberAnswer {
  constructor(asked, { label, changed, check }) {
    this.unit = asked.unit;
    this.hint = asked.hint;
    this.field = numberField({ "aria-labelledby": label });
    this.read = h("span", { class: "lmdk-meaning", "aria-live": "polite" });
    this.field.addEventListener("input", () => {
      this.say();
      changed();
    });
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), check()));
    this.element = h("p", { class: "lmdk-beside" }, this.field, asked.unit, this.read);
    this.missing = "Type a number.";
    this.tries = 2; // the second wrong number shows the right one
  }

  // How a number that was not typed with a point was read.
  say() {
    const value = this.given();
    const other = typeof value === "number" && /[/%,−]/.test(this.field.value);
    setText(this.read, other ? `read as ${Number(value.toPrecision(6))}` : "");
  }

  given() {
    return readAnswer(this.field.value, this.unit);
  }

  fits(given) {
    return Number.isFinite(given);
  }

  set(given) {
    showNumber(this.field, given);
    this.say();
  }

  reveal() {}

  clear() {
    this.field.value = "";
    this.field.removeAttribute("aria-valuenow");
    this.say();
  }

  said(given) {
    return `${given} ${this.unit}`.trim();
  }
}
