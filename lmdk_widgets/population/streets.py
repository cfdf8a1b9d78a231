"""An invented street network, grown on the skeleton of a real city.

The avenues, the quays and the ring road divide the city into quarters (the faces of a planar graph). Each quarter is
split in two across its long side, and so is each half, until blocks are 60 to 150 m wide; so every quarter gets its own
grid, aligned with its avenues and never quite regular. A street that ends close to a corner joins it, which makes a
crossing; the others make T-junctions. The river is a face too, and is never split: bridges are the only way across.

All coordinates are in metres (x east, y north), rounded to a centimetre so that no decision depends on a last bit.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lmdk_widgets.geo import LocalFrame
from lmdk_widgets.population import paris

Point = tuple[float, float]
"""Metres to the east and to the north. An outline is a list of them, counter-clockwise, the last joined to the first."""

RING, AVENUE, STREET, LANE = range(4)
"""Classes of road, fastest first."""

SNAP_M = 34.0
BLOCK_M2 = 8_500.0
FRAME = LocalFrame(*paris.CENTRE)


@dataclass(frozen=True)
class Streets:
    """A network: the positions of the crossings, and the roads that leave each crossing.

    `nodes` (n, 2) is in metres; `roads[i]` lists (neighbour, number of the road) for crossing i; indexed by the number of
    the road, `length` (m,) and `middle` (m, 2) are in metres, and `kind` (m,) is the class; `squares` maps a name in
    `paris.SQUARES` to its crossing; `lights` (n,) says which crossings have traffic lights.
    """

    nodes: np.ndarray
    roads: list[list[tuple[int, int]]]
    length: np.ndarray
    middle: np.ndarray
    kind: np.ndarray
    squares: dict[str, int]
    lights: np.ndarray

    def nearest(self, point: Point) -> int:
        """The crossing nearest to a point in metres."""
        return int(np.argmin(np.hypot(*(self.nodes - point).T)))

    def route(self, start: int, goal: int, cost: list[float], fastest: float) -> list[int]:
        """The crossings on the cheapest route (A*), with a `cost` per road, none of which is below length / `fastest`."""
        x, y = self.nodes[:, 0].tolist(), self.nodes[:, 1].tolist()
        best, previous, done = {start: 0.0}, {start: -1}, set()
        queue = [(0.0, start)]
        while queue:
            _, here = heapq.heappop(queue)
            if here == goal:
                break
            if here in done:
                continue
            done.add(here)
            for there, road in self.roads[here]:
                total = best[here] + cost[road]
                if total < best.get(there, math.inf):
                    best[there], previous[there] = total, here
                    heapq.heappush(queue, (total + math.hypot(x[there] - x[goal], y[there] - y[goal]) / fastest, there))
        way = [goal]
        while previous[way[-1]] >= 0:
            way.append(previous[way[-1]])
        return way[::-1]


def to_metres(latitude: float, longitude: float) -> Point:
    """A place in degrees as metres east and north of the centre, to a centimetre."""
    x, y = FRAME.to_metres(latitude, longitude)
    return round(float(x), 2), round(float(y), 2)


def build(seed: int) -> Streets:
    """The whole network; the same seed gives the same network."""
    mesh = Mesh(np.random.RandomState(seed))
    for names, kind in [(paris.RING, RING), *((avenue, AVENUE) for avenue in paris.AVENUES)]:
        for a, b in pairwise(names.split("|")):
            mesh.lay(mesh.corner(a), mesh.corner(b), kind)
    for i in range(len(paris.SEINE) - 1):
        for side in (0, 1):
            mesh.lay(mesh.banks[i][side], mesh.banks[i + 1][side], AVENUE)
    for (*_, bridge), ends in zip(paris.SEINE, mesh.banks, strict=True):
        if bridge:
            mesh.lay(*ends, AVENUE)
    for face in mesh.faces():
        mesh.subdivide(face)
    return mesh.streets()


class Mesh:
    """The corners, and the walls between them, while the network grows; a wall that was cut remembers where."""

    def __init__(self, random: np.random.RandomState) -> None:
        self.random = random
        self.points: list[Point] = []
        self.walls: dict[tuple[int, int], int] = {}  # (low corner, high corner): class of road
        self.cuts: dict[tuple[int, int], int] = {}  # a wall that was cut: the corner in it
        self.squares = {name: self.add(to_metres(*place)) for name, place in paris.SQUARES.items()}
        self.banks = [(self.add(north), self.add(south)) for north, south in river_banks()]
        self.ends = {
            mark + bridge: pair[side]
            for (*_, bridge), pair in zip(paris.SEINE, self.banks, strict=True)
            for side, mark in enumerate("+-")
            if bridge
        }

    def add(self, point: Point) -> int:
        """Adds a corner and returns its number."""
        self.points.append((round(point[0], 2), round(point[1], 2)))
        return len(self.points) - 1

    def corner(self, name: str) -> int:
        """The corner at a square, or at an end of a bridge (+ north, - south)."""
        return self.ends[name] if name[0] in "+-" else self.squares[name]

    def lay(self, a: int, b: int, kind: int) -> None:
        """Adds a wall from corner to corner; where it meets existing walls, all of them are cut there."""
        hits = []
        for (c, d), other in list(self.walls.items()):
            if len({a, b, c, d}) < 4:
                continue
            hit = meeting(*(self.points[i] for i in (a, b, c, d)))
            if hit is None:
                continue
            t, point = hit
            middle = next((e for e in (a, b, c, d) if math.dist(self.points[e], point) < 15.0), None)
            if middle is None:
                middle = self.add(point)
            if middle not in (c, d):
                del self.walls[c, d]
                self.walls[key(c, middle)] = self.walls[key(middle, d)] = other
            hits.append((t, middle))
        way = [a, *(m for _, m in sorted(hits) if m not in (a, b)), b]
        for c, d in pairwise(way):
            if c != d:
                self.walls[key(c, d)] = min(kind, self.walls.get(key(c, d), LANE))

    def faces(self) -> list[list[int]]:
        """The quarters, counter-clockwise, without the river: each wall is followed once on either side."""
        around: dict[int, list[int]] = {}
        for a, b in self.walls:
            around.setdefault(a, []).append(b)
            around.setdefault(b, []).append(a)
        for a, others in around.items():
            x, y = self.points[a]
            others.sort(key=lambda b: math.atan2(self.points[b][1] - y, self.points[b][0] - x))
        todo = dict.fromkeys((p for a, b in self.walls for p in ((a, b), (b, a))))
        found = []
        while todo:
            a, b = next(iter(todo))
            face = []
            while (a, b) in todo:
                del todo[a, b]
                face.append(a)
                a, b = b, around[b][around[b].index(a) - 1]
            if area(self.outline(face)) > 0 and not self.is_water(face):
                found.append(face)
        return found

    def is_water(self, face: list[int]) -> bool:
        """Whether a face is between the quays: it has corners on both, and no others."""
        shores = {bank: side for pair in self.banks for side, bank in enumerate(pair)}
        sides = {shores.get(corner) for corner in face}
        return sides == {0, 1}

    def outline(self, corners: list[int]) -> list[Point]:
        return [self.points[i] for i in corners]

    def expand(self, a: int, b: int) -> list[int]:
        """The corners from a up to, but not including, b along a wall that may have been cut since."""
        middle = self.cuts.get(key(a, b))
        return [a] if middle is None else self.expand(a, middle) + self.expand(middle, b)

    def subdivide(self, face: list[int]) -> None:
        """Splits a face until its parts are blocks."""
        todo = [face]
        while todo:
            face = todo.pop()
            face = [c for a, b in pairwise([*face, face[0]]) for c in self.expand(a, b)]
            size = area(self.outline(face))
            middle = np.mean(self.outline(face), axis=0)
            block = BLOCK_M2 * (0.8 + math.hypot(*middle) / 5000) * math.exp(0.35 * self.random.standard_normal())
            if size < 1.5 * block:
                continue
            halves = self.split(face, STREET if size > 90_000 else LANE)
            todo += halves or ()

    def split(self, face: list[int], kind: int) -> tuple[list[int], list[int]] | None:
        """The two parts of a face on either side of a new street across its long side; None if no valid cut is found."""
        outline = self.outline(face)
        for attempt in range(8):
            share = 0.5 + (0.09 + 0.03 * attempt) * (2 * self.random.random_sample() - 1)
            tilt = math.radians(3.0 * self.random.standard_normal())
            chord = crossing_chord(outline, *across(outline, share, tilt))
            if chord is None:
                continue
            ring, places, ends = list(face), dict(zip(face, outline, strict=True)), []
            for mark, (wall, point) in zip((-1, -2), sorted(chord, reverse=True), strict=True):
                corner = self.within_reach(face, wall, point, SNAP_M if attempt < 5 else 4.0)
                if corner is None:
                    corner = mark  # stands for a corner that is added only if the cut is valid
                    ring.insert(wall + 1, mark)
                    places[mark] = point
                ends.append((wall, corner))
            low, high = sorted(ring.index(corner) for _, corner in ends)
            parts = ring[low : high + 1], ring[high:] + ring[: low + 1]
            if all(len(part) > 2 and width([places[c] for c in part]) > 18.0 for part in parts):
                return self.commit(face, parts, places, ends, kind)
        return None

    def commit(
        self,
        face: list[int],
        parts: tuple[list[int], list[int]],
        places: dict[int, Point],
        ends: list[tuple[int, int]],
        kind: int,
    ) -> tuple[list[int], list[int]]:
        """Adds the corners of a cut that are still marks, and its street."""
        made = {corner: corner for corner in places if corner >= 0}
        for wall, mark in ends:
            if mark < 0:
                made[mark] = self.add(places[mark])
                self.cut(face[wall], face[(wall + 1) % len(face)], made[mark])
        (_, a), (_, b) = ends
        self.walls.setdefault(key(made[a], made[b]), kind)
        return [made[c] for c in parts[0]], [made[c] for c in parts[1]]

    def within_reach(self, face: list[int], wall: int, point: Point, reach_m: float) -> int | None:
        """The nearer end of a face's wall, if it is within reach of a point on the wall."""
        distance, corner = min(
            (math.dist(self.points[c], point), c) for c in (face[wall], face[(wall + 1) % len(face)])
        )
        return corner if distance < reach_m else None

    def cut(self, a: int, b: int, middle: int) -> None:
        """Adds a corner to a wall; faces that still name the whole wall find the corner with `expand`."""
        kind = self.walls.pop(key(a, b))
        self.walls[key(a, middle)] = self.walls[key(middle, b)] = kind
        self.cuts[key(a, b)] = middle

    def streets(self) -> Streets:
        """The finished network: no side streets in parks, no dead ends, no isolated corners."""
        walls = {wall: kind for wall, kind in self.walls.items() if kind <= AVENUE or not self.in_park(wall)}
        while True:
            ends = Counter(corner for wall in walls for corner in wall)
            dead = [wall for wall in walls if min(ends[wall[0]], ends[wall[1]]) == 1]
            if not dead:
                break
            for wall in dead:
                del walls[wall]
        number = {corner: i for i, corner in enumerate(sorted(ends))}
        nodes = np.array([self.points[corner] for corner in number])
        roads: list[list[tuple[int, int]]] = [[] for _ in number]
        for road, (a, b) in enumerate(walls):
            roads[number[a]].append((number[b], road))
            roads[number[b]].append((number[a], road))
        length = np.array([round(math.dist(self.points[a], self.points[b]), 2) for a, b in walls])
        middle = np.array([np.add(self.points[a], self.points[b]) / 2 for a, b in walls])
        kind = np.array(list(walls.values()))
        squares = {name: number[corner] for name, corner in self.squares.items() if corner in number}
        return Streets(nodes, roads, length, middle, kind, squares, self.lights(roads, kind))

    def lights(self, roads: list[list[tuple[int, int]]], kind: np.ndarray) -> np.ndarray:
        """Traffic lights: nearly always where avenues meet, rarely where a lane joins, never on the ring road."""
        chance = []
        for leaving in roads:
            kinds = sorted(int(kind[road]) for _, road in leaving)
            wide, ring = kinds.count(AVENUE), RING in kinds
            narrow = 0.6 if STREET in kinds else 0.12
            chance.append(0.0 if ring or len(kinds) < 3 else 0.9 if wide > 2 else narrow if wide else 0.1)
        return self.random.random_sample(len(chance)) < np.array(chance)

    def in_park(self, wall: tuple[int, int]) -> bool:
        """Whether the middle of a wall is in a garden."""
        (ax, ay), (bx, by) = (self.points[i] for i in wall)
        return any(math.hypot((ax + bx) / 2 - x, (ay + by) / 2 - y) < r for x, y, r in PARKS_M)


PARKS_M = [(*to_metres(latitude, longitude), radius) for latitude, longitude, radius in paris.PARKS]


def river_banks() -> list[tuple[Point, Point]]:
    """The points on the north and on the south quay, for each row of the Seine."""
    middle = [to_metres(row[0], row[1]) for row in paris.SEINE]
    banks = []
    for i, (x, y) in enumerate(middle):
        (ax, ay), (bx, by) = middle[max(i - 1, 0)], middle[min(i + 1, len(middle) - 1)]
        half = paris.SEINE[i][2] / math.hypot(bx - ax, by - ay)
        banks.append(((x + half * (by - ay), y - half * (bx - ax)), (x - half * (by - ay), y + half * (bx - ax))))
    return banks


def key(a: int, b: int) -> tuple[int, int]:
    """The name of a wall, whichever end comes first."""
    return (a, b) if a < b else (b, a)


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
