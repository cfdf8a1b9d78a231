"""The people page: each number by hand, the stored summaries of the city, one person on the track page."""

from __future__ import annotations

import csv
import math
import pickle
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.reader import _answered
from lmdk_widgets.page.amounts import percent
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.page.sentences import Written, heard
from lmdk_widgets.pages.people import PeopleChoices, evaluate, improve, tables
from lmdk_widgets.pages.people.figures import dots_chart, expected_table, exposed_table, people_table
from lmdk_widgets.pages.people.model import CHOSEN, DISTANCES_M
from lmdk_widgets.pages.people.names_removed import CELLS_M, HOURS, SHORTLY, removed_blocks
from lmdk_widgets.pages.people.options import COMPARED, MOST_CHANCE, MOST_EPSILON, TRIED
from lmdk_widgets.pages.people.page import PeoplePage
from lmdk_widgets.pages.people.publishing import options_table, publishing_blocks, release_script
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import CITY, FEWEST, SAMPLE, PeopleTable, city_csv, read_table_at, sample_city
from lmdk_widgets.pages.people.words import describe, first_answers, verdict, verdict_said
from lmdk_widgets.population import People, UsefulShare
from lmdk_widgets.population import sample_city as made_city
from lmdk_widgets.population.exposure_of_people import even_releases
from lmdk_widgets.population.together import Rows
from lmdk_widgets.population.unicity import cell_codes, hour_codes
from lmdk_widgets.secure.command import timestamps
from lmdk_widgets.trajectory import load_trajectory
from lmdk_widgets.trajectory.samples import data_folder
from lmdk_widgets.trajectory.zones import find_zone, to_local

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


def test_the_verdict_offers_an_epsilon_that_meets_the_limit() -> None:
    session = PeopleSession()
    assert not session.outcome.meets
    (take,) = verdict(session.outcome)["takes"]
    session.apply(take["operations"], commit=True)
    assert session.outcome.meets and verdict(session.outcome)["look"] == "meets"
    session.apply([{"op": "set", "name": "most_percent", "value": 4.0}], commit=True)
    assert not session.outcome.meets


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


ROWS = [
    {
        "person": who,
        "time": f"2026-03-02T{hour:02d}:{minute:02d}:00Z",
        "latitude": round(48.85 + k / 50, 2),
        "longitude": 2.35,
    }
    for k, who in enumerate(["Ada", "Bob", "Cy"])
    for hour in range(8, 12)
    for minute in range(0, 60, 10)
]


def test_a_table_of_the_users_own_is_read_and_said_to_be_for_its_owner() -> None:
    lines = ["person,time,latitude,longitude", *(",".join(map(str, row.values())) for row in ROWS)]
    session = PeopleSession()
    session.load("\n".join(lines).encode(), "three.csv")
    assert session.choices.table == "own" and session.outcome.people.names.tolist() == ["Ada", "Bob", "Cy"]
    assert session.left_out() == ("your table",)
    file = session.save("everyone").data.decode()
    assert "do not share" in file and "Ada" in file
    assert "table=own" in session.link.query and "Ada" not in session.link.query
    with pytest.raises(InputError, match="true data"):
        session.what_if()


def test_the_track_of_one_person_is_handed_to_the_track_page() -> None:
    session = PeopleSession(PeopleChoices(table="own", person=1), PeopleTable(People(ROWS)))
    sent: list[Any] = []
    page = PeoplePage(session, send=lambda message, buffers: sent.append((message, buffers)))
    page.receive({"type": "person"})
    assert sent[-1][0]["type"] == "person", sent[-1][0]
    message, (data,) = sent[-1]
    assert message["type"] == "person" and message["name"] == "Bob.csv"
    assert message["settings"] == {"scheme": "uniform", "epsilon": 1.0} and message["read"] == {}
    page.receive({"type": "change", "operations": [{"op": "zone", "timezone": "Europe/Paris"}]})
    page.receive({"type": "person"})
    assert sent[-1][0]["read"] == {"timezone": "Europe/Paris"}
    assert load_trajectory(sent[-1][1][0], **sent[-1][0]["read"]).zone == "Europe/Paris"
    assert "person" not in session.link.query
    rows = list(csv.DictReader(data.decode().splitlines()))
    assert len(rows) == 24 and {row["latitude"] for row in rows} == {"48.87"}
    track = session.outcome.people.track("Bob")
    assert [k for k, row in enumerate(rows) if row["landmark"] == "1"] == list(track.landmarks)
    page.receive({"type": "change", "operations": [{"op": "set", "name": "person", "value": -1}]})
    page.receive({"type": "person"})
    assert sent[-1][0]["type"] == "refused"


NAIVE = "person,time,latitude,longitude\n" + "".join(
    f"{who},2026-03-02 08:{minute:02d}:00,48.85,2.35\n" for who in ("Ada", "Bob") for minute in range(0, 60, 10)
)


def test_a_path_is_read_only_where_the_user_may_read_every_file(tmp_path: Path) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE.replace(":00,", ":00Z,"))
    with pytest.raises(InputError, match="your own computer"):
        PeopleSession().read_path(str(file))
    sent: list[Any] = []
    page = PeoplePage(PeopleSession(), send=lambda message, _: sent.append(message))
    page.receive({"type": "ready"})
    assert sent[0]["paths"] is False and sent[0]["reads"] is True
    page.receive({"type": "path", "path": str(file)})
    assert [each["type"] for each in sent[-2:]] == ["refused", "read"] and sent[-1]["taken"] is False
    assert "rides" not in sent[-2]["text"] and page.session.data is None


def test_a_path_is_read_and_its_zone_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE)
    sent: list[Any] = []
    page = PeoplePage(PeopleSession(paths=True), send=lambda message, _: sent.append(message))
    page.receive({"type": "ready"})
    page.receive({"type": "path", "path": str(file)})
    assert sent[-2]["kind"] == "timezone" and sent[-1]["taken"] is False
    page.receive({"type": "reload", "timezone": "Europe/Paris"})
    assert sent[-1]["taken"] is True and page.session.choices.table == "own"
    assert page.session.outcome.people.names.tolist() == ["Ada", "Bob"] and page.session.data.name == "rides.csv"
    page.receive({"type": "path", "path": str(tmp_path / "no.csv")})
    assert "exists" in sent[-2]["text"] and page.session.data.name == "rides.csv"


def test_a_large_table_is_read_in_parts_to_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE)
    whole = read_table_at(str(file), timezone="UTC")
    monkeypatch.setattr(tables, "MAX_UPLOAD_BYTES", 10)
    parts = read_table_at(str(file), timezone="UTC")
    choices = PeopleChoices(table="own", removed=True)
    one, other = (evaluate(choices, table) for table in (whole, parts))
    assert one.found_m.tolist() == other.found_m.tolist()
    assert parts.alone(500.0, 1, 2, 1) == whole.alone(500.0, 1, 2, 1) == 0.0
    assert parts.people("none").track("Bob").landmarks == ()


def test_bad_input_gets_a_sentence() -> None:
    with pytest.raises(InputError, match="table of your own"):
        evaluate(PeopleChoices(table="own"))
    with pytest.raises(InputError, match="Epsilon must be"):
        PeopleChoices(epsilon=-1)
    with pytest.raises(InputError):
        PeopleSession().load(b"a,b\n1,2\n", "x.csv")


def test_rows_that_cannot_be_used_are_a_sentence_without_a_choice() -> None:
    rows = b"person,time,latitude,longitude\n" + b"Ada,2026-03-02T08:00:00Z,98,2\n" * 9
    with pytest.raises(InputError, match="cannot be used") as refused:
        PeopleSession().load(rows, "x.csv")
    assert refused.value.kind == ""


def test_landmarks_of_nobody_are_those_of_a_table_read_with_that_rule() -> None:
    table = PeopleTable(People(ROWS))
    ours, theirs = table.people("none"), People(ROWS, rule="none")
    assert ours.found("uniform", 0.5).tolist() == theirs.found("uniform", 0.5).tolist()
    assert ours.track("Bob").landmarks == () and ours.rows is table.people("stays").rows


def test_a_table_that_another_process_has_read_is_the_same() -> None:
    """A room reads visitors' files elsewhere, and trusts only a few kinds of values that come back."""
    lines = ["person,time,latitude,longitude", *(",".join(map(str, row.values())) for row in ROWS)]
    data = "\n".join(lines).encode()
    found = _answered(pickle.dumps(("found", PeopleSession().read(data, "three.csv"))))
    own, other = (evaluate(PeopleChoices(table="own"), table) for table in (PeopleTable(People(ROWS)), found))
    assert own.found_m.tolist() == other.found_m.tolist() and found.said == "three.csv: 72 reports of 3 people."


def test_useful_is_the_share_of_a_random_sample_and_grows_person_by_person() -> None:
    outcome = evaluate(PeopleChoices(table="own", epsilon=30.0, scheme="event"), PeopleTable(People(ROWS)))
    *_, last = improve(outcome)
    rng = np.random.default_rng(1)
    whole = People(ROWS).useful("event", 30.0, sample=SAMPLE, rng=rng, draws=1)
    assert (last.useful.share, last.useful.people, last.useful.of) == (whole.share, 3, 3)
    assert "everybody's was tried" in first_answers(last)[0].line
    assert first_answers(last)[0].brief == "people's releases are useful.", "no interval: nobody is left out"


def fake_worth(track: Any, settings: Any, draws: int | None = None) -> tuple[float, float]:
    """Useful to the people with an odd number, and under w-event uniform to all."""
    useful = settings["scheme"] == "window" or int(track.name[1:]) % 2
    return (1.0 if useful else 3.0), 4.0


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is useful is made up, and no table keeps anything else of it, before or after."""
    sample_city.cache_clear()
    monkeypatch.setattr(tables, "worth_of", fake_worth)
    yield
    sample_city.cache_clear()


@pytest.mark.usefixtures("faked")
def test_the_sample_grows_person_by_person_and_the_options_are_compared_in_between() -> None:
    seen = [*improve(evaluate(PeopleChoices()))]
    people = [None if one.useful is None else one.useful.people for one in seen]
    told = list(dict.fromkeys(people))
    assert told == [None, *range(FEWEST, SAMPLE + 1)] and people == sorted(people, key=lambda each: each or 0)
    first = next(one for one in seen if one.options is not None and one.options.offered)
    doubtful = replace(first.options.offered[0], useful=replace(first.options.offered[0].useful, share=0.05, high=0.24))
    early = replace(first.options, offered=(doubtful,))
    assert early.useful and not replace(early, share=1.0).useful, (
        "whether it is useless is said once the sample is complete"
    )
    assert first.useful.people == COMPARED and first.options.share < 1
    best, other = seen[-1].options.offered
    assert seen[-1].options.share == 1 and best.scheme == "window" and best.useful.share == 1.0
    assert best.useful.people == other.useful.people == SAMPLE and other.epsilon <= MOST_EPSILON
    assert [one.useful.people for one in seen[-1].options.tried] == [COMPARED] * len(TRIED)
    again = [*improve(seen[-1])]
    assert all(one.useful.people == SAMPLE and one.options.share == 1 for one in again)


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


def test_what_the_verdict_offers_is_the_number_it_says_and_meets_the_limit() -> None:
    session = PeopleSession()
    told = verdict(session.outcome)
    (operation,) = told["takes"][0]["operations"]
    session.apply([operation], commit=True)
    assert f"Epsilon {operation['value']:g} under" in told["help"]
    after = verdict(session.outcome)
    assert after["look"] == "meets" and f"up to epsilon {operation['value']:g} under" in after["help"]


def test_a_dot_says_how_near_its_person_is_found() -> None:
    chart = dots_chart(PeopleSession().outcome)
    said = [text for trace in chart.figure["data"] for text in trace.get("hovertext", ())]
    assert said and all(text.startswith("found to within ") for text in said)
    assert "hovertemplate" not in str(chart.figure), "the page writes no entries of lists"


def test_the_name_of_a_saved_file_can_be_written_on_any_system() -> None:
    assert not set(PeopleSession().save("everyone").name) & set(':*?"<>|/\\ ')


# -- may it be published, and if not, what? ----------------------------------------------------------------------------


def test_who_promises_nothing_is_not_green() -> None:
    """User level keeps 95 of 100 people unfound at an epsilon that promises nothing."""
    outcome = evaluate(PeopleChoices(scheme="user", epsilon=8.0))
    told = verdict(outcome)
    assert outcome.meets and told["look"] == "weak"
    assert told["lead"] == "Meets your limit, but promises nothing."
    assert first_answers(outcome)[2].look == "red"
    good = evaluate(PeopleChoices(scheme="user", epsilon=0.5))
    assert verdict(good)["look"] == "meets" and verdict(good)["lead"] == "Meets your limit."
    assert "little" in verdict(evaluate(PeopleChoices(scheme="user", epsilon=2.5)))["lead"]


def test_what_is_useful_to_hardly_anybody_is_not_green() -> None:
    table = sample_city()
    outcome = evaluate(PeopleChoices(epsilon=0.1))
    useless = UsefulShare(0.05, 0.0, 0.1, 1.0, 1.0, 1.0, SAMPLE, 1000)
    few = replace(outcome, useful=replace(useless, people=SAMPLE - 1))
    assert outcome.table is table and verdict(few)["look"] == "meets", "not before the whole sample was tried"
    told = replace(outcome, useful=useless)
    assert verdict(told)["look"] == "weak" and verdict(told)["lead"] == "Meets your limit, but is of little use."


def test_the_first_sentence_is_about_the_table_as_it_is() -> None:
    outcome = evaluate(PeopleChoices(epsilon=1e-3))
    before = verdict(outcome)
    assert before["bare"] == "As it is: no." and before["bare_why"] == "It shows where all 1,000 people stay."
    better = next(improve(outcome))
    alone = sample_city().alone(1_000.0, 1, 4, 1)
    assert better.unnamed.alone == alone
    assert f"single out {100 * alone:.0f} % of the people" in verdict_said(better).replace("\N{NO-BREAK SPACE}", " ")
    assert f"four points single out {100 * alone:.0f}" in str(verdict(better)["bare_why"])
    assert verdict_said(better).startswith("As it is: no. It shows")
    nowhere = [{**row, "latitude": 48.0 + k / 10} for k, row in enumerate(ROWS[:3])]
    few = evaluate(PeopleChoices(table="own"), PeopleTable(People(nowhere)))
    assert few.lasting == 0 and few.as_it_is_meets is None and verdict(few)["bare"] == "As it is: not known yet."
    assert verdict(next(improve(few)))["bare"] == "As it is: no.", "one person alone is singled out"
    assert replace(few, unnamed=replace(next(improve(few)).unnamed, alone=0.0)).as_it_is_meets is True


@pytest.mark.long
@pytest.mark.usefixtures("faked")
def test_options_meet_the_limit_and_promise_something(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, outcome = improve(evaluate(PeopleChoices(most_percent=10.0, distance_m=300.0)))
    for one in outcome.options.all:
        at = evaluate(PeopleChoices(scheme=one.scheme, epsilon=one.epsilon, most_percent=10.0, distance_m=300.0))
        assert at.meets and at.keeps_promise
        largest = at.choices.with_changes(epsilon=1.02 * one.epsilon)
        assert not (evaluate(largest).meets and evaluate(largest).keeps_promise), "no smaller than it must be"
    assert promised(guesses(MOST_EPSILON))[1] == "amber" and promised(guesses(1.001 * MOST_EPSILON))[1] == "red"
    assert guesses(MOST_EPSILON) == pytest.approx(MOST_CHANCE)
    told = verdict(outcome)
    assert told["help"] == "You could publish" and told["takes"][0]["said"].startswith("w-event uniform with epsilon")
    assert told["takes"][0]["said"].endswith(f"useful for {percent(1.0)}")
    assert "useful for 100 of 100 people (94 to 100)" in verdict_said(outcome)
    session = PeopleSession()
    session.apply(told["takes"][0]["operations"], commit=True)
    assert (session.choices.scheme, session.choices.epsilon) == ("window", outcome.options.offered[0].epsilon)
    table = options_table(outcome)
    assert [row[0] for row in table.rows][:2] == [one.scheme for one in outcome.options.offered]
    session.apply([table.acts[1]], commit=True)
    assert session.choices.scheme == outcome.options.offered[1].scheme
    monkeypatch.setattr(tables, "worth_of", lambda *_, **__: (4.0, 4.0))
    *_, none = improve(evaluate(PeopleChoices(seed=2)))
    assert verdict(none)["help"] == "Nothing useful does; the best is" and len(verdict(none)["takes"]) == 1
    assert "rather publish no tracks" in publishing_blocks(none)[0].text


def test_user_level_promises_something_about_the_whole_track() -> None:
    answer = first_answers(evaluate(PeopleChoices(scheme="user", rule="none")))[2]
    assert answer.line.endswith("for the whole track. A home is a part of it.")
    assert answer.short.endswith("the whole track; homes included.")
    assert first_answers(evaluate(PeopleChoices()))[2].short.endswith("; homes: nothing.")
    assert first_answers(evaluate(PeopleChoices(scheme="uniform", rule="none")))[2].line.count("one moment") == 1


def test_the_window_is_said_where_the_scheme_is_chosen() -> None:
    described = PeopleChoices.kinds()["scheme"].describe()
    meaning = next(one["meaning"] for one in described["choices"] if one["name"] == "window")
    assert "w is 3 here." in meaning
    assert "any 3 moments" in first_answers(evaluate(PeopleChoices(scheme="window")))[2].line


def test_a_small_tables_limit_is_said_of_100() -> None:
    outcome = evaluate(PeopleChoices(table="own", epsilon=0.3), PeopleTable(People(ROWS)))
    assert "at most 5 of 100 may be." in verdict_said(outcome)


def test_the_zone_of_an_own_table_can_be_set() -> None:
    table = PeopleTable(People(ROWS))
    session = PeopleSession(PeopleChoices(table="own"), table)
    assert table.zone == "" and any("No time zone" in each for each in table.notices)
    before = table.alone(500.0, 24, 1, 1)
    session.apply([{"op": "zone", "timezone": "Pacific/Kiritimati"}], commit=True)
    moved = session.outcome.table
    assert moved.zone == "Pacific/Kiritimati" and not any("No time zone" in each for each in moved.notices)
    assert moved.people("stays").track("Bob").zone == moved.people("none").track("Bob").zone == "Pacific/Kiritimati"
    assert np.array_equal(moved.people("stays").found("uniform", 1.0), table.people("stays").found("uniform", 1.0))
    assert before >= 0 and session.choices.table == "own"
    with pytest.raises(InputError, match="IANA"):
        session.apply([{"op": "zone", "timezone": "Mars/Base"}], commit=True)
    with pytest.raises(InputError, match="own"):
        PeopleSession().apply([{"op": "zone", "timezone": "UTC"}], commit=True)


def test_the_script_has_a_command_for_each_person_that_the_command_line_reads() -> None:
    table = PeopleTable(People(ROWS))
    outcome = evaluate(PeopleChoices(table="own", epsilon=0.3), table)
    script = release_script(outcome, "x.sh")
    lines = [shlex.split(line) for line in script.splitlines() if line.startswith("release ")]
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)
    assert sorted(line[1] for line in lines) == ["Ada", "Bob", "Cy"] and sorted(line[2] for line in lines) == [
        "1",
        "2",
        "3",
    ]
    track = table.people("stays").track("Bob")
    marks = next(line for line in lines if line[1] == "Bob")[3]
    assert timestamps(marks, len(track)) == list(track.landmarks)
    assert "--scheme uniform --epsilon 0.3 --radius 200" in script and "do not share" in script
    user = release_script(evaluate(PeopleChoices(table="own", scheme="user"), table), "x.sh").splitlines()
    assert {len(shlex.split(line)) for line in user if line.startswith("release ")} == {3}
    assert "--window 3" in release_script(evaluate(PeopleChoices(table="own", scheme="window"), table), "x.sh")
    city = PeopleSession(PeopleChoices(scheme="user")).save("commands")
    assert city.name.endswith(".sh") and city.data.decode().count("\nrelease p") == 1000
    assert "city.csv" in city.data.decode()
