"""What if someone assumes a chain: the temporal loss pair by pair, between places in two cells, by their distance.

The states of a chain are assumed to be the cells that the track visits most, or levels between the bounds of a series.
Places in two cells are told apart by their own distance and by what the chain carries over between their cells, if the
place within a cell is drawn anew at every timestamp, alike in every cell. Someone who stays at one place repeats that
place, so a chain bounds nothing for two places in one cell. Theorem: `docs/pairs.md`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.guarantee import stretched
from lmdk_widgets.answers.largest_spent import most_of_one
from lmdk_widgets.budgets import window_totals
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import AnyStart, pairwise_loss, reverse, temporal_loss
from lmdk_widgets.leakage.markov import grid_states, level_states
from lmdk_widgets.leakage.pair_step import StayStep, pair_step, stays
from lmdk_widgets.leakage.pairwise import EVEN, EVEN_STEPS, Step, limit
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

NAME = "pairs"
"""The name of the panel that finds them, and of its result."""

MOST_STATES, MOST_OF_ANY_START = 50, 25
"""The most states of a chain for which trees are grown, and for which all starts are tried for every pair."""

AT_ONCE = 300
"""Timestamps with different budgets that a slider can wait for."""

MOST_STEPS = 20_000
"""Timestamps with different budgets that are followed one by one; beyond, all count as the largest."""

MOST_LISTED = 4_000_000
"""Bounds of pairs that are listed, over all timestamps: beyond this, what grows for ever is said to have no limit."""

TREE_WORK = 300_000
"""The most timestamps times cubed states, of a chain with trees, for which different budgets are followed one by one."""

TREE_WORK_OF_MANY = 25_000
"""The same of each of many settings, which is 50 to 300 ms; a row of a table takes about 15 ms otherwise."""

DISTANCES = 25
"""The number of points of the chart."""


@dataclass(frozen=True, eq=False)
class States:
    """Where the m states of a chain are; lengths in metres, or in the unit of a series.

    Attributes
    ----------
    middles : (m, 2) or (m, 1). side : of a cell, or of a level. per_length : the loss between values one apart, at a
        budget of 1. unit : (m, m) the loss between two states at a budget of 1. radius : at which budgets are counted.
    stretch : by what factor the frame may lengthen a distance on the ground: two places may lie in cells that are that
        many times as far apart.
    exact : whether states are told apart by their middles alone: reported cells, in which places are indistinguishable.
    blind : whether nothing is known about where they are, so any two count as being as far apart as possible.
    """

    middles: Floats
    side: float
    per_length: float
    unit: Floats
    radius: float
    stretch: float = 1.0
    exact: bool = False
    blind: bool = False

    def __len__(self) -> int:
        return len(self.unit)

    @cached_property
    def other(self) -> NDArray[np.bool_]:
        """(m, m) whether two states differ."""
        return ~np.eye(len(self), dtype=bool)

    @property
    def step(self) -> float:
        """The distance at which budgets are counted; for reported cells, that of neighbouring ones."""
        return self.side if self.exact and not self.blind else self.radius

    @cached_property
    def reach(self) -> tuple[Floats, Floats]:
        """(m, m) the range of distances between two places of two states: above the first, up to the second."""
        apart = np.abs(self.middles[:, None] - self.middles)
        low = np.sqrt((np.maximum(apart - self.side, 0.0) ** 2).sum(axis=-1))
        high = np.sqrt(((apart + self.side) ** 2).sum(axis=-1))
        return low * (1 + 1e-12), high

    def at(self, distance: float) -> tuple[NDArray[np.bool_], Floats]:
        """(m, m) which two different states can contain places this far apart, and their loss at a budget of 1."""
        if self.blind:
            return self.other, np.full_like(self.unit, distance * self.per_length)
        if self.exact:
            apart = np.sqrt(((self.middles[:, None] - self.middles) ** 2).sum(axis=-1))
            return self.other & (np.abs(apart - distance) <= self.side / 2), self.unit
        low, high = self.reach
        holds = self.other & (low < distance * self.stretch) & (distance <= high)
        return holds, np.full_like(self.unit, distance * self.per_length)

    @cached_property
    def near(self) -> float:
        """The distance nearest to `step` at which two different states contain places."""
        if self.blind:
            return self.step
        if self.exact:
            each = np.sqrt(((self.middles[:, None] - self.middles) ** 2).sum(axis=-1))[self.other]
            if (np.abs(each - self.step) <= self.side / 2).any():
                return self.step
        else:
            low, high = (side[self.other] for side in self.reach)
            each = np.clip(self.step, low / self.stretch * (1 + 1e-12), high)
        return float(each[np.argmin(np.abs(each - self.step))])

    def anywhere(self) -> Floats:
        """(m, m) the loss at a budget of 1 of the two places of two states that are farthest apart."""
        return self.unit if self.exact or self.blind else self.reach[1] * self.per_length / self.stretch

    def distances(self) -> list[float]:
        """The distances of the chart's points, ascending."""
        if self.exact and not self.blind:
            apart = np.sqrt(((self.middles[:, None] - self.middles) ** 2).sum(axis=-1))[self.other]
            return sorted({max(round(each / self.side), 1) * self.side for each in apart.tolist()})
        most = float(self.anywhere().max()) * self.radius
        near = min(self.radius, most)
        return sorted({*np.geomspace(near / 4, most, DISTANCES - 1).tolist(), near})


@dataclass(frozen=True, eq=False)
class Pairs:
    """The temporal loss of n timestamps pair by pair, of which k differ.

    Attributes
    ----------
    states : of the chain. spent : (k,) budgets. before, after : (any, m, m) what the chain carries over between two states
        from the past, and from the future. ends : (2, k) which of these each has.
    which : (n,) which of the k each timestamp is.
    by_distance : whether a distance matters: for places, unless they are cells that are all told apart alike.
    one_number : whether one number stands for all pairs: that of Cao et al. at the largest distance.
    largest : whether every timestamp counts as if it spent the largest budget.
    """

    states: States
    spent: Floats
    before: Floats
    after: Floats
    ends: NDArray[np.intp]
    which: NDArray[np.intp]
    by_distance: bool
    one_number: bool = False
    largest: bool = False

    def carried(self, mask: NDArray[np.bool_]) -> Floats:
        """(k, pairs) what the chain carries over between the two states of these pairs."""
        return np.asarray(self.before[:, mask][self.ends[0]] + self.after[:, mask][self.ends[1]])

    def _most(self, mask: NDArray[np.bool_], own: Floats) -> Floats:
        """(k,) the most of these pairs, whose own loss at a budget of 1 is (m, m)."""
        return np.asarray((self.spent[:, None] * own[mask] + self.carried(mask)).max(axis=1))

    def between(self, distance: float) -> Floats | None:
        """(k,) the most between places this far apart in two states; None where no two states contain such places."""
        mask, own = self.states.at(distance)
        return self._most(mask, own) if mask.any() else None

    @cached_property
    def total(self) -> Floats:
        """(n,) between any two places of any two states."""
        return self._most(self.states.other, self.states.anywhere())[self.which]

    @cached_property
    def near(self) -> Floats:
        """(n,) between places in two states that are `States.near` apart: one radius, or as near to that as there are any;
        otherwise as `total`."""
        return self._most(*self._near)[self.which]

    @property
    def _near(self) -> tuple[NDArray[np.bool_], Floats]:
        """(m, m) the pairs that `near` considers, and their own loss at a budget of 1."""
        if not self.by_distance:
            return self.states.other, self.states.anywhere()
        return self.states.at(self.states.near)

    def in_a_row(self, window: int, most: float = math.inf) -> float:
        """What any `window` timestamps in a row reveal together about two paths as far apart as in `near` at each of them
        (Theorem 8). most : the most that the budgets in a row add up to, whatever the scheme chooses."""
        mask, own = self._near
        before, after = (
            side[:, mask].max(axis=1)[ends][self.which]
            for side, ends in zip((self.before, self.after), self.ends, strict=True)
        )
        last = np.arange(len(self.which))
        first = np.maximum(last - window + 1, 0)
        spent = np.minimum(window_totals(self.spent[self.which], min(window, len(last))), most)
        return float((before[first] + spent * own[mask].max() + after[last]).max())

    def most_at(self, distance: float) -> float:
        """The largest of `between`; NaN where no two states have places this far apart."""
        found = self.between(distance)
        return math.nan if found is None else float(found.max())

    def median_at(self, distance: float) -> float:
        """The median over the pairs of states that contain places this far apart."""
        mask, own = self.states.at(distance)
        of_pairs = (self.spent[:, None] * own[mask] + self.carried(mask)).max(axis=0)
        return float(np.median(of_pairs)) if len(of_pairs) else math.nan


def pairs_of(outcome: Outcome) -> Pairs | None:
    """The loss of an outcome pair by pair: what is found, or what takes no time; by the diameter where nothing better
    is awaited. None: it is being computed, or there is no chain."""
    if not has_pairs(outcome):
        return None
    found = outcome.found(NAME)
    if isinstance(found, Pairs):
        return found
    if (quick := at_once(outcome)) is not None:
        return quick
    waiting = NAME in outcome.results and not outcome.results[NAME].done and not outcome.stopped
    return None if waiting else by_diameter(outcome)


def has_pairs(outcome: Outcome) -> bool:
    """Whether there is a chain of two states or more, and not of answers: for two answers Cao's number is that of both."""
    return outcome.correlation.matrix is not None and not (lone(outcome) or outcome.kind.counts_wrong)


def lone(outcome: Outcome) -> bool:
    """Whether the chain has one state, so it says nothing."""
    return outcome.correlation.matrix is not None and len(outcome.correlation.matrix) == 1


@cached("visitor", entries=8, what="the loss of pairs that a slider can wait for")
def at_once(outcome: Outcome) -> Pairs | None:
    """By stars alone, or by one number for all pairs: what a slider can wait for; None: it takes longer."""
    trees = takes_trees(outcome)
    if trees and len(states_of(outcome)) > (MOST_OF_ANY_START if outcome.scenario.adversary == "any" else MOST_STATES):
        return by_diameter(outcome)
    budgets = counted(outcome)[0]
    if trees or (len(budgets) > AT_ONCE and (budgets != budgets[0]).any()):
        return None
    *_, found = compute(outcome)
    assert isinstance(found, Pairs)
    return found


@cached("visitor", entries=8)
def of_many(outcome: Outcome) -> Pairs:
    """The loss of one of many settings: pair by pair where that does not take long, otherwise by the diameter. Which it
    is depends only on the chain, the adversary and the track."""
    if too_long_for_many(outcome):
        return by_diameter(outcome)
    *_, found = compute(outcome)
    assert isinstance(found, Pairs)
    return found


def too_long_for_many(outcome: Outcome) -> bool:
    """Whether each of many settings has one number for all pairs, as pairs take too long."""
    return takes_trees(outcome) and len(outcome) * len(states_of(outcome)) ** 3 > TREE_WORK_OF_MANY


def takes_trees(outcome: Outcome) -> bool:
    """Whether stars alone are not enough: for a chain whose moves are not equally likely, and over all starts."""
    matrix = outcome.correlation.matrix
    assert matrix is not None
    return not stays(matrix) or outcome.scenario.adversary == "any"


def counted(outcome: Outcome) -> tuple[Floats, bool]:
    """(n,) the budgets that are counted, and whether the largest replaces them all: for a scheme that chooses them as
    it goes, and where too many differ."""
    spent, n, most = outcome.budgets, len(outcome), most_of_one(outcome)
    if outcome.scenario.spread.online:
        return np.full(n, most), True
    if (spent == spent[0]).all():
        return spent, False
    m = len(states_of(outcome))
    if n > MOST_STEPS or n * m**2 > MOST_LISTED or (takes_trees(outcome) and n * m**3 > TREE_WORK):
        return np.full(n, most), True
    return spent, False


def compute(outcome: Outcome) -> Iterator[float | Pairs]:
    """The loss pair by pair: how much of it is done, 0 to 1, and finally the result."""
    states, budgets = states_of(outcome), counted(outcome)[0]
    before, after = _sides(outcome)
    if (budgets == budgets[0]).all():
        first = budgets[0] * states.unit
        sides: list[list[Floats]] = []
        steps = [pair_step(side, "chain") if side is not None else None for side in (before, after)]
        alike = before is not None and before is after
        for k, step in enumerate(steps[:1] if alike else steps):
            found = [first]
            for share, bound in islice(limit(first, step), max(len(budgets) - 1, 0)):
                found.append(bound)
                if not isinstance(step, StayStep):
                    yield (k + share) / 2
            sides.append(_as_far_as(len(budgets), found, step))
        back, ahead = sides[0], sides[-1]
        n = len(budgets)
        into = np.minimum(np.arange(n), len(back) - 1), np.minimum(np.arange(n)[::-1], len(ahead) - 1)
        distinct, which = np.unique(into[0] * len(ahead) + into[1], return_inverse=True)
        ends = np.stack(np.divmod(distinct, len(ahead)))
        sided = np.array(back) - first, np.array(ahead) - first
        yield _found(outcome, states, np.full(len(distinct), budgets[0]), sided, ends, which)
        return
    loss = pairwise_loss(before, after, budgets, states.unit)
    own, every = budgets[:, None, None] * states.unit, np.arange(len(budgets))
    yield _found(outcome, states, budgets, (loss.backward - own, loss.forward - own), np.stack((every, every)), every)


def _as_far_as(n: int, bounds: list[Floats], step: Step) -> list[Floats]:
    """The bounds of n timestamps, the last perhaps a limit: where it is infinite, computed until they grow evenly.

    Examples
    --------
    >>> first = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> told = _as_far_as(60, [first, np.where(first > 0, np.inf, 0.0)], pair_step(np.eye(2), "chain"))
    >>> [float(told[k].max()) for k in (0, 1, 2, 59)]
    [2.0, 4.0, 6.0, 120.0]
    """
    *told, last = bounds
    if np.isfinite(last).all() or step is None or n * last.size > MOST_LISTED:
        return bounds
    even, growth = 0, np.full_like(last, np.nan)
    while len(told) < n and even < EVEN_STEPS:
        told.append(told[0] + step(told[-1]))
        before, growth = growth, told[-1] - told[-2]
        even = even + 1 if (np.abs(growth - before) <= EVEN * growth.max()).all() else 0
    return told + [told[-1] + k * growth for k in range(1, n - len(told) + 1)]


def _found(
    outcome: Outcome,
    states: States,
    spent: Floats,
    sided: tuple[Floats, Floats],
    ends: NDArray[np.intp],
    which: NDArray[np.intp],
) -> Pairs:
    placed = outcome.kind.placed
    before, after = (np.where(states.other, np.maximum(side, 0.0), 0.0) for side in sided)
    by_distance = placed and outcome.scenario.mechanism != "randomised"
    blind = placed and states.blind and by_distance
    return Pairs(states, spent, before, after, ends, which, by_distance, one_number=blind, largest=counted(outcome)[1])


def by_diameter(outcome: Outcome) -> Pairs:
    """By the one number of Cao et al. with every budget counted at the largest distance of any two places."""
    known, states, budgets = outcome.correlation, states_of(outcome), counted(outcome)[0]
    most = float(states.anywhere().max())
    loss = temporal_loss(known.backward, known.forward, budgets * most)
    spread = np.asarray(most * states.other, float)
    blind = replace(states, unit=spread, blind=True, exact=False)
    told = np.stack((budgets, loss.backward - budgets * most, loss.forward - budgets * most))
    (spent, *sided), which = np.unique(told, axis=1, return_inverse=True)
    before, after = (side[:, None, None] * states.other for side in sided)
    every = np.arange(len(spent))
    found = _found(outcome, blind, spent, (before, after), np.stack((every, every)), which.reshape(-1))
    return replace(found, one_number=True)


def _sides(outcome: Outcome) -> tuple[Floats | AnyStart | None, Floats | None]:
    """What is known about the past and about the future; one object where both are the same."""
    matrix, adversary = outcome.correlation.matrix, outcome.scenario.adversary
    assert matrix is not None
    before: Floats | AnyStart | None = matrix if stays(matrix) else reverse(matrix)
    if adversary == "any":
        before = AnyStart(matrix)
    return None if adversary == "future" else before, None if adversary == "past" else matrix


@cached("visitor", entries=8)
def states_of(outcome: Outcome) -> States:
    """Where the states of the chain are."""
    scenario, matrix = outcome.scenario, outcome.correlation.matrix
    assert matrix is not None
    m = len(matrix)
    other = 1.0 - np.eye(m)
    if not outcome.kind.placed:
        return _levels(outcome, other)
    if scenario.mechanism == "randomised":
        return States(np.zeros((m, 2)), 0.0, 1.0, other, 1.0, exact=True, blind=True)
    wide, radius = stretched(outcome), scenario.radius_m
    stretch = wide / radius
    if scenario.correlation == "matrix":
        return States(np.zeros((m, 2)), 0.0, stretch, _diameter(outcome) / radius * other, radius, wide, blind=True)
    if outcome.reports is not None and scenario.correlation != "estimated":
        area = outcome.reports.area
        middles, side = area.points_m[_most_visited(area.nearest(_truth(outcome)), len(area), m)], area.cell_m
        if len(middles) < m:
            return States(
                np.zeros((m, 2)), side, stretch, _diameter(outcome) / radius * other, radius, wide, blind=True
            )
        return States(middles, side, stretch, _apart(middles) * stretch, radius, wide, exact=True)
    middles = cells_of_chain(outcome.trajectory, scenario.cell_m, m)
    if outcome.reports is not None:  # two places may lie in reported cells that are farther apart, by their diagonal
        unit = (_apart(middles) + math.sqrt(2) * scenario.place_m) * stretch * other
        return States(middles, scenario.place_m, stretch, unit, radius, wide, exact=True)
    # in the frame of the noise a distance counts as it is; on the ground, up to `stretched` times
    return States(middles, scenario.cell_m, stretch, _apart(middles) / radius, radius, wide)


def _truth(outcome: Outcome) -> Floats:
    assert outcome.reports is not None
    return outcome.reports.area.frame.to_metres(outcome.trajectory.latitude, outcome.trajectory.longitude)


def _diameter(outcome: Outcome) -> float:
    """The most that two places of the region, or of the track, are apart, metres in the frame of the noise."""
    extent = np.ptp(outcome.trajectory.points_m, axis=0)
    return max(float(np.hypot(*extent)), outcome.scenario.radius_m)


def _levels(outcome: Outcome, other: Floats) -> States:
    """Levels between the bounds: those that the series visits where the chain is estimated, or as many of equal width."""
    ground, m = outcome.ground, len(other)
    lower, upper = float(getattr(ground, "lower", 0.0)), float(getattr(ground, "upper", 1.0))
    per = 1 / (upper - lower)
    if outcome.scenario.correlation == "matrix":
        return States(np.zeros((m, 1)), 0.0, per, other, upper - lower, blind=True)
    if outcome.scenario.correlation == "estimated":
        assert outcome.series is not None
        side = outcome.scenario.level_width
        middles: Floats = np.clip(level_states(outcome.series.values, side)[1], lower, upper)
    else:
        side = (upper - lower) / m
        middles = np.asarray(lower + (np.arange(m) + 0.5) * side, float)
    column = middles[:, None]
    unit = np.minimum(_apart(column) * per, 1.0)
    return States(column, side, per, unit, upper - lower)


def _apart(middles: Floats) -> Floats:
    return np.sqrt(((middles[:, None] - middles) ** 2).sum(axis=-1))


@cached("visitor", entries=8)
def cells_of_chain(trajectory: Trajectory, cell_m: float, m: int) -> Floats:
    """(m, 2) the middles of the cells that a track visits most, metres, all of them in their order where there are m; where
    there are fewer, with the cells that are nearest to the first.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> (cells_of_chain(sample("bob"), 1000.0, 5) - [500, -3500]).tolist()
    [[2000.0, 0.0], [4000.0, 0.0], [0.0, 0.0], [1000.0, 0.0], [2000.0, -1000.0]]
    """
    cell, middles = grid_states(trajectory.points_m, cell_m)
    if len(middles) == m:
        return middles
    found: np.ndarray = middles[_most_visited(cell, len(middles), m)]
    ring = 0
    while len(found) < m:
        ring += 1
        offsets = np.stack(np.meshgrid(*[np.arange(-ring, ring + 1)] * 2), axis=-1).reshape(-1, 2)
        nearest = np.argsort((offsets**2).sum(axis=1), kind="stable")  # of integers, so ties keep their order
        around = offsets[nearest] * cell_m + found[0]
        new = [each for each in around if np.abs(found - each).max(axis=1).min() > cell_m / 2]
        found = np.concatenate((found, np.array(new[: m - len(found)]).reshape(-1, 2)))
    return found


def _most_visited(cell: NDArray[np.int64], cells: int, m: int) -> NDArray[np.intp]:
    """The m cells that are visited most; in a tie, the first ones."""
    return np.argsort(-np.bincount(cell, minlength=cells), kind="stable")[:m]
