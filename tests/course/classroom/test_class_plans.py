"""The run of show: plans of the package and of a file, and that each poll of a plan can be answered in a class."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.course import LESSONS, first_steps, questions
from lmdk_widgets.course.ask import Number
from lmdk_widgets.course.ask.verdict import CLOSE, said
from lmdk_widgets.course.classroom import Poll
from lmdk_widgets.course.classroom.plans import MOST_STEPS, plans, polls, read_plan, read_plan_file
from lmdk_widgets.course.classroom.poll import EXAMPLE
from lmdk_widgets.course.classroom.scenes import COMPLETE, SLIDERS, is_complete, scene
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.trajectory import sample

GUIDE = (Path(__file__).parents[3] / "docs" / "teaching.md").read_text("utf-8")
ASKED = {ask.name: ask for lesson in LESSONS for ask in questions(lesson)}


def of_guide(heading: str) -> list[str]:
    """The questions that a plan of the guide polls, in its order."""
    text = GUIDE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"`(\w+/[\w-]+)` \(\d+\)", text)


def test_the_plans_are_those_of_the_guide() -> None:
    long, short, law = plans()
    assert polls(long) == of_guide("A plan for 90 minutes")
    assert polls(short) == of_guide("A plan for 45 minutes")
    assert polls(law) == of_guide("A plan for 30 minutes")
    assert len(short.steps) <= 16 and short.steps[0].text.startswith("Join"), "joining is a step"


def test_a_plan_opens_its_pages_with_what_its_text_assumes() -> None:
    pages = [step for step in plans()[0].steps if step.link]
    assert [step.text.partition('"')[2].partition('"')[0] for step in pages] == ["Track"] * 4
    for step in pages:
        chosen = TrackChoices().with_changes(**from_query(step.link, TrackChoices))
        assert (chosen["track"], chosen["landmarks"], chosen["correlation"]) == ("bob", sample("bob").landmarks, "none")
        named = re.search(r'scheme "([\w ]+)"', step.text)
        assert chosen["scheme"] == "uniform" if named is None else SCHEMES[chosen["scheme"]].title == named[1]
    assert TrackChoices()["correlation"] != "none", "without its link, the page would contradict the plan"
    assert "Strong" in pages[-1].text


def test_each_figure_of_the_lesson_follows_its_question_on_the_board() -> None:
    written = {}
    for lesson in ("start", "law"):
        cells = json.loads((Path(__file__).parents[3] / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        written |= dict(re.findall(r'Question\("([\w/-]+)", then=lambda: SlidingFigure\(\w+\.(\w+)\(\)\)', code))
    assert {name: made.__name__ for name, made in SLIDERS.items()} == written and len(written) == 16
    shown = Poll("start/coin").board([0.25], True)["figure"]
    assert shown == first_steps.coin().message() and "figure" not in Poll("start/coin").board([0.25], False)
    assert "figure" not in Poll("start/meaning").board([], True)


@pytest.mark.parametrize(
    "name", sorted({*(name for plan in plans() for name in polls(plan)), *of_guide("A plan for six weeks")})
)
def test_each_poll_of_a_plan_has_its_scene_or_needs_none(name: str) -> None:
    assert is_complete(name)
    assert not (name in COMPLETE and scene(name)), "either it has a scene, or it needs none"
    poll = Poll(name)
    assert poll.asked(1)["about"] == poll.board([], False)["about"] == poll.board([], True)["about"]
    json.dumps(poll.scene, allow_nan=False)


def test_what_a_text_points_to_is_there() -> None:
    assert set(ASKED) >= COMPLETE
    pointing = re.compile(
        r"\btable [A-Z]\b|four tables|as told|\bthe six\b|both lists|Two coins|by two coins|Bob's day", re.I
    )
    lacking = [name for name, ask in ASKED.items() if pointing.search(said(ask.text)) and not scene(name)]
    assert set(lacking) <= {"moments/belief", "tables/bands"}, lacking


def test_tables_are_those_of_the_lessons() -> None:
    rows = scene("correlation/memory")[0].message()["rows"]
    assert ["A, one way", "1", "0.80", "0.20"] in rows and ["", "2", "0", "1"] in rows and len(rows) == 8
    ages, release = (block.message() for block in scene("tables/homogeneity"))
    assert "Huey 12, Dewey 11" in ages
    release = release["rows"]
    assert release.count(["above 20", "Montmartre"]) == 3 and release.count(["up to 20", "Latin Quarter"]) == 2
    assert "★p1, p2, ★p3, p4, ★p5, p6, p7, ★p8" in scene("moments/share")[0].message()


@pytest.mark.parametrize("name", [name for name, ask in ASKED.items() if isinstance(ask, Number)])
def test_a_number_says_how_it_is_typed_and_its_example_is_wrong(name: str) -> None:
    ask, hint = ASKED[name], Poll(name).asked(1)["ask"]["hint"]
    assert ask.unit in hint or ask.unit == "of 6"
    example = 0.35 if ask.high == 1 else EXAMPLE
    assert f"such as {example}" in hint
    verdict = ask.judge(example)
    assert not verdict.right and verdict.closeness < 0.5**CLOSE
    assert ask.judge(min(ask.high, 1e6)).answer == verdict.answer and math.isfinite(verdict.answer)


def test_a_question_is_found_by_its_number_and_name() -> None:
    assert Poll("moments/silence").title == "Poll moments/silence (10)"
    listed = dict(Poll.offers()["moments"]["questions"])
    assert listed["moments/silence"].startswith("10. silence: For a year")


BAD = {
    "pole noise/told": "Line 1 must begin with",
    "say ok\n\n# more\npoll noise/nothing": "Line 4, “poll noise/nothing”: A question of the lesson noise must be",
    "poll": "Line 1, “poll”: The name of a question must be like",
    "response 9 Did you?": "Epsilon must be a number between 0.1 and 6; got 9",
    "response": "The question must be a text of 1 to 300 characters",
    "guess town": 'Scene must be "city" or "week"; got town',
    "guess city x": "Privacy level must be a number between 0.05 and 10",
    "guess city 1 2 3": "A guess must have a scene, a level and metres; got city 1 2 3",
    "council now": "Council must stand alone; got now",
    "duel many": "Epsilon must be a number between 0.5 and 20; got many",
    "say": "A sentence for the board must be",
    "page Track": "A page must be a link as “Share” gives it, and a sentence; got Track",
    "page ?page=track": "A sentence for the board must be",
    "": "A plan must have 1 to 100 steps; got 0 of them",
    "say a\n" * (MOST_STEPS + 1): "got 101 of them",
    "say " + "a" * 500: "Line 1 must have at most 400 characters; got 504",
}


@pytest.mark.parametrize("text", BAD, ids=[text[:20] for text in BAD])
def test_a_bad_line_gets_a_sentence_with_its_number_and_what_is_allowed(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_plan(text, "Mine")
    assert BAD[text] in caught.value.sentence and ".." not in caught.value.sentence


def test_the_example_of_the_document_is_a_plan() -> None:
    text = (Path(__file__).parents[3] / "docs" / "class.md").read_text("utf-8")
    (example,) = [block for block in re.findall(r"```\n(.*?)```", text, re.S) if "poll" in block]
    assert [step.kind for step in read_plan(example, "Mine").steps] == [
        "",
        "response",
        "poll",
        "guess",
        "",
        "duel",
        "council",
    ]


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "mine.txt"
    good.write_text("\ufeffsay Grüße\r\nresponse 1,5 Did you ever?\nguess week 0.5 800\n", "utf-8")
    plan = read_plan_file(good)
    assert plan.title == "mine.txt" and [step.kind for step in plan.steps] == ["", "response", "guess"]
    assert plan.steps[1].settings == {"text": "Did you ever?", "epsilon": 1.5}
    assert plan.steps[2].settings == {"scene": "week", "level": 0.5, "radius_m": 800.0}
    (tmp_path / "big.txt").write_text("say a\n" * 20_000)
    (tmp_path / "odd.txt").write_bytes(b"\xff\xfe\x00")
    for name, what in {
        "big.txt": "at most 64 KB",
        "odd.txt": "text file",
        "none.txt": "can be read",
        "": "can be read",
    }.items():
        with pytest.raises(InputError, match=what):
            read_plan_file(tmp_path / name)
