"""What the landmark page saves: a scenario as JSON that loads back exactly, and what a release and a table are written as."""

from __future__ import annotations

from collections.abc import Callable

from lmdk_widgets.io import DRAWN_NOTE, NOTE, release_csv, release_geojson, release_map_html
from lmdk_widgets.page.settings_file import MOST_CHARACTERS, VERSION, SettingsFile
from lmdk_widgets.pages.landmarks.choices import LandmarkChoices

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

FOR_YOU = "for you, tells the true track"
"""In its name."""

HANDED = "Nothing in it is computed from the true data: what it calls true is the release that it shows."
"""What is said of a report to hand on."""

DRAWN = "Its noise was drawn for it: the points differ from those here."
"""What is said of a file that holds a release."""


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
