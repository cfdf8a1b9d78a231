"""Optimal geo-indistinguishability on 50 cells under three priors, as in Bordenabe, Chatzikokolakis and Palamidessi.

They took the cells most visited in Beijing from GeoLife and T-Drive (CCS 2014); here they are those of the sample taxi,
which is made up. What is kept are numbers of cells, losses and seconds: no coordinate.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind import (
    adversary_error,
    most_private_mechanism,
    optimal_mechanism,
    planar_laplace_channel,
    quality_loss,
    smallest_epsilon,
    spanner,
)
from lmdk_widgets.geoind.priors import before_noon
from lmdk_widgets.page.amounts import amount, count
from lmdk_widgets.trajectory import sample

if __package__:
    from docs.criteria import Criterion, Finding
else:  # in the notebook, which runs in this folder
    from criteria import Criterion, Finding

CELLS, CELL_M, KM = 50, 500.0, 1000.0
EPSILON = 1.0
"""Per kilometre."""

DILATIONS = (1.0, 1.05, 1.1, 1.2, 1.3)
PRIORS = ("all day", "before noon", "after noon")

HEAD = "| mechanism | constraints | ε reached | loss | error, all day | before noon | after noon | seconds |"
_ROUND = 1e-6


class City(NamedTuple):
    """The cells: `points_km` (n, 2) centres, `priors` by name (n,), and how far they are `apart` (n, n), km."""

    points_km: Floats
    priors: dict[str, Floats]
    apart: Floats


class Made(NamedTuple):
    """A mechanism (n, n) with its number of constraints, 0 where it has none, and the processor's seconds that it took."""

    matrix: Floats
    constraints: int
    seconds: float


@cache
def city() -> City:
    """The cells in which the sample taxi is most often, and how often in three parts of the day.

    Each prior has one visit more in each cell than were counted, so that no cell is impossible.
    """
    taxi = sample("taxi")
    squares = np.floor(taxi.points_m / CELL_M).astype(int)
    cells, at, visits = np.unique(squares, axis=0, return_inverse=True, return_counts=True)
    most = np.argsort(-visits, kind="stable")[:CELLS]
    morning = before_noon(taxi)
    points = (cells[most] + 0.5) * CELL_M / KM
    parts: dict[str, NDArray[np.bool_]] = dict(zip(PRIORS, (np.ones(len(taxi), bool), morning, ~morning), strict=True))
    counts = {name: np.bincount(at.ravel()[part], minlength=len(cells))[most] + 1.0 for name, part in parts.items()}
    priors = {name: each / each.sum() for name, each in counts.items()}
    return City(points, priors, np.linalg.norm(points[:, None] - points, axis=2))


def optimal(prior: str, dilation: float = 1.0) -> Made:
    """The mechanism with the least loss under this prior, by a spanner of this dilation; 1: all constraints."""
    return _optimal(prior, float(dilation))


@cache
def _optimal(prior: str, dilation: float) -> Made:
    _warm()
    where, began = city(), process_time()
    made = optimal_mechanism(where.apart, where.priors[prior], EPSILON, dilation=dilation)
    seconds = process_time() - began
    return Made(made.matrix, spanner(where.apart, dilation).constraints, seconds)


@cache
def _warm() -> None:
    """Load both solvers, which takes longer than either mechanism."""
    optimal_mechanism([[0, 1], [1, 0]], [0.5, 0.5], EPSILON)
    most_private_mechanism([[0, 1], [1, 0]], [0.5, 0.5], 0.25)


@cache
def most_private(prior: str) -> Made:
    """OptPriv under this prior, with the loss of Optimal."""
    where = city()
    allowed = quality_loss(optimal(prior).matrix, where.priors[prior], where.apart)
    began = process_time()
    made = most_private_mechanism(where.apart, where.priors[prior], allowed)
    return Made(made.matrix, 0, process_time() - began)


@cache
def planar() -> Made:
    """Planar Laplace, each output moved to the nearest cell."""
    began = process_time()
    return Made(planar_laplace_channel(city().points_km, EPSILON).matrix, 0, process_time() - began)


def rows() -> Iterator[tuple[str, ...]]:
    """The table: built under the prior of all day, and the adversary's error under each of the three."""
    yield _row("planar Laplace", planar())
    for dilation in DILATIONS:
        reached = spanner(city().apart, dilation).dilation
        name = "Optimal" if dilation == 1 else f"Optimal, dilation {dilation:g} asked, {amount(reached)} reached"
        yield _row(name, optimal(PRIORS[0], dilation))
    yield _row("OptPriv, with Optimal's loss", most_private(PRIORS[0]))


def _row(name: str, made: Made) -> tuple[str, ...]:
    where = city()
    promised = smallest_epsilon(made.matrix, where.apart)
    errors = [adversary_error(made.matrix, where.priors[each], where.apart) for each in PRIORS]
    loss = quality_loss(made.matrix, where.priors[PRIORS[0]], where.apart)
    kept = f"{made.constraints:,}" if made.constraints else "none"
    told = (f"{amount(value)} km" for value in (loss, *errors))
    return name, kept, str(amount(promised)) if np.isfinite(promised) else "none", *told, str(amount(made.seconds))


def verdicts() -> list[Finding]:
    """What the paper says, on these cells: the same on every machine."""
    where = city()
    n = len(where.points_km)
    best = {name: optimal(name) for name in PRIORS}
    loss = {name: quality_loss(each.matrix, where.priors[name], where.apart) for name, each in best.items()}
    noisy = {name: quality_loss(planar().matrix, where.priors[name], where.apart) for name in PRIORS}
    error = {name: adversary_error(each.matrix, where.priors[name], where.apart) for name, each in best.items()}
    shares = [loss[name] / noisy[name] for name in PRIORS]
    off = max(abs(error[name] / loss[name] - 1) for name in PRIORS)
    told = ", ".join(f"{amount(loss[name])} km instead of {amount(noisy[name])} km ({name})" for name in PRIORS)
    return [
        Finding(
            "Optimal has the smallest quality loss for its prior: less than planar Laplace.",
            (Criterion("largest loss over planar Laplace's", max(shares), "<", 1),),
            f"With ε = {EPSILON:g} per kilometre on {n} cells: {told}.",
        ),
        Finding(
            "With one distance for both, the adversary's error equals the quality loss.",
            (Criterion("largest difference as a share of the loss", off, "≤", 1e-4),),
            f"Under {count(len(PRIORS), 'prior')}, each with the mechanism built for it.",
        ),
        _elsewhere(where, best),
        _cost(where, best),
        _certified(where),
        Finding(
            "Solving the dual programme instead does not help.",
            (),
            "This package solves the programme in one way only, so there is nothing to compare.",
        ),
    ]


def _elsewhere(where: City, best: dict[str, Made]) -> Finding:
    """Both mechanisms, built for one prior, when the adversary has another."""
    better, promised = [], []
    for built in PRIORS:
        rival = most_private(built)
        promised.append(smallest_epsilon(rival.matrix, where.apart))
        for asked in PRIORS:
            if asked != built:
                ours, theirs = (
                    adversary_error(each.matrix, where.priors[asked], where.apart) for each in (best[built], rival)
                )
                better.append(ours > theirs)
    return Finding(
        "OptPriv promises no such ε, and may protect less than Optimal, with the same loss, under another prior.",
        (
            Criterion("pairs of priors in which the attacker errs less under OptPriv", sum(better), "≥", 1),
            Criterion("least ε that OptPriv keeps, per kilometre", min(promised), ">", EPSILON),
        ),
        f"In {sum(better)} of {len(better)} pairs of a prior built for and another one asked. OptPriv has many "
        "solutions; this is one of them.",
    )


def _cost(where: City, best: dict[str, Made]) -> Finding:
    prior, n = where.priors[PRIORS[0]], len(where.points_km)
    whole = quality_loss(best[PRIORS[0]].matrix, prior, where.apart)
    made = {dilation: optimal(PRIORS[0], dilation) for dilation in DILATIONS[1:]}
    times = [quality_loss(each.matrix, prior, where.apart) / whole for each in made.values()]
    beyond = max(time / dilation for dilation, time in zip(made, times, strict=True))
    kept = [each.constraints / (n * n * (n - 1)) for each in made.values()]
    return Finding(
        "A spanner leaves few of the constraints, and adds little to the loss.",
        (
            Criterion("most constraints over all", max(kept), "<", 0.5),
            Criterion("largest loss over Optimal's, divided by the dilation asked", beyond, "≤", 1),
        ),
        f"All pairs have {n * n * (n - 1):,} constraints. The loss is "
        + ", ".join(
            f"{amount(time)} times Optimal's at dilation {dilation:g}"
            for dilation, time in zip(made, times, strict=True)
        )
        + ".",
    )


def _certified(where: City) -> Finding:
    reached = [smallest_epsilon(optimal(PRIORS[0], dilation).matrix, where.apart) for dilation in DILATIONS]
    return Finding(
        "A mechanism built on a spanner keeps its ε for all pairs of cells, not only for the spanner's edges.",
        (Criterion("largest ε of a pair over the one asked", max(reached) / EPSILON, "≤", 1 + _ROUND),),
        f"Checked over all pairs and reports, for dilations {', '.join(f'{each:g}' for each in DILATIONS)}.",
    )


def seconds() -> Iterator[Finding]:
    """What the paper says of times, by this package's solvers; another machine has other seconds."""
    whole, fewer = optimal(PRIORS[0]).seconds, [optimal(PRIORS[0], each).seconds for each in DILATIONS[1:]]
    rival = most_private(PRIORS[0]).seconds
    yield Finding(
        "A spanner makes the mechanism faster to compute.",
        (Criterion("longest time with a spanner over the time without", max(fewer) / whole, "<", 1),),
        f"{amount(whole)} s without; {', '.join(str(amount(each)) for each in fewer)} s with, by this package's solver.",
    )
    yield Finding(
        "With a spanner it is computed faster than OptPriv.",
        (Criterion("longest time with a spanner over OptPriv's", max(fewer) / rival, "<", 1),),
        f"OptPriv takes {amount(rival)} s, by another solver (HiGHS) than Optimal's.",
    )
