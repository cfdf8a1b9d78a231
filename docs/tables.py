"""The tables in the documents that are computed from the package's lists; `python docs/tables.py` rewrites them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.trajectory.formats import FORMATS

DOCS = Path(__file__).parent
TEST = 10
"""The questions of the test at the end of the first lesson."""


def lessons(guide: str) -> str:
    """The teacher's guide with the table of the course's lessons, and the ten short questions."""
    rows = [
        f"| `{name}` | {lesson.title.partition(':')[0]} | {lesson.minutes[0]}–{lesson.minutes[1]} | {lesson.needs} |"
        for name, lesson in LESSONS.items()
    ]
    first, last = (sum(lesson.minutes[k] for lesson in LESSONS.values()) for k in (0, 1))
    with_sum = re.sub(r"Together they take \d+ to \d+ minutes", f"Together they take {first} to {last} minutes", guide)
    with_lessons = with_rows(with_sum, "| lesson | title | minutes | needs |", rows)
    return with_rows(with_lessons, "| no. | question | choose from |", list(_short_questions()))


def _short_questions() -> Iterator[str]:
    """The rows of the ten questions at the end of the first lesson, in its order, without answers."""
    asked = [ask.asked() for ask in questions("start")]
    for number, told in list(enumerate(asked, start=1))[-TEST:]:
        choices = " · ".join(told["choices"]) if "choices" in told else f"a number {told['unit']}".strip()
        yield f"| {number} | {told['text']} | {choices} |"


def guide(text: str) -> str:
    """The teacher's guide with its lessons, and with the minutes of its plans from a rehearsal."""
    sys.path.insert(0, str(DOCS))
    from rehearsal import HEAD, plans, rows, spans

    text = with_rows(lessons(text), HEAD, rows())
    for plan in plans():
        head, _, rest = text.partition(f"\n## A plan for {plan.title}\n")
        minutes = iter(spans(plan))
        before, mark, after = rest.partition("\n## ")
        rest = re.sub(r"(?m)^\| \d+–\d+ \|", lambda _: f"| {next(minutes)} |", before) + mark + after  # noqa: B023
        text = f"{head}\n## A plan for {plan.title}\n{rest}"
    return text


def formats(own_data: str) -> str:
    """The page on your own data with the table of track formats, the most common ones first."""
    rows = [
        f"| {each.name} | {each.written_by} | {f'`{each.library}`' if each.library else ''} |".replace("  |", " |")
        for each in sorted(FORMATS, key=lambda each: -each.turn)
    ]
    return with_rows(own_data, "| format | written by | needs |", rows)


def pairs(note: str) -> str:
    """The note on the loss pair by pair, with its table."""
    sys.path.insert(0, str(DOCS))
    from pair_cases import HEAD, rows

    return with_rows(note, HEAD, ["| " + " | ".join(row) + " |" for row in rows()])


def verdicts(text: str) -> str:
    """The document on the verdict, with its worked cases."""
    sys.path.insert(0, str(DOCS))
    from verdict_cases import HEAD, rows

    return with_rows(text, HEAD, ["| " + " | ".join(row) + " |" for row in rows()])


def practices(text: str) -> str:
    """The document on what is done today, with what the attacks find."""
    sys.path.insert(0, str(DOCS))
    from practice_cases import HEAD, rows

    return with_rows(text, HEAD, ["| " + " | ".join(row) + " |" for row in rows()])


def people(text: str) -> str:
    """The document on many people, with who is found and who is singled out in the sample city."""
    sys.path.insert(0, str(DOCS))
    from people_cases import ALONE_HEAD, FOUND_HEAD, alone_rows, found_rows

    for head, rows in ((FOUND_HEAD, found_rows()), (ALONE_HEAD, alone_rows())):
        text = with_rows(text, head, ["| " + " | ".join(row) + " |" for row in rows])
    return text


def quilts(text: str) -> str:
    """The document on Markov quilts, with the numeric checks of its proofs."""
    sys.path.insert(0, str(DOCS))
    from quilt_cases import HEAD, rows

    return with_rows(text, HEAD, ["| " + " | ".join(row) + " |" for row in rows()])


def basics(text: str) -> str:
    """The document on what the sources take for granted, with its tables."""
    sys.path.insert(0, str(DOCS))
    from basic_cases import TABLES

    for head, rows in TABLES.items():
        text = with_rows(text, head, ["| " + " | ".join(row) + " |" for row in rows()])
    return text


def with_rows(text: str, head: str, rows: list[str]) -> str:
    """The text, with these rows in the table that has this head."""
    assert text.count(f"\n{head}\n") == 1, head
    return re.sub(
        rf"(?<=\n{re.escape(head)}\n)(\|[-:|]+\|\n)(?:\|.*\n)*",
        lambda found: "\n".join([found[1] + rows[0], *rows[1:], ""]),
        text,
    )


WRITTEN: dict[str, Callable[[str], str]] = {
    "teaching.md": guide,
    "own_data.md": formats,
    "pairs.md": pairs,
    "verdict.md": verdicts,
    "practices.md": practices,
    "people.md": people,
    "quilts.md": quilts,
    "basics.md": basics,
}
"""Documents with such a table, and the functions that insert it."""


def documents() -> Iterator[tuple[Path, str]]:
    """Each document, and what it must contain."""
    for name, with_table in WRITTEN.items():
        yield DOCS / name, with_table((DOCS / name).read_text("utf-8"))


if __name__ == "__main__":
    for path, text in documents():
        path.write_text(text, encoding="utf-8")
