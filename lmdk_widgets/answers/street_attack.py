"""How near somebody comes who knows the streets and believes that you move along them: map matching as an attack.

The same reader as for Useful, except that its states are points on the streets of a file and moves follow routes
(`StreetReading`). It knows what that reader knows: the mechanism, all budgets and the public region.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import SHOWN_DIGITS, draws_for, reading_of, releases, useful, useful_of
from lmdk_widgets.budgets import Release
from lmdk_widgets.cache import listed
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats, Region
from lmdk_widgets.inference.forward_backward import passes
from lmdk_widgets.inference.reader import (
    PublicWay,
    Step,
    blocks,
    carries,
    chance_of_leaving,
    length_of_moves,
    rounded_gaps,
)
from lmdk_widgets.inference.streets import (
    TOLERANCE_M,
    StreetNetwork,
    StreetPoints,
    network,
    points_along,
    route_steps,
    with_detours,
)
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.io.street_lines import StreetLines, inside, lines_steps, zooms_for
from lmdk_widgets.page.amounts import digits, metres, numeral
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.scenario.ground import Places
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.reading import PlaceReading, Read, is_wide
from lmdk_widgets.scenario.region import region_of

STREETS = "streets"
"""The name under which a page stores what is found in the results of an outcome."""

MOST_JUNCTIONS, MOST_POINTS, MOST_PIECES = 1_000, 800, 8_000
"""The most junctions, points along streets, and straight pieces of streets that are followed."""

SURE = 0.999
"""The share of a belief whose cells are searched for streets, with the cells beside them: for all releases together, so
each of them keeps what matters to it."""

MOST_READ = 8
"""The most releases that are read with the streets: of the same as for Useful, the first."""

LEAST_APART_M = 10.0
"""Points along streets are no nearer to each other."""

EARTH_DEGREE_M = 111_320.0
"""Metres of a degree of longitude on the equator."""

NONE, MANY, DAMAGED = "none", "many", "damaged"
"""Why there are no streets to follow."""

DETOUR = 2.0
"""How many times a detour counts."""

PRODUCTS_AT_A_TIME = 40_000_000
"""Products of states that are computed before others have a turn: about 30 ms."""


class StreetReading(PlaceReading):
    """For a track under planar Laplace, by somebody who believes that it follows streets.

    States are points on streets instead of cells, and a move is as far as its route, with its detour twice more. All else
    is the reader's: how long a stay lasts, how far a move goes in its time, one move in a thousand to anywhere, so that no
    report is impossible, and the exact likelihood of every report.
    """

    def __init__(self, ground: Places, region: Region, points: StreetPoints, routes: Floats) -> None:
        """points : metres in the frame of the region. routes : (m, m) metres, as from `route_steps`."""
        super().__init__(ground, region)
        self.points = self.seen_at = points.places
        east, north = (np.subtract.outer(points.places[:, axis], points.places[:, axis]) for axis in (0, 1))
        self.distances = np.hypot(east, north)
        self.own_cell = points.every_m / 4
        self._far = with_detours(routes, self.distances, DETOUR)
        self._ways: dict[float, PublicWay] = {}

    def steps(self, starts: NDArray[np.int64]) -> list[Step]:
        cell_m = self.area.cell_m  # a stay is as long as for the reader without streets
        gaps = rounded_gaps(self.time[starts]).tolist()
        return [(self._way_of(length_of_moves(gap, cell_m)), chance_of_leaving(gap, cell_m)) for gap in gaps]

    def _way_of(self, length_m: float) -> PublicWay:
        if length_m not in self._ways:
            self._ways[length_m] = PublicWay.nearby(self._far, length_m)
        return self._ways[length_m]

    def read_steps(self, released: Release) -> Iterator[Read | None]:
        """What is read from one release: `follow`, with None after each piece of the work."""
        n, m = len(self.truth), len(self.points)
        starts = blocks(n, self.most_blocks)
        weights, moves = self.weights([released], starts), carries(self.moves)
        posterior, pause = np.array(weights), max(1, PRODUCTS_AT_A_TIME // m**2)
        for i, (before, after) in enumerate(passes(moves, moves, weights), start=1):
            posterior[i] *= before
            posterior[-1 - i] *= after
            if not i % pause:
                yield None
        posterior /= posterior.sum(axis=2, keepdims=True)
        yield self._read(released, posterior[:, 0], np.repeat(np.arange(len(starts)), np.diff(starts, append=n)))


@dataclass(frozen=True, eq=False)
class RegionStreets:
    """The streets near what a release shows, as they are followed; without points if there are none, or too many (`why`).

    Attributes
    ----------
    routes : (m, m) metres between the points. larger : whether only the larger streets of the file are among them.
    """

    points: StreetPoints | None = None
    routes: Floats | None = None
    larger: bool = False
    why: str = ""


@dataclass(frozen=True)
class StreetAttack:
    """What somebody finds who knows the streets; every length in metres, computed with the true data.

    Attributes
    ----------
    file : its name. error_m : the mean error over the timestamps, the median of the draws; NaN without streets.
    reader_m : the same without streets, as Useful has it. paired_m : the same on these very releases.
    off_m : from the truth to the nearest point of a street, the mean. every_m : of street for each point.
    capped : whether more points would be nearer to each other. larger : whether only the larger streets are used.
    why : why there are none, or "".
    """

    file: str
    error_m: float
    reader_m: float
    paired_m: float = np.nan
    off_m: float = np.nan
    every_m: float = np.nan
    capped: bool = False
    larger: bool = False
    why: str = ""

    @property
    def shown(self) -> tuple[float, float]:
        """Both errors with as many digits as they carry: with these streets, and without."""
        return digits(self.error_m, SHOWN_DIGITS), digits(self.reader_m, SHOWN_DIGITS)

    @property
    def nearer(self) -> bool:
        """Whether the streets help: on the same releases, and by the numbers that are shown."""
        return not self.why and self.error_m < self.paired_m and self.shown[0] < self.shown[1]

    @property
    def sentence(self) -> str:
        """What is found, and what that assumes; "" where the file has no streets in the region.

        Examples
        --------
        >>> StreetAttack("city.pmtiles", 96.2, 125.9, 124.0, 12.0, 30.0).sentence
        'Somebody who knows these streets comes within 96 m of you on average; without them, within 130 m. They assume that \
you move along the streets of city.pmtiles; the mechanism and its budgets are public.'
        >>> StreetAttack("city.pmtiles", 620.0, 610.0, 612.0, 150.0, 30.0).sentence
        'Knowing the streets of city.pmtiles brings nobody nearer; you are 150 m from them on average.'
        """
        if self.why:
            return self._missing
        return join([self.brief, *([self._assumed] if self.nearer else []), *self._limits], " ")

    @property
    def brief(self) -> str:
        """The same in one sentence, without what it assumes."""
        if self.why:
            return self._missing
        if self.nearer:
            street_error, reader_error = map(metres, self.shown)
            return sentence(
                "Somebody who knows these streets comes within {street_error} of you on average; without them, within "
                "{reader_error}.",
                street_error=street_error,
                reader_error=reader_error,
            )
        return sentence(
            "Knowing the streets of {street_file} brings nobody nearer; you are {street_distance} from them on average.",
            street_file=self.file,
            street_distance=metres(digits(self.off_m, SHOWN_DIGITS)),
        )

    @property
    def _assumed(self) -> str:
        return sentence(
            "They assume that you move along the streets of {street_file}; the mechanism and its budgets are public.",
            street_file=self.file,
        )

    @property
    def _limits(self) -> list[str]:
        """What is left out of the streets, where something is."""
        said: list[str] = []
        if self.larger:
            said.append(
                sentence(
                    "Only the larger streets are used: at most {most_junctions} junctions are followed.",
                    most_junctions=numeral(MOST_JUNCTIONS),
                )
            )
        if self.capped:
            said.append(
                sentence(
                    "One place in every {street_step} of street is tried, {most_places} in all.",
                    street_step=metres(digits(self.every_m, SHOWN_DIGITS)),
                    most_places=numeral(MOST_POINTS),
                )
            )
        return said

    @property
    def _missing(self) -> str:
        if self.why == MANY:
            return sentence(
                "What somebody finds who knows the streets of {street_file} is not computed: where you may be, they have "
                "more than {most_junctions} junctions.",
                street_file=self.file,
                most_junctions=numeral(MOST_JUNCTIONS),
            )
        if self.why == DAMAGED:
            return sentence("The streets of {street_file} cannot be read.", street_file=self.file)
        return ""


def by_streets(outcome: Outcome, file: str | os.PathLike | Basemap) -> StreetAttack:
    """How near somebody comes to a track who knows the streets of a file: the median of up to eight releases of `useful`.

    Parameters
    ----------
    outcome : of a track under planar Laplace. file : a PMTiles file of vector tiles, as for `Explorer(basemap=...)`.

    Raises
    ------
    InputError : other data, a region too wide for a plane, or a file that is no such file.

    Notes
    -----
    Guarantee: none, this is an attack, and it only uses the release and public knowledge.
    """
    known = outcome.improved(streets=file if isinstance(file, Basemap) else Basemap(file))
    if not may_follow(known):
        raise InputError("Streets can be followed by a track under planar Laplace in a region of one plane")
    *_, found = street_steps(known)
    assert found is not None
    return found


def may_follow(outcome: Outcome) -> bool:
    """Whether streets are known of an outcome to which they apply."""
    if outcome.streets is None or not outcome.kind.placed or outcome.reports is not None or outcome.in_place:
        return False
    if outcome.trajectory.name == RELEASE_NAME:
        return False
    region = region_of(outcome.scenario, outcome.trajectory)
    return region.west < region.east and not is_wide(outcome.trajectory, region)


def street_steps(outcome: Outcome) -> Iterator[StreetAttack | None]:
    """`by_streets` step by step: None after each piece of the work."""
    assert outcome.streets is not None
    file, region = outcome.streets, region_of(outcome.scenario, outcome.trajectory)
    reader, plain = useful_of(outcome) or useful(outcome), cast(PlaceReading, reading_of(outcome))
    likely, paired = np.zeros(len(plain.points), bool), []
    for released in islice(releases(outcome), min(MOST_READ, draws_for(len(outcome)))):
        (read,) = plain.follow([released])
        likely |= _likely(read.posterior)
        paired.append(float(plain.errors(read.estimates).mean()))
        yield None
    streets = RegionStreets()
    for found in _streets_steps(file, region, plain.area, _and_beside(plain.area, likely)):
        yield None
        streets = found or streets
    if streets.points is None or streets.routes is None:
        yield StreetAttack(file.name, np.nan, reader.reader, why=streets.why)
        return
    ground: Any = outcome.ground
    reading, errors = StreetReading(ground, region, streets.points, streets.routes), []
    for released in islice(releases(outcome), min(MOST_READ, draws_for(len(outcome)))):
        for each in reading.read_steps(released):
            if each is not None:
                errors.append(float(reading.errors(each.estimates).mean()))
            yield None
    off = [float(np.hypot(*(streets.points.places - place).T).min()) for place in reading.truth]
    yield StreetAttack(
        file.name,
        float(np.median(errors)),
        reader.reader,
        float(np.median(paired)),
        float(np.mean(off)),
        streets.points.every_m,
        len(streets.points.places) == MOST_POINTS and streets.points.every_m > 2 * LEAST_APART_M,
        streets.larger,
    )


def _likely(posterior: Floats) -> NDArray[np.bool_]:
    """(m,) the cells that some block of timestamps needs for `SURE` of its belief."""
    order = np.argsort(-posterior, axis=1)
    before = np.cumsum(np.take_along_axis(posterior, order, axis=1), axis=1)
    needed = np.ones_like(before, bool)
    needed[:, 1:] = before[:, :-1] < SURE
    found = np.zeros(posterior.shape[1], bool)
    found[order[needed]] = True
    return found


def _and_beside(area: Area, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(m,) these cells and the eight around each."""
    chosen = {tuple(square) for square in area.squares[cells].tolist()}
    around = {(x + i, y + j) for x, y in chosen for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return np.array([tuple(square) in around for square in area.squares.tolist()])


_KNOWN: WeakKeyDictionary[Basemap, dict[tuple[Region, int], StreetLines]] = WeakKeyDictionary()
"""The lines of regions at zooms, dropped with their file."""

_MOST_KNOWN = 4

listed(
    "answers.street_attack",
    "the lines of a file of streets in a region, dropped with the file; so many regions and zooms of each",
    "visitor",
    _MOST_KNOWN,
    lambda: sum(map(len, _KNOWN.values())),
    _KNOWN.clear,
)


def _lines_steps(file: Basemap, region: Region, zoom: int) -> Iterator[StreetLines | None]:
    """`lines_steps`, known from the last time; None after each tile that is read."""
    known = _KNOWN.setdefault(file, {})
    if (region, zoom) not in known:
        for lines in lines_steps(file, region, zoom):
            yield None
            if lines is not None:
                while len(known) >= _MOST_KNOWN:
                    known.pop(next(iter(known)))
                known[region, zoom] = lines
    yield known[region, zoom]


def _streets_steps(
    file: Basemap, region: Region, area: Area, wanted: NDArray[np.bool_]
) -> Iterator[RegionStreets | None]:
    """The streets of some cells of a region at the most detailed zoom that can be followed."""
    why = NONE
    for zoom in zooms_for(file, region):
        lines: StreetLines | None = None
        try:
            for found in _lines_steps(file, region, zoom):
                lines = found
                yield None
        except InputError:
            yield RegionStreets(why=DAMAGED)
            return
        assert lines is not None
        pieces = _within(lines, region, area, wanted)
        if not pieces:
            continue
        why = MANY
        if sum(map(len, pieces)) - len(pieces) > MOST_PIECES:
            continue
        yield None
        streets: StreetNetwork = network(pieces, tolerance_of(lines, region))
        yield None
        if streets.junctions > MOST_JUNCTIONS:
            continue
        points = points_along(streets, MOST_POINTS, LEAST_APART_M)
        for routes in route_steps(streets, points):
            yield None if routes is None else RegionStreets(points, routes, zoom < lines.deepest)
        return
    yield RegionStreets(why=why)


def tolerance_of(lines: StreetLines, region: Region) -> float:
    """Within how many metres vertices are one: a metre, or two steps of the coordinates of a tile if that is more."""
    step_m = lines.unit * EARTH_DEGREE_M * np.cos(np.radians(region.frame.latitude))
    return max(TOLERANCE_M, 2 * float(step_m))


def _within(lines: StreetLines, region: Region, area: Area, wanted: NDArray[np.bool_]) -> list[Floats]:
    """The pieces of lines inside a region of which an end is in a wanted cell, metres in its frame."""
    low, high = region.bounds_m
    found: list[Floats] = []
    for line in lines.lines:
        for piece in inside(region.frame.to_metres(*line.T) - low, high - low):
            place = piece + low
            near = wanted[area.nearest(place)]
            keep = near[:-1] | near[1:]
            edges = np.flatnonzero(np.diff(keep.astype(int), prepend=0, append=0))
            found += [place[first : last + 1] for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return [piece for piece in found if np.ptp(piece, axis=0).max() > 0]
