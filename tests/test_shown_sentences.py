"""Every sentence that a page or a lesson shows: no letter after its full stop, no word or unit twice, and an end.

The pages are evaluated for all samples, schemes and parts at a few settings; what they send is read as a browser gets it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab
from lmdk_widgets.course import LESSONS
from lmdk_widgets.course.ask import Number
from lmdk_widgets.hosts.site.notebooks import notebook
from lmdk_widgets.page.history import State
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.model import LEVELS, MECHANISMS, PARTS, PLAYS, QUERIES, REMEDIES
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import SCHEMES, Scenario
from lmdk_widgets.scenario.model import CORRELATIONS
from lmdk_widgets.scenario.model import MECHANISMS as REPORTED_BY
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import sample_names, sample_series, series_names

UNIT = r"(?:km|m|kWh|W|bpm|s|min|h|hours|people|timestamps)"
WRONG = {
    "a letter after the full stop": re.compile(r"[\w)%”][.!?][A-Za-z](?![\w.])"),
    "a word twice": re.compile(r"(?<![\w.,'-])([^\W\d]+)\s+\1(?![\w'-])", re.IGNORECASE),
    "a unit twice": re.compile(rf"\d\s?%\s?%|\d\s?{UNIT}\s{UNIT}\b"),
}
NO_SENTENCE = {"formats", "label", "title", "heading", "name", "choices", "items", "labels", "ends"}
"""What a message calls its labels and titles, which have no full stop."""
LONG = 9
"""A text of so many words that begins with a capital letter is a sentence."""


def texts(message: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a message, with what the message calls it."""
    if isinstance(message, str):
        yield name, message
    elif isinstance(message, dict):
        for key, value in message.items():
            yield from texts(value, key)
    elif isinstance(message, (list, tuple)):
        for value in message:
            yield from texts(value, name)


def wrong(text: str, name: str = "") -> str:
    """What is wrong with a text; "" if nothing is."""
    for what, pattern in WRONG.items():
        if pattern.search(text):
            return what
    several = re.search(r"[a-z\d)%”]\. [A-Z]", text)
    sentence = name not in NO_SENTENCE and text[:1].isupper() and (several or len(text.split()) >= LONG)
    return "no full stop" if sentence and not re.search(r"[.!?…:]['”)\"]*\s*$", text) else ""


def check(messages: Any) -> int:
    """Fail at the first text that is wrong; how many there were."""
    read = list(texts(messages))
    bad = {(what, text) for name, text in read if (what := wrong(text, name))}
    assert not bad, sorted(bad)[:5]
    return len(read)


def shown(page: Any, state: State, *, whole: bool = False) -> list[Any]:
    """What a page sends to a browser for a state; with `whole`, once all that takes longer is finished."""
    sent: list[Any] = []
    made = page.PAGE.showing(state, send=lambda message, _buffers: sent.append(json.loads(json.dumps(message))))
    made.receive({"type": "ready", "view": "v"})
    if whole:
        made.finish()
    made.close()
    return sent


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("All guesses are right; no ε bounds that.f", "a letter after the full stop"),
        ("Comparing what a repeated report reveals.f", "a letter after the full stop"),
        ("The right answer is 176 m m.", "a word twice"),
        ("It is off by 3 km m on average.", "a unit twice"),
        ("A share of 12 %% of all.", "a unit twice"),
        ("Most of the the budget is left.", "a word twice"),
        ("The budget is left. The rest is spent", "no full stop"),
        ("Every one of the eight timestamps has the whole budget", "no full stop"),
        ("Budgets are e.g. 0.5 in class.example.org and in x.y.", ""),
        ("Place: the more, the better; 5 m, 5 m and 7 %, as Table says.", ""),
    ],
)
def test_the_rules_themselves(text: str, what: str) -> None:
    assert wrong(text) == what


def of_track(track: str, **changes: Any) -> State:
    data = sample(track) if track in sample_names() else sample_series(track)
    scenario = {n: v for n, v in changes.items() if n in Scenario().kinds()}
    choices = TrackChoices().with_changes(**Scenario(track=track, landmarks=data.landmarks, **scenario).to_dict())
    return State(choices.with_changes(**{n: v for n, v in changes.items() if n not in scenario}), data)


@pytest.mark.parametrize("track", [*sample_names(), *series_names()])
def test_track_on_each_sample(track: str) -> None:
    assert check(shown(Explorer, of_track(track))) > 300


def test_track_by_each_scheme_mechanism_and_correlation() -> None:
    for scheme in SCHEMES:
        for epsilon in (0.01, 1.0, 20.0):
            check(shown(Explorer, of_track("bob", scheme=scheme, epsilon=epsilon)))
        check(shown(Explorer, of_track("household", scheme=scheme)))
    for mechanism in REPORTED_BY:
        check(shown(Explorer, of_track("bob", mechanism=mechanism)))
    for correlation in (name for name in CORRELATIONS if name != "matrix"):
        check(shown(Explorer, of_track("bob", correlation=correlation)))


@pytest.mark.parametrize("panel", ["standing", "attacker", "by_distance"])
def test_panels_of_track(panel: str) -> None:
    state = of_track("bob", **{f"{panel}.open": True})
    assert check(shown(Explorer, state, whole=True)) > 300


@pytest.mark.nightly
@pytest.mark.parametrize("panel", ["stays", "compare", "inverse"])
def test_panels_of_track_that_take_longer(panel: str) -> None:
    check(shown(Explorer, of_track("bob", **{f"{panel}.open": True}), whole=True))


def test_place() -> None:
    lab = PlacesLab(PlaceChoices(rows=3, columns=3))
    state = lab.session.state
    lab.close()
    assert check(shown(PlacesLab, state, whole=True)) > 100


@pytest.mark.parametrize("source", ["chains", "binary", "activities", "power", "track"])
def test_series(source: str) -> None:
    if source not in SeriesChoices().kinds()["source"].meanings:  # type: ignore[attr-defined]
        pytest.skip(f"no source {source}")
    assert check(shown(QuiltLab, State(SeriesChoices(source=source), None), whole=True)) > 100


def test_table() -> None:
    several = [{"part": part} for part in PARTS]
    several += [{"table": table, "attack": attack} for table in ("t1", "adults") for attack in PLAYS]
    several += [{"part": "noise", "mechanism": mechanism} for mechanism in MECHANISMS]
    several += [{"part": "stream", "level": level} for level in LEVELS]
    several += [{"part": "sums", "query": query} for query in QUERIES]
    several += [{"part": "sequence", "remedy": remedy} for remedy in REMEDIES]
    for changes in several:
        check(shown(FoundationsLab, State(TableChoices(**changes), None), whole=True))


@pytest.mark.parametrize("lesson", LESSONS)
def test_questions_and_texts_of_a_lesson(lesson: str) -> None:
    for question in import_module(f"lmdk_widgets.course.{lesson}").QUESTIONS:
        check(question.asked())
        check(question.judge(question.right_answer()).to_dict())
        if isinstance(question, Number):
            for value in {question.low, question.high, *(trap.value() for trap in question.traps)}:
                check(question.judge(value).to_dict())
    cells = json.loads(notebook(lesson).read_text("utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            for what in ("a word twice", "a unit twice"):
                assert not (found := WRONG[what].search(re.sub(r"`[^`]*`|<[^>]*>", " ", text))), (what, found)
