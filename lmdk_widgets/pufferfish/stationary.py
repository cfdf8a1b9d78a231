"""A chain that has run for ever: one table of influences serves every epsilon and every length.

Then e(a, b) is the same at every node. Far from the ends of the series only the smallest influence for each size of the
nearby set matters, E(c) = min over a + b - 1 = c of e(a, b), and

    1 / sigma = max over c of (epsilon - E(c)) / c.

A node with fewer timestamps on a side never needs more noise (see `search`), so that this sigma is that of the whole
series as soon as one node has sigma * epsilon timestamps on both sides: larger quilts than that score worse.
"""

from __future__ import annotations

import numpy as np

from lmdk_widgets.pufferfish.chain import MarkovChain
from lmdk_widgets.pufferfish.contrast import Powers, contrast, log_of
from lmdk_widgets.pufferfish.search import Found

_MOST_WORK = 3e8
"""Element operations for which a table may grow; a chain too slow for it is searched instead."""
_FIRST = 8
_SMALL = 256


class StationaryTable:
    """E(c) for c = 1, 2, ... as far as it was needed, and e(a, b) for short series.

    Parameters
    ----------
    chain : stationary; states that never occur are left out.
    """

    def __init__(self, chain: MarkovChain) -> None:
        states = np.flatnonzero(chain.initial > 0)
        self._prior = np.log(chain.initial[states])
        self.powers = Powers(np.ascontiguousarray(chain.transition[np.ix_(states, states)]))
        self.forgets = forgets(self.powers)
        self._pairs = len(states) ** 2
        self.past = np.empty((0, self._pairs))
        self.future = np.empty((0, self._pairs))
        self.past_only = self.future_only = np.empty(0)
        self.influence, self.split, self._inverse = np.empty(0), np.empty(0, np.int64), np.empty(0)
        self._square = np.empty((0, 0))

    def scale(self, length: int, epsilon: float) -> tuple[int, Found] | None:
        """The worst node and its best quilt; None when the table would grow too large."""
        if not self.forgets:
            return length // 2, Found(length / epsilon, length // 2 + 1, length - length // 2)
        while True:
            rate = (epsilon - self.influence) * self._inverse
            k = int(rate.argmax()) if len(rate) else 0
            best = float(rate[k]) if len(rate) else 0.0
            reach = epsilon / best if best > 0 else np.inf
            if reach < len(rate) + 1 and 2 * reach < length - 1:
                a = int(self.split[k])
                return length // 2, Found((k + 1) / (epsilon - float(self.influence[k])), a, k + 2 - a)
            if 2 * min(reach, len(rate)) >= length - 1:
                return self._short(length, epsilon)
            if not self._grow(length):
                return None

    def _grow(self, length: int) -> bool:
        """Twice as many distances, if that is not too much."""
        n = min(max(_FIRST, 2 * len(self.past)), length - 1)
        states = self.powers.n_states
        if n * states**3 * 2 + n * n * self._pairs / 2 > _MOST_WORK:
            return False
        self._extend(n)
        self._curve()
        return True

    def _extend(self, n: int) -> None:
        """Influence of each side alone for distances up to n."""
        have, pairs = len(self.past), self._pairs
        if n <= have:
            return
        logs = log_of(self.powers.stack(n)[have:])
        prior = self._prior
        past = contrast(logs.transpose(0, 2, 1)) + (prior[None, :] - prior[:, None])
        self.past = np.concatenate((self.past, past.reshape(-1, pairs)))
        self.future = np.concatenate((self.future, contrast(logs).reshape(-1, pairs)))
        self.past_only = np.maximum(self.past.max(axis=1), 0.0)
        self.future_only = np.maximum(self.future.max(axis=1), 0.0)

    def _curve(self) -> None:
        """E(c) for every c for which the distances at hand decide it.

        Both sides alone bound e(a, b) from below, so that most splits of a nearby set need not be looked at; and they
        say up to which c a split with a longer distance could not be better.
        """
        n = len(self.past)
        sizes = np.arange(1, 2 * n)
        split = (sizes + 1) // 2
        best = np.array([(self.past[a - 1] + self.future[c - a]).max() for c, a in zip(sizes, split, strict=True)])
        for a in range(1, n + 1):
            here = slice(a - 1, a - 1 + n)  # sizes a .. a + n - 1 belong to b = 1 .. n
            open_ = np.flatnonzero(np.maximum(self.future_only, self.past_only[a - 1]) < best[here])
            if not len(open_):
                continue
            low, high = open_[0], open_[-1] + 1
            e = (self.past[a - 1] + self.future[low:high]).max(axis=1)
            sizes_here = slice(a - 1 + low, a - 1 + high)
            split[sizes_here] = np.where(e < best[sizes_here], a, split[sizes_here])
            best[sizes_here] = np.minimum(e, best[sizes_here])
        decided = np.ones(2 * n - 1, bool)
        decided[n:] = best[n:] <= np.minimum(self.past_only, self.future_only)[: n - 1]
        complete = len(decided) if decided.all() else int(decided.argmin())
        self.influence, self.split = np.maximum(best[:complete], 0.0), split[:complete]
        self._inverse = 1 / sizes[:complete]

    def _short(self, length: int, epsilon: float) -> tuple[int, Found] | None:
        """All nodes of a series in which no node is far from both ends."""
        n = length - 1
        if n == 0:
            return 0, Found(1 / epsilon, 1, 1)
        if n > _SMALL or n * n * self._pairs > _MOST_WORK:
            return None
        self._extend(n)
        if len(self._square) < n:
            self._square = np.maximum(np.stack([(row + self.future[:n]).max(axis=1) for row in self.past[:n]]), 0.0)
        a = np.arange(length)
        inverse = 1 / (a[:, None] + a[None, :] + 1.0)  # nearby set of a = row + 1, b = column + 1
        both = (epsilon - self._square[:n, :n]) * inverse[:n, :n]
        one = (epsilon - self.past_only[:n, None]) * inverse[:n]
        two = (epsilon - self.future_only[:n]) * inverse[:, :n]
        rate = np.full(length, epsilon / length)
        reached = np.maximum.accumulate(np.maximum.accumulate(both, axis=0), axis=1)
        before, after = a, n - a
        inner = slice(1, n)
        rate[inner] = np.maximum(rate[inner], reached[before[inner] - 1, after[inner] - 1])
        rate[1:] = np.maximum(rate[1:], np.maximum.accumulate(one, axis=0)[before[1:] - 1, after[1:]])
        rate[:n] = np.maximum(rate[:n], np.maximum.accumulate(two, axis=1)[before[:n], after[:n] - 1])
        node = int(rate.argmin())
        return node, self._active(node, length, epsilon)

    def _active(self, node: int, length: int, epsilon: float) -> Found:
        """The best quilt of one node of a short series."""
        before, after = node, length - 1 - node
        e = np.zeros((before + 1, after + 1))
        e[:before, :after] = self._square[:before, :after]
        e[:before, after] = self.past_only[:before]
        e[before, :after] = self.future_only[:after]
        sizes = np.add.outer(np.arange(before + 1), np.arange(after + 1)) + 1
        a, b = np.unravel_index(int(((epsilon - e) / sizes).argmax()), e.shape)
        return Found(float(sizes[a, b] / (epsilon - e[a, b])), int(a) + 1, int(b) + 1)


def forgets(powers: Powers) -> bool:
    """Whether any state can follow any other after enough moves (the chain is primitive).

    If not, two states can be told apart for ever, and no quilt has a finite influence. It shows within
    (m - 1)^2 + 1 moves (Wielandt 1950).
    """
    m = powers.n_states
    return bool(powers.possible(1 << ((m - 1) ** 2 + 1).bit_length()).all())
