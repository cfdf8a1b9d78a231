"""The first sentence of each page: true, outward, in everyday words."""

import math
import re

import numpy as np
import pytest

from lmdk_widgets.answers.odds import chain_losses, moment_losses
from lmdk_widgets.answers.pairs import states_of
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.leakage import pairwise_loss
from lmdk_widgets.page.amounts import bound_percent, change, factor
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series import describe as describe_quilts
from lmdk_widgets.pages.series import evaluate as evaluate_quilts
from lmdk_widgets.pages.series.words import first_answers
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.trajectory import Trajectory, sample

BOB = Scenario(landmarks=(0, 2, 4, 7))


def first(outcome):
    return re.split(r"\.\s", describe(outcome).paragraph)[0]


def bob(**changes):
    return evaluate(BOB.with_changes(**changes), sample("bob"))


def test_a_factor_is_never_below_and_not_far_above():
    for loss in [*np.random.default_rng(0).uniform(0, 13.8, 3000), 0.0, 1e-9, math.log(2), math.log(10), 13.8155]:
        said = float(factor(float(loss)).replace(",", ""))
        assert math.exp(loss) * (1 - 1e-8) <= said <= math.exp(loss) * 1.1 + 0.01
    assert "no limit" in change("He", "all", math.inf) and "more than a million" in change("He", "all", 800.0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_sentence_of_a_track_says_what_is_promised_about_one_moment_and_when(scheme):
    outcome = bob(scheme=scheme)
    said = first(outcome)
    loss = moment_losses(outcome) if outcome.scenario.spread.online else outcome.budgets
    worst, top = int(np.argmax(loss)), factor(float(loss.max()))
    assert top == factor(Promised(outcome).one_loss), "as the tile"
    assert said.startswith("Anyone who sees this release and assumes that moments are independent")
    assert f"by a factor of at most {top}" in said and "two places 200 m apart" in said
    hour = ["07:52", "08:21", "08:47", "12:34", "14:10", "18:26", "18:58", "19:45"][worst]
    alike = sum(factor(float(each)) == top for each in loss)
    when = {1: f"at {hour}", 8: "at any one moment"}.get(alike, f"at each of {alike} of the 8 moments")
    assert f"the odds of where you were {when}, between" in said


def test_without_correlation_the_budget_is_all_and_without_release_nothing():
    assert "at any one moment, between two places 200 m apart, by a factor of at most 1.23" in first(
        bob(correlation="none")
    )
    nothing = first(bob(scheme="skip", landmarks=tuple(range(8))))
    assert nothing.endswith("learns nothing from it about where you were")
    assert "never more than" not in describe(bob(scheme="skip", landmarks=tuple(range(8)))).paragraph


def test_times_in_utc_are_said_to_be():
    hand = {"scheme": "given", "budgets": (0.1,) * 5 + (0.4, 0.1, 0.1)}
    assert "at 17:26 UTC," in first(bob(**hand, utc=True)) and "at 18:26," in first(bob(**hand))


def test_neighbouring_cells_count_by_their_distance():
    outcome = bob(mechanism="optimal", scheme="user")
    cells, middles = outcome.reports.area, states_of(outcome).middles
    apart = np.hypot(*np.moveaxis(middles[:, None] - middles, 2, 0))
    chain = outcome.correlation.matrix
    again = pairwise_loss(chain, chain, outcome.budgets, apart, 200).total
    near = again[:, np.isclose(apart, cells.cell_m, rtol=0.01)].max(axis=1)
    assert np.allclose(chain_losses(outcome), near) and outcome.scenario.place_m == 20 * 200
    assert np.allclose(moment_losses(outcome), 20 * outcome.budgets)
    assert "two neighbouring cells of 4.0 km" in first(outcome) and factor(20 * outcome.budgets.max()) in first(outcome)
    assert f"{factor(float(near.max()))} for neighbouring cells of 4.0 km" in describe(outcome).paragraph


@pytest.mark.long
def test_around_the_world_no_number_means_anything_but_there_is_a_limit():
    time = np.datetime64("2026-01-01T00:00", "ns") + np.arange(3) * np.timedelta64(600, "s")
    wide = Trajectory(np.zeros(3), np.array([0.0, 120.0, 179.0]), time)
    assert first(evaluate(Scenario(track=""), wide)).endswith("by a factor of more than a million")
    told = moment_losses(evaluate(Scenario(track="", epsilon=1e-6, correlation="none"), wide)).max()
    # the frame's ends are once around the Earth apart: 200,151 times the radius of 200 m
    assert told == pytest.approx(1e-6 * 2 * math.pi * 6_371_008.8 / 200)


def test_one_timestamp_is_one_in_grammar_too():
    track = Trajectory(np.array([48.0]), np.array([2.0]), np.array(["2026-01-01T00:00"], "datetime64[ns]"))
    for scheme in SCHEMES:
        for landmarks in ((), (0,)):
            outcome = evaluate(Scenario(track="", scheme=scheme, landmarks=landmarks, window=1), track)
            said = describe(outcome)
            text = " ".join((said.paragraph, said.assumption, *said.warnings))
            for wrong in (
                "one timestamp share ",
                "the one timestamp may",
                "landmark are",
                "landmark share",
                "1 timestamps",
            ):
                assert wrong not in text, (scheme, text)


def test_digits_that_mean_nothing_are_not_written():
    assert bound_percent(3.9e-9) == bound_percent(1e-12) == "0.0001 %" and bound_percent(2e-6) == "0.0002 %"


@pytest.mark.parametrize("query", ["shares", "counts"])
def test_a_series_says_once_how_odds_change_and_once_how_far_a_bar_is_off(query):
    outcome = evaluate_quilts(SeriesChoices(query=query))
    said = describe_quilts(outcome).paragraph
    assert said.count("at any one timestamp by a factor of at most 7.39.") == said.count("7.39") == 1
    useful = first_answers(outcome)[0]
    assert useful.value == "5.2 h" and "one of 33 h may show 27 h or 38 h" in useful.line and "5.2 h" not in said


def test_a_mechanism_that_does_not_protect_is_not_said_to():
    said = describe_quilts(evaluate_quilts(SeriesChoices(mechanism="entry"))).paragraph
    assert said.startswith("Nothing is promised")
    assert describe_quilts(evaluate_quilts(SeriesChoices(mechanism="gk16"))).paragraph.startswith("No histogram is")
