"""Room for an answer on paper: boxes to tick, places to number, axes to draw on, a map to mark.

Everything is made from what a browser is told about a question (`Ask.asked`), which does not contain the answer. For a key,
`marked` is added: the answer in the form in which a browser sends it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from lmdk_widgets.page.amounts import metres

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 12, 50
LINE_MOST = 100.0
"""The largest range of numbers that is drawn as a line to mark."""
MAP_MOST = 380
"""The largest height of a map, in the units of its drawing."""
LETTER = 7.2
"""The width of a letter, about."""

STEPS = (1, 2, 5, 10)


def room(asked: Mapping[str, Any], marked: Any = None) -> str:
    """The room for an answer, as HTML. asked : what a browser is told. marked : an answer to show in it, for a key.

    Examples
    --------
    >>> room({"kind": "choose", "choices": ["1.6", "0.2"]})
    '<figure class="room"><ol class="choices" type="A"><li>1.6</li><li>0.2</li></ol></figure>'
    """
    return f'<figure class="room">{ROOMS[asked["kind"]](asked, marked)}</figure>'


def _choices(asked: Mapping[str, Any], marked: Any) -> str:
    items = [f"<li{_class('keyed', k == marked)}>{escape(choice)}</li>" for k, choice in enumerate(asked["choices"])]
    return f'<ol class="choices" type="A">{"".join(items)}</ol>'


def _places(asked: Mapping[str, Any], marked: Any) -> str:
    """Items, each with a box for its place."""
    items, (first, last) = asked["items"], asked["ends"]
    places = {} if marked is None else {item: place for place, item in enumerate(marked, start=1)}
    rows = "".join(f"<li><b>{places.get(k, '')}</b>{escape(item)}</li>" for k, item in enumerate(items))
    said = f"1 is {escape(first)}, {len(items)} is {escape(last)}."
    return f'<ul class="places">{rows}</ul><figcaption>{said}</figcaption>'


def _number(asked: Mapping[str, Any], marked: Any) -> str:
    """A box with its unit and, if numbers are few, a line from the lowest to the highest."""
    low, high, unit = float(asked["low"]), float(asked["high"]), escape(asked["unit"])
    held = "" if marked is None else f"{marked:.4g}"
    box = f'<p class="box"><b>{held}</b> {unit}</p>'
    if high - low > LINE_MOST or marked is not None:
        return box
    across = _across(low, high)
    ticks = "".join(
        f'<path d="M{_at(across(x))} 14v12"/>{_text(across(x), 44, _number_of(x), "middle")}'
        for x in ticks_of(low, high, 10)
    )
    drawn = f'<path class="axis" d="M{_at(across(low))} 20H{_at(across(high))}"/>{ticks}'
    said = f"A line from {_number_of(low)} to {_number_of(high)}"
    return box + _drawing(drawn, WIDTH, 52, f"{said} {asked['unit']}".strip())


def _curve(asked: Mapping[str, Any], marked: Any) -> str:
    """Axes with a light line at each place where the curve has a point."""
    x, labels = [float(each) for each in asked["x"]], asked["labels"]
    across = _across(x[0], x[-1], log=asked["log_x"], inset=16)
    up = _up(asked["low"], asked["high"], log=asked["log"])
    base, top = HEIGHT - BOTTOM, TOP
    drawn = [f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - RIGHT}" height="{base - top}"/>']
    ticks = powers_of(asked["low"], asked["high"], 6) if asked["log"] else ticks_of(asked["low"], asked["high"], 6)
    for y in ticks:
        drawn.append(f'<path class="grid" d="M{LEFT} {_at(up(y))}H{WIDTH - RIGHT}"/>')
        drawn.append(_text(LEFT - 6, up(y) + 4, _number_of(y), "end"))
    last = -math.inf
    for at, label in zip(map(across, x), labels, strict=True):
        drawn.append(f'<path class="grid" d="M{_at(at)} {top}V{base}"/>')
        if at - last > LETTER * (len(label) + 1):
            drawn.append(_text(at, base + 16, label, "middle"))
            last = at
    drawn.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, asked["x_title"], "middle", "title"))
    turned = f'transform="rotate(-90 14 {_at((top + base) / 2)})"'
    drawn.append(_text(14, (top + base) / 2, asked["y_title"], "middle", "title", turned))
    if marked is not None:
        points = [
            f"{_at(a)} {_at(up(min(max(y, asked['low']), asked['high'])))}"
            for a, y in zip(map(across, x), marked, strict=True)
        ]
        drawn.append(f'<path class="keyed" d="M{"L".join(points)}"/>')
    return _drawing("".join(drawn), WIDTH, HEIGHT, f"Axes to draw on: {asked['y_title']} against {asked['x_title']}")


def _point(asked: Mapping[str, Any], marked: Any) -> str:
    """A map with its dots, its track and its names, and a bar that says how long a distance is."""
    west, south, east, north = asked["edges"]
    scale = min(WIDTH / (east - west), MAP_MOST / (north - south))
    width, height = (east - west) * scale, (north - south) * scale

    def at(place: Sequence[float]) -> tuple[float, float]:
        return (place[0] - west) * scale, (north - place[1]) * scale

    drawn = [f'<rect width="{_at(width)}" height="{_at(height)}"/>']
    if asked["line"]:
        drawn.append(f'<path class="track" d="M{"L".join(f"{_at(x)} {_at(y)}" for x, y in map(at, asked["line"]))}"/>')
    drawn += [f'<circle cx="{_at(x)}" cy="{_at(y)}" r="2.6"/>' for x, y in map(at, asked["dots"])]
    for east_m, north_m, name in asked["places"]:
        x, y = at((east_m, north_m))
        ends = x > width - LETTER * (len(name) + 2)
        drawn.append(f'<path class="place" d="M{_at(x)} {_at(y - 6)}l6 6l-6 6l-6-6z"/>')
        drawn.append(_text(x - 9 if ends else x + 9, y + 4, name, "end" if ends else "start"))
    bar = max(step for step in ticks_of(0, (east - west) / 3, 3) if step > 0)
    drawn.append(f'<path class="axis" d="M12 {_at(height - 12)}h{_at(bar * scale)}"/>')
    drawn.append(_text(12, height - 18, metres(bar), "start"))
    if marked is not None:
        x, y = at(marked)
        drawn.append(f'<path class="keyed" d="M{_at(x - 9)} {_at(y - 9)}l18 18m0 -18l-18 18"/>')
    said = ", ".join(name for *_, name in asked["places"])
    return _drawing("".join(drawn), width, height, f"A map to mark{f', with {said}' if said else ''}")


ROOMS: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "choose": _choices,
    "order": _places,
    "number": _number,
    "curve": _curve,
    "point": _point,
}
"""The room for each kind of question."""


def ticks_of(low: float, high: float, most: int) -> list[float]:
    """Round values from low to high, no more than this many or one more.

    Examples
    --------
    >>> ticks_of(0, 1, 6), ticks_of(0, 100, 10)[:3]
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0])
    """
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(each * power for each in STEPS if each * power >= least * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def powers_of(low: float, high: float, most: int) -> list[float]:
    """The powers of ten from low to high, and 2 and 5 times each where these are not too many.

    Examples
    --------
    >>> powers_of(1, 1000, 6), powers_of(1, 10, 6)
    ([1.0, 10.0, 100.0, 1000.0], [1.0, 2.0, 5.0, 10.0])
    """
    decades = range(math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9) + 1)
    fine = [float(f"{step}e{power}") for power in decades for step in STEPS[:3]]
    inside = [value for value in fine if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
    return inside if len(inside) <= most else [value for value in inside if f"{value:e}".startswith("1.0")]


def _across(low: float, high: float, *, log: bool = False, inset: float = 0.0) -> Callable[[float], float]:
    """Where a value lies across the drawing."""
    left, right = LEFT + inset, WIDTH - RIGHT - inset
    return lambda value: left + (right - left) * _share(value, low, high, log)


def _up(low: float, high: float, *, log: bool) -> Callable[[float], float]:
    """Where a value lies between the bottom and the top of the axes."""
    return lambda value: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(value, low, high, log)


def _share(value: float, low: float, high: float, log: bool) -> float:
    return math.log(value / low) / math.log(high / low) if log else (value - low) / (high - low)


def _number_of(value: float) -> str:
    return (f"{value:,.0f}" if value == int(value) else f"{value:g}").replace("-", "−")


def _at(length: float) -> str:
    """A length in a drawing, to a tenth."""
    return f"{length:.1f}"


def _text(x: float, y: float, text: str, anchor: str, kind: str = "", more: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{_at(x)}" y="{_at(y)}" text-anchor="{anchor}"{named} {more}>{escape(text)}</text>'


def _drawing(inside: str, width: float, height: float, said: str) -> str:
    box = f'viewBox="0 0 {_at(width)} {_at(height)}" style="max-width: {_at(width)}px"'
    return f'<svg {box} role="img" aria-label="{escape(said)}">{inside}</svg>'


def _class(name: str, given: bool) -> str:
    return f' class="{name}"' if given else ""
