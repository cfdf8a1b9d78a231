"""Runs a study: computes the parts that are missing, keeps each, and gives the results."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from lmdk_widgets.study.engines import engine
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.parts import Directory, Keeper, Memory, gathered
from lmdk_widgets.study.progress import Progress

if TYPE_CHECKING:
    from pandas import DataFrame


def results(
    study: Study, directory: str | os.PathLike[str] | None, *, jobs: int | None, dask: str | None, resume: bool
) -> DataFrame:
    """What `Study.run` gives."""
    keeper = Memory() if directory is None else Directory(directory, study, resume=resume)
    complete(study, keeper, jobs=jobs, dask=dask)
    found = list(gathered(study, keeper))
    values = np.concatenate([part.values for part in found])
    return study.frame(range(len(study)), values, chain.from_iterable(part.refused for part in found))


def complete(
    study: Study, keeper: Keeper, *, jobs: int | None = None, dask: str | None = None, progress: Progress | None = None
) -> float:
    """Compute and keep every part that is not there; nothing else of it stays in memory.

    Returns
    -------
    Processor time that was spent on outcomes and their measures, seconds.
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
