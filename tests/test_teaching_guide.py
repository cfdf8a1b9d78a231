"""The teacher's guide: its lessons, its names and every number of it, looked up and computed again."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import exp, log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import k_anonymity, l_diversity, t_closeness
from lmdk_widgets.budgets import allocate, landmark_totals, window_totals
from lmdk_widgets.composition import sequential
from lmdk_widgets.course import (
    LESSONS,
    adversary,
    city,
    law,
    law_ways,
    moments,
    noise,
    question,
    questions,
    streams,
    tables,
    zones,
)
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import LossFunction, forward_loss, temporal_loss
from lmdk_widgets.noise import TWO_COINS, PlanarLaplace
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.pages.table.neighbours import most_believed
from lmdk_widgets.population.exposure_of_people import shares_found
from lmdk_widgets.pufferfish import MarkovChain, quilt_scale
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "teaching.md").read_text("utf-8")
SOURCES = [*(ROOT / "frontend" / "src").rglob("*.js"), *(ROOT / "lmdk_widgets").rglob("*.py")]
ONE_WAY = [[0.8, 0.2], [0.0, 1.0]]


def part(heading: str) -> str:
    """The text below a heading."""
    return GUIDE.split(f"## {heading}\n")[1].split("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head."""
    lines = [line for line in part(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


def minutes(text: str) -> tuple[int, int]:
    first, last = re.findall(r"\d+", text)
    return int(first), int(last)


def answer(number: int) -> str:
    """The answer to a question of the exam, in one line."""
    asked = part("Thirteen questions for an exam").split(f"\n**{number}.** ")[1]
    return " ".join(asked.split("\n**Answer.** ")[1].split("\n\n**")[0].split())


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_needs_what_its_text_says(name: str) -> None:
    cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    (said,) = re.findall(r"\*\*You need:\*\* (.*?)\n\n", "\n\n".join("".join(cell["source"]) for cell in cells), re.S)
    (needs,) = [row[3] for row in rows("The lessons") if row[0] == f"`{name}`"]
    titles = {lesson.title.partition(":")[0]: key for key, lesson in LESSONS.items()}
    assert {titles[title] for title in re.findall(r'lesson "([^"]+)"', said)} <= set(re.findall(r"`(\w+)`", needs))
    before = list(LESSONS)[: list(LESSONS).index(name)]
    assert set(re.findall(r"`(\w+)`", needs)) <= set(before)


def test_the_plans_have_no_gap_and_the_lessons_in_their_order() -> None:
    spans = [minutes(row[0]) for row in rows("A plan for 90 minutes")]
    assert spans[0][0] == 0 and spans[-1][1] == 90
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    taught = []
    for row in rows("A plan for six weeks"):
        names = re.findall(r"`(\w+)`", row[1])
        assert minutes(row[1]) == tuple(sum(LESSONS[name].minutes[k] for name in names) for k in (0, 1))
        taught += names
    assert taught == [name for name in LESSONS if name in taught] and len(taught) >= 8


def test_every_question_is_where_the_guide_says() -> None:
    named = re.findall(r"`(\w+/[\w-]+)` \((\d+)\)", GUIDE)
    assert len(named) > 30 and len(named) == len(re.findall(r"`\w+/[\w-]+`", GUIDE))
    assert not [(name, k) for name, k in named if questions(name.partition("/")[0])[int(k) - 1] is not question(name)]


def test_every_name_is_on_the_screen() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCES)
    names = set(re.findall(r'"([^"\n]+)"', re.sub(r"`[^`]*`", "", " ".join(GUIDE.split()))))
    assert len(names) > 25
    assert not [name for name in sorted(names) if not re.search(rf"""["'`>]{re.escape(name)}["'`:<]""", code)]


def misconceptions() -> dict[str, str]:
    """What stands beside each question in the table of mistakes."""
    return {re.sub(r"`|\W*\(\d+\).*", "", shown): why for _, why, shown in rows("What students get wrong")}


def test_there_are_enough_mistakes_and_each_is_shown() -> None:
    table = rows("What students get wrong")
    assert len(table) >= 10 and all(said.startswith("*") and why and shown for said, why, shown in table)


def test_the_numbers_of_the_mistakes() -> None:
    both = temporal_loss(ONE_WAY, ONE_WAY, [0.1] * 10)
    day = sequential([streams.CONSTANT] * 24)
    numbers = {
        "tables/alone": f"{tables.alone((0, 1))} of the 6",
        "city/found": f"{city.in_half()} of {city.people():,} people; in a single release "
        f"{city.expected('uniform', 1.0, 200.0):.0f} are expected",
        "law/key": f"to {law.alone_with_pair()} of 1,000 people. Where each week has new numbers, they still link "
        f"{law_ways.linked(1_000)[0]}.",
        "law/zeros": f"then {amount(law.times_zeros())} times as far off",
        "zones/outings": f"leave {amount(zones.area_ha())} hectares",
        "noise/told": f"9 to 7: {amount(noise.believed(0.3))}.",
        "noise/belief": percent(most_believed(0.5, 5)),
        "moments/overspent": f"{moments.most(moments.by_kind(1 / 4, 1 / 5)):.1f} ε",
        "streams/stay": f"{amount(window_totals(streams.window_budgets(3), 5).max())} ε",
        "streams/discounted": f"all day {amount(day)} is spent",
        "correlation/step": f"up to {amount(both.total.max())} about",
        "adversary/far": f"up to {amount(adversary.far_apart())}.",
    }
    assert not [name for name, number in numbers.items() if number not in misconceptions()[name]]
    assert noise.believed(0.3) / (1 - noise.believed(0.3)) == pytest.approx(9 / 7)
    assert round(streams.CONSTANT / (1 - streams.GAMMA), 9) == 2


def test_correlation_does_not_break_user_level() -> None:
    bob = sample("bob")
    for correlation in ("none", "strong"):
        chosen = Scenario(scheme="user", landmarks=bob.landmarks, correlation=correlation)
        assert evaluate(chosen, bob).total.max() <= 1 + 1e-9


def exam_table() -> pd.DataFrame:
    return pd.DataFrame({"class": [1] * 4 + [2] * 4, "value": list("aabcbbcc")})


def test_answers_on_tables_and_noise() -> None:
    table = exam_table()
    first = table[table["class"] == 1]
    assert f"k = {k_anonymity(table, ['class'])};" in answer(1)
    assert f"distinct l = {l_diversity(table, ['class'], 'value'):.0f};" in answer(1)
    assert f"entropy l = {l_diversity(table, ['class'], 'value', kind='entropy'):.0f}," in answer(1)
    assert f"has {amount(l_diversity(first, ['class'], 'value', kind='entropy'))})" in answer(1)
    everybody = table["value"].value_counts(normalize=True)
    assert f"the shares {', '.join(f'{8 * everybody[value]:.0f}/8' for value in 'abc')}," in answer(1)
    for _, people in table.groupby("class"):
        shares = people["value"].value_counts(normalize=True).reindex(everybody.index, fill_value=0.0)
        assert np.abs(shares - everybody).sum() / 2 == pytest.approx(t_closeness(table, ["class"], "value"))
    assert f"t = {amount(t_closeness(table, ['class'], 'value'))} away" in answer(1)
    share = TWO_COINS.estimate(225 / 500)
    before, after = ((belief / (1 - belief)) for belief in (share, most_believed(share, log(3))))
    assert before == pytest.approx(2 / 3) and after == pytest.approx(2 / 1) and "Odds of 2 to 3, times 3" in answer(2)
    assert f"= {amount(share)}." in answer(2) and f"2 to 1: {amount(most_believed(share, log(3)))}." in answer(2)


def test_answers_on_moments_and_streams() -> None:
    assert f"at most {exp(log(2)):.0f}.*" in answer(3)
    assert f"by {exp(sequential([log(2)] * 3)):.0f}." in answer(3)
    skip = landmark_totals(allocate("skip", 8, (0, 2, 4, 7), 1.0), (0, 2, 4, 7)).max()
    assert f"is {amount(skip)} ε" in answer(4)
    planar = PlanarLaplace(radius_m=300.0)
    for scheme in ("uniform", "user"):
        budget = float(allocate(scheme, 10, (0, 1, 2), 2.0)[-1])
        assert re.search(rf"= {amount(budget)} and .*?{metres(planar.mean_displacement(budget))}\.", answer(5)), scheme
    event = landmark_totals(allocate("event", 10, (0, 1, 2), 2.0), (0, 1, 2)).max()
    assert f"which is {event:.0f}." in answer(5)
    hours = [1 / 2, 1 / 4, 1 / 4, 1 / 2, 1 / 4, 1 / 2]
    windows = window_totals(hours, 3)
    assert windows[2:-1] == pytest.approx(1) and f"4 to 6 spend {amount(windows[-1])};" in answer(6)
    left = 1 - sum(hours[-3:-1])
    assert window_totals([*hours[:-1], left], 3).max() == pytest.approx(1) and f"= {amount(left)}." in answer(6)


def forward(epsilon: float, releases: int) -> Floats:
    """The forward loss of the first release, for 1 release and more."""
    return np.array([forward_loss(ONE_WAY, [epsilon] * n)[0] for n in range(1, releases + 1)])


def test_answers_on_correlation() -> None:
    limit, bound = LossFunction(ONE_WAY).largest_bounded_epsilon(), LossFunction(ONE_WAY).supremum(0.1)
    assert f"= {limit:.3f}. With" in answer(7) and f"towards {bound:.3f}." in answer(7)
    assert forward(0.1, 150)[-1] == pytest.approx(bound, abs=1e-4)
    assert LossFunction(ONE_WAY).supremum(0.25) == np.inf
    assert f"= {np.diff(forward(0.25, 300))[-1]:.3f}." in answer(7)
    sticky = [[0.9, 0.1], [0.1, 0.9]]
    loss = temporal_loss(sticky, sticky, [0.5, 0.5])
    assert f"{exp(0.5) - 1:.4f})" in answer(8)
    assert f"= {LossFunction(sticky)(0.5):.3f} is what" in answer(8) and f"= {loss.total[0]:.3f}." in answer(8)
    assert f"lose {amount(sequential([0.5, 0.5]))}:" in answer(8)


def test_answers_on_states_and_places() -> None:
    for moves, text in (([[0.5, 0.5]] * 2, "1/ε = {},"), ([[1, 0], [0, 1]], "T/ε = {}.")):
        scale = quilt_scale(MarkovChain([0.5, 0.5], moves), 1000, 0.5).scale
        assert text.format(f"{scale:,.0f}") in answer(9)
    level = log(2)
    assert f"2³ = {exp(level / 100 * 300):.0f};" in answer(10)
    assert f"= {metres(PlanarLaplace(radius_m=100.0).mean_displacement(level))}." in answer(10)


STEP = re.compile(r"((?:ln ?|[\d.]+|[()·/−+³]|(?<=\S) (?=\S))+) = ([\d.]*\d)( km\b)?")
"""An expression, what it is said to be, and kilometres where the expression is in metres."""


def test_every_step_of_an_answer_is_right() -> None:
    steps = [step for number in range(1, 11) for step in STEP.findall(answer(number))]
    for written, value, km in steps:
        python = re.sub(r"ln ?(\d)", r"ln(\1)", written.strip()).translate({183: "*", 8722: "-", 179: "**3"})
        found = eval(python, {"__builtins__": {}, "ln": log}) / (1000 if km else 1)
        assert found == pytest.approx(float(value), abs=0.501 * 10.0 ** -len(value.partition(".")[2])), written
    assert len(steps) == 11


def test_thirteen_questions_each_with_an_answer() -> None:
    exam = part("Thirteen questions for an exam")
    assert re.findall(r"^\*\*(\d+)\.\*\* \(`(?:\w+)`, ", exam, re.M) == [str(k) for k in range(1, 14)]
    assert exam.count("**Answer.**") == 13


def test_the_answer_on_zones() -> None:
    zone_ha, left_ha = np.pi * zones.RADIUS_M**2 / zones.HECTARE_M2, zones.area_ha()
    assert f"are {zone_ha:.0f} hectares, and {amount(left_ha)} of them {percent(left_ha / zone_ha)}." in answer(11)
    assert f"leave {amount(left_ha)} hectares to look" in " ".join(part("Thirteen questions for an exam").split())


def test_the_answer_on_a_city() -> None:
    shares = [1 - 2 ** -((200 / found) ** 2) for found in (200, 400)]
    assert shares == pytest.approx(list(shares_found(np.array([200.0, 400.0]), 200.0)))
    assert f"{shares[0]:.2f} for the first" in answer(12) and f"{shares[1]:.2f}, for the second" in answer(12)
    assert f"{sum(shares):.2f} people together. At ε = 2," in answer(12)
    assert shares_found(np.array([400.0 / 2]), 200.0)[0] == pytest.approx(shares[0]), "X is proportional to 1/ε"


def test_the_answer_on_the_law() -> None:
    right, wrong = law_ways.linked(1_000)
    asked = " ".join(part("Thirteen questions for an exam").split())
    assert f"In either week {right + wrong} pairs of home and work, known to 1 km," in asked
    assert f"{right} of them with the same person" in asked and f"as are these {right + wrong} pairs" in answer(13)
    off, zero = (amount(each) for each in (law_ways.error(), law_ways.zeros()))
    assert f"off by {off} on average where a zero is off by {zero}." in asked
    assert (
        f"as {right} of the {right + wrong} are, a share of {right}/{right + wrong} = {right / (right + wrong):.3f}."
        in answer(13)
    )
    assert f"{off}/{zero} = {float(off) / float(zero):.3f} is far below 0.9." in answer(13)
    assert f"at most e, {exp(1):.2f}." in answer(13)


def test_the_cards_of_the_four_have_the_numbers_of_the_phones() -> None:
    for row, role in zip(rows("Four people decide, without phones"), law_ways.ROLES, strict=True):
        asks = role.asks[0].upper() + role.asks[1:]
        numbers = [str(role.written(role.number(way))) for way in law_ways.ways()]
        assert row == [f"**The {role.name}.** {role.card} *{asks}*", str(role.written(role.limit())), *numbers]


def test_the_ten_short_questions_and_their_answers() -> None:
    """The texts stand first, without the answers, which are at the end of the guide and those of the questions."""
    test = questions("start")[-10:]
    texts, told = rows("Ten short questions"), rows("Answers to the ten short questions")
    assert [row[0] for row in texts] == [re.findall(r"\((\d+)\)", row[0])[0] for row in told]
    assert GUIDE.rstrip().endswith("|") and GUIDE.index("## Answers to the ten short questions") > GUIDE.index(
        "## In the room"
    )
    for ask, (_, text, choices), (name, right) in zip(test, texts, told, strict=True):
        assert text == ask.asked()["text"] and f"`{ask.name}`" in name
        if isinstance(ask, Choose):
            assert choices == " · ".join(ask.asked()["choices"]) and right == ask.choices[ask.right()].text
        else:
            assert choices.startswith("a number") and right.startswith(amount(ask.right_answer()))
    assert "right" not in part("Ten short questions")


def test_every_lesson_is_in_the_course_of_twelve_weeks_and_in_the_table_of_books() -> None:
    weeks, books = rows("The lessons in a course, and in four books"), []
    for k, row in enumerate(weeks):
        if row[0] == "lesson":
            weeks, books = weeks[:k], weeks[k + 2 :]
            break
    assert [row[0] for row in weeks] == [str(week) for week in range(1, 13)]
    taught = [name for row in weeks for name in re.findall(r"`(\w+)`", row[2])]
    assert list(dict.fromkeys(taught)) == [name for name in _by_week() if name in taught] and set(taught) == set(
        LESSONS
    )
    assert [row[0] for row in books] == [f"`{name}`" for name in LESSONS]


def _by_week() -> list[str]:
    """The lessons in the order of the course, but for the first one, which needs what two weeks prepare."""
    first, *others = LESSONS
    return [*others[:2], first, *others[2:]]
