"""How a notebook shows an object of the package: one small card, its texts escaped, and no place and no value in it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.trajectory.words import printable
from lmdk_widgets.trajectory.zones import find_zone, to_local

if TYPE_CHECKING:
    from lmdk_widgets.trajectory.model import Trajectory
    from lmdk_widgets.trajectory.series import Series

_FRAME = "display:inline-block;max-width:100%;border:1px solid #8888;border-radius:6px;padding:.5em .9em"
_ROWS = "display:grid;grid-template-columns:max-content auto;gap:.15em 1.2em;margin:.4em 0 0"


def card(title: str, rows: Iterable[tuple[str, str]], note: str = "") -> str:
    """A card as HTML: a title, names with what they are, and a last line.

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


def track_card(track: Trajectory) -> str:
    """A track: how long it is, from when to when, how far it reaches; where it is, nobody reads from it."""
    width, height = (np.ptp(track.points_m, axis=0) / 1000).tolist()
    extent = f"{width:,.3g} km from west to east, {height:,.3g} km from south to north"
    return card(track.name or "A track", [*_timed(track), ("extent", extent)])


def series_card(series: Series) -> str:
    """A series: how long it is, from when to when, what its values are; none of them is in it."""
    kind = " or ".join(series.answers) if series.is_answers else f"numbers {f'in {series.unit}' if series.unit else ''}"
    rows = [*_timed(series), ("values", kind.strip())]
    if series.lower is not None and series.upper is not None:
        rows.append(("public bounds", f"{series.lower:,.6g} to {series.upper:,.6g}"))
    return card(series.name or "A series", rows)


def _timed(track: Trajectory) -> list[tuple[str, str]]:
    zone = track.zone or "UTC"
    when = span(to_local(track.time[[0, -1]], find_zone(zone)))
    marked = f"{len(track.landmarks):,} marked" if track.landmarks else "none marked"
    return [("timestamps", f"{len(track):,}"), ("time", f"{when} ({zone})"), ("landmarks", marked)]


def span(ends: NDArray[np.datetime64]) -> str:
    """From when to when, by the clock: `ends` (2,) are the first time and the last.

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
