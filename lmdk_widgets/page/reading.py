"""What widgets show where no kernel answers, as on the site: sentences and figures in plain HTML.

A notebook that is run with LMDK_READING=1 in the environment shows these in place of its widgets.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

SWITCH = "LMDK_READING"

STILL = "Here it stands still: Jupyter, or <code>lmdk lesson</code>, shows it with everything that can be changed."


def is_asked() -> bool:
    """Whether widgets are shown to readers without a kernel."""
    return bool(os.environ.get(SWITCH))


def sentences(lines: Iterable[str], *more: str) -> str:
    """What a widget says, a line a paragraph, and that it stands still here; more: further parts as HTML.

    Examples
    --------
    >>> print(sentences(["The odds < 2."]).replace(STILL, "..."))
    <div class="lmdk-reading"><p>The odds &lt; 2.</p><p class="lmdk-still">...</p></div>
    """
    said = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
    return f'<div class="lmdk-reading">{said}{"".join(more)}<p class="lmdk-still">{STILL}</p></div>'


def bullets(lines: Iterable[str]) -> str:
    """A list; nothing where it is empty."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def fold(title: str, html: str) -> str:
    """Something that is seen when it is opened."""
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
