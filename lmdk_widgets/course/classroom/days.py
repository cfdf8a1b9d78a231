"""The days of a duel: a town, how Bob moves in it, and what a spread of epsilon is worth to a reader and an attacker.

Bob's day is drawn at random from what is public, so the attacker's posterior is exact. The attacker knows the cells, how
likely each is and how Bob moves; the reader knows the cells and how people in general move (`inference.reader`), not Bob.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets import Release, landmark_totals
from lmdk_widgets.cache import cached
from lmdk_widgets.course.classroom.guess import Scene, scene_of
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.cells import grid_area
from lmdk_widgets.geoind.priors import city_prior
from lmdk_widgets.inference import log_likelihoods, track_posterior
from lmdk_widgets.inference.reader import PublicWay, chance_of_leaving, length_of_moves
from lmdk_widgets.leakage import LossFunction, best_plan
from lmdk_widgets.leakage.markov import reverse, stationary
from lmdk_widgets.noise import PlanarLaplace, planar_laplace
from lmdk_widgets.trajectory.samples import sample

ROWS, COLUMNS, CELL_M = 4, 6, 800.0
RADIUS_M = 200.0
STAYS, FALL_M = 0.5, 1500.0
"""From one timestamp to the next: how likely Bob is to stay in a cell, and how the chance of another falls with distance."""

HOUR_S = 3600.0
"""The time between two timestamps that the reader assumes."""

DRAWS = 400
"""Days over which a spread's errors are averaged: the same for all spreads, so that only the spreads differ."""

SHARES = (0.25, 0.375, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""Total losses of the best plans in the chart, as shares of epsilon."""

HALVINGS = 14

Cells = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Town:
    """What is known before anything is released.

    Attributes
    ----------
    scene : the cells, with the chance (m,) that Bob is in each at any time, which his moves preserve. moves : (m, m) from one
        timestamp to the next, as the attacker knows them. public : (m, m) those of people in general, as the reader assumes.
    back, forth : the losses of Bob's moves towards the past and the future. labels : of the timestamps. landmarks : indices.
    """

    scene: Scene
    moves: Floats
    public: Floats
    back: LossFunction
    forth: LossFunction
    labels: tuple[str, ...]
    landmarks: tuple[int, ...]

    @property
    def distances(self) -> Floats:
        """(m, m) metres between the centres of cells."""
        return self.scene.area.distances_m


@cached("everybody")
def town() -> Town:
    """The town of the duel, and Bob's day in it; the same object every time.

    Examples
    --------
    >>> found = town()
    >>> len(found.scene.area), found.landmarks, bool(np.allclose(found.scene.prior @ found.moves, found.scene.prior))
    (24, (0, 2, 4, 7), True)
    """
    area = grid_area(ROWS, COLUMNS, CELL_M)
    distances = area.distances_m
    drawn = city_prior(area) * np.exp(-distances / FALL_M)
    np.fill_diagonal(drawn, 0.0)
    moves = STAYS * np.eye(len(area)) + (1 - STAYS) * drawn / drawn.sum(axis=1, keepdims=True)
    prior = stationary(moves)
    way = PublicWay.nearby(distances, length_of_moves(HOUR_S, CELL_M))
    bob = sample("bob")
    return Town(
        scene_of(area, prior),
        moves,
        way.matrix(chance_of_leaving(HOUR_S, CELL_M)),
        LossFunction(reverse(moves, prior)),
        LossFunction(moves),
        tuple(bob.labels),
        bob.landmarks,
    )


def drawn_days(count: int, rng: np.random.Generator) -> Cells:
    """(count, n) days of Bob's, cells, drawn from what the attacker knows."""
    found = town()
    m = len(found.scene.prior)
    days = np.empty((count, len(found.labels)), np.int64)
    days[:, 0] = rng.choice(m, count, p=found.scene.prior)
    steps = found.moves.cumsum(axis=1)
    for t in range(1, days.shape[1]):
        below = steps[days[:, t - 1]] < rng.random(count)[:, None]
        days[:, t] = np.minimum(below.sum(axis=1), m - 1)
    return days


def released(day: ArrayLike, budgets: Floats, rng: np.random.Generator) -> Release:
    """A release of a day (n,) with budgets (n,): planar Laplace from the centre of a cell, nothing where the budget is 0.

    Guarantee: each report is geo-indistinguishable with its budget within 200 m (Andrés et al., CCS 2013), so the landmarks
    and any one other timestamp spend at most the largest of `landmark_totals` together, by the Theorem of landmark privacy.
    """
    centres = town().scene.area.points_m[np.asarray(day)]
    measured = budgets > 0
    outputs = np.full(centres.shape, np.nan)
    if measured.any():
        outputs[measured] = planar_laplace(centres[measured], budgets[measured] / RADIUS_M, rng)
    return Release(outputs, budgets, measured, np.array(town().landmarks))


def attacked(release: Release) -> Floats:
    """(n, m) the exact posterior of the attacker at every timestamp."""
    found = town()
    likelihood = log_likelihoods(release, found.scene.area.points_m, PlanarLaplace(RADIUS_M))
    return track_posterior(found.scene.prior, found.moves, likelihood).smoothed


class Errors(NamedTuple):
    """What a spread is worth, metres: how far off a reader is at a timestamp on average, and the attacker at a landmark.

    `uncertain` is the larger standard error of the two, from the days that were drawn.
    """

    reader: float
    attacker: float
    uncertain: float


@cached("everybody")
def _drawn() -> tuple[Floats, Floats]:
    """(draws, n, 2) centres of days, and noise at a budget of 1, metres: the same for all spreads."""
    rng = np.random.default_rng(20)
    days = drawn_days(DRAWS, rng)
    centres = town().scene.area.points_m[days]
    noise = planar_laplace(np.zeros((days.size, 2)), 1 / RADIUS_M, rng).reshape(centres.shape)
    return centres, noise


@cached("settings", entries=4_000)
def errors(budgets: tuple[float, ...]) -> Errors:
    """What a spread is worth to a reader and to an attacker, by the posterior of each of 400 days.

    Both are averages of expected distances under the exact posterior, so the luck of where Bob was plays no part.

    Examples
    --------
    >>> even, less = errors((0.8,) * 8), errors((0.4,) * 8)
    >>> even.attacker < even.reader < less.reader
    True
    """
    found = town()
    centres, noise = _drawn()
    points = found.scene.area.points_m
    weights = np.ones((DRAWS, len(budgets), len(points)))
    for t, epsilon in enumerate(budgets):
        if epsilon > 0:
            away = centres[:, t] + noise[:, t] / epsilon
            logs = -epsilon / RADIUS_M * np.hypot(*np.moveaxis(away[:, None] - points, 2, 0))
            weights[:, t] = np.exp(logs - logs.max(axis=1, keepdims=True))
    uniform = np.full(len(points), 1 / len(points))
    expected = smoothed(found.scene.prior, found.moves, weights) @ found.distances
    estimates = (smoothed(uniform, found.public, weights) @ found.distances).argmin(axis=2)
    reader = np.take_along_axis(expected, estimates[..., None], axis=2)[..., 0].mean(axis=1)
    attacker = expected.min(axis=2)[:, found.landmarks].mean(axis=1)
    uncertain = max(reader.std(ddof=1), attacker.std(ddof=1)) / np.sqrt(DRAWS)
    return Errors(float(reader.mean()), float(attacker.mean()), float(uncertain))


def smoothed(start: Floats, moves: Floats, weights: Floats) -> Floats:
    """`track_posterior(...).smoothed` for many releases at once, (draws, n, m), from likelihoods whose maximum is 1."""
    belief = np.empty_like(weights)
    belief[:, 0] = start * weights[:, 0]
    for t in range(1, weights.shape[1]):
        belief[:, t - 1] /= belief[:, t - 1].sum(axis=1, keepdims=True)
        belief[:, t] = (belief[:, t - 1] @ moves) * weights[:, t]
    future = np.ones_like(weights[:, 0])
    for t in range(weights.shape[1] - 1, 0, -1):
        future = (weights[:, t] * future) @ moves.T
        future /= future.max(axis=1, keepdims=True)
        belief[:, t - 1] *= future
    belief /= belief.sum(axis=2, keepdims=True)
    return belief


def spent(budgets: ArrayLike) -> float:
    """The most that the landmarks and one other timestamp spend together."""
    return float(landmark_totals(np.asarray(budgets, float), town().landmarks).max())


class Best(NamedTuple):
    """A best plan: its budgets, the total loss that no timestamp exceeds, and its errors."""

    budgets: tuple[float, ...]
    loss: float
    errors: Errors


@cached("settings", entries=64)
def best_plans(epsilon: float) -> tuple[list[Best], Best]:
    """Best plans for total losses around epsilon, by growing loss; and the one whose landmark budget is epsilon.

    Examples
    --------
    >>> line, same = best_plans(4.0)
    >>> round(spent(same.budgets), 2), all(a.errors.reader > b.errors.reader for a, b in zip(line, line[1:]))
    (4.0, True)
    """
    low, high = 0.0, 2 * epsilon
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if spent(_best(middle).budgets) <= epsilon else (low, middle)
    return [_best(share * epsilon) for share in SHARES], _best(low)


def _best(loss: float) -> Best:
    found = town()
    budgets = tuple(best_plan(found.back, found.forth, loss, len(found.labels)).budgets.tolist())
    return Best(budgets, loss, errors(budgets))


def frontier(found: list[Errors]) -> list[int]:
    """The spreads that no other beats for both reader (less far off) and attacker (farther off), by the reader's error.

    Examples
    --------
    >>> frontier([Errors(300, 400, 1), Errors(350, 390, 1), Errors(250, 300, 1), Errors(300, 400, 1)])
    [2, 0]
    """
    kept: list[int] = []
    for k in sorted(range(len(found)), key=lambda k: (found[k].reader, -found[k].attacker)):
        if not kept or found[k].attacker > found[kept[-1]].attacker:
            kept.append(k)
    return kept
