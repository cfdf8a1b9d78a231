"""Counts on the people page: the numbers that it shows, the settings that it offers, and the command that it names."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.cli import _parser, release_counts
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.pages.people import PeopleChoices, evaluate
from lmdk_widgets.pages.people.counts import LIMITS, counts_steps, other_changes, protection_of
from lmdk_widgets.pages.people.counts_blocks import WAITING, cells_map, command, counts_blocks, needed
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.model import COUNTED, LEVELS, SLOTS
from lmdk_widgets.pages.people.page import PeoplePage
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import PeopleTable
from lmdk_widgets.population import People
from lmdk_widgets.population.counts_of_people import Accuracy, Protection
from tests.population.crowds import crowd

TABLE = PeopleTable(People(crowd(12, most=60, seed=4)).in_zone("Europe/Paris"))


def computed(**changes: Any) -> PeopleOutcome:
    choices = PeopleChoices(table="own", counts=True, **{"count_cell_m": 8_000.0, "slot": "24", "most": 3} | changes)
    outcome = evaluate(choices, TABLE)
    for found in counts_steps(TABLE, choices, outcome.counted):
        outcome = replace(outcome, counted=found)
    return outcome


@pytest.mark.parametrize("level", list(LEVELS))
@pytest.mark.parametrize("counted", list(COUNTED))
def test_the_numbers_are_those_of_the_mathematics(level: str, counted: str) -> None:
    outcome = computed(level=level, counted=counted, epsilon=2.0)
    here = outcome.counted.here
    added = TABLE.contributions(counted, 8_000.0, 24, weekly=False)
    again = Accuracy.of(added, Protection(level, 2.0, 3, 1))
    assert here.error == again.error
    said = needed(here, ())
    assert f"off by {amount(again.error)} on average, zeros everywhere by {amount(added.true.mean())}." in said
    assert ("useless" in said) == (again.error > 0.9 * added.true.mean())
    assert f"In {int(again.survives.sum())} of {len(again.survives):,} " in said
    table = counts_blocks(outcome)[1]
    assert table.rows[0][0] == "counts" and table.rows[1][0] == "tracks"
    assert table.rows[1][2].endswith(" of 12") and table.rows[0][2] == "no tracks"
    if level == "user":
        curve = [Accuracy.of(added, Protection("user", 2.0, m)).error for m in LIMITS]
        assert list(outcome.counted.curve) == curve
    else:
        assert not outcome.counted.curve


def test_each_cell_of_the_map_is_drawn_once_and_as_it_is() -> None:
    for counted in COUNTED:
        here = computed(counted=counted, level="event", epsilon=1.5).counted.here
        chart = cells_map(here)
        marks = {trace["name"]: len(trace["x"]) for trace in chart.figure["data"]}
        points = [at for trace in chart.figure["data"] for at in zip(trace["x"], trace["y"], strict=True)]
        assert len(points) == len(set(points)) == sum(marks.values())
        assert f"{marks['survives']} survive" in chart.summary
        if counted == "presence":
            true, error = here.by_kind[1], here.by_kind[0]
            assert marks["nobody"] == (true == 0).sum() and sum(marks.values()) == len(here.found.counting.area)
            assert marks["survives"] == ((true > 0) & (error <= true / 2)).sum()


def test_other_settings_are_what_they_would_be_if_chosen() -> None:
    outcome = computed(slot="1", epsilon=0.7)
    assert outcome.counted.done and {name for one in outcome.counted.others for name, _ in one.changes} >= {
        "slot",
        "level",
    }
    tried = [changes for changes in other_changes(outcome.choices)]
    for one in outcome.counted.others:
        assert dict(one.changes) in tried
        other = computed(**{"slot": "1", "epsilon": 0.7} | dict(one.changes)).counted.here
        assert (one.error, one.zeros, one.useless) == (other.error, other.zeros, other.useless)
        assert (one.survive, one.of) == (int(other.survives.sum()), len(other.survives))
    session = PeopleSession(outcome.choices, TABLE)
    block = next(block for block in counts_blocks(outcome) if getattr(block, "title", "") == "Other settings")
    for act, one in zip(block.acts, outcome.counted.others, strict=True):
        session.apply([dict(act)], commit=True)
        assert getattr(session.choices, one.changes[0][0]) == one.changes[0][1]
        session = PeopleSession(outcome.choices, TABLE)


def test_counts_stay_while_a_person_is_looked_at_and_follow_the_limit() -> None:
    session = PeopleSession(computed().choices, TABLE)
    assert counts_blocks(session.outcome)[0].text == WAITING
    session.outcome = next(each for each in session.improve(session.outcome) if each.counted.done)
    before = session.outcome.counted
    session.apply([{"op": "set", "name": "person", "value": 1}], commit=True)
    assert session.outcome.counted is before
    session.apply([{"op": "set", "name": "most", "value": 9}], commit=True)
    assert session.outcome.counted.here is None
    session.apply([{"op": "set", "name": "counts", "value": False}], commit=True)
    assert session.outcome.counted is None and counts_blocks(session.outcome) == []
    assert "most" not in session.choices.visible()


def test_too_many_counts_are_refused_in_a_sentence() -> None:
    outcome = computed(counted="trips", slot="1", count_cell_m=500.0)
    (block,) = counts_blocks(outcome)
    assert "must have at most 2,500 cells" in block.text or "at most 2,000,000 counts" in block.text


def test_a_day_is_protected_whatever_the_slot() -> None:
    assert [protection_of(PeopleChoices(level="window", slot=slot)).window for slot in SLOTS] == [24, 4, 1, 1, 24]


def test_a_period_is_whole_weeks_from_a_monday() -> None:
    made = TABLE.contributions("presence", 8_000.0, 24, weekly=False).counting
    rows = TABLE.people("stays").rows
    assert made.start.astype(object).weekday() == 0 and made.bins % 7 == 0
    local = rows.time + np.timedelta64(1, "h")  # Paris in January
    assert made.start <= local.min() < made.start + np.timedelta64(7 * 24, "h")
    assert made.until - np.timedelta64(7 * 24, "h") <= local.max() < made.until


@pytest.mark.parametrize("level", list(LEVELS))
def test_the_command_makes_a_release_of_these_counts(level: str) -> None:
    outcome = evaluate(
        PeopleChoices(counts=True, level=level, slot="week", count_cell_m=4_000.0, counted="dwell", most=7)
    )
    (first, *_) = counts_steps(outcome.table, outcome.choices, outcome.counted)
    outcome = replace(outcome, counted=first)
    program, *arguments = shlex.split(command(outcome))
    plan = release_counts._plan(_parser().parse_args(arguments))
    assert program == "lmdk" and plan.counting == first.here.found.counting
    assert plan.protection.rate == first.here.protection.rate and plan.level == level
    assert "SOUTH,WEST" in command(computed(level=level))


def test_files_of_counts_are_saved_where_the_tab_is_open() -> None:
    session = PeopleSession(PeopleChoices(table="own"), TABLE)
    with pytest.raises(InputError, match="must be open to be saved"):
        session.save("counts")
    session.outcome = computed(counted="trips", slot="1", count_cell_m=500.0)
    with pytest.raises(InputError, match="at most 2,"):
        session.save("count-settings")
    page = PeoplePage(PeopleSession(computed().choices, TABLE), send=lambda *_: None)
    page.session.outcome = computed()
    assert {"counts-map", "counts-limits"} <= {chart.name for chart in page.pictures()}


def test_a_limit_is_asked_for_only_where_a_person_is_protected() -> None:
    shown = {level: "most" in PeopleChoices(counts=True, level=level).visible() for level in LEVELS}
    assert shown == {"user": True, "window": False, "event": False}
