"""The tables of the people page: the sample city, whose summaries come with the program, and the user's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.linear.one_thread import one_thread
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.messages import MAX_UPLOAD_BYTES
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.people.model import DISTANCES_M
from lmdk_widgets.population import People, UsefulShare
from lmdk_widgets.population.city import ZONE, city_reports
from lmdk_widgets.population.contributions import Contributions, Counting, Stays, stays_of
from lmdk_widgets.population.people_places import Places
from lmdk_widgets.population.people_table import UNZONED
from lmdk_widgets.population.table_files import read_content, size_of
from lmdk_widgets.population.together import Rows
from lmdk_widgets.population.usefulness_of_people import useful_share, worth_of
from lmdk_widgets.trajectory.samples import data_folder
from lmdk_widgets.trajectory.words import printable
from lmdk_widgets.trajectory.zones import find_zone, to_local

CITY = "city_people.csv"
"""The file with the lasting places of the sample city's people: of each person the landmarks by stays, and of each place the
reports and how many of them are landmarks."""

CITY_REGION = Region(48.81, 2.25, 48.91, 2.42)
"""The area of the sample city, which everybody may know."""

SAMPLE, FEWEST = 60, 5
"""How many people are drawn to see whether the releases are useful, as each takes a while; and after how many the first
number is shown."""

MOST_COUNTED = 8
"""For how many ways of counting a table keeps what its people add."""

MOST_KEPT = 40
"""For how many settings a table keeps what it found: an undo finds it again."""

Found = TypeVar("Found")


class CityPeople(People):
    """The people of the sample city, by what is stored of each; their tracks are generated when something needs them."""

    def __init__(self, rule: str) -> None:
        names, reports, places = _stored(rule)
        self._hold(rule, names, reports, places, {}, ())
        self.zone = ZONE

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]
        """The rows of their tracks."""
        return _city_rows()


@cached("everybody", entries=1, what="the rows of the sample city's people")
def _city_rows() -> Rows:
    made = city_reports()
    names = np.array([f"p{number:05d}" for number in range(1, int(made.person.max()) + 2)])
    starts = np.searchsorted(made.person, np.arange(len(names) + 1))
    time = made.time.astype("datetime64[ns]")
    return Rows(names, starts, made.latitude, made.longitude, time, ZONE, {}, ())


@cached("everybody", entries=2, what="the lasting places of the sample city's people")
def _stored(rule: str) -> tuple[Any, Any, Places]:
    with (data_folder() / CITY).open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    shares = 0 if rule == "none" else 1
    places = [[list(map(int, place.split("/"))) for place in row["places"].split()] for row in found]
    most = max(map(len, places))
    table = np.array([[*each, *[[0, 0]] * (most - len(each))] for each in places], np.int64)
    landmarks = shares * np.array([row["landmarks"] for row in found], np.int64)
    reports = np.array([row["reports"] for row in found], np.int64)
    names = np.array([row["person"] for row in found])
    return names, reports, Places(landmarks, table[..., 0], shares * table[..., 1])


def city_csv(people: People) -> str:
    """The file with the lasting places of people, whose landmarks follow their stays."""
    found = people._places
    lines = ["person,reports,landmarks,places"]
    for name, n, marked, *of_places in zip(
        people.names, people.reports, found.landmarks, found.reports, found.marked, strict=True
    ):
        told = " ".join(f"{count}/{own}" for count, own in zip(*of_places, strict=True) if count)
        lines.append(f"{name},{n},{marked},{told}")
    return "\n".join([*lines, ""])


class PeopleTable:
    """A table of people, and what is computed of it for every rule of landmarks.

    Parameters
    ----------
    people : with their stays as landmarks. name : what the page calls it.
    """

    def __init__(self, people: People, name: str = "") -> None:
        self.name = name or "Your table"
        self._people: dict[str, People] = {"stays": people}
        self._curves: dict[tuple[str, str], Floats] = {}
        self._epsilons: dict[tuple[Any, ...], float] = {}
        self._worth: dict[tuple[Any, ...], tuple[float, float]] = {}
        self._shares: dict[tuple[Any, ...], float] = {}
        self._samples: dict[tuple[int, int], list[str]] = {}
        self._once: dict[Any, Any] = {}
        self._added: dict[tuple[Any, ...], Contributions] = {}
        self._stays: Stays | None = None

    def people(self, rule: str) -> People:
        """Its people, whose landmarks follow a rule."""
        if rule not in self._people:
            self._people[rule] = self._people["stays"].without_landmarks()
        return self._people[rule]

    @property
    def count(self) -> int:
        """How many people there are."""
        return len(self.people("stays"))

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory: looking through those of a larger table is left to whoever asks for it."""
        return self.people("stays").in_memory

    @property
    def region(self) -> Region:
        """The area of its counts: the smallest box of quarter degrees around the data, for a simulation only."""
        rows = self.people("stays").rows
        return Region.around(rows.latitude, rows.longitude)

    def contributions(self, what: str, cell_m: float, hours: int, *, weekly: bool) -> Contributions:
        """What its people add to counts, over whole weeks from the first Monday on or before its first day.

        Raises
        ------
        InputError : more counts than `MOST_COUNTS`, or more cells than a region may have.
        """
        key = what, cell_m, hours, weekly
        if key not in self._added:
            rows, zone = self.people("stays").rows, self.zone or "UTC"
            first, last = (
                to_local(rows.time[[at]], find_zone(zone))[0] for at in (rows.time.argmin(), rows.time.argmax())
            )
            monday = np.datetime64(first, "W").astype("datetime64[D]") + np.timedelta64(
                4, "D"
            )  # weeks begin on Thursday
            monday -= np.timedelta64(7 * int(monday > np.datetime64(first, "D")), "D")
            weeks = int((last - monday) // np.timedelta64(7, "D")) + 1
            until = monday + np.timedelta64(7 * weeks, "D")
            counting = Counting(self.region, cell_m, monday, until, hours, weekly, what, zone)
            if what != "presence" and self._stays is None:
                self._stays = stays_of(rows)
            self._added = dict([*self._added.items()][-MOST_COUNTED:])
            self._added[key] = Contributions.of(rows, counting, self._stays)
        return self._added[key]

    @property
    def zone(self) -> str:
        """The time zone of its clock times; "" if nobody has named one."""
        zone = self.people("stays").zone
        return "" if zone == "UTC" and UNZONED in self.notices else zone

    def in_zone(self, timezone: str) -> PeopleTable:
        """The same table, whose nights, working hours and time slots follow the clock of a zone.

        Raises
        ------
        InputError : an unknown zone.
        """
        return PeopleTable(self.people("stays").in_zone(timezone), self.name)

    @property
    def said(self) -> str:
        """What it is, in a sentence."""
        people = self.people("stays")
        return sentence(
            "{table}: {n_reports} reports of {n_people} people.",
            table=self.name,
            n_reports=whole(int(people.reports.sum())),
            n_people=whole(len(people)),
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """What was left out or repaired while it was read."""
        return self.people("stays").notices

    def curves(self, rule: str, scheme: FixedSchemeName, epsilons: Sequence[float]) -> Floats:
        """(epsilons, distances) the share of people expected to be found, for each of `DISTANCES_M`."""
        if (rule, scheme) not in self._curves:
            people = self.people(rule)
            found = [people.expected_found(scheme, epsilon, DISTANCES_M) for epsilon in epsilons]
            self._curves[rule, scheme] = np.array(found) / len(people)
        return self._curves[rule, scheme]

    def epsilon_for(self, rule: str, scheme: FixedSchemeName, share: float, distance_m: float) -> float:
        """The epsilon at which this share of the people is expected to be found nearer than a distance; it is looked for
        once for all epsilons of a slider."""
        key = rule, scheme, share, distance_m
        if key not in self._epsilons:
            self._epsilons = dict([*self._epsilons.items()][-MOST_KEPT:])
            self._epsilons[key] = self.people(rule).epsilon_for(share, distance_m, scheme)
        return self._epsilons[key]

    def alone(self, cell_m: float, hours: int, k: int, seed: int) -> float:
        """The share of people whom so many points of their own single out, after names are removed."""
        rng = np.random.default_rng(seed)
        points = self.people("stays").unicity
        return self._share(("alone", cell_m, hours, k, seed), lambda: points(k, cell_m=cell_m, hours=hours, rng=rng))

    def homes(self, cell_m: float) -> float:
        """The share of people who are alone with the cells of their home and their work."""
        return self._share(("homes", cell_m), lambda: self.people("stays").home_and_work(cell_m))

    def _share(self, key: tuple[Any, ...], compute: Callable[[], float]) -> float:
        if key not in self._shares:
            self._shares = dict([*self._shares.items()][-40 * MOST_KEPT :])
            self._shares[key] = compute()
        return self._shares[key]

    def useful(self, rule: str, scheme: str, epsilon: float, sample: int, seed: int) -> Iterator[UsefulShare]:
        """For how many people one release is useful, of a random sample: after each person in it."""
        found = []
        for name in self.drawn(sample, seed):
            found.append(self.worth(rule, scheme, epsilon, name, sample))
            yield useful_share(found, self.count)

    def drawn(self, sample: int, seed: int) -> list[str]:
        """The names of a random sample of people, in random order."""
        if (sample, seed) not in self._samples:
            names = self.people("stays").drawn(sample, rng=np.random.default_rng(seed))
            self._samples = {(sample, seed): [names[k] for k in np.random.default_rng(seed).permutation(len(names))]}
        return self._samples[sample, seed]

    def worth(self, rule: str, scheme: str, epsilon: float, name: str, sample: int) -> tuple[float, float]:
        """A reader's mean error with a release of one person's track, and without one, metres; kept for some settings of a
        sample."""
        key = rule, scheme, epsilon, name
        if key not in self._worth:
            self._worth = dict([*self._worth.items()][-MOST_KEPT * sample :])
            settings = {"scheme": scheme, "epsilon": epsilon}
            with one_thread():  # products of small matrices, which more threads slow down
                self._worth[key] = worth_of(self.people(rule).track(name), settings, draws=1)
        return self._worth[key]

    def once(self, key: Any, compute: Callable[[], Found]) -> Found:
        """What is computed of one person of a sample, kept for some settings."""
        if key not in self._once:
            self._once = dict([*self._once.items()][-MOST_KEPT * SAMPLE :])
            self._once[key] = compute()
        found: Found = self._once[key]
        return found


class SampleCity(PeopleTable):
    """The sample city."""

    def __init__(self) -> None:
        super().__init__(CityPeople("stays"), "The sample city, which is made up")
        self._people["none"] = CityPeople("none")

    region = CITY_REGION


@cached("everybody", entries=1, what="the sample city of the people page")
def sample_city() -> SampleCity:
    """The sample city of the page."""
    return SampleCity()


def can_read() -> bool:
    """Whether tables can be read here: the browser of a site has no pandas."""
    return find_spec("pandas") is not None


def read_table_at(path: str, *, timezone: str | None = None, day_first: bool | None = None) -> PeopleTable:
    """A table from a path on this computer. What could be uploaded is read into memory; of anything larger a summary of each
    person is kept, and its rows in a folder that is removed with it.

    Raises
    ------
    InputError : see `People`.
    """
    file = Path(path).expanduser()
    read = People.read if size_of(file) > MAX_UPLOAD_BYTES else People
    people = read(file, timezone=timezone, day_first=day_first)
    return PeopleTable(people, printable(file.name or str(file), 60))


def read_people(data: bytes, name: str, *, timezone: str | None = None, day_first: bool | None = None) -> PeopleTable:
    """A table from the content of a file that was uploaded: CSV or Parquet.

    Raises
    ------
    InputError : see `People`.
    """
    return PeopleTable(People(read_content(data, name), timezone=timezone, day_first=day_first), name)
