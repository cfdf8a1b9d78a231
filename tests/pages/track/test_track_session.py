"""The track page without a page: operations, undo, files in and out, proposals, refusals that lose nothing."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import to_query
from lmdk_widgets.pages.track.session import TrackSession as Session
from lmdk_widgets.pages.track.stays import Proposed
from lmdk_widgets.pages.track.stays import proposed as proposed_of
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory import Trajectory

CSV = "time,lat,lon\n" + "".join(
    f"2026-03-01T08:{m:02d}:00Z,{48.80137 + m / 1000},{2.30171 + m / 900}\n" for m in range(12)
)


def do(session: Session, *operations: dict, commit: bool = True) -> Session:
    session.apply(operations, commit=commit)
    return session


def put(name: str, value: object) -> dict:
    return {"op": "set", "name": name, "value": value}


def test_it_starts_with_bob_and_his_landmarks() -> None:
    session = Session()
    assert session.choices.scenario.track == "bob"
    assert session.choices.scenario.landmarks == (0, 2, 4, 7)
    assert len(session.outcome) == 8


def test_toggle_mark_and_undo() -> None:
    session = do(Session(), {"op": "toggle", "index": 1})
    assert session.choices.scenario.landmarks == (0, 1, 2, 4, 7)
    do(session, {"op": "mark", "indices": [0, 1, 2], "on": False})
    assert session.choices.scenario.landmarks == (4, 7)
    do(session, {"op": "undo"}, {"op": "undo"})
    assert session.choices.scenario.landmarks == (0, 2, 4, 7)
    do(session, {"op": "redo"})
    assert session.choices.scenario.landmarks == (0, 1, 2, 4, 7)


def test_a_drag_is_one_step_to_undo() -> None:
    session = Session()
    for value in (0.9, 0.7, 0.5):
        do(session, put("epsilon", value), commit=False)
    do(session, put("epsilon", 0.5))
    assert session.outcome.scenario.epsilon == 0.5
    do(session, {"op": "undo"})
    assert session.choices.scenario.epsilon == 1.0
    assert session.outcome.scenario.epsilon == 1.0


def test_a_refused_change_changes_nothing() -> None:
    session = Session()
    before, outcome = session.choices, session.outcome
    for bad in (
        put("epsilon", -1),
        put("epsilon", None),
        put("scheme", "x"),
        put("track", "x"),
        {"op": "toggle", "index": 8},
    ):
        with pytest.raises(InputError):
            do(session, put("radius_m", 300), bad)
        assert session.choices == before
        assert session.outcome is outcome


def test_another_track_brings_its_landmarks_and_undo_the_old_track() -> None:
    session = do(Session(), put("track", "commuter"))
    assert len(session.data) == 2016
    assert session.choices.scenario.landmarks == session.data.landmarks
    do(session, {"op": "undo"})
    assert len(session.data) == 8
    assert session.choices.scenario.landmarks == (0, 2, 4, 7)


def test_an_upload_and_its_undo() -> None:
    session = Session()
    session.load(CSV.encode(), "walk.csv")
    assert (session.choices.scenario.track, len(session.data)) == ("", 12)
    do(session, put("scheme", "window"), put("window", 12))
    do(session, {"op": "undo"}, {"op": "undo"})
    assert len(session.data) == 8


def test_a_shorter_track_shortens_the_window() -> None:
    session = do(Session(), put("track", "commuter"), put("scheme", "window"), put("window", 288))
    do(session, put("track", "bob"))
    assert session.choices.scenario.window == 8


def test_a_file_with_bad_rows_asks_then_loads() -> None:
    broken = CSV + "2026-03-01T09:00:00Z,abc,2.3\n2026-03-01T09:01:00Z,48.8,999\n"
    session = Session()
    with pytest.raises(InputError) as caught:
        session.load(broken.encode(), "walk.csv")
    assert caught.value.kind == "rows"
    assert [line for line, _ in caught.value.rows] == [14, 15]
    assert session.choices.scenario.track == "bob"
    session.take_file(session.read_again(on_problem="drop"))
    assert len(session.data) == 12 and session.data.zone == ""
    session.take_file(session.read_again(timezone="Europe/Paris"))  # the zone is asked for beside the region
    assert len(session.data) == 12 and session.data.zone == "Europe/Paris"
    with pytest.raises(InputError):
        session.read_again(on_problem="drop")


def test_choices_for_a_file_add_up() -> None:
    naive = CSV.replace("Z,", ",") + "2026-03-01T09:00:00,abc,2.3\n2026-03-01T09:01:00,abc,2.3\n"
    session = Session()
    kinds = []
    for choice in ({}, {"timezone": "Europe/Paris"}, {"on_problem": "drop"}):
        try:
            if choice:
                session.take_file(session.read_again(**choice))
            else:
                session.load(naive.encode(), "walk.csv")
        except InputError as error:
            kinds.append(error.kind)
    assert sorted(kinds) == ["rows", "timezone"]
    assert len(session.data) == 12


def test_a_link_reproduces_a_sample_with_everything() -> None:
    session = do(Session(), put("track", "commuter"), put("epsilon", 0.3), {"op": "toggle", "index": 5}, put("seed", 9))
    other = Session()
    other.open_link("?" + to_query(session.choices))
    assert other.choices == session.choices
    assert np.array_equal(other.outcome.latitude, session.outcome.latitude)
    assert not other.history.can_undo


def test_a_link_from_somebodys_own_track_keeps_settings_only() -> None:
    session = Session()
    said = session.open_link("track=&epsilon=0.25&scheme=user")
    assert "upload yours" in said
    assert (session.choices.scenario.track, session.choices.scenario.epsilon, session.choices.scenario.scheme) == (
        "bob",
        0.25,
        "user",
    )


@pytest.mark.parametrize("query", ["track=nowhere", "epsilon=x", "landmarks=900", "scheme=window&window=99"])
def test_a_broken_link_changes_nothing(query: str) -> None:
    session = Session()
    with pytest.raises(InputError):
        session.open_link(query)
    assert session.choices == Session().choices


def test_the_scenario_file_loads_back_exactly() -> None:
    session = do(Session(), put("epsilon", 0.123456789), put("correlation", "strong"), {"op": "toggle", "index": 3})
    text = session.save("scenario").data.decode()
    assert "simulation, not a private release" in text
    other = Session()
    do(other, {"op": "open", "text": text})
    assert other.choices == session.choices


def test_a_scenario_of_ones_own_track_wants_that_track() -> None:
    session = Session()
    session.load(CSV.encode(), "walk.csv")
    do(session, {"op": "toggle", "index": 3})
    text = session.save("scenario").data.decode()
    other = Session()
    with pytest.raises(InputError, match="Upload that track first"):
        do(other, {"op": "open", "text": text})
    other.load(CSV.encode(), "walk.csv")
    do(other, {"op": "open", "text": text})
    assert other.choices.scenario.landmarks == (3,)


@pytest.mark.parametrize("what", ["csv", "table", "geojson", "html", "scenario"])
def test_no_file_holds_a_true_coordinate_and_each_says_it_is_a_simulation(what: str) -> None:
    session = Session()
    session.load(CSV.encode(), "walk.csv")
    file = session.save(what)
    text = file.data.decode()
    assert "simulation-not-a-private-release" in file.name
    assert "simulation, not a private release" in text
    # one number alone may be in it by chance, as the noise is another each time
    places = [(f"{a:.5f}", f"{b:.5f}") for a, b in zip(session.data.latitude, session.data.longitude, strict=True)]
    for part in text.split("\n" if what in ("csv", "table") else "]"):  # a row, or a point and what stands before it
        assert not any(north in part and east in part for north, east in places)
    if what == "geojson":
        assert len(json.loads(text)["features"]) == 12


def proposed(session: Session) -> Proposed:
    return proposed_of(session.choices, session.outcome)


def test_stay_points_are_proposed_and_never_set() -> None:
    session = do(Session(), put("track", "commuter"))
    before = session.choices
    assert session.outcome.found("stays") is None and proposed(session).text == ""
    do(session, put("stays.open", True))
    found = tuple(proposed(session).timestamps)
    assert found and set(found).isdisjoint(before.scenario.landmarks)
    assert set(found) <= {stay.timestamp for stay in session.outcome.found("stays")}
    assert f"{len(found)} timestamps to mark, one per stay" in proposed(session).text
    assert session.choices == before.with_changes(**{"stays.open": True})
    with pytest.raises(InputError):
        do(session, put("stays.within_m", -1))
    assert tuple(proposed(session).timestamps) == found
    do(session, {"op": "mark", "indices": list(found), "on": True})
    assert proposed(session).timestamps == [] and "one timestamp of each is marked" in proposed(session).text
    do(session, {"op": "mark", "indices": proposed(session).whole, "on": True})
    assert proposed(session).whole == [] and "landmark already" in proposed(session).text
    do(session, put("stays.within_m", 1), put("stays.at_least_minutes", 10_080))
    assert session.outcome.found("stays") == () and proposed(session).text.startswith("No stay that long")
    do(session, put("stays.open", False))
    assert session.outcome.found("stays") is None


@pytest.mark.long
def test_the_snippet_reproduces_the_release() -> None:
    session = do(Session(), put("scheme", "adaptive"), put("seed", 12))
    space: dict = {}
    exec(session.snippet(), space)
    assert np.array_equal(space["outcome"].latitude, session.outcome.latitude, equal_nan=True)


def test_a_scenario_to_begin_with() -> None:
    session = Session(scenario=Scenario(track="taxi", landmarks=(3,)))
    assert len(session.data) == 10_000


def test_asking_for_cells_gives_places_of_a_size_that_the_region_allows() -> None:
    session = do(Session(), put("track", "taxi"), put("place_m", 100))
    do(session, put("mechanism", "remapped"))
    assert session.choices.scenario.place_m == 4000 and session.outcome.reports is not None
    with pytest.raises(InputError, match="The region must have between 2 and 49 cells; .* larger places, of 4,000 m"):
        do(session, put("place_m", 100))
    assert session.choices.scenario.place_m == 4000
    do(session, put("track", "bob"))
    assert session.choices.scenario.mechanism == "remapped" and session.choices.scenario.place_m == 4000
    do(session, put("region", [48.85, 2.3, 48.88, 2.36]))  # 3 by 4 km
    assert session.choices.scenario.place_m == 600 and session.outcome.reports.cells == 48
    do(session, put("cells", "track"), put("place_m", 1500))
    assert session.outcome.reports.cells == 4
    with pytest.raises(InputError, match="planar Laplace"):
        do(session, put("scheme", "adaptive"))


def test_cells_of_a_track_of_one_place_fall_back_to_planar_laplace() -> None:
    session = do(Session(), put("mechanism", "remapped"), put("cells", "track"), put("place_m", 2000))
    session.load(b"time,lat,lon\n2026-03-01T08:00:00Z,48.85,2.35\n")
    assert session.choices.scenario.mechanism == "planar"


def test_asking_for_the_estimate_gives_cells_it_can_be_made_with() -> None:
    session = do(Session(), put("track", "taxi"), put("cell_m", 50))
    do(session, put("correlation", "estimated"))
    assert session.choices.scenario.cell_m > 50
    with pytest.raises(InputError, match="larger cells"):
        do(session, put("cell_m", 50))
    assert session.choices.scenario.correlation == "estimated"


def test_too_long_a_track_is_not_averaged() -> None:
    n = 20_001
    times = np.datetime64("2026-01-01", "ns") + np.arange(n) * np.timedelta64(1, "s")
    session = Session(Trajectory(np.full(n, 48.0), np.full(n, 2.0), times))
    with pytest.raises(InputError, match="20,000"):
        do(session, put("average", True))
    assert session.choices.scenario.average is False


def test_a_link_for_a_track_of_somebodys_own_is_fitted_to_the_one_that_is_shown() -> None:
    session = Session()
    assert "upload yours" in session.open_link("page=track&track=&scheme=window&window=288&landmarks=99")
    assert (session.choices.scenario.window, session.choices.scenario.landmarks) == (8, (0, 2, 4, 7))
    assert not session.history.can_undo


def test_the_program_names_the_file_that_is_shown_and_not_one_that_was_refused() -> None:
    session = Session()
    session.load(CSV.encode(), "walk.csv")
    assert "load_trajectory('walk.csv')" in session.snippet()
    with pytest.raises(InputError):
        session.load(b"time,lat,lon\n", "empty.csv")
    session.evaluate = refuse  # type: ignore[method-assign, assignment]
    with pytest.raises(InputError):
        session.load(CSV.encode(), "other.csv")
    assert "load_trajectory('walk.csv')" in session.snippet()


def refuse(*_: object) -> None:
    raise InputError("This track must not be shown")


def test_a_saved_scenario_opens_on_its_sample_and_can_be_undone() -> None:
    text = do(Session(), put("track", "commuter")).save("scenario").data.decode()
    session = do(Session(), {"op": "open", "text": text})
    assert session.choices.scenario.track == "commuter" and len(session.data) == 2016
    assert len(do(session, {"op": "undo"}).data) == 8
    for bad in ("{", text.replace('"commuter"', '"nowhere"')):
        with pytest.raises(InputError):
            do(session, put("epsilon", 0.5), {"op": "open", "text": bad})
        assert session.choices == Session().choices


def test_a_matrix_that_is_pasted_becomes_the_correlation() -> None:
    session = do(Session(), {"op": "matrix", "text": "0.8 0.2; 0 1"})
    assert (session.choices.scenario.correlation, session.choices.scenario.matrix) == (
        "matrix",
        ((0.8, 0.2), (0.0, 1.0)),
    )
    with pytest.raises(InputError) as caught:
        do(session, {"op": "matrix", "text": "4 1; 0 3"})
    assert caught.value.kind == "row-sums" and session.choices.scenario.matrix[0] == (0.8, 0.2)
    do(session, {"op": "matrix", "text": "4 1; 0 3", "normalize": True})
    assert session.choices.scenario.matrix == ((0.8, 0.2), (0.0, 1.0))


def test_only_controls_that_have_an_effect_are_visible() -> None:
    session = Session()
    assert "window" not in session.visible() and "target" not in session.visible() and "states" in session.visible()
    do(session, put("scheme", "planned"), put("correlation", "estimated"), put("mechanism", "remapped"))
    seen = set(session.visible())
    assert {"target", "cell_m", "place_m"} <= seen and not {"epsilon", "window", "states", "smoothing"} & seen


def test_a_link_for_ones_own_track_fits_the_own_track_that_is_there() -> None:
    session = Session()
    assert session.link.left_out == ()
    session.load(b"time,lat,lon\n2026-03-01T08:00:00Z,48.8,2.3\n2026-03-01T08:01:00Z,48.9,2.3\n", "a.csv")
    session.keep()
    assert session.link.left_out == ()
    do(session, {"op": "toggle", "index": 1})
    assert session.link.left_out == ("the landmarks of your track",)
    assert session.open_link("track=&epsilon=0.25") == ""
    assert (session.choices.scenario.track, session.choices.scenario.epsilon, len(session.data)) == ("", 0.25, 2)
    session.load(b"time,lat,lon\n2026-03-01T08:00:00Z,48.8,2.3\n", "b.csv")
    assert session.link.left_out == ("your track and its landmarks",)


def test_cells_depend_on_the_region_alone_and_a_size_that_was_set_stays() -> None:
    session = Session()
    session.load(CSV.encode(), "walk.csv")
    do(session, put("mechanism", "optimal"))
    assert session.choices.scenario.place_m == 4000.0
    do(session, put("place_m", 7000.0), put("mechanism", "planar"), put("mechanism", "optimal"))
    assert session.choices.scenario.place_m == 7000.0, "what was set stays"
