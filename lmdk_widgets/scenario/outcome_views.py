"""What a user finds in an outcome, in groups of names: the release, the losses, and the answers.

A name of the first two means the same on the outcome, where it can be read too.
"""

from __future__ import annotations

import math
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.upwards import from_above


class OutcomeView:
    """A group of an outcome's names, each computed when it is first read. A subclass declares them with their types."""

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            setattr(cls, name, property(attrgetter(f"_outcome.{name}")))

    @classmethod
    def names(cls) -> list[str]:
        """The names in the group, in order."""
        return [name for name, found in vars(cls).items() if isinstance(found, property)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.names())})"

    def to_dict(self) -> dict[str, Any]:
        """The values by name as lists, numbers and flags; None for NaN, and for what there is not."""
        return {name: _plain(getattr(self, name)) for name in self.names()}


class OutcomeRelease(OutcomeView):
    """What is released, at which cost, and how far off it is; see `Outcome` for each name."""

    budgets: Floats
    totals: Floats
    window_totals: Floats
    protected: tuple[int, ...]
    published: NDArray[np.bool_]
    latitude: Floats
    longitude: Floats
    values: Floats | None
    radius95_m: Floats
    rate: Floats | None
    threshold_m: Floats | None
    error_m: Floats
    error_low_m: Floats | None
    error_high_m: Floats | None
    mean_error_m: float
    median_error_m: float
    event_error_m: float
    user_error_m: float


class OutcomeLosses(OutcomeView):
    """The temporal privacy loss, what if the scenario's chain is assumed; see `Outcome` for each name."""

    backward: Floats
    forward: Floats
    total: Floats
    supremum: float
    window_loss: Floats
    landmark: Floats
    landmark_bound: Floats
    overrun: float
    allowed: float


class OutcomeAnswers(OutcomeView):
    """Useful, found and promised in numbers, computed from the true data, for their owner's eyes.

    `answers.useful(outcome)`, `answers.lasting_places(outcome)` and `answers.promised(outcome)` say more. Errors of a series
    are in its unit.
    """

    @cached_property
    def _promised(self) -> Any:
        return from_above("answers", "promised")(self._outcome)

    @cached_property
    def _useful(self) -> Any:
        return from_above("answers", "useful")(self._outcome)

    @property
    def reader_m(self) -> float:
        """Useful: the mean error of a careful reader, metres."""
        return float(self._useful.reader)

    @property
    def nothing_m(self) -> float:
        """The same of somebody who has no release."""
        return float(self._useful.nothing)

    @property
    def found_within_m(self) -> float:
        """Found: metres within which half of all releases reveal the lasting place that is found best, or the main level;
        inf: there is none; NaN for answers and cells, where it is not computed."""
        return float(from_above("sweep.rows", "MEASURES")["found_within_m"].of(self._outcome))

    @property
    def moment(self) -> float:
        """Promised: the most by which the log odds of one moment change, if moments are independent."""
        return float(self._promised.moment)

    @property
    def landmarks(self) -> float | None:
        """The same of the landmarks and any one other moment together; None without landmarks."""
        found = self._promised.landmarks
        return None if found is None else float(found)

    @property
    def guesses(self) -> float:
        """Of 100 guesses about one moment between two that are equally likely, at most so many are right."""
        return float(self._promised.guesses)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value.tolist()]
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and math.isnan(value) else value
