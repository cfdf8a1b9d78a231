"""Each subject of the audit, broken on purpose at 1.25 times its epsilon or by a real mistake: the audit must detect it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lmdk_widgets.audit import Subject, audit, subjects
from lmdk_widgets.audit.audited_mechanisms import COMPARED_PLACES, PAIRS, PLACED, ratios, runs
from lmdk_widgets.budgets import (
    LANDMARK_SCHEMES,
    ONLINE_SCHEMES,
    SCHEMES,
    WINDOW_SCHEMES,
    release,
    release_many,
)
from lmdk_widgets.budgets.schemes.base import LANDMARKS, N, Pair
from lmdk_widgets.noise import Laplace, PanPrivateCounter, PlanarLaplace
from lmdk_widgets.scenario.response import Responder
from lmdk_widgets.secure import numbers, points
from lmdk_widgets.secure.spending import Reported
from lmdk_widgets.secure.track import Settings
from tests.sweeps import FULL

ONLINE = tuple(name for name in SCHEMES if name in ONLINE_SCHEMES or name == "skip")
MORE = 5 / 4


def subject(name: str) -> Subject:
    (found,) = [each for each in subjects() if each.name == name]
    return found


def detected(name: str, draws: int = 60_000) -> bool:
    (found,) = audit([subject(name)], draws=draws)
    return not found.nothing_found and found.words() == "MORE THAN CLAIMED"


def less_noise(patch: pytest.MonkeyPatch) -> None:
    real = points.lattice_laplace
    patch.setattr(points, "lattice_laplace", lambda count, rate, entropy: real(count, rate * Fraction(MORE), entropy))


def old_rate(patch: pytest.MonkeyPatch) -> None:
    """The rate that forgot the lattice and the ground."""
    patch.setattr(Settings, "rate", lambda self, budget: budget / self.radius_m)


def less_noise_by_opendp(patch: pytest.MonkeyPatch) -> None:
    real = numbers._mechanism

    def mechanism(budget: float, sensitivity: float, kind: type) -> Any:
        draw, _ = real(budget * MORE, sensitivity, kind)
        return draw, budget

    patch.setattr(numbers, "_mechanism", mechanism)


def more_truth(patch: pytest.MonkeyPatch) -> None:
    real = Responder._chances
    patch.setattr(Responder, "_chances", lambda self, budgets: real(self, budgets * MORE))


def less_noise_in_the_counter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PanPrivateCounter, "_noise", lambda self: float(self._rng.laplace(scale=1 / (MORE * self.epsilon))))


def no_fresh_noise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PanPrivateCounter, "output", lambda self: self._state)


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "broken", "draws"),
    [
        ("pan-private counter, output", no_fresh_noise, 10_000),
        ("private release of a track, pair 2", old_rate, 20_000),
        ("pan-private counter, output", less_noise_in_the_counter, 60_000),
        ("pan-private counter, state", less_noise_in_the_counter, 60_000),
        ("private release of points", less_noise, 60_000),
        ("cells by randomised response", more_truth, 60_000),
    ],
)
def test_what_is_broken_on_purpose_is_detected(
    name: str, broken: Callable[[pytest.MonkeyPatch], None], draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch)
    assert detected(name, draws)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "broken", "draws"),
    [
        pytest.param("private release of a track", less_noise, 200_000, marks=pytest.mark.nightly),
        pytest.param("private release of a track, pair 2", less_noise, 200_000, marks=pytest.mark.nightly),
        pytest.param("private release of numbers", less_noise_by_opendp, 60_000, marks=pytest.mark.nightly),
        ("private release of counts", less_noise_by_opendp, 60_000),
    ],
)
def test_a_release_with_too_little_noise_is_detected(
    name: str, broken: Callable[[pytest.MonkeyPatch], None], draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.endswith(("numbers", "counts")):
        pytest.importorskip("opendp")
    broken(monkeypatch)
    assert detected(name, draws)


def exact_comparison(patch: pytest.MonkeyPatch) -> None:
    off = lambda self, t, output, budget: float(np.linalg.norm(np.atleast_1d(self.true[t] - output)))  # noqa: E731
    patch.setattr(Reported, "compared", off)


def a_third_of_the_noise(patch: pytest.MonkeyPatch) -> None:
    def perturb(self: Reported, t: int, budget: float) -> Any:
        self.outputs.append(self.report(t, 3 * budget))
        return self.outputs[-1]

    patch.setattr(Reported, "perturb", perturb)


@pytest.mark.nightly
@pytest.mark.parametrize("broken", [exact_comparison, a_third_of_the_noise])
@pytest.mark.parametrize("scheme", ["Budget Absorption", "Predictive"])
def test_a_private_release_that_compares_is_detected_over_a_window(
    scheme: str, broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At epsilon 4, where most decisions depend on the data: 7,000 releases show no more than 5 for any mistake."""
    pytest.importorskip("opendp")
    asked, rng = subject(f"private release by {scheme}, window 2"), np.random.default_rng(1)
    assert asked.measure(4.0, rng, 20_000).epsilon < 4
    broken(monkeypatch)
    assert asked.measure(4.0, rng, 140_000).epsilon > 4


def a_tenth_of_the_noise(patch: pytest.MonkeyPatch) -> None:
    real = Settings.rate
    patch.setattr(Settings, "rate", lambda self, budget: 10 * real(self, budget))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "draws"),
    [
        ("that decides as it goes", 24_000),
        pytest.param("by Budget Distribution, window 2", 240_000, marks=pytest.mark.nightly),
        pytest.param("by Budget Absorption, window 2", 240_000, marks=pytest.mark.nightly),
        ("by Predictive, window 2", 120_000),
    ],
)
def test_a_private_release_of_places_with_a_tenth_of_the_noise_is_detected(
    name: str, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, rng = subject(f"private release of places {name}"), np.random.default_rng(1)
    assert asked.measure(1.0, rng, draws // 4).epsilon <= 1
    a_tenth_of_the_noise(monkeypatch)
    assert asked.measure(1.0, rng, draws).epsilon > 1


@pytest.mark.nightly
def test_a_private_release_of_places_that_compares_exactly_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """At epsilon 3, where most decisions depend on the data, and 10,000 releases."""
    asked, rng = subject("private release of places by Predictive, window 1"), np.random.default_rng(1)
    assert asked.measure(3.0, rng, 60_000).epsilon < 3
    exact_comparison(monkeypatch)
    assert asked.measure(3.0, rng, 600_000).epsilon > 3


def test_every_online_scheme_has_two_pairs_and_each_is_one_of_neighbours() -> None:
    names = [each.name for each in subjects()]
    for scheme in ONLINE:
        first, second = PAIRS[scheme]
        assert {f"scheme {scheme}", f"scheme {scheme}, pair 2"} <= set(names)
        assert first.truths.tolist() != second.truths.tolist()
    for scheme, pairs in PAIRS.items():
        for pair in pairs:
            apart = np.flatnonzero(pair.truths[0] - pair.truths[1])
            assert (pair.truths[0] - pair.truths[1])[apart].tolist() == [1.0] * len(apart) and tuple(
                apart
            ) == pair.where
            if scheme in LANDMARK_SCHEMES - {"user"}:
                assert len(set(pair.where) - set(LANDMARKS)) == 1 and set(LANDMARKS) < set(pair.where)
            if scheme in WINDOW_SCHEMES:
                assert max(pair.where) - min(pair.where) < pair.window


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(("scheme", "which"), [(scheme, which) for scheme in ONLINE for which in (0, 1)])
@pytest.mark.parametrize("epsilon", [0.7, pytest.param(2.0, marks=pytest.mark.nightly)])
def test_the_score_is_the_ratio_of_densities(scheme: str, which: int, epsilon: float) -> None:
    """Weighted by its exponential, the releases of one series are new as often as those of the other, and 1 in the mean."""
    pair, rng = PAIRS[scheme][which], np.random.default_rng(3)
    options = {"initial": pair.initial} if "initial" in SCHEMES[scheme].options else {}
    many: dict[str, Any] = {"draws": 40_000, "rng": rng, "window": pair.window, "error": lambda outputs: outputs}
    made = [release_many(truth, scheme, LANDMARKS, epsilon, Laplace(), **many, **options).T for truth in pair.truths]
    before = np.nan if pair.initial is None else pair.initial
    new = [outputs != np.vstack([np.full(outputs.shape[1], before), outputs[:-1]]) for outputs in made]
    for of, sign in ((0, -1), (1, 1)):
        found = ratios(scheme, pair, epsilon, made[of])
        assert found.max() <= epsilon * (1 + 1e-9) and found.min() >= -epsilon * (1 + 1e-9)
        weights = np.exp(sign * found)
        assert abs(weights.mean() - 1) < 6 * weights.std() / math.sqrt(len(weights))
        for here, there in zip(new[of], new[1 - of], strict=True):
            spread = math.hypot((weights * here).std(), there.std()) / math.sqrt(len(weights))
            assert abs((weights * here).mean() - there.mean()) <= 6 * spread


def placed(
    pair: Pair, scheme: str, epsilon: float, draws: int, rng: np.random.Generator
) -> list[NDArray[np.complex128]]:
    """Releases of both tracks of a pair, whose places lie on the axis of the real numbers, by planar Laplace."""
    found = []
    for truth in pair.truths:
        blocks: list[NDArray[np.complex128]] = []

        def kept(outputs: Any, blocks: list[NDArray[np.complex128]] = blocks) -> Any:
            blocks.append(outputs.copy())
            return np.abs(outputs)

        track, many = np.stack([truth, 0 * truth], axis=1), dict[str, Any](draws=draws, rng=rng, window=pair.window)
        release_many(track, scheme, LANDMARKS, epsilon, PlanarLaplace(1.0), error=kept, **many)
        found.append(np.concatenate(blocks, axis=1))
    return found


@pytest.mark.long
@pytest.mark.parametrize("pair", COMPARED_PLACES, ids=["window 1", "window 2"])
@pytest.mark.parametrize("scheme", ONLINE[2:])
@pytest.mark.parametrize("epsilon", [0.7, 4.0])
def test_the_score_of_places_is_the_ratio_of_densities_in_the_plane(scheme: str, pair: Pair, epsilon: float) -> None:
    made = placed(pair, scheme, epsilon, 40_000, np.random.default_rng(3))
    for of, sign in ((0, -1), (1, 1)):
        found = ratios(scheme, pair, epsilon, made[of])
        assert found.max() <= epsilon * (1 + 1e-9) and found.min() >= -epsilon * (1 + 1e-9)
        weights = np.exp(sign * found)
        assert abs(weights.mean() - 1) < 6 * weights.std() / math.sqrt(len(weights))
        for near in (lambda outputs: np.abs(outputs[2]) < 1, lambda outputs: outputs[1] != outputs[0]):
            here, there = (near(outputs) for outputs in (made[of], made[1 - of]))
            spread = math.hypot((weights * here).std(), there.std()) / math.sqrt(len(weights))
            assert abs((weights * here).mean() - there.mean()) <= 6 * spread


@pytest.mark.long
@pytest.mark.parametrize("scheme", ONLINE[2:])
def test_private_releases_of_places_measure_as_simulated_ones_do(scheme: str) -> None:
    """As often at each timestamp, and as near: in the unit of the audit, though on a lattice and with a comparison's grid."""
    pair, epsilon, draws = COMPARED_PLACES[1], 4.0, 1500 if FULL else 400
    settings = replace(PLACED, scheme=scheme, epsilon=epsilon, landmarks=LANDMARKS, window=2)
    simulated = placed(pair, scheme, epsilon, 20_000, np.random.default_rng(5))
    for truth, outputs in zip(pair.truths, simulated, strict=True):
        made = np.array([outputs for outputs, _ in runs(settings, truth, draws)]).T
        new = ~np.isnan(made)
        expected = np.vstack([np.ones(outputs.shape[1], bool), outputs[1:] != outputs[:-1]])
        assert new.mean(axis=1) == pytest.approx(expected.mean(axis=1), abs=0.03 + 6 * 0.5 / math.sqrt(draws))
        apart = np.abs(made - truth[:, None])
        for t in range(N):
            seen, wanted = apart[t, new[t]], np.abs(outputs[t] - truth[t])[expected[t]]
            if len(seen) > 100:
                assert seen.mean() == pytest.approx(
                    wanted.mean(), rel=0.05, abs=6 * wanted.std() / math.sqrt(len(seen))
                )


@pytest.mark.parametrize(("scheme", "which"), [(scheme, which) for scheme in ONLINE for which in (0, 1)])
def test_budgets_are_read_off_from_what_is_new(scheme: str, which: int) -> None:
    pair: Pair = PAIRS[scheme][which]
    options = {"initial": pair.initial} if "initial" in SCHEMES[scheme].options else {}
    rng = np.random.default_rng(4)
    for _ in range(200):
        made = release(pair.truths[0], scheme, LANDMARKS, 1.0, Laplace(), rng=rng, window=pair.window, **options)
        could = np.array(SCHEMES[scheme].reserves(pair, 1.0, made.published.tolist()))
        spent = np.where(made.published, could, 0.0)
        assert spent == pytest.approx(made.budgets - made.comparison_budget, rel=1e-9) and len(could) == N


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "scheme adaptive",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("scheme adaptive, pair 2", "scheme budget-absorption", "scheme skip")
        ),
    ],
)
def test_an_online_scheme_that_spends_more_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["lmdk_widgets.audit.audited_mechanisms"]
    real = module.release_many

    def more(truth: Any, scheme: str, landmarks: Any, epsilon: float, *given: Any, **named: Any) -> Any:
        return real(truth, scheme, landmarks, MORE * epsilon, *given, **named)

    monkeypatch.setattr(module, "release_many", more)
    assert detected(name)
