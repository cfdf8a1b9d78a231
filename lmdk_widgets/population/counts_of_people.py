"""Counts instead of tracks: how far off noisy counts of people are, exactly, and when zeros would be as near.

Each person adds at most so many contributions, drawn among that person's own; the rest is cut. With the noise of a
discrete Laplace distribution for the most that a person can then change, the counts are private. A count that is cut by C
and has noise of rate r is off by ``C + e^(-r C) / sinh r`` on average, so over the draws of the cut by
``E[C] + E[e^(-r C)] / sinh r``: the second mean is a product over people, as each draws independently.

"Zeros everywhere" is the other answer: it needs no data, and is off by the counts themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import generator, one_of, positive, whole
from lmdk_widgets.errors import library
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.population.contributions import Contributions, Counting, Whole
from lmdk_widgets.population.together import bring_together
from lmdk_widgets.trajectory.zones import find_zone, to_local

LEVELS: dict[str, str] = {
    "event": "any one contribution of a person",
    "window": "whatever a person does in w time slots in a row",
    "user": "a person with everything that the person did",
}
"""What is protected: what may be added or removed without changing the odds by more than e^epsilon."""

USELESS = 0.9
"""Counts are useless if their error is above this share of the error of zeros everywhere."""

SURVIVES = 0.5
"""A cell's counts survive if their error is at most this share of the counts, on average."""

MOST_EACH = 1_000_000
_SMALLEST = 1e-300


@dataclass(frozen=True)
class Protection:
    """What is protected, and how strongly.

    Attributes
    ----------
    level : a key of `LEVELS`. epsilon : above 0.
    most : at user level, the most contributions of a person that count. window : for the level "window", how many time slots
        in a row; a person then counts once in each slot.

    Examples
    --------
    >>> [Protection(level, 1.0, most=20, window=24).sensitivity for level in LEVELS]
    [1, 24, 20]
    """

    level: str = "user"
    epsilon: float = 1.0
    most: int = 20
    window: int = 24

    def __post_init__(self) -> None:
        one_of(self.level, "level", tuple(LEVELS))
        positive(self.epsilon, "epsilon")
        whole(self.most, "most", most=MOST_EACH)
        whole(self.window, "window", most=MOST_EACH)

    @property
    def sensitivity(self) -> int:
        """The most by which all counts together change if what is protected is added or removed; twice this if it is
        replaced."""
        return {"event": 1, "window": self.window, "user": self.most}[self.level]

    @property
    def rate(self) -> Fraction:
        """The rate of the noise of each count, exactly: ``epsilon / sensitivity``."""
        return Fraction(self.epsilon) / self.sensitivity

    @property
    def noise(self) -> float:
        """The mean size of the noise: ``1 / sinh(rate)``, a little below ``1 / rate``."""
        return mean_noise(float(self.rate))

    def share(self, found: Contributions) -> tuple[Whole, Whole | None]:
        """How many of the contributions with which each one shares its limit count, and the group that shares it."""
        if self.level == "event":
            return np.full(len(found), MOST_EACH), None
        if self.level == "user":
            return np.full(len(found), self.most), found.person
        return np.ones(len(found), np.int64), found.person * found.counting.bins + found.bin


def mean_noise(rate: float) -> float:
    """The mean size of discrete Laplace noise, ``P(k)`` proportional to ``e^(-rate |k|)``: ``1 / sinh(rate)``.

    Examples
    --------
    >>> round(mean_noise(1.0), 6), round(mean_noise(0.05), 4), mean_noise(800.0)
    (0.850918, 19.9917, 0.0)
    """
    return 1.0 / math.sinh(rate) if rate < 700.0 else 0.0


def discrete_laplace(rate: float, shape: int | tuple[int, ...], rng: np.random.Generator) -> Whole:
    """Simulated noise, whole numbers with ``P(k)`` proportional to ``e^(-rate |k|)``; no release is made with it."""
    chance = -math.expm1(-rate)
    return rng.geometric(chance, shape) - rng.geometric(chance, shape)


def kept(found: Contributions, protection: Protection, order: NDArray[Any]) -> NDArray[np.bool_]:
    """(n,) which contributions count: of those that share a limit, the first in an order.

    Parameters
    ----------
    order : (n,) of each contribution. Where it is random and each person's is drawn alone, one person more or less does not
        change which contributions of the others count.
    """
    limit, group = protection.share(found)
    if group is None:
        return np.ones(len(found), bool)
    at = np.lexsort((order, group))
    place = np.empty(len(found), np.int64)
    start = np.flatnonzero(np.diff(group[at], prepend=-1))
    place[at] = np.arange(len(found)) - np.repeat(start, np.diff(start, append=len(found)))
    return place < limit


def expected_errors(found: Contributions, protection: Protection) -> Floats:
    """(counts,) how far off each noisy count is on average, exactly: over the noise and the draws of the cut."""
    rate, counts = float(protection.rate), len(found.counting)
    limit, group = protection.share(found)
    if group is None or not len(found):
        return np.full(counts, protection.noise)
    # of the contributions that share a limit, those to the same count together
    _, of, sizes = np.unique(group, return_inverse=True, return_counts=True)
    total = sizes[of]
    _, first, alike = np.unique(of * counts + found.count, return_index=True, return_counts=True)
    dropped, total, at = np.maximum(total - limit, 0)[first], total[first], found.count[first]
    cut = np.bincount(at, dropped * (alike / total), counts)
    together = np.bincount(at, np.log(_mean_power(alike, total, dropped, rate)), counts)
    return cut + np.exp(together) * protection.noise


def _mean_power(alike: Whole, total: Whole, dropped: Whole, rate: float) -> Floats:
    """The mean of ``e^(-rate j)``, where j of `alike` contributions are among the `dropped` ones of `total`, drawn evenly."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(total.max(initial=1)) + 1)))])
    found = np.zeros(len(alike))
    for j in range(int(np.minimum(alike, dropped).max(initial=0)) + 1):
        can = (j <= alike) & (j <= dropped) & (dropped - j <= total - alike)
        a, n, d = alike[can], total[can], dropped[can]
        chance = logs[a] - logs[j] - logs[a - j] + logs[n - a] - logs[d - j] - logs[n - a - d + j]
        found[can] += np.exp(chance - (logs[n] - logs[d] - logs[n - d]) - rate * j)
    return np.clip(found, _SMALLEST, 1.0)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """How far off noisy counts are.

    Attributes
    ----------
    found : what people add. protection : of the noise.
    errors : (counts,) the expected error of each.
    """

    found: Contributions
    protection: Protection
    errors: Floats

    @classmethod
    def of(cls, found: Contributions, protection: Protection) -> Accuracy:
        return cls(found, protection, expected_errors(found, protection))

    @property
    def error(self) -> float:
        """The mean error of a count."""
        return float(self.errors.mean())

    @property
    def zeros(self) -> float:
        """The mean error of a count where zeros are published: the mean count."""
        return len(self.found) / len(self.found.counting)

    @property
    def expected_noise(self) -> float:
        """The mean size of the noise of a count."""
        return self.protection.noise

    @cached_property
    def cut(self) -> int:
        """How many contributions are cut: at user level the sum over people of ``max(n - m, 0)``."""
        limit, group = self.protection.share(self.found)
        if group is None:
            return 0
        _, first, sizes = np.unique(group, return_index=True, return_counts=True)
        return int(np.maximum(sizes - limit[first], 0).sum())

    @property
    def useless(self) -> bool:
        """Whether zeros everywhere would be nearly as near, or nearer."""
        return self.error > USELESS * self.zeros

    @cached_property
    def by_kind(self) -> tuple[Floats, Floats]:
        """(kinds,) the mean error and the mean count over time slots, of each cell or pair of cells."""
        shape = self.found.counting.slots, self.found.counting.kinds
        return self.errors.reshape(shape).mean(axis=0), self.found.true.reshape(shape).mean(axis=0)

    @property
    def survives(self) -> NDArray[np.bool_]:
        """(kinds,) whether the counts are more than noise: the mean error is at most half of the mean count."""
        errors, true = self.by_kind
        survives: NDArray[np.bool_] = (true > 0) & (errors <= SURVIVES * true)
        return survives


@dataclass(frozen=True, eq=False)
class Counts(Accuracy):
    """Simulated noisy counts, and how far off such counts are; see `counts`.

    Attributes
    ----------
    values : (counts,) whole numbers, some of them negative.
    """

    values: Whole

    def frame(self) -> Any:
        """The noisy counts as a pandas data frame: a row for each count."""
        pandas, counting = library("pandas", "A table of counts"), self.found.counting
        kind, slot = counting.split()
        return pandas.DataFrame({"kind": kind, "slot": slot, "count": self.values})


def counts(
    table: Any,
    *,
    cell_m: float,
    hours: int = 1,
    level: str = "user",
    epsilon: float,
    most: int = 20,
    window: int | None = None,
    rng: np.random.Generator,
    what: str = "presence",
    weekly: bool = False,
    region: Region | None = None,
    start: Any = None,
    until: Any = None,
    timezone: str | None = None,
) -> Counts:
    """Noisy counts of a table's people, simulated, and how far off they are.

    Parameters
    ----------
    table : as for `People`. cell_m, hours : a count is of a square of `cell_m` metres and a slot of `hours` hours.
    level : what is protected, a key of `LEVELS`. epsilon : above 0. most : at user level, the most contributions of a person
        that count. window : for the level "window", how many slots in a row; None: a day.
    rng : draws the noise and what is cut. what : a key of `WHAT`. weekly : whether the same slots of all weeks are one count.
    region, start, until : public; None: a box of quarter degrees and whole days around the data, for a simulation only.
    timezone : IANA name of the clock of hours and days; None: that of the table.

    Returns
    -------
    Counts
        With `values`, `error` and `zeros`, the mean errors of a count, of noisy counts and of zeros everywhere; `useless`.

    Raises
    ------
    InputError : as for `People`; more counts than `MOST_COUNTS`; a setting out of range.

    Notes
    -----
    Guarantee: none, as this is a simulation; `lmdk release --counts` makes a release. With exact noise, adding or removing
    what is protected changes the odds of any result by at most e^epsilon; replacing it, by e^(2 epsilon). The best `most` is
    itself a secret, as it is chosen by looking at the data. Sources: Dwork, McSherry, Nissim, Smith, "Calibrating noise to
    sensitivity", 2006; Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms", 2009;
    Kellaris et al., "Differentially private event sequences over infinite streams", VLDB 2014.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> table = sample("commuter").to_frame().assign(person="Ada")
    >>> found = counts(table, cell_m=4_000.0, hours=24, epsilon=1.0, most=5, rng=np.random.default_rng(1))
    >>> found.useless, round(found.expected_noise, 2), found.cut
    (True, 4.97, 24)
    """
    rows = bring_together(table, timezone=timezone)
    zone = timezone or rows.zone or "UTC"
    local = to_local(rows.time, find_zone(zone))
    day = np.timedelta64(math.lcm(24, whole(hours, "hours")), "h")
    first = np.datetime64(local.min() if start is None else start, "D" if start is None else "h")
    last = first + day * (1 + int((local.max() - first) // day)) if until is None else until
    public = region or Region.around(rows.latitude, rows.longitude)
    counting = Counting(public, cell_m, first, last, hours, weekly, what, zone)
    slots = max(1, 24 // hours) if window is None else window
    protection = Protection(level, epsilon, most, slots)
    found = Contributions.of(rows, counting)
    return simulated(found, protection, rng)


def simulated(found: Contributions, protection: Protection, rng: np.random.Generator) -> Counts:
    """Simulated noisy counts; not a release."""
    which = kept(found, protection, generator(rng).random(len(found)))
    values = found.added(which) + discrete_laplace(float(protection.rate), len(found.counting), rng)
    return Counts(found, protection, expected_errors(found, protection), values)
