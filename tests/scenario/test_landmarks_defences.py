"""Defences compared: each row against the page with its setting, who is efficient and cheapest, and how the table grows."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.landmarks.attacker import Attacker
from lmdk_widgets.pages.landmarks.choices import LandmarkChoices
from lmdk_widgets.pages.landmarks.defences import (
    DefenceChoices,
    defence_figure,
    defence_table,
    defence_texts,
    defences_csv,
    defences_drawing,
    shown,
)
from lmdk_widgets.pages.landmarks.report import landmark_parts, landmark_pictures
from lmdk_widgets.pages.landmarks.session import LandmarkSession
from lmdk_widgets.scenario import Knowledge, Scenario, defences, evaluate, infer
from lmdk_widgets.scenario.defence import cheapest, efficient
from lmdk_widgets.scenario.defending import offered
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS, ONLINE_SCHEMES
from lmdk_widgets.scenario.sweep import Row
from lmdk_widgets.scenario.useful import read_text, useful
from lmdk_widgets.trajectory import sample
from tests.landmark_choices import finished as whole

BOB = Scenario(landmarks=(0, 2, 4, 7))
HER = Attacker(40, open=True)


def asked(scenario: Scenario) -> LandmarkChoices:
    return LandmarkChoices(scenario, attacker=HER, defences=DefenceChoices(open=True))


def finished(scenario: Scenario) -> Any:
    return whole(asked(scenario), sample("bob"))


def found(outcome: Any) -> Any:
    return outcome.found("defences")


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
            worth = infer(one, her).whole
            draws.append((one.mean_error_m, worth.error_m.mean(), worth.right.mean()))
        assert [row.own_error_m, row.attacker_error_m, row.attacker_chance] == pytest.approx(
            np.mean(draws, axis=0).tolist(), nan_ok=True
        )


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


def defence(scheme: str, mechanism: str, own_m: float, attacker_m: float) -> Row:
    numbers = {"mean_error_m": own_m, "attacker_error_m": attacker_m, "attacker_chance": 0.1}
    return Row(scheme, mechanism, 1.0, 200.0, numbers)


def test_efficient_and_cheapest_by_their_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        numbers = rng.integers(1, 5, (int(rng.integers(1, 9)), 2)).astype(float)
        rows = [defence("event", "planar", own, hers) for own, hers in numbers]
        own, hers = numbers.T
        beaten = [
            any(
                own[j] <= own[i] and hers[j] >= hers[i] and (own[j] < own[i] or hers[j] > hers[i])
                for j in range(len(rows))
            )
            for i in range(len(rows))
        ]
        assert efficient(rows) == tuple(not b for b in beaten)
        now = rows[int(rng.integers(len(rows)))]
        best = cheapest(rows, now)
        allowed = [one["mean_error_m"] for one in rows if one["attacker_error_m"] >= now["attacker_error_m"]]
        assert best["attacker_error_m"] >= now["attacker_error_m"] and best["mean_error_m"] == min(allowed)
        assert best is now or best["mean_error_m"] < now["mean_error_m"]
    nothing = defence("skip", "planar", math.nan, 9.0)
    assert efficient([nothing, rows[0]])[0] is False and cheapest([nothing, rows[0]], rows[0]) is rows[0]
    assert cheapest([nothing], nothing) is nothing


@pytest.mark.nightly
def test_the_table_grows_the_present_one_first_and_can_be_left() -> None:
    session = LandmarkSession(sample("bob"), asked(BOB))
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


def test_a_click_on_a_row_opens_its_setting_and_keeps_the_table() -> None:
    session = LandmarkSession(sample("bob"), asked(BOB))
    session.outcome = finished(BOB)
    table = found(session.outcome)
    drawing = defences_drawing(session.outcome)
    scheme, mechanism, place_m = next(go for go in drawing.described["go"] if go[:2] == ["skip", "randomised"])
    session.apply([{"op": "go", "scheme": scheme, "mechanism": mechanism, "place_m": place_m}], commit=True)
    now = session.outcome
    assert (now.scenario.scheme, now.scenario.mechanism, now.scenario.place_m) == ("skip", "randomised", place_m)
    assert found(now) is table and session.task(now) is not None
    assert defences_drawing(now).described["go"][defences_drawing(now).described["table"]["marked"]][:2] == [
        "skip",
        "randomised",
    ]
    session.apply([{"op": "go", "scheme": "adaptive", "mechanism": "planar"}], commit=True)
    assert found(session.outcome) is table and session.outcome.scenario.scheme == "adaptive"
    session.apply([{"op": "set", "name": "epsilon", "value": 2.0}], commit=True)
    assert found(session.outcome) is None
    with pytest.raises(InputError, match="Mechanism must be"):
        session.apply([{"op": "go", "scheme": "skip", "mechanism": "nosuch"}], commit=True)


def test_a_row_opened_while_they_are_read_keeps_what_was_read() -> None:
    session = LandmarkSession(sample("bob"), asked(BOB))
    for outcome in session.improve(session.outcome):  # until a reader has read the third one
        session.outcome = outcome
        if (
            (now := found(session.outcome)) is not None
            and now.done
            and sum(row.worth is not None for row in now.rows) == 3
        ):
            break
    session.apply([{"op": "go", "scheme": "adaptive", "mechanism": "planar"}], commit=True)
    steps = (found(outcome) for outcome in session.improve(session.outcome))
    then = next(one for one in steps if one is not None and one is not now)
    assert then.done and [row.worth for row in then.rows[:3]] == [row.worth for row in now.rows[:3]]
    assert then.rows[3].worth is not None


def test_rows_marks_and_file_say_the_same() -> None:
    outcome = finished(BOB)
    found, drawing = shown(outcome), defences_drawing(outcome).described
    assert found is not None and len(drawing["table"]["columns"]) == len(drawing["table"]["rows"][0]) == 7
    own = [one["mean_error_m"] for one in found.rows]
    assert own == sorted(own) and drawing["table"] == defence_table(found).message()
    marks = {
        trace["meta"][k]: (x, y)
        for trace in defence_figure(found)["data"]
        if "meta" in trace
        for k, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True))
    }
    assert sorted(marks) == list(range(len(found.rows)))
    for k, one in enumerate(found.rows):
        assert marks[k] == pytest.approx((one["mean_error_m"], one["attacker_error_m"]), rel=1e-4)
    saved = list(csv.DictReader(io.StringIO(defences_csv(outcome))))
    assert [row["scheme"] for row in saved] == [one.scheme for one in found.rows]
    assert [float(row["attacker_error_m"]) for row in saved] == pytest.approx(
        [one["attacker_error_m"] for one in found.rows], rel=1e-6
    )
    assert [row["efficient"] == "1" for row in saved] == list(found.efficient) and "never publish" in saved[0]["note"]
    assert all(scheme in ALL_SCHEMES for scheme, *_ in drawing["go"])
    assert defence_texts(evaluate(BOB, sample("bob"))) == ["Not computed yet."]


def test_a_reader_reads_each_defence_after_the_others_are_there() -> None:
    outcome = finished(BOB)
    order, all_ = shown(outcome), outcome.found("defences")
    assert order is not None
    for texts, one in zip(defence_table(order).texts(), order.rows, strict=True):
        place = {} if one.place_m is None else {"place_m": one.place_m}
        alone = evaluate(BOB.with_changes(scheme=one.scheme, mechanism=one.mechanism, **place), sample("bob"))
        assert texts[3] == read_text(useful(alone, 20).worth, alone)
    assert any(texts[3].endswith(", worse than nothing") for texts in defence_table(order).texts())
    assert "(the median of 20 draws). Without a release, someone who knows only" in defence_texts(outcome)[2]
    rows = tuple(replace(one, worth=None) for one in all_.rows)
    waiting = outcome.improved(results={"defences": Result("asked", replace(all_, rows=rows))})
    assert {texts[3] for texts in defence_table(shown(waiting)).texts()} == {"\N{HORIZONTAL ELLIPSIS}"}
    assert "reader" not in " ".join(defence_texts(waiting))
    session = LandmarkSession(sample("bob"), asked(BOB))
    assert session.progress(waiting, busy=True).text == "Comparing defences: an honest reader has read 0 of 44."
    assert session.interrupted(waiting).stopped == "Cancelled after a reader had read 0 of 44 defences."
    saved = list(csv.DictReader(io.StringIO(defences_csv(outcome))))
    assert all(float(row["reader_error_m"]) > 0 and row["nothing_m"] == saved[0]["nothing_m"] for row in saved)


def test_the_report_has_the_table_and_the_chart() -> None:
    outcome = finished(BOB)
    *_, part = landmark_parts(asked(BOB), outcome, release_afresh(BOB, sample("bob")))
    assert part.heading == "Defences compared"
    text = " ".join(piece.html() for piece in part.pieces)
    assert defence_texts(outcome)[0] in text and all(
        f'<td class="right">{row[2]}</td>' in text for row in defence_table(shown(outcome)).texts()
    )
    picture = landmark_pictures(asked(BOB), outcome)[-1]
    assert picture.name == "defences" and picture.figure == defence_figure(shown(outcome))  # type: ignore[arg-type]


def test_nothing_released_is_said_and_bad_input_is_one_sentence() -> None:
    silent = finished(BOB.with_changes(scheme="skip", landmarks=tuple(range(8))))
    assert "you are without a release" in defence_texts(silent)[0]
    assert math.isnan(shown(silent).rows[-1]["mean_error_m"])  # type: ignore[union-attr]
    for change, sentence in (({"draws": 0}, "Draws must"), ({"draws": 1.5}, "Draws must")):
        with pytest.raises(InputError, match=sentence):
            defences(BOB, sample("bob"), **change)
    with pytest.raises(InputError, match="Landmarks must be indices between 0 and 7; got 9"):
        defences(BOB.with_changes(landmarks=(9,)), sample("bob"), draws=1)
