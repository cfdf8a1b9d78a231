"""Many runs of the recursion together: a run restarted after every landmark, and a run from every timestamp.

`from_every_start` returns, for every timestamp s, the loss at the next landmark of a run that starts at s. One by one,
this is quadratic in the distance between landmarks. Two facts make it nearly linear:

- All runs that use the same vertices from a timestamp on share one Moebius map from there to the landmark.
- Every older run is between a run of age A and the longest run. So if, at every timestamp, the run of age A needs the
  vertex that the longest run uses, then every older run does, and the longest run's maps apply to all of them.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.leakage.recursion import LOSS_MOST, Carrier, Carriers, at, followed, run

SUM_MOST = 690.0
"""The largest loss, or sum of budgets, that theta can represent."""

ROUNDING = 8 * np.finfo(float).eps


def run_restarting(budgets: Floats, carried: Carriers, first: Indices) -> Floats:
    """The losses (n,) of a recursion that restarts at each timestamp in `first` (increasing, starting with 0)."""
    if isinstance(carried, AnyStart):
        return 2 * run_restarting(budgets / 2, carried.half, first)
    runs = list(pairwise([*first.tolist(), len(budgets)]))
    if isinstance(carried, LossFunction) and len(runs) > 1 and budgets.sum() < LOSS_MOST:
        grown = np.expm1(budgets).tolist()
        return np.log1p([theta for i, j in runs for theta in followed(grown[i:j], 0.0, carried)])
    return np.concatenate([run(budgets[i:j], at(carried, slice(i, j - 1))) for i, j in runs])


def from_every_start(budgets: Floats, carried: Carriers, ends: Indices, longest: Floats) -> Floats:
    """For every timestamp up to the last end, the loss that a run from there has at the next end.

    Parameters
    ----------
    budgets : (n,).
    ends : (k,) increasing timestamps, k >= 1; the longest runs start right after each.
    longest : (n,) their losses, from `run_restarting`.
    """
    if isinstance(carried, AnyStart):
        return 2 * from_every_start(budgets / 2, carried.half, ends, longest / 2)
    n = int(ends[-1]) + 1
    budgets, longest = budgets[:n], longest[:n]
    if isinstance(carried, LossFunction):
        end = np.repeat(ends, np.diff(ends, prepend=-1))
        if carried.is_zero:
            return budgets[end]
        if (budgets if len(carried.d) == 1 else longest).max() < SUM_MOST:
            return _by_maps(budgets, carried, end, longest)
    gaps = pairwise([0, *(ends + 1).tolist()])
    return np.concatenate([_by_position(budgets[i:j], at(carried, slice(i, j - 1))) for i, j in gaps])


def _by_maps(budgets: Floats, carrier: LossFunction, end: Indices, longest: Floats) -> Floats:
    """Follow every run until its vertices are those of the longest run, then apply the map to the end."""
    grown = np.expm1(budgets)
    position, theta, age = np.arange(len(grown)), grown.copy(), 1
    vertex = carrier.breakpoints.searchsorted(longest, side="right")
    d, g = carrier.d[vertex], carrier.g[vertex]
    while len(carrier.d) > 1:
        running = np.flatnonzero(position < end)
        if _share(carrier, theta[running], vertex[position[running]]):
            break
        for _ in range(age):
            running = running[position[running] < end[running]]
            position[running] += 1
            k = carrier.theta_breaks.searchsorted(theta[running], side="right")
            e, now = grown[position[running]], theta[running]
            theta[running] = e + (1 + e) * carrier.g[k] * now / (1 + carrier.d[k] * now)
        age *= 2
    p, q, r, s, scale = _maps(grown, d, g, end)[:, position]
    with np.errstate(divide="ignore"):
        return np.logaddexp(0.0, np.log((p * theta + q) / (r * theta + s)) + scale)


def _share(carrier: LossFunction, theta: Floats, used: Indices) -> bool:
    """Whether runs use the vertices of the longest run, up to rounding."""
    own = carrier.theta_breaks.searchsorted(theta, side="right")
    theta, own, used = theta[own != used], own[own != used], used[own != used]
    a, b = (carrier.g[k] / (1 + carrier.d[k] * theta) for k in (own, used))
    return bool((np.abs(a - b) <= ROUNDING * a).all())


def _maps(grown: Floats, d: Floats, g: Floats, end: Indices) -> Floats:
    """(5, n): p, q, r, s, c of the map theta -> e^c (p theta + q) / (r theta + s) from each timestamp to its end.

    Maps over 1, 2, 4, ... timestamps, each composed of two of the previous maps; at an end, the map is the identity.
    """
    position, e = np.arange(len(grown)), np.append(grown[1:], 0.0)
    p, q, r, s = e * d + (1 + e) * g, e, d.copy(), np.ones(len(grown))
    for entry, value in ((p, 1.0), (q, 0.0), (r, 0.0)):
        entry[position == end] = value
    p, q, r, s, c = _scaled(p, q, r, s)
    reach = 1
    while reach < (end - position).max():
        onward = np.minimum(position + reach, end)
        i, j, k, m = p[onward], q[onward], r[onward], s[onward]
        # a term that is e^-745 of the other term in a sum is negligible; a denominator may have a single term
        part, rest = np.exp(np.minimum(c, 0.0)), np.exp(np.minimum(-c, 0.0))
        alone = k == 0
        below = np.where(alone, 1.0, rest)
        p, q, r, s, more = _scaled(
            i * part * p + j * rest * r,
            i * part * q + j * rest * s,
            k * part * p + m * below * r,
            k * part * q + m * below * s,
        )
        c = c[onward] + more + np.where(alone, np.maximum(c, 0.0), 0.0)
        reach *= 2
    return np.stack((p, q, r, s, c))


def _scaled(p: Floats, q: Floats, r: Floats, s: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """A map with numbers up to 1, and the logarithm of its prefactor."""
    top, bottom = np.maximum(p, q), np.maximum(r, s)
    return p / top, q / top, r / bottom, s / bottom, np.log(top) - np.log(bottom)


def _by_position(budgets: Floats, carried: Carriers) -> Floats:
    """Runs from every timestamp to the last, advanced together; runs that become equal are merged."""
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
