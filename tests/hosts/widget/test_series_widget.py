"""The quilt lab without a browser: what it answers to the page, what it refuses, files, links."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.series import QuiltLab
from lmdk_widgets.pages.series import SeriesChoices, household_text
from tests.hosts.widget.messages import change, listening, put, tell

BINARY = SeriesChoices(epsilon=1.0).with_source("binary")
WALK = "".join(f"2026-03-01T{8 + k // 60:02d}:{k % 60:02d}:00,48.85,{2.3 + (k % 9) / 90:.4f}\n" for k in range(120))


def made(choices: SeriesChoices = BINARY, **options: Any) -> Any:
    return listening(QuiltLab(choices, **options))


def upload(lab: Any, data: bytes, name: str = "f.csv") -> dict[str, Any]:
    found = tell(lab, "upload", [data], id=1, name=name, piece=0, pieces=1)
    return next(m for m in found if m["type"] in ("numbers", "refused"))


def test_a_page_gets_everything_and_nothing_that_json_cannot_say() -> None:
    lab = made()
    messages = tell(lab, "ready")
    assert [m["type"] for m in messages] == ["options", "numbers", "draw"]
    json.dumps(messages, allow_nan=False)
    _, numbers, draw = messages
    assert numbers["shown"]["node"] == draw["timeline"]["node"] + 1 == lab.outcome.node + 1
    assert set(draw["figures"]) == {"influence", "nodes", "histogram", "methods", "stack", "gap", "story"}
    arrays = {n: np.frombuffer(b, k) for (n, k), b in zip(draw["arrays"], lab.sent[2][1], strict=True)}
    assert (arrays["states"] == lab.outcome.series.states).all()
    assert arrays["scale"] == pytest.approx(lab.outcome.nodes.scale, rel=1e-6)


def test_no_colour_of_a_pattern_is_a_list() -> None:
    """A hatching has one colour."""
    for chart in tell(made(), "ready")[2]["figures"].values():
        for trace in chart["figure"]["data"]:
            marker = trace.get("marker", {})
            assert "pattern" not in marker or isinstance(marker["color"], str)


def test_a_change_an_undo_and_a_redo() -> None:
    lab = made()
    numbers = change(lab, put("epsilon", 2.0), put("node", 4))
    assert numbers["can_undo"] and numbers["shown"]["node"] == 5
    assert "With ε = 2" in numbers["words"]["paragraph"] and "For timestamp 5, " in numbers["words"]["paragraph"]
    assert change(lab, {"op": "undo"})["choices"] == BINARY.to_dict() and lab.choices == BINARY
    assert change(lab, {"op": "redo"})["choices"]["node"] == 4
    assert change(lab, {"op": "reset"})["choices"] == BINARY.to_dict()


def test_a_slider_on_its_way_is_one_step_to_undo() -> None:
    lab = made()
    for epsilon in (1.1, 1.5, 1.9):
        change(lab, put("epsilon", epsilon), commit=False)
    change(lab, put("epsilon", 2.0))
    assert change(lab, {"op": "undo"})["choices"]["epsilon"] == 1.0


def test_another_source_looks_at_its_own_worst_timestamp() -> None:
    lab = made()
    change(lab, put("node", 3))
    numbers = change(lab, put("source", "activities"))
    assert numbers["choices"]["every"] == 4 and numbers["choices"]["node"] == -1
    assert lab.session.kind == "activities" and numbers["shown"]["length"] == 336
    assert "every" in numbers["visible"] and "length" not in numbers["visible"]


def test_refusals_change_nothing() -> None:
    lab = made()
    before, outcome = lab.choices, lab.outcome
    bad = (
        put("epsilon", -1),
        put("source", "own"),
        put("releases", []),
        put("length", 1.5),
        put("x", 1),
        {"op": "dance"},
    )
    for operation in bad:
        refused = change(lab, put("node", 7), operation)
        assert refused["type"] == "refused" and refused["text"].endswith(".")
        assert lab.choices == before and lab.outcome is outcome
    assert change(lab, put("node", 7))["shown"]["node"] == 8


def test_an_upload_and_a_bad_one() -> None:
    lab = made()
    numbers = upload(lab, b"good\ngood\nbad\n" * 20, "mood.csv")
    assert numbers["choices"]["source"] == "own" and numbers["shown"]["own"].startswith("mood.csv: 60 readings")
    assert len(lab.outcome) == 60 and lab.outcome.series.labels == ("bad", "good")
    before = lab.choices
    refused = upload(lab, b"1\n2\nabc\n1\n2\n")
    assert refused["type"] == "refused" and "line 3" in refused["text"] and lab.choices == before
    assert change(lab, {"op": "undo"})["choices"]["source"] == "binary"


def test_a_long_upload_says_how_much_of_it_is_read() -> None:
    lab = made()
    numbers = upload(lab, b"0\n0\n1\n" * 4_000)
    told = "Every 4th of the file's 12,000 readings is read: 3,000 timestamps; the others are left out."
    assert any(told in warning for warning in numbers["words"]["warnings"])
    numbers = change(lab, put("every", 3))
    told = "Every 3rd of the file's 12,000 readings is read: 4,000 timestamps"
    assert any(told in warning for warning in numbers["words"]["warnings"])
    numbers = upload(lab, household_text().encode())
    assert any("of the file's 2,880 readings" in warning for warning in numbers["words"]["warnings"])
    numbers = upload(lab, b"0\n0\n1\n" * 40)
    assert not any("of the file's" in warning for warning in numbers["words"]["warnings"])


def test_times_without_a_zone_are_said_to_be_utc() -> None:
    lab = made()
    numbers = upload(lab, ("time,lat,lon\n" + WALK).encode())
    assert lab.session.data.trajectory is not None
    assert any("no time zone and were read as UTC" in warning for warning in numbers["words"]["warnings"])
    numbers = upload(lab, ("time,lat,lon\n" + WALK.replace(":00,", ":00Z,")).encode())
    assert not any("UTC" in warning for warning in numbers["words"]["warnings"])


def test_an_own_track_stays_out_of_messages_and_links() -> None:
    lab = made()
    upload(lab, ("time,lat,lon\n" + WALK).encode(), "walk.csv")
    numbers = next(m for m in tell(lab, "ready") if m["type"] == "numbers")
    assert "walk" not in numbers["link"] and "48.85" not in json.dumps(numbers)
    other = made(query=numbers["link"])
    assert other.choices.source == "binary" and other.choices.cell_m == lab.choices.cell_m
    assert any(m["type"] == "say" and "upload yours" in m["text"] for m in tell(other, "ready"))


def test_a_link_brings_the_settings_back_and_a_bad_one_is_refused() -> None:
    lab = made(SeriesChoices())
    numbers = change(lab, put("source", "track"), put("epsilon", 0.35), put("releases", [1, 2]), put("node", 9))
    assert made(SeriesChoices(), query=numbers["link"]).choices == lab.choices
    broken = made(SeriesChoices(), query="page=series&epsilon=-3")
    assert broken.choices == SeriesChoices()
    assert any(m["type"] == "refused" for m in tell(broken, "ready"))


def test_from_python() -> None:
    lab = made()
    lab.choices = lab.choices.with_changes(epsilon=2.0)
    assert lab.outcome.choices.epsilon == 2.0
    with pytest.raises(InputError):
        lab.choices = lab.choices.with_source("track", track="nowhere")
    assert lab.choices.epsilon == 2.0 and lab.choices.source == "binary"
    lab.close()


def test_its_python_shows_it_again(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.csv").write_text("home\nwork\n" * 30)
    own = made()
    upload(own, b"home\nwork\n" * 30)
    for lab in (made(), own):
        change(lab, put("releases", [1, 2]), put("epsilon", 0.35))
        (copied,) = tell(lab, "python")
        *lines, last = copied["text"].strip().splitlines()
        space: dict = {}
        exec("\n".join(lines), space)
        again = eval(last, space)
        assert again.choices.to_dict() == lab.choices.to_dict()
        assert np.array_equal(again.outcome.series.states, lab.outcome.series.states)
