"""What the functions of this room ask of their arguments, each refusal a sentence."""

from __future__ import annotations

import operator
from typing import Any, Literal

from lmdk_widgets.errors import InputError

Support = Literal["definition", "all"]
SUPPORTS = ("definition", "all")


def whole(value: Any, where: str, *, least: int = 1) -> int:
    """`value` as an int of at least `least`."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        raise InputError("it is out of range", where=where, value=value, allowed=f"a whole number, {least} or more")
    return number


def support_name(value: Any) -> Support:
    """`value` if it names what the past state of a quilt may be."""
    if value not in SUPPORTS:
        raise InputError("there is no such reading", where="support", value=value, allowed='"definition" or "all"')
    return value


def fraction(value: Any, where: str) -> float:
    """`value` as a float within [0, 1]."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 <= number <= 1:
        raise InputError("it is out of range", where=where, value=value, allowed="a number from 0 to 1")
    return number
