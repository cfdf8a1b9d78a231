"""Settings side by side on the series page: the present one, the pinned one and a proposed mechanism.

The proposal is the mechanism with the least noise of those that protect at this epsilon, if that is noticeably less than the
present one's; if the present one promises nothing, whatever its noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.answers import guesses
from lmdk_widgets.page.blocks import Act, Card, Cards, Chart
from lmdk_widgets.page.cards import CHANCE, NOTICED, USE, compared, side_by_side, titled
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.words import said
from lmdk_widgets.pages.series.evaluate import with_mechanism
from lmdk_widgets.pages.series.mechanisms import histogram_chart, title
from lmdk_widgets.pages.series.model import SETTING
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.words import first_answers

ASSUMES = (
    f"A promise holds between two equally likely states, for anyone who believes one of its setting's chains; {CHANCE}"
)
PROPOSED = "The least noise of the mechanisms that protect at this epsilon."
NONE_SAID = "No other mechanism that protects at this epsilon needs noticeably less noise."

_HIGH = 170
"""Height in pixels of the chart on a card."""

_ROOM = 0.05
"""The share of its height that stays free above and below."""


def setting_cards(outcome: SeriesOutcome) -> Cards:
    """The cards of the page."""
    better = proposed(outcome)
    kept = None if outcome.beside is None else _card("Pinned", outcome.beside, outcome, Act(USE, {"op": "swap"}))
    found: Card | str = NONE_SAID
    if better is not None:
        go = {"op": "set", "name": "mechanism", "value": better.choices.mechanism}
        found = replace(_card("Proposed", better, outcome, Act(USE, go)), said=PROPOSED)
    return side_by_side(_card("Now", outcome, outcome), kept, found, ASSUMES)


def proposed(outcome: SeriesOutcome) -> SeriesOutcome | None:
    """The same setting with the proposed mechanism; None if none is noticeably better.

    Examples
    --------
    >>> from lmdk_widgets.pages.series import SeriesChoices, evaluate
    >>> proposed(evaluate(SeriesChoices(source="binary", mechanism="group"))).choices.mechanism
    'exact'
    """
    present = outcome.method(outcome.choices.mechanism)
    useless = present.noise is None or not present.protects
    most = math.inf if useless or present.noise is None else NOTICED * present.noise
    others = [m for m in outcome.methods if m.name != present.name and m.protects and m.noise is not None]
    found = [(m.noise, k, m.name) for k, m in enumerate(others) if m.noise is not None and m.noise <= most]
    return with_mechanism(outcome, min(found)[2]) if found else None


def _told(outcome: SeriesOutcome, now: SeriesOutcome) -> str:
    """A setting in one line: its mechanism, its epsilon, and where the pinned one and the present one differ."""
    choices, kinds, other = outcome.choices, type(outcome.choices).kinds(), now.beside
    differing = [name for name in SETTING[2:] if other is not None and other.choices[name] != now.choices[name]]
    more = [
        f"{kinds[name].label[:1].lower()}{kinds[name].label[1:]} {said(kinds[name], choices[name])}"
        for name in differing
    ]
    return ", ".join([title(choices.mechanism), f"epsilon {choices.epsilon:.4g}", *more])


def _card(name: str, outcome: SeriesOutcome, now: SeriesOutcome, act: Act | None = None, picture: str = "") -> Card:
    about, answers = _told(outcome, now), first_answers(outcome)
    return Card(name, about, answers, act=act, values=_values(outcome), picture=picture)


def _values(outcome: SeriesOutcome) -> dict[str, Any]:
    """The values of a setting for a file."""
    choices, method = outcome.choices, outcome.method(outcome.choices.mechanism)
    first, last = outcome.nearby
    return {
        "mechanism": choices.mechanism,
        "epsilon": choices.epsilon,
        "noise_timestamps": outcome.moved,
        "nearby": last - first + 1,
        "promised_if_equally_likely": guesses(choices.epsilon) if method.protects and method.noise is not None else 1.0,
        "right_by_belief_alone": outcome.belief.right_alone,
    }


def small_charts(outcome: SeriesOutcome) -> Message:
    """The histogram of each card, by the name of the card, in plain values."""
    each = compared(outcome, proposed(outcome))
    ends = _ends(each.values())
    return {name: dict(_small(one, ends).alone().figure) for name, one in each.items()}


def _small(outcome: SeriesOutcome, ends: list[float]) -> Chart:
    """The histogram of a card, from one end to the other."""
    chart = histogram_chart(outcome)
    layout = {**chart.figure["layout"], "height": _HIGH, "showlegend": False}
    layout |= {"xaxis": {"tickvals": [], "ticktext": []}, "yaxis": {"range": ends}}
    return replace(chart, figure={**chart.figure, "layout": layout})


def _ends(each: Iterable[SeriesOutcome]) -> list[float]:
    """The lowest and the highest of all bars and whiskers, so that all histograms have the same scale."""
    drawn = [one.histogram for one in each]
    known = [values for h in drawn for values in (h.true, h.released, h.low, h.high) if values is not None]
    low, high = min(0.0, *(float(v.min()) for v in known)), max(float(v.max()) for v in known)
    return [low - _ROOM * (high - low), high + _ROOM * (high - low)]


def report_cards(outcome: SeriesOutcome) -> Cards:
    """The cards of a report, each with a small histogram if there are several."""
    each = compared(outcome, proposed(outcome))
    ends, several = _ends(each.values()), len(each) > 1
    pictures = {name: _small(one, ends).html() if several else "" for name, one in each.items()}
    return titled([_card(name, one, outcome, picture=pictures[name]) for name, one in each.items()], ASSUMES)


def cards_csv(outcome: SeriesOutcome) -> str:
    """The compared settings, one row each: `mechanism`, `epsilon`, `noise_timestamps` (by which a released bar is off on
    average), `nearby` (timestamps that are hidden with the chosen one), `promised_if_equally_likely` (the largest chance of
    a right guess between two equally likely states), `right_by_belief_alone` (the largest without a release)."""
    return report_cards(outcome).csv(note=NOTE, digits=7)
