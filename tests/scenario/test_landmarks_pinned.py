"""Settings that are kept beside others: in the state, in links, over changes of the track, and what is said of both."""

from __future__ import annotations

import io

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.pinned import differing, pin, pinned_scenario, swap
from lmdk_widgets.scenario.pinned_words import describe_pinned
from lmdk_widgets.scenario.session import LandmarkSession
from lmdk_widgets.trajectory import sample
from tests.every_number.landmarks_truth import LandmarkTruth

BOB = Scenario(landmarks=(0, 2, 4, 7), epsilon=0.5, radius_m=300.0)


def test_what_is_kept_is_what_was_chosen() -> None:
    two = pin(BOB).with_changes(scheme="weighted", epsilon=2.0, landmarks=(1,))
    assert pinned_scenario(two) == BOB
    assert differing(two) == ["landmarks", "scheme", "epsilon"]
    assert swap(two).with_changes(pinned="") == BOB and swap(swap(two)) == two
    assert differing(pin(BOB)) == []


def test_the_kept_outcome_is_the_one_it_would_be_alone() -> None:
    two = evaluate(pin(BOB).with_changes(scheme="skip"), sample("bob"))
    alone = evaluate(BOB, sample("bob"))
    for name in ("budgets", "total", "error_m", "latitude"):
        assert np.array_equal(two.array(f"pinned_{name}"), getattr(alone, name), equal_nan=True)
    assert evaluate(BOB, sample("bob")).pinned is None


def test_one_link_holds_both_and_tells_no_landmark_of_ones_own_track() -> None:
    session = LandmarkSession()
    session.apply([{"op": "set", "name": "scheme", "value": "skip"}, {"op": "pin"}], commit=True)
    session.apply([{"op": "set", "name": "scheme", "value": "event"}], commit=True)
    other = LandmarkSession()
    other.open_link(session.link.query)
    assert other.choices == session.choices and other.outcome.pinned.scenario.scheme == "skip"
    rows = "\n".join(f"2026-03-01T08:{m:02}:00Z,48.8{m:02},2.3" for m in range(10))
    session.load(io.StringIO(f"time,lat,lon\n{rows}\n").read().encode(), "mine.csv")
    assert session.choices.pinned == ""
    session.apply([{"op": "toggle", "index": 3}, {"op": "pin"}], commit=True)
    session.apply([{"op": "toggle", "index": 5}], commit=True)
    assert pinned_scenario(session.choices).landmarks == (3,)
    assert "landmarks%3D" not in session.link.query and "landmarks=3" not in session.link.query
    assert from_query(session.link.query, Scenario)["pinned"]


def test_another_track_has_no_kept_settings() -> None:
    session = LandmarkSession()
    session.apply([{"op": "pin"}], commit=True)
    session.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    assert session.choices.pinned == "" and session.outcome.pinned is None
    session.apply([{"op": "undo"}], commit=True)
    assert session.outcome.pinned is not None


@pytest.mark.parametrize("pinned", ["page=landmarks&epsilon=-3", "scheme=nosuch", "landmarks=900"])
def test_kept_settings_that_cannot_be_are_refused_and_nothing_is_lost(pinned: str) -> None:
    session = LandmarkSession()
    before = session.choices
    with pytest.raises(InputError):
        session.apply([{"op": "set", "name": "pinned", "value": pinned}], commit=True)
    assert session.choices == before and session.outcome.pinned is None


def test_settings_that_are_too_long_are_not_kept() -> None:
    with pytest.raises(InputError, match="at most 3,000 characters"):
        pin(BOB.with_changes(landmarks=tuple(range(0, 9000, 2))))


def test_every_number_of_the_table_is_that_of_its_option() -> None:
    rng = np.random.default_rng(8)
    for scheme in ("event", "skip", "adaptive", "window", "planned"):
        two = pin(BOB).with_changes(scheme=scheme, epsilon=float(rng.uniform(0.2, 3)), states=3)
        outcome = evaluate(two, sample("bob"))
        rows = {name: values for name, *values in describe_pinned(outcome)["rows"]}
        for k, one in enumerate((outcome.pinned, outcome)):
            t = LandmarkTruth(one)
            assert float(rows["Largest total loss"][k]) == pytest.approx(t.peak, rel=0.011)
            assert float(rows["Largest total loss"][k]) >= t.peak * (1 - 1e-9)
            assert float(rows["Landmarks together (count)"][k]) == pytest.approx(max(t.landmark), rel=0.006)
            assert float(rows["Landmarks and one other spend at most"][k]) >= max(t.totals) * (1 - 1e-9)
            assert float(rows["Budget of a timestamp, mean"][k]) == pytest.approx(np.mean(t.spent), rel=0.051)
        text = describe_pinned(outcome)["text"]
        ratio = LandmarkTruth(outcome).mean / LandmarkTruth(outcome.pinned).mean
        word, factor = ("multiplies", ratio) if ratio > 1 else ("divides", 1 / ratio)
        said = text.partition(f"{word} the mean error by ")[2].split()[0]
        assert float(said) == pytest.approx(factor, rel=0.006)
