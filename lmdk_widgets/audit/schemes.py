"""Schemes: series that differ at all landmarks and one other timestamp, at one timestamp, or within a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.audit.evidence import least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.budgets import allocate, release, release_many
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace

N, LANDMARKS, WINDOW = 6, (1, 4), 2
TOGETHER = (1, 3, 4)
"""The landmarks and one regular timestamp."""

DIFFER: dict[str, tuple[str, tuple[int, ...]]] = {
    "event": ("series that differ at one timestamp", (3,)),
    "user": ("series that differ everywhere", tuple(range(N))),
    "window": ("series that differ at two timestamps in a row", (2, 3)),
    "uniform": ("series that differ at the landmarks and one other timestamp", TOGETHER),
    "weighted": ("series that differ at the landmarks and one other timestamp", TOGETHER),
    "skip": ("series that differ at the landmarks and one other timestamp", TOGETHER),
    "adaptive": ("series that differ at the landmarks and one other timestamp; what is skipped is not spent", TOGETHER),
    "budget-distribution": ("series that differ at two timestamps in a row; halves of halves are seldom spent", (2, 3)),
    "budget-absorption": ("series that differ at two timestamps in a row; what is nullified is not spent", (2, 3)),
}
ONLINE = ("adaptive", "budget-distribution", "budget-absorption")
MORE, FEWER = 5, 20
"""How many times the draws a scheme takes whose releases are drawn at once, and what part of them one by one."""


def schemes() -> list[Subject]:
    """A subject for each."""
    return [
        Subject(f"scheme {name}", claim, _measure(name, where), tight=name not in ONLINE)
        for name, (claim, where) in DIFFER.items()
    ]


def _measure(name: str, where: tuple[int, ...]) -> Callable[[float, np.random.Generator, int], float]:
    score = _one_by_one if name in ONLINE else _at_once

    def measure(epsilon: float, rng: np.random.Generator, draws: int) -> float:
        truths = np.zeros((2, N))
        truths[0, list(where)] = 1.0
        return least_epsilon(*(score(name, truth, truths, epsilon, rng, draws) for truth in truths))

    return measure


def _at_once(name: str, truth: Floats, truths: Floats, epsilon: float, rng: np.random.Generator, draws: int) -> Floats:
    """The logarithm of the ratio of densities of what is published, for the two series, in each of many releases."""
    spent = allocate(name, N, LANDMARKS, epsilon, window=WINDOW if name == "window" else None)

    def ratio(outputs: Any) -> Floats:
        one, other = (np.abs(outputs - each[:, None]) for each in truths)
        return np.where(spent[:, None] > 0, spent[:, None] * (other - one), 0.0)

    options = {"window": WINDOW} if name == "window" else {}
    many = MORE * draws
    found = release_many(truth, name, LANDMARKS, epsilon, Laplace(), rng=rng, draws=many, error=ratio, **options)
    return found.sum(axis=1)


def _one_by_one(
    name: str, truth: Floats, truths: Floats, epsilon: float, rng: np.random.Generator, draws: int
) -> Floats:
    """The same where budgets follow from what was published before; what a private comparison tells is left out."""
    options = {} if name == "adaptive" else {"window": WINDOW}
    scores = np.empty(draws // FEWER)
    for k in range(len(scores)):
        found = release(truth, name, LANDMARKS, epsilon, Laplace(), rng=rng, **options)
        when = found.published
        one, other = (np.abs(found.outputs[when] - each[when]) for each in truths)
        scores[k] = ((found.budgets - found.comparison_budget)[when] * (other - one)).sum()
    return scores
