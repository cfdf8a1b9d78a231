"""What the landmark page says of its numbers is true: of the arrays, of other draws, and of whom it speaks."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

from lmdk_widgets.budgets import release, window_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.leakage import landmark_loss_bound, temporal_loss
from lmdk_widgets.markov import smoothed_identity
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.base.amounts import amount, bound, bound_metres, bound_percent
from lmdk_widgets.scenario.landmarks.captions import comparison_rows, describe_chain, summarise
from lmdk_widgets.scenario.landmarks.compare import improve
from lmdk_widgets.scenario.landmarks.correlation import NAMED_SMOOTHING
from lmdk_widgets.scenario.landmarks.model import ADVERSARIES, SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample

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
        if value > (1e-3 if written is bound_metres else 1e-9):
            assert up <= value * 1.12
            assert down >= value * 0.88
    assert written(math.nan) == "none"


def test_what_is_exact_but_for_rounding_stays():
    assert bound(sum([0.2] * 5)) == bound(1 + 1e-12) == "1.00"
    assert (bound(0.0), bound_metres(0.0), bound_percent(1.0)) == ("0.00", "0 m", "100 %")
    assert (bound(1.1316), amount(1.1316)) == ("1.14", "1.13")
    assert bound(math.inf) == "no bound"


NUMBER = r"([\d,]+(?:\.\d+)?(?:e-?\d+)?)"
SAID = {
    "learns": rf"learns up to {NUMBER} about one",
    "supremum": rf"never more than {NUMBER} \(the supremum\)",
    "bounded": rf"stay bounded with less than {NUMBER} each",
    "sum": rf"(?:with one other|with any one other) timestamp at most {NUMBER}\.",
    "window": rf"(?:in a row spend|A timestamp spends) at most {NUMBER} here",
    "window loss": rf"in a row lose at most {NUMBER} together",
    "together": rf"lose at most {NUMBER} \(a proven bound\)",
    "all": rf"All timestamps together spend at most {NUMBER},",
    "overrun": rf"(?:it spends|they spend) up to {NUMBER}, ",
    "backward": rf"backward up to {NUMBER}",
    "forward": rf"forward up to {NUMBER}",
    "chain": rf"while each timestamp spends less than {NUMBER}\.",
    "times": rf"about one timestamp, up to {NUMBER} times",
}


def _truth(outcome):
    """What each of these numbers is a bound of, from the arrays."""
    known = outcome.correlation
    return {
        "learns": outcome.total.max(),
        "supremum": outcome.supremum,
        "bounded": known.bounded_epsilon(),
        "sum": outcome.totals.max(),
        "window": outcome.window_totals.max(),
        "window loss": outcome.window_loss.max(),
        "together": outcome.landmark_bound.max(),
        "all": outcome.budgets.sum(),
        "overrun": outcome.totals.max(),
        "backward": outcome.backward.max(),
        "forward": outcome.forward.max(),
        "chain": known.bounded_epsilon(),
        "times": outcome.total.max() / max(outcome.budgets[outcome.total.argmax()], 1e-300),
    }


def _anything(rng):
    weights = rng.random((3, 3)) * (rng.random((3, 3)) < 0.8) + np.eye(3) * 0.05
    return BOB.with_changes(
        scheme=str(rng.choice(list(SCHEMES))),
        epsilon=float(np.exp(rng.uniform(-5, 3))),
        target=float(np.exp(rng.uniform(-3, 2))),
        landmarks=tuple(np.flatnonzero(rng.random(8) < rng.random()).tolist()),
        window=int(rng.integers(1, 9)),
        correlation=str(rng.choice(["none", "weak", "moderate", "strong", "strength", "estimated", "matrix"])),
        smoothing=float(np.exp(rng.uniform(-6, 2))),
        matrix=tuple(map(tuple, (weights / weights.sum(axis=1, keepdims=True)).tolist())),
        adversary=str(rng.choice(list(ADVERSARIES))),
        landmark_loss=bool(rng.random() < 0.5),
        seed=int(rng.integers(1000)),
    )


def test_every_bound_in_the_texts_bounds_its_array():
    rng, seen = np.random.default_rng(1), dict.fromkeys(SAID, 0)
    for _ in range(1000):
        scenario = _anything(rng)
        try:
            outcome = evaluate(scenario, sample("bob"))
        except InputError:
            assert scenario.scheme == "planned"
            continue
        words = describe(outcome)
        text = " ".join(
            [words.paragraph, words.assumption, *words.warnings, summarise(outcome), describe_chain(outcome)]
        )
        truth = _truth(outcome)
        for name, pattern in SAID.items():
            for found in re.findall(pattern, text):
                seen[name] += 1
                value, said = float(truth[name]), parsed(found)
                if name in ("bounded", "chain"):
                    assert value * 0.88 <= said <= value * (1 + 2e-9), (name, text)
                else:
                    assert value * (1 - 2e-9) <= said <= value * 1.12 + 1e-12, (name, text)
        for phrase in ("at most ", "never more than ", "up to "):
            for at in re.finditer(phrase + r"(?=[\d])", text):
                rest = text[at.start() :]
                known = [p for p in SAID.values() if re.search(p, text) and re.search(re.escape(phrase) + NUMBER, rest)]
                assert known, text[at.start() - 40 : at.end() + 40]
    assert min(seen.values()) >= 5, seen


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


def test_the_bound_stands_beside_the_authors_count():
    outcome = _bob(scheme="skip", landmarks=(0, 2, 4, 6), correlation="weak", landmark_loss=True)
    assert outcome.landmark.max() < 2.275 < outcome.landmark_bound.max()  # a mechanism leaks 2.28
    expected = landmark_loss_bound(outcome.correlation.matrix, outcome.budgets, (0, 2, 4, 6))
    assert outcome.landmark_bound == pytest.approx(expected)
    said = describe(outcome).paragraph
    assert f"at most {bound(outcome.landmark_bound.max())} (a proven bound)" in said
    assert f"the count in the landmark paper, which is not a bound, gives {amount(outcome.landmark.max())}" in said
    *_, last = improve(outcome)
    assert any("≤" in row[3] and "count" in row[3] for row in comparison_rows(last))
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
        assert not any("only against adversaries" in w for w in words.warnings)
        assert "All timestamps together spend at most 1.00" in words.paragraph
    assert any("only against adversaries" in w for w in describe(_bob(correlation="strong")).warnings)


# -- planned -----------------------------------------------------------------------------------------------------------


def test_a_plan_names_its_adversary_and_what_it_does_not_say():
    past = describe(_bob(scheme="planned", adversary="past")).paragraph
    assert "reasons from the past" in past
    assert "does not cover someone who also reasons from the future" in past
    assert "says nothing" not in describe(_bob(scheme="planned")).paragraph
    alone = describe(_bob(scheme="planned", correlation="none"))
    assert "loses 1.00 in total, its own budget" in alone.paragraph
    assert "spend 4.00 together" in alone.paragraph
    assert any("they spend up to 5.00, 5.00 times the loss that each" in w for w in alone.warnings)


def test_a_plan_without_budgets_is_refused_and_the_comparison_goes_on():
    still = {"correlation": "matrix", "matrix": ((1.0, 0.0), (0.0, 1.0)), "adversary": "past"}
    with pytest.raises(InputError, match="Planned budgets must be"):
        _bob(scheme="planned", **still)
    *_, last = improve(_bob(**still))
    assert [row.scheme for row in last.compared] == list(SCHEMES)
    assert math.isnan(last.compared[-1].supremum)


# -- words -------------------------------------------------------------------------------------------------------------


def test_one_landmark_spends():
    for scheme in ("event", "user", "uniform", "adaptive", "planned"):
        said = describe(_bob(scheme=scheme, landmarks=(2,))).paragraph
        assert re.search(r"Your one landmark spends ", said), said
        assert "landmark spend " not in said


def test_odds_not_likelihood():
    for mechanism in ("planar", "optimal"):
        said = describe(_bob(mechanism=mechanism, place_m=2000.0)).assumption
        assert "changes the odds by a factor of at most e^" in said
        assert "as likely" not in said


def test_what_is_proven_of_cells_says_among_which_mechanisms():
    spanner = describe(_bob(mechanism="spanner", place_m=2000.0)).assumption
    assert "meets all of the spanner's constraints" in spanner
    optimal = describe(_bob(mechanism="optimal", place_m=2000.0))
    assert "reports these cells" in optimal.assumption
    outcome = _bob(mechanism="optimal", place_m=2000.0)
    gap = max(c.gap for c in outcome.reports.channels.values())
    said = re.search(r"lower the expected error by more than ([\d.]+ %) of", optimal.assumption)[1]
    assert gap <= parsed(said) * (1 + 1e-9)


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
    assert "at most any number" in describe(around).assumption


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
