"""What an uploaded series is once it is read, and how what cannot be read is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory import Trajectory

MOST_READINGS = 1_000_000
MOST_LABELS = 1_000
"""More different states than this are no states; how many the page takes is decided later."""
_LONGEST_LABEL = 40


@dataclass(frozen=True, eq=False)
class OwnData:
    """What was uploaded; one of `watts`, `trajectory` and `states` is there.

    Attributes
    ----------
    name : of the file.
    watts : (n,) readings of power.
    trajectory : a track.
    states, labels : (n,) numbers from 0, and what each stands for.
    notices : what was done to the file.
    minutes, start_minute : between two readings, None where no clock is known; of the first reading, in its day.
    """

    name: str
    watts: Floats | None = None
    trajectory: Trajectory | None = None
    states: NDArray[np.int64] | None = None
    labels: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    minutes: float | None = None
    start_minute: float = 0.0

    def __len__(self) -> int:
        for found in (self.watts, self.trajectory, self.states):
            if found is not None:
                return len(found)
        return 0


def is_whole(cell: str) -> bool:
    """Whether a cell is a whole number.

    Examples
    --------
    >>> [is_whole(cell) for cell in ("-3", "3.0", "")]
    [True, False, False]
    """
    return cell.removeprefix("-").isdecimal() and len(cell) <= 18


def states_of(cells: Sequence[tuple[int, str]], allowed: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """(states, labels) of cells with their line numbers: whole numbers if most are, otherwise names.

    Parameters
    ----------
    cells : (line, text) of every timestamp.
    allowed : what the file must have, for the refusal.

    Raises
    ------
    InputError : with the lines that hold no state, or for more than `MOST_LABELS` different ones.

    Examples
    --------
    >>> states_of([(1, "10"), (2, "9"), (3, "10")], "whole numbers")
    (array([1, 0, 1]), ('9', '10'))
    """
    numeric = 2 * sum(is_whole(cell) for _, cell in cells) > len(cells)
    refuse_lines([(number, why) for number, cell in cells if (why := _wrong(cell, numeric))], allowed, len(cells))
    values = [str(int(cell)) if numeric else cell for _, cell in cells]
    labels = sorted(set(values), key=(lambda v: (int(v), v)) if numeric else None)
    if len(labels) > MOST_LABELS:
        raise InputError(
            f"The file must have at most {MOST_LABELS:,} different states",
            value=len(labels),
            remedy="Put them into classes first; power readings want a heading such as time,power",
        )
    number_of = {label: k for k, label in enumerate(labels)}
    return np.array([number_of[v] for v in values], np.int64), tuple(labels)


def _wrong(cell: str, numeric: bool) -> str:
    if not cell:
        return "a state is missing"
    if numeric and not is_whole(cell):
        return "it is not a whole number, as the other states are"
    if len(cell) > _LONGEST_LABEL or not cell.isprintable():
        return f"it is not a name of at most {_LONGEST_LABEL} letters"
    return ""


def refuse_lines(bad: Sequence[tuple[int, str]], allowed: str, readings: int) -> None:
    """Raises `InputError` for bad lines, each with its reason, and for a series too short or too long."""
    if bad:
        lines = len({number for number, _ in bad})
        which = "lines that cannot be read, the first is" if lines > 1 else "line that cannot be read,"
        raise InputError(
            f"The file must have {allowed}",
            value=f"{lines:,} {which} line {bad[0][0]:,}",
            remedy="Correct the lines, and upload the file again",
            rows=bad,
        )
    if not 2 <= readings <= MOST_READINGS:
        raise InputError(f"The file must have between 2 and {MOST_READINGS:,} readings", value=readings)
