"""What a belief about the states is worth: the best guess, how far off and how often right it is, and what was learned.

A belief is an array (n, m): a distribution over the states at each timestamp, such as an attribute of `TrackPosterior`. A
`TrackPosterior` itself stands for its `smoothed`. Everything holds for the adversary whose belief it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets import checks
from lmdk_widgets.checks import fraction, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.track import TrackPosterior

_ROUNDING = 1e-12
"""Expected distances that differ by a smaller share are equal: they are sums in different orders."""


def best_guesses(posterior: Any, distances: ArrayLike) -> NDArray[np.intp]:
    """The state of least expected distance at each timestamp: ``argmin_g sum_x gamma_t(x) d(x, g)``.

    Parameters
    ----------
    posterior : (n, m) belief, or a `TrackPosterior`. distances : (m, k) from each state to each guess, 0 or more, any unit.

    Returns
    -------
    (n,) columns of `distances`, the first one where several are as good, rounding apart.

    Raises
    ------
    InputError : rows that are no distributions, shapes that do not fit, negative distances.

    Notes
    -----
    Guarantee: none, it measures. Shokri et al., "Quantifying location privacy", S&P 2011, section IV.

    Examples
    --------
    >>> best_guesses([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]]).tolist()
    [1, 0]
    """
    return first_least(_guess_losses(posterior, distances))[0]


def first_least(losses: Floats) -> tuple[NDArray[np.intp], Floats]:
    """(n,) the first column of each row (n, k) that is as small as any, rounding apart, and (n,) the smallest of the row."""
    least = losses.min(axis=1)
    return (losses <= least[:, None] * (1 + _ROUNDING)).argmax(axis=1), least


def expected_error(posterior: Any, distances: ArrayLike) -> Floats:
    """What the best guess of each timestamp is off by, as its maker believes: ``min_g sum_x gamma_t(x) d(x, g)``.

    Parameters and errors are those of `best_guesses`; (n,) in the unit of the distances. Whoever knows the truth can say how
    far off she really is: `error_at`.

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
    InputError : as `best_guesses`, or states that are none.

    Notes
    -----
    Shokri et al., S&P 2011: the adversary's incorrectness. It is a number for the owner of the track alone.

    Examples
    --------
    >>> error_at([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]], [1, 1]).round(12).tolist()
    [0.8, 0.8]
    """
    belief = checked_belief(posterior)
    apart = _table(distances, belief.shape[1])
    return np.einsum("tx,tx->t", belief, apart.T[_truth(truth, len(belief), apart.shape[1])])


def chance_right(posterior: Any) -> Floats:
    """The chance that the likeliest state of each timestamp is the true one: the largest probability, (n,).

    Raises
    ------
    InputError : rows that are no distributions.

    Examples
    --------
    >>> chance_right([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]]).tolist()
    [0.4, 0.7]
    """
    return checked_belief(posterior).max(axis=1)


def hits(posterior: Any, truth: ArrayLike) -> Floats:
    """The probability that the belief gives to the true state of each timestamp: ``gamma_t(truth_t)``, (n,).

    Parameters
    ----------
    posterior : as for `best_guesses`. truth : (n,) states.

    Raises
    ------
    InputError : as `best_guesses`, or states that are none.

    Examples
    --------
    >>> hits([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1]], [2, 1]).tolist()
    [0.4, 0.2]
    """
    belief = checked_belief(posterior)
    return belief[np.arange(len(belief)), _truth(truth, *belief.shape)]


def credible_region(posterior: Any, share: float = 0.95) -> NDArray[np.bool_]:
    """The fewest states that hold a share of the belief at each timestamp.

    Parameters
    ----------
    posterior : as for `best_guesses`. share : between 0 and 1.

    Returns
    -------
    (n, m) bool, the states of the region; ``.sum(axis=1)`` is its size. Of equally likely states the first ones are in it.

    Raises
    ------
    InputError : rows that are no distributions, a share outside 0 to 1.

    Notes
    -----
    A share that is reached but for rounding counts as reached.

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
    """By how much the odds of two states changed at most: ``max_x c(x) - min_x c(x)``, c(x) = ln(after(x) / before(x)).

    Parameters
    ----------
    log_after : (n, m) logarithms of a belief, such as `TrackPosterior.log_smoothed`.
    log_before : (n, m) those of the belief before, such as `TrackPosterior.log_marginal`.

    Returns
    -------
    (n,) 0 or more: over the states that were possible before; infinite where one of them has become impossible.

    Raises
    ------
    InputError : shapes that differ, a number that is no logarithm of a probability, a state that was impossible before and
        is possible after, a timestamp without a possible state.

    Notes
    -----
    What all releases together told about timestamp t. Where every release with budget epsilon is epsilon-differentially
    private over the states, as m-ary randomised response is, `log_smoothed` never shows more than
    ``temporal_loss(reverse([P] * (n - 1), prior), P, budgets).total``, `log_filtered` no more than its `.backward`,
    `log_predicted` no more than its `.forward`, and `log_alone` no more than the budget. Under planar Laplace that loss
    reads each budget at the protection radius: states farther apart may be told apart by more.

    Logarithms, because a probability that rounds to 0 has odds all the same.

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
    """(n, k) the expected distance of every guess."""
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
        raise refused(name, "logarithms of probabilities, at least one of them finite at each timestamp", "others")
    return array
