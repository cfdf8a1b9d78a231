"""The messages between a page and its kernel, each with its fields, declared once; a test holds both sides to them.

Every message has a `type`. One of a page carries its `view`; an answer to it carries the `view`, or `asked` with the `id` of
the change that it answers. A message with arrays names them in `arrays`; they travel as binary buffers.
"""

from __future__ import annotations

ENVELOPE = frozenset({"type", "view", "asked", "id", "arrays"})
"""What any message may carry."""

TO_KERNEL: dict[str, frozenset[str]] = {
    "ready": frozenset(),
    "change": frozenset({"operations", "commit"}),
    "late": frozenset(),  # an answer is late: whatever is sent wakes the kernel
    "upload": frozenset({"name", "piece", "pieces", "purpose", "chosen"}),
    "cancel-upload": frozenset(),
    "reload": frozenset(
        {"timezone", "day_first", "on_problem", "columns", "headings", "epsg", "days"}
    ),  # and what is offered
    "preview": frozenset({"columns", "headings"}),  # none, or those with which the rows are drawn again
    "save": frozenset({"what"}),
    "record": frozenset({"step", "open", "truth", "report"}),
    "python": frozenset(),
    "person": frozenset(),  # of the people page: the track of the person chosen, for the track page
    "path": frozenset({"path"}),  # of the people page: a table to read where Python runs
    "cancel": frozenset(),
    "resume": frozenset(),
    "restore": frozenset({"steps", "at"}),
    "library": frozenset({"name"}),
    "plotly": frozenset(),  # of a figure that only plotly draws
    "basemap": frozenset({"key", "ask", "offset", "length"}),  # a part of a file of streets, from the host
}
"""What a page sends."""

OF_STUDIES: dict[str, frozenset[str]] = {
    "results": frozenset({"names"}),  # their contents are the buffers
    "choose": frozenset({"name", "value"}),
    "pick": frozenset({"trace", "index"}),
    "narrow": frozenset({"narrow"}),
}
"""What the page of studies sends beside "ready", which has no choices that a link could hold."""

TO_STUDIES: dict[str, frozenset[str]] = {
    "options": frozenset({"about", "most_bytes"}),
    "shown": frozenset({"name", "form", "figure", "summary", "table", "marks", "narrow"}),
    "picked": frozenset({"said", "query", "why"}),
    "refused": frozenset({"text", "kind", "rows", "row_name", "more", "offers"}),
    "read": frozenset(),
}
"""What it gets."""

OF_HOST = frozenset({"reopened"})
"""What the host in the browser itself tells a page: no kernel sends it."""

TO_PAGE: dict[str, frozenset[str]] = {
    "options": frozenset(
        {"title", "fields", "groups", "version", "suffixes", "formats", "most_bytes", "glossary", "parquet"}
    ),
    "numbers": frozenset(
        {
            "choices",
            "visible",
            "can_undo",
            "can_redo",
            "step",
            "busy",
            "work",
            "link",
            "left_out",
            "too_long",
            "words",
            "pictured",
        }
    ),
    "draw": frozenset(),
    "refused": frozenset({"text", "kind", "rows", "row_name", "more", "offers", "table", "asks"}),
    "preview": frozenset({"lines", "headings", "fixed", "columns", "meanings", "question", "drawn"}),
    "rows": frozenset({"drawn"}),
    "file": frozenset({"name", "mime", "said"}),
    "pictures": frozenset({"format", "note", "pictures"}),
    "offer": frozenset({"controls", "text", "own", "truth", "possible"}),  # of a what-if file
    "recording": frozenset({"share"}),
    "copy": frozenset({"text", "said", "file", "mend"}),
    "reports": frozenset(),
    "received": frozenset(),
    "read": frozenset({"taken"}),
    "restored": frozenset({"done"}),
    "say": frozenset({"text"}),
}
"""What every page gets."""

OF_PAGE: dict[str, dict[str, frozenset[str]]] = {
    "track": {
        "options": frozenset({"tour", "folds"}),
        "numbers": frozenset(
            {
                "summary",
                "useful",
                "answers",
                "verdict",
                "exposed",
                "units",
                "region",
                "folds",
                "proposed",
                "leave_out",
                "cards",
                "inferred",
                "by_hand",
                "dummies",
            }
        ),
        "found": frozenset({"circles"}),
        "secret": frozenset({"marks"}),
        "practice": frozenset({"zones", "cell", "guess"}),
        "proposed": frozenset({"circles"}),
        "cells": frozenset({"base", "names"}),
        "beliefs": frozenset({"at", "whole", "shares"}),
        "panels": frozenset({"figure"}),
        "track": frozenset({"n", "name", "labels", "places", "notices", "series", "offered"}),
        "clock": frozenset({"zone", "about", "days"}),
        "chain": frozenset({"states", "text", "rows"}),
        "assumption": frozenset({"text"}),
        "draw": frozenset({"figure"}),
    },
    "place": {
        "options": frozenset({"presets"}),
        "numbers": frozenset(
            {
                "answers",
                "cards",
                "certificate",
                "guarantee",
                "epsilon",
                "known",
                "practices",
                "stale",
                "charts_wait",
                "moving",
                "region",
                "proposed",
            }
        ),
        "charts": frozenset({"figures"}),
        "cards": frozenset({"shown"}),
        "draw": frozenset({"shown", "names", "base", "summary"}),
    },
    "series": {
        "options": frozenset({"titles"}),
        "numbers": frozenset(
            {
                "answers",
                "cards",
                "timeline",
                "mechanisms",
                "practices",
                "chain",
                "stack",
                "segments",
                "far",
                "conditions",
                "story",
                "shown",
            }
        ),
        "draw": frozenset({"figures", "timeline", "small"}),
    },
    "table": {"numbers": frozenset({"answers", "told"}), "draw": frozenset({"drawn"})},
    "people": {
        "options": frozenset({"reads", "paths"}),
        "numbers": frozenset({"answers", "verdict", "person", "tables", "zone"}),
        "draw": frozenset({"drawn"}),
        "cells": frozenset({"base", "names", "said", "legend"}),
        "person": frozenset({"name", "settings", "read"}),
    },
}
"""What one page gets beside that: more fields of the same messages, and messages of its own."""


def declared(page: str) -> dict[str, frozenset[str]]:
    """Every message that a page gets, with its fields.

    Examples
    --------
    >>> sorted(set(declared("place")) - set(TO_PAGE))
    ['cards', 'charts']
    """
    own = OF_PAGE[page]
    return {kind: TO_PAGE.get(kind, frozenset()) | own.get(kind, frozenset()) for kind in {**TO_PAGE, **own}}
