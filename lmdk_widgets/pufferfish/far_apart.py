"""Two releases from segments so far apart that together they cost no more than the dearer one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lmdk_widgets.checks import positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish.approximate import mixing_constants, mixing_nodes

_ALL_NODES_UP_TO = 40


@dataclass(frozen=True)
class Condition:
    """One condition of the theorem, as a sentence with the numbers, and whether it holds."""

    sentence: str
    holds: bool


@dataclass(frozen=True)
class FarApart:
    """Whether the theorem applies, and what it then says.

    Attributes
    ----------
    epsilon : max(eps_A, eps_B) if every condition holds, otherwise None: use `compose_parallel`.
    conditions : each with its numbers.
    reach_a, reach_b : (a, b) of the quilt borrowed in each segment, None where there is no two-sided one.
    gap : moves from the end of A to the start of B.
    """

    epsilon: float | None
    conditions: tuple[Condition, ...]
    reach_a: tuple[int, int] | None
    reach_b: tuple[int, int] | None
    gap: int

    @property
    def applies(self) -> bool:
        return self.epsilon is not None


def compose_far_apart(
    epsilon_a: float,
    epsilon_b: float,
    segment_a: tuple[int, int],
    segment_b: tuple[int, int],
    chains: Any = None,
    *,
    minimum_probability: float | None = None,
    gap: float | None = None,
) -> FarApart:
    """max(eps_A, eps_B) for two releases by MQMApprox, where A and B are far enough apart.

    Parameters
    ----------
    epsilon_a, epsilon_b : of each release; each ran on its own segment, with the same pi_min and g.
    segment_a, segment_b : (first, last) timestamps, A before B.
    chains : Theta; or `minimum_probability` and `gap` instead, as for `approximate_quilt_scale`.

    Returns
    -------
    FarApart : with each condition checked on the numbers.

    Raises
    ------
    InputError : segments that overlap or are in the wrong order, numbers out of range.

    Notes
    -----
    Conditions: (1) some node of A and some node of B has an active quilt with both sides, (a, b) and (a', b');
    (2) the gap between the segments is at least b, and at least a'. The paper asks for a gap as long as the segments,
    which implies (2), as a quilt lies within its segment. Why it is enough: the bound on the influence depends on the
    distances alone, so that any node i of A may borrow (a, b) without more noise; its right end i + b is then at most
    the start of B, so that given the quilt B knows nothing of X_i. B's release is thus part of what the quilt's
    influence already pays for; the same backward for B. With the exact mechanism the borrowed quilt could have a larger
    influence where the chain is not stationary. Song, Chaudhuri 2017, Theorem III.3.

    Examples
    --------
    >>> near, far = [compose_far_apart(1, 0.5, (0, 199), (start, start + 299), minimum_probability=0.2, gap=1.0)
    ...              for start in (205, 300)]
    >>> near.applies, far.epsilon
    (False, 1.0)
    >>> print(near.conditions[1].sentence)
    the gap of 6 is at least 10, the reach of that quilt toward B
    """
    one, two = positive(epsilon_a, "epsilon_a"), positive(epsilon_b, "epsilon_b")
    (first_a, last_a), (first_b, last_b) = _segment(segment_a, "segment_a"), _segment(segment_b, "segment_b")
    if first_b <= last_a:
        raise InputError(f"segment_b must start after the end of A, timestamp {last_a:,}", value=first_b)
    if chains is not None:
        minimum_probability, gap = mixing_constants(chains)
    mixing = mixing_nodes(minimum_probability, gap, 1, one)  # checked, as numbers
    reach_a = _reach(one, last_a - first_a + 1, mixing.rarest, mixing.gap, 1)
    reach_b = _reach(two, last_b - first_b + 1, mixing.rarest, mixing.gap, 0)
    between = first_b - last_a
    conditions = []
    for name, reach, side, other in (("A", reach_a, 1, "B"), ("B", reach_b, 0, "A")):
        if reach is None:
            conditions.append(Condition(f"some timestamp of {name} has an active quilt with both sides", False))
        else:
            active = f"a timestamp of {name} has an active quilt with both sides, {reach[0]} back and {reach[1]} ahead"
            wide = f"the gap of {between} is at least {reach[side]}, the reach of that quilt toward {other}"
            conditions += [Condition(active, True), Condition(wide, between >= reach[side])]
    holds = all(condition.holds for condition in conditions)
    return FarApart(max(one, two) if holds else None, tuple(conditions), reach_a, reach_b, between)


@lru_cache(maxsize=64)
def _reach(epsilon: float, length: int, rarest: float, gap: float, side: int) -> tuple[int, int] | None:
    """The two-sided active quilt of the segment that reaches least to one side."""
    nodes = mixing_nodes(rarest, gap, length, epsilon)
    tried = range(length) if length <= _ALL_NODES_UP_TO else (length // 2,)
    active = [(i, nodes.best(i)) for i in tried]
    two_sided = [(q.a, q.b) for i, q in active if q.a <= i and i + q.b < length]
    return min(two_sided, key=lambda quilt: quilt[side]) if two_sided else None


def _segment(segment: tuple[int, int], name: str) -> tuple[int, int]:
    try:
        first, last = segment
    except (TypeError, ValueError):
        raise refused(name, "a pair (first, last) of timestamps", segment) from None
    start = whole(first, f"the first timestamp of {name}", least=0)
    return start, whole(last, f"the last timestamp of {name}", least=start)
