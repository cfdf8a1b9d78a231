"""What a study evaluates: every combination of tracks and choices, its landmarks, seeds and columns."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import one_of, refused, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.practice.chosen_practice import practice_of
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.study.grid import MOST_EVALUATIONS, NO_PRACTICE, OF_ATTACKER, OF_PRACTICE, VARIED, checked_grid
from lmdk_widgets.study.layouts import first_of, order_of_landmarks
from lmdk_widgets.study.measures import DEFAULT_MEASURES, MEASURES, Compared
from lmdk_widgets.study.tracks import fingerprint, named_tracks
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import data_name
from lmdk_widgets.version import __version__

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS, TIMESTAMPS = 500, 150_000
"""The most evaluations in a part of a study, and about the most timestamps: a fraction of a second."""

MOST_BASES = 1000
"""How many scenarios are cached for evaluations that differ only in landmarks and seed."""

MOST_KEPT = 2_000_000
"""About how many timestamps are cached in the order in which they become landmarks."""

DRAWN = ("share", "layout")
"""Choices that are not fields of a `Scenario`: they say how landmarks are drawn."""

BESIDE = (*OF_ATTACKER, *OF_PRACTICE)
"""Choices that change no release."""

ASIDE = (*DRAWN, *BESIDE)
"""All choices that are not fields of a `Scenario`."""


class StudyPlan:
    """What a study evaluates, with its settings, seeds and columns: a `Study` before it is run."""

    def __init__(
        self,
        trajectories: Mapping[str, Any] | Iterable[Any],
        grid: Mapping[str, Any],
        *,
        repetitions: int = 1,
        measures: Iterable[str] = DEFAULT_MEASURES,
        read: int | None = None,
    ) -> None:
        self.tracks = named_tracks(trajectories)
        self.axes = checked_grid(grid)
        self.repetitions = whole(repetitions, "repetitions", most=MOST_EVALUATIONS)
        self.measures = checked_measures(measures)
        self.read = self.repetitions if read is None else whole(read, "read", most=self.repetitions)
        self._bases: dict[tuple[Any, ...], Scenario] = {}
        self._orders: dict[tuple[str, str, int], NDArray[np.intp]] = {}
        self._sizes = (len(self.tracks), *(len(values) for values in self.axes.values()), self.repetitions)
        if len(self) > MOST_EVALUATIONS:
            raise refused("the number of evaluations", f"{MOST_EVALUATIONS:,} or less", len(self))

    def __len__(self) -> int:
        return math.prod(self._sizes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StudyPlan) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Study({list(self.tracks)}, {self.axes}, repetitions={self.repetitions}, measures={self.measures})"

    @cached_property
    def about(self) -> dict[str, Any]:
        """A description of the study for JSON: two studies with the same description give the same results."""
        tracks = {name: {"timestamps": len(track), "is": fingerprint(track)} for name, track in self.tracks.items()}
        grid = {name: [VARIED[name].plain(value) for value in values] for name, values in self.axes.items()}
        return {
            "format": "lmdk-widgets study",
            "package": __version__,
            "tracks": tracks,
            "grid": grid,
            "repetitions": self.repetitions,
            "measures": list(self.measures),
            "read": self.read,
            "rows_a_part": self.rows_a_part,
        }

    @cached_property
    def key(self) -> str:
        """A key that differs for every study."""
        return sha256(json.dumps(self.about).encode()).hexdigest()[:32]

    def setting(self, k: int) -> dict[str, Any]:
        """The setting of evaluation k, from 0: its track, the value of each choice, and which repetition it is."""
        track, *at, repetition = self._at(whole(k, "k", least=0, most=len(self) - 1))
        values = {name: axis[i] for (name, axis), i in zip(self.axes.items(), at, strict=True)}
        return {"track": list(self.tracks)[track], **values, "repetition": repetition}

    def _at(self, k: int) -> list[int]:
        """An evaluation's track, position on each axis and repetition, from 0; the last changes fastest."""
        found = []
        for size in reversed(self._sizes):
            k, i = divmod(k, size)
            found.append(i)
        return found[::-1]

    def scenario(self, k: int) -> tuple[Scenario, Trajectory]:
        """The scenario and track of evaluation k: ``evaluate(*study.scenario(k))`` computes its numbers again."""
        setting = self.setting(k)
        name, repetition = setting["track"], setting["repetition"]
        track, base = self.tracks[name], self._base(setting)
        of_release = (axis for axis in self.axes if axis not in BESIDE)
        told = {axis: setting[axis] for axis in of_release if setting[axis] != _DEFAULTS.get(axis)}
        seed = seed_of("noise", name, told, repetition)
        drawn: dict[str, Any] = {"seed": seed}
        if "share" in setting:
            order = self._order(name, setting.get("layout", "uniform"), repetition)
            drawn["landmarks"] = first_of(order, setting["share"])
        if setting.get("hide"):
            drawn["hide_seed"] = seed_of("dummies", name, repetition)
        return base.with_checked(**drawn), track

    def knowledge(self, k: int) -> Knowledge:
        """What the attacker in evaluation k knows beforehand: ``infer(outcome, study.knowledge(k))`` is that attack."""
        setting = self.setting(k)
        return Knowledge(**{name: setting[axis] for axis, name in OF_ATTACKER.items() if axis in setting})

    def practice(self, k: int) -> Compared | None:
        """The practice of today in evaluation k, and whether its attacker knows the silences; None without one."""
        setting = self.setting(k)
        code = setting.get("practice", NO_PRACTICE)
        if code == NO_PRACTICE:
            return None
        return Compared(practice_of(code), setting.get("practice_knows", "silences") == "silences")

    def _order(self, name: str, layout: str, repetition: int) -> NDArray[np.intp]:
        """The order in which a track's timestamps become landmarks, cached for the other schemes and shares."""
        key, n = (name, layout, repetition), len(self.tracks[name])
        found = self._orders.get(key)
        if found is None:
            if len(self._orders) * n > MOST_KEPT:
                self._orders.clear()
            found = order_of_landmarks(layout, n, np.random.default_rng(seed_of("landmarks", *key)))
            self._orders[key] = found
        return found

    def _base(self, setting: Mapping[str, Any]) -> Scenario:
        """The scenario of a setting, except for what is drawn: many evaluations share it."""
        key = setting["track"], *(setting[axis] for axis in self.axes if axis not in (*ASIDE, "matrix"))
        if "matrix" in setting:
            key += (self.axes["matrix"].index(setting["matrix"]),)
        found = self._bases.get(key)
        if found is None:
            if len(self._bases) >= MOST_BASES:
                self._bases.clear()
            track = self.tracks[setting["track"]]
            choices = {axis: setting[axis] for axis in self.axes if axis not in ASIDE}
            if "hide_chance" in choices:
                choices["hide_joining"] = "stated"
            found = Scenario(**{"track": data_name(track), "landmarks": track.landmarks} | choices)
            self._bases[key] = found
        return found

    @cached_property
    def rows_a_part(self) -> int:
        """How many evaluations are computed and stored together; it depends only on the tracks."""
        return max(1, min(ROWS, TIMESTAMPS // max(map(len, self.tracks.values()))))

    @property
    def parts(self) -> int:
        """The number of parts."""
        return -(-len(self) // self.rows_a_part)

    def rows(self, part: int) -> range:
        """The evaluations in a part."""
        first = part * self.rows_a_part
        return range(first, min(first + self.rows_a_part, len(self)))

    def columns(
        self, rows: range, values: NDArray[np.float64], made: Callable[[list[Any], NDArray[np.intp]], Any] | None = None
    ) -> dict[str, Any]:
        """The measures (len(rows), measures) of consecutive evaluations as columns, after columns with their settings.

        made : builds a column from the values of a choice and each row's index into them; by default an array.
        """
        made = made or (lambda found, codes: np.array(found, object if isinstance(found[0], str) else None)[codes])
        track, *at, repetition = np.unravel_index(np.arange(rows.start, rows.stop), self._sizes)
        columns: dict[str, Any] = {
            "evaluation": np.arange(rows.start, rows.stop),
            "track": made(list(self.tracks), track),
        }
        for (name, axis), codes in zip(self.axes.items(), at, strict=True):
            shown = [VARIED[name].to_text(value) if isinstance(value, tuple) else value for value in axis]
            columns[name] = made(shown, codes)
        columns |= {"repetition": repetition}
        return columns | {name: values[:, j] for j, name in enumerate(self.measures)}

    def frame(self, rows: range, values: NDArray[np.float64], refused: Iterable[str]) -> DataFrame:
        """The columns as a data frame, words as categories, and the reason why an evaluation failed, or ""."""
        pandas = library("pandas", "A study")

        def made(found: list[Any], codes: NDArray[np.intp]) -> Any:
            return pandas.Categorical.from_codes(codes, found) if isinstance(found[0], str) else np.array(found)[codes]

        columns = self.columns(rows, values, made)
        return pandas.DataFrame(columns | {"refused": pandas.array(list(refused), dtype="str")})


_DEFAULTS = {**Scenario.defaults(), "layout": "uniform"}
"""Values left out of the hash: a choice at its default does not change the random numbers."""


def checked_measures(measures: Iterable[str]) -> tuple[str, ...]:
    """The names of measures, without duplicates."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        raise refused("measures", "a list of names", measures)
    found: list[str] = []
    for name in measures:
        found.append(checked_measure(name, found))
    if not found:
        raise InputError("Measures must have at least one name", value="none")
    return tuple(found)


def checked_measure(name: Any, before: Iterable[str] = ()) -> str:
    """The name of a measure; `before` contains those already listed."""
    if one_of(name, "a measure", MEASURES) in before:
        raise InputError("Measures must have each name only once", value=f"{name} twice")
    return str(name)


def seed_of(*what: object) -> int:
    """A seed for plain values, such as names, numbers and lists of them: the first 53 bits of their hash.

    `numpy.random.default_rng(seed)` expands it with a `SeedSequence`; a `Scenario` takes it as it is.

    Examples
    --------
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 0)
    True
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 1)
    False
    """
    digest = sha256(json.dumps(what, sort_keys=True).encode()).digest()
    return int.from_bytes(digest[:7]) >> 3
