"""The lower bound on epsilon: never above the truth, close to it, and enough to find a mechanism that cheats."""

from __future__ import annotations

import math
import re
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from scipy.stats import beta, norm

from lmdk_widgets.audit import (
    Finding,
    Subject,
    audit,
    clopper_pearson,
    largest_ratio,
    least_epsilon,
    not_covered,
    subjects,
)
from lmdk_widgets.budgets import protect_landmarks
from lmdk_widgets.cli import main
from lmdk_widgets.composition import gaussian_delta
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import laplace, planar_laplace, randomized_response_channel
from tests.sweeps import FULL

run, subject_module, loops = (
    sys.modules[f"lmdk_widgets.audit.{name}"] for name in ("run", "audited_mechanisms", "searched_loops")
)
EXACT = [each for each in subjects() if each.exact]
QUICK = (
    "Laplace",
    "geometric",
    "planar Laplace",
    "randomised response",
    "scheme uniform",
    "scheme window",
    "scheme skip",
    "scheme skip, pair 2",
    "scheme adaptive",
    "scheme adaptive, pair 2",
    "scheme budget-absorption",
    "scheme predictive",
    "pan-private counter, state",
    "pan-private counter, output",
    "random dummies",
    "private release of points",
    "private release of a track",
    "private release of a track, pair 2",
    "private release of numbers",
    "private release of counts",
    "cells by randomised response",
    "Gaussian noise",
    "releases added up at a delta",
)
"""Those that detect a larger epsilon within a few draws."""
LONG = (
    "scheme window",
    "scheme skip",
    "scheme adaptive",
    "scheme budget",
    "scheme predictive",
    "private release of a track",
    "private release of numbers",
)
"""Those whose draws take seconds: `make test` looks for evidence in fewer, and `make nightly` for a larger epsilon too."""


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (999, 1000), (4321, 100_000)])
@pytest.mark.parametrize("tail", [0.025, 5e-7])
def test_the_interval_is_that_of_clopper_and_pearson(count: int, n: int, tail: float) -> None:
    low, high = clopper_pearson(count, n, tail)
    expected = (
        beta.ppf(tail, count, n - count + 1) if count else 0,
        beta.isf(tail, count + 1, n - count) if count < n else 1,
    )
    assert (low, high) == pytest.approx(expected, rel=1e-9)


@pytest.mark.long
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


@pytest.mark.long
def test_a_mechanism_that_cheats_is_found_out() -> None:
    """Two independent Laplace noises on the axes: along a diagonal they give away 1.41 times their epsilon."""

    def cheat(epsilon: float, rng: np.random.Generator, draws: int) -> float:
        places = np.array([[math.sqrt(0.5), math.sqrt(0.5)], [0.0, 0.0]])
        moved = [place + rng.laplace(scale=1 / epsilon, size=(draws, 2)) for place in places]
        return least_epsilon(*((np.abs(each).sum(axis=1) - np.abs(each - places[0]).sum(axis=1)) for each in moved))

    (found,) = audit([Subject("cheat", "places 1 apart", cheat)])
    assert not found.nothing_found and found.words() == "MORE THAN CLAIMED" and found.found > 1.2
    honest = planar_laplace(np.zeros((10, 2)), 1.0, np.random.default_rng(0))
    assert honest.shape == (10, 2)


@pytest.mark.long
def test_random_dummies_are_audited_on_the_side_that_they_promise() -> None:
    """ln(1/p) for "is a landmark"; a set that lacks the timestamp is possible for "is none" alone, and has no bound."""
    (subject,) = [each for each in subjects() if each.name == "random dummies"]
    for epsilon in (0.2, 1.0, 3.0) if FULL else (1.0,):
        (found,) = audit([subject], epsilon=epsilon)
        assert found.well and 0.85 * epsilon < found.found <= epsilon
    assert "one-sided" in subject.claim and any("random dummies do not protect" in each for each in not_covered())
    rng, seen = np.random.default_rng(1), []
    for marked in ([0, 3, 6], [0, 6]):
        seen.append(np.array([3 in protect_landmarks(8, marked, chance=0.4, rng=rng) for _ in range(20_000)], float))
    assert least_epsilon(*seen) <= math.log(1 / 0.4) < 4 < least_epsilon(*seen[::-1])


@pytest.mark.long
@pytest.mark.parametrize("name", ["Gaussian noise", "releases added up at a delta"])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_a_claim_at_a_delta_is_met_and_a_larger_epsilon_is_detected(name: str, epsilon: float) -> None:
    (subject,) = [each for each in subjects() if each.name == name]
    (found,) = audit([subject], epsilon=epsilon, draws=100_000)
    assert found.nothing_found and found.detected and 0.8 * epsilon < found.found


@pytest.mark.long
def test_the_bound_at_a_delta_is_below_the_truth_by_normal_tails() -> None:
    """The epsilon of mu = 1 at delta .1269367375 is 1; without the delta the same samples show more than 1."""
    rng = np.random.default_rng(5)
    samples = [rng.normal(x, 1, 400_000) for x in (1.0, 0.0)]
    delta = norm.cdf(-0.5) - math.e * norm.cdf(-1.5)
    assert delta == pytest.approx(0.1269367375, abs=1e-10)
    assert 0.9 < least_epsilon(*samples, delta=delta) <= 1 < least_epsilon(*samples)
    assert least_epsilon(*samples, delta=0.9) == 0


def test_the_parameters_at_a_delta_take_all_of_it() -> None:
    """The mu of the audit has the delta of the claim, by scipy's tails."""
    mu = subject_module._largest(lambda each: gaussian_delta(1.0, each), 1.0)
    assert norm.cdf(mu / 2 - 1 / mu) - math.e * norm.cdf(-mu / 2 - 1 / mu) == pytest.approx(0.05, abs=1e-8)


def test_all_pairs_by_hand() -> None:
    channel = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.25, 0.5, 0.25]]
    assert largest_ratio(channel) == pytest.approx(math.log(2.5))
    assert largest_ratio(channel, [[0, 2, 1], [2, 0, 1], [1, 1, 0]]) == pytest.approx(math.log(2))
    assert largest_ratio([[1.0, 0.0], [0.5, 0.5]]) == math.inf
    assert largest_ratio(randomized_response_channel(7, 0.3)) == pytest.approx(0.3)


@pytest.mark.parametrize("subject", EXACT, ids=lambda each: each.name)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_nothing_is_found_against_channels_over_all_pairs(subject: Subject, epsilon: float) -> None:
    (found,) = audit([subject], epsilon=epsilon)
    assert found.nothing_found
    assert found.detected or not subject.tight or epsilon != 1, "at small epsilons the best of all reports is constant"


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in subjects() if not each.exact])
def test_nothing_is_found_in_samples_and_a_larger_epsilon_is_detected(name: str) -> None:
    (subject,) = [each for each in subjects() if each.name == name]
    detects = name in QUICK and (FULL or not name.startswith(LONG))
    (found,) = audit([subject], draws=(200_000 if "track" in name else 60_000) if detects else 10_000)
    assert found.nothing_found == subject.private and (found.detected or not detects)


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--only", "Laplace", "--draws", "60000"]) == 0
    said = capsys.readouterr().out
    assert (
        "planar Laplace on cells" in said
        and "Nothing found against the 3 claims.\nThat is no proof. Not covered:" in said
    )
    assert "nothing found against the claim\n" in said
    loose = Finding(Subject("some", "", lambda *_: 0.0, tight=False), 1.0, 0.5, 0.6)
    assert loose.well and loose.words() == "nothing found against the claim; a larger one may stay hidden"
    assert "hold" not in said.casefold().replace("threshold", ""), "an audit finds nothing, or it refutes"
    for each in not_covered():
        assert f"  - {each}\n" in said
    assert f"  - {len(subjects()) - 3} others, which --only left out" in said
    assert main(["audit", "--only", "nothing"]) == 2
    assert "Markov quilt" in capsys.readouterr().err


@pytest.mark.long
def test_what_is_known_not_to_be_private_must_be_detected(capsys: pytest.CaptureFixture[str]) -> None:
    """A repeat comes with chance 1 where someone stays, and never where they go: only the draws bound what is found."""
    assert main(["audit", "--only", "standing still", "--draws", "20000"]) == 0
    said = capsys.readouterr().out
    assert (
        "not private, as expected: more than claimed" in said
        and "Everything known not to be private was detected." in said
    )
    missed = Finding(Subject("some", "", lambda *_: 0.0, private=False), 1.0, 0.5, 0.6)
    assert not missed.well and missed.words() == "NOT DETECTED"


@pytest.mark.parametrize("samples", [([1.0], [1.0]), ([1.0] * 8, [1.0] * 7), ([], [])])
def test_what_are_no_samples_gets_a_sentence(samples: tuple[list[float], list[float]]) -> None:
    with pytest.raises(InputError):
        least_epsilon(*samples)


def test_what_is_not_covered_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = " ".join(not_covered())
    for word in (
        "inputs",
        "depend on each other",
        "floating point",
        "computation",
        "ledger",
        "dummies",
        "by hand",
        "public",
    ):
        assert word in said
    assert "OpenDP" not in said or find_spec("opendp") is None
    for module in (run, subject_module, loops):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
    assert "as OpenDP is not installed here" in not_covered()[-1]
    assert not any("numbers" in each.name or "counts" in each.name for each in subjects())


def test_a_larger_epsilon_that_is_not_detected_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--only", "scheme user", "--draws", "1000"]) == 1
    said = capsys.readouterr().out
    assert "A LARGER EPSILON WAS NOT DETECTED" in said and "Nothing found against" not in said
    assert (
        "No claim was found false, but this audit is too weak to tell" in said and "Use more draws than 1,000." in said
    )
    assert "reveal more than is claimed" not in said
    assert re.match(r"the smallest epsilon that explains it +run at 1 +run at 1\.25 +found 9 times in 10 from\n", said)
