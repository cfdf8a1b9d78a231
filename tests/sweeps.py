"""How many cases a random sweep takes, and with what randomness: a part in `make test`, all of them in `make nightly`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import numpy as np

FULL = bool(os.environ.get("LMDK_FULL"))
"""Whether sweeps run at full size."""

OTHER = [int(number) for number in os.environ.get("LMDK_SEED", "").split()]
"""A number that gives all sweeps other cases, to see that no claim hangs on the usual ones: LMDK_SEED=2."""

PART = 16
"""What `make test` takes is one case of so many."""


def generators(seed: int, count: int) -> Iterator[np.random.Generator]:
    """A generator for each case of a sweep; a case has the same one whatever the others draw, and however many there are."""
    for k in range(size(count)):
        yield np.random.default_rng([seed, k, *OTHER])


def more(seed: int, most: int, lacking: Callable[[], object]) -> Iterator[np.random.Generator]:
    """At full size, generators of further cases for as long as something is lacking: what is rare comes in no fixed number.

    They are those of another sweep: `seed` is one that no other has.
    """
    for k in range(most if FULL else 0):
        if not lacking():
            return
        yield np.random.default_rng([seed, k, *OTHER])


def size(count: int) -> int:
    """How many cases there are of a sweep of so many."""
    return count if FULL else -(-count // PART)
