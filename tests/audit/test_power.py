"""The power of the audit: against the sum over both counts, and against audits that are drawn; false alarms are counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta, binom

from lmdk_widgets.audit import audit, clopper_pearson, evidence, least_epsilon, power, smallest_fault, subjects
from lmdk_widgets.audit.search import Seen, searched
from lmdk_widgets.audit.searched_loops import around
from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.budgets.releases import check, perform
from lmdk_widgets.budgets.schemes.base import LANDMARKS, Pair
from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace, laplace
from tests.sweeps import FULL


def summed(chance: float, other: float, n: int, claimed: float, tail: float, delta: float = 0.0) -> float:
    """The power as a sum over the counts of the other input, with scipy's quantiles and tails."""
    k = np.arange(n + 1)
    high = np.where(k < n, beta.isf(tail, k + 1, np.maximum(n - k, 1)), 1.0)
    low = np.where(k > 0, beta.ppf(tail, np.maximum(k, 1), n - k + 1), 0.0)
    needed = np.searchsorted(low - delta, np.exp(claimed) * high, side="right")
    return float((binom.pmf(k, n, other) * binom.sf(needed - 1, n, chance)).sum())


@pytest.mark.parametrize("n", [12, 200, 2000])
@pytest.mark.parametrize("chance", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("claimed", [0.5, 1.0, 3.0])
def test_the_power_is_the_sum_over_both_counts(n: int, chance: float, claimed: float) -> None:
    for factor in (1.05, 1.3, 2.0, 5.0):
        other = chance * math.exp(-claimed * factor)
        for error, delta in ((1e-6, 0.0), (0.1, 0.0), (0.1, 0.02)):
            expected = summed(chance, other, n, claimed, error / 2, delta)
            assert power(chance, other, n, claimed, error=error, delta=delta) == pytest.approx(expected, abs=0.012)


def test_a_certain_event_is_found_as_soon_as_its_bounds_are_far_enough_apart() -> None:
    """k of k against 0 of k: the tail's k-th root against 1 less it."""
    for draws in (10, 20, 30, 40):
        low = 5e-7 ** (1 / draws)
        assert power(1.0, 0.0, draws, 1.0) == float(math.log(low / (1 - low)) > 1 if low > 1 - low else 0)
        assert (smallest_fault(1.0, draws, 1.0) < math.inf) == (power(1.0, 0.0, draws, 1.0) == 1)


@pytest.mark.parametrize(("chance", "draws"), [(0.5, 20_000), (0.2, 10_000), (0.5, 5_000), (0.05, 20_000)])
def test_the_smallest_fault_is_found_nine_times_in_ten(chance: float, draws: int) -> None:
    least = smallest_fault(chance, draws, 1.0)
    there, below = (power(chance, chance * math.exp(-each), draws, 1.0) for each in (least, least - 2e-4))
    assert there >= 0.9 > below - 0.01 and there < 0.93
    assert smallest_fault(chance, draws, 1.0, share=0.5) < least < smallest_fault(chance / 2, draws, 1.0)
    assert smallest_fault(chance, 4 * draws, 1.0) < least < smallest_fault(chance, draws, 1.0, delta=0.01)


@pytest.mark.long
def test_audits_that_are_drawn_find_the_smallest_fault_as_often_as_is_said() -> None:
    """Laplace noise at the epsilon that nine of ten audits should find, and one answer of randomised response."""
    rng, audits, n = np.random.default_rng(7), 400 if FULL else 150, 4000
    chosen = evidence.tested(*(laplace(np.full(2 * n, x), 1.0, rng) for x in (1.0, 0.0)))
    epsilon = smallest_fault(chosen.chance, n, 1.0)
    found = [
        least_epsilon(*(laplace(np.full(2 * n, x), 1 / epsilon, rng) for x in (1.0, 0.0))) > 1 for _ in range(audits)
    ]
    assert 0.75 < np.mean(found) <= 1
    chance, other = 0.6, 0.6 * math.exp(-1.3)
    expected = power(chance, other, 2000, 1.0)
    said = rng.random((audits, 2, 4000)) < np.array([chance, other])[:, None]
    detected = np.mean([least_epsilon(*each.astype(float)) > 1 for each in said])
    assert detected == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / audits) + 0.01)


def drawn(name: str, pair: Pair, truth: Floats, count: int, rng: np.random.Generator) -> Seen:
    options = {"initial": pair.initial} if SCHEMES[name].compares else {}
    request = check(truth, name, LANDMARKS, 1.0, Laplace(), rng, pair.window, options)
    made = [perform(request, rng) for _ in range(count)]
    return Seen(np.array([each.outputs for each in made]), np.array([each.published for each in made]))


@pytest.mark.long
@pytest.mark.parametrize("name", ["uniform", "adaptive", "budget-absorption"])
def test_false_alarms_are_as_rare_as_is_said(name: str) -> None:
    """At an error of one in ten, over many seeds: right schemes are accused no more often."""
    audits = 200 if FULL else 40
    alarms = 0
    for seed in range(audits):
        rng = np.random.default_rng([seed, 59])
        runs = lambda pair, truth, count, rng=rng: drawn(name, pair, truth, count, rng)  # noqa: E731
        alarms += searched(around(name, 1.0)[:2], runs, 120, error=0.1).epsilon > 1
    assert alarms <= binom.isf(1e-4, audits, 0.1)


@pytest.mark.long
def test_what_has_chosen_an_event_does_not_test_it() -> None:
    """Noise that tells nothing of its input: of many events of few draws, one looks as if it did, on these draws."""
    pair, audits = Pair("all", (0, 1, 2, 3), (0.0,) * 4), 60
    alarms = 0
    for seed in range(audits):
        rng = np.random.default_rng([seed, 60])

        def runs(_pair: Pair, _truth: Floats, count: int, rng: np.random.Generator = rng) -> Seen:
            return Seen(rng.normal(0.5, 1.0, (count, 4)), np.ones((count, 4), dtype=bool))

        alarms += searched([pair], runs, 160, error=0.2).epsilon > 0
    assert alarms <= binom.isf(1e-4, audits, 0.2)


@pytest.mark.long
def test_false_alarms_at_the_edge_are_as_rare_as_is_said() -> None:
    """Randomised response spends all of its epsilon: a bound passes it no more often than the error."""
    rng, audits = np.random.default_rng(3), 2000 if FULL else 200
    truthful = math.e / (1 + math.e)
    said = rng.random((audits, 2, 400)) < np.array([truthful, 1 - truthful])[:, None]
    alarms = sum(least_epsilon(*each.astype(float), error=0.1) > 1 for each in said)
    assert 0 < alarms <= binom.isf(1e-4, audits, 0.1)


def test_an_event_that_is_rarer_for_the_first_input_is_found_too() -> None:
    """Silence tells: never for the first, often for the second."""
    rng = np.random.default_rng(5)
    pair = Pair("", (0,), (0.0, 0.0))

    def runs(_: Pair, truth: Floats, count: int) -> Seen:
        new = np.ones((count, 2), bool)
        new[:, 1] = rng.random(count) < (1.0 if truth[0] else 0.5)
        return Seen(np.where(new, rng.laplace(size=(count, 2)), 0.0), new)

    assert searched((pair,), runs, 2000).epsilon > 3


def test_a_small_audit_says_the_smallest_fault_that_it_would_have_found(capsys: pytest.CaptureFixture[str]) -> None:
    (subject,) = [each for each in subjects() if each.name == "Laplace"]
    (found,) = audit([subject], draws=20_000)
    assert found.smallest and 1.1 < found.smallest < 1.35
    assert main(["audit", "--only", "Laplace", "--draws", "60000"]) == 0
    said = capsys.readouterr().out
    assert "found 9 times in 10 from" in said and "every larger one" in said


def test_what_has_no_power_gets_a_sentence() -> None:
    assert power(0.3, 0.3, 100, 1.0) < 1e-20 and power(0.0, 0.0, 100, 1.0) == 0
    assert smallest_fault(0.001, 100, 1.0) == math.inf
    for wrong in ((1.5, 0.1, 10, 1.0), (0.5, -0.1, 10, 1.0), (0.5, 0.1, 0, 1.0), (0.5, 0.1, 10, 0.0)):
        with pytest.raises(InputError):
            power(*wrong)
    assert clopper_pearson(100, 100, 5e-7)[1] == 1
