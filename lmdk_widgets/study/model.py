"""A study: `evaluate` mapped over tracks, choices and repetitions."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets import __version__
from lmdk_widgets.checks import one_of, refused, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.study.grid import MOST_EVALUATIONS, OF_ATTACKER, VARIED, checked_grid
from lmdk_widgets.study.layouts import first_of, order_of_landmarks
from lmdk_widgets.study.measures import DEFAULT_MEASURES, MEASURES
from lmdk_widgets.study.tracks import fingerprint, named_tracks
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import data_name

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS, TIMESTAMPS = 500, 150_000
"""A part of a study has at most so many evaluations, and about so many timestamps: a fraction of a second."""

MOST_BASES = 1000
"""Scenarios that are kept for the evaluations that differ in landmarks and seed alone."""

MOST_KEPT = 2_000_000
"""About so many timestamps are kept in the order in which they become landmarks."""

DRAWN = ("share", "layout")
"""Choices that are no fields of a `Scenario`: landmarks are drawn by them."""

ASIDE = (*DRAWN, *OF_ATTACKER)
"""All that are none."""


class Study:
    """Every combination of tracks and choices, evaluated several times with noise of its own.

    Parameters
    ----------
    trajectories : tracks or series, names of samples or paths of files, a list or a mapping from names to them.
    grid : names of choices with their values, a list or a single one: ``{"scheme": ["uniform", "skip"], "epsilon": [0.5,
        1]}``. `share` is the share of the timestamps that are landmarks, 0 to 1, and `layout` how they lie in time, a key
        of `LAYOUTS`; each repetition draws them anew. Without `share` they are those of `landmarks`, else those that came
        with the track. All others are fields of a `Scenario`: scheme, epsilon, target, window, radius_m, mechanism, place_m,
        increase, decrease, landmarks, correlation, smoothing, states, cell_m, matrix, adversary; of dummies hide, and beside
        it hide_method, hide_chance (the proposed one where it is left out), hide_epsilon, hide_most. What the attacker knows:
        attacker_cells, attacker_start, attacker_moves, attacker_step_m.
    repetitions : how often each setting is evaluated, at least 1.
    measures : what is noted of each outcome, keys of `MEASURES`.
    read : in how many repetitions of each setting, the first ones, those of `SLOW` are computed, such as the reader's
        error and the attacker's, with which an evaluation takes about four times as long; missing in the rest. None: in
        all.

    Attributes
    ----------
    tracks : the tracks by name. axes : the values of each choice. repetitions, measures, read : as above.

    Raises
    ------
    InputError : an unknown name, a value that is not allowed, something twice, more than 100,000,000 evaluations.

    Notes
    -----
    Random numbers follow from the settings themselves: a hash of them is the seed, which `numpy.random.SeedSequence`
    spreads. Another grid around a setting, another order or another number of workers leaves its numbers as they are, to
    the last bit on processors of one kind. The noise of two settings is independent, but that attackers who know different
    things attack the same releases. Landmarks of one track, layout and
    repetition are the same under every scheme, and those of a larger share contain those of a smaller one. So are dummies:
    random ones of a larger chance contain those of a smaller one. The errors are computed from the true tracks: a study is
    for their owner.

    Examples
    --------
    >>> study = Study(["bob"], {"scheme": ["event", "uniform"], "epsilon": [0.5, 1]}, measures=["theorem_sum"])
    >>> len(study), study.setting(3)
    (4, {'track': 'bob', 'scheme': 'uniform', 'epsilon': 1.0, 'repetition': 0})
    >>> study.run(None, jobs=1).theorem_sum.round(9).tolist()
    [2.5, 5.0, 0.5, 1.0]
    """

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
        return isinstance(other, Study) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Study({list(self.tracks)}, {self.axes}, repetitions={self.repetitions}, measures={self.measures})"

    @cached_property
    def about(self) -> dict[str, Any]:
        """What the study is, for JSON: two studies give the same results if it is the same."""
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
        """A name of the study, another one for every other study."""
        return sha256(json.dumps(self.about).encode()).hexdigest()[:32]

    def setting(self, k: int) -> dict[str, Any]:
        """What the evaluation k, from 0, is of: its track, the value of each choice, and which repetition it is."""
        track, *at, repetition = self._at(whole(k, "k", least=0, most=len(self) - 1))
        values = {name: axis[i] for (name, axis), i in zip(self.axes.items(), at, strict=True)}
        return {"track": list(self.tracks)[track], **values, "repetition": repetition}

    def _at(self, k: int) -> list[int]:
        """The track, the place in each axis and the repetition of an evaluation, from 0; the last changes fastest."""
        found = []
        for size in reversed(self._sizes):
            k, i = divmod(k, size)
            found.append(i)
        return found[::-1]

    def scenario(self, k: int) -> tuple[Scenario, Trajectory]:
        """The scenario of the evaluation k with its track: ``evaluate(*study.scenario(k))`` computes its numbers again."""
        setting = self.setting(k)
        name, repetition = setting["track"], setting["repetition"]
        track, base = self.tracks[name], self._base(setting)
        of_release = (axis for axis in self.axes if axis not in OF_ATTACKER)
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
        """What the attacker of the evaluation k knows beforehand: ``infer(outcome, study.knowledge(k))`` is that attack."""
        setting = self.setting(k)
        return Knowledge(**{name: setting[axis] for axis, name in OF_ATTACKER.items() if axis in setting})

    def _order(self, name: str, layout: str, repetition: int) -> NDArray[np.intp]:
        """The order in which the timestamps of a track become landmarks, kept for the other schemes and shares."""
        key, n = (name, layout, repetition), len(self.tracks[name])
        found = self._orders.get(key)
        if found is None:
            if len(self._orders) * n > MOST_KEPT:
                self._orders.clear()
            found = order_of_landmarks(layout, n, np.random.default_rng(seed_of("landmarks", *key)))
            self._orders[key] = found
        return found

    def _base(self, setting: Mapping[str, Any]) -> Scenario:
        """The scenario of a setting, but for what is drawn: many evaluations have the same."""
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
        """How many evaluations are computed and kept together; it depends on nothing but the tracks."""
        return max(1, min(ROWS, TIMESTAMPS // max(map(len, self.tracks.values()))))

    @property
    def parts(self) -> int:
        """The number of parts."""
        return -(-len(self) // self.rows_a_part)

    def rows(self, part: int) -> range:
        """The evaluations of a part."""
        first = part * self.rows_a_part
        return range(first, min(first + self.rows_a_part, len(self)))

    def columns(
        self, rows: range, values: NDArray[np.float64], made: Callable[[list[Any], NDArray[np.intp]], Any] | None = None
    ) -> dict[str, Any]:
        """Measures (len(rows), measures) of evaluations in a row as columns, with what each is of.

        made : takes the values of a choice and the index of each row's, and makes the column; by default an array.
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
        """The columns as a data frame, words as categories, and why an evaluation could not be made, or ""."""
        pandas = library("pandas", "A study")

        def made(found: list[Any], codes: NDArray[np.intp]) -> Any:
            return pandas.Categorical.from_codes(codes, found) if isinstance(found[0], str) else np.array(found)[codes]

        columns = self.columns(rows, values, made)
        return pandas.DataFrame(columns | {"refused": pandas.array(list(refused), dtype="str")})

    def run(
        self,
        directory: str | os.PathLike[str] | None,
        *,
        jobs: int | None = None,
        dask: str | None = None,
        resume: bool = True,
    ) -> DataFrame:
        """Evaluate everything, or what is left of it; the results do not depend on how or where.

        Parameters
        ----------
        directory : where parts are kept as Parquet files as soon as they are there, an empty or a new directory, or one of
            this study; None: they are kept in memory alone. `pandas.read_parquet(directory)` reads them too.
        jobs : processes at the same time; None: one for each processor core. More than one needs `joblib`.
        dask : the address of a Dask scheduler, as ``"tcp://10.0.0.5:8786"``: its workers evaluate, in place of `jobs`.
        resume : go on with what the directory holds of this study; False: remove that first.

        Returns
        -------
        DataFrame
            A row for each evaluation, in order: `evaluation`, from 0; `track`; a column for each choice of the grid;
            `repetition`, from 0; a column for each measure; `refused`, why it cannot be evaluated, or "".

        Raises
        ------
        InputError : a directory that holds something else, no scheduler at the address, a library that is missing (each
            names what to install).

        Notes
        -----
        A part that is complete is never computed again: after Ctrl+C, or after the process or a worker was killed, the same
        call goes on. Memory does not grow with the number of evaluations until the data frame is made. Where standard error
        is a terminal, a line there says how far it is, and the time left.
        """
        from lmdk_widgets.study.run import results

        return results(self, directory, jobs=jobs, dask=dask, resume=resume)


_DEFAULTS = {**Scenario.defaults(), "layout": "uniform"}
"""Values that need not be told: a choice at its default changes no random number."""


def checked_measures(measures: Iterable[str]) -> tuple[str, ...]:
    """Names of measures, each once."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        raise refused("measures", "a list of names", measures)
    found: list[str] = []
    for name in measures:
        found.append(checked_measure(name, found))
    if not found:
        raise InputError("Measures must have at least one name", value="none")
    return tuple(found)


def checked_measure(name: Any, before: Iterable[str] = ()) -> str:
    """The name of a measure; `before` are those that are there already."""
    if one_of(name, "a measure", MEASURES) in before:
        raise InputError("Measures must have each name once", value=f"{name} twice")
    return str(name)


def seed_of(*what: object) -> int:
    """A seed for plain values, such as names, numbers and lists of them: the first 53 bits of their hash.

    `numpy.random.default_rng(seed)` spreads it by a `SeedSequence`; a `Scenario` takes it as it is.

    Examples
    --------
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 0)
    True
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 1)
    False
    """
    digest = sha256(json.dumps(what, sort_keys=True).encode()).digest()
    return int.from_bytes(digest[:7]) >> 3
