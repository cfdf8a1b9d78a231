"""Whether a page's test reads a number: each one that is shown is altered by itself, and the test must then fail."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from lmdk_widgets.page.drawing import Drawing
from tests.every_number.claims import SMALL

NUMBERS = re.compile(rf"\d+(?:[.,]\d+)*|\b(?:{'|'.join(SMALL[2:])})\b", re.IGNORECASE)
"""The numbers in a text, in digits or in words."""

LOOKS = re.compile(
    "anchor|bargap|bargroupgap|bgcolor|color|domain|dtick|fgcolor|fillcolor|font|height|hovertemplate|legend[23]?|line|margin|"
    "marked|nticks|opacity|pattern|range|showlegend|size|standoff|textangle|textfont|thickness|tick0|tickangle|width"
)
"""What says how something looks: no number of the outcome."""

CONSTANT = re.compile(
    r"50 is chance|50 of 100 guesses are right by chance|from 100 people|90 % of draws|GK16|"
    r"and 2 E\b|[Tt]wo coins|two (?:equally likely|neighbouring|readings)|"
    r"two people who always|equally likely places"
)
"""Words with a number that is the same for every outcome."""

ABOUT = (
    *(f"*.figure.data.*.{name}" for name in ("xaxis", "yaxis")),
    *(f"*.figure.layout.shapes.*.{name}" for name in ("y0", "y1")),
    "*.figure.layout.meta.panels.*.0",
    "*.figure.layout.annotations.*.y",
)
"""The same of the names of axes, and of heights that are shares of a chart."""


@dataclass(frozen=True)
class Read:
    """A page that shows an outcome.

    Attributes
    ----------
    held : checks everything that a page shows, which may differ from `page` in what it shows, and fails if it is wrong.
    """

    page: Any
    outcome: Any
    held: Callable[[Any], Any]


@dataclass(frozen=True)
class Place:
    """Where a number stands: the path to a text, a list or a number, and which number of a text or element of a list."""

    path: tuple[Any, ...]
    which: int = 0

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))}[{self.which}]"


class AlteredPage:
    """A page whose message differs from what the real one shows: `shown` is the text, and each drawing by its name."""

    def __init__(self, page: Any, shown: dict[str, Any], drawings: Sequence[Drawing]) -> None:
        self.page, self.shown, self.drawings = page, shown, drawings

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def _text(self, _: Any) -> Any:
        return self.shown["text"]

    def _drawings(self, _: Any) -> Iterator[Drawing]:
        for one in self.drawings:
            yield replaced(one, self.shown[one.name])


def replaced(one: Drawing, shown: dict[str, Any]) -> Drawing:
    return one._replace(described=shown["described"], arrays=shown["arrays"])


def shown_on(page: Any, outcome: Any) -> tuple[dict[str, Any], list[Drawing]]:
    """The message of a page: its text, and what it draws."""
    drawings = [one if isinstance(one, Drawing) else one.make() for one in page._drawings(outcome)]
    shown = {one.name: {"described": one.described, "arrays": dict(one.arrays)} for one in drawings}
    return {"text": page._text(outcome), **shown}, drawings


def unread(read: Read, *, apart: Sequence[str] = (), most: int | None = None, seed: int = 0) -> list[str]:
    """The numbers that can be altered without a failure, by their places.

    Parameters
    ----------
    apart : paths that are not looked at. most : so many numbers at random; None for all.
    """
    shown, drawings = shown_on(read.page, read.outcome)

    def fails(shown: dict[str, Any]) -> bool:
        try:
            read.held(AlteredPage(read.page, shown, drawings))
        except Exception:  # a test that cannot read what is shown fails too
            return True
        return False

    read.held(AlteredPage(read.page, shown, drawings))
    known = [place for place in places(shown) if not left_out(place, apart)]
    if most is not None and len(known) > most:
        known = [known[k] for k in np.random.default_rng(seed).choice(len(known), most, replace=False)]
    return [f"{place}: {at(shown, place.path)!r:.80}" for place in known if not fails(altered(shown, place))]


def left_out(place: Place, apart: Sequence[str]) -> bool:
    path = ".".join(map(str, place.path))
    return any(LOOKS.fullmatch(str(name)) for name in place.path) or any(
        fnmatchcase(path, pattern) for pattern in (*ABOUT, *apart)
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[Place]:
    """The places of all numbers in a nested message; of a list of numbers the first, the middle and the last."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, np.ndarray) or is_list_of_numbers(value):
        flat = np.ravel(np.array(value, float)) if len(value) else np.zeros(0)
        known = np.flatnonzero(~np.isnan(flat)).tolist() or list(range(len(flat)))
        for k in sorted({known[0], known[len(known) // 2], known[-1]}) if known else ():
            yield Place(path, k)
    elif isinstance(value, list | tuple):
        for k, inner in enumerate(value):
            yield from places(inner, (*path, k))
    elif isinstance(value, str):
        words = [found.span() for found in CONSTANT.finditer(value)]
        for k, found in enumerate(NUMBERS.finditer(value)):
            if not any(start <= found.start() < end for start, end in words):
                yield Place(path, k)
    elif is_number(value):
        yield Place(path)


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path."""
    for step in path:
        value = value[step]
    return value


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def is_list_of_numbers(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(is_number(v) or v is None for v in value)


def altered(value: Any, place: Place) -> Any:
    """A copy in which what stands at a place is another number."""
    if not place.path:
        return another(value, place.which)
    first, *rest = place.path
    inner = altered(value[first], replace(place, path=tuple(rest)))
    if isinstance(value, dict):
        return {**value, first: inner}
    made = list(value)
    made[first] = inner
    return tuple(made) if isinstance(value, tuple) else made


def another(value: Any, which: int) -> Any:
    """Another number in place of one of a text, one of a list, or one."""
    if isinstance(value, str):
        found = [*NUMBERS.finditer(value)][which]
        return f"{value[: found.start()]}{otherwise(found[0])}{value[found.end() :]}"
    if is_number(value):
        return value * 1.5 + 3
    if isinstance(value, np.ndarray):
        made = value.copy() if value.dtype == bool else value.astype(float)
        made.flat[which] = not made.flat[which] if value.dtype == bool else more(made.flat[which])
        return made
    numbers = [more(v) if k == which else v for k, v in enumerate(value)]
    return tuple(numbers) if isinstance(value, tuple) else numbers


def more(value: Any) -> Any:
    return 3 if value is None or value != value else value * 1.5 + 3


def otherwise(number: str) -> str:
    """Another number with as many digits, or another word."""
    if number[0].isdigit():
        return f"{(int(number[0]) + 4) % 9 + 1}{number[1:]}"
    other = SMALL[(SMALL.index(number.lower()) + 3) % 11 + 2]
    return other.capitalize() if number[0].isupper() else other
