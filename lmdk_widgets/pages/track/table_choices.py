"""The table of many settings: which it contains, the conditions on them, their order, and which meets every condition with
the least error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from lmdk_widgets.answers.exposure import computes_found
from lmdk_widgets.answers.found_places import RADIUS, nearest_m
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.cache import cached
from lmdk_widgets.page.fields import choice, flag, limit
from lmdk_widgets.scenario.model import EPSILON_RANGE, SCHEMES
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.many_settings import Asked, Settings
from lmdk_widgets.sweep.rows import SLACK, Row

COLUMNS: dict[str, str] = {
    "scheme": "scheme: in the order of the list of schemes.",
    "epsilon": "epsilon: the target of a plan.",
    "radius_m": "radius: the protection radius.",
    "error_m": "mean error: expected where there is a formula, else the mean of 20 releases.",
    "radius95_m": "95 % radius: contains 95 % of what is measured at a timestamp, averaged over timestamps.",
    "found_m": "found within: half of all releases reveal the nearest lasting place, or the main level, to within this.",
    "loss": "largest loss: the most that a timestamp reveals; with a chain a what-if about two cells one radius apart.",
    "landmark_loss": "landmarks together: the landmark paper's count of what they and one other timestamp lose.",
    "landmark_sum": "Theorem's sum: what the landmarks and one other timestamp spend.",
}
"""What the table shows for each setting, and can be sorted by."""

_condition = partial(limit, empty="none")
_LENGTHS, _LOSSES = (0.0, 20_000_000.0), (0.0, EPSILON_RANGE[1])


@dataclass(frozen=True)
class SettingsTableChoices(Asked):
    """The choices of the table: which settings it contains, the conditions on them, and their order.

    Attributes
    ----------
    most_error_m, most_radius95_m, most_loss, most_landmark_loss : conditions, None for none.
    least_found_m : no lasting place of a track may be found nearer, metres; by default the protection radius of the page.
    kept : the landmarks and any one other timestamp may spend at most epsilon together; on by default, as the settings
        with the smallest errors break it.
    sort, falling : a key of `COLUMNS`, and whether the largest comes first.
    """

    open: bool = flag(False, "A table to choose from")
    most_error_m: float | None = _condition(
        None, _LENGTHS, "Mean error up to", subject="The maximum mean error", unit="m"
    )
    most_radius95_m: float | None = _condition(
        None, _LENGTHS, "95 % radius up to", subject="The maximum 95 % radius", unit="m"
    )
    most_loss: float | None = _condition(None, _LOSSES, "Largest loss up to", subject="The maximum loss")
    most_landmark_loss: float | None = _condition(
        None, _LOSSES, "Landmarks lose up to", subject="The maximum loss of landmarks"
    )
    least_found_m: float | str | None = _condition(
        RADIUS,
        _LENGTHS,
        "Found no nearer than",
        preset=RADIUS,
        subject="The least distance of what is found",
        unit="m",
    )
    kept: bool = flag(True, "Keep the Theorem's sum within epsilon")
    sort: str = choice("error_m", COLUMNS, "Sorted by")
    falling: bool = flag(False, "Largest first")


def sorted_by(asked: SettingsTableChoices, column: Any) -> SettingsTableChoices:
    """The table sorted by a column; the same column again reverses the order.

    Examples
    --------
    >>> sorted_by(SettingsTableChoices(), "error_m").falling, sorted_by(SettingsTableChoices(), "loss").falling
    (True, False)
    """
    return asked.with_changes(sort=column, falling=column == asked.sort and not asked.falling)


CONDITIONS = {
    "most_error_m": ("error_m", "mean error", True),
    "most_radius95_m": ("radius95_m", "95 % radius", True),
    "most_loss": ("pair_loss", "largest loss", False),
    "most_landmark_loss": ("landmark_loss", "landmark loss", False),
}
"""For each condition on what must not be exceeded: its measure, what that is called, and whether it is a length, or in the
unit of a series."""

SORTED: dict[str, Callable[[Row], float]] = {
    "scheme": lambda row: list(SCHEMES).index(row.scheme),
    "epsilon": lambda row: row.epsilon,
    "radius_m": lambda row: row.radius_m,
    "error_m": lambda row: row["error_m"],
    "radius95_m": lambda row: row["radius95_m"],
    "found_m": lambda row: row["found_within_m"],
    "loss": lambda row: row["pair_loss"],
    "landmark_loss": lambda row: row["landmark_loss"],
    "landmark_sum": lambda row: row["theorem_sum"],
}
"""For each key of `COLUMNS`, what it sorts by."""


class Judged(NamedTuple):
    """A table under conditions.

    Attributes
    ----------
    order : indices of all rows, those that meet every condition first, each part in the chosen order.
    met : whether each row meets every condition; without conditions, each row with numbers does.
    best : index of the smallest error among those; where none does, of the row that comes nearest; None without rows. A
        row that takes something from the data that it protects is never the best.
    """

    order: tuple[int, ...]
    met: tuple[bool, ...]
    best: int | None


@cached("visitor", entries=4, what="the rows of the table of settings in their order, and which meet the conditions")
def judged(table: Settings, asked: SettingsTableChoices) -> Judged:
    """Sorts and judges; a row without a number comes last either way, and meets no condition on that number."""
    rows = table.rows
    values = [SORTED[asked.sort](row) for row in rows]
    known = [k for k, value in enumerate(values) if not math.isnan(value)]
    known.sort(key=lambda k: -values[k] if asked.falling else values[k])
    met = tuple(not missed(row, asked) and not math.isnan(row["error_m"]) for row in rows)
    order = [*known, *(k for k, value in enumerate(values) if math.isnan(value))]
    order.sort(key=lambda k: not met[k])
    served = [k for k, row in enumerate(rows) if not (math.isnan(row["error_m"]) or row.from_track)]
    good = [k for k in served if met[k]]
    best = min(good, key=lambda k: rows[k]["error_m"], default=None)
    return Judged(tuple(order), met, _nearest(rows, served, asked) if best is None else best)


def _nearest(rows: Sequence[Row], served: Sequence[int], asked: SettingsTableChoices) -> int | None:
    """The row that misses its conditions least; of those that miss them alike, but for rounding, the one with the least
    error."""
    factors = {k: excess(rows[k], asked) for k in served}
    least = min(factors.values(), default=math.inf)
    near = (k for k, factor in factors.items() if factor <= least * (1 + SLACK))
    return min(near, key=lambda k: rows[k]["error_m"], default=None)


def limited(asked: SettingsTableChoices) -> bool:
    """Whether there is a condition."""
    return asked.kept or limited_found(asked) or any(getattr(asked, name) is not None for name in CONDITIONS)


def limited_found(asked: SettingsTableChoices) -> bool:
    """Whether there is a condition on what is found; the preset is one once it is `applied`."""
    return isinstance(asked.least_found_m, float)


def limit_found(asked: SettingsTableChoices) -> float:
    """The least distance of what is found, metres."""
    assert isinstance(asked.least_found_m, float)
    return asked.least_found_m


def missed(row: Row, asked: SettingsTableChoices) -> list[str]:
    """The conditions that a row does not meet."""
    limits = {name: getattr(asked, name) for name in CONDITIONS}
    found = [
        name
        for name, limit in limits.items()
        if limit is not None and not row[CONDITIONS[name][0]] <= limit * (1 + SLACK)  # NaN meets none
    ]
    if limited_found(asked) and not row["found_within_m"] >= limit_found(asked) * (1 - SLACK):
        found.append("least_found_m")
    return [*found, "kept"] if asked.kept and not row.kept else found


def excess(row: Row, asked: SettingsTableChoices) -> float:
    """The factor by which a row exceeds the condition that it misses most; infinite where a number is not known."""
    factors = [row["theorem_sum"] / row.epsilon] if asked.kept else []
    for name, (measure, *_) in CONDITIONS.items():
        limit = getattr(asked, name)
        if limit is not None:
            factors.append(row[measure] / limit if limit > 0 else math.inf)
    if limited_found(asked):
        factors.append(limit_found(asked) / row["found_within_m"])
    return max((math.inf if math.isnan(factor) else factor for factor in factors), default=0.0)


def applied(asked: SettingsTableChoices, outcome: Outcome) -> SettingsTableChoices:
    """The conditions as they apply to these data: the preset as a number, and nothing about lasting places where none
    lasts, or where what is found is not computed."""
    nearest = nearest_m(asked.least_found_m, outcome.scenario) if outcome.kind.placed else None
    by_default = asked.least_found_m == RADIUS and not computes_found(outcome)
    if by_default or not lasting_places_of(outcome.trajectory):
        nearest = None
    return asked.with_changes(least_found_m=nearest)
