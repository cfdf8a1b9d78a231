"""Epsilon of releases at a delta once more: distribution functions cut into pieces, convolved without a tilt."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import numpy as np

CELLS = 2**15
"""Of the sum's lattice, from -sum to sum."""

PIECES, ANGLES = 1600, 1000
"""Of the losses of one release, and of the directions about a place."""


def _laplace(loss: np.ndarray, budget: float) -> np.ndarray:
    """P(loss <= l): the loss falls as the noise grows."""
    return np.where(loss >= budget, 1.0, np.where(loss < -budget, 0.0, np.exp((loss - budget) / 2) / 2))


def _points(loss: np.ndarray, budget: float) -> np.ndarray:
    """The same of points: in polar coordinates about the true place, beyond a branch of a hyperbola."""
    t = np.clip(loss / budget, -1, 1)
    last = np.arccos(-t)
    share = (np.arange(ANGLES) + 0.5) / ANGLES
    angle = last[:, None] * share
    reach = budget * (1 - t[:, None] ** 2) / (2 * np.maximum(t[:, None] + np.cos(angle), 1e-300))
    inside = ((1 + reach) * np.exp(-np.minimum(reach, 700))).mean(1) * last / math.pi
    return np.where(loss >= budget, 1.0, np.where(loss <= -budget, 0.0, inside))


def _pieces(kind: str, budget: float) -> tuple[np.ndarray, np.ndarray]:
    """Losses and their chances."""
    if kind == "answers":
        truth = 1 / (1 + math.exp(-budget))
        return np.array([budget, -budget]), np.array([truth, 1 - truth])
    edges = np.linspace(-budget, budget, PIECES + 1)
    below = (_laplace if kind == "numbers" else _points)(edges, budget)
    if kind == "points":
        return (edges[1:] + edges[:-1]) / 2, np.diff(below)
    below[-1] = 0.5  # up to the loss b itself, which has the chance 1/2
    return np.array([-budget, *(edges[1:] + edges[:-1]) / 2, budget]), np.array([below[0], *np.diff(below), 0.5])


@lru_cache(64)
def _summed(kind: str, budgets: tuple[tuple[float, int], ...]) -> tuple[np.ndarray, np.ndarray]:
    """The losses of all releases and their chances."""
    total = math.fsum(b * k for b, k in budgets)
    step = 2 * total / (CELLS - 2 * sum(k for _, k in budgets) - 8)
    spectrum = np.ones(CELLS, complex)
    for budget, k in budgets:
        losses, chances = _pieces(kind, budget)
        place = losses / step
        low = np.floor(place).astype(int)
        one = np.zeros(CELLS)
        np.add.at(one, low % CELLS, chances * (1 - (place - low)))
        np.add.at(one, (low + 1) % CELLS, chances * (place - low))
        spectrum *= np.fft.fft(one) ** k
    chances = np.roll(np.fft.ifft(spectrum).real, CELLS // 2)
    return (np.arange(CELLS) - CELLS // 2) * step, chances


def _counted(budgets: list[float]) -> tuple[tuple[float, int], ...]:
    return tuple(sorted(Counter(b for b in budgets if b > 0).items()))


def epsilon_at(kind: str, budgets: list[float], delta: float) -> float:
    """Of "numbers", "answers" or "points", to about a thousandth of the sum."""
    sums, chances = _summed(kind, _counted(budgets))
    low, high = 0.0, math.fsum(budgets)
    for _ in range(60):
        middle = (low + high) / 2
        above = sums > middle
        found = float((chances[above] * -np.expm1(middle - sums[above])).sum())
        low, high = (low, middle) if found <= delta else (middle, high)
    return high


def missed_at(kind: str, budgets: list[float], false_alarm: np.ndarray) -> np.ndarray:
    """What the best test misses at each share of false alarms: it says "in" where the loss is large."""
    _, chances = _summed(kind, _counted(budgets))
    chances = np.maximum(chances, 0)
    below = np.concatenate([[0.0], np.cumsum(chances)])
    at = np.arange(CELLS - 1, 0, -1)  # "in" above this loss; the two inputs are each other's mirror
    alarms, missed = np.array([0.0, *below[CELLS - at], 1.0]), np.array([1.0, *below[at + 1], 0.0])
    return np.interp(false_alarm, alarms, missed)


def two_counts_apart(rate: float) -> float:
    """The total variation of two counts with Laplace noise that change by 1 each, over a lattice of both losses. A count
    beyond its two values loses the rate one way or the other; between them, the loss falls evenly."""
    k = (np.arange(4000) + 0.5) / 4000
    losses = np.concatenate([[rate, -rate], rate * (1 - 2 * k)])
    chances = np.concatenate([[0.5, math.exp(-rate) / 2], rate * np.exp(-rate * k) / 2 / len(k)])
    return sum(
        float(p * (chances * -np.expm1(-np.maximum(losses + one, 0))).sum())
        for p, one in zip(chances, losses, strict=True)
    )
