"""A track released as cells: the channel's promise, what is expected of it by loops, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.pages.place import track_area
from lmdk_widgets.pages.track.compare import compare_schemes
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.cells import CellReports
from lmdk_widgets.scenario.model import MECHANISMS, ONLINE_SCHEMES, SCHEMES
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import sample

ON_CELLS = [name for name in MECHANISMS if name not in ("planar", "randomised")]
BOB = Scenario(landmarks=(0, 2, 4, 7), mechanism="optimal", cells="track", place_m=1500.0)


def reports_of(outcome: Outcome) -> CellReports:
    assert outcome.reports is not None
    return outcome.reports


@pytest.mark.parametrize("mechanism", ON_CELLS)
@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name not in ONLINE_SCHEMES])
def test_every_report_keeps_its_budget_for_all_pairs_of_cells(mechanism: str, scheme: str) -> None:
    outcome = evaluate(BOB.with_changes(mechanism=mechanism, scheme=scheme), sample("bob"))
    area = track_area(sample("bob"), BOB.place_m)
    for budget, channel in reports_of(outcome).channels.items():
        matrix = channel.matrix
        for x in range(len(area)):
            for other in range(len(area)):
                allowed = budget * area.distances_m[x, other] / BOB.radius_m
                assert (matrix[x] <= np.exp(allowed) * matrix[other] * (1 + 1e-9)).all()
    assert set(outcome.budgets[outcome.budgets > 0].round(9)) == {round(b, 9) for b in reports_of(outcome).channels}


def test_expectations_are_those_of_the_plain_loops() -> None:
    track = sample("bob")
    outcome = evaluate(BOB.with_changes(scheme="skip"), track)
    reports, area = reports_of(outcome), track_area(track, BOB.place_m)
    (channel,) = reports.channels.values()
    cell = area.cell_of(track.points_m)
    for t, point in enumerate(track.points_m):
        if not outcome.published[t]:
            assert math.isnan(reports.expected_m[t]) and math.isnan(reports.planar_m[t])
            continue
        away = [math.dist(point, centre) for centre in area.points_m]
        row = channel.matrix[cell[t]]
        assert reports.expected_m[t] == pytest.approx(sum(p * d for p, d in zip(row, away, strict=True)))
        radius = min(d for d in away if sum(p for p, e in zip(row, away, strict=True) if e <= d) >= 0.95 - 1e-12)
        assert reports.radius95_m[t] == pytest.approx(radius)
        assert reports.planar_m[t] == pytest.approx(2 * BOB.radius_m / outcome.budgets[t])
    measured = outcome.published
    saving = reports.planar_m[measured].mean() - reports.expected_m[measured].mean()
    assert reports.saving_m == pytest.approx(saving)


def test_the_reports_follow_the_rows_of_the_channel() -> None:
    track = sample("commuter")
    scenario = Scenario(
        track="commuter", mechanism="optimal", cells="track", place_m=4000.0, scheme="event", epsilon=0.1
    )
    outcome = evaluate(scenario, track)
    area = track_area(track, scenario.place_m)
    cell = area.cell_of(track.points_m)
    reported = area.cell_of(reports_of(outcome).outputs)
    (channel,) = reports_of(outcome).channels.values()
    home = np.bincount(cell).argmax()
    seen = np.bincount(reported[cell == home], minlength=len(area))
    total = seen.sum()
    assert total > 1000
    spread = np.sqrt(total * channel.matrix[home] * (1 - channel.matrix[home]))
    assert (np.abs(seen - total * channel.matrix[home]) <= 5 * spread + 1).all()


def test_repeats_stay_repeats_and_nothing_stands_before_the_first() -> None:
    outcome = evaluate(BOB.with_changes(scheme="skip"), sample("bob"))
    outputs = reports_of(outcome).outputs
    assert np.isnan(outputs[0]).all() and math.isnan(outcome.error_m[0])
    for t in (2, 4, 7):
        assert (outputs[t] == outputs[t - 1]).all()


def test_a_link_and_a_program_give_the_same_release() -> None:
    outcome = evaluate(BOB, sample("bob"))
    linked = BOB.from_dict(from_query(to_query(BOB), Scenario))
    assert linked == BOB
    evaluate(BOB.with_changes(epsilon=0.7), sample("bob"))  # another solve between must change nothing
    again = evaluate(linked, sample("bob"))
    assert (again.latitude == outcome.latitude).all()
    names: dict[str, object] = {}
    exec(compile(python_snippet(BOB), "snippet", "exec"), names)
    assert (names["outcome"].latitude == outcome.latitude).all()  # type: ignore[attr-defined]


def test_the_average_is_near_what_is_expected() -> None:
    outcome = evaluate(BOB.with_changes(average=True), sample("bob"))
    assert outcome.error_low_m is not None
    expected = reports_of(outcome).expected_m
    assert outcome.error_m.mean() == pytest.approx(expected.mean(), rel=0.15)


@pytest.mark.parametrize("scheme", sorted(ONLINE_SCHEMES))
def test_schemes_that_decide_while_they_release_are_refused_and_compared_by_planar_laplace(scheme: str) -> None:
    with pytest.raises(InputError, match="sets its budgets as it releases; got Optimal on cells"):
        evaluate(BOB.with_changes(scheme=scheme), sample("bob"))
    rows = {row.scheme: row.mechanism for row in compare_schemes(BOB, sample("bob"))}
    assert rows[scheme] == "planar" and rows["uniform"] == "optimal"


def test_too_many_and_too_few_cells_are_refused() -> None:
    with pytest.raises(
        InputError, match="The track must have between 2 and 49 cells; got .* cells of 200 m. .* larger"
    ):
        evaluate(Scenario(track="taxi", mechanism="optimal", cells="track", place_m=200.0), sample("taxi"))
    with pytest.raises(InputError, match="between 2 and 49 cells; got 1 cell of 50,000 m"):
        evaluate(BOB.with_changes(place_m=50_000.0), sample("bob"))


def test_the_words_say_the_saving_and_what_a_cell_gives_away() -> None:
    outcome = evaluate(BOB, sample("bob"))
    words = describe(outcome)
    assert f"{reports_of(outcome).cells}" in words.paragraph or "cells" in words.paragraph
    assert "less than planar Laplace with the same budgets" in words.paragraph
    assert "two places in one cell are not told apart at all" in words.assumption
    assert not any("is nearly always the true cell" in warning for warning in words.warnings)
    telling = describe(evaluate(BOB.with_changes(epsilon=5.0), sample("bob")))
    assert any("is nearly always the true cell" in warning for warning in telling.warnings)
    planar = describe(evaluate(BOB.with_changes(mechanism="planar"), sample("bob")))
    assert "reports one of" not in planar.paragraph and "Places are cells" not in planar.assumption
