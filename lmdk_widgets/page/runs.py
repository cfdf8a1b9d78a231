"""Increasing indices as runs of neighbours, which is how many landmarks fit into a link or a line of Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST_IN_LINK = 100_000
"""Most indices in a link; the longest bundled track has 10,000 timestamps."""

MAX_PART = 15
"""Most characters of one run in a link: two numbers below a million, and the dash."""


class RunsError(ValueError):
    """A text that is no list of runs; its message says what is one."""


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
