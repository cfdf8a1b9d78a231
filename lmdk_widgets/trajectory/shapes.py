"""The shapes in which times are written, and the numbers in them, for many rows at once.

A hundred thousand times must not take a hundred thousand calls. The times of one file come in few *shapes*: with every
digit replaced by 0, "2026-01-26 15:57:02" is "0000-00-00 00:00:00". Each shape is matched against the grammar once, and
the digits of all its rows are then added up column by column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Rows = NDArray[np.intp]
Characters = NDArray[np.uint8]

_AT_ONCE = 65_536  # texts that are turned into bytes together
WIDEST = 40
"""No time is written with more characters."""

DATE = re.compile(
    r"""(?: (?P<year>0000)(?P<dash>[-/.])(?P<month>00?)(?P=dash)(?P<day>00?)
          | (?P<part1>00?)(?P<slash>[-/.])(?P<part2>00?)(?P=slash)(?P<year2>0000)     # d/m/yyyy or m/d/yyyy
          | (?P<year3>0000)(?P<month3>00)(?P<day3>00)(?=[Tt ]\ *0|0{6}$)              # 20260126T155702
        )
        (?: (?: [Tt] | \ + | ,\ * | (?(year3)(?=0{6}$)|(?!)) )
            (?: (?P<hour>00?):(?P<minute>00)(?: :(?P<second>00)(?:[.,](?P<fraction>0+))? )?
              | (?P<hour3>00)(?P<minute3>00)(?P<second3>00)(?:[.,](?P<fraction3>0+))?
            )
            (?: \ *(?P<half>[AaPp])\.?[Mm]\.? )?
        )?
        \ *(?: [Zz] | (?i:UTC|GMT) | (?P<sign>[+-])(?P<zone_hour>00):?(?P<zone_minute>00)? | (?P<no_zone>) )$
    """,
    re.VERBOSE,
)
"""A date with or without a clock time and a zone; `slash` tells that the order of day and month is not sure."""

NUMBER = re.compile(r"(?:(?P<minus>-)|\+)?(?P<whole>0{1,19})(?:[.,](?P<decimals>0*))?$")
"""A number, as times since 1970 are written."""

CLOCK_ONLY = re.compile(r"00?:00(?::00(?:[.,]0+)?)?( *[AaPp][Mm])?$")


def shape_of(text: str) -> str:
    """The shape of one text.

    Examples
    --------
    >>> shape_of(" 26/1/2026 15:57")
    '00/0/0000 00:00'
    """
    return re.sub(r"[0-9]", "0", text.strip())


def shapes(texts: Sequence[str]) -> Iterator[tuple[str, Rows, Characters]]:
    """For each shape: the shape, the rows (k,) that have it, and their characters as bytes (k, width)."""
    if not len(texts):
        return
    # In parts: the bytes of a million texts, each an object, would take more memory than everything made of them.
    parts = (texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE))
    clipped = np.concatenate(
        [np.array([text.strip()[: WIDEST + 1].encode("ascii", "replace") for text in part]) for part in parts]
    )
    width = max(clipped.dtype.itemsize, 1)
    characters = clipped.astype(f"S{width}", copy=False).view(np.uint8).reshape(-1, width)
    zeroed = characters.copy()
    zeroed[(zeroed >= ord("0")) & (zeroed <= ord("9"))] = ord("0")
    shape = zeroed.view(f"S{width}").ravel()
    if len(shape[0]) <= WIDEST and (shape == shape[0]).all():  # as nearly always
        yield shape[0].decode("ascii"), np.arange(len(shape)), characters
        return
    found, inverse = np.unique(shape, return_inverse=True)
    del shape, zeroed
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(found)))
    for raw, start, end in zip(found.tolist(), [0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        if len(raw) <= WIDEST:
            rows = order[start:end]
            yield raw.decode("ascii"), rows, characters[rows]


def integer(characters: Characters, match: re.Match[str], *groups: str) -> Ints:
    """The whole number (k,) that the digits of the first group that matched make; 0 where none did."""
    total = np.zeros(len(characters), np.int64)
    for column in range(*_span(match, groups)):
        total = total * 10 + (characters[:, column].astype(np.int64) - ord("0"))
    return total


def billionths(characters: Characters, match: re.Match[str], *groups: str) -> Ints:
    """A decimal fraction (k,) in billionths; digits beyond the ninth are cut off."""
    total = np.zeros(len(characters), np.int64)
    start, end = _span(match, groups)
    for power, column in enumerate(range(start, min(end, start + 9))):
        total += (characters[:, column].astype(np.int64) - ord("0")) * 10 ** (8 - power)
    return total


def _span(match: re.Match[str], groups: Sequence[str]) -> tuple[int, int]:
    return next((match.span(group) for group in groups if match[group]), (0, 0))
