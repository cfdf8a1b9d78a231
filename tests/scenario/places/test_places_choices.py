"""The choices of the laboratory: validated, frozen, the same after JSON; and what a user does to them."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lmdk_widgets.scenario.places.desk import COMFORTABLE, Desk

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.places import Places, evaluate
from lmdk_widgets.scenario.places.words import describe
from lmdk_widgets.trajectory import Trajectory, sample

choices = st.builds(
    Places,
    area=st.sampled_from(["grid", "track"]),
    rows=st.integers(2, 15),
    cell_m=st.floats(20, 50_000),
    prior=st.sampled_from(["city", "uniform", "time", "painted"]),
    painted=st.lists(st.floats(0, 1e6), max_size=30),
    level=st.floats(0.01, 20),
    radius_m=st.floats(10, 100_000),
    dilation=st.floats(1, 3),
    place=st.integers(-1, 224),
)


@given(choices)
@settings(max_examples=60, deadline=None)
def test_choices_survive_json(places: Places) -> None:
    assert Places.from_dict(json.loads(json.dumps(places.to_dict()))) == places
    assert places.with_changes() == places


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rows": 1}, "rows"),
        ({"columns": 16}, "2 to 15"),
        ({"rows": 2.5}, "whole number"),
        ({"cell_m": float("nan")}, "cell size"),
        ({"level": 0}, "privacy level"),
        ({"radius_m": -5}, "metres"),
        ({"dilation": 0.9}, "dilation"),
        ({"latitude": 89}, "-80 to 80"),
        ({"mechanism": "magic"}, "optimal, spanner"),
        ({"prior": None}, "prior"),
        ({"painted": [1, -1]}, "painted"),
        ({"painted": "11"}, "list of numbers"),
        ({"painted": [1] * 226}, "225"),
        ({"rows": True}, "whole number"),
        ({"colour": "red"}, "there is no such choice"),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(changes: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Places().with_changes(**changes)


def test_choices_are_frozen_and_epsilon_is_level_over_radius() -> None:
    places = Places(level=np.log(4), radius_m=200)
    assert places.epsilon_per_m == pytest.approx(0.0069314718)
    with pytest.raises(FrozenInstanceError):
        places.level = 2.0  # type: ignore[misc]
    with pytest.raises(InputError, match="JSON object"):
        Places.from_dict([1])  # type: ignore[arg-type]


def own_track(n: int = 60) -> Trajectory:
    time = np.datetime64("2026-03-02T06:00", "ns") + np.arange(n) * np.timedelta64(10, "m")
    return Trajectory(-33.86543 + 0.0011 * np.sin(np.arange(n)), 151.20917 + 0.002 * np.cos(np.arange(n)), time)


def put(name: str, value: object) -> dict:
    return {"op": "set", "name": name, "value": value}


def test_other_cells_drop_the_painting_and_the_chosen_cell() -> None:
    desk, places = Desk(), Places(place=3)
    painted = desk.changed(places, {"op": "paint", "cells": [0, 5], "weight": 4}, 36)
    assert painted is not None and painted.prior == "painted"
    assert painted.painted[0] == painted.painted[5] == 4 and painted.painted[1] == 1
    moved = desk.changed(painted, put("rows", 8), 36)
    assert moved is not None
    assert (moved.rows, moved.prior, moved.painted, moved.place) == (8, "uniform", (), -1)
    cleared = desk.changed(painted, {"op": "clear"}, 36)
    assert cleared is not None and cleared.painted == () and cleared.prior == "painted"
    assert desk.changed(places, {"op": "undo"}, 36) is None


@pytest.mark.parametrize("cells", [[36], [-1], [True], ["a"], [], "abc", None])
def test_cells_that_do_not_exist_cannot_be_painted(cells: object) -> None:
    with pytest.raises(InputError, match="cell"):
        Desk().changed(Places(), {"op": "paint", "cells": cells, "weight": 1}, 36)


def test_a_track_brings_cells_that_are_few_enough() -> None:
    desk = Desk()
    for name in ("bob", "commuter", "taxi"):
        places = desk.changed(Places(cell_m=100), put("area", "track"), 36)
        assert places is not None
        places = desk.changed(places, put("track", name), 36)
        assert places is not None
        assert 2 <= len(evaluate(places).area) <= COMFORTABLE


def test_a_file_becomes_a_track_or_check_ins() -> None:
    desk = Desk()
    rows = "".join(f"2026-03-01 08:{m:02d}:00,{48.80137 + m / 300},{2.30171 + m / 300}\n" for m in range(12))
    places, said = desk.load(("time,lat,lon\n" + rows).encode(), Places(), "track")
    assert places.area == "track" and places.prior == "time" and "UTC" in said
    assert len(evaluate(places, desk.sources).area) > 1
    places, said = desk.load(b"1,2\n3,4", Places(), "checkins")
    assert (places.prior, places.area, said) == ("checkins", "grid", "")
    assert evaluate(places, desk.sources).ground.prior.sum() == pytest.approx(1)
    table = "user;lat;lon\n" + "7;48,8607;2,3355\n" * 3 + "8;40,7128;-74,006\n"
    places, said = desk.load(table.encode(), Places(), "checkins")
    assert said == "3 of 4 check-ins lie in the grid." and evaluate(places, desk.sources).checkins == (3, 4)
    assert "3 of 4 check-ins lie in the grid; the others" in describe(evaluate(places, desk.sources)).assumption
    told = json.dumps(desk.told(places))
    assert "40.7128" not in told and "74.006" not in told
    with pytest.raises(InputError, match="none of the 1 check-ins lies in the grid") as caught:
        desk.load(b"lat,lon\n40.7128,-74.006", Places(), "checkins")
    assert "40.7" not in str(caught.value)
    for bad, kind in ((b"time,lat,lon\n", "track"), (b"1,2,3", "checkins")):
        with pytest.raises(InputError):
            desk.load(bad, Places(), kind)


def test_a_link_tells_nothing_of_a_track_of_ones_own() -> None:
    desk = Desk()
    track = own_track()
    places = desk.for_track(Places(), desk.keep(track)).with_changes(
        latitude=-33.865, longitude=151.209, place=3, painted=[1.0] * 9
    )
    told = desk.told(places)
    assert told["track"] == "commuter" and told["painted"] == [] and told["place"] == -1
    assert (told["latitude"], told["longitude"]) == (Places().latitude, Places().longitude)
    assert "own" not in json.dumps(told) and "151" not in json.dumps(told)
    file, _ = desk.load(b"1,2\n3,4", Places(), "checkins")
    assert desk.told(file)["prior"] == "city" and desk.told(file)["checkins"] == ""
    moved = Places(latitude=41.9, longitude=12.5, prior="painted", painted=[2.0] * 36)
    assert desk.told(moved) == Places(prior="painted").to_dict()
    assert desk.left_out(moved) == ("where the grid lies", "the painted weights") and desk.left_out(Places()) == ()
    assert desk.left_out(places) == ("your track",) and desk.left_out(file) == ("your check-ins",)


def test_the_repr_of_what_a_track_becomes_has_no_coordinate() -> None:
    desk = Desk()
    out = evaluate(desk.for_track(Places(), desk.keep(own_track())), desk.sources)
    assert "33.8" not in repr(out.area) and "151" not in repr(out.area)


def test_the_samples_are_found_by_name_and_others_are_not() -> None:
    assert len(Desk().sources.track("bob")) == len(sample("bob"))
    with pytest.raises(InputError):
        evaluate(Places(area="track", track="own 7"))
