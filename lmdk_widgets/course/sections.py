"""A lesson's notebook as sections and steps: what is read before a question, the question, and what follows its answer.

What may be on paper before a question is answered is what the lesson itself shows then: the text and figures of the section
before its first question, and the text between two questions that does not wait for an answer (`text_waits`). Everything
computed after a question belongs to its answer, and so does the text that explains it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

AT_THE_END = ("Summary", "Exercises", "Sources", "Your answers")
"""Headings after the last step of every lesson."""

FIRST = "Before you begin"
"""The heading of questions before the first heading."""

_HEADING = re.compile(r"^#{2,3} +(.*)$", re.MULTILINE)
_ON_SCREEN = re.compile(r"\bslider\b|\b[Tt]he figure\b|\b[Ii]n a notebook\b|\b[Tt]he tables below\b")
_SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z(*])")
_PAGE = re.compile(r"\w+Lab\(")
_TO_THE_READER = ("Answer each question",)


class Words(NamedTuple):
    """A text in Markdown."""

    markdown: str


class Shown(NamedTuple):
    """What a program showed, as the notebook keeps it: the data of an output by its kind."""

    data: Mapping[str, str]


Piece = Words | Shown


@dataclass(frozen=True)
class Step:
    """A question with what comes before it.

    Attributes
    ----------
    before : texts and what programs showed, in order. question : its name; "" for a section that asks none.
    after : what programs showed after it, up to the next question.
    """

    before: tuple[Piece, ...] = ()
    question: str = ""
    after: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading and its steps; the last one has no question if the section asks none."""

    heading: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Outline:
    """A lesson for paper.

    Attributes
    ----------
    opening : the paragraphs of its beginning, in Markdown, without the time, the goals and what is said of the screen.
    sections : up to the last one that asks a question. exercises : each in Markdown, without its solution.
    """

    opening: str
    sections: tuple[Section, ...]
    exercises: tuple[str, ...]

    def questions(self) -> list[str]:
        """The names of the questions in order."""
        return [step.question for section in self.sections for step in section.steps if step.question]


def outline(cells: Sequence[Mapping[str, Any]]) -> Outline:
    """The outline of a notebook. cells : as in its file; those that were never run have shown nothing.

    Examples
    --------
    >>> text = lambda source: {"cell_type": "markdown", "source": source}
    >>> cells = [text("# T\\n\\nWhy?\\n\\n**Time:** 5"), text("## 1. A coin\\n\\nToss it.")]
    >>> cells += [{"cell_type": "code", "source": 'Question("start/coin", text_waits=True)'}, text("It is fair.")]
    >>> outline(cells).sections[0].steps
    (Step(before=(Words(markdown='Toss it.'),), question='start/coin', after=()),)
    """
    (_, opening), *parts = list(_parts(cells))
    first = next((k for k, piece in enumerate(opening) if isinstance(piece, _Asked)), len(opening))
    parts = [(FIRST, opening[first:]), *parts] if opening[first:] else parts
    taught = [(heading, found) for heading, found in parts if heading not in AT_THE_END]
    sections = [Section(heading, _steps(found)) for heading, found in taught if _Page() not in found]
    asking = [k for k, section in enumerate(sections) if section.steps[-1].question]
    kept = sections[: asking[-1] + 1] if asking else sections
    exercises = "\n\n".join(
        each for heading, found in parts if heading == "Exercises" for each in found if isinstance(each, str)
    )
    return Outline(_opening(opening[:first]), tuple(kept), tuple(_exercises(exercises)))


def asked_in(source: str) -> tuple[str, bool]:
    """The question that a cell's program asks, and whether the text after it waits for the answer; "" if it asks none.

    Examples
    --------
    >>> asked_in('Question("noise/yes", text_waits=True)')
    ('noise/yes', True)
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Question":
            waits = any(each.arg == "text_waits" and ast.literal_eval(each.value) for each in node.keywords)
            return ast.literal_eval(node.args[0]), waits
    return "", False


class _Asked(NamedTuple):
    """A question among the pieces of a section, and what its cell showed."""

    name: str
    waits: bool
    data: Mapping[str, str]


class _Page(NamedTuple):
    """A whole page to try, which is nothing for paper."""


_Found = str | Shown | _Asked | _Page


def _parts(cells: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[_Found]]]:
    """Each heading with its texts, outputs and questions; first the beginning, without a heading."""
    heading, found = "", list[_Found]()
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            first, *rest = _HEADING.split(source)
            found.append(first.strip())
            for title, text in zip(rest[::2], rest[1::2], strict=True):
                yield heading, found
                heading, found = title.strip(), [text.strip()]
        elif cell["cell_type"] == "code":
            shown = [Shown(output["data"]) for output in cell.get("outputs", ()) if output.get("data")]
            name, waits = asked_in(source)
            if name:
                found.append(_Asked(name, waits, shown[-1].data if shown else {}))
            else:
                found += [_Page()] if _PAGE.match(source) else shown
    yield heading, found


def _steps(found: Sequence[_Found]) -> tuple[Step, ...]:
    steps, waits, explained = [Step()], False, False
    for piece in found:
        if isinstance(piece, _Asked):
            after = (Shown(piece.data),) if piece.data else ()
            steps[-1] = replace(steps[-1], question=piece.name, after=after)
            steps.append(Step())
            waits, explained = piece.waits, False
        elif isinstance(piece, Shown):
            if len(steps) > 1:
                steps[-2] = replace(steps[-2], after=(*steps[-2].after, piece))
                waits, explained = False, True
            else:
                steps[-1] = replace(steps[-1], before=(*steps[-1].before, piece))
        elif explained:
            explained = False
        elif isinstance(piece, str) and not waits and (said := _for_paper(piece)):
            steps[-1] = replace(steps[-1], before=(*steps[-1].before, Words(said)))
    return tuple(steps[:-1] if len(steps) > 1 else steps)


def _for_paper(text: str) -> str:
    """The text without sentences about what is only on a screen; tables, lists and formulas stay as they are."""
    blocks = []
    for block in re.split(r"\n{2,}", text.strip()):
        if _ON_SCREEN.search(block) and not block.startswith(("|", "-", ">", "1.")):
            told = _SENTENCES.split(" ".join(block.split()))
            block = " ".join(each for each in told if not _ON_SCREEN.search(each))
        blocks.append(block)
    return "\n\n".join(filter(None, blocks))


def _opening(found: Sequence[_Found]) -> str:
    """What the first cells say, without the title, the time, the goals, and what is said of answering on a screen."""
    parts = [part for text in found if isinstance(text, str) for part in text.split("\n\n")]
    time = next((k for k, part in enumerate(parts) if part.startswith("**Time:**")), len(parts))
    after = [part for part in parts[time + 1 :] if not part.startswith(("**Afterwards", "- ", *_TO_THE_READER))]
    return "\n\n".join(part for part in (*parts[:time], *after) if part and not part.startswith("# "))


def _exercises(text: str) -> Iterator[str]:
    """Each exercise without its number and its solution."""
    for part in re.split(r"^\*\*\d+\.\*\* ", text, flags=re.MULTILINE)[1:]:
        yield part.partition("<details>")[0].strip()
