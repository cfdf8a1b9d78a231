"""Exact random decisions: the digits of a uniform number are compared with integer bounds of a probability.

A uniform number U in [0, 1) is drawn 64 binary digits at a time. Integers that bound a probability p decide whether U
is below p; if they do not decide, both get more digits. Rounding never decides.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Bounds = Callable[[int], tuple[int, int]]
"""Maps a number of binary digits b to integers with low <= 2^b p <= high."""

Entropy = Callable[[int], Words]
"""Returns the given number of independent, uniform 64-bit words."""

WORD = 64
SPARE = 32
"""How many more binary digits a probability has than the number it is compared with."""


def system_entropy(count: int) -> Words:
    """Random words from the operating system."""
    return np.frombuffer(os.urandom(8 * count), np.uint64)


class Uniform:
    """One uniform number in [0, 1): a first word of digits, and as many more as are needed."""

    def __init__(self, word: int, entropy: Entropy) -> None:
        self.digits, self.size, self.entropy = int(word), WORD, entropy

    def below(self, bounds: Bounds) -> bool:
        """Whether the number is below the probability with these bounds."""
        while True:
            low, high = bounds(self.size + SPARE)
            if (self.digits + 1) << SPARE <= low:
                return True
            if self.digits << SPARE >= high:
                return False
            self.digits = self.digits << WORD | int(self.entropy(1)[0])
            self.size += WORD


def limits(bounds: Bounds) -> tuple[int, int]:
    """Words below the first limit are below the probability, words from the second on are not; those between are
    undecided.

    Examples
    --------
    >>> limits(of_fraction(Fraction(1, 2))) == (2**63, 2**63)
    True
    """
    low, high = bounds(WORD + SPARE)
    most = 2**WORD - 1  # the largest value that fits: the last word never decides for certain
    return min(low >> SPARE, most), min(-(-high >> SPARE), most)


def of_fraction(share: Fraction) -> Bounds:
    """Bounds of a fraction."""
    top, below = share.numerator, share.denominator

    def bounds(bits: int) -> tuple[int, int]:
        return (top << bits) // below, -(-(top << bits) // below)

    return bounds


def of_exponential(bounded: Bounds) -> Bounds:
    """Bounds of e^-x, given bounds of x >= 0."""

    def bounds(bits: int) -> tuple[int, int]:
        low, high = bounded(bits)
        least, most = exponential(low, bits)
        return max(0, least - (high - low)), most  # e^-x falls by no more than x rises

    return bounds


def of_odds(bounded: Bounds) -> Bounds:
    """Bounds of t / (1 + t), given bounds of t, between 0 and 1."""

    def bounds(bits: int) -> tuple[int, int]:
        low, high = bounded(bits)
        one = 1 << bits
        return (low << bits) // (one + low), -(-(high << bits) // (one + high))

    return bounds


def exponential(x: int, bits: int) -> tuple[int, int]:
    """Integers just below and above 2^bits e^-(x / 2^bits), x at least 0.

    x is halved until it is below 1/64, the exponential series is summed with every term rounded both ways, and the sum
    is squared as many times: each squaring doubles the error, for which there are digits to spare.

    Examples
    --------
    >>> low, high = exponential(1 << 20, 20)
    >>> low <= 2**20 / math.e <= high, high - low
    (True, 1)
    """
    if x == 0:
        return 1 << bits, 1 << bits
    halvings = max(0, x.bit_length() - bits) + 6
    work = bits + 2 * halvings + 16
    y = x << (work - bits - halvings)
    low = high = least = most = 1 << work
    order = 0
    while most > 1:
        order += 1
        least, most = (least * y >> work) // order, (most * y >> work) // order + 1
        low, high = (low - most, high - least) if order % 2 else (low + least, high + most)
    low, high = low - most, high + most  # the remainder of an alternating series is less than its last term
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    return low >> (work - bits), -(-high >> (work - bits))


def root(square: int, bits: int) -> int:
    """2^bits sqrt(square), rounded down."""
    return math.isqrt(square << 2 * bits)


def chance(bounds: Bounds, entropy: Entropy = system_entropy) -> bool:
    """True with the probability that has these bounds."""
    return Uniform(int(entropy(1)[0]), entropy).below(bounds)


def below(most: int, entropy: Entropy = system_entropy) -> int:
    """A uniform integer from 0 to most - 1."""
    bits = (most - 1).bit_length()
    while True:
        word = 0
        for each in entropy(-(-bits // WORD)).tolist():
            word = word << WORD | each
        if (found := word & ((1 << bits) - 1)) < most:
            return found


def discrete_laplace(rate: Fraction, entropy: Entropy = system_entropy) -> int:
    """An integer k with probability exactly proportional to e^(-rate |k|); rate above 0.

    Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020, algorithm 2.
    """
    over, under = rate.numerator, rate.denominator
    of_one = of_exponential(of_fraction(Fraction(1)))
    while True:
        part, wholes = below(under, entropy), 0
        if not chance(of_exponential(of_fraction(Fraction(part, under))), entropy):
            continue
        while chance(of_one, entropy):
            wholes += 1
        size = (part + under * wholes) // over
        if below(2, entropy):
            return size
        if size:
            return -size
