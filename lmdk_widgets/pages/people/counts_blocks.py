"""What the page shows of counts: whether they are useless, cell by cell, over the limit, and beside tracks."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, metres, percent, whole
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import Sentence, join, sentence
from lmdk_widgets.pages.people.counts import LIMITS, Counted, Other, hours_of, protection_of
from lmdk_widgets.pages.people.counts_streams import Streamed, beats_zeros, stream_blocks
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.model import LEVELS, SLOTS, PeopleChoices
from lmdk_widgets.pages.people.words import about, first_answers
from lmdk_widgets.palette import BLUE, GREY, ORANGE
from lmdk_widgets.population.contributions import STAYED_H
from lmdk_widgets.population.counts_of_people import SURVIVES, Accuracy

WAITING = "Being computed: how far off counts of these people are."
SIMULATED = (
    "This is computed from the true table, for its owner. It is no release, and the limit that looks best here is itself a "
    "secret: decide on cells, time slots and limit beforehand. This command makes a release"
)
BUSIEST = 12
"""The most cells along a side of the matrix of trips."""

KINDS = {"presence": "cells", "trips": "pairs of cells", "dwell": "cells and lengths"}
"""What a count is of, apart from its time slot."""

LOOKS = (
    ("survives", BLUE, "square"),
    ("mostly noise", ORANGE, "x"),
    ("nobody", GREY, "square-open"),
)
"""The marks of the map: name, colour and symbol."""


def in_parts(blocks: list[Block]) -> tuple[list[Block], list[Block], list[Block]]:
    """What stands before the picture of the cells, that picture, and what follows it."""
    at = next((k for k, block in enumerate(blocks) if isinstance(block, Chart)), len(blocks))
    return blocks[:at], blocks[at : at + 1], blocks[at + 1 :]


def counts_blocks(outcome: PeopleOutcome) -> list[Block]:
    """The part of the page."""
    found, choices = outcome.counted, outcome.choices
    if found is None:
        return []
    if found.refused:
        return [Text(found.refused)]
    if found.here is None:
        return [Text(WAITING)]
    said: list[Block] = [
        Text(needed(found.here, found.streamed)),
        beside_tracks(outcome, found.here),
        cells_map(found.here),
    ]
    curve = [limits_chart(found, choices)] if found.curve else []
    streamed = stream_blocks(found.here, found.streamed)
    others = [others_table(found, choices)] if found.others else []
    told = sentence("{what}: {command}", what=SIMULATED, command=command(outcome))
    return [*said, *curve, *streamed, *others, Text(told, "quiet")]


def needed(here: Accuracy, streamed: tuple[Streamed, ...]) -> str:
    """Whether tracks are needed at all: the counts beside zeros everywhere, and what streams of them change."""
    error, zeros = amount(here.error), amount(here.zeros)
    survive, of = int(here.survives.sum()), len(here.survives)
    kinds = KINDS[here.found.counting.what]
    off = sentence("A count is off by {error} on average, zeros everywhere by {zeros}.", error=error, zeros=zeros)
    cut = sentence(
        "To protect a person, {cut} of what people add is cut.", cut=percent(here.cut / max(1, len(here.found)))
    )
    left = sentence(
        "In {survive} of {of} {kinds} the error is at most half of the counts.",
        survive=whole(survive),
        of=whole(of),
        kinds=kinds,
    )
    if here.useless:
        first = "Do we need tracks at all? Counts like these do not replace them: they are useless."
    elif not survive:
        first = "Do we need tracks at all? Not for sums over many counts, but no single cell’s counts can be read."
    else:
        first = "Do we need tracks at all? Not if these counts are enough."
    better = beats_zeros(here, streamed)
    return join([first, off, *([better] if better else []), left, *([cut] if here.cut else [])], " ")


def beside_tracks(outcome: PeopleOutcome, here: Accuracy) -> Table:
    """The three answers of counts and of tracks."""
    useful, found, promise = first_answers(outcome)
    survive = sentence(
        "{survive} of {of} {kinds}",
        survive=whole(int(here.survives.sum())),
        of=whole(len(here.survives)),
        kinds=KINDS[here.found.counting.what],
    )
    columns = (
        Column("published", "published"),
        Column("useful", "useful"),
        Column("found", "people found"),
        Column("promised", "right guesses, at most"),
        Column("about", "about"),
    )
    level = LEVELS[outcome.choices.level].partition(":")[0].lower()
    counted = (
        "counts",
        "useless" if here.useless else survive,
        "no tracks",
        promised(guesses(outcome.choices.epsilon))[0],
    )
    tracks = ("tracks", useful.value, found.value, promise.value, about(outcome))
    return Table("Counts beside tracks", columns, ((*counted, level), tracks))


def _by_cell(here: Accuracy) -> tuple[Floats, Floats]:
    """The mean error and the mean count of each cell, over slots and lengths of stays."""
    errors, true = here.by_kind
    if here.found.counting.what != "dwell":
        return errors, true
    shape = -1, len(STAYED_H)
    return errors.reshape(shape).mean(axis=1), true.reshape(shape).mean(axis=1)


def cells_map(here: Accuracy) -> Chart:
    """Which cells survive, on a map of squares; of trips, which pairs of the busiest cells."""
    counting = here.found.counting
    errors, true = _by_cell(here)
    survives = (true > 0) & (errors <= SURVIVES * true)
    names = counting.area.names
    if counting.what == "trips":
        start, end = counting.ends_of(np.arange(counting.kinds))
        traffic = np.bincount(start, true, len(names)) + np.bincount(end, true, len(names))
        busiest = np.sort(np.argsort(-traffic, kind="stable")[:BUSIEST])
        place = np.full(len(names), -1)
        place[busiest] = np.arange(len(busiest))
        shown = np.flatnonzero((place[start] >= 0) & (place[end] >= 0))
        x, y = place[end[shown]], place[start[shown]]
        hover: list[str] = [
            sentence("{a} to {b}", a=names[a], b=names[b]) for a, b in zip(start[shown], end[shown], strict=True)
        ]
        axes = [[names[k] for k in busiest.tolist()]] * 2
        title, axis_titles = "Trips between the busiest cells", ("to", "from")
    else:
        square = counting.area.squares - counting.area.squares.min(axis=0)
        shown, (x, y) = np.arange(len(names)), square.T
        hover, axes = [*names], [[], []]
        title, axis_titles = "Which cells survive", ("west to east", "south to north")
    rows = int(max(x.max(initial=0), y.max(initial=0))) + 1
    size = int(min(20, max(4, 230 / rows)))
    look = np.where(survives[shown], 0, np.where(true[shown] > 0, 1, 2))
    data = [_squares(k, x, y, look, hover, errors[shown], true[shown], size) for k in range(len(LOOKS))]
    layout: dict[str, Any] = {"height": 320, "showlegend": True}
    for axis, ticks, named in zip(("xaxis", "yaxis"), axes, axis_titles, strict=True):
        told = {"tickvals": list(range(len(ticks))), "ticktext": ticks}
        layout[axis] = {"title": {"text": named}, "range": [-0.7, rows - 0.3], "showgrid": False, **told}
    tally = [whole(int((look == k).sum())) for k in range(len(LOOKS))]
    summary = sentence(
        "{title}: {survive} survive, as the error is at most half of the mean count; {noise} are mostly noise; in {empty} "
        "there is nobody.",
        title=title,
        survive=tally[0],
        noise=tally[1],
        empty=tally[2],
    )
    return Chart("counts-map", title, {"data": data, "layout": layout}, summary)


def cell_said(name: str, true: float, error: float) -> str:
    """One cell, or pair of cells."""
    return sentence("{cell}: {mean} on average, off by {error}", cell=name, mean=amount(true), error=amount(error))


def cells_on_map(here: Accuracy | None) -> tuple[Message, dict[str, np.ndarray]]:
    """The cells for a map with streets, and the mean count of each: above 0 where it survives, below 0 where it is mostly
    noise. Trips are between two cells, and have none."""
    if here is None or here.found.counting.what == "trips":
        return {"base": [], "names": [], "said": [], "legend": []}, {}
    area, (errors, true) = here.found.counting.area, _by_cell(here)
    latitude, longitude = area.corners
    base = [float(latitude.min()), float(longitude.min())]
    arrays = {
        "values": np.where(errors <= SURVIVES * true, true, -true),
        "squares": (area.squares - area.squares.min(axis=0)).ravel(),
        "latitudes": latitude.ravel() - base[0],
        "longitudes": longitude.ravel() - base[1],
    }
    said = [cell_said(*one) for one in zip(area.names, true.tolist(), errors.tolist(), strict=True)]
    return {"base": base, "names": list(area.names), "said": said, "legend": [name for name, *_ in LOOKS]}, arrays


def _squares(
    k: int, x: Any, y: Any, look: Any, names: list[Any], errors: Floats, true: Floats, size: int
) -> dict[str, Any]:
    name, colour, symbol = LOOKS[k]
    those = np.flatnonzero(look == k)
    said = [cell_said(names[j], float(true[j]), float(errors[j])) for j in those.tolist()]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x[those].tolist(),
        "y": y[those].tolist(),
        "hoverinfo": "text",
        "hovertext": said,
        "marker": {"color": colour, "symbol": symbol, "size": size},
    }


def limits_chart(found: Counted, choices: PeopleChoices) -> Chart:
    """The error over the limit on a person, beside that of zeros everywhere."""
    assert found.here is not None
    zeros = found.here.zeros
    data = [
        line("noisy counts", list(LIMITS), list(found.curve), BLUE, "solid", "lines+markers"),
        line("zeros everywhere", [LIMITS[0], LIMITS[-1]], [zeros, zeros], GREY, "dash"),
    ]
    at = {"type": "line", "x0": choices.most, "x1": choices.most, "y0": 0, "y1": 1, "yref": "paper"}
    layout = {
        "height": 240,
        "xaxis": {"type": "log", "title": {"text": "contributions of a person, at most"}, "tickvals": list(LIMITS)},
        "yaxis": {"title": {"text": "error of a count"}, "rangemode": "tozero"},
        "shapes": [at | {"line": {"color": GREY, "width": 1.5, "dash": "dot"}}],
        "showlegend": True,
    }
    best = int(np.argmin(found.curve))
    said = sentence(
        "How far off a count is over the limit on a person: {least} at {best}, where little is cut and the noise is small. "
        "Zeros everywhere: {zeros}. The best limit is chosen from the data, and is itself a secret.",
        least=amount(found.curve[best]),
        best=whole(LIMITS[best]),
        zeros=amount(zeros),
    )
    return Chart("counts-limits", "Which limit", {"data": data, "layout": layout}, said)


def cost_of(other: Other) -> Sentence | str:
    """What another setting costs."""
    (name, value), *_ = other.changes
    if name == "count_cell_m":
        return sentence("places are told to {cell} only", cell=metres(value))
    if name == "slot":
        return (
            "only a usual week is told"
            if value == "week"
            else sentence("times are told to {slot} only", slot=_slot(value))
        )
    return "a person who is followed for longer is not protected" if value == "window" else "a person is not protected"


def _slot(slot: str) -> str:
    return SLOTS[slot].partition(":")[0].lower()


def setting_of(other: Other) -> Sentence | str:
    """Another setting in a few words."""
    (name, value), *_ = other.changes
    if name == "count_cell_m":
        return sentence("cells of {cell}", cell=metres(value))
    if name == "slot":
        return sentence("time slots: {slot}", slot=_slot(value))
    return sentence("protect: {level}", level=LEVELS[value].partition(":")[0].lower())


def others_table(found: Counted, choices: PeopleChoices) -> Table:
    """Coarser cells, longer slots and less protected, each with what it costs; a click on a row uses it."""
    columns = (
        Column("setting", "setting"),
        Column("error", "off by", amount, "right"),
        Column("zeros", "zeros off by", amount, "right"),
        Column("survive", "survive", align="right"),
        Column("verdict", "counts are"),
        Column("cost", "cost"),
    )
    rows = tuple(
        (
            setting_of(one),
            one.error,
            one.zeros,
            sentence("{survive} of {of}", survive=whole(one.survive), of=whole(one.of)),
            "useless" if one.useless else "better than zeros",
            cost_of(one),
        )
        for one in found.others
    )
    acts = tuple({"op": "set", "name": one.changes[0][0], "value": one.changes[0][1]} for one in found.others)
    return Table("Other settings", columns, rows, acts=acts, signs=("",) * len(rows), waits=not found.done)


def cells_table(here: Accuracy) -> Table:
    """Every cell for a file: its middle, the mean count and the mean error over time slots. Of pairs of cells those between
    which somebody went, as all others have the error of the noise alone."""
    counting, (errors, true) = here.found.counting, here.by_kind
    latitude, longitude = counting.region.frame.to_degrees(counting.area.points_m)
    names, survives = np.array(counting.area.names), here.survives
    kinds = np.flatnonzero(true > 0) if counting.what == "trips" else np.arange(counting.kinds)
    places: dict[str, Any] = {}
    if counting.what == "trips":
        for end, cells in zip(("from", "to"), counting.ends_of(kinds), strict=True):
            places |= {end: names[cells], f"{end}_latitude": latitude[cells], f"{end}_longitude": longitude[cells]}
    else:
        cells = kinds // len(STAYED_H) if counting.what == "dwell" else kinds
        places = {"cell": names[cells], "latitude": latitude[cells], "longitude": longitude[cells]}
        if counting.what == "dwell":
            places["stayed_h_from"] = np.array(STAYED_H)[kinds % len(STAYED_H)]
    told = places | {"mean_count": true[kinds], "mean_error": errors[kinds], "survives": survives[kinds].astype(int)}
    rows = zip(*(values.tolist() for values in told.values()), strict=True)
    return Table("Counts cell by cell", tuple(map(Column, told)), tuple(rows))


def settings_table(found: Counted, choices: PeopleChoices) -> Table:
    """The present setting, other limits and other settings for a file."""
    assert found.here is not None
    here, names = found.here, ("counted", "level", "count_cell_m", "slot", "most")
    survive = int(here.survives.sum()), len(here.survives)
    tried: list[tuple[dict[str, Any], float, float, Any, Any]] = [({}, here.error, here.zeros, *survive)]
    tried += [({"most": limit}, error, here.zeros, "", "") for limit, error in zip(LIMITS, found.curve, strict=False)]
    tried += [(dict(one.changes), one.error, one.zeros, one.survive, one.of) for one in found.others]
    columns = (*map(Column, names), *map(Column, ("mean_error", "mean_error_of_zeros", "survive", "of")))
    chosen = {name: getattr(choices, name) for name in names}
    rows = tuple((*(chosen | changes).values(), *rest) for changes, *rest in tried)
    return Table("Settings of counts", columns, rows)


def counts_promise(choices: PeopleChoices) -> Sentence:
    """What a release of the counts promises, and what lies beyond it."""
    beyond = {
        "user": "",
        "window": "What shows over several days, such as a habit, is not protected.",
        "event": "A person with more than one is not protected.",
    }
    promise = sentence(
        "Promised: {counts_promise} guesses, at most, on whether the table has {what}, with epsilon {epsilon}.",
        counts_promise=promised(guesses(choices.epsilon))[0],
        what={"user": "a person", "window": "what a person did in a day", "event": "one contribution"}[choices.level],
        epsilon=amount(choices.epsilon),
    )
    return join([promise, beyond[choices.level]], " ")


def other_settings(found: Counted) -> list[str]:
    """Which other settings give counts that are better than zeros, and what each costs; nothing if none were tried."""
    if not found.others:
        return []
    better = [
        sentence(
            "{setting} (off by {other_error}, zeros by {other_zeros}; {cost})",
            setting=setting_of(one),
            other_error=amount(one.error),
            other_zeros=amount(one.zeros),
            cost=cost_of(one),
        )
        for one in found.others
        if not one.useless
    ]
    n_tried = whole(len(found.others))
    if not better:
        return [sentence("None of {n_tried} other settings that were tried is better than zeros.", n_tried=n_tried)]
    said = "Of {n_tried} other settings that were tried, each one change, these are better than zeros: {better}."
    return [sentence(said, n_tried=n_tried, better=join(better, "; "))]


def command(outcome: PeopleOutcome, choices: PeopleChoices | None = None) -> str:
    """The command that makes a private release of these counts of a file, or of those with other choices."""
    choices, here = choices or outcome.choices, None if outcome.counted is None else outcome.counted.here
    assert here is not None
    counting, level = here.found.counting, choices.level
    hours, weekly = hours_of(choices.slot)
    own = choices.table == "own"
    region = "SOUTH,WEST,NORTH,EAST" if own else ",".join(f"{end:.6g}" for end in counting.region.limits)
    told = ["lmdk", "release", "FILE" if own else "city.csv", "--counts", str(choices.most if level == "user" else 1)]
    told += ["--cell", f"{choices.count_cell_m:.12g}", f"--region={region}", "--slot", str(hours)]
    told += ["--from", "DAY", "--until", "DAY"] if own else ["--from", "2026-03-02", "--until", "2026-03-16"]
    told += ["--weekly"] if weekly else []
    told += ["--what", counting.what] if counting.what != "presence" else []
    told += ["--scheme", level, *(["--window", str(protection_of(choices).window)] if level == "window" else [])]
    told += ["--epsilon", f"{choices.epsilon:.12g}", *(["--timezone", counting.zone] if counting.zone != "UTC" else [])]
    return shlex.join([*told, "--out", "counts"])
