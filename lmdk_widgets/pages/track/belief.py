"""How the page shows what an attacker who follows the track infers: sentences, a map of the belief, panels over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.answers.adversary import BITS, BOUNDS, LOOKS, SHARES, Haunt, Inferred, haunts, infer
from lmdk_widgets.answers.attacker_error import CHAIN, MODELS, READER
from lmdk_widgets.answers.averaging_attack import FEW
from lmdk_widgets.answers.exposure import followed_place
from lmdk_widgets.answers.prior_moves import days
from lmdk_widgets.answers.stand_in import NAME as NAME_OF_STAND_IN
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.io.report import Part, bullets, drawn, paragraph
from lmdk_widgets.page.amounts import MILLION, bound, bound_metres, count, factor, metres, numeral, percent
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.pages.track.attacker_choices import NAME, TITLE, Attacker
from lmdk_widgets.pages.track.charts import Charts, panel_pictures
from lmdk_widgets.pages.track.timeline import array_line, log_ticks, panels
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.scenario.attacker_levels import Levels
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.grid import cells_of
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.people import counted, without
from lmdk_widgets.trajectory import Trajectory

INFERRED: Charts = (
    ("y", "adversary-chance", "The attacker's chance of the true {cell}", "chance"),
    ("y2", "adversary-learned", "What the attacker learned, and the loss", "ε"),
    ("y3", "adversary-error", "The attacker's error", "off by"),
)
"""The panels of what an attacker infers; `{cell}` becomes the data's word for one."""

_LOOKS = {
    "both": "the whole release",
    "any": "the whole release",
    "past": "the releases up to each timestamp",
    "future": "the releases from each timestamp onwards",
}
_STARTS = {
    "uniform": "starts with {kind.alike}",
    "people": "starts from a made-up city (whose most likely place is the middle of the cells)",
    "days": "knows how often this {kind.data} {kind.was_in_each} on its other days",
    "track": "knows how often this very {kind.data} {kind.is_in_each}",
}
MISLEADS = 1.01
"""From this ratio of the chain's error with all releases to that with one, its beliefs about moves mislead."""

_MOST_NAMED = 6
"""The most landmarks that are named of those guessed right."""

WORST = (
    "What is known beforehand comes from the very {kind.data} that is protected, which nobody should have: this is "
    "the worst case, and shows what protection is left even then."
)
MADE_UP = (
    "The made-up city is not based on counts of people: it is the one from the Place page, laid over the attacker's "
    "cells. Upload check-ins of real people next to this choice to replace it."
)
SIMULATED = (
    "The attacker does not know {kind.unseen}: the error can be computed only here, where {kind.known_here}. "
    "{kind.exactness}"
)
HOURS = "A night is from 22:00 to 6:00, a working day from 9:00 to 17:00, Monday to Friday, by the track's clock."
WAITING = "Not computed yet: following such a long {kind.data} takes a moment."


def describe_adversary(attacker: Attacker, outcome: Outcome) -> dict[str, list[str]]:
    """ "found": what the attacker infers, sentence by sentence; "notes": what that assumes; both empty where the panel
    is closed."""
    if not attacker.open:
        return {"found": [], "notes": []}
    found: Inferred | None = outcome.found(NAME)
    if found is None:
        return {"found": [WAITING.format(kind=outcome.kind)], "notes": []}
    usual = haunts(outcome.trajectory, found)
    said = [
        _error(attacker, outcome, found),
        _right(outcome, found),
        *_habits(attacker, outcome, found),
        *_followed(outcome, found),
        *_landmarks(outcome, found),
        *map(_haunt, usual),
    ]
    notes = [*([HOURS] if usual else []), *_notes(attacker, outcome)]
    return {"found": [*said, *_learned(outcome, found)], "notes": notes}


def _error(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    """The first sentences: the attacker's error, by which model, and what is known beforehand."""
    text = _wrong(outcome, found) if outcome.kind.counts_wrong else _far(outcome, found)
    text += f" {_starts(attacker, outcome, found)} and {_believes(attacker, outcome, found)}."
    if found.whole.error_m.mean() > found.alone.error_m.mean() * MISLEADS:
        text += " These beliefs about moves mislead the attacker here."
    return text


def _far(outcome: Outcome, found: Inferred) -> str:
    """The attacker's error, and what the chosen chain distinguishes."""
    kind, write = outcome.kind, outcome.ground.write
    return (
        f"Someone who sees {_LOOKS[outcome.scenario.adversary]} is on average {write(float(found.error_m.mean()))} away "
        f"from {kind.off}, {_by(found, write)} With it, the attacker distinguishes "
        f"{count(len(found.area), kind.cell)} of {write(found.area.cell_m)},"
    )


def _wrong(outcome: Outcome, found: Inferred) -> str:
    """The same where errors are shares of wrong guesses."""
    sees, off = _LOOKS[outcome.scenario.adversary], percent(float(found.error_m.mean()))
    return f"Someone who sees {sees} guesses {off} of the answers wrong, {_by(found, percent)} With it, the attacker"


def _by(found: Inferred, write: Callable[[float], str]) -> str:
    """Which of the two models has this error, what it is by the other one, and by the chosen chain with less of the
    release."""
    errors = (
        {CHAIN: found.whole.error_m}
        if found.by_reader is None
        else {CHAIN: found.whole.error_m, READER: found.by_reader}
    )
    others = [
        f"; by {MODELS[name]} it would be {write(float(off.mean()))}"
        for name, off in errors.items()
        if name != found.model
    ]
    one, none = (write(float(worth.error_m.mean())) for worth in (found.alone, found.blind))
    return (
        f"by {MODELS[found.model]}{''.join(others)}. By the chosen chain it is {one} from each timestamp's release "
        f"alone, and {none} without any release."
    )


def _starts(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    people = attacker.start == "people" and isinstance(found.area, Area)
    known = counted(found.area, outcome.trajectory) if people else None
    if known is None:
        return _STARTS[attacker.start].format(kind=outcome.kind)
    inside, total = known
    if not inside:
        return f"{_STARTS['uniform'].format(kind=outcome.kind)}, as none of your {total:,} check-ins lies in them,"
    return f"knows how often people are in each cell, from the {inside:,} of your {total:,} check-ins that lie in them,"


def _believes(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    scenario = outcome.scenario
    if attacker.moves == "near" and outcome.kind.near:
        each = outcome.ground.write(attacker.step_m)
        return f"expects moves to {outcome.kind.near}, e times less likely for each further {each}"
    if attacker.moves == "days":
        return "knows its moves on the other days"
    if attacker.moves == "track" or scenario.correlation == "estimated":
        return f"knows its very moves from {outcome.kind.cell} to {outcome.kind.cell}"
    return f"believes that {outcome.kind.stays.format(chance=percent(found.stays))}"


def _right(outcome: Outcome, found: Inferred) -> str:
    chances = [percent(float(worth.right.mean())) for worth in (found.whole, found.alone, found.blind)]
    best, of = int((found.guess == found.truth).sum()), "timestamp" if len(found) == 1 else "timestamps"
    return (
        f"This attacker gives {outcome.kind.your_cell} a chance of {chances[0]} on average ({chances[1]} from each release "
        f"alone, {chances[2]} without any), and the best guess is the true {outcome.kind.cell} at {best:,} of "
        f"{len(found):,} {of}."
    )


def _habits(attacker: Attacker, outcome: Outcome, found: Inferred) -> list[str]:
    """How often an attacker who knows your habits is right where they help least, everywhere, and by the habit
    alone."""
    most = np.bincount(found.truth).argmax()
    away, right = found.truth != most, found.guess == found.truth
    if "days" not in (attacker.start, attacker.moves) or not outcome.kind.placed or not away.any():
        return []
    shares = [percent(float(share)) for share in (right[away].mean(), right.mean(), 1 - away.mean())]
    return [
        f"Away from the cell where you are most often, the best guess is right at {shares[0]} of the timestamps. Over "
        f"all timestamps it is right at {shares[1]}; always naming that one cell would be right at {shares[2]}."
    ]


def _followed(outcome: Outcome, found: Inferred) -> list[str]:
    """How near an attacker who does not know when you are there comes to the main place."""
    place = followed_place(outcome, found.belief, found.area) if isinstance(found.area, Area) else None
    if place is None or outcome.trajectory.name == NAME_OF_STAND_IN:
        return []
    if place.reports < FEW:
        return [
            "Without knowing when you are where, this attacker finds no place: too few reports seem to come from one."
        ]
    return [
        "Without knowing when you are where, this attacker misses the middle of the place where you are most often by "
        f"{metres(place.off_m)} in this draw, using the {place.reports:,} reports that seem to come from one cell and "
        "its neighbours."
    ]


def _landmarks(outcome: Outcome, found: Inferred) -> list[str]:
    """Which landmarks the best guess gets right."""
    marks = outcome.scenario.landmarks
    if not marks:
        return []
    right = [i for i in marks if found.guess[i] == found.truth[i]]
    if len(marks) == 1:
        return [f"The attacker {'finds' if right else 'does not find'} {outcome.kind.cell_of} your landmark."]
    if not right:
        return [f"The attacker finds {outcome.kind.cell_of} none of your {count(len(marks), 'landmark')}."]
    if len(right) == len(marks):
        return [f"The attacker finds {outcome.kind.cell_of} each of your {count(len(marks), 'landmark')}."]
    labels = outcome.trajectory.labels
    names = [labels[i] if labels else clock(outcome.scenario, outcome.trajectory, i) for i in right]
    named = f": {', '.join(names)}" if len(right) <= _MOST_NAMED else ""
    return [
        f"The attacker finds {outcome.kind.cell_of} {numeral(len(right))} of your {count(len(marks), 'landmark')}{named}."
    ]


def _haunt(haunt: Haunt) -> str:
    """Whether the attacker finds where the nights, or the working days, are mostly spent."""
    cell = f"the cell where you mostly are {haunt.when}"
    seen = count(haunt.days, "night" if haunt.when == "at night" else "day")
    if haunt.right:
        return f"From {seen} the attacker finds {cell}."
    return f"The attacker's guess at {cell}, from {seen}, is {metres(haunt.off_m)} off."


def _learned(outcome: Outcome, found: Inferred) -> list[str]:
    """What the releases told the attacker, and the loss of the budgets under this knowledge."""
    learned = float(found.learned.max())
    times = "more than a million" if learned > MILLION else f"up to {factor(learned)}"
    text = f"The attacker learned at most {bound(learned)}: "
    text += f"the odds between {outcome.kind.two_cells} change by a factor of {times}"
    if found.bound is None:
        return [f"{text}. No loss is computed for this knowledge."]
    radius_m, which = outcome.scenario.radius_m, BOUNDS[LOOKS[outcome.scenario.adversary]]
    if not outcome.kind.placed or outcome.scenario.mechanism == "randomised":
        text += f"; under these beliefs about moves, the {which} loss of these budgets is at most "
        return [f"{text}{bound(float(found.bound.max()))}. {outcome.kind.proven}"]
    if found.pair_bound is not None:
        at = int(found.learned.argmax())
        apart = metres(float(found.area.distances_m[tuple(found.changed[at])]))
        between, never = f"Between these two, which are {apart} apart,", float(found.pair_bound[at])
    else:
        assert found.far_bound is not None
        far = bound_metres(float(found.area.distances_m.max()))
        between, never = (
            f"By one number for all these cells, which are up to {far} apart,",
            float(found.far_bound.max()),
        )
    return [
        f"{text}. {between} the attacker never learns more than {bound(never)} from these budgets, under these beliefs "
        f"about moves. If all these cells were within the protection radius of {metres(radius_m)}, the {which} loss "
        f"would be at most {bound(float(found.bound.max()))}."
    ]


def _notes(attacker: Attacker, outcome: Outcome) -> list[str]:
    scenario, kind, notes = outcome.scenario, outcome.kind, []
    own = attacker.moves == "page" and scenario.correlation == "estimated"
    if own or "track" in (attacker.start, attacker.moves):
        notes.append(WORST.format(kind=kind))
    if attacker.start == "people" and without(outcome.trajectory) is outcome.trajectory:
        notes.append(MADE_UP)
    if "days" in (attacker.start, attacker.moves):
        known = days(outcome.trajectory)
        if known == 1:
            notes.append(f"The {kind.data} covers only one day, so there is no other day to know.")
        else:
            notes.append(
                f"The attacker attacks each of the {count(known, 'day')} separately, and knows the others from "
                "elsewhere."
            )
    if scenario.spread.compares:
        notes.append(
            f"Whether a timestamp publishes reveals a little about the {kind.value}; this attacker does not use that."
        )
    return [*notes, SIMULATED.format(kind=kind)]


Described = tuple[dict[str, Any], dict[str, Floats]]
"""A figure description, and the arrays that it names."""


def describe_over_time(outcome: Outcome, found: Inferred, cell: int = -1) -> Described:
    """The attacker's chance of the true cell, what was learned with the loss, and the error, at each timestamp.

    What follows from all that is seen is drawn with what follows from the timestamp's release alone, and from none; its
    error is that of the model that counts, the others are of the chosen chain.
    """
    worths = {"": replace(found.whole, error_m=found.error_m), "alone_": found.alone, "blind_": found.blind}
    arrays = {f"{name}right": worth.right for name, worth in worths.items()}
    arrays |= {f"{name}error_m": worth.error_m for name, worth in worths.items()}
    arrays |= {"learned": found.learned, "budgets": outcome.budgets}
    data = [
        *_drawn_landmarks(outcome, found),
        array_line("without a release", "blind_right", "y", GREY, dash="dot"),
        array_line("from one release", "alone_right", "y", GREEN, dash="dash"),
        array_line("from all", "right", "y", BLUE, width=2.5),
        *_drawn_followed(outcome, found, arrays, cell),
        array_line("budget", "budgets", "y2", GREY, dash="dot"),
        array_line("learned", "learned", "y2", BLUE, width=2.5),
        *_drawn_bound(outcome, found, arrays),
        array_line("without a release", "blind_error_m", "y3", GREY, dash="dot"),
        array_line("from one release", "alone_error_m", "y3", GREEN, dash="dash"),
        array_line(f"from all, by {MODELS[found.model]}", "error_m", "y3", BLUE, width=2.5),
    ]
    ticks = log_ticks([array for name, array in arrays.items() if name.endswith("error_m")])
    layout = panels(ticks, ("chance", "learned", "off by"))
    layout["yaxis3"] |= outcome.kind.axis(outcome.trajectory, layout["yaxis3"]["tickvals"], "off by")
    return {"data": data, "layout": layout}, arrays


def _drawn_landmarks(outcome: Outcome, found: Inferred) -> list[dict[str, Any]]:
    """A bar at each landmark, as high as the chance of the true cell there."""
    marks = list(outcome.scenario.landmarks)
    if not marks:
        return []
    bars = {"type": "bar", "x": marks, "y": found.whole.right[marks].tolist(), "width": max(0.5, len(outcome) / 250)}
    return [bars | {"name": "landmarks", "marker": {"color": ORANGE}, "yaxis": "y", "hoverinfo": "skip"}]


def _drawn_followed(outcome: Outcome, found: Inferred, arrays: dict[str, Floats], cell: int) -> list[dict[str, Any]]:
    """The belief in the selected cell."""
    if not 0 <= cell < len(found.area):
        return []
    arrays["cell"] = found.belief[:, cell]
    named = "cell" if outcome.kind.placed else "level"
    return [array_line(f"{named} {found.area.names[cell]}", "cell", "y", PURPLE, dash="dashdot")]


def _drawn_bound(outcome: Outcome, found: Inferred, arrays: dict[str, Floats]) -> list[dict[str, Any]]:
    if found.bound is None:
        return []
    arrays["bound"] = found.bound
    proven = not outcome.kind.placed or outcome.scenario.mechanism == "randomised"
    lines = [array_line(f"loss, {'a bound' if proven else 'read at the radius'}", "bound", "y2", RED, dash="dash")]
    if found.pair_bound is not None:
        arrays["pair_bound"] = found.pair_bound
        lines.append(array_line("loss of these two cells, a bound", "pair_bound", "y2", PURPLE, dash="dot"))
    return lines


MOST_PLAYED = 3_000_000
"""Most bytes sent for playback: for a longer track the page requests each timestamp."""


def adversary_drawings(attacker: Attacker, outcome: Outcome) -> Iterator[Drawing]:
    """The attacker's cells, the beliefs on the map and the panels over time; nothing where they are not wanted or not
    computed yet."""
    found: Inferred | None = outcome.found(NAME)
    if found is None:
        return
    yield _states(found)
    yield _beliefs(attacker, outcome, found)
    figure, arrays = describe_over_time(outcome, found, attacker.cell)
    made_of = (found, attacker.cell, str(outcome.scenario.landmarks))
    yield Drawing("panels", made_of, {"figure": figure}, arrays)


def alone(found: Inferred, at: int) -> dict[str, Any]:
    """The attacker's cells and beliefs at every timestamp as one value, for a map without a page."""
    told: dict[str, Any] = {"at": at}
    for drawing in (_states(found), _drawn(found, at, found.marks, whole=True)):
        arrays, buffers = drawing.packed()
        told[drawing.name] = {**drawing.described, "arrays": arrays, "buffers": buffers}
    return told


def is_of(found: Any, trajectory: Trajectory) -> bool:
    """Whether something is what an attacker infers about this track: of as many timestamps, with the same true
    cells."""
    if not isinstance(found, Inferred) or len(found) != len(trajectory) or isinstance(found.area, Levels):
        return False
    return bool((cells_of(found.area, trajectory) == found.truth).all())


def _states(found: Inferred) -> Drawing:
    """The cells with their corners on the map, or the levels with their ends on the axis of values."""
    area = found.area
    if isinstance(area, Levels):
        return Drawing("cells", (area,), {"base": [], "names": list(area.names)}, {"edges": area.edges})
    latitude, longitude = area.corners
    base = [float(latitude.min()), float(longitude.min())]
    arrays = {
        "squares": (area.squares - area.squares.min(axis=0)).ravel(),
        # from the area's corner: float32 resolves 3 mm there, but only a metre in whole degrees
        "latitudes": latitude.ravel() - base[0],
        "longitudes": longitude.ravel() - base[1],
    }
    return Drawing("cells", (area,), {"base": base, "names": list(area.names)}, arrays)


def said_of(found: Inferred) -> str:
    """What the attacker finds on the whole track, in a sentence."""
    off, right = float(found.error_m.mean()), float(found.whole.right.mean())
    cells = count(len(found.area), "cell")
    given = f"The chosen chain gives the true one of {cells} a chance of {percent(right)}."
    return f"An attacker who follows it is on average {metres(off)} off, by {MODELS[found.model]}. {given}"


def _beliefs(attacker: Attacker, outcome: Outcome, found: Inferred) -> Drawing:
    at = min(attacker.at, len(found) - 1)
    every = found.__dict__.get("marks")  # None where it is not computed yet
    if every is not None and every.size <= MOST_PLAYED:
        return _drawn(found, at, every, whole=True)
    return _drawn(found, at, found.marked(slice(at, at + 1)), whole=False)


def _drawn(found: Inferred, at: int, marks: np.ndarray, *, whole: bool) -> Drawing:
    arrays: dict[str, np.ndarray] = {
        "marks": marks.ravel(),
        "guess": found.guess,
        "path": found.path,
        "truth": found.truth,
        "right": found.whole.right,
        "guess_error_m": found.whole.error_m,
        "path_error_m": found.path_error_m,
    }
    if isinstance(found.area, Levels) and found.area.answers:
        arrays["yes"] = found.belief[:, 1]
    told = {"at": at, "whole": whole, "shares": list(SHARES)}
    return Drawing("beliefs", (found, whole, -1 if whole else at), told, arrays)


HABITS = (
    "The attacker's belief is not drawn: this very track or its other days are known, and a drawing would show them to "
    "anyone who has the file."
)


def belief_pieces(attacker: Attacker, outcome: Outcome, fresh: Fresh) -> list[str]:
    """A drawing of the attacker's belief at the selected timestamp, or why there is none."""
    if outcome.found(NAME) is None:
        return []
    if not outcome.scenario.track and knows_habits(attacker, outcome):
        return [paragraph(HABITS, "quiet")]
    scenario = outcome.scenario
    filed = replace(
        outcome, latitude=fresh.latitude, longitude=fresh.longitude, published=fresh.published, budgets=fresh.budgets
    )
    found = infer(filed, attacker.known)
    if isinstance(found.area, Levels):
        return []
    at = min(attacker.at, len(found) - 1)
    marks = found.marked(slice(at, at + 1))[0]
    half, most = (count(int((marks & bit > 0).sum()), "cell") for bit in BITS)
    labels = outcome.trajectory.labels
    name = f"{labels[at]}, " if labels else ""
    summary = (
        f"What the attacker believes about {name}{clock(scenario, outcome.trajectory, at)}, by the chosen chain, from the "
        "released points in this file: the darker a cell, the likelier; cells below 0.1 % are blank. The solid line "
        f"encloses {percent(SHARES[0])} of the belief, in {half}, the dashed line {percent(SHARES[1])}, in {most}; the "
        f"star is the best guess. A cell is {metres(found.area.cell_m)} wide."
    )
    squares = (found.area.squares - found.area.squares.min(axis=0)).tolist()
    drawing = {"squares": squares, "marks": marks.tolist(), "guess": int(found.guess[at])}
    return [drawn("belief", "Map of what an attacker believes", drawing, summary)]


def knows_habits(attacker: Attacker, outcome: Outcome) -> bool:
    """Whether what is known beforehand comes from the track itself."""
    estimated = attacker.moves == "page" and outcome.scenario.correlation == "estimated"
    return estimated or bool({"days", "track"} & {attacker.start, attacker.moves})


def adversary_pictures(attacker: Attacker, outcome: Outcome) -> list[Chart]:
    """The attacker's panels over time, each as a separate chart."""
    found: Inferred = outcome.found(NAME)
    described, arrays = describe_over_time(outcome, found, attacker.cell)
    away, right, *_, learned = describe_adversary(attacker, outcome)["found"]
    named = tuple((axis, file, title.format(cell=outcome.kind.cell), unit) for axis, file, title, unit in INFERRED)
    return panel_pictures(described, arrays.__getitem__, named, (right, learned, away), outcome)


def adversary_part(attacker: Attacker, outcome: Outcome, release: Fresh | None) -> Part:
    """The attacker's part of a report."""
    told, drawn = (
        describe_adversary(attacker, outcome),
        [] if release is None else belief_pieces(attacker, outcome, release),
    )
    return Part(TITLE, [*map(paragraph, told["found"]), *drawn, bullets(told["notes"])])
