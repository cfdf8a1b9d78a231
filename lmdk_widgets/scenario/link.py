"""A scenario in the query of a link: settings only, never a coordinate.

The landmarks travel only with a bundled sample; of a track of the user's own nothing is told, not even which timestamps
mattered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any
from urllib.parse import parse_qsl, urlencode

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.model import Scenario

_DEFAULT = Scenario()
_NAMES = tuple(f.name for f in fields(Scenario))


def to_query(scenario: Scenario) -> str:
    """The query string of a scenario; choices that are at their default are left out, but for the track.

    Examples
    --------
    >>> to_query(Scenario(track="bob", epsilon=0.5, landmarks=(0, 1, 2, 7)))
    'track=bob&epsilon=0.5&landmarks=0-2.7'
    >>> to_query(Scenario(track="", landmarks=(3,), window=5))
    'track=&window=5'
    """
    pairs = [("track", scenario.track)]
    for name in _NAMES[1:]:
        value = getattr(scenario, name)
        if name == "landmarks":
            if scenario.track:
                pairs.append((name, _ranges(scenario.landmarks)))
        elif name == "matrix":
            if value:
                pairs.append((name, ";".join(",".join(map(repr, row)) for row in value)))
        elif value != getattr(_DEFAULT, name):
            pairs.append((name, str(int(value)) if isinstance(value, (bool, int)) else str(value)))
    return urlencode(pairs)


def from_query(query: str) -> dict[str, object]:
    """The changes to a scenario that a query string names; names it does not know belong to others and are passed over.

    Raises
    ------
    InputError : when a value cannot be read.
    """
    changes: dict[str, object] = {}
    for name, text in parse_qsl(query.lstrip("?"), keep_blank_values=True):
        if name == "landmarks":
            changes[name] = _indices(text)
        elif name == "matrix":
            changes[name] = [[_float(name, cell) for cell in row.split(",")] for row in filter(None, text.split(";"))]
        elif name in _NAMES:
            changes[name] = _read(name, text)
    return changes


def _read(name: str, text: str) -> object:
    default = getattr(_DEFAULT, name)
    if isinstance(default, str):
        return text
    number = _float(name, text)
    return bool(number) if isinstance(default, bool) else number


def _float(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError("is not a number", where=f"{name} in the link", value=text, allowed="a number") from None


def _ranges(indices: tuple[int, ...]) -> str:
    """Increasing indices as runs: 0-2.7 for 0, 1, 2, 7."""
    runs: list[list[int]] = []
    for i in indices:
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return ".".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _indices(text: str) -> list[int]:
    found: list[int] = []
    for part in filter(None, text.split(".")):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not last)) or len(part) > 15:
            raise InputError(
                "are not indices", where="landmarks in the link", value=part, allowed="numbers and ranges such as 0-2.7"
            )
        a, b = int(first), int(last or first)
        if b - a >= 1_000_000:
            raise InputError("are too many", where="landmarks in the link", value=part, allowed="at most 1,000,000")
        found.extend(range(a, b + 1))
    return found


def choices_to_query(page: str, choices: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """The query string that opens a lab with these choices; those at their default are left out.

    Examples
    --------
    >>> choices_to_query("places", {"epsilon": 0.5, "rows": 7, "name": "a b"}, {"epsilon": 1.0, "rows": 7, "name": ""})
    'page=places&epsilon=0.5&name=a+b'
    """
    told = {name: value for name, value in choices.items() if value != defaults.get(name)}
    pairs = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in told.items()]
    return urlencode([("page", page), *pairs])


def choices_from_query(query: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a lab that a query string names; other names are passed over.

    Raises
    ------
    InputError : when a value cannot be read.

    Examples
    --------
    >>> choices_from_query("page=places&epsilon=0.5&name=a+b", {"epsilon": 1.0, "name": ""})
    {'epsilon': 0.5, 'name': 'a b'}
    """
    changes: dict[str, Any] = {}
    for name, text in parse_qsl(query.lstrip("?"), keep_blank_values=True):
        if name not in defaults:
            continue
        if isinstance(defaults[name], str):
            changes[name] = text
            continue
        try:
            changes[name] = json.loads(text)
        except ValueError:
            raise InputError("it cannot be read", where=f"{name} in the link", value=text) from None
    return changes
