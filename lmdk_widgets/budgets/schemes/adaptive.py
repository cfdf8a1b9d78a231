"""Adaptive: sample less while little changes, and give what skipped landmarks saved to later timestamps.

`decide` is the scheme as described in the paper. It contains no data: as its arguments show, its decisions depend only
on the perturbed outputs so far. `adaptive_lanes` makes many releases in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.quanta import quanta, quantum, share
from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.schemes.base import LANDMARKS, LANDMARKS_AND, Lanes, N, Pair, Scheme, Sizes, Told
from lmdk_widgets.budgets.sources import Draw, NoiseSource, Numbers
from lmdk_widgets.checks import Indices, indices, positive, whole
from lmdk_widgets.geo import Floats

JUMPS = (0.0, 1000.0, 0.0, 1000.0, 0.0, 1000.0)
"""Values that change by far more than the noise: a comparison always sees a change."""


class Reservation(NamedTuple):
    """Adaptive's initial state.

    Attributes
    ----------
    quanta : what every timestamp has reserved at first, Uniform's share.
    quantum : the value of one quantum.
    to_come : for every timestamp, how many landmarks come after it if it is a landmark itself, otherwise -1.
    """

    quanta: int
    quantum: float
    to_come: NDArray[np.intp]


def reservation(n: int, landmarks: Indices, epsilon: float) -> Reservation:
    """What Adaptive reserves before the first timestamp."""
    to_come = np.full(n, -1, np.intp)
    to_come[landmarks] = np.arange(len(landmarks) - 1, -1, -1)
    return Reservation(quanta(epsilon) // min(len(landmarks) + 1, n), quantum(epsilon), to_come)


def adaptive_budgets(n: int, landmarks: Iterable[int], epsilon: float, skipped: Iterable[int]) -> Floats:
    """The budgets of Adaptive for a given set of timestamps that were not sampled.

    It starts from Uniform's ``b = epsilon / (|L| + 1)``. A skipped landmark with r landmarks still to come adds
    ``b / (r + 1)`` to every later timestamp; the reservation of a skipped regular timestamp is lost.

    Parameters
    ----------
    n : number of timestamps, at least 1.
    landmarks : L, indices from 0 to n - 1.
    epsilon : total budget, above 0 and finite.
    skipped : indices from 0 to n - 1 of the timestamps that repeat the previous release; any set.

    Returns
    -------
    (n,) budgets actually spent, 0 where skipped.

    Raises
    ------
    InputError : n or epsilon out of range, an index that is not a timestamp.

    Notes
    -----
    Guarantee: ``landmark_totals <= epsilon`` for every set of skipped timestamps, exactly, see `quanta`; equality is
    attained. Why: at a landmark with r still to come, these r + 1 landmarks and one regular timestamp have r + 2 shares
    of b; skipping it leaves r + 1 shares of b + b / (r + 1), which is the same. Time O(n): one running number is
    enough. Paper: Katsomallos, Tzompanaki, Kotzinos, "Landmark privacy", CODASPY 2022, the mechanism "Adaptive".

    Examples
    --------
    >>> adaptive_budgets(8, [0, 2, 4, 7], 1.0, skipped=[2, 4]).round(7).tolist()
    [0.2, 0.2, 0.0, 0.2666667, 0.0, 0.4, 0.4, 0.4]
    """
    n, total = whole(n, "n"), positive(epsilon, "epsilon")
    missed = indices(skipped, "skipped", n)
    return spent(reservation(n, indices(landmarks, "landmarks", n), total), missed)


def spent(start: Reservation, skipped: Indices) -> Floats:
    """`adaptive_budgets` for arguments that are already checked."""
    budgets = reserved(start, skipped)
    budgets[skipped] = 0.0
    return budgets


def reserved(start: Reservation, skipped: Indices) -> Floats:
    """(n,) what every timestamp could spend when its decision was made, whether or not it was sampled."""
    marks = skipped[start.to_come[skipped] >= 0]
    now, steps = start.quanta, []
    for to_come in start.to_come[marks].tolist():
        step = now // (to_come + 1)
        now += step
        steps.append(step)
    gained = np.zeros(len(start.to_come), np.int64)
    gained[marks] = steps
    found: Floats = (start.quanta + np.cumsum(gained) - gained).astype(np.float64) * start.quantum
    return found  # a gain applies to the timestamps after it


def decide(
    start: Reservation,
    uniforms: list[float],
    perturb: Callable[[int, float], Any],
    distance: Callable[[Any, Any], float],
    size: float,
    increase: float,
    decrease: float,
) -> list[float]:
    """The sampling rate at every timestamp, decided timestamp by timestamp.

    Timestamp t is sampled if and only if ``uniforms[t] < rates[t]``, and the budgets follow from that, see `spent`.

    Parameters
    ----------
    start : the reservation.
    uniforms : one number in [0, 1) for each timestamp: t is sampled if it is below the rate.
    perturb : ``perturb(t, budget)``, a private output for timestamp t.
    distance : distance between two outputs.
    size : scale of the noise at budget 1.
    increase, decrease : how fast the rate adapts, in (0, 1).
    """
    reserved, to_come = start.quanta, start.to_come.tolist()
    rate = 1.0  # the first timestamp is always sampled, so there is a release to repeat
    output: Any = None
    rates: list[float] = []
    for t, uniform in enumerate(uniforms):
        rates.append(rate)
        budget = reserved * start.quantum
        if uniform < rate:
            last, output = output, perturb(t, budget)
            if last is None:
                continue
            if size / budget > distance(output, last):
                rate -= rate * decrease
            else:
                rate += (1 - rate) * increase
        elif to_come[t] >= 0:
            reserved += reserved // (to_come[t] + 1)
    return rates


def adaptive_lanes(
    start: Reservation, true: Lanes, noise: Lanes, uniforms: Floats, size: Sizes, increase: float, decrease: float
) -> Lanes:
    """The current published outputs in k releases by Adaptive: `decide` for an array of releases.

    Decisions are the same for the same random numbers. `size` is the scale of the noise at budget 1: one number, or
    (k,), one for each release.
    """
    n, k = noise.shape
    reserved, rate = np.full(k, start.quanta), np.ones(k)
    scale = size / (reserved * start.quantum)
    outputs = np.empty_like(noise)
    last = outputs[0] = true[0] + noise[0] * scale
    for t in range(1, n):
        sampled = uniforms[t] < rate
        output = noise[t] * scale
        output += true[t]
        still = scale > np.abs(output - last)
        moved = np.where(still, rate - rate * decrease, rate + (1 - rate) * increase)
        rate = np.where(sampled, moved, rate)
        last = np.where(sampled, output, last)
        outputs[t] = last
        if start.to_come[t] >= 0:
            reserved += np.where(sampled, 0, reserved // (start.to_come[t] + 1))
            scale = size / (reserved * start.quantum)
    return outputs


class _Adaptive(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """Uniform's share, with which it starts."""
        return np.full(n, share(epsilon, min(len(landmarks) + 1, n)))

    def release(self, request: Request, rng: np.random.Generator) -> Release:
        """Sample at a rate that falls while little changes."""
        n = len(request.source)
        draw, uniforms = request.source.draw(rng), rng.random(n)
        start = reservation(n, request.landmarks, request.epsilon)
        rates = decide(
            start, uniforms.tolist(), draw.perturb, draw.distance, draw.size, request.increase, request.decrease
        )
        rate = np.fromiter(rates, float, n)
        published = uniforms < rate
        could = reserved(start, np.flatnonzero(~published))
        budgets = np.where(published, could, 0.0)
        return Release(draw.outputs(budgets), budgets, published, request.landmarks, rate, could)

    def spend(
        self, draw: Draw, coins: Floats, landmarks: Indices, epsilon: float, increase: float, decrease: float
    ) -> Floats:
        """See `Scheme.spend`."""
        start = reservation(draw.n, landmarks, epsilon)
        rates = decide(start, coins.tolist(), draw.perturb, draw.distance, draw.size, increase, decrease)
        return spent(start, np.flatnonzero(coins >= np.array(rates)))

    def caps(self, n: int, landmarks: Indices, epsilon: float) -> Floats:
        """What is left to each timestamp if every landmark before was skipped. Proof: `docs/reference/composition.md`.

        Examples
        --------
        >>> (1 / SCHEME.caps(8, np.array([0, 2, 4, 7]), 1.0)).round(6).tolist()
        [5.0, 4.0, 4.0, 3.0, 3.0, 2.0, 2.0, 2.0]
        """
        return reserved(reservation(n, landmarks, epsilon), landmarks)

    def decisions(self, rng: np.random.Generator, out: Floats) -> None:
        """Uniform numbers to compare with the rate."""
        rng.random(out=out)

    def many(
        self, request: Request, origin: NoiseSource, noise: Numbers, decisions: Floats, factor: float | Floats
    ) -> Numbers:
        """See `Scheme.many`."""
        start = reservation(len(origin), request.landmarks, request.epsilon)
        size = origin.size * factor
        return adaptive_lanes(start, origin.true, noise, decisions, size, request.increase, request.decrease)

    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """See `Scheme.reserves`."""
        return adaptive_budgets(N, LANDMARKS, epsilon, [t for t in range(N) if not new[t]]).tolist()

    def sentence(self, told: Told) -> str:
        """What was measured, and how much of the budget the landmarks spend."""
        verb = "spends" if told.k == 1 else "together spend"
        others = "" if told.k == told.n else ", with any one other timestamp at most {most_with_landmarks}"
        spend = verb + " {landmark_share} of the budget of {epsilon}" + others
        return "{which_measured}. Your {protected} " + f"{spend}."


SCHEME = _Adaptive(
    name="adaptive",
    title="Adaptive",
    meaning="like Uniform, but measures less often while releases change little.",
    keeps="Theorem",
    pairs=(
        Pair(f"{LANDMARKS_AND}; values jump, so all are sampled", (1, 3, 4), JUMPS),
        Pair(f"{LANDMARKS_AND}; values stay, so some are skipped and others get their budget", (1, 4, 5)),
    ),
    online=True,
    by_outputs=True,
    options=frozenset({"increase", "decrease"}),
    choices=("increase", "decrease"),
    colour="purple",
    dash="solid",
)
