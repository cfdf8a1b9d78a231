"""The second sentence of the landmark page: how well averaging finds a place, whatever the chain.

It is computed from the true data, for the screen of their owner; what stands in for them in a file says nothing of it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.main_place import found_within, main_place
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.scenario.ground import HALF_EARTH_M, Numbers
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.stand_in import NAME
from lmdk_widgets.scenario.values import with_unit
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

FEW = 5
"""Below so many reports the formula is too small, and nobody's place is said to be found."""

LEAST_M = 20.0
"""No place is said to be found better: within it people move."""

EVEN = 0.01
"""A share by which the time between timestamps may differ and is still counted in hours."""

NIGHT_H = (22, 8)
"""Nights begin at this hour and have so many."""

NIGHTS, AT_HOME = 3, 0.6
"""A home takes so many nights with an hour or more, and this share of their timestamps."""

SURE = 0.99
"""From here on a chance is said to be more."""

STANDS_IN = "How well averaging finds a place is not said here, as this file does not hold the true data."
OF_CELLS = "Many reports from one place may give its cell away, whatever the chain; how soon is not computed here."
_ANY_CHAIN = "whatever the chain"


class MainPlace(NamedTuple):
    """Where a track has most timestamps: (n,) which they are; whether it may be called home; hours there and in all, NaN
    where timestamps do not come evenly."""

    members: NDArray[np.bool_]
    home: bool
    hours: float
    hours_in_all: float


def found_sentences(outcome: Outcome) -> list[str]:
    """How well somebody finds the place of most timestamps who knows when you are there, or the level, or the answer."""
    if outcome.trajectory.name == NAME:
        return [STANDS_IN]
    if not outcome.kind.placed:
        return _answer_sentence(outcome) if outcome.kind.counts_wrong else _level_sentence(outcome)
    if outcome.reports is not None:
        return [OF_CELLS] if outcome.published.any() else []
    place, spent = main_place_of(outcome.trajectory), noise_budgets(outcome)
    there = spent[place.members & outcome.published]
    if place.members.sum() < FEW:
        return _few_sentence(outcome, there, spent)
    when, what = ("at home", "your home") if place.home else (f"at {_where(place)}", _where(place))
    if not there.any():
        return [f"Averaging does not find {what}{_hours(place)}: it has no report of its own."]
    within = found_within(there, outcome.scenario.radius_m)
    if within >= HALF_EARTH_M:
        return [f"Averaging does not find {what}{_hours(place)}, {_ANY_CHAIN}."]
    near = _within(outcome, _metres(within))
    reports = "" if len(there) >= FEW else f"from {count(len(there), 'report')} "
    return [f"Whoever knows when you are {when}{_hours(place)} finds it {reports}{near}, {_ANY_CHAIN}."]


def noise_budgets(outcome: Outcome) -> Floats:
    """(n,) what each timestamp spent on its own report: nothing where it repeats one, nor on comparing with the last one."""
    scenario = outcome.scenario
    compared = scenario.spread.compared(scenario.epsilon, scenario.window)
    return np.where(outcome.published, np.maximum(outcome.budgets - compared, 0.0), 0.0)


@lru_cache(maxsize=4)
def main_place_of(trajectory: Trajectory) -> MainPlace:
    """That of a track; no setting plays a part.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = main_place_of(sample("commuter"))
    >>> int(found.members.sum()), found.home, found.hours, found.hours_in_all
    (1044, True, 87.0, 168.0)
    """
    *_, members = main_place(trajectory.latitude, trajectory.longitude)
    gaps = np.diff(trajectory.time) / np.timedelta64(1, "h")
    usual = float(np.median(gaps)) if len(gaps) else math.nan
    even = len(gaps) > 0 and bool((np.abs(gaps - usual) <= EVEN * usual).all())
    each = usual if even else math.nan
    return MainPlace(members, _is_home(trajectory, members), each * float(members.sum()), each * len(members))


def _is_home(trajectory: Trajectory, members: NDArray[np.bool_]) -> bool:
    """Whether the nights are spent there. A wrong zone would swap home and work without a sign, so it has to be known."""
    if not trajectory.zone:
        return False
    since = clock_times(trajectory, trajectory.zone) - np.timedelta64(NIGHT_H[0], "h")
    day = since.astype("datetime64[D]")
    at_night = since - day < np.timedelta64(NIGHT_H[1], "h")
    nights, which = np.unique(day[at_night], return_inverse=True)
    first, last = np.full(len(nights), np.inf), np.full(len(nights), -np.inf)
    hour = (trajectory.time - trajectory.time[0])[at_night] / np.timedelta64(1, "h")
    np.minimum.at(first, which, hour)
    np.maximum.at(last, which, hour)
    long = last - first >= 1
    counted = long[which]
    return int(long.sum()) >= NIGHTS and float(members[at_night][counted].mean()) >= AT_HOME


def _where(place: MainPlace) -> str:
    most = "you spend the most time" if _in_hours(place) else "most of your timestamps are"
    return f"the place where {most}"


def _in_hours(place: MainPlace) -> bool:
    return place.hours >= 1


def _hours(place: MainPlace) -> str:
    if _in_hours(place):
        return f" ({place.hours:,.0f} h of {place.hours_in_all:,.0f})"
    return f" ({int(place.members.sum()):,} of {len(place.members):,})"


def _few_sentence(outcome: Outcome, there: Floats, spent: Floats) -> list[str]:
    """Where no place has many timestamps: what the best of them gives away."""
    radius_m = outcome.scenario.radius_m
    within = min(found_within(there, radius_m), found_within([spent.max()], radius_m))
    if within >= HALF_EARTH_M:
        return []
    only = f"averaging finds each only {_within(outcome, _metres(within))}"
    return [f"No place has {count(FEW, 'report')}: {only}, {_ANY_CHAIN}."]


def _within(outcome: Outcome, reach: str) -> str:
    """How near, and how often so."""
    draw = " with the budgets of this draw" if outcome.scenario.spread.online else ""
    return f"to within {reach} in half of all releases{draw}"


def _metres(within_m: float) -> str:
    return f"about {metres(within_m)}" if within_m >= LEAST_M else f"{metres(LEAST_M)} or less"


def _level_sentence(outcome: Outcome) -> list[str]:
    """How well the level is found that most values have; ``.6745 s / B`` at a sensitivity s."""
    ground, series, width = outcome.ground, outcome.series, outcome.scenario.level_width
    assert isinstance(ground, Numbers) and series is not None
    there = noise_budgets(outcome)[main_level(series, ground.lower, ground.upper, width) & outcome.published]
    if len(there) < FEW or not there.any():
        return []
    together = float(np.linalg.norm(there))
    within = NormalDist().inv_cdf(0.75) * ground.mechanism.sensitivity / together
    write = with_unit(series.unit)
    reach = f"about {write(within)}" if within >= width / 2 else f"{write(width / 2)} or less"
    when = f"at which {count(len(there), 'measured moment')} the value was the same to within {write(width)}"
    return [f"Whoever knows {when} finds it {_within(outcome, reach)}, {_ANY_CHAIN}."]


@lru_cache(maxsize=8)
def main_level(series: Series, lower: float, upper: float, width: float) -> NDArray[np.bool_]:
    """(n,) where the values lie in the window of this width that holds most of them, the lowest of ties.

    Examples
    --------
    >>> time = np.datetime64("2026-01-26T08:00", "s") + np.arange(0, 3600, 600)
    >>> main_level(Series(time, values=np.array([1.0, 5.0, 1.2, 5.1, 5.3, 9.0])), 0.0, 10.0, 0.5).tolist()
    [False, True, False, True, True, False]
    """
    values = np.clip(series.values, lower, upper)
    ordered = np.sort(values)
    held = np.searchsorted(ordered, ordered + width, side="right") - np.arange(len(ordered))
    least = ordered[int(held.argmax())]
    found: NDArray[np.bool_] = (values >= least) & (values <= least + width)
    return found


def _answer_sentence(outcome: Outcome) -> list[str]:
    """How often the answer that was given most is guessed right: the weighted vote, by its mean and its variance."""
    series, spent = outcome.series, noise_budgets(outcome)
    assert series is not None
    most = float(series.values.mean() >= 0.5)
    there = spent[(series.values == most) & outcome.published]
    if len(there) < FEW or not there.any():
        return []
    right = 1 / (1 + np.exp(-there))
    with np.errstate(divide="ignore"):
        far = float(np.divide(there @ (2 * right - 1), 2 * np.sqrt(there**2 @ (right * (1 - right)))))
    chance = NormalDist().cdf(far)
    often = f"more than {percent(SURE)}" if chance > SURE else f"about {percent(chance)}"
    draw = " with the budgets of this draw" if outcome.scenario.spread.online else ""
    when = f"at which {count(len(there), 'measured moment')} the answer was the same"
    return [f"Whoever knows {when} guesses it right in {often} of all releases{draw}, {_ANY_CHAIN}."]
