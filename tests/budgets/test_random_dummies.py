"""Random dummies: the values of the specification, Bayes' rule over all sets, and the law of the draw."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from scipy.stats import chi2

from lmdk_widgets.budgets import allocate, dummy_posterior, odds_factor, proposed_chance, protect_landmarks
from lmdk_widgets.errors import InputError

BOB = [0, 2, 4, 7]

Set = frozenset[int]


def subsets(some: list[int]) -> list[Set]:
    return [frozenset(each) for each in chain.from_iterable(combinations(some, k) for k in range(len(some) + 1))]


def law(n: int, marked: Set, p: Fraction) -> dict[Set, Fraction]:
    """The probability of each protected set, from the definition: every other timestamp joins by itself."""
    others = [t for t in range(n) if t not in marked]
    return {marked | some: p ** len(some) * (1 - p) ** (len(others) - len(some)) for some in subsets(others)}


def joint(n: int, prior: dict[Set, Fraction], p: Fraction) -> dict[Set, dict[Set, Fraction]]:
    """Of each protected set what each set of landmarks weighs, over all of them."""
    found: dict[Set, dict[Set, Fraction]] = defaultdict(dict)
    for marked, weight in prior.items():
        for published, each in law(n, marked, p).items():
            if weight * each:
                found[published][marked] = weight * each
    return found


def believed(of: dict[Set, Fraction], t: int) -> Fraction:
    return sum((w for marked, w in of.items() if t in marked), Fraction(0)) / sum(of.values())


def odds(chance: Fraction) -> Fraction:
    return chance / (1 - chance)


def test_bob_as_the_specification_has_him() -> None:
    """p = 1/2: a factor 4 with one dummy, and no dummy at all with probability 1/16."""
    assert proposed_chance(8, 4) == 0.5
    assert odds_factor(8, 4, 5) == 4.0
    assert law(8, frozenset(BOB), Fraction(1, 2))[frozenset(BOB)] == Fraction(1, 16)
    assert dummy_posterior([0, 1, 2, 4, 7], 8, 4)[[0, 1, 3]].tolist() == [0.8, 0.8, 0.0]
    rng = np.random.default_rng(1)
    alone = sum(len(protect_landmarks(8, BOB, rng=rng)) == 4 for _ in range(16_000))
    assert abs(alone - 1000) < 5 * math.sqrt(16_000 / 16 * 15 / 16)


def test_the_proposed_chance_protects_three_times_as_many_on_average_and_is_at_most_a_half() -> None:
    for n in range(1, 60):
        for k in range(n + 1):
            p = proposed_chance(n, k)
            wanted = min(3.0 * k, k + (n - k) / 2)
            assert k + (n - k) * p == pytest.approx(wanted) and 0 <= p <= 0.5
    assert proposed_chance(2016, 8) == pytest.approx(16 / 2008)
    budgets = allocate("uniform", 2016, range(8 + 1004), 1.0)
    assert 2 * 200 / budgets[0] == pytest.approx(405_200), "the commuter at 1/2, as the specification has it: 405 km"


@pytest.mark.parametrize(
    ("n", "p"), [(3, Fraction(1, 3)), (5, Fraction(1, 2)), (7, Fraction(1, 10)), (8, Fraction(4, 5))]
)
def test_the_odds_grow_by_one_over_the_chance_for_an_independent_prior(n: int, p: Fraction) -> None:
    rng = np.random.default_rng(n)
    q = [Fraction(int(x), 20) for x in rng.integers(1, 20, n)]
    prior = {
        marked: math.prod((q[t] if t in marked else 1 - q[t] for t in range(n)), start=Fraction(1))
        for marked in subsets(list(range(n)))
    }
    for published, of in joint(n, prior, p).items():
        for t in range(n):
            after = believed(of, t)
            if t in published:
                assert odds(after) == odds(q[t]) / p, "exactly, and whatever the other timestamps are"
            else:
                assert after == 0, "not being a landmark is not protected"


@pytest.mark.parametrize(("n", "p"), [(4, Fraction(1, 4)), (6, Fraction(2, 3))])
def test_a_set_is_as_much_likelier_whatever_is_known_of_the_others(n: int, p: Fraction) -> None:
    for t in range(n):
        for others in subsets([s for s in range(n) if s != t]):
            with_it, without = law(n, others | {t}, p), law(n, others, p)
            for published, probability in with_it.items():
                assert probability == without[published] / p
            assert sum(without[s] for s in without if t not in s) == 1 - p, "what is seen only where it is none"


@pytest.mark.parametrize("n", range(1, 9))
def test_someone_who_knows_how_many_there_are_learns_as_much_as_all_sets_say(n: int) -> None:
    p = Fraction(3, 7)
    for k in range(n + 1):
        prior = {frozenset(some): Fraction(1, math.comb(n, k)) for some in combinations(range(n), k)}
        for published, of in joint(n, prior, p).items():
            expected = [believed(of, t) for t in range(n)]
            found = dummy_posterior(sorted(published), n, k, chance=float(p))
            assert found.tolist() == pytest.approx([float(each) for each in expected], abs=1e-15)
            if 0 < k < len(published):
                factor = odds(expected[min(published)]) / odds(Fraction(k, n)) if len(published) < n else Fraction(1)
                assert odds_factor(n, k, len(published)) == pytest.approx(float(factor))
            elif 0 < k < n:
                assert odds_factor(n, k, len(published)) == math.inf and set(expected) == {0, 1}


def test_several_draws_multiply_the_odds() -> None:
    """Of an independent prior, the odds of what is in all of m draws have grown by 1 / p^m."""
    n, p, q = 4, Fraction(1, 3), Fraction(1, 5)
    prior = {marked: q ** len(marked) * (1 - q) ** (n - len(marked)) for marked in subsets(list(range(n)))}
    weights: dict[Set, Fraction] = {}
    one, two = frozenset({0, 1, 2}), frozenset({0, 2, 3})
    for marked, weight in prior.items():
        each = law(n, marked, p)
        if each.get(one, 0) and each.get(two, 0):
            weights[marked] = weight * each[one] * each[two]
    assert set().union(*weights) == {0, 2}
    assert all(odds(believed(weights, t)) == odds(q) / p**2 for t in (0, 2))


@pytest.mark.parametrize("chance", [None, 0.2, 0.9])
def test_each_timestamp_joins_by_itself(chance: float | None) -> None:
    rng, n, marked, draws = np.random.default_rng(4), 7, [1, 5], 20_000
    expected = law(n, frozenset(marked), Fraction(chance or proposed_chance(n, 2)))
    seen = Counter(frozenset(protect_landmarks(n, marked, chance=chance, rng=rng).tolist()) for _ in range(draws))
    assert set(seen) <= set(expected) and len(expected) == 32
    off = sum((seen[each] - draws * float(w)) ** 2 / (draws * float(w)) for each, w in expected.items())
    assert off < chi2.isf(1e-6, 31)


def test_one_state_gives_nested_sets_and_keeps_the_other_dummies_when_a_landmark_is_added() -> None:
    def drawn(marked: list[int], chance: float) -> set[int]:
        return set(protect_landmarks(50, marked, chance=chance, rng=np.random.default_rng(9)).tolist())

    few, many = drawn([3, 9], 0.2), drawn([3, 9], 0.6)
    assert {3, 9} < few < many
    assert drawn([3, 9, 30], 0.2) == few | {30}


def test_the_ends() -> None:
    rng = np.random.default_rng(5)
    assert protect_landmarks(6, [], rng=rng).tolist() == [], "no landmark, no dummy"
    assert protect_landmarks(3, range(3), rng=rng).tolist() == [0, 1, 2]
    assert protect_landmarks(5, [2, 2], chance=1, rng=rng).tolist() == [0, 1, 2, 3, 4]
    assert dummy_posterior(range(5), 5, 1, chance=1).tolist() == [0.2] * 5, "nothing is learned"
    assert odds_factor(5, 1, 5) == 1.0 and odds_factor(5, 1, 1) == math.inf
    assert len(protect_landmarks(10_000, range(20), rng=rng)) < 200


def test_ten_thousand_timestamps_are_exact_at_once() -> None:
    published = protect_landmarks(10_000, range(0, 4_000, 40), rng=np.random.default_rng(6))
    found = dummy_posterior(published, 10_000, 100)
    assert found[published] == pytest.approx(100 / len(published)) and found.sum() == pytest.approx(100)
    assert odds_factor(10_000, 100, len(published)) == pytest.approx(1 / proposed_chance(10_000, 100), rel=0.3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epsilon_select": 1.0}, 'Epsilon_select must be left out for the method "random"; got 1.'),
        ({"chance": 0}, "Chance must be above 0; got 0."),
        ({"chance": 1.5}, "Chance must be a number between 0 and 1; got 1.5."),
        ({"chance": "half"}, "Chance must be a number between 0 and 1; got half."),
        ({"most": 0}, "Most must be a whole number, 1 or more; got 0."),
        ({"landmarks": [8]}, "Landmarks must be indices between 0 and 7; got 8."),
    ],
)
def test_what_cannot_be_used_is_refused(change: dict, said: str) -> None:
    given = {"n": 8, "landmarks": BOB} | change
    with pytest.raises(InputError, match=re.escape(said)):
        protect_landmarks(**given, rng=np.random.default_rng(1))


@pytest.mark.parametrize("args", [(8, 9), (0, 0), (8, 0, 3), (8, 4, 3), (8, 4, 9)])
def test_numbers_out_of_range_are_refused(args: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="must be"):
        odds_factor(*args) if len(args) == 3 else proposed_chance(*args)
