"""Shokri's mechanism: the most private one for a given quality loss, against one adversary with one prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.checks import distribution, metric, positive, square
from lmdk_widgets.geoind.measures import _smallest_epsilon, adversary_error
from lmdk_widgets.geoind.program import scipy_linprog


def most_private_mechanism(
    distances: ArrayLike, prior: ArrayLike, quality_bound: float, *, quality: ArrayLike | None = None
) -> Channel:
    """OptPriv: the channel with the largest adversary error among those with ``quality_loss <= quality_bound``.

    Parameters
    ----------
    distances : (n, n) symmetric, in which the adversary's error is counted. prior : (n,), what the adversary knows.
    quality_bound : the quality loss allowed, 0 or more, in the unit of `quality`.
    quality : (n, n) from true place (row) to report (column); None: `distances`.

    Returns
    -------
    Channel; `gap` is the proven distance to the largest adversary error, as a share of the error against no report;
    `epsilon` is the geo-indistinguishability it happens to have, in general infinite.

    Raises
    ------
    InputError : a bound that no mechanism keeps, bad arguments, or scipy is not installed.

    Notes
    -----
    Guarantee: none of geo-indistinguishability, and none against an adversary with another prior.
    Numerics: the gap is by weak duality from the multipliers that HiGHS returns, not from its status.
    Paper: Shokri et al., CCS 2012, section 4; Bordenabe et al. 2014, section 2.2.

    Examples
    --------
    >>> channel = most_private_mechanism([[0, 1], [1, 0]], [0.5, 0.5], 0.25)
    >>> round(channel.quality_loss, 6), round(adversary_error(channel.matrix, [0.5, 0.5], [[0, 1], [1, 0]]), 6)
    (0.25, 0.25)
    """
    error = metric(distances)
    n = len(error)
    before = distribution(prior, n)
    loss = error if quality is None else square(quality, "quality", n)
    allowed = positive(quality_bound, "quality_bound", zero=True)
    least = float(before @ loss.min(axis=1))
    if least > allowed * (1 + 1e-12):
        raise InputError("no mechanism loses so little", where="quality_bound", value=allowed, allowed=f">= {least:g}")
    matrix, bound = _solve(error, before, loss, allowed)
    matrix = np.clip(matrix, 0, None)
    matrix = _within(matrix / matrix.sum(axis=1, keepdims=True), before, loss, allowed)
    reached = adversary_error(matrix, before, error)
    blind = float((before @ error).min())
    return Channel(
        matrix=matrix,
        quality_loss=float(before @ (matrix * loss).sum(axis=1)),
        epsilon=_smallest_epsilon(matrix, error),
        gap=max(0.0, bound - reached) / blind if blind > 0 else 0.0,
        bound=bound,
        method="highs",
    )


def _solve(error: Floats, before: Floats, loss: Floats, allowed: float) -> tuple[Floats, float]:
    """The matrix that HiGHS finds, and the upper bound of the adversary error that its multipliers prove.

    Variables: K (n, n) by rows, then m (n,), the adversary's error given each report times its probability.
    """
    linprog, sparse = scipy_linprog("OptPriv")
    n = len(before)
    x, g, z = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(n), np.arange(n), indexing="ij"))
    used = before[x] * error[x, g] > 0
    row = z * n + g
    guesses = np.arange(n * n)
    entries = np.concatenate([-(before[x] * error[x, g])[used], np.ones(n * n), (before[:, None] * loss).ravel()])
    rows = np.concatenate([row[used], guesses, np.full(n * n, n * n)])
    columns = np.concatenate([(x * n + z)[used], n * n + guesses // n, np.arange(n * n)])
    limits = sparse.csr_array((entries, (rows, columns)), shape=(n * n + 1, n * n + n))
    sums = sparse.csr_array((np.ones(n * n), (np.repeat(np.arange(n), n), np.arange(n * n))), shape=(n, n * n + n))
    found = linprog(
        np.concatenate([np.zeros(n * n), -np.ones(n)]),
        A_ub=limits,
        b_ub=np.concatenate([np.zeros(n * n), [allowed]]),
        A_eq=sums,
        b_eq=np.ones(n),
        bounds=[(0, None)] * (n * n) + [(None, None)] * n,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise InputError("HiGHS found no optimum", where="OptPriv", value=found.message)
    multipliers = np.clip(-found.ineqlin.marginals, 0, None)
    return found.x[: n * n].reshape(n, n), _upper_bound(error, before, loss, allowed, multipliers)


def _upper_bound(error: Floats, before: Floats, loss: Floats, allowed: float, multipliers: Floats) -> float:
    """``sum_x pi_x max_z (sum_g u_zg d_A(x, g) - v d_Q(x, z)) + v q`` for guesses u (rows sum to 1) and any v >= 0."""
    n = len(before)
    weights, price = multipliers[: n * n].reshape(n, n), float(multipliers[-1])
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.5, weights / np.where(total > 0.5, total, 1.0), 1 / n)
    return float(before @ (error @ weights.T - price * loss).max(axis=1) + price * allowed)


def _within(matrix: Floats, before: Floats, loss: Floats, allowed: float) -> Floats:
    """Mixed with the most precise report until the loss is within the bound, where rounding exceeded it."""
    found = float(before @ (matrix * loss).sum(axis=1))
    if found <= allowed:
        return matrix
    precise = np.zeros_like(matrix)
    precise[np.arange(len(matrix)), loss.argmin(axis=1)] = 1
    least = float(before @ loss.min(axis=1))
    share = min(1.0, (found - allowed) / max(found - least, 1e-300) * (1 + 1e-9))
    return (1 - share) * matrix + share * precise
