"""The public region: a choice that is checked, told in links once it is chosen, warned of while it is a proposal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.region_words import region_told, size_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region, distance_m
from lmdk_widgets.hosts.widget.track import Explorer
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.files import choices_from_json
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.region import is_proposed, outside, points_inside, region_of
from lmdk_widgets.trajectory import Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_series

ATHENS = (37.75, 23.5, 38.25, 24.0)


def walk(n: int = 20, seed: int = 1) -> Trajectory:
    """A track of someone's own in Athens."""
    rng = np.random.default_rng(seed)
    time = np.datetime64("2026-03-02T08:00:00") + np.arange(n) * np.timedelta64(300, "s")
    return Trajectory(
        37.98 + rng.normal(0, 0.01, n).cumsum() / 4, 23.73 + rng.normal(0, 0.01, n).cumsum() / 4, time, name="walk"
    )


def test_a_sample_brings_its_own_and_other_data_a_proposal_that_comes_from_them() -> None:
    own = Scenario(track="")
    assert region_of(Scenario(), sample("bob")) == Region(48.75, 2.25, 49.0, 2.5)
    assert not is_proposed(Scenario(), sample("bob")) and not is_proposed(own, sample_series("household"))
    assert is_proposed(own, walk()) and not is_proposed(own.with_changes(region=ATHENS), walk())
    found = region_of(own, walk())
    for low, high, values in (
        (found.south, found.north, walk().latitude),
        (found.west, found.east, walk().longitude),
    ):
        assert low <= values.min() and values.max() <= high
        assert low + 0.25 > values.min() and high - 0.25 < values.max(), "a smaller box would hold it"
        assert low * 4 == round(low * 4) and high * 4 == round(high * 4)
    assert region_of(own.with_changes(region=ATHENS), walk()).limits == ATHENS


@pytest.mark.parametrize(
    "wrong",
    [(1, 2, 3), (49, 2, 48, 3), (48, 3, 49, 2), (-91, 0, 0, 1), (0, 170, 1, 190), ("a", 0, 1, 2), "48 2 49 3",
     (0, 0, float("nan"), 1)],
)  # fmt: skip
def test_what_is_no_region_is_refused_in_words(wrong: Any) -> None:
    with pytest.raises(InputError):
        Scenario(region=wrong)


def test_a_region_that_was_chosen_stands_in_links_and_files() -> None:
    chosen = Scenario(track="", region=Region(*ATHENS))
    assert "region=37.75,23.5,38.25,24" in to_query(chosen) and "region" not in to_query(Scenario(track=""))
    assert Scenario.from_dict({"track": "", **from_query(to_query(chosen), Scenario)}) == chosen
    session = TrackSession(walk(), chosen)
    assert choices_from_json(session.settings()).scenario.region == ATHENS


def test_the_region_of_somebody_elses_track_is_not_taken_for_a_sample() -> None:
    session = TrackSession()
    session.open_link(to_query(TrackChoices(Scenario(track="", region=ATHENS, epsilon=0.5))))
    assert session.scenario.region == () and session.scenario.epsilon == 0.5
    own = TrackSession(walk(), Scenario(track=""))
    own.open_link(to_query(TrackChoices(Scenario(track="", region=ATHENS))))
    assert own.scenario.region == ATHENS


def test_another_track_is_not_in_the_region_of_the_one_before() -> None:
    session = TrackSession(walk(), Scenario(track="", region=ATHENS))
    session.apply([{"op": "set", "name": "track", "value": "bob"}], commit=True)
    assert session.scenario.region == ()


def test_a_proposal_is_warned_of_until_it_is_confirmed() -> None:
    outcome = evaluate(Scenario(track=""), walk())
    said = [text for text in describe(outcome).warnings if "proposal" in text]
    assert len(said) == 1 and size_of(region_of(outcome.scenario, walk())) in said[0]
    confirmed = Scenario(track="", region=region_of(outcome.scenario, walk()))
    for scenario, track in ((confirmed, walk()), (Scenario(), sample("bob"))):
        assert not any("egion" in text for text in describe(evaluate(scenario, track)).warnings)


def test_points_outside_are_moved_to_the_nearest_one_of_the_region_and_counted() -> None:
    track, region = walk(), Region(37.9, 23.5, 37.99, 23.73)
    inside, away = points_inside(region, track), outside(region, track)
    assert 0 < away.sum() < len(track)
    true = region.frame.to_metres(track.latitude, track.longitude)
    assert (inside[~away] == true[~away]).all()
    low, high = region.bounds_m
    grid = np.stack(np.meshgrid(*(np.linspace(a, b, 400) for a, b in zip(low, high, strict=True))), -1).reshape(-1, 2)
    for at, point in zip(inside[away], true[away], strict=True):
        nearest = np.hypot(*(grid - point).T).min()
        assert np.hypot(*(at - point)) <= nearest + 1e-6 and (at >= low).all() and (at <= high).all()
    apart = [np.hypot(*(points[:, None] - points).T) for points in (inside, true)]
    assert (apart[0] <= apart[1] + 1e-9).all(), "no two come farther apart"
    (said,) = (t for t in describe(evaluate(Scenario(track="", region=region), track)).warnings if "outside" in t)
    assert f"{away.sum()} of 20 timestamps lie outside the region" in said
    far = max(
        float(distance_m(a, b, *region.frame.to_degrees(at)))
        for a, b, at in zip(track.latitude, track.longitude, inside, strict=True)
    )
    written = float(said.partition("by up to ")[2].partition(" ")[0].replace(",", ""))
    assert far <= written * (1000 if " km" in said else 1) <= far * 1.01 + 1


def test_the_page_asks_for_the_region_of_ones_own_file_and_its_time_zone() -> None:
    rows = "".join(f"2026-03-01T08:{m:02d}:00Z,{37.95 + m / 500},{23.70 + m / 400}\n" for m in range(40))
    session = TrackSession()
    told = region_told(session.scenario, session.data)
    assert told is not None and told["called"] == "Paris, 18 by 28 km" and not told["proposed"] and told["sample"]
    session.load(f"time,lat,lon\n{rows}".encode(), "walk.csv")
    told = region_told(session.scenario, session.data)
    assert told is not None and told["proposed"] and told["zone"] == "" and "Which area can be public?" in told["said"]
    assert told["limits"] == [37.75, 23.5, 38.25, 24.0] and told["called"] == "44 by 56 km"
    session.take_file(session.read_again(timezone="Europe/Athens"))
    session.apply([{"op": "set", "name": "region", "value": told["limits"]}], commit=True)
    told = region_told(session.scenario, session.data)
    assert told is not None and not told["proposed"] and told["chosen"] and told["zone"] == "Europe/Athens"
    assert "links, files and programs contain it" in told["said"] and session.scenario.region == (
        37.75,
        23.5,
        38.25,
        24.0,
    )
    assert region_told(Scenario(track="household"), sample_series("household")) is None


def test_python_and_its_programs_carry_the_region() -> None:
    explorer = Explorer(walk(), region=Region(*ATHENS))
    assert explorer.scenario.region == ATHENS and Explorer(walk(), region=ATHENS).scenario.region == ATHENS
    assert "region=(37.75, 23.5, 38.25, 24.0)" in explorer.session.python().replace("[", "(").replace("]", ")")
    assert "region=[37.75, 23.5, 38.25, 24.0]" in explorer.session.snippet()
    with pytest.raises(InputError):
        Explorer(walk(), region=(1, 2, 3))
