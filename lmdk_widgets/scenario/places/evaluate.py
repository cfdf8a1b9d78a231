"""From choices to what the page shows: the cells, the priors, the cheap mechanisms, and places for those being solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.places.area import Area, grid_area, track_area
from lmdk_widgets.scenario.places.mechanisms import Ground, Judged
from lmdk_widgets.scenario.places.model import Places
from lmdk_widgets.scenario.places.prior import Sources, counted_checkins, other_prior, prior_of


@dataclass(frozen=True, eq=False)
class Solving:
    """Where the background work stands: what is computed, seconds, and how far its picture may be above the least loss.

    `state` is "", "solving", "cancelled", or "failed" for a `reason`; `excess` as in `mechanisms.excess`.
    """

    state: str = ""
    mechanism: str = ""
    excess: float = float("nan")
    seconds: float = 0.0
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Shown:
    """What the map colours.

    Attributes
    ----------
    values : (n,) probabilities, what `meaning` says of them: "prior", "reports" from a true place, "belief" after a report,
    or "never" for a report that is never made, after which there is nothing to believe: nan everywhere.
    selected : the cell that was chosen. guess : the best guess after the chosen report, else -1. likely : the probability
    of the chosen cell: as a true place its prior, as a report how often it is reported.
    """

    values: Floats
    meaning: str
    selected: int
    guess: int
    likely: float


@dataclass(frozen=True, eq=False)
class Outcome:
    """Everything computed from the choices; the mechanisms that are still being solved are missing or coarse.

    Attributes
    ----------
    places : the choices. area : the cells. ground : distances and priors. judged : the mechanisms known so far.
    solving : where the background work stands. checkins : of a file that lists them, how many lie in the cells, and how many
    there are.
    """

    places: Places
    area: Area
    ground: Ground
    judged: Mapping[str, Judged] = field(default_factory=dict)
    solving: Solving = field(default_factory=Solving)
    checkins: tuple[int, int] | None = None

    def with_results(self, judged: Mapping[str, Judged], solving: Solving) -> Outcome:
        """The same choices, further solved."""
        return replace(self, judged=dict(judged), solving=solving)

    @property
    def present(self) -> Judged | None:
        """The mechanism that the map shows; None while it is not there."""
        return self.judged.get(self.places.mechanism)

    @property
    def shown(self) -> Shown:
        """What the map colours: reports from a true place, beliefs after a report, or the prior."""
        places, prior, present = self.places, self.ground.prior, self.present
        if places.click == "paint" or present is None:
            cell = places.place if places.click == "paint" else self._chosen(prior)
            return Shown(prior, "prior", cell, -1, float(prior[cell]) if cell >= 0 else float("nan"))
        if places.click == "true":
            cell = self._chosen(prior)
            return Shown(present.channel.matrix[cell], "reports", cell, -1, float(prior[cell]))
        cell = self._chosen(present.reports)
        if not present.reports[cell] > 0:
            return Shown(np.full(len(prior), np.nan), "never", cell, -1, 0.0)
        guess = int(present.remap[cell])
        return Shown(present.belief[:, cell], "belief", cell, guess, float(present.reports[cell]))

    def _chosen(self, likely: Floats) -> int:
        return self.places.place if self.places.place >= 0 else int(np.argmax(likely))


def area_of(places: Places, sources: Sources) -> Area:
    """The cells that the choices name."""
    if places.area == "grid":
        return grid_area(places)
    return track_area(sources.track(places.track), places.cell_m)


def evaluate(places: Places, sources: Sources | None = None) -> Outcome:
    """The cells, the priors and the distances that the choices name; no mechanism is solved yet.

    Parameters
    ----------
    places : the choices. sources : the user's own tracks and check-in files.

    Returns
    -------
    Outcome, without mechanisms: `solve.Bench` finds them, picture by picture.

    Raises
    ------
    InputError : choices that do not go together: a track or a file without a point in these cells, too many cells, a
    cell that does not exist, a painting of other cells.

    Examples
    --------
    >>> out = evaluate(Places(rows=3, columns=3, prior="uniform"))
    >>> len(out.ground), round(out.ground.blind_m, 1)
    (9, 1073.0)
    """
    known = sources or Sources()
    area = area_of(places, known)
    if places.place >= len(area):
        raise InputError(
            "there is no such cell",
            where="cell",
            value=places.place,
            allowed=f"-1 to {len(area) - 1}, -1 the likeliest",
        )
    ground = Ground(area.points_m, area.distances_m, prior_of(places, area, known), other_prior(places, area, known))
    return Outcome(places, area, ground, checkins=counted_checkins(places, area, known))
