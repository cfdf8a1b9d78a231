"""Every file of the shared data loads as it should, or is refused with a sentence to act on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"

# file, points as it is, points with zone London and problems dropped; or what the sentence says and of which kind
FILES: list[tuple[str, int | tuple[str, str], int | tuple[str, str]]] = [
    ("csv/google-location-excerpt.csv", 416, 416),
    ("csv/liverpool-bus-14.csv", ("timezone", "must have a time zone"), 1422),
    ("csv/phone-track-posmo.csv", ("timezone", "must have a time zone"), 1327),
    ("geolife/20081023025304.plt", 908, 908),
    ("geolife/20081023234104.plt", 2128, 2128),
    ("geolife/20081029092138.plt", 21, 21),
    ("gpx/Mojstrovka.gpx", ("rows", "182 of 184 points"), 2),
    ("gpx/around-visnjan-with-car.gpx", 104, 104),
    ("gpx/cerknicko-jezero-no-creator.gpx", 296, 296),
    ("gpx/cerknicko-jezero-with-elevations-zero.gpx", 296, 296),
    ("gpx/cerknicko-jezero-without-elevations.gpx", 295, 295),
    ("gpx/cerknicko-jezero.gpx", 296, 296),
    ("gpx/cerknicko-without-times.gpx", ("rows", "291 of 296 points"), 5),
    ("gpx/custom_schema_locations.gpx", ("", "must have a track"), ("", "must have a track")),
    ("gpx/default_schema_locations.gpx", ("", "must have a track"), ("", "must have a track")),
    ("gpx/first_and_last_elevation.gpx", 10, 10),
    ("gpx/gpx-with-node-with-comments.gpx", 1, 1),
    ("gpx/gpx1.0_with_all_fields.gpx", 1, 1),
    ("gpx/gpx1.1_with_all_fields.gpx", 1, 1),
    ("gpx/gpx1.1_with_extensions.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/gpx1.1_with_extensions_without_namespaces.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/gpx_with_garmin_extension.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/korita-zbevnica.gpx", ("rows", "358 of 871 points"), 513),
    ("gpx/limerick-bus-304.gpx", 2144, 2144),
    ("gpx/route.gpx", ("", "must have a time"), ("", "Export it again with times")),
    ("gpx/track-with-empty-segment.gpx", 9, 9),
    ("gpx/track-with-extremes.gpx", ("", "must have a time"), ("", "must have a time")),
    ("gpx/track-with-less-sec-time.gpx", 2, 2),
    ("gpx/track-with-small-floats.gpx", ("", "must have a time"), ("", "must have a time")),
    ("gpx/track_with_dilution_errors.gpx", ("", "must have a time"), ("", "must have a time")),
    ("gpx/track_with_speed.gpx", 3, 3),
    ("gpx/unicode.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/unicode2.gpx", ("", "must have a track"), ("", "must have a track")),
    ("gpx/unicode_with_bom.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/unicode_with_bom_noencoding.gpx", ("", "got only waypoints"), ("", "got only waypoints")),
    ("gpx/LICENSE.txt", ("", "got text of another kind"), ("", "got text of another kind")),
    ("paris/arrondissements.geojson", ("", "got Polygon"), ("", "coordTimes")),
    ("paris/paris-gowalla-global.csv", ("columns", "got data"), ("columns", "Write a line of headings")),
    (
        "power/feb2007_2days.txt",
        ("columns", "heading for latitude (such as lat) and longitude"),
        ("columns", "Global_active_power"),
    ),
    (
        "adult/adult.csv",
        ("columns", "heading for latitude (such as lat), longitude (such as lon) and time"),
        ("columns", "heading for"),
    ),
]


def shared(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the shared data are absent: {name}")
    return path


@pytest.mark.parametrize(("name", "as_it_is", "dropped"), FILES, ids=[name for name, *_ in FILES])
def test_shared_file(name: str, as_it_is: int | tuple[str, str], dropped: int | tuple[str, str]) -> None:
    path = shared(name)
    options = ({}, {"timezone": "Europe/London", "on_problem": "drop"})  # several tracks are joined
    for expected, option in zip((as_it_is, dropped), options, strict=True):
        if isinstance(expected, int):
            track = load_trajectory(path, on_several="join", **option)
            assert len(track) == expected
            assert track.name
        else:
            with pytest.raises(InputError) as caught:
                load_trajectory(path, on_several="join", **option)
            assert caught.value.kind == expected[0]
            assert expected[1] in str(caught.value)


def test_table_names_every_track_of_the_shared_data() -> None:
    shared("gpx")
    there = {f"{p.parent.name}/{p.name}" for folder in ("gpx", "geolife", "csv") for p in (DATA / folder).iterdir()}
    assert {name for name in there if not name.endswith((".README", ".txt"))} <= {name for name, *_ in FILES}


LOADING_GPX = [name for name, _, dropped in FILES if name.endswith(".gpx") and isinstance(dropped, int)]


@pytest.mark.parametrize("name", LOADING_GPX)
def test_gpx_agrees_with_the_bare_xml(name: str) -> None:
    """An independent reader of every GPX file that loads: its elements, the namespaces ignored."""
    path = shared(name)
    track = load_trajectory(path, on_problem="drop", on_several="join")
    utc = {}
    for element in ElementTree.fromstring(path.read_bytes()).iterfind(".//{*}trkpt"):
        text = element.findtext("{*}time")
        if text:
            time = datetime.fromisoformat(text)  # cut to microseconds, as gpxpy does
            time = time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC).replace(tzinfo=None)
            utc.setdefault(time, (float(element.attrib["lat"]), float(element.attrib["lon"])))
    assert track.time.astype("datetime64[us]").tolist() == sorted(utc)
    assert list(zip(track.latitude, track.longitude, strict=True)) == [utc[time] for time in sorted(utc)]


@pytest.mark.parametrize(
    ("name", "separator", "time", "zone"),
    [
        ("csv/google-location-excerpt.csv", ";", "tracked_at", None),
        ("csv/phone-track-posmo.csv", ";", "tracked_at", "Europe/Zurich"),
        ("csv/liverpool-bus-14.csv", ",", "timestamp", "Europe/London"),
    ],
)
def test_csv_agrees_with_pandas(name: str, separator: str, time: str, zone: str | None) -> None:
    """pandas as an independent reader."""
    pandas = pytest.importorskip("pandas")
    path = shared(name)
    table = pandas.read_csv(path, sep=separator)
    table[time] = pandas.to_datetime(table[time])
    if zone:
        table[time] = table[time].dt.tz_localize(zone)
    table[time] = table[time].dt.tz_convert("UTC").dt.tz_localize(None)
    table = table.drop_duplicates(time).sort_values(time)
    track = load_trajectory(path, timezone=zone, on_problem="drop", on_several="join")
    assert np.array_equal(track.latitude, table["latitude"])
    assert np.array_equal(track.longitude, table["longitude"])
    assert np.array_equal(track.time, table[time].to_numpy().astype("datetime64[ns]"))


def test_bus_with_several_vehicles_leads_to_the_remedy() -> None:
    path = shared("csv/liverpool-bus-14.csv")
    with pytest.raises(InputError) as caught:
        load_trajectory(path, timezone="Europe/London")
    assert caught.value.kind == "people" and '"vehicle_id" has 8 values' in str(caught.value)
    with pytest.raises(InputError) as caught:
        load_trajectory(path, timezone="Europe/London", on_several="join")
    assert caught.value.kind == "rows"
    assert len(caught.value.rows) == 111
    assert "111 of 1,533 rows" in str(caught.value)
    assert 'The column "vehicle_id" has 8 values' in str(caught.value)
    assert "keep the rows of one" in str(caught.value)
    lines = path.read_text().splitlines()
    for line, reason in caught.value.rows:  # the time of each listed line is indeed that of the line it names
        first = int(reason.removeprefix("it has the same time as line "))
        assert first < line
        assert lines[line - 1].split(",")[3] == lines[first - 1].split(",")[3]


def test_newest_first_is_said() -> None:
    track = load_trajectory(shared("csv/google-location-excerpt.csv"))
    assert "416 of 416 rows came newest first; sorted." in track.notices
    assert str(track.time[-1]).startswith("2012-12-18T21:30:35")


def test_waypoints_of_a_real_walk_become_landmarks() -> None:
    track = load_trajectory(shared("gpx/cerknicko-jezero.gpx"), on_several="join")
    assert track.landmarks == (0, 215, 287)
    assert "3 of 7 waypoints mark 3 landmarks; 4 farther than 200 m from the track." in track.notices
    assert "The file contains 7 tracks; they were joined in time order." in track.notices


def test_geolife_by_hand() -> None:
    track = load_trajectory(shared("geolife/20081023025304.plt"), timezone="Asia/Shanghai")  # GMT whatever is said
    assert (track.latitude[0], track.longitude[0]) == (39.984702, 116.318417)
    assert track.time[0] == np.datetime64("2008-10-23T02:53:04")
