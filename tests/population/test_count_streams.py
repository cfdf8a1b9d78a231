"""Streams of counts: Budget Distribution and Absorption against their pseudo-code, and what they promise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from lmdk_widgets.budgets import window_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.population.count_streams import STREAMS, simulated_draw, stream
from lmdk_widgets.population.counts_of_people import mean_noise
from tests.sweeps import generators


def replayed(rng):
    """A draw, and a list of what it drew."""
    drawn = []

    def draw(rate, count):
        drawn.append((rate, simulated_draw(rng)(rate, count)))
        return drawn[-1][1]

    return draw, drawn


def by_pseudo_code(true, scheme, epsilon, w, drawn):
    """Kellaris et al. 2014, algorithms 1 and 2, with the numbers that were drawn, in the order of the drawing."""
    n, d = true.shape
    numbers = iter(drawn)
    last, published, spent = np.zeros(d, int), [], [0.0] * n
    last_at = -1
    for t in range(n):
        if scheme == "budget-distribution":
            left = epsilon / 2 - sum(spent[max(0, t - w + 1) : t])
            budget = left / 2
        else:
            share = epsilon / (2 * w)
            skip = 0 if last_at < 0 else round(spent[last_at] / share) - 1
            if last_at >= 0 and t - last_at <= skip:
                published.append(last)
                continue
            budget = share * min(t - last_at - skip, w)
        dis = (np.abs(true[t] - last).sum() + next(numbers)[1][0]) / d
        if dis > mean_noise(budget):
            rate, noise = next(numbers)
            assert float(rate) == pytest.approx(budget)
            last, spent[t], last_at = true[t] + noise, budget, t
        published.append(last)
    assert next(numbers, None) is None
    return np.array(published), spent


def a_city(rng, n, d):
    """Counts that change now and then."""
    level = rng.integers(0, 60, d)
    rows = []
    for _ in range(n):
        level = rng.integers(0, 60, d) if rng.random() < 0.3 else level
        rows.append(level)
    return np.array(rows)


def test_what_is_published_is_what_the_pseudo_code_publishes() -> None:
    some = 0
    for rng in generators(591, 50):
        n, d = int(rng.integers(2, 14)), int(rng.integers(1, 8))
        true, w, epsilon = a_city(rng, n, d), int(rng.integers(1, n + 1)), float(rng.uniform(0.5, 4))
        for scheme in ("budget-distribution", "budget-absorption"):
            draw, drawn = replayed(rng)
            made = stream(true, scheme, epsilon, w, draw)
            values, spent = by_pseudo_code(true, scheme, epsilon, w, drawn)
            assert (made.values == values).all()
            assert np.allclose(made.budgets, np.array(spent) + epsilon / (2 * w))
            some += int(made.published.sum())
    assert some


def test_every_window_stays_within_epsilon_exactly() -> None:
    for rng in generators(592, 50):
        n, d = int(rng.integers(2, 40)), int(rng.integers(1, 5))
        w, epsilon = int(rng.integers(1, n + 1)), float(rng.uniform(0.1, 3))
        for scheme in STREAMS:
            made = stream(a_city(rng, n, d), scheme, epsilon, w, simulated_draw(rng))
            assert (window_totals(made.budgets, w) <= epsilon).all()
            exact = [Fraction(each) for each in made.budgets.tolist()]
            assert max(sum(exact[k : k + w]) for k in range(n)) <= Fraction(epsilon)


def test_a_comparison_and_a_publication_change_by_at_most_one() -> None:
    """Somebody who is added to one count of a slot: the sensitivity of both is 1, whatever was published last."""
    for rng in generators(593, 50):
        d = int(rng.integers(1, 6))
        true, last = rng.integers(0, 9, d), rng.integers(-9, 18, d)
        for k in range(d):
            more = true + (np.arange(d) == k)
            assert abs(np.abs(true - last).sum() - np.abs(more - last).sum()) <= 1
            assert np.abs(more - true).sum() == 1


def test_a_stream_that_seldom_changes_is_nearer_than_with_equal_shares() -> None:
    rng = np.random.default_rng(3)
    true = np.repeat(rng.integers(0, 900, (2, 40)), 40, axis=0)
    errors = {s: stream(true, s, 1.0, 20, simulated_draw(rng)).error(true) for s in STREAMS}
    assert max(errors["budget-distribution"], errors["budget-absorption"]) < errors["window"]
    assert errors["window"] == pytest.approx(mean_noise(1 / 20), rel=0.1)


def test_the_noise_of_a_comparison_is_for_its_budget() -> None:
    draw, drawn = replayed(np.random.default_rng(1))
    stream(np.zeros((6, 4), int), "budget-distribution", 1.0, 3, draw)
    assert drawn and math.isclose(float(drawn[0][0]), 1 / 6)


def test_a_stream_out_of_range_is_refused() -> None:
    draw = simulated_draw(np.random.default_rng(1))
    for wrong in (("skip", 1.0, 2), ("window", 0.0, 2), ("window", 1.0, 9), ("budget-absorption", 1.0, 0)):
        with pytest.raises(InputError):
            stream(np.zeros((4, 2), int), *wrong, draw)
    with pytest.raises(InputError, match="True must be counts for each slot and kind"):
        stream(np.zeros(4, int), "window", 1.0, 2, draw)
