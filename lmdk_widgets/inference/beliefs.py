"""How good a belief about the states is: the best guess, its error, how often it is right, and what was learned.

A belief is an array (n, m): a distribution over the states at each timestamp, such as an attribute of `TrackPosterior`. A
`TrackPosterior` itself stands for its `smoothed`. All results are for the adversary with this belief.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import fraction, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.track import TrackPosterior

_ROUNDING = 1e-12
"""Expected distances with a smaller relative difference count as equal: they are sums in different orders."""


def best_guesses(posterior: Any, distances: ArrayLike) -> NDArray[np.intp]:
    """The state with the smallest expected distance at each timestamp: ``argmin_g sum_x gamma_t(x) d(x, g)``.

    Parameters
    ----------
    posterior : (n, m) belief, or a `TrackPosterior`. distances : (m, k) from each state to each guess, 0 or more, any unit.

    Returns
    -------
    (n,) columns of `distances`, the first one if several are equally good up to rounding.

    Raises
    ------
    InputError : rows that are not distributions, shapes that do not match, negative distances.

    Notes
    -----
    Guarantee: none, this is a measurement. Shokri et al., "Quantifying location privacy", S&P 2011, section IV.

    Examples
    --------
    >>> best_guesses([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]]).tolist()
    [1, 0]
    """
    return first_least(_guess_losses(posterior, distances))[0]


def first_least(losses: Floats) -> tuple[NDArray[np.intp], Floats]:
    """(n,) the first column of each row (n, k) that is the smallest up to rounding, and (n,) the smallest value."""
    least = losses.min(axis=1)
    return (losses <= least[:, None] * (1 + _ROUNDING)).argmax(axis=1), least


def expected_error(posterior: Any, distances: ArrayLike) -> Floats:
    """The error of the best guess at each timestamp, as the adversary expects it: ``min_g sum_x gamma_t(x) d(x, g)``.

    Parameters and errors are those of `best_guesses`; (n,) in the unit of the distances. Someone who knows the truth can
    compute the actual error: `error_at`.

    Examples
    --------
    >>> expected_error([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]]).round(12).tolist()
    [0.8, 0.4]
    """
    return _guess_losses(posterior, distances).min(axis=1)


def error_at(posterior: Any, distances: ArrayLike, truth: ArrayLike) -> Floats:
    """The expected distance from the belief to the true state: ``sum_x gamma_t(x) d(x, truth_t)``, (n,).

    Parameters
    ----------
    posterior, distances : as for `best_guesses`, distances (m, m). truth : (n,) states.

    Raises
    ------
    InputError : as for `best_guesses`, or invalid states.

    Notes
    -----
    Shokri et al., S&P 2011: the adversary's incorrectness. This number is only for the track's owner.

    Examples
    --------
    >>> error_at([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]], [1, 1]).round(12).tolist()
    [0.8, 0.8]
    """
    belief = checked_belief(posterior)
    apart = _table(distances, belief.shape[1])
    return np.einsum("tx,tx->t", belief, apart.T[_truth(truth, len(belief), apart.shape[1])])


def chance_right(posterior: Any) -> Floats:
    """The chance that the likeliest state at each timestamp is the true one: the largest probability, (n,).

    Raises
    ------
    InputError : rows that are not distributions.

    Examples
    --------
    >>> chance_right([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]]).tolist()
    [0.4, 0.7]
    """
    return checked_belief(posterior).max(axis=1)


def hits(posterior: Any, truth: ArrayLike) -> Floats:
    """The probability that the belief assigns to the true state at each timestamp: ``gamma_t(truth_t)``, (n,).

    Parameters
    ----------
    posterior : as for `best_guesses`. truth : (n,) states.

    Raises
    ------
    InputError : as for `best_guesses`, or invalid states.

    Examples
    --------
    >>> hits([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [2, 1]).tolist()
    [0.4, 0.2]
    """
    belief = checked_belief(posterior)
    return belief[np.arange(len(belief)), _truth(truth, *belief.shape)]


def credible_region(posterior: Any, share: float = 0.95) -> NDArray[np.bool_]:
    """The fewest states that together have a given share of the belief at each timestamp.

    Parameters
    ----------
    posterior : as for `best_guesses`. share : between 0 and 1.

    Returns
    -------
    (n, m) bool, the states in the region; ``.sum(axis=1)`` is its size. Of equally likely states, it contains the first ones.

    Raises
    ------
    InputError : rows that are not distributions, a share outside 0 to 1.

    Notes
    -----
    A share that is reached up to rounding counts as reached.

    Examples
    --------
    >>> credible_region([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], 0.5).tolist()
    [[True, False, True], [True, False, False]]
    """
    belief, wanted = checked_belief(posterior), fraction(share, "share")
    order = np.argsort(-belief, axis=1, kind="stable")
    held = np.cumsum(np.take_along_axis(belief, order, axis=1), axis=1)
    needed = np.zeros(belief.shape, bool)
    needed[:, 0] = wanted > 0
    needed[:, 1:] = held[:, :-1] < wanted * (1 - 1e-12)
    region = np.empty_like(needed)
    np.put_along_axis(region, order, needed, axis=1)
    return region


def learned(log_after: ArrayLike, log_before: ArrayLike) -> Floats:
    """The most by which the odds of two states changed: ``max_x c(x) - min_x c(x)``, c(x) = ln(after(x) / before(x)).

    Parameters
    ----------
    log_after : (n, m) logarithms of a belief, such as `TrackPosterior.log_smoothed`.
    log_before : (n, m) those of the earlier belief, such as `TrackPosterior.log_marginal`.

    Returns
    -------
    (n,) 0 or more: over the states that were possible before; infinite if one of them has become impossible.

    Raises
    ------
    InputError : shapes that differ, a number that is not the logarithm of a probability, a state that was impossible before
        and is possible after, a timestamp without a possible state.

    Notes
    -----
    This is what all releases together revealed about timestamp t. If every release with budget epsilon is
    epsilon-differentially private over the states, as m-ary randomised response is, `log_smoothed` never shows more than
    ``temporal_loss(reverse([P] * (n - 1), prior), P, budgets).total``, `log_filtered` no more than its `.backward`,
    `log_predicted` no more than its `.forward`, and `log_alone` no more than the budget. Under planar Laplace, that loss
    is for the protection radius: states farther apart may be distinguished by more.

    It uses logarithms, because a probability that rounds to 0 still has odds.

    Examples
    --------
    >>> learned(np.log([[0.75, 0.25]]), np.log([[0.5, 0.5]])).round(12).tolist()  # ln 3
    [1.098612288668]
    """
    after, before = _logs(log_after, "log_after"), _logs(log_before, "log_before")
    if after.shape != before.shape:
        raise refused("log_after and log_before", "of equal shape", f"shapes {after.shape} and {before.shape}")
    possible = before > -np.inf
    if (~possible & (after > -np.inf)).any():
        t, x = (int(i) for i in np.argwhere(~possible & (after > -np.inf))[0])
        raise InputError("log_after must be -inf where log_before is", value=f"a possible state at index ({t}, {x})")
    change = np.subtract(after, before, out=np.full(after.shape, np.nan), where=possible)
    return np.fmax.reduce(change, axis=1) - np.fmin.reduce(change, axis=1)


def _guess_losses(posterior: Any, distances: ArrayLike) -> Floats:
    """(n, k) the expected distance for every guess."""
    belief = checked_belief(posterior)
    return belief @ _table(distances, belief.shape[1])


def checked_belief(posterior: Any) -> Floats:
    """The belief as an array (n, m), each row a distribution."""
    if isinstance(posterior, TrackPosterior):
        return posterior.smoothed
    return checks.channel_matrix(posterior, "posterior")


def _table(distances: ArrayLike, m: int) -> Floats:
    table = checks.numbers(distances, "distances")
    if table.ndim != 2 or len(table) != m or not table.shape[1]:
        raise refused("distances", f"a matrix with a row for each of {m:,} states", f"shape {table.shape}")
    return checks.not_negative(table, "distances")


def _truth(truth: ArrayLike, n: int, m: int) -> NDArray[np.int64]:
    found = checks.states(truth, "truth", m)
    if len(found) != n:
        raise refused("truth", f"one state for each of {n:,} timestamps", f"shape {found.shape}")
    return found


def _logs(values: ArrayLike, name: str) -> Floats:
    array = checks.floats(values, name)
    if array.ndim != 2 or 0 in array.shape:
        raise refused(name, "a row for each timestamp and a column for each state", f"shape {array.shape}")
    if not array.max() < np.inf or not (array.max(axis=1) > -np.inf).all():
        raise refused(
            name, "logarithms of probabilities, at least one of them finite at each timestamp", "other numbers"
        )
    return array
