"""The loss of a chain at a delta once more: profiles over a range of likelihood ratios, every pair of rows, no tricks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number import losses

POINTS = 1501
"""Ratios above 1; as many are below."""


class Profiles:
    """The largest of P(set) - ratio Q(set), for ratios from e^-reach to e^reach."""

    def __init__(self, reach: float) -> None:
        self.x = np.linspace(-reach, reach, 2 * POINTS - 1)
        self.ratio = np.exp(self.x)
        self.none = np.maximum(1 - self.ratio, 0)

    def at(self, found: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A profile at the logarithms of other ratios."""
        return np.where(x < self.x[0], 1 - np.exp(x), np.interp(x, self.x, found, right=0))

    def moved(self, found: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """After a move by these rows: each pair's own coefficient, the largest result; below 1 with both laws swapped."""
        best = np.zeros(POINTS)
        for one in rows:
            for two in rows:
                share = np.maximum(one[:, None] - two[:, None] * self.ratio[POINTS - 1 :], 0).sum(axis=0)
                some = share > 1e-13
                inside = 1 + np.maximum(self.ratio[POINTS - 1 :][some] - 1, 0) / share[some]
                best[some] = np.maximum(best[some], share[some] * self.at(found, np.log(inside)))
        below = 1 - self.ratio[: POINTS - 1] * (1 - best[:0:-1])
        return np.concatenate([below, best])

    def reported(self, found: np.ndarray, epsilon: float) -> np.ndarray:
        """With one more answer, true with e^epsilon / (1 + e^epsilon)."""
        true = 1 / (1 + math.exp(-epsilon))
        at = [self.at(found, self.x + shift) for shift in (-epsilon, epsilon)]
        return np.maximum(true * at[0] + (1 - true) * at[1], self.none)

    def epsilon(self, one: np.ndarray, other: np.ndarray, delta: float) -> float:
        """Of both together, by the chances of each ratio of the one."""
        slopes = np.diff(one) / np.diff(self.ratio)
        chance = np.maximum(np.diff(slopes), 0)
        ratio, x = self.ratio[1:-1], self.x[1:-1]

        def delta_at(epsilon: float) -> float:
            return float((chance * ratio * self.at(other, epsilon - x)).sum())

        low, high = 0.0, float(self.x[-1])
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if delta_at(middle) > delta else (low, middle)
        return high


def chain_at_delta(t: Any) -> float:
    """The largest total loss of a timestamp at the scenario's delta."""
    p, who = t.matrix, t.s.adversary
    past = p if t.modelled else losses.reversed_rows(p, t.long_run)
    nothing = np.ones((1, 1))
    steps = Profiles(min(1.05 * math.fsum(t.spent) + 0.05, 80.0))  # no ratio is at the ends
    before = _run(steps, nothing if who == "future" else past, t.spent)
    after = _run(steps, nothing if who == "past" else p, t.spent[::-1])[::-1]
    return max(steps.epsilon(here, later, t.s.delta) for (_, here), (later, _) in zip(before, after, strict=True))


def _run(steps: Profiles, rows: np.ndarray, budgets: list[float]) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each timestamp the profile of the reports before it, and with its own; silent moves are one."""
    found, last, held = [], 0, steps.none
    for t, epsilon in enumerate(budgets):
        before = held if t == 0 else steps.moved(held, np.linalg.matrix_power(rows, t - last))
        here = steps.reported(before, epsilon)
        found.append((before, here))
        if epsilon > 0:
            last, held = t, here
    return found
