"""Tracks and series: their classes, readers for files, the bundled samples and stay points."""

from lmdk_widgets.trajectory.load import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS
from lmdk_widgets.trajectory.samples import sample, sample_names, sample_series, series_names
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_reader import load_series
from lmdk_widgets.trajectory.stays import stay_points

__all__ = [
    "MAX_TIMESTAMPS",
    "Series",
    "Trajectory",
    "load_series",
    "load_trajectory",
    "sample",
    "sample_names",
    "sample_series",
    "series_names",
    "stay_points",
]
