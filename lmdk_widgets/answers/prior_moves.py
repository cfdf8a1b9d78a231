"""What an adversary who follows the track starts with: the cells, the start, and how people are believed to move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.inference import Moves
from lmdk_widgets.leakage import LossFunction
from lmdk_widgets.scenario.attacker_levels import MOST_NUMBERS, Levels, levels_of
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.scenario.correlation import ESTIMATE_SMOOTHING, Correlation
from lmdk_widgets.scenario.grid import grid_over
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.people import people_prior
from lmdk_widgets.scenario.reportable_cells import reported_area
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

RARELY = 1e-6
"""The smallest chance that a person goes anywhere: no track is impossible to the attacker."""

Cells = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Stretch:
    """Timestamps in a row that the attacker considers together.

    Attributes
    ----------
    span : the timestamps. prior : (m,) the belief about the first of them. moves : between two of them.
    loss : returns the loss function of the moves, the same towards the past and the future, where moves are equally
        likely in both directions and the start is uniform, which it then always stays; otherwise None.
    """

    span: slice
    prior: Floats
    moves: Moves | Floats
    loss: Callable[[], LossFunction] | None = None


def attacker_states(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> Area | Levels:
    """What the attacker distinguishes: cells of a track, levels of a series of numbers, or the two answers."""
    return (
        levels_of(scenario, trajectory)
        if isinstance(trajectory, Series)
        else attacker_cells(scenario, knowledge, trajectory)
    )


def attacker_cells(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> Area:
    """The cells that the attacker distinguishes: those that are reported, or a grid over the track and what lies around it.

    The grid is made to measure what the attacker finds; no mechanism uses it.
    """
    return (
        attacker_grid(knowledge, trajectory) if scenario.mechanism == "planar" else reported_area(scenario, trajectory)
    )


def attacker_grid(knowledge: Knowledge, trajectory: Trajectory) -> Area:
    """A grid over the track with as many cells as the attacker may distinguish."""
    return grid_over(trajectory, min(knowledge.cells, MOST_NUMBERS // len(trajectory)))


def stretches(
    scenario: Scenario,
    knowledge: Knowledge,
    trajectory: Trajectory,
    chain: Correlation,
    area: Area | Levels,
    truth: Cells,
) -> Iterator[Stretch]:
    """The track in the parts that the attacker considers: all of it, or each day separately, with what is known about it.

    Parameters
    ----------
    chain : the correlation of the page. truth : (n,) the cell of each timestamp, which is used for "track" and, except
        for the day that is attacked, for "days".
    """
    n, m = len(truth), len(area)
    for span in _days(trajectory) if "days" in (knowledge.start, knowledge.moves) else [slice(0, n)]:
        others = np.delete(truth, span)
        prior = _start(knowledge, trajectory, area, truth if knowledge.start == "track" else others)
        known = {"track": truth, "days": others}.get(knowledge.moves)
        if known is None and knowledge.moves == "page" and scenario.correlation == "estimated":
            known = truth
        if known is not None:
            moves: Moves | Floats = Moves.estimated(known, m, smoothing=ESTIMATE_SMOOTHING)
            yield Stretch(span, prior, moves)
            continue
        made: tuple[Any, ...] = (near_moves, area, knowledge.step_m)
        if knowledge.moves == "page":
            made = (sticky, m, stays(chain, m))
        loss = partial(_loss, *made) if knowledge.start == "uniform" else None
        yield Stretch(span, prior, made[0](*made[1:]), loss)


def _start(knowledge: Knowledge, trajectory: Trajectory, area: Area | Levels, seen: Cells) -> Floats:
    """(m,) the belief about the first timestamp of a stretch; `seen`: cells that the attacker knows the track to be in."""
    if knowledge.start == "uniform":
        return np.full(len(area), 1 / len(area))
    if knowledge.start == "people":
        assert isinstance(area, Area)  # a series is refused earlier
        return people_prior(area, trajectory)
    prior = np.bincount(seen, minlength=len(area)) + ESTIMATE_SMOOTHING
    return np.asarray(prior / prior.sum(), float)


def days(trajectory: Trajectory) -> int:
    """On how many calendar days the track has timestamps."""
    return len(_days(trajectory))


def _days(trajectory: Trajectory) -> list[slice]:
    """The timestamps of each day, by the clock of the track's zone where it is known."""
    date = clock_times(trajectory, trajectory.zone or "UTC").astype("datetime64[D]")
    ends = [*(np.flatnonzero(date[1:] != date[:-1]) + 1).tolist(), len(date)]
    return [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]


def stays(chain: Correlation, m: int) -> float:
    """How likely a person is to stay for a timestamp: as in the long run of the page's chain, but never less than for
    any move.

    Without correlation all m cells are equally likely, whatever came before.
    """
    if chain.matrix is None or chain.stationary is None:
        return 1 / m
    return max(float(chain.stationary @ np.diag(chain.matrix)), 1 / m)


@cached("settings", entries=8)
def sticky(m: int, stay: float) -> Moves:
    """Stay with a probability, otherwise go to any other cell, all equally likely."""
    jump = max((1 - stay) / (1 - 1 / m), RARELY) if m > 1 else 1.0
    every = np.arange(m)
    return Moves(every, every, np.full(m, 1 - jump), jump, m)


@cached("visitor", entries=4)
def near_moves(area: Area | Levels, step_m: float) -> Floats:
    """(m, m) transitions over centres d apart: ``P[x, y] = e^(-d / step) / z`` for x != y; otherwise one stays.

    z is the largest sum of e^(-d / step) over a row, so the matrix is symmetric: the uniform distribution lasts.
    """
    weights = np.exp(-area.distances_m / step_m)
    moves = np.asarray(weights / weights.sum(axis=1).max() * (1 - RARELY) + RARELY / len(weights), float)
    moves[np.diag_indices_from(moves)] += 1 - moves.sum(axis=1)
    return moves


@cached("visitor", entries=4, what="the loss function of moves")
def _loss(make: Callable[..., Moves | Floats], *how: Any) -> LossFunction:
    moves = make(*how)
    return LossFunction(moves.matrix() if isinstance(moves, Moves) else moves)
