"""Moments in a series that matter, proposed as landmarks: peaks, changes, the ends of days, absences.

A proposal is computed from the true values and is as sensitive as they are. Nothing is a landmark until the user says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import number, one_of, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.zones import find_zone, to_local


class Moment(NamedTuple):
    """Timestamps that belong together.

    Attributes
    ----------
    first, last : its first and last timestamps (indices from 0), both included.
    timestamp : the one that represents it: the highest of a peak, the middle of an absence.
    """

    first: int
    last: int
    timestamp: int


def find_moments(
    trajectory: Trajectory, by: str, *, share: float = 0.05, at_least_s: float = 7200.0
) -> tuple[Moment, ...]:
    """The moments of one kind, in time order; they do not overlap.

    Parameters
    ----------
    trajectory : the series; a track only has the ends of its days.
    by : "peaks", runs of the highest values; "changes", where a value differs most from the previous one; "ends", the first
        and the last timestamp of each day by the series' clock; "absences", long runs of the lowest values. For
        answers, a peak is a run of yes, an absence a run of no, and a change any answer that differs from the previous one.
    share : the share of timestamps that count as the highest, as those that changed most, or as the lowest; above 0, at most
        0.5. Values equal to the last of these also count, unless they are the smallest, or no change at all.
    at_least_s : how long an absence must last, from its first timestamp to its last, in seconds, above 0.

    Raises
    ------
    InputError for an unknown kind, numbers out of range, or if values are needed but there are only places.

    Examples
    --------
    >>> hours = np.datetime64("2026-01-26T08:00") + np.arange(8) * np.timedelta64(1, "h")
    >>> series = Series(hours, values=[1, 1, 5, 9, 1, 0, 0, 0], zone="UTC")
    >>> [tuple(moment) for moment in find_moments(series, "peaks", share=0.25)]
    [(2, 3, 3)]
    >>> [tuple(moment) for moment in find_moments(series, "absences", share=0.4)]
    [(5, 7, 6)]
    """
    one_of(by, "by", tuple(_BY))
    share = number(share, "share", 0.0, 0.5)
    at_least_s = positive(at_least_s, "at_least_s")
    if not share:
        raise InputError("share must be above 0 and at most 0.5", value=share)
    if by == "ends":
        return tuple(_ends(trajectory))
    if not isinstance(trajectory, Series):
        raise InputError("Peaks, changes and absences need a series of values", value="a track of places")
    return tuple(_BY[by](trajectory, share, at_least_s))


def _ends(trajectory: Trajectory) -> Iterator[Moment]:
    day = to_local(trajectory.time, find_zone(trajectory.zone or "UTC")).astype("datetime64[D]")
    change = np.flatnonzero(day[1:] != day[:-1])
    ends = np.unique(np.r_[0, change, change + 1, len(day) - 1])
    return (Moment(k, k, k) for k in ends.tolist())


def _peaks(series: Series, share: float, _at_least_s: float) -> Iterator[Moment]:
    for first, last in _runs(_highest(series.values, 0.5 if series.is_answers else share)):
        yield Moment(first, last, first + int(np.argmax(series.values[first : last + 1])))


def _changes(series: Series, share: float, _at_least_s: float) -> Iterator[Moment]:
    step = np.r_[0.0, np.abs(np.diff(series.values))]
    many = step > 0 if series.is_answers else _highest(step, share)
    return (Moment(k, k, k) for k in np.flatnonzero(many).tolist())


def _absences(series: Series, share: float, at_least_s: float) -> Iterator[Moment]:
    for first, last in _runs(_highest(-series.values, 0.5 if series.is_answers else share)):
        if (series.time[last] - series.time[first]) / np.timedelta64(1, "s") >= at_least_s:
            yield Moment(first, last, (first + last) // 2)


_BY: dict[str, Callable[..., Iterator[Moment]]] = {
    "peaks": _peaks,
    "changes": _changes,
    "ends": _ends,
    "absences": _absences,
}


def _highest(values: NDArray[np.float64], share: float) -> NDArray[np.bool_]:
    """Which of n values are in the highest share of them, at least one; never the smallest value."""
    least = np.partition(values, -(count := max(1, int(share * len(values)))))[-count]
    return (values >= least) & (values > values.min())


def _runs(many: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First and last index of each run of True."""
    edges = np.flatnonzero(np.diff(np.r_[False, many, False].astype(np.int8)))
    return zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
