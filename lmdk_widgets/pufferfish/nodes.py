"""Any chain, any start: the influence at every node that differs from its neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import MarkovChain, Support
from lmdk_widgets.pufferfish.influence import TINY, Powers, future_contrast, odds, past_contrast
from lmdk_widgets.pufferfish.search import Found, best_quilt, remembered, worst_node
from lmdk_widgets.pufferfish.sweep import Swept, sweep

SETTLED_WITHIN = 4e-15
"""Relative change of the probabilities, in one move, below which the start counts as forgotten."""
_MOST_ENTRIES = 1 << 25
_MOST_SWEPT, _MOST_DISTANCES = 1 << 23, 1 << 12
"""Of the influences that a sweep uses: most entries on each side; most distances, as its time grows with their square."""
_CHUNK = 1 << 21


class ChainNodes:
    """The nodes of one chain: exact scales for any start, any length, any epsilon.

    A node needs the odds of its own distribution, and for every distance two tables of pairs of states that are the
    same for all nodes with as many possible states. The tables are kept, so that another epsilon reuses them.
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
        # whether the same states are possible at every node with the same chances: then only the ends tell nodes apart
        self.alike = chain.is_stationary and (support == "definition" or bool((chain.initial > 0).all()))
        self._by_distance = np.empty((2, 0, 0))
        # any state can follow any other after enough moves (Wielandt 1950: (m - 1)^2 + 1 of them); if not, two states can
        # be told apart for ever, and no quilt has a finite influence
        m, states = len(self._states[0]), self._states[0]
        reached = self.powers.possible(1 << ((m - 1) ** 2 + 1).bit_length()) if self.alike else np.ones((1, 1), bool)
        self._forgets = not self.alike or bool(reached[np.ix_(states, states)].all())

    def scale(self, length: int, epsilon: float) -> tuple[int, Found]:
        """The worst node of a series and its best quilt."""
        self.prepare(length)
        if not self._forgets:
            return length // 2, Found(length / epsilon, length // 2 + 1, length - length // 2)
        if self.alike:
            far = self._far(length, epsilon)
            swept = self._swept(length, epsilon) if far is None else None
            if far is not None:
                return length // 2, far
            if swept is not None:
                node = int(swept.rate.argmin())
                return node, Found(1 / float(swept.rate[node]), *swept.sides[node].tolist())
        nodes = self.distinct(length, epsilon)
        found = worst_node(
            len(nodes),
            lambda k: self.best(int(nodes[k]), length, epsilon),
            lambda which, a, b: self._scores(nodes[which], a, b, length, epsilon),
            len(nodes) // 2,
        )
        return int(nodes[found[0]]), found[1]

    def every(self, length: int, epsilon: float) -> tuple[Floats, NDArray[np.int64]]:
        """Score and best quilt, by distance, of every node: (T,), (T, 2).

        Where nodes are alike, a series three times as long as the widest quilt shows them all.
        """
        self.prepare(length)
        if not self._forgets:
            at = np.arange(length)
            return np.full(length, length / epsilon), np.stack((at + 1, length - at), axis=1)
        if self.alike:
            found = self._far(length, epsilon)
            n = length if found is None else min(length, 3 * _margin(found.score, epsilon))
            swept = self._swept(n, epsilon)
            if swept is not None:
                at = np.arange(length)
                like = np.maximum(np.minimum(at, n // 2), n - length + at)
                return 1 / swept.rate[like], swept.sides[like]
        first, last = self.middle(length, epsilon)
        scores, sides = np.empty(length), np.empty((length, 2), np.int64)
        for node in range(length):
            if first < node < last:
                scores[node], sides[node] = scores[first], sides[first]
            else:
                best = self.best(node, length, epsilon)
                scores[node], sides[node] = best.score, (best.a, best.b)
        return scores, sides

    def _far(self, length: int, epsilon: float) -> Found | None:
        """The best quilt of a node far from both ends, which no other node exceeds; None where the series has no such node.

        A node with fewer timestamps on a side never needs more noise: see `search`.
        """
        reach = length // 2 + 1
        found = self._best(reach, reach, reach, epsilon)
        return found if _margin(found.score, epsilon) < (length - 1) // 2 else None

    def _swept(self, length: int, epsilon: float) -> Swept | None:
        """The best quilt of every node of a series whose nodes are alike; None where its influences take too much memory."""
        states, n = self._states[0], length - 1
        if n > _MOST_DISTANCES or n * len(states) ** 2 > _MOST_SWEPT:
            return None
        if (have := self._by_distance.shape[1]) < n or not have:
            prior, pairs = odds(self._chances[0][states]), len(states) ** 2
            more = np.empty((2, max(n, 1) - have, pairs))
            for k in range(have, n):
                more[0, k - have] = (self._past(k + 1, k + 1, states) + prior).ravel()
                more[1, k - have] = self._future(k + 1, states).ravel()
            self._by_distance = np.concatenate((self._by_distance, more), axis=1) if have else more
        past, future = self._by_distance[:, :n]
        return sweep(past, future, length, epsilon)

    def best(self, node: int, length: int, epsilon: float) -> Found:
        """The best quilt of one node; call `prepare` first."""
        return self._best(node, node, length - 1 - node, epsilon)

    def _best(self, node: int, before: int, after: int, epsilon: float) -> Found:
        states = self._states[self._kind(node)]
        prior = odds(self._chances[self._row(node)][states])

        def one(a: int) -> Floats:
            return (self._past(a, node, states) + prior).ravel()

        def two(b: int) -> Floats:
            return self._future(b, states).ravel()

        left, right = remembered(one, before, prior.size), remembered(two, after, prior.size)
        return best_quilt(left, right, before, after, epsilon)

    def sides(self, node: int, distances: NDArray[np.int64], length: int) -> tuple[Floats, Floats]:
        """Max-influence on one node of one past and of one future timestamp by distance, nan beyond the ends.

        Call `prepare` first.
        """
        states = self._states[self._kind(node)]
        prior = odds(self._chances[self._row(node)][states])
        past = [(self._past(d, node, states) + prior).max() if d <= node else np.nan for d in distances.tolist()]
        future = [self._future(d, states).max() if node + d < length else np.nan for d in distances.tolist()]
        return np.maximum(past, 0.0), np.maximum(future, 0.0)

    def distinct(self, length: int, epsilon: float) -> NDArray[np.int64]:
        """Nodes among which the worst one is; call `prepare` first.

        Between the nodes that remember the start and those near the end all are alike, and those near the end are
        never worse: a quilt that would reach past the end is replaced by one with a smaller nearby set.
        """
        if self.stationary_from is None or self.stationary_from >= length:
            return np.arange(length)
        endless = self._endless(length, epsilon)
        margin = _margin(endless, epsilon)
        last = self.stationary_from + margin
        if self.support == "definition":
            last += margin  # quilts that reach back to where fewer states are possible
        return np.arange(length if last + margin >= length else last + 1)

    def middle(self, length: int, epsilon: float) -> tuple[int, int]:
        """(first, last): the nodes from first to last are all alike; call `prepare` first."""
        first = len(self.distinct(length, epsilon)) - 1
        margin = _margin(self._endless(length, epsilon), epsilon) if first < length - 1 else 0
        return first, max(first, length - 1 - margin)

    def _endless(self, length: int, epsilon: float) -> float:
        """Smallest score of a stationary node far from both ends (at most that of all `length` nodes being nearby)."""
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
        """A small number for a set of possible states."""
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
        """Contrast of `states` at a node by the state a before, without the odds."""
        everything = self.support == "all"
        kind = -1 if everything else self._kind(node - a)
        if (a, kind) not in self._tables:
            seen = slice(None) if everything else self._states[kind]
            self._tables[a, kind] = past_contrast(self.powers, a, seen)
        return self._only(self._tables[a, kind], states)

    def _future(self, b: int, states: NDArray[np.intp]) -> Floats:
        """Contrast of `states` by the state b after."""
        if (b, -2) not in self._tables:
            self._tables[b, -2] = future_contrast(self.powers, b)
        return self._only(self._tables[b, -2], states)

    def _only(self, table: Floats, states: NDArray[np.intp]) -> Floats:
        return table if len(states) == len(table) else table[np.ix_(states, states)]

    def _scores(self, nodes: NDArray[np.int64], a: int, b: int, length: int, epsilon: float) -> Floats:
        """Score of the quilt (a, b) at every node, a side that would pass an end being dropped."""
        e = np.zeros(len(nodes))
        last = len(self._chances) - 1
        rows = np.minimum(nodes, last)
        before, after = np.minimum(a, nodes + 1), np.minimum(b, length - nodes)
        one, two = nodes >= a, nodes + b < length
        past = self._kinds[np.clip(nodes - a, 0, last)] if self.support == "definition" else np.zeros_like(nodes)
        groups = np.stack((one, two, self._kinds[rows], np.where(one, past, 0)), axis=1)
        for group in np.unique(groups, axis=0):
            which = np.flatnonzero((groups == group).all(axis=1))
            e[which] = self._group(nodes[which], a if group[0] else 0, b if group[1] else 0)
        with np.errstate(divide="ignore"):
            return (before + after - 1) / np.maximum(epsilon - np.maximum(e, 0.0), 0.0)

    def _group(self, nodes: NDArray[np.int64], a: int, b: int) -> Floats:
        """Influence of one quilt at nodes where the same states are possible here and at its past side."""
        states = self._states[self._kind(int(nodes[0]))]
        table = np.zeros((len(states), len(states)))
        if b:
            table = table + self._future(b, states)
        if not a:
            return np.full(len(nodes), table.max())
        table = table + self._past(a, int(nodes[0]), states)
        logs = np.log(np.maximum(self._chances[np.minimum(nodes, len(self._chances) - 1)][:, states], TINY))
        out = np.empty(len(nodes))
        step = max(1, _CHUNK // table.size)
        for first in range(0, len(nodes), step):
            log = logs[first : first + step]
            out[first : first + step] = (log[:, None, :] - log[:, :, None] + table).max(axis=(1, 2))
        return out


def _margin(score: float, epsilon: float) -> int:
    """Timestamps beyond which a quilt scores worse even with no influence at all."""
    return int(score * epsilon) + 2
