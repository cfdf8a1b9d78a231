"""A page without a browser: messages are told to its widget, and what it sends is kept.

lab = listening(QuiltLab())
change(lab, put("epsilon", 2))["type"]      # "numbers", or "refused"
"""

from __future__ import annotations

from typing import Any


def listening(lab: Any) -> Any:
    """The same widget, whose messages and buffers go to the list `lab.sent`."""
    lab.sent = []
    lab.send = lambda content, buffers=None: lab.sent.append((content, buffers or []))
    return lab


def tell(lab: Any, type_: str, buffers: list | None = None, **content: Any) -> list[dict[str, Any]]:
    """What the widget answers to a message of its page."""
    lab.sent.clear()
    lab._on_message(lab, {"type": type_, "view": "v", **content}, buffers or [])
    return [message for message, _ in lab.sent]


def change(lab: Any, *operations: dict[str, Any], commit: bool = True) -> dict[str, Any]:
    """The numbers that follow from operations, or the sentence that refuses them."""
    found = tell(lab, "change", id=1, operations=list(operations), commit=commit)
    return next(m for m in found if m["type"] in ("numbers", "refused"))


def put(name: str, value: object) -> dict[str, Any]:
    """The operation that gives a choice its value."""
    return {"op": "set", "name": name, "value": value}
