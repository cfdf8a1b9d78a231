"""The Lipschitz constant of any query on a series of states, which the quilt mechanism needs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import numbers, refused, whole
from lmdk_widgets.errors import InputError

MOST_SERIES = 200_000
"""The most series that are tried one by one."""


def additive_lipschitz(weights: ArrayLike) -> float:
    """The smallest L of a query that adds up a weight, or several, for the state at each timestamp.

    Parameters
    ----------
    weights : (T, m, d): what state x at timestamp t adds to the d answers; or (m, d), the same at every timestamp; or (m,)
        for one answer. A histogram has the identity matrix, energy the power of each state times the hours.

    Returns
    -------
    L, 0 or more: changing one state changes the answers by at most L in L1 norm, and some change by L.

    Raises
    ------
    InputError : weights that are not finite numbers, of another shape, or for no state.

    Notes
    -----
    Changing the state at t from x to y changes the sum by weights[t, y] - weights[t, x], whatever the others are: L is the
    largest L1 norm of these differences. For `quilt_mechanism`. Song, Wang, Chaudhuri, SIGMOD 2017, section 4.

    Examples
    --------
    >>> additive_lipschitz([[1, 0], [0, 1]]), additive_lipschitz([0.1, 0.5, 2.0])  # a histogram; kWh in an hour
    (2.0, 1.9)
    """
    table = numbers(weights, "weights")
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim == 2:
        table = table[None]
    if table.ndim != 3 or not table.size:
        raise refused("weights", "of shape (T, m, d), (m, d) or (m,)", f"shape {np.shape(weights)}")
    return float(max(np.abs(table[:, :, None] - table[:, None]).sum(axis=3).max(axis=(1, 2))))


def smallest_lipschitz(query: Callable[[Any], ArrayLike], length: int, n_states: int) -> float:
    """The smallest L of any query, by trying all series.

    Parameters
    ----------
    query : F, which takes a series of states (T,) and returns a number or an array, always of the same shape.
    length : T, at least 1. n_states : m, at least 1; m^T may be at most 200,000.

    Returns
    -------
    L, 0 or more: changing one state changes F by at most L in L1 norm, and for some series it changes by L.

    Raises
    ------
    InputError : too many series, or answers that are not finite numbers of one shape.

    Notes
    -----
    It is exact for this length alone. For longer series use `additive_lipschitz`, or prove L: the number of times that the
    state changes has L = 2, as a state takes part in two changes; the longest run has L = (T + 1) / 2 or so, which makes it
    as noisy as hiding everything.

    Examples
    --------
    >>> smallest_lipschitz(lambda s: np.count_nonzero(np.diff(s)), 6, 2)  # how often the state changes
    2.0
    """
    n, m = whole(length, "length"), whole(n_states, "n_states")
    if m**n > MOST_SERIES:
        raise InputError(
            f"The query must be tried on at most {MOST_SERIES:,} series",
            value=f"{m:,} to the power of {n:,}",
            remedy="Choose a shorter series or fewer states, or use additive_lipschitz",
        )
    series = np.array(list(product(range(m), repeat=n)))
    answers = numbers([np.ravel(numbers(query(each), "the answers of the query")) for each in series], "the answers")
    place = m ** np.arange(n - 1, -1, -1)
    most = 0.0
    for t in range(n):
        for up in range(1, m):
            rows = np.flatnonzero(series[:, t] + up < m)
            changed = np.abs(answers[rows + up * place[t]] - answers[rows]).sum(axis=1)
            most = max(most, float(changed.max(initial=0.0)))
    return most
