"""Defences compared: how useful every scheme and mechanism is to a reader, and what an attacker finds all the same.

One attacker follows every release, with the same start and the same moves. The code that computes this is loaded only then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isnan
from typing import TYPE_CHECKING, Any

from lmdk_widgets.answers.found_places import LEAST_M, half_region_m
from lmdk_widgets.checks import whole
from lmdk_widgets.errors import library
from lmdk_widgets.page.answers import NOTHING, guesses
from lmdk_widgets.page.progress import Progress, telling
from lmdk_widgets.scenario.knowledge import Knowledge, check_followed
from lmdk_widgets.scenario.model import SPREADS, Scenario
from lmdk_widgets.sweep.defence_measures import (
    AT_LANDMARKS,
    ATTACKER_CHANCE,
    ATTACKER_ERROR,
    BY_READER,
    NEAREST,
    OWN_ERROR,
    PROMISES,
    READER_ERROR,
    REGULAR_ERROR,
    place_of,
)
from lmdk_widgets.sweep.rows import Row
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from pandas import DataFrame

FEWEST_DRAWS, MOST_DRAWS, MOST_NUMBERS = 3, 10, 600_000
"""Releases of a defence, between the first two numbers: as many as keep timestamps times cells times draws below the
last."""

SAME = 1e-9
"""Numbers that differ by a smaller share differ by rounding."""

NOTICED = 0.01
"""Share by which a defence must be better than the present one to be named: draws differ by more."""


@dataclass(frozen=True, eq=False)
class Defended:
    """The defences computed so far.

    Attributes
    ----------
    rows : the present setting first, each the medians of some draws. done : whether all are there. tried, of : how many
        were tried, of how many.
    draws : releases of each. cells, cell_m : how many the attacker distinguishes under planar Laplace, and their side,
        metres.
    """

    rows: tuple[Row, ...]
    done: bool
    tried: int
    of: int
    draws: int
    cells: int
    cell_m: float


@dataclass(frozen=True)
class Against:
    """What a defence has to keep away from the attacker: `measure` is `NEAREST` where the track has lasting places,
    `AT_LANDMARKS` where it has landmarks, otherwise `ATTACKER_ERROR`. No place is found to less than `LEAST_M`, and
    beyond `most_m` none is found."""

    measure: str
    most_m: float = inf

    def of(self, row: Row) -> float:
        """How far the attacker is kept away, metres."""
        away = row[self.measure]
        return min(max(away, LEAST_M), self.most_m) if self.measure == NEAREST else away


def against(scenario: Scenario, trajectory: Trajectory) -> Against:
    """What the defences of a track are compared by."""
    from lmdk_widgets.answers.nearest_place import lasting

    if lasting(trajectory):
        return Against(NEAREST, half_region_m(scenario, trajectory))
    return Against(AT_LANDMARKS if scenario.landmarks else ATTACKER_ERROR)


def efficient(rows: Sequence[Row], keeps: Against) -> tuple[bool, ...]:
    """For each defence, whether no other one is at least as good both for a reader and against the attacker, and better in
    one respect.

    One that is made from the track is never efficient, and beats none: what its releases reveal about the track, beyond
    the error on this one, is not counted.

    Examples
    --------
    >>> numbers = [{REGULAR_ERROR: reader, ATTACKER_ERROR: off} for reader, off in [(100, 50), (200, 40), (300, 60)]]
    >>> rows = [Row("event", "planar", 1.0, 200.0, each) for each in numbers]
    >>> efficient(rows, Against(ATTACKER_ERROR))
    (True, False, True)
    """
    fair = [one for one in rows if _fair(one)]
    return tuple(_fair(one) and not any(_beats(other, one, keeps) for other in fair) for one in rows)


def _fair(one: Row) -> bool:
    return not (one.from_track or isnan(one[REGULAR_ERROR]))


def _beats(other: Row, one: Row, keeps: Against) -> bool:
    nearer = other[REGULAR_ERROR] < one[REGULAR_ERROR] * (1 - SAME)
    farther = keeps.of(other) > keeps.of(one) * (1 + SAME)
    return no_worse(other, one, keeps) and (nearer or farther)


def no_worse(other: Row, one: Row, keeps: Against) -> bool:
    """Whether a defence is as useful as another one, and nothing is found nearer."""
    as_useful = other[REGULAR_ERROR] <= one[REGULAR_ERROR] * (1 + SAME)
    return as_useful and keeps.of(other) >= keeps.of(one) * (1 - SAME)


def keeps_promises(one: Row, now: Row) -> bool:
    """Whether a defence promises at least what the present one promises: every loss that it bounds at all."""
    asked = [name for name in PROMISES if guesses(now[name]) < NOTHING]  # not where it is NaN
    return all(one[name] <= now[name] * (1 + SAME) for name in asked)


def recommended(rows: Sequence[Row], now: Row, keeps: Against) -> Row | None:
    """The defence that gets a star: it takes nothing from the track, keeps every promise of the present one, is as useful,
    lets nothing be found nearer, and is noticeably better in one of these two; of several the most useful.

    Examples
    --------
    >>> promised = dict.fromkeys(PROMISES, 1.0)
    >>> errors = [(100, 50), (200, 60), (300, 60)]
    >>> numbers = [promised | {REGULAR_ERROR: reader, ATTACKER_ERROR: off} for reader, off in errors]
    >>> rows = [Row("event", "planar", 1.0, 200.0, each) for each in numbers]
    >>> keeps = Against(ATTACKER_ERROR)
    >>> recommended(rows, rows[2], keeps) is rows[1], recommended(rows, rows[0], keeps)
    (True, None)
    """
    some = [one for one in rows if _fair(one) and keeps_promises(one, now) and no_worse(one, now, keeps)]
    reader, away = now[REGULAR_ERROR] * (1 - NOTICED), keeps.of(now) * (1 + NOTICED)
    better = [one for one in some if one[REGULAR_ERROR] < reader or keeps.of(one) > away]
    return min(better, key=lambda one: (one[REGULAR_ERROR], -keeps.of(one)), default=None)


def growing(
    scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory, draws: int | None = None
) -> Iterator[Defended]:
    """The defences one by one, the present one first; impossible ones are left out."""
    from lmdk_widgets.answers.prior_moves import attacker_grid
    from lmdk_widgets.sweep.defence_attacker import Follower, offered

    attacker, grid = Follower(scenario, knowledge, trajectory), attacker_grid(knowledge, trajectory)
    pairs, rows = offered(scenario), list[Row]()
    draws = draws or min(MOST_DRAWS, max(FEWEST_DRAWS, MOST_NUMBERS // (len(trajectory) * len(grid))))
    for tried, pair in enumerate(pairs, start=1):
        found = attacker.faces(*pair, draws)
        rows += [] if found.refused else [found]
        done = tried == len(pairs)
        yield Defended(tuple(rows), done, tried, len(pairs), draws, len(grid), grid.cell_m)


def defences(
    scenario: Scenario,
    trajectory: Trajectory,
    *,
    knowledge: Knowledge | None = None,
    draws: int | None = None,
    progress: Progress = None,
) -> DataFrame:
    """Every scheme and mechanism on one track: how useful it is to a careful reader, and what an attacker finds.

    Parameters
    ----------
    scenario : all other choices: epsilon, target, landmarks, radius, and what is known of the chain (`correlation`,
        `adversary`); its seed is that of the first draw.
    trajectory : the track, of at most 20,000 timestamps.
    knowledge : what else is known beforehand: the cells, the start, and the beliefs about moves.
    draws : releases of each defence, 1 or more; by default 3 to 10, fewer the longer the track.
    progress : called with how many defences are done, and of how many; True: a bar of tqdm; None: silent.

    Returns
    -------
    DataFrame
        `scheme`; `mechanism`; `place_m`, the side of the cells that are reported, NaN for planar Laplace; means over
        timestamps, medians over draws, in metres: `own_error_m` between release and truth (NaN: nothing is released),
        `reader_error_m` of a careful reader, `reader_regular_m` of this reader at regular timestamps,
        `attacker_error_m` from the attacker's best guess to the true place, by the reader's model where
        `attacker_by_reader` is 1 and otherwise by the chosen chain, `attacker_landmarks_m` at the landmarks;
        `attacker_chance` that this chain gives the true cell; `nearest_found_m`, within which someone who knows when you
        are there finds the nearest lasting place (NaN: none); `efficient` (bool): no other defence is better for a reader
        at regular timestamps and against the attacker; `from_track` (bool): its cells, its grid or its plan come from the
        track that it protects, so it is compared but never efficient. No row for an impossible defence: a scheme that
        decides as it releases with cells, more than 49 cells or 8 budgets of a channel, more than 400 of randomised
        response, a target without a plan. The present setting comes first.

    Raises
    ------
    InputError : a scenario that does not fit the track, a track that is too long, draws that are not a whole number
        above 0, a `progress` that cannot be called.

    Notes
    -----
    Against the attacker counts what is found of the nearest lasting place; without lasting places the error at the
    landmarks, and without landmarks the error. The attacker uses the same start and moves in every row, and knows the
    mechanism and the budgets. Under planar Laplace these are the cells of a grid, at most `knowledge.cells`; under the
    other mechanisms those that can be reported, of the smallest round side that a channel over the region allows unless
    the scenario chooses another `place_m`. The numbers are computed with the true track: they are only for its owner.
    Error against error: Shokri et al., "Quantifying location privacy", S&P 2011.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> table = defences(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"), draws=2)
    >>> table.columns[3:7].tolist()
    ['own_error_m', 'reader_error_m', 'reader_regular_m', 'attacker_error_m']
    >>> table.scheme[0], table.mechanism[0], bool(table.efficient.any())
    ('uniform', 'planar', True)
    """
    pandas = library("pandas", "A data frame")

    knowledge = knowledge or Knowledge()
    check_followed(scenario, knowledge, trajectory)
    from lmdk_widgets.sweep.defence_attacker import offered

    with telling(progress, len(offered(scenario)), "defence") as tell:
        for last in growing(scenario, knowledge, trajectory, None if draws is None else whole(draws, "draws")):
            tell(last.tried)
    keeps = against(scenario, trajectory)
    return pandas.DataFrame(named(last.rows, keeps), columns=list(named([], keeps)))


_NAMED = READER_ERROR, REGULAR_ERROR, ATTACKER_ERROR, BY_READER, AT_LANDMARKS, ATTACKER_CHANCE, NEAREST


def named(rows: Sequence[Row], keeps: Against) -> dict[str, list[Any]]:
    """The columns of files and data frames."""
    return {
        "scheme": [one.scheme for one in rows],
        "mechanism": [one.mechanism for one in rows],
        "place_m": [one.place_m for one in rows],
        "own_error_m": [one[OWN_ERROR] for one in rows],
        **{name: [one[name] for one in rows] for name in _NAMED},
        "efficient": list(efficient(rows, keeps)),
        "from_track": [one.from_track for one in rows],
        "scheme_title": [SPREADS[one.scheme].title for one in rows],
    }


def same(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> Any:
    """What the defences depend on, which is not which of them is chosen. None for a series, for which none are
    compared."""
    if isinstance(trajectory, Series):
        return None
    given = scenario.spread.by_hand
    plain: dict[str, Any] = {
        "scheme": scenario.scheme if given else "event",
        "mechanism": "planar",
        "place_m": Scenario.place_m,
    }
    return scenario.with_changes(**plain), knowledge, place_of(scenario, knowledge, trajectory)
