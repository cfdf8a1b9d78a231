"""What all timestamps, and the landmarks with one other, tell at a delta: each number by its name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tests.every_number.chain_delta_truth import chain_at_delta
from tests.every_number.claims import Hole, most
from tests.every_number.spent_truth import WINDOWED
from tests.every_number.stacked_truth import epsilon_at


def everywhere(t: Any) -> list[float]:
    """What each timestamp tells of two places, or cells, that count as neighbours."""
    cells = t.o.reports is not None and not t.responds
    flat = t.responds or t.weakened <= 1.0001
    return [b * (1 if flat else t.weakened) * (t.s.place_m / t.radius if cells else 1) for b in t.spent]


def with_one_other(t: Any) -> list[float]:
    told = everywhere(t)
    return [told[i] for i in t.marks] + [max(told[i] for i in range(t.n) if i not in t.marks)]


def at_delta(budgets: Any) -> Hole:
    kind = {True: "points", False: "answers"}
    found = lambda t: epsilon_at(kind[t.o.reports is None], budgets(t), t.s.delta)  # noqa: E731
    return most(found, slack=2e-3, size=lambda t: (0.1 if rounded(t) else 3e-4) * math.fsum(budgets(t)))


def rounded(t: Any) -> bool:
    """Whether so many budgets differ that they are rounded up before they are added up."""
    return len({b for b in t.spent if b > 0}) > 24


def as_chosen(t: Any) -> tuple[str, list[float]]:
    """A scheme that chooses, at the most that it can be: each timestamp, or each window and the tests in it."""
    points = "points" if t.o.reports is None else "answers"
    if t.scheme not in WINDOWED:
        return points, [t.cap(i) * t.counted for i in range(t.n)]
    window = t.epsilon / 2 * (1 - 0.5**t.w if t.scheme == "budget-distribution" else 1)
    return "answers", [*[window * t.counted] * math.ceil(t.n / t.w), *[t.epsilon / (2 * t.w) * t.counted] * t.n]


def chosen_at_delta() -> Hole:
    found = lambda t: epsilon_at(*as_chosen(t), t.s.delta)  # noqa: E731
    near = lambda t: (0.1 if len(set(as_chosen(t)[1])) > 24 else 3e-4) * math.fsum(as_chosen(t)[1])  # noqa: E731
    return most(found, slack=2e-3, size=near)


def without_delta(t: Any) -> float:
    """The largest loss of a timestamp if the chain is assumed, of any two states."""
    return max(t.told_of_cells) if t.responds else max(t.total)


ADDED: Mapping[str, Any] = {
    "delta": lambda t: t.s.delta,
    "all_at_delta": at_delta(everywhere),
    "all_summed": most(lambda t: math.fsum(everywhere(t))),
    "landmarks_at_delta": at_delta(with_one_other),
    "landmarks_summed": most(lambda t: math.fsum(with_one_other(t))),
    "chosen_at_delta": chosen_at_delta(),
    "chain_at_delta": most(lambda t: min(chain_at_delta(t), without_delta(t)), slack=1e-2, size=5e-3),
    "chain_without_delta": most(without_delta, slack=1e-7),
    "most_different": lambda t: 24 if rounded(t) else -1,
}
