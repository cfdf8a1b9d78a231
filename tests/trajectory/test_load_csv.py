"""Reading CSV: separators, headings, quotation marks, decimal commas, and what is refused."""

from __future__ import annotations

import csv
import io
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory, raw

TIMES = ("2026-01-26T10:00:00Z", "2026-01-26T10:00:01Z", "2026-01-26T10:00:02Z")


def load(text: str, **options: object):
    return load_trajectory(text.encode(), **options)  # type: ignore[arg-type]


def refused(text: str | bytes, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load_trajectory(text.encode() if isinstance(text, str) else text, **options)  # type: ignore[arg-type]
    return caught.value


LATITUDES = ["lat", "LATITUDE", "Latitude (deg)", "gps_lat", "y", "vehicle_latitude", "#lat"]
LONGITUDES = ["lon", "Lng", "long", "longitude [°]", "X", "position_longitude"]
TIME_NAMES = ["time", "Timestamp", "datetime", "tracked_at", "date_time", "Date/Time", "date", "t", "server_timestamp"]


@pytest.mark.parametrize("latitude", LATITUDES)
def test_headings(latitude: str) -> None:
    for longitude, time in itertools.product(LONGITUDES, TIME_NAMES):
        track = load(f"{time},{longitude},{latitude}\n{TIMES[0]},2.5,48.5\n")
        assert (track.latitude[0], track.longitude[0], str(track.time[0])[:19]) == (48.5, 2.5, "2026-01-26T10:00:00")


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("lat,x,y,lon,time", "48.5,1,1,2.5,2026-01-26T10:00Z"),
        ("time,date,lat,lon", "10:00:00Z,2026-01-26,48.5,2.5"),
        ("date,time,lat,lon", "2026-01-26,2026-01-26T10:00Z,48.5,2.5"),
        ("date,time,lat,lon", "26/01/2026,10:00Z,48.5,2.5"),
        ("date,hour,lat,lon", "20260126,100000Z,48.5,2.5"),
        ("date,time,lat,lon", "2026-01-26,1769421600,48.5,2.5"),
        ("timestamp,date,time,lat,lon", "2026-01-26T10:00Z,x,x,48.5,2.5"),
        ("time,timestamp,lat,lon", "x,1769421600,48.5,2.5"),
        ("timestamp (UTC),lat,lon", "2026-01-26 10:00,48.5,2.5"),
        ("event-timestamp,location-long,location-lat", "2026-01-26 10:00:00.000Z,2.5,48.5"),
    ],
)
def test_which_column_wins(heading: str, row: str) -> None:
    track = load(f"{heading}\n{row}\n")
    assert (track.latitude[0], track.longitude[0], str(track.time[0])[:19]) == (48.5, 2.5, "2026-01-26T10:00:00")


def test_a_timestamp_needs_no_date_beside_it() -> None:
    track = load("date,timestamp,lat,lon\n2026-01-26,86400,48.5,2.5\n")
    assert str(track.time[0])[:19] == "1970-01-02T00:00:00"
    assert "small numbers" in track.notices[0]


def test_utc_in_the_heading_is_said() -> None:
    track = load("timestamp_utc,lat,lon\n2026-01-26 10:00,48.5,2.5\n", timezone="Europe/Paris")
    assert track.notices == ('Times without a zone were read as UTC, as the column "timestamp_utc" says.',)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_line_ends_and_byte_order_mark(separator: str, end: str, mark: str) -> None:
    rows = [["note", "lon", "time", "lat"], ["a, b; c", "2.5", TIMES[0], "48.5"], ["d", "-2.5", TIMES[1], "-48.5"]]
    text = end.join(separator.join(f'"{cell}"' for cell in row) for row in rows)
    track = load(mark + text)
    assert track.latitude.tolist() == [48.5, -48.5]
    assert track.longitude.tolist() == [2.5, -2.5]


@pytest.mark.parametrize("row", ["48,5;2,5", "48,5;2.5", '"48,5";"2,5"', " 48,5 ; 2,5 "])
def test_decimal_comma(row: str) -> None:
    track = load(f"lat;lon;time\n{row};{TIMES[0]}\n")
    assert (track.latitude[0], track.longitude[0]) == (48.5, 2.5)


def test_spreadsheet_habits() -> None:
    """A line that names the separator, empty lines, rows of separators, spaces and a separator at the end."""
    rows = [
        "sep=;",
        "",
        "lat; lon ;time;",
        "",
        f"48.5; 2.5;{TIMES[0]};",
        ";;;",
        "  ;;;",
        f"48.6;2.6; {TIMES[1]} ;",
        ";;;",
    ]
    track = load("\r\n".join(rows))
    assert track.latitude.tolist() == [48.5, 48.6]
    assert track.notices == ()


FORMATS = {
    "iso": lambda t: str(t) + "Z",
    "offset": lambda t: str(t + np.timedelta64(2, "h")) + "+02:00",
    "seconds": lambda t: f"{t.astype(np.int64) // 10**9}.{t.astype(np.int64) % 10**9:09d}",
    "naive": lambda t: str(t).replace("T", " "),
    "day first": lambda t: f"{str(t)[8:10]}/{str(t)[5:7]}/{str(t)[:4]} {str(t)[11:]}",
    "two columns": lambda t: str(t),
}


@settings(max_examples=80, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.floats(-90, 90), st.floats(-180, 180), st.integers(10**18, 2 * 10**18), st.booleans()),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[2],
    ),
    order=st.permutations(["latitude", "longitude", "time", "landmark", "note"]),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    form=st.sampled_from(sorted(FORMATS)),
    comma=st.booleans(),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_is_written_is_read(rows, order, separator, form, comma, quoting, end) -> None:
    """Round trip through every separator, order of columns, time format, and both decimal signs."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end)
    names = list(order)
    if form == "two columns":
        names[names.index("time")] = "date"
        names.append("time")
    writer.writerow(names)
    for latitude, longitude, ns, landmark in rows:
        time = np.datetime64(ns, "ns")
        degrees = [repr(latitude), repr(longitude)]
        if comma and separator != ",":
            degrees = [text.replace(".", ",") for text in degrees]
        cells = dict(
            latitude=degrees[0], longitude=degrees[1], landmark="yes" if landmark else "no", note='a "b", c;\nd'
        )
        cells["time"] = FORMATS[form](time)
        if form == "two columns":
            cells["date"], cells["time"] = cells["time"].split("T")
        writer.writerow([cells[name] for name in names])
    track = load(out.getvalue(), timezone="UTC", day_first=True)
    expected = sorted(rows, key=lambda row: row[2])
    assert track.latitude.tolist() == [row[0] for row in expected]
    assert track.longitude.tolist() == [row[1] for row in expected]
    assert track.time.astype(np.int64).tolist() == [row[2] for row in expected]
    assert track.landmarks == tuple(i for i, row in enumerate(expected) if row[3])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("lat,lon\n1,2\n", "must have a heading for time (such as timestamp); got lat, lon"),
        ("time,lon\n1,2\n", "must have a heading for latitude (such as lat); got time, lon"),
        ("a,b,c\n1,2,3\n", "longitude (such as lon) and time (such as timestamp); got a, b, c"),
        ("48.8566,2.3522,2026-01-26\n", "got data"),
        ("2008-02-02 15:36:08,116.51172,39.92123\n", "Write a line of headings above the data"),
        ("lat,lon,time\n", "must have at least one point"),
        ("lat,lon,time\n\n,,\n", "must have at least one point"),
        ("just a sentence\nand another\n", "got text of another kind"),
        ("", "got an empty file"),
        (" \n\n", "got an empty file"),
        ("\ufeff", "got an empty file"),
        ("sep=,\n", "got an empty file"),
        ('lat,lon,time\n1,2,"2026\n', "Line 2 must have quotation marks only in pairs"),
        ('"lat,lon,time\n', "got text of another kind"),
        ("lat,lon,time\n" + "1" * 200_000, "Line 2 must have at most 100,000 characters; got 200,000"),
        ("x" * 200_000, "Line 1 must have at most 100,000 characters; got 200,000"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    error = refused(text)
    assert sentence in str(error)
    assert "8566" not in str(error) and "511" not in str(error)


def test_rows_of_another_length_are_listed() -> None:
    text = f"lat,lon,time,note\n48.5,2.5,{TIMES[0]}\n48.5\n48,5,2,5,{TIMES[1]},x\n1.5,2.5,{TIMES[2]},a,,\n"
    error = refused(text)
    assert error.kind == "rows"
    assert error.rows == (
        (3, "the row has 1 fields, the heading has 4"),
        (4, "the row has 6 fields, the heading has 4"),
    )
    assert load(text, on_problem="drop").latitude.tolist() == [48.5, 1.5]


def test_line_numbers_count_lines_of_the_file() -> None:
    """Empty lines and cells of several lines do not shift them."""
    text = f'\nlat,lon,time,note\n48.5,2.5,{TIMES[0]},"two\nlines"\n\nabc,2.5,{TIMES[1]},"x\ny"\n,2.5,{TIMES[2]},\n'
    assert refused(text).rows == ((6, 'the latitude "abc" is not a number'), (8, "the latitude is missing"))


@pytest.mark.parametrize(
    ("values", "several"),
    [
        (["a", "b", "a", "b"], True),
        (["a", "a", "a", "a"], False),
        (["a", "b", "c", "d"], False),
        (["a", "", "a", ""], False),
    ],
)
@pytest.mark.parametrize("heading", ["user_id", "Vehicle", "trip-id"])
def test_several_tracks_are_noticed(values: list[str], several: bool, heading: str) -> None:
    rows = "\n".join(f"{v},48.5,2.5,2026-01-26T10:00:0{i}Z" for i, v in enumerate(values))
    track = load(f"{heading},lat,lon,time\n{rows}\n", on_several="join")
    assert any(f'The column "{heading}" has 2 values' in notice for notice in track.notices) is several


def test_labels() -> None:
    track = load(f"label,lat,lon,time\nhome\x07 sweet,1,1,{TIMES[1]}\n,1,1,{TIMES[0]}\n")
    assert track.labels == ("", "home sweet")
    assert load(f"label,lat,lon,time\n,1,1,{TIMES[1]}\n").labels == ()


def test_other_encodings_are_named_by_line() -> None:
    text = "lat,lon,time,note\n1,2,3,é\n"
    assert len(load_trajectory((text + "1,2,4,°\n").encode("latin-1"))) == 2  # as Windows writes it
    assert "Line 3 must be text in UTF-8" in str(refused(text.encode() + b"1,2,4,\xe9\n"))
    assert len(load_trajectory(text.encode("utf-16"))) == 1
    assert "text in UTF-32" in str(refused(b"\x00\x00\xfe\xff" + text.encode("utf-32-be")))


def test_the_longest_track(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 3)
    text = "lat,lon,time\n" + "".join(f"1,2,{time}\n" for time in TIMES)
    assert len(load(text)) == 3
    assert "at most 3 points" in str(refused(text + "1,2,3\n"))


def test_pieces_of_a_table_do_not_depend_on_each_other() -> None:
    """Every subset of bad rows is listed, and dropped, for itself."""
    bad = {2: "abc,1,2026-01-26T10:00:07Z", 4: "1,999,2026-01-26T10:00:08Z", 5: "1,1,", 7: "1,1,2026-01-26T10:00:01Z"}
    good = {3: "1,1,2026-01-26T10:00:01Z", 6: "1,1,2026-01-26T10:00:02Z"}
    for count in range(5):
        for chosen in itertools.combinations(bad, count):
            lines = good | {line: bad[line] if line in chosen else f"1,1,2026-01-26T11:00:0{line}Z" for line in bad}
            text = "lat,lon,time\n" + "\n".join(lines[line] for line in sorted(lines))
            if chosen:
                assert [line for line, _ in refused(text, on_problem="stop").rows] == list(chosen)
            assert len(load(text, on_problem="drop")) == 6 - count


def test_infinite_and_strange_numbers() -> None:
    for word in ("nan", "inf", "-Infinity", "1e400", "--1", "1.2.3", "1 2"):
        error = refused(f"lat,lon,time\n{word},1,{TIMES[0]}\n")
        assert error.kind == "rows", word
    assert math.isclose(load(f"lat,lon,time\n1e1,-1.5E+1,{TIMES[0]}\n").longitude[0], -15)
