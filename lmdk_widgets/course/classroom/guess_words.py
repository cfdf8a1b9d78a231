"""Guess where, in plain sentences and as a drawing in metres: the map, how guesses fared, and the adversary beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.noise import planar_laplace_radius
from lmdk_widgets.scenario.base.amounts import amount, metres, percent
from lmdk_widgets.scenario.base.odds import factor

if TYPE_CHECKING:
    from lmdk_widgets.course.classroom.guess import Guess
    from lmdk_widgets.course.classroom.scenes import Scene

QUESTION = "Where was the person really? Tap the cell."
LETTER, LINE = 0.17, 0.33
"""Width of a letter and height of a line on the map, in cells."""

MARGIN = 0.25
"""Free space around the cells and the released point, in cells."""

MARKED, SIDE = 0.65, 0.055
"""Room for the letters below the cells and the numbers to their left: so many cells, and at least this share of the side."""


def before(game: Guess) -> list[str]:
    """What is known, and how far the point may be from the truth; the colours are those of `drawing`."""
    colour = "The stronger the blue of a cell, the likelier the person was there before anything was released."
    return [colour, *_point(game)]


def _point(game: Guess) -> list[str]:
    """What the released point is."""
    rate = game.level / game.radius_m
    half, most = (metres(float(planar_laplace_radius(p, rate))) for p in (0.5, 0.95))
    return [
        "The cross is the released point: the true place moved by planar Laplace noise, half of the time by less than "
        f"{half}, 19 of 20 times by less than {most}.",
        f"ε = {amount(game.level)} within {metres(game.radius_m)}: the point changes the odds of two places so far apart by "
        f"a factor of at most {factor(game.level)}.",
    ]


def drawing(game: Guess) -> dict[str, Any]:
    """The map, in metres, x to the east and y to the north; shades are shares of the likeliest cell."""
    found, half = game.place, game.place.area.cell_m / 2
    prior = found.prior.tolist()
    corners = np.vstack([found.area.points_m - half, found.area.points_m + half, [game.released_m]])
    low = corners.min(axis=0) - MARGIN * found.area.cell_m
    high = corners.max(axis=0) + MARGIN * found.area.cell_m
    west, south = found.area.points_m.min(axis=0) - half
    room = max(MARKED * found.area.cell_m, SIDE * float((high - low).max()))
    low = np.minimum(low, [west - room, south - room])
    return {
        "cell_m": found.area.cell_m,
        "cells": found.area.points_m.round(1).tolist(),
        "names": list(found.area.names),
        "shades": (found.prior / found.prior.max()).round(3).tolist(),
        "said": [f"{name}, known chance {percent(p)}" for name, p in zip(found.area.names, prior, strict=True)],
        "columns": _marks(found, 0),
        "rows": _marks(found, 1),
        "corner": [round(float(west), 1), round(float(south), 1)],
        "places": [[found.names[k], *found.at_m[k].round(1).tolist()] for k in apart(found)],
        "released": [round(x, 1) for x in game.released_m],
        "extent": [*low.round(1).tolist(), *high.round(1).tolist()],
    }


def _marks(found: Scene, axis: int) -> list[list[Any]]:
    """The letter of each column (axis 0) or the number of each row, and where it stands, metres."""
    at = found.area.points_m[:, axis].round(1).tolist()
    letters = [name.rstrip("0123456789") for name in found.area.names]
    marks = letters if axis == 0 else [name[len(word) :] for name, word in zip(found.area.names, letters, strict=True)]
    return [[mark, place] for mark, place in sorted(set(zip(marks, at, strict=True)), key=lambda found: found[1])]


def apart(found: Scene) -> list[int]:
    """The names that stand on the map: one that would lie over an earlier one is left out."""
    kept: list[int] = []
    for k, (x, y) in enumerate(found.at_m / found.area.cell_m):
        lengths = [LETTER * max(len(found.names[k]), len(found.names[other])) for other in kept]
        away = [found.at_m[other] / found.area.cell_m - (x, y) for other in kept]
        if all(abs(d[1]) > LINE or abs(d[0]) > 1.2 * long for d, long in zip(away, lengths, strict=True)):
            kept.append(k)
    return kept


def board(game: Guess, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    """What the board draws and says; how the guesses lie only when shown, as a class would follow the first ones."""
    n = len(answers)
    guessed = "One guess" if n == 1 else f"{n:,} guesses"
    found: dict[str, Any] = {"map": drawing(game), "summary": f"{guessed} so far.", "notes": before(game)}
    return found | _outcome(game, answers) if shown else found


def told(game: Guess, answer: Any) -> str:
    """How one phone's guess fared."""
    best, _ = game.adversary
    theirs = metres(float(game.place.area.distances_m[best, game.truth]))
    where = f"The true place was in {game.place.area.names[game.truth]}."
    if answer is None:
        return f"{where} The best guess of who computes exactly was {theirs} off."
    mine = float(game.scored([answer]).errors[0])
    yours = "Your guess was right" if mine == 0 else f"Your guess was {metres(mine)} off"
    return f"{where} {yours}; the best guess of who computes exactly was {theirs} off."


def _outcome(game: Guess, answers: Sequence[Any]) -> dict[str, Any]:
    best, expected = game.adversary
    area = game.place.area
    off = area.distances_m[:, game.truth]
    counts = np.bincount(np.asarray(answers, int), minlength=len(area))
    noise = float(np.hypot(*(np.array(game.released_m) - area.points_m[game.truth])))
    return {
        "summary": f"The true place was in {area.names[game.truth]}, {metres(noise)} from the released point. "
        + _class_said(game, answers)
        + f"The exact adversary guessed {area.names[best]}, {metres(float(off[best]))} off.",
        "truth": game.truth,
        "adversary": best,
        "guesses": [[cell, count] for cell, count in enumerate(counts.tolist()) if count],
        "belief": (game.belief / game.belief.max()).round(3).tolist(),
        "table": _table(game, answers, best, expected),
        "notes": [
            "This time luck decides too. To be expected is the error on average over the places that the released point "
            "leaves possible, each with its chance given the point: there nobody who knows only the point and how likely "
            "each cell was before beats the adversary.",
            "The stronger the purple of a cell, the likelier the person was there for somebody who has seen the point.",
            *_point(game),
        ],
    }


def _class_said(game: Guess, answers: Sequence[Any]) -> str:
    if not len(answers):
        return "Nobody guessed. "
    errors = game.scored(answers).errors
    hits = int((errors == 0).sum())
    right = "nobody" if not hits else "one" if hits == 1 else f"{hits:,}"
    return (
        f"The guesses of the class are {metres(float(errors.mean()))} off on average, {metres(float(np.median(errors)))} "
        f"in the median, and {right} of {len(answers):,} hit the cell. "
    )


def _table(game: Guess, answers: Sequence[Any], best: int, expected: float) -> dict[str, Any]:
    """Who was how far off this time, and who would be on average."""
    rows = []
    if len(answers):
        scored = game.scored(answers)
        rows.append(["the class, mean", metres(float(scored.errors.mean())), metres(float(scored.expected.mean()))])
        k = int(scored.expected.argmin())
        rows.append(["the best guess of the class", metres(float(scored.errors[k])), metres(float(scored.expected[k]))])
    naive = game.scored([game.nearest])
    rows.append(["the cell at the cross", metres(float(naive.errors[0])), metres(float(naive.expected[0]))])
    rows.append(["exact adversary", metres(float(game.place.area.distances_m[best, game.truth])), metres(expected)])
    return {"heads": ["who", "off this time", "to be expected"], "rows": rows, "title": "How far off"}
