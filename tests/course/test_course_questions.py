"""Questions: what is right, what is wrong and why, what is just right, and what is no answer at all."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Ask, Choice, Choose, Curve, Item, Number, Order, Point, Scene, Trap
from lmdk_widgets.errors import InputError

CHOOSE = Choose(
    name="test/choose",
    text="Which is largest?",
    choices=tuple(Choice(str(k), f"It is {k}.") for k in range(5)),
    right=lambda: 4,
)
ORDER = Order(
    name="test/order",
    text="From small to large.",
    items=tuple(Item(name, f"{name} is {key}.") for name, key in (("d", 4), ("b", 2), ("a", 1), ("B", 2))),
    ends=("small", "large"),
    keys=lambda: (4, 2, 1, 2 + 1e-15),
    why="They go up.",
)
NUMBER = Number(
    name="test/number",
    text="Two?",
    right=lambda: 2.0,
    low=0.0,
    high=1e6,
    tolerance=0.1,
    traps=(Trap(lambda: 4.0, "is its square. Do not square it."), Trap(lambda: 4.3, "is another.")),
    why="One and one.",
)
CHANCE = Number(name="test/chance", text="?", right=lambda: 0.5, low=0, high=1, scale="difference", tolerance=0.02)
POINT = Point(
    name="test/point",
    text="Where?",
    scene=lambda: Scene(0.0, 0.0, 1000.0, 500.0, dots=[[1.23456, 2.0]], places=((1.0, 2.0, "x"),)),
    right=lambda: [[100.0, 100.0], [900.0, 400.0]],
    tolerance_m=50.0,
    why="There.",
)
CURVE = Curve(
    name="test/curve",
    text="Draw.",
    x=(1, 2, 3, 4, 5),
    labels=lambda: ("a", "b", "c", "d", "e"),
    right=lambda: np.array([1.0, 2.0, 3.0, 2.0, 1.0]),
    low=0.0,
    high=4.0,
    x_title="x",
    y_title="y",
    tolerance=0.2,
    why="So it is.",
)
LOG = replace(
    CURVE, name="test/log", right=lambda: 1000.0 / np.arange(1, 6), low=1.0, high=1e4, log=True, tolerance=0.5
)
KINDS: list[Ask] = [CHOOSE, ORDER, NUMBER, CHANCE, POINT, CURVE, LOG]
ALL = [ask for lesson in LESSONS for ask in questions(lesson)]


def names(ask: Ask) -> str:
    return ask.name


def refuse_to_say() -> Any:
    raise AssertionError("the right answer was asked for")


@pytest.mark.parametrize("ask", [*KINDS, *ALL], ids=names)
def test_what_a_browser_is_told_is_json_and_knows_no_right_answer(ask: Ask) -> None:
    told = ask.asked()
    assert json.loads(json.dumps(told, allow_nan=False)) == told == ask.asked()
    secret = {"keys" if isinstance(ask, Order) else "right": refuse_to_say}
    assert replace(ask, **secret).asked() == told


def test_the_stamp_follows_the_question_and_not_its_name() -> None:
    assert replace(CHOOSE, text="Which?").asked()["stamp"] != CHOOSE.asked()["stamp"]
    assert replace(NUMBER, right=lambda: 3.0).asked()["stamp"] == NUMBER.asked()["stamp"]
    for wrong in ("", "x", "a/b/c", "A/b", "a/b c", 3):
        with pytest.raises((InputError, TypeError)):
            replace(CHOOSE, name=wrong)


def test_each_choice_has_its_own_sentence() -> None:
    told = CHOOSE.asked()["choices"]
    assert sorted(told) == list("01234")
    for k, text in enumerate(told):
        verdict = CHOOSE.judge(k)
        assert verdict.right == (text == "4") and verdict.closeness is None
        assert verdict.words == ("Right." if text == "4" else "No.") + f" It is {text}."
        assert told[verdict.answer] == "4"


@pytest.mark.parametrize("seed", range(20))
def test_the_place_of_a_choice_says_nothing(seed: int) -> None:
    """Over many questions the right one, always written first, stands at every place."""
    firsts = set()
    for k in range(60):
        ask = replace(CHOOSE, name=f"test/choose-{seed}-{k}", right=lambda: 0)
        firsts.add(ask.asked()["choices"].index("0"))
    assert firsts == set(range(5))


def order_of(*texts: str) -> list[int]:
    return [ORDER.asked()["items"].index(text) for text in texts]


def test_an_order_is_right_either_way_where_two_are_equal() -> None:
    for good in (("a", "b", "B", "d"), ("a", "B", "b", "d")):
        verdict = ORDER.judge(order_of(*good))
        assert verdict.right and verdict.closeness == 1 and verdict.words == "Right. They go up."
    items = ORDER.asked()["items"]
    assert [items[k] for k in verdict.answer] in (["a", "b", "B", "d"], ["a", "B", "b", "d"])


def test_a_wrong_order_names_the_first_wrong_pair() -> None:
    verdict = ORDER.judge(order_of("a", "d", "b", "B"))
    assert not verdict.right and verdict.words == "Not yet: you put “d” before “b”. d is 4. b is 2."
    assert verdict.closeness == pytest.approx(4 / 6)
    assert ORDER.judge(order_of("d", "B", "b", "a")).closeness == pytest.approx(1 / 6)


TOLD = "The right answer is 2. One and one."


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        (2.0, True, "Right: it is 2. One and one."),
        (2.001, True, "Right: it is 2. One and one."),
        (2.1, True, "Right: it is 2, and yours is 5 % too high. One and one."),
        (2.1999, True, "Right: it is 2, and yours is 10 % too high. One and one."),
        (2.2001, False, "Close. 2.2001 is a little too high."),
        (2 / 1.0999, True, "Right: it is 2, and yours is 9.1 % too low. One and one."),
        (2 / 1.1001, False, "Close. 1.81802 is a little too low."),
        (4.0, False, "No. 4 is its square. Do not square it."),
        (4.02, False, "No. 4.02 is its square. Do not square it."),
        (4.1, False, "No. 4.1 is nearly 4, which is its square. Do not square it."),
        (4.2, False, "No. 4.2 is nearly 4.30, which is another."),
        (5, False, "No. 5 is too high."),
        (0.5, False, "No. 0.5 is too low."),
        (0, False, "No. 0 is too low."),
        (1000000, False, "No. 1,000,000 is too high."),
    ],
)
def test_numbers_by_their_ratio(given: float, right: bool, words: str) -> None:
    verdict = NUMBER.judge(given)
    assert (verdict.right, verdict.words, verdict.answer) == (right, words, 2.0)
    assert verdict.solution == ("" if right else TOLD)
    assert verdict.in_full == (words if right else f"{words} {TOLD}")
    assert (verdict.closeness >= 0.5) == right


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        (0.5, True, "Right: it is 0.50."),
        (0.5199, True, "Right: it is 0.50, and yours is 0.02 too high."),
        (0.47, False, "Close. 0.47 is a little too low."),
        (0, False, "No. 0 is too low."),
        (1, False, "No. 1 is too high."),
    ],
)
def test_probabilities_by_their_difference(given: float, right: bool, words: str) -> None:
    verdict = CHANCE.judge(given)
    assert (verdict.right, verdict.words) == (right, words)
    assert verdict.solution == ("" if right else "The right answer is 0.50.")


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        ([900.0, 400], True, "Right: your point is 0 m off. There."),
        ([149.9, 100], True, "Right: your point is 49.9 m off. There."),
        ([150.1, 100], False, "Close: it is 50.1 m west of your point. There."),
        ([100, 0], False, "Close: it is 100 m north of your point. There."),
        ([900, 0], False, "No: it is 400 m north of your point. There."),
        ([400, 400], False, "No: it is 424 m south-west of your point. There."),
    ],
)
def test_places_by_their_distance_to_the_nearest(given: list[float], right: bool, words: str) -> None:
    verdict = POINT.judge(given)
    assert verdict.right == right and verdict.answer == [[100.0, 100.0], [900.0, 400.0]]
    assert verdict.words == words.replace("49.9", "50").replace("50.1", "50")
    assert (verdict.closeness >= 0.5) == right
    assert POINT.asked()["dots"] == [[1.2, 2.0]]


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        ([1, 2, 3, 2, 1], True, "it rises to a peak at c and falls. Your curve is exactly the computed one."),
        (
            [1, 2, 3.04, 2, 1],
            True,
            "and falls. Your curve differs from the computed one by 0.44 % on average. So it is.",
        ),
        ([0.9, 1.8, 2.7, 1.8, 0.9], True, "on average 10 % too low, and furthest off at c: 2.70 instead of 3."),
        (
            [1.1, 2.2, 2.7, 2.2, 1.1],
            True,
            "10 % off, too low at some places and too high at others, and furthest off at c",
        ),
        (
            [0.7, 1.4, 2.3, 1.4, 0.7],
            False,
            "The shape is right: it rises to a peak at c and falls. Your curve is on average 28 %",
        ),
        ([1, 2, 2, 3, 1], False, "Your curve is on average"),
        (
            [1, 2, 3, 3.5, 4],
            False,
            "Not the right shape: your curve rises; the computed one rises to a peak at c and falls.",
        ),
        ([4, 3, 2, 1, 0], False, "Not the right shape: your curve falls; "),
        ([2, 2.05, 2, 1.95, 2], False, "Not the right shape: your curve is flat; "),
        ([4, 2, 1, 2, 4], False, "Not the right shape: your curve falls to its lowest at c and rises; "),
        ([0, 3, 1, 3, 0], False, "Not the right shape: your curve goes up and down; "),
    ],
)
def test_curves_by_their_distance_and_their_shape(given: list[float], right: bool, words: str) -> None:
    verdict = CURVE.judge(given)
    assert verdict.right == right and words in verdict.words, verdict.words
    assert verdict.words.endswith(" So it is.") and verdict.answer == [1, 2, 3, 2, 1]
    assert (verdict.closeness >= 0.5) == right


def test_a_curve_that_goes_up_and_down_elsewhere_has_not_the_shape() -> None:
    waves = replace(CURVE, right=lambda: [1.0, 3.0, 1.0, 3.0, 1.0])
    verdict = waves.judge([3, 1, 3, 1, 3])
    assert verdict.words.startswith(
        "Not the right shape: your curve goes up and down elsewhere; the computed one goes up and down."
    )
    assert waves.judge([1.2, 2.8, 1.2, 2.8, 1.2]).right
    assert not replace(waves, tolerance=9.0).judge([3, 1, 3, 1, 3]).right, "however near on average"


def test_a_peak_may_be_beside_the_other() -> None:
    assert CURVE.judge([1, 2, 2.6, 2.7, 1]).words.startswith("Right: it rises to a peak at c and falls.")
    words = CURVE.judge([1, 1.2, 1.4, 2, 3.5]).words
    assert words.startswith("Not the right shape: your curve rises")
    early = CURVE.judge([3, 3.5, 2.5, 1.5, 0.5]).words
    assert early.startswith("Not the right shape: your curve falls")
    wide = replace(CURVE, x=tuple(range(17)), labels=None, right=lambda: [*range(9), *range(7, -1, -1)], high=10.0)
    for peak, right in ((8, True), (10, True), (6, True), (11, False), (5, False)):
        drawn = [8 * min(k / peak, (16 - k) / (16 - peak)) for k in range(17)]
        assert wide.judge(drawn).words.startswith("Not the right shape") is not right, peak


def test_a_logarithmic_curve_is_judged_by_ratios() -> None:
    right = 1000.0 / np.arange(1, 6)
    tenth = LOG.judge((right / 10).tolist())
    assert (
        not tenth.right
        and "The shape is right: it falls. Your curve is on average too low by a factor of 10," in tenth.words
    )
    assert LOG.judge((right * 1.49).tolist()).right and not LOG.judge((right * 1.51).tolist()).right
    mixed = right * np.array([2, 0.5, 2, 0.5, 1])
    assert "on average 74 % off, too low at some" in LOG.judge(mixed.tolist()).words  # 2^(4/5)
    wild = right * np.array([9, 1 / 9, 9, 1 / 9, 1])
    assert "on average off by a factor of 5.8, too low at some" in LOG.judge(wild.tolist()).words  # 9^(4/5)
    assert LOG.judge((right[::-1]).tolist()).words.startswith("Not the right shape: your curve rises")


HOSTILE = [
    None,
    True,
    "2",
    "x" * 10_000,
    b"2",
    float("nan"),
    math.inf,
    -math.inf,
    10**400,
    -1,
    {},
    {"a": 1},
    [],
    [[]],
    [1],
    1j,
]
LISTS = [
    ["a"] * 5,
    [float("nan")] * 5,
    [None] * 5,
    [1e9] * 5,
    [-1] * 5,
    [True] * 5,
    [[1]] * 5,
    [1] * 100_000,
    {"length": 5},
]


@pytest.mark.parametrize("ask", [*KINDS, *ALL], ids=names)
def test_what_is_no_answer_gets_a_sentence(ask: Ask) -> None:
    for given in [*HOSTILE, *LISTS]:
        if isinstance(ask, Curve) and given == [1] * len(ask.x):
            continue
        with pytest.raises(InputError) as caught:
            ask.judge(given)
        assert str(caught.value).startswith("Your answer ") and len(str(caught.value)) < 250, repr(given)[:50]


@pytest.mark.parametrize(
    "given", [[0, 0, 1, 2], [0, 1, 2, 4], [0, 1, 2, 2.0], [0, 1, 2], [0, 1, 2, -1], [0, 1, 2, True]]
)
def test_an_order_names_every_place_once(given: list) -> None:
    with pytest.raises(InputError):
        ORDER.judge(given)


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize("ask", ALL, ids=names)
def test_every_question_of_the_course_can_be_answered_right(ask: Ask) -> None:
    assert ask.name == question(ask.name).name
    given: Any = {"choose": 0, "order": list(range(len(getattr(ask, "items", ())))), "number": getattr(ask, "low", 0)}
    first = ask.judge(given.get(ask.kind) if ask.kind in given else _any(ask))
    answer = first.answer[0] if ask.kind == "point" else first.answer
    right = ask.judge(answer)
    assert ask.right_answer() == answer, "what a lesson that is shown whole gives"
    assert right.right and right.words.startswith("Right") and json.dumps(right.to_dict(), allow_nan=False)
    assert ask.kind == "choose" or right.closeness > 0.99


def _any(ask: Ask) -> Any:
    told = ask.asked()
    return told["edges"][:2] if ask.kind == "point" else [told["low"]] * len(told["x"])


@pytest.mark.parametrize("ask", [ask for ask in ALL if isinstance(ask, Choose)], ids=names)
def test_every_wrong_choice_says_why(ask: Choose) -> None:
    verdicts = [ask.judge(k) for k in range(len(ask.choices))]
    assert sum(verdict.right for verdict in verdicts) == 1
    assert len({verdict.words for verdict in verdicts}) == len(verdicts) and min(len(v.words) for v in verdicts) > 15


@pytest.mark.parametrize("ask", [ask for ask in ALL if isinstance(ask, Order)], ids=names)
def test_no_order_is_right_before_anything_was_moved(ask: Order) -> None:
    assert not ask.judge(list(range(len(ask.items)))).right


TRAPS = [(ask, k) for ask in ALL if isinstance(ask, Number) for k in range(len(ask.traps))]

VERBS = ("is", "was", "would", "comes", "counts", "adds", "shares")
"""The verbs with which the text of a known mistake begins: the number before it is the subject."""


def test_the_known_mistakes_are_as_many_as_were_read() -> None:
    assert len(TRAPS) == 105


@pytest.mark.parametrize(("ask", "k"), TRAPS, ids=[f"{ask.name}-{k}" for ask, k in TRAPS])
def test_a_known_mistake_is_said_of_the_number_that_was_given(ask: Number, k: int) -> None:
    """Of 0.5: "0.5 is the first coin alone.", and never "It is 0.75. That is the first coin alone."."""
    value = float(f"{float(ask.traps[k].value()):.4g}")  # as a student types it
    verdict = ask.judge(value)
    assert not verdict.right
    how, sentence = verdict.words.split(" ", 1)
    assert how in ("No.", "Close.")
    typed, verb, *_ = sentence.split()
    assert float(typed.replace(",", "")) == value and verb in VERBS, verdict.words
    texts = verdict.words.split(". ")
    assert verdict.words.endswith(".") and all(text[0].isupper() or text[0].isdigit() for text in texts)


@pytest.mark.parametrize(("ask", "k"), TRAPS, ids=[f"{ask.name}-{k}" for ask, k in TRAPS])
def test_the_right_number_is_told_after_the_mistake_and_apart_from_it(ask: Number, k: int) -> None:
    verdict = ask.judge(ask.traps[k].value())
    right = ask.written(verdict.answer)
    number = rf"(?<![\d.]){re.escape(right.rstrip('0').rstrip('.') if '.' in right else right)}(\.?0+)?(?![\d.]*\d)"
    assert not re.search(number, verdict.words), verdict.words
    assert verdict.solution.startswith(f"The right answer is {right}")
    assert verdict.words not in verdict.solution and len(verdict.solution.split()) > 6
    near = float(ask.traps[k].value()) * 1.015
    if ask.scale == "ratio" and ask.tolerance >= 0.02 and near <= ask.high:
        assert " is nearly " in ask.judge(near).words and ", which " in ask.judge(near).words


@pytest.mark.parametrize("ask", [ask for ask in ALL if isinstance(ask, Curve)], ids=names)
def test_every_computed_curve_fits_its_axes(ask: Curve) -> None:
    right = np.asarray(ask.right(), float)
    assert len(right) == len(ask.x) == len(ask.asked()["labels"]) and (np.diff(ask.x) > 0).all()
    assert right.min() >= ask.low and right.max() <= ask.high


def test_lessons_and_questions_have_names() -> None:
    assert len({ask.name for ask in ALL}) == len(ALL)
    assert all(ask.name.partition("/")[0] == lesson for lesson in LESSONS for ask in questions(lesson))
    for wrong in ("nothing/x", "moments/nothing", "moments", None, 3):
        with pytest.raises(InputError):
            question(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        questions("../moments")
