"""The widgets from Python: traits, messages, refusals as sentences, the bundles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from ipywidgets import Widget

from lmdk_widgets import Explorer, TrajectoryMap
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import percent
from lmdk_widgets.scenario import Scenario, evaluate, infer
from lmdk_widgets.trajectory import sample


@pytest.fixture(autouse=True)
def no_comm_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


class Page:
    """Stands for the browser: collects what the explorer sends and sends what a page would."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.sent: list[tuple[dict, list]] = []
        explorer.send = lambda content, buffers=None: self.sent.append((content, buffers or []))

    def tell(self, buffers: list | None = None, **message: object) -> list[dict]:
        self.sent.clear()
        self.explorer._handle_custom_msg({**message, "view": "v"}, buffers or [])
        return [content for content, _ in self.sent]


def change(*operations: dict, commit: bool = True) -> dict:
    return {"type": "change", "id": 7, "operations": list(operations), "commit": commit}


def test_ready_gets_everything_in_order() -> None:
    page = Page(Explorer())
    assert [m["type"] for m in page.tell(type="ready")] == [
        "options",
        "numbers",
        "track",
        "clock",
        "chain",
        "found",
        "draw",
        "assumption",
    ]


def test_a_change_answers_with_the_text_first() -> None:
    page = Page(Explorer())
    page.tell(type="ready")
    numbers, found, draw, assumption = page.tell(**change({"op": "set", "name": "epsilon", "value": 0.5}, commit=False))
    told = [message["type"] for message in (numbers, found, draw, assumption)]
    assert told == ["numbers", "found", "draw", "assumption"]
    assert (draw["id"], draw["asked"]) == (7, "v")
    assert numbers["choices"]["epsilon"] == 0.5
    assert page.explorer.scenario.epsilon == 0.5
    buffers = dict(zip((name for name, _ in draw["arrays"]), page.sent[2][1], strict=True))
    assert np.frombuffer(buffers["budgets"], "f4") == pytest.approx(np.full(8, 0.1))
    assert np.frombuffer(buffers["latitude"], "f8") == pytest.approx(page.explorer.outcome.latitude)


@pytest.mark.parametrize(
    "message",
    [
        change({"op": "set", "name": "epsilon", "value": -1}),
        change({"op": "set", "name": "epsilon", "value": None}),
        change({"op": "set", "name": "nothing", "value": 1}),
        change({"op": "toggle", "index": 99}),
        change({"op": "nothing"}),
        change({"op": "open", "text": "{"}),
        change({"op": "matrix", "text": "a b"}),
        {"type": "reload"},
        change({"op": "set", "name": "stays.within_m", "value": None}),
        {"type": "save", "what": "everything"},
        {"type": "change"},
    ],
)
def test_a_refusal_is_a_sentence_and_nothing_is_lost(message: dict) -> None:
    page = Page(Explorer())
    before = page.explorer.scenario
    (said,) = (m for m in page.tell(**message) if m["type"] != "read")
    assert said["type"] == "refused"
    assert said["text"].endswith(".")
    assert "Traceback" not in said["text"]
    assert page.explorer.scenario == before


def test_an_upload_in_pieces() -> None:
    rows = "".join(f"2026-03-01T08:{m:02d}:00Z,{48.8 + m / 1000},2.3\n" for m in range(20))
    data = ("time,lat,lon\n" + rows).encode()
    page = Page(Explorer())
    half = len(data) // 2
    said = page.tell([data[:half]], type="upload", id=1, name="a.csv", piece=0, pieces=2)
    assert [m["type"] for m in said] == ["received"]
    said = page.tell([data[half:]], type="upload", id=1, name="a.csv", piece=1, pieces=2)
    assert [m["type"] for m in said] == [
        "received",
        "numbers",
        "track",
        "clock",
        "chain",
        "found",
        "draw",
        "assumption",
        "read",
    ]
    assert len(page.explorer.trajectory) == 20


def test_a_broken_upload_lists_lines_without_coordinates() -> None:
    data = b"time,lat,lon\n2026-03-01T08:00:00Z,48.85661,2.35222\n2026-03-01T08:01:00Z,148.85662,2.35223\n"
    page = Page(Explorer())
    *_, said, over = page.tell([data], type="upload", id=1, name="a.csv", piece=0, pieces=1)
    assert said["type"] == "refused" and over["type"] == "read"
    assert said["rows"][0][0] == 3
    assert "48.8566" not in str(said).replace("148.85662", "")
    assert page.explorer.scenario.track == "bob"


def test_scenario_is_a_trait_to_set_and_observe() -> None:
    explorer = Explorer()
    seen = []
    explorer.observe(lambda c: seen.append(c["new"].epsilon), "scenario")
    explorer.scenario = explorer.scenario.with_changes(epsilon=0.25)
    assert explorer.outcome.budgets == pytest.approx(np.full(8, 0.05))
    Page(explorer).tell(**change({"op": "undo"}))
    assert seen == [0.25, 1.0]
    with pytest.raises(InputError):
        explorer.scenario = explorer.scenario.with_changes(landmarks=[12])
    assert explorer.scenario.landmarks == (0, 2, 4, 7)


def test_an_explorer_opens_with_the_choices_that_are_given_one_by_one() -> None:
    shown = Explorer("bob", scheme="event", epsilon=0.5)
    assert (shown.scheme, shown.epsilon, shown.landmarks) == ("event", 0.5, [0, 2, 4, 7])
    assert shown.outcome.budgets == pytest.approx(np.full(8, 0.5)) and not shown.session.history.can_undo
    assert Explorer("bob", landmarks=[1]).scenario.landmarks == (1,)
    with pytest.raises(InputError, match="Epsilon must be"):
        Explorer("bob", epsilon=-1)


def test_explorer_of_a_track_a_source_and_a_link(tmp_path) -> None:
    assert len(Explorer(sample("commuter")).outcome) == 2016
    assert Explorer(query="?epsilon=0.5&track=bob&landmarks=1").scenario.landmarks == (1,)
    path = tmp_path / "t.csv"
    path.write_text("time,lat,lon\n2026-03-01 08:00:00,48.8,2.3\n")
    page = Page(Explorer(source=path))
    assert page.tell(type="ready")[-1]["kind"] == "timezone"
    assert len(Explorer(source=path, timezone="Europe/Paris").outcome) == 1
    missing = Page(Explorer(source=tmp_path / "none.csv"))
    assert "cannot be read" in missing.tell(type="ready")[-1]["text"]


def test_map_alone() -> None:
    view = TrajectoryMap(sample("bob"))
    seen = []
    view.observe(lambda c: seen.append(c["new"]), "landmarks")
    view.landmarks = [3, 1, 1]
    assert (view.landmarks, seen) == ([1, 3], [[1, 3]])
    with pytest.raises(InputError):
        view.landmarks = [8]
    assert view.landmarks == [1, 3]


def test_an_adversary_on_the_map_alone() -> None:
    outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    found, view = infer(outcome), TrajectoryMap("bob")
    assert view._adversary == {} and view.show_adversary(found, at=4) is view
    told = view._adversary
    cells, beliefs = told["cells"], told["beliefs"]
    assert told["at"] == beliefs["at"] == 4 and beliefs["whole"] and len(cells["names"]) == len(found.area)
    sent = {
        name: np.frombuffer(buffer, kind)
        for (name, kind), buffer in zip(beliefs["arrays"], beliefs["buffers"], strict=True)
    }
    assert sent["marks"].reshape(8, -1).tolist() == found.marks.tolist()
    assert (sent["guess"].tolist(), sent["path"].tolist()) == (found.guess.tolist(), found.path.tolist())
    assert f"{percent(float(found.whole.right.mean()))}" in view.reading() and "189 cells" in view.reading()
    other = infer(evaluate(Scenario(), sample("commuter")))
    for wrong, at in ((other, 0), (outcome, 0), ("bob", 0), (found, 8), (found, -1)):
        with pytest.raises(InputError):
            view.show_adversary(wrong, at=at)
        assert view._adversary is told
    assert view.show_adversary(None)._adversary == {}
    assert "adversary" not in view.reading()


def test_the_loader_is_small_and_libraries_come_from_a_list() -> None:
    explorer = Explorer()
    assert len(explorer._esm) < 4000
    page = Page(explorer)
    page.tell(type="library", name="map.js")
    assert [c["name"] for c, _ in page.sent] == ["map.js"]
    assert page.tell(type="library", name="../__init__.py") == []
