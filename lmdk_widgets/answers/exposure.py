"""The first answers about an outcome, computed immediately: found and promised, as numbers with a line each and in
sentences.

Found is computed from the true data, for their owner's screen; a file in which a release replaces them does not show
it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.averaging_attack import AMBER, SURE, Found, FoundAnswer, FoundLevel
from lmdk_widgets.answers.found_places import LEAST_M, FoundPlace, Place
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import DRAWS, noise_budgets, spent_of
from lmdk_widgets.answers.silences import silence_ends
from lmdk_widgets.answers.street_attack import STREETS, StreetAttack
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.inference import averaging_attack, following_attack, main_place
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.answers import Answer
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.scenario.data_kinds import AnswersKind, Kind, NumbersKind, TrackKind, kind_of
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.ground import ground_of
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

MOST_CELL_M = 1000.0
"""Following finds a place from cells up to this side, metres."""

NOT_SHOWN = "What averaging finds is not shown here, as this file does not contain the true data."
OF_CELLS = "Many reports from one place may give its cell away, whatever the chain; how soon is not computed here."
WAITS = f"Drawing {DRAWS} releases, as the budgets depend on them."


class Circle(NamedTuple):
    """Where an attacker puts a lasting place in this draw, within how many metres half of all draws find it, whether that is
    near, as the answer "Found" is red or amber; what the place is called: "home"; and the metres in words, as the answer
    says them."""

    latitude: float
    longitude: float
    radius_m: float
    near: bool
    name: str = ""
    distance: str = ""

    def message(self) -> list[float | str]:
        """As a page receives it: three numbers, 1 where it is near, the name and the distance."""
        place = [float(self.latitude), float(self.longitude), float(self.radius_m), float(self.near)]
        return [*place, self.name, self.distance]


MOST_MARKED = 3
"""The most lasting places that the map names."""


FINDS: dict[type[Kind], type[Found]] = {TrackKind: FoundPlace, NumbersKind: FoundLevel, AnswersKind: FoundAnswer}
"""What averaging finds in each kind of data."""


def found_of(outcome: Outcome) -> Found | None:
    """What averaging finds; None where that is not computed (cells, another release instead of the true data), and
    while a page still draws the budgets.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> found = found_of(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    >>> round(found.within(), 1), round(found.right, 4), found.near, found.colour
    (92.8, 0.8978, 2, 'red')
    """
    if not computes_found(outcome) or (spent := spent_of(outcome)) is None:
        return None
    return _found(outcome.scenario, outcome.trajectory, spent.tobytes())


@cached("visitor", entries=64)
def _found(scenario: Scenario, data: Trajectory, spent: bytes) -> Found:
    """What averaging finds in a release: texts, map and verdict of it ask for the same."""
    budgets = np.frombuffer(spent).reshape(-1, len(data))
    return FINDS[type(kind_of(data))](scenario, data, ground_of(scenario, data), budgets)


def computes_found(outcome: Outcome) -> bool:
    """Whether what averaging finds is computed: from the true data, and not of cells."""
    return outcome.trajectory.name != RELEASE_NAME and outcome.reports is None


def found_places_of(outcome: Outcome) -> tuple[Place, ...]:
    """The lasting places of a track under planar Laplace, nearest found first; empty for other data, and as `found_of`."""
    found = found_of(outcome)
    return found.places if isinstance(found, FoundPlace) else ()


def found_sentences(outcome: Outcome) -> list[str]:
    """How well an attacker who knows when you are there finds the place of most timestamps, or the level, or the answer."""
    if outcome.trajectory.name == RELEASE_NAME:
        return [NOT_SHOWN]
    if outcome.reports is not None:
        return [OF_CELLS] if outcome.published.any() else []
    found = found_of(outcome)
    return [] if found is None else found.sentences()


def found_now(outcome: Outcome) -> str:
    """What is found with the present settings, in a sentence with the number of the tile; "" where that is not computed."""
    found = found_of(outcome)
    return "" if found is None else found.now()


def first_answers(outcome: Outcome) -> tuple[Answer, ...]:
    """Found and promised, each a number with a line.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> found, promised = first_answers(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")))
    >>> found.value, found.look, promised.value, promised.look
    ('1.7 km', 'grey', '55 of 100', '')
    """
    promised = Promised(outcome)
    told = Answer("Promised", promised.value(), promised.line(), promised.look(), promised.short(), promised.brief())
    return _found_answer(outcome), told


def _found_answer(outcome: Outcome) -> Answer:
    if outcome.trajectory.name == RELEASE_NAME:
        return Answer("Found", "not said", NOT_SHOWN, short="in this file")
    if outcome.reports is not None:
        return Answer("Found", "not computed", OF_CELLS, short="of cells")
    found = found_of(outcome)
    if found is None:
        return Answer("Found", "\N{HORIZONTAL ELLIPSIS}", WAITS)
    line, brief, streets = found.line(), found.brief, _streets(outcome)
    if streets is not None and streets.sentence:
        line, brief = (
            own and join([own, more], " ") for own, more in ((line, streets.sentence), (brief, streets.brief))
        )
    return Answer("Found", found.value(), line, found.colour, found.short, brief)


def attacker_sentences(outcome: Outcome) -> list[str]:
    """What averaging finds in more detail, and what is promised in the same unit."""
    promised = Promised(outcome)
    if outcome.trajectory.name == RELEASE_NAME or outcome.reports is not None:
        return [*found_sentences(outcome), promised.sentence()]
    found = found_of(outcome)
    if found is None:
        return [WAITS, promised.sentence()]
    streets = _streets(outcome)
    said = [join([*found.details(), *_right(found), *_both(found, promised)], " ")]
    return [*said, *([streets.sentence] if streets is not None and streets.sentence else []), promised.sentence()]


def _streets(outcome: Outcome) -> StreetAttack | None:
    """What somebody finds who knows the streets; None without streets, and while the page computes it."""
    return outcome.found(STREETS)


def _right(found: Found) -> list[str]:
    """How often averaging guesses right, in the unit of the promise."""
    if not isinstance(found, FoundPlace) or not found.compared:
        return []
    right = sentence(
        "Of 100 guesses between {nearest_place} and a place one radius away, equally likely beforehand, {about} "
        "{right_of_100} are right: found, not promised.",
        nearest_place=found.nearest.your,
        about="about" if found.right <= SURE else "more than",
        right_of_100=Written(f"{100 * min(found.right, SURE):.0f}", 100 * found.right),
    )
    return [right]


def found_measure(outcome: Outcome) -> float:
    """What averaging finds in half of all releases, metres or the unit of a series; NaN for answers, for cells and
    where a release replaces the truth; infinite without a report."""
    found = found_of(outcome)
    return math.nan if found is None else found.within()


def right_measure(outcome: Outcome) -> float:
    """How often averaging guesses right, 0.5 to 1; NaN for cells and where a release replaces the truth."""
    found = found_of(outcome)
    return math.nan if found is None else found.right


def _both(found: Found, promised: Promised) -> list[str]:
    """Why more is found than is promised about one moment."""
    if not found.compared or found.right <= promised.one:
        return []
    both = "That takes {own_reports} together, while the first promise is about one moment alone: both hold."
    return [sentence(both, own_reports=count(found.reports, "report"))]


class FollowedPlace(NamedTuple):
    """What following finds out about the main place in a draw. off_m : metres from its middle. reports : how many were
    averaged."""

    off_m: float
    reports: int


def followed_place(outcome: Outcome, belief: Floats, area: Area) -> FollowedPlace | None:
    """What an attacker who does not know when you are where learns from a belief (n, m) over the cells of an area in the
    track's frame; None where the release is not of points, or the cells are too large to find a place (`MOST_CELL_M`).

    Distances are to the true place: for its owner's screen.
    """
    track = outcome.trajectory
    if not outcome.kind.placed or outcome.reports is not None or area.cell_m > MOST_CELL_M:
        return None
    reports_m = track.frame.to_metres(outcome.latitude, outcome.longitude)
    found = following_attack(belief, area.squares, area.points_m, reports_m, noise_budgets(outcome))
    latitude, longitude, _ = main_place(track.latitude, track.longitude)
    off_m = np.hypot(*(found.place_m - track.frame.to_metres(latitude, longitude)))
    return FollowedPlace(float(off_m), int(found.reports.sum()))


def found_circle(outcome: Outcome) -> Circle | None:
    """What is drawn on the map for the place that is found best; None where no place is."""
    return next(iter(found_circles(outcome)), None)


def found_circles(outcome: Outcome, fresh: Fresh | None = None) -> tuple[Circle, ...]:
    """The same for up to three lasting places, nearest found first: where this draw puts them, by their reports or by those
    beside their silences. They are computed from the true data, and in no file to share.

    Parameters
    ----------
    fresh : another release of the outcome, which a file shows instead.
    """
    drawn = outcome if fresh is None else fresh
    found = found_of(outcome)
    if not isinstance(found, FoundPlace) or found.few:
        return ()
    marked: list[Circle] = []
    for place in found.places[:MOST_MARKED]:
        spent = noise_budgets(outcome, drawn)
        used = _reports_of(outcome, place, spent)
        if place.found_m > found.most_m or not used.any():
            break
        at = averaging_attack(drawn.latitude, drawn.longitude, used, budgets=spent)
        near = place.found_m <= AMBER * outcome.scenario.radius_m
        distance = found.written(place.found_m)
        marked.append(Circle(*at, max(place.found_m, LEAST_M), near, place.name, distance))
    return tuple(marked)


def _reports_of(outcome: Outcome, place: Place, spent: Floats) -> NDArray[np.bool_]:
    """(n,) the reports that give a place away in this draw: its own, or those beside its silences."""
    if not place.by_silence:
        return place.members & (spent > 0)
    used = np.zeros(len(outcome), bool)
    used[silence_ends(outcome.trajectory, place.members & (spent <= 0), spent > 0)] = True
    return used
