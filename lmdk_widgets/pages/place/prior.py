"""How likely each cell is: made up, counted from a track or from check-ins, or painted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats, Region
from lmdk_widgets.geoind.cells import CENTRE
from lmdk_widgets.geoind.checkins import Checkins
from lmdk_widgets.geoind.priors import before_noon, city_prior, count_inside, painted_prior, shares_of, stay_weights
from lmdk_widgets.geoind.visits import Visits
from lmdk_widgets.pages.place.distances import Matrix
from lmdk_widgets.pages.place.model import OF_CHECKINS, OWN, PlaceChoices
from lmdk_widgets.trajectory import Trajectory, sample
from lmdk_widgets.trajectory.samples import region_of as sample_region


@dataclass(frozen=True, eq=False)
class Sources:
    """What belongs to the user and is never part of the choices: tracks, check-in files and distances, by name."""

    tracks: Mapping[str, Trajectory] = field(default_factory=dict)
    checkins: Mapping[str, Checkins | Visits] = field(default_factory=dict)
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Names of the files they came from, by ("track", "checkins" or "distances", name)."""
    matrices: Mapping[str, Matrix] = field(default_factory=dict)

    def with_track(self, track: Trajectory, file: str = "") -> tuple[Sources, str]:
        """The same with one more track, and the name by which choices refer to it."""
        name = f"{OWN}{len(self.tracks) + 1}"
        files = {**self.files, ("track", name): file or "my-track.csv"}
        return replace(self, tracks={**self.tracks, name: track}, files=files), name

    def with_checkins(self, checkins: Checkins | Visits, file: str = "") -> tuple[Sources, str]:
        """The same with one more check-in file, and the name by which choices refer to it."""
        name = f"{OWN}{len(self.checkins) + 1}"
        files = {**self.files, ("checkins", name): file or "my-check-ins.csv"}
        return replace(self, checkins={**self.checkins, name: checkins}, files=files), name

    def with_matrix(self, matrix: Matrix, file: str = "") -> tuple[Sources, str]:
        """The same with one more matrix of distances, and the name by which choices refer to it."""
        name = f"{OWN}{len(self.matrices) + 1}"
        files = {**self.files, ("distances", name): file or "my-distances.csv"}
        return replace(self, matrices={**self.matrices, name: matrix}, files=files), name

    def track(self, name: str) -> Trajectory:
        """The user's own track of that name, else the bundled sample."""
        return self.tracks[name] if name in self.tracks else sample(name)


def region_of(places: PlaceChoices, sources: Sources) -> Region:
    """The chosen region: the given one, a sample's own, or a proposal around the user's own track."""
    if places.region:
        return Region(*places.region)
    if places.track in sources.tracks:
        track = sources.tracks[places.track]
        return Region.around(track.latitude, track.longitude)
    return sample_region(places.track)


def is_proposed(places: PlaceChoices, sources: Sources) -> bool:
    """Whether the cells lie in a region that was proposed from the user's own track and has not been confirmed."""
    return places.area == "region" and not places.region and places.track in sources.tracks


def prior_of(places: PlaceChoices, area: Area, sources: Sources) -> Floats:
    """The chosen prior, (n,), sums to 1.

    Raises
    ------
    InputError : a track or a file with nothing in these cells, no file, or painted weights that do not fit.
    """
    match places.prior:
        case "city":
            return city_prior(area)
        case "uniform":
            return painted_prior((), len(area))
        case "checkins" | "morning-checkins" | "evening-checkins":
            return _from_checkins(places, area, sources, places.prior)
        case "painted":
            return painted_prior(places.painted, len(area))
    track = sources.track(places.track)
    weights = stay_weights(track) if places.prior == "time" else np.ones(len(track))
    return shares_of(area, _in_frame(area, track), weights, "track")


def other_prior(places: PlaceChoices, area: Area, sources: Sources) -> Floats:
    """The chosen second prior, (n,), for which no mechanism was made.

    Raises
    ------
    InputError : the track has no such points in these cells.
    """
    if places.other in ("uniform", "city"):
        return prior_of(places.with_changes(prior=places.other), area, sources)
    if places.other in OF_CHECKINS:
        return _from_checkins(places, area, sources, places.other)
    track = sources.track(places.track)
    weights = np.where(before_noon(track) == (places.other == "morning"), stay_weights(track), 0.0)
    return shares_of(area, _in_frame(area, track), weights, f"{places.other} of the track")


def is_public(places: PlaceChoices, sources: Sources) -> bool:
    """Whether the prior and the relative positions of the cells are built in, with nothing of the user's own."""
    if places.by_matrix or (places.from_track and places.track in sources.tracks):
        return False
    if places.prior in ("city", "uniform"):
        return True  # both depend only on the cells, wherever they lie
    moved = places.area == "grid" and (places.around or (places.latitude, places.longitude) != CENTRE)
    moved = moved or (places.area == "region" and bool(places.region))
    return places.prior in ("time", "counts") and places.track not in sources.tracks and not moved


def _in_frame(area: Area, track: Trajectory) -> Floats:
    return area.frame.to_metres(track.latitude, track.longitude)


def _from_checkins(places: PlaceChoices, area: Area, sources: Sources, which: str) -> Floats:
    """All check-ins, or those of mornings or evenings, summed into the cells."""
    if places.checkins not in sources.checkins:
        raise InputError("A check-in file must be uploaded first", remedy="Upload one, or choose another prior")
    if places.area != "grid":
        what, remedy = "The area must be a grid for a prior from check-ins", "Choose the grid, or another prior"
        raise InputError(what, value="the cells of a track", remedy=remedy)
    file = sources.checkins[places.checkins]
    inside, total = counted_checkins(places, area, sources) or (1, 1)
    if not inside:
        remedy = "Move the grid to where they are, or choose larger cells or more cells"
        what, none = "Some check-ins of the file must lie in the grid", f"none of {total:,}"
        raise InputError(what, value=none, remedy=remedy, kind="elsewhere")
    points_m, weights = file.located(area.frame)
    if which == "checkins":
        return shares_of(area, points_m, weights, "check-in file")
    half = which.removesuffix("-checkins")
    if not isinstance(file, Visits):
        remedy = "Upload one line per check-in with its time, or choose another prior"
        raise InputError("Check-ins must have times for mornings and evenings", value="counts", remedy=remedy)
    return shares_of(area, points_m, file.half(half), f"{half} of the check-in file")


def counted_checkins(places: PlaceChoices, area: Area, sources: Sources) -> tuple[int, int] | None:
    """How many check-ins of the chosen file lie in the cells, and how many it has; None if it is not a list of them."""
    file = sources.checkins.get(places.checkins) if places.counts_checkins else None
    if not isinstance(file, Visits):
        return None
    return count_inside(file, area), len(file)
