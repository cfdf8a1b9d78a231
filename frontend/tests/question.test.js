import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Axis } from "../src/question/axis.js";
import { forget, isSettled, keep, onAnswers, saved } from "../src/question/store.js";

test("an axis goes from its low end to its high end and back", () => {
  for (const axis of [new Axis(0, 4), new Axis(-2, 2), new Axis(10, 1e5, true)]) {
    expect([axis.share(axis.low), axis.share(axis.high)]).toEqual([0, 1]);
    expect([axis.value(-3), axis.value(0), axis.value(1), axis.value(9)]).toEqual([axis.low, axis.low, axis.high, axis.high]);
    for (const share of [0.1, 0.37, 0.9]) expect(axis.share(axis.value(share))).toBeCloseTo(share, 2);
  }
  expect(new Axis(3, 3).share(3)).toBe(0.5);
});

test("ticks are round and inside", () => {
  expect(new Axis(0, 1.4).ticks()).toEqual([0, 0.5, 1]);
  expect(new Axis(0, 4).ticks()).toEqual([0, 1, 2, 3, 4]);
  expect(new Axis(-3, 7).ticks()).toEqual([-2, 0, 2, 4, 6]);
  expect(new Axis(10, 1e5, true).ticks()).toEqual([10, 100, 1000, 10000, 100000]);
  expect(new Axis(0.1, 1, true).ticks()).toEqual([0.1, 0.2, 0.5, 1]);
});

const asked = { name: "lesson/a", stamp: "1" };
let kept;

beforeEach(() => {
  kept = new Map();
  const target = new EventTarget();
  const localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  vi.stubGlobal("window", Object.assign(target, { localStorage }));
  globalThis.lmdkAnswers.clear();
});
afterEach(() => vi.unstubAllGlobals());

test("an answer is kept, told of, and forgotten", () => {
  const told = vi.fn();
  const end = onAnswers(told);
  expect(saved(asked)).toBe(null);
  keep(asked, { given: [1, 2], right: true });
  expect(saved(asked)).toEqual({ stamp: "1", given: [1, 2], right: true });
  expect([...kept.keys()]).toEqual(["lmdk-answer:lesson/a"]);
  forget(["lesson/a", "lesson/b"]);
  expect(saved(asked)).toBe(null);
  expect(told.mock.calls).toEqual([[["lesson/a"]], [["lesson/a", "lesson/b"]]]);
  end();
  keep(asked, { given: 1 });
  expect(told).toHaveBeenCalledTimes(2);
});

test("what follows a question waits while the answer can be tried again", () => {
  const asked = { name: "lesson/one", stamp: "1" };
  forget([asked.name]);
  expect(isSettled(asked)).toBe(false);
  keep(asked, { given: 1, said: "1", right: false, words: "No.", tries: 1, again: true });
  expect(isSettled(asked)).toBe(false);
  keep(asked, { given: 1, said: "1", right: false, words: "No.", tries: 1, again: false }); // the answer was shown
  expect(isSettled(asked)).toBe(true);
  forget([asked.name]);
});

test("an answer to an older question, or someone else's text, does not count", () => {
  keep(asked, { given: 1 });
  expect(saved({ ...asked, stamp: "2" })).toBe(null);
  kept.set("lmdk-answer:lesson/a", "{ no JSON");
  expect(saved(asked)).toBe(null);
  kept.set("lmdk-answer:lesson/a", "7");
  expect(saved(asked)).toBe(null);
});

test("without a store answers last as long as the page", () => {
  window.localStorage.setItem = () => {
    throw new Error("full");
  };
  keep(asked, { given: 3 });
  expect(saved(asked)).toMatchObject({ given: 3 });
  vi.stubGlobal("window", new EventTarget()); // no store at all
  keep(asked, { given: 4 });
  expect(saved(asked)).toMatchObject({ given: 4 });
});
