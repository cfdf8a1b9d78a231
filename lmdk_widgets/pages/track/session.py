"""The logic of the track page: marking landmarks, users' own tracks, links, and the files that are saved."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from copy import copy
from typing import Any

from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.release_as_data import release_as_data, without_error
from lmdk_widgets.answers.street_attack import may_follow
from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, export_name
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.history import State
from lmdk_widgets.page.matrix_text import parse_matrix
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.session import MADE_UP, TRUE, File, Operation, Session
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.files import (
    DRAWN,
    FILES,
    FOR_YOU,
    TABLE_NOTE,
    choices_from_json,
    choices_json,
    series_file,
)
from lmdk_widgets.pages.track.fitting_choices import (
    brought,
    fitting,
    of_track,
    wishing,
    with_dummies,
    with_moments,
    with_seed,
    without,
    without_truth,
)
from lmdk_widgets.pages.track.snippet import explorer_snippet, python_snippet
from lmdk_widgets.scenario import hidden, people
from lmdk_widgets.scenario.by_hand import check_fit
from lmdk_widgets.scenario.evaluation import DRAWS, Fresh, average, evaluate_soon, release_afresh
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.own_track import Days
from lmdk_widgets.scenario.plans import lower, search
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.samples import data_name, sample_data

OTHERS_LINK = (
    "The settings in this page's address are for an uploaded track, which neither a link nor a reload keeps: upload yours "
    "to use them with it."
)


NEED_MORE = frozenset({"correlation", "mechanism", "cells", "region", "attacker.open"})
"""Choices for which others may have to change."""


MOST_SHARED = 2_000
"""The longest track, in timestamps, whose outcomes are kept for other visitors: 128 of them then take about 60 MB."""

FIRST_PANELS = frozenset(panel.NAME for panel in PANELS.opened(TrackChoices(Scenario())))
"""The panels of the first screen: what more of them find may be large, and few people ask for the same."""


class TrackSession(Session):
    """The present scenario, track and outcome, and the ways to change them.

    Parameters
    ----------
    trajectory : the initial track; by default that of the scenario, or Bob's day. scenario : the initial settings, or
        all choices.
    source : where a user's own track was read from, so that Python can read it again: "path" and "timezone".
    """

    CHOOSES_COLUMNS = True
    READS_SERIES = True
    COPIED = "Python copied: it recomputes these numbers. Anyone with its seed and the release has the true track."

    outcome: Outcome
    choices: TrackChoices
    streets: Basemap | None = None  # the file under the map, which an attacker may know

    def __init__(
        self,
        trajectory: Trajectory | None = None,
        scenario: Scenario | TrackChoices | None = None,
        *,
        source: dict[str, Any] | None = None,
    ) -> None:
        if scenario is None:
            scenario = Scenario() if trajectory is None else Scenario(track=data_name(people.without(trajectory)))
            trajectory = trajectory or sample_data(scenario.track)
            scenario = scenario.with_changes(landmarks=trajectory.landmarks)
        choices = TrackChoices(scenario) if isinstance(scenario, Scenario) else scenario
        trajectory = trajectory or sample_data(choices.scenario.track or "bob")
        self._lasting: Trajectory | None = None
        super().__init__(State(wishing(choices, trajectory), trajectory))
        self._source = source
        self._drawn: tuple[Outcome, Fresh] | None = None
        self._standing: Fresh | None = None
        self.days = Days()

    def another(self) -> TrackSession:
        """A session in the same state, for another page, without evaluating it again."""
        other = copy(self)
        other.history, other.days = self.history.copy(), copy(self.days)
        return other

    read = staticmethod(people.read_file)
    has_parts = staticmethod(people.has_parts)

    def know_streets(self, file: Basemap) -> None:
        """Lets an attacker know the streets of a file."""
        self.streets = file
        self.outcome = self.evaluate(*self.state)

    @property
    def scenario(self) -> Scenario:
        """What is released."""
        return self.choices.scenario

    def evaluate(self, choices: TrackChoices, data: Trajectory, /) -> Outcome:
        """The outcome with what takes next to no time: its average, or else the errors of one draw, and its panels."""
        before: Outcome | None = getattr(self, "outcome", None)
        outcome = evaluate_soon(choices.scenario, data, self.streets, wait=False)
        if before is not None and before.in_place != outcome.in_place:
            before = None  # what was found for other budgets no longer holds
        return PANELS.begun(choices, outcome, before)

    def improve(self, outcome: Outcome, /) -> Iterator[Outcome]:
        """The outcome with everything that is wanted, piece by piece: draws and their average, then the panels'
        results."""
        outcome, choices = outcome.improved(drawn=0, stopped=""), self.choices
        if outcome.in_place:
            for _ in search(outcome.scenario, outcome.correlation, len(outcome)):
                yield outcome
            outcome = PANELS.begun(choices, evaluate_soon(outcome.scenario, outcome.trajectory, self.streets))
            yield outcome
        if outcome.averages:
            for better in average(outcome):
                outcome = better
                yield outcome
        yield from PANELS.improve(choices, outcome)

    def is_common(self, state: State) -> bool:
        choices, data = state
        if self.streets is not None or len(data) > MOST_SHARED or not (choices.scenario.track or data is self._lasting):
            return False
        return {panel.NAME for panel in PANELS.opened(choices)} <= FIRST_PANELS

    def task(self, outcome: Outcome) -> Hashable | None:
        drawn, asked = outcome.scenario if outcome.averages else None, PANELS.task(outcome)
        plan = outcome.scenario.released if outcome.in_place else None
        return None if drawn is plan is asked is None else (drawn, plan, asked, outcome.trajectory)

    def continued(self, before: Outcome, outcome: Outcome) -> Outcome:
        """An outcome with what still holds from the one before: its average, and what the panels have found."""
        alike = before.trajectory is outcome.trajectory and before.scenario.released == outcome.scenario.released
        if outcome.in_place and not before.in_place and alike:  # the plan was found; only the display has changed since
            outcome = PANELS.begun(self.choices, evaluate_soon(outcome.scenario, outcome.trajectory, self.streets))
        if before.in_place != outcome.in_place:
            return outcome
        outcome = PANELS.continued(before, outcome)
        if not outcome.averages or before.averages or before.trajectory is not outcome.trajectory:
            return outcome
        if before.scenario.released != outcome.scenario.released:
            return outcome
        band = outcome.improved(error_low_m=before.error_low_m, error_high_m=before.error_high_m, drawn=before.drawn)
        mean, median = before.mean_error_m, before.median_error_m
        return band.improved(error_m=before.error_m, mean_error_m=mean, median_error_m=median)

    def progress(self, outcome: Outcome, *, busy: bool) -> Progress:
        if not busy:
            return Progress(outcome.stopped)
        if outcome.in_place:
            return Progress(f"Searching for the plan with the least error; until then {lower(outcome.in_place)}.")
        if outcome.averages:
            return Progress(f"Average of {DRAWS} draws: {outcome.drawn} done.", outcome.drawn / DRAWS)
        return PANELS.progress(self.choices, outcome)

    def interrupted(self, outcome: Outcome, reason: str = "") -> Outcome:
        where = f"after {outcome.drawn} of {DRAWS} draws: the errors shown are those of one draw"
        if outcome.in_place:
            where = f"before the plan was found: this is {lower(outcome.in_place)}"
        elif not outcome.averages:
            where = PANELS.ended(self.choices, outcome)
        return outcome.improved(drawn=0, stopped=f"{'Ended' if reason else 'Cancelled'} {where}. {reason}".rstrip())

    def fitted(self, state: State) -> State:
        return self._with_seed(fitting(*state))

    def show(self, state: State, *, commit: bool = True) -> None:
        super().show(self._with_seed(state), commit=commit)

    def _with_seed(self, state: State) -> State:
        """A state whose dummies, where the data are the user's own, come from a seed that nobody can guess: anyone who
        knows it can remove the dummies. The same data keep it, as another draw would reveal more."""
        scenario, data = state.choices.scenario, people.without(state.data)
        if scenario.track or not scenario.hide:
            return state
        known: tuple[Trajectory, int] | None = getattr(self, "_secret", None)
        seed = scenario.hide_seed
        if not hidden.is_secret(seed):
            seed = known[1] if known is not None and known[0] is data else hidden.secret_seed()
        self._secret = data, seed
        return State(with_dummies(state.choices, seed), state.data)

    def show_choices(self, choices: Scenario | TrackChoices) -> None:
        """Shows a scenario, or all choices; one for another sample opens that sample."""
        if isinstance(choices, Scenario):
            choices = self.choices.with_changes(scenario=choices)
        same = choices.scenario.track == self.scenario.track
        self.show(State(choices, self.data if same else sample_data(choices.scenario.track)))

    def changed(self, state: State, operation: Operation) -> State:
        choices, trajectory = state
        scenario: Scenario = choices.scenario
        match operation.get("op"):
            case "toggle":
                return _with(state, scenario.toggled(_index(operation["index"], len(trajectory))))
            case "mark":
                marked = {_index(i, len(trajectory)) for i in operation["indices"]}
                now = set(scenario.landmarks)
                return _with(state, scenario.with_changes(landmarks=now | marked if operation["on"] else now - marked))
            case "matrix":
                matrix = parse_matrix(str(operation["text"]), normalize=operation.get("normalize") is True)
                return _with(state, scenario.with_changes(correlation="matrix", matrix=matrix))
            case "go":
                return self.fitted(_with(state, gone(scenario, operation)))
            case "open":
                return self._opened(state, str(operation["text"]))
            case "set" if operation["name"] == "track":
                other = sample_data(operation["value"])
                return fitting(brought(choices, other, trajectory), other)
            case "set" if operation["name"] == "mechanism" and scenario.mechanism == "planar":
                state = _with(state, scenario.with_changes(cells="region"))  # whatever was chosen while it was hidden
        changed = PANELS.changed(state, operation, lambda: self._outcome_of(state))
        if changed is not None:
            return self.fitted(State(changed, trajectory))
        state = super().changed(state, operation)
        # these choices bring others that they need
        return self.fitted(state) if operation["name"] in NEED_MORE else state

    def _outcome_of(self, state: State) -> Outcome:
        return self.outcome if state == self.state else self.evaluate(*state)

    def restored(self, choices: TrackChoices) -> State:
        track = choices.scenario.track
        if track == self.scenario.track:
            return State(choices, self.data)
        if not track:
            raise InputError("Your own track is no longer here", remedy="Upload it again")
        return State(choices, sample_data(track))

    def _opened(self, state: State, text: str) -> State:
        """A saved scenario: on its sample, or on the present track where it was made for a user's own."""
        choices = choices_from_json(text)
        if choices.scenario.track:
            return State(choices, sample_data(choices.scenario.track))
        if state.choices.scenario.track:
            raise InputError(
                "This scenario belongs to a user's own track",
                remedy="Upload that track first, then open the scenario again",
            )
        return State(choices, state.data)

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        choices, trajectory = self.history.present
        scenario: Scenario = choices.scenario
        track = changes.get("track", scenario.track)
        if track == "":  # the settings of a user's own track: kept for the track that is shown, whose landmarks stay
            others = {"landmarks", "budgets", *(("region",) if scenario.track else ())}
            changes = {name: value for name, value in changes.items() if name not in others}
            said = OTHERS_LINK if scenario.track else ""  # otherwise they belong to the present track
            changes = of_track(changes, scenario.track, scenario.landmarks)
            return self.fitted(State(choices.with_changes(**changes), trajectory)), said
        found = sample_data(str(track)) if track != scenario.track else trajectory
        landmarks = changes.get("landmarks", found.landmarks)
        choices = choices.with_changes(**of_track({**changes, "landmarks": landmarks}, track, landmarks))
        return State(wishing(with_moments(choices, found), found), found), ""

    def with_file(self, found: tuple[Any, dict[str, Any]]) -> tuple[State, str]:
        trajectory, how = found
        if not isinstance(trajectory, Trajectory):
            return self._with_checkins(trajectory, how["path"])
        return State(brought(self.choices, trajectory, self.data), trajectory), ""

    def _with_checkins(self, visits: Any, file: str) -> tuple[State, str]:
        """The state after check-ins are uploaded, with an adversary who starts from them, and a sentence about them.

        Raises
        ------
        InputError : none of them lies in the cells that the attacker distinguishes.
        """
        from lmdk_widgets.answers.prior_moves import attacker_cells

        track = people.with_checkins(people.without(self.data), visits, file)
        inside, total = people.counted(attacker_cells(self.scenario, self.choices.attacker, track), track) or (0, 0)
        if not inside:
            what = "Some check-ins of the file must lie in the cells around the track"
            raise InputError(what, value=f"none of {total:,}", remedy="Use check-ins from the area of the track")
        said = sentence(
            "{file}: {inside} of {checkins} check-ins lie in the cells around the track.",
            file=file,
            inside=in_digits(inside),
            checkins=in_digits(total),
        )
        attacker = self.choices.attacker.with_changes(open=True, start="people")
        return State(self.choices.with_changes(attacker=attacker), track), said

    def take_file(self, found: tuple[Any, dict[str, Any]]) -> str:
        said = super().take_file(found)
        if isinstance(found[0], Trajectory):
            self._source = found[1]
            self.days.loaded(*found)
        return said

    def keep(self) -> None:
        """Records that the present track will be there again when the page is reloaded."""
        self._lasting = people.without(self.data)

    def visible(self) -> list[str]:
        """Without the choice of UTC where no other zone is known, and without what makes no sense for these data."""
        known = self.data.zone not in ("", "UTC")
        return [name for name in without(super().visible(), self.data) if known or name != "utc"]

    def left_out(self) -> tuple[str, ...]:
        track, said = people.without(self.data), self._checkins_left_out()
        if self.scenario.track:
            return said
        if track is not self._lasting:
            return ("your track and its landmarks", *said)
        marks = ("the landmarks of your track",) if self.scenario.landmarks != track.landmarks else ()
        drawn = ("the draw of your dummies",) if self.scenario.hide else ()
        return marks + (("your budgets",) if self.scenario.budgets else ()) + drawn + said

    def _checkins_left_out(self) -> tuple[str, ...]:
        given = people.without(self.data) is not self.data
        return ("your check-ins",) if self.choices.attacker.start == "people" and given else ()

    def save(self, what: str) -> File:
        if what == "scenario":
            # the settings contain the seed; a release is not drawn from it, so its name does not contain it
            name = export_name("json", *self.named(), f"seed {self.scenario.seed}")
            return File(name, "application/json", self.settings().encode())
        tables = {name: written for panel in PANELS for name, written in panel.FILES.items()}
        if what in tables:
            kind, _, suffix = what.partition(".")
            name = export_name(suffix or "csv", self.scenario.track or self.data.name or "track", kind)
            return File(name, f"text/{suffix or 'csv'}", tables[what](self.choices, self.outcome).encode())
        if what not in FILES:
            return super().save(what)
        if isinstance(self.data, Series):
            return series_file(what, self.data, self.afresh(), self.scenario, self.named())
        mime, written = FILES[what]
        more: dict[str, Any] = {}
        fresh = self.afresh()
        if what == "html":
            more = {"title": self.data.name or "Release", "places": self.data.places if self.scenario.track else ()}
        if what == "table":
            more = {"columns": self._columns(fresh)}
        note = noted(TABLE_NOTE if what == "table" else DRAWN_NOTE, self.scenario, self.data)
        text = written(self.data.time, fresh.latitude, fresh.longitude, note=note, **more)
        kind, part = ("csv", [FOR_YOU]) if what == "table" else (what, [])
        return File(export_name(kind, *self.named(), *part), mime, text.encode(), DRAWN)

    def named(self) -> tuple[str, ...]:
        """The track, the scheme, and epsilon or the target of a plan."""
        scenario = self.scenario
        spread = scenario.spread
        spent = f"{spread.spent} {getattr(scenario, spread.spent):.4g}"
        scheme = "by hand" if spread.by_hand else scenario.scheme
        return scenario.track or self.data.name or "track", scheme, spent

    def _columns(self, fresh: Fresh) -> dict[str, Any]:
        numbers = {"budget": fresh.budgets, "total_loss": fresh.total, "error_m": fresh.error_m}
        return {**hidden.marked_columns(self.scenario, len(self.data)), "measured": fresh.published, **numbers}

    def afresh(self) -> Fresh:
        """A release that is not on the screen; the same for all files of an outcome, as each draw spends the budget
        again."""
        if self._standing is not None:
            return self._standing
        check_fit(self.scenario, len(self.data))
        if self._drawn is None or self._drawn[0] is not self.outcome:
            self._drawn = self.outcome, release_afresh(self.scenario, self.data)
        return self._drawn[1]

    def personal(self) -> tuple[str, ...]:
        """Which of the user's own data a report reveals something about, in words."""
        own = f"your true {self.outcome.kind.data}"
        return (*(() if self.scenario.track else (own,)), *self._checkins_left_out())

    def handed_on(self) -> tuple[Source, Fresh]:
        """What a report to share is computed from: one release of the user's own data, with another seed, as anyone who
        saw the screen has noise of the present one."""
        source = self._release_as_data(fresh := self.afresh())
        choices, data = source.state
        state = State(with_seed(choices, (choices.scenario.seed + 1) % 2**31), data)
        return source._replace(state=state), without_error(data, fresh)

    def stand(self, release: Fresh) -> None:
        """Treats the present data as this release: the files show it, and no other is drawn."""
        self._standing = release

    def what_if(self, *, truth: bool = False) -> Source:
        choices = self.choices.with_changes(**{"limits.shown": False})  # what is recorded has no verdict
        if self.scenario.track:
            return Source(State(choices, people.without(self.data)), MADE_UP)
        if truth:
            return Source(State(choices, self.data), TRUE, true=True)
        return self._release_as_data(self.afresh())

    def _release_as_data(self, fresh: Fresh) -> Source:
        """A release instead of the true data, with the choices outside the scenario; no cell of the true track."""
        source = release_as_data(self.scenario, self.data, fresh)
        choices = without_truth(self.choices).with_changes(scenario=source.state.choices)
        return source._replace(state=State(choices, source.state.data))

    def settings(self) -> str:
        return choices_json(self.choices)

    def program(self) -> str:
        return self.snippet()

    def snippet(self) -> str:
        """A Python program that reproduces the release on the screen."""
        attacker = self.choices.attacker
        known = attacker.known if attacker.open else None
        limits = self.choices.limits if self.choices.limits.shown else None
        asked = self.choices.practices
        today: dict[str, Any] = {}
        if asked.compares(self.data):
            today = {"practices": asked.chosen, "knows_silences": asked.knows == "silences"}
        return python_snippet(self.scenario, knowledge=known, limits=limits, **today, **self.sources())

    def python(self) -> str:
        return explorer_snippet(self.choices, **self.sources())

    def sources(self) -> dict[str, Any]:
        """Where Python reads the user's own data from."""
        source = None if self.scenario.track else self._source
        basemap = self.streets.name if self.streets is not None and may_follow(self.outcome) else ""
        return {"source": source, "checkins": people.file_of(self.data), "basemap": basemap}


def _with(state: State, scenario: Scenario) -> State:
    """A state with another scenario."""
    return State(state.choices.with_changes(scenario=scenario), state.data)


def _index(value: Any, n: int) -> int:
    return whole(value, "landmark", least=0, most=n - 1)


def gone(scenario: Scenario, to: Mapping[str, Any]) -> Scenario:
    """The scenario of a row or of a mark: its scheme, and its epsilon and radius if given.

    Parameters
    ----------
    to : "scheme", and perhaps "epsilon", which is the target of a plan, "radius_m", "mechanism" and "place_m".

    Examples
    --------
    >>> gone(Scenario(), {"scheme": "planned", "epsilon": 0.5}).target
    0.5
    """
    scheme = to["scheme"]
    named = {name: to.get(name) for name in ("radius_m", "mechanism", "place_m")}
    changed = scenario.with_changes(scheme=scheme)
    named[changed.spread.spent] = to.get("epsilon")
    changed = changed.with_changes(**{name: value for name, value in named.items() if value is not None})
    return changed.with_changes(mechanism="planar") if changed.spread.online else changed
