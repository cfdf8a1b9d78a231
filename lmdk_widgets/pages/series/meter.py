"""What a meter's readings still tell if they are shared as is usual today, beside the histogram with noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.pages.series.generated import household_watts
from lmdk_widgets.pages.series.model import SeriesChoices
from lmdk_widgets.pages.series.series import Series
from lmdk_widgets.pages.series.uploaded_series import OwnData
from lmdk_widgets.practice.metering import (
    DAY,
    Routine,
    RoutineTold,
    cut_values,
    find_routine,
    merged_values,
    routine_told,
)

CUT = 0.05
"""The share of readings that is cut off at the top, and at the bottom."""

MERGED = {"hours": 60.0, "days": DAY, "months": 30 * DAY}
"""Minutes over which readings are merged."""

PRACTICES: dict[str, str] = {
    "readings": "Every reading",
    "hours": "Values by the hour",
    "days": "Values by the day",
    "months": "Values by 30 days",
    "cut": "Top and bottom cut",
}
"""What is done with a meter's readings, in the order in which it is shown."""


@dataclass(frozen=True, eq=False)
class Practice:
    """One practice on these readings.

    Attributes
    ----------
    name : a key of `PRACTICES`. told : what it tells. read : the attacker's guess.
    moved : by how many timestamps a bar of the histogram is off if it is counted from the published values.
    """

    name: str
    told: RoutineTold
    read: Routine
    moved: float


@dataclass(frozen=True, eq=False)
class Metered:
    """What is known of a meter's readings.

    Attributes
    ----------
    minutes, start_minute : between two readings; of the first one, in its day.
    practices : those that change something, after "readings".
    noise_day_off : by how much a day's mean is off on average if it is guessed from the released histogram; None if
        nothing is released. unit : of the readings.
    negative : whether a reading is below zero.
    """

    minutes: float
    start_minute: float
    practices: tuple[Practice, ...]
    noise_day_off: float | None
    unit: str
    negative: bool

    def practice(self, name: str) -> Practice | None:
        """One of the practices; None if the readings are too far apart for it."""
        return next((each for each in self.practices if each.name == name), None)


def metered(choices: SeriesChoices, own: OwnData | None, series: Series, released: Floats | None) -> Metered | None:
    """What each practice tells of the readings; None if the series is no meter's, or has no clock.

    `released` is the histogram of levels with noise, from which only one mean of all days can be guessed.
    """
    if choices.source not in ("power", "own"):
        return None
    own = own if choices.source == "own" else None
    values, minutes, start = _readings(own)
    if values is None or minutes is None or (choices.source == "own" and own is None):
        return None
    levels = choices.level_w, int(np.floor(values[:: choices.every] / choices.level_w).min())
    found = tuple(
        Practice(name, told, read, _moved(published[:: choices.every], levels, series))
        for name, published, told, read in _told(own)
    )
    off = None
    if released is not None:
        guess = np.full(len(values), _mean(released, levels))
        off = routine_told(values, guess, minutes, every_minutes=MERGED["months"], start_minute=start).day_off
    return Metered(minutes, start, found, off, "W" if own is None else own.unit, bool(values.min() < 0))


def _readings(own: OwnData | None) -> tuple[Floats | None, float | None, float]:
    """The readings, the minutes between two of them, and the minute of the first one."""
    return (household_watts(), 1.0, 0.0) if own is None else (own.watts, own.minutes, own.start_minute)


@cached("visitor", entries=4, what="what a meter's practices tell")
def _told(own: OwnData | None) -> list[tuple[str, Floats, RoutineTold, Routine]]:
    """Each practice with what it publishes, what that tells, and how an attacker reads it."""
    values, minutes, start = _readings(own)
    assert values is not None and minutes is not None
    published: dict[str, tuple[Floats, float]] = {"readings": (values, minutes)}
    for name, every in MERGED.items():
        if every > minutes:
            published[name] = merged_values(values, minutes, every, start_minute=start), every
    published["cut"] = cut_values(values, CUT), minutes
    return [
        (
            name,
            given,
            routine_told(values, given, minutes, every_minutes=every, start_minute=start),
            find_routine(given, minutes, every_minutes=every, start_minute=start),
        )
        for name, (given, every) in published.items()
    ]


def _moved(published: Floats, levels: tuple[float, int], series: Series) -> float:
    """By how many timestamps a bar of the histogram is off, the mean over its bars; levels: their width, and the lowest."""
    width, lowest = levels
    m = series.n_states
    # a mean may lie in no level that was read
    at = np.clip(np.floor(published / width).astype(np.int64) - lowest, 0, m - 1)
    return float(np.abs(np.bincount(at, minlength=m) - np.bincount(series.states, minlength=m)).mean())


def _mean(released: Floats, levels: tuple[float, int]) -> float:
    """The mean of all readings from a histogram of levels: their middles, weighted; bars below zero count as none."""
    width, lowest = levels
    weights = np.maximum(released, 0)
    weights = weights if weights.sum() > 0 else np.ones(len(weights))
    return float((lowest + 0.5 + np.arange(len(weights))) @ weights / weights.sum() * width)
