"""Runs a study: computes the missing parts, stores each, and returns the results.

The first half is about a part, which is computed as one piece. The second half is about what computes the parts: this
process, several processes, or the workers of a Dask cluster.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, islice
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.study.measures import MEASURES, SLOW, Released
from lmdk_widgets.study.parts import INSTALL, Directory, Keeper, Memory, Part, again
from lmdk_widgets.study.plan import TIMESTAMPS, StudyPlan
from lmdk_widgets.study.progress import Progress
from lmdk_widgets.trajectory.words import counted
from lmdk_widgets.version import __version__

if TYPE_CHECKING:
    from pandas import DataFrame

Found = Iterator[tuple[int, "Part"]]

CLOCK = getattr(time, "thread_time", time.perf_counter)
"""Processor time of a thread, seconds; a browser only has wall-clock time."""

TOGETHER = 144
"""How many evaluations have their slow measures computed together: several for each chain that an attacker may know."""

AHEAD = 3
"""How many parts each thread of a cluster has at a time: it never waits, and memory does not grow with their number."""

TRIES = 3
"""How often a part is computed that is damaged afterwards."""

CONNECT_S = 10
"""Seconds after which a scheduler that does not answer counts as missing."""


def compute(study: StudyPlan, part: int) -> Part:
    """Compute one part in this process.

    Linear algebra runs in one thread: with several, the last digits could depend on their number.
    """
    same, busy = _first_equal(study), [0.0]
    with _one_thread():
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


def _one_thread() -> AbstractContextManager[object]:
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def gathered(study: StudyPlan, keeper: Keeper) -> Iterator[Part]:
    """All parts of a finished study, in order."""
    return (keeper.get(part) for part in range(study.parts))


def engine(study: StudyPlan, parts: Sequence[int], jobs: int | None, dask: str | None) -> Found:
    """Parts with their numbers, in the order in which they finish.

    Raises
    ------
    InputError : see `Study.run`.
    """
    if dask is not None:
        if jobs is not None:
            raise InputError("Either jobs or the address of a Dask scheduler must be given", value="both")
        return on_cluster(study, parts, dask)
    count = cores() if jobs is None else whole(jobs, "jobs")
    return alone(study, parts) if min(count, len(parts)) <= 1 else in_processes(study, parts, count)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def alone(study: StudyPlan, parts: Sequence[int]) -> Found:
    """One part after another, in this process."""
    return ((part, compute(study, part)) for part in parts)


def in_processes(study: StudyPlan, parts: Sequence[int], jobs: int) -> Found:
    """Several parts at the same time, each in its own process on this machine."""
    if find_spec("joblib") is None:
        raise InputError(
            "Several processes must be run by joblib, which is not installed", remedy=f"{INSTALL}, or ask for one job"
        )
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    run = Parallel(n_jobs=min(jobs, len(parts)), return_as="generator_unordered", batch_size=1)
    try:
        yield from run(delayed(numbered)(study, part) for part in parts)
    except TerminatedWorkerError:
        remedy = "Perhaps memory ran out: run again with fewer jobs. Finished parts are kept"
        raise InputError("Every process must run until its parts are done; one was killed", remedy=remedy) from None


def numbered(study: StudyPlan, part: int) -> tuple[int, Part]:
    """A part with its number."""
    return part, compute(study, part)


def on_cluster(study: StudyPlan, parts: Sequence[int], address: str) -> Found:
    """Several parts at the same time, on a cluster's workers; if one is lost, another computes its parts."""
    library("distributed", "A Dask cluster")
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = f"Start one with: dask scheduler ({type(error).__name__})"
        raise refused(
            "the Dask address", 'that of a running scheduler, such as "tcp://10.0.0.5:8786"', address, remedy=remedy
        ) from None
    with client:
        waiting = iter(parts)
        # a task like the others, so the cluster computes it again if the worker that has it is lost
        shared = client.submit(received, study, __version__, key=f"study-{study.key}")

        def given(count: int) -> list:
            return [client.submit(numbered, shared, part, pure=False) for part in islice(waiting, count)]

        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError:
            what = "The cluster must have at least one worker"
            raise InputError(what, value="none", remedy=f"Start one with: dask worker {address} --nthreads 1") from None
        threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
        ready = as_completed(given(AHEAD * max(threads, 1)), loop=client.loop)
        for future in ready:
            yield _result(future)
            for another in given(1):
                ready.add(another)


def _result(future: Any) -> tuple[int, Part]:
    """A worker's result; reports a part that killed its workers, or a lost scheduler."""
    from distributed import KilledWorker

    try:
        return future.result()
    except (KilledWorker, CancelledError, OSError) as error:
        remedy = f"Look at its logs ({type(error).__name__}), and run again. Finished parts are kept"
        raise InputError("The cluster must run until all parts are done; it lost one", remedy=remedy) from None


def received(study: StudyPlan, version: str) -> StudyPlan:
    """The study, on a worker that has the same package."""
    if version != __version__:
        raise InputError(f"Every worker must have lmdk_widgets {version}", value=__version__)
    return study


def results(
    study: StudyPlan, directory: str | os.PathLike[str] | None, *, jobs: int | None, dask: str | None, resume: bool
) -> DataFrame:
    """The data frame that `Study.run` returns."""
    keeper = Memory() if directory is None else Directory(directory, study, resume=resume)
    complete(study, keeper, jobs=jobs, dask=dask)
    if isinstance(keeper, Directory) and keeper.damaged:
        warnings.warn(again(keeper.damaged), stacklevel=3)
    found = list(gathered(study, keeper))
    values = np.concatenate([part.values for part in found])
    return study.frame(range(len(study)), values, chain.from_iterable(part.refused for part in found))


def complete(
    study: StudyPlan,
    keeper: Keeper,
    *,
    jobs: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
) -> float:
    """Compute and store every missing part; nothing else stays in memory. At the end all stored parts are verified.

    Returns
    -------
    Processor time spent on outcomes and their measures, seconds.

    Raises
    ------
    InputError : see `Study.run`, or parts that are damaged whenever they are written.
    """
    there, busy_s = keeper.done(), 0.0
    told = progress or Progress(len(study), evaluations(study, there))
    for _ in range(TRIES):
        missing = [part for part in range(study.parts) if part not in there]
        if not missing:
            break
        told.done = evaluations(study, there)
        for part, found in engine(study, missing, jobs, dask):
            keeper.put(part, found)
            busy_s += found.busy_s
            told.add(len(found.values))
        there = keeper.done()
    told.end()
    if len(there) < study.parts:
        what = "The directory must keep what is written to it"
        lost = counted(study.parts - len(there), "damaged part")
        raise InputError(what, value=lost, remedy="Try another disk: name another directory")
    return busy_s


def evaluations(study: StudyPlan, parts: Iterable[int]) -> int:
    """How many evaluations are in some parts."""
    return sum(len(study.rows(part)) for part in parts)
