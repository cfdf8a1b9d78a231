import { expect, test } from "vitest";
import { amount, clock, metres, percent, shortDay, unbroken } from "../src/page/format.js";

test("what is no number is said", () => {
  expect([amount(NaN), amount(Infinity), metres(undefined), percent(NaN)]).toEqual(["none", "no bound", "none", "none"]);
});

test("numbers keep what matters of them", () => {
  expect([0.8, 0.125, 0.0123, 12345, 3e-9].map(amount)).toEqual(["0.80", "0.125", "0.012", "12,345", "3e-9"]);
  expect([242.13, 1678.3, 0.0123, 1e-9].map(metres)).toEqual(["242 m", "1.7 km", "0.012 m", "below 1 mm"]);
});

test("times are said in UTC, whatever the clock of the computer", () => {
  const time = Date.UTC(2026, 2, 3, 6, 52);
  expect([clock(time), shortDay(time)]).toEqual(["06:52", "Tue 3 Mar"]);
});

test("no line ends between a number and its unit", () => {
  expect(unbroken("25 % within 300 m, or 1.2 km.")).toBe("25\u00a0% within 300\u00a0m, or 1.2\u00a0km.");
  expect(unbroken("at 4 moments, 2 miles, 3 W each")).toBe("at 4 moments, 2 miles, 3\u00a0W each");
});
