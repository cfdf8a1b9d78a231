// The coin of randomised response: what it sends follows from its random bits alone, and the shares are those that are said.
import { afterEach, expect, test, vi } from "vitest";
import { toss, uniform } from "../src/class/coin.js";

afterEach(() => vi.restoreAllMocks());

const bits = (...pairs) => {
  const left = pairs.flat();
  return vi.spyOn(crypto, "getRandomValues").mockImplementation((/** @type {any} */ array) => {
    for (let k = 0; k < array.length; k++) array[k] = left.shift();
    return array;
  });
};

test("a uniform number has 53 random bits, from 0 to below 1", () => {
  bits([0, 0], [2 ** 32 - 1, 2 ** 32 - 1], [2 ** 31, 0], [0, 2 ** 11]);
  expect(uniform()).toBe(0);
  expect(uniform()).toBe(1 - 2 ** -53);
  expect(uniform()).toBe(0.5);
  expect(uniform()).toBe(2 ** -53);
});

test("below the chance of honesty the truth is sent, from it on an answer that does not depend on the truth", () => {
  for (const truth of [0, 1]) {
    bits([2 ** 31 - 1, 0]);
    expect(toss(truth, 2, 0.5)).toEqual({ sent: truth, honest: true });
    bits([2 ** 31, 0], [2 ** 32 - 1, 0]);
    expect(toss(truth, 2, 0.5)).toEqual({ sent: 1, honest: false });
    bits([2 ** 31, 0], [0, 0]);
    expect(toss(truth, 2, 0.5)).toEqual({ sent: 0, honest: false });
  }
});

test("in many tosses each answer has its share", () => {
  const n = 60_000;
  const counts = [0, 0, 0, 0];
  for (let k = 0; k < n; k++) counts[toss(2, 4, 0.4).sent] += 1;
  const shares = counts.map((count) => count / n);
  for (const [k, share] of shares.entries()) expect(share).toBeCloseTo(k === 2 ? 0.55 : 0.15, 1.8);
});
