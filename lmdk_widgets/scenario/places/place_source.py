"""What a file with recorded answers of the places page is computed from: nothing of the user's own by itself.

A mechanism tells of the prior that it was made for, and a prior that was counted from a track or from check-ins tells where
these go: nothing can stand in for it. A grid of made-up people can lie anywhere, as no answer depends on where it is.
"""

from __future__ import annotations

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.base.history import State
from lmdk_widgets.scenario.base.open_controls import Source
from lmdk_widgets.scenario.base.session import MADE_UP, TRUE
from lmdk_widgets.scenario.places.model import CENTRE, WHERE, Places
from lmdk_widgets.scenario.places.prior import Sources

MOVED = f"{MADE_UP} Its grid lies around Paris, not where its author laid it: no answer depends on that."


def place_source(places: Places, sources: Sources, *, truth: bool = False) -> Source:
    """The state that the file begins with, with built-in cells and priors alone, or as it is where the `truth` is wanted.

    Raises
    ------
    InputError : cells, a prior or a second prior of the user's own, which would be in the file.

    Examples
    --------
    >>> place_source(Places(latitude=48.2, other="uniform"), Sources()).state.choices.latitude
    48.8607
    """
    own, moved = places.left_out(), places.around or (places.latitude, places.longitude) != CENTRE
    if own and truth:
        return Source(State(places, sources), TRUE, true=True)
    changes = {"latitude": CENTRE[0], "longitude": CENTRE[1], "around": False, "checkins": ""}
    changes |= {"track": places.defaults()["track"]} if places.track in sources.tracks else {}
    counted = places.prior in ("time", "counts") or places.other in ("morning", "evening")
    # what a sample has in the cells depends on where these lie
    found = tuple(said for said in own if said != WHERE or counted)
    if found:
        what = f"A what-if file cannot be made from {' and '.join(found)} without the true data in it"
        raise InputError(what, remedy="Ask for a file with the true data, or choose built-in cells and priors")
    built_in = State(places.with_changes(**changes), Sources())
    return Source(built_in, MOVED if moved and places.area == "grid" else MADE_UP)
