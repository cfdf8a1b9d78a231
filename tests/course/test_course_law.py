"""The lesson on what the law asks by hand: who is linked, how far off counts are, what four people accept, and its words."""

from __future__ import annotations

import json
import re
from collections import Counter
from math import e, exp, hypot, log, pi

import numpy as np
import pytest

from lmdk_widgets.course import city, law, law_figures, law_measured, law_ways, question, questions, zones
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.course.law_measured import anywhere_in, counts_off, linked, with_noise
from lmdk_widgets.geo import Region
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.blocks import Chart, Table, Text
from lmdk_widgets.pages.people.tables import CITY_REGION
from lmdk_widgets.population.contributions import Counting
from lmdk_widgets.population.together import Rows
from lmdk_widgets.trajectory.samples import data_folder
from tests.course.test_lesson_texts import plain, rows, says

NAMES = ("homes", "key", "linked", "zeros", "limit", "promise", "decide", "whose", "file")
REGION = Region(48.81, 2.25, 48.91, 2.42)
STORED = json.loads((data_folder() / "city_counts.json").read_text("utf-8"))


def test_three_cases_a_decision_and_two_questions_of_a_test() -> None:
    assert [ask.name for ask in questions("law")] == [f"law/{name}" for name in NAMES]
    assert len(law.TEST) == 2


def made(rng: np.random.Generator, people: int = 12) -> tuple[list[int], list[int], list[str]]:
    """Two weeks of nights and working hours at random squares, a row each, in any order."""
    found = []
    for person in range(people):
        home, work = rng.integers(0, 5, 2).tolist()
        for week in (0, 7):
            if week and rng.random() < 0.3:
                home, work = rng.integers(0, 5, 2).tolist()
            for day in range(5):
                found.append((person, home, f"2026-03-{2 + week + day:02d}T23:30"))
                found.append((person, 10 + work, f"2026-03-{2 + week + day:02d}T11:00"))
    rng.shuffle(found)
    who, cell, time = zip(*found, strict=True)
    return [int(one) for one in who], [int(one) for one in cell], [str(one) for one in time]


@pytest.mark.parametrize("seed", range(20))
def test_whom_two_weeks_link_by_comparing_all_people(seed: int) -> None:
    who, cell, time = made(np.random.default_rng(seed))
    weeks: list[dict[int, tuple[int, int]]] = [{}, {}]
    for later in (0, 1):
        for person in set(who):
            seen = [
                (c, t) for p, c, t in zip(who, cell, time, strict=True) if p == person and (t >= "2026-03-09") == later
            ]
            (home,) = {c for c, t in seen if t.endswith("23:30")}
            (work,) = {c for c, t in seen if t.endswith("11:00")}
            weeks[later][person] = home, work
    times = [Counter(week.values()) for week in weeks]
    pairs = [(a, b) for a in weeks[0] for b in weeks[1] if weeks[0][a] == weeks[1][b]]
    claims = [(a, b) for a, b in pairs if times[0][weeks[0][a]] == times[1][weeks[1][b]] == 1]
    right = sum(a == b for a, b in claims)
    found = linked(who, cell, np.array(time, "datetime64[m]"), np.datetime64("2026-03-09"))
    assert found == (right, len(claims) - right)


def test_the_random_weeks_link_some_rightly_and_some_wrongly() -> None:
    found = [
        linked(*drawn[:2], np.array(drawn[2], "datetime64[m]"), np.datetime64("2026-03-09"))
        for drawn in (made(np.random.default_rng(seed)) for seed in range(20))
    ]
    assert sum(one.right for one in found) > 5 and sum(one.wrong for one in found) > 5


def table(rng: np.random.Generator, people: int = 30, each: int = 40) -> Rows:
    """Rows of people at random places of the region in one week."""
    n = people * each
    time = np.datetime64("2026-03-02", "ns") + np.sort(rng.integers(0, 167, (people, each))).ravel() * np.timedelta64(
        1, "h"
    )
    names = np.array([f"p{k:02d}" for k in range(people)])
    north, east = 48.82 + 0.08 * rng.random(n), 2.27 + 0.13 * rng.random(n)
    return Rows(names, np.arange(0, n + 1, each), north, east, time, "Europe/Paris", {}, ())


def test_counts_read_off_squares_and_noise_are_off_as_counted_by_hand() -> None:
    rng = np.random.default_rng(4)
    all_rows = table(rng)
    counting = Counting(REGION, 2_000.0, "2026-03-02", "2026-03-09", 168, zone="Europe/Paris")
    squares = anywhere_in(all_rows, REGION, 1_000.0, rng)
    grid = REGION.grid(1_000.0)
    before, after = (
        grid.cell_of(REGION.frame.to_metres(each.latitude, each.longitude)) for each in (all_rows, squares)
    )
    assert (before == after).all(), "in the same square"
    one = [(p, c) for p, c in zip(all_rows.person, before, strict=True)]
    places = {pair: set() for pair in one}  # type: dict[tuple[int, int], set[tuple[float, float]]]
    for pair, y, x in zip(one, squares.latitude.round(9), squares.longitude.round(9), strict=True):
        places[pair].add((y, x))
    assert {len(each) for each in places.values()} == {1}, "one place for a person in a square"
    assert counts_off(all_rows, squares, counting) == 0, "squares of 2 km are made of those of 1 km"

    wide = anywhere_in(all_rows, REGION, 4_000.0, rng)
    cells = counting.area
    off = np.zeros(len(cells))
    for each, sign in ((all_rows, -1), (wide, 1)):
        cell = cells.cell_of(REGION.frame.to_metres(each.latitude, each.longitude))
        for _, square in {(p, c) for p, c in zip(each.person, cell, strict=True) if c >= 0}:
            off[square] += sign
    assert counts_off(all_rows, wide, counting) == pytest.approx(np.abs(off).mean()) and off.any()


def test_the_noise_is_that_of_each_persons_budget() -> None:
    rng = np.random.default_rng(5)
    all_rows = table(rng, people=2, each=4_000)
    noisy = with_noise(all_rows, np.array([0.5, 0.05]), 200.0, rng)
    frame = REGION.frame
    moved = frame.to_metres(noisy.latitude, noisy.longitude) - frame.to_metres(all_rows.latitude, all_rows.longitude)
    far = np.hypot(*moved.T)
    for person, budget in enumerate((0.5, 0.05)):
        assert far[all_rows.person == person].mean() == pytest.approx(2 * 200 / budget, rel=0.05)


def test_the_numbers_of_the_three_cases() -> None:
    homes = question("law/homes").right_answer()
    assert homes == pytest.approx(40 * zones.area_ha()) and 7 < homes < 11
    assert law.homes_in_zone() == pytest.approx(40 * pi * 4**2)
    assert law.alone_with_pair() == 462
    curve = question("law/linked").right_answer()
    assert curve == [727, 605, 385, 126, 11] == [city.stored()["linked"][str(side)][0] for side in law.SIDES]
    small = STORED["settings"]["1000 1"]
    assert STORED["limits"][4] == 20 and STORED["settings"]["2000 168"]["errors"][4] == law_ways.error()
    assert question("law/zeros").right_answer() == pytest.approx(small["errors"][4] / small["zeros"])
    assert 1 / np.sinh(1 / 20) < small["errors"][4] < 1 / np.sinh(1 / 20) + small["zeros"], "the noise, and the cut"
    limit = question("law/limit").right_answer()
    assert min(limit) == limit[4] and limit == STORED["settings"]["2000 168"]["errors"]
    promise = question("law/promise").right_answer()
    assert promise == pytest.approx(100 * e / (1 + e)) and log(promise / (100 - promise)) == pytest.approx(1)


def test_what_each_of_the_four_sees_by_hand() -> None:
    found = {way.name: (way.off, way.linked, way.singled, way.exposed) for way in law_ways.ways()}
    east, north = CITY_REGION.size_m
    before = pi * 200**2 / (east * north)
    most = STORED["settings"]["2000 168"]["most_added"]
    nearest = city.found_m("uniform", 1.0).min()
    shares = 1 - 2.0 ** -((200 / city.found_m("uniform", 1.0)) ** 2)
    odds = {name: before / (1 - before) * factor for name, factor in (("visit", exp(2 * most)), ("person", exp(2)))}
    by_hand = {
        "The table as it is": (0, 1_000, 1_000, 1),
        "Names removed": (0, 385, 897, pi * 0.2**2),
        "Squares of 4 km": (STORED["squares"]["4000"], 11, 382, pi * 0.05**2),
        "Tracks with noise": (STORED["uniform"]["off"], STORED["uniform"]["linked"][0], shares.sum(), shares.max()),
        "Counts, a visit protected": (1 / np.sinh(1.0), 0, 0, odds["visit"] / (1 + odds["visit"])),
        "Counts, a person protected": (
            STORED["settings"]["2000 168"]["errors"][4],
            0,
            0,
            odds["person"] / (1 + odds["person"]),
        ),
        "Nothing": (202.8, 0, 0, before),
    }
    assert list(found) == list(by_hand) == list(law_ways.SAID)
    for name, numbers in by_hand.items():
        assert found[name] == pytest.approx(numbers), name
    assert shares.max() == pytest.approx(1 - 2.0 ** -((200 / nearest) ** 2)) and most == 31


def test_the_odds_of_a_home_grow_as_for_any_replacement() -> None:
    """Two homes: the counts with one differ from those with the other by taking her away and adding her."""
    before = law_ways.guess_anywhere()
    for epsilon in (0.1, 1.0, 3.0):
        after = law_ways.at_most(epsilon)
        assert after / (1 - after) == pytest.approx(before / (1 - before) * e ** (2 * epsilon))
    assert law_ways.at_most(0.0) == pytest.approx(before) and law_ways.at_most(31.0) == pytest.approx(1.0)


def test_the_chance_in_a_square_is_that_of_places_drawn_in_it() -> None:
    rng = np.random.default_rng(6)
    at, guess = rng.uniform(-500, 500, (400_000, 2)), np.array([120.0, -80.0])
    near = [hypot(*(place - guess)) < 200 for place in at[:100_000]]
    assert law_ways.guess_in_square(1_000.0) == pytest.approx(np.mean(near), rel=0.03)


def test_the_four_accept_one_way_and_each_refuses_another() -> None:
    limits = (101.4, 50, 50, 0.05)
    accepted = []
    for way in law_ways.ways():
        numbers = (way.off, way.linked, way.singled, way.exposed)
        over = [
            role.name for role, number, limit in zip(law_ways.ROLES, numbers, limits, strict=True) if number > limit
        ]
        assert [role.name for role in law_ways.ROLES if not role.accepts(way)] == over
        assert all(f"the {name} (" in law_ways.refused_by(way) for name in over) and bool(over) == bool(
            law_ways.refused_by(way)
        )
        accepted += [way.name] if not over else []
    assert accepted == ["Counts, a person protected"]
    assert [role.limit() for role in law_ways.ROLES] == pytest.approx(limits)
    for role in law_ways.ROLES:
        refused = [way for way in law_ways.ways() if not role.accepts(way)]
        assert 2 <= len(refused) < len(law_ways.ways()), "each has something to say"
    decide = question("law/decide")
    assert isinstance(decide, Choose) and decide.choices[decide.right()].text.startswith(f"{accepted[0]}: ")
    first, last = (law_ways.ways()[k] for k in (0, -1))
    assert "the mayor (203)" in law_ways.refused_by(last) and "the resident (100 %)" in law_ways.refused_by(first)


def test_the_sentence_for_the_file_is_the_one_that_is_true() -> None:
    asked = question("law/file")
    assert isinstance(asked, Choose) and "single out 90 % of the people" in asked.choices[asked.right()].text
    why = [choice.why if isinstance(choice.why, str) else choice.why() for choice in asked.choices]
    assert why[1:] == [
        "Home and work single out 462 people.",
        f"Three outings leave {amount(law.homes_left())} of them to look at.",
        "They are off by 20.7, and a zero by 4.04.",
    ]
    key, whose = question("law/key"), question("law/whose")
    assert isinstance(key, Choose) and key.choices[key.right()].text == "As many as before: 462"
    assert isinstance(whose, Choose) and whose.choices[whose.right()].text.startswith(
        "The city; and it is: home and work"
    )


def test_the_text_and_the_lessons_numbers() -> None:
    says(
        "law",
        "by four known moments, 90 % of the people, to 1 km and an hour",
        "such as 20",
        "more than 0.9 of what a zero",
    )
    says(
        "law",
        "at most half of what a zero is off",
        "at most 50 people",
        "At most 5 of 100 guesses",
        "over twelve weeks",
    )
    assert (law_ways.HALF, law_ways.few(), law_ways.RARE, law_ways.MOST, zones.DRAWS) == (0.5, 50, 0.05, 20, 12)
    assert law_ways.guess_anywhere() == pytest.approx(0.00091, rel=0.005)


LAW = {"Art. 4(1)", "Recital 26", "Art. 4(5)", "Art. 4(7)"}


def test_the_law_is_named_by_its_articles_and_its_word_is_used_of_no_data() -> None:
    assert {row[1] for row in rows("law", "| question | where")} == LAW
    words = plain("law")
    says(
        "law",
        "Nothing here is legal advice.",
        "05/2014, known as WP216",
        "in our words",
        "What this lesson says of the law is a paraphrase",
    )
    assert all(part in words.partition("## Sources")[2] for part in ("4(1), 4(5), 4(7), and Recital 26", "WP216"))
    said = " ".join([words, *(f"{ask.asked()['text']} {ask.asked().get('choices', '')}" for ask in questions("law"))])
    assert len(re.findall("anonym", said, re.I)) == 3, "the word itself, and two titles"
    says("law", 'is no number, and neither is "anonymous", a word that this lesson uses of no data')
    says("law", "Opinion 05/2014 on Anonymisation Techniques", "On the anonymity of home/work location pairs")


@pytest.mark.parametrize("name", ["by_side", "by_setting", "ways"])
def test_a_figure_shows_what_is_stored(name: str) -> None:
    figure = getattr(law_figures, name)()
    if name == "ways":
        said, shown = figure.draw()
        assert isinstance(said, Text) and "All four accept: Counts, a person protected." in said.text
        assert isinstance(shown, Table) and len(shown.rows) == 8
        for row, way in zip(shown.rows, law_ways.ways(), strict=False):
            assert row[0] == way.name and [cell.endswith("✗") for cell in row[1:]] == [
                not r.accepts(way) for r in law_ways.ROLES
            ]
        return
    for side in figure.stops[0].values:
        if name == "by_side":
            (chart,) = figure.draw(side)
            right, wrong = city.stored()["linked"][str(side)]
            assert [trace["y"] for trace in chart.figure["data"]] == [[right], [wrong], [1_000 - right - wrong]]
            continue
        for hours in figure.stops[1].values:
            (chart,) = figure.draw(side, hours)
            assert isinstance(chart, Chart)
            stored = STORED["settings"][f"{side} {hours}"]
            off, zero, half = (trace["y"] for trace in chart.figure["data"])
            assert off == stored["errors"] and zero == [stored["zeros"]] * 2 and half == [stored["zeros"] / 2] * 2
            assert f"is off by {amount(min(off))}, " in chart.summary


def test_what_is_measured_says_where_it_is_stored() -> None:
    assert "data/city_figures.py" in str(law_measured.__doc__)
