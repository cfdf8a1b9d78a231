"""What the people page says about publishing: the table as it is, under the scheme chosen, and what else would do."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.page.amounts import percent
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.pages.people import PeopleChoices, evaluate, improve, tables
from lmdk_widgets.pages.people.options import COMPARED, MOST_CHANCE, MOST_EPSILON, TRIED, Option, Options
from lmdk_widgets.pages.people.publishing import options_table, publishing_blocks, release_script
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import FEWEST, SAMPLE, PeopleTable, sample_city
from lmdk_widgets.pages.people.words import first_answers, offers, takes, verdict, verdict_said
from lmdk_widgets.population import People, UsefulShare
from lmdk_widgets.secure.command import timestamps
from tests.pages.few_people import ROWS, fake_worth


def test_the_verdict_offers_an_epsilon_that_meets_the_limit() -> None:
    session = PeopleSession()
    assert not session.outcome.meets
    (take,) = verdict(session.outcome)["takes"]
    session.apply(take["operations"], commit=True)
    assert session.outcome.meets and verdict(session.outcome)["look"] == "meets"
    session.apply([{"op": "set", "name": "most_percent", "value": 4.0}], commit=True)
    assert not session.outcome.meets


def test_useful_is_the_share_of_a_random_sample_and_grows_person_by_person() -> None:
    outcome = evaluate(PeopleChoices(table="own", epsilon=30.0, scheme="event"), PeopleTable(People(ROWS)))
    *_, last = improve(outcome)
    rng = np.random.default_rng(1)
    whole = People(ROWS).useful("event", 30.0, sample=SAMPLE, rng=rng, draws=1)
    assert (last.useful.share, last.useful.people, last.useful.of) == (whole.share, 3, 3)
    assert "everybody's was tried" in first_answers(last)[0].line
    assert first_answers(last)[0].brief == "people's releases are useful.", "no interval: nobody is left out"


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


def test_what_the_verdict_offers_is_the_number_it_says_and_meets_the_limit() -> None:
    session = PeopleSession()
    told = verdict(session.outcome)
    (operation,) = told["takes"][0]["operations"]
    session.apply([operation], commit=True)
    assert f"Epsilon {operation['value']:g} under" in told["help"]
    after = verdict(session.outcome)
    assert after["look"] == "meets" and f"up to epsilon {operation['value']:g} under" in after["help"]


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


def test_a_share_of_a_part_of_the_sample_is_told_as_such() -> None:
    useful = UsefulShare(0.05, 0.0, 0.25, 1.0, 1.0, 1.0, 20, 1000)
    some = Options(offered=(Option("window", 0.1, useful),), share=0.5)
    assert takes(some)["takes"][0]["said"].endswith(f"useful for {percent(0.05)} so far")
    known = replace(evaluate(PeopleChoices()), options=some)
    assert "useful for 5 of 100 people (0 to 25) so far (chosen from the data)" in offers(known).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    whole = replace(known, options=replace(some, share=1.0))
    assert "so far" not in str(takes(whole.options)) and "so far" not in offers(whole)


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
