import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pump } from "../src/page/pump.js";

let sent;
let pump;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  pump = new Pump((message) => sent.push(message));
});
afterEach(() => vi.useRealTimers());

const set = (value, name = "epsilon") => ({ op: "set", name, value });

test("one update is in flight, and of what waits the last value of a choice wins", () => {
  for (const value of [1, 2, 3]) pump.request(set(value), false);
  expect(sent.map((message) => message.operations)).toEqual([[set(1)]]);
  pump.done(1);
  expect(sent.at(-1)).toMatchObject({ id: 2, operations: [set(3)], commit: false });
});

test("of what waits the last budget of a timestamp wins, and other timestamps keep theirs", () => {
  const budget = (index, value) => ({ op: "budget", index, value });
  for (const operation of [budget(0, 1), budget(1, 2), budget(1, 3), budget(2, 4)]) pump.request(operation, false);
  pump.done(1);
  expect(sent.at(-1).operations).toEqual([budget(1, 3), budget(2, 4)]);
});

test("it is told while an update is in flight, one after the other", () => {
  const told = [];
  pump = new Pump(
    () => {},
    (on) => told.push(on),
  );
  for (const value of [1, 2]) pump.request(set(value), false);
  pump.done(1);
  expect(told).toEqual([true, true]);
  pump.done(2);
  expect(told).toEqual([true, true, false]);
});

test("operations on different choices keep their order", () => {
  pump.request(set(1));
  for (const operation of [set(2), set(5, "window"), set(3)]) pump.request(operation);
  pump.done(1);
  expect(sent.at(-1).operations).toEqual([set(2), set(5, "window"), set(3)]);
});

test("an answer to an earlier value does not count as the present one", () => {
  pump.request(set(1), false);
  pump.request(set(2), false);
  pump.answered(1);
  expect(pump.awaits("epsilon")).toBe(true);
  pump.done(1);
  pump.answered(2);
  expect(pump.awaits("epsilon")).toBe(false);
});

test("a lost answer is asked after, and holds up the rest for seconds only", () => {
  pump.request(set(1));
  pump.request(set(2));
  vi.advanceTimersByTime(30_000);
  expect(sent.some((message) => message.type === "late")).toBe(true);
  expect(sent.at(-1).type === "late" || sent.at(-1).operations[0].value === 2).toBe(true);
});

test("what a session did not answer waits with all that is asked meanwhile, until the next one knows the page", () => {
  pump.request(set(1), false);
  pump.hold();
  pump.request(set(2), false);
  expect(sent).toHaveLength(1);
  expect(pump.awaits("epsilon")).toBe(true);
  pump.release();
  expect(sent.at(-1)).toMatchObject({ id: 2, operations: [set(2)], commit: true });
  pump.release();
  expect(sent).toHaveLength(2);
});

test("it is told once that nobody answers, and goes on when someone does", () => {
  let silent = 0;
  pump = new Pump(
    (message) => sent.push(message),
    () => {},
    () => silent++,
  );
  pump.request(set(1));
  vi.advanceTimersByTime(7_000);
  expect(silent).toBe(0);
  vi.advanceTimersByTime(30_000);
  expect(silent).toBe(1);
  pump.request(set(2));
  expect(sent.at(-1)).toMatchObject({ operations: [set(2)] });
});
