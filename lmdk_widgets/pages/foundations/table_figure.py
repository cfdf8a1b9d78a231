"""A published table as the foundations page gets it: its columns, its measures, its classes, and the steps of an attack."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.anonymity.attacks import PLAYABLE
from lmdk_widgets.pages.foundations.model import NO_ATTACK
from lmdk_widgets.pages.foundations.outcome import FoundationsOutcome, Published
from lmdk_widgets.pages.foundations.scenes import steps
from lmdk_widgets.pages.foundations.table import describe_table
from lmdk_widgets.pages.foundations.words import (
    MARKED,
    column_list,
    hidden_column,
    measure_rows,
    picture_summary,
)

LOOKS = 8
"""Values of the sensitive column that have a look of their own; the others share one."""
BLOCKS = 300
"""Classes of a large table that are drawn one by one; the smaller ones are drawn as one."""


def table_text(outcome: FoundationsOutcome) -> dict[str, Any]:
    """What changes in words and controls."""
    shown, choices = outcome.shown, outcome.choices
    scene = shown.scene
    return {
        "columns": column_list(shown),
        "own": "" if outcome.own is None else describe_table(outcome.own),
        "rows": measure_rows(shown),
        "attacks": [[name, name.capitalize(), attack.family] for name, attack in PLAYABLE.items()],
        "attack": "" if choices.attack == NO_ATTACK else choices.attack,
        "steps": [] if scene is None else [_marked(step, shown) for step in steps(shown.table, scene)],
    }


def _marked(step: Any, shown: Published) -> dict[str, Any]:
    """A step with what the picture marks: people where each has a mark, else their classes."""
    if len(shown.table) <= MARKED:
        return {"title": step.title, "text": step.text, "marks": list(step.rows)}
    of_row = shown.release.of_row
    classes = np.unique(of_row[list(step.rows)]) if step.rows else np.array([], int)
    marks = sorted({int(min(k, BLOCKS)) for k in classes if k >= 0})
    return {"title": step.title, "text": step.text, "marks": marks}


def table_drawing(outcome: FoundationsOutcome) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The classes with their people, or with how many people have each value."""
    shown = outcome.shown
    release, table = shown.release, shown.table
    column = table.coded[release.publishing.sensitive]
    looks, names = _looks(shown)
    drawn = {
        "classes": [list(release.published(int(row))) for row in release.first[:BLOCKS]],
        "legend": names,
        "hidden": hidden_column(shown),
        "summary": picture_summary(shown),
        "people": [],
    }
    arrays = {"sizes": release.size, "of_row": np.array([], int), "counts": np.array([], int)}
    look = looks[column.code]
    if len(table) <= MARKED:
        drawn["people"] = [[table.person(row), str(names[look[row]])] for row in range(len(table))]
        return drawn, arrays | {"of_row": release.of_row, "looks": look}
    inside = release.of_row >= 0
    block = np.minimum(release.of_row[inside], BLOCKS)
    n_blocks = min(len(release), BLOCKS + 1)
    counts = np.bincount(block * len(names) + look[inside], minlength=n_blocks * len(names))
    sizes = np.bincount(block, minlength=n_blocks)
    return drawn, arrays | {"sizes": sizes, "counts": counts, "looks": np.array([], int)}


def _looks(shown: Published) -> tuple[np.ndarray, list[str]]:
    """The look of each code of the sensitive column, and what each look stands for; the most frequent values first."""
    column = shown.table.coded[shown.release.publishing.sensitive]
    times = np.bincount(column.code, minlength=column.count)
    order = np.argsort(-times, kind="stable")
    words = [*map(str, column.values), *["no value"] * column.missing]
    looks = np.empty(column.count, np.int64)
    looks[order] = np.minimum(np.arange(column.count), LOOKS)
    names = [words[k] for k in order[:LOOKS]]
    more = column.count - LOOKS
    return looks, names + ([f"{more:,} other values" if more > 1 else words[order[-1]]] if more > 0 else [])
