"""From the rows of a table to a series: repeated times, rows that cannot be used, gaps, landmarks, labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.clean import clean, drop_of
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.raw import RawPoints, read_flags
from lmdk_widgets.trajectory.series import ANSWERS, NUMBERS, Series
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import is_missing
from lmdk_widgets.trajectory.times import Times
from lmdk_widgets.trajectory.words import counted, printable

YES = frozenset(("yes", "y", "true", "t", "1", "on", "positive", "present", "ja", "oui", "si", "sí"))
NO = frozenset(("no", "n", "false", "f", "0", "off", "negative", "absent", "nein", "non"))
_OFFERS = {"first": "Keep the first of each time", "last": "Keep the last of each time", "average": "Average each time"}
_MOVED = re.compile(r"now has the mean of its places, up to .+? from the first")


def make_series(
    file: Contents,
    lines: NDArray[np.int64],
    times: Times,
    values: NDArray[np.float64],
    problems: dict[int, str],
    how: Mapping[str, Any],
    *,
    marks: Sequence[str] | None = None,
    labels: Sequence[str] = (),
    unit: str = "",
    answers: tuple[str, str] | None = None,
    told: Sequence[str] = (),
    after: Sequence[str] = (),
    gaps: int = 0,
) -> Series:
    """The series of n rows. Rows without a value are left out: a gap stays a gap.

    Parameters
    ----------
    values : (n,) NaN where none was measured. problems : why a row cannot be used, by row. how : what was chosen.
    marks, labels : n texts, or none. told, after : notices before and after those of the rows. gaps : already left out.
    """
    measured = ~np.isnan(values)
    measured[[row for row in problems if row < len(values)]] = True
    rows = np.flatnonzero(measured)
    gaps += len(values) - len(rows)
    if len(values) and not len(rows):
        raise InputError("The file must have at least one value", value="none")
    place = {row: k for k, row in enumerate(rows.tolist())}
    problems = {place[row]: why for row, why in problems.items()}
    lines, times, values = lines[rows], times.only(rows), values[rows]
    marks = None if marks is None else [marks[row] for row in place]
    timed = _timed(file, lines, times, values, problems, marks, how)
    if how.get("on_repeat") == "average":
        values = _averaged(values, times, problems, answers is not None)
    kept = [int(label) for label in timed.labels]
    notices = [_MOVED.sub("now has the mean of its values", text) for text in timed.notices]
    said = [f"{counted(gaps, *GAPS)}."] if gaps else []
    return Series(
        timed.time,
        timed.landmarks,
        tuple(printable(labels[rows[k]]) for k in kept) if len(labels) else (),
        name=timed.name,
        notices=(*told, *notices, *said, *after),
        zone=timed.zone,
        values=values[kept],
        kind=NUMBERS if answers is None else ANSWERS,
        unit="" if answers is not None else unit,
        answers=answers or ("no", "yes"),
    )


GAPS = ("row has no value: this timestamp is left out", "rows have no value: these timestamps are left out")
"""The words about missing values."""


def answers_of(cells: Sequence[str]) -> tuple[str, str] | None:
    """What no and yes are called in the cells; None if they are not answers."""
    words = {cell.lower(): cell for cell in dict.fromkeys(cells) if not is_missing(cell)}
    no, yes = ([word for word in words if word in known] for known in (NO, YES))
    if len(no) > 1 or len(yes) > 1 or len(no) + len(yes) < len(words) or not words:
        return None
    said = [printable(words[found[0]], 20) if found else "" for found in (no, yes)]
    return ("no", "yes") if not all(said) or said[0] == "0" else (said[0], said[1])


def _timed(
    file: Contents,
    lines: NDArray[np.int64],
    times: Times,
    values: NDArray[np.float64],
    problems: dict[int, str],
    marks: Sequence[str] | None,
    how: Mapping[str, Any],
) -> Trajectory:
    """The rows kept, in time order, as a track without real places; its labels are their numbers."""
    nowhere = np.zeros(len(lines))
    raw = RawPoints(nowhere, nowhere, [], lines, "line", problems, values=values, name=file.name)
    if marks is not None:
        raw.is_landmark, unclear = read_flags(marks)
        raw.add_problems(unclear)
    raw.labels = [str(k) for k in range(len(lines))]
    repeat = how.get("on_repeat")
    try:
        zone = how.get("timezone") or ""
        return Trajectory(**clean(raw, times, drop=drop_of(how), zone=zone, on_repeat=repeat))
    except InputError as error:  # its offers mention moving places
        error.offers = tuple((_OFFERS.get(str(other.get("on_repeat")), text), other) for text, other in error.offers)
        raise


def _averaged(values: np.ndarray, times: Times, problems: Collection[int], answers: bool) -> np.ndarray:
    """Each value replaced by the mean of those with its time; for answers, by the majority, and yes if there is a tie."""
    usable = ~np.isnan(values) & ~np.isnat(times.utc)
    usable[list(problems)] = False
    _, group = np.unique(times.utc, return_inverse=True)
    count = np.bincount(group, usable)
    total = np.bincount(group, np.where(usable, values, 0.0))
    mean = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)[group]
    return np.where(np.isnan(mean), mean, mean >= 0.5) if answers else mean
