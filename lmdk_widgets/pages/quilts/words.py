"""The lab's outcome in plain sentences: what is hidden from whom, what it costs, and where the guarantee ends."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, bound, bound_odds, change, count, percent
from lmdk_widgets.page.words import Words
from lmdk_widgets.pages.quilts.belief import Belief, long_run
from lmdk_widgets.pages.quilts.model import MECHANISMS, QuiltChoices
from lmdk_widgets.pages.quilts.outcome import Method, QuiltOutcome
from lmdk_widgets.pages.quilts.own import file_notices
from lmdk_widgets.pages.quilts.own_words import deciding, needed, theta_of_own

ROUNDING = 1e-12
"""An influence below this is that of the arithmetic, not of the chain."""

SLOW_SHARE = 0.995
"""From this part of T / epsilon on, the quilt is said to bring nothing over hiding the whole series."""

_START_NOTES = {
    "exact": " The start is counted as it is, timestamp by timestamp.",
    "approximate": " Its bound holds for every start.",
    "gk16": " The start is counted in what the first two timestamps tell of each other.",
    "local": " The start is counted in what the first two timestamps tell of each other.",
    "group": " It holds whatever the start.",
}

_RANDOM = 1e-6
"""Below this share of what was told a step earlier, the next state is as good as independent."""


def describe(outcome: QuiltOutcome) -> Words:
    """What the settings mean, in sentences that are true of them."""
    sentences = (odds_sentence(outcome), _hiding(outcome), _costing(outcome), _looking(outcome))
    return Words(" ".join(sentences), _assumption(outcome), tuple(_warnings(outcome)))


def title(name: str) -> str:
    """What a mechanism is called: "Markov quilt, exact"."""
    return MECHANISMS[name].split(": ", 1)[0]


def short_title(name: str) -> str:
    """The same for a narrow axis."""
    return {
        "exact": "quilt, exact",
        "approximate": "quilt, approx.",
        "gk16": "GK16",
        "group": "group DP",
        "local": "local infl.",
        "entry": "entry-level DP*",
    }[name]


def when(outcome: QuiltOutcome, timestamp: int) -> str:
    """A timestamp as the page says it: "timestamp 12 (day 1, 01:50)"; counted from 1."""
    clock = outcome.series.clock(timestamp)
    return f"timestamp {timestamp + 1:,}" + (f" ({clock})" if clock else "")


def _hiding(outcome: QuiltOutcome) -> str:
    c, noun = outcome.choices, outcome.series.noun
    believers = "believes the chain" if len(outcome.belief.chains) == 1 else "believes one of the chains"
    return (
        f"With ε = {amount(c.epsilon)}, a histogram of {len(outcome):,} timestamps released by Markov quilts changes the "
        f"odds between two values of {noun} at any one timestamp by at most a factor of {bound_odds(c.epsilon)}, for whoever "
        f"{believers} below."
    )


def _costing(outcome: QuiltOutcome) -> str:
    exact, group = outcome.method("exact"), outcome.method("group")
    assert exact.scale is not None and group.scale is not None
    saved = group.scale / exact.scale
    times = f"{saved:.0f} times" if saved >= 9.5 else f"{saved:.1f} times"
    less = f"{times} less than hiding the whole series at once ({_scale(group.scale)})"
    if exact.scale >= SLOW_SHARE * group.scale:
        less = "as much as hiding the whole series at once (T / ε)"
    whose = f" Of the chains, {deciding(outcome)}." if len(outcome.series.theta) > 1 else ""
    return f"That takes noise of σ = {_scale(exact.scale)}, {less}.{whose}"


def _hidden(near: int) -> str:
    """So many timestamps that are hidden with one another."""
    many = "both" if near == 2 else f"all {near:,}"
    return "the only timestamp is hidden" if near == 1 else f"{many} timestamps are hidden together"


def _looking(outcome: QuiltOutcome) -> str:
    here, (left, right) = when(outcome, outcome.node), outcome.quilt
    first, last = outcome.nearby
    near = last - first + 1
    score = _scale(float(outcome.nodes.scale[outcome.node]))
    if (left, right) == (None, None):
        return f"For {here} no quilt helps: {_hidden(near)}, and it needs σ = {score}."
    ends = [f"{end + 1:,}" for end in (left, right) if end is not None]
    quilt = f"timestamps {ends[0]} and {ends[1]}" if len(ends) == 2 else f"timestamp {ends[0]} alone"
    return (
        f"For {here} the quilt is {quilt}: noise covers the nearby set of {count(near, 'timestamp')}, the secret among them. "
        f"{_left(outcome, near)} σ = {score}."
    )


def _left(outcome: QuiltOutcome, near: int) -> str:
    """How the influence of a quilt and the size of its nearby set make its noise."""
    nothing = outcome.influence < ROUNDING
    whole, part, left = _adding_up(outcome, near, 0.0 if nothing else outcome.influence)
    if nothing:
        return (
            f"What lies beyond tells nothing of it (below rounding), so that all of ε = {whole} is left for the "
            f"noise: {near:,} / {whole} gives"
        )
    return (
        f"The influence of what lies beyond is {part}, so that {whole} − {part} = {left} of ε is left for the noise: "
        f"{near:,} / {left} gives"
    )


def _adding_up(outcome: QuiltOutcome, near: int, beyond: float) -> tuple[str, str, str]:
    """Epsilon, the influence and their difference with so many decimals that a reader who computes gets what is shown."""
    epsilon, score = outcome.choices.epsilon, float(outcome.nodes.scale[outcome.node])
    for decimals in range(2, 13):
        whole, part = f"{epsilon:.{decimals}f}", f"{beyond:.{decimals}f}"
        left = f"{float(whole) - float(part):.{decimals}f}"
        if float(left) > 0 and _scale(near / float(left)) == _scale(score):
            break
    return whole, part, left


def _scale(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _assumption(outcome: QuiltOutcome) -> str:
    return (
        f"What is protected: {outcome.series.noun} at every single timestamp, against adversaries who believe that the "
        f"series comes from {theta_named(outcome)}, {start_of(outcome.belief)}, and who see the release only. Nothing is "
        f"promised against other beliefs. The past side of a quilt is counted {past_states(outcome)}. This page is a "
        "simulation with a known seed, not a private release."
    )


def _warnings(outcome: QuiltOutcome) -> list[str]:
    c, belief, found = outcome.choices, outcome.belief, []
    group = len(outcome) / c.epsilon
    if belief.possible < 2:
        found.append("For this adversary only one state can occur at each timestamp: there is no secret to hide.")
    elif outcome.scale.scale >= SLOW_SHARE * group:
        why = "some states tell for ever where the series was"
        if belief.mixes:
            why = "what one timestamp tells about another fades too slowly for this ε and this length"
        found.append(f"The chain does not mix fast enough: {why}, so that σ = T / ε, the same as group privacy.")
    found += itself_warning(outcome)
    if c.smoothing == 0 and outcome.series.known is None and any((x.transition == 0).any() for x in belief.chains):
        found.append("Without smoothing a move that was never seen counts as impossible: seeing it would tell all.")
    if belief.possible >= 2 and not belief.mixes and c.mechanism == "approximate":
        found.append(
            f"{title('approximate')} (MQMApprox), has no bound here: a state dies out, or the chain does not mix. It falls "
            "back to T / ε."
        )
    chosen = outcome.method(c.mechanism)
    if chosen.scale is None:
        found.append(f"{title(c.mechanism)} releases nothing here. {method_note(chosen)}")
    elif not chosen.protects:
        found.append(f"{title(c.mechanism)} does not protect here. {chosen.note}")
    unit = 1 if c.query == "shares" else len(outcome)
    if chosen.scale is not None and chosen.error > unit:
        found.append(
            f"The noise drowns the histogram: {_size(chosen.error, c)} in all, where the bars sum to {unit:,}. A longer "
            "series, fewer states or a larger ε help."
        )
    if outcome.own is not None and c.source == "own":
        found.extend(file_notices(outcome.own, c.every, len(outcome)))
    return found


_WHAT = {
    "exact": "MQMExact: at every timestamp the quilt that needs the least noise, computed from the whole chain.",
    "approximate": "MQMApprox: the same from two numbers of the chain only, the share of its rarest state and how fast it "
    "mixes; quicker, and noisier.",
    "gk16": "The method of Ghosh and Kleinberg, 2016: ordinary noise, enlarged; it asks that neighbouring timestamps tell "
    "little of each other.",
    "local": "The same idea with a constant derived for this page: half of GK16's, where it applies.",
    "group": "Group DP: differential privacy for all timestamps as one group, σ = T / ε.",
    "entry": "Differential privacy for each timestamp as if it stood alone, σ = 1 / ε.",
}
"""What each mechanism is, in a sentence."""


def method_note(method: Method) -> str:
    """What a mechanism is, and why it is not applicable where it is not."""
    if method.scale is not None:
        return _WHAT[method.name]
    reason = method.note.removeprefix("Not applicable: ").removesuffix(".")
    return f"{_WHAT[method.name]} Not applicable here: neighbouring timestamps tell too much of each other ({reason})."


def method_notes(outcome: QuiltOutcome) -> list[str]:
    """`method_note` of every mechanism, in the order of `method_rows`."""
    return [method_note(method) + start_note(outcome, method.name) for method in outcome.methods]


def method_rows(outcome: QuiltOutcome) -> list[list[str]]:
    """The comparison as text: mechanism, sigma, noise of a bar, mean L1 error, whether it protects."""
    rows = []
    for method in outcome.methods:
        row = ["not applicable", "", "", "–"]
        if method.scale is not None and method.noise is not None:
            noise, error = (_size(value, outcome.choices) for value in (method.noise, method.error))
            row = [_scale(method.scale), noise, error, "yes" if method.protects else "no, not here"]
        rows.append([title(method.name), *row])
    return rows


def _size(value: float, choices: QuiltChoices) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def timeline_summary(outcome: QuiltOutcome) -> str:
    """What the timeline shows, for those who cannot see it."""
    series, node = outcome.series, outcome.node
    state = series.labels[int(series.states[node])]
    first, last = outcome.nearby
    return (
        f"{len(outcome):,} timestamps, {series.n_states} states. Chosen: {when(outcome, node)}, {state}. "
        f"Nearby set: timestamps {first + 1:,} to {last + 1:,}."
    )


def influence_summary(outcome: QuiltOutcome) -> str:
    """How fast influence falls with distance."""
    past, future = outcome.belief.influence(outcome.node)
    where = "away" if outcome.belief.alike else f"from {when(outcome, outcome.node)}"
    start = f"One timestamp {where} {_side('past', past)}, {_side('future', future).replace(' tells', '')}."
    epsilon = outcome.choices.epsilon
    distance = outcome.belief.first_below(epsilon, outcome.node)
    if distance is None:
        return f"{start} At no distance do both sides together fall below ε."
    return f"{start} Both sides together fall below ε = {amount(epsilon)} at distance {distance:,}."


def _side(name: str, influence: Floats) -> str:
    return f"there is no {name}" if math.isnan(influence[0]) else f"the {name} tells {told(float(influence[0]))}"


def told(value: float) -> str:
    """An influence as what is told: "at most 0.41"; what is below rounding is nothing.

    Examples
    --------
    >>> [told(value) for value in (0.4142, 1e-8, 8.88e-16, float("inf"))]
    ['at most 0.415', 'next to nothing', 'nothing (below rounding)', 'without bound']
    """
    if value < ROUNDING:
        return "nothing (below rounding)"
    if value < 1e-3:
        return "next to nothing" if value < 1e-6 else "less than 0.001"
    return "without bound" if math.isinf(value) else f"at most {bound(value)}"


def nodes_summary(outcome: QuiltOutcome) -> str:
    """Which timestamps need how much."""
    scale = outcome.nodes.scale
    low, high = float(scale.min()), float(scale.max())
    if high <= low * (1 + 1e-9):
        return f"Every timestamp needs σ = {_scale(high)}."
    between = f"from {_scale(low)} to {_scale(high)}" if _scale(low) != _scale(high) else f"of about {_scale(high)}"
    return (
        f"Each timestamp by itself would need σ {between}; the largest, at timestamp "
        f"{outcome.scale.node + 1:,}, decides. Near the ends there are neighbours on one side only{near_start(outcome)}."
    )


def histogram_summary(outcome: QuiltOutcome) -> str:
    """True and released."""
    name, found = outcome.choices.mechanism, outcome.histogram
    if found.released is None:
        return f"The true histogram. {title(name)} is not applicable: nothing is released."
    method = outcome.method(name)
    negative = int((found.released < 0).sum())
    said = f", {count(negative, 'bar')} of them below zero" if negative else ""
    return (
        f"Truth and one release by {title(name)} (Laplace noise of {_size(method.noise or 0, outcome.choices)} on every "
        f"bar{said}); the whiskers hold 90 % of 100 draws. A simulation, not a private release."
    )


def methods_summary(outcome: QuiltOutcome) -> str:
    """The errors of the mechanisms, side by side."""
    known = [m for m in outcome.methods if m.scale is not None]
    told = ", ".join(f"{title(m.name)} {_size(m.error, outcome.choices)}" for m in known)
    entry = "does not protect here; it shows what ignoring correlation would seem to save"
    if outcome.method("entry").protects:
        entry = "protects here, as no timestamp tells anything of another"
    return (
        f"Error of the whole histogram (sum over the bars, mean of 100 draws; the whiskers hold 90 % of them): {told}. "
        f"* Entry-level privacy {entry}. The table beneath says what each of them is."
    )


def odds_sentence(outcome: QuiltOutcome) -> str:
    """By what factor the histogram that is shown changes the odds of any one timestamp, and by how much its bars move."""
    choices, method = outcome.choices, outcome.method(outcome.choices.mechanism)
    if method.noise is None:
        return "No histogram is released: the mechanism that is chosen does not apply here."
    noise = method.noise * (len(outcome) if choices.query == "shares" else 1)
    cost = f"its noise moves each bar by {_timestamps(noise)} on average, of {len(outcome):,}"
    if not method.protects:
        return f"Nothing is promised about what the released histogram tells of any one timestamp; {cost}."
    believe = "believes the chain" if len(outcome.belief.chains) == 1 else "believes one of the chains"
    odds = f"the odds of any two values of {outcome.series.noun} at any one timestamp"
    return f"{change(f'Whoever sees the released histogram and {believe} below', odds, choices.epsilon)}; {cost}."


def _timestamps(number: float) -> str:
    """By how many timestamps a bar is off, as people say it.

    Examples
    --------
    >>> _timestamps(31.46), _timestamps(1.2), _timestamps(0.02)
    ('31 timestamps', '1.2 timestamps', 'less than one timestamp')
    """
    if number < 0.95:
        return "less than one timestamp"
    return f"{number:,.0f} timestamps" if number >= 9.95 else f"{number:.1f} timestamps"


def start_of(belief: Belief) -> str:
    """From where adversaries believe that the series starts, as a part of a sentence."""
    if belief.stationary:
        return "already in its long-run distribution at the start"
    return "each with its own start" if len(belief.chains) > 1 else "with its own start"


def start_note(outcome: QuiltOutcome, mechanism: str) -> str:
    """What such a start means for a mechanism, a sentence behind others."""
    return "" if outcome.belief.stationary else _START_NOTES.get(mechanism, "")


def near_start(outcome: QuiltOutcome) -> str:
    """Why timestamps near the start differ, the end of a sentence."""
    return "" if outcome.belief.stationary else ", and near the start the chains remember how they began"


def past_states(outcome: QuiltOutcome) -> str:
    """Over which past states a quilt is judged, the end of a sentence."""
    if outcome.choices.support == "definition" or not outcome.series.theta:
        return "over the states that can occur there, as max-influence is defined"
    return "over every state, possible there or not, as the authors' code does"


def theta_named(outcome: QuiltOutcome) -> str:
    """The chains that are believed, as the end of a sentence."""
    series, n = outcome.series, len(outcome.belief.chains)
    states = count(series.n_states, "state")
    if series.theta:
        return theta_of_own(outcome)
    if n == 1 and series.known is not None:
        return "the two-state chain of the sliders"
    if n == 1:
        return f"one Markov chain with {states}, {_learned(outcome)}"
    if series.known is not None:
        return f"any of {n} Markov chains: that of the sliders, and {n - 1} that its series could also have come from"
    return f"any of {n} Markov chains with {states}: the one {_learned(outcome)}, and {n - 1} resampled"


def _learned(outcome: QuiltOutcome) -> str:
    added = outcome.choices.smoothing
    smoothing = f"{added:g} added to every count of moves" if added else "moves that were not seen are impossible"
    source = "estimated from this very series" if outcome.series.itself else "estimated from sixty other people's days"
    return f"{source} ({smoothing})"


def itself_warning(outcome: QuiltOutcome) -> list[str]:
    """Chains that are estimated from what is protected, or resampled from it."""
    series, resampled = outcome.series, outcome.choices.theta == "bootstrap"
    if series.theta or series.learned_from or not (series.itself or resampled):
        return []
    what = (
        "The chain, and with it the noise, depends" if series.itself else "The resampled chains, and the noise, depend"
    )
    return [
        f"{what} on the series itself; the papers take it from other data. Estimate it from other days or people before you "
        "rely on it."
    ]


def believed(outcome: QuiltOutcome) -> str:
    """Which of the possible beliefs holds now."""
    return f"Now: {theta_named(outcome)}."


def chain_sentences(outcome: QuiltOutcome) -> list[str]:
    """The chain of the heat map: what it is, how states stay, where it is in the long run, how soon it forgets.

    Notes
    -----
    With g the spectral gap of P P*, the distance of the state's distribution from the long run, in the norm weighted by
    1 / pi, falls by sqrt(1 - g) or more with every move.
    """
    series, chain = outcome.series, outcome.belief.chains[0]
    stay, share = np.diag(chain.transition), long_run(chain)
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = f"with probability {high}" if low == high else f"with probability {low} to {high}, depending on the state"
    often, rare = int(np.argmax(share)), int(np.argmin(share))
    shown = " The heat map shows the first of them." if len(outcome.belief.chains) > 1 else ""
    most, least = (percent(float(share[k])) for k in (often, rare))
    text = "every state is about as frequent as the others"
    if most != least:
        text = f"{most} of the timestamps are in {series.labels[often]}, the most frequent, and {least} in "
        text += f"{series.labels[rare]}, the rarest"
    return [
        f"Adversaries believe in {theta_named(outcome)}.{shown}",
        *needed(outcome),
        f"From one timestamp to the next a state stays as it is {stays}. In the long run {text}.",
        _memory(outcome),
    ]


def _memory(outcome: QuiltOutcome) -> str:
    belief = outcome.belief
    if outcome.series.n_states == 1:
        return "There is only one state, and nothing to remember."
    if not belief.mixes:
        return "It does not mix: a state tells for ever where the series was, or one of them dies out."
    kept = belief.kept
    if kept < _RANDOM:
        return "It mixes at once: each state is independent of the one before."
    moves = max(1, math.ceil(math.log(0.5) / math.log(kept) - 1e-9))
    worst = "Even the slowest of them" if len(belief.chains) > 1 else "It"
    every = "with every move" if moves == 1 else f"within {count(moves, 'move')}"
    return f"{worst} mixes: what a state tells beyond the long run at least halves {every}."
