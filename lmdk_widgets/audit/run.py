"""Measure every subject at its claimed epsilon, and again at a larger one, which must be detected.

The audit looks for evidence against a claim. It refutes the claim or finds nothing; it never proves a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from lmdk_widgets.audit.evidence import Tested
from lmdk_widgets.audit.power import smallest_fault
from lmdk_widgets.checks import positive, whole

LARGER = 1.25
"""The audit must detect a mechanism run at this multiple of its claimed epsilon, if its inputs use all of it."""

COMMON = 0.5
"""The most that the event of a fault is taken to be likely: one that is nearly always there says little of others."""

NOT_COVERED = (
    "inputs other than the pairs named here, and other parameters: a worse pair may exist",
    "timestamps that depend on each other, except in the chain of the Markov quilt: see the temporal loss",
    "the lowest digits in floating point, and the seed: a simulation is not a private release",
    "how long a computation takes, how many timestamps there are, and when they are",
    "several releases of the same data, except those added up at a delta, and the ledger that counts them",
    "not being a landmark, which random dummies do not protect, and dummies by the paper's methods",
    "budgets set by hand",
    "grids, cells, priors, bounds and origins that come from the data instead of being public",
    "answers 0 and 1 under a scheme, places in a simulation by an online scheme, and the composition of quilts",
)
"""What the audit does not cover."""

WITHOUT_OPENDP = "private releases of numbers and counts, as OpenDP is not installed here"


def not_covered() -> tuple[str, ...]:
    """What the audit does not cover on this computer."""
    return NOT_COVERED if find_spec("opendp") else (*NOT_COVERED, WITHOUT_OPENDP)


@dataclass(frozen=True)
class Subject:
    """Something that claims an epsilon.

    Attributes
    ----------
    name : "planar Laplace". claim : the inputs it is claimed for, in words.
    measure : (epsilon, rng, draws) -> a lower bound on the epsilon of the mechanism when run at `epsilon`; with its event, if
        it has one.
    exact : the bound is computed from the whole channel, without any draws.
    tight : whether these inputs use the whole claim, so that a larger epsilon must be detected; if not, `claim` says
        why.
    private : whether the claim should hold; for something known not to be private, the audit must find more than
        claimed.
    """

    name: str
    claim: str
    measure: Callable[[float, np.random.Generator, int], Tested | float]
    exact: bool = False
    tight: bool = True
    private: bool = True


@dataclass(frozen=True)
class Finding:
    """What was found about one subject.

    Attributes
    ----------
    claimed : epsilon. found : the lower bound at that epsilon. larger : the bound for a mechanism run at 1.25 times
    this epsilon. smallest : the epsilon that nine of ten such audits would find, in an event as likely as the one that was
    tested, but not above one in two, see `smallest_fault`; None where every larger one is found, as no draws are needed.
    """

    subject: Subject
    claimed: float
    found: float
    larger: float
    smallest: float | None = None

    @property
    def nothing_found(self) -> bool:
        """Whether nothing was found against the claim; rounding in an exact bound is allowed for."""
        return self.found <= self.claimed * (1 + 1e-9 if self.subject.exact else 1)

    @property
    def detected(self) -> bool:
        """Whether the larger epsilon was detected."""
        return self.larger > self.claimed

    @property
    def well(self) -> bool:
        """Whether the audit found nothing, and would have detected a larger epsilon if it can."""
        if not self.subject.private:
            return not self.nothing_found
        return self.nothing_found and (self.detected or not self.subject.tight)

    def words(self) -> str:
        """What was found, in a few words."""
        if not self.subject.private:
            return "NOT DETECTED" if self.nothing_found else "not private, as expected: more than claimed"
        if not self.nothing_found:
            return "MORE THAN CLAIMED"
        if self.subject.tight and not self.detected:
            return "A LARGER EPSILON WAS NOT DETECTED"
        return "nothing found against the claim" + ("" if self.detected else "; a larger one may stay hidden")


def audit(chosen: Iterable[Subject], *, epsilon: float = 1.0, draws: int = 200_000, seed: int = 0) -> Iterator[Finding]:
    """Measure subjects one after another.

    Parameters
    ----------
    epsilon : claimed for each subject. draws : outputs for each of the two inputs. seed : of the draws.

    Examples
    --------
    >>> from lmdk_widgets.audit import subjects
    >>> (found,) = audit([each for each in subjects() if each.name == "Laplace"], draws=40_000)
    >>> found.nothing_found, found.detected
    (True, True)
    """
    claimed, many = positive(epsilon, "epsilon"), whole(draws, "draws", least=100)
    for number, subject in enumerate(chosen):
        bounds = []
        for which, factor in enumerate((1.0, LARGER)):
            bound = subject.measure(claimed * factor, np.random.default_rng([seed, number, which]), many)
            bounds.append(bound if isinstance(bound, Tested) else Tested(bound))
        here, larger = bounds
        least = smallest_fault(min(here.chance, COMMON), here.draws, claimed, delta=here.delta) if here.draws else None
        yield Finding(subject, claimed, here.epsilon, larger.epsilon, least)
