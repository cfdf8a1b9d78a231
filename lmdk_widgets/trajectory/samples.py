"""The sample tracks and series that come with the package: invented people on streets that do not exist.

They are in `_data` in an installed package and in `data/` in a checkout, with the programs that generate them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import either, joined, one_of, refused, seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.trajectory.data_frame import is_frame
from lmdk_widgets.trajectory.load import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

_TRACKS, _SERIES = "samples.json", "series.json"


def sample(name: str) -> Trajectory:
    """A bundled track; always the same object, as it is immutable.

    Parameters
    ----------
    name : one of `sample_names()`.

    Returns
    -------
    The track with its landmarks, a label for each timestamp, and well-known places for the map (never the person's).

    Raises
    ------
    InputError : there is no sample with this name.

    Examples
    --------
    >>> bob = sample("bob")
    >>> bob.name, len(bob), bob.landmarks, bob.labels[7]
    ("Bob's day in Paris", 8, (0, 2, 4, 7), 'p8')
    """
    elsewhere = isinstance(name, str) and name in series_names()
    remedy = f'"{name}" is a series: use sample_series("{name}")' if elsewhere else ""
    return _read(one_of(name, "the name of a sample track", sample_names(), remedy=remedy))


def sample_names() -> tuple[str, ...]:
    """The names for `sample`, the shortest track first.

    Examples
    --------
    >>> sample_names()
    ('bob', 'commuter', 'runner', 'taxi')
    """
    return tuple(_index(_TRACKS))


def sample_series(name: str) -> Series:
    """A bundled series; always the same object, as it is immutable.

    Parameters
    ----------
    name : one of `series_names()`.

    Returns
    -------
    The series with its landmarks, a label for each timestamp, and public bounds.

    Raises
    ------
    InputError : there is no series with this name.

    Examples
    --------
    >>> household = sample_series("household")
    >>> household.name, len(household), household.unit, household.lower, household.upper
    ("A household's two weeks", 336, 'kWh', 0.0, 6.0)
    """
    elsewhere = isinstance(name, str) and name in sample_names()
    remedy = f'"{name}" is a track: use sample("{name}")' if elsewhere else ""
    return _read_series(one_of(name, "the name of a sample series", series_names(), remedy=remedy))


def series_names() -> tuple[str, ...]:
    """The names for `sample_series`.

    Examples
    --------
    >>> series_names()
    ('household', 'contacts', 'heart')
    """
    return tuple(_index(_SERIES))


def sample_choices() -> list[dict[str, str]]:
    """Every sample track with its name, title and meaning, as a page offers them.

    Examples
    --------
    >>> sample_choices()[0]["title"]
    "Bob's day in Paris"
    """
    return _choices(_TRACKS)


def data_choices() -> list[dict[str, str]]:
    """Every sample track and series with its name, title and meaning, as a page offers them.

    Examples
    --------
    >>> [choice["name"] for choice in data_choices()]
    ['bob', 'commuter', 'runner', 'taxi', 'household', 'contacts', 'heart']
    """
    return _choices(_TRACKS) + _choices(_SERIES)


def sample_data(name: str) -> Trajectory:
    """The bundled track or series with this name.

    Raises
    ------
    InputError : there is neither.

    Examples
    --------
    >>> len(sample_data("bob")), len(sample_data("household"))
    (8, 336)
    """
    named = one_of(name, "the name of a sample", (*sample_names(), *series_names()))
    return sample_series(named) if named in series_names() else sample(named)


def data_name(data: Trajectory) -> str:
    """The name for which `sample_data` returns this exact track or series, or "".

    Examples
    --------
    >>> data_name(sample_series("heart")), data_name(sample("bob"))
    ('heart', 'bob')
    """
    about = _index(_SERIES if isinstance(data, Series) else _TRACKS)
    return next((name for name in about if about[name]["name"] == data.name and sample_data(name) is data), "")


def region_of(name: str) -> Region:
    """The public region of a sample track: everyone knows that the track is in this city.

    Examples
    --------
    >>> region_of("bob")
    Region(south=48.75, west=2.25, north=49.0, east=2.5)
    """
    return Region(*_index(_TRACKS)[one_of(name, "the name of a sample", sample_names())]["region"])


def region_name(name: str) -> str:
    """The name of a sample track's region.

    Examples
    --------
    >>> region_name("bob")
    'Paris'
    """
    return str(_index(_TRACKS)[one_of(name, "the name of a sample", sample_names())]["region_name"])


def find_track(what: object, *, timezone: str | None = None, **options: Any) -> Trajectory:
    """The track that is meant: a track itself, the name of a sample, the path of a file, or a table in memory.

    Further options say how to read a file, as for `load_trajectory`, and for a table `person`.

    Raises
    ------
    InputError : it is none of these, the file cannot be read (see `load_trajectory`), or there are options but no file.

    Examples
    --------
    >>> len(find_track("bob"))
    8
    """
    if isinstance(what, os.PathLike) or (isinstance(what, str) and os.path.exists(what) and what not in sample_names()):
        return load_trajectory(what, timezone=timezone, **options)
    if is_frame(what):
        only_of_files(options.keys() - {"person"}, what)
        return Trajectory.from_frame(what, timezone=timezone, **options)
    known = what if isinstance(what, Trajectory) else None
    if isinstance(what, str) and what in sample_names():
        known = sample(what)
    if known is not None:
        only_of_files(options, what)
        return known
    wanted = f"a Trajectory, a table, the path of a file or the name of a sample, {either(sample_names())}"
    missing = isinstance(what, str) and bool(os.path.splitext(what)[1])
    kind = type(what)
    value = f"{kind.__module__}.{kind.__name__}" if kind.__name__ == "Trajectory" else what
    raise refused("track", wanted, value, remedy="There is no such file in this folder" if missing else "")


def only_of_files(options: Collection[str], what: object = None) -> None:
    """Refuse options about how to read a file if there is no file."""
    if options:
        value = None if what is None else seen(what)
        raise InputError(f"{joined(options, 'and')} must come with the path of a file", value=value)


def data_folder() -> Path:
    """Where the example files are: inside an installed package, or next to the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent / "data"


def columns_of(file: str) -> dict[str, list[str]]:
    """The columns of one of our own files by heading, as texts."""
    # there are no quotes: one split is ten times as fast as the csv module; whatever is built from the values checks them
    header, _, text = (data_folder() / file).read_text(encoding="utf-8").partition("\n")
    cells, width = text.rstrip("\n").replace("\n", ",").split(","), header.count(",") + 1
    return {title: cells[k::width] for k, title in enumerate(header.split(","))}


@cached("everybody", what="what is said of the samples")
def _index(file: str) -> dict[str, dict[str, Any]]:
    return json.loads((data_folder() / file).read_text(encoding="utf-8"))


def _choices(file: str) -> list[dict[str, str]]:
    return [{"name": n, "title": about["name"], "meaning": about["description"]} for n, about in _index(file).items()]


def _common(about: dict[str, Any], column: dict[str, list[str]]) -> dict[str, Any]:
    """What tracks and series have in common."""
    return {
        "time": np.array(
            [stamp[:-1] for stamp in column["time"]], "datetime64[ns]"
        ),  # without the Z, about which numpy warns
        "landmarks": tuple(i for i, flag in enumerate(column["landmark"]) if flag == "1"),
        "labels": tuple(column["label"]),
        "name": about["name"],
        "zone": about["timezone"],
    }


def _numbers(texts: list[str]) -> np.ndarray:
    return np.fromiter(map(float, texts), float)


@cached("everybody", what="the sample tracks")
def _read(name: str) -> Trajectory:
    about = _index(_TRACKS)[name]
    column = columns_of(about["file"])
    return Trajectory(
        latitude=_numbers(column["latitude"]),
        longitude=_numbers(column["longitude"]),
        places=tuple((latitude, longitude, word) for latitude, longitude, word in about["places"]),
        **_common(about, column),
    )


@cached("everybody", what="the sample series")
def _read_series(name: str) -> Series:
    about = _index(_SERIES)[name]
    column = columns_of(about["file"])
    return Series(
        values=_numbers(column[about["value"]]),
        kind=about["kind"],
        unit=about.get("unit", ""),
        lower=about.get("lower"),
        upper=about.get("upper"),
        answers=tuple(about.get("answers", ("no", "yes"))),
        **_common(about, column),
    )
