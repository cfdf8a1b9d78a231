"""How the practices of today stand in tables of schemes: as rows that promise nothing and open nothing."""

from __future__ import annotations

import math

from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.page.answers import NO_PROMISE
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.scenario.model import SPREADS


def scheme_told(scheme: str) -> str:
    """The title of a scheme, or a practice with what it lacks."""
    return SPREADS[scheme].title if scheme in SPREADS else sentence("{practice} (no guarantee)", practice=scheme)


class _Unpromised(float):
    """Not a number, and written as a missing promise: NaN of a scheme that refuses is written "none"."""


UNPROMISED = _Unpromised("nan")
"""The loss of a practice, which nobody can promise."""


def loss_told(loss: float) -> str:
    """A loss; a practice has none that anybody could promise."""
    return NO_PROMISE if isinstance(loss, _Unpromised) else amount(loss)


def practice_found(one: Practised) -> str:
    """How near the place is found by the attack on a practice."""
    return metres(one.shown_m) if math.isfinite(one.shown_m) else "nothing"
