"""The quilts page as it is taken away: its charts, and its parts of the report."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.io.report import Part, bullets, paragraph, table
from lmdk_widgets.page.drawing import Picture, plain_figure
from lmdk_widgets.pages.quilts import QuiltOutcome
from lmdk_widgets.pages.quilts import compose_words as together
from lmdk_widgets.pages.quilts import words as said
from lmdk_widgets.pages.quilts.figures import quilt_figures
from lmdk_widgets.pages.quilts.words import chain_sentences

TITLES = {
    "influence": "Influence against distance",
    "nodes": "Noise that each timestamp needs",
    "histogram": "The histogram, true and released",
    "methods": "Compared with other mechanisms",
    "stack": "Epsilon of the stacked releases",
    "gap": "Guarantee against the gap",
    "story": "Epsilon of Alice, of Bob, and of both",
}
"""The charts by their names, as the page calls them."""

HEADS = ["mechanism", "σ", "noise of a bar", "error", "protects"]

MOST_DRAWN = 2_000
"""So many values of a long series are drawn, evenly spread."""


def quilt_pictures(outcome: QuiltOutcome) -> list[Picture]:
    """Every chart of the page with the sentence that says what it shows."""
    figures, arrays = quilt_figures(outcome)
    summaries = quilt_summaries(outcome) | {
        "stack": together.stack_summary(outcome),
        "gap": " ".join(together.segments_sentences(outcome)[:1]),
        "story": outcome.story.story()[-1],
    }
    drawn = {name: few(array) for name, array in arrays.items()}
    return [
        Picture(name, title, plain_figure(_with_arrays(figures[name], drawn)), summaries[name])
        for name, title in TITLES.items()
        if name in figures
    ]


def quilt_summaries(outcome: QuiltOutcome) -> dict[str, str]:
    """What the main charts show, in sentences."""
    return {
        "influence": said.influence_summary(outcome),
        "nodes": said.nodes_summary(outcome),
        "histogram": said.histogram_summary(outcome),
        "methods": said.methods_summary(outcome),
    }


def quilt_parts(outcome: QuiltOutcome) -> list[Part]:
    """The mechanisms in numbers, and how releases compose."""
    conditions = [f"{'Met' if kept else 'Not met'}: {text}" for text, kept in together.far_conditions(outcome)]
    composed = [
        paragraph(together.stack_summary(outcome)),
        *map(paragraph, together.segments_sentences(outcome)),
        paragraph(together.far_sentence(outcome)),
        bullets(conditions),
    ]
    rows = table("Mechanisms compared", HEADS, said.method_rows(outcome))
    return [
        Part("The mechanisms in numbers", [rows, bullets(said.method_notes(outcome))]),
        Part("Several releases", composed),
        Part("Two private releases that are not private together", [paragraph(text) for text in outcome.story.story()]),
    ]


def quilt_chain(outcome: QuiltOutcome) -> list[str]:
    """The chain that adversaries believe, as HTML."""
    return [paragraph(text) for text in chain_sentences(outcome)]


def few(array: np.ndarray) -> np.ndarray:
    """An array, or evenly spread values of a long one."""
    if len(array) <= MOST_DRAWN:
        return array
    return array[np.unique(np.linspace(0, len(array) - 1, MOST_DRAWN).round().astype(int))]


def _with_arrays(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A figure with its arrays in place of their names."""
    if isinstance(value, dict):
        if "$" in value:
            return arrays[value["$"]]
        return {name: _with_arrays(entry, arrays) for name, entry in value.items()}
    return [_with_arrays(entry, arrays) for entry in value] if isinstance(value, list) else value
