"""A track: one person's places and times, in time order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame, Region
from lmdk_widgets.names import SchemeName
from lmdk_widgets.trajectory.card import card, timed
from lmdk_widgets.trajectory.parts import rows_of, timestamps, within
from lmdk_widgets.trajectory.raw import limit
from lmdk_widgets.upwards import from_above

if TYPE_CHECKING:
    from pandas import DataFrame


class ExploreOptions(TypedDict, total=False):
    """What `Explorer` takes besides its data, a scenario and a link's query."""

    epsilon: float | None
    scheme: SchemeName | None
    landmarks: Iterable[Any] | None
    choices: Mapping[str, Any] | None
    checkins: str | os.PathLike | None
    region: Region | Sequence[float] | None
    basemap: str | os.PathLike | None
    layout: Any


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A track: n places with their times, in time order; it is immutable.

    Attributes
    ----------
    latitude, longitude : (n,) degrees WGS84, in [-90, 90] and [-180, 180].
    time : (n,) datetime64[ns], UTC, increasing.
    landmarks : those that came with the file, as a proposal; the scenario decides. Given as indices (from 0), a mask or
        times; stored as indices.
    labels : a word for each timestamp ("p1"), or empty.
    places : (latitude, longitude, text) of places worth labelling on the map.
    name : what to call it on the page.
    notices : sentences about what was done while reading it ("12 rows were out of order and were sorted").
    zone : IANA name of its owner's time zone, "" if unknown. format : the kind of file that it was in, such as "GPX", or "".
    """

    latitude: Floats
    longitude: Floats
    time: NDArray[np.datetime64]
    landmarks: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    places: tuple[tuple[float, float, str], ...] = ()
    name: str = ""
    notices: tuple[str, ...] = field(default=())
    zone: str = ""
    format: str = ""

    _PER_ROW: ClassVar[tuple[str, ...]] = ("latitude", "longitude", "time")

    def __post_init__(self) -> None:
        latitude, longitude = (np.array(a, float) for a in (self.latitude, self.longitude))
        time = np.array(self.time, "datetime64[ns]")
        _check(latitude, longitude, time)
        for name, array in (("latitude", latitude), ("longitude", longitude), ("time", time)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "landmarks", timestamps(self.landmarks, time, self.zone))

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, key: Any) -> Self:
        """Part of the track: `track[:100]`, or the timestamps of indices or a mask, with their landmarks and labels.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample
        >>> len(sample("commuter")[:100]), sample("bob")[2:].landmarks
        (100, (0, 2, 5))
        """
        return self._of(rows_of(key, len(self)))

    def between(self, start: Any = None, end: Any = None) -> Self:
        """The part from `start` to `end`, both included: datetimes or texts, read in the track's zone if they have none; a
        day alone ("2026-01-26") is a whole day.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample
        >>> bob = sample("bob")
        >>> len(bob.between(bob.time[2], bob.time[4]))
        3
        """
        rows = within(self.time, start, end, self.zone)
        if not len(rows):
            raise InputError("the track must have at least one timestamp between start and end", value="none")
        return self._of(rows)

    def _of(self, rows: NDArray[np.intp]) -> Self:
        """The part with some of the rows, in time order."""
        per_row = {name: getattr(self, name)[rows] for name in self._PER_ROW}
        return replace(
            self,
            landmarks=tuple(np.flatnonzero(np.isin(rows, self.landmarks)).tolist()),
            labels=tuple(self.labels[row] for row in rows) if self.labels else (),
            **per_row,
        )

    def __repr__(self) -> str:
        # No coordinate: a track must not leak into logs and tracebacks.
        return f"Trajectory({self.name!r}, {len(self)} timestamps)"

    def _repr_html_(self) -> str:
        # Its length, time span and extent, but not where it is.
        width, height = (np.ptp(self.points_m, axis=0) / 1000).tolist()
        extent = f"{width:,.3g} km from west to east, {height:,.3g} km from south to north"
        rows = timed(self.time, self.zone, self.landmarks)
        return card(self.name or "A track", [*rows, ("extent", extent)])

    def explore(self, *, scenario: Any = None, query: str = "", **options: Unpack[ExploreOptions]) -> Any:
        """The landmark explorer on this track or series, an `Explorer` with the same options.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample
        >>> sample("bob").explore(epsilon=0.5).scenario.epsilon
        0.5
        """
        return from_above("hosts.widget.track", "Explorer")(self, scenario=scenario, query=query, **options)

    @classmethod
    def from_frame(
        cls, frame: Any, *, timezone: str | None = None, person: object = None, day_first: bool | None = None
    ) -> Trajectory:
        """The track in a table of pandas, GeoPandas, movingpandas or polars, or in a list of dicts.

        Parameters
        ----------
        frame : one row per timestamp, in time order: `time` (datetimes, or texts such as 2026-01-26T15:57:02Z), `latitude`
            and `longitude` (degrees WGS84), or other usual names, as in a file; the index may be the time. Points in any
            coordinate reference system of a GeoDataFrame, and the trajectories of movingpandas, are places too. Columns
            `landmark` and `label` are used; any other may only tell people apart.
        timezone : IANA name of the zone for times without one, which are refused otherwise.
        person : whose rows to read, a value of the column that tells people apart: one with a known heading, such as
            user_id, or one whose values have far shorter paths than all rows together, as for `load_trajectory`.
        day_first : for times that are texts, whether 1/2/2026 is the first of February.

        Raises
        ------
        InputError for a missing column; with `kind` "timezone" for times without a zone; "day-order" for dates that can be
        read both ways; "people" for several people and no `person`; and, with `kind` "rows"
        and the position (from 0) of each row with its reason in `rows`, for values that cannot be used, for times that are
        out of order and for repeated times.

        Examples
        --------
        >>> import pandas
        >>> day = pandas.date_range("2026-01-26 09:00", periods=3, freq="h", tz="Europe/Paris")
        >>> frame = pandas.DataFrame({"time": day, "latitude": 48.86, "longitude": [2.34, 2.35, 2.36], "speed": 1.0})
        >>> Trajectory.from_frame(frame).time[0].astype("datetime64[m]")
        np.datetime64('2026-01-26T08:00')
        """
        from lmdk_widgets.trajectory.data_frame import as_track

        return Trajectory(**as_track(frame, timezone, person, day_first))

    def to_frame(self) -> DataFrame:
        """The true track as a pandas DataFrame: `time` (UTC), `latitude` and `longitude` (degrees), one row per timestamp.

        `Trajectory.from_frame` reads it back without losing any digits, with its landmarks, labels, name and zone, which are
        in `frame.attrs`, by their times: part of the frame keeps its own.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample
        >>> sample("bob").to_frame().dtypes.astype(str).to_dict()
        {'time': 'datetime64[ns, UTC]', 'latitude': 'float64', 'longitude': 'float64'}
        """
        from lmdk_widgets.trajectory.data_frame import framed

        return framed(self, latitude=self.latitude, longitude=self.longitude)

    @cached_property
    def frame(self) -> LocalFrame:
        """The local metric frame in which this track is perturbed."""
        return LocalFrame.around(self.latitude, self.longitude)

    @cached_property
    def points_m(self) -> Floats:
        """(n, 2) the true places in metres in `frame`."""
        return self.frame.to_metres(self.latitude, self.longitude)

    @cached_property
    def stretch(self) -> float:
        """How much `frame` stretches lengths at the track's farthest point, at least 1."""
        return self.frame.stretch(self.points_m)


def _check(latitude: Floats, longitude: Floats, time: NDArray[np.datetime64]) -> None:
    n = len(time)
    if not len(latitude) == len(longitude) == n:
        raise InputError(
            "latitude, longitude and time must have the same length",
            value=f"{len(latitude):,}, {len(longitude):,} and {n:,}",
        )
    if n == 0:
        raise InputError("a track must have at least one point with a time", value="none")
    limit(n, n)
    # Written so that NaN fails too; the value is not shown, as it may be a true coordinate.
    bad = ~((np.abs(latitude) <= 90) & (np.abs(longitude) <= 180)) | np.isnat(time)
    if bad.any():
        raise InputError(
            f"timestamp {int(np.argmax(bad)):,} must have a latitude between -90 and 90, a longitude between -180 and "
            "180, and a time"
        )
    later = time[1:] > time[:-1]  # compared, not subtracted: a difference of more than 292 years overflows
    if not later.all():
        late = int(np.argmax(~later)) + 1
        raise InputError(
            f"timestamp {late:,} must be later than timestamp {late - 1:,}",
            remedy="Sort the points and drop repeated times",
        )
