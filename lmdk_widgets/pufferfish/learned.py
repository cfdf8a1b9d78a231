"""Theta from data: one chain, many plausible chains, or one for each person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lmdk_widgets.checks import generator, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.markov import estimate_transitions
from lmdk_widgets.pufferfish.chain import MarkovChain


def chain_from_data(states: Any, n_states: int, *, smoothing: float = 0.0) -> MarkovChain:
    """The stationary chain with the transitions seen in data: see `markov.estimate_transitions`.

    Parameters
    ----------
    states : one series of states, or several.
    n_states : m.
    smoothing : added to every count. At 0 a move that was not seen counts as impossible, and observing it would give
        everything away: the scale is then often that of group privacy.

    Notes
    -----
    Guarantee: none for the data the chain is estimated from: the scale depends on them. Estimate Theta from other
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
    """Theta as the chains that such data could also have come from: the estimate, and n_chains - 1 resampled ones.

    Every row is drawn again, as often as its state was left, from the row that was estimated (parametric bootstrap
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


def chains_per_person(series: Sequence[Any], n_states: int, *, smoothing: float = 0.0) -> tuple[MarkovChain, ...]:
    """Theta with one chain for each person: an adversary may think the series is like any of theirs.

    Parameters
    ----------
    series : one series of states for each person.

    Examples
    --------
    >>> len(chains_per_person([[0, 1, 0], [1, 1, 0]], 2, smoothing=1))
    2
    """
    if not len(series) or np.ndim(series[0]) == 0:
        raise InputError("series must be a sequence with one series of states for each person")
    return tuple(chain_from_data(states, n_states, smoothing=smoothing) for states in series)
