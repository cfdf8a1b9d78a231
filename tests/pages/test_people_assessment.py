"""The assessment: each number is that of the function that computes it, and each sentence is printed again by its command."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.page.amounts import amount, percent
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import Sentence, Written
from lmdk_widgets.pages.people import PeopleChoices, PeopleTable, evaluate, improve, tables
from lmdk_widgets.pages.people.alternatives import MAY_IT_BE_TOLD, remaining
from lmdk_widgets.pages.people.assessment import Assessment, assessment_blocks, assessment_of, is_ready
from lmdk_widgets.pages.people.assessment_files import (
    assessment_html,
    assessment_markdown,
    numbered_sections,
)
from lmdk_widgets.pages.people.names_removed import COARSER_M, POINTS
from lmdk_widgets.pages.people.parts import FLAGS, PARTS, command, computed
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import SAMPLE, read_table_at
from lmdk_widgets.pages.people.today import PractisedOne, PractisedShare, practices_of, shown_m
from lmdk_widgets.pages.people.words import found_text, headcount
from lmdk_widgets.population import People
from lmdk_widgets.population.counts_of_people import Accuracy, Protection
from lmdk_widgets.population.usefulness_of_people import wilson
from lmdk_widgets.practice.chosen_practice import Practice
from lmdk_widgets.practice.practised import practised
from tests.pages.assessed_people import CHANGES, assessed, fake_worth, people_csv
from tests.population.crowds import crowd


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people_csv(tmp_path_factory.mktemp("assessed"))


@pytest.fixture(scope="module")
def table(file: Path) -> PeopleTable:
    return read_table_at(str(file), timezone="Europe/Paris")


@pytest.fixture(autouse=True)
def _fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "really" not in request.node.name:
        monkeypatch.setattr(tables, "worth_of", fake_worth)


def sentences(found: Assessment) -> Iterator[Sentence]:
    """Every sentence with its values, also those within others."""

    def within(text: Any) -> Iterator[Sentence]:
        if isinstance(text, Sentence):
            yield text
            for value in text.values.values():
                yield from within(value)

    texts: list[Any] = [*found.answer.remain, *found.answer.why, found.limit, found.table]
    texts += [cell for row in found.alternatives for cell in row]
    texts += [text for section, claims in numbered_sections(found) for _, claim in claims for text in claim]
    for text in texts:
        yield from within(text)


def numbers(found: Assessment) -> dict[str, list[Written]]:
    """Every number by its name."""
    named: dict[str, list[Written]] = {}
    for said in sentences(found):
        for name, value in said.values.items():
            if isinstance(value, Written):
                named.setdefault(name, []).append(value)
    return named


@pytest.mark.parametrize(
    "changes", [{}, CHANGES, {"rule": "none", "level": "event"}], ids=["usual", "other", "no landmarks"]
)
def test_every_number_is_that_of_the_function_that_computes_it(
    table: PeopleTable, file: Path, changes: dict[str, Any]
) -> None:
    """Each is computed again here from `People`, the counts and the practices, by its name."""
    outcome = assessed(table, **changes)
    choices, found = outcome.choices, assessment_of(outcome, str(file))
    people = People(str(file), timezone="Europe/Paris")
    people = people.without_landmarks() if choices.rule == "none" else people
    here, n = (choices.scheme, choices.epsilon), len(people)
    expected = people.expected_found(*here, [50.0, 100.0, 200.0, 500.0])
    points = [
        people.unicity(k, cell_m=choices.cell_m, hours=choices.hours, rng=np.random.default_rng(choices.seed))
        for k in POINTS
    ]
    coarser = [
        people.unicity(4, cell_m=cell, hours=choices.hours, rng=np.random.default_rng(choices.seed))
        for cell in COARSER_M
    ]
    hours, weekly = (1, True) if choices.slot == "week" else (int(choices.slot), False)
    added = table.contributions(choices.counted, choices.count_cell_m, hours, weekly=weekly)
    counts = Accuracy.of(added, Protection(choices.level, choices.epsilon, choices.most, max(1, 24 // hours)))
    shares = [share_by_hand(people, one, choices) for one in practices_of(choices)]
    of = [each for each, _ in shares]
    by_hand: dict[str, list[float]] = {
        "expected_here": [people.expected_found(*here, [choices.distance_m])[0]],
        "expected_of_100": [100 * people.expected_found(*here, [choices.distance_m])[0] / n],
        "expected": [*expected],
        "n_people": [n],
        "n": [n],
        "n_reports": [people.reports.sum()],
        "lasting": [np.isfinite(people.found(*here)).sum()],
        "alone": [*points, *coarser, points[-1]],
        "pair": [table.homes(choices.cell_m)],
        "error": [counts.error],
        "zeros": [counts.zeros],
        "survive": [counts.survives.sum(), *(one.survive for one in outcome.counted.others)],
        "cut": [counts.cut / max(1, len(added))],
        "counts_promise": [100 * guesses(choices.epsilon)],
        "n_near": [sum(near < choices.distance_m for _, near in each) for each in of],
        "n_hidden": [sum(hidden < choices.distance_m for hidden, _ in each) for each in of],
        "n_sampled": [n],
        "left_out": [left_out for _, left_out in shares],
        "most_of_100": [choices.most_percent],
        "epsilon": [choices.epsilon],
        "n_tried": [len(outcome.counted.others)],
    }
    told = numbers(found)
    for name, values in by_hand.items():
        for value in told.get(name, []):
            if not math.isnan(value.value):
                assert min(abs(value.value - one) for one in values) <= 1e-9 * max(1, abs(value.value)), (name, value)
    assert {"alone", "pair", "error", "zeros", "n_near", "expected_here", "lasting", "counts_promise"} <= set(told)
    assert f"off by {amount(counts.error)} on average, zeros everywhere by {amount(counts.zeros)}" in str(found)
    within = ", ".join(
        f"{headcount(x)} within {m}" for x, m in zip(expected, ("50 m", "100 m", "200 m", "500 m"), strict=True)
    )
    assert within in found.alternatives[2].gives_away, "what an answer says is a plain text"
    assert f"Useful: {100 * outcome.useful.share:.0f} of 100" in found.alternatives[2].costs
    assert promised(guesses(choices.epsilon))[0] in found.alternatives[3].gives_away
    assert percent(points[-1]) in found.alternatives[0].gives_away


def share_by_hand(
    people: People, practice: Practice, choices: PeopleChoices
) -> tuple[list[tuple[float, float]], float]:
    """How near each person is found in the hidden place and anywhere, by loops; and the middle share that is left out."""
    from lmdk_widgets.answers.main_places import lasting_places_of

    found, left_out = [], []
    for name in people.names:
        track = people.track(name)
        one = practised(practice, track, knows=True, seed=choices.seed)
        left_out.append(1.0 if one.published is None else one.left_out)
        near = [math.inf if one.published is None else one.found_m]
        for true in lasting_places_of(track):
            for told in lasting_places_of(one.published) if one.published is not None else ():
                near.append(float(distance_m(true.latitude, true.longitude, told.latitude, told.longitude)))
        found.append((near[0], min(near)))
    return found, float(np.median(left_out))


def test_the_sentences_are_those_of_the_page(table: PeopleTable, file: Path) -> None:
    """Each part's sentences are in the assessment, and nothing else is claimed."""
    outcome = assessed(table)
    claims = [claim.text for _, told in numbered_sections(assessment_of(outcome)) for _, claim in told]
    assert sorted(claims) == sorted(text for part in PARTS.values() for text in part.said(outcome))


def test_claims_are_numbered_throughout_and_each_has_its_assumption_and_command(table: PeopleTable, file: Path) -> None:
    found = assessment_of(assessed(table), str(file))
    told = [one for _, claims in numbered_sections(found) for one in claims]
    assert [number for number, _ in told] == [*range(1, len(told) + 1)] and len(told) >= 12
    for _, claim in told:
        assert claim.assumes.endswith(".") and claim.text[0].isupper()
        assert shlex.split(claim.command)[:3] == ["lmdk", "people", str(file)]


@pytest.mark.long
def test_each_command_prints_its_sentence_again(
    table: PeopleTable, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_every_command(table, file, capsys, CHANGES)


@pytest.mark.nightly
def test_each_command_really_prints_its_sentence_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the mathematics of usefulness, which takes a while."""
    run_every_command(read_table_at(str(file), timezone="Europe/Paris"), file, capsys, {})


def run_every_command(
    table: PeopleTable, file: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any]
) -> None:
    outcome = assessed(table, **changes)
    found = assessment_of(outcome, str(file))
    printed: dict[str, str] = {}
    for _, claims in numbered_sections(found):
        for _, claim in claims:
            if claim.command not in printed:
                assert main(shlex.split(claim.command)[1:]) == 0
                printed[claim.command] = re.sub(r"\s+", " ", capsys.readouterr().out)
            assert re.sub(r"\s+", " ", claim.text) in printed[claim.command]
    assert len(printed) == len(PARTS)


def test_a_command_names_the_settings_that_its_part_depends_on() -> None:
    """Whatever else is chosen, its sentences stay the same; with what it depends on, the command makes the same choices."""
    outcome = evaluate(PeopleChoices(table="own", **CHANGES), PeopleTable(People(crowd(5, most=20, seed=1)), "x.csv"))
    assert set(FLAGS) == {name for part in PARTS.values() for name in part.depends}
    for name, part in PARTS.items():
        words = shlex.split(command(outcome, name))
        told = {word.removeprefix("--") for word in words if word.startswith("--")}
        assert told == {FLAGS[each] for each in part.depends if each in CHANGES} | {"only"}


def test_what_a_part_does_not_depend_on_does_not_change_it(table: PeopleTable, file: Path) -> None:
    for name, part in PARTS.items():
        usual = part.said(computed(evaluate(PeopleChoices(table="own", removed=True), table), name))
        others = {each: value for each, value in CHANGES.items() if each not in part.depends}
        changed = PeopleChoices(table="own", removed=True, **others)
        assert part.said(computed(evaluate(changed, table), name)) == usual, name


def test_what_remains_meets_the_limit_promises_something_and_is_of_use(table: PeopleTable) -> None:
    kinds = set()
    for changes in (
        {},
        {"scheme": "user", "epsilon": 0.01},
        {"scheme": "user", "epsilon": 8.0, "most_percent": 80.0},
        {"count_cell_m": 50_000.0, "slot": "168", "most": 5, "epsilon": 2.0},
        {"count_cell_m": 50_000.0, "slot": "24", "most": 5, "epsilon": 2.0},
        {"count_cell_m": 50_000.0, "slot": "168", "most": 5, "epsilon": 3.0},
    ):
        outcome = assessed(table, **changes)
        found, counted = [*remaining(outcome)], outcome.counted
        assert outcome.keeps_promise or not any(one.counts for one in found)
        assert "level" not in {name for one in found for name in one.changes}, "what protects less is another promise"
        for one in found:
            kinds.add((one.counts, bool(one.changes)))
            at = evaluate(outcome.choices.with_changes(assessed=False, **one.changes), table)
            if one.counts:
                there = [each for each in counted.others if dict(each.changes) == one.changes] or [counted.here]
                assert not there[0].useless
            else:
                assert at.meets and at.keeps_promise
        written = assessment_of(outcome)
        assert [what for what, _ in written.commands] == list(written.answer.remain)
        limit = [why for why in written.answer.why if why.startswith("These do not meet your limit")]
        assert outcome.meets == (f"tracks under {written.alternatives[2].published[16:]}" not in "".join(limit))
    assert kinds == {(False, False), (False, True), (True, False), (True, True)}
    nothing = replace(
        outcome, options=replace(outcome.options, offered=()), counted=replace(counted, others=(), here=None)
    )
    nothing = replace(nothing, counted=replace(nothing.counted, refused="None."), expected_here=1e9)
    told = assessment_of(nothing)
    assert told.answer.lead.startswith("Nothing that was computed here") and not told.commands


def test_the_tab_says_what_remains_and_save_has_the_files(table: PeopleTable) -> None:
    session = PeopleSession(PeopleChoices(table="own"), table)
    assert assessment_blocks(session.outcome) == [] and "zone_m" not in session.visible()
    session.apply([{"op": "set", "name": "assessed", "value": True}], commit=True)
    assert {"zone_m", "decimals", "cell_m", "slot"} <= set(session.visible())
    (waits,) = assessment_blocks(session.outcome)
    assert "0 of 6 parts" in waits.text
    with pytest.raises(InputError, match="Open its tab"):
        session.save("assessment")
    *_, outcome = improve(session.outcome)
    session.take(outcome, session.state)
    shown, found = assessment_blocks(outcome), assessment_of(outcome)
    assert shown[0].text == found.answer.lead and [one.text[2:] for one in shown[1 : 1 + len(found.answer.remain)]] == [
        *found.answer.remain
    ]
    (alternatives,) = (block for block in shown if isinstance(block, Table))
    assert [tuple(row) for row in alternatives.texts()] == [tuple(row) for row in found.alternatives]
    page, text = session.save("assessment"), session.save("assessment-md")
    assert page.data.decode() == assessment_html(found) and text.data.decode() == assessment_markdown(found)
    assert page.name.startswith("for-the-owner-of-the-table-only-do-not-share") and page.name.endswith(
        "assessment.html"
    )
    assert text.name.endswith("assessment.md")


def test_what_is_known_stays_while_epsilon_moves(table: PeopleTable) -> None:
    """Zones and rounding depend on what a reader has without a release, which no epsilon changes."""
    outcome = assessed(table)
    moved = evaluate(outcome.choices.with_changes(epsilon=0.3), table).with_slow(outcome)
    assert moved.today == () and moved.removed is outcome.removed
    assert assessed(table, epsilon=0.3).today == outcome.today
    wider = evaluate(outcome.choices.with_changes(cell_m=500.0), table).with_slow(outcome)
    assert wider.today is outcome.today


def test_a_practice_meets_the_limit_where_its_interval_says_so() -> None:
    near = PractisedOne(10.0, 10.0, 0.0, False, (1.0, 4.0))
    far = near._replace(hidden_m=math.inf, nearest_m=math.inf)
    choices = PeopleChoices()
    for found, of, meets in ((0, 60, True), (0, 1000, None), (1, 1000, None), (20, 1000, False)):
        share = PractisedShare(Practice("zone", 400.0), (near,) * found + (far,) * (60 - found), of)
        assert share.meets(choices) is meets
        assert share.interval(200.0) == (wilson(found, 60) if of > 60 else (found / 60, found / 60))
    assert PractisedShare(Practice("zone", 400.0), (far,) * 99, 99).meets(choices) is True


def test_a_place_that_is_not_in_the_zone_is_found_as_it_is() -> None:
    people = People(crowd(3, most=60, seed=4))
    track = people.track(people.names[0])
    assert shown_m(track, track) == pytest.approx(0.0, abs=0.01) or math.isinf(shown_m(track, track))
    assert shown_m(track, track[:1]) == math.inf


def test_it_waits_until_all_is_computed(table: PeopleTable, file: Path) -> None:
    first = evaluate(PeopleChoices(table="own", assessed=True), table)
    assert not is_ready(first)
    with pytest.raises(InputError, match="must be computed before it is written"):
        assessment_of(first)
    ready = [is_ready(one) for one in improve(first)]
    assert ready[-1] and ready == sorted(ready)


def test_a_table_that_does_not_fit_into_memory_has_no_counts(table: PeopleTable, file: Path) -> None:
    large = PeopleTable(People.read(str(file)), "large.csv")
    found = assessment_of(assessed(large))
    assert found.alternatives[3].limit == "Not known." and "fits into memory" in found.alternatives[3].costs


def test_sampled_people_are_those_of_usefulness(table: PeopleTable, file: Path) -> None:
    outcome = assessed(table)
    assert [len(one.each) for one in outcome.today] == [min(SAMPLE, len(outcome))] * 3


def test_what_useful_means_is_said_in_metres(table: PeopleTable) -> None:
    """By hand: a reader is off by 1,000 m with the releases of every second person, by 3,000 m with the others."""
    outcome = assessed(table)
    said = PARTS["scheme"].said(outcome)[-1]
    assert said.startswith("In metres: without a release a reader is off by 4.0 km (the median of 8 people)")
    assert "useful means off by 2.0 km or less; with these releases it is 2.0 km." in said, "between 1,000 and 3,000"
    assert said in assessment_markdown(assessment_of(outcome)).replace("\\", "")


def test_what_lies_beyond_a_promise_is_said(table: PeopleTable) -> None:
    """Of tracks beyond the window, and of counts beyond a day or a contribution."""
    window = assessed(table, scheme="window", level="window")
    promise = PARTS["scheme"].said(window)[3]
    assert "Beyond these moments budgets add up" in promise and "a home" in promise
    assert "several days, such as a habit, is not protected" in "".join(PARTS["counts"].said(window))
    whole = assessed(table, scheme="user")
    assert "Beyond" not in PARTS["scheme"].said(whole)[3] and "habit" not in "".join(PARTS["counts"].said(whole))
    assert "more than one is not protected" in "".join(PARTS["counts"].said(assessed(table, level="event")))


def test_whether_a_choice_from_the_data_may_be_told_is_said_where_one_is_proposed(table: PeopleTable) -> None:
    seen = set()
    for changes in ({}, {"scheme": "user", "epsilon": 0.01}, {"rule": "none", "distance_m": 50.0, "most_percent": 0.1}):
        outcome = assessed(table, **changes)
        found = assessment_of(outcome)
        proposed = any("chosen from the data" in one for one in found.answer.remain)
        assert proposed == (MAY_IT_BE_TOLD in found.answer.why)
        seen.add(proposed)
    assert True in seen


def test_the_most_exposed_person_is_found_to_within_what_is_said(table: PeopleTable) -> None:
    for epsilon in (0.5, 3.0):
        outcome = assessed(table, scheme="user", epsilon=epsilon)
        _, metres_off = outcome.table.people("stays").most_exposed("user", epsilon, 1)[0]
        said = PARTS["scheme"].said(outcome)[2]
        if math.isinf(metres_off):
            assert "Not even the most exposed person is found." in said
        else:
            text = found_text(metres_off, outcome.choices.distance_m)
            assert f"The most exposed person is found to within {text} in half of all releases." in said
