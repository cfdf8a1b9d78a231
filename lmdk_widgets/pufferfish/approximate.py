"""MQMApprox: the Markov quilt mechanism from two numbers of a chain, its rarest state and its spectral gap."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import fraction, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov import reverse, stationary
from lmdk_widgets.pufferfish.chain import chains_of
from lmdk_widgets.pufferfish.search import Rows, worst_alike
from lmdk_widgets.pufferfish.table import QuiltScale, described


def mixing_constants(chains: Any, *, reversible: bool | None = False) -> tuple[float, float]:
    """(pi_min, g): the rarest state's long-run probability and the spectral gap, worst over Theta.

    pi_min = min over theta and x of pi(x); g = min over theta of 1 - |lambda_2(P P*)|, where
    P*[x, y] = pi(y) P[y, x] / pi(x).

    Parameters
    ----------
    chains : Theta.
    reversible : use the larger 2 min (1 - |lambda_2(P)|), which is valid only if every P equals its P*; None: use it if
        this is so, as it is for two states.

    Returns
    -------
    (pi_min, g) : a probability from 0 to 1, and a gap from 0 to 1, or to 2 if `reversible` is used.

    Raises
    ------
    InputError : `reversible` for a chain that is not reversible.

    Notes
    -----
    P P* is similar to A A^T with A = diag(sqrt pi) P diag(1 / sqrt pi), so lambda_2 is the square of the second
    singular value of A: no eigenvalues of an asymmetric matrix are needed. A reducible or periodic chain, or a state
    that dies out, gives pi_min = 0 or g = 0, and no bound. Song, Wang, Chaudhuri, SIGMOD 2017, section 4.4.2.

    Examples
    --------
    >>> from lmdk_widgets.pufferfish import MarkovChain
    >>> chain = MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]])
    >>> [round(value, 12) for value in mixing_constants(chain)]
    [0.2, 0.75]
    >>> [round(value, 12) for value in mixing_constants(chain, reversible=True)]
    [0.2, 1.0]
    """
    rarest, shrink, alike = inf, 0.0, reversible is not False
    for number, chain in enumerate(chains_of(chains)):
        p = chain.transition
        pi = stationary(p)
        rarest = min(rarest, float(pi.min()))
        if not pi.min() > 0:
            return 0.0, 0.0
        alike = alike and np.allclose(reverse(p, pi), p, rtol=1e-9, atol=1e-12)
        if reversible and not alike:
            raise InputError(
                f"chain {number} must be reversible, pi(x) P[x, y] = pi(y) P[y, x]", remedy="Leave reversible at False"
            )
        root = np.sqrt(pi)
        second = np.linalg.svd(root[:, None] * p / root, compute_uv=False)[1:2]
        shrink = max(shrink, min(1.0, float(second[0])) if len(second) else 0.0)
    return rarest, 2 * (1 - shrink) if alike else 1 - shrink**2


def approximate_quilt_scale(
    chains: Any = None,
    *,
    length: int,
    epsilon: float,
    minimum_probability: float | None = None,
    gap: float | None = None,
) -> QuiltScale:
    """sigma with every influence replaced by 2 log((1 + D_a) / (1 - D_a)) + log((1 + D_b) / (1 - D_b)).

    D_t = exp(-g t / 2) / pi_min bounds how much of the start remains after t moves; it is useful only if D_t < 1. The
    factor 2 applies only to the past side: X_{i-a} is seen through its own distribution and that of X_i.

    Parameters
    ----------
    chains : Theta; pi_min and g come from `mixing_constants`, with the larger g if every chain is reversible, as
        chains with two states are. Alternatively, leave it out and give the two numbers:
    minimum_probability, gap : pi_min in [0, 1] and g >= 0; for reversible chains, g may be the larger one.
    length, epsilon : T and epsilon.

    Returns
    -------
    QuiltScale with chain = None: at least the exact scale, at most T / epsilon (which it is if nothing is known).

    Raises
    ------
    InputError : neither or both alternatives, a number out of range.

    Notes
    -----
    Guarantee: that of `quilt_scale`, for every start: P^a[y, x] / pi(x), and therefore also P(X_i = x) / pi(x), are between
    1 - D_a and 1 + D_a. (log((1 + D) / (1 - D)) is computed as 2 artanh D.) The search uses bounds, so distances need not
    be limited. Song, Wang, Chaudhuri, SIGMOD 2017, Algorithm 4 (MQMApprox) and Lemma 4.8.

    Examples
    --------
    >>> found = approximate_quilt_scale(length=100, epsilon=1.0, minimum_probability=0.2, gap=1.0)
    >>> round(found.scale, 10), found.node - found.quilt[0], found.quilt[1] - found.node
    (23.5059552232, 11, 10)
    >>> from lmdk_widgets.pufferfish import MarkovChain
    >>> two_states = MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]])  # pi_min = 0.2, and g = 2 (1 - 0.5)
    >>> round(approximate_quilt_scale(two_states, length=100, epsilon=1.0).scale, 10)
    23.5059552232
    """
    n, e = whole(length, "length"), positive(epsilon, "epsilon")
    given = minimum_probability is not None and gap is not None
    if (chains is None) != given or (chains is not None and (minimum_probability is not None or gap is not None)):
        arguments = {"chains": chains, "minimum_probability": minimum_probability, "gap": gap}
        raise InputError(
            "the arguments must be either chains alone, or minimum_probability and gap together",
            value=" and ".join(name for name, value in arguments.items() if value is not None) or "none of them",
        )
    if chains is not None:
        minimum_probability, gap = mixing_constants(chains, reversible=None)
    constants = checked_constants(minimum_probability, gap)
    node, found = worst_alike(*mixing_sides(*constants), n, e)
    return described(found, node, n, e, None)


def mixing_influence(distance: Any, minimum_probability: float, gap: float) -> Floats:
    """log((1 + D) / (1 - D)), D = exp(-g t / 2) / pi_min: the bound for the future side; for the past side, twice this."""
    t = np.asarray(distance, float)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        d = np.exp(-gap * t / 2) / minimum_probability
        return np.where(d < 1, 2 * np.arctanh(np.minimum(d, 1.0)), np.inf)


def mixing_sides(minimum_probability: float, gap: float) -> tuple[Rows, Rows]:
    """The bound by distance, for the past side and for the future side."""

    def future(distances: NDArray[np.int64]) -> Floats:
        return mixing_influence(distances, minimum_probability, gap)[:, None]

    return lambda distances: 2 * future(distances), future


def checked_constants(minimum_probability: Any, gap: Any) -> tuple[float, float]:
    """pi_min and g as numbers within their ranges."""
    return fraction(minimum_probability, "minimum_probability"), positive(gap, "gap", zero=True)
