"""Defences compared: each row against the page with its setting, which are efficient and recommended, how the table grows."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from lmdk_widgets.answers.found_places import half_region_m
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.answers.nearest_place import found_places_m, lasting
from lmdk_widgets.answers.usefulness import digits, useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.defences import (
    DefenceChoices,
    defence_blocks,
    defence_figure,
    defence_table,
    defence_texts,
    defences_csv,
    shown,
)
from lmdk_widgets.pages.track.report import landmark_parts, landmark_pictures
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Knowledge, Scenario, defences, evaluate, infer
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS, ONLINE_SCHEMES
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.defence_attacker import offered, promises
from lmdk_widgets.sweep.defence_measures import AT_LANDMARKS, ATTACKER_ERROR, NEAREST, PROMISES, REGULAR_ERROR
from lmdk_widgets.sweep.defences_compared import Against, against, efficient, keeps_promises, recommended
from lmdk_widgets.sweep.rows import Row
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished as whole
from tests.sweeps import FULL

BOB = Scenario(landmarks=(0, 2, 4, 7))
HER = Attacker(40, open=True)


def asked(scenario: Scenario) -> TrackChoices:
    return TrackChoices(scenario, attacker=HER, defences=DefenceChoices(open=True))


DRAWS = 10 if FULL else 3
"""As many as on the page, or fewer by day."""


@cache
def finished(scenario: Scenario) -> Any:
    with patch("lmdk_widgets.sweep.defences_compared.MOST_DRAWS", DRAWS):
        return whole(asked(scenario), sample("bob"))


def found(outcome: Any) -> Any:
    return outcome.found("defences")


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "known"),
    [
        ({}, {}),
        ({"cells": "track"}, {"start": "people"}),
        ({"mechanism": "randomised", "place_m": 5000.0}, {"moves": "near"}),
        ({"mechanism": "randomised", "cells": "track", "place_m": 900.0}, {"moves": "near"}),
        ({"mechanism": "remapped", "cells": "track", "place_m": 1500.0, "adversary": "past"}, {"start": "track"}),
        ({"scheme": "given", "budgets": ((0.5, 3), (0.0, 2), (0.25, 3))}, {"moves": "days"}),
    ],
)
def test_a_row_is_what_the_page_says_of_its_setting_draw_by_draw(
    changes: dict[str, Any], known: dict[str, Any]
) -> None:
    scenario, rng = BOB.with_changes(**changes), np.random.default_rng(len(changes | known))
    her = HER.known.with_changes(**known)
    table = defences(scenario, sample("bob"), knowledge=her, draws=3)
    assert (table.scheme[0], table.mechanism[0]) == (scenario.scheme, scenario.mechanism)
    side = 4000.0  # of the region's cells: the least round side of which it has at most 49
    if scenario.cells == "track":
        side = infer(evaluate(scenario.with_changes(mechanism="planar"), sample("bob")), her).area.cell_m
    for k in [0, *rng.choice(len(table), 9, replace=False)]:
        row, draws = table.iloc[k], []
        place_m = scenario.place_m if scenario.mechanism != "planar" else side
        assert row.place_m == place_m if row.mechanism != "planar" else math.isnan(row.place_m)
        chosen = scenario.with_changes(scheme=row.scheme, mechanism=row.mechanism)
        if row.mechanism != "planar":
            chosen = chosen.with_changes(place_m=place_m)
        for seed in (1, 2, 3):
            one = evaluate(chosen.with_changes(seed=seed), sample("bob"))
            seen, read = infer(one, her), useful(one, 1)
            regular = [t for t in range(8) if t not in BOB.landmarks]
            numbers = [one.mean_error_m, read.reader, read.error_m[regular].mean(), seen.whole.right.mean()]
            by = [errors.mean() for errors in (seen.whole.error_m, seen.by_reader)]
            at = [errors[list(BOB.landmarks)].mean() for errors in (seen.whole.error_m, seen.by_reader)]
            draws.append([*numbers, *by, *at])
        own, reader, at_regular, chance, *both, chain_at, reader_at = np.median(draws, axis=0).tolist()
        names = ["own_error_m", "reader_error_m", "reader_regular_m", "attacker_chance", "attacker_error_m"]
        assert row[names].tolist() == pytest.approx([own, reader, at_regular, chance, min(both)], nan_ok=True)
        assert row.attacker_by_reader == float(both[1] < both[0])
        assert row.attacker_landmarks_m == pytest.approx(min(chain_at, reader_at))
        assert math.isnan(row.nearest_found_m), "Bob stays nowhere"
        if scenario.adversary == "both":
            assert row.attacker_error_m <= row.reader_error_m


@pytest.mark.nightly
def test_every_scheme_has_the_mechanisms_that_can_serve_it_and_what_cannot_be_had_is_left_out() -> None:
    pairs = offered(BOB)
    assert pairs[0] == ("uniform", "planar") and len(set(pairs)) == len(pairs)
    assert {m for s, m in pairs if s in ONLINE_SCHEMES} == {"planar"} and {m for _, m in pairs} == set(MECHANISMS)
    strong = BOB.with_changes(correlation="matrix", matrix=((1.0, 0.0), (0.0, 1.0)), target=0.5)
    assert {one.scheme for one in found(finished(strong)).rows} == {s for s, _ in pairs}  # a plan of equal shares
    taxi = sample("taxi")
    many = BOB.with_changes(track="taxi", landmarks=(3,), scheme="event", epsilon=0.5, cells="track")
    rows = defences(many, taxi, knowledge=Knowledge(400), draws=1)
    assert set(rows.mechanism) == {"planar", "randomised"}  # it visits more cells than a channel can have
    assert len(rows) < len(offered(many))


PROMISED = dict.fromkeys(PROMISES, 1.0)


def defence(scheme: str, reader_m: float, away_m: float, **promised: float) -> Row:
    numbers = {REGULAR_ERROR: reader_m, AT_LANDMARKS: away_m, NEAREST: away_m}
    return Row(scheme, "planar", 1.0, 200.0, PROMISED | numbers | promised)


def test_efficient_and_recommended_by_their_definition() -> None:
    rng, keeps = np.random.default_rng(1), Against(AT_LANDMARKS)
    starred = 0
    for _ in range(300):
        numbers = rng.integers(1, 5, (int(rng.integers(1, 9)), 3)).astype(float)
        rows = [defence("event", reader, away, promised_all=loss) for reader, away, loss in numbers]
        reader, away, loss = numbers.T
        beaten = [
            any(
                reader[j] <= reader[i] and away[j] >= away[i] and (reader[j] < reader[i] or away[j] > away[i])
                for j in range(len(rows))
            )
            for i in range(len(rows))
        ]
        assert efficient(rows, keeps) == tuple(not b for b in beaten)
        now = int(rng.integers(len(rows)))
        best = recommended(rows, rows[now], keeps)
        allowed = [
            k
            for k in range(len(rows))
            if reader[k] <= reader[now]
            and away[k] >= away[now]
            and loss[k] <= loss[now]
            and (reader[k] < reader[now] or away[k] > away[now])
        ]
        assert (best is None) == (not allowed)
        if best is not None:
            starred += 1
            assert best[REGULAR_ERROR] == min(reader[k] for k in allowed)
            assert any(best is rows[k] for k in allowed)
    assert starred > 50


def test_a_star_needs_every_promise_that_is_asked_and_no_other() -> None:
    now, keeps = defence("uniform", 1000.0, 500.0), Against(AT_LANDMARKS)
    for name in PROMISES:
        weaker = defence("event", 100.0, 900.0, **{name: 1.1})
        assert not keeps_promises(weaker, now) and recommended([now, weaker], now, keeps) is None
        for nothing in (math.nan, 50.0):  # the present one promises nothing of this kind
            silent = defence("uniform", 1000.0, 500.0, **{name: nothing})
            assert recommended([silent, weaker], silent, keeps) is weaker
    assert recommended([now, defence("event", 100.0, 499.0)], now, keeps) is None, "found nearer"
    assert recommended([now, defence("event", 1001.0, 900.0)], now, keeps) is None, "less useful"
    assert recommended([now, defence("event", 999.0, 501.0)], now, keeps) is None, "not noticeably better"
    taken = replace(defence("event", 100.0, 900.0), from_track=True)
    assert recommended([now, taken], now, keeps) is None


def test_places_count_as_found_only_between_what_can_be_found() -> None:
    keeps = Against(NEAREST, 9000.0)
    assert [keeps.of(defence("event", 1.0, away)) for away in (3.0, 93.0, 2e4, math.inf)] == [20.0, 93.0, 9e3, 9e3]
    rows = [defence("event", 1.0, 20_000.0), defence("user", 2.0, math.inf)]
    assert efficient(rows, keeps) == (True, False), "neither finds a place"


def test_what_the_defences_of_a_track_are_compared_by() -> None:
    assert against(BOB, sample("bob")).measure == AT_LANDMARKS
    assert against(BOB.with_changes(landmarks=()), sample("bob")).measure == ATTACKER_ERROR
    commuter = Scenario(track="commuter")
    found = against(commuter, sample("commuter"))
    assert (found.measure, found.most_m) == (NEAREST, half_region_m(commuter, sample("commuter")))


def test_the_promises_of_a_row_are_those_of_its_scheme() -> None:
    track = sample("bob")
    for scheme, window, total in (("window", True, False), ("planned", False, True), ("uniform", False, False)):
        now = BOB.with_changes(scheme=scheme, window=3, epsilon=0.9)
        one, both, all_, of_window, loss = promises(evaluate(now, track), now)
        spent = evaluate(now, track).budgets
        assert one == pytest.approx(spent.max()) and all_ == pytest.approx(spent.sum()) and both >= one
        assert math.isnan(of_window) != window and math.isnan(loss) != total
        if window:
            sums = [spent[t : t + 3].sum() for t in range(6)]
            assert of_window == pytest.approx(max(sums)) and of_window <= 0.9 * (1 + 1e-9)
            asked = promises(evaluate(now.with_changes(scheme="budget-distribution"), track), now)
            assert asked[3] == pytest.approx(0.9)
            assert promises(evaluate(now.with_changes(scheme="event"), track), now)[3] == pytest.approx(2.7)


@pytest.mark.long
@pytest.mark.parametrize("mechanism", ["optimal", "randomised"])
def test_what_is_found_of_a_place_from_cells_is_as_far_off_as_expected(mechanism: str) -> None:
    """Simulated: places drawn anywhere in the region, each reported many times, guessed from all reports together."""
    rng, off, said = np.random.default_rng(4), [], []
    region = (48.8, 2.2, 48.92, 2.4)
    for seed in range(60):
        latitude, longitude = rng.uniform(48.8, 48.92), rng.uniform(2.2, 2.4)
        time = np.datetime64("2026-01-26T08:00") + np.arange(6) * np.timedelta64(10, "m")
        still = Trajectory(np.full(6, latitude), np.full(6, longitude), time, name="still")
        chosen = Scenario(
            track="", region=region, mechanism=mechanism, place_m=2500.0, scheme="event", epsilon=0.4, seed=seed
        )
        outcome = evaluate(chosen, still)
        (within,) = found_places_m(outcome)
        seen = infer(outcome, Knowledge(moves="near", step_m=1.0))  # nobody moves: all reports together
        off.append(seen.whole.error_m.mean())
        said.append(within)
    assert np.mean(off) == pytest.approx(np.mean(said), rel=0.15), "as far as the attacker expects"


def test_the_nearest_lasting_place_is_that_of_averaging() -> None:
    commuter = sample("commuter")
    outcome = evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter)
    found = found_places_m(outcome)
    assert found[:2] == pytest.approx([92.8, 129.0], abs=0.5) and len(found) == len(lasting(commuter))
    lasting_places_of.cache_clear()  # as after other visitors' tracks
    assert found_places_m(outcome) == found
    cells = evaluate(Scenario(track="commuter", mechanism="randomised", place_m=4000.0, scheme="event"), commuter)
    assert min(found_places_m(cells)) == pytest.approx(0.3826 * 4000, rel=1e-3), "never less than a cell"
    silent = evaluate(outcome.scenario.with_changes(scheme="skip", landmarks=tuple(range(len(commuter)))), commuter)
    assert min(found_places_m(silent)) == math.inf


@pytest.mark.nightly
def test_the_table_grows_the_present_one_first_and_can_be_left() -> None:
    session = TrackSession(sample("bob"), asked(BOB))
    began, seen = session.state, []
    for better in session.improve(session.outcome):
        session.take(better, began)
        if found(session.outcome) is not None and not found(session.outcome).done:
            seen.append(found(session.outcome).tried)
            text = session.progress(session.outcome, busy=True).text
            assert text == f"Comparing defences: {seen[-1]} of 44 are done."
            if len(seen) == 3:
                assert session.interrupted(session.outcome).stopped == "Cancelled after 3 of 44 defences."
                assert "three defences so far" in defence_texts(session.outcome)[1].lower()
                assert shown(session.outcome).rows[shown(session.outcome).now].scheme == "uniform"  # type: ignore[union-attr]
    assert seen == list(range(1, 44)) and found(session.outcome).done  # type: ignore[union-attr]


def table_of(outcome: Outcome) -> Table:
    (table,) = (block for block in defence_blocks(outcome) if isinstance(block, Table))
    return table


@pytest.mark.long
def test_a_click_on_a_row_opens_its_setting_and_keeps_the_table() -> None:
    session = TrackSession(sample("bob"), asked(BOB))
    session.outcome = finished(BOB)
    table = found(session.outcome)
    skip = {"scheme": "skip", "mechanism": "randomised"}
    go = next(act for act in table_of(session.outcome).acts if act.items() >= skip.items())
    place_m = go["place_m"]
    session.apply([go], commit=True)
    now = session.outcome
    assert (now.scenario.scheme, now.scenario.mechanism, now.scenario.place_m) == ("skip", "randomised", place_m)
    assert found(now) is table and session.task(now) is not None
    assert table_of(now).acts[table_of(now).marked].items() >= skip.items()
    session.apply([{"op": "go", "scheme": "adaptive", "mechanism": "planar"}], commit=True)
    assert found(session.outcome) is table and session.outcome.scenario.scheme == "adaptive"
    session.apply([{"op": "set", "name": "epsilon", "value": 2.0}], commit=True)
    assert found(session.outcome) is None
    with pytest.raises(InputError, match="Mechanism must be"):
        session.apply([{"op": "go", "scheme": "skip", "mechanism": "nosuch"}], commit=True)


@pytest.mark.long
def test_rows_marks_and_file_say_the_same() -> None:
    outcome = finished(BOB)
    found, table = shown(outcome), table_of(outcome)
    told = table.message()
    assert found is not None and len(told["columns"]) == len(told["rows"][0]) == 8
    order = [one["reader_regular_m"] for one in found.rows]
    assert order == sorted(order) and told["rows"] == defence_table(found).message()["rows"]
    marks = {
        table.acts.index(trace["meta"][k]): (x, y)
        for trace in defence_figure(found)["data"]
        if "meta" in trace
        for k, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True))
    }
    assert sorted(marks) == list(range(len(found.rows)))
    for k, one in enumerate(found.rows):
        assert marks[k] == pytest.approx((one["reader_regular_m"], one["attacker_landmarks_m"]), rel=1e-4)
    saved = list(csv.DictReader(io.StringIO(defences_csv(outcome))))
    assert [row["scheme"] for row in saved] == [one.scheme for one in found.rows]
    assert [row["scheme_title"] for row in saved] == [ALL_SCHEMES[one.scheme].partition(":")[0] for one in found.rows]
    assert [float(row["attacker_error_m"]) for row in saved] == pytest.approx(
        [one["attacker_error_m"] for one in found.rows], rel=1e-6
    )
    assert [row["efficient"] == "1" for row in saved] == list(found.efficient) and "never publish" in saved[0]["note"]
    assert all(act["scheme"] in ALL_SCHEMES for act in table.acts) and not table.waits
    stars = [k for k, sign in enumerate(table.signs) if "★" in sign]
    assert stars == [found.best][: found.best + 1] and ["✓" in sign for sign in table.signs] == list(found.efficient)
    assert defence_texts(evaluate(BOB, sample("bob"))) == ["Not computed yet."]


@pytest.mark.long
def test_the_table_says_what_a_reader_gets_and_by_which_model_an_attacker_is_off() -> None:
    outcome = finished(BOB)
    order = shown(outcome)
    assert order is not None
    for texts, one in zip(defence_table(order).texts(), order.rows, strict=True):
        assert one.worth is not None and one.worth.draws == outcome.found("defences").draws == DRAWS
        reader = metres(digits(one.worth.reader, 2))
        assert (
            texts[2] == f"{reader}, {one.worth.words.partition(':')[0]}" and one.worth.reader == one["reader_error_m"]
        )
        model = "reader" if one["attacker_by_reader"] else "chain"
        assert texts[4] == f"{metres(digits(one['attacker_error_m'], 2))}, {model}" and texts[7] == "no lasting place"
        assert one["attacker_error_m"] <= one["reader_error_m"], "never weaker than the reader"
        shown_m = [float(text.split()[0]) * (1000 if " km" in text else 1) for text in (texts[4], texts[2])]
        assert shown_m[0] <= shown_m[1], "nor where both are rounded"
    assert any(texts[2].endswith(", worse than nothing") for texts in defence_table(order).texts())
    said = "(the median of {} draws). Without a release, someone who knows only"
    assert said.format(DRAWS) in defence_texts(outcome)[2]
    saved = list(csv.DictReader(io.StringIO(defences_csv(outcome))))
    assert all(float(row["reader_error_m"]) > 0 and row["nothing_m"] == saved[0]["nothing_m"] for row in saved)
    assert {row["attacker_by_reader"] for row in saved} == {"0", "1"}


@pytest.mark.long
def test_the_report_has_the_table_and_the_chart() -> None:
    outcome = finished(BOB)
    *_, part = landmark_parts(asked(BOB), outcome, release_afresh(BOB, sample("bob")))
    assert part.heading == "Defences compared"
    text = " ".join(piece.html() for piece in part.pieces)
    assert escape(defence_texts(outcome)[0]) in text and all(
        f'<td class="right">{row[3]}</td>' in text for row in defence_table(shown(outcome)).texts()
    )
    picture = landmark_pictures(asked(BOB), outcome)[-1]
    assert picture.name == "defences" and picture.figure == defence_figure(shown(outcome))  # type: ignore[arg-type]


@pytest.mark.long
def test_nothing_released_is_said_and_bad_input_is_one_sentence() -> None:
    silent = finished(BOB.with_changes(scheme="skip", landmarks=tuple(range(8))))
    (nothing,) = [one for one in found(silent).rows if (one.scheme, one.mechanism) == ("skip", "planar")]
    assert math.isnan(nothing["mean_error_m"])
    assert nothing["reader_error_m"] == pytest.approx(nothing.worth.nothing, rel=0.05), "but for the width of a cell"
    for change, sentence in (({"draws": 0}, "Draws must"), ({"draws": 1.5}, "Draws must")):
        with pytest.raises(InputError, match=sentence):
            defences(BOB, sample("bob"), **change)
    with pytest.raises(InputError, match="Landmarks must be indices between 0 and 7; got 9"):
        defences(BOB.with_changes(landmarks=(9,)), sample("bob"), draws=1)
