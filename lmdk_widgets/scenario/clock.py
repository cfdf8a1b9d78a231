"""The times of a track as a page shows them: in the track's own zone where it is known, else in UTC."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.zones import find_zone, to_local

_TICKS = 6

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def zone_shown(scenario: Scenario, trajectory: Trajectory) -> str:
    """The IANA name of the zone in which times are shown.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> zone_shown(Scenario(), sample("bob")), zone_shown(Scenario(utc=True), sample("bob"))
    ('Europe/Paris', 'UTC')
    """
    return "UTC" if scenario.utc else trajectory.zone or "UTC"


@cached("visitor", entries=4)
def clock_times(trajectory: Trajectory, zone: str) -> NDArray[np.datetime64]:
    """(n,) datetime64[ns], the clock times of a zone at the timestamps of a track."""
    return trajectory.time if zone == "UTC" else to_local(trajectory.time, find_zone(zone))


def clock(scenario: Scenario, trajectory: Trajectory, timestamp: int) -> str:
    """When a timestamp was, for a sentence: with its day where the track has several, with UTC where that is the zone.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> clock(Scenario(), sample("bob"), 4), clock(Scenario(utc=True), sample("bob"), 4)
    ('14:10', '13:10 UTC')
    >>> clock(Scenario(), sample("commuter"), 100)
    '08:20 on Mon 2 Mar'
    """
    zone = zone_shown(scenario, trajectory)
    shown = clock_times(trajectory, zone)
    at, days = shown[timestamp].astype("datetime64[s]").item(), shown[[0, -1]].astype("datetime64[D]")
    text = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
    text += " UTC" if zone == "UTC" else ""
    if days[0] == days[1]:
        return text
    year = f" {at.year}" if days[0].item().year != days[1].item().year else ""
    return f"{text} on {_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]}{year}"


def time_axis(scenario: Scenario, trajectory: Trajectory) -> dict[str, Any]:
    """An axis on which timestamps are evenly spaced, a few of them with their times; with the days where there are
    several, and with seconds where minutes do not tell them apart.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> axis = time_axis(Scenario(), sample("bob"))
    >>> axis["tickvals"], axis["ticktext"][:2], axis["title"]["text"]
    ([0, 1, 3, 4, 6, 7], ['07:52', '08:21'], 'time (Europe/Paris)')
    """
    n, zone = len(trajectory), zone_shown(scenario, trajectory)
    at = np.unique(np.linspace(0, n - 1, min(n, _TICKS)).round().astype(int))
    times = clock_times(trajectory, zone)
    days = len(np.unique(times.astype("datetime64[D]"))) > 2
    apart = len(np.unique(times[at].astype("datetime64[m]"))) == len(at)
    shown = times[at].astype("datetime64[s]").tolist()
    clocks = [f"{when:%H:%M}" if apart else f"{when:%H:%M:%S}" for when in shown]
    names = [f"{when.day} {when:%b} {clock}" if days else clock for when, clock in zip(shown, clocks, strict=True)]
    where = {"tickvals": at.tolist(), "ticktext": names, "range": [-0.6, n - 0.4]}
    return where | {"title": {"text": f"time ({zone})"}, "showgrid": False, "zeroline": False}
