"""An adversary who starts where people are: check-ins beside a track, or a made-up city; no link holds any of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer
from lmdk_widgets.answers.prior_moves import attacker_cells
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import Visits, city_prior
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.belief_words import MADE_UP, describe_adversary
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario, evaluate, infer
from lmdk_widgets.scenario.people import people_prior, with_checkins, without
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished

CHOSEN, PEOPLE = Scenario(), Attacker(start="people", open=True)
TABLE = b"lat,lon,count\n48.8606,2.3376,30\n48.8720,2.3316,10\n43.2965,5.3698,2\n"
"""Most of the people are in the Louvre, some at the Opera, a few in Marseille."""


def seen(track: Any) -> Any:
    """The outcome with what she infers who starts where people are."""
    return finished(TrackChoices(CHOSEN, attacker=PEOPLE), track)


def changed(session: TrackSession, name: str, value: Any) -> None:
    session.apply([{"op": "set", "name": name, "value": value}], commit=True)


def test_check_ins_are_counted_into_her_cells_by_a_loop() -> None:
    rng = np.random.default_rng(2)
    bob = sample("bob")
    latitude, longitude = bob.latitude[0] + rng.normal(0, 0.03, 400), bob.longitude[0] + rng.normal(0, 0.04, 400)
    area = attacker_cells(CHOSEN, PEOPLE, bob)
    x, y = area.frame.to_metres(latitude, longitude).T
    half = area.cell_m / 2
    counts = [np.count_nonzero((abs(x - a) < half) & (abs(y - b) < half)) + 0.01 for a, b in area.points_m]
    prior = people_prior(area, with_checkins(bob, Visits(latitude, longitude)))
    assert prior == pytest.approx(np.array(counts) / sum(counts))
    assert 1 < sum(counts) < 400


def test_without_check_ins_it_is_the_city_of_the_places_page_and_says_so() -> None:
    bob = sample("bob")
    outcome = seen(bob)
    area = outcome.found("attacker").area
    assert people_prior(area, bob).tolist() == city_prior(area).tolist()
    told = describe_adversary(PEOPLE, outcome)
    assert "starts from a made-up city" in told["found"][0] and MADE_UP in told["notes"]
    own = describe_adversary(PEOPLE, seen(with_checkins(bob, TABLE)))
    assert "from the 40 of your 42 check-ins that lie in them, and believes" in own["found"][0]
    assert MADE_UP not in own["notes"]


def test_the_first_belief_is_the_prior_and_moves_carry_it_on() -> None:
    track = with_checkins(sample("bob"), TABLE)
    found = infer(evaluate(CHOSEN.with_changes(epsilon=1e-6), track), PEOPLE)
    louvre = int(found.area.cell_of(track.frame.to_metres(np.array([48.8606]), np.array([2.3376])))[0])
    assert found.belief[0, louvre] == pytest.approx(30.01 / (40 + 0.01 * len(found.area)), rel=1e-3)
    assert found.belief[0, louvre] > found.belief[-1, louvre] > 1 / len(found.area)
    assert found.bound is None, "her start does not last, so no loss is computed for it"


def test_none_in_the_cells_are_all_cells_alike() -> None:
    far = with_checkins(sample("bob"), b"lat,lon\n43.2965,5.3698\n")
    outcome = seen(far)
    uniform = infer(outcome, PEOPLE.with_changes(start="uniform"))
    np.testing.assert_allclose(outcome.found("attacker").belief, uniform.belief, atol=1e-12)
    assert (
        "starts with every cell equally likely, as none of your 1 check-ins"
        in describe_adversary(PEOPLE, outcome)["found"][0]
    )


def test_an_upload_shows_her_and_no_link_holds_any_of_it() -> None:
    session = TrackSession()
    changed(session, "epsilon", 2.0)
    said = session.load(TABLE, "people.csv", purpose="checkins")
    assert said == "people.csv: 40 of 42 check-ins lie in the cells around the track."
    assert (session.choices.attacker.open, session.choices.attacker.start) == (True, "people")
    assert (session.scenario.track, session.scenario.epsilon) == ("bob", 2.0)
    assert session.link.left_out == ("your check-ins",)
    everything = session.link.query + session.settings() + session.program() + session.python()
    assert not [digits for digits in ("48.8", "2.337", "43.2") if digits in everything]
    assert "checkins='people.csv'" in session.python() and "'people.csv')" in session.program()
    assert repr(session.data) == repr(sample("bob"))
    changed(session, "attacker.start", "uniform")
    assert session.link.left_out == ()
    changed(session, "track", "commuter")
    assert session.data is sample("commuter"), "check-ins belong to the track beside which they were uploaded"
    session.apply([{"op": "undo"}], commit=True)
    assert without(session.data) is sample("bob") and session.data is not sample("bob")


def test_a_track_of_ones_own_stays_and_its_source_too() -> None:
    session = TrackSession()
    rows = "\n".join(f"2026-03-01T{8 + k:02}:00Z,{48.85 + k / 100},2.34" for k in range(5))
    session.load(f"time,lat,lon\n{rows}".encode(), "walk.csv")
    session.load(TABLE, "people.csv", purpose="checkins")
    assert len(session.data) == 5 and session.link.left_out == ("your track and its landmarks", "your check-ins")
    assert "walk.csv" in session.python() and "people.csv" in session.python()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"1,2\n3,4", "Check-ins around a track must have a heading .*; got numbers alone"),
        (b"lat,lon\n43.2965,5.3698", "must lie in the cells around the track; got none of 1"),
        (b"lat,lon,count\n48.86,x,1", "Line 2 of .* got a longitude that is not a number"),
        (b"user,where\n1,2", "names latitude and longitude"),
        (b"\x00\x01", "must contain finite numbers"),
    ],
)
def test_a_bad_file_gets_a_sentence_and_changes_nothing(data: bytes, said: str) -> None:
    session = TrackSession()
    before = session.outcome
    with pytest.raises(InputError, match=said) as caught:
        session.load(data, "people.csv", purpose="checkins")
    assert session.outcome is before and not session.history.can_undo
    assert "43.2" not in str(caught.value) + str(caught.value.rows)


def test_python_computes_the_same_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "people.csv").write_bytes(TABLE)
    monkeypatch.chdir(tmp_path)
    session = TrackSession()
    session.load(TABLE, "people.csv", purpose="checkins")
    run: dict[str, Any] = {}
    exec(session.program(), run)
    assert run["inferred"].belief.tolist() == session.outcome.found("attacker").belief.tolist()
    explorer = Explorer(
        checkins="people.csv", scenario=CHOSEN, choices={"attacker.open": True, "attacker.start": "people"}
    )
    assert (
        explorer.outcome.found("attacker").blind.right.tolist()
        == session.outcome.found("attacker").blind.right.tolist()
    )
    exec(session.python(), run)
    explorer.close()


def test_the_track_is_the_same_track() -> None:
    bob = sample("bob")
    busy = with_checkins(with_checkins(bob, TABLE), TABLE)
    assert without(busy) is bob and isinstance(busy, Trajectory)
    assert busy.landmarks == bob.landmarks and busy.labels == bob.labels and busy.zone == bob.zone
    assert busy.points_m.tolist() == bob.points_m.tolist()
