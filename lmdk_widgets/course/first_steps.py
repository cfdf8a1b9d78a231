"""Figures of the first lesson, one slider each: what follows each of its twelve predictions."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np

from lmdk_widgets.composition import sequential
from lmdk_widgets.course.figures import foundations_figure, track_figure
from lmdk_widgets.course.start import (
    HOURS,
    LEVEL_RADIUS_M,
    NIGHTS,
    RELEASE_EPSILON,
    RELEASES,
    STAYS,
    factor,
    off_by_nights,
    surest,
)
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.noise import Laplace, warner
from lmdk_widgets.page.amounts import amount, count, metres, percent
from lmdk_widgets.page.blocks import Block, Chart, Text
from lmdk_widgets.page.figures import curves
from lmdk_widgets.page.sliding import Sliding, Stops
from lmdk_widgets.pages.foundations import Foundations
from lmdk_widgets.pages.foundations.neighbours import TRUE_SHARE, most_believed
from lmdk_widgets.scenario import Scenario

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0)
NOISE = Foundations(part="noise")
BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7), correlation="none", average=True)
PEOPLE = (100, 300, 1000, 3000, 10_000)
METRES = tuple(range(0, 501, 50))


def _slider(draw: Any, label: str, values: tuple[float, ...], at: float, written: Any = amount) -> Sliding:
    return Sliding(lambda value: [draw(value)], (Stops(label, values, values.index(at), written),))


def coin() -> Sliding:
    """What those say who did it and who did not, by how often the truth is said."""
    return foundations_figure(NOISE.with_changes(mechanism="warner"), "outputs", truth=(0.55, 0.6, 0.75, 0.9, 0.99))


def odds() -> Sliding:
    """What a belief can become, by epsilon."""
    return foundations_figure(NOISE.with_changes(mechanism="many", answers=2), "belief", epsilon=EPSILONS)


def count_noise() -> Sliding:
    """Two neighbouring counts with Laplace noise, by epsilon."""
    return foundations_figure(NOISE.with_changes(counted="one"), "outputs", epsilon=EPSILONS)


def sums() -> Sliding:
    """What releases add up to, by the epsilon of each."""

    def draw(epsilon: float) -> Chart:
        total = [sequential([epsilon] * n) for n in HOURS]
        figure = curves({"all together": total}, x_title="releases", y_title="ε")
        said = (
            f"{count(HOURS[-1], 'release')} with ε = {amount(epsilon)} each add up to {amount(total[-1])}: a factor of "
        )
        return Chart("sum", "What releases add up to", figure, f"{said}{amount(exp(total[-1]))} at most.")

    return _slider(draw, "ε of each release", (0.1, 0.25, 0.5, 1.0), 0.25)


def levels() -> Sliding:
    """What each timestamp of Bob's day may spend, by the level."""
    return track_figure(BOB, "budgets", scheme=("event", "uniform", "user"))


def landmarks() -> Sliding:
    """Bob's budgets and errors under landmark privacy, by epsilon."""
    return track_figure(BOB, "errors", epsilon=(0.5, 1.0, 2.0, 4.0))


def nights() -> Sliding:
    """How far the average of reports of one bed is off, by the epsilon of each."""

    def draw(epsilon: float) -> Chart:
        off = off_by_nights(epsilon)
        series = {"new noise each night": off, "the first report, repeated": np.full(len(NIGHTS), off[0])}
        figure = curves(series, x=NIGHTS, x_title="nights", y_title="off by, m")
        said = f"One report is {metres(off[0])} off on average, the average of {NIGHTS[-1]} nights {metres(off[-1])}."
        return Chart("nights", "How far the bed is missed", figure, said)

    return _slider(draw, "ε of each night", (0.5, 1.0, 2.0), 1.0)


def distance() -> Sliding:
    """By what factor two places may be told apart, by the level."""

    def draw(level: float) -> Chart:
        factors = [factor(level, far) for far in METRES]
        figure = curves({"factor": factors}, x=METRES, x_title="m apart", y_title="factor", log_y=True)
        said = (
            f"{LEVEL_RADIUS_M:g} m apart: {amount(factor(level, LEVEL_RADIUS_M))}. 500 m apart: {amount(factors[-1])}."
        )
        return Chart("distance", "How well two places are told apart", figure, said)

    return _slider(draw, f"ε within {LEVEL_RADIUS_M:g} m", (0.25, 0.5, log(2), 1.0), log(2))


def released() -> Sliding:
    """The counts of a day and their release, by epsilon."""
    day = Foundations(part="stream", level="event")
    return foundations_figure(day, "counts", epsilon=(0.25, 0.5, 1.0, 2.0))


def memory() -> Sliding:
    """What ten releases tell of each timestamp, by how surely one stays where one is."""

    def draw(stay: float) -> Chart:
        moves = np.array([[stay, 1 - stay], [1 - stay, stay]])
        total = temporal_loss(moves, moves, [RELEASE_EPSILON] * RELEASES).total
        figure = curves(
            {"all releases": total}, y_title="ε of one timestamp", levels={"its own release": RELEASE_EPSILON}
        )
        most = amount(float(total.max()))
        said = f"Someone who stays with probability {percent(stay)} loses up to {most} at one timestamp."
        return Chart("memory", "What all releases tell about one timestamp", figure, said)

    return _slider(draw, "chance to stay", STAYS, 0.9, percent)


def trust() -> Sliding:
    """The error of a count where everybody adds noise, and where the operator does."""

    def draw(epsilon: float) -> Chart:
        p = exp(epsilon) / (1 + exp(epsilon))
        said_yes = TRUE_SHARE * p + (1 - TRUE_SHARE) * (1 - p)
        local = [n * warner(p).standard_error(said_yes, n) for n in PEOPLE]
        central = [2**0.5 * Laplace(sensitivity=1.0).scale(epsilon)] * len(PEOPLE)
        series = {"each adds noise": local, "the operator adds noise": central}
        figure = curves(series, x=PEOPLE, x_title="people", y_title="standard error, people", log_y=True)
        said = f"Of {PEOPLE[-1]:,} people it is {amount(local[-1])} where each adds noise, else {amount(central[-1])}."
        return Chart("trust", "What it costs to trust nobody", figure, said)

    return _slider(draw, "ε", EPSILONS, 1.0)


def bobs_choice() -> Sliding:
    """What Bob's releases are off by, and how sure an attacker may become, by epsilon."""
    values = (0.25, 0.5, surest(), 2.0, 4.0)

    def draw(epsilon: float) -> list[Block]:
        belief = f"A belief of one half becomes {percent(most_believed(0.5, epsilon))} at most."
        return [Text(belief), *track_figure(BOB.with_changes(epsilon=epsilon), "errors").draw()]

    return Sliding(draw, (Stops("ε of the landmarks and one other timestamp", values, 2, amount),), BOB)
