"""Who computes the parts of a study: this process, several processes, or the workers of a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from importlib.util import find_spec
from itertools import islice
from typing import Any

from lmdk_widgets import __version__
from lmdk_widgets.checks import refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.extras import library
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.parts import INSTALL, Part, compute

Found = Iterator[tuple[int, Part]]

AHEAD = 3
"""Parts that each thread of a cluster is given at a time: it never waits, and memory does not grow with their number."""

CONNECT_S = 10
"""Seconds after which a scheduler that does not answer is taken not to be there."""


def engine(study: Study, parts: Sequence[int], jobs: int | None, dask: str | None) -> Found:
    """Parts with their numbers, in the order in which they are ready.

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
    """One part after the other, in this process."""
    return ((part, compute(study, part)) for part in parts)


def in_processes(study: Study, parts: Sequence[int], jobs: int) -> Found:
    """Several parts at the same time, each in a process of its own on this machine."""
    if find_spec("joblib") is None:
        raise InputError(
            "Several processes must be run by joblib, which is not here", remedy=f"{INSTALL}, or ask for one job"
        )
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    run = Parallel(n_jobs=min(jobs, len(parts)), return_as="generator_unordered", batch_size=1)
    try:
        yield from run(delayed(numbered)(study, part) for part in parts)
    except TerminatedWorkerError:
        remedy = "Perhaps memory was short: run again with fewer. What is finished is kept"
        raise InputError("Every process must live until its parts are done; one was killed", remedy=remedy) from None


def numbered(study: Study, part: int) -> tuple[int, Part]:
    """A part with its number."""
    return part, compute(study, part)


def on_cluster(study: Study, parts: Sequence[int], address: str) -> Found:
    """Several parts at the same time, on the workers of a cluster; those of a lost worker are computed by another one."""
    library("distributed", "A Dask cluster")
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = f"Start one with: dask scheduler ({type(error).__name__})"
        raise refused(
            "the Dask address", 'that of a running scheduler, as "tcp://10.0.0.5:8786"', address, remedy=remedy
        ) from None
    with client:
        waiting = iter(parts)
        # a task like the others, so that the cluster makes it again where the worker that has it is lost
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
    """What a worker found; a part that four workers died of, or a scheduler that is gone, is said."""
    from distributed import KilledWorker

    try:
        return future.result()
    except (KilledWorker, CancelledError, OSError) as error:
        remedy = f"Look at its logs ({type(error).__name__}), and run again. What is finished is kept"
        raise InputError("The cluster must live until all parts are done; it lost one", remedy=remedy) from None


def received(study: Study, version: str) -> Study:
    """The study, on a worker that has the same package."""
    if version != __version__:
        raise InputError(f"Every worker must have lmdk_widgets {version}", value=__version__)
    return study
