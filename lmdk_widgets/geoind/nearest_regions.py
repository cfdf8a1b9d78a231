"""Regions of any size and shape instead of square cells: each is the part of the plane nearest to its representative."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import numbers, positive, refused
from lmdk_widgets.geo import Floats


class Regions(NamedTuple):
    """Points in regions.

    Attributes
    ----------
    of : (n,) the region of each point. off_m : (n,) how far the point is from its region's representative.
    distances : (k, k) between the representatives, for `optimal_mechanism`. prior : (k,) the share of the points in each.
    """

    of: NDArray[np.intp]
    off_m: Floats
    distances: Floats
    prior: Floats

    def most_told(self, epsilon_per_m: float) -> Floats:
        """How well a mechanism on the representatives may tell any two of the points apart.

        Parameters
        ----------
        epsilon_per_m : what it keeps between representatives, above 0.

        Returns
        -------
        (n, n) logarithms of odds, 0 for points of one region.

        Examples
        --------
        >>> found = regions([[49, 0], [51, 0], [60, 10]], [[0, 0], [100, 0]])
        >>> found.most_told(0.01).tolist()  # the first two are 2 m apart, on both sides of the border
        [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
        """
        told: Floats = positive(epsilon_per_m, "epsilon_per_m") * self.distances[self.of][:, self.of]
        return told


def regions(points_m: ArrayLike, representatives_m: ArrayLike) -> Regions:
    """Divide the plane by representatives, and find the region of each point.

    Parameters
    ----------
    points_m : (n, 2) metres in a local frame. representatives_m : (k, 2) places in the same frame, all different, that were
        chosen without looking at the points: stations, districts, antennas.

    Returns
    -------
    Regions; the prior is that of these points, so it is as secret as they are.

    Raises
    ------
    InputError : points or representatives of another shape, or two representatives at one place.

    Notes
    -----
    Guarantee of a mechanism that is epsilon d-private on the representatives: two places x, x' in regions c, c' are told
    apart by odds of at most e^(epsilon |c - c'|), which is at most e^(epsilon (|x - x'| + off + off')), and places in one
    region not at all. Two places near each other on both sides of a border are told apart as well as their representatives.
    Bordenabe, Chatzikokolakis, Palamidessi, CCS 2014, section 3.1: regions "of arbitrary size and shape".

    Examples
    --------
    >>> found = regions([[0, 0], [90, 0], [60, 10]], [[0, 0], [100, 0]])
    >>> found.of.tolist(), found.off_m.round(1).tolist(), found.prior.round(2).tolist()
    ([0, 1, 1], [0.0, 10.0, 41.2], [0.33, 0.67])
    """
    points, centres = _plane(points_m, "points_m"), _plane(representatives_m, "representatives_m")
    if len(np.unique(centres, axis=0)) < len(centres):
        raise refused("representatives_m", "places that are all different", "a place twice")
    apart = np.linalg.norm(points[:, None] - centres, axis=2)
    of = apart.argmin(axis=1)
    distances = np.linalg.norm(centres[:, None] - centres, axis=2)
    return Regions(
        of, apart[np.arange(len(points)), of], distances, np.bincount(of, minlength=len(centres)) / len(points)
    )


def _plane(values: ArrayLike, name: str) -> Floats:
    found = numbers(values, name)
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        raise refused(name, "of shape (n, 2) with at least one row", f"shape {found.shape}")
    return found
