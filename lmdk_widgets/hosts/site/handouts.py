"""A lesson on paper and on a wall: its worksheet, its slides and its key, each a file that opens without a network.

    notebook --run--> outline --worksheet()--> questions with room, exercises      (no answer, no solution)
                              --slides()-----> what is said, then the question     (no answer)
                              --key()--------> each answer, why, and its figure    (for the teacher)

Worksheet and slides are made from what a lesson shows before anything is answered (`course.sections`) and from what a browser
is told about its questions. Only the key asks a question for its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from lmdk_widgets.course import LESSONS, question
from lmdk_widgets.course.answer_room import room
from lmdk_widgets.course.ask import Ask, Choose, Curve, Order, Point
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.sections import Outline, Section, Shown, Step, Words, outline
from lmdk_widgets.errors import library
from lmdk_widgets.hosts.site.handout_style import KEY, SHEET, SLIDES
from lmdk_widgets.hosts.site.notebooks import notebook
from lmdk_widgets.hosts.site.running import run
from lmdk_widgets.io.programs import licences, policy, program
from lmdk_widgets.page.reading import READING
from lmdk_widgets.version import __version__

KINDS = ("worksheet", "slides", "key")

MOST_WORDS, MOST_BESIDE = 130, 55
"""The most words of text on a slide, and beside a question."""
DENSE = 100
"""A slide with more words, with those of its question, is set smaller."""

_STILL = re.compile(r'<p class="lmdk-still">.*?</p>')
_AFTER = "<details><summary>What follows an answer</summary>"
_TAP = re.compile(r"\bTap\b")
_TAG = re.compile(r"<[^>]*>")


def write_handouts(folder: Path, name: str, kinds: Sequence[str] = KINDS) -> list[Path]:
    """Run a lesson and write these kinds of handouts of it into a folder, each as NAME-KIND.html; return their paths.

    Raises
    ------
    InputError : a library that runs notebooks is not installed.
    """
    library("nbconvert", "A worksheet")
    return written(folder, name, run(notebook(name)).cells, kinds)


def written(folder: Path, name: str, cells: Sequence[Any], kinds: Sequence[str] = KINDS) -> list[Path]:
    """The same for a lesson that was run before. cells : those of its notebook, with what they showed."""
    found, made = outline(cells), []
    for kind in kinds:
        path = folder / f"{name}-{kind}.html"
        path.write_text(MADE[kind](name, found), "utf-8")
        made.append(path)
    return made


def worksheet(name: str, found: Outline) -> str:
    """The questions of a lesson in order, each with room for an answer, what is read before them, and the exercises."""
    number, parts = 0, [_head(name, "Worksheet"), _text(found.opening)]
    for section in found.sections:
        parts.append(f"<h2>{escape(section.heading)}</h2>")
        for step in section.steps:
            parts += map(_piece, step.before)
            if step.question:
                number += 1
                parts.append(_asked(number, question(step.question)))
    parts.append("<h2>Exercises</h2>")
    for k, exercise in enumerate(found.exercises, start=1):
        parts.append(f'<section class="question"><h3>Exercise {k}</h3>{_text(exercise)}{_lines(8)}</section>')
    parts.append(f"<footer>{_foot(name)}</footer>")
    return _document(f"{LESSONS[name].title}: worksheet", "".join(parts), SHEET)


def slides(name: str, found: Outline) -> str:
    """A slide for each question with the picture to answer in, and slides before it for what is too long to be beside it."""
    shown = [_title_slide(name, found), *(slide for section in found.sections for slide in _slides_of(section))]
    number = 0
    for k, slide in enumerate(shown):
        if "<!--number-->" in slide:
            number += 1
            shown[k] = slide.replace("<!--number-->", f"Question {number}", 1)
    last = len(shown)
    body = "".join(
        f'<section class="slide{_dense(slide)}" id="s{k}">{slide}{_turn(k, last)}</section>'
        for k, slide in enumerate(shown, start=1)
    )
    return _document(f"{LESSONS[name].title}: slides", f"<main>{body}</main>", SLIDES)


def key(name: str, found: Outline) -> str:
    """The answer to each question, why it is right, and the figure that the lesson shows after it."""
    number, parts = 0, [_head(name, "Key")]
    for section in found.sections:
        if not section.steps[-1].question:
            continue
        parts.append(f"<h2>{escape(section.heading)}</h2>")
        for step in section.steps:
            number += 1
            ask = question(step.question)
            answer = "".join(f"<p>{line}</p>" for line in _answer(ask))
            figures = "".join(map(_piece, step.after))
            head = f"<h3>{number}. <code>{escape(ask.name)}</code></h3><p>{escape(on_paper(ask))}</p>"
            parts.append(
                f'<section class="question">{head}{room(ask.asked(), ask.right_answer())}{answer}{figures}</section>'
            )
    parts.append(f"<footer>{_foot(name)} The solutions of the exercises are at the end of the lesson.</footer>")
    return _document(f"{LESSONS[name].title}: key", "".join(parts), KEY)


MADE = {"worksheet": worksheet, "slides": slides, "key": key}
"""How each kind is made."""


def _head(name: str, kind: str) -> str:
    lesson = LESSONS[name]
    line = "" if kind == "Key" else '<p class="whose"><span>Name</span><span>Date</span></p>'
    goals = "" if kind == "Key" else f"<p>Afterwards you can</p><ul>{_items(lesson.goals)}</ul>"
    return f"<header><p class='about'>{kind}</p><h1>{escape(lesson.title)}</h1>{line}{goals}</header>"


def _foot(name: str) -> str:
    code = escape(name)
    return f"Lesson {code} of lmdk_widgets {escape(__version__)}. <code>lmdk lesson {code}</code> opens it, with its figures."


def _asked(number: int, ask: Ask) -> str:
    """A question with its room, and lines for a calculation where the answer is a number."""
    more = _lines(3) if ask.kind == "number" else ""
    head = f"<h3>Question {number}</h3><p>{escape(on_paper(ask))}</p>"
    return f'<section class="question" data-question="{escape(ask.name)}">{head}{room(ask.asked())}{more}</section>'


def _answer(ask: Ask) -> Iterator[str]:
    """The right answer in words and why, as HTML."""
    right = ask.right_answer()
    match ask:
        case Choose():
            chosen, letter = ask.choices[ask.right()], ascii_uppercase[right]
            yield f"<b>{letter}. {escape(chosen.text)}.</b> {escape(said(chosen.why))}".replace("..</b>", ".</b>")
        case Order():
            items = ask.asked()["items"]
            yield f"<b>{escape(', '.join(items[k] for k in right))}.</b> {escape(said(ask.why))}"
        case Curve():
            labels = ask.asked()["labels"]
            heights = ", ".join(": ".join(each) for each in zip(labels, map(ask.written, right), strict=True))
            yield f"<b>{escape(heights)}.</b> {escape(said(ask.why))}"
        case Point():
            yield escape(said(ask.why))
        case _:
            yield escape(_capital(ask.judge(right).words.removeprefix("Right: ")))
    if isinstance(ask, Order):
        yield escape(" ".join(said(item.why) for item in ask.items))


def _slides_of(section: Section) -> Iterator[str]:
    """The slides of a section: for each step its text, where that is long, and its question with a picture."""
    heading = f"<h2>{escape(section.heading)}</h2>"
    for step in section.steps:
        *before, beside = _packed(step)
        for text in before:
            yield f'{heading}<div class="told">{text}</div>'
        if step.question:
            ask = question(step.question)
            told = f'<div class="told">{beside}<p class="ask"><b><!--number--></b> {escape(on_paper(ask))}</p></div>'
            yield f'{heading}<div class="two" data-question="{escape(ask.name)}">{told}{room(ask.asked())}</div>'


def _packed(step: Step) -> list[str]:
    """What comes before a question, in pieces for a slide each; the last one stands beside the question, and may be ""."""
    parts = [
        _text(part) if isinstance(part, str) else _piece(part)
        for piece in step.before
        for part in (_blocks(piece.markdown) if isinstance(piece, Words) else [piece])
    ]
    beside = len(parts)
    while step.question and beside and _fits(parts[beside - 1 :], MOST_BESIDE) and "<figure" not in parts[beside - 1]:
        beside -= 1
    while beside < len(parts) and _TAG.sub("", parts[beside]).strip()[:1].islower():
        beside += 1  # the end of a sentence belongs to its beginning
    packed: list[str] = []
    for part in parts[:beside]:
        if packed and _fits((packed[-1], part), MOST_WORDS) and packed[-1].count("<figure") + part.count("<figure") < 2:
            packed[-1] += part
        else:
            packed.append(part)
    return [*packed, "".join(parts[beside:])]


def _fits(parts: Iterable[str], most: int) -> bool:
    """Whether these parts are few enough words for one slide; a row of a table counts as ten, a figure as sixty."""
    html = "".join(parts)
    return _words(html) + 10 * html.count("<tr") + 60 * html.count("<figure") <= most


def _blocks(markdown: str) -> list[str]:
    """The paragraphs, lists and tables of a text; a formula stays with what precedes it, and a colon with what follows."""
    blocks: list[str] = []
    for part in re.split(r"\n{2,}", markdown.strip()):
        joined = blocks and (blocks[-1].rstrip().endswith(":") or part.startswith((" ", ">")))
        if joined:
            blocks[-1] += f"\n\n{part}"
        else:
            blocks.append(part)
    return blocks


def _title_slide(name: str, found: Outline) -> str:
    lesson = LESSONS[name]
    opening = next(iter(_blocks(found.opening)), "")
    return f'<h1>{escape(lesson.title)}</h1><div class="told">{_text(opening)}<ul>{_items(lesson.goals)}</ul></div>'


def _turn(k: int, last: int) -> str:
    """Links to the slides before and after."""
    before = f'<a href="#s{k - 1}" aria-label="Previous slide">‹</a>' if k > 1 else "<span></span>"
    after = f'<a href="#s{k + 1}" aria-label="Next slide">›</a>' if k < last else "<span></span>"
    return f'<nav aria-label="Slides">{before}<span>{k} / {last}</span>{after}</nav>'


def _dense(slide: str) -> str:
    return " dense" if _words(slide) > DENSE or slide.count("<tr") > 6 else ""


def _piece(piece: Words | Shown) -> str:
    """A text, or what a program showed, without the line about a static copy and without the question itself."""
    if isinstance(piece, Words):
        return _text(piece.markdown)
    html = piece.data.get("text/html") or ""
    if not html:
        return _text(piece.data["text/markdown"]) if "text/markdown" in piece.data else ""
    if 'data-lmdk-live="question' in html:
        html = html.partition(_AFTER)[2].rpartition("</details>")[0]
    return _STILL.sub("", html)


def _text(markdown: str) -> str:
    from nbconvert.filters import markdown2html

    return markdown2html(markdown) if markdown else ""


def on_paper(ask: Ask) -> str:
    """The text of a question, for somebody with a pen."""
    return _TAP.sub("Mark", said(ask.text))


def _lines(count: int) -> str:
    """Lines to write on."""
    return f'<div class="lines">{"<hr>" * count}</div>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(html: str) -> int:
    return len(_TAG.sub(" ", html).split())


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _document(title: str, body: str, style: str) -> str:
    """A page that may fetch nothing, with the program that draws its figures if it has any."""
    drawn = '<figure class="lmdk-drawn"' in body or '<figure class="map"' in body
    script = f'<script type="module">{program(READING)}</script>' if drawn else ""
    about = f"<footer>{licences()}</footer>" if drawn else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(inside=True)}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f'<link rel="icon" href="data:,"><style>{style}</style></head>'
        f'<body data-jp-theme-light="true">{body}{about}{script}</body></html>\n'
    )
