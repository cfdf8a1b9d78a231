"""Speed of the temporal privacy loss, against plain Algorithm 1, its vectorised form and the linear programme.

    python benchmarks/leakage_speed.py [--quick] [--json FILE] [--figures FIGURES.md]

Algorithm 1 (Cao et al., ICDE 2017) and the linear programme compute the loss function at one alpha; the envelope gives it
at every alpha, so the time to build it is compared with their time for a single one. There are three versions of Algorithm 1:
"plain" is the published one, line by line on the matrix as an array, and the target refers to it; "lists" is the fastest
Python version we could write; "vectorised" compares a row with all others at once in NumPy, which the paper does not
describe, but anyone in a hurry would write. The linear programme is solved for a sample of pairs and the time
multiplied. The recursions are compared with one call of L per timestamp, on the same envelope. The plan with the least mean
error is compared with sequential quadratic programming from the same starting point. Every result is first checked against
the others. The library uses only NumPy, and HiGHS for plans; SciPy is used only here.

Every figure is processor time on one core (on a quiet machine, wall-clock time), the median of repetitions with
the range of the middle half.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import math  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from dataclasses import asdict, dataclass  # noqa: E402
from itertools import permutations  # noqa: E402
from pathlib import Path  # noqa: E402
from time import thread_time  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from scipy.optimize import linprog, minimize  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from leakage_table import markdown  # noqa: E402
from measured import asked, write  # noqa: E402

from lmdk_widgets.leakage import LossFunction, best_plan, landmark_loss, temporal_loss  # noqa: E402
from lmdk_widgets.leakage.least_error import starting_plan  # noqa: E402
from lmdk_widgets.leakage.markov import smoothed_identity  # noqa: E402

ALPHA = 1.3
BUILD_TARGETS_MS = {10: 2.0, 100: 20.0, 200: 150.0}
CALL_TARGET_MS = 0.02
RATIO_TARGET, RATIO_STATES = 50, 100
SERIES_TARGETS_MS = {10_000: 5.0, 100_000: 50.0}
LANDMARK_TARGETS_MS = {10_000: 30.0}
PLAN_TARGETS_MS = {288: 2000.0}
PLANNED_SLOWLY = 24
"""The longest series that is also planned by sequential quadratic programming: a longer one takes minutes."""


@dataclass(frozen=True)
class Spread:
    """Milliseconds: the median and the middle half of the repetitions."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.3g} ms ({self.low:.3g} to {self.high:.3g})"


def timed(function: Callable[[], Any], repetitions: int, calls: int = 1) -> Spread:
    """Run a function this many times, each time with this many calls."""
    taken = []
    for _ in range(repetitions):
        start = thread_time()
        for _ in range(calls):
            function()
        taken.append((thread_time() - start) * 1e3 / calls)
    low, median, high = np.percentile(taken, (25, 50, 75))
    return Spread(float(median), float(low), float(high))


def matrices(n_states: int) -> Iterator[tuple[str, np.ndarray]]:
    """The kinds of matrices to measure."""
    rng = np.random.default_rng(n_states)
    yield "smoothed identity", smoothed_identity(n_states, 0.01)
    yield "dense random", rng.dirichlet(np.ones(n_states), n_states)
    cells = np.stack(np.divmod(np.arange(n_states), math.isqrt(n_states)), axis=1)
    weights = np.exp(-np.linalg.norm(cells[:, None] - cells, axis=2))
    yield "walk on a grid", weights / weights.sum(axis=1, keepdims=True)


def plain_algorithm(p: np.ndarray, alpha: float) -> float:
    """Algorithm 1 as published, pair by pair and state by state."""
    theta, best = math.expm1(alpha), 1.0
    for after, before in permutations(p, 2):
        subset = [j for j in range(len(p)) if after[j] > before[j]]
        update = True
        while update:
            update = False
            value = (sum(after[j] for j in subset) * theta + 1) / (sum(before[j] for j in subset) * theta + 1)
            for j in list(subset):
                if after[j] <= value * before[j]:
                    subset.remove(j)
                    update = True
        best = max(best, value)
    return math.log(best)


def list_algorithm(p: np.ndarray, alpha: float) -> float:
    """The same with lists of the remaining states."""
    theta, best = math.expm1(alpha), 1.0
    for after, before in permutations(p.tolist(), 2):
        subset = [(q, d) for q, d in zip(after, before, strict=True) if q > d]
        while True:
            value = (sum(q for q, _ in subset) * theta + 1) / (sum(d for _, d in subset) * theta + 1)
            kept = [(q, d) for q, d in subset if q > value * d]
            if len(kept) == len(subset):
                break
            subset = kept
        best = max(best, value)
    return math.log(best)


def vectorised_algorithm(p: np.ndarray, alpha: float) -> float:
    """Algorithm 1 on all pairs of one row with the others at once."""
    theta, best = math.expm1(alpha), 1.0
    for after in p:
        inside = after > p
        while True:
            value = ((after * inside).sum(axis=1) * theta + 1) / ((p * inside).sum(axis=1) * theta + 1)
            kept = inside & (after > value[:, None] * p)
            if (kept == inside).all():
                break
            inside = kept
        best = max(best, float(value.max()))
    return math.log(best)


def programme(after: np.ndarray, before: np.ndarray, alpha: float) -> float:
    """The linear-fractional programme for one pair: before.x = 1 and t <= x <= e^alpha t."""
    m = len(after)
    bounds = np.block([[-np.eye(m), np.ones((m, 1))], [np.eye(m), np.full((m, 1), -math.exp(alpha))]])
    found = linprog(
        -np.append(after, 0), A_ub=bounds, b_ub=np.zeros(2 * m), A_eq=np.append(before, 0)[None], b_eq=[1.0]
    )
    return math.log(-found.fun)


def programmes(p: np.ndarray, some: int, repetitions: int) -> Spread:
    """The programme for every ordered pair, from a sample of pairs."""
    rng = np.random.default_rng(0)
    pairs = [rng.choice(len(p), 2, replace=False) for _ in range(some)]
    taken = timed(lambda: [programme(p[x], p[y], ALPHA) for x, y in pairs], repetitions)
    scale = len(p) * (len(p) - 1) / some
    return Spread(taken.median * scale, taken.low * scale, taken.high * scale)


def build(kind: str, p: np.ndarray, repetitions: int) -> dict[str, Any]:
    """The envelope of one matrix, and its alternatives."""
    m, loss = len(p), LossFunction(p)
    row: dict[str, Any] = {"matrix": kind, "states": m, "vertices": len(loss.vertices)}
    row["build"] = asdict(timed(lambda: LossFunction(p), repetitions))
    row["call"] = asdict(timed(lambda: loss(ALPHA), repetitions, calls=200))
    row["target_ms"] = BUILD_TARGETS_MS[m]
    if m <= RATIO_STATES:
        for name, other in (
            ("plain", plain_algorithm),
            ("lists", list_algorithm),
            ("vectorised", vectorised_algorithm),
        ):
            agree(f"{kind}, {m} states, {name}", other(p, ALPHA), loss(ALPHA))
            row[name] = asdict(timed(lambda other=other: other(p, ALPHA), 3 if m > 10 else repetitions))  # type: ignore[misc]
        x, y = loss.rows[np.searchsorted(loss.breakpoints, ALPHA, side="right")]
        agree(f"{kind}, {m} states, linear programme", programme(p[x], p[y], ALPHA), loss(ALPHA), 1e-6)
        row["programme"] = asdict(programmes(p, 90 if m == 10 else 10, 3))
        row["ratios"] = {
            k: row[k]["median"] / row["build"]["median"] for k in ("plain", "lists", "vectorised", "programme")
        }
    return row


def chains() -> Iterator[tuple[str, LossFunction]]:
    """The chains for the recursions: one vertex, few, many."""
    yield "2 states", LossFunction([[0.8, 0.2], [0.2, 0.8]])
    yield "dense random, 10 states", LossFunction(np.random.default_rng(10).dirichlet(np.ones(10), 10))
    yield "smoothed identity, 100 states", LossFunction(smoothed_identity(100, 0.01))
    yield "dense random, 100 states", LossFunction(np.random.default_rng(100).dirichlet(np.ones(100), 100))


def call_by_call(loss: LossFunction, budgets: np.ndarray) -> np.ndarray:
    """Backward, forward and total loss with one call of L per timestamp."""
    sides = []
    for eps in (budgets.tolist(), budgets[::-1].tolist()):
        a, side = 0.0, []
        for e in eps:
            a = loss(a) + e
            side.append(a)
        sides.append(np.array(side))
    return sides[0] + sides[1][::-1] - budgets


def series(name: str, loss: LossFunction, n: int, repetitions: int) -> dict[str, Any]:
    """Backward, forward and total loss, and the landmark loss, at arbitrary budgets."""
    rng = np.random.default_rng(n)
    budgets, landmarks = rng.random(n) * 0.2, np.sort(rng.choice(n, 8, replace=False))
    agree(f"{name}, n = {n}", call_by_call(loss, budgets), temporal_loss(loss, loss, budgets).total)
    row: dict[str, Any] = {"chain": name, "n": n}
    row["losses"] = asdict(timed(lambda: temporal_loss(loss, loss, budgets), repetitions))
    row["call_by_call"] = asdict(timed(lambda: call_by_call(loss, budgets), 3))
    row["ratio"] = row["call_by_call"]["median"] / row["losses"]["median"]
    row["landmarks"] = asdict(timed(lambda: landmark_loss(loss, loss, budgets, landmarks), max(3, repetitions // 3)))
    row["target_ms"], row["landmarks_target_ms"] = SERIES_TARGETS_MS.get(n), LANDMARK_TARGETS_MS.get(n)
    return row


def quadratic(loss: LossFunction, n: int) -> float:
    """The least mean of 1 / eps by sequential quadratic programming, in log eps, for a total loss of 1."""
    found = minimize(
        lambda z: float(np.exp(-z).mean()),
        np.log(starting_plan(loss, loss, 1.0, n).budgets),
        jac=lambda z: -np.exp(-z) / n,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda z: 1 - temporal_loss(loss, loss, np.exp(z)).total},
        options={"maxiter": 500, "ftol": 1e-9},
    )
    return float(found.fun)


def plans() -> Iterator[tuple[str, LossFunction]]:
    """The chains for which series are planned."""
    for name, smoothing in (("moderate", 0.1), ("strong", 0.01), ("stronger", 0.001)):
        yield f"{name}, 5 states", LossFunction(smoothed_identity(5, smoothing))


def planned(name: str, loss: LossFunction, n: int, repetitions: int) -> dict[str, Any]:
    """The plan with the least mean error for a total loss of 1."""
    row: dict[str, Any] = {"chain": name, "n": n, "target_ms": PLAN_TARGETS_MS.get(n)}
    row["plan"] = asdict(timed(lambda: best_plan(loss, loss, 1.0, n), max(3, repetitions // 4)))
    if n <= PLANNED_SLOWLY:
        agree(f"{name}, plan of {n}", best_plan(loss, loss, 1.0, n).mean_inverse, quadratic(loss, n), 1e-3)
        row["ratio"] = timed(lambda: quadratic(loss, n), 3).median / row["plan"]["median"]
    return row


def agree(what: str, one: Any, other: Any, tolerance: float = 1e-9) -> None:
    """Stop if the results differ: the speed of a wrong answer is of no interest."""
    if not np.allclose(one, other, rtol=tolerance, atol=tolerance):
        raise SystemExit(f"{what}: {one} is not {other}")


def verdict(value: float, bound: float | None, at_least: bool = False) -> str:
    """The target, and whether it was met."""
    if bound is None:
        return "no target"
    met = value >= bound if at_least else value <= bound
    return f"target {bound:g} {'met' if met else 'MISSED'}"


def shown_build(row: dict[str, Any]) -> str:
    """One matrix in a few lines."""
    built, call = Spread(**row["build"]), Spread(**row["call"])
    lines = [
        f"{row['matrix']}, {row['states']} states, {row['vertices']} vertices",
        f"  envelope {built}, {verdict(built.median, row['target_ms'])}; "
        f"then each alpha {call.median * 1e3:.2g} us, {verdict(call.median, CALL_TARGET_MS)}",
    ]
    for name, ratio in row.get("ratios", {}).items():
        bound = RATIO_TARGET if (name, row["states"]) == ("plain", RATIO_STATES) else None
        lines.append(f"  {name}, one alpha: {Spread(**row[name])}, {ratio:.3g} times; {verdict(ratio, bound, True)}")
    return "\n".join(lines)


def shown_series(row: dict[str, Any]) -> str:
    """One series in a few lines."""
    losses, slow, marks = (Spread(**row[k]) for k in ("losses", "call_by_call", "landmarks"))
    return (
        f"{row['chain']}, n = {row['n']:,}\n"
        f"  backward, forward, total {losses}, {verdict(losses.median, row['target_ms'])}; "
        f"call by call {slow}, {row['ratio']:.3g} times\n"
        f"  landmark loss, 8 landmarks {marks}, {verdict(marks.median, row['landmarks_target_ms'])}"
    )


def shown_plan(row: dict[str, Any]) -> str:
    """One plan in a line."""
    took = Spread(**row["plan"])
    slow = f"; sequential quadratic programming {row['ratio']:.3g} times" if "ratio" in row else ""
    return f"plan, {row['chain']}, n = {row['n']:,}: {took}, {verdict(took.median, row['target_ms'])}{slow}"


def main() -> int:
    """Measure, print, and write the figures."""
    options = asked(__doc__).parse_args()
    repetitions = 5 if options.quick else 21
    load = os.getloadavg()
    built, run, made = [], [], []
    for n_states in BUILD_TARGETS_MS:
        for kind, p in matrices(n_states):
            built.append(build(kind, p, repetitions))
            print(shown_build(built[-1]), flush=True)
    for n in (10_000, 100_000, 1_000_000):
        for name, loss in chains():
            run.append(series(name, loss, n, repetitions if n < 1_000_000 else 5))
            print(shown_series(run[-1]), flush=True)
    for n in (8, PLANNED_SLOWLY, 288, 2016):
        for name, loss in plans():
            made.append(planned(name, loss, n, repetitions))
            print(shown_plan(made[-1]), flush=True)
    found = {"load": [load[0], os.getloadavg()[0]], "build": built, "series": run, "plans": made}
    print(f"load average before {load[0]:.1f}, after {os.getloadavg()[0]:.1f}\n\n{markdown(found)}")
    write(options, "leakage", {"leakage": found}, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
