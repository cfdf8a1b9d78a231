"""Schemes: series that differ at all landmarks and one other timestamp, at one timestamp, or within a window.

An online scheme decides by what it has published, or by a private comparison, which timestamps to measure. It is tried with
two pairs of series, the worst that are known. The score is the logarithm of the ratio of densities of all that is published:
which timestamps are new, and their outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.audit.evidence import least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.budgets import adaptive_budgets, allocate, release_many
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace

N, LANDMARKS = 6, (1, 4)
LANDMARKS_AND = "series that differ at the landmarks and one other timestamp"
JUMPS = (0.0, 1000.0, 0.0, 1000.0, 0.0, 1000.0)
"""Values that change by far more than the noise: whoever compares always sees a change."""

COMPARING = ("budget-distribution", "budget-absorption")
"""Schemes that pay for a private comparison with the last release."""

MORE = 5
"""How many times the draws a scheme takes that spends all: on several timestamps, which seldom tell most all together."""


@dataclass(frozen=True)
class Pair:
    """Two series that are neighbours.

    Attributes
    ----------
    claim : how they differ, in words. where : timestamps at which the first is larger by 1.
    values : of the second. window : of the schemes that have one. initial : what stands published at first, for Budget
    Distribution and Budget Absorption. tight : whether the scheme spends all its epsilon on the difference.
    """

    claim: str
    where: tuple[int, ...]
    values: tuple[float, ...] = (0.0,) * N
    window: int = 2
    initial: float | None = None
    tight: bool = True

    @property
    def truths(self) -> Floats:
        """(2, n) both series."""
        found = np.array([self.values, self.values])
        found[0, list(self.where)] += 1.0
        return found


PAIRS: dict[str, tuple[Pair, ...]] = {
    "event": (Pair("series that differ at one timestamp", (3,)),),
    "user": (Pair("series that differ everywhere", tuple(range(N))),),
    "window": (Pair("series that differ at two timestamps in a row", (2, 3)),),
    "uniform": (Pair(LANDMARKS_AND, (1, 3, 4)),),
    "weighted": (Pair(LANDMARKS_AND, (1, 3, 4)),),
    "skip": (
        Pair(f"{LANDMARKS_AND}, which is repeated at a landmark", (1, 3, 4)),
        Pair(f"{LANDMARKS_AND}, the last one", (1, 4, 5)),
    ),
    "adaptive": (
        Pair(f"{LANDMARKS_AND}; values jump, so that all are sampled", (1, 3, 4), JUMPS),
        Pair(f"{LANDMARKS_AND}; values stay, so that some are skipped and others get their budget", (1, 4, 5)),
    ),
    "budget-distribution": (
        Pair(
            "series that differ at the first timestamp, window 1; three quarters are spent",
            (0,),
            (0.0,) * N,
            1,
            -2.0,
            False,
        ),
        Pair("series that differ at two timestamps in a row; all is seldom spent", (0, 1), (0.0,) * N, 2, -1.0, False),
    ),
    "budget-absorption": (
        Pair("series that differ at the first timestamp, window 1", (0,), (0.0,) * N, 1, -1.0),
        Pair("series that differ at two timestamps in a row; all is seldom spent", (2, 3), tight=False),
    ),
}


def schemes() -> list[Subject]:
    """A subject for each pair."""
    return [
        Subject(f"scheme {name}{', pair 2' if second else ''}", pair.claim, _measure(name, pair), tight=pair.tight)
        for name, pairs in PAIRS.items()
        for second, pair in enumerate(pairs)
    ]


def _measure(name: str, pair: Pair) -> Callable[[float, np.random.Generator, int], float]:
    options: dict[str, Any] = {"window": pair.window}
    if name in COMPARING:
        options["initial"] = pair.initial

    def measure(epsilon: float, rng: np.random.Generator, draws: int) -> float:
        made = {"draws": (MORE if pair.tight else 1) * draws, "rng": rng, "error": _as_they_are, **options}
        found = [release_many(truth, name, LANDMARKS, epsilon, Laplace(), **made).T for truth in pair.truths]
        return least_epsilon(*(ratios(name, pair, epsilon, outputs) for outputs in found))

    return measure


def _as_they_are(outputs: Any) -> Floats:
    return outputs


def ratios(name: str, pair: Pair, epsilon: float, outputs: Floats) -> Floats:
    """(k,) logarithms of the ratio of densities of k releases for the two series, from their outputs (n, k)."""
    before = np.full((1, outputs.shape[1]), np.nan if pair.initial is None else pair.initial)
    last = np.concatenate([before, outputs[:-1]])
    new = ~np.isnan(outputs) & (outputs != last)
    patterns, which = np.unique(new, axis=1, return_inverse=True)
    known = np.array([reserves(name, pair, epsilon, pattern) for pattern in patterns.T.tolist()])
    could = known.T[:, which.ravel()]
    one, other = (np.abs(outputs - truth[:, None]) for truth in pair.truths)
    found: Floats = np.where(new, could * (other - one), 0.0).sum(axis=0)
    if name in COMPARING:
        compared = (could > 0) & ~np.isnan(last)
        for sign, truth in zip((1, -1), pair.truths, strict=True):
            told = _log_chance(new, np.abs(last - truth[:, None]), could, epsilon / (2 * pair.window))
            found += sign * np.where(compared, told, 0.0).sum(axis=0)
    return found


def reserves(name: str, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
    """What each timestamp could spend on an output when it was decided on, for the timestamps that were measured."""
    if name == "adaptive":
        return adaptive_budgets(N, LANDMARKS, epsilon, [t for t in range(N) if not new[t]]).tolist()
    if name not in COMPARING:
        return allocate(name, N, LANDMARKS, epsilon, window=pair.window).tolist()
    could, spent, blocked = [0.0] * N, [0.0] * N, -1
    for t in range(N):
        if name == "budget-distribution":
            could[t] = (epsilon / 2 - sum(spent[max(0, t - pair.window + 1) : t])) / 2
            spent[t] = could[t] * new[t]
        elif t > blocked:
            shares = min(t - blocked, pair.window)
            could[t] = shares * epsilon / (2 * pair.window)
            blocked = t + shares - 1 if new[t] else blocked
    return could


def _log_chance(new: NDArray[np.bool_], apart: Floats, could: Floats, comparison: float) -> Floats:
    """The logarithm of the chance that a private comparison decides as it did: ``apart + Laplace > 1 / could``, or not."""
    with np.errstate(divide="ignore"):
        beyond = (1 / could - apart) * comparison
    above = np.where(beyond > 0, 0.5 * np.exp(-np.abs(beyond)), 1 - 0.5 * np.exp(-np.abs(beyond)))
    return np.log(np.maximum(np.where(new, above, 1 - above), 1e-300))
