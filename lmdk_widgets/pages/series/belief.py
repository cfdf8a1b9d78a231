"""What adversaries believe: the chosen chains, and everything that follows from them for any epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov import stationary
from lmdk_widgets.pages.series.series import Series
from lmdk_widgets.pufferfish import (
    Baseline,
    MarkovChain,
    QuiltScale,
    QuiltTable,
    approximate_quilt_scale,
    bootstrap_chains,
    chain_from_data,
    local_influence_scale,
    mixing_constants,
)
from lmdk_widgets.pufferfish.chain import Support

_BOOTSTRAP_SEED = 11
_SHOWN_DISTANCES = 60
_approximate = cached("settings", entries=64, what="approximate scales of quilts")(approximate_quilt_scale)


@dataclass(frozen=True, eq=False)
class Belief:
    """Theta, with tables that every epsilon reuses.

    Attributes
    ----------
    chains : the set Theta, one chain or several.
    table : of the exact mechanism.
    length : T.
    """

    chains: tuple[MarkovChain, ...]
    table: QuiltTable
    length: int

    @cached_property
    def mixing(self) -> tuple[float, float]:
        """(pi_min, g), the worst over Theta: the larger g if every chain is reversible, as with two states."""
        return mixing_constants(self.chains, reversible=None)

    @cached_property
    def kept(self) -> float:
        """The largest share of what a state tells beyond the long run that remains after a move: sqrt(1 - g), g of P P*."""
        return math.sqrt(max(0.0, 1 - mixing_constants(self.chains)[1]))

    @property
    def mixes(self) -> bool:
        """Whether the start is eventually forgotten: otherwise no quilt helps."""
        return self.mixing[0] > 0 and self.mixing[1] > 1e-12

    @cached_property
    def stationary(self) -> bool:
        """Whether every chain starts in its long-run distribution."""
        return all(chain.is_stationary for chain in self.chains)

    @property
    def alike(self) -> bool:
        """Whether timestamps far from both ends are all alike, so that an influence depends on the distance only."""
        everywhere = self.table.support == "definition" or all((chain.initial > 0).all() for chain in self.chains)
        return self.stationary and everywhere

    @cached_property
    def defined(self) -> QuiltTable:
        """The table by the definition of max-influence, whatever `table` counts: for the theorems on composition."""
        return self.table if self.table.support == "definition" else QuiltTable(self.chains)

    @cached_property
    def counted_otherwise(self) -> QuiltTable | None:
        """The table with the other count of past states; None if every state can occur at every timestamp."""
        if all(can.all() for chain in self.chains for can in _possible(chain, self.length)):
            return None
        return self.defined if self.table.support == "all" else QuiltTable(self.chains, support="all")

    @cached_property
    def possible(self) -> int:
        """The most states that can occur at one timestamp, over all chains: with one there is no secret."""
        return max(int(can.sum()) for chain in self.chains for can in _possible(chain, self.length))

    @cached_property
    def right_alone(self) -> float:
        """How often a guess between two states at one timestamp is right at most, by a chain alone, without any release: the
        largest p / (p + q), p and q positive chances of two states, over timestamps and chains; 0.5 without two states."""
        found = [0.5]
        for chain in self.chains:
            here = np.asarray(chain.initial)
            for _ in range(1 if chain.is_stationary else self.length):
                some = here[here > 0]
                if len(some) > 1:
                    found.append(float(some.max() / (some.max() + some.min())))
                here = here @ chain.transition
        return max(found)

    @cached_property
    def local_at_one(self) -> Baseline:
        """The scale by local influences at epsilon = 1, half of GK16's; it is proportional to 1 / epsilon."""
        return local_influence_scale(self.chains, self.length, 1.0)

    def approximate(self, epsilon: float) -> QuiltScale:
        """MQMApprox, which uses only the two numbers of `mixing`."""
        if not self.mixes:
            return QuiltScale(self.length / epsilon, 0, (None, None), None, 0.0, self.length)
        rarest, gap = self.mixing
        return _approximate(length=self.length, epsilon=epsilon, minimum_probability=rarest, gap=gap)

    @cached_property
    def distances(self) -> np.ndarray:
        """Distances at which influences are shown: all the near ones, then ever fewer."""
        most = max(1, min(self.length - 1, 2_000))
        spread = np.unique(np.geomspace(1, most, _SHOWN_DISTANCES).round().astype(np.int64))
        return np.union1d(np.arange(1, min(most, 10) + 1), spread)

    @cached_property
    def _known(self) -> tuple[dict[int, tuple[float, float]], ...]:
        return tuple({} for _ in self.chains)

    def sides(self, distances: Iterable[int]) -> list[tuple[Floats, Floats]]:
        """For each chain (past, future): the influence of one timestamp at these distances, each computed once.

        Only if all timestamps are `alike`: otherwise it does not depend on the distance alone.
        """
        wanted = [int(d) for d in distances]
        found = []
        for k, known in enumerate(self._known):
            missing = [d for d in wanted if d not in known]
            if missing:
                past, future = self.table.influence_by_distance(missing, chain=k)
                known.update(zip(missing, zip(past.tolist(), future.tolist(), strict=True), strict=True))
            past, future = np.array([known[d] for d in wanted]).reshape(-1, 2).T
            found.append((past, future))
        return found

    def influence(self, node: int, distances: Iterable[int] | None = None) -> tuple[Floats, Floats]:
        """(past, future) at distances (those of `distances`) from a timestamp, the worst over Theta; nan beyond the ends.

        If all timestamps are `alike`, they are those of one far from both ends.
        """
        wanted = self.distances if distances is None else np.array(list(distances), np.int64)
        if self.alike:
            sides = self.sides(wanted)
        else:
            each = range(len(self.chains))
            sides = [self.table.influence_at(node, self.length, wanted, chain) for chain in each]
        past, future = (np.max([side[k] for side in sides], axis=0) for k in (0, 1))
        return past, future

    def first_below(self, epsilon: float, node: int) -> int | None:
        """The first distance from a timestamp at which past and future together tell less than epsilon; None: there is none.

        No distance tells more than a nearer one. A side that the series does not have tells nothing; if it has neither,
        there is no such distance.
        """
        far = int(self.distances[-1])
        low, high = 0, far if self.alike else min(far, max(node, self.length - 1 - node))

        def less(distance: int) -> bool:
            return bool(np.nansum(self.influence(node, [distance])) < epsilon)

        if not less(high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if less(middle) else (middle, high)
        return high


def long_run(chain: MarkovChain) -> Floats:
    """(m,) share of the timestamps that an endless run of the chain, from its own start, spends in each state."""
    return chain.initial if chain.is_stationary else stationary(chain.transition, chain.initial)


def _possible(chain: MarkovChain, length: int) -> list[NDArray[np.bool_]]:
    """The different sets of states that can occur at a timestamp, each (m,)."""
    now: NDArray[np.bool_] = np.asarray(chain.initial > 0)
    seen: dict[bytes, NDArray[np.bool_]] = {}
    while len(seen) < length and now.tobytes() not in seen:
        seen[now.tobytes()] = now
        now = np.asarray((chain.transition > 0)[now].any(axis=0))
    return list(seen.values())


@cached("visitor", entries=6, what="a set of chains for a series")
def belief_about(
    series: Series, smoothing: float, theta: str, n_chains: int, support: Support = "definition"
) -> Belief:
    """Theta for a series.

    Parameters
    ----------
    series : its chain is used if known; otherwise it is estimated from `series.learned_from`, or from the series itself.
    smoothing : added to every count of moves.
    theta, n_chains : "one" or "bootstrap", and its number of chains; ignored if the series comes with its own Theta.
    support : which past states count for that Theta, see `max_influence`.
    """
    if series.theta:
        return Belief(series.theta, QuiltTable(series.theta, support=support), len(series))
    learned = list(series.learned_from) or series.states
    if theta == "bootstrap":
        rng = np.random.default_rng(_BOOTSTRAP_SEED)
        chains = bootstrap_chains(learned, series.n_states, n_chains, rng, smoothing=smoothing)
        if series.known is not None:  # and those estimated from data of this chain
            chains = (series.known, *chains[1:])
    elif series.known is not None:
        chains = (series.known,)
    else:
        chains = (chain_from_data(learned, series.n_states, smoothing=smoothing),)
    return Belief(chains, QuiltTable(chains), len(series))
