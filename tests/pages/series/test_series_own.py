"""Uploaded series: what is read, and what is refused with its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import SeriesChoices, evaluate, read_own
from lmdk_widgets.pages.series.generated import POWER_HEADER
from lmdk_widgets.pages.series.own import describe_file

POWER = Path(__file__).parents[3] / ".." / "shared" / "data" / "power" / "feb2007_2days.txt"


@pytest.mark.parametrize(
    ("data", "states", "labels"),
    [
        (b"0\n0\n1\n2\n", [0, 0, 1, 2], ("0", "1", "2")),
        (b"5,5,7", [0, 0, 1], ("5", "7")),
        (b"2;-1;2\r\n", [1, 0, 1], ("-1", "2")),
        (b"state\n3\n3\n4", [0, 0, 1], ("3", "4")),
        (b"mood\n3\n3\n4", [0, 0, 1], ("3", "4")),
        ("état\nmaison\nmaison\ntravail".encode("cp1252"), [2, 0, 0, 1], ("maison", "travail", "état")),
        (b"\xef\xbb\xbfhome\nwork\n\nhome\n", [0, 1, 0], ("home", "work")),
        (b"10\n9\n10\n", [1, 0, 1], ("9", "10")),
        (b"1,\n2,\n1,\n", [0, 1, 0], ("1", "2")),
    ],
)
def test_states_are_read(data: bytes, states: list[int], labels: tuple[str, ...]) -> None:
    own = read_own(data, "x.csv")
    assert own.states is not None and own.states.tolist() == states
    assert own.labels == labels and len(own) == len(states)


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (("2026-03-01 09:00", "2026-03-01 09:10", "2026-03-01 09:20"), "2026-03-01 09:00 to 09:20 (as in the file), "),
        (
            ("2026-03-01T23:50Z", "2026-03-02T00:00Z", "2026-03-02T00:10Z"),
            "2026-03-01 23:50 to 2026-03-02 00:10 (UTC), ",
        ),
        (("1/2/2026 09:00", "1/2/2026 09:10", "1/2/2026 09:20"), ""),  # nobody says which number is the day
        (("09:00", "09:10", "09:20"), ""),
    ],
)
@pytest.mark.parametrize(("column", "values"), [("state", "abb"), ("power_W", "123")])
def test_a_line_says_what_was_loaded_and_from_when_to_when(
    times: tuple[str, ...], said: str, column: str, values: str
) -> None:
    lines = [f"time,{column}", *(f"{time},{value}" for time, value in zip(times, values, strict=True))]
    what = ", 2 different states" if column == "state" else " of power"
    assert (
        describe_file(read_own("\n".join(lines).encode(), "x.csv")) == f"x.csv: 3 readings{what}, {said}every 10 min."
    )


def test_bad_lines_are_numbered() -> None:
    with pytest.raises(InputError) as refused:
        read_own(b"1\n2\nabc\n1\n\n2\n3.5\n")
    assert [line for line, _ in refused.value.rows] == [3, 7]
    assert "line 3" in str(refused.value)
    with pytest.raises(InputError) as refused:
        read_own(b"home,work\nhome,,work\n" + b"x" * 50 + b"\n")
    assert [line for line, _ in refused.value.rows] == [2, 3]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "one state on each line; got an empty file"),
        (b" \n\n", "an empty file"),
        (b"1\n", "between 2 and 1,000,000 readings; got 1"),
        (b"\x00\x01\x02", "must be text"),
        ("\n".join(f"s{k}" for k in range(1500)).encode(), "at most 1,000 different states; got 1,500"),
        (b"Date;reactive_power\n1;2\n", "one column of power .*; got Date: times, reactive_power: something else"),
    ],
)
def test_other_files_are_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_own(data)


def test_power_with_missing_and_wrong_readings() -> None:
    head = POWER_HEADER.encode() + b"\n"
    own = read_own(head + b"1/2/2031;00:00:00;0.5;0\n1/2/2031;00:01:00;?;?\n1/2/2031;00:02:00;1.25;0\n")
    assert own.watts is not None and own.watts.tolist() == [500, 500, 1250]
    assert own.notices == ("One missing reading repeats the one before.",)
    with pytest.raises(InputError) as refused:
        read_own(head + b"1/2/2031;00:00:00;0.5;0\n1/2/2031;00:01:00;-1;0\nnonsense\n")
    assert [line for line, _ in refused.value.rows] == [3, 4]


def test_a_track_becomes_cells_and_no_coordinate_is_told() -> None:
    rows = "".join(
        f"2026-03-01T{8 + k // 60:02d}:{k % 60:02d}:00Z,48.85,{2.3 + (k % 9) / 90:.4f}\n" for k in range(120)
    )
    own = read_own(("time,lat,lon\n" + rows).encode(), "walk.csv")
    assert own.trajectory is not None and len(own) == 120
    outcome = evaluate(SeriesChoices().with_source("own", cell_m=2000.0), own)
    assert outcome.series.labels[0] == "cell 1"
    assert "own" not in outcome.choices.to_dict()


@pytest.mark.skipif(not POWER.exists(), reason="the shared power readings are not here")
def test_a_real_household() -> None:
    own = read_own(POWER.read_bytes(), POWER.name)
    outcome = evaluate(SeriesChoices().with_source("own", every=10), own)
    exact, group = outcome.method("exact").scale, outcome.method("group").scale
    assert len(outcome) == 288 and exact is not None and group is not None
    assert exact < group / 3


def test_a_table_that_only_its_content_explains_is_read_as_power() -> None:
    hours = [f"{hour:02d}.03.2024 00:00" for hour in range(1, 29)]
    title = "Meter 17;A PERSON\n\n"
    usage = (
        title
        + "Von;Verbrauch (kWh)\n"
        + "".join(f"{hour};{k % 3},4\n" for k, hour in enumerate(hours))
        + "Summe;40,0\n"
    )
    own = read_own(usage.encode("utf-8"), "a.csv")
    assert own.watts is not None and own.watts[:3].tolist() == pytest.approx([400 / 24, 1400 / 24, 2400 / 24])
    counter = title + "Zeit;Zählerstand kWh\n" + "".join(f"{hour};{9000 + 12 * k}\n" for k, hour in enumerate(hours))
    with pytest.raises(InputError) as asked:
        read_own(counter.encode(), "b.csv")
    assert asked.value.kind == "which"
    own = read_own(counter.encode(), "b.csv", accept=True)
    assert own.watts is not None and set(own.watts.tolist()) == {500.0} and own.minutes == 1440
    assert own.notices[0].startswith("Read as") and "Energy was read as the mean power over" in own.notices[-1]
