"""Any chain and any start: the influence at every node that differs from its neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import MarkovChain, Support
from lmdk_widgets.pufferfish.influence import TINY, Powers, future_contrast, odds, past_contrast
from lmdk_widgets.pufferfish.search import Found, Rows, best_quilt, remembered, worst_alike

SETTLED_WITHIN = 4e-15
"""The start counts as forgotten if one move changes the probabilities by less than this relative amount."""
_MOST_ENTRIES = 1 << 25
_MOST_SWEPT, _MOST_DISTANCES = 1 << 23, 1 << 12
"""Limits of a sweep: the most influences on each side, and the most distances, as its time grows with their square."""


class ChainNodes:
    """The nodes of one chain: exact scales for any start, any length, any epsilon.

    A node needs the odds of its own distribution, and for every distance two tables of pairs of states, which are the
    same for all nodes with the same possible states. The tables are cached, so another epsilon reuses them.
    """

    def __init__(self, chain: MarkovChain, support: Support) -> None:
        self.chain, self.support = chain, support
        self.powers = Powers(chain.transition)
        self._tables: dict[tuple[int, int], Floats] = {}
        self._chances = chain.initial[None].copy()
        self._possible = chain.initial[None] > 0
        self._kinds: NDArray[np.int64] = np.zeros(1, np.int64)
        self._kind_of: dict[bytes, int] = {self._possible[0].tobytes(): 0}
        self._states = [np.flatnonzero(self._possible[0])]
        self.stationary_from: int | None = 0 if chain.is_stationary else None
        # whether every node has the same possible states with the same chances: then nodes only differ near the ends
        self.alike = chain.is_stationary and (support == "definition" or bool((chain.initial > 0).all()))
        # any state can follow any other after enough moves (Wielandt 1950: (m - 1)^2 + 1 of them); if not, two states can
        # be distinguished forever, and no quilt has a finite influence
        m, states = len(self._states[0]), self._states[0]
        reached = self.powers.possible(1 << ((m - 1) ** 2 + 1).bit_length()) if self.alike else np.ones((1, 1), bool)
        self._forgets = not self.alike or bool(reached[np.ix_(states, states)].all())

    def worst(self, length: int, epsilon: float) -> tuple[int, Found]:
        """The worst node in a series whose nodes are `alike`, and its best quilt."""
        if not self._forgets:
            return length // 2, Found(length / epsilon, length // 2 + 1, length - length // 2)
        return worst_alike(*self._rows(length, length, length), length, epsilon)

    def every(self, length: int, epsilon: float) -> tuple[Floats, NDArray[np.int64]]:
        """Every node's score and best quilt, by distance: (T,), (T, 2).

        If nodes are alike, a series three times as long as the widest quilt contains every case.
        """
        self.prepare(length)
        if not self._forgets:
            at = np.arange(length)
            return np.full(length, length / epsilon), np.stack((at + 1, length - at), axis=1)
        if self.alike:
            n = min(length, 3 * _margin(self._endless(length, epsilon), epsilon))
            swept = self._swept(n, epsilon)
            if swept is not None:
                at = np.arange(length)
                like = np.maximum(np.minimum(at, n // 2), n - length + at)
                return 1 / swept.rate[like], swept.sides[like]
        first, last = self.middle(length, epsilon)
        scores, sides = np.empty(length), np.empty((length, 2), np.int64)
        for node in (*range(first + 1), *range(max(first + 1, last), length)):
            best = self.best(node, length, epsilon)
            scores[node], sides[node] = best.score, (best.a, best.b)
        scores[first:last], sides[first:last] = scores[first], sides[first]
        return scores, sides

    def deciding(self, scores: Floats, epsilon: float) -> int:
        """A node with the largest score: the middle one if nodes are alike and it is far from the ends, else the first."""
        middle, length = len(scores) // 2, len(scores)
        far = self.alike and (not self._forgets or _margin(float(scores[middle]), epsilon) < (length - 1) // 2)
        return middle if far else int(scores.argmax())

    def _swept(self, length: int, epsilon: float) -> Swept | None:
        """Every node's best quilt in a series whose nodes are alike; None if its influences need too much memory."""
        states, n = self._states[0], length - 1
        if n > _MOST_DISTANCES or n * len(states) ** 2 > _MOST_SWEPT:
            return None
        past, future = (rows(np.arange(1, length)) for rows in self._rows(length, length, length))
        return sweep(past, future, length, epsilon)

    def best(self, node: int, length: int, epsilon: float) -> Found:
        """The best quilt of one node; call `prepare` first."""
        return self._best(node, node, length - 1 - node, epsilon)

    def _best(self, node: int, before: int, after: int, epsilon: float) -> Found:
        return best_quilt(*self._rows(node, before, after), before, after, epsilon)

    def _rows(self, node: int, before: int, after: int) -> tuple[Rows, Rows]:
        """Influences of both sides on a node by distance, 0 beyond the timestamps before and after it."""
        states = self._states[self._kind(node)]
        prior = odds(self._chances[self._row(node)][states])

        def one(a: int) -> Floats:
            return (self._past(a, node, states) + prior).ravel()

        def two(b: int) -> Floats:
            return self._future(b, states).ravel()

        return remembered(one, before, prior.size), remembered(two, after, prior.size)

    def sides(self, node: int, distances: NDArray[np.int64], length: int) -> tuple[Floats, Floats]:
        """Max-influence on one node of one past and of one future timestamp by distance, nan beyond the ends.

        Call `prepare` first.
        """
        available = node, length - 1 - node
        past, future = (
            np.where(distances <= most, np.maximum(rows(distances).max(axis=1), 0.0), np.nan)
            for rows, most in zip(self._rows(node, *available), available, strict=True)
        )
        return past, future

    def middle(self, length: int, epsilon: float) -> tuple[int, int]:
        """(first, last): the nodes from first to last are all alike; call `prepare` first.

        Between the nodes that remember the start and those near the end, all are alike, and those near the end are
        never worse: a quilt that would reach past the end is replaced by one with a smaller nearby set.
        """
        if self.stationary_from is None or self.stationary_from >= length:
            return length - 1, length - 1
        margin = _margin(self._endless(length, epsilon), epsilon)
        first = self.stationary_from + margin
        if self.support == "definition":
            first += margin  # for quilts that reach back to where fewer states are possible
        return (first, length - 1 - margin) if first + margin < length else (length - 1, length - 1)

    def _endless(self, length: int, epsilon: float) -> float:
        """Smallest score of a stationary node far from both ends (at most the score with all `length` nodes nearby)."""
        reach = length // 2 + 1
        return self._best((self.stationary_from or 0) + reach, reach, reach, epsilon).score

    def prepare(self, length: int) -> None:
        """Follow the distribution until it is stationary or the series ends."""
        step, possible = self.chain.transition, self.chain.transition > 0
        m = self.chain.n_states
        while self.stationary_from is None and (have := len(self._chances)) < length:
            more = min(have + 16, length - have)
            if (have + more) * m > _MOST_ENTRIES:
                raise InputError(
                    f"length must be at most {_MOST_ENTRIES // m:,} for a chain that forgets its start this slowly",
                    value=length,
                    remedy="Start the chain from its stationary distribution",
                )
            chances, can = [self._chances[-1]], [self._possible[-1]]
            for _ in range(more):
                can.append(possible[can[-1]].any(axis=0))
                now = chances[-1] @ step
                chances.append(np.where(can[-1], np.maximum(now / now.sum(), TINY), 0.0))
            new, new_can = np.array(chances[1:]), np.array(can[1:])
            still = (np.abs(new - chances[:-1]) <= SETTLED_WITHIN * new).all(axis=1)
            still &= (new_can == can[:-1]).all(axis=1)
            if still.any():
                stop = int(still.argmax()) + 1
                new, new_can = new[:stop], new_can[:stop]
                self.stationary_from = have + stop - 1
            self._chances = np.concatenate((self._chances, new))
            self._possible = np.concatenate((self._possible, new_can))
            self._kinds = np.concatenate((self._kinds, [self._number(row) for row in new_can]))

    def _number(self, possible: NDArray[np.bool_]) -> int:
        """A small number that identifies a set of possible states."""
        key = possible.tobytes()
        if key not in self._kind_of:
            self._kind_of[key] = len(self._states)
            self._states.append(np.flatnonzero(possible))
        return self._kind_of[key]

    def _row(self, node: int) -> int:
        return min(node, len(self._chances) - 1)

    def _kind(self, node: int) -> int:
        return int(self._kinds[self._row(node)])

    def _past(self, a: int, node: int, states: NDArray[np.intp]) -> Floats:
        """Contrast of `states` at a node from the state at distance a before, without the odds."""
        everything = self.support == "all"
        kind = -1 if everything else self._kind(node - a)
        if (a, kind) not in self._tables:
            seen = slice(None) if everything else self._states[kind]
            self._tables[a, kind] = past_contrast(self.powers, a, seen)
        return self._only(self._tables[a, kind], states)

    def _future(self, b: int, states: NDArray[np.intp]) -> Floats:
        """Contrast of `states` from the state at distance b after."""
        if (b, -2) not in self._tables:
            self._tables[b, -2] = future_contrast(self.powers, b)
        return self._only(self._tables[b, -2], states)

    def _only(self, table: Floats, states: NDArray[np.intp]) -> Floats:
        return table if len(states) == len(table) else table[np.ix_(states, states)]


def _margin(score: float, epsilon: float) -> int:
    """The distance beyond which a quilt scores worse even without any influence."""
    return int(score * epsilon) + 2


class Swept(NamedTuple):
    """Every node's 1 / score, (T,), and its quilt by distance, (T, 2); a side without one reaches past the end."""

    rate: Floats
    sides: NDArray[np.int64]


def sweep(past: Floats, future: Floats, length: int, epsilon: float) -> Swept:
    """max over each node's quilts of (epsilon - e) / card(nearby), exact, in one pass over the distances to the past.

    Node i of T timestamps may use a two-sided quilt (a, b) with a <= i and b <= T - 1 - i, only one side, or none. As a
    grows, the best rate 1 / score = (epsilon - e(a, b)) / (a + b - 1) so far is stored for every bound on b;
    node i reads it when a reaches i. This needs one row of influences at a time instead of all of them.

    Parameters
    ----------
    past, future : (length - 1, pairs) influence by distance, from 1; e(a, b) = max over pairs of past[a] + future[b].
    length : T, 1 or more.
    epsilon : above 0.

    Notes
    -----
    O(T^2 pairs) at worst. e(a, b) is at least the larger of its two sides, and a row is computed only where this bound
    could beat the best so far: for slow chains, that is a few per cent.
    """
    nodes = np.arange(length)
    sides = np.stack((nodes + 1, length - nodes), axis=1)  # no quilt at all
    found = Swept(np.full(length, epsilon / length), sides)
    if length == 1:
        return found
    past_only, future_only = (np.maximum(side.max(axis=1), 0.0) for side in (past, future))
    _one_sided(past_only, epsilon, found, 0)
    _one_sided(future_only, epsilon, found, 1)
    _two_sided(past, future, past_only, future_only, epsilon, found)
    return found


def _one_sided(influence: Floats, epsilon: float, found: Swept, side: int) -> None:
    """Quilts only in the past (side 0): the nearby set of {i - a} has size T - i + a - 1; the future (1) is its mirror."""
    n = len(influence)
    rate, sides = found.rate, found.sides
    if side:  # seen from the end of the series
        rate, sides = rate[::-1], sides[::-1]
    for a in np.flatnonzero(influence < epsilon) + 1:
        here = slice(a, n + 1)  # nodes with a timestamps before them
        one = (epsilon - influence[a - 1]) / np.arange(n, a - 1, -1)
        better = one > rate[here]
        if better.any():
            rate[here][better] = one[better]
            sides[here, side][better] = a
            sides[here, 1 - side][better] = np.arange(n + 1 - a, 0, -1)[better]


def _two_sided(
    past: Floats, future: Floats, past_only: Floats, future_only: Floats, epsilon: float, found: Swept
) -> None:
    n = len(past)
    best = np.full(n, epsilon / (n + 1))  # by the largest allowed b, from 1
    a_of, b_of = np.zeros(n, np.int64), np.zeros(n, np.int64)
    distance = np.arange(1, n + 1)
    for a in range(1, n):
        if past_only[a - 1] < epsilon:
            allowed = n - a
            bound = (epsilon - np.maximum(past_only[a - 1], future_only[:allowed])) / distance[a - 1 : n - 1]
            open_ = np.flatnonzero(bound > best[:allowed])
            if len(open_):
                e = np.maximum((past[a - 1] + future[open_]).max(axis=1), 0.0)
                rate = (epsilon - e) / (open_ + a)
                better = rate > best[open_]
                if better.any():
                    at = open_[better]
                    best[at], a_of[at], b_of[at] = rate[better], a, at + 1
                    _carry(best, a_of, b_of)
        i = n - a - 1
        if best[i] > found.rate[a]:
            found.rate[a], found.sides[a] = best[i], (a_of[i], b_of[i])


def _carry(best: Floats, a_of: NDArray[np.int64], b_of: NDArray[np.int64]) -> None:
    """Carry each best rate on: a quilt allowed for one bound on b is allowed for every larger bound."""
    running = np.maximum.accumulate(best)
    source = np.maximum.accumulate(np.where(best >= running, np.arange(len(best)), 0))
    best[:], a_of[:], b_of[:] = running, a_of[source], b_of[source]
