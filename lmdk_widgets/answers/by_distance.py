"""What if someone assumes a chain: its loss in words, between places in two cells by their distance, or any two values.

Every sentence names two cells and says that the place within a cell is drawn anew at every timestamp: a chain says nothing
about two places in one cell.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from lmdk_widgets.answers.odds import at_the_largest, chain_losses, what_if
from lmdk_widgets.answers.pairs import Pairs, has_pairs, pairs_of, states_of, too_long_for_many
from lmdk_widgets.page.amounts import MILLION, bound_metres, count, factor, metres
from lmdk_widgets.page.sentences import join, listed, sentence
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
        all_alike = [_Loss(float(chain_losses(outcome).max()), "{most_cells_factor}")]
        return [_asked_then(asked, all_alike, outcome, largest and f", {largest},")]
    if not has_pairs(outcome):
        only = f"It has only one {kind.cell}, so it says nothing about {kind.two_cells}."
        return [sentence("{asked} {only}", asked=asked, only=only)]
    if pairs is None:
        waits = f"By what factor the odds between {kind.in_two_cells} then change is being computed."
        return [sentence("{asked} {waits}", asked=asked, waits=waits)]
    return [
        _asked_then(asked, _told(pairs), outcome, _how(pairs, outcome)),
        *_in_a_row(pairs, outcome),
        *_ways(pairs, outcome),
    ]


class _Loss(NamedTuple):
    """A largest loss.

    Attributes
    ----------
    loss : its log odds. factor : the template of its factor. which : between what it is, "" where distance plays no part.
    other : the same where no factor is given.
    """

    loss: float
    factor: str
    which: str = ""
    other: str = ""

    def said(self) -> str:
        """The factor, and between what."""
        names = ("most_cells_factor", "most_near_factor", "most_far_factor", "most_any_factor")
        times = sentence(self.factor, **dict.fromkeys(names, factor(self.loss)))
        return sentence("{times} for {which}", times=times, which=self.which) if self.which else times


def _told(pairs: Pairs) -> list[_Loss]:
    """The largest losses, and between what each is."""
    if not pairs.by_distance:
        return [_Loss(float(pairs.total.max()), "{most_cells_factor}")]
    states, near = pairs.states, near_by(pairs)
    told = [_Loss(float(pairs.near.max()), "{most_near_factor}", near, near)]
    if pairs.one_number:
        return told
    if not states.exact and states.near < FAR_M and not math.isnan(far := pairs.most_at(FAR_M)):
        those = sentence("those {far_apart} apart", far_apart=metres(FAR_M))
        told.append(_Loss(far, "{most_far_factor}", those, those))
    return [*told, _Loss(float(pairs.total.max()), "{most_any_factor}", "any two", "some others")]


def near_by(pairs: Pairs, places: str = "places ") -> str:
    """Between what `Pairs.near` is: places one radius apart, or as near to that as two cells have places."""
    states = pairs.states
    if states.exact and states.near == states.step:
        return sentence("neighbouring cells of {cell_side}", cell_side=metres(states.side))
    if states.near == states.step:
        return sentence("{places}{step_apart} apart", places=places, step_apart=metres(states.step))
    return sentence(
        "{places}{near_states} apart (none are nearer to {step_apart})",
        places=places,
        near_states=metres(states.near),
        step_apart=metres(states.step),
    )


def _asked_then(asked: str, told: list[_Loss], outcome: Outcome, how: str) -> str:
    return sentence("{asked} {then}", asked=asked, then=_then(told, outcome, how))


def _then(told: list[_Loss], outcome: Outcome, how: str) -> str:
    """The answer to "what if": the factors, in words above a million."""
    said = {"how": how, "two": outcome.kind.in_two_cells, "nothing": HIDES_NOTHING}
    some = [each.said() for each in told if each.loss <= MILLION]
    rest = [sentence("between {other}", other=each.other) for each in told if each.loss > MILLION]
    if not some:
        even: str = sentence(", even {which}", which=told[0].which) if told[0].which else ""
        return sentence("Then{how} {nothing}, between {two}{even}.", even=even, **said)
    text = sentence("Then{how} the odds between {two} change by a factor of at most {some}", some=listed(some), **said)
    if rest:
        return sentence("{text}; {rest}, {nothing}.", text=text, rest=listed(rest), nothing=HIDES_NOTHING)
    return sentence("{text}.", text=text)


def _how(pairs: Pairs, outcome: Outcome) -> str:
    """How it is counted: which places the states are taken to be, or one number as if all were far apart."""
    m, states, kind = len(pairs.states), pairs.states, outcome.kind
    if pairs.one_number:
        counted: str = f"by one number for all {kind.cell}s"
        if pairs.by_distance:
            far = bound_metres(float(states.anywhere().max()) * states.radius)
            counted = sentence(
                "{counted}, as if any two places were {most_apart} apart", counted=counted, most_apart=far
            )
    elif not pairs.by_distance:
        counted = ""
    elif outcome.scenario.correlation == "estimated":
        counted = sentence("for the {states} of the chain", states=count(m, "cell"))
    else:
        counted = sentence(
            "taking the {states} of {square_side} where you are most often for its places",
            states=count(m, "cell"),
            square_side=metres(states.side),
        )
    said = join((counted, _largest(pairs, outcome)))
    return sentence(", {said},", said=said) if said else ""


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
    text = sentence(
        "To the same attacker, over any {window} in a row, {paths} at each of them, {drawn_anew}",
        window=count(outcome.scenario.window, "timestamp"),
        paths=join((paths, near_by(pairs, "") if pairs.by_distance else "")),
        drawn_anew=kind.drawn_anew,
    )
    if loss > MILLION:
        return [sentence("{text}: {nothing}.", text=text, nothing=HIDES_NOTHING)]
    most = factor(loss)
    return [
        sentence("{text}, are told apart by a factor of at most {most_row_factor}.", text=text, most_row_factor=most)
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
        whole = "Whatever the chain, any two whole series are told apart by a factor of at most {most_series_factor}."
        return [sentence(whole, most_series_factor=factor(spent))]
    near, far = (spent * each * states.per_length for each in (states.step, FAR_M))
    if near > MILLION or not pairs.by_distance:
        return []
    if states.exact and not states.blind:
        in_cells = sentence(
            "Whatever the chain, two whole paths that are always in neighbouring reported cells of {cell_side} are told "
            "apart by a factor of at most {most_cell_paths_factor}.",
            cell_side=metres(states.side),
            most_cell_paths_factor=factor(near),
        )
        return [in_cells]
    more: str = ""
    if states.step < FAR_M and far <= MILLION:
        more = sentence(
            ", at {far_apart} by {most_far_paths_factor}", far_apart=metres(FAR_M), most_far_paths_factor=factor(far)
        )
    apart = sentence(
        "Whatever the chain, two whole paths that are always {radius} apart are told apart by a factor of at most "
        "{most_paths_factor}{more}.",
        radius=metres(states.step),
        most_paths_factor=factor(near),
        more=more,
    )
    return [apart]


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
    as_if: str = ""
    if one_number and kind.placed:
        far = bound_metres(float(states.anywhere().max()) * states.radius)
        as_if = sentence(", as if any two places were {most_apart_of_many} apart", most_apart_of_many=far)
    landmarks = ". What landmarks lose together is counted as if all cells were within the radius"
    return sentence(
        "The {loss} is what a timestamp reveals to someone who assumes the chain, between {which}, {drawn_anew}: "
        "{by}{as_if}{too_long}{landmarks}.",
        loss=loss_name(outcome),
        which=which,
        drawn_anew=kind.drawn_anew,
        by="by one number for all pairs" if one_number else "pair by pair",
        as_if=as_if,
        too_long="; pair by pair would take too long for each setting" if too_long_for_many(outcome) else "",
        landmarks=landmarks if near else "",
    )


def taken_for(outcome: Outcome) -> str:
    """What the loss pair by pair assumes about where states lie; "" where there is none."""
    pairs = pairs_of(outcome) if has_pairs(outcome) else None
    if pairs is None or pairs.states.blind:
        return ""
    cell, values = outcome.kind.cell, outcome.kind.values
    evenly: str = ""
    if not outcome.kind.placed and outcome.scenario.correlation != "estimated":
        states = count(len(pairs.states), outcome.kind.cell)
        evenly = sentence(", of which {states} lie evenly between the bounds", states=states)
    return sentence(
        "Pair by pair, {values} are assumed to be drawn anew at every timestamp, alike in every {cell}{evenly}; several "
        "landmarks together are not counted this way.",
        values=values,
        cell=cell,
        evenly=evenly,
    )
