"""A page without a widget: in a process that can import none, a walk gets the very messages that it gets in a notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WIDGETS = ("anywidget", "ipywidgets", "traitlets", "comm", "IPython")
WITHOUT = f"for module in {WIDGETS}:\n    sys.modules[module] = None"
CLOCK = """
import itertools, sys, time
ticks = itertools.count()
time.perf_counter = time.monotonic = lambda: next(ticks) / 100  # both hosts take as long
from lmdk_widgets.answers import usefulness
usefulness.MOST_DRAWS = 2
from tests.hosts.widget.walks import walk, written
sent = []
"""
WALK = "walk(tell, page.finish, sent, seed=seed)"
PRINT = 'print(*written(sent), sep="\\n")'
SESSIONS = {
    "table": ("TablePage", "FoundationsLab", "TableSession()"),
    "track": ("TrackPage", "Explorer", "TrackSession()"),
    "place": ("PlacePage", "PlacesLab", "PlaceSession(PlaceChoices(rows=2, columns=2, prior='uniform'))"),
    "series": ("SeriesPage", "QuiltLab", "SeriesSession(SeriesChoices(source='binary', length=20))"),
    "people": ("PeoplePage", "PeopleLab", "PeopleSession()"),
}
CHOICES = {"place": "PlaceChoices", "series": "SeriesChoices"}


SMALL = {
    "studies": (
        "from lmdk_widgets.pages.studies.page import StudiesPage",
        "StudiesPage(send=send)",
        "Studies()",
        [
            {"type": "pick", "trace": 1, "index": 2},
            {"type": "choose", "name": "x", "value": "scheme"},
            {"type": "choose", "name": "x", "value": "nothing"},
            {"type": "narrow", "narrow": True},
            {"type": "pick", "trace": 99, "index": 2},
            {"type": "results", "names": ["a.csv"]},
        ],
    ),
    "question": (
        "from lmdk_widgets.course.pages import QuestionPage",
        "QuestionPage('moments/share', send=send)",
        "Question('moments/share')",
        [{"type": "judge", "given": 0.2, "id": 1}, {"type": "judge", "given": "all", "id": 2}, {"type": "else"}],
    ),
    "lessons": ("from lmdk_widgets.course.pages import LessonsPage", "LessonsPage(send=send)", "Lessons()", []),
    "answers": (
        "from lmdk_widgets.course.pages import AnswersPage",
        "AnswersPage('moments', send=send)",
        "Answers('moments')",
        [],
    ),
}
"""Pages without choices: how each is made, plain and as a widget, and what it is sent."""


def said(code: str, seed: int, walked: str = WALK) -> list[str]:
    """The lines that a process of its own writes."""
    command = [sys.executable, "-c", f"{CLOCK}\nseed = {seed}\n{code}\n{walked}\n{PRINT}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def plain(name: str, seed: int) -> list[str]:
    page, _, session = SESSIONS[name]
    code = f"""
{WITHOUT}
from lmdk_widgets.pages.{name}.page import {page}
{imports(name)}
page = {page}({session}, send=lambda message, buffers: sent.append((message, buffers)))
tell = page.receive
"""
    return said(code, seed)


def in_a_widget(name: str, seed: int) -> list[str]:
    _, lab, session = SESSIONS[name]
    inside = session[session.index("(") + 1 : -1]
    code = f"""
from lmdk_widgets import {lab}
{imports(name)}
page = {lab}({inside})
page.send = lambda message, buffers=None: sent.append((message, buffers or []))
tell = page._handle_custom_msg
"""
    return said(code, seed)


def imports(name: str) -> str:
    more = f"\nfrom lmdk_widgets.pages.{name} import {CHOICES[name]}" if name in CHOICES else ""
    return f"from lmdk_widgets.pages.{name}.session import {SESSIONS[name][2].split('(')[0]}{more}"


@pytest.mark.long
@pytest.mark.parametrize("name", SESSIONS)
def test_a_walk_over_a_plain_page_gets_the_messages_of_the_widget(name: str) -> None:
    ours, theirs = plain(name, 4), in_a_widget(name, 4)
    assert len(ours) > 80
    assert ours == theirs


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_a_page_without_choices_gets_the_messages_of_the_widget_too(name: str) -> None:
    brought, made, widget, asked = SMALL[name]
    messages = [message | {"view": "v"} for message in ({"type": "ready"}, *asked)]
    walked = f"for message in {messages}:\n    tell(message, [b'x'])\nprint(page.reading())"
    alone = f"""
{WITHOUT}
{brought}
def send(message, buffers): sent.append((message, buffers))
page = {made}
tell = page.receive
"""
    inside = f"""
import lmdk_widgets
page = lmdk_widgets.{widget}
page.send = lambda message, buffers=None: sent.append((message, buffers or []))
tell = page._handle_custom_msg
"""
    ours, theirs = said(alone, 1, walked), said(inside, 1, walked)
    assert len(ours) > len(asked) and ours == theirs
