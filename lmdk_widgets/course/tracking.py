"""An adversary who follows a track with cells, a prior and moves: in small worlds, on Bob's day, in a commuter's week.

`inference` turns a release into beliefs; this module has what the lesson computes more than once. All releases
here are simulations: they are drawn from seeds, so everyone sees the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets import Release, allocate, release
from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Scene
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import (
    TrackPosterior,
    best_guesses,
    expected_error,
    following_attack,
    found_within,
    hits,
    learned,
    log_likelihoods,
    main_place,
    track_posterior,
)
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.leakage import TemporalLoss, temporal_loss
from lmdk_widgets.leakage.markov import estimate_transitions, grid_states, reverse, stationary
from lmdk_widgets.names import FixedSchemeName, ReleaseSchemeName
from lmdk_widgets.noise import PlanarLaplace, randomized_responses
from lmdk_widgets.page.amounts import metres, percent
from lmdk_widgets.trajectory.samples import sample

RADIUS_M = 200.0
PLANAR = PlanarLaplace(RADIUS_M)

VIEWS = {
    "no release": "marginal",
    "this one alone": "alone",
    "this and those before": "filtered",
    "this and those after": "predicted",
    "all releases": "smoothed",
}
"""What a belief is based on, and the attribute of `TrackPosterior` with that belief."""

THREE_BUDGET, FAR_M = 0.5, 2000.0
"""The budget of each answer about three places; and the distance between two cells that one report tells apart."""


CELL_M, MARGIN_M, WALK_M = 400.0, 1000.0, 1000.0
"""The size of Bob's cells, how far they extend beyond his day, and how far he mostly goes between timestamps."""

BOBS_EPSILON, BOBS_SEED, MISLED = 2.0, 927, 4
"""One draw of Bob's day, chosen because the report of timestamp `MISLED` is far from the others."""

COMMUTER_CELL_M, DAYS, A_DAY, EVERY, FIRST = 700.0, 7, 288, 12, 6
"""The size of the commuter's cells; a week of readings every five minutes, of which one an hour is released, at half past."""

TUESDAY, WORKDAYS, SMOOTHING = 1, range(5), 0.01
"""The day that is attacked; all days with the same habits, including that one; what is added to every count of habits."""

KNOWLEDGE = {
    "cells": "the cells alone",
    "places": "how often he is in each cell",
    "habits": "how often he is in each cell, and his moves",
}

NIGHT_BUDGET, NIGHT_SEED = 0.2, 3
"""The budget of each release at night, and the seed of their draw."""

STAYS = 0.9
"""How likely an attacker who knows no habits thinks a person is to stay for an hour; otherwise they go anywhere."""

SAME_EPSILON = 4.0
"""The epsilon of Uniform when it is compared with another scheme that has the same mean noise."""

ALL = "all releases"


@dataclass(frozen=True, eq=False)
class Adversary:
    """An attacker who knows cells, a prior and how cells follow each other.

    Attributes
    ----------
    cells_m : (m, 2) centres, metres. prior : (m,). transitions : (m, m), from one timestamp to the next.

    Examples
    --------
    >>> street, released = three_places()
    >>> street.believes(released).smoothed[1].round(4).tolist()
    [0.4648, 0.4234, 0.1119]
    """

    cells_m: Floats
    prior: Floats
    transitions: Floats

    @cached_property
    def distances_m(self) -> Floats:
        """(m, m) between the centres."""
        return apart(self.cells_m, self.cells_m)

    def cell_of(self, points_m: ArrayLike) -> NDArray[np.intp]:
        """(n,) the cell with the nearest centre."""
        return apart(np.asarray(points_m, float), self.cells_m).argmin(axis=1)

    def believes(self, released: Release, mechanism: Any = PLANAR) -> TrackPosterior:
        """What the adversary believes about each timestamp."""
        return track_posterior(self.prior, self.transitions, log_likelihoods(released, self.cells_m, mechanism))

    def errors_m(self, belief: Any, points_m: ArrayLike) -> Floats:
        """(n,) how far the best guess for each timestamp, a cell's centre, is from the true place, metres.

        The place and not its cell, as on the page: a guess in the right cell is still off by what the cell hides.
        """
        guesses = self.cells_m[best_guesses(belief, self.distances_m)]
        return np.hypot(*(guesses - np.asarray(points_m, float)).T)

    def loss(self, budgets: Floats) -> TemporalLoss:
        """The bound on what releases with these budgets can reveal, starting from the adversary's own prior."""
        past = reverse([self.transitions] * (len(budgets) - 1), self.prior)
        return temporal_loss(past, self.transitions, budgets)


def apart(points_m: Floats, others_m: Floats) -> Floats:
    """(n, m) distances."""
    return np.hypot(*np.moveaxis(points_m[:, None] - others_m, -1, 0))


@cached("everybody")
def three_places() -> tuple[Adversary, Release]:
    """Three places a kilometre apart on a line, with their long run as the prior, and four releases of a person's moves."""
    moves = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
    outputs = np.array([[150.0, -80.0], [900.0, 300.0], [700.0, 100.0], [2300.0, -500.0]])
    budgets = np.array([1.0, 0.2, 0.2, 1.0])
    released = Release(outputs, budgets, np.ones(4, bool), np.zeros(0, np.int64))
    return Adversary(np.array([[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0]]), stationary(moves), moves), released


def most_learned(adversary: Adversary, budgets: Floats) -> Floats:
    """The most that m-ary randomised response can reveal about each timestamp, over all series of answers, (n,).

    Examples
    --------
    >>> most_learned(three_places()[0], np.full(4, 0.5)).round(10).tolist()
    [1.4249959024, 1.5761310922, 1.5761310922, 1.4249959024]
    """
    n, m = len(budgets), len(adversary.prior)
    every = (np.array(answers, float) for answers in product(range(m), repeat=n))
    return np.max([learned_from(adversary, answers, budgets, "randomized-response") for answers in every], axis=0)


def learned_from(adversary: Adversary, outputs: Floats, budgets: Floats, mechanism: Any) -> Floats:
    """The largest change in the odds of two cells at each timestamp, as a logarithm, (n,)."""
    released = Release(outputs, budgets.copy(), np.ones(len(budgets), bool), np.zeros(0, np.int64))
    belief = adversary.believes(released, mechanism)
    return learned(belief.log_smoothed, belief.log_marginal)


@cached("everybody", entries=64)
def gap(crossings: int, timestamps: int, step_m: float = 500.0) -> tuple[Adversary, TrackPosterior]:
    """A walker on a line of crossings, seen in the middle at the first and the last timestamp and never in between.

    At each timestamp the walker moves one crossing to either side with a chance of a quarter each, or stays; at an end,
    the walker stays instead of leaving.
    """
    moves = np.eye(crossings) / 2
    for k, side in product(range(crossings), (-1, 1)):
        moves[k, min(max(k + side, 0), crossings - 1)] += 1 / 4
    seen = np.zeros((timestamps, crossings))
    seen[[0, -1]] = np.where(np.arange(crossings) == crossings // 2, 0.0, -np.inf)
    cells = np.stack([step_m * np.arange(crossings), np.zeros(crossings)], axis=1)
    walker = Adversary(cells, np.full(crossings, 1 / crossings), moves)
    return walker, track_posterior(walker.prior, moves, seen)


def view_table(adversary: Adversary, belief: TrackPosterior, points_m: ArrayLike) -> str:
    """How good beliefs are about these places, (n, 2) metres, as a table in Markdown: means over all timestamps, for each of
    `VIEWS`.

    Examples
    --------
    >>> street, released = three_places()
    >>> print(view_table(street, street.believes(released), street.cells_m[[0, 0, 1, 2]]).splitlines()[-1])
    | all releases | 325 m | 250 m | 69 % |
    """
    rows = ["| the adversary sees | expected error | really off by | chance of the true cell |"]
    rows.append("|:--|--:|--:|--:|")
    truth = adversary.cell_of(points_m)
    for view, name in VIEWS.items():
        seen = getattr(belief, name)
        errors = (expected_error(seen, adversary.distances_m), adversary.errors_m(seen, points_m))
        means = " | ".join(metres(float(error.mean())) for error in errors)
        rows.append(" | ".join(("| " + view, means, percent(float(hits(seen, truth).mean())) + " |")))
    return "\n".join(rows)


def truth_teller() -> float:
    """The chance of "at work" after the answer "work", with the truth told with 3/4 and a prior of 3/4 for "at home"."""
    answer = Release(np.array([1.0]), np.array([math.log(3)]), np.ones(1, bool), np.zeros(0, np.int64))
    home_or_work = Adversary(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.75, 0.25]), np.eye(2))
    return float(home_or_work.believes(answer, "randomized-response").smoothed[0, 1])


def second() -> tuple[Floats, Floats, Floats]:
    """The belief about the second of four timestamps from its own release and from all, and its distances, metres."""
    street, released = three_places()
    belief = street.believes(released)
    return belief.alone[1], belief.smoothed[1], np.hypot(*(street.cells_m - released.outputs[1]).T)


def gap_errors() -> Floats:
    """How far off a walker's follower expects to be where nothing is released, metres."""
    walker, belief = gap(13, 9)
    return expected_error(belief, walker.distances_m)


def far_apart() -> float:
    """The most that one report can change the odds of two cells, as a logarithm: a report at one of them."""
    cells = np.array([[0.0, 0.0], [FAR_M, 0.0]])
    report = Release(cells[:1], np.array([THREE_BUDGET]), np.ones(1, bool), np.zeros(0, np.int64))
    seen = log_likelihoods(report, cells, PLANAR)[0]
    return float(seen[0] - seen[1])


def most_at_second() -> tuple[float, float]:
    """The most that four answers about three places reveal about the second timestamp, and the bound on it."""
    street, budgets = three_places()[0], np.full(4, THREE_BUDGET)
    return float(most_learned(street, budgets)[1]), float(street.loss(budgets).total[1])


@cached("everybody")
def bobs_adversary() -> Adversary:
    """An attacker who knows that Bob is in Paris and on foot: the farther a cell, the less likely it is to be next."""
    low, high = (end(sample("bob").points_m, axis=0) for end in (np.min, np.max))
    sides = (np.arange(a + CELL_M / 2, b, CELL_M) for a, b in zip(low - MARGIN_M, high + MARGIN_M, strict=True))
    cells = np.array(list(product(*sides)))
    weights = np.exp(-apart(cells, cells) / WALK_M)
    moves = weights / weights.sum(axis=1, keepdims=True)
    return Adversary(cells, stationary(moves), moves)


def bobs_release(scheme: ReleaseSchemeName, epsilon: float, seed: int) -> Release:
    """Bob's day with planar Laplace noise."""
    bob = sample("bob")
    return release(bob.points_m, scheme, bob.landmarks, epsilon, PLANAR, rng=np.random.default_rng(seed))


@cached("everybody", entries=256)
def bobs_errors(scheme: ReleaseSchemeName, epsilon: float, draws: int = 200) -> dict[str, Floats]:
    """How far the best guess is from Bob at each timestamp, metres, by `VIEWS`: the mean over simulated releases."""
    adversary, points = bobs_adversary(), sample("bob").points_m
    beliefs = [adversary.believes(bobs_release(scheme, epsilon, seed)) for seed in range(draws)]
    return {
        view: np.mean([adversary.errors_m(getattr(belief, name), points) for belief in beliefs], axis=0)
        for view, name in VIEWS.items()
    }


@cached("everybody")
def hours() -> tuple[NDArray[np.int64], Floats, Floats]:
    """The commuter's week: the cell of each day and hour (7, 24), the centres (m, 2), and the places (7, 24, 2), metres."""
    points = sample("commuter").points_m
    states, centres = grid_states(points, COMMUTER_CELL_M)
    chosen = slice(FIRST, None, EVERY)
    return states.reshape(DAYS, A_DAY)[:, chosen], centres, points.reshape(DAYS, A_DAY, 2)[:, chosen]


@cached("everybody")
def commuters_adversary(knowledge: str) -> Adversary:
    """An attacker on Tuesday who knows one of `KNOWLEDGE`, learned from the other workdays.

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


@cached("everybody", entries=256)
def tuesdays_errors(knowledge: str, budget: float, draws: int = 40) -> dict[str, float]:
    """How far the best guess is from the true place on Tuesday, metres, by `VIEWS`: the mean over hours and simulations."""
    adversary, points = commuters_adversary(knowledge), hours()[2][TUESDAY]
    beliefs = [adversary.believes(tuesdays_release(budget, seed)) for seed in range(draws)]
    return {
        view: float(np.mean([adversary.errors_m(getattr(belief, name), points) for belief in beliefs]))
        for view, name in VIEWS.items()
    }


def tuesdays_learned(budget: float, seed: int = 1) -> dict[str, Floats]:
    """What one simulated Tuesday revealed to an attacker with habits about each hour, by mechanism, and the bound; (24,).

    The bound holds for answers. Planar Laplace keeps each budget only at the protection radius, and cells are farther apart.
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


@cached("everybody", entries=64)
def nights(budget: float, seed: int) -> tuple[Floats, int]:
    """A week's releases from 22:00 to 6:00, (k, 2) metres, and the cell in which an adversary thinks the nights are spent.

    The adversary assumes that all nights are spent in one place, knows no habits, and has never seen the week without noise.
    """
    _, centres, points = hours()
    clock = (np.arange(points.shape[1]) * EVERY + FIRST) / EVERY
    at_night = points[:, (clock >= 22) | (clock < 6)].reshape(-1, 2)
    released = release(at_night, "event", [], budget, PLANAR, rng=np.random.default_rng(seed))
    m = len(centres)
    still = Adversary(centres, np.full(m, 1 / m), np.eye(m) * (1 - SMOOTHING) + SMOOTHING / m)
    return released.outputs, int(still.believes(released).smoothed.mean(axis=0).argmax())


def by_kind(errors_m: Floats) -> tuple[float, float]:
    """The mean over Bob's landmarks, and over his other timestamps."""
    marked = np.isin(np.arange(len(errors_m)), sample("bob").landmarks)
    return float(errors_m[marked].mean()), float(errors_m[~marked].mean())


def mean_noise_m(scheme: FixedSchemeName, epsilon: float) -> float:
    """How far Bob's reports are from the truth on average, metres; exact."""
    bob = sample("bob")
    budgets = allocate(scheme, len(bob), bob.landmarks, epsilon)
    return float(np.mean([PLANAR.mean_displacement(budget) for budget in budgets]))


def even(scheme: FixedSchemeName, other: FixedSchemeName, epsilon: float) -> float:
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
    """Where all reports together place Bob at p5."""
    adversary = bobs_adversary()
    belief = adversary.believes(bobs_release("uniform", BOBS_EPSILON, BOBS_SEED))
    return adversary.cells_m[best_guesses(belief, adversary.distances_m)[MISLED]]


def bobs_why() -> str:
    """What the reports of other timestamps do to the guess at p5."""
    reported = bobs_release("uniform", BOBS_EPSILON, BOBS_SEED).outputs[MISLED]
    off = (metres(float(np.hypot(*(place - sample("bob").points_m[MISLED])))) for place in (reported, bobs_guess()))
    return (
        "The report of p5 is far from those before and after it, and a person on foot rarely goes so far and back: the "
        "best guess is pulled towards the others. It is the place with the smallest expected error, not the truth: Bob was "
        "{} from the report and {} from the guess.".format(*off)
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


@cached("everybody")
def at_home() -> tuple[Floats, NDArray[np.bool_]]:
    """One place an hour of the commuter's week, (k, 2) metres, and (k,) which of them are the main place, home.

    Examples
    --------
    >>> points, there = at_home()
    >>> len(points), int(there.sum())
    (168, 90)
    """
    points = hours()[2].reshape(-1, 2)
    *_, there = main_place(*sample("commuter").frame.to_degrees(points), radius_m=RADIUS_M)
    return points, there


def found_home(budget: float) -> float:
    """The metres within which an attacker who knows which reports are from home finds it in half of such weeks; exact."""
    return found_within([budget] * int(at_home()[1].sum()), RADIUS_M)


@cached("everybody", entries=64)
def home_attacks(budget: float, draws: int = 100) -> tuple[float, float]:
    """How far off two attacks on home are, metres, the median over simulated weeks: by averaging, knowing when he is at home,
    and by following, knowing only that people mostly stay (`STAYS`)."""
    points, there = at_home()
    _, centres, _ = hours()
    m, true = len(centres), geometric_median(points[there], np.ones(int(there.sum())))
    still = Adversary(centres, np.full(m, 1 / m), np.eye(m) * STAYS + (1 - STAYS) / m)
    squares, off = np.round((centres - centres.min(axis=0)) / COMMUTER_CELL_M), []
    for seed in range(draws):
        made = release(points, "event", [], budget, PLANAR, rng=np.random.default_rng(seed))
        averaged = geometric_median(made.outputs[there], made.budgets[there])
        followed = following_attack(still.believes(made).smoothed, squares, centres, made.outputs, made.budgets)
        off.append([np.hypot(*(place - true)) for place in (averaged, followed.place_m)])
    averaged_off, followed_off = np.median(off, axis=0).tolist()
    return averaged_off, followed_off


@cached("everybody")
def at_landmarks(scheme: FixedSchemeName) -> float:
    """How far off the adversary is at Bob's landmarks, metres, if both schemes have the same mean noise."""
    return by_kind(bobs_errors(scheme, even("uniform", scheme, SAME_EPSILON))[ALL])[0]
