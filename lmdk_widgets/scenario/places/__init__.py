"""The places page: choices, cells, priors, mechanisms and what they are worth, without any widget."""

from lmdk_widgets.scenario.places.area import Area, grid_area, track_area
from lmdk_widgets.scenario.places.checkins import Checkins, read_checkins
from lmdk_widgets.scenario.places.evaluate import evaluate
from lmdk_widgets.scenario.places.improve import improve
from lmdk_widgets.scenario.places.mechanisms import Assessment, Instance, assess, most_private, remapped
from lmdk_widgets.scenario.places.model import AREAS, CLICKS, MECHANISMS, OTHERS, PRIORS, Places
from lmdk_widgets.scenario.places.outcome import Outcome, Shown, Solving
from lmdk_widgets.scenario.places.prior import Sources, city_prior
from lmdk_widgets.scenario.places.solve import Solvers, Step
from lmdk_widgets.scenario.places.study import Charts, Point, complete
from lmdk_widgets.scenario.places.visits import Visits

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
    "Places",
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
