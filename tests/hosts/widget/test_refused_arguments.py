"""Arguments of widgets that are refused: by name, in one sentence, and without a second traceback behind it."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import pytest

import lmdk_widgets
from lmdk_widgets.errors import InputError

TABLE = "wann;Rechts;Hoch\n02.03.2026 08:00;2,31;48,81\n02.03.2026 08:10;2,32;48,82\n"
COLUMNS = {"time": "wann", "latitude": "Hoch", "longitude": "Rechts"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(TABLE)
    return path


@pytest.mark.parametrize(
    ("widget", "arguments", "wrong"),
    [
        ("Explorer", ("bob",), "colums"),
        ("Explorer", (), "zoom"),
        ("TrajectoryMap", ("bob",), "zoom"),
        ("PlacesLab", (), "seed"),
        ("QuiltLab", (), "track"),
        ("FoundationsLab", (), "series"),
        ("Dashboard", (), "colour"),
        ("Question", ("moments/silence",), "later"),
    ],
)
def test_an_unknown_keyword_is_refused_by_its_name(widget: str, arguments: tuple, wrong: str) -> None:
    with pytest.raises(InputError, match=f"^The keywords of .* or layout; got {wrong}\\.$") as refused:
        getattr(lmdk_widgets, widget)(*arguments, **{wrong: 1})
    said = str(refused.value).split(";")[0].split(" must be ")[1].replace(" or ", ", ").split(", ")
    assert len(said) == len(set(said))
    lmdk_widgets.TrajectoryMap("bob", layout={"height": "300px"})


@pytest.mark.parametrize(
    ("widget", "arguments"),
    [
        ("Explorer", {"trajectory": "nothing.csv"}),
        ("Explorer", {"trajectory": "bob", "zoom": 1}),
        ("Explorer", {"checkins": "nothing.csv"}),
        ("PlacesLab", {"track": "nothing.csv"}),
        ("QuiltLab", {"series": "nothing.csv"}),
        ("FoundationsLab", {"table": "nothing.csv"}),
    ],
)
def test_what_was_refused_is_deleted_without_a_second_traceback(
    widget: str, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", later.append)
    with pytest.raises((InputError, OSError)):
        getattr(lmdk_widgets, widget)(**arguments)
    gc.collect()
    assert [str(each.exc_value) for each in later] == []


@pytest.mark.parametrize("make", ["Explorer", "TrajectoryMap", "PlacesLab"])
def test_columns_are_an_argument_as_the_refusal_says(make: str, table: Path) -> None:
    widget = getattr(lmdk_widgets, make)
    where = {"track": table} if make == "PlacesLab" else {"trajectory": table}
    with pytest.raises(InputError, match="columns="):
        widget(**where)
    page = widget(**where, columns=COLUMNS, timezone="Europe/Paris")
    track = page.session.data.tracks[page.session.choices.track] if make == "PlacesLab" else page.trajectory
    assert track.latitude.tolist() == [48.81, 48.82]
    assert str(track.time[0])[:16] == "2026-03-02T07:00"


def test_the_python_of_the_page_says_the_columns_too(table: Path) -> None:
    page = lmdk_widgets.Explorer(table, columns=COLUMNS, timezone="UTC")
    found: dict[str, Any] = {}
    exec(page.session.program().replace("print(", "(lambda *a: None)("), found)
    assert found["outcome"].mean_error_m == page.outcome.mean_error_m


@pytest.mark.parametrize("what", ["bob", "household", None, lmdk_widgets.sample("bob")])
def test_columns_of_what_is_no_file_are_refused(what: Any) -> None:
    with pytest.raises(InputError, match="^Columns must come with the path of a file"):
        lmdk_widgets.Explorer(what, columns=COLUMNS)
