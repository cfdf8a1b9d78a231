"""The planar Laplace distribution on a lattice, sampled exactly: point z has probability proportional to e^(-rate |z|).

Each coordinate is proposed from a discrete Laplace distribution whose rate is a fraction just below rate / sqrt(2), so
the proposal is nowhere too small, and z is accepted with probability ``e^-(rate |z| - lower (|a| + |b|))``. The
accepted points have exactly the distribution above, over the whole lattice. Its normalising constant does not depend on
the true point.

The size of a coordinate is geometric. Its binary digits are independent: digit i is 1 with probability t / (1 + t)
with t = e^(-rate 2^i). Above some digit, the rest is again geometric, with a rate of at least 1, and is found in a
short table.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.secure.exact import (
    Bounds,
    Entropy,
    Uniform,
    Words,
    limits,
    of_exponential,
    of_fraction,
    of_odds,
    root,
)

Integers = NDArray[np.int64]

LOWER = Fraction(70, 99)
"""Just below 1 / sqrt(2): 2 70^2 is 9,800, and 99^2 is 9,801."""

AT_ONCE = 100_000
"""How many points are proposed at a time."""


def lattice_laplace(count: int, rate: Fraction, entropy: Entropy) -> Integers:
    """(count, 2) independent lattice points, each z with probability proportional to ``e^(-rate |z|)``.

    Parameters
    ----------
    count : how many. rate : above 0, per lattice step; at least 2^-40. entropy : source of uniform words.
    """
    found: list[Integers] = []
    missing, size = count, Geometric(rate * LOWER)
    while missing > 0:
        some = min(AT_ONCE, missing + missing // 3 + 16)  # about four in five are accepted
        points = np.stack([discrete_laplace(some, size, entropy) for _ in range(2)], axis=1)
        kept = points[accepted(points, rate, entropy)][:missing]
        found.append(kept)
        missing -= len(kept)
    return np.concatenate([*found, np.empty((0, 2), np.int64)])


def discrete_laplace(count: int, size: Geometric, entropy: Entropy) -> Integers:
    """Integers k with probability proportional to ``e^(-rate |k|)``: a size and a sign, rejecting -0."""
    found: list[Integers] = []
    missing = count
    while missing > 0:
        sizes = size.draw(missing, entropy)
        minus = entropy(missing) >> np.uint64(63) == 1
        kept = np.where(minus, -sizes, sizes)[~(minus & (sizes == 0))]
        found.append(kept)
        missing -= len(kept)
    return np.concatenate([*found, np.empty(0, np.int64)])


class Geometric:
    """Numbers k = 0, 1, ... with probability proportional to ``e^(-rate k)``."""

    def __init__(self, rate: Fraction) -> None:
        self.digits: list[Bounds] = []
        while rate < 1:
            self.digits.append(of_odds(of_exponential(of_fraction(rate))))
            rate *= 2
        self.rate = rate
        self.table = [limits(self.tail(1))]
        while self.table[-1][1] > 1:
            self.table.append(limits(self.tail(len(self.table) + 1)))
        lows, highs = (np.array(some[::-1], np.uint64) for some in zip(*self.table, strict=True))
        self.lows, self.highs = lows, highs

    def tail(self, k: int) -> Bounds:
        """The probability that the rest above the digits is k or more."""
        return of_exponential(of_fraction(k * self.rate))

    def draw(self, count: int, entropy: Entropy) -> Integers:
        """(count,) independent numbers."""
        found = self._rest(entropy(count), entropy)
        for bounds in reversed(self.digits):
            found = 2 * found + decide(entropy(count), *_alike(bounds, count), _always(bounds), entropy)
        return found

    def _rest(self, words: Words, entropy: Entropy) -> Integers:
        most = len(self.table)
        # the table decreases and its arrays increase: count the limits above each word
        found = most - np.searchsorted(self.lows, words, side="right")
        other = most - np.searchsorted(self.highs, words, side="right")
        for i in np.flatnonzero((found != other) | (words == 0)):
            number, k = Uniform(int(words[i]), entropy), 0
            while number.below(self.tail(k + 1)):
                k += 1
            found[i] = k
        return found.astype(np.int64)


def accepted(points: Integers, rate: Fraction, entropy: Entropy) -> NDArray[np.bool_]:
    """Whether each proposed point is accepted; points with coordinates of the same size have the same chance."""
    sizes, which = np.unique(np.abs(points), axis=0, return_inverse=True)
    chances = [acceptance(a, b, rate) for a, b in sizes.tolist()]
    low, high = np.array([limits(chance) for chance in chances], np.uint64).T
    of = which.ravel()
    return decide(entropy(len(points)), low[of], high[of], lambda i: chances[of[i]], entropy).astype(bool)


def acceptance(a: int, b: int, rate: Fraction) -> Bounds:
    """The probability that a proposal (a, b) is accepted: e^-x, ``x = rate (sqrt(a^2 + b^2) - 70 / 99 (|a| + |b|))``."""
    square, sides = (a * a + b * b) * LOWER.denominator**2, LOWER.numerator * (abs(a) + abs(b))
    top, below = rate.numerator, rate.denominator * LOWER.denominator

    def x(bits: int) -> tuple[int, int]:
        least = root(square, bits) - (sides << bits)
        return top * least // below, -(-top * (least + (square > 0)) // below)

    return of_exponential(x)


def decide(
    words: Words, low: Words, high: Words, bounds_of: Callable[[int], Bounds], entropy: Entropy
) -> NDArray[np.int64]:
    """1 where the number that begins with a word is below its probability, otherwise 0; the word almost always decides."""
    found = (words < low).astype(np.int64)
    for i in np.flatnonzero((words >= low) & (words < high) | (words == np.uint64(2**64 - 1))):
        found[i] = Uniform(int(words[i]), entropy).below(bounds_of(int(i)))
    return found


def _always(bounds: Bounds) -> Callable[[int], Bounds]:
    return lambda _: bounds


def _alike(bounds: Bounds, count: int) -> tuple[Words, Words]:
    low, high = limits(bounds)
    return np.full(count, low, np.uint64), np.full(count, high, np.uint64)
