"""The story of a track that is followed for days: the reader's own or the commuter's, released in two ways, and its words.

Noise at every timestamp with one epsilon, against landmark privacy with the same mean error: what an adversary infers from
each after every day. Notebook "Followed".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from lmdk_widgets.answers.day_by_day import Evening
from lmdk_widgets.answers.prior_moves import attacker_cells
from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import home_and_work
from lmdk_widgets.page.amounts import count, metres
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario import Outcome, Scenario, evaluate
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample

MINUTES, MOST, DAYS = (1, 2, 5, 10, 30), 2_500, 14
"""A track of the reader's own is cut to its first days with points, and thinned to one point in the fewest of these minutes
that leave at most `MOST`."""

AROUND_M = 800.0
"""Within this distance of home and work, or of both ends of a track without such times, every moment is a landmark."""

DRAWS = 20
"""Number of releases behind the mean error of landmark privacy."""

KNOWN, HERS = Scenario(correlation="strong"), Knowledge(cells=400)
"""What the story's adversary has: the belief that people mostly stay where they are, and fine cells."""


def followed_track(path: str = "", timezone: str | None = None) -> Trajectory:
    """The track in a file, or in all Geolife files in a folder; the commuter's week if no path is given.

    Parameters
    ----------
    path : a file that `load_trajectory` reads, or a folder with .plt files, at any depth.
    timezone : IANA name of the time zone in which nights and working days are counted ("Asia/Shanghai").

    Returns
    -------
    Trajectory
        For the reader's own track, the first 14 days that have points, thinned to 2,500 points.

    Raises
    ------
    InputError : a file that cannot be read, or a folder without a .plt file.

    Examples
    --------
    >>> len(followed_track())
    2016
    """
    if not path:
        return sample("commuter")
    files = sorted(Path(path).rglob("*.plt")) if Path(path).is_dir() else [Path(path)]
    if not files:
        raise InputError("The folder must contain Geolife files", value="none that ends in .plt")
    tracks = [load_trajectory(file, timezone=timezone, on_problem="drop") for file in files]
    time, latitude, longitude = (
        np.concatenate([getattr(track, name) for track in tracks]) for name in ("time", "latitude", "longitude")
    )
    minute, first = np.unique(time.astype("datetime64[m]").astype(np.int64), return_index=True)
    first = first[np.isin(minute // 1440, np.unique(minute // 1440)[:DAYS])]
    minute = minute[: len(first)]
    for each in MINUTES:
        kept = first[np.unique(minute // each, return_index=True)[1]]
        if len(kept) <= MOST:
            break
    return Trajectory(latitude[kept], longitude[kept], time[kept], name="Your track", zone=timezone or "")


def private_moments(track: Trajectory) -> tuple[int, ...]:
    """Every timestamp within 800 m of where nights or working days are mostly spent; without such times, of both ends.

    Examples
    --------
    >>> len(private_moments(followed_track()))
    1653
    """
    area = attacker_cells(KNOWN, HERS, track)
    truth = area.cell_of(track.points_m)
    spent = home_and_work(np.eye(len(area))[truth], clock_times(track, track.zone or "UTC"))
    cells = [cell for cell in (spent.home, spent.work) if cell is not None]
    places = [np.median(track.points_m[truth == cell], axis=0) for cell in cells] or [*track.points_m[[0, -1]]]
    near = [np.hypot(*(track.points_m - place).T) <= AROUND_M for place in places]
    return tuple(np.flatnonzero(np.any(near, axis=0)).tolist())


def plain_way(track: Trajectory, *, epsilon: float = 1.0, error_m: float | None = None) -> Outcome:
    """The track with noise at every timestamp, each with all of epsilon, or with the epsilon of an expected error, metres.

    Examples
    --------
    >>> round(float(plain_way(followed_track(), error_m=800.0).budgets[0]), 9)
    0.5
    """
    if error_m is not None:
        epsilon = 2 * KNOWN.radius_m / error_m  # the mean displacement of planar Laplace
    return evaluate(KNOWN.with_changes(track=_name(track), scheme="event", epsilon=epsilon), track)


def landmark_way(track: Trajectory, *, epsilon: float = 1.0) -> tuple[Outcome, float]:
    """The track released with Skip, which measures none of the private moments, and its mean error over 20 draws, metres.

    Raises
    ------
    InputError : the track has only private moments.
    """
    marks = private_moments(track)
    if len(marks) == len(track):
        remedy = "Use a longer track"
        raise InputError("The track must leave its private places at times", value="never", remedy=remedy)
    scenario = KNOWN.with_changes(track=_name(track), scheme="skip", landmarks=marks, epsilon=epsilon)
    return evaluate(scenario, track), float(np.nanmean(drawn_errors(scenario, track, DRAWS)))


def placed(ways: Mapping[str, tuple[Evening, ...]]) -> tuple[str, dict[str, list[float]]]:
    """What the attacker places, "home", or "work" if the track has no night, and how far off it is after each day, metres."""
    nights = any(math.isfinite(evening.home_m) for evenings in ways.values() for evening in evenings)
    which = "home" if nights else "work"
    return which, {name: [getattr(each, f"{which}_m") for each in evenings] for name, evenings in ways.items()}


def last_words(name: str, evenings: tuple[Evening, ...]) -> str:
    """What the attacker has found out by the end, in a sentence.

    Examples
    --------
    >>> last_words("noise alone", (Evening(1, math.nan, 80.0), Evening(2, 74.2, 80.0)))
    'After two days of noise alone the attacker places home 74 m and work 80 m from the truth.'
    """
    days, *off = evenings[-1]
    said = [
        sentence("{what} {distance}", what=what, distance=metres(far))
        for what, far in zip(("home", "work"), off, strict=True)
        if math.isfinite(far)
    ]
    found = f"places {' and '.join(said)} from the truth" if said else "has seen no night and no working day yet"
    return sentence("After {days} of {name} the attacker {found}.", days=count(days, "day"), name=name, found=found)


def _name(track: Trajectory) -> str:
    return "commuter" if track is sample("commuter") else ""
