"""Where people in general are, for an adversary who starts from that: the user's own check-ins, or a made-up city.

Check-ins belong to the data, with the track: no choice, link or saved file contains any of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.scenario.correlation import ESTIMATE_SMOOTHING
from lmdk_widgets.scenario.own_track import has_days, is_without_zone, read_track
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.geoind.visits import Visits


@dataclass(frozen=True, eq=False, repr=False)
class TrackWithCheckins(Trajectory):
    """A track, and check-ins of people in general around it.

    Attributes
    ----------
    checkins : all those in the file, wherever they are. file : its name. alone : the same track without them.
    """

    checkins: Visits | None = None
    file: str = ""
    alone: Trajectory | None = None


def with_checkins(trajectory: Trajectory, checkins: Any, file: str = "") -> TrackWithCheckins:
    """A track with check-ins, for `evaluate` and `infer` with a `Knowledge` whose start is "people".

    Parameters
    ----------
    trajectory : the track. checkins : the path of a table with a line for each check-in, or with a column of counts, as
        the place page reads it; its bytes; or what was read from it. file : its name, where it has no path.

    Raises
    ------
    InputError : a file that cannot be read, or that does not say where its numbers are.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Knowledge, Scenario, evaluate, infer
    >>> from lmdk_widgets.trajectory import sample
    >>> busy = with_checkins(sample("bob"), b"lat,lon,count\\n48.8606,2.3376,99\\n48.8530,2.3499,1\\n")
    >>> outcome = evaluate(Scenario(epsilon=0.01), busy)
    >>> round(float(infer(outcome, Knowledge(start="people")).blind.right[0]), 2)
    0.0
    """
    if isinstance(checkins, str | os.PathLike):
        checkins, file = Path(checkins).read_bytes(), file or str(checkins)
    found = read(checkins) if isinstance(checkins, bytes) else checkins
    kept = {each.name: getattr(trajectory, each.name) for each in fields(Trajectory)}
    return TrackWithCheckins(**kept, checkins=found, file=file, alone=without(trajectory))


def read(data: bytes) -> Visits:
    """The check-ins of a table that says where they are.

    Raises
    ------
    InputError : as `read_checkins`, or for a list of numbers alone.
    """
    from lmdk_widgets.geoind.checkins import Visits, read_checkins  # late: a page opens without it

    found = read_checkins(data)
    if not isinstance(found, Visits):
        what = "Check-ins around a track must have a heading that names latitude and longitude"
        raise InputError(what, value="numbers alone", remedy="Save a table with a line for each place")
    return found


def read_file(data: bytes, name: str, **options: Any) -> tuple[Any, dict[str, Any]]:
    """A user's own file, and where Python reads it again: check-ins where the option `purpose` is "checkins", otherwise
    a track."""
    if options.pop("purpose", "track") == "checkins":
        return read(data), {"path": name or "check-ins"}
    return read_track(data, name, **options)


def has_parts(found: tuple[Any, dict[str, Any]]) -> bool:
    """Whether the user can choose from what was read: the days of a track, or its time zone where the file names
    none."""
    track = found[0]
    return isinstance(track, Trajectory) and (has_days(found) or is_without_zone(track))


def without(trajectory: Trajectory) -> Trajectory:
    """The track as it was before check-ins were given."""
    return getattr(trajectory, "alone", None) or trajectory


@cached("visitor", entries=4)
def counted(area: Area, trajectory: Trajectory) -> tuple[int, int] | None:
    """How many check-ins lie in the cells, and how many there are; None where none were given."""
    from lmdk_widgets.geoind.priors import count_inside  # late: only an adversary who starts from people needs it

    visits = getattr(trajectory, "checkins", None)
    return None if visits is None else (count_inside(visits, area), len(visits))


@cached("visitor", entries=4)
def people_prior(area: Area, trajectory: Trajectory) -> Floats:
    """(m,) how likely anyone is in each cell: the share of the check-ins, or that of a made-up city.

    A little is added to the check-ins of each cell, so no place is impossible to the attacker; where none lies in the cells,
    all cells are equally likely.
    """
    from lmdk_widgets.geoind.priors import city_prior

    visits = getattr(trajectory, "checkins", None)
    if visits is None:
        return city_prior(area)
    points_m, weights = visits.located(area.frame)
    cell = area.cell_of(points_m)
    found = np.bincount(cell[cell >= 0], weights[cell >= 0], len(area)) + ESTIMATE_SMOOTHING
    prior = np.asarray(found / found.sum(), float)
    prior.flags.writeable = False  # kept for the next slider position
    return prior


def file_of(trajectory: Trajectory) -> str:
    """The name of the file of check-ins, "" where none were given."""
    given = "my-check-ins.csv" if without(trajectory) is not trajectory else ""
    return getattr(trajectory, "file", "") or given
