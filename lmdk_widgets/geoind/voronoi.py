"""The cells of the nearest point (Voronoi cells), cut off at a box, by clipping with one bisector after the other."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats


def cell(points: Floats, z: int, reach: float) -> Floats:
    """The polygon of the places nearer to point z than to any other, relative to z, counterclockwise, (k, 2).

    It is cut off at the square of half side `reach` around z. The other points are taken by growing distance: one
    that is farther than twice the farthest corner can cut nothing more off.
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
    """The part of a convex polygon on which `beyond`, given at its corners, is 0 or less."""
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
