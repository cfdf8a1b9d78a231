"""The measures of a table as their papers write them: loops over rows in plain Python, and a linear programme.

Tables are lists of rows; a missing value is None. Nothing of the package is used.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
from scipy.optimize import linprog


def groups(rows: list[tuple], known: list[int]) -> list[list[int]]:
    """Rows of each class, by comparing every row with the first row of every class."""
    found: list[list[int]] = []
    for i, row in enumerate(rows):
        for group in found:
            if all(rows[group[0]][c] == row[c] for c in known):
                group.append(i)
                break
        else:
            found.append([i])
    return found


def k(rows: list[tuple], known: list[int]) -> int:
    return min(len(group) for group in groups(rows, known))


def counts(rows: list[tuple], group: list[int], column: int) -> list[int]:
    return sorted(Counter(rows[i][column] for i in group).values(), reverse=True)


def distinct_l(rows: list[tuple], known: list[int], column: int) -> int:
    return min(len(counts(rows, group, column)) for group in groups(rows, known))


def entropy_l(rows: list[tuple], known: list[int], column: int) -> float:
    lowest = math.inf
    for group in groups(rows, known):
        shares = [c / len(group) for c in counts(rows, group, column)]
        lowest = min(lowest, -sum(p * math.log(p) for p in shares))
    return math.exp(lowest)


def recursive_l(rows: list[tuple], known: list[int], column: int, c: float) -> int:
    """By trying every l; 0 if none holds."""

    def holds(l: int) -> bool:
        found = (counts(rows, group, column) for group in groups(rows, known))
        return all(len(r) >= l and r[0] < c * sum(r[l - 1 :]) for r in found)

    return max([0, *(l for l in range(1, len(rows) + 1) if holds(l))])


def transport(p: np.ndarray, q: np.ndarray, distance: np.ndarray) -> float:
    """The earth mover's distance by its linear programme: the cheapest flow that turns p into q."""
    m = len(p)
    sums = np.vstack([np.kron(np.eye(m), np.ones(m)), np.kron(np.ones(m), np.eye(m))])
    solved = linprog(distance.ravel(), A_eq=sums, b_eq=np.concatenate([p, q]), bounds=(0, None), method="highs")
    assert solved.status == 0
    return float(solved.fun)


def closeness(rows: list[tuple], known: list[int], column: int, domain: list, distance: np.ndarray) -> float:
    def law(of: list[int]) -> np.ndarray:
        found = Counter(rows[i][column] for i in of)
        return np.array([found[value] / len(of) for value in domain])

    table = law(list(range(len(rows))))
    return max(transport(law(group), table, distance) for group in groups(rows, known))


def equal_distances(m: int) -> np.ndarray:
    return 1.0 - np.eye(m)


def ordered_distances(m: int) -> np.ndarray:
    return np.abs(np.subtract.outer(np.arange(m), np.arange(m))) / max(m - 1, 1)


def tree_distances(leaves: list, parents: dict) -> np.ndarray:
    """Height of the lowest common ancestor over the height of the tree, by walking up from each leaf."""
    below = defaultdict(list)
    for child, parent in parents.items():
        below[parent].append(child)

    def height(node: Any) -> int:
        return 1 + max(map(height, below[node])) if below[node] else 0

    def path(node: Any) -> list:
        return [node, *path(parents[node])] if node in parents else [node]

    root = path(leaves[0])[-1]
    return np.array([[height(next(n for n in path(a) if n in path(b))) for b in leaves] for a in leaves]) / height(root)


def assignments(allowed: np.ndarray) -> np.ndarray:
    """Which pairs occur in some assignment of each row to a column of its own, by trying all."""
    n, m = allowed.shape
    possible = np.zeros_like(allowed)
    for chosen in itertools.permutations(range(m), n):
        if all(allowed[i, j] for i, j in enumerate(chosen)):
            possible[np.arange(n), chosen] = True
    return possible
