"""Practices that are combined, their rows in tables, and a study's measures: against a second computation from what is
published (`tests.practice.by_hand`)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lmdk_widgets.page.blocks import Table
from lmdk_widgets.pages.track.compare import Compare
from lmdk_widgets.pages.track.practices import practices_csv
from lmdk_widgets.pages.track.table import Table as SettingsTable
from lmdk_widgets.practice import PlaceFound
from lmdk_widgets.practice.chosen_practice import practice_of
from lmdk_widgets.practice.practised import practised, reader_error_m, target_of
from lmdk_widgets.study import Study
from lmdk_widgets.trajectory.model import Trajectory
from tests.landmark_choices import chosen, page_of
from tests.practice.by_hand import ByHand, Rounded, resting
from tests.practice.made_outings import life

CODES = [
    "zone 400",
    "zone 400, rounding 3",
    "zone 300, rounding 2",
    "zone 400 moved 200",
    "zone 400, thinning 2",
    "ends 300",
    "ends 300, rounding 3",
    "ends 300, zone 400",
    "ends 200, zone 300, rounding 3",
    "thinning 3",
    "rounding 2",
    "rounding 3",
    "thinning 3, rounding 3",
]


@cache
def outings(seed: int, many: int = 4) -> Trajectory:
    """Outings from a home anywhere in a cell of rounded coordinates."""
    rng = np.random.default_rng([19, seed])
    track, (north, east) = life(rng, outings=many), rng.uniform(-0.05, 0.05, 2)
    return replace(track, latitude=track.latitude + north, longitude=track.longitude + east)


@pytest.mark.long
@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("code", CODES)
def test_useful_and_found_are_those_computed_by_hand(code: str, knows: bool) -> None:
    if not knows and "rounding" in code and "zone" not in code and "ends" not in code:
        pytest.skip("the place is guessed by the time spent: see test_rounded_homes")
    for seed in (0, 5):  # of some others, rounded points are on a line, whose median is no single point
        track = outings(seed, 3)
        by_hand = ByHand(track, code, knows=knows)
        found = practised(practice_of(code), track, knows=knows, seed=0)
        assert found.published is not None
        assert found.published.time.tolist() == by_hand.published.time.tolist()
        for mine, theirs in (("latitude", "latitude"), ("longitude", "longitude")):
            assert getattr(found.published, mine).tolist() == getattr(by_hand.published, theirs).tolist()
        grid_m = 0.5 if isinstance(found.looked, PlaceFound) else 0.02
        assert found.found_m == pytest.approx(by_hand.found_m, abs=grid_m)
        assert reader_error_m(track, found.published).mean() == pytest.approx(by_hand.reader_m)


def test_the_area_of_rounding_is_that_of_a_grid_of_a_metre() -> None:
    for seed in range(3):
        track = outings(seed)
        found = practised(practice_of("rounding 3"), track, knows=True, seed=0)
        there = set(np.flatnonzero(target_of(track).members).tolist())
        assert found.published is not None and isinstance(found.looked, PlaceFound)
        by_hand = Rounded(found.published, resting(found.published, there), 3)
        assert found.looked.area_m2 == pytest.approx(by_hand.area_m2, rel=0.04)
        assert found.looked.reports == by_hand.reports > 3


@cache
def truth(code: str) -> ByHand:
    return ByHand(outings(2), code, knows=True)


def shown(off: float) -> float:
    return max(float(f"{off:.2g}"), 20.0)


def test_the_rows_in_tables_are_those_computed_by_hand() -> None:
    """One practice, another, and both, one after the other: the cards' file, Compare and the table of settings."""
    named = {"open": True, "zone": True, "rounding": True, "together": True}
    small = {"schemes": ("uniform",), "epsilons": (1.0,), "radii_m": (200.0,), "open": True}
    page = page_of(
        chosen(
            track="",
            limits__shown=False,
            compare__open=True,
            **{f"practices__{name}": value for name, value in named.items()},
            **{f"table__{name}": value for name, value in small.items()},
        ),
        outings(2),
    )
    codes = ["zone 400", "rounding 3", "zone 400, rounding 3"]
    lines = [line.split(",") for line in practices_csv(page.outcome).splitlines() if line.strip()]
    assert len(lines) >= 4
    for panel in (Compare(), SettingsTable()):
        table = next(block for block in panel.blocks(page.session.choices, page.outcome) if isinstance(block, Table))
        rows = [dict(zip([c.key or c.heading for c in table.columns], row, strict=True)) for row in table.rows[-3:]]
        assert [row["scheme"] for row in rows] == [practice_of(code).what for code in codes]
        for row, code in zip(rows, codes, strict=True):
            assert row["found_within_m"] == pytest.approx(shown(truth(code).found_m), abs=1)
            assert row["reader_error_m"] == pytest.approx(truth(code).reader_m)
            assert np.isnan(row["pair_loss"]) and list(row.values()).count("no promise") >= 2


def test_the_measures_of_a_study_are_those_computed_by_hand() -> None:
    codes = ["zone 400", "rounding 3", "zone 400, rounding 3"]
    measures = ["practice_found_m", "practice_area_m2", "practice_reader_m", "practice_published"]
    frame = Study([outings(2)], {"practice": codes}, measures=measures).run(None, jobs=1).set_index("practice")
    for code in codes:
        row = frame.loc[code]
        assert row.practice_found_m == pytest.approx(truth(code).found_m, abs=0.5)
        assert row.practice_reader_m == pytest.approx(truth(code).reader_m)
        assert row.practice_published == len(truth(code).published) / len(outings(2))
