"""What a mechanism or a plan takes from the data that it protects is warned of, in files too, and never called the best."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.from_track import from_track, noted, track_warnings
from lmdk_widgets.hosts.widget.track import Explorer
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import CompareChoices
from lmdk_widgets.pages.track.defences import defence_table, defence_texts, defences_csv, shown
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Knowledge, Scenario, defences, describe, evaluate
from lmdk_widgets.scenario.model import MECHANISMS, ONLINE_SCHEMES
from lmdk_widgets.scenario.reportable_cells import reported_cells
from lmdk_widgets.sweep.defence_measures import PROMISES
from lmdk_widgets.sweep.defences_compared import Defended, against, efficient, recommended
from lmdk_widgets.sweep.rows import Row
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import sample_data

CELLS = ("optimal", "spanner", "remapped")
PLAN = {"scheme": "planned", "correlation": "estimated", "cell_m": 2000.0}
TAKING: list[tuple[dict[str, Any], str]] = [
    *(({"mechanism": name}, "cells and their prior") for name in CELLS),
    ({"mechanism": "randomised"}, "grid"),
    (PLAN, "budgets, by an estimated chain,"),
]
COVERED = "which no guarantee covers"
BOB = Scenario(landmarks=(0, 2, 4, 7), cells="track", place_m=2000.0)


@pytest.mark.parametrize(("changes", "what"), TAKING)
def test_the_page_warns_and_says_what_to_do(changes: dict[str, Any], what: str) -> None:
    outcome = evaluate(BOB.with_changes(**changes), sample("bob"))
    (warning,) = track_warnings(outcome.scenario, sample("bob"))
    assert warning in describe(outcome).warnings and "depend" in warning and "Before you rely on it" in warning
    assert from_track(outcome.scenario) and what in noted("simulation", outcome.scenario)
    if changes != PLAN:
        assert MECHANISMS[changes["mechanism"]].partition(":")[0] in warning
    both = outcome.scenario.with_changes(**PLAN)
    assert len(track_warnings(both, sample("bob"))) == (1 if changes == PLAN else 2)


@pytest.mark.parametrize(
    "changes", [{}, {"scheme": "planned"}, {"correlation": "estimated", "cell_m": 2000.0}, {"scheme": "adaptive"}]
)
def test_what_takes_nothing_from_the_data_is_not_warned_of(changes: dict[str, Any]) -> None:
    scenario = BOB.with_changes(**changes)
    assert (
        not from_track(scenario)
        and not track_warnings(scenario, sample("bob"))
        and noted("simulation", scenario) == "simulation"
    )


def test_a_plan_for_a_series_warns_too() -> None:
    scenario = Scenario(track="household", scheme="planned", correlation="estimated", landmarks=(3,), level_width=0.5)
    session = TrackSession(sample_data("household"), scenario)
    assert any("estimated from the very data" in warning for warning in describe(session.outcome).warnings)
    assert all(COVERED in row["note"] for row in csv.DictReader(io.StringIO(session.save("csv").data.decode())))


@pytest.mark.parametrize("mechanism", CELLS)
def test_with_hardly_any_budget_the_cell_nearest_to_the_track_is_reported_all_the_time(mechanism: str) -> None:
    """What the warning says: no budget pays for it."""
    track = sample("commuter")
    scenario = BOB.with_changes(track="commuter", landmarks=track.landmarks, epsilon=1e-6, mechanism=mechanism)
    outcome = evaluate(scenario, track)
    assert len({*zip(outcome.latitude.tolist(), outcome.longitude.tolist(), strict=True)}) == 1
    known = reported_cells(scenario, track)
    area, cell = known.area, known.cell
    share = np.bincount(cell, minlength=len(area)) / len(track)
    assert (share == known.prior).all()
    nearest = area.points_m[int((share @ area.distances_m).argmin())]
    assert outcome.reports is not None
    assert np.hypot(*(outcome.reports.outputs - nearest).T).max() < 1e-6


@pytest.mark.usefixtures("few_draws")
@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(("changes", "what"), TAKING)
def test_every_file_of_it_says_so(changes: dict[str, Any], what: str) -> None:
    page = Explorer(scenario=BOB.with_changes(**changes))
    session, said = page.session, f"{what} come"
    try:
        for kind in ("csv", "table"):
            rows = list(csv.DictReader(io.StringIO(session.save(kind).data.decode())))
            assert len(rows) == 8 and all(said in row["note"] and COVERED in row["note"] for row in rows)
        assert said in json.loads(session.save("geojson").data)["note"]
        assert said in session.save("html").data.decode()
        (warning,) = track_warnings(session.scenario, session.data)
        report = page.report().data.decode()
        assert said in report and warning in report
        comments = [line for line in session.snippet().splitlines() if line.startswith("#")]
        assert any(said in line for line in comments)
    finally:
        page.close()


@pytest.mark.parametrize(("changes", "what"), TAKING)
def test_a_what_if_of_ones_own_track_says_how_its_release_was_made(changes: dict[str, Any], what: str) -> None:
    session = TrackSession(sample("bob"), BOB.with_changes(track="", **changes))
    (warning,) = track_warnings(session.scenario, session.data)
    assert warning in session.what_if().said
    planar = TrackSession(sample("bob"), BOB.with_changes(track="")).what_if().said
    assert "Before you rely on it" not in planar


@pytest.mark.long
def test_the_comparison_of_schemes_notes_the_rows_that_take_something() -> None:
    session = TrackSession(
        sample("bob"), TrackChoices(BOB.with_changes(mechanism="optimal"), compare=CompareChoices(open=True))
    )
    for better in session.improve(session.outcome):
        session.take(better, session.state)
    notes = {
        row["scheme"]: row["note"] for row in csv.DictReader(io.StringIO(session.save("comparison").data.decode()))
    }
    assert {scheme for scheme, note in notes.items() if COVERED not in note} == ONLINE_SCHEMES


def defence(scheme: str, mechanism: str, reader_m: float, away_m: float, **more: Any) -> Row:
    numbers = dict.fromkeys(("mean_error_m", "reader_error_m", "reader_regular_m"), reader_m)
    numbers |= dict.fromkeys(("attacker_error_m", "attacker_landmarks_m", "nearest_found_m"), away_m)
    numbers |= {"attacker_by_reader": 0.0, "attacker_chance": 0.1} | dict.fromkeys(PROMISES, 1.0)
    return Row(scheme, mechanism, 1.0, 200.0, numbers, **more)


def defended(rows: list[Row], scenario: Scenario) -> Any:
    outcome = evaluate(scenario, sample("bob"))
    found = Defended(tuple(rows), True, len(rows), len(rows), 3, 40, 500.0)
    return outcome.improved(results={"defences": Result("asked", found, done=True)})


def test_no_star_and_no_sentence_recommends_a_defence_that_is_made_from_the_track() -> None:
    planar = defence("uniform", "planar", 2000.0, 1000.0)
    fair = defence("weighted", "planar", 1500.0, 1100.0)
    better = defence("uniform", "optimal", 10.0, 9000.0, place_m=500.0, from_track=True)
    keeps = against(BOB, sample("bob"))
    assert efficient([planar, fair, better], keeps) == (False, True, False)
    assert recommended([planar, fair, better], planar, keeps) is fair
    outcome = defended([planar, fair, better], BOB)
    found, texts = shown(outcome), defence_texts(outcome)
    assert found is not None and found.rows[found.best] is fair
    assert "Weighted by planar Laplace keeps these promises" in texts[0]
    assert (
        "of which 1 is efficient" in texts[1] and "One defence takes its cells, grid or plan from the track" in texts[1]
    )
    assert [row[1] for row in defence_table(found).texts()] == [
        "Optimal on cells\N{NO-BREAK SPACE}†",
        "Planar Laplace",
        "Planar Laplace",
    ]
    notes = [row["note"] for row in csv.DictReader(io.StringIO(defences_csv(outcome)))]
    assert [COVERED in note for note in notes] == [True, False, False]
    chosen = defended([better, planar, fair], BOB.with_changes(mechanism="optimal"))  # it costs least, and is chosen
    found = shown(chosen)
    assert found is not None and found.rows[found.now] is better and found.best == -1
    assert "Every other defence promises less" in defence_texts(chosen)[0]


@pytest.mark.long
def test_which_defences_take_something_is_found_by_what_they_release() -> None:
    for correlation in ("moderate", "estimated"):
        scenario = BOB.with_changes(correlation=correlation, cell_m=2000.0)
        table = defences(scenario, sample("bob"), knowledge=Knowledge(cells=40), draws=1)
        plan = table.scheme.isin(["planned", "best-plan"]) & (correlation == "estimated")
        assert table.from_track.tolist() == ((table.mechanism != "planar") | plan).tolist()
        assert not (table.efficient & table.from_track).any() and table.efficient.any()
        fair = table[~table.from_track]
        nearest = fair.reader_regular_m.min()
        assert fair.efficient[fair.reader_regular_m == nearest].any() and not math.isnan(nearest)
