"""The exact Markov quilt mechanism: how much noise hides the state at every timestamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import Support


@dataclass(frozen=True)
class QuiltScale:
    """The noise scale of the Markov quilt mechanism and what decides it.

    Attributes
    ----------
    scale : sigma; release F + sigma * L * Lap(1) for a query F that is L-Lipschitz in L1.
    node : a timestamp, counted from 0, that needs that much (where many do: one of them).
    quilt : (left, right), the timestamps of its active quilt, None for a side without one.
    chain : which belief in Theta needs it, counted from 0; None when no chain was given.
    influence : e of the active quilt, below epsilon.
    nearby : timestamps in the nearby set of the active quilt.
    """

    scale: float
    node: int
    quilt: tuple[int | None, int | None]
    chain: int | None
    influence: float
    nearby: int


@dataclass(frozen=True, eq=False)
class NodeScales:
    """What every node would need by itself.

    Attributes
    ----------
    scale : (T,) smallest score of each node; the largest of them is the scale of the mechanism.
    left, right : (T,) timestamps of each node's active quilt, -1 for a side without one.
    chain : (T,) which belief in Theta needs it.
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
    epsilon : above 0, no unit.
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
    Guarantee: releasing F(D) + sigma * L * Lap(1), independent for each coordinate, is epsilon-Pufferfish private: no
    released value changes the odds of "X_i = x" against "X_i = x'" by more than the factor e^epsilon, for any i, for
    any adversary who believes in one of `chains`. It promises nothing against other beliefs. The result is exact up to
    rounding (about 1e-13 relative). For many values of epsilon build a `QuiltTable` once.
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
    from lmdk_widgets.pufferfish.table import QuiltTable

    return QuiltTable(chains, support=support).scale(epsilon, length)
