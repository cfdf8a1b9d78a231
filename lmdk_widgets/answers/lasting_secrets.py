"""Two secrets that last: the stay with the largest budget, and the place that is always the same.

Someone who knows when one is there adds up all reports of it (`inference.known_hours`). No scheme but user level promises
anything about them: what their reports reveal is computed for this release's budgets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.guarantee import stretched
from lmdk_widgets.answers.largest_spent import most_of
from lmdk_widgets.answers.main_places import LASTING, lasting_places_of, main_place_of
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import spent_of
from lmdk_widgets.answers.silences import shortest_silence_s
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.known_hours import KnownHours, known_hours
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.sentences import Written
from lmdk_widgets.scenario.ground import Numbers
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.stays import stay_points

LEVEL_SHARE = 0.1
"""A level of a series is asked against one this share of its range away; it lasts while its values stay that close."""

Runs = tuple[tuple[int, int], ...]
"""First and last timestamps of stretches."""


@dataclass(frozen=True, eq=False)
class LastingSecret:
    """A secret about several timestamps.

    Attributes
    ----------
    called : "your longest stay", "your home". length : how long it lasts: "12.6 h", "57 timestamps".
    members : (n,) bool, its timestamps.
    outcome, spent : whose reports they are, and (k, n) what these spend, a row for each draw.
    """

    called: str
    length: str
    members: NDArray[np.bool_]
    outcome: Outcome
    spent: Floats

    @property
    def lasts(self) -> bool:
        """Whether it is about more than one moment."""
        return int(self.members.sum()) > 1

    @cached_property
    def hours(self) -> KnownHours:
        """What its reports reveal to someone who knows when they were made."""
        outcome = self.outcome
        distance = stretched(outcome) if outcome.kind.placed else LEVEL_SHARE
        return hours_of(outcome, self.spent, self.members, distance)


@cached("visitor", entries=8)
def stay_of(outcome: Outcome) -> LastingSecret | None:
    """The stay, or the stretch at one level or with one answer, whose reports spend most; the largest moment where nothing
    lasts. None where it is not computed: for cells, without the true data, and while budgets are drawn.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> stay = stay_of(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    >>> stay.called, stay.length, round(math.exp(stay.hours.half), 2), round(math.exp(stay.hours.tenth), 1)
    ('your longest stay', '12.6 h', 1.6, 5.5)
    """
    spent = _spent(outcome)
    if spent is None:
        return None
    runs = np.array(stretches(outcome.trajectory, *_bounds(outcome)))
    sums = np.concatenate(([0.0], np.cumsum(np.median(spent, axis=0))))
    first, last = runs[int((sums[runs[:, 1] + 1] - sums[runs[:, 0]]).argmax())].tolist()
    members = np.zeros(len(outcome), bool)
    members[first : last + 1] = True
    stays = {"numbers": "the longest time at one level", "answers": "the longest run of one answer"}
    called = stays.get(_kind(outcome), "your longest stay")
    return LastingSecret(called, _lasted(outcome.trajectory, first, last), members, outcome, spent)


@cached("visitor", entries=8)
def home_of(outcome: Outcome) -> LastingSecret | None:
    """The main place of a track, whether or not it may be called home; None as for `stay_of`, and for a series."""
    spent = _spent(outcome)
    if spent is None or not outcome.kind.placed:
        return None
    main, lasting = main_place_of(outcome.trajectory), lasting_places_of(outcome.trajectory)
    length = lasting[0].often if lasting else main.often
    return LastingSecret(main.called, length, main.members, outcome, spent)


def lasting_secrets(outcome: Outcome) -> tuple[LastingSecret, ...]:
    """The stay and the main place, as far as they are about more than one moment, and differ."""
    stay, home = stay_of(outcome), home_of(outcome)
    told = [stay] if stay is not None and stay.lasts else []
    if home is not None and home.members.sum() >= LASTING and not (told and (told[0].members == home.members).all()):
        told.append(home)
    return tuple(told)


def _spent(outcome: Outcome) -> Floats | None:
    if outcome.trajectory.name == RELEASE_NAME or outcome.reports is not None:
        return None
    return spent_of(outcome)


def _kind(outcome: Outcome) -> str:
    return "planar" if outcome.kind.placed else "answers" if outcome.kind.counts_wrong else "numbers"


def _bounds(outcome: Outcome) -> tuple[float, float]:
    ground = outcome.ground
    return (ground.lower, ground.upper) if isinstance(ground, Numbers) else (0.0, 1.0)


def hours_of(outcome: Outcome, spent: Floats, members: NDArray[np.bool_], distance: float) -> KnownHours:
    """What the reports of some timestamps, (n,) bool, reveal about two places, or levels, at this distance in radii, or in
    ranges: of one row of budgets; of several draws the medians, and at most what the scheme can spend."""
    found = [known_hours(row[members], distance, kind=_kind(outcome)) for row in spent]
    if len(found) == 1:
        return found[0]
    ratio = 1.0 if outcome.kind.counts_wrong else distance
    most = most_of(outcome, members)
    half, tenth, right = (
        float(np.median([getattr(one, name) for one in found])) for name in ("half", "tenth", "right")
    )
    return KnownHours(most * ratio, half, tenth, right, int(np.median([one.reports for one in found])))


@cached("visitor", entries=4)
def stretches(data: Trajectory, lower: float, upper: float) -> Runs:
    """First and last timestamps of every stay of a track, or of the longest stretches of a series at one level, or with one
    answer; single timestamps where there are none. No stay spans a silence, which is long without a row (`silences`).

    Examples
    --------
    >>> time = np.datetime64("2026-01-26T08:00", "s") + np.arange(0, 3600, 600)
    >>> stretches(Series(time, values=np.array([1.0, 1.1, 5.0, 5.2, 5.1, 9.0])), 0.0, 10.0)
    ((0, 1), (2, 4), (5, 5))
    """
    if isinstance(data, Series):
        return _level_runs(data.values, 0.0 if data.is_answers else LEVEL_SHARE * (upper - lower))
    return tuple(_stays(data)) or tuple((t, t) for t in range(len(data)))


def _stays(track: Trajectory) -> Iterator[tuple[int, int]]:
    """First and last timestamps of the stays between two silences: nobody knows where one was in a silence."""
    silent = np.flatnonzero(np.diff(track.time) / np.timedelta64(1, "s") >= shortest_silence_s(track)) + 1
    edges = [0, *silent.tolist(), len(track)]
    for start, end in pairwise(edges):
        part = (
            track
            if len(edges) == 2
            else Trajectory(track.latitude[start:end], track.longitude[start:end], track.time[start:end])
        )
        yield from ((start + stay.first, start + stay.last) for stay in stay_points(part))


def _level_runs(values: Floats, width: float) -> Runs:
    """The longest stretches with values within a width of each other that are part of no longer one."""
    found: list[tuple[int, int]] = []
    first, low, high = 0, list[int](), list[int]()  # indices with the smallest and the largest values so far, in order
    for t, value in enumerate(values.tolist()):
        while low and values[low[-1]] >= value:
            low.pop()
        while high and values[high[-1]] <= value:
            high.pop()
        low.append(t)
        high.append(t)
        moved = first
        while values[high[0]] - values[low[0]] > width * (1 + 1e-9):
            first = min(low[0], high[0]) + 1
            if low[0] < first:
                low.pop(0)
            if high[0] < first:
                high.pop(0)
        if moved < first:
            found.append((moved, t - 1))
    found.append((first, len(values) - 1))
    return tuple(found)


def _lasted(data: Trajectory, first: int, last: int) -> str:
    """How long a stretch lasts, from its first timestamp to its last; a value of a series lasts until the next one."""
    hours = float((data.time[last] - data.time[first]) / np.timedelta64(1, "h"))
    if isinstance(data, Series) and len(data) > 1:
        hours += float(np.median(np.diff(data.time)) / np.timedelta64(1, "h"))
    if hours >= 1:
        whole = hours >= 20 or math.isclose(hours, round(hours))
        return Written(f"{hours:.0f} h" if whole else f"{hours:.1f} h", hours)
    return count(last - first + 1, "timestamp")
