"""What all releases of one subject spend together, minute by minute, whichever files they came from."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.files import keyed

_MARK, _DIGITS = "L", 32
WEEK = 7 * 24 * 60
"""Minutes in a week."""


@dataclass(frozen=True, eq=False)
class Minutes:
    """A release's budgets by the minute.

    Attributes
    ----------
    budgets : maps whole minutes since 1970, UTC, to the sum of the budgets in each. landmarks : the minutes with a landmark.
    radius_m : for places, the protection radius of the budgets; None for values.
    near : for places, the share of a budget that two of them may cost however near they are, see `scale`.
    caps : where a scheme gives what skipped landmarks leave to later minutes, the most that each minute without a landmark
    can spend; `budgets` are then those before the first timestamp. None: the budgets are those that are spent, or the most.
    """

    budgets: Mapping[int, float]
    landmarks: frozenset[int]
    radius_m: float | None = None
    near: float = 1.0
    caps: Mapping[int, float] | None = None

    @classmethod
    def of(
        cls,
        time: NDArray[np.datetime64],
        budgets: Floats,
        landmarks: Iterable[int],
        radius_m: float | None = None,
        near: float = 1.0,
    ) -> Minutes:
        """From the timestamps of a release; `landmarks` are indices. A minute in which nothing is spent is left out, unless
        it has a landmark: another release may spend something in it.

        Examples
        --------
        >>> time = np.array(["2026-01-26T08:00:10", "2026-01-26T08:00:40", "2026-01-26T08:01"], "datetime64[ns]")
        >>> list(Minutes.of(time, np.array([0.5, 0.25, 0.0]), [1]).budgets.values())
        [0.75]
        """
        minute = minutes_of(time)
        found: dict[int, list[float]] = {}
        for k, budget in zip(minute.tolist(), budgets.tolist(), strict=True):
            found.setdefault(k, []).append(budget)
        marked = frozenset(minute[list(landmarks)].tolist())
        spent = {k: total for k, each in found.items() if (total := math.fsum(each)) > 0 or k in marked}
        return cls(spent, marked, radius_m, near)

    def written(self, key: bytes, subject: str) -> dict[str, Any]:
        """The form for a ledger entry: a keyed digest of each minute with its budget and a mark if it has a landmark."""
        names = {k: _digest(key, subject, k) for k in self.budgets}
        told = {names[k]: [budget, *([_MARK] if k in self.landmarks else [])] for k, budget in self.budgets.items()}
        places = {"radius_m": self.radius_m} | ({} if self.radius_m is None else {"near": self.near})
        return {"subject": _digest(key, subject), **places, "minutes": dict(sorted(told.items()))}


class Together(NamedTuple):
    """What a release and those before it spend.

    Attributes
    ----------
    of_these_data : releases of exactly these data, including this one. of_the_subject : of the subject, including this one.
    largest : the largest sum over all marked minutes and any one other. whole : the sum over all minutes.
    overlapping : minutes of this release in which something was spent before.
    """

    of_these_data: int
    of_the_subject: int = 1
    largest: float | None = None
    whole: float | None = None
    overlapping: int = 0

    def to_dict(self) -> dict[str, Any]:
        """For guarantee.json."""
        told: dict[str, Any] = {"release_of_these_data": self.of_these_data}
        if self.largest is None or self.whole is None:
            return told
        every = {
            "releases": self.of_the_subject,
            "largest_sum_over_landmarks_and_one_other_minute": self.largest,
            "sum_over_all_minutes": self.whole,
        }
        return told | {"all_releases_of_the_subject": every}

    @classmethod
    def stated(cls, told: Mapping[str, Any]) -> Together:
        """What a guarantee states, as written by `to_dict`."""
        every = told.get("all_releases_of_the_subject")
        if every is None:
            return cls(told["release_of_these_data"])
        largest, whole = every["largest_sum_over_landmarks_and_one_other_minute"], every["sum_over_all_minutes"]
        return cls(told["release_of_these_data"], every["releases"], largest, whole)

    def words(self) -> list[str]:
        """The sentence that it adds to the guarantee."""
        if self.largest is None or self.whole is None:
            return []
        one, every = upward(self.largest), upward(self.whole)
        sums = f"the landmarks and any one other minute spend at most {one}, all minutes {every}"
        if self.of_the_subject == 1:
            return [f"This is the first release of its subject in the ledger: {sums}."]
        return [f"All {self.of_the_subject} releases of the subject in the ledger together: {sums}."]


class Left(NamedTuple):
    """What a subject's releases may still spend.

    Attributes
    ----------
    releases : of the subject. limit : on the sum over all landmarks and any one other minute, or None. radius_m : the radius
    at which budgets of places are summed, that of the last release; None for values.
    landmarks : the sum over all marked minutes. other : the largest of any other. since : the first day of this week, UTC.
    minutes, marked, whole : for this week, the number of minutes in which something was spent, how many of them have a
    landmark, and the sum of what was spent.
    """

    releases: int
    limit: float | None
    radius_m: float | None
    landmarks: float
    other: float
    since: str
    minutes: int
    marked: int
    whole: float

    @property
    def largest(self) -> float:
        """The largest sum over all landmarks and any one other minute."""
        return self.landmarks + self.other

    @property
    def for_landmarks(self) -> float:
        """What new landmarks may spend together, if no other minute spends more than `other`."""
        return math.inf if self.limit is None else max(0.0, self.limit - self.largest)

    @property
    def for_another(self) -> float:
        """What each new minute may spend, if no landmark is added."""
        return math.inf if self.limit is None else max(0.0, self.limit - self.landmarks)

    def words(self) -> list[str]:
        """The same in sentences; what is left is rounded down."""
        at = "" if self.radius_m is None else f", at a protection radius of {self.radius_m:.6g} m"
        there = "1 release" if self.releases == 1 else f"{self.releases:,} releases"
        found = [
            f"{there} of the subject in the ledger: the landmarks spend {upward(self.landmarks)}, any other minute at most "
            f"{upward(self.other)}{at}.",
            f"This week, since Monday {self.since} (UTC): {self.minutes:,} minutes were released, {self.marked:,} of them "
            f"with a landmark, and spent {upward(self.whole)} in total.",
        ]
        if self.limit is None:
            return [*found, "There is no limit, so nothing is refused. Set one with --limit."]
        return [
            *found,
            f"Left this week of the limit of {self.limit:.6g} on all releases together: new landmarks may spend "
            f"{downward(self.for_landmarks)} together; or, without a new landmark, each minute that is released for the "
            f"first time may spend {downward(self.for_another)}.",
        ]


def left_of(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]], limit: float | None, today: date) -> Left:
    """What is left for a subject in the week that contains a day; limit : None: the last one given.

    Examples
    --------
    >>> monday = (date(2026, 3, 2) - date(1970, 1, 1)).days * 24 * 60
    >>> first = Minutes({monday: 0.5, monday + 1: 0.25, monday - 1: 0.125}, frozenset([monday]))
    >>> left = left_of(b"k", "", [first.written(b"k", "")], 1.0, date(2026, 3, 4))
    >>> left.since, left.minutes, left.marked, left.whole, left.for_landmarks, left.for_another
    ('2026-03-02', 2, 1, 0.75, 0.25, 0.5)
    """
    mine = _of(key, subject, entries)
    radius_m = mine[-1]["radius_m"] if mine else None
    total, marked = _summed(mine, radius_m)
    first = today - timedelta(days=today.weekday())
    start = (first - date(1970, 1, 1)).days * 24 * 60
    week = [name for k in range(start, start + WEEK) if total.get(name := _digest(key, subject, k))]
    other = max((budget for name, budget in total.items() if name not in marked), default=0.0)
    return Left(
        releases=len(mine),
        limit=limit if limit is not None else limit_of(key, subject, entries),
        radius_m=radius_m,
        landmarks=math.fsum(total[name] for name in marked),
        other=other,
        since=first.isoformat(),
        minutes=len(week),
        marked=sum(name in marked for name in week),
        whole=math.fsum(total[name] for name in week),
    )


def _of(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A subject's entries that have minutes."""
    name = _digest(key, subject)
    return [entry for entry in entries if entry.get("subject") == name and "minutes" in entry]


def scale(entry: Mapping[str, Any], radius_m: float | None) -> float:
    """What a budget of a ledger entry becomes at another protection radius; 1 for values.

    Notes
    -----
    A place is moved to the lattice first, by at most u / sqrt 2 for a step u. So two places that are R apart may be reported
    from points R + sqrt 2 u apart, and a budget b at the radius r changes their odds by a factor of at most e^(b s) with
    ``s = (R + sqrt 2 u) / (r + sqrt 2 u)``: less than R / r for a larger radius, but more for a smaller one. With q = R / r
    and ``near = sqrt 2 u / (r + sqrt 2 u)``, the share that remains at R = 0, s is ``near + (1 - near) q``. A comparison
    costs 1 / 22 of its budget for each grid step, 20 steps in the protected length and one more for rounding, so it is
    below the same line if near is at least 1 / 22. An entry without its `near` is never scaled down.

    Examples
    --------
    >>> [round(scale({"radius_m": 200.0, "near": 0.04}, radius), 6) for radius in (400.0, 100.0, 1e-3)]
    [2.0, 0.52, 0.040005]
    >>> scale({"radius_m": 200.0}, 100.0), scale({"radius_m": None}, 100.0)
    (1.0, 1.0)
    """
    then_m = entry["radius_m"]
    if not then_m or not radius_m:
        return 1.0
    near, q = entry.get("near", 1.0), radius_m / then_m
    return float(max(q, near + (1 - near) * q))


def _summed(mine: Iterable[Mapping[str, Any]], radius_m: float | None) -> tuple[dict[str, float], set[str]]:
    """The sum spent in each minute, at a given radius, and the marked minutes, by digest."""
    sums: dict[str, list[float]] = {}
    marked: set[str] = set()
    for entry in mine:
        times = scale(entry, radius_m)
        for name, (budget, *mark) in entry["minutes"].items():
            sums.setdefault(name, []).append(budget * times)
            marked |= {name} if mark else set()
    return {name: math.fsum(each) for name, each in sums.items()}, marked


def add_up(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]], new: Minutes) -> Together:
    """What a subject's releases spend including a new one; `of_these_data` is 1 here.

    Budgets of places at another radius are converted to the new release's radius, as `scale` derives.

    Examples
    --------
    >>> first = Minutes({1: 0.5, 2: 0.25, 3: 0.125}, frozenset([1]), 200.0)
    >>> entry = first.written(b"k", "")
    >>> found = add_up(b"k", "", [entry], Minutes({2: 0.5}, frozenset(), 400.0))
    >>> found.of_the_subject, found.largest, found.whole, found.overlapping
    (2, 2.0, 2.25, 1)
    """
    return add_entry(new.written(key, subject), entries)


def add_entry(new: Mapping[str, Any], entries: Iterable[Mapping[str, Any]]) -> Together:
    """`add_up` for minutes that are already in the form of an entry: a new one, or one of a ledger and those before it."""
    mine = [entry for entry in entries if entry.get("subject") == new["subject"] and "minutes" in entry]
    before, _ = _summed(mine, new["radius_m"])
    again = sum(bool(before.get(name)) for name, (budget, *_) in new["minutes"].items() if budget)
    total, marked = _summed([*mine, new], new["radius_m"])
    return Together(1, len(mine) + 1, *largest_and_whole(total, marked), again)


def at_most(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]], most: Minutes) -> Together:
    """What a subject's releases spend at most including a new one, whatever it decides; `largest` is never too small.

    Notes
    -----
    The filter of a ledger: what earlier releases did spend, with the most that the new one can (Rogers, Roth, Ullman, Vadhan,
    NeurIPS 2016; Feldman, Zrnic, NeurIPS 2021). So what a release leaves is there for the next one.
    With `caps`: the new landmarks and any one other minute spend at most what they have reserved together, epsilon, whatever
    is skipped. Of other minutes that count, as an earlier release marked them, each spends at most its cap. So of the
    minutes without a landmark that count, all but one, that with the largest cap, come to epsilon with their caps.

    Examples
    --------
    >>> marked = Minutes({1: 0.0, 2: 0.0}, frozenset([1, 2])).written(b"k", "")
    >>> new = Minutes({1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}, frozenset([3]), caps={1: 0.25, 2: 0.25, 4: 0.5})
    >>> at_most(b"k", "", [], new).largest, at_most(b"k", "", [marked], new).largest
    (0.5, 1.0)
    """
    found = add_up(key, subject, entries, most)
    if not most.caps:
        return found
    before, marked = _summed(_of(key, subject, entries), most.radius_m)
    own = {_digest(key, subject, minute) for minute in most.landmarks}
    caps = {_digest(key, subject, minute): cap for minute, cap in most.caps.items()}
    every, landmarks = marked | own, math.fsum(most.budgets[minute] for minute in most.landmarks)
    share = max(most.budgets[minute] for minute in most.caps)
    counted = [caps[name] for name in marked - own if name in caps]
    total, largest = math.fsum(counted), max(counted, default=0.0)
    others = [before.get(name, 0.0) + cap - max(cap, largest) for name, cap in caps.items() if name not in every]
    if counted:
        left = [spent for name, spent in before.items() if name not in every and name not in caps]
        others += [max(left, default=0.0) - largest]
        spent = landmarks + share + total + max(others)
    else:
        left = [spent - share for name, spent in before.items() if name not in every and name not in caps]
        spent = landmarks + share + max([*others, *left, -share])
    return found._replace(largest=math.fsum([*(before.get(name, 0.0) for name in every), spent]))


def is_entry(entry: Any) -> bool:
    """Whether something has the shape of a ledger entry: an entry without a link could contain anything."""
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name, ""), str) for name in _TEXTS):
        return False
    if not all(_is_amount(entry.get(name, 0.0)) for name in ("limit", "near", "comparison")):
        return False
    if not isinstance(entry.get("files", {}), dict):
        return False
    if "minutes" not in entry:
        return True
    if "subject" not in entry:
        return False
    radius, minutes = entry.get("radius_m", ""), entry["minutes"]
    return (
        (radius is None or _is_amount(radius)) and isinstance(minutes, dict) and all(map(_is_spent, minutes.values()))
    )


_TEXTS = ("data", "when", "subject", "places", "link", "scheme")


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < math.inf


def _is_spent(told: Any) -> bool:
    """Whether something is a budget, perhaps with a mark."""
    return isinstance(told, list) and 1 <= len(told) <= 2 and _is_amount(told[0]) and told[1:] in ([], [_MARK])


def limit_of(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]]) -> float | None:
    """The last limit given for a subject; None if there never was one."""
    name = _digest(key, subject)
    named = [entry["limit"] for entry in entries if entry.get("subject") == name and "limit" in entry]
    return float(named[-1]) if named else None


def largest_and_whole(spent: Mapping[Any, float], marked: Collection[Any]) -> tuple[float, float]:
    """The largest sum over all marked minutes and any one other, and the sum over all minutes.

    Examples
    --------
    >>> largest_and_whole({1: 0.5, 2: 0.25, 3: 0.125}, {1})
    (0.75, 0.875)
    """
    other = max((budget for minute, budget in spent.items() if minute not in marked), default=0.0)
    return math.fsum([*(spent[minute] for minute in marked), other]), math.fsum(spent.values())


def minutes_of(time: NDArray[np.datetime64]) -> NDArray[np.int64]:
    """(n,) times as whole minutes since 1970, UTC."""
    return time.astype("datetime64[s]").astype(np.int64) // 60


def upward(value: float) -> str:
    """A value to six digits, rounded up."""
    text = f"{value:.6g}"
    return text if float(text) >= value else f"{value + 10.0 ** (math.floor(math.log10(value)) - 5):.6g}"


def downward(value: float) -> str:
    """A value of 0 or more to six digits, rounded down.

    Examples
    --------
    >>> downward(0.1234567), downward(2.0), downward(0.0)
    ('0.123456', '2', '0')
    """
    text = f"{value:.6g}"
    return text if float(text) <= value else f"{value - 10.0 ** (math.floor(math.log10(value)) - 5):.6g}"


def _digest(key: bytes, subject: str, minute: int | None = None) -> str:
    """A keyed digest of a subject, or of one of its minutes, that reveals nothing to anyone without the key."""
    text = f"subject {subject}" if minute is None else f"minute {minute} of {subject}"
    return keyed(key, text.encode())[:_DIGITS]
