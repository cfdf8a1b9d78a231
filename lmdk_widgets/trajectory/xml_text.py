"""XML in files of tracks: its text, and a check before a reader builds anything from it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import ParseError, XMLParser

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.formats import no_track
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, too_many
from lmdk_widgets.trajectory.source import BOM, DTD, Contents
from lmdk_widgets.trajectory.words import printable

_DEEPEST = 200  # elements within elements; GPX needs nine
_MOST_TAGS = 20 * MAX_TIMESTAMPS  # a guard on memory: each becomes an object
_LONGEST_DECLARATION = 1_000  # bytes; looking for its end takes time that grows with their square
_ASCII = bytes(range(32, 127))


def decode_xml(file: Contents) -> str:
    """The text, with blanks for the XML declaration: what it says of the encoding is no longer true."""
    data = file.data.removeprefix(BOM)
    found = re.match(rb"""\s*<\?xml\s(?:[^>]*?\sencoding\s*=\s*["']([\w.:-]+))?[^>]*>""", data[:_LONGEST_DECLARATION])
    declared = found[1].decode() if found and found[1] else ""
    # What came as text was decoded before, whatever it declares.
    encoding = "utf-8" if file.is_text else declared or "utf-8"
    try:
        # Of the encodings that Python knows, only such as keep ASCII: others are none of XML, some take quadratic time.
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
    """Takes what the standard library's parser reads and keeps nothing but how deep it is."""

    def __init__(self, format: str, root: str) -> None:
        self.format, self.root, self.depth = format, root, 0

    def start(self, tag: str, _: object) -> None:
        if not self.depth and tag.rpartition("}")[2].lower() != self.root:
            raise no_track(f"XML that is not {self.format}", "Export the track as GPX")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError(f"the elements of {self.format} must be nested at most {_DEEPEST} levels deep")

    def end(self, _: str) -> None:
        self.depth -= 1


def guard(text: str, format: str, root: str = "") -> None:
    """Refuse, before a reader sees it, XML of another root, that is damaged, declares anything or is too much.

    The root is `root` in small letters, or the name of the format when left out.

    No device or program writes a document type (DTD) or entities into a track; entities are the seed of an "entity
    bomb".
    """
    if text.count("<") > _MOST_TAGS:
        raise too_many("more")
    declared = "XML entities" if "<!ENTITY" in text else "a document type (DTD)" if DTD.match(text) else ""
    if declared:
        raise InputError(f"{format} must not declare {declared}", remedy="Export the track again")
    parser = XMLParser(target=_Guard(format, root or format.lower()))
    try:
        parser.feed(text)
        parser.close()
    except ParseError as error:
        raise InputError(
            "the file must be valid XML to its end",
            value=f"an error at line {error.position[0]:,} ({printable(error.msg.partition(':')[0])})",
            remedy="Export or copy the file again",
        ) from None
