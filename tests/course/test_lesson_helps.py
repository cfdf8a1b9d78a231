"""What the texts of lessons tell a student before a question asks for it: computed again, and in its place."""

from __future__ import annotations

import json
import re
from math import exp, log, sqrt

import numpy as np
import pytest

from lmdk_widgets.anonymity import CITY, example_table, generalise, k_anonymity
from lmdk_widgets.course import LESSONS, adversary, places, questions, states
from lmdk_widgets.course.tracking import (
    THREE_BUDGET,
    commuters_adversary,
    most_at_second,
    three_places,
    tuesdays_errors,
)
from lmdk_widgets.inference import expected_error
from lmdk_widgets.leakage import LossFunction, backward_loss, plan_budgets, temporal_loss
from lmdk_widgets.leakage.markov import reverse, stationary
from lmdk_widgets.noise import laplace
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.pages.table.table import PARTS_OF_PARIS
from lmdk_widgets.pufferfish import group_privacy
from tests.course.test_lesson_texts import says
from tests.server import ROOT

A, C = [[0.8, 0.2], [0, 1]], [[0.8, 0.2], [0.2, 0.8]]
"""Two tables of the lesson on correlation."""


def sources(lesson: str) -> list[str]:
    """The cells of a lesson, text and code, in order."""
    cells = json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells]


@pytest.mark.parametrize(
    ("lesson", "told", "asked"),
    [
        ("tables", "Le Marais and the Latin Quarter are in its centre", "tables/matching"),
        ("noise", "is **ε-differentially private** if", "noise/not-private"),
        ("correlation", "Under C, for example", "correlation/step"),
        ("correlation", "s = L(s) + ε", "correlation/forever"),
        ("places", "A level of 1 within 600 m", "places/promise"),
        ("places", "the best guess without any report", "places/levels"),
        ("states", "strictly inside, including", "states/score"),
        ("states", "One quilt is always left", "states/stuck"),
        ("states", "Five ways are compared", "states/baselines"),
        ("adversary", "The prior is their long run", "adversary/second"),
        ("adversary", "Without any release, knowing his habits leaves the adversary", "adversary/epsilons"),
        ("adversary", "their loss function gives", "adversary/most"),
    ],
)
def test_it_is_told_before_it_is_asked(lesson: str, told: str, asked: str) -> None:
    cells = sources(lesson)
    (text,) = [k for k, cell in enumerate(cells) if told in cell]
    (question,) = [k for k, cell in enumerate(cells) if f'Question("{asked}"' in cell]
    assert text < question


def test_every_lesson_has_a_title_for_its_tab_and_none_asks_for_what_a_page_has_not() -> None:
    for name in LESSONS:
        notebook = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
        assert notebook["metadata"].get("title"), name
        assert "below if you have one" not in "".join(sources(name))


def test_the_parts_of_paris_and_the_bands_of_ages() -> None:
    parts = {part: [name for name, of in PARTS_OF_PARIS.items() if of == part] for part in PARTS_OF_PARIS.values()}
    assert parts == {
        "north of Paris": ["Montmartre", "Belleville", "Opéra"],
        "centre of Paris": ["Le Marais", "Latin Quarter"],
    }
    table = generalise(example_table("t1").query("name != 'Quackmore'"), "location", hierarchy=CITY)
    k = {width: k_anonymity(generalise(table, "age", bands=width), ["age", "location"]) for width in (5, 10, 20)}
    assert k == {5: 1, 10: 1, 20: 2}
    assert list(generalise(table, "age", bands=20)["age"].unique()) == ["(20, 40]", "(0, 20]"], "the first begins at 1"


def test_the_noise_has_the_deviation_that_is_told() -> None:
    drawn = laplace(np.zeros(200_000), 0.5, np.random.default_rng(1))  # of the scale b = 0.5
    assert drawn.std() == pytest.approx(sqrt(2) * 0.5, rel=0.01)
    says("noise", "standard deviation √2 b")


def test_numbers_that_help_with_losses() -> None:
    one_way, sticky = (LossFunction(matrix) for matrix in (A, C))
    up = exp(0.1) - 1
    assert (round(1 + 0.8 * up, 4), round(1 + 0.2 * up, 4)) == (1.0841, 1.0210)
    assert round(sticky(0.1), 3) == round(log(1.0841 / 1.0210), 3) == 0.060
    says("correlation", "L(0.1) = log(1.0841 / 1.0210) = 0.060")
    *others, last = (f"{loss:.4f}" for loss in backward_loss(A, [0.1] * 10))
    says("correlation", f"{', '.join(others)} and {last}.")
    bound = one_way.supremum(0.1)
    assert one_way(bound) + 0.1 == pytest.approx(bound)
    budgets = plan_budgets(A, A, 1.0, n=10)
    held = temporal_loss(A, A, budgets)
    assert held.backward[:-1] == pytest.approx(held.backward[0]) and held.forward[1:] == pytest.approx(held.forward[-1])
    assert held.backward[0] + one_way(held.backward[0]) == pytest.approx(1.0)


def test_numbers_that_help_with_places_and_quilts() -> None:
    says("places", f"There, the best guess without any report is {metres(places.cells(places.SMALL).blind_m)} off.")
    for width in states.WIDTHS:
        assert states.influence(width) == pytest.approx(
            2 * states.past_influence()[width - 1] if width <= 12 else 0, abs=2e-3
        )
    assert group_privacy(100, 0.5).scale == 200, "the quilt of no timestamp"
    scene = places.week_scene()
    assert scene.dots is not None
    inside = scene.dots - [scene.west, scene.south], [scene.east, scene.north] - scene.dots
    assert min(float(side.min()) for side in inside) >= 300, "no dot at the rim"


def test_numbers_that_help_against_the_adversary() -> None:
    street, released = three_places()
    assert street.prior == pytest.approx([2 / 7, 3 / 7, 2 / 7]) == stationary(street.transitions)
    assert reverse(street.transitions) == pytest.approx(street.transitions), "the same towards past and future"
    left = LossFunction(street.transitions)
    first = left(THREE_BUDGET)
    then = left(first + THREE_BUDGET)
    says("adversary", f"L(0.5) = {first:.3f} and L({first + THREE_BUDGET:.3f}) = {then:.3f}")
    assert 2 * THREE_BUDGET + first + then - THREE_BUDGET == pytest.approx(most_at_second()[1]), "by hand as computed"
    belief = street.believes(released)
    sure = [expected_error(getattr(belief, view), street.distances_m).mean() for view in ("alone", "smoothed")]
    assert sure[0] < sure[1], "all releases leave her less sure here"
    away = tuesdays_errors("habits", adversary.BUDGETS[0])["no release"]
    says("adversary", f"Without any release, knowing his habits leaves the adversary {metres(away)} off")
    assert len(commuters_adversary("habits").prior) == 49


KNOWN = {
    "what a chance is": r"chance",
    "probability": r"probabilit|chance",
    "odds": r"odds",
    "logarithms": r"\blog\b|\bln\b|logarithm",
    "expected values": r"expected|on average",
}
"""What a student may bring along, and the words by which a lesson uses it."""


def told(lesson: str) -> str:
    """All that a lesson says but its prerequisites: its text and its questions."""
    asked = (" ".join([str(ask.asked()["text"]), *ask.asked().get("choices", ())]) for ask in questions(lesson))
    text = "\n\n".join(sources(lesson))
    return re.sub(r"\s+", " ", re.sub(r"\*\*You need:\*\*.*?\n\n", "", text, flags=re.S) + " ".join(asked)).lower()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_uses_what_it_needs_and_the_lesson_that_it_names_teaches_it(lesson: str) -> None:
    needs = LESSONS[lesson].needs
    taught = re.findall(r"`(\w+)` \(([^)]+)\)", needs)
    assert {name for name, _ in taught} == set(re.findall(r"`(\w+)`", needs)), "what of a lesson is needed"
    for name, terms in taught:
        for term in re.split(r", | and ", terms):
            word = term.removeprefix("the ").removesuffix("s").lower()
            assert word in told(lesson) and word in told(name), (lesson, name, term)
    others = re.sub(r"`\w+` \([^)]+\)|easier after|for section \d,?", "", needs)
    for brought in (part.strip() for part in re.split(r"[;,]", others)):
        assert not brought or re.search(KNOWN[brought], told(lesson)), (lesson, brought)
