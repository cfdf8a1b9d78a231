"""What is done today, on a random sample of the table's people: a zone around each home, rounding, and both.

choices --practised--> what each practice publishes of a person, what an attacker finds there  -->  shares of people

No practice has a guarantee, and other attacks may find more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.population.usefulness_of_people import UsefulShare, useful_share, wilson
from lmdk_widgets.practice.chosen_practice import ROUNDING, ZONE, Practice, one_after_another
from lmdk_widgets.practice.practised import Practised, Target, practised, target_of
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.pages.people.tables import PeopleTable


class PractisedOne(NamedTuple):
    """A practice on one person's track.

    Attributes
    ----------
    hidden_m : how far the attacker's guess is from the place that it should hide; infinite where nothing is published.
    nearest_m : the same for the nearest of all lasting places: what is published shows the others.
    left_out : the share of the points that are not published. too_far : whether points are too far apart for the attack on
    zones. worth : a reader's mean error with what is published, and without it, metres.
    """

    hidden_m: float
    nearest_m: float
    left_out: float
    too_far: bool
    worth: tuple[float, float]


@dataclass(frozen=True)
class PractisedShare:
    """A practice on the sample.

    Attributes
    ----------
    practice : what was done. each : what it comes to for each person in the sample. of : how many people there are.
    """

    practice: Practice
    each: tuple[PractisedOne, ...]
    of: int

    def found(self, distance_m: float) -> int:
        """How many people in the sample are found nearer than a distance, at any place where they stay."""
        return sum(one.nearest_m < distance_m for one in self.each)

    def hidden_found(self, distance_m: float) -> int:
        """How many of them at the place that the practice should hide."""
        return sum(one.hidden_m < distance_m for one in self.each)

    def interval(self, distance_m: float) -> tuple[float, float]:
        """Of all people, the share found so near: an interval of 95 %, or the share itself if all are in the sample."""
        found, n = self.found(distance_m), len(self.each)
        return wilson(found, n) if n < self.of else (found / n, found / n)

    @property
    def useful(self) -> UsefulShare:
        """For how many people what is published is useful to a careful reader."""
        return useful_share([one.worth for one in self.each], self.of)

    @property
    def left_out(self) -> float:
        """The share of a person's points that is not published, median over the sample."""
        return float(np.median([one.left_out for one in self.each]))

    @property
    def too_far(self) -> int:
        """For how many the points are too far apart for the attack on zones."""
        return sum(one.too_far for one in self.each)

    def meets(self, choices: PeopleChoices) -> bool | None:
        """Whether no more people are found than may be; None where the sample cannot tell."""
        low, high = self.interval(choices.distance_m)
        most = choices.most_percent / 100
        return False if low > most else True if high <= most else None


def practices_of(choices: PeopleChoices) -> tuple[Practice, ...]:
    """The practices that are tried: a zone, rounding, and rounding what a zone leaves."""
    zone, rounding = Practice(ZONE, choices.zone_m), Practice(ROUNDING, float(choices.decimals))
    return zone, rounding, one_after_another((zone, rounding))


def shown_m(track: Trajectory, published: Trajectory) -> float:
    """How far from the nearest lasting place of a track the nearest lasting place of what is published is, metres; infinite
    where one of the two has none."""
    true, told = (
        np.array([(place.latitude, place.longitude) for place in lasting_places_of(one)]).reshape(-1, 2)
        for one in (track, published)
    )
    apart: Floats = distance_m(true[:, None, 0], true[:, None, 1], told[None, :, 0], told[None, :, 1])
    return float(apart.min(initial=np.inf))


def today_steps(
    table: PeopleTable, choices: PeopleChoices, sample: int, found: tuple[PractisedShare, ...]
) -> Iterator[tuple[PractisedShare, ...]]:
    """All of it, if it is not `found` already, after a step for each person and practice."""
    practices = practices_of(choices)
    if len(found) == len(practices):
        return
    each: list[list[PractisedOne]] = [[] for _ in practices]
    for name in table.drawn(sample, choices.seed):
        nothing_m = table.worth(choices.rule, choices.scheme, choices.epsilon, name, sample)[1]
        yield found
        for practice, people in zip(practices, each, strict=True):
            key = "practised", practice.code, choices.seed, name
            one = table.once(key, partial(practise, practice, table, name, choices.seed))
            people.append(one._replace(worth=(one.worth[0], nothing_m)))
            yield found
    by_practice = zip(practices, each, strict=True)
    yield tuple(PractisedShare(practice, tuple(people), table.count) for practice, people in by_practice)


def practise(practice: Practice, table: PeopleTable, name: str, seed: int) -> PractisedOne:
    """What a practice comes to for one person, to somebody who knows which silences are a zone's, and when one is there;
    without what a reader has where nothing is published."""
    track, target = table.once(("target", name), partial(_target, table, name))
    return _of_one(practised(practice, track, knows=True, seed=seed, target=target), track)


def _target(table: PeopleTable, name: str) -> tuple[Trajectory, Target]:
    track = table.people("stays").track(name)
    return track, target_of(track)


def _of_one(found: Practised, track: Trajectory) -> PractisedOne:
    if found.published is None:
        return PractisedOne(math.inf, math.inf, 1.0, False, (math.inf, math.nan))
    nearest = min(found.found_m, shown_m(track, found.published))
    return PractisedOne(found.found_m, nearest, found.left_out, found.too_far_apart, (found.reader_m, math.nan))
