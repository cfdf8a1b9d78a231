"""The table of many settings: what each scheme gives at each epsilon and radius, with the numbers of `evaluate`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.checks import positive
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.names import SweptSchemeName
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import KIND, Kind
from lmdk_widgets.page.progress import Progress, telling
from lmdk_widgets.page.typed_choices import MOST_IN_RANGE, Typed, several
from lmdk_widgets.scenario.evaluation import how_released
from lmdk_widgets.scenario.model import EPSILON_RANGE, SCHEMES, SPREADS, Scenario
from lmdk_widgets.sweep.rows import SLACK, Row, alike
from lmdk_widgets.sweep.settings_grid import grid
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from pandas import DataFrame


MOST_SETTINGS = 20_000
RADIUS_RANGE_M = (1.0, 100_000.0)


def declared(kind: Kind, default: Any) -> Any:
    """Declares a choice of a special kind."""
    return field(default=default, metadata={KIND: kind})


@dataclass(frozen=True)
class Asked(Choices):
    """Which settings a table contains.

    Attributes
    ----------
    schemes : keys of `SCHEMES`. epsilons : for each scheme; for plans, the targets. radii_m : protection radii, metres.

    Raises
    ------
    InputError : names or numbers that are not allowed, and more than `MOST_SETTINGS` settings.

    Examples
    --------
    >>> asked = Asked(schemes="uniform event", epsilons="0.5 1")
    >>> asked.schemes, asked.epsilons, len(asked)
    (('event', 'uniform'), (0.5, 1.0), 28)
    """

    schemes: tuple[str, ...] = several(tuple(SCHEMES), SCHEMES, "Schemes", subject="scheme")
    epsilons: tuple[float, ...] = declared(
        Typed(
            label="Epsilons",
            help="0.1 0.5 1, or 0.1 to 10 in 9",
            low=EPSILON_RANGE[0],
            high=EPSILON_RANGE[1],
            least=1,
            most=MOST_IN_RANGE,
        ),
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    )
    radii_m: tuple[float, ...] = declared(
        Typed(
            label="Radii",
            help="metres: 100 200 500, or 50 to 5000 in 7",
            low=RADIUS_RANGE_M[0],
            high=RADIUS_RANGE_M[1],
            least=1,
            most=MOST_IN_RANGE,
        ),
        (50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self) > MOST_SETTINGS:
            remedy = "Choose fewer schemes, epsilons or radii"
            raise InputError(
                f"The table must have at most {MOST_SETTINGS:,} settings", value=f"{len(self):,}", remedy=remedy
            )

    def __len__(self) -> int:
        return len(self.schemes) * len(self.epsilons) * len(self.radii_m)

    def wanted(self, *, placed: bool) -> int:
        """How many settings there are: for a series, which has no places, only one radius counts."""
        return len(self) if placed else len(self.schemes) * len(self.epsilons)

    @property
    def rows(self) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
        """What its rows depend on: neither conditions nor order."""
        return self.schemes, self.epsilons, self.radii_m


BETWEEN_S = 0.25
"""Seconds between updates of a growing table."""


@dataclass(frozen=True, eq=False)
class Settings:
    """The rows of a table computed so far, and whether all are."""

    rows: tuple[Row, ...]
    done: bool


def growing(scenario: Scenario, trajectory: Trajectory, asked_for: Asked) -> Iterator[Settings]:
    """The table with more and more of its rows, a few times a second, and finally with all of them."""
    rows, told = list[Row](), perf_counter()
    for some in settings(scenario, trajectory, *asked_for.rows):
        rows += some
        if perf_counter() - told > BETWEEN_S:
            yield Settings(tuple(rows), False)
            told = perf_counter()
    yield Settings(tuple(rows), True)


def settings(
    scenario: Scenario,
    trajectory: Trajectory,
    schemes: Sequence[str],
    epsilons: Sequence[float],
    radii_m: Sequence[float],
) -> Iterator[list[Row]]:
    """Every setting under the scenario's other choices, some at a time: by scheme, then epsilon, then radius.

    A scheme that needs simulated releases has none where the track is longer than `MOST_DRAWN`.

    Raises
    ------
    InputError : a scenario that does not fit the track. An impossible scheme or channel gives NaN instead.
    """
    how_released(alike(scenario, "event"), trajectory)  # refuses what does not fit, whatever the scheme
    one = (scenario.radius_m,)  # which means nothing for a series
    pairs = list(product(epsilons, one if isinstance(trajectory, Series) else radii_m))
    for scheme in schemes:
        yield from grid(alike(scenario, scheme), trajectory, pairs)


def settings_table(
    scenario: Scenario,
    trajectory: Trajectory,
    *,
    schemes: Sequence[SweptSchemeName] | None = None,
    epsilons: Sequence[float] | None = None,
    radii_m: Sequence[float] | None = None,
    found_no_nearer_m: float | None = None,
    progress: Progress = None,
) -> DataFrame:
    """Many settings on one track as a table to choose from: one row per scheme, epsilon and radius.

    Every number is the one that `evaluate` gives for the same scenario with this scheme, epsilon (the target of a plan) and
    radius; the table takes a fraction of the time of a loop. The errors of some schemes are computed from releases of the
    true track: the table is for its owner.

    Parameters
    ----------
    scenario : all other choices: landmarks, window, correlation, adversary, mechanism, seed.
    trajectory : the track.
    schemes : keys of `SCHEMES`; by default all.
    epsilons : in [1e-9, 1e6]; by default 0.1 to 10. radii_m : in [1, 100,000] metres; by default 50 to 5,000.
    found_no_nearer_m : the limit of `found_kept`, metres; by default the scenario's radius.
    progress : called with how many settings are done, and of how many; True: a bar of tqdm; None: silent.

    Returns
    -------
    DataFrame
        `scheme`, with the page's name for it in the last column, `scheme_title`; `mechanism`; `epsilon`; `radius_m`;
        `mean_error_m`, over the timestamps that have a release, with `expected` (bool): a formula, or else the mean of 20
        releases; `radius95_m`, within which 95 % of the noise of a measured timestamp lies, mean over those timestamps;
        `found_within_m`, within which half of all releases reveal the lasting place that is found best, by its reports or
        its silences (NaN: cells), with `found_kept` (bool), whether no lasting place is found nearer than the limit
        (False where that is not computed); `pair_loss`, the most that a timestamp reveals: its budget without a chain,
        with one what if it is assumed, the place within a cell drawn anew at every timestamp, between places in two cells
        one radius apart, pair by pair or by one number for all where that takes too long; `largest_total_loss`, that of
        Cao et al., and `landmark_loss`, the authors' count, which is not a bound, both between two cells as if all places
        were within the radius; `theorem_sum` and `theorem_kept` (bool), whether the landmarks and any other timestamp
        spend at most epsilon. NaN where a scheme is impossible. No row for a scheme that needs simulated releases on more
        than 10,000 timestamps.

    Raises
    ------
    InputError : names or numbers that are not allowed, more than 20,000 settings, a scenario that does not fit the track,
        a `progress` that cannot be called.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), correlation="none")
    >>> table = settings_table(bob, sample("bob"), schemes=["event", "uniform"], epsilons=[1, 4], radii_m=[200])
    >>> table.mean_error_m.round(6).tolist(), table.theorem_kept.tolist()
    ([400.0, 100.0, 2000.0, 500.0], [False, False, True, True])
    >>> table[(table.mean_error_m < 501) & table.theorem_kept].scheme.tolist()
    ['uniform']
    """
    pandas = library("pandas", "A data frame")

    given = {"schemes": schemes, "epsilons": epsilons, "radii_m": radii_m}
    chosen = Asked().with_changes(**{name: value for name, value in given.items() if value is not None})
    rows, total = list[Row](), chosen.wanted(placed=not isinstance(trajectory, Series))
    with telling(progress, total, "setting") as tell:
        for some in settings(scenario, trajectory, *chosen.rows):
            rows += some
            tell(len(rows))
        tell(total)  # a scheme that is not simulated has no rows
    least_m = scenario.radius_m if found_no_nearer_m is None else positive(found_no_nearer_m, "found_no_nearer_m")
    lasts = not isinstance(trajectory, Series) and bool(lasting_places_of(trajectory))
    told = [named(row) | {"found_kept": _far_enough(row, least_m, lasts=lasts)} for row in rows]
    return pandas.DataFrame(told, columns=list(NAMES))


def _far_enough(row: Row, least_m: float, *, lasts: bool) -> bool:
    """Whether no lasting place is found nearer; so where nothing lasts, and not where it is not computed."""
    found_m = row["found_within_m"]
    return not math.isnan(found_m) and (not lasts or found_m >= least_m * (1 - SLACK))


def named(row: Row) -> dict[str, Any]:
    """A setting under the names that files and data frames have."""
    return {
        "scheme": row.scheme,
        "scheme_title": SPREADS[row.scheme].title,
        "mechanism": row.mechanism,
        "epsilon": row.epsilon,
        "radius_m": row.radius_m,
        "mean_error_m": row["error_m"],
        "expected": row.exact,
        "radius95_m": row["radius95_m"],
        "found_within_m": row["found_within_m"],
        "pair_loss": row["pair_loss"],
        "largest_total_loss": row["largest_total_loss"],
        "landmark_loss": row["landmark_loss"],
        "theorem_sum": row["theorem_sum"],
        "theorem_kept": row.kept,
    }


NAMES = (
    *("scheme", "mechanism", "epsilon", "radius_m", "mean_error_m", "expected", "radius95_m"),
    *("found_within_m", "found_kept", "pair_loss", "largest_total_loss", "landmark_loss", "theorem_sum"),
    *("theorem_kept", "scheme_title"),
)
"""The columns of the table outside the page."""
