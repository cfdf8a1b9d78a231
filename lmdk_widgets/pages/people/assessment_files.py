"""An assessment as a file: one page of HTML that prints, Markdown, or a document for Word.

Texts that came with the table, such as its name, are escaped in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from lmdk_widgets.errors import library
from lmdk_widgets.io.report import Part, bullets, code, numbered, paragraph, report_html, stacked, table
from lmdk_widgets.page.law_words import ABOUT_QUOTATIONS, LAW_WORDS, OPINION, REGULATION
from lmdk_widgets.pages.people.assessment import (
    ALTERNATIVES,
    HEADS,
    MARK,
    NO_ADVICE,
    NOTE,
    TITLE,
    Assessment,
    Claim,
    Section,
)
from lmdk_widgets.trajectory.words import printable
from lmdk_widgets.version import __version__

ANSWER, RELEASES = "What may be published", "How a release is made"
WORDS, ASKED, AGAIN = "The law's words", "What was asked", "How to write this again"
LAW_HEADS = ("word", "what it means here", "as it is defined", "where")
ASSUMES = "Assumes"
FOR_WORD = "An assessment for Word"
SOURCES = f"{REGULATION}. {OPINION}. {ABOUT_QUOTATIONS}"
NO_RELEASE = "Nothing remains that could be released."
HOW = (
    "Nothing in this file is a release. The command for tracks writes a script with a private release for each person; "
    "run it with the table and a public region. In the command for counts, SOUTH,WEST,NORTH,EAST is that region in "
    "degrees, and DAY a public day."
)


def release_said(found: Assessment) -> str:
    """What is said above the commands of releases."""
    return HOW if found.commands else NO_RELEASE


def foot() -> str:
    """The program and its version, and the day."""
    return f"lmdk_widgets {__version__}, {datetime.now(UTC).date()}."


def law_rows() -> list[tuple[str, str, str, str]]:
    """The law's words: what each means, its definition in quotation marks, and where that is."""
    return [(word.names[0], word.meaning, f"“{word.quoted}”", word.where) for word in LAW_WORDS]


def numbered_sections(found: Assessment) -> Iterator[tuple[Section, list[tuple[int, Claim]]]]:
    """Every section with its claims, which are numbered from 1 throughout."""
    number = 1
    for section in (*found.first, *found.more):
        yield section, [*enumerate(section.claims, start=number)]
        number += len(section.claims)


# -- HTML --------------------------------------------------------------------------------------------------------------


def assessment_html(found: Assessment) -> str:
    """One HTML page that opens without a network and prints."""
    sections = [_part(section, claims) for section, claims in numbered_sections(found)]
    first, more = sections[: len(found.first)], sections[len(found.first) :]
    parts = [
        Part(
            ANSWER,
            [
                paragraph(found.answer.lead, "said"),
                bullets(found.answer.remain, "said"),
                *map(paragraph, (*found.answer.why, found.limit)),
                paragraph(NO_ADVICE, "quiet"),
            ],
        ),
        Part(ALTERNATIVES, [stacked(ALTERNATIVES, HEADS, found.alternatives)]),
        *first,
        *more,
        Part(RELEASES, [paragraph(release_said(found)), *(code(what, told) for what, told in found.commands)]),
        Part(WORDS, [_law_table(), paragraph(SOURCES, "quiet")]),
        Part(ASKED, [table(ASKED, [], found.settings), code(AGAIN, found.again)]),
    ]
    return report_html(
        title=TITLE, about=f"An assessment. {found.table}", note=NOTE, parts=parts, foot=foot(), mark=MARK
    )


def _law_table() -> str:
    rows = [(word.names[0], word.meaning, word.where) for word in LAW_WORDS]
    return table(
        WORDS, (LAW_HEADS[0], LAW_HEADS[1], LAW_HEADS[3]), rows, notes=[f"“{word.quoted}”" for word in LAW_WORDS]
    )


def _part(section: Section, claims: list[tuple[int, Claim]]) -> Part:
    lead = [paragraph(section.lead, "quiet")] if section.lead else []
    told = [numbered(number, claim.text, [(ASSUMES, claim.assumes)], claim.command) for number, claim in claims]
    return Part(section.heading, [*lead, *told, bullets(section.points)])


# -- Markdown ----------------------------------------------------------------------------------------------------------


def assessment_markdown(found: Assessment) -> str:
    """The same in Markdown."""
    return "\n\n".join(filter(None, _paragraphs(found))) + "\n"


def _paragraphs(found: Assessment) -> Iterator[str]:
    yield f"# {plain(TITLE)}"
    yield f"**{plain(NOTE)}**"
    yield plain(f"An assessment. {found.table}")
    yield f"## {ANSWER}"
    yield f"**{plain(found.answer.lead)}**"
    yield _list(found.answer.remain)
    yield from map(plain, (*found.answer.why, found.limit, NO_ADVICE))
    yield f"## {ALTERNATIVES}"
    yield _table(HEADS, found.alternatives)
    for section, claims in numbered_sections(found):
        yield f"## {plain(section.heading)}"
        yield plain(section.lead)
        for number, claim in claims:
            yield f"**{number}.** {plain(claim.text)}"
            yield f"*{ASSUMES}:* {plain(claim.assumes)}"
            yield fenced(claim.command)
        yield _list(section.points)
    yield f"## {RELEASES}"
    yield plain(release_said(found))
    for what, told in found.commands:
        yield plain(what)
        yield fenced(told)
    yield f"## {WORDS}"
    yield _table(LAW_HEADS, law_rows())
    yield plain(SOURCES)
    yield f"## {ASKED}"
    yield _table(("setting", "value"), found.settings)
    yield f"{AGAIN}:"
    yield fenced(found.again)
    yield plain(foot())


def _list(points: Iterable[str]) -> str:
    return "\n".join(f"- {plain(point)}" for point in points)


def _table(heads: tuple[str, ...], rows: object) -> str:
    lines = [heads, ("---",) * len(heads), *rows]  # type: ignore[misc]
    return "\n".join(
        f"| {' | '.join(cell if k == 1 else plain(cell) for cell in line)} |" for k, line in enumerate(lines)
    )


def plain(text: str) -> str:
    """A text from any source as Markdown: one line, in which nothing is markup.

    Examples
    --------
    >>> print(plain("<b>a_b</b> | [x](y) 1.5 km"))
    \\<b\\>a\\_b\\</b\\> \\| \\[x\\](y) 1.5 km
    >>> print(plain("# no heading"), plain("1. no list"), plain("- nor this"))
    \\# no heading 1\\. no list \\- nor this
    """
    kept = re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", printable(str(text), len(str(text)))).replace("&", "&amp;")
    return re.sub(r"^(\d+(?=[.)])|(?=[#+-]))(\W?)", lambda at: f"{at[1]}\\{at[2]}", kept) if kept else kept


def fenced(text: str) -> str:
    """A command as it is, in a fence that is longer than any run of back-ticks in it.

    Examples
    --------
    >>> print(fenced("lmdk people 'a```b'").splitlines()[0])
    ````sh
    """
    kept = printable(text, len(text))
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", kept)), default=0))
    return f"{fence}sh\n{kept}\n{fence}"


# -- Word --------------------------------------------------------------------------------------------------------------


def assessment_word(found: Assessment) -> bytes:
    """The same as a document for Word.

    Raises
    ------
    InputError : python-docx is not installed.
    """
    document = library("docx", FOR_WORD).Document()
    told = document.core_properties
    told.title, told.author, told.comments = TITLE, "", NOTE
    document.sections[0].header.paragraphs[0].text = MARK
    document.add_heading(TITLE, level=0)
    document.add_paragraph(kept(f"An assessment. {found.table}"))
    document.add_heading(ANSWER)
    document.add_paragraph().add_run(kept(found.answer.lead)).bold = True
    _points(document, found.answer.remain)
    for text in (*found.answer.why, found.limit, NO_ADVICE):
        document.add_paragraph(kept(text))
    document.add_heading(ALTERNATIVES)
    _grid(document, HEADS, found.alternatives)
    for section, claims in numbered_sections(found):
        document.add_heading(kept(section.heading))
        if section.lead:
            document.add_paragraph(kept(section.lead))
        for number, claim in claims:
            said = document.add_paragraph()
            said.add_run(f"{number}. ").bold = True
            said.add_run(kept(claim.text))
            said.paragraph_format.keep_with_next = True
            basis = document.add_paragraph()
            basis.add_run(f"{ASSUMES}: {kept(claim.assumes)}").italic = True
            basis.paragraph_format.keep_with_next = True
            _command(document, claim.command)
        _points(document, section.points)
    document.add_heading(RELEASES)
    document.add_paragraph(release_said(found))
    for what, command in found.commands:
        document.add_paragraph(kept(what))
        _command(document, command)
    document.add_heading(WORDS)
    _grid(document, LAW_HEADS, law_rows())
    document.add_paragraph(SOURCES)
    document.add_heading(ASKED)
    _grid(document, ("setting", "value"), found.settings)
    document.add_paragraph(f"{AGAIN}:")
    _command(document, found.again)
    document.add_paragraph(foot())
    content = BytesIO()
    document.save(content)
    return content.getvalue()


def kept(text: str) -> str:
    """A text from any source without what a document cannot hold."""
    return printable(str(text), len(str(text)))


def _points(document: Any, points: Iterable[str]) -> None:
    for point in points:
        document.add_paragraph(kept(point), style="List Bullet")


def _command(document: Any, text: str) -> None:
    """A command as it is, in letters of one width."""
    document.add_paragraph().add_run(kept(text)).font.name = "Courier New"


def _grid(document: Any, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table with lines, whose first row and first column are bold."""
    table_of = document.add_table(rows=1, cols=len(heads), style="Table Grid")
    for r, line in enumerate([heads, *rows]):
        cells = (table_of.rows[0] if r == 0 else table_of.add_row()).cells
        for k, (cell, text) in enumerate(zip(cells, line, strict=True)):
            cell.paragraphs[0].add_run(kept(text)).bold = r == 0 or k == 0


WRITERS: dict[str, Callable[[Assessment], bytes]] = {
    ".html": lambda found: assessment_html(found).encode("utf-8"),
    ".md": lambda found: assessment_markdown(found).encode("utf-8"),
    ".docx": assessment_word,
}
"""What writes a file, by its suffix."""
