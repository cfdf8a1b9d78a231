"""Tables of people in files: CSV and Parquet, and the published data sets as they come.

T-Drive, Cabspotting and Gowalla are lines without a heading, Geolife a folder for each person. A folder is read as one
table; folders of Parquet files that are named like "person=7" give a column each. Sources: see
`trajectory.formats.research` and `trajectory.formats.geolife`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.columns import WHOSE, find_columns, plain
from lmdk_widgets.trajectory.formats.geolife import HEADING_LINES, is_geolife
from lmdk_widgets.trajectory.formats.research import Shape, shape_of
from lmdk_widgets.trajectory.table import find_separator
from lmdk_widgets.trajectory.words import printable

if TYPE_CHECKING:
    from pandas import DataFrame

_BEGINNING = 1 << 16
_PARQUET, _GZIP = b"PAR1", b"\x1f\x8b"
_PLT = {0: "latitude", 1: "longitude", 5: "date", 6: "clock"}
_OF_TAXI = "new_"
"""How the names of Cabspotting's files start; the rest names the taxi."""


Chosen = Mapping[str, int | str]
"""Columns by what they contain: headings, or numbers from 0."""


def read_table(source: str | os.PathLike[str], columns: Chosen | None = None) -> DataFrame:
    """The rows of all people in a file or a folder, with a column for each thing, as `People` reads them.

    Parameters
    ----------
    source : the path of a CSV or Parquet file, of a file of T-Drive, Cabspotting, Gowalla or Geolife, or of a folder of
        files of one of these kinds, with folders in it.
    columns : those that the user has named; names of people and times in a CSV file are texts, as they are written.

    Returns
    -------
    DataFrame
        For CSV and Parquet its own columns. Otherwise `person`, `time`, `latitude`, `longitude`; the times of T-Drive have no
        zone (they are Beijing's), all others are UTC. The name of the file is the person of Cabspotting, that of the folder
        the person of Geolife.

    Raises
    ------
    InputError : there is no such file, it is of no such kind, or it is damaged; pandas is not installed.
    """
    library("pandas", "A table of people")
    path = Path(source)
    files = _files(path)
    first = next((beginning for file in files if (beginning := _beginning(file))), b"")
    if not first:
        raise InputError("a table of people must have at least one row", value=_named(path))
    try:
        return _joined(_parts(_reader(first, columns), path, files))
    except InputError:
        raise
    except Exception as error:  # a damaged file fails in any way
        what = "a table of people must be a CSV or Parquet file, or a published data set"
        raise InputError(what, value=f"{_named(path)}, which cannot be read") from error


def read_content(data: bytes, name: str) -> DataFrame:
    """The rows of all people in the content of one file: as `read_table` reads it, without a file.

    Parameters
    ----------
    data : what is in it. name : of the file, which errors state; it names the person of Cabspotting and Geolife.

    Raises
    ------
    InputError : as `read_table`.
    """
    library("pandas", "A table of people")
    path = Path(PurePath(name).name or "table")
    beginning = data[:_BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not beginning:
        raise InputError("a table of people must have at least one row", value=_named(path))
    try:
        return _reader(beginning)(BytesIO(data), path)
    except InputError:
        raise
    except Exception as error:  # a damaged file fails in any way
        what = "a table of people must be a CSV or Parquet file, or a published data set"
        raise InputError(what, value=f"{_named(path)}, which cannot be read") from error


def read_chunks(source: str | os.PathLike[str], rows: int, columns: Chosen | None = None) -> Iterator[DataFrame]:
    """The same, about so many rows at a time; of a published data set whole files, together if they are short.

    Raises
    ------
    InputError : as `read_table`.
    """
    pandas, path = library("pandas", "A table of people"), Path(source)
    files = [file for file in _files(path) if file.stat().st_size]
    if not files:
        raise InputError("a table of people must have at least one row", value=_named(path))
    first, short = _beginning(files[0]), list[Any]()
    try:
        for file in files:
            if first.startswith(_PARQUET):
                parquet = library("pyarrow.parquet", "A Parquet file", extra="study")
                with parquet.ParquetFile(file) as content:
                    yield from (_of_parquet(batch, file, path) for batch in content.iter_batches(rows))
            elif is_geolife(first) or shape_of(first) is not None:
                short.append(_reader(first)(file, path))
                if file is files[-1] or sum(map(len, short)) >= rows:
                    yield _joined(short)
                    short = []
            else:
                with pandas.read_csv(file, chunksize=rows, **_csv_options(first, columns)) as chunks:
                    yield from chunks
    except InputError:
        raise
    except Exception as error:  # a damaged file fails in any way
        what = "a table of people must be a CSV or Parquet file, or a published data set"
        raise InputError(what, value=f"{_named(path)}, which cannot be read") from error


def size_of(source: str | os.PathLike[str]) -> int:
    """How many bytes the files of a table have."""
    return sum(file.stat().st_size for file in _files(Path(source)))


def _files(path: Path) -> list[Path]:
    """The files to read, sorted; hidden ones and notes beside the data are none."""
    if not path.exists():
        raise InputError("a table of people must be a file or a folder that exists", value=_named(path))
    if not path.is_dir():
        return [path]
    found = [file for file in sorted(path.rglob("*")) if file.is_file() and not _is_beside(file.relative_to(path))]
    suffixes = {file.suffix.lower() for file in found}
    main = next((each for each in (".parquet", ".plt", ".csv", ".txt") if each in suffixes), None)
    if main is None:
        raise InputError(
            "a folder of people must contain files of one kind: .csv, .parquet, .txt or .plt", value=_named(path)
        )
    return [file for file in found if file.suffix.lower() == main]


def _is_beside(path: Path) -> bool:
    return path.name.lower() in ("_cabs.txt", "labels.txt", "readme.txt") or any(
        part.startswith((".", "__")) or part == "_temporary" for part in path.parts
    )


def _beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as content:
            start = content.read(2)
            if start == _GZIP:
                import gzip

                with gzip.open(file) as packed:
                    return packed.read(_BEGINNING)
            return (start + content.read(_BEGINNING)).removeprefix(b"\xef\xbb\xbf").lstrip()
    except (OSError, EOFError) as error:
        remedy = "Check its name and your permission to read it"
        raise InputError(
            "a table of people must be a file that can be opened", value=_named(file), remedy=remedy
        ) from error


Reader = Callable[[Any, Path], "DataFrame"]
"""Reads a file, by its path or open; the second path is that of the whole."""


def _reader(beginning: bytes, columns: Chosen | None = None) -> Reader:
    """How the files are read whose first one begins like this."""
    pandas = library("pandas", "A table of people")
    if beginning.startswith(_PARQUET):
        parquet = library("pyarrow.parquet", "A Parquet file", extra="study")
        return lambda file, whole: _of_parquet(parquet.read_table(file, partitioning=None), file, whole)
    if is_geolife(beginning):
        return _geolife
    shape = shape_of(beginning)
    if shape is not None:
        return lambda file, path: _research(file, shape, path)
    options = _csv_options(beginning, columns)
    return lambda file, _: pandas.read_csv(file, **options)


def _of_parquet(rows: Any, file: Any, whole: Path) -> DataFrame:
    """Rows of a Parquet file, with what the names of its folders say, as in "person=7"."""
    frame = rows.to_pandas(integer_object_nulls=True)  # where one is missing, no other becomes a decimal
    for part in file.relative_to(whole).parts[:-1] if isinstance(file, Path) else ():
        name, is_named, value = part.partition("=")
        if is_named and name not in frame:
            frame[name] = unquote(value)
    return frame


def _csv_options(beginning: bytes, columns: Chosen | None) -> dict[str, Any]:
    """How a CSV file is read that begins like this."""
    text = beginning.decode("utf-8", "replace")
    separator = find_separator(text)
    headings = [heading.strip('"\r') for heading in text.partition("\n")[0].split(separator)]
    found = find_columns(headings)
    given = {value for name, value in (columns or {}).items() if name not in ("latitude", "longitude")}
    chosen = {found.time, found.date} | {plain(value) if isinstance(value, str) else value for value in given}
    # 007 and 7 are two people, "NA" is a name, and how times are read must not depend on the other rows of a chunk
    as_text = {
        heading: str
        for k, heading in enumerate(headings)
        if plain(heading) in WHOSE or k in chosen or plain(heading) in chosen
    }
    how = {"keep_default_na": False, "na_values": [""], "low_memory": False}
    return {"sep": separator, "encoding": "utf-8-sig", "dtype": as_text, **how}


def _parts(reader: Reader, whole: Path, files: Iterable[Path]) -> list[Any]:
    return [reader(file, whole) for file in files if file.stat().st_size]


def _joined(parts: list[Any]) -> DataFrame:
    pandas = library("pandas", "A table of people")
    if len({tuple(part.columns) for part in parts}) > 1:
        raise InputError("the files of a folder must have the same columns", value="other columns in some files")
    return parts[0] if len(parts) == 1 else pandas.concat(parts, ignore_index=True)


def _research(file: Any, shape: Shape, whole: Path) -> DataFrame:
    """A file of lines without a heading."""
    pandas = library("pandas", "A table of people")
    kept = [name for name in shape.headings if name in ("user", "time", "latitude", "longitude")]
    frame = pandas.read_csv(
        file, sep=shape.separator, names=list(shape.headings), header=None, usecols=kept, dtype={"user": str}
    )
    if "user" not in frame:
        frame["user"] = (file if isinstance(file, Path) else whole).stem.removeprefix(_OF_TAXI)
        frame["time"] = pandas.to_datetime(frame["time"], unit="s", utc=True, errors="coerce")
    else:
        frame["time"] = pandas.to_datetime(frame["time"], errors="coerce", format="ISO8601")
    return frame.rename(columns={"user": "person"})[["person", "time", "latitude", "longitude"]]


def _geolife(file: Any, whole: Path) -> DataFrame:
    """A trip of a person, whose folder contains a folder "Trajectory" of trips."""
    pandas = library("pandas", "A table of people")
    frame = pandas.read_csv(file, skiprows=HEADING_LINES, header=None, usecols=list(_PLT), encoding="latin-1")
    frame = frame.rename(columns=_PLT)
    moment = frame["date"].astype(str) + "T" + frame["clock"].astype(str).str.strip()
    frame["time"] = pandas.to_datetime(moment, format="ISO8601", errors="coerce", utc=True)
    alone = not isinstance(file, Path) or file == whole
    frame["person"] = whole.stem if alone else _person_of(file)
    return frame[["person", "time", "latitude", "longitude"]]


def _person_of(trip: Path) -> str:
    return (trip.parent.parent if trip.parent.name.lower() == "trajectory" else trip.parent).resolve().name


def _named(path: Path) -> str:
    return printable(path.name or str(path), 60)
