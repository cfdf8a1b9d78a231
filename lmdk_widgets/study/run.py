"""Runs a study: computes the missing parts, stores each, and returns the results.

A part is computed as one piece; `population.spread` computes them in this process, in several, or on a Dask cluster.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, Protocol

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.linear.one_thread import one_thread
from lmdk_widgets.page.progress import Progress, telling
from lmdk_widgets.population.spread import engine
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.study.measures import MEASURES, SLOW, Released
from lmdk_widgets.study.parts import Directory, Keeper, Memory, Part, again
from lmdk_widgets.study.plan import TIMESTAMPS, StudyPlan
from lmdk_widgets.trajectory.words import counted

if TYPE_CHECKING:
    from pandas import DataFrame

CLOCK = getattr(time, "thread_time", time.perf_counter)
"""Processor time of a thread, seconds; a browser only has wall-clock time."""

TOGETHER = 144
"""How many evaluations have their slow measures computed together: several for each chain that an attacker may know."""

TRIES = 3
"""How often a part is computed that is damaged afterwards."""


def compute(study: StudyPlan, part: int) -> Part:
    """Compute one part in this process.

    Linear algebra runs in one thread: with several, the last digits could depend on their number.
    """
    same, busy = _first_equal(study), [0.0]
    with one_thread():
        values, reasons = zip(*evaluated(same, same.rows(part), busy), strict=True)
    return Part(np.array(values), reasons, busy[0])


def evaluated(
    study: StudyPlan, rows: Iterable[int], busy: list[float] | None = None, together: int = TOGETHER
) -> Iterator[tuple[list[float], str]]:
    """The measures of some evaluations, one after another, and the reason why one failed, or "".

    Parameters
    ----------
    busy : its first number is increased by the processor time of outcomes and measures, seconds.
    together : the number of evaluations whose slow measures are computed together; fewer of long tracks, with about
        `TIMESTAMPS` timestamps in all. A page whose sliders must move meanwhile computes few at a time.
    """
    slow, quick = ([name for name in study.measures if (name in SLOW) == is_slow] for is_slow in (True, False))
    found: list[Noted] = []
    waiting: dict[int, Released] = {}
    most = max(1, min(together, TIMESTAMPS // max(map(len, study.tracks.values()))))
    spent = [0.0] if busy is None else busy
    for k in rows:
        scenario, track = study.scenario(k)
        start = CLOCK()
        one = Noted(dict.fromkeys(study.measures, nan))
        found.append(one)
        try:
            outcome = evaluate(scenario, track)
            one.numbers |= {name: MEASURES[name].of(outcome) for name in quick}
            if slow and k % study.repetitions < study.read:
                waiting[len(found) - 1] = Released(outcome, study.knowledge(k), study.practice(k))
        except InputError as error:
            one.refuse(error)
        if len(waiting) == most:
            _note_slow(slow, waiting, found)
        spent[0] += CLOCK() - start
        if not waiting:
            yield from ((list(each.numbers.values()), each.refused) for each in found)
            found.clear()
    start = CLOCK()
    _note_slow(slow, waiting, found)
    spent[0] += CLOCK() - start
    yield from ((list(each.numbers.values()), each.refused) for each in found)


@dataclass
class Noted:
    """What is recorded of an evaluation: its measures by name, missing ones NaN, and why it failed, or ""."""

    numbers: dict[str, float]
    refused: str = ""

    def refuse(self, error: InputError) -> None:
        self.numbers, self.refused = dict.fromkeys(self.numbers, nan), error.sentence


def _note_slow(slow: Sequence[str], waiting: dict[int, Released], found: Sequence[Noted]) -> None:
    """Record these measures for the waiting outcomes; if one is refused, for each separately."""
    try:
        numbers = [list(SLOW[name](list(waiting.values()))) for name in slow] if waiting else []
        for name, values in zip(slow, numbers, strict=bool(waiting)):
            for k, value in zip(waiting, values, strict=True):
                found[k].numbers[name] = value
    except InputError as error:
        if len(waiting) == 1:
            found[next(iter(waiting))].refuse(error)
        else:
            for k, one in waiting.items():
                _note_slow(slow, {k: one}, found)
    waiting.clear()


@cached("visitor", entries=1)
def _first_equal(study: StudyPlan) -> StudyPlan:
    """The first equal study that this process received, so what is cached by track and chain is found again."""
    return study


def gathered(study: StudyPlan, keeper: Keeper) -> Iterator[Part]:
    """All parts of a finished study, in order."""
    return (keeper.get(part) for part in range(study.parts))


def results(
    study: StudyPlan,
    directory: str | os.PathLike[str] | None,
    *,
    jobs: int | None,
    dask: str | None,
    resume: bool,
    progress: Progress,
) -> DataFrame:
    """The data frame that `Study.run` returns."""
    with telling(progress, len(study), "evaluation") as tell:
        keeper = Memory() if directory is None else Directory(directory, study, resume=resume)
        complete(study, keeper, jobs=jobs, dask=dask, counter=Counter(tell))
    if isinstance(keeper, Directory) and keeper.damaged:
        warnings.warn(again(keeper.damaged), stacklevel=3)
    found = list(gathered(study, keeper))
    values = np.concatenate([part.values for part in found])
    return study.frame(range(len(study)), values, chain.from_iterable(part.refused for part in found))


class Counts(Protocol):
    """What counts evaluations as they are done; `done` can also be set."""

    done: int

    def add(self, evaluations: int) -> None:
        """Count this many more as done."""

    def end(self) -> None:
        """Nothing more is counted."""


@dataclass
class Counter:
    """Counts evaluations, and calls a function with their number."""

    tell: Callable[[int], object]
    done: int = 0

    def add(self, evaluations: int) -> None:
        """Count this many more as done."""
        self.done += evaluations
        self.tell(self.done)

    def end(self) -> None:
        """Nothing more is counted."""
        self.tell(self.done)


def complete(
    study: StudyPlan,
    keeper: Keeper,
    *,
    jobs: int | None = None,
    dask: str | None = None,
    counter: Counts | None = None,
) -> float:
    """Compute and store every missing part, counted by `counter`; nothing else stays in memory.

    At the end all stored parts are verified.

    Returns
    -------
    Processor time spent on outcomes and their measures, seconds.

    Raises
    ------
    InputError : see `Study.run`, or parts that are damaged whenever they are written.
    """
    there, busy_s = keeper.done(), 0.0
    counter = counter or Counter(lambda done: None)
    for _ in range(TRIES):
        missing = [part for part in range(study.parts) if part not in there]
        if not missing:
            break
        counter.done = evaluations(study, there)
        for part, found in engine(compute, study, missing, jobs, dask):
            keeper.put(part, found)
            busy_s += found.busy_s
            counter.add(len(found.values))
        there = keeper.done()
    counter.done = evaluations(study, there)
    counter.end()
    if len(there) < study.parts:
        what = "The directory must keep what is written to it"
        lost = counted(study.parts - len(there), "damaged part")
        raise InputError(what, value=lost, remedy="Try another disk: name another directory")
    return busy_s


def evaluations(study: StudyPlan, parts: Iterable[int]) -> int:
    """How many evaluations are in some parts."""
    return sum(len(study.rows(part)) for part in parts)
