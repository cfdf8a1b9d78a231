"""A session of the smallest page: operations all or none, undo, links, files, and outcomes that get better."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page import history as history_module
from lmdk_widgets.page.history import MOST_STEPS, History, State
from lmdk_widgets.page.link import Link
from lmdk_widgets.trajectory import Trajectory, sample
from tests.page.tiny import Tiny, TinySession


def put(name: str, value: object) -> dict[str, Any]:
    return {"op": "set", "name": name, "value": value}


def do(session: TinySession, *operations: dict[str, Any], commit: bool = True) -> TinySession:
    session.apply(operations, commit=commit)
    return session


UNDO, REDO, RESET = {"op": "undo"}, {"op": "redo"}, {"op": "reset"}


def test_choices_data_and_outcome_belong_together() -> None:
    session = TinySession(data=2.0)
    assert (session.choices, session.data, session.outcome.area) == (Tiny(), 2.0, 80_000)
    assert session.state == State(Tiny(), 2.0) == session.history.present
    do(session, put("size_m", 10), {"op": "double"})
    assert session.choices.size_m == 20 and session.outcome.area == 800
    assert session.link == Link("page=tiny&v=3&size_m=20.0&name=a", ("your factor",))
    assert session.visible() == list(Tiny.kinds())


def test_undo_redo_and_reset() -> None:
    session = do(do(TinySession(), put("size_m", 2)), put("size_m", 3))
    do(session, UNDO)
    assert session.outcome.area == 4 and session.history.can_undo and session.history.can_redo
    do(session, REDO)
    assert session.outcome.area == 9 and not session.history.can_redo
    do(session, UNDO, UNDO, UNDO)
    assert session.choices == Tiny() and not session.history.can_undo
    do(session, REDO, RESET)
    assert session.choices == Tiny() and not session.history.can_redo
    do(session, UNDO)
    assert session.outcome.area == 4


def test_a_drag_is_one_step() -> None:
    session = TinySession()
    for size in (3, 4, 5):
        do(session, put("size_m", size), commit=False)
        assert session.outcome.area == size**2 and not session.history.can_undo
    do(session, put("size_m", 5))
    do(session, UNDO)
    assert session.choices == Tiny()


REFUSED = [
    put("size_m", -1),
    put("size_m", 10_001),
    put("colour", "red"),
    {"op": "dance"},
    {},
    {"op": "set"},
    {"op": "set", "name": 3, "value": 1},
]


@pytest.mark.parametrize("bad", REFUSED)
def test_a_refused_operation_in_a_list_changes_nothing(bad: dict[str, Any]) -> None:
    session = do(TinySession(), put("size_m", 2))
    choices, outcome = session.choices, session.outcome
    with pytest.raises((InputError, KeyError, TypeError)):
        do(session, put("epsilon", 2), put("window", 5), bad)
    assert session.choices == choices and session.outcome is outcome and session.state.choices == choices
    do(session, put("window", 5))
    assert session.choices == Tiny(size_m=2, window=5)


@pytest.mark.parametrize("bad", REFUSED)
@pytest.mark.parametrize("back", [UNDO, REDO])
def test_an_undo_in_a_refused_list_is_no_undo(bad: dict[str, Any], back: dict[str, Any]) -> None:
    session = do(do(do(TinySession(), put("size_m", 2)), put("size_m", 3)), UNDO)
    choices, outcome = session.choices, session.outcome
    with pytest.raises((InputError, KeyError, TypeError)):
        do(session, back, bad)
    assert session.choices == choices and session.outcome is outcome
    assert do(session, UNDO).choices == Tiny()
    assert do(session, REDO, REDO).choices.size_m == 3


def test_an_operation_that_does_not_exist_and_a_file_that_does_not() -> None:
    with pytest.raises(InputError, match="asked for an operation that does not exist; got dance"):
        do(TinySession(), {"op": "dance"})
    with pytest.raises(InputError, match="asked for a file that does not exist; got everything"):
        TinySession().save("everything")


def test_what_changes_nothing_is_not_evaluated_again() -> None:
    session = TinySession()
    outcome = session.outcome
    do(session, put("size_m", 200.0))
    assert session.outcome is outcome and not session.history.can_undo


def test_choices_from_python_keep_the_data() -> None:
    session = TinySession(data=3.0)
    session.show_choices(Tiny(size_m=10))
    assert session.outcome.area == 300
    with pytest.raises(InputError, match="at most 10,000 m"):
        session.show_choices(Tiny(size_m=20_000))
    assert session.choices.size_m == 10 and session.outcome.area == 300
    assert do(session, UNDO).outcome.area == 120_000


def test_a_link_is_where_reset_leads_and_nothing_before_it_can_be_undone() -> None:
    session = do(TinySession(), put("size_m", 7))
    assert session.open_link("?page=tiny&epsilon=2&other=x") == ""
    assert session.choices == Tiny(epsilon=2) and not session.history.can_undo
    do(session, put("size_m", 9))
    assert do(session, RESET).choices == Tiny(epsilon=2)


def test_a_link_without_settings_changes_nothing() -> None:
    session = do(TinySession(), put("size_m", 7))
    assert session.open_link("?utm_source=mail") == "" and session.choices.size_m == 7 and session.history.can_undo


@pytest.mark.parametrize("query", ["epsilon=x", "epsilon=-1", "size_m=20000", "x" * 9000, "marked=0-1e9"])
def test_a_refused_link_changes_nothing(query: str) -> None:
    session = do(TinySession(), put("size_m", 7))
    outcome = session.outcome
    with pytest.raises(InputError):
        session.open_link(query)
    assert session.choices.size_m == 7 and session.outcome is outcome and session.history.can_undo
    assert do(session, RESET).choices == Tiny()


def test_what_a_page_begins_with_is_fitted_and_what_somebody_asked_for_is_not() -> None:
    assert TinySession(Tiny(window=900)).choices.window == 100
    session = TinySession()
    session.open_link("window=900")
    assert session.choices.window == 900
    session.load(b"2", "two.txt")
    assert session.choices.window == 100


def test_a_file_brings_data_and_its_undo_the_data_before() -> None:
    session = TinySession()
    assert session.load(b"3", "three.txt") == "Read three.txt."
    assert (session.data, session.outcome.area, session.choices.note) == (3.0, 120_000, "three.txt")
    do(session, UNDO)
    assert (session.data, session.outcome.area) == (1.0, 40_000)
    do(session, REDO)
    assert session.data == 3.0
    do(session, put("size_m", 1))
    assert do(session, RESET).choices.note == "three.txt"


def test_a_refused_file_waits_for_choices_and_they_add_up() -> None:
    session = TinySession()
    with pytest.raises(InputError, match="No file is waiting"):
        session.read_again(on_problem="drop")
    with pytest.raises(InputError) as caught:
        session.load(b"abc", "f.txt", instead=7)
    assert caught.value.kind == "rows" and session.data == 1.0 and not session.history.can_undo
    with pytest.raises(InputError):
        session.read_again(on_problem="ask")
    found = session.read_again(on_problem="drop")
    assert session.data == 1.0, "reading changes nothing"
    assert session.take_file(found) == "Read f.txt." and session.data == 7.0
    with pytest.raises(InputError, match="No file is waiting"):
        session.read_again(on_problem="drop")


def test_better_outcomes_are_taken() -> None:
    session = TinySession(Tiny(average=True))
    began = session.state
    for k, better in enumerate(session.improve(session.outcome), start=1):
        session.take(better, began)
        assert session.outcome.solved == k
    assert session.outcome is better


def test_take_after_a_click_keeps_what_was_solved_and_the_click() -> None:
    session = TinySession(Tiny(average=True))
    began, task = session.state, session.task(session.outcome)
    first, second, _ = session.improve(session.outcome)
    session.take(first, began)
    do(session, put("window", 9))  # a click: nothing that the work depends on
    assert session.task(session.outcome) == task
    assert session.outcome.solved == 1 and session.outcome.choices.window == 9
    session.take(second, began)
    assert session.outcome.solved == 2 and session.outcome.choices.window == 9
    do(session, put("size_m", 5))
    assert session.outcome.solved == 0 and session.task(session.outcome) != task


def test_a_history_keeps_so_many_steps() -> None:
    history = History(State(0))
    for k in range(1, 2 * MOST_STEPS):
        history.show(State(k), commit=True)
    steps = 0
    while history.can_undo:
        history.undo()
        steps += 1
    assert steps == MOST_STEPS and history.present.choices == MOST_STEPS - 1
    copy = history.copy()
    copy.redo()
    assert history.present.choices == MOST_STEPS - 1 and copy.present.choices == MOST_STEPS


@pytest.mark.long
def test_thirty_files_in_a_row_leave_no_more_than_is_kept_to_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "MOST_BYTES", 20_000)
    history = History(State(0, sample("bob")))
    files = [Trajectory(np.zeros(200), np.zeros(200), np.arange(200) * 10**9) for _ in range(30)]  # 4,800 bytes each
    kept = [weakref.ref(file) for file in files]
    while files:
        file = files.pop(0)
        for k in range(3):  # settings that are changed meanwhile hold no data of their own
            history.show(State((len(files), k), file), commit=True)
    del file
    gc.collect()
    assert sum(each() is not None for each in kept) == 5, "the present one, and what 20,000 bytes hold of others"
    steps = history.place
    assert steps["at"] == 90 and steps["first"] == 90 - (5 * 3 - 1)
    while history.can_undo:
        history.undo()
    assert history.present.choices == (4, 0)
