"""A stream of counts: those of each time slot are published as it ends, and any w slots in a row share one budget.

Budget Distribution and Budget Absorption compare the counts of a slot with those published last, privately, and publish
new ones only where the old ones are further off than the noise of new ones would be. The loops are those of the schemes of
the same names; here an output is all counts of a slot. A person adds to one count of a slot, so the sum of the distances
between a slot's counts and the last ones changes by at most 1 if somebody is added, and so does the sum of the counts.

Kellaris, Papadopoulos, Xiao, Papadias, "Differentially private event sequences over infinite streams", VLDB 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.absorption import absorb
from lmdk_widgets.budgets.schemes.comparing import halves
from lmdk_widgets.budgets.schemes.distribution import distribute
from lmdk_widgets.checks import one_of, positive, refused, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.population.contributions import Whole
from lmdk_widgets.population.counts_of_people import discrete_laplace, mean_noise

STREAMS: dict[str, str] = {
    "window": "each slot has the same share of the budget",
    "budget-distribution": "a slot that has changed is published with half of what its window has left",
    "budget-absorption": "a slot that has changed is published with the shares of those that had not",
}
"""How a stream spends its budget, by the name of its scheme."""

_LOOPS = {"budget-distribution": distribute, "budget-absorption": absorb}

Draw = Callable[[Fraction, int], Whole]
"""Draws discrete Laplace noise: (rate, how many) -> whole numbers."""


@dataclass(frozen=True, eq=False)
class Stream:
    """What is published of a stream, slot by slot.

    Attributes
    ----------
    values : (slots, kinds) the counts that are current in each slot, whole numbers.
    budgets : (slots,) what each slot spends, comparison and publication together.
    published : (slots,) whether it has new counts.
    """

    values: Whole
    budgets: Floats
    published: NDArray[np.bool_]

    def error(self, true: Whole) -> float:
        """The mean distance of a count from the truth."""
        return float(np.abs(self.values - true).mean())


def simulated_draw(rng: np.random.Generator) -> Draw:
    """Noise of a generator, with which no release is made."""
    return lambda rate, count: discrete_laplace(float(rate), count, rng)


def stream(true: Whole, scheme: str, epsilon: float, window: int, draw: Draw) -> Stream:
    """Publish a stream of counts, any `window` slots in a row for `epsilon`.

    Parameters
    ----------
    true : (slots, kinds) whole numbers; each person adds to one count of a slot at most. scheme : a key of `STREAMS`.
    epsilon : above 0. window : from 1 to the number of slots. draw : draws the noise.

    Notes
    -----
    Guarantee, if the noise is exact: adding or removing what one person did in w slots in a row changes the odds of any
    result by at most e^epsilon. A comparison has noise of rate ``epsilon / (2 w)`` for the sum of the distances; zeros count
    as published before the first slot.

    Examples
    --------
    >>> empty, full = np.zeros((4, 300), int), np.full((4, 300), 400)
    >>> draw = simulated_draw(np.random.default_rng(1))
    >>> made = stream(np.concatenate([empty, full]), "budget-absorption", 1.0, 4, draw)
    >>> np.flatnonzero(made.published).tolist(), made.budgets.tolist()[3:6]
    ([4], [0.125, 0.625, 0.125])
    """
    one_of(scheme, "scheme", tuple(STREAMS))
    counts = np.asarray(true, np.int64)
    if counts.ndim != 2 or not counts.size:
        raise refused("true", "counts for each slot and kind", counts.shape)
    slots, kinds = counts.shape
    total, w = positive(epsilon, "epsilon"), whole(window, "window", most=slots)
    if scheme == "window":
        budget = share(total, w)
        values = counts + draw(Fraction(budget), counts.size).reshape(counts.shape)
        return Stream(values, np.full(slots, budget), np.ones(slots, bool))
    split = halves(total, w)
    values = np.zeros_like(counts)
    made: dict[int, Whole] = {}

    def perturb(t: int, budget: float) -> Whole:
        made[t] = counts[t] + draw(Fraction(budget), kinds)
        return made[t]

    def compare(t: int, last: Whole) -> float:
        return float(np.abs(counts[t] - last).sum() + draw(Fraction(split.comparison), 1)[0]) / kinds

    spent = _LOOPS[scheme](slots, split, perturb, compare, mean_noise, np.zeros(kinds, np.int64))
    budgets = np.fromiter(spent, np.int64, slots).astype(float) * split.quantum
    last = np.zeros(kinds, np.int64)
    for t in range(slots):
        last = made.get(t, last)
        values[t] = last
    # Budget Absorption compares only where it may publish; each slot has the share of a comparison all the same
    return Stream(values, budgets + split.comparison, budgets > 0)
