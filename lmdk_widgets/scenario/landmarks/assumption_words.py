"""What an outcome of the landmark page rests on: what a budget promises, and what the adversary is taken to know."""

from __future__ import annotations

import math

from lmdk_widgets.scenario.base.amounts import bound, bound_percent, metres
from lmdk_widgets.scenario.landmarks.outcome import Outcome

WIDE = 1.01
"""From this stretch of the frame on, it is said."""


def assumption(outcome: Outcome) -> str:
    scenario = outcome.scenario
    radius = metres(scenario.radius_m)
    text = _metric_sentence(outcome, radius) + (
        " Which timestamps are landmarks is taken as known to everybody; the noise of each timestamp is independent."
    )
    if scenario.correlation == "none":
        return text + " The adversary is assumed not to know how places follow each other."
    source = {
        "estimated": "estimated from this very track",
        "matrix": f"the matrix that was given, of {len(scenario.matrix)} places",
        "strength": f"over {scenario.states} places with strength s = {scenario.smoothing:.3g} (a smaller s is stronger)",
    }.get(scenario.correlation, f"assumed {scenario.correlation}, over {scenario.states} places")
    return (
        f"{text} The loss is for an adversary who knows a Markov chain of the moves, {source}, {_start(outcome)}. It is "
        "computed as if every two of its states were within the radius."
    )


def _start(outcome: Outcome) -> str:
    """What the adversary believes of the beginning of the track: reasoning from the past depends on it."""
    if outcome.scenario.adversary == "any":
        return "and may believe anything about where the track starts"
    if outcome.scenario.adversary == "future":
        return "and reasons from the future only, for which the start does not matter"
    return "which starts at its long-run distribution"


def _metric_sentence(outcome: Outcome, radius: str) -> str:
    """How far the guarantee of one report reaches."""
    if outcome.reports is None:
        return (
            f"Budgets are counted at the protection radius: of two places {radius} apart, a timestamp with budget b "
            f"changes the odds by a factor of at most {_factor(stretched(outcome))}, and places farther apart are told apart "
            "more easily."
        )
    channels = outcome.reports.channels
    certified = max((c.epsilon * outcome.scenario.radius_m / b for b, c in channels.items()), default=0.0)
    apart = stretched(outcome) * outcome.scenario.place_m / outcome.scenario.radius_m
    return (
        f"Budgets are counted at the protection radius of {radius}. Places are cells: two places in one cell are not "
        f"told apart at all; of two neighbouring cells, a timestamp with budget b changes the odds by a factor of at most "
        f"{_factor(apart)}, and of cells farther apart by more, by the distance of their centres. "
        "Which cells there are and how often the track is in each is taken as known to everybody. Checked over all "
        f"pairs of cells, no report tells more than {bound_percent(certified)} of its budget{_proven(outcome)}."
    )


def _proven(outcome: Outcome) -> str:
    """How near to the least error the channels are proven to be, and among which mechanisms."""
    assert outcome.reports is not None
    gaps = [c.gap for c in outcome.reports.channels.values() if not math.isnan(c.gap)]
    if not gaps:
        return ""
    among = (
        "meets all of the spanner's constraints" if outcome.scenario.mechanism == "spanner" else "reports these cells"
    )
    return (
        f"; at each budget no mechanism that keeps it and {among} could lower the expected error by more than "
        f"{bound_percent(max(gaps))} of the error of a blind guess"
    )


def stretched(outcome: Outcome) -> float:
    """By how much more than its length in the frame a distance on the ground may be told apart; infinite: no bound.

    Between points less than a quarter of the Earth from the centre the shortest way stays within their distance of it, and
    so its stretch is at most that of the farthest point.
    """
    if outcome.stretch > math.pi / 2:
        return math.inf
    return outcome.stretch if outcome.stretch > WIDE else 1.0


def _factor(times: float) -> str:
    """e^(times b), the number rounded up.

    Examples
    --------
    >>> _factor(1.0), _factor(5.0), _factor(1.4812), _factor(math.inf)
    ('e^b', 'e^(5 b)', 'e^(1.49 b)', 'any number')
    """
    if math.isinf(times):
        return "any number"
    return "e^b" if times == 1 else f"e^({bound(times).removesuffix('.00')} b)"
