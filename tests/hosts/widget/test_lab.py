"""The base of every page as a widget: changes in, text then drawings out, better outcomes beside the page."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import lmdk_widgets
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.background import Background
from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.io import tables
from lmdk_widgets.page import glossary
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.messages import MAX_UPLOAD_BYTES
from lmdk_widgets.page.runner import END
from lmdk_widgets.page.takeaway import UNDONE
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.trajectory.formats import NAMES
from lmdk_widgets.trajectory.opened import UPLOADED
from tests.hosts.widget.messages import listening, put, tell
from tests.page.tiny import Area, Tiny, TinySession


class TinyPage(RecordablePage):
    MODULE = "figure_view.js"
    SESSION = TinySession

    def _options(self) -> dict[str, Any]:
        return {"extra": [1, 2]}

    def _text(self, outcome: Area) -> dict[str, Any]:
        said = f"area {outcome.area:g}, solved {outcome.solved} {outcome.state}".rstrip()
        return {"words": {"paragraph": said, "assumption": "", "warnings": []}}

    def _drawings(self, outcome: Area) -> Iterator[Drawing]:
        yield Drawing("curve", (outcome.area, outcome.solved), {"solved": outcome.solved}, {})
        arrays = {"corners": np.array([0.0, outcome.area]), "counts": np.arange(3), "exact": np.array([0.1])}
        yield Drawing("draw", (outcome.area,), {"figures": {}}, arrays, frozenset({"exact"}))


class TinyLab(Lab):
    PAGE = TinyPage


def made(choices: Tiny | None = None, **options: Any) -> Any:
    return listening(TinyLab(TinySession(choices), **options))


@pytest.fixture
def lab() -> Any:
    return made(Tiny(size_m=2))


def ask(lab: Any, *operations: dict[str, Any], commit: bool = True) -> list[str]:
    return [m["type"] for m in tell(lab, "change", id=7, operations=list(operations), commit=commit)]


def upload(lab: Any, data: bytes, **content: Any) -> list[dict[str, Any]]:
    return tell(lab, "upload", [data], id=1, name="f.txt", piece=0, pieces=1, **content)


def side(value: float) -> dict[str, Any]:
    return put("size_m", value)


def paragraph(lab: Any) -> str:
    return next(m for m, _ in reversed(lab.sent) if m["type"] == "numbers")["words"]["paragraph"]


def test_a_new_page_gets_options_text_and_arrays(lab: Any) -> None:
    options, numbers, curve, draw = messages = tell(lab, "ready")
    assert all(m["view"] == "v" for m in messages)
    json.dumps(messages, allow_nan=False)
    assert options == Tiny.controls() | {
        "type": "options",
        "extra": [1, 2],
        "title": "",
        "glossary": glossary.message(),
        "version": lmdk_widgets.__version__,
        "suffixes": UPLOADED,
        "formats": NAMES,
        "most_bytes": MAX_UPLOAD_BYTES,
        "parquet": tables.can_write_parquet(),
        "view": "v",
    }
    assert numbers["words"]["paragraph"] == "area 4, solved 0" and numbers["choices"] == Tiny(size_m=2).to_dict()
    assert numbers["visible"] == list(Tiny.kinds()) and not numbers["busy"]
    assert numbers["link"] == "page=tiny&v=3&size_m=2.0&name=a"
    assert (curve["type"], curve["solved"], draw["type"]) == ("curve", 0, "draw")
    assert draw["arrays"] == [["corners", "f4"], ["counts", "i4"], ["exact", "f8"]]
    assert np.frombuffer(lab.sent[3][1][0], "f4").tolist() == [0, 4]
    assert np.frombuffer(lab.sent[3][1][2], "f8").tolist() == [0.1]


def test_a_change_is_answered_with_its_number_and_can_be_undone(lab: Any) -> None:
    tell(lab, "ready")
    assert ask(lab, side(3)) == ["numbers", "curve", "draw"]
    assert all(content["id"] == 7 and content["asked"] == "v" for content, _ in lab.sent)
    assert lab.choices.size_m == 3 and lab.outcome.area == 9
    ask(lab, {"op": "undo"})
    assert lab.choices.size_m == 2 and lab.outcome.area == 4 and lab.sent[0][0]["can_redo"]
    ask(lab, {"op": "redo"})
    assert lab.outcome.area == 9
    ask(lab, {"op": "reset"})
    assert lab.outcome.area == 4


def test_only_what_changed_is_drawn_again_but_a_question_is_always_answered(lab: Any) -> None:
    tell(lab, "ready")
    assert ask(lab, put("window", 9)) == ["numbers", "draw"]
    assert [m["type"] for m in tell(lab, "ready")] == ["options", "numbers", "curve", "draw"]
    lab.sent.clear()
    lab.choices = lab.choices.with_changes(window=10)
    assert [m["type"] for m, _ in lab.sent] == ["numbers"]
    lab.choices = lab.choices.with_changes(size_m=3)
    assert [m["type"] for m, _ in lab.sent] == ["numbers", "numbers", "curve", "draw"]


def test_a_drag_is_one_step(lab: Any) -> None:
    for k in range(3, 8):
        ask(lab, side(k), commit=False)
    ask(lab, side(8))
    ask(lab, {"op": "undo"})
    assert lab.choices.size_m == 2


@pytest.mark.parametrize("value", [-1, 10_001])
def test_what_is_refused_changes_nothing(lab: Any, value: float) -> None:
    ask(lab, side(3))
    assert ask(lab, {"op": "undo"}, side(value)) == ["refused"]
    assert (lab.sent[0][0]["id"], lab.sent[0][0]["view"]) == (7, "v")
    assert lab.choices.size_m == 3 and lab.outcome.area == 9
    ask(lab, {"op": "undo"})
    assert lab.choices.size_m == 2


@pytest.mark.parametrize(
    "message",
    [
        {"type": "change"},
        {"type": "change", "operations": 3},
        {"type": "change", "operations": [None]},
        {"type": "change", "operations": [{"op": "set"}]},
        {"type": "upload"},
        {"type": "reload"},
        {"type": "save"},
        {"type": "save", "what": "everything"},
    ],
)
def test_a_message_that_is_none_is_a_sentence(lab: Any, message: dict[str, Any]) -> None:
    tell(lab, **{"type_": message["type"]}, **{k: v for k, v in message.items() if k != "type"})
    (said,) = (m for m, _ in lab.sent if m["type"] != "read")
    assert said["type"] == "refused" and said["text"].endswith(".") and "Traceback" not in said["text"]
    assert lab.choices == Tiny(size_m=2)


def test_choices_can_be_set_and_observed_from_python(lab: Any) -> None:
    seen = []
    lab.observe(lambda change: seen.append(change["new"].size_m), "choices")
    lab.choices = Tiny(size_m=5)
    ask(lab, side(6))
    with pytest.raises(InputError, match="at most 10,000 m"):
        lab.choices = Tiny(size_m=10_001)
    assert lab.choices.size_m == 6 and lab.outcome.area == 36
    assert seen[:2] == [5, 6]


def test_an_uploaded_file_and_a_bad_one(lab: Any) -> None:
    tell(lab, "ready")
    messages = upload(lab, b"7")
    assert [m["type"] for m in messages] == ["received", "say", "numbers", "curve", "draw", "read"]
    assert lab.session.data == 7 and messages[1]["text"] == "Read f.txt."
    *_, refused, over = upload(lab, b"x")
    assert over["type"] == "read"
    assert refused["type"] == "refused" and "got x" in refused["text"] and refused["kind"] == "rows"
    assert refused["rows"] == [[1, "no number"]] and lab.session.data == 7
    messages = tell(lab, "reload", on_problem="drop")
    assert [m["type"] for m in messages] == ["say", "numbers", "curve", "draw", "read"] and lab.session.data == 9


def test_the_purpose_of_a_file_reaches_the_session(lab: Any) -> None:
    asked: list[dict[str, Any]] = []
    lab.session.read_file = lambda data, name, **options: asked.append(options) or (name, 2.0)
    upload(lab, b"7", purpose="checkins")
    upload(lab, b"7")
    assert asked == [{"purpose": "checkins"}, {}]


def test_a_link_opens_the_same_choices() -> None:
    first = made()
    first.choices = Tiny(size_m=3, name="b c")
    numbers = tell(first, "ready")[1]
    assert numbers["link"] == "page=tiny&v=3&size_m=3.0&name=b+c"
    second = made(query=numbers["link"])
    assert second.choices == first.choices and not second.session.history.can_undo


def test_a_bad_link_is_said_on_the_page() -> None:
    lab = made(query="page=tiny&v=3&size_m=x")
    assert lab.choices == Tiny()
    said = tell(lab, "ready")[-1]
    assert said["type"] == "refused" and "Size in the link" in said["text"]


def test_a_file_to_begin_with_and_one_that_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "seven.txt"
    path.write_text("7")
    lab = made(source=path)
    assert lab.session.data == 7 and tell(lab, "ready")[-1] == {"type": "say", "text": "Read seven.txt.", "view": "v"}
    path.write_text("x")
    lab = made(source=path)
    assert tell(lab, "ready")[-1]["kind"] == "rows" and lab.session.data == 1
    assert "cannot be read" in tell(made(source=tmp_path / "none"), "ready")[-1]["text"]


def test_what_was_said_on_one_page_is_not_said_again_on_the_next(lab: Any) -> None:
    tell(lab, "ready")
    upload(lab, b"7")
    assert "say" not in [m["type"] for m in tell(lab, "ready")]


# -- better outcomes --------------------------------------------------------------------------------------------------


def test_better_outcomes_come_beside_the_page() -> None:
    lab = made(Tiny(size_m=2, average=True))
    assert next(m for m in tell(lab, "ready") if m["type"] == "numbers")["busy"]
    lab.sent.clear()
    lab.page._background.finish()
    assert lab.outcome.solved == 3 and not lab.sent[-1][0]["busy"]
    assert paragraph(lab) == "area 4, solved 3"
    assert [m["solved"] for m, _ in lab.sent if m["type"] == "curve"] == [1, 2, 3]
    assert "draw" not in [m["type"] for m, _ in lab.sent], "nothing of it has changed"


def test_what_is_finished_at_once_is_told_together() -> None:
    lab = made(Tiny(size_m=2, average=True))
    tell(lab, "ready")
    lab.sent.clear()
    lab.finish()
    assert [m["solved"] for m, _ in lab.sent if m["type"] == "curve"] == [3] and paragraph(lab) == "area 4, solved 3"


def watched(choices: Tiny) -> Any:
    lab = made(choices)
    lab.improved, improve = 0, lab.session.improve

    def count(outcome: Area) -> Any:
        lab.improved += 1
        return improve(outcome)

    lab.session.improve = count
    return lab


def test_improve_is_begun_again_only_when_the_task_differs() -> None:
    lab = watched(Tiny(size_m=2, average=True))
    lab.page._background.finish()
    ask(lab, put("window", 5))
    lab.choices = lab.choices.with_changes(epsilon=2)
    ask(lab, {"op": "undo"})
    assert lab.improved == 0 and lab.outcome.solved == 3
    ask(lab, side(3), commit=False)
    assert lab.improved == 1 and lab.outcome.solved == 0
    ask(lab, side(4))
    assert lab.improved == 2
    lab.finish()
    assert lab.outcome.solved == 3 and lab.outcome.area == 16


def test_a_click_in_the_midst_lets_the_work_go_on() -> None:
    lab = watched(Tiny(size_m=2, average=True))
    work = lab.page._background._work
    lab.page._background._take(work, lab.page._background._slice(work))
    ask(lab, put("window", 5))
    assert lab.page._background._work is work and lab.outcome.solved == 1
    lab.finish()
    assert lab.outcome.solved == 3 and lab.outcome.choices.window == 5 and lab.improved == 0


def test_without_a_task_the_work_ends() -> None:
    lab = watched(Tiny(average=True))
    ask(lab, put("average", False))
    assert not lab.page._background.busy and not lab.sent[0][0]["busy"]
    ask(lab, put("average", True))
    assert lab.page._background.busy and lab.improved == 1


def test_cancel_and_resume() -> None:
    lab = watched(Tiny(size_m=2, average=True))
    numbers = tell(lab, "cancel")[0]
    assert not numbers["busy"] and paragraph(lab) == "area 4, solved 0 cancelled"
    ask(lab, put("window", 5))
    assert not lab.page._background.busy and lab.outcome.state == "cancelled", "a click does not begin it again"
    assert tell(lab, "resume")[0]["busy"]
    lab.finish()
    assert lab.outcome.solved == 3 and lab.improved == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [(ZeroDivisionError("48.85"), "a fault in the program (ZeroDivisionError)"), (InputError("No way"), "No way.")],
)
def test_what_goes_wrong_in_the_work_is_a_sentence_and_the_page_is_not_busy(error: Exception, said: str) -> None:
    lab = made(Tiny(size_m=2, average=True))
    tell(lab, "ready")

    def fails() -> Iterator[Any]:
        raise error
        yield

    lab.page._background.submit(fails(), lambda found: lab.page._improved(found, lab.session.state))
    lab.sent.clear()
    lab.finish()
    refused = next(m for m, _ in lab.sent if m["type"] == "refused")
    assert said in refused["text"] and "48.85" not in refused["text"]
    numbers = next(m for m, _ in lab.sent if m["type"] == "numbers")
    assert not numbers["busy"] and said in paragraph(lab)


def test_close_ends_the_work() -> None:
    lab = made(Tiny(average=True))
    lab.close()
    assert not lab.page._background.busy


def test_work_goes_on_while_messages_are_answered() -> None:
    async def live() -> None:
        lab = made(Tiny(size_m=2, average=True))
        tell(lab, "ready")
        while lab.outcome.solved < 3:
            await asyncio.sleep(0.001)
        ask(lab, side(3))
        assert lab.outcome.solved == 0
        while lab.page._background.busy:
            await asyncio.sleep(0.001)
        assert lab.outcome.solved == 3 and lab.outcome.area == 9

    asyncio.run(asyncio.wait_for(live(), 30))


def test_what_a_thread_has_found_counts_when_the_rest_is_finished_here() -> None:
    """A cell that finishes a page blocks the event loop, which could not pass on what a thread found meanwhile."""
    found: list[Any] = []
    began, may_end = threading.Event(), threading.Event()

    def steps() -> Iterator[str]:
        began.set()
        may_end.wait(30)
        yield "the answer"

    async def cell() -> None:
        runner = Background()
        runner.submit(steps(), found.append)
        await asyncio.sleep(0)
        assert began.wait(30) and not found
        threading.Timer(0.05, may_end.set).start()
        runner.finish()
        assert found == ["the answer", END] and not runner.busy
        await asyncio.sleep(0.01)

    asyncio.run(cell())
    assert found == ["the answer", END]


def test_a_page_that_must_settle_cancels_what_takes_too_long() -> None:
    page = TinyPage()
    page.show(page.session.choices.with_changes(average=True))
    assert page.busy
    page.settle(0.0)
    assert not page.busy and page.ended_early and page.outcome.state == "cancelled"
    page.show(page.session.choices.with_changes(size_m=3.0))
    page.settle(60.0)
    assert not page.ended_early and page.outcome.solved == 3


def test_a_copy_says_of_an_answer_that_nobody_waited_for_that_it_is_not_computed() -> None:
    explorer = lmdk_widgets.Explorer("taxi")
    assert "Useful. Being computed" in " ".join(explorer.static_copy().lines)
    explorer.settle(0.0)
    said = " ".join(explorer.static_copy().lines)
    assert f"Useful. {UNDONE}" in said and "Being computed" not in said
    explorer.close()
