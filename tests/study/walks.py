"""Walks and studies of them, which the tests of studies share."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lmdk_widgets.study import Study
from lmdk_widgets.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas

GRID = {
    "scheme": ["uniform", "adaptive", "budget-absorption", "event"],
    "share": [0, 0.2, 0.6],
    "layout": ["uniform", "skewed"],
    "correlation": ["moderate", "estimated"],
    "cell_m": 2000,
}
MEASURES = ["mean_error_m", "largest_total_loss", "landmark_loss"]
ROOT = Path(__file__).parents[2]


def hear_ctrl_c() -> None:
    """For a process of its own: a job in the background ignores Ctrl+C, and what it starts does too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def study(n: int = 3000, repetitions: int = 5) -> Study:
    """240 evaluations of a long walk, in 5 parts."""
    return Study({"walk": short(n, 0.0001)}, GRID, repetitions=repetitions, measures=MEASURES)


def same_bits(one: pandas.DataFrame, other: pandas.DataFrame) -> bool:
    numbers = [frame.select_dtypes("number").to_numpy(float).tobytes() for frame in (one, other)]
    return numbers[0] == numbers[1] and one.astype(str).equals(other.astype(str))


def short(n: int = 30, step: float = 0.001) -> Trajectory:
    """A walk to the north-east."""
    time = np.datetime64("2026-03-01T08:00", "ns") + np.arange(n) * np.timedelta64(5, "m")
    return Trajectory(48.85 + step * np.arange(n), 2.35 + step * np.sin(np.arange(n)), time, landmarks=(1, 4))
