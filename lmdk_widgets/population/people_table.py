"""Many people: how near an attacker comes to each of them, and what that means for all of them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack
from weakref import finalize

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import fraction, generator, number, numbers, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.names import FixedSchemeName as Name
from lmdk_widgets.population.exposure_of_people import (
    FoundOptions,
    Histogram,
    by_reports,
    by_silences,
    epsilon_for_share,
    first_above,
    scheme_of,
    shares_found,
    two_budgets,
)
from lmdk_widgets.population.people_parts import CHUNK_ROWS, PeopleParts, read_people
from lmdk_widgets.population.people_places import Places, places_of_people, track_by_rule
from lmdk_widgets.population.together import Rows, bring_together, joined_rows
from lmdk_widgets.population.unicity import (
    LEAST_CELL_M,
    LEAST_HOURS,
    KnownPoints,
    cell_codes,
    home_and_work,
    hour_codes,
)
from lmdk_widgets.population.usefulness_of_people import UsefulShare, useful_share, worth_of
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.data_frame import text_of
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.zones import find_zone, to_local

UNZONED = "No time zone of the people is known: nights, working hours and bins of hours are counted by UTC."

_DEFAULTS = Scenario.defaults()
RADIUS_M, WINDOW = float(_DEFAULTS["radius_m"]), int(_DEFAULTS["window"])


class People:
    """A table of people: a row for each person, time and place.

    Parameters
    ----------
    table : a data frame of pandas, GeoPandas, movingpandas or polars, a list of dicts, or the path of a CSV or Parquet file,
        of a folder of these, or of T-Drive, Cabspotting, Gowalla or Geolife as they are published. Its columns are found by
        their headings, as for one track; one of them names the person.
    rule : which timestamps of a person are landmarks: one of each stay ("stays", see `stay_points`), "none", or the landmarks
        of each person, by name or in the order of `names`: indices, a mask or times.
    columns : the heading or the number of the columns "person", "time" (or "date" and "clock"), "latitude" and "longitude",
        where headings do not say it.
    timezone : IANA name of the zone in which people live: of times without one, and of nights and working hours. Clock times
        that exist twice, as clocks go back, are read as the first of the two. day_first : whether 1/2/2026 is the first of
        February.

    Attributes
    ----------
    names : (people,) texts, sorted: the order of everything that is computed for each person.
    reports : (people,) how many timestamps each has. landmarks : (people,) how many of these are landmarks.
    left_out : how many rows were left out, by reason. notices : sentences about what was done while reading.
    zone : IANA name of the time zone of their clocks, or "".

    Raises
    ------
    InputError for a table without one of the columns, for times without a zone, and for too many rows that cannot be used.

    Notes
    -----
    Guarantee: none. Everything is computed from the true places, for their owner's eyes only.

    The attack knows when a person is at each place (`answers.lasting_places`); each person's budgets follow from their own
    timestamps and landmarks. Schemes that decide during a release are left out, as their X needs draws person by person.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> people = People(sample("commuter").to_frame().assign(person="Ada"))
    >>> people.names.tolist(), people.reports.tolist(), people.found("event", 1.0).round(1).tolist()
    (['Ada'], [2016], [10.3])
    """

    def __init__(
        self,
        table: Any,
        *,
        rule: str | Mapping[str, Any] | Sequence[Any] = "stays",
        columns: Mapping[str, int | str] | None = None,
        timezone: str | None = None,
        day_first: bool | None = None,
    ) -> None:
        rows = bring_together(table, columns=columns, timezone=timezone, day_first=day_first)
        self.rows = rows
        notices = (*rows.notices, *_unzoned(rows.zone, timezone))
        self._hold(rule, rows.names, rows.reports, places_of_people(rows, rule), rows.left_out, notices)
        self.zone = rows.zone

    def _hold(
        self,
        rule: Any,
        names: NDArray[np.str_],
        reports: NDArray[np.int64],
        places: Places,
        left_out: Mapping[str, int],
        notices: Sequence[str],
    ) -> None:
        self.rule, self.names, self.reports, self._places = rule, names, reports, places
        self.left_out, self.notices = dict(left_out), tuple(notices)
        self._has_ends = False
        self._first_m: dict[tuple[str, int], Floats] = {}
        self._parts: PeopleParts | None = None
        self._last: tuple[int, Rows] | None = None  # the part that was read last
        self._same: People | None = None  # the people from whom these are made
        self.zone = ""

    @classmethod
    def read(
        cls,
        source: str | os.PathLike[str],
        *,
        rule: str | Mapping[str, Any] = "stays",
        columns: Mapping[str, int | str] | None = None,
        timezone: str | None = None,
        day_first: bool | None = None,
        jobs: int | None = 1,
        dask: str | None = None,
        directory: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], Any] | None = None,
        chunk_rows: int = CHUNK_ROWS,
    ) -> People:
        """The people of a file or a folder that may be larger than memory: a summary of each is kept, not the rows.

        The rows are brought together by person in parts on disk, chunk by chunk, without a shuffle if each person's rows
        already are together; then each part is summarised. The numbers do not depend on chunks, parts, processes or
        workers, to the last bit on processors of the same kind.

        Parameters
        ----------
        source : the path of a CSV or Parquet file, a folder of these, or a published data set. rule, columns, timezone,
            day_first : as for `People`; landmarks are given by name.
        jobs : how many processes; None: one for each core. More than one needs `joblib`. dask : the address of a Dask
            scheduler, whose workers compute instead; they must be able to read the directory.
        directory : where the rows by part and the finished summaries are stored: an empty or a new one, or that of the same
            table, where the same call goes on. None: one that is removed with the result.
        progress : is called with the number of finished parts and of all parts, while the rows are read with 0 and about how
            many parts there will be; what it raises stops the reading.
        chunk_rows : how many rows are read at a time.

        Raises
        ------
        InputError : as for `People`; a directory with other contents, no scheduler at the address, a missing library.

        Notes
        -----
        After Ctrl+C, or after this process or a worker was killed, the same call with the same directory goes on: no finished
        part is computed again. The directory contains true places; a new one can be read by its owner only.

        A scheme that leaves landmarks out needs the ends of silences; the first time, the parts are read again for them.
        """
        temporary = TemporaryDirectory(prefix="people-") if directory is None else None
        folder = Path(temporary.name if temporary is not None else os.fspath(directory or ""))
        how: dict[str, Any] = {"columns": columns, "timezone": timezone, "day_first": day_first}
        how |= {"jobs": None if dask is not None and jobs == 1 else jobs, "dask": dask, "progress": progress}
        chunk_rows = whole(chunk_rows, "chunk_rows")
        try:
            parts = read_people(source, folder, rule=rule, chunk_rows=chunk_rows, **how)
        except BaseException:  # Ctrl+C too
            if temporary is not None:
                temporary.cleanup()
            raise
        made, found = cls.__new__(cls), parts.found
        notices = (*parts.notices, *_unzoned(parts.files.zone, timezone))
        made._hold(rule, found.names, found.reports, found.places, found.left_out, notices)
        made._parts, made.zone = parts, parts.files.zone
        if temporary is not None:
            finalize(made, temporary.cleanup)
        return made

    @cached_property
    def rows(self) -> Rows:
        """All rows, by person; after `read`, they are read into memory when they are asked for."""
        assert self._parts is not None
        return joined_rows([self._parts.files.of(part) for part in range(self._parts.files.parts)])

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        # No name and no coordinate: a table must not leak into logs and tracebacks.
        return f"People({len(self):,} people, {int(self.reports.sum()):,} rows)"

    @property
    def landmarks(self) -> NDArray[np.int64]:
        """(people,) how many landmarks each has."""
        return self._places.landmarks

    def found(self, scheme: Name, epsilon: float, *, radius_m: float = RADIUS_M, window: int = WINDOW) -> Floats:
        """(people,) metres to which the nearest lasting place of each person is found in half of all releases.

        ``X = 1.6651 r / B`` for the reports of a place, ``B = sqrt(sum of b^2)``, as in `answers.lasting_places`; where the
        landmarks are left out, the silences of a place may come nearer.

        Parameters
        ----------
        scheme : a scheme with budgets that are known before the data, such as "uniform". epsilon : above 0.
        radius_m : the protection radius, metres. window : of w-event schemes; that of a shorter track is its length.

        Returns
        -------
        (people,) in the order of `names`; infinite for people without a lasting place, or without a report there.
        """
        epsilon, radius_m = positive(epsilon, "epsilon"), positive(radius_m, "radius_m")
        found = self._first(scheme, window) * (radius_m / epsilon)
        for person, errors in self._silent(scheme, epsilon, radius_m, window).items():
            found[person] = min(found[person], float(np.median(errors)))
        return found

    def chances(
        self, scheme: Name, epsilon: float, distance_m: float, *, radius_m: float = RADIUS_M, window: int = WINDOW
    ) -> Floats:
        """(people,) the share of releases in which each is found nearer than a distance: ``1 - 2^-((D / X)^2)``.

        By silences, it is the share of the draws; the larger of both counts. Other arguments as `found`.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample
        >>> people = People(sample("commuter").to_frame().assign(person="Ada"))
        >>> people.chances("event", 0.05, 200.0).round(3).tolist()
        [0.479]
        """
        return self._chances(scheme, epsilon, [positive(distance_m, "distance_m")], radius_m, window)[0]

    def share_found(self, scheme: Name, epsilon: float, distance_m: float, **how: Unpack[FoundOptions]) -> float:
        """The expected share of the people who are found nearer than a distance: the mean of `chances`."""
        return float(self.chances(scheme, epsilon, distance_m, **how).mean())

    def expected_found(
        self, scheme: Name, epsilon: float, distances_m: ArrayLike, *, radius_m: float = RADIUS_M, window: int = WINDOW
    ) -> Floats:
        """The expected number of people who are found nearer than each distance: sums of `chances`."""
        wanted = [positive(each, "distances_m") for each in np.atleast_1d(numbers(distances_m, "distances_m")).ravel()]
        return self._chances(scheme, epsilon, wanted, radius_m, window).sum(axis=1)

    def epsilon_for(
        self,
        share: float,
        distance_m: float,
        scheme: Name = "uniform",
        *,
        each: bool = False,
        radius_m: float = RADIUS_M,
        window: int = WINDOW,
    ) -> float:
        """The epsilon at which this share of the people is expected to be found nearer than a distance.

        It solves ``mean of 1 - 2^-((D epsilon / X(1))^2) = share``. The quantile of the X of all people would promise less
        than it gives: where a sixth of the medians are nearer, about a third of the people are found nearer.

        Parameters
        ----------
        share : above 0 and below 1: 0.05 leaves 95 of 100 people unfound in an average release. distance_m : metres.
        each : the epsilon at which no single person is found nearer in more than this share of releases.
        scheme : as in `found`, with its other arguments.

        Returns
        -------
        epsilon; infinite where so many people have no lasting place. Where silences come nearer, the mean need not increase
        with epsilon: every smaller one that was tried is small enough too; 0 where none is.

        Notes
        -----
        This epsilon is chosen by looking at the data: whoever learns it learns a little about them.
        """
        share, distance_m = fraction(share, "share", inside=True), positive(distance_m, "distance_m")
        first_m = self._first(scheme, window) * positive(radius_m, "radius_m")
        if each:
            found = float(first_m.min()) / distance_m * math.sqrt(-math.log2(1 - share))
        else:
            found = epsilon_for_share(first_m, share, distance_m)
        if not self._has_silences(scheme) or not found:
            return found
        summed = np.max if each else np.mean
        guess = found if math.isfinite(found) else 1.0
        largest = first_above(
            lambda value: float(summed(self._chances(scheme, value, [distance_m], radius_m, window))), share, guess
        )
        return min(found, largest)

    def histogram(self, scheme: Name, epsilon: float, **how: Unpack[FoundOptions]) -> Histogram:
        """How many people are found to within which distance, in bins that are the same for every table."""
        return Histogram.of(self.found(scheme, epsilon, **how))

    def most_exposed(
        self, scheme: Name, epsilon: float, n: int = 5, **how: Unpack[FoundOptions]
    ) -> list[tuple[str, float]]:
        """The people who are found best: names with metres, the nearest first."""
        found = self.found(scheme, epsilon, **how)
        order = np.argsort(found, kind="stable")[: whole(n, "n")]
        return [(str(self.names[k]), float(found[k])) for k in order]

    def track(self, name: str) -> Trajectory:
        """One person's track, with the landmarks of the rule.

        Raises
        ------
        InputError : nobody has this name.
        """
        k = self._number(name)
        return replace(track_by_rule(*self._rows_of(k), self.rule), zone=self.zone)

    def useful(
        self,
        scheme: Name,
        epsilon: float,
        *,
        sample: int = 200,
        rng: np.random.Generator,
        draws: int | None = None,
        **how: Unpack[FoundOptions],
    ) -> UsefulShare:
        """For how many people a release is useful to a careful reader, from a random sample of people.

        Parameters
        ----------
        scheme, epsilon : as in `found`, with its other arguments. sample : how many people at most; rng : chooses them.
        draws : releases of each person; as `answers.useful` if left out.

        Returns
        -------
        UsefulShare
            The share with its interval, and the median of the readers' errors with its own.
        """
        scheme_of(scheme)
        settings = {"scheme": scheme, "epsilon": positive(epsilon, "epsilon"), **how}
        tracks = map(self.track, self.drawn(sample, rng=rng))
        return useful_share([worth_of(track, settings, draws) for track in tracks], len(self))

    def drawn(self, sample: int, *, rng: np.random.Generator) -> list[str]:
        """The names of the people in a random sample, or of all if there are not more; after `read`, part by part."""
        chosen = np.sort(generator(rng).permutation(len(self))[: whole(sample, "sample")])
        if self._parts is not None:
            chosen = chosen[np.argsort(self._parts.found.part[chosen], kind="stable")]  # each part is read once
        return self.names[chosen].tolist()

    def without_landmarks(self) -> People:
        """The same people where nobody has landmarks: their places stay, and are not looked for again."""
        made = type(self).__new__(type(self))
        none, places = np.zeros_like(self._places.landmarks), self._places.reports
        made._hold("none", self.names, self.reports, Places(none, places, np.zeros_like(places)), {}, ())
        made.left_out, made.notices, made._known = self.left_out, self.notices, self._known
        made.zone = self.zone
        made._has_ends = True  # nobody leaves a silence
        made._parts, made._same = self._parts, self  # whose folder stays as long
        if "rows" in self.__dict__:
            made.rows = self.rows
        return made

    def in_zone(self, timezone: str) -> People:
        """The same people by the clock of another time zone: of nights, working hours and bins of hours, and of `track`.

        Parameters
        ----------
        timezone : IANA name, such as "Europe/Paris". Times are instants, and stay.

        Raises
        ------
        InputError : an unknown zone.
        """
        made = copy(self)
        made.zone = find_zone(timezone).key
        made.notices = tuple(notice for notice in self.notices if notice != UNZONED)
        made._same = self  # whose folder stays as long
        made.__dict__.pop("_known", None)  # hours of another clock
        return made

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory; after `read` they are in files."""
        return self._parts is None

    def unicity(self, k: int, *, cell_m: float, hours: float, rng: np.random.Generator) -> float:
        """The share of people whose k points, drawn at random among their own, fit nobody else; names are removed.

        Parameters
        ----------
        k : how many points somebody knows. cell_m, hours : a point is a square of `cell_m` metres in a bin of `hours` hours,
        which are counted by the clock of the table's zone. rng : draws the points.

        Notes
        -----
        Guarantee: none. de Montjoye et al., "Unique in the crowd", 2013; see `population.unicity`.
        """
        key = number(cell_m, "cell_m", LEAST_CELL_M), number(hours, "hours", LEAST_HOURS)
        if key not in self._known:
            self._known.clear()  # one is enough for several k
            cell = cell_codes(self.rows.latitude, self.rows.longitude, cell_m)
            self._known[key] = KnownPoints(self.rows.person, cell, hour_codes(self._clock, hours))
        return self._known[key].unicity(k, rng=rng)

    def home_and_work(self, cell_m: float) -> float:
        """The share of people who are alone with the cells of their home and their work, among those who have both.

        Home is where most of the nights are spent, work where most of the working hours are; NaN if nobody has both. Golle,
        Partridge, "On the anonymity of home/work location pairs", 2009.
        """
        cell = cell_codes(self.rows.latitude, self.rows.longitude, cell_m)
        return home_and_work(self.rows.person, cell, self._clock).share

    @cached_property
    def _known(self) -> dict[tuple[float, float], KnownPoints]:
        return {}

    @property
    def _clock(self) -> NDArray[np.datetime64]:
        """(rows,) the times by the clock of the table's zone."""
        return to_local(self.rows.time, find_zone(self.zone or "UTC"))

    def _rows_of(self, k: int) -> tuple[Rows, int]:
        """Rows with those of a person, and the person's number among them."""
        if self._parts is None:
            return self.rows, k
        part = int(self._parts.found.part[k])
        if self._last is None or self._last[0] != part:
            self._last = part, self._parts.files.of(part)
        rows = self._last[1]
        return rows, int(np.searchsorted(rows.names, self.names[k]))

    def _number(self, name: str) -> int:
        k = int(np.searchsorted(self.names, text_of(name)))
        if k == len(self) or self.names[k] != text_of(name):
            raise InputError("name must be that of a person in the table", value="another name")
        return k

    def _first(self, scheme: Name, window: int) -> Floats:
        """(people,) X by reports at epsilon 1 and a radius of 1 m; a new array."""
        key = str(scheme_of(scheme).name), whole(window, "window") if scheme_of(scheme).windowed else 1
        if key not in self._first_m:
            self._first_m[key] = by_reports(self._places, two_budgets(scheme, self.reports, self.landmarks, key[1]))
        return self._first_m[key].copy()

    def _has_silences(self, scheme: Name) -> bool:
        if not scheme_of(scheme).skips:
            return False
        if not self._has_ends:
            again = self._parts.with_silences() if self._parts else None
            self._places = again or places_of_people(self.rows, self.rule, silences=True)
            self._has_ends = True
        return bool(self._places.ends)

    def _silent(self, scheme: Name, epsilon: float, radius_m: float, window: int) -> dict[int, Floats]:
        if not self._has_silences(scheme):
            return {}
        budgets = two_budgets(scheme, self.reports, self.landmarks, window)
        return by_silences(self._places, budgets, epsilon, radius_m, _DEFAULTS["seed"])

    def _chances(
        self, scheme: Name, epsilon: float, distances_m: Sequence[float], radius_m: float, window: int
    ) -> Floats:
        """(distances, people) the share of releases in which each is found nearer than each distance."""
        epsilon, radius_m = positive(epsilon, "epsilon"), positive(radius_m, "radius_m")
        found = self._first(scheme, window) * (radius_m / epsilon)
        chances = np.stack([shares_found(found, distance) for distance in distances_m])
        for person, errors in self._silent(scheme, epsilon, radius_m, window).items():
            near = [float((errors < distance).mean()) for distance in distances_m]
            chances[:, person] = np.maximum(chances[:, person], near)
        return chances


def _unzoned(zone: str, given: str | None) -> list[str]:
    """What is said where nobody has named a zone, and the table no other one than UTC."""
    return [UNZONED] if given is None and zone in ("", "UTC") else []
