"""The part on noise in plain sentences: how far an output can move a belief, for whom, and what it costs."""

from __future__ import annotations

from math import exp, inf, isfinite, log

from lmdk_widgets.scenario.base.amounts import amount, bound, bound_percent, percent
from lmdk_widgets.scenario.base.odds import bound_odds
from lmdk_widgets.scenario.base.words import Words
from lmdk_widgets.scenario.foundations.model import SURVEYS, Foundations
from lmdk_widgets.scenario.foundations.noise import TRUE_SHARE, Noise, design_of, most_believed

SIMULATION = "This page is a simulation with a known seed, not a private release."


def noise_words(choices: Foundations, found: Noise) -> Words:
    """What the mechanism does, whom it protects, and where it does not."""
    sentences = (_belief(choices, found), _what(choices, found), _told_apart(choices, found), _cost(choices, found))
    paragraph = " ".join(sentences)
    return Words(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _what(choices: Foundations, found: Noise) -> str:
    epsilon = amount(choices.epsilon)
    if choices.mechanism in ("laplace", "geometric"):
        what = "each of five counts" if choices.counted == "histogram" else "the count"
        how = "replaced" if choices.neighbours == "replace" else "added or removed"
        kind = "Laplace" if choices.mechanism == "laplace" else "Two-sided geometric"
        moved = "a count by 1" if found.sensitivity == 1 else "two counts by 1 each"
        return (
            f"Where one person is {how}, the release changes by at most {found.sensitivity} ({moved}): that is its "
            f"sensitivity. {kind} noise of scale {found.sensitivity} / {epsilon} = "
            f"{amount(found.scale)} is added to {what}.{_rounded(choices, found)}"
        )
    if choices.mechanism == "exponential":
        chance = percent(float(found.first.max()))
        return (
            f"Each district is named with chance proportional to e^(ε u / 2), u the people there, which one person changes "
            f"by at most 1: Montmartre, with two people, with chance {chance}."
        )
    if choices.mechanism == "many":
        chance = percent(float(found.first[0]))
        return f"With ε = {epsilon} the true one of {choices.answers} answers is given with chance {chance}."
    design = design_of(choices)
    return (
        f"Who would truly say Yes says it with chance {percent(design.yes_if_yes)}, who would truly say No with "
        f"{percent(design.yes_if_no)}{'' if found.epsilon == inf else f': ε = {amount(found.epsilon)}'}."
    )


def _rounded(choices: Foundations, found: Noise) -> str:
    if choices.mechanism != "laplace":
        return ""
    right, below = 1 - exp(-0.5 / found.scale), exp(-2 / found.scale) / 2
    return f" The noisy 2 rounds to 2 with chance {percent(right)} and is below 0 with {percent(below)}."


def _told_apart(choices: Foundations, found: Noise) -> str:
    if not isfinite(found.largest):
        return f"The two inputs differ without bound {found.where}: that answer proves the truth."
    one = " in this bar" if found.sensitivity == 2 else ""
    times = f"up to {factor_of(found.largest)} times{one}"
    text = f"An output is {times} likelier for one of the two inputs than for the other, {found.where}."
    if found.sensitivity == 2:
        text += (
            f" The bar of Opéra changes as well, and both together tell up to e^ε = {bound_odds(found.epsilon)} times."
        )
    return text


def factor_of(ratio: float) -> str:
    """A ratio behind "up to"."""
    return bound_odds(log(ratio)) if ratio >= 1e5 else bound(ratio)


def _belief(choices: Foundations, found: Noise) -> str:
    before, most = percent(choices.prior), most_believed(choices.prior, found.up)
    if found.epsilon == inf:
        return f"After a No nobody doubts any more; after a Yes a belief of {before} in a true Yes becomes {percent(most)}."
    return f"A belief of {before} that {found.names[0]} becomes at most {bound_percent(most)}."


def _cost(choices: Foundations, found: Noise) -> str:
    wanted = percent(choices.wanted)
    if choices.mechanism == "exponential":
        return (
            f"The choice is wrong with chance {percent(found.deviation)}. With the same shares of people {found.needed:,} of "
            f"them make a wrong choice no likelier than {wanted}."
        )
    if choices.mechanism in SURVEYS:
        what = "Yes" if choices.mechanism != "many" else "the first answer"
        return (
            f"Where {percent(TRUE_SHARE)} would truly say {what}, the estimate from 100 people has a standard error of "
            f"{percent(found.deviation / 10)}; one of {wanted} takes {found.needed:,} people."
        )
    return (
        f"The noise has a standard deviation of {amount(found.deviation)} people; as a share of everybody that is {wanted} "
        f"or less from {found.needed:,} people on."
    )


def _guarantee(choices: Foundations, found: Noise) -> str:
    if found.epsilon == inf:
        return (
            "What is protected: nothing of those who say No, as their answer is certainly true; a Yes leaves doubt. This is "
            "not differentially private, whatever the coin. " + SIMULATION
        )
    if choices.mechanism in SURVEYS:
        what, who = "the answer of each person", "everybody, the one who asks among them (the local model)"
        need = "each answers once, and nobody's true answer depends on another's"
    else:
        there = "whether one person is in the table" if choices.neighbours == "add" else "where one person is"
        what, who = there, "everybody who sees the release, whatever else they know"
        need = "a person is in one district, one release is made, and nobody's place depends on another's"
    return (
        f"What is protected: {what}, with ε = {bound(found.epsilon)}. Against whom: {who}. Under which assumption: {need}. "
        f"{SIMULATION}"
    )


def _warnings(choices: Foundations, found: Noise) -> list[str]:
    said = []
    if choices.mechanism == "truthfully-or-yes":
        said.append(
            "Not differentially private: a No is never said by who would truly say Yes, so a No is certainly true."
        )
    if choices.neighbours == "replace" and choices.mechanism not in SURVEYS:
        said.append(
            "The number of people counts as known: replacing hides where somebody is, not that somebody is there."
        )
    return said


def noise_rows(choices: Foundations, found: Noise) -> list[list[str]]:
    """The mechanism in numbers: name, value, meaning."""
    rows = [
        [
            "ε of the release",
            "no bound" if found.epsilon == inf else amount(found.epsilon),
            "e^ε bounds every ratio of chances",
        ]
    ]
    if found.sensitivity:
        kept = "replacing one person" if choices.neighbours == "replace" else "adding or removing one person"
        rows.append(["sensitivity", str(found.sensitivity), f"the most that {kept} changes"])
    if found.scale:
        rows.append(["scale of the noise", amount(found.scale), "sensitivity / ε"])
    largest = "no bound" if found.largest == inf else amount(found.largest)
    rows.append(["largest ratio drawn", largest, found.where])
    rows.append(
        [
            "belief, at most",
            bound_percent(most_believed(choices.prior, found.up)),
            f"from {percent(choices.prior)}",
        ]
    )
    rows.append(["after the output drawn", percent(found.after), f"output: {drawn_said(found)}"])
    return rows


def drawn_said(found: Noise) -> str:
    """The output that was drawn for the first input."""
    if found.labels:
        return found.labels[int(found.drawn)]
    return amount(found.drawn) if found.smooth else f"{found.drawn:,.0f}"


def chart_summaries(choices: Foundations, found: Noise) -> dict[str, str]:
    """The charts in words."""
    kind = "density" if found.smooth else "chance"
    ratio = "without bound" if found.largest == inf else f"{amount(found.largest)}, {found.where}"
    most = most_believed(choices.prior, found.up)
    needed = "" if found.needed is None else f"{found.needed:,} people reach {percent(choices.wanted)}."
    error = "The chance of a wrong choice" if choices.mechanism == "exponential" else "The standard error of a share"
    return {
        "outputs": f"The {kind} of each output for two neighbouring inputs; the diamond is one draw, {drawn_said(found)}"
        f"{'' if found.outputs[0] <= found.drawn <= found.outputs[-1] else ', beyond the end of the chart'}.",
        "ratio": f"How many times likelier an output is for one of them, on a log scale. The largest ratio is {ratio}.",
        "belief": f"What a belief becomes at most and at least: {percent(choices.prior)}, at most {bound_percent(most)}.",
        "people": f"{error} falls with the number of people; {needed}",
    }
