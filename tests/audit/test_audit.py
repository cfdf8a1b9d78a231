"""The lower bound on epsilon: never above the truth, close to it, and enough to find a mechanism that cheats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta

from lmdk_widgets.audit import Subject, audit, clopper_pearson, largest_ratio, least_epsilon, subjects
from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import laplace, planar_laplace, randomized_response_channel

EXACT = [each for each in subjects() if each.exact]
QUICK = (
    "Laplace",
    "geometric",
    "planar Laplace",
    "randomised response",
    "scheme uniform",
    "scheme user",
    "scheme skip",
)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (999, 1000), (4321, 100_000)])
@pytest.mark.parametrize("tail", [0.025, 5e-7])
def test_the_interval_is_that_of_clopper_and_pearson(count: int, n: int, tail: float) -> None:
    low, high = clopper_pearson(count, n, tail)
    expected = (
        beta.ppf(tail, count, n - count + 1) if count else 0,
        beta.isf(tail, count + 1, n - count) if count < n else 1,
    )
    assert (low, high) == pytest.approx(expected, rel=1e-9)


def test_the_bound_is_below_the_truth_and_comes_near() -> None:
    rng = np.random.default_rng(0)
    for epsilon in (0.1, 0.5, 1.0, 3.0):
        found = [least_epsilon(*(laplace(np.full(40_000, x), 1 / epsilon, rng) for x in (1.0, 0.0))) for _ in range(10)]
        assert max(found) <= epsilon and min(found) > 0.75 * epsilon - 0.1


def test_equal_inputs_have_none_and_an_answer_of_one_alone_has_much() -> None:
    rng = np.random.default_rng(0)
    assert least_epsilon(rng.normal(size=10_000), rng.normal(size=10_000)) == 0
    assert least_epsilon(np.full(10_000, 1.0), np.full(10_000, 0.0)) > 5
    assert least_epsilon(np.zeros(10), np.zeros(10)) == 0


def test_a_mechanism_that_cheats_is_found_out() -> None:
    """Two independent Laplace noises on the axes: along a diagonal they give away 1.41 times their epsilon."""

    def cheat(epsilon: float, rng: np.random.Generator, draws: int) -> float:
        places = np.array([[math.sqrt(0.5), math.sqrt(0.5)], [0.0, 0.0]])
        moved = [place + rng.laplace(scale=1 / epsilon, size=(draws, 2)) for place in places]
        return least_epsilon(*((np.abs(each).sum(axis=1) - np.abs(each - places[0]).sum(axis=1)) for each in moved))

    (found,) = audit([Subject("cheat", "places 1 apart", cheat)])
    assert not found.holds and found.found > 1.2
    honest = planar_laplace(np.zeros((10, 2)), 1.0, np.random.default_rng(0))
    assert honest.shape == (10, 2)


def test_all_pairs_by_hand() -> None:
    channel = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.25, 0.5, 0.25]]
    assert largest_ratio(channel) == pytest.approx(math.log(2.5))
    assert largest_ratio(channel, [[0, 2, 1], [2, 0, 1], [1, 1, 0]]) == pytest.approx(math.log(2))
    assert largest_ratio([[1.0, 0.0], [0.5, 0.5]]) == math.inf
    assert largest_ratio(randomized_response_channel(7, 0.3)) == pytest.approx(0.3)


@pytest.mark.parametrize("subject", EXACT, ids=lambda each: each.name)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_channels_hold_their_claims_over_all_pairs(subject: Subject, epsilon: float) -> None:
    (found,) = audit([subject], epsilon=epsilon)
    assert found.holds
    assert found.shows or not subject.tight or epsilon != 1, "at small epsilons the best of all reports is constant"


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in subjects() if not each.exact])
def test_samples_hold_their_claims(name: str) -> None:
    (subject,) = [each for each in subjects() if each.name == name]
    (found,) = audit([subject], draws=60_000 if name in QUICK else 10_000)
    assert found.holds and (found.shows or name not in QUICK)


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--only", "Laplace", "--draws", "60000"]) == 0
    said = capsys.readouterr().out
    assert "planar Laplace on cells" in said and said.endswith("Every claim holds.\n")
    assert main(["audit", "--only", "nothing"]) == 2
    assert "Markov quilt" in capsys.readouterr().err


@pytest.mark.parametrize("samples", [([1.0], [1.0]), ([1.0] * 8, [1.0] * 7), ([], [])])
def test_what_are_no_samples_gets_a_sentence(samples: tuple[list[float], list[float]]) -> None:
    with pytest.raises(InputError):
        least_epsilon(*samples)
