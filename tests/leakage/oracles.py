"""Slow and literal versions of what lmdk_widgets.leakage computes, sharing none of its code, and matrices to try."""

import itertools
import math

import mpmath
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_diag

A = np.array([[0.8, 0.2], [0.0, 1.0]])
C = np.array([[0.8, 0.2], [0.2, 0.8]])
M = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]])
EQUAL_ROWS = np.full((3, 3), 1 / 3)
CYCLE = np.roll(np.eye(3), 1, axis=1)


def normalised(weights):
    return weights / weights.sum(axis=1, keepdims=True)


def random_matrix(rng, m):
    """Dense, peaked, sparse or nearly constant; some rows equal, some entries tiny."""
    kind = rng.integers(6)
    if kind == 0:
        return rng.dirichlet(np.ones(m), m)
    if kind == 1:
        return normalised(rng.random((m, m)) ** 8)
    if kind == 2:
        weights = rng.random((m, m)) * (rng.random((m, m)) < 0.6)
        weights[np.arange(m), rng.integers(m, size=m)] += 0.1
        return normalised(weights)
    if kind == 3:
        return normalised(1 + 10.0 ** -rng.integers(2, 8) * rng.standard_normal((m, m)))
    if kind == 4:
        return normalised(np.eye(m) + 10.0 ** rng.uniform(-4, 1))
    p = normalised(10.0 ** rng.uniform(-9, 0, (m, m)))
    p[rng.integers(m)] = p[rng.integers(m)]
    return p


def brute_force(p, alphas):
    """L by every pair of rows and every subset of the states."""
    m = len(p)
    subsets = np.array(list(itertools.product((0.0, 1.0), repeat=m)))
    mass = p @ subsets.T
    theta = np.expm1(np.asarray(alphas))[:, None, None, None]
    return np.log((1 + mass[None, :, None] * theta) / (1 + mass[None, None] * theta)).max(axis=(1, 2, 3))


def brute_force_exact(p, alpha):
    """The same in long arithmetic, for one alpha."""
    with mpmath.workdps(60):
        rows = [[mpmath.mpf(float(v)) for v in row] for row in p]
        theta = mpmath.expm1(mpmath.mpf(alpha))
        best = mpmath.mpf(1)
        for subset in itertools.product((0, 1), repeat=len(p)):
            mass = [1 + theta * sum(v for v, inside in zip(row, subset, strict=True) if inside) for row in rows]
            best = max(best, max(mass) / min(mass))
        return mpmath.log(best)


def linear_programme(p, alpha):
    """max Q.x / D.x with e^-alpha <= x_j / x_k <= e^alpha, all pairs at once: D.x = 1 and t <= x <= e^alpha t."""
    m = len(p)
    pairs = [(x, y) for x in range(m) for y in range(m) if x != y]
    low = np.hstack([-np.eye(m), np.ones((m, 1))])
    high = np.hstack([np.eye(m), np.full((m, 1), -math.exp(alpha))])
    answer = linprog(
        -np.concatenate([np.append(p[x], 0) for x, _ in pairs]),
        A_ub=block_diag([np.vstack([low, high])] * len(pairs)),
        b_ub=np.zeros(2 * m * len(pairs)),
        A_eq=block_diag([np.append(p[y], 0)[None] for _, y in pairs]),
        b_eq=np.ones(len(pairs)),
        method="highs",
    )
    values = answer.x.reshape(len(pairs), m + 1)[:, :m]
    return math.log(max(p[x] @ v / (p[y] @ v) for (x, y), v in zip(pairs, values, strict=True)))


def algorithm_1(p, alpha):
    """Cao et al., ICDE 2017, Algorithm 1, for every pair of rows."""
    theta, best = math.expm1(alpha), 0.0
    for q, d in itertools.permutations(p.tolist(), 2):
        subset = [j for j in range(len(q)) if q[j] > d[j]]
        while True:
            a, b = sum(q[j] for j in subset), sum(d[j] for j in subset)
            ratio = (a * theta + 1) / (b * theta + 1)
            kept = [j for j in subset if q[j] > ratio * d[j]]
            if kept == subset:
                break
            subset = kept
        best = max(best, math.log(ratio))
    return best


def all_prefixes(p, alphas):
    """L by every pair and every prefix of the states sorted by ratio; for matrices too large for all subsets."""
    theta, best = np.expm1(np.asarray(alphas))[:, None], np.zeros(len(alphas))
    for x in range(len(p)):
        q, d = np.broadcast_to(p[x], p.shape), p
        order = np.argsort(np.divide(d, q, out=np.full(p.shape, np.inf), where=q > 0), axis=1)
        d = np.take_along_axis(d, order, axis=1)
        gain = np.cumsum(np.take_along_axis(q, order, axis=1) - d, axis=1).ravel()
        best = np.maximum(best, np.log1p((gain * theta / (1 + np.cumsum(d, axis=1).ravel() * theta)).max(axis=1)))
    return best


def literal_loss(p, budgets):
    """The recursion on top of Algorithm 1; all moves since the last report are one."""
    losses, reports = [], []
    for t, epsilon in enumerate(budgets):
        if p is None or not reports:
            losses.append(epsilon)
        else:
            moves = np.linalg.matrix_power(p, t - reports[-1])
            losses.append(algorithm_1(moves, losses[reports[-1]]) + epsilon)
        reports += [t] if epsilon > 0 else []
    return np.array(losses)


def literal_landmark_loss(backward, forward, budgets, landmarks):
    """Every t, every member of L u {t}, both windows, as they are written; `backward` and `forward` map a loss on."""
    n, losses = len(budgets), []

    def last(carry, window):
        value = 0.0
        for position, epsilon in enumerate(window):
            value = (carry(value) if position else 0.0) + epsilon
        return value

    for t in range(n):
        members = sorted({*landmarks, t})
        edges = [-1, *members, n]
        losses.append(
            sum(
                last(backward, budgets[before + 1 : i + 1]) + last(forward, budgets[i:after][::-1]) - budgets[i]
                for before, i, after in zip(edges, members, edges[2:], strict=False)
            )
        )
    return np.array(losses)
