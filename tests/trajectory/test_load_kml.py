"""Reading KML: tracks, lines and points with times, in folders and namespaces, damage, and XML that means harm."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Trajectory, load_trajectory, raw

GX = ' xmlns:gx="http://www.google.com/kml/ext/2.2"'
NAMESPACES = [
    "http://earth.google.com/kml/2.0",
    "http://earth.google.com/kml/2.1",
    "http://earth.google.com/kml/2.2",
    "http://www.opengis.net/kml/2.2",
    "",
]


def kml(*placemarks: str, namespace: str = NAMESPACES[3], name: str = "") -> bytes:
    declared = f' xmlns="{namespace}"' if namespace else ""
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<kml{declared}{GX}>\n<Document>{name and f"<name>{name}</name>"}\n'
    return f"{head}{''.join(placemarks)}</Document></kml>".encode()


def track(*rows: tuple[str, str], name: str = "Walk") -> str:
    whens = "".join(f"<when>{time}</when>\n" for time, _ in rows)
    coords = "".join(f"<gx:coord>{place}</gx:coord>\n" for _, place in rows)
    return f"<Placemark><name>{name}</name><gx:Track>\n{whens}{coords}</gx:Track></Placemark>\n"


def stamp(when: str) -> str:
    return f"<TimeStamp><when>{when}</when></TimeStamp>"


def span(begin: str = "", end: str = "") -> str:
    begin, end = begin and f"<begin>{begin}</begin>", end and f"<end>{end}</end>"
    return f"<TimeSpan>{begin}{end}</TimeSpan>"


def shape(kind: str, coordinates: str, time: str = "") -> str:
    geometry = f"<{kind}><coordinates>{coordinates}</coordinates></{kind}>"
    return f"<Placemark><name>Part</name>{time}{geometry}</Placemark>\n"


def minutes(loaded: Trajectory) -> list[str]:
    return loaded.time.astype("datetime64[m]").astype(str).tolist()


def refused(data: bytes, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load_trajectory(data, **options)  # type: ignore[arg-type]
    return caught.value


WALK = track(("2026-01-26T10:00:00Z", "2.5 48.5 0"), ("2026-01-26T11:01:00+01:00", "2.6 48.6"))


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_track(namespace: str) -> None:
    loaded = load_trajectory(kml(WALK, namespace=namespace))
    assert (loaded.longitude.tolist(), loaded.latitude.tolist()) == ([2.5, 2.6], [48.5, 48.6])
    assert minutes(loaded) == ["2026-01-26T10:00", "2026-01-26T10:01"]
    assert (loaded.name, loaded.notices, loaded.landmarks) == ("Walk", (), ())


def test_a_track_without_any_namespace_and_of_kml_2_3() -> None:
    for declared in ("", ' xmlns="http://www.opengis.net/kml/2.3"'):
        data = f"<kml{declared}>{WALK.replace('gx:', '')}</kml>".encode()
        assert load_trajectory(data).latitude.tolist() == [48.5, 48.6]


def test_folders_and_placemarks_are_joined_in_order_of_time() -> None:
    later = f"<Folder><name>x</name><Folder>{WALK.replace('-26T', '-27T')}</Folder></Folder>"
    point = shape("Point", "2,48", stamp("2026-01-26T10:30:00Z"))
    line = shape("LineString", "1,47,5 1.5,47.5,5\n 2,48", span("2026-01-26T08:00:00Z", "2026-01-26T09:00:00Z"))
    whole = kml(later, point, WALK, f"<Folder>{line}</Folder>", name="Trip")
    loaded = load_trajectory(whole, on_several="join")
    assert loaded.longitude.tolist() == [1.0, 1.5, 2.0, 2.5, 2.6, 2.0, 2.5, 2.6]
    assert minutes(loaded)[:3] == ["2026-01-26T08:00", "2026-01-26T08:30", "2026-01-26T09:00"]
    assert loaded.name == "Trip"
    assert "The file contains 3 tracks and lines; they were joined in time order." in loaded.notices
    first = load_trajectory(kml(later, point, WALK, f"<Folder>{line}</Folder>"), person="Walk of 27 Jan")
    assert first.longitude.tolist() == [2.5, 2.6]
    assert "1 time was spread evenly between the start and the end of a TimeSpan." in loaded.notices


def test_a_track_of_several_segments() -> None:
    second = WALK.replace("-26T", "-27T").removeprefix("<Placemark><name>Walk</name>").removesuffix("</Placemark>\n")
    both = WALK.replace("<gx:Track>", "<gx:MultiTrack><gx:Track>").replace(
        "</Placemark>", f"{second}</gx:MultiTrack></Placemark>"
    )
    assert len(load_trajectory(kml(both))) == 4


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (stamp("2026-01-26T10:00:00Z"), "2026-01-26T10:00"),
        (span("2026-01-26T10:00:00Z", "2026-01-26T12:00:00Z"), "2026-01-26T10:00"),
        (span("", "2026-01-26T12:00:00Z"), "2026-01-26T12:00"),
        (span("2026-01-26T10:00:00Z"), "2026-01-26T10:00"),
    ],
)
def test_the_time_of_a_point(time: str, expected: str) -> None:
    assert minutes(load_trajectory(kml(shape("Point", " 2.5,48.5,0 ", time)))) == [expected]
    assert minutes(load_trajectory(kml(shape("LineString", "2.5,48.5", time)))) == [expected]


def test_the_time_of_the_view_is_not_that_of_the_place() -> None:
    view = f"<LookAt><gx:TimeStamp><when>2020-01-01T00:00:00Z</when></gx:TimeStamp></LookAt>{stamp('2026-01-26T10:00:00Z')}"
    assert minutes(load_trajectory(kml(shape("Point", "2.5,48.5", view)))) == ["2026-01-26T10:00"]


def test_zones_are_asked_for() -> None:
    data = kml(shape("LineString", "2,48 3,49 4,50", span("2026-07-26T10:00:00", "2026-07-26T11:00:00")))
    assert refused(data).kind == "timezone"
    assert minutes(load_trajectory(data, timezone="Europe/Paris"))[1] == "2026-07-26T08:30"


def test_what_has_no_time_is_left_out_and_said() -> None:
    ring = "<LinearRing><coordinates>1,1</coordinates></LinearRing>"
    polygon = f"<Placemark><Polygon><outerBoundaryIs>{ring}</outerBoundaryIs></Polygon></Placemark>"
    loaded = load_trajectory(kml(WALK, shape("LineString", "1,1 2,2"), shape("Point", "3,3"), polygon))
    assert len(loaded) == 2
    assert loaded.notices == ("2 places or lines without times were left out.",)


START, END = "2026-01-26T10:00:00Z", "2026-01-26T11:00:00Z"


@pytest.mark.parametrize(
    ("placemark", "reasons"),
    [
        (track((START, "2.5 48.5"), (END, "2.5")), {2: "it has no longitude and latitude"}),
        (track((START, "2.5 48.5"), (END, "")), {2: "it has no longitude and latitude"}),
        (track((START, "2.5 north"), (END, "2.5 48.5")), {1: 'the latitude "north" is not a number'}),
        (track((START, "nan 48.5"), (END, "2.5 48.5")), {1: "the longitude is not a number"}),
        (track((START, "2.5 95.5"), (END, "2.5 48.5")), {1: "latitude and longitude look swapped"}),
        (track((START, "200.5 48.5"), (END, "2.5 48.5")), {1: "the longitude is outside -180 to 180"}),
        (track((START, "2.5 48.5"), ("", "2.5 48.5")), {2: "the time is missing"}),
        (track((START, "2.5 48.5"), (START, "2.5 48.5")), {2: "it has the same time as point 1"}),
        (track((START, "2.5 48.5"), ("2026", "2.5 48.5")), {2: "the time is not a date with a time of day"}),
        (track((START, "2.5 48.5"), ("2026-02", "2.5 48.5")), {2: "the time is not a date with a time of day"}),
        (track((START, "2.5 48.5"), ("soon", "2.5 48.5")), {2: 'the time "soon" is not a date with a time of day'}),
        (track((START, "2.5 48.5"), ("2026-13-01", "2.5 48.5")), {2: 'there is no such time "2026-13-01"'}),
        (shape("LineString", "2,48 3,49 4", span(START, END)), {3: "it has no longitude and latitude"}),
        (shape("LineString", "2,48 3,49,0 4,x", span(START, END)), {3: 'the latitude "x" is not a number'}),
        (
            shape("LineString", "2,48 3,49", span(END, START)),
            dict.fromkeys((1, 2), "its TimeSpan ends before it starts"),
        ),
        (shape("LineString", "2,48 3,49 4,50", span(START)), dict.fromkeys((2, 3), "the time is missing")),
        (shape("LineString", "2,48 3,49 4,50", stamp(START)), dict.fromkeys((2, 3), "the time is missing")),
        (shape("LineString", "2,48 3,49 4,50", span(START, "2026-01-26T11:00:00")), {2: "the time is missing"}),
        (
            shape("LineString", "2,48 3,49 4,50", span(START, START)),
            dict.fromkeys((2, 3), "it has the same time as point 1"),
        ),
    ],
)
def test_points_that_cannot_be_used(placemark: str, reasons: dict[int, str]) -> None:
    error = refused(kml(placemark), timezone="UTC", on_problem="stop")
    assert (error.kind, error.row_name, dict(error.rows)) == ("rows", "point", reasons)
    assert not any(place in str(error) for place in ("48.", "2.5", "95.5", "200"))
    points = placemark.count("<when>") if "Track" in placemark else len(placemark.split("coordinates>")[1].split())
    if len(reasons) < points:
        kept = load_trajectory(kml(placemark), timezone="UTC", on_problem="drop")
        assert len(kept) == points - len(reasons)


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(12))
    + "]><kml><Document><name>&m;</name></Document></kml>"
)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            kml(shape("LineString", "2,48 3,49")),
            "KML must have a gx:Track, or Placemarks with a TimeStamp or a TimeSpan; got places or lines",
        ),
        (kml(shape("Point", "2,48")), "got places or lines without times. Export the recorded track"),
        (
            kml(track().replace("</gx:Track>", "<gx:coord>2 48</gx:coord></gx:Track>")),
            "got places or lines without times. Export the recorded track",
        ),
        (kml(), "got neither"),
        (kml(shape("Point", "", stamp(START))), "got neither"),
        (kml("<NetworkLink><Link><href>http://localhost/x</href></Link></NetworkLink>"), "got neither"),
        (
            kml(WALK.replace("<gx:coord>2.5 48.5 0</gx:coord>", "")),
            "A gx:Track must have one time for each position; got 1 positions and 2 times",
        ),
        (BOMB.encode(), "must not declare XML entities"),
        (b'<!DOCTYPE kml [<!ENTITY f SYSTEM "file:///etc/passwd">]><kml>&f;</kml>', "must not declare XML entities"),
        (
            b'<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE kml SYSTEM "http://localhost/x.dtd"><kml/>',
            "KML must not declare a document type",
        ),
        (b"<kml>" + b"<Folder>" * 100_000, "must be nested at most 200 levels deep"),
        (kml(WALK)[:-20], "must be complete, valid XML"),
        (b"<kml>" + WALK.encode() + b"</kml>", "valid XML; got an error at line 1 (unbound prefix)"),
        (b"<kml>\xff\xff</kml>", "must be in utf-8"),
        (b'<?xml version="1.0" encoding="punycode"?><kml/>', "must be in punycode"),
        (b"<kml/>", "got neither"),
    ],
)
def test_refused(data: bytes, sentence: str) -> None:
    assert sentence in str(refused(data))


def test_a_document_type_in_a_description_is_text() -> None:
    html = "<description><![CDATA[<!DOCTYPE html><p>A <b>walk</b></p>]]></description>"
    assert len(load_trajectory(kml(WALK.replace("<gx:Track>", f"{html}<gx:Track>")))) == 2


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8"])
def test_declared_encodings_and_names(encoding: str) -> None:
    text = kml(WALK.replace("Walk", "Café &lt;b&gt;\n")).decode().replace("UTF-8", encoding)
    assert load_trajectory(text.encode(encoding)).name == "Café <b>"


def test_the_longest_track(monkeypatch: pytest.MonkeyPatch) -> None:
    line = shape("LineString", "2,48 3,49 4,50", span(START, END))
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 3)
    assert len(load_trajectory(kml(line))) == 3
    for data in (kml(line, shape("Point", "2,48", stamp("2026-01-27"))), kml(line.replace("2,48 ", "2,48 " * 9999))):
        assert "at most 3 points" in str(refused(data, timezone="UTC"))


coordinates = st.tuples(st.floats(-180, 180), st.floats(-90, 90))
seconds = st.lists(st.integers(0, 10**9), min_size=1, max_size=12, unique=True)


@pytest.mark.long
@given(st.data(), seconds)
def test_every_digit_is_read_whatever_holds_it(data: st.DataObject, when: list[int]) -> None:
    """Placemarks of random kinds in random folders: the track is what was written, in order of time."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    points = [(second, *data.draw(coordinates)) for second in when]
    placemarks = []
    for second, longitude, latitude in points:
        time = f"{np.datetime64(second, 's')}Z"
        if rng.random() < 0.5:
            part = track((time, f"{longitude!r} {latitude!r} {rng.randint(0, 99)}"))
        else:
            part = shape(rng.choice(["Point", "LineString"]), f"{longitude!r},{latitude!r}", stamp(time))
        placemarks.append(f"<Folder>{part}</Folder>" if rng.random() < 0.3 else part)
    loaded = load_trajectory(kml(*placemarks, namespace=rng.choice(NAMESPACES)))
    expected = [(np.datetime64(second, "s"), longitude, latitude) for second, longitude, latitude in sorted(points)]
    assert list(zip(loaded.time, loaded.longitude, loaded.latitude, strict=True)) == expected


elements = st.sampled_from(
    [
        "Document",
        "Folder",
        "Placemark",
        "gx:Track",
        "gx:MultiTrack",
        "LineString",
        "Point",
        "TimeStamp",
        "TimeSpan",
        "name",
    ]
)
leaves = st.tuples(
    st.sampled_from(["when", "gx:coord", "coordinates", "begin", "end", "name"]),
    st.sampled_from(
        [START, END, "2026", "", "2 48", "2,48", "2,48 3,49 4,50", "1e999,1", ",", "x", "2026-01-26T10:00:00"]
    ),
)
trees = st.recursive(
    leaves.map(lambda leaf: f"<{leaf[0]}>{leaf[1]}</{leaf[0]}>"),
    lambda inner: st.tuples(elements, st.lists(inner, max_size=5)).map(lambda e: f"<{e[0]}>{''.join(e[1])}</{e[0]}>"),
    max_leaves=25,
)


@pytest.mark.long
@given(st.lists(trees, max_size=4), st.sampled_from(["stop", "drop"]), st.sampled_from([None, "Europe/Paris"]))
def test_any_tree_of_elements_is_a_track_or_a_sentence(parts: list[str], on_problem: str, timezone: str | None) -> None:
    try:
        loaded = load_trajectory(kml("<Placemark>", *parts, "</Placemark>"), timezone=timezone, on_problem=on_problem)
    except InputError as error:
        assert 10 < len(str(error)) < 1500
    else:
        assert len(loaded) and np.isfinite(loaded.points_m).all()
