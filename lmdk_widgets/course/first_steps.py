"""Figures of the first lesson, one slider each: what follows each of its twelve predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, combinations
from math import exp, log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets import allocate, landmark_totals
from lmdk_widgets.composition import sequential
from lmdk_widgets.course.moments import bob, neighbouring
from lmdk_widgets.course.start import (
    HOURS,
    LEVEL_RADIUS_M,
    LEVELS,
    NIGHTS,
    RADIUS_M,
    RELEASE_EPSILON,
    RELEASES,
    STAYS,
    factor,
    off_by_nights,
    share,
    surest,
)
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.noise import Laplace, PlanarLaplace, warner
from lmdk_widgets.page.amounts import amount, bound, count, metres, percent, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import curves, line
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.districts import COUNTS
from lmdk_widgets.pages.table.neighbours import TRUE_SHARE, most_believed
from lmdk_widgets.pages.table.stream import stream_of
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, SKY
from lmdk_widgets.scenario import Scenario

TRUTHS = (0.55, 0.6, 0.75, 0.9, 0.99)
"""How often the truth is told; three times in four with two coins."""
EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0)
FACTORS = (0.25, 0.5, log(3), 2.0, 4.0)
"""Epsilons for the step on odds, that of two coins among them."""
BELIEFS = np.arange(0, 101, 5) / 100
HALF = 0.5
IN_SQUARE = 20
"""People in the square, with Bob."""
PUBLISHED = np.arange(100, 301) / 10
"""Counts for which the step on noise draws how likely they are."""
OTHER = 5
"""The timestamp, from 0, at which the other day differs whatever the level."""
SCHEMES: dict[str, FixedSchemeName] = {"event": "event", "landmark": "uniform", "user": "user"}
"""The scheme of each level; of landmark privacy the one that shares equally."""
NOISE = TableChoices(part="noise")
DAY = TableChoices(part="stream", level="event")
BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7), correlation="none")
PEOPLE = range(1000, 10_001, 1000)
FAR_M = tuple(range(0, 501, 100))
CHOICES = np.geomspace(0.25, 4, 41)
"""Epsilons along the curve of the last step."""


def _slider(
    draw: Callable[..., Chart], label: str, values: Sequence[Any], at: Any, written: Callable[[Any], str] = amount
) -> Sliding:
    return Sliding(lambda value: [draw(value)], (Stops(label, values, values.index(at), written),))


def _bars(
    name: str, x: Sequence[Any], heights: ArrayLike, colour: Any, said: Sequence[str] | None = None, shape: str = ""
) -> dict[str, Any]:
    """Bars, hatched where there is a shape, with their heights in words above them."""
    marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}}
    words = {} if said is None else {"text": list(said), "textposition": "outside"}
    return {"type": "bar", "name": name, "x": list(x), "y": np.asarray(heights).tolist(), "marker": marker, **words}


def _axes(x: str, y: str, **of_y: Any) -> dict[str, Any]:
    return {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}, "rangemode": "tozero", **of_y}}


def _people(number: float) -> str:
    return "1 person" if number == 1 else sentence("{people} people", people=amount(number))


def _named_day() -> list[str]:
    """The timestamps of Bob's day, his landmarks with a star."""
    n, landmarks = bob()
    return [f"★ p{k + 1}" if k in landmarks else f"p{k + 1}" for k in range(n)]


def coin() -> Sliding:
    """What those say who did it and who did not, by how often the truth is told."""

    def draw(truth: float) -> Chart:
        design = warner(truth)
        data = []
        looks = (("rode without a ticket", design.yes_if_yes, BLUE, ""), ("did not", design.yes_if_no, ORANGE, "/"))
        for name, yes, colour, shape in looks:
            chances = [yes, 1 - yes]
            data.append(_bars(name, ("Yes", "No"), chances, colour, [percent(chance) for chance in chances], shape))
        said = sentence(
            "Those who rode without a ticket say Yes with probability {yes_if_yes}, the others with {yes_if_no}: "
            "{e_epsilon} times as likely.",
            yes_if_yes=percent(design.yes_if_yes),
            yes_if_no=percent(design.yes_if_no),
            e_epsilon=amount(exp(design.epsilon)),
        )
        figure = {"data": data, "layout": _axes("answer", "chance", range=[0, 1.15], tickvals=[0, 0.5, 1])}
        return Chart("coin", "What people answer", figure, said)

    opens = NOISE.with_changes(mechanism="warner", truth=0.75)
    return replace(_slider(draw, "Chance that the truth is told", TRUTHS, 0.75, percent), opens=opens)


def odds() -> Sliding:
    """What a belief can become, by epsilon."""

    def draw(epsilon: float) -> Chart:
        rise = [most_believed(belief, epsilon) for belief in BELIEFS]
        fall = [most_believed(belief, -epsilon) for belief in BELIEFS]
        figure = curves({"at most": rise, "at least": fall}, x=BELIEFS, x_title="belief before", y_title="belief after")
        figure["data"] = [trace | {"mode": "lines"} for trace in figure["data"]]
        figure["data"].append(line("unchanged", [0, 1], [0, 1], GREY, "dot"))
        high, low = (
            [percent(most_believed(belief, way)) for belief in (HALF, TRUE_SHARE)] for way in (epsilon, -epsilon)
        )
        said = sentence(
            "ε = {epsilon}, a factor of {e_epsilon}: a belief of {half} may rise to {half_rises_to} or fall to "
            "{half_falls_to}, one of {true_share} to {share_rises_to} or {share_falls_to}.",
            epsilon=amount(epsilon),
            e_epsilon=amount(exp(epsilon)),
            half=percent(HALF),
            half_rises_to=high[0],
            half_falls_to=low[0],
            true_share=percent(TRUE_SHARE),
            share_rises_to=high[1],
            share_falls_to=low[1],
        )
        return Chart("odds", "What a belief can become", figure, said)

    opens = NOISE.with_changes(mechanism="many", answers=2)
    return replace(_slider(draw, "ε", FACTORS, log(3)), opens=opens)


def count_noise() -> Sliding:
    """Two neighbouring counts with Laplace noise, by epsilon."""

    def draw(epsilon: float) -> Chart:
        noise = Laplace(sensitivity=1.0)
        scale = noise.scale(epsilon)
        likely = {
            name: np.exp(-np.abs(PUBLISHED - true) / scale) / (2 * scale)
            for name, true in (("Bob is in the square", IN_SQUARE), ("Bob is not there", IN_SQUARE - 1))
        }
        figure = curves(likely, x=PUBLISHED, x_title="published count", y_title="how likely")
        figure["layout"]["yaxis"]["tickvals"] = []
        said = sentence(
            "{mean_noise} off on average. No count is more than {most_e_epsilon} times as likely with Bob as without "
            "him.",
            mean_noise=_people(noise.mean_displacement(epsilon)),
            most_e_epsilon=bound(exp(epsilon)),
        )
        return Chart("count", f"{IN_SQUARE} people with Bob, or {IN_SQUARE - 1} without him", figure, said)

    return replace(_slider(draw, "ε", EPSILONS, 0.5), opens=NOISE.with_changes(counted="one", epsilon=0.5))


def sums() -> Sliding:
    """What releases add up to, by the epsilon of each."""

    def draw(epsilon: float) -> Chart:
        total = [sequential([epsilon] * n) for n in HOURS]
        figure = curves({"all together": total}, x=HOURS, x_title="releases", y_title="ε of all together")
        said = sentence(
            "Together {releases} with ε = {epsilon} have ε = {together}: a factor of {e_together} at most.",
            releases=count(HOURS[-1], "release"),
            epsilon=amount(epsilon),
            together=amount(total[-1]),
            e_together=amount(exp(total[-1])),
        )
        return Chart("sum", "What releases add up to", figure, said)

    return _slider(draw, "ε of each release", (0.1, 0.25, 0.5, 1.0), 0.25)


def hidden_sets(level: str) -> list[tuple[int, ...]]:
    """All sets of timestamps at which another day may differ from Bob's and be a neighbour of it, the smallest first."""
    n = bob()[0]
    return [
        some
        for some in chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1))
        if neighbouring(level, some)
    ]


def levels() -> Sliding:
    """A day that has to look like Bob's, by the level."""

    def draw(level: str) -> Chart:
        hidden = hidden_sets(level)
        differs = [some for some in hidden if OTHER in some][-1]
        names, n = _named_day(), bob()[0]
        other = [float(k in differs) for k in range(n)]
        data = [
            line("Bob's day", names, [0.0] * n, BLUE, mode="lines+markers"),
            line("a day that must look like it", names, other, ORANGE, "dash", "lines+markers"),
        ]
        where = {
            "tickvals": [0, 1],
            "ticktext": ["where Bob is", "elsewhere"],
            "range": [-0.25, 1.25],
            "zeroline": False,
        }
        said = sentence(
            "Here they differ at {n_different}. Of {n_ways} ways to choose such timestamps, this level hides "
            "{n_hidden}.",
            n_different=count(len(differs), "timestamp"),
            n_ways=whole(2**n - 1),
            n_hidden=whole(len(hidden)),
        )
        layout = {"xaxis": {"title": {"text": "timestamp, ★ landmark"}}, "yaxis": where}
        return Chart("levels", "Two days that must look alike", {"data": data, "layout": layout}, said)

    return _slider(draw, "Level", tuple(SCHEMES), "event", LEVELS.__getitem__)


def landmarks() -> Sliding:
    """Bob's budgets, and what his landmarks and one other timestamp spend together, by the level."""

    def draw(level: str) -> Chart:
        n, marked = bob()
        budgets = allocate(SCHEMES[level], n, marked, 1.0)
        together = float(landmark_totals(budgets, marked).max())
        others = [k for k in range(n) if k not in marked]
        one = amount(float(budgets[0]))
        data = [
            _bars("landmark", marked, budgets[list(marked)], ORANGE, [one] * len(marked)),
            _bars("other timestamp", others, budgets[others], BLUE, [one] * len(others)),
            _bars("landmarks and one other", [n], [together], GREY, [amount(together)]),
            line("ε = 1", [-0.5, n + 0.5], [1, 1], GREEN, "longdash"),
        ]
        data = [trace | {"offsetgroup": "all"} for trace in data]
        said = sentence(
            "{level}: each timestamp spends {one}, the landmarks and one other together {together}.",
            level=LEVELS[level],
            one=one,
            together=amount(together),
        )
        axes = _axes("timestamp", "ε", range=[0, 1.25 * max(1.0, together)])
        axes["xaxis"] |= {"tickvals": list(range(n + 1)), "ticktext": [*_named_day(), "together"]}
        return Chart("shares", "What each timestamp may spend", {"data": data, "layout": axes}, said)

    return replace(_slider(draw, "Level", tuple(SCHEMES), "landmark", LEVELS.__getitem__), opens=BOB)


def nights() -> Sliding:
    """How far the average of reports of one bed is off, by the epsilon of each."""

    def draw(epsilon: float) -> Chart:
        off = off_by_nights(epsilon)
        series = {"new noise each night": off, "the first report, repeated": np.full(len(NIGHTS), off[0])}
        figure = curves(series, x=NIGHTS, x_title="nights", y_title="average off by, m")
        said = sentence(
            "One report is {one_night_error} off on average, the average of {nights} nights {all_nights_error}; the "
            "ε of these nights together is {together}.",
            one_night_error=metres(off[0]),
            nights=whole(NIGHTS[-1]),
            all_nights_error=metres(off[-1]),
            together=amount(sequential([epsilon] * NIGHTS[-1])),
        )
        return Chart("nights", "How far the bed is missed", figure, said)

    return _slider(draw, "ε of each night", (0.5, 1.0, 2.0), 1.0)


def distance() -> Sliding:
    """By what factor two places may be told apart, by the level: each 100 m multiply it."""

    def draw(level: float) -> Chart:
        factors = [factor(level, far) for far in FAR_M]
        said = [amount(value) for value in factors]
        data = [_bars("factor", [f"{far} m" for far in FAR_M], factors, BLUE, said)]
        axes = _axes("distance of the two places", "factor", range=[0, 1.18 * factors[-1]])
        each = sentence(
            "Every {radius_m} m multiplies the factor by {odds_factor}",
            radius_m=Written(f"{LEVEL_RADIUS_M:g}", LEVEL_RADIUS_M),
            odds_factor=amount(factor(level, LEVEL_RADIUS_M)),
        )
        return Chart(
            "distance",
            "How well two places are told apart",
            {"data": data, "layout": axes},
            f"{each}: it is {', '.join(said[1:])} at {', '.join(map(str, FAR_M[1:]))} m.",
        )

    return _slider(draw, f"ε at {LEVEL_RADIUS_M:g} m", (0.25, 0.5, log(2), 1.0), log(2))


def released() -> Sliding:
    """The counts of a day, their release, and what is written in place of counts below 0, by epsilon."""

    def draw(epsilon: float) -> Chart:
        found = stream_of(DAY.with_changes(epsilon=epsilon)).released
        assert found is not None  # at event level
        true, mended = np.array(COUNTS), np.maximum(found, 0)
        hours = list(range(1, len(true) + 1))
        below = np.flatnonzero(found < 0)
        data = [
            _bars("true count", hours, true, SKY),
            line("released", hours, found.tolist(), ORANGE, mode="lines+markers"),
            line("0 in its place", (below + 1).tolist(), [0.0] * len(below), GREEN, mode="markers")
            | {"marker": {"symbol": "diamond", "size": 10, "color": GREEN}},
        ]
        off = [float(np.abs(values - true).mean()) for values in (found, mended)]
        instead = ""
        if len(below):
            instead = sentence(
                " With 0 instead, the release is {mended_error} off on average, not {error}.",
                mended_error=_people(off[1]),
                error=amount(off[0]),
            )
        said = sentence(
            "Below 0: {n_below} of {n_counts} released counts.{instead}",
            n_below=whole(len(below)),
            n_counts=whole(len(true)),
            instead=instead,
        )
        layout = _axes("hour", "people")
        return Chart("released", "The count of each hour", {"data": data, "layout": layout}, said)

    return replace(_slider(draw, "ε of each hour", (0.25, 0.5, 1.0, 2.0), 0.25), opens=DAY.with_changes(epsilon=0.25))


def memory() -> Sliding:
    """What ten releases tell about each timestamp, by the chance to stay."""

    def draw(stay: float) -> Chart:
        moves = np.array([[stay, 1 - stay], [1 - stay, stay]])
        total = temporal_loss(moves, moves, [RELEASE_EPSILON] * RELEASES).total
        figure = curves(
            {"all releases": total}, y_title="ε of one timestamp", levels={"its own release": RELEASE_EPSILON}
        )
        said = sentence(
            "Two places, and a chance of {stay_chance} to stay: all releases tell up to ε = {most_total_loss} about "
            "one timestamp.",
            stay_chance=percent(stay),
            most_total_loss=amount(float(total.max())),
        )
        return Chart("memory", "What all releases tell about one timestamp", figure, said)

    return _slider(draw, "Chance to stay", STAYS, 0.9, percent)


def off_by_people(epsilon: float, people: int) -> float:
    """How far a count is off on average where everyone adds noise: of a nearly normal error, √(2/π) of its deviation.

    An answer varies alike whether its truth is Yes or No, so that the deviation is that of people who all have a true Yes.
    """
    design = warner(exp(epsilon) / (1 + exp(epsilon)))
    return sqrt(2 / pi) * people * design.standard_error(design.yes_if_yes, people)


def trust() -> Sliding:
    """The error of a count where everyone adds noise, and where the operator does."""

    def draw(epsilon: float) -> Chart:
        local = [off_by_people(epsilon, people) for people in PEOPLE]
        central = [Laplace(sensitivity=1.0).mean_displacement(epsilon)] * len(PEOPLE)
        series = {"each phone adds noise": local, "the operator adds noise": central}
        figure = curves(series, x=PEOPLE, x_title="people asked", y_title="off by, people")
        said = sentence(
            "Of {people} people: {local_error} off on average if each phone adds noise, {central_error} if the operator "
            "does.",
            people=whole(PEOPLE[-1]),
            local_error=_people(local[-1]),
            central_error=_people(central[-1]),
        )
        return Chart("trust", "What it costs to trust nobody", figure, said)

    return _slider(draw, "ε", EPSILONS, 1.0)


def bobs_choice() -> Sliding:
    """How sure an attacker may become, and how far off Bob's places are, by epsilon."""
    off = PlanarLaplace(RADIUS_M).mean_displacement

    def point(epsilon: float) -> tuple[float, float]:
        return most_believed(HALF, epsilon), off(share("uniform", epsilon)) / 1000

    def draw(epsilon: float) -> Chart:
        believed, km = zip(*(point(each) for each in CHOICES), strict=True)
        here = point(epsilon)
        data = [
            line("each ε", list(believed), list(km), BLUE),
            line("this ε", [here[0]], [here[1]], ORANGE, mode="markers")
            | {"marker": {"symbol": "diamond", "size": 12, "color": ORANGE}},
        ]
        said = sentence(
            "A belief of one half becomes {most_belief} at most. With Uniform each place is {mean_noise} off on "
            "average, with its ε at {radius}.",
            most_belief=percent(here[0]),
            mean_noise=metres(1000 * here[1]),
            radius=metres(RADIUS_M),
        )
        axes = _axes("a belief of one half becomes at most", "places off by, km")
        return Chart("choice", "What is believed, and what is left of the places", {"data": data, "layout": axes}, said)

    stops = (0.25, 0.5, surest(), 2.0, 4.0)
    return replace(_slider(draw, "ε of all ★ and one other", stops, surest()), opens=BOB.with_changes(epsilon=surest()))
