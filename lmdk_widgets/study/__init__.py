"""Studies: `evaluate` over thousands of settings, on one machine or a cluster, that can be stopped and resumed."""

from lmdk_widgets.study.layouts import LAYOUTS, draw_landmarks
from lmdk_widgets.study.measures import MEASURES
from lmdk_widgets.study.model import Study

__all__ = ["LAYOUTS", "MEASURES", "Study", "draw_landmarks"]
