"""What the track page saves: a scenario as JSON that loads back exactly, and the formats of a release and a
table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, NOTE, export_name, release_csv, release_geojson, release_map_html
from lmdk_widgets.io.released import time_texts
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.session import File
from lmdk_widgets.page.settings_file import MOST_CHARACTERS, VERSION, SettingsFile
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.release_drawing import rounded
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.series import Series

_FILE = SettingsFile("scenario", "A scenario file", TrackChoices)
FORMAT = _FILE.format

__all__ = ["FORMAT", "MOST_CHARACTERS", "VERSION", "choices_from_json", "choices_json"]

FILES: dict[str, tuple[str, Callable[..., str]]] = {
    "csv": ("text/csv", release_csv),
    "table": ("text/csv", release_csv),
    "geojson": ("application/geo+json", release_geojson),
    "html": ("text/html", release_map_html),
}
"""The formats of a release: the kind of file, and the function that writes it; "table" adds each timestamp's
numbers."""

ERRORS_NOTE = (
    f"{NOTE}; the errors are computed from the true track: never publish them; {DRAWN_NOTE.partition('; ')[2]}"
)
"""The note of a file with errors: anyone who has them and the places knows how far away the truth is."""

TABLE_NOTE = f"for you: the true places can be computed from the errors in this file; never publish it;  {NOTE}"
"""The note of a release with its errors: distances from a few points determine a place."""

FOR_YOU = "for you, contains the true track"
"""Part of its file name."""

HANDED = "Nothing in it is computed from the true data: what it calls true is the release that it shows."
"""What the page says about a report to share."""

DRAWN = "Its noise was drawn for the file: the points differ from those here."
"""What the page says about a file with a release."""


SERIES_TABLE_NOTE = f"for you: the true values can be computed from the errors in this file; never publish it;  {NOTE}"
SERIES_FOR_YOU = "for you, contains the true series"
SERIES_DRAWN = "Its noise was drawn for the file: the values differ from those here."


def choices_json(choices: TrackChoices) -> str:
    """The choices of the page as JSON, one per line; `choices_from_json` restores them exactly.

    It contains settings and the indices of the landmarks, never a coordinate.

    Examples
    --------
    >>> choices = TrackChoices().with_changes(landmarks=(0, 2, 4, 7))
    >>> choices_from_json(choices_json(choices)) == choices
    True
    """
    return _FILE.write(choices)


def choices_from_json(text: str) -> TrackChoices:
    """The choices in a text from `choices_json`, perhaps edited by hand; missing ones take their defaults.

    Raises
    ------
    InputError : see `SettingsFile.read`.
    """
    found: TrackChoices = _FILE.read(text)
    return found


def series_file(what: str, series: Series, fresh: Fresh, scenario: Scenario, named: Sequence[str]) -> File:
    """The release of a series as CSV: its times and released values; "table" adds each timestamp's numbers.

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
