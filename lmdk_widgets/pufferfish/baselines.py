"""Baselines for the quilt mechanism: their noise scale, and whether they protect in this setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.checks import positive, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.chain import MarkovChain, chains_of
from lmdk_widgets.pufferfish.influence import log_of

_EQUAL = 1e-12
"""Rows that differ by at most this are equal up to rounding."""

_ENDS = 400
"""For local influences, the middle of a series longer than this is uniform."""


@dataclass(frozen=True)
class Baseline:
    """A noise scale for comparison.

    Attributes
    ----------
    name : what it is called.
    scale : sigma, as for the quilt mechanism; None if the method is not applicable.
    protects : whether it is epsilon-Pufferfish private for the given chains.
    note : a sentence that says why.
    """

    name: str
    scale: float | None
    protects: bool
    note: str


def entry_privacy(epsilon: float, chains: MarkovChain | Sequence[MarkovChain] | None = None) -> Baseline:
    """sigma = 1 / epsilon: differential privacy of single timestamps. NOT private here unless they are independent.

    Parameters
    ----------
    chains : Theta; it protects if, in every chain, the rows of the states that can occur at a timestamp are equal, as then
        no timestamp reveals anything about another. None: unknown.

    Examples
    --------
    >>> entry_privacy(0.5).scale, entry_privacy(0.5).protects
    (2.0, False)
    >>> entry_privacy(0.5, MarkovChain.stationary([[0.5, 0.5], [0.5, 0.5]])).protects
    True
    """
    name, scale = "entry-level differential privacy", 1 / positive(epsilon, "epsilon")
    if chains is not None and all(map(_independent, chains_of(chains))):
        return Baseline(name, scale, True, "It protects here, as no timestamp reveals anything about another.")
    note = "It hides whether one timestamp is in the data, not what happened then: neighbouring timestamps reveal it."
    return Baseline(name, scale, False, note)


def _independent(chain: MarkovChain) -> bool:
    """Whether no timestamp reveals anything about another: states that can occur at the same time continue equally."""
    can, seen = chain.initial > 0, set()
    while can.tobytes() not in seen:
        seen.add(can.tobytes())
        rows = chain.transition[can]
        if float(np.ptp(rows, axis=0).max()) > _EQUAL:
            return False
        can = rows[0] > 0
    return True


def group_privacy(length: int, epsilon: float) -> Baseline:
    """sigma = T / epsilon: differential privacy of the whole series as one group; it protects under any belief.

    Examples
    --------
    >>> group_privacy(100, 0.5).scale
    200.0
    """
    scale = whole(length, "length") / positive(epsilon, "epsilon")
    return Baseline("group differential privacy", scale, True, "It hides the whole series, whatever is believed.")


def local_influence(chain: MarkovChain, length: int) -> Floats:
    """(T, T) Gamma: gamma_ij = half the largest change of log P(X_i | all others) when only X_j changes.

    Tridiagonal, as X_i depends only on its two neighbours; infinite where a neighbour rules out a state.

    Examples
    --------
    >>> local_influence(MarkovChain.stationary([[0.6, 0.4], [0.4, 0.6]]), 3).round(4).tolist()
    [[0.0, 0.2027, 0.0], [0.2428, 0.0, 0.2428], [0.0, 0.2027, 0.0]]
    """
    n = whole(length, "length")
    gamma = np.zeros((n, n))
    if n == 1:
        return gamma
    past, future, first, last = _local(chain)
    at = np.arange(1, n - 1)
    gamma[at, at - 1], gamma[at, at + 1] = past, future
    gamma[0, 1], gamma[n - 1, n - 2] = first, last
    return gamma


def _local(chain: MarkovChain) -> tuple[float, float, float, float]:
    """Influence of the past and of the future on an inner node, and on the first and last nodes."""
    if _independent(chain):
        return (0.0,) * 4
    reached = chain.initial > 0
    for _ in range(chain.n_states):
        reached = reached | (chain.transition > 0)[reached].any(axis=0)
    p = chain.transition[np.ix_(reached, reached)]
    if not (p > 0).all():
        return (np.inf,) * 4
    q = chain.initial[reached]
    log = log_of(p)
    given = log[:, None, :] + log.T[None, :, :] - log_of(p @ p)[:, :, None]  # [before, after, now]
    start = (log_of(q)[:, None] + log - log_of(q @ p))[q > 0]  # [now, after]
    return _half(given, 0), _half(given, 1), _half(start, 1), _half(log, 0)


def _half(logs: Floats, axis: int) -> float:
    return float(np.ptp(logs, axis=axis).max()) / 2


def gk16(chains: MarkovChain | Sequence[MarkovChain], length: int, epsilon: float) -> Baseline:
    """sigma = 2 max over theta and i of (sum_j Phi_ji) / epsilon, Phi = (I - Gamma)^-1, if the norm of Gamma is < 1.

    The constant of Ghosh and Kleinberg (2016), as used for comparison by the authors of the quilt mechanism: it bounds the
    change of an adversary's odds by twice the sum of what each timestamp can leak. `local_influence_scale` needs half of it.

    Parameters and returns as for `local_influence_scale`.

    Examples
    --------
    >>> weak, strong = (MarkovChain.stationary([[p, 1 - p], [1 - p, p]]) for p in (0.6, 0.9))
    >>> round(gk16(weak, 100, 1.0).scale, 4), gk16(strong, 100, 1.0).scale
    (3.8873, None)
    """
    found = local_influence_scale(chains, length, epsilon)
    return Baseline("GK16", None if found.scale is None else 2 * found.scale, found.protects, found.note)


def local_influence_scale(chains: MarkovChain | Sequence[MarkovChain], length: int, epsilon: float) -> Baseline:
    """sigma = max over theta and i of (sum_j Phi_ji) / epsilon, Phi = (I - Gamma)^-1, if the norm of Gamma is < 1.

    Parameters
    ----------
    chains : Theta.
    length, epsilon : T and epsilon.

    Returns
    -------
    Baseline : with scale None ("not applicable") if the spectral norm of the local influences is 1 or more.

    Notes
    -----
    The idea is from Ghosh and Kleinberg (2016): differential privacy is enough if the correlation is weak. The constant is
    half of theirs (`gk16`), and derived as follows: let d_j bound the change of log f when x_j changes, where f is the
    density of the release, so d_j = 1 / sigma. Replacing f by its mean over X_i given all others makes d_i zero and adds at
    most log((1 + e^(c + d_i)) / (e^c + e^d_i)) <= d_i c / 2 = gamma_ij d_i to d_j, c = 2 gamma_ij. With Phi's column k as
    weights, the weighted sum of the d_j never grows, so averaging out everything except X_k leaves d_k <= sum_j Phi_jk /
    (sigma Phi_kk). This bounds any mechanism, not only additive noise.

    Examples
    --------
    >>> weak, strong = (MarkovChain.stationary([[p, 1 - p], [1 - p, p]]) for p in (0.6, 0.9))
    >>> round(local_influence_scale(weak, 100, 1.0).scale, 4), local_influence_scale(strong, 100, 1.0).scale
    (1.9437, None)
    """
    n, e = whole(length, "length"), positive(epsilon, "epsilon")
    worst = 0.0
    for chain in chains_of(chains):
        norm, total = _norm_and_total(chain, n)
        if not norm < 1:
            why = "an impossible move makes a local influence infinite"
            if np.isfinite(norm):
                why = f"the local influences have spectral norm {norm:.4g}, which must be below 1"
            return Baseline("local influences", None, False, f"Not applicable: {why}.")
        worst = max(worst, total)
    note = "It protects as long as neighbouring timestamps are weakly correlated."
    return Baseline("local influences", worst / e, True, note)


def _norm_and_total(chain: MarkovChain, length: int) -> tuple[float, float]:
    """Spectral norm of Gamma and the largest column sum of Phi."""
    gamma = local_influence(chain, min(length, _ENDS))
    if not np.isfinite(gamma).all():
        return np.inf, np.inf
    norm = float(np.linalg.norm(gamma, 2))
    if length > _ENDS:
        norm = max(norm, float(gamma[_ENDS // 2].sum()))
    if norm >= 1:
        return norm, np.inf
    total = float(np.linalg.solve(np.eye(len(gamma)) - gamma.T, np.ones(len(gamma))).max())
    if length > _ENDS:
        total = max(total, 1 / (1 - float(gamma[_ENDS // 2].sum())))
    return norm, total
