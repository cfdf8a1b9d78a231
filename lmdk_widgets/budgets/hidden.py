"""Dummies beside the landmarks, by the three methods of the landmark paper's authors: they hide little or nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from lmdk_widgets.budgets.nested import Chain, greedy_chain, histogram_chain, optimal_chain
from lmdk_widgets.checks import Indices, generator, indices, one_of, positive, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import exponential_mechanism

METHODS = ("optimal", "greedy", "histogram")
"""How the sets are found of which one is chosen."""

MOST_DUMMIES = 500
"""Dummies of the largest set that can be chosen, when nothing else is said."""


def protect_landmarks(
    n: int,
    landmarks: Iterable[int],
    epsilon_select: float,
    *,
    rng: np.random.Generator,
    method: str = "optimal",
    most: int = MOST_DUMMIES,
) -> Indices:
    """The landmarks with dummies among them: a set L' that contains them, to be protected in their place.

    Nested sets ``L = S_0, S_1, ...`` have one dummy more each. Set S_i is chosen with probability proportional to
    ``exp(-epsilon_select d_i / (2 D))``, where d_i is how far the profile of S_i is from that of L, and D the most that any
    two sets can differ.

    ===========  ===========================================================================================
    "optimal"    of all sequences of nested sets the one whose mean spread is nearest to that of L
    "greedy"     one timestamp at a time, the one that keeps the spread nearest to that of L
    "histogram"  one timestamp at a time, in the part of the track that lacks most for its share among L
    ===========  ===========================================================================================

    The spread of a set is the population standard deviation of its gaps, the ends of the track included; D is (n - 1) / 2.
    For "histogram" a profile is the share of the set in each of sqrt(n) parts of the track, distances are Euclidean, and D is
    sqrt(2).

    Parameters
    ----------
    n : number of timestamps, at least 1.
    landmarks : L, indices from 0 to n - 1; order and repetition do not matter.
    epsilon_select : budget of the choice of the number of dummies, above 0. It buys no privacy of L, so do not add it to the
        epsilon of a release on L'.
    rng : source of random numbers.
    method : one of `METHODS`; "optimal" looks at every sequence, of which there may be 50,000.
    most : the most dummies, at least 1.

    Returns
    -------
    (k,) indices of L', increasing; k from |L| to |L| + most.

    Raises
    ------
    InputError : an unknown method, an n, epsilon_select or most out of range, a landmark that is no timestamp, or too many
        sequences for "optimal".

    Notes
    -----
    Guarantee: none for L. Only the *number* of dummies is chosen with epsilon_select-differential privacy, by the exponential
    mechanism, as no score differs by more than D. An output that lacks a timestamp proves that it is no landmark. "optimal"
    and "greedy" compute the dummies from L without chance: someone who knows the method and |L| runs it on every subset of
    L' with |L| members, and often only L gives L' again. `dummy_posterior` computes what is left. Nor may L' be chosen twice
    for the same landmarks: they are in both sets. Every dummy enlarges |L'| + 1, and so the noise of Uniform. The authors
    compare the mean of a sequence inside the loop over its sets, before all are added: here a whole sequence is compared.
    Numerics: spreads come from whole numbers, so that sets with equal gaps have equal spreads. "greedy" takes some 20 ms
    for 10,000 timestamps. Source: the selection of dummy landmarks in M. Katsomallos' doctoral thesis on landmark
    privacy.

    Examples
    --------
    >>> rng = np.random.default_rng(6)
    >>> protect_landmarks(8, [0, 2, 4, 7], 1.0, rng=rng).tolist()  # Bob
    [0, 1, 2, 3, 4, 7]
    >>> protect_landmarks(288, [30, 100], 1.0, rng=rng, method="greedy", most=2).tolist()
    [30, 100, 107]
    """
    one_of(method, "method", METHODS)
    length, budget = whole(n, "n"), positive(epsilon_select, "epsilon_select")
    marked, source = indices(landmarks, "landmarks", length), generator(rng)
    chain = chain_of(length, marked.tolist(), method, whole(most, "most"), source)
    kept = int(source.choice(len(chain.distances), p=selection(chain, budget, length, method)))
    return np.sort(np.concatenate((marked, chain.dummies[:kept])))


def chain_of(n: int, landmarks: list[int], method: str, most: int, rng: np.random.Generator) -> Chain:
    """The nested sets of a method, for arguments that have been checked."""
    if method == "histogram":
        return histogram_chain(n, landmarks, most, rng)
    return (optimal_chain if method == "optimal" else greedy_chain)(n, landmarks, most)


def selection(chain: Chain, epsilon: float, n: int, method: str) -> Floats:
    """(m + 1,) the probability of each of the nested sets."""
    return np.asarray(exponential_mechanism(-chain.distances, epsilon, most_apart(n, method)))


def most_apart(n: int, method: str) -> float:
    """D, the most that the profiles of two sets of n timestamps can differ."""
    return math.sqrt(2) if method == "histogram" else max(n - 1, 1) / 2
