"""Each number that a page shows, in texts, tables, controls and charts, is altered by itself: the page's test then fails.

`make test` alters some numbers of each setting, `make nightly` all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.hosts.widget.place import PlacesLab
from lmdk_widgets.hosts.widget.series import QuiltLab
from lmdk_widgets.hosts.widget.table import FoundationsLab
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.pages.place import PlaceChoices, Sources, improve
from lmdk_widgets.pages.place import evaluate as evaluate_places
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices, evaluate
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory import sample
from tests.every_number import (
    table_names,
    test_every_panel,
    test_landmark_numbers,
    test_place_numbers,
    test_series_page_numbers,
    test_table_numbers,
)
from tests.every_number import table_sequence_truth as sequence
from tests.every_number import table_sums_truth as sums
from tests.every_number.altered import Read, unread
from tests.every_number.place_names import place_names
from tests.every_number.series_page_fields import series_names
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_published_names import published_names
from tests.every_number.table_published_truth import example
from tests.every_number.table_truth import NoiseTruth, StackedTruth, StreamTruth
from tests.every_number.track_names import track_names

SOME = 8
"""So many numbers of each setting are altered by day."""

LONG = ("a quantile", "releases of correlated data", "power", "own chains", "a plan", "all panels")
"""Which settings take long."""

TABLES: dict[str, dict[str, Any]] = {
    "a table": {"part": "table", "table": "t1"},
    "a table under attack": {"part": "table", "table": "t2", "attack": "unsorted matching"},
    "noise": {"part": "noise"},
    "normal noise": {"part": "noise", "mechanism": "gaussian"},
    "a survey": {"part": "noise", "mechanism": "many"},
    "a stream": {"part": "stream", "landmarks": [7, 8], "intrusions": [3, 15]},
    "a pan-private stream": {"part": "stream", "level": "pan", "intrusions": [3, 15]},
    "releases that add up": {"part": "adding"},
    "releases of correlated data": {"part": "adding", "correlated": True},
    "a sum": {"part": "sums"},
    "a quantile": {"part": "sums", "query": "quantile"},
    "a sequence": {"part": "sequence"},
}
PLACES: dict[str, dict[str, Any]] = {
    "places": {"rows": 2, "columns": 3, "other": "uniform"},
    "a report of places": {"rows": 2, "columns": 2, "prior": "uniform", "mechanism": "spanner", "click": "report"},
}
SERIES: dict[str, dict[str, Any]] = {
    "a series": {"source": "binary", "length": 20},
    "power": {"source": "power", "every": 200},
    "own chains": {"source": "chains", "own_chains": [([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]])], "length": 14},
}
TRACKS: dict[str, dict[str, Any]] = {
    "a track": {"landmarks": (0, 2, 4, 7)},
    "a plan": {"landmarks": (0, 2), "scheme": "planned", "average": True},
}
PANELS: dict[str, tuple[str, ...]] = {"some panels": ("standing", "leave_out"), "all panels": ()}
"""The panels of the track page that are open; all where none is named."""


@contextmanager
def of_table(changes: dict[str, Any]) -> Iterator[Read]:
    choices, lab = TableChoices(**changes), FoundationsLab()
    part = choices.part
    make, more = {
        "table": (published_names, test_table_numbers.of_table),
        "noise": (table_names.noise_names, test_table_numbers.of_noise),
        "stream": (table_names.stream_names, test_table_numbers.of_stream),
        "adding": (table_names.stacked_names, test_table_numbers.of_stacked),
        "sequence": (table_names.sequence_names, sequence.sequence_more),
        "sums": (table_names.sums_names, sums.sums_more),
    }[part]
    truths = {"noise": NoiseTruth, "stream": StreamTruth, "adding": StackedTruth, "sums": sums.SumsTruth}
    truths |= {"table": lambda c: AttackedTable(example(c.table), c), "sequence": sequence.SequenceTruth}
    truth = truths[part](choices)
    if part == "sums":
        truth.best = sums.best_of(truth, next(iter(lab.page._drawings(evaluate(choices)))).described["drawn"])
    read = test_table_numbers.read_of(lab, make(), choices, truth, None, more)
    assert read is not None
    yield read
    lab.close()


@contextmanager
def of_places(changes: dict[str, Any]) -> Iterator[Read]:
    choices = PlaceChoices(**changes)
    lab = PlacesLab(choices)
    *_, outcome = improve(evaluate_places(choices))
    yield test_place_numbers.read_of(place_names(), lab, outcome, Sources())
    lab.close()


@contextmanager
def of_series(changes: dict[str, Any]) -> Iterator[Read]:
    choices = SeriesChoices(**changes)
    lab = QuiltLab(choices)
    read = test_series_page_numbers.read_of(series_names(), lab, choices, None)
    assert read is not None
    yield read
    lab.close()


@contextmanager
def of_track(changes: dict[str, Any]) -> Iterator[Read]:
    choices = TrackChoices(Scenario(**changes))
    read = test_landmark_numbers.read_of(track_names(), choices, sample("bob"))
    assert read is not None
    yield read


@contextmanager
def of_panels(names: tuple[str, ...]) -> Iterator[Read]:
    with pytest.MonkeyPatch.context() as patch:
        test_every_panel.shortened(patch)
        choices, track = test_every_panel.opened(np.random.default_rng(0), 0, names)
        yield test_every_panel.read_of(test_every_panel.parts(), test_every_panel.names_of_the_rest(), choices, track)


CASES: dict[str, tuple[Any, Any]] = {
    **{name: (of_table, changes) for name, changes in TABLES.items()},
    **{name: (of_places, changes) for name, changes in PLACES.items()},
    **{name: (of_series, changes) for name, changes in SERIES.items()},
    **{name: (of_track, changes) for name, changes in TRACKS.items()},
    **{name: (of_panels, opened) for name, opened in PANELS.items()},
}
APART: dict[Any, tuple[str, ...]] = {
    of_table: (),
    of_places: ("*.loss.figure.layout.xaxis.tickvals",),
    of_series: (),
    of_track: (),
    of_panels: test_every_panel.APART,
}
"""Ticks without words of their own, which say where they stand, and what other files read of panels."""


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in CASES if name not in LONG])
def test_some_numbers_are_read(name: str) -> None:
    of, changes = CASES[name]
    with of(changes) as read:
        assert not unread(read, apart=APART[of], most=SOME)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_every_number_is_read(name: str) -> None:
    of, changes = CASES[name]
    with of(changes) as read:
        assert not unread(read, apart=APART[of])


class OnePage:
    """A page that shows a text with three numbers, a list and an array."""

    def _text(self, _: Any) -> dict[str, Any]:
        return {"said": "Three of 12 people are 1.5 m apart; 50 is chance.", "height": 300}

    def _drawings(self, _: Any) -> Iterator[Drawing]:
        yield Drawing("draw", (), {"figure": {"data": [{"x": [1, 2, 3, 4], "y": [None, 5.0]}]}}, {"off": np.ones(4)})


def test_a_number_that_nobody_reads_is_named() -> None:
    def held(page: Any) -> None:
        (drawing,) = page._drawings(None)
        trace, said = drawing.described["figure"]["data"][0], page._text(None)["said"]
        assert said.startswith("Three of ") and said.endswith(" people are 1.5 m apart; 50 is chance.")
        assert trace["x"][:2] == [1, 2] and trace["y"] == [None, 5.0] and drawing.arrays["off"][0] == 1

    data = "draw.described.figure.data.0.x"
    found = [one.partition(": ")[0] for one in unread(Read(OnePage(), None, held))]
    assert found == ["text.said[1]", f"{data}[2]", f"{data}[3]", "draw.arrays.off[2]", "draw.arrays.off[3]"]
