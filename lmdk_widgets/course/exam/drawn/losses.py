"""The number questions of the lessons on correlation, places, states and the adversary with other data."""

from __future__ import annotations

from math import exp
from random import Random

import numpy as np

from lmdk_widgets.course.ask import Trap
from lmdk_widgets.course.exam.drawn.family import Posed, chance, family, given, shown, tenths, twentieths
from lmdk_widgets.course.states import influence, nearby
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import found_within
from lmdk_widgets.leakage import LossFunction, backward_loss, temporal_loss
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.neighbours import most_believed
from lmdk_widgets.pufferfish import MarkovChain, quilt_scale


def _one_way(stays: float) -> Floats:
    """Nobody comes back from the second place."""
    return np.array([[stays, 1 - stays], [0.0, 1.0]])


def _either_way(stays: float) -> Floats:
    return np.array([[stays, 1 - stays], [1 - stays, stays]])


@family("correlation/step", {"stays": 0.8, "epsilon": 0.1}, stays=twentieths(8, 18), epsilon=twentieths(1, 20))
def step(stays: float, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "The place before place 1 was place 1 with chance {stays} and else place 2; the place before place 2 was always "
            "place 2. There are two releases with ε = {epsilon} each. What is the backward loss at the second?",
            stays=given(stays),
            epsilon=given(epsilon),
        ),
        "right": lambda: float(backward_loss(_one_way(stays), [epsilon] * 2)[1]),
        "traps": (
            Trap(lambda: 2 * epsilon, "is the sum of both budgets. The loss would be that large if nobody ever moved."),
            Trap(lambda: epsilon, "is the loss of the new release alone. Part of the first is still felt."),
            Trap(
                lambda: LossFunction(_one_way(stays))(epsilon), "is what is left of the first release. Add the new one."
            ),
        ),
        "why": sentence(
            "ln(1 + {stays} (e^{epsilon} − 1)) is left of the first release, and the second adds {epsilon}.",
            stays=given(stays),
            epsilon=given(epsilon),
        ),
    }


def _at(draw: Random) -> tuple[int, int]:
    releases = draw.randint(5, 12)
    return releases, draw.randint(2, releases - 1)


@family(
    "correlation/total",
    {"at": (10, 1), "stays": 0.8, "epsilon": 0.1},
    at=_at,
    stays=twentieths(10, 18),
    epsilon=twentieths(2, 12),
)
def both_ways(at: tuple[int, int], stays: float, epsilon: float) -> Posed:
    releases, asked = at
    found = temporal_loss(_one_way(stays), _one_way(stays), [epsilon] * releases)
    backward, forward = float(found.backward[asked - 1]), float(found.forward[asked - 1])
    return {
        "text": sentence(
            "At release {asked} of {releases} with ε = {epsilon} each, the backward loss is {backward} and the forward loss "
            "{forward}. What is the total loss there?",
            asked=given(asked),
            releases=given(releases),
            epsilon=given(epsilon),
            backward=shown(backward),
            forward=shown(forward),
        ),
        "right": lambda: float(found.total[asked - 1]),
        "tolerance": 0.01,
        "traps": (
            Trap(
                lambda: backward + forward,
                "is the sum of both losses. Both count the release itself: subtract it once.",
            ),
        ),
        "why": sentence(
            "{backward} + {forward} − {epsilon}.",
            backward=shown(backward),
            forward=shown(forward),
            epsilon=given(epsilon),
        ),
    }


@family("correlation/bounded", {"stays": 0.9}, stays=tuple(k / 100 for k in range(40, 97)))
def bounded(stays: float) -> Posed:
    return {
        "text": sentence(
            "In a town, people stay in place 1 with probability {stays}, and nobody comes back from place 2. Every release "
            "has the same ε. From which ε on does the loss have no bound?",
            stays=given(stays),
        ),
        "right": lambda: LossFunction(_one_way(stays)).largest_bounded_epsilon(),
        "traps": (
            Trap(
                lambda: -float(np.log(1 - stays)),
                "comes from the chance of leaving place 1. Take that of staying there.",
            ),
        ),
        "why": sentence("ln(1/q) with the chance of staying: ln(1/{stays}).", stays=given(stays)),
    }


@family(
    "places/promise",
    {"level": 1.0, "radius": 600, "apart": 1200},
    level=tenths(2, 20),
    radius=(300, 400, 500, 600),
    apart=range(700, 1300, 50),
)
def promise(level: float, radius: int, apart: int) -> Posed:
    return {
        "text": sentence(
            "The privacy level is {level} within {radius} m. By what factor may the chances of a report differ between two "
            "places {apart} m apart?",
            level=given(level),
            radius=given(radius),
            apart=given(apart),
        ),
        "right": lambda: exp(level / radius * apart),
        "traps": (
            Trap(lambda: exp(level), "is the factor at the radius. It grows with the distance."),
            Trap(lambda: level / radius * apart, "is the exponent. The factor is e to this power."),
        ),
        "why": sentence(
            "e^({level} · {apart} / {radius}).", level=given(level), apart=given(apart), radius=given(radius)
        ),
    }


@family("states/score", {"width": 7, "epsilon": 1.0}, width=range(5, 15), epsilon=tenths(12, 40))
def score(width: int, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "A Markov quilt consists of the timestamps {width} before and {width} after, and has the max-influence "
            "{influence}. With ε = {epsilon}, which noise scale σ does it require?",
            width=given(width),
            influence=shown(influence(width)),
            epsilon=given(epsilon),
        ),
        "right": lambda: nearby(width) / (epsilon - influence(width)),
        "traps": (
            Trap(
                lambda: (nearby(width) + 2) / (epsilon - influence(width)),
                "counts the two timestamps of the quilt as nearby. Their influence is already paid for.",
            ),
            Trap(lambda: nearby(width) / epsilon, "uses all of ε. The influence is paid from ε."),
        ),
        "why": sentence(
            "2 · {width} − 1 timestamps are strictly between, and {epsilon} − {influence} is left for them: (2 · {width} − "
            "1) / ({epsilon} − {influence}).",
            width=given(width),
            influence=shown(influence(width)),
            epsilon=given(epsilon),
        ),
    }


@family("states/stuck", {"length": 100, "epsilon": 0.5}, length=range(20, 200, 5), epsilon=tenths(2, 20))
def stuck(length: int, epsilon: float) -> Posed:
    never = MarkovChain([0.5, 0.5], [[1, 0], [0, 1]])
    return {
        "text": sentence(
            "A device never changes its state. Which noise scale σ does it need for T = {length} timestamps and ε = "
            "{epsilon}?",
            length=given(length),
            epsilon=given(epsilon),
        ),
        "right": lambda: quilt_scale(never, length, epsilon).scale,
        "traps": (Trap(lambda: 1 / epsilon, "is enough for a single timestamp. Here all have the same state."),),
        "why": sentence(
            "No quilt shields anything: {length} / {epsilon}.", length=given(length), epsilon=given(epsilon)
        ),
    }


@family("adversary/bayes", {"prior": 0.25, "truth": 0.75}, prior=twentieths(2, 14), truth=twentieths(11, 18))
def bayes(prior: float, truth: float) -> Posed:
    return chance(
        text=sentence(
            "Before anything is released, an adversary believes with probability {prior} that he is at work, and else at "
            "home. The phone uses randomised response and tells the truth with probability {truth}. It says “work”. How "
            "likely is it now that he is at work?",
            prior=given(prior),
            truth=given(truth),
        ),
        right=lambda: most_believed(prior, float(np.log(truth / (1 - truth)))),
        traps=(
            Trap(
                lambda: truth, "is the chance that the phone tells the truth. It leaves out what was believed before."
            ),
            Trap(lambda: prior * truth, "is the chance of being at work and hearing so. Divide by that of hearing so."),
        ),
        why=sentence(
            "{prior} · {truth} / ({prior} · {truth} + {rest} · {lies}).",
            prior=given(prior),
            truth=given(truth),
            rest=given(round(1 - prior, 2)),
            lies=given(round(1 - truth, 2)),
        ),
    )


@family(
    "adversary/averaged",
    None,
    reports=range(9, 150),
    budget=twentieths(1, 20),
    radius=(100, 150, 200, 300, 500),
)
def averaged(reports: int, budget: float, radius: int) -> Posed:
    return {
        "text": sentence(
            "{reports} planar Laplace reports are from home, each with a budget of {budget} at {radius} m, and an attacker "
            "knows which. In half of all cases averaging finds the home within 1.6651 r / B, where B is the root of the sum "
            "of squared budgets. How many metres is that?",
            reports=given(reports),
            budget=given(budget),
            radius=given(radius),
        ),
        "right": lambda: found_within([budget] * reports, float(radius)),
        "unit": "m",
        "traps": (
            Trap(
                lambda: 1.6651 * radius / budget, "is the distance for one report. Many about one place are worth more."
            ),
            Trap(lambda: 1.6651 * radius / budget / reports, "divides by the number of reports. Divide by its root."),
        ),
        "why": sentence(
            "1.6651 · {radius} / ({budget} · √{reports}).",
            radius=given(radius),
            budget=given(budget),
            reports=given(reports),
        ),
    }


@family("adversary/most", None, stays=twentieths(11, 19), epsilon=tenths(2, 20))
def most(stays: float, epsilon: float) -> Posed:
    moves = _either_way(stays)
    return {
        "text": sentence(
            "There are two places and two timestamps, each answered by randomised response with ε = {epsilon}. A person "
            "stays where they are with chance {stays}, at either place. By how much, as a logarithm, can both answers "
            "together change the odds of the two places at the first timestamp?",
            epsilon=given(epsilon),
            stays=given(stays),
        ),
        "right": lambda: float(temporal_loss(moves, moves, [epsilon] * 2).total[0]),
        "traps": (
            Trap(lambda: epsilon, "is what the first answer changes by itself. The second says something as well."),
            Trap(lambda: 2 * epsilon, "is the sum of both budgets. That would be so if nobody ever moved."),
        ),
        "why": sentence(
            "{epsilon} by the first, and ln((1 + {stays} (e^{epsilon} − 1)) / (1 + {moves} (e^{epsilon} − 1))) by the "
            "second.",
            epsilon=given(epsilon),
            stays=given(stays),
            moves=given(round(1 - stays, 2)),
        ),
    }


@family(
    "adversary/far",
    {"budget": 0.5, "radius": 200, "apart": 2},
    budget=tenths(1, 20),
    radius=(100, 200, 250, 400, 500),
    apart=(1, 1.5, 2, 2.5, 3, 4, 5),
)
def far(budget: float, radius: int, apart: float) -> Posed:
    return {
        "text": sentence(
            "Take one planar Laplace report with a budget of {budget} at a radius of {radius} m. By how much, as a "
            "logarithm, can it change the odds of two places {apart} km apart?",
            budget=given(budget),
            radius=given(radius),
            apart=given(apart),
        ),
        "right": lambda: budget * 1000 * apart / radius,
        "traps": (
            Trap(lambda: budget, "is the bound at the radius. These two are farther apart."),
            Trap(lambda: budget * radius / (1000 * apart), "divides by the distance in radii. Multiply."),
        ),
        "why": sentence(
            "{budget} for each {radius} m: {budget} · 1000 · {apart} / {radius}.",
            budget=given(budget),
            radius=given(radius),
            apart=given(apart),
        ),
    }


FAMILIES = (step, both_ways, bounded, promise, score, stuck, bayes, averaged, most, far)
