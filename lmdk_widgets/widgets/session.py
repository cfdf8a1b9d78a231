"""What happens on a page, without the page: operations on the present state, files that come in and go out.

A session knows no widget and sends no message, so every path of the explorer is tested without a browser. Whatever is
refused raises `InputError` and leaves the state as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name, release_csv, release_geojson, release_map_html
from lmdk_widgets.scenario import Outcome, Scenario, evaluate
from lmdk_widgets.scenario.correlation import cells_visited
from lmdk_widgets.scenario.evaluate import MAX_AVERAGED
from lmdk_widgets.scenario.files import scenario_from_json, scenario_json
from lmdk_widgets.scenario.history import History, State
from lmdk_widgets.scenario.link import from_query
from lmdk_widgets.scenario.matrix_text import parse_matrix
from lmdk_widgets.scenario.model import CELL_RANGE_M, MAX_STATES, PLACE_RANGE_M
from lmdk_widgets.scenario.snippet import python_snippet
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample, stay_points

FIRST_MATRIX = ((0.8, 0.2), (0.2, 0.8))
"""What stands in the field when a matrix is asked for and none was given."""


@dataclass(frozen=True)
class File:
    """A file to be saved by the browser."""

    name: str
    mime: str
    data: bytes


class Session:
    """The present scenario, track and outcome, and the ways to change them."""

    def __init__(self, trajectory: Trajectory | None = None, scenario: Scenario | None = None) -> None:
        state = self._first_state(trajectory, scenario)
        self.outcome: Outcome = evaluate(*state)
        self.history = History(state)
        self._start = state
        self._source: dict[str, Any] | None = None
        self._pending: tuple[bytes, dict[str, Any]] | None = None

    @staticmethod
    def _first_state(trajectory: Trajectory | None, scenario: Scenario | None) -> State:
        if scenario is None:
            scenario = Scenario() if trajectory is None else Scenario(track="")
            trajectory = trajectory or sample(scenario.track)
            return _fitting(scenario.with_changes(landmarks=trajectory.landmarks), trajectory)
        return _fitting(scenario, trajectory or sample(scenario.track or "bob"))

    @property
    def scenario(self) -> Scenario:
        return self.history.present.scenario

    @property
    def trajectory(self) -> Trajectory:
        return self.history.present.trajectory

    def open_link(self, query: str) -> str:
        """Applies the settings in a link's query; returns a sentence for the user, or ""."""
        changes = from_query(query)
        if not changes:
            return ""
        track = changes.get("track", self.scenario.track)
        if track == "":
            # The settings of somebody's own track: kept for the track that is shown, whose landmarks stay.
            changes.pop("landmarks", None)
            changes["track"] = self.scenario.track
            self._show(State(self.scenario.with_changes(**changes), self.trajectory), fit=True)
            self._start = self.history.present
            return "The link holds the settings for somebody's own track: upload yours to use them with it."
        trajectory = sample(str(track)) if track != self.scenario.track else self.trajectory
        changes.setdefault("landmarks", trajectory.landmarks)
        self._show(State(self.scenario.with_changes(**changes), trajectory))
        self._start = self.history.present
        self.history = History(self._start)
        return ""

    def apply(self, operations: Sequence[Mapping[str, Any]], *, commit: bool) -> None:
        """Applies operations in order, all or none: set, toggle, mark, undo, redo, reset."""
        state = self.history.present
        for operation in operations:
            name = operation.get("op")
            if name in ("undo", "redo"):
                state = self.history.undo() if name == "undo" else self.history.redo()
            else:
                state = self._changed(state, operation)
        self._show(state, commit=commit)

    def _changed(self, state: State, operation: Mapping[str, Any]) -> State:
        scenario, trajectory = state
        match operation.get("op"):
            case "reset":
                return self._start
            case "toggle":
                return State(scenario.toggled(_index(operation["index"], len(trajectory))), trajectory)
            case "mark":
                marked = {_index(i, len(trajectory)) for i in operation["indices"]}
                now = set(scenario.landmarks)
                return State(
                    scenario.with_changes(landmarks=(now | marked if operation["on"] else now - marked)), trajectory
                )
            case "set" if operation["name"] == "track":
                return self._other_track(scenario, operation["value"])
            case "matrix":
                matrix = parse_matrix(str(operation["text"]), normalize=operation.get("normalize") is True)
                return State(scenario.with_changes(correlation="matrix", matrix=matrix), trajectory)
            case "set":
                changed = scenario.with_changes(**{operation["name"]: operation["value"]})
                if operation["name"] in ("correlation", "mechanism"):  # the choice comes with what it needs
                    return _fitting(changed, trajectory)
                return State(changed, trajectory)
        raise InputError("there is no such operation", where="page", value=operation.get("op"))

    def _other_track(self, scenario: Scenario, name: str) -> State:
        trajectory = sample(name)
        return _fitting(scenario.with_changes(track=name, landmarks=trajectory.landmarks), trajectory)

    def _show(self, state: State, *, commit: bool = True, fit: bool = False) -> None:
        if fit:
            state = _fitting(*state)
        if state != self.history.present or self.outcome.scenario is not state.scenario:
            self.outcome = evaluate(*state)
        self.history.show(state, commit=commit)

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows a scenario; one on another sample brings that sample."""
        same = scenario.track == self.scenario.track
        self._show(State(scenario, self.trajectory if same else sample(scenario.track)))

    def load(self, data: bytes, name: str = "", **options: Any) -> None:
        """Reads a track of the user's own and shows it; what is refused waits for `reload` with a choice."""
        self._pending = (data, {"name": name, **options})
        trajectory = load_trajectory(data, **options)
        scenario = self.scenario.with_changes(track="", landmarks=trajectory.landmarks)
        self._show(State(scenario, trajectory), fit=True)
        self._start = self.history.present
        self._source = {"path": name or "track", **options}
        self._pending = None

    def reload(self, **choice: Any) -> None:
        """Reads the refused file again with what the user chose; earlier choices for it stay."""
        if self._pending is None:
            raise InputError("there is no file waiting", where="upload", remedy="Upload it again")
        data, options = self._pending
        self.load(data, **{**options, **choice})

    def propose(self, distance_m: float, duration_s: float) -> tuple[list[int], str]:
        """Timestamps of the track's stay points, proposed as landmarks, with a sentence."""
        stays = stay_points(self.trajectory, distance_m=distance_m, duration_s=duration_s)
        found = sorted({stay.timestamp for stay in stays} - set(self.scenario.landmarks))
        if not stays:
            return [], "No stay as long as that: choose a longer distance or a shorter time."
        if not found:
            return [], "Every stay point is a landmark already."
        return found, f"{len(found):,} stay points found, drawn as hollow diamonds."

    def open_scenario(self, text: str) -> None:
        """Shows a saved scenario: on its sample, or on the present track where it was made on somebody's own."""
        scenario = scenario_from_json(text)
        if scenario.track:
            self._show(State(scenario, sample(scenario.track)))
            return
        if self.scenario.track:
            raise InputError(
                "this scenario belongs to a track of one's own",
                where="scenario",
                remedy="Upload that track first, then open the scenario again",
            )
        self._show(State(scenario, self.trajectory))

    def save(self, what: str) -> File:
        """The file that a button of the Save menu gives; nothing in it is a true coordinate."""
        out, time = self.outcome, self.trajectory.time
        if what == "scenario":
            return _file("json", "application/json", scenario_json(self.scenario))
        if what == "csv":
            return _file("csv", "text/csv", release_csv(time, out.latitude, out.longitude, note=NOTE))
        if what == "geojson":
            text = release_geojson(time, out.latitude, out.longitude, note=NOTE)
            return _file("geojson", "application/geo+json", text)
        if what == "html":
            title = self.trajectory.name or "Release"
            places = self.trajectory.places if self.scenario.track else ()
            text = release_map_html(time, out.latitude, out.longitude, title=title, note=NOTE, places=places)
            return _file("html", "text/html", text)
        raise InputError("there is no such file to save", where="page", value=what)

    def snippet(self) -> str:
        """A Python program that reproduces the release."""
        return python_snippet(self.scenario, source=None if self.scenario.track else self._source)


def _file(kind: str, mime: str, text: str) -> File:
    return File(export_name(kind), mime, text.encode("utf-8"))


def _fitting(scenario: Scenario, trajectory: Trajectory) -> State:
    """A state that the track allows: a shorter window, larger cells, no average of many points, a first matrix."""
    if scenario.window > len(trajectory):
        scenario = scenario.with_changes(window=len(trajectory))
    if scenario.correlation == "matrix" and not scenario.matrix:
        scenario = scenario.with_changes(matrix=FIRST_MATRIX)
    if scenario.average and len(trajectory) > MAX_AVERAGED:
        scenario = scenario.with_changes(average=False)
    while scenario.correlation == "estimated" and cells_visited(trajectory, scenario.cell_m) > MAX_STATES:
        scenario = scenario.with_changes(cell_m=min(2 * scenario.cell_m, CELL_RANGE_M[1]))
        if scenario.cell_m == CELL_RANGE_M[1]:
            break
    return State(_with_places(scenario, trajectory), trajectory)


def _with_places(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """Places of a size that the track allows; planar Laplace where there is none."""
    if scenario.mechanism == "planar":
        return scenario
    from lmdk_widgets.scenario.cells import fits

    low, high = PLACE_RANGE_M
    while step := fits(trajectory, scenario.place_m):
        place_m = scenario.place_m * 2.0**step
        if not low <= place_m <= high:
            return scenario.with_changes(mechanism="planar")
        scenario = scenario.with_changes(place_m=place_m)
    return scenario


def _index(value: Any, n: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < n:
        raise InputError("is not a timestamp of the track", where="landmark", value=value, allowed=f"0 to {n - 1}")
    return value
