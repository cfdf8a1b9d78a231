"""What the lesson on the law measures of a table of people: two weeks that are linked, and counts read off what is published.

`data/city_figures.py` stores the results for the sample city, as its rows take a few seconds to make.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.geo import Floats, LocalFrame, Region
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.population.contributions import Contributions, Counting
from lmdk_widgets.population.together import Rows
from lmdk_widgets.population.unicity import NIGHT, WORK, usual_cells


class Linked(NamedTuple):
    """How many people of one week are linked with a person of the next. right : with themselves. wrong : with another one."""

    right: int
    wrong: int


def linked(person: ArrayLike, cell: ArrayLike, local_time: ArrayLike, next_week: Any) -> Linked:
    """Link two weeks by home and work: those who are the only ones with their pair in both weeks.

    Parameters
    ----------
    person, cell : (n,) whole numbers from 0, one row a report. local_time : (n,) datetime64, the clock times of the place.
    next_week : datetime64, when the second week begins.

    Examples
    --------
    >>> week = np.array(["2026-03-02T12:00", "2026-03-02T23:00"], "datetime64[m]")
    >>> time = np.tile(np.concatenate([week, week + np.timedelta64(7, "D")]), 2)
    >>> linked([0] * 4 + [1] * 4, [8, 5, 8, 5, 9, 5, 9, 6], time, np.datetime64("2026-03-09"))
    Linked(right=1, wrong=0)
    """
    who, where = np.asarray(person, np.int64), np.asarray(cell, np.int64)
    clock = np.asarray(local_time).astype("datetime64[s]")
    later = clock >= np.datetime64(next_week, "s")
    first, second = (_only_ones(who[rows], where[rows], clock[rows]) for rows in (~later, later))
    both = [pair for pair in first if pair in second]
    right = sum(first[pair] == second[pair] for pair in both)
    return Linked(right, len(both) - right)


def _only_ones(who: NDArray[np.int64], where: NDArray[np.int64], clock: NDArray[Any]) -> dict[tuple[int, int], int]:
    """Whose each pair of home and work is that only one person has."""
    people = int(who.max(initial=-1)) + 1
    home, work = (usual_cells(who, where, clock, window, people).tolist() for window in (NIGHT, WORK))
    pairs = {number: pair for number, pair in enumerate(zip(home, work, strict=True)) if min(pair) >= 0}
    times = Counter(pairs.values())
    return {pair: number for number, pair in pairs.items() if times[pair] == 1}


def anywhere_in(rows: Rows, region: Region, side_m: float, rng: np.random.Generator) -> Rows:
    """The rows as somebody reads them who is given squares: in each square a person has one place, drawn evenly in it.

    Parameters
    ----------
    region : has the squares; what is outside of it stays where it is. side_m : of a square, metres.
    """
    grid = region.grid(side_m)
    points = region.frame.to_metres(rows.latitude, rows.longitude)
    cell = grid.cell_of(points)
    _, which = np.unique(rows.person * (len(grid) + 1) + cell, return_inverse=True)
    within = side_m * (rng.random((int(which.max(initial=-1)) + 1, 2))[which] - 0.5)
    return _at(rows, region.frame, np.where((cell >= 0)[:, None], grid.points_m[cell] + within, points))


def with_noise(rows: Rows, budgets: Floats, radius_m: float, rng: np.random.Generator) -> Rows:
    """The rows with planar Laplace noise: a simulation, and no release. budgets : (people,) of each report of a person."""
    frame = LocalFrame.around(rows.latitude, rows.longitude)
    points = frame.to_metres(rows.latitude, rows.longitude)
    mechanism = PlanarLaplace(radius_m)
    scale = np.array([mechanism.scale(float(budget)) for budget in budgets])[rows.person]
    return _at(rows, frame, points + scale[:, None] * mechanism.standard_noise(len(points), rng))


def _at(rows: Rows, frame: LocalFrame, points: Floats) -> Rows:
    latitude, longitude = frame.to_degrees(points)
    return replace(rows, latitude=latitude, longitude=longitude)


def counts_off(rows: Rows, published: Rows, counting: Counting) -> float:
    """How far off counts of people are that somebody takes from published rows, on average over the counts."""
    true, read = (Contributions.of(each, counting).true for each in (rows, published))
    return float(np.abs(read - true).mean())
