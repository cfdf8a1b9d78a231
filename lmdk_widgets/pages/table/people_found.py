"""The first screen of the part on a table: what is left of it, who is found, what is promised, and people as marks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.all_attacks import PLAYABLE
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import percent, whole
from lmdk_widgets.page.answers import Answer, out_of_100
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.coarsen import detail_left, levels_for
from lmdk_widgets.pages.table.model import TableChoices
from lmdk_widgets.pages.table.published import Published, hidden_column, known_few
from lmdk_widgets.pages.table.release import Publishing, publish
from lmdk_widgets.pages.table.table import Table
from lmdk_widgets.palette import BLUE, GREY, ORANGE

HIDDEN, VALUE, RECORD, PRESENCE, LEFT_OUT, NOT_ATTACKED = range(6)
"""What is found about a person: nothing, the hidden value, the record, whether there is one; then people who are left out,
and people who are not part of an attack."""
BY_DISCLOSURE = {"attribute": VALUE, "identity": RECORD, "presence": PRESENCE}

DRAWN = 5_000
"""Up to this many people, each one is a mark; with more, each class is a block."""
DRAWN_CLASSES = 300
"""The number of blocks drawn one by one; the smaller classes share one."""

MANY = 1_000
"""From this many people on, a share is given instead of their number."""

LARGEST = 20
"""The largest least class that the chart next to the picture shows."""


def found_of(shown: Published) -> NDArray[np.int64]:
    """(n,) what is found about each person: by the attack that is played, else by anyone who knows the quasi-identifiers.

    Without an attack, a record is found if nobody else looks the same, and the hidden value if a whole class has it.
    """
    release, scene = shown.release, shown.scene
    inside = release.of_row >= 0
    found = np.full(len(shown.table), HIDDEN)
    if scene is not None:
        found[:] = NOT_ATTACKED
        if scene.found is not None:
            found[list(scene.rows)] = HIDDEN
            hit = [scene.rows[at] for at in scene.found.rows if at < len(scene.rows)]
            found[hit] = BY_DISCLOSURE[PLAYABLE[scene.name].discloses]
    elif release.tally is not None:
        alike = np.diff(np.append(release.tally.start, len(release.tally.times))) == 1
        finds = np.where(release.size == 1, RECORD, np.where(alike, VALUE, HIDDEN))
        found[inside] = finds[release.of_row[inside]]
    found[~inside] = LEFT_OUT
    return found


def finds(shown: Published) -> list[str]:
    """The names in the legend of what is found about a person."""
    hidden = hidden_column(shown)
    if shown.scene is None:
        return ["hidden", f"{hidden} found", "record found", "", "left out", ""]
    return ["not hit", f"hit: {hidden}", "hit: record", "hit: presence", "left out", "not attacked"]


def table_answers(_choices: TableChoices, shown: Published) -> tuple[Answer, Answer, Answer]:
    """How much detail is left, how many people are found, and how often a guess of a record is right at most."""
    return _useful(shown), _found(shown), _promised(shown)


def detail_of_release(shown: Published) -> float:
    """The share of the detail that is left; people who are left out count as having none."""
    release = shown.release
    left = detail_left(shown.table, release.publishing.quasi, release.publishing.levels)
    return float(left[release.of_row >= 0].sum() / len(shown.table))


def _useful(shown: Published) -> Answer:
    release = shown.release
    if not len(release):
        line_ = "is published: no class has enough people."
        return Answer("Useful", "nothing", line_, "red", "is published")
    lost = {0: "nobody is", 1: "one person is"}.get(release.lost)
    if lost is None:
        lost = sentence("{n_lost} people are", n_lost=whole(release.lost))
    line_ = sentence(
        "of the detail of {known_few} is left; {lost_are} left out.", known_few=known_few(shown), lost_are=lost
    )
    return Answer("Useful", percent(detail_of_release(shown)), line_, short="of the detail is left")


def _found(shown: Published) -> Answer:
    scene, hidden = shown.scene, hidden_column(shown)
    if scene is not None and scene.correlation is not None:
        own, both = scene.correlation.after_own[0], scene.correlation.after_both[0]
        line_ = sentence(
            "is the belief that Donald is at work after his answer and Dewey's; after his alone, {belief_after_own}.",
            belief_after_own=percent(own),
        )
        return Answer("Found", percent(both), line_, "amber", "believed of Donald")
    if scene is not None and scene.found is None:
        return Answer("Found", "nobody", "is found: this attack cannot be played here.", "grey", "attack not played")
    if scene is not None and scene.found is not None:
        what = {
            "attribute": sentence("their {hidden}", hidden=hidden),
            "identity": "their record",
            "presence": "their presence",
        }
        line_ = sentence(
            "people are hit by this attack: it reveals {disclosed}.", disclosed=what[PLAYABLE[scene.name].discloses]
        )
        return _counted(len(scene.found.rows), scene.found.people, line_, "people are hit")
    states = found_of(shown)
    alone = int((states == RECORD).sum())
    how = {0: "nobody is", 1: "one is"}.get(alone)
    if how is None:
        how = sentence("{n_alone} are", n_alone=whole(alone))
    line_ = sentence(
        "people's {hidden} follows from {known_few}; {alone_are} alone in a class.",
        hidden=hidden,
        known_few=known_few(shown),
        alone_are=how,
    )
    return _counted(alone + int((states == VALUE).sum()), len(shown.table), line_, f"people's {hidden}")


def _counted(some: int, all_: int, line_: str, short: str) -> Answer:
    """The number of people, or their share if they are too many for a tile to have room for the numbers."""
    look = "red" if some else ""
    if all_ < MANY:
        return Answer("Found", f"{some} of {all_}", line_, look, short)
    return Answer(
        "Found",
        percent(some / all_),
        sentence("of {n_attacked} {line}", n_attacked=whole(all_), line=line_),
        look,
        sentence("of {short}", short=short),
    )


def _promised(shown: Published) -> Answer:
    found = shown.measures
    if found is None:
        line_ = "is promised, as nothing is released."
        return Answer("Promised", "nothing", line_, "grey", "is released")
    if found.k == 1:
        return Answer("Promised", "nothing", "Some class has one person: that record is known.", "red", "of any record")
    hidden = hidden_column(shown)
    line_ = sentence(
        "guesses, at most, pick a person's record (k = {k}); nothing is promised about {hidden}.",
        k=whole(found.k),
        hidden=hidden,
    )
    return Answer("Promised", out_of_100(1 / found.k), line_, short="guesses of a record right at most")


# -- the picture -------------------------------------------------------------------------------------------------------


def scene_drawing(shown: Published) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """People as marks in their classes, with what is found about them; for very many people, numbers for each class."""
    release, states, names = shown.release, found_of(shown), finds(shown)
    there = np.flatnonzero(np.bincount(states, minlength=len(names))).tolist()
    drawn = {"finds": [[code, names[code]] for code in there], "said": scene_summary(shown)}
    if len(shown.table) <= DRAWN:
        return drawn, {"found": states, "member": release.of_row, "finding": np.array([], int)}
    inside = release.of_row >= 0
    block = np.minimum(release.of_row[inside], DRAWN_CLASSES)
    n_blocks = min(len(release), DRAWN_CLASSES + 1)
    times = np.bincount(block * len(names) + states[inside], minlength=n_blocks * len(names))
    return drawn, {"found": np.array([], int), "member": np.array([], int), "finding": times}


def scene_summary(shown: Published) -> str:
    """The picture in words."""
    states, names, n = found_of(shown), finds(shown), len(shown.table)
    times = np.bincount(states, minlength=len(names))
    parts = [f"{names[code]} {int(times[code]):,}" for code in np.flatnonzero(times).tolist()]
    marks = "Each mark is a person" if n <= DRAWN else "Each block is a class, sized by its people"
    return sentence(
        "{marks}, in classes of people who look alike. Of {n_people}: {states}.",
        marks=marks,
        n_people=whole(n),
        states=joined(parts, "and"),
    )


# -- what k costs ------------------------------------------------------------------------------------------------------


def cost_charts(choices: TableChoices, shown: Published) -> list[Chart]:
    """The detail that is left, and the share of people whose hidden value is found, for every least class."""
    table, publishing, hidden = shown.table, shown.release.publishing, hidden_column(shown)
    by_hand = publishing.levels if choices.levels else None
    ks = list(range(1, max(1, min(LARGEST, len(table))) + 1))
    points = [_point(table, publishing.quasi, publishing.sensitive, k, by_hand) for k in ks]
    detail, found = ([100 * point[which] for point in points] for which in (0, 1))
    hover = "%{y:.1f} %<extra></extra>"
    data: list[dict[str, Any]] = [
        line("detail left", ks, detail, BLUE, hovertemplate=hover),
        line(f"{hidden} found", ks, found, ORANGE, "dash", hovertemplate=hover),
    ]
    if choices.least in ks:
        at = ks.index(choices.least)
        marker = {"size": 10, "color": GREY}
        here = {"type": "scatter", "mode": "markers", "name": "now", "x": [choices.least] * 2, "marker": marker}
        data.append(here | {"y": [detail[at], found[at]], "hovertemplate": hover})
    xaxis = {"title": {"text": "smallest class k"}, "range": [0.5, ks[-1] + 0.5]}
    yaxis = {"title": {"text": "share, %"}, "range": [-3, 103]}
    ends = [[percent(share[0] / 100), percent(share[-1] / 100)] for share in (detail, found)]
    (left, left_last), (found_first, found_last) = ends
    summary = sentence(
        "With k from {first_k} to {last_k}, the detail that is left goes from {detail_first} to {detail_last}, "
        "and the share of people whose {hidden} is found from {found_first} to {found_last}.",
        first_k=whole(1),
        last_k=whole(ks[-1]),
        detail_first=left,
        detail_last=left_last,
        hidden=hidden,
        found_first=found_first,
        found_last=found_last,
    )
    figure = {"data": data, "layout": {"height": 280, "xaxis": xaxis, "yaxis": yaxis}}
    return [Chart("cost", "What a larger class costs", figure, summary)]


def _point(
    table: Table, quasi: tuple[int, ...], sensitive: int, least: int, by_hand: tuple[int, ...] | None
) -> tuple[float, float]:
    """The detail that is left and the share of people whose hidden value is found, both as shares of everybody."""
    levels = by_hand
    if levels is None:
        try:
            levels = levels_for(table, quasi, least)
        except InputError:  # too many columns to coarsen automatically
            levels = ()
    sizes, detail, found = _from_the_largest(table, Publishing(quasi, sensitive, levels))
    many = int(np.searchsorted(-sizes, -least, side="right"))
    return float(detail[many] / len(table)), float(found[many] / len(table))


@cached("visitor", entries=64)
def _from_the_largest(table: Table, publishing: Publishing) -> tuple[NDArray[np.int64], Floats, Floats]:
    """For everything that is published: the sizes of the classes, and for the first none, one, two, ... of them the detail
    that is left and the number of people whose hidden value is found."""
    release = publish(table, publishing)
    assert release.tally is not None
    alike = np.diff(np.append(release.tally.start, len(release.tally.times))) == 1
    left = np.bincount(release.of_row, weights=detail_left(table, publishing.quasi, publishing.levels))
    return release.size, np.append(0.0, np.cumsum(left)), np.append(0.0, np.cumsum(alike * release.size))
