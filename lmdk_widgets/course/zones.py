"""Questions of the lesson on privacy zones: four predictions about made outings from a home, and two questions of a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import asinh, sqrt

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Number, Point, Scene, Trap
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.practice import ZoneFound, find_zone, zone, zone_silences
from lmdk_widgets.trajectory import Trajectory, sample

HOME = (48.8607, 2.3355)
"""Where the made person lives: the middle of Paris, and of every map of the lesson."""

SPEED, EVERY_S, NOISE_M, FAR_M = 3.0, 5.0, 5.0, 2_400.0
"""Of an outing: metres per second, seconds between two points, a receiver's noise on each axis, and how far it leads."""

CORNER_M, BEND = 150.0, 50.0
"""The first corner is so far from home, and the way turns there by at most so many degrees."""

RADIUS_M, OUTINGS = 400.0, 3
COUNTS = (1, 2, 3, 4, 6, 12)
RADII_M = (200.0, 400.0, 800.0, 1_600.0)
WIDE_M = RADII_M[-1]
OFFSET_M = 400.0
DRAWS = 12
"""Weeks with other directions and other noise behind each mean."""

TURN = 120.0
"""Degrees from the direction of one outing to that of the next."""

MIA_WEEK, SCENE_M = 4, 2_500.0
"""Of the outings on the first map, and the side of that map."""

MIA_MIDDLE_M = np.array([260.0, -190.0])
"""The middle of that map, from home, to the east and to the north: else the middle would be the answer."""

SQUARE_M, HECTARE_M2 = 1_000.0, 10_000.0


@dataclass(frozen=True)
class Attacked:
    """A week that was published, and what was found. track : everything. published : without the zone. found : by the vote.
    off_m : how far the guess is from home. home_m, guess_m : in metres of the published track's frame."""

    track: Trajectory
    published: Trajectory
    found: ZoneFound
    off_m: float
    home_m: Floats
    guess_m: Floats


def headings(n: int, first: float) -> list[float]:
    """The directions of n outings, degrees, each turned from the one before; from the fourth one on, they lie between.

    Examples
    --------
    >>> headings(4, 0.0)
    [0.0, 120.0, 240.0, 60.0]
    """
    return [(first + TURN * k + TURN / 2 * (k // 3 % 2) + TURN / 4 * (k // 6)) % 360 for k in range(n)]


def outings(n: int, number: int, *, every_s: float = EVERY_S) -> Trajectory:
    """Outings from home to the first corner, straight on and back, one a day, recorded with a receiver's noise.

    Parameters
    ----------
    n : outings. number : of the week, which decides their directions and the noise. every_s : seconds between two points.

    Returns
    -------
    Trajectory : of one person, in UTC.
    """
    rng = np.random.default_rng((17, number))
    frame = sample("bob").frame
    home = frame.to_metres(*(np.array([each]) for each in HOME))[0]
    far = SPEED * np.arange(0, FAR_M / SPEED, every_s)
    far = np.concatenate([far, far[::-1]])[:, None]
    points, times = [], []
    for day, heading in enumerate(headings(n, rng.uniform(0, 360))):
        street = heading + rng.uniform(-BEND, BEND)
        points.append(home + np.minimum(far, CORNER_M) * _way(street) + np.maximum(far - CORNER_M, 0) * _way(heading))
        times.append((86_400 * day + 61_200 + every_s * np.arange(len(far))) * 1_000)
    noisy = np.concatenate(points) + rng.normal(0, NOISE_M, (n * len(far), 2))
    latitude, longitude = frame.to_degrees(noisy)
    time = np.datetime64("2026-03-02T00:00:00", "ms") + np.concatenate(times).astype("timedelta64[ms]")
    return Trajectory(latitude, longitude, time, name="Mia's outings", zone="UTC")


def _way(heading: float) -> Floats:
    """The direction of a heading in degrees, east and north."""
    return np.array([np.sin(np.radians(heading)), np.cos(np.radians(heading))])


@cached("everybody", entries=1024)
def attacked(
    n: int = OUTINGS, radius_m: float = RADIUS_M, *, number: int, every_s: float = EVERY_S, offset_m: float = 0.0
) -> Attacked:
    """What somebody finds who knows the radius, and which silences are the zone's."""
    track = outings(n, number, every_s=every_s)
    published = zone(track, [HOME], radius_m, offset_m=offset_m, rng=np.random.default_rng((18, number)))
    found = find_zone(published, radius_m, silences=zone_silences(track, published), offset_m=offset_m)
    places = (np.array([a, b]) for a, b in zip(HOME, (found.latitude, found.longitude), strict=True))
    home, guess = published.frame.to_metres(*places)
    return Attacked(track, published, found, float(np.hypot(*(guess - home))), home, guess)


def off_m(n: int = OUTINGS, radius_m: float = RADIUS_M, *, every_s: float = EVERY_S, offset_m: float = 0.0) -> float:
    """How far the guess is off on average over `DRAWS` weeks, metres."""
    weeks = (attacked(n, radius_m, number=number, every_s=every_s, offset_m=offset_m) for number in range(DRAWS))
    return float(np.mean([week.off_m for week in weeks]))


def area_ha(n: int = OUTINGS, radius_m: float = RADIUS_M) -> float:
    """The area in which the attacker looks, the mean over the same weeks, hectares."""
    return float(np.mean([attacked(n, radius_m, number=number).found.area_m2 for number in range(DRAWS)])) / HECTARE_M2


def by_outings() -> list[float]:
    """The same for each of `COUNTS`."""
    return [area_ha(n) for n in COUNTS]


def mia_scene() -> Scene:
    """What Mia publishes of three outings, on a map whose middle is not her home."""
    week, half = attacked(number=MIA_WEEK), SCENE_M / 2
    dots = week.published.points_m - week.home_m - MIA_MIDDLE_M
    return Scene(-half, -half, half, half, dots=dots[(np.abs(dots) < half).all(axis=1)])


def mia_home() -> Floats:
    """Her home on that map."""
    return -MIA_MIDDLE_M


def in_square() -> float:
    """The mean distance from the middle of a square to a place in it, metres: ``(sqrt(2) + asinh(1)) / 6`` of its side."""
    return SQUARE_M * (sqrt(2) + asinh(1.0)) / 6


WAYS: dict[str, tuple[Callable[[], float], str]] = {
    "Make the zone four times as wide": (
        lambda: off_m(radius_m=WIDE_M),
        "It is cut out of longer ways, but its middle is still her home.",
    ),
    "Let the app move the middle of the zone once, by up to 400 m in a random direction": (
        lambda: off_m(offset_m=OFFSET_M),
        "The attacker finds the middle of the zone as before. But home is somewhere round it.",
    ),
    "Go out twelve times instead of three": (lambda: off_m(12), "Each outing is one more line that leads to the zone."),
    "Record a point every 10 seconds instead of every 5": (
        lambda: off_m(every_s=10.0),
        "The ends of the lines are a few metres less exact.",
    ),
}
"""What Mia may do, each with how far off the attacker is then, and why."""


def _what_helps() -> Choose:
    def why(name: str) -> str:
        off, because = WAYS[name]
        return sentence("Then the attacker is {off} off on average. {because}", off=metres(off()), because=because)

    return Choose(
        name="zones/helps",
        text="Mia publishes three outings, and has a zone of 400 m. What helps her most?",
        choices=tuple(Choice(name, partial(why, name)) for name in WAYS),
        right=lambda: int(np.argmax([off() for off, _ in WAYS.values()])),
    )


STEPS = (
    Point(
        name="zones/map",
        text="Mia goes running on three evenings, and publishes the points outside her zone of 400 m. Tap where you think "
        "that she lives.",
        scene=mia_scene,
        right=mia_home,
        tolerance_m=120.0,
        why="Each line ends where she enters the zone, so her home is 400 m from all three ends. Only one place is.",
    ),
    Curve(
        name="zones/outings",
        text="Her zone is 50 hectares large. An attacker knows the radius, and which gaps are the zone's. Draw the area "
        "that is left to look for her home, against the number of outings, each in another direction.",
        x=COUNTS,
        right=by_outings,
        low=0.05,
        high=50.0,
        log=True,
        x_title="outings",
        y_title="area left, hectares",
        tolerance=1.0,
        why="One outing leaves an arc of places as far from its end as the zone is wide. With a second one only places are "
        "left where two arcs cross, with a third one a single place.",
    ),
    Number(
        name="zones/wide",
        text="Three outings again. Mia widens her zone from 400 m to 1,600 m, so that it is 16 times as large. By what "
        "factor does the area grow that is left to look for her home? 1 means that it does not grow.",
        right=lambda: area_ha(radius_m=WIDE_M) / area_ha(),
        high=100.0,
        tolerance=0.15,
        traps=(
            Trap(
                lambda: (WIDE_M / RADIUS_M) ** 2,
                "is how much larger the zone is. The attacker does not look everywhere in it, only at its middle.",
            ),
            Trap(
                lambda: WIDE_M / RADIUS_M,
                "is how much wider the zone is. But its edge is seen as exactly as before, and so is its middle.",
            ),
        ),
        why="A wide zone has a middle nearly as exact as that of a narrow one. What counts is how exactly its edge is seen.",
    ),
    _what_helps(),
)

TEST = (
    Number(
        name="zones/square",
        text="A phone reports the middle of the square of 1 km in which Mia lives, every night. How many metres is her home "
        "from it on average, if it may be anywhere in the square?",
        right=in_square,
        high=5_000.0,
        unit="m",
        written=metres,
        tolerance=0.1,
        traps=(
            Trap(lambda: SQUARE_M / 2, "is how far the middle of a side is. Most places are nearer."),
            Trap(lambda: SQUARE_M / 2**0.5, "is how far a corner is. Nothing is farther."),
        ),
        why="It is the same after one night and after a thousand, unless the receiver's noise reaches an edge of the square.",
    ),
    Choose(
        name="zones/enough",
        text="A club's app cuts zones of 500 m round its members' homes. What does that promise?",
        choices=(
            Choice(
                "Nothing: what is found depends on the outings that are published", "So it is measured by attacking it."
            ),
            Choice(
                "Nobody can tell homes within 500 m of each other apart",
                "That would be a promise about pairs of places, such as geo-indistinguishability makes by noise.",
            ),
            Choice("A home is found to within 500 m, never nearer", "Three outings are enough to come much nearer."),
            Choice(
                "It is like noise with a mean distance of 500 m",
                "Noise moves every point. A zone leaves out some points, and the others stay exact.",
            ),
        ),
        right=lambda: 0,
    ),
)

QUESTIONS = (*STEPS, *TEST)
