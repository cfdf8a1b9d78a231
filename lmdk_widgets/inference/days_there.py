"""Secrets over time for someone who does not know the hours: "was at this place on these days", "home is here, not there".

A secret is an event about where somebody was at several timestamps. Its odds before and after a release follow from products
of matrices: the forward recursion over the cells, in which each belief also says on how many of the days asked about the
place was visited so far (Cao, Xiao, Xiong, Bai, "PriSTE: from location privacy to spatiotemporal event privacy", ICDE 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.forward_backward import Carry


@dataclass(frozen=True, eq=False)
class DaysThere:
    """The event: on at least so many days somebody is in one of these states at a row asked about, and at none of these rows
    in a state of another place.

    Attributes
    ----------
    there, never : (m,) bool, the states of the place, and those of the other place, which may be none.
    asked : (k,) bool, the rows asked about. day : (k,) int, the day of each row, in order.
    least : on how many days, 1 or more.
    """

    there: NDArray[np.bool_]
    never: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    day: NDArray[np.int64]
    least: int = 1

    @property
    def days(self) -> int:
        """How many days are asked about."""
        return len(np.unique(self.day[self.asked]))


def log_chances(weights: Floats, moves: Sequence[Carry], event: DaysThere) -> tuple[Floats, Floats]:
    """``ln Pr(event and outputs)``, and the same of the paths without the event that avoid the states of `never`, for each of
    d releases, up to one constant for each release.

    Parameters
    ----------
    weights : (k, d, m) likelihoods of d releases, each row relative to its largest; ones give the chances without a release.
    moves : k - 1, which carry beliefs (d, m) from each row to the next. The start is uniform.
    event : what is asked.

    Returns
    -------
    (d,) and (d,); -inf where there is no such path.

    Raises
    ------
    InputError : a wrong number of moves; more days than are asked about.

    Notes
    -----
    Exact: a belief has one row for each number of days so far, up to `least`, with and without a visit on the present day.
    Each row has a scale of its own, as one can be smaller than another by more than numbers allow.

    Examples
    --------
    >>> stay = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> there, nowhere = np.array([True, False]), np.array([False, False])
    >>> event = DaysThere(there, nowhere, np.array([True, True]), np.array([0, 0]))
    >>> seen, unseen = log_chances(np.ones((2, 1, 2)), [lambda belief: belief @ stay], event)
    >>> (np.exp([seen[0], unseen[0]]) / 2).round(6).tolist()  # uniform over two states
    [0.55, 0.45]
    """
    if len(moves) != len(weights) - 1:
        raise refused("moves", f"{len(weights) - 1:,}, one between every two rows", len(moves))
    if not 1 <= event.least <= event.days:
        raise refused("least", f"from 1 to the {event.days:,} days asked about", event.least)
    count = _Count(weights.shape[1:], event)
    for i, weight in enumerate(weights):
        if i:
            count.carry(moves[i - 1])
            if event.day[i] != event.day[i - 1]:
                count.next_day()
        count.see(weight)
        if event.asked[i]:
            count.visit()
        count.rescale()
    return count.logs()


class _Count:
    """Beliefs (d, rows, m) over the states and over the days so far with a visit: row 2 c without, row 2 c - 1 with a visit
    today, after c days; the last row after `least` days, which is final."""

    def __init__(self, shape: tuple[int, int], event: DaysThere) -> None:
        d, m = shape
        self.event, self.rows = event, 2 * event.least
        self.belief, self.scale = np.zeros((d, self.rows, m)), np.full((d, self.rows), -np.inf)
        self.belief[:, 0], self.scale[:, 0] = 1.0, 0.0
        self.without = np.arange(0, self.rows, 2)
        self.with_visit = self.without + 1

    def carry(self, move: Carry) -> None:
        """One move, of all rows together."""
        self.belief = move(self.belief.reshape(-1, self.belief.shape[2])).reshape(self.belief.shape)

    def next_day(self) -> None:
        """Nobody was there today yet; what is final stays."""
        self._shift(self.with_visit[:-1], self.without[1:], np.ones(self.belief.shape[2], bool))

    def see(self, weight: Floats) -> None:
        """A release, (d, m)."""
        self.belief *= weight[:, None]

    def visit(self) -> None:
        """The first visit of a day counts, and the other place is excluded."""
        self.belief[:, :, self.event.never] = 0.0
        self._shift(self.without, self.with_visit, self.event.there)

    def _shift(self, source: NDArray[np.intp], target: NDArray[np.intp], states: NDArray[np.bool_]) -> None:
        """Moves what rows believe of some states to other rows."""
        part = self.belief[:, source] * states
        arrived = np.where(part.any(axis=2), self.scale[:, source], -np.inf)
        self.belief[:, source] *= ~states
        left = self.belief[:, source].any(axis=2)
        self.scale[:, source] = np.where(left, self.scale[:, source], -np.inf)  # an empty row bounds nothing
        scale = np.maximum(self.scale[:, target], arrived)
        base = np.where(np.isfinite(scale), scale, 0.0)
        kept = self.belief[:, target] * np.exp(self.scale[:, target] - base)[:, :, None]
        self.belief[:, target] = kept + part * np.exp(arrived - base)[:, :, None]
        self.scale[:, target] = scale

    def rescale(self) -> None:
        """Every row relative to its largest."""
        largest = self.belief.max(axis=2)
        some = largest > 0
        self.belief /= np.where(some, largest, 1.0)[:, :, None]
        self.scale = np.where(some, self.scale + np.log(np.where(some, largest, 1.0)), -np.inf)

    def logs(self) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore"):
            each = self.scale + np.log(self.belief.sum(axis=2))
        return each[:, -1], np.logaddexp.reduce(each[:, :-1], axis=1)


def most_forgotten(matrix: Floats) -> float:
    """The largest logarithm of the ratio of two entries of one column: whatever comes after a move says no more than this
    about where it began.

    Examples
    --------
    >>> round(most_forgotten(np.array([[0.8, 0.2], [0.4, 0.6]])), 6)  # ln(0.6 / 0.2)
    1.098612
    """
    with np.errstate(divide="ignore"):
        return float((np.log(matrix.max(axis=0)) - np.log(matrix.min(axis=0))).max())


def most_changed(
    told: Floats, forgotten: Sequence[float], asked: NDArray[np.bool_], *, within: float = np.inf
) -> float:
    """The most by which any release changes the log odds of two events about the rows asked about, one way or the other.

    From the first row asked about to the last, reports count at the largest distance of two cells. Before and after, each
    move passes on at most its `most_forgotten`.

    Parameters
    ----------
    told : (k,) the most that the reports of a row say about any two states: ``b d / r`` with the largest distance d.
    forgotten : k - 1, of each move. asked : (k,) bool. within : what all rows from the first asked about to the last are
        known to say together, where that is less than their sum.

    Notes
    -----
    Guarantee: this bounds every release if the reports of a row change the odds of two states by at most ``told``. Given the
    states from the first row asked about to the last, past and future are independent of both events. The past is
    ``sum_u P(x, u) g(u)`` with one g for all x, so two of these sums differ by at most the largest ratio in a column, and by
    at most the largest ratio of g; the future alike.

    Examples
    --------
    >>> most_changed(np.array([9.0, 1.0, 0.5, 0.25]), [2.0, 2.0, 2.0], np.array([False, True, False, False]))
    3.75
    """
    rows = np.flatnonzero(asked)
    first, last = int(rows[0]), int(rows[-1])
    before = after = 0.0
    for t in range(first):
        before = min(forgotten[t], before + float(told[t]))
    for t in range(len(told) - 1, last, -1):
        after = min(forgotten[t - 1], after + float(told[t]))
    return before + min(float(told[first : last + 1].sum()), within) + after
