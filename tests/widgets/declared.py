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
    "upload": frozenset({"name", "piece", "pieces", "purpose"}),
    "cancel-upload": frozenset(),
    "reload": frozenset({"timezone", "day_first", "on_problem"}),
    "save": frozenset({"what"}),
    "python": frozenset(),
    "cancel": frozenset(),
    "resume": frozenset(),
    "library": frozenset({"name"}),
}
"""What a page sends."""

TO_PAGE: dict[str, frozenset[str]] = {
    "options": frozenset({"fields", "groups", "version", "suffixes", "formats", "most_bytes", "glossary"}),
    "numbers": frozenset(
        {"choices", "visible", "can_undo", "can_redo", "busy", "link", "left_out", "too_long", "words"}
    ),
    "draw": frozenset(),
    "refused": frozenset({"text", "kind", "rows", "row_name", "more"}),
    "file": frozenset({"name", "mime"}),
    "copy": frozenset({"text", "said"}),
    "received": frozenset(),
    "read": frozenset(),
    "say": frozenset({"text"}),
}
"""What every page gets."""

OF_PAGE: dict[str, dict[str, frozenset[str]]] = {
    "landmarks": {
        "numbers": frozenset({"summary", "proposed", "compared"}),
        "track": frozenset({"n", "name", "labels", "places", "notices"}),
        "clock": frozenset({"zone", "about"}),
        "chain": frozenset({"states", "text", "rows"}),
        "draw": frozenset({"figure"}),
    },
    "places": {
        "options": frozenset({"presets"}),
        "numbers": frozenset({"certificate", "guarantee", "epsilon", "known", "stale", "status", "charts_wait"}),
        "charts": frozenset({"figures"}),
        "draw": frozenset({"shown", "names", "base", "summary"}),
    },
    "quilts": {
        "numbers": frozenset(
            {
                "timeline",
                "rows",
                "protects",
                "notes",
                "chain",
                "stack",
                "segments",
                "far",
                "conditions",
                "story",
                "shown",
            }
        ),
        "draw": frozenset({"figures", "summaries", "timeline"}),
    },
    "foundations": {"numbers": frozenset({"told"}), "draw": frozenset({"drawn"})},
}
"""What one page gets beside that: more fields of the same messages, and messages of its own."""


def declared(page: str) -> dict[str, frozenset[str]]:
    """Every message that a page gets, with its fields.

    Examples
    --------
    >>> sorted(set(declared("places")) - set(TO_PAGE))
    ['charts']
    """
    own = OF_PAGE[page]
    return {kind: TO_PAGE.get(kind, frozenset()) | own.get(kind, frozenset()) for kind in {**TO_PAGE, **own}}
