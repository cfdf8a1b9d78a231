"""Reading GPX: tracks and routes, waypoints, damage, and XML that means harm."""

from __future__ import annotations

import time

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory, raw
from lmdk_widgets.trajectory.formats import markup

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n'


def point(i: int, lat: str = "48.5", lon: str = "", tag: str = "trkpt", time: str | None = None) -> str:
    when = f"2026-01-26T10:00:{i:02d}Z" if time is None else time
    return f'<{tag} lat="{lat}" lon="{lon or 2 + i / 1000}"><time>{when}</time></{tag}>\n'


def track(*points: str, before: str = "", after: str = "") -> bytes:
    return f"{HEAD}{before}<trk><name>Walk</name><trkseg>\n{''.join(points)}</trkseg></trk>{after}</gpx>".encode()


def refused(data: bytes, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load_trajectory(data, **options)  # type: ignore[arg-type]
    return caught.value


def test_a_track() -> None:
    loaded = load_trajectory(track(point(0), point(1), point(2)))
    assert loaded.longitude.tolist() == [2.0, 2.001, 2.002]
    assert (loaded.name, loaded.notices, loaded.landmarks) == ("Walk", (), ())


def test_tracks_are_joined_and_go_before_routes() -> None:
    route = f"<rte>{point(9, tag='rtept')}</rte>"
    two = f"<trk><name>Second</name><trkseg>{point(5)}</trkseg><trkseg>{point(6)}</trkseg></trk><trk/>"
    loaded = load_trajectory(track(point(7), before=route, after=two), on_several="join")
    assert loaded.longitude.tolist() == [2.005, 2.006, 2.007]
    assert loaded.name == ""  # it is not the first one only
    assert "The file contains 2 tracks; they were joined in time order." in loaded.notices
    assert load_trajectory(f"{HEAD}{route}</gpx>".encode()).longitude.tolist() == [2.009]


ROUTE = (
    "This is a route, not a recorded track: its times may say when its points were created, not when anyone was there."
)


@pytest.mark.parametrize("routes", [1, 2])
def test_a_route_is_said_to_be_one(routes: int) -> None:
    """Programs that plan a route write into it when each of its points was made."""
    flags = "".join(f"<rte>{point(k, tag='rtept')}{point(k + 30, tag='rtept')}</rte>" for k in range(routes))
    assert ROUTE in load_trajectory(f"{HEAD}{flags}</gpx>".encode(), on_several="join").notices
    untimed = track('<trkpt lat="1" lon="2"/>', before=flags)  # then the routes are read beside the track
    assert ROUTE in load_trajectory(untimed, on_several="join").notices
    assert ROUTE not in load_trajectory(track(point(7), before=flags)).notices


def test_times_without_zone_are_utc() -> None:
    loaded = load_trajectory(track(point(0, time="2026-07-26T10:00:00")), timezone="Europe/Paris")
    assert str(loaded.time[0])[:19] == "2026-07-26T10:00:00"
    assert loaded.notices == ("Times without a zone were read as UTC, as GPX defines.",)


def test_only_the_time_of_the_point_itself_counts() -> None:
    inner = "<extensions><x:time>1999</x:time><time>1998</time></extensions><time>"
    text = track(point(3)).decode().replace("<time>", inner, 1).replace("<gpx ", '<gpx xmlns:x="u" ')
    assert str(load_trajectory(text.encode()).time[0])[:19] == "2026-01-26T10:00:03"


def test_bad_points_are_listed_by_number() -> None:
    data = track(
        point(0),
        point(1, lat="nan", lon="999"),
        '<trkpt lat="1" lon="2"/>\n',
        point(3, time="yesterday"),
        point(4, time="2026-01-26T10:00:00+99:99"),
        point(5, lat="120.5", lon="-30.5"),
        point(6, lon="181"),
        point(7, lat="999"),
        point(0),
    )
    no_time = "the time is missing, or not written like 2026-01-26T15:57:02Z"
    error = refused(data, on_problem="stop")
    assert (error.kind, error.row_name) == ("rows", "point")
    assert error.rows == (
        (2, "the latitude is not a number"),
        (3, no_time),
        (4, no_time),
        (5, no_time),
        (6, "latitude and longitude look swapped"),
        (7, "the longitude is outside -180 to 180"),
        (8, "the latitude 999 is outside -90 to 90"),
        (9, "it has the same time as point 1"),
    )
    assert str(error).startswith(
        "Every point must be valid; 8 of 9 points cannot be used (point 2: the latitude is not a number; points 3, "
    )
    assert "seconds since 1970" not in str(error)  # which GPX does not allow
    loaded = load_trajectory(data, on_problem="drop")
    assert len(loaded) == 1
    assert loaded.notices == ("8 points that could not be used were left out.",)


@pytest.mark.parametrize(
    ("good", "bad", "sentence"),
    [
        ('lat="48.5"', 'lat="abc"', 'The latitude or longitude on line 6 must be a number; got "abc".'),
        ('lat="48.5"', "lat = '48,5'", "The latitude or longitude on line 6 must be a number."),
        ('lat="48.5"', 'lat=""', "The latitude or longitude on line 6 must be a number."),
        ('lat="48.5"', "", "The point on line 6 must have a latitude."),
        ('lon="2.002"', "", "The point on line 6 must have a longitude."),
        ("</time>", "</time><ele>high</ele>", 'The <ele> on line 6 must be a number; got "high".'),
        ("</time>", "</time><sat>4.25</sat>", "The <sat> on line 6 must be a whole number."),
        ("</time>", "</time><fix>gps</fix>", 'The <fix> on line 6 must be none, 2d, 3d, dgps or pps; got "gps".'),
    ],
)
def test_a_value_that_loses_the_file_is_named(good: str, bad: str, sentence: str) -> None:
    data = track(point(0), point(1), point(2).replace(good, bad, 1), point(3))
    for options in ({}, {"on_problem": "drop"}):
        said = str(refused(data, **options))
        assert said.startswith(sentence)
        assert "Repair it, or export the file again." in said
        assert not any(place in said for place in ("48", "2.00", "4.25"))


def test_a_bad_value_that_cannot_be_found_again() -> None:
    data = track(point(0, lat="a&#98;c"))  # "abc", but not in these letters
    assert str(refused(data)).startswith('The latitude or longitude must be a number; got "abc".')


@pytest.mark.parametrize(("above", "lines"), [(b"", 0), (b"\xef\xbb\xbf", 0), (b"\n\n", 2), (b"\xef\xbb\xbf \r\n", 1)])
@pytest.mark.parametrize("break_", [b" ", b"\n"])
def test_lines_are_those_of_the_file(above: bytes, lines: int, break_: bytes) -> None:
    data = above + track(point(0), point(1, lat="abc")).replace(b" encoding", break_ + b"encoding")
    data = data.replace(b" xmlns", break_ + b"xmlns")
    lines += 2 * (break_ == b"\n")
    assert f" on line {5 + lines} must be a number" in str(refused(data))
    assert f"must be complete, valid XML; got an error at line {6 + lines} " in str(
        refused(data.replace(b"</trkseg>", b"</x>"))
    )


def test_points_that_are_passed_over_are_said() -> None:
    data = track(point(0), after=f"<trk>{point(1)}</trk><!-- {point(2)} -->{WPT.format(48.5, 2, '')}")
    loaded = load_trajectory(data)
    assert len(loaded) == 1
    assert "2 <trkpt>s outside a track, or in a comment, not read." in loaded.notices


WPT = '<wpt lat="{}" lon="{}">{}</wpt>'


@pytest.mark.parametrize(
    ("waypoint", "landmarks"),
    [
        (WPT.format(0, 0, "<time>2026-01-26T10:00:02Z</time>"), (2,)),  # by time, wherever it is
        (WPT.format(0, 0, "<time>2026-01-26T10:00:02.4Z</time>"), (2,)),
        (WPT.format(0, 0, "<time>2026-01-26T10:00:02.6Z</time>"), (3,)),
        (WPT.format(0, 0, "<time>2026-01-26T10:00:00Z</time>"), (0,)),
        (WPT.format(0, 0, "<time>2026-01-26T10:00:04Z</time>"), (4,)),
        (WPT.format(48.5, 2.0031, "<time>2026-01-26T10:00:05Z</time>"), (3,)),  # outside the track's time: by place
        (WPT.format(48.5, 2.0029, ""), (3,)),
        (WPT.format(48.5017, 2.001, ""), (1,)),  # 189 m
        (WPT.format(48.5019, 2.001, ""), ()),  # 211 m
        (WPT.format(48.5, 2.001, "<time>gibberish</time>"), (1,)),
        (WPT.format("nan", 2.001, ""), ()),
        (WPT.format(48.5, 1e9, ""), ()),
        (WPT.format(48.5, 2.001, "") + WPT.format(48.5, 2.0011, "") + WPT.format(48.5, 2.004, ""), (1, 4)),
    ],
)
def test_waypoints(waypoint: str, landmarks: tuple[int, ...]) -> None:
    loaded = load_trajectory(track(*(point(i) for i in range(5)), before=waypoint))
    assert loaded.landmarks == landmarks
    n = waypoint.count("<wpt")
    assert loaded.notices[-1].startswith(f"{n if landmarks else 0} of {n} waypoint")


def test_waypoints_across_the_antimeridian_and_at_the_pole() -> None:
    points = (point(0, "10", "179.9995"), point(1, "89.9999", "0"), point(2, "-10", "0"))
    before = WPT.format(10, -179.9995, "") + WPT.format(89.9999, 180, "")
    assert load_trajectory(track(*points, before=before)).landmarks == (0, 1)


def test_too_many_waypoints_are_no_landmarks() -> None:
    loaded = load_trajectory(track(point(0), before=WPT.format(48.5, 2, "") * 1001))
    assert loaded.landmarks == ()
    assert "1,001 waypoints" in loaded.notices[0]


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(12))
    + "]><gpx><trk><name>&m;</name></trk></gpx>"
)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (BOMB.encode(), "must not declare XML entities"),
        (b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><gpx>&f;</gpx>', "must not declare XML entities"),
        (b"<gpx>" + b"<a>" * 100_000, "must be nested at most 200 levels deep"),
        (
            b'<gpx version="1.1"><extensions>' + b"<a>" * 100_000 + b"</a>" * 100_000,
            "must be nested at most 200 levels deep",
        ),
        (b'<gpx a="' + b"x" * 20_000_000, "valid XML; got an error at line 1 (unclosed token)"),
        (b"<gpx><!--" + b"x" * 20_000_000, "valid XML; got an error at line 1 (unclosed token)"),
        (b"<gpx>" + b" xmlns" * 500_000 + b"</gpx>", "at most 100 XML namespaces, each with its address"),
        (b"<gpx>" + b"".join(b'<a xmlns:a%d="u"/>' % i for i in range(9999)) + b"</gpx>", "at most 100 XML namespaces"),
        (b"<gpx><x:a/></gpx>", "got an error at line 1 (unbound prefix)"),
        (b'<g:gpx xmlns:g="u"><g:trk/></g:gpx>', "points in <trk><trkseg> without a prefix"),
        (b"<gpx>" + b"x" * 20_000_000, "must be complete, valid XML"),
        (track(point(0))[:-20], "must be complete, valid XML; got an error at line 5"),
        (b"<gpx><trk></gpx>", "must be complete, valid XML"),
        (b"<", "must be complete, valid XML"),
        (b"<<<<", "must be complete, valid XML"),
        (b"<gpx>&nbsp;</gpx>", "must be complete, valid XML"),
        (b'<?xml version="1.0" encoding="nonsense"?><gpx/>', "must be in nonsense, which the file declares"),
        (b'<?xml version="1.0" encoding="punycode"?><gpx/>', "must be in punycode, which the file declares"),
        (b"<gpx>\xff\xff</gpx>", "must be in utf-8, as the file declares no encoding"),
        (b"<gpx/>", "must have a track"),
        (b"<!DOCTYPE gpx><gpx/>", "must not declare a document type"),
        (b'<?a b?><!-- c --> <!DOCTYPE gpx SYSTEM "http://localhost/gpx.dtd" []><gpx/>', "must not declare a document"),
        (b"<!DOCTYPE html><html></html>", "a web page"),
        (b"<osm/>", "OpenStreetMap"),
        (b"<note/>", "got XML that is not GPX"),
    ],
)
def test_refused(data: bytes, sentence: str) -> None:
    assert sentence in str(refused(data))


@pytest.mark.parametrize("filling", [b"\n ", b" encoding ", b" encoding=", b'x encoding = "', b"\t"])
def test_a_declaration_without_end_takes_no_time(filling: bytes) -> None:
    data = b"<?xml version='1.0' " + filling * (2_000_000 // len(filling))
    started = time.process_time()
    with pytest.raises(InputError):
        load_trajectory(data)
    assert time.process_time() - started < 5, "at 364 kB this took 18 s"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "us-ascii", "utf-8"])
def test_declared_encodings(encoding: str) -> None:
    text = track(point(0)).decode().replace("UTF-8", encoding)
    text = text.replace("Walk", "Café" if encoding != "us-ascii" else "Cafe")
    assert load_trajectory(text.encode(encoding)).name.startswith("Caf")


def test_the_longest_track(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 3)
    assert len(load_trajectory(track(*map(point, range(3))))) == 3
    assert "at most 3 points" in str(refused(track(*map(point, range(4)))))


def test_the_most_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    data = track(point(0))
    monkeypatch.setattr(markup, "_MOST", data.count(b"<") - 1)  # the declaration is gone by then
    assert len(load_trajectory(data)) == 1
    assert "at most 1,000,000 points; got more" in str(refused(data.replace(b"</gpx>", b"<a/></gpx>")))


def test_name_is_fit_to_be_shown() -> None:
    data = track(point(0)).replace(b"Walk", b"<![CDATA[ A\n<b>walk</b>\t " + b"x" * 500 + b"]]>")
    name = load_trajectory(data).name
    assert name.startswith("A <b>walk</b> xxx") and len(name) == 80
