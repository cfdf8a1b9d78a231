"""What protected timestamps tell of the landmarks: Bayes' rule by brute force, by simulation, and on a long track."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import dummy_posterior, protect_landmarks
from lmdk_widgets.budgets import posterior as attack
from lmdk_widgets.budgets.hidden import METHODS, histogram_chain, optimal_chain
from lmdk_widgets.budgets.posterior import posteriors
from lmdk_widgets.errors import InputError
from tests.budgets.test_hidden_landmarks import slow_greedy, slow_spread

EPSILON = 3.0


class Shuffled:
    """In the place of a generator: gives each part of the track in one given order."""

    def __init__(self, orders: tuple[tuple[int, ...], ...]) -> None:
        self.orders = iter(orders)

    def permutation(self, some: Any) -> Any:
        order = next(self.orders)
        assert sorted(order) == sorted(some)
        return np.array(order, int)


def chains(n: int, marked: list[int], method: str, most: int) -> list[tuple[list[int], list[float]]]:
    """Every sequence of dummies that the method may take, all equally likely, with the distances of its sets."""
    if method == "histogram":
        bins, found = round(math.sqrt(n)), []
        regular = [[t for t in range(n) if t * bins // n == j and t not in marked] for j in range(bins)]
        for orders in product(*(list(permutations(some)) for some in regular)):
            chain = histogram_chain(n, marked, most, Shuffled(orders))  # type: ignore[arg-type]
            found.append((chain.dummies.tolist(), chain.distances.tolist()))
        return found
    order = slow_greedy(n, marked, most) if method == "greedy" else optimal_chain(n, marked, most).dummies.tolist()
    own = slow_spread(marked, n)
    sets = [marked + order[:i] for i in range(len(order) + 1)]
    return [(order, [abs(slow_spread(some, n) - own) for some in sets])]


def slow_posteriors(n: int, k: int, method: str, most: int) -> dict[frozenset[int], np.ndarray]:
    """For each set that can be published: what follows of the landmarks, over all sets of k timestamps."""
    apart = math.sqrt(2) if method == "histogram" else max(n - 1, 1) / 2
    weights: dict[frozenset[int], dict[tuple[int, ...], float]] = defaultdict(lambda: defaultdict(float))
    for marked in combinations(range(n), k):
        taken = chains(n, list(marked), method, most)
        for order, distances in taken:
            each = [math.exp(-EPSILON * d / (2 * apart)) for d in distances]
            for size, weight in enumerate(each):
                weights[frozenset({*marked, *order[:size]})][marked] += weight / sum(each) / len(taken)
    found = {}
    for published, of in weights.items():
        whole = sum(of.values())
        found[published] = np.array([sum(w for marked, w in of.items() if t in marked) / whole for t in range(n)])
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n", "k", "most"), [(1, 1, 5), (4, 0, 2), (5, 1, 5), (6, 2, 2), (7, 3, 4), (8, 4, 5)])
def test_the_posterior_is_bayes_rule_over_all_sets(method: str, n: int, k: int, most: int) -> None:
    slow = slow_posteriors(n, k, method, most)
    assert len(slow) > 1 or n == k or k == 0
    for published, expected in slow.items():
        found = dummy_posterior(sorted(published), n, k, method=method, epsilon_select=EPSILON, most=most)
        assert found == pytest.approx(expected, abs=1e-9), (published, method)
        assert found.sum() == pytest.approx(k)


@pytest.mark.nightly
@pytest.mark.parametrize("method", METHODS)
def test_a_simulation_leads_to_the_same_chances(method: str) -> None:
    rng, n, k, drawn = np.random.default_rng(3), 6, 2, 6000
    seen: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for _ in range(drawn):
        marked = rng.choice(n, k, replace=False)
        published = protect_landmarks(n, marked, EPSILON, rng=rng, method=method)
        seen[tuple(published.tolist())].update([-1, *marked.tolist()])
    published, counts = max(seen.items(), key=lambda item: item[1][-1] * (k < len(item[0]) < n))
    expected = dummy_posterior(published, n, k, method=method, epsilon_select=EPSILON)
    often = np.array([counts[t] for t in range(n)]) / counts[-1]
    assert counts[-1] > 60
    assert np.abs(often - expected).max() < 5 * math.sqrt(0.25 / counts[-1])


def runs(method: str, count: int = 22, n: int = 288, k: int = 5) -> list[attack.DummyPosterior]:
    found = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        marked = np.sort(rng.choice(n, k, replace=False))
        published = protect_landmarks(n, marked, 1.0, rng=rng, method=method, most=8)
        *_, last = posteriors(published.tolist(), n, k, method=method, epsilon=1.0, most=8)
        assert last.done and not last.sampled and last.chances[marked].min() > 0
        assert last.of == math.comb(len(published), k)
        found.append(last)
    return found


def test_greedy_dummies_on_a_day_hide_nothing() -> None:
    """Of 288 timestamps with five landmarks nearly always one set is left, as the specification has it."""
    found = runs("greedy")
    assert sum(one.left == 1 for one in found) >= 19
    assert all((one.chances == 1).sum() == 5 for one in found if one.left == 1)
    assert sum(one.of > 50 for one in found) >= 15, "few subsets to begin with would tell nothing"


def test_dummies_by_parts_leave_more_than_one_set() -> None:
    found = [one for one in runs("histogram") if one.of > 1]
    assert min(one.left for one in found) > 1
    assert all(one.left < one.of for one in found)


def test_random_dummies_give_each_protected_timestamp_the_same_chance() -> None:
    for chance in (None, 0.1, 0.99):
        assert dummy_posterior([1, 3, 4, 6], 8, 3, chance=chance).tolist() == [0, 0.75, 0, 0.75, 0.75, 0, 0.75, 0]
    assert dummy_posterior([], 3, 0).tolist() == [0, 0, 0]
    for n, k, joins in ((6, 2, 0.3), (5, 3, 0.5)):
        for published in combinations(range(n), 4):
            whole, each = 0.0, np.zeros(n)
            for marked in combinations(published, k):
                weight = joins ** (4 - k) * (1 - joins) ** (n - 4)
                whole += weight
                each[list(marked)] += weight
            assert dummy_posterior(published, n, k, chance=joins) == pytest.approx(each / whole)


def test_no_probability_underflows() -> None:
    for epsilon in (1e-9, 1e6):
        found = dummy_posterior(
            [30, 47, 67, 100, 160, 176, 200, 213, 250], 288, 5, method="greedy", epsilon_select=epsilon
        )
        assert found.nonzero()[0].tolist() == [30, 100, 160, 200, 250]


def test_too_many_sets_are_sampled_and_what_is_not_known_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = np.arange(3, 288, 11)
    published = protect_landmarks(288, marked, 1.0, rng=np.random.default_rng(8), method="greedy", most=30)
    *_, last = posteriors(published.tolist(), 288, len(marked), method="greedy", epsilon=1.0, most=30)
    assert last.sampled and last.tried == last.wanted <= attack.SAMPLED < attack.MOST_SETS < last.of
    outside = np.delete(np.arange(288), published)
    assert np.isnan(last.chances[published]).all() == (last.left == 0) and not last.chances[outside].any()
    args: dict[str, Any] = {"method": "histogram", "epsilon_select": 1.0, "most": 8}
    exact = dummy_posterior(range(3, 12), 16, 4, **args)
    monkeypatch.setattr(attack, "MOST_SETS", 100)
    monkeypatch.setattr(attack, "SAMPLED", 5_000)
    near = dummy_posterior(range(3, 12), 16, 4, **args)
    assert np.abs(near - exact).max() < 0.05 and (near == dummy_posterior(range(3, 12), 16, 4, **args)).all()


def test_it_grows_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    args: dict[str, Any] = {"method": "greedy", "epsilon": 40.0, "most": 9}
    some = [list(protected) for protected in combinations(range(8), 6)]
    wholes = [next(posteriors(protected, 8, 3, **args)) for protected in some]
    monkeypatch.setattr(attack, "AT_ONCE", 12)
    for protected, whole in zip(some, wholes, strict=True):
        parts = list(posteriors(protected, 8, 3, **args))
        assert whole.done and [one.tried for one in parts] == [3, 6, 9, 12, 15, 18, 20]
        assert [one.done for one in parts] == [False] * 6 + [True] and parts[-1].left == whole.left
        assert parts[-1].chances == pytest.approx(whole.chances, abs=1e-12, nan_ok=True)
        assert np.isnan(parts[0].chances[protected]).all() == (not parts[0].left)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "best"}, 'Method must be "random", "optimal", "greedy" or "histogram"; got best.'),
        ({"k": 7}, "K must be a whole number between 0 and 6; got 7."),
        ({"protected": [8]}, "8"),
        ({"epsilon_select": None}, "Epsilon_select must be a finite number above 0; got None."),
        ({"chance": 0.5}, 'Chance must be left out for the method "greedy"; got 0.5.'),
        ({"method": "random"}, 'Epsilon_select must be left out for the method "random"; got 1.'),
        ({"method": "random", "epsilon_select": None, "chance": 0}, "Chance must be above 0; got 0."),
        (
            {"method": "random", "epsilon_select": None, "chance": 1},
            "Protected must be all timestamps if the chance is 1; got 6 of 8.",
        ),
        ({"most": 1}, 'Protected must be a set that the method "greedy" can publish for 4 landmarks'),
        (
            {"n": 14, "method": "optimal"},
            'must have at most 50,000 sequences of sets; got 3,628,800. Use the method "greedy"',
        ),
    ],
)
def test_what_cannot_be_used_is_refused(change: dict, said: str) -> None:
    given = {"protected": [0, 1, 2, 3, 4, 7], "n": 8, "k": 4, "method": "greedy", "epsilon_select": 1.0} | change
    with pytest.raises(InputError, match=re.escape(said)):
        dummy_posterior(given.pop("protected"), given.pop("n"), given.pop("k"), **given)


def test_who_is_in_every_set_is_certain_and_nobody_else() -> None:
    """At a budget without limit one set is likely beyond all digits, and others are left all the same."""
    *_, last = posteriors([0, 1, 2], 3, 1, method="optimal", epsilon=1e6, most=2)
    assert last.left == 3 and 1 - 1e-12 < last.chances.max() < 1
    *_, last = posteriors([0, 1], 3, 2, method="optimal", epsilon=1e6, most=2)
    assert last.left == 1 and last.chances.tolist() == [1, 1, 0]
