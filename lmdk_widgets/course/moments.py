"""Questions of the lesson on eight moments of Bob's day: neighbours, levels, the Theorem, and what silence reveals."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

import numpy as np

from lmdk_widgets.budgets import allocate, landmark_totals, release
from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Point, Scene, Trap, probability
from lmdk_widgets.geo import Floats
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.trajectory.samples import sample

EPSILON = 1.0
PLANAR = PlanarLaplace(radius_m=200.0)
SCHEMES: dict[FixedSchemeName, str] = {
    "event": "Event level",
    "window": "w-event with w = 3",
    "uniform": "Uniform (landmark)",
    "user": "User level",
}
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

SILENT_M, AROUND_M, ASIDE_M = 450.0, 2400.0, (330.0, -210.0)
"""Bob is silent this close to his home; the sides of the map of his releases, and how far its middle is from his home."""
YEAR, YEAR_EPSILON = 420, 6.0


def bob() -> tuple[int, tuple[int, ...]]:
    """How many timestamps Bob's day has, and which of them are landmarks."""
    return len(sample("bob")), sample("bob").landmarks


def neighbouring(level: str, changed: Iterable[int]) -> bool:
    """Whether a day that differs from Bob's at these timestamps is a neighbour, so that epsilon has to hide the difference.

    Event level: one timestamp differs. User level: any. Landmark: any landmarks, and at most one other timestamp, which is
    what the Theorem adds up.

    Examples
    --------
    >>> neighbouring("landmark", [0, 4, 5]), neighbouring("landmark", [1, 5]), neighbouring("event", [1, 5])
    (True, False, False)
    """
    differs = set(changed)
    regular = differs - set(bob()[1])
    return {"event": len(differs) <= 1, "user": True, "landmark": len(regular) <= 1}[level]


def budgets(scheme: FixedSchemeName) -> Floats:
    """The budgets of Bob's day under a scheme with epsilon 1."""
    n, landmarks = bob()
    return allocate(scheme, n, landmarks, EPSILON, window=3)


def by_kind(of_landmarks: float, of_regulars: float) -> Floats:
    """One budget for landmarks and one for the others."""
    n, landmarks = bob()
    spent = np.full(n, of_regulars)
    spent[list(landmarks)] = of_landmarks
    return spent


def most(spent: Floats) -> float:
    """The largest sum in the Theorem's condition."""
    return float(landmark_totals(spent, bob()[1]).max())


def error(scheme: FixedSchemeName) -> float:
    """The mean error of a regular timestamp, metres."""
    return PLANAR.mean_displacement(float(budgets(scheme)[1]))


def errors_by_landmarks() -> list[float]:
    """The mean error under Uniform, kilometres, if the first k timestamps are landmarks, for each k."""
    n, _ = bob()
    shares = [allocate("uniform", n, range(k), EPSILON)[-1] for k in range(n + 1)]
    return [PLANAR.mean_displacement(float(share)) / 1000 for share in shares]


def errors_by_epsilon() -> list[float]:
    """The mean error under Uniform, metres, for each of `EPSILONS`."""
    return [PLANAR.mean_displacement(float(allocate("uniform", *bob(), epsilon)[0])) for epsilon in EPSILONS]


@cached("everybody")
def silent_year() -> tuple[Scene, tuple[float, float]]:
    """What Bob releases in a year under Skip, with silence around his home; and where his home is, metres."""
    track = sample("bob")
    home = track.points_m[0]
    middle = home + np.array(ASIDE_M)
    rng = np.random.default_rng(8)
    been = middle + rng.uniform(-AROUND_M / 2, AROUND_M / 2, (YEAR, 2))
    at_home = np.flatnonzero(np.hypot(*(been - home).T) < SILENT_M)
    released = release(been, "skip", at_home, YEAR_EPSILON, PLANAR, rng=rng)
    shown = released.outputs[released.published]
    west, south = middle - AROUND_M / 2
    inside = (np.abs(shown - middle) <= AROUND_M / 2).all(axis=1)
    latitudes, longitudes, names = zip(*track.places, strict=True)
    spots = zip(*track.frame.to_metres(latitudes, longitudes).T, names, strict=True)
    places = tuple(
        (float(x), float(y), name) for x, y, name in spots if np.abs([x, y] - middle).max() <= AROUND_M / 2 - 100
    )
    scene = Scene(west, south, west + AROUND_M, south + AROUND_M, dots=shown[inside], places=places)
    return scene, (float(home[0]), float(home[1]))


def _days() -> Choose:
    changes = {
        "Only p6 is elsewhere": ((5,), "It differs at one timestamp: a neighbour even at event level."),
        "p1, p3, p5 and p8 are elsewhere": (
            (0, 2, 4, 7),
            "Only landmarks differ, and landmark privacy hides them together, however many there are.",
        ),
        "p1, p5 and p6 are elsewhere": (
            (0, 4, 5),
            "It differs at two landmarks and one regular timestamp: any landmarks and one other may differ.",
        ),
        "p2 and p6 are elsewhere": (
            (1, 5),
            "p2 and p6 are both regular. Landmark privacy hides the landmarks with any one other timestamp, not with two; "
            "only user level promises to hide this day.",
        ),
    }
    days = tuple(Choice(text, why) for text, (_, why) in changes.items())
    return Choose(
        name="moments/neighbours",
        text="Bob's landmarks are p1, p3, p5 and p8. Here are four other days, the same as his except where stated. "
        "Which of them is not a neighbour of his under landmark privacy, so a release may tell them apart?",
        choices=days,
        right=lambda: [neighbouring("landmark", changed) for changed, _ in changes.values()].index(False),
    )


def _levels() -> Order:
    def why(scheme: FixedSchemeName, title: str) -> Item:
        def says() -> str:
            return sentence(
                "{title}: a budget of {budget}, {error} off on average.",
                title=title,
                budget=amount(budgets(scheme)[1]),
                error=metres(error(scheme)),
            )

        return Item(title, says)

    return Order(
        name="moments/levels",
        text="With the same ε = 1 for all four, which releases of a regular timestamp are precise, and which are noisy?",
        items=tuple(why(scheme, title) for scheme, title in SCHEMES.items()),
        ends=("least noise", "most noise"),
        keys=lambda: [error(scheme) for scheme in SCHEMES],
        why=lambda: (
            "The more timestamps share ε, the less each of them gets. On average they are off by "
            + ", ".join(
                sentence("{error} ({title})", error=metres(error(scheme)), title=title)
                for scheme, title in SCHEMES.items()
            )
            + "."
        ),
    )


def _broken() -> Choose:
    ways = {
        "1 for every timestamp": (
            by_kind(1, 1),
            "Each moment by itself would be protected, but not all of these together.",
        ),
        "1/8 for every timestamp": (
            by_kind(1 / 8, 1 / 8),
            "User level: it satisfies the Theorem, but wastes budget.",
        ),
        "1/8 for landmarks, 4/8 for the others": (
            by_kind(1 / 8, 4 / 8),
            "Four eighths and four eighths satisfy the Theorem, and the regular timestamps are far less noisy.",
        ),
        "0 for landmarks, 1 for the others": (by_kind(0, 1), "That is Skip: it satisfies the Theorem."),
    }

    def choice(text: str) -> Choice:
        spent, why = ways[text]
        return Choice(
            text,
            lambda: sentence(
                "The landmarks and one other timestamp spend at most {most_together}. {why}",
                most_together=amount(most(spent)),
                why=why,
            ),
        )

    return Choose(
        name="moments/broken",
        text="ε = 1. Which of these budgets for Bob's day breaks the Theorem?",
        choices=tuple(choice(text) for text in ways),
        right=lambda: [most(spent) > EPSILON for spent, _ in ways.values()].index(True),
    )


QUESTIONS = (
    _days(),
    probability(
        name="moments/belief",
        text="An attacker is sure that Bob's day was one of two neighbours, and thinks both equally likely. After a release "
        "that is landmark private with ε = 1, how sure of one can they be at most? Give a probability.",
        right=lambda: exp(EPSILON) / (1 + exp(EPSILON)),
        traps=(
            Trap(
                lambda: 0.5,
                "is what they believed before. It would stay the same only if the release revealed nothing, ε = 0.",
            ),
            Trap(lambda: 1.0, "would mean certainty. No release with a finite ε makes anyone certain."),
            Trap(lambda: 1 - exp(-EPSILON), "is 1 − 1/e. But e^ε multiplies the odds, not the chance that is left."),
        ),
        why="The odds of 1 to 1 become at most e to 1, which is a probability of e/(1 + e).",
    ),
    _levels(),
    Number(
        name="moments/share",
        text="Uniform gives all timestamps the same budget. With ε = 1 and four landmarks among eight timestamps, how much "
        "is it?",
        right=lambda: budgets("uniform")[0],
        high=10.0,
        tolerance=0.01,
        traps=(
            Trap(
                lambda: EPSILON / len(bob()[1]),
                "is ε shared by the landmarks alone. Nothing is left for the one other timestamp.",
            ),
            Trap(
                lambda: budgets("user")[0],
                "is ε shared by all eight timestamps. That is user level, with more noise than is needed.",
            ),
            Trap(
                lambda: budgets("event")[0],
                "is all of ε for every timestamp. That is event level: the landmarks together would spend ε four times.",
            ),
        ),
        why="Four landmarks and one other timestamp share ε: five shares.",
    ),
    Curve(
        name="moments/sums",
        text="Take Uniform with ε = 1 on Bob's day. Draw what the landmarks and t spend together, for each timestamp t.",
        x=tuple(range(1, 9)),
        labels=lambda: sample("bob").labels,
        right=lambda: landmark_totals(budgets("uniform"), bob()[1]),
        high=1.4,
        x_title="timestamp t",
        y_title="spent by L and t",
        tolerance=0.08,
        why="A landmark counts once, so there are four shares where t is a landmark, and five elsewhere.",
    ),
    Number(
        name="moments/overspent",
        text="A student understands Uniform as follows: landmarks get ε/4, the others ε/5. With ε = 1, what do the landmarks "
        "and one regular timestamp spend together?",
        right=lambda: most(by_kind(EPSILON / 4, EPSILON / 5)),
        high=10.0,
        tolerance=0.01,
        traps=(
            Trap(lambda: 4 * EPSILON / 4, "is what the four landmarks spend. Add the regular timestamp."),
            Trap(
                lambda: by_kind(EPSILON / 4, EPSILON / 5).sum(),
                "is what all eight timestamps spend. The Theorem adds up the four landmarks and one other timestamp.",
            ),
        ),
        why="The landmarks leave nothing of ε, and whatever a regular timestamp gets is too much.",
    ),
    _broken(),
    Curve(
        name="moments/many",
        text="Take Uniform with ε = 1, eight timestamps, and a protection radius of 200 m. Draw the mean error against the "
        "number of landmarks.",
        x=tuple(range(9)),
        right=errors_by_landmarks,
        high=4.0,
        x_title="landmarks among eight timestamps",
        y_title="mean error, km",
        tolerance=0.2,
        written=lambda km: metres(1000 * km),
        why="No landmarks is event level, eight is user level. Seven cost as much as eight: seven and one other are all "
        "eight.",
    ),
    Curve(
        name="moments/errors",
        text="Take Uniform on Bob's day, with a radius of 200 m. Draw the mean error against ε. Both axes are logarithmic.",
        x=EPSILONS,
        right=errors_by_epsilon,
        low=10.0,
        high=100_000.0,
        x_title="ε",
        y_title="mean error, m",
        log=True,
        log_x=True,
        tolerance=0.5,
        written=metres,
        why="The error is 2 · 200 m · 5 / ε: half the ε, twice the error, a straight line on these axes.",
    ),
    Point(
        name="moments/silence",
        text="For a year, Bob uses Skip with his home as a landmark: no timestamp near it is measured. These are the "
        "releases of all other timestamps. Where does he live?",
        scene=lambda: silent_year()[0],
        right=lambda: silent_year()[1],
        tolerance_m=150.0,
        why="Skip spends nothing on landmarks, and satisfies the Theorem. But the Theorem does not keep secret which "
        "timestamps are landmarks, and here their silence shows where they are: in the middle of the empty disc.",
    ),
)
