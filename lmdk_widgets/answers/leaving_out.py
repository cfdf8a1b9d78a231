"""Leaving out: the lasting places that are found too near are not released at all, and what that costs.

A place without a report is found by its silences only, at about the distance of the reports beside them. Under Skip every
other timestamp may spend all of epsilon, so epsilon must be small enough for the places that are still released.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lmdk_widgets.answers.answer_changes import shifts, worse_words
from lmdk_widgets.answers.exposure import found_places_of
from lmdk_widgets.answers.found_places import LEAST_M, Place
from lmdk_widgets.answers.found_target import epsilon_for_found
from lmdk_widgets.checks import positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres, outward
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

_NAMED = 3
"""The most places that a sentence names."""


def left_out(outcome: Outcome, distance_m: float, *, least: int = 0) -> tuple[Place, ...]:
    """The lasting places found nearer than a distance, nearest first; at least so many, as far as there are any."""
    places = found_places_of(outcome)
    near = sum(place.found_m < distance_m for place in places)
    return places[: max(near, least)]


def leave_out(outcome: Outcome, distance_m: float, *, least: int = 0) -> Scenario:
    """The settings in which all lasting places that are found nearer than a distance are left out.

    Their timestamps become landmarks beside those already marked; the scheme is Skip. Epsilon is the present one, or the
    largest at which no lasting place is found nearer than the distance, if that is smaller: by the reports of the other
    places, and by the silences of those left out.

    Parameters
    ----------
    outcome : of `evaluate`, under planar Laplace. distance_m : metres, above 0. least : how many places are left out at
        least, the nearest first: leaving out more allows a larger epsilon.

    Returns
    -------
    Scenario
        The present one where no place is found nearer.

    Raises
    ------
    InputError : a series, or cells; a distance that is not above 0; silences that come nearer at every epsilon; nothing
        that would be left to release.

    Notes
    -----
    Guarantee: that of Skip. Which timestamps are left out, and epsilon, are chosen by looking at the data: the silences
    show when one is there, and what they give away is computed (`silences`).

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> now = evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter)
    >>> then = leave_out(now, 200.0)
    >>> then.scheme, then.epsilon, len(then.landmarks)
    ('skip', 0.1609, 1589)
    """
    distance_m = positive(distance_m, "distance_m")
    if not outcome.kind.placed or outcome.reports is not None:
        raise InputError("Only the lasting places of a track under planar Laplace can be left out")
    scenario, places = outcome.scenario, left_out(outcome, distance_m, least=least)
    if not places:
        return scenario
    skipped = without(scenario, places)
    if len(skipped.landmarks) == len(outcome):
        raise InputError("Without these places and the landmarks nothing would be released")
    most = epsilon_for_found(evaluate(skipped, outcome.trajectory), distance_m)
    if most <= 0:
        raise InputError("At every epsilon the silences of these places come nearer", value=metres(distance_m))
    return skipped if most >= skipped.epsilon else skipped.with_changes(epsilon=outward(most, up=False))


def without(scenario: Scenario, places: Sequence[Place]) -> Scenario:
    """The scenario with all timestamps at these places left out: landmarks under Skip, at the present epsilon or target."""
    members = np.any([place.members for place in places], axis=0)
    spent = scenario.epsilon if scenario.spread.by_hand else scenario[scenario.spread.spent]
    marked = {*scenario.landmarks, *np.flatnonzero(members).tolist()}
    return scenario.with_changes(scheme="skip", epsilon=spent, landmarks=marked, budgets=())


def leaving_out_sentence(now: Outcome, then: Outcome, distance_m: float, *, least: int = 0) -> str:
    """What `leave_out` does to the answers, for better and for worse, and what the silences still give away.

    Parameters
    ----------
    now, then : the present outcome, and that of `leave_out` with the same distance and the same `least`.
    """
    places = left_out(now, distance_m, least=least)
    if not places:
        return ""
    found = shifts(now, then)
    better = join((shift.sentence() for shift in found if shift.better and shift.seen), "; ")
    worse, epsilon = worse_words(found), then.scenario.epsilon
    told = [sentence("This chooses Skip at epsilon {skip_epsilon}.", skip_epsilon=Written(f"{epsilon:,.4g}", epsilon))]
    told += [sentence("Then {better}.", better=better)] if better else []
    told += [sentence("But {worse}.", worse=worse)] if worse else []
    return join([*told, _silences(then, places)], " ")


def _silences(then: Outcome, places: Sequence[Place]) -> str:
    """What the silences of these places give away, of the place that is found nearest by them."""
    known = {place.place.name: place.silence for place in found_places_of(then)}
    found = [(quiet.error_m, place) for place in places if (quiet := known.get(place.name)) is not None]
    there = named([place.place.there for place in places])
    shows = f"The silences show when you are {there}"
    if not found:
        return f"{shows}."
    error_m, place = min(found, key=lambda pair: pair[0])
    it = "it" if len(places) == 1 else place.your
    return sentence(
        "{shows}, and still give {it} away to within {silence_distance}.",
        shows=shows,
        it=it,
        silence_distance=metres(max(error_m, LEAST_M)),
    )


def named(names: Sequence[str]) -> str:
    """Names as part of a sentence.

    Examples
    --------
    >>> named(["your home"]), named(["your home", "your work", "place 3"]), named(["a", "b", "c", "d", "e"])
    ('your home', 'your home, your work and place 3', 'a, b, c and 2 more')
    """
    shown = list(names) if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last


def leaving_out_title(places: Sequence[Place]) -> str:
    """What the action is called: "Leave out your home and your work".

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> leaving_out_title(left_out(evaluate(Scenario(landmarks=commuter.landmarks), commuter), 200.0))
    'Leave out your home and your work'
    """
    return f"Leave out {named([place.your for place in places])}" if places else ""
