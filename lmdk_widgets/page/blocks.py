"""Blocks: a page's tables, charts and notes, defined once and the same on the page, in its report and in its files.

    Table, Cards, Chart, Text, Notes  --message()-->  the page, the board of a class, a what-if (frontend/src/page/blocks.js)
                                      --html()----->  a report, a page without a kernel
                                      --csv()------>  a file, of a table or of cards

Headings and titles are written here, in Python, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from lmdk_widgets.io import report
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.answers import Answer, answers_message
from lmdk_widgets.page.drawing import Message, plain_figure

_MOST_DRAWN = 2_000
"""A chart that leaves the page draws this many values of a long array, evenly spread."""


_LOW = 84
"""Height in pixels of a chart on the first page of a report."""

_FEW_TICKS = 2
"""There, every second time is labelled."""


@dataclass(frozen=True)
class Text:
    """A paragraph; look: "said" for what stands out, "answer" for what a fold shows first, above its controls, "quiet" for
    what is less important. below: the choice below whose
    control the page shows it; "" among the other blocks of its panel."""

    text: str
    look: str = ""
    below: str = ""

    def message(self) -> str:
        """For the page: the text itself."""
        return self.text

    def html(self) -> str:
        """For a report."""
        return report.paragraph(self.text, "said" if self.look == "answer" else self.look)


@dataclass(frozen=True)
class Notes:
    """What a page says above its drawings: what the settings mean, the assumption behind that, and where it does not hold."""

    paragraph: str
    assumption: str
    warnings: tuple[str, ...] = ()

    def message(self) -> Message:
        """For the page."""
        return asdict(self)

    def html(self) -> str:
        """For a report: the answer and its warnings; the assumption is where the report says what it rests on."""
        return report.paragraph(self.paragraph, "said") + report.bullets(self.warnings, "warnings")

    def lines(self) -> list[str]:
        """For a page without a kernel: all of it, one line each."""
        return [self.paragraph, *self.warnings, self.assumption]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    key : its name in files, with its unit, if any ("error_m"); "" for a column that only the page shows.
    heading : on the page and in the report. None: the column appears only in files.
    form : how a value is written for people. align : how the written value is aligned.
    warned : whether a value is drawn as a warning.
    sort : what a click on its heading asks the page to do, as `Session.apply` takes it; None: it does nothing.
    order : how it is sorted now: "ascending" or "descending"; "" if the rows are not in its order.
    """

    key: str
    heading: str | None = None
    form: Callable[[Any], str] = str
    align: Literal["left", "right"] = "left"
    warned: Callable[[Any], bool] | None = None
    sort: Mapping[str, Any] | None = None
    order: Literal["", "ascending", "descending"] = ""

    def message(self) -> Message:
        """For the page."""
        told = {"heading": self.heading, "align": self.align}
        return told if self.sort is None else told | {"sort": self.sort, "order": self.order}


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows.

    Attributes
    ----------
    title : its name. columns : in order. rows : of values, one for each column.
    notes : a sentence under each row, or none at all. marked : the present row, -1 for none.
    acts : what a click on each row asks the page to do, as `Session.apply` takes it, or None; none at all: rows are
    not clicked.
    signs : before the name of each row; a row with a sign is a good one. waits : whether rows are still to come: the page
    shows the previous ones until there are as many.

    Examples
    --------
    >>> columns = (Column("name", "name"), Column("error_m", "error", "{:.0f} m".format, "right"), Column("seed"))
    >>> table = Table("Errors", columns, (("Laplace", 168.25, 3),))
    >>> table.message()["rows"], table.message()["columns"][1]
    ([['Laplace', '168 m']], {'heading': 'error', 'align': 'right'})
    >>> print(table.csv(note="simulation"), end="")
    name,error_m,seed,note
    Laplace,168.25,3,simulation
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Sequence[Any], ...] = ()
    notes: tuple[str, ...] = ()
    marked: int = -1
    acts: tuple[Mapping[str, Any] | None, ...] = ()
    signs: tuple[str, ...] = ()
    waits: bool = False

    @classmethod
    def of_texts(cls, title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
        """A table of texts, only for the page and the report; a table of names and values has "" for headings."""
        return cls(title, tuple(Column("", heading) for heading in headings), tuple(rows))

    def _shown(self) -> list[tuple[int, Column]]:
        return [(k, column) for k, column in enumerate(self.columns) if column.heading is not None]

    def texts(self) -> list[list[str]]:
        """The rows as people read them."""
        shown = self._shown()
        return [[column.form(row[k]) for k, column in shown] for row in self.rows]

    def warned(self) -> list[list[int]]:
        """Row and shown column of each value that is drawn as a warning."""
        told = [(at, k, column.warned) for at, (k, column) in enumerate(self._shown()) if column.warned is not None]
        return [[r, at] for r, row in enumerate(self.rows) for at, k, is_warned in told if is_warned(row[k])]

    def message(self) -> Message:
        """For the page."""
        columns = [column.message() for _, column in self._shown()]
        more = {"notes": list(self.notes), "warned": self.warned(), "marked": self.marked}
        if self.acts or self.waits:
            more |= {"acts": list(self.acts), "signs": list(self.signs), "waits": self.waits}
        return {"title": self.title, "columns": columns, "rows": self.texts(), **more}

    def html(self) -> str:
        """For a report and a page without a kernel; nothing if there are no rows."""
        if not self.rows:
            return ""
        shown = [column for _, column in self._shown()]
        heads = [column.heading or "" for column in shown]
        return report.table(
            self.title,
            heads if any(heads) else (),
            self.texts(),
            right=[column.align == "right" for column in shown],
            notes=self.notes,
        )

    def csv(self, *, note: str | Sequence[str], digits: int | None = None) -> str:
        """For a file: every column that has a key, in full precision, or with this many digits."""
        kept = [(k, column.key) for k, column in enumerate(self.columns) if column.key]
        return table_csv({key: [row[k] for row in self.rows] for k, key in kept}, note=note, digits=digits)


class Act(NamedTuple):
    """What a button asks the page to do.

    Attributes
    ----------
    label : its text. operation : as `Session.apply` takes it. title : what it does, in a sentence, where the label does not
    say it.
    where : "page" for a button that needs a kernel, "file" for one that only a file without a kernel has; "" for one that
    such a file has too if the choice that it sets stays open there.
    """

    label: str
    operation: Mapping[str, Any]
    title: str = ""
    where: Literal["", "page", "file"] = ""

    def message(self) -> Message:
        """For the page."""
        more = {"title": self.title, "where": self.where}
        return {"label": self.label, "operation": self.operation} | {name: said for name, said in more.items() if said}


@dataclass(frozen=True)
class Buttons:
    """Buttons in a row; below: as of a `Text`. Paper has none.

    Examples
    --------
    >>> Buttons((Act("Unpin", {"op": "set", "name": "pinned", "value": None}, where="page"),)).message()[0]["where"]
    'page'
    """

    acts: tuple[Act, ...]
    below: str = ""

    def message(self) -> list[Message]:
        """For the page."""
        return [act.message() for act in self.acts]

    def html(self) -> str:
        """For a report: nothing."""
        return ""


@dataclass(frozen=True)
class Card:
    """A setting with its answers.

    Attributes
    ----------
    name : a word: "Now". about : the setting in one line. answers : as numbers; none for a place that is still empty.
    said : what is shown instead of them. act : its button; None for none.
    values : its values in a file, by the keys of the columns. picture : a small map or chart for a static page, made by
    `io.report.drawn`; "" for none. The page draws its own.
    """

    name: str
    about: str = ""
    answers: tuple[Answer, ...] = ()
    said: str = ""
    act: Act | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    picture: str = ""

    def message(self) -> Message:
        """For the page."""
        act = None if self.act is None else self.act.message()
        told = {"name": self.name, "about": self.about, "said": self.said, "act": act}
        return {**told, "answers": answers_message(self.answers)}

    def html(self) -> str:
        """For a report and a page without a kernel; nothing for an empty place."""
        if not self.answers:
            return ""
        rows = [(each.name, each.short or each.line, each.value) for each in self.answers]
        return report.card(self.name, self.about, self.picture, rows)


@dataclass(frozen=True)
class Cards:
    """Settings side by side, each with its answers.

    Attributes
    ----------
    title : what they are. cards : in order. note : a sentence about the numbers on all of them; "" for none.

    Examples
    --------
    >>> cards = Cards("Settings", (Card("Now", "epsilon 1", (Answer("Useful", "740 m", "off"),), values={"epsilon": 1.0}),))
    >>> cards.message()["cards"][0]["answers"][0]["value"]
    '740 m'
    >>> print(cards.csv(note="simulation"), end="")
    setting,epsilon,note
    Now,1.0,simulation
    """

    title: str
    cards: tuple[Card, ...]
    note: str = ""

    def message(self) -> Message:
        """For the page."""
        return {"title": self.title, "note": self.note, "cards": [card.message() for card in self.cards]}

    def html(self) -> str:
        """For a report and a page without a kernel."""
        note = report.paragraph(self.note, "quiet") if self.note else ""
        return report.cards([html for card in self.cards if (html := card.html())]) + note

    def csv(self, *, note: str | Sequence[str], digits: int | None = None) -> str:
        """For a file: a row for each setting, in full precision, or with this many digits."""
        rows = [{"setting": card.name, **card.values} for card in self.cards if card.answers]
        keys = list(rows[0]) if rows else ["setting"]
        return table_csv({key: [row[key] for row in rows] for key in keys}, note=note, digits=digits)


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart with its title and a sentence that says what it shows. "meta" of a trace may contain what a click on each of
    its marks asks the page to do, as `Session.apply` takes it.

    Attributes
    ----------
    name : short, for its file and in messages. figure : a description in plotly's form, in which ``{"$": "past"}`` stands
    for an array. summary : what it shows, in words. arrays : those arrays by name. beside : whether the page already shows
    the sentence next to the chart.
    """

    name: str
    title: str
    figure: Mapping[str, Any]
    summary: str
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    beside: bool = False

    def message(self) -> Message:
        """For the page, to which the arrays are sent separately."""
        return {"title": self.title, "figure": self.figure, "summary": "" if self.beside else self.summary}

    def alone(self) -> Chart:
        """The same chart in plain values, with each array filled in, evenly thinned if it is long."""
        filled = _with_arrays(self.figure, {name: _few(array) for name, array in self.arrays.items()})
        return Chart(self.name, self.title, plain_figure(filled), self.summary)

    def low(self) -> Chart:
        """The same chart, low enough for three to fit next to a map on paper."""
        layout = {**self.figure["layout"], "height": _LOW}
        if "xaxis" in layout:
            below = {name: value for name, value in layout["xaxis"].items() if name != "title"}
            layout["xaxis"] = below | {
                name: below[name][::_FEW_TICKS] for name in ("tickvals", "ticktext") if name in below
            }
        return replace(self, figure={**self.figure, "layout": layout})

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw yet."""
        return not any(trace.get("y") or trace.get("x") for trace in self.alone().figure["data"])

    def html(self) -> str:
        """For a report, whose program draws it."""
        return report.chart(self.title, self.alone().figure, self.summary)


Block = Text | Table | Cards | Chart | Buttons
"""What a part of a page can contain, one below the other; notes are shown above its drawings."""


def block_messages(blocks: Iterable[Block]) -> list[Message]:
    """Blocks of any kind for the page, one below the other, with the arrays of charts filled in.

    Examples
    --------
    >>> block_messages([Text("Two are open.")])
    [{'kind': 'text', 'shown': 'Two are open.'}]
    """
    told = [replace(block.alone(), beside=block.beside) if isinstance(block, Chart) else block for block in blocks]
    return [{"kind": type(block).__name__.lower(), "shown": block.message()} | _where(block) for block in told]


def _where(block: Block) -> Message:
    """How a block looks on the page, and below which control it is, where that is said."""
    said = {"look": getattr(block, "look", ""), "below": getattr(block, "below", "")}
    return {name: value for name, value in said.items() if value}


def chart_messages(charts: Sequence[Chart]) -> dict[str, Message]:
    """Charts for the page by their names."""
    return {chart.name: chart.message() for chart in charts}


def _few(array: np.ndarray) -> np.ndarray:
    """An array, or evenly spread values of a long one."""
    if len(array) <= _MOST_DRAWN:
        return array
    return array[np.unique(np.linspace(0, len(array) - 1, _MOST_DRAWN).round().astype(int))]


def _with_arrays(value: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    """A figure with its arrays instead of their names."""
    if isinstance(value, Mapping):
        if "$" in value:
            return arrays[value["$"]]
        return {name: _with_arrays(entry, arrays) for name, entry in value.items()}
    return [_with_arrays(entry, arrays) for entry in value] if isinstance(value, list) else value
