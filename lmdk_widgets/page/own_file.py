"""What the user's own file turned out to be, in one line: its name, format, how many points, from when to when, how often."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

import numpy as np

from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.card import span
from lmdk_widgets.trajectory.words import counted, printable
from lmdk_widgets.trajectory.zones import find_zone, to_local

_STEPS = ((86_400, "day"), (3_600, "h"), (60, "min"), (1, "s"))


def describe_track(track: Trajectory, zone: str = "") -> str:
    """A track that was read, its times in a zone (if left out, its own or UTC), and what was done to its rows.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import load_trajectory
    >>> rows = b"time,lat,lon\\n2026-03-01T08:00Z,48,2\\n2026-03-01T08:05Z,48,2\\n2026-03-01T08:10Z,48,2\\n"
    >>> describe_track(load_trajectory(rows, timezone="Europe/Paris"))
    'Your track: CSV, 3 points, 2026-03-01 09:00 to 09:10 (Europe/Paris), every 5 min.'
    """
    zone = zone or track.zone or "UTC"
    when = span(to_local(track.time[[0, -1]], find_zone(zone)))
    often = "" if len(track) == 1 else f", {_interval(track)}"
    what, noun = ("Your series", "value") if isinstance(track, Series) else ("Your track", "point")
    kind = f"{track.format}, " if track.format else ""
    unit = f" in {track.unit}" if isinstance(track, Series) and track.unit else ""
    line = f"{track.name or what}: {kind}{counted(len(track), noun)}{unit}, {when} ({zone}){often}."
    return " ".join((line, *track.notices))


def named(track: Trajectory, file: str) -> Trajectory:
    """A track, named after its file if it has no name of its own.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> named(sample("bob"), "walk.csv").name, named(replace(sample("bob"), name=""), "walk.csv").name
    ("Bob's day in Paris", 'walk')
    """
    return track if track.name else replace(track, name=printable(PurePath(file).stem, 60))


def _interval(track: Trajectory) -> str:
    seconds = np.diff(track.time) / np.timedelta64(1, "s")
    middle = float(np.median(seconds))
    unit, name = next(((unit, name) for unit, name in _STEPS if middle >= 2 * unit), (1, "s"))
    regular = float(seconds.max() - seconds.min()) <= 0.01 * middle
    return f"{'every' if regular else 'mostly about every'} {middle / unit:.3g} {name}{'s' if name == 'day' else ''}"
