"""The what-if as one HTML file: a description in words, a recording, and the page's own programs, which play it.

Everything is inside, compressed, and unpacked by the browser. A content security policy prevents the page from fetching
anything. Without JavaScript, the file only shows the description at its top.

In a recording, anything that occurs repeatedly, an array or a part of a message, is stored once. It is one block of bytes:
the length of its index (4 bytes, little endian), the index as JSON, and the arrays, each starting at a multiple of 8 bytes.
In the index, {"=": k} stands for the k-th text of `parts`, which is itself JSON.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from lmdk_widgets.cache import cached
from lmdk_widgets.io.programs import built, compressed, held, licences, policy, program, shown
from lmdk_widgets.io.released import checked_note
from lmdk_widgets.io.report import paragraph, table
from lmdk_widgets.palette import INK, LINE, PAPER, QUIET, WARN, WARN_LINE, document_style

PLAYER = "what_if.js"

PART = "="
"""The key of a reference to a part that is stored once."""

LONG = 120
"""The length in characters from which a part of a message is stored only once."""

_ALIGNED = 8

_NO_SCRIPT = "A script in this file draws the controls and charts. Scripts are switched off here."

STYLE = (
    document_style(paper=PAPER, ink=INK, quiet=QUIET, line=LINE, warn=WARN, warnline=WARN_LINE)
    + """
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
.face, noscript { display: block; padding: 6px 14px 0; }
.face { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; }
.face p { margin: 0 0 4px; font-size: 13.5px; } .face details { max-width: 1100px; } .face details[open] { flex-basis: 100%; }
.face .note { margin: 0; padding: 2px 10px; font-weight: 650;
  background: var(--warn); border-left: 4px solid var(--warnline); }
.face summary { color: var(--quiet); font-size: 13.5px; cursor: pointer; }
footer { padding: 10px 14px; color: var(--quiet); font-size: 13.5px; }
footer pre { white-space: pre-wrap; font-size: 12px; }
.face table { border-collapse: collapse; font-size: 13.5px; margin: 4px 0; }
.face caption { position: absolute; clip-path: inset(50%); }
.face th { text-align: left; font-weight: 600; padding: 2px 14px 2px 0; }
"""
)


class Face(NamedTuple):
    """The description at the top of a file.

    Attributes
    ----------
    title : the question that the page answers. note : what the file is, one line, always visible.
    lines : sentences about its contents, the first of which is also visible. settings : rows of name and value.
    foot : what made it, and when.
    """

    title: str
    note: str
    lines: Sequence[str]
    settings: Sequence[Sequence[str]]
    foot: str


def what_if_html(face: Face, block: bytes, programs: Sequence[str]) -> str:
    """The whole HTML file.

    Parameters
    ----------
    block : from a `Store`. programs : names of the page's bundles, its own first.

    Raises
    ------
    InputError : a note of several lines, or one that is too long.
    RuntimeError : the package was never built.
    """
    first, *others = face.lines
    more = "".join(paragraph(line) for line in others) + table("Settings", [], face.settings)
    more += paragraph(face.foot)
    told = f"<details><summary>About this file and its initial settings</summary>{more}</details>"
    inside = [held("recording", compressed(block)), *(held(name, _packed(name)) for name in programs)]
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        f'<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy(inside=True)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{shown(face.title)}</title>\n<link rel="icon" href="data:,">',
        f"<style>{STYLE}</style>\n</head>",
        f'<body>\n<header class="face">\n<p class="note" role="note">{shown(checked_note(face.note))}. {shown(first)}</p>',
        f"{told}\n</header>",
        f'<main id="page"></main>\n<noscript><p>{_NO_SCRIPT}</p></noscript>',
        *inside,
        f'<script type="module">{program(PLAYER)}</script>',
        f"<footer>{licences()}</footer>\n</body>\n</html>\n",
    ]
    return "\n".join(lines)


def programs_size(programs: Sequence[str]) -> int:
    """The size of the programs in a file, bytes."""
    return sum(-(-len(_packed(name)) // 3) * 4 for name in programs) + len(program(PLAYER)) + len(licences())


@cached("everybody", entries=16, what="a program, compressed")
def _packed(name: str) -> bytes:
    return compressed(built(name).read_bytes())


class Store:
    """Messages with their arrays, numbered in the order in which they were added.

    Examples
    --------
    >>> store = Store()
    >>> [store.add({"type": "draw", "n": n}, [b"abc"]) for n in (1, 2, 1)]
    [0, 1, 0]
    >>> len(store.arrays)
    1
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.arrays: list[bytes] = []
        self._messages: list[list[Any]] = []
        self._known: dict[tuple[str, bytes], int] = {}

    def add(self, message: Mapping[str, Any], buffers: Sequence[bytes] = ()) -> int:
        """Add a message and return its number, or that of an equal message added before."""
        held = [self._once("array", bytes(buffer), self.arrays) for buffer in buffers]
        key = _key("message", json.dumps([message, held]).encode())
        if key not in self._known:
            self._known[key] = len(self._messages)
            self._messages.append([self._packed(message), held])
        return self._known[key]

    def block(self, index: Mapping[str, Any]) -> bytes:
        """The recording: its messages, and the other entries of its index."""
        places, at = [], 0
        for array in self.arrays:
            places.append([at, len(array)])
            at += _padded(len(array))
        whole = {**index, "messages": self._messages, "parts": self.parts, "arrays": places}
        text = json.dumps(whole, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (_padded(len(text) + 4) - len(text) - 4)
        arrays = b"".join(array + bytes(_padded(len(array)) - len(array)) for array in self.arrays)
        return len(text).to_bytes(4, "little") + text + arrays

    def _packed(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            value = {name: self._packed(part) for name, part in value.items()}
        elif isinstance(value, (list, tuple)):
            value = [self._packed(part) for part in value]
        elif not isinstance(value, str) or len(value) < LONG:
            return value
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
        return {PART: self._once("part", text, self.parts)} if len(text) >= LONG else value

    def _once(self, kind: str, found: Any, into: list[Any]) -> int:
        number = self._known.setdefault(_key(kind, found if isinstance(found, bytes) else found.encode()), len(into))
        if number == len(into):
            into.append(found)
        return number


def compressed_size(block: bytes) -> int:
    """About the size of a compressed block, computed faster."""
    return len(zlib.compress(block, 6))


def _key(kind: str, found: bytes) -> tuple[str, bytes]:
    return kind, blake2b(found, digest_size=16).digest()


def _padded(length: int) -> int:
    return -(-length // _ALIGNED) * _ALIGNED
