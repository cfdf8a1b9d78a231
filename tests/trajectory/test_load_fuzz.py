"""Whatever the bytes are, the answer is a track or an InputError."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
VALID = [
    b"lat,lon,time\n48.5,2.5,2026-01-26T10:00:00Z\n48.6,2.6,1769421601\n",
    b"\xef\xbb\xbflat;lon;date;time;landmark;label\r\n"
    b"48,5;2,5;1/2/2026;10:00;yes;a\r\n48,5;2,5;13/2/2026;9:00:00,5 pm;;\r\n",
    b'<?xml version="1.0"?>\n<gpx><wpt lat="1" lon="2"><time>2026-01-26T10:00:00Z</time></wpt><trk>'
    b"<name>a</name><trkseg>"
    b'<trkpt lat="1" lon="2"><time>2026-01-26T10:00:00Z</time></trkpt>\n'
    b'<trkpt lat="1" lon="2"><time>2026-01-26T10:00:01.5+01:00</time></trkpt></trkseg></trk></gpx>',
    b'{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":"2026-01-26T10:00:00Z","landmark":true},'
    b'"geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","properties":{"time":1769421600},"geometry":{"type":'
    b'"Point","coordinates":[1,2,3]}}]}',
    b'{"type":"Feature","properties":{"coordTimes":["2026-01-26T10:00:00Z",1769421601000.5]},"geometry":{"type":'
    b'"LineString","coordinates":[[1,2],[3,4]]}}',
    b'<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>a</name><Folder>'
    b"<Placemark><gx:Track><when>2026-01-26T10:00:00Z</when>\n<gx:coord>2.5 48.5 0</gx:coord></gx:Track></Placemark>"
    b"<Placemark><TimeSpan><begin>2026-01-26T11:00:00Z</begin><end>2026-01-26T12:00:00Z</end></TimeSpan><LineString>"
    b"<coordinates>2,48 2.1,48.1\n2.2,48.2,0</coordinates></LineString></Placemark><Placemark><TimeStamp><when>2026-01-27"
    b"</when></TimeStamp><Point><coordinates>2,48</coordinates></Point></Placemark></Folder></Document></kml>",
    b'{"locations":[{"latitudeE7":485000000,"longitudeE7":25000000,"timestampMs":"1544011286907","deviceTag":1},{"latitudeE7":'
    b'486000000,"longitudeE7":26000000,"timestamp":"2022-01-12T17:18:24.190Z","deviceTag":2}]}',
    '[{"startTime":"2024-05-01T08:00:00.000+02:00","endTime":"2024-05-01T09:00:00.000+02:00","visit":{"topCandidate":'
    '{"placeLocation":"geo:48.5,2.5"}}},{"startTime":"2024-05-01T09:00:00.000+02:00","timelinePath":[{"point":"48.6°, 2.6°",'
    '"durationMinutesOffsetFromStartTime":"5"}]}]'.encode(),
    b"<TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Time>2026-01-26T10:00:00Z</Time><Position>"
    b"<LatitudeDegrees>48.5</LatitudeDegrees><LongitudeDegrees>2.5</LongitudeDegrees></Position></Trackpoint><Trackpoint><Time>"
    b"2026-01-26T10:00:01Z</Time></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>",
    b"Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n"
    b"39.98,116.31,0,492,39744.12,2008-10-23,02:53:04\r\n",
]
PIECES = (
    *(b'"', b",", b";", b"\n", b"\r", b"\x00", b"{", b"[", b"]", b"null", b"true", b"1e999", b"-", b"NaN", b"<", b">"),
    *(b"&x;", b"&#0;", b"\xff", b"\xef\xbb\xbf", b"9" * 23, b"9" * 5000, b"Z", b"+99:99", b"0000-00-00", b"\\ud800"),
    *(b"9999-12-31T23:59:59Z", b"1677-01-01T00:00Z", b"\xe2\x80\xa8", b"lat", b"time", b"1e308", b"[]", b"{}", b"<!--"),
)


def survives(data: bytes, rng: random.Random) -> bool:
    """Load, and use what every view uses; warnings are errors."""
    options = {
        "timezone": rng.choice([None, "UTC", "Europe/Paris"]),
        "day_first": rng.choice([None, True, False]),
        "on_problem": rng.choice(["stop", "drop"]),
        "on_repeat": rng.choice([None, "stop", "first", "last", "average"]),
        "on_several": rng.choice(["join", "join", "stop"]),
        "days": rng.choice([None, None, None, ("2026-01-26", "2026-02-26")]),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            track = load_trajectory(data, **options)
        except InputError as error:
            assert 10 < len(str(error)) < 1500
            assert str(error).encode("utf-8")
            return False
    assert np.isfinite(track.points_m).all()
    "\n".join((repr(track), track.name, *track.labels, *track.notices)).encode("utf-8")
    return True


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 2**32))
def test_random_bytes(data: bytes, seed: int) -> None:
    survives(data, random.Random(seed))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(
        [b"lat,lon,time\n", b"<gpx>", b"<kml>", b'{"type":', b"Geolife trajectory\n\n\n\n\n\n", b'"', b"["]
    ),
    st.text(max_size=300),
    st.integers(0, 2**32),
)
def test_random_text_after_a_good_beginning(beginning: bytes, text: str, seed: int) -> None:
    survives(beginning + text.encode("utf-8", "surrogatepass"), random.Random(seed))


def mutated(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(0, 5)):
        at, other = rng.randint(0, len(changed)), rng.randint(0, len(changed))
        match rng.randrange(4):
            case 0:
                changed[at:at] = rng.choice(PIECES)
            case 1:
                del changed[at : at + rng.randint(1, 30)]
            case 2:
                changed[at : at + 1] = bytes([rng.randrange(256)])
            case 3:
                changed[at:at] = changed[other : other + rng.randint(1, 100)]
    return bytes(changed)


@pytest.mark.long
def test_mutated_files() -> None:
    rng = random.Random(20260126)
    loaded = sum(survives(mutated(rng.choice(VALID), rng), rng) for _ in range(1200))
    assert 70 < loaded < 800  # the mutants reach behind the first check, and do reach the checks


@pytest.mark.long
def test_mutated_real_files() -> None:
    if not DATA.exists():
        pytest.skip("the shared data are absent")
    rng = random.Random(1)
    files = [path.read_bytes()[:2000] for path in sorted(DATA.glob("*/*")) if path.suffix in (".csv", ".gpx", ".plt")]
    for _ in range(300):
        survives(mutated(rng.choice(files), rng), rng)
