"""Every subject measured at the epsilon that is claimed of it, and once more at a larger one, which has to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.checks import positive, whole

LARGER = 1.25
"""A mechanism with so many times the epsilon claimed has to be found out."""


@dataclass(frozen=True)
class Subject:
    """Something of which an epsilon is claimed.

    Attributes
    ----------
    name : "planar Laplace". claim : between which inputs, in words.
    measure : (epsilon, rng, draws) -> a lower bound on the epsilon of the mechanism that is told `epsilon`.
    exact : the bound is computed from the whole channel, and draws nothing.
    tight : whether the mechanism uses all that is claimed, so that a larger epsilon has to show; else why not is in `claim`.
    """

    name: str
    claim: str
    measure: Callable[[float, np.random.Generator, int], float]
    exact: bool = False
    tight: bool = True


@dataclass(frozen=True)
class Finding:
    """What was found of one subject.

    Attributes
    ----------
    claimed : epsilon. found : the lower bound at that epsilon. larger : the bound for a mechanism told 1.25 times as much.
    """

    subject: Subject
    claimed: float
    found: float
    larger: float

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the claim; rounding in an exact bound is allowed for."""
        return self.found <= self.claimed * (1 + 1e-9 if self.subject.exact else 1)

    @property
    def shows(self) -> bool:
        """Whether the larger epsilon was found out."""
        return self.larger > self.claimed


def audit(chosen: Iterable[Subject], *, epsilon: float = 1.0, draws: int = 200_000, seed: int = 0) -> Iterator[Finding]:
    """Measure subjects one after the other.

    Parameters
    ----------
    epsilon : claimed of each. draws : outputs for each of two inputs. seed : of the draws.

    Examples
    --------
    >>> from lmdk_widgets.audit import subjects
    >>> (found,) = audit([each for each in subjects() if each.name == "Laplace"], draws=40_000)
    >>> found.holds, found.shows
    (True, True)
    """
    claimed, many = positive(epsilon, "epsilon"), whole(draws, "draws", least=100)
    for number, subject in enumerate(chosen):
        bounds = [
            subject.measure(claimed * factor, np.random.default_rng([seed, number, which]), many)
            for which, factor in enumerate((1.0, LARGER))
        ]
        yield Finding(subject, claimed, *bounds)
