"""What widgets show without a kernel: sentences, tables, charts and maps, from the blocks of a page's report.

    StaticCopy --html()--> the site and `lmdk site`: a notebook run with LMDK_READING=1 shows this instead of its widgets
             --kept()--> a notebook, next to each widget: saved, or by `jupyter nbconvert`, it shows the widget as it was
             --file()--> a file of a widget that has no report

All begin with the answers and the drawings; the other sentences come below. The HTML contains charts and maps as plain
values, and frontend/src/page/reading_page.js draws them. The site includes that program; in a notebook, both are in a frame
that may not fetch anything. LMDK_STILL=off keeps nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from lmdk_widgets.io.programs import licences, policy, program, shown
from lmdk_widgets.io.report import STYLE, Part, Piece, paragraph, written
from lmdk_widgets.io.still_svg import stills
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.palette import ACCENT, GRID, INK, LINE, PANEL, PAPER, QUIET, WARN, WARN_LINE

SWITCH = "LMDK_READING"
KEEPING = "LMDK_STILL"

READING = "reading.js"
"""The program that draws in a notebook's frame and on a static page."""
_FLUSH = "body { margin: 0; padding: 0 2px; max-width: 980px; } body > :first-child { margin-top: 0; } "
_DARK = (
    f'body[data-jp-theme-light="false"] {{ color-scheme: dark; color: {INK.dark}; '
    f"--lmdk-ink: {INK.dark}; --lmdk-paper: {PAPER.dark}; --lmdk-panel: {PANEL.dark}; --lmdk-quiet: {QUIET.dark}; "
    f"--lmdk-line: {LINE.dark}; --lmdk-grid: {GRID.dark}; --warn: {WARN.dark}; --warnline: {WARN_LINE.dark}; "
    f"--accent: {ACCENT.dark}; }} "
)
"""In a dark notebook, whose theme reading.js reads."""
MOST_KEPT = 4_000_000
"""The most characters of a frame in a notebook."""

STILL = "This is a static copy: Jupyter, or <code>lmdk lesson</code>, shows it with all its controls."
AGAIN = "Run the cell again for its controls."
"""What the first line of a copy in a notebook ends with."""

FOR_YOU = "For you only, do not share: it reveals information about {own}."
"""The first line of a file from the user's own data, which stays in view and is printed on each page."""

_ERRORS = (
    *(".jp-OutputArea-child:has([data-lmdk-still]) + .jp-OutputArea-child > .jupyter-widgets:not(:has(*))",),
    *(".jp-OutputArea-child:has(+ .jp-OutputArea-child [data-lmdk-still]) > .jupyter-widgets:not(:has(*))",),
)
_QUIET = f"<style>{', '.join(_ERRORS)}, .lmdk-untrusted {{ display: none; }}</style>"
"""Hides what JupyterLab says next to a copy instead of a widget that no kernel knows: an error of one line; and what is only
for a page that takes styles and frames out of a copy."""
_UNTRUSTED = "Map and charts are drawn more simply here until this notebook is trusted."


def is_asked() -> bool:
    """Whether widgets are shown to readers without a kernel."""
    return bool(os.environ.get(SWITCH))


def is_kept() -> bool:
    """Whether a notebook keeps a static copy next to each widget."""
    return not is_asked() and os.environ.get(KEEPING) != "off"


class Whose(NamedTuple):
    """Who may have a static copy.

    Attributes
    ----------
    file, notebook : its first line in a file and in a notebook. left_out : what a page for everybody says instead of its
    drawings; "" if it shows them.
    """

    file: str
    notebook: str
    left_out: str = ""


NOBODYS = Whose(
    "This file is yours to keep and to share: it contains nobody's data.",
    "This static copy is yours to keep and to share: it contains nobody's data.",
)
AUTHORS = Whose(
    "This file is yours: share it only if you could share the data that it is drawn from.",
    "This static copy is yours: share it only if you could share the data that it is drawn from.",
)
"""Of a figure, as the program does not know from what its author made it."""


def owners(*own: str) -> Whose:
    """Of a page made from the user's own data, each named in words.

    Examples
    --------
    >>> owners("your true track").notebook
    'For you only, do not share this notebook: this static copy reveals information about your true track.'
    """
    named = " and ".join(own)
    return Whose(
        FOR_YOU.format(own=named),
        sentence(
            "For you only, do not share this notebook: this static copy reveals information about {own}.", own=named
        ),
        sentence("Its tables and drawings are made from {own}, and are left out here.", own=named),
    )


class StaticCopy(NamedTuple):
    """What a widget says and shows in a static copy.

    Attributes
    ----------
    lines : the first sentences, a paragraph each, or several between blank lines. more : what follows, drawings first, as
    HTML made by this module. words : the sentences below. whose : who may have it.

    Examples
    --------
    >>> kept = StaticCopy(["Two <moments>.\\n\\nOne."]).kept("a1")
    >>> print(kept.replace(_QUIET, "").replace(f"{NOBODYS.notebook} {AGAIN}", "..."))
    <div data-lmdk-still="a1"><p class="lmdk-still">...</p><p>Two &lt;moments&gt;.</p><p>One.</p></div>
    """

    lines: Sequence[str]
    more: Sequence[str] = ()
    words: Sequence[str] = ()
    whose: Whose = NOBODYS

    def html(self) -> str:
        """For a page that draws its charts, and that everybody may read."""
        more, words = [*self.more], [*self.words]
        if self.whose.left_out:
            more, words = [], [*words, self.whose.left_out]
        return sentences(self.lines, *more, _paragraphs(words))

    def kept(self, name: str) -> str:
        """For a notebook: whose it is, and the sentences, with the drawings in a frame with their program.

        Parameters
        ----------
        name : of its widget, which hides it while a kernel answers.
        """
        inside = "".join(self.more)
        inside = f"{_plainly(inside)}{_frame(inside)}" if "<figure" in inside else inside
        said = f'<p class="lmdk-still">{escape(self.whose.notebook)} {AGAIN}</p>{_paragraphs(self.lines)}'
        return f'<div data-lmdk-still="{escape(name)}">{_QUIET}{said}{inside}{_paragraphs(self.words)}</div>'

    def file(self, title: str) -> str:
        """A page of its own, which opens without a network."""
        mark = f'<p class="mark" role="note"><span>{shown(self.whose.file)}</span></p>'
        said, words = ("".join(map(paragraph, lines)) for lines in (self.lines, self.words))
        return _document(title, f"{mark}<h1>{shown(title)}</h1>{said}{''.join(self.more)}{words}")


def _plainly(html: str) -> str:
    """The same for a page that takes frames and programs out of a copy; the sentence alone if it were too large."""
    still = stills(html)
    return f'<div class="lmdk-untrusted"><p>{_UNTRUSTED}</p>{still if len(still) <= MOST_KEPT else ""}</div>'


def _frame(html: str) -> str:
    """A separate page inside a notebook; nothing if it would be too large."""
    text = escape(_document("", html, _FLUSH + _DARK))
    if len(text) > MOST_KEPT:
        return ""
    return f'<iframe title="Tables and drawings" style="width:100%;height:480px;border:0" srcdoc="{text}"></iframe>'


def _document(title: str, html: str, style: str = "") -> str:
    """A whole page with the program that draws in it; it may not fetch anything."""
    page = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(inside=True)}">',
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{shown(title)}</title>',
        f"<style>{STYLE}{style}</style></head>",
        f'<body data-jp-theme-light="true">{html}<footer>{licences()}</footer>',
        f'<script type="module">{program(READING)}</script></body></html>',
    ]
    return "".join(page)


def first(parts: Iterable[Part]) -> str:
    """The parts of the first screen, side by side where a report's style holds; nothing if there are none."""
    each = "".join(f"<section>{part(one.heading, one.pieces)}</section>" for one in parts)
    return f'<div class="first">{each}</div>' if each else ""


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
