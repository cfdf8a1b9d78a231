"""What if someone assumes a chain: its loss in words, between places in two cells by their distance, or any two values.

Every sentence names two cells and says that the place within a cell is drawn anew at every timestamp: a chain says nothing
about two places in one cell.
"""

from __future__ import annotations

import math

from lmdk_widgets.answers.odds import at_the_largest, chain_losses, what_if
from lmdk_widgets.answers.pairs import Pairs, has_pairs, pairs_of, states_of, too_long_for_many
from lmdk_widgets.checks import joined
from lmdk_widgets.page.amounts import MILLION, bound_metres, count, factor, metres
from lmdk_widgets.scenario.outcome import Outcome

HIDES_NOTHING = "nothing is hidden from someone who knows these habits"

FAR_M = 1000.0
"""A distance that is easy to picture."""

SLACK = 1e-6
"""Losses that differ by no more than this share count as alike."""


def what_if_sentences(outcome: Outcome) -> list[str]:
    """By what factor the odds of one moment change for someone who assumes the chain, of timestamps in a row, and of whole
    paths."""
    kind, pairs = outcome.kind, pairs_of(outcome)
    asked = what_if(outcome)
    if kind.counts_wrong:
        largest = at_the_largest(outcome)
        return [
            f"{asked} {_then([(float(chain_losses(outcome).max()), '', '')], outcome, largest and f', {largest},')}"
        ]
    if not has_pairs(outcome):
        return [f"{asked} It has only one {kind.cell}, so it says nothing about {kind.two_cells}."]
    if pairs is None:
        return [f"{asked} By what factor the odds between {kind.in_two_cells} then change is being computed."]
    return [
        f"{asked} {_then(_told(pairs), outcome, _how(pairs, outcome))}",
        *_in_a_row(pairs, outcome),
        *_ways(pairs, outcome),
    ]


def _told(pairs: Pairs) -> list[tuple[float, str, str]]:
    """The largest losses, and between what each is, said with its factor and without; "" where distance plays no part."""
    if not pairs.by_distance:
        return [(float(pairs.total.max()), "", "")]
    states, near = pairs.states, near_by(pairs)
    told = [(float(pairs.near.max()), near, near)]
    if pairs.one_number:
        return told
    if not states.exact and states.near < FAR_M and not math.isnan(far := pairs.most_at(FAR_M)):
        told.append((far, f"those {metres(FAR_M)} apart", f"those {metres(FAR_M)} apart"))
    return [*told, (float(pairs.total.max()), "any two", "some others")]


def near_by(pairs: Pairs) -> str:
    """Between what `Pairs.near` is: places one radius apart, or as near to that as two cells have places."""
    states = pairs.states
    if states.exact and states.near == states.step:
        return f"neighbouring cells of {metres(states.side)}"
    nearest = "" if states.near == states.step else f" (none are nearer to {metres(states.step)})"
    return f"places {metres(states.near)} apart{nearest}"


def _then(told: list[tuple[float, str, str]], outcome: Outcome, how: str) -> str:
    """The answer to "what if": the factors, in words above a million."""
    two = outcome.kind.in_two_cells
    some = [f"{factor(loss)}{which and f' for {which}'}" for loss, which, _ in told if loss <= MILLION]
    rest = [f"between {which}" for loss, _, which in told if loss > MILLION]
    if not some:
        even = told[0][1] and f", even {told[0][1]}"
        return f"Then{how} {HIDES_NOTHING}, between {two}{even}."
    text = f"Then{how} the odds between {two} change by a factor of at most {joined(some, 'and')}"
    return f"{text}; {joined(rest, 'and')}, {HIDES_NOTHING}." if rest else f"{text}."


def _how(pairs: Pairs, outcome: Outcome) -> str:
    """How it is counted: which places the states are taken to be, or one number as if all were far apart."""
    m, states, kind = len(pairs.states), pairs.states, outcome.kind
    if pairs.one_number:
        counted = f"by one number for all {kind.cell}s"
        if pairs.by_distance:
            far = bound_metres(float(states.anywhere().max()) * states.radius)
            counted += f", as if any two places were {far} apart"
    elif not pairs.by_distance:
        counted = ""
    elif outcome.scenario.correlation == "estimated":
        counted = f"for the {count(m, 'cell')} of the chain"
    else:
        counted = f"taking the {count(m, 'cell')} of {metres(states.side)} where you are most often for its places"
    said = ", ".join(filter(None, (counted, _largest(pairs, outcome))))
    return said and f", {said},"


def _largest(pairs: Pairs, outcome: Outcome) -> str:
    if not pairs.largest:
        return ""
    if outcome.scenario.spread.online:
        return at_the_largest(outcome)
    return "as if every timestamp spent the largest budget"


def _row_loss(pairs: Pairs, outcome: Outcome) -> float | None:
    """What the timestamps in a row that share a budget reveal together; None where none share one."""
    scenario = outcome.scenario
    if not scenario.spread.windowed or scenario.window == 1 or float(outcome.budgets.sum()) <= scenario.epsilon:
        return None
    return pairs.in_a_row(scenario.window, scenario.epsilon)


def _in_a_row(pairs: Pairs, outcome: Outcome) -> list[str]:
    """Of two paths, or two series, that are in two cells at each of the timestamps that share a budget."""
    loss, kind = _row_loss(pairs, outcome), outcome.kind
    if loss is None:
        return []
    paths = f"two {'paths' if kind.placed else 'series'} in {kind.two_cells}"
    if pairs.by_distance:
        paths += f", {near_by(pairs).removeprefix('places ')}"
    row = count(outcome.scenario.window, "timestamp")
    text = f"To the same attacker, over any {row} in a row, {paths} at each of them, {kind.drawn_anew}"
    return [
        f"{text}{f', are told apart by a factor of at most {factor(loss)}' if loss <= MILLION else f': {HIDES_NOTHING}'}."
    ]


def _ways(pairs: Pairs, outcome: Outcome) -> list[str]:
    """For two whole paths, whatever the chain: the sum of the distances along both, each counted by its budget."""
    scenario = outcome.scenario
    if scenario.spread.online:
        return []
    states, spent = pairs.states, float(outcome.budgets.sum())
    if not outcome.kind.placed:
        if spent > MILLION:
            return []
        return [f"Whatever the chain, any two whole series are told apart by a factor of at most {factor(spent)}."]
    near, far = (spent * each * states.per_length for each in (states.step, FAR_M))
    if near > MILLION or not pairs.by_distance:
        return []
    cells = states.exact and not states.blind
    ways = f"in neighbouring reported cells of {metres(states.side)}" if cells else f"{metres(states.step)} apart"
    more = ""
    if not cells and states.step < FAR_M and far <= MILLION:
        more = f", at {metres(FAR_M)} by {factor(far)}"
    text = f"Whatever the chain, two whole paths that are always {ways} are told apart by a factor of at most {factor(near)}"
    return [f"{text}{more}."]


def apart(outcome: Outcome) -> bool:
    """Whether places of the chain lie farther apart than the number of Cao et al. at the radius assumes."""
    pairs = pairs_of(outcome) if has_pairs(outcome) and outcome.kind.placed else None
    return (
        pairs is not None and pairs.by_distance and float(pairs.near.max()) > float(outcome.total.max()) * (1 + SLACK)
    )


def loss_name(outcome: Outcome) -> str:
    """What the largest loss is called in a table or a curve."""
    return "largest loss" if outcome.scenario.correlation == "none" else "largest what-if loss"


def of_many_settings(outcome: Outcome) -> str:
    """What the largest loss is, in a table or a curve of settings like this one; "" without a chain, and where Cao's is
    the same."""
    if not has_pairs(outcome):
        return ""
    kind, states, by_place = outcome.kind, states_of(outcome), outcome.scenario.mechanism != "randomised"
    one_number = too_long_for_many(outcome) or (kind.placed and states.blind and by_place)
    near = kind.placed and by_place
    which = kind.in_two_cells
    if near:
        cells = outcome.reports is not None and not one_number
        which = "two neighbouring cells" if cells else f"{which} one radius apart, or as near to that as there are any"
    text = f"The {loss_name(outcome)} is what a timestamp reveals to someone who assumes the chain, between {which}, "
    text += f"{kind.drawn_anew}: {'by one number for all pairs' if one_number else 'pair by pair'}"
    if one_number and kind.placed:
        text += f", as if any two places were {bound_metres(float(states.anywhere().max()) * states.radius)} apart"
    if too_long_for_many(outcome):
        text += "; pair by pair would take too long for each setting"
    if near:
        text += ". What landmarks lose together is counted as if all cells were within the radius"
    return f"{text}."


def taken_for(outcome: Outcome) -> str:
    """What the loss pair by pair assumes about where states lie; "" where there is none."""
    pairs = pairs_of(outcome) if has_pairs(outcome) else None
    if pairs is None or pairs.states.blind:
        return ""
    cell, values = outcome.kind.cell, outcome.kind.values
    text = f"Pair by pair, {values} are assumed to be drawn anew at every timestamp, alike in every {cell}"
    if not outcome.kind.placed and outcome.scenario.correlation != "estimated":
        text += f", of which {count(len(pairs.states), outcome.kind.cell)} lie evenly between the bounds"
    return f"{text}; several landmarks together are not counted this way."
