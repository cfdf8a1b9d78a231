"""The lab's outcome in plain sentences: what is hidden from whom, what it costs, and where the guarantee ends."""

from __future__ import annotations

import math

from lmdk_widgets.scenario.amounts import amount, count
from lmdk_widgets.scenario.quilts.model import MECHANISMS, QuiltChoices
from lmdk_widgets.scenario.quilts.outcome import Method, QuiltOutcome, Segments
from lmdk_widgets.scenario.quilts.own import file_notices
from lmdk_widgets.scenario.words import Words

SLOW_SHARE = 0.995
"""From this part of T / epsilon on, the quilt is said to bring nothing over hiding the whole series."""


def describe_quilts(outcome: QuiltOutcome) -> Words:
    """What the settings mean, in sentences that are true of them."""
    sentences = (_hiding(outcome), _costing(outcome), _looking(outcome))
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
        "entry": "entry-level DP*",
    }[name]


def when(outcome: QuiltOutcome, timestamp: int) -> str:
    """A timestamp as the page says it: "timestamp 12 (day 1, 01:50)"; counted from 1."""
    clock = outcome.series.clock(timestamp)
    return f"timestamp {timestamp + 1:,}" + (f" ({clock})" if clock else "")


def _factor(epsilon: float) -> str:
    return f"{math.exp(epsilon):.3g}" if epsilon < 12 else f"e^{epsilon:.3g}"


def _hiding(outcome: QuiltOutcome) -> str:
    c, noun = outcome.choices, outcome.series.noun
    believers = "believes the chain" if len(outcome.belief.chains) == 1 else "believes one of the chains"
    return (
        f"With ε = {amount(c.epsilon)}, a histogram of {len(outcome):,} timestamps released by Markov quilts changes the "
        f"odds between two values of {noun} at any one timestamp by at most a factor of {_factor(c.epsilon)}, for whoever "
        f"{believers} below."
    )


def _costing(outcome: QuiltOutcome) -> str:
    exact, group = outcome.method("exact"), outcome.method("group")
    assert exact.scale is not None and group.scale is not None
    noise = f"σ = {_scale(exact.scale)}"
    if exact.scale >= SLOW_SHARE * group.scale:
        return f"That takes {noise}, as much as hiding the whole series at once (T / ε)."
    saved = group.scale / exact.scale
    return f"That takes {noise}, {_times(saved)} less than hiding the whole series at once ({_scale(group.scale)})."


def _looking(outcome: QuiltOutcome) -> str:
    here, (left, right) = when(outcome, outcome.node), outcome.quilt
    first, last = outcome.nearby
    near = last - first + 1
    score = _scale(float(outcome.nodes.scale[outcome.node]))
    if left is None and right is None:
        return f"For {here} no quilt helps: all {near:,} timestamps are hidden together, and it needs σ = {score}."
    if left is not None and right is not None:
        quilt = f"timestamps {left + 1:,} and {right + 1:,}"
    else:
        quilt = f"timestamp {(left if left is not None else right or 0) + 1:,} alone"
    return (
        f"For {here} the quilt is {quilt}: noise covers the nearby set of {count(near, 'timestamp')}, the secret among them; "
        f"what lies beyond tells at most {amount(outcome.influence)} of ε; that needs σ = {score}."
    )


def _scale(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _times(factor: float) -> str:
    return f"{factor:.0f} times" if factor >= 9.5 else f"{factor:.1f} times"


def _assumption(outcome: QuiltOutcome) -> str:
    series, n = outcome.series, len(outcome.belief.chains)
    if n == 1 and series.known is not None:
        theta = "the two-state chain of the sliders"
    elif n == 1:
        theta = f"one Markov chain with {series.n_states} states, {_learned(outcome)}"
    elif series.known is not None:
        theta = f"any of {n} Markov chains: that of the sliders, and {n - 1} that its series could also have come from"
    else:
        theta = f"any of {n} Markov chains with {series.n_states} states: the one {_learned(outcome)}, and {n - 1} resampled"
    return (
        f"Protected is {outcome.series.noun} at every single timestamp, against adversaries who believe that the series "
        f"comes from {theta}, at its long run from the start, and who see the release only. Nothing is promised against "
        "other beliefs. The past side of a quilt is counted over the states that can occur there, as max-influence is "
        "defined. This page is a simulation with a known seed, not a private release."
    )


def _learned(outcome: QuiltOutcome) -> str:
    added = outcome.choices.smoothing
    smoothing = f"{added:g} added to every count of moves" if added else "moves that were not seen are impossible"
    source = "estimated from this very series" if outcome.series.itself else "estimated from sixty other people's days"
    return f"{source} ({smoothing})"


def _warnings(outcome: QuiltOutcome) -> list[str]:
    c, belief, found = outcome.choices, outcome.belief, []
    group = len(outcome) / c.epsilon
    possible = max(int((chain.initial > 0).sum()) for chain in belief.chains)
    if possible < 2:
        found.append("For this adversary only one state ever occurs: there is no secret to hide.")
    elif outcome.scale.scale >= SLOW_SHARE * group:
        why = (
            "some states tell for ever where the series was"
            if not belief.mixes
            else "what one timestamp tells about another fades too slowly for this ε and this length"
        )
        found.append(f"The chain does not mix fast enough: {why}, so that σ = T / ε, the same as group privacy.")
    if outcome.series.itself:
        found.append(
            "The chain, and with it the noise, depends on the series itself; the papers take it from other data. Estimate it "
            "from other days or people before you rely on it."
        )
    if c.smoothing == 0 and outcome.series.known is None and any((x.transition == 0).any() for x in belief.chains):
        found.append("Without smoothing a move that was never seen counts as impossible: seeing it would tell all.")
    if possible >= 2 and not belief.mixes and c.mechanism == "approximate":
        found.append("MQMApprox has no bound here (a state that dies out, or no spectral gap): it falls back to T / ε.")
    chosen = outcome.method(c.mechanism)
    if chosen.scale is None:
        found.append(f"{title(c.mechanism)} releases nothing here. {chosen.note}")
    elif not chosen.protects:
        found.append(f"{title(c.mechanism)} does not protect here. {chosen.note}")
    unit = 1 if c.query == "shares" else len(outcome)
    if chosen.scale is not None and chosen.error > unit:
        found.append(
            f"The noise drowns the histogram: {_size(chosen.error, c)} in all, where the bars sum to {unit:,}. A longer "
            "series, fewer states or a larger ε help."
        )
    if c.own is not None and c.source == "own":
        found.extend(file_notices(c.own, c.every, len(outcome)))
    return found


def method_rows(outcome: QuiltOutcome) -> list[list[str]]:
    """The comparison as text: mechanism, sigma, noise of a bar, mean L1 error, whether it protects."""
    return [_row(method, outcome.choices) for method in outcome.methods]


def _row(method: Method, choices: QuiltChoices) -> list[str]:
    if method.scale is None or method.noise is None:
        return [title(method.name), "not applicable", "", "", "–"]
    noise, error = (_size(value, choices) for value in (method.noise, method.error))
    return [title(method.name), _scale(method.scale), noise, error, "yes" if method.protects else "no, not here"]


def _size(value: float, choices: QuiltChoices) -> str:
    return f"{value:.3g}" if choices.query == "shares" or value < 100 else f"{value:,.0f}"


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
    past, future = outcome.belief.influence()
    small = [
        int(d) for d, e in zip(outcome.belief.distances, past + future, strict=True) if e < outcome.choices.epsilon
    ]
    start = f"One timestamp away the past tells {_told(float(past[0]))}, the future {_told(float(future[0]))}."
    if not small:
        return f"{start} At no distance do both sides together fall below ε."
    return f"{start} Both sides together fall below ε = {amount(outcome.choices.epsilon)} at distance {small[0]:,}."


def _told(value: float) -> str:
    if value < 1e-6:
        return "next to nothing"
    return "without bound" if math.isinf(value) else f"at most {value:.3g}"


def nodes_summary(outcome: QuiltOutcome) -> str:
    """Which timestamps need how much."""
    scale = outcome.nodes.scale
    low, high = float(scale.min()), float(scale.max())
    if high <= low * (1 + 1e-9):
        return f"Every timestamp needs σ = {_scale(high)}."
    return (
        f"Each timestamp by itself would need σ from {_scale(low)} to {_scale(high)}; the largest, at timestamp "
        f"{outcome.scale.node + 1:,}, decides. Near the ends there are neighbours on one side only."
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
    return (
        f"Error of the whole histogram (sum over the bars, mean of 100 draws; the whiskers hold 90 % of them): {told}. "
        "* Entry-level privacy does not protect here; it shows what ignoring correlation would seem to save."
    )


def stack_summary(outcome: QuiltOutcome) -> str:
    """What the stacked releases cost together."""
    releases = outcome.choices.releases
    k = len(releases)
    if k == 1:
        return f"One release: ε = {amount(releases[0])}."
    terms = " + ".join(amount(e) for e in releases)
    return (
        f"{k} releases by Markov quilts of the same series cost ε = {terms} = {amount(outcome.stacked)} together (Song and "
        f"Chaudhuri 2017, Theorem III.7). The older theorem asks for the same quilts at every timestamp and says "
        f"{k} × {amount(max(releases))} = {amount(outcome.stacked_older)}."
    )


def segments_sentences(outcome: QuiltOutcome) -> list[str]:
    """The guarantee of two releases from two segments, and how it comes about."""
    segments = outcome.segments
    if segments is None:
        return ["The series is too short to hold two segments."]
    a, b = (f"timestamps {first + 1:,} to {last + 1:,}" for first, last in (segments.a, segments.b))
    one, two = amount(outcome.choices.epsilon_a), amount(outcome.choices.epsilon_b)
    gap = count(segments.gap, "move").capitalize()
    said = [
        f"A: {a}, ε = {one}. B: {b}, ε = {two}. {gap} from the end of A to the start of B.",
        _parallel_sentence(outcome, segments),
    ]
    if segments.between is not None and segments.between > segments.epsilon * (1 + 1e-9):
        said.append(
            "The theorem counts secrets within A and B. If the states between them are secrets too, it is "
            f"{amount(segments.between)}."
        )
    return said


def _parallel_sentence(outcome: QuiltOutcome, segments: Segments) -> str:
    one, two = outcome.choices.epsilon_a, outcome.choices.epsilon_b
    low, high = max(one, two), one + two
    ahead, back = _told(segments.forward), _told(segments.backward)
    tells = f"B's first state tells {ahead} about A's last one, and A's last one {back} about B's first"
    start = f"Together they guarantee ε = {segments.epsilon:.4g}"
    if segments.epsilon >= high * (1 - 1e-12):
        hopeless = segments.guarantee[-1] >= high * (1 - 1e-12)
        advice = "No gap that fits into the series helps." if hopeless else "Move the segments apart."
        return f"{start}, the full sum: {tells}. {advice}"
    if segments.epsilon <= low * (1 + 1e-3):
        return f"{start}, as good as the larger of the two, {amount(low)}: {tells}."
    return f"{start}, between the larger of the two, {amount(low)}, and their sum, {amount(high)}: {tells}."


def far_sentence(outcome: QuiltOutcome) -> str:
    """Whether the far-apart theorem applies."""
    segments = outcome.segments
    if segments is None:
        return ""
    if segments.far.epsilon is not None:
        together = amount(segments.far.epsilon)
        return f"Far apart: every condition holds. Two releases by MQMApprox guarantee ε = {together} together."
    return (
        "Not far apart: the theorem for two releases by MQMApprox says nothing yet, and the correction term above counts. "
        "Longer segments, a larger ε of theirs or a wider gap help."
    )
