"""A page without a widget: in a process that can import none, a walk gets the very messages that it gets in a notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WIDGETS = ("anywidget", "ipywidgets", "traitlets", "comm", "IPython")
CLOCK = """
import itertools, sys, time
ticks = itertools.count()
time.perf_counter = time.monotonic = lambda: next(ticks) / 100  # both hosts take as long
from tests.hosts.widget.walks import walk, written
sent = []
"""
FINISHED = """
walk(tell, page.finish, sent, seed=seed)
print(*written(sent), sep="\\n")
"""
SESSIONS = {
    "landmarks": ("LandmarkPage", "Explorer", "LandmarkSession()"),
    "places": ("PlacesPage", "PlacesLab", "PlacesSession(Places(rows=2, columns=2, prior='uniform'))"),
    "quilts": ("QuiltPage", "QuiltLab", "QuiltSession(QuiltChoices(source='binary', length=20))"),
    "foundations": ("FoundationsPage", "FoundationsLab", "FoundationsSession()"),
}
CHOICES = {"places": "Places", "quilts": "QuiltChoices"}


def said(code: str, seed: int) -> list[str]:
    """The lines that a process of its own writes."""
    command = [sys.executable, "-c", f"{CLOCK}\nseed = {seed}\n{code}\n{FINISHED}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def plain(name: str, seed: int) -> list[str]:
    page, _, session = SESSIONS[name]
    code = f"""
for module in {WIDGETS}:
    sys.modules[module] = None
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
    room = "scenario" if name == "landmarks" else f"pages.{name}"
    more = f"\nfrom lmdk_widgets.{room} import {CHOICES[name]}" if name in CHOICES else ""
    return f"from lmdk_widgets.{room}.session import {SESSIONS[name][2].split('(')[0]}{more}"


@pytest.mark.parametrize("name", SESSIONS)
def test_a_walk_over_a_plain_page_gets_the_messages_of_the_widget(name: str) -> None:
    ours, theirs = plain(name, 1), in_a_widget(name, 1)
    assert len(ours) > 80
    assert ours == theirs
