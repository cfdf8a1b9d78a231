"""The tour of the landmark page in eight steps: each stands beside one part of the page, which can be tried meanwhile."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A step. `part`: the choice, or the part of the page, that it stands beside."""

    part: str
    title: str
    text: str


TOUR: tuple[Step, ...] = (
    Step(
        "track",
        "A track",
        "Bob's day in Paris: eight timestamps, each with a place. Choose a longer track, or upload one of your own: it "
        "stays on this computer.",
    ),
    Step(
        "mappart",
        "The moments that matter",
        "A diamond is a landmark, a moment that matters to Bob; a dot is a regular one; a cross is where its release lies. "
        "Click a dot to make it a landmark; on the keyboard, arrows and Space do it.",
    ),
    Step(
        "scheme",
        "How the budget is spread",
        "A scheme says how much of epsilon each timestamp spends. Choose Event level: the releases come closer, and the page "
        "warns of what the landmarks then spend together.",
    ),
    Step(
        "epsilon",
        "How much may be told",
        "A small epsilon tells little and errs much. Drag it, or use the arrow keys, and watch the crosses and the text.",
    ),
    Step(
        "correlation",
        "What is known beforehand",
        "Places follow each other, and who knows how learns more than the budgets say. Choose Strong, then None.",
    ),
    Step(
        "words",
        "What it means",
        "The first sentence says in odds and metres what can be learned. Open the line beneath it to read where a promise "
        "ends. Words with dots beneath explain themselves.",
    ),
    Step(
        "timelinepart",
        "Budgets, losses, errors",
        "A column for each timestamp: what it spends, what all releases together tell about it, and how far off it is "
        "reported. A click marks a landmark here too.",
    ),
    Step(
        "header",
        "Keep it, and go on",
        "Undo takes back what you tried. Save writes files, the link keeps your settings. The lessons tell the whole story, "
        "with questions.",
    ),
)
