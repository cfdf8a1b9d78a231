"""Slow and literal versions of the loss pair by pair: a linear programme, every tree, and every path of a chain."""

import itertools
import math

import mpmath
import numpy as np
from scipy.optimize import linprog


def random_bound(rng, m):
    """Distances in the plane, on a grid with ties, or of any shape that keeps the triangle inequality; small and large."""
    kind = rng.integers(3)
    if kind == 2:
        found = rng.random((m, m)) * 10.0 ** rng.uniform(-2, 1)
        np.fill_diagonal(found, 0.0)
        for middle in range(m):
            found = np.minimum(found, found[:, [middle]] + found[[middle]])
        return found
    at = rng.integers(0, 4, (m, 2)) if kind else rng.normal(size=(m, 2))
    return np.hypot(*np.moveaxis(at[:, None] - at, 2, 0)) * 10.0 ** rng.uniform(-2, 0.8)


def by_programme(p, q, bound):
    """max p.g with q.g = 1 and the cone's constraints, by HiGHS; nan where it gives up."""
    m, rows = len(p), []
    for u, v in itertools.permutations(range(m), 2):
        row = np.zeros(m)
        row[u], row[v] = math.exp(-bound[u, v] / 2), -math.exp(bound[u, v] / 2)
        rows.append(row)
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(-p, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=q[None], b_eq=[1.0], options=tight)
    return math.log(-found.fun) if found.status == 0 else math.nan


def trees(m):
    """The edges of every tree on m nodes, by Prüfer's sequences."""
    if m == 1:
        yield []
    for word in itertools.product(range(m), repeat=max(m - 2, 0)):
        left, degree, edges = list(word), [1 + word.count(x) for x in range(m)], []
        while left:
            leaf = degree.index(1)
            edges.append((leaf, left[0]))
            degree[leaf] -= 1
            degree[left.pop(0)] -= 1
        if m > 1:
            edges.append(tuple(x for x in range(m) if degree[x] == 1))
        yield edges


def rays(bound):
    """The logarithms of the cone's extreme rays: every tree with every direction of its edges that keeps all constraints."""
    m = len(bound)
    for edges in trees(m):
        for turned in itertools.product((False, True), repeat=len(edges)):
            height, waiting = {0: 0.0}, [(b, a) if t else (a, b) for (a, b), t in zip(edges, turned, strict=True)]
            while waiting:
                u, v = waiting.pop(0)
                if u in height:
                    height[v] = height[u] - bound[u, v]
                elif v in height:
                    height[u] = height[v] + bound[u, v]
                else:
                    waiting.append((u, v))
            h = np.array([height[x] for x in range(m)])
            if (h[:, None] - h <= bound + 1e-9 * (1 + bound.max())).all():
                yield h


def by_trees(p, bound):
    """Lam by all extreme rays, in long arithmetic."""
    m = len(p)
    with mpmath.workdps(40):
        found = [[mpmath.mpf(0)] * m for _ in range(m)]
        for h in rays(bound):
            sums = [sum(mpmath.mpf(w) * mpmath.exp(mpmath.mpf(a)) for w, a in zip(row, h, strict=True)) for row in p]
            for x, y in itertools.permutations(range(m), 2):
                found[x][y] = max(found[x][y], mpmath.log(sums[x] / sums[y]))
        return np.array([[float(value) for value in row] for row in found])


def told(chain, start, columns, t):
    """ln of Pr(outputs | state x at t), for every x, by summing over every path; a column says how likely its output is."""
    m, n = len(chain), len(columns)
    joint, prior = np.zeros(m), np.zeros(m)
    for path in itertools.product(range(m), repeat=n):
        weight = start[path[0]] * math.prod(chain[a, b] for a, b in itertools.pairwise(path))
        prior[path[t]] += weight
        joint[path[t]] += weight * math.prod(column[x] for column, x in zip(columns, path, strict=True))
    return np.log(joint / prior)
