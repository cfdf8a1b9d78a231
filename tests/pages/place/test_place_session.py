"""The place page without the page: other cells, painting, files of one's own, links, better outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region, distance_m
from lmdk_widgets.geoind.visits import crowded
from lmdk_widgets.linear import compiling
from lmdk_widgets.pages.place import Outcome, PlaceChoices, Visits, evaluate
from lmdk_widgets.pages.place.prior import Sources
from lmdk_widgets.pages.place.session import COMFORTABLE, PlaceSession
from lmdk_widgets.pages.place.study import Charts, complete
from lmdk_widgets.pages.place.words import describe, moving, status
from lmdk_widgets.trajectory import Trajectory, sample

SMALL = PlaceChoices(rows=3, columns=3, prior="uniform", other="city")


def own_track(n: int = 60) -> Trajectory:
    time = np.datetime64("2026-03-02T06:00", "ns") + np.arange(n) * np.timedelta64(10, "m")
    return Trajectory(-33.86543 + 0.0011 * np.sin(np.arange(n)), 151.20917 + 0.002 * np.cos(np.arange(n)), time)


def put(name: str, value: object) -> dict:
    return {"op": "set", "name": name, "value": value}


def do(session: PlaceSession, *operations: dict[str, Any]) -> PlaceChoices:
    session.apply(operations, commit=True)
    return session.choices


def test_other_cells_drop_the_painting_and_the_chosen_cell() -> None:
    session = PlaceSession(PlaceChoices(place=3))
    painted = do(session, {"op": "paint", "cells": [0, 5], "weight": 4})
    assert painted.prior == "painted" and painted.place == 5
    assert painted.painted[0] == painted.painted[5] == 4 and painted.painted[1] == 1
    moved = do(session, put("rows", 8))
    assert (moved.rows, moved.prior, moved.painted, moved.place) == (8, "uniform", (), -1)
    do(session, {"op": "undo"})
    cleared = do(session, {"op": "clear"})
    assert cleared.painted == () and cleared.prior == "painted"
    assert do(session, {"op": "undo"}, {"op": "undo"}) == PlaceChoices(place=3)


@pytest.mark.parametrize("cells", [[36], [-1], [True], ["a"], [], "abc", None])
def test_cells_that_do_not_exist_cannot_be_painted(cells: object) -> None:
    session = PlaceSession()
    with pytest.raises(InputError, match="Cell must be a whole number between 0 and|At least one cell must be painted"):
        do(session, {"op": "paint", "cells": cells, "weight": 1})
    assert session.choices == PlaceChoices()


@pytest.mark.parametrize("weight", [-1, "a", None, float("nan"), 1e7])
def test_weights_that_are_none_cannot_be_painted(weight: object) -> None:
    with pytest.raises(InputError, match="Each of the painted weights must be"):
        do(PlaceSession(), {"op": "paint", "cells": [0], "weight": weight})


def test_a_cell_is_painted_in_the_cells_of_the_operation_before() -> None:
    session = PlaceSession(SMALL)
    assert len(do(session, put("rows", 4), {"op": "paint", "cells": [11], "weight": 4}).painted) == 12


def test_a_track_brings_cells_that_are_few_enough() -> None:
    session = PlaceSession(PlaceChoices(cell_m=100, other="uniform"))
    do(session, put("area", "track"))
    for name in ("bob", "commuter", "taxi"):
        do(session, put("track", name))
        assert 2 <= len(session.outcome.area) <= COMFORTABLE


def rows(times: str = "2026-03-01 08:{m:02d}:00") -> bytes:
    points = "".join(f"{times.format(m=m)},{48.80137 + m / 300},{2.30171 + m / 300}\n" for m in range(12))
    return ("time,lat,lon\n" + points).encode()


def test_a_file_becomes_a_track() -> None:
    session = PlaceSession()
    said = session.load(rows(), "walk.csv")
    assert session.choices.area == "region" and session.choices.prior == "uniform" and "UTC" in said
    assert 1 < len(session.outcome.area) <= COMFORTABLE and session.outcome.proposed
    assert session.outcome.region == Region(48.75, 2.25, 49.0, 2.5)
    assert any("The region is a proposal" in text for text in describe(session.outcome).warnings)
    do(session, put("region", [48.7, 2.2, 48.9, 2.6]))
    assert "region=48.7,2.2,48.9,2.6" in session.link.query
    assert not session.outcome.proposed and not any("region" in text for text in describe(session.outcome).warnings)
    do(session, put("area", "track"))
    assert session.choices.prior == "uniform", "the time spent is asked for by hand"
    assert any("come from the track itself" in text for text in describe(session.outcome).warnings)
    do(session, {"op": "undo"}, {"op": "undo"})
    assert session.load(rows("2026-03-01T08:{m:02d}:00Z"), "walk.csv").startswith("walk: CSV, 12 points")
    with pytest.raises(InputError):
        session.load(b"time,lat,lon\n", "empty.csv")
    assert do(session, {"op": "undo"}, {"op": "undo"}) == PlaceChoices()


def test_a_file_becomes_check_ins() -> None:
    session = PlaceSession()
    assert session.load(b"1,2\n3,4", purpose="checkins") == ""
    assert (session.choices.prior, session.choices.area) == ("checkins", "grid")
    assert session.outcome.instance.prior.sum() == pytest.approx(1)
    table = "user;lat;lon\n" + "7;48,8607;2,3355\n" * 3 + "8;40,7128;-74,006\n"
    assert session.load(table.encode(), purpose="checkins") == "3 of 4 check-ins lie in the grid."
    assert session.outcome.checkins == (3, 4)
    assert "3 of 4 check-ins lie in the grid; the others" in describe(session.outcome).assumption
    assert "40.7" not in session.link.query and "74.0" not in session.link.query
    outcome = session.outcome
    with pytest.raises(InputError, match="Some check-ins of the file must lie in the grid; got none of 1.") as caught:
        session.load(b"lat,lon\n40.7128,-74.006", purpose="checkins")
    assert "40.7" not in str(caught.value) and session.outcome is outcome and len(session.data.checkins) == 2
    with pytest.raises(InputError):
        session.load(b"1,2,3", purpose="checkins")
    assert do(session, {"op": "undo"}).prior == "checkins" and session.outcome.checkins is None


AWAY = b"lat,lon\n" + b"40.7128,-74.006\n40.7130,-74.004\n40.7125,-74.007\n" + b"48.8607,2.3355\n"


def test_the_grid_moves_to_the_check_ins_and_no_coordinate_becomes_a_choice() -> None:
    session = PlaceSession()
    session.load(AWAY, "walks.csv", purpose="checkins")
    assert session.outcome.checkins == (1, 4) and moving(session.outcome) == "Move the grid to the check-ins"
    before = session.choices
    moved = do(session, {"op": "there"})
    assert moved.around and session.outcome.checkins == (3, 4) and moving(session.outcome) == "Move the grid back"
    assert (
        "The centre of the grid comes from the check-ins; no link contains it." in describe(session.outcome).assumption
    )
    assert not {"latitude", "longitude"} & set(session.visible())
    assert (moved.latitude, moved.longitude) == (before.latitude, before.longitude)
    for told in (session.link.query, session.python(), repr(moved), repr(session.outcome.area)):
        assert not any(digits in told for digits in ("40.7", "-74", "around=1")), told
    assert "where the grid lies" in session.link.left_out and "around" not in session.link.query
    assert "around=True" in session.python() and "checkins='walks.csv'" in session.python()
    assert do(session, {"op": "undo"}) == before and session.outcome.checkins == (1, 4)
    do(session, {"op": "redo"})
    assert do(session, put("around", False)) == before.with_changes(other=moved.other)


def test_check_ins_that_were_refused_take_the_grid_with_them() -> None:
    session = PlaceSession()
    with pytest.raises(InputError) as caught:
        session.load(AWAY.rpartition(b"48.")[0], purpose="checkins")
    assert caught.value.kind == "elsewhere" and session.choices == PlaceChoices()
    assert do(session, {"op": "there"}).around and session.outcome.checkins == (3, 3)
    back = do(session, put("around", False))  # where no check-in lies: another prior
    assert (back.prior, back.around) == ("city", False) and moving(session.outcome) == ""
    with pytest.raises(InputError, match="must lie in the grid") as caught:
        do(session, put("prior", "checkins"))
    assert caught.value.kind == "elsewhere"
    assert do(session, {"op": "there"}).around
    with pytest.raises(InputError, match="A check-in file must be uploaded first"):
        do(PlaceSession(), {"op": "there"})


@pytest.mark.long
@given(st.integers(0, 10_000), st.floats(20.0, 50_000.0), st.integers(2, 15), st.integers(2, 15))
def test_the_grid_that_moves_holds_a_check_in(seed: int, cell_m: float, rows: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    middle = rng.uniform([-75, -180], [75, 180], (3, 2))
    at = middle[rng.integers(0, 3, 30)] + rng.normal(0, 10.0 ** rng.uniform(-5, 0), (30, 2))
    visits = Visits(np.clip(at[:, 0], -79, 79), (at[:, 1] + 180) % 360 - 180)
    places = PlaceChoices(prior="checkins", checkins="own 1", other="uniform", around=True)
    places = places.with_changes(rows=rows, columns=columns, cell_m=cell_m)
    outcome = evaluate(places, Sources(checkins={"own 1": visits}))
    inside, all_ = outcome.checkins or (0, 0)
    assert all_ == 30 and inside >= 1


def test_the_densest_city_is_where_the_grid_goes() -> None:
    rng = np.random.default_rng(3)
    few, many = rng.normal([40.7, -74.0], 0.05, (400, 2)), rng.normal([35.7, 139.7], 0.005, (300, 2))
    visits = Visits(*np.concatenate([few, many]).T)
    assert distance_m(*crowded(visits, 3000, 3000), 35.7, 139.7) < 200
    assert distance_m(*crowded(visits, 60_000, 60_000), 40.7, -74.0) < 1000


def test_a_link_tells_nothing_of_a_track_of_ones_own() -> None:
    session = PlaceSession(track=own_track())
    do(session, put("area", "track"), put("place", 1))
    places = session.choices.with_changes(latitude=-33.865, longitude=151.209, painted=[1.0] * 9)
    told = places.told()
    assert told["track"] == "commuter" and told["painted"] == () and told["place"] == -1
    assert (told["latitude"], told["longitude"]) == (PlaceChoices().latitude, PlaceChoices().longitude)
    assert "own" not in json.dumps(told) and "151" not in json.dumps(told)
    assert "own" not in session.link.query and "151" not in session.link.query
    other = PlaceSession()
    other.load(b"1,2\n3,4", purpose="checkins")
    told = other.choices.told()
    assert told["prior"] == "city" and told["checkins"] == ""
    moved = PlaceChoices(latitude=41.9, painted=[1.0] * 36)
    assert moved.told() == {name: getattr(PlaceChoices(), name) for name in PlaceChoices.kinds()}
    assert "where the grid lies" in moved.left_out() and PlaceChoices().left_out() == ()


def test_the_repr_of_what_a_track_becomes_has_no_coordinate() -> None:
    out = PlaceSession(track=own_track()).outcome
    assert "33.8" not in repr(out.area) and "151" not in repr(out.area)


def test_the_samples_are_found_by_name_and_others_are_not() -> None:
    assert len(Sources().track("bob")) == len(sample("bob"))
    with pytest.raises(InputError):
        evaluate(PlaceChoices(area="track", track="own 7"))


# -- better outcomes --------------------------------------------------------------------------------------------------


def steps(session: PlaceSession) -> Iterator[Outcome]:
    """The mechanisms, without the charts."""
    for better in session.improve(session.outcome):
        if better.charts.begun:
            return
        yield better


def solve(session: PlaceSession) -> PlaceSession:
    began = session.state
    for better in steps(session):
        session.take(better, began)
    return session


def test_every_mechanism_comes_and_then_there_is_nothing_to_tell() -> None:
    session = PlaceSession(SMALL)
    assert session.outcome.solving.state == "solving" and session.outcome.present is None
    solve(session)
    assert set(session.outcome.assessed) == {"optimal", "spanner", "planar", "remapped", "private"}
    assert session.outcome.solving.state == ""


@pytest.mark.parametrize("click", [put("place", 4), put("click", "report"), put("mechanism", "planar")])
def test_a_click_keeps_what_was_solved_and_begins_nothing(click: dict) -> None:
    session = solve(PlaceSession(SMALL))
    task, assessed = session.task(session.outcome), session.outcome.assessed
    do(session, click)
    assert session.task(session.outcome) == task
    assert {m: j.channel for m, j in session.outcome.assessed.items()} == {m: j.channel for m, j in assessed.items()}
    assert session.outcome.solving.state == ""


def test_what_is_solved_during_a_click_is_taken_into_what_is_shown() -> None:
    session = PlaceSession(SMALL)
    began = session.state
    found = steps(session)
    while "optimal" not in session.outcome.assessed:
        session.take(next(found), began)
    do(session, put("place", 4))
    for better in found:
        session.take(better, began)
    assert session.outcome.places.place == 4 and session.outcome.shown.selected == 4
    assert len(session.outcome.assessed) == 5 and session.outcome.solving.state == ""


@pytest.mark.parametrize(
    "other", [put("level", 2.0), put("radius_m", 500.0), put("dilation", 1.3), put("rows", 4), put("other", "uniform")]
)
def test_another_privacy_prior_or_cells_are_another_task(other: dict) -> None:
    session = solve(PlaceSession(SMALL))
    task = session.task(session.outcome)
    do(session, other)
    assert session.task(session.outcome) != task and session.outcome.solving.state == "solving"
    do(session, {"op": "undo"})
    assert session.task(session.outcome) == task and len(session.outcome.assessed) == 5  # it was solved before


def test_the_charts_of_many_cells_wait_until_they_are_asked_for() -> None:
    session = PlaceSession(SMALL.with_changes(rows=9, columns=8))
    assert session.outcome.charts_wait
    task = session.task(session.outcome)
    do(session, put("charts", True))
    assert not session.outcome.charts_wait and session.task(session.outcome) != task
    do(session, put("rows", 10))
    assert session.outcome.charts_wait, "other cells wait again"


def test_charts_stay_where_only_the_level_is_another() -> None:
    session = PlaceSession(SMALL)
    began = session.state
    for better in session.improve(session.outcome):
        session.take(better, began)
    charts = session.outcome.charts
    assert charts.finished
    do(session, put("level", 2.0))
    assert session.outcome.charts is charts
    do(session, put("other", "uniform"))
    assert not session.outcome.charts.begun


def test_a_cancelled_solve_says_so_until_it_goes_on() -> None:
    session = PlaceSession(SMALL)
    session.outcome = session.interrupted(session.outcome)
    do(session, put("place", 4))
    assert session.outcome.solving.state == "cancelled"
    do(session, put("level", 2.0))
    assert session.outcome.solving.state == "solving"


def test_a_refusal_in_the_work_is_an_outcome() -> None:
    session = PlaceSession(SMALL)

    def refuse(*_: object) -> Iterator[Any]:
        raise InputError("Mechanisms must be solved elsewhere")
        yield

    session._solvers.incumbents = refuse  # type: ignore[assignment]
    failed = next(iter(session.improve(session.outcome)))
    assert failed.solving.state == "failed" and failed.solving.reason == "Mechanisms must be solved elsewhere."


def test_where_optpriv_is_refused_the_others_stay() -> None:
    session = PlaceSession(SMALL)
    incumbents = session._solvers.incumbents

    def refuse(mechanism: str, *asked: Any) -> Iterator[Any]:
        if mechanism == "private":
            raise InputError("OptPriv must have fewer places")
        yield from incumbents(mechanism, *asked)

    session._solvers.incumbents = refuse  # type: ignore[assignment]
    *_, failed = session.improve(session.outcome)
    assert failed.solving.state == "failed" and set(failed.assessed) == {"planar", "remapped", "optimal", "spanner"}


def test_where_plain_python_cannot_solve_one_the_curves_of_the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain simplex stalls on the spanner of dilation 1.654 with these counts, and there is no HiGHS in a browser."""

    def missing(*_: object) -> Any:
        raise InputError("The optimal mechanism needs highspy")

    monkeypatch.setattr("lmdk_widgets.geoind.solver.solve_by_rows", missing)
    counts = np.random.default_rng(11).integers(0, 9, 9) / 1.0
    instance = replace(evaluate(PlaceChoices(rows=3, columns=3)).instance, prior=counts / counts.sum())
    with compiling.plain_elsewhere():
        *_, last = complete(Charts(instance, 1000.0, 1.654))
        said = status(replace(evaluate(PlaceChoices(rows=3, columns=3)), charts=last))
        assert last.finished
    assert last.without == (("spanner", 1.0), ("spanner", 0.7)) and len(last.points) == 34
    assert said == "The charts lack two points: The optimal mechanism needs highspy."


@pytest.mark.parametrize("mechanism", ["optimal", "spanner", "planar"])
def test_the_mechanism_that_is_shown_comes_in_one_go_and_the_others_after_it(
    mechanism: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(import_module("lmdk_widgets.pages.place.improve"), "perf_counter", lambda: now[0])
    session = PlaceSession(SMALL.with_changes(mechanism=mechanism))
    steps = session.improve(session.outcome)
    first = next(steps)
    assert first.present is not None and first.present.channel.requested_epsilon == 0.001
    before = {"planar": 1, "optimal": 3, "spanner": 3}  # with what is quick
    assert len(first.assessed) == before[mechanism] and first.solving.mechanism == mechanism
    second = next(steps)
    assert len(second.assessed) == 5 and second.solving.state == ""
    now[0] += 1.0  # work that takes long is told on the way
    session.apply([put("level", 2.0)], commit=True)
    many = session.improve(session.outcome)
    told = [next(many).solving.mechanism]
    now[0] += 1.0
    assert told == [mechanism] and next(many).solving.mechanism != mechanism


def test_a_refused_track_is_read_again_with_what_was_chosen() -> None:
    session = PlaceSession()
    broken = rows() + b"2026-03-01 09:00:00,abc,2.3\n" * 2
    with pytest.raises(InputError) as caught:
        session.load(broken, "walk.csv")
    assert caught.value.kind == "rows" and session.choices == PlaceChoices()
    assert "UTC" in session.take_file(session.read_again(on_problem="drop")) and session.choices.area == "region"
    with pytest.raises(InputError):
        session.load(broken, "walk.csv")
    assert session.take_file(session.read_again(on_problem="drop", timezone="Europe/Paris")).startswith(
        "walk: CSV, 12 points, 2026-03-01"
    )


def test_a_painting_can_start_from_a_single_cell() -> None:
    session = PlaceSession(PlaceChoices(rows=3, columns=3, place=4))
    painted = do(session, {"op": "never"})
    assert painted.painted == tuple(float(cell == 4) for cell in range(9)) and painted.prior == "painted"
    *_, last = session.improve(session.outcome)
    assert last.present.loss_m == pytest.approx(0, abs=1e-6), "who can be in one place only is told nothing new"
    assert sum(w > 0 for w in do(session, {"op": "paint", "cells": [0, 1], "weight": 4}).painted) == 3
