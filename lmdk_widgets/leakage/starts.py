"""Many runs of the recursion at once: a run restarted after every landmark, and a run from every timestamp.

`from_every_start` answers, for every timestamp s, what a run that starts at s has grown to at the next landmark. Taken
one by one that is quadratic in the distance between landmarks. Three facts make it linear:

- The later a run starts, the less it has grown (the loss function is increasing). Where a run that started shortly
  before the landmark has reached the longest run to rounding, all that started earlier have too.
- All runs that use the same vertices from a timestamp on share one Moebius map from there to the landmark.
- A run A timestamps old lies between every older one and the longest. So if at every timestamp the run of age A asks
  for the vertex that the longest run uses, every older run does, and the maps of the longest run hold for all.
"""

from __future__ import annotations

from itertools import pairwise
from math import log
from typing import Self, TypeGuard

import numpy as np

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import MOST, LossFunction
from lmdk_widgets.leakage.maps import losses_at_end
from lmdk_widgets.leakage.recursion import Carrier, Carriers, at, run

NEAR, FAR_ENOUGH = 64, 1024
"""Distances to the landmark up to which every run is followed to its end: always, and if that promises to be enough."""

SUM_MOST = 300.0
"""A loss, or a sum of budgets, that theta can hold."""

ROUNDING = 8 * np.finfo(float).eps


def run_restarting(budgets: Floats, carried: Carriers, first: Indices) -> Floats:
    """The losses (n,) of a recursion that starts anew at each timestamp of `first` (increasing, its first is 0)."""
    if isinstance(carried, AnyStart):
        return 2 * run_restarting(budgets / 2, carried.half, first)
    losses = np.empty(len(budgets))
    stop = np.append(first[1:], len(budgets))
    short = stop - first <= NEAR
    if _plain(carried, budgets):
        start, theta = first[short], np.empty(len(budgets))
        _Runs(start, stop[short] - 1, np.expm1(budgets), carried).advance(NEAR, record=theta)
        np.log1p(theta, out=losses, where=np.repeat(short, stop - first))
    else:
        short = stop - first == 1
        losses[first[short]] = budgets[first[short]]
    for i, j in zip(first[~short].tolist(), stop[~short].tolist(), strict=True):
        losses[i:j] = run(budgets[i:j], at(carried, slice(i, j - 1)))
    return losses


def from_every_start(budgets: Floats, carried: Carriers, ends: Indices, longest: Floats) -> Floats:
    """For every timestamp up to the last end, the loss at the next end of a run that starts there.

    Parameters
    ----------
    budgets : (n,).
    ends : (k,) increasing timestamps, k >= 1; the longest runs start right after each.
    longest : (n,) the losses of those, by `run_restarting`.
    """
    if isinstance(carried, AnyStart):
        return 2 * from_every_start(budgets / 2, carried.half, ends, longest / 2)
    n = int(ends[-1]) + 1
    budgets, longest = budgets[:n], longest[:n]
    end = np.repeat(ends, np.diff(ends, prepend=-1))
    if isinstance(carried, LossFunction) and carried.is_zero:
        return budgets[end]
    if _plain(carried, budgets):
        return _from_every_start(budgets, carried, ends, end, longest)
    losses = budgets.copy()
    for i, j in pairwise([0, *(ends + 1).tolist()]):
        if j - i > 1:
            losses[i:j] = _by_position(budgets[i:j], at(carried, slice(i, j - 1)))
    return losses


def _plain(carried: Carriers, budgets: Floats) -> TypeGuard[LossFunction]:
    """Whether one loss function carries all the way and theta can hold many timestamps."""
    return isinstance(carried, LossFunction) and not carried.is_identity and budgets.max() * NEAR <= SUM_MOST


def _from_every_start(budgets: Floats, carrier: LossFunction, ends: Indices, end: Indices, longest: Floats) -> Floats:
    grown, start = np.expm1(budgets), np.arange(len(budgets))
    losses, open_ = longest[end], np.ones(len(ends), dtype=bool)
    apart = np.diff(ends, prepend=-1)
    for distance in _distances(carrier, apart, longest, ends):
        near = np.repeat(open_, apart) & (end - start < distance)
        losses[near] = np.log1p(_Runs(start[near], end[near], grown, carrier).advance(distance).theta)
        oldest = np.maximum(ends - distance + 1, ends - apart + 1)
        open_ &= (apart > distance) & (losses[oldest] < longest[ends] * (1 - ROUNDING))
        if not open_.any():
            return losses
    left, apart = np.repeat(open_, apart), apart[open_]
    losses[left] = _by_maps(budgets[left], carrier, np.repeat(np.cumsum(apart) - 1, apart), longest[left])
    return losses


def _distances(carrier: LossFunction, apart: Indices, longest: Floats, ends: Indices) -> list[int]:
    """How far from the ends to follow every run before maps are tried: as long as that is less work."""
    if len(carrier.d) == 1:
        return [NEAR] if len(apart) * NEAR < apart.sum() / 4 else []
    memory = _memory(carrier, longest[ends])
    return [NEAR, memory] if NEAR < memory <= FAR_ENOUGH and longest.max() < SUM_MOST else [NEAR]


def _memory(carrier: LossFunction, losses: Floats) -> int:
    """About how many timestamps it takes until where a run started makes no difference."""
    slope = max(carrier.slope(a) for a in (float(losses.min()), float(losses.max())))
    return 2 if slope < 1e-12 else int(min(1.3 * log(1e-16) / log(slope), 1e9)) if slope < 1 else 10**9


class _Runs:
    """Runs that started at different timestamps, each followed to its own end."""

    def __init__(self, start: Indices, end: Indices, grown: Floats, carrier: LossFunction) -> None:
        self.position, self.end, self.grown, self.carrier = start.copy(), end, grown, carrier
        self.theta = grown[start]

    def advance(self, steps: int, record: Floats | None = None) -> Self:
        """Up to so many timestamps further; `record` (n,) keeps every theta on the way."""
        order = np.argsort(self.position - self.end, kind="stable")  # the longest way first
        position, theta = self.position[order], self.theta[order]
        left = np.minimum(self.end[order] - position, steps)
        if record is not None:
            record[position] = theta
        ages = np.arange(1, left.max(initial=0) + 1)
        for age, running in zip(ages.tolist(), np.searchsorted(-left, -ages, side="right").tolist(), strict=True):
            here, now = position[:running] + age, theta[:running]
            now[:] = self._step(now, self.grown[here])
            if record is not None:
                record[here] = now
        self.theta[order], self.position[order] = theta, position + left
        return self

    def _step(self, theta: Floats, grown: Floats) -> Floats:
        d, g = self.carrier.d, self.carrier.g
        if len(d) == 1:
            d, g = d[0], g[0]
        else:
            vertex = self.carrier.theta_breaks.searchsorted(theta, side="right")
            d, g = d[vertex], g[vertex]
        return grown + (1 + grown) * g * theta / (1 + d * theta)


def _by_maps(budgets: Floats, carrier: LossFunction, end: Indices, longest: Floats) -> Floats:
    """Follow every run until its vertices are those of the longest run, then take the map to the end."""
    start = np.arange(len(budgets))
    runs = _Runs(start, end, np.expm1(budgets), carrier)
    vertex = carrier.breakpoints.searchsorted(longest, side="right")
    age = 0
    while len(carrier.d) > 1 and not _share(runs, vertex):
        runs.advance(max(age, 8))
        age += max(age, 8)
        if not (runs.theta < MOST).all():
            pieces = pairwise([0, *(np.flatnonzero(start == end) + 1).tolist()])
            return np.concatenate([_by_position(budgets[i:j], carrier) for i, j in pieces])
    running = runs.position < end
    theta, losses = np.zeros(len(budgets)), np.log1p(runs.theta)
    theta[runs.position[running]] = runs.theta[running]
    at_end = losses_at_end(theta, runs.grown, carrier.d[vertex], carrier.g[vertex], end)
    losses[running] = at_end[runs.position[running]]
    return losses


def _share(runs: _Runs, vertex: Indices) -> bool:
    """Whether all runs that are not at their end use the vertices of the longest run."""
    running = runs.position < runs.end
    theta, used = runs.theta[running], vertex[runs.position[running]]
    own = runs.carrier.theta_breaks.searchsorted(theta, side="right")
    theta, own, used = theta[own != used], own[own != used], used[own != used]
    a, b = (runs.carrier.g[k] / (1 + runs.carrier.d[k] * theta) for k in (own, used))
    return bool((np.abs(a - b) <= ROUNDING * a).all())


def _by_position(budgets: Floats, carried: Carriers) -> Floats:
    """Runs from every timestamp to the last, one timestamp at a time for all; those that are alike go on as one."""
    n = len(budgets)
    if isinstance(carried, LossFunction) and carried.is_identity:
        return np.cumsum(budgets[::-1])[::-1]
    losses = np.empty(n)
    alike, x = 0, budgets[:1]
    for i in range(1, n):
        carrier: Carrier = carried[i - 1] if isinstance(carried, list) else carried
        x = np.append(carrier(x) + budgets[i], budgets[i])
        same = int(np.count_nonzero(x >= x[0] * (1 - ROUNDING))) - 1
        alike, x = alike + same, np.concatenate((x[:1], x[same + 1 :]))
    losses[alike:], losses[:alike] = x, x[0]
    return losses
