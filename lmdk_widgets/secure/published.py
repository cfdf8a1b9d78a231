"""The files of a release as they were published: read, and restated from the numbers of the guarantee."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.all_mechanisms import MECHANISMS
from lmdk_widgets.secure.base import Mechanism
from lmdk_widgets.secure.folder import NAMES, whole_guarantee
from lmdk_widgets.secure.together import Together

LARGEST_GUARANTEE = 1_000_000
"""The most bytes of a guarantee."""

LATER = ("window", "epsilon_of_all_values", "release_sha256")
"""What a guarantee by version 1.0 does not state."""

_TEXTS = frozenset({"what", "scheme", "mechanism", "entropy", "projection", "release_sha256"})
_COUNTS = frozenset({"landmarks", "timestamps", "points", "values", "release_of_these_data", "releases", "window"})
_OPTIONAL = frozenset({"window", "chance_of_a_dummy", "region", "bounds"})
_GROUPS = frozenset({"frame", "all_releases_of_the_subject"})
_LENGTHS = {"origin": 2, "region": 4, "bounds": 2, "epsilon_per_m_of_a_point": 2, "epsilon_of_a_value": 2}
_SIGNED = frozenset({"origin", "region", "bounds"})
_LARGEST = 1e200
"""The names in a guarantee, by the kind of their values, and the largest number."""

_HEADING = {True: re.compile(r"time,latitude,longitude"), False: re.compile(r"time,value(_[^,\"\n]+)?")}
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_ROW = {
    True: re.compile(f"({_TIME}),({_NUMBER}),({_NUMBER})", re.ASCII),
    False: re.compile(f"({_TIME}),({_NUMBER})", re.ASCII),
}


class Published(NamedTuple):
    """The contents of a release folder.

    Attributes
    ----------
    told : the guarantee. mechanism : the one that it names. restated : the guarantee that follows from its numbers.
    files : the texts of the files that are there, by name. rows : how many there are in release.csv.
    wrong : how many of them, with the heading, are not a time and finite numbers.
    time, values : the (n,) times and (n, 1 or 2) numbers of the others.
    """

    told: Mapping[str, Any]
    mechanism: Mechanism
    restated: Mapping[str, Any]
    files: Mapping[str, str]
    rows: int
    wrong: int
    time: NDArray[np.datetime64]
    values: Floats


def read_release(folder: Path) -> Published:
    """Read the files of a release.

    Raises
    ------
    InputError : a file that is missing or not part of a release, or a guarantee with a number that is not finite.
    """
    files: dict[str, str] = {}
    what = f"The folder must contain a release, {NAMES[0]} and {NAMES[-1]}"
    try:
        for name in NAMES:
            if name in (NAMES[0], NAMES[-1]) or (folder / name).exists():
                with open(folder / name, encoding="utf-8", newline="") as file:
                    files[name] = file.read()
        if len(files[NAMES[0]]) > LARGEST_GUARANTEE:
            raise ValueError
        told = json.loads(files[NAMES[0]], parse_constant=partial(float))
    except FileNotFoundError as error:
        raise InputError("The folder must contain a release", value=f"no {Path(error.filename).name}") from None
    except (ValueError, OSError, RecursionError):
        raise InputError(what, value="other files") from None
    try:
        _require(isinstance(told, dict) and str(told["what"]).startswith("a private release"))
        infinite = _check_types(told)
        mechanism = next(each for each in MECHANISMS.values() if each.title == told["mechanism"])
        restated = {} if infinite else _restated(mechanism, told)
    except (
        ValueError,
        KeyError,
        TypeError,
        ArithmeticError,
        AttributeError,
        IndexError,
        StopIteration,
        RecursionError,
    ):
        raise InputError(what, value=f"a damaged {NAMES[0]}") from None
    if infinite:
        raise InputError(f"The numbers in {NAMES[0]} must be finite", value="one that is not")
    return Published(told, mechanism, restated, files, *_rows(files[NAMES[-1]], places="frame" in told))


def _restated(mechanism: Mechanism, told: Mapping[str, Any]) -> dict[str, Any]:
    """The whole guarantee that follows from its numbers; without what version 1.0 did not state, if it is one of those."""
    whole = whole_guarantee(mechanism.restated(told), Together.stated(told), told.get("release_sha256", ""))
    return {name: value for name, value in whole.items() if name in told or name not in LATER}


def _check_types(told: Mapping[str, Any]) -> bool:
    """Refuse a value that no guarantee has under its name; returns whether a number is not finite.

    Raises
    ------
    ValueError : a value of the wrong type, or out of its range.
    """
    infinite = False
    for name, value in told.items():
        if value is None and name in _OPTIONAL:
            continue
        if name in _GROUPS:
            infinite |= _check_types(dict(value))
        elif name in _TEXTS:
            _require(isinstance(value, str))
        elif name == "words":
            _require(isinstance(value, list) and all(isinstance(sentence, str) for sentence in value))
        elif name in _LENGTHS:
            _require(isinstance(value, list) and len(value) == _LENGTHS[name])
            infinite |= any([_is_infinite(each, -_LARGEST if name in _SIGNED else 0.0) for each in value])
        else:
            _require(type(value) is int or name not in _COUNTS)
            infinite |= _is_infinite(value, 0.0)
    return infinite


def _is_infinite(value: Any, least: float) -> bool:
    """Whether a number is not finite; refuses what is not a number, and one out of its range."""
    _require(type(value) in (int, float))
    infinite = value != value or abs(value) == math.inf
    _require(infinite or least <= value <= _LARGEST)
    return infinite


def _require(right: bool) -> None:
    if not right:
        raise ValueError


def _rows(text: str, *, places: bool) -> tuple[int, int, NDArray[np.datetime64], Floats]:
    """How many rows there are, how many are wrong, and the times and the numbers of the others."""
    heading, *rows = re.split(r"\r?\n", text.removesuffix("\n").removesuffix("\r"))
    wrong = int(not _HEADING[places].fullmatch(heading))
    times, values = [], []
    for row in rows:
        found = _ROW[places].fullmatch(row)
        numbers = [float(value) for value in found.groups()[1:]] if found else [math.inf]
        try:
            time = np.datetime64(found[1].removesuffix("Z"), "ms") if found else None
        except ValueError:
            time = None
        if time is None or not all(map(math.isfinite, numbers)):
            wrong += 1
            continue
        times.append(time)
        values.append(numbers)
    return len(rows), wrong, np.array(times, "datetime64[ms]"), np.array(values).reshape(len(values), 1 + places)
