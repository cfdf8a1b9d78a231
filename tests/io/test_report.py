"""A report: hostile texts stay texts, a screen reader finds its way, nothing is fetched, and its map is drawn where it is."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import programs
from lmdk_widgets.io.report import Part, bullets, chart, code, paragraph, picture, report_html, table
from lmdk_widgets.io.report_drawings import MOST_POINTS, WIDTH, release_svg

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
    tags = Tags(whole([Part(HOSTILE, [*pieces, picture("", HOSTILE)])], title=HOSTILE, about=HOSTILE, foot=HOSTILE))
    assert not tags.named("script") and not tags.named("img")
    assert tags.text.count("<script>hacked=1</script>") == 14  # each of the texts, as text


@built
def test_a_chart_cannot_end_its_script() -> None:
    html = whole([Part("Charts", [chart("Bars", FIGURE, "One and two.")])])
    tags = Tags(html)
    assert [a.get("type") for a in tags.named("script")] == ["application/json", "module", "module"]
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


def positions(svg: str, kind: str) -> np.ndarray:
    (path,) = re.findall(f'class="{kind}" d="([^"]*)"', svg)
    return np.array(re.findall(r"([\d.]+) ([\d.]+)", path), float)


def test_points_lie_where_a_mercator_map_has_them() -> None:
    """By hand: equal steps of longitude are equal steps to the right, and a step north is larger the farther north it is."""
    svg = release_svg([48.8, 48.8, 48.9, 60.0], [2.0, 3.0, 2.0, 3.0])
    (ax, ay), (bx, by), (cx, cy), (_, dy) = positions(svg, "path")
    assert cx == ax and by == ay and dy < cy < ay, "north is up"
    per_degree = bx - ax
    ln = [float(np.degrees(np.log(np.tan(np.pi / 4 + np.radians(latitude) / 2)))) for latitude in (48.8, 48.9, 60.0)]
    assert ay - cy == pytest.approx((ln[1] - ln[0]) * per_degree, abs=0.2)
    assert ay - dy == pytest.approx((ln[2] - ln[0]) * per_degree, abs=0.2)


def test_a_release_across_the_antimeridian_is_one_piece() -> None:
    found = positions(release_svg([0.0, 0.0], [179.9, -179.9]), "path")
    assert 0 < found[1, 0] - found[0, 0] < WIDTH


def test_a_map_holds_what_it_can() -> None:
    one = release_svg([48.85], [2.35])
    assert len(positions(one, "points")) == 1 and 'class="degrees"' in one
    assert release_svg(np.zeros(MOST_POINTS + 1), np.zeros(MOST_POINTS + 1)) == "" == release_svg([np.nan], [np.nan])
    many = release_svg(*np.random.default_rng(1).normal(0, 0.01, (2, MOST_POINTS)))
    assert len(many) < 700_000


def test_names_of_places_do_not_overprint_each_other() -> None:
    places = [
        (48.85, 2.35, "First"),
        (48.8501, 2.3501, "Second"),
        (48.86, 2.36, "<b>Third</b>"),
        (0.0, 0.0, "Far away"),
    ]
    svg = release_svg([48.84, 48.87], [2.34, 2.37], places)
    assert svg.count('class="place"') == 3, "the one beyond the map is left out"
    assert "First" in svg and "Second" not in svg and "&lt;b&gt;Third" in svg
