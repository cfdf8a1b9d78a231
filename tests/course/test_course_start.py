"""The first lesson by hand: every right answer, and the numbers of its figures."""

from __future__ import annotations

import re
from math import e, exp, lgamma, log, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import k_anonymity, l_diversity
from lmdk_widgets.anonymity.examples import PEOPLE, WHERE
from lmdk_widgets.course import first_steps, question, questions, start
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.noise import TWO_COINS, PlanarLaplace, planar_laplace
from lmdk_widgets.page.amounts import amount
from tests.course.test_lesson_texts import says, text
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
    "trust": "Each phone adds noise before it answers",
    "choice": log(3),
    "meaning": "The odds of two neighbours change by at most a factor of 2",
    "composition": 1,
    "levels": "User level",
    "averaging": 4,
    "class": "Everyone who knows Bob's class knows his place",
    "radii": "2, 4, 16",
    "both-ways": "0.75 and 0.56",
    "processing": "Drawing a smooth line through the released places",
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


def test_an_average_of_nights_is_as_far_off_as_drawn_ones() -> None:
    """One report is 2 r/ε off on average; many are nearly normal, with the variance 3 (r/ε)² in either direction."""
    off, draws = start.off_by_nights(), 20_000
    reports = planar_laplace(np.zeros((draws * 9, 2)), 1 / 200, np.random.default_rng(1)).reshape(draws, 9, 2)
    for n in (1, 4, 9):
        drawn = np.linalg.norm(reports[:, :n].mean(axis=1), axis=1).mean()
        assert off[start.NIGHTS.index(n)] == pytest.approx(drawn, rel=0.015)
    assert off[0] == pytest.approx(2 * 200)
    assert off[-1] == pytest.approx(sqrt(np.pi / 2) * sqrt(3) * 200 / sqrt(36), rel=0.03)
    assert start.off_by_nights(2.0) == pytest.approx(off / 2)
    sixteen = question("start/averaging")
    assert sixteen.judge(off[0] / off[start.NIGHTS.index(16)]).right, "what the picture shows is right in the test"


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
    (chart,) = figure.draw(figure.stops[0].values[at])
    return chart.summary


FIGURES = (
    *("coin", "odds", "count_noise", "sums", "levels", "landmarks"),
    *("nights", "distance", "released", "memory", "trust", "bobs_choice"),
)
"""What follows each step."""


def test_the_pictures_say_what_follows_by_hand() -> None:
    assert "say Yes with probability 75 %, the others with 25 %: 3 times as likely." in said(first_steps.coin(), 2)
    assert "a factor of 3: a belief of 50 % may rise to 75 % or fall to 25 %, one of 30 % to 56 % or 13 %." in (
        said(first_steps.odds(), 2)
    )
    assert said(first_steps.count_noise(), 1) == (
        "2 people off on average. No count is more than 1.65 times as likely with Bob as without him."
    )
    assert "have ε = 2: a factor of 7.39 at most" in said(first_steps.sums(), 1) and exp(2) == pytest.approx(
        7.389, abs=1e-3
    )
    assert "multiplies the factor by 2: it is 2, 4, 8, 16, 32 at 100, 200, 300, 400, 500 m" in said(
        first_steps.distance(), 2
    )
    assert "a chance of 50 % to stay: all releases tell up to ε = 0.10" in said(first_steps.memory(), 0)
    assert "a chance of 100 % to stay: all releases tell up to ε = 1 " in said(first_steps.memory(), 3)
    assert "A belief of one half becomes 75 % at most. With Uniform each place is 1.8 km off" in (
        said(first_steps.bobs_choice(), 2)
    )
    assert "One report is 400 m off on average, the average of 36 nights 72 m; the ε" in said(first_steps.nights(), 1)


def test_levels_hide_so_many_of_all_ways_to_differ() -> None:
    """Of 255 sets of timestamps 8 have one; landmark privacy has 15 of landmarks alone, and 16 with each of four others."""
    for k, (differ, hidden) in enumerate(
        (("one timestamp", 8), ("five timestamps", 15 + 16 * 4), ("eight timestamps", 255))
    ):
        assert said(first_steps.levels(), k) == (
            f"Here they differ at {differ}. Of 255 ways to choose such timestamps, this level hides {hidden}."
        )
    spent = [said(first_steps.landmarks(), k).partition(": each timestamp spends ")[2] for k in range(3)]
    assert spent == [f"{one}, the landmarks and one other together {all_}." for one, all_ in SPENT]


SPENT = (("1", "5"), ("0.20", "1"), ("0.125", "0.625"))
"""What a timestamp spends at event level, by landmark privacy and at user level, and five of them together."""


def test_counts_below_0_are_nearer_to_the_truth_as_0() -> None:
    figure = first_steps.released()
    (chart,) = figure.draw(0.25)
    true, found, below = (trace["y"] for trace in chart.figure["data"])
    off = [
        np.mean([abs(a - b) for a, b in zip(true, values, strict=True)])
        for values in (found, [max(0, v) for v in found])
    ]
    assert below == [0, 0] and off[1] < off[0]
    assert f"2 of 24 released counts. With 0 instead, the release is {off[1]:.2f} people off" in said(figure, 0)
    assert said(figure, 3) == "Below 0: 0 of 24 released counts."


def test_where_everybody_adds_noise_a_count_is_off_by_so_much() -> None:
    """The mean error of a count of answers that are true with chance p, by the binomial distribution: all have a true No."""
    n, p = 1000, exp(1) / (1 + exp(1))
    yes = np.arange(n + 1)
    chances = np.exp([log_binomial(n, k) + k * log(1 - p) + (n - k) * log(p) for k in yes])
    estimates = (yes - n * (1 - p)) / (2 * p - 1)
    assert first_steps.off_by_people(1.0, n) == pytest.approx(float(np.abs(estimates) @ chances), rel=1e-3)
    assert first_steps.off_by_people(1.0, 4 * n) == pytest.approx(2 * first_steps.off_by_people(1.0, n))
    assert "76.6 people off on average if each phone adds noise, 1 person if the operator" in said(
        first_steps.trust(), 2
    )


def log_binomial(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def test_the_text_has_the_numbers_of_the_package() -> None:
    factors, epsilons = (row[1:] for row in table("factor"))
    for factor, epsilon in zip(factors, epsilons, strict=True):
        assert amount(exp(log(round(float(factor))) if epsilon.startswith("ln") else float(epsilon))) == amount(
            float(factor)
        )
        if epsilon.startswith("ln"):
            assert epsilon == f"ln {factor} = {amount(log(float(factor)))}"
    says("start", f"divides odds by at most e<sup>ε</sup>. Here e is {int(e * 1000) / 1000}…")
    back = TWO_COINS.yes_if_yes * 0.3 / (TWO_COINS.yes_if_yes * 0.3 + TWO_COINS.yes_if_no * 0.7)
    assert back == 9 / 16
    says(
        "start",
        f"{TWO_COINS.yes_if_yes}: that is the coins alone",
        f"9 to 7, which is 9 parts of 16, or {amount(back)}",
    )
    assert PlanarLaplace(100.0).mean_displacement(0.5) == 2 * 100 / 0.5


def test_a_class_of_three_hides_in_the_morning_alone() -> None:
    shown = [row[1:] for row in table("| record | age")]
    old = [k for k, (_, age) in enumerate(PEOPLE) if age > 20]
    assert shown == [("above 20", WHERE["t1"][k][0], WHERE["t2"][k][0]) for k in old]
    records = pd.DataFrame(shown, columns=["age", "morning", "evening"])
    assert k_anonymity(records, ["age"]) == 3
    assert [l_diversity(records, ["age"], time) for time in ("morning", "evening")] == [3, 1]
    says("start", "so k = 3", "at any of three places")


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table of the lesson that has a heading in its first line, with this line where it is no heading."""
    found = text("start")
    at = found.index("| factor") if heading == "factor" else found.index(heading)
    block = [line for line in found[at:].partition("\n\n")[0].splitlines() if "---" not in line]
    cells = [tuple(cell.strip() for cell in line.strip("| ").split("|")) for line in block]
    return cells if heading == "factor" else cells[1:]


@pytest.mark.parametrize("figure", ["coin", "odds", "count_noise", "landmarks", "released", "bobs_choice"])
def test_these_pictures_lead_to_their_page(figure: str) -> None:
    assert getattr(first_steps, figure)().message()["opens"]


@pytest.mark.parametrize("figure", FIGURES)
def test_each_picture_has_one_slider_and_one_chart(figure: str) -> None:
    told = getattr(first_steps, figure)().message()
    (slider,) = told["sliders"]
    assert len(told["frames"]) == len(slider["stops"]) >= 3
    assert all([block["kind"] for block in blocks] == ["chart"] for blocks in told["frames"])


def test_trying_until_a_release_is_not_below_0_costs_up_to_two_epsilon() -> None:
    post = question("start/post")
    assert isinstance(post, Choose)
    said = " ".join(str(choice.why) for choice in post.choices)
    assert (
        "If only the last is published, it costs up to 2ε; if the number of tries is known too, every try costs ε"
        in said
    )
    for epsilon in (0.1, log(2), 1.0):  # counts of 0 and 1, Laplace noise: what the first release of at least 0 tells
        kept = {count: 1 - exp(-epsilon * count) / 2 for count in (0, 1)}  # the chance that a try is kept
        told = [log(exp(-epsilon * abs(z - 0)) / kept[0] / (exp(-epsilon * abs(z - 1)) / kept[1])) for z in (0, 0.5, 2)]
        assert told[0] == max(told, key=abs) == pytest.approx(log(2 * exp(epsilon) - 1))
        assert epsilon < told[0] <= 2 * epsilon
        thrice = told[0] + 2 * log((1 - kept[0]) / (1 - kept[1]))  # two tries that were seen to fail
        assert thrice > 2 * epsilon


def test_the_lesson_says_what_is_public() -> None:
    assert "Which timestamps are landmarks is public" in " ".join(text("start").split())
