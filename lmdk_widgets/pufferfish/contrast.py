"""Powers of a transition matrix, and how much its rows or columns tell two states apart.

Where the graph of the chain says that a move is possible, its probability is kept above 0 even if it underflows: a zero
means "impossible", which is infinitely telling.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

TINY = float(np.finfo(float).tiny)
_CHUNK = 1 << 16
"""Entries of the working array of `contrast`: what stays in a core's own cache."""
ZERO, NEVER = -1e300, -4e300
"""Stand-ins for log 0 below and above a fraction line: c / 0 is huge, 0 / 0 and 0 / c are below everything."""


class Powers:
    """P^1, P^2, ... of a transition matrix, each computed once and kept."""

    def __init__(self, transition: Floats) -> None:
        self.n_states = len(transition)
        self._power: dict[int, Floats] = {1: transition}
        positive = transition > 0
        self._possible: dict[int, NDArray[np.bool_]] = {} if positive.all() else {1: positive}
        self._stack = transition[None]

    def power(self, k: int) -> Floats:
        """P^k, k >= 1, by multiplying the kept powers that the binary digits of k ask for."""
        if k not in self._power:
            low = k & -k
            one, two = (k // 2, k // 2) if low == k else (k - low, low)
            self._power[k] = self._floored(self.power(one) @ self.power(two), k, one, two)
        return self._power[k]

    def stack(self, n: int) -> Floats:
        """(n, m, m): P^1 to P^n, doubled in one multiplication at a time."""
        m, have = self.n_states, len(self._stack)
        if n > have:
            stack = np.empty((n, m, m))
            stack[:have] = self._stack
            while have < n:
                more = min(have, n - have)
                new = stack[have : have + more]
                np.matmul(stack[:more].reshape(-1, m), stack[have - 1], out=new.reshape(-1, m))
                for j in range(more) if self._possible else ():
                    new[j] = self._floored(new[j], have + j + 1, j + 1, have)
                have += more
            self._stack = stack
        return self._stack[:n]

    def _floored(self, power: Floats, k: int, one: int, two: int) -> Floats:
        """`power` = P^k = P^one P^two with zeros exactly where no path of k moves leads."""
        if not self._possible:
            return np.maximum(power, TINY)
        possible = self.possible(k, one, two)
        return np.where(possible, np.maximum(power, TINY), 0.0)

    def possible(self, k: int, one: int = 0, two: int = 0) -> NDArray[np.bool_]:
        """(m, m) whether y can be reached from x in exactly k moves."""
        if not self._possible:
            return np.ones((self.n_states, self.n_states), bool)
        if k not in self._possible:
            if not one:
                low = k & -k
                one, two = (k // 2, k // 2) if low == k else (k - low, low)
            paths = self.possible(one).astype(np.float32) @ self.possible(two).astype(np.float32)
            self._possible[k] = paths > 0
        return self._possible[k]


def log_of(probabilities: Floats) -> Floats:
    """The logarithm, with -inf for 0 and no warning."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def contrast(logs: Floats) -> Floats:
    """out[k, x, x'] = max_s logs[k, x, s] - logs[k, x', s], with 0 / 0 ignored and c / 0 infinite.

    Parameters
    ----------
    logs : (k, n, s) logarithms of probabilities, -inf for 0.

    Returns
    -------
    (k, n, n); 0 on the diagonal of a state that is possible at all.
    """
    k, n, s = logs.shape
    above = np.ascontiguousarray(logs.transpose(2, 0, 1))
    below = above
    zeros = float(logs.min()) == -np.inf
    if zeros:
        above, below = (np.where(np.isneginf(above), stand_in, above) for stand_in in (NEVER, ZERO))
    out = np.empty((k, n, n))
    step = max(1, _CHUNK // (n * n))
    for first in range(0, k, step):
        part = slice(first, first + step)
        if n * n * s <= _CHUNK // max(1, min(step, k - first)):
            np.max(above[:, part, :, None] - below[:, part, None, :], axis=0, out=out[part])
            continue
        best = out[part]
        np.subtract(above[0, part, :, None], below[0, part, None, :], out=best)
        difference = np.empty_like(best)
        for state in range(1, s):
            np.subtract(above[state, part, :, None], below[state, part, None, :], out=difference)
            np.maximum(best, difference, out=best)
    if zeros:
        out[out > -ZERO / 2] = np.inf
    return out
