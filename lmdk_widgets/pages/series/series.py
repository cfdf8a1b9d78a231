"""The chosen series of states, and what the belief about it is learned from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.pages.series.generated import ACTIVITIES, MINUTES_PER_ACTIVITY, activity_day, household_watts
from lmdk_widgets.pages.series.model import MAX_STATES, MAX_TIMESTAMPS, SeriesChoices
from lmdk_widgets.pages.series.own_chains import OwnChain
from lmdk_widgets.pages.series.uploaded_series import OwnData
from lmdk_widgets.pufferfish import MarkovChain
from lmdk_widgets.trajectory import Trajectory, sample

_DATA_SEED = 7
"""Of the generated series: "Draw again" is for the noise, not for the data."""
_NOUNS = {"W": "the power level", "bpm": "the heart rate"}
"""What a level is, by its unit."""
_NARROW = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Widths of levels of what is no power, beside those in watts."""
_WIDTHS_W = (50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0)
_FEW_LEVELS = 12
MOST_SEARCHED = 1_000
"""The most timestamps of all chains together that are searched one by one, as their starts are not their long run."""
_DAYS_OF_ACTIVITIES, _OTHER_PEOPLE = 14, 60


@dataclass(frozen=True, eq=False)
class Series:
    """A series of T states, and what is said about it.

    Attributes
    ----------
    states : (T,) numbers from 0 to m - 1.
    labels : (m,) names of the states; never coordinates.
    noun : what a state is: "the power level".
    minutes, start_minute : between two timestamps, None if there is no clock; of the first one, in its day.
    learned_from : the series from which the chain is estimated; empty for the series itself.
    known : the chain, if it is given and not estimated.
    theta : all the chains that are believed, if they are given.
    """

    states: NDArray[np.int64]
    labels: tuple[str, ...]
    noun: str
    minutes: float | None = None
    start_minute: float = 0.0
    learned_from: tuple[NDArray[np.int64], ...] = field(default=())
    known: MarkovChain | None = None
    theta: tuple[MarkovChain, ...] = ()

    def __len__(self) -> int:
        return len(self.states)

    @property
    def n_states(self) -> int:
        return len(self.labels)

    @property
    def nouns(self) -> str:
        """What states are: "power levels".

        Examples
        --------
        >>> [Series(np.zeros(2, np.int64), ("a",), noun).nouns for noun in ("the power level", "the activity")]
        ['power levels', 'activities']
        """
        name = self.noun.removeprefix("the ")
        return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"

    @property
    def itself(self) -> bool:
        """Whether the chain is estimated from the same series that is released."""
        return self.known is None and not self.learned_from

    def clock(self, timestamp: int) -> str:
        """When a timestamp is: "day 2, 07:30", or "" without a clock.

        Examples
        --------
        >>> Series(np.zeros(200, np.int64), ("off",), "the state", minutes=10.0).clock(189)
        'day 2, 07:30'
        """
        if self.minutes is None:
            return ""
        minute = round(self.start_minute + timestamp * self.minutes)
        return f"day {minute // 1440 + 1}, {minute // 60 % 24:02d}:{minute % 60:02d}"


def spell(minutes: float) -> str:
    """A length of time as people say it.

    Examples
    --------
    >>> spell(0.4), spell(31.2), spell(314.0), spell(-120.0), spell(2016.0)
    ('less than a minute', '31 min', '5.2 h', '−2 h', '34 h')
    """
    size = abs(minutes)
    if size < 0.95:
        return "less than a minute"
    sign = "−" if minutes < 0 else ""
    if size < 89.5:
        return f"{sign}{size:.0f} min"
    return f"{sign}{size / 60:.1f}".removesuffix(".0") + " h" if size < 597 else f"{sign}{size / 60:,.0f} h"


def series_of(choices: SeriesChoices, own: OwnData | None = None) -> Series:
    """The chosen series; `own` is the one for "own".

    Raises
    ------
    InputError : no uploaded series, too many states or timestamps, too few timestamps, no such track.
    """
    c = choices
    match c.source:
        case "binary":
            return _binary(c.stay_one, c.stay_two, c.length)
        case "chains":
            return _given(c.own_chains, c.length, c.support)
        case "activities":
            return _activities(c.every)
        case "power":
            return _power(None, c.level_w, c.every)
        case "track":
            return _cells(sample(c.track), c.cell_m, c.every)
    if own is None:
        raise InputError("A series of your own must be uploaded first", remedy="Upload one, or choose other data")
    if own.watts is not None:
        return _power(own, c.level_w, c.every)
    if own.trajectory is not None:
        return _cells(own.trajectory, c.cell_m, c.every)
    return _own_states(own, c.every)


@cached("settings", entries=8, what="a series of a chain with two states")
def _binary(stay_one: float, stay_two: float, length: int) -> Series:
    chain = MarkovChain.stationary([[stay_one, 1 - stay_one], [1 - stay_two, stay_two]])
    states = chain.sample(length, np.random.default_rng(_DATA_SEED))
    return Series(states, ("state 1", "state 2"), "the state", known=chain)


@cached("visitor", entries=8, what="a series of chains that a user typed")
def _given(own: tuple[OwnChain, ...], length: int, support: str) -> Series:
    theta = tuple(chain.chain() for chain in own)
    searched = [c for c in theta if not (c.is_stationary and (support == "definition" or (c.initial > 0).all()))]
    if searched and length > (most := MOST_SEARCHED // len(searched)):
        raise _too_long(length, most, searched)
    states = theta[0].sample(length, np.random.default_rng(_DATA_SEED))
    labels = tuple(f"state {k + 1}" for k in range(theta[0].n_states))
    return Series(states, labels, "the state", known=theta[0], theta=theta)


def _too_long(length: int, most: int, searched: list[MarkovChain]) -> InputError:
    """The refusal of a series whose chains are searched timestamp by timestamp, with what would help."""
    n = len(searched)
    of = "a chain that starts" if n == 1 else f"{n} chains that start"
    what, remedy = f"{of} outside the long run", "leave the starts empty"
    if any(chain.is_stationary for chain in searched):
        of = "a chain" if n == 1 else f"{n} chains"
        what, remedy = f"{of} with states that cannot occur and yet count", "count past states by the definition"
        if not all(chain.is_stationary for chain in searched):
            what, remedy = f"{what}, or that start outside the long run", f"{remedy} and leave the starts empty"
    return InputError(
        f"The length T must be at most {most:,} for {what}",
        value=length,
        remedy=f"Choose a shorter series, or {remedy}",
    )


@cached("settings", entries=4, what="the example of activities, every k-th reading")
def _activities(every: int) -> Series:
    rng = np.random.default_rng(_DATA_SEED)
    day = np.concatenate([activity_day(rng) for _ in range(_DAYS_OF_ACTIVITIES)])[::every]
    people = (np.random.default_rng((_DATA_SEED, person)) for person in range(_OTHER_PEOPLE))
    others = tuple(activity_day(person)[::every] for person in people)
    minutes = float(MINUTES_PER_ACTIVITY * every)
    return _checked(Series(day, ACTIVITIES, "the activity", minutes, learned_from=others))


def unit_of_levels(choices: SeriesChoices, own: OwnData | None) -> str:
    """The unit of the width of levels: "W", unless a series of the user's own has another one."""
    return "W" if own is None or choices.source != "own" else own.unit


@cached("visitor", entries=8, what="levels of power of the example, or of an uploaded file")
def _power(own: OwnData | None, level_w: float, every: int) -> Series:
    watts = household_watts() if own is None or own.watts is None else own.watts
    level = np.floor(watts[::every] / level_w).astype(np.int64)
    lowest = int(level.min())
    states = level - lowest
    unit = "W" if own is None else own.unit
    after = f" {unit}" if unit else ""
    n = int(states.max()) + 1
    _few_enough(n, "Choose wider levels")
    labels = tuple(f"{(lowest + k) * level_w:g}–{(lowest + k + 1) * level_w:g}{after}" for k in range(n))
    minutes, start = (1.0, 0.0) if own is None else (own.minutes, own.start_minute)
    minutes = None if minutes is None else minutes * every
    return _checked(Series(states, labels, _NOUNS.get(unit, "the level"), minutes, start), "Choose wider levels")


def fitting_level_w(watts: Floats, level_w: float, unit: str = "W") -> float:
    """The initial width of levels: the present one if it gives 3 to 30 of them, or a round one that gives few.

    Examples
    --------
    >>> [fitting_level_w(np.array([0.0, most]), 500.0) for most in (60.0, 400.0, 3000.0, 90_000.0)]
    [50.0, 50.0, 500.0, 5000.0]
    """

    def levels(width_w: float) -> int:
        return int(watts.max() // width_w - watts.min() // width_w) + 1

    if 3 <= levels(level_w) <= MAX_STATES // 2:
        return level_w
    widths = _WIDTHS_W if unit == "W" else (*_NARROW, *_WIDTHS_W)
    return next((width_w for width_w in widths if levels(width_w) <= _FEW_LEVELS), _WIDTHS_W[-1])


@cached("visitor", entries=4, what="the states of an uploaded file")
def _own_states(own: OwnData, every: int) -> Series:
    assert own.states is not None
    minutes = None if own.minutes is None else own.minutes * every
    series = Series(own.states[::every], own.labels, "the state", minutes, own.start_minute)
    return _checked(series, "Put them into fewer classes; power readings need a first line such as time,power")


@cached("visitor", entries=12, what="the cells that a track visits")
def _cells(track: Trajectory, cell_m: float, every: int) -> Series:
    states, centres = grid_states(track.points_m[::every], cell_m)
    labels = tuple(f"cell {k + 1}" for k in range(len(centres)))
    return _checked(Series(states, labels, "the cell"), "Choose larger cells")


def _checked(series: Series, remedy: str = "") -> Series:
    if not 2 <= len(series) <= MAX_TIMESTAMPS:
        less = "Read it less often: a larger number under “Read every k-th”" if len(series) > 2 else ""
        what = f"The series must have between 2 and {MAX_TIMESTAMPS:,} timestamps"
        raise InputError(what, value=len(series), remedy=less)
    _few_enough(series.n_states, remedy)
    return series


def _few_enough(n_states: int, remedy: str) -> None:
    if n_states > MAX_STATES:
        raise InputError(f"The series must have at most {MAX_STATES} states", value=n_states, remedy=remedy)
