"""A release drawn for files, as plain values for the program that draws the page's map or its chart: alone in a report,
or small on a setting's card. No true place is among them. What an attacker finds is drawn for the user alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.answers.exposure import Circle
from lmdk_widgets.io.graticule import in_one_piece
from lmdk_widgets.io.released import DECIMALS
from lmdk_widgets.io.report import drawn
from lmdk_widgets.pages.track.charts import ends_of_stretches
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.words import counted

MOST_POINTS = 20_000
"""The most released points that a report draws; more would be one blot, in a file of many megabytes."""

DIGITS = 7
"""Digits of a released number: rounding is post-processing, and cuts off the digits that reveal most about how a float
was computed."""

ALONE = " Their noise was drawn for the files alone."

_MIDDLE = (0.02, 0.98)
"""A small map shows the points between these quantiles."""


def released_map(outcome: Outcome, fresh: Fresh, more: str = "", found: Sequence[Circle] = ()) -> str | None:
    """The map of a release, with `more` after its sentence; None where there is nothing, or too much, to draw.

    found : where an attacker finds lasting places in it, computed from the true data; nothing in a file to share.
    """
    there = np.isfinite(fresh.latitude)
    points = int(there.sum())
    if not 0 < points <= MOST_POINTS:
        return None
    places = [list(place) for place in (outcome.trajectory.places if outcome.scenario.track else ())]
    line = "; the thin line joins them in order of time" if points > 1 else ""
    summary = f"{counted(points, 'released point').capitalize()}{line}.{ALONE}{more}"
    drawn_points = _points(fresh, there)
    if found:
        near = "; ".join(f"{circle.name} to within {circle.distance}" for circle in found)
        summary += (
            f" A circle is where averaging finds a lasting place in this release, in half of all releases: {near}."
        )
    middle = float(np.mean(drawn_points["longitudes"]))
    described = {**drawn_points, "places": places, "found": [_marked(circle, middle) for circle in found]}
    return drawn("release", "Map of the released points", described, summary)


def _marked(circle: Circle, middle: float) -> list[float | str]:
    """A circle as `Circle.message`, with the digits of a release, on the side of the antimeridian where the points are."""
    at = circle.longitude - 360 * round((circle.longitude - middle) / 360)
    return circle._replace(latitude=round(circle.latitude, DECIMALS), longitude=round(at, DECIMALS)).message()


def released_chart(outcome: Outcome, fresh: Fresh, more: str = "") -> str | None:
    """The same for the values of a series, in order of time."""
    assert fresh.values is not None
    known = np.isfinite(fresh.values)
    if not known.any():
        return None
    zone = zone_shown(outcome.scenario, outcome.trajectory)
    summary = f"{counted(int(known.sum()), 'released value').capitalize()}, times in {zone}.{ALONE}{more}"
    return drawn("series", "Chart of the released values", _values(outcome, fresh), summary)


def small_pictures(outcome: Outcome, each: Iterable[tuple[str, Fresh]]) -> list[str]:
    """A small map or chart for each named release, all to the same scale; "" where there is nothing to draw."""
    named = list(each)
    if not outcome.kind.placed:
        values = [fresh.values for _, fresh in named if fresh.values is not None]
        ends = _ends(np.concatenate(values)) if values else None
        more: Any = {"small": True, "ends": ends}
        return [
            drawn("series", f"Chart of the released values: {name}", _values(outcome, fresh) | more, "") if ends else ""
            for name, fresh in named
        ]
    there = [np.isfinite(fresh.latitude) for _, fresh in named]
    points = [_points(fresh, some) for (_, fresh), some in zip(named, there, strict=True)]
    box = _box(points)
    more = {"small": True, "places": [], "box": box}
    return [
        drawn("release", f"Map of the released points: {name}", one | more, "")
        if box and 0 < len(one["latitudes"]) <= MOST_POINTS
        else ""
        for one, (name, _) in zip(points, named, strict=True)
    ]


def _points(fresh: Fresh, there: np.ndarray) -> dict[str, Any]:
    return {
        "latitudes": np.round(fresh.latitude[there], DECIMALS).tolist(),
        "longitudes": in_one_piece(np.round(fresh.longitude[there], DECIMALS)).tolist(),
    }


def _values(outcome: Outcome, fresh: Fresh) -> dict[str, Any]:
    series = outcome.series
    assert series is not None and fresh.values is not None
    at, zone = ends_of_stretches(fresh.values), zone_shown(outcome.scenario, series)
    return {
        "values": rounded(fresh.values[at]),
        "time": clock_times(series, zone)[at].astype("M8[ms]").astype(np.int64).tolist(),
        "series": {"kind": series.kind, "unit": series.unit, "answers": list(series.answers)},
    }


def _ends(values: np.ndarray) -> list[float] | None:
    known = values[np.isfinite(values)]
    return [float(end) for end in np.quantile(known, _MIDDLE)] if len(known) else None


def _box(points: list[dict[str, Any]]) -> list[float] | None:
    """South, west, north and east of most points of all releases."""
    high, wide = (
        _ends(np.concatenate([np.asarray(one[name], float) for one in points])) for name in ("latitudes", "longitudes")
    )
    return None if high is None or wide is None else [high[0], wide[0], high[1], wide[1]]


def rounded(values: np.ndarray) -> list[Any]:
    """Numbers rounded to `DIGITS` digits, whole ones as integers; None for NaN and infinity."""
    return [_short(value) if np.isfinite(value) else None for value in values.tolist()]


def _short(value: float) -> float | int:
    found = float(f"{value:.{DIGITS}g}")
    return int(found) if found == int(found) and abs(found) < 1e15 else found
