"""The result of the choices on the place page: every number and array that a view of it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lmdk_widgets.geo import Area, Floats, Region
from lmdk_widgets.geoind import of_any_report
from lmdk_widgets.geoind.mechanisms import Assessment, Instance
from lmdk_widgets.page.cards import with_pinned
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.pages.place.model import SETTING, PlaceChoices
from lmdk_widgets.pages.place.rounding import Rounding
from lmdk_widgets.pages.place.study import MOST_BY_ITSELF, Charts

ERRORS = ("reader", "attacker")
"""The layers of the map that are in metres."""
SLACK = 1e-9
"""The share by which two privacy levels may differ and count as the same."""
NEVER = 1e-12
"""A report less likely than this counts as never made: a solver's rounding leaves such chances where there are none."""


@dataclass(frozen=True, eq=False)
class Solving:
    """The state of the background work: what is solved, its seconds, and how far the loss may be above the least one.

    `state` is "", "solving", "cancelled", or "failed" for a `reason`; `excess` as in `mechanisms.excess`; `notice` says which
    solver is used if it is not the fast one.
    """

    state: str = ""
    mechanism: str = ""
    excess: float = float("nan")
    seconds: float = 0.0
    reason: str = ""
    notice: str = ""


@dataclass(frozen=True, eq=False)
class Shown:
    """What the colours on the map show.

    Attributes
    ----------
    values : (n,) probabilities of the kind `meaning`: "prior", "reports" from a true place, "belief" after a report, or
    "never" for a report that is never made, after which there is nothing to believe: nan everywhere. Or metres: "reader"
    and "attacker", how far off the report and the best guess are from each true cell.
    selected : the chosen cell. guess : the best guess after the chosen report, else -1. likely : the probability
    of the chosen cell: as a true place its prior, as a report how often it is reported.
    """

    values: Floats
    meaning: str
    selected: int
    guess: int
    likely: float

    def message(self) -> Message:
        """For the page; `most_m` is the largest value where these are metres."""
        told: Message = {"meaning": self.meaning, "selected": self.selected, "guess": self.guess}
        return told | {"most_m": float(self.values.max())} if self.meaning in ERRORS else told


@dataclass(frozen=True, eq=False)
class Outcome:
    """Everything computed from the choices; the mechanisms that are still being solved are missing or coarse.

    Attributes
    ----------
    places : the choices. area : the cells. instance : distances and priors. charts : as far as they are computed.
    assessed : the mechanisms known so far.
    solving : the state of the background work. checkins : for a file that lists them, how many lie in the cells, and how
    many there are. region : the region of the cells, if they have one. proposed : whether it was proposed from the user's
    own track and has not been confirmed. pinned : the mechanism of the pinned setting; None until it is solved.
    roundings : what is done today with these places, and what it tells.
    """

    places: PlaceChoices
    area: Area
    instance: Instance
    charts: Charts
    assessed: Mapping[str, Assessment] = field(default_factory=dict)
    solving: Solving = field(default_factory=Solving)
    checkins: tuple[int, int] | None = None
    region: Region | None = None
    proposed: bool = False
    pinned: Assessment | None = None
    roundings: tuple[Rounding, ...] = ()

    @property
    def beside(self) -> Outcome | None:
        """The outcome of the pinned setting, for the same cells and priors; None if nothing is pinned."""
        places: PlaceChoices | None = with_pinned(self.places, SETTING)
        if places is None:
            return None
        assessed = {} if self.pinned is None else {places.mechanism: self.pinned}
        return replace(self, places=places, assessed=assessed, pinned=None)

    @property
    def any_report_m(self) -> float | None:
        """No mechanism with the level asked for is off by less on average, whatever it reports, metres.

        None where that is not proven: the optimal mechanism is not solved yet, or its loss is not in straight lines.
        """
        best, asked = self.assessed.get("optimal"), self.places.epsilon_per_m
        if best is None or self.places.quality_by != "straight" or not best.channel.bound > 0:
            return None
        if not asked <= best.channel.requested_epsilon <= asked * (1 + SLACK):
            return None
        extent = np.ptp(self.area.squares, axis=0) + 1
        whole = int(extent[0]) * int(extent[1]) == len(self.area)
        return of_any_report(best.channel.bound, self.area.cell_m, whole=whole)

    @property
    def charts_wait(self) -> bool:
        """Whether the charts are computed only when asked for: there are many cells."""
        return len(self.instance) > MOST_BY_ITSELF and not self.charts.begun and not self.places.charts

    def with_results(self, assessed: Mapping[str, Assessment], solving: Solving) -> Outcome:
        """The same choices with more mechanisms solved."""
        return replace(self, assessed=dict(assessed), solving=solving)

    @property
    def present(self) -> Assessment | None:
        """The mechanism that the map shows; None until it is solved."""
        return self.assessed.get(self.places.mechanism)

    @property
    def shown(self) -> Shown:
        """What the colours on the map show: reports from a true place, beliefs after a report, errors, or the prior."""
        places, prior, present = self.places, self.instance.prior, self.present
        if places.click == "paint" or present is None:
            cell = places.place if places.click == "paint" else self._chosen(prior)
            return Shown(prior, "prior", cell, -1, float(prior[cell]) if cell >= 0 else float("nan"))
        if places.layer in ERRORS:
            cell = self._chosen(prior)
            values = present.reader_m if places.layer == "reader" else present.attacker_m
            return Shown(values, places.layer, cell, -1, float(prior[cell]))
        if places.click == "true":
            cell = self._chosen(prior)
            return Shown(present.channel.matrix[cell], "reports", cell, -1, float(prior[cell]))
        cell = self._chosen(present.reports)
        likely = float(present.reports[cell])
        if likely < NEVER:
            return Shown(np.full(len(prior), np.nan), "never", cell, -1, 0.0)
        return Shown(present.belief[:, cell], "belief", cell, int(present.remap[cell]), likely)

    def _chosen(self, likely: Floats) -> int:
        return self.places.place if self.places.place >= 0 else int(np.argmax(likely))
