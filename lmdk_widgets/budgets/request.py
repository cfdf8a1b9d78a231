"""The checked arguments of a release, and what a release is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.sources import Source
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


@dataclass(frozen=True, eq=False)
class Release:
    """What is published, and what it cost. Arrays cannot be written to.

    Attributes
    ----------
    outputs : (n,) or (n, 2), what stands published at each timestamp, in the unit of the values; NaN where there is no
        release yet.
    budgets : (n,) budgets spent, including `comparison_budget`.
    published : (n,) bool, whether the output is new; otherwise an earlier one is repeated, or there is none.
    landmarks : (k,) indices of the landmarks, ascending.
    rate : (n,) sampling rate in force when each timestamp was decided on ("adaptive" only, otherwise None).
    reserved : (n,) budget that each timestamp had when it was decided on, spent or not ("adaptive" only, otherwise None).
    comparison_budget : part of every timestamp's budget that paid for comparing with the last release: epsilon / (2 w)
        for "budget-distribution" and "budget-absorption", otherwise 0. ``budgets - comparison_budget`` is what the
        publications cost, exactly.
    """

    outputs: Floats
    budgets: Floats
    published: NDArray[np.bool_]
    landmarks: Indices
    rate: Floats | None = None
    reserved: Floats | None = None
    comparison_budget: float = 0.0

    def __post_init__(self) -> None:
        for array in (self.outputs, self.budgets, self.published, self.landmarks, self.rate, self.reserved):
            if array is not None:
                array.flags.writeable = False


@dataclass(frozen=True)
class Request:
    """The checked arguments of a release."""

    source: Source
    scheme: str
    landmarks: Indices
    epsilon: float
    window: int
    increase: float
    decrease: float
    initial: Any
    budgets: Floats | None
