// What the browser sets of a page's widget after a change on the page.
import { expect, test } from "vitest";
import { setTraits } from "../src/page/traits.js";

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

test("a page sets the traits that its widget has, epsilon as its field shows it", () => {
  const choices = { epsilon: 1.0000000000000002, scheme: "skip", landmarks: [0, 3], "table.open": true };
  const explorer = model({ choices: {}, epsilon: 2, scheme: "event", landmarks: [] });
  setTraits(explorer, choices, "a 1");
  expect(explorer.saved).toEqual([{ choices, epsilon: 1, scheme: "skip", landmarks: [0, 3], _shown: "a 1" }]);
  const place = model({ choices: {} });
  setTraits(place, { level: 2 }, "a 1");
  expect(place.saved).toEqual([{ choices: { level: 2 }, _shown: "a 1" }]);
});

test("a page without a widget sets nothing", () => {
  const none = model({});
  setTraits(none, { epsilon: 1 }, "a 1");
  expect(none.saved).toEqual([]);
});
