import { expect, test } from "vitest";
import { beyond, drawDots } from "../src/track/series_line.js";

const SCALE = { x: (i) => 10 + i, released: (v) => 100 - v, range: [0, 99], left: 10, right: 110, top: 20, bottom: 100 };

function drawn(values, scale = SCALE) {
  const boxes = [];
  const context = { globalAlpha: 1, fillStyle: "", fillRect: (x, y, w, h) => boxes.push({ x, y, w, h, alpha: context.globalAlpha }) };
  drawDots(context, values, scale, "red");
  return boxes;
}

test("how many released values lie beyond the chart", () => {
  const values = Array.from({ length: 100 }, (_, i) => [500, -500, 40, 60][i % 4]);
  expect(beyond(values, SCALE)).toEqual({ above: 25, below: 25, of: 100 });
  expect(beyond(values, { ...SCALE, range: [0.5, 7.5] })).toEqual({ above: 1, below: 2, of: 7 });
  expect(beyond([NaN, 40], { ...SCALE, range: [0, 1] })).toEqual({ above: 0, below: 0, of: 2 });
});

test("values that swing far beyond the chart leave its middle free", () => {
  const boxes = drawn(Array.from({ length: 100 }, (_, i) => (i % 2 ? 9000 : -9000)));
  const ink = boxes.filter(({ y, h }) => y + h > 30 && y < 90);
  expect(boxes.length).toBeGreaterThan(50);
  expect(ink).toEqual([]);
});

test("a dot for each value on the chart, once for each spot", () => {
  const boxes = drawn(new Array(1000).fill(40), { ...SCALE, x: (i) => 10 + i / 10, range: [0, 999] });
  expect(boxes.length).toBe(51);
  for (const { y, h } of boxes) expect(Math.abs(y + h / 2 - 60)).toBeLessThan(2);
});
