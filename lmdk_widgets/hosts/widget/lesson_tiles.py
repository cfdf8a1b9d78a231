"""The page of lessons: a tile for each, with what it teaches and how far one has come. It computes nothing.

The browser opens a lesson by its address on the same server, and counts the answers that it keeps itself.
"""

from __future__ import annotations

from typing import Any

import traitlets

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.page import glossary, reading

ABOUT = (
    "One story: Bob's day in Paris, then a commuter's week, then a household. Each lesson asks before it tells; your answers "
    "stay in this browser and nowhere else."
)


class Lessons(BundledWidget):
    """The lessons of the course, to choose from.

    Parameters
    ----------
    query : nothing in an address concerns this page.

    Examples
    --------
    >>> [lesson["name"] for lesson in Lessons()._lessons][:1]
    ['tables']
    """

    _about = traitlets.Unicode(ABOUT).tag(sync=True)
    _lessons: traitlets.List = traitlets.List().tag(sync=True)
    _glossary: traitlets.List = traitlets.List().tag(sync=True)

    def __init__(self, *, query: str = "", **traits: Any) -> None:
        entries = [[list(names), meaning] for names, meaning in glossary.message()]
        super().__init__(_module="lessons.js", _lessons=[_told(name) for name in LESSONS], _glossary=entries, **traits)

    def reading(self) -> str:
        return reading.sentences([ABOUT], reading.bullets(lesson.title for lesson in LESSONS.values()))


def _told(name: str) -> dict[str, Any]:
    """What a tile shows of a lesson; of its questions only what finds their answers in the browser."""
    lesson = LESSONS[name]
    asked = [{part: told[part] for part in ("name", "stamp")} for told in (ask.asked() for ask in questions(name))]
    about = {"name": name, "title": lesson.title, "minutes": list(lesson.minutes), "goals": list(lesson.goals)}
    return about | {"questions": asked}
