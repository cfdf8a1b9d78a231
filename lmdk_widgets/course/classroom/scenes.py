"""Where "Guess where" is played: cells of a city, what everybody knows of them beforehand, and names to find one's way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import one_of
from lmdk_widgets.geo import Floats
from lmdk_widgets.pages.places.area import Area, grid_area, track_area
from lmdk_widgets.pages.places.model import Places
from lmdk_widgets.pages.places.prior import city_prior, stay_weights
from lmdk_widgets.trajectory import sample

SCENES: dict[str, str] = {
    "city": "A city: 9 × 9 cells of 500 m around the Louvre, some busier than others",
    "week": "A commuter's week: cells of 1 km, shaded by how long the commuter stays in each",
}
"""The scenes, each with its title."""

WEEK_CELL_M = 1000.0


@dataclass(frozen=True, eq=False)
class Scene:
    """Cells, what is known of them, and names on the map.

    Attributes
    ----------
    area : n square cells. prior : (n,) how likely each is before anything is released.
    names : names of places; cells : (k,) the cell of each; at_m : (k, 2) metres in the area's frame.
    """

    area: Area
    prior: Floats
    names: tuple[str, ...]
    cells: NDArray[np.int64]
    at_m: Floats


@cache
def scene(name: str) -> Scene:
    """The scene of that name; the same object every time.

    Raises
    ------
    InputError : there is none.

    Examples
    --------
    >>> len(scene("city").area), round(float(scene("city").prior.sum()), 12)
    (81, 1.0)
    """
    area, prior = _MADE[one_of(name, "scene", tuple(SCENES))]()
    places = {
        word: (latitude, longitude) for latitude, longitude, word in sample("bob").places + sample("commuter").places
    }
    latitude, longitude = np.array(list(places.values())).T
    at_m = area.frame.to_metres(latitude, longitude)
    cells = area.cell_of(at_m)
    inside = np.flatnonzero(cells >= 0)
    return Scene(area, prior, tuple(list(places)[k] for k in inside), cells[inside], at_m[inside])


def _city() -> tuple[Area, Floats]:
    area = grid_area(Places(rows=9, columns=9, cell_m=500.0))
    return area, city_prior(area)


def _week() -> tuple[Area, Floats]:
    track = sample("commuter")
    area = track_area(track, WEEK_CELL_M)
    weights = np.bincount(area.cell_of(track.points_m), stay_weights(track), len(area))
    return area, weights / weights.sum()


_MADE: dict[str, Callable[[], tuple[Area, Floats]]] = {"city": _city, "week": _week}
