import { expect, test } from "vitest";
import { Taken } from "../src/map/names.js";

const BLOCK = 4;

// Every block of the map, one after the other.
function counted(boxes, [left, top, right, bottom], [columns, rows]) {
  const inside = ([l, t, r, b], column, row) =>
    column >= Math.floor(l / BLOCK) && column < Math.ceil(r / BLOCK) && row >= Math.floor(t / BLOCK) && row < Math.ceil(b / BLOCK);
  let taken = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (inside([left, top, right, bottom], column, row) && boxes.some((box) => inside(box, column, row))) taken += 1;
    }
  }
  return taken;
}

test("counts the blocks that boxes take, also those that lie partly off the map", () => {
  const taken = new Taken({ x: 203, y: 90 });
  const boxes = [
    [-10, 3, 21, 17],
    [50.5, 60, 70, 300],
    [190, -8, 400, 5],
    [60, 62, 64, 66],
  ];
  for (const box of boxes) taken.add(...box);
  /** @type {[number, number, number, number][]} */
  const asked = [
    [0, 0, 203, 90],
    [-50, -50, -5, 20],
    [12, 10, 66, 64],
    [199, 0, 300, 90],
    [30, 30, 40, 40],
  ];
  for (const box of asked) {
    const count = counted(boxes, box, [51, 23]);
    expect(taken.count(...box)).toBe(count);
    expect(taken.free(...box)).toBe(count === 0);
  }
});
