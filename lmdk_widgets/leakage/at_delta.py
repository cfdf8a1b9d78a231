"""Temporal privacy loss at a delta: what a small chance of failure is worth under a chain, as a certified upper bound.

The profile of the reports before timestamp t is ``D(gamma) = max E_gamma(law if x, law if x')`` over all pairs of states,
with the hockey-stick divergence ``E_gamma(P, Q) = sum max(P - gamma Q, 0)``: the least delta at epsilon = log gamma. A move
of the chain and a report change it by

    G(gamma) = eta D(1 + (gamma - 1) / eta),    eta = max over pairs of rows of E_gamma(P_x, P_x')
    D(gamma) = a G(gamma e^-eps) + (1 - a) G(gamma e^eps),    a = e^eps / (1 + e^eps)

The proofs are in docs/reference/leakage.md. At delta 0 this is the recursion of Cao et al., exactly. A profile is held at
points of a lattice of log gamma and is linear between them, above the true one, which is convex.

Asoodeh, Diaz, Calmon, "Privacy amplification of iterative algorithms via contraction coefficients", ISIT 2020; Balle, Barthe,
Gaboardi, Geumlek, "Privacy amplification by mixing and diffusion mechanisms", NeurIPS 2019; Balle, Barthe, Gaboardi, "Privacy
amplification by subsampling", NeurIPS 2018, whose advanced joint convexity is the case of one pair of rows.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt, tanh
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import fraction, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.leakage.recursion import Carriers, carriers
from lmdk_widgets.leakage.silent_moves import moves_between
from lmdk_widgets.leakage.temporal import TemporalLoss, both_sides

POINTS = 1500
"""About how many points of the lattice lie above gamma = 1."""

HIGHEST = 300.0
"""Losses above this stay those at delta 0, as e^loss would overflow in products."""

SLACK = 1e-11
"""By so much every delta is raised: more than all roundings together."""

MOST_TIMESTAMPS = 5000

LEAST_STEPS = 0.2
"""A budget of fewer steps than this does not decide how long a step is."""

TAIL = 1e-4
"""The lattice ends where at most this share of delta is left, if everything is remembered."""


def temporal_loss_at_delta(p_backward: Any, p_forward: Any, budgets: ArrayLike, delta: float) -> TemporalLoss:
    """Backward, forward and total loss of every timestamp at a delta: upper bounds, and never above those at delta 0.

    For any two states x and x' of timestamp t, the reports up to t (backward), from t on (forward) or all (total) fall into
    any set with a chance of at most ``e^loss`` times that for the other state, plus delta.

    Parameters
    ----------
    p_backward, p_forward, budgets : as in `temporal_loss`, for at most 5,000 timestamps; a chain whose start is not known
        (`AnyStart`) has no bound of this kind. delta : from 0 to 1, the same for every timestamp and both directions. Below
        about 1e-11, rounding leaves nothing to gain.

    Returns
    -------
    `TemporalLoss` : backward, forward and total, each (n,). The total is no longer the sum of the others minus the budget.

    Raises
    ------
    InputError : as for `temporal_loss`; a delta outside [0, 1], too many timestamps, or a chain with any start.

    Notes
    -----
    Guarantee: (loss, delta)-indistinguishability of any two states at one timestamp, for any mechanism that is
    eps_t-private between any two states, against an adversary who knows this very chain; it is a what-if in the chain.
    Numerics: rounded up. For two states that stay equally often, and randomised response, it is exact but for the lattice.

    Examples
    --------
    >>> stay = [[0.99, 0.01], [0.01, 0.99]]
    >>> at_0, at_delta = (temporal_loss_at_delta(stay, stay, [0.2] * 100, delta).total[50] for delta in (0, 1e-6))
    >>> round(float(at_0), 2), round(float(at_delta), 2)
    (5.98, 4.92)
    """
    eps = checked_budgets(budgets)
    fraction(delta, "delta")
    before, after = carriers(p_backward, p_forward, len(eps))
    sure = both_sides(eps, before, after)
    if delta == 0 or not eps.any():
        return sure
    if len(eps) > MOST_TIMESTAMPS:
        raise refused("budgets", f"at most {MOST_TIMESTAMPS:,} timestamps for a delta above 0", f"{len(eps):,}")
    for name, side in (("p_backward", before), ("p_forward", after)):
        if any(isinstance(one, AnyStart) for one in (side if isinstance(side, list) else [side])):
            raise InputError(f"{name} must be a chain with a known start for a delta above 0", value="any start")
    steps = Lattice.for_budgets(eps, float(sure.total.max()), float(delta))
    past = _profiles(eps, before, steps)
    future = _profiles(eps[::-1], after[::-1] if isinstance(after, list) else after, steps)[::-1]
    left, known = float(delta) - SLACK, dict[tuple[int, int], tuple[float, float, float]]()
    for (_, here), (apart, later) in zip(past, future, strict=True):
        if (id(here), id(later)) not in known:
            known[id(here), id(later)] = (
                *(steps.loss_at(here, left), steps.loss_at(later, left)),
                steps.together_at(here, apart, left),
            )
    found = np.array([known[id(here), id(later)] for (_, here), (_, later) in zip(past, future, strict=True)])
    return TemporalLoss(*(np.minimum(mine, other) for mine, other in zip(found.T, _sides(sure), strict=True)))


def _sides(loss: TemporalLoss) -> tuple[Floats, Floats, Floats]:
    return loss.backward, loss.forward, loss.total


class Lattice:
    """The values of gamma at which profiles are held: e^(k step) for k = 0, 1, ..., K.

    A profile is (K + 1,), D at these points; below gamma = 1 it follows from ``E_gamma(P, Q) = 1 - gamma + gamma
    E_1/gamma(Q, P)``, and beyond the last point its last value bounds it.
    """

    def __init__(self, step: float, highest: float) -> None:
        self.step, self.k = step, np.arange(max(int(np.ceil(highest / step)), 2) + 1)
        self.gamma, self.grown = np.exp(step * self.k), np.expm1(step * self.k)
        self._eta: dict[LossFunction, Floats] = {}

    @classmethod
    def for_budgets(cls, budgets: Floats, most: float, delta: float) -> Lattice:
        """A lattice on which the commonest budget is a whole number of steps, up to the largest loss that can matter."""
        mean = sum(e * tanh(e / 2) for e in budgets.tolist())
        beyond = mean + sqrt(2 * float(budgets @ budgets) * log(1 / (TAIL * delta)))
        highest = min(most, beyond, HIGHEST)
        values, times = np.unique(budgets[budgets > 0], return_counts=True)
        steps = float(values[times.argmax()]) * POINTS / highest
        return cls(highest / POINTS * (steps / max(1, round(steps)) if steps > LEAST_STEPS else 1.0), highest)

    def nothing(self) -> Floats:
        """The profile without any report."""
        return np.zeros(len(self.k))

    def at(self, profile: Floats, grown: Floats) -> Floats:
        """A profile at gamma = 1 + grown, 1 or more."""
        return np.interp(grown, self.grown, profile)

    def moved(self, profile: Floats, carrier: LossFunction) -> Floats:
        """The profile after the moves of a chain."""
        if carrier.is_identity:
            return profile
        if carrier not in self._eta:
            scores = carrier.g[:, None] - carrier.d[:, None] * self.grown
            self._eta[carrier] = np.minimum(np.maximum(scores.max(axis=0), 0.0) * (1 + 1e-14), 1.0)
        eta = self._eta[carrier]
        further = np.divide(self.grown, eta, out=np.full(len(eta), inf), where=eta > 0)
        return eta * self.at(profile, further)

    def reported(self, profile: Floats, epsilon: float) -> Floats:
        """The profile with one more report that is epsilon-private."""
        if epsilon == 0:
            return profile
        share, up = 1 / (1 + exp(-epsilon)), self.step * self.k + epsilon
        down = self.step * self.k - epsilon
        below = np.minimum(down, 0.0)
        mirrored = self.at(profile, np.expm1(np.abs(down)))
        lower = np.where(down >= 0, mirrored, -np.expm1(below) + np.exp(below) * mirrored)
        upper = self.at(profile, np.expm1(np.minimum(up, 700.0)))
        return share * lower + (1 - share) * upper

    def loss_at(self, profile: Floats, delta: float) -> float:
        """The least epsilon at which a profile is at most delta; infinite beyond the lattice."""
        k = int(np.searchsorted(-profile, -delta))
        if k == len(profile):
            return inf
        return 0.0 if k == 0 else self._between(k, float(profile[k - 1]), float(profile[k]), delta)

    def _between(self, k: int, above: float, below: float, delta: float) -> float:
        """Between two points, where a profile is linear in gamma."""
        share = (above - delta) / (above - below)
        return float(log(self.gamma[k - 1] + share * (self.gamma[k] - self.gamma[k - 1])))

    def together_at(self, one: Floats, other: Floats, delta: float) -> float:
        """The same of two independent parts: ``sum_i Q_i g_i D(gamma / g_i)`` over the losses of the one, by parts."""
        n = len(self.k)
        gamma = np.exp(self.step * np.arange(1 - n, n))
        slope = -np.diff(self._mirrored(one)) / np.diff(gamma)
        beyond, mirrored = float(one[-1]), self._mirrored(other)
        longer = np.concatenate([mirrored, np.full(n, float(other[-1]))])

        def of(k: int) -> float:
            """Delta at gamma = e^(k step)."""
            part = gamma * longer[np.minimum(k + 2 * (n - 1) - np.arange(2 * n - 1), len(longer) - 1)]
            return float(part[0] + slope @ np.maximum(np.diff(part), 0.0)) + beyond

        if of(n - 1) > delta:
            return inf
        if (least := of(0)) <= delta:
            return 0.0
        low, high, above, below = 0, n - 1, least, of(n - 1)
        while high - low > 1:
            middle = (low + high) // 2
            if (value := of(middle)) > delta:
                low, above = middle, value
            else:
                high, below = middle, value
        return self._between(high, above, below, delta)

    def _mirrored(self, profile: Floats) -> Floats:
        """A profile at e^(k step) for k from -K to K."""
        small = np.exp(-self.step * self.k[:0:-1])
        return np.concatenate([1 - small + small * profile[:0:-1], profile])


def _profiles(budgets: Floats, carried: Carriers, steps: Lattice) -> list[tuple[Floats, Floats]]:
    """For each timestamp, in the order in which the recursion runs, the profile before its report and with it.

    Once a profile no longer changes, it is the same object from then on, and nothing is computed twice.
    """
    found = list[tuple[Floats, Floats]]()
    known: dict[tuple[int, float, int], tuple[Floats, Floats]] = {}
    last, reported = 0, steps.nothing()
    for t, epsilon in enumerate(budgets.tolist()):
        key = id(reported), epsilon, t - last
        if t == 0 or isinstance(carried, list) or key not in known:
            before = reported
            for carrier in moves_between(carried, last, t):
                assert isinstance(carrier, LossFunction)  # a chain with any start is refused
                before = steps.moved(before, carrier)
            here = steps.reported(before, epsilon)
            known[key] = before, reported if np.array_equal(here, reported) else here
        found.append(known[key])
        if epsilon > 0:
            last, reported = t, known[key][1]
    return found
