"""lmdk_widgets: see how much privacy a location or a time series really has, and what it costs.

The mathematics (`trajectory`, `budgets`, `noise`, `leakage`, `scenario`) imports no widget; `Explorer`,
`TrajectoryMap` and `FigureView` are imported when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lmdk_widgets.widgets.dashboard import Dashboard
    from lmdk_widgets.widgets.figure_view import FigureView
    from lmdk_widgets.widgets.landmarks import Explorer
    from lmdk_widgets.widgets.places import PlacesLab
    from lmdk_widgets.widgets.quilts import QuiltLab
    from lmdk_widgets.widgets.trajectory_map import TrajectoryMap

__version__ = "0.1.0"
__all__ = ["Dashboard", "Explorer", "FigureView", "PlacesLab", "QuiltLab", "TrajectoryMap", "__version__"]

_HOMES = {
    "Dashboard": "lmdk_widgets.widgets.dashboard",
    "Explorer": "lmdk_widgets.widgets.landmarks",
    "FigureView": "lmdk_widgets.widgets.figure_view",
    "PlacesLab": "lmdk_widgets.widgets.places",
    "QuiltLab": "lmdk_widgets.widgets.quilts",
    "TrajectoryMap": "lmdk_widgets.widgets.trajectory_map",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lmdk_widgets' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
