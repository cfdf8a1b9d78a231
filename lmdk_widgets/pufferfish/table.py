"""The exact Markov quilt mechanism: how much noise hides the state at every timestamp, for one epsilon or for many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import one_of, positive, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import SUPPORTS, Support, chains_of
from lmdk_widgets.pufferfish.nodes import ChainNodes
from lmdk_widgets.pufferfish.search import Found


@dataclass(frozen=True)
class QuiltScale:
    """The noise scale of the Markov quilt mechanism and what determines it.

    Attributes
    ----------
    scale : sigma; release F + sigma * L * Lap(1) for a query F that is L-Lipschitz in L1.
    node : a timestamp, counted from 0, that needs this much (one of them if there are several).
    quilt : (left, right), the timestamps of its active quilt, None for a side without one.
    chain : the index in Theta of the belief that needs it, from 0; None if no chain was given.
    influence : e of the active quilt, below epsilon.
    nearby : the number of timestamps in the active quilt's nearby set.
    """

    scale: float
    node: int
    quilt: tuple[int | None, int | None]
    chain: int | None
    influence: float
    nearby: int


@dataclass(frozen=True, eq=False)
class NodeScales:
    """The scale that every node would need by itself.

    Attributes
    ----------
    scale : (T,) each node's smallest score; the largest of them is the mechanism's scale.
    left, right : (T,) timestamps of each node's active quilt, -1 for a side without one.
    chain : (T,) the index in Theta of the belief that needs it.
    """

    scale: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    chain: NDArray[np.int64]


def quilt_scale(chains: Any, length: int, epsilon: float, *, support: Support = "definition") -> QuiltScale:
    """sigma = max over theta and i of min over quilts of card(nearby) / (epsilon - e_theta(X_Q | X_i)), e < epsilon.

    Parameters
    ----------
    chains : Theta, a MarkovChain or a sequence of them; the start may be anything.
    length : T, 1 or more.
    epsilon : above 0, without unit.
    support : see `max_influence`.

    Returns
    -------
    QuiltScale : 1 / epsilon <= scale <= T / epsilon; the upper end is group differential privacy.

    Raises
    ------
    InputError : no chain, chains over different states, epsilon or length out of range; a series so long and a chain
        so slow that its nodes do not fit in memory.

    Notes
    -----
    Guarantee: releasing F(D) + sigma * L * Lap(1), independently for each coordinate, is epsilon-Pufferfish private: no
    released value changes the odds of "X_i = x" against "X_i = x'" by a factor of more than e^epsilon, for any i and
    any adversary whose belief is one of `chains`. It promises nothing against other beliefs. The result is exact up to
    rounding (about 1e-13 relative). For many values of epsilon, build a `QuiltTable` once.
    Song, Wang, Chaudhuri, SIGMOD 2017, Algorithm 3 (MQMExact).

    Examples
    --------
    >>> from lmdk_widgets.pufferfish import MarkovChain
    >>> found = quilt_scale(MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]]), 100, 1.0)
    >>> round(found.scale, 10), found.node, found.quilt
    (12.9340510862, 7, (0, 12))
    >>> round(quilt_scale(MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]]), 100, 1.0, support="all").scale, 10)
    13.0219234962
    """
    return QuiltTable(chains, support=support).scale(epsilon, length)


class QuiltTable:
    """`quilt_scale` for many epsilons and lengths: sigma = max over theta and i of min over Q of card / (epsilon - e).

    Parameters
    ----------
    chains : Theta, a MarkovChain or a sequence of them.
    support : see `max_influence`.

    Raises
    ------
    InputError : no chain, chains over different states, a parameter out of range.

    Notes
    -----
    A quilt's influence depends on neither epsilon nor T, so results for one can be reused for the next. Each node's best
    quilt is found with bounds (`search`). For a stationary chain, one node far from both ends is enough; if the
    series has none, one pass over the distances finds every node's best quilt (`nodes.sweep`).

    Examples
    --------
    >>> from lmdk_widgets.pufferfish import MarkovChain
    >>> table = QuiltTable(MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]]))
    >>> [round(table.scale(epsilon, 100).scale, 6) for epsilon in (0.5, 1.0, 2.0)]
    [30.749556, 12.839964, 4.913536]
    """

    def __init__(self, chains: Any, *, support: Support = "definition") -> None:
        self.chains, self.support = chains_of(chains), one_of(support, "support", SUPPORTS)
        self._nodes = [ChainNodes(chain, self.support) for chain in self.chains]
        self._last: dict[int, tuple[int, float, Floats, Any]] = {}

    def scale(self, epsilon: float, length: int) -> QuiltScale:
        """The noise scale of the whole series: see `quilt_scale`."""
        return max(self.scales(epsilon, length), key=lambda found: found.scale)

    def scales(self, epsilon: float, length: int) -> tuple[QuiltScale, ...]:
        """The noise scale that each chain would need by itself, in the order of `chains`."""
        e, n = positive(epsilon, "epsilon"), whole(length, "length")
        each = [self._one(k, n, e) for k in range(len(self.chains))]
        return tuple(described(found, node, n, e, k) for k, (node, found) in enumerate(each))

    def _one(self, k: int, length: int, epsilon: float) -> tuple[int, Found]:
        if self._nodes[k].alike and (k not in self._last or self._last[k][:2] != (length, epsilon)):
            return self._nodes[k].worst(length, epsilon)
        scores, sides = self._every(k, length, epsilon)
        node = self._nodes[k].deciding(scores, epsilon)
        return node, Found(float(scores[node]), *sides[node].tolist())

    def node_scales(self, epsilon: float, length: int) -> NodeScales:
        """The scale that each single node would need, and its active quilt, as a timeline shows them.

        Returns
        -------
        NodeScales : for each of the `length` nodes, the worst over Theta. If the start is not stationary, each node near
        the ends, or where the start is remembered, takes a few milliseconds; the nodes in between are alike.
        """
        e, n = positive(epsilon, "epsilon"), whole(length, "length")
        scale, sides = np.zeros(n), np.zeros((n, 2), np.int64)
        chain = np.zeros(n, np.int64)
        for k in range(len(self.chains)):
            scores, found = self._every(k, n, e)
            worse = scores > scale
            scale[worse], sides[worse], chain[worse] = scores[worse], found[worse], k
        at = np.arange(n)
        left, right = at - sides[:, 0], at + sides[:, 1]
        return NodeScales(scale, np.where(left >= 0, left, -1), np.where(right < n, right, -1), chain)

    def _every(self, k: int, length: int, epsilon: float) -> tuple[Floats, Any]:
        if k in self._last and self._last[k][:2] == (length, epsilon):
            return self._last[k][2:]
        scores, sides = self._nodes[k].every(length, epsilon)
        self._last[k] = length, epsilon, scores, sides
        return scores, sides

    def influence_at(self, node: int, length: int, distances: Any, chain: int = 0) -> tuple[Floats, Floats]:
        """Max-influence of one past and of one future timestamp on one node, by distance, for any start.

        Returns
        -------
        (past, future), each with the shape of `distances` (1 or more); nan where the series has no such timestamp.
        """
        n = whole(length, "length")
        i, d = whole(node, "node", least=0, most=n - 1), np.asarray(distances, np.int64)
        nodes = self._nodes[chain]
        nodes.prepare(n)
        past, future = nodes.sides(i, d.ravel(), n)
        return past.reshape(d.shape), future.reshape(d.shape)

    def influence_by_distance(self, distances: Any, chain: int = 0) -> tuple[Floats, Floats]:
        """Max-influence of one past and of one future timestamp on a node, by distance, far from the start.

        Returns
        -------
        (past, future), each with the shape of `distances`: they decay as the quilt widens. The node is at the
        largest distance from the start, so a start that is not stationary is nearly forgotten.
        """
        d = np.asarray(distances, np.int64)
        return self.influence_at(int(d.max()), 2 * int(d.max()) + 1, d, chain)


def described(found: Found, node: int, length: int, epsilon: float, chain: int | None) -> QuiltScale:
    """The scale of a quilt given by distance, with its timestamps."""
    a, b = min(found.a, node + 1), min(found.b, length - node)
    quilt = (node - a if a <= node else None, node + b if node + b < length else None)
    influence = max(0.0, epsilon - (a + b - 1) / found.score)
    return QuiltScale(found.score, node, quilt, chain, influence if quilt != (None, None) else 0.0, a + b - 1)
