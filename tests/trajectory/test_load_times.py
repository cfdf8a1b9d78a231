"""Reading times: forms, zones, clock changes, the order of day and month, numbers."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.zones import find_zone, to_local, to_utc

MOMENT = "2026-01-26T14:57:02"


def utc(text: str, **options: object) -> str:
    times = parse_times([text], **options)  # type: ignore[arg-type]
    assert not times.problems, times.problems
    return str(times.utc[0])


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-26T14:57:02Z",
        "2026-01-26 14:57:02Z",
        "  2026-01-26t14:57:02z ",
        "2026-01-26T15:57:02+01:00",
        "2026-01-26T15:57:02+0100",
        "2026-01-26T15:57:02 +01",
        "2026-01-26T09:27:02-05:30",
        "2026-01-26 14:57:02 UTC",
        "2026-01-26 14:57:02 GMT",
        "2026/01/26 14:57:02Z",
        "2026/1/26, 14:57:02Z",
        "2026.01.26 2:57:02 PM UTC",
        "2026-01-26 02:57:02 p.m. Z",
        "20260126T145702Z",
        "20260126T155702+01:00",
        "2026-01-27T00:57:02+10:00",
        "26/1/2026 14:57:02Z",
        "26.01.2026 14:57:02Z",
        "1769439422",
        "1769439422000",
        "1769439422000000",
        "1769439422000000000",
        "1769439422.0",
        "+1769439422",
        "2026-01-26T14:57:02.000Z",
        "2026-01-26T14:57:02,000Z",
    ],
)
def test_forms_of_one_moment(text: str) -> None:
    assert utc(text) == MOMENT + ".000000000"


@pytest.mark.parametrize(
    "text",
    ["2026-01-26 14:57:02", "2026-01-26T14:57:02", "26/01/2026 2:57:02 pm", "20260126145702", "20260126 145702"],
)
def test_a_time_without_zone_asks_for_one(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_times([text])
    assert caught.value.kind == "timezone"
    assert "Europe/Paris" in str(caught.value)
    assert utc(text, timezone="UTC") == MOMENT + ".000000000"
    assert utc(text, timezone="Europe/Paris") == "2026-01-26T13:57:02.000000000"
    assert parse_times([text], timezone="UTC").without_zone == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-26T14:57Z", "2026-01-26T14:57:00"),
        ("2026-01-26Z", "2026-01-26T00:00:00"),
        ("2026-01-26T12:00 am Z", "2026-01-26T00:00:00"),
        ("2026-01-26T12:30 PM Z", "2026-01-26T12:30:00"),
        ("2024-02-29T00:00Z", "2024-02-29T00:00:00"),
        ("2000-02-29T00:00Z", "2000-02-29T00:00:00"),
        ("1678-01-01T00:00Z", "1678-01-01T00:00:00"),
        ("2261-12-31T23:59:59Z", "2261-12-31T23:59:59"),
        ("-1", "1969-12-31T23:59:59"),
        ("0", "1970-01-01T00:00:00"),
        ("2026-01-26T00:00:00+14:00", "2026-01-25T10:00:00"),
    ],
)
def test_edges(text: str, expected: str) -> None:
    assert utc(text) == expected + ".000000000"


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("2026-01-26T14:57:02.1Z", "100000000"),
        ("2026-01-26T14:57:02.123456789Z", "123456789"),
        ("2026-01-26T14:57:02.1234567899Z", "123456789"),
        ("1769439422.123456789", "123456789"),
        ("1769439422123.5", "123500000"),
    ],
)
def test_fractions_keep_nanoseconds(text: str, fraction: str) -> None:
    assert utc(text) == f"{MOMENT}.{fraction}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the time is missing"),
        ("   ", "the time is missing"),
        ("abc", 'the time "abc" cannot be read'),
        ("today", 'the time "today" cannot be read'),  # numpy reads these two
        ("NaT", 'the time "NaT" cannot be read'),
        ("14:57:02", "the time has no date"),
        ("2:57 pm", "the time has no date"),
        ("2026-02-29T00:00Z", 'there is no such time "2026-02-29T00:00Z"'),
        ("1900-02-29T00:00Z", 'there is no such time "1900-02-29T00:00Z"'),
        ("2026-13-01T00:00Z", 'there is no such time "2026-13-01T00:00Z"'),
        ("2026-00-01T00:00Z", 'there is no such time "2026-00-01T00:00Z"'),
        ("2026-01-32T00:00Z", 'there is no such time "2026-01-32T00:00Z"'),
        ("2026-01-00T00:00Z", 'there is no such time "2026-01-00T00:00Z"'),
        ("2026-01-26T24:01:00Z", 'there is no such time "2026-01-26T24:01:00Z"'),
        ("2026-01-26T14:60Z", 'there is no such time "2026-01-26T14:60Z"'),
        ("2026-01-26T13:00 pm Z", 'there is no such time "2026-01-26T13:00 pm Z"'),
        ("1677-12-31T00:00Z", 'there is no such time "1677-12-31T00:00Z"'),
        ("2262-01-01T00:00Z", 'there is no such time "2262-01-01T00:00Z"'),
        ("9999-12-31T23:59:59Z", 'there is no such time "9999-12-31T23:59:59Z"'),
        ("2026-01-26T", 'the time "2026-01-26T" cannot be read'),
        ("26/01/26 10:00", "the time cannot be read"),
        ("48.8566", "1970"),
        ("48°51'24\"N", "the time cannot be read"),
        ("1.7E+09", "the time cannot be read"),
        ("x" * 5000, "cannot be read"),
        ("２０２６-01-26", "cannot be read"),
        ("2026-01-26T14:57:02Zé", "cannot be read"),
        ("99999999999999999999999999", "cannot be read"),
        ("9999999999999999999", "there is no such time"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, reason: str) -> None:
    times = parse_times([text], timezone="UTC", day_first=True)
    if reason == "1970":
        assert str(times.utc[0]).startswith(reason)
        assert "small numbers" in times.notices[0]
    else:
        assert np.isnat(times.utc[0])
        assert reason in times.problems[0]
        assert len(times.problems[0]) < 80


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)),
            st.sampled_from(["iso", "basic", "slash", "number", "decimals", "naive"]),
            st.integers(-14 * 60, 14 * 60),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_many_forms_in_one_file_agree_with_datetime(rows: list[tuple[datetime, str, int]]) -> None:
    """An oracle that reads one row at a time with the standard library."""
    texts, expected = [], []
    for moment, form, offset in rows:
        aware = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
        moment_utc = aware.astimezone(ZoneInfo("UTC")).replace(tzinfo=None)
        if form == "iso":
            texts.append(aware.isoformat())
        elif form == "basic":
            moment_utc = moment_utc.replace(microsecond=0)
            texts.append(moment_utc.strftime("%Y%m%dT%H%M%SZ").rjust(16, "0"))
        elif form == "slash":
            texts.append(f"{aware.month}/{aware.day}/{aware.year} {aware.time().isoformat()}{aware.isoformat()[-6:]}")
        elif form == "naive":
            moment_utc = moment
            texts.append(moment.isoformat(" "))
        else:
            seconds = (moment_utc - datetime(1970, 1, 1)) // timedelta(seconds=1)  # numbers of one file have one unit
            moment_utc = datetime(1970, 1, 1) + timedelta(seconds=seconds)
            texts.append(str(seconds) + (".0" if form == "decimals" else ""))
        expected.append(np.datetime64(moment_utc, "ns"))
    times = parse_times(texts, timezone="UTC", day_first=False)
    assert not times.problems
    assert times.utc.tolist() == np.array(expected).tolist()


ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Monrovia", "UTC"]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ZONES),
    st.lists(st.datetimes(datetime(1850, 1, 1), datetime(2100, 1, 1)), min_size=1, max_size=30),
)
def test_zones_agree_with_zoneinfo(zone: str, clocks: list[datetime]) -> None:
    local = np.array(clocks, "datetime64[ns]")
    expected = [c.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo("UTC")).replace(tzinfo=None) for c in clocks]
    assert to_utc(local, ZoneInfo(zone))[0].astype("datetime64[us]").tolist() == expected


def test_clock_changes_are_counted_and_said() -> None:
    texts = ["2026-03-29 01:59:59", "2026-03-29 02:00:00", "2026-03-29 02:59:59", "2026-03-29 03:00:00"]
    texts += ["2026-10-25 01:59:59", "2026-10-25 02:00:00", "2026-10-25 02:59:59", "2026-10-25 03:00:00"]
    times = parse_times(texts, timezone="Europe/Paris")
    assert [str(t)[11:19] for t in times.utc] == [
        *("00:59:59", "01:00:00", "01:59:59", "01:00:00"),
        *("23:59:59", "00:00:00", "00:59:59", "02:00:00"),
    ]
    assert times.notices == (
        "2 times exist twice in Europe/Paris, when the clocks go back: read as the first.",
        "2 times never exist in Europe/Paris, when the clocks go forward: moved forward by the change.",
    )
    half_hour = parse_times(["2026-04-05 01:45"], timezone="Australia/Lord_Howe")  # goes back by half an hour at 02:00
    assert str(half_hour.utc[0])[:16] == "2026-04-04T14:45"
    assert len(half_hour.notices) == 1


@pytest.mark.parametrize(
    "name", ["Paris", "europe", "CEST", "", "Europe", "../etc", "/etc/localtime", "a\0b", "x" * 999]
)
def test_unknown_zone_says_how_to_write_it(name: str) -> None:
    with pytest.raises(InputError) as caught:
        find_zone(name)
    assert caught.value.kind == "timezone"
    assert '"Europe/Paris"' in str(caught.value)


def test_unknown_zone_suggests() -> None:
    for name, near in [("paris", "Europe/Paris"), ("new york", "America/New_York"), ("Europe/Pariss", "Europe/Paris")]:
        with pytest.raises(InputError, match=f"Perhaps .*{near}"):
            find_zone(name)
    with pytest.raises(InputError, match="an IANA name such as .*; got 1"):
        find_zone(1)  # type: ignore[arg-type]


DAY, MONTH = "day_first=True", "day_first=False"


@pytest.mark.parametrize(
    ("dates", "asked", "day_first_months"),
    [
        (["1/2/2026"], "no date in the file makes it clear", [2]),
        (["13/2/2026"], None, [2]),
        (["2/13/2026"], None, [2]),
        (["5/5/2026"], None, [5]),
        (["5/5/2026", "25/5/2026"], None, [5, 5]),
        (["1/2/2026", "13/2/2026"], "1 can only have the day first", [2, 2]),
        (["1/2/2026", "2/13/2026"], "1 can only have the month first", [2, None]),
        (["13/2/2026", "2/13/2026"], "Neither fits every row", [2, None]),
        (["1-2-2026"], "day_first", [2]),
        (["1.2.2026"], None, [2]),
        (["02.03.2026", "3/13/2026", "1/2/2026"], "1 can only have the month first", [3, None, 2]),
        (["1.2.2026", "1.13.2026"], "1 can only have the month first", [2, None]),
        (["1.2.2026", "13/2/2026"], None, [2, 2]),
        (["2026/2/1"], None, [2]),
    ],
)
def test_day_order(dates: list[str], asked: str | None, day_first_months: list[int | None]) -> None:
    if asked:
        with pytest.raises(InputError) as caught:
            parse_times(dates, timezone="UTC")
        assert caught.value.kind == "day-order"
        assert asked in str(caught.value)
        assert DAY in str(caught.value) and MONTH in str(caught.value)
    else:
        assert not parse_times(dates, timezone="UTC").problems
    read = parse_times(dates, timezone="UTC", day_first=True)
    if dates != ["2/13/2026"]:
        months = [None if np.isnat(t) else t.astype(object).month for t in read.utc.astype("datetime64[D]")]
        assert months == day_first_months
        assert set(read.problems) == {i for i, month in enumerate(months) if month is None}


def test_dots_say_that_the_day_comes_first() -> None:
    assert utc("02.03.2026 10:00Z") == "2026-03-02T10:00:00.000000000"
    assert utc("02.03.2026 10:00Z", day_first=False) == "2026-02-03T10:00:00.000000000"  # who says otherwise is heard
    assert utc("01.26.2026 10:00Z") == "2026-01-26T10:00:00.000000000"  # and so is a date that has no other sense


def test_month_first() -> None:
    assert utc("1/2/2026 10:00Z", day_first=False) == "2026-01-02T10:00:00.000000000"
    assert utc("1/2/2026 10:00Z", day_first=True) == "2026-02-01T10:00:00.000000000"


def test_one_unit_for_all_numbers() -> None:
    """A small number among milliseconds is in milliseconds too; a number that no year holds is a problem."""
    times = parse_times(["1769439422000", "1769439423000", "5", "99999999999999999"])
    assert str(times.utc[2]) == "1970-01-01T00:00:00.005000000"
    assert list(times.problems) == [3]
    assert times.notices == ("The times are numbers, read as milliseconds since 1970 (UTC).",)


def test_nothing_at_all() -> None:
    assert len(parse_times([]).utc) == 0


SOME_ZONES = [*sorted(available_timezones())[::17], "Europe/Paris", "Asia/Kathmandu", "Australia/Lord_Howe"]


@pytest.mark.parametrize("name", SOME_ZONES)
def test_local_times_are_those_of_zoneinfo(name: str) -> None:
    zone, rng = find_zone(name), np.random.default_rng(1)
    seconds = np.concatenate((rng.integers(100_000_000, 2_000_000_000, 300), rng.integers(-2_000_000_000, 0, 60)))
    for part in (seconds[:300], seconds):  # with none before 1973, and with some
        local = to_local(part.astype("datetime64[s]").astype("datetime64[ns]"), zone)
        expected = [datetime.fromtimestamp(s, zone).replace(tzinfo=None) for s in part.tolist()]
        assert local.astype("datetime64[s]").tolist() == expected


def test_a_track_keeps_the_zone_that_its_owner_named() -> None:
    rows = b"time,lat,lon\n2026-07-01 08:00,48,2\n"
    assert load_trajectory(rows, timezone="Europe/Paris").zone == "Europe/Paris"
    assert load_trajectory(rows.replace(b"08:00", b"08:00Z")).zone == ""
