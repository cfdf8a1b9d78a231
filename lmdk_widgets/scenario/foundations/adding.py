"""The part on adding up: what stacked releases guarantee together, and what is left of it when people are correlated."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from lmdk_widgets.anonymity.correlation import Correlation, data_correlation
from lmdk_widgets.composition import group, parallel, sequential
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import TWO_COINS
from lmdk_widgets.scenario.base.amounts import amount
from lmdk_widgets.scenario.foundations.model import SOURCES, Foundations
from lmdk_widgets.scenario.foundations.scenes import JOINT

ALONE = ((0.25, 0.25), (0.25, 0.25))
"""Donald at work and Dewey at home, each with chance 1/2 and without any tie."""

TIED = 2
"""How many people always do the same, where the data are correlated."""


@dataclass(frozen=True, eq=False)
class Adding:
    """Several releases together.

    Attributes
    ----------
    everybody : the sum of those from everybody. of_part : the sum of those from each disjoint part.
    largest : the largest of these sums, 0 where there is none. together : the epsilon of all releases.
    left : of the budget.
    tied : what the releases from everybody may tell of two people who always do the same.
    family : what those from the parts may tell of a family with one in each, who always do the same.
    coins : what two coins tell of Donald, by his own answer and by Dewey's too.
    """

    everybody: float
    of_part: tuple[float, ...]
    largest: float
    together: float
    left: float
    tied: float
    family: float
    coins: Correlation

    @property
    def bound(self) -> float:
        """What Donald's answer can make of a belief of one half."""
        return 1 / (1 + exp(-TWO_COINS.epsilon))


def adding_of(choices: Foundations) -> Adding:
    """What the stacked releases guarantee together; refused where the budget does not hold them.

    Examples
    --------
    >>> found = adding_of(Foundations(part="adding", correlated=True))
    >>> found.together, found.family, round(float(found.coins.after_both[0]), 6)
    (0.75, 0.5, 0.857143)
    """
    releases, sources = choices.releases, [int(source) for source in choices.sources]
    if len(releases) != len(sources):
        raise InputError("Each release must have a source", value=f"{len(releases)} and {len(sources)}")
    sums = [
        sequential([0.0, *(epsilon for epsilon, source in zip(releases, sources, strict=True) if source == place)])
        for place in range(len(SOURCES))
    ]
    everybody, of_part = sums[0], tuple(sums[1:])
    largest = parallel(of_part)
    together = sequential([everybody, largest])
    if together > choices.budget * (1 + 1e-12):
        remedy = "Take a release away, make one smaller, or compute from those that are there, which costs nothing"
        what = f"All releases together must cost at most the budget of {amount(choices.budget)}"
        raise InputError(what, value=amount(together), remedy=remedy)
    rows = [[TWO_COINS.yes_if_yes, 1 - TWO_COINS.yes_if_yes], [TWO_COINS.yes_if_no, 1 - TWO_COINS.yes_if_no]]
    return Adding(
        everybody,
        of_part,
        largest,
        together,
        max(0.0, choices.budget - together),
        group(everybody, TIED),
        sequential(of_part),
        data_correlation(JOINT if choices.correlated else ALONE, rows, rows, 0, 0),
    )
