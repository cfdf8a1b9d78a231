// Names on the map: none lies over another, however close the points are, and those of landmarks come first.
import { expect, test } from "vitest";

import { writeNames } from "../src/map/names.js";

function written(points, landmarks, places = { x: [], y: [], text: [] }, size = { x: 320, y: 240 }) {
  const boxes = [];
  const context = {
    measureText: (text) => ({ width: 7 * text.length }),
    fillText: (text, x, y) => boxes.push({ text, left: x, right: x + 7 * text.length, top: y - 11, bottom: y + 3 }),
    strokeText() {},
    fillRect() {},
    save() {},
    restore() {},
  };
  const view = { size, at: ({ x, y }, i) => [x[i], y[i]] };
  const truth = { x: points.map(([x]) => x), y: points.map(([, y]) => y) };
  const names = points.map((_, i) => `point ${i + 1}`);
  writeNames(context, view, { truth, names, places, landmarks, degrees: [[0, 225, 40]], colours: {}, size: 1 }, 5);
  return boxes;
}

function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("no name lies over another", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed);
    const spread = 10 + 20 * (seed % 8);
    const points = Array.from({ length: 12 }, () => [150 + spread * (next() - 0.5), 120 + spread * (next() - 0.5)]);
    const places = { x: [140, 160], y: [110, 130], text: ["a place", "another place"] };
    const boxes = written(points, [3, 7], places);
    boxes.forEach((a, k) => {
      for (const b of boxes.slice(0, k)) expect(meet(a, b), `${a.text} over ${b.text}, seed ${seed}`).toBe(false);
    });
    const said = boxes.map(({ text }) => text);
    expect(said).toContain("point 4");
    expect(said.slice(0, 2)).toEqual(["point 4", "point 8"].filter((text) => said.includes(text)));
  }
});

test("all names are there where there is room", () => {
  const points = [40, 120, 200].map((x) => [x, 100]);
  expect(written(points, []).map(({ text }) => text)).toEqual(["point 1", "point 2", "point 3"]);
});
