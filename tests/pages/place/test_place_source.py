"""What a file with recorded answers of the place page may be computed from: nothing of the user's own by itself."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.visits import Visits
from lmdk_widgets.page.session import MADE_UP, TRUE
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.session import MOVED, PlaceSession
from lmdk_widgets.trajectory import Trajectory


def own_track() -> Trajectory:
    n = 40
    time = np.datetime64("2026-03-01T06:00") + np.arange(n) * np.timedelta64(15, "m")
    return Trajectory(48.86 + np.linspace(0, 0.03, n), 2.33 + np.linspace(0, 0.02, n), time, name="Elm Street 5")


def visits() -> Visits:
    return Visits(48.86 + np.linspace(0, 0.01, 9), 2.33 + np.linspace(0, 0.01, 9))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, "your track"),
        ({"area": "grid", "prior": "time"}, "your track"),
        ({"area": "grid", "prior": "city", "other": "evening"}, "your track"),
        ({"area": "grid", "prior": "checkins", "other": "uniform"}, "your check-ins"),
        (
            {"area": "grid", "prior": "painted", "other": "uniform", "painted": [1.0] * 35 + [2.0]},
            "the painted weights",
        ),
    ],
)
def test_what_is_ones_own_is_refused_unless_the_truth_is_wanted(changes: dict, named: str) -> None:
    session = PlaceSession(PlaceChoices(checkins="own 1"), own_track(), visits())
    session.show_choices(session.choices.with_changes(place=-1, **changes))
    with pytest.raises(InputError, match=f"cannot be made from {named} without the true data in it"):
        session.what_if()
    assert session.left_out() == (named,)
    source = session.what_if(truth=True)
    assert source.true and source.said == TRUE and source.state == session.state


def test_files_that_are_not_looked_at_and_where_the_grid_lies_stay_out() -> None:
    session = PlaceSession(PlaceChoices(checkins="own 1"), own_track(), visits())
    built_in = {"area": "grid", "prior": "city", "other": "uniform"}
    for moved in ({"latitude": 48.2, "longitude": 16.4}, {"around": True}, {}):
        session.show_choices(session.choices.with_changes(**{"around": False} | built_in | moved))
        source = session.what_if()
        places, sources = source.state
        assert not sources.tracks and not sources.checkins and not sources.files
        assert (places.track, places.checkins, places.around) == ("commuter", "", False)
        assert (places.latitude, places.longitude) == (PlaceChoices().latitude, PlaceChoices().longitude)
        assert source.said == MOVED and not source.true
    assert PlaceSession().what_if().said == MADE_UP


def test_a_moved_grid_gives_the_same_answers_around_paris() -> None:
    session = PlaceSession(PlaceChoices(latitude=-33.9, longitude=151.2, rows=3, columns=4, other="uniform"))
    there, here = session.outcome.instance, PlaceSession(session.what_if().state.choices).outcome.instance
    assert (there.prior == here.prior).all() and (there.distances_m == here.distances_m).all()


def test_a_grid_in_which_a_sample_is_counted_is_refused_where_it_was_moved() -> None:
    """The same grid around Paris would give other answers."""
    session = PlaceSession(PlaceChoices(latitude=48.87, prior="time", track="commuter", other="uniform"))
    with pytest.raises(InputError, match="cannot be made from where the grid lies without"):
        session.what_if()
    assert session.what_if(truth=True).true
