"""Checks of single choices, the same for every page: each returns the value or says what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lmdk_widgets.errors import InputError


def choice(where: str, value: Any, allowed: Mapping[str, str]) -> str:
    """One of the names.

    Examples
    --------
    >>> choice("scheme", "skip", {"skip": "Skip: ...", "user": "User: ..."})
    'skip'
    """
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"there is no such {where}", where=where, value=value, allowed=", ".join(allowed))
    return value


def number(where: str, value: Any, low: float, high: float, unit: str = "") -> float:
    """A number in [low, high].

    Examples
    --------
    >>> number("epsilon", 1, 0.01, 10)
    1.0
    >>> number("radius", float("nan"), 1, 100, unit="metres")
    Traceback (most recent call last):
    lmdk_widgets.errors.InputError: radius: is out of range (got nan). Allowed: a number from 1 to 100 metres.
    """
    fine = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not fine or not low <= value <= high:  # NaN fails too
        allowed = f"a number from {low:g} to {high:g}" + (f" {unit}" if unit else "")
        raise InputError("is out of range", where=where, value=value, allowed=allowed)
    return float(value)


def whole(where: str, value: Any, low: int, high: int) -> int:
    """A whole number in [low, high]; 3.0 counts as one, as JSON has no others.

    Examples
    --------
    >>> whole("window", 3.0, 1, 10)
    3
    """
    fine = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
    if not fine or value != int(value):
        allowed = f"whole numbers from {low:,} to {high:,}"
        raise InputError("is not a whole number in range", where=where, value=value, allowed=allowed)
    return int(value)


def short_text(where: str, value: Any) -> str:
    """A name of at most 60 letters.

    Examples
    --------
    >>> short_text("track", "bob")
    'bob'
    """
    if not isinstance(value, str) or len(value) > 60:
        raise InputError("is not a short name", where=where, value=value, allowed="text of at most 60 letters")
    return value
