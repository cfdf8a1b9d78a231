// The names of a guess and of the circles on the map: none lies over another, whichever came first.
import { expect, test } from "vitest";

import { drawFound, placedFound } from "../src/map/found.js";
import { Taken } from "../src/map/names.js";
import { drawGuess } from "../src/map/practice.js";

const SIZE = { x: 640, y: 480 };
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// What is written, and the box of the star, for a circle at a point and a guess beside it.
function drawn([x, y], [dx, dy], { busy, practised = true }) {
  const boxes = [];
  const nothing = () => {};
  const context = /** @type {any} */ ({
    measureText: (text) => ({ width: 7 * text.length }),
    fillText: (text, left, top) => boxes.push({ text, left, right: left + 7 * text.length, top: top - 11, bottom: top + 3 }),
    ...Object.fromEntries(
      ["strokeText", "fillRect", "save", "restore", "beginPath", "lineTo", "closePath", "arc", "fill", "stroke", "setLineDash"].map((name) => [name, nothing]),
    ),
  });
  const view = { size: SIZE, at: (points, i) => [points.x[i], points.y[i]] };
  const taken = new Taken(SIZE);
  if (busy) taken.add(0, 0, SIZE.x, SIZE.y); // points everywhere: names lie over them
  const found = {
    x: [x, x + 60],
    y: [y, y + 5],
    marks: [
      { radius_m: 20, near: true, name: "home", latitude: 48, distance: "20 m" },
      { radius_m: 90, near: false, name: "work", latitude: 48, distance: "90 m" },
    ],
  };
  const practice = practised ? { guess: { x: [x + dx], y: [y + dy] } } : null;
  const seen = /** @type {any} */ ({ found, taken, practice, colours: {}, size: 1 });
  const placed = placedFound(context, view, seen, () => 15);
  drawFound(context, placed, seen);
  if (practice) drawGuess(context, view, seen, placed);
  const star = { text: "the star", left: x + dx - 9, right: x + dx + 9, top: y + dy - 9, bottom: y + dy + 9 };
  return { boxes, star };
}

test.each([false, true])("the names of a guess and of circles lie apart, points everywhere: %s", (busy) => {
  for (const x of [100, 320, 560]) {
    for (let k = 0; k < 40; k++) {
      const { boxes, star } = drawn([x, 240], [(k % 8) * 9 - 32, Math.floor(k / 8) * 12 - 24], { busy });
      const said = boxes.map(({ text }) => text);
      expect(said).toContain("home (release), 20 m");
      boxes.forEach((a, j) => {
        for (const b of [...boxes.slice(0, j), star])
          expect(meet(a, b) && !(b === star && a.text.startsWith("guess")), `${a.text} over ${b.text}, ${x}, ${k}`).toBe(false);
      });
    }
  }
});

test("without a practice the circles need not say whose they are", () => {
  expect(drawn([320, 240], [0, 0], { busy: false, practised: false }).boxes.map(({ text }) => text)).toContain("home, 20 m");
});
