"""Which pairs of states can decide an influence: of a slowly mixing chain's thousands, a handful.

The influence of a quilt is the maximum over pairs (x, x') of past_a(x, x') + future_b(x, x'). A pair that is below one
other pair at every distance, on both sides, never decides and need not be computed. What it is below must be exact;
for the pair itself a bound will do, and measuring both states from the long run gives one without looking at pairs:

    max_s (F[x, s] - F[x', s]) <= max_s (F[x, s] - log pi[s]) + max_s (log pi[s] - F[x', s]),

with equality in the limit for the pairs that are farthest apart on either side of the long run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.contrast import NEVER, ZERO

_CHUNK = 1 << 17


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


def bounds(logs: Floats, reference: Floats) -> Floats:
    """(k, n * n): for every pair of states at least its contrast, by way of the reference (s,), finite."""
    difference = logs - reference
    return (difference.max(axis=2)[:, :, None] - difference.min(axis=2)[:, None, :]).reshape(len(logs), -1)


def undominated(
    past: Floats, future: Floats, leaders: NDArray[np.intp], past_exact: Floats, future_exact: Floats
) -> NDArray[np.intp]:
    """Pairs that some leader is not known to dominate, the leaders among them.

    Parameters
    ----------
    past, future : (n, pairs) bounds.
    leaders : pairs to compare with.
    past_exact, future_exact : (n, leaders) exact values.
    """
    alive = np.ones(past.shape[1], bool)
    probes = np.unique(np.linspace(0, len(past) - 1, 5).astype(int))
    for k in range(len(leaders)):
        some = np.flatnonzero(
            alive
            & (past[probes] <= past_exact[probes, k : k + 1]).all(axis=0)
            & (future[probes] <= future_exact[probes, k : k + 1]).all(axis=0)
        )
        below = (past[:, some] <= past_exact[:, k : k + 1]).all(axis=0)
        below &= (future[:, some] <= future_exact[:, k : k + 1]).all(axis=0)
        alive[some[below]] = False
    alive[leaders] = True
    return np.flatnonzero(alive)
