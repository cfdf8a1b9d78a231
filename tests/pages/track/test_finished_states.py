"""What one visitor's page has found about a sample, and written, another one takes. Nobody's own data are kept for this."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from weakref import WeakSet

import pytest

from lmdk_widgets.cache import forget
from lmdk_widgets.page import session as sessions
from lmdk_widgets.page.session import FINISHED
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import MOST_SHARED, TrackSession
from lmdk_widgets.trajectory import Trajectory, sample

Sent = list[tuple[dict[str, Any], list[bytes]]]


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    forget("visitor")
    monkeypatch.setattr(sessions, "_ALIVE", defaultdict(WeakSet))  # without those that other tests have left


def opened(session: TrackSession | None = None) -> tuple[TrackPage, Sent]:
    sent: Sent = []
    page = TrackPage(session, send=lambda message, buffers: sent.append((dict(message), list(buffers))))
    page.receive({"type": "ready", "view": "a"})
    page.finish()
    sent.clear()
    return page, sent


def moved(page: TrackPage, sent: Sent, name: str, value: Any) -> Sent:
    """What is sent after a change, at once and then, each kind of message once: the last."""
    sent.clear()
    operations = [{"op": "set", "name": name, "value": value}]
    page.receive({"type": "change", "id": 1, "view": "a", "operations": operations, "commit": False})
    page.finish()
    return list({message["type"]: (message, buffers) for message, buffers in sent}.values())


def told(sent: Sent) -> list[tuple[str, dict[str, Any], list[bytes]]]:
    """Without whose request it answers."""
    bare = [({k: v for k, v in message.items() if k not in ("id", "asked")}, buffers) for message, buffers in sent]
    return sorted(((m["type"], m, [bytes(each) for each in buffers]) for m, buffers in bare), key=lambda each: each[0])


CHANGES = [("epsilon", 0.4), ("scheme", "skip"), ("correlation", "strong")]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_the_second_visitor_is_told_the_same_at_once(name: str, value: Any) -> None:
    (first, sent), (second, to_second) = opened(), opened()
    alone = told(moved(first, sent, name, value))
    forget("visitor")
    (third, to_third) = opened()
    again = moved(third, to_third, name, value)
    then = moved(second, to_second, name, value)
    assert second.outcome is third.outcome
    assert told(then) == told(again) == alone
    assert sum(message["type"] == "numbers" for message, _ in to_second) == 1, "there was nothing left to find"


def test_nobody_gets_what_is_found_about_somebodys_own_track() -> None:
    _another = opened()
    held = len(FINISHED)
    own = sample("bob")
    own = Trajectory(own.latitude, own.longitude, own.time, landmarks=own.landmarks, name="mine")
    page, sent = opened(TrackSession(own))
    moved(page, sent, "epsilon", 0.3)
    assert len(FINISHED) == held
    page.session.keep()  # the track that a room was opened with
    moved(page, sent, "epsilon", 0.35)
    assert len(FINISHED) == held + 1 and len(own) < MOST_SHARED


def test_nothing_is_kept_for_somebody_who_is_alone_with_a_page() -> None:
    page, sent = opened()
    moved(page, sent, "epsilon", 0.4)
    assert len(FINISHED) == 0
    _another = opened()
    held = len(FINISHED)
    moved(page, sent, "epsilon", 0.45)
    assert len(FINISHED) == held + 1


def test_what_an_open_panel_finds_is_not_kept() -> None:
    page, sent = opened()
    _another = opened()
    held = len(FINISHED)
    moved(page, sent, "attacker.open", True)
    assert len(FINISHED) == held


def test_what_was_cancelled_is_not_shared() -> None:
    page, _ = opened()
    operations = [{"op": "set", "name": "epsilon", "value": 0.77}]
    page.receive({"type": "change", "id": 1, "view": "a", "operations": operations, "commit": False})
    page.receive({"type": "cancel"})
    assert page.session.finished is None
    other, to_other = opened()
    moved(other, to_other, "epsilon", 0.77)
    assert other.outcome is not page.outcome and not other.outcome.stopped
