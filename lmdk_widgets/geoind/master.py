"""The master problem over a pool of rays: a small linear program, solved by an interior point method in NumPy.

    minimise cost . t   subject to   A t = b,  t >= 0

A has one row for each place. Prices from the interior of the optimal face move less from round to round than those of a
vertex, which is what makes column generation short. Mehrotra, SIAM J. Optimization 2 (1992); Gondzio, Gonzalez-Brevis,
Munari, "New developments in the primal-dual column generation technique", EJOR 224 (2013).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.geo import Floats

_ROUNDS = 60


@dataclass(frozen=True, eq=False)
class Mixture:
    """Weights (J,) of the columns, prices (n,) of the rows, and the loss of the mixture."""

    weights: Floats
    prices: Floats
    loss: float


def mix(
    columns: Floats,
    cost: Floats,
    tolerance: float,
    rows: Floats | None = None,
    centre: Floats | None = None,
    stiffness: Floats | None = None,
) -> Mixture:
    """The cheapest nonnegative mixture of columns (n, J) that gives `rows` (1 everywhere), to a relative tolerance.

    With a `stiffness` (n,), prices that leave the `centre` pay ``stiffness (y - centre)^2 / 2``; the rows of the mixture
    then miss theirs by ``stiffness (y - centre)``.
    """
    n, many = columns.shape
    b = np.ones(n) if rows is None else rows
    stiff = np.zeros(n) if stiffness is None else stiffness
    middle = np.zeros(n) if centre is None else centre
    t, y, s = _start(columns, cost, b)
    best = (np.inf, t, y)
    # prices are proven by pricing and rows are settled afterwards: neither has to be better than the gap
    missing, wrong = max(1e-8, 0.1 * tolerance), max(1e-9, 0.01 * tolerance)
    for _ in range(_ROUNDS):
        missed = stiff * (y - middle)
        primal, dual, mu = b - columns @ t - missed, cost - columns.T @ y - s, float(t @ s) / many
        loss = float(cost @ t + middle @ missed + 0.5 * ((y - middle) @ missed))
        gap = abs(loss - float(b @ y - 0.5 * ((y - middle) @ missed))) / max(abs(loss), 1e-9)
        rough = max(float(np.abs(primal).max()) / missing, float(np.abs(dual).max()) / wrong)
        badness = max(gap / tolerance, rough)
        if badness < best[0]:
            best = (badness, t, y)
        if badness <= 1 or not np.isfinite(badness) or badness > 1e6 * best[0]:
            break
        try:
            t, y, s = _step(columns, t, y, s, primal, dual, mu, stiff)
        except np.linalg.LinAlgError:
            break
    _, t, y = best
    return Mixture(t, y, float(cost @ t))


def settle(columns: Floats, weights: Floats, rows: Floats) -> Floats:
    """The weights moved, in proportion, so that the rows add up to the last digits; only ever to 0 or more."""
    for _ in range(3):
        short = rows - columns @ weights
        if np.abs(short).max() < 1e-15:
            break
        gram = (columns * weights) @ columns.T
        scale = 1 / np.sqrt(np.diag(gram))
        gram = gram * scale[:, None] * scale + 1e-14 * np.eye(len(gram))
        moved = weights * (1 + columns.T @ (scale * np.linalg.solve(gram, scale * short)))
        weights = np.clip(moved, 0, None)
    return weights


def _start(columns: Floats, cost: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """Mehrotra's starting point."""
    gram = columns @ columns.T
    gram[np.diag_indices_from(gram)] += 1e-12 * np.trace(gram)
    both = np.linalg.solve(gram, np.stack([b, columns @ cost], axis=1))
    t, y = np.asarray(columns.T @ both[:, 0], float), np.asarray(both[:, 1], float)
    s = cost - columns.T @ y
    t = t + max(-1.5 * float(t.min()), 0.0) + 1e-12
    s = s + max(-1.5 * float(s.min()), 0.0) + 1e-12
    product = float(t @ s)
    return t + 0.5 * product / float(s.sum()), y, s + 0.5 * product / float(t.sum())


def _step(
    columns: Floats, t: Floats, y: Floats, s: Floats, primal: Floats, dual: Floats, mu: float, stiff: Floats
) -> tuple[Floats, Floats, Floats]:
    solve = _factor(columns, t, s, stiff)

    def direction(complement: Floats) -> tuple[Floats, Floats, Floats]:
        dy = solve(primal - columns @ ((complement - t * dual) / s))
        ds = dual - columns.T @ dy
        return (complement - t * ds) / s, dy, ds

    dt, dy, ds = direction(-t * s)
    ahead = (t + _reach(t, dt) * dt) @ (s + _reach(s, ds) * ds) / len(t)
    dt, dy, ds = direction((ahead / mu) ** 3 * mu - t * s - dt * ds)
    far, high = 0.995 * _reach(t, dt, 1 / 0.995), 0.995 * _reach(s, ds, 1 / 0.995)
    if stiff.any():  # the rows then depend on the prices: one step for both
        far = high = min(far, high)
    return t + far * dt, y + high * dy, s + high * ds


def _factor(columns: Floats, t: Floats, s: Floats, stiff: Floats) -> Callable[[Floats], Floats]:
    """Solves with ``A diag(t / s) A^T + diag(stiff)``, scaled to a unit diagonal."""
    weighted = columns * np.sqrt(t / s)
    gram = weighted @ weighted.T
    gram.flat[:: len(gram) + 1] += stiff
    scale = 1 / np.sqrt(np.maximum(np.diag(gram), 1e-300))
    gram *= scale[:, None]
    gram *= scale
    gram.flat[:: len(gram) + 1] += 1e-13

    def solve(right: Floats) -> Floats:
        return np.asarray(scale * np.linalg.solve(gram, scale * right), float)

    return solve


def _reach(values: Floats, move: Floats, most: float = 1.0) -> float:
    """How far one may go along a move before a value gets negative."""
    lowest = float((move / values).min())
    return most if lowest * most >= -1 else -1 / lowest
