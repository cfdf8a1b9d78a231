"""The loss of a chain pair by pair on the track page, a what-if about two cells: computed in the background where it
takes long, and drawn against distance."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmdk_widgets.answers.by_distance import HIDES_NOTHING
from lmdk_widgets.answers.odds import what_if
from lmdk_widgets.answers.pairs import NAME, Pairs, at_once, compute, has_pairs, pairs_of, states_of, takes_trees
from lmdk_widgets.budgets import Release
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import log_likelihoods, track_posterior
from lmdk_widgets.page.amounts import MILLION, bound, factor, metres
from lmdk_widgets.page.blocks import Block, Chart, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.palette import BLUE, GREY, ORANGE, RED
from lmdk_widgets.scenario.outcome import Outcome

SHOWN = 0.05
"""How far the work must advance before its progress is shown again."""

LOADING = "Fast code is loading; slower code is used until it is ready."

MOST_MARKS = 400
"""The most pairs of cells that are marked with what this draw revealed."""


class PairByPair(Panel):
    """What if a chain is assumed: what is revealed about places in two cells by their distance, or about two values."""

    NAME = NAME

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not has_pairs(outcome):
            return None
        return outcome.scenario.released.with_changes(average=False), outcome.trajectory, outcome.in_place

    def at_once(self, choices: Any, outcome: Outcome) -> Pairs | None:
        return at_once(outcome)

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[float | Pairs]:
        shown = 0.0
        for found in compute(outcome):
            if isinstance(found, Pairs) or found >= shown + SHOWN:
                shown = found if isinstance(found, float) else shown
                yield found

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        share = outcome.found(self.NAME)
        text = f"Computing what the chain reveals about each pair of {outcome.kind.cell}s."
        return Progress(f"{text} {slow(outcome)}".rstrip(), share if isinstance(share, float) else 0.0)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before the loss was known pair by pair: the one shown is that of the largest distance"


def slow(outcome: Outcome) -> str:
    """A note that it takes longer, where trees are grown without machine code; "" elsewhere."""
    if not takes_trees(outcome):
        return ""
    from lmdk_widgets.linear import compiling  # late: a page without a correlation needs none of it

    return "" if compiling.loaded() else compiling.notice() or LOADING


@dataclass(frozen=True)
class DistanceChoices(Choices):
    """Draw what a chain would reveal about places in two cells against their distance."""

    open: bool = flag(False, "What if a chain is assumed, by distance")


class ByDistance(Panel):
    """A chart of the loss against distance, with what this very draw revealed."""

    NAME = "by_distance"
    FOLD = DistanceChoices

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not has_pairs(outcome) or not outcome.kind.placed:
            return None
        return outcome.scenario.released.with_changes(average=False), outcome.trajectory, outcome.in_place

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Floats | None]:
        yield told_by(outcome)

    def blocks(self, choices: Any, outcome: Outcome) -> Iterable[Block]:
        pairs = pairs_of(outcome)
        if pairs is None:
            waits = has_pairs(outcome)
            return [Text("It is being computed." if waits else "Choose a correlation: without one there is no chain.")]
        if not pairs.by_distance:
            text = "Distance plays no part: the what-if loss {supposed}, is at most {most_if_chained}."
            loss = bound(float(pairs.total.max()))
            return [Text(sentence(text, supposed=outcome.kind.supposed, most_if_chained=loss))]
        return [distance_chart(pairs, outcome, outcome.found(self.NAME))]


def told_by(outcome: Outcome) -> Floats | None:
    """(m, m) the most that this very release revealed at any moment about the middles of two states, to an attacker with
    this chain who starts at its long run: never more than their loss. None where nobody knows where they are."""
    known, states = outcome.correlation, states_of(outcome)
    if states.blind or states.exact or known.matrix is None or known.stationary is None:
        return None
    outputs = outcome.values
    if outputs is None:
        outputs = outcome.trajectory.frame.to_metres(outcome.latitude, outcome.longitude)
    released = Release(outputs, outcome.budgets, outcome.published, np.array(outcome.scenario.landmarks, np.int64))
    points = states.middles if outcome.kind.placed else states.middles[:, 0]
    seen = log_likelihoods(released, points, outcome.ground.mechanism)
    found = track_posterior(known.stationary, known.matrix, seen)
    after = {"past": found.log_filtered, "future": found.log_predicted}.get(
        outcome.scenario.adversary, found.log_smoothed
    )
    most = np.zeros((len(states), len(states)))
    with np.errstate(invalid="ignore"):
        changed = np.where(np.isfinite(found.log_marginal), after - found.log_marginal, np.nan)
    for some in np.array_split(changed, max(1, len(changed) * len(states) ** 2 // 1_000_000)):
        most = np.fmax(most, np.nanmax(some[:, :, None] - some[:, None], axis=0, initial=0.0))
    return most


def distance_chart(pairs: Pairs, outcome: Outcome, told: Floats | None) -> Chart:
    """The largest and the median loss of places in all pairs of cells against their distance, and what this draw
    revealed."""
    states = pairs.states
    shown = [d for d in sorted({*states.distances(), states.near}) if not math.isnan(pairs.most_at(d))]
    most, middle = ([min(f(d), MILLION) for d in shown] for f in (pairs.most_at, pairs.median_at))
    data = [line("at most, any two cells", shown, most, BLUE)]
    if not pairs.one_number:
        data.append(line("half of the pairs of cells", shown, middle, ORANGE, "dash"))
    data.append(line("radius" if not states.exact else "side", [states.step] * 2, [0.0, max(most)], GREY, "dot"))
    if told is not None and not states.blind:
        x, y = _marks(pairs, told)
        data.append(line("this draw", x, [min(v, MILLION) for v in y], RED, mode="markers"))
    layout: dict[str, Any] = {
        "height": 340,
        "xaxis": {"title": {"text": "distance between places in two cells, m"}, "type": "log"},
        "yaxis": {"title": {"text": "what-if loss, ε"}, "rangemode": "tozero"},
        "hovermode": "closest",
    }
    said = sentence(
        "{what_if} Loss between {two}: {said}",
        what_if=what_if(outcome),
        two=outcome.kind.in_two_cells,
        said=_said(pairs, shown, told),
    )
    return Chart(
        "loss-by-distance", "What if a chain is assumed: loss by distance", {"data": data, "layout": layout}, said
    )


def _marks(pairs: Pairs, told: Floats) -> tuple[list[float], list[float]]:
    """What the draw revealed about the middles of two cells, the most at each distance."""
    apart = np.sqrt(((pairs.states.middles[:, None] - pairs.states.middles) ** 2).sum(axis=-1))
    most: dict[float, float] = {}
    for d, value in zip(np.round(apart[pairs.states.other]).tolist(), told[pairs.states.other].tolist(), strict=True):
        most[d] = max(most.get(d, 0.0), value)
    some = sorted(most)[:MOST_MARKS]
    return some, [most[d] for d in some]


def _said(pairs: Pairs, shown: list[float], told: Floats | None) -> str:
    """What the chart shows, in words."""

    def at(distance: float) -> str:
        loss, apart = pairs.most_at(distance), metres(distance)
        if loss > MILLION:
            return sentence("{apart}: {nothing}", apart=apart, nothing=HIDES_NOTHING)
        return sentence("{most_loss_apart} at {apart}", most_loss_apart=bound(loss), apart=apart)

    ends = dict.fromkeys((shown[0], pairs.states.near, shown[-1]))
    text = sentence("at most {losses}.", losses=join(at(d) for d in ends))
    if told is None or pairs.states.blind:
        return text
    most = float(told.max())
    changed = "more than a million"
    if most <= MILLION:
        changed = sentence("at most {most_drawn_factor}", most_drawn_factor=factor(most))
    return sentence(
        "{losses} This draw changed the odds between the middles of two cells by a factor of {changed}.",
        losses=text,
        changed=changed,
    )
