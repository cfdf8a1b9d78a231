"""The part on noise in words, tables, charts and files; its numbers are those of `neighbours`."""

from __future__ import annotations

from math import ceil, erfc, exp, floor, inf, isfinite, log, log10, sqrt
from typing import Any

from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.amounts import amount, bound, bound_odds, bound_percent, percent
from lmdk_widgets.page.answers import NOTHING, Answer, guesses, of_100
from lmdk_widgets.page.blocks import Chart, Notes, Table
from lmdk_widgets.page.figures import line
from lmdk_widgets.pages.table.model import NOISES, SURVEYS, TableChoices
from lmdk_widgets.pages.table.neighbours import (
    TRUE_SHARE,
    Noise,
    design_of,
    drawn_beliefs,
    drawn_errors,
    drawn_ratios,
    drawn_test,
    most_believed,
)
from lmdk_widgets.palette import BLUE, GREY, ORANGE, PURPLE

SIMULATION = "This page is a simulation with a known seed, not a private release."


FEW = 1e-4
"""A share below which a test misses hardly anything."""


def noise_answers(choices: TableChoices, found: Noise) -> tuple[Answer, Answer, Answer]:
    """How large the error is, what is believed after the output that was drawn, and what is promised of any output."""
    drawn = f"is the belief that {found.names[0]} after the output drawn, {drawn_said(found)}"
    line_ = f"{drawn}; {percent(choices.prior)} before."
    return (
        _useful(choices, found),
        Answer("Found", percent(found.after), line_, short="after the draw"),
        _promised(found),
    )


def _useful(choices: TableChoices, found: Noise) -> Answer:
    if choices.mechanism in SURVEYS:
        line_ = f"is the standard error of a share from 100 people; {found.needed:,} reach {percent(choices.wanted)}."
        return Answer("Useful", percent(found.deviation / 10), line_, short="error from 100 people")
    if choices.mechanism == "exponential":
        line_ = "is the chance that a district other than the most visited one is named."
        return Answer("Useful", percent(found.deviation), line_, short="wrong district")
    what = "each of the five counts" if choices.counted == "histogram" else "the count"
    line_ = f"people is the standard deviation of the noise in {what}."
    return Answer("Useful", amount(found.deviation), line_, short="people, noise in a count")


def right_guesses(found: Noise) -> float:
    """The largest chance of a right guess between two equally likely inputs: exact for Gaussian noise, else by epsilon."""
    return 1 - erfc(found.mu / sqrt(8)) / 2 if found.mu else guesses(found.epsilon)


def _promised(found: Noise) -> Answer:
    if found.epsilon == inf:
        return Answer("Promised", "nothing", "A No is certainly true: whoever says it is found.", "red", "a No is true")
    right = right_guesses(found)
    if right >= NOTHING:
        line_ = f"The release may reveal whether {found.names[0]}."
        return Answer("Promised", "nothing", line_, "red", "of one person")
    line_ = f"guesses between equally likely cases, at most, are right about whether {found.names[0]}; 50 is chance."
    return Answer("Promised", f"{of_100(right)} of 100", line_, short="guesses right at most; 50 is chance")


def noise_words(choices: TableChoices, found: Noise) -> Notes:
    """What the mechanism does, whom it protects, and where it does not."""
    sentences = (_belief(choices, found), _what(choices, found), _told_apart(choices, found), _cost(choices, found))
    paragraph = " ".join(sentences)
    return Notes(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _what(choices: TableChoices, found: Noise) -> str:
    epsilon = amount(choices.epsilon)
    if choices.mechanism in NOISES:
        how = "replaced" if choices.neighbours == "replace" else "added or removed"
        moved = "a count by 1" if found.sensitivity == 1 else "two counts by 1 each"
        return (
            f"If one person is {how}, the release changes by at most {_most_changed(found)} ({moved}): that is its "
            f"sensitivity. {_added(choices, found)}"
        )
    if choices.mechanism == "exponential":
        chance = percent(float(found.first.max()))
        return (
            f"Each district is named with a chance proportional to e^(ε u / 2), where u is the number of people there, which "
            f"one person changes by at most 1: Montmartre, with two people, with chance {chance}."
        )
    if choices.mechanism == "many":
        chance = percent(float(found.first[0]))
        return f"With ε = {epsilon}, the true one of {choices.answers} answers is given with chance {chance}."
    design = design_of(choices)
    return (
        f"Someone whose true answer is Yes says Yes with chance {percent(design.yes_if_yes)}, someone whose answer is No "
        f"with {percent(design.yes_if_no)}{'' if found.epsilon == inf else f': ε = {amount(found.epsilon)}'}."
    )


def _most_changed(found: Noise) -> str:
    """The sensitivity: a whole number, or the distance that two counts make."""
    return f"{found.sensitivity:g}" if found.sensitivity in (1, 2) else "√2"


def _added(choices: TableChoices, found: Noise) -> str:
    what = "each of five counts" if choices.counted == "histogram" else "the count"
    changed = _most_changed(found)
    if found.mu:
        return (
            f"Gaussian noise of standard deviation σ = {amount(found.scale)} is added to {what}, so the two inputs are "
            f"μ = {changed} / {amount(found.scale)} = {amount(found.mu)} standard deviations apart."
        )
    kind = "Laplace" if choices.mechanism == "laplace" else "Two-sided geometric"
    scale = f"{changed} / {amount(choices.epsilon)} = {amount(found.scale)}"
    return f"{kind} noise of scale {scale} is added to {what}.{_rounded(choices, found)}"


def _rounded(choices: TableChoices, found: Noise) -> str:
    if choices.mechanism != "laplace":
        return ""
    right, below = 1 - exp(-0.5 / found.scale), exp(-2 / found.scale) / 2
    return f" The noisy 2 rounds to 2 with chance {percent(right)} and is below 0 with {percent(below)}."


def _told_apart(choices: TableChoices, found: Noise) -> str:
    if found.mu:
        times = bound_odds(found.epsilon)
        return (
            f"At ε = {amount(found.epsilon)}, its δ is {bound(found.delta)}: the chance of any set of outputs for one of the "
            f"two inputs is at most e^ε = {times} times that for the other, plus δ. There is no ε with δ = 0: with chance "
            f"{percent(found.beyond)}, an output is more than e^ε times likelier for the true input than for the other, and "
            "far out the ratio has no bound."
        )
    if not isfinite(found.largest):
        return f"The two inputs differ without bound {found.where}: that answer proves the truth."
    one = " in this bar" if found.sensitivity == 2 else ""
    how_much = f"up to {factor_of(found.largest)} times{one}"
    text = f"An output is {how_much} likelier for one of the two inputs than for the other, {found.where}."
    if found.sensitivity == 2:
        text += (
            f" The bar of Opéra changes too; for both together, it is up to e^ε = {bound_odds(found.epsilon)} times."
        )
    return text


def factor_of(ratio: float) -> str:
    """A ratio to follow "up to"."""
    return bound_odds(log(ratio)) if ratio >= 1e5 else bound(ratio)


def _belief(choices: TableChoices, found: Noise) -> str:
    before, most = percent(choices.prior), most_believed(choices.prior, found.up)
    if found.epsilon == inf:
        return f"After a No, no doubt is left; after a Yes, a belief of {before} in a true Yes becomes {percent(most)}."
    if found.mu:
        most = most_believed(choices.prior, found.epsilon)
        but = f", except for outputs that come with chance {bound_percent(found.beyond)} or less"
        return f"A belief of {before} that {found.names[0]} becomes at most {bound_percent(most)}{but}."
    return f"A belief of {before} that {found.names[0]} becomes at most {bound_percent(most)}."


def _cost(choices: TableChoices, found: Noise) -> str:
    wanted = percent(choices.wanted)
    if choices.mechanism == "exponential":
        return (
            f"The choice is wrong with chance {percent(found.deviation)}. With the same shares, {found.needed:,} people "
            f"make a wrong choice no likelier than {wanted}."
        )
    if choices.mechanism in SURVEYS:
        what = "Yes" if choices.mechanism != "many" else "the first answer"
        return (
            f"If {percent(TRUE_SHARE)} would truly say {what}, the estimate from 100 people has a standard error of "
            f"{percent(found.deviation / 10)}; one of {wanted} takes {found.needed:,} people."
        )
    return (
        f"The noise has a standard deviation of {amount(found.deviation)} people; as a share of everybody, that is {wanted} "
        f"or less from {found.needed:,} people on."
    )


def _guarantee(choices: TableChoices, found: Noise) -> str:
    if found.epsilon == inf:
        return (
            "What is protected: nothing about those who say No, as that is certainly true; a Yes leaves doubt. This is "
            "not differentially private, whatever the coin. " + SIMULATION
        )
    if choices.mechanism in SURVEYS:
        what, who = "the answer of each person", "everyone, including the one who asks (the local model)"
        need = "each answers once, and nobody's true answer depends on another's"
    else:
        there = "whether one person is in the table" if choices.neighbours == "add" else "where one person is"
        what, who = there, "everyone who sees the release, whatever else they know"
        need = "a person is in one district, one release is made, and nobody's place depends on another's"
    delta = f" and δ = {bound(found.delta)}" if found.mu else ""
    return (
        f"What is protected: {what}, with ε = {bound(found.epsilon)}{delta}. Against whom: {who}. Under which assumption: "
        f"{need}. {SIMULATION}"
    )


def _warnings(choices: TableChoices, found: Noise) -> list[str]:
    said = []
    if choices.mechanism == "truthfully-or-yes":
        said.append("Not differentially private: nobody whose true answer is Yes says No, so a No is certainly true.")
    if choices.neighbours == "replace" and choices.mechanism not in SURVEYS:
        said.append(
            "The number of people counts as known: replacing hides where a person is, not that the person is there."
        )
    return said


def drawn_said(found: Noise) -> str:
    """The output that was drawn for the first input."""
    if found.labels:
        return found.labels[int(found.drawn)]
    return amount(found.drawn) if found.smooth else f"{found.drawn:,.0f}"


def noise_table(choices: TableChoices, found: Noise) -> Table:
    """The mechanism in numbers: name, value, meaning."""
    epsilon = "no bound" if found.epsilon == inf else amount(found.epsilon)
    rows = [("ε of the release", epsilon, "e^ε bounds every ratio of chances")]
    if found.mu:
        rows = [("ε", epsilon, "as chosen"), ("δ at this ε", bound(found.delta), "above 0 at every ε")]
    if found.sensitivity:
        kept = "replacing one person" if choices.neighbours == "replace" else "adding or removing one person"
        distance = ", as a distance" if found.mu else ""
        rows.append(("sensitivity", _most_changed(found), f"the most that {kept} changes{distance}"))
    if found.mu:
        rows.append(("σ, the standard deviation", amount(found.scale), "as chosen"))
        rows.append(("μ", amount(found.mu), "sensitivity / σ"))
        rows.append(("chance of a larger ratio than e^ε", percent(found.beyond), "for the true input"))
    elif found.scale:
        rows.append(("scale of the noise", amount(found.scale), "sensitivity / ε"))
    largest = "no bound" if found.largest == inf else amount(found.largest)
    most = bound_percent(most_believed(choices.prior, found.up))
    rows += [
        ("largest ratio drawn" if not found.mu else "largest ratio", largest, found.where),
        ("belief, at most", most, f"from {percent(choices.prior)}"),
        ("after the output drawn", percent(found.after), f"output: {drawn_said(found)}"),
    ]
    return Table.of_texts("The mechanism in numbers", ("what", "here", "meaning"), rows)


def noise_charts(choices: TableChoices, found: Noise) -> list[Chart]:
    """What two inputs make likely, how many times likelier, what a belief can become, and how many people it takes."""
    kind = "density" if found.smooth else "chance"
    ratio = "unbounded" if found.largest == inf else f"{amount(found.largest)}, {found.where}"
    if found.mu:
        ratio = f"unbounded, and beyond e^ε with chance {percent(found.beyond)}"
    most = bound_percent(most_believed(choices.prior, found.epsilon if found.mu else found.up))
    but = ", except after outputs beyond e^ε" if found.mu else ""
    needed = "" if found.needed is None else f"{found.needed:,} people reach {percent(choices.wanted)}."
    error = "The chance of a wrong choice" if choices.mechanism == "exponential" else "The standard error of a share"
    beyond = "" if found.outputs[0] <= found.drawn <= found.outputs[-1] else ", beyond the end of the chart"
    outputs = (
        f"The {kind} of each output for two neighbouring inputs; the diamond is one draw, {drawn_said(found)}{beyond}."
    )
    ratios = f"How many times likelier an output is for one of them, on a log scale. The largest ratio is {ratio}."
    belief = f"The most and the least that a belief can become{but}: {percent(choices.prior)}, at most {most}."
    people = f"{error} falls with the number of people; {needed}"
    return [
        Chart("outputs", "What two neighbouring inputs make likely", _outputs_figure(found), outputs),
        Chart("ratio", "How many times likelier", _ratio_figure(found), ratios),
        Chart("belief", "What a belief can become", _belief_figure(choices, found), belief),
        _tests(found),
        Chart("people", "Error, and how many people it takes", _people_figure(choices, found), people),
    ]


_DIAMOND = {"symbol": "diamond", "size": 12, "color": PURPLE, "line": {"width": 1.5, "color": GREY}}


def _outputs_figure(found: Noise) -> dict[str, Any]:
    x, data = found.outputs.tolist(), []
    looks = ((found.first, BLUE, "solid", ""), (found.second, ORANGE, "dash", "/"))
    for name, (chances, colour, dash, shape) in zip(found.names, looks, strict=True):
        if found.smooth:
            data.append(line(name, x, chances.tolist(), colour, dash, hoverinfo="skip"))
        else:
            marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}}
            bars = {"type": "bar", "name": name, "x": x, "y": chances.tolist(), "marker": marker}
            data.append(bars | {"hovertemplate": "%{y:.4f}<extra></extra>"})
    drawn = {
        "type": "scatter",
        "mode": "markers",
        "name": "one draw",
        "x": [min(max(found.drawn, x[0]), x[-1])],
        "y": [0],
        "marker": _DIAMOND,
    }
    data.append(drawn | {"hoverinfo": "skip", "cliponaxis": False})
    unit = "density" if found.smooth else "chance"
    return {
        "data": data,
        "layout": {"height": 280, "xaxis": _axis(found), "yaxis": {"title": {"text": unit}, "rangemode": "tozero"}},
    }


def _axis(found: Noise) -> dict[str, Any]:
    if not found.labels:
        return {"title": {"text": "output"}, "range": [float(found.outputs[0]), float(found.outputs[-1])]}
    short = [label.removeprefix("answer ") for label in found.labels]
    return {
        "tickvals": found.outputs.tolist(),
        "ticktext": short,
        "ticklabeloverflow": "allow",
        "range": [-0.6, len(short) - 0.4],
    }


def _ratio_figure(found: Noise) -> dict[str, Any]:
    ratios, limits = drawn_ratios(found)
    x, data = found.outputs.tolist(), []
    if found.smooth:
        data.append(line("ratio", x, ratios.tolist(), BLUE, hoverinfo="skip"))
    else:
        marks = {"type": "scatter", "mode": "markers", "name": "ratio", "x": x, "y": ratios.tolist()}
        data.append(marks | {"marker": {"color": BLUE, "size": 9}, "hovertemplate": "%{y:.4g}<extra></extra>"})
    ends = [x[0] - 0.5, x[-1] + 0.5]
    most = float(max(ratios.max(), 1 / ratios.min()))
    if limits is not None:
        most = max(most, limits[0])
        data += [
            line("e^ε", ends, [limits[0]] * 2, GREY, "longdash", hoverinfo="skip"),
            line("e^−ε", ends, [limits[1]] * 2, GREY, "dot", hoverinfo="skip"),
        ]
    reach = max(0.05, 1.15 * log10(most))
    axis = {"type": "log", "title": {"text": "ratio"}, "range": [-reach, reach]} | _ticks(reach)
    return {"data": data, "layout": {"height": 240, "xaxis": _axis(found), "yaxis": axis}}


def _ticks(reach: float) -> dict[str, Any]:
    """Round ratios on both sides of 1, few enough for the axis."""
    powers = (
        (1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000, 1e6) if reach > 0.35 else (1, 1.02, 1.05, 1.1, 1.2, 1.5, 2)
    )
    values = [v for v in powers if log10(v) <= reach]
    values = values[:: ceil(len(values) / 5)]
    words = [f"{v:g}" for v in values] + [f"1/{v:g}" for v in values[1:]]
    return {"tickvals": values + [1 / v for v in values[1:]], "ticktext": words}


def _belief_figure(choices: TableChoices, found: Noise) -> dict[str, Any]:
    x, up, down = drawn_beliefs(found)
    prior = choices.prior
    mark = {"type": "scatter", "mode": "markers", "marker": {"size": 11, "color": BLUE, "symbol": "circle"}}
    data = [
        line("at most", x, up, BLUE, hoverinfo="skip"),
        line("at least", x, down, ORANGE, "dash", hoverinfo="skip"),
        line("unchanged", [0, 1], [0, 1], GREY, "dot", hoverinfo="skip"),
        mark
        | {"name": "this belief", "x": [prior], "y": [most_believed(prior, found.epsilon if found.mu else found.up)]},
        mark | {"name": "after the draw", "x": [prior], "y": [found.after], "marker": _DIAMOND},
    ]
    axes = [{"title": {"text": f"belief {when}"}, "range": [-0.01, 1.01]} for when in ("before", "after")]
    return {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}


def _tests(found: Noise) -> Chart:
    """What the best test of the whole release misses, and what epsilon and delta alone would allow."""
    alarms, missed, allowed = drawn_test(found)
    x, tenth = alarms.tolist(), len(alarms) // 10
    least = float(missed[tenth])
    told = percent(least) if least >= FEW else "hardly any"
    said = f"The best test of whether {found.names[0]}: with {percent(x[tenth])} false alarms, it misses {told}."
    data = [line("best test", x, missed.tolist(), BLUE, hovertemplate="%{x:.2f}, %{y:.3f}<extra></extra>")]
    if allowed is not None:
        name = "ε and δ allow" if found.mu else "ε allows"
        data.append(line(name, x, allowed.tolist(), ORANGE, "dash", hoverinfo="skip"))
    data.append(line("guessing", [0, 1], [1, 0], GREY, "dot", hoverinfo="skip"))
    axes = [{"title": {"text": text}, "range": [-0.01, 1.01]} for text in ("false alarms", "missed")]
    figure = {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}
    return Chart("tests", "What the best test still misses", figure, said)


def _people_figure(choices: TableChoices, found: Noise) -> dict[str, Any]:
    needed = found.needed or 1
    n, errors = drawn_errors(choices, found)
    data = [
        line("error", n.tolist(), errors.tolist(), BLUE, hovertemplate="%{x:.3g} people: %{y:.3g}<extra></extra>"),
        line("wanted", [1, float(n[-1])], [choices.wanted] * 2, GREY, "longdash", hoverinfo="skip"),
        {
            "type": "scatter",
            "mode": "markers",
            "name": "people needed",
            "x": [needed],
            "y": [choices.wanted],
            "marker": _DIAMOND,
        },
    ]
    top = min(0.7, log10(float(errors.max())) + 0.2)
    low = min(log10(choices.wanted), top) - 0.5
    ticks = [10.0**k for k in range(floor(low), ceil(top) + 1)]
    yaxis = {
        "type": "log",
        "title": {"text": "error"},
        "range": [low, top],
        "tickvals": ticks,
        "ticktext": [f"{t:g}" for t in ticks],
    }
    people = [10.0**k for k in range(ceil(log10(float(n[-1]))) + 1)]
    xaxis = {"type": "log", "title": {"text": "people"}, "tickvals": people, "ticktext": [_short(p) for p in people]}
    return {"data": data, "layout": {"height": 300, "xaxis": xaxis, "yaxis": yaxis}}


def _short(people: float) -> str:
    return f"{people:,.0f}" if people < 1e4 else f"10^{log10(people):.0f}"


def noise_csv(_choices: TableChoices, found: Noise) -> str:
    """Each output that is drawn, with its probability, or density, for the two neighbouring inputs."""
    outputs = found.labels or found.outputs
    what = "density" if found.smooth else "probability"
    columns = {
        "output": outputs,
        f"{what} if {found.names[0]}": found.first,
        f"{what} if {found.names[1]}": found.second,
    }
    return table_csv(columns, note=NOTE)
