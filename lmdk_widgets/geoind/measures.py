"""What a channel costs and what an adversary learns from it, exactly, for any distances.

A channel K is a matrix: row x is the distribution of the report when the true place is x. Shokri et al.,
"Protecting location privacy: optimal strategy against localization attacks", CCS 2012; Bordenabe, Chatzikokolakis,
Palamidessi, "Optimal geo-indistinguishable mechanisms for location privacy", CCS 2014, section 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import channel_matrix, distribution, metric, not_negative, numbers, refused
from lmdk_widgets.geo import Floats


def quality_loss(matrix: ArrayLike, prior: ArrayLike, distances: ArrayLike) -> float:
    """The expected distance from the true place to the reported one: ``sum_xz pi_x K_xz d(x, z)``.

    Parameters
    ----------
    matrix : (n, m) channel. prior : (n,) probabilities. distances : (n, m), any unit, 0 or more.

    Returns
    -------
    the loss in the unit of the distances, 0 or more.

    Raises
    ------
    InputError : shapes that do not fit, rows or a prior that do not sum to 1, negative or missing values.

    Notes
    -----
    Guarantee: none; this is a measurement.

    Examples
    --------
    >>> quality_loss([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5], [[0, 2], [2, 0]])
    0.5
    """
    channel, before = _checked(matrix, prior)
    return float(np.einsum("x,xz,xz->", before, channel, _table(distances, channel.shape)))


def adversary_error(matrix: ArrayLike, prior: ArrayLike, distances: ArrayLike) -> float:
    """The expected error of the best guess: ``sum_z min_g sum_x pi_x K_xz d(x, g)``, the AdvError of Shokri et al.

    Parameters
    ----------
    matrix : (n, m) channel. prior : (n,) the adversary's prior. distances : (n, k), from each true place to each guess.

    Returns
    -------
    the expected distance of the best guess, in the unit of the distances; never above `quality_loss` with the same
    distances, and equal to it for an optimal mechanism whose two distances agree (Bordenabe et al., Theorem 3).

    Raises
    ------
    InputError : as `quality_loss`.

    Notes
    -----
    Guarantee: none; the value applies to this prior only.

    Examples
    --------
    >>> adversary_error([[0.75, 0.25], [0.25, 0.75]], [0.9, 0.1], [[0, 2], [2, 0]])  # always guess the likelier place
    0.2
    """
    channel, before = _checked(matrix, prior)
    return float(_guess_losses(channel, before, distances).min(axis=1).sum())


def bayes_vulnerability(matrix: ArrayLike, prior: ArrayLike) -> float:
    """The probability that an adversary's guess is exactly right: sum over reports z of max over places x of pi_x K_xz.

    Before any report it is the largest prior probability. A mechanism with less quality loss may well be easier to
    guess exactly: the adversary's error counts metres, this counts hits.

    Parameters
    ----------
    matrix : (n, m) channel. prior : (n,) the adversary's prior.

    Raises
    ------
    InputError : as `quality_loss`.

    Notes
    -----
    Guarantee: none; the value applies to this prior only. Smith, "On the foundations of quantitative information flow",
    FoSSaCS 2009.

    Examples
    --------
    >>> round(bayes_vulnerability([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5]), 12)
    0.75
    """
    channel, before = _checked(matrix, prior)
    return float((before[:, None] * channel).max(axis=0).sum())


def best_remap(matrix: ArrayLike, prior: ArrayLike, distances: ArrayLike) -> NDArray[np.intp]:
    """The best guess for each report: ``argmin_g sum_x pi_x K_xz d(x, g)``; the first one if several are equally good.

    Parameters and errors are as for `adversary_error`. Reporting the guess instead is post-processing, so it costs no
    privacy.

    Returns
    -------
    (m,) indices into the columns of `distances`. A report that never happens under this prior teaches nothing, as in
    `posterior`: its entry is the best guess before any report. As nobody ever makes that guess, check that a report can
    happen before showing its guess.

    Examples
    --------
    >>> best_remap([[0.75, 0.25], [0.25, 0.75]], [0.9, 0.1], [[0, 2], [2, 0]]).tolist()
    [0, 0]
    >>> best_remap([[1, 0], [1, 0]], [0.1, 0.9], [[0, 2], [2, 0]]).tolist()  # the second report is never made
    [1, 1]
    """
    channel, before = _checked(matrix, prior)
    losses = _guess_losses(channel, before, distances)
    blind = before @ _table(distances, (len(channel), None))
    return np.where(before @ channel > 0, losses.argmin(axis=1), blind.argmin())


def posterior(matrix: ArrayLike, prior: ArrayLike) -> Floats:
    """The adversary's belief after each report: ``P[x, z] = pi_x K_xz / sum_x' pi_x' K_x'z``.

    Parameters
    ----------
    matrix : (n, m) channel. prior : (n,) probabilities.

    Returns
    -------
    (n, m): column z is the distribution of the true place given report z. A report that never happens under this prior
    teaches nothing: its column is the prior.

    Raises
    ------
    InputError : as `quality_loss`.

    Notes
    -----
    Numerics: each column is first divided by its largest entry, so that probabilities near 1e-300 do not vanish.

    Examples
    --------
    >>> posterior([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5])[:, 0].tolist()
    [0.75, 0.25]
    """
    channel, before = _checked(matrix, prior)
    joint = before[:, None] * channel
    largest = joint.max(axis=0)
    scaled = np.divide(joint, largest, out=np.zeros_like(joint), where=largest > 0)
    total = scaled.sum(axis=0)
    return np.where(total > 0, scaled / np.where(total > 0, total, 1.0), before[:, None])


def smallest_epsilon(matrix: ArrayLike, distances: ArrayLike) -> float:
    """The privacy a channel provides: ``max |ln K_xz - ln K_x'z| / d(x, x')`` over all pairs x, x' and all reports z.

    Parameters
    ----------
    matrix : (n, m) channel. distances : (n, n) symmetric, the privacy metric.

    Returns
    -------
    the smallest epsilon (in the inverse of the unit of the distances) for which the channel is geo-indistinguishable;
    infinite if a report is possible from one place but not from another, or if the rows of two places at distance 0
    differ.

    Raises
    ------
    InputError : shapes that do not fit, rows that do not sum to 1, distances that are not symmetric.

    Notes
    -----
    Guarantee: this is the certificate, over *all* pairs, not only those a solver was given; a solver's own status is
    not a proof. A report that is impossible everywhere is ignored.
    Numerics: differences of logarithms, not ratios, which overflow from epsilon d = 709 on. Memory n m.
    Paper: Bordenabe et al. 2014, section 2.3.

    Examples
    --------
    >>> round(smallest_epsilon([[0.75, 0.25], [0.25, 0.75]], [[0, 2], [2, 0]]), 6)  # ln 3 over the distance of 2
    0.549306
    >>> smallest_epsilon([[1, 0], [0.5, 0.5]], [[0, 2], [2, 0]])
    inf
    """
    channel = channel_matrix(matrix)
    return _smallest_epsilon(channel, metric(distances, n=len(channel)))


def _smallest_epsilon(channel: Floats, distances: Floats) -> float:
    possible = channel > 0
    if (possible.any(axis=0) != possible.all(axis=0)).any():
        return float("inf")
    logs = np.log(channel[:, possible.all(axis=0)])
    worst = 0.0
    for x in range(len(logs) - 1):
        ratio = np.abs(logs[x + 1 :] - logs[x]).max(axis=1)
        apart = distances[x, x + 1 :]
        if (ratio[apart == 0] > 0).any():
            return float("inf")
        worst = max(worst, float(np.max(ratio[apart > 0] / apart[apart > 0], initial=0.0)))
    return worst


def _checked(matrix: ArrayLike, prior: ArrayLike) -> tuple[Floats, Floats]:
    channel = channel_matrix(matrix)
    return channel, distribution(prior, "prior", len(channel))


def _guess_losses(channel: Floats, before: Floats, distances: ArrayLike) -> Floats:
    """(m, k): the adversary's expected error times the probability of the report, for each report and guess."""
    return (before[:, None] * channel).T @ _table(distances, (len(channel), None))


def _table(distances: ArrayLike, shape: tuple[int, int | None]) -> Floats:
    table = numbers(distances, "distances")
    if table.ndim != 2 or len(table) != shape[0] or shape[1] not in (None, table.shape[1]) or table.shape[1] == 0:
        what = f"a matrix of shape ({shape[0]}, {shape[1] or 'number of guesses'}), a row for each place of the channel"
        raise refused("distances", what, f"shape {table.shape}")
    return not_negative(table, "distances")
