"""From the choices of the table page to everything that it shows; only the chosen part is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lmdk_widgets.page.answers import Answer
from lmdk_widgets.page.blocks import Chart, Notes
from lmdk_widgets.page.blocks import Table as TableBlock
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.pages.table.model import TableChoices
from lmdk_widgets.pages.table.neighbours import noise_of
from lmdk_widgets.pages.table.noise import noise_answers, noise_csv, noise_table, noise_words
from lmdk_widgets.pages.table.noise_charts import noise_charts
from lmdk_widgets.pages.table.people_found import cost_charts, table_answers
from lmdk_widgets.pages.table.published import (
    measures_table,
    published,
    published_csv,
    published_told,
    published_words,
)
from lmdk_widgets.pages.table.sequence import (
    sequence_answers,
    sequence_charts,
    sequence_csv,
    sequence_of,
    sequence_table,
    sequence_told,
    sequence_words,
)
from lmdk_widgets.pages.table.stacked_charts import stacked_charts
from lmdk_widgets.pages.table.stacked_releases import (
    stacked_answers,
    stacked_csv,
    stacked_of,
    stacked_table,
    stacked_told,
    stacked_words,
)
from lmdk_widgets.pages.table.stream import (
    stream_answers,
    stream_csv,
    stream_of,
    stream_table,
    stream_told,
    stream_words,
)
from lmdk_widgets.pages.table.stream_charts import stream_charts
from lmdk_widgets.pages.table.sums import (
    sums_answers,
    sums_charts,
    sums_csv,
    sums_of,
    sums_table,
    sums_words,
)
from lmdk_widgets.pages.table.table import Table


class Part(NamedTuple):
    """A part of the page. What it shows follows from the choices, and from the user's own table if there is one; everything
    else follows from the choices and what it shows.

    Attributes
    ----------
    shown : what is computed. answers : as numbers, on the first screen. words : what they mean. table : numbers side by side.
    csv : its file. charts : its charts; the part on tables also draws its people. told : what else the page gets.
    """

    shown: Callable[[TableChoices, Table | None], Any]
    answers: Callable[[TableChoices, Any], tuple[Answer, Answer, Answer]]
    words: Callable[[TableChoices, Any], Notes]
    table: Callable[[TableChoices, Any], TableBlock]
    csv: Callable[[TableChoices, Any], str]
    charts: Callable[[TableChoices, Any], list[Chart]]
    told: Callable[[TableChoices, Any], Message] = lambda _choices, _shown: {}


def _noise(choices: TableChoices, _own: Table | None) -> Any:
    return noise_of(choices)


def _stream(choices: TableChoices, _own: Table | None) -> Any:
    return stream_of(choices)


def _stacked(choices: TableChoices, _own: Table | None) -> Any:
    return stacked_of(choices)


def _sums(choices: TableChoices, _own: Table | None) -> Any:
    return sums_of(choices)


def _sequence(choices: TableChoices, _own: Table | None) -> Any:
    return sequence_of(choices)


PARTS = {
    "table": Part(
        published, table_answers, published_words, measures_table, published_csv, cost_charts, published_told
    ),
    "noise": Part(_noise, noise_answers, noise_words, noise_table, noise_csv, noise_charts),
    "stream": Part(_stream, stream_answers, stream_words, stream_table, stream_csv, stream_charts, stream_told),
    "adding": Part(_stacked, stacked_answers, stacked_words, stacked_table, stacked_csv, stacked_charts, stacked_told),
    "sums": Part(_sums, sums_answers, sums_words, sums_table, sums_csv, sums_charts),
    "sequence": Part(
        _sequence,
        sequence_answers,
        sequence_words,
        sequence_table,
        sequence_csv,
        sequence_charts,
        sequence_told,
    ),
}
"""The parts of the page by the choice that shows them."""


@dataclass(frozen=True, eq=False)
class TableOutcome:
    """The choices, and what the chosen part shows.

    Attributes
    ----------
    choices, own : what it came from; the second is the uploaded table, if there is one.
    shown : of the part on tables `Published`, on noise `Noise`, on a stream `Stream`, on adding
    up `StackedReleases`, on sums `Sums`, on a sequence `Sequence` by the remedy.
    """

    choices: TableChoices
    own: Table | None
    shown: Any

    @property
    def part(self) -> Part:
        """The part that is shown."""
        return PARTS[self.choices.part]


def evaluate(choices: TableChoices, own: Table | None = None) -> TableOutcome:
    """Everything that follows from the choices; `own` is the user's own table, if there is one.

    Raises
    ------
    InputError : columns that the table lacks or that do not fit together.

    Examples
    --------
    >>> outcome = evaluate(TableChoices(levels=(4, 2)))
    >>> outcome.shown.measures.k, outcome.shown.measures.closeness
    (3, 0.5)
    """
    return TableOutcome(choices, own, PARTS[choices.part].shown(choices, own))


def describe(outcome: TableOutcome) -> Notes:
    """What the settings mean, in sentences."""
    return outcome.part.words(outcome.choices, outcome.shown)
