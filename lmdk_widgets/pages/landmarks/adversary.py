"""What the landmark page draws of an adversary who follows the track: cells on the map, and panels over time.

The map shows a class for each cell and two regions, which are bytes. Those of the timestamp that is looked at come with the
outcome; those of all timestamps, which playing needs, follow once they are made, so that a slider sends few of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.scenario.adversary import SHARES, Inferred
from lmdk_widgets.scenario.adversary_timeline import describe_over_time
from lmdk_widgets.scenario.following import at_hand, playable
from lmdk_widgets.scenario.her_levels import Levels
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Trajectory

MOST_PLAYED = 3_000_000
"""Most bytes that are sent for playing: of a longer track the page asks for each timestamp."""


def adversary_drawings(outcome: Outcome) -> Iterator[Drawing]:
    """Her cells, her beliefs on the map and her panels over time; nothing where they are not asked for or not known yet."""
    found = at_hand(outcome)
    if found is None:
        return
    yield _states(found)
    yield _beliefs(outcome, found)
    scenario = outcome.scenario
    figure, arrays = describe_over_time(outcome, found)
    made_of = (found, scenario.infer_cell, str(scenario.landmarks))
    yield Drawing("panels", made_of, {"figure": figure}, arrays)


def alone(found: Inferred, at: int) -> dict[str, Any]:
    """Her cells and her beliefs at every timestamp as one value, for a map without a page."""
    told: dict[str, Any] = {"at": at}
    for drawing in (_states(found), _drawn(found, at, found.marks, whole=True)):
        arrays, buffers = drawing.packed()
        told[drawing.name] = {**drawing.described, "arrays": arrays, "buffers": buffers}
    return told


def is_of(found: Any, trajectory: Trajectory) -> bool:
    """Whether something is what an adversary infers of this track: of as many timestamps, in the same cells."""
    if not isinstance(found, Inferred) or len(found) != len(trajectory) or isinstance(found.area, Levels):
        return False
    points_m = found.area.frame.to_metres(trajectory.latitude, trajectory.longitude)
    return bool((found.area.cell_of(points_m) == found.truth).all())


def _states(found: Inferred) -> Drawing:
    """Her cells with their corners on the map, or her levels with their ends on the axis of values."""
    area = found.area
    if isinstance(area, Levels):
        return Drawing("cells", (area,), {"base": [], "names": list(area.names)}, {"edges": area.edges})
    latitude, longitude = area.corners
    base = [float(latitude.min()), float(longitude.min())]
    arrays = {
        "squares": (area.squares - area.squares.min(axis=0)).ravel(),
        # from the corner of the area, as float32 keeps 3 mm there and a metre of whole degrees
        "latitudes": latitude.ravel() - base[0],
        "longitudes": longitude.ravel() - base[1],
    }
    return Drawing("cells", (area,), {"base": base, "names": list(area.names)}, arrays)


def said_of(found: Inferred) -> str:
    """What she finds on the whole track, in a sentence."""
    off, right = float(found.whole.error_m.mean()), float(found.whole.right.mean())
    cells = count(len(found.area), "cell")
    given = f"and gives the true one of her {cells} a chance of {percent(right)}."
    return f"An adversary who follows it is on average {metres(off)} off, {given}"


def _beliefs(outcome: Outcome, found: Inferred) -> Drawing:
    at = min(outcome.scenario.infer_at, len(found) - 1)
    every = playable(outcome)
    if every is not None and every.size <= MOST_PLAYED:
        return _drawn(found, at, every, whole=True)
    return _drawn(found, at, found.marked(slice(at, at + 1)), whole=False)


def _drawn(found: Inferred, at: int, marks: np.ndarray, *, whole: bool) -> Drawing:
    arrays: dict[str, np.ndarray] = {
        "marks": marks.ravel(),
        "guess": found.guess,
        "path": found.path,
        "truth": found.truth,
        "right": found.whole.right,
        "guess_error_m": found.guess_error_m,
        "path_error_m": found.path_error_m,
    }
    if isinstance(found.area, Levels) and found.area.answers:
        arrays["yes"] = found.belief[:, 1]
    told = {"at": at, "whole": whole, "shares": list(SHARES)}
    return Drawing("beliefs", (found, whole, -1 if whole else at), told, arrays)
