"""Dummies for landmarks: random, or by the three methods of the landmark paper's authors, which hide little.

Each of the three makes nested sets of timestamps that start from the landmarks: each set has one more dummy, and
resembles the landmarks as closely as possible.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.random_dummies import checked_chance, with_random_dummies
from lmdk_widgets.checks import Indices, generator, indices, one_of, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import exponential_mechanism

METHODS = ("optimal", "greedy", "histogram")
"""The landmark paper's authors' methods of finding the sets from which one is chosen."""

MOST_DUMMIES = 500
"""The default for the most dummies in a set that can be chosen."""

MOST_CHAINS = 50_000
"""The most sequences of nested sets examined one by one: enough for all of them with up to eight regular timestamps."""


def protect_landmarks(
    n: int,
    landmarks: Iterable[int],
    epsilon_select: float | None = None,
    *,
    method: str = "random",
    chance: float | None = None,
    rng: np.random.Generator,
    most: int = MOST_DUMMIES,
) -> Indices:
    """The landmarks with dummies among them: a set S that contains the landmarks, to be protected instead of them.

    With "random", each regular timestamp joins independently with probability `chance`: this is the method that hides.
    The other three are those of the landmark paper's authors. They make nested sets ``L = S_0, S_1, ...`` with one more
    dummy each, and choose S_i with probability proportional to ``exp(-epsilon_select d_i / (2 D))``, where d_i is how
    far the profile of S_i is from that of L, and D is the most that any two sets can differ.

    ===========  ===========================================================================================
    "random"     every regular timestamp joins independently, with the same probability
    "optimal"    of all sequences of nested sets, the one whose mean spread is nearest to that of L
    "greedy"     one timestamp at a time, the one that keeps the spread nearest to that of L
    "histogram"  one timestamp at a time, in the part of the track furthest below its share of L
    ===========  ===========================================================================================

    The spread of a set is the population standard deviation of its gaps, including those at the ends of the track; D is
    (n - 1) / 2. For "histogram", a profile is the share of the set in each of sqrt(n) parts of the track, distances are
    Euclidean, and D is sqrt(2).

    Parameters
    ----------
    n : number of timestamps, at least 1.
    landmarks : L, indices from 0 to n - 1; order and repetition do not matter.
    epsilon_select : not for "random", but required by the others: the budget for choosing the number of dummies, above
        0. It gives L no privacy, so do not add it to the epsilon of a release on S.
    method : "random", or one of `METHODS`; "optimal" examines every sequence, up to 50,000 of them.
    chance : for "random": p, the probability that a regular timestamp joins, above 0 and at most 1; None: that of
        `proposed_chance`.
    rng : source of random numbers. Anyone who can reproduce them knows the dummies.
    most : for the other methods: the most dummies, at least 1.

    Returns
    -------
    (k,) indices of S, increasing; at most |L| + most of them for the other methods.

    Raises
    ------
    InputError : an unknown method; an n, chance, epsilon_select or most that is out of range or belongs to another
        method; a landmark that is not a timestamp; too many sequences for "optimal".

    Notes
    -----
    Guarantee of "random", one-sided: for t in S, Pr[S | t is a landmark] is exactly 1/p times Pr[S | t is not],
    whatever is known about the other timestamps, so the odds grow by 1/p for someone whose prior treats timestamps
    independently. For someone who knows only k = |L|, each t in S is a landmark with probability k / |S|
    (`dummy_posterior`, `odds_factor`). "Not being a landmark" is not protected: t outside S is certainly not one. With
    probability (1 - p)^(n - k) no dummy joins, and S reveals L. Draw once for given data and landmarks and keep S:
    landmarks are in every draw, so after m draws the odds for a timestamp in all of them have grown by 1/p^m. A
    proposed chance is computed from k, and reveals it.

    Guarantee of the others: none for L. Only the *number* of dummies is chosen with epsilon_select-differential
    privacy, by the exponential mechanism, as no score differs by more than D. "optimal" and "greedy" compute the
    dummies from L without randomness: someone who knows the method and |L| can run it on every subset of S with |L|
    members, and often only L produces S. The authors compare the mean of a sequence inside the loop over its sets,
    before all are added; here whole sequences are compared. Every dummy increases |S| + 1, and so the noise of Uniform.

    Numerics: spreads are computed from whole numbers, so sets with equal gaps have equal spreads. "greedy" takes about
    20 ms for 10,000 timestamps. Source of the three methods: the selection of dummy landmarks in M. Katsomallos'
    doctoral thesis on landmark privacy; one-sided differential privacy: Kotsogiannis et al., ICDE 2020.

    Examples
    --------
    >>> rng = np.random.default_rng(6)
    >>> protect_landmarks(8, [0, 2, 4, 7], rng=rng).tolist()  # Bob
    [0, 1, 2, 3, 4, 7]
    >>> protect_landmarks(288, [30, 100], 1.0, rng=rng, method="greedy", most=2).tolist()
    [30, 100, 101, 107]
    """
    one_of(method, "method", ("random", *METHODS))
    length, most = whole(n, "n"), whole(most, "most")
    marked, source = indices(landmarks, "landmarks", length), generator(rng)
    if method == "random":
        _left_out("Epsilon_select", epsilon_select, method)
        return with_random_dummies(length, marked, checked_chance(chance, length, len(marked)), source)
    _left_out("Chance", chance, method)
    budget = positive(epsilon_select, "epsilon_select")
    chain = chain_of(length, marked.tolist(), method, most, source)
    kept = int(source.choice(len(chain.distances), p=selection(chain, budget, length, method)))
    return np.sort(np.concatenate((marked, chain.dummies[:kept])))


def _left_out(subject: str, value: Any, method: str) -> None:
    if value is not None:
        raise InputError(f'{subject} must be left out for the method "{method}"', value=value)


def chain_of(n: int, landmarks: list[int], method: str, most: int, rng: np.random.Generator) -> Chain:
    """The nested sets of a method, for arguments that are already checked."""
    if method == "histogram":
        return histogram_chain(n, landmarks, most, rng)
    return (optimal_chain if method == "optimal" else greedy_chain)(n, landmarks, most)


def selection(chain: Chain, epsilon: float, n: int, method: str) -> Floats:
    """(m + 1,) the probability of each of the nested sets."""
    return np.asarray(exponential_mechanism(-chain.distances, epsilon, most_apart(n, method)))


def most_apart(n: int, method: str) -> float:
    """D, the most that the profiles of two sets of n timestamps can differ."""
    return math.sqrt(2) if method == "histogram" else max(n - 1, 1) / 2


class Chain:
    """The landmarks S_0 and the dummies in the order in which they join, and how far each set is from S_0.

    Attributes
    ----------
    dummies : (m,) timestamps; S_i consists of the landmarks and the first i of them.
    distances : (m + 1,) how far the profile of S_i is from that of S_0, 0 for S_0 itself.
    """

    def __init__(self, dummies: Iterable[int], distances: Iterable[float]) -> None:
        self.dummies: NDArray[np.intp] = np.array(list(dummies), np.intp)
        self.distances: Floats = np.array(list(distances), float)


def spread(squares: int, gaps: int, length: int) -> float:
    """Population standard deviation of gaps, from the sum of their squares, their number and their sum, as whole
    numbers.

    Examples
    --------
    >>> round(spread(1 + 4 + 4 + 9 + 1, 5, 9), 10)  # Bob's landmarks 1, 3, 5 and 8 of eight timestamps
    0.7483314774
    """
    return math.sqrt(squares * gaps - length * length) / gaps


def squares_of(marked: Iterable[int], n: int) -> int:
    """Sum of the squares of the gaps between the timestamps, counted from 0, and the ends -1 and n."""
    ends = [-1, *marked, n]
    return sum((b - a) ** 2 for a, b in pairwise(ends))


def optimal_chain(n: int, landmarks: list[int], most: int) -> Chain:
    """The sequence whose sets have, on average, the spread nearest to that of the landmarks; if tied, the first.

    The mean over a whole sequence is compared, so no sequence can be abandoned early: all are examined.

    Raises
    ------
    InputError : more than `MOST_CHAINS` sequences.
    """
    marked, length = set(landmarks), n + 1
    regular = [t for t in range(n) if t not in marked]
    steps = min(most, len(regular))
    _listed(len(regular), steps)
    own = spread(squares_of(landmarks, n), len(landmarks) + 1, length)
    known: dict[int, float] = {}

    def off(mask: int, size: int) -> float:
        if mask not in known:
            some = sorted(marked | {t for k, t in enumerate(regular) if mask >> k & 1})
            known[mask] = spread(squares_of(some, n), size + 1, length) - own
        return known[mask]

    best: tuple[float, tuple[int, ...]] = (math.inf, ())

    def follow(mask: int, total: float, chosen: tuple[int, ...]) -> None:
        nonlocal best
        if len(chosen) == steps:
            if abs(total) < best[0]:
                best = abs(total), chosen
            return
        for k in range(len(regular)):
            if not mask >> k & 1:
                more = mask | 1 << k
                follow(more, total + off(more, len(marked) + len(chosen) + 1), (*chosen, k))

    follow(0, 0.0, ())
    masks = np.cumsum([0, *(1 << k for k in best[1])]).tolist()
    distances = [0.0, *(abs(off(mask, len(marked) + size)) for size, mask in enumerate(masks) if size)]
    return Chain((regular[k] for k in best[1]), distances)


def _listed(regular: int, steps: int) -> None:
    chains = math.perm(regular, steps)
    if chains > MOST_CHAINS:
        what = f'The method "optimal" must have at most {MOST_CHAINS:,} sequences of sets'
        seen = f"{chains:,}" if chains < 1e12 else "more than a trillion"
        raise InputError(what, value=seen, remedy='Use the method "greedy", or fewer dummies')


def can_list(n: int, landmarks: int, most: int) -> bool:
    """Whether `optimal_chain` has few enough sequences.

    Examples
    --------
    >>> can_list(8, 4, 500), can_list(288, 4, 500), can_list(30, 4, 3)
    (True, False, True)
    """
    return math.perm(n - landmarks, min(most, n - landmarks)) <= MOST_CHAINS


def greedy_chain(n: int, landmarks: list[int], most: int) -> Chain:
    """One timestamp at a time: the one that keeps the spread nearest to that of the landmarks; if tied, the first.

    A timestamp at distance a from the near end of a gap g reduces the sum of squares by 2 a (g - a). Only the two
    distances around the ideal one can be best within a gap, and gaps of equal length are equivalent, so each step
    examines each length once: there are at most sqrt(2 n) of them.
    """
    ends, length = [-1, *landmarks, n], n + 1
    starts: dict[int, list[int]] = {}
    for left, right in pairwise(ends):
        starts.setdefault(right - left, []).append(left)
    squares, gaps = squares_of(landmarks, n), len(landmarks) + 1
    own, dummies, distances = spread(squares, gaps, length), [], [0.0]
    for _ in range(min(most, n - len(landmarks))):
        gaps += 1
        gap, near, off = _best_cut(np.fromiter(starts, float), squares, gaps, length, own)
        at, best = min((starts[int(g)][0] + int(a), (int(g), int(a))) for g, a in zip(gap, near, strict=True))
        _cut(starts, *best)
        squares -= 2 * best[1] * (best[0] - best[1])
        dummies.append(at)
        distances.append(off)
    return Chain(dummies, distances)


def _best_cut(gap: Floats, squares: int, gaps: int, length: int, own: float) -> tuple[Floats, Floats, float]:
    """The gaps and the distances from their near ends that bring the spread nearest to `own`, and how near it is."""
    gap = gap[gap > 1]
    near, off = near_cuts(gap, squares, gaps, length, own)
    best = off.min()
    found = off == best
    return np.broadcast_to(gap, found.shape)[found], near[found], float(best)


def near_cuts(gap: Floats, squares: Any, gaps: int, length: int, own: Any) -> tuple[Floats, Floats]:
    """(2, ...) the two distances from the near end of each gap that can be best, and how far the spread then is from
    `own`.

    `gaps` is the number after the cut; `gap`, `squares` and `own` may be arrays that broadcast. A gap of 1 cannot be
    cut.
    """
    ideal = (squares - gaps * own * own - length * length / gaps) / 2
    near = np.floor((gap - np.sqrt(np.maximum(gap * gap - 4 * ideal, 0.0))) / 2)
    near = np.minimum(np.maximum(np.stack((near, near + 1)), 1.0), gap // 2)
    left = squares - 2 * near * (gap - near)
    # by the Cauchy-Schwarz inequality, never below 0 except by rounding
    return near, np.abs(np.sqrt(np.maximum(left * gaps - length * length, 0.0)) / gaps - own)


def _cut(starts: dict[int, list[int]], gap: int, near: int) -> None:
    """Cut the first gap of a length into two."""
    left = heapq.heappop(starts[gap])
    if not starts[gap]:
        del starts[gap]
    for size, start in ((near, left), (gap - near, left + near)):
        heapq.heappush(starts.setdefault(size, []), start)


def histogram_chain(n: int, landmarks: list[int], most: int, rng: np.random.Generator) -> Chain:
    """One timestamp at a time: a random one from the bin furthest below its share, so that the histogram keeps its
    shape.

    The profile of a set is the share of its timestamps in each of about sqrt(n) bins of T, and the distance between
    profiles is Euclidean. With c_j of s timestamps in bin j, one more in bin j changes the squared distance by ``2 (c_j
    / (s + 1) - p_j) / (s + 1)``, plus a term that is the same for all bins: the best bin has the largest ``p_j (s + 1)
    - c_j``.
    """
    of, bins = bins_of(n)
    counts = np.bincount(of[landmarks], minlength=bins)
    free = [rng.permutation(some).tolist() for some in _regular_by_bin(of, landmarks, bins)]
    room = np.array([len(some) for some in free])
    joined = list(bins_joined(counts, room, most))
    return Chain((free[chosen].pop() for chosen, _ in joined), [0.0, *(off for _, off in joined)])


def bins_of(n: int) -> tuple[NDArray[np.intp], int]:
    """(n,) the bin of each timestamp, and the number of bins.

    Examples
    --------
    >>> bins_of(8)[0].tolist()
    [0, 0, 0, 1, 1, 1, 2, 2]
    """
    bins = round(math.sqrt(n))
    return np.arange(n) * bins // n, bins


def bins_joined(counts: NDArray[np.intp], room: NDArray[np.intp], most: int) -> Iterator[tuple[int, float]]:
    """The bin of each dummy in turn, and how far the histogram then is from that of the landmarks, without randomness.

    Parameters
    ----------
    counts, room : (bins,) the landmarks and the regular timestamps in each bin. most : the most dummies.
    """
    size, now, left = int(counts.sum()), counts.astype(float), room.astype(float)
    shares = now / max(1, size)
    for _ in range(min(most, int(room.sum()))):
        size += 1
        chosen = int(np.argmax(np.where(left > 0, shares * size - now, -np.inf)))
        now[chosen] += 1
        left[chosen] -= 1
        yield chosen, float(np.linalg.norm(now / size - shares))


def _regular_by_bin(of: NDArray[np.intp], landmarks: list[int], bins: int) -> list[NDArray[np.intp]]:
    regular = np.delete(np.arange(len(of)), landmarks)
    return np.split(regular, np.searchsorted(of[regular], np.arange(1, bins)))
