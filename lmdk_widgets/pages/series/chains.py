"""The chains that adversaries believe, in words: their origin, how they start, stay, mix, and what each needs by itself."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.page.amounts import amount, count, percent, whole
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.matrix_text import matrix_text
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.pages.series.belief import Belief, long_run
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.own_chains import MOST_CHAINS, PUBLISHED_EPSILON, PUBLISHED_LENGTH, PUBLISHED_SCALE
from lmdk_widgets.pages.series.series import MOST_SEARCHED

_RANDOM = 1e-6
"""Below this share of what a state told one step earlier, the next state is as good as independent."""

SAME = 1e-9
"""Shares this near each other, relatively, differ in rounding alone, which differs between machines: the first is named."""


def chain_sentences(outcome: SeriesOutcome) -> list[str]:
    """The chain of the heat map: what it is, how long states last, where it is in the long run, how soon it forgets.

    Notes
    -----
    With g the spectral gap of P P*, the distance of the state's distribution from the long run, in the norm weighted by
    1 / pi, falls by sqrt(1 - g) or more with every move.
    """
    series, chain = outcome.series, outcome.belief.chains[0]
    stay, share = np.diag(chain.transition), long_run(chain)
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = sentence(
        "with probability {stay_least} to {stay_most}, depending on the state", stay_least=low, stay_most=high
    )
    if low == high:
        stays = sentence("with probability {stay}", stay=high)
    often, rare = int(np.argmax(share >= share.max() * (1 - SAME))), int(np.argmax(share <= share.min() * (1 + SAME)))
    shown = " The heat map shows the first of them." if len(outcome.belief.chains) > 1 else ""
    most, least = (percent(float(share[k])) for k in (often, rare))
    text = "every state is about as frequent as the others"
    if most != least:
        text = sentence(
            "{largest_share} of the timestamps are in {often}, the most frequent, and {smallest_share} in {rare}, "
            "the rarest",
            largest_share=most,
            often=series.labels[often],
            smallest_share=least,
            rare=series.labels[rare],
        )
    return [
        sentence("Adversaries believe in {chains}.{heat_map}", chains=theta_named(outcome), heat_map=shown),
        *needed(outcome),
        sentence(
            "From one timestamp to the next, a state stays the same {stays}. In the long run, {text}.",
            stays=stays,
            text=text,
        ),
        _memory(outcome),
    ]


def _memory(outcome: SeriesOutcome) -> str:
    belief = outcome.belief
    if outcome.series.n_states == 1:
        return "There is only one state, and nothing to remember."
    if not belief.mixes:
        return "It does not mix: a state always reveals where the series was, or one of them dies out."
    kept = belief.kept
    if kept < _RANDOM:
        return "It mixes immediately: each state is independent of the one before."
    moves = max(1, math.ceil(math.log(0.5) / math.log(kept) - 1e-9))
    worst = "Even the slowest of them" if len(belief.chains) > 1 else "It"
    every = "with every move"
    if moves > 1:
        every = sentence("within {moves}", moves=count(moves, "move"))
    return sentence(
        "{worst} mixes: what a state tells beyond the long run at least halves {how_soon}.", worst=worst, how_soon=every
    )


def believed(outcome: SeriesOutcome) -> str:
    """Which of the possible beliefs is chosen now."""
    return f"Now: {theta_named(outcome)}."


def theta_named(outcome: SeriesOutcome) -> str:
    """The chains that are believed, as the end of a sentence."""
    series, n = outcome.series, len(outcome.belief.chains)
    states = count(series.n_states, "state")
    if series.theta:
        return theta_of_own(outcome)
    if n == 1 and series.known is not None:
        return "the two-state chain of the sliders"
    if n == 1:
        return sentence("one Markov chain with {n_states}, {learned}", n_states=states, learned=_learned(outcome))
    if series.known is not None:
        return sentence(
            "any of {n_chains} Markov chains: that of the sliders, and {n_others} that its series could also have "
            "come from",
            n_chains=whole(n),
            n_others=whole(n - 1),
        )
    return sentence(
        "any of {n_chains} Markov chains with {n_states}: the one {learned}, and {n_others} resampled",
        n_chains=whole(n),
        n_states=states,
        learned=_learned(outcome),
        n_others=whole(n - 1),
    )


def _learned(outcome: SeriesOutcome) -> str:
    added = outcome.choices.smoothing
    smoothing = "moves that were not seen are impossible"
    if added:
        smoothing = sentence("{added} added to every count of moves", added=Written(f"{added:g}", added))
    source = "estimated from this very series" if outcome.series.itself else "estimated from sixty other people's days"
    return sentence("{source} ({smoothing})", source=source, smoothing=smoothing)


def start_of(belief: Belief) -> str:
    """How adversaries believe that the series starts, as part of a sentence."""
    if belief.stationary:
        return "already in its long-run distribution at the start"
    return "each with its own start" if len(belief.chains) > 1 else "with its own start"


def past_states(outcome: SeriesOutcome) -> str:
    """Which past states a quilt is judged by, the end of a sentence."""
    if outcome.choices.support == "definition" or not outcome.series.theta:
        return "over the states that can occur there, as max-influence is defined"
    return "over every state, possible there or not, as the authors' code does"


def rests_on_itself(outcome: SeriesOutcome) -> bool:
    """Whether chains are estimated from what is protected, or resampled from it."""
    series, resampled = outcome.series, outcome.choices.theta == "bootstrap"
    return not (series.theta or series.learned_from) and (series.itself or resampled)


def itself_warning(outcome: SeriesOutcome) -> list[str]:
    """That chains are estimated from what is protected, or resampled from it, and what to do."""
    if not rests_on_itself(outcome):
        return []
    what = (
        "The chain, and with it the noise, depends"
        if outcome.series.itself
        else "The resampled chains, and the noise, depend"
    )
    return [
        f"{what} on the series itself; the papers take it from other data. Estimate it from other days or people before you "
        "rely on it."
    ]


def theta_of_own(outcome: SeriesOutcome) -> str:
    """The chains that were typed, as the end of a sentence."""
    n = len(outcome.belief.chains)
    states = count(outcome.series.n_states, "state")
    if n == 1:
        return sentence("the chain that you typed, with {n_states}", n_states=states)
    return sentence("any of the {n_chains} chains that you typed, with {n_states}", n_chains=whole(n), n_states=states)


def needed(outcome: SeriesOutcome) -> list[str]:
    """What each chain needs by itself, which one decides, and what the other count of past states would require."""
    if not outcome.series.theta:
        return []
    each, worst = outcome.alone, outcome.scale
    setting = sentence(
        "At T = {length} and ε = {epsilon}", length=whole(len(outcome)), epsilon=amount(outcome.choices.epsilon)
    )
    alone = join(
        sentence(
            "chain {chain} by itself needs σ = {chain_scale} (timestamp {chain_node})",
            chain=whole(k),
            chain_scale=scale_digits(found.scale),
            chain_node=whole(found.node + 1),
        )
        for k, found in enumerate(each, start=1)
    )
    said = [sentence("{setting} {alone}.", setting=setting, alone=alone)]
    if len(each) > 1:
        said = [
            sentence(
                "{setting} {alone}. Against all of them σ is the largest, {scale}: {deciding}.",
                setting=setting,
                alone=alone,
                scale=scale_digits(worst.scale),
                deciding=deciding(outcome),
            )
        ]
    return [*said, *_starts(outcome), _counted(outcome), _drawn()]


def deciding(outcome: SeriesOutcome) -> str:
    """Which chain needs the noise: "chain 1 needs it"."""
    largest = outcome.scale.scale * (1 - 1e-12)
    which = [str(k) for k, found in enumerate(outcome.alone, start=1) if found.scale >= largest]
    if len(which) == 1:
        return sentence("chain {deciding_chain} needs it", deciding_chain=which[0])
    return sentence(
        "chains {first_chains} and {last_chain} need it equally",
        first_chains=", ".join(which[:-1]),
        last_chain=which[-1],
    )


def _starts(outcome: SeriesOutcome) -> list[str]:
    """Which chains do not start in their long run, and what follows from it."""
    away = [k for k, chain in enumerate(outcome.belief.chains, start=1) if not chain.is_stationary]
    if not away:
        return []
    *some, last = away
    who = sentence("Chain {away_last} does", away_last=whole(last))
    if some:
        who = sentence(
            "Chains {away_first} and {away_last} do", away_first=", ".join(map(str, some)), away_last=whole(last)
        )
    return [
        sentence(
            "{who} not start in the long-run distribution, so a timestamp near the start differs from a later one: "
            "influences are those of the chosen timestamp, and two segments are counted where they lie.",
            who=who,
        )
    ]


def _counted(outcome: SeriesOutcome) -> str:
    """Which past states count, and what the other count would require."""
    everywhere = outcome.choices.support == "all"
    other = outcome.scale_otherwise
    if other is None:
        return (
            "Every state can occur at every timestamp, so the count by the definition and that of the authors' code are the "
            "same."
        )
    now, then = ("As the authors' code counts", "by the definition") if everywhere else ("By the definition", "it")
    here, there = scale_digits(outcome.scale.scale), scale_digits(other)
    result = "the same σ"
    if here != there:
        result = sentence("σ = {other_scale}", other_scale=there)
    if everywhere:
        return sentence(
            "{now}, a quilt is also judged by past states that cannot occur where it lies. Nobody can see them, so "
            "{then} they do not count, which gives {result}; both protect.",
            now=now,
            then=then,
            result=result,
        )
    return sentence(
        "{now}, a quilt is judged by the past states that can occur where it lies. The authors' code counts the "
        "others too, which requires at least as much noise: {then} gives {result}; both protect.",
        now=now,
        then=then,
        result=result,
    )


def _drawn() -> str:
    return (
        "The series is one run of chain 1 with a fixed seed; “Draw again” draws other noise. Adversaries believe in these "
        "chains and no others: nothing is estimated or resampled, so there is no bootstrap set."
    )


def scale_digits(value: float) -> Written:
    """A noise scale with enough digits to compare two chains: "12.9341".

    Examples
    --------
    >>> scale_digits(12.93405108), scale_digits(100.0), scale_digits(12345.678)
    ('12.9341', '100', '12,345.7')
    """
    return Written(f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}", value)


def typed(outcome: SeriesOutcome) -> Message:
    """The contents of the fields of the chains, and how many there may be."""
    chains = outcome.choices.own_chains
    rows = [{"initial": " ".join(map(repr, chain.initial)), "matrix": matrix_text(chain.matrix)} for chain in chains]
    sample = sentence(
        "Two chains of two states, with T = {published_length} and ε = {published_epsilon}. For the first of "
        "them σ = {published_scale} is published, counted as in the authors' code.",
        published_length=whole(PUBLISHED_LENGTH),
        published_epsilon=whole(int(PUBLISHED_EPSILON)),
        published_scale=scale_digits(PUBLISHED_SCALE),
    )
    limit = sentence(
        "The length T is at most {most_searched} with one chain that starts outside its long-run distribution, "
        "or whose past states count even if they cannot occur; with several such chains, it is that divided by "
        "their number.",
        most_searched=whole(MOST_SEARCHED),
    )
    return {"rows": rows, "most": MOST_CHAINS, "sample": sample, "limit": limit}
