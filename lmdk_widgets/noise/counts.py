"""Noise for counts: the two-sided geometric mechanism, which gives whole numbers, and a pan-private counter."""

from __future__ import annotations

from math import exp, expm1, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, not_negative, number, numbers, positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

SMALLEST_RATE = 1e-9
"""The smallest epsilon divided by the sensitivity; below it, the noise has too many digits to be added to a count."""


def geometric(
    values: ArrayLike, epsilon: float, rng: np.random.Generator, *, sensitivity: int = 1
) -> NDArray[np.int64]:
    """Counts with independent two-sided geometric noise: ``P(z) = (1 - a) / (1 + a) a^|z|``, a = e^(-epsilon / s).

    Parameters
    ----------
    values : whole numbers, any shape.
    epsilon : the budget of each output, above 0; epsilon / s at least 1e-9.
    rng : source of random numbers.
    sensitivity : s, the most that one count differs between neighbouring data, a whole number of at least 1. It is 1 for a
        count if neighbours add, remove or replace a record. For a histogram's counts released together it is the L1 change:
        1 if neighbours add or remove a record, and 2 if they replace one.

    Returns
    -------
    int64 with the shape of `values`, possibly negative; clipping afterwards costs no privacy.

    Raises
    ------
    InputError : values that are not whole, an epsilon or a sensitivity out of range.

    Notes
    -----
    Guarantee: epsilon-differential privacy. The distribution is the discrete counterpart of Laplace's, with variance
    ``2 a / (1 - a)^2``. Integer outputs show no trace of floating point, but the random numbers are numpy's, reproducible
    by design. Paper: Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms", STOC 2009.

    Examples
    --------
    >>> geometric([2, 0, 5], 1.0, np.random.default_rng(1)).tolist()
    [0, 3, 5]
    """
    counts, rate = _whole_numbers(values, "values"), _rate(epsilon, sensitivity)
    chance = -expm1(-rate)
    source = generator(rng)
    return counts + source.geometric(chance, counts.shape) - source.geometric(chance, counts.shape)


def geometric_probability(noise: ArrayLike, epsilon: float, *, sensitivity: int = 1) -> Floats:
    """The probability of each noise value of `geometric`, with the shape of `noise`; a float for a number.

    Examples
    --------
    >>> geometric_probability([-1, 0, 1], np.log(2)).round(6).tolist()
    [0.166667, 0.333333, 0.166667]
    """
    size, rate = np.abs(_whole_numbers(noise, "noise")), _rate(epsilon, sensitivity)
    return (-expm1(-rate) / (1 + exp(-rate)) * np.exp(-rate * size))[()]


def pan_private_loss(epsilon: float, events: ArrayLike, *, fresh: bool = True, renewed: bool = True) -> float:
    """What a pan-private counter may reveal about a person: ``epsilon`` times the person's events, or infinity.

    Parameters
    ----------
    epsilon : of the noise in the state, in the output and in each renewal, above 0.
    events : (i + 1,) how many events the person has before the first intrusion, between consecutive ones, and after the last;
        i intrusions, and a single number if there is none.
    fresh : whether the output has its own noise.
    renewed : whether new noise is added to the state after each intrusion, which a publisher can do if told about it.

    Returns
    -------
    The epsilon that protects this person against everything observed: all intrusions and the output.

    Raises
    ------
    InputError : events that are not whole numbers of at least 0, an epsilon not above 0.

    Notes
    -----
    An event shifts everything observed after it by 1. Before an intrusion the noise in the state hides the shift; after it,
    the noise added since does. So each event costs epsilon, once, whatever is observed: an event before the intrusion shifts
    state and output equally, and the output reveals no more about it than the state. Events that no noise separates from what
    is known cost everything: after the last intrusion without fresh noise, if the state was not renewed, and between two
    intrusions without renewal. Paper: Dwork, Naor, Pitassi, Rothblum, Yekhanin, "Pan-private streaming algorithms", ICS 2010.

    Examples
    --------
    >>> [pan_private_loss(0.5, events, renewed=False) for events in ([1, 0], [0, 1], [1, 1])]
    [0.5, 0.5, 1.0]
    >>> pan_private_loss(0.5, [0, 1], fresh=False, renewed=False), pan_private_loss(0.5, [0, 1, 0], renewed=False)
    (inf, inf)
    """
    budget = positive(epsilon, "epsilon")
    counts = _whole_numbers(not_negative(numbers(events, "events"), "events"), "events")
    if counts.ndim != 1 or not counts.size:
        raise refused("events", "one number for each period between intrusions, shape (i + 1,)", f"{counts.shape}")
    naked = 0
    if not renewed:
        naked = int(counts[1:-1].sum()) + (int(counts[-1]) if not fresh and len(counts) > 1 else 0)
    return inf if naked else budget * int(counts.sum())


class PanPrivateCounter:
    """A counter whose memory may be seized: the state starts with Laplace noise, and the output has its own noise.

    Parameters
    ----------
    epsilon : of the noise in the state and in the output, above 0; both have scale 1 / epsilon.
    rng : source of random numbers.

    Notes
    -----
    Guarantee: one event (a count of 1) is epsilon-differentially private against one intrusion at any time together with
    the output; a person with more events pays for each, see `pan_private_loss`. After an announced intrusion new noise is
    added, so the guarantee holds for the next one too; the noise in the output grows with each. After an
    unannounced intrusion, a second one reveals exactly what was counted in between. Neighbours add or remove one event.
    Paper: Dwork, Naor, Pitassi, Rothblum, Yekhanin, ICS 2010.

    Examples
    --------
    >>> counter = PanPrivateCounter(1.0, np.random.default_rng(1))
    >>> counter.count(10)
    >>> seized = counter.intrude(announced=True)
    >>> counter.count(5)
    >>> round(seized, 2), round(counter.output(), 2)
    (10.02, 16.09)
    >>> counter.noise_variance  # of the start, the renewal and the output
    6.0
    """

    def __init__(self, epsilon: float, rng: np.random.Generator) -> None:
        self.epsilon = positive(epsilon, "epsilon")
        self._rng = generator(rng)
        self._state = self._noise()
        self._sources = 1
        self._done = False
        self._announced: list[bool] = []

    @property
    def intrusions(self) -> tuple[bool, ...]:
        """For each intrusion so far, whether it was announced."""
        return tuple(self._announced)

    @property
    def noise_variance(self) -> float:
        """Variance of the noise in the output: ``2 / epsilon^2`` each for the start, every renewal and the output itself."""
        return 2 * (self._sources + 1) / self.epsilon**2

    def count(self, events: int = 1) -> None:
        """Count events, 0 or more; only the noisy state remembers them."""
        if self._done:
            raise InputError("events must be counted before the output", remedy="Start another counter")
        self._state += whole(events, "events", least=0)

    def intrude(self, *, announced: bool = False) -> float:
        """An attacker reads the state; after an announced intrusion new noise is added to it."""
        seized = self._state
        self._announced.append(bool(announced))
        if announced:
            self._state += self._noise()
            self._sources += 1
        return seized

    def output(self) -> float:
        """The state with fresh noise, only once: every further output would cost the same again."""
        if self._done:
            raise InputError("the output must be read only once", remedy="Keep the number, or start another counter")
        self._done = True
        return self._state + self._noise()

    def _noise(self) -> float:
        return float(self._rng.laplace(scale=1 / self.epsilon))


def _rate(epsilon: float, sensitivity: int) -> float:
    rate = positive(epsilon, "epsilon") / whole(sensitivity, "sensitivity")
    return number(rate, "epsilon over the sensitivity", SMALLEST_RATE)


def _whole_numbers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    array = numbers(values, name)
    found = np.rint(array)
    if (found != array).any() or (np.abs(array) > 2**53).any():
        raise InputError(f"{name} must contain whole numbers of at most 2^53", value="another number")
    return found.astype(np.int64)
