"""What is said of a stay and of home, against releases that the library draws: typical odds, right guesses, and the most."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets import answers
from lmdk_widgets.answers.lasting_secrets import (
    LEVEL_SHARE,
    LastingSecret,
    home_of,
    lasting_secrets,
    stay_of,
    stretches,
)
from lmdk_widgets.answers.silences import silence_ends
from lmdk_widgets.budgets import SCHEMES, release
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.scenario.evaluation import how_released
from lmdk_widgets.scenario.ground import Numbers, ground_of
from lmdk_widgets.scenario.model import Scenario as Choices
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_data

FIXED = [name for name, scheme in SCHEMES.items() if scheme.fixed]
SAMPLES = ("bob", "commuter", "taxi", "household", "contacts", "heart")


def outcome_of(name: str, **changes: object) -> Outcome:
    data = sample_data(name)
    return evaluate(Choices(track=name, landmarks=data.landmarks).with_changes(**changes), data)


def log_odds(outcome: Outcome, members: np.ndarray, draws: int) -> Floats:
    """(draws,) log odds of the truth at these timestamps against values one distance away, by densities of the noise."""
    scenario, data = outcome.scenario, outcome.trajectory
    ground = ground_of(scenario, data)
    _, how = how_released(scenario, data)
    rng, found = np.random.default_rng(11), np.zeros(draws)
    own = members & outcome.published
    budgets = outcome.budgets[own]
    for k in range(draws):
        outputs = release(ground.values, rng=rng, **how).outputs[own]
        true = ground.values[own]
        if outcome.kind.placed:
            off = outputs - true
            other = np.hypot(off[:, 0] - scenario.radius_m, off[:, 1])
            found[k] = (budgets / scenario.radius_m * (other - np.hypot(*off.T))).sum()
        elif outcome.kind.counts_wrong:
            found[k] = np.where(outputs == true, budgets, -budgets).sum()
        else:
            assert isinstance(ground, Numbers)
            width = ground.upper - ground.lower
            away = np.abs(outputs - true - LEVEL_SHARE * width) - np.abs(outputs - true)
            found[k] = (budgets / width * away).sum()
    return found


def check(outcome: Outcome, secret: LastingSecret, draws: int) -> None:
    hours, odds = secret.hours, log_odds(outcome, secret.members, draws)
    assert (odds <= hours.most * (1 + 1e-9) + 1e-9).all()
    sd = float(odds.std()) + 1e-12
    slack = 3.5 * 1.25 * sd / math.sqrt(draws)
    assert hours.half == pytest.approx(float(np.median(odds)), abs=0.1 * abs(hours.half) + slack)
    if hours.reports >= 20 or outcome.kind.placed:
        assert hours.tenth == pytest.approx(float(np.quantile(odds, 0.9)), abs=0.1 * hours.tenth + 1.4 * slack)
    right = float((odds > 1e-9).mean() + (np.abs(odds) <= 1e-9).mean() / 2)
    assert hours.right == pytest.approx(right, abs=0.05 + 1.5 / math.sqrt(draws))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_stay_and_a_home_reveal_what_is_said(name: str) -> None:
    outcome = outcome_of(name)
    for secret in (stay_of(outcome), home_of(outcome)):
        if secret is not None:
            check(outcome, secret, 400 if len(outcome) < 2500 else 100)


@pytest.mark.nightly
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("scheme", FIXED)
@pytest.mark.parametrize("name", SAMPLES)
def test_they_do_under_every_scheme_with_fixed_budgets(name: str, scheme: str, epsilon: float) -> None:
    outcome = outcome_of(name, scheme=scheme, epsilon=epsilon, window=8)
    for secret in (stay_of(outcome), home_of(outcome)):
        if secret is not None and secret.hours.reports:
            check(outcome, secret, 1000 if len(outcome) < 2500 else 200)


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
def test_no_draw_of_a_scheme_that_chooses_passes_the_most(scheme: str) -> None:
    outcome = outcome_of("commuter", scheme=scheme, window=30)
    secrets = [secret for secret in (stay_of(outcome), home_of(outcome)) if secret is not None]
    assert len(secrets) == 2
    for seed in range(10):
        drawn = evaluate(outcome.scenario.with_changes(seed=seed), outcome.trajectory)
        for secret in secrets:
            assert drawn.budgets[secret.members].sum() <= secret.hours.most * (1 + 1e-9)


def test_the_longest_stretches_are_those_of_all_pairs() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        values = rng.integers(0, 12, 40) / 10
        series = sample_data("household")
        few = type(series)(series.time[:40], values=values, lower=0.0, upper=2.0)
        found = stretches(few, 0.0, 2.0)
        fits = {(i, j) for i in range(40) for j in range(i, 40) if np.ptp(values[i : j + 1]) <= 0.2 + 1e-9}
        longest = {(i, j) for i, j in fits if (i - 1, j) not in fits and (i, j + 1) not in fits}
        assert set(found) == longest


@pytest.mark.parametrize(
    ("silence_s", "found"), [(899, ((0, 47),)), (900, ((0, 23), (24, 47))), (50_000, ((0, 23), (24, 47)))]
)
def test_no_stay_spans_a_silence(silence_s: int, found: tuple[tuple[int, int], ...]) -> None:
    """Two times of two hours at one place, recorded every five minutes, without a row between them."""
    since_s = np.arange(0, 7200, 300)
    seconds = np.concatenate([since_s, since_s[-1] + silence_s + since_s])
    track = Trajectory([48.85] * 48, [2.35] * 48, np.datetime64("2026-05-03T18:00", "s") + seconds)
    assert stretches(track, 0.0, 1.0) == found


def test_outings_from_home_are_no_stay_there() -> None:
    assert all(first == last for first, last in stretches(sample("runner"), 0.0, 1.0))
    assert not any(secret.called == "your longest stay" for secret in lasting_secrets(outcome_of("runner")))


def test_the_answers_of_a_program_are_those_of_the_page() -> None:
    outcome = outcome_of("commuter")
    promised = answers.promised(outcome)
    assert promised.moment == pytest.approx(1 / 9) and promised.landmarks == pytest.approx(1.0)
    assert promised.guesses == pytest.approx(100 / (1 + math.exp(-1 / 9)))
    assert promised.chain is not None and promised.chain > promised.moment
    assert promised.stay is not None and math.exp(promised.stay.tenth) == pytest.approx(5.5, abs=0.05)
    assert promised.home is not None and promised.home.most == pytest.approx(116)
    alone = answers.promised(outcome_of("household", landmarks=(), correlation="none"))
    assert alone.landmarks is alone.home is alone.chain is None and alone.stay is not None
    places = answers.lasting_places(outcome)
    assert [place.name for place in places[:3]] == ["home", "work", "place 3"]
    assert [round(place.found_m) for place in places[:2]] == [93, 129]
    assert answers.lasting_places(outcome_of("bob")) == answers.lasting_places(outcome_of("household")) == ()


@pytest.mark.parametrize("scheme", ["event", "user", "window", "uniform", "weighted", "budget-distribution"])
def test_the_epsilon_for_a_distance_keeps_it(scheme: str) -> None:
    outcome = outcome_of("commuter", scheme=scheme, window=30)
    epsilon = answers.epsilon_for_found(outcome, 250.0)
    there = evaluate(outcome.scenario.with_changes(epsilon=epsilon), outcome.trajectory)
    slack = 0.02 if outcome.scenario.spread.online else 1e-9
    assert min(place.found_m for place in answers.lasting_places(there)) == pytest.approx(250.0, rel=slack)


@pytest.mark.long
def test_the_epsilon_for_a_distance_is_searched_for_adaptive_and_a_plan() -> None:
    for scheme in ("adaptive", "planned"):
        outcome = outcome_of("commuter", scheme=scheme)
        spent = outcome.scenario.spread.spent
        level = answers.epsilon_for_found(outcome, 250.0)
        kept = evaluate(outcome.scenario.with_changes(**{spent: level}), outcome.trajectory)
        assert min(place.found_m for place in answers.lasting_places(kept)) >= 250.0
        more = evaluate(outcome.scenario.with_changes(**{spent: level * 1.05}), outcome.trajectory)
        assert min(place.found_m for place in answers.lasting_places(more)) < 262.0


@pytest.mark.parametrize(("epsilon", "error_m"), [(0.1, 837), (0.3, 460), (1.0, 398), (3.0, 372), (10.0, 366)])
def test_silence_about_home_gives_it_away_however_small_epsilon_is(epsilon: float, error_m: float) -> None:
    commuter = sample("commuter")
    home = home_of(outcome_of("commuter"))
    assert home is not None
    skip = outcome_of(
        "commuter", scheme="skip", epsilon=epsilon, landmarks=tuple(np.flatnonzero(home.members).tolist())
    )
    found = answers.silence(skip, home.members)
    assert found.ends == 20 and found.limit_m == pytest.approx(364, abs=1)
    assert found.error_m == pytest.approx(error_m, rel=0.25 if epsilon < 1 else 0.12)
    assert found.most_m > found.error_m and len(commuter) == len(skip)


@pytest.mark.long
def test_a_release_that_leaves_a_place_out_is_drawn_and_the_place_found_so_far_off() -> None:
    """The geometric median of the reports beside the silences, in releases of the library."""
    from lmdk_widgets.inference.averaging import geometric_median

    home = home_of(outcome_of("commuter"))
    assert home is not None
    outcome = outcome_of("commuter", scheme="skip", landmarks=tuple(np.flatnonzero(home.members).tolist()))
    data, off = outcome.trajectory, []
    ends = silence_ends(data, home.members, outcome.published)
    at = next(place for place in answers.lasting_places(outcome) if place.name == "home")
    true = data.frame.to_metres(at.latitude, at.longitude)
    for seed in range(100):
        drawn = evaluate(outcome.scenario.with_changes(seed=seed), data)
        points = data.frame.to_metres(drawn.latitude[ends], drawn.longitude[ends])
        off.append(float(np.hypot(*(geometric_median(points, drawn.budgets[ends]) - true))))
    assert at.by_silence and at.found_m == pytest.approx(float(np.median(off)), rel=0.1)


@pytest.mark.parametrize(
    ("minutes", "left_out", "ends"),
    [
        (10, (3,), []),  # 20 minutes between the reports beside it, of the 30 that three intervals are
        (10, (3, 4), [2, 5]),
        (4, (3, 4), []),  # 12 minutes, of at least 15
        (4, (3, 4, 5), [2, 6]),
        (10, (0, 1, 2, 3), [4]),  # before the first report
    ],
)
def test_a_pause_is_no_silence_before_a_quarter_of_an_hour_and_three_intervals(
    minutes: int, left_out: tuple[int, ...], ends: list[int]
) -> None:
    time = np.datetime64("2026-03-02T08:00") + np.arange(12) * np.timedelta64(minutes, "m")
    members = np.isin(np.arange(12), left_out)
    assert silence_ends(Trajectory(np.full(12, 48.0), np.full(12, 2.0), time), members, ~members).tolist() == ends


def test_user_level_promises_something_about_home_too() -> None:
    outcome = outcome_of("commuter", scheme="user")
    assert "At most 60 about" in answers.promised(outcome).line() or "63 about" in answers.promised(outcome).line()
    assert "No promise about" not in answers.promised(outcome).line()
