"""Questions of the lesson on correlation: backward, forward and total loss, bounds, a real track, and landmarks."""

from __future__ import annotations

from functools import partial

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Trap
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import LossFunction, backward_loss, landmark_loss, pairwise_loss, plan_budgets, temporal_loss
from lmdk_widgets.leakage.layouts import landmark_layouts
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, estimate_transitions, grid_states, reverse, smoothed_identity
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.correlation import ESTIMATE_SMOOTHING
from lmdk_widgets.trajectory.samples import sample

ONE_WAY = np.array([[0.8, 0.2], [0.0, 1.0]])
STICKY = np.array([[0.8, 0.2], [0.2, 0.8]])
MATRICES = {
    "I, identity": np.eye(2),
    "A, one way": ONE_WAY,
    "C, sticky": STICKY,
    "E, equal rows": np.full((2, 2), 0.5),
}
"""The two-state chains of the lesson."""

EPSILON, RELEASES = 0.1, 10
EPSILONS = (0.02, 0.05, 0.08, 0.11, 0.14, 0.17, 0.2)
CELL_M = 2000.0
MINUTES = {"5 min": 1, "30 min": 6, "1 h": 12, "3 h": 36, "6 h": 72, "12 h": 144}
"""Time between two releases of the commuter, and how many of the track's timestamps that is."""

MODERATE = smoothed_identity(5, NAMED_SMOOTHING["moderate"])
_PLACES_M = np.array([(0, 0), (1, 0), (2, -1), (2, 0), (4, 0)]) * 1000.0
DAY_M = np.hypot(*np.moveaxis(_PLACES_M[:, None] - _PLACES_M, 2, 0))
"""(5, 5) metres between five places of a day, and the chain that is assumed for them."""
DAY_BUDGETS, RADIUS_M = [0.2] * 8, 200.0

N, LANDMARKS = 100, 20
LAYOUTS = {
    "uniform": "spread evenly over time",
    "bimodal": "in two bunches",
    "symmetric": "in one bunch in the middle",
    "skewed": "in one bunch at the start",
}


def backward(name: str) -> Floats:
    """The backward loss of ten releases with epsilon 0.1 under one of `MATRICES`."""
    return backward_loss(MATRICES[name], [EPSILON] * RELEASES)


@cached("everybody")
def by_interval() -> tuple[int, dict[str, float], dict[str, float]]:
    """The number of cells of the commuter's week; its largest total loss, and the budget that keeps it at 1, by `MINUTES`.

    Every release spends 0.1. The chain for every k-th position is the k-th power of the estimated chain.
    """
    states, centres = grid_states(sample("commuter").points_m, cell_m=CELL_M)
    forward = estimate_transitions(states, len(centres), smoothing=ESTIMATE_SMOOTHING)
    past = reverse(forward)
    largest, safe = {}, {}
    for name, every in MINUTES.items():
        sides = [LossFunction(np.linalg.matrix_power(side, every), normalize=True) for side in (past, forward)]
        largest[name] = float(temporal_loss(sides[0], sides[1], np.full(len(states[::every]), EPSILON)).total.max())
        safe[name] = float(plan_budgets(sides[0], sides[1], 1.0))
    return len(centres), largest, safe


@cached("everybody", entries=64)
def of_pair(x: int, y: int) -> float:
    """The most that eight planar Laplace releases reveal about two of the five places at the fourth timestamp."""
    return float(pairwise_loss(MODERATE, MODERATE, DAY_BUDGETS, DAY_M, RADIUS_M).total[3, x, y])


@cached(
    "everybody", entries=256, what="the same loss as one number for all pairs, with each budget counted at a distance"
)
def at_distance(metres: float) -> float:
    """The same as one number for all pairs, with each budget counted at this distance."""
    loss = LossFunction(MODERATE)
    return float(temporal_loss(loss, loss, np.array(DAY_BUDGETS) * metres / RADIUS_M).total[3])


@cached("everybody")
def together(layout: str) -> float:
    """The mean landmark loss, as the authors count it, of 20 landmarks among 100 timestamps under strong correlation."""
    loss = LossFunction(smoothed_identity(5, NAMED_SMOOTHING["strong"]))
    marked = landmark_layouts(N, LANDMARKS)[layout]
    return float(landmark_loss(loss, loss, allocate("uniform", N, marked, 1.0), marked).mean())


def _memory() -> Choose:
    said = {
        "I, identity": "Nobody ever moves, so every release is about the same place: all of the loss is kept.",
        "A, one way": "From place 2 nobody comes back: the rows differ, and part of the loss is kept.",
        "C, sticky": "The rows differ, as people mostly stay: part of the loss is kept.",
        "E, equal rows": "Both rows are the same: the previous place says nothing about this one.",
    }

    def kept(name: str) -> float:
        return float(LossFunction(MATRICES[name])(1.0))

    def why(name: str) -> str:
        return sentence(
            "{reason} Of a loss of 1, {kept_loss} is still felt a timestamp later.",
            reason=said[name],
            kept_loss=amount(kept(name)),
        )

    return Choose(
        name="correlation/memory",
        text="Under which of the four tables do earlier releases reveal nothing about where a person is now?",
        choices=tuple(Choice(name, partial(why, name)) for name in MATRICES),
        right=lambda: int(np.argmin([kept(name) for name in MATRICES])),
    )


def _often() -> Order:
    shown = ("5 min", "1 h", "3 h", "12 h")

    def why(name: str) -> str:
        return sentence("Every {name} it is {loss}.", name=name, loss=amount(by_interval()[1][name]))

    return Order(
        name="correlation/often",
        text="The commuter releases one position in each interval, every release with ε = 0.1. For which interval is the "
        "largest total loss of a timestamp smallest, and for which is it largest?",
        items=tuple(Item(f"every {name}", partial(why, name)) for name in shown),
        ends=("least loss", "most loss"),
        keys=lambda: [by_interval()[1][name] for name in shown],
        why="The longer the interval, the less a position says about the next one, and the less loss is carried over.",
    )


def _bunches() -> Choose:
    said = {
        "uniform": "Each landmark has regular timestamps on both sides, which reveal something about it.",
        "bimodal": "Only the landmarks at the ends of the two bunches have regular neighbours: four of them.",
        "symmetric": "Only the two landmarks at the ends of the bunch have regular neighbours.",
        "skewed": "Only the last landmark of the bunch has a regular neighbour.",
    }

    def why(layout: str) -> str:
        return sentence(
            "The sum is {total_loss} on average. {reason}", total_loss=amount(together(layout)), reason=said[layout]
        )

    return Choose(
        name="correlation/bunches",
        text="20 of 100 timestamps are landmarks, under Uniform with ε = 1 and strong correlation. For which layout of the "
        "landmarks is the sum of all losses of L and t smallest?",
        choices=tuple(Choice(title, partial(why, layout)) for layout, title in LAYOUTS.items()),
        right=lambda: int(np.argmin([together(layout) for layout in LAYOUTS])),
    )


def _pairs() -> Choose:
    def told() -> str:
        return sentence(
            "It is {near_pair_loss}: 1 from the release itself, the rest from where the person was before and after. "
            "For the two most distant places it is {far_pair_loss}.",
            near_pair_loss=amount(of_pair(0, 1)),
            far_pair_loss=amount(of_pair(4, 0)),
        )

    said = (
        sentence(
            "This counts every budget at the radius, as if all places were within {radius} m.",
            radius=Written(f"{RADIUS_M:g}", RADIUS_M),
        ),
        "This is what the release of the fourth timestamp reveals by itself. The others say something about it too.",
        "People mostly stay, so the others say something about the fourth timestamp; but they may have moved, so less than 1 "
        "each.",
        "The sum of all eight would be right if nobody ever moved.",
    )
    ends = (at_distance(RADIUS_M), 1.0, float(len(DAY_BUDGETS)))
    texts = (sentence("At most {loss}", loss=amount(ends[0])), "Exactly 1", "More than 1, less than 8", "8")

    def why(k: int) -> str:
        return f"{told()} {said[k]}"

    return Choose(
        name="correlation/pairs",
        text="Places 1 and 2 are 1 km apart. Each release tells these two apart by at most 0.2 · 1,000/200 = 1. By how much, "
        "at most, do all eight tell them apart at the fourth timestamp?",
        choices=tuple(Choice(title, partial(why, k)) for k, title in enumerate(texts)),
        right=lambda: sum(of_pair(0, 1) > end for end in ends[:2]) + int(of_pair(0, 1) >= ends[2]),
    )


QUESTIONS = (
    _memory(),
    Number(
        name="correlation/step",
        text="Under table A, there are two releases with ε = 0.1 each. What is the backward loss at the second?",
        right=lambda: backward("A, one way")[1],
        high=10.0,
        tolerance=0.01,
        written=lambda loss: f"{loss:.4f}",
        traps=(
            Trap(
                lambda: backward("I, identity")[1],
                "is the sum of both budgets. The loss would be that large if nobody ever moved (table I).",
            ),
            Trap(
                lambda: backward("E, equal rows")[1],
                "is the loss of the new release alone. Part of the first release is still felt.",
            ),
            Trap(
                lambda: LossFunction(ONE_WAY)(EPSILON),
                "is what is left of the first release. Add the new release.",
            ),
        ),
        why="The rows give place 1 the chances q = 0.8 and d = 0, so log(1 + 0.8 (e^0.1 − 1)) is left of the first release. "
        "The second adds 0.1.",
    ),
    Number(
        name="correlation/total",
        text="At the first of ten releases with ε = 0.1 the backward loss is 0.1 and the forward loss 0.4964. What is the "
        "total loss there?",
        right=lambda: temporal_loss(ONE_WAY, ONE_WAY, [EPSILON] * RELEASES).total[0],
        high=10.0,
        tolerance=0.01,
        written=lambda loss: f"{loss:.4f}",
        traps=(
            Trap(
                lambda: temporal_loss(ONE_WAY, ONE_WAY, [EPSILON] * RELEASES).total[0] + EPSILON,
                "is the sum of both losses. Both count the release itself, so subtract its 0.1 once.",
            ),
        ),
        why="0.1 + 0.4964 − 0.1: nothing was released before it, so only the future adds to the loss.",
    ),
    Curve(
        name="correlation/four",
        text="Under table C, there are ten releases with ε = 0.1. Draw the backward loss.",
        x=tuple(range(1, RELEASES + 1)),
        right=lambda: backward("C, sticky"),
        high=1.0,
        x_title="timestamp",
        y_title="backward loss",
        tolerance=0.25,
        why=lambda: sentence(
            "It starts at the budget and soon stops growing, at {backward_loss}: after a few timestamps the place of "
            "the first release is forgotten.",
            backward_loss=amount(backward("C, sticky")[-1]),
        ),
    ),
    Curve(
        name="correlation/forever",
        text="Under table A, draw the bound that the backward loss never exceeds, against the ε of every release.",
        x=EPSILONS,
        right=lambda: [LossFunction(ONE_WAY).supremum(epsilon) for epsilon in EPSILONS],
        high=4.0,
        x_title="ε of every release",
        y_title="supremum",
        tolerance=0.5,
        why=lambda: sentence(
            "It rises faster and faster: from ε = {epsilon} on there is no bound at all.",
            epsilon=Written(f"{(least := LossFunction(ONE_WAY).largest_bounded_epsilon()):.3f}", least),
        ),
    ),
    Number(
        name="correlation/bounded",
        text="In another town, people stay in place 1 with probability 0.9 instead of 0.8, and still nobody comes back from "
        "place 2. Every release has the same ε. From which ε on does the backward loss have no bound?",
        right=lambda: LossFunction([[0.9, 0.1], [0.0, 1.0]]).largest_bounded_epsilon(),
        high=10.0,
        tolerance=0.02,
        written=lambda epsilon: f"{epsilon:.4f}",
        traps=(
            Trap(
                LossFunction(ONE_WAY).largest_bounded_epsilon,
                "is the limit if the chance of staying is 0.8. Put 0.9 into log(1/q).",
            ),
            Trap(
                lambda: -np.log(0.1),
                "is log(1/0.1), with the chance of leaving place 1. Here q is the chance of staying there, 0.9.",
            ),
        ),
        why="log(1/q) with q = 0.9. The stickier place 1 is, the longer it is remembered, and the smaller the budgets "
        "must be.",
    ),
    _often(),
    _pairs(),
    _bunches(),
)
