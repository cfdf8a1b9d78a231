"""What charts share: a palette that colour-blind people can tell apart, a grey, and a line."""

from __future__ import annotations

from typing import Any

BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#2b8cc4", "#e08a00", "#009e73", "#b0508f", "#56b4e9", "#7f8a96"
RED = "#c8503c"


def line(
    name: str, x: Any, y: Any, colour: str, dash: str = "solid", mode: str = "lines", **more: Any
) -> dict[str, Any]:
    """The trace of a line through points; `more` of plotly's entries come beside these."""
    style = {"color": colour, "dash": dash, "width": 2}
    return {"type": "scatter", "name": name, "x": x, "y": y, "mode": mode, "line": style, **more}
