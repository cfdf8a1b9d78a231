"""Data in the shapes of the landmark paper's three data sets: 1,000 timestamps each, made up.

The paper has the contacts of a phone of the Copenhagen Networks Study, the hourly power of residence 1 of HUE and a taxi
of T-Drive. None of them may be shipped here, so all three are made by the programs that make the sample data. They have the
number of timestamps, the kind of value and the interval of the originals, not their values.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.checks import one_of
from lmdk_widgets.trajectory import Series, Trajectory, sample, sample_series
from lmdk_widgets.trajectory.series_reader import load_data

LENGTH = 1000
"""Timestamps of each."""

SEEDS = (5, 6, 7)
"""Of the household's fortnights, one after the other: the first is that of the sample."""

MAKERS = Path(__file__).parents[1] / "data"


Own = Mapping[str, str | os.PathLike[str]]
"""Paths of your own files, by the name of the data that they replace."""


def paper_data(own: Own | None = None, **how: Any) -> dict[str, Trajectory]:
    """The three, in the paper's order.

    Parameters
    ----------
    own : files of which the first 1,000 timestamps take the place of "contacts", "household" or "taxi". how : options of
        `load_data` for them, such as timezone.

    Raises
    ------
    InputError : a file that cannot be read, or a name that is none of the three.

    Examples
    --------
    >>> {name: len(data) for name, data in paper_data().items()}
    {'contacts': 1000, 'household': 1000, 'taxi': 1000}
    """
    found = dict(_made())
    for name, path in (own or {}).items():
        found[one_of(name, "the name of the data", found)] = first(load_data(path, **how))
    return found


@cache
def _made() -> dict[str, Trajectory]:
    return {"contacts": _contacts(), "household": _household(), "taxi": first(sample("taxi"))}


def first(data: Trajectory, n: int = LENGTH) -> Trajectory:
    """The first n timestamps of a track or a series, without its landmarks and labels."""
    if not isinstance(data, Series):
        return Trajectory(data.latitude[:n], data.longitude[:n], data.time[:n], name=data.name)
    about = {name: getattr(data, name) for name in ("kind", "unit", "lower", "upper", "answers", "name")}
    return Series(data.time[:n], values=data.values[:n], **about)


def _contacts() -> Trajectory:
    """Whether somebody is near a phone, every ten minutes."""
    return first(sample_series("contacts"))


def _household() -> Series:
    """A household's power in each hour, kWh; its meter allows 6 kWh an hour."""
    make = _maker()
    values = [float(kwh) for seed in SEEDS for _, kwh, _, _ in make(seed)][:LENGTH]
    first = sample_series("household")
    time = first.time[0] + np.arange(LENGTH) * np.timedelta64(1, "h")
    return Series(time, values=np.array(values), unit="kWh", lower=first.lower, upper=first.upper, name="household")


def _maker() -> Callable[[int], Any]:
    """The program of the checkout that makes a fortnight of a household."""
    sys.path.insert(0, str(MAKERS))
    try:
        from series import household
    finally:
        sys.path.remove(str(MAKERS))
    return household
