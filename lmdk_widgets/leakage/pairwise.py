"""Temporal privacy loss for each ordered pair of states: for places, the loss grows with their distance.

    B_1 = D_1, B_t = D_t + Lam[P^B; B_{t-1}]      F_n = D_n, F_t = D_t + Lam[P^F; F_{t+1}]      TPL_t = B_t + F_t - D_t

where D_t(x, x') bounds the log-ratio of the release at t and Lam is what one move carries over (`pair_step`). The moves
between two reports are one move: at j moves after the last report, at s, B_t = D_t + Lam[(P^B)^j; B_s], and D_t = 0 if
nothing is released at t.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import indices, numbers, positive, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.leakage.markov import is_sequence_of_matrices
from lmdk_widgets.leakage.pair_moves import Moves, Step
from lmdk_widgets.leakage.pair_step import StayStep, bounds, closed, pair_step

STILL = 1e-12
"""A bound that changes by less has reached its limit: relative to itself if above 1, otherwise to the largest bound or 1."""
STEPS = 20_000
"""After this many timestamps, a bound that still grows is set to infinity, which is always a bound."""
EVEN, EVEN_STEPS = 1e-9, 20
"""Growth that has been constant, to this relative tolerance, for this many timestamps is assumed to continue."""
DIGITS = 40.0
"""Slightly more than the size of the logarithm of the smallest difference between two probabilities."""


@dataclass(frozen=True, eq=False)
class PairwiseLoss:
    """The temporal privacy losses of each ordered pair of states: the first index is the true state.

    Attributes
    ----------
    at : (k,) the timestamps, from 0. backward, forward, total : (k, m, m) there; total = backward + forward - D_t.
    """

    at: np.ndarray
    backward: Floats
    forward: Floats
    total: Floats
    _all: _Series = field(repr=False)

    def forever(self) -> Floats:
        """(m, m) the smallest bound on the total loss at any timestamp of a series of any length with these budgets.

        Infinite for a pair whose loss grows forever, or has not settled after 20,000 timestamps.

        Raises
        ------
        InputError : budgets, distances or matrices that change over time.
        """
        series = self._all
        if series.unit.ndim == 3 or isinstance(series.before, list) or isinstance(series.after, list):
            raise InputError("A bound for any length needs distances and matrices that stay the same over time")
        if (series.budgets != series.budgets[0]).any():
            raise InputError("A bound for any length needs the same budget at every timestamp")
        bound = series.bound_at(0)
        *_, (_, before) = limit(bound, series.before)
        *_, (_, after) = limit(bound, series.after)
        return before + after - bound

    def of_ways(self, one: ArrayLike, other: ArrayLike) -> float:
        """The most by which all releases together distinguish two paths through the timestamps in `at`.

            B_i(x_i, x'_i) + D_{i+1} + ... + D_{j-1} + F_j(x_j, x'_j)    from timestamp i to j, TPL_i where i = j

        Two paths through all timestamps lose the sum of D_t along them, whatever the chain. For budgets at a radius r,
        this is sum eps_t d_t / r.

        Parameters
        ----------
        one, other : (k,) a state for each of the timestamps, which must be consecutive.

        Raises
        ------
        InputError : paths of another length, states that do not exist, or timestamps that are not consecutive.

        Examples
        --------
        >>> p = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
        >>> loss = pairwise_loss(p, p, [0.5] * 3, [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
        >>> round(loss.of_ways([0, 0, 0], [2, 1, 0]), 12)  # 0.5 (2 + 1 + 0)
        1.5
        """
        if (np.diff(self.at) != 1).any():
            raise refused("at", "consecutive timestamps", self.at.tolist())
        ways = [_way(each, name, len(self.at), self.total.shape[1]) for each, name in ((one, "one"), (other, "other"))]
        pairs = list(zip(*(way.tolist() for way in ways), strict=True))
        if len(pairs) == 1:
            return float(self.total[0][pairs[0]])
        between = zip(self.at[1:-1].tolist(), pairs[1:-1], strict=True)
        middle = sum(float(self._all.bound_at(t)[pair]) for t, pair in between)
        return float(self.backward[0][pairs[0]] + middle + self.forward[-1][pairs[-1]])


def _way(states: ArrayLike, name: str, k: int, m: int) -> np.ndarray:
    """A state for each of k timestamps."""
    way = np.asarray(states)
    if way.shape != (k,) or way.dtype.kind not in "iu" or (k and (way.min() < 0 or way.max() >= m)):
        raise refused(name, f"{k:,} states, from 0 to {m - 1}", states)
    return way


@dataclass(frozen=True, eq=False)
class _Series:
    """What the recursion runs over: budgets (n,), D at a budget of 1 (m, m) or (n, m, m), a step or one per move."""

    budgets: Floats
    unit: Floats
    before: Step | list[Step]
    after: Step | list[Step]

    def bound_at(self, t: int) -> Floats:
        """D_t."""
        return self.budgets[t] * (self.unit[t] if self.unit.ndim == 3 else self.unit)

    def backward(self) -> Iterator[tuple[int, Floats]]:
        """Each timestamp with B_t."""
        return self._run(range(len(self.budgets)), self.before)

    def forward(self) -> Iterator[tuple[int, Floats]]:
        """Each timestamp with F_t, the last first."""
        order = range(len(self.budgets) - 1, -1, -1)
        return self._run(order, self.after[::-1] if isinstance(self.after, list) else self.after)

    def _run(self, order: Iterable[int], carried: Step | list[Step]) -> Iterator[tuple[int, Floats]]:
        moves, fixed = Moves(carried), self.unit.ndim == 2 and not isinstance(carried, list)
        now, reported, still, spent = self.bound_at(0), None, False, None
        for k, t in enumerate(order):
            if not (still and fixed and self.budgets[t] == spent):
                before, bound = now, self.bound_at(t)
                now = bound if reported is None else moves.onward(k, reported, bound)
                is_report = bool(bound.any())
                still = k > 0 and is_report and self.budgets[t] == spent and is_still(now, before)
                if is_report or (reported is not None and not moves.join):
                    reported = now
                    moves.restart()
            spent = self.budgets[t]
            yield t, now


def is_still(now: Floats, before: Floats) -> bool:
    """Whether a bound has reached its limit."""
    return bool((np.abs(now - before) <= _hardly(now)).all())


def _hardly(now: Floats) -> Floats:
    """(m, m) the largest change of a bound that counts as no change; an infinite bound does not change."""
    return np.asarray(STILL * np.maximum(min(1.0, float(now.max())), now))


def pairwise_loss(
    p_backward: Any,
    p_forward: Any,
    budgets: ArrayLike,
    distances: ArrayLike | None = None,
    radius: float = 1.0,
    *,
    at: Iterable[int] | None = None,
) -> PairwiseLoss:
    """Backward, forward and total loss of every ordered pair of states: TPL_t(x, x') = B_t + F_t - D_t.

    D_t = budgets[t] distances / radius bounds the log-ratio of the release at t. For planar Laplace, distances in metres give
    eps_t d(x, x') / r; for Laplace on a series, use |x - x'| with radius hi - lo; for randomised response, 1 between any two
    states; for a channel K, distances[x, x'] = max_y ln (K[x, y] / K[x', y]) with budgets of 1.

    Parameters
    ----------
    p_backward, p_forward : (m, m) knowledge of the past and of the future, as in `temporal_loss`; None for nothing,
        one matrix or its `LossFunction`, or the n - 1 of a chain that changes over time. The ordinary matrix as
        `AnyStart` for `p_backward` bounds the loss over all starts.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more; at 0 nothing is released, and the moves on both sides of
        the timestamp count as one.
    distances : (m, m), or (n, m, m) if they change over time, in any unit; 0 or more, 0 on the diagonal, not
        necessarily symmetric. None: 1 between any two states, the setting of Cao et al.
    radius : the distance to which a timestamp's budget refers, in the unit of `distances`, above 0.
    at : the timestamps to return, from 0, in ascending order; None for all, which takes (n, m, m) numbers three times.

    Returns
    -------
    PairwiseLoss. Pairs are ordered: entry [x, x'] says by how much the odds of x to x' may grow. The two directions differ;
    the larger one is `numpy.maximum(total, total.swapaxes(1, 2))`.

    Raises
    ------
    InputError : names the matrix, timestamp or distance that is wrong; or nothing says how many states there are.

    Notes
    -----
    Guarantee: no mechanism whose releases satisfy D_t, independently given the states, reveals more about the state at one
    timestamp to someone who knows the chain. Attained for two timestamps, for two states, and for chains P = a I + b J with
    a >= 0 (staying is at least as likely as any one move); nearly attained for other chains only where moves are almost
    equally likely. With equal distances its largest entry coincides with the loss of Cao et al. (ICDE 2017) after one move
    and is never larger. Theorem, proofs and related work: `docs/pairs.md`.

    Examples
    --------
    >>> p = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    >>> metres = [[0, 200, 400], [200, 0, 200], [400, 200, 0]]
    >>> loss = pairwise_loss(p, p, [0.5] * 4, metres, 200)
    >>> loss.total[1].round(4).tolist()
    [[0.0, 1.5041, 2.7629], [1.4615, 0.0, 1.4615], [2.7629, 1.5041, 0.0]]
    >>> loss.forever().round(4)[0].tolist()
    [0.0, 2.8023, 3.9961]
    """
    series = _series(p_backward, p_forward, budgets, distances, radius)
    n = len(series.budgets)
    wanted = np.arange(n) if at is None else indices(at, "at", n)
    backward, forward = (_kept(run, wanted) for run in (series.backward(), series.forward()))
    spent = np.array([series.bound_at(t) for t in wanted]).reshape(backward.shape)
    return PairwiseLoss(wanted, backward, forward, backward + forward - spent, series)


def losses_of_pairs(
    p_backward: Any, p_forward: Any, budgets: ArrayLike, distances: ArrayLike, radius: float, pairs: np.ndarray
) -> tuple[Floats, Floats, Floats]:
    """Backward, forward and total loss, (n,) each, of one pair of states at each timestamp, pairs (n, 2): `pairwise_loss`
    without storing all the others."""
    series = _series(p_backward, p_forward, budgets, distances, radius)
    back, ahead, spent = np.zeros((3, len(series.budgets)))
    for found, run in ((back, series.backward()), (ahead, series.forward())):
        for t, bound in run:
            found[t] = bound[tuple(pairs[t])]
    for t, pair in enumerate(pairs):
        spent[t] = series.bound_at(t)[tuple(pair)]
    return back, ahead, back + ahead - spent


def _kept(run: Iterator[tuple[int, Floats]], wanted: np.ndarray) -> Floats:
    place, kept = {int(t): k for k, t in enumerate(wanted)}, None
    for t, bound in run:
        if kept is None:
            kept = np.zeros((len(wanted), *bound.shape))
        if t in place:
            kept[place[t]] = bound
    assert kept is not None  # there is at least one timestamp
    return kept


def _series(p_backward: Any, p_forward: Any, budgets: ArrayLike, distances: Any, radius: float) -> _Series:
    eps = checked_budgets(budgets)
    before, after = _steps(p_backward, "p_backward", len(eps)), _steps(p_forward, "p_forward", len(eps))
    listed = [step for side in (before, after) for step in (side if isinstance(side, list) else [side])]
    sizes = {step.n_states for step in listed if step is not None}
    sizes |= {np.shape(distances)[-1]} if distances is not None and np.ndim(distances) else set()
    if len(sizes) != 1:
        what = "Both matrices and the distances must have the same number of states"
        what = what if sizes else "A matrix or the distances must be given"
        raise InputError(what, value=sorted(sizes) if sizes else None)
    return _Series(eps, _unit(distances, radius, sizes.pop(), len(eps)), before, after)


def _unit(distances: Any, radius: float, m: int, n: int) -> Floats:
    """D at a budget of 1, closed."""
    r = positive(radius, "radius")
    if distances is None:
        return (1.0 - np.eye(m)) / r
    if np.ndim(distances) < 3:
        return closed(bounds(distances, "distances", m) / r)
    array = numbers(distances, "distances")
    if len(array) != n:
        raise refused("distances", f"one (m, m) array or one for each of {n:,} timestamps", f"shape {array.shape}")
    return np.array([closed(bounds(each, f"distances[{t}]", m) / r) for t, each in enumerate(array)])


def _steps(given: Any, name: str, n: int) -> Step | list[Step]:
    if not is_sequence_of_matrices(given):
        return _step(given, name, {})
    if len(given) != n - 1:
        what = f"a single matrix or one for each move, {n - 1:,} for {n:,} timestamps"
        raise refused(name, what, f"{len(given):,} matrices")
    known: dict[int, Step] = {}
    return [_step(each, f"{name}[{k}]", known) for k, each in enumerate(given)]


def _step(given: Any, name: str, known: dict[int, Step]) -> Step:
    if given is None:
        return None
    if id(given) not in known:
        known[id(given)] = pair_step(given.matrix if isinstance(given, LossFunction) else given, name)
    return known[id(given)]


def limit(bound: Floats, step: Step) -> Iterator[tuple[float, Floats]]:
    """From D, B_t = D + Lam[B_{t-1}] until nothing changes: the progress, 0 to 1, and the bounds so far.

    The last bounds are the limit, infinite for a pair that grows forever; earlier ones are not.
    """
    if step is None:
        yield 1.0, bound
        return
    reach = float(bound.max()) - float(step.logs[np.isfinite(step.logs)].min()) + DIGITS
    now, growth, rising, first = bound, np.zeros_like(bound), bound > inf, 0.0
    even = same = 0
    for _ in range(STEPS):
        before, now = now, bound + step(now)
        if isinstance(step, StayStep) and step.forgets:  # nothing grows forever: it moves on until nothing changes
            largest = float((now - before).max())
            first = first or largest
            if largest > STILL * max(1.0, float(now.max())):
                yield _progress(largest, first), now
                continue
        (last, growth), (known, rising) = (growth, now - before), (rising, now - before > _hardly(now))
        largest = float(growth.max())
        first = first or largest
        if not rising.any():
            yield 1.0, now
            return
        same = same + 1 if (rising == known).all() else 0
        even = even + 1 if (np.abs(growth - last) <= EVEN * largest).all() else 0
        far = even >= EVEN_STEPS and now.max() > 2 * reach
        if same > len(bound) and (far or (now[rising] > len(bound) * reach).all()):
            break
        yield _progress(largest, first), now
    yield 1.0, np.where(now - before > _hardly(now), inf, now)


def _progress(largest: float, first: float) -> float:
    """How far a limit is, 0 to 1, from the largest change of a bound now and at first."""
    return min(max(log(first / largest) / log(max(first / STILL, 2.0)), 0.0), 1.0)
