"""What a picture of one chart says: its title, its unit, and whose it is."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.io import NOTE
from lmdk_widgets.pages.track.belief import adversary_drawings
from lmdk_widgets.pages.track.page import TrackPage, session_on
from lmdk_widgets.pages.track.timeline import TIMELINE, describe_timeline
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, sample

BEGAN = np.datetime64("2026-03-01T08:00")
OWN = Trajectory(time=BEGAN + 600 * np.arange(6), latitude=48.85 + np.arange(6) / 1000, longitude=np.full(6, 2.35))


def test_a_picture_from_ones_own_data_is_for_its_owner() -> None:
    messages: list[dict] = []
    for data, own in (("bob", False), (OWN, True)):
        page = TrackPage(session_on(data), send=lambda message, *_: messages.append(message))
        page.receive({"type": "ready", "view": "a"}, [])
        told = [message for message in messages if message["type"] == "numbers"][-1]["pictured"]
        assert told["note"].startswith(NOTE) and ("<br>For you only, do not share: it reveals" in told["note"]) == own
        assert told["named"] == page.session.named()
        page.close()


@pytest.mark.parametrize("scheme", ["uniform", "adaptive"])
def test_every_panel_names_its_title_and_its_unit(scheme: str) -> None:
    layout = describe_timeline(evaluate(Scenario(scheme=scheme, landmarks=(0, 2)), sample("bob")))["layout"]
    named = {axis: (title, unit) for axis, _, title, unit in layout["meta"]["panels"]}
    axes = {f"y{name.removeprefix('yaxis')}" for name in layout if name.startswith("yaxis")}
    assert axes <= set(named) and all(all(words) for words in named.values())
    assert layout["meta"]["panels"] == TIMELINE


def test_the_attackers_panels_do_too() -> None:
    page = TrackPage(session_on("bob", choices={"attacker.open": True}))
    page.finish()
    drawings = {d.name: d for d in adversary_drawings(page.session.choices.attacker, page.outcome)}
    named = drawings["panels"].described["figure"]["layout"]["meta"]["panels"]
    assert [axis for axis, *_ in named] == ["y", "y2", "y3"] and "true cell" in named[0][2]
    page.close()
