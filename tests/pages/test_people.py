"""The people page: each number by hand, the stored summaries of the city, one person on the track page."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.sentences import Written, heard
from lmdk_widgets.pages.people import PeopleChoices, evaluate, improve, tables
from lmdk_widgets.pages.people.figures import dots_chart, expected_table, exposed_table, people_table
from lmdk_widgets.pages.people.model import CHOSEN, DISTANCES_M
from lmdk_widgets.pages.people.names_removed import CELLS_M, HOURS, SHORTLY, removed_blocks
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import CITY, PeopleTable, city_csv, sample_city
from lmdk_widgets.pages.people.words import describe, first_answers, verdict, verdict_said
from lmdk_widgets.population import People
from lmdk_widgets.population import sample_city as made_city
from lmdk_widgets.population.exposure_of_people import even_releases
from lmdk_widgets.population.together import Rows
from lmdk_widgets.population.unicity import cell_codes, hour_codes
from lmdk_widgets.trajectory.samples import data_folder
from lmdk_widgets.trajectory.zones import find_zone, to_local
from tests.pages.few_people import ROWS, fake_worth

RADIUS_M = 200.0


def by_hand(scheme: str, rule: str) -> list[float]:
    """How near each person is found at epsilon 1, from the stored places, in plain loops."""
    found = []
    with (data_folder() / CITY).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            n, marks = int(row["reports"]), int(row["landmarks"]) if rule == "stays" else 0
            each = {"event": 1.0, "user": 1 / n, "window": 1 / 3, "uniform": 1 / min(marks + 1, n)}[scheme]
            most = max(int(place.split("/")[0]) for place in row["places"].split())
            found.append(1.6651092223153956 * RADIUS_M / (each * math.sqrt(most)) if most >= 5 else math.inf)
    return found


@pytest.mark.parametrize("rule", ["stays", "none"])
@pytest.mark.parametrize("scheme", ["event", "user", "window", "uniform"])
def test_the_numbers_of_the_page_follow_from_the_places_of_people(scheme: str, rule: str) -> None:
    choices = PeopleChoices(scheme=scheme, rule=rule, epsilon=0.37, distance_m=150.0, most_percent=2.0)
    outcome = evaluate(choices)
    found = [each / 0.37 for each in by_hand(scheme, rule)]
    assert outcome.found_m == pytest.approx(found, rel=1e-6)

    def expected(distance: float, epsilon: float = 0.37) -> float:
        return sum(1 - 2 ** -((distance * epsilon / 0.37 / each) ** 2) for each in found)

    assert outcome.expected == pytest.approx([expected(each) for each in DISTANCES_M], rel=1e-5)
    assert outcome.expected_here == pytest.approx(expected(150.0), rel=1e-5)
    assert expected(150.0, outcome.epsilon_for) == pytest.approx(0.02 * len(found), rel=1e-5)
    assert outcome.meets == (outcome.epsilon_for >= 0.37)


def test_the_summaries_are_those_of_the_city_whose_tracks_are_generated() -> None:
    """Of a few people here; all of them at night."""
    frame = made_city()
    some = sample_city().people("stays").names[[3, 250, 999]].tolist()
    people = People(frame[frame.person.isin(some)])
    stored = (data_folder() / CITY).read_text("utf-8").splitlines()
    assert set(city_csv(people).splitlines()) <= set(stored)
    track = sample_city().people("stays").track(some[0])
    assert track.landmarks == people.track(some[0]).landmarks and len(track) == int(people.reports[0])


@pytest.mark.nightly
def test_all_summaries_are_those_of_the_city() -> None:
    assert city_csv(People(made_city())) == (data_folder() / CITY).read_text("utf-8")


def test_every_number_in_a_sentence_is_one_of_the_outcome() -> None:
    outcome = evaluate(PeopleChoices(person=7))
    with heard() as said:
        describe(outcome), first_answers(outcome), verdict(outcome), verdict_said(outcome)
    truths = {
        "expected_here": outcome.expected_here,
        "expected_of_100": outcome.expected_here / 10,
        "most_of_100": 5.0,
        "lasting": 1000.0,
        "n_people": 1000.0,
        "distance": 200.0,
        "epsilon_for": outcome.epsilon_for,
        "epsilon": 1.0,
        "nearest": min(by_hand("uniform", "stays")),
        "middle": sorted(by_hand("uniform", "stays"))[499],
        "most_share": 0.05,
    }
    seen = set()
    for one in said:
        for name, value in one.values.items():
            if isinstance(value, Written) and name in truths:
                two_digits = name in ("nearest", "middle")
                assert value.value == pytest.approx(truths[name], rel=0.05 if two_digits else 1e-6), name
                seen.add(name)
    assert seen == set(truths)


def lattice(order: list[int], pairs: int) -> list[tuple[int, float]]:
    """Pairs of a person and the share of their releases in which they are found nearer."""
    each = -(-pairs // len(order))
    pairs = each * len(order)
    return [(order[k // each], math.modf((k + 0.5) * (math.sqrt(5) - 1) / 2)[0]) for k in range(pairs)]


@pytest.mark.parametrize("n", [1, 6, 100, 250])
def test_as_many_dots_are_near_as_people_are_expected_to_be(n: int) -> None:
    rng = np.random.default_rng(n)
    found = np.sort(np.exp(rng.normal(6, 0.8, n)))
    who, near = even_releases(found, 100)
    assert len(who) == len(near) == 100 and (np.diff(near) >= 0).all()
    for distance in (50.0, 100.0, 200.0, 500.0, 2_000.0):
        assert (near < distance).sum() == pytest.approx(100 * (1 - 2 ** -((distance / found) ** 2)).mean(), abs=1)
    if n == 6:
        assert set(who.tolist()) == set(range(6))


def test_dots_of_few_people_are_releases_and_people_who_are_never_found_have_none() -> None:
    rows = ROWS + [{**ROWS[0], "person": "Dee", "time": "2026-03-02T08:00:00Z"}]
    outcome = evaluate(PeopleChoices(table="own", epsilon=0.3), PeopleTable(People(rows)))
    chart = dots_chart(outcome)
    near, far = (len(trace["x"]) for trace in chart.figure["data"])
    assert chart.figure["data"][1]["name"] == f"{far} farther, 25 not found"
    assert near + far == 75 and abs(near - 25 * outcome.expected_here) <= 1
    assert chart.figure["layout"]["yaxis"]["title"]["text"] == "each dot: one of 100 releases"
    assert "Each of 100 dots is a release of one of 4 people." in chart.summary


def test_a_dot_stands_for_each_hundredth_and_chooses_that_person() -> None:
    outcome = evaluate(PeopleChoices())
    order = sorted(range(1000), key=lambda k: outcome.found_m[k])
    who, found = outcome.dots
    within = [outcome.found_m[k] * math.sqrt(-math.log2(1 - u)) for k, u in lattice(order, 100 * 100)]
    assert found == pytest.approx(sorted(within)[50::100])
    chart = dots_chart(outcome)
    data = chart.figure["data"]
    assert sum(len(trace["x"]) for trace in data) == 100
    assert [act["value"] for act in data[0]["meta"]] == who[found < 200].tolist()
    assert len(data[0]["x"]) == round(100 * outcome.expected_here / 1000) == 13
    assert chart.figure["layout"]["yaxis"]["title"]["text"] == "each dot: 10 people"
    assert data[0]["name"] == "13 nearer than 200 m" and data[1]["name"] == "87 farther"
    assert [row[1] for row in exposed_table(outcome).rows] == sorted(outcome.found_m)[:10]
    assert [row[1] for row in expected_table(outcome).rows] == outcome.expected.tolist()
    assert len(people_table(outcome).rows) == 1000


def alone_by_hand(rows: Rows, k: int, cell_m: float, hours: int) -> float:
    """The share of people whom k points single out, in plain loops over everybody's points."""
    cell = cell_codes(rows.latitude, rows.longitude, cell_m)
    when = hour_codes(to_local(rows.time, find_zone(rows.zone)), hours)
    points: list[set[tuple[int, int]]] = [set() for _ in rows.names]
    for who, where, hour in zip(rows.person.tolist(), cell.tolist(), when.tolist(), strict=True):
        points[who].add((where, hour))
    rng, single = np.random.default_rng(5), 0
    for own in points:
        some = set(map(tuple, rng.permutation(sorted(own))[:k].tolist()))
        single += sum(some <= other for other in points) == 1
    return single / len(points)


def test_names_removed_are_singled_out_as_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "worth_of", fake_worth)
    frame = made_city()
    some = PeopleTable(People(frame[frame.person.isin(sample_city().people("stays").names[::10])]))
    outcome = evaluate(PeopleChoices(table="own", epsilon=1e-3, removed=True, cell_m=2_000.0, hours=6), some)
    *_, last = improve(outcome)
    assert set(last.removed.alone) == {(2_000.0, 6), *((c, 6) for c in CELLS_M), *((2_000.0, h) for h in HOURS)}
    for k, share in enumerate(last.removed.alone[2_000.0, 6], 1):
        by_hand_too = alone_by_hand(some.people("stays").rows, k, 2_000.0, 6)
        assert share == pytest.approx(by_hand_too, abs=0.15)  # other points are drawn
    text, chart, table, _ = removed_blocks(last.removed, last.choices)
    said = text.text.replace("\N{NO-BREAK SPACE}", " ")
    assert f"{100 * last.removed.alone[2_000.0, 6][3]:.0f} % with four points" in said
    assert "singles out" in said and " of the people with one point, " in said and said[0].isupper()
    assert [row[0] for row in table.rows] == [1, 6, 24, 168] and table.marked == 1
    assert last.removed.homes == {c: some.people("stays").home_and_work(c) for c in CELLS_M}
    assert len({row[1:] for row in table.rows}) > 1 and len({last.removed.alone[c, 6] for c in CELLS_M}) > 3
    assert chart.figure["data"][0]["y"] == [100 * last.removed.alone[c, 6][0] for c in CELLS_M]


def test_names_removed_stay_while_epsilon_moves_and_follow_the_cells() -> None:
    table = PeopleTable(People(ROWS))
    session = PeopleSession(PeopleChoices(table="own", removed=True), table)
    assert removed_blocks(session.outcome.removed, session.choices)[0].text == SHORTLY
    *_, session.outcome = session.improve(session.outcome)
    before = session.outcome
    assert before.removed.alone[1_000.0, 1] == (1.0, 1.0, 1.0, 1.0) and before.useful.people == 3
    session.apply([{"op": "set", "name": "epsilon", "value": 0.5}], commit=True)
    assert session.outcome.removed is before.removed and session.outcome.useful is None
    session.apply([{"op": "set", "name": "distance_m", "value": 90.0}], commit=True)
    session.apply([{"op": "set", "name": "cell_m", "value": 20_000.0}], commit=True)
    assert not session.outcome.removed.alone
    first = next(each for each in session.improve(session.outcome) if each.removed.alone)
    assert first.removed.alone[20_000.0, 1][0] == 0.0 and first.useful is None, "one cell, the same hours; first of all"
    assert removed_blocks(first.removed, session.choices)[-1].text.endswith(" 1 of 11 settings are computed.")
    assert session.progress(first, busy=True).text == ""
    *_, session.outcome = session.improve(session.outcome)
    assert "do not share" in session.save("removed").data.decode()
    session.apply([{"op": "set", "name": "removed", "value": False}], commit=True)
    assert session.outcome.removed is None
    with pytest.raises(InputError, match="open"):
        session.save("removed")


def test_the_person_chosen_has_a_mark_even_without_a_dot() -> None:
    outcome = evaluate(PeopleChoices(person=int(evaluate(PeopleChoices()).nearest_first[0])))
    drawn = dots_chart(outcome).figure["data"][-1]
    assert drawn["name"] == "the person chosen" and len(drawn["x"]) >= 1
    other = next(k for k in range(1000) if k not in outcome.dots[0])
    ring = dots_chart(evaluate(PeopleChoices(person=other))).figure["data"][-1]
    assert ring["x"] == pytest.approx([outcome.found_m[other]], rel=0.1) and ring["y"] == [0.7]


def test_the_chosen_schemes_are_in_proportion_to_epsilon() -> None:
    people = sample_city().people("stays")
    for scheme in CHOSEN:
        assert np.allclose(people.found(scheme, 0.1), 10 * people.found(scheme, 1.0), rtol=1e-9)


def test_a_dot_says_how_near_its_person_is_found() -> None:
    chart = dots_chart(PeopleSession().outcome)
    said = [text for trace in chart.figure["data"] for text in trace.get("hovertext", ())]
    assert said and all(text.startswith("found to within ") for text in said)
    assert "hovertemplate" not in str(chart.figure), "the page writes no entries of lists"


def test_the_window_is_said_where_the_scheme_is_chosen() -> None:
    described = PeopleChoices.kinds()["scheme"].describe()
    meaning = next(one["meaning"] for one in described["choices"] if one["name"] == "window")
    assert "w is 3 here." in meaning
    assert "any 3 moments" in first_answers(evaluate(PeopleChoices(scheme="window")))[2].line
