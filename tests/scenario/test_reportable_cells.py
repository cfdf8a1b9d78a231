"""Cells of the public region: the same for every track in it, with a uniform prior; expectations by loops on the sphere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.from_track import from_track, noted
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region, distance_m
from lmdk_widgets.geoind import smallest_epsilon
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario, defences, describe, evaluate, infer
from lmdk_widgets.scenario.model import MECHANISMS
from lmdk_widgets.scenario.people import with_checkins
from lmdk_widgets.scenario.reportable_cells import place_size_m, reported_area, reported_cells
from lmdk_widgets.trajectory import Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_names

ON_CELLS = [name for name in MECHANISMS if name != "planar"]
CHANNELS = [name for name in ON_CELLS if name != "randomised"]
PARIS = Region(48.75, 2.25, 49.0, 2.5)


def lattice(region: Region, side_m: float) -> list[tuple[float, float]]:
    """Latitude and longitude of the centres of the global grid's cells in a region, row by row, by spec N alone."""
    narrow = math.cos(math.radians((region.south + region.north) / 2))
    step = side_m / 111_195
    rows = [r for r in range(-400_000, 400_000) if region.south <= (r + 0.5) * step < region.north]
    columns = [c for c in range(-400_000, 400_000) if region.west <= (c + 0.5) * step / narrow < region.east]
    return [((r + 0.5) * step, (c + 0.5) * step / narrow) for r in rows for c in columns]


def moved(track: Trajectory, at: int, latitude: float, longitude: float) -> Trajectory:
    """The same track with one timestamp elsewhere."""
    lat, lon = track.latitude.copy(), track.longitude.copy()
    lat[at], lon[at] = latitude, longitude
    return Trajectory(lat, lon, track.time, track.landmarks, name="moved")


@pytest.mark.parametrize("side_m", [4000.0, 6000.0])
def test_the_cells_are_those_of_the_global_grid(side_m: float) -> None:
    area = reported_area(Scenario(mechanism="optimal", place_m=side_m), sample("bob"))
    expected = lattice(PARIS, side_m)
    found = list(zip(*(each.tolist() for each in area.frame.to_degrees(area.points_m)), strict=True))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):  # a flat frame against degrees: some metres in 15 km
        assert float(distance_m(*one, *other)) < 25


def test_one_timestamp_that_moves_changes_no_cell_and_two_tracks_of_a_region_have_the_same_reports() -> None:
    bob = sample("bob")
    tracks = [bob, moved(bob, 3, 48.99, 2.49), moved(bob, 0, 48.0, 7.0), sample("commuter"), sample("taxi")]
    chosen = Scenario(track="", mechanism="optimal", region=PARIS.limits)
    areas = {id(reported_area(chosen, track)) for track in tracks}
    priors = {reported_cells(chosen, track).prior.tobytes() for track in tracks}
    assert len(areas) == len(priors) == 1
    of_track = chosen.with_changes(cells="track", place_m=2000.0)
    assert len({len(reported_area(of_track, track)) for track in tracks[:2]}) == 2, "what the warning is about"
    supports = []
    for track in tracks[:3]:
        outcome = evaluate(chosen.with_changes(epsilon=1e-3, scheme="event"), track)
        (channel,) = outcome.reports.channels.values()  # type: ignore[union-attr]
        supports.append(channel.matrix.tobytes())
    assert len(set(supports)) == 1, "one mechanism for all of them"


@pytest.mark.parametrize("mechanism", CHANNELS)
def test_hardly_any_budget_reports_nothing_of_the_track(mechanism: str) -> None:
    """Where cells of the track put all reports into the most visited cell, at epsilon 1e-6."""
    track = sample("commuter")
    scenario = Scenario(track="commuter", landmarks=track.landmarks, epsilon=1e-6, mechanism=mechanism)
    outcome = evaluate(scenario, track)
    (channel,) = {c.matrix.tobytes(): c for c in outcome.reports.channels.values()}.values()  # type: ignore[union-attr]
    other = evaluate(scenario.with_changes(track="taxi", landmarks=(3,), scheme="event"), sample("taxi"))
    assert np.abs(channel.matrix - channel.matrix[0]).max() < 1e-4, "every row alike: the report is a coin"
    (its,) = other.reports.channels.values()  # type: ignore[union-attr]
    assert np.abs(channel.matrix - its.matrix).max() < 1e-2, "and the same coin for another person"
    home = np.bincount(reported_cells(scenario, track).cell).argmax()
    assert channel.matrix[0].argmax() != home or len({*outcome.latitude.tolist()}) > 1


@pytest.mark.parametrize("name", sample_names())
@pytest.mark.parametrize("mechanism", ON_CELLS)
def test_the_default_size_works_for_every_sample(name: str, mechanism: str) -> None:
    track = sample(name)
    outcome = evaluate(Scenario(track=name, mechanism=mechanism, scheme="event"), track)
    assert outcome.reports is not None and outcome.reports.cells == 35
    assert not from_track(outcome.scenario, track) and noted("x", outcome.scenario, track) == "x"
    assert not any("data that it protects" in said for said in describe(outcome).warnings)


@pytest.mark.parametrize("mechanism", CHANNELS)
def test_every_report_keeps_its_budget_for_all_pairs_of_cells_of_the_region(mechanism: str) -> None:
    outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7), mechanism=mechanism, epsilon=3.0), sample("bob"))
    area = reported_area(outcome.scenario, sample("bob"))
    for budget, channel in outcome.reports.channels.items():  # type: ignore[union-attr]
        assert smallest_epsilon(channel.matrix, area.distances_m) <= budget / 200 * (1 + 1e-9)


@pytest.mark.parametrize("mechanism", ["optimal", "randomised"])
def test_expectations_are_those_of_loops_also_for_points_outside(mechanism: str) -> None:
    track = moved(moved(sample("bob"), 1, 49.2, 2.3), 5, 48.8, 2.7)
    scenario = Scenario(track="", region=PARIS.limits, mechanism=mechanism, epsilon=20.0)
    outcome = evaluate(scenario, track)
    reports, area = outcome.reports, reported_area(scenario, track)
    assert reports is not None and reports.cells == 35
    true = PARIS.frame.to_metres(track.latitude, track.longitude)
    for t in range(8):
        inside = PARIS.clip(true[t])
        cell = min(range(35), key=lambda k: math.dist(inside, area.points_m[k]))
        assert reported_cells(scenario, track).cell[t] == cell
        if mechanism == "optimal":
            row = next(c for b, c in reports.channels.items() if b == pytest.approx(outcome.budgets[t])).matrix[cell]
        else:
            keep = math.exp(outcome.budgets[t]) / (math.exp(outcome.budgets[t]) + 34)
            row = np.where(np.arange(35) == cell, keep, (1 - keep) / 34)
        away = [
            float(distance_m(track.latitude[t], track.longitude[t], *area.frame.to_degrees(centre)))
            for centre in area.points_m
        ]
        assert reports.expected_m[t] == pytest.approx(float(row @ away), rel=2e-4)
        reach = min(d for d in away if sum(p for p, e in zip(row, away, strict=True) if e <= d) >= 0.95 - 1e-12)
        assert reports.radius95_m[t] == pytest.approx(reach, rel=2e-4)
    warned = [said for said in describe(outcome).warnings if "outside the region" in said]
    assert (
        len(warned) == 1 and "2 of 8 timestamps" in warned[0] and "the mechanism takes the nearest point" in warned[0]
    )


def test_what_does_not_fit_is_refused_with_the_size_that_does() -> None:
    with pytest.raises(InputError, match="49 cells; got 504 cells of 1,000 m. Choose larger places, of 4,000 m"):
        evaluate(Scenario(mechanism="optimal", place_m=1000.0), sample("bob"))
    with pytest.raises(InputError, match="400 cells; got 504 cells of 1,000 m"):
        evaluate(Scenario(mechanism="randomised", place_m=1000.0), sample("bob"))
    with pytest.raises(InputError, match="got 0 cells of 90,000 m. Choose smaller places, of 4,000 m"):
        evaluate(Scenario(mechanism="optimal", place_m=90_000.0), sample("bob"))
    for region, most in ((PARIS, 49), (PARIS, 400), (Region(-1, -1, 1, 1), 49), (Region(60, 10, 60.01, 10.01), 20)):
        size_m = place_size_m(region, most)
        assert size_m is not None and 2 <= region.cell_count(size_m) <= most


@pytest.mark.long
def test_a_proposal_counts_as_taken_from_the_track_until_it_is_confirmed() -> None:
    track = moved(sample("bob"), 0, 48.87, 2.31)
    own = Scenario(track="", mechanism="optimal")
    assert from_track(own) and from_track(own, track) and from_track(Scenario(mechanism="optimal"), track)
    assert "its region, which nobody has confirmed, comes from the data" in noted("x", own)
    assert not from_track(own.with_changes(region=PARIS.limits), track)
    session = TrackSession(track, own)
    assert "proposal" in session.what_if().said and session.what_if().state.choices.scenario.region == PARIS.limits
    session.apply([{"op": "set", "name": "region", "value": list(PARIS.limits)}], commit=True)
    assert "proposal" not in session.what_if().said
    table = defences(own.with_changes(mechanism="planar"), track, draws=1)
    assert not (table.efficient & table.from_track).any() and table.from_track.any()


def test_an_adversary_of_cells_of_the_region_follows_bayes_rule_in_them() -> None:
    track = moved(sample("bob"), 1, 49.2, 2.3)
    scenario = Scenario(track="", region=PARIS.limits, mechanism="optimal", epsilon=20.0, correlation="none")
    outcome = evaluate(scenario, track)
    found = infer(outcome)
    assert found.area is reported_area(scenario, track)
    assert (found.truth == reported_cells(scenario, track).cell).all()
    (channel,) = outcome.reports.channels.values()  # type: ignore[union-attr]
    for t in range(8):
        away = [float(distance_m(outcome.latitude[t], outcome.longitude[t], *found.area.frame.to_degrees(c)))
                for c in found.area.points_m]  # fmt: skip
        column = channel.matrix[:, int(np.argmin(away))]
        np.testing.assert_allclose(found.belief[t], column / column.sum(), rtol=1e-6)


def test_a_prior_from_check_ins_is_asked_for_and_warned_of() -> None:
    scenario: Any = Scenario(mechanism="optimal", cells="people", epsilon=20.0)
    busy = with_checkins(sample("bob"), b"lat,lon,count\n48.8606,2.3376,99\n48.8530,2.3499,1\n")
    prior = reported_cells(scenario, busy).prior
    assert prior.max() > 0.9 and prior.sum() == pytest.approx(1)
    words = describe(evaluate(scenario, busy))
    assert any("secrets of the people who made them" in said for said in words.warnings)
    assert "with a public prior from your check-ins" in words.assumption
    words = describe(evaluate(scenario, sample("bob")))
    assert not any("secrets of the people" in said for said in words.warnings)
    assert "with a public prior from a made-up city" in words.assumption
    uniform = describe(evaluate(scenario.with_changes(cells="region"), busy))
    assert "with a uniform prior" in uniform.assumption and not any("people" in w for w in uniform.warnings)
