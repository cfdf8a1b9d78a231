"""Questions of the lesson on places: what geo-indistinguishability promises, what a report costs, what it reveals."""

from __future__ import annotations

from functools import partial
from math import exp

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Point, Scene, Trap
from lmdk_widgets.course.tracking import COMMUTER_CELL_M, apart, hours
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind import smallest_epsilon, spanner
from lmdk_widgets.geoind.mechanisms import Assessment, Instance
from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.place import PlaceChoices, lesson

SMALL = PlaceChoices(rows=4, columns=4, cell_m=600, level=1.0, radius_m=600, other="uniform")
"""A few cells of the lesson's city, which are solved quickly: a privacy level of 1 within 600 m."""

FAR_M, DILATION = 1200.0, 1.1
CITY = PlaceChoices(rows=5, columns=5)
"""The city of the last figure, with the same cells as the page it opens."""
TRUTH = 6
"""The true cell of the report in that city, counted from 0."""

LEVELS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
DRAW = 5

TITLES = {
    "optimal": "the optimal mechanism",
    "spanner": "a spanner of dilation 1.1",
    "remapped": "planar Laplace, each report replaced by the best guess",
    "planar": "planar Laplace, moved to the nearest cell",
}


@cached("everybody", entries=64)
def cells(places: PlaceChoices) -> Instance:
    """The cells of the made-up city with their prior."""
    return lesson.city(places).instance


@cached("everybody", entries=64)
def solved(level: float = 1.0) -> dict[str, Assessment]:
    """Every mechanism on 4 x 4 cells at a privacy level within 600 m; OptPriv with the quality loss of the optimal one."""
    epsilon = SMALL.with_changes(level=level).epsilon_per_m
    return lesson.compare_mechanisms(cells(SMALL), epsilon, DILATION, [*TITLES, "private"])


def loss(name: str, level: float = 1.0) -> float:
    """The quality loss of a mechanism, metres."""
    return solved(level)[name].loss_m


def losses(name: str) -> Floats:
    """The quality loss of a mechanism at each of `LEVELS`, metres."""
    return np.array([loss(name, level) for level in LEVELS])


@cached("everybody", entries=64)
def report_from_truth(level: float) -> tuple[Assessment, int, Floats]:
    """The optimal mechanism on `CITY` at a level, the likeliest report from `TRUTH`, and what its reader then believes."""
    places = CITY.with_changes(level=level)
    (found,) = lesson.compare_mechanisms(cells(places), places.epsilon_per_m, DILATION, ["optimal"]).values()
    report = int(found.channel.matrix[TRUTH].argmax())
    likely = cells(places).prior * found.channel.matrix[:, report]
    return found, report, likely / likely.sum()


@cached("everybody", entries=256)
def on_edges_alone(share: float) -> float:
    """The epsilon that holds for all pairs if only the edges keep `share` of it, as a multiple of the epsilon asked for.

    This is the worst case: chances that change by as much as the edges allow, along the longest path.
    """
    return float(spanner(cells(SMALL).distances_m, DILATION).dilation * share)


def kept_by_spanner() -> float:
    """The epsilon that the spanner's mechanism really has over all pairs, as a share of the epsilon asked for."""
    found = solved()["spanner"].channel
    return smallest_epsilon(found.matrix, cells(SMALL).distances_m) / SMALL.epsilon_per_m


def week_scene() -> Scene:
    """The commuter's week, hour by hour, each scattered within its cell so that none hides another."""
    states, centres, _ = hours()
    half = COMMUTER_CELL_M / 2
    dots = centres[states.ravel()] + np.random.default_rng(DRAW).uniform(-half, half, (states.size, 2))
    edge = 2.5 * half  # no dot at the rim of the map
    (west, south), (east, north) = centres.min(axis=0) - edge, centres.max(axis=0) + edge
    return Scene(west, south, east, north, dots=dots)


@cached("everybody")
def blind() -> tuple[Floats, float]:
    """The best guess before any report of the commuter, and how far off it is on average, metres."""
    states, centres, _ = hours()
    prior = np.bincount(states.ravel(), minlength=len(centres)) / states.size
    expected = prior @ apart(centres, centres)
    return centres[expected.argmin()], float(expected.min())


def _edges() -> Choose:
    ways = {
        "ε on the edges": (1.0, "A path is longer than the straight line, and the factors along it multiply."),
        "ε/δ on the edges": (
            1 / DILATION,
            "Paths are at most δ times longer, and each metre of them counts 1/δ as much.",
        ),
        "ε·δ on the edges": (DILATION, "That is less private on every edge, and even less so along a path."),
    }

    def why(text: str) -> str:
        share, because = ways[text]
        along = on_edges_alone(share)
        return sentence(
            "Along the longest path, two cells then have {along_path} times ε. {because}",
            along_path=Written(f"{along:.3g}", along),
            because=because,
        )

    def right() -> int:
        kept = [on_edges_alone(share) for share, _ in ways.values()]
        return int(np.argmax([value if value <= 1 + 1e-9 else -1 for value in kept]))

    return Choose(
        name="places/edges",
        text="The edges of a spanner connect any two cells by a path that is at most δ = 1.1 times longer than the straight "
        "line. What must hold on the edges for all pairs to have ε?",
        choices=tuple(Choice(text, partial(why, text)) for text in ways),
        right=right,
    )


def _losses() -> Order:
    return Order(
        name="places/least-off",
        text="All four are private with the same ε, on 4 × 4 cells of 600 m. Whose reports have the smallest mean error?",
        items=tuple(Item(title, partial(_off, name)) for name, title in TITLES.items()),
        ends=("smallest error", "largest error"),
        keys=lambda: [loss(name) for name in TITLES],
        why=lambda: "Nothing beats the optimal one: " + ", ".join(metres(loss(name)) for name in TITLES) + ".",
    )


def _off(name: str) -> str:
    title = TITLES[name].capitalize()
    return sentence("{title} is {quality_loss} off.", title=title, quality_loss=metres(loss(name)))


def _private() -> Choose:
    def certified(name: str) -> str:
        return amount(solved()[name].channel.epsilon * SMALL.radius_m)

    def larger() -> str:
        return sentence(
            "Its adversary is {private_error} off, that of the optimal mechanism {optimal_error}",
            private_error=metres(solved()["private"].error_m),
            optimal_error=metres(solved()["optimal"].error_m),
        )

    choices = (
        Choice("A larger adversary error", lambda: f"{larger()}: no more."),
        Choice(
            "No larger adversary error, and the loss of ε",
            lambda: (
                f"{larger()}. Within 600 m the optimal mechanism has ε = {certified('optimal')}; OptPriv has "
                f"{certified('private')}."
            ),
        ),
        Choice("A larger adversary error and a smaller ε", lambda: f"{larger()}, and its ε is {certified('private')}."),
    )

    def right() -> int:
        wins = solved()["private"].error_m > 1.01 * solved()["optimal"].error_m
        keeps = np.isfinite(solved()["private"].channel.epsilon)
        return 1 if not wins and not keeps else 2 if wins and keeps else 0

    return Choose(
        name="places/optpriv",
        text="OptPriv may be as far off as the optimal mechanism, and makes the adversary error as large as possible. The "
        "adversary knows the prior. What does it achieve compared with the optimal mechanism?",
        choices=choices,
        right=right,
    )


QUESTIONS = (
    Number(
        name="places/promise",
        text="The privacy level is 1 within 600 m. By what factor may the chances of a report differ between two places "
        "1,200 m apart?",
        right=lambda: exp(SMALL.epsilon_per_m * FAR_M),
        high=1000.0,
        tolerance=0.02,
        traps=(
            Trap(lambda: exp(SMALL.level), "is the factor for places 600 m apart. It grows with the distance."),
            Trap(
                lambda: 2 * exp(SMALL.level),
                "is twice the factor for 600 m. But twice the distance doubles the exponent, so the factor is squared.",
            ),
            Trap(lambda: SMALL.epsilon_per_m * FAR_M, "is the exponent. The factor is e to this power."),
        ),
        why="e^(ε d) with ε = 1/600 per metre and d = 1,200 m, which is e².",
    ),
    Point(
        name="places/blind",
        text="Each dot is an hour of the commuter's week, somewhere in its cell. One hour is drawn, and nothing is reported. "
        "Tap the single best guess: the place with the smallest mean error.",
        scene=week_scene,
        right=lambda: blind()[0],
        tolerance_m=700.0,
        why=lambda: sentence(
            "It is {blind_error} off on average. Half of all hours are spent there, and then no other place has a "
            "smaller mean distance: it is not the centre of mass. An attacker who knows the prior is never farther "
            "off on average, whichever mechanism makes the report.",
            blind_error=metres(blind()[1]),
        ),
    ),
    _edges(),
    _losses(),
    Curve(
        name="places/levels",
        text="There are 4 × 4 cells of 600 m. Draw how far off the optimal mechanism's reports are on average, against the "
        "privacy level within 600 m: from hardly any ε to a lot of it.",
        x=LEVELS,
        right=lambda: losses("optimal"),
        high=1400.0,
        x_title="privacy level ε within 600 m",
        y_title="off by, m",
        log_x=True,
        tolerance=0.3,
        written=metres,
        why=lambda: sentence(
            "With hardly any ε, it reports the single best guess, {blind_error} off, and is never farther off: "
            "planar Laplace would be much farther off. With a lot of ε, it reports the true cell.",
            blind_error=metres(cells(SMALL).blind_m),
        ),
    ),
    _private(),
)
