"""The texts beside views: the timeline, the chain and the moves of landmarks."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.by_distance import HIDES_NOTHING
from lmdk_widgets.answers.odds import as_if, what_if
from lmdk_widgets.answers.pairs import lone
from lmdk_widgets.answers.region_words import level_error
from lmdk_widgets.page.amounts import MILLION, amount, bound, count
from lmdk_widgets.pages.track.timeline import pair_name
from lmdk_widgets.scenario.outcome import Outcome


def summarise(outcome: Outcome) -> str:
    """What the panels of the timeline show, as text: the range of budgets, sums, losses and errors."""
    return " ".join(filter(None, summaries(outcome)))


def summaries(outcome: Outcome) -> tuple[str, str, str, str]:
    """The same, a text for each panel: budgets, losses, errors, and the sampling rate, "" where there is none."""
    low, high = float(outcome.budgets.min()), float(outcome.budgets.max())
    each = amount(high) if low == high else f"{amount(low)} to {amount(high)}"
    forever = f"never more than {bound(outcome.supremum)}"
    if math.isinf(outcome.supremum):
        forever = f"grows without bound on a longer {outcome.kind.data}"
    return (
        f"Budgets: {each} per timestamp; {_summed(outcome)}.",
        f"{_who(outcome)} backward up to {bound(float(outcome.backward.max()))}, forward up to "
        f"{bound(float(outcome.forward.max()))}, total {bound(float(outcome.total.min()))} to "
        f"{bound(float(outcome.total.max()))}, {forever}{_by_pairs(outcome)}.",
        _errors(outcome),
        _sampled(outcome),
    )


def _by_pairs(outcome: Outcome) -> str:
    """The largest loss pair by pair, where it is drawn."""
    if outcome.pair_total is None:
        return ""
    most = float(outcome.pair_total.max())
    name = pair_name(outcome.found("pairs"), outcome)
    return f"; {name}: {f'up to {bound(most)}' if most <= MILLION else HIDES_NOTHING}"


def _who(outcome: Outcome) -> str:
    """Whose loss it is: what if a chain is assumed, and between what its loss is."""
    if lone(outcome) or outcome.scenario.correlation == "none":
        return "Loss if moments are independent:"
    between = ", ".join(filter(None, (f"Loss between {outcome.kind.two_cells}", as_if(outcome))))
    return f"{what_if(outcome)} {between}:"


def expected_errors(outcome: Outcome) -> list[str]:
    """The errors that are expected at event level and at user level, between which every other scheme lies."""
    asked = outcome.scenario, outcome.trajectory
    return [level_error(*asked, each, outcome.ground.write) for each in (outcome.event_error_m, outcome.user_error_m)]


def _errors(outcome: Outcome) -> str:
    write, (event, user) = outcome.ground.write, expected_errors(outcome)
    expected = f"expected {event} at event level and {user} at user level."
    if outcome.kind.counts_wrong:
        return f"Error: {write(outcome.mean_error_m)} wrong; {expected}"
    return (
        f"Error: mean {write(outcome.mean_error_m)}, at least half within {write(outcome.median_error_m)}; {expected}"
    )


def _sampled(outcome: Outcome) -> str:
    """How often Adaptive samples, and the differences above which it samples more."""
    if outcome.rate is None:
        return ""
    text = f"Sampling rate: {amount(float(outcome.rate.min()))} to {amount(float(outcome.rate.max()))}"
    if outcome.threshold_m is None:
        return f"{text}; it falls while answers agree and rises where two differ."
    compared, write = outcome.threshold_m[np.isfinite(outcome.threshold_m)], outcome.ground.write
    if not len(compared):
        return text + "; no two releases were compared."
    return text + f"; threshold {write(float(compared.min()))} to {write(float(compared.max()))}."


def _summed(outcome: Outcome) -> str:
    """The largest of the sums that the scheme limits, and what to compare it with."""
    scenario, epsilon = outcome.scenario, amount(outcome.scenario.epsilon)
    if scenario.spread.windowed:
        every = "every timestamp" if scenario.window == 1 else f"any {count(scenario.window, 'timestamp')} in a row"
        return f"in a window at most {bound(float(outcome.window_totals.max()))}, {every} having {epsilon}"
    whole = f"for a total loss of {amount(scenario.target)}" if scenario.spread.plans else f"the budget being {epsilon}"
    return f"with the landmarks at most {bound(float(outcome.totals.max()))}, {whole}"


def describe_chain(outcome: Outcome) -> str:
    """The Markov chain behind the losses, in a sentence or two."""
    chain = outcome.correlation
    if chain.matrix is None or chain.stationary is None:
        return f"No correlation: {outcome.kind.a_value} says nothing about the next one."
    stay, share = np.diag(chain.matrix), chain.stationary
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = (
        f"it stays where it is with probability {high}" if low == high else f"it stays with probability {low} to {high}"
    )
    longest = f"it spends {100 * share.max():.3g} % of the time in the most frequent"
    bounded = chain.bounded_epsilon()
    loss = {math.inf: "stays bounded for every epsilon", 0: "grows without bound for every epsilon"}.get(bounded)
    loss = loss or f"stays bounded while each timestamp spends less than {bound(bounded, up=False)}"
    return f"{count(len(stay), 'state').capitalize()}; {stays}; in the long run {longest}. The loss {loss}."
