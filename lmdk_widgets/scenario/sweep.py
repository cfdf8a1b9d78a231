"""Many settings, evaluated: the rows of the comparison, curves, table, defences, inverse questions and studies.

A row is one setting with its measures; `row_of` computes one, `grid` those of a scheme at many epsilons and radii. By planar
Laplace a grid computes once what is shared: the budgets of a scheme that looks at no data depend on epsilon and not on the
radius, and so do the losses; errors go with radius / epsilon, so that the releases of many settings are drawn from the same
random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import nan
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets import Release, landmark_totals, release, rescaled_errors
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import found_within
from lmdk_widgets.leakage import landmark_loss, temporal_loss
from lmdk_widgets.noise import PlanarLaplace, planar_laplace_radius
from lmdk_widgets.page.runs import expanded, runs_of
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.evaluation import drawn_errors, evaluate, how_released
from lmdk_widgets.scenario.exposure import drawn_budgets, found_measure, of_budgets, right_measure
from lmdk_widgets.scenario.found import FoundPlace
from lmdk_widgets.scenario.from_track import from_track
from lmdk_widgets.scenario.ground import HALF_EARTH_M, ground_errors, ground_of, planar_errors_m
from lmdk_widgets.scenario.model import ALL_SCHEMES, BUDGET_RANGE, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.promised import Promised
from lmdk_widgets.scenario.stand_in import NAME as STAND_IN
from lmdk_widgets.scenario.useful import ReaderWorth, draws_for, read_text, reading_of, useful
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

DRAWS = 20
"""Releases behind each mean error that has no formula."""

MOST_DRAWN = 10_000
"""Longest track whose releases are drawn for a mean error."""

SLACK = 1e-9
"""Rounding by which a sum may pass epsilon, and a number its limit."""

_UNIT95 = float(planar_laplace_radius(0.95, 1.0))

_VALUES_AT_ONCE = 200_000
"""Settings are computed in blocks of about so many drawn values."""

_SEEDS = 2**53


@dataclass(frozen=True)
class Measure:
    """A number of an outcome.

    Attributes
    ----------
    meaning : what it is, with its unit: metres of a track, of a series its own, though the name says `_m`; of answers errors
        are shares of wrong ones.
    of : computes it from an outcome.
    """

    meaning: str
    of: Callable[[Outcome], float]


MEASURES: dict[str, Measure] = {
    "mean_error_m": Measure(
        "metres, or in the unit of a series, between release and truth, mean over the timestamps that have a release",
        lambda o: o.mean_error_m,
    ),
    "median_error_m": Measure(
        "metres, or in the unit of a series, between release and truth, median over the timestamps that have a release",
        lambda o: o.median_error_m,
    ),
    "reader_error_m": Measure(
        "metres, or in the unit of a series, by which an honest reader of the release is off, who uses all reports and what "
        "everybody knows, mean over all timestamps; of answers the share that this reader has wrong",
        lambda o: useful(o, 1).reader,
    ),
    "spread_m": Measure(
        "metres, or in the unit of a series, between the data and their own median, mean over all timestamps: what "
        "someone is off by who knows one place or value and no movement",
        lambda o: reading_of(o).spread,
    ),
    "nothing_m": Measure(
        "metres, or in the unit of a series, between the data and the middle of the region, or of the bounds, mean over all "
        "timestamps: what a guess without any release is off by",
        lambda o: reading_of(o).nothing,
    ),
    "radius95_m": Measure(
        "metres, or in the unit of a series, within which 95 % of the noise of a measured timestamp lies, mean over "
        "those timestamps",
        lambda o: mean_known(o.radius95_m),
    ),
    "largest_total_loss": Measure("the largest total loss of a timestamp", lambda o: float(o.total.max())),
    "mean_total_loss": Measure("the mean total loss of a timestamp", lambda o: float(o.total.mean())),
    "supremum": Measure("what the total loss stays below for ever; inf: no bound", lambda o: o.supremum),
    "landmark_loss": Measure(
        "the largest landmark loss, by the authors' count, no bound", lambda o: float(o.landmark.max())
    ),
    "mean_landmark_loss": Measure(
        "the mean landmark loss, by the authors' count, no bound", lambda o: float(o.landmark.mean())
    ),
    "landmark_bound": Measure(
        "the largest bound on the landmark loss; missing where it would take too long",
        lambda o: float(o.landmark_bound.max()),
    ),
    "theorem_sum": Measure(
        "the largest of the Theorem's sums: what the landmarks and one other timestamp spend",
        lambda o: float(o.totals.max()),
    ),
    "found_within_m": Measure(
        "metres, or in the unit of a series, within which averaging finds the main place, or level, in half of all releases; "
        "computed from the true data; missing of answers and of cells",
        found_measure,
    ),
    "guesses_right": Measure(
        "how often averaging tells the main place from one a radius away, a level from one as far as the bounds, the answer "
        "from the other one, 0.5 to 1; computed from the true data; missing of cells",
        right_measure,
    ),
    "promised_one": Measure(
        "the largest chance of a right guess about one moment, 0.5 to 1, whatever the draw and if moments are independent",
        lambda o: Promised(o).one,
    ),
    "promised_landmarks": Measure(
        "the same about the landmarks and any one other moment together", lambda o: Promised(o).together
    ),
    "published": Measure(
        "the share of the timestamps that were measured, 0 to 1", lambda o: float(np.mean(o.published))
    ),
    "landmarks": Measure("the number of landmarks", lambda o: float(len(o.scenario.landmarks))),
}
"""Measures of an outcome by name. Those of many draws are in `EXPECTED`."""


@dataclass(frozen=True)
class Row:
    """One setting and what it gives.

    Attributes
    ----------
    scheme : key of `ALL_SCHEMES`. mechanism : key of `MECHANISMS`; "planar" where the scenario's cannot serve the scheme.
    epsilon : or the target. radius_m : metres. place_m : side of the cells that are reported, metres; None by planar Laplace.
    numbers : each measure by its name, NaN where the setting is refused; ``row[name]`` is one of them.
    from_track : whether its cells, its grid or its plan come from the data that it protects.
    refused : why it cannot be evaluated, a sentence; "" where it can.
    worth : what it is worth to an honest reader; None where that is not computed.
    """

    scheme: str
    mechanism: str
    epsilon: float
    radius_m: float
    numbers: Mapping[str, float]
    place_m: float | None = None
    from_track: bool = False
    refused: str = ""
    worth: ReaderWorth | None = None

    def __getitem__(self, name: str) -> float:
        return self.numbers[name]

    @property
    def exact(self) -> bool:
        """Whether no draw is behind `error_m`."""
        return self["expected"] != 0

    @property
    def kept(self) -> bool:
        """Whether the landmarks and any one other timestamp spend at most epsilon together."""
        return self["theorem_sum"] <= self.epsilon * (1 + SLACK)


class Measures(NamedTuple):
    """Names of measures, and what computes their numbers, in this order, from an outcome."""

    names: tuple[str, ...]
    of: Callable[[Outcome], Iterable[float]]


def some(*names: str, known: Mapping[str, Measure] = MEASURES) -> Measures:
    """Several measures by their names."""
    return Measures(names, lambda outcome: [known[name].of(outcome) for name in names])


def expected_error_m(outcome: Outcome) -> float | None:
    """The expected mean error of an outcome's scheme, metres; None where a release is repeated, for which none is known.

    Planar Laplace at budget b is 2 r / b from the truth on average; for cells the channel's rows give the distance, and a
    series has the sensitivity / b, or the chance of a wrong answer.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> round(expected_error_m(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))), 6)
    2000.0
    """
    if outcome.scenario.spread.online or not outcome.published.all():
        return None
    if outcome.reports is not None:
        return outcome.reports.mean_expected_m
    return float(outcome.ground.expected(outcome.budgets).mean())


def drawn_error(scenario: Scenario, trajectory: Trajectory) -> tuple[float, float, float]:
    """Mean error of `DRAWS` releases with its 5 % and 95 % points, metres; NaN where nothing is released."""
    mean, low, high = averaged(drawn_errors(scenario, trajectory, DRAWS)).tolist()
    return mean, low, high


def averaged(errors: Floats) -> Floats:
    """Of errors (..., draws, n) the mean (..., 3) of the draws' mean errors, with its 5 % and 95 % points."""
    seen = np.isfinite(errors).any(axis=(-2, -1))
    means = np.full(errors.shape[:-1], nan)
    means[seen] = np.nanmean(errors[seen], axis=-1)
    return np.stack([means.mean(axis=-1), *np.quantile(means, (0.05, 0.95), axis=-1)], axis=-1)


def mean_known(values: Floats) -> float:
    """The mean of what is finite; NaN where nothing is."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else nan


_ERROR = "error_m", "error_low_m", "error_high_m", "expected"
_ASIDE = "radius95_m", "found_within_m", "largest_total_loss", "landmark_loss", "theorem_sum"


def _expected_and_more(outcome: Outcome) -> tuple[float, ...]:
    expected = expected_error_m(outcome)
    error = drawn_error(outcome.scenario, outcome.trajectory) if expected is None else (expected,) * 3
    return *error, float(expected is not None), *(MEASURES[name].of(outcome) for name in _ASIDE)


EXPECTED = Measures((*_ERROR, *_ASIDE), _expected_and_more)
"""The measures of a grid: `error_m`, the expected mean error, or the mean of `DRAWS` releases, between `error_low_m` and
`error_high_m`, their 5 % and 95 % points; `expected`, 1 for a formula and 0 for draws; and five of `MEASURES`."""


def measured(scenario: Scenario, trajectory: Trajectory, measures: Measures, *, draws: int = 1) -> Row:
    """One setting by `evaluate`: the means of its measures over so many draws, with the seeds from the scenario's on.

    Raises
    ------
    InputError : as `evaluate`.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> row = measured(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"), some("theorem_sum", "landmarks"))
    >>> row.scheme, round(row["theorem_sum"], 9), row["landmarks"]
    ('uniform', 1.0, 4.0)
    """
    if draws == 1:
        numbers = measures.of(evaluate(scenario, trajectory))
    else:
        seeds = ((scenario.seed + k) % _SEEDS for k in range(draws))
        found = [list(measures.of(evaluate(scenario.with_changes(seed=seed), trajectory))) for seed in seeds]
        numbers = np.mean(found, axis=0).tolist()
    return _row(scenario, trajectory, dict(zip(measures.names, numbers, strict=True)))


def row_of(scenario: Scenario, trajectory: Trajectory, measures: Measures, *, draws: int = 1) -> Row:
    """The same, but that a refused setting is a row of NaN with the reason.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> row = row_of(Scenario(landmarks=(50,)), sample("bob"), some("theorem_sum"))
    >>> row["theorem_sum"], row.refused
    (nan, 'Landmarks must be indices between 0 and 7; got 50.')
    """
    try:
        return measured(scenario, trajectory, measures, draws=draws)
    except InputError as error:
        return _refused(scenario, measures, error.sentence)


def read(row: Row, scenario: Scenario, trajectory: Trajectory, most: int = DRAWS) -> Row:
    """A row with what its release, of this scenario, is worth to an honest reader, in so many draws at most.

    That takes a reader some thirty milliseconds where the other measures of a row take one.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), scheme="event")
    >>> found = read(row_of(bob, sample("bob"), some("mean_error_m")), bob, sample("bob")).worth
    >>> found.draws, found.words
    (20, 'tells the way well')
    """
    if row.refused or trajectory.name == STAND_IN:
        return row
    return replace(row, worth=_worth(scenario.with_changes(average=False), trajectory, most))


@lru_cache(maxsize=1024)
def _worth(scenario: Scenario, trajectory: Trajectory, most: int) -> ReaderWorth:
    return useful(evaluate(scenario, trajectory), min(draws_for(len(trajectory)), most)).worth


def read_values(row: Row, outcome: Outcome) -> tuple[float, float, float, str]:
    """What stands in a table of a row: its reader's error, spread and nothing, and the first in words, with what it is worth;
    NaN and an ellipsis before it is known."""
    found = row.worth
    if found is None:
        never = row.refused or outcome.trajectory.name == STAND_IN
        return nan, nan, nan, "none" if never else "\N{HORIZONTAL ELLIPSIS}"
    return found.reader, found.spread, found.nothing, read_text(found, outcome)


def _row(scenario: Scenario, trajectory: Trajectory, numbers: Mapping[str, float]) -> Row:
    place_m = None if scenario.mechanism == "planar" else scenario.place_m
    return Row(*_which(scenario), numbers, place_m, from_track(scenario, trajectory))


def _refused(scenario: Scenario, measures: Measures, reason: str) -> Row:
    return Row(*_which(scenario), dict.fromkeys(measures.names, nan), refused=reason)


def _which(scenario: Scenario) -> tuple[str, str, float, float]:
    epsilon = scenario.target if scenario.spread.plans else scenario.epsilon
    return scenario.scheme, scenario.mechanism, epsilon, scenario.radius_m


def compared_schemes(scenario: Scenario) -> tuple[str, ...]:
    """The schemes that are compared: all that spread epsilon, and budgets by hand where there are any.

    Examples
    --------
    >>> compared_schemes(Scenario(scheme="given"))[-2:], compared_schemes(Scenario())[-1:]
    (('planned', 'given'), ('planned',))
    """
    return tuple(ALL_SCHEMES if scenario.spread.by_hand else SCHEMES)


def served(scenario: Scenario, scheme: str) -> dict[str, str]:
    """The changes that give a scenario another scheme: planar Laplace with it where the mechanism cannot serve it."""
    return {"scheme": scheme, "mechanism": "planar" if SPREADS[scheme].online else scenario.mechanism}


def alike(scenario: Scenario, scheme: str) -> Scenario:
    """The scenario with all that makes no difference to a scheme's rows as it is at first, so that they are found again."""
    budgets = scenario.budgets if SPREADS[scheme].by_hand else ()
    same: dict[str, Any] = {**served(scenario, scheme), "epsilon": 1.0, "target": 1.0, "budgets": budgets}
    return scenario.released.with_changes(**same, average=False)


def at(scenario: Scenario, epsilon: float) -> Scenario:
    """The scenario with an epsilon, which is a plan's target; budgets by hand are multiplied by it."""
    if not scenario.spread.by_hand:
        return scenario.with_changes(epsilon=epsilon, target=epsilon)
    scaled = expanded(scenario.budgets) * epsilon
    return scenario.with_changes(budgets=runs_of(np.clip(scaled, 0, BUDGET_RANGE[1])))


Pairs = Sequence[tuple[float, float]]


def grid(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """The scenario's scheme at each epsilon and radius, some at a time, with the measures of `EXPECTED`.

    Every number is that of `evaluate`, up to rounding. There is no row, or no further one, where releases must be drawn and
    the track is longer than `MOST_DRAWN`. What cannot be had is a row of NaN with the reason.
    """
    if scenario.mechanism == "planar" and not isinstance(trajectory, Series):
        yield from _planar(scenario, trajectory, pairs)
    elif len(trajectory) <= MOST_DRAWN or not _must_draw(scenario, trajectory):
        yield from _one_by_one(scenario, trajectory, pairs)


def _must_draw(scenario: Scenario, trajectory: Trajectory) -> bool:
    """Whether no formula gives the error."""
    if scenario.spread.online or not scenario.spread.skips:
        return scenario.spread.online
    try:
        return expected_error_m(evaluate(scenario, trajectory)) is None
    except InputError:
        return False


def _setting(scenario: Scenario, epsilon: float, radius_m: float) -> Scenario:
    return scenario.with_changes(epsilon=epsilon, target=epsilon, radius_m=radius_m)


def _one_by_one(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """Releases as cells, whose channels depend on epsilon / radius, or of a series: each is computed by itself."""
    known = dict[tuple[float, ...], Row]()
    for pair in pairs:
        key = pair[:1] if scenario.mechanism == "randomised" else pair  # which knows no distance
        if key not in known:
            known[key] = row_of(_setting(scenario, *pair), trajectory, EXPECTED)
        yield [replace(known[key], radius_m=pair[1])]


def _planar(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """By planar Laplace; what was spent is found again by epsilon where a scheme does not look at what it releases."""
    online, known = scenario.spread.online, dict[tuple[float, ...], _Spent | str]()
    units = dict[float, float]()
    at_once = max(1, _VALUES_AT_ONCE // (DRAWS * len(trajectory)))
    for first in range(0, len(pairs), at_once):
        block, spent = pairs[first : first + at_once], []
        for pair in block:
            key = pair if online else pair[:1]
            if key not in known:
                known[key] = _spent(_setting(scenario, *pair), trajectory)
            spent.append(known[key])
        drawn = any(isinstance(one, _Spent) and (online or not one.release.published.all()) for one in spent)
        if drawn and len(trajectory) > MOST_DRAWN:
            return
        errors = _rescaled(scenario, trajectory, block) if drawn else np.full((len(block), 3), nan)
        found = [_found_within(scenario, trajectory, *of, units) for of in zip(block, spent, strict=True)]
        yield [_planar_row(scenario, *of) for of in zip(block, spent, errors.tolist(), found, strict=True)]


class _Spent(NamedTuple):
    """A release with the largest total loss, landmark loss and sum of the Theorem."""

    release: Release
    losses: tuple[float, float, float]


def _spent(scenario: Scenario, trajectory: Trajectory) -> _Spent | str:
    """Or why there is none."""
    try:
        known, how = how_released(scenario, trajectory)
    except InputError as error:  # a chain that hardly forgets leaves no plan
        return error.sentence
    made = release(trajectory.points_m, rng=np.random.default_rng(scenario.seed), **how)
    return _Spent(made, _losses(known, made.budgets, how["landmarks"]))


def _losses(known: Correlation, budgets: Floats, landmarks: Iterable[int]) -> tuple[float, float, float]:
    total = temporal_loss(known.backward, known.forward, budgets).total
    together = landmark_loss(known.backward, known.forward, budgets, landmarks)
    return float(total.max()), float(together.max()), float(landmark_totals(budgets, landmarks).max())


def _found_within(
    scenario: Scenario,
    trajectory: Trajectory,
    pair: tuple[float, float],
    spent: _Spent | str,
    units: dict[float, float],
) -> float:
    """`found_within_m` of a setting, metres. Budgets that depend on releases are in proportion to epsilon where the radius
    is, so that those of one radius / epsilon are drawn once: `units` keeps what they give for each epsilon of 1."""
    epsilon, radius_m = pair
    if isinstance(spent, str) or trajectory.name == STAND_IN:
        return nan
    unit = round(radius_m / epsilon, 9)
    if not scenario.spread.online:
        own = np.where(spent.release.published, spent.release.budgets, 0.0)[None]
    elif unit not in units:
        own = drawn_budgets(of_budgets(_setting(scenario, *pair)), trajectory)
    else:
        return found_within([units[unit] * epsilon], radius_m)
    together = FoundPlace(scenario, trajectory, ground_of(scenario, trajectory), own).together
    units[unit] = together / epsilon
    return found_within([together], radius_m)


def _planar_row(
    scenario: Scenario, pair: tuple[float, float], spent: _Spent | str, drawn_m: list[float], found_m: float
) -> Row:
    if isinstance(spent, str):
        return replace(_refused(scenario, EXPECTED, spent), epsilon=pair[0], radius_m=pair[1])
    made, radius_m = spent.release, pair[1]
    budgets = made.budgets[made.published] - made.comparison_budget
    exact = not scenario.spread.online and len(budgets) == len(made.budgets)
    error_m = [float(planar_errors_m(budgets, radius_m).mean())] * 3 if exact else drawn_m
    radius95_m = mean_known(np.minimum(radius_m * _UNIT95 / budgets, HALF_EARTH_M))
    numbers = dict(zip(EXPECTED.names, (*error_m, float(exact), radius95_m, found_m, *spent.losses), strict=True))
    return Row(scenario.scheme, scenario.mechanism, *pair, numbers, from_track=from_track(scenario))


def _rescaled(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Floats:
    """(len(pairs), 3) what `drawn_error` gives at each epsilon and radius, metres."""
    _, how = how_released(scenario.with_changes(epsilon=1.0), trajectory)
    ratios = np.array([radius_m / epsilon for epsilon, radius_m in pairs])
    errors = rescaled_errors(
        trajectory.points_m,
        rng=np.random.default_rng(scenario.seed),
        draws=DRAWS,
        factors=ratios,
        error=partial(ground_errors, trajectory=trajectory),
        **how | {"mechanism": PlanarLaplace(radius_m=1.0)},
    )
    return averaged(errors)
