"""Plane geometry of outlines: lists of points in metres, counter-clockwise, the last joined to the first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

Point = tuple[float, float]


def sides(outline: list[Point]) -> Iterator[tuple[Point, Point]]:
    """The sides of an outline, from corner to corner, all the way round."""
    return pairwise([*outline, outline[0]])


def area(outline: list[Point]) -> float:
    """Signed area in square metres, positive counter-clockwise."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in sides(outline)) / 2


def width(outline: list[Point]) -> float:
    """Twice the area divided by the circumference, in metres: roughly the narrow side of a long block."""
    return 2 * area(outline) / sum(math.dist(a, b) for a, b in sides(outline))


def meeting(a: Point, b: Point, c: Point, d: Point) -> tuple[float, Point] | None:
    """Where the segments ab and cd meet: the share of ab up to the point, and the point itself."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    det = ux * vy - uy * vx
    if abs(det) < 1e-9:
        return None
    t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / det
    s = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / det
    return (t, (a[0] + t * ux, a[1] + t * uy)) if 0 <= t <= 1 and 0 <= s <= 1 else None


def across(outline: list[Point], share: float, tilt: float) -> tuple[Point, Point]:
    """A line across the long side of an outline's smallest rectangle: a point on it, and its normal."""
    smallest, point, normal = math.inf, (0.0, 0.0), (1.0, 0.0)
    for a, b in sides(outline):
        size = max(math.dist(a, b), 1e-6)
        ux, uy = (b[0] - a[0]) / size, (b[1] - a[1]) / size
        us = [x * ux + y * uy for x, y in outline]
        vs = [y * ux - x * uy for x, y in outline]
        long, wide = max(us) - min(us), max(vs) - min(vs)
        if size < 1.0 or long * wide >= smallest:
            continue
        u, v = (min(us) + max(us)) / 2, (min(vs) + max(vs)) / 2
        if long >= wide:
            u, normal = min(us) + share * long, (ux, uy)
        else:
            v, normal = min(vs) + share * wide, (-uy, ux)
        smallest, point = long * wide, (u * ux - v * uy, u * uy + v * ux)
    (nx, ny), cosine, sine = normal, math.cos(tilt), math.sin(tilt)
    return point, (cosine * nx - sine * ny, sine * nx + cosine * ny)


def crossing_chord(outline: list[Point], point: Point, normal: Point) -> list[tuple[int, Point]] | None:
    """The longest piece of a line inside an outline: for each end, the number of the wall, and the point."""
    nx, ny = normal
    height = [(x - point[0]) * nx + (y - point[1]) * ny for x, y in outline]
    hits = []
    for i, (a, h) in enumerate(zip(outline, height, strict=True)):
        b, k = outline[(i + 1) % len(outline)], height[(i + 1) % len(outline)]
        if (h < 0) != (k < 0):
            x, y = a[0] + (b[0] - a[0]) * h / (h - k), a[1] + (b[1] - a[1]) * h / (h - k)
            hits.append((y * nx - x * ny, i, (x, y)))
    hits.sort()
    pairs = [(hits[i + 1][0] - hits[i][0], i) for i in range(0, len(hits) - 1, 2)]
    if not pairs:
        return None
    _, i = max(pairs)
    return [hits[i][1:], hits[i + 1][1:]]
