"""Lists as runs, so that they fit into a link or a line of Python.

Increasing indices become runs of neighbours. A number for each timestamp becomes runs of equal numbers, each with how many
timestamps in a row have it: 10,000 budgets of two kinds take one line in a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.geo import Floats

MOST_IN_LINK = 100_000
"""The most indices in a link; the longest bundled track has 10,000 timestamps."""

MAX_PART = 15
"""The most characters of one run in a link: two numbers below a million, and the dash."""

Runs = tuple[tuple[float, int], ...]
"""Runs of numbers: each number, and how many timestamps in a row have it."""


class RunsError(ValueError):
    """A text that is not a list of runs; its message says what such a list looks like."""


def runs(indices: Iterable[int]) -> list[tuple[int, int]]:
    """The first and the last index of each run of neighbours.

    Examples
    --------
    >>> runs([0, 1, 2, 7])
    [(0, 2), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for i in indices:
        if found and found[-1][1] == i - 1:
            found[-1] = (found[-1][0], i)
        else:
            found.append((i, i))
    return found


def to_text(indices: Sequence[int]) -> str:
    """Increasing indices in a link.

    Examples
    --------
    >>> to_text([0, 1, 2, 7])
    '0-2.7'
    """
    return ".".join(str(a) if a == b else f"{a}-{b}" for a, b in runs(indices))


def from_text(text: str, most: int) -> list[int]:
    """The indices of a text made by `to_text`. Raises `RunsError` for another text, and for more than `most` indices.

    The lengths of all runs are added up before a list is made: a text of 900 bytes could name 80 million indices.

    Examples
    --------
    >>> from_text("0-2.7", 10)
    [0, 1, 2, 7]
    """
    pairs = []
    for part in filter(None, text.split(".")):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not last)) or len(part) > MAX_PART:
            raise RunsError("numbers and ranges such as 0-2.7")
        pairs.append((int(first), int(last or first)))
    if sum(b - a + 1 for a, b in pairs if b >= a) > most:
        raise RunsError(f"at most {most:,} timestamps")
    return [i for a, b in pairs for i in range(a, b + 1)]


def runs_of(values: ArrayLike) -> Runs:
    """The runs of a series of numbers.

    Examples
    --------
    >>> runs_of([0.5, 0.5, 0.125, 0.5])
    ((0.5, 2), (0.125, 1), (0.5, 1))
    """
    array = np.asarray(values, float)
    first = np.flatnonzero(np.append(True, array[1:] != array[:-1])) if len(array) else np.zeros(0, int)
    lengths = np.diff(np.append(first, len(array)))
    return tuple(zip(array[first].tolist(), lengths.tolist(), strict=True))


def expanded(runs: Runs) -> Floats:
    """The series of numbers with these runs.

    Examples
    --------
    >>> expanded(((0.5, 2), (0.125, 1))).tolist()
    [0.5, 0.5, 0.125]
    """
    return np.repeat([value for value, _ in runs], [length for _, length in runs]).astype(float)


def lengths_to_text(runs: Runs) -> str:
    """Runs in a link: the different numbers, then for each run the position of its number and, after an x, its length.

    Examples
    --------
    >>> lengths_to_text(((0.5, 2), (0.125, 1), (0.5, 1)))
    '0.5,0.125;0x2.1.0'
    """
    different = list(dict.fromkeys(value for value, _ in runs))
    at = {value: k for k, value in enumerate(different)}
    listed = (f"{at[value]}x{length}" if length > 1 else f"{at[value]}" for value, length in runs)
    return f"{','.join(map(repr, different))};{'.'.join(listed)}"


def lengths_from_text(text: str) -> list[tuple[float, int]]:
    """The runs of a text made by `lengths_to_text`, not checked yet. Raises ValueError for another text.

    Examples
    --------
    >>> lengths_from_text("0.5,0.125;0x2.1.0")
    [(0.5, 2), (0.125, 1), (0.5, 1)]
    """
    numbers, _, listed = text.partition(";")
    different = [float(number) for number in numbers.split(",") if number]
    found = []
    for part in filter(None, listed.split(".")):
        position, _, length = part.partition("x")
        if not (position.isdecimal() and int(position) < len(different)):
            raise ValueError("a run must name one of the numbers before it")
        found.append((different[int(position)], int(length or 1)))
    return found
