"""Schemes: series that differ at all landmarks and one other timestamp, at one timestamp, or within a window.

An online scheme decides by what it has published, or by a private comparison, which timestamps to measure. It is tried with
two pairs of series, the worst that are known. The score is the logarithm of the ratio of densities of all that is published:
which timestamps are new, and their outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.audit.evidence import least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.budgets import SCHEMES, release_many
from lmdk_widgets.budgets.schemes.base import LANDMARKS, Pair
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace

MORE = 5
"""How many times the draws a scheme takes that spends all: on several timestamps, which seldom tell most all together."""


PAIRS: dict[str, tuple[Pair, ...]] = {name: scheme.pairs for name, scheme in SCHEMES.items() if scheme.pairs}
"""The neighbouring series of each scheme that promises something for epsilon."""


def schemes() -> list[Subject]:
    """A subject for each pair."""
    return [
        Subject(f"scheme {name}{', pair 2' if second else ''}", pair.claim, _measure(name, pair), tight=pair.tight)
        for name, pairs in PAIRS.items()
        for second, pair in enumerate(pairs)
    ]


def _measure(name: str, pair: Pair) -> Callable[[float, np.random.Generator, int], float]:
    options: dict[str, Any] = {"window": pair.window}
    if SCHEMES[name].compares:
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
    if SCHEMES[name].compares:
        compared = (could > 0) & ~np.isnan(last)
        for sign, truth in zip((1, -1), pair.truths, strict=True):
            told = _log_chance(new, np.abs(last - truth[:, None]), could, epsilon / (2 * pair.window))
            found += sign * np.where(compared, told, 0.0).sum(axis=0)
    return found


def reserves(name: str, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
    """What each timestamp could spend on an output when it was decided on, for the timestamps that were measured."""
    return SCHEMES[name].reserves(pair, epsilon, new)


def _log_chance(new: NDArray[np.bool_], apart: Floats, could: Floats, comparison: float) -> Floats:
    """The logarithm of the chance that a private comparison decides as it did: ``apart + Laplace > 1 / could``, or not."""
    with np.errstate(divide="ignore"):
        beyond = (1 / could - apart) * comparison
    above = np.where(beyond > 0, 0.5 * np.exp(-np.abs(beyond)), 1 - 0.5 * np.exp(-np.abs(beyond)))
    return np.log(np.maximum(np.where(new, above, 1 - above), 1e-300))
