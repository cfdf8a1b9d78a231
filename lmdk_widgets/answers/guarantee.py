"""What an outcome of the track page rests on, and where its guarantee does not hold or is not worth much."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.by_hand_words import by_hand_warnings
from lmdk_widgets.answers.dummies import hidden_warnings, known
from lmdk_widgets.answers.from_track import track_warnings
from lmdk_widgets.answers.largest_spent import most_together
from lmdk_widgets.answers.region_words import region_warnings
from lmdk_widgets.geo import EARTH_RADIUS_M
from lmdk_widgets.page.amounts import amount, bound, bound_metres, bound_percent, count, metres, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.ground import HALF_EARTH_M
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.people import without

AROUND_M = 2 * math.pi * EARTH_RADIUS_M
"""No two points of a frame are farther apart."""

WIDE = 1.01
"""From this stretch of the frame on, there is a warning."""

FLAT = 1.0001
"""Up to this stretch a distance in the frame counts as one on the ground."""

SLACK = 1e-9
"""Relative slack in comparisons of sums that are equal except for rounding."""

_RESPONSE = (
    "Places are cells: two places in one cell are not told apart at all; between any two cells, however far apart, a "
    "timestamp with budget b changes the odds by a factor of at most e^b, so no protection radius plays a part. "
    "{known_cells}"
)

_KNOWN_CELLS = {
    "region": "The cells are those of a fixed grid in the region, with a uniform prior",
    "people": "The cells are those of a fixed grid in the region, with a public prior from {people}",
    "track": "Which cells there are and how often the track is in each is assumed to be public",
    "grid": "The cells are a grid over the track and what lies around it, which is assumed to be public",
}
"""What is assumed to be public about the cells."""

TELLING = 3.0
"""The log-ratio from which a report tells neighbouring cells apart nearly every time: e^3 is 20 to 1."""

NEARLY_SURE = 0.9
"""The chance of the true cell from which there is a warning."""


def assumption(outcome: Outcome) -> str:
    scenario, kind = outcome.scenario, outcome.kind
    text = sentence(
        "{metric} {known}; the noise of each timestamp is independent.",
        metric=_metric_sentence(outcome, metres(scenario.radius_m)),
        known=known(outcome),
    )
    if scenario.spread.online:
        as_it_goes = (
            f"{scenario.spread.title} chooses its budgets as it goes. Factors by which odds change are for the "
            "largest budgets that it can choose, in any draw; the loss by one number, which charts show, is for the budgets "
            "of this draw, as if they had been fixed beforehand. What the choice of timestamps reveals is counted: it "
            "follows from what is released, and from comparisons that the budget pays for."
        )
        text = sentence("{text} {as_it_goes}", text=text, as_it_goes=as_it_goes)
    if scenario.correlation == "none":
        unknown = f"The adversary is assumed not to know how {kind.values} follow each other."
        return sentence("{text} {unknown}", text=text, unknown=unknown)
    holds = kind.loss_holds
    if scenario.mechanism == "randomised":
        holds = (
            "It is a proven bound for any two cells, however far apart, where its states are cells; nobody distinguishes "
            "places in one cell."
        )
    ever = f" However long the {kind.data}, it never exceeds its supremum." if math.isfinite(outcome.supremum) else ""
    return sentence(
        "{text} What is promised about one moment is for independent moments. The what-if is about an adversary who knows a "
        "Markov chain of the {moves}, {source}, {start}. {holds}{ever}",
        text=text,
        moves=kind.moves,
        source=_chain_source(outcome),
        start=_start(outcome),
        holds=holds,
        ever=ever,
    )


def _chain_source(outcome: Outcome) -> str:
    """Where the chain comes from, and how many states it has."""
    scenario, kind, chain = outcome.scenario, outcome.kind, outcome.correlation.matrix
    states = whole(0 if chain is None else len(chain))
    if scenario.correlation == "estimated":
        return f"estimated from this very {kind.data}"
    if scenario.correlation == "matrix":
        rows = whole(len(scenario.matrix))
        return sentence("the given matrix, of {states} {places}", states=rows, places=f"{kind.state}s")
    if scenario.correlation == "strength":
        return sentence(
            "over {states} {places} with strength s = {strength} (a smaller s is stronger)",
            states=states,
            places=f"{kind.state}s",
            strength=Written(f"{scenario.smoothing:.4g}", scenario.smoothing),
        )
    return sentence(
        "assumed {how}, over {states} {places}", how=scenario.correlation, states=states, places=f"{kind.state}s"
    )


def _start(outcome: Outcome) -> str:
    """What the adversary believes about the start: reasoning from the past depends on it."""
    return {
        "any": f"and may believe anything about where the {outcome.kind.data} starts",
        "future": "and reasons from the future only, for which the start does not matter",
    }.get(outcome.scenario.adversary, "which starts at its long-run distribution (its usual start)")


def _metric_sentence(outcome: Outcome, radius: str) -> str:
    if between := outcome.kind.counted_between(outcome.ground):
        return between
    if outcome.reports is None:
        return sentence(
            "Budgets are counted at the protection radius: between two places {radius} apart, a timestamp with budget b "
            "changes the odds by a factor of at most {factor}, and places farther apart are told apart more easily.",
            radius=radius,
            factor=_factor(stretched(outcome)),
        )
    if outcome.scenario.mechanism == "randomised":
        return sentence(_RESPONSE, known_cells=f"{_known_cells(outcome)}.")
    channels = outcome.reports.channels
    certified = max((c.epsilon * outcome.scenario.radius_m / b for b, c in channels.items()), default=0.0)
    apart = stretched(outcome) * outcome.scenario.place_m / outcome.scenario.radius_m
    return sentence(
        "Budgets are counted at the protection radius of {radius}. Places are cells: two places in one cell are not told "
        "apart at all; between two neighbouring cells, a timestamp with budget b changes the odds by a factor of at most "
        "{factor}, and between cells farther apart by more, by the distance of their centres. {known_cells}. Checked over "
        "all pairs of cells, no report reveals more than {certified_share} of its budget{proven}.",
        radius=radius,
        factor=_factor(apart),
        known_cells=_known_cells(outcome),
        certified_share=bound_percent(certified),
        proven=_proven(outcome),
    )


def _known_cells(outcome: Outcome) -> str:
    """What is assumed to be public about the cells; randomised response uses no prior."""
    cells, trajectory = outcome.scenario.cells, outcome.trajectory
    if outcome.scenario.mechanism == "randomised":
        return _KNOWN_CELLS["grid"] if cells == "track" else _KNOWN_CELLS["region"].partition(",")[0]
    people = "a made-up city" if without(trajectory) is trajectory else "your check-ins"
    return _KNOWN_CELLS[cells].format(people=people)


def _proven(outcome: Outcome) -> str:
    """How near to the least error the channels are proven to be, and among which mechanisms."""
    assert outcome.reports is not None
    gaps = [c.gap for c in outcome.reports.channels.values() if not math.isnan(c.gap)]
    if not gaps:
        return ""
    spanner = outcome.scenario.mechanism == "spanner"
    among = "meets all of the spanner's constraints" if spanner else "reports these cells"
    return sentence(
        "; at each budget no mechanism that keeps it and {among} could lower the expected error by more than {most_gap} of "
        "the error of a blind guess",
        among=among,
        most_gap=bound_percent(max(gaps)),
    )


def stretched(outcome: Outcome) -> float:
    """By what factor a distance on the ground may count for more than its length in the frame.

    Between points less than a quarter of the Earth from the centre the shortest path stays within their distance of it,
    so its stretch is at most that of the farthest point. Beyond that, the frame tears apart places that are near each
    other on the ground, but no two of its points are farther apart than the Earth's circumference.
    """
    if outcome.scenario.mechanism == "randomised":  # which tells any two cells apart equally well
        return 1.0
    if torn(outcome):
        return AROUND_M / outcome.scenario.radius_m
    return outcome.stretch if outcome.stretch > FLAT else 1.0


def torn(outcome: Outcome) -> bool:
    """Whether the track goes so far around the Earth that the frame tears near places apart."""
    return outcome.stretch > math.pi / 2


def _factor(times: float) -> str:
    """e^(times b), the number rounded up.

    Examples
    --------
    >>> _factor(1.0), _factor(5.0), _factor(1.4812), _factor(200151.1)
    ('e^b', 'e^(5 b)', 'e^(1.49 b)', 'e^(200,200 b)')
    """
    return "e^b" if times == 1 else sentence("e^({most_counted} b)", most_counted=bound(times))


def warnings(outcome: Outcome) -> list[str]:
    scenario = outcome.scenario
    found = [_simulation(outcome), *_overrun_warning(outcome), *track_warnings(scenario, outcome.trajectory)]
    found += [*region_warnings(scenario, outcome.trajectory), *hidden_warnings(outcome)]
    if scenario.correlation != "none":
        found += _correlation_warnings(outcome)
    spread, kind = scenario.spread, outcome.kind
    if spread.warning and scenario.landmarks:
        found.append(f"{spread.warning} {kind.kept_back}" if spread.skips else spread.warning)
    found += by_hand_warnings(outcome) if spread.by_hand else []
    found += [*_late_warning(outcome), *kind.warnings(outcome.ground, len(outcome))]
    return [*found, *(_response_warning(outcome) if scenario.mechanism == "randomised" else _noise_warnings(outcome))]


def _simulation(outcome: Outcome) -> str:
    kind = outcome.kind
    return (
        f"This is a simulation, not a private release: anyone who has its seed and these {kind.points} can work out "
        f"the true {kind.data}."
    )


def _response_warning(outcome: Outcome) -> list[str]:
    """Where the report nearly always is the true cell."""
    assert outcome.reports is not None and outcome.reports.chances is not None
    chance = float(np.nanmax(outcome.reports.chances, initial=0.0))
    if chance <= NEARLY_SURE:
        return []
    warning = sentence(
        "A timestamp reports its true cell with a chance of up to {most_chance}: the report is nearly always the true cell. "
        "Choose a smaller epsilon, or smaller places.",
        most_chance=bound_percent(chance),
    )
    return [warning]


def _noise_warnings(outcome: Outcome) -> list[str]:
    """What is worth little at these distances, for mechanisms that depend on them."""
    scenario, found = outcome.scenario, list[str]()
    apart = float(outcome.budgets.max()) * scenario.place_m / scenario.radius_m
    if outcome.reports is not None and apart > TELLING:
        telling = sentence(
            "Neighbouring cells are {radii_apart} protection radii apart and may be told apart by a factor of "
            "e^{cells_told}: the report is nearly always the true cell. Choose smaller places, a larger protection radius "
            "or a smaller epsilon.",
            radii_apart=amount(scenario.place_m / scenario.radius_m),
            cells_told=amount(apart),
        )
        found.append(telling)
    spent = outcome.budgets[outcome.published]
    if outcome.kind.placed and len(spent) and 2 * scenario.radius_m > HALF_EARTH_M * float(np.median(spent)):
        # half of the measured timestamps have noise that reaches farther than any place on average
        found.append("The noise is larger than the Earth: the release says nothing about where you were.")
    if outcome.stretch > WIDE:
        found.append(_wide_warning(outcome))
    return found


def _late_warning(outcome: Outcome) -> list[str]:
    """The timestamps before the first one that is measured."""
    if not outcome.scenario.spread.skips:
        return []
    first = int(np.argmax(outcome.published)) if outcome.published.any() else len(outcome)
    if first == 1:
        return ["The first timestamp has no release."]
    late = sentence("The first {timestamps_late} have no release.", timestamps_late=count(first, "timestamp"))
    return [late] if first else []


def _overrun_warning(outcome: Outcome) -> list[str]:
    spread = outcome.scenario.spread
    most = most_together(outcome) / outcome.allowed if spread.online else outcome.overrun
    if not outcome.scenario.landmarks or most <= 1 + SLACK:
        return []
    who, spend = ("landmark", "it spends") if len(outcome.protected) == 1 else ("landmarks", "they spend")
    other = " with one other timestamp" if len(outcome.protected) < len(outcome) else ""
    subject = f"{spread.fails or spread.title} does not protect your {who} together{other}"
    if spread.online:
        in_any_draw = sentence(
            "{who_fails}: {spend} {with_landmarks} in this draw, and at most {most_in_any_draw} in any draw, "
            "{over_in_any_draw} times the budget.",
            who_fails=subject,
            spend=spend,
            with_landmarks=amount(float(outcome.totals.max())),
            most_in_any_draw=bound(most * outcome.allowed),
            over_in_any_draw=bound(most),
        )
        return [in_any_draw]
    over = sentence(
        "{who_fails}: {spend} up to {most_with_landmarks}, {overrun} times the {what}.",
        who_fails=subject,
        spend=spend,
        most_with_landmarks=bound(float(outcome.totals.max())),
        overrun=bound(outcome.overrun),
        what="loss that each timestamp keeps" if spread.plans else "budget",
    )
    return [over]


def _correlation_warnings(outcome: Outcome) -> list[str]:
    """What an adversary who knows the correlation gains; nothing beyond what all timestamps spend together."""
    scenario, found = outcome.scenario, list[str]()
    all_together = float(outcome.budgets.sum()) <= outcome.allowed * (1 + SLACK)
    exceeds = bool((outcome.total > outcome.budgets * (1 + SLACK) + SLACK).any())
    if exceeds and not scenario.spread.plans and not all_together:
        found.append(
            "What is promised about one moment holds if moments are independent. Someone who assumes this chain may learn "
            f"more: the what-if says how much, {outcome.kind.supposed}."
        )
    if scenario.adversary in ("both", "past") and outcome.correlation.transient:
        left = sentence(
            "The chain leaves {states_left} for ever. With the stationary start assumed here, {they} not counted; someone "
            "who assumes another start may learn more. The adversary “Any start” has a bound for every start.",
            states_left=count(outcome.correlation.transient, "state"),
            they="it never occurs and is" if outcome.correlation.transient == 1 else "they never occur and are",
        )
        found.append(left)
    return found


def _wide_warning(outcome: Outcome) -> str:
    if torn(outcome):
        return sentence(
            "The track goes more than a quarter of the way around the Earth from its middle, where the flat map used for the "
            "noise tears places apart: two of them {radius} apart may lie up to {most_around} apart on it, so the budget of "
            "each timestamp counts up to {ground_stretch} times.",
            radius=metres(outcome.scenario.radius_m),
            most_around=bound_metres(AROUND_M),
            ground_stretch=bound(stretched(outcome)),
        )
    return sentence(
        "The track is so wide that the flat map used for the noise stretches distances by up to {most_stretch}, and the "
        "guarantee weakens accordingly: the budget of each timestamp counts up to {ground_stretch} times.",
        most_stretch=bound_percent(outcome.stretch - 1),
        ground_stretch=bound(outcome.stretch),
    )
