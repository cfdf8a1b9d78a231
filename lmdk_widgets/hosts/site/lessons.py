"""The lessons of a site: pages to read, whose questions are judged by Python in the browser.

A lesson is run once, as a reader without a kernel sees it (`lmdk_widgets.page.reading`). A script draws its charts;
without the script, each is the sentence that says what it shows.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from lmdk_widgets.course import LESSONS, STORIES, questions
from lmdk_widgets.course.pages import AnswersPage
from lmdk_widgets.hosts.site import handouts
from lmdk_widgets.hosts.site.notebooks import glossary, notebook
from lmdk_widgets.hosts.site.running import run
from lmdk_widgets.palette import ACCENT, INK, LINE, PANEL, PAPER, QUIET, document_style

CODE = "python/lmdk_widgets.zip"
"""The package's path in a site."""
FILE = "lesson-{}.html"
"""The name of a lesson's file in the folder."""

ON_SITE = ("worksheet", "slides")
"""What is printed of a lesson that everybody may have: not the key."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src "
    "'unsafe-inline'; img-src 'self' data: blob:{streets}; base-uri 'none'; form-action 'none'"
)
"""What a page of a site may load. streets : " " and the server from which a map gets its streets, or nothing."""

STYLE = (
    document_style(paper=PAPER, panel=PANEL, ink=INK, quiet=QUIET, line=LINE, accent=ACCENT)
    + """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 820px; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--accent); }
h1 { font-size: 26px; line-height: 1.2; }
h2 { font-size: 20px; margin: 22px 0 6px; } summary > h2 { display: inline; }
:is(section, details) > :is(p, ul, ol, blockquote) { margin-block: 0 10px; }
pre, code { font: 13.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { padding: 8px 10px; background: var(--panel); border: 1px solid var(--line); white-space: pre-wrap; }
table { border-collapse: collapse; display: block; overflow-x: auto; } :is(td, th) { overflow-wrap: normal; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); }
img { max-width: 100%; }
details { margin: 8px 0 16px; }
summary { cursor: pointer; color: var(--accent); }
.anchor-link { display: none; }
.lmdk-drawn, figure.map { margin: 1em 0; padding: 0; }
.lmdk-reading { margin: 1em 0; border-left: 3px solid var(--accent); padding-left: 14px; }
.lmdk-reading:has([data-lmdk-live] > *) { margin: 8px 0; border-left: 0; padding-left: 0; }
.lmdk-reading:has([data-lmdk-live] > *) > details, .lmdk-reading > details > .lmdk-drawn { margin: 0; }
.lmdk-reading > p { margin: 0 0 0.5em; }
.lmdk-reading .unseen { position: absolute; clip-path: inset(50%); }
.lmdk-reading .right { text-align: right; }
.lmdk-reading canvas { display: block; max-width: 100%; }
.lmdk-still, .quiet, .below td { color: var(--quiet); font-size: 0.9em; }
"""
)
"""The style of a lesson: light or dark, as the system is."""


def titles() -> dict[str, str]:
    """Every lesson and story with its title."""
    return {name: lesson.title for name, lesson in LESSONS.items()} | STORIES


def write_lesson(folder: Path, name: str, lessons: Sequence[str]) -> Path:
    """Run a lesson and write it as a page of a site, with its worksheet and slides; return its path.

    lessons : all those in the folder.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(streets="")}">\n'
    found = run(notebook(name))
    sheets = handouts.written(folder, name, found.cells, ON_SITE) if name in LESSONS else []
    around = opened_from_here(lessons)
    return _written(folder / FILE.format(name), name, found, around, policy, {"code": CODE}, sheets=sheets)


def main() -> None:
    """Write a lesson for a server, at low priority; the command line says, as JSON, which one and where."""
    told = json.loads(sys.argv[1])
    if hasattr(os, "nice"):
        os.nice(10)  # sliders do not wait for a lesson, nor for the kernel that this process starts
    path = _written(
        Path(told["folder"]) / f"{told['name']}.{os.getpid()}.part",
        told["name"],
        run(notebook(told["name"])),
        f'data-server="{escape(told["home"])}" data-runs="server"',
        "",
        {"served": True},
        home=told["home"],
        static=told["static"],
    )
    path.replace(path.with_name(f"{told['name']}.html"))  # another server may have written it meanwhile


def opened_from_here(lessons: Sequence[str]) -> str:
    """What the body of each page says about the site: the names of lessons' files, and which lessons there are."""
    held = " ".join(name for name in lessons if name in LESSONS)
    return f'data-server="index.html" data-runs="browser" data-lesson="{FILE.format("NAME")}" data-lessons="{held}"'


def _asked(name: str) -> dict[str, Any]:
    """What a lesson's script needs: its questions as their page sends them, and the list of answers."""
    asked = {ask.asked()["name"]: ask.asked() for ask in questions(name)} if name in LESSONS else {}
    answers = {f"_{key}": value for key, value in AnswersPage(name).about().items()} if asked else {}
    return {"asked": asked, "answers": answers | {"lesson": name}}


def _written(
    path: Path,
    name: str,
    found: Any,
    around: str,
    policy: str,
    more: Mapping[str, Any],
    *,
    home: str = "index.html",
    static: str = "static/",
    sheets: Sequence[Path] = (),
) -> Path:
    """Write a lesson that was run: `around` goes into its body, `policy` into its head, `more` into its script's data.

    sheets : what is printed of it, beside its file.
    """
    parts = list(_cells(found))
    links = "".join(f' · <a href="{sheet.name}">{sheet.stem.rpartition("-")[2].capitalize()}</a>' for sheet in sheets)
    head = (
        f'<meta charset="utf-8">\n{policy}'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(titles()[name])}</title>\n'
        f'<meta name="lmdk-static" content="{escape(static)}">'
        f'<link rel="icon" href="data:,">\n<style>{STYLE}</style>'
    )
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        f"<head>\n{head}\n</head>\n<body {around}>",
        f'<nav><a href="{escape(home)}?page=lessons">All pages and lessons</a>{links}</nav>',
        f"<article>{''.join(parts)}</article>",
        f'<script type="application/json" id="lmdk-glossary">{_json(glossary())}</script>',
        f'<script type="application/json" id="lmdk-site">{_json({**more, **_asked(name)})}</script>',
        *(f'<script type="module" src="{static}{each}"></script>' for each in ("reading.js", "live_lesson.js")),
        "</body>\n</html>\n",
    ]
    path.write_text("\n".join(lines), "utf-8")
    return path


def _json(value: Any) -> str:
    """The value as JSON that can be part of a page."""
    return json.dumps(value).replace("<", "\\u003c")


def _cells(found: Any) -> Iterator[str]:
    """What a reader sees of each cell: the text, or the program's output."""
    from nbconvert.filters import markdown2html

    for cell in found.cells:
        if cell.cell_type == "markdown":
            yield f"<section>{markdown2html(cell.source)}</section>"
        elif cell.cell_type == "code":
            shown = "".join(_shown(output) for output in cell.outputs)
            yield f'<div class="cell">{shown}</div>' if shown else ""


def _shown(output: Any) -> str:
    from nbconvert.filters import markdown2html

    if output.output_type == "stream":
        return f"<pre>{escape(output.text)}</pre>" if output.name == "stdout" else ""
    data = output.get("data", {})
    if "text/markdown" in data and "text/html" not in data:
        return markdown2html(data["text/markdown"])
    return data.get("text/html") or (f"<pre>{escape(data['text/plain'])}</pre>" if "text/plain" in data else "")
