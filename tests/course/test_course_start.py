"""The first lesson by hand: every right answer, and the numbers of its figures."""

from __future__ import annotations

import re
from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import first_steps, question, questions, start
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.page.blocks import Chart, Text
from tests.server import ROOT

RIGHT: dict[str, Any] = {
    "coin": 1 / 4,
    "odds": 3 / 4,
    "noise": 2,
    "sum": [n / 4 for n in range(1, 9)],
    "neighbours": "Landmark privacy",
    "landmarks": 1 / 5,
    "nights": None,
    "distance": 2**3,
    "post": "Write 0 in its place",
    "memory": 1,
    "trust": "Each telephone adds noise before it answers",
    "choice": log(3),
    "meaning": "The odds of two neighbours change by at most a factor of 2",
    "composition": 1,
    "levels": "User level",
    "averaging": 4,
    "class": "Everybody who knows Bob's class knows his place",
    "radii": "2, 4, 16",
    "both-ways": "0.75 and 0.56",
    "processing": "To draw a smooth line through the released places",
    "people": "0.02 %",
    "whom": "The operator, who sees the truth",
}


def test_twelve_steps_and_ten_questions() -> None:
    assert [ask.name for ask in questions("start")] == [f"start/{name}" for name in RIGHT]
    assert len(start.STEPS) == 12 and len(start.TEST) == 10


@pytest.mark.parametrize("name", [name for name, right in RIGHT.items() if right is not None])
def test_the_right_answer(name: str) -> None:
    ask = question(f"start/{name}")
    assert ask.kind in ("choose", "number", "curve")
    found: Any = ask.right()  # type: ignore[attr-defined]
    if isinstance(ask, Choose):
        assert ask.choices[found].text == RIGHT[name]
    else:
        assert found == pytest.approx(RIGHT[name])


def test_an_average_of_nights_falls_with_the_square_root() -> None:
    """One report is 2 r/ε off on average; many are nearly normal, with the variance 3 (r/ε)² in either direction."""
    off = start.off_by_nights()
    assert off[0] == pytest.approx(2 * 200, rel=0.02)
    assert off[-1] == pytest.approx(sqrt(np.pi / 2) * sqrt(3) * 200 / sqrt(36), rel=0.03)
    assert start.off_by_nights(2.0) == pytest.approx(off / 2)


def test_the_count_of_two_people_in_ten_thousand() -> None:
    assert start.noisy(0.5, 100) == pytest.approx(0.02) and start.noisy(0.5, 10_000) == pytest.approx(0.0002)


def test_the_guide_gives_the_answers_of_the_test() -> None:
    rows = re.findall(
        r"^\| `start/([a-z-]+)` \(\d+\) \| (.+) \|$", (ROOT / "docs" / "teaching.md").read_text("utf-8"), re.M
    )
    assert [f"start/{name}" for name, _ in rows] == [ask.name for ask in start.TEST]
    for name, told in rows:
        assert told.partition(":")[0].partition(",")[0] == str(RIGHT[name]).partition(":")[0].partition(",")[0]


def said(figure: Any, at: int) -> str:
    """The words of a figure at a stop."""
    blocks = figure.draw(figure.stops[0].values[at])
    return " ".join(block.summary if isinstance(block, Chart) else block.text for block in blocks if _says(block))


def _says(block: Any) -> bool:
    return isinstance(block, Chart | Text)


def test_the_pictures_say_what_follows_by_hand() -> None:
    assert "add up to 2: a factor of 7.39" in said(first_steps.sums(), 1) and exp(2) == pytest.approx(7.389, abs=1e-3)
    assert "100 m apart: 2. 500 m apart: 32." in said(first_steps.distance(), 2)
    assert "probability 50 % loses up to 0.10" in said(first_steps.memory(), 0)
    assert "probability 100 % loses up to 1 " in said(first_steps.memory(), 3)
    assert "A belief of one half becomes 75 % at most." in said(first_steps.bobs_choice(), 2)
    assert "at most 74 %" in said(first_steps.odds(), 2)
    truth = exp(1) / (1 + exp(1))
    yes = 0.3 * truth + 0.7 * (1 - truth)
    local = sqrt(10_000 * yes * (1 - yes)) / (2 * truth - 1)
    assert f"it is {local:.3g} where each adds noise, else 1.41." in said(first_steps.trust(), 2)
    assert "One report is 398 m off on average" in said(first_steps.nights(), 1)


@pytest.mark.parametrize("figure", ["coin", "odds", "count_noise", "levels", "landmarks", "released"])
def test_the_other_pictures_have_one_slider_and_one_chart(figure: str) -> None:
    told = getattr(first_steps, figure)().message()
    (slider,) = told["sliders"]
    assert len(told["frames"]) == len(slider["stops"]) >= 3 and told["opens"]
    assert all([block["kind"] for block in blocks] == ["chart"] for blocks in told["frames"])
