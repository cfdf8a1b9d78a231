"""A search for the pair of inputs and the event that show most of a mechanism, in its releases.

Three lots of draws have nothing in common: a few of each pair choose the pair, half of the others choose the event, and the
rest test this one event. So the bound holds with its one error, however long the search.

Events are taken from scores of whole releases: which timestamps are new, on whose side each output lies, how far it moved,
whether it moved exactly as one of the two inputs did, its digits, a linear rule that was learned from all these, and what is
known of a scheme: its ratio of densities, and which of the two inputs its decisions agree with. Each score is tried with
many thresholds, for both inputs.

Events from draws: Ding, Wang, Wang, Zhang, Kifer, CCS 2018 (StatDP); learned ones: Bichsel, Steffen, Bogunovic, Vechev,
S&P 2021 (DP-Sniper).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.audit.evidence import ERROR, Event, Tested, promising, test_of
from lmdk_widgets.budgets.schemes.base import Pair
from lmdk_widgets.geo import Floats

PILOT = 5
"""One in so many draws chooses the pair."""

UNITS = (1.0, 1e-3, 1e-6)
"""Outputs are divided by each of these, in steps of their lattice, and what remains may tell the input: their low digits."""

ROUGH = 0.05
"""The error with which the few draws of a pair are judged, which only choose it."""

LEARNED_FROM = 20_000
"""The most draws of each input from which a rule is learned."""

DECIMALS = 9
"""Scores are rounded to so many: further digits of a simulation may show its true value, see `noise.samplers`."""


class Seen(NamedTuple):
    """What is published of k releases.

    Attributes
    ----------
    outputs : (k, n) numbers, or places as complex numbers; NaN where there is none. new : (k, n) which are measured anew.
    """

    outputs: NDArray[Any]
    new: NDArray[np.bool_]

    def of(self, which: slice) -> Seen:
        """Some of the releases."""
        return Seen(self.outputs[which], self.new[which])


Runs = Callable[[Pair, Floats, int], Seen]
"""(pair, truth, draws) -> what is published of so many releases of one of the two inputs."""

Known = Callable[[Pair, Seen], Floats]
"""(m, k) scores from what is known of a mechanism."""


def searched(
    pairs: Sequence[Pair],
    runs: Runs,
    draws: int,
    *,
    known: Known | None = None,
    step: float = 1.0,
    error: float = ERROR,
) -> Tested:
    """The bound for the pair and the event that promise most.

    Parameters
    ----------
    pairs : candidates, at least one. draws : for each of the two inputs, over all pairs, at least 20.
    known : None where nothing is known of the mechanism. step : of the lattice of the outputs.
    error : as for `least_epsilon`.
    """
    tail, pair, left = error / 2, pairs[0], draws
    scores = partial(_scores, known, step)
    if len(pairs) > 1:
        each = max(2, draws // (PILOT * len(pairs)))
        left -= each * len(pairs)
        promises = []
        for candidate in pairs:
            both = [runs(candidate, truth, each) for truth in candidate.truths]
            promises.append(_chosen(candidate, both, scores, ROUGH)[0].promise)
        pair = pairs[int(np.argmax(promises))]
    both = [runs(pair, truth, left) for truth in pair.truths]
    half = left // 2
    event, score, order = _chosen(pair, [each.of(slice(half)) for each in both], scores, tail)
    found = [score(each.of(slice(half, None))) for each in both][::order]
    return test_of(event, found[0], found[1], tail)


def _chosen(
    pair: Pair, both: Sequence[Seen], scores: Callable[..., Floats], tail: float
) -> tuple[Event, Callable[[Seen], Floats], int]:
    """The most promising event, its score, and 1, or -1 if it is likelier for the second input: a rule that is learned from
    draws promises too much on these, so half of them learn, and the others choose."""
    half = len(both[0].new) // 2
    score = partial(scores, pair, _learned(pair, [each.of(slice(half)) for each in both]))
    one, other = (score(each.of(slice(half, None))) for each in both)
    found = [
        (promising(*((a, b) if order > 0 else (b, a)), tail), row, order)
        for row, (a, b) in enumerate(zip(one, other, strict=True))
        for order in (1, -1)
    ]
    event, row, order = max(found, key=lambda each: each[0].promise)
    return event, lambda seen: score(seen)[row], order


def _scores(known: Known | None, step: float, pair: Pair, rule: Callable[[Seen], Floats], seen: Seen) -> Floats:
    """(m, k) all scores of k releases."""
    rows = [signs(pair, seen), digits(pair, seen, step), rule(seen)[None]]
    return np.round(np.concatenate(rows if known is None else [*rows, known(pair, seen)]), DECIMALS)


def signs(pair: Pair, seen: Seen) -> Floats:
    """(4 n - 2, k) what each output tells of the two inputs.

    For each timestamp, whether it is new, and how much nearer it is to the first input than to the second; for each but the
    first, how far it is from the one before, and whether it moved exactly as an input did: 1 as the first, -1 as the second.
    """
    one, other = pair.truths
    new, outputs = seen.new, seen.outputs
    nearer = np.where(new, np.abs(outputs - other) - np.abs(outputs - one), 0.0)
    both = new[:, 1:] & new[:, :-1]
    step = np.where(both, np.diff(outputs, axis=1), 0)
    moved = [np.abs(step - np.diff(truth)) < 10.0**-DECIMALS for truth in (one, other)]
    exact = np.where(both, moved[0].astype(float) - moved[1], 0.0)
    return np.concatenate([new, nearer, np.abs(step), exact], axis=1).T


def digits(pair: Pair, seen: Seen, step: float = 1.0) -> Floats:
    """(m, k) what remains of the outputs where the inputs differ, divided by each of `UNITS`: 0.5 where nothing does."""
    one, other = pair.truths
    where = np.flatnonzero(one != other)
    outputs = np.where(seen.new, seen.outputs, 0)[:, where]
    axes = (outputs.real, outputs.imag) if np.iscomplexobj(outputs) else (outputs,)
    return np.concatenate([np.mod(axis / (unit * step) + 0.5, 1) for axis in axes for unit in UNITS], axis=1).T


def _learned(pair: Pair, both: Sequence[Seen]) -> Callable[[Seen], Floats]:
    """A linear rule for which input a release is of: logistic regression on its signs, and on how often each pattern of new
    outputs occurred."""
    few = [each.of(slice(LEARNED_FROM)) for each in both]
    powers = 2.0 ** np.arange(few[0].new.shape[1])
    codes = [each.new @ powers for each in few]
    known, counts = np.unique(np.concatenate(codes)), []
    for code in codes:
        counts.append(np.array([(code == each).sum() + 0.5 for each in known]))
    told = np.log(counts[0] / counts[1])

    def rows(seen: Seen) -> Floats:
        code = seen.new @ powers
        at = np.minimum(np.searchsorted(known, code), len(known) - 1)
        pattern = np.where(known[at] == code, told[at], 0.0)
        return np.concatenate([signs(pair, seen), pattern[None]])

    each = [rows(one) for one in few]
    x = np.concatenate(each, axis=1)
    middle, spread = x.mean(axis=1, keepdims=True), x.std(axis=1, keepdims=True)
    spread[spread == 0] = 1.0
    x = np.concatenate([(x - middle) / spread, np.ones((1, x.shape[1]))])
    y = np.repeat([1.0, 0.0], [one.shape[1] for one in each])
    weights = np.zeros(len(x))
    for _ in range(8):  # Newton's steps; the penalty keeps them finite where a rule is never wrong
        p = 1 / (1 + np.exp(-np.clip(weights @ x, -30, 30)))
        bend = (x * (p * (1 - p))) @ x.T + np.eye(len(x))
        weights = weights + np.linalg.solve(bend, x @ (y - p) - weights)
    return lambda seen: weights[:-1] @ ((rows(seen) - middle) / spread)
