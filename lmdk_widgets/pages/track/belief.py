"""How the page draws what an attacker who follows the track infers: a map of the belief, and panels over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.answers.adversary import BITS, SHARES, Inferred, infer
from lmdk_widgets.answers.attacker_error import MODELS
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.report import Part, bullets, drawn, paragraph
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.attacker_choices import NAME, TITLE, Attacker
from lmdk_widgets.pages.track.belief_words import describe_adversary
from lmdk_widgets.pages.track.charts import panel_pictures
from lmdk_widgets.pages.track.timeline import Charts, array_line, log_ticks, panels
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.scenario.attacker_levels import Levels
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.grid import cells_of
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Trajectory

INFERRED: Charts = (
    ("y", "adversary-chance", "The attacker's chance of the true {cell}", "chance"),
    ("y2", "adversary-learned", "What the attacker learned, and the loss", "ε"),
    ("y3", "adversary-error", "The attacker's error", "off by"),
)
"""The panels of what an attacker infers; `{cell}` becomes the data's word for one."""

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
    layout["meta"] = {"panels": _named(outcome)}
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
    summary = sentence(
        "What the attacker believes about {moment}, by the chosen chain, from the released points in this file: the darker a "
        "cell, the likelier; cells below 0.1 % are blank. The solid line encloses {inner_share} of the belief, in "
        "{inner_cells}, the dashed line {outer_share}, in {outer_cells}; the star is the best guess. A cell is "
        "{attacker_cell_side} wide.",
        moment=name + clock(scenario, outcome.trajectory, at),
        inner_share=percent(SHARES[0]),
        inner_cells=half,
        outer_share=percent(SHARES[1]),
        outer_cells=most,
        attacker_cell_side=metres(found.area.cell_m),
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
    return panel_pictures(described, arrays.__getitem__, _named(outcome), (right, learned, away), outcome)


def _named(outcome: Outcome) -> Charts:
    """The panels with the data's word for a cell."""
    return tuple((axis, file, title.format(cell=outcome.kind.cell), unit) for axis, file, title, unit in INFERRED)


def adversary_part(attacker: Attacker, outcome: Outcome, release: Fresh | None) -> Part:
    """The attacker's part of a report."""
    told, drawn = (
        describe_adversary(attacker, outcome),
        [] if release is None else belief_pieces(attacker, outcome, release),
    )
    return Part(TITLE, [*map(paragraph, told["found"]), *drawn, bullets(told["notes"])])
