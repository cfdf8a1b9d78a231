"""What the landmark page saves: a scenario as JSON that loads back exactly, and what a release and a table are written as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, NOTE, export_name, release_csv, release_geojson, release_map_html
from lmdk_widgets.io.released import time_texts
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.session import File
from lmdk_widgets.page.settings_file import MOST_CHARACTERS, VERSION, SettingsFile
from lmdk_widgets.pages.landmarks.choices import LandmarkChoices
from lmdk_widgets.pages.landmarks.drawn import rounded
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.series import Series

_FILE = SettingsFile("scenario", "A scenario file", LandmarkChoices)
FORMAT = _FILE.format

__all__ = ["FORMAT", "MOST_CHARACTERS", "VERSION", "choices_from_json", "choices_json"]

FILES: dict[str, tuple[str, Callable[..., str]]] = {
    "csv": ("text/csv", release_csv),
    "table": ("text/csv", release_csv),
    "geojson": ("application/geo+json", release_geojson),
    "html": ("text/html", release_map_html),
}
"""What a release is saved as: the kind of file, and what writes it; "table" has the numbers of each timestamp beside it."""

ERRORS_NOTE = (
    f"{NOTE}; the errors are computed from the true track: never publish them; {DRAWN_NOTE.partition('; ')[2]}"
)
"""What a file with errors says: who has them and the places knows how far away the truth is."""

TABLE_NOTE = f"for you: the true places can be computed from this file, from its errors; never publish it; {NOTE}"
"""What a release with its errors says: distances from a few points are a place."""

FOR_YOU = "for you, contains the true track"
"""In its name."""

HANDED = "Nothing in it is computed from the true data: what it calls true is the release that it shows."
"""What is said of a report to share."""

DRAWN = "Its noise was drawn for it: the points differ from those here."
"""What is said of a file that holds a release."""


SERIES_TABLE_NOTE = (
    f"for you: the true values can be computed from this file, from its errors; never publish it; {NOTE}"
)
SERIES_FOR_YOU = "for you, contains the true series"
SERIES_DRAWN = "Its noise was drawn for it: the values differ from those here."


def choices_json(choices: LandmarkChoices) -> str:
    """The choices of the page as JSON, one a line; `choices_from_json` gives the equal ones back.

    It holds settings and the indices of the landmarks, never a coordinate.

    Examples
    --------
    >>> choices = LandmarkChoices().with_changes(landmarks=(0, 2, 4, 7))
    >>> choices_from_json(choices_json(choices)) == choices
    True
    """
    return _FILE.write(choices)


def choices_from_json(text: str) -> LandmarkChoices:
    """The choices in a text that `choices_json` made, perhaps changed by hand; left out ones take their defaults.

    Raises
    ------
    InputError : see `SettingsFile.read`.
    """
    found: LandmarkChoices = _FILE.read(text)
    return found


def series_file(what: str, series: Series, fresh: Fresh, scenario: Scenario, named: Sequence[str]) -> File:
    """The release of a series as CSV: its times and what was released; "table" has the numbers of each timestamp beside it.

    Raises
    ------
    InputError : a map, as a series has no places.
    """
    if what not in ("csv", "table"):
        raise InputError("A map needs a track of places", value="a series of values", remedy="Save the release as CSV")
    assert fresh.values is not None
    columns: dict[str, Any] = {"time": time_texts(series.time), value_name(series): rounded(fresh.values)}
    if what == "table":
        landmark = np.isin(np.arange(len(series)), scenario.landmarks)
        spent = {"budget": fresh.budgets, "total_loss": fresh.total, "error": fresh.error_m}
        numbers = {name: rounded(values) for name, values in spent.items()}
        columns |= {"landmark": landmark.tolist(), "measured": fresh.published.tolist()} | numbers
    text = table_csv(columns, note=noted(SERIES_TABLE_NOTE if what == "table" else DRAWN_NOTE, scenario))
    part = [SERIES_FOR_YOU] if what == "table" else []
    return File(export_name("csv", *named, *part), "text/csv", text.encode(), SERIES_DRAWN)


def value_name(series: Series) -> str:
    """The heading of released values, with their unit.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample_series
    >>> value_name(sample_series("household")), value_name(sample_series("contacts"))
    ('value_kWh', 'answer')
    """
    if series.is_answers:
        return "answer"
    return f"value_{series.unit}" if series.unit.isalnum() else "value"
