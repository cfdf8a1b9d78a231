"""Several releases together: stacked, from two segments, and two private ones that are not private together."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from lmdk_widgets.page.amounts import amount, bound, bound_percent, count
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import Written
from lmdk_widgets.pages.series.figures import CHOSEN, Figure, figure, level, marks
from lmdk_widgets.pages.series.outcome import Segments, SeriesOutcome
from lmdk_widgets.pages.series.timeline import told
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY

_SAME = 1e-3
"""An increase of up to this share counts as the same."""

_MOST_DECIMALS = 6
"""The most decimals of stacked releases that add up to the last digit: the sliders give fewer."""

_APPROXIMATE = "MQMApprox (quilts computed from two numbers of the chain)"

_HELPS = " A longer segment or a larger ε helps."

TITLES = {
    "stack": "Releases of the same series, stacked",
    "segments": "Releases from two segments",
    "far": "A second theorem, for segments far apart",
    "story": "Two private releases that are not private together",
}
"""The headings of the parts, on the page and in its report."""


def composition_charts(outcome: SeriesOutcome) -> list[Chart]:
    """The stacked releases, two segments at every gap where there are two, and the story of Alice and Bob."""
    segments, end = outcome.segments, outcome.story.story()[-1]
    charts = [Chart("stack", "Epsilon of the stacked releases", _stack(outcome), stack_summary(outcome), beside=True)]
    if segments is not None:
        arrays = {"gaps": segments.gaps, "guarantee": segments.guarantee}
        said = segments_sentences(outcome)[0]
        charts.append(Chart("gap", "Guarantee against the gap", _gap(outcome), said, arrays, beside=True))
    return [*charts, Chart("story", "Epsilon of Alice, of Bob, and of both", _story(outcome), end, beside=True)]


def drawn_segments(outcome: SeriesOutcome) -> Message:
    """Where the segments really lie, for the controls: a short series shortens and moves them."""
    segments = outcome.segments
    if segments is None:
        return {}
    (a_first, a_last), (b_first, b_last) = segments.a, segments.b
    lengths = {"a_length": a_last - a_first + 1, "b_length": b_last - b_first + 1}
    return {"a_first": a_first, "gap": segments.gap, **lengths}


def stack_summary(outcome: SeriesOutcome) -> str:
    """What the stacked releases cost together."""
    releases = outcome.choices.releases
    k = len(releases)
    if k == 1:
        return f"One release: ε = {amount(releases[0])}."
    *terms, together = adding_up((*releases, outcome.stacked))
    *_, most, older = adding_up((*(k * [max(releases)]), outcome.stacked_older))
    return (
        f"{k} releases by Markov quilts of the same series cost ε = {' + '.join(terms)} = {together} together (Song and "
        f"Chaudhuri 2017, Theorem III.7). The older theorem requires the same quilts at every timestamp and gives "
        f"{k} × {most} = {older}."
    )


def adding_up(numbers: Sequence[float]) -> list[str]:
    """Terms and, last, their sum: to half a per cent or better, and such that a reader who adds them gets the sum shown.

    Terms with many decimals cannot add up to the last digit; they get enough digits for their sum to round to the one shown.

    Examples
    --------
    >>> adding_up((1.0, 0.5, 1.5)), adding_up((0.333, 0.333, 0.333, 0.999)), adding_up((1 / 3, 1 / 3, 1 / 3, 1.0))
    (['1.00', '0.50', '1.50'], ['0.333', '0.333', '0.333', '0.999'], ['0.333', '0.333', '0.333', '1'])
    """
    *values, whole = numbers
    for decimals in range(2, _MOST_DECIMALS + 1):
        terms, total = [f"{value:,.{decimals}f}" for value in values], f"{whole:,.{decimals}f}"
        if _close(terms, values) and _adds_up(terms, total):
            return [*terms, total]
    total = amount(whole)
    for decimals in range(2, 13):
        terms = [f"{value:,.{decimals}f}" for value in values]
        if _close(terms, values) and _adds_up(terms, total):
            break
    return [*terms, total]


def _close(terms: Sequence[str], values: Sequence[float]) -> bool:
    return all(abs(float(_exactly(term)) - value) <= 0.005 * value for term, value in zip(terms, values, strict=True))


def _adds_up(terms: Sequence[str], total: str) -> bool:
    """Whether the terms as shown give the sum, rounded as shown."""
    whole = _exactly(total)
    return sum(map(_exactly, terms), Decimal(0)).quantize(whole, ROUND_HALF_UP) == whole


def _exactly(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def segments_sentences(outcome: SeriesOutcome) -> list[str]:
    """Where the segments lie, the one verdict on two releases from them with its reason, and what it leaves out."""
    segments = outcome.segments
    if segments is None:
        return ["The series is too short for two segments."]
    a, b = (f"timestamps {first + 1:,} to {last + 1:,}" for first, last in (segments.a, segments.b))
    one, two = amount(outcome.choices.epsilon_a), amount(outcome.choices.epsilon_b)
    gap = count(segments.gap, "move").capitalize()
    lie = "" if outcome.belief.stationary else " They are counted where they lie, as a chain remembers its start."
    said = [
        f"A: {a}, ε = {one}. B: {b}, ε = {two}. {gap} from the end of A to the start of B.{_moved(outcome, segments)}{lie}",
        _verdict(outcome, segments),
    ]
    if segments.between is not None and segments.between > segments.epsilon * (1 + _SAME):
        said.append(
            "That counts secrets within A and B. If the states between them are secrets too, it is "
            f"at most {bound(segments.between)}."
        )
    return said


def widest_gap(outcome: SeriesOutcome) -> int:
    """The most moves from A to B that fit with segments of the present lengths; 0 without segments."""
    segments = outcome.segments
    if segments is None:
        return 0
    (a_first, a_last), (b_first, b_last) = segments.a, segments.b
    return len(outcome) - (a_last - a_first) - (b_last - b_first) - 1


def _moved(outcome: SeriesOutcome, segments: Segments) -> str:
    """What was chosen but does not fit, with what is used instead."""
    c, (a_first, a_last), (b_first, b_last) = outcome.choices, segments.a, segments.b
    pairs = (
        ("the length of A", c.a_length, a_last - a_first + 1),
        ("the length of B", c.b_length, b_last - b_first + 1),
        ("the gap", c.gap, segments.gap),
        ("the start of A", c.a_first + 1, a_first + 1),
    )
    parts = [f"{name} is {used:,} instead of {chosen:,}" for name, chosen, used in pairs if used != chosen]
    if not parts:
        return ""
    return f" Not everything that was chosen fits into {count(len(outcome), 'timestamp')}: {', '.join(parts)}."


def _verdict(outcome: SeriesOutcome, segments: Segments) -> str:
    one, two = outcome.choices.epsilon_a, outcome.choices.epsilon_b
    low, high = max(one, two), one + two
    ahead, back = told(segments.forward), told(segments.backward)
    tells = f"B's first state tells {ahead} about A's last one, and A's last one {back} about B's first"
    start = "Together they guarantee ε ="
    shown = bound(segments.epsilon)
    if segments.epsilon >= high * (1 - 1e-12):
        hopeless = segments.guarantee.min() >= high * (1 - 1e-12)
        advice = "No gap that fits into the series helps." if hopeless else "Move the segments apart."
        return f"{start} {shown}, the full sum: {tells}. {advice}"
    if as_good_as_one(outcome):
        return f"{start} {shown}, as good as the larger of the two, {amount(low)}: {tells}."
    extra = bound(segments.epsilon - low)
    whole = Decimal(amount(low)) + Decimal(extra)  # what a reader gets who adds
    if float(whole) >= segments.epsilon * (1 - 1e-9):
        shown = Written(f"{whole:f}", float(whole))
    return (
        f"{start} {shown}, the larger of the two, {amount(low)}, plus a correction of at most {extra} for what the ends of "
        f"the segments tell about each other; their sum would be {amount(high)}. {tells}."
    )


def as_good_as_one(outcome: SeriesOutcome) -> bool:
    """Whether both releases together cost no more than the larger one by itself, which is the least possible."""
    low = max(outcome.choices.epsilon_a, outcome.choices.epsilon_b)
    return outcome.segments is not None and outcome.segments.epsilon <= low * (1 + _SAME)


def far_sentence(outcome: SeriesOutcome) -> str:
    """What the theorem for far-apart segments adds to the verdict: never another verdict."""
    if outcome.belief.stationary or outcome.segments is None:
        return _far(outcome)
    return f"{_far(outcome)} How the chains start matters neither to it nor to MQMApprox."


def _far(outcome: SeriesOutcome) -> str:
    segments = outcome.segments
    if segments is None:
        return ""
    low = amount(max(outcome.choices.epsilon_a, outcome.choices.epsilon_b))
    if segments.far.epsilon is not None:
        if as_good_as_one(outcome):
            return f"It applies and gives the same, ε = {low}, but only for two releases by {_APPROXIMATE}."
        return (
            f"It applies here with a smaller ε: two releases by {_APPROXIMATE} guarantee ε = {bound(segments.far.epsilon)} "
            "together. For any other mechanism, the line above applies."
        )
    if as_good_as_one(outcome):
        return (
            f"It is not needed: ε = {low} is the least that the two releases can cost, and the line above has shown "
            f"{_shown(outcome)}. "
            f"This theorem requires more: both releases by {_APPROXIMATE}, from segments long enough for their quilts. "
            "It is not applicable here, and could not give a smaller ε."
        )
    return (
        f"It is not applicable here, so the line above applies. It would give ε = {low} for two releases by "
        f"{_APPROXIMATE}, and requires both conditions below."
    )


def _shown(outcome: SeriesOutcome) -> str:
    """What the parallel theorem has shown where it is as good as the larger epsilon, to a thousandth."""
    low, segments = max(outcome.choices.epsilon_a, outcome.choices.epsilon_b), outcome.segments
    assert segments is not None
    same = segments.epsilon <= low * (1 + 1e-9)
    return "it" if same else f"it to within {bound_percent(segments.epsilon / low - 1)}"


def far_conditions(outcome: SeriesOutcome) -> list[tuple[str, bool]]:
    """What the theorem for far-apart segments requires, in plain sentences; empty if it is not needed."""
    segments = outcome.segments
    if segments is None or (segments.far.epsilon is None and as_good_as_one(outcome)):
        return []
    far, c = segments.far, outcome.choices
    sides = (
        ("A", segments.a, far.reach_a and far.reach_a[1], "after", c.epsilon_a),
        ("B", segments.b, far.reach_b and far.reach_b[0], "before", c.epsilon_b),
    )
    gap, widest = segments.gap, widest_gap(outcome)
    found: list[tuple[str, bool]] = []
    for name, (first, last), needed, where, epsilon in sides:
        if needed is None:
            helps = "" if any(_HELPS in text for text, _ in found) else _HELPS
            text = (
                f"{name} is long enough for a quilt on both sides of some timestamp. It is not: of its "
                f"{count(last - first + 1, 'timestamp')} none has one at ε = {amount(epsilon)}.{helps}"
            )
        else:
            reaches = f"which is how far a quilt in {name} reaches {where} its secret"
            fits = "" if needed <= widest else f"; with segments of these lengths, {widest:,} is the most that fits"
            missed = "" if gap >= needed else f" It is not{fits}."
            text = f"The gap of {gap:,} is at least {needed:,}, {reaches}.{missed}"
        found.append((text, needed is not None and gap >= needed))
    return found


_EDGE = {"color": GREY, "width": 1}


def _stack(outcome: SeriesOutcome) -> Figure:
    releases = outcome.choices.releases
    rows, most = ["sum (any quilts)", "K × max (same quilts)"], max(releases)
    data = []
    for k, epsilon in enumerate(releases):
        name, marker = f"release {k + 1}", {"color": (BLUE, SKY, GREEN, PURPLE)[k % 4], "line": _EDGE}
        bar = {"type": "bar", "orientation": "h", "name": name, "x": [epsilon, most], "y": rows, "marker": marker}
        data.append(bar | {"hovertemplate": f"{name}: %{{x:.3g}}<extra></extra>"})
    axis = {"autorange": "reversed", "ticks": ""}
    layout = {"barmode": "stack", "height": 170, "showlegend": False}
    return figure(data, "ε of all releases together", axis, xaxis={"rangemode": "tozero"}, **layout)


def _gap(outcome: SeriesOutcome) -> Figure:
    segments = outcome.segments
    assert segments is not None
    one, two = outcome.choices.epsilon_a, outcome.choices.epsilon_b
    ends = [1, max(2, int(segments.gaps[-1]))]
    data = [
        level(f"sum {amount(one + two)}", ends, one + two, dash="dot"),
        level(f"larger {amount(max(one, two))}", ends, max(one, two)),
        line("guarantee", {"$": "gaps"}, {"$": "guarantee"}, BLUE),
        marks("present gap", [segments.gap], [segments.epsilon], CHOSEN),
    ]
    axis = {"title": {"text": "ε together"}, "range": [0, 1.15 * (one + two)]}
    powers = [k for k in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if k <= ends[1]]
    return figure(data, "moves from A to B", axis, xaxis={"type": "log", "tickvals": powers}, height=260)


def _story(outcome: SeriesOutcome) -> Figure:
    """The bars of the story in the order in which it tells them; the page shows those told so far.

    Each bar is a trace of its own, as patterns do not take a list of colours.
    """
    story = outcome.story
    total = story.epsilon_alice + story.epsilon_bob
    bars = (
        ("Alice", story.epsilon_alice, BLUE, ""),
        ("Bob", story.epsilon_bob, BLUE, ""),
        ("their<br>sum", total, SKY, "."),
        ("both<br>together", story.epsilon_both, ORANGE, "/"),
        ("sum<br>and 2 E", story.epsilon_bound, GREEN, "x"),
    )
    bar = {"type": "bar", "textposition": "outside", "cliponaxis": False, "hoverinfo": "skip"}
    data = []
    for name, value, colour, shape in bars:
        marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}, "line": _EDGE}
        data.append(bar | {"x": [name], "y": [value], "text": [f"{value:.4f}" if value else "0"], "marker": marker})
    axis = {"title": {"text": "ε"}, "range": [0, 1.2 * max(story.epsilon_bound, 0.05)]}
    places = {"range": [-0.5, 4.5], "type": "category", "categoryarray": [name for name, *_ in bars], "tickangle": 0}
    return figure(data, "", axis, xaxis=places, height=240, showlegend=False, barmode="overlay")
