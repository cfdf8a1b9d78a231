"""Whether a test reads a number: each one that a page shows is altered by itself, and the test must then fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

DIGIT = re.compile(r"\d")


class AlteredPage:
    """A page whose message differs at one place from what it shows.

    Parameters
    ----------
    page : the real one. text, drawings : what it shows of an outcome, altered or not.
    """

    def __init__(self, page: Any, text: Any, drawings: list[Any]) -> None:
        self.page, self.text, self.drawings = page, text, drawings

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def _text(self, _: Any) -> Any:
        return self.text

    def _drawings(self, _: Any) -> Iterator[Any]:
        return iter(self.drawings)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all numbers, texts with digits and lists of numbers in a nested message."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list | tuple):
        if is_list_of_numbers(value):
            yield path
        else:
            for k, inner in enumerate(value):
                yield from places(inner, (*path, k))
    elif (isinstance(value, str) and DIGIT.search(value)) or is_number(value):
        yield path


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path."""
    for step in path:
        value = value[step]
    return value


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_list_of_numbers(value: Any) -> bool:
    return bool(value) and all(is_number(v) or v is None for v in value)


def altered(value: Any, path: tuple[Any, ...]) -> Any:
    """A copy in which what stands at a path is another number."""
    if not path:
        return another(value)
    first, *rest = path
    if isinstance(value, dict):
        return {**value, first: altered(value[first], tuple(rest))}
    made = list(value)
    made[first] = altered(value[first], tuple(rest))
    return type(value)(made) if type(value) in (list, tuple) else made


def another(value: Any) -> Any:
    """Another number: the first digit of a text, the first number of a list."""
    if isinstance(value, str):
        at = DIGIT.search(value)
        assert at is not None
        return f"{value[: at.start()]}{(int(at[0]) + 4) % 9 + 1}{value[at.end() :]}"
    if is_number(value):
        return value * 1.5 + 3
    made, k = list(value), next((k for k, v in enumerate(value) if v is not None), 0)
    made[k] = (made[k] or 0) * 1.5 + 3
    return made
