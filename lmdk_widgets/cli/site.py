"""The command `lmdk site`: pages with recorded answers and the lessons, as a folder that any web server carries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from lmdk_widgets.checks import one_of
from lmdk_widgets.cli.export import CAN, export, page_of

NONE = "none"


def add_site(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "site",
        help="write pages with recorded answers and the lessons as a folder for any web server",
        description="Writes a folder that any web server carries, as a demonstration without a kernel: the pages "
        "Landmarks, Places and Quilts with the answers for every setting of their first controls, and each lesson as "
        "a page to read. Running all lessons takes some minutes.",
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="a folder that is new or empty")
    command.add_argument("--pages", metavar="NAMES", help="such as landmarks,places; none; default: all three")
    command.add_argument("--lessons", metavar="NAMES", help="such as moments,places; none; default: all")
    command.add_argument("--stops", type=int, default=25, metavar="N", help="stops of each slider; default: 25")
    command.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes at the same time; default: one a core"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write the folder, and tell of each file."""
    from lmdk_widgets.hosts.serving.static_site import new_folder, titles, write_index, write_lesson

    pages = chosen(options.pages, "page", CAN)
    lessons = chosen(options.lessons, "lesson", titles())
    new_folder(options.folder)
    written = []
    for name in pages:
        lab = page_of(name)
        _told(export(lab, options.folder / f"{name}.html", stops=options.stops, jobs=options.jobs))
        written.append((f"{name}.html", lab.page.TITLE))
    for name in lessons:
        _told(write_lesson(options.folder, name))
    _told(write_index(options.folder, written, lessons))


def chosen(text: str | None, what: str, known: Collection[str]) -> list[str]:
    """The names in a list, in the order in which they are known; all of them where there is no list.

    Examples
    --------
    >>> chosen("places,landmarks", "page", CAN), chosen("none", "page", CAN), len(chosen(None, "page", CAN))
    (['landmarks', 'places'], [], 3)
    """
    if text is None:
        return list(known)
    asked = {one_of(name, f"the {what}", known) for name in text.split(",") if name not in ("", NONE)}
    return [name for name in known if name in asked]


def _told(path: Path) -> None:
    print(f"{path.name}, {path.stat().st_size / 1e6:.2g} MB", file=sys.stderr)
