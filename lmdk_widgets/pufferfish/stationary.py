"""A chain that has run for ever: one table of influences serves every epsilon and every length.

Then e(a, b) is the same at every node. Far from the ends of the series only E(c) = min over a + b - 1 = c of e(a, b)
matters, and 1 / sigma = max over c of (epsilon - E(c)) / c. A node with fewer timestamps on a side never needs more noise
(see `search`), so that this sigma is that of the whole series as soon as one node has sigma * epsilon timestamps on both
sides: larger quilts than that score worse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import MarkovChain
from lmdk_widgets.pufferfish.influence import Powers, contrast, log_of
from lmdk_widgets.pufferfish.pairs import decisive
from lmdk_widgets.pufferfish.search import Found
from lmdk_widgets.pufferfish.sweep import Swept, sweep

_MOST_DISTANCES, _MOST_ENTRIES = 4096, 1 << 23
"""How far a table may grow; a chain too slow for it is searched instead."""
_FIRST, _FIRST_OF_FEW = 8, 24
"""Distances of a new table, and of one with few states."""
_FEW_STATES, _DENSE = 8, 8
"""Up to so many states, and up to such a distance, every pair of states is computed."""
_SHORT = 257
"""Longest series solved by the influences of all its quilts, kept for the next epsilon; a longer one is swept."""
_MOST_WORK, _SMALL_TABLE = 3e8, 1 << 16
"""Element operations for which those are computed; tables too small to be worth leaving splits out."""


class StationaryTable:
    """E(c) for c = 1, 2, ... as far as it was needed, and e(a, b) for short series.

    Parameters
    ----------
    chain : stationary; states that never occur are left out.
    """

    def __init__(self, chain: MarkovChain) -> None:
        states = np.flatnonzero(chain.initial > 0)
        self._prior = np.log(chain.initial[states])
        p = chain.transition
        self.powers = Powers(p if len(states) == len(p) else p[np.ix_(states, states)])
        m = len(states)
        # whether any state can follow any other after enough moves (Wielandt 1950: (m - 1)^2 + 1 of them); if not, two
        # states can be told apart for ever, and no quilt has a finite influence
        self.forgets = bool(self.powers.possible(1 << ((m - 1) ** 2 + 1).bit_length()).all())
        self._logs = np.empty((0, m, m))
        self._dense_past = self._dense_future = np.empty((0, m, m))
        self.past = self.future = np.empty((0, m * m))
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
            if not self._grow(length, epsilon):
                return None

    def _grow(self, length: int, epsilon: float) -> bool:
        """More distances, if that is not too much."""
        n = min(self._forecast(epsilon), length - 1)
        if n > _MOST_DISTANCES or n * self.powers.n_states**2 > _MOST_ENTRIES:
            return False
        self._extend(n)
        self._curve()
        return True

    def _forecast(self, epsilon: float) -> int:
        """How many distances will do, if influences go on falling as they did last; a guess that costs only time."""
        n, complete = len(self.past), len(self.influence)
        if n < _FIRST:
            return _FIRST_OF_FEW if self.powers.n_states <= _FEW_STATES else _FIRST
        sides = np.minimum(self.past_only, self.future_only)
        near, far = float(sides[n // 2 - 1]), float(sides[-1])
        if not 0 < far < near < np.inf or complete < 2:
            return 2 * n
        rate = np.log(near / far) / (n - n // 2)
        sizes = complete * np.exp(np.linspace(0, 5, 100))
        room = epsilon - float(self.influence[-1]) * np.exp(-rate * (sizes - complete) / 2)
        if not room[-1] > 0:
            return 4 * n
        reach = epsilon / float((room / sizes).max())
        return int(np.clip(0.63 * reach + 0.92 / rate, 1.25 * n + 4, 16 * n))

    def _extend(self, n: int) -> None:
        """Influence of each side alone for distances up to n, on the pairs of states that can decide."""
        if n <= len(self.past):
            return
        new = log_of(self.powers.stack(n)[len(self._logs) :])
        self._logs = np.concatenate((self._logs, new)) if len(self._logs) else new
        future, past = self._logs, self._logs.transpose(0, 2, 1)
        m = self.powers.n_states
        dense = n if m <= _FEW_STATES else min(n, _DENSE)
        if (have := len(self._dense_past)) < dense:
            both = contrast(np.concatenate((past[have:dense], future[have:dense])))
            near_past, near_future = both[: dense - have], both[dense - have :]
            near_past += self._prior[None, :] - self._prior[:, None]
            self._dense_past = np.concatenate((self._dense_past, near_past)) if have else near_past
            self._dense_future = np.concatenate((self._dense_future, near_future)) if have else near_future
        all_past, all_future = (side.reshape(len(side), -1) for side in (self._dense_past, self._dense_future))
        if m <= _FEW_STATES:
            pairs = np.flatnonzero(~np.eye(m, dtype=bool)) if m > 1 else [0]  # a state and itself tell nothing
            self.past, self.future = all_past[:, pairs], all_future[:, pairs]
        elif dense == n:
            self.past, self.future = all_past, all_future
        else:
            self.past, self.future = decisive(all_past, all_future, past, future, self._prior)
        self.past_only = np.maximum(self.past.max(axis=1), 0.0)
        self.future_only = np.maximum(self.future.max(axis=1), 0.0)
        self._square = np.empty((0, 0))

    def _curve(self) -> None:
        """E(c) for every c for which the distances at hand decide it.

        Both sides alone bound e(a, b) from below, so that most splits of a nearby set need not be looked at; and they
        say up to which c a split with a longer distance could not be better.
        """
        n = len(self.past)
        sizes = np.arange(1, 2 * n)
        small = n * n * self.past.shape[1] <= _SMALL_TABLE
        best, split = self._all_splits() if small else self._open_splits(sizes)
        decided = np.ones(2 * n - 1, bool)
        decided[n:] = best[n:] <= np.minimum(self.past_only, self.future_only)[: n - 1]
        complete = len(decided) if decided.all() else int(decided.argmin())
        self.influence, self.split = np.maximum(best[:complete], 0.0), split[:complete]
        self._inverse = 1 / sizes[:complete]

    def _all_splits(self) -> tuple[Floats, NDArray[np.int64]]:
        """The best split of every size by looking at all of them."""
        n = len(self.past)
        shifted = np.full((n, 2 * n), np.inf)
        if self.past.shape[1] > n:
            np.max(self.past[:, None, :] + self.future, axis=2, out=shifted[:, :n])
        else:  # fewer pairs than distances: one pair at a time
            e = np.full((n, n), -np.inf)
            for past, future in zip(self.past.T[:, :, None], self.future.T, strict=True):
                np.maximum(e, past + future, out=e)
            shifted[:, :n] = e
        shifted = shifted.ravel()[: 2 * n * n - n].reshape(n, 2 * n - 1)  # row a moved by a: one column for each size
        split = shifted.argmin(axis=0)
        return shifted[split, np.arange(2 * n - 1)], split + 1

    def _open_splits(self, sizes: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
        """The best split of every size, leaving out splits of which one side alone is worse than the even split."""
        n = len(self.past)
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
        return best, split

    def _short(self, length: int, epsilon: float) -> tuple[int, Found] | None:
        """The worst node of a series in which no node is far from both ends."""
        if length > _SHORT:
            swept = self._swept(length, epsilon)
            if swept is None:
                return None
            node = int(swept.rate.argmin())
            return node, Found(1 / float(swept.rate[node]), *swept.sides[node].tolist())
        rates = self._rates(length, epsilon)
        if rates is None:
            return None
        node = int(rates.argmin())
        return node, self._active(node, length, epsilon)

    def every(self, length: int, epsilon: float) -> tuple[Floats, NDArray[np.int64]] | None:
        """(scores, quilts by distance) of all nodes; None when the table would grow too large.

        Nodes far from both ends are alike, so that a series three times as long as the widest quilt shows them all.
        """
        worst = self.scale(length, epsilon)
        if worst is None:
            return None
        if not self.forgets:
            at = np.arange(length)
            return np.full(length, worst[1].score), np.stack((at + 1, length - at), axis=1)
        n = min(length, 3 * (int(worst[1].score * epsilon) + 2))
        swept = self._swept(n, epsilon)
        if swept is None:
            return None
        like = np.minimum(np.arange(length), n // 2)
        like = np.maximum(like, n - length + np.arange(length))
        return 1 / swept.rate[like], swept.sides[like]

    def sides(self, n: int) -> tuple[Floats, Floats] | None:
        """Influence of one past and of one future timestamp at distances 1 to n; None if that is too large a table."""
        if not self.forgets or n > _MOST_DISTANCES or n * self.powers.n_states**2 > _MOST_ENTRIES:
            return None
        self._extend(n)
        return self.past_only, self.future_only

    def _swept(self, length: int, epsilon: float) -> Swept | None:
        """The best quilt of every node; None when the table would grow too large."""
        n = length - 1
        if n > _MOST_DISTANCES or n * self.powers.n_states**2 > _MOST_ENTRIES:
            return None
        self._extend(n)
        return sweep(self.past[:n], self.future[:n], length, epsilon)

    def _rates(self, length: int, epsilon: float) -> Floats | None:
        """1 / score of every node of a short series; None when that is too much work."""
        n = length - 1
        if n == 0:
            return np.array([epsilon])
        self._extend(n)
        if n * n * self.past.shape[1] > _MOST_WORK:
            return None
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
        return rate

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
