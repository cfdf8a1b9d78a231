"""The epsilon of many releases at a delta, and the delta at an epsilon: `laplace_epsilon`, `response_delta` and others.

Releases are (epsilon, delta)-differentially private together if, for any two neighbouring inputs and any set of
outputs, ``P(set) <= e^epsilon Q(set) + delta``. The budgets of the releases must be fixed in advance: for budgets that
depend on earlier outputs, only their largest possible sum is a guarantee (`sequential`).
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import fraction, not_negative, positive, series, whole
from lmdk_widgets.composition.losses import LAPLACE, PLANAR_LAPLACE, RESPONSE, Losses
from lmdk_widgets.composition.sums import sequential
from lmdk_widgets.composition.together import Together
from lmdk_widgets.geo import Floats

EXACT = 1e-7
"""The relative width at which the search for an epsilon stops; the upper end is returned."""

LEAST_LOG = -1e4
"""Represents the logarithm of a delta of 0."""

Budgets = tuple[tuple[float, int], ...]
"""Different budgets above 0, each with its number of releases."""


def laplace_epsilon(epsilons: ArrayLike, delta: float) -> float:
    """The epsilon at `delta` of releases with Laplace noise of scale ``sensitivity / epsilon_i``, never understated.

    Parameters
    ----------
    epsilons : (n,) of each release, 0 or more, n at least 1; fixed in advance. delta : from 0 to 1; 0 gives the sum.

    Returns
    -------
    The smallest epsilon found, from 0 to ``sum epsilon_i``, at which the releases are (epsilon, delta)-private
    together.

    Raises
    ------
    InputError : no releases, an epsilon that is negative or not finite, a delta outside [0, 1].

    Notes
    -----
    Guarantee: (epsilon, delta)-differential privacy of all releases, for real-valued noise. Numerics: `together`.
    Paper: Koskela, Jälkö, Honkela, "Computing tight differential privacy guarantees using FFT", AISTATS 2020.

    Examples
    --------
    >>> round(laplace_epsilon([0.1] * 288, 1e-6), 4)
    8.7768
    """
    return _epsilon(LAPLACE, epsilons, delta)


def laplace_delta(epsilons: ArrayLike, epsilon: float) -> float:
    """The delta at `epsilon` of releases with Laplace noise, from 0 (at the sum) to 1, never understated.

    Parameters, errors and notes as for `laplace_epsilon`; `epsilon` is 0 or more.

    Examples
    --------
    >>> round(laplace_delta([1.0], 0.5), 10)  # 1 - e^((0.5 - 1) / 2)
    0.2211992169
    """
    return _delta(LAPLACE, epsilons, epsilon)


def response_epsilon(epsilons: ArrayLike, delta: float) -> float:
    """The epsilon at `delta` of answers by randomised response, and a bound for *any* epsilon_i-private mechanisms.

    Parameters, result, errors and notes are as for `laplace_epsilon`. A yes-or-no answer is truthful with probability
    ``e^eps / (1 + e^eps)``; any other eps-differentially private mechanism can be computed from such an answer.
    Paper: Kairouz, Oh, Viswanath, "The composition theorem for differential privacy", ICML 2015.

    Examples
    --------
    >>> round(response_epsilon([0.2] * 8, 1e-3), 4)
    1.4725
    """
    return _epsilon(RESPONSE, epsilons, delta)


def response_delta(epsilons: ArrayLike, epsilon: float) -> float:
    """The delta at `epsilon` of answers by randomised response, and a bound for any epsilon_i-private mechanisms.

    Parameters, errors and notes are as for `laplace_epsilon`; `epsilon` is 0 or more. Returns a delta from 0 to 1,
    rounded up.

    Examples
    --------
    >>> round(response_delta([1.0], 0.5), 10)  # (e - e^0.5) / (1 + e)
    0.2876491366
    """
    return _delta(RESPONSE, epsilons, epsilon)


def planar_laplace_epsilon(epsilons: ArrayLike, delta: float) -> float:
    """The epsilon at `delta` of points with planar Laplace noise, for tracks at most one radius apart at each
    timestamp.

    Parameters, errors and notes are as for `laplace_epsilon`; epsilon_i is the budget at the radius: the rate times the
    radius. Places closer than the radius lose less (`losses` gives the proof).

    Examples
    --------
    >>> round(planar_laplace_epsilon([0.2] * 8, 1e-3), 3)
    0.975
    """
    return _epsilon(PLANAR_LAPLACE, epsilons, delta)


def planar_laplace_delta(epsilons: ArrayLike, epsilon: float) -> float:
    """The delta at `epsilon` of points with planar Laplace noise, for tracks at most one radius apart at each
    timestamp.

    Parameters, errors and notes are as for `planar_laplace_epsilon`; `epsilon` is 0 or more. Returns a delta from 0 to
    1, rounded up.

    Examples
    --------
    >>> planar_laplace_delta([0.5, 0.5], 1)
    0.0
    """
    return _delta(PLANAR_LAPLACE, epsilons, epsilon)


def _epsilon(losses: Losses, epsilons: ArrayLike, delta: float) -> float:
    budgets, most = budgets_of(epsilons)
    fraction(delta, "delta")
    if delta in (0, 1) or most == 0:
        return most if delta == 0 else 0.0
    return _epsilon_of(losses, budgets, most, float(delta))


def _delta(losses: Losses, epsilons: ArrayLike, epsilon: float) -> float:
    budgets, most = budgets_of(epsilons)
    positive(epsilon, "epsilon", zero=True)
    return _delta_of(losses, budgets, float(epsilon)) if epsilon < most else 0.0


def budgets_of(epsilons: ArrayLike) -> tuple[Budgets, float]:
    """The budgets above 0 with the number of releases for each, and the sum of all."""
    array = not_negative(series(epsilons, "epsilons"), "epsilons")
    different, counts = np.unique(array[array > 0], return_counts=True)
    return tuple(zip(different.tolist(), counts.tolist(), strict=True)), sequential(array)


def rounded_up(epsilons: ArrayLike, most: int) -> Floats:
    """Budgets rounded up, as little as possible, to at most `most` different values, so that composing them is quick.

    Each different budget needs a transform. A smaller budget loses no more in any composition (`losses`), so a
    guarantee for the raised budgets at a delta also holds for the given ones; the increase of the sum shows how much is
    lost.

    Parameters
    ----------
    epsilons : (n,) 0 or more. most : the most different budgets above 0, 1 or more.

    Returns
    -------
    (n,) budgets, each at least its epsilon; 0 stays 0; unchanged if no more than `most` differ.

    Raises
    ------
    InputError : no releases, an epsilon that is negative or not finite.

    Notes
    -----
    Sorted budgets are split where that lowers their sum most, one cut at a time; each group gets its largest budget.

    Examples
    --------
    >>> rounded_up([0.1, 0.0, 0.11, 0.5, 0.49], 2).tolist()
    [0.11, 0.0, 0.11, 0.5, 0.5]
    """
    array = not_negative(series(epsilons, "epsilons"), "epsilons")
    different, counts = np.unique(array[array > 0], return_counts=True)
    below = np.concatenate([[0], np.cumsum(counts)])

    def cut(first: int, end: int) -> tuple[float, int, int, int]:
        """How much the best cut of a group saves, and where it is."""
        at = np.arange(first + 1, end)
        saves = (different[end - 1] - different[at - 1]) * (below[at] - below[first])
        best = int(saves.argmax()) if len(at) else 0
        return (float(saves[best]) if len(at) else 0.0), first + 1 + best, first, end

    cuts = [cut(0, len(different))] if len(different) else []
    while 0 < len(cuts) < whole(most, "most") and max(cuts)[0] > 0:
        _, middle, first, end = chosen = max(cuts)
        cuts.remove(chosen)
        cuts += [cut(first, middle), cut(middle, end)]
    levels = np.array([0.0, *sorted(different[end - 1] for *_, end in cuts)])
    return levels[np.searchsorted(levels, array)]


@cached("settings", entries=512)
def _epsilon_of(losses: Losses, budgets: Budgets, most: float, delta: float) -> float:
    """The epsilon between 0 and the sum at which the bound on ln delta is crossed, rounded up.

    The mean of the tilted losses is near it, and there ln delta falls by about theta per epsilon. Steps of Newton beyond the
    crossing enclose it, false position narrows that down.
    """
    together = composed(losses, budgets)
    tilted = together.tilted(together.tilt_for_delta(delta))

    def above(epsilon: float) -> float:
        return max(tilted.log_delta(epsilon - together.slip), LEAST_LOG) - log(delta)

    low, high, middle, beyond, side = 0.0, most, tilted.mean, 1.5, 0
    at_low, at_high = above(low), LEAST_LOG - log(delta)
    if at_low <= 0:
        return 0.0
    while high - low > EXACT * high:
        least = EXACT * high / 4
        middle = min(max(middle, low + least), high - least)
        found = above(middle)
        if found > 0:
            at_high /= 2 if side > 0 else 1  # an end that stays counts less and less
            low, at_low, side = middle, found, 1
        else:
            at_low /= 2 if side < 0 else 1
            high, at_high, side = middle, found, -1
        if (low == 0 or high == most) and tilted.theta > 0:
            middle, beyond = middle + beyond * found / tilted.theta, 2 * beyond
        else:
            middle = low + (high - low) * at_low / (at_low - at_high)
    return high


@cached("settings", entries=512, what="the bound on delta at an epsilon")
def _delta_of(losses: Losses, budgets: Budgets, epsilon: float) -> float:
    together = composed(losses, budgets)
    return exp(together.tilted(together.tilt_for_epsilon(epsilon)).log_delta(epsilon - together.slip))


def composed(losses: Losses, budgets: Budgets) -> Together:
    """The losses of releases with these budgets, ready to be added up."""
    return Together(losses, *(np.array(column, float) for column in zip(*budgets, strict=True)))
