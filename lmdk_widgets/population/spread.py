"""Work in parts, computed one after another, in several processes of this machine, or by the workers of a Dask cluster.

The result of a part depends on neither; what stores the parts, and goes on after a stop, is the caller.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from importlib.util import find_spec
from itertools import islice
from typing import Any, Protocol

from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError, install, library
from lmdk_widgets.version import __version__


class Work(Protocol):
    """What is computed in parts."""

    @property
    def key(self) -> str:
        """A key that differs for other work."""


Compute = Callable[[Any, int], Any]
Found = Iterator[tuple[int, Any]]

AHEAD = 3
"""How many parts each thread of a cluster has at a time: it never waits, and memory does not grow with their number."""

CONNECT_S = 10
"""Seconds after which a scheduler that does not answer counts as missing."""


def engine(compute: Compute, work: Work, parts: Sequence[int], jobs: int | None, dask: str | None) -> Found:
    """Parts of some work with their numbers, in the order in which they finish.

    Parameters
    ----------
    compute : a function of a module, of the work and the number of a part. jobs : processes; None: one for each core.
    dask : the address of a scheduler, instead of jobs.

    Raises
    ------
    InputError : both, no scheduler at the address, a missing library, or workers that were killed.
    """
    if dask is not None:
        if jobs is not None:
            raise InputError("Either jobs or the address of a Dask scheduler must be given", value="both")
        return on_cluster(compute, work, parts, dask)
    count = cores() if jobs is None else whole(jobs, "jobs")
    return alone(compute, work, parts) if min(count, len(parts)) <= 1 else in_processes(compute, work, parts, count)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def alone(compute: Compute, work: Work, parts: Sequence[int]) -> Found:
    """One part after another, in this process."""
    return ((part, compute(work, part)) for part in parts)


def in_processes(compute: Compute, work: Work, parts: Sequence[int], jobs: int) -> Found:
    """Several parts at the same time, each in its own process on this machine."""
    if find_spec("joblib") is None:
        remedy = f"Install it with: {install('study')}, or ask for one job"
        raise InputError("Several processes must be run by joblib, which is not installed", remedy=remedy)
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    run = Parallel(n_jobs=min(jobs, len(parts)), return_as="generator_unordered", batch_size=1)
    try:
        yield from run(delayed(numbered)(compute, work, part) for part in parts)
    except TerminatedWorkerError:
        remedy = "Perhaps memory ran out: run again with fewer jobs. Finished parts are kept"
        raise InputError("Every process must run until its parts are done; one was killed", remedy=remedy) from None


def numbered(compute: Compute, work: Work, part: int) -> tuple[int, Any]:
    """A part with its number."""
    return part, compute(work, part)


def on_cluster(compute: Compute, work: Work, parts: Sequence[int], address: str) -> Found:
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
        shared = client.submit(received, work, __version__, key=f"work-{work.key}")

        def given(count: int) -> list:
            return [client.submit(numbered, compute, shared, part, pure=False) for part in islice(waiting, count)]

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


def _result(future: Any) -> tuple[int, Any]:
    """A worker's result; reports a part that killed its workers, or a lost scheduler."""
    from distributed import KilledWorker

    try:
        return future.result()
    except (KilledWorker, CancelledError, OSError) as error:
        remedy = f"Look at its logs ({type(error).__name__}), and run again. Finished parts are kept"
        raise InputError("The cluster must run until all parts are done; it lost one", remedy=remedy) from None


def received(work: Work, version: str) -> Work:
    """The work, on a worker that has the same package."""
    if version != __version__:
        raise InputError(f"Every worker must have lmdk_widgets {version}", value=__version__)
    return work
