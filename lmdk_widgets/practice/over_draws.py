"""What a practice comes to that draws something, such as how far a zone's centre is moved: the median of many draws.

One draw is no answer: a centre that happens to be moved by little hides little. The draws have seeds of their own, so the
same settings give the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from statistics import fmean

from lmdk_widgets.cache import RecentResults
from lmdk_widgets.practice.chosen_practice import NOISY, Practice
from lmdk_widgets.practice.practised import Practised, Target, practised, target_of
from lmdk_widgets.trajectory.model import Trajectory

DRAWS, FEWER = 41, 11
"""How many draws: odd numbers, so that the median is one of them. Fewer of a long track, and where every place is moved, as
that takes longer."""

LONG = 40_000
"""From so many points on a track is long."""

_KNOWN: RecentResults[tuple[Practice, Trajectory, bool, int], Practised] = RecentResults(
    "practice.over_draws", "what practices of today come to over many draws", "visitor", entries=12
)


def draws_of(practice: Practice, points: int) -> int:
    """How many draws a practice takes on a track of so many points: 1 where it draws nothing.

    Examples
    --------
    >>> [draws_of(Practice(*each), 5_000) for each in (("zone", 400.0), ("zone", 400.0, 200.0), ("approximate",))]
    [1, 41, 11]
    """
    if any(step.name in NOISY for step in practice.steps):
        return FEWER
    if not any(step.moved_m for step in practice.steps):
        return 1
    return DRAWS if points < LONG else FEWER


def draw_steps(
    practice: Practice,
    trajectory: Trajectory,
    *,
    knows: bool,
    seed: int,
    target: Target | None = None,
    whole_track: Trajectory | None = None,
) -> Iterator[Practised | None]:
    """The same as `over_draws`, draw by draw: None until the last one, then the result."""
    key = (practice, trajectory, knows, seed)
    own = target is None and whole_track is None
    known = _KNOWN.get(key) if own else None
    if known is not None:
        yield known
        return
    place, n = target or target_of(trajectory), draws_of(practice, len(trajectory))
    drawn: list[Practised] = []
    for k in range(n):
        one = practised(
            practice,
            trajectory,
            knows=knows,
            seed=seed if n == 1 else (seed, k),
            target=place,
            whole_track=whole_track,
        )
        drawn.append(one)
        if k + 1 < n:
            yield None
    found = drawn[0] if n == 1 else _median(drawn)
    if own:
        _KNOWN.put(key, found)
    yield found


def over_draws(
    practice: Practice,
    trajectory: Trajectory,
    *,
    knows: bool,
    seed: int,
    target: Target | None = None,
    whole_track: Trajectory | None = None,
) -> Practised:
    """What a practice comes to on a track, over many draws where it draws something: the median, and all distances.

    Parameters
    ----------
    practice, trajectory, knows, target, whole_track : as for `practised`. seed : draw k has the seed (seed, k).

    Returns
    -------
    Practised
        Of the draw with the median distance. Its `draws` are the distances of all, its costs the means of all. A draw that
        leaves nothing to publish counts as one in which nothing is found.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = over_draws(Practice("zone", 400.0, 200.0), sample("taxi"), knows=True, seed=0)
    >>> len(found.draws), found.draws[20] == found.found_m, found.range_m[0] < found.found_m < found.range_m[1]
    (41, True, True)
    """
    steps = draw_steps(practice, trajectory, knows=knows, seed=seed, target=target, whole_track=whole_track)
    *_, found = chain([None], steps)
    assert found is not None
    return found


def _median(drawn: list[Practised]) -> Practised:
    by_distance = sorted(drawn, key=_distance)
    middle = by_distance[len(drawn) // 2]
    if middle.published is None:
        return middle
    publish = [one for one in drawn if one.published is not None]
    return replace(
        middle,
        draws=tuple(map(_distance, by_distance)),
        reader_m=fmean(one.reader_m for one in publish),
        left_out=fmean(one.left_out for one in publish),
    )


def _distance(one: Practised) -> float:
    return math.inf if math.isnan(one.found_m) else one.found_m
