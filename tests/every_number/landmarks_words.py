"""Holes and parts of sentences that several sentences of the track page share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.every_number.claims import Hole, least, most, near
from tests.every_number.landmarks_fields import GROUND


def metre(find: Any) -> Hole:
    return near(find, slack=GROUND, size=1e-6)


def told_unless(sentence: str, holds: Any) -> dict[str, Any]:
    """A text hole that is the sentence where it holds, and nothing that is ever said where it does not."""
    return {"how": lambda t: sentence if holds(t) else "NOT TRUE HERE"}


def level(share: Callable[[Any], float]) -> Callable[[Any], float]:
    """The expected error of a level with this budget, which has no number where it goes beyond the region."""

    def error(t: Any) -> float:
        found = t.level_error(share(t))
        return math.nan if t.is_far(found) else found

    return error


EVENT, USER = level(lambda t: t.epsilon), level(lambda t: t.epsilon / t.n)


def beyond(*levels: Callable[[Any], float]) -> Callable[[Any], str]:
    """How levels are written whose errors go beyond the region."""
    size = "beyond the region of {}".format
    return lambda t: (
        size(t.called.removeprefix("Paris, ")) if all(math.isnan(e(t)) for e in levels) else "NOT TRUE HERE"
    )


K = {"k": "k", "epsilon": "epsilon"}
TOP = most("top")
WHO = "your {k#} <landmark|protected timestamp><s|>< and one other timestamp|> spend<s|>"
FITS = {"top": TOP, "epsilon": "epsilon", "factor": least("fits")}


MOMENT = {"when": lambda t: t.moment, "apart": lambda t: t.compared_m}
ODDS = "the odds of where you were {when*}, between two <places|neighbouring cells of> {apart}< apart|>,"
ANY_TWO = "the odds of where you were {when*}, between any two cells, however far apart,"
WHEN = {"when": lambda t: t.moment if t.responds else "NOT OF THIS MECHANISM"}
