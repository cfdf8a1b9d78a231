"""The days of a duel: a town, how Bob moves in it, and what a spread of epsilon is worth to a reader and an attacker.

Bob's day is drawn at random from what is public, and four of its timestamps are landmarks, so the attacker's posterior is
exact. The attacker knows the cells, how likely each is, how Bob moves, and the released budgets, but not which timestamps
are landmarks; the reader knows the cells and how people in general move (`inference.reader`), not Bob.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
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

MARKS = 4
"""How many timestamps of a day are landmarks."""

ROOM = 1e-9
"""By which share of epsilon a sum may exceed it, as sums of floats are rounded."""

HALVINGS = 14

Cells = NDArray[np.int64]
Sets = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Town:
    """What is known before anything is released.

    Attributes
    ----------
    scene : the cells, with the chance (m,) that Bob is in each at any time, which his moves preserve. moves : (m, m) from one
        timestamp to the next, as the attacker knows them. public : (m, m) those of people in general, as the reader assumes.
    back, forth : the losses of Bob's moves towards the past and the future. labels : of the timestamps.
    """

    scene: Scene
    moves: Floats
    public: Floats
    back: LossFunction
    forth: LossFunction
    labels: tuple[str, ...]

    @property
    def distances(self) -> Floats:
        """(m, m) metres between the centres of cells."""
        return self.scene.area.distances_m


@cached("everybody")
def town() -> Town:
    """The town of the duel; the same object every time.

    Examples
    --------
    >>> found = town()
    >>> len(found.scene.area), len(found.labels), bool(np.allclose(found.scene.prior @ found.moves, found.scene.prior))
    (24, 8, True)
    """
    area = grid_area(ROWS, COLUMNS, CELL_M)
    distances = area.distances_m
    drawn = city_prior(area) * np.exp(-distances / FALL_M)
    np.fill_diagonal(drawn, 0.0)
    moves = STAYS * np.eye(len(area)) + (1 - STAYS) * drawn / drawn.sum(axis=1, keepdims=True)
    prior = stationary(moves)
    way = PublicWay.nearby(distances, length_of_moves(HOUR_S, CELL_M))
    return Town(
        scene_of(area, prior),
        moves,
        way.matrix(chance_of_leaving(HOUR_S, CELL_M)),
        LossFunction(reverse(moves, prior)),
        LossFunction(moves),
        tuple(sample("bob").labels),
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


def drawn_landmarks(rng: np.random.Generator) -> tuple[int, ...]:
    """Which timestamps are landmarks: any four of them, all sets equally likely."""
    return tuple(sorted(rng.choice(len(town().labels), MARKS, replace=False).tolist()))


def released(day: ArrayLike, budgets: Floats, landmarks: Sequence[int], rng: np.random.Generator) -> Release:
    """A release of a day (n,) with budgets (n,): planar Laplace from the centre of a cell, nothing where the budget is 0.

    Guarantee: each report is geo-indistinguishable with its budget within 200 m (Andrés et al., CCS 2013), so the landmarks
    and any one other timestamp spend at most the largest of `landmark_totals` together, by the Theorem of landmark privacy.
    """
    centres = town().scene.area.points_m[np.asarray(day)]
    measured = budgets > 0
    outputs = np.full(centres.shape, np.nan)
    if measured.any():
        outputs[measured] = planar_laplace(centres[measured], budgets[measured] / RADIUS_M, rng)
    return Release(outputs, budgets, measured, np.array(landmarks))


def attacked(release: Release) -> Floats:
    """(n, m) the exact posterior of the attacker at every timestamp."""
    found = town()
    likelihood = log_likelihoods(release, found.scene.area.points_m, PlanarLaplace(RADIUS_M))
    return track_posterior(found.scene.prior, found.moves, likelihood).smoothed


@cached("everybody")
def all_sets() -> Sets:
    """(70, n) every set of four timestamps that may be the landmarks, a row each."""
    n = len(town().labels)
    return np.array([[t in chosen for t in range(n)] for chosen in combinations(range(n), MARKS)])


class Suspicion(NamedTuple):
    """What budgets tell of the landmarks: the chance (n,) of each timestamp to be one, and how many sets still fit."""

    chances: Floats
    fitting: int


def suspected(budgets: ArrayLike, epsilon: float) -> Suspicion:
    """What an attacker concludes from the budgets of a release, who knows epsilon and that landmarks are four.

    A set fits if it and any one other timestamp spend at most epsilon. All fitting sets are equally likely: this is Bayes'
    rule if all sets are beforehand, and all spreads that keep epsilon, whose number is the same for every set.

    Examples
    --------
    >>> suspected([0, 4, 0, 4, 0, 4, 4, 0], 4.0)  # Skip: silence names them
    Suspicion(chances=array([1., 0., 1., 0., 1., 0., 0., 1.]), fitting=1)
    >>> suspected([0.8] * 8, 4.0).fitting
    70
    """
    given = np.asarray(budgets, float)
    sums = all_sets() @ given + np.where(all_sets(), 0.0, given).max(axis=1)
    fitting = all_sets()[sums <= epsilon * (1 + ROOM)]
    return Suspicion(fitting.mean(axis=0), len(fitting))


def shares_named(scores: Floats) -> Floats:
    """(..., n) the share of each timestamp in the four with the highest scores; equal ones are drawn by lot.

    Examples
    --------
    >>> shares_named(np.array([0.9, 0.1, 0.5, 0.5, 0.5, 0.8, 0.1, 0.5]))
    array([1. , 0. , 0.5, 0.5, 0.5, 1. , 0. , 0.5])
    """
    rounded = scores.round(9)
    last = np.sort(rounded, axis=-1)[..., -MARKS, None]
    above, level = rounded > last, rounded == last
    left = MARKS - above.sum(axis=-1, keepdims=True)
    found: Floats = above + level * left / level.sum(axis=-1, keepdims=True)
    return found


class Worth(NamedTuple):
    """What a spread is worth, on average over 400 days.

    Attributes
    ----------
    reader : metres by which a reader is off at a timestamp. found : how many of the four landmarks the exact attacker finds:
        names, and puts into the right cell. fitting : sets of four timestamps that the budgets do not rule out, of 70.
    reader_error, found_error : standard errors of the first two, from the days that were drawn.
    """

    reader: float
    found: float
    fitting: int
    reader_error: float
    found_error: float


@cached("everybody")
def _drawn() -> tuple[Floats, Floats]:
    """(draws, n, 2) centres of days, and noise at a budget of 1, metres: the same for all spreads."""
    rng = np.random.default_rng(20)
    days = drawn_days(DRAWS, rng)
    centres = town().scene.area.points_m[days]
    noise = planar_laplace(np.zeros((days.size, 2)), 1 / RADIUS_M, rng).reshape(centres.shape)
    return centres, noise


@cached("settings", entries=4_000)
def worth(budgets: tuple[float, ...], landmarks: tuple[int, ...], epsilon: float) -> Worth:
    """What a spread that keeps epsilon is worth to a reader and to an attacker, by the posterior of each of 400 days.

    The attacker names the four timestamps where a landmark and its likeliest cell are surest. What is averaged are chances
    under the exact posterior, so the luck of where Bob was plays no part.

    Examples
    --------
    >>> bob = (0, 2, 4, 7)
    >>> even, skip = worth((0.8,) * 8, bob, 4.0), worth((0.0, 4.0, 0.0, 4.0, 0.0, 4.0, 4.0, 0.0), bob, 4.0)
    >>> even.reader < skip.reader, even.found < skip.found
    (True, True)
    """
    found = town()
    centres, noise = _drawn()
    points = found.scene.area.points_m
    weights = np.ones((DRAWS, len(budgets), len(points)))
    for t, each in enumerate(budgets):
        if each > 0:
            away = centres[:, t] + noise[:, t] / each
            logs = -each / RADIUS_M * np.hypot(*np.moveaxis(away[:, None] - points, 2, 0))
            weights[:, t] = np.exp(logs - logs.max(axis=1, keepdims=True))
    belief = smoothed(found.scene.prior, found.moves, weights)
    anywhere = np.full(len(points), 1 / len(points))
    guessed = smoothed(anywhere, found.public, weights) @ found.distances
    estimates = guessed.round(3).argmin(axis=2)  # of equal cells the first, whatever the rounding of sums
    off = np.take_along_axis(belief @ found.distances, estimates[..., None], axis=2)[..., 0].mean(axis=1)
    suspicion, sure = suspected(budgets, epsilon), belief.max(axis=2)
    hits = (shares_named(suspicion.chances * sure) * sure)[:, landmarks].sum(axis=1)
    each_error = [float(values.std(ddof=1) / np.sqrt(DRAWS)) for values in (off, hits)]
    return Worth(float(off.mean()), float(hits.mean()), suspicion.fitting, each_error[0], each_error[1])


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


def spent(budgets: ArrayLike, landmarks: Sequence[int]) -> float:
    """The most that the landmarks and one other timestamp spend together."""
    return float(landmark_totals(np.asarray(budgets, float), landmarks).max())


class LossPlan(NamedTuple):
    """The least noise with which no timestamp loses more than `loss` through all releases: its budgets, (n,)."""

    budgets: tuple[float, ...]
    loss: float


@cached("settings", entries=64)
def loss_plan(epsilon: float, landmarks: tuple[int, ...]) -> LossPlan:
    """The plan for a total loss whose landmarks and one other timestamp spend epsilon, as in the class.

    Raises
    ------
    InputError : the library that computes it is not installed.

    Examples
    --------
    >>> plan = loss_plan(4.0, (0, 2, 4, 7))
    >>> round(spent(plan.budgets, (0, 2, 4, 7)), 2), round(plan.loss, 1)
    (4.0, 3.5)
    """
    low, high = 0.0, 2 * epsilon
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if spent(_least_noise(middle), landmarks) <= epsilon else (low, middle)
    return LossPlan(_least_noise(low), low)


def _least_noise(loss: float) -> tuple[float, ...]:
    found = town()
    return tuple(best_plan(found.back, found.forth, loss, len(found.labels)).budgets.tolist())


def frontier(found: list[Worth]) -> list[int]:
    """The spreads that no other beats for both reader (less far off) and attacker (finds fewer), by the reader's error.

    Examples
    --------
    >>> of = [Worth(*each, 1, 1.0, 0.1) for each in ((300, 2.0), (350, 2.1), (250, 2.4), (300, 2.0))]
    >>> frontier(of)
    [2, 0]
    """
    kept: list[int] = []
    for k in sorted(range(len(found)), key=lambda k: (found[k].reader, found[k].found)):
        if not kept or found[k].found < found[kept[-1]].found:
            kept.append(k)
    return kept
