"""lmdk_widgets: see how much privacy a location track, a reported place or a time series really has, and what it costs.

Four pages, each a widget: landmarks (`Explorer`: budgets, noise and temporal privacy loss of a track), places
(`PlacesLab`: optimal geo-indistinguishability), quilts (`QuiltLab`: Pufferfish privacy of a series) and foundations
(`FoundationsLab`: what the words of privacy mean). `Dashboard` holds all four. Lessons tell a story with them (`lmdk
lesson`) and ask what was understood (`Question`). The mathematics imports no widget; widgets are imported when they are
first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lmdk_widgets.widgets.dashboard import Dashboard
    from lmdk_widgets.widgets.figure_view import FigureView
    from lmdk_widgets.widgets.foundations import FoundationsLab
    from lmdk_widgets.widgets.landmarks import Explorer
    from lmdk_widgets.widgets.lesson_tiles import Lessons
    from lmdk_widgets.widgets.places import PlacesLab
    from lmdk_widgets.widgets.question import Answers, Question
    from lmdk_widgets.widgets.quilts import QuiltLab
    from lmdk_widgets.widgets.studies import Studies
    from lmdk_widgets.widgets.trajectory_map import TrajectoryMap

__version__ = "0.2.0"
__all__ = [
    "Answers",
    "Dashboard",
    "Explorer",
    "FigureView",
    "FoundationsLab",
    "Lessons",
    "PlacesLab",
    "Question",
    "QuiltLab",
    "Studies",
    "TrajectoryMap",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'lmdk_widgets' has no attribute {name!r}")
    from importlib import import_module

    from lmdk_widgets.widgets.dashboard import PAGES

    modules = {"Dashboard": "dashboard", "FigureView": "figure_view", "TrajectoryMap": "trajectory_map"}
    modules |= {"Question": "question", "Answers": "question"}
    homes = {widget: f"lmdk_widgets.widgets.{module}" for widget, module in modules.items()}
    homes |= {widget: module for _, module, widget in PAGES.values()}
    return getattr(import_module(homes[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
