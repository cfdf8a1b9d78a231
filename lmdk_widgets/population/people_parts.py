"""Tables of people that are larger than memory: one shuffle into parts on disk, then a summary of the people of each part.

A part has all rows of some people, chosen by a hash of their names, so parts are computed alone, anywhere and in any order:
the numbers of a person are the same to the last bit. A folder keeps the rows by part and each finished summary, and the same
call goes on where the last one stopped.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.population.people_places import Places, places_of_people
from lmdk_widgets.population.spread import engine, one_thread
from lmdk_widgets.population.table_files import read_chunks, size_of
from lmdk_widgets.population.together import (
    MOST_LISTED,
    Cleaned,
    Rows,
    check_left_out,
    cleaned,
    kind_of_reason,
    layout_of,
    left_out_sentences,
    sorted_rows,
)
from lmdk_widgets.trajectory.data_frame import as_frame
from lmdk_widgets.trajectory.zones import find_zone
from lmdk_widgets.version import __version__

MANIFEST = "_people.json"
CHUNK_ROWS = 1_000_000
"""How many rows are read at a time."""

PART_BYTES = 8_000_000
"""About how many bytes of the table make a part."""

MOST_PARTS = 1_000


@dataclass(frozen=True)
class PeopleFiles:
    """Where the rows and the summaries of a table are.

    Attributes
    ----------
    folder : which workers must be able to read. parts : how many there are. rule : "stays" or "none", or landmarks by name.
    zone : of the times. key : differs for other tables and rules.
    """

    folder: str
    parts: int
    rule: Any
    zone: str
    key: str

    def part_of(self, name: str) -> int:
        """The part with a person's rows."""
        return crc32(name.encode()) % self.parts

    def of(self, part: int) -> Rows:
        """The rows of a part, brought together."""
        arrays = library("pyarrow.parquet", "A table of people beyond memory", extra="study")
        files = sorted(Path(self.folder, "rows").glob(f"*-{part:05}.parquet"))
        tables = [arrays.read_table(file) for file in files]
        texts = np.concatenate([table["person"].to_numpy() for table in tables] or [np.zeros(0, str)]).astype(str)
        names, codes = np.unique(texts, return_inverse=True)
        columns = (
            np.concatenate([table[name].to_numpy() for table in tables] or [np.zeros(0)])
            for name in ("latitude", "longitude", "time")
        )
        latitude, longitude, time = columns
        found = Cleaned(names, codes.ravel(), latitude, longitude, time.astype("datetime64[ns]"), {}, ())
        return sorted_rows(found, self.zone, Counter())


@dataclass(frozen=True, eq=False)
class Summary:
    """What is kept of some people."""

    names: np.ndarray
    reports: np.ndarray
    places: Places
    left_out: Mapping[str, int]

    def write(self, path: Path) -> None:
        """Write it so that it is complete or absent."""
        keys = list(self.places.ends)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        arrays = {
            "names": self.names,
            "reports": self.reports,
            "landmarks": self.places.landmarks,
            "at_places": self.places.reports,
            "marked": self.places.marked,
            "keys": np.array(keys, np.int64).reshape(-1, 2),
            "sizes": np.array([len(self.places.ends[key]) for key in keys], np.int64),
            "ends": np.concatenate([self.places.ends[key] for key in keys] or [np.zeros((0, 2))]),
            "left_out": np.array(json.dumps(dict(self.left_out))),
        }
        with unfinished.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> Summary | None:
        """What was written; None where it is absent or damaged."""
        try:
            with np.load(path, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
            keys = [(person, place) for person, place in found["keys"].tolist()]
            ends = dict(zip(keys, np.split(found["ends"], np.cumsum(found["sizes"])[:-1]), strict=bool(keys)))
            places = Places(found["landmarks"], found["at_places"], found["marked"], ends)
            return cls(found["names"], found["reports"], places, json.loads(str(found["left_out"])))
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
            return None


def compute_people(files: PeopleFiles, part: int) -> Summary:
    """The summary of the people in a part."""
    rows = files.of(part)
    rule = files.rule
    if isinstance(rule, Mapping):
        there = set(rows.names.tolist())
        rule = {name: value for name, value in rule.items() if name in there}
    with one_thread():
        places = places_of_people(rows, rule, silences=True)
    return Summary(rows.names, rows.reports, places, rows.left_out)


def merged(parts: Sequence[Summary]) -> Summary:
    """The people of all parts, sorted by name."""
    names = np.concatenate([part.names for part in parts])
    order = np.argsort(names, kind="stable")
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    before = np.cumsum([0, *(len(part.names) for part in parts)])
    ends = {
        (int(back[start + person]), place): points
        for start, part in zip(before, parts, strict=False)
        for (person, place), points in part.places.ends.items()
    }
    landmarks, at_places, marked = (
        np.concatenate([getattr(part.places, name) for part in parts])[order]
        for name in ("landmarks", "reports", "marked")
    )
    left_out: Counter[str] = Counter()
    for part in parts:
        left_out.update(part.left_out)
    reports = np.concatenate([part.reports for part in parts])[order]
    return Summary(names[order], reports, Places(landmarks, at_places, marked, ends), left_out)


def read_people(
    source: str | os.PathLike[str],
    folder: Path,
    *,
    rule: Any,
    columns: Mapping[str, int | str] | None,
    timezone: str | None,
    day_first: bool | None,
    jobs: int | None,
    dask: str | None,
    progress: Callable[[int, int], Any] | None,
    chunk_rows: int,
) -> tuple[PeopleFiles, Summary, list[str]]:
    """Bring the rows of a file or folder together in another folder, and summarise the people of each part.

    Returns
    -------
    where the rows are, the summary of all people, and sentences about what was done.
    """
    library("pyarrow.parquet", "A table of people beyond memory", extra="study")
    if not isinstance(rule, (str, Mapping)):
        raise refused("rule", '"stays", "none" or the landmarks of people by name, for a table beyond memory', rule)
    if timezone is not None:
        find_zone(timezone)
    rule = {str(name): value for name, value in rule.items()} if isinstance(rule, Mapping) else rule
    about = _about(source, rule, columns, timezone, day_first)
    known = _begin(folder, about)
    if "left_out" not in known:
        known |= _shuffle(Path(source), folder, columns, timezone, day_first, chunk_rows)
        _write_json(folder / MANIFEST, about | known)
    key = sha256(json.dumps(about).encode()).hexdigest()[:32]
    files = PeopleFiles(str(folder.resolve()), known["parts"], rule, timezone or "", key)
    found = _summaries(files, folder, jobs, dask, progress)
    left_out = Counter(known["left_out"])
    left_out.update(found.left_out)
    said = [*known["notices"], *left_out_sentences(left_out)]
    if isinstance(rule, Mapping) and (unknown := set(rule) - set(found.names.tolist())):
        raise InputError("rule must name people of the table", value=f"{len(unknown):,} other names")
    return files, Summary(found.names, found.reports, found.places, dict(left_out)), said


def _summaries(
    files: PeopleFiles, folder: Path, jobs: int | None, dask: str | None, progress: Callable[[int, int], Any] | None
) -> Summary:
    """The summaries of all parts; those that are there are not computed again."""
    paths = [folder / f"part-{part:05}.npz" for part in range(files.parts)]
    found = {part: there for part, path in enumerate(paths) if (there := Summary.read(path)) is not None}
    missing = [part for part in range(files.parts) if part not in found]
    if progress is not None:
        progress(len(found), files.parts)
    for part, made in engine(compute_people, files, missing, jobs, dask) if missing else ():
        made.write(paths[part])
        found[part] = made
        if progress is not None:
            progress(len(found), files.parts)
    return merged([found[part] for part in range(files.parts)])


def _about(source: Any, rule: Any, columns: Any, timezone: str | None, day_first: bool | None) -> dict[str, Any]:
    """What makes the work in a folder this work."""
    path = Path(source)
    size = size_of(path)
    told = rule if isinstance(rule, str) else sha256(repr(sorted(rule.items())).encode()).hexdigest()
    return {
        "format": "lmdk-widgets people",
        "package": __version__,
        "table": str(path.resolve()),
        "bytes": size,
        "changed": max(file.stat().st_mtime for file in (path.rglob("*") if path.is_dir() else [path])),
        "rule": told,
        "columns": dict(columns or {}),
        "timezone": timezone,
        "day_first": day_first,
    }


def _begin(folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """What an earlier call has finished in the folder: nothing in a new one, or where the rows were not all written.

    Raises
    ------
    InputError : the folder contains something else.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {file.name for file in folder.iterdir()}
    except OSError as error:
        raise refused("the directory", "one that can be written to", str(folder), remedy=str(error)) from None
    if not names:
        _write_json(folder / MANIFEST, about)
        return {}
    try:
        there = dict(json.loads((folder / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise refused(
            "the directory", "empty or contain the same table", str(folder), remedy="Choose another one"
        ) from None
    if any(there.get(name) != value for name, value in about.items()):
        what = "To continue, the directory must contain the same table, read in the same way"
        raise InputError(what, value="another table or rule", remedy="Choose another directory, or remove this one")
    return {name: value for name, value in there.items() if name not in about}


def _write_json(path: Path, what: Mapping[str, Any]) -> None:
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.write_text(json.dumps(what, indent=1), "utf-8")
    unfinished.replace(path)


def _shuffle(
    source: Path,
    folder: Path,
    columns: Mapping[str, int | str] | None,
    timezone: str | None,
    day_first: bool | None,
    chunk_rows: int,
) -> dict[str, Any]:
    """Write the usable rows by part, chunk by chunk."""
    shutil.rmtree(folder / "rows", ignore_errors=True)
    (folder / "rows").mkdir()
    parts = max(1, min(MOST_PARTS, -(-size_of(source) // PART_BYTES)))
    reasons: dict[int, str] = {}
    left_out: Counter[str] = Counter()
    total, notices, headings = 0, dict[str, None](), None
    for number, chunk in enumerate(read_chunks(source, chunk_rows)):
        frame, zone = as_frame(chunk)
        if headings is None:
            headings = [str(name) for name in frame.columns]
            layout = layout_of(headings, columns)
        if [str(name) for name in frame.columns] != headings:
            raise InputError("the files of a folder must have the same columns", value="other columns in some files")
        found = cleaned(frame, layout, timezone or zone or None, day_first)
        left_out.update(map(kind_of_reason, found.reasons.values()))
        for row in sorted(found.reasons)[: MOST_LISTED - len(reasons)]:
            reasons[total + row] = found.reasons[row]
        total += len(frame)
        notices |= dict.fromkeys(found.notices)
        _write_rows(found, folder / "rows", number, parts)
    if not total:
        raise InputError("A table of people must have at least one row", value="none")
    check_left_out(reasons, left_out.total(), total)
    return {"parts": parts, "left_out": dict(left_out), "notices": list(notices)}


def _write_rows(found: Cleaned, folder: Path, number: int, parts: int) -> None:
    """The rows of a chunk, each in the file of its person's part."""
    pyarrow = library("pyarrow", "A table of people beyond memory", extra="study")
    parquet = library("pyarrow.parquet", "A table of people beyond memory", extra="study")
    part_of = np.array([crc32(name.encode()) % parts for name in found.names.tolist()], np.int64)
    part = part_of[found.codes]
    order = np.argsort(part, kind="stable")
    edges = np.searchsorted(part[order], np.arange(parts + 1))
    for k in np.flatnonzero(np.diff(edges)).tolist():
        rows = order[edges[k] : edges[k + 1]]
        columns = {
            "person": pyarrow.array(found.names[found.codes[rows]]),
            "latitude": found.latitude[rows],
            "longitude": found.longitude[rows],
            "time": found.time[rows].astype(np.int64),
        }
        parquet.write_table(pyarrow.table(columns), folder / f"{number:06}-{k:05}.parquet")
