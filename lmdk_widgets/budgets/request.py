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
    """What is published, and what it cost. The arrays are read-only.

    Attributes
    ----------
    outputs : (n,) or (n, 2), the current published output at each timestamp, in the unit of the values; NaN where there
        is no release yet.
    budgets : (n,) budgets spent, including `comparison_budget`.
    published : (n,) bool, whether the output is new; otherwise an earlier one is repeated, or there is none.
    landmarks : (k,) indices of the landmarks, ascending.
    rate : (n,) sampling rate when the decision was made at each timestamp ("adaptive" only, otherwise None).
    reserved : (n,) budget available at each timestamp when the decision was made, spent or not ("adaptive" only,
        otherwise None).
    comparison_budget : part of every timestamp's budget that paid for comparing with the last release: epsilon / (2 w)
        for schemes that compare, otherwise 0. ``budgets - comparison_budget`` is what the publications cost, exactly.
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
