"""How a reader reads releases of some data: the states distinguished, a public way of moving, the error of an estimate.

One object for each kind of data, answering the same questions. It has the true data to say how good estimates are; none
of it enters an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Area, Floats, LocalFrame, Region, distance_m
from lmdk_widgets.inference import log_likelihoods
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.inference.forward_backward import Carry, product
from lmdk_widgets.inference.reader import (
    OWN_CELL,
    PublicWay,
    Step,
    blocks,
    chance_of_leaving,
    clipped_median,
    doubt,
    follow,
    least_expected,
    length_of_moves,
    reader_estimates,
    relative,
    rounded_gaps,
)
from lmdk_widgets.scenario.ground import FLAT_STRETCH, Answers, Numbers, Places
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.scenario.cells import CellReports

MOST_SERIES_BLOCKS = 2_000
"""A series has few levels: it is followed timestamp by timestamp up to here."""

LEVELS, STAYS = 41, 0.9
"""The levels of a reader of a series, and how likely a value is believed to stay in its level."""

TOGETHER, MOST_NUMBERS = 16, 1_500_000
"""The most releases that are read together, and the most numbers in the beliefs about them."""

MOST_CARRIED_M = 1.0
"""Reports are carried from one frame into the other in the plane where that displaces no place by more than this."""

_AT_ONCE = 65_536
"""Distances that are processed at a time: few enough for the processor's cache."""


@dataclass(frozen=True, eq=False)
class Read:
    """What a reader infers from one release of n timestamps, over m states.

    Attributes
    ----------
    estimates : (n, 2) metres in the frame of the reading, degrees if it is wide, or (n,) in the unit of a series.
    expected : (n,) how far the reader expects them to be off. posterior : (k, m) the belief about each block of
        timestamps. block : (n,) the block of each timestamp. kept : (n,) whether the report itself is the estimate.
    """

    estimates: Floats
    expected: Floats
    posterior: Floats
    block: NDArray[np.int64]
    kept: NDArray[np.bool_]


class Reading:
    """What the readers of all data have in common.

    Attributes
    ----------
    points : (m,) or (m, 2) what the states represent. distances : (m, m) between them. truth : (n,) or (n, 2) the true
        values, for `errors`. middle : what is guessed without any release.
    """

    points: Floats
    distances: Floats
    truth: Floats
    middle: Floats
    own_cell: float
    _step: Step
    most_blocks = MOST_SERIES_BLOCKS
    nothing_over_region: float | None = None

    def likelihoods(self, released: Release) -> Floats:
        """(n, m) logarithms of the likelihood of each timestamp's report."""
        raise NotImplementedError

    def steps(self, starts: NDArray[np.int64]) -> list[Step]:
        """How the blocks that start at these timestamps follow each other."""
        return [self._step] * (len(starts) - 1)

    def reports(self, released: Release) -> tuple[Floats, Floats]:
        """The reports moved to where the data may lie, and (n,) how far off they are expected to be; infinite: never
        kept."""
        return np.full(self.truth.shape, np.nan), np.full(len(self.truth), np.inf)

    def errors(self, estimates: Floats) -> Floats:
        """(n,) how far estimates are from the truth."""
        return np.abs(estimates - self.truth)

    @cached_property
    def spread(self) -> float:
        """The mean distance of the data from their own median: the error of someone who knows one value and no
        movement."""
        return float(self.errors(np.full(len(self.truth), np.median(self.truth))).mean())

    @cached_property
    def nothing(self) -> float:
        """The error on these data of someone who guesses the middle."""
        return float(self.errors(np.broadcast_to(self.middle, self.truth.shape)).mean())

    def heard(self, released: Release, starts: NDArray[np.int64]) -> tuple[NDArray[np.intp], Floats]:
        """The blocks in which something was published, (h,), and the logarithms of the likelihood of what was, (h, m)."""
        which = np.flatnonzero(np.logical_or.reduceat(released.published, starts))
        each = self.likelihoods(released)
        return which, (each if len(starts) == len(each) else np.add.reduceat(each, starts, axis=0))[which]

    def weights(self, released: Sequence[Release], starts: NDArray[np.int64]) -> Floats:
        """(k, d, m) the likelihoods of what d releases published in each block, each row relative to its largest."""
        found = np.ones((len(starts), len(released), len(self.points)))
        for k, one in enumerate(released):
            which, logs = self.heard(one, starts)
            found[which, k] = relative(logs)
        return found

    @cached_property
    def moves(self) -> list[Step]:
        """How each block follows the one before."""
        return self.steps(blocks(len(self.truth), self.most_blocks))

    @cached_property
    def losses(self) -> Carry:
        """The expected distance of every guess, for beliefs (k, m)."""
        return product(self.distances)

    def follow(self, released: Sequence[Release], look: str = "smoothed") -> list[Read]:
        """The estimates of a reader who follows the data along the public way of moving, in each of several releases.

        One who sees only earlier releases ("filtered"), or only later ones ("predicted"), reads timestamp by timestamp:
        in a block of several, the others would be seen too.
        """
        n = len(self.truth)
        starts = blocks(n, self.most_blocks if look == "smoothed" else n)
        block = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
        weights = self.weights(released, starts)
        moves = self.moves if look == "smoothed" else self.steps(starts)
        found = follow(weights, moves, look)
        return [self._read(one, found[:, k], block) for k, one in enumerate(released)]

    def _read(self, released: Release, posterior: Floats, block: NDArray[np.int64]) -> Read:
        guess, off = least_expected(posterior, self.losses)
        expected, estimates = np.hypot(off[block], self.own_cell), np.array(self.points[guess][block])
        reports, noise = self.reports(released)
        expected = expected * self.doubt(estimates, reports, noise, expected)
        kept = released.published & (noise < expected)
        estimates[kept] = reports[kept]
        return Read(estimates, np.where(kept, noise, expected), posterior, block, kept)

    def doubt(self, estimates: Floats, reports: Floats, noise: Floats, expected: Floats) -> Floats:
        """(n,) by how much the estimates are farther off than expected, judged by the reports."""
        return np.ones(len(expected))

    def at_once(self, most: int) -> int:
        """How many releases are best read together: few enough for the beliefs to stay small, and at most `most`."""
        return max(1, min(most, TOGETHER, MOST_NUMBERS // (len(self.moves) + 1) // len(self.points)))

    def alone(self, released: Release) -> Floats:
        """The estimates of a reader who considers each timestamp separately; a repeat keeps the last one, and before
        any report it is the middle."""
        guesses = self.points[reader_estimates(self.likelihoods(released), self.distances)]
        return self.repeated(guesses, released)

    def repeated(self, estimates: Floats, released: Release) -> Floats:
        """These estimates where something was published, otherwise the last one before, or the middle."""
        last = np.maximum.accumulate(np.where(released.published, np.arange(len(self.truth)), -1))
        found = np.array(estimates[np.maximum(last, 0)])
        found[last < 0] = self.middle
        return found


class PlaceReading(Reading):
    """For a track under planar Laplace: cells that cover the public region, all in metres of its frame.

    Reports are carried over from the frame of the noise by the motion that joins both frames in the middle of the region, in
    the plane: through degrees, noise of thousands of kilometres would wrap around the Earth. Distances between cells and
    reports are those of the mechanism to within the curvature of the region. seen_at, seen_in : (m, 2) the cells as they are
    compared with reports, metres, and their frame.
    """

    most_blocks = 300

    def __init__(self, ground: Places, region: Region) -> None:
        trajectory = ground.trajectory
        self.time, self.radius_m, self.region = trajectory.time, ground.radius_m, region
        self._track, self._frame = trajectory, region.frame
        self.area = _area(region)
        self.points, self.distances = self.area.points_m, self.area.distances_m
        self.truth = region.frame.to_metres(trajectory.latitude, trajectory.longitude)
        self.middle, self.own_cell = np.zeros(2), OWN_CELL * self.area.cell_m
        self.seen_at, self.seen_in = self.points, region.frame
        self._origin, self._turn = motion(trajectory.frame, region.frame)

    @property
    def nothing_over_region(self) -> float:  # type: ignore[override]
        """The mean distance of all places of the region from its middle, metres."""
        return mean_from_middle(*self.region.size_m)

    @cached_property
    def spread(self) -> float:
        return _spread_m(self._track, self._frame)

    def errors(self, estimates: Floats) -> Floats:
        return np.asarray(np.hypot(*(estimates - self.truth).T))

    def reports(self, released: Release) -> tuple[Floats, Floats]:
        return self.region.clip(self.moved(released.outputs)), 2 * self._scale(released)

    def doubt(self, estimates: Floats, reports: Floats, noise: Floats, expected: Floats) -> Floats:
        heard, found = np.isfinite(noise), np.ones(len(expected))
        found[heard] = doubt(self.apart(reports[heard], estimates[heard]), noise[heard], expected[heard])
        return found

    def apart(self, places: Floats, others: Floats) -> Floats:
        """(k,) between estimates, metres."""
        return np.asarray(np.hypot(*(places - others).T))

    def moved(self, outputs: Floats) -> Floats:
        """Outputs in the metres of the region's frame."""
        return (outputs - self._origin) @ self._turn

    def likelihoods(self, released: Release) -> Floats:
        found = np.zeros((len(self.truth), len(self.points)))
        which, found[which] = self.heard(released, np.arange(len(found)))
        return found

    def heard(self, released: Release, starts: NDArray[np.int64]) -> tuple[NDArray[np.intp], Floats]:
        """The same without all n by m distances at once."""
        (x, y), when = np.array(self.seen_at.T), np.flatnonzero(released.published)
        rate, where = 1 / self._scale(released), self.moved(released.outputs)
        which, row = np.unique(np.searchsorted(starts, when, side="right"), return_inverse=True)
        found = np.zeros((len(which), len(x)))
        at_once = max(1, _AT_ONCE // len(x))
        for first in range(0, len(when), at_once):
            some, rows = row[first : first + at_once], when[first : first + at_once]
            each, north = where[rows, :1] - x, where[rows, 1:] - y
            each *= each
            north *= north
            each += north
            np.sqrt(each, out=each)
            each *= -rate[rows, None]
            begins = np.flatnonzero(np.diff(some, prepend=-1))
            several = len(begins) < len(some)
            found[some[0] : some[-1] + 1] += np.add.reduceat(each, begins, axis=0) if several else each
        return which - 1, found

    def _scale(self, released: Release) -> Floats:
        """(n,) metres r / b, infinite where nothing was measured."""
        spent = np.where(released.published, released.budgets - released.comparison_budget, 0.0)
        with np.errstate(divide="ignore"):
            return self.radius_m / spent

    def steps(self, starts: NDArray[np.int64]) -> list[Step]:
        cell_m = self.area.cell_m
        gaps = rounded_gaps(self.time[starts]).tolist()
        return [(_way(self.area, length_of_moves(gap, cell_m)), chance_of_leaving(gap, cell_m)) for gap in gaps]


class WidePlaceReading(PlaceReading):
    """The same for a track or a region that is too wide for one plane, or across the date line.

    Cells lie in rows along parallels, and distances are those on the ground. A report is compared with each cell in the
    plane in which the noise was added, so noise of thousands of kilometres does not wrap. Estimates are in degrees.
    """

    def __init__(self, ground: Places, region: Region) -> None:
        trajectory = ground.trajectory
        self.time, self.radius_m, self.region = trajectory.time, ground.radius_m, region
        self._track, self._frame = trajectory, trajectory.frame
        self._cells = _rows(region)
        self.points, self.distances = self._cells.points, self._cells.distances
        self.truth = np.stack([trajectory.latitude, trajectory.longitude], axis=1)
        self.middle = np.array([region.frame.latitude, region.frame.longitude])
        self.own_cell = mean_from_middle(self._cells.wide_m, self._cells.high_m)
        self.seen_at, self.seen_in = trajectory.frame.to_metres(*self.points.T), trajectory.frame

    @property
    def nothing_over_region(self) -> float:  # type: ignore[override]
        return self._cells.from_middle(self.middle)

    @cached_property
    def spread(self) -> float:
        middle = geometric_median(self._track.points_m, np.ones(len(self.truth)))
        return float(distance_m(*self._frame.to_degrees(middle[None]), *self.truth.T).mean())

    def errors(self, estimates: Floats) -> Floats:
        return distance_m(*estimates.T, *self.truth.T)

    def apart(self, places: Floats, others: Floats) -> Floats:
        return distance_m(*places.T, *others.T)

    def reports(self, released: Release) -> tuple[Floats, Floats]:
        where = self.region.clip_degrees(*self._frame.to_degrees(released.outputs))
        return where, 2 * self._scale(released)

    def moved(self, outputs: Floats) -> Floats:
        """Outputs in the metres of the frame of the noise, in which they are."""
        return outputs

    def steps(self, starts: NDArray[np.int64]) -> list[Step]:
        cell_m = self._cells.wide_m
        gaps = rounded_gaps(self.time[starts]).tolist()
        return [(_wide_way(self._cells, length_of_moves(gap, cell_m)), chance_of_leaving(gap, cell_m)) for gap in gaps]


@dataclass(frozen=True, eq=False)
class Rows:
    """The m cells of a wide region, in rows along parallels.

    Attributes
    ----------
    points : (m, 2) latitude and longitude of their middles, degrees. wide_m, high_m : the most that they measure.
    """

    points: Floats
    wide_m: float
    high_m: float

    @cached_property
    def distances(self) -> Floats:
        """(m, m) on the ground between their middles, metres."""
        latitude, longitude = self.points.T
        return distance_m(latitude[:, None], longitude[:, None], latitude, longitude)

    def from_middle(self, middle: Floats) -> float:
        """The mean distance on the ground from a point in degrees, metres."""
        return float(distance_m(*self.points.T, *middle).mean())


def reading_of_places(ground: Places, region: Region) -> PlaceReading:
    """How a reader reads planar Laplace: in a plane if the region and the track fit into one."""
    return (WidePlaceReading if is_wide(ground.trajectory, region) else PlaceReading)(ground, region)


def is_wide(trajectory: Trajectory, region: Region) -> bool:
    """Whether carrying places from the track's frame into the region's in the plane displaces one by over a metre."""
    corners = [(y, x) for y in (region.south, region.north) for x in (region.west, region.east)]
    south, west = np.transpose(corners)
    latitude, longitude = np.append(south, trajectory.latitude), np.append(west, trajectory.longitude)
    origin, turn = motion(trajectory.frame, region.frame)
    carried = (trajectory.frame.to_metres(latitude, longitude) - origin) @ turn
    off = np.hypot(*(region.frame.to_metres(latitude, longitude) - carried).T)
    return bool(not off.max() <= MOST_CARRIED_M)


class CellReading(PlaceReading):
    """For a track whose reports are cells: the reader distinguishes the cells of the mechanism, which are public."""

    def __init__(self, ground: Places, region: Region, reports: CellReports) -> None:
        trajectory, frame = ground.trajectory, reports.area.frame
        self.time, self.region, self.area = trajectory.time, region, reports.area
        self._track, self._frame = trajectory, frame
        self.points, self.distances = self.area.points_m, self.area.distances_m
        self.truth = frame.to_metres(trajectory.latitude, trajectory.longitude)
        self.middle = frame.to_metres(region.frame.latitude, region.frame.longitude)
        self.own_cell = OWN_CELL * self.area.cell_m
        self._mechanism: Any = "randomized-response" if reports.chances is not None else reports.channels

    def errors(self, estimates: Floats) -> Floats:
        if self._frame.stretch(self.truth) <= FLAT_STRETCH:
            return super().errors(estimates)
        return distance_m(*self._frame.to_degrees(estimates), self._track.latitude, self._track.longitude)

    def moved(self, outputs: Floats) -> Floats:
        """Middles of cells in the metres of the cells' frame; they bear no noise that could wrap."""
        return self._frame.to_metres(*self._track.frame.to_degrees(outputs))

    def likelihoods(self, released: Release) -> Floats:
        where = np.array(self.points[np.zeros(len(self.truth), int)])
        seen = np.isfinite(released.outputs).all(axis=1)
        where[seen] = self.points[self.area.nearest(self.moved(released.outputs[seen]))]
        return log_likelihoods(replace(released, outputs=where), self.points, self._mechanism)

    def heard(self, released: Release, starts: NDArray[np.int64]) -> tuple[NDArray[np.intp], Floats]:
        return Reading.heard(self, released, starts)

    def reports(self, released: Release) -> tuple[Floats, Floats]:
        return Reading.reports(self, released)


class NumberReading(Reading):
    """For a series of numbers: 41 levels from bound to bound."""

    def __init__(self, ground: Numbers) -> None:
        self.lower, self.upper, self.mechanism = ground.lower, ground.upper, ground.mechanism
        self.points = np.linspace(ground.lower, ground.upper, LEVELS)
        self.distances = np.abs(np.subtract.outer(self.points, self.points))
        self.truth, self.middle = ground.series.values, np.array((ground.lower + ground.upper) / 2)
        self.own_cell = (ground.upper - ground.lower) / (LEVELS - 1) / 4
        self._step = PublicWay.nearby(self.distances, (ground.upper - ground.lower) / 20, anywhere=0.0), 1 - STAYS

    def likelihoods(self, released: Release) -> Floats:
        return log_likelihoods(released, self.points, self.mechanism)

    def _scale(self, released: Release) -> Floats:
        spent = np.where(released.published, released.budgets - released.comparison_budget, 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(self.mechanism.sensitivity / spent)

    def reports(self, released: Release) -> tuple[Floats, Floats]:
        return np.clip(released.outputs, self.lower, self.upper), self._scale(released)

    def alone(self, released: Release) -> Floats:
        known = np.where(released.published, released.outputs, self.middle)
        return self.repeated(clipped_median(known, self._scale(released), self.lower, self.upper), released)


class AnswerReading(Reading):
    """For a series of answers: the two answers, with an error of 1 where the wrong one is chosen."""

    def __init__(self, ground: Answers) -> None:
        self.points, self.distances = np.array([0.0, 1.0]), np.array([[0.0, 1.0], [1.0, 0.0]])
        self.truth, self.middle, self.own_cell = ground.values, np.array(0.5), 0.0
        self._step = PublicWay.nearby(self.distances, 1.0, anywhere=0.0), 1 - STAYS

    def likelihoods(self, released: Release) -> Floats:
        return log_likelihoods(released, self.points, "randomized-response")

    def balanced(self, estimates: Floats) -> float:
        """The share of wrong answers with both answers weighted equally: a coin gets half wrong."""
        wrong = self.errors(estimates)
        return float(np.mean([wrong[self.truth == answer].mean() for answer in np.unique(self.truth)]))


def motion(frame: LocalFrame, into: LocalFrame) -> tuple[Floats, Floats]:
    """The origin (2,) and the rotation (2, 2) by which ``(points - origin) @ rotation`` carries metres of a frame into those
    of another, exactly around the middle of that one.

    Examples
    --------
    >>> origin, turn = motion(LocalFrame(48.9, 2.3), LocalFrame(48.875, 2.375))
    >>> origin.round().tolist(), turn.round(5).tolist()
    ([5485.0, -2777.0], [[1.0, -0.00099], [0.00099, 1.0]])
    """
    origin, east = frame.to_metres(*into.to_degrees([[0.0, 0.0], [1000.0, 0.0]]))
    cosine, sine = (east - origin) / np.hypot(*(east - origin))
    return origin, np.array([[cosine, -sine], [sine, cosine]])


def mean_from_middle(wide: float, high: float) -> float:
    """The mean distance of the points of a rectangle from its middle.

    ``d / 6 + w^2 / (12 h) asinh(h / w) + h^2 / (12 w) asinh(w / h)`` with its diagonal d.

    Examples
    --------
    >>> round(mean_from_middle(1.0, 1.0), 4)
    0.3826
    """
    corners = wide**2 / high * np.arcsinh(high / wide) + high**2 / wide * np.arcsinh(wide / high)
    return float(np.hypot(wide, high) / 6 + corners / 12)


@cached("visitor", entries=4)
def _spread_m(trajectory: Trajectory, frame: LocalFrame) -> float:
    """The mean distance of a track from the point nearest to all, metres in a frame."""
    there = frame.to_metres(trajectory.latitude, trajectory.longitude)
    return float(np.hypot(*(there - geometric_median(there, np.ones(len(there)))).T).mean())


@cached("settings", entries=4, what="the cells in which a careful reader reads a region")
def _area(region: Region) -> Area:
    return region.reading_area()


@cached("settings", entries=4, what="the rows and columns of those cells")
def _rows(region: Region) -> Rows:
    return Rows(*region.reading_rows())


@cached("settings", entries=8, what="how far people move between rows")
def _wide_way(rows: Rows, length_m: float) -> PublicWay:
    return PublicWay.nearby(rows.distances, length_m)


@cached("settings", entries=8, what="how far people move between cells")
def _way(area: Area, length_m: float) -> PublicWay:
    return PublicWay.nearby(area.distances_m, length_m)
