"""Released values ready to be written: checked, rounded, with times as text; the note and name of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import floats, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

NOTE = "simulation, not a private release"
"""The note in every export: the noise comes from an ordinary sampler, in floating point."""

DRAWN_NOTE = f"{NOTE}; noise drawn for this file alone, as that on the screen can be computed from its seed"
"""The note in a file with released places: its points differ from those on the screen, and why."""

KINDS = ("csv", "docx", "geojson", "html", "json", "md", "parquet", "png", "py", "svg", "toml")

DECIMALS = 6
"""How many decimals of a degree are written: 0.11 m, finer than the smallest protection radius of 1 m. Rounding is
post-processing: it costs no privacy, and removes the digits that reveal most about how a float was computed."""

_LONGEST_NOTE = 500
_Unit = Literal["s", "ms", "us", "ns"]
_UNITS: tuple[tuple[_Unit, int], ...] = (("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1))


@dataclass(frozen=True, eq=False)
class Released:
    """A release ready to be written.

    Attributes
    ----------
    times : n texts, ISO 8601 in UTC with a Z, all with the same number of decimals.
    latitude, longitude : (n,) degrees rounded to `DECIMALS`, NaN where there is no release.
    present : (n,) bool, where there is a release.
    """

    times: list[str]
    latitude: Floats
    longitude: Floats
    present: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.times)


def released(time: ArrayLike, latitude: ArrayLike, longitude: ArrayLike) -> Released:
    """The arrays of a release, checked.

    Raises
    ------
    InputError : arrays of different lengths, an invalid time, a place with only one coordinate or out of range.
    """
    times = _times(time)
    what = "degrees, NaN where there is no release"
    north, east = floats(latitude, "latitude", what), floats(longitude, "longitude", what)
    if not times.shape == north.shape == east.shape:
        raise InputError(
            "time, latitude and longitude must have the same length",
            value=f"{times.size:,}, {north.size:,} and {east.size:,}",
        )
    present = ~np.isnan(north)
    _refuse(present != ~np.isnan(east), "both coordinates, or NaN for both")
    _refuse(np.abs(north) > 90, "a latitude between -90 and 90")
    _refuse(np.abs(east) > 180, "a longitude between -180 and 180")
    # + 0.0 turns -0.0, which would be written with a sign, into 0.0
    return Released(time_texts(times), np.round(north, DECIMALS) + 0.0, np.round(east, DECIMALS) + 0.0, present)


def time_texts(time: ArrayLike) -> list[str]:
    """Times as ISO 8601 in UTC with a Z, exact and no longer than needed: whole seconds stay whole seconds.

    Raises
    ------
    InputError : not an array of times, or a missing time.
    """
    times = _times(time)
    unit = next(name for name, ns in _UNITS if not (times.view(np.int64) % ns).any())
    return [f"{text}Z" for text in np.datetime_as_string(times, unit=unit, casting="unsafe").tolist()]


def checked_note(note: str) -> str:
    """The note, if it is one line that a spreadsheet reads as text.

    Raises
    ------
    InputError : an empty note, one with several lines or one that a spreadsheet would treat as a formula.
    """
    fine = isinstance(note, str) and 0 < len(note) <= _LONGEST_NOTE and note.isprintable() and note[:1].isalnum()
    if not fine:
        what = f"one line of at most {_LONGEST_NOTE} characters that starts with a letter or a digit"
        raise refused("note", what, note)
    return note


def _times(time: ArrayLike) -> NDArray[np.datetime64]:
    try:
        times = np.asarray(time).astype("datetime64[ns]", casting="same_kind")
    except (TypeError, ValueError):
        raise InputError("time must be an array of datetime64") from None
    if times.ndim != 1:
        raise refused("time", "an array of shape (n,)", f"shape {times.shape}")
    _refuse(np.isnat(times), "a time")
    return times


def _refuse(bad: NDArray[np.bool_], what: str) -> None:
    if bad.any():
        # which timestamp, but not the value: a caller may have passed true coordinates by mistake
        raise InputError(f"timestamp {int(np.argmax(bad)):,} must have {what}")


def export_name(kind: str, *settings: str, note: str = NOTE) -> str:
    """The name of an exported file; it includes the note, as often only a file's name is seen.

    Parameters
    ----------
    kind : one of `KINDS`.
    settings : what else the name contains, such as the track, the scheme and epsilon; only letters, digits and
        points of each are kept, at most 40 of them.
    note : what the file is, if it is not a simulation.

    Raises
    ------
    InputError : an unknown kind.

    Examples
    --------
    >>> export_name("csv")
    'simulation-not-a-private-release.csv'
    >>> export_name("json", "Bob's day: Paris", "uniform", "epsilon 0.5", "../")
    'simulation-not-a-private-release_bob-s-day-paris_uniform_epsilon-0.5.json'
    """
    parts = (re.sub(r"[^a-z0-9.]+", "-", text.lower().replace("..", "-"))[:40].strip("-.") for text in settings)
    name = "_".join((re.sub(r"[^A-Za-z0-9.]+", "-", note), *filter(None, parts)))
    return f"{name}.{one_of(kind, 'kind', KINDS)}"
