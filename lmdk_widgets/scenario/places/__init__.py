"""The laboratory of optimal places: choices, cells, priors, mechanisms and what they are worth, without any widget."""

from lmdk_widgets.scenario.places.area import Area, grid_area, track_area
from lmdk_widgets.scenario.places.checkins import Checkins, read_checkins
from lmdk_widgets.scenario.places.evaluate import evaluate
from lmdk_widgets.scenario.places.improve import improve
from lmdk_widgets.scenario.places.mechanisms import Ground, Judged, judge, most_private, remapped
from lmdk_widgets.scenario.places.model import AREAS, CLICKS, MECHANISMS, OTHERS, PRIORS, Places
from lmdk_widgets.scenario.places.outcome import Outcome, Shown, Solving
from lmdk_widgets.scenario.places.prior import Sources, city_prior
from lmdk_widgets.scenario.places.solve import Bench, Step
from lmdk_widgets.scenario.places.study import Charts, Point, Price, complete, price_of
from lmdk_widgets.scenario.places.visits import Visits

__all__ = [
    "AREAS",
    "CLICKS",
    "MECHANISMS",
    "OTHERS",
    "PRIORS",
    "Area",
    "Bench",
    "Charts",
    "Checkins",
    "Ground",
    "Judged",
    "Outcome",
    "Places",
    "Point",
    "Price",
    "Shown",
    "Solving",
    "Sources",
    "Step",
    "Visits",
    "city_prior",
    "complete",
    "evaluate",
    "grid_area",
    "improve",
    "judge",
    "most_private",
    "price_of",
    "read_checkins",
    "remapped",
    "track_area",
]
