"""Getting hold of what is in a file, and what a format of files is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

from lmdk_widgets.checks import kind_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import Chosen
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.words import printable

MAX_BYTES = 300_000_000
"""Largest file that is read; a million points take about half of it."""

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str]

BOM = b"\xef\xbb\xbf"
_BEGINNING = 100_000  # bytes in which the root of an XML file is looked for
_PROLOG = r"\s*(?:(?:<\?.*?\?>|<!--.*?-->)\s*)*+"
DTD = re.compile(_PROLOG + r"<!DOCTYPE\b(?:[^\[>]*\[.*?\]\s*>|[^\[>]*>)?", re.DOTALL | re.IGNORECASE)
"""The beginning of an XML file that declares its document type."""
_ROOT = re.compile(_PROLOG + r"<(?:[\w.-]+:)?([\w.-]+)", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Contents:
    """A file: its bytes, its name without suffix or "", and whether it came as text (its bytes are UTF-8 then).

    With it go the columns that the user has chosen, where it is a table.
    """

    data: bytes
    name: str = ""
    is_text: bool = False
    chosen: Chosen | None = None

    @cached_property
    def beginning(self) -> bytes:
        """The first bytes, without a byte order mark and without blanks before them."""
        return self.data[:_BEGINNING].removeprefix(BOM).lstrip()

    @cached_property
    def root(self) -> str:
        """The name of the root element of XML, in small letters and without its prefix; "" where there is none.

        Examples
        --------
        >>> Contents(b'<?xml version="1.0"?><!-- <a> --><x:GPX xmlns:x="u">').root
        'gpx'
        >>> Contents(b"<!DOCTYPE html>\\n<html>").root, Contents(b'{"type": 1}').root
        ('html', '')
        """
        text = self.beginning.decode("latin-1")
        dtd = DTD.match(text)
        found = _ROOT.match(text, dtd.end() if dtd else 0)
        return found[1].lower() if found else ""

    def text(self) -> str:
        """The text of a file in UTF-8, with or without a byte order mark; InputError with the line for others."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise _not_utf8(f"line {line:,}") from None


class Format(NamedTuple):
    """A format of tracks.

    Attributes
    ----------
    name : in lists. suffixes : offered by the page's upload buttons. written_by : which programs write it.
    recognises : whether a file is of the format, by its content.
    read : its points. It raises `InputError`, or `OtherKind` for a file that turns out to be something else.
    hint : what a file of the format must have, where its name does not say it.
    is_binary : its files are no text.
    head : of a table, whose columns can be chosen: its first lines as texts, the headings among them.
    names_columns : the first of these lines is always one of headings.
    turn : 0 for a format that knows its own files, 1 for one that takes what begins alike, 2 for the one that takes the rest.
    library : without which it cannot be read, beside those of a plain installation.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Contents], bool]
    read: Callable[[Contents], RawPoints]
    hint: str = ""
    is_binary: bool = False
    head: Callable[[Contents], list[list[str]]] | None = None
    names_columns: bool = False
    turn: int = 0
    written_by: str = ""
    library: str = ""


class OtherKind(Exception):
    """A file is of none of the formats: what it seems to be, and what to do."""

    def __init__(self, seen: str, remedy: str = "") -> None:
        super().__init__(seen)
        self.seen, self.remedy = seen, remedy


def read_source(source: Source) -> Contents:
    """What is in a path, bytes or file object.

    Raises
    ------
    InputError where there is no such file, it cannot be read, or it is larger than `MAX_BYTES`.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Contents(_limited(bytes(source)))
    if isinstance(source, (str, os.PathLike)):
        return Contents(_limited(_from_path(source)), _stem(source))
    if not callable(getattr(source, "read", None)):
        raise refused("source", "a path, bytes or a file object", kind_of(source))
    data = _from_file(source)
    name = getattr(source, "name", "")
    if isinstance(data, str):
        return Contents(_limited(data.encode("utf-8", "replace")), _stem(name), is_text=True)
    return Contents(_limited(data), _stem(name))


def _from_path(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        what, remedy = "a file that exists", "Check the path; the text of a file is passed as bytes"
    except IsADirectoryError:
        what, remedy = "a file, not a folder", "Choose one file in it"
    except (OSError, ValueError):  # ValueError: a null character in the path
        what, remedy = "a file that can be opened", "Check its name and that you may read it"
    name = printable(os.path.basename(os.fspath(path)), 60) if len(os.fspath(path)) < 4096 else None
    raise InputError(f"source must be {what}", value=name, remedy=remedy)


def _from_file(file: Any) -> bytes | str:
    try:
        data = file.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        raise _not_utf8("the file object") from None
    except (OSError, ValueError):  # ValueError: the file is closed
        raise InputError("source must be a file object that can be read", remedy="Open it again") from None
    if isinstance(data, (bytes, bytearray, str)):
        return data if isinstance(data, str) else bytes(data)
    raise InputError("source must be a file object that returns bytes or text", value=kind_of(data))


def _limited(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(
            f"the file must have at most {MAX_BYTES // 1_000_000:,} MB",
            value="more",
            remedy="Cut it to the days that matter",
        )
    return data


def _stem(path: object) -> str:
    return printable(Path(path).stem) if isinstance(path, (str, os.PathLike)) else ""


def _not_utf8(what: str) -> InputError:
    return InputError(f"{what} must be text in UTF-8", remedy='Save the file as "CSV UTF-8" or as UTF-8')
