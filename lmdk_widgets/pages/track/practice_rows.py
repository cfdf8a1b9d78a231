"""How the practices of today stand in tables of schemes: as rows that promise nothing and open nothing."""

from __future__ import annotations

from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.scenario.model import SPREADS
from lmdk_widgets.scenario.outcome import Outcome


def scheme_told(scheme: str) -> str:
    """The title of a scheme, or a practice with what it lacks."""
    return SPREADS[scheme].title if scheme in SPREADS else sentence("{practice} (no guarantee)", practice=scheme)


def practice_found(one: Practised, outcome: Outcome) -> str:
    """How near the place is found by the attack on a practice, in half of the draws where something is drawn."""
    return one.near(outcome.scenario.radius_m)
