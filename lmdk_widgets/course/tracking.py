"""An adversary who follows a track: cells, a prior, the chances of each move, and small worlds to see her at work.

`inference` turns a release into her beliefs; this is what the lesson on her computes more than once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import (
    TrackPosterior,
    best_guesses,
    expected_error,
    hits,
    learned,
    log_likelihoods,
    track_posterior,
)
from lmdk_widgets.leakage import TemporalLoss, temporal_loss
from lmdk_widgets.leakage.markov import reverse, stationary
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import metres, percent

RADIUS_M = 200.0
PLANAR = PlanarLaplace(RADIUS_M)

VIEWS = {
    "no release": "marginal",
    "this one alone": "alone",
    "this and those before": "filtered",
    "this and those after": "predicted",
    "all releases": "smoothed",
}
"""What a belief rests on, and the attribute of `TrackPosterior` that holds it."""

THREE_BUDGET, FAR_M = 0.5, 2000.0
"""Of each answer about three places; and how far apart the two cells are that one report tells apart."""


@dataclass(frozen=True, eq=False)
class Adversary:
    """Somebody who knows cells, a prior and how cells follow each other.

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
        """(n,) the cell with the nearest centre: what counts as the truth."""
        return apart(np.asarray(points_m, float), self.cells_m).argmin(axis=1)

    def believes(self, released: Release, mechanism: Any = PLANAR) -> TrackPosterior:
        """What she believes of each timestamp."""
        return track_posterior(self.prior, self.transitions, log_likelihoods(released, self.cells_m, mechanism))

    def errors_m(self, belief: Any, truth: ArrayLike) -> Floats:
        """(n,) how far her best guess of each timestamp is from the true cell, metres."""
        return self.distances_m[best_guesses(belief, self.distances_m), np.asarray(truth, np.intp)]

    def loss(self, budgets: Floats) -> TemporalLoss:
        """The bound on what releases with these budgets can tell her, from her own prior on."""
        past = reverse([self.transitions] * (len(budgets) - 1), self.prior)
        return temporal_loss(past, self.transitions, budgets)


def apart(points_m: Floats, others_m: Floats) -> Floats:
    """(n, m) distances."""
    return np.hypot(*np.moveaxis(points_m[:, None] - others_m, -1, 0))


@cache
def three_places() -> tuple[Adversary, Release]:
    """Three places a kilometre apart on a line, in their long run, and four releases of somebody who moves among them."""
    moves = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
    outputs = np.array([[150.0, -80.0], [900.0, 300.0], [700.0, 100.0], [2300.0, -500.0]])
    budgets = np.array([1.0, 0.2, 0.2, 1.0])
    released = Release(outputs, budgets, np.ones(4, bool), np.zeros(0, np.int64))
    return Adversary(np.array([[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0]]), stationary(moves), moves), released


def most_learned(adversary: Adversary, budgets: Floats) -> Floats:
    """The most that answers by m-ary randomised response can tell of each timestamp, over all series of answers, (n,).

    Examples
    --------
    >>> most_learned(three_places()[0], np.full(4, 0.5)).round(10).tolist()
    [1.4249959024, 1.5761310922, 1.5761310922, 1.4249959024]
    """
    n, m = len(budgets), len(adversary.prior)
    every = (np.array(answers, float) for answers in product(range(m), repeat=n))
    return np.max([learned_from(adversary, answers, budgets, "randomized-response") for answers in every], axis=0)


def learned_from(adversary: Adversary, outputs: Floats, budgets: Floats, mechanism: Any) -> Floats:
    """By how much the odds of two cells changed at most at each timestamp, as a logarithm, (n,)."""
    released = Release(outputs, budgets.copy(), np.ones(len(budgets), bool), np.zeros(0, np.int64))
    belief = adversary.believes(released, mechanism)
    return learned(belief.log_smoothed, belief.log_marginal)


@cache
def gap(crossings: int, timestamps: int, step_m: float = 500.0) -> tuple[Adversary, TrackPosterior]:
    """A walker on a line of crossings, seen in the middle at the first and the last timestamp and never between.

    At each timestamp she goes one crossing to either side with a chance of a quarter each, or stays; at an end she stays
    instead of leaving.
    """
    moves = np.eye(crossings) / 2
    for k, side in product(range(crossings), (-1, 1)):
        moves[k, min(max(k + side, 0), crossings - 1)] += 1 / 4
    seen = np.zeros((timestamps, crossings))
    seen[[0, -1]] = np.where(np.arange(crossings) == crossings // 2, 0.0, -np.inf)
    cells = np.stack([step_m * np.arange(crossings), np.zeros(crossings)], axis=1)
    walker = Adversary(cells, np.full(crossings, 1 / crossings), moves)
    return walker, track_posterior(walker.prior, moves, seen)


def view_table(adversary: Adversary, belief: TrackPosterior, truth: ArrayLike) -> str:
    """What beliefs are worth, as a table in Markdown: means over all timestamps, for each of `VIEWS`.

    Examples
    --------
    >>> street, released = three_places()
    >>> print(view_table(street, street.believes(released), [0, 0, 1, 2]).splitlines()[-1])
    | all releases | 325 m | 250 m | 69 % |
    """
    rows = ["| she sees | expected error | really off by | chance of the true cell |"]
    rows.append("|:--|--:|--:|--:|")
    for view, name in VIEWS.items():
        seen = getattr(belief, name)
        errors = (expected_error(seen, adversary.distances_m), adversary.errors_m(seen, truth))
        means = " | ".join(metres(float(error.mean())) for error in errors)
        rows.append(f"| {view} | {means} | {percent(float(hits(seen, truth).mean()))} |")
    return "\n".join(rows)


def truth_teller() -> float:
    """The chance of "at work" after the answer "work" where the truth is told with 3/4, and three of four are at home."""
    answer = Release(np.array([1.0]), np.array([math.log(3)]), np.ones(1, bool), np.zeros(0, np.int64))
    home_or_work = Adversary(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.75, 0.25]), np.eye(2))
    return float(home_or_work.believes(answer, "randomized-response").smoothed[0, 1])


def second() -> tuple[Floats, Floats, Floats]:
    """The belief about the second of four timestamps from its own release and from all, and how far that is, metres."""
    street, released = three_places()
    belief = street.believes(released)
    return belief.alone[1], belief.smoothed[1], np.hypot(*(street.cells_m - released.outputs[1]).T)


def gap_errors() -> Floats:
    """What a walker's follower expects to be off by where nothing is released, metres."""
    walker, belief = gap(13, 9)
    return expected_error(belief, walker.distances_m)


def far_apart() -> float:
    """By how much one report changes the odds of two cells at most, as a logarithm: reported at one of them."""
    cells = np.array([[0.0, 0.0], [FAR_M, 0.0]])
    report = Release(cells[:1], np.array([THREE_BUDGET]), np.ones(1, bool), np.zeros(0, np.int64))
    seen = log_likelihoods(report, cells, PLANAR)[0]
    return float(seen[0] - seen[1])


def most_at_second() -> tuple[float, float]:
    """The most that four answers about three places tell of the second, and the bound on it."""
    street, budgets = three_places()[0], np.full(4, THREE_BUDGET)
    return float(most_learned(street, budgets)[1]), float(street.loss(budgets).total[1])
