"""Hidden landmarks on the track page: what is protected in their place, what it costs, and where it travels."""

from __future__ import annotations

import ast
import math
import re
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers import dummies as of_dummies
from lmdk_widgets.answers.dummies import NO_PROMISE
from lmdk_widgets.budgets import dummy_posterior, landmark_totals, posterior
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import bound, count
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import move_landmarks
from lmdk_widgets.pages.track.dummies import describe_hidden
from lmdk_widgets.pages.track.files import choices_from_json, choices_json
from lmdk_widgets.pages.track.report import landmark_parts
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.pages.track.timeline import HOLLOW, bar_marker, describe_timeline
from lmdk_widgets.scenario import SCHEMES, Outcome, Scenario, describe, evaluate
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.scenario.hidden import dummies, protected
from lmdk_widgets.scenario.model import HIDING
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import series_names
from tests.landmark_choices import finished

BOB = Scenario(landmarks=(0, 2, 4, 7), hide=True, hide_method="greedy")
TWO = next(one for seed in range(100) if len(protected(one := BOB.with_changes(hide_seed=seed), 8)) == 6)
"""Bob's day with two dummies."""
PAPERS = [method for method in HIDING if method != "random"]


def session(**changes: Any) -> TrackSession:
    page = TrackSession()
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
    found = {protected(BOB.with_changes(hide_seed=seed), 8) for seed in range(60)}
    assert len(found) >= 4
    for scenario in (TWO, TWO.with_changes(scheme="skip")):
        outcome, fresh = evaluate(scenario, sample("bob")), release_afresh(scenario, sample("bob"))
        assert fresh.budgets.tolist() == outcome.budgets.tolist(), "another choice would show the landmarks"


def test_at_most_so_many_dummies() -> None:
    sizes = {len(dummies(BOB.with_changes(hide_seed=seed, hide_most=1), 8)) for seed in range(40)}
    assert sizes == {0, 1}
    assert protected(Scenario(hide=True), 8) == ()


def test_words_say_what_it_costs_and_what_it_does_not_promise() -> None:
    outcome = evaluate(TWO, sample("bob"))
    words, said = describe(outcome), describe_hidden(outcome)
    assert "Your six protected timestamps share 0.86 of the budget of 1, 0.143 each" in words.paragraph
    assert "Six timestamps are protected as landmarks; two of them are dummies." in words.paragraph
    assert "in all" not in words.paragraph + said and "Choosing them spends" not in words.paragraph + said
    assert "It buys no privacy for the landmarks, so it is not added to epsilon." in said
    assert "0.143 instead of 0.20, and the expected mean error is 2.8 km instead of 2.0 km" in said
    assert "random pick" not in said, "the chance that is shown is that of someone who knows the method"
    assert NO_PROMISE in words.warnings
    assert "not which of them are landmarks" in words.assumption
    plain = describe(evaluate(TWO.with_changes(hide=False), sample("bob")))
    assert NO_PROMISE not in plain.warnings and "dumm" not in plain.paragraph
    assert "Which timestamps are landmarks is assumed to be public" in plain.assumption
    nothing = evaluate(Scenario(hide=True), sample("bob"))
    assert describe_hidden(nothing) == "No landmark is marked, so there is nothing to hide."
    assert NO_PROMISE not in describe(nothing).warnings


def attack_of(outcome: Outcome) -> tuple[Any, str]:
    """What is left by `dummy_posterior` of Python, and the sentences of the page."""
    scenario, n = outcome.scenario, len(outcome)
    how = {"method": scenario.hide_method, "epsilon_select": scenario.hide_epsilon, "most": scenario.hide_most}
    chances = dummy_posterior(outcome.protected, n, len(scenario.landmarks), **how)
    return chances, describe_hidden(outcome)


@pytest.mark.parametrize("method", PAPERS)
def test_the_page_shows_what_someone_who_knows_the_method_is_left_with(method: str) -> None:
    for seed in range(12):
        outcome = evaluate(BOB.with_changes(hide_seed=seed, hide_method=method), sample("bob"))
        chances, said = attack_of(outcome)
        certain, all_ = int((chances == 1).sum()), len(outcome.protected)
        if all_ == 4:
            assert (
                "the protected timestamps are your landmarks, so nothing is hidden." in said and "left with" not in said
            )
            continue
        assert (
            "Someone who knows the method and that there are four landmarks is left with" in describe(outcome).paragraph
        )
        assert f" of {math.comb(all_, 4)} sets of four timestamps." in said or "the dummies hide nothing" in said
        if certain:
            assert f"{count(certain, 'timestamp').capitalize()} {'is' if certain == 1 else 'are'} certainly" in said
        else:
            least = bound(float(chances.max()), up=False)
            assert (
                f"is a landmark with probability at least {least}; a random timestamp is one with probability 0.50"
                in said
            )


def test_five_landmarks_of_a_week_are_all_found() -> None:
    track = sample("commuter")
    scenario = BOB.with_changes(track="commuter", landmarks=track.landmarks[:5], hide_seed=3)
    outcome = evaluate(scenario, track)
    chances, said = attack_of(outcome)
    assert len(outcome.protected) > 5 and chances.nonzero()[0].tolist() == list(scenario.landmarks)
    hidden = "Someone who knows the method and that there are five landmarks is left with one set of five timestamps: "
    assert f"{hidden}the dummies hide nothing." in said and hidden in describe(outcome).paragraph
    one = evaluate(scenario.with_changes(landmarks=(700,), hide_seed=2), track)
    assert "that there is one landmark is left with one set of one timestamp: the dummies" in attack_of(one)[1]


@pytest.mark.usefixtures("no_reader")
def test_an_attack_that_takes_longer_is_computed_beside_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_dummies, "AT_ONCE", 0)
    monkeypatch.setattr(posterior, "AT_ONCE", 15)
    page = session(hide=True, hide_method="greedy", hide_seed=TWO.hide_seed)
    assert describe_hidden(page.outcome).count("is not computed yet.") == 1
    task, began, told = page.task(page.outcome), page.state, []
    assert task is not None
    told.append(page.progress(page.outcome, busy=True))
    for better in page.improve(page.outcome):
        page.take(better, began)
        told.append(page.progress(page.outcome, busy=True))
    trying = "Testing which sets of landmarks could give these dummies"
    assert [one.text for one in told[:2]] == [f"{trying}.", f"{trying}: 3 of 15 tested."]
    assert [one.share for one in told] == [None, 0.2, 0.4, 0.6, 0.8, 1.0, None] and told[-1] == Progress()
    found = describe_hidden(page.outcome)
    assert "is left with" in found and "not computed" not in found
    page.apply([{"op": "set", "name": "epsilon", "value": 0.5}], commit=True)
    assert "is left with" in describe_hidden(page.outcome), "epsilon has no part in it"
    assert page.task(page.outcome) is None
    page.apply([{"op": "set", "name": "hide_most", "value": 1}], commit=True)
    assert "is not computed yet." in describe_hidden(page.outcome)
    ended = page.interrupted(page.outcome).stopped
    assert ended == "Cancelled before it was known what the dummies reveal."
    assert session().task(session().outcome) is None


@pytest.mark.long
def test_too_many_sets_are_said_to_be_too_many() -> None:
    track = sample("commuter")
    scenario = BOB.with_changes(track="commuter", landmarks=tuple(range(5, 600, 11)), hide_seed=2)
    outcome = finished(TrackChoices(scenario), track)
    attacked = outcome.found("dummies")
    assert attacked is not None and attacked.sampled
    said = describe_hidden(outcome)
    assert f"too many sets of {len(scenario.landmarks)} timestamps to test them all here" in said
    assert f"none of {attacked.tried:,} random ones gives these dummies. Anyone who knows" in said
    some = replace(attacked, left=7, chances=np.where(np.arange(len(track)) < 60, 0.25, 0.0))
    said = describe_hidden(outcome.improved(results={"dummies": Result("asked", some, done=True)}))
    assert f"is left with 7 of {some.tried:,} random sets of {len(scenario.landmarks)} timestamps." in said
    assert "with probability about 0.25; a random" in said


def test_nothing_on_the_page_or_in_its_files_adds_the_budget_of_the_dummies() -> None:
    page = session(hide=True, hide_method="greedy", hide_seed=TWO.hide_seed, hide_epsilon=0.37)
    texts = [describe(page.outcome), describe_hidden(page.outcome), page.save("table").data.decode()]
    made = landmark_parts(page.choices, page.outcome, release_afresh(page.scenario, page.data))
    texts += ["".join(part.pieces) for part in made]
    said = unicodedata.normalize("NFKC", str(texts))  # a released place or a distance may have these digits by chance
    assert not re.search(r"(?<![\d.])1\.37(?!\d| k?m)", said) and "0.37 for the number of dummies" in said
    assert str(texts).count("is left with") == 3, "in words, beside the switch, and in the report"
    label = Scenario.kinds()["hide"].label
    assert "Hide" not in label and all("paper's method" in HIDING[method] for method in PAPERS)


def test_schemes_without_a_budget_for_landmarks_cost_no_noise() -> None:
    texts = {s: describe_hidden(evaluate(TWO.with_changes(scheme=s), sample("bob"))) for s in SCHEMES}
    free = {scheme for scheme, text in texts.items() if "the dummies cost no noise" in text}
    fixed = {"event", "user", "window", "best-plan", "planned"}
    assert free == fixed | {"budget-distribution", "budget-absorption", "predictive"}
    assert "Skip leaves out six timestamps instead of four." in texts["skip"]
    assert "Adaptive starts with a budget of 0.143 instead of 0.20." in texts["adaptive"]


def test_numbers_that_are_equal_are_the_same() -> None:
    """Seven landmarks and any one other timestamp are all eight, as the seven with a dummy are."""
    random = {"hide_method": "random", "hide_joining": "stated", "hide_chance": 1.0}
    said = describe_hidden(evaluate(TWO.with_changes(landmarks=range(7), **random), sample("bob")))
    assert (
        "gets a budget of 0.125, the same as without dummies, and the expected mean error is 3.2 km, the same" in said
    )
    assert "instead" not in said


def test_budgets_by_hand_go_to_landmarks_and_dummies_alike() -> None:
    page = session(hide=True, hide_method="greedy", hide_seed=TWO.hide_seed, scheme="given")
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
    long = evaluate(BOB.with_changes(track="commuter", landmarks=(3, 90), hide_seed=4), sample("commuter"))
    traces = {trace["name"]: trace for trace in describe_timeline(long)["data"]}
    assert traces["dummies, hollow"]["x"] == list(dummies(long.scenario, len(long)))
    assert traces["landmarks"]["x"] == [3, 90]


def test_it_travels_in_links_files_python_and_tables() -> None:
    page = session(hide=True, hide_method="greedy", hide_epsilon=0.5, hide_most=2, hide_seed=TWO.hide_seed)
    other = TrackSession()
    other.open_link(page.link.query)
    assert other.choices == page.choices and other.outcome.protected == page.outcome.protected
    assert choices_from_json(choices_json(page.choices)) == page.choices
    names: dict[str, Any] = {}
    tree = ast.parse(python_snippet(page.scenario))
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
    assert page.choices.scenario.hide_method == "optimal"
    page.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    assert page.choices.scenario.hide_method == "greedy"
    with pytest.raises(InputError, match="greedy"):
        page.apply([{"op": "set", "name": "hide_method", "value": "optimal"}], commit=True)
    assert page.choices.scenario.hide_method == "greedy", "what is refused changes nothing"


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
        text = describe_hidden(page.outcome)
        if len(page.outcome.protected) > len(page.choices.scenario.landmarks):
            assert "the expected mean error is" in text and " m " not in text and " km" not in text
