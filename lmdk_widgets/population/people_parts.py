"""Tables of people that are larger than memory: their rows in parts on disk, then a summary of the people of each part.

A part has all rows of some people, so parts are computed alone, anywhere and in any order: the numbers of a person are the
same to the last bit. A folder keeps the rows by part and each finished summary, and the same call goes on where the last one
stopped. The ends of silences, which few schemes need and which take longer, are found when something asks for them.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.linear.one_thread import one_thread
from lmdk_widgets.population.people_files import BEYOND, PeopleFiles, write_parts
from lmdk_widgets.population.people_places import Places, places_of_people
from lmdk_widgets.population.spread import engine
from lmdk_widgets.population.table_files import size_of
from lmdk_widgets.population.together import left_out_sentences
from lmdk_widgets.trajectory.data_frame import text_of
from lmdk_widgets.trajectory.zones import find_zone
from lmdk_widgets.version import __version__

MANIFEST = "_people.json"
CHUNK_ROWS = 1_000_000
"""How many rows are read at a time."""


Told = Callable[[int, int], Any]


@dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """What is kept of some people: texts that name them, how many rows each has, their places, and what was left out.

    Attributes
    ----------
    names, reports, places, left_out : as of `People`. part : (people,) the part with each one's rows.
    """

    names: np.ndarray
    reports: np.ndarray
    places: Places
    left_out: Mapping[str, int]
    part: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

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
        places = places_of_people(rows, rule, silences=files.silences)
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
    part_of = np.repeat(np.arange(len(parts)), [len(part.names) for part in parts])[order]
    return Summary(names[order], reports, Places(landmarks, at_places, marked, ends), left_out, part_of)


@dataclass(frozen=True, eq=False, repr=False)
class PeopleParts:
    """A table in parts, and who computes them.

    Attributes
    ----------
    files : the rows. found : the summary of all people. notices : sentences about what was done.
    jobs, dask : as in `People.read`.
    """

    files: PeopleFiles
    found: Summary
    notices: Sequence[str]
    jobs: int | None
    dask: str | None

    def with_silences(self) -> Places:
        """The lasting places with the ends of the silences that they leave; finished parts are not computed again. Where the
        cluster is gone, this process computes them."""
        files = replace(self.files, silences=True, key=f"{self.files.key}-silences")
        try:
            return _summaries(files, self.jobs, self.dask, _silently).places
        except InputError:
            if self.dask is None:
                raise
        return _summaries(files, 1, None, _silently).places


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
    progress: Told | None,
    chunk_rows: int,
) -> PeopleParts:
    """Bring the rows of a file or folder together in another folder, and summarise the people of each part."""
    library("pyarrow.parquet", BEYOND, extra="study")
    if not isinstance(rule, (str, Mapping)):
        raise refused("rule", '"stays", "none" or the landmarks of people by name, for a table beyond memory', rule)
    if timezone is not None:
        find_zone(timezone)
    rule = {text_of(name): value for name, value in rule.items()} if isinstance(rule, Mapping) else rule
    about = _about(source, rule, columns, timezone, day_first)
    if folder.resolve() != Path(source).resolve() and folder.resolve().is_relative_to(Path(source).resolve()):
        raise refused("the directory", "outside the folder of the table", str(folder), remedy="Choose another one")
    known, told = _begin(folder, about), progress or _silently
    if "sizes" not in known:
        read: dict[str, Any] = {"columns": columns, "timezone": timezone, "day_first": day_first}
        known |= write_parts(source, folder, chunk_rows=chunk_rows, told=told, **read)
        _write_json(folder / MANIFEST, about | known)
    at = str(folder.resolve())
    key = sha256(json.dumps([about, at]).encode()).hexdigest()[:32]
    files = PeopleFiles(at, tuple(known["sizes"]), rule, known["zone"], key)
    found = _summaries(files, jobs, dask, told)
    if isinstance(rule, Mapping) and (unknown := set(rule) - set(found.names.tolist())):
        raise InputError("rule must name people of the table", value=f"{len(unknown):,} other names")
    left_out = Counter(known["left_out"])
    left_out.update(found.left_out)
    found = replace(found, left_out=dict(left_out))
    return PeopleParts(files, found, [*known["notices"], *left_out_sentences(left_out)], jobs, dask)


def _silently(done: int, parts: int) -> None:
    """Tell nobody."""


def _summaries(files: PeopleFiles, jobs: int | None, dask: str | None, told: Told) -> Summary:
    """The summaries of all parts; those that are there are not computed again."""
    kind = "silences" if files.silences else "part"
    paths = [Path(files.folder, f"{kind}-{part:05}.npz") for part in range(files.parts)]
    found = {part: there for part, path in enumerate(paths) if (there := Summary.read(path)) is not None}
    missing = [part for part in range(files.parts) if part not in found]
    told(len(found), files.parts)
    for part, made in engine(compute_people, files, missing, jobs, dask) if missing else ():
        made.write(paths[part])
        found[part] = made
        told(len(found), files.parts)
    return merged([found[part] for part in range(files.parts)])


def _about(source: Any, rule: Any, columns: Any, timezone: str | None, day_first: bool | None) -> dict[str, Any]:
    """What makes the work in a folder this work."""
    path = Path(source)
    size = size_of(path)
    return {
        "format": "lmdk-widgets people",
        "package": __version__,
        "table": str(path.resolve()),
        "bytes": size,
        "changed": max(file.stat().st_mtime for file in (path.rglob("*") if path.is_dir() else [path])),
        "rule": rule if isinstance(rule, str) else _digest(rule),
        "columns": dict(columns or {}),
        "timezone": timezone,
        "day_first": day_first,
    }


def _digest(rule: Mapping[str, Any]) -> str:
    """A text that differs for other landmarks."""
    found = sha256()
    for name, chosen in sorted(rule.items()):
        values = np.asarray(chosen, None if isinstance(chosen, np.ndarray) else object)
        # the text of a long array would leave out its middle
        found.update(repr((name, values.dtype.str, values.tolist())).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def _begin(folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """What an earlier call has finished in the folder: nothing in a new one, or where the rows were not all written.

    Raises
    ------
    InputError : the folder contains something else.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = [*folder.glob(".*.tmp")]  # of a process that was killed while it wrote
        names = {file.name for file in folder.iterdir()} - {file.name for file in unfinished}
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
    for file in unfinished:
        with suppress(OSError):
            file.unlink()
    return {name: value for name, value in there.items() if name not in about}


def _write_json(path: Path, what: Mapping[str, Any]) -> None:
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.write_text(json.dumps(what, indent=1), "utf-8")
    unfinished.replace(path)
