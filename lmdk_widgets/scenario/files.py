"""What the landmark page saves: a scenario as JSON that loads back exactly, and what a release and a table are written as."""

from __future__ import annotations

from collections.abc import Callable

from lmdk_widgets.io import DRAWN_NOTE, NOTE, release_csv, release_geojson, release_map_html
from lmdk_widgets.page.settings_file import MOST_CHARACTERS, VERSION, SettingsFile
from lmdk_widgets.scenario.compare import comparison_csv
from lmdk_widgets.scenario.defence_words import defences_csv
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.settings_words import table_csv

_FILE = SettingsFile("scenario", "A scenario file", Scenario)
FORMAT = _FILE.format

__all__ = ["FORMAT", "MOST_CHARACTERS", "VERSION", "scenario_from_json", "scenario_json"]

FILES: dict[str, tuple[str, Callable[..., str]]] = {
    "csv": ("text/csv", release_csv),
    "table": ("text/csv", release_csv),
    "geojson": ("application/geo+json", release_geojson),
    "html": ("text/html", release_map_html),
}
"""What a release is saved as: the kind of file, and what writes it; "table" has the numbers of each timestamp beside it."""

TABLES: dict[str, Callable[[Outcome], str]] = {
    "settings": table_csv,
    "comparison": comparison_csv,
    "defences": defences_csv,
}
"""Tables that compare settings, by the name of their file."""

ERRORS_NOTE = (
    f"{NOTE}; the errors are computed from the true track: never publish them; {DRAWN_NOTE.partition('; ')[2]}"
)
"""What a file with errors says: who has them and the places knows how far away the truth is."""

TABLE_NOTE = f"for you: the true places can be computed from this file, from its errors; never publish it; {NOTE}"
"""What a release with its errors says: distances from a few points are a place."""

FOR_YOU = "for you, tells the true track"
"""In its name."""

HANDED = "Nothing in it is computed from the true data: what it calls true is the release that it shows."
"""What is said of a report to hand on."""

DRAWN = "Its noise was drawn for it: the points differ from those here."
"""What is said of a file that holds a release."""


def scenario_json(scenario: Scenario) -> str:
    """A scenario as JSON, one choice a line; `scenario_from_json` gives the equal scenario back.

    It holds settings and the indices of the landmarks, never a coordinate.

    Examples
    --------
    >>> scenario = Scenario(landmarks=(0, 2, 4, 7))
    >>> scenario_from_json(scenario_json(scenario)) == scenario
    True
    """
    return _FILE.write(scenario)


def scenario_from_json(text: str) -> Scenario:
    """The scenario in a text that `scenario_json` made, perhaps changed by hand; left out choices take their defaults.

    Raises
    ------
    InputError : see `SettingsFile.read`.
    """
    return _FILE.read(text)
