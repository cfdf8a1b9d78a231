"""What would meet the limits: another epsilon, another scheme, or leaving out the places that are found too near.

Each setting is evaluated and judged as the present one is, its reader included: nothing is proposed on a formula alone.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.answers.found_places import FoundPlace, Place
from lmdk_widgets.answers.leaving_out import without
from lmdk_widgets.answers.usefulness import ReaderWorth, known_useful, remember, useful_steps
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import EPSILON_RANGE, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.verdict.judged_answers import SLACK, Judged, with_worth
from lmdk_widgets.verdict.limits import Limits

NOTICED = 0.9
"""At this ratio or below it, a reader's error or a shortfall is noticeably smaller."""

MOST_STEPS, MOST_READ = 14, 8
"""Epsilons that are tried for what is found and guessed, and for a reader."""

MOST_ONLINE = 3_000
"""The longest data for which schemes that choose as they go are tried: their releases are drawn again for each epsilon."""

AT_A_TIME = 50
"""Releases that are read before the user can cancel."""

SILENT_FACTOR = 0.5
"""By how much epsilon is reduced where silences give a place away, which hardly depends on it."""


@dataclass(frozen=True, eq=False)
class Tried:
    """A setting that was tried.

    Attributes
    ----------
    scenario : its choices, with those that only affect display as they are now. judged : its outcome against the limits.
    left_out : the places that it leaves out.
    """

    scenario: Scenario
    judged: Judged
    left_out: tuple[Place, ...] = ()

    @property
    def meets(self) -> bool:
        """Whether it keeps every limit."""
        return self.judged.meets is True

    @property
    def reader(self) -> float:
        """A reader's error there."""
        worth = self.judged.worth
        return math.inf if worth is None else worth.reader


class Helped(NamedTuple):
    """What a search has found so far: how many of its parts are done; what this scheme gives, None before it is known and
    where it has no epsilon; and the proposals, the best first, once all are done."""

    tried: int
    of: int
    own: Tried | None = None
    proposed: tuple[Tried, ...] = ()

    @property
    def share(self) -> float:
        """Of the parts that are done."""
        return self.tried / self.of if self.of else 1.0


Steps = Generator[None, None, Tried | None]
"""A computation in pieces."""


def search(judged: Judged) -> Iterator[Helped | None]:
    """What would meet the limits that an outcome misses: ever more of it, and None in between; the last one is final.

    Parameters
    ----------
    judged : an outcome whose answers are known.

    Notes
    -----
    An epsilon that is found here was chosen by looking at the data: whoever learns it learns a little about them.
    """
    if judged.meets is not False:
        yield Helped(0, 0)
        return
    present, data = judged.outcome.scenario, judged.outcome.trajectory
    yield None
    first, others = [*_own(present), *_leaving_out(judged)], _other_schemes(judged)
    own: Tried | None = None
    tried: list[Tried] = []
    for k, (scenario, left_out) in enumerate([*first, *others]):
        if k >= len(first) and own is not None and own.meets:
            break
        yield Helped(k, len(first) + len(others), own)
        found = yield from _with_best_epsilon(scenario, data, judged.limits, left_out)
        if found is None or not _promises(found, judged):
            continue
        tried.append(found)
        if not left_out and scenario.scheme == present.scheme:
            own = found
    yield Helped(len(first) + len(others), len(first) + len(others), own, _ranked(tried, own, judged))


def searched(judged: Judged) -> Helped:
    """All of `search` at once."""
    *_, last = (found for found in search(judged) if found is not None)
    return last


Part = tuple[Scenario, tuple[Place, ...]]
"""Settings whose best epsilon is looked for, with the places that they leave out."""


def _own(present: Scenario) -> list[Part]:
    """The present scheme; none for a plan and for budgets by hand, which have no epsilon."""
    return [(present.with_changes(average=False), ())] if present.spread.given == "epsilon" else []


def _other_schemes(judged: Judged) -> list[Part]:
    """The other schemes that spread an epsilon: they are tried where the present one cannot meet the limits."""
    present, n = judged.outcome.scenario, len(judged.outcome)
    plain = present.with_changes(average=False)
    parts: list[Part] = []
    for scheme in SCHEMES:
        spread = SPREADS[scheme]
        able = not spread.online or (n <= MOST_ONLINE and present.mechanism == "planar")
        if spread.given == "epsilon" and able and scheme != present.scheme:
            changes: dict[str, Any] = {"scheme": scheme}
            parts.append((plain.with_changes(**changes), ()))
    return parts


def _leaving_out(judged: Judged) -> Iterator[Part]:
    """Skip with the places as landmarks that are found too near; then with those too that are found too near under Skip,
    where every other report has all of epsilon."""
    near = judged.near
    if not near or judged.outcome.reports is not None or _all_of(judged.outcome, near):
        return
    present, data = judged.outcome.scenario, judged.outcome.trajectory
    plain = present.with_changes(average=False)
    yield without(plain, near), near
    left = near
    while True:
        found = Judged(evaluate(without(plain, left), data), judged.limits)
        more = tuple(place for place in found.near if not any((place.members == one.members).all() for one in left))
        if not more:
            break
        left = (*left, *more)
    if left is not near and not _all_of(judged.outcome, left):
        yield without(plain, left), left


def _all_of(outcome: Outcome, places: Sequence[Place]) -> bool:
    """Whether nothing would be released without these places and the landmarks."""
    left_out = set(outcome.scenario.landmarks).union(*(np.flatnonzero(place.members).tolist() for place in places))
    return len(left_out) == len(outcome)


def _with_best_epsilon(scenario: Scenario, data: Trajectory, limits: Limits, left_out: tuple[Place, ...]) -> Steps:
    """The setting with the epsilon nearest to its own that meets the limits; else with the largest one that keeps what is
    found and guessed within them. None where there is none, or the setting is impossible."""
    try:
        kept = yield from _kept(scenario, data, limits)
        if kept is None:
            return None
        judged = yield from _read(kept, limits)
        if judged.missed[1]:  # it may be more useful, and still keep them
            judged = yield from _more_useful(judged, data, limits)
    except InputError:
        return None
    found = judged.outcome.scenario.with_changes(average=scenario.average)
    return Tried(found, judged, left_out)


def _kept(scenario: Scenario, data: Trajectory, limits: Limits) -> Generator[None, None, Outcome | None]:
    """The outcome at the largest epsilon, up to the scenario's, at which what is found and guessed keeps its limits."""
    epsilon = scenario.epsilon
    for _ in range(MOST_STEPS):
        judged = Judged(evaluate(scenario.with_changes(epsilon=epsilon), data), limits)
        yield None
        reach = min(judged.found_reach, judged.guesses_reach)
        if math.isnan(reach):
            return None
        if reach >= 1 - SLACK:
            return judged.outcome
        by_silence = isinstance(judged.found, FoundPlace) and judged.found.places and judged.found.nearest.by_silence
        factor = min(SILENT_FACTOR, judged.guesses_reach) if by_silence else reach
        epsilon = rounded(epsilon * factor * (1 - SLACK), up=False)
        if epsilon < EPSILON_RANGE[0]:
            return None
    return None


def _more_useful(judged: Judged, data: Trajectory, limits: Limits) -> Generator[None, None, Judged]:
    """The smallest epsilon above the present one at which a reader's error keeps its limit, and everything else too; where
    there is none, the largest one that keeps everything else."""
    low, best = judged.outcome.scenario.epsilon, judged
    for _ in range(MOST_STEPS):  # the largest that keeps what is found and guessed
        reach = min(best.found_reach, best.guesses_reach, EPSILON_RANGE[1] / best.outcome.scenario.epsilon)
        high = rounded(best.outcome.scenario.epsilon * reach, up=False)
        if high <= best.outcome.scenario.epsilon:
            break
        further = Judged(evaluate(best.outcome.scenario.with_changes(epsilon=high), data), limits)
        yield None
        if further.missed[0] or further.missed[2]:
            break
        best = further
    best = yield from _read(best.outcome, limits)
    if best.missed[1]:
        return best
    for _ in range(MOST_READ):
        high = best.outcome.scenario.epsilon
        middle = rounded(math.sqrt(low * high), up=True)
        if not low < middle < high:
            break
        tried = yield from _read(evaluate(best.outcome.scenario.with_changes(epsilon=middle), data), limits)
        if any(tried.missed):
            low = middle
        else:
            best = tried
    return best


def _read(outcome: Outcome, limits: Limits) -> Generator[None, None, Judged]:
    """An outcome with what it is worth to a reader, judged."""
    worth: ReaderWorth | None = known_useful(outcome)
    if worth is None:
        for k, found in enumerate(useful_steps(outcome), start=1):
            if found is not None:
                remember(outcome, found)
                worth = found
            if k % AT_A_TIME == 0:
                yield None
    yield None
    assert worth is not None
    return Judged(with_worth(outcome, worth), limits)


def _promises(tried: Tried, now: Judged) -> bool:
    """Whether another scheme promises as much about the landmarks and any one other moment; leaving out is told instead."""
    same = tried.left_out or tried.scenario.scheme == now.outcome.scenario.scheme or not now.outcome.protected
    return bool(same) or tried.judged.promised.together_loss <= now.promised.together_loss * (1 + SLACK)


def _ranked(tried: Sequence[Tried], own: Tried | None, now: Judged) -> tuple[Tried, ...]:
    """At most two proposals, one of which leaves places out: the one with the smallest reader's error, the present scheme
    unless another is noticeably better. Where none meets the limits, the one that misses them least, if noticeably less
    than now."""
    meeting = [one for one in tried if one.meets]
    if not meeting:
        nearest = max(tried, key=lambda one: one.judged.shortfall, default=None)
        better = nearest is not None and now.shortfall <= NOTICED * nearest.judged.shortfall
        return (nearest,) if better and nearest is not None else ()
    staying = _best([one for one in meeting if not one.left_out], own)
    leaving = _best([one for one in meeting if one.left_out], None)
    found = [one for one in (staying, leaving) if one is not None]
    if len(found) == 2 and found[1].reader < NOTICED * found[0].reader:
        found.reverse()
    return tuple(found)


def _best(among: Sequence[Tried], own: Tried | None) -> Tried | None:
    best = min(among, key=lambda one: one.reader, default=None)
    if own is not None and own in among and best is not None and best.reader > NOTICED * own.reader:
        return own
    return best


def rounded(epsilon: float, *, up: bool) -> float:
    """An epsilon with three digits, never above it, or with `up` never below it.

    Examples
    --------
    >>> rounded(0.46403, up=False), rounded(0.46403, up=True), rounded(12345.0, up=False), rounded(0.5, up=False)
    (0.464, 0.465, 12300.0, 0.5)
    """
    if not epsilon > 0 or math.isinf(epsilon):
        return 0.0 if not epsilon > 0 else EPSILON_RANGE[1]
    step = 10.0 ** (math.floor(math.log10(epsilon)) - 2)
    whole = math.ceil(epsilon / step - SLACK) if up else math.floor(epsilon / step + SLACK)
    return float(f"{whole * step:.3g}")
