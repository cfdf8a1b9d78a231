"""The choices of the place page: one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from lmdk_widgets.geoind.cells import CENTRE, MAX_CELLS, SIDE_RANGE
from lmdk_widgets.geoind.mechanisms import MECHANISMS
from lmdk_widgets.page.choices import Choices, PageChoices, beside
from lmdk_widgets.page.fields import PRIVACY, Slider, box, choice, flag, number, numbers, text, whole
from lmdk_widgets.trajectory.samples import sample_choices

AREAS: dict[str, str] = {
    "grid": "A grid over a city: rows and columns of square cells around a centre, Paris unless you move it.",
    "region": "The cells of a region: those of a fixed grid in a box that can be public.",
    "track": "The cells of a track: the squares in which it has points. They reveal where it goes.",
}

PRIORS: dict[str, str] = {
    "city": "A made-up city: a centre, a few quarters, and streets between; generated, the same every time.",
    "uniform": "Uniform: every cell is equally likely.",
    "time": "Time of the track: how long it stays in each cell.",
    "counts": "Points of the track: how many lie in each cell.",
    "checkins": "A check-in file: what you uploaded, summed by cell.",
    "morning-checkins": "Mornings of the check-in file: those before noon, solar time.",
    "evening-checkins": "Evenings of the check-in file: those after noon, solar time.",
    "painted": "Painted: weights that you give to cells.",
}
"""How likely each cell is: what the mechanism is made for, and what the adversary knows beforehand."""

OTHERS: dict[str, str] = {
    "uniform": "Uniform: a person who may be anywhere.",
    "city": "The made-up city.",
    "morning": "Mornings of the track: its points before noon, solar time.",
    "evening": "Evenings of the track: its points after noon, solar time.",
    "morning-checkins": "Mornings of the check-ins: those before noon, solar time.",
    "evening-checkins": "Evenings of the check-ins: those after noon, solar time.",
}
"""A second prior, for which no mechanism was made."""

DISTANCES: dict[str, str] = {
    "straight": "Straight: metres between the centres of cells.",
    "manhattan": "Streets: metres east or west plus metres north or south.",
    "squared": "Squared: divided by the radius, so one radius counts as one radius, and two count as four.",
    "matrix": "Your own: distances that you uploaded, such as travel times.",
}
"""How far apart two cells are: for privacy, for the report's loss and for the attacker's error."""

LAYERS: dict[str, str] = {
    "clicked": "As clicked: chances of reports, or beliefs.",
    "reader": "Reader's error: how far off the report is, for each true cell.",
    "attacker": "Attacker's error: how far off the best guess after the report is, for each true cell.",
}
"""What the colours on the map show."""

CLICKS: dict[str, str] = {
    "true": "True place: show what is reported from there.",
    "report": "Report: show what the adversary believes and guesses after it.",
    "paint": "Paint: give the cell the weight of the brush.",
}
"""What a click on the map means."""

WHERE = "where the grid lies"
"""What a link leaves out about a moved grid, in words."""

CELL_RANGE_M = (20.0, 50_000.0)

PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "paris": (
        "Paris, 7 × 5 cells, dilation 1.08",
        {"area": "grid", "columns": 7, "rows": 5, "latitude": CENTRE[0], "longitude": CENTRE[1]}
        | {"prior": "city", "dilation": 1.08, "mechanism": "spanner", "place": -1, "painted": ()},
    ),
}
"""Named settings, each with a title: the grid of the paper's figure 1 with its spanner (Bordenabe et al. 2014)."""

OF_CHECKINS = ("checkins", "morning-checkins", "evening-checkins")
"""Priors, and second priors, that are counted from a check-in file."""

OWN = "own "
"""The prefix of the names of the user's own tracks and check-in files."""

_SIZE = Slider(50, 10_000, log=True, ends=("small", "large"))
_LEVEL = Slider(0.05, 10, log=True, ends=PRIVACY)
_RADIUS = Slider(50, 10_000, log=True, backwards=True, ends=PRIVACY)
_LOSS = Slider(0, 200, step=1, ends=("precise", "imprecise"))
_DILATION = Slider(1, 2, backwards=True, ends=("fewer constraints", "more accurate"))


SETTING = ("mechanism", "level", "radius_m", "dilation", "loss_percent")
"""What is pinned: the mechanism and its privacy; the cells and the priors stay the present ones."""


@dataclass(frozen=True, repr=False)
class PlaceSettings(Choices):
    """The cells, the priors, the privacy and the mechanism of the place page.

    Attributes
    ----------
    area : what the places are, a key of `AREAS`.
    rows, columns : of the grid, 2 to 15 each.
    cell_m : side of a cell, metres, 20 to 50,000; of the grid and of a track's cells.
    latitude, longitude : centre of the grid, degrees, within 80 and 180.
    region : south, west, north and east of the public area in degrees; empty: that of the sample, or a proposal computed
        from the user's own track. Links contain it: setting it declares it public.
    track : name of a bundled sample, or of one of the user's own tracks, which is passed to the evaluation.
    prior : what the mechanism is made for, a key of `PRIORS`.
    checkins : name of a check-in file, which is passed to the evaluation; "" for none.
    painted : weights of the cells for the prior "painted", 0 or more; empty until something is painted.
    around : centre the grid where most check-ins of that file are; the choices contain none of their coordinates.
    level, radius_m : privacy level l within a radius r, so that epsilon is l / r per metre: l in [0.01, 20], r in
        [10, 100,000] metres.
    dilation : of the spanner, 1 to 3.
    loss_percent : the quality loss q that OptPriv may have, in percent of the optimal mechanism's, 0 to 1,000.
    mechanism : which one the map shows, a key of `MECHANISMS`.
    click : what a click on the map means, a key of `CLICKS`.
    charts : compute the charts even if there are many cells.
    place : the chosen cell, from 0; -1: the most likely one.
    other : a second prior, a key of `OTHERS`.
    privacy_by, quality_by, error_by : how far apart cells are for privacy, the report's loss and the attacker's error, keys
        of `DISTANCES`. distances : name of the user's own matrix; unit_m : metres that one unit of it counts as.
    decimals, square_cells : what is done today with these places: rounding to so many decimals of a degree, and larger
        squares of so many cells along a side.
    layer : what the colours on the map show, a key of `LAYERS`.
    """

    PAGE: ClassVar[str] = "place"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("mechanism",)

    area: str = choice("grid", AREAS, "Area", "Places")
    rows: int = whole(6, SIDE_RANGE, "Rows", "Places", subject="The number of rows")
    columns: int = whole(6, SIDE_RANGE, "Columns", "Places", subject="The number of columns")
    cell_m: float = number(1000.0, CELL_RANGE_M, "Cell size", "Places", unit="m", slider=_SIZE)
    latitude: float = number(CENTRE[0], (-80.0, 80.0), "Latitude of the centre", "Places", unit="degrees")
    longitude: float = number(CENTRE[1], (-180.0, 180.0), "Longitude of the centre", "Places", unit="degrees")
    region: tuple[float, ...] = box("Region", "Places", subject="The region")
    prior: str = choice("city", PRIORS, "Prior", "Who is where")
    track: str = text("commuter", "Track", "Who is where", known=sample_choices)
    checkins: str = text("", "Check-in file")
    painted: tuple[float, ...] = numbers((), (0.0, 1e6), "Painted weights", most=MAX_CELLS)
    around: bool = flag(False, "Grid around the check-ins")
    other: str = choice("evening", OTHERS, "Second prior", "Who is where")
    level: float = number(1.0, (0.01, 20.0), "Privacy level", "Privacy", slider=_LEVEL)
    radius_m: float = number(
        1000.0, (10.0, 100_000.0), "Within a radius of", "Privacy", subject="The radius", unit="m", slider=_RADIUS
    )
    dilation: float = number(1.1, (1.0, 3.0), "Dilation of the spanner", "Privacy", slider=_DILATION)
    loss_percent: float = number(
        100.0,
        (0.0, 1000.0),
        "OptPriv: loss allowed, q",
        "Privacy",
        subject="The loss allowed to OptPriv",
        unit="% of the optimal mechanism's",
        slider=_LOSS,
    )
    privacy_by: str = choice("straight", DISTANCES, "For privacy", "Distances", subject="The distance for privacy")
    quality_by: str = choice(
        "straight", DISTANCES, "For the report", "Distances", subject="The distance for the report"
    )
    error_by: str = choice("straight", DISTANCES, "For the guess", "Distances", subject="The distance for the guess")
    unit_m: float = number(
        80.0, (0.001, 1e6), "Your unit is", "Distances", subject="The unit of the distances", unit="m"
    )
    distances: str = text("", "Distances of your own")
    decimals: int = whole(2, (0, 5), "Decimals of a degree", "What is done today", subject="The decimals")
    square_cells: int = whole(
        2,
        (2, SIDE_RANGE[1]),
        "Cells along a larger square",
        "What is done today",
        subject="The side of a larger square",
    )
    layer: str = choice("clicked", LAYERS, "Colours", "Map")
    mechanism: str = choice("optimal", MECHANISMS, "Mechanism", "Privacy")
    click: str = choice("true", CLICKS, "On click", subject="The meaning of a click")
    charts: bool = flag(False, "Compute the charts")
    place: int = whole(-1, (-1, MAX_CELLS - 1), "Cell")


@dataclass(frozen=True, repr=False)
class PlaceChoices(PlaceSettings, PageChoices):
    """Everything a user can choose on the place page. Immutable; `with_changes` returns a changed copy.

    Attributes
    ----------
    pinned : settings to compare with, of which only `SETTING` counts; None for none. The others: see `PlaceSettings`.

    Examples
    --------
    >>> places = PlaceChoices(level=2.0, radius_m=500)
    >>> places.epsilon_per_m
    0.004
    >>> PlaceChoices.from_dict(places.to_dict()) == places
    True
    """

    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ()
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {"the pinned option": ("pinned",)}

    pinned: PlaceSettings | None = beside(PlaceSettings, "Pinned option")

    @property
    def epsilon_per_m(self) -> float:
        """The privacy asked for: ``level / radius_m``, per metre."""
        return self.level / self.radius_m

    @property
    def from_track(self) -> bool:
        """Whether the cells depend on the track: they are its own, or lie in its sample's region or the proposed one."""
        return self.area == "track" or (self.area == "region" and not self.region)

    def told(self) -> Mapping[str, Any]:
        """Settings without coordinates and without anything from the user's own tracks or files."""
        prior = "city" if self.prior in OF_CHECKINS else self.prior
        other = "uniform" if self.other in OF_CHECKINS else self.other
        public = replace(self, place=-1, checkins="", around=False, prior=prior, other=other, distances="")
        told = dict(super(PlaceChoices, public.straight()).told())
        own = ("track",) if self.track.startswith(OWN) else ()
        return told | {name: self.defaults()[name] for name in ("painted", "latitude", "longitude", *own)}

    @property
    def counts_checkins(self) -> bool:
        """Whether a prior is counted from a check-in file."""
        return self.prior in OF_CHECKINS or self.other in OF_CHECKINS

    @property
    def by_matrix(self) -> bool:
        """Whether any distance comes from the user's own matrix."""
        return "matrix" in (self.privacy_by, self.quality_by, self.error_by)

    def straight(self) -> PlaceChoices:
        """The same with straight lines instead of the user's own distances."""
        own = [name for name in ("privacy_by", "quality_by", "error_by") if getattr(self, name) == "matrix"]
        return self.with_changes(**dict.fromkeys(own, "straight"))

    def left_out(self) -> tuple[str, ...]:
        """What a link leaves out of these choices, in words."""
        moved = (self.latitude, self.longitude) != CENTRE or self.around
        counted = self.from_track or self.prior in ("time", "counts") or self.other in ("morning", "evening")
        found = {
            "your track": counted and self.track.startswith(OWN),
            WHERE: self.area == "grid" and moved,
            "the painted weights": self.prior == "painted" and bool(self.painted),
            "your check-ins": self.counts_checkins,
            "your distances": self.by_matrix,
        }
        return tuple(said for said, there in found.items() if there)

    def visible(self) -> list[str]:
        """The choices that have an effect with this area and these priors."""
        grid = self.area == "grid"
        track = not grid or self.prior in ("time", "counts") or self.other in ("morning", "evening")
        conditions = {name: grid for name in ("rows", "columns", "latitude", "longitude")} | {"track": track}
        conditions |= {"region": self.area == "region", "loss_percent": self.mechanism == "private"}
        conditions["unit_m"] = self.by_matrix
        if self.around:
            conditions |= {"latitude": False, "longitude": False}
        return [name for name in super().visible() if conditions.get(name, True)]
