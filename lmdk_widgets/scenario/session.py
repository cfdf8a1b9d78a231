"""The landmark page without the page: marking landmarks, tracks of one's own, links, and the files that are saved."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, export_name
from lmdk_widgets.page.history import State
from lmdk_widgets.page.matrix_text import parse_matrix
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.session import MADE_UP, TRUE, File, Operation, Session
from lmdk_widgets.scenario import by_hand, hidden, people
from lmdk_widgets.scenario.evaluation import Fresh, release_afresh
from lmdk_widgets.scenario.files import (
    DRAWN,
    FILES,
    FOR_YOU,
    TABLE_NOTE,
    TABLES,
    scenario_from_json,
    scenario_json,
)
from lmdk_widgets.scenario.fitted import brought, fitting, place_size_m, without
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.improve import continued, evaluate_soon, improve, interrupted, progress, task
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.own_track import Days
from lmdk_widgets.scenario.pinned import pin, swap, with_seed
from lmdk_widgets.scenario.series_files import series_file
from lmdk_widgets.scenario.settings_model import gone, with_asked
from lmdk_widgets.scenario.snippet import explorer_snippet, python_snippet
from lmdk_widgets.scenario.stand_in import stand_in, standing
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.samples import data_name, sample_data

OTHERS_LINK = "The link holds the settings for somebody's own track: upload yours to use them with it."


class LandmarkSession(Session):
    """The present scenario, track and outcome, and the ways to change them.

    Parameters
    ----------
    trajectory : the track to begin with; that of the scenario, or Bob's day. scenario : the settings to begin with.
    source : where a track of the user's own was read from, for Python that reads it again: "path" and "timezone".
    """

    CHOOSES_COLUMNS = True
    COPIED = "Python copied: it computes these numbers again. Who has its seed and the release has the true track."

    outcome: Outcome

    def __init__(
        self,
        trajectory: Trajectory | None = None,
        scenario: Scenario | None = None,
        *,
        source: dict[str, Any] | None = None,
    ) -> None:
        if scenario is None:
            scenario = Scenario() if trajectory is None else Scenario(track=data_name(people.without(trajectory)))
            trajectory = trajectory or sample_data(scenario.track)
            scenario = scenario.with_changes(landmarks=trajectory.landmarks)
        super().__init__(State(scenario, trajectory or sample_data(scenario.track or "bob")))
        self._source = source
        self._lasting: Trajectory | None = None
        self._drawn: tuple[Outcome, Fresh] | None = None
        self._standing: Fresh | None = None
        self.days = Days()

    evaluate = staticmethod(evaluate_soon)
    improve = staticmethod(improve)
    continued = staticmethod(continued)
    progress = staticmethod(progress)
    task = staticmethod(task)
    read = staticmethod(people.read_file)
    has_parts = staticmethod(people.has_parts)

    def interrupted(self, outcome: Outcome, reason: str = "") -> Outcome:
        return interrupted(outcome, reason)

    def fitted(self, state: State) -> State:
        return fitting(*state)

    def show_choices(self, choices: Scenario) -> None:
        """Shows a scenario; one on another sample brings that sample."""
        same = choices.track == self.choices.track
        self.show(State(choices, self.data if same else sample_data(choices.track)))

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
            case "go":
                return self.fitted(State(gone(scenario, operation), trajectory))
            case "table":
                return State(with_asked(scenario, str(operation["name"]), operation["value"]), trajectory)
            case "pin":
                return State(pin(scenario), trajectory)
            case "swap" if scenario.pinned:
                return self.fitted(State(swap(scenario), trajectory))
            case name if name in by_hand.OPERATIONS:
                return State(by_hand.changed(scenario, len(trajectory), operation), trajectory)
            case "open":
                return self._opened(state, str(operation["text"]))
            case "set" if operation["name"] == "track":
                other = sample_data(operation["value"])
                return fitting(scenario.with_changes(**brought(other, trajectory)), other)
            case "set" if operation["name"] == "scheme" and operation["value"] != scenario.scheme:
                return State(by_hand.with_scheme(scenario, trajectory, operation["value"]), trajectory)
            case "set" if operation["name"] == "mechanism" and scenario.mechanism == "planar":
                if scenario.place_m == scenario.defaults()["place_m"] and operation["value"] != "planar":
                    state = State(scenario.with_changes(place_m=place_size_m(trajectory)), trajectory)
        state = super().changed(state, operation)
        # these choices come with what they need
        return self.fitted(state) if operation["name"] in ("correlation", "mechanism", "infer") else state

    def restored(self, choices: Scenario) -> State:
        if choices.track == self.choices.track:
            return State(choices, self.data)
        if not choices.track:
            raise InputError("The track of your own is not here any more", remedy="Upload it again")
        return State(choices, sample_data(choices.track))

    def _opened(self, state: State, text: str) -> State:
        """A saved scenario: on its sample, or on the present track where it was made on somebody's own."""
        scenario = scenario_from_json(text)
        if scenario.track:
            return State(scenario, sample_data(scenario.track))
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
            changes = {name: value for name, value in changes.items() if name not in ("landmarks", "budgets")}
            said = OTHERS_LINK if scenario.track else ""  # else they belong to the track that is here
            changes["track"] = scenario.track
            return self.fitted(State(scenario.with_changes(**changes), trajectory)), said
        found = sample_data(str(track)) if track != scenario.track else trajectory
        return State(scenario.with_changes(**{"landmarks": found.landmarks} | changes), found), ""

    def with_file(self, found: tuple[Any, dict[str, Any]]) -> tuple[State, str]:
        trajectory, how = found
        if not isinstance(trajectory, Trajectory):
            return people.taken(self.history.present, trajectory, how["path"])
        return State(self.choices.with_changes(**brought(trajectory, self.data)), trajectory), ""

    def take_file(self, found: tuple[Any, dict[str, Any]]) -> str:
        said = super().take_file(found)
        if isinstance(found[0], Trajectory):
            self._source = found[1]
            self.days.loaded(*found)
        return said

    def keep(self) -> None:
        """Says that the present track is there again when the page is loaded again."""
        self._lasting = people.without(self.data)

    def visible(self) -> list[str]:
        """Without the choice of UTC where no other zone is known, and without what has no sense for these data."""
        known = self.data.zone not in ("", "UTC")
        return [name for name in without(super().visible(), self.data) if known or name != "utc"]

    def left_out(self) -> tuple[str, ...]:
        track, said = people.without(self.data), people.left_out(self.choices, self.data)
        if self.choices.track:
            return said
        if track is not self._lasting:
            return ("your track and its landmarks", *said)
        marks = ("the landmarks of your track",) if self.choices.landmarks != track.landmarks else ()
        return marks + (("your budgets",) if self.choices.budgets else ()) + said

    def save(self, what: str) -> File:
        if what == "scenario":
            # the settings hold the seed; a release does not come from it, and its name does not say so
            name = export_name("json", *self.named(), f"seed {self.choices.seed}")
            return File(name, "application/json", self.settings().encode())
        if what in TABLES:
            name = export_name("csv", self.choices.track or self.data.name or "track", what)
            return File(name, "text/csv", TABLES[what](self.outcome).encode())
        if what not in FILES:
            return super().save(what)
        if isinstance(self.data, Series):
            return series_file(what, self.data, self.afresh(), self.choices, self.named())
        mime, written = FILES[what]
        more: dict[str, Any] = {}
        fresh = self.afresh()
        if what == "html":
            more = {"title": self.data.name or "Release", "places": self.data.places if self.choices.track else ()}
        if what == "table":
            more = {"columns": self._columns(fresh)}
        note = noted(TABLE_NOTE if what == "table" else DRAWN_NOTE, self.choices)
        text = written(self.data.time, fresh.latitude, fresh.longitude, note=note, **more)
        kind, part = ("csv", [FOR_YOU]) if what == "table" else (what, [])
        return File(export_name(kind, *self.named(), *part), mime, text.encode(), DRAWN)

    def named(self) -> tuple[str, ...]:
        """The track, the scheme, and epsilon or the target of a plan."""
        choices = self.choices
        spread = choices.spread
        spent = f"{spread.spent} {getattr(choices, spread.spent):.4g}"
        scheme = "by hand" if spread.by_hand else choices.scheme
        return choices.track or self.data.name or "track", scheme, spent

    def _columns(self, fresh: Fresh) -> dict[str, Any]:
        numbers = {"budget": fresh.budgets, "total_loss": fresh.total, "error_m": fresh.error_m}
        return {**hidden.marked_columns(self.choices, len(self.data)), "measured": fresh.published, **numbers}

    def afresh(self) -> Fresh:
        """A release that is not on the screen; one for all files of an outcome, as each draw spends the budget again."""
        if self._standing is not None:
            return self._standing
        by_hand.check_fit(self.choices, len(self.data))
        if self._drawn is None or self._drawn[0] is not self.outcome:
            self._drawn = self.outcome, release_afresh(self.choices, self.data)
        return self._drawn[1]

    def personal(self) -> tuple[str, ...]:
        """What of the user's own a report tells of, in words."""
        own = f"your true {self.outcome.kind.data}"
        return (*(() if self.choices.track else (own,)), *people.left_out(self.choices, self.data))

    def handed_on(self) -> tuple[Source, Fresh]:
        """What a report to hand on is computed from: one release of the user's own data; with another seed, as whoever saw
        the screen has noise of the present one."""
        source = stand_in(self.choices, self.data, fresh := self.afresh())
        choices, data = source.state
        state = State(with_seed(choices, (choices.seed + 1) % 2**31), data)
        return source._replace(state=state), standing(data, fresh)

    def stand(self, release: Fresh) -> None:
        """Takes the present data for this release: the files show it, and no other is drawn."""
        self._standing = release

    def what_if(self, *, truth: bool = False) -> Source:
        if self.choices.track:
            return Source(State(self.choices, people.without(self.data)), MADE_UP)
        if truth:
            return Source(self.state, TRUE, true=True)
        return stand_in(self.choices, self.data, self.afresh())

    def settings(self) -> str:
        return scenario_json(self.choices)

    def program(self) -> str:
        return self.snippet()

    def snippet(self) -> str:
        """A Python program that reproduces the release on the screen."""
        return python_snippet(self.choices, **self.sources())

    def python(self) -> str:
        return explorer_snippet(self.choices, **self.sources())

    def sources(self) -> dict[str, Any]:
        """Where Python reads from what is the user's own."""
        source = None if self.choices.track else self._source
        return {"source": source, "checkins": people.file_of(self.data)}


def _index(value: Any, n: int) -> int:
    return whole(value, "landmark", least=0, most=n - 1)
