"""A private release of a series of numbers or counts: budgets from a scheme, noise from OpenDP, a guarantee with the
values, one entry in the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.files import check_free
from lmdk_widgets.secure.folder import NAMES, write_release
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.numbers import (
    LARGEST,
    SecureNumbers,
    number_words,
    release_counts,
    release_numbers,
    width_of,
)
from lmdk_widgets.secure.spending import (
    SPARE,
    Reported,
    Spending,
    Sums,
    budgets_of,
    most_spent,
    spend_as_it_goes,
    spending_words,
    stated_settings,
    with_dummies,
)
from lmdk_widgets.secure.together import Minutes, upward
from lmdk_widgets.trajectory.series import Series


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
    words : the sentences of a guarantee about this noise, with the arguments of `number_words`.
    bounded : whether it uses public bounds; otherwise it uses the most that one person can change a value.
    """

    data: ClassVar[str] = "a series"

    noise: Callable[[Floats, Floats, SeriesSettings], SecureNumbers] = field(kw_only=True)
    words: Callable[..., list[str]] = field(kw_only=True)
    bounded: bool = True

    def suits(self, asked: Mapping[str, Any]) -> bool:
        """Whether the settings have a sensitivity exactly if this mechanism does not use bounds."""
        return self.bounded == (asked.get("sensitivity") is None)

    def release(
        self, data: Series, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any
    ) -> dict[str, Any]:
        """Release a series with this mechanism, see `release_series`."""
        return release_series(data, SeriesSettings(**asked), folder, ledger, mechanism=self, **how)

    def restated(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """See `Mechanism.restated`."""
        settings, noise = SeriesSettings(**stated_settings(told)), _Noise.stated(told)
        if self.bounded:
            low, high = told["bounds"]
            settings, noise = replace(settings, low=low, high=high), noise._replace(sensitivity=width_of(low, high))
        return _told(self, settings, Sums.stated(told), noise)


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
    whose : "subject", "limit" and "confirmed", see `Ledger.spend`.

    Returns
    -------
    The guarantee, as in guarantee.json.

    Raises
    ------
    InputError : answers, a scheme whose budgets depend on a chain, settings out of range or
        without bounds, OpenDP is not installed, a folder that already contains a release, or data that were released before,
        unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    if series.is_answers:
        remedy = "Numbers and counts can be released"
        raise InputError("A series of answers cannot be released privately yet", value=series.kind, remedy=remedy)
    settings = with_dummies(settings, series.time, ledger, whose.get("subject", ""))
    by = mechanism or (LAPLACE if settings.sensitivity is None else DISCRETE_LAPLACE)
    budgets, measured, made = drawn(by, settings, series.values)
    told = _told(by, settings, Sums.of(budgets, settings.landmarks), _Noise.of(made))
    time = np.datetime_as_string(series.time[measured], unit="ms").tolist()
    heading = f"value_{series.unit}" if series.unit.isalnum() else "value"
    rows = zip(time, made.values.tolist(), strict=True)
    text = f"time,{heading}\n" + "".join(f"{time}Z,{value!r}\n" for time, value in rows)
    time_bytes, whose["places"] = (np.ascontiguousarray(a).tobytes() for a in (series.time, series.values))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "sensitivity": made.sensitivity}
    spent |= {"comparison": settings.comparison} if settings.comparison else {}
    whose["minutes"] = Minutes.of(series.time, budgets, settings.landmarks)
    whose["most"] = most_spent(settings, series.time)
    data = time_bytes + whose["places"]
    return write_release(
        folder, told, text, ledger, lambda files: ledger.spend(data, spent, again=again, files=files, **whose)
    )


def drawn(
    by: SeriesMechanism, settings: SeriesSettings, values: Floats
) -> tuple[Floats, NDArray[np.intp], SecureNumbers]:
    """(n,) budgets, the measured timestamps, and their numbers: a release before it has a ledger and files."""
    budgets = budgets_of(settings, len(values))
    if not settings.as_it_goes:
        released = np.flatnonzero(budgets)
        return budgets, released, by.noise(values[released], budgets[released], settings)
    made: list[SecureNumbers] = []

    def report(t: int, budget: float) -> float:
        made.append(by.noise(values[t : t + 1], np.array([budget]), settings))
        return float(made[-1].values[0])

    width = by.noise(values, budgets, settings).sensitivity  # checks all values; these numbers are discarded
    least = width / LARGEST[float if by.bounded else int] * SPARE
    budgets, noise = spend_as_it_goes(
        settings, Reported(len(values), width, report, _clipped(by, settings, values), least)
    )
    each = [np.concatenate([getattr(one, name) for one in made]) for name in ("values", "epsilon")]
    return budgets, np.flatnonzero(noise), SecureNumbers(each[0], each[1], width, settings.comparison > 0)


def _clipped(by: SeriesMechanism, settings: SeriesSettings, values: Floats) -> Floats:
    """The values that comparisons may see: as their noise does, these count on the bounds."""
    return np.clip(values, settings.low, settings.high) if by.bounded else values


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
    words=number_words,
)
DISCRETE_LAPLACE = SeriesMechanism(
    name="discrete-laplace",
    title="discrete Laplace by OpenDP",
    meaning="integer noise for counts.",
    releases="counts",
    pairs=(Pair("two counts that differ by 1", (0.0, 1.0), {"sensitivity": 1}),),
    library="opendp",
    noise=_counts,
    words=number_words,
    bounded=False,
)


class _Noise(NamedTuple):
    """What a guarantee states of the noise.

    Attributes
    ----------
    sensitivity : the most that one timestamp's data can change its number. values : how many there are.
    least, most : epsilon of one, as OpenDP certifies it. spent : of all together.
    """

    sensitivity: float
    values: int
    least: float
    most: float
    spent: float

    @classmethod
    def of(cls, made: SecureNumbers) -> _Noise:
        each = float(made.epsilon.min()), float(made.epsilon.max())
        return cls(made.sensitivity, len(made.values), *each, made.spent)

    @classmethod
    def stated(cls, told: Mapping[str, Any]) -> _Noise:
        """What a guarantee states; one by version 1.0 has the last number only in its second sentence."""
        least, most = told["epsilon_of_a_value"]
        values = whole(told["values"], "values")
        if "epsilon_of_all_values" in told:
            return cls(told["sensitivity"], values, least, most, told["epsilon_of_all_values"])
        found = re.search(r" spends? ([0-9.e+-]+?)(?:\. |, in addition)", told["words"][1])
        spent = float(found[1]) if found else 0.0
        return cls(told["sensitivity"], values, least, most, spent)


def _told(by: SeriesMechanism, settings: SeriesSettings, sums: Sums, noise: _Noise) -> dict[str, Any]:
    """The guarantee of a series release, for JSON; of the landmarks only their number counts."""
    compared = settings.comparison > 0
    said = [
        f"The landmarks and any one other timestamp spend at most {upward(sums.top)} together, the whole series "
        f"{upward(sums.whole)}.",
        *spending_words(settings),
    ]
    if by.bounded:
        said.append("The bounds are treated as public: bounds taken from the data reveal something about them.")
    return {
        "what": f"a private release of a series of {by.releases}, and not a simulation",
        "scheme": settings.scheme,
        "epsilon": settings.epsilon,
        "window": settings.stated_window,
        "bounds": [settings.low, settings.high] if by.bounded else None,
        "sensitivity": noise.sensitivity,
        "landmarks": len(settings.landmarks),
        "chance_of_a_dummy": settings.chance,
        "largest_sum_over_landmarks_and_one_other": sums.top,
        "sum_over_all_timestamps": sums.whole,
        "timestamps": sums.timestamps,
        "comparison_budget": settings.comparison,
        "values": noise.values,
        "mechanism": by.title,
        "epsilon_of_a_value": [noise.least, noise.most],
        "epsilon_of_all_values": noise.spent,
        "words": [*by.words(noise.sensitivity, noise.most, noise.values, noise.spent, compared=compared), *said],
    }
