"""The landmark page without the page: marking landmarks, tracks of one's own, links, and the files that are saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, NOTE, export_name, release_csv, release_geojson, release_map_html
from lmdk_widgets.scenario.base.history import State
from lmdk_widgets.scenario.base.loaded import named
from lmdk_widgets.scenario.base.matrix_text import parse_matrix
from lmdk_widgets.scenario.base.session import File, Operation, Session
from lmdk_widgets.scenario.landmarks.compare import improve
from lmdk_widgets.scenario.landmarks.correlation import cells_visited
from lmdk_widgets.scenario.landmarks.evaluate import MAX_AVERAGED, Fresh, evaluate, release_afresh
from lmdk_widgets.scenario.landmarks.files import scenario_from_json, scenario_json
from lmdk_widgets.scenario.landmarks.model import CELL_RANGE_M, MAX_STATES, PLACE_RANGE_M, Scenario
from lmdk_widgets.scenario.landmarks.outcome import Outcome
from lmdk_widgets.scenario.landmarks.snippet import explorer_snippet, python_snippet
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample
from lmdk_widgets.trajectory.samples import sample_name

FIRST_MATRIX = ((0.8, 0.2), (0.2, 0.8))
"""What stands in the field when a matrix is asked for and none was given."""

_FILES: dict[str, tuple[str, Callable[..., str]]] = {
    "csv": ("text/csv", release_csv),
    "table": ("text/csv", release_csv),
    "geojson": ("application/geo+json", release_geojson),
    "html": ("text/html", release_map_html),
}
"""What a release is saved as: the kind of file, and what writes it; "table" has the numbers of each timestamp beside it."""

ERRORS_NOTE = (
    f"{NOTE}; the errors are computed from the true track: never publish them; {DRAWN_NOTE.partition('; ')[2]}"
)
"""What a file with errors says: who has them and the places knows how far away the truth is."""

OTHERS_LINK = "The link holds the settings for somebody's own track: upload yours to use them with it."


class LandmarkSession(Session):
    """The present scenario, track and outcome, and the ways to change them.

    Parameters
    ----------
    trajectory : the track to begin with; that of the scenario, or Bob's day. scenario : the settings to begin with.
    source : where a track of the user's own was read from, for Python that reads it again: "path" and "timezone".
    """

    outcome: Outcome

    def __init__(
        self,
        trajectory: Trajectory | None = None,
        scenario: Scenario | None = None,
        *,
        source: dict[str, Any] | None = None,
    ) -> None:
        if scenario is None:
            scenario = Scenario() if trajectory is None else Scenario(track=sample_name(trajectory))
            trajectory = trajectory or sample(scenario.track)
            scenario = scenario.with_changes(landmarks=trajectory.landmarks)
        super().__init__(State(scenario, trajectory or sample(scenario.track or "bob")))
        self._source = source
        self._lasting: Trajectory | None = None
        self._drawn: tuple[Outcome, Fresh] | None = None

    evaluate = staticmethod(evaluate)
    improve = staticmethod(improve)

    def task(self, outcome: Outcome) -> Any:
        return (outcome.scenario, outcome.trajectory) if outcome.scenario.compare else None

    def fitted(self, state: State) -> State:
        return fitting(*state)

    def show_choices(self, choices: Scenario) -> None:
        """Shows a scenario; one on another sample brings that sample."""
        same = choices.track == self.choices.track
        self.show(State(choices, self.data if same else sample(choices.track)))

    def changed(self, state: State, operation: Operation) -> State:
        scenario, trajectory = state
        match operation.get("op"):
            case "toggle":
                return State(scenario.toggled(_index(operation["index"], len(trajectory))), trajectory)
            case "mark":
                marked = {_index(i, len(trajectory)) for i in operation["indices"]}
                now = set(scenario.landmarks)
                marks = now | marked if operation["on"] else now - marked
                return State(scenario.with_changes(landmarks=marks), trajectory)
            case "matrix":
                matrix = parse_matrix(str(operation["text"]), normalize=operation.get("normalize") is True)
                return State(scenario.with_changes(correlation="matrix", matrix=matrix), trajectory)
            case "open":
                return self._opened(state, str(operation["text"]))
            case "set" if operation["name"] == "track":
                other = sample(operation["value"])
                return fitting(scenario.with_changes(track=operation["value"], landmarks=other.landmarks), other)
            case "set" if operation["name"] == "mechanism" and scenario.mechanism == "planar":
                if scenario.place_m == scenario.defaults()["place_m"] and operation["value"] != "planar":
                    state = State(scenario.with_changes(place_m=place_size_m(trajectory)), trajectory)
        state = super().changed(state, operation)
        # these choices come with what they need
        return self.fitted(state) if operation["name"] in ("correlation", "mechanism") else state

    def _opened(self, state: State, text: str) -> State:
        """A saved scenario: on its sample, or on the present track where it was made on somebody's own."""
        scenario = scenario_from_json(text)
        if scenario.track:
            return State(scenario, sample(scenario.track))
        if state.choices.track:
            raise InputError(
                "This scenario belongs to a track of somebody's own",
                remedy="Upload that track first, then open the scenario again",
            )
        return State(scenario, state.data)

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        scenario, trajectory = self.history.present
        track = changes.get("track", scenario.track)
        if track == "":  # the settings of somebody's own track: kept for the track that is shown, whose landmarks stay
            changes.pop("landmarks", None)
            said = OTHERS_LINK if scenario.track else ""  # else they belong to the track that is here
            changes["track"] = scenario.track
            return self.fitted(State(scenario.with_changes(**changes), trajectory)), said
        found = sample(str(track)) if track != scenario.track else trajectory
        return State(scenario.with_changes(**{"landmarks": found.landmarks} | changes), found), ""

    def read(self, data: bytes, name: str, **options: Any) -> tuple[Trajectory, dict[str, Any]]:
        return named(load_trajectory(data, **options), name), {"path": name or "track", **options}

    def with_file(self, found: tuple[Trajectory, dict[str, Any]]) -> tuple[State, str]:
        trajectory, _ = found
        return State(self.choices.with_changes(track="", landmarks=trajectory.landmarks), trajectory), ""

    def take_file(self, found: tuple[Trajectory, dict[str, Any]]) -> str:
        said = super().take_file(found)
        self._source = found[1]
        return said

    def keep(self) -> None:
        """Says that the present track is there again when the page is loaded again."""
        self._lasting = self.data

    def visible(self) -> list[str]:
        """Without the choice of UTC where no other zone is known."""
        known = self.data.zone not in ("", "UTC")
        return [name for name in super().visible() if known or name != "utc"]

    def left_out(self) -> tuple[str, ...]:
        if self.choices.track:
            return ()
        track: Trajectory = self.data
        if track is not self._lasting:
            return ("your track and its landmarks",)
        return ("the landmarks of your track",) if self.choices.landmarks != track.landmarks else ()

    def save(self, what: str) -> File:
        if what == "scenario":
            # the settings hold the seed; a release does not come from it, and its name does not say so
            name = export_name("json", *self._settings(), f"seed {self.choices.seed}")
            return File(name, "application/json", scenario_json(self.choices).encode())
        if what not in _FILES:
            return super().save(what)
        mime, written = _FILES[what]
        more: dict[str, Any] = {}
        fresh = self._afresh()
        if what == "html":
            more = {"title": self.data.name or "Release", "places": self.data.places if self.choices.track else ()}
        if what == "table":
            more = {"columns": self._columns(fresh)}
        note = ERRORS_NOTE if what == "table" else DRAWN_NOTE
        text = written(self.data.time, fresh.latitude, fresh.longitude, note=note, **more)
        kind, part = ("csv", ["with errors"]) if what == "table" else (what, [])
        return File(export_name(kind, *self._settings(), *part), mime, text.encode())

    def _settings(self) -> tuple[str, ...]:
        """What the name of a file tells: the track, the scheme, and epsilon or the target of a plan."""
        choices = self.choices
        planned = choices.scheme == "planned"
        spent = f"target {choices.target:.4g}" if planned else f"epsilon {choices.epsilon:.4g}"
        return choices.track or self.data.name or "track", choices.scheme, spent

    def _columns(self, fresh: Fresh) -> dict[str, Any]:
        landmark = np.isin(np.arange(len(self.data)), self.choices.landmarks)
        numbers = {"budget": fresh.budgets, "total_loss": fresh.total, "error_m": fresh.error_m}
        return {"landmark": landmark, "measured": fresh.published, **numbers}

    def _afresh(self) -> Fresh:
        """A release that is not on the screen; one for all files of an outcome, as each draw spends the budget again."""
        if self._drawn is None or self._drawn[0] is not self.outcome:
            self._drawn = self.outcome, release_afresh(self.choices, self.data)
        return self._drawn[1]

    def snippet(self) -> str:
        """A Python program that reproduces the release on the screen."""
        return python_snippet(self.choices, source=None if self.choices.track else self._source)

    def python(self) -> str:
        return explorer_snippet(self.choices, source=None if self.choices.track else self._source)


def fitting(scenario: Scenario, trajectory: Trajectory) -> State:
    """A state that the track allows: a shorter window, larger cells, no average of many points, a first matrix."""
    if scenario.window > len(trajectory):
        scenario = scenario.with_changes(window=len(trajectory))
    if scenario.correlation == "matrix" and not scenario.matrix:
        scenario = scenario.with_changes(matrix=FIRST_MATRIX)
    if scenario.average and len(trajectory) > MAX_AVERAGED:
        scenario = scenario.with_changes(average=False)
    estimated, most_m = scenario.correlation == "estimated", CELL_RANGE_M[1]
    while estimated and scenario.cell_m < most_m and cells_visited(trajectory, scenario.cell_m) > MAX_STATES:
        scenario = scenario.with_changes(cell_m=min(2 * scenario.cell_m, most_m))
    return State(_with_places(scenario, trajectory), trajectory)


def place_size_m(trajectory: Trajectory) -> float:
    """A round side of cells, metres, of which six span the track: as few as a channel takes, and enough to see it move.

    Examples
    --------
    >>> place_size_m(sample("bob")), place_size_m(sample("commuter"))
    (1000.0, 2000.0)
    """
    extent_m = float(np.ptp(trajectory.points_m, axis=0).max())
    sizes = (factor * 10.0**power for power in range(1, 5) for factor in (1, 2, 5))
    return next((size for size in sizes if PLACE_RANGE_M[0] <= size and 6 * size >= extent_m), PLACE_RANGE_M[1])


def _with_places(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """Places of a size that the track allows; planar Laplace where there is none."""
    if scenario.mechanism == "planar":
        return scenario
    from lmdk_widgets.scenario.landmarks.cells import fits

    while step := fits(trajectory, scenario.place_m):
        place_m = scenario.place_m * 2.0**step
        if not PLACE_RANGE_M[0] <= place_m <= PLACE_RANGE_M[1]:
            return scenario.with_changes(mechanism="planar")
        scenario = scenario.with_changes(place_m=place_m)
    return scenario


def _index(value: Any, n: int) -> int:
    return whole(value, "landmark", least=0, most=n - 1)
