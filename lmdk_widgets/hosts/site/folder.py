"""A folder for any file host: the initial state of every page, and Python for the browser, which then computes every setting.

DIR/index.html   the pages, over static/live.js        DIR/first/   how each page begins, recorded
    lesson-*.html  the lessons, each with its              python/  this package, as one archive
    *-worksheet.html and *-slides.html
    sw.js        keeps all of it in the browser            pyodide/ Python and NumPy for browsers
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, files
from io import BytesIO
from pathlib import Path

from lmdk_widgets.course import STORIES
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.page_list import FIRST, LESSONS, STUDIES
from lmdk_widgets.hosts.site.lessons import CODE, FILE, POLICY, opened_from_here, titles
from lmdk_widgets.hosts.site.pages import described_pages, first_state
from lmdk_widgets.io.programs import NOTICES, STATIC, built
from lmdk_widgets.palette import ACCENT, INK, PAPER
from lmdk_widgets.trajectory.samples import data_folder

LEFT_OUT = (
    "hosts/serving",
    "hosts/widget",
    "hosts/page_list.py",
    "hosts/site/folder.py",
    "hosts/site/notebooks.py",
    "hosts/site/pages.py",
    "hosts/site/lessons.py",
    "hosts/site/running.py",
    "hosts/site/handouts.py",
    "hosts/site/handout_style.py",
    "cli",
    "audit",
)
"""The parts of the package that no browser runs."""
BESIDE = ("tzdata", "gpxpy", "fitdecode", "pynmea2")
"""Libraries in plain Python that are included if installed: time zones and file formats."""
NO_PROGRAMS = (
    "live",
    "class_",
    "dashboard",
    "guarantee",
    "loader",
    "streets",
    "studies",
    "trajectory_map",
    "lesson_text",
)
"""Prefixes of bundles that are not part of any page's file."""
MADE = (2024, 1, 1, 0, 0, 0)
"""The date of every file in the archive, so that the same package gives the same archive."""

_POLICY = POLICY.format(streets=" https://tile.openstreetmap.org")
_STYLE = (
    ":root { color-scheme: light dark; } html, body { margin: 0; padding: 0; "
    f"background: {PAPER.light}; color: {INK.light}; "
    'font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; } '
    f"@media (prefers-color-scheme: dark) {{ html, body {{ background: {PAPER.dark}; color: {INK.dark}; }} "
    f"a {{ color: {ACCENT.dark}; }} }} "
    "#page > .still { margin: 0 auto; padding: 16px; max-width: 720px; } [hidden] { display: none !important; }"
)
_STILL = (
    "The pages are drawn by a program in your browser. If this line stays, the browser does not run it: the browser may be "
    "old, or this was opened as a file and not from a file host, or the host does not send .js files as scripts."
)


def new_folder(folder: Path) -> None:
    """Create the folder.

    Raises
    ------
    InputError : it is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError("The folder of a site must be new or empty", value=folder.name, remedy="Name another one")
    folder.mkdir(parents=True, exist_ok=True)


def write_programs(folder: Path, pyodide: dict[str, bytes]) -> Path:
    """Write the scripts of pages and lessons, Python for browsers, and the package; return the path of Python."""
    for name in ("static", "pyodide", "python", "first"):
        (folder / name).mkdir()
    for path in (*sorted(STATIC.glob("*.js")), built(NOTICES)):
        if not path.name.startswith(("class_", "loader", "lesson_text", "live_offline")):
            shutil.copyfile(path, folder / "static" / path.name)
    for name, data in pyodide.items():
        (folder / "pyodide" / name).write_bytes(data)
    (folder / CODE).write_bytes(package())
    return folder / "pyodide"


def write_page(folder: Path, name: str, *, plain: bool = True) -> Path:
    """Record the initial state of a page; return its path. plain : the site has no solver except plain Python."""
    path = folder / "first" / f"{name}.json"
    path.write_text(json.dumps(first_state(name, plain=plain)), "utf-8")
    return path


def package() -> bytes:
    """The parts of this package that a browser runs, its data, the programs for files that pages save, and `BESIDE`."""
    home = Path(__file__).parents[2]
    sources = ((path, path.relative_to(home).as_posix()) for path in sorted(home.rglob("*.py")))
    found = [(f"lmdk_widgets/{name}", path) for path, name in sources if not name.startswith(LEFT_OUT)]
    programs = (path for path in sorted(STATIC.glob("*")) if path.is_file() and not path.name.startswith(NO_PROGRAMS))
    found += [(f"lmdk_widgets/static/{path.name}", path) for path in programs]
    samples = (path for path in sorted(data_folder().glob("*")) if path.suffix in (".csv", ".json"))
    found += [(f"lmdk_widgets/_data/{path.name}", path) for path in samples]
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in [*found, *_beside()]:
            archive.writestr(zipfile.ZipInfo(name, MADE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _beside() -> Iterator[tuple[str, Path]]:
    for name in BESIDE:
        try:
            held = files(name) or []
        except PackageNotFoundError:
            continue
        for file in sorted(held, key=str):
            if ".." not in file.parts and "__pycache__" not in file.parts:
                yield str(file), Path(str(file.locate()))


def pages_of_site(pages: Sequence[str], lessons: Sequence[str]) -> list[str]:
    """The pages of a site in order: those requested, then the lessons if there are any, and with Track also its studies."""
    return [*pages, *([LESSONS] if lessons else []), *([STUDIES] if FIRST in pages else [])]


def write_index(folder: Path, pages: Sequence[str], lessons: Sequence[str]) -> Path:
    """Write the page that opens all others. lessons : those in the folder, including stories."""
    shown = pages_of_site(pages, lessons)
    about = {
        "code": CODE,
        **described_pages(shown),
        "stories": [[FILE.format(name), title] for name, title in STORIES.items() if name in lessons],
    }
    links = "".join(f'<li><a href="{FILE.format(n)}">{escape(titles()[n])}</a></li>' for n in lessons)
    still = f'<div class="still"><h1>lmdk_widgets</h1><p>{_STILL}</p><ul>{links}</ul></div>'
    held_json = json.dumps(about).replace("<", "\\u003c")
    lines = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>',
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="lmdk-static" content="static/">',
        f'<title>lmdk</title>\n<link rel="icon" href="data:,">\n<style>{_STYLE}</style>',
        *(f'<link rel="modulepreload" href="static/{name}">' for name in ("live.js", "dashboard.js")),
        "</head>",
        f"<body {opened_from_here(lessons)}>",
        f'<main id="page">{still}</main>',
        f'<script type="application/json" id="lmdk-site">{held_json}</script>',
        '<script type="module" src="static/live.js"></script>\n</body>\n</html>\n',
    ]
    path = folder / "index.html"
    path.write_text("\n".join(lines), "utf-8")
    return path


def write_offline(folder: Path) -> Path:
    """Write the script that keeps every file of the folder in the browser; it must be written last."""
    held = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in held]
    site = json.dumps({"version": _digest(held), "files": names})
    path = folder / "sw.js"
    path.write_text(f"self.lmdkSite = {site};\n{built('live_offline.js').read_text('utf-8')}", "utf-8")
    return path


def _digest(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in paths:
        found.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]
