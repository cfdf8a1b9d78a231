"""The charts of the part on adding up: what the rules say and what may be true, a belief, what the best test misses."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.page.amounts import percent, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.model import TableChoices
from lmdk_widgets.pages.table.stacked_releases import CURVES, StackedReleases
from lmdk_widgets.palette import BLUE, GREY, ORANGE, SKY

FEW = 1e-4
"""A share below which a test misses hardly anyone."""


def stacked_charts(choices: TableChoices, found: StackedReleases) -> list[Chart]:
    """The rules compared with what may be true, and the belief about Donald."""
    most, both = percent(found.bound), percent(float(found.coins.after_both[0]))
    rules = "What each rule says is true if nobody depends on anyone else."
    belief = sentence(
        "Dewey's answer changes nothing: the belief stays at {belief_after_own}, the bound by Donald's budget.",
        belief_after_own=most,
    )
    if choices.correlated:
        rules = "What each rule says, and what may be true of correlated data, for those named in the table."
        belief = sentence(
            "Dewey's answer takes the belief to {belief_after_both}, above the bound of {belief_after_own} by "
            "Donald's budget.",
            belief_after_both=both,
            belief_after_own=most,
        )
    return [
        Chart("rules", "What the rules say, and what may be true", _rules_figure(choices, found), rules),
        Chart("belief", "Two coins: a belief about Donald", _belief_figure(found), belief),
        Chart("tests", "What the best test still misses", _tests_figure(found), _tests_said(choices, found)),
    ]


def _rules_figure(choices: TableChoices, found: StackedReleases) -> dict[str, Any]:
    says = [found.everybody, found.largest, 0]
    true = [found.tied, found.family, 0] if choices.correlated else says
    names = ["sequential", "parallel", "post-<br>processing"]
    pattern = {"shape": "/", "fillmode": "overlay"}
    data = [
        {"type": "bar", "name": "the rule says", "x": names, "y": says, "marker": {"color": BLUE}},
        {
            "type": "bar",
            "name": "may be true here",
            "x": names,
            "y": true,
            "marker": {"color": ORANGE, "pattern": pattern},
        },
    ]
    data = [bar | {"hovertemplate": "%{y:.3g}<extra></extra>"} for bar in data]
    return {
        "data": data,
        "layout": {"height": 280, "barmode": "group", "xaxis": {"tickangle": 0}, "yaxis": {"title": {"text": "ε"}}},
    }


def _tests_said(choices: TableChoices, found: StackedReleases) -> str:
    tenth = len(found.repeated.false_alarm) // 10
    some = [missed[tenth] for missed in found.repeated.missed]
    said = [percent(missed) if missed >= FEW else "hardly anyone" for missed in some]
    by_sum, of_answers, of_numbers, of_points = (
        sentence("{missed} ({curve})", missed=missed, curve=name)
        for missed, (_, name) in zip(said, CURVES, strict=True)
    )
    return sentence(
        "The best test of whether a person is in the data, from all releases made {repeats} times: with false "
        "alarms for {false_alarms} of others it misses {by_sum}, {of_answers}, {of_numbers}, {of_points}.",
        repeats=whole(choices.repeats),
        false_alarms=percent(found.repeated.false_alarm[tenth]),
        by_sum=by_sum,
        of_answers=of_answers,
        of_numbers=of_numbers,
        of_points=of_points,
    )


def _tests_figure(found: StackedReleases) -> dict[str, Any]:
    x = found.repeated.false_alarm
    looks = ((GREY, "longdash"), (ORANGE, "dash"), (BLUE, "solid"), (SKY, "dot"))
    data = [
        line(name, x, missed, colour, dash, hovertemplate="%{x:.2f}, %{y:.3f}<extra></extra>")
        for (_, name), missed, (colour, dash) in zip(CURVES, found.repeated.missed, looks, strict=True)
    ]
    data.append(line("guessing", [0, 1], [1, 0], GREY, "dot", hoverinfo="skip"))
    axes = [{"title": {"text": text}, "range": [-0.01, 1.01]} for text in ("false alarms", "missed")]
    return {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}


def _belief_figure(found: StackedReleases) -> dict[str, Any]:
    names = ["before", "Donald's<br>answer", "Dewey's<br>too"]
    beliefs = [float(found.coins.prior[0]), float(found.coins.after_own[0]), float(found.coins.after_both[0])]
    text = [f"{value:.3g}" for value in beliefs]
    bars = {
        "type": "bar",
        "name": "Donald is at work",
        "x": [0, 1, 2],
        "y": beliefs,
        "text": text,
        "marker": {"color": SKY},
    }
    data = [
        bars | {"textposition": "outside", "hoverinfo": "skip", "cliponaxis": False},
        line("most by ε = ln 3", [-0.5, 2.5], [found.bound] * 2, GREY, "longdash", hoverinfo="skip"),
    ]
    xaxis = {"tickvals": [0, 1, 2], "ticktext": names, "tickangle": 0, "range": [-0.5, 2.5]}
    return {
        "data": data,
        "layout": {"height": 280, "xaxis": xaxis, "yaxis": {"title": {"text": "belief"}, "range": [0, 1.1]}},
    }
