"""What averaging and silences find in a track: the lasting places, nearest found first, whatever the chain.

A place is found by all its reports together, ``X = sqrt(2) r / B sqrt(-2 log(1 - share))``, 1.6651 r / B in half of all
releases (`inference.main_place`); where it is left out, by the reports beside its silences (`silence`). Which of the two is
nearer counts, and the nearest place of all is what is found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.averaging_attack import AMBER, ANY_CHAIN, FEW, HALF, NINE, Found
from lmdk_widgets.answers.main_places import LastingPlace, lasting_places_of, main_place_of
from lmdk_widgets.answers.silences import Silence, silence
from lmdk_widgets.inference.main_place import found_within, guesses_right
from lmdk_widgets.page.amounts import count, digits, metres, numeral
from lmdk_widgets.page.sentences import Written, capital, join, sentence
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.trajectory.model import Trajectory

LEAST_M = 20.0
"""No place is said to be found more precisely: people move within it."""

NOT_FOUND = "not found"
"""What is written for a distance beyond which nothing is found."""

RADIUS = "radius"
"""A limit that is the protection radius, whatever that is."""

NAMED = 2
"""The most places that a line names; the others are counted."""


@dataclass(frozen=True)
class Place:
    """A lasting place and how near an attacker comes to it.

    Attributes
    ----------
    place : where it is, what it is called, and how much of the track is there.
    found_m : metres within which half of all releases put it; infinite where nothing points to it.
    reports : how many reports of its own are published there; for draws, the median. reports_m : the same distance by these
        alone.
    silence : what its silences give away; None where it is not left out. by_silence : whether they come nearer than its
        reports.
    """

    place: LastingPlace
    found_m: float
    reports: int
    reports_m: float
    silence: Silence | None = None
    by_silence: bool = False

    @property
    def latitude(self) -> float:
        """Of its middle, degrees: a true place, for the owner's eyes only."""
        return self.place.latitude

    @property
    def longitude(self) -> float:
        """Of its middle, degrees."""
        return self.place.longitude

    @property
    def name(self) -> str:
        """On a map: "home", "work", "main place", "place 3"."""
        return self.place.name

    @property
    def your(self) -> str:
        """As part of a sentence: "your home"."""
        return self.place.your

    @property
    def called(self) -> str:
        """The same in a list: "home", "your main place"."""
        return self.place.called

    @property
    def members(self) -> NDArray[np.bool_]:
        """(n,) the timestamps there."""
        return self.place.members

    @property
    def often(self) -> str:
        """How much of the track is there."""
        return self.place.often

    def told(self, name: str, *, bare: bool = False) -> str:
        """What it is called, with how much of the track is there: "your home (87 h of 168)"; `bare` without "your" where
        that is clear, to follow "at". `name` is that of its value."""
        template = "{" + name + "} ({often})"
        called = self.place.there.removeprefix("at ") if bare else self.your
        return sentence(template, **{name: called, "often": self.often})


class FoundPlace(Found):
    """The lasting place of a track that is found best."""

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The lasting places, nearest found first; those found equally well by how much of the track is there."""
        found = [self._place(place) for place in lasting_places_of(self.data)]
        return tuple(sorted(found, key=lambda place: place.found_m))

    def _place(self, place: LastingPlace) -> Place:
        members, data = place.members, self.data
        by_reports = found_within([self.together_at(members)], self.scenario.radius_m)
        quiet = None
        if not self.scenario.spread.online:
            left_out = members & (self.spent[0] <= 0)
            if left_out.any():
                quiet = silence(data, left_out, self.spent[0], self.scenario.radius_m, self.scenario.seed)
                quiet = quiet if quiet.ends else None
        by_silence = quiet is not None and quiet.error_m < by_reports
        reports = int(np.median((self.spent[:, members] > 0).sum(axis=1)))
        found_m = min(by_reports, quiet.error_m) if quiet is not None else by_reports
        return Place(place, found_m, reports, by_reports, quiet, by_silence)

    @property
    def nearest(self) -> Place:
        """The one that is found best."""
        return self.places[0]

    @property
    def few(self) -> bool:
        """Whether no place lasts: the numbers are those of the best report."""
        return not self.places

    @property
    def members(self) -> NDArray[np.bool_]:
        return main_place_of(self.data).members if self.few else self.nearest.members

    @cached_property
    def together(self) -> float:
        there = self.together_at(self.members)
        return max(there, float(np.median(self.spent.max(axis=1)))) if self.few else there

    def within(self, share: float = 0.5) -> float:
        if not self.few and self.nearest.by_silence:
            assert self.nearest.silence is not None
            return self.nearest.silence.error_m if share <= 0.5 else self.nearest.silence.most_m
        return found_within([self.together], self.scenario.radius_m, share)

    @property
    def right(self) -> float:
        return guesses_right([self.together])

    @cached_property
    def most_m(self) -> float:
        """Half the region's smaller side, metres: anything located less precisely counts as not found."""
        return half_region_m(self.scenario, self.data)

    @property
    def is_found(self) -> bool:
        return self.within() <= self.most_m

    @property
    def compared(self) -> bool:
        return not self.few and not self.nearest.by_silence and bool(self.sentences())

    @property
    def colour(self) -> str:
        within, radius_m = self.within(), self.scenario.radius_m
        if not self.is_found or within > AMBER * radius_m:
            return "grey"
        return "red" if within <= radius_m else "amber"

    @property
    def near(self) -> int:
        """How many lasting places are found to within the radius."""
        return sum(place.found_m <= self.scenario.radius_m for place in self.places)

    @property
    def _remark(self) -> str:
        """Why the main place is not called home, where it is the nearest."""
        main = main_place_of(self.data)
        return main.not_home if self.few or bool((self.nearest.members == main.members).all()) else ""

    def value(self) -> str:
        return self.written(self.within())

    def written(self, within: float) -> str:
        return found_text(within, self.most_m, self.scenario.radius_m)

    def line(self) -> str:
        if self.few:
            return join((self._few_line(), self._remark), " ")
        place = self.nearest
        if not self.is_found:
            line = sentence(
                "{place}: {why}{others}.",
                place=capital(place.told("nearest_place")),
                why=self._not_near if math.isfinite(self.within()) else "it has no report of its own",
                others=", and comes to no other lasting place either" if len(self.places) > 1 else "",
            )
            return join((line, self._remark), " ")
        how = (
            "from the reports before and after it falls silent" if place.by_silence else "from all its reports together"
        )
        line = sentence(
            "{place}, {how}, {releases}.",
            place=capital(place.told("nearest_place")),
            how=how,
            releases=self.releases,
        )
        return join((line, self._rest(), self._remark), " ")

    @property
    def _not_near(self) -> str:
        """That averaging comes no nearer than what counts as found."""
        return sentence(
            "averaging does not come within {half_region}, half the region's smaller side",
            half_region=metres(self.most_m),
        )

    def _few_line(self) -> str:
        few = count(FEW, "report")
        if self.is_found:
            return sentence(
                "No place has {few_reports}: half of all releases{of_draws} find each within this.",
                few_reports=few,
                of_draws=self.drawn_words,
            )
        why = self._not_near if self.together else "nothing is reported"
        return sentence("No place has {few_reports}: {why}.", few_reports=few, why=why)

    def _rest(self) -> str:
        """The next place by its distance, and how many others are within the radius."""
        named, others = self.places[1:NAMED], self.places[NAMED:]
        if not named:
            return ""
        radius_m = self.scenario.radius_m
        second = sentence(
            "{second_place}: {second_distance}",
            second_place=_capital(named[0].your),
            second_distance=self.written(named[0].found_m),
        )
        if not others:
            return sentence("{second}.", second=second)
        near = sum(place.found_m <= radius_m for place in others)
        said = {
            "second": second,
            "more_places": numeral(len(others)),
            "places": "place" if len(others) == 1 else "places",
            "radius": metres(radius_m),
        }
        if near == 0:
            return sentence("{second}; {more_places} more {places}: farther than {radius}.", **said)
        if near == len(others):
            return sentence("{second}; {more_places} more {places}: within {radius}.", **said)
        return sentence(
            "{second}; of {more_places} more {places}, {more_near} within {radius}.", more_near=numeral(near), **said
        )

    @property
    def subject(self) -> str:
        return ("each report" if self.is_found else "any report") if self.few else self.nearest.your

    @property
    def short(self) -> str:
        if self.few:
            return f"each place, {'to within this distance' if self.is_found else 'by averaging'}"
        place = self.nearest.your
        if self.is_found:
            return sentence("{nearest_place}, to within this distance", nearest_place=place)
        return sentence("{nearest_place}, by averaging", nearest_place=place)

    @property
    def brief(self) -> str:
        if self.few:
            return self._few_line()
        if not self.is_found:
            return sentence("{nearest_place}: no report comes near it.", nearest_place=_capital(self.nearest.your))
        silent = ", from where you fall silent" if self.nearest.by_silence else ""
        return sentence(
            "from {nearest_place}{silent}, {half}.", nearest_place=self.nearest.your, silent=silent, half=HALF
        )

    def sentences(self) -> list[str]:
        if self.few:
            return self._few()
        place = self.nearest
        told = place.told("nearest_place")
        if not math.isfinite(self.within()):
            return [sentence("Averaging does not find {place}: it has no report of its own.", place=told)]
        if not self.is_found:
            not_found = sentence(
                "Averaging does not find {place}: it does not come within {half_region}, half the region's smaller side, "
                "{releases}, {any_chain}.",
                place=told,
                half_region=metres(self.most_m),
                releases=self.releases,
                any_chain=ANY_CHAIN,
            )
            return [not_found]
        near = sentence(
            "to within {about}{found_distance} {releases}", releases=self.releases, **self._near(self.within())
        )
        if place.by_silence:
            assert place.silence is not None
            beside = sentence(
                "Anyone who knows which silences are those of {place} finds it {near}, from the {silence_ends} beside them; "
                "no epsilon makes that farther than about {silence_limit} for long.",
                place=told,
                near=near,
                silence_ends=count(place.silence.ends, "report"),
                silence_limit=metres(max(place.silence.limit_m, LEAST_M)),
            )
            return [beside]
        reports: str = ""
        if place.reports < FEW:
            reports = sentence("from {own_reports} ", own_reports=count(place.reports, "report"))
        found = sentence(
            "Anyone who knows when you are {place} finds it {reports}{near}, {any_chain}.",
            place=sentence("at {place}", place=place.told("nearest_place", bare=True)),
            reports=reports,
            near=near,
            any_chain=ANY_CHAIN,
        )
        return [found]

    def _few(self) -> list[str]:
        """Where no place lasts: what the best report gives away."""
        if not self.is_found:
            return []
        only = sentence(
            "No place has {few_reports}: averaging finds each only to within {about}{found_distance} {releases}.",
            few_reports=count(FEW, "report"),
            releases=self.releases,
            **self._near(self.within()),
        )
        return [only]

    def details(self) -> list[str]:
        if not self.is_found or self.few:
            return self.sentences()
        nine = self._near(self.within(NINE))
        more = sentence(
            "In about nine of ten releases it is {about}{nine_distance}.",
            about=nine["about"],
            nine_distance=nine["found_distance"],
        )
        return [*self.sentences(), more, *self._second(), *self._others()]

    def _second(self) -> list[str]:
        """How well the next place is found."""
        if len(self.places) < 2:
            return []
        place = self.places[1]
        where = capital(place.told("second_place"))
        if place.found_m > self.most_m:
            return [sentence("{place} is not found.", place=where)]
        near = self._near(place.found_m)
        found = sentence(
            "{place} is found to within {about}{second_distance}.",
            place=where,
            about=near["about"],
            second_distance=near["found_distance"],
        )
        return [found]

    def _near(self, within_m: float) -> dict[str, str]:
        """How a distance is written, and whether with "about"."""
        text = found_text(within_m, limit_m=self.scenario.radius_m)
        return {"about": "about " if within_m >= LEAST_M else "", "found_distance": text}

    def _others(self) -> list[str]:
        near, radius = self.near, metres(self.scenario.radius_m)
        of = {"lasting_places": count(len(self.places), "lasting place"), "radius": radius}
        if near == len(self.places) > 1:
            return [sentence("Each of the {lasting_places} is found to within the radius of {radius}.", **of)]
        if not near:
            return [sentence("Of the {lasting_places} none is found to within the radius of {radius}.", **of)]
        some = sentence(
            "Of the {lasting_places} {near_places} {are} found to within the radius of {radius}.",
            near_places=numeral(near),
            are="are" if near > 1 else "is",
            **of,
        )
        return [some]


def half_region_m(scenario: Scenario, data: Trajectory) -> float:
    """Half the smaller side of the region, metres: anything located less precisely counts as not found."""
    return min(region_of(scenario, data).size_m) / 2


def nearest_m(limit: float | str | None, scenario: Scenario) -> float | None:
    """A limit of what is found, metres; None for no limit.

    Examples
    --------
    >>> nearest_m("radius", Scenario(radius_m=300.0)), nearest_m(150.0, Scenario()), nearest_m(None, Scenario())
    (300.0, 150.0, None)
    """
    if limit is None:
        return None
    return scenario.radius_m if limit == RADIUS else float(limit)


def found_text(within_m: float, most_m: float = math.inf, limit_m: float = math.nan) -> str:
    """How the distance within which a place is found is written; beyond `most_m` it is not found.

    It has two digits, as draws agree with it to within about a tenth, and more where two would put it on the other side of
    a limit.

    Examples
    --------
    >>> found_text(92.8), found_text(3.1), found_text(10_000.0, 9_000.0), found_text(math.nan)
    ('93 m', '20 m or less', 'not found', 'not computed')
    >>> found_text(398.3), found_text(197.2), found_text(197.2, limit_m=200.0)
    ('400 m', '200 m', '197 m')
    """
    if math.isnan(within_m):
        return "not computed"
    if within_m > most_m or math.isinf(within_m):
        return NOT_FOUND
    if within_m <= LEAST_M:
        return Written(metres(LEAST_M) + " or less", within_m)
    two = digits(within_m, 2)
    return metres(two if (two >= limit_m) == (within_m >= limit_m) else within_m)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
