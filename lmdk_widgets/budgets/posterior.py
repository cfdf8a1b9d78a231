"""What protected timestamps reveal about the landmarks among them, to someone who knows how the dummies were chosen.

The attack is Bayes' rule, with every set of k landmarks equally likely at first. A set L remains if it is a subset of
the protected set S and the method, run on L, may publish S; its weight is Pr[S | L]. "greedy" and "optimal" compute the
dummies from L, so chance decides only their number: most sets give other dummies and drop out. "histogram" draws its
dummies uniformly within a bin, so Pr[S | L] depends only on the number of landmarks in each bin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.hidden import (
    METHODS,
    MOST_DUMMIES,
    Chain,
    bins_joined,
    bins_of,
    can_list,
    chain_of,
    most_apart,
    near_cuts,
    optimal_chain,
)
from lmdk_widgets.budgets.random_dummies import checked_chance
from lmdk_widgets.checks import indices, one_of, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

MOST_SETS = 1_000_000
"""Up to this many sets of k timestamps are all examined; of more, `SAMPLED` random ones, or fewer if sets are large."""

SAMPLED = 100_000

AT_ONCE = 200_000
"""The number of timestamps in the sets that are examined together."""

FEW = 256
"""How many sets of "histogram" are examined together: each may take some milliseconds."""

MOST_SEQUENCES = 100_000_000
"""The most sequences of nested sets followed for "optimal", over all sets of landmarks: a minute or two."""

Sets = NDArray[np.intp]
"""(b, k) b sets of k timestamps, each increasing."""


@dataclass(frozen=True, eq=False)
class DummyPosterior:
    """What an attacker learns about the landmarks from the method, its settings and the number of landmarks.

    Attributes
    ----------
    chances : (n,) the probability that each timestamp is a landmark; NaN within the protected set until a set is found.
    left : sets of k timestamps found so far that may have produced the protected set.
    tried, wanted : sets examined so far, and sets to examine.
    of : subsets of the protected set with k members; more than `wanted` if only a sample is examined.
    """

    chances: Floats
    left: int
    tried: int
    wanted: int
    of: int

    @property
    def done(self) -> bool:
        return self.tried >= self.wanted

    @property
    def sampled(self) -> bool:
        return self.wanted < self.of


def dummy_posterior(
    protected: Iterable[int],
    n: int,
    k: int,
    *,
    method: str = "random",
    chance: float | None = None,
    epsilon_select: float | None = None,
    most: int = MOST_DUMMIES,
) -> Floats:
    """The probability that each timestamp is a landmark, for someone who knows how dummies are chosen: Pr[t in L | S].

    With every set of k landmarks equally likely at first, ``Pr[t in L | S]`` is the sum of ``Pr[S | L]`` over the sets
    L that contain t, divided by the sum over all L. For "random", where each regular timestamp joins independently with
    the same probability, it is k / |S| on S.

    Parameters
    ----------
    protected : S, the protected timestamps: the landmarks and their dummies, indices from 0 to n - 1.
    n : number of timestamps. k : number of landmarks, 0 to |S|.
    method : "random", or a method of `protect_landmarks`: "optimal", "greedy" or "histogram".
    chance : for "random", the probability that a regular timestamp joins, above 0 and at most 1; None: the proposed
        one. The result does not depend on it.
    epsilon_select, most : for the other methods, as passed to `protect_landmarks`.

    Returns
    -------
    (n,) probabilities, 0 outside S; they sum to k.

    Raises
    ------
    InputError : an argument that is out of range or belongs to another method, or a set S that the method cannot
        publish for any k landmarks.

    Notes
    -----
    Guarantee: none; this is an attack. It is exact if S has at most 1,000,000 subsets with k members. Otherwise it is
    an estimate from 100,000 random subsets (fewer if k is large), the same in every call. If none of these could have
    produced S, the result is NaN on S, meaning unknown; that is no protection, as an attacker may try all subsets.
    "optimal" is sampled sooner, if the work would take more than a minute or two. Numerics: weights are logarithms; the
    sets of "greedy" are processed together, with exactly the arithmetic of `protect_landmarks`, as its last bit decides
    ties. If the landmarks are not equally likely at first, or dummies are chosen for them a second time, the attacker
    learns even more. "random" needs no enumeration: Pr[S | L] is p^(|S| - k) (1 - p)^(n - |S|) for every L in S, so it
    is exact at any size.

    Examples
    --------
    >>> protected = [30, 47, 67, 100, 160, 176, 200, 213, 250]
    >>> dummy_posterior(protected, 288, 5, method="greedy", epsilon_select=1.0, most=8).nonzero()[0].tolist()
    [30, 100, 160, 200, 250]
    >>> dummy_posterior([0, 1, 2, 4, 7], 8, 4).tolist()
    [0.8, 0.8, 0.8, 0.0, 0.8, 0.0, 0.0, 0.8]
    """
    one_of(method, "method", ("random", *METHODS))
    length = whole(n, "n")
    members = indices(protected, "protected", length)
    marked = whole(k, "k", least=0, most=len(members))
    if method == "random":
        if epsilon_select is not None:
            raise InputError('Epsilon_select must be left out for the method "random"', value=epsilon_select)
        if checked_chance(chance, length, marked) == 1 and len(members) < length:
            raise InputError("Protected must be all timestamps if the chance is 1", value=f"{len(members)} of {length}")
        chances = np.zeros(length)
        chances[members] = marked / max(len(members), 1)
        return chances
    if chance is not None:
        raise InputError(f'Chance must be left out for the method "{method}"', value=chance)
    budget = positive(epsilon_select, "epsilon_select")
    *_, found = posteriors(members.tolist(), length, marked, method=method, epsilon=budget, most=whole(most, "most"))
    if not found.left and not found.sampled:
        what = f'Protected must be a set that the method "{method}" can publish for {marked} landmarks'
        raise InputError(what, value="one that it cannot", remedy="Check k, most and the method")
    return found.chances


def posteriors(
    protected: list[int], n: int, k: int, *, method: str, epsilon: float, most: int
) -> Iterator[DummyPosterior]:
    """The posterior as more and more sets are examined; the last one is the answer. Arguments are already checked."""
    members, every = np.array(protected, np.intp), math.comb(len(protected), k)
    wanted, at_once = _amounts(n, k, every, method, most)
    weigh = _weigher(protected, n, k, method, epsilon, most)
    peak, total, shares = -math.inf, 0.0, np.zeros(n)
    seen, left, tried = np.zeros(n, int), 0, 0
    for sets in _sets(members, k, wanted, every, at_once):
        weights = weigh(sets)
        sets, weights, tried = sets[weights > -np.inf], weights[weights > -np.inf], tried + len(sets)
        if len(sets):
            top = max(peak, float(weights.max()))
            scaled, before = np.exp(weights - top), math.exp(peak - top)
            total, peak, left = total * before + float(scaled.sum()), top, left + len(sets)
            shares = shares * before + np.bincount(sets.ravel(), np.repeat(scaled, k), n)
            seen += np.bincount(sets.ravel(), minlength=n)
        chances = np.zeros(n)
        # certain only if in every remaining set, however the sums are rounded
        likely = np.minimum(shares / total, np.nextafter(1.0, 0.0)) if left else shares
        chances[members] = np.where(seen == left, 1.0, likely)[members] if left else np.nan
        yield DummyPosterior(chances, left, tried, wanted, every)


def _amounts(n: int, k: int, every: int, method: str, most: int) -> tuple[int, int]:
    """How many sets are examined, and how many together."""
    steps = min(most, n - k)
    wanted = every if every <= MOST_SETS else min(SAMPLED, max(1_000, 64 * SAMPLED // (k + 1 + steps)))
    if method == "optimal":
        if not can_list(n, k, most):
            optimal_chain(n, list(range(k)), most)  # raises the error
        each = math.perm(n - k, steps)
        return min(wanted, max(1, MOST_SEQUENCES // each)), max(1, 50_000 // each)
    return wanted, FEW if method == "histogram" else max(1, AT_ONCE // (k + 1))


def _sets(members: Sets, k: int, wanted: int, every: int, at_once: int) -> Iterator[Sets]:
    """Subsets of k members: all of them, or random ones."""
    if wanted == every:
        listed = combinations(members.tolist(), k)
        while some := list(islice(listed, at_once)):
            yield np.array(some, np.intp).reshape(len(some), k)
        return
    rng = np.random.default_rng(0)
    for first in range(0, wanted, at_once):
        size = min(at_once, wanted - first)
        yield members[np.sort(np.argsort(rng.random((size, len(members))))[:, :k])]


def _weigher(protected: list[int], n: int, k: int, method: str, epsilon: float, most: int) -> Callable[[Sets], Floats]:
    """A function that returns the logarithm of Pr[S | L] for many sets L, -inf if L cannot produce S."""
    more = len(protected) - k
    if more > most:
        return lambda sets: np.full(len(sets), -np.inf)
    if method == "histogram":
        return _by_bins(protected, n, more, epsilon, most)

    def weight(landmarks: list[int]) -> float:
        chain = chain_of(n, landmarks, method, most, np.random.default_rng(0))
        joined = {*landmarks, *chain.dummies[:more].tolist()}
        return log_chance(chain, more, n, epsilon, method) if joined == set(protected) else -math.inf

    def weigh(sets: Sets) -> Floats:
        possible = _stays_within(sets, protected, n, more) if method == "greedy" else np.ones(len(sets), bool)
        found = np.full(len(sets), -np.inf)
        found[possible] = [weight(some) for some in sets[possible].tolist()]
        return found

    return weigh


def log_chance(chain: Chain, size: int, n: int, epsilon: float, method: str) -> float:
    """Log probability, which does not underflow, of choosing the set with `size` dummies."""
    exponents = (chain.distances.min() - chain.distances) / most_apart(n, method) / 2 * epsilon
    return float(exponents[size] - math.log(float(np.exp(exponents).sum())))


def _stays_within(sets: Sets, protected: list[int], n: int, steps: int) -> NDArray[np.bool_]:
    """(b,) for which sets the first dummies of "greedy" are all protected; all sets take their steps together."""
    inside, length = np.zeros(n, bool), n + 1
    inside[protected] = True
    ends = (np.full((len(sets), 1), end) for end in (-1, n))
    marked = np.concatenate((next(ends), sets, next(ends)), axis=1)
    rows, own = np.arange(len(sets)), np.zeros((len(sets), 1))
    for step in range(steps + 1):
        gap = np.diff(marked, axis=1)
        gaps, squares = gap.shape[1], (gap * gap).sum(axis=1, keepdims=True)
        if not step:
            own = np.sqrt((squares * gaps - length * length).astype(float)) / gaps
        if step == steps or not len(rows):
            break
        near, off = near_cuts(gap.astype(float), squares, gaps + 1, length, own)
        off = np.where(gap > 1, off, np.inf)
        best = off == off.min(axis=(0, 2), keepdims=True)
        at = np.where(best, marked[:, :-1] + near, np.inf).min(axis=(0, 2)).astype(np.intp)
        kept = inside[at]
        rows, own = rows[kept], own[kept]
        marked = np.sort(np.concatenate((marked[kept], at[kept, None]), axis=1), axis=1)
    return np.isin(np.arange(len(sets)), rows)


def _by_bins(protected: list[int], n: int, more: int, epsilon: float, most: int) -> Callable[[Sets], Floats]:
    """The same for "histogram": its dummies fill bins in a fixed order, and each is a random timestamp of its bin."""
    of, bins = bins_of(n)
    room, wanted = np.bincount(of, minlength=bins), np.bincount(of[protected], minlength=bins)

    known: dict[tuple[int, ...], float] = {}

    def weight(counts: tuple[int, ...]) -> float:
        marked = np.array(counts)
        now, distances = marked.copy(), [0.0]
        for size, (chosen, off) in enumerate(bins_joined(marked, room - marked, most), 1):
            distances.append(off)
            now[chosen] += size <= more
            if size <= more and now[chosen] > wanted[chosen]:
                return -math.inf
        ways = sum(math.log(math.comb(int(a), int(b))) for a, b in zip(room - marked, now - marked, strict=True))
        return log_chance(Chain([], distances), more, n, epsilon, "histogram") - ways

    def weigh(sets: Sets) -> Floats:
        where = of[sets] + bins * np.arange(len(sets))[:, None]
        counts, which = np.unique(
            np.bincount(where.ravel(), minlength=bins * len(sets)).reshape(-1, bins), axis=0, return_inverse=True
        )
        rows = [tuple(row) for row in counts.tolist()]
        for row in rows:
            if row not in known:
                known[row] = weight(row)
        return np.array([known[row] for row in rows])[which.ravel()]

    return weigh
