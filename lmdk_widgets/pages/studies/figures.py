"""Figures of studies: means over rows with their standard errors, in panels side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import one_of
from lmdk_widgets.page.figures import STYLES
from lmdk_widgets.study.opened_results import Columns, columns_of
from lmdk_widgets.trajectory.samples import sample_names, sample_series, series_names
from lmdk_widgets.trajectory.series import ANSWERS

if TYPE_CHECKING:
    from pandas import DataFrame

    Results: TypeAlias = DataFrame | Mapping[str, Any]

COLUMNS = 2
"""Panels side by side."""

INFINITE = {
    "found_within_m": "no report points to a lasting place",
    "home_off_m": "the main place is never reported",
    "landmark_odds": "the attacker is certain of the landmarks",
    "practice_found_m": "the practice leaves the attacker nothing to guess from",
}
"""When a measure is infinite."""

TITLES = {
    "mean_error_m": "mean error, {length}",
    "median_error_m": "median error, {length}",
    "radius95_m": "radius of 95 % of the noise, {length}",
    "found_within_m": "distance within which the nearest lasting place is found, {length}",
    "reader_error_m": "error of a careful reader, {length}",
    "least_error_m": "least error of any mechanism's reader, {length}",
    "attacker_error_m": "attacker's error, {length}",
    "attacker_by_reader": "share of releases in which the attacker's error is by the reader's model",
    "attacker_right": "attacker's chance of the truth",
    "home_off_m": "distance from the main place to where averaging puts it, {length}",
    "home_found": "share of releases in which the main place is found",
    "spent_at_delta": "ε of all timestamps at δ",
    "chain_at_delta": "largest loss with the chain at δ",
    "delta": "δ",
    "spread_m": "spread of the data, {length}",
    "nothing_m": "error without a release, {length}",
    "promised_one": "largest chance of a right guess about one moment",
    "promised_landmarks": "largest chance of a right guess about the landmarks",
    "own_loss": "loss of a regular timestamp by itself",
    "theorem_sum": "ε that the landmarks and one more spend",
    "published": "share of timestamps measured",
    "landmarks": "number of landmarks",
    "protected": "timestamps protected",
    "guesses_right": "share of guesses that are right",
    "landmark_distance": "mean distance to a landmark, timestamps",
    "landmark_bound": "bound on the landmark loss",
    "share": "share of landmarks",
    "radius_m": "protection radius, m",
    "attacker_cells": "attacker's cells",
    "attacker_start": "where the attacker starts",
    "attacker_moves": "attacker's beliefs about moves",
    "attacker_step_m": "attacker's move nearby, m",
    "practice": "practice of today",
    "practice_knows": "what a practice's attacker knows",
    "practice_found_m": "distance to the place found behind a practice, {length}",
    "practice_area_m2": "area in which a practice's attacker looks, m²",
    "practice_reader_m": "error of a reader of a practice, {length}",
    "practice_published": "share of timestamps that a practice publishes",
    "place_m": "size of places, m",
    "cell_m": "cell size, m",
    "window": "window, timestamps",
}
"""What columns are called on the page, with their units, where the name without its underscores does not say so."""

_GAP_X = 0.12
"""Between two panels, as a share of the width."""

_HEIGHT, _GAP, _LEGEND = 230, 70, 30
"""Pixels: a row of panels with the gap above it, that gap, and from the legend to the first title."""


@dataclass(frozen=True)
class Mark:
    """A mark of a figure: the mean of the rows that share three choices; `error` is NaN for one row."""

    facet: Any
    colour: Any
    x: Any
    mean: float
    error: float
    rows: int


def marks_of(frame: Results, *, x: str, y: str, colour: str = "", facet: str = "") -> list[list[Mark]]:
    """The marks of each curve: by facet, then by colour, each with increasing x; "" for a choice that is not shown.

    Rows without a number are left out, and infinite ones, which would make a mean infinite (`infinite_rows`).

    Parameters
    ----------
    frame : a data frame, or columns by their names.
    """
    columns = columns_of(frame)
    values = columns[y].astype(float)
    there, found = np.isfinite(values), []
    for panel in _values(columns, facet):
        part = there if panel is None else there & (columns[facet] == panel)
        for value in _values(columns, colour):
            rows = part if value is None else part & (columns[colour] == value)
            means = _means(columns[x][rows], values[rows])
            found.append([Mark(panel, value, at, mean, error, n) for at, mean, error, n in means])
    return found


def infinite_rows(frame: Results, y: str) -> int:
    """How many rows have an infinite value of a measure, such as the distance to a place that is never found.

    Examples
    --------
    >>> infinite_rows({"found_within_m": np.array([1.0, np.inf, np.nan])}, "found_within_m")
    1
    """
    return int(np.isinf(columns_of(frame)[y].astype(float)).sum())


def _means(x: NDArray[Any], y: NDArray[np.float64]) -> list[tuple[Any, float, float, int]]:
    """For the rows that share an x: mean, standard error and number. Numbers increase, words keep their order."""
    places: dict[Any, int] = {}
    codes = np.array([places.setdefault(value, len(places)) for value in x.tolist()], dtype=np.intp)
    count = np.bincount(codes, minlength=len(places))
    with np.errstate(invalid="ignore", divide="ignore"):  # one row has no error
        mean = np.bincount(codes, y, len(places)) / count
        error = np.sqrt(np.bincount(codes, (y - mean[codes]) ** 2, len(places)) / (count - 1) / count)
    rows = list(zip(places, mean.tolist(), error.tolist(), count.tolist(), strict=True))
    numbers = [row for row in rows if row[0] == row[0]]
    return sorted(numbers, key=lambda row: row[0]) if x.dtype.kind in "iuf" else numbers


def titled(name: str, frame: Results) -> str:
    """What a column of results is called; errors are in metres, or in the unit of a series, for answers shares wrong.

    Examples
    --------
    >>> from lmdk_widgets.study import Study
    >>> frame = Study("bob", {"scheme": ["event"], "epsilon": [1]}).run(None, jobs=1)
    >>> titled("mean_error_m", frame), titled("largest_total_loss", frame)
    ('mean error, m', 'largest total loss')
    """
    tracks = set(frame["track"]) if "track" in frame else set()
    length = "m" if tracks <= set(sample_names()) else _unit_of(tracks)
    return TITLES.get(name, name.replace("_", " ")).format(length=length)


def _unit_of(tracks: set[Any]) -> str:
    """The unit of samples of series that have the same; whose unit others have is not in the results."""
    if not tracks <= set(series_names()):
        return "m or the unit of a series"
    samples = {each: sample_series(each) for each in tracks}
    units = {"share wrong" if each.kind == ANSWERS else each.unit for each in samples.values()}
    return units.pop() if len(units) == 1 else "the unit of each series"


def facets(
    frame: Results, *, x: str, y: str, colour: str = "", facet: str = "", log_y: bool = False, columns: int = COLUMNS
) -> dict[str, Any]:
    """A figure description with a panel for each value of one choice, and in it a curve for each value of another.

    Parameters
    ----------
    frame : results of a study, a data frame or columns by their names, already without what must not be mixed.
    x, colour, facet : columns of choices; "" for one panel, or one curve. y : a measure; its mean, with bars of one
        standard error over the rows of a mark.
    log_y : a logarithmic axis. columns : panels side by side.

    Raises
    ------
    InputError : an unknown column.

    Examples
    --------
    >>> from lmdk_widgets.study import Study
    >>> grid = {"scheme": ["event", "user"], "epsilon": [0.5, 1], "radius_m": [100, 200]}
    >>> frame = Study("bob", grid).run(None, jobs=1)
    >>> figure = facets(frame, x="epsilon", y="theorem_sum", colour="scheme", facet="radius_m")
    >>> [(trace["name"], trace["x"], trace["y"]) for trace in figure["data"]][0]
    ('event', [0.5, 1.0], [2.5, 5.0])
    """
    frame = columns_of(frame)
    for name in (x, y, *filter(None, (colour, facet))):
        one_of(name, "a column", list(frame))
    colours, panels = _values(frame, colour), _values(frame, facet)
    curves = marks_of(frame, x=x, y=y, colour=colour, facet=facet)
    layout: dict[str, Any] = {"annotations": [], "margin": {"t": 30 + _LEGEND}}
    data: list[dict[str, Any]] = []
    axes = (titled(x, frame), titled(y, frame))
    for k, panel in enumerate(panels):
        axis = str(k + 1) if k else ""
        title = None if panel is None else f"{titled(facet, frame)}: {panel}"
        layout |= _panel(k, len(panels), axis, *axes, log_y, columns, layout, title)
        for j, value in enumerate(colours):
            data.append(
                _curve(
                    str(titled(y, frame) if value is None else value),
                    curves[k * len(colours) + j],
                    j,
                    axis,
                    first=k == 0,
                )
            )
    return {"data": data, "layout": layout}


def _panel(
    k: int, count: int, axis: str, x: str, y: str, log_y: bool, columns: int, layout: dict[str, Any], title: str | None
) -> dict[str, Any]:
    """The axes of a panel, and its title among the annotations; the height of all."""
    columns = min(columns, count)
    rows = -(-count // columns)
    gap = _GAP / (_HEIGHT * rows)
    width, height = (1 - _GAP_X * (columns - 1)) / columns, (1 - gap * (rows - 1)) / rows
    row, column = divmod(k, columns)
    left, top = column * (width + _GAP_X), 1 - row * (height + gap)
    below, first = k + columns >= count, column == 0  # one title for the panels in a column, or in a row
    across = {"domain": _inside(left, left + width), "anchor": f"y{axis}"} | ({"title": {"text": x}} if below else {})
    up = {"domain": _inside(top - height, top), "anchor": f"x{axis}"} | (
        {"title": {"text": y, "standoff": 8}} if first else {}
    )
    up |= {"type": "log", "exponentformat": "none"} if log_y else {"rangemode": "tozero"}
    if k:  # so that all panels can be compared
        across, up = across | {"matches": "x"}, up | {"matches": "y"}
    if title is not None:
        place = {"text": title, "x": left + width / 2, "y": top, "xref": "paper", "yref": "paper"}
        layout["annotations"].append(place | {"showarrow": False, "yanchor": "bottom"})
    legend = {"y": 1 + _LEGEND / (_HEIGHT * rows)}
    return {"height": 106 + _HEIGHT * rows, "legend": legend, f"xaxis{axis}": across, f"yaxis{axis}": up}


def _inside(low: float, high: float) -> list[float]:
    """Ends of a panel; rounding puts some outside 0 to 1."""
    return [max(low, 0.0), min(high, 1.0)]


def _values(columns: Columns, column: str) -> list[Any]:
    """The values of a choice that occur, in the order in which they were given; one None where there is no choice."""
    return list(dict.fromkeys(columns[column].tolist())) if column else [None]


def _curve(name: str, marks: list[Mark], k: int, axis: str, *, first: bool) -> dict[str, Any]:
    tone, dash = STYLES[k % len(STYLES)]
    spread = [0.0 if math.isnan(mark.error) else mark.error for mark in marks]
    trace = {"type": "scatter", "mode": "lines+markers", "name": name, "legendgroup": name, "showlegend": first}
    trace |= {"x": [mark.x for mark in marks], "y": [mark.mean for mark in marks]}
    trace |= {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    look = {"line": {"color": tone, "dash": dash}, "marker": {"color": tone, "symbol": k % len(STYLES), "size": 8}}
    return trace | look | {"error_y": {"type": "data", "array": spread, "visible": True}}
