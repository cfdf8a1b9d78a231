"""The parts of a study: what is computed at once, and where finished parts are kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from time import thread_time
from typing import Protocol

import numpy as np

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.extras import install
from lmdk_widgets.geo import Floats
from lmdk_widgets.study.model import Study

MANIFEST = "_study.json"
"""Says which study a directory holds. Readers of Parquet pass over names with an underscore."""

INSTALL = f"Install what studies need: {install('study')}"


@dataclass(frozen=True, eq=False)
class Part:
    """Evaluations in a row.

    Attributes
    ----------
    values : (rows, measures). refused : why a row cannot be evaluated, or "".
    busy_s : processor time that was spent on outcomes and their measures, seconds.
    """

    values: Floats
    refused: tuple[str, ...]
    busy_s: float = 0.0


class Keeper(Protocol):
    """Where finished parts are kept."""

    def done(self) -> set[int]:
        """Parts that are there."""

    def put(self, part: int, found: Part) -> None:
        """Keep a finished part."""

    def get(self, part: int) -> Part:
        """A part that is there."""


def compute(study: Study, part: int) -> Part:
    """One part, in this process.

    Linear algebra runs in one thread: with several the last digits could depend on their number.
    """
    same = _first_equal(study)
    values, reasons, busy = [], [], 0.0
    with _one_thread():
        for k in same.rows(part):
            scenario, track = same.scenario(k)
            start = thread_time()
            numbers, reason = same.measured(scenario, track)
            busy += thread_time() - start
            values.append(numbers)
            reasons.append(reason)
    return Part(np.array(values), tuple(reasons), busy)


@lru_cache(maxsize=1)
def _first_equal(study: Study) -> Study:
    """The study as this process got it first, so that what is kept by track and chain is found again."""
    return study


def _one_thread() -> AbstractContextManager[object]:
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


class Memory:
    """Keeps parts while the process lives."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}

    def done(self) -> set[int]:
        return set(self._parts)

    def put(self, part: int, found: Part) -> None:
        self._parts[part] = found

    def get(self, part: int) -> Part:
        return self._parts[part]


class Directory:
    """Keeps each part as a Parquet file, which appears when it is complete.

    Raises
    ------
    InputError : without pyarrow; where there is something else than this study.
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
            raise refused("the directory", "empty, or hold a study", str(self.path), remedy="Choose another one")
        self._write(MANIFEST, json.dumps(self.study.about, indent=1).encode())

    def _compare(self) -> None:
        """Refuse to go on with another study than the one that is there."""
        try:
            there = dict(json.loads((self.path / MANIFEST).read_text("utf-8")))
        except ValueError:
            there = {}
        for name, value in json.loads(json.dumps(self.study.about)).items():
            if there.get(name) != value:
                what = "The directory must hold the same study to go on with it"
                remedy = "Choose another directory, or begin anew. In Python: resume=False"
                raise InputError(what, value=f"another {_NAMES.get(name, name)} there", remedy=remedy)

    def _clean(self, *, everything: bool) -> None:
        """Remove what was cut off while it was written, or all that a study leaves."""
        for pattern in (".*.tmp", *(("part-*.parquet",) if everything else ())):
            for file in self.path.glob(pattern):
                file.unlink()

    def _write(self, name: str, content: bytes) -> None:
        """Write a file so that it is there whole or not at all, whenever the power fails."""
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
            what = "A part of the study must be as it was written"
            remedy = f"Remove it and run again: {error}"
            raise InputError(what, value=self._name(part), remedy=remedy) from None
        assert table.num_rows == len(rows)
        values = np.column_stack([table[name].to_numpy() for name in self.study.measures])
        return Part(values, tuple(table["refused"].to_pylist()))


_NAMES = {"rows_a_part": "size of parts", "package": "version of lmdk_widgets", "format": "kind of file"}


def gathered(study: Study, keeper: Keeper) -> Iterator[Part]:
    """All parts of a finished study, in order."""
    return (keeper.get(part) for part in range(study.parts))
