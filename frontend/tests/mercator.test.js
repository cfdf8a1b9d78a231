// What lies across the date line is drawn beside the track, and not on the other side of the world.
import { expect, test } from "vitest";

import { moveBeside, project, unwrap, WORLD } from "../src/map/mercator.js";

test.each([
  [179.9, [179.5, 180.5]],
  [-179.9, [-180.5, -179.5]],
])("cells around 180 degrees lie beside a track at %d", (track, [west, east]) => {
  const [{ x: near }, cells] = [project([0], [track]), project([0, 0], [179.5, 180.5])];
  moveBeside(cells.x, near[0]);
  project([0, 0], [west, east]).x.forEach((x, k) => expect(cells.x[k]).toBeCloseTo(x, 9));
  moveBeside(cells.x, near[0]); // again: nothing moves
  expect(cells.x[1] - cells.x[0]).toBeCloseTo(WORLD / 360, 9);
});

test("both sides of a region lie on the side of the track", () => {
  expect([...unwrap([179, -179], [-179.9, -179.9])]).toEqual([-181, -179]);
  expect([...unwrap([179, -179], [179.9, 179.9])]).toEqual([179, 181]);
});
