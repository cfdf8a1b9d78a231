"""A report: one HTML file that opens without a network, prints on A4, and works with a screen reader from top to bottom.

A report is a list of parts, each a heading with pieces of HTML made by the functions here; every text is
escaped as it is added. Charts are plotly figure descriptions, the same as on the page. The file includes the program that
draws them, once for a wide page and for paper, once for a narrow one, and a content security policy that prevents the page
from fetching anything. Maps are plain values for the programs that draw those of the page. Without JavaScript, each
chart and map is still described by a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, Protocol

from lmdk_widgets.io.programs import compressed, held, licences, policy, program, shown
from lmdk_widgets.io.released import checked_note
from lmdk_widgets.palette import ACCENT, INK, LINE, PANEL, PAPER, PICTURE_GRID, QUIET, WARN, WARN_LINE

PROGRAM = "report.js"
"""The script that draws the charts and maps."""

_NO_SCRIPT = (
    "A script in this file draws charts and maps. Scripts are switched off here; the sentences say what they show."
)

_COLOURS = (
    f":root {{ color-scheme: light; --lmdk-ink: {INK.light}; --lmdk-paper: {PAPER.light}; --lmdk-panel: {PANEL.light}; "
    f"--lmdk-quiet: {QUIET.light}; --lmdk-line: {LINE.light}; --lmdk-grid: {PICTURE_GRID}; --warn: {WARN.light}; "
    f"--warnline: {WARN_LINE.light}; --accent: {ACCENT.light}; --lmdk-size: 1; }}"
)
STYLE = (
    f"{_COLOURS}\n"
    """@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 20px 16px; max-width: 760px; background: var(--lmdk-paper); color: var(--lmdk-ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 25px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 19px; line-height: 1.25; margin: 28px 0 8px; padding-top: 10px; border-top: 1px solid var(--lmdk-line); }
h3 { font-size: 15.5px; margin: 16px 0 4px; }
p, ul { margin: 0 0 8px; }
ul { padding-left: 20px; }
.about, .quiet, figcaption, footer { color: var(--lmdk-quiet); font-size: 13.5px; }
.note { margin: 8px 0; padding: 4px 10px; background: var(--warn); border-left: 4px solid var(--warnline); font-weight: 650;
  color: var(--lmdk-ink); font-size: 14px; }
.mark { position: sticky; top: 0; z-index: 5; margin: -20px -16px 12px; }
.mark span { display: block; padding: 5px 16px; font-size: 14px; font-weight: 650; background: var(--lmdk-ink);
  color: var(--lmdk-paper); }
.said { font-size: 16.5px; }
.warnings li { margin-bottom: 4px; }
.warnings li::marker { content: "\\26A0\\00A0"; }
figure { margin: 10px 0 16px; }
figcaption { margin-top: 4px; }
svg { display: block; width: 100%; height: auto; max-width: 100%; }
canvas { display: block; max-width: 100%; }
.narrow { display: none; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 8px 14px; margin: 6px 0; }
.card { border: 1px solid var(--lmdk-line); border-radius: 6px; padding: 6px 10px 4px; break-inside: avoid; }
.card h3 { margin: 0; } .card > .quiet { margin: 0 0 4px; }
.card figure { margin: 0 0 4px; } .card :is(figcaption, figure h3) { display: none; }
.card dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 0 22px; margin: 0; }
.card dl > div { display: grid; grid-template-columns: max-content 1fr; gap: 0 8px; align-content: start; padding: 3px 0;
  border-top: 1px solid var(--lmdk-line); line-height: 1.3; }
.card :is(dt, dd) { margin: 0; font-weight: 700; } .card dt { font-size: 14px; } .card dt + dd { text-align: right; }
.card dd + dd { grid-column: 1 / -1; font-weight: 400; font-size: 12.5px; color: var(--lmdk-quiet); }
.first { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 20px; }
.first > :first-child:has(.cards), .first > :only-child { grid-column: 1 / -1; }
.first > :is(:has(.cards) + :last-child, :only-child:not(:has(.cards))) { grid-column: 1 / -1; display: grid;
  grid-template-columns: inherit; gap: inherit; }
.first > :is(:has(.cards) + :last-child, :only-child:not(:has(.cards))) > :is(h2, h3) { grid-column: 1 / -1; }
.first h2 { margin: 10px 0 4px; padding-top: 6px; font-size: 17px; } .first h3 { margin: 6px 0 0; font-size: 14px; }
.first figure { margin: 0 0 6px; } .first figcaption, .first .quiet { font-size: 12px; line-height: 1.35; }
[data-drawn] .first .chart figcaption { position: absolute; clip-path: inset(50%); }
.first .wide { display: none; }
.first .narrow { display: block; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 14px; font-size: 14px; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--lmdk-quiet); font-size: 13.5px; padding-bottom: 4px; }
.unseen { position: absolute; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--lmdk-line); }
th { font-weight: 600; }
thead th { border-bottom: 2px solid var(--lmdk-line); }
.right { text-align: right; }
tr:has(+ .below) > * { border-bottom: 0; }
tr:has(+ .below) > th { overflow-wrap: break-word; } /* a column is as wide as its longest word */
.below td { padding-top: 0; color: var(--lmdk-quiet); font-size: 13px; }
pre { margin: 0 0 12px; padding: 8px 10px; background: var(--lmdk-panel); border: 1px solid var(--lmdk-line);
  white-space: pre-wrap; font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
.enclosed button { font: inherit; padding: 6px 14px; min-height: 34px; border: 1px solid var(--lmdk-line); border-radius: 6px;
  background: var(--lmdk-panel); color: inherit; cursor: pointer; }
.enclosed button:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.enclosed iframe { width: min(1280px, 100vw - 32px); height: 92vh; margin-left: calc(50% - min(640px, 50vw - 16px));
  border: 1px solid var(--lmdk-line); color-scheme: light; }
.licences pre { font-size: 12px; }
.lmdk-swatch { display: inline-block; width: 16px; height: 12px; margin-right: 5px; border: 1px solid var(--lmdk-line); }
.numbered { margin: 0 0 14px; padding-left: 12px; border-left: 3px solid var(--lmdk-line); break-inside: avoid; }
.numbered > p { margin-bottom: 3px; } .numbered .quiet p { margin: 0 0 2px; }
.numbered pre { margin: 4px 0 0; padding: 3px 8px; }
.stacked th, .stacked td { padding: 6px 12px 6px 0; line-height: 1.4; } .stacked tbody th { width: 17%; }
.stacked td { width: 24%; } .stacked td:nth-child(2) { width: 35%; }
@media screen and (max-width: 560px) {
  .stacked thead { position: absolute; clip-path: inset(50%); }
  .stacked :is(tbody, tr, th, td) { display: block; width: auto !important; border: 0; padding: 2px 0; }
  .stacked tr { padding: 8px 0; border-bottom: 1px solid var(--lmdk-line); }
  .stacked td::before { content: attr(data-heading) ": "; font-weight: 600; }
  .wide { display: none; }
  .narrow { display: block; }
  .first, .first > section { display: block !important; }
  th, td { padding-right: 6px; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .marked { display: table; width: 100%; }
  .mark { display: table-header-group; break-inside: avoid; }
  .mark span { margin-bottom: 3mm; }
  h1 { font-size: 21px; }
  header .about { margin: 0; }
  header .note { margin: 4px 0; font-size: 11.5px; line-height: 1.3; }
  .first h2 { margin-top: 4px; font-size: 15px; }
  .first { zoom: 0.86; } .first svg { max-width: 350px; }
  h2, h3 { break-after: avoid; }
  .page { break-before: page; }
  .page h2 { margin-top: 0; border-top: 0; }
  figure, tr, .note { break-inside: avoid; }
  .enclosed, .licences { display: none; }
  p { orphans: 3; widows: 3; }
}
"""
)


class Piece(Protocol):
    """An object that can be written as HTML, such as a block of a page."""

    def html(self) -> str: ...


class Part(NamedTuple):
    """A part of a report: its heading, any text, and its pieces: blocks, or HTML made by the functions of this module.
    place: "first" is on the first page, "page" starts a new page in print; "" follows the previous part."""

    heading: str
    pieces: Sequence[str | Piece]
    place: str = ""


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph, or several if blank lines separate them; kind: "said" for emphasised text, "quiet" for secondary text.

    Examples
    --------
    >>> paragraph("The odds < 2.")
    '<p>The odds &lt; 2.</p>'
    """
    return "".join(f"<p{_class(kind)}>{shown(part)}</p>" for part in text.split("\n\n"))


def bullets(lines: Iterable[str], kind: str = "") -> str:
    """A list; nothing if it is empty."""
    items = "".join(f"<li>{shown(line)}</li>" for line in lines)
    return f"<ul{_class(kind)}>{items}</ul>" if items else ""


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[bool] = (),
    notes: Sequence[str] = (),
) -> str:
    """A table whose first cells name their rows; without `heads`, a table of names and values.

    Parameters
    ----------
    right : whether each column is right-aligned, as numbers are. notes : a sentence under each row, or none at all.

    Examples
    --------
    >>> table("Options", [], [["Epsilon", "1"]])
    '<table><caption>Options</caption><tbody><tr><th scope="row">Epsilon</th><td>1</td></tr></tbody></table>'
    """
    head = "".join(f'<th scope="col"{_side(right, k)}>{shown(text)}</th>' for k, text in enumerate(heads))
    body = ""
    for r, (first, *rest) in enumerate(rows):
        cells = "".join(f"<td{_side(right, k)}>{shown(text)}</td>" for k, text in enumerate(rest, start=1))
        body += f'<tr><th scope="row">{shown(first)}</th>{cells}</tr>'
        body += f'<tr class="below"><td colspan="{1 + len(rest)}">{shown(notes[r])}</td></tr>' if notes else ""
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<table><caption>{shown(caption)}</caption>{top}<tbody>{body}</tbody></table>"


def stacked(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts, whose rows become blocks on a narrow page, with the heading before each text.

    Examples
    --------
    >>> stacked("Ways", ["way", "cost"], [["None", "all"]]).partition("<tbody>")[2].partition("</tr>")[0]
    '<tr><th scope="row">None</th><td data-heading="cost">all</td>'
    """
    head = "".join(f'<th scope="col">{shown(text)}</th>' for text in heads)
    body = ""
    for first, *rest in rows:
        told = zip(heads[1:], rest, strict=True)
        cells = "".join(f'<td data-heading="{shown(of)}">{shown(text)}</td>' for of, text in told)
        body += f'<tr><th scope="row">{shown(first)}</th>{cells}</tr>'
    top = f"<caption>{shown(caption)}</caption><thead><tr>{head}</tr></thead>"
    return f'<table class="stacked">{top}<tbody>{body}</tbody></table>'


def numbered(number: int, text: str, basis: Iterable[tuple[str, str]], command: str) -> str:
    """A sentence with its number, what it rests on by name, and the command that prints it again.

    Examples
    --------
    >>> numbered(2, "It is 5.", [("Assumes", "3 + 2")], "calc").partition("</p>")[0]
    '<div class="numbered"><p><b>2.</b> It is 5.'
    """
    told = "".join(f"<p><i>{shown(name)}:</i> {shown(said)}</p>" for name, said in basis)
    code_said = f"<pre><code>{shown(command)}</code></pre>" if command else ""
    return (
        f'<div class="numbered"><p><b>{number}.</b> {shown(text)}</p><div class="quiet">{told}{code_said}</div></div>'
    )


def card(name: str, about: str, picture: str, rows: Iterable[tuple[str, str, str]]) -> str:
    """A setting with its answers. picture : made by `drawn`, or "". rows : each answer's name, meaning and value.

    Examples
    --------
    >>> card("Now", "", "", [("Useful", "off", "740 m")])
    '<article class="card"><h3>Now</h3><dl><div><dt>Useful</dt><dd>740 m</dd><dd>off</dd></div></dl></article>'
    """
    told = "".join(
        f"<div><dt>{shown(of)}</dt><dd>{shown(value)}</dd><dd>{shown(line)}</dd></div>" for of, line, value in rows
    )
    head = f"<h3>{shown(name)}</h3>" + (paragraph(about, "quiet") if about else "")
    return f'<article class="card">{head}{picture}<dl>{told}</dl></article>'


def cards(each: Sequence[str]) -> str:
    """Cards side by side, made by `card`; nothing if there are none."""
    return f'<div class="cards">{"".join(each)}</div>' if each else ""


def _side(right: Sequence[bool], k: int) -> str:
    return _class("right" if k < len(right) and right[k] else "")


def chart(title: str, figure: Mapping[str, Any], summary: str) -> str:
    """A chart under its title, from a figure description in plain values, above a sentence that says what it shows."""
    return f'<figure class="chart"><h3>{shown(title)}</h3>{_json(figure)}<figcaption>{shown(summary)}</figcaption></figure>'


def drawn(kind: str, label: str, drawing: Mapping[str, Any], summary: str) -> str:
    """A map or a chart for the program that draws the page's own, above a sentence that says what it shows.

    Parameters
    ----------
    kind : "cells", "release", "series", "belief" or "track". label : what is shown, for a screen reader.
    drawing : the input of the function for this kind, in plain values: see frontend/src/map/still.js and landmarks/still.js.
        Cells have no coordinates. True places are only in a file for their owner, as a track.
    """
    data = _json({"kind": kind, "label": label, **drawing})
    return f'<figure class="map">{data}<figcaption>{shown(summary)}</figcaption></figure>'


def code(label: str, text: str) -> str:
    """A text to copy as it is, such as a program or settings, under its label."""
    kept = escape("".join(c for c in text.encode("utf-8", "replace").decode("utf-8") if c in "\n\t" or c.isprintable()))
    return f"<h3>{shown(label)}</h3><pre><code>{kept}</code></pre>"


def folded(label: str, text: str) -> str:
    """The same in a fold, which is closed at first and on paper.

    Examples
    --------
    >>> folded("JSON", "{}")
    '<details><summary>JSON</summary><pre><code>{}</code></pre></details>'
    """
    return f"<details><summary>{shown(label)}</summary>{code(label, text).partition('</h3>')[2]}</details>"


class Heading(NamedTuple):
    """What its author writes at the head of a report, plain texts; each may be ""."""

    title: str = ""
    author: str = ""
    purpose: str = ""

    def html(self, question: str) -> str:
        """The heading, above the question that the report answers.

        Examples
        --------
        >>> Heading("Our <bus>", author="Ada").html("How private?").splitlines()
        ['<h1>Our &lt;bus&gt;</h1>', '<p class="about">How private?</p>', '<p class="about">By Ada</p>']
        """
        lines = [f"<h1>{shown(self.title or question)}</h1>", paragraph(question, "about") if self.title else ""]
        lines += [paragraph(f"By {self.author}", "about") if self.author else ""]
        lines += [paragraph(f"Purpose: {self.purpose}") if self.purpose else ""]
        return "\n".join(filter(None, lines))


def enclosed(label: str, page: bytes) -> str:
    """Another page inside the report, behind a button: nothing in it runs before the button is pressed."""
    return (
        f'<div class="enclosed">{held("enclosed", compressed(page))}<button type="button">{shown(label)}</button></div>'
    )


def report_html(
    *,
    title: str,
    about: str,
    note: str,
    parts: Iterable[Part],
    foot: str,
    mark: str = "",
    heading: Heading | None = None,
) -> str:
    """A report as one HTML page.

    Parameters
    ----------
    title : the question that the report answers. about : what it is about, in a line under the title.
    note : what the file is, one line; shown in a banner at the top and at the end.
    parts : the parts in order. foot : the program and its version, and when the report was made.
    heading : what its author writes above all of it.
    mark : who the report is for: its first line, which stays in view and is printed on every page; "" for none.

    Raises
    ------
    InputError : a note of several lines, or one that is too long.
    RuntimeError : the package was never built.

    Examples
    --------
    >>> html = report_html(title="A day", about="Bob", note="simulation", parts=[Part("It", [paragraph("Yes.")])], foot="1")
    >>> html.count("<h1>"), html.count("<h2"), "<script" in html, "http" in html.replace("http-equiv", "")
    (1, 1, False, False)
    """
    heading = heading or Heading()
    sections = "\n".join(_section(number, part) for number, part in enumerate(parts))
    sections = sections.replace(_AFTER_FIRST, "")  # those on the first page share one box
    banner, inside = shown(checked_note(note)), 'class="enclosed"' in sections
    drawn = inside or any(f'class="{kind}"' in sections for kind in ("chart", "map"))
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        f'<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy(inside=inside)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{shown(heading.title or title)}</title>\n<style>{STYLE}</style>\n</head>",
        f'<body class="marked">\n<p class="mark" role="note"><span>{shown(mark)}</span></p>' if mark else "<body>",
        f'<header>\n{heading.html(title)}\n<p class="about">{shown(about)}</p>',
        f'<p class="note" role="note">{banner}</p>\n</header>\n<main>',
        f"<noscript><p>{_NO_SCRIPT}</p></noscript>" if drawn else "",
        sections,
        f'</main>\n<footer>\n<p class="note">{banner}</p>\n<p>{shown(foot)}</p>',
        licences() if drawn else "",
        "</footer>",
        f'<script type="module">{program(PROGRAM)}</script>' if drawn else "",
        "</body>\n</html>\n",
    ]
    return "\n".join(line for line in lines if line)


def written(heading: str, pieces: Iterable[str | Piece]) -> str:
    """The content under a heading, as HTML."""
    each = (piece if isinstance(piece, str) else piece.html() for piece in pieces)
    inside = "\n".join(html for html in each if html)
    caption = f"caption>{shown(heading)}</caption>"  # nothing is said twice
    return inside.replace(f"<{caption}", f'<caption class="unseen">{caption.partition(">")[2]}')


_AFTER_FIRST = '</div>\n<div class="first">\n'


def _section(number: int, part: Part) -> str:
    inside = written(part.heading, part.pieces)
    head = f'<h2 id="part-{number}">{shown(part.heading)}</h2>'
    kind = _class(part.place) if part.place != "first" else ""
    text = f'<section{kind} aria-labelledby="part-{number}">\n{head}\n{inside}\n</section>'
    return f'<div class="first">\n{text}\n</div>' if part.place == "first" else text


def _json(values: Mapping[str, Any]) -> str:
    data = json.dumps(values, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json">{data}</script>'


def _class(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""
