"""Charts and maps as pictures of their own, for a page that runs no script, such as a notebook that is not trusted.

    figure of a report --stills()--> the same with an <img> of an SVG instead of the values that a program would draw

They are plainer than what the program draws: lines, bars and marks in their colours between two axes, and a key; of a map
the places, without degrees. What is not known here, such as several panels in one figure, keeps its sentence.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from lmdk_widgets.palette import (
    BAD_LINE,
    BLUE,
    BLUES,
    GRID,
    INK,
    LANDMARK,
    LINK,
    PANEL,
    PAPER,
    QUIET,
    REGULAR,
    RELEASE,
    STRONG_LINE,
    TRACK,
)

WIDE, HIGH = 640, 220
"""Pixels of a chart; a map is as high as its places ask for, within LEAST_HIGH and MOST_HIGH."""
LEAST_HIGH, MOST_HIGH = 160, 480
LEFT, RIGHT, TOP, BELOW = 66, 14, 12, 40
"""Pixels around a chart's panel, besides its key."""
LINE, LETTER = 16, 7
"""Pixels of a line of the key, and of a letter."""
MOST_SIDE = 60
"""Pixels of a cell."""
CLASSES = (5e-324, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Where the colours of a probability begin, from the second on."""
AROUND = 40
"""Pixels around the places of a map."""
MANY = 1_500
"""More points than this are dots."""
TICKS = 5
PLAIN = " ,.;:/=()-'"
"""Characters that the address of a picture contains as they are, besides letters and digits."""
DASHES = {"dash": "8 4", "dot": "2 3", "dashdot": "8 3 2 3", "longdash": "12 5", "longdashdot": "12 4 2 4"}
RIM = f' paint-order="stroke" stroke="{PAPER.light}" stroke-width="3"'
"""Around the letters on a map."""
METRES = 111_195.0
"""Of a degree of latitude."""

_FIGURE = re.compile(
    r'(<figure class="(chart|map|lmdk-drawn)">(?:<h3>.*?</h3>)?)<script type="application/json">(.*?)</script>', re.S
)


def stills(html: str) -> str:
    """HTML of a report in which each chart or map that can be drawn here is an image.

    Examples
    --------
    >>> figure = {"data": [{"type": "scatter", "x": [1, 2], "y": [0.5, 1.0]}], "layout": {}}
    >>> html = f'<figure class="chart"><script type="application/json">{json.dumps(figure)}</script></figure>'
    >>> stills(html)[:56]
    '<figure class="chart"><img alt="" width="640" src="data:'
    """
    return _FIGURE.sub(lambda found: found[1] + _image(_picture(found[2], json.loads(found[3])), ""), html)


def _image(svg: str, alt: str) -> str:
    if not svg:
        return ""
    return f'<img alt="{escape(alt)}" width="{WIDE}" src="data:image/svg+xml,{quote(svg, safe=PLAIN)}">'


def _picture(kind: str, told: Mapping[str, Any]) -> str:
    if kind == "map":
        drawn = {"release": _release, "track": _track, "cells": _cells}.get(told.get("kind", ""))
        return drawn(told) if drawn and not told.get("small") else ""
    return chart_svg(told) if "data" in told else ""


def _svg(high: float, parts: Iterable[str]) -> str:
    size = f'width="{WIDE}" height="{_at(high)}" viewBox="0 0 {WIDE} {_at(high)}"'
    ground = f'<rect width="100%" height="100%" fill="{PAPER.light}"/>'
    inside = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">{ground}{inside}</svg>'
    )


def _at(pixels: float) -> str:
    return str(round(pixels, 1)).removesuffix(".0")


def _text(text: str, x: float, y: float, colour: str = INK.light, anchor: str = "start", more: str = "") -> str:
    words = escape(" ".join(text.replace("<br>", " ").split()))
    return f'<text x="{_at(x)}" y="{_at(y)}" fill="{colour}" text-anchor="{anchor}"{more}>{words}</text>'


def _path(points: Iterable[tuple[float, float]], colour: str, width: float = 1.5, dash: str = "") -> str:
    placed = list(points)
    fine = len(placed) <= MANY // 5  # of more, whole pixels, each once
    each = [f"{_at(x)},{_at(y)}" if fine else f"{round(x)},{round(y)}" for x, y in placed]
    corners = " ".join(one for one, before in zip(each, ["", *each], strict=False) if one != before)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'


# -- charts ------------------------------------------------------------------------------------------------------------


class _Axis:
    """Where values are on one axis. low, high : its ends, of a logarithm on a logarithmic axis."""

    def __init__(self, told: Mapping[str, Any], values: Iterable[Any], pixels: tuple[float, float]) -> None:
        known = [value for value in values if value is not None]
        self.told, self.pixels, self.log = told, pixels, told.get("type") == "log"
        named = [value for value in known if isinstance(value, str)]
        self.names = list(dict.fromkeys(named))
        numbers = [place for value in known if (place := self.place(value)) is not None]
        if told.get("rangemode") == "tozero" and not self.log:
            numbers.append(0.0)
        low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
        room = 0.5 if self.names else 0.04 * (high - low) or 0.5
        given: Sequence[float] = told.get("range") or ()
        plain = len(given) == 2 and all(isinstance(end, int | float) for end in given)
        self.low, self.high = (float(given[0]), float(given[1])) if plain else (low - room, high + room)

    def place(self, value: Any) -> float | None:
        """A value on the axis before it is turned into pixels; None for none."""
        if isinstance(value, str):
            return float(self.names.index(value)) if value in self.names else None
        if value is None or not math.isfinite(value) or (self.log and value <= 0):
            return None
        return math.log10(value) if self.log else float(value)

    def at(self, value: Any) -> float | None:
        """Its pixel; None for none."""
        place = self.place(value)
        return None if place is None else self.pixel(place)

    def pixel(self, place: float) -> float:
        first, last = self.pixels
        return first + (place - self.low) / ((self.high - self.low) or 1.0) * (last - first)

    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and texts, few enough to lie apart."""
        if "tickvals" in self.told:
            values = self.told["tickvals"]
            texts = self.told.get("ticktext", [format(value, ",g") for value in values])
            placed = [(self.place(value), str(text)) for value, text in zip(values, texts, strict=False)]
        elif self.names:
            placed = [(float(k), name) for k, name in enumerate(self.names)]
        elif self.log:
            powers = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
            placed = [(float(k), format(10.0**k, ",g")) for k in powers]
        else:
            rough = (self.high - self.low) / TICKS
            power = 10.0 ** math.floor(math.log10(rough))
            step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough)
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            placed = [(k * step, format(round(k * step, 12), ",g")) for k in range(first, last + 1)]
        inside = [(place, text) for place, text in placed if place is not None and self.low <= place <= self.high]
        every = max(1, math.ceil(len(inside) / (TICKS + 1)))
        return [(self.pixel(place), text) for place, text in inside[::every]]


def chart_svg(figure: Mapping[str, Any]) -> str:
    """A figure description in plain values as SVG; "" of several panels, or where its traces are no lines, marks or bars.

    Examples
    --------
    >>> line = {"type": "scatter", "x": [1, 2], "y": [0.5, 1.0], "name": "loss"}
    >>> chart_svg({"data": [line], "layout": {}}).count(">loss<"), chart_svg({"data": [{"type": "heatmap"}]})
    (1, '')
    """
    traces, layout = [trace for trace in figure["data"] if trace.get("y")], figure.get("layout", {})
    if not traces or not all(map(_is_known, traces)) or layout.get("barmode", "group") not in ("group", "overlay"):
        return ""
    key, top = _key([trace for trace in traces if trace.get("name") and trace.get("showlegend") is not False])
    told = [layout.get(name, {}) for name in ("xaxis", "yaxis")]
    columns = [_column(trace) for trace in traces]
    foot = top + HIGH - BELOW
    heights = [value for trace in traces for value in trace["y"]]
    bars = [trace for trace in traces if trace.get("type") == "bar"]
    y = _Axis(told[1], [*heights, *([0.0] if bars else [])], (foot, top + TOP))
    left = max([LEFT, *(LETTER * len(text) + 2 * LINE for _, text in y.ticks())])
    x = _Axis(told[0], (value for column in columns for value in column), (left, WIDE - RIGHT))
    parts = [_frame(x, y, foot, top, told), *key]
    for k, trace in enumerate(bars):
        parts.append(_bars(trace, x, y, foot, (k, len(bars)) if layout.get("barmode", "group") == "group" else (0, 1)))
    parts += [_marked(trace, column, x, y) for trace, column in zip(traces, columns, strict=True) if trace not in bars]
    return _svg(top + HIGH, parts)


def _is_known(trace: Mapping[str, Any]) -> bool:
    one = trace.get("xaxis", "x") == "x" and trace.get("yaxis", "y") == "y" and trace.get("orientation") != "h"
    return one and trace.get("type", "scatter") in ("scatter", "bar")


def _column(trace: Mapping[str, Any]) -> Sequence[Any]:
    return trace.get("x") or list(range(len(trace["y"])))


def _colour(trace: Mapping[str, Any]) -> str:
    for part in ("line", "marker"):
        colour = trace.get(part, {}).get("color")
        if isinstance(colour, str):
            return colour
    return BLUE


def _key(named: Sequence[Mapping[str, Any]]) -> tuple[list[str], float]:
    """The names of the traces beside their colours, in as many lines as they need, and how high it is."""
    parts, left, line = [], float(LEFT), 0
    for trace in named:
        name = " ".join(str(trace["name"]).replace("<br>", " ").split())
        wide = 26 + LETTER * len(name) + 12
        if left + wide > WIDE and left > LEFT:
            left, line = float(LEFT), line + 1
        middle = 12 + LINE * line
        dash = DASHES.get(trace.get("line", {}).get("dash", ""), "")
        parts += [
            _path([(left, middle), (left + 20, middle)], _colour(trace), 3, dash),
            _text(name, left + 25, middle + 4),
        ]
        left += wide
    return parts, LINE * (line + 1) + 4.0 if named else 0.0


def _frame(x: _Axis, y: _Axis, foot: float, top: float, told: Sequence[Mapping[str, Any]]) -> str:
    left, right = x.pixels
    parts = [
        f'<rect x="{_at(left)}" y="{_at(top + TOP)}" width="{_at(right - left)}" height="{_at(foot - top - TOP)}" '
    ]
    parts.append(f'fill="{PANEL.light}"/>')
    for pixel, text in y.ticks():
        parts += [
            _path([(left, pixel), (right, pixel)], GRID.light, 1),
            _text(text, left - 6, pixel + 4, anchor="end"),
        ]
    for pixel, text in x.ticks():
        parts.append(_text(text, pixel, foot + 16, anchor="middle"))
    titles = [(axis.get("title") or {}) for axis in told]
    across, up = (each if isinstance(each, str) else each.get("text", "") for each in titles)
    middle = (foot + top + TOP) / 2
    parts.append(_text(across, (left + right) / 2, foot + 33, QUIET.light, "middle"))
    parts.append(_text(up, 14, middle, QUIET.light, "middle", f' transform="rotate(-90 14 {_at(middle)})"'))
    return "".join(parts)


def _bars(trace: Mapping[str, Any], x: _Axis, y: _Axis, foot: float, which: tuple[int, int]) -> str:
    column = _column(trace)
    places = sorted({place for value in column if (place := x.place(value)) is not None})
    apart = min((b - a for a, b in pairwise(places)), default=1.0)
    whole = max(1.0, 0.8 * abs(x.pixel(apart) - x.pixel(0.0)))
    wide, (k, count) = whole / which[1], which
    colours, parts = trace.get("marker", {}).get("color"), []
    for i, (value, height) in enumerate(zip(column, trace["y"], strict=False)):
        left, end, zero = x.at(value), y.at(height), y.at(0.0)
        zero = foot if zero is None else min(foot, zero)
        if left is None or end is None:
            continue
        colour = colours[i] if isinstance(colours, list) else _colour(trace)
        box = (left - whole / 2 + k * wide, min(end, zero), wide if count > 1 else whole, abs(zero - end))
        sides = " ".join(f'{name}="{_at(v)}"' for name, v in zip(("x", "y", "width", "height"), box, strict=True))
        parts.append(f'<rect {sides} fill="{colour}"/>')
    return "".join(parts)


def _marked(trace: Mapping[str, Any], column: Sequence[Any], x: _Axis, y: _Axis) -> str:
    """A line, with gaps where there is no value, and its marks."""
    points = [(x.at(value), y.at(height)) for value, height in zip(column, trace["y"], strict=False)]
    mode, colour, parts = trace.get("mode", "lines"), _colour(trace), []
    if "lines" in mode:
        style, run = trace.get("line", {}), list[tuple[float, float]]()
        for a, b in [*points, (None, None)]:
            if a is not None and b is not None:
                if run and style.get("shape") in ("hv", "hvh"):
                    turn = a if style["shape"] == "hv" else (run[-1][0] + a) / 2
                    run += [(turn, run[-1][1]), (turn, b)]
                run.append((a, b))
            elif run:
                parts.append(_path(run, colour, style.get("width", 2), DASHES.get(style.get("dash", ""), "")))
                run = []
    if "markers" in mode:
        spots = [(a, b) for a, b in points if a is not None and b is not None]
        parts += [f'<circle cx="{_at(a)}" cy="{_at(b)}" r="3.5" fill="{colour}"/>' for a, b in spots]
    return "".join(parts)


# -- maps --------------------------------------------------------------------------------------------------------------


class _Map:
    """Places in degrees as pixels, one metre as long in both directions."""

    def __init__(self, latitudes: Sequence[float], longitudes: Sequence[float]) -> None:
        self.south, self.north, self.west, self.east = *_ends(latitudes), *_ends(longitudes)
        self.narrow = max(0.01, math.cos(math.radians((self.south + self.north) / 2)))
        wide, high = (self.east - self.west) * self.narrow, self.north - self.south
        self.scale = min((WIDE - 2 * AROUND) / (wide or 1e-4), (MOST_HIGH - 2 * AROUND) / (high or 1e-4))
        self.left = (WIDE - self.scale * wide) / 2
        self.high = max(LEAST_HIGH, self.scale * high + 2 * AROUND)
        self.top = (self.high - self.scale * high) / 2

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        across = (longitude - self.west) * self.narrow
        return self.left + self.scale * across, self.top + self.scale * (self.north - latitude)

    def pixels(self, metres: float) -> float:
        return self.scale * metres / METRES

    def drawn(self, parts: Iterable[str]) -> str:
        return _svg(self.high, [f'<rect width="100%" height="100%" fill="{PANEL.light}"/>', *parts])


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _release(told: Mapping[str, Any]) -> str:
    """Released points, joined in order of time, with what is found in them."""
    seen = _Map(told["latitudes"], told["longitudes"])
    points = [seen.at(*place) for place in zip(told["latitudes"], told["longitudes"], strict=True)]
    small = len(points) > MANY
    parts = [_crosses(points, LINK.light, *((0.3, 2) if small else (1.2, 8)))]
    parts += _named(told["places"], seen)
    for latitude, longitude, radius_m, _near, name, distance in told.get("found", []):
        x, y = seen.at(latitude, longitude)
        size = max(8.0, seen.pixels(radius_m))
        parts.append(
            f'<circle cx="{_at(x)}" cy="{_at(y)}" r="{_at(size)}" fill="none" stroke="{BAD_LINE.light}" stroke-width="2.5"/>'
        )
        parts.append(
            _text(f"{name}, {distance}", x + size + 4, y + 4, BAD_LINE.light, more=f'{RIM} font-weight="bold"')
        )
    return seen.drawn(parts)


def _crosses(points: Iterable[tuple[float, float]], colour: str, width: float, size: float) -> str:
    """A line with a cross at each of its points, which SVG draws there."""
    cross = f'<path d="M1,1L9,9M1,9L9,1" stroke="{RELEASE.light}" stroke-width="2"/>'
    ends = (
        f'markerWidth="{size}" markerHeight="{size}" refX="5" refY="5" viewBox="0 0 10 10" markerUnits="userSpaceOnUse"'
    )
    marked = "".join(f' marker-{where}="url(#c)"' for where in ("start", "mid", "end"))
    line = _path(points, colour, width).replace("/>", f"{marked}/>")
    return f'<marker id="c" {ends}>{cross}</marker>{line}'


def _cells(told: Mapping[str, Any]) -> str:
    """Cells in the colours of their classes, with their names."""
    columns, rows = (max(square[k] for square in told["squares"]) + 1 for k in (0, 1))
    side = min((WIDE - 2) / columns, MOST_HIGH / rows, MOST_SIDE)
    left, parts = (WIDE - side * columns) / 2, []
    for (column, row), name, value in zip(told["squares"], told["names"], told["values"], strict=True):
        x, y = left + side * column, 1 + side * (rows - 1 - row)
        level = _class(value or 0.0, told.get("shown") or {})
        box = f'x="{_at(x)}" y="{_at(y)}" width="{_at(side)}" height="{_at(side)}"'
        parts.append(f'<rect {box} fill="{BLUES[level].light}" stroke="{STRONG_LINE.light}"/>')
        if side > 3 * LETTER:
            parts.append(_text(str(name), x + 4, y + 14, PAPER.light if level > 5 else INK.light))
    return _svg(side * rows + 2, parts)


def _class(value: float, shown: Mapping[str, Any]) -> int:
    """The colour of a probability, or of metres up to the most of all cells, as on the map."""
    if "most_m" in shown:
        most = shown["most_m"]
        return 1 + min(len(CLASSES) - 1, math.floor(len(CLASSES) * value / most)) if most > 0 else 1
    return sum(value >= least for least in CLASSES)


def _track(told: Mapping[str, Any]) -> str:
    """A track with its landmarks."""
    seen = _Map(told["latitudes"], told["longitudes"])
    points = [seen.at(*place) for place in zip(told["latitudes"], told["longitudes"], strict=True)]
    small = len(points) > MANY // 5
    parts = [_path(points, TRACK.light)]
    parts += [
        f'<circle cx="{_at(x)}" cy="{_at(y)}" r="{2 if small else 5}" fill="{REGULAR.light}"/>' for x, y in points
    ]
    for k in told["landmarks"]:
        x, y = points[k]
        corners = " ".join(f"{_at(x + a)},{_at(y + b)}" for a, b in ((0, -9), (9, 0), (0, 9), (-9, 0)))
        parts.append(f'<polygon points="{corners}" fill="{LANDMARK.light}" stroke="{INK.light}" stroke-width="1.5"/>')
    if not small:
        parts += [
            _text(str(name), x + 11, y - 8, more=RIM) for (x, y), name in zip(points, told["names"], strict=False)
        ]
    return seen.drawn([*parts, *_named(told["places"], seen)])


def _named(places: Iterable[Sequence[Any]], seen: _Map) -> list[str]:
    found = []
    for latitude, longitude, text in places:
        x, y = seen.at(latitude, longitude)
        anchor = "end" if x + LETTER * len(str(text)) > WIDE else "start"
        found.append(_text(str(text), x, y, QUIET.light, anchor, RIM))
    return found
