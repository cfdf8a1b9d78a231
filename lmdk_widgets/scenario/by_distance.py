"""The loss pair by pair in words: by the distance between two places, or for any two values."""

from __future__ import annotations

import math

from lmdk_widgets.checks import joined
from lmdk_widgets.page.amounts import MILLION, bound, bound_metres, count, factor, metres
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.pairs import Pairs, has_pairs, pairs_of, states_of, too_long_for_many

HIDES_NOTHING = "nothing is hidden from someone who knows these habits"

FAR_M = 1000.0
"""A distance that is easy to picture."""

SLACK = 1e-6
"""Losses that differ by no more than this share count as alike."""

PENDING = "What the chain adds to that, by the distance between two places, is being computed."


def distance_sentences(outcome: Outcome) -> list[str]:
    """The odds of two places in one cell, one radius apart across a border, one kilometre apart, and of any two."""
    pairs = pairs_of(outcome)
    if pairs is None:
        return [PENDING] if has_pairs(outcome) and outcome.kind.placed else []
    if not pairs.by_distance or len(pairs.states) == 1:
        return []
    said = _by_one_number(pairs) if pairs.one_number else _by_distance(pairs, outcome)
    return [said, *_in_a_row(pairs, outcome), *_ways(outcome)]


def _by_distance(pairs: Pairs, outcome: Outcome) -> str:
    states, radius = pairs.states, metres(pairs.states.radius)
    told: list[tuple[float, str]] = []
    if states.exact:
        told.append((float(pairs.near.max()), f"two neighbouring reported cells of {metres(states.side)}"))
    else:
        told.append((pairs.inside, f"two places {radius} apart in one cell"))
        if pairs.touching:
            told.append((float(pairs.near.max()), f"two {radius} apart across a border"))
        if states.radius < FAR_M and not math.isnan(far := pairs.most_at(FAR_M)):
            told.append((far, f"two {metres(FAR_M)} apart"))
    told.append((float(pairs.total.max()), "any two in these cells"))
    some = [f"{factor(loss)} for {what}" for loss, what in told if loss <= MILLION]
    rest = [f"of {what}" for loss, what in told if loss > MILLION]
    text = f"By distance, {_places(pairs, outcome)}{_largest(pairs, outcome)},"
    if some:
        text += f" the odds change by a factor of at most {joined(some, 'and')}"
    if rest:
        text += f"{'; ' if some else ' '}{joined(rest, 'and')}, {HIDES_NOTHING}"
    return f"{text}."


def _by_one_number(pairs: Pairs) -> str:
    """Where nobody knows which place is which state, or there are too many: one number, as if all were far apart."""
    most = pairs.states.anywhere().max() * pairs.states.radius
    loss = float(pairs.near.max())
    counted = f"By one number for all pairs, as if any two places were {bound_metres(float(most))} apart"
    apart = f"two places {metres(pairs.states.radius)} apart"
    if loss > MILLION:
        return f"{counted}, of {apart}, {HIDES_NOTHING}."
    return f"{counted}, the odds change by a factor of at most {factor(loss)} for {apart}."


def _places(pairs: Pairs, outcome: Outcome) -> str:
    """Which places the states are taken to be."""
    m, side = len(pairs.states), metres(pairs.states.side)
    if outcome.scenario.correlation == "estimated":
        return f"between the {count(m, 'cell')} of the chain"
    return f"the chain's places being the {count(m, 'cell')} of {side} where you are most often"


def _largest(pairs: Pairs, outcome: Outcome) -> str:
    if not pairs.largest:
        return ""
    if outcome.scenario.spread.online:
        return f", at the largest budget that {outcome.scenario.spread.title} can choose"
    return ", as if every timestamp spent the largest budget"


def _row_loss(pairs: Pairs, outcome: Outcome) -> float | None:
    """What the timestamps in a row that share a budget reveal together; None where none share one."""
    scenario = outcome.scenario
    if not scenario.spread.windowed or scenario.window == 1 or float(outcome.budgets.sum()) <= scenario.epsilon:
        return None
    return pairs.in_a_row(scenario.window, scenario.epsilon)


def _in_a_row(pairs: Pairs, outcome: Outcome) -> list[str]:
    """For two paths that are one radius apart, or in neighbouring cells, over the timestamps that share a budget."""
    loss = _row_loss(pairs, outcome)
    if loss is None:
        return []
    ways = f"two paths that are {metres(pairs.states.step)} apart at each of them"
    if pairs.states.exact:
        ways = f"two paths that are in neighbouring reported cells of {metres(pairs.states.side)} at each of them"
    told = f" are told apart by a factor of at most {factor(loss)}" if loss <= MILLION else f": {HIDES_NOTHING}"
    return [f"Over any {count(outcome.scenario.window, 'timestamp')} in a row, {ways}{told}."]


def _ways(outcome: Outcome) -> list[str]:
    """For two whole paths, whatever the chain: the sum of the distances along both, each counted by its budget."""
    scenario, pairs = outcome.scenario, pairs_of(outcome)
    if pairs is None or scenario.spread.online:
        return []
    states, spent = pairs.states, float(outcome.budgets.sum())
    near, far = (spent * each * states.per_length for each in (states.step, FAR_M))
    if near > MILLION:
        return []
    cells = states.exact and not states.blind
    ways = f"in neighbouring reported cells of {metres(states.side)}" if cells else f"{metres(states.step)} apart"
    more = ""
    if not cells and states.step < FAR_M and far <= MILLION:
        more = f", at {metres(FAR_M)} by {factor(far)}"
    text = f"Whatever the chain, two whole paths that are always {ways} are told apart by a factor of at most {factor(near)}"
    return [f"{text}{more}."]


def _series(outcome: Outcome) -> str:
    """Of any two whole series, whatever the chain; "" where that is too much to mean anything."""
    spent = float(outcome.budgets.sum())
    if outcome.scenario.spread.online or outcome.kind.placed or not spent <= MILLION:
        return ""
    return f"; any two whole series are told apart by at most {bound(spent)}, whatever the chain"


def apart(outcome: Outcome) -> bool:
    """Whether places of the chain lie farther apart than the number of Cao et al. at the radius assumes."""
    pairs = pairs_of(outcome) if has_pairs(outcome) and outcome.kind.placed else None
    return (
        pairs is not None and pairs.by_distance and float(pairs.near.max()) > float(outcome.total.max()) * (1 + SLACK)
    )


def pair_by_pair(outcome: Outcome) -> list[str]:
    """For a series, or for cells that are all told apart alike: the loss pair by pair, to go with the one number for
    all."""
    pairs = pairs_of(outcome) if has_pairs(outcome) else None
    if pairs is None or pairs.by_distance or pairs.one_number or len(pairs.states) == 1:
        return []
    text = f"Pair by pair over its {outcome.kind.cell}s{_largest(pairs, outcome)}, a timestamp reveals at most "
    text += bound(float(pairs.total.max()))
    if (loss := _row_loss(pairs, outcome)) is not None:
        text += f", any {count(outcome.scenario.window, 'timestamp')} in a row at most {bound(loss)} together"
    return [f"{text}{_series(outcome)}."]


def of_many_settings(outcome: Outcome) -> str:
    """Between which two the largest loss is, in a table or a curve of settings like this one; "" where Cao's is the
    same."""
    if not has_pairs(outcome) or len(states_of(outcome)) == 1:
        return ""
    kind, states, by_place = outcome.kind, states_of(outcome), outcome.scenario.mechanism != "randomised"
    one_number = too_long_for_many(outcome) or (kind.placed and states.blind and by_place)
    which = f"of any two {kind.cell}s"
    if kind.placed and by_place:
        which = "of two places one radius apart"
        if outcome.reports is not None and not one_number:
            which = "of two neighbouring reported cells"
    text = f"The largest loss is that {which}, pair by pair"
    if one_number:
        text = f"The largest loss is that {which} by one number for all pairs"
        if kind.placed:
            far = float(states.anywhere().max()) * states.radius
            text += f", as if any two places were {bound_metres(far)} apart"
        if too_long_for_many(outcome):
            text += "; pair by pair would take too long for each setting"
    if kind.placed and by_place:
        text += ". What landmarks lose together is counted as if all places were within the radius"
    return f"{text}."


def taken_for(outcome: Outcome) -> str:
    """What the loss pair by pair assumes about where states lie; "" where there is none."""
    pairs = pairs_of(outcome) if has_pairs(outcome) else None
    if pairs is None or pairs.states.blind:
        return ""
    cell, values = outcome.kind.cell, outcome.kind.values
    text = f"Pair by pair, {values} are assumed to be spread alike in every {cell}"
    if not outcome.kind.placed and outcome.scenario.correlation != "estimated":
        text += f", of which {count(len(pairs.states), outcome.kind.cell)} lie evenly between the bounds"
    return f"{text}; several landmarks together are not counted this way."
