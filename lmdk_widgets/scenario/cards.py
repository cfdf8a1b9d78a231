"""A scenario and an outcome as a notebook shows them: on one small card, and in a line or two of text.

Both import this file, which knows them by their attributes.
"""

from __future__ import annotations

from typing import Any

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import bound, count
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.page.words import said, settings_rows
from lmdk_widgets.trajectory.card import card

MAIN = ("track", "landmarks", "scheme", "epsilon", "target", "radius_m", "mechanism", "correlation")
"""Choices that are shown even at their default."""


class ScenarioCard:
    """How a scenario is shown."""

    def _repr_html_(self: Any) -> str:
        return scenario_card(self)


class OutcomeCard:
    """How an outcome is shown."""

    def __repr__(self: Any) -> str:
        return outcome_line(self)

    def _repr_html_(self: Any) -> str:
        return outcome_card(self)


def scenario_card(scenario: Any) -> str:
    """The main choices, and those that differ from the defaults, if they have an effect."""
    start, seen = scenario.defaults(), {*scenario.visible(), "landmarks"}
    kinds = scenario.kinds()
    more = [name for name in start if getattr(scenario, name) != start[name] and kinds[name].label]
    names = [name for name in dict.fromkeys([*MAIN, *more]) if name in seen]
    return card("Scenario", [(label, value) for label, value in settings_rows(scenario, names)])


def outcome_line(outcome: Any) -> str:
    """Two lines: the data with the scheme, and the numbers that count."""
    rows = [f"{name} {value}" for name, value in _numbers(outcome)]
    return f"Outcome({outcome.trajectory!r}, {scheme_told(outcome.scenario)}:\n  {'; '.join(rows)})"


def outcome_card(outcome: Any) -> str:
    """The data, the scheme, and the numbers that count."""
    name = outcome.trajectory.name or f"A {outcome.kind.data}"
    rows = [("timestamps", f"{len(outcome):,}"), ("scheme", scheme_told(outcome.scenario)), *_numbers(outcome)]
    return card(name, rows, f"{NOTE.capitalize()}; errors are computed from the true data.")


def scheme_told(scenario: Any) -> str:
    """The scheme, and what it spends: "Uniform, epsilon 1"."""
    kinds = scenario.kinds()
    title = said(kinds["scheme"], scenario.scheme)
    if scenario.spread.by_hand:
        return title
    spent = scenario.spread.spent
    return f"{title}, {spent} {getattr(scenario, spent):.6g}"


def _numbers(outcome: Any) -> list[tuple[str, str]]:
    scenario = outcome.scenario
    chain = said(scenario.kinds()["correlation"], scenario.correlation)
    error = sentence(
        "{mean_error} ({draws})",
        mean_error=outcome.ground.write(outcome.mean_error_m),
        draws="100 draws" if scenario.average else "one draw",
    )
    loss, how = "largest loss", sentence("correlation: {chain}", chain=chain)
    if scenario.correlation != "none":
        kind, loss = outcome.kind, "largest what-if loss"
        how = join((how, kind.one_number(scenario), kind.supposed), "; ")
    most = sentence("{most_lost} ({how})", most_lost=bound(float(outcome.total.max())), how=how)
    found: list[tuple[str, str]] = [("mean error", error), (loss, most)]
    if scenario.landmarks:
        with_any = "{most_with_landmarks} with any one timestamp"
        spent = sentence(with_any, most_with_landmarks=bound(float(outcome.totals.max())))
        spend = "spends" if len(outcome.protected) == 1 else "spend"
        who = sentence("{protected} {spend}", protected=count(len(outcome.protected), "landmark"), spend=spend)
        found.append((who, spent))
    return found
