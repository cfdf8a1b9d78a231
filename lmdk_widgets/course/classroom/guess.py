"""Guess where: one point is released by planar Laplace, a class guesses the cell, and so does the exact adversary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.checks import generator, number, numbers, one_of, whole
from lmdk_widgets.course.classroom import guess_words
from lmdk_widgets.course.classroom.activity import known
from lmdk_widgets.course.classroom.scenes import SCENES, Scene, scene
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import best_guesses, expected_error, log_likelihoods, track_posterior
from lmdk_widgets.noise import PlanarLaplace, planar_laplace

LEVEL_RANGE = (0.05, 10.0)
RADIUS_RANGE_M = (50.0, 5_000.0)
CHANCE = "chance"
"""The place of a teacher who leaves it to chance: a cell drawn by what is known beforehand."""


class Scored(NamedTuple):
    """How guesses fared, metres: distance from the true cell, and the error that was to be expected of them."""

    errors: Floats
    expected: Floats


@dataclass(frozen=True)
class Guess:
    """A released point, and the cell that it came from.

    Attributes
    ----------
    scene : a name of `SCENES`. level, radius_m : privacy level l (0.05 to 10) within r metres (50 to 5,000): epsilon is
        l / r per metre. truth : the true cell. released_m : (x, y), metres in the scene's frame.

    Raises
    ------
    InputError : no such scene or cell, level or radius out of range, a released point that is none.

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
        """The game of a teacher's settings: scene, level, radius_m and place, a name of the scene or "chance".

        `rng` draws the noise, and the place where it is left to chance; None takes the operating system's entropy.
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
        return guess_words.QUESTION

    @cached_property
    def belief(self) -> Floats:
        """(n,) the posterior over cells of an adversary who knows the prior, the mechanism and its budget."""
        found = self.place
        once = Release(np.array([self.released_m]), np.array([self.level]), np.array([True]), np.array([], int))
        likelihood = log_likelihoods(once, found.area.points_m, PlanarLaplace(self.radius_m))
        return np.asarray(track_posterior(found.prior, np.eye(len(found.prior)), likelihood).smoothed[0])

    @cached_property
    def adversary(self) -> tuple[int, float]:
        """The adversary's best guess, a cell, and the error that is to be expected of it, metres."""
        distances = self.place.area.distances_m
        guess = int(best_guesses(self.belief[None], distances)[0])
        return guess, float(expected_error(self.belief[None], distances)[0])

    def prepare(self) -> None:
        """Compute what the adversary believes."""
        _ = self.adversary

    @property
    def nearest(self) -> int:
        """The cell whose centre is nearest to the released point: the guess of who takes the point at its word."""
        return int(np.hypot(*(self.place.area.points_m - np.array(self.released_m)).T).argmin())

    def scored(self, guesses: ArrayLike) -> Scored:
        """How guesses (k,) fared: against the truth, and on average over what the adversary holds possible."""
        cells: NDArray[np.intp] = np.asarray(guesses, np.intp)
        distances = self.place.area.distances_m
        return Scored(distances[cells, self.truth], self.belief @ distances[:, cells])

    def asked(self, times: int) -> dict[str, Any]:
        """The map for a phone: the cells with their prior, the names and the released point; not the truth."""
        return {
            "kind": self.kind,
            "text": self.text,
            "before": guess_words.before(self),
            "map": guess_words.drawing(self),
        }

    def read(self, given: Any) -> int:
        """The cell that was tapped."""
        return whole(given, "the guess", least=0, most=len(self.place.area) - 1)

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """How many guessed; when shown the truth, the guesses and the adversary."""
        return guess_words.board(self, answers, shown)

    def told(self, answer: Any) -> dict[str, Any]:
        """How one guess fared, with the true cell and the adversary's."""
        return {"words": guess_words.told(self, answer), "truth": self.truth, "adversary": self.adversary[0]}
