"""What users take away from a page: a report, its charts as pictures, its data, and Python that computes its numbers again.

Every page builds its report from the same parts; it adds its own in `_answers` and its charts in `pictures`. Pictures are
made by the browser, but reports are made here, so that Python writes the same file without a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name, tables
from lmdk_widgets.io.report import Heading, Part, Piece, bullets, code, enclosed, folded, paragraph, report_html, table
from lmdk_widgets.page.answers import WAITS, Answer
from lmdk_widgets.page.blocks import Card, Cards, Chart
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.messages import Correspondent, copied, saved
from lmdk_widgets.page.reading import FOR_YOU
from lmdk_widgets.page.session import File
from lmdk_widgets.page.words import settings_rows
from lmdk_widgets.version import __version__

PICTURES = ("svg", "png")
"""The formats in which charts are saved."""

PARQUET = ".parquet"
"""The suffix of a table's name if it is saved as Parquet, not as CSV."""

ANSWERS = "The answers"
CHARTS_IN_WORDS = "The charts in words"
"""The part of a report with the sentences that a static copy has below each chart."""
FIRST_CHARTS = 3
"""The number of a page's charts on the first page of its report."""

MOST_HEADING = 300
"""The most letters of a report's title, its author or its purpose."""

_MOST_LETTERS = 20_000
"""The longest program or settings that a report repeats."""

INSIDE = (
    "This report contains the page itself, with recorded answers: it opens here, without a network, and the controls that "
    "its author left open can be moved. It begins by saying what it is computed from."
)
OPENS = "Open the page here"

UNDONE = "Not computed for this copy, as it takes long: run the cell again."
"""What a static copy says of an answer that nobody waited for."""

OWN = "It is made from {own}: what is shown here reveals information about it."

TO_HAND_ON = "To share: of the true data it reveals one release, its times and the marked timestamps, and no more."
"""The first line of a report to share from the user's own data, which stays in view and is printed on each page."""

NOTHING_STANDS_IN = "A report to share cannot be made from {own}: nothing can stand in for it"

REPORTS = ("report", "report-own", "report-others")
"""What is asked for: a report; if there are two, the one for the user or the one to share."""


class TakeAway(Correspondent):
    """The part of a `Page` that makes files from what the page shows."""

    TITLE: ClassVar[str] = ""
    """The question that the page answers."""
    PICTURED: ClassVar[str] = NOTE
    """How a picture describes itself."""
    TOLD: ClassVar[tuple[str, ...]] = ()
    """Choices without a control that a report lists among the settings too."""
    SHORT: ClassVar[tuple[str, ...]] = ()
    """The main choices, which stand at the top of a static copy; none contains data of the user's own."""
    TWO_REPORTS: ClassVar[bool] = False
    """Whether something can stand in for the user's own data in a report to share."""
    IN_SHORT: ClassVar[tuple[str, ...]] = (ANSWERS,)
    """The parts of its report that a static copy says in a sentence at its top."""
    FIRST_PARTS: ClassVar[int] = 0
    """The number of the page's own parts on the first page of a report."""
    heading: Heading = Heading()
    """What the user writes at the head of a report."""
    stands_in: str = ""
    """What stands in for the true data on this page, a sentence; "" if nothing does."""

    ended_early: bool = False
    """Whether what was computed in the background was cancelled for a copy that nothing changes later."""

    @property
    def title(self) -> str:
        """The question that files of the page answer."""
        return self.TITLE

    # -- what a page says ---------------------------------------------------------------------------------------------

    def _text(self, outcome: Any) -> Message:
        """The text of the page: at least "words" with "paragraph", "assumption" and "warnings"."""
        raise NotImplementedError

    def _at_once(self, outcome: Any) -> Message:
        """What of it a change brings; what takes longer follows as a drawing. By default, all of it."""
        return self._text(outcome)

    def pictures(self) -> Sequence[Chart]:
        """The charts that the page shows now."""
        return []

    def _numbers_first(self) -> tuple[Answer, ...]:
        """The answers as numbers."""
        told = self._text(self.outcome).get("answers", ())
        return tuple(Answer(**{name: each[name] for name in Answer._fields}) for each in told)

    def _opens(self) -> Sequence[Part]:
        """What comes first, above the charts: the answers as numbers."""
        answers = self._numbers_first()
        return [Part(ANSWERS, [Cards(ANSWERS, (Card("Now", answers=answers),))])] if answers else []

    def _answers(self) -> Sequence[Part]:
        """The parts of the report between what the settings mean and what that rests on."""
        return ()

    def _personal(self) -> tuple[str, ...]:
        """What of the user's own data a report reveals, in words."""
        return self.session.left_out()

    def _rests_on(self) -> Sequence[str | Piece]:
        """What the answer rests on besides its assumption."""
        return ()

    def _note(self) -> str:
        """What the report is, in one line."""
        return NOTE

    def _said(self) -> str:
        """The sentence shown when the report has been saved."""
        return ""

    # -- the same for every page --------------------------------------------------------------------------------------

    def blocks(self, names: Iterable[str]) -> list[Any]:
        """The blocks of the charts with these names, and of the parts of the report with these headings, in their order."""
        parts: dict[str, Sequence[Any]] = {part.heading: part.pieces for part in self._answers()}
        parts |= {chart.name: [chart] for chart in self.pictures()}
        return [block for name in names for block in parts[name]]

    def text(self) -> dict[str, Any]:
        """Every sentence and table of the page, once everything is computed, by the names the page gives them."""
        self.finish()
        return self._text(self.outcome)

    def report(self, what_if: File | None = None, *, to_hand_on: bool = False, mark: str = "") -> File:
        """The page as a report; one `to_hand_on` is made from one release of the user's own data.

        If nothing runs in the background, everything is computed first; otherwise, it is what the page shows now. `mark` is
        its first line if nothing of the user's own is in it.

        Raises
        ------
        InputError : nothing can stand in for the user's own data.
        """
        return (self._handed_on(mark) if to_hand_on else self._reported(mark))(what_if)

    def _handed_on(self, mark: str = "") -> Callable[[File | None], File]:
        """The same for a report that can be shared; slow work waits until the function is called."""
        if own := self._personal():
            raise InputError(NOTHING_STANDS_IN.format(own=" and ".join(own)), remedy="Begin with a sample")
        return self._reported(mark)

    def _reported(self, mark: str = "") -> Callable[[File | None], File]:
        """A function that makes the report of what the page shows now, with a what-if in it or without."""
        if not self._background.beside:
            self.finish()
        session = self.session
        words = self._text(self.outcome)["words"]
        left_out = session.left_out()
        own = " and ".join(self._personal())
        mark = TO_HAND_ON if self.stands_in else FOR_YOU.format(own=own) if own else mark
        about_data = self.stands_in or (OWN.format(own=own) if own else "")
        answer = [
            paragraph(words["paragraph"], "said"),
            bullets(words["warnings"], "warnings"),
            paragraph(about_data) if about_data else "",
        ]
        opens, reasons = self._parted()
        before = [
            *opens,
            Part("In words", answer, "page" if opens else ""),
            Part("What was asked", [table("The settings", [], settings_rows(session.choices, self._told()))]),
            *reasons,
            Part("What this rests on", [paragraph(words["assumption"]), *self._rests_on()]),
        ]
        after = [Part("Appendix: how to repeat it", self._repeated(left_out), "page")]
        about, foot = ", ".join(session.named()), f"lmdk_widgets {__version__}, {_today()}."
        kind = "report to share" if self.stands_in else "report for you" if own else "report"
        heading = self.heading
        name, note, said = export_name("html", *session.named(), kind), self._note(), self._said()

        def made(what_if: File | None) -> File:
            inside = [Part("What if", [paragraph(INSIDE), enclosed(OPENS, what_if.data)])] if what_if else []
            parts = [*before, *inside, *after]
            text = report_html(
                title=self.title, about=about, note=note, parts=parts, foot=foot, mark=mark, heading=heading
            )
            named = what_if.name.replace("_what-if", f"_{kind.replace(' ', '-')}_what-if") if what_if else name
            return File(named, "text/html", text.encode("utf-8"), said)

        return made

    def _in_short(self) -> list[str]:
        """The main settings and the answers, a sentence each."""
        names = [name for name in self._told() if name in self.SHORT]
        asked = [f"{label}: {value}." for label, value in settings_rows(self.session.choices, names)]
        return [" ".join(asked), *map(self._in_a_line, self._numbers_first())]

    def _in_a_line(self, answer: Answer) -> str:
        undone = self.ended_early and answer.value == WAITS
        return f"{answer.name}. {UNDONE}" if undone else answer.sentence()

    def _parted(self) -> tuple[list[Part], list[Part]]:
        """The parts of the first page, and those with the reasons."""
        charts = [chart.alone() for chart in self.pictures()]
        first, more = charts[:FIRST_CHARTS], charts[FIRST_CHARTS:]
        opens = [part._replace(place="first") for part in self._opens()]
        answers = self._answers()
        opens += [part._replace(place="first") for part in answers[: self.FIRST_PARTS]]
        reasons = list(answers[self.FIRST_PARTS :])
        if first:
            opens.append(Part("Charts", [chart.low() for chart in first], "first"))
            reasons.append(Part(CHARTS_IN_WORDS, [paragraph(f"{one.title}: {one.summary}") for one in first]))
        return opens, [*reasons, *([Part("More charts", more)] if more else [])]

    def _told(self) -> list[str]:
        """The choices that a report lists: those with a control that has an effect now, and `TOLD`."""
        kinds = self.session.choices.kinds()
        return [name for name in self.session.visible() if kinds[name].group or name in self.TOLD]

    def _repeated(self, left_out: Sequence[str]) -> list[str]:
        session = self.session
        link = session.link
        without = [*left_out, *link.too_long]
        lacks = f" It does not contain {' and '.join(without)}." if without else ""
        pieces = [
            paragraph(f"Add this to the end of the dashboard's address to open the page with these settings.{lacks}")
        ]
        link_, program, settings = f"?{link.query}", session.program(), session.settings()
        for label, text, piece in (("Link", link_, code), ("Python", program, code), ("JSON", settings, folded)):
            long = f"{label}: too long to repeat here; save it from the page."
            pieces.append(piece(label, text) if len(text) <= _MOST_LETTERS else paragraph(long))
        return pieces

    def _head(self, message: Message) -> None:
        """Takes what the user writes at the head of a report from a message.

        Raises
        ------
        InputError : no text, or a long one.
        """
        told = message.get("heading") or {}
        texts = [told.get(name, "") for name in Heading._fields]
        if any(type(text) is not str or len(text) > MOST_HEADING for text in texts):
            raise InputError(f"Title, author and purpose must be texts of at most {MOST_HEADING} letters each")
        self.heading = Heading(*(" ".join(text.split()) for text in texts))

    def _save(self, message: Message, _buffers: list[Any]) -> None:
        self._head(message)
        what, view = message["what"], {"view": message.get("view")}
        if (text := self._copied(what)) is not None:
            self.send(text | view)
        elif what in PICTURES:
            self.send(
                {
                    "type": "pictures",
                    "format": what,
                    "note": self._pictured()["note"],
                    "pictures": self._named_pictures(what),
                    **view,
                }
            )
        elif what == "report" and self.TWO_REPORTS and self._personal():
            self.send({"type": "reports", **view})
        else:
            self.send(*saved(self.report() if what in REPORTS else self._data(what), view))

    def _data(self, what: str) -> File:
        """A file of the session; a table as Parquet if the name ends that way."""
        file = self.session.save(what.removesuffix(PARQUET))
        if not what.endswith(PARQUET):
            return file
        data = tables.parquet_of(file.data.decode("utf-8"))
        return File(f"{file.name.removesuffix('.csv')}{PARQUET}", "application/vnd.apache.parquet", data, file.said)

    def _copied(self, what: str) -> Message | None:
        """What is copied rather than saved; None for files."""
        return copied(self.session.program(), self.session.COPIED) if what == "python" else None

    def _pictured(self) -> Message:
        """What a picture of one chart says below it, and the settings that the name of its file mentions."""
        raise NotImplementedError

    def _named_pictures(self, kind: str) -> list[Message]:
        found = [chart.alone() for chart in self.pictures() if not chart.is_empty]
        if not found:
            raise InputError("There must be a chart to save", value="none", remedy="Choose a part with charts")
        named = self.session.named()
        return [{"file": export_name(kind, *named, p.name), "title": p.title, "figure": dict(p.figure)} for p in found]


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"
