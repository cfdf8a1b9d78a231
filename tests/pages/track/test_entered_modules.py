"""A move of epsilon with every panel closed enters few modules: what is closed is not asked anything."""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

import pytest

from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.pages.track.choices import PANELS
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.words import describe

MOST = 94
"""Modules of the package whose functions run, in all threads, until the last drawing of the move."""


def move(page: TrackPage, epsilon: float) -> None:
    """A move of the slider, as the browser asks for it, with everything that follows from it."""
    change = {"op": "set", "name": "epsilon", "value": epsilon}
    page.receive({"type": "change", "id": 1, "view": "a", "operations": [change], "commit": False})
    page.finish()


def entered(page: TrackPage, epsilon: float) -> set[str]:
    """The modules of the package in which a function runs during a move."""
    found: set[str] = set()

    def seen(frame: FrameType, event: str, _argument: Any) -> None:
        if frame.f_code.co_name == "__hash__":  # of the choices that the state consists of: nobody is asked anything
            return
        if event == "call" and (name := frame.f_globals.get("__name__", "")).startswith("lmdk_widgets."):
            found.add(name)

    before = sys.getprofile()
    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        move(page, epsilon)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
    return found


@pytest.fixture
def page() -> TrackPage:
    """The page as it opens, warm."""
    sent: list[Message] = []
    made = TrackPage(send=lambda message, _buffers: sent.append(message))
    made.receive({"type": "ready", "view": "a"})
    for epsilon in (1.1, 1.2, 1.3):
        move(made, epsilon)
    sent.clear()
    return made


def test_a_move_enters_few_modules_and_none_of_a_closed_panel(page: TrackPage) -> None:
    opened = {type(panel).__module__ for panel in PANELS.opened(page.session.choices)}
    closed = {type(panel).__module__ for panel in PANELS} - opened
    found = entered(page, 2.2)
    assert len(closed) >= 10 and not found & closed
    assert len(found) <= MOST, sorted(found)


def test_only_what_a_page_shows_is_open_at_first(page: TrackPage) -> None:
    def names(panels: list[Panel]) -> set[str]:
        return {panel.NAME for panel in panels}

    first = names(PANELS.opened(page.session.choices))
    asked = page.session.choices.with_changes(**{"table.open": True, "hide": True})
    assert names(PANELS.opened(asked)) == first | {"table", "table_reader", "dummies"}


def test_what_takes_longest_is_written_after_the_picture_is_drawn() -> None:
    sent: list[Message] = []
    page = TrackPage(send=lambda message, _buffers: sent.append(message))
    page.receive({"type": "ready", "view": "a"})
    sent.clear()
    page.receive(
        {"type": "change", "id": 1, "operations": [{"op": "set", "name": "epsilon", "value": 0.7}], "view": "a"}
    )
    kinds = [message["type"] for message in sent]
    assert kinds.index("numbers") < kinds.index("draw") < kinds.index("assumption")
    told = next(message for message in sent if message["type"] == "numbers")
    text = next(message["text"] for message in sent if message["type"] == "assumption")
    assert "assumption" not in told["words"] and text == describe(page.outcome).assumption and "δ" in text
