"""How a notebook shows an object of the package: a small card with escaped text, without any place or value."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from html import escape

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.palette import CARD_FRAME
from lmdk_widgets.trajectory.words import printable
from lmdk_widgets.trajectory.zones import find_zone, to_local

_FRAME = f"display:inline-block;max-width:100%;border:1px solid {CARD_FRAME};border-radius:6px;padding:.5em .9em"
_ROWS = "display:grid;grid-template-columns:max-content auto;gap:.15em 1.2em;margin:.4em 0 0"


def card(title: str, rows: Iterable[tuple[str, str]], note: str = "") -> str:
    """A card as HTML: a title, names with their values, and a last line.

    Examples
    --------
    >>> html = card("<b>", [("timestamps", "8")])
    >>> "&lt;b&gt;" in html, html.count("<dt"), html.count("<dd")
    (True, 1, 1)
    """
    told = "".join(
        f'<dt style="font-weight:normal;opacity:.75">{_text(name)}</dt><dd style="margin:0">{_text(value)}</dd>'
        for name, value in rows
    )
    last = f'<div style="margin-top:.4em;opacity:.75">{_text(note)}</div>' if note else ""
    return f'<div style="{_FRAME}"><strong>{_text(title)}</strong><dl style="{_ROWS}">{told}</dl>{last}</div>'


def timed(time: NDArray[np.datetime64], zone: str, landmarks: Sized) -> list[tuple[str, str]]:
    """The rows for data with timestamps: how many, the time span in its zone, and how many are marked."""
    when = span(to_local(time[[0, -1]], find_zone(zone or "UTC")))
    marked = f"{len(landmarks):,} marked" if landmarks else "none marked"
    return [("timestamps", f"{len(time):,}"), ("time", f"{when} ({zone or 'UTC'})"), ("landmarks", marked)]


def span(ends: NDArray[np.datetime64]) -> str:
    """A time span by the clock: `ends` (2,) are the first and last times.

    Examples
    --------
    >>> span(np.array(["2026-03-01T09:00", "2026-03-01T09:10"], "datetime64[m]"))
    '2026-03-01 09:00 to 09:10'
    """
    (day, first), (last_day, last) = (text.split("T") for text in ends.astype("datetime64[m]").astype(str).tolist())
    until = "" if ends[0] == ends[1] else f" to {last if day == last_day else f'{last_day} {last}'}"
    return f"{day} {first}{until}"


def _text(text: str) -> str:
    return escape(printable(text, 200))
