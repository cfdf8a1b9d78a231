"""The pages in order, which every host reads: a new page is one line here. Nothing is imported for them.

A page's class without a widget is `<Name>Page` in `pages/<name>/page.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

FIRST, LESSONS, STUDIES = "track", "lessons", "studies"

PAGES = {
    FIRST: ("Track", "track.Explorer"),
    "place": ("Place", "place.PlacesLab"),
    "series": ("Series", "series.QuiltLab"),
    "table": ("Table", "table.FoundationsLab"),
    "people": ("People", "people.PeopleLab"),
    LESSONS: ("Lessons", "course.Lessons"),
    STUDIES: ("Studies", "studies.Studies"),
}
"""Name in links, title, and the widget in `hosts.widget`; "" is a page whose widget has only a link as an argument."""

APART = (LESSONS, STUDIES)
"""Pages that are set apart in the bar, because they have no settings to try."""

CAN = tuple(name for name in PAGES if name not in APART)
"""Pages whose settings can be tried without a notebook: in a room, on a site and in one file."""

OPENED = tuple(name for name in PAGES if name != LESSONS)
"""Pages that a room computes for each visitor."""


def page_class(name: str) -> Any:
    """The class of a page, by its name in links."""
    return getattr(import_module(f"lmdk_widgets.pages.{name}.page"), f"{name.capitalize()}Page")
