"""Temporal losses by their definitions: all subsets of states, one timestamp after the other. Nothing is the package's."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

Loss = Callable[[float], float]


class Side:
    """What a chain carries over from one timestamp to the next, by pairs (q, d): the masses of a set of states.

    several : the same of k moves.
    """

    def __init__(self, pairs: np.ndarray, several: Callable[[int], Loss] | None = None) -> None:
        self.q, self.d = pairs.T
        self.over = lru_cache(several) if several else lambda k: self

    def __call__(self, alpha: float) -> float:
        if alpha == 0 or not len(self.q):
            return 0.0
        if alpha < 1:
            theta = math.expm1(alpha)
            return float((np.log1p(self.q * theta) - np.log1p(self.d * theta)).max())
        with np.errstate(divide="ignore"):
            one, other = (np.logaddexp(np.log(x), np.log1p(-x) - alpha) for x in (self.q, self.d))
        return float((one - other).max())

    def supremum(self, epsilon: float) -> float:
        """Where the loss ends when every timestamp spends epsilon: (1 + t) (1 + d t) = e^eps (1 + q t), t = e^loss - 1."""
        if not len(self.q):
            return epsilon
        return max(_fixed_point(q, d, epsilon) for q, d in zip(self.q.tolist(), self.d.tolist(), strict=True))

    @property
    def bounded(self) -> float:
        """The budget from which on the loss has no bound; inf: there is none, 0: any."""
        return min((-math.log(q) if q < 1 else 0.0 for q in self.q[self.d == 0] if q > 0), default=math.inf)


@lru_cache(maxsize=20_000)
def _fixed_point(q: float, d: float, epsilon: float) -> float:
    if q <= d:
        return epsilon
    if epsilon > 300:
        with mpmath.workdps(50):
            e = mpmath.expm1(mpmath.mpf(epsilon))
            b = 1 + mpmath.mpf(d) - mpmath.mpf(q) - mpmath.mpf(q) * e
            if d == 0:
                return float(mpmath.log1p(e / b)) if b > 0 else math.inf
            return float(mpmath.log1p((-b + mpmath.sqrt(b * b + 4 * d * e)) / (2 * d)))
    e = math.expm1(epsilon)
    b = 1 + d - q - q * e
    if d == 0:
        return math.log1p(e / b) if b > 1e-15 else math.inf
    root = math.sqrt(b * b + 4 * d * e)
    return math.log1p(2 * e / (b + root) if b > 0 else (root - b) / (2 * d))


class AnyStartSide:
    """The same for someone who may hold any prior: two rows and two columns of cross ratio e^D decide."""

    def __init__(self, p: np.ndarray, smoothing: float | None = None) -> None:
        whole, p, self.diameter = p, p[:, p.max(axis=0) > 0], 0.0
        self.over = lru_cache(
            lambda k: AnyStartSide(
                np.linalg.matrix_power(whole, k), smoothing and smoothing_of(k, len(whole), smoothing)
            )
        )
        if (p == 0).any():
            self.diameter = math.inf
        elif smoothing is not None:  # of (1[i = j] + s) / (1 + m s): two states, each to itself and to the other
            self.diameter = 2 * math.log1p(1 / smoothing)
        else:
            for (a, b), (x, y) in itertools.product(*(itertools.permutations(range(k), 2) for k in p.shape)):
                self.diameter = max(self.diameter, math.log(p[a, x] * p[b, y] / (p[b, x] * p[a, y])))

    def __call__(self, alpha: float) -> float:
        if math.isinf(self.diameter) or alpha == 0:
            return alpha
        if alpha < 1 and self.diameter < 60:
            return 4 * math.atanh(math.tanh(alpha / 4) * math.tanh(self.diameter / 4))
        d = self.diameter
        return 2 * float(np.logaddexp(0, (d + alpha) / 2) - np.logaddexp(d / 2, alpha / 2))

    def supremum(self, epsilon: float) -> float:
        if math.isinf(self.diameter):
            return math.inf
        much = 1 / (1 + math.exp(-self.diameter / 2))
        return 2 * _fixed_point(much, 1 / (1 + math.exp(self.diameter / 2)), epsilon / 2)

    @property
    def bounded(self) -> float:
        return 0.0 if math.isinf(self.diameter) else math.inf


def side_of(rows: np.ndarray) -> Side:
    """All subsets of the states; of each the rows with the largest and the least mass."""
    m = rows.shape[1]
    if m > 12:
        raise ValueError("too many states for all subsets")
    subsets = (np.arange(1, 2**m - 1)[:, None] >> np.arange(m) & 1).astype(float)
    mass = rows @ subsets.T
    none, whole = (rows @ (subsets == 1).T == 0), (rows @ (subsets == 0).T == 0)
    mass = np.clip(np.where(none, 0.0, np.where(whole, 1.0, mass)), 0, 1)
    if not mass.size:
        return Side(np.zeros((0, 2)))
    q, d = mass.max(axis=0), mass.min(axis=0)
    order = np.lexsort((d, -q))
    q, d = q[order], d[order]
    before = np.concatenate(([np.inf], np.minimum.accumulate(d)[:-1]))
    best = (d < before) & (q > d)  # a smaller q with a larger d decides nothing
    return Side(np.stack((q, d), axis=1)[best], lambda k: side_of(np.linalg.matrix_power(rows, k)))


class Prefixes:
    """The same for one loss at a time: of every pair of rows the states sorted by their ratio, and every prefix of them."""

    def __init__(self, rows: np.ndarray) -> None:
        self.pairs, self.over = [], lru_cache(lambda k: Prefixes(np.linalg.matrix_power(rows, k)))
        for q in rows:
            order = np.argsort(np.divide(rows, q, out=np.full(rows.shape, np.inf), where=q > 0), axis=1)
            masses = (np.take_along_axis(np.broadcast_to(x, rows.shape), order, axis=1) for x in (q, rows))
            self.pairs.append(np.stack([np.minimum(m.cumsum(axis=1)[:, :-1].ravel(), 1) for m in masses]))

    def __call__(self, alpha: float) -> float:
        return max(0.0, *(Side(pairs.T)(alpha) for pairs in self.pairs))


def sticky_side(states: int, smoothing: float) -> Side:
    """Of (1[i = j] + s) / (1 + m s): sets of k states, with or without the state one comes from."""
    k, total = np.arange(1, states), 1 + states * smoothing
    pairs = np.stack(((1 + k * smoothing) / total, k * smoothing / total), axis=1)
    return Side(pairs, lambda moves: sticky_side(states, smoothing_of(moves, states, smoothing)))


def smoothing_of(moves: int, states: int, smoothing: float) -> float:
    """The s of several moves: staying weighs (1 + m s)^k times what is left for each state."""
    return math.expm1(min(moves * math.log1p(states * smoothing), 80.0)) / states


def long_run(p: np.ndarray) -> np.ndarray:
    """Where a walk that starts anywhere is at the end: a lazy walk of 2^60 moves."""
    walk = (p + np.eye(len(p))) / 2
    for _ in range(60):
        walk = walk @ walk
        walk /= walk.sum(axis=1, keepdims=True)
    pi = walk.mean(axis=0)
    pi[pi < 1e-13] = 0
    for _ in range(3):
        pi = pi @ p
    return pi / pi.sum()


def reversed_rows(p: np.ndarray, pi: np.ndarray) -> np.ndarray:
    """P(before | now) by Bayes' rule, for the states that occur."""
    joint = (pi[:, None] * p).T
    joint = joint[np.ix_(pi > 0, pi > 0)]
    return joint / joint.sum(axis=1, keepdims=True)


def left_for_ever(p: np.ndarray) -> int:
    """How many states cannot be reached again from some state that they lead to."""
    m, reach = len(p), (p > 0) | np.eye(len(p), dtype=bool)
    for k, x, y in itertools.product(range(m), repeat=3):
        reach[x, y] |= reach[x, k] and reach[k, y]
    return sum(any(reach[x, y] and not reach[y, x] for y in range(m)) for x in range(m))


def run(side: Any, budgets: list[float]) -> list[float]:
    """The recursion, with all moves since the last report as one."""
    losses: list[float] = []
    report = None
    for t, epsilon in enumerate(budgets):
        before = 0.0 if report is None or side is None else side.over(t - report)(losses[report])
        losses.append(before + epsilon)
        report = t if epsilon > 0 else report
    return losses


def move_by_move(side: Loss | None, budgets: list[float]) -> list[float]:
    """The recursion as its authors write it."""
    losses: list[float] = []
    for epsilon in budgets:
        before = side(losses[-1]) if losses and side is not None else 0.0
        losses.append(before + epsilon)
    return losses


def counted(backward: Loss | None, forward: Loss | None, budgets: list[float], landmarks: tuple[int, ...]) -> float:
    """The count in the landmark paper, the largest over all timestamps."""
    n, worst, follow = len(budgets), 0.0, move_by_move if landmarks else run
    for t in range(n):
        members = sorted({*landmarks, t})
        edges, total = [-1, *members, n], 0.0
        for before, i, after in zip(edges, members, edges[2:], strict=False):
            total += follow(backward, budgets[before + 1 : i + 1])[-1]
            total += follow(forward, budgets[i:after][::-1])[-1] - budgets[i]
        worst = max(worst, total)
    return worst


def bridged(
    p: np.ndarray, backward: Loss, forward: Loss, budgets: list[float], landmarks: tuple[int, ...], t: int
) -> float:
    """The bound by bridges for one timestamp, one gap, one end and one timestamp at a time."""
    members = sorted({*landmarks, t})

    def edge(side: Loss, window: list[float]) -> float:
        return run(side, [*window, 0.0])[-1]

    total = sum(budgets[i] for i in members)
    total += edge(backward, budgets[: members[0]]) + edge(forward, budgets[members[-1] + 1 :][::-1])
    for i, j in itertools.pairwise(members):
        total += _gap(p.tobytes(), len(p), tuple(budgets[i + 1 : j]))
    return total


@lru_cache(maxsize=5000)
def _gap(rows: bytes, m: int, window: tuple[float, ...]) -> float:
    p = np.frombuffer(rows).reshape(m, m)
    if not window:
        return 0.0
    reach = np.linalg.matrix_power(p, len(window) + 1) > 0
    ways = np.argwhere(reach).tolist()
    shared = all(reach[c, b] or reach[a, d] for (a, b), (c, d) in itertools.product(ways, repeat=2))
    if not shared:
        return sum(window)
    return min(sum(window), _changed(p, list(window[::-1])) + _changed(p.T.copy(), list(window)))


def _changed(q: np.ndarray, window: list[float]) -> float:
    """What a window tells of its one end while the other end, a state b, is known; the worst b."""
    worst = 0.0
    for b in range(len(q)):
        value = 0.0
        for r, epsilon in enumerate(window):
            value = epsilon + (_bridge(q, r, b)(value) if r else 0.0)
        worst = max(worst, _bridge(q, len(window), b)(value))
    return worst


def _bridge(q: np.ndarray, r: int, b: int) -> Loss:
    rows = q * np.linalg.matrix_power(q, r)[:, b]
    rows = rows[rows.sum(axis=1) > 0]
    if not len(rows):
        return Side(np.zeros((0, 2)))
    rows = rows / rows.sum(axis=1, keepdims=True)
    return side_of(rows) if rows.shape[1] <= 5 else Prefixes(rows)
