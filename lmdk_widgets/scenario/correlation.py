"""What the adversary knows about how places follow each other: from the choices of a scenario to two loss functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import AnyStart, LossFunction
from lmdk_widgets.leakage.markov import (
    NAMED_SMOOTHING,
    estimate_transitions,
    grid_states,
    level_states,
    reverse,
    smoothed_identity,
    stationary,
    transient_states,
)
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.model import MAX_STATES, Scenario
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

ESTIMATE_SMOOTHING = 0.01
"""Added to every count before the rows are normalised: a move that has not been seen is unlikely, not impossible."""


@dataclass(frozen=True, eq=False)
class Correlation:
    """A Markov chain of the moves, as an adversary uses it.

    Attributes
    ----------
    matrix : (m, m) transition matrix from one timestamp to the next, None without correlation.
    stationary : (m,) its long-run distribution, used to reverse it; None without correlation.
    backward, forward : loss functions of the chain towards the past and towards the future; None: not propagated. Towards
        the past the start matters: the long run, or a bound over all starts.
    """

    matrix: Floats | None = None
    stationary: Floats | None = None
    backward: LossFunction | AnyStart | None = None
    forward: LossFunction | None = None

    def supremum(self, epsilon: float) -> float:
        """What the total loss stays below for ever when every timestamp spends `epsilon`; inf: it has no bound."""
        backward = epsilon if self.backward is None else self.backward.supremum(epsilon)
        forward = epsilon if self.forward is None else self.forward.supremum(epsilon)
        return backward + forward - epsilon

    @cached_property
    def transient(self) -> int:
        """How many states the chain leaves for ever: in its long run they never occur."""
        return 0 if self.matrix is None else len(transient_states(self.matrix))

    def bounded_epsilon(self) -> float:
        """The budget below which the loss stays bounded for ever; inf when it always does, 0 when it never does."""
        sides = [side.largest_bounded_epsilon() for side in (self.backward, self.forward) if side is not None]
        return min(sides, default=float("inf"))


def correlation_of(scenario: Scenario, trajectory: Trajectory) -> Correlation:
    """The chain that a scenario names, for the adversary that it names.

    Raises
    ------
    InputError : when the chain cannot be estimated with these cells, or no matrix or a bad one was given.
    """
    chain = _chain(scenario, trajectory)
    match scenario.adversary:
        case "any":
            return _over_all_starts(chain)
        case "past":
            return replace(chain, forward=None)
        case "future":
            return replace(chain, backward=None)
    return chain


@cached("visitor", entries=16, what="a chain with the largest loss over all its starts")
def _over_all_starts(chain: Correlation) -> Correlation:
    return chain if chain.matrix is None else replace(chain, backward=AnyStart(chain.matrix))


def _chain(scenario: Scenario, trajectory: Trajectory) -> Correlation:
    if scenario.correlation == "none":
        return Correlation()
    if scenario.correlation == "estimated":
        if isinstance(trajectory, Series):
            return _estimated_levels(trajectory, scenario.level_width)
        return _estimated(trajectory, scenario.cell_m)
    if scenario.correlation == "matrix":
        if not scenario.matrix:
            raise InputError("A matrix must be given first", remedy="Paste one, or choose another correlation")
        return _given(scenario.matrix)
    states = 2 if isinstance(trajectory, Series) and trajectory.is_answers else scenario.states
    return _sticky(states, NAMED_SMOOTHING.get(scenario.correlation, scenario.smoothing))


@cached("settings", entries=16, what="a chain that stays, smoothed")
def _sticky(states: int, smoothing: float) -> Correlation:
    matrix = smoothed_identity(states, smoothing)
    # Symmetric, so with its uniform long run the reversed chain is the same.
    loss = LossFunction(matrix)
    return Correlation(matrix, np.full(states, 1 / states), loss, loss)


@cached("settings", entries=8, what="the chain of a matrix that a user typed")
def _given(rows: tuple[tuple[float, ...], ...]) -> Correlation:
    return _reversible(np.array(rows, float))


def _reversible(matrix: Floats) -> Correlation:
    return Correlation(matrix, stationary(matrix), LossFunction(reverse(matrix)), LossFunction(matrix))


@cached("visitor", entries=8, what="the chain of a track's cells")
def _estimated(trajectory: Trajectory, cell_m: float) -> Correlation:
    states, centres = _cells(trajectory, cell_m)
    if len(centres) > MAX_STATES:
        what = f"The track must visit at most {MAX_STATES} cells for its moves to be estimated"
        side = written(cell_m)
        value = sentence("{cells} cells of {cell_side} m", cells=f"{len(centres):,}", cell_side=side)
        raise InputError(what, value=value, remedy="Choose larger cells")
    return _reversible(estimate_transitions(states, len(centres), smoothing=ESTIMATE_SMOOTHING))


@cached("visitor", entries=8, what="the chain of a series' levels")
def _estimated_levels(series: Series, width: float) -> Correlation:
    states, centres = _levels(series, width)
    if len(centres) > MAX_STATES:
        what = f"The series must have at most {MAX_STATES} levels for its moves to be estimated"
        value = sentence("{levels} of width {level_width}", levels=f"{len(centres):,}", level_width=written(width))
        raise InputError(what, value=value, remedy="Choose wider levels")
    return _reversible(estimate_transitions(states, len(centres), smoothing=ESTIMATE_SMOOTHING))


@cached("visitor", entries=8)
def _levels(series: Series, width: float) -> tuple[NDArray[np.int64], Floats]:
    """The states of a series: its levels, or its answers."""
    return level_states(series.values, 1.0 if series.is_answers else width)


def levels_visited(series: Series, width: float) -> int:
    """How many levels of a width contain a value of a series; for answers, how many there are."""
    return len(_levels(series, width)[1])


@cached("visitor", entries=8, what="the cells of a track as states, and their centres")
def _cells(trajectory: Trajectory, cell_m: float) -> tuple[NDArray[np.int64], Floats]:
    return grid_states(trajectory.points_m, cell_m)


def cells_visited(trajectory: Trajectory, cell_m: float) -> int:
    """How many cells of a grid a track visits; at most `MAX_STATES` of them can be states of an estimated chain."""
    return len(_cells(trajectory, cell_m)[1])
