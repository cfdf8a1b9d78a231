"""What a user does to the choices: other cells, painting, files of their own. No widget; refusals change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.places.area import track_area
from lmdk_widgets.scenario.places.checkins import Checkins, read_checkins
from lmdk_widgets.scenario.places.evaluate import area_of
from lmdk_widgets.scenario.places.model import CELL_RANGE_M, Places
from lmdk_widgets.scenario.places.prior import Sources, counted_checkins, other_prior, prior_of
from lmdk_widgets.scenario.places.visits import Visits
from lmdk_widgets.trajectory import Trajectory, load_trajectory

COMFORTABLE = 49
"""Cells of a track that are aimed at when nobody says how large they are."""

_MOVES = frozenset({"area", "rows", "columns", "cell_m", "track", "latitude", "longitude"})
_START = Places()


class Desk:
    """The user's own tracks and check-in files, by the names that choices know them by.

    Examples
    --------
    >>> Desk().changed(Places(), {"op": "set", "name": "area", "value": "track"}, 36).prior
    'time'
    """

    def __init__(self) -> None:
        self._tracks: dict[str, Trajectory] = {}
        self._checkins: dict[str, Checkins | Visits] = {}
        self.sources = Sources(self._tracks, self._checkins)

    def changed(self, places: Places, operation: Mapping[str, Any], n: int) -> Places | None:
        """The choices after an operation on n cells: a choice set, cells painted, the painting cleared; else None.

        Raises
        ------
        InputError : what is not allowed.
        """
        match operation.get("op"):
            case "set" if operation["name"] in _MOVES:
                return self._moved(places, operation["name"], operation["value"])
            case "set" if operation["name"] == "prior" and operation["value"] in ("time", "counts"):
                return places.with_changes(prior=operation["value"], place=-1)
            case "paint":
                return _painted(places, operation["cells"], operation["weight"], n)
            case "clear":
                return places.with_changes(painted=[], prior="painted")
        return None

    def load(self, data: bytes, places: Places, kind: str) -> tuple[Places, str]:
        """The choices after a file came, "track" or "checkins", and a sentence on what was done with it.

        Raises
        ------
        InputError : a file that cannot be read, with the numbers of its lines.
        """
        if kind == "checkins":
            return self._with_checkins(places, read_checkins(data))
        try:
            track, said = load_trajectory(data), ""
        except InputError as error:
            if error.kind != "timezone":
                raise
            # mornings and evenings are by the sun, for which hours matter and a zone can be had
            track = load_trajectory(data, timezone="UTC")
            said = "The times have no zone: they were taken as UTC."
        return self.for_track(places, self.keep(track)), said

    def _with_checkins(self, places: Places, file: Checkins | Visits) -> tuple[Places, str]:
        name = f"file {len(self._checkins) + 1}"
        changed = places.with_changes(prior="checkins", checkins=name, area="grid", place=-1)
        area, sources = area_of(changed, self.sources), Sources(self._tracks, {name: file})
        prior_of(changed, area, sources)  # refuses a file with nothing in the grid, before it is kept
        self._checkins[name] = file
        counted = counted_checkins(changed, area, sources)
        said = f"{counted[0]:,} of {counted[1]:,} check-ins lie in the grid." if counted is not None else ""
        return self._workable(changed), said

    def keep(self, track: Trajectory) -> str:
        """Keeps a track; the name that choices know it by."""
        name = f"own {len(self._tracks) + 1}"
        self._tracks[name] = track
        return name

    def for_track(self, places: Places, name: str) -> Places:
        """The cells of a track, as large as it takes to have few enough of them, at most twice too few."""
        prior = places.prior if places.prior in ("time", "counts", "uniform") else "time"
        places = places.with_changes(area="track", track=name, prior=prior, place=-1, painted=[])
        track = self.sources.track(name)
        while 2 * places.cell_m <= CELL_RANGE_M[1] and not _fits(track, places.cell_m):
            places = places.with_changes(cell_m=2 * places.cell_m)
        return self._workable(places)

    def told(self, places: Places) -> dict[str, Any]:
        """What a link may tell: nothing that comes from a track or a file of the user's own."""
        prior = "city" if places.prior == "checkins" else places.prior
        told = replace(places, place=-1, checkins="", prior=prior).to_dict()
        if places.track in self._tracks:
            start = _START.to_dict()
            told |= {name: start[name] for name in ("track", "painted", "latitude", "longitude")}
        return told

    def _moved(self, places: Places, name: str, value: Any) -> Places:
        """Choices with other cells: what belonged to the cells before is gone."""
        prior = "uniform" if places.prior == "painted" and places.painted else places.prior
        changed = places.with_changes(**{"place": -1, "painted": [], "prior": prior, name: value})
        if changed.area == "track" and name in ("area", "track"):
            return self.for_track(changed, changed.track)
        return self._workable(changed)

    def _workable(self, places: Places) -> Places:
        """With another second prior where the track has no such points in these cells: nobody asked for that now."""
        try:
            other_prior(places, area_of(places, self.sources), self.sources)
        except InputError:
            return places.with_changes(other="uniform")
        return places


def _fits(track: Trajectory, cell_m: float) -> bool:
    try:
        return len(track_area(track, cell_m)) <= COMFORTABLE
    except InputError:
        return False


def _painted(places: Places, cells: Any, weight: Any, n: int) -> Places:
    weights: list[Any] = list(places.painted or [1.0] * n)
    if not isinstance(cells, list) or not cells:
        raise InputError("there is no cell to paint", where="cell", allowed=f"0 to {n - 1}")
    for cell in cells:
        if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < len(weights):
            raise InputError("there is no such cell", where="cell", value=cell, allowed=f"0 to {len(weights) - 1}")
        weights[cell] = weight
    return places.with_changes(prior="painted", painted=weights, place=cells[-1])
