"""The choices of the laboratory of optimal places: one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.checks import choice, number, short_text, whole

AREAS: dict[str, str] = {
    "grid": "A grid over a city: rows and columns of square cells around a centre, Paris unless you move it.",
    "track": "The cells of a track: the squares in which it has points.",
}

PRIORS: dict[str, str] = {
    "city": "A made-up city: a centre, a few quarters, and streets between; generated, the same every time.",
    "uniform": "Uniform: every cell is as likely.",
    "time": "Time of the track: how long it stays in each cell.",
    "counts": "Points of the track: how many lie in each cell.",
    "checkins": "A check-in file: what you uploaded, summed into the cells.",
    "painted": "Painted: weights that you give to cells.",
}
"""How likely each cell is: what the mechanism is made for, and what the adversary knows beforehand."""

OTHERS: dict[str, str] = {
    "uniform": "Uniform: somebody who may be anywhere.",
    "city": "The made-up city.",
    "morning": "Mornings of the track: its points before noon, by the sun.",
    "evening": "Evenings of the track: its points after noon, by the sun.",
}
"""A second prior, for which no mechanism was made."""

MECHANISMS: dict[str, str] = {
    "optimal": "Optimal: the least quality loss that ε allows, with every constraint.",
    "spanner": "Spanner: the same with the constraints of a spanner alone, far fewer, at some loss of quality.",
    "planar": "Planar Laplace: noise around the true place, then the nearest cell.",
    "remapped": "Planar Laplace, remapped: each report replaced by the best guess for it.",
    "private": "OptPriv: the largest adversary error for the optimal mechanism's loss; no geo-indistinguishability.",
}

CLICKS: dict[str, str] = {
    "true": "True place: show what is reported from there.",
    "report": "Report: show what the adversary believes, and guesses, after it.",
    "paint": "Paint: give the cell the weight of the brush.",
}
"""What a click on the map means."""

SIDE_RANGE = (2, 15)
MAX_CELLS = SIDE_RANGE[1] ** 2
CELL_RANGE_M = (20.0, 50_000.0)
LEVEL_RANGE = (0.01, 20.0)
RADIUS_RANGE_M = (10.0, 100_000.0)
DILATION_RANGE = (1.0, 3.0)
WEIGHT_RANGE = (0.0, 1e6)
CENTRE = (48.8607, 2.3355)
"""Of the grid unless it is moved: Paris, beside the Louvre, degrees."""


@dataclass(frozen=True)
class Places:
    """Everything a user can choose in the laboratory. Immutable; `with_changes` gives the next one.

    Attributes
    ----------
    area : what the places are, a key of `AREAS`.
    rows, columns : of the grid, 2 to 15 each.
    cell_m : side of a cell, metres, 20 to 50,000; of the grid and of a track's cells.
    latitude, longitude : centre of the grid, degrees, within 80 and 180.
    track : name of a bundled sample, or of a track of the user's own that the evaluation is given.
    prior : what the mechanism is made for, a key of `PRIORS`.
    checkins : name of a check-in file that the evaluation is given; "" for none.
    painted : weights of the cells of "painted", 0 or more; empty while nothing was painted.
    level, radius_m : privacy level l within a radius r, so that epsilon is l / r per metre: l in [0.01, 20], r in
        [10, 100,000] metres.
    dilation : of the spanner, 1 to 3.
    mechanism : which one the map shows, a key of `MECHANISMS`.
    click : what a click on the map means, a key of `CLICKS`.
    place : the cell that was chosen, from 0; -1: the most likely one.
    other : a second prior, a key of `OTHERS`.

    Examples
    --------
    >>> places = Places(level=2.0, radius_m=500)
    >>> places.epsilon_per_m
    0.004
    >>> Places.from_dict(places.to_dict()) == places
    True
    """

    area: str = "grid"
    rows: int = 6
    columns: int = 6
    cell_m: float = 1000.0
    latitude: float = CENTRE[0]
    longitude: float = CENTRE[1]
    track: str = "commuter"
    prior: str = "city"
    checkins: str = ""
    painted: tuple[float, ...] = ()
    level: float = 1.0
    radius_m: float = 1000.0
    dilation: float = 1.1
    mechanism: str = "optimal"
    click: str = "true"
    place: int = -1
    other: str = "evening"

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name, allowed in _CHOICES.items():
            put(self, name, choice(name, getattr(self, name), allowed))
        for name, (low, high, unit) in _NUMBERS.items():
            put(self, name, number(_NAMES.get(name, name), getattr(self, name), low, high, unit))
        for name, (least, most) in _WHOLE.items():
            put(self, name, whole(_NAMES.get(name, name), getattr(self, name), least, most))
        for name in ("track", "checkins"):
            put(self, name, short_text(name, getattr(self, name)))
        put(self, "painted", _weights(self.painted))

    @property
    def epsilon_per_m(self) -> float:
        """The privacy asked for: ``level / radius_m``, per metre."""
        return self.level / self.radius_m

    def with_changes(self, **changes: Any) -> Places:
        """These choices with some changed; an unknown name is an `InputError`."""
        return Places.from_dict(self.to_dict() | changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `from_dict` gives the equal choices back."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"painted": list(self.painted)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Places:
        """The choices of a mapping; missing ones take their defaults, unknown ones raise `InputError`."""
        if not isinstance(values, Mapping):
            raise InputError("is not a set of named choices", where="places", allowed="a JSON object")
        names = {f.name for f in fields(cls)}
        unknown = sorted(str(name) for name in values if name not in names)
        if unknown:
            raise InputError(
                "there is no such choice", where="places", value=unknown[0], allowed=", ".join(sorted(names))
            )
        return cls(**values)


_CHOICES = {"area": AREAS, "prior": PRIORS, "other": OTHERS, "mechanism": MECHANISMS, "click": CLICKS}
_NUMBERS = {
    "cell_m": (*CELL_RANGE_M, "metres"),
    "level": (*LEVEL_RANGE, ""),
    "radius_m": (*RADIUS_RANGE_M, "metres"),
    "dilation": (*DILATION_RANGE, ""),
    "latitude": (-80.0, 80.0, "degrees"),
    "longitude": (-180.0, 180.0, "degrees"),
}
_WHOLE = {"rows": SIDE_RANGE, "columns": SIDE_RANGE, "place": (-1, MAX_CELLS - 1)}
_NAMES = {
    "cell_m": "cell size",
    "level": "privacy level",
    "radius_m": "radius",
    "latitude": "latitude of the centre",
    "longitude": "longitude of the centre",
    "place": "cell",
}


def _weights(values: Any) -> tuple[float, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError("are not weights", where="painted", value=values, allowed="a list of numbers")
    weights = list(values)
    if len(weights) > MAX_CELLS:
        raise InputError("there are too many", where="painted", value=len(weights), allowed=f"at most {MAX_CELLS}")
    return tuple(number("painted", value, *WEIGHT_RANGE) for value in weights)
