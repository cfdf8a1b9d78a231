"""A reader of Moodle's XML as its documentation describes it, which marks an answer as a quiz does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree import ElementTree

TYPES = (
    "category",
    "multichoice",
    "truefalse",
    "shortanswer",
    "matching",
    "cloze",
    "essay",
    "numerical",
    "description",
)
FORMATS = ("html", "moodle_auto_format", "plain_text", "markdown")
FRACTIONS = (
    100,
    90,
    83.33333,
    80,
    75,
    70,
    66.66667,
    60,
    50,
    40,
    33.33333,
    30,
    25,
    20,
    16.66667,
    14.28571,
    12.5,
    11.11111,
    10,
    5,
    0,
)
OPENED = re.compile(r"<(questiontext|generalfeedback|feedback)\b[^>]*><text>(.*?)</text>", re.S)


@dataclass
class Answer:
    text: str
    fraction: float
    feedback: str
    tolerance: float | None = None


@dataclass
class Question:
    kind: str
    category: str
    name: str
    text: str
    feedback: str
    answers: list[Answer] = field(default_factory=list)

    def marked(self, given: str) -> Answer | None:
        """The first answer that fits, which decides the mark; None if none does."""
        for answer in self.answers:
            if self.kind == "numerical":
                assert answer.tolerance is not None
                if abs(float(given) - float(answer.text)) <= answer.tolerance:
                    return answer
            elif answer.text == given:
                return answer
        return None


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def words(html: str) -> str:
    """The text of HTML."""
    reader = _Words()
    reader.feed(html)
    return "".join(reader.parts).strip()


def read(source: str) -> list[Question]:
    """Everything that Moodle would import."""
    assert source.startswith("<?xml"), "the first line has to be the declaration"
    for tag, inner in OPENED.findall(source):
        assert "<" not in inner.replace("<![CDATA[", "").split("]]>")[0] or inner.startswith("<![CDATA["), (tag, inner)
    root = ElementTree.fromstring(source)
    assert root.tag == "quiz" and all(child.tag == "question" for child in root)
    found, category = [], ""
    for each in root:
        kind = each.get("type", "")
        assert kind in TYPES
        if kind == "category":
            category = _text(each, "category")
            assert category.startswith("$course$/top/")
            continue
        html = each.find("questiontext")
        assert html is not None and html.get("format") in FORMATS
        question = Question(
            kind,
            category,
            _text(each, "name"),
            words(_text(each, "questiontext")),
            words(_text(each, "generalfeedback")),
        )
        assert question.name and question.text and len(question.name) <= 255
        assert float(each.findtext("defaultgrade", "")) > 0 and 0 <= float(each.findtext("penalty", "")) <= 1
        assert each.findtext("hidden") == "0"
        question.answers = [_answer(answer, kind) for answer in each.findall("answer")]
        assert max(answer.fraction for answer in question.answers) == 100
        if kind == "multichoice":
            assert each.findtext("single") == "true" and each.findtext("answernumbering") in (
                "abc",
                "ABCD",
                "123",
                "none",
            )
            assert each.findtext("shuffleanswers") in ("true", "false")
            assert sum(answer.fraction > 0 for answer in question.answers) == 1
        found.append(question)
    return found


def _answer(answer: ElementTree.Element, kind: str) -> Answer:
    fraction = float(answer.get("fraction", ""))
    assert fraction in FRACTIONS and answer.get("format", "html") in FORMATS
    feedback = answer.find("feedback")
    assert feedback is not None and feedback.get("format") in FORMATS
    text = (answer.findtext("text") or "").strip()
    tolerance = answer.findtext("tolerance")
    assert (tolerance is not None) == (kind == "numerical")
    return Answer(
        words(text), fraction, words(_text(answer, "feedback")), float(tolerance) if tolerance is not None else None
    )


def _text(element: ElementTree.Element, tag: str) -> str:
    inner = element.find(tag)
    assert inner is not None and [child.tag for child in inner] == ["text"], tag
    return (inner.findtext("text") or "").strip()
