"""Markov chains of the series page, walked node by node: what each quilt lets through, and influences of neighbours."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any

import numpy as np


def sides_of(p: np.ndarray, pi: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """(distances 1 to most, pairs of possible states) each: what the past and the future tell of a state against another."""
    m, possible = len(p), [x for x in range(len(p)) if pi[x] > 0]
    pairs = list(itertools.permutations(possible, 2)) or [(possible[0], possible[0])]
    x, other = np.array(pairs).T
    past, future, power = [], [], np.eye(m)
    for _ in range(most):
        power = power @ p
        with np.errstate(divide="ignore", invalid="ignore"):
            back = np.log(power[possible][:, x] / power[possible][:, other])
            ahead = np.log(power[x] / power[other])
            start = np.log(pi[other] / pi[x])
        past.append(start + np.nanmax(np.where(np.isnan(back), -np.inf, back), axis=0))
        future.append(np.nanmax(np.where(np.isnan(ahead), -np.inf, ahead), axis=1))
    return np.array(past), np.array(future)


class Scores:
    """The influence e(a, b) of every quilt by distance, row or column 0 for a side without one."""

    def __init__(self, past: np.ndarray, future: np.ndarray, length: int) -> None:
        none = np.zeros((1, past.shape[1]))
        past, future = np.vstack((none, past[: length - 1])), np.vstack((none, future[: length - 1]))
        self.length = length
        self.influence = np.array([np.maximum((row + future).max(axis=1), 0.0) for row in past])

    def of(self, node: int, a: int, b: int, epsilon: float) -> float:
        """The score of the quilt a back and b ahead, 0: none."""
        near = (a or node + 1) + (b or self.length - node) - 1
        e = self.influence[a, b]
        return near / (epsilon - e) if e < epsilon else math.inf

    def tells(self, node: int, a: int, b: int) -> float:
        return float(self.influence[a, b])

    def nodes(self, epsilon: float) -> np.ndarray:
        """The least score of every timestamp."""
        found = []
        for node in range(self.length):
            before, after = node, self.length - 1 - node
            e = self.influence[: before + 1, : after + 1]
            a, b = np.arange(before + 1), np.arange(after + 1)
            near = np.where(a == 0, before + 1, a)[:, None] + np.where(b == 0, after + 1, b) - 1
            room = epsilon - e
            found.append(float((near[room > 0] / room[room > 0]).min()))
        return np.array(found)


@lru_cache(maxsize=20)
def scores_of(rows: bytes, start: bytes, m: int, length: int) -> tuple[Scores, np.ndarray, np.ndarray]:
    p, pi = np.frombuffer(rows).reshape(m, m), np.frombuffer(start)
    past, future = sides_of(p, pi, length - 1)
    return Scores(past, future, length), past, future


class Walk:
    """One chain from one start: what every timestamp tells of every other one, where it is, and all quilts by it.

    `everything`: a past state counts even if it cannot occur at its timestamp.
    """

    def __init__(self, p: np.ndarray, start: np.ndarray, length: int, everything: bool) -> None:
        self.length, m = length, len(p)
        self.chances, powers = [start], [np.eye(m)]
        for _ in range(length - 1):
            self.chances.append(self.chances[-1] @ p)
            powers.append(powers[-1] @ p)
        self.past: list[list[np.ndarray]] = []
        self.future: list[list[np.ndarray]] = []
        for i, here in enumerate(self.chances):
            possible = [x for x in range(m) if here[x] > 0]
            pairs = list(itertools.permutations(possible, 2)) or [(possible[0], possible[0])]
            seen = [self.chances[i - d] > 0 if not everything else np.ones(m, bool) for d in range(1, i + 1)]
            back = [powers[d][seen[d - 1]] / np.where(here > 0, here, np.nan) for d in range(1, i + 1)]
            ahead = [powers[d].T for d in range(1, length - i)]
            self.past.append([_ratios(likelihood, pairs) for likelihood in back])
            self.future.append([_ratios(likelihood, pairs) for likelihood in ahead])

    @property
    def possible(self) -> int:
        """The most states that can occur at one timestamp."""
        return max(int((here > 0).sum()) for here in self.chances)

    def back(self, node: int, d: int) -> float:
        """What the state d before tells of that at a timestamp; nan where there is none."""
        return max(0.0, float(self.past[node][d - 1].max())) if d <= node else math.nan

    def ahead(self, node: int, d: int) -> float:
        return max(0.0, float(self.future[node][d - 1].max())) if node + d < self.length else math.nan

    def tells(self, node: int, a: int, b: int) -> float:
        """The influence of the quilt a back and b ahead, 0: none."""
        none = np.zeros(1)
        both = (self.past[node][a - 1] if a else none) + (self.future[node][b - 1] if b else none)
        return max(0.0, float(both.max()))

    def of(self, node: int, a: int, b: int, epsilon: float) -> float:
        near = (a or node + 1) + (b or self.length - node) - 1
        e = self.tells(node, a, b)
        return near / (epsilon - e) if e < epsilon else math.inf

    def nodes(self, epsilon: float) -> np.ndarray:
        """The least score of every timestamp, of all its quilts."""
        found = []
        for i in range(self.length):
            none = [np.zeros(len(self.past[i][0] if i else self.future[i][0]))]
            past, future = np.array(none + self.past[i]), np.array(none + self.future[i])
            e = np.maximum((past[:, None] + future[None]).max(axis=2), 0.0)
            a, b = np.arange(len(past)), np.arange(len(future))
            near = np.where(a == 0, i + 1, a)[:, None] + np.where(b == 0, self.length - i, b) - 1
            room = epsilon - e
            found.append(float((near[room > 0] / room[room > 0]).min()))
        return np.array(found)


def _ratios(likelihood: np.ndarray, pairs: list[tuple[int, int]]) -> np.ndarray:
    """Of what is seen (rows) given a state (columns): log of the largest ratio, by pair of states; 0 / 0 is none."""
    found = []
    for x, other in pairs:
        ratios = [
            math.inf if two == 0 else math.log(one) - math.log(two)
            for one, two in zip(likelihood[:, x].tolist(), likelihood[:, other].tolist(), strict=True)
            if one > 0
        ]
        found.append(max(ratios))
    return np.array(found)


@lru_cache(maxsize=40)
def walk_of(rows: bytes, start: bytes, m: int, length: int, everything: bool) -> Walk:
    return Walk(np.frombuffer(rows).reshape(m, m), np.frombuffer(start), length, everything)


def walked(p: Any, start: Any, length: int, everything: bool) -> Walk:
    p, start = np.array(p, float), np.array(start, float)
    return walk_of(p.tobytes(), start.tobytes(), len(p), length, everything)


@lru_cache(maxsize=1)
def published_scale() -> float:
    """Of the first of the two published chains, as the authors count."""
    return float(walked([[0.9, 0.1], [0.4, 0.6]], [1, 0], 100, True).nodes(1.0).max())


def settled(p: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The shares of an endless run from a start: a lazy walk of 2^60 moves."""
    walk = (p + np.eye(len(p))) / 2
    for _ in range(60):
        walk = walk @ walk
        walk /= walk.sum(axis=1, keepdims=True)
    pi = start @ walk
    pi[pi < 1e-13] = 0
    return pi / pi.sum()


def tells_nothing(p: np.ndarray, pi: np.ndarray) -> bool:
    """Whether each two timestamps that follow each other are independent, whatever the length."""
    for _ in range(2 ** min(len(p), 8)):
        after = pi @ p
        if np.abs(p[pi > 0] - after).max() > 1e-12:
            return False
        pi = after
    return True


def local_influences(p: np.ndarray, pi: np.ndarray, length: int) -> np.ndarray:
    """Gamma: half the largest change of log P(X_i | all others) when X_j alone changes, one neighbour at a time."""
    ever = sum((np.linalg.matrix_power(p, k).T @ pi for k in range(len(p))), np.zeros(len(p))) > 0
    p, pi = p[np.ix_(ever, ever)], pi[ever]
    gamma = np.zeros((length, length))
    if tells_nothing(p, pi):
        return gamma
    if (p == 0).any():
        gamma[0, 1] = math.inf
        return gamma
    given = np.log(p[:, :, None] * p[None]) - np.log(p @ p)[:, None, :]  # before, now, after
    start, end = np.log((pi[:, None] * p / (pi @ p))[pi > 0]), np.log(p)
    for i in range(length):
        if 0 < i < length - 1:
            gamma[i, i - 1] = (given.max(axis=0) - given.min(axis=0)).max() / 2
            gamma[i, i + 1] = (given.max(axis=2) - given.min(axis=2)).max() / 2
        elif i == 0:
            gamma[0, 1] = (start.max(axis=1) - start.min(axis=1)).max() / 2  # rows: the first state
        else:
            gamma[i, i - 1] = (end.max(axis=0) - end.min(axis=0)).max() / 2
    return gamma
