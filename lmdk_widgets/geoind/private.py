"""Shokri's mechanism: the most private one for a given quality loss, against one adversary with one prior."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import distribution, metric, positive, square
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.measures import _smallest_epsilon, adversary_error
from lmdk_widgets.geoind.reference import empty_model, run
from lmdk_widgets.linear import compiling

MOST_PLACES = 64
"""The most places: HiGHS solves this size within two seconds; four times as many places would take many minutes."""
FEASIBILITY = 1e-8
"""The largest error that the solver may leave in a sum of probabilities; it is corrected afterwards."""
ONE_OF_MANY = (
    "Many mechanisms reach the largest adversary error: this is the one that the solver HiGHS finds. Others may do "
    "better or worse against another prior."
)


def most_private_mechanism(
    distances: ArrayLike, prior: ArrayLike, quality_bound: float, *, quality: ArrayLike | None = None
) -> Channel:
    """OptPriv: the channel with the largest adversary error among those with ``quality_loss <= quality_bound``.

    The linear programme: maximise ``sum_z w_z`` with ``w_z <= sum_x pi_x K_xz d_A(x, g)`` for every report z and guess
    g, ``quality_loss <= quality_bound``, rows that sum to 1.

    Parameters
    ----------
    distances : (n, n) symmetric, in which the adversary's error is measured; n at most 64. prior : (n,), the
    adversary's prior. quality_bound : the quality loss allowed, 0 or more, in the unit of `quality`.
    quality : (n, n) from true place (row) to report (column); None: `distances`.

    Returns
    -------
    Channel; `gap` is the proven distance to the largest adversary error, as a share of the error without any report;
    `epsilon` is the geo-indistinguishability it happens to have, usually infinite.

    Raises
    ------
    InputError : a bound that no mechanism satisfies, more than 64 places, bad arguments.

    Notes
    -----
    Guarantee: no geo-indistinguishability, and none against an adversary with another prior. With the same metric for
    both, the error is min(quality_bound, error of the blind guess), and very many mechanisms attain it.
    Numerics: the gap follows by weak duality from the multipliers that HiGHS returns, not from its status.
    Paper: Shokri et al., CCS 2012, section 4; Bordenabe et al. 2014, section 2.2.

    Examples
    --------
    >>> channel = most_private_mechanism([[0, 1], [1, 0]], [0.5, 0.5], 0.25)
    >>> round(channel.quality_loss, 6), round(adversary_error(channel.matrix, [0.5, 0.5], [[0, 1], [1, 0]]), 6)
    (0.25, 0.25)
    """
    error = metric(distances)
    n = len(error)
    if n > MOST_PLACES:
        raise InputError(
            f"OptPriv must have at most {MOST_PLACES} places, as more take minutes",
            value=n,
            remedy="Choose fewer cells",
        )
    before = distribution(prior, "prior", n)
    loss = error if quality is None else square(quality, "quality", n)
    allowed = positive(quality_bound, "quality_bound", zero=True)
    least = float(before @ loss.min(axis=1))
    if least > allowed * (1 + 1e-12):
        raise InputError(f"quality_bound must be at least {least:.12g}, the least possible loss", value=allowed)
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
        notices=(ONE_OF_MANY,),
    )


def can_solve(places: int) -> bool:
    """Whether OptPriv can be solved here for this many places; it needs HiGHS."""
    return places <= MOST_PLACES and not compiling.is_plain()


def _solve(error: Floats, before: Floats, loss: Floats, allowed: float) -> tuple[Floats, float]:
    """The matrix that HiGHS finds, and the upper bound on the adversary error that its multipliers prove."""
    n = len(before)
    scale = float((before @ error).min()) or 1.0  # losses near 1 suit the solver's tolerances
    model = _model(before[:, None] * error / scale, before[:, None] * loss / scale, allowed / scale)
    # from inside the optimal face to a vertex: the simplex would stop at the vertex next to its start, the report of one
    # fixed cell, and show the same few reports whatever the prior
    model.setOptionValue("solver", "ipm")
    # rounding is corrected and proven below; a tighter tolerance fails for scattered places and solves them twice
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        model.setOptionValue(name, FEASIBILITY)
    run(model, np.inf)
    found = model.getSolution()
    # HiGHS minimises, so the multipliers of upper limits are negative
    multipliers = np.clip(-np.array(found.row_dual)[n:], 0, None)
    matrix = np.array(found.col_value)[: n * n].reshape(n, n)
    return matrix, _upper_bound(error, before, loss, allowed, multipliers)


def _model(error: Floats, loss: Floats, allowed: float) -> Any:
    """Variables: K (n, n) by rows, then w (n,). Rows: the sums of K, ``w_z - sum_x error[x, g] K_xz <= 0``, the loss."""
    n = len(error)
    model = empty_model(np.concatenate([np.zeros(n * n), -np.ones(n)]))
    model.addRows(n, np.ones(n), np.ones(n), n * n, np.arange(0, n * n, n), np.arange(n * n), np.ones(n * n))
    report = np.arange(n)
    for z in report:
        # one row for every guess: the column K[:, z], and w_z
        columns = np.concatenate([report * n + z, [n * n + z]])
        values = np.concatenate([-error.T, np.ones((n, 1))], axis=1)
        starts = np.arange(0, n * (n + 1), n + 1)
        model.addRows(n, np.full(n, -np.inf), np.zeros(n), n * (n + 1), starts, np.tile(columns, n), values.ravel())
    model.addRow(-np.inf, allowed, n * n, np.arange(n * n), loss.ravel())
    return model


def _upper_bound(error: Floats, before: Floats, loss: Floats, allowed: float, multipliers: Floats) -> float:
    """``sum_x pi_x max_z (sum_g u_zg d_A(x, g) - v d_Q(x, z)) + v q`` for guesses u (rows sum to 1) and any v >= 0."""
    n = len(before)
    weights, rate = multipliers[: n * n].reshape(n, n), float(multipliers[-1])
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.5, weights / np.where(total > 0.5, total, 1.0), 1 / n)
    return float(before @ (error @ weights.T - rate * loss).max(axis=1) + rate * allowed)


def _within(matrix: Floats, before: Floats, loss: Floats, allowed: float) -> Floats:
    """The matrix, mixed with the most precise report to bring the loss within the bound if rounding exceeded it."""
    found = float(before @ (matrix * loss).sum(axis=1))
    if found <= allowed:
        return matrix
    precise = np.zeros_like(matrix)
    precise[np.arange(len(matrix)), loss.argmin(axis=1)] = 1
    least = float(before @ loss.min(axis=1))
    share = min(1.0, (found - allowed) / max(found - least, 1e-300) * (1 + 1e-9))
    return (1 - share) * matrix + share * precise
