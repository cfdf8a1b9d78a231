// A field for a number. Both decimal separators are understood (0.5 and 0,5), which a browser's own number field is not:
// where it expects a point it drops a comma, and 0,5 becomes 5. What is not a number goes to the kernel, which refuses it.
import { h } from "./dom.js";

const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/; // 1,000 is a thousand to some and one to others

// The number; null for an empty field; the text itself if it is not a number, or could be two.
export function readNumber(text) {
  const typed = text.trim();
  if (!typed) return null;
  return NUMBER.test(typed) && !THOUSANDS.test(typed) ? Number(typed.replace(",", ".")) : typed;
}

export function numberField({ whole = false, ...attributes }) {
  const type = { type: "text", role: "spinbutton", inputmode: whole ? "numeric" : "decimal", autocomplete: "off" };
  const field = h("input", { ...type, class: "lmdk-number", "aria-valuenow": attributes.value, ...attributes });
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const value = readNumber(field.value);
    if (!by || typeof value !== "number") return;
    event.preventDefault();
    const step = whole || !value ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1); // in the second digit
    showNumber(field, Number((value + by * step).toPrecision(6)));
    field.dispatchEvent(new Event("change"));
  });
  return field;
}

// A field that asks for the number that is entered; show(value): what came back, unless another is typed now.
export function askedNumber(attributes, ask) {
  const input = numberField(attributes);
  input.addEventListener("change", () => ask(readNumber(input.value)));
  return { input, show: (value) => document.activeElement !== input && showNumber(input, value) };
}

// A number as its field shows it.
export const inField = (value) => Number(value.toPrecision(6));

const SMALL = 1e-4; // below it the zeros of 0.000001 would not fit into the field

export function showNumber(field, value) {
  field.value = typeof value === "number" && value && Math.abs(value) < SMALL ? value.toExponential() : String(value);
  field.setAttribute("aria-valuenow", String(value));
}
