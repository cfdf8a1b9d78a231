import { expect, test } from "vitest";
import { readNumber } from "../src/page/number_field.js";

test.each([
  ["0.5", 0.5],
  ["0,5", 0.5],
  ["-3", -3],
  [" 12 ", 12],
  ["1e-3", 1e-3],
  ["", null],
])("%s is read as %s", (text, value) => expect(readNumber(text)).toBe(value));

// what is no number, or could be two, goes to the kernel as it was typed, which refuses it
test.each(["1,000", "1.000,5", "0,5 km", "many"])("%s is not guessed", (text) => expect(readNumber(text)).toBe(text));
