"""What all releases of one subject spend together, minute by minute, whatever files they came from."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.files import keyed

_MARK, _DIGITS = "L", 32


@dataclass(frozen=True, eq=False)
class Minutes:
    """The budgets of a release by the minute.

    Attributes
    ----------
    budgets : from whole minutes since 1970, UTC, to the sum of the budgets in each. landmarks : the minutes with a landmark.
    radius_m : of places: the protection radius at which the budgets hold; None for values.
    """

    budgets: Mapping[int, float]
    landmarks: frozenset[int]
    radius_m: float | None = None

    @classmethod
    def of(
        cls, time: NDArray[np.datetime64], budgets: Floats, landmarks: Iterable[int], radius_m: float | None = None
    ) -> Minutes:
        """Of the timestamps of a release; `landmarks` are indices. A minute in which nothing is spent is left out.

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
        spent = {k: total for k, each in found.items() if (total := math.fsum(each)) > 0}
        return cls(spent, frozenset(minute[list(landmarks)].tolist()) & spent.keys(), radius_m)

    def written(self, key: bytes, subject: str) -> dict[str, Any]:
        """For an entry of a ledger: a keyed digest of each minute with its budget and the mark of a landmark."""
        names = {k: _digest(key, subject, k) for k in self.budgets}
        told = {names[k]: [budget, *([_MARK] if k in self.landmarks else [])] for k, budget in self.budgets.items()}
        return {"subject": _digest(key, subject), "radius_m": self.radius_m, "minutes": dict(sorted(told.items()))}


class Together(NamedTuple):
    """What a release and those before it spend.

    Attributes
    ----------
    of_these_data : releases of the very same data, with this one. of_the_subject : of the subject, with this one.
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

    def words(self) -> list[str]:
        """What it adds to the guarantee, in a sentence."""
        if self.largest is None or self.whole is None:
            return []
        one, every = upward(self.largest), upward(self.whole)
        sums = f"the landmarks and any one other minute spend at most {one}, all minutes {every}"
        if self.of_the_subject == 1:
            return [f"This is the first release of its subject in the ledger: {sums}."]
        return [f"All {self.of_the_subject} releases of the subject in the ledger together: {sums}."]


def add_up(key: bytes, subject: str, entries: Iterable[Mapping[str, Any]], new: Minutes) -> Together:
    """What the releases of a subject spend with a new one; `of_these_data` is 1 here.

    Budgets of places that hold at another radius are turned into those at the radius of the new release, which they are in
    proportion to.

    Examples
    --------
    >>> first = Minutes({1: 0.5, 2: 0.25, 3: 0.125}, frozenset([1]), 200.0)
    >>> entry = first.written(b"k", "")
    >>> found = add_up(b"k", "", [entry], Minutes({2: 0.5}, frozenset(), 100.0))
    >>> found.of_the_subject, found.largest, found.whole, found.overlapping
    (2, 0.875, 0.9375, 1)
    """
    mine = [entry for entry in entries if entry.get("subject") == _digest(key, subject) and "minutes" in entry]
    sums: dict[str, list[float]] = {}
    marked: set[str] = set()
    for entry in mine:
        then_m = entry["radius_m"]
        scale = new.radius_m / then_m if then_m and new.radius_m else 1.0
        for name, (budget, *mark) in entry["minutes"].items():
            sums.setdefault(name, []).append(budget * scale)
            marked |= {name} if mark else set()
    before = set(sums)
    written = new.written(key, subject)["minutes"]
    for name, (budget, *mark) in written.items():
        sums.setdefault(name, []).append(budget)
        marked |= {name} if mark else set()
    total = {name: math.fsum(each) for name, each in sums.items()}
    return Together(1, len(mine) + 1, *largest_and_whole(total, marked), len(before & written.keys()))


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
    """(n,) whole minutes since 1970, UTC, of times."""
    return time.astype("datetime64[s]").astype(np.int64) // 60


def upward(value: float) -> str:
    """Six digits that are not below the value."""
    text = f"{value:.6g}"
    return text if float(text) >= value else f"{value + 10.0 ** (math.floor(math.log10(value)) - 5):.6g}"


def _digest(key: bytes, subject: str, minute: int | None = None) -> str:
    """A keyed digest of a subject, or of a minute of it, that tells nothing to whoever lacks the key."""
    text = f"subject {subject}" if minute is None else f"minute {minute} of {subject}"
    return keyed(key, text.encode())[:_DIGITS]
