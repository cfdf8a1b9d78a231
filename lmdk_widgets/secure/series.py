"""A release of a series of numbers or counts that is meant: budgets by a scheme, noise by OpenDP, a guarantee beside the
values, one entry in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.files import check_free
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.numbers import SecureNumbers, release_counts, release_numbers
from lmdk_widgets.secure.together import Minutes, upward
from lmdk_widgets.secure.track import NAMES, budgets_of, write_release
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_reader import FILLED


@dataclass(frozen=True)
class SeriesSettings:
    """What a release of a series is asked for.

    Attributes
    ----------
    scheme : one of `FIXED_SCHEMES`. epsilon : the budget. landmarks : indices from 0. window : w of the scheme "window".
    low, high : public bounds of the numbers; values beyond them are moved to them.
    sensitivity : of counts, in the place of bounds: the most that one person changes a count; None for numbers.
    budgets : of each timestamp, for the scheme "given" alone.
    """

    scheme: str = "uniform"
    epsilon: float = 1.0
    landmarks: tuple[int, ...] = ()
    window: int | None = None
    low: float | None = None
    high: float | None = None
    sensitivity: int | None = None
    budgets: tuple[float, ...] = ()


@dataclass(frozen=True)
class SeriesMechanism(Mechanism):
    """A mechanism for the values of a series.

    Attributes
    ----------
    noise : (values, budgets, settings) -> what may be published, at the budget of each value.
    bounded : whether it takes public bounds; else the most that one person changes a value.
    """

    data: ClassVar[str] = "a series"

    noise: Callable[[Floats, Floats, SeriesSettings], SecureNumbers] = lambda *_: NotImplemented
    bounded: bool = True

    def suits(self, asked: Mapping[str, Any]) -> bool:
        """Whether bounds are given where it takes bounds, and none where not."""
        return self.bounded == (asked.get("sensitivity") is None)

    def release(
        self, data: Series, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any
    ) -> dict[str, Any]:
        """A release of a series by this mechanism, see `release_series`."""
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
    """Makes a release of a series, writes it down in the ledger, and puts it into a folder, in the order of `release_track`.

    Parameters
    ----------
    mechanism : None: `DISCRETE_LAPLACE` where the settings have a sensitivity, else `LAPLACE`.
    whose : "subject" and "limit", see `Ledger.spend`.

    Returns
    -------
    The guarantee, as it stands in guarantee.json.

    Raises
    ------
    InputError : answers, missing values, a scheme whose budgets follow from what is released, settings out of range or
        without bounds, OpenDP that is not installed, a folder that has a release, or data that were released before,
        unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    if series.is_answers:
        remedy = "Numbers and counts can be released"
        raise InputError("A series of answers has no release that is meant yet", value=series.kind, remedy=remedy)
    if any(filled in notice for notice in series.notices for filled in FILLED):
        what = "A release of a series must have a value at each timestamp, as a repeated one would be released twice"
        raise InputError(what, value="missing values", remedy="Leave out their lines")
    budgets = budgets_of(settings, len(series))
    released = np.flatnonzero(budgets)
    by = mechanism or (LAPLACE if settings.sensitivity is None else DISCRETE_LAPLACE)
    made = by.noise(series.values[released], budgets[released], settings)
    told = _told(by, settings, budgets, made)
    rows = zip(np.datetime_as_string(series.time[released], unit="ms").tolist(), made.values.tolist(), strict=True)
    heading = f"value_{series.unit}" if series.unit.isalnum() else "value"
    text = f"time,{heading}\n" + "".join(f"{time}Z,{value!r}\n" for time, value in rows)
    data = b"".join(np.ascontiguousarray(a).tobytes() for a in (series.time, series.values))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "sensitivity": made.sensitivity}
    minutes = Minutes.of(series.time, budgets, settings.landmarks)
    return write_release(folder, told, text, lambda: ledger.spend(data, spent, again=again, minutes=minutes, **whose))


def _numbers(values: Floats, budgets: Floats, settings: SeriesSettings) -> SecureNumbers:
    if settings.low is None or settings.high is None:
        remedy = "Name --low and --high, or --counts with the most that one person changes a count"
        raise refused("a series of numbers", "released with public bounds", "none", remedy=remedy)
    return release_numbers(values, budgets, low=settings.low, high=settings.high)


def _counts(values: Floats, budgets: Floats, settings: SeriesSettings) -> SecureNumbers:
    if settings.sensitivity is None:
        raise refused("a series of counts", "released with --counts, the most that one person changes a count", "none")
    return release_counts(values, budgets, sensitivity=settings.sensitivity)


LAPLACE = SeriesMechanism(
    name="laplace",
    title="Laplace by OpenDP",
    meaning="noise for numbers between public bounds.",
    releases="numbers",
    pairs=(Pair("the lower bound and the upper bound", (0.0, 1.0), {"low": 0.0, "high": 1.0}),),
    library="opendp",
    noise=_numbers,
)
DISCRETE_LAPLACE = SeriesMechanism(
    name="discrete-laplace",
    title="discrete Laplace by OpenDP",
    meaning="whole noise for counts.",
    releases="counts",
    pairs=(Pair("two counts that differ by 1", (0.0, 1.0), {"sensitivity": 1}),),
    library="opendp",
    noise=_counts,
    bounded=False,
)


def _told(by: SeriesMechanism, settings: SeriesSettings, budgets: Floats, made: SecureNumbers) -> dict[str, Any]:
    """The guarantee of a series, for JSON."""
    top, whole = float(landmark_totals(budgets, settings.landmarks).max()), float(budgets.sum())
    said = [
        f"The landmarks and any one other timestamp spend at most {upward(top)} together, the whole series {upward(whole)}.",
        "Times are published as they are, and which timestamps were measured. Which ones are landmarks is taken as known.",
    ]
    if by.bounded:
        said.append("The bounds are taken as public: bounds that are taken from the data tell of them.")
    return {
        "what": f"a private release of a series of {by.releases}, and not a simulation",
        "scheme": settings.scheme,
        "epsilon": settings.epsilon,
        "bounds": [settings.low, settings.high] if by.bounded else None,
        "sensitivity": made.sensitivity,
        "landmarks": len(settings.landmarks),
        "largest_sum_over_landmarks_and_one_other": top,
        "sum_over_all_timestamps": whole,
        "timestamps": len(budgets),
        "values": len(made.values),
        "mechanism": by.title,
        "epsilon_of_a_value": [float(made.epsilon.min()), float(made.epsilon.max())],
        "words": [*made.words(), *said],
    }
