"""Files that hold another: an archive its readable file, or several tracks; an export of a program the table of one series.

Each kind is a line in `KINDS`. Nothing is written to disk, and the names in an archive are only compared.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import PurePath
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.exports import EXPORTS
from lmdk_widgets.trajectory.formats import SUFFIXES
from lmdk_widgets.trajectory.source import Contents, Source, read_source
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.workbook import table_in

MOST_FILES = 400
"""The most files that are read as one."""
MOST_ENTRIES, MOST_BYTES, MOST_RATIO = 1_000, 128 << 20, 100
"""Of an archive: files in it, and bytes unpacked, in all and for each packed one."""
UPLOADED = f"{SUFFIXES},.xlsx,.kmz,.zip,.gz,.xml"
"""What a page's upload buttons offer."""
_SLACK = 1 << 20  # small files may be packed more tightly
_READABLE = (*SUFFIXES.split(","), ".xml")
_ZIP, _GZIP, _WORKBOOK = b"PK\x03\x04", b"\x1f\x8b", b"[Content_Types].xml"


def open_source(source: Source | Contents) -> Contents:
    """The contents of a path, bytes or file object, or what is in them.

    Raises
    ------
    InputError : as `read_source`; an archive that is too large or damaged, or has no readable file, or several; an export
        that is damaged, or has no series.
    """
    if isinstance(source, (list, tuple)) and all(isinstance(each, (str, os.PathLike)) for each in source):
        return _listed(source)
    file = source if isinstance(source, Contents) else read_source(source)
    if file.data.startswith((_ZIP, _GZIP)) and not isinstance(source, Contents):
        file = _unpacked(file)
    export = next((export for export in EXPORTS if export.recognises(file)), None)
    return file if export is None else replace(file, data=export.table(file).encode(), is_text=True, format=export.name)


def _listed(sources: Sequence[Any]) -> Contents:
    """Several files, which are read as one."""
    if not 0 < len(sources) <= MOST_FILES:
        raise InputError(f"One to {MOST_FILES} files can be joined", value=f"{len(sources):,}")
    first, *rest = (open_source(source) for source in sources)
    if any(each.more for each in (first, *rest)):
        raise InputError("An archive of several files must not be joined with others", remedy="Unpack it")
    return replace(first, more=tuple(rest), joins=True) if rest else first


def _unpacked(file: Contents) -> Contents:
    try:
        if file.data.startswith(_GZIP):
            with gzip.open(BytesIO(file.data)) as packed:
                return replace(file, data=_bounded(packed, len(file.data)))
        with ZipFile(BytesIO(file.data)) as archive:
            return _from_zip(file, archive)
    except (
        BadZipFile,
        NotImplementedError,
        RuntimeError,
        OSError,
        EOFError,
        zlib.error,
        ValueError,
        LookupError,
    ) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "An archive must be complete, undamaged and without a password",
            remedy="Unpack it and choose one file in it",
        ) from None


def _from_zip(file: Contents, archive: ZipFile) -> Contents:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise InputError(f"An archive must contain at most {MOST_ENTRIES:,} files", value=f"{len(entries):,}")
    if any(entry.filename == _WORKBOOK.decode() for entry in entries):
        return table_in(file, lambda: _parts(archive, len(file.data)))
    files = [entry for entry in entries if not entry.is_dir() and not _is_hidden(entry.filename)]
    readable = [entry for entry in files if entry.filename.lower().endswith(_READABLE)]
    if len(readable) > 1:  # beside them, a text is an explanation
        readable = [entry for entry in readable if not entry.filename.lower().endswith(".txt")] or readable
    suffixes = {PurePath(entry.filename).suffix.lower() for entry in readable}
    if 1 < len(readable) <= MOST_FILES and len(suffixes) == 1:
        return _tracks(file, archive, readable, len(files) - len(readable))
    if len(readable) != 1:
        names = ", ".join(quoted(PurePath(entry.filename).name).strip() or "…" for entry in readable[:3])
        seen = f"{counted(len(readable), 'such file')}{f' ({names})' if names else ''} of {len(files):,}"
        raise InputError(
            "An archive must contain one file that can be read, or several tracks of one format",
            value=seen,
            remedy="Unpack it and choose one file in it",
        )
    with archive.open(readable[0]) as packed:
        data = _bounded(packed, len(file.data))
    if data.startswith((_ZIP, _GZIP)):
        raise InputError("An archive must not contain another one", remedy="Unpack it and choose one file in it")
    left = len(files) - 1
    said = (f"{counted(left, 'other file')} of the archive {'was' if left == 1 else 'were'} left out.",) if left else ()
    return replace(file, data=data, notices=said)


def _tracks(file: Contents, archive: ZipFile, entries: Sequence[ZipInfo], left: int) -> Contents:
    """Several tracks in an archive, in the order of their names."""
    found, unpacked = list[Contents](), 0
    for entry in sorted(entries, key=lambda each: each.filename):
        with archive.open(entry) as packed:
            data = _bounded(packed, len(file.data), unpacked)
        unpacked += len(data)
        found.append(replace(file, data=data, name=printable(PurePath(entry.filename).stem)))
    said = (f"{counted(left, 'other file')} of the archive {'was' if left == 1 else 'were'} left out.",) if left else ()
    return replace(found[0], more=tuple(found[1:]), notices=said)


def _parts(archive: ZipFile, size: int) -> Iterator[bytes]:
    """The files in a workbook, which together are bounded as that of an archive is."""
    unpacked = 0
    for entry in archive.infolist():
        with archive.open(entry) as packed:
            data = _bounded(packed, size, unpacked)
        unpacked += len(data)
        yield data


def _is_hidden(name: str) -> bool:
    return name.startswith("__MACOSX") or PurePath(name).name.startswith(".")


def _bounded(packed: IO[bytes] | gzip.GzipFile, size: int, unpacked: int = 0) -> bytes:
    """What is unpacked after `unpacked` bytes, counted while it is read, whatever the archive says about its size."""
    most = min(MOST_BYTES, MOST_RATIO * size + _SLACK) - unpacked
    data = packed.read(most + 1)
    if len(data) > most:
        raise InputError(
            f"An archive must unpack to at most {MOST_BYTES >> 20} MB, and to {MOST_RATIO} times its size",
            remedy="Unpack it and cut the file to the days you need",
        )
    return data
