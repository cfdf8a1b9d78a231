// What the browser sets of a page's widget once its choices have changed.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Traits } from "../src/page/traits.js";

const model = (traits) => ({
  saved: [],
  get: (name) => traits[name],
  set(name, value) {
    traits[name] = value;
  },
  save_changes() {
    this.saved.push({ ...traits });
  },
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("the last of some quick changes is set, epsilon as its field shows it", () => {
  const choices = { epsilon: 1.0000000000000002, scheme: "skip", landmarks: [0, 3], "table.open": true };
  const explorer = model({ choices: {}, epsilon: 2, scheme: "event", landmarks: [] });
  const traits = new Traits(explorer, "a");
  traits.follow({ epsilon: 2 });
  vi.runAllTimers();
  expect(explorer.saved).toEqual([]); // as the page began
  for (const epsilon of [3, 4]) traits.follow({ ...choices, epsilon });
  traits.follow(choices);
  vi.runAllTimers();
  traits.follow({ ...choices }); // news about the same choices
  vi.runAllTimers();
  expect(explorer.saved).toEqual([{ choices, epsilon: 1, scheme: "skip", landmarks: [0, 3], _shown: "a 1" }]);
  traits.follow({ ...choices, scheme: "event" });
  traits.remove();
  vi.runAllTimers();
  expect(explorer.saved.length).toBe(1);
});

test("a widget has only some of the traits, and a page without one has none", () => {
  const [place, none] = [model({ choices: {} }), model({})];
  for (const one of [place, none]) {
    const traits = new Traits(one, "a");
    traits.follow({ level: 1 });
    traits.follow({ level: 2 });
    vi.runAllTimers();
  }
  expect(place.saved).toEqual([{ choices: { level: 2 }, _shown: "a 1" }]);
  expect(none.saved).toEqual([]);
});
