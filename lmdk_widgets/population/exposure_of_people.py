"""How near an attacker comes to people: X of each, proportional to 1 / epsilon, and what follows for all of them.

A person is found nearer than D in a share ``P = 1 - 2^-((D epsilon / X(1))^2)`` of releases, X the median for the nearest
lasting place (`inference.main_place`). Sums over people are in the order of their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.main_places import LASTING
from lmdk_widgets.answers.silences import errors_beside
from lmdk_widgets.budgets.schemes import FIXED_SCHEMES, SCHEMES
from lmdk_widgets.checks import one_of
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.main_place import found_within
from lmdk_widgets.population.people_places import Places


class FoundOptions(TypedDict, total=False):
    """The further arguments of `People.found`."""

    radius_m: float
    window: int


_CLOSE = 1e-12
"""A bisection ends when epsilon is known to this relative precision."""

_STEP, _LEAST, _MOST = 1.5, 1e-6, 1e6
"""The factor between two epsilons that a search tries on its way up, and the range of the factor from a first guess."""


def scheme_of(name: Any) -> Any:
    """A scheme whose budgets are known before the data.

    Raises
    ------
    InputError : an unknown scheme, or one that decides during a release, whose X needs draws person by person.
    """
    remedy = "Other schemes decide during a release, or search budgets: open one person to see what they do"
    return SCHEMES[one_of(name, "scheme", FIXED_SCHEMES, remedy=remedy)]


def two_budgets(scheme: str, reports: NDArray[np.int64], landmarks: NDArray[np.int64], window: int) -> Floats:
    """(people, 2) the budget of a landmark and of any other timestamp, at epsilon 1; 0 where there is none.

    People with equal numbers of timestamps and landmarks have equal budgets.
    """
    spread = scheme_of(scheme)
    kinds, which = np.unique(np.stack([reports, landmarks], axis=1), axis=0, return_inverse=True)
    found = np.zeros((len(kinds), 2))
    for k, (n, marked) in enumerate(kinds.tolist()):
        budgets = spread.allocate(n, np.arange(marked), 1.0, min(window, n))
        found[k] = budgets[0] if marked else 0.0, budgets[-1] if marked < n else 0.0
    return found[which.ravel()]


def by_reports(places: Places, budgets: Floats) -> Floats:
    """(people,) metres at epsilon 1 and a radius of 1 m to which the nearest lasting place is found by its reports; infinite
    where there is none."""
    marked, others = places.marked, places.reports - places.marked
    squares = marked * budgets[:, :1] ** 2 + others * budgets[:, 1:] ** 2
    squares[places.reports < LASTING] = 0.0
    together = np.sqrt(squares.max(axis=1))
    return np.divide(found_within([1.0], 1.0), together, out=np.full(len(together), np.inf), where=together > 0)


def by_silences(places: Places, budgets: Floats, epsilon: float, radius_m: float, seed: int) -> dict[int, Floats]:
    """By person who leaves silences: the errors in metres of the draws of the place that they give away best."""
    found: dict[int, Floats] = {}
    for (person, _), ends in sorted(places.ends.items()):
        weights = np.full(len(ends), budgets[person, 1] * epsilon)
        if not weights.all() or budgets[person, 0] > 0:
            continue
        errors = errors_beside(ends, weights, radius_m, seed)
        if person not in found or np.median(errors) < np.median(found[person]):
            found[person] = errors
    return found


def shares_found(nearest_m: Floats, distance_m: float) -> Floats:
    """(people,) the share of releases in which each is found nearer than a distance: ``1 - 2^-((D / X)^2)``.

    Examples
    --------
    >>> shares_found(np.array([200.0, 400.0, np.inf]), 200.0).round(4).tolist()
    [0.5, 0.1591, 0.0]
    """
    with np.errstate(over="ignore", divide="ignore"):  # infinitely often nearer than the distance: always
        return -np.expm1(-math.log(2) * (distance_m / nearest_m) ** 2)


GOLDEN = (math.sqrt(5) - 1) / 2
"""Multiples of it, without their whole part, are spread evenly between 0 and 1 wherever one stops."""

_PAIRS = 100


def even_releases(nearest_m: Floats, most: int) -> tuple[NDArray[np.intp], Floats]:
    """Releases that stand for those of all people: whose each is, and how near that person is found in it, nearest first.

    The k-th of n people has X metres and is found to within ``X sqrt(-log2(1 - u))`` in the share u of releases. With u the
    fractional parts of ``(k + 1/2) GOLDEN``, the pairs of person and u are spread evenly (a lattice of rank 1), so the number
    of them nearer than D is `most` times the mean of `shares_found`, to within one. Few people get several releases each:
    there are at least `_PAIRS` pairs for each that is returned.

    Parameters
    ----------
    nearest_m : (people,) X of each, metres, in increasing order. most : how many releases are returned; none without people.

    Returns
    -------
    (most,) indices into the people, and (most,) metres in increasing order; infinite for people who are never found.

    Examples
    --------
    >>> who, found = even_releases(np.array([100.0, 400.0]), 4)
    >>> who.tolist(), found.round().tolist()
    ([0, 0, 1, 1], [62.0, 128.0, 264.0, 569.0])
    """
    people = len(nearest_m)
    each = -(-_PAIRS * most // people) if 0 < people < _PAIRS * most else 1
    who = np.repeat(np.arange(people), each)
    within = np.mod((np.arange(len(who)) + 0.5) * GOLDEN, 1.0)
    found = nearest_m[who] * np.sqrt(-np.log2(1.0 - within))
    order = np.argsort(found, kind="stable")
    some = order[((np.arange(min(most, len(who))) + 0.5) * len(who) / most).astype(np.intp)]
    return who[some], found[some]


def epsilon_for_share(first_m: Floats, share: float, distance_m: float) -> float:
    """The epsilon at which the mean of the shares is `share`: by bisection, as the mean increases with epsilon.

    Parameters
    ----------
    first_m : (people,) X of each at epsilon 1. share : above 0 and below 1. distance_m : D, metres.

    Returns
    -------
    epsilon; infinite if fewer people have a lasting place.
    """
    if share >= np.isfinite(first_m).mean():
        return math.inf
    low, high = 0.0, float(np.median(first_m[np.isfinite(first_m)])) / distance_m
    while shares_found(first_m / high, distance_m).mean() < share:
        low, high = high, 2 * high
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if shares_found(first_m / middle, distance_m).mean() < share else (low, middle)
    return low


def first_above(mean_share: Callable[[float], float], share: float, guess: float) -> float:
    """The largest epsilon up to which no tried value has a mean share above `share`, where it need not increase: down from
    a guess to one that has not, up to the first one that has, then bisection.

    Returns
    -------
    epsilon; 0 where all values down to a millionth of the guess have more, infinite where none up to a million times has.
    """
    low = guess
    while mean_share(low) > share:
        low /= 2
        if low < guess * _LEAST:
            return 0.0
    for high in _upwards(low, guess * _MOST):
        if mean_share(high) > share:
            break
        low = high
    else:
        return math.inf
    while high > low * (1 + 1e-4):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if mean_share(middle) > share else (middle, high)
    return low


def _upwards(start: float, most: float) -> Iterator[float]:
    value = start * _STEP
    while value < most:
        yield value
        value *= _STEP


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many people are found to within which distance; histograms of parts of a table add up.

    Attributes
    ----------
    edges_m : (bins + 1,) from 1 m to 10,000 km, twenty for a factor of ten; the outer bins take what is beyond them.
    people : (bins,) how many people are in each. not_found : how many have no lasting place, or no report there.
    """

    edges_m: Floats
    people: NDArray[np.int64]
    not_found: int

    @classmethod
    def of(cls, found_m: Floats) -> Histogram:
        """Of the metres to which each person is found."""
        edges = 10 ** (np.arange(141) / 20)
        finite = found_m[np.isfinite(found_m)]
        bins = np.clip(np.searchsorted(edges, finite, side="right") - 1, 0, len(edges) - 2)
        return cls(edges, np.bincount(bins, minlength=len(edges) - 1), int(len(found_m) - len(finite)))

    def __add__(self, other: Histogram) -> Histogram:
        return Histogram(self.edges_m, self.people + other.people, self.not_found + other.not_found)
