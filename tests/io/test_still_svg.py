"""Charts and maps without a script: where their marks lie, by hand; what is left to its sentence; what no text can do."""

from __future__ import annotations

import json
import math
import re
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab, TrajectoryMap
from lmdk_widgets.io import still_svg
from lmdk_widgets.io.report import chart, drawn
from lmdk_widgets.io.still_svg import HIGH, LEFT, RIGHT, TOP, WIDE, chart_svg, stills
from lmdk_widgets.page import reading
from lmdk_widgets.palette import BLUES

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str, name: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(f"{SVG}{name}")


def lines(svg: str) -> list[list[tuple[float, float]]]:
    """The corners of the lines, those of the grid and of the key left out."""
    found = [[tuple(map(float, at.split(","))) for at in one.get("points").split()] for one in parts(svg, "polyline")]
    return [line for line in found if len({y for _, y in line}) > 1]


def one(y: list[Any], *, layout: dict[str, Any] | None = None, **more: Any) -> str:
    return chart_svg({"data": [{"type": "scatter", "y": y, **more}], "layout": layout or {}})


def test_a_line_goes_from_end_to_end_of_the_ranges_that_are_given() -> None:
    ranges = {"xaxis": {"range": [0, 4]}, "yaxis": {"range": [0, 10]}}
    ((a, b, c),) = lines(one([0, 10, 5], x=[0, 1, 4], layout=ranges))
    wide = WIDE - LEFT - RIGHT
    assert (a[0], b[0], c[0]) == pytest.approx((LEFT, LEFT + wide / 4, WIDE - RIGHT), abs=0.06)
    foot, top = a[1], b[1]
    assert top == pytest.approx(TOP) and foot < HIGH and c[1] == pytest.approx((foot + top) / 2, abs=0.06)


def test_a_logarithmic_axis_has_its_powers_evenly_apart_and_leaves_out_what_is_not_above_zero() -> None:
    svg = one([1, 0, 10, 100], x=[0, 1, 2, 3], layout={"yaxis": {"type": "log", "range": [0, 2]}})
    assert [len(line) for line in lines(svg)] == [2], "a gap where there is no logarithm"
    heights = {text.text: float(text.get("y")) for text in parts(svg, "text") if text.get("text-anchor") == "end"}
    assert list(heights) == ["1", "10", "100"]
    assert heights["1"] - heights["10"] == pytest.approx(heights["10"] - heights["100"], abs=0.1)


def test_steps_gaps_marks_and_names() -> None:
    assert [len(line) for line in lines(one([1, 2, None, 2, 1], x=[0, 1, 2, 3, 4]))] == [2, 2]
    ((*corners,),) = lines(one([1, 2], x=[0, 1], line={"shape": "hvh"}))
    assert len(corners) == 4 and corners[1][0] == corners[2][0] == pytest.approx(
        (corners[0][0] + corners[3][0]) / 2, abs=0.1
    )
    assert len(parts(one([1, None, 2], x=["a", "b", "c"], mode="markers"), "circle")) == 2
    svg = one([1, 2], x=["<b>", "b & c"], name="x < y")
    assert {"<b>", "b & c", "x < y"} <= {text.text for text in parts(svg, "text")}


def test_bars_stand_on_zero_side_by_side() -> None:
    bars = [{"type": "bar", "x": ["a", "b"], "y": [1.0, 2.0]}, {"type": "bar", "x": ["a", "b"], "y": [2.0, -1.0]}]
    boxes = parts(chart_svg({"data": bars, "layout": {}}), "rect")[1:]
    told = [
        {k: float(box.get(k)) for k in ("x", "y", "width", "height")} for box in boxes if box.get("fill") == "#2b8cc4"
    ]
    (a, b, c, d) = told
    assert b["height"] == pytest.approx(2 * a["height"], abs=0.2) and c["height"] == pytest.approx(b["height"], abs=0.1)
    assert a["y"] + a["height"] == pytest.approx(d["y"], abs=0.2), "below zero"
    assert c["x"] == pytest.approx(a["x"] + a["width"], abs=0.1)


@pytest.mark.parametrize(
    "figure",
    [
        {"data": []},
        {"data": [{"type": "heatmap", "z": [[1]], "y": [1]}]},
        {"data": [{"type": "scatter", "y": [1]}, {"type": "scatter", "y": [1], "yaxis": "y2"}]},
        {"data": [{"type": "bar", "y": [1], "orientation": "h"}]},
        {"data": [{"type": "bar", "y": [1]}], "layout": {"barmode": "stack"}},
    ],
)
def test_what_is_not_known_here_keeps_its_sentence(figure: dict[str, Any]) -> None:
    assert chart_svg(figure) == ""
    html = stills(chart("Title", figure, "What it says."))
    assert "<img" not in html and "<script" not in html and "What it says." in html


def pictures(html: str) -> list[str]:
    return [unquote(data) for data in re.findall(r'src="data:image/svg\+xml,([^"]*)"', html)]


def test_a_map_is_as_long_to_the_north_as_to_the_east_and_its_circle_is_to_scale() -> None:
    north, east = 0.01, 0.01 / math.cos(math.radians(60.005))
    told = {
        "latitudes": [60.0, 60.01, 60.0],
        "longitudes": [20.0, 20.0, 20.0 + east],
        "places": [[60.0, 20.0, "A <&> B"]],
    }
    radius_m = north / 2 * still_svg.METRES
    (svg,) = pictures(
        stills(drawn("release", "Map", {**told, "found": [[60.0, 20.0, radius_m, 1.0, "home", "560 m"]]}, ""))
    )
    (track,) = lines(svg)
    up, across = track[0][1] - track[1][1], track[2][0] - track[0][0]
    assert up == pytest.approx(across, abs=0.2)
    (circle,) = parts(svg, "circle")
    assert float(circle.get("r")) == pytest.approx(up / 2, abs=0.2)
    assert [text.text for text in parts(svg, "text")] == ["A <&> B", "home, 560 m"]


def test_cells_lie_from_the_south_west_in_the_colours_of_their_classes() -> None:
    told = {"squares": [[0, 0], [1, 0], [0, 1]], "names": ["A1", "B1", "A2"], "values": [0.0, 0.5, None], "shown": {}}
    (svg,) = pictures(stills(drawn("cells", "Map", told, "")))
    (a, b, c) = parts(svg, "rect")[1:]
    assert [each.get("fill") for each in (a, b, c)] == [BLUES[0].light, BLUES[7].light, BLUES[0].light]
    assert a.get("y") == b.get("y") and float(c.get("y")) < float(a.get("y")) and c.get("x") == a.get("x")
    metres = {**told, "values": [1.0, 1000.0, 500.0], "shown": {"most_m": 1000.0}}
    (svg,) = pictures(stills(drawn("cells", "Map", metres, "")))
    assert [each.get("fill") for each in parts(svg, "rect")[1:]] == [BLUES[k].light for k in (1, 7, 4)]


@pytest.mark.parametrize("make", [Explorer, QuiltLab, PlacesLab, FoundationsLab, lambda: TrajectoryMap("bob")])
def test_every_picture_is_whole_and_asks_for_nothing(make: Any) -> None:
    widget = make()
    kept = widget.static_copy().kept("name")
    plain = kept.partition('<div class="lmdk-untrusted">')[2].partition("<iframe")[0]
    found = pictures(plain)
    assert found and "<script" not in plain and "<iframe" not in plain
    for svg in found:
        ElementTree.fromstring(svg)
        assert "href" not in svg and "<script" not in svg and not re.search(r"\b(nan|inf)\b", svg)
    figures = re.findall(r'<figure class="\w+">.*?</figure>', plain, re.S)
    assert len(found) >= 0.6 * len(figures)
    assert all("<figcaption>" in figure for figure in figures)
    widget.close()


def test_a_copy_that_were_too_large_keeps_the_sentence_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_KEPT", 10)
    figure = {"data": [{"type": "scatter", "y": [1, 2]}], "layout": {}}
    copy = reading.StaticCopy([], [f"<figure class='chart'></figure>{chart('Title', figure, '')}"])
    assert "<img" not in copy.kept("a") and "until this notebook is trusted" in copy.kept("a")
    assert json.dumps(figure) not in copy.kept("a")
