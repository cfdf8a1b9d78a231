"""The part on adding up as the page gets it: the stack of releases, the rules, and their charts."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.figures import BLUE, GREY, ORANGE, SKY, line
from lmdk_widgets.pages.foundations.adding import Adding, adding_summaries, rule_rows
from lmdk_widgets.pages.foundations.model import MAX_RELEASES, SOURCES, Foundations

Figure = dict[str, Any]


def adding_text(choices: Foundations, found: Adding) -> dict[str, Any]:
    """What changes in words and in the stack."""
    stack, start = [], [0.0] * len(SOURCES)
    start[1:] = [found.everybody] * (len(SOURCES) - 1)  # the parts lie beside each other, behind what everybody pays
    for epsilon, source in zip(choices.releases, map(int, choices.sources), strict=True):
        stack.append({"epsilon": epsilon, "source": source, "start": start[source], "said": amount(epsilon)})
        start[source] += epsilon
    return {
        "rows": rule_rows(choices, found),
        "stack": stack,
        "sources": list(SOURCES),
        "budget": choices.budget,
        "together": found.together,
        "left": found.left,
        "ends": f"ε = {amount(found.together)} of {amount(choices.budget)}",
        "most": MAX_RELEASES,
    }


def adding_figures(choices: Foundations, found: Adding) -> dict[str, Any]:
    """Every chart with the sentence that says what it shows."""
    summaries = adding_summaries(choices, found)
    figures = {"rules": _rules(choices, found), "belief": _belief(found)}
    return {name: {"figure": figure, "summary": summaries[name]} for name, figure in figures.items()}


def _rules(choices: Foundations, found: Adding) -> Figure:
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


def _belief(found: Adding) -> Figure:
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
