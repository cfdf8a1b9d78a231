"""A report: hostile texts stay texts, a screen reader finds its way, nothing is fetched."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import programs
from lmdk_widgets.io.report import Part, bullets, chart, code, paragraph, report_html, table

HOSTILE = "</script><script>hacked=1</script><img src=x onerror=hacked=1> {{ 7*7 }} \u2028 \ud800"
FIGURE = {"data": [{"type": "bar", "name": HOSTILE.replace("\ud800", ""), "y": [1, 2]}], "layout": {}}
built = pytest.mark.skipif(not (programs.STATIC / "report.js").exists(), reason="the package is not built")


class Tags(HTMLParser):
    """The tags of a page with their attributes, checked to be closed in order; and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data if self.open and self.open[-1] not in ("script", "style") else ""

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def whole(parts: list[Part], **changes: str) -> str:
    given = {"title": "Bob's day", "about": "bob, uniform", "note": "simulation", "foot": "lmdk_widgets"}
    return report_html(**{**given, **changes}, parts=parts)


def test_hostile_texts_stay_texts() -> None:
    pieces = [
        paragraph(HOSTILE),
        bullets([HOSTILE]),
        table(HOSTILE, [HOSTILE], [[HOSTILE, HOSTILE]]),
        code(HOSTILE, HOSTILE),
    ]
    tags = Tags(whole([Part(HOSTILE, [*pieces, paragraph(HOSTILE)])], title=HOSTILE, about=HOSTILE, foot=HOSTILE))
    assert not tags.named("script") and not tags.named("img")
    assert tags.text.count("<script>hacked=1</script>") == 14  # each of the texts, as text


@built
def test_a_chart_cannot_end_its_script() -> None:
    html = whole([Part("Charts", [chart("Bars", FIGURE, "One and two.")])])
    tags = Tags(html)
    assert [a.get("type") for a in tags.named("script")] == ["application/json", "module"]
    assert "One and two." in tags.text and not tags.named("img")


@built
def test_it_asks_for_nothing_and_is_small() -> None:
    html = whole([Part("Charts", [chart("Bars", FIGURE, "One and two.")])])
    (policy,) = [a["content"] for a in Tags(html).named("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and policy.startswith("default-src 'none'; ")
    assert "connect-src" not in policy and "http:" not in policy and "https:" not in policy
    assert not re.findall(r'(?:src|href)="(?!data:)', html[: html.index('<script type="module">')])
    assert len(html.encode()) < 1_400_000, "with the data of its charts a report stays below 2 MB"


def test_a_screen_reader_finds_its_way() -> None:
    html = whole(
        [
            Part("The answer", [paragraph("Yes.")]),
            Part("What this rests on", [table("Numbers", ["a", "b"], [["c", "d"]])]),
        ]
    )
    tags = Tags(html)
    assert tags.named("html")[0]["lang"] == "en" and len(tags.named("h1")) == len(tags.named("main")) == 1
    headings = {a["id"] for a in tags.named("h2")}
    assert {a["aria-labelledby"] for a in tags.named("section")} == headings and len(headings) == 2
    assert [a["scope"] for a in tags.named("th")] == ["col", "col", "row"] and len(tags.named("caption")) == 1
    assert tags.text.count("simulation") == 2, "at the top and at the end, as pages are taken apart"


def test_without_a_chart_it_has_no_program() -> None:
    html = whole([Part("The answer", [paragraph("Yes.")])])
    assert "<script" not in html and "noscript" not in html and len(html) < 8_000


def test_a_note_is_one_line() -> None:
    with pytest.raises(InputError, match="Note"):
        whole([], note="one\ntwo")
