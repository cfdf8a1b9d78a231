import { expect, test } from "vitest";
import { endsOfSpan, pointsWithin, reaching, spanned, within, zoomed } from "../src/page/span.js";
import { thinned } from "../src/track/panel_picture.js";

test("a drag along the axis shows the timestamps from one end to the other, whichever comes first", () => {
  expect(spanned(2.4, 6.6, 10)).toEqual([2, 7]);
  expect(spanned(6.6, 2.4, 10)).toEqual([2, 7]);
  expect(spanned(-3, 4.2, 10)).toEqual([0, 4]);
  expect(spanned(3.1, 3.4, 10)).toBe(null); // a single timestamp is none
  expect(spanned(-1, 12, 10)).toBe(null); // everything
  expect([endsOfSpan(null, 10), endsOfSpan([2, 4], 10)]).toEqual([
    [0, 9],
    [2, 4],
  ]);
});

test("zooming keeps what one looks at in view, and ends at everything", () => {
  for (let n = 2; n < 60; n += 3)
    for (let at = -1; at < n; at++) {
      let span = null;
      for (let k = 0; k < 8; k++) {
        const before = endsOfSpan(span, n);
        span = zoomed(span, at, 0.5, n);
        const [first, last] = endsOfSpan(span, n);
        expect(first >= 0 && last <= n - 1 && last - first >= Math.min(3, n - 1)).toBe(true);
        expect(last - first).toBeLessThanOrEqual(before[1] - before[0]);
        if (at >= 0) expect(at >= first && at <= last).toBe(true);
      }
      for (let k = 0; k < 8; k++) span = zoomed(span, at, 2, n);
      expect(span).toBe(null);
    }
});

test("a key beyond the part that is shown moves it, and keeps its length", () => {
  expect(reaching([2, 6], 4, 20)).toEqual([2, 6]);
  expect(reaching([2, 6], 7, 20)).toEqual([5, 9]);
  expect(reaching([2, 6], 0, 20)).toEqual([0, 4]);
  expect(reaching([2, 6], 19, 20)).toEqual([15, 19]);
  expect(reaching(null, 19, 20)).toBe(null);
});

test("the part of an array and of points", () => {
  const values = Float64Array.from([0, 1, 2, 3]);
  expect(Array.from(within(values, [1, 2]))).toEqual([1, 2]);
  expect(within(values, null)).toBe(values);
  const points = { x: values, y: values };
  expect(pointsWithin(points, null)).toBe(points);
  expect(Array.from(pointsWithin(points, [2, 3]).y)).toEqual([2, 3]);
  expect(pointsWithin(null, [0, 1])).toBe(null);
});

test("a long line is saved with its peaks, in order of time", () => {
  const x = Array.from({ length: 5000 }, (_, i) => i);
  const y = x.map((i) => (i === 1234 ? 99 : i === 4321 ? -99 : i % 7 === 0 ? null : Math.sin(i)));
  const thin = thinned(x, y, 100);
  expect(thin.x.length).toBe(100);
  expect(thin.x.every((at, k) => !k || at >= thin.x[k - 1])).toBe(true);
  expect(thin.x.every((at, k) => thin.y[k] === y[at])).toBe(true);
  expect([Math.max(...thin.y), Math.min(...thin.y)]).toEqual([99, -99]);
});
