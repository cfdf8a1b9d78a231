"""Guess where: one point is released by planar Laplace, a class guesses the cell, and so does the exact adversary.

First come the scenes: cells of a city, what is publicly known about them beforehand, and place names for orientation.
Then come the game and its numbers, and finally its sentences and its map, a drawing in metres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import generator, number, numbers, one_of, whole
from lmdk_widgets.course.classroom.activity import Plain, known
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.geoind.cells import grid_area, track_area
from lmdk_widgets.geoind.priors import city_prior, stay_weights
from lmdk_widgets.inference import best_guesses, expected_error, log_likelihoods, track_posterior
from lmdk_widgets.noise import PlanarLaplace, planar_laplace, planar_laplace_radius
from lmdk_widgets.page.amounts import amount, factor, metres, percent
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.trajectory import sample

SCENES: dict[str, str] = {
    "city": "A city: 9 × 9 cells of 500 m around the Louvre, some busier than others",
    "week": "A commuter's week: cells of 1 km, shaded by how long the commuter stays in each",
}
"""The scenes, each with its title."""

WEEK_CELL_M = 1000.0

LEVEL_RANGE = (0.05, 10.0)
RADIUS_RANGE_M = (50.0, 5_000.0)
CHANCE = "chance"
"""The choice of a random place: a cell drawn from the prior."""
QUESTION = "Where was the person really? Tap the cell."
LETTER, LINE = 0.17, 0.33
"""Width of a letter and height of a line on the map, in cells."""

MARGIN = 0.25
"""Free space around the cells and the released point, in cells."""

MARKED, SIDE = 0.65, 0.055
"""Room for the letters below the cells and the numbers to their left: in cells, and at least this share of the side."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Cells, what is known about them, and names on the map.

    Attributes
    ----------
    area : n square cells. prior : (n,) how likely each is before anything is released.
    names : names of places; cells : (k,) the cell of each; at_m : (k, 2) metres in the area's frame.
    """

    area: Area
    prior: Floats
    names: tuple[str, ...]
    cells: NDArray[np.int64]
    at_m: Floats


@cached("everybody")
def scene(name: str) -> Scene:
    """The scene of that name; the same object every time.

    Raises
    ------
    InputError : there is none.

    Examples
    --------
    >>> len(scene("city").area), round(float(scene("city").prior.sum()), 12)
    (81, 1.0)
    """
    return scene_of(*_MADE[one_of(name, "scene", tuple(SCENES))]())


def scene_of(area: Area, prior: Floats) -> Scene:
    """Cells with what is known about them, and the well-known places among them."""
    places = {
        word: (latitude, longitude) for latitude, longitude, word in sample("bob").places + sample("commuter").places
    }
    latitude, longitude = np.array(list(places.values())).T
    at_m = area.frame.to_metres(latitude, longitude)
    cells = area.cell_of(at_m)
    inside = np.flatnonzero(cells >= 0)
    return Scene(area, prior, tuple(list(places)[k] for k in inside), cells[inside], at_m[inside])


def _city() -> tuple[Area, Floats]:
    area = grid_area(9, 9, 500.0)
    return area, city_prior(area)


def _week() -> tuple[Area, Floats]:
    track = sample("commuter")
    area = track_area(track, WEEK_CELL_M)
    weights = np.bincount(area.cell_of(track.points_m), stay_weights(track), len(area))
    return area, weights / weights.sum()


_MADE: dict[str, Callable[[], tuple[Area, Floats]]] = {"city": _city, "week": _week}


class Scored(NamedTuple):
    """How good guesses were, metres: their distance from the true cell, and their expected error."""

    errors: Floats
    expected: Floats


@dataclass(frozen=True)
class Guess(Plain):
    """A released point, and the cell it came from.

    Attributes
    ----------
    scene : a name of `SCENES`. level, radius_m : privacy level l (0.05 to 10) within r metres (50 to 5,000): epsilon is
        l / r per metre. truth : the true cell. released_m : (x, y), metres in the scene's frame.

    Raises
    ------
    InputError : there is no such scene or cell, the level or radius is out of range, or the released point is not a point.

    Notes
    -----
    Guarantee: the released point is epsilon-geo-indistinguishable (Andrés et al., CCS 2013). The true place is the centre of
    its cell, so the adversary who knows the prior and the mechanism computes the posterior over cells exactly.
    """

    scene: str
    level: float
    radius_m: float
    truth: int
    released_m: tuple[float, float]

    kind: ClassVar[str] = "guess"
    changeable: ClassVar[bool] = True
    outcome: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of(self.scene, "scene", tuple(SCENES))
        object.__setattr__(self, "level", number(self.level, "privacy level", *LEVEL_RANGE))
        object.__setattr__(self, "radius_m", number(self.radius_m, "radius_m", *RADIUS_RANGE_M))
        whole(self.truth, "truth", least=0, most=len(self.place.area) - 1)
        point = numbers(self.released_m, "released_m")
        if point.shape != (2,):
            raise InputError("released_m must be two numbers", value=f"shape {point.shape}")
        object.__setattr__(self, "released_m", (float(point[0]), float(point[1])))

    @classmethod
    def put(cls, settings: Mapping[str, Any], rng: np.random.Generator | None = None) -> Guess:
        """The game with a teacher's settings: scene, level, radius_m and place, a name in the scene or "chance".

        `rng` draws the noise, and the place if it is random; None uses the operating system's entropy.
        """
        known(settings, ("scene", "level", "radius_m", "place"))
        found = scene(one_of(settings.get("scene", "city"), "scene", tuple(SCENES)))
        level = number(settings.get("level", 1.0), "privacy level", *LEVEL_RANGE)
        radius_m = number(settings.get("radius_m", 500.0), "radius_m", *RADIUS_RANGE_M)
        place = one_of(settings.get("place", CHANCE), "place", (CHANCE, *found.names))
        source = np.random.default_rng() if rng is None else generator(rng)
        if place == CHANCE:
            truth = int(source.choice(len(found.prior), p=found.prior))
        else:
            truth = int(found.cells[found.names.index(place)])
        x, y = planar_laplace(found.area.points_m[[truth]], level / radius_m, source)[0].tolist()
        return cls(settings.get("scene", "city"), level, radius_m, truth, (x, y))

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: the scenes with their places; the ranges of level and radius, and initial values."""
        places = {
            name: {
                "title": title,
                "places": [
                    [CHANCE, "at random, by the shades of the cells"],
                    *([place, place] for place in sorted(scene(name).names)),
                ],
            }
            for name, title in SCENES.items()
        }
        return {"scenes": places, "level": [*LEVEL_RANGE, 1.0], "radius_m": [*RADIUS_RANGE_M, 500.0]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Guess:
        """The game that `to_dict` wrote."""
        return cls(**{**values, "released_m": tuple(values["released_m"])})

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        names = ("scene", "level", "radius_m", "truth")
        return {name: getattr(self, name) for name in names} | {"released_m": list(self.released_m)}

    @property
    def place(self) -> Scene:
        """The scene itself."""
        return scene(self.scene)

    @property
    def text(self) -> str:
        """What is asked."""
        return QUESTION

    @cached_property
    def belief(self) -> Floats:
        """(n,) the posterior over cells of an adversary who knows the prior, the mechanism and its budget."""
        found = self.place
        once = Release(np.array([self.released_m]), np.array([self.level]), np.array([True]), np.array([], int))
        likelihood = log_likelihoods(once, found.area.points_m, PlanarLaplace(self.radius_m))
        return np.asarray(track_posterior(found.prior, np.eye(len(found.prior)), likelihood).smoothed[0])

    @cached_property
    def adversary(self) -> tuple[int, float]:
        """The adversary's best guess, a cell, and its expected error, metres."""
        distances = self.place.area.distances_m
        guess = int(best_guesses(self.belief[None], distances)[0])
        return guess, float(expected_error(self.belief[None], distances)[0])

    def prepare(self) -> None:
        """Compute what the adversary believes."""
        _ = self.adversary

    @property
    def nearest(self) -> int:
        """The cell whose centre is nearest to the released point: the guess of someone who takes the point at face value."""
        return int(np.hypot(*(self.place.area.points_m - np.array(self.released_m)).T).argmin())

    def scored(self, guesses: ArrayLike) -> Scored:
        """How good guesses (k,) were: against the truth, and on average over the adversary's posterior."""
        cells: NDArray[np.intp] = np.asarray(guesses, np.intp)
        distances = self.place.area.distances_m
        return Scored(distances[cells, self.truth], self.belief @ distances[:, cells])

    def asked(self, times: int) -> dict[str, Any]:
        """The map for a phone: the cells with their prior, the names and the released point; not the truth."""
        return {
            "kind": self.kind,
            "text": self.text,
            "before": _before(self),
            "map": drawing(self),
        }

    def read(self, given: Any) -> int:
        """The cell that was tapped."""
        return whole(given, "the guess", least=0, most=len(self.place.area) - 1)

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """How many guessed; where the guesses are only when shown, as a class would follow the first ones."""
        n = len(answers)
        guessed = "One guess" if n == 1 else f"{n:,} guesses"
        found: dict[str, Any] = {"map": drawing(self), "summary": f"{guessed} so far.", "notes": _before(self)}
        return found | _outcome(self, answers) if shown else found

    def told(self, answer: Any) -> dict[str, Any]:
        """How good one guess was, with the true cell and the adversary's."""
        best, _ = self.adversary
        theirs = metres(float(self.place.area.distances_m[best, self.truth]))
        words = f"The true place was in {self.place.area.names[self.truth]}. "
        if answer is None:
            words += f"The best guess by exact computation was {theirs} off."
        else:
            mine = float(self.scored([answer]).errors[0])
            words += (
                "Your guess was right"
                if mine == 0
                else sentence("Your guess was {guess_error} off", guess_error=metres(mine))
            )
            words += f"; the best guess by exact computation was {theirs} off."
        return {"words": words, "truth": self.truth, "adversary": best}


def _before(game: Guess) -> list[str]:
    """What is known, and how far the point may be from the truth; the colours are those of `drawing`."""
    colour = "The stronger the blue of a cell, the likelier the person was there before anything was released."
    return [colour, *_point(game)]


def _point(game: Guess) -> list[str]:
    """What the released point is."""
    rate = game.level / game.radius_m
    half, most = (metres(float(planar_laplace_radius(p, rate))) for p in (0.5, 0.95))
    return [
        "The cross is the released point: the true place moved by planar Laplace noise, half of the time by less than "
        f"{half}, 19 times in 20 by less than {most}.",
        sentence(
            "ε = {level} within {radius}: the point changes the odds of two places that far apart by a factor of at "
            "most {most_odds_factor}.",
            level=amount(game.level),
            radius=metres(game.radius_m),
            most_odds_factor=factor(game.level),
        ),
    ]


def drawing(game: Guess) -> dict[str, Any]:
    """The map of the game, with the released point."""
    return {**map_of(game.place, [game.released_m]), "released": [round(x, 1) for x in game.released_m]}


def map_of(found: Scene, shown_m: Sequence[tuple[float, float]] = ()) -> dict[str, Any]:
    """A map in metres, x to the east and y to the north, that includes all of the points; shades are relative to the
    likeliest cell."""
    half = found.area.cell_m / 2
    prior = found.prior.tolist()
    corners = np.vstack([found.area.points_m - half, found.area.points_m + half, *([shown_m] if len(shown_m) else [])])
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
        "said": [
            sentence("{name}, known chance {cell_chance}", name=name, cell_chance=percent(p))
            for name, p in zip(found.area.names, prior, strict=True)
        ],
        "columns": _marks(found, 0),
        "rows": _marks(found, 1),
        "corner": [round(float(west), 1), round(float(south), 1)],
        "places": [[found.names[k], *found.at_m[k].round(1).tolist()] for k in apart(found)],
        "extent": [*low.round(1).tolist(), *high.round(1).tolist()],
    }


def _marks(found: Scene, axis: int) -> list[list[Any]]:
    """The letter of each column (axis 0) or the number of each row, and its position, metres."""
    at = found.area.points_m[:, axis].round(1).tolist()
    letters = [name.rstrip("0123456789") for name in found.area.names]
    marks = letters if axis == 0 else [name[len(word) :] for name, word in zip(found.area.names, letters, strict=True)]
    return [[mark, place] for mark, place in sorted(set(zip(marks, at, strict=True)), key=lambda found: found[1])]


def apart(found: Scene) -> list[int]:
    """The names shown on the map: one that would overlap an earlier one is left out."""
    kept: list[int] = []
    for k, (x, y) in enumerate(found.at_m / found.area.cell_m):
        lengths = [LETTER * max(len(found.names[k]), len(found.names[other])) for other in kept]
        away = [found.at_m[other] / found.area.cell_m - (x, y) for other in kept]
        if all(abs(d[1]) > LINE or abs(d[0]) > 1.2 * long for d, long in zip(away, lengths, strict=True)):
            kept.append(k)
    return kept


def _outcome(game: Guess, answers: Sequence[Any]) -> dict[str, Any]:
    best, expected = game.adversary
    area = game.place.area
    off = area.distances_m[:, game.truth]
    counts = np.bincount(np.asarray(answers, int), minlength=len(area))
    noise = float(np.hypot(*(np.array(game.released_m) - area.points_m[game.truth])))
    return {
        "summary": sentence(
            "The true place was in {true_cell}, {noise} from the released point. ",
            true_cell=area.names[game.truth],
            noise=metres(noise),
        )
        + _class_said(game, answers)
        + sentence(
            "The exact adversary guessed {guessed_cell}, {exact_error} off.",
            guessed_cell=area.names[best],
            exact_error=metres(float(off[best])),
        ),
        "truth": game.truth,
        "adversary": best,
        "guesses": [[cell, count] for cell, count in enumerate(counts.tolist()) if count],
        "belief": (game.belief / game.belief.max()).round(3).tolist(),
        "table": _table(game, answers, best, expected),
        "notes": [
            "Luck plays a part this time. The expected error is the average over the places that the released point leaves "
            "possible, each with its chance given the point: on that average, nobody who knows only the point and how likely "
            "each cell was before beats the adversary.",
            "The stronger the purple of a cell, the likelier the person was there to an attacker who has seen the point.",
            *_point(game),
        ],
    }


def _class_said(game: Guess, answers: Sequence[Any]) -> str:
    if not len(answers):
        return "Nobody guessed. "
    errors = game.scored(answers).errors
    hits = int((errors == 0).sum())
    right = "nobody" if not hits else "one" if hits == 1 else f"{hits:,}"
    return sentence(
        "The class's guesses are {mean_error} off on average, with a median of {median_error}, and {right} of "
        "{n_guesses} hit the cell. ",
        mean_error=metres(float(errors.mean())),
        median_error=metres(float(np.median(errors))),
        right=right,
        n_guesses=in_digits(len(answers)),
    )


def _table(game: Guess, answers: Sequence[Any], best: int, expected: float) -> dict[str, Any]:
    """How far off everyone was this time, and would be on average."""
    rows = []
    if len(answers):
        scored = game.scored(answers)
        rows.append(["the class, mean", metres(float(scored.errors.mean())), metres(float(scored.expected.mean()))])
        k = int(scored.expected.argmin())
        rows.append(["the class's best guess", metres(float(scored.errors[k])), metres(float(scored.expected[k]))])
    naive = game.scored([game.nearest])
    rows.append(["the cell at the cross", metres(float(naive.errors[0])), metres(float(naive.expected[0]))])
    rows.append(["exact adversary", metres(float(game.place.area.distances_m[best, game.truth])), metres(expected)])
    return Table.of_texts("How far off", ("who", "off this time", "expected"), rows).message()
