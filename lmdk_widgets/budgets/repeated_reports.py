"""Repeating a report while standing still, as Location Guard does: it saves noise, but is not private.

A report stays for as long as the user is near the place where it was made; then a new one is made. The true places
decide, without noise, whether the report changes, so it distinguishes them with certainty: a repeat reveals that the
user stood still. For what a noisy test costs instead, see `lmdk_widgets.budgets.schemes.predictive`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, points, real, refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import planar_laplace


def reports_anew(points_m: ArrayLike, still_m: float) -> NDArray[np.bool_]:
    """(n,) where a new report is made: at first, and wherever a point is over `still_m` from where the last one was
    made.

    Parameters
    ----------
    points_m : (n, 2) metres. still_m : 0 or more.

    Raises
    ------
    InputError : not points, or a distance below 0.

    Examples
    --------
    >>> reports_anew([[0, 0], [30, 0], [60, 0], [60, 0]], 50.0).tolist()
    [True, False, True, False]
    """
    places = points(points_m, least=1)
    near = real(still_m)
    if not 0 <= near < np.inf:
        raise refused("still_m", "a finite number of metres, 0 or more", still_m)
    anew = np.zeros(len(places), bool)
    made: tuple[float, float] | None = None
    for t, (x, y) in enumerate(places.tolist()):
        if made is None or np.hypot(x - made[0], y - made[1]) > near:
            anew[t], made = True, (x, y)
    return anew


def repeat_while_standing(
    points_m: ArrayLike, epsilon_per_m: float, still_m: float, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.bool_]]:
    """Planar Laplace noise where `reports_anew` is true, and the last report everywhere else.

    Parameters
    ----------
    points_m, still_m : see `reports_anew`. epsilon_per_m : of each report, 1/m, above 0. rng : of the noise.

    Returns
    -------
    (n, 2) reports in metres, and (n,) whether each is new.

    Notes
    -----
    Guarantee: **none**, whatever epsilon is. Of two tracks, one that stays and one that moves on, the first repeats its
    report with probability 1 and the second with probability 0. Each report alone is epsilon d-private.

    Examples
    --------
    >>> reports, anew = repeat_while_standing([[0, 0], [0, 0], [900, 0]], 0.01, 50.0, np.random.default_rng(1))
    >>> bool((reports[0] == reports[1]).all()), anew.tolist()
    (True, [True, False, True])
    """
    anew = reports_anew(points_m, still_m)
    made = planar_laplace(np.asarray(points_m, float)[anew], epsilon_per_m, generator(rng))
    return made[np.cumsum(anew) - 1], anew
