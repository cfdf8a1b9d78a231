"""Many settings, evaluated: the rows of the comparison, curves, table, defences, inverse questions and studies.

A row is one setting with its measures; `row_of` computes one, `settings_grid` those of a scheme at many epsilons and radii.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.answers.exposure import found_measure, right_measure
from lmdk_widgets.answers.from_track import from_track
from lmdk_widgets.answers.odds import most_told
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import ReaderWorth, draws_for, read_text, reading_of, useful
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.index_runs import expanded, runs_of
from lmdk_widgets.scenario.evaluation import drawn_errors, evaluate
from lmdk_widgets.scenario.ground import mean_known
from lmdk_widgets.scenario.model import ALL_SCHEMES, BUDGET_RANGE, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

DRAWS = 20
"""Releases behind each mean error that has no formula."""

MOST_DRAWN = 10_000
"""The longest track whose releases are drawn for a mean error."""

SLACK = 1e-9
"""Rounding by which a sum may exceed epsilon, and a number its limit."""

_SEEDS = 2**53


@dataclass(frozen=True)
class Measure:
    """A number of an outcome.

    Attributes
    ----------
    meaning : what it is, with its unit: metres for a track, its own unit for a series, though the name says `_m`; for
        answers errors are shares of wrong ones.
    of : computes it from an outcome.
    """

    meaning: str
    of: Callable[[Outcome], float]


_ONE_NUMBER = "by the one number of Cao et al. for all pairs: if all places were within the radius"

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
        "metres, or in the unit of a series, by which a careful reader of the release, who uses all reports and "
        "public knowledge, is off, mean over all timestamps; for answers the share that this reader gets wrong",
        lambda o: useful(o, 1).reader,
    ),
    "spread_m": Measure(
        "metres, or in the unit of a series, between the data and their own median, mean over all timestamps: the "
        "error of someone who knows one place or value and no movement",
        lambda o: reading_of(o).spread,
    ),
    "nothing_m": Measure(
        "metres, or in the unit of a series, between the data and the middle of the region, or of the bounds, mean "
        "over all timestamps: the error of a guess without any release",
        lambda o: reading_of(o).nothing,
    ),
    "radius95_m": Measure(
        "metres, or in the unit of a series, within which 95 % of the noise of a measured timestamp lies, mean over "
        "those timestamps",
        lambda o: mean_known(o.radius95_m),
    ),
    "pair_loss": Measure(
        "the largest loss of a timestamp; with a chain, what if it is assumed, the place within a cell drawn anew at every "
        "timestamp: between places in two cells one radius apart, two neighbouring cells, or any two levels of a series, "
        "pair by pair, or by one number for all pairs where that takes too long",
        most_told,
    ),
    "largest_total_loss": Measure(
        f"the largest total loss of a timestamp, {_ONE_NUMBER}", lambda o: float(o.total.max())
    ),
    "mean_total_loss": Measure(f"the mean total loss of a timestamp, {_ONE_NUMBER}", lambda o: float(o.total.mean())),
    "supremum": Measure(
        f"what the total loss stays below for ever, {_ONE_NUMBER}; inf: no bound", lambda o: o.supremum
    ),
    "landmark_loss": Measure(
        "the largest landmark loss, by the authors' count, not a bound, if all places were within the radius",
        lambda o: float(o.landmark.max()),
    ),
    "mean_landmark_loss": Measure(
        "the mean landmark loss, by the authors' count, not a bound", lambda o: float(o.landmark.mean())
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
        "metres, or in the unit of a series, within which half of all releases reveal the lasting place that is found best, "
        "by its reports or by its silences, or the main level; computed from the true data; missing for answers and cells",
        found_measure,
    ),
    "guesses_right": Measure(
        "how often averaging tells the place that is found best from one a radius away, a level from one as far away as the "
        "bounds, or an answer from the other one, 0.5 to 1; computed from the true data; missing for cells",
        right_measure,
    ),
    "promised_one": Measure(
        "the largest chance of a right guess about one moment, 0.5 to 1, whatever the draw, if moments are independent",
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
    epsilon : or the target. radius_m : metres. place_m : side of the cells that are reported, metres; None under planar
        Laplace.
    numbers : each measure by its name, NaN where the setting is refused; ``row[name]`` is one of them.
    from_track : whether its cells, its grid or its plan come from the data that it protects.
    refused : why it cannot be evaluated, a sentence; "" where it can.
    worth : what it is worth to a careful reader; None where that has not been computed.
    """

    scheme: Any
    mechanism: Any
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

    Planar Laplace at budget b is 2 r / b from the truth on average; for cells the channel's rows give the distance, and
    for a series it is the sensitivity / b, or the chance of a wrong answer.

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
    """Mean error of `DRAWS` releases with its 5th and 95th percentiles, metres; NaN where nothing is released."""
    mean, low, high = averaged(drawn_errors(scenario, trajectory, DRAWS)).tolist()
    return mean, low, high


def averaged(errors: Floats) -> Floats:
    """For errors (..., draws, n), the mean (..., 3) of the draws' mean errors, with its 5th and 95th percentiles."""
    seen = np.isfinite(errors).any(axis=(-2, -1))
    means = np.full(errors.shape[:-1], nan)
    means[seen] = np.nanmean(errors[seen], axis=-1)
    return np.stack([means.mean(axis=-1), *np.quantile(means, (0.05, 0.95), axis=-1)], axis=-1)


_ERROR = "error_m", "error_low_m", "error_high_m", "expected"
_ASIDE = (
    *("radius95_m", "found_within_m", "pair_loss", "promised_one", "promised_landmarks"),
    *("largest_total_loss", "landmark_loss", "theorem_sum"),
)


def _expected_and_more(outcome: Outcome) -> tuple[float, ...]:
    expected = expected_error_m(outcome)
    error = drawn_error(outcome.scenario, outcome.trajectory) if expected is None else (expected,) * 3
    return *error, float(expected is not None), *(MEASURES[name].of(outcome) for name in _ASIDE)


EXPECTED = Measures((*_ERROR, *_ASIDE), _expected_and_more)
"""The measures of a grid: `error_m`, the expected mean error, or the mean of `DRAWS` releases, between `error_low_m` and
`error_high_m`, their 5th and 95th percentiles; `expected`, 1 for a formula and 0 for draws; and eight of `MEASURES`."""


def row_of(
    scenario: Scenario,
    trajectory: Trajectory,
    measures: Measures,
    *,
    draws: int = 1,
    middle: Callable[..., Floats] = np.mean,
    strict: bool = False,
) -> Row:
    """One setting by `evaluate`: the means of its measures over `draws` draws, or another `middle`, with seeds from the
    scenario's upwards. A refused setting is a row of NaN with the reason.

    Raises
    ------
    InputError : as `evaluate`, where it is `strict`.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> row = row_of(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"), some("theorem_sum", "landmarks"))
    >>> row.scheme, round(row["theorem_sum"], 9), row["landmarks"]
    ('uniform', 1.0, 4.0)
    >>> row = row_of(Scenario(landmarks=(50,)), sample("bob"), some("theorem_sum"))
    >>> row["theorem_sum"], row.refused
    (nan, 'Landmarks must be indices between 0 and 7; got 50.')
    """
    seeds = ((scenario.seed + k) % _SEEDS for k in range(draws))
    try:
        found = [list(measures.of(evaluate(scenario.with_changes(seed=seed), trajectory))) for seed in seeds]
    except InputError as error:
        if strict:
            raise
        return refused(scenario, measures, error.sentence)
    numbers = found[0] if draws == 1 else middle(found, axis=0).tolist()
    return _row(scenario, trajectory, dict(zip(measures.names, numbers, strict=True)))


def read(row: Row, scenario: Scenario, trajectory: Trajectory, most: int = DRAWS) -> Row:
    """A row with what its release, of this scenario, is worth to a careful reader, in at most `most` draws.

    That takes a reader about thirty milliseconds, where the other measures of a row take one.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), scheme="event")
    >>> found = read(row_of(bob, sample("bob"), some("mean_error_m")), bob, sample("bob")).worth
    >>> found.draws, found.words
    (20, 'shows the route well')
    """
    if row.refused or trajectory.name == RELEASE_NAME:
        return row
    draws = min(draws_for(len(trajectory)), most)
    return replace(row, worth=_worth(scenario.with_changes(average=False), trajectory, draws))


@cached("visitor", entries=1024, what="the errors of a careful reader")
def _worth(scenario: Scenario, trajectory: Trajectory, draws: int) -> ReaderWorth:
    return useful(evaluate(scenario, trajectory), draws).worth


def read_values(row: Row, outcome: Outcome) -> tuple[float, float, float, str]:
    """What a table shows of a row: its reader's error, spread and nothing, and the first in words, with what it is
    worth; NaN and an ellipsis before it is known."""
    found = row.worth
    if found is None:
        never = row.refused or outcome.trajectory.name == RELEASE_NAME
        return nan, nan, nan, "none" if never else "\N{HORIZONTAL ELLIPSIS}"
    return found.reader, found.spread, found.nothing, read_text(found, outcome)


def _row(scenario: Scenario, trajectory: Trajectory, numbers: Mapping[str, float]) -> Row:
    place_m = None if scenario.mechanism == "planar" else scenario.place_m
    return Row(*_which(scenario), numbers, place_m, from_track(scenario, trajectory))


def refused(scenario: Scenario, measures: Measures, reason: str) -> Row:
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


def served(scenario: Scenario, scheme: str) -> dict[str, Any]:
    """The changes that give a scenario another scheme: with planar Laplace where the scheme cannot use the
    mechanism."""
    return {"scheme": scheme, "mechanism": "planar" if SPREADS[scheme].online else scenario.mechanism}


def alike(scenario: Scenario, scheme: str) -> Scenario:
    """The scenario with everything reset that makes no difference to a scheme's rows, so that they can be reused."""
    budgets = scenario.budgets if SPREADS[scheme].by_hand else ()
    same: dict[str, Any] = {**served(scenario, scheme), "epsilon": 1.0, "target": 1.0, "budgets": budgets}
    return scenario.released.with_changes(**same, average=False)


def at(scenario: Scenario, epsilon: float) -> Scenario:
    """The scenario with an epsilon, which is a plan's target; budgets by hand are multiplied by it."""
    if not scenario.spread.by_hand:
        return scenario.with_changes(epsilon=epsilon, target=epsilon)
    scaled = expanded(scenario.budgets) * epsilon
    return scenario.with_changes(budgets=runs_of(np.clip(scaled, 0, BUDGET_RANGE[1])))
