"""The series page without the page: sources, a series of one's own, links, which controls have an effect."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series.session import OTHERS_LINK, SeriesSession

BINARY = SeriesChoices(epsilon=1.0).with_source("binary")
WALK = "".join(f"2026-03-01T{8 + k // 60:02d}:{k % 60:02d}:00Z,48.85,{2.3 + (k % 9) / 90:.4f}\n" for k in range(120))


def put(name: str, value: object) -> dict[str, Any]:
    return {"op": "set", "name": name, "value": value}


def do(session: SeriesSession, *operations: dict[str, Any]) -> SeriesChoices:
    session.apply(operations, commit=True)
    return session.choices


def test_another_source_is_read_as_suits_it() -> None:
    session = SeriesSession(BINARY)
    assert do(session, put("node", 3), put("source", "activities")) == session.outcome.choices
    assert (session.choices.every, session.choices.node, len(session.outcome)) == (4, -1, 336)
    for source in ("elsewhere", None, ["power"], "own"):
        with pytest.raises(InputError):
            do(session, put("source", source))
    assert session.choices.source == "activities"


@pytest.mark.long
def test_a_file_becomes_the_data_and_its_undo_the_data_before() -> None:
    session = SeriesSession(BINARY)
    assert session.load(b"good\ngood\nbad\n" * 20, "/home/someone/mood.csv") == ""
    assert session.choices.source == "own" and session.data.name == "mood.csv" and len(session.outcome) == 60
    assert do(session, {"op": "undo"}) == BINARY and session.data is None
    assert do(session, {"op": "redo"}).source == "own" and session.outcome.series.labels == ("bad", "good")
    session.load(b"0\n0\n1\n" * 4_000)
    assert session.choices.every == 4 and len(session.outcome) == 3000


def test_a_link_for_somebodys_own_series_keeps_the_settings() -> None:
    session = SeriesSession(BINARY)
    session.load(("time,lat,lon\n" + WALK).encode(), "walk.csv")
    do(session, put("epsilon", 0.35))
    assert "walk" not in session.link.query and "48." not in session.link.query
    other = SeriesSession(BINARY)
    assert other.open_link(session.link.query) == OTHERS_LINK
    assert other.choices.source == "binary" and other.choices.epsilon == 0.35


@pytest.mark.parametrize(
    ("choices", "seen", "hidden"),
    [
        (BINARY, {"stay_one", "stay_two", "length"}, {"every", "level_w", "cell_m", "track", "smoothing", "chains"}),
        (BINARY.with_changes(theta="bootstrap"), {"smoothing", "chains"}, {"every"}),
        (SeriesChoices(), {"level_w", "every", "smoothing"}, {"stay_one", "length", "track", "cell_m", "chains"}),
        (SeriesChoices().with_source("track"), {"track", "cell_m", "every"}, {"level_w", "length"}),
    ],
)
def test_only_controls_that_have_an_effect_are_visible(
    choices: SeriesChoices, seen: set[str], hidden: set[str]
) -> None:
    visible = set(SeriesSession(choices).visible())
    assert seen <= visible and not hidden & visible


def test_what_an_own_series_is_decides_on_its_controls() -> None:
    session = SeriesSession(BINARY)
    session.load(("time,lat,lon\n" + WALK).encode(), "walk.csv")
    assert session.kind == "track" and {"cell_m", "every"} <= set(session.visible())
    assert not {"track", "level_w"} & set(session.visible())
    session.load(b"0\n0\n1\n" * 40)
    assert session.kind == "own" and not {"cell_m", "level_w", "length"} & set(session.visible())


def test_a_file_of_many_settings_is_made_from_no_series_of_ones_own() -> None:
    session = SeriesSession()
    session.load(b"time,state\n" + b"".join(b"2026-01-01T%02d:00,%d\n" % (h, h % 3) for h in range(24)), "elm.csv")
    with pytest.raises(InputError, match="cannot be made from your series without the true data in it"):
        session.what_if()
    assert session.what_if(truth=True).true
    session.apply([{"op": "set", "name": "source", "value": "power"}], commit=True)
    source = session.what_if()
    assert source.state.data is None and source.said.startswith("The data are made up")
    session.apply([{"op": "set", "name": "source", "value": "chains"}], commit=True)
    assert "a run of the first chain that its author typed" in session.what_if().said
