"""Dummies among the landmarks: the exact values, every set by brute force, and the law of the choice."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy.stats import chi2

from lmdk_widgets.budgets import protect_landmarks
from lmdk_widgets.budgets.hidden import (
    METHODS,
    can_list,
    chain_of,
    greedy_chain,
    histogram_chain,
    optimal_chain,
    selection,
    spread,
    squares_of,
)
from lmdk_widgets.errors import InputError

BOB = [0, 2, 4, 7]


def slow_spread(marked: list[int], n: int) -> float:
    """From the definition: timestamps from 1, ends 0 and n + 1."""
    ends = [0, *sorted(i + 1 for i in marked), n + 1]
    return statistics.pstdev([b - a for a, b in pairwise(ends)])


def slow_optimal(n: int, marked: list[int], most: int) -> float:
    """The least difference between the mean spread of a sequence and that of the landmarks."""
    regular = [t for t in range(n) if t not in marked]
    steps = min(most, len(regular))
    own, best = slow_spread(marked, n), math.inf
    for order in permutations(regular, steps):
        mean = statistics.fmean(slow_spread(marked + list(order[:k]), n) for k in range(steps + 1))
        best = min(best, abs(mean - own))
    return best


def slow_greedy(n: int, marked: list[int], most: int) -> list[int]:
    """Every timestamp is tried at every step; the first of the best ones joins."""
    now, chosen, own = list(marked), [], slow_spread(marked, n)
    for _ in range(min(most, n - len(marked))):
        off = {t: round(abs(slow_spread([*now, t], n) - own), 12) for t in range(n) if t not in now}
        chosen.append(min(off, key=lambda t: (off[t], t)))
        now.append(chosen[-1])
    return chosen


def slow_histogram(n: int, marked: list[int], order: list[int]) -> list[float]:
    """How far each set is from the landmarks, and that no other bin would have been nearer."""
    bins = round(n**0.5)

    def shares(some: list[int]) -> list[float]:
        return [sum(t * bins // n == j for t in some) / max(1, len(some)) for j in range(bins)]

    found = [0.0]
    for k in range(len(order)):
        before = marked + order[:k]
        off = {t: math.dist(shares([*before, t]), shares(marked)) for t in range(n) if t not in before}
        assert off[order[k]] == pytest.approx(min(off.values()), abs=1e-12)
        found.append(off[order[k]])
    return found


def cases(most_n: int, count: int) -> list[tuple[int, list[int]]]:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(count):
        n = int(rng.integers(1, most_n + 1))
        found.append((n, np.flatnonzero(rng.random(n) < rng.uniform(0, 1)).tolist()))
    return found


@pytest.mark.parametrize(
    ("dummies", "expected"),
    [([], 0.7483314774), ([1], 0.7637626158), ([3], 0.7637626158), ([5], 0.5), ([6], 0.5), ([1, 3], 0.6998542122)]
    + [([5, 6], 0.4517539514), ([1, 3, 5, 6], 0.0)],
)
def test_the_spread_of_bobs_landmarks(dummies: list[int], expected: float) -> None:
    marked = sorted(BOB + dummies)
    assert spread(squares_of(marked, 8), len(marked) + 1, 9) == pytest.approx(expected, abs=1e-10)


@pytest.mark.long
def test_the_optimal_sequence_is_as_near_as_any() -> None:
    for n, marked in cases(7, 60):
        for most in (1, 2, 9):
            chain = optimal_chain(n, marked, most)
            sets = [marked + chain.dummies[:k].tolist() for k in range(len(chain.dummies) + 1)]
            own = slow_spread(marked, n)
            mean = statistics.fmean(slow_spread(some, n) for some in sets)
            assert abs(mean - own) == pytest.approx(slow_optimal(n, marked, most), abs=1e-12)
            assert chain.distances == pytest.approx([abs(slow_spread(some, n) - own) for some in sets], abs=1e-12)


def test_greedy_takes_the_first_of_the_best_at_each_step() -> None:
    for n, marked in cases(40, 80):
        chain = greedy_chain(n, marked, 500)
        assert chain.dummies.tolist() == slow_greedy(n, marked, 500), (n, marked)
        sets = [marked + chain.dummies[:k].tolist() for k in range(len(chain.dummies) + 1)]
        own = slow_spread(marked, n)
        assert chain.distances == pytest.approx([abs(slow_spread(some, n) - own) for some in sets], abs=1e-9)


def test_greedy_is_never_nearer_than_the_optimal_sequence() -> None:
    worse = 0
    for n, marked in cases(14, 80):
        means = []
        for make in (optimal_chain, greedy_chain):
            chain = make(n, marked, 2)
            own = slow_spread(marked, n)
            sets = (marked + chain.dummies[:k].tolist() for k in range(len(chain.dummies) + 1))
            means.append(abs(statistics.fmean(slow_spread(some, n) for some in sets) - own))
        assert means[0] <= means[1] + 1e-12
        worse += means[1] > means[0] + 1e-12
    assert worse >= 5, "cases in which greedy is as good tell nothing"


def test_the_histogram_keeps_its_shape() -> None:
    rng = np.random.default_rng(6)
    for n, marked in cases(30, 60):
        chain = histogram_chain(n, marked, 12, rng)
        assert chain.distances == pytest.approx(slow_histogram(n, marked, chain.dummies.tolist()), abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_no_two_sets_differ_by_more_than_is_counted(method: str) -> None:
    for n in range(2, 9):
        every = [[t for t in range(n) if mask >> t & 1] for mask in range(2**n)]
        if method == "histogram":
            bins = round(n**0.5)
            profiles = [np.bincount([t * bins // n for t in s], minlength=bins) / max(1, len(s)) for s in every]
            widest, counted = max(np.linalg.norm(p - q) for p in profiles for q in profiles), math.sqrt(2)
        else:
            widest = max(slow_spread(some, n) for some in every) - min(slow_spread(some, n) for some in every)
            counted = (n - 1) / 2
        assert widest <= counted + 1e-12
        assert widest >= counted - 1e-12 or method == "histogram"


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_a_set_is_chosen_by_the_exponential_mechanism(method: str) -> None:
    rng = np.random.default_rng(11)
    chain = chain_of(8, BOB, method, 500, rng)
    most_apart = math.sqrt(2) if method == "histogram" else 3.5
    weights = [math.exp(-6 * d / (2 * most_apart)) for d in chain.distances]
    expected = np.array(weights) / sum(weights)
    assert selection(chain, 6.0, 8, method) == pytest.approx(expected, abs=1e-12)
    draws = 4000
    sizes = Counter(len(protect_landmarks(8, BOB, 6.0, rng=rng, method=method)) - 4 for _ in range(draws))
    counts = np.array([sizes[k] for k in range(5)])
    assert ((counts - counts.sum() * expected) ** 2 / (counts.sum() * expected)).sum() < chi2.isf(1e-6, 4)


@pytest.mark.parametrize("method", METHODS)
def test_a_choice_contains_the_landmarks_and_at_most_so_many_dummies(method: str) -> None:
    rng = np.random.default_rng(12)
    for n, marked in cases(9, 60):
        found = protect_landmarks(n, [*marked, *marked], 0.5, rng=rng, method=method, most=3)
        assert found.tolist() == sorted({*marked, *found.tolist()})
        assert set(marked) <= set(found.tolist()) <= set(range(n))
        assert len(found) <= len(marked) + 3
    assert protect_landmarks(5, range(5), 1.0, rng=rng, method=method).tolist() == [0, 1, 2, 3, 4]


def test_a_large_budget_leaves_the_landmarks_alone_and_a_small_one_takes_any_number() -> None:
    rng = np.random.default_rng(13)
    assert {len(protect_landmarks(8, BOB, 1e6, rng=rng, method="optimal")) for _ in range(20)} == {4}
    sizes = Counter(len(protect_landmarks(8, BOB, 1e-9, rng=rng, method="greedy")) for _ in range(500))
    assert min(sizes[k] for k in range(4, 9)) > 60


def test_ten_thousand_timestamps_are_no_trouble() -> None:
    marked = np.flatnonzero(np.random.default_rng(14).random(10_000) < 0.05)
    found = protect_landmarks(10_000, marked, 1.0, rng=np.random.default_rng(15), method="greedy")
    assert len(marked) <= len(found) <= len(marked) + 500
    chain = greedy_chain(10_000, marked.tolist(), 500)
    assert chain.distances[:100].max() < 0.2, "a hundred dummies hardly change the spread"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "best"}, 'Method must be "random", "optimal", "greedy" or "histogram"; got best.'),
        ({"method": "random"}, 'Epsilon_select must be left out for the method "random"; got 1.'),
        ({"epsilon_select": None}, "Epsilon_select must be a finite number above 0; got None."),
        ({"chance": 0.5}, 'Chance must be left out for the method "optimal"; got 0.5.'),
        ({"n": 0}, "N must be a whole number, 1 or more; got 0."),
        ({"landmarks": [8]}, "8"),
        ({"epsilon_select": 0}, "Epsilon_select must be a finite number above 0; got 0."),
        ({"most": 0}, "Most must be a whole number, 1 or more; got 0."),
        ({"rng": 1}, "Rng must be a numpy.random.Generator"),
        (
            {"n": 288},
            'The method "optimal" must have at most 50,000 sequences of sets; got more than a trillion',
        ),
        (
            {"n": 14},
            'must have at most 50,000 sequences of sets; got 3,628,800. Use the method "greedy", or fewer dummies.',
        ),
    ],
)
def test_what_cannot_be_used_is_refused(change: dict, said: str) -> None:
    given = {"n": 8, "landmarks": BOB, "epsilon_select": 1.0, "method": "optimal"} | change
    given.setdefault("rng", np.random.default_rng(1))
    with pytest.raises(InputError, match=re.escape(said)):
        protect_landmarks(given.pop("n"), given.pop("landmarks"), given.pop("epsilon_select"), **given)


def test_what_can_be_listed_is_known_beforehand() -> None:
    for n, k, most in [(8, 0, 500), (9, 0, 500), (9, 1, 500), (16, 0, 4), (15, 0, 4), (300, 4, 1)]:
        if can_list(n, k, most):
            optimal_chain(n, list(range(k)), most)
        else:
            with pytest.raises(InputError):
                optimal_chain(n, list(range(k)), most)
