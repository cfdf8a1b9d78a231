"""A private release of a series of numbers or counts: budgets from a scheme, noise from OpenDP, a guarantee with the
values, one entry in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.files import check_free
from lmdk_widgets.secure.folder import NAMES, write_release
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.numbers import LARGEST, SecureNumbers, release_counts, release_numbers
from lmdk_widgets.secure.spending import (
    SPARE,
    Reported,
    Spending,
    budgets_of,
    most_spent,
    spend_as_it_goes,
    spending_words,
    with_dummies,
)
from lmdk_widgets.secure.together import Minutes, upward
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_reader import FILLED


@dataclass(frozen=True)
class SeriesSettings(Spending):
    """The settings for the release of a series, in addition to its `Spending`.

    Attributes
    ----------
    low, high : public bounds of the numbers; values beyond them are clipped.
    sensitivity : for counts, instead of bounds: the most that one person can change a count; None for numbers.
    """

    low: float | None = None
    high: float | None = None
    sensitivity: int | None = None


@dataclass(frozen=True)
class SeriesMechanism(Mechanism):
    """A mechanism for the values of a series.

    Attributes
    ----------
    noise : (values, budgets, settings) -> what may be published, at each value's budget.
    bounded : whether it uses public bounds; otherwise it uses the most that one person can change a value.
    """

    data: ClassVar[str] = "a series"

    noise: Callable[[Floats, Floats, SeriesSettings], SecureNumbers] = lambda *_: NotImplemented
    bounded: bool = True

    def suits(self, asked: Mapping[str, Any]) -> bool:
        """Whether the settings have a sensitivity exactly if this mechanism does not use bounds."""
        return self.bounded == (asked.get("sensitivity") is None)

    def release(
        self, data: Series, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any
    ) -> dict[str, Any]:
        """Release a series with this mechanism, see `release_series`."""
        return release_series(data, SeriesSettings(**asked), folder, ledger, mechanism=self, **how)


def release_series(
    series: Series,
    settings: SeriesSettings,
    folder: Path,
    ledger: Ledger,
    *,
    again: bool = False,
    mechanism: SeriesMechanism | None = None,
    **whose: Any,
) -> dict[str, Any]:
    """Make a release of a series, record it in the ledger, and write it to a folder, in the same order as `release_track`.

    Parameters
    ----------
    mechanism : None: `DISCRETE_LAPLACE` if the settings have a sensitivity, otherwise `LAPLACE`.
    whose : "subject" and "limit", see `Ledger.spend`.

    Returns
    -------
    The guarantee, as in guarantee.json.

    Raises
    ------
    InputError : answers, missing values, a scheme whose budgets depend on a chain, settings out of range or
        without bounds, OpenDP is not installed, a folder that already contains a release, or data that were released before,
        unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    if series.is_answers:
        remedy = "Numbers and counts can be released"
        raise InputError("A series of answers cannot be released privately yet", value=series.kind, remedy=remedy)
    if any(filled in notice for notice in series.notices for filled in FILLED):
        what = "A release of a series must have a value at each timestamp, as a repeated one would be released twice"
        raise InputError(what, value="missing values", remedy="Remove their lines")
    settings = with_dummies(settings, series.time, ledger, whose.get("subject", ""))
    by = mechanism or (LAPLACE if settings.sensitivity is None else DISCRETE_LAPLACE)
    budgets, measured, made = _drawn(by, settings, series.values)
    told = _told(by, settings, budgets, made)
    time = np.datetime_as_string(series.time[measured], unit="ms").tolist()
    heading = f"value_{series.unit}" if series.unit.isalnum() else "value"
    rows = zip(time, made.values.tolist(), strict=True)
    text = f"time,{heading}\n" + "".join(f"{time}Z,{value!r}\n" for time, value in rows)
    data = b"".join(np.ascontiguousarray(a).tobytes() for a in (series.time, series.values))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "sensitivity": made.sensitivity}
    spent |= {"comparison": settings.comparison} if settings.comparison else {}
    whose["minutes"] = Minutes.of(series.time, budgets, settings.landmarks)
    whose["most"] = most_spent(settings, series.time)
    return write_release(folder, told, text, lambda: ledger.spend(data, spent, again=again, **whose))


def _drawn(
    by: SeriesMechanism, settings: SeriesSettings, values: Floats
) -> tuple[Floats, NDArray[np.intp], SecureNumbers]:
    """(n,) budgets, the measured timestamps, and their numbers."""
    budgets = budgets_of(settings, len(values))
    if not settings.as_it_goes:
        released = np.flatnonzero(budgets)
        return budgets, released, by.noise(values[released], budgets[released], settings)
    made: list[SecureNumbers] = []

    def report(t: int, budget: float) -> float:
        made.append(by.noise(values[t : t + 1], np.array([budget]), settings))
        return float(made[-1].values[0])

    width = by.noise(values, budgets, settings).sensitivity  # checks all values; these numbers are discarded
    true = np.clip(values, settings.low, settings.high) if by.bounded else values
    least = width / LARGEST[float if by.bounded else int] * SPARE
    budgets, noise = spend_as_it_goes(settings, Reported(len(values), width, report, true, least))
    each = [np.concatenate([getattr(one, name) for one in made]) for name in ("values", "epsilon")]
    return budgets, np.flatnonzero(noise), SecureNumbers(each[0], each[1], width, settings.comparison > 0)


def _numbers(values: Floats, budgets: Floats, settings: SeriesSettings) -> SecureNumbers:
    if settings.low is None or settings.high is None:
        remedy = "Name --low and --high, or --counts with the most that one person can change a count"
        raise refused("a series of numbers", "released with public bounds", "none", remedy=remedy)
    return release_numbers(values, budgets, low=settings.low, high=settings.high)


def _counts(values: Floats, budgets: Floats, settings: SeriesSettings) -> SecureNumbers:
    if settings.sensitivity is None:
        raise refused("a series of counts", "released with --counts, the most one person can change a count", "none")
    return release_counts(values, budgets, sensitivity=settings.sensitivity)


LAPLACE = SeriesMechanism(
    name="laplace",
    title="Laplace by OpenDP",
    meaning="noise for numbers with public bounds.",
    releases="numbers",
    pairs=(Pair("the lower bound and the upper bound", (0.0, 1.0), {"low": 0.0, "high": 1.0}),),
    library="opendp",
    noise=_numbers,
)
DISCRETE_LAPLACE = SeriesMechanism(
    name="discrete-laplace",
    title="discrete Laplace by OpenDP",
    meaning="integer noise for counts.",
    releases="counts",
    pairs=(Pair("two counts that differ by 1", (0.0, 1.0), {"sensitivity": 1}),),
    library="opendp",
    noise=_counts,
    bounded=False,
)


def _told(by: SeriesMechanism, settings: SeriesSettings, budgets: Floats, made: SecureNumbers) -> dict[str, Any]:
    """The guarantee of a series release, for JSON."""
    top, whole = float(landmark_totals(budgets, settings.landmarks).max()), float(budgets.sum())
    said = [
        f"The landmarks and any one other timestamp spend at most {upward(top)} together, the whole series {upward(whole)}.",
        *spending_words(settings),
    ]
    if by.bounded:
        said.append("The bounds are treated as public: bounds taken from the data reveal something about them.")
    return {
        "what": f"a private release of a series of {by.releases}, and not a simulation",
        "scheme": settings.scheme,
        "epsilon": settings.epsilon,
        "bounds": [settings.low, settings.high] if by.bounded else None,
        "sensitivity": made.sensitivity,
        "landmarks": len(settings.landmarks),
        "chance_of_a_dummy": settings.chance,
        "largest_sum_over_landmarks_and_one_other": top,
        "sum_over_all_timestamps": whole,
        "timestamps": len(budgets),
        "comparison_budget": settings.comparison,
        "values": len(made.values),
        "mechanism": by.title,
        "epsilon_of_a_value": [float(made.epsilon.min()), float(made.epsilon.max())],
        "words": [*made.words(), *said],
    }
