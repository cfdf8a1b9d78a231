"""What the first sentences promise: with the assumption in the same sentence, and beside it what averaging finds."""

import math
import re
from statistics import NormalDist

import numpy as np
import pytest

from lmdk_widgets.answers.exposure import NOT_SHOWN, OF_CELLS, found_of
from lmdk_widgets.answers.main_places import main_place_of
from lmdk_widgets.answers.odds import chain_losses
from lmdk_widgets.answers.pairs import pairs_of
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import release_as_data
from lmdk_widgets.budgets import release
from lmdk_widgets.inference import found_within, main_place
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import factor
from lmdk_widgets.pages.series.words import _hidden
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table import describe as describe_foundations
from lmdk_widgets.pages.table import evaluate as evaluate_foundations
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.secure.numbers import _every
from lmdk_widgets.sweep.rows import MEASURES
from lmdk_widgets.trajectory import Series, Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_data, sample_series

CHAIN = "a chain of five places (moderate, with its usual start)"


def outcome_of(track="commuter", data=None, **changes):
    data = data or sample(track)
    return evaluate(Scenario(track=track, landmarks=data.landmarks, **changes), data)


def sentences(outcome):
    return re.split(r"(?<=\.)\s+(?=[A-Z])", describe(outcome).paragraph)


def found(outcome):
    return sentences(outcome)[1]


# -- the assumption stands in the same sentence ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, CHAIN),
        ({"correlation": "strong", "states": 12}, "a chain of twelve places (strong, with its usual start)"),
        ({"correlation": "strength", "smoothing": 0.3}, "places (strength s = 0.3, with its usual start)"),
        ({"adversary": "any"}, "a chain of five places (moderate, with any start)"),
        ({"adversary": "past"}, f"{CHAIN} and reasons from the past"),
        ({"adversary": "future"}, "(moderate, whatever its start) and reasons from the future"),
        (
            {"correlation": "matrix", "matrix": ((0.8, 0.2), (0.1, 0.9))},
            "two places (given as a matrix, with its usual start)",
        ),
        (
            {"correlation": "estimated", "cell_m": 2000.0},
            "cells of 2.0 km (estimated from this very track with smoothing 0.01, with its usual start)",
        ),
    ],
)
def test_every_factor_has_its_chain_and_start_in_the_same_sentence(changes, said):
    first, *rest = sentences(outcome_of("bob", **changes))
    assert first.startswith("Anyone who sees this release and assumes that moments are independent can change the odds")
    asked = next(k for k, s in enumerate(rest) if s.startswith("What if"))
    anew = "the place within a cell drawn anew at every timestamp"
    assert f"{said}, {anew}? Then" in rest[asked]
    hidden = "nothing is hidden from someone who knows these habits, between places in two cells"
    assert "the odds between places in two cells change by a factor of" in rest[asked] or hidden in rest[asked]
    by_one_number = next(s for s in rest if "the same attacker learns up to" in s)
    assert f"between two cells, {anew}" in by_one_number
    assert not any("knows how places follow" in sentence for sentence in rest)


def test_what_timestamps_lose_together_is_said_of_the_same_adversary():
    """A loss of several timestamps has its adversary in its sentence, as that of one has."""
    window = next(s for s in sentences(outcome_of("bob", scheme="window")) if "in a row lose" in s)
    assert window.startswith(
        "To the same attacker, with all places so near, any three timestamps in a row lose at most "
    )
    assert window.endswith(" together, between two cells, the place within a cell drawn anew at every timestamp.")
    counted = next(s for s in sentences(outcome_of("bob", scheme="event", landmark_loss=True)) if "proven bound" in s)
    assert counted.startswith(
        "To the same attacker, with all places so near, your four landmarks and one other timestamp together lose at most "
    )


def test_the_loss_of_cells_says_between_which_places_it_is():
    """The first sentence is about neighbouring cells, which are farther apart than the radius that losses are counted at."""
    first, *rest = sentences(outcome_of("bob", mechanism="optimal", cells="track", place_m=1000.0))
    assert "between two neighbouring cells of 1.0 km, by a factor of at most " in first
    loss = next(sentence for sentence in rest if "learns up to" in sentence)
    assert loss.startswith("If all places were within 200 m, which the chain's are not, the same attacker learns")
    planar = next(sentence for sentence in sentences(outcome_of("bob")) if "learns up to" in sentence)
    assert planar.startswith("If all places were within 200 m, which the chain's are not, the same attacker learns")
    alike = next(s for s in sentences(outcome_of("bob", mechanism="randomised")) if "learns up to" in s)
    assert alike.startswith("By one number for all pairs, the same attacker learns")


def test_without_correlation_no_more_is_promised_than_of_one_timestamp():
    """Averaging tells more of a place than each report does, also where timestamps are independent."""
    said = describe(outcome_of(correlation="none")).paragraph
    assert "nothing more is learned about a timestamp than its own budget says." in said
    assert "nothing more is learned than" not in said and "at home" in said


def test_without_a_chain_the_first_sentence_says_that_moments_are_taken_for_independent():
    first = sentences(outcome_of("bob", correlation="none"))[0]
    assert first.startswith("Anyone who sees this release and assumes that moments are independent can change the odds")


def test_a_chain_of_levels_or_answers_is_said_to_be_one():
    data = sample_series("household")
    outcome = evaluate(Scenario(correlation="estimated", level_width=2.0), data)
    m = len(outcome.correlation.matrix)
    words = {2: "two", 3: "three", 4: "four", 5: "five"}
    said = f"assumes a chain of {words.get(m, m)} levels of 2 kWh (estimated from this very series with smoothing 0.01"
    assert any(said in sentence for sentence in sentences(outcome))
    answers = evaluate(Scenario(correlation="estimated"), sample_series("contacts"))
    assert "assumes a chain of two answers (estimated from this very series" in describe(answers).paragraph
    moderate = describe(evaluate(Scenario(), sample_series("contacts"))).paragraph
    assert "What if someone assumes a chain of two states (moderate, with its usual start)? Then the odds" in moderate
    assert "the odds between the two answers change by a factor of at most" in moderate


# -- ties --------------------------------------------------------------------------------------------------------------


def test_ties_are_reported_and_not_broken_by_the_last_bit_of_a_float():
    budgets = (0.3, 0.3 * (1 + 1e-15), 0.3 * (1 - 1e-15), 0.3) + (0.1,) * 4
    first = sentences(bob(scheme="given", budgets=budgets))[0]
    assert "at each of 4 of the 8 moments, between" in first
    assert (
        first.endswith(f"by a factor of at most {factor(0.3)}; at every other moment by less.") and "Mon" not in first
    )
    assert "at any one moment, between" in sentences(bob())[0]


def bob(**changes):
    return evaluate(Scenario(landmarks=(0, 2, 4, 7)).with_changes(**changes), sample("bob"))


def test_one_moment_that_is_told_most_of_has_its_hour():
    hand = {"scheme": "given", "budgets": (0.1,) * 5 + (0.4, 0.1, 0.1)}
    assert "at 18:26, between" in sentences(bob(**hand))[0]
    assert "at any one moment, between" in sentences(bob(correlation="none"))[0]


# -- what averaging finds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "changes", "said"),
    [
        (
            "commuter",
            {},
            "at home (87 h of 168) finds it to within about 93 m in half of all releases, whatever",
        ),
        ("commuter", {"epsilon": 0.3}, "to within about 310 m in half of all releases"),
        ("commuter", {"scheme": "event"}, "to within 20 m or less in half of all releases"),
        ("commuter", {"scheme": "skip"}, "to within 20 m or less in half of all releases"),
        ("taxi", {}, "at your main place (9 h of 42) finds it to within about 93 m in half"),
    ],
)
def test_averaging_finds_the_main_place_whatever_chain_is_assumed(track, changes, said):
    for chain in ("none", "moderate", "strong"):
        sentence = found(outcome_of(track, correlation=chain, **changes))
        assert sentence.startswith("Anyone who knows when you are ") and said in sentence
        assert sentence.endswith("whatever the chain.")


def test_below_five_reports_no_place_is_named():
    said = "No place has five reports: averaging finds each only to within about 1.7 km in half of all releases."
    assert found(bob()).startswith(said)
    assert "to within about 330 m" in found(bob(scheme="skip"))  # the best of the places that are measured


def test_what_is_off_by_half_the_region_is_not_found():
    said = "Averaging does not find your home (87 h of 168): it does not come within 9.1 km, half the region's smaller side"
    assert found(outcome_of(scheme="user")).startswith(said)


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
def test_budgets_that_depend_on_releases_are_the_median_of_twenty_draws(scheme):
    outcome = outcome_of(scheme=scheme, window=30)
    data, scenario = outcome.trajectory, outcome.scenario
    *_, members = main_place(data.latitude, data.longitude)
    compared = 0 if scheme == "adaptive" else 1 / 60
    rng, together = np.random.default_rng(scenario.seed), []
    for _ in range(20):
        made = release(data.points_m, scheme, data.landmarks, 1.0, PlanarLaplace(200), rng=rng, window=30)
        there = members & made.published
        together.append(math.sqrt(math.fsum((b - compared) ** 2 for b in made.budgets[there].tolist())))
    within = found_within([np.median(together)], 200)
    said = f"{float(f'{within:.1e}'):.0f} m" if within < 999.5 else f"{within / 1000:.1f} km"  # two digits
    half = f"to within about {said} in half of all releases (median of 20 draws), whatever"
    assert half in found(outcome)


def test_a_place_without_a_report_of_its_own_is_not_found():
    data = sample("commuter")
    members = main_place_of(data).members
    every = evaluate(Scenario(track="commuter", scheme="skip", landmarks=np.flatnonzero(members)), data)
    assert "your home" not in found(every) and "at work (45 h of 168) finds it to within 20 m or less" in found(every)
    alone = nights()
    silent = evaluate(Scenario(track="", scheme="skip", landmarks=range(len(alone))), alone)
    assert found(silent).startswith("Averaging does not find your home (") and "no report of its own." in found(silent)
    few = evaluate(Scenario(track="", scheme="skip", landmarks=range(3, len(alone))), alone)
    assert "finds it from three reports to within about 190 m in half" in found(few)
    nowhere = evaluate(Scenario(track="commuter", epsilon=1e-6, scheme="user"), data)
    assert found(nowhere).startswith(
        "Averaging does not find your home (87 h of 168): it does not come within 9.1 km, half the region's smaller side,"
    )


def test_cells_say_that_the_length_is_not_computed():
    for mechanism in ("optimal", "randomised"):
        assert (
            OF_CELLS in sentences(bob(mechanism=mechanism)) or OF_CELLS in describe(bob(mechanism=mechanism)).paragraph
        )


# -- home --------------------------------------------------------------------------------------------------------------


def nights(*, zone="Europe/Paris", days=4, minutes=480, at_home=1.0, begin="22:00"):
    """So many nights from an hour on, a report every ten minutes; of each so much at home, and the days elsewhere, spread."""
    rng, latitude, longitude, time = np.random.default_rng(0), [], [], []
    for day in range(days):
        start = np.datetime64(f"2026-01-{10 + day}T{begin}", "ns") - np.timedelta64(1, "h")  # Paris in winter
        for k in range(minutes // 10):
            away = k >= at_home * (minutes // 10)
            time.append(start + np.timedelta64(10 * k, "m"))
            latitude.append(48.85 + (0.05 * rng.random() if away else 0.0))
            longitude.append(2.35 + (0.05 * rng.random() if away else 0.0))
    return Trajectory(np.array(latitude), np.array(longitude), np.array(time), zone=zone)


@pytest.mark.parametrize(
    ("given", "home"),
    [
        ({}, True),
        ({"zone": ""}, False),
        ({"days": 2}, False),
        ({"days": 3}, True),
        ({"minutes": 60}, False),  # six reports span fifty minutes: a walk
        ({"minutes": 70}, True),
        ({"at_home": 0.5}, False),
        ({"at_home": 0.65}, True),
        ({"begin": "09:00"}, False),
    ],
)
def test_home_is_a_place_where_nights_are_spent_in_a_known_zone(given, home):
    track = nights(**given)
    assert main_place_of(track).home == home
    said = found(evaluate(Scenario(track=""), track))
    assert ("home" in said) == home
    assert ("your main place" in said) != home  # the timestamps do not come evenly


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"days": 1}, " One night is too few to call it your home."),
        ({"days": 2}, " Two nights are too few to call it your home."),
        ({"days": 3}, ""),
        ({"days": 2, "zone": ""}, " Without a time zone it cannot be called your home."),
        ({"days": 4, "zone": ""}, " Without a time zone it cannot be called your home."),
        ({"days": 1, "zone": ""}, ""),  # eight hours, by day perhaps
        ({"days": 2, "at_home": 0.5}, ""),  # more nights would not make it a home
        ({"days": 2, "minutes": 60}, ""),  # no night has an hour
        ({"days": 2, "begin": "09:00"}, ""),
    ],
)
def test_the_card_says_why_a_place_is_not_called_home(given, why):
    track = nights(**given)
    for epsilon, end in ((40.0, "in half of all releases."), (1e-6, "half the region's smaller side.")):
        said = found_of(evaluate(Scenario(track="", epsilon=epsilon), track)).line()
        assert said.endswith(end + why) and ("home" in said) == (bool(why) or main_place_of(track).home)


def test_a_zone_alone_makes_no_home_of_a_taxi():
    assert sample("taxi").zone and not main_place_of(sample("taxi")).home and main_place_of(sample("commuter")).home


# -- never of the truth in a file ----------------------------------------------------------------------------------------


def test_what_stands_in_for_a_track_says_nothing_of_places():
    for data in (sample("commuter"), sample_series("household")):
        scenario = Scenario(landmarks=(3, 4), scheme="uniform")
        made = release_as_data(scenario, data, release_afresh(scenario, data)).state
        outcome = evaluate(made.choices, made.data)
        assert found(outcome) == NOT_SHOWN and "home" not in describe(outcome).paragraph


# -- series ------------------------------------------------------------------------------------------------------------


def test_a_level_that_holds_is_found():
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(40) * np.timedelta64(600, "s")
    values = np.where(np.arange(40) % 4 == 0, 7.0, 2.0) + np.linspace(0, 0.01, 40)
    series = Series(time, values=values, unit="kWh", lower=0.0, upper=10.0)
    outcome = evaluate(Scenario(scheme="event", epsilon=0.4, level_width=0.1), series)
    within = 0.6744897502 * 10 / math.sqrt(30 * 0.4**2)
    said = f"finds it to within about {within:.2f} kWh in half of all releases, whatever"
    same = "Anyone who knows at which 30 measured moments the value was the same to within 0.10 kWh"
    assert f"{same} {said}" in found(outcome)
    rng = np.random.default_rng(0)  # and it is found so: the median of Laplace noise
    off = np.abs(np.median(rng.laplace(0, 25, (4000, 30)), axis=1))
    assert np.median(off) == pytest.approx(within, rel=0.1)


def test_an_answer_that_holds_is_guessed():
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(50) * np.timedelta64(600, "s")
    series = Series(time, values=np.repeat([1.0, 0.0], (36, 14)), kind="answers")
    outcome = evaluate(Scenario(scheme="event", epsilon=0.3), series)
    p = 1 / (1 + math.exp(-0.3))
    right = NormalDist().cdf(math.sqrt(36) * (p - 0.5) / math.sqrt(p * (1 - p)))
    assert (
        f"at which 36 measured moments the answer was the same guesses it right in about {100 * right:.0f} %"
        in found(outcome)
    )
    votes = np.random.default_rng(0).random((20_000, 36)) < p
    share = (votes.sum(axis=1) > 18).mean() + (votes.sum(axis=1) == 18).mean() / 2
    assert share == pytest.approx(right, abs=0.01)
    assert "in more than 99 % of all releases" in found(evaluate(Scenario(scheme="event", epsilon=3.0), series))


# -- wide tracks, two timestamps, all together ---------------------------------------------------------------------------


def around_the_world():
    time = np.datetime64("2026-01-01T00:00", "ns") + np.arange(3) * np.timedelta64(600, "s")
    return Trajectory(np.zeros(3), np.array([0.0, 120.0, 179.0]), time)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-4, 1.0])
def test_a_track_around_the_world_has_a_bound_and_one_story(epsilon):
    outcome = evaluate(Scenario(track="", epsilon=epsilon), around_the_world())
    words = describe(outcome)
    text = " ".join([words.paragraph, words.assumption, *words.warnings])
    for false in ("may learn everything", "no limit", "any number", "without bound: of far places"):
        assert false not in text
    # no two points of the frame are farther apart than the Earth is round, so that a factor is never more than e^(times b)
    times = 2 * math.pi * 6_371_008.8 / 200
    assert "e^(200,200 b)" in words.assumption and "counts up to 200,200 times" in text
    known = outcome.correlation
    most = temporal_loss(known.backward, known.forward, outcome.budgets * times).total.max()
    own = float(outcome.budgets.max()) * times
    assert own <= chain_losses(outcome).max() <= most * (1 + 1e-9) and math.isfinite(most)
    said = "On the flat map used for the noise, if all places were within 200 m, which the chain's are not, the same"
    assert said in words.paragraph


def test_the_flat_map_is_named_only_where_it_stretches():
    assert "flat map" not in describe(bob()).paragraph


@pytest.mark.parametrize("changes", [{"correlation": "none"}, {"track": "contacts"}, {}])
def test_odds_are_at_the_largest_budget_where_a_scheme_chooses_it(changes):
    """As the promise is: another draw may spend it at any timestamp."""
    track = changes.get("track", "bob")
    outcome = outcome_of(
        track, sample_data(track), scheme="adaptive", correlation=changes.get("correlation", "moderate")
    )
    ends = (
        len(outcome) - 1 in outcome.protected
    )  # no moment comes after all landmarks: the last one shares with another
    known, most = outcome.correlation, np.full(len(outcome), outcome.scenario.epsilon / (2 if ends else 1))
    if outcome.kind.counts_wrong:
        expected = temporal_loss(known.backward, known.forward, most).total
    else:
        expected = most if changes else pairs_of(outcome).near
    assert chain_losses(outcome) == pytest.approx(expected) and chain_losses(outcome).max() > outcome.total.max()
    words = describe(outcome)
    assert "at the largest budget that Adaptive can choose." in words.paragraph
    assert "are for the largest budgets that it can choose, in any draw" in words.assumption


def test_two_timestamps_are_both_of_them():
    two = Trajectory([48.85, 48.86], [2.3, 2.31], np.datetime64("2026-01-26T08:00", "ns") + np.arange(2) * 10**12)
    said = describe(evaluate(Scenario(track="", scheme="user"), two)).paragraph
    assert "Both timestamps share the budget of 1, 0.50 each." in said and "All two" not in said
    assert "Both timestamps together spend at most 1, and nobody learns more than that" in said
    one = Trajectory([48.85], [2.3], np.array(["2026-01-26T08:00"], "datetime64[ns]"))
    said = describe(evaluate(Scenario(track="", scheme="user"), one)).paragraph
    assert "The only timestamp spends at most 1, and nobody" in said and "All timestamps" not in said


def test_nobody_learns_more_than_the_sum_only_of_places_within_the_radius():
    def said(**changes):
        return sentences(bob(scheme="user", **changes))[-1]

    near = "as long as all places in question lie within 200 m of each other, however places follow each other."
    assert said() == f"All timestamps together spend at most 1, and nobody learns more than that {near}"
    cells = (
        "and nobody learns more than 20 as long as all places in question lie in one cell or in two neighbouring ones,"
    )
    assert cells in said(mechanism="optimal")
    assert "as long as" not in said(mechanism="randomised")
    series = sentences(evaluate(Scenario(scheme="user"), sample_series("household")))[-1]
    assert series.endswith("nobody learns more than that, however values follow each other.")


def test_two_platforms_are_told_apart_by_where_the_trains_end():
    """Why the condition: user level, epsilon 1 at 200 m, two platforms 200 m apart whose trains end 5 km apart."""
    b, r = 0.5, 200.0
    odds = math.exp(b * 200 / r) * math.exp(b * 5000 / r)
    assert odds > 100 * math.exp(1.0)


def test_everything_that_counts_two_says_both():
    stack = TableChoices(part="adding", releases=(0.5, 0.5), sources=(0, 0))
    said = describe_foundations(evaluate_foundations(stack)).paragraph
    assert "Anyone who sees both releases can change the odds" in said and "all two" not in said
    assert [_every(n) for n in (1, 2, 1200)] == [
        "The number spends",
        "Both numbers together spend",
        "All 1,200 numbers together spend",
    ]
    assert _hidden(2) == "both timestamps are hidden together" and _hidden(1) == "the only timestamp is hidden"


def test_a_promise_of_all_guesses_is_none():
    """Where every guess may be right no number of them is promised, of one moment or of the landmarks together."""
    promised = Promised(bob(scheme="event", epsilon=6.0))
    assert (
        promised.value() == "no promise"
        and promised.look() == "red"
        and promised.line()
        == (
            "about one moment, between two equally likely places 200 m apart; no promise about the four landmarks and "
            "any one other, at 5 ε. Between two places 30 m apart, at most 72 of 100 are."
        )
    )
    cells = Promised(bob(scheme="event", mechanism="optimal", cells="track", place_m=1000.0))
    assert cells.value() == "no promise" and cells.line().endswith("Two places in one cell are not told apart at all.")
    assert promised.short() == "about one moment"
    both = Promised(bob(scheme="event", epsilon=2.0))
    assert (
        both.value() == "89 of 100"
        and "; no promise about the four landmarks and any one other, at 5 ε." in both.line()
    )


def test_the_measures_of_a_study_are_the_two_promises() -> None:
    outcome = bob(scheme="uniform")
    one, both = (MEASURES[name].of(outcome) for name in ("promised_one", "promised_landmarks"))
    assert one == pytest.approx(0.5498, abs=5e-5) and both == pytest.approx(0.7311, abs=5e-5)


def test_texts_map_and_verdict_share_what_was_found() -> None:
    outcome = evaluate(Scenario(track="commuter", landmarks=sample("commuter").landmarks), sample("commuter"))
    again = outcome.improved(results={})
    assert found_of(again) is found_of(outcome)
    other = evaluate(outcome.scenario.with_changes(epsilon=2.0), sample("commuter"))
    assert found_of(other) is not found_of(outcome)
    assert found_of(other).within() < found_of(outcome).within()
