"""The rehearsal of the teacher's plans: its clock by hand, and what the guide says of it."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lmdk_widgets.course.classroom.plans import plans, read_plan

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "teaching.md").read_text("utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = spec_from_file_location("rehearsal", ROOT / "docs" / "rehearsal.py")
    assert spec is not None and spec.loader is not None
    found = module_from_spec(spec)
    sys.modules["rehearsal"] = found  # its dataclasses look themselves up
    spec.loader.exec_module(found)
    return found


def test_a_step_by_hand(script: ModuleType) -> None:
    """One question without stragglers, where all students have the same pace: reading, thinking, answering, telling."""
    assumed = replace(script.Assumed(), pace=0.0, straggler=0.0)
    plan = read_plan("say Join here.\npoll start/meaning", "45 minutes")
    first, second = script.rehearsed(plan, assumed)
    assert (first.waits, first.lasts) == pytest.approx((40, 40 + 60 * 2 / 130 + 2)), "joining is a step"
    asked = "A release has ε = ln 2. What is promised?"
    choices = [
        "The odds of two neighbours change by at most a factor of 2",
        "Nobody is surer than one half",
        "The release is wrong with chance one half",
    ]
    read = len(" ".join([asked, *choices]).split())
    assert second.begins == first.lasts
    assert second.waits == pytest.approx(60 * read / 200 + 25 + 4)
    said = "13 of 25 are right, 52 %. The factor is e^ε, whatever was believed before."
    told = "Nothing new: try to answer without looking back. Ten questions"
    spoken = 60 * len(f"{said} {told}".split()) / 130
    assert second.lasts == pytest.approx(second.waits + spoken + 10 + 2 + 2, abs=60 * 2 / 130)
    assert script.ends([first, second]) == pytest.approx((second.begins + second.lasts) / 60)


def test_the_teacher_waits_for_nine_of_ten(script: ModuleType) -> None:
    """The last of 23 phones, found by striking out the two slowest."""
    for seed in range(20):
        room = script.Rehearsal(script.Assumed(), seed)
        twin = script.Rehearsal(script.Assumed(), seed)
        times = [
            60 * pace + (45 if late < 1 / 15 else 0) for pace, late in zip(twin.paces, twin.rng.random(25), strict=True)
        ]
        for _ in range(2):
            times.remove(max(times))
        assert room.last(60.0) == pytest.approx(max(times))


def test_each_assumption_moves_the_clock_the_right_way(script: ModuleType) -> None:
    plan = read_plan(
        "say Join.\npoll start/coin\nresponse Did you?\nguess city\nduel 4\ncouncil\npoll start/sum", "90 minutes"
    )
    usual = script.ends(script.rehearsed(plan))
    base = script.Assumed()
    slower = [
        replace(base, reads=100.0),
        replace(base, says=90.0),
        replace(base, straggler=0.5),
        replace(base, goes_on=1.0),
        replace(base, joins_s=90.0),
        replace(base, stop_s=12.0),
        replace(base, questions_s=30.0),
        replace(base, debates_s={"90 minutes": 120}),
        *(
            replace(base, thinks_s={**base.thinks_s, kind: 300})
            for kind in ("number", "curve", "response", "guess", "duel", "find", "council")
        ),
    ]
    assert all(script.ends(script.rehearsed(plan, each)) > usual for each in slower)


def test_steps_follow_each_other(script: ModuleType) -> None:
    for plan in plans():
        played = script.rehearsed(plan)
        assert [each.step for each in played] == list(plan.steps)
        assert all(after.begins == pytest.approx(before.begins + before.lasts) for before, after in pairwise(played))
        assert sum(script.PARTS[plan.title]) == len(plan.steps)


@pytest.mark.long
def test_the_plans_fit_their_time_and_the_guide_says_so(script: ModuleType) -> None:
    for plan in plans():
        took = [script.ends(script.rehearsed(plan, seed=seed)) for seed in script.MANY]
        assert max(took) <= script.minutes(plan), plan.title
        assert (
            f"| “{plan.title}”, {len(plan.steps)} steps | {min(took):.0f} to {np.ceil(max(took)):.0f} minutes" in GUIDE
        )
        told = GUIDE.split(f"## A plan for {plan.title}\n")[1].split("\n## ")[0]
        assert re.findall(r"(?m)^\| (\d+–\d+) \|", told) == script.spans(plan)


@pytest.mark.parametrize("title", [plan.title for plan in plans()])
def test_a_row_of_the_guide_has_the_steps_that_its_minutes_are_of(script: ModuleType, title: str) -> None:
    (plan,) = [each for each in plans() if each.title == title]
    told = GUIDE.split(f"## A plan for {title}\n")[1].split("\n## ")[0]
    rows = re.findall(r"(?m)^\| \d+–\d+ \|(.*)$", told)
    left = list(plan.steps)
    for row, count in zip(rows, script.PARTS[title], strict=True):
        steps, left = left[:count], left[count:]
        asked = [step.settings["name"] for step in steps if step.kind == "poll"]
        assert re.findall(r"`(\w+/[\w-]+)` \(\d+\)", row) == asked
        kinds = {"guess": '"Guess where"', "duel": '"Duel"', "response": '"Randomised response"'}
        kinds["council"] = '"Four people decide"'
        assert all((name in row) == any(step.kind == kind for step in steps) for kind, name in kinds.items())
