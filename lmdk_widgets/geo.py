"""Distances on the Earth and the local metric frame in which locations are perturbed.

Noise that is "epsilon per metre" must be added in metres, and a degree of longitude shrinks with the cosine of the
latitude. `LocalFrame` is an azimuthal equidistant projection on the sphere: it works across the antimeridian and at the
poles, and within 100 km of its centre its distances differ from those on the ground by less than 5e-5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

EARTH_RADIUS_M = 6_371_008.8
"""Mean radius of the Earth, metres (IUGG)."""

Floats = NDArray[np.float64]


def distance_m(latitude_a: ArrayLike, longitude_a: ArrayLike, latitude_b: ArrayLike, longitude_b: ArrayLike) -> Floats:
    """Great-circle distance in metres between points in degrees, by the haversine formula; broadcasts.

    Examples
    --------
    >>> round(float(distance_m(0, 0, 0, 1)))
    111195
    >>> round(float(distance_m(60, 179.5, 60, -179.5)))  # across the antimeridian, half as long as at the equator
    55597
    """
    phi_a, phi_b = np.radians(latitude_a), np.radians(latitude_b)
    half_dphi = (phi_b - phi_a) / 2
    half_dlam = np.radians(np.asarray(longitude_b, float) - np.asarray(longitude_a, float)) / 2
    h = np.sin(half_dphi) ** 2 + np.cos(phi_a) * np.cos(phi_b) * np.sin(half_dlam) ** 2
    return 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.clip(h, 0, 1)))


@dataclass(frozen=True)
class LocalFrame:
    """A plane in metres around a centre in degrees: x to the east, y to the north (azimuthal equidistant).

    Examples
    --------
    >>> frame = LocalFrame(48.9, 2.3)
    >>> frame.to_metres([48.9], [2.4]).round().tolist()  # a tenth of a degree of longitude in Paris
    [[7310.0, 5.0]]
    >>> latitude, longitude = frame.to_degrees([[7310.0, 5.0]])
    >>> bool(abs(longitude[0] - 2.4) < 1e-4)
    True
    """

    latitude: float
    longitude: float

    @classmethod
    def around(cls, latitude: ArrayLike, longitude: ArrayLike) -> LocalFrame:
        """The frame centred on the mean direction of points in degrees, rounded to a tenth of a degree.

        Rounded, so that the centre of the frame does not itself carry the exact place.
        """
        phi, lam = np.radians(latitude), np.radians(longitude)
        x, y, z = np.mean(np.cos(phi) * np.cos(lam)), np.mean(np.cos(phi) * np.sin(lam)), np.mean(np.sin(phi))
        centre = np.degrees([np.arctan2(z, np.hypot(x, y)), np.arctan2(y, x)])
        return cls(round(float(centre[0]), 1), round(float(centre[1]), 1))

    def to_metres(self, latitude: ArrayLike, longitude: ArrayLike) -> Floats:
        """Points in degrees, each (n,), as metres in this frame, (n, 2)."""
        phi, lam = np.radians(latitude), np.radians(np.asarray(longitude, float) - self.longitude)
        phi0 = np.radians(self.latitude)
        east = np.cos(phi) * np.sin(lam)
        north = np.cos(phi0) * np.sin(phi) - np.sin(phi0) * np.cos(phi) * np.cos(lam)
        up = np.sin(phi0) * np.sin(phi) + np.cos(phi0) * np.cos(phi) * np.cos(lam)
        sine = np.hypot(east, north)
        angle = np.arctan2(sine, up)
        # angle / sine tends to 1 at the centre; the antipode is mapped to a point half the Earth away
        scale = np.divide(angle, sine, out=np.ones_like(sine), where=sine > 1e-15)
        return EARTH_RADIUS_M * np.stack([scale * east, scale * north], axis=-1)

    def to_degrees(self, points_m: ArrayLike) -> tuple[Floats, Floats]:
        """Points in metres (n, 2) as latitude and longitude, in [-180, 180), in degrees; beyond the antipode they wrap."""
        points = np.asarray(points_m, float)
        x, y = points[..., 0], points[..., 1]
        radius = np.hypot(x, y)
        angle = radius / EARTH_RADIUS_M
        phi0 = np.radians(self.latitude)
        unit = np.divide(1.0, radius, out=np.zeros_like(radius), where=radius > 0)
        sine, cosine = np.sin(angle), np.cos(angle)
        latitude = np.arcsin(np.clip(cosine * np.sin(phi0) + y * unit * sine * np.cos(phi0), -1, 1))
        longitude = np.arctan2(x * unit * sine, np.cos(phi0) * cosine - y * unit * np.sin(phi0) * sine)
        return np.degrees(latitude), (self.longitude + np.degrees(longitude) + 180.0) % 360.0 - 180.0

    def stretch(self, points_m: ArrayLike) -> float:
        """How much this frame stretches lengths at the farthest of the points: 1 at the centre, 1.001 at 490 km.

        The distance claimed private in the frame is longer than the distance on the ground by at most this factor.
        """
        farthest = float(np.max(np.hypot(*np.asarray(points_m, float).T), initial=0.0)) / EARTH_RADIUS_M
        return float("inf") if farthest >= np.pi else farthest / np.sin(farthest) if farthest > 0 else 1.0
