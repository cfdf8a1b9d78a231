"""The parts of a study: what is stored of each, in memory or as files, and how a damaged file is found.

Next to the files, `_parts.txt` has their digests: a part that was cut, emptied or changed is computed again. A line is added
before its part appears, so a stopped run leaves no part without a line. Only whole lines count, and of several for one part
the last.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError, install
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.words import counted

MANIFEST = "_study.json"
"""Says which study is in a directory. Parquet readers ignore names that start with an underscore."""

FILE = "_parts.txt"
"""Parquet readers ignore names that start with an underscore."""

_LINE = re.compile(r"(\S+) ([0-9a-f]{64}) (\d{1,18})")

MOST_NAMED = 5
"""How many damaged parts are named in a sentence."""

INSTALL = f"Install what studies need: {install('study')}"


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


class Parted(Protocol):
    """What is known of a study where its parts are stored; a `Study` has all of it."""

    @property
    def about(self) -> dict[str, Any]:
        """What makes it this study."""

    @property
    def measures(self) -> Sequence[str]:
        """The names of its measures."""

    @property
    def parts(self) -> int:
        """The number of parts."""

    def rows(self, part: int) -> range:
        """The evaluations in a part."""

    def frame(self, rows: range, values: Floats, refused: Iterable[str]) -> Any:
        """A part as a data frame."""


class Keeper(Protocol):
    """Where finished parts are stored."""

    def done(self) -> set[int]:
        """The parts that are stored, as they were put there."""

    def put(self, part: int, found: Part) -> None:
        """Store a finished part."""

    def get(self, part: int) -> Part:
        """A stored part."""


class Digests:
    """The digests and numbers of rows of the files in a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / FILE

    def add(self, name: str, content: bytes, rows: int) -> None:
        """Record a file that is about to appear."""
        with self._path.open("ab+") as file:
            file.seek(0)
            torn = not (file.read() or b"\n").endswith(b"\n")
            file.write(f"{chr(10) * torn}{name} {sha256(content).hexdigest()} {rows}\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def fault(self, name: str, rows: int, known: dict[str, tuple[str, int]]) -> str:
        """Why a file is not the one that was written, or ""; `rows` is how many it must have, `known` from `read`."""
        content = (self._directory / name).read_bytes()
        if not content:
            return "empty"
        if name not in known:
            return "without a digest"
        digest, written = known[name]
        return "" if sha256(content).hexdigest() == digest and written == rows else "changed"

    def read(self) -> dict[str, tuple[str, int]]:
        """The digest and the number of rows of each file."""
        try:
            lines = self._path.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return {}
        found = filter(None, map(_LINE.fullmatch, lines))
        return {line[1]: (line[2], int(line[3])) for line in found}

    def clear(self) -> None:
        """Forget all."""
        self._path.unlink(missing_ok=True)


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

    Attributes
    ----------
    damaged : the names of parts that were not as they were written, each with what is wrong; they are computed again.
    """

    def __init__(self, path: str | os.PathLike[str], study: Parted, *, resume: bool = True) -> None:
        if find_spec("pyarrow") is None:
            what = "Results must be kept as Parquet files, which need pyarrow"
            raise InputError(what, remedy=f"{INSTALL}. In Python, run(None) keeps them in memory")
        self.path, self.study = Path(path), study
        self.damaged: dict[str, str] = {}
        self._digests = Digests(self.path)
        self._open(resume)

    def _open(self, resume: bool) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            names = {file.name for file in self.path.iterdir() if not _UNFINISHED.fullmatch(file.name)}
        except OSError as error:
            raise refused("the directory", "one that can be written to", str(self.path), remedy=str(error)) from None
        if MANIFEST in names or not names:
            self._clean(everything=not resume)
        if MANIFEST in names:
            if resume:
                self._compare()
        elif names:
            raise refused("the directory", "empty or contain a study", str(self.path), remedy="Choose another one")
        self._write(MANIFEST, json.dumps(self.study.about, indent=1).encode())

    def _compare(self) -> None:
        """Refuse to continue if the directory contains a different study."""
        try:
            there = dict(json.loads((self.path / MANIFEST).read_text("utf-8")))
        except (ValueError, TypeError, RecursionError):
            there = {}
        for name, value in json.loads(json.dumps(self.study.about)).items():
            if there.get(name) != value:
                what = "To continue, the directory must contain the same study"
                remedy = "Choose another directory, or start again. In Python: resume=False"
                raise InputError(what, value=f"a study that differs in its {_NAMES.get(name, name)}", remedy=remedy)

    def _clean(self, *, everything: bool) -> None:
        """Remove partly written files, or everything that a study leaves."""
        for file in self.path.glob(".*.tmp"):
            file.unlink()
        if everything:
            self._digests.clear()
            for file in self.path.glob("part-*.parquet"):
                if _PART.fullmatch(file.name):
                    file.unlink()

    def _write(self, name: str, content: bytes) -> None:
        """Write a file atomically: even after a power failure, it is either complete or absent."""
        unfinished = self.path / f".{name}.{os.getpid()}.tmp"
        try:
            with unfinished.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if _PART.fullmatch(name):
                self._digests.add(name, content, len(self.study.rows(int(name[5:13]))))
            unfinished.replace(self.path / name)
        except OSError as error:
            remedy = "Free some space and run again. Finished parts are kept"
            raise InputError(
                "The directory must have room for the results", value=error.strerror, remedy=remedy
            ) from None

    def _name(self, part: int) -> str:
        return f"part-{part:08}.parquet"

    def done(self) -> set[int]:
        """The parts that are there, as they were written: every byte is read.

        Raises
        ------
        InputError : a Parquet file that is not a part of this study, which readers of the directory would read too.
        """
        known, found = self._digests.read(), set[int]()
        for name in sorted(file.name for file in self.path.glob("*.parquet")):
            number = _PART.fullmatch(name)
            part = int(number[1]) if number else self.study.parts
            if part >= self.study.parts:
                what = "The directory must contain no Parquet files but the parts of this study"
                raise InputError(what, value=name, remedy="Move it elsewhere")
            if fault := self._digests.fault(name, len(self.study.rows(part)), known):
                self.damaged[name] = fault
            else:
                found.add(part)
        return found

    def put(self, part: int, found: Part) -> None:
        frame = self.study.frame(self.study.rows(part), found.values, found.refused)
        self._write(self._name(part), frame.to_parquet(engine="pyarrow", index=False))

    def get(self, part: int) -> Part:
        from pyarrow.parquet import ParquetFile

        names, rows = [*self.study.measures, "refused"], self.study.rows(part)
        try:
            with ParquetFile(self.path / self._name(part)) as file:
                table = file.read(columns=names)
        except (OSError, ValueError):
            what = "A part of the study must not be changed"
            raise InputError(what, value=self._name(part), remedy="Run again, which computes it again") from None
        if table.num_rows != len(rows):
            raise InputError("A part of the study must not be changed", value=self._name(part), remedy="Run again")
        values = np.column_stack([table[name].to_numpy() for name in self.study.measures])
        return Part(values, tuple(table["refused"].to_pylist()))


_PART = re.compile(r"part-(\d{8})\.parquet")
_UNFINISHED = re.compile(r"\.(_study\.json|part-\d{8}\.parquet)\.\d+\.tmp")
_NAMES = {"rows_a_part": "size of parts", "package": "version of lmdk_widgets", "format": "kind of file"}


def again(damaged: Mapping[str, str]) -> str:
    """Which parts were damaged and are computed again, in a sentence."""
    some = [f"{name} ({fault})" for name, fault in list(damaged.items())[:MOST_NAMED]]
    more = [f"{len(damaged) - len(some):,} more"] if len(damaged) > len(some) else []
    were = "was not as it was written, and is" if len(damaged) == 1 else "were not as they were written, and are"
    return f"{counted(len(damaged), 'part')} {were} computed again: {', '.join(some + more)}."
