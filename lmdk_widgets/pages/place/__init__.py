"""The place page without any widget: choices, cells, priors, mechanisms and how well they perform."""

from lmdk_widgets.geo import Area
from lmdk_widgets.geoind.cells import grid_area, track_area
from lmdk_widgets.geoind.checkins import Checkins, read_checkins
from lmdk_widgets.geoind.mechanisms import MECHANISMS, Assessment, Instance, assess, most_private, remapped
from lmdk_widgets.geoind.priors import city_prior
from lmdk_widgets.geoind.solvers import Solvers, Step
from lmdk_widgets.geoind.visits import Visits
from lmdk_widgets.pages.place.evaluate import evaluate
from lmdk_widgets.pages.place.improve import improve
from lmdk_widgets.pages.place.model import AREAS, CLICKS, OTHERS, PRIORS, PlaceChoices
from lmdk_widgets.pages.place.outcome import Outcome, Shown, Solving
from lmdk_widgets.pages.place.prior import Sources
from lmdk_widgets.pages.place.study import Charts, Point, complete

__all__ = [
    "AREAS",
    "CLICKS",
    "MECHANISMS",
    "OTHERS",
    "PRIORS",
    "Area",
    "Assessment",
    "Charts",
    "Checkins",
    "Instance",
    "Outcome",
    "PlaceChoices",
    "Point",
    "Shown",
    "Solvers",
    "Solving",
    "Sources",
    "Step",
    "Visits",
    "assess",
    "city_prior",
    "complete",
    "evaluate",
    "grid_area",
    "improve",
    "most_private",
    "read_checkins",
    "remapped",
    "track_area",
]
