"""What all timestamps, and the landmarks with one other, tell at a delta: the sentences, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.adding_truth import epsilon_at
from tests.every_number.claims import Hole, Pattern, most, near
from tests.every_number.landmarks_fields import GROUND
from tests.every_number.landmarks_truth import LandmarkTruth


def everywhere(t: LandmarkTruth) -> list[float]:
    """What each timestamp tells of two places, or cells, that count as neighbours."""
    cells = t.o.reports is not None and not t.responds
    flat = t.responds or t.weakened <= 1.0001
    return [b * (1 if flat else t.weakened) * (t.s.place_m / t.radius if cells else 1) for b in t.spent]


def with_one_other(t: LandmarkTruth) -> list[float]:
    told = everywhere(t)
    return [told[i] for i in t.marks] + [max(told[i] for i in range(t.n) if i not in t.marks)]


def at_delta(budgets: Any) -> Hole:
    kind = {True: "points", False: "answers"}
    found = lambda t: epsilon_at(kind[t.o.reports is None], budgets(t), t.s.delta)  # noqa: E731
    return most(found, slack=2e-3, size=lambda t: (0.1 if rounded(t) else 3e-4) * math.fsum(budgets(t)))


def rounded(t: LandmarkTruth) -> bool:
    """Whether so many budgets differ that they are rounded up before they are added up."""
    return len({b for b in t.spent if b > 0}) > 24


ADDED = [
    Pattern(
        "With δ = {delta}, a track that differs from yours at every timestamp<, each time within one cell,|> is told apart "
        "from it by at most ε = {all} (by sums at most {sum})",
        delta=lambda t: t.s.delta,
        all=at_delta(everywhere),
        sum=most(lambda t: math.fsum(everywhere(t))),
    ),
    Pattern(
        "With δ = {delta}, a track that differs from yours at every timestamp, each time within {radius}, is told apart "
        "from it by at most ε = {all} (by sums at most {sum})",
        delta=lambda t: t.s.delta,
        radius=near("radius", slack=GROUND, size=1e-6),
        all=at_delta(everywhere),
        sum=most(lambda t: math.fsum(everywhere(t))),
    ),
    Pattern(
        "; one that differs only at your {k#} <landmark|protected timestamp><s|> and one other timestamp, by at most ε = "
        "{some} (by sums at most {sum})",
        k="k",
        some=at_delta(with_one_other),
        sum=most(lambda t: math.fsum(with_one_other(t))),
    ),
    Pattern(
        "; to add them up, the budgets are rounded up to {k#} different ones.",
        k=lambda t: 24 if rounded(t) else -1,
    ),
    Pattern("A bound at δ may fail with probability δ; a sum cannot."),
    Pattern(
        "they can only be summed: at most {sum} for all timestamps together, whatever it chooses.",
        sum=most("everything"),
    ),
]
