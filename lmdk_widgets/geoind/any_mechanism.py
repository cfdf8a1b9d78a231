"""How far off any mechanism is that keeps geo-indistinguishability, whatever it reports and however the report is read.

A report may be any place, a text, or anything else; what is read from it is a place again. The proofs are in
docs/least_error.md.
"""

from __future__ import annotations

import math

from lmdk_widgets.checks import positive

OFF_CELLS = (3 - math.sqrt(7)) / 2
"""To report only corners of a square lattice costs at most this share of the squares' side: .177."""

_DOWN = 1 - 1e-8
"""Bounds are rounded down by far more than their few roundings, and than those of a number that is shown."""


def least_error(epsilon_per_m: float, spread_m: float = math.inf) -> float:
    """No reader of any epsilon d-private mechanism is nearer on average: ``2 / (epsilon + 2 / spread)``.

    Parameters
    ----------
    epsilon_per_m : 1/m, 0 or more. Any unit and its inverse will do.
    spread_m : how far the places are from a middle on average, above 0: they lie around it with the density
        ``eta^2 / (2 pi) e^(-eta d)``, eta = 2 / spread. Infinite: at the worst place of a plane.

    Returns
    -------
    the mean distance from the true place to what is read, in the unit of the spread, rounded down; infinite for epsilon 0
    without a spread.

    Raises
    ------
    InputError : a negative epsilon, or a spread that is not above 0.

    Notes
    -----
    Without a spread it is the error of planar Laplace, which no mechanism undercuts at its worst place. Proof: the density of
    where the guess lies relative to the true place, averaged over the places, falls by no more than the factor
    e^((epsilon + eta) d) within d; of all such densities the one that always falls so fast lies nearest.

    Examples
    --------
    >>> round(least_error(0.001), 3), round(least_error(0.001, 2000.0), 3), round(least_error(0.0, 2000.0), 3)
    (2000.0, 1000.0, 2000.0)
    """
    epsilon = positive(epsilon_per_m, "epsilon_per_m", zero=True)
    spread = math.inf if spread_m == math.inf else positive(spread_m, "spread_m")
    rate = epsilon + 2 / spread
    return math.inf if rate == 0 else 2 / rate * _DOWN


def two_place_error(epsilon_per_m: float, apart_m: float) -> float:
    """The same for someone who is at either of two places, each as likely: ``d / (1 + e^(epsilon d))``.

    Parameters
    ----------
    epsilon_per_m : 1/m, 0 or more. apart_m : d, metres, above 0.

    Returns
    -------
    metres, rounded down.

    Raises
    ------
    InputError : a negative epsilon, or a distance that is not above 0.

    Notes
    -----
    Le Cam's bound: a guess is d from the two places together, and a share of at least ``1 / (1 + e^(epsilon d))`` of what
    may be reported is about the wrong one. Reporting one of the two attains it. The largest is .278 / epsilon, for places
    1.278 / epsilon apart.

    Examples
    --------
    >>> round(two_place_error(1.0, 1.2784645), 7)
    0.2784645
    """
    epsilon, apart = positive(epsilon_per_m, "epsilon_per_m", zero=True), positive(apart_m, "apart_m")
    wrong = math.exp(-epsilon * apart)
    return apart * wrong / (1 + wrong) * _DOWN


def of_any_report(least_m: float, cell_m: float, *, whole: bool) -> float:
    """A lower bound for mechanisms that report anything, from one for those that report the middle of a cell.

    Parameters
    ----------
    least_m : no mechanism that reports the middle of a cell loses less on average, metres, straight. cell_m : side of a
        cell, above 0. whole : whether the cells fill a rectangle.

    Returns
    -------
    metres, 0 or more, rounded down.

    Notes
    -----
    Whatever is read from a report can be replaced by a cell: of a rectangle, by a corner of the square of middles around it,
    drawn so that their mean is what was read; that adds at most .177 sides, and at most a factor of the square root of 2.
    Of other cells, by a cell drawn from the belief after the report, which at most doubles the loss.

    Examples
    --------
    >>> round(of_any_report(884.0, 1000.0, whole=True), 1), round(of_any_report(884.0, 1000.0, whole=False), 1)
    (706.9, 442.0)
    """
    if not whole:
        return max(least_m, 0.0) / 2 * _DOWN
    return max(least_m - OFF_CELLS * cell_m, least_m / math.sqrt(2), 0.0) * _DOWN
