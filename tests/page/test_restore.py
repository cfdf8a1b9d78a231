"""A session that begins where another one ended: choices, steps to undo and to redo, and the data they are about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.history import MOST_STEPS, History, State
from lmdk_widgets.page.session import Session
from lmdk_widgets.pages.place.model import PRESETS
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession

TRACK = b"time,lat,lon\n" + b"".join(b"2026-03-01T08:%02d:00Z,%f,2.3\n" % (m, 48.8 + m / 1000) for m in range(12))
TABLE = b"age,city,illness\n" + b"".join(b"%d,Paris,%d\n" % (20 + k, k % 3) for k in range(12))
SERIES = b"state\n" + b"".join(b"%d\n" % (k // 3 % 2) for k in range(60))
CHECKINS = b"latitude,longitude\n" + b"".join(b"%f,2.3\n" % (48.8 + k / 2000) for k in range(20))


class Kept:
    """What a page keeps of its session: the choices at each step, as they travel."""

    def __init__(self, session: Session) -> None:
        self.session, self.steps = session, {}
        self.told()

    def told(self) -> None:
        place = self.session.history.place
        self.choices, self.at = json.loads(json.dumps(self.session.choices.to_dict())), place["at"]
        if place["settled"]:
            self.steps[self.at] = self.choices
        self.steps = {k: step for k, step in self.steps.items() if place["first"] <= k <= place["last"]}

    def set(self, name: str, value: Any, *, commit: bool = True) -> None:
        self.session.apply([{"op": "set", "name": name, "value": value}], commit=commit)
        self.told()

    def op(self, **operation: Any) -> None:
        self.session.apply([operation], commit=True)
        self.told()

    def load(self, data: bytes, **options: Any) -> None:
        self.session.load(data, "mine.csv", **options)
        self.told()

    def restored(self, session: Session) -> Session:
        first = min(self.steps)
        steps = [self.steps[k] for k in sorted(self.steps)]
        steps[self.at - first] = self.choices
        session.restore(steps, self.at - first)
        return session


def past(session: Session) -> list[Any]:
    """The choices of every step, the last one first."""
    found = [session.choices]
    while session.history.can_undo:
        session.apply([{"op": "undo"}], commit=True)
        found.append(session.choices)
    return found


def test_landmarks_of_a_track_of_ones_own_come_back_with_every_step() -> None:
    kept = Kept(TrackSession())
    kept.set("scheme", "skip")
    kept.load(TRACK)
    for index in (3, 4, 7):
        kept.op(op="toggle", index=index)
    kept.set("epsilon", 0.5)
    kept.op(op="undo")
    other = TrackSession()
    other.load(TRACK, "mine.csv")
    kept.restored(other)
    assert other.choices == kept.session.choices and other.choices.scenario.landmarks == (3, 4, 7)
    assert (other.outcome.budgets == kept.session.outcome.budgets).all() and len(other.data) == 12
    other.apply([{"op": "redo"}], commit=True)
    assert other.choices.scenario.epsilon == 0.5 and not other.history.can_redo
    kept.op(op="redo")
    assert past(other) == past(kept.session)


def test_a_drag_that_did_not_end_comes_back_where_it_was_and_is_no_step() -> None:
    kept = Kept(TrackSession())
    kept.set("epsilon", 0.8)
    kept.set("epsilon", 0.3, commit=False)
    other = kept.restored(TrackSession())
    assert other.choices.scenario.epsilon == 0.3
    assert [each.scenario.epsilon for each in past(other)] == [0.3, 1.0]


def test_without_its_track_a_session_is_refused_and_stays_as_it_was() -> None:
    kept = Kept(TrackSession())
    kept.load(TRACK)
    other = TrackSession()
    before = other.state
    with pytest.raises(InputError, match="own track is no longer here"):
        kept.restored(other)
    assert other.state == before


def test_steps_whose_track_is_gone_are_left_out() -> None:
    kept = Kept(TrackSession())
    kept.set("epsilon", 0.8)
    kept.load(TRACK)
    kept.set("track", "commuter")
    kept.set("epsilon", 0.6)
    other = kept.restored(TrackSession())
    assert [(each.scenario.track, each.scenario.epsilon) for each in past(other)] == [
        ("commuter", 0.6),
        ("commuter", 0.8),
        ("bob", 0.8),
        ("bob", 1.0),
    ]


def test_check_ins_around_a_track_come_back() -> None:
    kept = Kept(TrackSession())
    kept.load(TRACK)
    before = kept.choices
    kept.load(CHECKINS, purpose="checkins")
    other = TrackSession()
    other.load(TRACK, "mine.csv")
    other.restore([before], 0)
    other.load(CHECKINS, "mine.csv", purpose="checkins")
    kept.restored(other)
    assert other.choices == kept.session.choices and other.left_out() == kept.session.left_out()
    assert "your check-ins" in other.left_out()


@pytest.mark.parametrize(
    ("made", "data", "name", "value"),
    [(SeriesSession, SERIES, "epsilon", 0.5), (TableSession, TABLE, "at_least", 3)],
)
def test_other_pages_come_back_with_their_file(made: Any, data: bytes, name: str, value: Any) -> None:
    kept = Kept(made())
    kept.load(data)
    name = name if name in kept.choices else "seed"
    kept.set(name, value)
    other = made()
    other.load(data, "mine.csv")
    kept.restored(other)
    assert other.state.choices == kept.session.choices and other.data is not None
    assert past(other) == past(kept.session)


def test_places_come_back_with_both_of_their_tracks() -> None:
    kept = Kept(PlaceSession())
    kept.load(TRACK)
    kept.load(TRACK.replace(b"48.8", b"48.9"))
    kept.op(op="preset", name=next(iter(PRESETS)))
    kept.op(op="undo")
    other = PlaceSession()
    for track in (TRACK, TRACK.replace(b"48.8", b"48.9")):
        other.load(track, "mine.csv")
    kept.restored(other)
    assert other.choices == kept.session.choices and other.choices.track == "own 2"
    assert past(other) == past(kept.session)


def test_a_long_history_keeps_its_numbers() -> None:
    history = History(State(0))
    for k in range(1, MOST_STEPS + 11):
        history.show(State(k), commit=True)
        place = history.place
        assert place["at"] == place["last"] == k and place["settled"]
    assert place["first"] == 10 and history.copy().place == place
    assert history.undo().choices == place["at"] - 1 == history.place["at"]
    assert history.place["last"] == place["at"]
    history.show(State(-1), commit=False)
    assert not history.place["settled"]


def test_a_restored_history_goes_both_ways() -> None:
    history = History.of([State(k) for k in range(5)], 2)
    assert history.present == State(2)
    assert [history.undo().choices, history.undo().choices, history.undo().choices] == [1, 0, 0]
    assert [history.redo().choices for _ in range(5)] == [1, 2, 3, 4, 4]


def test_nonsense_is_refused() -> None:
    session = TrackSession()
    before = session.state
    for steps in ([{"track": 3}], [[]], [{"nothing": 1}]):
        with pytest.raises(InputError):
            session.restore(steps, 0)  # type: ignore[arg-type]
    assert session.state == before


def test_a_page_that_is_not_ready_is_told_once_what_was_restored() -> None:
    said: list[dict[str, Any]] = []
    page = TrackPage(send=lambda message, _buffers: said.append(message))
    said.clear()
    page.receive({"type": "restore", "steps": [TrackSession().choices.with_changes(epsilon=0.3).to_dict()], "at": 0})
    assert [each["type"] for each in said] == ["restored"] and said[0]["done"]
    page.receive({"type": "ready", "view": "one"})
    assert [each["choices"]["epsilon"] for each in said if each["type"] == "numbers"] == [0.3]
    said.clear()
    page.receive({"type": "restore", "steps": [TrackSession().choices.to_dict()], "at": 0})
    assert said[0]["type"] == "numbers" and said[-1]["type"] == "restored", "it can be seen by now"
