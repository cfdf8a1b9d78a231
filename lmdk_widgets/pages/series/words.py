"""The lab's outcome in plain sentences: what is hidden from whom, what it costs, and where the guarantee ends."""

from __future__ import annotations

import math

from lmdk_widgets.page.amounts import amount, change, count, whole
from lmdk_widgets.page.answers import NO_PROMISE, Answer, guesses, promised, up_to
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.sentences import Written, sentence
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
    line: str = "Each bar is off by this on average."
    if len(set(ends)) == len(ends):
        bar_said, low, high = ends
        line = sentence(
            "Each bar is off by this on average: one of {bar} may show {bar_low} or {bar_high}.",
            bar=bar_said,
            bar_low=low,
            bar_high=high,
        )
    return Answer("Useful", value, line, short="off, for each bar")


def _hidden_answer(outcome: SeriesOutcome) -> Answer:
    """How much of the series is hidden together with the chosen moment."""
    first, last = outcome.nearby
    mechanism, minutes = outcome.choices.mechanism, outcome.series.minutes
    where = outcome.series.clock(outcome.node) or outcome.when(outcome.node)
    near = {"group": len(outcome), "entry": 1}.get(mechanism, last - first + 1)
    if math.isnan(outcome.moved):
        return Answer("Hidden", "all", "of the series, as nothing is released.", "grey", "nothing is released")
    if near == 1:
        line: str = sentence("at {where}, as if it stood alone.", where=where)
    elif near == len(outcome):
        line = "in all: the whole series hides together."
    else:
        by = "" if mechanism == "exact" else ", by the exact method"
        line = sentence(
            "around {where}{by}: they would give each other away, so noise hides them as one.", where=where, by=by
        )
    value: str = Written(f"{near:,} timestamp{'s' * (near != 1)}", near)
    if minutes is not None:
        value = spell(near * minutes)
    return Answer("Hidden", value, line, short="hidden together")


def _promised(outcome: SeriesOutcome) -> Answer:
    """The promise about two equally likely states, to whom it is made, and what their belief alone is worth."""
    method = outcome.method(outcome.choices.mechanism)
    if method.noise is None:
        return Answer("Promised", NO_PROMISE, "Nothing is released.", "grey", "nothing is released")
    value, look = promised(guesses(outcome.choices.epsilon))
    if not method.protects or value == NO_PROMISE:
        return Answer("Promised", NO_PROMISE, "The release may reveal any one moment.", "red", "about any one moment")
    uncovered = f" {UNCOVERED}" if rests_on_itself(outcome) and method.name != "group" else ""
    line = sentence(
        "guesses, at most, are right between two equally likely {nouns} at one moment, for {whom}; 50 is chance. "
        "By the model alone, {right_alone} are.{uncovered}",
        nouns=outcome.series.nouns,
        whom=_whom(outcome),
        right_alone=up_to(outcome.belief.right_alone),
        uncovered=uncovered,
    )
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
    who = sentence("anyone who sees the released histogram{believes}", believes=believe)
    odds = sentence("the odds of any two values of {noun} at any one timestamp", noun=outcome.series.noun)
    changed = change(who, odds, choices.epsilon)
    return sentence(
        "With ε = {epsilon} and {length} timestamps, {changed}.",
        epsilon=amount(choices.epsilon),
        length=whole(len(outcome)),
        changed=changed,
    )


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
    times = Written(f"{saved:.0f}" if saved >= 9.5 else f"{saved:.1f}", saved)
    less: str = sentence(
        "{saved_times} times less than hiding the whole series at once ({group_scale})",
        saved_times=times,
        group_scale=short(group.scale),
    )
    if exact.scale >= SLOW_SHARE * group.scale:
        less = "as much as hiding the whole series at once (T / ε)"
    whose = sentence(" Of the chains, {deciding}.", deciding=deciding(outcome)) if len(outcome.series.theta) > 1 else ""
    return sentence(
        "Exact Markov quilts take noise of σ = {scale}, {less}.{whose}",
        scale=short(exact.scale),
        less=less,
        whose=whose,
    )


def _looking(outcome: SeriesOutcome) -> str:
    here, (left, right) = outcome.when(outcome.node), outcome.quilt
    first, last = outcome.nearby
    near = last - first + 1
    score = short(float(outcome.nodes.scale[outcome.node]))
    if (left, right) == (None, None):
        return sentence(
            "For {here}, no quilt helps: {hidden}, and it needs σ = {score}.",
            here=here,
            hidden=_hidden(near),
            score=score,
        )
    ends = [whole(end + 1) for end in (left, right) if end is not None]
    quilt = sentence("timestamp {end_first} alone", end_first=ends[0])
    if len(ends) == 2:
        quilt = sentence("timestamps {end_first} and {end_second}", end_first=ends[0], end_second=ends[1])
    return sentence(
        "For {here}, the quilt is {quilt}: noise covers the nearby set of {near}, with the secret. {left} σ = {score}.",
        here=here,
        quilt=quilt,
        near=count(near, "timestamp"),
        left=_left(outcome, near),
        score=score,
    )


def _hidden(near: int) -> str:
    """This many timestamps, hidden with one another."""
    if near == 1:
        return "the only timestamp is hidden"
    every_one = Written("both timestamps" if near == 2 else f"all {near:,} timestamps", near)
    return sentence("{near} are hidden together", near=every_one)


def _left(outcome: SeriesOutcome, near: int) -> str:
    """How the influence of a quilt and the size of its nearby set make its noise."""
    nothing = outcome.influence < ROUNDING
    all_of, part, left = _adding_up(outcome, near, 0.0 if nothing else outcome.influence)
    if nothing:
        return sentence(
            "What lies beyond tells nothing about it (below rounding), so all of ε = {all_of_epsilon} is left for "
            "the noise: {near} / {all_of_epsilon} gives",
            all_of_epsilon=all_of,
            near=whole(near),
        )
    return sentence(
        "The influence of what lies beyond is {influence}, so {all_of_epsilon} − {influence} = {left_of_epsilon} "
        "of ε is left for the noise: {near} / {left_of_epsilon} gives",
        influence=part,
        all_of_epsilon=all_of,
        left_of_epsilon=left,
        near=whole(near),
    )


def _adding_up(outcome: SeriesOutcome, near: int, beyond: float) -> tuple[Written, Written, Written]:
    """Epsilon, the influence and their difference, with enough decimals for a reader to compute the noise shown."""
    epsilon, score = outcome.choices.epsilon, float(outcome.nodes.scale[outcome.node])
    for decimals in range(2, 13):
        all_of, part = f"{epsilon:.{decimals}f}", f"{beyond:.{decimals}f}"
        left = f"{float(all_of) - float(part):.{decimals}f}"
        if float(left) > 0 and short(near / float(left)) == short(score):
            break
    return Written(all_of, epsilon), Written(part, beyond), Written(left, epsilon - beyond)


def _assumption(outcome: SeriesOutcome) -> str:
    return sentence(
        "What is protected: {noun} at every single timestamp, against adversaries who believe that it comes from "
        "the model, {start_of}, and who see only the release. Nothing is promised against other beliefs. The "
        "past side of a quilt is counted {past_states}. This page is a simulation with a known seed, not a "
        "private release.",
        noun=outcome.series.noun,
        start_of=start_of(outcome.belief),
        past_states=past_states(outcome),
    )


def _warnings(outcome: SeriesOutcome) -> list[str]:
    found: list[str] = []
    c, belief = outcome.choices, outcome.belief
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
            sentence(
                "{mechanism} (MQMApprox), has no bound here: a state dies out, or the chain does not mix. It falls back "
                "to T / ε.",
                mechanism=title("approximate"),
            )
        )
    chosen = outcome.method(c.mechanism)
    if chosen.scale is None:
        found.append(
            sentence(
                "{mechanism} releases nothing here: neighbours tell too much (Compare has the reason).",
                mechanism=title(c.mechanism),
            )
        )
    elif not chosen.protects:
        found.append(
            sentence("{mechanism} does not protect here. {note}", mechanism=title(c.mechanism), note=chosen.note)
        )
    unit = 1 if c.query == "shares" else len(outcome)
    if chosen.scale is not None and chosen.error > unit:
        found.append(
            sentence(
                "The noise drowns the histogram: {error} in all, where the bars sum to {bars_sum}. A longer series, "
                "fewer states or a larger ε help.",
                error=short(chosen.error),
                bars_sum=whole(unit),
            )
        )
    if outcome.own is not None and c.source == "own":
        found.extend(file_notices(outcome.own, c.every, len(outcome)))
    return found
