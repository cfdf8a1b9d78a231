"""The number questions of all lessons, each with data that are drawn."""

from __future__ import annotations

from lmdk_widgets.course.exam.drawn import budgets, found_today, losses, noise, start
from lmdk_widgets.course.exam.drawn.family import Family

FAMILIES: dict[str, Family] = {
    each.name: each for module in (start, found_today, noise, budgets, losses) for each in module.FAMILIES
}
"""The families by the names of their questions."""

__all__ = ["FAMILIES", "Family"]
