"""Where the guarantee of an outcome of the landmark page does not hold, or is not worth much."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.scenario.base.amounts import amount, bound, bound_percent, count
from lmdk_widgets.scenario.landmarks.assumption_words import WIDE, stretched
from lmdk_widgets.scenario.landmarks.outcome import HALF_EARTH_M, Outcome

SLACK = 1e-9
"""Relative slack in comparisons of sums that are equal but for rounding."""

TELLING = 3.0
"""A log-ratio from which on a report tells neighbouring cells apart nearly every time: e^3 is 20 to 1."""


def warnings(outcome: Outcome) -> list[str]:
    scenario = outcome.scenario
    found = [
        "This is a simulation, not a private release: whoever has its seed and these points can work out the true track."
    ]
    found += _overrun_warning(outcome)
    if scenario.correlation != "none":
        found += _correlation_warnings(outcome)
    if scenario.scheme == "skip" and scenario.landmarks:
        found.append(
            "Skip measures nothing at the landmarks. Where the track reports nothing of an area that it must have passed, "
            "the empty area points at the very place."
        )
        if not outcome.published.any() or int(np.argmax(outcome.published)) > 0:
            first = int(np.argmax(outcome.published)) if outcome.published.any() else len(outcome)
            found.append(f"The first {count(first, 'timestamp')} {'has' if first == 1 else 'have'} no release.")
    if outcome.reports is not None:
        found += _near_warning(outcome)
    if _drowned(outcome):
        found.append("The noise is larger than the Earth: the release says nothing about where you were.")
    if outcome.stretch > WIDE:
        found.append(_wide_warning(outcome))
    return found


def _overrun_warning(outcome: Outcome) -> list[str]:
    """The landmarks and one more timestamp spend more than the whole budget."""
    scheme = outcome.scenario.scheme
    if not outcome.scenario.landmarks or outcome.overrun <= 1 + SLACK:
        return []
    named = {"event": "Event level", "window": "w-event level", "planned": "A plan for single timestamps"}
    one = len(outcome.scenario.landmarks) == 1
    spent = f"{bound(float(outcome.totals.max()))}, {bound(outcome.overrun)} times the "
    return [
        f"{named.get(scheme, 'This w-event scheme')} does not protect your {'landmark' if one else 'landmarks'} together "
        f"with one other timestamp: {'it spends' if one else 'they spend'} up to {spent}"
        f"{'loss that each timestamp keeps' if scheme == 'planned' else 'budget'}."
    ]


def _correlation_warnings(outcome: Outcome) -> list[str]:
    """What an adversary who knows the correlation gains; nothing beyond what all timestamps spend together."""
    scenario, found = outcome.scenario, []
    whole = float(outcome.budgets.sum()) <= outcome.allowed * (1 + SLACK)
    if _loss_exceeds(outcome) and scenario.scheme != "planned" and not whole:
        found.append(
            "Under this correlation single timestamps lose more than their budgets say, so the guarantee above holds "
            "only against adversaries who do not know it."
        )
    if scenario.adversary in ("both", "past") and outcome.correlation.transient:
        left = count(outcome.correlation.transient, "state")
        found.append(
            f"The chain leaves {left} for ever. In its long run, with which it is taken to start, "
            f"{'it never occurs' if outcome.correlation.transient == 1 else 'they never occur'}, so that nothing is counted "
            "about it; who believes in another start may learn more. The adversary “Any start” has a bound for all of them."
        )
    return found


def _wide_warning(outcome: Outcome) -> str:
    wide = "The track is so wide that the flat map used for the noise stretches distances"
    if math.isinf(stretched(outcome)):
        return f"{wide} without bound: of far places nothing is promised."
    return (
        f"{wide} by up to {bound_percent(outcome.stretch - 1)}, and the guarantee weakens with it: the budget of each "
        f"timestamp counts up to {bound(outcome.stretch)} times."
    )


def _drowned(outcome: Outcome) -> bool:
    """Whether half of the measured timestamps have noise that reaches farther than any place on average."""
    spent = outcome.budgets[outcome.published]
    return bool(len(spent)) and 2 * outcome.scenario.radius_m > HALF_EARTH_M * float(np.median(spent))


def _near_warning(outcome: Outcome) -> list[str]:
    """Cells much larger than the protection radius are told apart almost surely."""
    scenario = outcome.scenario
    apart = float(outcome.budgets.max()) * scenario.place_m / scenario.radius_m
    if apart <= TELLING:
        return []
    return [
        f"Neighbouring cells are {scenario.place_m / scenario.radius_m:.3g} protection radii apart and may be told "
        f"apart by a factor of e^{amount(apart)}: the report nearly is the true cell. Choose smaller places, a larger "
        "protection radius or a smaller epsilon."
    ]


def _loss_exceeds(outcome: Outcome) -> bool:
    return bool((outcome.total > outcome.budgets * (1 + SLACK) + SLACK).any())
