"""lmdk_widgets: see how much privacy a location track, a reported place or a time series really has, and what it costs.

Five pages, each a widget: track (`Explorer`: budgets, noise and temporal privacy loss of a track), place (`PlacesLab`:
optimal geo-indistinguishability), series (`QuiltLab`: Pufferfish privacy of a series), table (`FoundationsLab`: what the
words of privacy mean) and people (`PeopleLab`: what publishing many people's tracks does to them). `Dashboard` contains
all of them. Lessons use them to tell a story (`lmdk lesson`) and ask questions about it (`Question`). Without a widget,
`evaluate` computes what a `Scenario` does to a track or a series from `sample` or `load`. The mathematics imports no
widget; each name is imported on first use.

>>> import lmdk_widgets
>>> track = lmdk_widgets.sample("bob")
>>> outcome = lmdk_widgets.evaluate(lmdk_widgets.Scenario(landmarks=track.landmarks), track)
>>> round(float(outcome.budgets[0]), 3)
0.2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lmdk_widgets.version import __version__

if TYPE_CHECKING:
    from lmdk_widgets.hosts.widget.course import Answers, Lessons, Question
    from lmdk_widgets.hosts.widget.dashboard import Dashboard
    from lmdk_widgets.hosts.widget.figure_view import FigureView, SlidingFigure
    from lmdk_widgets.hosts.widget.people import PeopleLab
    from lmdk_widgets.hosts.widget.place import PlacesLab
    from lmdk_widgets.hosts.widget.series import QuiltLab
    from lmdk_widgets.hosts.widget.studies import Studies
    from lmdk_widgets.hosts.widget.table import FoundationsLab
    from lmdk_widgets.hosts.widget.track import Explorer
    from lmdk_widgets.hosts.widget.trajectory_map import TrajectoryMap
    from lmdk_widgets.pages.track.words import describe
    from lmdk_widgets.scenario import Outcome, Scenario, evaluate
    from lmdk_widgets.sweep.defences_compared import defences
    from lmdk_widgets.sweep.many_settings import settings_table
    from lmdk_widgets.trajectory import Series, Trajectory, sample, sample_series
    from lmdk_widgets.trajectory.series_reader import load_data as load

__all__ = [
    "Answers",
    "Dashboard",
    "Explorer",
    "FigureView",
    "FoundationsLab",
    "Lessons",
    "Outcome",
    "PeopleLab",
    "PlacesLab",
    "Question",
    "QuiltLab",
    "Scenario",
    "Series",
    "SlidingFigure",
    "Studies",
    "Trajectory",
    "TrajectoryMap",
    "__version__",
    "defences",
    "describe",
    "evaluate",
    "load",
    "sample",
    "sample_series",
    "settings_table",
]

_HOMES = {
    "scenario": ("Outcome", "Scenario", "defences", "describe", "evaluate", "settings_table"),
    "trajectory": ("Series", "Trajectory", "sample", "sample_series"),
    "hosts.widget.dashboard": ("Dashboard",),
    "hosts.widget.figure_view": ("FigureView", "SlidingFigure"),
    "hosts.widget.table": ("FoundationsLab",),
    "hosts.widget.track": ("Explorer",),
    "hosts.widget.people": ("PeopleLab",),
    "hosts.widget.place": ("PlacesLab",),
    "hosts.widget.course": ("Answers", "Lessons", "Question"),
    "hosts.widget.series": ("QuiltLab",),
    "hosts.widget.studies": ("Studies",),
    "hosts.widget.trajectory_map": ("TrajectoryMap",),
}
"""The module of each name, imported on first use."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "load":
        return import_module("lmdk_widgets.trajectory.series_reader").load_data
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"lmdk_widgets.{home}"), name)
    raise AttributeError(f"module 'lmdk_widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
