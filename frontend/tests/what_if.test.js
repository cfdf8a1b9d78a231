import { describe, expect, it } from "vitest";
import { scaleOf } from "../src/page/scale.js";
import { Steps } from "../src/what_if/steps.js";

describe("a slider", () => {
  const log = { low: 0.01, high: 10, log: true, backwards: false, step: null };

  it("is continuous on a page with a kernel, forwards and backwards", () => {
    const { to, from, first, last, step } = scaleOf(log, false);
    expect([first, last, step]).toEqual([-2, 1, 0.01]);
    expect([to(0.001), from(-1)]).toEqual([-2, 0.1]);
    const back = scaleOf({ ...log, backwards: true }, false);
    expect([back.first, back.last, back.from(1)]).toEqual([-1, 2, 0.1]);
    expect(scaleOf({ low: 1, high: 60, log: false, backwards: false, step: null }, true).step).toBe(1);
  });

  it("has stops in a file, and the nearest one for a value between two", () => {
    const stops = [0.01, 0.1, 1, 10];
    const { to, from, first, last, step } = scaleOf({ ...log, stops }, false);
    expect([first, last, step]).toEqual([0, 3, 1]);
    expect([to(0.04), to(0.02), from(2)]).toEqual([1, 0, 1]);
    const back = scaleOf({ ...log, backwards: true, stops }, false);
    expect([back.first, back.last, back.from(-3), back.to(10)]).toEqual([-3, 0, 10, -3]);
  });
});

describe("steps", () => {
  it("go back and forth, and a drag is one of them", () => {
    const steps = new Steps([0]);
    steps.show([1], false);
    steps.show([2], true);
    steps.show([2], true);
    expect([steps.canUndo, steps.canRedo]).toEqual([true, false]);
    expect(steps.undo()).toEqual([0]);
    expect([steps.canUndo, steps.canRedo]).toEqual([false, true]);
    expect(steps.undo()).toEqual([0]);
    expect(steps.redo()).toEqual([2]);
    steps.undo();
    steps.show([3], true);
    expect(steps.canRedo).toBe(false);
  });

  it("are copied without what comes after, and are at most 200", () => {
    const steps = new Steps([0]);
    const copy = steps.copy();
    for (let k = 1; k <= 300; k++) steps.show([k], true);
    expect(copy.canUndo).toBe(false);
    let count = 0;
    for (; steps.canUndo; count++) steps.undo();
    expect(count).toBe(200);
  });
});
