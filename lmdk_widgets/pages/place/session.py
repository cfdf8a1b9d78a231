"""The session of the place page: changes of cells, painting, and the user's own tracks and check-in files."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import one_of, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import READING_CELLS_M, wrapped
from lmdk_widgets.geoind import smallest_epsilon
from lmdk_widgets.geoind.cells import CENTRE
from lmdk_widgets.geoind.checkins import Checkins, read_checkins
from lmdk_widgets.geoind.mechanisms import LEAST, MECHANISMS, Assessment
from lmdk_widgets.geoind.solvers import Solvers
from lmdk_widgets.geoind.visits import Visits
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.cards import pinned_or_swapped
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.own_file import describe_track, named
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.page.session import MADE_UP, TRUE, File, Operation, Session
from lmdk_widgets.page.snippet import choices_call, widget_snippet
from lmdk_widgets.pages.place.cards import OWN_NOTE, cards_csv
from lmdk_widgets.pages.place.distances import Matrix, read_matrix
from lmdk_widgets.pages.place.evaluate import area_of, evaluate
from lmdk_widgets.pages.place.improve import continued, curves, improve
from lmdk_widgets.pages.place.model import CELL_RANGE_M, OWN, PRESETS, SETTING, WHERE, PlaceChoices
from lmdk_widgets.pages.place.outcome import Outcome, Solving
from lmdk_widgets.pages.place.practices import practices_csv
from lmdk_widgets.pages.place.prior import Sources, counted_checkins, other_prior, region_of
from lmdk_widgets.pages.place.study import Charts
from lmdk_widgets.pages.place.words import provisional, stale, status
from lmdk_widgets.trajectory import Trajectory, load_trajectory

COMFORTABLE = 49
"""The number of cells to aim for when the user has not chosen their size."""

MOVES = frozenset({"area", "rows", "columns", "cell_m", "track", "latitude", "longitude", "around", "region"})
"""Choices that change the cells."""

NO_ZONE = "The times have no zone: they were read as UTC."

_KEPT_CHARTS = 64

FIRST = f"{OWN}1"
"""The name by which choices refer to the user's first own track, and first own check-ins."""

MOVED = f"{MADE_UP} Its grid is around Paris, not where its author put it: no answer depends on that."


class Read(NamedTuple):
    """What is in a file: its content, its name, and a sentence on how it was read."""

    content: Trajectory | Checkins | Visits | Matrix
    name: str
    said: str = ""


class PlaceSession(Session):
    """The present choices, the user's own files, and the outcome as far as it is solved.

    Parameters
    ----------
    choices : the initial ones. track : the user's own track, with which the page starts; choices that already refer to it
    stay as they are. checkins, distances : the user's own, for choices that refer to them.

    Examples
    --------
    >>> session = PlaceSession()
    >>> session.apply([{"op": "set", "name": "area", "value": "track"}], commit=True)
    >>> session.choices.prior
    'time'
    """

    CHOOSES_COLUMNS = True
    outcome: Outcome

    def __init__(
        self,
        choices: PlaceChoices | None = None,
        track: Trajectory | None = None,
        checkins: Checkins | Visits | None = None,
        distances: Matrix | None = None,
    ) -> None:
        self._solvers = Solvers()
        self._charts: OrderedDict[tuple, Charts] = OrderedDict()
        self._elsewhere: Read | None = None
        sources = Sources() if checkins is None else Sources().with_checkins(checkins)[0]
        state = State(choices or PlaceChoices(), sources if distances is None else sources.with_matrix(distances)[0])
        if track is not None:
            with_track = _with_track(state, track)
            same = with_track.choices.track == state.choices.track
            state = State(state.choices, with_track.data) if same else with_track
        super().__init__(state)
        self.outcome = continued(self.outcome, self.outcome, self._solvers)
        self.outcome = replace(self.outcome, solving=Solving("solving", self.choices.mechanism))

    evaluate = staticmethod(evaluate)

    def improve(self, outcome: Outcome) -> Iterator[Outcome]:
        for better in improve(outcome, self._solvers):
            self._charts[curves(better)] = better.charts
            while len(self._charts) > _KEPT_CHARTS:
                self._charts.popitem(last=False)
            yield better

    def task(self, outcome: Outcome) -> Any:
        places, instance = outcome.places, outcome.instance
        asked = places.level, places.radius_m, places.dilation, places.loss_percent, places.charts, places.pinned
        return instance.key, instance.other.tobytes(), *asked

    def continued(self, before: Outcome, outcome: Outcome) -> Outcome:
        outcome = continued(before, outcome, self._solvers)
        if (known := self._charts.get(curves(outcome))) is not None:
            outcome = replace(outcome, charts=known)
        if self.task(before) == self.task(outcome):
            return outcome
        return replace(outcome, solving=Solving("solving", outcome.places.mechanism))

    def interrupted(self, outcome: Outcome, reason: str = "") -> Outcome:
        return replace(outcome, solving=Solving("failed" if reason else "cancelled", reason=reason))

    def progress(self, outcome: Outcome, *, busy: bool) -> Progress:
        charts = outcome.charts
        drawing = busy and outcome.solving.state == "" and charts.begun and not charts.finished
        return Progress(status(outcome), charts.share if drawing else None)

    def urgent(self, outcome: Outcome) -> bool:
        present = outcome.present
        return present is None or stale(outcome, present) or provisional(outcome, outcome.places.mechanism)

    # -- operations ---------------------------------------------------------------------------------------------------

    def changed(self, state: State, operation: Operation) -> State:
        places, sources = state
        if (beside := pinned_or_swapped(places, operation, SETTING)) is not None:
            return State(beside, sources)
        match operation.get("op"):
            case "set" if operation["name"] in MOVES:
                return self._moved(state, operation["name"], operation["value"])
            case "set" if operation["name"] == "prior" and operation["value"] in ("time", "counts"):
                return State(places.with_changes(prior=operation["value"], place=-1), sources)
            case "preset":
                _, changes = PRESETS[one_of(operation["name"], "The preset", PRESETS)]
                return workable(State(places.with_changes(**changes), sources))
            case "paint":
                n = len(area_of(places, sources))
                return State(_painted(places, operation["cells"], operation["weight"], n), sources)
            case "never":
                n = len(area_of(places, sources))
                chosen = self.outcome.shown.selected
                nowhere = [float(cell == chosen) for cell in range(n)]
                return State(places.with_changes(prior="painted", painted=nowhere, place=chosen), sources)
            case "there":
                return self._there(state)
            case "clear":
                return State(places.with_changes(painted=[], prior="painted"), sources)
        return super().changed(state, operation)

    def _moved(self, state: State, name: str, value: Any) -> State:
        """Choices with other cells: what belonged to the previous cells is dropped."""
        places, sources = state
        prior = "uniform" if places.prior == "painted" and places.painted else places.prior
        places = places.straight()  # the user's own distances belong to the previous cells
        changed = places.with_changes(**{"place": -1, "painted": [], "charts": False, "prior": prior, name: value})
        if name == "around" and not changed.around:
            counted = counted_checkins(changed, area_of(changed, sources), sources)
            if counted is not None and not counted[0]:  # back to where there are no check-ins
                changed = changed.with_changes(prior=places.defaults()["prior"])
        if changed.area == "region" and name in ("area", "track", "region"):
            return in_region(State(changed, sources))
        on_track = changed.area == "track" and name in ("area", "track")
        return (for_track if on_track else workable)(State(changed, sources))

    def _there(self, state: State) -> State:
        """The grid moved to the check-ins: to those refused because none lies in it, or to the present ones."""
        places, sources = state
        name = places.checkins
        if self._elsewhere is not None:
            sources, name = sources.with_checkins(self._elsewhere.content, self._elsewhere.name)
        places = places.with_changes(area="grid", prior="checkins", checkins=name)
        return self._moved(State(places, sources), "around", True)

    def show(self, state: State, *, commit: bool = True) -> None:
        super().show(state, commit=commit)
        self._elsewhere = None  # a file that was refused is no longer offered

    def read(self, data: bytes, name: str, **options: Any) -> Read:
        """The option `purpose` is "checkins" for a check-in file, "distances" for a matrix of distances."""
        purpose = options.pop("purpose", "track")
        if purpose == "checkins":
            return Read(read_checkins(data), name)
        if purpose == "distances":
            return Read(read_matrix(data), name)
        try:
            return Read(named(load_trajectory(data, **options), name), name)
        except InputError as error:
            if error.kind != "timezone":
                raise
        # mornings and evenings are in solar time, which follows from UTC
        return Read(named(load_trajectory(data, **options | {"timezone": "UTC"}), name), name, NO_ZONE)

    def with_file(self, found: Read) -> tuple[State, str]:
        present = self.history.present
        if isinstance(found.content, Trajectory):
            return _with_track(
                present, found.content, found.name
            ), f"{describe_track(found.content)} {found.said}".rstrip()
        if isinstance(found.content, Matrix):
            sources, name = present.data.with_matrix(found.content, found.name)
            by = dict.fromkeys(("privacy_by", "quality_by", "error_by"), "matrix")
            return State(present.choices.with_changes(distances=name, **by), sources), found.content.said
        sources, name = present.data.with_checkins(found.content, found.name)
        places = present.choices.with_changes(prior="checkins", checkins=name, area="grid", place=-1)
        counted = counted_checkins(places, area_of(places, sources), sources)
        self._elsewhere = found if counted is not None and not counted[0] else None
        if counted is None:
            return workable(State(places, sources)), ""
        return workable(State(places, sources)), sentence(
            "{file}{inside} of {checkins} check-ins lie in the grid.",
            file=f"{found.name}: " if found.name else "",
            inside=in_digits(counted[0]),
            checkins=in_digits(counted[1]),
        )

    def named(self) -> tuple[str, ...]:
        """The cells, the mechanism, and the level within its radius."""
        c = self.choices
        where = f"track {c.track}" if c.area == "track" else f"{c.columns} by {c.rows} cells"
        where = f"region of {len(self.outcome.area)} cells" if c.area == "region" else where
        level, radius = Written(f"{c.level:.4g}", c.level), Written(f"{c.radius_m:.4g}", c.radius_m)
        return where, c.mechanism, sentence("level {level} within {radius} m", level=level, radius=radius)

    def save(self, what: str) -> File:
        if what == "cards":
            return self.csv(what, cards_csv(self.outcome, own=self.is_own))
        if what == "practices":
            return self.csv(what, practices_csv(self.outcome, own=self.is_own))
        return self.csv(what, channel_csv(self.outcome, own=self.is_own)) if what == "channel" else super().save(what)

    @property
    def is_own(self) -> bool:
        """Whether cells or priors come from one of the user's own files."""
        places, sources = self.history.present
        counted = places.prior in ("time", "counts") or places.other in ("morning", "evening") or places.from_track
        visited = places.counts_checkins or places.around
        return (
            (counted and places.track in sources.tracks)
            or (visited and places.checkins in sources.checkins)
            or places.by_matrix
        )

    def left_out(self) -> tuple[str, ...]:
        return self.choices.left_out()

    def what_if(self, *, truth: bool = False) -> Source:
        return place_source(*self.state, truth=truth)

    def python(self) -> str:
        places, sources = self.history.present
        own, imports = places.track in sources.tracks, ["from lmdk_widgets.pages.place import PlaceChoices"]
        instead = {"track": FIRST if places.from_track else places.defaults()["track"]} if own else {}
        with_checkins = places.counts_checkins or (places.around and places.checkins in sources.checkins)
        instead["checkins"] = FIRST if with_checkins else ""
        instead["distances"] = FIRST if places.by_matrix else ""
        arguments = [choices_call(places, **instead)]
        if own and places.from_track:
            arguments.append(f"track=load_trajectory({sources.files['track', places.track]!r}, timezone='UTC')")
            imports.append("from lmdk_widgets.trajectory import load_trajectory")
        if with_checkins:
            arguments.append(f"checkins={sources.files['checkins', places.checkins]!r}")
        if places.by_matrix:
            arguments.append(f"distances={sources.files['distances', places.distances]!r}")
        return widget_snippet("PlacesLab", arguments, imports)


def _with_track(state: State, track: Trajectory, file: str = "") -> State:
    sources, name = state.data.with_track(track, file)
    public = {
        "track": name,
        "area": "region",
        "region": (),
        "prior": "uniform",
        "place": -1,
        "painted": [],
        "charts": False,
    }
    return in_region(State(state.choices.with_changes(**public), sources))


def in_region(state: State) -> State:
    """The cells of the region, of the smallest size that gives few enough if the present size does not."""
    places, sources = state
    region = region_of(places, sources)
    if not 2 <= region.cell_count(places.cell_m) <= COMFORTABLE:
        sides = (side for side in READING_CELLS_M if 2 <= region.cell_count(side) <= COMFORTABLE)
        places = places.with_changes(cell_m=min(next(sides, places.cell_m), CELL_RANGE_M[1]))
    return workable(State(places, sources))


def for_track(state: State) -> State:
    """The cells of the chosen track, doubled in size until there are few enough, or halved until there are two."""
    places, sources = state
    # a prior that reveals the user's own track must be chosen explicitly
    first = "uniform" if places.track in sources.tracks else "time"
    prior = places.prior if places.prior in ("time", "counts", "uniform") else first
    places = places.with_changes(area="track", prior=prior, place=-1, painted=[], charts=False)
    track = sources.track(places.track)
    while places.cell_m / 2 >= CELL_RANGE_M[0] and _visited(track, places.cell_m) < 2:
        places = places.with_changes(cell_m=places.cell_m / 2)
    while 2 * places.cell_m <= CELL_RANGE_M[1] and _visited(track, places.cell_m) > COMFORTABLE:
        places = places.with_changes(cell_m=2 * places.cell_m)
    return workable(State(places, sources))


def workable(state: State) -> State:
    """With a uniform second prior if the chosen one has no points in these cells: it was not what the user just changed."""
    places, sources = state
    try:
        other_prior(places, area_of(places, sources), sources)
    except InputError:
        return State(places.with_changes(other="uniform"), sources)
    return state


def _visited(track: Trajectory, cell_m: float) -> int:
    """How many cells of this side a track visits."""
    return len(grid_states(track.points_m, cell_m)[1])


def _painted(places: PlaceChoices, cells: Any, weight: Any, n: int) -> PlaceChoices:
    weights: list[Any] = list(places.painted or [1.0] * n)
    if not isinstance(cells, list) or not cells:
        raise InputError("At least one cell must be painted", value="none")
    for cell in cells:
        weights[whole(cell, "cell", least=0, most=len(weights) - 1)] = weight
    return places.with_changes(prior="painted", painted=weights, place=cells[-1])


def channel_csv(outcome: Outcome, *, own: bool) -> str:
    """The channel on the map as CSV: one row per true cell, one column per report, then its certificate.

    Columns are `cell` (as the page names it); its corners in degrees, or for the user's `own` cells in metres from the
    south-west corner of all cells, so that no coordinate leaves the page; `prior`; `p_reported_A1` and so on, the
    probability of each report, which sum to 1 in each row; then, the same in every row: `epsilon_checked_per_m`, recomputed
    from this matrix over all pairs of cells and all reports; `epsilon_certified_per_m` and `epsilon_asked_per_m`;
    `quality_loss_m`, `least_loss_proven_m` and `gap`, for a mechanism with the least loss; `any_report_loss_proven_m`, below
    which no mechanism at the level asked for can bring a reader; `adversary_error_m`; `dilation`; `mechanism`.

    Raises
    ------
    InputError : until the mechanism is solved.
    """
    present = outcome.present
    if present is None:
        raise InputError(
            "The mechanism must be solved before it is saved", value="not solved yet", remedy="Wait for it"
        )
    n = len(outcome.instance)
    matrix = present.channel.matrix
    columns: dict[str, Any] = {"cell": outcome.area.names, **_corners(outcome, own), "prior": outcome.instance.prior}
    columns |= {f"p_reported_{name}": matrix[:, k] for k, name in enumerate(outcome.area.names)}
    columns |= {name: [value] * n for name, value in _certified(outcome, present).items()}
    return table_csv(columns, note=OWN_NOTE if own else NOTE)


def _corners(outcome: Outcome, own: bool) -> dict[str, np.ndarray]:
    """The corners of each cell in degrees, or its sides in metres from the south-west corner of all cells."""
    area = outcome.area
    if own:
        low = (area.squares - area.squares.min(axis=0)) * area.cell_m
        ends = np.concatenate((low, low + area.cell_m), axis=1)
        return dict(zip(("west_m", "south_m", "east_m", "north_m"), ends.T, strict=True))
    latitude, longitude = area.corners
    # a square in metres is not quite one in degrees, so all four corners are given
    sides = ("south_west", "south_east", "north_east", "north_west")
    found = {f"{side}_latitude_deg": latitude[:, k] for k, side in enumerate(sides)}
    return found | {f"{side}_longitude_deg": wrapped(longitude[:, k]) for k, side in enumerate(sides)}


def _certified(outcome: Outcome, present: Assessment) -> dict[str, Any]:
    channel = present.channel
    least = outcome.places.mechanism in LEAST
    return {
        "epsilon_checked_per_m": smallest_epsilon(channel.matrix, outcome.instance.distances_m),
        "epsilon_certified_per_m": channel.epsilon,
        "epsilon_asked_per_m": channel.requested_epsilon,
        "quality_loss_m": present.loss_m,
        "least_loss_proven_m": channel.bound if least else math.nan,
        "gap": channel.gap if least else math.nan,
        "any_report_loss_proven_m": math.nan if outcome.any_report_m is None else outcome.any_report_m,
        "adversary_error_m": present.error_m,
        "dilation": channel.dilation,
        "mechanism": MECHANISMS[outcome.places.mechanism].split(":")[0],
    }


def place_source(places: PlaceChoices, sources: Sources, *, truth: bool = False) -> Source:
    """The state that the file begins with: only built-in cells and priors, or the present ones if the `truth` is wanted.

    Raises
    ------
    InputError : cells, a prior or a second prior of the user's own, which would be in the file.

    Examples
    --------
    >>> place_source(PlaceChoices(latitude=48.2, other="uniform"), Sources()).state.choices.latitude
    48.8607
    """
    own, moved = places.left_out(), places.around or (places.latitude, places.longitude) != CENTRE
    if own and truth:
        return Source(State(places, sources), TRUE, true=True)
    changes = {"latitude": CENTRE[0], "longitude": CENTRE[1], "around": False, "checkins": "", "distances": ""}
    changes |= {"track": places.defaults()["track"]} if places.track in sources.tracks else {}
    counted = places.prior in ("time", "counts") or places.other in ("morning", "evening")
    # how much of a sample is in the cells depends on where they lie
    found = tuple(said for said in own if said != WHERE or counted)
    if found:
        what = f"A what-if file cannot be made from {' and '.join(found)} without the true data in it"
        raise InputError(what, remedy="Ask for a file with the true data, or choose built-in cells and priors")
    built_in = State(places.with_changes(**changes), Sources())
    return Source(built_in, MOVED if moved and places.area == "grid" else MADE_UP)
