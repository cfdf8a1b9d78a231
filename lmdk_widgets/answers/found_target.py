"""Found as a target: the largest epsilon at which no lasting place is found nearer than a distance.

The distance by reports, ``X = 1.6651 r / B``, is proportional to 1 / epsilon where budgets are proportional to epsilon, so
one division answers. The distance by silences is not: it falls to a limit that no epsilon changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from lmdk_widgets.answers.exposure import found_places_of
from lmdk_widgets.answers.found_places import Place
from lmdk_widgets.answers.report_budgets import noise_budgets
from lmdk_widgets.answers.silences import silence
from lmdk_widgets.checks import positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.outcome import Outcome

_CLOSE = 1e-4
"""A search ends when epsilon is known to this relative precision."""

_FARTHEST = 1e6
"""The largest factor between a first guess and an epsilon that is found."""

_STEP = 1.5
"""The factor between two epsilons that a search tries on its way up."""

_NOISELESS = 2.0
"""Metres of mean noise of a report, ``2 r / epsilon``, from which a larger epsilon hardly moves what silences reveal."""

_TRIES, _SURELY = 4, 0.9
"""Steps in proportion, which is enough where budgets are nearly proportional to epsilon; each further one downwards makes
epsilon smaller by at least this factor."""

_NEARLY = 1e-3
"""Such a search ends when epsilon is known to this relative precision: each of its steps draws many releases."""

_SLACK = 1e-9


def epsilon_for_found(outcome: Outcome, distance_m: float) -> float:
    """The largest epsilon at which no lasting place is found nearer than this in half of all releases.

    ``eps X(eps) / D`` for the nearest place found by its reports. A search where X is not proportional to 1 / epsilon:
    under Adaptive, under plans, whose target it is, and where silences come nearer; each smaller epsilon that it has tried
    is then far enough too, while a larger one may be, since noise can lead an attacker to a place by chance.

    Parameters
    ----------
    outcome : of `evaluate`, under planar Laplace. distance_m : D, metres, above 0.

    Returns
    -------
    epsilon, the target of a plan, or a factor for budgets by hand; infinite where nothing is released at a lasting place,
    and no silence comes nearer; 0 where a place is found nearer at every value that was tried, down to a millionth of the
    first one. Every other value of a search was evaluated, and is far enough.

    Raises
    ------
    InputError : a series, cells; a distance that is not above 0.

    Notes
    -----
    This epsilon is chosen by looking at the data: whoever learns it learns a little about them.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> round(epsilon_for_found(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter), 200.0), 3)
    0.464
    """
    *_, found = epsilon_steps(outcome, distance_m)
    assert found is not None
    return found


def epsilon_steps(outcome: Outcome, distance_m: float) -> Iterator[float | None]:
    """`epsilon_for_found` step by step: None after each release that is evaluated, then the epsilon."""
    distance_m = positive(distance_m, "distance_m")
    spread = outcome.scenario.spread
    if not outcome.kind.placed or outcome.reports is not None:
        raise InputError("An epsilon for a distance needs a track under planar Laplace")
    places, present = found_places_of(outcome), 1.0 if spread.by_hand else float(outcome.scenario[spread.spent])
    guess = present * min((place.reports_m for place in places), default=math.inf) / distance_m
    if spread.fixed or spread.by_hand:
        silent = [place for place in places if place.silence is not None]
        yield _before_silences(outcome, silent, distance_m, present, guess) if silent else guess
    elif not math.isfinite(guess):
        yield guess
    elif spread.windowed:
        yield from _in_proportion(outcome, distance_m, guess)
    else:
        yield from _first_near(lambda value: _found_m(outcome, value) < distance_m, guess, guess * _FARTHEST)


def _before_silences(outcome: Outcome, silent: list[Place], distance_m: float, present: float, guess: float) -> float:
    """The smaller one of the guess and of the first epsilon at which a silence comes nearer."""
    scenario, track, spent = outcome.scenario, outcome.trajectory, noise_budgets(outcome)

    def near(epsilon: float) -> bool:
        scaled = spent * (epsilon / present)
        return any(
            silence(track, place.members & (spent <= 0), scaled, scenario.radius_m, scenario.seed).error_m < distance_m
            for place in silent
        )

    most = min(guess, present * 2 * scenario.radius_m / (_NOISELESS * float(spent[spent > 0].min())))
    *_, found = _first_near(near, min(most, present), most)
    assert found is not None
    return guess if found >= most else found


def _in_proportion(outcome: Outcome, distance_m: float, guess: float) -> Iterator[float | None]:
    """The same value as that of `_first_near`, in steps in proportion to the distance that is found at each."""
    low, high, value = 0.0, math.inf, guess
    for tried in count(1):
        ratio = _found_m(outcome, value) / distance_m
        yield None
        low, high = (low, value) if ratio < 1 - _SLACK else (value, high)
        if high <= low * (1 + _NEARLY) or low >= guess * _FARTHEST:
            yield low
            return
        if high < guess / _FARTHEST:
            yield 0.0
            return
        value = _next(low, high, ratio, tried)


def _next(low: float, high: float, ratio: float, tried: int) -> float:
    """The value to try between one that is far enough, `low` (0: none yet), and one that is not, `high` (infinite: none yet).

    ratio : of the distance at the one that was tried last and the wanted one. The next one is to be on the other side.
    """
    if low == 0:
        return high * min(ratio, 1.0 if tried <= _TRIES else _SURELY)
    far = ratio >= 1 - _SLACK
    aimed = low * ratio * (1 + _NEARLY / 2) if far else high * ratio * (1 - _NEARLY / 4)
    if math.isinf(high):
        return min(max(aimed, low * (1 + _NEARLY / 2 if tried <= _TRIES else _STEP)), 2 * low)
    return aimed if low < aimed < high and tried % 3 else math.sqrt(low * high)


def _found_m(outcome: Outcome, epsilon: float) -> float:
    """How near an attacker comes to the nearest lasting place at another epsilon, or target."""
    spent: dict[str, Any] = {outcome.scenario.spread.spent: epsilon}
    scenario = outcome.scenario.with_changes(**spent)
    places = found_places_of(evaluate(scenario, outcome.trajectory))
    return min((place.found_m for place in places), default=math.inf)


def _first_near(near: Callable[[float], bool], start: float, most: float) -> Iterator[float | None]:
    """The largest value up to `most` from which on a place is found nearer, and no smaller value tried is near: down from
    the start to one that is not near, up to the first one that is, then bisection; 0 where all values down to a millionth
    of the start are near. None after each value tried."""
    low, least = start, start / _FARTHEST
    while near(low):
        yield None
        if low < least:
            yield 0.0
            return
        low /= 2
    high = low
    while high < most:
        yield None
        high = min(low * _STEP, most)
        if near(high):
            break
        low = high
    else:
        yield most
        return
    while high > low * (1 + _CLOSE):
        yield None
        middle = math.sqrt(low * high)
        low, high = (low, middle) if near(middle) else (middle, high)
    yield low
