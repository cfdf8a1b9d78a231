import { expect, test } from "vitest";
import { amountOf, axisOf, logTicks, placed, rangeOf, stepOf, ticksOf } from "../src/page/axis.js";
import { apart, figureSvg } from "../src/page/figure.js";
import { nearestPoint, saidOf, written } from "../src/page/hover.js";
import { spread } from "../src/page/legend.js";
import { symbolPath, textAt } from "../src/page/symbols.js";

const LOOK = { colour: (name) => `#${name}`, size: 1, family: "serif" };
const axis = (described, values, from, to, up = false) => placed(axisOf(described, values), [from, to], 100, 200, up);

test.each([
  [10, 5, 2],
  [1, 5, 0.2],
  [7.6, 4, 2],
  [0.03, 3, 0.01],
  [100000, 5, 20000],
])("a span of %d in at most about %d pieces has steps of %d", (span, most, step) => expect(stepOf(span, most)).toBeCloseTo(step, 12));

test("ticks of a log axis are few, round and at least two", () => {
  expect(logTicks(0, 3, 4)).toEqual([1, 10, 100, 1000]);
  expect(logTicks(0, 2, 6)).toEqual([1, 3, 10, 30, 100]);
  expect(logTicks(Math.log10(0.15), Math.log10(5.5), 2)).toEqual([0.3, 3]); // the ends of what would be too many
  expect(logTicks(Math.log10(2.1), Math.log10(2.9), 4).length).toBeGreaterThan(1);
  for (let low = -6; low < 6; low += 0.37)
    for (let wide = 0.2; wide < 9; wide += 0.7) {
      const found = logTicks(low, low + wide, 6);
      expect(found.length).toBeGreaterThan(1);
      expect(found.length).toBeLessThan(8);
      for (const v of found) expect(Math.log10(v) >= low - 1e-6 && Math.log10(v) <= low + wide + 1e-6).toBe(true);
    }
});

test("a value lies at its pixel and a pixel has its value", () => {
  const plain = axis({}, [], 0, 10);
  expect([plain.at(0), plain.at(5), plain.at(10)]).toEqual([100, 200, 300]);
  const up = axis({}, [], 0, 10, true);
  expect([up.at(0), up.at(10), up.at(null)]).toEqual([300, 100, NaN]);
  const log = axis({ type: "log" }, [], 0, 2);
  expect([log.at(1), log.at(10), log.at(100), log.at(-1), log.at(0)]).toEqual([100, 200, 300, NaN, NaN]);
  for (const one of [plain, up, log]) for (const pixel of [100, 137, 300]) expect(one.pixel(one.back(pixel))).toBeCloseTo(pixel, 9);
  const words = axis({}, ["a", "b", "a"], -0.5, 1.5);
  expect([words.at("a"), words.at("b")]).toEqual([150, 250]);
  expect(axisOf({}, ["2026-03-01", "2026-03-02"]).number("2026-03-02") - axisOf({}, ["2026-03-01"]).number("2026-03-01")).toBe(864e5);
});

test("a range shows everything with a little room, and begins at zero where that is asked", () => {
  const told = (described, extent, more) => rangeOf({ ...axisOf(described, []), length: 100 }, extent, more);
  expect(told({ range: [0, 3] }, [5, 9])).toEqual([0, 3]);
  expect(told({ rangemode: "tozero" }, [2, 10])).toEqual([0, 10.55]);
  expect(told({}, [0, 10], { tight: true })).toEqual([0, 10]);
  const [from, to] = told({}, [3, 3]);
  expect(from < 3 && to > 3).toBe(true);
  expect(told({}, [Infinity, -Infinity])).toEqual([0, 1]);
  expect(ticksOf(axis({ tickvals: [1, 5, 99], ticktext: ["one", "five", "no"] }, [], 0, 10), 9).map(({ text }) => text)).toEqual(["one", "five"]);
});

test.each([
  [0, "0"],
  [1234, "1234"],
  [12345, "12,345"],
  [-12345.5, "−12,345.5"],
  [2e7, "2·10⁷"],
  [1e-6, "10⁻⁶"],
])("%d is written %s", (v, text) => expect(amountOf(v)).toBe(text));

test("values by the formats of templates", () => {
  expect([written(2.34567, ".3g"), written(2.34567, ".2f"), written(2, ""), written("Ann", ".2f"), written(0.25, ".1%")]).toEqual([
    "2.35",
    "2.35",
    "2",
    "Ann",
    "25.0 %",
  ]);
});

const FIGURE = {
  data: [
    { type: "bar", name: "bars", x: ["a", "b"], y: [1, 3], hovertemplate: "%{x}: %{y:.1f}<extra></extra>" },
    { type: "bar", name: "more", x: ["a", "b"], y: [2, null], marker: { color: "#111", pattern: { shape: "/" } } },
  ],
  layout: { height: 300, yaxis: { title: { text: "<script>" } } },
};

test("bars lie side by side, a pointer finds them, and texts cannot end the picture", () => {
  const drawn = figureSvg(FIGURE, LOOK, 400);
  expect(drawn.text).not.toContain("<script>");
  const [first, second, third] = drawn.points;
  expect(drawn.points.length).toBe(3);
  expect(first.box[0] + first.box[2]).toBeLessThanOrEqual(third.box[0] + 0.01);
  expect(second.box[3]).toBeCloseTo(3 * first.box[3], 6);
  const at = ({ box: [left, top, w, t] }) => nearestPoint(drawn.points, left + w / 2, top + t / 2, drawn.traces);
  expect(drawn.points.map((point) => at(point) === point)).toEqual([true, true, true]);
  expect(nearestPoint(drawn.points, 2, 2, drawn.traces)).toBe(null);
  expect(saidOf(drawn.traces[0], second, {})).toEqual(["b: 3.0"]);
});

test("a line of very many points has a few for each pixel, with its extremes", () => {
  const y = Array.from({ length: 100000 }, (_, k) => (k === 54321 ? 50 : Math.sin(k)));
  const { text, axes } = figureSvg({ data: [{ y, mode: "lines" }], layout: {} }, LOOK, 500);
  const corners = text.match(/class="lmdk-line" d="([^"]*)"/)?.[1].split("L") ?? [];
  expect(corners.length).toBeLessThan(4 * 500);
  expect(Math.min(...corners.map((corner) => Number(corner.split(",")[1])))).toBeCloseTo(axes.yaxis.at(50), 1);
});

test("a gap stays a gap, and bars that would melt are an outline", () => {
  const path = (figure) => figureSvg(figure, LOOK, 500).text.match(/class="lmdk-line" d="([^"]*)"/)?.[1] ?? "";
  expect(path({ data: [{ y: [1, 2, null, 3, 4] }] }).split("M").length).toBe(3);
  const bars = (n) => figureSvg({ data: [{ type: "bar", y: new Array(n).fill(1) }] }, LOOK, 500).text.match(/<rect data-point/g)?.length ?? 0;
  expect([bars(50), bars(1000)]).toEqual([50, 0]);
});

test("names lie beside lines that end apart, and above lines that end together", () => {
  const lines = (...ends) => ({ data: ends.map((end, k) => ({ name: `line ${k}`, x: [0, 1], y: [0, end], mode: "lines" })) });
  expect(figureSvg(lines(1, 2), LOOK, 800).text).toContain("lmdk-beside");
  expect(figureSvg(lines(1, 1), LOOK, 800).text).not.toContain("lmdk-beside");
  expect(figureSvg(lines(1, 2), LOOK, 400).text).not.toContain("lmdk-beside");
});

test("heights are spread, each near to where it was", () => {
  expect(spread([10, 11, 50], 10, 0, 100)).toEqual([10, 20, 50]);
  expect(spread([95, 96, 99], 10, 0, 100)).toEqual([80, 90, 100]);
});

test("symbols and texts hold finite numbers alone", () => {
  for (const name of ["circle", "square", "diamond", "x", "cross", "star", "triangle-up", "diamond-open", 3])
    expect(symbolPath(name, 5, 5, 9)).not.toMatch(/NaN|undefined/);
  expect(textAt("a<br>b & c", 1, 2, { size: 10, colour: "#000" })).toContain("b &amp; c");
});

test("given ticks are thinned evenly where they would stand over one another", () => {
  expect(apart([0, 10, 20, 30, 40], (v) => v, 10)).toEqual([0, 10, 20, 30, 40]);
  expect(apart([0, 10, 20, 30, 40], (v) => -v, 15)).toEqual([0, 20, 40]);
  expect(apart([0, 1], (v) => v, 15)).toEqual([0]);
});

// The boxes of the names under a chart, as they are turned.
function boxesOf({ text }) {
  return [...text.matchAll(/<text data-text="x" text-anchor="(\w+)" font-size="([\d.]+)"[^>]*>(.*?)<\/text>/g)].map(([whole, anchor, size, spans]) => {
    const [, degrees] = whole.match(/rotate\((-?[\d.]+)/) ?? [0, 0];
    const [, x, y, said] = spans.match(/x="([\d.-]+)" y="([\d.-]+)">(.*?)</) ?? [];
    const long = 0.56 * Number(size) * said.length;
    const turn = (Number(degrees) * Math.PI) / 180;
    const start = anchor === "end" ? long : long / 2;
    const left = Number(x) - start * Math.cos(turn);
    return { said, left, right: left + long * Math.cos(turn), bottom: Number(y) - (anchor === "end" ? long * Math.sin(turn) : 0) };
  });
}

test.each([
  ["the longest name first", ["watching television in the kitchen with others", "b", "c"]],
  ["the longest name second", ["a", "watching television in the kitchen with others", "c"]],
  ["two long names", ["travelling to work or to school by bus", "watching television in the kitchen"]],
  ["one long name", ["travelling to work or to school by bus"]],
  ["many", Array.from({ length: 12 }, (_, k) => `level ${k} of the power of a household`)],
])("long names under a chart are not cut: %s", (_, names) => {
  for (const width of [260, 330, 500, 900]) {
    const drawn = figureSvg({ data: [{ type: "bar", x: names, y: names.map((_, k) => k + 1) }], layout: { height: 300 } }, LOOK, width);
    const boxes = boxesOf(drawn);
    expect(boxes.map(({ said }) => said)).toEqual(names);
    for (const { left, right, bottom } of boxes) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width + 0.5);
      expect(bottom).toBeLessThanOrEqual(drawn.height);
    }
  }
});
