"""The sample tracks that come with the package: invented persons on streets that do not exist.

They lie in `_data` inside an installed package and in `data/` of a checkout, with the program that makes them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.checks import either, joined, one_of, refused, seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.load import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory


def sample(name: str) -> Trajectory:
    """A bundled track; the same object every time, for it cannot be changed.

    Parameters
    ----------
    name : one of `sample_names()`.

    Returns
    -------
    The track with its landmarks, a label for each timestamp, and well-known places for the map (never the person's).

    Raises
    ------
    InputError : there is no sample of that name.

    Examples
    --------
    >>> bob = sample("bob")
    >>> bob.name, len(bob), bob.landmarks, bob.labels[7]
    ("Bob's day in Paris", 8, (0, 2, 4, 7), 'p8')
    """
    from lmdk_widgets.trajectory.series_samples import series_names  # which stands on this module

    elsewhere = isinstance(name, str) and name in series_names()
    remedy = f'"{name}" is a series: sample_series("{name}") takes it' if elsewhere else ""
    return _read(one_of(name, "the name of a sample track", sample_names(), remedy=remedy))


def sample_names() -> tuple[str, ...]:
    """The names that `sample` takes, the shortest track first.

    Examples
    --------
    >>> sample_names()
    ('bob', 'commuter', 'taxi')
    """
    return tuple(_index())


def sample_choices() -> list[dict[str, str]]:
    """Every sample with its name, title and meaning, as a page offers them.

    Examples
    --------
    >>> sample_choices()[0]["title"]
    "Bob's day in Paris"
    """
    return [{"name": n, "title": about["name"], "meaning": about["description"]} for n, about in _index().items()]


def sample_name(trajectory: Trajectory) -> str:
    """The name under which `sample` gives this very track, or "".

    Examples
    --------
    >>> sample_name(sample("taxi"))
    'taxi'
    """
    titled = (name for name, about in _index().items() if about["name"] == trajectory.name)
    return next((name for name in titled if sample(name) is trajectory), "")


def sample_origin(name: str) -> tuple[float, float]:
    """Latitude and longitude of a public point near a sample, for a private release of it: the centre of its city.

    Examples
    --------
    >>> sample_origin("bob")
    (48.86, 2.35)
    """
    latitude, longitude = _index()[one_of(name, "the name of a sample", sample_names())]["origin"]
    return latitude, longitude


def find_track(what: object, *, timezone: str | None = None, **options: Any) -> Trajectory:
    """The track that somebody means: a track itself, the name of a sample, or the path of a file.

    Further options say how a file is read, as for `load_trajectory`.

    Raises
    ------
    InputError : it is none of these, the file cannot be read as `load_trajectory` says, or there is none for the options.

    Examples
    --------
    >>> len(find_track("bob"))
    8
    """
    if isinstance(what, os.PathLike) or (isinstance(what, str) and os.path.exists(what) and what not in sample_names()):
        return load_trajectory(what, timezone=timezone, **options)
    known = what if isinstance(what, Trajectory) else None
    if isinstance(what, str) and what in sample_names():
        known = sample(what)
    if known is not None:
        only_of_files(options, what)
        return known
    raise refused("track", f"a Trajectory, the path of a file or the name of a sample, {either(sample_names())}", what)


def only_of_files(options: Collection[str], what: object = None) -> None:
    """Refuses options that say how a file is read, for what is no file."""
    if options:
        value = None if what is None else seen(what)
        raise InputError(f"{joined(options, 'and')} must come with the path of a file", value=value)


def data_folder() -> Path:
    """Where the example files lie: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent / "data"


def columns_of(file: str) -> dict[str, list[str]]:
    """The columns of one of our own files by their headings, as texts."""
    # without quotes: one split is ten times as fast as the csv module; the values are checked by what is made of them
    header, _, text = (data_folder() / file).read_text(encoding="utf-8").partition("\n")
    cells, width = text.rstrip("\n").replace("\n", ",").split(","), header.count(",") + 1
    return {title: cells[k::width] for k, title in enumerate(header.split(","))}


@cache
def _index() -> dict[str, dict[str, Any]]:
    return json.loads((data_folder() / "samples.json").read_text(encoding="utf-8"))


@cache
def _read(name: str) -> Trajectory:
    about = _index()[name]
    column = columns_of(about["file"])
    return Trajectory(
        latitude=np.fromiter(map(float, column["latitude"]), float),
        longitude=np.fromiter(map(float, column["longitude"]), float),
        time=np.array([stamp[:-1] for stamp in column["time"]], "datetime64[ns]"),  # no Z: numpy warns of it
        landmarks=tuple(i for i, flag in enumerate(column["landmark"]) if flag == "1"),
        labels=tuple(column["label"]),
        places=tuple((latitude, longitude, word) for latitude, longitude, word in about["places"]),
        name=about["name"],
        zone=about["timezone"],
    )
