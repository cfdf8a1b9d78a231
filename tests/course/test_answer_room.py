"""Room for an answer on paper: it is made from what a browser is told, and what is drawn in it lies where it should."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.answer_room import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, powers_of, room, ticks_of
from lmdk_widgets.course.ask import Ask, Order

ALL = [ask for lesson in LESSONS for ask in questions(lesson)]


@pytest.mark.parametrize("ask", ALL, ids=lambda ask: ask.name)
def test_the_room_is_that_of_the_question(ask: Ask) -> None:
    asked = ask.asked()
    empty = room(asked)
    assert 'class="keyed"' not in empty
    assert "<svg" in empty or ask.kind in ("choose", "order", "number")
    for said in (*asked.get("choices", ()), *asked.get("items", ()), *asked.get("ends", ())):
        assert said.replace("'", "&#x27;").replace('"', "&quot;").replace("<", "&lt;") in empty, said
    marked = room(asked, ask.right_answer())
    assert marked != empty
    if isinstance(ask, Order):
        order = [int(place) for place in re.findall(r"<b>(\d+)</b>", marked)]
        assert [order.index(place + 1) for place in range(len(order))] == ask.right_answer()


@pytest.mark.parametrize("ask", [ask for ask in ALL if ask.kind == "curve"], ids=lambda ask: ask.name)
def test_a_curve_is_drawn_where_its_heights_are(ask: Ask) -> None:
    """By the shares of the axes, written out; a right curve lies within them."""
    asked, heights = ask.asked(), ask.right_answer()
    (path,) = re.findall(r'class="keyed" d="M([^"]*)"', room(asked, heights))
    points = [tuple(map(float, point.split())) for point in path.split("L")]
    assert len(points) == len(heights)
    for (x, y), height in zip(points, heights, strict=True):
        assert LEFT < x < WIDTH - RIGHT and TOP - 0.1 <= y <= HEIGHT - BOTTOM + 0.1
        share = (HEIGHT - BOTTOM - y) / (HEIGHT - BOTTOM - TOP)
        low, high = asked["low"], asked["high"]
        value = low * (high / low) ** share if asked["log"] else low + share * (high - low)
        assert value == pytest.approx(
            min(max(height, low), high), rel=0.01, abs=0.003 * (high - low) * (not asked["log"])
        )


def test_round_values_on_an_axis() -> None:
    for low, high, most in ((0, 1, 6), (0, 24, 10), (0.02, 0.2, 6), (0, 1450, 6), (-3, 8, 5)):
        ticks = ticks_of(low, high, most)
        steps = {round(b - a, 12) for a, b in pairwise(ticks)}
        assert len(steps) == 1 and low <= min(ticks) and max(ticks) <= high and 2 <= len(ticks) <= most + 1
        step = steps.pop()
        assert step / 10 ** math.floor(math.log10(step) + 1e-9) == pytest.approx(1, abs=1e-9) or f"{step:e}"[0] in "25"
    assert powers_of(0.1, 1e5, 6) == [0.1, 1, 10, 100, 1000, 10000, 100000]
    assert powers_of(1, 100, 8) == [1, 2, 5, 10, 20, 50, 100]


def test_a_place_is_marked_where_it_is() -> None:
    asked = {"kind": "point", "edges": [0, 0, 640, 320], "dots": [[10, 20]], "line": [], "places": [[600, 300, "Gare"]]}
    drawn = room(asked, [320, 160])
    assert 'class="keyed" d="M311.0 151.0l18 18m0 -18l-18 18"' in drawn and 'cx="10.0" cy="300.0"' in drawn
    assert 'text-anchor="end">Gare' in drawn.replace(" >", ">"), "a name at the right edge is written to the left"
