"""An alternative to a track: a series of numbers, or of yes/no answers, from one person or household."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lmdk_widgets.checks import number, one_of, refused, series
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.trajectory.card import card, timed
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from pandas import DataFrame

NUMBERS, ANSWERS = "numbers", "answers"
FAR = 1e15
"""The largest absolute value of a bound."""

KINDS = {NUMBERS: "a number at each timestamp", ANSWERS: "yes or no at each timestamp, as 1 or 0"}


@dataclass(frozen=True, eq=False)
class Series(Trajectory):
    """A series: n values with their times, in time order; it is immutable.

    It can be used wherever a track can, and has landmarks like a track, but no places: `frame` and `points_m` raise an error,
    and `latitude` and `longitude` are 0.

    Attributes
    ----------
    time, landmarks, labels, name, notices, zone : as for a `Trajectory`.
    values : (n,) finite numbers in `unit`; for answers, 1 for yes and 0 for no.
    kind : "numbers" or "answers".
    unit : of the numbers, such as "kWh"; "" for plain counts.
    lower, upper : public bounds that came with the numbers, known before anyone looked at them; None if there are none.
    answers : what 0 and 1 stand for.

    Raises
    ------
    InputError : invalid values, a different number of values and times, answers that are neither 0 nor 1, bounds in the
        wrong order.

    Examples
    --------
    >>> hours = np.datetime64("2026-01-26T08:00") + np.arange(3) * np.timedelta64(1, "h")
    >>> power = Series(hours, values=[0.2, 1.4, 0.3], unit="kWh", lower=0.0, upper=6.0, landmarks=(1,))
    >>> len(power), power.values.tolist(), power.landmarks
    (3, [0.2, 1.4, 0.3], (1,))
    """

    latitude: Floats = field(init=False, repr=False)
    longitude: Floats = field(init=False, repr=False)
    places: tuple[tuple[float, float, str], ...] = field(init=False, default=(), repr=False)
    values: Floats = field(kw_only=True)
    kind: str = field(kw_only=True, default=NUMBERS)
    unit: str = field(kw_only=True, default="")
    lower: float | None = field(kw_only=True, default=None)
    upper: float | None = field(kw_only=True, default=None)
    answers: tuple[str, str] = field(kw_only=True, default=("no", "yes"))

    _PER_ROW: ClassVar[tuple[str, ...]] = ("time", "values")

    def __post_init__(self) -> None:
        one_of(self.kind, "kind", KINDS)
        values = series(self.values, "values").copy()
        if len(values) != len(self.time):
            what = "values and time must have the same length"
            raise InputError(what, value=f"{len(values):,} and {len(self.time):,}")
        if self.kind == ANSWERS and not np.isin(values, (0, 1)).all():
            bad = int(np.argmax(~np.isin(values, (0, 1))))
            raise InputError(f"each answer must be 1 for yes or 0 for no; the one at timestamp {bad:,} is neither")
        if self.lower is not None and self.upper is not None:
            check_bounds(self.lower, self.upper)
        values.flags.writeable = False
        for name, array in (
            ("values", values),
            ("latitude", np.zeros(len(values))),
            ("longitude", np.zeros(len(values))),
        ):
            object.__setattr__(self, name, array)
        super().__post_init__()

    def __repr__(self) -> str:
        # No value: a series must not leak into logs and tracebacks.
        return f"Series({self.name!r}, {len(self)} timestamps)"

    def _repr_html_(self) -> str:
        # Its length, its time span, what its values are, but none of the values.
        kind = " or ".join(self.answers) if self.is_answers else f"numbers {f'in {self.unit}' if self.unit else ''}"
        rows = [*timed(self.time, self.zone, self.landmarks), ("values", kind.strip())]
        if self.lower is not None and self.upper is not None:
            rows.append(("public bounds", f"{self.lower:,.6g} to {self.upper:,.6g}"))
        return card(self.name or "A series", rows)

    @classmethod
    def from_frame(
        cls, frame: Any, *, timezone: str | None = None, person: object = None, day_first: bool | None = None
    ) -> Series:
        """The series in a table in memory, of any kind that `Trajectory.from_frame` reads, or one column with a time index.

        Parameters
        ----------
        frame : one row per timestamp, in time order, with the columns `time` (as for a `Trajectory`) and `value`, or only one
            of numbers; yes and no are Booleans. Columns `landmark` and `label` are used, any other may tell people apart.
        timezone, day_first : as for a `Trajectory`.
        person : whose rows to read, if a column such as user_id or household has several values.

        Raises
        ------
        InputError : a missing column, values that are not numbers, times that cannot be used or are out of order; with `kind`
            "people", several people and no `person`.

        Examples
        --------
        >>> import pandas
        >>> day = pandas.date_range("2026-01-26 09:00", periods=3, freq="h", tz="Europe/Paris")
        >>> Series.from_frame(pandas.DataFrame({"time": day, "value": [True, False, True]})).kind
        'answers'
        """
        from lmdk_widgets.trajectory.data_frame import as_series

        return cls(**as_series(frame, timezone, person, day_first))

    def to_frame(self) -> DataFrame:
        """The true series as a pandas DataFrame: `time` (UTC) and `value` (in `unit`; answers as Booleans).

        Examples
        --------
        >>> hours = np.datetime64("2026-01-26T08:00") + np.arange(2) * np.timedelta64(1, "h")
        >>> Series(hours, values=[1, 0], kind="answers").to_frame().value.tolist()
        [True, False]
        """
        from lmdk_widgets.trajectory.data_frame import framed

        return framed(self, value=self.values == 1 if self.kind == ANSWERS else self.values)

    @property
    def is_answers(self) -> bool:
        """Whether each value is yes or no."""
        return self.kind == ANSWERS

    @cached_property
    def frame(self) -> LocalFrame:
        """Raises an error: a series has no places."""
        raise _no_places()

    @cached_property
    def points_m(self) -> Floats:
        """Raises an error: a series has no places."""
        raise _no_places()

    @cached_property
    def stretch(self) -> float:
        """1: nothing is projected."""
        return 1.0


def check_bounds(lower: float, upper: float) -> tuple[float, float]:
    """The bounds of a series, checked.

    Raises
    ------
    InputError : a bound that is not a finite number, an upper bound that is not above the lower one.

    Examples
    --------
    >>> check_bounds(3.0, 3.0)
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: The upper bound must be above the lower bound of 3; got 3.0.
    """
    low, high = (
        number(bound, name, -FAR, FAR) for bound, name in ((lower, "the lower bound"), (upper, "the upper bound"))
    )
    if not high > low:
        raise refused("the upper bound", f"above the lower bound of {low:,.12g}", high)
    return low, high


def _no_places() -> InputError:
    return InputError("A track of places is needed here", value="a series of values, which has none")
