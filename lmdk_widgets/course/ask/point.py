"""A question whose answer is a place on a map, in metres."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import number
from lmdk_widgets.course.ask.verdict import ANSWER, CLOSE, Ask, Said, Verdict, entries, nearness, sentences
from lmdk_widgets.page.amounts import metres

WINDS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


@dataclass(frozen=True)
class Scene:
    """What a map shows, in metres: x to the east, y to the north.

    Attributes
    ----------
    west, south, east, north : the edges.
    dots : (n, 2) points, such as releases.
    line : (n, 2) points in the order in which they are joined, such as a track.
    places : named places, (x, y, name).
    """

    west: float
    south: float
    east: float
    north: float
    dots: ArrayLike = ()
    line: ArrayLike = ()
    places: tuple[tuple[float, float, str], ...] = ()

    def told(self) -> dict[str, Any]:
        """The scene in the types of JSON, to a tenth of a metre."""
        return {
            "edges": [round(float(edge), 1) for edge in (self.west, self.south, self.east, self.north)],
            "dots": _rounded(self.dots),
            "line": _rounded(self.line),
            "places": [[round(float(x), 1), round(float(y), 1), name] for x, y, name in self.places],
        }


@dataclass(frozen=True, kw_only=True)
class Point(Ask):
    """A place on a map. The answer is [x, y] in metres of the scene.

    Attributes
    ----------
    scene : makes what the map shows.
    right : computes the right place, (2,), or several, (k, 2), of which the nearest counts; metres of the scene.
    tolerance_m : a place at most this far away is right.
    why : said with every verdict.

    Examples
    --------
    >>> question = Point(
    ...     name="example/centre",
    ...     text="Where is the centre?",
    ...     scene=lambda: Scene(0.0, 0.0, 2000.0, 1000.0),
    ...     right=lambda: (1000.0, 500.0),
    ...     tolerance_m=100.0,
    ... )
    >>> question.judge([1000.0, 200.0]).words
    'Close: it is 300 m north of your point.'
    """

    kind: ClassVar[str] = "point"

    scene: Callable[[], Scene]
    right: Callable[[], ArrayLike]
    tolerance_m: float
    why: Said = ""

    def _told(self) -> dict[str, Any]:
        return self.scene().told()

    def right_answer(self) -> list[float]:
        return np.atleast_2d(np.asarray(self.right(), dtype=float))[0].tolist()

    def judge(self, given: Any) -> Verdict:
        """The verdict, with the distance and direction to the right place; the answer is a list of places."""
        x, y = entries(given, 2, "numbers, metres to the east and to the north")
        west, south, east, north = self.scene().told()["edges"]
        place = np.array(
            [number(x, f"{ANSWER} to the east", west, east), number(y, f"{ANSWER} to the north", south, north)]
        )
        right = np.atleast_2d(np.asarray(self.right(), dtype=float))
        ways = right - place
        nearest = ways[np.argmin(np.hypot(*ways.T))]
        distance = float(np.hypot(*nearest))
        far = metres(distance)
        if distance <= self.tolerance_m:
            head = f"Right: your point is {far} off."
        else:
            near = "Close" if distance <= CLOSE * self.tolerance_m else "No"
            head = f"{near}: it is {far} {_wind(*nearest)} of your point."
        closeness = nearness(distance, self.tolerance_m)
        return Verdict(distance <= self.tolerance_m, closeness, sentences(head, self.why), right.tolist())


def _wind(x: float, y: float) -> str:
    return WINDS[round(math.atan2(y, x) / (math.pi / 4)) % 8]


def _rounded(points: ArrayLike) -> list[list[float]]:
    return np.asarray(points, dtype=float).reshape(-1, 2).round(1).tolist()
