"""Releasing a query on a series of states, and the most common queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import numbers, one_of, positive, refused, whole
from lmdk_widgets.checks import states as checked_states
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import laplace

COUNT_LIPSCHITZ = 2.0
"""L of a histogram of counts: changing one state moves one count down and another up."""


def quilt_mechanism(
    values: ArrayLike, query: Callable[[Any], ArrayLike], lipschitz: float, scale: float, rng: np.random.Generator
) -> Any:
    """F(values) + scale * lipschitz * Lap(1), independent for every coordinate.

    Parameters
    ----------
    values : the series of states, (T,), or whatever input the query needs.
    query : F, which returns a number or an array.
    lipschitz : L such that changing ONE of the values changes F by at most L in L1 norm: 2 for `histogram`, 2 / T for
        `relative_histogram`, 1 / T for `state_fraction`. It is not checked.
    scale : sigma, e.g. `quilt_scale(...).scale`.
    rng : source of random numbers.

    Returns
    -------
    float64 with the shape of F(values); a float for a number.

    Raises
    ------
    InputError : a query whose answers are not finite numbers, lipschitz or scale not above 0.

    Notes
    -----
    Guarantee: epsilon-Pufferfish privacy with the epsilon, length and Theta from which `scale` was computed. The
    noise does not depend on the values. For what floating point costs, see `noise.samplers`.
    Song, Wang, Chaudhuri, SIGMOD 2017, Algorithm 2.

    Examples
    --------
    >>> states = [0, 0, 1, 0, 1, 1, 0, 0]
    >>> noisy = quilt_mechanism(states, lambda s: histogram(s, 2), 2, 0.5, np.random.default_rng(1))
    >>> noisy.round(2).tolist()
    [5.02, 5.31]
    """
    answer = numbers(query(values), "the answers of the query")
    return laplace(answer, positive(scale, "scale") * positive(lipschitz, "lipschitz"), rng)


def histogram(states: ArrayLike, n_states: int) -> Floats:
    """(m,) how often each state occurs; 2-Lipschitz in L1.

    Examples
    --------
    >>> histogram([0, 2, 2], 3).tolist()
    [1.0, 0.0, 2.0]
    """
    m = whole(n_states, "n_states")
    return np.bincount(checked_states(states, "states", m, least=1), minlength=m).astype(float)


def relative_histogram(states: ArrayLike, n_states: int) -> Floats:
    """(m,) the share of timestamps in each state; 2 / T-Lipschitz in L1.

    Examples
    --------
    >>> relative_histogram([0, 2, 2, 2], 3).tolist()
    [0.25, 0.0, 0.75]
    """
    return histogram(states, n_states) / len(np.asarray(states))


def state_fraction(states: ArrayLike, state: int) -> float:
    """The share of timestamps in one state; 1 / T-Lipschitz.

    Examples
    --------
    >>> state_fraction([0, 2, 2, 2], 2)
    0.75
    """
    found = np.asarray(states)
    if found.ndim != 1 or not len(found):
        raise refused("states", "a series of at least one state, shape (T,)", f"shape {found.shape}")
    return float((found == whole(state, "state", least=0)).mean())


def lipschitz_constant(query: str, length: int) -> float:
    """L for "histogram" (2), "relative_histogram" (2 / T) and "state_fraction" (1 / T).

    Examples
    --------
    >>> lipschitz_constant("relative_histogram", 100)
    0.02
    """
    n = whole(length, "length")
    known = {"histogram": COUNT_LIPSCHITZ, "relative_histogram": 2 / n, "state_fraction": 1 / n}
    return known[one_of(query, "query", known)]
