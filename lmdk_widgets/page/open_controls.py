"""Which controls of a page stay open in a file without a kernel, and the values that each can take there.

Every combination of these values is computed beforehand, so a slider has stops, and only a few timestamps can be landmarks.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from lmdk_widgets.checks import one_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Beside, Choices
from lmdk_widgets.page.fields import Choice, Flag, Indices, Kind, Number
from lmdk_widgets.page.history import State

STOPS = 25
"""Stops of a slider."""

MOST_PROPOSED = 6
"""The most timestamps that can be marked or not: each one doubles the number of settings."""


class Source(NamedTuple):
    """What such a file is computed from: the state that it begins with, and a sentence on what it is.

    Attributes
    ----------
    true : whether it contains the truth about a person.
    """

    state: State
    said: str
    true: bool = False


class Open(NamedTuple):
    """A control that stays open: the name of its choice, its label, and the values that it can take, as in JSON."""

    name: str
    label: str
    values: tuple[Any, ...]

    def operation(self, k: int) -> dict[str, Any]:
        """What the page would ask of its kernel for the value at k."""
        return {"op": "set", "name": self.name, "value": self.values[k]}

    @property
    def counted(self) -> str:
        """The label with the number of values, in words."""
        return f"{self.label} ({len(self.values)} settings)"


def opened(
    choices: Choices,
    names: Sequence[str],
    *,
    stops: int = STOPS,
    proposed: Sequence[int] = (),
    known: Collection[str] = (),
    left_out: Mapping[str, Collection[str]] | None = None,
    ranges: Mapping[str, Sequence[int]] | None = None,
) -> tuple[Open, ...]:
    """The named controls with the values that they can take; the present value is one of them.

    Parameters
    ----------
    stops : of a slider, at least 2. proposed : timestamps that can be marked or not; the others stay as they are.
        known : names that can stay open, all if left out. left_out : meanings that cannot be chosen, by name.
    ranges : what a choice without a slider, such as a cell of a map, can be.

    Raises
    ------
    InputError : an unknown name, a name given twice, too many proposals, or a choice without a few values.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> found = opened(Scenario(), ["adversary", "epsilon", "landmarks"], stops=4, proposed=(3, 5))
    >>> [len(each.values) for each in found], found[1].values, found[2].values
    ([4, 4, 4], (0.01, 0.1, 1.0, 10.0), ((), (3,), (5,), (3, 5)))
    """
    kinds = choices.kinds()
    for name in names:
        one_of(name, "an open control", known or tuple(kinds))
    if not names:
        raise InputError("At least one control must stay open", value="none")
    if stops < 2:
        raise InputError("A slider must have at least 2 stops", value=stops)
    if len(set(names)) < len(names):
        raise InputError("Each open control must be named once", value=", ".join(names))
    if len(proposed) > MOST_PROPOSED:
        what = f"At most {MOST_PROPOSED} timestamps can be proposed as landmarks"
        raise InputError(what, value=len(proposed), remedy="Each one doubles the size of the file: propose fewer")
    found = []
    for name in [each for each in known or names if each in names]:  # what resets another choice comes before it
        kind, now = kinds[name], choices[name]
        omitted = (left_out or {}).get(name, ())
        if name in (ranges or {}):
            values: list[Any] = list((ranges or {})[name])
        elif isinstance(kind, Indices):
            values = _subsets(now, proposed)
        else:
            values = _values(name, kind, now, stops, omitted)
        found.append(Open(name, kind.label, tuple(values)))
    return tuple(found)


def _values(name: str, kind: Kind, now: Any, stops: int, omitted: Collection[str]) -> list[Any]:
    if isinstance(kind, Choice):
        return [meaning for meaning in kind.meanings if meaning == now or meaning not in omitted]
    if isinstance(kind, Flag):
        return [False, True]
    if isinstance(kind, Number) and kind.slider is not None:
        return _stops(kind, now, stops)
    if isinstance(kind, Beside) and now is not None:
        return [None, kind.plain(now)]
    raise InputError("This control cannot stay open", value=name, remedy="Choose one with a list, a slider or a box")


def _stops(kind: Number, now: float, stops: int) -> list[float]:
    """Values along the slider, three digits each, with the present one instead of the nearest."""
    slider = kind.slider
    assert slider is not None
    low, high = (math.log10(end) if slider.log else end for end in (slider.low, slider.high))
    along = (low + (high - low) * k / (stops - 1) for k in range(stops))
    found = [float(f"{10**at if slider.log else at:.3g}") for at in along]
    whole = sorted({float(round(value)) for value in found}) if kind.whole else sorted(set(found))
    scaled = math.log if slider.log else float
    nearest = min(whole, key=lambda value: abs(scaled(value) - scaled(now)))
    kept = sorted({now if value == nearest else value for value in whole})
    return [int(value) if kind.whole else float(value) for value in kept]


def _subsets(now: Sequence[int], proposed: Sequence[int]) -> list[Any]:
    if not proposed:
        raise InputError("Landmarks stay open only among proposed timestamps", value="none", remedy="Name up to six")
    stay = set(now) - set(proposed)
    chosen = (some for size in range(len(proposed) + 1) for some in combinations(sorted(set(proposed)), size))
    return [tuple(sorted(stay | set(some))) for some in chosen]
