"""Planar Laplace remapped to the nearest of n points: the probability of each cell, integrated to rounding precision.

By Green's theorem, the mass of a cell is a sum over its edges. Seen from the true place at distance h from the line of
an edge, the mass beyond the edge is ``1/(2 pi) int G(eps h cosh v) / cosh v dv``, where ``G(s) = (1 + s) e^-s`` and v
is the inverse hyperbolic sine of the position along the edge over h. In v, the integrand is smooth on the same scale
for every epsilon, edge and distance, so a 20-point Gauss rule on panels of half a unit is exact to rounding.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import points, positive
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.channel import Channel, certify

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_PANEL = 0.5
_TAIL = 60.0
"""Cells are cut off where (1 + s) e^-s is below 1e-24."""


def planar_laplace_channel(points_m: ArrayLike, epsilon_per_m: float) -> Channel:
    """Planar Laplace noise, then the nearest point: ``K_xz = int_cell(z) eps^2/(2 pi) e^{-eps |y - p_x|} dy``.

    Parameters
    ----------
    points_m : (n, 2) metres. epsilon_per_m : 1/m, above 0. Any unit and its inverse will do.

    Returns
    -------
    Channel; `quality_loss` is for a uniform prior (use `quality_loss` for another), `gap` is nan as nothing is
    optimised, `error` is a bound on the error of an entry.

    Raises
    ------
    InputError : not points, or an epsilon that is not above 0.

    Notes
    -----
    Guarantee: epsilon d-private, as remapping is post-processing; `epsilon` is the certificate over all pairs, usually
    below the request.
    Numerics: the integral uses the complement G, so that distant cells keep their relative precision, which the
    certificate needs; the error bound is the largest deviation of a row sum from 1. If several points coincide, the
    first gets the mass. Paper: Andres et al. 2013, sections 4 and 5.

    Examples
    --------
    >>> channel = planar_laplace_channel([[0, 0], [100, 0]], 0.01)
    >>> channel.matrix.round(4).tolist()
    [[0.648, 0.352], [0.352, 0.648]]
    >>> channel.epsilon < 0.01
    True
    """
    places = points(points_m, least=1)
    epsilon = positive(epsilon_per_m, "epsilon_per_m")
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    first = np.array([int(np.argmax(row == 0)) for row in apart])
    masses = _masses(places, epsilon, np.flatnonzero(first == np.arange(len(places))), float(apart.max()))
    error = float(np.abs(masses.sum(axis=1) - 1).max()) + 1e-15
    sure = certify(masses, apart, epsilon)
    loss = float((sure.matrix * apart).sum() / len(places))
    return replace(sure, quality_loss=loss, method="planar-laplace", error=error)


def _masses(places: Floats, epsilon: float, owners: NDArray[np.intp], diameter: float) -> Floats:
    """(n, n): the mass of every owner's cell, seen from every place."""
    reach = diameter + _TAIL / epsilon
    polygons = [cell(places, z, reach) + places[z] for z in owners]
    start = np.concatenate(polygons)
    end = np.concatenate([np.roll(p, -1, axis=0) for p in polygons])
    owner = np.repeat(owners, [len(p) for p in polygons])
    found = np.zeros((len(places), len(places)))
    for x, place in enumerate(places):
        found[x] = -np.bincount(owner, _beyond(start - place, end - place, epsilon), len(places))
    # every place is in the cell of the first point there, whose mass is 1 minus the mass beyond
    inside = [int(np.argmin(np.hypot(*(places[owners] - place).T))) for place in places]
    found[np.arange(len(places)), owners[inside]] += 1
    return found


def _beyond(start: Floats, end: Floats, epsilon: float) -> Floats:
    """The signed mass beyond each edge, within the angle it subtends at the origin; positive anticlockwise."""
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    along = along / np.where(length > 0, length, 1.0)[:, None]
    height = start[:, 0] * along[:, 1] - start[:, 1] * along[:, 0]
    seen = np.abs(height) > 1e-12 * (length + np.hypot(*start.T))  # an edge in line with the place spans no angle
    h = np.where(seen, np.abs(height), 1.0)
    low, high = (np.arcsinh((corner * along).sum(axis=1) / h) for corner in (start, end))
    panels = np.where(seen, np.ceil((high - low) / _PANEL), 0).astype(int)
    edge = np.repeat(np.arange(len(start)), panels)
    width = (high - low)[edge] / panels[edge]
    number = np.arange(len(edge)) - np.repeat(np.cumsum(panels) - panels, panels)
    cosh = np.cosh((low[edge] + width * (number + 0.5))[:, None] + width[:, None] / 2 * _NODES)
    s = epsilon * h[edge][:, None] * cosh
    mass = ((1 + s) * np.exp(-s) / cosh) @ _WEIGHTS * width / (4 * np.pi)
    return np.sign(height) * np.bincount(edge, mass, len(start))


def cell(points: Floats, z: int, reach: float) -> Floats:
    """The polygon of the places nearer to point z than to any other, relative to z, anticlockwise, (k, 2).

    It is cut off at the square with half side `reach` around z. The other points are taken in order of distance: once a
    point is more than twice as far as the farthest corner, nothing more can be cut off.
    """
    away = points - points[z]
    far = np.hypot(away[:, 0], away[:, 1])
    polygon = reach * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for other in np.argsort(far, kind="stable"):
        if far[other] == 0:
            continue
        if far[other] > 2 * np.hypot(polygon[:, 0], polygon[:, 1]).max():
            break
        normal = away[other] / far[other]
        polygon = _clip(polygon, polygon @ normal - far[other] / 2)
    return polygon


def _clip(polygon: Floats, beyond: Floats) -> Floats:
    """The part of a convex polygon where `beyond`, given at its corners, is 0 or less."""
    inside = beyond <= 0
    if inside.all():
        return polygon
    corners: list[Floats] = []
    for a in range(len(polygon)):
        b = (a + 1) % len(polygon)
        if inside[a]:
            corners.append(polygon[a])
        if inside[a] != inside[b]:
            share = beyond[a] / (beyond[a] - beyond[b])
            corners.append(polygon[a] + share * (polygon[b] - polygon[a]))
    return np.array(corners)
