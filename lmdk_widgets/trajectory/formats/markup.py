"""XML and JSON in track files: damaged or oversized content is refused before a reader builds anything from it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, limit
from lmdk_widgets.trajectory.source import BOM, DTD, Contents, OtherKind
from lmdk_widgets.trajectory.words import printable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DEEPEST = 200  # elements within elements; GPX needs nine
_MOST = 20 * MAX_TIMESTAMPS  # tags, or JSON values: a memory limit, as each becomes an object
_LONGEST_DECLARATION = 1_000  # bytes; searching for its end takes quadratic time
_ASCII = bytes(range(32, 127))


def decode_xml(file: Contents) -> str:
    """The text, with the XML declaration blanked out: what it says about the encoding is no longer true."""
    data = file.data.removeprefix(BOM)
    found = re.match(rb"""\s*<\?xml\s(?:[^>]*?\sencoding\s*=\s*["']([\w.:-]+))?[^>]*>""", data[:_LONGEST_DECLARATION])
    declared = found[1].decode() if found and found[1] else ""
    # What came as text is already decoded, whatever it declares.
    encoding = "utf-8" if file.is_text else declared or "utf-8"
    try:
        # Only Python's encodings that keep ASCII: others are not used for XML, and some take quadratic time.
        if _ASCII.decode(encoding) != _ASCII.decode():
            raise ValueError
        text = data.decode(encoding)
    except (LookupError, ValueError):
        raise InputError(
            f"the text must be in {printable(encoding, 30)}, {'which' if declared else 'as'} the file declares"
            f"{'' if declared else ' no encoding'}",
            remedy="Export or copy the file again, or save it as UTF-8",
        ) from None
    return re.sub(r"\S", " ", text[: found.end()]) + text[found.end() :] if found else text


class _Guard:
    """Receives what the standard library's parser reads and only keeps the current depth."""

    def __init__(self, format: str, root: str) -> None:
        self.format, self.root, self.depth = format, root, 0

    def start(self, tag: str, _: object) -> None:
        if not self.depth and tag.rpartition("}")[2].lower() != self.root:
            raise OtherKind(f"XML that is not {self.format}", "Export the track as GPX")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError(f"the elements of {self.format} must be nested at most {_DEEPEST} levels deep")

    def end(self, _: str) -> None:
        self.depth -= 1


def guard(text: str, format: str, root: str = "") -> None:
    """Refuse, before a reader sees it, XML that has another root, is damaged, declares anything or is too large.

    The root is `root` in lower case, or the format's name if left out.

    No device or program writes a document type (DTD) or entities into a track; entities make an "entity bomb" possible.
    """
    from xml.etree.ElementTree import ParseError, XMLParser

    limit(text.count("<"), most=_MOST)
    declared = "XML entities" if "<!ENTITY" in text else "a document type (DTD)" if DTD.match(text) else ""
    if declared:
        raise InputError(f"{format} must not declare {declared}", remedy="Export the track again")
    parser = XMLParser(target=_Guard(format, root or format.lower()))
    try:
        parser.feed(text)
        parser.close()
    except ParseError as error:
        raise InputError(
            "the file must be complete, valid XML",
            value=f"an error at line {error.position[0]:,} ({printable(error.msg.partition(':')[0])})",
            remedy="Export or copy the file again",
        ) from None


def parse_xml(file: Contents, format: str, root: str = "") -> Element:
    """The root of an XML file that `guard` accepts."""
    from xml.etree.ElementTree import fromstring

    text = decode_xml(file)
    guard(text, format, root)
    return fromstring(text)


def text_at(element: Element, path: str) -> str:
    """The text of the first element on a path, or ""."""
    return (element.findtext(path) or "").strip()


def parse_json(text: str) -> Any:
    """The contents of a JSON text.

    Raises
    ------
    InputError for JSON that is damaged, nested too deeply or too large.
    """
    limit(sum(text.count(mark) for mark in "[{,"), most=_MOST)
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("the file's brackets must not be nested this deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(
            "the file must be valid JSON to its end",
            value=f"an error at line {error.lineno:,}, column {error.colno:,}",
            remedy="Export or copy the file again",
        ) from None
    except ValueError:  # a number with thousands of digits
        raise InputError("the file's numbers must have fewer digits", value="one with thousands") from None


def place_of(position: Any) -> tuple[float, float] | None:
    """Latitude and longitude of a position in JSON, which begins with the longitude (RFC 7946); None if it is none.

    Examples
    --------
    >>> place_of([11.5, 48.2, 520]), place_of([11.5, None]), place_of({"lat": 1})
    ((48.2, 11.5), None, None)
    """
    try:
        east, north = position[0], position[1]
        if type(east) in (int, float) and type(north) in (int, float):
            return float(north), float(east)
    except (TypeError, IndexError, KeyError, OverflowError):
        pass
    return None
