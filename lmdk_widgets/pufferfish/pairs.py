"""Which pairs of states can decide an influence: of a slowly mixing chain's thousands, a handful.

The influence of a quilt is the maximum over pairs (x, x') of past_a(x, x') + future_b(x, x'). A pair that is below one
other pair at every distance, on both sides, never decides and need not be computed. What it is below must be exact;
for the pair itself a bound will do, and measuring both states from the long run gives one without looking at pairs:

    max_s (F[x, s] - F[x', s]) <= max_s (F[x, s] - log pi[s]) + max_s (log pi[s] - F[x', s]),

with equality in the limit for the pairs that are farthest apart on either side of the long run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.influence import NEVER, ZERO

_CHUNK = 1 << 17
_PROBES = 16
"""Distances at which all pairs of states are looked at; only those that are left then are looked at everywhere."""


def decisive(
    near_past: Floats, near_future: Floats, past: Floats, future: Floats, prior: Floats
) -> tuple[Floats, Floats]:
    """(n, pairs) influence of the past and of the future, by distance, on the pairs of states that can decide.

    Parameters
    ----------
    near_past, near_future : (k, n_states^2) exact for all pairs at the nearest distances, k < n.
    past, future : (n, n_states, s) logarithms of the probabilities of what is seen, given the state.
    prior : (n_states,) logarithms of the long run; the past is seen through it.
    """
    m, near, n = len(prior), len(near_past), len(past)
    sides = Bounds(past[near:] - prior[:, None], np.zeros(m)), Bounds(future[near:], prior)
    nearest = near_past, near_future

    def exact(pairs: NDArray[np.intp]) -> tuple[Floats, Floats]:
        x, other = np.divmod(pairs, m)
        one = pair_contrast(past[near:], x, other) + (prior[other] - prior[x])
        two = pair_contrast(future[near:], x, other)
        return np.concatenate((near_past[:, pairs], one)), np.concatenate((near_future[:, pairs], two))

    def bounded(k: int, pairs: Any, far: Floats) -> Floats:
        return np.concatenate((nearest[k][:, pairs], np.minimum(far, nearest[k][-1, pairs])))

    far = np.linspace(near, n - 1, min(_PROBES, n - near)).astype(int)
    one, two = (bounded(k, slice(None), sides[k].at(far - near)) for k in (0, 1))
    leaders = np.unique((one + two).argmax(axis=1))
    known_past, known_future = exact(leaders)
    probes = np.concatenate((np.arange(near), far))
    gone = surely_dominated(one, two, known_past[probes], known_future[probes])
    gone[leaders] = False
    left = np.flatnonzero(~gone)
    one, two = (bounded(k, left, sides[k].of(*np.divmod(left, m))) for k in (0, 1))
    alive = undominated(one, two, known_past, known_future)
    alive[np.searchsorted(left, leaders)] = True
    return exact(left[alive])


def pair_contrast(logs: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
    """(k, pairs): max_s logs[k, first, s] - logs[k, second, s], with 0 / 0 ignored and c / 0 infinite.

    Parameters
    ----------
    logs : (k, n, s) logarithms of probabilities, -inf for 0.
    """
    zeros = float(logs.min()) == -np.inf
    above = below = logs
    if zeros:
        above, below = (np.where(np.isneginf(logs), stand_in, logs) for stand_in in (NEVER, ZERO))
    out = np.empty((len(logs), len(first)))
    step = max(1, _CHUNK // (len(first) * logs.shape[2]))
    for start in range(0, len(logs), step):
        part = slice(start, start + step)
        np.max(above[part][:, first] - below[part][:, second], axis=2, out=out[part])
    if zeros:
        out[out > -ZERO / 2] = np.inf
    return out


class Bounds:
    """For every pair of states at least its contrast, by way of a reference (s,), finite; computed where it is asked for.

    Parameters
    ----------
    logs : (k, n, s) logarithms of probabilities.
    """

    def __init__(self, logs: Floats, reference: Floats) -> None:
        difference = logs - reference
        self._highest, self._lowest = difference.max(axis=2), difference.min(axis=2)

    def at(self, distances: NDArray[np.intp]) -> Floats:
        """(distances, n * n) of all pairs at some distances, counted from 0."""
        return (self._highest[distances, :, None] - self._lowest[distances, None, :]).reshape(len(distances), -1)

    def of(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
        """(k, pairs) of some pairs at all distances."""
        return self._highest[:, first] - self._lowest[:, second]


def surely_dominated(past: Floats, future: Floats, past_exact: Floats, future_exact: Floats) -> NDArray[np.bool_]:
    """(pairs,) whether some leader is above the pair at every distance, by what is known at a few of them.

    Parameters
    ----------
    past, future : (probes, pairs) bounds at distances that begin with the nearest and end with the farthest.
    past_exact, future_exact : (probes, leaders) exact values there.

    Notes
    -----
    No influence of a pair grows with distance, so that between two probes a pair is at most what it is at the nearer,
    and a leader at least what it is at the farther.
    """
    gone = np.zeros(past.shape[1], bool)
    for k in range(past_exact.shape[1]):
        left = np.flatnonzero(~gone)
        for side, exact in ((past, past_exact), (future, future_exact)):
            floor = np.append(exact[1:, k], exact[-1, k])
            for probe in range(len(floor) - 1, -1, -1):
                left = left[side[probe, left] <= floor[probe]]
        gone[left] = True
    return gone


def undominated(past: Floats, future: Floats, past_exact: Floats, future_exact: Floats) -> NDArray[np.bool_]:
    """(pairs,) whether no leader is known to dominate the pair.

    Parameters
    ----------
    past, future : (n, pairs) bounds.
    past_exact, future_exact : (n, leaders) exact values.
    """
    alive = np.ones(past.shape[1], bool)
    for k in range(past_exact.shape[1]):
        some = np.flatnonzero(alive)
        below = (past[:, some] <= past_exact[:, k : k + 1]).all(axis=0)
        below &= (future[:, some] <= future_exact[:, k : k + 1]).all(axis=0)
        alive[some[below]] = False
    return alive
