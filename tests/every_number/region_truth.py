"""The public region of a track, recomputed: its box, its size, its frame, and how far the track lies outside."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

EARTH_M = 6_371_008.8
SAMPLES = {"bob": (48.75, 2.25, 49.0, 2.5), "commuter": (48.75, 2.25, 49.0, 2.5), "taxi": (48.75, 2.25, 49.0, 2.5)}


def in_frame(middle: tuple[float, float], latitude: float, longitude: float) -> tuple[float, float]:
    """Metres to the east and north: along the great circle from the middle, in the direction in which it leaves."""
    a, b, turn = math.radians(middle[0]), math.radians(latitude), math.radians(longitude - middle[1])
    across, along = math.cos(b) * math.sin(turn), math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b) * math.cos(turn)
    if (length := math.hypot(across, along)) == 0:
        return 0.0, 0.0
    angle = math.atan2(length, math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(turn))
    return EARTH_M * angle * across / length, EARTH_M * angle * along / length


def reached(middle: tuple[float, float], x: float, y: float) -> tuple[float, float]:
    """Degrees of where one gets from the middle by x metres to the east and y to the north."""
    angle, heading, a = math.hypot(x, y) / EARTH_M, math.atan2(x, y), math.radians(middle[0])
    b = math.asin(math.sin(a) * math.cos(angle) + math.cos(a) * math.sin(angle) * math.cos(heading))
    turn = math.atan2(math.sin(heading) * math.sin(angle) * math.cos(a), math.cos(angle) - math.sin(a) * math.sin(b))
    return math.degrees(b), middle[1] + math.degrees(turn)


class RegionTruth:
    """The part of `LandmarkTruth` that knows the region."""

    s: Any
    track: Any

    @cached_property
    def proposed(self) -> bool:
        return not self.s.region and not self.s.track

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """South, west, north, east, degrees."""
        if self.s.region:
            return tuple(self.s.region)
        if not self.proposed:
            return SAMPLES[self.s.track]
        ends = []
        for values in (self.track.latitude.tolist(), self._along(self.track.longitude.tolist())):
            first = math.floor(min(values) * 4)
            ends.append((first, max(math.ceil(max(values) * 4), first + 1)))
        (south, north), (west, east) = ends
        return south / 4, west / 4, north / 4, east / 4

    @staticmethod
    def _along(longitude: list[float]) -> list[float]:
        """Longitudes, counted on beyond 180 where they are nearer together across the date line, in half the globe."""
        beyond = [each + 360 if each < 0 else each for each in longitude]
        wide, across = (max(each) - min(each) for each in (longitude, beyond))
        return beyond if min(longitude) < 0 <= max(longitude) and across < min(wide, 179.5) else longitude

    @property
    def region_km(self) -> tuple[float, float]:
        """From west to east along the middle latitude, and from south to north, kilometres."""
        south, west, north, east = self.box
        degree = math.pi / 180 * EARTH_M / 1000
        return degree * (east - west) * math.cos(math.radians((south + north) / 2)), degree * (north - south)

    def is_far(self, error_m: float) -> bool:
        """Whether an error is larger than the diagonal of the region, and so said to be beyond it."""
        return error_m > 1000 * math.hypot(*self.region_km)

    @property
    def called(self) -> str:
        """Its name where it is a sample's own, and its size in kilometres: two digits below ten, else whole ones."""
        wide, high = (f"{each:.2g}" if each < 10 else f"{each:,.0f}" for each in self.region_km)
        own = self.s.track and self.box == SAMPLES[self.s.track]
        return f"{'Paris, ' if own else ''}{wide} by {high} km"

    def in_frame(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Metres to the east and north of the region's middle."""
        south, west, north, east = self.box
        return in_frame(((south + north) / 2, (west + east) / 2), latitude, longitude)

    @cached_property
    def walls_m(self) -> tuple[float, float, float, float]:
        """Least and largest x, least and largest y of the rectangle around the box, by walking along its edges."""
        south, west, north, east = self.box
        steps = [k / 64 for k in range(65)]
        edge = [(south + (north - south) * k, side) for k in steps for side in (west, east)]
        edge += [(side, west + (east - west) * k) for k in steps for side in (south, north)]
        xs, ys = zip(*(self.in_frame(*at) for at in edge), strict=True)
        return min(xs), max(xs), min(ys), max(ys)

    @cached_property
    def framed(self) -> list[tuple[float, float]]:
        """The track in metres of the region's frame."""
        return [
            self.in_frame(*at) for at in zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True)
        ]

    @cached_property
    def moved(self) -> list[tuple[float, float]]:
        """The same, points outside the region moved to the nearest one of it."""
        left, right, low, high = self.walls_m
        return [(min(max(x, left), right), min(max(y, low), high)) for x, y in self.framed]

    @property
    def away_m(self) -> list[float]:
        """How far those that lie outside are moved, metres."""
        far = (math.dist(*pair) for pair in zip(self.framed, self.moved, strict=True))
        return [each for each in far if each > 1e-6]
