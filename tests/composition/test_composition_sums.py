"""Composition: published sums, the oldest and the newest, enumeration of what is guaranteed, and bad input."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.composition import discounted, group, parallel, sequential
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import randomized_response_channel

RISING = [0.01 * i for i in range(1, 11)]
budgets = st.lists(st.floats(0, 10), min_size=1, max_size=20)


def test_published_values():
    tenth = [0.1] * 10
    assert sequential(tenth) == 1.0 and parallel([0.1, 0.5, 0.2]) == 0.5 and group(0.5, 3) == 1.5
    assert discounted(tenth, gamma=0.9) == pytest.approx(0.6513215599, abs=5e-11)
    assert discounted(tenth, weight="hyperbolic", k=1) == pytest.approx(0.2928968254, abs=5e-11)
    assert discounted(RISING, gamma=0.9) == pytest.approx(0.4138105961, abs=5e-11)
    assert discounted(RISING[::-1], gamma=0.9) == pytest.approx(0.3026431198, abs=5e-11)  # the classic mistake


@pytest.mark.long
@given(budgets, st.integers(0, 10))
def test_exact_sums(epsilons, tenths):
    gamma = Fraction(tenths, 10)
    ages = range(len(epsilons) - 1, -1, -1)
    exact = sum(gamma**age * Fraction(e) for age, e in zip(ages, epsilons, strict=True))
    assert discounted(epsilons, gamma=tenths / 10) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    exact = sum(Fraction(e) / (1 + 3 * age) for age, e in zip(ages, epsilons, strict=True))
    assert discounted(epsilons, weight="hyperbolic", k=3) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


@given(budgets)
def test_each_is_at_most_the_plain_sum(epsilons):
    total = sequential(epsilons)
    assert parallel(epsilons) <= total * (1 + 1e-12)
    assert discounted(epsilons, gamma=1) == discounted(epsilons, weight="hyperbolic", k=0) == pytest.approx(total)
    assert discounted(epsilons, gamma=0) == epsilons[-1]
    assert discounted(epsilons, gamma=0.5) <= total + 1e-12


def test_any_weights():
    epsilons = [1.0, 2.0, 4.0]
    assert discounted(epsilons, weight=[1, 0.5, 0.25]) == 4 + 1 + 0.25
    assert discounted(epsilons, weight=[1, 0.5, 0.25, 0.125]) == 5.25
    assert discounted(epsilons, weight=lambda age: 0.5**age) == 5.25
    assert discounted(epsilons, weight=lambda age: (age < 2) * 1.0) == 6
    assert discounted(np.array(epsilons), weight=np.zeros(3)) == 0


def loss(channels):
    """The largest |log ratio| between the laws of all outputs together, for two values of the one secret."""
    worst = 0.0
    for outputs in itertools.product(*(range(c.shape[1]) for c in channels)):
        chances = [math.prod(c[x, y] for c, y in zip(channels, outputs, strict=True)) for x in (0, 1)]
        worst = max(worst, abs(math.log(chances[0] / chances[1])))
    return worst


def test_enumeration_of_all_outputs_reaches_the_sum():
    epsilons = [0.3, 1.0, 0.05]
    channels = [randomized_response_channel(2, e) for e in epsilons]
    assert loss(channels) == pytest.approx(sequential(epsilons))
    # on disjoint people only one channel sees the changed record; the others have the same law
    alone = [loss([np.vstack([c[0], c[0]]) if i != j else c for i, c in enumerate(channels)]) for j in range(3)]
    assert max(alone) == pytest.approx(parallel(epsilons))
    # two people of a group change: the outputs of both
    assert loss([channels[1], channels[1]]) == pytest.approx(group(1.0, 2))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sequential([]), "Epsilons must contain at least one number"),
        (lambda: sequential([0.1, -0.2]), "Epsilons must not be negative; got -0.2 at index 1."),
        (lambda: parallel([math.inf]), "Epsilons must contain finite numbers"),
        (lambda: parallel([[0.1]]), "shape"),
        (lambda: sequential("0.1"), "Epsilons must"),
        (lambda: discounted([0.1]), 'Gamma of weight="exponential" must be a number between 0 and 1; got None.'),
        (lambda: discounted([0.1], gamma=1.1), "between 0 and 1; got 1.1."),
        (lambda: discounted([0.1], gamma=0.5, k=1), 'K must be None, as only weight="hyperbolic" has one; got 1.'),
        (lambda: discounted([0.1], weight="hyperbolic"), 'K of weight="hyperbolic" must be'),
        (lambda: discounted([0.1], weight="hyperbolic", k=-1), "0 or more; got -1."),
        (lambda: discounted([0.1], weight="linear"), 'Weight must be "exponential" or "hyperbolic", a function'),
        (lambda: discounted([0.1], weight=[-1]), "Weight must not be negative"),
        (lambda: discounted([0.1, 0.1], weight=[1]), "Weight must contain a number for each age, 2 or more; got 1."),
        (lambda: discounted([0.1], weight=[1], gamma=0.5), "Gamma must be None"),
        (lambda: discounted([0.1, 0.2], weight=lambda age: -age), "Weight must not be negative"),
        (lambda: discounted([0.1, 0.2], weight=lambda age: [1]), "a function that returns one number for each age"),
        (lambda: group(-1, 2), "Epsilon must be"),
        (lambda: group(1, 0), "Size must be a whole number, 1 or more; got 0."),
    ],
)
def test_refusals(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in caught.value.sentence
