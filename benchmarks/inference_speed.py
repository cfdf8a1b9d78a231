"""Speed of the adversary who follows the track, against hmmlearn on the same chain, in one process.

    python benchmarks/inference_speed.py [--quick] [--repeats K] [--json FILE] [--figures FIGURES.md]

Cells form a square grid, as on the page. The chains are the explorer's: moves estimated from a track, with a
small chance of every other move; stay or jump anywhere; and the first of these as a plain matrix. hmmlearn takes a matrix
and has two implementations: "log" is the default of `score_samples`, and "scaling" is faster and loses far
tails. Both get ready-made likelihoods, as ours does, and take turns with ours; the ratio is computed round by round.
Every result is first checked against hmmlearn's. On 400 cells and 10,000 timestamps, hmmlearn would take a quarter of a
minute for each call, and is left out.

Every figure is processor time on one core (on a quiet machine, wall-clock time), the median of repetitions with the
lowest and the highest.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from hmmlearn.base import BaseHMM  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from inference_table import markdown  # noqa: E402
from measured import asked, milliseconds, spread, write  # noqa: E402

from lmdk_widgets.budgets import release  # noqa: E402
from lmdk_widgets.inference import Moves, likeliest_path, log_likelihoods, track_posterior  # noqa: E402
from lmdk_widgets.noise import PlanarLaplace  # noqa: E402

SIZES = ((288, 15, 30.0), (10_000, 20, 1000.0))
"""The timestamps, the cells along a side, and the milliseconds allowed for beliefs."""
COMPARED = 288
"""The number of timestamps up to which hmmlearn is measured."""
CELL_M, EPSILON = 500.0, 1.0


class Given(BaseHMM):
    """A hidden Markov model whose observations are the log likelihoods themselves."""

    def _compute_log_likelihood(self, likelihood: np.ndarray) -> np.ndarray:
        return likelihood

    def _compute_likelihood(self, likelihood: np.ndarray) -> np.ndarray:
        return np.exp(likelihood - likelihood.max(axis=1, keepdims=True))


def walked(n: int, side: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells (n,) of a person who mostly stays or moves to a neighbouring cell, and all centres (side^2, 2)."""
    rng = np.random.default_rng(n)
    squares = np.stack(np.divmod(np.arange(side * side), side), axis=1)
    steps = rng.integers(-1, 2, (n, 2)) * (rng.random((n, 1)) < 0.4)
    at = np.abs((np.cumsum(steps, axis=0) + side // 2) % (2 * side - 2) - side + 1)
    return at @ [side, 1], CELL_M * squares


def chains(cells: np.ndarray, m: int) -> Iterator[tuple[str, Any]]:
    """The explorer's chains on these cells."""
    seen = Moves.estimated(cells, m, smoothing=0.01)
    yield "estimated moves", seen
    yield "stay or jump", Moves.sticky(m, 0.01)
    yield "estimated moves, as a matrix", seen.matrix()


def model(prior: np.ndarray, transitions: Any, implementation: str) -> Given:
    """The same chain for hmmlearn."""
    found = Given(n_components=len(prior), implementation=implementation)
    found.startprob_ = prior
    found.transmat_ = transitions.matrix() if isinstance(transitions, Moves) else transitions
    return found


def compare(kind: str, transitions: Any, likelihood: np.ndarray, target_ms: float, repeats: int) -> dict[str, Any]:
    """The figures for one chain."""
    n, m = likelihood.shape
    prior = np.full(m, 1 / m)

    def beliefs() -> np.ndarray:
        return track_posterior(prior, transitions, likelihood).smoothed

    def path() -> np.ndarray:
        return likeliest_path(prior, transitions, likelihood)

    row: dict[str, Any] = {"chain": kind, "n": n, "cells": m, "target_ms": target_ms}
    if n > COMPARED:
        few = max(3, repeats // 4)
        row["beliefs"] = spread(milliseconds(beliefs) for _ in range(few))
        row["path"] = spread(milliseconds(path) for _ in range(few))
        return row
    plain, scaling = (model(prior, transitions, name) for name in ("log", "scaling"))
    agree(f"{kind}, beliefs", beliefs(), plain.score_samples(likelihood)[1])
    agree(f"{kind}, path", path(), plain.decode(likelihood)[1])
    times: dict[str, list[float]] = {name: [] for name in ("beliefs", "path", "log", "scaling", "decode")}
    others = {
        "log": lambda: plain.score_samples(likelihood),
        "scaling": lambda: scaling.score_samples(likelihood),
        "decode": lambda: plain.decode(likelihood),
    }
    for _ in range(repeats):
        for name, function in {"beliefs": beliefs, "path": path, **others}.items():
            times[name].append(milliseconds(function))
    row |= {name: spread(taken) for name, taken in times.items()}
    for name, ours in (("log", "beliefs"), ("scaling", "beliefs"), ("decode", "path")):
        row[f"{name}_ratio"] = spread(a / b for a, b in zip(times[name], times[ours], strict=True))
    return row


def agree(what: str, one: np.ndarray, other: np.ndarray) -> None:
    """Stop if the results differ: the speed of a wrong answer is of no interest."""
    if not np.allclose(one, other, rtol=0, atol=1e-9):
        raise SystemExit(f"{what}: differs from hmmlearn")


def main() -> int:
    """Measure, print, and write the figures."""
    options = asked(__doc__, repeats=21, of="of every figure").parse_args()
    repeats = 3 if options.quick else max(1, options.repeats)
    load, rows = os.getloadavg()[0], []
    for n, side, target_ms in SIZES:
        cells, centres = walked(n, side)
        mechanism = PlanarLaplace(200.0)
        out = release(centres[cells], "event", [], EPSILON, mechanism, rng=np.random.default_rng(1))
        likelihood = log_likelihoods(out, centres, mechanism)
        for kind, transitions in chains(cells, len(centres)):
            rows.append(compare(kind, transitions, likelihood, target_ms, repeats))
            print(f"{kind}, {n:,} timestamps: {rows[-1]['beliefs']['median']:.3g} ms", flush=True)
    found = {"load": [load, os.getloadavg()[0]], "tracks": rows}
    print(f"\n{markdown(found)}")
    write(options, "inference", {"inference": found}, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
