"""Somebody who knows the streets: what is found with a made-up file, what is said of it, and where."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer
from lmdk_widgets.answers.street_attack import (
    LEAST_APART_M,
    MOST_POINTS,
    MOST_READ,
    StreetAttack,
    by_streets,
    may_follow,
    street_steps,
)
from lmdk_widgets.answers.usefulness import reading_of, releases, useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample, sample_series
from tests.basemaps import around, layer, write
from tests.pages.track.streets_on_file import PLACE, ZOOM, walked, written


def outcome_on(track: Any, **changes: Any) -> Any:
    """An outcome with a reader's error from one draw."""
    south, west = track.latitude.min() - 0.01, track.longitude.min() - 0.015
    north, east = track.latitude.max() + 0.01, track.longitude.max() + 0.015
    box = tuple(float(round(each, 4)) for each in (south, west, north, east))
    outcome = evaluate(Scenario(**{"radius_m": 200.0, "region": box, **changes}), track)
    return outcome.improved(results={"useful": Result("", useful(outcome, 1), done=True)})


@pytest.mark.long
def test_streets_bring_an_attacker_nearer_who_is_on_them(tmp_path: Path) -> None:
    outcome = outcome_on(walked(60, 3), epsilon=2.0)
    found = by_streets(outcome, written(tmp_path))
    assert found.nearer and found.error_m < 0.8 * found.reader_m
    assert found.off_m < found.every_m / 2  # it walks on them, and points are so near to each other
    assert found.sentence.startswith("Somebody who knows these streets comes within ")


@pytest.mark.long
def test_streets_elsewhere_bring_nobody_nearer(tmp_path: Path) -> None:
    aside = layer("roads", [(2, [(0, 40), (4096, 40)], {"kind": "minor_road"})])  # one street to each tile
    outcome = outcome_on(walked(30, 4), epsilon=20.0)
    found = by_streets(outcome, written(tmp_path, content=aside))
    assert not found.nearer and found.off_m > 100
    assert found.sentence.startswith("Knowing the streets of grid.pmtiles brings nobody nearer; you are ")


def test_what_is_said_of_each_case() -> None:
    near = StreetAttack("a.pmtiles", 96.2, 125.9, 124.0, 12.0, 30.0, capped=True, larger=True)
    assert near.sentence == (
        "Somebody who knows these streets comes within 96 m of you on average; without them, within 130 m. They assume that "
        "you move along the streets of a.pmtiles; the mechanism and its budgets are public. Only the larger streets are "
        "used: at most 1,000 junctions are followed. One place in every 30 m of street is tried, 800 in all."
    )
    assert not StreetAttack("a.pmtiles", 125.2, 125.9, 126.0, 12.0, 30.0).nearer  # both are 130 m
    assert not StreetAttack("a.pmtiles", 96.0, 125.9, 95.0, 12.0, 30.0).nearer  # chance: others of the releases
    assert StreetAttack("a.pmtiles", np.nan, 9.0, why="none").sentence == ""
    assert StreetAttack("a.pmtiles", np.nan, 9.0, why="damaged").sentence == "The streets of a.pmtiles cannot be read."
    many = StreetAttack("a.pmtiles", np.nan, 9.0, why="many").sentence
    assert many.endswith("is not computed: where you may be, they have more than 1,000 junctions.")


def test_caps_and_files_without_streets(tmp_path: Path) -> None:
    outcome = outcome_on(walked(4, 5), epsilon=0.5)
    dense = [(2, [(0, at), (4096, at)], {"kind": "path"}) for at in range(8, 4096, 8)]
    for content, why in (
        (layer("roads", dense), "many"),
        (layer("water", dense), "none"),
        (b"\x1a\xff\xff\xff\xff\x0f", "damaged"),
    ):
        found = by_streets(outcome, write(tmp_path / f"{why}.pmtiles", around(*PLACE, [ZOOM]), content))
        assert found.why == why and np.isnan(found.error_m)
    red = write(tmp_path / "red.pmtiles", [(0, 0, 0)], b"no", kind=2, packing=1)
    assert by_streets(outcome, red).why == "none"


def test_the_errors_are_those_of_the_releases_of_the_reader(tmp_path: Path) -> None:
    outcome = outcome_on(walked(6, 6), epsilon=3.0).improved(streets=Basemap(written(tmp_path)))
    *steps, found = street_steps(outcome)
    assert found is not None and not any(steps) and found.reader_m == outcome.found("useful").reader
    assert found.every_m >= LEAST_APART_M and found.capped == (found.every_m > 2 * LEAST_APART_M)
    # no estimate is better than the nearest point, nor is any as far away as the region is wide
    plain = reading_of(outcome)
    drawn = list(islice(releases(outcome), MOST_READ))
    assert len(drawn) == MOST_READ and 0 < found.error_m < 3 * np.mean(
        [plain.errors(plain.follow([one])[0].estimates).mean() for one in drawn]
    )
    assert MOST_POINTS == 800


def test_streets_apply_to_points_of_tracks_alone(tmp_path: Path) -> None:
    file = written(tmp_path)
    bob = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    assert not may_follow(bob) and may_follow(bob.improved(streets=Basemap(file)))
    cells = evaluate(Scenario(mechanism="randomised"), sample("bob"))
    series = sample_series("heart")
    for other in (cells, evaluate(Scenario(track=series.name), series)):
        with pytest.raises(InputError, match="Streets can be followed by a track under planar Laplace"):
            by_streets(other, file)


@pytest.mark.long
def test_the_page_says_it_beside_found_and_in_its_report_and_its_program(tmp_path: Path) -> None:
    track, file = walked(20, 3), written(tmp_path)
    outcome = outcome_on(track)
    scenario = Scenario(epsilon=2.0, radius_m=200.0, region=outcome.scenario.region, track="")
    explorer = Explorer(track, scenario=scenario, basemap=file)
    explorer.page.finish()
    found: StreetAttack = explorer.outcome.found("streets")
    assert found.sentence
    (answer,) = (each for each in explorer.text()["answers"] if each["name"] == "Found")
    assert answer["line"].endswith(found.sentence) and answer["brief"].endswith(found.brief)
    assert found.sentence.partition(";")[0] in explorer.report().data.decode()
    assert "basemap='grid.pmtiles'" in explorer.session.python()
    assert "by_streets(outcome, 'grid.pmtiles').sentence" in explorer.session.snippet()
    explorer.epsilon = 4.0
    explorer.page.finish()
    assert explorer.outcome.found("streets") != found and explorer.outcome.streets is not None
    explorer.close()


def test_without_a_file_nothing_is_computed_or_said() -> None:
    page = TrackPage()
    page.finish()
    assert page.outcome.streets is None and "streets" not in page.outcome.results
    assert "streets" not in json.dumps(page.text()["answers"]) and "basemap" not in page.session.python()
