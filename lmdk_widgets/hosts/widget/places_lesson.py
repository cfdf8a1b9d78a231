"""A figure of the lesson on places: what each mechanism loses at each privacy level."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.course.places import LEVELS, SMALL, TITLES, cells, losses
from lmdk_widgets.hosts.widget.lessons import curves
from lmdk_widgets.page.amounts import metres

SHOWN = ("optimal", "remapped", "planar")


def levels_figure() -> tuple[dict[str, Any], str]:
    """The quality loss of mechanisms on 4 x 4 cells against the privacy level, and a sentence that says what it shows."""
    series = {TITLES[name]: losses(name) for name in SHOWN}
    figure = curves(
        series,
        x=range(len(LEVELS)),
        x_title="privacy level ε within 600 m",
        y_title="off by, m",
        levels={"no report at all": cells(SMALL).blind_m},
        ticks={f"{level:g}": k for k, level in enumerate(LEVELS)},
    )
    k = LEVELS.index(1.0)
    said = ", ".join(f"{title} {metres(float(values[k]))}" for title, values in series.items())
    return figure, f"At a level of 1: {said}. Guessing without a report is {metres(cells(SMALL).blind_m)} off."
