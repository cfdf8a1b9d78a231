"""Exact noise for counts of people, and the guarantee of their release in words.

The noise of a count is a whole number k with a chance proportional to e^(-rate |k|), where the rate is a fraction: the
budget divided by the most that all counts together can change. So the budget is kept exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lmdk_widgets.checks import refused
from lmdk_widgets.secure.exact import Entropy
from lmdk_widgets.secure.lattice import Geometric, Integers, discrete_laplace

TITLE = "discrete Laplace noise, exact"

LEAST_RATE = Fraction(1, 2**40)
"""The smallest rate of the noise."""

AT_ONCE = 100_000
"""How many numbers are drawn at a time."""

_PROTECTED = {
    "user": "one person, with everything that the person did in the period,",
    "window": "whatever one person did in any {window:,} time slots in a row",
    "event": "one contribution of one person",
}
_ADDS = {
    "user": "Each person adds at most {most:,} contributions, drawn among that person's own. The rest is cut, so the counts "
    "are too small on average.",
    "window": "Each person counts at most once in each time slot; where several cells are possible, one is drawn.",
    "event": "Everything that a person adds counts. Somebody with several contributions is protected less: epsilon times "
    "their number.",
}
_CONTRIBUTION = {
    "presence": "A contribution is that a person was in a cell in a time slot.",
    "trips": "A contribution is that a person went from a stay in one cell to the next stay in another, arriving in a time "
    "slot.",
    "dwell": "A contribution is that a person began a stay of some length in a cell in a time slot.",
}


def exact_draw(entropy: Entropy) -> Callable[[Fraction, int], Integers]:
    """Draws noise: (rate, how many) -> whole numbers k with a chance proportional to ``e^(-rate |k|)``, exactly.

    Raises
    ------
    InputError : from the drawing, where the rate is below `LEAST_RATE`.
    """
    sizes: dict[Fraction, Geometric] = {}

    def draw(rate: Fraction, count: int) -> Integers:
        if rate < LEAST_RATE:
            raise refused("the rate of the noise", "at least 1e-12", float(rate), remedy="Use a larger epsilon")
        if rate not in sizes:
            sizes[rate] = Geometric(rate)
        some = [min(AT_ONCE, count - first) for first in range(0, count, AT_ONCE)]
        return np.concatenate([discrete_laplace(size, sizes[rate], entropy) for size in some])

    return draw


def with_words(told: Mapping[str, Any]) -> dict[str, Any]:
    """A guarantee with its sentences, which follow from its numbers: the same for every table.

    Parameters
    ----------
    told : "level", "scheme", "epsilon", "window", "most", "counted" and "sensitivity", as in guarantee.json.
    """
    level, epsilon = told["level"], told["epsilon"]
    named = {"window": told["window"] or 0, "most": told["most"] or 0}
    said = [
        f"Adding or removing {_PROTECTED[level].format(**named)} changes the odds of any result by a factor of at most "
        f"e^{epsilon:.6g}; replacing it by another, by at most e^{2 * epsilon:.6g}.",
        f"{_CONTRIBUTION[told['counted']]} {_ADDS[level].format(**named)}",
        _noise(told),
        "Whether there are many people or few is protected like everything else. There is a row for each cell and time slot, "
        "whether or not anybody was there; a negative count means few people or none.",
        "Region, cells, period, time slots and limits are treated as public: chosen by looking at the table, they reveal "
        "something about it.",
        "Another release of the same table adds its own epsilon.",
    ]
    return {**told, "words": said}


def _noise(told: Mapping[str, Any]) -> str:
    """What was added to the counts."""
    exact = "drawn exactly, from the operating system's entropy"
    if told["scheme"] in ("budget-distribution", "budget-absorption"):
        return (
            "A time slot has new counts only where a private comparison found that those published last are farther off than "
            f"new ones would be; otherwise it repeats them. All noise is {exact}."
        )
    scale = told["sensitivity"] / told["epsilon"]
    return f"The noise of each count is a whole number, {exact}, with a scale of {scale:.6g}."
