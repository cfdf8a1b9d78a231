"""Bob and a commuter, as adversaries see them: what the lesson on the adversary computes of their days.

All releases here are simulations: they are drawn from seeds, so that everybody sees the same.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release, allocate, release
from lmdk_widgets.course.ask import Scene
from lmdk_widgets.course.tracking import PLANAR, VIEWS, Adversary, apart, learned_from
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import best_guesses
from lmdk_widgets.leakage.markov import estimate_transitions, grid_states, stationary
from lmdk_widgets.noise import randomized_responses
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.trajectory.samples import sample

CELL_M, MARGIN_M, WALK_M = 400.0, 1000.0, 1000.0
"""Bob's cells, how far they reach beyond his day, and how far he mostly goes from one timestamp to the next."""

BOBS_EPSILON, BOBS_SEED, MISLED = 2.0, 927, 4
"""One draw of Bob's day, chosen because the report of the timestamp `MISLED` lies far from the others."""

COMMUTER_CELL_M, DAYS, A_DAY, EVERY, FIRST = 700.0, 7, 288, 12, 6
"""The commuter's cells; a week of readings every five minutes, of which one each hour is released, at half past."""

TUESDAY, WORKDAYS, SMOOTHING = 1, range(5), 0.01
"""The day that is attacked; it and the days with the same habits; what is added to every count of habits."""

KNOWLEDGE = {
    "cells": "the cells alone",
    "places": "how often he is in each cell",
    "habits": "how often he is in each cell, and his moves",
}

NIGHT_BUDGET, NIGHT_SEED = 0.2, 3
"""Of each release of the nights, and their draw."""

SAME_EPSILON = 4.0
"""Of Uniform, where another scheme with the same mean noise is compared with it."""

ALL = "all releases"


@cache
def bobs_adversary() -> Adversary:
    """Somebody who knows that Bob is in Paris and on foot: all near cells are alike, farther ones are less likely next."""
    low, high = (end(sample("bob").points_m, axis=0) for end in (np.min, np.max))
    sides = (np.arange(a + CELL_M / 2, b, CELL_M) for a, b in zip(low - MARGIN_M, high + MARGIN_M, strict=True))
    cells = np.array(list(product(*sides)))
    weights = np.exp(-apart(cells, cells) / WALK_M)
    moves = weights / weights.sum(axis=1, keepdims=True)
    return Adversary(cells, stationary(moves), moves)


def bobs_release(scheme: str, epsilon: float, seed: int) -> Release:
    """Bob's day with planar Laplace noise."""
    bob = sample("bob")
    return release(bob.points_m, scheme, bob.landmarks, epsilon, PLANAR, rng=np.random.default_rng(seed))


@cache
def bobs_errors(scheme: str, epsilon: float, draws: int = 200) -> dict[str, Floats]:
    """How far the best guess is from Bob's cell at each timestamp, metres, by `VIEWS`: the mean of simulated releases."""
    adversary = bobs_adversary()
    truth = adversary.cell_of(sample("bob").points_m)
    beliefs = [adversary.believes(bobs_release(scheme, epsilon, seed)) for seed in range(draws)]
    return {
        view: np.mean([adversary.errors_m(getattr(belief, name), truth) for belief in beliefs], axis=0)
        for view, name in VIEWS.items()
    }


@cache
def hours() -> tuple[NDArray[np.int64], Floats, Floats]:
    """The commuter's week: the cell of each day and hour (7, 24), the centres (m, 2), and the places (7, 24, 2), metres."""
    points = sample("commuter").points_m
    states, centres = grid_states(points, COMMUTER_CELL_M)
    chosen = slice(FIRST, None, EVERY)
    return states.reshape(DAYS, A_DAY)[:, chosen], centres, points.reshape(DAYS, A_DAY, 2)[:, chosen]


@cache
def commuters_adversary(knowledge: str) -> Adversary:
    """Somebody who attacks Tuesday and knows one of `KNOWLEDGE`, learned from the other workdays.

    Examples
    --------
    >>> known = commuters_adversary("habits")
    >>> len(known.prior), int(known.prior.argmax()) == int(np.bincount(hours()[0].ravel()).argmax())
    (49, True)
    """
    states, centres, _ = hours()
    others, m = [states[day] for day in WORKDAYS if day != TUESDAY], len(centres)
    counts = np.bincount(np.concatenate(others), minlength=m) + SMOOTHING
    prior = np.full(m, 1 / m) if knowledge == "cells" else counts / counts.sum()
    moves = np.tile(prior, (m, 1))
    if knowledge == "habits":
        moves = estimate_transitions(others, m, smoothing=SMOOTHING)
    return Adversary(centres, prior, moves)


def tuesdays_release(budget: float, seed: int) -> Release:
    """One release an hour on Tuesday, each with the same budget."""
    points = hours()[2][TUESDAY]
    return release(points, "event", [], budget, PLANAR, rng=np.random.default_rng(seed))


@cache
def tuesdays_errors(knowledge: str, budget: float, draws: int = 40) -> dict[str, float]:
    """How far the best guess is from the true cell on Tuesday, metres, by `VIEWS`: the mean of hours and of simulations."""
    adversary, truth = commuters_adversary(knowledge), hours()[0][TUESDAY]
    beliefs = [adversary.believes(tuesdays_release(budget, seed)) for seed in range(draws)]
    return {
        view: float(np.mean([adversary.errors_m(getattr(belief, name), truth) for belief in beliefs]))
        for view, name in VIEWS.items()
    }


def tuesdays_learned(budget: float, seed: int = 1) -> dict[str, Floats]:
    """What one simulated Tuesday told somebody with habits about each hour, by mechanism, and the bound on it; (24,) each.

    The bound holds for answers. Planar Laplace keeps each budget at the protection radius only, and cells are farther apart.
    """
    adversary, truth = commuters_adversary("habits"), hours()[0][TUESDAY]
    noisy = tuesdays_release(budget, seed)
    rng = np.random.default_rng(seed)
    answers = randomized_responses(truth, len(adversary.prior), budget, rng).reported.astype(float)
    return {
        "planar Laplace": learned_from(adversary, noisy.outputs, noisy.budgets, PLANAR),
        "bound: total loss": adversary.loss(noisy.budgets).total,
        "randomised response": learned_from(adversary, answers, noisy.budgets, "randomized-response"),
    }


@cache
def nights(budget: float, seed: int) -> tuple[Floats, int]:
    """A week's releases from 22:00 to 6:00, (k, 2) metres, and the cell in which an adversary thinks the nights are spent.

    She takes the nights for one place, knows no habits, and has never seen the week without noise.
    """
    _, centres, points = hours()
    clock = (np.arange(points.shape[1]) * EVERY + FIRST) / EVERY
    at_night = points[:, (clock >= 22) | (clock < 6)].reshape(-1, 2)
    released = release(at_night, "event", [], budget, PLANAR, rng=np.random.default_rng(seed))
    m = len(centres)
    still = Adversary(centres, np.full(m, 1 / m), np.eye(m) * (1 - SMOOTHING) + SMOOTHING / m)
    return released.outputs, int(still.believes(released).smoothed.mean(axis=0).argmax())


def by_kind(errors_m: Floats) -> tuple[float, float]:
    """The mean of Bob's landmarks, and that of his other timestamps."""
    marked = np.isin(np.arange(len(errors_m)), sample("bob").landmarks)
    return float(errors_m[marked].mean()), float(errors_m[~marked].mean())


def mean_noise_m(scheme: str, epsilon: float) -> float:
    """How far Bob's reports are from the truth on average, metres; exact."""
    bob = sample("bob")
    budgets = allocate(scheme, len(bob), bob.landmarks, epsilon)
    return float(np.mean([PLANAR.mean_displacement(budget) for budget in budgets]))


def even(scheme: str, other: str, epsilon: float) -> float:
    """The epsilon at which `other` has the mean noise that `scheme` has at `epsilon`.

    Examples
    --------
    >>> round(even("uniform", "weighted", 4.0), 9)
    3.6
    """
    return epsilon * mean_noise_m(other, epsilon) / mean_noise_m(scheme, epsilon)


def bobs_scene() -> Scene:
    """Bob's reports, joined and named."""
    outputs = bobs_release("uniform", BOBS_EPSILON, BOBS_SEED).outputs
    west, south = bobs_adversary().cells_m.min(axis=0) - CELL_M / 2
    east, north = bobs_adversary().cells_m.max(axis=0) + CELL_M / 2
    named = zip(*outputs.T, sample("bob").labels, strict=True)
    return Scene(
        west, south, east, north, dots=outputs, line=outputs, places=tuple((float(x), float(y), p) for x, y, p in named)
    )


def bobs_guess() -> Floats:
    """Where all reports together put Bob at p5."""
    adversary = bobs_adversary()
    belief = adversary.believes(bobs_release("uniform", BOBS_EPSILON, BOBS_SEED))
    return adversary.cells_m[best_guesses(belief, adversary.distances_m)[MISLED]]


def bobs_why() -> str:
    """What the reports of other timestamps do to the guess at p5."""
    reported = bobs_release("uniform", BOBS_EPSILON, BOBS_SEED).outputs[MISLED]
    off = (metres(float(np.hypot(*(place - sample("bob").points_m[MISLED])))) for place in (reported, bobs_guess()))
    return (
        "The report of p5 lies away from those before and after it, and somebody on foot rarely goes so far and back: her "
        "best guess is pulled towards the others. It is the place that she expects to be least off, not the truth: Bob was "
        "{} from the report and {} from her guess.".format(*off)
    )


def nights_scene() -> Scene:
    """The releases of a week's nights, with some places of the city."""
    dots, track = nights(NIGHT_BUDGET, NIGHT_SEED)[0], sample("commuter")
    everything = np.concatenate([dots, hours()[1]])
    (west, south), (east, north) = everything.min(axis=0) - 300, everything.max(axis=0) + 300
    latitudes, longitudes, names = zip(*track.places, strict=True)
    spots = zip(*track.frame.to_metres(latitudes, longitudes).T, names, strict=True)
    return Scene(west, south, east, north, dots=dots, places=tuple((float(x), float(y), name) for x, y, name in spots))


def spent_at_night() -> float:
    """What all releases of the nights spend together."""
    return NIGHT_BUDGET * len(nights(NIGHT_BUDGET, NIGHT_SEED)[0])


def home() -> Floats:
    """Where the nights are spent, as the adversary finds it."""
    return hours()[1][nights(NIGHT_BUDGET, NIGHT_SEED)[1]]


@cache
def at_landmarks(scheme: str) -> float:
    """How far off the adversary is at Bob's landmarks, metres, where both schemes have the same mean noise."""
    return by_kind(bobs_errors(scheme, even("uniform", scheme, SAME_EPSILON))[ALL])[0]
