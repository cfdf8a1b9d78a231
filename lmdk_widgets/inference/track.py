"""The belief at every timestamp of an adversary who follows the track (forward-backward), and the likeliest track.

If every move has a chance that is not tiny, `passes` uses plain numbers. Otherwise messages are stored as logarithms, each
relative to its largest entry, so neither the length of the track nor the size of a budget takes them out of range;
`pushes` carries one timestamp to the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.chain_step import Push, log_of, pushed
from lmdk_widgets.inference.forward_backward import LEAST, beliefs, passes
from lmdk_widgets.inference.moves import MatrixMoves, Moves, moves_of
from lmdk_widgets.leakage.markov import distribution

STILL = 4e-15
"""A distribution whose logarithms change by at most this much at a timestamp, a few units of rounding, is stationary: no
later timestamp changes it more, as the largest ratio of two distributions never grows along a chain."""

BLOCK = 50_000
"""How many numbers are processed at a time: few enough to fit in the processor's cache."""


@dataclass(frozen=True, eq=False)
class TrackPosterior:
    """The belief about the state at each timestamp, for several adversaries. The arrays (n, m) are read-only.

    Attributes
    ----------
    smoothed : from all releases, past and future: Pr(x_t | y_0 .. y_{n-1}).
    filtered : from the past, this timestamp included: Pr(x_t | y_0 .. y_t).
    predicted : from the future, this timestamp included: Pr(x_t | y_t .. y_{n-1}). It is the mirror image of `filtered`,
        not the one-step-ahead prediction Pr(x_t | y_0 .. y_{t-1}).
    alone : from this timestamp's release alone: Pr(x_t | y_t).
    marginal : without any release: the prior, carried through the chain: Pr(x_t).
    log_smoothed, log_filtered, log_predicted, log_alone, log_marginal : their natural logarithms, exact even where the
        probabilities round to 0; -inf where a state is impossible.
    log_likelihood : the logarithm of the probability, or density, of all releases together.
    """

    log_filtered: Floats
    log_alone: Floats
    log_marginal: Floats
    log_likelihood: float
    log_future: Floats = field(repr=False)  # of the releases after t given the state at t, up to a constant for each t

    def __post_init__(self) -> None:
        for array in (self.log_filtered, self.log_alone, self.log_marginal, self.log_future):
            array.flags.writeable = False

    @cached_property
    def log_smoothed(self) -> Floats:
        return _fixed(normalised(self.log_filtered + self.log_future))

    @cached_property
    def log_predicted(self) -> Floats:
        return _fixed(normalised(self.log_alone + self.log_future))

    @cached_property
    def smoothed(self) -> Floats:
        return _fixed(np.exp(self.log_smoothed))

    @cached_property
    def filtered(self) -> Floats:
        return _fixed(np.exp(self.log_filtered))

    @cached_property
    def predicted(self) -> Floats:
        return _fixed(np.exp(self.log_predicted))

    @cached_property
    def alone(self) -> Floats:
        return _fixed(np.exp(self.log_alone))

    @cached_property
    def marginal(self) -> Floats:
        return _fixed(np.exp(self.log_marginal))


def track_posterior(prior: ArrayLike, transitions: Any, log_likelihood: ArrayLike) -> TrackPosterior:
    """The posterior of every state at every timestamp of a hidden Markov chain: ``gamma_t(x) ~ alpha_t(x) beta_t(x)``.

    ``alpha_t(y) = b_t(y) sum_x alpha_{t-1}(x) P[x, y]`` and ``beta_t(x) = sum_y P[x, y] b_{t+1}(y) beta_{t+1}(y)``,
    where b_t(x) is the likelihood of what was released at t if the state is x.

    Parameters
    ----------
    prior : (m,) distribution of the state at the first timestamp.
    transitions : (m, m) transition matrix, or `Moves`: a few moves and a uniform jump, which is much faster for more than a
        few hundred states.
    log_likelihood : (n, m) natural logarithms of b, from `log_likelihoods` or elsewhere; -inf where a state cannot have
        produced the release; rows of 0 where nothing was measured. A constant added to a row only changes the total.

    Returns
    -------
    TrackPosterior

    Raises
    ------
    InputError : shapes that do not match, invalid distributions, a likelihood that is missing or infinite, or a timestamp
        whose release no possible track could have produced (then no posterior exists).

    Notes
    -----
    Guarantee: none, this is a measurement. The adversary knows prior, chain, mechanisms and budgets, and computes exactly.

    Numerics: any length and any budget, as all logarithms are relative to the largest at their timestamp; the total is
    summed without rounding. Time O(n (moves + m)), memory 5 n m numbers.

    Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 1989, section III; as an attack on location privacy: Shokri,
    Theodorakopoulos, Le Boudec, Hubaux, "Quantifying location privacy", S&P 2011.

    Examples
    --------
    >>> likelihood = np.log([[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]])
    >>> found = track_posterior([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]], likelihood)
    >>> found.smoothed.round(4).tolist()
    [[0.9421, 0.0579], [0.8901, 0.1099], [0.9421, 0.0579]]
    >>> round(found.log_likelihood, 6)
    -1.872102
    """
    moves, start, seen = checked(prior, transitions, log_likelihood)
    with np.errstate(divide="ignore", invalid="ignore"):
        onward, back = _pushes(moves)
        marginal = _marginals(start, onward, len(seen))
        if onward.floor >= LEAST:
            weights, steps = _weights(start, seen[None]), len(seen) - 1
            ahead, future = np.ones(seen.shape), np.ones(seen.shape)
            both = passes([onward.sums] * steps, [back.sums] * steps, weights)
            for i, (before, after) in enumerate(both, start=1):
                ahead[i], future[-1 - i] = before[0], after[0]
            filtered, future = np.log(ahead) + seen, np.log(future)
            filtered[0] += start
            total = _total(filtered, ahead)
        else:
            filtered, tops = _forward(start, onward, seen)
            total = math.fsum(tops) + math.log(np.exp(filtered[-1]).sum())
            future = _backward(back, seen)
        return TrackPosterior(
            log_filtered=normalised(filtered),
            log_alone=normalised(marginal + seen),
            log_marginal=marginal,
            log_likelihood=total,
            log_future=future,
        )


def _pushes(moves: Moves | MatrixMoves) -> tuple[Push, Push]:
    """What carries forward, and backward: the same object if every move is as likely as its reverse."""
    onward = moves.forward()
    return onward, onward if moves.symmetric else moves.backward()


def _total(filtered: Floats, ahead: Floats) -> float:
    """The log-likelihood of all releases, from that of each one given the earlier ones."""
    top = filtered.max(axis=1)
    each = top + np.log(np.exp(filtered - top[:, None]).sum(axis=1))
    each[1:] -= np.log(ahead[1:].sum(axis=1))
    return math.fsum(each)


def many_beliefs(prior: ArrayLike, transitions: Any, log_likelihoods: Floats, look: str) -> Floats:
    """The beliefs from several releases of one track, (d, n, m): this attribute of each `track_posterior`.

    Parameters
    ----------
    prior, transitions : as for `track_posterior`. log_likelihoods : (d, n, m). look : "smoothed", "filtered" or "predicted".

    Raises
    ------
    InputError : as for `track_posterior`.
    """
    moves = moves_of(transitions)
    onward, back = _pushes(moves)
    if onward.floor < LEAST:
        return np.stack([getattr(track_posterior(prior, transitions, each), look) for each in log_likelihoods])
    start, n = checked(prior, transitions, log_likelihoods.reshape(-1, moves.n_states))[1], log_likelihoods.shape[1]
    weights = _weights(start, log_likelihoods)
    found = beliefs([onward.sums] * (n - 1), [back.sums] * (n - 1), weights, look)
    if look == "predicted":  # the first already includes its marginal
        found[1:] *= marginals(prior, transitions, n)[1:, None]
        found /= found.sum(axis=2, keepdims=True)
    return np.moveaxis(found, 1, 0)


def _weights(start: Floats, seen: Floats) -> Floats:
    """(n, d, m) the likelihoods of releases (d, n, m), each row relative to its largest; for the first timestamp, the belief
    after its observation instead."""
    weights = np.ones((seen.shape[1], len(seen), seen.shape[2]))
    for k, each in enumerate(seen):  # one after another, as each of them fits in the processor's cache
        heard = each.any(axis=1)
        heard[0] = True
        logs = each[heard]
        logs[0] += start
        tops = logs.max(axis=1, keepdims=True)
        if (tops == -np.inf).any():
            raise _impossible(int(np.flatnonzero(heard)[(tops == -np.inf).argmax()]))
        logs -= tops
        weights[heard, k] = np.exp(logs, out=logs)
    return weights


def marginals(prior: ArrayLike, transitions: Any, n: int) -> Floats:
    """The belief without any release: ``Pr(x_t) = prior P^t``, (n, m).

    Parameters
    ----------
    prior, transitions : as for `track_posterior`. n : timestamps, at least 1.

    Raises
    ------
    InputError : as for `track_posterior`.

    Examples
    --------
    >>> marginals([1, 0], [[0.8, 0.2], [0.2, 0.8]], 3).round(12).tolist()
    [[1.0, 0.0], [0.8, 0.2], [0.68, 0.32]]
    """
    moves = moves_of(transitions)
    start = log_of(distribution(prior, moves.n_states))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.exp(_marginals(start, moves.forward(), whole(n, "n")))


def likeliest_path(prior: ArrayLike, transitions: Any, log_likelihood: ArrayLike) -> NDArray[np.intp]:
    """The sequence of states with the largest posterior probability: ``argmax over x_0 .. x_{n-1} of Pr(x | y)``.

    ``delta_t(y) = b_t(y) max_x delta_{t-1}(x) P[x, y]``, traced back from the best end. It is one guess of the whole
    track; `best_guesses` are n guesses, each the best for its timestamp, which together may be an impossible track.

    Parameters
    ----------
    prior, transitions, log_likelihood : as for `track_posterior`.

    Returns
    -------
    (n,) states. If several tracks are equally likely, it is one of them.

    Raises
    ------
    InputError : as for `track_posterior`.

    Notes
    -----
    Guarantee: none, this is a measurement. Numerics: logarithms relative to the largest at each timestamp. Time O(n (moves
    + m)). Viterbi, IEEE Trans. Information Theory 1967; Rabiner, Proc. IEEE 1989, section III.B.

    Examples
    --------
    >>> likeliest_path([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]], np.log([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]])).tolist()
    [0, 0, 0]
    """
    moves, start, seen = checked(prior, transitions, log_likelihood)
    push, best = moves.forward(), np.empty_like(seen)
    best[0], _ = joined(start, seen[0], 0)
    for t in range(1, len(seen)):
        best[t], _ = joined(push.largest(best[t - 1]), seen[t], t)
    path = np.empty(len(seen), np.intp)
    path[-1] = best[-1].argmax()
    for t in range(len(seen) - 1, 0, -1):
        path[t - 1] = push.origin(best[t - 1], int(path[t]))
    return path


def checked(
    prior: ArrayLike, transitions: Any, log_likelihood: ArrayLike
) -> tuple[Moves | MatrixMoves, Floats, Floats]:
    """The transitions, the logarithms of the prior (m,), and the likelihoods (n, m), all checked."""
    moves = moves_of(transitions)
    start = log_of(distribution(prior, moves.n_states))
    seen = checks.floats(log_likelihood, "log_likelihood", "numbers, or -inf where a state is impossible")
    if seen.ndim != 2 or seen.shape[1] != moves.n_states or not len(seen):
        what = f"a row for each timestamp and a column for each state, shape (n, {moves.n_states})"
        raise refused("log_likelihood", what, f"shape {seen.shape}")
    if not seen.max() < np.inf:  # nan is not below infinity either
        t, x = (int(i) for i in np.argwhere(~(seen < np.inf))[0])
        what = "log_likelihood must contain finite numbers, or -inf where a state is impossible"
        raise InputError(what, value=f"{seen[t, x]} at index ({t}, {x})")
    return moves, start, np.ascontiguousarray(seen)


def joined(before: Floats, seen: Floats, t: int) -> tuple[Floats, float]:
    """before + seen relative to its largest, and that largest; refused if no state is left."""
    both = before + seen
    top = float(both.max())
    if top == -np.inf:
        raise _impossible(t)
    both -= top
    return both, top


def _impossible(t: int) -> InputError:
    return InputError(
        f"The release at timestamp {t} must be possible for some track",
        value="none that produces it",
        remedy="Check the mechanism and the cells, or give every move a small chance",
    )


def _forward(start: Floats, push: Push, seen: Floats) -> tuple[Floats, Floats]:
    """log alpha relative to its largest, (n, m), and the logarithms that were subtracted, (n,)."""
    found, tops = np.empty_like(seen), np.empty(len(seen))
    found[0], tops[0] = joined(start, seen[0], 0)
    for t in range(1, len(seen)):
        found[t], tops[t] = joined(pushed(push, found[t - 1]), seen[t], t)
    return found, tops


def _backward(push: Push, seen: Floats) -> Floats:
    """log beta, each row up to a constant, (n, m)."""
    found = np.zeros_like(seen)
    for t in range(len(seen) - 1, 0, -1):
        found[t - 1] = pushed(push, joined(found[t], seen[t], t)[0])
    return found


def _marginals(start: Floats, push: Push, n: int) -> Floats:
    """Logarithms of prior P^t, (n, m)."""
    found = np.empty((n, len(start)))
    found[0] = start
    for t in range(1, n):
        top = start.max()
        after = pushed(push, start - top) + top
        if ((after == start) | (np.abs(after - start) <= STILL)).all():
            found[t:] = after
            break
        found[t] = start = after
    return normalised(found)


def normalised(logs: Floats) -> Floats:
    """Logarithms (n, m), shifted in place so that every row is a distribution."""
    rows = max(1, BLOCK // logs.shape[1])
    for first in range(0, len(logs), rows):
        block = logs[first : first + rows]
        block -= block.max(axis=1, keepdims=True)
        block -= np.log(np.exp(block).sum(axis=1, keepdims=True))
    return logs


def _fixed(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
