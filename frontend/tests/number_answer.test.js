import { expect, test } from "vitest";
import { readAnswer } from "../src/question/number.js";

test.each([
  ["0.2", 0.2],
  ["0,2", 0.2],
  ["1/5", 0.2],
  [" 3 / 4 ", 0.75],
  ["1,5/2", 0.75],
  ["-1/4", -0.25],
  ["−0.5", -0.5],
  ["73 %", 0.73],
  ["7%", 0.07],
  ["56,25 %", 0.5625],
  ["", null],
])("%s is read as %s", (text, value) => expect(readAnswer(text)).toBe(value));

// what is no number, or could be two, goes to the kernel as it was typed, which refuses it
test.each(["1/0", "1/2/3", "1 1/2", "1,000/3", "1,000", "%", "/2", "2/", "half", "e^2", "1/5 %"])("%s is not guessed", (text) =>
  expect(readAnswer(text)).toBe(text),
);

test("a percentage of a number with a unit means nothing", () => {
  expect(readAnswer("50 %", "of 6")).toBe("50 %");
  expect(readAnswer("12/2", "of 6")).toBe(6);
});
