"""A study's tracks and series, each with its own name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.population.people_table import People
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import sample_names, series_names
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_reader import find_data, load_data

Tracks = dict[str, Trajectory]


def named_tracks(trajectories: Any) -> Tracks:
    """The tracks by name: the mapping's key, otherwise the name of the sample, the file, the track itself, or each person.

    Raises
    ------
    InputError : no track, two with the same name, something that is not a track.

    Examples
    --------
    >>> list(named_tracks(["bob", "commuter"]))
    ['bob', 'commuter']
    """
    pairs: list[tuple[str, Any]]
    if isinstance(trajectories, People):
        pairs = [(name, trajectories.track(name)) for name in trajectories.names.tolist()]
    elif isinstance(trajectories, Mapping):
        pairs = [(str(name), what) for name, what in trajectories.items()]
    elif isinstance(trajectories, str | os.PathLike | Trajectory):
        pairs = [(name_of(trajectories), trajectories)]
    elif isinstance(trajectories, list | tuple):
        pairs = [(name_of(what), what) for what in trajectories]
    else:
        raise refused("the trajectories", "a list of tracks, a mapping from names to tracks, or People", trajectories)
    found: Tracks = {}
    for name, what in pairs:
        add_track(found, name, what)
    if not found:
        raise InputError("The trajectories must have at least one track", value="none")
    return found


def add_track(tracks: Tracks, name: str, what: Any, *, timezone: str | None = None, **how: Any) -> None:
    """Add a track or series under its name; `how` are further options of `load_data`, for a file."""
    if name in tracks:
        remedy = "Give each its own name, as in {name: track}"
        raise InputError("The trajectories must have different names", value=f"{name} twice", remedy=remedy)
    if isinstance(what, str | os.PathLike) and what not in (*sample_names(), *series_names()) and os.path.isfile(what):
        tracks[name] = load_data(what, timezone=timezone, **how)
    else:
        tracks[name] = find_data(what, timezone=timezone)


def name_of(what: Any) -> str:
    """The name for a track that was given without one."""
    if isinstance(what, Trajectory):
        return what.name or "track"
    return Path(what).stem if isinstance(what, str | os.PathLike) else ""


def fingerprint(track: Trajectory) -> str:
    """A text that differs for every track or series, and reveals no coordinate and no value."""
    digest = sha256(b"".join(array.tobytes() for array in (track.latitude, track.longitude, track.time)))
    if isinstance(track, Series):
        digest.update(track.values.tobytes() + repr((track.kind, track.lower, track.upper)).encode())
    digest.update(repr(track.landmarks).encode())
    return digest.hexdigest()[:32]
