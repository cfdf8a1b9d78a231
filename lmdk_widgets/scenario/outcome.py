"""What a scenario gives on a track: every number and array that any view shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release, window_totals
from lmdk_widgets.errors import library
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.leakage import landmark_loss, landmark_loss_bound, window_loss
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.panel import Result
from lmdk_widgets.scenario.cards import OutcomeCard
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.data_kinds import Kind, kind_of
from lmdk_widgets.scenario.ground import Ground, ground_of
from lmdk_widgets.scenario.hidden import marked_columns, protected
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome_views import OutcomeAnswers, OutcomeLosses, OutcomeRelease
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.upwards import from_above

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

    from lmdk_widgets.scenario.cells import CellReports

LASTING = {"landmark", "landmark_bound", "window_totals", "window_loss"}
"""Properties that follow from the budgets and the release, and are kept."""

SHOWN = ("scenario", "trajectory", "release", "losses", "answers", "words", "to_dict", "to_frame", "figure")
"""What `dir` lists: the groups lead to the other names."""

SEEDS = ("seed", "hide_seed")
"""Choices with which noise and dummies can be drawn again."""

MOST_BOUND_WORK = 1e7
"""The most numbers that the bound on the landmarks' loss may read on a page: about a tenth of a second."""


class Middle(TypedDict):
    """The mean and the median of the errors over the timestamps that have a release."""

    mean_error_m: float
    median_error_m: float


class Improvements(TypedDict, total=False):
    """What `improve` finds: the draws of an average and their errors, what panels find, and why it ended."""

    drawn: int
    error_m: Floats
    error_low_m: Floats | None
    error_high_m: Floats | None
    mean_error_m: float
    median_error_m: float
    results: Mapping[str, Result]
    streets: Basemap | None
    stopped: str


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(OutcomeCard):
    """Everything that follows from a scenario and a track of n timestamps. Views draw it and compute nothing.

    `release`, `losses`, `answers` and `words` lead to what there is, in groups; `to_dict` has all of it as plain values,
    `to_frame` a row for each timestamp, and `figure` draws it.

    The release has the noise of the scenario's seed, so that a lesson can repeat it: anyone who has both has the true
    track. What leaves the page is drawn again by `draw_afresh`.

    Attributes
    ----------
    scenario, trajectory : the choices it came from, and the true track or series: not for export. For a series every
        error is in its unit, though it is called `_m`; for answers it is 1 for a wrong one.
    budgets : (n,) epsilon spent at each timestamp.
    totals : (n,) the Theorem's sums, over the landmarks and each timestamp.
    backward, forward, total : (n,) temporal privacy loss, what if the scenario's chain is assumed: between two cells, as if
        all places were within the radius; without a chain the budgets.
    correlation : the chain behind the losses, with its long run.
    supremum : what the total loss stays below for ever, in any draw, each timestamp spending the most it can; inf: no bound.
    latitude, longitude : (n,) degrees, the release; NaN where there is none. values : (n,) that of a series, None for a
        track.
    published : (n,) whether the timestamp was measured; otherwise it repeats an earlier release, or there is none.
    radius95_m : (n,) metres within which 95 % of the releases of a measured timestamp fall; NaN elsewhere.
    error_m : (n,) metres between release and truth: of this draw, or the mean of 100 draws.
    error_low_m, error_high_m : (n,) the 5th and 95th percentiles of 100 draws, None for a single draw.
    mean_error_m, median_error_m : metres, over the timestamps that have a release.
    event_error_m, user_error_m, user_at_target_m : metres, expected for event and user level at epsilon, and for user
        level at target.
    stretch : the factor by which the frame of the noise stretches lengths at the track's farthest point, or the cells'.
    reports : what is expected of a release as cells, with planar Laplace to compare; None when it is planar Laplace.
    planar_error_m : (n,) metres between planar Laplace's release with the same seed and the truth; None likewise.
    rate : (n,) the sampling rate when each timestamp was decided on; under Adaptive, otherwise None.
    threshold_m : (n,) metres by which two releases must differ for Adaptive to sample more; under Adaptive, otherwise None.
    drawn : draws for the average that `improve` has made so far.
    results : what the panels of a page have found, by their names.
    cao_error_m : metres, expected for Cao's plan at target, for a plan that is searched for; NaN elsewhere.
    in_place : for a plan that is searched for, the title of the scheme whose budgets these are until it is found; or
        "".
    released : the release as the scheme made it, its outputs in metres of the frame and not wrapped.
    streets : the file of streets that a page has under its map, an `io.basemap.Basemap`, or None.
    stopped : why `improve` ended early, a sentence; "" when it did not.
    """

    scenario: Scenario
    trajectory: Trajectory
    budgets: Floats
    totals: Floats
    backward: Floats
    forward: Floats
    total: Floats
    supremum: float
    correlation: Correlation
    latitude: Floats
    longitude: Floats
    published: NDArray[np.bool_]
    radius95_m: Floats
    error_m: Floats
    error_low_m: Floats | None
    error_high_m: Floats | None
    mean_error_m: float
    median_error_m: float
    event_error_m: float
    user_error_m: float
    user_at_target_m: float
    stretch: float
    released: Release
    reports: CellReports | None = None
    planar_error_m: Floats | None = None
    values: Floats | None = None
    rate: Floats | None = None
    threshold_m: Floats | None = None
    drawn: int = 0
    results: Mapping[str, Result] = field(default_factory=dict)
    cao_error_m: float = math.nan
    in_place: str = ""
    streets: Basemap | None = None
    stopped: str = ""

    def __len__(self) -> int:
        return len(self.budgets)

    def __dir__(self) -> list[str]:
        return [*(name for name in super().__dir__() if name.startswith("__")), *SHOWN]

    @property
    def release(self) -> OutcomeRelease:
        """What is released, at which cost, and how far off it is."""
        return OutcomeRelease(self)

    @property
    def losses(self) -> OutcomeLosses:
        """The temporal privacy loss, what if the scenario's chain is assumed."""
        return OutcomeLosses(self)

    @property
    def answers(self) -> OutcomeAnswers:
        """Useful, found and promised in numbers."""
        return OutcomeAnswers(self)

    @property
    def words(self) -> Notes:
        """What it means in sentences, as `describe` returns it: `paragraph`, `assumption` and `warnings`."""
        found: Notes = from_above("pages.track.words", "describe")(self)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain values for JSON: "scenario", "release", "losses", "answers" and "words".

        The release is a simulation, and the errors and answers are computed from the true data: all of it is for their
        owner. The scenario is without its seeds: with the seed anyone could remove the noise.

        Examples
        --------
        >>> from lmdk_widgets.scenario import Scenario, evaluate
        >>> from lmdk_widgets.trajectory import sample
        >>> found = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")).to_dict()
        >>> list(found), found["release"]["published"][:2], round(found["answers"]["guesses"])
        (['scenario', 'release', 'losses', 'answers', 'words'], [True, True], 55)
        """
        scenario = {name: value for name, value in self.scenario.to_dict().items() if name not in SEEDS}
        groups = {"release": self.release, "losses": self.losses, "answers": self.answers}
        words = {**asdict(self.words), "warnings": list(self.words.warnings)}
        return {"scenario": scenario, **{name: view.to_dict() for name, view in groups.items()}, "words": words}

    def improved(self, **changes: Unpack[Improvements]) -> Outcome:
        """The outcome with more of what `improve` finds; what was computed from the release is not computed again."""
        better = replace(self, **changes)
        better.__dict__.update({name: self.__dict__[name] for name in LASTING & self.__dict__.keys()})
        return better

    @property
    def series(self) -> Series | None:
        """The series; None where the data are a track."""
        return self.trajectory if isinstance(self.trajectory, Series) else None

    @property
    def kind(self) -> Kind:
        """The kind of the data: its words, and what is stated only about it."""
        return kind_of(self.trajectory)

    @cached_property
    def ground(self) -> Ground:
        """What the data are released on: it knows how an error is expected and written."""
        return ground_of(self.scenario, self.trajectory)

    @property
    def averages(self) -> bool:
        """Whether an average is wanted that is not computed yet."""
        return self.scenario.average and self.error_low_m is None

    @property
    def protected(self) -> tuple[int, ...]:
        """The timestamps that the scheme protects together: the landmarks, with dummies where they are hidden."""
        return protected(self.scenario, len(self))

    @cached_property
    def landmark(self) -> Floats:
        """(n,) landmark loss: the authors' count of what the landmarks and each timestamp lose together, not a
        bound."""
        known = self.correlation
        return landmark_loss(known.backward, known.forward, self.budgets, self.protected)

    @cached_property
    def landmark_bound(self) -> Floats:
        """(n,) bound on what the landmarks and each timestamp lose together; NaN where it would take too long."""
        start = "any" if self.scenario.adversary == "any" else "stationary"
        if self.bound_work > MOST_BOUND_WORK:
            return np.full(len(self), np.nan)
        return landmark_loss_bound(self.correlation.matrix, self.budgets, self.protected, start=start)

    @property
    def bound_work(self) -> float:
        """About how many numbers the bound reads: runs in every gap, and the bridges over the longest one."""
        matrix, landmarks = self.correlation.matrix, np.array(self.protected)
        if matrix is None or not len(landmarks):
            return 0.0
        gaps, m = np.diff(np.concatenate(([0], landmarks, [len(self) - 1]))).astype(float), len(matrix)
        return float((gaps**2).sum() * m**2 + gaps.max() * m**4 / 4)

    @cached_property
    def window_totals(self) -> Floats:
        """(n,) budgets of the last w timestamps together, w the scenario's window; shorter windows at the start."""
        return window_totals(self.budgets, min(self.scenario.window, len(self)))

    @cached_property
    def window_loss(self) -> Floats:
        """(n,) loss of the last w timestamps together under the correlation."""
        known = self.correlation
        return window_loss(known.backward, known.forward, self.budgets, self.scenario.window)

    def found(self, name: str) -> Any:
        """What a panel has found so far; None before there is something, and where nothing is wanted."""
        result = self.results.get(name)
        return None if result is None else result.found

    @property
    def reader_error_m(self) -> Floats | None:
        """(n,) the error of a careful reader of this draw, metres; None while a page has not computed it."""
        found = self.found("useful")
        return None if found is None else found.error_m

    @property
    def pair_total(self) -> Floats | None:
        """(n,) what if the chain is assumed: the total loss pair by pair, for places in two cells one radius apart; None
        while a page computes it, and where there is no chain."""
        return getattr(self.found("pairs"), "near", None)

    def array(self, name: str) -> NDArray:
        """An array by its name."""
        return np.asarray(getattr(self, name))

    @property
    def landmark_share(self) -> float:
        """Epsilon that the landmarks spend together, with their dummies where they are hidden."""
        return float(self.budgets[list(self.protected)].sum())

    @property
    def overrun(self) -> float:
        """The largest of the Theorem's sums in units of `allowed`; above 1 the landmarks are not protected together."""
        return float(self.totals.max() / self.allowed)

    @property
    def allowed(self) -> float:
        """What the budgets must stay within: epsilon, or the target of planned budgets."""
        return self.scenario.target if self.scenario.spread.plans else self.scenario.epsilon

    def to_frame(self) -> DataFrame:
        """The outcome as a pandas DataFrame, one row per timestamp, with the unit of each column in its name.

        The release is a simulation with a known seed. No coordinate of the true track is in the frame, but the times are
        those of the true track, and the errors are computed from it: neither is part of a release.

        Returns
        -------
        DataFrame
            `time` (UTC); `landmark` and `published` (bool), with `protected` where there may be dummies; `budget_epsilon`;
            `landmark_sum_epsilon`, the Theorem's sum over the landmarks and this timestamp; `backward_loss`, `forward_loss`,
            `total_loss`, and `landmark_loss` with `landmark_loss_bound` where the scenario shows it, what if the chain
            is assumed, between two cells, as if all places were within the radius and the place within a cell drawn
            anew at every timestamp (without a chain: if moments are independent); `sampling_rate`
            and `threshold_m` under Adaptive; `released_latitude_deg` and `released_longitude_deg` (NaN: no release),
            for a series `released_value`; `error_m`, for a series `error` in its unit, and so on; `reader_error_m` for
            a page's outcome, the error of a careful reader of this draw; `radius95_m` (NaN: not measured). For an
            average of many draws `error_m` is their mean, between `error_p05_m` and `error_p95_m`; a release as cells
            also has `planar_error_m`.

        Examples
        --------
        >>> from lmdk_widgets.scenario import Scenario, evaluate
        >>> from lmdk_widgets.trajectory import sample
        >>> frame = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")).to_frame()
        >>> frame.loc[:1, ["landmark", "budget_epsilon", "landmark_sum_epsilon"]].round(12).values.tolist()
        [[True, 0.2, 0.8], [False, 0.2, 1.0]]
        """
        pandas = library("pandas", "A data frame")

        columns = {
            "time": pandas.DatetimeIndex(self.trajectory.time).tz_localize("UTC"),
            **marked_columns(self.scenario, len(self)),
            "published": self.published,
            "budget_epsilon": self.budgets,
            "landmark_sum_epsilon": self.totals,
            "backward_loss": self.backward,
            "forward_loss": self.forward,
            "total_loss": self.total,
            "landmark_loss": self.landmark if self.scenario.landmark_loss else None,
            "landmark_loss_bound": self.landmark_bound if self.scenario.landmark_loss else None,
            "sampling_rate": self.rate,
            "threshold_m": self.threshold_m,
            "released_latitude_deg": self.latitude,
            "released_longitude_deg": self.longitude,
            "error_m": self.error_m,
            "reader_error_m": self.reader_error_m,
            "error_p05_m": self.error_low_m,
            "error_p95_m": self.error_high_m,
            "planar_error_m": self.planar_error_m,
            "radius95_m": self.radius95_m,
        }
        columns = self.kind.columns(columns, self.values)
        return pandas.DataFrame({name: values for name, values in columns.items() if values is not None})

    def figure(self) -> Figure:
        """The timeline of the page as a plotly figure: budgets, losses and errors, one above the other.

        Examples
        --------
        >>> from lmdk_widgets.scenario import Scenario, evaluate
        >>> from lmdk_widgets.trajectory import sample
        >>> figure = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")).figure()
        >>> figure.data[0].name, figure.data[0].y.round(12).tolist()
        ('each (landmarks orange)', [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2])
        """
        made: Figure = from_above("pages.track.timeline", "timeline_figure")(self)
        return made
