"""The sample series that come with the package: an invented household, phone and heart. They lie where the tracks lie."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from lmdk_widgets.checks import one_of
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import columns_of, data_folder, sample, sample_choices, sample_name, sample_names
from lmdk_widgets.trajectory.series import Series


def sample_series(name: str) -> Series:
    """A bundled series; the same object every time, for it cannot be changed.

    Parameters
    ----------
    name : one of `series_names()`.

    Returns
    -------
    The series with its landmarks, a label for each timestamp, and bounds that everybody knows.

    Raises
    ------
    InputError : there is no series of that name.

    Examples
    --------
    >>> household = sample_series("household")
    >>> household.name, len(household), household.unit, household.lower, household.upper
    ("A household's two weeks", 336, 'kWh', 0.0, 6.0)
    """
    elsewhere = isinstance(name, str) and name in sample_names()
    remedy = f'"{name}" is a track: sample("{name}") takes it' if elsewhere else ""
    return _read(one_of(name, "the name of a sample series", series_names(), remedy=remedy))


def series_names() -> tuple[str, ...]:
    """The names that `sample_series` takes.

    Examples
    --------
    >>> series_names()
    ('household', 'contacts', 'heart')
    """
    return tuple(_index())


def data_choices() -> list[dict[str, str]]:
    """Every sample track and series with its name, title and meaning, as a page offers them.

    Examples
    --------
    >>> [choice["name"] for choice in data_choices()]
    ['bob', 'commuter', 'taxi', 'household', 'contacts', 'heart']
    """
    said = [{"name": n, "title": about["name"], "meaning": about["description"]} for n, about in _index().items()]
    return sample_choices() + said


def sample_data(name: str) -> Trajectory:
    """The bundled track or series of a name.

    Raises
    ------
    InputError : there is neither.

    Examples
    --------
    >>> len(sample_data("bob")), len(sample_data("household"))
    (8, 336)
    """
    named = one_of(name, "the name of a sample", (*sample_names(), *series_names()))
    return sample_series(named) if named in _index() else sample(named)


def data_name(data: Trajectory) -> str:
    """The name under which `sample_data` gives this very track or series, or "".

    Examples
    --------
    >>> data_name(sample_series("heart")), data_name(sample("bob"))
    ('heart', 'bob')
    """
    if not isinstance(data, Series):
        return sample_name(data)
    titled = (name for name, about in _index().items() if about["name"] == data.name)
    return next((name for name in titled if sample_series(name) is data), "")


@cache
def _index() -> dict[str, dict[str, Any]]:
    return json.loads((data_folder() / "series.json").read_text(encoding="utf-8"))


@cache
def _read(name: str) -> Series:
    about = _index()[name]
    column = columns_of(about["file"])
    return Series(
        np.array([stamp[:-1] for stamp in column["time"]], "datetime64[ns]"),  # no Z: numpy warns of it
        tuple(i for i, flag in enumerate(column["landmark"]) if flag == "1"),
        tuple(column["label"]),
        name=about["name"],
        zone=about["timezone"],
        values=np.fromiter(map(float, column[about["value"]]), float),
        kind=about["kind"],
        unit=about.get("unit", ""),
        lower=about.get("lower"),
        upper=about.get("upper"),
        answers=tuple(about.get("answers", ("no", "yes"))),
    )
