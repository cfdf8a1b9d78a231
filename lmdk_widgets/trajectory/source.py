"""Getting the contents of a file, and the description of a file format."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
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
"""The size of the largest file that is read; a million points take about half of it."""

Source = (
    str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str] | Sequence[str | os.PathLike[str]]
)

BOM = b"\xef\xbb\xbf"
_BEGINNING = 100_000  # bytes searched for the root of an XML file
_PROLOG = r"(?=(?P<prolog>\s*(?:(?:<\?.*?\?>|<!--.*?-->)\s*)*))(?P=prolog)"
"""Instructions and comments, without a way back into them. It looks ahead, as `*+` loses a match in Python 3.11.2."""
DTD = re.compile(_PROLOG + r"<!DOCTYPE\b(?:[^\[>]*\[.*?\]\s*>|[^\[>]*>)?", re.DOTALL | re.IGNORECASE)
"""The start of an XML file that declares its document type."""
_ROOT = re.compile(_PROLOG + r"<(?:[\w.-]+:)?(?P<root>[\w.-]+)", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Contents:
    """A file: its bytes, its name without suffix or "", and whether it came as text (then its bytes are UTF-8).

    For a table, it also has the columns chosen by the user, and whether the user accepts what is proposed. `notices` and
    `container` say what it was taken from, `format` what program made it, if its structure says what its values are. `more`
    are the further files of an archive or a list of tracks; `joins`: whoever listed them wants them as one.
    """

    data: bytes
    name: str = ""
    is_text: bool = False
    chosen: Chosen | None = None
    accepts: bool = False
    notices: tuple[str, ...] = ()
    container: str = ""
    format: str = ""
    more: tuple[Contents, ...] = ()
    joins: bool = False

    @cached_property
    def beginning(self) -> bytes:
        """The first bytes, without a byte order mark or leading blanks."""
        return self.data[:_BEGINNING].removeprefix(BOM).lstrip()

    @cached_property
    def root(self) -> str:
        """The name of an XML file's root element, in lower case and without its prefix; "" if there is none.

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
        return found["root"].lower() if found else ""

    def text(self) -> str:
        """The text of a UTF-8 file, with or without a byte order mark; otherwise InputError with the line."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise _not_utf8(f"line {line:,}") from None


class Format(NamedTuple):
    """A track format.

    Attributes
    ----------
    name : used in lists. suffixes : offered by the page's upload buttons. written_by : which programs write it.
    recognises : whether a file has this format, by its content.
    read : returns its points. It raises `InputError`, or `OtherKind` for a file that turns out to be something else.
    hint : what a file in the format must have, if the format's name does not say it.
    is_binary : whether its files are not text.
    head : for a table, whose columns can be chosen: returns its first lines as texts, including any headings.
    names_columns : whether the first of these lines always contains headings.
    turn : 0 for a format that recognises exactly its files, 1 for one that accepts a similar start, 2 for the catch-all.
    library : a library needed to read it, in addition to those of a plain installation.
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
    """A file has none of the formats: what it seems to be, and what to do."""

    def __init__(self, seen: str, remedy: str = "") -> None:
        super().__init__(seen)
        self.seen, self.remedy = seen, remedy


def read_source(source: Source) -> Contents:
    """The contents of a path, bytes or file object.

    Raises
    ------
    InputError if there is no such file, it cannot be read, or it is larger than `MAX_BYTES`.
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
        what, remedy = "a file that exists", "Check the path; pass the text of a file as bytes"
    except IsADirectoryError:
        what, remedy = "a file, not a folder", "Choose one file in it"
    except (OSError, ValueError):  # ValueError: a null character in the path
        what, remedy = "a file that can be opened", "Check its name and your permission to read it"
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
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and data[:4] != b"\xff\xfe\x00\x00":
        try:
            return _limited(data.decode("utf-16").encode())
        except UnicodeDecodeError:
            return data
    if not data.isascii() and _is_windows_text(data):
        return data.decode("cp1252", "replace").encode()
    if len(data) > MAX_BYTES:
        raise InputError(
            f"the file must have at most {MAX_BYTES // 1_000_000:,} MB",
            value="more",
            remedy="Cut it to the days you need",
        )
    return data


def _is_windows_text(data: bytes) -> bool:
    """Whether a file is text in the code page of Windows for western Europe, and no XML, which says its own."""
    if data.lstrip()[:1] == b"<" or len(data) > MAX_BYTES or re.search(rb"[\x00-\x08\x0e-\x1f]", data[:_BEGINNING]):
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "ignore").isascii()
    return False


def _stem(path: object) -> str:
    return printable(Path(path).stem) if isinstance(path, (str, os.PathLike)) else ""


def _not_utf8(what: str) -> InputError:
    return InputError(f"{what} must be text in UTF-8", remedy='Save the file as "CSV UTF-8" or as UTF-8')
