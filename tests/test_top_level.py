"""What `import lmdk_widgets` offers, and how a notebook shows its objects: in a line or two, or on one card."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import lmdk_widgets
from lmdk_widgets.geo import distance_m
from lmdk_widgets.page.amounts import metres


def test_the_top_level_brings_data_and_the_computation() -> None:
    track = lmdk_widgets.sample("bob")
    outcome = lmdk_widgets.evaluate(lmdk_widgets.Scenario(landmarks=track.landmarks), track)
    assert isinstance(outcome, lmdk_widgets.Outcome) and isinstance(track, lmdk_widgets.Trajectory)
    found = lmdk_widgets.load(b"time,lat,lon\n2026-03-01T08:00Z,48,2\n2026-03-01T08:05Z,48,2\n")
    assert len(found) == 2 and not isinstance(found, lmdk_widgets.Series)
    meter = lmdk_widgets.load(b"time,kwh\n2026-01-26T08:00Z,0.3\n2026-01-26T09:00Z,0.2\n")
    assert isinstance(meter, lmdk_widgets.Series)
    assert lmdk_widgets.sample_series("household").unit == "kWh"
    assert all(getattr(lmdk_widgets, name) is not None for name in lmdk_widgets.__all__)


@pytest.mark.parametrize(
    ("use", "without"), [("", "numpy"), ("; lmdk_widgets.Scenario, lmdk_widgets.load", "anywidget")]
)
def test_importing_it_stays_light(use: str, without: str) -> None:
    code = f"import sys, lmdk_widgets{use}; print({without!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


class Card(HTMLParser):
    """The parts of a card: every tag and every text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name != "style"]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def value(self, name: str) -> str:
        return self.texts[self.texts.index(name) + 1]


def test_a_track_shows_how_far_it_reaches_and_not_where() -> None:
    track = replace(lmdk_widgets.sample("bob"), name="<script>alert(1)</script>")
    assert repr(track) == f"Trajectory({track.name!r}, 8 timestamps)"
    card = Card(track._repr_html_())
    assert set(card.tags) == {"div", "strong", "dl", "dt", "dd"} and track.name in card.texts
    assert card.value("timestamps") == "8" and card.value("landmarks") == "4 marked"
    middle = float(track.latitude.mean())
    west = distance_m(middle, float(track.longitude.min()), middle, float(track.longitude.max()))
    told = [float(number) for number in re.findall(r"[\d.]+(?= km)", card.value("extent"))]
    assert told[0] == pytest.approx(float(west) / 1000, rel=0.01)
    for degrees in (*track.latitude, *track.longitude):
        assert not [text for text in card.texts if f"{degrees:.3f}"[:-1] in text]


def test_a_series_shows_what_its_values_are_and_none_of_them() -> None:
    hours = np.datetime64("2026-01-26T08:00") + np.arange(3) * np.timedelta64(1, "h")
    series = lmdk_widgets.Series(hours, values=[777.25, 888.5, 777.25], unit="kWh", lower=0.0, upper=6000.0)
    card = Card(series._repr_html_())
    assert card.value("values") == "numbers in kWh" and card.value("public bounds") == "0 to 6,000"
    assert not [text for text in (repr(series), *card.texts) if "777" in text or "888" in text]
    assert Card(lmdk_widgets.sample_series("contacts")._repr_html_()).value("values") == "alone or near"


def test_a_scenario_shows_what_was_chosen() -> None:
    scenario = lmdk_widgets.Scenario(landmarks=range(300), epsilon=0.5, correlation="none")
    assert repr(scenario) == "Scenario(landmarks=(0, 1, 2, 3, 4, 5, 6, 7, ...), epsilon=0.5, correlation='none')"
    card = Card(scenario._repr_html_())
    assert card.value("Epsilon") == "0.5" and card.value("Landmarks").startswith("300 timestamps")
    assert eval(repr(lmdk_widgets.Scenario(scheme="skip")), {"Scenario": lmdk_widgets.Scenario}).scheme == "skip"


@pytest.mark.parametrize("name", ["bob", "household", "contacts", "taxi"])
def test_an_outcome_shows_its_main_numbers(name: str) -> None:
    data = lmdk_widgets.sample(name) if name in ("bob", "taxi") else lmdk_widgets.sample_series(name)
    scenario = lmdk_widgets.Scenario(track=name, landmarks=data.landmarks, epsilon=0.7)
    outcome = lmdk_widgets.evaluate(scenario, data)
    assert len(repr(outcome).splitlines()) <= 3 and len(repr(outcome)) < 400
    card = Card(outcome._repr_html_())
    assert card.value("scheme") == "Uniform, epsilon 0.7"
    if name in ("bob", "taxi"):
        assert card.value("mean error").startswith(metres(outcome.mean_error_m))
    assert "0.70" in " ".join(card.texts)
    assert card.texts[-1] == "Simulation, not a private release; errors are computed from the true data."


def test_others_and_no_landmarks_are_shown_too() -> None:
    track = lmdk_widgets.sample("bob")
    for changes in (
        {"scheme": "planned"},
        {"scheme": "given"},
        {"correlation": "none"},
        {"average": True},
        {"hide": True},
    ):
        outcome = lmdk_widgets.evaluate(lmdk_widgets.Scenario(landmarks=(3,)).with_changes(**changes), track)
        assert Card(outcome._repr_html_()).tags.count("dl") == 1 and len(repr(outcome).splitlines()) <= 3
    assert "spend" not in repr(lmdk_widgets.evaluate(lmdk_widgets.Scenario(), track))
