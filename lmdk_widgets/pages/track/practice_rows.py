"""How the practices of today stand in tables of schemes: as rows that promise nothing and open nothing."""

from __future__ import annotations

import math

from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.scenario.model import SPREADS


def scheme_told(scheme: str) -> str:
    """The title of a scheme, or a practice with what it lacks."""
    return SPREADS[scheme].title if scheme in SPREADS else sentence("{practice} (no guarantee)", practice=scheme)


def practice_found(one: Practised) -> str:
    """How near the place is found by the attack on a practice."""
    return metres(one.shown_m) if math.isfinite(one.shown_m) else "nothing"
