"""Questions of the lesson in which a city decides whether to publish the tracks of 1,000 invented people, and how.

What it says of the sample city is stored, as the city takes a few seconds to make: the places of its people, from which the
page People computes too, and whom names removed leave alone and two weeks link. `data/city_figures.py` writes both.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Number, Trap
from lmdk_widgets.geo import Floats
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import amount, metres, percent, whole
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.people.tables import sample_city
from lmdk_widgets.population.exposure_of_people import epsilon_for_share, shares_found
from lmdk_widgets.trajectory.samples import data_folder

DISTANCES_M = (50.0, 100.0, 200.0, 500.0)
NEAR_M, CELL_M, HOURS = 200.0, 1_000, 1
MOST_SHARE = 0.05
KNOWN = (1, 2, 3, 4)
EPSILON, LARGE = 1.0, 10.0
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


@cached("everybody", what="what is stored of the sample city")
def stored() -> dict[str, Any]:
    """What the file holds."""
    return json.loads((data_folder() / "city_figures.json").read_text(encoding="utf-8"))


def people() -> int:
    """How many people live in the city."""
    return len(sample_city().people("stays"))


def found_m(scheme: FixedSchemeName, epsilon: float) -> Floats:
    """(people,) metres to which each person's nearest lasting place is found in half of all releases."""
    return sample_city().people("stays").found(scheme, epsilon)


def expected(scheme: FixedSchemeName, epsilon: float, distance_m: float) -> float:
    """The expected number of people who are found nearer than a distance."""
    return float(shares_found(found_m(scheme, epsilon), distance_m).sum())


def epsilon_for_share_of(scheme: FixedSchemeName, share: float = MOST_SHARE, distance_m: float = NEAR_M) -> float:
    """The epsilon at which this share of the people is expected to be found nearer than a distance."""
    return epsilon_for_share(found_m(scheme, 1.0), share, distance_m)


def epsilon_of_medians() -> float:
    """The epsilon at which this share of the people is found nearer in half of all releases: no answer to the question."""
    nearest = np.sort(found_m("uniform", 1.0))
    return float(nearest[round(MOST_SHARE * len(nearest)) - 1]) / NEAR_M


def in_half() -> int:
    """How many people are found nearer in at least half of all releases."""
    return int((found_m("uniform", EPSILON) <= NEAR_M).sum())


def cells() -> list[int]:
    """The sides of the squares, metres."""
    return [int(side) for side in stored()["unicity"]]


def unicity(cell_m: int = CELL_M, hours: int = HOURS) -> list[float]:
    """The share of people whom 1, 2, 3 and 4 known moments single out."""
    return list(stored()["unicity"][str(cell_m)][str(hours)])


def home_and_work(cell_m: int = CELL_M) -> dict[str, float]:
    """The share of people whom home and work together ("pair") and home alone ("home") single out."""
    return dict(stored()["home_and_work"][str(cell_m)])


COARSER = {
    "Squares of 2 km, by the hour": (2_000, 1),
    "Squares of 1 km, by the day": (1_000, 24),
    "Squares of 2 km, by a quarter of a day": (2_000, 6),
    "Squares of 4 km, by the hour": (4_000, 1),
}
"""What may be published instead of squares of 1 km by the hour: the side in metres, and the hours."""


def _coarser() -> Choose:
    def why(of: tuple[int, int]) -> str:
        share = percent(unicity(*of)[-1])
        return sentence("Four moments still single out {share} of the people.", share=share)

    return Choose(
        name="city/coarser",
        text="The city makes the table without names coarser. After which change do four moments single out fewest people?",
        choices=tuple(Choice(name, partial(why, of)) for name, of in COARSER.items()),
        right=lambda: int(np.argmin([unicity(*of)[-1] for of in COARSER.values()])),
    )


STEPS = (
    Curve(
        name="city/points",
        text="The city takes the names off, and nothing else. Somebody knows a few moments of a person: the square of 1 km "
        "and the hour. Draw how many of 100 people are singled out, against the number of moments.",
        x=KNOWN,
        right=lambda: [100 * share for share in unicity()],
        high=100.0,
        x_title="known moments",
        y_title="of 100 people",
        why="Few people share one moment with nobody. But hardly anybody shares three or four moments with the same person.",
    ),
    Number(
        name="city/home",
        text="Somebody knows the square of 1 km in which a person lives, and the one in which they work. Of 100 people, how "
        "many are the only ones with this pair?",
        right=lambda: 100 * home_and_work()["pair"],
        high=100.0,
        scale="difference",
        tolerance=5.0,
        traps=(
            Trap(lambda: 100 * home_and_work()["home"], "is how many are the only ones in the square of their home."),
            Trap(lambda: 100 * unicity()[-1], "is how many four moments single out."),
        ),
        why="An employer knows both, and so do neighbours who chat. The square of the home alone singles out hardly anybody.",
    ),
    _coarser(),
    Number(
        name="city/found",
        text=lambda: sentence(
            "Now with noise: each track is published under Uniform with ε = 1. Of the 1,000 people, {in_half} are found to "
            "within 200 m in at least half of all releases. In a single release, how many are expected to be found nearer "
            "than 200 m?",
            in_half=whole(in_half()),
        ),
        right=lambda: expected("uniform", EPSILON, NEAR_M),
        high=1_000.0,
        tolerance=0.15,
        traps=(
            Trap(
                lambda: float(in_half()),
                "is the number who are found in at least half of all releases. Many others are found less often.",
            ),
            Trap(lambda: in_half() / 2, "counts only those few, and only half of the time."),
        ),
        why="A person found to within 400 m in half of all releases is found nearer than 200 m in 16 of 100.",
    ),
    Curve(
        name="city/epsilon",
        text="Draw how many of the 1,000 people are expected to be found nearer than 200 m, against ε.",
        x=EPSILONS,
        right=lambda: [expected("uniform", epsilon, NEAR_M) for epsilon in EPSILONS],
        high=1_000.0,
        log_x=True,
        x_title="ε of each person",
        y_title="people found",
        why="For small ε the number grows with the square of ε. Near 10 nearly everybody is found.",
    ),
    Number(
        name="city/protect",
        text="At which ε are 95 of 100 people expected not to be found nearer than 200 m?",
        right=lambda: epsilon_for_share_of("uniform"),
        high=100.0,
        tolerance=0.15,
        traps=(
            Trap(
                epsilon_of_medians,
                "is where 5 of 100 people are found in half of all releases. Others are found too, only less often.",
            ),
        ),
        why="The mean over the people of the share of releases in which each is found has to be 5 of 100.",
    ),
)


TEST = (
    Choose(
        name="city/decide",
        text="May the city publish this, and if not, what?",
        choices=(
            Choice(
                "Not the table without names. Tracks with noise, with an ε for a limit that was agreed on before",
                "The noise comes with a promise, and the limit says what is accepted.",
            ),
            Choice(
                "The table without names: a single moment singles out hardly anybody",
                lambda: sentence(
                    "One moment singles out {one} of the people, four single out {four}.",
                    one=percent(unicity()[0]),
                    four=percent(unicity()[-1]),
                ),
            ),
            Choice(
                "The table without names, in squares of 1 km: nobody sees where in a square a home is",
                lambda: sentence(
                    "Home and work single out {pair} of the people, and the rest of their track is then known.",
                    pair=percent(home_and_work()["pair"]),
                ),
            ),
            Choice(
                "Tracks under Uniform with ε = 10, which have noise too",
                lambda: sentence(
                    "Then {found} of 1,000 people are expected to be found nearer than {near}.",
                    found=amount(expected("uniform", LARGE, NEAR_M)),
                    near=metres(NEAR_M),
                ),
            ),
        ),
        right=lambda: 0,
    ),
    Choose(
        name="city/secret",
        text="The city computes from its table the ε at which 95 of 100 people are not found, and prints it beside the data. "
        "What is wrong with that?",
        choices=(
            Choice(
                "This ε depends on the true places, so it tells a little about them",
                "A limit and an ε that are agreed on beforehand tell nothing.",
            ),
            Choice(
                "Nothing: an ε is a setting, and settings are public",
                "They are, unless they are computed from the data.",
            ),
            Choice(
                "An ε must never be published",
                "Without it nobody knows what is promised. It only must not come from the data.",
            ),
            Choice(
                "It is too exact: an ε has to be rounded",
                "Rounding makes it tell less, and leaves that it comes from the data.",
            ),
        ),
        right=lambda: 0,
    ),
)

QUESTIONS = (*STEPS, *TEST)
