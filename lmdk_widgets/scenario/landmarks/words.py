"""An outcome in plain sentences: what the settings mean, what they assume, and where the guarantee does not hold."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.scenario.base.amounts import amount, count, metres
from lmdk_widgets.scenario.base.words import Words
from lmdk_widgets.scenario.landmarks.model import MECHANISMS, WINDOW_SCHEMES
from lmdk_widgets.scenario.landmarks.outcome import Outcome

HALF_EARTH_M = 20_015_000.0
"""No two places are farther apart; noise beyond it says nothing at all about the place."""

SLACK = 1e-9
"""Relative slack in comparisons of sums that are equal but for rounding."""

TELLING = 3.0
"""A log-ratio from which on a report tells neighbouring cells apart nearly every time: e^3 is 20 to 1."""

_KNOWS = {
    "both": "knows how places follow each other",
    "past": "knows how places follow each other and reasons from the past",
    "future": "knows how places follow each other and reasons from the future",
}


def describe(outcome: Outcome) -> Words:
    """What an outcome means, in sentences that are true of it."""
    sentences = (*_budget_sentences(outcome), *_error_sentences(outcome), *_loss_sentences(outcome))
    return Words(" ".join(sentences), _assumption(outcome), tuple(_warnings(outcome)))


def _budget_sentences(outcome: Outcome) -> list[str]:
    scenario, n = outcome.scenario, len(outcome)
    epsilon, k = amount(scenario.epsilon), len(scenario.landmarks)
    scheme = scenario.scheme
    if scheme == "planned":
        return _planned_sentences(outcome)
    if scheme == "event":
        first = f"Each of the {count(n, 'timestamp')} may spend the whole budget of {epsilon} by itself."
    elif scheme == "user":
        first = f"All {count(n, 'timestamp')} share the budget of {epsilon}, {amount(outcome.budgets[0])} each."
    elif scheme == "window":
        first = (
            f"Any {count(scenario.window, 'timestamp')} in a row share the budget of {epsilon}, "
            f"{amount(outcome.budgets[0])} each."
        )
    elif scheme in WINDOW_SCHEMES:
        measured = int(outcome.published.sum())
        first = (
            f"Any {count(scenario.window, 'timestamp')} in a row share the budget of {epsilon}; "
            f"{measured:,} of {n:,} timestamps were measured, the others repeat the last release."
        )
    else:
        first = _landmark_sentence(outcome)
    if scheme in ("event", "user", "window") or scheme in WINDOW_SCHEMES:
        if k:
            share = f"Your {count(k, 'landmark')} spend {amount(outcome.landmark_share)} together"
            return [first, f"{share}, with one other timestamp at most {amount(float(outcome.totals.max()))}."]
        return [first, "No landmark is marked yet: choose the moments that matter on the map."]
    return [first]


def _planned_sentences(outcome: Outcome) -> list[str]:
    budgets, target = outcome.budgets, amount(outcome.scenario.target)
    first, middle, last = (amount(float(budgets[i])) for i in (0, len(budgets) // 2, -1))
    text = f"Budgets are planned so that every timestamp loses {target} in total under the correlation: "
    text += f"{first} at the first, {last} at the last, {middle} between." if len(budgets) > 2 else f"{first} each."
    k = len(outcome.scenario.landmarks)
    if not k:
        return [text]
    return [text, f"Your {count(k, 'landmark')} spend {amount(outcome.landmark_share)} of that together."]


def _landmark_sentence(outcome: Outcome) -> str:
    scenario, n = outcome.scenario, len(outcome)
    epsilon, k = amount(scenario.epsilon), len(scenario.landmarks)
    if k == 0:
        return (
            f"No landmark is marked yet, so each timestamp may spend up to the whole budget of {epsilon} by itself: "
            "choose the moments that matter on the map."
        )
    who = f"Your {count(k, 'landmark')}"
    if scenario.scheme == "skip":
        return (
            f"{who} {'is' if k == 1 else 'are'} not measured and {'spends' if k == 1 else 'spend'} no budget, which "
            f"does not make {'it' if k == 1 else 'them'} safe where places follow each other; "
            f"every other timestamp may spend the whole budget of {epsilon}."
        )
    share = amount(outcome.landmark_share)
    if scenario.scheme == "adaptive":
        measured = int(outcome.published.sum())
        verb = "spends" if k == 1 else "together spend"
        return (
            f"{measured:,} of {n:,} timestamps were measured. {who} {verb} {share} of the budget of {epsilon}, "
            f"with any one other timestamp at most {amount(float(outcome.totals.max()))}."
        )
    each = "" if k == 1 else f", {amount(outcome.budgets[scenario.landmarks[0]])} each"
    verb = "spends" if k == 1 else "share"
    if k == n:
        return f"{who} are the whole track and share the budget of {epsilon}{each}."
    text = (
        f"{who} {verb} {share} of the budget of {epsilon}{each}; any one other timestamp adds "
        f"{amount(float(outcome.totals.max()) - outcome.landmark_share)}."
    )
    if scenario.scheme == "weighted" and n - k > 1:
        more = scenario.epsilon / (k + 1) / float(outcome.budgets[scenario.landmarks[0]])
        text += f" The mean error is the least there can be; landmarks get {amount(more)} times the noise of Uniform."
    return text


def _error_sentences(outcome: Outcome) -> list[str]:
    if math.isnan(outcome.median_error_m):
        return ["Nothing is released: there was no regular timestamp to measure."]
    what = (
        "Over 100 draws, half of the timestamps are" if outcome.scenario.average else "Half of your reported points are"
    )
    typical = "on average " if outcome.scenario.average else ""
    return [
        f"{what} {typical}farther than {metres(outcome.median_error_m)} from the truth "
        f"(mean {metres(outcome.mean_error_m)}; event level {metres(outcome.event_error_m)}, "
        f"user level {metres(outcome.user_error_m)} expected{_by_planar(outcome)}).",
        *_cell_sentences(outcome),
    ]


def _by_planar(outcome: Outcome) -> str:
    return "" if outcome.reports is None else " by planar Laplace"


def _cell_sentences(outcome: Outcome) -> list[str]:
    reports = outcome.reports
    if reports is None:
        return []
    named = MECHANISMS[outcome.scenario.mechanism].split(":")[0]
    text = (
        f"{named} reports one of {count(reports.cells, 'cell')} of {metres(reports.cell_m)}, expected "
        f"{metres(reports.mean_expected_m)} from the truth where it measures"
    )
    saving = reports.saving_m
    if abs(saving) < 0.5:
        return [f"{text}, as planar Laplace with the same budgets."]
    return [
        f"{text}: {metres(abs(saving))} {'less' if saving > 0 else 'more'} than planar Laplace with the same budgets."
    ]


def _loss_sentences(outcome: Outcome) -> list[str]:
    if outcome.scenario.scheme == "planned":
        return []
    if outcome.scenario.correlation == "none":
        return ["With independent timestamps nothing more is learned than each budget says."]
    worst = int(np.argmax(outcome.total))
    peak, spent = float(outcome.total[worst]), float(outcome.budgets[worst])
    text = f"Someone who {_KNOWS[outcome.scenario.adversary]} learns up to {amount(peak)} about one timestamp"
    if spent > 0 and peak > spent * (1 + SLACK):
        text += f", {amount(peak / spent)} times its own budget"
    if math.isinf(outcome.supremum):
        bounded = outcome.correlation.bounded_epsilon()
        mend = f" (it would stay bounded with less than {amount(bounded)} each)" if bounded > 0 else ""
        return [f"{text}; on a longer track the loss grows without bound{mend}."]
    return [f"{text}; however long the track, never more than {amount(outcome.supremum)} (the supremum)."]


def _assumption(outcome: Outcome) -> str:
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
        f"{text} The loss is for an adversary who knows a Markov chain of the moves, {source}, "
        "computed as if every two of its states were within the radius."
    )


def _metric_sentence(outcome: Outcome, radius: str) -> str:
    """How far the guarantee of one report reaches."""
    if outcome.reports is None:
        return (
            f"Budgets are counted at the protection radius: of two places {radius} apart, a timestamp with budget b "
            "makes either at most e^b times as likely as the other, and places farther apart are told apart more "
            "easily."
        )
    channels = outcome.reports.channels
    certified = max((c.epsilon * outcome.scenario.radius_m / b for b, c in channels.items()), default=0.0)
    gaps = [c.gap for c in channels.values() if not math.isnan(c.gap)]
    proven = (
        f"; no mechanism with these budgets has an error smaller by {100 * max(gaps):.1g} % of a blind guess's"
        if gaps
        else ""
    )
    near = f"{outcome.scenario.place_m / outcome.scenario.radius_m:.3g}"
    return (
        f"Budgets are counted at the protection radius of {radius}. Places are cells: two places in one cell are not "
        f"told apart at all; of two neighbouring cells, a timestamp with budget b makes either at most e^({near} b) "
        "times as likely as the other, and of cells farther apart more, by the distance of their centres. "
        "Which cells there are and how often the track is in each is taken as known to everybody. Checked over all "
        f"pairs of cells, no report tells more than its budget (at most {100 * min(certified, 1.0):.4g} % of it){proven}."
    )


def _warnings(outcome: Outcome) -> list[str]:
    scenario = outcome.scenario
    found = ["This is a simulation, not a private release: who has its seed and these points has the true track."]
    if scenario.landmarks and outcome.overrun > 1 + SLACK and scenario.scheme != "planned":
        named = {"event": "Event level", "window": "w-event level"}.get(scenario.scheme, "This w-event scheme")
        found.append(
            f"{named} does not protect your landmarks together: with one other timestamp they spend "
            f"{amount(float(outcome.totals.max()))}, {amount(outcome.overrun)} times the budget."
        )
    if scenario.correlation != "none" and _loss_exceeds(outcome) and scenario.scheme != "planned":
        found.append(
            "Under this correlation single timestamps lose more than their budgets say, so the guarantee above holds "
            "only against adversaries who do not know it."
        )
    if scenario.scheme == "skip" and scenario.landmarks:
        found.append("Skip repeats the last release at every landmark: the repeats show where the landmarks are.")
        if not outcome.published.any() or np.argmax(outcome.published) > 0:
            first = int(np.argmax(outcome.published)) if outcome.published.any() else len(outcome)
            found.append(f"The first {count(first, 'timestamp')} {'has' if first == 1 else 'have'} no release.")
    if outcome.reports is not None:
        found += _near_warning(outcome)
    if outcome.mean_error_m > HALF_EARTH_M:
        found.append("The noise is larger than the Earth: the release says nothing about where you were.")
    if outcome.stretch > 1.01:
        over = "without bound" if math.isinf(outcome.stretch) else f"by up to {100 * (outcome.stretch - 1):.2g} %"
        found.append(f"The track is so wide that the flat map used for the noise stretches distances {over}.")
    return found


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
