"""What a teacher can choose from on the board, with the ranges and titles of every choice."""

from __future__ import annotations

from functools import cache
from math import log
from typing import Any

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.classroom.activity import ACTIVITIES
from lmdk_widgets.course.classroom.guess import CHANCE, LEVEL_RANGE, RADIUS_RANGE_M
from lmdk_widgets.course.classroom.response import EPSILON_RANGE, LONGEST_TEXT, MOST_ANSWERS
from lmdk_widgets.course.classroom.scenes import SCENES, scene

SUGGESTED = (
    "Have you ever handed in work that was not your own?",
    "Have you ever looked at somebody else's phone without asking?",
    "Did you drink alcohol in the last week?",
    "Have you ever pretended to be ill so as not to come?",
)
"""Questions to begin with, that one would not answer truthfully in public."""


@cache
def offers() -> dict[str, Any]:
    """Everything that the board's forms offer, as JSON.

    Examples
    --------
    >>> offers()["guess"]["scenes"]["city"]["places"][0]
    ['chance', 'by chance, by the shades of the cells']
    """
    places = {
        name: {"title": title, "places": [[CHANCE, "by chance, by the shades of the cells"], *_named(name)]}
        for name, title in SCENES.items()
    }
    return {
        "titles": ACTIVITIES,
        "response": {
            "suggested": SUGGESTED,
            "longest": LONGEST_TEXT,
            "most": MOST_ANSWERS,
            "epsilon": [*EPSILON_RANGE, round(log(3), 4)],
        },
        "poll": {
            name: {"title": LESSONS[name].title, "questions": asked} for name in LESSONS if (asked := _asked(name))
        },
        "guess": {"scenes": places, "level": [*LEVEL_RANGE, 1.0], "radius_m": [*RADIUS_RANGE_M, 500.0]},
    }


def _asked(lesson: str) -> list[list[str]]:
    return [[ask.name, said(ask.text)] for ask in questions(lesson)]


def _named(name: str) -> list[list[str]]:
    return [[place, place] for place in sorted(scene(name).names)]
