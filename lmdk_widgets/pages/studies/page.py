"""The Studies page, a plain object: it opens results, draws them with error bars in panels, and shows a mark's
setting."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.page import reading
from lmdk_widgets.page.amounts import amount, count, whole
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.link import to_query
from lmdk_widgets.page.messages import Handler, Messenger, Runners, Send
from lmdk_widgets.page.runner import END, Inline
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.studies.figures import COLUMNS, INFINITE, Mark, facets, infinite_rows, marks_of, titled
from lmdk_widgets.practice.chosen_practice import chosen_on_page, practice_of

if TYPE_CHECKING:
    from lmdk_widgets.study.opened_results import Columns, Opened

MOST_BYTES = 8_000_000
"""The most bytes of all files together, which come in one message."""
MOST_CELLS = 4_000_000
"""The most values of results that a browser sends: rows times columns."""

MOST_PANELS = 12
"""With more tracks than this, such as those of people, what is shown first are means over all of them."""

MOST_HELD = 1000
"""The most requests that are kept while results are read: the last ones."""

ABOUT = (
    "A study evaluates thousands of settings: “lmdk study FILE.toml” runs one on your own computer. Open its results "
    "here, all Parquet files in the directory it wrote, or a CSV file, to see means with bars of one standard error. "
    "Click a mark to see its setting and open it."
)

OWN = "the tracks of this study"
"""What results reveal information about."""

NO_PRACTICE = "none"
"""What a study calls a setting without a practice of today."""

ROLES = {"y": "Show", "x": "Against", "colour": "A curve for each", "facet": "A panel for each"}
"""What a user chooses for the figure, and its labels."""

MARKS = "The marks in numbers"
HEADINGS = ("Panel", "Curve", "Against", "Mean", "Standard error", "Evaluations")
SETTING = "Setting"
"""The heading of what the page puts beside each mark, to show its setting."""
MOST_MARKS = 300
"""The most marks whose numbers are listed."""


class StudiesPage(Messenger):
    """The results of a study, in figures.

    Parameters
    ----------
    results : a data frame of `Study.run`, or the directory or file that contains them; by default a small study of
        Bob's day.
    send : sends a message and its buffers to the browser; None: nobody listens.
    runner : makes what reads files in the background. query : of an address, which has nothing for this page.

    Attributes
    ----------
    opened : the results. name : what they are called, and how many they are.
    form : what can be chosen. figure, summary, table : what is drawn, in a sentence, and in numbers.
    picked : the setting of a mark, or nothing.

    Raises
    ------
    InputError : invalid results.
    """

    MODULE = "studies.js"

    opened: Opened
    picked: dict[str, str]

    def __init__(
        self, results: Any = None, *, send: Send | None = None, runner: Runners = Inline, query: str = ""
    ) -> None:
        super().__init__()
        self._narrow, self._apart, self._reading = False, _read_here, runner()
        self._held: list[tuple[Message, list[Any]]] = []  # requests that wait while results are read
        self.show_results(_example() if results is None else _from_python(results))
        self._is_example = results is None
        self._tell = send  # a browser asks for the present state when it is ready

    def about(self) -> Message:
        return {"about": ABOUT, "most_bytes": MOST_BYTES}

    def show_results(self, opened: Opened) -> None:
        """Show other results."""
        self.opened, self._is_example = opened, False
        self.name = sentence("{study}: {evaluations}", study=opened.name, evaluations=count(len(opened), "evaluation"))
        self._chosen = _first_view(opened)
        self._draw()

    def choose(self, name: str, value: Any) -> None:
        """Choose what is shown, one of `ROLES`, or the value of a choice that is not shown.

        Raises
        ------
        InputError : an unknown name or value.
        """
        field = next((field for field in self.form if field["name"] == name), None)
        if field is None:
            raise refused("the name of a choice", "one in the form", name)
        one_of(value, field["label"], [option[0] for option in field["options"]])
        chosen = self._chosen | {name: value}
        roles = ("x", "colour", "facet")
        for role in roles:  # a choice is shown in one place
            if value and name in roles and role != name and chosen[role] == value:
                chosen[role] = self._chosen[name]
        self._chosen = chosen
        self._draw()

    def pick(self, trace: int, index: int) -> None:
        """Show the setting of a mark, and where the explorer opens it."""
        mark = self._curves[trace][index]
        rows = self._shown()
        for role in ("facet", "colour", "x"):
            if self._chosen[role]:
                rows = _only(rows, self._chosen[role], getattr(mark, role))
        row = {name: values[:1].tolist()[0] for name, values in rows.items()}
        named = [name for name in self.opened.choices if self._chosen.get(name) != "" or not self._has_all(name)]
        told = ", ".join(f"{self._called(name)} {_written(row[name])}" for name in named)
        picked = {"said": f"{told}: {self._called(self._chosen['y'])} {_number(mark.mean)}.", "query": "", "why": ""}
        try:
            picked["query"] = to_query(self.opened.scenario(row)) + _practice_query(row)
        except InputError as error:
            picked["why"] = error.sentence
        self.picked = picked
        self.send({"type": "picked", **picked})

    def static_copy(self) -> reading.StaticCopy:
        numbers = reading.fold(self.table.title, self.table.html())
        whose = reading.NOBODYS if self._is_example else reading.owners(OWN)._replace(left_out="")
        return reading.StaticCopy([self.name], [reading.figure(self.figure, self.summary), numbers], whose=whose)

    # -- from the page ------------------------------------------------------------------------------------------------

    def _handlers(self) -> dict[Any, Handler]:
        own = {"results": self._read, "choose": self._choose, "pick": self._pick, "narrow": self._resize}
        return super()._handlers() | own

    def _ready(self, message: Message, buffers: list[Any]) -> None:
        super()._ready(message, buffers)
        view = {"view": message.get("view")}
        self._show(view)
        if self.picked:
            self.send({"type": "picked", **self.picked, **view})

    def receive(self, message: Any, buffers: Sequence[Any] = ()) -> None:
        if self._reading.busy and isinstance(message, dict) and message.get("type") in ("choose", "pick"):
            self._held = [*self._held, (message, list(buffers))][-MOST_HELD:]
        else:
            super().receive(message, buffers)

    def _choose(self, message: Message, _buffers: list[Any]) -> None:
        self.choose(message["name"], message["value"])

    def _pick(self, message: Message, _buffers: list[Any]) -> None:
        self.pick(int(message["trace"]), int(message["index"]))

    def _resize(self, message: Message, _buffers: list[Any]) -> None:
        self._narrow = bool(message["narrow"])
        self._draw()

    def _read(self, message: Message, buffers: list[Any]) -> None:
        view = {"view": message.get("view")}
        files = list(zip(map(str, message["names"]), map(bytes, buffers), strict=True))

        def act(found: Any) -> None:
            if isinstance(found, Exception):
                raise found
            cells = len(found) * len(found.columns)
            if cells > MOST_CELLS:
                remedy = 'Open some of the parts, or all of them in Python: Studies("directory")'
                raise refused("the results", f"a table of at most {MOST_CELLS:,} values", f"{cells:,}", remedy=remedy)
            self.show_results(found)
            self.send({"type": "read", **view})

        def take(found: Any) -> None:
            if found is not END:
                self._guarded(lambda: act(found), view)
            if not self._reading.busy:
                held, self._held = self._held, []
                for asked in held:
                    self.receive(*asked)

        self._reading.submit((self._apart(given) for given in [files]), take)
        if not self._reading.beside:
            self._reading.finish()

    def read_by(self, reader: Callable[..., Any] | None) -> None:
        from lmdk_widgets.study.opened_results import Results

        def apart(files: Sequence[tuple[str, bytes]]) -> Opened:
            if reader is None or not files:
                return _read_here(files)
            (name, data), *more = files
            found: Opened = reader(Results, data, name, more=more)
            return found

        self._apart = apart

    def close(self) -> None:
        """Stops reading."""
        self._reading.cancel()

    def _attempted(self, act: Callable[[], None]) -> Message | None:
        def guarded() -> None:
            try:
                act()
            except (KeyError, IndexError, TypeError):  # a mark of a figure that is no longer shown
                raise InputError("The request must belong to the figure that is shown", remedy="Try again") from None

        return super()._attempted(guarded)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _shown(self) -> Columns:
        """The rows of the results with the chosen values of what is not shown."""
        rows = self.opened.columns
        for name in self._fixed():
            if not self._chosen[name]:
                continue  # of all
            values = {_written(value): value for value in self.opened.choices[name]}
            rows = _only(rows, name, values[self._chosen[name]])
        return rows

    def _fixed(self) -> list[str]:
        roles = {self._chosen[role] for role in ("x", "colour", "facet")}
        return [name for name in self.opened.varied if name not in roles]

    def _has_all(self, name: str) -> bool:
        """Whether a choice can be left open, and its means are over all values: the track, if there are many."""
        return name == "track" and len(self.opened.choices[name]) > MOST_PANELS

    def _draw(self) -> None:
        """Redraws what is chosen, and sends it; no mark is picked yet."""
        for name in self._fixed():
            self._chosen.setdefault(name, "" if self._has_all(name) else _written(self.opened.choices[name][0]))
        rows = self._shown()
        roles = {role: self._chosen[role] for role in ROLES}
        self._curves = marks_of(rows, **roles)
        log = self._chosen["scale"] == "log"
        self.form = self._fields()
        self.figure = facets(rows, **roles, log_y=log, columns=1 if self._narrow else COLUMNS)
        called = {role: name and self._called(name) for role, name in roles.items()}
        self.summary = _summary(self._curves, called, _left_out(infinite_rows(rows, roles["y"]), roles["y"]))
        self.table = self._numbers(roles)
        self.picked = {}
        self._show({})

    def _show(self, extra: Message) -> None:
        drawn = {"name": self.name, "form": self.form, "figure": self.figure, "summary": self.summary}
        rows = ([*row, ""] for row in self.table.rows)
        table = Table.of_texts(self.table.title, (*HEADINGS, SETTING), rows).message()
        marks = [[k, j] for k, curve in enumerate(self._curves) for j in range(len(curve))][:MOST_MARKS]
        self.send({"type": "shown", **drawn, "table": table, "marks": marks, "narrow": self._narrow, **extra})

    def _numbers(self, roles: Mapping[str, str]) -> Table:
        marks = [mark for curve in self._curves for mark in curve]
        rows = (
            [*_told(mark, roles), _number(mark.mean), _number(mark.error), str(mark.rows)]
            for mark in marks[:MOST_MARKS]
        )
        cut = sentence(", the first {shown} of {marks}", shown=whole(MOST_MARKS), marks=whole(len(marks)))
        more = cut if len(marks) > MOST_MARKS else ""
        return Table.of_texts(MARKS + more, HEADINGS, rows)

    def _titled(self, name: str) -> str:
        return titled(name, self.opened.columns)

    def _called(self, name: str) -> str:
        """What a column is called in a sentence."""
        return self._titled(name).replace(", ", " in ")

    def _fields(self) -> list[dict[str, Any]]:
        """The form: what each select is called, and what can be chosen."""
        varied = [[name, self._titled(name)] for name in self.opened.varied or ["track"]]
        options = {"y": [[name, self._titled(name)] for name in self.opened.measures], "x": varied}
        options |= {role: [["", "nothing"], *varied] for role in ("colour", "facet")}
        fields = [(role, label, options[role]) for role, label in ROLES.items()]
        fields.append(("scale", "Scale", [["linear", "linear"], ["log", "logarithmic"]]))
        for name in self._fixed():
            every = [["", sentence("all {tracks}", tracks=whole(len(self.opened.choices[name])))]]
            values = [[_written(v), _written(v)] for v in self.opened.choices[name]]
            fields.append((name, f"Only {self._called(name)}", [*(every if self._has_all(name) else []), *values]))
        return [
            {"name": name, "label": label, "options": listed, "value": self._chosen[name]}
            for name, label, listed in fields
        ]


def _example() -> Opened:
    from lmdk_widgets.study.opened_results import example

    return example()


def _read_here(files: Sequence[tuple[str, bytes]]) -> Opened:
    from lmdk_widgets.study.opened_results import read_results

    return read_results(files)


def _only(rows: Columns, name: str, value: Any) -> Columns:
    """The rows with this value of a choice."""
    alike = rows[name] == value
    return {each: values[alike] for each, values in rows.items()}


def _from_python(results: Any) -> Opened:
    """Results from a data frame, a directory or a file."""
    from lmdk_widgets.study.opened_results import Opened, columns_of

    if isinstance(results, str | os.PathLike):
        path = Path(results)
        files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        if not all(file.is_file() for file in files):
            raise refused("the results", "an existing directory or file", str(path))
        return _read_here([(file.name, file.read_bytes()) for file in files])
    if not hasattr(results, "columns"):
        raise refused("the results", "a data frame, a directory or a file", kind_of(results))
    return Opened(columns_of(results), "Results")


def _first_view(opened: Opened) -> dict[str, Any]:
    """What is shown first: error against the share of landmarks by scheme and layout, where the results have them."""
    many = len(opened.choices["track"]) > MOST_PANELS
    left = [name for name in opened.varied if name != "track" or not many]

    def take(*wanted: str) -> str:
        name = next((name for name in wanted if name in left), left[0] if left else "")
        if name:
            left.remove(name)
        return name

    x = take("share", "epsilon", "radius_m") or "track"
    colour = take("scheme", "layout", "correlation")
    return {
        "y": opened.measures[0],
        "x": x,
        "colour": colour,
        "facet": take("layout", "correlation"),
        "scale": "linear",
    }


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    return "" if math.isnan(value) else amount(value)


def _practice_query(row: Mapping[str, Any]) -> str:
    """What opens the practice of a row on the page Track; "" without one."""
    code = str(row.get("practice", NO_PRACTICE))
    if code == NO_PRACTICE:
        return ""
    chosen = {"open": True, **chosen_on_page(practice_of(code), str(row.get("practice_knows", "silences")))}
    texts = {name: _written(float(value) if not isinstance(value, str) else value) for name, value in chosen.items()}
    return "".join(f"&practices.{name}={text}" for name, text in texts.items())


def _told(mark: Mark, roles: Mapping[str, str]) -> list[str]:
    return [_written(getattr(mark, role)) if roles[role] else "" for role in ("facet", "colour", "x")]


def _summary(curves: Sequence[Sequence[Mark]], roles: Mapping[str, str], left_out: str) -> str:
    """What the figure shows, in a sentence or two, and how many evaluations are left out as they are infinite."""
    marks = [mark for curve in curves for mark in curve]
    if not marks:
        return f"No row has a finite number for {roles['y']} here.{left_out}"
    by = "".join(
        f", {words} each {roles[role]}"
        for role, words in (("facet", "a panel for"), ("colour", "a curve for"))
        if roles[role]
    )
    shown = roles["y"]
    low, high = min(marks, key=lambda mark: mark.mean), max(marks, key=lambda mark: mark.mean)
    smallest, largest = (amount(mark.mean) for mark in (low, high))
    smallest_at, largest_at = (", ".join(filter(None, _told(mark, roles))) for mark in (low, high))
    rows = {mark.rows for mark in marks}
    fewest, greatest = min(rows), max(rows)
    each: str = count(fewest, "evaluation")
    if fewest < greatest:
        each = sentence("{fewest} to {greatest} evaluations", fewest=whole(fewest), greatest=whole(greatest))
    return sentence(
        "{shown} against {x}{by}. Each mark is the mean of {each}, with a bar of one standard error. The smallest is "
        "{smallest} ({smallest_at}), the largest {largest} ({largest_at}).{missing}{left_out}",
        shown=shown[:1].upper() + shown[1:],
        x=roles["x"],
        by=by,
        each=each,
        smallest=smallest,
        smallest_at=smallest_at,
        largest=largest,
        largest_at=largest_at,
        missing=_missing(curves),
        left_out=left_out,
    )


def _left_out(infinite: int, y: str) -> str:
    if not infinite:
        return ""
    return sentence(
        " Left out: {infinite} without a finite value{why}.",
        infinite=count(infinite, "evaluation"),
        why=f", where {INFINITE[y]}" if y in INFINITE else "",
    )


def _missing(curves: Sequence[Sequence[Mark]]) -> str:
    """Why some curves have fewer marks than others: Skip has no error where every timestamp is a landmark."""
    places = {mark.x for curve in curves for mark in curve}
    if all(len(curve) == len(places) for curve in curves):
        return ""
    return " A setting that is missing or has no number has no mark, such as the error where nothing is released."
