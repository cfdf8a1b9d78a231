"""The place page without a browser: what it answers, the work beside it, cancelling, files, links."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import solver
from lmdk_widgets.geoind.mechanisms import excess
from lmdk_widgets.geoind.solvers import TOLERANCE
from lmdk_widgets.hosts.widget.background import Background
from lmdk_widgets.hosts.widget.place import PlacesLab
from lmdk_widgets.page.runner import END
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.figures import adversary_figure
from lmdk_widgets.pages.place.words import above_the_best, length
from tests.hosts.widget.messages import change, listening, put, tell

IMPROVE = import_module("lmdk_widgets.pages.place.improve")
SMALL = PlaceChoices(rows=3, columns=3, prior="uniform", other="city")


@pytest.fixture(autouse=True)
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have tests of their own, and take longest."""
    monkeypatch.setattr(IMPROVE, "complete", lambda charts: iter(()))


def made(choices: PlaceChoices = SMALL, **options: Any) -> Any:
    return listening(PlacesLab(choices, **options))


def upload(lab: Any, purpose: str, data: bytes) -> list[dict[str, Any]]:
    return tell(lab, "upload", [data], id=1, name="f.csv", piece=0, pieces=1, purpose=purpose)


def test_a_page_gets_everything_and_nothing_that_json_cannot_say() -> None:
    lab = made()
    lab.finish()
    messages = tell(lab, "ready")
    assert [m["type"] for m in messages] == ["options", "numbers", "charts", "draw", "cards"]
    json.dumps(messages, allow_nan=False)
    numbers, charts, draw, _ = messages[1:]
    assert set(numbers["known"]) == {"optimal", "spanner", "planar", "remapped", "private"}
    assert not numbers["busy"] and numbers["work"]["text"] == ""
    assert set(charts["figures"]) == {"loss", "adversary", "tradeoff"}
    arrays = {n: np.frombuffer(b, k) for (n, k), b in zip(draw["arrays"], lab.sent[3][1], strict=True)}
    assert len(arrays["values"]) == 9 and len(arrays["latitudes"]) == 36
    assert arrays["values"].sum() == pytest.approx(1, abs=1e-5)


def test_clicks_show_reports_and_beliefs_without_solving_anew() -> None:
    lab = made()
    lab.finish()
    change(lab, put("place", 4), commit=False)
    assert lab.outcome.shown.meaning == "reports" and lab.outcome.shown.selected == 4
    change(lab, put("click", "report"), commit=False)
    assert lab.outcome.shown.meaning == "belief" and lab.outcome.shown.guess >= 0
    change(lab, put("mechanism", "planar"))
    assert np.array_equal(lab.outcome.shown.values, lab.outcome.assessed["planar"].belief[:, 4])
    assert not lab.page._background.busy


def test_a_new_level_keeps_the_mechanism_before_until_there_is_one() -> None:
    lab = made()
    lab.finish()
    numbers = change(lab, put("level", 2.0))
    assert numbers["stale"] and numbers["busy"] and "planar" not in numbers["known"]
    lab.finish()
    assert lab.outcome.present.channel.requested_epsilon == pytest.approx(0.002)
    numbers = change(lab, {"op": "undo"})
    assert not numbers["stale"] and len(numbers["known"]) == 5  # it was solved before


def test_cancel_keeps_the_last_mechanism_and_solving_can_go_on() -> None:
    lab = made()
    lab.finish()
    before = lab.outcome.present.channel
    change(lab, put("level", 0.6))
    tell(lab, "cancel")
    numbers = next(m for m, _ in lab.sent if m["type"] == "numbers")
    assert "last mechanism" in numbers["work"]["text"] and not numbers["busy"]
    assert lab.outcome.present.channel is before
    tell(lab, "resume")
    lab.finish()
    assert lab.outcome.present.channel.requested_epsilon == pytest.approx(0.0006)


@pytest.mark.machine_code
@pytest.mark.parametrize("mechanism", ["optimal", "spanner", "private"])
def test_after_cancel_headline_certificate_and_map_are_of_one_channel(
    mechanism: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "SHOWN_S", 0.0)  # also a solve of milliseconds shows what it has
    monkeypatch.setattr(IMPROVE, "SLICE_S", 0.0)
    lab = made(PlaceChoices(rows=3, columns=3, mechanism=mechanism))
    lab.finish()
    change(lab, put("rows", 5))
    while not any(j.channel.gap > TOLERANCE for j in lab.outcome.assessed.values()):  # a first, coarse incumbent
        lab.page._background._take(lab.page._background._work, lab.page._background._slice(lab.page._background._work))
    messages = tell(lab, "cancel")
    numbers = next(m for m in messages if m["type"] == "numbers")
    text, rows = numbers["words"]["paragraph"], dict(numbers["certificate"]["rows"])
    tell(lab, "ready")
    values = next(np.frombuffer(buffers[0], "f4") for message, buffers in lab.sent if message["type"] == "draw")
    if mechanism == "private":  # only what it is made from was begun
        assert (
            "OptPriv was not solved." in text and not rows and "before there was a mechanism" in numbers["work"]["text"]
        )
        assert values == pytest.approx(lab.outcome.instance.prior, abs=1e-6)
        return
    channel = lab.outcome.assessed[mechanism].channel
    told = f"{length(channel.quality_loss)} on average so far ({above_the_best(excess(channel), mechanism)})"
    assert told in text and rows["Quality loss"] == told.replace(" on average", "")
    assert values == pytest.approx(channel.matrix[lab.outcome.shown.selected], abs=1e-6)
    assert mechanism not in numbers["known"] and channel.epsilon <= 0.001
    bars = adversary_figure(lab.outcome)[0]["data"][0]["x"]
    assert [name for name in bars if name.endswith("so far")] == [f"{mechanism.title()}<br>so far"]


def test_refusals_change_nothing() -> None:
    lab = made()
    lab.finish()
    before, outcome = lab.choices, lab.outcome
    for bad in (put("rows", 99), put("level", -1), put("prior", "checkins"), put("place", 9), {"op": "dance"}):
        assert change(lab, bad)["type"] == "refused"
        assert lab.choices == before and lab.outcome is outcome
    for kind, data in (("checkins", b"1,2,x,4"), ("track", b"time,lat,lon\n2026-01-01T00:00:00Z,abc,2\n")):
        said = next(m for m in upload(lab, kind, data) if m["type"] == "refused")
        assert "line" in said["text"] or said["rows"]
        assert lab.choices == before


def test_check_ins_painting_and_undo() -> None:
    lab = made()
    upload(lab, "checkins", ",".join(["1"] * 900).encode())
    assert lab.choices.prior == "checkins"
    assert lab.outcome.instance.prior == pytest.approx(np.full(9, 1 / 9))
    change(lab, {"op": "paint", "cells": [0, 1], "weight": 16})
    assert lab.choices.prior == "painted" and lab.outcome.instance.prior[0] == pytest.approx(16 / 39)
    change(lab, {"op": "undo"})
    assert lab.choices.prior == "checkins"
    change(lab, put("rows", 4), {"op": "paint", "cells": [11], "weight": 4})
    assert len(lab.choices.painted) == 12


def test_an_own_track_stays_out_of_messages_and_links() -> None:
    rows = "".join(
        f"2026-03-01T08:{m:02d}:00Z,{-33.86543 + m / 300:.5f},{151.20917 + m / 250:.5f}\n" for m in range(30)
    )
    lab = made()
    upload(lab, "track", ("time,lat,lon\n" + rows).encode())
    assert lab.choices.area == "region" and lab.choices.track.startswith("own")
    numbers = next(m for m in tell(lab, "ready") if m["type"] == "numbers")
    assert numbers.pop("region") == [-34.0, 151.0, -33.75, 151.5]  # what its owner is asked about
    assert "own" not in numbers["link"] and "151" not in json.dumps(numbers)
    other = made(PlaceChoices(), query=numbers["link"])
    assert other.choices.area == "region" and other.choices.track == "commuter"
    change(lab, put("area", "track"))
    link = next(m for m in tell(lab, "ready") if m["type"] == "numbers")["link"]
    other = made(PlaceChoices(), query=link)
    assert other.choices.area == "track" and other.choices.track == "commuter"


def test_a_link_brings_the_settings_back_and_a_bad_one_is_refused() -> None:
    lab = made(PlaceChoices())
    numbers = change(lab, put("rows", 4), put("level", 0.35), put("mechanism", "spanner"), put("click", "report"))
    assert made(PlaceChoices(), query=numbers["link"]).choices == lab.choices
    broken = made(PlaceChoices(), query="page=place&rows=77")
    assert broken.choices == PlaceChoices()
    assert any(m["type"] == "refused" for m in tell(broken, "ready"))


def test_from_python() -> None:
    lab = made()
    lab.choices = lab.choices.with_changes(level=2.0)
    lab.finish()
    assert lab.outcome.places.level == 2.0
    with pytest.raises(InputError):
        lab.choices = lab.choices.with_changes(place=100)
    assert lab.choices.level == 2.0
    lab.close()


def test_many_cells_wait_until_the_charts_are_asked_for() -> None:
    lab = made(SMALL.with_changes(rows=9, columns=8))
    numbers = change(lab, put("click", "report"))
    assert numbers["charts_wait"]
    numbers = change(lab, put("charts", True))
    assert not numbers["charts_wait"] and numbers["busy"]
    assert change(lab, put("rows", 10))["charts_wait"]


def test_messages_are_answered_while_it_solves_and_a_new_level_drops_the_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IMPROVE, "SLICE_S", 0.0)

    async def live() -> None:
        lab = made(PlaceChoices(rows=5, columns=5))
        tell(lab, "ready")
        while "planar" not in lab.outcome.assessed:
            await asyncio.sleep(0.001)
        assert lab.page._background.busy
        numbers = change(lab, put("level", 1.7))  # answered at once, in the midst of the work
        assert numbers["choices"]["level"] == 1.7 and numbers["busy"]
        while "optimal" not in lab.outcome.assessed:
            await asyncio.sleep(0.001)
        assert lab.outcome.assessed["optimal"].channel.requested_epsilon == pytest.approx(0.0017)
        tell(lab, "cancel")
        kept = lab.outcome.assessed["optimal"].channel
        await asyncio.sleep(0.2)
        assert not lab.page._background.busy and lab.outcome.assessed["optimal"].channel is kept

    asyncio.run(asyncio.wait_for(live(), 60))


def test_the_background_runs_one_at_a_time_and_hands_over_exceptions() -> None:
    async def live() -> None:
        work, found = Background(), []

        def steps(name: str, n: int) -> Any:
            for k in range(n):
                yield f"{name}{k}"

        def fails() -> Any:
            yield 1
            raise ValueError("no")

        work.submit(steps("a", 10_000), found.append)
        while not found:
            await asyncio.sleep(0)
        work.submit(steps("b", 3), found.append)
        while work.busy:
            await asyncio.sleep(0)
        first = found.index("b0")
        assert found[first:] == ["b0", "b1", "b2", END] and all(f.startswith("a") for f in found[:first])
        work.submit(fails(), found.append)
        while work.busy:
            await asyncio.sleep(0)
        assert isinstance(found[-1], ValueError)

    asyncio.run(asyncio.wait_for(live(), 30))


def test_a_page_says_whether_somebody_waits_for_what_it_solves() -> None:
    lab = made()
    asked = [lab.page._background._urgent()]
    lab.finish()
    assert [*asked, lab.page._background._urgent()] == [True, False]


def test_work_is_urgent_until_the_mechanism_that_is_shown_is_found() -> None:
    lab = made()
    session = lab.session
    assert session.urgent(lab.outcome)
    while session.urgent(lab.outcome):
        lab.page._background._take(lab.page._background._work, lab.page._background._slice(lab.page._background._work))
    assert lab.page._background.busy and lab.outcome.present.channel.gap <= TOLERANCE
    assert "private" not in lab.outcome.assessed
    lab.finish()
    assert not session.urgent(lab.outcome)
    change(lab, put("level", 2.0))
    assert session.urgent(lab.outcome)


def test_a_fault_in_the_work_is_a_sentence() -> None:
    lab = made()

    def fails() -> Any:
        raise ZeroDivisionError
        yield

    lab.session.improve = lambda outcome: fails()
    change(lab, put("level", 2.0))
    lab.sent.clear()
    lab.finish()
    numbers = next(m for m, _ in lab.sent if m["type"] == "numbers")
    assert "ZeroDivisionError" in numbers["work"]["text"] and not numbers["busy"]


def test_the_charts_are_drawn_as_they_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    lab = made(SMALL)
    tell(lab, "ready")
    lab.sent.clear()
    lab.page._background.finish()
    assert lab.outcome.charts.finished
    charts = [m for m, _ in lab.sent if m["type"] == "charts"]
    assert len(charts) >= 40
    told = [m for m, _ in lab.sent if m["type"] == "numbers"]
    assert any(m["work"]["text"].startswith("Computing the charts") for m in told)
    assert told[-1]["work"]["text"] == "" and not told[-1]["busy"]
    json.dumps([m for m, _ in lab.sent], allow_nan=False)
