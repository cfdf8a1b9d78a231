"""Distances on the Earth, the local metric frame in which locations are perturbed, and public regions and their cells.

Noise with an epsilon per metre must be added in metres, and a degree of longitude shrinks with the cosine of the
latitude. `LocalFrame` is an azimuthal equidistant projection of the sphere: it works across the antimeridian and at the
poles, and within 100 km of its centre its distances differ from those on the ground by less than 5e-5 of their length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.errors import InputError

EARTH_RADIUS_M = 6_371_008.8
"""Mean radius of the Earth, metres (IUGG)."""

METRES_PER_DEGREE = 111_195.0
"""The length of a degree of latitude in the global grid, metres."""

MOST_REGION_CELLS = 2_500
"""The most cells in a region's grid."""

READING_CELLS_M = (
    100.0,
    200.0,
    250.0,
    500.0,
    1_000.0,
    2_000.0,
    5_000.0,
    10_000.0,
    20_000.0,
    50_000.0,
    100_000.0,
    200_000.0,
)
"""Sides of the cells in which a reader reasons, metres."""

MOST_READING_CELLS = 900

WIDE_CELLS_M = (*READING_CELLS_M, 500_000.0, 1_000_000.0, 2_000_000.0)
"""The same where cells lie in rows along parallels, up to all of the Earth."""

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


def wrapped(longitude: ArrayLike) -> Floats:
    """Longitudes in [-540, 540] degrees as those in [-180, 180]; those that already are stay as they are.

    Examples
    --------
    >>> wrapped([179.5, 180.0, 180.5, -181.0]).tolist()
    [179.5, 180.0, -179.5, 179.0]
    """
    given = np.asarray(longitude, float)
    return given - 360.0 * (given > 180.0) + 360.0 * (given < -180.0)


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

        The rounding keeps the centre of the frame from revealing the exact place.
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
        if np.any(antipode := (sine <= 1e-15) & (up < 0)):
            scale, east = np.where(antipode, np.pi, scale), np.where(antipode, 1.0, east)
        return EARTH_RADIUS_M * np.stack([scale * east, scale * north], axis=-1)

    def to_degrees(self, points_m: ArrayLike) -> tuple[Floats, Floats]:
        """Points in metres (n, 2) as latitude and longitude, in [-180, 180),, degrees; they wrap beyond the antipode."""
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

        The distance claimed as private in the frame exceeds the distance on the ground by at most this factor.
        """
        farthest = float(np.max(np.hypot(*np.asarray(points_m, float).T), initial=0.0)) / EARTH_RADIUS_M
        return float("inf") if farthest >= np.pi else farthest / np.sin(farthest) if farthest > 0 else 1.0


@dataclass(frozen=True)
class Region:
    """A public box that contains the data: cells, reports and a reader's guesses stay inside it.

    It is part of a mechanism's description, so it must not come from the data. In the plane it is the rectangle that
    bounds the box in its own frame: a convex set, so moving points into it increases no distance.

    Attributes
    ----------
    south, west, north, east : degrees; south < north. West is less than east, or the region crosses the date line, as from
        179 to -179, and is then less than 180 degrees wide.

    Raises
    ------
    InputError : a limit that is not in degrees, or limits in the wrong order.

    Examples
    --------
    >>> region = Region(48.75, 2.25, 49.0, 2.5)
    >>> [round(side / 1000, 1) for side in region.size_m]  # to the east, to the north
    [18.3, 27.8]
    >>> len(region.grid(1000.0)), region.reading_cell_m()
    (504, 1000.0)
    >>> Region(-17.0, 179.0, -16.0, -179.0).size_m == Region(-17.0, 10.0, -16.0, 12.0).size_m
    True
    """

    south: float
    west: float
    north: float
    east: float

    def __post_init__(self) -> None:
        for low, high, most, names in (
            (self.south, self.north, 90.0, "south and north"),
            (self.west, self.east, 180.0, "west and east"),
        ):
            crosses = most == 180 and high < low and high + 360 - low < 180
            if not (-most <= low < high <= most or (crosses and low <= most and -most <= high)):
                remedy = (
                    "Give south, west, north and east in degrees; west may be above east where a region of less than "
                )
                remedy += "180 degrees crosses the date line, as from 179 to -179"
                raise InputError(
                    f"{names.capitalize()} of the region must increase between {-most:g} and {most:g} degrees",
                    value=f"{low:g} and {high:g}",
                    remedy=remedy,
                )

    @classmethod
    def around(cls, latitude: ArrayLike, longitude: ArrayLike, *, step: float = 0.25) -> Region:
        """The smallest box of the global lattice of `step` degrees that contains all points: a proposal, derived from
        them. Across the date line if that is narrower, and less than 180 degrees wide.

        Examples
        --------
        >>> Region.around([48.86, 48.87], [2.30, 2.37])
        Region(south=48.75, west=2.25, north=49.0, east=2.5)
        >>> Region.around([-16.9, -16.8], [179.9, -179.9])
        Region(south=-17.0, west=179.75, north=-16.75, east=-179.75)
        """
        around = np.asarray(longitude, float)
        beyond = np.where(around < 0, around + 360.0, around)
        both = np.min(around) < 0 <= np.max(around)  # else equally wide but for rounding
        crosses = both and np.ptp(beyond) < min(np.ptp(around), 180.0 - 2 * step)
        along = beyond if crosses else around
        low, high = (np.array([end(latitude), end(along)]) / step for end in (np.min, np.max))
        first = np.minimum(np.floor(low), np.array([90.0, 180.0]) / step - 1)
        last = np.maximum(np.ceil(high), first + 1)
        (south, west), (north, east) = (first * step).tolist(), (last * step).tolist()
        return cls(south, west, north, float(wrapped(east)))

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """South, west, north and east, degrees: ``Region(*region.limits) == region``."""
        return self.south, self.west, self.north, self.east

    @property
    def _end(self) -> float:
        """Its east, counted on beyond 180 degrees where it crosses the date line."""
        return self.east + 360.0 if self.east < self.west else self.east

    @property
    def _middle(self) -> float:
        """The longitude of its middle, counted likewise."""
        return (self.west + self._end) / 2

    @cached_property
    def frame(self) -> LocalFrame:
        """The metric frame centred on its midpoint."""
        return LocalFrame((self.south + self.north) / 2, float(wrapped(self._middle)))

    @cached_property
    def bounds_m(self) -> Floats:
        """(2, 2) the lowest and the highest x and y in `frame`, metres, of the rectangle that bounds the box."""
        along = np.linspace(0, 1, 65)
        latitude, longitude = (
            self.south + along * (self.north - self.south),
            self.west + along * (self._end - self.west),
        )
        edges = [self.frame.to_metres(latitude, np.full(65, end)) for end in (self.west, self.east)]
        edges += [self.frame.to_metres(np.full(65, end), longitude) for end in (self.south, self.north)]
        points = np.concatenate(edges)
        return np.stack([points.min(axis=0), points.max(axis=0)])

    @property
    def size_m(self) -> tuple[float, float]:
        """Its extent to the east, at its middle latitude, and to the north, metres."""
        radius = np.radians(1) * EARTH_RADIUS_M
        wide = radius * np.cos(np.radians(self.frame.latitude)) * (self._end - self.west)
        return float(wide), float(radius * (self.north - self.south))

    def contains(self, latitude: ArrayLike, longitude: ArrayLike) -> NDArray[np.bool_]:
        """Whether each point in degrees is in the rectangle; broadcasts."""
        points = self.frame.to_metres(latitude, longitude)
        low, high = self.bounds_m
        inside: NDArray[np.bool_] = ((points >= low - 1e-6) & (points <= high + 1e-6)).all(axis=-1)
        return inside

    def clip(self, points_m: ArrayLike) -> Floats:
        """The nearest point of the region to each point (..., 2), metres in `frame`.

        Examples
        --------
        >>> Region(48.75, 2.25, 49.0, 2.5).clip([[0.0, 0.0], [99_000.0, 0.0]]).round().tolist()
        [[0.0, 0.0], [9165.0, 0.0]]
        """
        return np.clip(np.asarray(points_m, float), *self.bounds_m)

    def cell_count(self, cell_m: float) -> int:
        """How many cells of the global grid have their centre in the region."""
        (west, south), (east, north) = self._ends(cell_m)
        return max(east - west, 0) * max(north - south, 0)

    def grid(self, cell_m: float) -> Area:
        """The cells of the fixed global grid that have their centre in the region, row by row from the south-west.

        Rows are counted from the equator, columns from longitude 0 at the region's middle latitude, on beyond 180 degrees
        where the region crosses the date line, so the cells depend only on the region and the cell size.

        Raises
        ------
        InputError : more than 2,500 cells, or none; the message names a size that fits.

        Examples
        --------
        >>> Region(48.75, 2.25, 49.0, 2.5).grid(100.0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
          ...
        lmdk_widgets.errors.InputError: The region must have at most 2,500 cells; got 50,596 of 100 m. ...
        """
        count = self.cell_count(cell_m)
        if not 0 < count <= MOST_REGION_CELLS:
            limit = f"have at most {MOST_REGION_CELLS:,} cells" if count else "be larger than a cell"
            value = f"{count:,} of {cell_m:g} m" if count else f"cells of {cell_m:g} m"
            fits = self.fitting_cell_m(MOST_REGION_CELLS)
            raise InputError(
                f"The region must {limit}",
                value=value,
                remedy=f"Choose cells of at {'least' if count else 'most'} {fits:g} m",
            )
        (west, south), (east, north) = self._ends(cell_m)
        squares = np.stack(np.meshgrid(np.arange(west, east), np.arange(south, north)), axis=-1).reshape(-1, 2)
        middle = np.array([self._middle * self._narrow, self.frame.latitude]) * METRES_PER_DEGREE
        return Area(self.frame, float(cell_m), squares, cell_m / 2 - middle)

    def fitting_cell_m(self, most: int) -> float:
        """The smallest of `READING_CELLS_M` with which the region has at most `most` cells, metres."""
        return next((side for side in READING_CELLS_M if self.cell_count(side) <= most), READING_CELLS_M[-1])

    def reading_cell_m(self) -> float:
        """Side of the cells in which a reader of a release reasons, metres: the smallest of `READING_CELLS_M` for which
        at most 900 cells cover the region."""
        return next(
            (side for side in READING_CELLS_M if np.prod(self._cover(side)) <= MOST_READING_CELLS), READING_CELLS_M[-1]
        )

    def reading_area(self) -> Area:
        """The cells of size `reading_cell_m` that cover the region, row by row, centred on its midpoint.

        No mechanism uses them: a reader, or an attacker, computes with them. As they cover the whole region, they may
        extend beyond it by less than half a cell on each side.

        Examples
        --------
        >>> Region(48.75, 2.25, 49.0, 2.5).reading_area()
        Area(532 cells of 1000 m)
        """
        side = self.reading_cell_m()
        columns, rows = self._cover(side)
        squares = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
        return Area(self.frame, side, squares, (1 - np.array([columns, rows])) * side / 2)

    def reading_rows(self) -> tuple[Floats, float, float]:
        """The same for a region that is too wide for a plane: cells in rows along parallels.

        Returns
        -------
        Their middles, (m, 2) latitude and longitude in degrees; the most that a cell measures from west to east, and what
        it measures from south to north, metres.

        Examples
        --------
        >>> middles, wide_m, high_m = Region(40, -74, 45, -13).reading_rows()
        >>> len(middles), wide_m, round(high_m)
        (302, 100000.0, 92663)
        """
        radius = np.radians(1) * EARTH_RADIUS_M
        for side in WIDE_CELLS_M:
            rows = max(1, int(np.ceil(self.size_m[1] / side)))
            latitude = self.south + (np.arange(rows) + 0.5) * (self.north - self.south) / rows
            around = radius * np.cos(np.radians(latitude)) * (self._end - self.west)
            columns = np.maximum(1, np.ceil(around / side)).astype(int)
            if columns.sum() <= MOST_READING_CELLS:
                break
        share = np.concatenate([(np.arange(k) + 0.5) / k for k in columns])
        longitude = self.west + share * (self._end - self.west)
        return np.stack([np.repeat(latitude, columns), wrapped(longitude)], axis=1), side, self.size_m[1] / rows

    def clip_degrees(self, latitude: ArrayLike, longitude: ArrayLike) -> Floats:
        """(n, 2) points in degrees, moved into the box along their parallel and then their meridian.

        Examples
        --------
        >>> Region(-18, 177, -16, 180).clip_degrees([-17, -19], [-179.5, 0]).tolist()
        [[-17.0, 180.0], [-18.0, 177.0]]
        """
        east = (np.asarray(longitude, float) - self.west) % 360.0
        width = self._end - self.west
        beyond = np.where(east - width < 360.0 - east, width, 0.0)
        found = [
            np.clip(np.asarray(latitude, float), self.south, self.north),
            wrapped(self.west + np.where(east <= width, east, beyond)),
        ]
        return np.stack(found, axis=-1)

    def _cover(self, cell_m: float) -> tuple[int, int]:
        """Columns and rows of cells of this side that cover the box at its middle latitude."""
        columns, rows = (max(1, int(np.ceil(side / cell_m))) for side in self.size_m)
        return columns, rows

    @cached_property
    def _narrow(self) -> float:
        return float(np.cos(np.radians(self.frame.latitude)))

    def _ends(self, cell_m: float) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first column and row whose centre is inside, and the first ones beyond."""
        lows = np.array([self.west * self._narrow, self.south]) * METRES_PER_DEGREE / cell_m
        highs = np.array([self._end * self._narrow, self.north]) * METRES_PER_DEGREE / cell_m
        (west, south), (east, north) = np.ceil(np.stack([lows, highs]) - 0.5).astype(int).tolist()
        return (west, south), (east, north)


@dataclass(frozen=True, eq=False)
class Area:
    """n square cells.

    Attributes
    ----------
    frame : the metric frame. cell_m : side of a cell, metres.
    squares : (n, 2) column and row of each cell, whole numbers; cell [c, r] is centred on (c, r) * cell_m + origin.
    origin_m : (2,) metres in the frame.
    """

    frame: LocalFrame
    cell_m: float
    squares: NDArray[np.int64]
    origin_m: Floats

    def __len__(self) -> int:
        return len(self.squares)

    def __repr__(self) -> str:
        return f"Area({len(self)} cells of {self.cell_m:g} m)"  # no coordinates: they may be those of a track

    @cached_property
    def points_m(self) -> Floats:
        """The centres of the cells in metres in the frame, (n, 2)."""
        return self.squares * self.cell_m + self.origin_m

    @cached_property
    def distances_m(self) -> Floats:
        """(n, n) straight-line distances between centres, metres; exact multiples on a grid, whatever its origin."""
        apart = self.squares[:, None] - self.squares[None]
        return np.asarray(self.cell_m * np.hypot(apart[..., 0], apart[..., 1]), float)

    @cached_property
    def corners(self) -> tuple[Floats, Floats]:
        """Latitudes and longitudes of the corners, each (n, 4) degrees, anticlockwise from the south-west.

        Longitudes are those nearest to the middle of the frame, so a cell across the date line is one piece.
        """
        steps = self.cell_m / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        latitude, longitude = self.frame.to_degrees((self.points_m[:, None] + steps).reshape(-1, 2))
        longitude = longitude - 360.0 * np.round((longitude - self.frame.longitude) / 360.0)
        return latitude.reshape(-1, 4), longitude.reshape(-1, 4)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A short name for each cell, as on a chessboard: letters for columns from west, numbers for rows from south."""
        columns, rows = (self.squares - self.squares.min(axis=0)).T.tolist()
        return tuple(f"{_letters(c)}{r + 1}" for c, r in zip(columns, rows, strict=True))

    def cell_of(self, points_m: Floats) -> NDArray[np.int64]:
        """The cell that contains each point (k, 2) of the frame; -1 if none does."""
        low = self.squares.min(axis=0)
        side = self.squares.max(axis=0) - low + 1
        table = np.full(side, -1, np.int64)
        table[tuple((self.squares - low).T)] = np.arange(len(self))
        at = np.floor((points_m - self.origin_m) / self.cell_m + 0.5).astype(np.int64) - low
        inside = ((at >= 0) & (at < side)).all(axis=1)
        return np.where(inside, table[tuple(np.where(inside[:, None], at, 0).T)], -1)

    def nearest(self, points_m: Floats) -> NDArray[np.int64]:
        """The cell whose centre is nearest to each point (k, 2) of the frame: its own cell, if it is in one."""
        found = self.cell_of(points_m)
        low, high = self.squares.min(axis=0), self.squares.max(axis=0)
        if (found < 0).any() and len(self) == (high - low + 1).prod():  # a whole rectangle
            at = np.clip(np.floor((points_m - self.origin_m) / self.cell_m + 0.5), low, high)
            return self.cell_of(at * self.cell_m + self.origin_m)
        for k in np.flatnonzero(found < 0):
            found[k] = np.hypot(*(self.points_m - points_m[k]).T).argmin()
        return found


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ...: columns named as in a spreadsheet."""
    before, digit = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(65 + digit)
