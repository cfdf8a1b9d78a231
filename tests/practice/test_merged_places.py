"""Rounded and merged places: the formulas against plain loops, the general measures of channels, and a simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import adversary_error, bayes_vulnerability, quality_loss, smallest_epsilon
from lmdk_widgets.practice.merged_places import decimal_groups, merged_report, square_groups


def instance(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    columns, rows = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    squares = np.array([(c, r) for r in range(rows) for c in range(columns)])
    prior = rng.dirichlet(np.full(len(squares), 0.5)) * (rng.random(len(squares)) < 0.8)
    prior[0] += 0.1
    return squares, prior / prior.sum(), 1000.0 * np.hypot(*(squares[:, None] - squares[None]).transpose(2, 0, 1))


@pytest.mark.parametrize("seed", range(15))
def test_a_merged_report_by_hand(seed: int) -> None:
    squares, prior, apart = instance(seed)
    side, n = int(np.random.default_rng(seed).integers(1, 5)), len(squares)
    group = square_groups(squares, side)
    found = merged_report(squares * 1000.0, group, prior, apart)
    mine = [(c // side, r // side) for c, r in squares.tolist()]
    assert all((group[x] == group[y]) == (mine[x] == mine[y]) for x in range(n) for y in range(n))
    error = left = hit = 0.0
    for square in set(mine):
        own = [x for x in range(n) if mine[x] == square]
        error += min(math.fsum(prior[x] * apart[x, g] for x in own) for g in range(n))
        hit += max(prior[x] for x in own)
        left += sum(prior[x] for x in own) * sum(prior[x] > 0 for x in own)
    assert (found.error, found.hit, found.left, found.groups) == pytest.approx((error, hit, left, len(set(mine))))
    # the same by the measures of channels, whose rows say what is reported from each place
    channel = np.zeros((n, n))
    channel[np.arange(n), found.reported] = 1
    assert found.error == pytest.approx(adversary_error(channel, prior, apart))
    assert found.loss == pytest.approx(quality_loss(channel, prior, apart))
    assert found.hit == pytest.approx(bayes_vulnerability(channel, prior))
    assert math.isinf(smallest_epsilon(channel, apart)) == (found.groups > 1), "no epsilon, unless there is one report"


def test_what_an_attacker_infers_is_what_is_simulated() -> None:
    squares, prior, apart = instance(3)
    found = merged_report(squares * 1000.0, square_groups(squares, 2), prior, apart)
    rng = np.random.default_rng(5)
    true = rng.choice(len(prior), 200_000, p=prior)
    reports = found.reported[true]
    guess = {}
    for z in set(reports.tolist()):
        belief = prior * (found.reported == z)
        guess[z] = int((belief @ apart).argmin())
    off = apart[true, [guess[z] for z in reports.tolist()]]
    assert off.mean() == pytest.approx(found.error, abs=4 * off.std() / math.sqrt(len(off)))
    assert apart[true, reports].mean() == pytest.approx(found.loss, rel=0.01)


def test_the_value_of_a_square_with_many_places() -> None:
    """A square whose places are alike: the middle is .3826 of its side off."""
    k = 41
    squares = np.array([(c, r) for r in range(k) for c in range(k)])
    places = squares * (1.0 / k)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    found = merged_report(places, square_groups(squares, k), np.full(k * k, 1 / k**2), apart)
    assert (
        found.groups == 1
        and found.error == pytest.approx(0.3826, abs=5e-4)
        and found.loss == pytest.approx(found.error)
    )


def test_two_decimals_of_a_degree() -> None:
    """Three decimals at 49 degrees: the middle is .3212 of the long side off, and two decimals ten times as much."""
    north, east = np.meshgrid(np.linspace(48.995, 49.005, 61)[:-1] + 1e-5, np.linspace(2.335, 2.345, 61)[:-1] + 1e-5)
    group = decimal_groups(north.ravel(), east.ravel(), 2)
    assert len(set(group.tolist())) == 1
    metres = np.stack([(east.ravel() - 2.34) * 111_195 * math.cos(math.radians(49)), (north.ravel() - 49) * 111_195], 1)
    far = np.hypot(*metres.T).mean() / (0.01 * 111_195)
    assert far == pytest.approx(0.3212, abs=1e-3)
    assert decimal_groups([48.86, 48.87, 48.86], [2.3, 2.3, 2.3], 1).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: square_groups([[0, 0]], 0), "Side must be"),
        (lambda: square_groups([[0.5, 0]], 1), "Squares must be whole numbers"),
        (lambda: decimal_groups([1.0], [1.0, 2.0], 1), "Longitude must be as long as latitude, 1; got 2"),
        (lambda: decimal_groups([1.0], [1.0], 9), "Decimals must be"),
        (lambda: merged_report([[0, 0]], [0, 1], [1.0], [[0.0]]), "Groups must be one number for each of 1 places"),
        (lambda: merged_report([[0, 0]], [0], [1.0], [[0.0, 1.0]]), "Loss must be a matrix of shape"),
    ],
)
def test_bad_input_gets_one_sentence(call: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        call()  # type: ignore[operator]
