"""From a track to a Markov chain: its states, and the observed moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import positive, whole
from lmdk_widgets.geo import Floats


def estimate_transitions(states: Any, n_states: int, *, smoothing: float = 0.0) -> Floats:
    """The transition matrix estimated from data: p[x, y] = (moves from x to y + s) / (moves from x + m s).

    Parameters
    ----------
    states : a sequence of states, integers 0 to n_states - 1, or several such sequences (no move is counted from the
        end of one to the start of the next).
    n_states : m >= 1.
    smoothing : s >= 0, added to every count; 0 is the maximum likelihood estimate.

    Returns
    -------
    (m, m). With s = 0, the row of a state without observed moves is uniform, the limit for small s.

    Raises
    ------
    InputError : a state out of range or not an integer, a negative smoothing.

    Notes
    -----
    With s = 0, rows often have disjoint supports, and the privacy loss is then that of perfect correlation: a move that
    was not observed counts as impossible.

    Examples
    --------
    >>> estimate_transitions([0, 0, 0, 1, 0], 3).round(3).tolist()
    [[0.667, 0.333, 0.0], [1.0, 0.0, 0.0], [0.333, 0.333, 0.333]]
    """
    m, added = whole(n_states, "n_states"), positive(smoothing, "smoothing", zero=True)
    several = len(states) > 0 and np.ndim(states[0]) > 0
    counts = np.zeros(m * m)
    for number, sequence in enumerate(states if several else [states]):
        s = checks.states(sequence, f"sequence {number} of states" if several else "states", m)
        counts += np.bincount(s[:-1] * m + s[1:], minlength=m * m)
    p = counts.reshape(m, m) + added
    total = p.sum(axis=1, keepdims=True)
    return np.divide(p, total, out=np.full((m, m), 1 / m), where=total > 0)


def level_states(values: ArrayLike, width: float) -> tuple[NDArray[np.int64], Floats]:
    """A series of numbers as states: the levels of equal width that contain a value, numbered from 0 upwards.

    Parameters
    ----------
    values : (n,) numbers.
    width : of a level, in the unit of the values, above 0. A level includes its lower end, and one level starts at 0.

    Returns
    -------
    states : (n,) the level of each value. Levels without a value are left out.
    centres : (m,) the middle of each level.

    Raises
    ------
    InputError : values not (n,) or not finite, a width that is not positive.

    Examples
    --------
    >>> states, centres = level_states([0.1, 0.9, 3.2, 1.0], 1.0)
    >>> states.tolist(), centres.tolist()
    ([0, 0, 2, 1], [0.5, 1.5, 3.5])
    """
    found, side = checks.series(values, "values"), positive(width, "width")
    levels, states = np.unique(np.floor(found / side), return_inverse=True)
    return states.astype(np.int64), (levels + 0.5) * side


def grid_states(points_m: ArrayLike, cell_m: float) -> tuple[NDArray[np.int64], Floats]:
    """A track as states: the grid squares that contain a point, numbered from 0 by column, then by row.

    Parameters
    ----------
    points_m : (n, 2) metres in a local frame.
    cell_m : side of a square, metres, above 0. A square includes its lower and left edges.

    Returns
    -------
    states : (n,) the square of each point. Squares without a point are left out.
    centres : (m, 2) metres, the centre of each square.

    Raises
    ------
    InputError : points not (n, 2) or not finite, a cell size that is not positive.

    Examples
    --------
    >>> states, centres = grid_states([[10, 10], [90, 10], [950, 10], [20, 30]], 100)
    >>> states.tolist(), centres.tolist()
    ([0, 0, 1, 0], [[50.0, 50.0], [950.0, 50.0]])
    """
    points, side = checks.points(points_m), positive(cell_m, "cell_m")
    cells, states = np.unique(np.floor(points / side), axis=0, return_inverse=True)
    return states.reshape(-1).astype(np.int64), (cells + 0.5) * side
