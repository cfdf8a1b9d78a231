"""Several releases together: stacked, from two segments, and two private ones that are not private together."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from lmdk_widgets.page.amounts import amount, bound, bound_percent, count, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import Written, join, sentence
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
        return sentence("One release: ε = {release_epsilon}.", release_epsilon=amount(releases[0]))
    *terms, together = adding_up((*releases, outcome.stacked))
    *_, most, older = adding_up((*(k * [max(releases)]), outcome.stacked_older))
    return sentence(
        "{n_releases} releases by Markov quilts of the same series cost ε = {terms} = {releases_together} "
        "together (Song and Chaudhuri 2017, Theorem III.7). The older theorem requires the same quilts at every "
        "timestamp and gives {n_releases} × {largest_epsilon} = {older_together}.",
        n_releases=whole(k),
        terms=" + ".join(terms),
        releases_together=together,
        largest_epsilon=most,
        older_together=older,
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
    a_first, a_last, b_first, b_last = (whole(end + 1) for end in (*segments.a, *segments.b))
    one, two = amount(outcome.choices.epsilon_a), amount(outcome.choices.epsilon_b)
    gap = Written(count(segments.gap, "move").capitalize(), segments.gap)
    lie = "" if outcome.belief.stationary else " They are counted where they lie, as a chain remembers its start."
    said = [
        sentence(
            "A: timestamps {a_first} to {a_last}, ε = {epsilon_a}. B: timestamps {b_first} to {b_last}, ε = "
            "{epsilon_b}. {gap} from the end of A to the start of B.{moved}{lie}",
            a_first=a_first,
            a_last=a_last,
            epsilon_a=one,
            b_first=b_first,
            b_last=b_last,
            epsilon_b=two,
            gap=gap,
            moved=_moved(outcome, segments),
            lie=lie,
        ),
        _verdict(outcome, segments),
    ]
    if segments.between is not None and segments.between > segments.epsilon * (1 + _SAME):
        said.append(
            sentence(
                "That counts secrets within A and B. If the states between them are secrets too, it is at most "
                "{most_between}.",
                most_between=bound(segments.between),
            )
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
    parts = [
        sentence("{name} is {used} instead of {asked}", name=name, used=whole(used), asked=whole(chosen))
        for name, chosen, used in pairs
        if used != chosen
    ]
    if not parts:
        return ""
    return sentence(
        " Not everything that was chosen fits into {timestamps}: {parts}.",
        timestamps=count(len(outcome), "timestamp"),
        parts=join(parts),
    )


def _verdict(outcome: SeriesOutcome, segments: Segments) -> str:
    one, two = outcome.choices.epsilon_a, outcome.choices.epsilon_b
    low, high = max(one, two), one + two
    ahead, back = told(segments.forward), told(segments.backward)
    tells = sentence(
        "B's first state tells {ahead} about A's last one, and A's last one {back} about B's first",
        ahead=ahead,
        back=back,
    )
    start = "Together they guarantee ε ="
    shown = bound(segments.epsilon)
    if segments.epsilon >= high * (1 - 1e-12):
        hopeless = segments.guarantee.min() >= high * (1 - 1e-12)
        advice = "No gap that fits into the series helps." if hopeless else "Move the segments apart."
        return sentence(
            "{start} {together}, the full sum: {tells}. {advice}",
            start=start,
            together=shown,
            tells=tells,
            advice=advice,
        )
    if as_good_as_one(outcome):
        return sentence(
            "{start} {together}, as good as the larger of the two, {larger}: {tells}.",
            start=start,
            together=shown,
            larger=amount(low),
            tells=tells,
        )
    extra = bound(segments.epsilon - low)
    added = Decimal(amount(low)) + Decimal(extra)  # what a reader gets who adds
    if float(added) >= segments.epsilon * (1 - 1e-9):
        shown = Written(f"{added:f}", float(added))
    return sentence(
        "{start} {together_in_parts}, the larger of the two, {larger}, plus a correction of at most {most_extra} for what "
        "the ends of the segments tell about each other; their sum would be {epsilon_sum}. {tells}.",
        start=start,
        together_in_parts=shown,
        larger=amount(low),
        most_extra=extra,
        epsilon_sum=amount(high),
        tells=tells,
    )


def as_good_as_one(outcome: SeriesOutcome) -> bool:
    """Whether both releases together cost no more than the larger one by itself, which is the least possible."""
    low = max(outcome.choices.epsilon_a, outcome.choices.epsilon_b)
    return outcome.segments is not None and outcome.segments.epsilon <= low * (1 + _SAME)


def far_sentence(outcome: SeriesOutcome) -> str:
    """What the theorem for far-apart segments adds to the verdict: never another verdict."""
    if outcome.belief.stationary or outcome.segments is None:
        return _far(outcome)
    return sentence("{far} How the chains start matters neither to it nor to MQMApprox.", far=_far(outcome))


def _far(outcome: SeriesOutcome) -> str:
    segments = outcome.segments
    if segments is None:
        return ""
    low = amount(max(outcome.choices.epsilon_a, outcome.choices.epsilon_b))
    if segments.far.epsilon is not None:
        if as_good_as_one(outcome):
            return sentence(
                "It applies and gives the same, ε = {larger}, but only for two releases by {approximate}.",
                larger=low,
                approximate=_APPROXIMATE,
            )
        return sentence(
            "It applies here with a smaller ε: two releases by {approximate} guarantee ε = {most_far} together. For "
            "any other mechanism, the line above applies.",
            approximate=_APPROXIMATE,
            most_far=bound(segments.far.epsilon),
        )
    if as_good_as_one(outcome):
        return sentence(
            "It is not needed: ε = {larger} is the least that the two releases can cost, and the line above has "
            "shown {shown}. This theorem requires more: both releases by {approximate}, from segments long enough "
            "for their quilts. It is not applicable here, and could not give a smaller ε.",
            larger=low,
            shown=_shown(outcome),
            approximate=_APPROXIMATE,
        )
    return sentence(
        "It is not applicable here, so the line above applies. It would give ε = {larger} for two releases by "
        "{approximate}, and requires both conditions below.",
        larger=low,
        approximate=_APPROXIMATE,
    )


def _shown(outcome: SeriesOutcome) -> str:
    """What the parallel theorem has shown where it is as good as the larger epsilon, to a thousandth."""
    low, segments = max(outcome.choices.epsilon_a, outcome.choices.epsilon_b), outcome.segments
    assert segments is not None
    same = segments.epsilon <= low * (1 + 1e-9)
    if same:
        return "it"
    return sentence("it to within {most_beyond_larger}", most_beyond_larger=bound_percent(segments.epsilon / low - 1))


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
            text = sentence(
                "{name} is long enough for a quilt on both sides of some timestamp. It is not: of its {segment_length} "
                "none has one at ε = {segment_epsilon}.{helps}",
                name=name,
                segment_length=count(last - first + 1, "timestamp"),
                segment_epsilon=amount(epsilon),
                helps=helps,
            )
        else:
            reaches = sentence("which is how far a quilt in {name} reaches {after} its secret", name=name, after=where)
            fits = missed = ""
            if needed > widest:
                fits = sentence(
                    "; with segments of these lengths, {widest} is the most that fits", widest=whole(widest)
                )
            if gap < needed:
                missed = sentence(" It is not{fits}.", fits=fits)
            text = sentence(
                "The gap of {gap} is at least {needed_gap}, {reaches}.{missed}",
                gap=whole(gap),
                needed_gap=whole(needed),
                reaches=reaches,
                missed=missed,
            )
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
        level(sentence("sum {epsilon_sum}", epsilon_sum=amount(one + two)), ends, one + two, dash="dot"),
        level(sentence("larger {larger}", larger=amount(max(one, two))), ends, max(one, two)),
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
