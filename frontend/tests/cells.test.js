// Numbers of cells: each as large as fits, and none is left out without a sign.
import { expect, test } from "vitest";

import { drawNumbers } from "../src/map/cells.js";

// Cells of a width in pixels side by side, with letters of half their size.
function written(values, wide) {
  const boxes = [];
  const context = {
    font: "",
    measureText: (text) => ({ width: (text.length * Number.parseFloat(context.font)) / 2 }),
    fillText: (text) => boxes.push({ text, letters: Number.parseFloat(context.font) }),
    strokeText() {},
  };
  const at = (_, k) => [wide * (Math.floor(k / 4) + (k % 4 === 1 || k % 4 === 2 ? 1 : 0)), k % 4 > 1 ? 60 : 0];
  const cells = { names: values.map((_, i) => `A${i + 1}`) };
  const palette = Array.from({ length: 8 }, () => ({ fill: "#fff", text: "#000" }));
  drawNumbers(context, { at }, { cells, values, shown: {}, palette, edges: [], streets: false, size: 1 });
  return { numbers: boxes.filter((_, k) => k % 2 === 0), names: boxes.filter((_, k) => k % 2 === 1).map(({ text }) => text) };
}

test.each([
  [60, 12.5, ["1 %", "9.5 %", "23 %"]],
  [36, 12.5, ["1 %", "9.5 %", "23 %"]],
])("in cells of %d pixels numbers have %d", (wide, letters, texts) => {
  const { numbers, names } = written([0.01, 0.095, 0.23], wide);
  expect(numbers).toEqual(texts.map((text) => ({ text, letters })));
  expect(names).toEqual(["A1", "A2", "A3"]);
});

test("a number that is too wide for its cell becomes smaller, and the others stay", () => {
  const { numbers } = written([0.01, 1.2e-4, 0.095], 40);
  expect(numbers.map(({ text }) => text)).toEqual(["1 %", "0.012 %", "9.5 %"]);
  expect(numbers[1].letters).toBeLessThan(numbers[0].letters);
  expect([numbers[0].letters, numbers[2].letters]).toEqual([12.5, 12.5]);
});

test("a number too wide in every size has a sign in its place", () => {
  const { numbers } = written([0.01, 1.23e-7], 36);
  expect(numbers.map(({ text }) => text)).toEqual(["1 %", "…"]);
});

test("in cells too small for any number there is none", () => {
  expect(written([0.01, 0.095], 30)).toEqual({ numbers: [], names: [] });
});
