"""What the texts of lessons say: their tables, their numbers, and the solutions of their exercises, computed again."""

from __future__ import annotations

import json
import re
from math import e, exp, log

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import example_table, l_diversity, t_closeness
from lmdk_widgets.anonymity.examples import DISTRICTS, PEOPLE, WHERE
from lmdk_widgets.budgets import allocate, window_totals
from lmdk_widgets.composition import discounted
from lmdk_widgets.course import LESSONS, noise, questions, streams, tables
from lmdk_widgets.noise import TWO_COINS, exponential_mechanism, warner
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.neighbours import most_believed, noise_of
from lmdk_widgets.pages.table.stream import COUNTS, deviation_of, stream_of
from lmdk_widgets.pages.table.table import PARTS_OF_PARIS
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample
from tests.server import ROOT


def text(lesson: str) -> str:
    """The text cells of a lesson."""
    cells = json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def plain(lesson: str) -> str:
    """The text in one line, without marks of emphasis."""
    return re.sub(r"\s+", " ", re.sub(r"\*\*|\*(?=\w)|(?<=\w)\*", "", text(lesson)))


def rows(lesson: str, heading: str) -> list[tuple[str, ...]]:
    """The rows of the table that begins with a heading."""
    found = text(lesson)
    block = found[found.index(heading) :].strip().partition("\n\n")[0]
    return [tuple(cell.strip() for cell in line.strip("| ").split("|")) for line in block.splitlines()[2:]]


SOLUTIONS = [
    pytest.param(code, id=f"{lesson}-{k}")
    for lesson in LESSONS
    for k, code in enumerate(re.findall(r"```python\n(.*?)```", text(lesson), re.S), 1)
]


@pytest.mark.parametrize("code", SOLUTIONS)
def test_solutions_run(code: str) -> None:
    exec(code, {})  # their assertions are the test


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_what_it_needs(lesson: str) -> None:
    asked, words = questions(lesson), text(lesson)
    assert len(asked) >= 6 and sum(ask.kind in ("curve", "point") for ask in asked) >= 2
    notebook = (ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8")
    places = [notebook.index(f'Question(\\"{ask.name}\\"') for ask in asked]
    assert places == sorted(places), "every question is asked once, in order"
    assert notebook.count("Question(") == len(asked)
    time = "**Time:** {} to {} minutes".format(*LESSONS[lesson].minutes)
    for part in (time, "**Afterwards you can**", "## Summary", "## Exercises", "## Sources"):
        assert part in words, part
    assert words.count("<details><summary>Solution</summary>") == words.count("</details>") == 3
    goals = words.partition("**Afterwards you can**")[2].split("\n\n")[1]
    assert [line.strip("- ;.") for line in goals.splitlines()] == list(LESSONS[lesson].goals)


def test_the_tables_are_those_of_the_package() -> None:
    people = [(name, str(age), *where) for (name, age), where in zip(PEOPLE, WHERE["t1"], strict=True)]
    assert rows("tables", "| name | age") == people
    bands = {name: "up to 20" if age <= 20 else "above 20" for name, age in PEOPLE}
    later = [(bands[name], place) for (name, _), (place, _) in zip(PEOPLE, WHERE["t2"], strict=True)]
    shown = rows("tables", "\n| age | location |\n")
    assert sorted(shown) == sorted(later) and shown != later, "mixed"
    lists = [
        (str(k), bands[name], "Paris", PARTS_OF_PARIS[place])
        for k, ((name, _), (place, _)) in enumerate(zip(PEOPLE, WHERE["t1"], strict=True), 1)
    ]
    assert rows("tables", "| line | list A") == lists
    assert len(tables.k_by_ages()) == len(questions("tables")[1].asked()["labels"])
    assert (
        f"The ages are {', '.join(map(str, sorted(age for _, age in PEOPLE)[:-1]))} and 62."
        in (questions("tables")[1].asked()["text"])
    )


def says(lesson: str, *sentences: str) -> None:
    """Fails where the lesson lacks one of them."""
    for sentence in sentences:
        assert sentence in plain(lesson), sentence


def test_numbers_of_the_lesson_on_tables() -> None:
    ill = pd.DataFrame({"class": ["hers"] * 10 + ["others"] * 990, "ill": [1] * 5 + [0] * 5 + [1] * 5 + [0] * 985})
    assert tables.daisy().before == 0.01 and tables.daisy().after == 0.5 and tables.daisy().odds_factor == 99
    assert l_diversity(ill, ["class"], "ill") == 2
    says("tables", f"In Daisy's class it was {t_closeness(ill, ['class'], 'ill'):.2f}.")
    assert tables.left_for("Huey") == {"running"}, "the others of the class leave one"
    says("tables", f"Here are {len(example_table('adults')):,} invented adults.")
    assert tables.measures("t1", tables.COARSE).k == tables.measures("t1", tables.COARSE).distinct == 3
    assert tables.measures("t2", tables.PLACES_HIDDEN).k == 3
    assert [round(tables.closeness(salaries), 4) for salaries in tables.CLASSES.values()] == [0.375, 0.1667, 0.2361]


def test_numbers_of_the_lesson_on_noise() -> None:
    assert TWO_COINS.epsilon == pytest.approx(log(3)) and exp(TWO_COINS.epsilon) == pytest.approx(3)
    says("noise", f"ε = ln 3, or {amount(TWO_COINS.epsilon)}", "it multiplies the odds by 3")
    assert (TWO_COINS.yes_if_no, TWO_COINS.yes_if_yes - TWO_COINS.yes_if_no) == (1 / 4, 1 / 2)
    says("noise", "λ = ¼ + ½ s", "2λ − ½ is an unbiased estimate")
    assert TWO_COINS.estimate(0.4) == pytest.approx(2 * 0.4 - 1 / 2)
    assert noise.believed(0.3) == pytest.approx(0.75 * 0.3 / (0.75 * 0.3 + 0.25 * 0.7)) == pytest.approx(9 / 16)
    assert noise.standard_errors()[-1] == pytest.approx(0.01, rel=0.03)
    assert noise.counts() == [[place for place, _ in WHERE["t1"]].count(district) for district in DISTRICTS]
    says("noise", "two at Montmartre, and one each in Le Marais, Belleville, the Latin Quarter and at Opéra")
    assert exponential_mechanism([20, 10, 10, 10, 10], 1.0, 1.0)[0] > 0.95, "with sixty it is nearly sure"
    p = e / (1 + e)
    errors = [d.standard_error(0.3 * d.yes_if_yes + 0.7 * d.yes_if_no, 100) for d in (warner(p), TWO_COINS)]
    says("noise", f"p = e/(1 + e), about {p:.2f}", f"error of {errors[0]:.3f}, and two coins {errors[1]:.3f}")
    right, below = 1 - exp(-0.5), exp(-2) / 2
    says("noise", f"about {percent(right)}.", f"about {percent(below)}.")
    scores = [0, 1, 2], [0, 1, 1], [1, 2, 1]
    before, fallen, both = (exponential_mechanism(u, 1.0, 1.0) for u in scores)
    a, b, c = (f"{chance:.3f}" for chance in before)
    says("noise", f"{a}, {b} and {c}", f"from {c} to {fallen[2]:.3f}, a factor of {before[2] / fallen[2]:.2f}")
    says("noise", f"it goes to {both[2]:.3f}, by {before[2] / both[2]:.2f}", f"e<sup>ε</sup> = {amount(e)}")


def test_what_the_question_on_noise_compute_agrees_with_the_page() -> None:
    page = noise_of(TableChoices(part="noise", counted="one"))
    assert noise.density(1.0) == pytest.approx(np.interp(noise.COUNTED, page.outputs, page.first), rel=2e-3)
    for neighbours in ("add", "replace"):
        found = noise_of(TableChoices(part="noise", neighbours=neighbours)).sensitivity
        assert noise.most_moved(replaced=neighbours == "replace") == found
    chosen = noise_of(TableChoices(part="noise", mechanism="exponential"))
    assert noise.named(1.0) == pytest.approx(float(chosen.first.max())) == pytest.approx(0.2918751, abs=1e-7)
    coins = noise_of(TableChoices(part="noise", mechanism="two-coin", prior=0.3))
    assert most_believed(0.3, coins.epsilon) == pytest.approx(noise.believed(0.3))


def test_numbers_of_the_lesson_on_streams() -> None:
    says("streams", f"each of {len(COUNTS)} hours: {min(COUNTS)} person at night, up to {max(COUNTS)} in the evening")
    assert COUNTS[2:5] == (1, 1, 1) and 17 <= COUNTS.index(max(COUNTS)) <= 21
    mean = {
        (name, scheme): metres(_mean_error(name, scheme))
        for name in ("bob", "commuter")
        for scheme in ("window", "budget-absorption")
    }
    says(
        "streams",
        f"the mean error is {mean['bob', 'window']} with equal shares and {mean['bob', 'budget-absorption']} with",
        f"{mean['commuter', 'window']} with equal shares and {mean['commuter', 'budget-absorption']} with Budget Absorption",
        f"A timestamp that spends {amount(1 / 6)} has paid only for a comparison",
    )
    hours = (2, 10, 19)
    wide = hours[-1] - hours[0] + 1
    says("streams", f"hours 3, 11 and 20, no window shorter than {wide} hours")
    apart = allocate("uniform", 24, hours, 1.0)
    assert 4 * deviation_of(apart) < deviation_of(streams.window_budgets(wide)), "landmark level wins by far"
    even = streams.window_budgets(streams.WINDOW)
    assert even[list(hours)].sum() == pytest.approx(1.0) and deviation_of(even) < deviation_of(apart)
    promised = sum(float(window_totals(even, streams.WINDOW).max()) for _ in hours)  # each hour in a window of its own
    says(
        "streams",
        f"Equal shares with w = {streams.WINDOW} would still spend ε on him",
        f"would promise him only {promised:.0f} ε; of the levels that promise ε, landmark level would win by far.",
    )
    ten = [0.1] * 10
    a, b = discounted(ten, gamma=0.9), discounted(ten, weight="hyperbolic", k=1)
    says("streams", f"{a:.3f} and {b:.3f}.", "stays below 0.1/(1 − 0.9) = 1")
    assert discounted([0.1] * 24, weight="hyperbolic", k=1) < discounted([0.1] * 24, gamma=0.9), "after a day still"
    says("streams", f"standard deviation is √10, {10**0.5:.2f}")
    assert streams.halving()[:5] == pytest.approx([0.25, 0.125, 0.0625, 0.15625, 0.140625])
    day = stream_of(TableChoices(part="stream"))
    assert streams.counter_deviation(1.0) == pytest.approx(day.counter.deviation)


def _mean_error(name: str, scheme: str) -> float:
    track = sample(name)
    choices = Scenario(track=name, landmarks=track.landmarks, correlation="none", scheme=scheme, window=3, average=True)
    return evaluate(choices, track).mean_error_m


def test_the_page_of_two_intrusions_says_what_the_lesson_says() -> None:
    seized = TableChoices(part="stream", level="pan", intrusions=(9, 17))
    says("streams", "Two intrusions, after hours 10 and 18")
    assert stream_of(seized).counter.one == np.inf
    announced = stream_of(seized.with_changes(announced=True)).counter
    assert announced.one == 1 and announced.deviation > stream_of(seized).counter.deviation
    assert stream_of(seized.with_changes(announced=True, fresh=False)).counter.one == 1
