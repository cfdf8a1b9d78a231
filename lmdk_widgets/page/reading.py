"""What widgets show without a kernel: sentences, tables, charts and maps, from the blocks of a page's report.

    Standing --html()--> the site and `lmdk site`: a notebook run with LMDK_READING=1 shows this instead of its widgets
             --kept()--> a notebook, next to each page: saved, or by `jupyter nbconvert`, it shows the page as it was

The HTML contains charts and maps as plain values, and frontend/src/page/reading_page.js draws them. The site includes that
program; in a notebook, both are in a frame that may not fetch anything. LMDK_STILL=off keeps nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from lmdk_widgets.io.programs import licences, policy, program
from lmdk_widgets.io.report import STYLE, Piece, written

SWITCH = "LMDK_READING"
KEEPING = "LMDK_STILL"

FRAMED = "framed.js"
"""The program that draws in a notebook's frame."""
_FLUSH = "body { margin: 0; padding: 0 2px; max-width: 820px; } body > :first-child { margin-top: 0; } "
MOST_KEPT = 4_000_000
"""The most characters of a frame in a notebook."""

STILL = "This is a static copy: Jupyter, or <code>lmdk lesson</code>, shows it with all its controls."
KEPT = "This is a static copy of a page: run the cell again for the page itself."
"""The first line of a copy in a notebook."""


def is_asked() -> bool:
    """Whether widgets are shown to readers without a kernel."""
    return bool(os.environ.get(SWITCH))


def is_kept() -> bool:
    """Whether a notebook keeps a static copy next to each page."""
    return not is_asked() and os.environ.get(KEEPING) != "off"


class Standing(NamedTuple):
    """What a widget says and shows in a static copy.

    Attributes
    ----------
    lines : sentences, a paragraph each, or several between blank lines. more : further parts as HTML, made by this module.

    Examples
    --------
    >>> Standing(["Two <moments>.\\n\\nOne."]).kept("a1").replace(KEPT, "...")
    '<div data-lmdk-still="a1"><p class="lmdk-still">...</p><p>Two &lt;moments&gt;.</p><p>One.</p></div>'
    """

    lines: Sequence[str]
    more: Sequence[str] = ()

    def html(self) -> str:
        """For a page that draws its charts."""
        return sentences(self.lines, *self.more)

    def kept(self, name: str) -> str:
        """For a notebook: sentences, and the drawings in a frame with their program.

        Parameters
        ----------
        name : of its widget, which hides it while a kernel answers.
        """
        inside = "".join(self.more)
        inside = _frame(inside) if "<figure" in inside else inside
        said = f'<p class="lmdk-still">{KEPT}</p>{_paragraphs(self.lines)}'
        return f'<div data-lmdk-still="{escape(name)}">{said}{inside}</div>'


def _frame(html: str) -> str:
    """A separate page inside a notebook; nothing if it would be too large."""
    page = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(inside=True)}"><style>{STYLE}{_FLUSH}</style></head>',
        f'<body data-jp-theme-light="true">{html}<footer>{licences()}</footer>',
        f'<script type="module">{program(FRAMED)}</script></body></html>',
    ]
    text = escape("".join(page))
    if len(text) > MOST_KEPT:
        return ""
    return f'<iframe title="Tables and drawings" style="width:100%;height:480px;border:0" srcdoc="{text}"></iframe>'


def part(heading: str, pieces: Iterable[str | Piece]) -> str:
    """A part of a page under its heading: blocks, or HTML made by `io.report`."""
    body = written(heading, pieces)
    return f"<h3>{escape(heading)}</h3>{body}"


def sentences(lines: Iterable[str], *more: str) -> str:
    """What a widget says, in paragraphs, and that this is a static copy; more: further parts as HTML.

    Examples
    --------
    >>> print(sentences(["The odds < 2."]).replace(STILL, "..."))
    <div class="lmdk-reading"><p>The odds &lt; 2.</p><p class="lmdk-still">...</p></div>
    """
    said = _paragraphs(lines)
    return f'<div class="lmdk-reading">{said}{"".join(more)}<p class="lmdk-still">{STILL}</p></div>'


def _paragraphs(lines: Iterable[str]) -> str:
    apart = [part for line in lines for part in line.split("\n\n")]
    return "".join(f"<p>{escape(part)}</p>" for part in apart if part)


def bullets(lines: Iterable[str]) -> str:
    """A list; nothing if it is empty."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def place(what: str, name: str) -> str:
    """Where a live page shows the thing with this name instead of the static text around it.

    Examples
    --------
    >>> place("question", "moments/share")
    '<div data-lmdk-live="question moments/share"></div>'
    """
    return f'<div data-lmdk-live="{escape(f"{what} {name}")}"></div>'


WAITS = "<div data-lmdk-waits></div>"
"""In the static text of a question: what comes after it is hidden until there is an answer, if the page can do so."""


def fold(title: str, html: str) -> str:
    """Something that is hidden until it is opened."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def figure(described: Mapping[str, Any], summary: str) -> str:
    """A figure description in plain values, for the site's script to draw, and the sentence that says what it shows.

    Examples
    --------
    >>> figure({"data": [], "layout": {}}, "Nothing.")[:73]
    '<figure class="lmdk-drawn"><script type="application/json">{"data": [], "'
    """
    data = json.dumps(described).replace("<", "\\u003c")
    holder = f'<script type="application/json">{data}</script>'
    return f'<figure class="lmdk-drawn">{holder}<figcaption>{escape(summary)}</figcaption></figure>'
