"""A Markov chain as an adversary's belief: where the day starts and how it continues; and Theta, from data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, kind_of, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov import distribution, estimate_transitions, stationary, transition_matrix

STATIONARY_WITHIN = 1e-12
"""A start counts as stationary if one move changes no probability by more than this relative amount."""

Support = Literal["definition", "all"]
SUPPORTS: tuple[Support, ...] = ("definition", "all")
"""What a quilt's past state may be: what is possible by the definition, or every state."""


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """One belief theta about a series of states: P(X_0 = x) = initial[x], P(X_t+1 = y | X_t = x) = transition[x, y].

    Attributes
    ----------
    initial : (m,) distribution of the state at timestamp 0.
    transition : (m, m) row-stochastic; the same at every timestamp.

    Raises
    ------
    InputError : a row or a start that is not a probability distribution; the message names the row and its sum.

    Notes
    -----
    The arrays are read-only copies. Song, Wang, Chaudhuri, SIGMOD 2017, section 4.4.

    Examples
    --------
    >>> chain = MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]])
    >>> chain.n_states, chain.is_stationary, chain.marginal(1).tolist()
    (2, False, [0.9, 0.1])
    >>> MarkovChain.stationary([[0.9, 0.1], [0.4, 0.6]]).initial.round(12).tolist()
    [0.8, 0.2]
    """

    initial: Floats
    transition: Floats

    def __init__(self, initial: ArrayLike, transition: ArrayLike) -> None:
        p = transition_matrix(transition)
        q = distribution(initial, len(p), name="the initial distribution")
        for name, array in (("initial", q), ("transition", p)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def stationary(cls, transition: ArrayLike) -> MarkovChain:
        """The chain that has run forever: it starts in its long run (for a reducible chain, that of a uniform start)."""
        p = transition_matrix(transition)
        return cls(stationary(p), p)

    @property
    def n_states(self) -> int:
        """m."""
        return len(self.initial)

    @property
    def is_stationary(self) -> bool:
        """Whether every timestamp has the distribution of the first one."""
        after = self.initial @ self.transition
        return bool((np.abs(after - self.initial) <= STATIONARY_WITHIN * self.initial).all())

    def marginal(self, timestamp: int) -> Floats:
        """(m,) distribution of the state at a timestamp, counted from 0."""
        power = np.linalg.matrix_power(self.transition, whole(timestamp, "timestamp", least=0))
        return self.initial @ power

    def sample(self, length: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """(length,) states of one run of the chain."""
        n = whole(length, "length")
        cumulative = np.cumsum(self.transition, axis=1)
        cumulative /= cumulative[:, -1:]
        draws = rng.random(n)
        states = np.empty(n, np.int64)
        start = np.cumsum(self.initial)
        state = int(np.searchsorted(start / start[-1], draws[0], side="right"))
        states[0] = state
        for t in range(1, n):
            state = int(np.searchsorted(cumulative[state], draws[t], side="right"))
            states[t] = state
        return states


def chains_of(chains: Any) -> tuple[MarkovChain, ...]:
    """Theta as a tuple: one chain or a sequence of them, all with the same number of states."""
    found = (chains,) if isinstance(chains, MarkovChain) else chains
    if not isinstance(found, Iterable) or isinstance(found, str | bytes | np.ndarray):
        raise refused("chains", "a MarkovChain or a sequence of them", kind_of(chains))
    listed = tuple(found)
    if not listed:
        raise refused("chains", "a MarkovChain or a sequence of them", "an empty sequence")
    for k, chain in enumerate(listed):
        if not isinstance(chain, MarkovChain):
            raise refused(f"chain {k}", "a MarkovChain", kind_of(chain))
        if chain.n_states != listed[0].n_states:
            raise InputError(f"chain {k} must have {listed[0].n_states} states, like chain 0", value=chain.n_states)
    return listed


def chain_from_data(states: Any, n_states: int, *, smoothing: float = 0.0) -> MarkovChain:
    """The stationary chain with the transitions estimated from data: see `markov.estimate_transitions`.

    Parameters
    ----------
    states : one series of states, or several.
    n_states : m.
    smoothing : added to every count. At 0, a move that was not observed counts as impossible, and observing it would give
        everything away: the scale is then often that of group privacy.

    Notes
    -----
    Guarantee: none for the data from which the chain is estimated: the scale depends on them. Estimate Theta from other
    people, other days or public data, as the papers assume.

    Examples
    --------
    >>> chain_from_data([0, 0, 0, 1, 1, 0, 0], 2).transition.round(2).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    return MarkovChain.stationary(estimate_transitions(states, n_states, smoothing=smoothing))


def bootstrap_chains(
    states: Any, n_states: int, n_chains: int, rng: np.random.Generator, *, smoothing: float = 0.0
) -> tuple[MarkovChain, ...]:
    """Theta as the chains from which such data could also have come: the estimate, and n_chains - 1 resampled ones.

    Every row is resampled from its estimate, with as many moves as were observed from its state (a parametric bootstrap
    given the visits), and then smoothed like the first.

    Parameters
    ----------
    n_chains : 1 or more; the first chain is the estimate itself.
    rng : source of random numbers.

    Examples
    --------
    >>> theta = bootstrap_chains([0, 0, 1, 1, 1, 0, 1, 0, 0], 2, 3, np.random.default_rng(1), smoothing=1)
    >>> [chain.transition[0, 0].round(3).item() for chain in theta]
    [0.5, 0.5, 0.333]
    """
    n, draw = whole(n_chains, "n_chains"), generator(rng)
    plain = estimate_transitions(states, n_states)
    series = states if len(states) and np.ndim(states[0]) > 0 else [states]
    left = np.sum([np.bincount(np.asarray(one)[:-1], minlength=n_states) for one in series], axis=0)
    chains = [chain_from_data(states, n_states, smoothing=smoothing)]
    for _ in range(n - 1):
        counts = np.stack([draw.multinomial(k, row) for k, row in zip(left, plain, strict=True)]) + float(smoothing)
        total = counts.sum(axis=1, keepdims=True)
        p = np.divide(counts, total, out=np.full(counts.shape, 1 / n_states), where=total > 0)
        chains.append(MarkovChain.stationary(p))
    return tuple(chains)
