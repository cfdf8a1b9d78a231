"""What is done today before a meter's readings are shared, merged over time or cut off, and what they still tell.

None of it carries a guarantee. `find_routine` is the attack: two levels say when a household is active, and the longest
quiet run of a night is its rest. `routine_told` compares what it reads from published values with what it reads from every
reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import fraction, number, positive, refused, series
from lmdk_widgets.geo import Floats

DAY = 1440.0
"""Minutes of a day."""

FINEST = 15.0
"""Shorter intervals are first merged to so many minutes, as thermostats and refrigerators switch within them."""

LONGEST = 360.0
"""Values over more minutes than this do not tell the hours of a day apart."""

LEAST_REST = 180.0
"""A shorter quiet run, in minutes, is no night's rest."""

EVENING, MORNING = 21 * 60.0, 9 * 60.0
"""The middle of a night's rest lies between these minutes of a day."""

FLOOR = 0.01
"""Before logarithms are taken, values are raised to this share of their mean."""


@dataclass(frozen=True, eq=False)
class Routine:
    """What is read from published values; a guess, never certain.

    Attributes
    ----------
    active : (n,) whether the household is active during each reading; None where values cover too much time to tell.
    nights : by the number of a day, from 0, when the rest that ends on it begins and ends, minutes since the first midnight.
    days : by the number of a day, its mean.
    """

    active: NDArray[np.bool_] | None
    nights: Mapping[int, tuple[float, float]]
    days: Mapping[int, float]


@dataclass(frozen=True, eq=False)
class RoutineTold:
    """How much of a routine published values tell, compared with every reading.

    Attributes
    ----------
    right : the share of time for which active or quiet is guessed as from every reading; None where it is not told.
    alike : the same for the better of two constant guesses: always active, or always quiet.
    nights, nights_found : the nights' rests read from every reading, and how many of them these values tell.
    rest_off : minutes by which their ends are off on average; None where no end is told.
    day_off : by how much a day's mean is off on average, in the unit of the readings.
    day_most : the largest mean that any one day can have by the values alone, if no reading is below zero.
    """

    right: float | None
    alike: float
    nights: int
    nights_found: int
    rest_off: float | None
    day_off: float
    day_most: float


def merged_values(values: ArrayLike, minutes: float, every_minutes: float, *, start_minute: float = 0.0) -> Floats:
    """Readings merged over time: each one is replaced with the mean of its interval, ``mean(v_k : k in the interval)``.

    Parameters
    ----------
    values : (n,) readings at equal distances in time, in any unit. minutes : between two readings, above 0.
    every_minutes : the length of an interval: 60 for hours, 1440 for days. Intervals begin at the first day's midnight.
    start_minute : of the first reading, within its day.

    Returns
    -------
    (n,) what is published of the time of each reading.

    Raises
    ------
    InputError : no finite readings, or a length that is not positive.

    Notes
    -----
    No guarantee: an interval's mean is exact, whatever it tells. A household that is away for a day is away in its mean.

    Examples
    --------
    >>> merged_values([1.0, 3.0, 5.0, 5.0], 30.0, 60.0).tolist()
    [2.0, 2.0, 5.0, 5.0]
    """
    each = series(values, "values")
    block = _blocks(len(each), minutes, positive(every_minutes, "every_minutes"), start_minute)
    return _means(each, block)[block]


def cut_values(values: ArrayLike, share: float = 0.05) -> Floats:
    """Readings with the top and the bottom cut off: what lies beyond a quantile is replaced with it.

    Parameters
    ----------
    values : (n,) readings. share : of them that are raised, and that are lowered, between 0 and 1/2.

    Returns
    -------
    (n,) ``min(max(v, q(share)), q(1 - share))``.

    Raises
    ------
    InputError : no finite readings, or a share of one half or more.

    Notes
    -----
    No guarantee: it hides how large the largest readings are, and not when they occur.

    Examples
    --------
    >>> cut_values([0.0, 1.0, 2.0, 3.0, 100.0], 0.25).tolist()
    [1.0, 1.0, 2.0, 3.0, 3.0]
    """
    each = series(values, "values")
    if fraction(share, "share") >= 0.5:
        raise refused("share", "below 0.5", share)
    low, high = np.quantile(each, (share, 1 - share))
    return np.asarray(np.clip(each, low, high))


def two_levels(values: ArrayLike) -> float:
    """The threshold that best splits values into two levels: those above it are the higher level.

    The split maximises the variance between the levels, ``k (n - k) (mean_high - mean_low)^2`` with k values below it (Otsu),
    of the values' logarithms if none is negative: a kettle then counts as active, not as a third level.

    Parameters
    ----------
    values : (n,) at least one.

    Returns
    -------
    The middle between the two values next to the split; infinity if all values are equal.

    Raises
    ------
    InputError : no finite values.

    Notes
    -----
    Values that are nearly zero are raised to a hundredth of the mean first, as their logarithms would decide alone.

    Examples
    --------
    >>> round(two_levels([100.0, 110.0, 90.0, 1000.0, 3000.0]))
    332
    """
    each = np.sort(series(values, "values"))
    logged = bool(each[0] >= 0 and each[-1] > 0)
    x = np.log(np.maximum(each, FLOOR * each.mean())) if logged else each
    x = x - x.mean()
    splits = np.flatnonzero(np.diff(x) > 0) + 1  # values below each
    if not len(splits):
        return float("inf")
    low = np.cumsum(x)[splits - 1]
    n = len(x)
    between = (low / splits - (x.sum() - low) / (n - splits)) ** 2 * splits * (n - splits)
    k = int(splits[int(np.argmax(between))])
    ends = np.maximum(each[[k - 1, k]], FLOOR * each.mean()) if logged else each[[k - 1, k]]
    return float(np.sqrt(ends.prod()) if logged else ends.mean())


def find_routine(
    published: ArrayLike, minutes: float, *, every_minutes: float | None = None, start_minute: float = 0.0
) -> Routine:
    """The attack: when a household is active, when it rests at night, and how much it uses on each day.

    Parameters
    ----------
    published : (n,) what is published of the time of each reading, as `merged_values` and `cut_values` return it.
    minutes, start_minute : as in `merged_values`.
    every_minutes : the length of the intervals over which it is merged; None: of a reading.

    Returns
    -------
    Routine : active where a quarter of an hour, or a longer interval, is above `two_levels`; the longest quiet run of three
    hours or more whose middle lies between 21:00 and 9:00 is the rest of that night.

    Raises
    ------
    InputError : no finite values, or a length that is not positive.

    Examples
    --------
    >>> day = [80.0] * 7 + [900.0, 700.0] + [90.0] * 8 + [1200.0] * 5 + [80.0] * 2
    >>> read = find_routine(day * 2, 60.0)
    >>> read.active[:9].tolist() == [False] * 7 + [True] * 2, read.nights
    (True, {0: (0.0, 420.0), 1: (1320.0, 1860.0)})
    """
    each, minutes = series(published, "published"), positive(minutes, "minutes")
    every = minutes if every_minutes is None else max(minutes, positive(every_minutes, "every_minutes"))
    every = max(every, FINEST)
    day = _blocks(len(each), minutes, DAY, start_minute)
    means = _means(each, day)
    days = {int(k): float(means[k]) for k in np.unique(day)}
    if every > LONGEST:
        return Routine(None, {}, days)
    block = _blocks(len(each), minutes, every, start_minute)
    means = _means(each, block)
    active = (means > two_levels(means[np.unique(block)]))[block]
    return Routine(active, _nights(active, minutes, start_minute), days)


def routine_told(
    values: ArrayLike,
    published: ArrayLike,
    minutes: float,
    *,
    every_minutes: float | None = None,
    start_minute: float = 0.0,
) -> RoutineTold:
    """How much of the routine in the readings published values still tell.

    Parameters
    ----------
    values : (n,) every reading. The others: see `find_routine`.

    Returns
    -------
    RoutineTold : all of it measured on these readings, against the same attack on every one of them.

    Raises
    ------
    InputError : as `find_routine`, or published values of another length.

    Notes
    -----
    Days of which less than half was read, and ends of a rest where the readings begin or end, do not count.

    Examples
    --------
    >>> day = [80.0] * 7 + [900.0, 700.0] + [90.0] * 8 + [1200.0] * 5 + [80.0] * 2
    >>> found = routine_told(day, merged_values(day, 60.0, 1440.0), 60.0, every_minutes=1440.0)
    >>> found.right, round(found.alike, 2), round(found.day_off, 9)
    (None, 0.71, 0.0)
    """
    each, given = series(values, "values"), series(published, "published")
    if len(given) != len(each):
        raise refused("published", f"as long as values, {len(each):,}", len(given))
    minutes, start = positive(minutes, "minutes"), number(start_minute, "start_minute", 0.0)
    known = find_routine(each, minutes, start_minute=start)
    read = find_routine(given, minutes, every_minutes=every_minutes, start_minute=start)
    right, alike = None, 1.0
    if known.active is not None:
        busy = float(known.active.mean())
        alike = max(busy, 1 - busy)
        right = None if read.active is None else float((known.active == read.active).mean())
    both = sorted(known.nights.keys() & read.nights.keys())
    edges = (start, start + len(each) * minutes)
    off = [
        abs(true - found)
        for night in both
        for true, found in zip(known.nights[night], read.nights[night], strict=True)
        if true not in edges
    ]
    day = _blocks(len(each), minutes, DAY, start)
    whole = [k for k, n in enumerate(np.bincount(day).tolist()) if 2 * n * minutes >= DAY] or sorted(known.days)
    return RoutineTold(
        right,
        alike,
        len(known.nights),
        len(both),
        float(np.mean(off)) if off else None,
        float(np.mean([abs(known.days[k] - read.days[k]) for k in whole])),
        _most(given, minutes, every_minutes or minutes, start, day, whole),
    )


def _most(given: Floats, minutes: float, every: float, start: float, day: NDArray[np.int64], whole: list[int]) -> float:
    """The largest mean of a day: all of every interval that it shares with other days was used on it."""
    block = _blocks(len(given), minutes, every, start)
    total = np.concatenate([[0.0], np.cumsum(np.bincount(block, given))])
    first, after = np.searchsorted(day, whole), np.searchsorted(day, whole, side="right")
    return float(((total[block[after - 1] + 1] - total[block[first]]) / (after - first)).max())


def _nights(active: NDArray[np.bool_], minutes: float, start: float) -> dict[int, tuple[float, float]]:
    """The longest quiet run of each night, the first of equally long ones."""
    edges = np.flatnonzero(np.diff(active.astype(np.int8), prepend=1, append=1))
    found: dict[int, tuple[float, float]] = {}
    for first, last in edges.reshape(-1, 2).tolist():
        begins, ends = start + first * minutes, start + last * minutes
        of_day = (begins + ends) / 2 % DAY
        if ends - begins < LEAST_REST or MORNING <= of_day < EVENING:
            continue
        night = int(((begins + ends) / 2 + DAY - EVENING) // DAY)
        before = found.get(night, (0.0, 0.0))
        if ends - begins > before[1] - before[0]:
            found[night] = begins, ends
    return found


def _blocks(n: int, minutes: float, every: float, start: float) -> NDArray[np.int64]:
    """(n,) the number of the interval of each reading, from the midnight before the first one."""
    begins = number(start, "start_minute", 0.0) + np.arange(n) * positive(minutes, "minutes")
    return np.floor(begins / every + 1e-9).astype(np.int64)


def _means(values: Floats, block: NDArray[np.int64]) -> Floats:
    """The mean of every interval; nan for those without a reading."""
    n = np.bincount(block)
    sums = np.bincount(block, values)
    return np.divide(sums, n, out=np.full(len(n), np.nan), where=n > 0)
