"""Runs a study: computes the missing parts, stores each, and returns the results.

The first half is about the parts, which are computed as one piece, and where finished ones are stored. The second half
is about what computes them: this process, several processes, or the workers of a Dask cluster.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain, islice
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lmdk_widgets import __version__
from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError, install, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.study.measures import MEASURES, SLOW, Released
from lmdk_widgets.study.model import TIMESTAMPS, Study
from lmdk_widgets.study.progress import Progress

if TYPE_CHECKING:
    from pandas import DataFrame

MANIFEST = "_study.json"
"""Says which study is in a directory. Parquet readers ignore names that start with an underscore."""

INSTALL = f"Install what studies need: {install('study')}"

Found = Iterator[tuple[int, "Part"]]

CLOCK = getattr(time, "thread_time", time.perf_counter)
"""Processor time of a thread, seconds; a browser only has wall-clock time."""

TOGETHER = 144
"""How many evaluations have their slow measures computed together: several for each chain that an attacker may know."""

AHEAD = 3
"""How many parts each thread of a cluster has at a time: it never waits, and memory does not grow with their number."""

CONNECT_S = 10
"""Seconds after which a scheduler that does not answer counts as missing."""


@dataclass(frozen=True, eq=False)
class Part:
    """Consecutive evaluations.

    Attributes
    ----------
    values : (rows, measures). refused : the reason why a row cannot be evaluated, or "".
    busy_s : processor time spent on outcomes and their measures, seconds.
    """

    values: Floats
    refused: tuple[str, ...]
    busy_s: float = 0.0


class Keeper(Protocol):
    """Where finished parts are stored."""

    def done(self) -> set[int]:
        """The parts already stored."""

    def put(self, part: int, found: Part) -> None:
        """Store a finished part."""

    def get(self, part: int) -> Part:
        """A stored part."""


def compute(study: Study, part: int) -> Part:
    """Compute one part in this process.

    Linear algebra runs in one thread: with several, the last digits could depend on their number.
    """
    same, busy = _first_equal(study), [0.0]
    with _one_thread():
        values, reasons = zip(*evaluated(same, same.rows(part), busy), strict=True)
    return Part(np.array(values), reasons, busy[0])


def evaluated(
    study: Study, rows: Iterable[int], busy: list[float] | None = None, together: int = TOGETHER
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
                waiting[len(found) - 1] = Released(outcome, study.knowledge(k))
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


@lru_cache(maxsize=1)
def _first_equal(study: Study) -> Study:
    """The first equal study that this process received, so what is cached by track and chain is found again."""
    return study


def _one_thread() -> AbstractContextManager[object]:
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


class Memory:
    """Keeps parts in memory while the process runs."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}

    def done(self) -> set[int]:
        return set(self._parts)

    def put(self, part: int, found: Part) -> None:
        self._parts[part] = found

    def get(self, part: int) -> Part:
        return self._parts[part]


class Directory:
    """Stores each part as a Parquet file, which appears once it is complete.

    Raises
    ------
    InputError : pyarrow is not installed, or the directory contains something other than this study.
    """

    def __init__(self, path: str | os.PathLike[str], study: Study, *, resume: bool = True) -> None:
        if find_spec("pyarrow") is None:
            what = "Results must be kept as Parquet files, which need pyarrow"
            raise InputError(what, remedy=f"{INSTALL}. In Python, run(None) keeps them in memory")
        self.path, self.study = Path(path), study
        self._open(resume)

    def _open(self, resume: bool) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            names = {file.name for file in self.path.iterdir()}
        except OSError as error:
            raise refused("the directory", "one that can be written to", str(self.path), remedy=str(error)) from None
        if MANIFEST in names:
            self._clean(everything=not resume)
            if resume:
                self._compare()
        elif names:
            raise refused("the directory", "empty or contain a study", str(self.path), remedy="Choose another one")
        self._write(MANIFEST, json.dumps(self.study.about, indent=1).encode())

    def _compare(self) -> None:
        """Refuse to continue if the directory contains a different study."""
        try:
            there = dict(json.loads((self.path / MANIFEST).read_text("utf-8")))
        except ValueError:
            there = {}
        for name, value in json.loads(json.dumps(self.study.about)).items():
            if there.get(name) != value:
                what = "To continue, the directory must contain the same study"
                remedy = "Choose another directory, or start again. In Python: resume=False"
                raise InputError(what, value=f"a study that differs in its {_NAMES.get(name, name)}", remedy=remedy)

    def _clean(self, *, everything: bool) -> None:
        """Remove partly written files, or everything that a study leaves."""
        for pattern in (".*.tmp", *(("part-*.parquet",) if everything else ())):
            for file in self.path.glob(pattern):
                file.unlink()

    def _write(self, name: str, content: bytes) -> None:
        """Write a file atomically: even after a power failure, it is either complete or absent."""
        unfinished = self.path / f".{name}.{os.getpid()}.tmp"
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self.path / name)

    def _name(self, part: int) -> str:
        return f"part-{part:08}.parquet"

    def done(self) -> set[int]:
        return {int(file.stem.removeprefix("part-")) for file in self.path.glob("part-*.parquet")}

    def put(self, part: int, found: Part) -> None:
        frame = self.study.frame(self.study.rows(part), found.values, found.refused)
        self._write(self._name(part), frame.to_parquet(engine="pyarrow", index=False))

    def get(self, part: int) -> Part:
        from pyarrow.parquet import ParquetFile

        names, rows = [*self.study.measures, "refused"], self.study.rows(part)
        try:
            with ParquetFile(self.path / self._name(part)) as file:
                table = file.read(columns=names)
        except (OSError, ValueError) as error:
            what = "A part of the study must not be changed"
            remedy = f"Remove it and run again: {error}"
            raise InputError(what, value=self._name(part), remedy=remedy) from None
        assert table.num_rows == len(rows)
        values = np.column_stack([table[name].to_numpy() for name in self.study.measures])
        return Part(values, tuple(table["refused"].to_pylist()))


_NAMES = {"rows_a_part": "size of parts", "package": "version of lmdk_widgets", "format": "kind of file"}


def gathered(study: Study, keeper: Keeper) -> Iterator[Part]:
    """All parts of a finished study, in order."""
    return (keeper.get(part) for part in range(study.parts))


def engine(study: Study, parts: Sequence[int], jobs: int | None, dask: str | None) -> Found:
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


def alone(study: Study, parts: Sequence[int]) -> Found:
    """One part after another, in this process."""
    return ((part, compute(study, part)) for part in parts)


def in_processes(study: Study, parts: Sequence[int], jobs: int) -> Found:
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


def numbered(study: Study, part: int) -> tuple[int, Part]:
    """A part with its number."""
    return part, compute(study, part)


def on_cluster(study: Study, parts: Sequence[int], address: str) -> Found:
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


def received(study: Study, version: str) -> Study:
    """The study, on a worker that has the same package."""
    if version != __version__:
        raise InputError(f"Every worker must have lmdk_widgets {version}", value=__version__)
    return study


def results(
    study: Study, directory: str | os.PathLike[str] | None, *, jobs: int | None, dask: str | None, resume: bool
) -> DataFrame:
    """The data frame that `Study.run` returns."""
    keeper = Memory() if directory is None else Directory(directory, study, resume=resume)
    complete(study, keeper, jobs=jobs, dask=dask)
    found = list(gathered(study, keeper))
    values = np.concatenate([part.values for part in found])
    return study.frame(range(len(study)), values, chain.from_iterable(part.refused for part in found))


def complete(
    study: Study, keeper: Keeper, *, jobs: int | None = None, dask: str | None = None, progress: Progress | None = None
) -> float:
    """Compute and store every missing part; nothing else stays in memory.

    Returns
    -------
    Processor time spent on outcomes and their measures, seconds.
    """
    there = keeper.done()
    missing = [part for part in range(study.parts) if part not in there]
    told = progress or Progress(len(study), sum(len(study.rows(part)) for part in there))
    busy_s = 0.0
    if missing:
        for part, found in engine(study, missing, jobs, dask):
            keeper.put(part, found)
            busy_s += found.busy_s
            told.add(len(found.values))
    told.end()
    return busy_s
