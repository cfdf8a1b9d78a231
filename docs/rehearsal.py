"""Plans of the teacher's guide, rehearsed by a clock: `python docs/rehearsal.py` prints when each step begins.

Twenty-five phones read what a step shows them, think, and answer; the teacher goes on when nine of ten have. What is read and
said is the text of the step, in words; what was assumed is `Assumed`. `python docs/tables.py` writes both into the guide.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.course.classroom import Poll, activity
from lmdk_widgets.course.classroom.plans import Plan, Step, plans
from lmdk_widgets.course.classroom.poll import any_answer

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


@dataclass(frozen=True)
class Assumed:
    """What a rehearsal assumes. Times in seconds; those of one phone are multiplied by its own pace.

    Attributes
    ----------
    phones : in the room. goes_on : the share of answers at which the teacher goes on.
    reads, says : words a minute that a student reads, and that the teacher says. pace : standard deviation of the logarithm
    of a phone's pace. straggler, straggles_s : the chance that a phone is late at a step, and by how much.
    joins_s : to scan the code and open the page. thinks_s, enters_s : by the kind of the question; "duel" for who spreads,
    "find" for who guesses in a duel; of "council" with the talk before the vote. does_s : what the teacher does at a
    sentence that begins so. tells_s : about an outcome that is drawn at random, or of a vote. debates_s : of each poll, by
    plan. questions_s : from the class after each outcome. stop_s : at each stop of a slider. key_s : until the board shows
    the next thing.
    """

    phones: int = 25
    goes_on: float = 0.9
    reads: float = 200.0
    says: float = 130.0
    pace: float = 0.3
    straggler: float = 1 / 15
    straggles_s: float = 45.0
    joins_s: float = 40.0
    thinks_s: Mapping[str, float] = field(
        default_factory=lambda: dict(
            choose=25, number=40, curve=35, point=30, order=45, response=20, guess=30, duel=150, find=90, council=75
        )
    )
    enters_s: Mapping[str, float] = field(
        default_factory=lambda: dict(
            choose=4, number=8, curve=10, point=6, order=15, response=6, guess=6, duel=30, find=20, council=120
        )
    )
    does_s: Mapping[str, float] = field(
        default_factory=lambda: {"Join on your phone. Toss": 90, "Page": 180, "Blackboard": 900}
    )
    tells_s: Mapping[str, float] = field(default_factory=lambda: dict(response=45, guess=60, duel=300, council=180))
    debates_s: Mapping[str, float] = field(default_factory=lambda: {"90 minutes": 90, "45 minutes": 0, "30 minutes": 0})
    questions_s: float = 10.0
    stop_s: float = 6.0
    key_s: float = 2.0


@dataclass(frozen=True)
class Played:
    """A step as it was rehearsed. begins, lasts : seconds. waits : how long the teacher waits for answers, of this."""

    step: Step
    begins: float
    lasts: float
    waits: float


def words_of(*shown: Any) -> int:
    """How many words there are in texts, and in all texts inside lists and tables.

    Examples
    --------
    >>> words_of("Two coins, tossed.", {"rows": [["p1", "0.5 m"]]})
    6
    """
    total = 0
    for each in shown:
        if isinstance(each, str):
            total += len(each.split())
        elif isinstance(each, Mapping):
            total += words_of(*each.values())
        elif isinstance(each, Sequence):
            total += words_of(*each)
    return total


def told_by(name: str) -> int:
    """How many words a lesson says around a question: in the cell before it and in the cell after it."""
    lesson = name.partition("/")[0]
    cells = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    at = next(k for k, text in enumerate(texts) if f'Question("{name}"' in text)
    around = [k for k in (at - 1, at + 1) if cells[k]["cell_type"] == "markdown" and "## Summary" not in texts[k]]
    return words_of(*(re.sub(r"[|#*<>/-]+", " ", texts[k]) for k in around))


class Rehearsal:
    """One class, whose phones keep their pace from step to step."""

    def __init__(self, assumed: Assumed, seed: int) -> None:
        self.assumed = assumed
        self.rng = np.random.default_rng(seed)
        self.paces = np.exp(self.rng.normal(0.0, assumed.pace, assumed.phones))

    def last(self, seconds: float) -> float:
        """When so many have done, each at its pace, that the teacher goes on."""
        late = (self.rng.random(len(self.paces)) < self.assumed.straggler) * self.assumed.straggles_s
        done = np.sort(seconds * self.paces + late)
        return float(done[math.ceil(self.assumed.goes_on * len(done)) - 1])

    def speech(self, words: int) -> float:
        """How long the teacher speaks."""
        return 60 * words / self.assumed.says

    def play(self, plan: Plan) -> Iterator[Played]:
        """Each step of a plan, one after the other. The lesson is told where the plan follows one lesson."""
        now = 0.0
        lessons = {str(step.settings["name"]).partition("/")[0] for step in plan.steps if step.kind == "poll"}
        for k, step in enumerate(plan.steps):
            if step.kind:
                waits, more = self.asked(step, plan.title, tells=len(lessons) == 1)
            else:
                waits = self.last(self.assumed.joins_s) if k == 0 else 0.0
                doing = [s for begin, s in self.assumed.does_s.items() if step.text.startswith(begin)]
                more = self.speech(words_of(step.text)) + sum(doing)
            lasts = waits + more + self.assumed.key_s
            yield Played(step, now, lasts, waits)
            now += lasts

    def answered(self, kind: str, *shown: Any) -> float:
        """How long the phones take to read what is shown, to think and to answer."""
        reading = 60 * words_of(*shown) / self.assumed.reads
        return self.last(reading + self.assumed.thinks_s[kind] + self.assumed.enters_s[kind])

    def asked(self, step: Step, title: str, tells: bool) -> tuple[float, float]:
        """How long the phones take to answer, and what the teacher says and shows afterwards."""
        put = activity(step.kind, step.settings)
        asked = put.asked(1)
        after = self.assumed.questions_s + self.assumed.key_s
        if not isinstance(put, Poll):
            sides = [(step.kind, "")]
            if step.kind == "duel":
                sides = list(zip((step.kind, "find"), asked["before"], strict=True))
            elif step.kind == "council":  # all roles read at the same time
                sides = [(step.kind, max(asked["before"], key=words_of))]
            waits = sum(self.answered(kind, asked["text"], asked.get("answers", []), before) for kind, before in sides)
            return waits, self.assumed.tells_s[step.kind] + after
        ask = asked["ask"]
        parts = [ask.get(name, "") for name in ("choices", "items", "hint")]
        waits = self.answered(ask["kind"], asked["text"], asked["about"], *parts)
        shown = put.board(self.answers(put), True)
        spoken = words_of(shown["summary"]) + (told_by(put.name) if tells else 0)
        stops = [len(each["stops"]) for each in shown.get("figure", {}).get("sliders", [])]
        return waits, self.speech(spoken) + self.assumed.debates_s.get(title, 0) + self.assumed.stop_s * sum(
            stops
        ) + after

    def answers(self, put: Poll) -> list[Any]:
        """An answer of each phone, as its page would send it: half of them right."""
        right = put.computed[0] if put.told_of_it["kind"] == "point" else put.computed
        return [put.read((right, any_answer(put.told_of_it))[k % 2]) for k in range(self.assumed.phones)]


def rehearsed(plan: Plan, assumed: Assumed | None = None, seed: int = 1) -> list[Played]:
    """The steps of a plan with the times at which they begin."""
    return list(Rehearsal(assumed or Assumed(), seed).play(plan))


def ends(played: Sequence[Played]) -> float:
    """When the last step ends, minutes."""
    return (played[-1].begins + played[-1].lasts) / 60


PARTS = {"90 minutes": (3, 2, 3, 4, 2, 3, 4, 1, 1), "45 minutes": (3, 2, 2, 2, 3, 2), "30 minutes": (2, 2, 1, 1, 2)}
"""How many steps of each plan a row of the guide has."""

MANY = range(1, 41)
"""The seeds of the rehearsals from which the guide's minutes come."""


def spans(plan: Plan) -> list[str]:
    """From which minute to which each row of the guide is: half of the rehearsals are as far by then. The last row lasts
    until the time of the plan is up, as what is left is for questions."""
    many = [rehearsed(plan, seed=seed) for seed in MANY]
    at = np.cumsum(PARTS[plan.title])[:-1]
    bounds = [math.ceil(np.median([ends(played[:k]) for played in many])) for k in at]
    return [f"{first}–{last}" for first, last in pairwise([0, *bounds, minutes(plan)])]


def minutes(plan: Plan) -> int:
    """How many minutes a plan has, by its title."""
    return int(plan.title.partition(" ")[0])


HEAD = "| assumed | |"


def rows(assumed: Assumed | None = None) -> list[str]:
    """What was assumed, and how long the plans took, as rows of the guide."""
    one = assumed or Assumed()
    listed = ", ".join(
        f"{kind} {one.thinks_s[kind] + one.enters_s[kind]:g}" for kind in ("choose", "number", "curve", "point")
    )
    waited = math.ceil(one.goes_on * one.phones)
    table = {
        "phones": f"{one.phones}; you go on when {waited} have answered",
        "words a minute": f"{one.reads:g} are read by a student, {one.says:g} said by you",
        "pace": f"every student's own: one in six takes {100 * math.expm1(one.pace):.0f} % longer, or more",
        "stragglers": f"at each step one phone in {1 / one.straggler:.0f} comes {one.straggles_s:g} s later",
        "joining": f"{one.joins_s:g} s for the code and the page",
        "to think and to answer, after reading": f"{listed} s; {_minutes(one, 'duel')} min to spread ε in a duel, "
        f"{_minutes(one, 'find')} min to guess; {_minutes(one, 'council')} min to talk and vote in four roles",
        "you": f"two coins by hand {one.does_s['Join on your phone. Toss']:g} s; a page {one.does_s['Page'] / 60:g} min; the "
        f"blackboard {one.does_s['Blackboard'] / 60:g} min; each stop of a slider {one.stop_s:g} s; after a duel "
        f"{one.tells_s['duel'] / 60:g} min, after a decision of four {one.tells_s['council'] / 60:g} min",
        "the class": f"{one.questions_s:g} s of questions after each outcome; in 90 minutes, two students defend their "
        f"answers to each poll for {one.debates_s['90 minutes']:g} s",
    }
    for plan in plans():
        took = [ends(rehearsed(plan, one, seed)) for seed in MANY]
        table[f"“{plan.title}”, {len(plan.steps)} steps"] = (
            f"{min(took):.0f} to {math.ceil(max(took))} minutes in {len(MANY)} rehearsals"
        )
    return [f"| {name} | {said} |" for name, said in table.items()]


def _minutes(assumed: Assumed, kind: str) -> str:
    return f"{(assumed.thinks_s[kind] + assumed.enters_s[kind]) / 60:.0f}"


if __name__ == "__main__":
    for plan in plans():
        played = rehearsed(plan)
        print(f"{plan.title}: {len(played)} steps, {ends(played):.1f} minutes")
        for each in played:
            what = each.step.settings.get("name") or each.step.text or each.step.kind
            print(
                f"  {each.begins / 60:5.1f}  {each.lasts:4.0f} s, of which {each.waits:3.0f} s for answers  {what[:70]}"
            )
