"""What a channel reveals to an attacker who may believe anything beforehand: Bayes capacity and Bayes security.

`bayes_vulnerability` and `adversary_error` hold for one prior. These two numbers hold for all of them, and each is reached
for one. docs/reference/geoind.md has the proofs. Braun, Chatzikokolakis, Palamidessi, "Quantitative notions of leakage for
one-try attacks", MFPS 2009; Chatzikokolakis, Cherubin, Palamidessi, Troncoso, "Bayes security: a not so average metric",
CSF 2023.
"""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import channel_matrix, positive


def bayes_capacity(matrix: ArrayLike) -> float:
    """The multiplicative Bayes capacity: ``sum_z max_x K_xz``.

    Whatever the prior is, a report makes a right guess of the secret at most this many times as likely.

    Parameters
    ----------
    matrix : (n, m) channel, a row for each secret.

    Returns
    -------
    From 1, if the reports tell nothing, to the smaller of n and m. It is reached where all secrets are equally likely.

    Raises
    ------
    InputError : a matrix whose rows are no distributions.

    Notes
    -----
    Guarantee: exact for the matrix, and a bound for every prior and anything computed from a report. It says nothing
    about how near a wrong guess is.

    Examples
    --------
    >>> bayes_capacity([[0.75, 0.25], [0.25, 0.75]])
    1.5
    """
    return float(channel_matrix(matrix).max(axis=0).sum())


def bayes_security(matrix: ArrayLike) -> float:
    """The Bayes security: 1 minus the largest total variation between two rows, ``1 - max_xy sum_z |K_xz - K_yz| / 2``.

    Whatever the prior is, of the guesses that would be wrong without a report, at least this share stays wrong.

    Parameters
    ----------
    matrix : (n, m) channel, a row for each secret.

    Returns
    -------
    From 0, if a report may tell two of the secrets apart for certain, to 1, if the reports tell nothing. It is reached
    where the two secrets whose rows differ most are equally likely, and nothing else is possible.

    Raises
    ------
    InputError : as `bayes_capacity`.

    Notes
    -----
    Guarantee: exact for the matrix, and a bound for every prior and anything computed from a report. Time n^2 m.

    Examples
    --------
    >>> bayes_security([[0.75, 0.25], [0.25, 0.75]])
    0.5
    """
    channel = channel_matrix(matrix)
    apart = [np.abs(channel[x + 1 :] - row).sum(axis=1).max(initial=0.0) for x, row in enumerate(channel)]
    return float(max(0.0, 1 - max(apart) / 2))


def planar_laplace_capacity(area_m2: float, perimeter_m: float, epsilon_per_m: float) -> float:
    """The Bayes capacity of planar Laplace, for a true place anywhere in a convex region:
    ``1 + epsilon perimeter / (2 pi) + epsilon^2 area / (2 pi)``.

    Parameters
    ----------
    area_m2, perimeter_m : of the region, in square metres and metres, 0 or more. epsilon_per_m : above 0.

    Returns
    -------
    The capacity of the noise itself, in closed form. Cells in the region, and whatever is computed from the report, such
    as the nearest cell, have no larger one.

    Raises
    ------
    InputError : an area or a perimeter below 0, an epsilon that is not above 0.

    Notes
    -----
    Guarantee: a bound on how many times likelier a guess of the exact place gets, for every prior on finitely many
    places in the region.

    Examples
    --------
    >>> round(planar_laplace_capacity(1000.0**2, 4000.0, 0.001), 4)  # a square kilometre: 1 + 5 / (2 pi)
    1.7958
    """
    positive(area_m2, "area_m2", zero=True)
    positive(perimeter_m, "perimeter_m", zero=True)
    positive(epsilon_per_m, "epsilon_per_m")
    around, within = epsilon_per_m * perimeter_m, epsilon_per_m**2 * area_m2
    return 1 + (around + within) / (2 * pi)
