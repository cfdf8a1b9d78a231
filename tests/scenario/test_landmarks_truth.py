"""What the track page says of its numbers is true: of the arrays, of other draws, and of whom it speaks."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

from lmdk_widgets.budgets import release, window_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.leakage import landmark_loss_bound, temporal_loss
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, smoothed_identity
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import amount, bound, bound_metres, bound_percent
from lmdk_widgets.pages.track.chart_texts import summarise
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import (
    CompareChoices,
    compare_schemes,
    comparison_table,
    describe_moves,
    move_landmarks,
)
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished

BOB = Scenario(landmarks=(0, 2, 4, 7))
ONE_WAY = {"correlation": "matrix", "matrix": ((0.8, 0.2), (0.0, 1.0))}


def _bob(**changes):
    return evaluate(BOB.with_changes(**changes), sample("bob"))


def _wide(*degrees):
    time = np.datetime64("2026-01-01T00:00", "ns") + np.arange(len(degrees)) * np.timedelta64(600, "s")
    return Trajectory(np.zeros(len(degrees)), np.array(degrees, float), time)


# -- rounding ----------------------------------------------------------------------------------------------------------


def parsed(text):
    """The value of a number as the page writes it."""
    number, _, unit = text.partition(" ")
    return float(number.replace(",", "")) * {"": 1, "m": 1, "km": 1000, "%": 0.01, "mm": 1e-3}[unit]


@pytest.mark.parametrize("written", [bound, bound_metres, bound_percent])
def test_bounds_are_rounded_outward_and_not_far(written):
    rng = np.random.default_rng(0)
    for value in [
        *np.exp(rng.uniform(-20, 16, 4000)),
        *(k / 1000 for k in range(1, 2000)),
        999.996,
        99_999.7,
        9_999_500,
    ]:
        if written is bound_percent and value > 1:
            continue
        up, down = parsed(written(value)), parsed(written(value, up=False))
        assert down * (1 - 2e-9) <= value <= up * (1 + 2e-9)
        if value > {bound: 1e-9, bound_metres: 1e-3, bound_percent: 1e-6}[written]:
            assert up <= value * 1.12
            assert down >= value * 0.88
    assert written(math.nan) == "none"


def test_what_is_exact_but_for_rounding_stays():
    assert bound(sum([0.2] * 5)) == bound(1 + 1e-12) == "1"
    assert (bound(0.0), bound_metres(0.0), bound_percent(1.0)) == ("0", "0 m", "100 %")
    assert (bound(1.1316), amount(1.1316)) == ("1.14", "1.13")
    assert bound(math.inf) == "no bound"


# -- the supremum, in every draw ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
@pytest.mark.parametrize("correlation", ["moderate", "strong"])
def test_no_draw_passes_the_supremum(scheme, correlation):
    rng = np.random.default_rng(2)
    loss = smoothed_identity(5, NAMED_SMOOTHING[correlation])
    for window, epsilon in ((3, 1.0), (30, 2.0)):
        scenario = BOB.with_changes(scheme=scheme, window=min(window, 8), epsilon=epsilon, correlation=correlation)
        said = [evaluate(scenario.with_changes(seed=k), sample("bob")).supremum for k in range(3)]
        assert said == [said[0]] * 3
        for length, step_m in ((600, 0.0), (600, 5000.0), (120, 300.0)):
            points = np.cumsum(rng.normal(size=(length, 2)) * step_m, axis=0)
            landmarks = np.flatnonzero(rng.random(length) < 0.05)
            how = {"window": scenario.window} if "budget" in scheme else {}
            for _ in range(8):
                found = release(points, scheme, landmarks, epsilon, PlanarLaplace(radius_m=200.0), rng=rng, **how)
                assert temporal_loss(loss, loss, found.budgets).total.max() <= said[0] * (1 + 1e-9)


@pytest.mark.parametrize("landmarks", [(0, 2, 4, 7), (3,), tuple(range(8))])
@pytest.mark.parametrize("scheme", ["uniform", "weighted", "skip"])
def test_a_longer_track_with_the_same_landmarks_does_not_pass_the_supremum(scheme, landmarks):
    said = _bob(scheme=scheme, landmarks=landmarks).supremum
    longer = evaluate(Scenario(scheme=scheme, landmarks=landmarks), sample("commuter"))
    assert longer.total.max() <= said * (1 + 1e-9)


def test_the_draw_alone_would_not_have_been_a_bound():
    budgets = _bob(scheme="adaptive", correlation="strong").budgets
    assert _bob(scheme="adaptive", correlation="strong").supremum > _bob().correlation.supremum(float(budgets.max()))


# -- starts ------------------------------------------------------------------------------------------------------------


def test_the_start_is_part_of_the_assumption():
    assert "starts at its long-run distribution" in describe(_bob()).assumption
    assert "the start does not matter" in describe(_bob(adversary="future")).assumption
    assert "anything about where the track starts" in describe(_bob(adversary="any")).assumption


def test_a_state_that_is_left_for_ever_gets_a_warning_and_a_bound_over_all_starts():
    past = _bob(scheme="event", adversary="past", **ONE_WAY)
    assert past.total.max() == pytest.approx(1.0)
    assert any("leaves one state for ever" in w and "“Any start”" in w for w in describe(past).warnings)
    over_all = _bob(scheme="event", adversary="any", **ONE_WAY)
    assert over_all.backward[-1] == pytest.approx(8.0)
    assert not any("for ever" in w for w in describe(over_all).warnings)
    assert not any("for ever" in w for w in describe(_bob()).warnings)
    assert (_bob(adversary="any").total >= _bob().total).all()
    assert (
        _bob(adversary="any", landmark_loss=True).landmark_bound.max() >= _bob(landmark_loss=True).landmark_bound.max()
    )


# -- landmarks together ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_bound_stands_beside_the_authors_count():
    outcome = _bob(scheme="skip", landmarks=(0, 2, 4, 6), correlation="weak", landmark_loss=True)
    assert outcome.landmark.max() < 2.275 < outcome.landmark_bound.max()  # a mechanism leaks 2.28
    expected = landmark_loss_bound(outcome.correlation.matrix, outcome.budgets, (0, 2, 4, 6))
    assert outcome.landmark_bound == pytest.approx(expected)
    said = describe(outcome).paragraph
    assert f"at most {bound(outcome.landmark_bound.max())} (a proven bound)" in said
    assert f"the landmark paper's count, which is not a bound, gives {amount(outcome.landmark.max())}" in said
    last = finished(TrackChoices(outcome.scenario, compare=CompareChoices(open=True)), outcome.trajectory)
    assert any("≤" in row[3] and "count" in row[3] for row in comparison_table(last).texts())
    many = _bob(states=150, landmark_loss=True)
    assert np.isnan(many.landmark_bound).all()
    assert "a bound takes too long here" in describe(many).paragraph


def test_w_event_schemes_speak_of_timestamps_in_a_row():
    for scheme in ("window", "budget-distribution", "budget-absorption"):
        outcome = _bob(scheme=scheme, window=3)
        assert outcome.window_totals == pytest.approx(window_totals(outcome.budgets, 3))
        assert outcome.window_totals.max() <= 1
        said = describe(outcome).paragraph
        assert "Any three timestamps in a row share" in said
        assert f"in a row lose at most {bound(outcome.window_loss.max())} together" in said
        assert "landmarks spend" not in said
        assert "in a window at most" in summarise(outcome)
        one = describe(_bob(scheme=scheme, window=1)).paragraph
        assert "one timestamp in a row" not in one
        assert "by itself" in one


def test_user_level_and_all_landmarks_hold_under_correlation():
    for changes in ({"scheme": "user"}, {"scheme": "uniform", "landmarks": tuple(range(8))}):
        words = describe(_bob(correlation="strong", **changes))
        assert not any("holds if moments are independent" in w for w in words.warnings)
        assert "All timestamps together spend at most 1" in words.paragraph
    assert any("holds if moments are independent" in w for w in describe(_bob(correlation="strong")).warnings)


# -- planned -----------------------------------------------------------------------------------------------------------


def test_a_plan_names_its_adversary_and_what_it_does_not_say():
    past = describe(_bob(scheme="planned", adversary="past")).paragraph
    assert "reasons from the past" in past
    assert "does not cover someone who also reasons from the future" in past
    assert "says nothing" not in describe(_bob(scheme="planned")).paragraph
    alone = describe(_bob(scheme="planned", correlation="none"))
    assert "loses 1 in total, its own budget" in alone.paragraph
    assert "spend 4 together" in alone.paragraph
    assert any("they spend up to 5, 5 times the loss that each" in w for w in alone.warnings)


def test_a_plan_without_budgets_is_refused_and_the_comparison_goes_on():
    still = {"correlation": "matrix", "matrix": ((1.0, 0.0), (0.0, 1.0)), "adversary": "past"}
    with pytest.raises(InputError, match="Planned budgets must be"):
        _bob(scheme="planned", **still)
    rows = list(compare_schemes(_bob(**still).scenario, sample("bob")))
    assert [row.scheme for row in rows] == list(SCHEMES)
    assert math.isnan(rows[-1]["supremum"])


# -- words -------------------------------------------------------------------------------------------------------------


def test_one_landmark_spends():
    for scheme in ("event", "user", "uniform", "adaptive", "planned"):
        said = describe(_bob(scheme=scheme, landmarks=(2,))).paragraph
        assert re.search(r"Your one landmark spends ", said), said
        assert "landmark spend " not in said


def test_odds_not_likelihood():
    for mechanism in ("planar", "optimal"):
        said = describe(_bob(mechanism=mechanism, cells="track", place_m=2000.0)).assumption
        assert "changes the odds by a factor of at most e^" in said
        assert "as likely" not in said


def test_the_two_budgets_of_a_plan_are_both_said():
    n, time = 2, np.datetime64("2026-01-01T00:00", "ns")
    track = Trajectory([48.8] * n, [2.3] * n, time + np.arange(n) * np.timedelta64(600, "s"))
    plan = Scenario(track="", scheme="planned", correlation="strong", adversary="past")
    first, last = (amount(b) for b in evaluate(plan, track).budgets)
    assert first != last
    assert f": {first} at the first, {last} at the last." in describe(evaluate(plan, track)).paragraph
    alike = describe(evaluate(plan.with_changes(adversary="both"), track)).paragraph
    assert " each." in alike
    assert "at the last" not in alike


def test_the_largest_loss_in_units_of_its_budget_is_no_bound_for_the_others():
    said = describe(_bob(scheme="weighted", correlation="strong")).paragraph
    assert re.search(r"about one timestamp, [\d.]+ times its own budget", said)


def test_what_is_large_is_written_out():
    said = describe(_bob(correlation="strength", smoothing=1000.0)).assumption
    assert "s = 1000 (" in said
    near = _bob(mechanism="optimal", cells="track", place_m=2000.0, radius_m=1.0)
    assert any("are 2,000 protection radii apart" in w for w in describe(near).warnings)


def test_a_stretch_of_a_thousandth_counts_behind_at_most():
    outcome = evaluate(Scenario(track="", scheme="event"), _wide(-5, 0, 5))
    assert 1.0001 < outcome.stretch < 1.01
    assert "at most e^(1.01 b)" in describe(outcome).assumption
    assert "at most e^b," in describe(_bob()).assumption


def test_what_is_proven_of_cells_says_among_which_mechanisms():
    spanner = describe(_bob(mechanism="spanner", cells="track", place_m=2000.0)).assumption
    assert "meets all of the spanner's constraints" in spanner
    optimal = describe(_bob(mechanism="optimal", cells="track", place_m=2000.0))
    assert "reports these cells" in optimal.assumption
    outcome = _bob(mechanism="optimal", cells="track", place_m=2000.0)
    gap = max(c.gap for c in outcome.reports.channels.values())
    said = re.search(r"lower the expected error by more than ([\d.]+ %) of", optimal.assumption)[1]
    assert gap <= parsed(said) * (1 + 1e-9)


@pytest.mark.long
def test_a_wide_track_weakens_the_guarantee():
    track = _wide(-60, 0, 60, -55)
    outcome = evaluate(Scenario(track="", landmarks=(0,), scheme="event"), track)
    k = outcome.stretch
    assert k > 1.2
    said = describe(outcome)
    assert f"at most e^({bound(k)} b)" in said.assumption
    assert any("the guarantee weakens" in w for w in said.warnings)
    assert k - 1 <= parsed(re.search(r"by up to (\d+ %)", " ".join(said.warnings))[1]) * (1 + 1e-9)
    around = evaluate(Scenario(track="", scheme="event"), _wide(-170, -80, 0, 80, 170))
    assert f"at most e^({bound(2 * np.pi * 6_371_008.8 / 200)} b)" in describe(around).assumption


@pytest.mark.parametrize("average", [False, True])
def test_errors_are_on_the_ground_and_never_longer_than_half_the_earth(average):
    track = _wide(-60, 0, 60, -55)
    near = evaluate(Scenario(track="", scheme="event", average=average), track)
    far = evaluate(Scenario(track="", scheme="event", epsilon=1e-7, average=average), track)
    for outcome in (near, far):
        assert max(outcome.error_m.max(), outcome.event_error_m, outcome.user_error_m) <= 20_015_200
        assert outcome.radius95_m.max() <= 20_015_200
        if not average:
            ground = distance_m(outcome.latitude, outcome.longitude, track.latitude, track.longitude)
            assert outcome.error_m == pytest.approx(ground, rel=1e-4)


def test_adaptive_shows_its_rate_and_threshold():
    outcome = _bob(scheme="adaptive", seed=5)
    sampled = outcome.published
    assert outcome.rate[0] == 1
    assert ((outcome.rate > 0) & (outcome.rate <= 1)).all()
    assert outcome.threshold_m[sampled] == pytest.approx(200.0 / outcome.budgets[sampled])
    assert _bob().rate is None
    assert _bob().threshold_m is None
    points = sample("bob").frame.to_metres(outcome.latitude, outcome.longitude)
    when = np.flatnonzero(sampled)
    for before, t in pairwise(when):
        moved = float(np.hypot(*(points[t] - points[before])))
        if t + 1 < len(outcome):
            assert (outcome.rate[t + 1] < outcome.rate[t]) == (moved < outcome.threshold_m[t])


# -- one timestamp, one landmark, nothing but landmarks ------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["event", "user", "uniform", "weighted", "skip", "adaptive", "planned"])
@pytest.mark.parametrize("correlation", ["none", "moderate"])
def test_where_every_timestamp_is_a_landmark_no_other_one_is_spoken_of(scheme, correlation):
    found = _bob(scheme=scheme, landmarks=tuple(range(8)), correlation=correlation, landmark_loss=True)
    words = describe(found)
    text = " ".join((words.paragraph, *words.warnings))
    assert "other timestamp" not in text, text
    assert "other timestamp" in describe(_bob(scheme="event", landmarks=(3,))).paragraph


@pytest.mark.parametrize("scheme", ["event", "user", "uniform", "adaptive"])
def test_a_track_of_one_timestamp_is_spoken_of_in_the_singular(scheme):
    for landmarks in ((), (0,)):
        text = describe(evaluate(Scenario(scheme=scheme, landmarks=landmarks), _wide(2.0))).paragraph
        assert not re.search(r"Each of the one|All one|landmark are|landmark .* share|one other", text), text


def test_weighted_is_the_least_only_among_budgets_that_are_fixed():
    text = describe(_bob(scheme="weighted")).paragraph
    assert (
        "fixed beforehand" in text and "expected error of planar Laplace" in text and "least there can be" not in text
    )
    skip = np.mean([_bob(scheme="skip", landmarks=(7,), seed=k).mean_error_m for k in range(20)])
    assert skip < np.mean([_bob(scheme="weighted", landmarks=(7,), seed=k).mean_error_m for k in range(20)])


@pytest.mark.parametrize("marked", [12, 13])
def test_moves_that_were_not_tried_are_not_spoken_of(marked):
    scenario = Scenario(landmarks=tuple(range(0, 3 * marked, 3)), correlation="none")
    outcome = evaluate(scenario, sample("commuter"))
    text = describe_moves(outcome, move_landmarks(outcome), [])
    assert text.endswith(
        "every other move by one timestamp." if marked == 12 else "every other move by one timestamp that was tried."
    )


@pytest.mark.parametrize("adversary", ["both", "past", "any"])
def test_a_plan_for_any_start_promises_a_bound(adversary):
    text = describe(_bob(scheme="planned", adversary=adversary)).paragraph
    assert ("loses at most 1 in total" in text) == (adversary == "any")
