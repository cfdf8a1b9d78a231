"""Defences compared: how far every scheme and mechanism keeps an adversary from the truth, and what that costs its
owner.

One adversary follows every release, with the same start and the same moves. The code that computes her is loaded only then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import library
from lmdk_widgets.scenario.knowledge import Knowledge, check_followed
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.scenario.sweep import Row
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from pandas import DataFrame

FEWEST_DRAWS, MOST_DRAWS, MOST_NUMBERS = 3, 10, 600_000
"""Releases of a defence, between the first two numbers: as many as keep timestamps times cells times draws below the
last."""

OWN_ERROR, ATTACKER_ERROR, ATTACKER_CHANCE = "mean_error_m", "attacker_error_m", "attacker_chance"
"""Measures of a defence: metres between release and truth, NaN where nothing is released; the expected distance of her belief
from the true cell, metres; its chance of the true cell."""

FOUND = "found_within_m"
"""Metres within which averaging finds the main place in half of all releases; NaN for cells."""

SAME = 1e-9
"""Errors that differ by a smaller share differ by rounding."""

NOTICED = 0.01
"""Share of the owner's present error by which another defence must cost less to be named: draws differ by more."""


@dataclass(frozen=True, eq=False)
class Defended:
    """The defences computed so far.

    Attributes
    ----------
    rows : the present setting first: `OWN_ERROR`, `ATTACKER_ERROR` and `ATTACKER_CHANCE`, means over timestamps and draws.
    done : whether all are there. tried, of : how many were tried, of how many.
    draws : releases of each. cells, cell_m : how many she distinguishes under planar Laplace, and their side, metres.
    """

    rows: tuple[Row, ...]
    done: bool
    tried: int
    of: int
    draws: int
    cells: int
    cell_m: float


def efficient(rows: Sequence[Row]) -> tuple[bool, ...]:
    """For each defence, whether no other one is at least as good both for its owner and against her, and better in one
    respect.

    One that is made from the track is never efficient, and beats none: what its releases reveal about the track, beyond
    her error on this one, is not counted.

    Examples
    --------
    >>> errors = [(100, 50), (200, 40), (300, 60)]
    >>> numbers = [{OWN_ERROR: own, ATTACKER_ERROR: attacker} for own, attacker in errors]
    >>> rows = [Row("event", "planar", 1.0, 200.0, each) for each in numbers]
    >>> efficient(rows)
    (True, False, True)
    """
    fair = [one for one in rows if not one.from_track]
    return tuple(
        not (one.from_track or isnan(one[OWN_ERROR])) and not any(_beats(other, one) for other in fair) for one in rows
    )


def _beats(other: Row, one: Row) -> bool:
    own, hers = one[OWN_ERROR], one[ATTACKER_ERROR]
    as_good = other[OWN_ERROR] <= own * (1 + SAME) and other[ATTACKER_ERROR] >= hers * (1 - SAME)
    return as_good and (other[OWN_ERROR] < own * (1 - SAME) or other[ATTACKER_ERROR] > hers * (1 + SAME))


def cheapest(rows: Sequence[Row], now: Row) -> Row:
    """The defence with the smallest owner's error among those that keep her at least as far off as this one and take
    nothing from the track; this one where none has noticeably less.

    Examples
    --------
    >>> errors = [(100, 50), (200, 60), (300, 60)]
    >>> numbers = [{OWN_ERROR: own, ATTACKER_ERROR: attacker} for own, attacker in errors]
    >>> rows = [Row("event", "planar", 1.0, 200.0, each) for each in numbers]
    >>> cheapest(rows, rows[2]) is rows[1]
    True
    """
    fair = [one for one in rows if not (one.from_track or isnan(one[OWN_ERROR]))]
    far = [one for one in fair if one[ATTACKER_ERROR] >= now[ATTACKER_ERROR] * (1 - SAME)]
    best = min(far, key=lambda one: one[OWN_ERROR], default=now)
    return best if isnan(now[OWN_ERROR]) or best[OWN_ERROR] < now[OWN_ERROR] * (1 - NOTICED) else now


def growing(
    scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory, draws: int | None = None
) -> Iterator[Defended]:
    """The defences one by one, the present one first; impossible ones are left out."""
    from lmdk_widgets.scenario.defending import Follower, offered
    from lmdk_widgets.scenario.prior_moves import attacker_grid

    her, grid = Follower(scenario, knowledge, trajectory), attacker_grid(knowledge, trajectory)
    pairs, rows = offered(scenario), list[Row]()
    draws = draws or min(MOST_DRAWS, max(FEWEST_DRAWS, MOST_NUMBERS // (len(trajectory) * len(grid))))
    for tried, pair in enumerate(pairs, start=1):
        found = her.faces(*pair, draws)
        rows += [] if found.refused else [found]
        done = tried == len(pairs)
        yield Defended(tuple(rows), done, tried, len(pairs), draws, len(grid), grid.cell_m)


def defences(
    scenario: Scenario, trajectory: Trajectory, *, knowledge: Knowledge | None = None, draws: int | None = None
) -> DataFrame:
    """Every scheme and mechanism on one track, by what an adversary who follows it infers: which costs least for what
    she cannot know.

    Parameters
    ----------
    scenario : all other choices: epsilon, target, landmarks, radius, and what she knows of the chain (`correlation`,
        `adversary`); its seed is that of the first draw.
    trajectory : the track, of at most 20,000 timestamps.
    knowledge : what else is known beforehand: the cells, the start, and the beliefs about moves.
    draws : releases of each defence, 1 or more; by default 3 to 10, fewer the longer the track.

    Returns
    -------
    DataFrame
        `scheme`; `mechanism`; `place_m`, the side of the cells that are reported, NaN for planar Laplace; means over
        timestamps and draws: `own_error_m` between release and truth (NaN: nothing is released), `attacker_error_m`, the
        expected distance of the attacker's belief from the true cell, `attacker_chance` that it gives the true cell;
        `found_within_m`, within which averaging finds the main place in half of all releases (NaN: cells);
        `efficient` (bool): no other defence is better for the owner and worse for her; `from_track` (bool): its cells, its
        grid or its plan come from the track that it protects, so it is compared but never efficient. No row for an
        impossible defence: a scheme that decides as it releases with cells, more than 49 cells or 8 budgets of a
        channel, more than 400 of randomised response, a target without a plan. The present setting comes first.

    Raises
    ------
    InputError : a scenario that does not fit the track, a track that is too long, draws that are not a whole number
        above 0.

    Notes
    -----
    The adversary uses the same start and moves in every row, and knows the mechanism and the budgets. Under planar
    Laplace she distinguishes the cells of a grid, at most `knowledge.cells`; under the other mechanisms those that can
    be reported, of the smallest round side that a channel over the region allows unless the scenario chooses another
    `place_m`. The numbers are computed with the true track: they are only for its owner. Error against error: Shokri et
    al., "Quantifying location privacy", S&P 2011.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> table = defences(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"), draws=2)
    >>> table.columns[3:].tolist()
    ['own_error_m', 'attacker_error_m', 'attacker_chance', 'found_within_m', 'efficient', 'from_track']
    >>> table.scheme[0], table.mechanism[0], bool(table.efficient.any())
    ('uniform', 'planar', True)
    """
    pandas = library("pandas", "A data frame")

    knowledge = knowledge or Knowledge()
    check_followed(scenario, knowledge, trajectory)
    *_, last = growing(scenario, knowledge, trajectory, None if draws is None else whole(draws, "draws"))
    return pandas.DataFrame(named(last.rows), columns=list(named([])))


def named(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """The columns of files and data frames."""
    return {
        "scheme": [one.scheme for one in rows],
        "mechanism": [one.mechanism for one in rows],
        "place_m": [one.place_m for one in rows],
        "own_error_m": [one[OWN_ERROR] for one in rows],
        "attacker_error_m": [one[ATTACKER_ERROR] for one in rows],
        "attacker_chance": [one[ATTACKER_CHANCE] for one in rows],
        "found_within_m": [one[FOUND] for one in rows],
        "efficient": list(efficient(rows)),
        "from_track": [one.from_track for one in rows],
    }


def place_of(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> float:
    """The side of the cells that are reported, metres: the chosen one; under planar Laplace the smallest that a channel
    over the region allows, and for cells of the track that of her cells.

    Raises
    ------
    InputError : a series, which has no places.
    """
    from lmdk_widgets.scenario.prior_moves import attacker_grid
    from lmdk_widgets.scenario.reported import place_size_m

    if scenario.mechanism != "planar":
        return scenario.place_m
    if scenario.cells == "track":
        return attacker_grid(knowledge, trajectory).cell_m
    return place_size_m(region_of(scenario, trajectory)) or scenario.place_m


def same(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> Any:
    """What the defences depend on, which is not which of them is chosen. None for a series, for which none are
    compared."""
    if isinstance(trajectory, Series):
        return None
    given = scenario.spread.by_hand
    plain = {"scheme": scenario.scheme if given else "event", "mechanism": "planar", "place_m": Scenario.place_m}
    return scenario.with_changes(**plain), knowledge, place_of(scenario, knowledge, trajectory)
