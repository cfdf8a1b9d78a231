"""The answers of the lessons on tables, noise and streams, derived by hand."""

from __future__ import annotations

from math import e, exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any

import pytest

from lmdk_widgets.course import question, questions, streams
from lmdk_widgets.course.ask import Choose, Order
from lmdk_widgets.page.blocks import Chart

NORMAL = NormalDist()
COIN = 3  # odds that one answer by two coins may change

RIGHT: dict[str, Any] = {
    "tables/alone": 6,  # all six ages differ
    "tables/bands": [1, 1, 1, 1, 3, 6],  # 62 is alone until it is "above 20", with 25 and 27
    "tables/homogeneity": "Those of Donald, Daisy and Quackmore",
    "tables/mixture": [
        exp(-sum(p * log(p) for p in (k / 10, 1 - k / 10) if p)) if 0 < k < 10 else 1 for k in range(11)
    ],
    "tables/odds": 99,  # 1 to 99, and then 1 to 1
    "tables/closeness": ["6, 8 and 11", "7, 9 and 10", "3, 4 and 5"],  # 4/24, 17/72, 9/24
    "tables/matching": "Those of Donald and Louie",
    "tables/moments": "Those of Donald, Huey and Louie",  # centre and north, north and centre, centre twice
    "tables/promise": "An attacker who knows only a person's age and place finds at least three records that may be theirs",
    "noise/yes": 1 / 2 + 1 / 2 * 1 / 2,
    "noise/told": 9 / 16,  # 3 to 7 times 3
    "noise/estimate": 2 * 0.4 - 1 / 2,
    "noise/crowd": [2 * sqrt(0.4 * 0.6 / n) for n in (10, 30, 100, 300, 1000, 3000, 10_000)],
    "noise/belief": [1 / (1 + exp(-epsilon)) for epsilon in (0, 0.5, 1, 1.5, 2, 3, 4, 5)],
    "noise/not-private": "Heads, the truth; tails, always Yes",
    "noise/shape": [exp(-abs(k - 2)) / 2 for k in range(-2, 7)],
    "noise/moved": 2,
    "noise/district": e / (e + 4 * sqrt(e)),
    "noise/twice": COIN**2,
    "noise/friends": 6 / 7,  # (0.45 · 3 · 3 + 0.05 · 3) to (0.1 · 3 + 0.4), over 16
    "noise/delta": [
        NORMAL.cdf(0.5 - epsilon) - exp(epsilon) * NORMAL.cdf(-0.5 - epsilon) for epsilon in (0, 0.5, 1, 1.5, 2, 3, 4)
    ],
    "streams/all-day": 12,
    "streams/widths": [sqrt(2) * w for w in (1, 3, 6, 9, 12, 15, 18, 21, 24)],
    "streams/stay": 5 / 3,
    "streams/window": "Two hours of 0, then the saved 1, then 1/3 as always",
    "streams/halving": [1 / 4, 1 / 8, 1 / 16, 5 / 32, 9 / 64, 13 / 128, 33 / 256, 69 / 512],
    "streams/discounted": [0.2 * (1 - 0.9**t) / 0.1 for t in (1, 2, 4, 6, 8, 10, 12, 16, 20, 24)],
    "streams/age": sum(0.01 * k * 0.9 ** (10 - k) for k in range(1, 11)),
    "streams/memory": [
        "One visit; nobody ever reads the memory",
        "Two visits; the memory is read once, after both",
        "One visit between two secret readings",
    ],
    "streams/total": sqrt(24 * 2) / sqrt(2 * 2),
    "streams/root": sqrt(96 / 24),
    "streams/risk": 10,
    "streams/huey": "w-event with w = 3",
}


def test_each_question_is_here() -> None:
    assert list(RIGHT) == [ask.name for lesson in ("tables", "noise", "streams") for ask in questions(lesson)]


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_answer(name: str) -> None:
    ask, right = question(name), RIGHT[name]
    told = ask.asked()
    if isinstance(ask, Choose):
        answer = told["choices"].index(right)
        assert ask.judge(answer).right
    elif isinstance(ask, Order):
        assert ask.judge([told["items"].index(text) for text in right]).right
    else:
        verdict = ask.judge(right)
        assert verdict.right and verdict.answer == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("tables/alone", 4, "4 is how many are alone in their district."),
        ("tables/odds", 50, "50 is the factor by which the share grows."),
        ("noise/told", 0.75, "The question is the other way round"),
        ("noise/estimate", 0.15, "what is left counts twice"),
        ("noise/district", e**2 / (e**2 + 4 * e), "without the half it would cost 2 ε"),
        ("noise/district", 1 / 3, "would never name a district without anyone"),
        ("noise/twice", 6, "epsilons add up, so their factors multiply."),
        ("noise/friends", 0.75, "Dewey's answer says something about Donald as well."),
        ("streams/all-day", 0.5, "(parallel composition)"),
        ("streams/stay", 2, "two windows cover five hours"),
        ("streams/age", 0.3026431198, "counts the oldest hour in full."),
        ("streams/total", 24 * sqrt(2) / 2, "24 counts have √24 times"),
    ],
)
def test_known_mistakes_are_known(name: str, given: float, why: str) -> None:
    verdict = question(name).judge(given)
    assert not verdict.right and why in verdict.words, verdict.words


def test_what_each_wrong_choice_costs_is_said() -> None:
    costs = {
        "streams/window": ["1", "1", "0.875", "1.67"],
        "noise/not-private": [f"{log(3):.2f}", f"{log(9):.2f}", "No ε is enough", f"{log(9):.2f}"],
        "streams/huey": ["3", "0.75", "1", "0.125"],
    }
    for name, said in costs.items():
        choices = question(name).choices  # type: ignore[attr-defined]
        for choice, cost in zip(choices, said, strict=True):
            assert cost in (choice.why if isinstance(choice.why, str) else choice.why()), (name, cost)


def test_the_level_for_huey_is_the_least_noisy_that_keeps_epsilon() -> None:
    spent = {name: 3 * budgets[8] for name, budgets in streams.levels_for_huey().items()}
    assert spent == pytest.approx({"event": 3, "landmark": 3 / 4, "window": 1, "user": 1 / 8})
    assert streams.best_for_huey() == max((name for name in spent if spent[name] <= 1 + 1e-9), key=spent.__getitem__)
    assert inf not in spent.values()


def test_gaussian_noise_of_a_stream_keeps_epsilon_and_delta() -> None:
    """Hours of a person move the stream by sqrt(n): delta of a shift in deviations, by the normal distribution."""
    for hours in (1, 24, 168):
        for delta in (1e-9, 1e-3):
            shift, cdf = sqrt(hours) / streams.gaussian_deviation(hours, delta), NORMAL.cdf
            found = cdf(shift / 2 - 1 / shift) - exp(1) * cdf(-shift / 2 - 1 / shift)
            assert found == pytest.approx(delta, rel=1e-5)
        assert streams.laplace_deviation(hours) == pytest.approx(hours * sqrt(2))
    for delta in (1e-9, 1e-6, 1e-3):
        (chart,) = streams.delta_figure().draw(delta)
        assert isinstance(chart, Chart)
        plain, gaussian = chart.figure["data"]
        assert plain["y"] == pytest.approx([hours * sqrt(2) for hours in streams.LENGTHS])
        assert gaussian["y"] == pytest.approx([streams.gaussian_deviation(hours, delta) for hours in streams.LENGTHS])
