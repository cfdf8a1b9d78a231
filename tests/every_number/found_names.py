"""The numbers of found and promised by their names, and where each comes from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.every_number.claims import most, near
from tests.every_number.named import Given


def nothing(*losses: str) -> Any:
    """Whether of so many nothing is promised."""
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) >= 0.99 for name in losses)


def holds_at(t: Any) -> float:
    """A distance of one digit at which a moment tells no more than a factor of e."""
    far, near = t.radius / t.dearest, 1e-3
    while near * 10 <= far:
        near *= 10
    return near * next(k for k in range(9, 0, -1) if k * near <= far * (1 + 1e-12))


def place(k: int) -> Callable[[Any], str]:
    """What the k-th lasting place is called, nearest found first."""
    return lambda t: t.place_named(t.lasting[k]) if len(t.lasting) > k else "NOWHERE"


def subject(t: Any) -> str:
    return ("each report" if t.is_found else "any report") if t.few else t.place_named(t.lasting[0])


def how_often(t: Any, values: Mapping[str, str]) -> str:
    members = t.lasting[min("second_place" in values, len(t.lasting) - 1)].members
    return f"{len(members):,} of {t.n:,} timestamps"


def of_secret(find: Callable[[Any, Any], Any]) -> Given:
    """A number of what lasts, by its name in the sentence."""

    def found(t: Any, values: Mapping[str, str]) -> Any:
        called = values.get("secret", values.get("about", "")).lower()
        return find(t, next(one for one in t.secrets if one.called.lower() == called))

    return Given(found)


def kept(t: Any) -> str:
    return "no promise" if nothing("landmarks_and_one")(t) else str(t.guesses(t.landmarks_and_one))


def nearer(t: Any) -> float:
    return 100 / (1 + math.exp(-t.dearest * holds_at(t) / t.radius))


FOUND: Mapping[str, Any] = {
    "nearest_place": place(0),
    "subject": subject,
    "second_place": place(1),
    "often": Given(how_often),
    "found_distance": lambda t: t.distance(t.found_m),
    "nine_distance": lambda t: t.in_two_digits(t.nine),
    "second_distance": lambda t: t.distance(t.second),
    "half_region": "half_region",
    "few_reports": lambda t: 5 if t.few else -1,
    "found_draws": lambda t: len(t.owns),
    "own_reports": "reports",
    "silence_ends": lambda t: t.lasting[0].quiet.ends,
    "silence_limit": lambda t: max(t.lasting[0].quiet.limit, 20.0),
    "more_places": lambda t: len(t.lasting) - 2,
    "more_near": lambda t: sum(place.found <= t.radius * (1 + 1e-12) for place in t.lasting[2:]),
    "lasting_places": lambda t: len(t.lasting),
    "near_places": "near",
    "nights": "few_nights",
    "right_of_100": near(lambda t: min(t.right, 99.0)),
    "most_right": most(lambda t: t.guesses(t.dearest)),
    "most_right_together": most(lambda t: t.guesses(t.landmarks_and_one)),
    "most_right_all": most(lambda t: t.guesses(t.everything)),
    "kept_promise": kept,
    "times_allowed": most(lambda t: t.over_in_any_draw if t.over_in_any_draw > 1 + 1e-9 else -1),
    "nearer": holds_at,
    "most_right_nearer": most(nearer),
    "most_right_lasting": of_secret(lambda t, one: str(t.guesses(one.hours.most))),
    "length": of_secret(lambda t, one: one.length),
    "half_odds": of_secret(lambda t, one: t.said_times(one.hours.half)),
    "tenth_odds": of_secret(lambda t, one: t.said_times(one.hours.tenth)),
    "most_lasting_factor": of_secret(lambda t, one: t.factor_said(one.hours.most)),
}

FOUND_WHEN: Mapping[str, Callable[[Any], bool]] = {
    "{place}: {why}": lambda t: not t.is_found,
    "{place}, {how}, {releases}": lambda t: t.is_found,
    "Averaging does not find": lambda t: not t.is_found,
    "Averaging now finds": lambda t: t.is_found,
    "No place has": lambda t: t.few,
    "find each within this": lambda t: t.is_found,
    "{place} is not found": lambda t: t.second > t.half_region,
    "Each of the {lasting_places}": lambda t: t.near == len(t.lasting),
    "Of the {lasting_places} none": lambda t: not t.near,
    "farther than {radius}": lambda t: t.lasting[-1].found > t.radius * (1 - 1e-12),
    "Anyone who knows which silences": lambda t: t.lasting[0].quiet is not None,
    "about one moment, between {alike}": nothing("dearest"),
    "Between two places {nearer} apart": nothing("dearest"),
    "guesses between {alike} are right": lambda t: not nothing("dearest")(t),
    "takes {own_reports} together": lambda t: t.right > 100 / (1 + math.exp(-min(t.dearest, 700))),
}
"""When words of found and promised are true."""
