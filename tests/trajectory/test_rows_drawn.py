"""The drawing of a table's first rows: what it shows of places in either order, of projected places and of values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.geo import distance_m
from lmdk_widgets.trajectory.place_columns import cities, nearest_city
from lmdk_widgets.trajectory.preview import drawn_again, preview
from lmdk_widgets.trajectory.rows_drawn import draw_rows

WALK = [[f"{48.2 + 0.002 * k:.3f}", f"{11.5 + 0.003 * k:.3f}"] for k in range(12)]


def test_a_path_has_north_above_and_one_scale_in_both_directions() -> None:
    drawn = draw_rows(WALK, {"latitude": 0, "longitude": 1})
    assert drawn is not None and drawn["is_path"] and drawn["here"] == [12, 48]
    line = np.array(drawn["line"])
    assert (np.diff(line[:, 0]) > 0).all() and (np.diff(line[:, 1]) < 0).all()
    assert line.min() >= 0 and line.max() <= 100
    across, up = np.ptp(line, axis=0)
    assert across / up == pytest.approx(0.033 * math.cos(math.radians(48.2)) / 0.022, rel=0.01)
    length, text = drawn["scale"]
    metres = float(distance_m(48.2, 11.5, 48.222, 11.5))
    assert text == "1 km" and length == pytest.approx(1000 * up / metres, rel=0.01)


def test_the_other_order_is_another_country() -> None:
    right, wrong = (draw_rows(WALK, {"latitude": a, "longitude": 1 - a}) for a in (0, 1))
    assert right is not None and wrong is not None
    assert "Zurich" in right["said"] and wrong["here"] == [48, 12] and "Zurich" not in wrong["said"]


def test_the_nearest_city_is_that_of_a_slow_search() -> None:
    names, places = cities()
    assert len(names) == len(places) > 300 and "New York" in names
    rng = np.random.default_rng(3)
    for north, east in zip(rng.uniform(-60, 70, 20), rng.uniform(-180, 180, 20), strict=True):
        slow = min((float(distance_m(a, b, north, east)), name) for name, (a, b) in zip(names, places, strict=True))
        assert nearest_city(north, east) == (slow[1], slow[0])


def test_projected_places_have_no_place_on_the_earth_and_values_are_a_line() -> None:
    metres = draw_rows([["650000,5", "6860000"], ["650100", "6860050"]], {"x": 0, "y": 1})
    assert metres is not None and (metres["here"], metres["cities"], metres["scale"][1]) == (None, [], "20 m")
    values = draw_rows([["1"], ["x"], ["3"], ["2"]], {"value": 0, "time": 0})
    assert values is not None and values["line"] == [[0, 100], [50, 0], [100, 50]]
    assert values["said"] == "The values of these rows go from 1 to 3." and not values["is_path"]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (WALK[:1], {"latitude": 0, "longitude": 1}),
        (WALK, {"latitude": 0}),
        ([["95", "1"], ["96", "2"]], {"latitude": 0, "longitude": 1}),
        ([["a", "b"], ["c", "d"]], {"value": 0}),
    ],
)
def test_what_cannot_be_drawn_is_not(rows: list[list[str]], columns: dict[str, int]) -> None:
    assert draw_rows(rows, columns) is None


def test_rows_at_one_place_and_across_the_date_line() -> None:
    still = draw_rows([["1.5", "2.5"]] * 3, {"latitude": 0, "longitude": 1})
    assert still is not None and still["line"] == [[50, 50]] * 3 and still["scale"] is None
    across = draw_rows([["-17", "179.9"], ["-17", "-179.9"]], {"latitude": 0, "longitude": 1})
    assert across is not None and across["line"][0][0] == 0 and across["scale"][1] == "10 km"


def test_the_rows_of_a_preview_are_drawn_again_with_chosen_columns_only() -> None:
    shown = preview("\n".join(["2024-05-04T06:00Z;48.2;11.5", "2024-05-04T06:05Z;48.3;11.6", ""]).encode())
    assert shown is not None and shown["drawn"]["here"] == [12, 48]
    swapped = drawn_again(shown, {"latitude": 2, "longitude": 1}, headings=False)
    assert swapped is not None and swapped["here"] == [48, 12]
    assert drawn_again(shown, {"latitude": 1, "longitude": 2}, headings=True) is None  # one row is left
    for columns in (None, [1], {"latitude": 9}, {"latitude": "1"}, {"latitude": True}, {"latitude": -1}):
        assert drawn_again(shown, columns, headings=False) is None
