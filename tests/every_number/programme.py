"""The least loss of geo-indistinguishable reports as a linear programme, solved as it is written."""

from __future__ import annotations

import itertools
import math

import highspy
import numpy as np


def spanner_edges(apart: np.ndarray, dilation: float) -> tuple[list[tuple[int, int]], float]:
    """The greedy spanner's edges and the dilation that it reaches: shortest paths anew after every edge."""
    n = len(apart)
    paths = np.where(np.eye(n) == 1, 0.0, np.inf)
    edges = []
    for x, y in sorted(itertools.combinations(range(n), 2), key=lambda pair: apart[pair]):
        if paths[x, y] <= dilation * apart[x, y] * (1 + 1e-12):
            continue
        edges.append((x, y))
        paths[x, y] = paths[y, x] = min(paths[x, y], apart[x, y])
        for k in (x, y):
            paths = np.minimum(paths, paths[:, k, None] + paths[k])
    ratios = [paths[pair] / apart[pair] for pair in itertools.combinations(range(n), 2)]
    return edges, max([1.0, *ratios])


def least_loss(
    apart: np.ndarray,
    prior: np.ndarray,
    epsilon: float,
    edges: list[tuple[int, int]] | None = None,
    quality: np.ndarray | None = None,
) -> float:
    """min sum pi_x K_xz d_Q(x, z), d_Q being `quality` or d itself, with K_xz <= e^(epsilon d(x, y)) K_yz on
    the edges, all pairs unless they are given.

    The dual simplex's value is not below the least loss by more than its tolerance.
    """
    n, lost = len(apart), apart if quality is None else quality
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    scale = float((prior @ lost).min()) or 1.0
    for x, z in itertools.product(range(n), repeat=2):
        model.addVar(0.0, 1.0)
        model.changeColCost(x * n + z, prior[x] * lost[x, z] / scale)
    for x in range(n):
        model.addRow(1.0, 1.0, n, np.arange(x * n, x * n + n), np.ones(n))
    for x, y in edges if edges is not None else itertools.combinations(range(n), 2):
        factor = epsilon * apart[x, y]
        if factor > 25:
            continue
        for (a, b), z in itertools.product(((x, y), (y, x)), range(n)):
            model.addRow(-math.inf, 0.0, 2, np.array([a * n + z, b * n + z]), np.array([math.exp(-factor), -1.0]))
    model.run()
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return model.getInfo().objective_function_value * scale
