"""The papers and the key as pages that print: plain HTML in one file, without a script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from lmdk_widgets.course.ask import Number
from lmdk_widgets.course.ask.number import plainly
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.exam.papers import Exam, Paper, accepted
from lmdk_widgets.page.amounts import digits, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.palette import INK, LINE, PAPER, QUIET, STRONG_LINE

TITLE, KEY = "Privacy: exam", "Privacy: the key to the exam"
HOW = (
    "Write your working below each question, and the answer on its line. Three digits are enough, such as 0.123, 4.56 or "
    "789; how many there are of something is exact. A calculator is allowed; ln is the natural logarithm. Other papers have "
    "other numbers."
)
SECRET = (
    "Keep this file to yourself until the exam is over. The papers were drawn from the seed {seed}. It stands here and "
    "nowhere else: whoever has lmdk and the seed can compute every paper and its key."
)
DIGITS = 4
"""How many digits of a right answer the key writes."""

STYLE = f"""
:root {{ color-scheme: light dark; --ink: {INK.light}; --paper: {PAPER.light}; --quiet: {QUIET.light};
  --line: {LINE.light}; --strong: {STRONG_LINE.light} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ --ink: {INK.dark}; --paper: {PAPER.dark};
  --quiet: {QUIET.dark}; --line: {LINE.dark}; --strong: {STRONG_LINE.dark} }} }}
@page {{ size: A4; margin: 18mm 16mm }}
* {{ box-sizing: border-box }}
body {{ margin: 0 auto; padding: 1rem; max-width: 50rem; font: 11.5pt/1.45 system-ui, sans-serif; color: var(--ink);
  background: var(--paper) }}
h1 {{ font-size: 1.35rem; margin: 0 }} h2 {{ font-size: 1.1rem; margin: 1.5rem 0 .4rem }}
p {{ margin: .4rem 0 }} .quiet {{ color: var(--quiet) }}
.paper + .paper {{ margin-top: 3rem; border-top: 1px dashed var(--strong); padding-top: 2rem }}
header {{ display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: baseline; justify-content: space-between }}
.fields {{ display: flex; flex-wrap: wrap; gap: .9rem 1.5rem; margin: 1.1rem 0 .6rem }}
.fields span {{ flex: 1 1 14rem; border-bottom: 1px solid var(--strong) }}
ol {{ padding-left: 1.6rem; margin: .8rem 0 }} li {{ break-inside: avoid; margin-bottom: 1rem; padding-left: .2rem }}
.room {{ height: 22mm; border: 1px solid var(--line); border-radius: 3px; margin: .4rem 0 .5rem }}
.answer {{ display: flex; gap: .5rem; align-items: baseline; justify-content: flex-end }}
.answer small {{ margin-right: auto }} .answer span {{ width: 10rem; border-bottom: 1px solid var(--strong); height: 1.4em }}
.scrolls {{ overflow-x: auto }} table {{ border-collapse: collapse; width: 100%; font-size: .9em }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line) }}
td.number {{ white-space: nowrap; font-variant-numeric: tabular-nums }} tr {{ break-inside: avoid }}
.seed {{ overflow-wrap: anywhere }}
@media (max-width: 40rem) {{ tr {{ display: grid; grid-template-columns: 1.6rem 1fr auto auto;
  border-bottom: 1px solid var(--line) }} th, td {{ border: 0 }}
  :is(th, td):last-child {{ grid-column: 2 / -1; padding-top: 0 }} }}
@media print {{ body {{ padding: 0; max-width: none; font-size: 10.5pt }}
  .paper + .paper {{ break-before: page; margin: 0; border: 0; padding: 0 }} }}
"""


def papers_html(papers: Iterable[Paper]) -> str:
    """Papers, each from a new sheet on: without a right answer, and without the seed."""
    return _page(TITLE, "".join(_paper(paper) for paper in papers))


def key_html(exam: Exam) -> str:
    """The key of every paper: the right answer, what is accepted, and the working."""
    secret = sentence(SECRET, seed=exam.seed)
    parts = [f"<h1>{KEY}</h1><p class=seed>{escape(secret)}</p>"]
    parts += [f"<section>{_heading(paper)}{_answers(paper.questions)}</section>" for paper in exam.papers]
    return _page(KEY, "".join(parts))


def key_rows(exam: Exam) -> Iterator[tuple[object, ...]]:
    """The rows of the key as a table, with its heading."""
    yield "paper", "question", "name", "right", "from", "to", "unit"
    for paper in exam.papers:
        for place, question in enumerate(paper.questions, 1):
            low, high = accepted(question)
            right = question.right_answer()
            yield paper.number, place, question.name, *(digits(value, 7) for value in (right, low, high)), question.unit


def exactly(value: float) -> Written:
    """A right answer as the key writes it, with enough digits to mark by."""
    return Written(plainly(digits(value, DIGITS)), value)


def _paper(paper: Paper) -> str:
    number = _named(paper)
    asked = "".join(_question(question, number) for question in paper.questions)
    return (
        f"<article class=paper><header><h1>{TITLE}</h1><strong>{number}</strong></header>"
        "<div class=fields><span>Name</span><span>Date</span></div>"
        f"<p class=quiet>{escape(HOW)}</p><ol>{asked}</ol></article>"
    )


def _named(paper: Paper) -> str:
    return sentence("Paper {number}", number=whole(paper.number))


def _question(question: Number, number: str) -> str:
    return (
        f"<li><p>{escape(_kept_together(said(question.text)))}</p><div class=room></div>"
        f"<p class=answer><small class=quiet>{number}</small> Answer <span></span> {escape(question.unit)}</p></li>"
    )


def _kept_together(text: str) -> str:
    """A text in which no line ends within "ε = 0.5"."""
    return text.replace(" = ", "\u00a0=\u00a0")


def _heading(paper: Paper) -> str:
    return f"<h2>{_named(paper)}</h2>"


def _answers(questions: Iterable[Number]) -> str:
    rows = "".join(_row(place, question) for place, question in enumerate(questions, 1))
    head = "".join(f"<th>{name}</th>" for name in ("", "question", "right", "accepted", "working"))
    return f"<div class=scrolls><table><tr>{head}</tr>{rows}</table></div>"


def _row(place: int, question: Number) -> str:
    low, high = accepted(question)
    right = f"{exactly(question.right_answer())} {question.unit}".strip()
    between = sentence("{low} to {high}", low=exactly(low), high=exactly(high))
    cells = (question.name, right, between, said(question.why))
    kinds = ("", " class=number", " class=number", "")
    written = "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, cells, strict=True))
    return f"<tr><td>{place}</td>{written}</tr>"


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
