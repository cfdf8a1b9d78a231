"""Max-influence: how much the states at the quilt can reveal about the state at one timestamp, at worst.

It is computed from the powers of a transition matrix. If a move is possible in the chain's graph, its probability
is kept above 0 even if it underflows: a zero means "impossible", which reveals infinitely much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import kind_of, one_of, refused, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import SUPPORTS, MarkovChain, Support

TINY = float(np.finfo(float).tiny)
ZERO, NEVER = -1e300, -4e300
"""Stand-ins for log 0 in a denominator and in a numerator: c / 0 is huge, 0 / 0 and 0 / c are below everything."""


def max_influence(
    chain: MarkovChain,
    length: int,
    node: int,
    left: int | None = None,
    right: int | None = None,
    *,
    support: Support = "definition",
) -> float:
    """e(X_Q | X_i) = max over x, x', x_Q of log P(X_Q = x_Q | X_i = x) / P(X_Q = x_Q | X_i = x').

    Parameters
    ----------
    chain : the belief theta.
    length : T, the number of timestamps in the series.
    node : i, the timestamp whose state is the secret, 0 to T - 1.
    left, right : the quilt's timestamps, left < node < right; None for a side without one.
    support : which past states y count. "definition": those with P(X_left = y) > 0, as max-influence is defined.
        "all": all of them, as in the authors' own program; the result is the same or larger, and the same if every state is
        possible at `left`.

    Returns
    -------
    0 or more, infinite if an observation of the quilt rules out a state; 0 without a quilt, and 0 if X_i has only one
    possible value (then there is no secret).

    Raises
    ------
    InputError : a node outside the series, a quilt on the wrong side, an unknown support.

    Notes
    -----
    With a = i - left and b = right - i, it is the maximum over ONE pair (x, x') of
    log P(X_i=x') / P(X_i=x) + max_y log P^a[y,x] / P^a[y,x'] + max_z log P^b[x,z] / P^b[x',z];
    taking the two maxima over different pairs would give a valid but larger number. States with P(X_i=x) = 0 are
    skipped, 0/0 is ignored, c/0 is infinite. The matrix powers lose about T ulps, so values below 1e-13 mean 0.
    Song, Wang, Chaudhuri, SIGMOD 2017, Definition 4.1 and section 4.4.

    Examples
    --------
    >>> chain = MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]])
    >>> round(max_influence(chain, 100, 50, 46, 53), 10)
    0.8266785732
    >>> max_influence(chain, 100, 50)
    0.0
    """
    if not isinstance(chain, MarkovChain):
        raise refused("chain", "a MarkovChain", kind_of(chain))
    n, support = whole(length, "length"), one_of(support, "support", SUPPORTS)
    i = whole(node, "node", least=0, most=n - 1)
    before = None if left is None else whole(left, "left", least=0)
    after = None if right is None else whole(right, "right", least=0)
    if before is not None and before >= i:
        raise refused("left", f"a timestamp before the node, {i:,}, or None", before)
    if after is not None and not i < after < n:
        raise refused("right", f"a timestamp after the node, {i:,}, and below {n:,}, or None", after)
    here = chain.marginal(i)
    states = np.flatnonzero(_possible(chain, i))
    powers = Powers(chain.transition)
    total = np.zeros((len(states), len(states)))
    if before is not None:
        seen = np.flatnonzero(_possible(chain, before)) if support == "definition" else np.arange(chain.n_states)
        total = total + past_contrast(powers, i - before, seen)[np.ix_(states, states)] + odds(here[states])
    if after is not None:
        total = total + future_contrast(powers, after - i)[np.ix_(states, states)]
    return max(0.0, float(total.max()))


def past_contrast(powers: Powers, distance: int, seen: Any = slice(None)) -> Floats:
    """(m, m): max over y in `seen` of log P^a[y, x] / P^a[y, x']; without the prior's odds it may be negative."""
    return contrast(log_of(powers.power(distance)[seen].T))


def future_contrast(powers: Powers, distance: int) -> Floats:
    """(m, m): max over z of log P^b[x, z] / P^b[x', z]."""
    return contrast(log_of(powers.power(distance)))


def odds(distribution: Floats) -> Floats:
    """(n, n): log P(x') / P(x), only for positive probabilities."""
    log = np.log(np.maximum(distribution, np.finfo(float).tiny))
    return log[None, :] - log[:, None]


def _possible(chain: MarkovChain, timestamp: int) -> Any:
    """Which states can occur at a timestamp, according to the graph, as a probability may underflow."""
    start = chain.initial > 0
    if timestamp == 0:
        return start
    return Powers(chain.transition).possible(timestamp)[start].any(axis=0)


class Powers:
    """P^1, P^2, ... of a transition matrix, each computed once and cached."""

    def __init__(self, transition: Floats) -> None:
        self.n_states = len(transition)
        self._power: dict[int, Floats] = {1: transition}
        positive = transition > 0
        self._possible: dict[int, NDArray[np.bool_]] = {} if positive.all() else {1: positive}

    def power(self, k: int) -> Floats:
        """P^k, k >= 1, as a product of cached powers given by the binary digits of k."""
        if k not in self._power:
            one, two = self._parts(k)
            self._power[k] = self._floored(self.power(one) @ self.power(two), k)
        return self._power[k]

    def _parts(self, k: int) -> tuple[int, int]:
        low = k & -k
        return (k // 2, k // 2) if low == k else (k - low, low)

    def _floored(self, power: Floats, k: int) -> Floats:
        """`power` = P^k with zeros exactly where there is no path of k moves."""
        if not self._possible:
            return np.maximum(power, TINY)
        return np.where(self.possible(k), np.maximum(power, TINY), 0.0)

    def possible(self, k: int) -> NDArray[np.bool_]:
        """(m, m) whether y can be reached from x in exactly k moves."""
        if not self._possible:
            return np.ones((self.n_states, self.n_states), bool)
        if k not in self._possible:
            one, two = (self.possible(part).astype(np.float32) for part in self._parts(k))
            self._possible[k] = one @ two > 0
        return self._possible[k]


def log_of(probabilities: Floats) -> Floats:
    """The logarithm, with -inf for 0 and no warning."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def contrast(logs: Floats) -> Floats:
    """out[x, x'] = max_s logs[x, s] - logs[x', s], with 0 / 0 ignored and c / 0 infinite.

    Parameters
    ----------
    logs : (n, s) logarithms of probabilities, -inf for 0.

    Returns
    -------
    (n, n); 0 on the diagonal for every state that is possible at all.
    """
    above = below = np.ascontiguousarray(logs.T)
    zeros = float(logs.min()) == -np.inf
    if zeros:
        above, below = (np.where(np.isneginf(above), stand_in, above) for stand_in in (NEVER, ZERO))
    best = above[0, :, None] - below[0, None, :]
    difference = np.empty_like(best)
    for state in range(1, len(above)):
        np.subtract(above[state, :, None], below[state, None, :], out=difference)
        np.maximum(best, difference, out=best)
    if zeros:
        best[best > -ZERO / 2] = np.inf
    return best
