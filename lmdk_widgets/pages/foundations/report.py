"""The foundations page as it is taken away: the charts of the part that is shown, and its parts of the report."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.io.report import Part, paragraph, table
from lmdk_widgets.page.drawing import Picture, plain_figure
from lmdk_widgets.pages.foundations import FoundationsOutcome
from lmdk_widgets.pages.foundations.release import Release
from lmdk_widgets.pages.foundations.scenes import steps
from lmdk_widgets.trajectory.words import counted

TITLES = {
    "noise": {
        "outputs": "What two neighbouring inputs make likely",
        "ratio": "How many times likelier",
        "belief": "What a belief can become",
        "people": "Error, and how many people it takes",
    },
    "stream": {
        "counts": "The count of each hour",
        "counter": "The pan-private counter",
        "budgets": "What each hour gets",
    },
    "adding": {
        "rules": "What the rules say, and what may be true",
        "belief": "Two coins: a belief about Donald",
    },
}
"""The charts of each part by their names, as the page calls them."""

TABLES: dict[str, tuple[str, list[str]]] = {
    "table": ("How well the classes hide", ["measure", "here", "meaning"]),
    "noise": ("The mechanism in numbers", ["what", "here", "meaning"]),
    "stream": (
        "The levels beside each other",
        ["level", "ε of an hour", "error", "ε of a day there", "whom it protects"],
    ),
    "adding": ("The rules", ["rule", "says", "here, up to", "because"]),
}
"""The table of each part: its title and its headings."""

MOST_CLASSES = 100
"""Classes of a published table that a report lists; the others are counted."""


def foundation_pictures(part: str, figures: dict[str, Any]) -> list[Picture]:
    """The charts of the part that is shown; that on tables has none."""
    return [Picture(n, TITLES[part][n], plain_figure(one["figure"]), one["summary"]) for n, one in figures.items()]


def foundation_parts(outcome: FoundationsOutcome, rows: list[list[str]]) -> list[Part]:
    """The table of the part that is shown; of a published table its classes, and the attack that is played."""
    title, heads = TABLES[outcome.choices.part]
    parts = [Part(title, [table(title, heads, rows)])] if rows else []
    if outcome.choices.part != "table":
        return parts
    shown = outcome.shown
    release = shown.release
    more = len(release) - MOST_CLASSES
    beyond = [paragraph(f"And {counted(more, 'smaller class', 'smaller classes')}.")] if more > 0 else []
    classes = Part("The table as it is published", [_classes(release), *beyond])
    played = [] if shown.scene is None else [paragraph(f"{s.title}: {s.text}") for s in steps(shown.table, shown.scene)]
    return [classes, *parts, *([Part("The attack", played)] if played else [])]


def _classes(release: Release) -> str:
    heads = [release.table.heads[k] for k in release.publishing.quasi]
    rows = [
        [str(k + 1), *release.published(int(row)), f"{size:,}"]
        for k, (row, size) in enumerate(zip(release.first.tolist(), release.size.tolist(), strict=True))
    ]
    return table("Classes of people who look alike", ["class", *heads, "people"], rows[:MOST_CLASSES])
