"""TCX, FIT, NMEA, KML and GPX routes as GPSBabel 1.8.0 wrote them, all from one walk; damage, and what is left out."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory, raw
from lmdk_widgets.trajectory.formats import (
    FORMATS,
)

FILES = Path(__file__).parent / "files"
NEEDS = {"walk.fit": "fitdecode", "walk.nmea": "pynmea2"}
LATITUDE = [48.8530 + 0.0004 * k for k in range(6)]
LONGITUDE = [2.3499 - 0.0007 * k for k in range(6)]
MINUTES = [f"2026-03-01T08:{2 * k:02d}" for k in range(6)]


def written(name: str) -> bytes:
    """A file, where the library that reads it is there."""
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    return (FILES / name).read_bytes()


def refused(data: bytes, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load_trajectory(data, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("name", ["walk.tcx", "walk.fit", "walk.nmea", "walk.kml", "route.gpx"])
def test_one_walk_in_every_format(name: str) -> None:
    track = load_trajectory(written(name))
    # NMEA has minutes with three decimals: 0.0005 of 1/60 degree
    assert np.abs(track.latitude - LATITUDE).max() < 1e-5
    assert np.abs(track.longitude - LONGITUDE).max() < 1e-5
    assert track.time.astype("datetime64[m]").astype(str).tolist() == MINUTES
    assert not [notice for notice in track.notices if "without a zone" in notice]


def test_a_route_with_times_is_read_beside_a_track_without() -> None:
    data = written("route.gpx")
    bare = b'<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>'
    assert len(load_trajectory(data.replace(b"</gpx>", bare + b"</gpx>"))) == 6
    timed = bare.replace(b"/>", b"><time>2026-03-01T08:00:00Z</time></trkpt>")
    assert load_trajectory(data.replace(b"</gpx>", timed + b"</gpx>")).latitude.tolist() == [1.0]


@pytest.mark.parametrize(("name", "library"), NEEDS.items())
def test_without_its_library_a_format_says_what_to_install(
    name: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    said = str(refused((FILES / name).read_bytes()))
    assert (
        f"needs the library {library}, which is not installed" in said and 'pip install "lmdk-widgets[formats]"' in said
    )


def test_points_without_a_place_are_counted_and_left_out() -> None:
    bare = b"<Trackpoint><Time>2026-03-01T07:59:00Z</Time><HeartRateBpm><Value>80</Value></HeartRateBpm></Trackpoint>"
    data = written("walk.tcx").replace(b"<Track>", b"<Track>" + bare, 1)
    track = load_trajectory(data)
    assert len(track) == 6
    assert "1 point without a place was left out." in track.notices
    assert "got 1 Trackpoint without one" in str(
        refused(b"<TrainingCenterDatabase><Track>" + bare + b"</Track></TrainingCenterDatabase>")
    )
    assert "got no Trackpoint" in str(refused(b"<TrainingCenterDatabase/>"))


def test_what_of_tcx_cannot_be_used_is_listed_by_its_point() -> None:
    data = written("walk.tcx")
    broken = re.sub(rb"<LatitudeDegrees>48.8534[0-9]*<", b"<LatitudeDegrees>north<", data)
    error = refused(broken.replace(b"T08:04:00Z</Time>", b"T28:04:00Z</Time>"))
    assert (error.kind, error.row_name) == ("rows", "point")
    assert dict(error.rows) == {
        2: 'the latitude "north" is not a number',
        3: 'there is no such time "2026-03-01T28:04:00Z"',
    }


def test_tcx_that_means_harm() -> None:
    data = written("walk.tcx")
    head, _, rest = data.partition(b"<TrainingCenterDatabase")
    for declared in (b"<!DOCTYPE a>", b'<!DOCTYPE a [<!ENTITY b "c">]>'):
        assert "must not declare" in str(refused(head + declared + b"<TrainingCenterDatabase" + rest))
    assert "valid XML" in str(refused(data[:900]))


def test_several_activities_are_joined_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written("walk.tcx")
    activity = data[data.index(b"<Activity ") : data.index(b"</Activities>")]
    two = data.replace(b"</Activities>", activity.replace(b"2026-03-01", b"2026-03-02") + b"</Activities>")
    track = load_trajectory(two, on_several="join")
    assert len(track) == 12
    assert "The file contains 2 activities; they were joined in time order." in track.notices
    with pytest.raises(InputError) as several:
        load_trajectory(two)
    (_, second) = several.value.offers[1:]
    assert len(load_trajectory(two, **second[1])) == 6
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 11)
    assert "at most 11 points" in str(refused(two))


def test_lines_of_nmea_without_a_fix_and_with_an_error() -> None:
    data = written("walk.nmea").decode()
    first = data.splitlines()[0]
    void = first.replace(",A,", ",V,")[:-2] + "1F"
    track = load_trajectory(f"2026-03-01 09:00:00 {void}\n".join([first + "\n", data.split("\n", 1)[1]]).encode())
    assert len(track) == 6
    assert "1 line without a fix was left out." in track.notices
    wrong = data.replace("00220.994,E,0.00", "00220.995,E,0.00", 1)
    error = refused(wrong.encode())
    assert dict(error.rows) == {1: "the checksum at its end is wrong"}
    assert len(load_trajectory(wrong.encode(), on_problem="drop")) == 5
    assert "got no RMC sentence" in str(refused(b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\n"))


def test_damaged_fit() -> None:
    data = written("walk.fit")
    for broken in (data[:-40], data[:200] + bytes([data[200] ^ 1]) + data[201:], data[:14]):
        assert "FIT file must" in str(refused(broken))


@pytest.mark.parametrize("name", ["walk.fit", "walk.nmea", "walk.tcx"])
def test_whatever_is_damaged_is_a_track_or_a_refusal(name: str) -> None:
    data, rng = written(name), random.Random(7)
    for _ in range(200):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        try:
            track = load_trajectory(bytes(changed), timezone="UTC", on_problem="drop", day_first=True)
        except InputError as error:
            assert 10 < len(str(error)) < 1500
        else:
            assert len(track) <= 20


def test_every_format_of_a_library_is_recognised_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in NEEDS.values():
        monkeypatch.setitem(sys.modules, library, None)
    assert {"TCX", "FIT", "NMEA"} <= {format.name for format in FORMATS}
