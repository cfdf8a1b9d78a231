"""Settings that are kept beside others: in the state, in links, over changes of the track, and what is said of both."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query, link_of
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.files import choices_from_json, choices_json
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.side_by_side import differing, kept, options_table, pinned_of, swapped, what_differs
from lmdk_widgets.pages.track.timeline import arrays_beside
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample
from tests.every_number.landmarks_truth import LandmarkTruth

BOB = Scenario(landmarks=(0, 2, 4, 7), epsilon=0.5, radius_m=300.0)


def pinned(scenario: Scenario, **changes: Any) -> TrackChoices:
    """A scenario that is kept, beside itself with some changes."""
    return TrackChoices(scenario.with_changes(**changes), pinned=kept(scenario))


def test_what_is_kept_is_what_was_chosen() -> None:
    two = pinned(BOB, scheme="weighted", epsilon=2.0, landmarks=(1,))
    assert pinned_of(two) == BOB
    assert differing(two.pinned, two.scenario) == ["landmarks", "scheme", "epsilon"]
    assert swapped(two).scenario == BOB and swapped(swapped(two)) == two
    assert differing(kept(BOB), BOB) == []


def test_the_kept_outcome_is_the_one_it_would_be_alone() -> None:
    two = TrackSession(sample("bob"), pinned(BOB, scheme="skip")).outcome
    beside = arrays_beside(two, two.found("side_by_side"))
    alone = evaluate(BOB, sample("bob"))
    for name in ("budgets", "total", "error_m", "latitude"):
        assert np.array_equal(beside(f"pinned_{name}"), getattr(alone, name), equal_nan=True)
    assert TrackSession(sample("bob"), BOB).outcome.found("side_by_side") is None


def test_one_link_holds_both_and_tells_no_landmark_of_ones_own_track() -> None:
    session = TrackSession()
    session.apply([{"op": "set", "name": "scheme", "value": "skip"}, {"op": "pin"}], commit=True)
    session.apply([{"op": "set", "name": "scheme", "value": "event"}], commit=True)
    other = TrackSession()
    other.open_link(session.link.query)
    assert other.choices == session.choices and other.outcome.found("side_by_side").scenario.scheme == "skip"
    rows = "\n".join(f"2026-03-01T08:{m:02}:00Z,48.8{m:02},2.3" for m in range(10))
    session.load(io.StringIO(f"time,lat,lon\n{rows}\n").read().encode(), "mine.csv")
    assert session.choices.pinned is None
    session.apply([{"op": "toggle", "index": 3}, {"op": "pin"}], commit=True)
    session.apply([{"op": "toggle", "index": 5}], commit=True)
    assert session.choices.pinned.landmarks == (3,)
    assert "landmarks" not in session.link.query.partition("page=track")[2]
    assert from_query(session.link.query, TrackChoices)["pinned"] == {"track": "", "scheme": "event"}
    before = session.choices
    session.open_link(session.link.query)
    assert session.choices.pinned == before.pinned.with_changes(
        landmarks=before.scenario.landmarks
    )  # as the present one


def test_another_track_has_no_kept_settings() -> None:
    session = TrackSession()
    session.apply([{"op": "pin"}], commit=True)
    session.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    assert session.choices.pinned is None and session.outcome.found("side_by_side") is None
    session.apply([{"op": "undo"}], commit=True)
    assert session.outcome.found("side_by_side") is not None


@pytest.mark.parametrize("pinned", [{"epsilon": -3}, {"scheme": "nosuch"}, {"landmarks": [900]}, "epsilon=1"])
def test_kept_settings_that_cannot_be_are_refused_and_nothing_is_lost(pinned: Any) -> None:
    session = TrackSession()
    before = session.choices
    with pytest.raises(InputError):
        session.apply([{"op": "set", "name": "pinned", "value": pinned}], commit=True)
    assert session.choices == before and session.outcome.found("side_by_side") is None


def test_settings_that_are_too_long_for_a_link_are_kept_and_named() -> None:
    long = pinned(BOB.with_changes(landmarks=tuple(range(0, 9000, 2))), landmarks=(1,))
    link = link_of(long)
    assert link.too_long == ("the pinned option",) and "pinned" not in link.query
    assert choices_from_json(choices_json(long)) == long


def test_every_number_of_the_table_is_that_of_its_option() -> None:
    rng = np.random.default_rng(8)
    for scheme in ("event", "skip", "adaptive", "window", "planned"):
        two = pinned(BOB, scheme=scheme, epsilon=float(rng.uniform(0.2, 3)), states=3)
        outcome = TrackSession(sample("bob"), two).outcome
        before = outcome.found("side_by_side")
        rows = {name: values for name, *values in options_table(outcome).texts()}
        for k, one in enumerate((before, outcome)):
            t = LandmarkTruth(one)
            assert float(rows["Largest what-if loss"][k]) == pytest.approx(t.told, rel=0.011)
            assert float(rows["Largest what-if loss"][k]) >= t.told * (1 - 1e-9)
            alone = rows["One moment, if moments are independent"][k]
            assert float(alone) == pytest.approx(max(t.alone), rel=0.011) and float(alone) >= max(t.alone) * (1 - 1e-9)
            assert float(rows["Landmarks together (count)"][k]) == pytest.approx(max(t.landmark), rel=0.006)
            assert float(rows["Landmarks and one other spend at most"][k]) >= max(t.totals) * (1 - 1e-9)
            assert float(rows["Mean budget of a timestamp"][k]) == pytest.approx(np.mean(t.spent), rel=0.051)
        text = what_differs(outcome)
        ratio = LandmarkTruth(outcome).mean / LandmarkTruth(before).mean
        word, factor = ("multiplies", ratio) if ratio > 1 else ("divides", 1 / ratio)
        said = text.partition(f"{word} the mean error by ")[2].split()[0]
        assert float(said) == pytest.approx(factor, rel=0.006)
