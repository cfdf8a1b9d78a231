"""PlaceChoices, priors and the slow oracles that the tests of this room share."""

from __future__ import annotations

import math

import numpy as np


def distances(points) -> np.ndarray:
    points = np.asarray(points, float)
    return np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))


def grid(rows: int, columns: int | None = None) -> np.ndarray:
    return np.array([(x, y) for x in range(rows) for y in range(columns or rows)], float)


def uniform(n: int) -> np.ndarray:
    return np.full(n, 1 / n)


def slow_epsilon(matrix, apart) -> float:
    """By the definition, one pair and report after the other."""
    worst = 0.0
    for x in range(len(matrix)):
        for y in range(len(matrix)):
            for a, b in zip(matrix[x], matrix[y], strict=True):
                if x == y or a == b:
                    continue
                if a == 0 or b == 0 or apart[x][y] == 0:
                    return math.inf
                worst = max(worst, abs(math.log(a) - math.log(b)) / apart[x][y])
    return worst


def random_task(rng: np.random.Generator, most: int = 20):
    """Distances, a prior (uniform, spiky, or with zeros) and an epsilon, eps * diameter from 0.01 to 50."""
    if rng.random() < 0.5:
        rows = int(rng.integers(1, 5))
        points = grid(rows, int(rng.integers(2, most // rows + 1)))
    else:
        points = 3 * rng.random((int(rng.integers(2, most + 1)), 2))
    n, apart = len(points), distances(points)
    kind = rng.integers(3)
    prior = uniform(n) if kind == 0 else rng.random(n) ** 6 if kind == 1 else rng.random(n) * (rng.random(n) < 0.5)
    prior[0] += 1e-3
    return apart, prior / prior.sum(), 10 ** rng.uniform(-2, math.log10(50)) / apart.max()
