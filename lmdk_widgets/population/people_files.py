"""The rows of a table that may be larger than memory, in files: a part has all rows of some people.

A table whose rows are together by person, whatever the order of people and times, is cut into parts as it is read. Any other
one is shuffled: a person's part is a hash of the name. Nobody has to say which it is: the first person whose rows come back
after somebody else's shows it, and the reading starts again.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.population.table_files import read_chunks, size_of
from lmdk_widgets.population.together import (
    MOST_LISTED,
    Cleaned,
    Rows,
    check_left_out,
    cleaned,
    clock_sentences,
    kind_of_reason,
    layout_of,
    nowhere_sentences,
    sorted_rows,
    zone_of,
)
from lmdk_widgets.trajectory.data_frame import as_frame

PART_BYTES = 8_000_000
"""About how many bytes of the table make a part."""

ROW_BYTES = 48
"""About how many bytes of the table make a row."""

MOST_PARTS = 1_000
"""The most parts of a table that is shuffled."""

BEYOND = "A table of people beyond memory"

Told = Callable[[int, int], Any]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class PeopleFiles:
    """Where the rows of a table are, and what is computed of them.

    Attributes
    ----------
    folder : which workers must be able to read. sizes : how many rows each part has.
    rule : "stays" or "none", or landmarks by name. zone : of the times. key : differs for other tables, rules and folders.
    silences : whether what is computed includes the ends of silences.
    """

    folder: str = field(repr=False)
    sizes: tuple[int, ...]
    rule: Any = field(repr=False)
    zone: str
    key: str
    silences: bool = False

    @property
    def parts(self) -> int:
        return len(self.sizes)

    def of(self, part: int) -> Rows:
        """The rows of a part, brought together.

        Raises
        ------
        InputError : not all of them are there, as for a worker that cannot read the folder.
        """
        parquet = library("pyarrow.parquet", BEYOND, extra="study")
        files = sorted(Path(self.folder, "rows").glob(f"*-{part:05}.parquet"))
        try:
            tables = [parquet.read_table(file, read_dictionary=["person"]) for file in files]
        except (OSError, ValueError):
            tables = []
        if sum(map(len, tables)) != self.sizes[part]:
            what = "the directory must contain all rows of the table, and each worker must be able to read it"
            raise InputError(what, value="a part with missing rows", remedy="Start again in an empty directory")
        people = [table["person"].unify_dictionaries().combine_chunks() for table in tables]
        before = np.cumsum([0, *(len(one.dictionary) for one in people)])
        texts = np.concatenate([np.zeros(0, str), *(one.dictionary.to_numpy(False).astype(str) for one in people)])
        names, which = np.unique(texts, return_inverse=True)
        numbers = [one.indices.to_numpy() + start for one, start in zip(people, before, strict=False)]
        codes = which.ravel()[np.concatenate([np.zeros(0, np.int64), *numbers])]
        latitude, longitude, time = (
            np.concatenate([np.zeros(0, kind), *(table[name].to_numpy() for table in tables)])
            for name, kind in (("latitude", float), ("longitude", float), ("time", np.int64))
        )
        found = Cleaned(names, codes, latitude, longitude, time.view("datetime64[ns]"))
        return sorted_rows(found, self.zone, Counter())


def write_parts(
    source: str | os.PathLike[str],
    folder: Path,
    *,
    columns: Mapping[str, int | str] | None,
    timezone: str | None,
    day_first: bool | None,
    chunk_rows: int,
    told: Told,
) -> dict[str, Any]:
    """Write the usable rows of a table by part, chunk by chunk.

    Parameters
    ----------
    told : is called with 0 and about how many parts there will be, for each chunk.

    Returns
    -------
    dict : what JSON can store: the "sizes" of the parts, the "zone", the "notices", and how many rows are "left_out".
    """
    how: dict[str, Any] = {"columns": columns, "timezone": timezone, "day_first": day_first, "chunk_rows": chunk_rows}
    parts = max(1, min(MOST_PARTS, -(-size_of(source) // PART_BYTES)))
    for assigned in (_Together(max(1, PART_BYTES // ROW_BYTES)).parts_of, _hashed(parts)):
        shutil.rmtree(folder / "rows", ignore_errors=True)
        (folder / "rows").mkdir()
        written = _Written(folder / "rows", assigned)
        if _write_chunks(source, written, told=lambda: told(0, parts), **how):
            break
    return written.known()


class _Written:
    """What has been written, chunk by chunk.

    Parameters
    ----------
    folder : of the files. assigned : from the rows of a chunk to the part of each; None if they cannot be assigned.
    """

    def __init__(self, folder: Path, assigned: Callable[[Cleaned], Codes | None]) -> None:
        self.folder, self.assigned = folder, assigned
        self.sizes, self.left_out = Counter[int](), Counter[str]()
        self.reasons: dict[int, str] = {}
        self.notices: dict[str, None] = {}
        self.chunks, self.total, self.nowhere, self.changes = 0, 0, 0, (0, 0)
        self.zone: str | None = None

    def add(self, found: Cleaned, count: int) -> bool:
        """Write a chunk's rows, of `count` that were read; False if they cannot be assigned."""
        part = self.assigned(found)
        if part is None:
            return False
        self.left_out.update(map(kind_of_reason, found.reasons.values()))
        for row in sorted(found.reasons)[: MOST_LISTED - len(self.reasons)]:
            self.reasons[self.total + row] = found.reasons[row]
        self.notices |= dict.fromkeys(found.notices)
        self.changes = self.changes[0] + found.changes[0], self.changes[1] + found.changes[1]
        self.total, self.nowhere = self.total + count, self.nowhere + found.nowhere
        self._write(found, part)
        self.chunks += 1
        return True

    def _write(self, found: Cleaned, part: Codes) -> None:
        pyarrow, parquet = (library(name, BEYOND, extra="study") for name in ("pyarrow", "pyarrow.parquet"))
        order = np.argsort(part, kind="stable")
        numbers, starts = np.unique(part[order], return_index=True)
        for k, rows in zip(numbers.tolist(), np.split(order, starts[1:]), strict=False):
            people, which = np.unique(found.codes[rows], return_inverse=True)
            names = pyarrow.array(found.names[people].tolist(), pyarrow.string())
            columns = {
                "person": pyarrow.DictionaryArray.from_arrays(which.ravel().astype(np.int32), names),
                "latitude": found.latitude[rows],
                "longitude": found.longitude[rows],
                "time": found.time[rows].astype(np.int64),
            }
            file = self.folder / f"{self.chunks:06}-{k:05}.parquet"
            parquet.write_table(pyarrow.table(columns), file, use_dictionary=["person"])
            self.sizes[k] += len(rows)

    def known(self) -> dict[str, Any]:
        """What JSON can store of it."""
        return {
            "sizes": [self.sizes[part] for part in range(max(self.sizes, default=0) + 1)],
            "zone": self.zone or "",
            "left_out": dict(self.left_out),
            "notices": [
                *self.notices,
                *clock_sentences(self.changes, self.zone or ""),
                *nowhere_sentences(self.nowhere, self.sizes.total()),
            ],
        }


def _write_chunks(
    source: str | os.PathLike[str],
    written: _Written,
    *,
    columns: Mapping[str, int | str] | None,
    timezone: str | None,
    day_first: bool | None,
    chunk_rows: int,
    told: Callable[[], Any],
) -> bool:
    """Read and write all chunks; False, at the first chunk that cannot be assigned."""
    layout, unit = None, ""
    for chunk in read_chunks(source, chunk_rows, columns):
        told()
        frame, named = as_frame(chunk)
        headings = [str(name) for name in frame.columns]
        layout = layout or layout_of(headings, columns)
        if list(layout.headings) != headings:
            raise InputError("the files of a folder must have the same columns", value="other columns in some files")
        zone = zone_of(frame, layout, timezone, named)
        written.zone = zone if written.zone in (None, zone) else ""
        found = cleaned(frame, layout, timezone or named or None, day_first)
        day_first = found.day_first if day_first is None else day_first
        unit = unit or found.unit
        if found.unit not in ("", unit):
            raise InputError("the times of a table must be in one unit", value=f"{unit} and {found.unit}")
        if not written.add(found, len(frame)):
            return False
    if not written.total:
        raise InputError("A table of people must have at least one row", value="none")
    check_left_out(written.reasons, written.left_out.total(), written.total)
    return True


def _hashed(parts: int) -> Callable[[Cleaned], Codes]:
    """Which part each row belongs to by a hash of its person's name."""

    def assigned(found: Cleaned) -> Codes:
        part_of = np.array([crc32(name.encode()) % parts for name in found.names.tolist()], np.int64)
        return part_of[found.codes]

    return assigned


class _Together:
    """Which part each row belongs to, while each person's rows are together: a part ends with the person who fills it.

    Parameters
    ----------
    enough : rows that fill a part.
    """

    def __init__(self, enough: int) -> None:
        self.enough, self.part, self.rows = enough, 0, 0
        self.last, self.seen = "", set[str]()

    def parts_of(self, found: Cleaned) -> Codes | None:
        """(rows,) the part of each row of the next chunk; None if somebody's rows come back after another person's."""
        starts = np.flatnonzero(np.diff(found.codes, prepend=-1))
        if len(starts) > len(found.names):
            return None
        sizes = np.diff(starts, append=len(found.codes)).tolist()
        part = []
        for name, size in zip(found.names[found.codes[starts]].tolist(), sizes, strict=True):
            if name != self.last and name in self.seen:
                return None
            if name != self.last and self.rows >= self.enough:
                self.part, self.rows = self.part + 1, 0
            self.last, self.rows = name, self.rows + size
            self.seen.add(name)
            part.append(self.part)
        return np.repeat(np.array(part, np.int64), sizes)
