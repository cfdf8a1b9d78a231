"""What helps about a zone, with its price, on numbers that are made up; and many draws of what is drawn."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from lmdk_widgets.practice.chosen_practice import Practice
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.practice.what_helps import Helps, best_of, costs, next_step

NOW = Practised(Practice("zone", 400.0), "your home", None, None, 6.0, None, reader_m=40.0, left_out=0.1)
MOVED = replace(
    NOW, practice=Practice("zone", 400.0, 300.0), found_m=210.0, draws=(*[90.0] * 4, *[210.0] * 37), reader_m=50.0
)


def test_a_zone_hides_only_if_it_does_in_nine_of_ten_draws() -> None:
    assert not MOVED.hides(200.0) and MOVED.range_m == (90.0, 210.0)
    assert MOVED.sentence(200.0) == (
        "A zone of 400 m with its centre moved by up to 300 m does not always hide your home: found to within 210 m in "
        "half of 41 draws, in nine of ten from 90 m to 210 m."
    )
    rare = replace(MOVED, draws=(*[90.0] * 2, *[210.0] * 39))
    assert rare.hides(200.0) and rare.sentence(200.0).endswith("by the attack computed here.")
    never = replace(MOVED, draws=(*[90.0] * 20, *[math.inf] * 21), found_m=math.inf)
    assert never.within(200.0) == "nothing" and "to not found" in never.of_draws(200.0)


@pytest.mark.parametrize(
    ("found_m", "said"),
    [
        (3.0, "20 m or less"),
        (20.0, "20 m or less"),
        (23.4, "23 m"),
        (197.2, "197 m"),
        (203.0, "200 m"),
        (1_234.0, "1.2 km"),
    ],
)
def test_the_floor_is_said_in_the_same_words(found_m: float, said: str) -> None:
    one = replace(NOW, found_m=found_m)
    assert one.within(200.0) == said == one.near(200.0) and one.shown_m == max(found_m, 20.0)
    assert f"to within {said}" in one.sentence(200.0)


def test_what_helps_most_is_named_with_all_that_it_makes_worse() -> None:
    wide, moved = Helps("a radius of 800 m", replace(NOW, found_m=7.0)), Helps("the centre moved", MOVED)
    assert best_of(NOW, (wide, moved)) is moved and best_of(NOW, (wide,)) is None
    assert next_step(NOW, (wide, moved), 200.0) == (
        "No change that was tried hides your home well. Best is the centre moved: found to within 210 m in half of 41 draws, "
        "in nine of ten from 90 m to 210 m. What gets worse: a reader is off by 50 m instead of 40 m."
    )
    enough = Helps("rounding", replace(NOW, found_m=900.0, reader_m=400.0, left_out=0.3))
    assert next_step(NOW, (moved, enough), 200.0) == (
        "What helps most of what was tried: rounding. Then your home is found to within 900 m. What gets worse: a reader is "
        "off by 400 m instead of 40 m and 30 % of the points are left out instead of 10 %."
    )
    assert next_step(NOW, (wide,), 200.0) == "None of the changes that were tried takes the guess much farther off."
    assert next_step(replace(NOW, found_m=300.0), (wide, moved), 200.0) == ""


def test_what_is_not_worse_is_no_cost() -> None:
    assert costs(NOW, replace(NOW, found_m=900.0)) == [] == costs(NOW, replace(NOW, reader_m=30.0, left_out=0.05))
    free = Helps("luck", replace(NOW, found_m=900.0))
    assert next_step(NOW, (free,), 200.0).endswith("Nothing computed here gets worse.")
