"""The map alone: a track with its landmarks, to look at and to click."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import traitlets

from lmdk_widgets.checks_arrays import indices
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import find_track
from lmdk_widgets.widgets.bundle import BundledWidget

MOST_NAMES = 30
"""Above so many timestamps their names would cover the map."""


class TrajectoryMap(BundledWidget):
    """A track on a map; click, tap, draw a box or use the keyboard to mark landmarks.

    Parameters
    ----------
    trajectory : the track that is drawn: a `Trajectory`, the name of a sample ("bob") or the path of a file.
    landmarks : indices to begin with; those that came with the track when left out.
    timezone : IANA name for the naive times of a file.

    Attributes
    ----------
    landmarks : list of indices, increasing; set it to move the marks, observe it to be told of clicks.

    Raises
    ------
    InputError : a track that is none; a landmark that is not a timestamp of the track, and the marks stay as they were.

    Examples
    --------
    >>> view = TrajectoryMap("bob")
    >>> view.observe(lambda change: print(change["new"]), "landmarks")
    >>> view.landmarks = [7, 0]
    [0, 7]
    """

    landmarks = traitlets.List(traitlets.Int()).tag(sync=True)
    _latitude = traitlets.Bytes().tag(sync=True)
    _longitude = traitlets.Bytes().tag(sync=True)
    _names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _places: traitlets.List = traitlets.List().tag(sync=True)

    def __init__(
        self,
        trajectory: Trajectory | str | os.PathLike,
        landmarks: Iterable[int] | None = None,
        *,
        timezone: str | None = None,
        **traits: Any,
    ) -> None:
        self.trajectory = trajectory = find_track(trajectory, timezone=timezone)
        n = len(trajectory)
        names = list(trajectory.labels) or [str(i + 1) for i in range(n)]
        super().__init__(
            _module="trajectory_map.js",
            _latitude=np.ascontiguousarray(trajectory.latitude).tobytes(),
            _longitude=np.ascontiguousarray(trajectory.longitude).tobytes(),
            _names=names if n <= MOST_NAMES else [],
            _places=[list(place) for place in trajectory.places],
            landmarks=list(trajectory.landmarks if landmarks is None else landmarks),
            **traits,
        )

    @traitlets.validate("landmarks")
    def _in_order(self, proposal: Any) -> list[int]:
        return indices(proposal["value"], "landmarks", len(self.trajectory)).tolist()
