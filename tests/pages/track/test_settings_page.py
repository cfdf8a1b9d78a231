"""The table of many settings on the page, without the page: order, conditions, files, undo, and what is computed again."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import pytest

from lmdk_widgets.answers.usefulness import digits, read_text, useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.link import link_of
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.table import (
    COLUMNS,
    READ,
    READ_DRAWS,
    SettingsTableChoices,
    TableReader,
    judged,
    settings_table,
    table_block,
    table_csv,
    table_texts,
)
from lmdk_widgets.pages.track.table_choices import applied
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.model import SPREADS
from lmdk_widgets.sweep.many_settings import NAMES, Settings
from lmdk_widgets.sweep.rows import EXPECTED, Row
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import sample_data


def put(name: str, value: Any) -> dict[str, Any]:
    return {"op": "sort", "value": value} if name == "sort" else {"op": "set", "name": f"table.{name}", "value": value}


def table_of(session: TrackSession) -> Any:
    return session.outcome.found("table")


def improved(session: TrackSession) -> TrackSession:
    for better in session.improve(session.outcome):
        session.take(better, session.state)
    return session


@pytest.fixture
def opened() -> TrackSession:
    session = TrackSession(scenario=Scenario(landmarks=(0, 2, 4, 7), correlation="none"))
    session.apply([put("schemes", ["event", "uniform", "user"])], commit=True)
    session.apply([put("epsilons", "0.5 1 4"), put("radii_m", "100 200"), put("kept", False)], commit=True)
    session.apply([{"op": "set", "name": "table.open", "value": True}], commit=True)
    return improved(session)


def which(row: Row) -> tuple[str, str, float, float]:
    return row.scheme, row.mechanism, row.epsilon, row.radius_m


def row(**numbers: float) -> Row:
    plain = dict.fromkeys(EXPECTED.names, 1.0)
    return Row("uniform", "planar", 1.0, 200.0, plain | numbers)


def test_the_best_is_the_least_error_of_those_that_meet_every_condition(opened: TrackSession) -> None:
    opened.apply([put("most_error_m", 500), put("most_loss", 4), put("kept", True)], commit=True)
    table, asked = table_of(opened), opened.choices.table
    found = judged(table, asked)
    meets = [which(r) for r, met in zip(table.rows, found.met, strict=True) if met]
    assert meets == [
        ("user", "planar", 4.0, 100.0),
        ("uniform", "planar", 4.0, 100.0),
        ("uniform", "planar", 4.0, 200.0),
    ]
    assert which(table.rows[found.best]) == meets[1]
    said = table_texts(opened.choices.table, opened.outcome)
    assert said[0] == (
        "18 settings. Six settings break the landmark Theorem: the landmarks and one other timestamp spend more than epsilon "
        "together. Three settings meet every condition."
    )
    assert said[1].startswith(
        "The least error among them: Uniform, epsilon 4 at 100 m. Mean error 250 m, 95 % radius 593 m"
    )
    assert [table.rows[k]["error_m"] for k in found.order[:3]] == pytest.approx([250, 400, 500])


@pytest.mark.parametrize(
    ("conditions", "excesses"),
    [
        ({"most_error_m": 40}, "Its mean error of 50 m is 10 m above 40 m."),
        ({"most_loss": 0.01}, "Its largest loss of 0.063 is 0.053 above 0.01."),
        ({"most_radius95_m": 100.0}, "Its 95 % radius of 119 m is 19 m above 100 m."),
        ({"most_landmark_loss": 0.1}, "Its landmark loss of 0.313 is 0.213 above 0.1."),
        ({"kept": True, "schemes": ["event"]}, "Its Theorem's sum of 20 exceeds its epsilon by 16."),
    ],
)
def test_what_misses_least_says_what_and_by_how_much(opened: TrackSession, conditions: Any, excesses: str) -> None:
    asked = [put(name, value) for name, value in conditions.items()]
    improved(opened).apply(asked, commit=True)
    text, nearest, *_ = table_texts(improved(opened).choices.table, opened.outcome)
    assert text.endswith("No settings meet every condition.") and nearest.startswith("The nearest is ")
    assert nearest.endswith(excesses), nearest


def test_missing_numbers_come_last_either_way_and_meet_nothing() -> None:
    rows = (row(error_m=2.0), row(error_m=math.nan, largest_total_loss=math.nan), row(error_m=1.0))
    for falling in (False, True):
        found = judged(Settings(rows, True), SettingsTableChoices(falling=falling))
        assert found.order == ((0, 2, 1) if falling else (2, 0, 1)) and found.best == 2
        assert found.met == (True, False, True)
    assert not judged(Settings(rows, True), SettingsTableChoices(most_loss=5.0)).met[1]
    none = judged(Settings(rows[1:2], True), SettingsTableChoices())
    assert none.best is None


def test_rounding_does_not_decide_which_setting_misses_least() -> None:
    """Two radii have one loss, but for its last digit: the nearest is the one with the smaller error."""
    rows = (row(error_m=337.0, pair_loss=2.0), row(error_m=93.0, pair_loss=2.0 * (1 + 4e-16)))
    asked = SettingsTableChoices(most_loss=1.0)
    for some in (rows, rows[::-1]):
        best = judged(Settings(some, True), asked).best
        assert best is not None and some[best]["error_m"] == 93.0
    unknown = row(error_m=1.0, pair_loss=math.nan)
    assert judged(Settings((unknown, *rows), True), asked).best == 2


def opening(**changes: Any) -> TrackSession:
    """The table as it opens, with nothing asked for."""
    table = changes.pop("table", SettingsTableChoices()).with_changes(open=True)
    scenario = Scenario(landmarks=(0, 2, 4, 7)).with_changes(**changes)
    return improved(TrackSession(scenario=TrackChoices(scenario, table=table)))


@pytest.mark.long
@pytest.mark.parametrize("track", ["bob", "household"])
def test_the_opening_rows_keep_the_theorem_and_how_many_break_it_is_said(
    track: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableReader, "asked", lambda *_: None)
    session = TrackSession(sample_data(track), Scenario(track=track, landmarks=(0, 2, 4, 7), correlation="none"))
    session.apply([{"op": "set", "name": "table.open", "value": True}], commit=True)
    rows, found = table_of(improved(session)).rows, judged(table_of(session), session.choices.table)
    broken = sum(row["theorem_sum"] > row.epsilon * (1 + 1e-9) for row in rows)
    kept = len(rows) - broken
    assert 0 < broken < len(rows) and all(rows[k].kept for k in found.order[:kept])
    assert rows[found.order[0]].scheme not in ("event", "window") and rows[found.best].kept
    first = table_texts(session.choices.table, session.outcome)[0]
    assert first.startswith(
        f"{len(rows)} settings. {broken} settings break the landmark Theorem: the landmarks and one other"
    )
    assert f"{kept} settings meet every condition." in first


@pytest.mark.parametrize(
    "changes", [{"mechanism": name, "cells": "track", "place_m": 2000.0} for name in ("optimal", "randomised")]
)
def test_no_setting_that_takes_something_from_the_track_is_called_the_best(changes: Any) -> None:
    few = SettingsTableChoices(schemes="uniform planned adaptive", epsilons="0.5 1", radii_m="200")
    session = opening(table=few, **changes)
    rows = table_of(session).rows
    assert [row.from_track for row in rows] == [row.mechanism != "planar" for row in rows]
    assert {row.mechanism for row in rows if not row.from_track} == {"planar"}  # Adaptive decides while it releases
    assert rows[judged(table_of(session), few).best].scheme == "adaptive"
    text, named, *_ = table_texts(few, session.outcome)
    assert "Four settings take their cells, grid or plan from the data themselves, which no guarantee covers" in text
    assert named.startswith("The least error of the others: Adaptive")
    one = SettingsTableChoices(schemes="uniform", epsilons="1", radii_m="200")
    outcome = opening(table=one, **changes).outcome
    texts = table_texts(one, outcome)
    assert "★ " not in table_block(one, outcome).signs and "One setting takes its cells, grid or plan from" in texts[0]
    assert not any("least error" in text or "The nearest" in text for text in texts)
    notes = {r["mechanism"]: r["note"] for r in csv.DictReader(io.StringIO(table_csv(few, session.outcome)))}
    assert "which no guarantee covers" in notes[changes["mechanism"]] and "covers" not in notes["planar"]


def test_a_plan_by_an_estimated_chain_is_not_called_the_best() -> None:
    asked = SettingsTableChoices(schemes="planned", epsilons="1", radii_m="200", kept=False)
    for correlation, taken in (("estimated", True), ("moderate", False)):
        session = opening(table=asked, correlation=correlation, cell_m=2000.0)
        said = table_texts(asked, session.outcome)
        assert [row.from_track for row in table_of(session).rows] == [taken]
        assert (judged(table_of(session), asked).best is None) == taken == ("no guarantee covers" in said[0])
        note = next(csv.DictReader(io.StringIO(table_csv(asked, session.outcome))))["note"]
        assert ("an estimated chain" in note) == taken


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_sorts_both_ways(opened: TrackSession, column: str) -> None:
    table = table_of(opened)
    first = [table.rows[k] for k in judged(table, SettingsTableChoices(sort=column, kept=False)).order]
    last = [table.rows[k] for k in judged(table, SettingsTableChoices(sort=column, kept=False, falling=True)).order]
    measure = {"loss": "pair_loss", "landmark_sum": "theorem_sum", "found_m": "found_within_m"}.get(column, column)

    def value(r: Row) -> float:
        if column == "scheme":
            return ["event", "user", "uniform"].index(r.scheme)
        return float(r[measure] if measure in EXPECTED.names else getattr(r, column))

    values = [value(r) for r in first]
    assert values == sorted(values)
    assert [value(r) for r in last] == sorted(values, reverse=True)
    assert all(
        len(texts) == len(COLUMNS) + 1 for texts in settings_table(SettingsTableChoices(), opened.outcome).texts()
    )


def test_a_row_is_gone_to_in_one_step_and_undo_leads_back_to_the_table(opened: TrackSession) -> None:
    opened.apply([put("sort", "loss")], commit=True)
    before, rows = opened.choices, table_of(opened)
    opened.apply([{"op": "go", "scheme": "planned", "epsilon": 0.5, "radius_m": 100.0}], commit=True)
    assert (opened.choices.scenario.scheme, opened.choices.scenario.target, opened.choices.scenario.radius_m) == (
        "planned",
        0.5,
        100.0,
    )
    assert opened.choices.scenario.epsilon == 1.0 and table_of(opened) is rows and opened.choices["table.open"]
    opened.apply([{"op": "undo"}], commit=True)
    assert opened.choices == before and table_of(opened) is rows
    opened.apply([{"op": "go", "scheme": "user"}], commit=True)
    assert (opened.choices.scenario.scheme, opened.choices.scenario.epsilon, opened.choices.scenario.radius_m) == (
        "user",
        1.0,
        200.0,
    )


@pytest.mark.usefixtures("no_reader")
def test_what_changes_no_row_computes_nothing_again_and_what_does_empties_the_table(opened: TrackSession) -> None:
    before, rows = opened.task(opened.outcome), table_of(opened)
    for operation in (
        {"op": "set", "name": "epsilon", "value": 3.0},
        {"op": "set", "name": "radius_m", "value": 300.0},
        {"op": "set", "name": "scheme", "value": "skip"},
        put("most_loss", 1.0),
        put("sort", "epsilon"),
    ):
        opened.apply([operation], commit=True)
        assert opened.task(opened.outcome) == before and table_of(opened) is rows, operation
    for operation in ({"op": "toggle", "index": 1}, {"op": "set", "name": "seed", "value": 5}, put("epsilons", "2")):
        improved(opened).apply([operation], commit=True)
        assert table_of(opened) is None, operation
    opened.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    assert table_of(opened) is None


def test_the_work_says_how_far_it_is_and_what_was_computed_stays(opened: TrackSession) -> None:
    whole, rows = opened.outcome, table_of(opened).rows
    part = whole.results["table"]._replace(found=Settings(rows[:5], False), done=False)
    some = whole.improved(results={"table": part})
    assert opened.progress(some, busy=True).text == "Computing the table: 5 of 18 settings are done."
    assert opened.progress(some, busy=True).share == 5 / 18
    ended = opened.interrupted(some, "")
    assert ended.stopped == "Cancelled after 5 of 18 settings of the table." and ended.found("table") is part.found
    assert table_texts(opened.choices.table, ended)[0].startswith("Five settings so far.")
    *_, last = opened.improve(ended)
    assert last.found("table").rows == rows and last.results["table"].done
    assert not list(opened.improve(whole))


@pytest.mark.long
def test_the_files_hold_all_rows_and_say_what_they_are(opened: TrackSession) -> None:
    file = opened.save("settings")
    rows = list(csv.DictReader(io.StringIO(file.data.decode())))
    assert file.name == "simulation-not-a-private-release_bob_settings.csv" and len(rows) == 18
    columns = [*(name for name in NAMES if name != "found_kept"), *READ[:3], "meets_conditions", "note"]
    assert sorted(rows[0]) == sorted(columns) and "never publish" in rows[0]["note"]
    assert [float(r["mean_error_m"]) for r in rows] == sorted(float(r["mean_error_m"]) for r in rows)
    named = {row["scheme"]: row["scheme_title"] for row in rows}
    assert named == {scheme: SPREADS[scheme].title for scheme in named} and len(named) > 1
    opened.apply([{"op": "set", "name": "compare.open", "value": True}], commit=True)
    file = improved(opened).save("comparison")
    rows = list(csv.DictReader(io.StringIO(file.data.decode())))
    assert len(rows) == 12 and rows[3]["scheme"] == "uniform" and float(rows[3]["landmark_loss"]) == 1.0
    titles = {row["scheme"]: row["scheme_title"] for row in rows}
    assert titles["planned"] == "Cao's plan" and titles["best-plan"] == "Planned" and titles["uniform"] == "Uniform"


def test_a_link_holds_what_is_asked_for_and_one_that_asks_for_nothing_known_is_refused(opened: TrackSession) -> None:
    opened.apply([put("most_error_m", 500.0)], commit=True)
    other = TrackSession()
    other.open_link(link_of(opened.choices).query)
    assert other.choices == opened.choices
    for wrong in ("table.epsilons=many", "table.most_loss=x", "table.sort=nosuch"):
        with pytest.raises(InputError):
            other.open_link(f"page=track&v=3&{wrong}")
    with pytest.raises(InputError):
        opened.apply([put("nosuch", 1)], commit=True)
    assert other.choices == opened.choices


def test_pinned_settings_leave_the_table_alone() -> None:
    asked = SettingsTableChoices(open=True, most_loss=1.0)
    session = TrackSession(scenario=TrackChoices(table=asked))
    session.apply([{"op": "pin"}, {"op": "set", "name": "scheme", "value": "skip"}, {"op": "swap"}], commit=True)
    assert session.choices.table == asked and session.choices.pinned.scheme == "skip"


def test_a_track_on_which_nothing_can_be_drawn_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.sweep.settings_grid.MOST_DRAWN", 7)
    asked = SettingsTableChoices(schemes="adaptive", open=True)
    session = TrackSession(sample("bob"), TrackChoices(table=asked))
    assert table_texts(asked, session.outcome) == ["Not computed yet."]
    assert table_texts(asked, improved(session).outcome) == [
        "These schemes need simulated releases, and the track is too long for that."
    ]


@pytest.mark.long
def test_what_is_estimated_from_draws_has_two_digits() -> None:
    """The mean of twenty releases, and a radius of one draw; what is expected has all of its own."""
    asked = SettingsTableChoices(schemes="uniform adaptive", epsilons="9", radii_m="200", kept=False, open=True)
    session = TrackSession(sample("commuter"), TrackChoices(Scenario(landmarks=(3, 9), track="commuter"), table=asked))
    last = improved(session).outcome
    rows = {
        row.scheme: (row, texts) for row, texts in zip(last.found("table").rows, _in_rows(asked, last), strict=True)
    }
    row, texts = rows["adaptive"]
    two = metres(digits(row["error_m"], 2)), metres(digits(row["radius95_m"], 2))
    assert (texts["Mean error"], texts["95 % radius"]) == (f"≈ {two[0]}", two[1])
    assert two != (metres(row["error_m"]), metres(row["radius95_m"]))
    row, texts = rows["uniform"]
    assert (texts["Mean error"], texts["95 % radius"]) == (metres(row["error_m"]), metres(row["radius95_m"]))


def _in_rows(asked: SettingsTableChoices, outcome: Any) -> list[dict[str, str]]:
    """The texts of each row by heading, in the order in which the rows were computed."""
    table = settings_table(asked, outcome)
    texts = [dict(zip((c["heading"] for c in table.message()["columns"]), row, strict=True)) for row in table.texts()]
    order = judged(outcome.found("table"), applied(asked, outcome)).order
    return [text for _, text in sorted(zip(order, texts, strict=True), key=lambda pair: pair[0])]


def test_a_reader_reads_the_rows_that_are_shown(opened: TrackSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in its own setting, from the first on, and an ellipsis stands where none has read yet."""
    last, asked = opened.outcome, opened.choices.table
    at, waiting = settings_table(asked, last), last.improved(results={"table": last.results["table"]})
    assert {row[4] for row in settings_table(asked, waiting).texts()} == {"\N{HORIZONTAL ELLIPSIS}"}
    assert "reader" not in " ".join(table_texts(asked, waiting))
    for texts, act in zip(at.texts(), table_block(asked, last).acts, strict=True):
        spent = {name: act[name] for name in ("scheme", "epsilon", "radius_m")}
        one = last.scenario.with_changes(**spent, target=act["epsilon"])
        outcome = evaluate(one, sample("bob"))
        assert texts[4] == read_text(useful(outcome, READ_DRAWS).worth, outcome)
    assert "(the median of 5 draws)" in table_texts(asked, last)[-1]
    assert "shows the area, not the route" in {row[4].partition(", ")[2] for row in at.texts()}
    monkeypatch.setattr("lmdk_widgets.pages.track.table.MOST_SHOWN", 4)
    few = improved(TrackSession(scenario=opened.choices)).outcome
    assert len(few.found("table_reader")) == 4 and table_texts(asked, few)[-1].endswith("Only the rows shown are read.")
    assert [row[4] for row in settings_table(asked, few, 4).texts()] == [row[4] for row in at.texts()[:4]]
    few_of = improved(TrackSession(scenario=opened.choices))
    few_of.apply([put("sort", "loss")], commit=True)
    again = improved(few_of).outcome
    assert "\N{HORIZONTAL ELLIPSIS}" not in {row[4] for row in settings_table(few_of.choices.table, again, 4).texts()}


def test_the_fold_has_its_controls_and_its_headings_sort() -> None:
    fold = next(fold for fold in PANELS.folds() if fold["name"] == "table")
    assert fold["title"] == "A table to choose from" and fold["files"] == [["settings", "Table as CSV"]]
    assert not {"table.open", "table.sort", "table.falling"} & set(fold["fields"]) and len(fold["fields"]) == 9
    asked = SettingsTableChoices(schemes="uniform", epsilons="1", radii_m="200", falling=True)
    columns = table_block(asked, opening(table=asked).outcome).message()["columns"]
    sorts = {column["heading"]: (column["sort"]["value"], column["order"]) for column in columns if "sort" in column}
    assert sorts.pop("Mean error") == ("error_m", "descending") and {order for _, order in sorts.values()} == {""}
    assert [column["heading"] for column in columns if "sort" not in column] == ["Careful reader"]
