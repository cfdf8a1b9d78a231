"""What-if files of Place and Series play what the kernel would send, each answer whole, and nothing of anyone's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import PlacesLab, QuiltLab
from lmdk_widgets.page.open_controls import Source, opened
from lmdk_widgets.page.what_if import record, settings
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series import SeriesChoices
from tests.hosts.widget.test_what_if import (
    agreeing,
    block_of,
    made,
    of_kernel,
    own_track,
    played,
    spellings,
    walk,
)
from tests.sweeps import FULL, size

SMALL = PlaceChoices(rows=3, columns=3, other="uniform")


@pytest.mark.long
def test_a_walk_on_places(tmp_path: Path) -> None:
    lab = PlacesLab(SMALL)
    source = lab.session.what_if()
    stops, some = (4, ["place"]) if FULL else (2, [])
    recorded = made(source, ["level", "mechanism", "click", *some], page=PlacesLab, ranges=lab.ranges(), stops=stops)
    assert recorded.count == stops * 5 * 2 * (10 if FULL else 1)
    asked = walk(recorded.opened, size(200), seed=21)
    ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked, PlacesLab)
    assert agreeing(asked, ours, theirs) == 0
    lab.close()


@pytest.mark.long
def test_a_walk_on_quilts(tmp_path: Path) -> None:
    lab = QuiltLab(SeriesChoices(source="binary", length=30 if FULL else 5))
    source = lab.session.what_if()
    recorded = made(source, ["epsilon", "mechanism", "stay_one", "node"], page=QuiltLab, ranges=lab.ranges(), stops=3)
    assert recorded.count == 3 * 6 * 3 * (31 if FULL else 6)
    asked = walk(recorded.opened, size(200), seed=22)
    ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked, QuiltLab)
    assert agreeing(asked, ours, theirs) == 0
    lab.close()


def recorded_places(source: Source, numbers: Any = None) -> tuple[list[Any], list[Any]]:
    """What is recorded for levels, priors and mechanisms on nine cells, and the controls."""
    found = opened(
        source.state.choices,
        ["place", "prior", "level", "mechanism"],
        stops=2,
        known=PlacesLab.PAGE.CAN_OPEN,
        left_out=PlacesLab.PAGE.NOT_OPEN,
        ranges={"place": (-1, 4)},
    )
    assert [each.name for each in found] == ["level", "mechanism", "prior", "place"]
    assert found[2].values == ("city", "uniform", "time", "counts")
    numbers = range(settings(found)) if numbers is None else numbers
    return list(record(PlacesLab.PAGE, source.state, found, numbers)), list(found)


@pytest.mark.long
def test_every_answer_of_places_is_solved_to_its_end() -> None:
    source = PlaceSession(SMALL.with_changes(level=1.0)).what_if()
    found, _ = recorded_places(source)
    solved = [one for one in found if not isinstance(one, str)]
    assert len(solved) >= 2 * 5 * 2 * 2
    for text, *drawings in (
        dict(zip(("text", "charts", "draw", "cards"), one, strict=True)).values() for one in solved
    ):
        message = text[0]
        assert not message["busy"] and message["work"]["text"] == "" and not message["stale"]
        assert sorted(message["known"]) == sorted(["optimal", "spanner", "planar", "remapped", "private"])
        told = json.dumps([message, drawings[0][0]])
        for unfinished in (
            "so far",
            "not solved",
            "Drawn once solved",
            "being computed",
            "follows once",
        ):
            assert unfinished not in told
        assert message["choices"]["place"] in (-1, 4)


@pytest.mark.nightly
def test_what_is_recorded_of_places_depends_on_no_order() -> None:
    source = PlaceSession(SMALL.with_changes(level=1.0)).what_if()
    forth, controls = recorded_places(source)
    back, _ = recorded_places(source, range(settings(controls) - 1, -1, -1))
    assert json.dumps([one[0][0] for one in forth]) == json.dumps([one[0][0] for one in back[::-1]])


@pytest.mark.long
def test_a_cell_stays_chosen_under_another_prior() -> None:
    source = PlaceSession(SMALL.with_changes(latitude=45.75, longitude=4.85)).what_if()
    found, _ = recorded_places(source)
    assert {one[0][0]["choices"]["place"] for one in found if not isinstance(one, str)} == {-1, 4}


def test_a_file_that_was_looked_at_before_leaves_nothing_in_a_what_if() -> None:
    track = own_track()
    session = PlaceSession(PlaceChoices(cell_m=100.0), track)
    built_in = {"area": "grid", "rows": 2, "columns": 2, "cell_m": 1000.0, "prior": "city", "other": "uniform"}
    session.show_choices(session.choices.with_changes(place=-1, latitude=48.123457, longitude=2.345679, **built_in))
    recorded = made(session.what_if(), ["level"], stops=2, page=PlacesLab)
    whole = recorded.file().data + block_of(recorded)
    degrees = np.concatenate([track.latitude, track.longitude, [48.123457, 2.345679]])
    assert not [canary for canary in spellings(degrees) if canary in whole]
    for secret in (b"Zanzibar", b"my home", b"Elm Street", b"my-track"):
        assert secret not in whole
    assert b"Its grid is around Paris" in whole


def test_a_series_that_was_looked_at_before_leaves_nothing_in_a_what_if(tmp_path: Path) -> None:
    file = tmp_path / "elm-street-5.csv"
    file.write_text("state\n" + "\n".join(["Zanzibar", "away", "Zanzibar", "away", "away"] * 8))
    lab = QuiltLab(SeriesChoices(source="own"), series=file)
    lab.session.apply([{"op": "set", "name": "source", "value": "binary"}], commit=True)
    recorded = made(lab.session.what_if(), ["mechanism"], page=QuiltLab)
    whole = recorded.file().data + block_of(recorded)
    assert b"Zanzibar" not in whole and b"elm-street" not in whole and not recorded.source.true
    lab.close()
