"""The exact interval for a true count: held against all coins written out, and against its promise."""

from __future__ import annotations

from itertools import product

import pytest

from lmdk_widgets.course.classroom.counts import true_counts
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import randomized_response_channel

CASES = [(n, m, epsilon) for n in (1, 2, 5, 9) for m in (2, 5) for epsilon in (0.1, 1.0986122886681098, 4.0)]


def by_all_coins(true: int, n: int, keep: float, other: float) -> list[float]:
    """The chances of 0 to n answers sent, from every way in which n coins can fall."""
    found = [0.0] * (n + 1)
    for sent in product((0, 1), repeat=n):
        chance = 1.0
        for person, said in enumerate(sent):
            p = keep if person < true else other
            chance *= p if said else 1 - p
        found[sum(sent)] += chance
    return found


@pytest.mark.parametrize(("n", "m", "epsilon"), CASES)
def test_the_interval_holds_the_counts_that_no_tail_contradicts(n: int, m: int, epsilon: float) -> None:
    keep, other = randomized_response_channel(m, epsilon)[0, :2]
    chances = [by_all_coins(true, n, keep, other) for true in range(n + 1)]
    for reported in range(n + 1):
        fits = [
            true
            for true in range(n + 1)
            if sum(chances[true][reported:]) >= 0.025 and sum(chances[true][: reported + 1]) >= 0.025
        ]
        found = true_counts(reported, n, keep, other)
        assert found.possible == bool(fits)
        if fits:
            assert (found.low, found.high) == (min(fits), max(fits))


@pytest.mark.parametrize(("n", "m", "epsilon"), CASES)
def test_it_misses_the_true_count_in_at_most_one_class_of_twenty(n: int, m: int, epsilon: float) -> None:
    keep, other = randomized_response_channel(m, epsilon)[0, :2]
    for true in range(n + 1):
        chances = by_all_coins(true, n, keep, other)
        found = [true_counts(reported, n, keep, other) for reported in range(n + 1)]
        missed = sum(p for p, one in zip(chances, found, strict=True) if not one.low <= true <= one.high)
        assert missed <= 0.05


def test_three_hundred_answers_and_five_thousand() -> None:
    found = true_counts(150, 300, 0.75, 0.25)
    # the normal interval: 150 ± 1.96 sqrt(300 * 3 / 16) / (1 / 2) = 150 ± 29.4
    assert found.low == pytest.approx(150 - 29.4, abs=2) and found.high == pytest.approx(150 + 29.4, abs=2)
    assert true_counts(2_500, 5_000, 0.75, 0.25).possible


def test_answers_that_no_coin_gives_are_noticed() -> None:
    assert true_counts(0, 300, 0.51, 0.49) == (0, 0, False)
    assert true_counts(300, 300, 0.51, 0.49) == (300, 300, False)
    assert true_counts(0, 1, 0.75, 0.25).possible


@pytest.mark.parametrize(
    "bad", [(-1, 5, 0.75, 0.25), (6, 5, 0.75, 0.25), (1, 0, 0.75, 0.25), (1, 5, 0.25, 0.25), (1, 5, 2, 0)]
)
def test_what_cannot_be_is_refused(bad: tuple) -> None:
    with pytest.raises(InputError):
        true_counts(*bad)
