"""A study's grid: every choice that it varies, with its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.checks import either, refused, seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.fields import Choice, Kind, Number, Word
from lmdk_widgets.practice.chosen_practice import KNOWS, practice_of
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import SCHEMES, Scenario
from lmdk_widgets.study.layouts import LAYOUTS

MOST_EVALUATIONS = 100_000_000
"""The most evaluations in a study."""

_OF_SCENARIO = (
    "epsilon",
    "target",
    "window",
    "radius_m",
    "mechanism",
    "place_m",
    "increase",
    "decrease",
    "landmarks",
    "correlation",
    "smoothing",
    "states",
    "cell_m",
    "matrix",
    "adversary",
    "bounds",
    "lower",
    "upper",
    "level_width",
    "hide",
    "hide_method",
    "hide_chance",
    "hide_epsilon",
    "hide_most",
    "region",
    "cells",
    "delta",
)

OF_ATTACKER = {f"attacker_{name}": name for name in Knowledge.kinds()}
"""What the attacker knows beforehand, by axis name: fields of `Knowledge`, which do not change the release."""

NO_PRACTICE = "none"
"""Without a practice of today: its measures are missing."""


@dataclass(frozen=True, kw_only=True)
class PracticeWord(Word):
    """A practice of today by its code, in one spelling: "zone 400, rounding 3"."""

    def check(self, value: Any) -> str:
        return NO_PRACTICE if value == NO_PRACTICE else practice_of(value).code


OF_PRACTICE: dict[str, Kind] = {
    "practice": PracticeWord(label="Practice"),
    "practice_knows": Choice(label="What a practice's attacker knows", meanings=KNOWS),
}
"""What is done today beside a release, which it does not change."""

VARIED: dict[str, Kind] = {
    "scheme": Choice(label="Scheme", meanings=SCHEMES),
    "share": Number(label="Share", subject="The share of landmarks", low=0.0, high=1.0),
    "layout": Choice(label="Layout", meanings=LAYOUTS),
    **{name: Scenario.kinds()[name] for name in _OF_SCENARIO},
    **{axis: Knowledge.kinds()[name] for axis, name in OF_ATTACKER.items()},
    **OF_PRACTICE,
}
"""What a study can vary: the `share` and `layout` of the landmarks it draws, a `Scenario`'s choices, what the attacker
knows, and practices of today beside the release. Budgets set by hand do not depend on epsilon, so a study has no such
scheme."""

OF_DUMMIES = ("hide_method", "hide_chance", "hide_epsilon", "hide_most")
"""Choices about dummies, which only make sense together with `hide`."""

LISTS = ("landmarks", "matrix", "region")
"""Choices for which one value is a list."""

Axes = dict[str, tuple[Any, ...]]


def checked_grid(grid: Mapping[str, Any]) -> Axes:
    """The values of each choice, in the given order, checked and in a canonical form.

    Raises
    ------
    InputError : an unknown choice, a value that is not allowed, no value, the same value twice, `layout` without
        `share`, or a choice about dummies without `hide`.

    Examples
    --------
    >>> checked_grid({"scheme": "uniform", "epsilon": [1, 0.5]})
    {'scheme': ('uniform',), 'epsilon': (1.0, 0.5)}
    """
    if not isinstance(grid, Mapping):
        raise refused("the grid", 'a mapping such as {"scheme": ["uniform", "skip"], "epsilon": [0.5, 1]}', grid)
    axes = {checked_name(name): checked_values(name, values) for name, values in grid.items()}
    check_together(axes)
    return axes


def checked_name(name: Any) -> str:
    """The name of a choice that a study can vary."""
    if name not in VARIED:
        raise refused("the name of a choice in the grid", either(VARIED), name)
    return name


def listed(name: str, values: Any) -> list[Any]:
    """The values of a choice as a list, whether one or several were given."""
    alone = isinstance(values, str) or not isinstance(values, Iterable)
    found = [values] if alone else list(values)
    return [found] if name in LISTS and not _holds_lists(name, found) else found


def _holds_lists(name: str, values: list[Any]) -> bool:
    """Whether these are several values of a choice for which one value is a list of numbers, or of rows."""
    if name == "matrix":
        return bool(values) and _is_list(values[0]) and any(map(_is_list, values[0]))
    return bool(values) and _is_list(values[0])


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def checked_values(name: str, values: Any) -> tuple[Any, ...]:
    """The values of one choice, each of which may occur only once."""
    found: list[Any] = []
    for value in listed(name, values):
        found.append(checked_value(name, value, found))
    if not found:
        raise InputError(f"“{name}” must have at least one value", value="none")
    return tuple(found)


def checked_value(name: str, value: Any, before: Iterable[Any] = ()) -> Any:
    """One value of a choice; `before` contains the values it already has."""
    found = VARIED[name].check(value)
    if found in before:
        raise InputError(f"“{name}” must have each value only once", value=f"{seen(value)} twice")
    return found


def check_together(axes: Axes) -> None:
    """Refuse choices that cannot be combined."""
    if "layout" in axes and "share" not in axes:
        raise InputError(
            "“layout” must come with “share”, the share of the timestamps that are landmarks", value="layout alone"
        )
    if "hide" not in axes and (alone := [name for name in OF_DUMMIES if name in axes]):
        raise InputError(f"“{alone[0]}” must come with “hide”, which adds the dummies", value=f"{alone[0]} alone")
    if "practice_knows" in axes and "practice" not in axes:
        raise InputError("“practice_knows” must come with “practice”", value="practice_knows alone")
    if "share" in axes and "landmarks" in axes:
        raise InputError(
            "Landmarks must be either drawn by “share” or listed in “landmarks”",
            value="both",
            remedy="Leave one of them out",
        )
