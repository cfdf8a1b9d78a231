"""Hidden landmarks on the landmark page: what is protected in their place, what it costs, and where it travels."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.scenario.landmarks.compare import move_landmarks
from lmdk_widgets.scenario.landmarks.evaluate import release_afresh
from lmdk_widgets.scenario.landmarks.files import scenario_from_json, scenario_json
from lmdk_widgets.scenario.landmarks.hidden import dummies, protected
from lmdk_widgets.scenario.landmarks.hidden_words import NO_PROMISE, describe_hidden
from lmdk_widgets.scenario.landmarks.model import HIDING
from lmdk_widgets.scenario.landmarks.session import LandmarkSession
from lmdk_widgets.scenario.landmarks.snippet import python_snippet
from lmdk_widgets.scenario.landmarks.timeline import HOLLOW, bar_marker, describe_timeline
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.series_samples import series_names

BOB = Scenario(landmarks=(0, 2, 4, 7), hide=True)
TWO = next(one for seed in range(100) if len(protected(one := BOB.with_changes(seed=seed), 8)) == 6)
"""Bob's day with two dummies."""


def session(**changes: Any) -> LandmarkSession:
    page = LandmarkSession()
    page.apply([{"op": "set", "name": name, "value": value} for name, value in changes.items()], commit=True)
    return page


def test_uniform_shares_among_the_landmarks_their_dummies_and_one_more() -> None:
    outcome = evaluate(TWO, sample("bob"))
    assert outcome.budgets == pytest.approx(1 / 7, abs=1e-12)
    assert set(outcome.protected) > {0, 2, 4, 7} and len(outcome.protected) == 6
    assert outcome.totals == pytest.approx([6 / 7 if t in outcome.protected else 1 for t in range(8)], abs=1e-12)
    assert outcome.landmark_share == pytest.approx(6 / 7, abs=1e-12)
    open_ = evaluate(TWO.with_changes(hide=False), sample("bob"))
    ratio = outcome.error_m / open_.error_m
    assert ratio == pytest.approx(7 / 5, rel=1e-6), "the same noise, of a smaller budget"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("method", HIDING)
def test_every_scheme_keeps_the_theorem_for_the_protected_timestamps(scheme: str, method: str) -> None:
    outcome = evaluate(BOB.with_changes(scheme=scheme, hide_method=method, correlation="none"), sample("bob"))
    assert outcome.totals == pytest.approx(landmark_totals(outcome.budgets, outcome.protected), abs=1e-12)
    if scheme in ("user", "uniform", "weighted", "skip", "adaptive"):
        assert outcome.totals.max() <= 1 + 1e-12
    assert outcome.landmark.max() == pytest.approx(outcome.totals.max(), abs=1e-9)
    assert set(outcome.scenario.landmarks) <= set(outcome.protected)


def test_the_seed_chooses_and_a_file_keeps_the_choice() -> None:
    found = {protected(BOB.with_changes(seed=seed), 8) for seed in range(60)}
    assert len(found) >= 4
    for scenario in (TWO, TWO.with_changes(scheme="skip")):
        outcome, fresh = evaluate(scenario, sample("bob")), release_afresh(scenario, sample("bob"))
        assert fresh.budgets.tolist() == outcome.budgets.tolist(), "another choice would show the landmarks"


def test_at_most_so_many_dummies() -> None:
    sizes = {len(dummies(BOB.with_changes(seed=seed, hide_most=1), 8)) for seed in range(40)}
    assert sizes == {0, 1}
    assert protected(Scenario(hide=True), 8) == ()


def test_words_say_what_it_costs_and_what_it_does_not_promise() -> None:
    outcome = evaluate(TWO, sample("bob"))
    words, said = describe(outcome), describe_hidden(outcome)["text"]
    assert "Your six protected timestamps share 0.86 of the budget of 1.00, 0.143 each" in words.paragraph
    assert "Six timestamps are protected as landmarks; two of them are dummies." in words.paragraph
    assert "Choosing them spends another 1.00: 2.00 in all." in words.paragraph
    assert "0.143 instead of 0.20, and the expected mean error is 2.8 km instead of 2.0 km" in said
    assert "with probability 0.67, while any timestamp at all is one with probability 0.50" in said
    assert NO_PROMISE in words.warnings
    assert "not which of them are landmarks" in words.assumption
    plain = describe(evaluate(TWO.with_changes(hide=False), sample("bob")))
    assert NO_PROMISE not in plain.warnings and "dumm" not in plain.paragraph
    assert "Which timestamps are landmarks is taken as known" in plain.assumption
    nothing = evaluate(Scenario(hide=True), sample("bob"))
    assert describe_hidden(nothing)["text"] == "No landmark is marked, so there is nothing to hide."
    assert NO_PROMISE not in describe(nothing).warnings


def test_schemes_without_a_budget_for_landmarks_cost_no_noise() -> None:
    texts = {s: describe_hidden(evaluate(TWO.with_changes(scheme=s), sample("bob")))["text"] for s in SCHEMES}
    free = {scheme for scheme, text in texts.items() if "the dummies cost no noise" in text}
    assert free == {"event", "user", "window", "budget-distribution", "budget-absorption", "planned"}
    assert "Skip leaves out six timestamps instead of four." in texts["skip"]
    assert "Adaptive begins with a budget of 0.143 instead of 0.20." in texts["adaptive"]


def test_budgets_by_hand_go_to_landmarks_and_dummies_alike() -> None:
    page = session(hide=True, seed=TWO.seed, scheme="given")
    page.apply([{"op": "budget", "of": "landmarks", "value": 0.1}], commit=True)
    marked = np.isin(np.arange(8), page.outcome.protected)
    assert marked.sum() == 6, "another budget for dummies would tell them from landmarks"
    assert page.outcome.budgets[marked] == pytest.approx(0.1)
    assert page.outcome.budgets[~marked] == pytest.approx(1 / 7)


def test_bars_of_dummies_are_hollow() -> None:
    outcome = evaluate(TWO, sample("bob"))
    marker, others = bar_marker(outcome), set(outcome.protected) - {0, 2, 4, 7}
    assert [k for k, colour in enumerate(marker["color"]) if colour == HOLLOW] == sorted(others)
    assert [k for k, width in enumerate(marker["line"]["width"]) if width] == sorted(others)
    assert outcome.figure().data[0].marker.line.width == tuple(marker["line"]["width"])
    long = evaluate(Scenario(track="commuter", landmarks=(3, 90), hide=True, seed=4), sample("commuter"))
    traces = {trace["name"]: trace for trace in describe_timeline(long)["data"]}
    assert traces["dummies, hollow"]["x"] == list(dummies(long.scenario, len(long)))
    assert traces["landmarks"]["x"] == [3, 90]


def test_it_travels_in_links_files_python_and_tables() -> None:
    page = session(hide=True, hide_epsilon=0.5, hide_most=2, seed=TWO.seed)
    other = LandmarkSession()
    other.open_link(page.link.query)
    assert other.choices == page.choices and other.outcome.protected == page.outcome.protected
    assert scenario_from_json(scenario_json(page.choices)) == page.choices
    names: dict[str, Any] = {}
    tree = ast.parse(python_snippet(page.choices))
    exec(compile(tree, "snippet", "exec"), names)
    assert names["outcome"].budgets.tolist() == page.outcome.budgets.tolist()
    assert names["outcome"].to_frame().protected.sum() == len(page.outcome.protected)
    head, *rows = page.save("table").data.decode().splitlines()
    column = head.split(",").index("protected")
    kept = [row.split(",")[column] for row in rows]
    assert len(set(kept)) == 2 and len(kept) == 8
    assert "protected" not in session().save("table").data.decode().partition("\n")[0]


def test_a_longer_track_takes_the_method_that_it_allows() -> None:
    page = session(hide=True, hide_method="optimal")
    assert page.choices.hide_method == "optimal"
    page.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    assert page.choices.hide_method == "greedy"
    with pytest.raises(InputError, match="greedy"):
        page.apply([{"op": "set", "name": "hide_method", "value": "optimal"}], commit=True)
    assert page.choices.hide_method == "greedy", "what is refused changes nothing"


def test_a_landmark_is_never_moved_onto_a_dummy() -> None:
    outcome = evaluate(TWO.with_changes(landmark_loss=True), sample("bob"))
    moves = move_landmarks(outcome)
    assert moves and {move.landmark for move in moves} <= {0, 2, 4, 7}
    assert not {move.to for move in moves} & set(outcome.protected)


def test_a_series_says_its_cost_in_its_own_unit() -> None:
    for name in series_names():
        page = session(track=name)
        page.apply([{"op": "mark", "indices": [1, 3, 6], "on": True}], commit=True)
        page.apply([{"op": "set", "name": "hide", "value": True}], commit=True)
        text = describe_hidden(page.outcome)["text"]
        if len(page.outcome.protected) > len(page.choices.landmarks):
            assert "the expected mean error is" in text and " m " not in text and " km" not in text
