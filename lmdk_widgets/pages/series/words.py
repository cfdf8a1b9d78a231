"""The lab's outcome in plain sentences: what is hidden from whom, what it costs, and where the guarantee ends."""

from __future__ import annotations

import math

from lmdk_widgets.page.amounts import amount, change, count
from lmdk_widgets.page.answers import NO_PROMISE, Answer, guesses, promised, up_to
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.pages.series.chains import (
    deciding,
    itself_warning,
    past_states,
    rests_on_itself,
    start_of,
)
from lmdk_widgets.pages.series.mechanisms import short, title
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.own import file_notices
from lmdk_widgets.pages.series.series import spell
from lmdk_widgets.pages.series.timeline import ROUNDING

SLOW_SHARE = 0.995
"""From this share of T / epsilon on, the quilt is said to gain nothing over hiding the whole series."""

UNCOVERED = "The model, made from this series, is not covered."
"""Where the chain is estimated from the series that is released."""

LEAST_OFF = 0.95
"""Timestamps below which a bar is said to be off by less than one."""


def describe(outcome: SeriesOutcome) -> Notes:
    """What the settings mean, in sentences."""
    groups = (odds_sentence(outcome), _costing(outcome), _looking(outcome))
    return Notes("\n\n".join(groups), _assumption(outcome), tuple(_warnings(outcome)))


def first_answers(outcome: SeriesOutcome) -> tuple[Answer, Answer, Answer]:
    """How far off a released bar is, what is hidden with the chosen moment, and what is promised of any one."""
    return _useful(outcome), _hidden_answer(outcome), _promised(outcome)


def _useful(outcome: SeriesOutcome) -> Answer:
    if math.isnan(outcome.moved):
        return Answer("Useful", "nothing", "The chosen mechanism does not apply here.", "red", "is released")
    off, bar, minutes = outcome.moved, outcome.longest, outcome.series.minutes
    if minutes is None:
        value = _timestamps(off)
        ends = [f"{end:,.0f}".replace("-", "\N{MINUS SIGN}") for end in (bar, bar - off, bar + off)]
    else:
        value, ends = spell(off * minutes), [spell(end * minutes) for end in (bar, bar - off, bar + off)]
    line = "Each bar is off by this on average"
    if len(set(ends)) == len(ends):
        line += f": one of {ends[0]} may show {ends[1]} or {ends[2]}"
    return Answer("Useful", value, f"{line}.", short="off, for each bar")


def _hidden_answer(outcome: SeriesOutcome) -> Answer:
    """How much of the series is hidden together with the chosen moment."""
    first, last = outcome.nearby
    mechanism, minutes = outcome.choices.mechanism, outcome.series.minutes
    where = outcome.series.clock(outcome.node) or outcome.when(outcome.node)
    near = {"group": len(outcome), "entry": 1}.get(mechanism, last - first + 1)
    if math.isnan(outcome.moved):
        return Answer("Hidden", "all", "of the series, as nothing is released.", "grey", "nothing is released")
    if near == 1:
        line = f"at {where}, as if it stood alone."
    elif near == len(outcome):
        line = "in all: the whole series hides together."
    else:
        by = "" if mechanism == "exact" else ", by the exact method"
        line = f"around {where}{by}: they would give each other away, so noise hides them as one."
    value = f"{near:,} timestamp{'s' * (near != 1)}" if minutes is None else spell(near * minutes)
    return Answer("Hidden", value, line, short="hidden together")


def _promised(outcome: SeriesOutcome) -> Answer:
    """The promise about two equally likely states, to whom it is made, and what their belief alone is worth."""
    method = outcome.method(outcome.choices.mechanism)
    if method.noise is None:
        return Answer("Promised", NO_PROMISE, "Nothing is released.", "grey", "nothing is released")
    value, look = promised(guesses(outcome.choices.epsilon))
    if not method.protects or value == NO_PROMISE:
        return Answer("Promised", NO_PROMISE, "The release may reveal any one moment.", "red", "about any one moment")
    line = (
        f"guesses, at most, are right between two equally likely {outcome.series.nouns} at one moment, for "
        f"{_whom(outcome)}; 50 is chance. By the model alone, {up_to(outcome.belief.right_alone)} are."
    )
    if rests_on_itself(outcome) and method.name != "group":
        line += f" {UNCOVERED}"
    return Answer("Promised", value, line, look, short="right at most if equally likely; 50 is chance")


def _whom(outcome: SeriesOutcome) -> str:
    """To whom a promise is made."""
    if outcome.choices.mechanism == "group":
        return "anyone, whichever model they believe"
    if len(outcome.belief.chains) == 1:
        return "whoever believes the model of what follows what"
    return "whoever believes one of the models of what follows what"


def odds_sentence(outcome: SeriesOutcome) -> str:
    """By what factor the shown histogram changes the odds of any one timestamp, and for whom."""
    choices, method = outcome.choices, outcome.method(outcome.choices.mechanism)
    if method.noise is None:
        return "No histogram is released: the chosen mechanism does not apply here."
    if not method.protects:
        return "Nothing is promised about what the released histogram reveals about any one timestamp."
    models = "the model" if len(outcome.belief.chains) == 1 else "one of the models"
    believe = "" if method.name == "group" else f" and believes {models}"
    who = f"anyone who sees the released histogram{believe}"
    odds = f"the odds of any two values of {outcome.series.noun} at any one timestamp"
    many = f"With ε = {amount(choices.epsilon)} and {len(outcome):,} timestamps,"
    return f"{many} {change(who, odds, choices.epsilon)}."


def _timestamps(number: float) -> str:
    """By how many timestamps a bar is off, as people say it.

    Examples
    --------
    >>> _timestamps(31.46), _timestamps(1.2), _timestamps(0.02)
    ('31 timestamps', '1.2 timestamps', 'less than one timestamp')
    """
    if number < LEAST_OFF:
        return "less than one timestamp"
    return f"{number:,.0f} timestamps" if number >= 9.95 else f"{number:.1f} timestamps"


def _costing(outcome: SeriesOutcome) -> str:
    exact, group = outcome.method("exact"), outcome.method("group")
    assert exact.scale is not None and group.scale is not None
    saved = group.scale / exact.scale
    times = f"{saved:.0f} times" if saved >= 9.5 else f"{saved:.1f} times"
    less = f"{times} less than hiding the whole series at once ({short(group.scale)})"
    if exact.scale >= SLOW_SHARE * group.scale:
        less = "as much as hiding the whole series at once (T / ε)"
    whose = f" Of the chains, {deciding(outcome)}." if len(outcome.series.theta) > 1 else ""
    return f"Exact Markov quilts take noise of σ = {short(exact.scale)}, {less}.{whose}"


def _looking(outcome: SeriesOutcome) -> str:
    here, (left, right) = outcome.when(outcome.node), outcome.quilt
    first, last = outcome.nearby
    near = last - first + 1
    score = short(float(outcome.nodes.scale[outcome.node]))
    if (left, right) == (None, None):
        return f"For {here}, no quilt helps: {_hidden(near)}, and it needs σ = {score}."
    ends = [f"{end + 1:,}" for end in (left, right) if end is not None]
    quilt = f"timestamps {ends[0]} and {ends[1]}" if len(ends) == 2 else f"timestamp {ends[0]} alone"
    return (
        f"For {here}, the quilt is {quilt}: noise covers the nearby set of {count(near, 'timestamp')}, with the secret. "
        f"{_left(outcome, near)} σ = {score}."
    )


def _hidden(near: int) -> str:
    """This many timestamps, hidden with one another."""
    many = "both" if near == 2 else f"all {near:,}"
    return "the only timestamp is hidden" if near == 1 else f"{many} timestamps are hidden together"


def _left(outcome: SeriesOutcome, near: int) -> str:
    """How the influence of a quilt and the size of its nearby set make its noise."""
    nothing = outcome.influence < ROUNDING
    whole, part, left = _adding_up(outcome, near, 0.0 if nothing else outcome.influence)
    if nothing:
        return (
            f"What lies beyond tells nothing about it (below rounding), so all of ε = {whole} is left for the "
            f"noise: {near:,} / {whole} gives"
        )
    return (
        f"The influence of what lies beyond is {part}, so {whole} − {part} = {left} of ε is left for the noise: "
        f"{near:,} / {left} gives"
    )


def _adding_up(outcome: SeriesOutcome, near: int, beyond: float) -> tuple[str, str, str]:
    """Epsilon, the influence and their difference, with enough decimals for a reader to compute the noise shown."""
    epsilon, score = outcome.choices.epsilon, float(outcome.nodes.scale[outcome.node])
    for decimals in range(2, 13):
        whole, part = f"{epsilon:.{decimals}f}", f"{beyond:.{decimals}f}"
        left = f"{float(whole) - float(part):.{decimals}f}"
        if float(left) > 0 and short(near / float(left)) == short(score):
            break
    return whole, part, left


def _assumption(outcome: SeriesOutcome) -> str:
    return (
        f"What is protected: {outcome.series.noun} at every single timestamp, against adversaries who believe that it "
        f"comes from the model, {start_of(outcome.belief)}, and who see only the release. Nothing is promised against other "
        f"beliefs. The past side of a quilt is counted {past_states(outcome)}. This page is a simulation with a known seed, "
        "not a private release."
    )


def _warnings(outcome: SeriesOutcome) -> list[str]:
    c, belief, found = outcome.choices, outcome.belief, []
    group = len(outcome) / c.epsilon
    if belief.possible < 2:
        found.append("For this adversary only one state can occur at each timestamp: there is no secret to hide.")
    elif outcome.scale.scale >= SLOW_SHARE * group:
        why = "some states always reveal where the series was"
        if belief.mixes:
            why = "what one timestamp tells about another fades too slowly for this ε and this length"
        found.append(f"The chain does not mix fast enough: {why}, so σ = T / ε, the same as group privacy.")
    found += itself_warning(outcome)
    if c.smoothing == 0 and outcome.series.known is None and any((x.transition == 0).any() for x in belief.chains):
        found.append(
            "Without smoothing, a move that was never seen counts as impossible: seeing it would reveal everything."
        )
    if belief.possible >= 2 and not belief.mixes and c.mechanism == "approximate":
        found.append(
            f"{title('approximate')} (MQMApprox), has no bound here: a state dies out, or the chain does not mix. It falls "
            "back to T / ε."
        )
    chosen = outcome.method(c.mechanism)
    if chosen.scale is None:
        found.append(f"{title(c.mechanism)} releases nothing here: neighbours tell too much (Compare has the reason).")
    elif not chosen.protects:
        found.append(f"{title(c.mechanism)} does not protect here. {chosen.note}")
    unit = 1 if c.query == "shares" else len(outcome)
    if chosen.scale is not None and chosen.error > unit:
        found.append(
            f"The noise drowns the histogram: {short(chosen.error)} in all, where the bars sum to {unit:,}. A longer "
            "series, fewer states or a larger ε help."
        )
    if outcome.own is not None and c.source == "own":
        found.extend(file_notices(outcome.own, c.every, len(outcome)))
    return found
