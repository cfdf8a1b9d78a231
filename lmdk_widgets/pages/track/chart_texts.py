"""The texts beside views: the timeline, the chain and the moves of landmarks."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.by_distance import HIDES_NOTHING
from lmdk_widgets.answers.odds import as_if, what_if
from lmdk_widgets.answers.pairs import lone
from lmdk_widgets.answers.region_words import level_error
from lmdk_widgets.page.amounts import MILLION, amount, bound, count
from lmdk_widgets.page.sentences import Written, capital, join, sentence
from lmdk_widgets.pages.track.timeline import pair_name
from lmdk_widgets.scenario.outcome import Outcome


def summarise(outcome: Outcome) -> str:
    """What the panels of the timeline show, as text: the range of budgets, sums, losses and errors."""
    return " ".join(filter(None, summaries(outcome)))


def summaries(outcome: Outcome) -> tuple[str, str, str, str]:
    """The same, a text for each panel: budgets, losses, errors, and the sampling rate, "" where there is none."""
    low, high = float(outcome.budgets.min()), float(outcome.budgets.max())
    each = sentence("{lowest} to {highest}", lowest=amount(low), highest=amount(high))
    if low == high:
        each = sentence("{each_budget}", each_budget=amount(high))
    forever = sentence("never more than {supremum}", supremum=bound(outcome.supremum))
    if math.isinf(outcome.supremum):
        forever = sentence("grows without bound on a longer {data}", data=outcome.kind.data)
    losses = sentence(
        "{who} backward up to {most_backward}, forward up to {most_forward}, total {least_total} to {most_lost}, {forever}"
        "{by_pairs}.",
        who=_who(outcome),
        most_backward=bound(float(outcome.backward.max())),
        most_forward=bound(float(outcome.forward.max())),
        least_total=bound(float(outcome.total.min())),
        most_lost=bound(float(outcome.total.max())),
        forever=forever,
        by_pairs=_by_pairs(outcome),
    )
    spent = sentence("Budgets: {each} per timestamp; {summed}.", each=each, summed=_summed(outcome))
    return spent, losses, _errors(outcome), _sampled(outcome)


def _by_pairs(outcome: Outcome) -> str:
    """The largest loss pair by pair, where it is drawn."""
    if outcome.pair_total is None:
        return ""
    most = float(outcome.pair_total.max())
    name = pair_name(outcome.found("pairs"), outcome)
    up_to: str = sentence("up to {most_by_pairs}", most_by_pairs=bound(most)) if most <= MILLION else HIDES_NOTHING
    return sentence("; {name}: {up_to}", name=name, up_to=up_to)


def _who(outcome: Outcome) -> str:
    """Whose loss it is: what if a chain is assumed, and between what its loss is."""
    if lone(outcome) or outcome.scenario.correlation == "none":
        return "Loss if moments are independent:"
    between = join((f"Loss between {outcome.kind.two_cells}", as_if(outcome)))
    return sentence("{what_if} {between}:", what_if=what_if(outcome), between=between)


def expected_errors(outcome: Outcome) -> list[str]:
    """The errors that are expected at event level and at user level, between which every other scheme lies."""
    asked = outcome.scenario, outcome.trajectory
    return [level_error(*asked, each, outcome.ground.write) for each in (outcome.event_error_m, outcome.user_error_m)]


def _errors(outcome: Outcome) -> str:
    write, (event, user) = outcome.ground.write, expected_errors(outcome)
    expected = sentence(
        "expected {event_error} at event level and {user_error} at user level.", event_error=event, user_error=user
    )
    mean = write(outcome.mean_error_m)
    if outcome.kind.counts_wrong:
        return sentence("Error: {mean_error} wrong; {expected}", mean_error=mean, expected=expected)
    return sentence(
        "Error: mean {mean_error}, at least half within {median_error}; {expected}",
        mean_error=mean,
        median_error=write(outcome.median_error_m),
        expected=expected,
    )


def _sampled(outcome: Outcome) -> str:
    """How often Adaptive samples, and the differences above which it samples more."""
    if outcome.rate is None:
        return ""
    text = sentence(
        "Sampling rate: {low_rate} to {high_rate}",
        low_rate=amount(float(outcome.rate.min())),
        high_rate=amount(float(outcome.rate.max())),
    )
    if outcome.threshold_m is None:
        return sentence("{text}; it falls while answers agree and rises where two differ.", text=text)
    compared, write = outcome.threshold_m[np.isfinite(outcome.threshold_m)], outcome.ground.write
    if not len(compared):
        return sentence("{text}; no two releases were compared.", text=text)
    return sentence(
        "{text}; threshold {low_threshold} to {high_threshold}.",
        text=text,
        low_threshold=write(float(compared.min())),
        high_threshold=write(float(compared.max())),
    )


def _summed(outcome: Outcome) -> str:
    """The largest of the sums that the scheme limits, and what to compare it with."""
    scenario, epsilon = outcome.scenario, amount(outcome.scenario.epsilon)
    if scenario.spread.windowed:
        every: str = "every timestamp"
        if scenario.window > 1:
            every = sentence("any {window} in a row", window=count(scenario.window, "timestamp"))
        return sentence(
            "in a window at most {most_in_window}, {every} having {epsilon}",
            most_in_window=bound(float(outcome.window_totals.max())),
            every=every,
            epsilon=epsilon,
        )
    whole = sentence("the budget being {epsilon}", epsilon=epsilon)
    if scenario.spread.plans:
        whole = sentence("for a total loss of {target}", target=amount(scenario.target))
    most = bound(float(outcome.totals.max()))
    return sentence("with the landmarks at most {most_with_landmarks}, {whole}", most_with_landmarks=most, whole=whole)


def describe_chain(outcome: Outcome) -> str:
    """The Markov chain behind the losses, in a sentence or two."""
    chain = outcome.correlation
    if chain.matrix is None or chain.stationary is None:
        return f"No correlation: {outcome.kind.a_value} says nothing about the next one."
    stay, share = np.diag(chain.matrix), chain.stationary
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = sentence("it stays with probability {low_stay} to {high_stay}", low_stay=low, high_stay=high)
    if low == high:
        stays = sentence("it stays where it is with probability {stay}", stay=high)
    bounded = chain.bounded_epsilon()
    loss: str = "stays bounded for every epsilon"
    if bounded == 0:
        loss = sentence("grows without bound for every epsilon")
    elif math.isfinite(bounded):
        less = bound(bounded, up=False)
        loss = sentence("stays bounded while each timestamp spends less than {bounded_budget}", bounded_budget=less)
    return sentence(
        "{states}; {stays}; in the long run it spends {longest_share} of the time in the most frequent. The loss {loss}.",
        states=capital(count(len(stay), "state")),
        stays=stays,
        longest_share=Written(f"{100 * share.max():.3g} %", float(share.max())),
        loss=loss,
    )
