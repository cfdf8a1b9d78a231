"""Files in the shapes of people's own exports: what each must become. They are not part of the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Trajectory

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "real"

# file, fewest and most rows, first and last time on 4 May 2024 (UTC), and what a person must be asked
FILES: list[tuple[str, int, int, str, str, str]] = [
    ("01_few_times.gpx", 3, 3, "06:00", "06:40", "rows"),
    ("03_same_second.gpx", 4, 4, "06:00", "06:45", "rows"),
    ("10_timeline_android.json", 14, 19, "04:00", "14:00", ""),
    ("12_timeline_ios.json", 15, 17, "04:00", "15:00", ""),
    ("16_semantic_old.json", 3, 4, "06:00", "12:00", ""),
    ("20_owntracks.rec", 12, 12, "06:00", "06:55", ""),
    ("28_kepler_trip.geojson", 12, 12, "06:00", "06:55", ""),
    ("73_track.kmz", 12, 12, "06:00", "06:55", ""),
    ("74_archive.zip", 12, 12, "06:00", "06:55", ""),
    ("72_overland.json", 12, 12, "06:00", "06:55", ""),
]


@pytest.mark.parametrize(("file", "fewest", "most", "first", "last", "kind"), FILES)
def test_each_file(file: str, fewest: int, most: int, first: str, last: str, kind: str) -> None:
    if not DATA.exists():
        pytest.skip("the shared data are absent")
    options: dict[str, Any] = {}
    if kind:
        with pytest.raises(InputError) as caught:
            load(DATA / file)
        assert caught.value.kind == kind
        options = {"on_problem": "drop"}
    track = load(DATA / file, **options)
    assert type(track) is Trajectory and fewest <= len(track) <= most
    day = np.datetime64("2024-05-04")
    assert [str(time - day) for time in track.time[[0, -1]].astype("datetime64[m]")] == [
        f"{int(clock[:2]) * 60 + int(clock[3:])} minutes" for clock in (first, last)
    ]
