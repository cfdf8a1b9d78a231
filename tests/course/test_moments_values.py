"""The lesson on eight moments: its numbers by hand, its Theorem by enumeration, its solutions by running them."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.budgets import allocate, landmark_totals
from lmdk_widgets.course import LESSONS, moments, question, questions
from lmdk_widgets.course.figures import bob_figure

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "moments.ipynb"
CELLS = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
LANDMARKS = (0, 2, 4, 7)


def right(name: str) -> float:
    ask = question(f"moments/{name}")
    return ask.judge(ask.asked().get("low", 0)).answer


def test_numbers_are_those_by_hand() -> None:
    assert right("share") == pytest.approx(1 / 5)
    assert right("overspent") == pytest.approx(1.2)
    assert right("belief") == pytest.approx(0.7310585786300049)
    sums = question("moments/sums").judge([0.0] * 8).answer
    assert sums == pytest.approx([0.8, 1, 0.8, 1, 0.8, 1, 1, 0.8])
    assert moments.errors_by_landmarks() == pytest.approx([0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2, 3.2])
    assert moments.errors_by_epsilon() == pytest.approx([2000 / epsilon for epsilon in moments.EPSILONS])
    assert [moments.error(scheme) for scheme in moments.SCHEMES] == pytest.approx([400, 1200, 2000, 3200])


def test_the_right_choices_are_those_by_hand() -> None:
    for name, text in (("neighbours", "p2 and p6 are elsewhere"), ("broken", "1 for every timestamp")):
        ask = question(f"moments/{name}")
        assert ask.asked()["choices"][ask.judge(0).answer] == text
    levels = question("moments/levels")
    items = levels.asked()["items"]
    order = [items[k] for k in levels.judge([0, 1, 2, 3]).answer]
    assert order == ["Event level", "w-event with w = 3", "Uniform (landmark)", "User level"]


def test_levels_by_the_definition_of_their_neighbours() -> None:
    for size in range(9):
        for changed in combinations(range(8), size):
            others = [t for t in changed if t not in LANDMARKS]
            assert moments.neighbouring("event", changed) == (size <= 1)
            assert moments.neighbouring("user", changed)
            assert moments.neighbouring("landmark", changed) == (len(others) <= 1)


def test_the_theorem_by_enumeration() -> None:
    """Yes/no answers, each truthful with odds e^eps_t to 1: the worst ratio of two neighbours is the largest of the sums."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        n, landmarks = 5, (0, 3)
        eps = rng.uniform(0.05, 1, n)
        keep = np.exp(eps) / (1 + np.exp(eps))
        series = np.array(list(product((0, 1), repeat=n)))
        chance = np.where(series[:, None] == series[None], keep, 1 - keep).prod(axis=2)  # of a release, for each series
        worst = 0.0
        for a, b in product(range(len(series)), repeat=2):
            changed = np.flatnonzero(series[a] != series[b])
            if len(set(changed) - set(landmarks)) <= 1:
                worst = max(worst, float(np.log(chance[a] / chance[b]).max()))
        assert worst == pytest.approx(landmark_totals(eps, landmarks).max())


def test_home_is_in_the_middle_of_the_empty_disc_and_not_of_the_map() -> None:
    scene, home = moments.silent_year()
    dots = np.asarray(scene.dots)
    away = np.hypot(*(dots - home).T)
    assert (away < 0.6 * moments.SILENT_M).sum() <= 2 and len(dots) > 300
    middle = ((scene.west + scene.east) / 2, (scene.south + scene.north) / 2)
    assert math.dist(home, middle) > 2 * question("moments/silence").tolerance_m
    # nowhere else is there room for another disc of that size
    grid = np.stack(
        np.meshgrid(
            *(
                np.linspace(low, high, 40)
                for low, high in ((scene.west + 300, scene.east - 300), (scene.south + 300, scene.north - 300))
            )
        ),
        -1,
    )
    empty = [spot for spot in grid.reshape(-1, 2) if np.hypot(*(dots - spot).T).min() > 0.6 * moments.SILENT_M]
    assert empty and max(math.dist(spot, home) for spot in empty) < 400
    assert all(math.dist((x, y), home) > 150 for x, y, _ in scene.places), "no name says where it is"


def test_bobs_figure_shows_both_levels_and_their_sums() -> None:
    figure, summary = bob_figure()
    bars = [trace for trace in figure["data"] if trace["type"] == "bar"]
    uniform = allocate("uniform", 8, LANDMARKS, 1.0)
    assert [bar["y"] for bar in bars] == [
        pytest.approx([1 / 8] * 8),
        pytest.approx([4 / 8, 5 / 8, 4 / 8, 5 / 8, 4 / 8, 5 / 8, 5 / 8, 4 / 8]),
        pytest.approx([1 / 5] * 8),
        pytest.approx(landmark_totals(uniform, LANDMARKS)),
    ]
    assert [name.endswith("◆") for name in bars[0]["x"]] == [k in LANDMARKS for k in range(8)]
    assert "User level gives every timestamp 0.125, so the landmarks and one other spend 0.625." in summary


def test_the_lesson_asks_every_question_once_in_their_order() -> None:
    asked = [name for cell in CELLS for name in re.findall(r'Question\("(moments/[\w-]+)"', "".join(cell["source"]))]
    assert asked == [ask.name for ask in questions("moments")] and len(asked) >= 6
    assert sum(ask.kind in ("curve", "point") for ask in questions("moments")) >= 2


def test_the_text_has_what_every_lesson_has() -> None:
    text = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")
    assert text.count("<details><summary>Solution</summary>") == 3 == text.count("</details>")
    for part in ("**Time:** 30 to 45 minutes", "## Summary", "## Exercises", "## Sources", "**Afterwards you can**"):
        assert part in text, part
    goals = text.partition("**Afterwards you can**")[2].partition("\n\nAnswer")[0]
    assert [goal.strip(" ;.-") for goal in re.findall(r"^- (.*)", goals, re.M)] == list(LESSONS["moments"].goals)
    assert 'Answers("moments")' in "".join(CELLS[-1]["source"])


SOLUTIONS = [code for cell in CELLS for code in re.findall(r"```python\n(.*?)```", "".join(cell["source"]), re.S)]


@pytest.mark.parametrize("code", SOLUTIONS, ids=range(len(SOLUTIONS)))
def test_the_solutions_hold(code: str) -> None:
    assert "assert" in code
    exec(compile(code, "solution", "exec"), {})


def test_every_exercise_has_a_program_in_its_solution() -> None:
    assert len(SOLUTIONS) == 3
