"""What many releases guarantee together at a delta, from their privacy losses: sums of independent losses, by FFT.

With the losses of `losses` on one lattice, the loss of all releases is their sum S, and
``delta(epsilon) = E[(1 - e^(epsilon - S))_+]``. It is computed under the tilted probabilities ``q(s) = p(s) e^(theta s
- K(theta))`` with ``K(theta) = ln E[e^(theta S)]``, where theta puts S near epsilon, so every delta, however small, has
the same relative precision:

    delta(epsilon) = e^(K - theta epsilon) sum over s > epsilon of q(s) e^(-theta (s - epsilon)) (1 - e^(epsilon - s))

Everything is rounded outwards: losses are moved up (`losses`); mass that the circular sum wraps into its window counts
as if it belonged there, and mass above the window is bounded by Chernoff's inequality and added; the rounding errors of
the transform, the products and the inverse are bounded frequency by frequency and added to each probability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1, fsum, inf, log, log1p, pi, sqrt

import numpy as np

from lmdk_widgets.composition.losses import Losses
from lmdk_widgets.geo import Floats

UNIT = 2.0**-53
"""Half the distance from 1 to the next double: the relative error of one operation."""

LARGEST_SIZE = 2**14
"""The approximate size of a transform, from which the lattice step follows."""

FINEST, COARSEST = 128, 20
"""Steps per typical budget, for few releases and for many."""

MOST_CELLS = 1e6
"""The most lattice cells over all different budgets; for more, the step is made larger."""

SPREAD = 15.0
"""The initial width of the window, in standard deviations."""

TAIL = 1e-12
"""The most mass allowed beyond either end of the window; it is widened until there is less, or it covers all."""

STEEPEST = 60.0
"""The largest theta, in 1 / step: all but e^-60 of the mass is at the largest loss."""

SLIP = 1e-11
"""How far `losses.ON_LATTICE` and the multiples of the step may have moved a release's loss down, in steps."""

BATCH = 2**22
"""How many numbers are transformed together."""


@dataclass(frozen=True)
class Cumulants:
    """``ln E[e^(theta S)]`` and its first two derivatives: mean and variance of S under the tilted probabilities."""

    value: float
    mean: float
    variance: float


@dataclass(frozen=True, eq=False)
class Tilted:
    """The sum of all losses under tilted probabilities, on a window of the lattice.

    Attributes
    ----------
    theta, value, mean : the tilt, the cumulant there, and the mean of the sum. start : the first point of the window.
    step : of the lattice. losses : (m,) in the window, ascending. chances : (m,), never too small once `error` is added.
    beyond : an upper bound on the probability of a loss above the window. slack : the relative error of the factor.
    """

    theta: float
    value: float
    mean: float
    start: int
    step: float
    losses: Floats
    chances: Floats
    error: float
    beyond: float
    slack: float

    @cached_property
    def _weights(self) -> tuple[Floats, Floats, Floats, float]:
        """``e^(-theta k step)`` and ``e^(-(theta + 1) k step)`` from k = 0, the chances with their error, and the largest
        relative error of a sum of products of both and them, in units."""
        size = len(self.losses)
        fall = self.step * np.arange(size)
        rounding = 4 * (size + 2 + (self.theta + 1) * self.step * size + float(np.abs(self.losses[[0, -1]]).max()))
        return np.exp(-self.theta * fall), np.exp(-(self.theta + 1) * fall), self.chances + self.error, rounding

    def log_delta(self, epsilon: float) -> float:
        """``ln delta(epsilon)``, never understated, whatever the tilt."""
        first = int(np.searchsorted(self.losses, epsilon, "right"))
        least = float(self.losses[first] - epsilon) if first < len(self.losses) else 0.0
        falling, steeper, chances, rounding = self._weights
        most = float(falling[: len(chances) - first] @ chances[first:])
        total = most - exp(-least) * float(steeper[: len(chances) - first] @ chances[first:])
        total += rounding * UNIT * most
        if self.beyond > 0:
            peak = log1p(1 / self.theta) if self.theta > 0 else inf
            at = max(peak, self.losses[-1] - epsilon)
            total += self.beyond * (exp(-self.theta * (at - least)) * -expm1(-at) if at < inf else 1)
        if total <= 0:
            return -inf
        found = self.value - self.theta * (epsilon + least) + log(total)
        return min(0.0, found + self.slack + 8 * UNIT * self.theta * (epsilon + least))


class Together:
    """The total privacy loss of several releases by one mechanism, with different budgets.

    Parameters
    ----------
    losses : of the mechanism. budgets : (u,) above 0, all different. counts : (u,) how many releases have each budget.
    """

    def __init__(self, losses: Losses, budgets: Floats, counts: Floats) -> None:
        self.counts = counts
        self.releases = int(counts.sum())
        self.most = fsum(budgets * counts)
        self.step = _step(losses, budgets, counts)
        self.start, self.point, self.chance = losses.spread(budgets, self.step)
        self.of = np.repeat(np.arange(len(budgets)), np.diff([*self.start, len(self.point)]))
        self.log_chance = np.log(self.chance)
        ends = [*(self.start[1:] - 1), len(self.point) - 1]
        self.least_point, self.most_point = (int(counts @ self.point[at]) for at in (self.start, ends))
        self.slip = SLIP * self.step * self.releases + 8 * UNIT * self.most

    def cumulants(self, theta: float) -> Cumulants:
        """The cumulants of the sum, for any theta."""
        value, weight = self._tilted_chances(theta)
        loss = self.point * self.step
        mean = np.add.reduceat(weight * loss, self.start)
        variance = np.add.reduceat(weight * (loss - mean[self.of]) ** 2, self.start)
        return Cumulants(fsum(self.counts * value), float(self.counts @ mean), float(self.counts @ variance))

    def _tilted_chances(self, theta: float) -> tuple[Floats, Floats]:
        """``ln E[e^(theta L)]`` of each budget (u,), and the tilted probabilities (p,)."""
        height = self.log_chance + theta * self.step * self.point
        top = np.maximum.reduceat(height, self.start)
        weight = np.exp(height - top[self.of])
        total = np.add.reduceat(weight, self.start)
        return top + np.log(total), weight / total[self.of]

    def tilt_for_epsilon(self, epsilon: float) -> float:
        """The theta, 0 or more, at which the mean of S is epsilon, to within a few per cent."""
        start = self.cumulants(0)
        if epsilon <= start.mean:
            return 0.0
        guess = (epsilon - start.mean) / max(start.variance, self.step**2 * TAIL)
        return self._solved(lambda theta: self.cumulants(theta).mean - epsilon, guess)

    def tilt_for_delta(self, delta: float) -> float:
        """The theta, 0 or more, for which the mean of S is about the epsilon with this delta."""

        def reached(theta: float) -> float:
            at = self.cumulants(theta)
            # the sum of the weights if S is normal, or constant
            area = theta + theta * (theta + 1) * sqrt(2 * pi * at.variance)
            return log(delta) - (at.value - theta * at.mean - log1p(area))

        return self._solved(reached, sqrt(2 * -log(delta) / max(self.cumulants(0).variance, self.step**2 * TAIL)))

    def _solved(self, excess: Callable[[float], float], guess: float) -> float:
        """Where an increasing function of theta crosses 0, to 5 %; 0 or the largest theta if it does not."""
        most = STEEPEST / self.step
        low = high = min(guess, most)
        while excess(high) < 0:
            if high >= most:
                return most
            low, high = high, min(2 * high, most)
        while low == high or excess(low) > 0:
            low, high = low / 2, low
            if low < 1e-9 * guess:
                return 0.0
        while high > 1.05 * low:
            middle = sqrt(low * high)
            low, high = (middle, high) if excess(middle) < 0 else (low, middle)
        return low

    def tilted(self, theta: float) -> Tilted:
        """The sum under the probabilities tilted by theta."""
        at = self.cumulants(theta)
        start, size, beyond = self._window(theta, at)
        spectrum, error = self._spectrum(theta, size)
        chances = np.roll(np.fft.irfft(spectrum, size), -start)
        scale = 2 / size
        rounding = _transform_error(size) * float(np.abs(spectrum).sum())
        losses = self.step * np.arange(start, start + size, dtype=float)
        slack = 16 * UNIT * (self.releases + abs(at.value) + theta * self.most) + 1e-12
        each = scale * (float(error.sum()) + rounding) * (1 + 1e-9)
        return Tilted(theta, at.value, at.mean, start, self.step, losses, np.maximum(chances, 0), each, beyond, slack)

    def _window(self, theta: float, at: Cumulants) -> tuple[int, int, float]:
        """First point and size of a window for the sum, and an upper bound on the probability of a loss above it."""
        width = SPREAD * sqrt(at.variance) / self.step + 64
        middle = at.mean / self.step
        while True:
            whole = self.most_point - self.least_point + 1
            if width >= whole:
                return self.least_point, _good_size(whole), 0.0
            size = _good_size(int(width))
            start = int(middle - size / 2)
            above = self._chance_beyond(theta, at, start + size)
            if start + size > self.most_point:
                above = 0.0
            if max(above, self._chance_beyond(theta, at, start - 1)) <= TAIL:
                return start, size, above
            width *= 1.5

    def _chance_beyond(self, theta: float, at: Cumulants, point: int) -> float:
        """Chernoff's bound on the tilted probability that the sum is at this point or further from its mean."""
        shift = (point * self.step - at.mean) / max(at.variance, self.step**2)
        logs = []
        for share in (0.5, 1.0, 2.0):
            further = share * shift
            logs.append(self.cumulants(theta + further).value - at.value - further * point * self.step)
        return exp(min(0.0, min(logs)))

    def _spectrum(self, theta: float, size: int) -> tuple[np.ndarray, Floats]:
        """The transform of the tilted sum, and a bound on its error at each frequency; each (size // 2 + 1,).

        Each factor has an error of at most ``e`` (its probabilities sum to 1), so the product's error is at most
        ``prod(|factor| + e) - prod |factor|``.
        """
        _, weight = self._tilted_chances(theta)
        each = 2 * _transform_error(size) + 16 * UNIT
        product = np.ones(size // 2 + 1, complex)
        most = np.ones(size // 2 + 1)
        for count in np.unique(self.counts):
            members = np.flatnonzero(self.counts == count)
            power, larger = np.ones_like(product), np.ones_like(most)
            rows = max(1, BATCH // size)
            for first in range(0, len(members), rows):
                found = self._transforms(members[first : first + rows], weight, size)
                power *= found.prod(0)
                larger *= (_size_of(found) + each).prod(0)
            product *= _power(power, int(count))
            most *= _power(larger, int(count))
        error = np.maximum(most - _size_of(product), 0) + 16 * UNIT * self.releases * most
        return product, error

    def _transforms(self, members: np.ndarray, weight: Floats, size: int) -> np.ndarray:
        """The transforms of some budgets' tilted probabilities, (k, size // 2 + 1)."""
        row = np.full(len(self.counts), -1)
        row[members] = np.arange(len(members))
        used = row[self.of] >= 0
        place = row[self.of[used]] * size + self.point[used] % size
        return np.fft.rfft(np.bincount(place, weight[used], len(members) * size).reshape(-1, size))


def _step(losses: Losses, budgets: Floats, counts: Floats) -> float:
    """The lattice step: an integer fraction of the dominant budget, as fine as the size of the transform allows."""
    releases = counts.sum()
    weight = counts * np.minimum(budgets, 1) ** 2
    chief = float(budgets[weight.argmax()])
    if losses.between is None and len(budgets) == 1:
        return chief
    fine = min(max(LARGEST_SIZE / (SPREAD * sqrt(releases)), COARSEST), FINEST)
    typical = sqrt(weight.sum() / releases)
    step = max(typical / fine, 2 * budgets.sum() / MOST_CELLS)
    return float(chief / np.ceil(chief / step))


def _transform_error(size: int) -> float:
    """An upper bound on the absolute error of each output of a transform of numbers whose magnitudes sum to 1.

    Each output is a sum over the inputs times roots of unity, with at most log2(size) + 1 operations on each input.
    Allowing 8 units per operation is more than a complex product with a rounded root needs (Higham, "Accuracy and
    stability of numerical algorithms", 24.1).
    """
    return 8 * UNIT * (np.log2(size) + 1)


def _good_size(least: int) -> int:
    """A size for a fast transform: 4, 5, 6 or 7 times a power of 2."""
    power = max(4, 2 ** (max(least, 1).bit_length() - 3))
    return next(k * power for k in (4, 5, 6, 7, 8) if k * power >= least or k == 8)


def _size_of(numbers: np.ndarray) -> Floats:
    return np.sqrt(numbers.real**2 + numbers.imag**2)


def _power(numbers: np.ndarray, exponent: int) -> np.ndarray:
    """A power by repeated squaring: as exact as multiplying one by one, and no angle is lost."""
    result = np.ones_like(numbers)
    while exponent:
        if exponent & 1:
            result = result * numbers
        exponent >>= 1
        if exponent:
            numbers = numbers * numbers
    return result
