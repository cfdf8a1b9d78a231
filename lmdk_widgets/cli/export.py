"""The commands `lmdk export`, `lmdk site` and `lmdk handout`: files that open without Python on the reader's machine.

An export is one page with recorded answers, which also works offline. A site is a folder for any file host: all pages,
with Python for the browser, and the lessons. A handout is a lesson as a worksheet, as slides or as a key.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lmdk_widgets.checks import joined, one_of
from lmdk_widgets.course import LESSONS
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.page_list import CAN, FIRST
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import sentence

NONE, ALL = "none", "all"


def add_export(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "export",
        help="write a page with recorded answers as one file that opens offline",
        description="Writes one HTML file: a page that needs no kernel, because the answers for every setting of its open "
        "controls are computed in advance. Your own track is not in it: the file is computed from one release. See "
        "docs/take_away.md.",
    )
    command.add_argument("out", type=Path, metavar="OUT.html", help="the file to write")
    command.add_argument("data", nargs="?", metavar="FILE", help="a track of your own, or a sample; default: bob")
    command.add_argument("--page", default=FIRST, metavar="NAME", help=f"{joined(CAN, 'or')}; default: {FIRST}")
    command.add_argument(
        "--open", default="", metavar="NAMES", help="controls that stay open, such as scheme,epsilon,correlation"
    )
    command.add_argument(
        "--stops", type=int, default=25, metavar="N", help="number of stops on each slider; default: 25"
    )
    command.add_argument(
        "--link", default="", metavar="LINK", help="settings to start with: a link copied from the page"
    )
    command.add_argument("--landmarks", metavar="LIST", help="timestamps that matter, counted from 1: 1,3,5-8")
    command.add_argument(
        "--propose", default="", metavar="LIST", help="up to six timestamps that readers may mark, counted from 1"
    )
    command.add_argument(
        "--timezone", default="", metavar="TZ", help="time zone for times without one, such as Europe/Paris"
    )
    command.add_argument(
        "--with-truth", action="store_true", help="include the true data, and say so in the file's name"
    )
    command.add_argument("--jobs", type=int, default=-1, metavar="N", help="number of processes; default: one per core")
    command.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> None:
    """Write the file."""
    from lmdk_widgets.page.what_if import megabytes

    lab = _page(options)
    proposed = _timestamps(options.propose, len(lab.session.data)) if options.propose else []
    names = [name for name in options.open.split(",") if name]
    more = {"stops": options.stops, "jobs": options.jobs, "truth": options.with_truth}
    out = export(lab, options.out, names, proposed=proposed, **more)
    print(f"Wrote {megabytes(out.stat().st_size)} to {out}.")


def export(
    lab: Any,
    out: Path,
    names: Sequence[str] = (),
    *,
    proposed: Sequence[int] = (),
    stops: int = 25,
    jobs: int = -1,
    truth: bool = False,
) -> Path:
    """Write a page as one file, showing the progress; return its path.

    Parameters
    ----------
    names : controls that stay open; the first few if left out. proposed : timestamps that readers may mark.
    stops : number of stops on each slider. jobs : number of processes, -1 for one per core. truth : whether the file may
    contain the true data.
    """
    from lmdk_widgets.page.open_controls import opened
    from lmdk_widgets.page.what_if import WhatIf, instead, megabytes
    from lmdk_widgets.study.progress import Progress

    page, source = type(lab.page), lab.session.what_if(truth=truth)
    known = lab.page.known(source)
    names = list(names) or known[: page.OPEN]
    names += ["landmarks"] if proposed and "landmarks" not in names else []
    given = {"known": known, "left_out": page.NOT_OPEN, "ranges": lab.ranges()}
    controls = opened(source.state.choices, names, stops=stops, proposed=proposed, **given)
    made = WhatIf(page, source, controls, jobs=jobs)
    size = made.estimate()
    said = sentence(
        "{settings} settings, at most about {size}.{instead} {source}",
        settings=whole(made.count),
        size=megabytes(size),
        instead=instead(size),
        source=source.said,
    )
    print(said, file=sys.stderr)
    progress = Progress(made.count, out=sys.stderr)
    for _ in made.record():
        progress.add(1)
    progress.end()
    out = _named(out, truth=source.true)
    out.write_bytes(made.file().data)
    return out


def _named(out: Path, *, truth: bool) -> Path:
    """The path of the file, whose name says so if it contains the true data.

    Examples
    --------
    >>> _named(Path("my.html"), truth=True).name, _named(Path("my.html"), truth=False).name
    ('my_with-the-true-data.html', 'my.html')
    """
    from lmdk_widgets.page.what_if import TRUTH

    said = TRUTH.replace(" ", "-")
    return out if not truth or said in out.stem else out.with_name(f"{out.stem}_{said}{out.suffix}")


def _page(options: argparse.Namespace) -> Any:
    """The page with its initial settings."""
    from lmdk_widgets.hosts.widget.dashboard import widget_of

    page = one_of(options.page, "the page", CAN)
    if page == FIRST:
        lab = widget_of(FIRST)(options.data, timezone=options.timezone or None)
    elif options.data is None and options.landmarks is None and not options.propose:
        lab = widget_of(page)()
    else:
        raise InputError("A track and its landmarks need the page Track", value=page)
    if options.link:
        lab.session.open_link(urlsplit(options.link).query or options.link)
    if options.landmarks is not None:
        marks = _timestamps(options.landmarks, len(lab.session.data))
        lab.session.apply([{"op": "set", "name": "landmarks", "value": marks}], commit=True)
    return lab


def _timestamps(text: str, n: int) -> list[int]:
    from lmdk_widgets.secure.command import timestamps

    try:
        return timestamps(text, n)
    except InputError as error:
        raise InputError(f"A list of timestamps must count from 1 to {n:,}, such as 1,3,5-8", value=text) from error


def add_site(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "site",
        help="write the pages and the lessons as a folder for any file host, with Python that runs in the browser",
        description="Writes a folder for any file host. Track, Place, Series and Table first appear with their initial "
        "settings; then Python in the visitor's browser computes every setting, even for the visitor's own files, which "
        "never leave it. The lessons are pages too. Running all lessons takes a few minutes. See docs/site.md.",
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    command.add_argument("--pages", metavar="NAMES", help="such as track,place, or none; default: all")
    command.add_argument("--lessons", metavar="NAMES", help="such as moments,places, or none; default: all")
    command.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="a local copy of Pyodide, NumPy and perhaps HiGHS, or of some of these; default: download them once",
    )
    command.set_defaults(run=_write_site)


def _write_site(options: argparse.Namespace) -> None:
    """Write the folder, reporting each file."""
    from lmdk_widgets.hosts.site import distribution, folder
    from lmdk_widgets.hosts.site.lessons import titles, write_lesson

    pages = _chosen(options.pages, "page", CAN)
    lessons = _chosen(options.lessons, "lesson", titles())
    folder.new_folder(options.folder)
    files = distribution.gather(options.pyodide)
    plain = not set(distribution.WANTED) & set(distribution.packages(files))
    _told(folder.write_programs(options.folder, files))
    for name in folder.pages_of_site(pages, lessons):
        _told(folder.write_page(options.folder, name, plain=plain))
    for name in lessons:
        _told(write_lesson(options.folder, name, lessons))
    _told(folder.write_index(options.folder, pages, lessons))
    _told(folder.write_offline(options.folder))
    if plain and "place" in pages:
        print(f"Without {distribution.WANTED[0]}: Place solves up to 6 x 6 cells.", file=sys.stderr)


def _chosen(text: str | None, what: str, known: Collection[str]) -> list[str]:
    """The names in a list, in the order of `known`; all of them if there is no list.

    Examples
    --------
    >>> _chosen("place,track", "page", CAN), _chosen("none", "page", CAN), len(_chosen(None, "page", CAN))
    (['track', 'place'], [], 5)
    """
    if text is None:
        return list(known)
    names = text.split(",")
    asked = {one_of(name, f"the {what}", known) for name in names if name not in ("", NONE)}
    return [name for name in known if name in asked]


def _told(path: Path) -> None:
    held = [path] if path.is_file() else path.iterdir()
    print(f"{path.name}, {sum(one.stat().st_size for one in held) / 1e6:.2g} MB", file=sys.stderr)


def add_handout(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "handout",
        help="write a lesson as a worksheet, as slides and as a key",
        description="Runs a lesson and writes three HTML files that open and print without a network: its worksheet (the "
        "questions with room to answer, and the exercises), its slides (a question and a picture to answer in), and a key "
        "for the teacher (each answer, why, and the figure behind it). Worksheet and slides contain no answer.",
    )
    command.add_argument("names", nargs="+", metavar="NAME", help="a lesson of `lmdk lesson --list`, or all")
    command.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="where to write; default: here")
    command.set_defaults(run=_write_handouts)


def _write_handouts(options: argparse.Namespace) -> None:
    """Write the files, and say which."""
    known = [*LESSONS, ALL]
    asked = {one_of(name, "a lesson", known) for name in options.names}
    from lmdk_widgets.hosts.site.handouts import write_handouts

    options.folder.mkdir(parents=True, exist_ok=True)
    for name in LESSONS if ALL in asked else [name for name in LESSONS if name in asked]:
        print(f"{name}: the lesson is run for its figures.", file=sys.stderr)
        print(*write_handouts(options.folder, name), sep="\n")
