"""From the choices of the quilt lab to everything that it shows. Pure: the noise comes from the seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import cast

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import laplace
from lmdk_widgets.page.cards import with_pinned
from lmdk_widgets.pages.series.belief import Belief, belief_about
from lmdk_widgets.pages.series.meter import metered
from lmdk_widgets.pages.series.model import SETTING, WORST, SeriesChoices
from lmdk_widgets.pages.series.outcome import Histogram, Method, Segments, SeriesOutcome
from lmdk_widgets.pages.series.series import Series, series_of
from lmdk_widgets.pages.series.uploaded_series import OwnData
from lmdk_widgets.pufferfish import (
    compose_far_apart,
    compose_same_quilts,
    compose_sequential,
    counterexample,
    entry_privacy,
    group_privacy,
    histogram,
    lipschitz_constant,
    relative_histogram,
)
from lmdk_widgets.pufferfish.chain import Support

DRAWS = 100
"""Draws behind every error bar; the first of them is the release that is shown."""
_BETWEEN_UP_TO = 60
"""Secrets between the segments are examined one by one, in gaps up to this."""

_counterexample = cached("settings", entries=32, what="counterexamples to composition")(counterexample)

Ends = tuple[int, int]
"""The last timestamp of A and the first one of B."""


def evaluate(choices: SeriesChoices, own: OwnData | None = None) -> SeriesOutcome:
    """Everything that follows from the choices; `own` is the user's own series, if there is one.

    Raises
    ------
    InputError : a series that is too long, too short, or has too many states.

    Examples
    --------
    >>> outcome = evaluate(SeriesChoices(source="binary", length=100, epsilon=1.0))
    >>> round(outcome.scale.scale, 10), outcome.series.n_states
    (12.8399642312, 2)
    """
    series = series_of(choices, own)
    support = cast(Support, choices.support)
    belief = belief_about(series, choices.smoothing, choices.theta, choices.chains, support)
    epsilon, length = choices.epsilon, len(series)
    nodes = belief.table.node_scales(epsilon, length)  # first, as the scales then need no second search
    alone = belief.table.scales(epsilon, length)
    scale = max(alone, key=lambda found: found.scale)
    node = scale.node if choices.node == WORST else min(choices.node, length - 1)
    left, right = (None if side[node] < 0 else int(side[node]) for side in (nodes.left, nodes.right))
    nearby = (0 if left is None else left + 1, length - 1 if right is None else right - 1)
    nothing = (left, right) == (None, None)
    influence = 0.0 if nothing else max(0.0, epsilon - (nearby[1] - nearby[0] + 1) / float(nodes.scale[node]))
    lipschitz = lipschitz_constant({"shares": "relative_histogram", "counts": "histogram"}[choices.query], length)
    methods, drawn = _released(choices, series, belief, scale.scale, lipschitz)
    return SeriesOutcome(
        choices=choices,
        own=own,
        series=series,
        belief=belief,
        scale=scale,
        alone=alone,
        scale_otherwise=_otherwise(series, belief, epsilon),
        nodes=nodes,
        node=node,
        quilt=(left, right),
        nearby=nearby,
        influence=influence,
        methods=methods,
        lipschitz=lipschitz,
        histogram=drawn,
        stacked=compose_sequential(choices.releases),
        stacked_older=compose_same_quilts(choices.releases),
        segments=_segments(choices, belief, length),
        story=_counterexample(Fraction(choices.truth_percent, 100)),
        beside=None if choices.pinned is None else _beside(with_pinned(choices, SETTING), own),
        metered=metered(choices, own, series, drawn.released),
    )


@cached("visitor", entries=2, what="the outcome for the choices that stand next to the present ones")
def _beside(choices: SeriesChoices, own: OwnData | None) -> SeriesOutcome:
    return evaluate(choices, own)


def with_mechanism(outcome: SeriesOutcome, mechanism: str) -> SeriesOutcome:
    """The same outcome with another mechanism drawn, with the same draws of unit noise."""
    choices, series = outcome.choices.with_changes(mechanism=mechanism), outcome.series
    drawn = _histogram(outcome.histogram.true, outcome.method(mechanism), _unit_noise(choices.seed, series.n_states))
    found = metered(choices, outcome.own, series, drawn.released)
    return replace(outcome, choices=choices, histogram=drawn, metered=found)


def _otherwise(series: Series, belief: Belief, epsilon: float) -> float | None:
    """The scale with the other count of past states, if the chains are the user's own and it can differ."""
    other = belief.counted_otherwise if series.theta else None
    return None if other is None else float(other.node_scales(epsilon, len(series)).scale.max())


def _released(
    choices: SeriesChoices, series: Series, belief: Belief, exact: float, lipschitz: float
) -> tuple[tuple[Method, ...], Histogram]:
    """All mechanisms with the same draws of unit noise, so that only their scales differ."""
    query = relative_histogram if choices.query == "shares" else histogram
    true = query(series.states, series.n_states)
    unit = _unit_noise(choices.seed, series.n_states)
    methods = tuple(_tried(method, lipschitz, unit) for method in _methods(choices, belief, exact))
    chosen = next(method for method in methods if method.name == choices.mechanism)
    return methods, _histogram(true, chosen, unit)


def _histogram(true: Floats, chosen: Method, unit: Floats) -> Histogram:
    if chosen.noise is None:
        return Histogram(true, None, None, None)
    released = true + chosen.noise * unit
    low, high = np.percentile(released, (5, 95), axis=0)
    return Histogram(true, released[0], low, high)


def _methods(choices: SeriesChoices, belief: Belief, exact: float) -> list[Method]:
    epsilon = choices.epsilon
    approximate = belief.approximate(epsilon).scale
    weak, at_one = belief.local_at_one, belief.local_at_one.scale
    group, entry = group_privacy(belief.length, epsilon), entry_privacy(epsilon, belief.chains)
    quilts = "It hides every timestamp from anyone who believes in one of the chains, and no others."
    bound = "It needs only two numbers of the chains, at the price of more noise."
    return [
        Method("exact", exact, True, quilts),
        Method("approximate", approximate, True, bound),
        Method("gk16", None if at_one is None else 2 * at_one / epsilon, weak.protects, weak.note),
        Method("local", None if at_one is None else at_one / epsilon, weak.protects, weak.note),
        Method("group", group.scale, group.protects, group.note),
        Method("entry", entry.scale, entry.protects, entry.note),
    ]


def _tried(method: Method, lipschitz: float, unit: Floats) -> Method:
    if method.scale is None:
        return method
    noise = method.scale * lipschitz
    errors = noise * np.abs(unit).sum(axis=1)
    low, high = np.percentile(errors, (5, 95)).tolist()
    return replace(method, noise=noise, error=float(errors.mean()), error_low=low, error_high=high)


@cached("settings", entries=8, what="draws of Laplace noise of scale 1")
def _unit_noise(seed: int, n_states: int) -> Floats:
    drawn = laplace(np.zeros((DRAWS, n_states)), 1.0, np.random.default_rng(seed))
    drawn.setflags(write=False)
    return drawn


def place_segments(
    length: int, a_first: int, a_length: int, gap: int, b_length: int
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """(first, last) of A and B within a series: what does not fit is shortened, then moved; None if two do not fit.

    Examples
    --------
    >>> place_segments(100, 10, 20, 5, 30)
    ((10, 29), (34, 63))
    >>> place_segments(10, 8, 20, 50, 30)
    ((0, 3), (6, 9))
    """
    if length < 2:
        return None
    most = max(1, (2 * length) // 5)
    a_length, b_length = min(a_length, most), min(b_length, most)
    gap = min(gap, length - a_length - b_length + 1)
    first = min(a_first, length - a_length - b_length - gap + 1)
    a = first, first + a_length - 1
    return a, (a[1] + gap, a[1] + gap + b_length - 1)


def _segments(choices: SeriesChoices, belief: Belief, length: int) -> Segments | None:
    one, two = choices.epsilon_a, choices.epsilon_b
    placed = place_segments(length, choices.a_first, choices.a_length, choices.gap, choices.b_length)
    if placed is None:
        return None
    a, b = placed
    gap, most = b[0] - a[1], length - (a[1] - a[0]) - (b[1] - b[0]) - 1
    gaps = np.union1d(belief.distances[belief.distances <= most], [most])  # the widest, as no other can do better
    inner = 1 < gap <= _BETWEEN_UP_TO
    if belief.alike:
        near = [(float(past[0]), float(future[0])) for past, future in belief.sides([gap])]
        guarantee = parallel_by_gap(belief, one, two, [gap, *gaps])
        between = _with_between(belief, one, two, gap) if inner else None
    else:
        ends = [_ends(choices, length, moves) for moves in (gap, *gaps.tolist())]
        near = seen_from_ends(belief, ends[0])
        guarantee = parallel_at(belief, one, two, ends)
        between = parallel_between(belief, one, two, ends[0]) if inner else None
    rarest, rate = belief.mixing
    return Segments(
        a,
        b,
        epsilon=float(guarantee[0]),
        between=between,
        forward=max(future for _, future in near),
        backward=max(past for past, _ in near),
        far=compose_far_apart(one, two, a, b, minimum_probability=rarest, gap=rate),
        gaps=gaps.astype(float),
        guarantee=guarantee[1:],
    )


def _ends(choices: SeriesChoices, length: int, gap: int) -> tuple[int, int]:
    """The last timestamp of A and the first one of B if this is the chosen gap."""
    placed = place_segments(length, choices.a_first, choices.a_length, gap, choices.b_length)
    assert placed is not None
    return placed[0][1], placed[1][0]


def parallel_by_gap(belief: Belief, epsilon_a: float, epsilon_b: float, gaps: Iterable[int]) -> Floats:
    """`compose_parallel` at several gaps at once, if timestamps are alike, so that only the distance counts."""
    by_chain = [
        np.maximum(epsilon_a + np.minimum(epsilon_b, future), epsilon_b + np.minimum(epsilon_a, past))
        for past, future in belief.sides(gaps)
    ]
    return np.max(by_chain, axis=0)


def _with_between(belief: Belief, one: float, two: float, gap: int) -> float:
    """The same if the states between the segments are secrets too: see `compose_parallel(..., between=True)`."""
    sides = belief.sides(range(1, gap))
    inner = [float((np.minimum(one, past) + np.minimum(two, future[::-1])).max()) for past, future in sides]
    return max(float(parallel_by_gap(belief, one, two, [gap])[0]), *inner)


def seen_from_ends(belief: Belief, ends: Ends) -> list[tuple[float, float]]:
    """For each chain (e(X_t | X_s), e(X_s | X_t)), t the end of A and s the start of B, by the definition."""
    t, s = ends
    found = []
    for chain in range(len(belief.chains)):
        past, _ = belief.defined.influence_at(s, belief.length, [s - t], chain)
        _, future = belief.defined.influence_at(t, belief.length, [s - t], chain)
        found.append((float(past[0]), float(future[0])))
    return found


def parallel_at(belief: Belief, epsilon_a: float, epsilon_b: float, ends: Iterable[Ends]) -> Floats:
    """`compose_parallel` at several ends at once."""
    return np.array(
        [
            max(
                max(epsilon_a + min(epsilon_b, future), epsilon_b + min(epsilon_a, past))
                for past, future in seen_from_ends(belief, pair)
            )
            for pair in ends
        ]
    )


def parallel_between(belief: Belief, epsilon_a: float, epsilon_b: float, ends: Ends) -> float:
    """The same if the states between the segments are secrets too: see `compose_parallel(..., between=True)`."""
    t, s = ends
    most = float(parallel_at(belief, epsilon_a, epsilon_b, [ends])[0])
    for chain in range(len(belief.chains)):
        for i in range(t + 1, s):
            (past, _), (_, future) = (
                belief.defined.influence_at(i, belief.length, [distance], chain) for distance in (i - t, s - i)
            )
            most = max(most, min(epsilon_a, float(past[0])) + min(epsilon_b, float(future[0])))
    return most
