"""The site: it builds without a warning from the documents where they lie, asks no other host, and is not in the wheel."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import FigureView, Question
from lmdk_widgets.course import LESSONS, STORIES
from lmdk_widgets.hosts.page_list import PAGES
from lmdk_widgets.hosts.widget.track import Explorer
from lmdk_widgets.hosts.widget.trajectory_map import TrajectoryMap
from tests.test_public_names import PUBLIC

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NEEDED = ("sphinx", "myst_nb", "furo")

WIDGETS: list[tuple[Callable[[], Any], str]] = [  # made in the test: another file may close all that there are
    (
        lambda: FigureView({"data": [{"y": [1, 2]}]}, summary="Two points </script> & no more."),
        "Two points &lt;/script&gt; &amp; no more.",
    ),
    (lambda: Explorer("bob"), "Anyone who sees"),
    (lambda: Question("moments/sums", then=FigureView({"data": []}, summary="A < B.")), "A &lt; B."),
    (lambda: Question("moments/neighbours"), "<li>"),
    (lambda: TrajectoryMap("bob", landmarks=[1, 3]), "landmarks at 2, 4"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with the texts of the lessons alone: `make docs` runs them too."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"the site needs {', '.join(missing)}: make docs installs them")
    built = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-W", "--keep-going", "-c", str(DOCS)]
    command += ["-d", str(built / "trees"), str(ROOT), str(built / "site")]
    done = subprocess.run(command, env={**os.environ, "LMDK_SITE": "off"}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return built / "site"


def test_the_front_page_shows_every_page_by_a_picture_that_can_be_taken_anew() -> None:
    shown = re.findall(r"!\[[^]]+\]\(([a-z]+)\.png\)", (DOCS / "index.md").read_text("utf-8"))
    assert {*shown, "story"} == {path.stem for path in DOCS.glob("*.png")}  # the README shows that one
    taken = runpy.run_path(str(DOCS / "pictures.py"))["PICTURES"]
    assert [*taken] == shown == [*PAGES]


def test_the_documents_are_sorted_by_who_reads_them() -> None:
    """Each stands in one list of the front page, and the lists are named as in "Where to begin"."""
    lists = re.findall(
        r"```{toctree}\n:caption: (.*?)\n:maxdepth: 1\n\n(.*?)```", (DOCS / "index.md").read_text(), re.S
    )
    begin = re.findall(r"^## (.*)$", (DOCS / "begin.md").read_text("utf-8"), re.M)
    assert [caption for caption, _ in lists] == ["Begin", *begin] and begin[0] == "You teach"
    named = [line.partition("<")[2].rstrip(">") or line for _, lines in lists for line in lines.split("\n") if line]
    documents = [path.stem for path in DOCS.iterdir() if path.suffix in (".md", ".ipynb")]
    ours = [name for name in named if not name.startswith("../") and "/" not in name]
    assert sorted(ours) == sorted(set(documents) - {"index"})


def test_a_picture_opens_the_code_of_its_page() -> None:
    cells = json.loads((DOCS / "gallery.ipynb").read_text("utf-8"))["cells"]
    code = {}  # the anchor of a heading, and the lines below it
    for text, then in pairwise(cells):
        heading = re.findall(r"^## (.*)$", "".join(text["source"]), re.M)
        if heading and then["cell_type"] == "code":
            code[heading[-1].strip().lower().replace(" ", "-").replace(",", "")] = "".join(then["source"])
    shows = {"track": "Explorer(", "place": "PlacesLab(", "series": "QuiltLab(", "table": "FoundationsLab("}
    shows |= {"people": "PeopleLab(", "lessons": "Question("}
    first = "".join(cells[0]["source"])
    thumbnails = dict(re.findall(r"\[!\[\w+\]\((\w+)\.png\)\]\(#([\w-]+)\)", first))
    assert thumbnails.keys() == shows.keys()
    assert all(lines in code[thumbnails[page]] for page, lines in shows.items())
    front = (DOCS / "index.md").read_text("utf-8")
    opened = re.findall(r"\]\((\w+)\.png\)\]\(gallery\.ipynb#([\w-]+)\)", front)
    assert {*opened} == {(page, at) for page, at in thumbnails.items() if page != "lessons"}


def test_every_environment_says_whether_somebody_tried_it() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", (DOCS / "environments.md").read_text("utf-8"), re.M)[1:]
    known = {name: what for name, what in rows}
    named = " ".join(known)
    for name in (
        "JupyterLab 4",
        "VS Code",
        "Binder",
        "JupyterLite",
        "Colab",
        "JupyterHub",
        "marimo",
        "Voila",
        "lmdk explore",
    ):
        assert name in named, name
    assert {what for what in known.values()} == {
        "tested",
        "tested if installed",
        "tried with its versions, not in Colab itself",
        "not tried",
    }
    for name in ("VS Code", "Binder", "JupyterLite"):
        assert known[name] == "not tried"


def test_a_lesson_that_is_stored_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make docs` keeps outputs in a folder named after the package's sources: only a change there runs lessons again."""
    monkeypatch.delenv("LMDK_SITE", raising=False)
    monkeypatch.setenv("LMDK_READING", "")
    monkeypatch.setenv("IPYTHONDIR", "")
    monkeypatch.setattr(sys, "path", [*sys.path])
    settings = runpy.run_path(str(DOCS / "conf.py"))
    assert settings["nb_execution_mode"] == "cache"
    assert Path(settings["nb_execution_cache_path"]).name == settings["_sources"]() == settings["_sources"]()
    assert not re.search(r"rm|clean", (ROOT / "Makefile").read_text("utf-8").split("docs:")[1].split("\n\n")[0])


@pytest.mark.slow
def test_every_lesson_document_and_room_has_its_page(site: Path) -> None:
    wanted = [f"notebooks/{name}" for name in LESSONS] + ["README", "CONTRIBUTING", "CHANGELOG"]
    wanted += [f"notebooks/{name}" for name in STORIES]
    wanted += [f"docs/{path.relative_to(DOCS).with_suffix('')}" for path in DOCS.rglob("*.md")]
    assert not [name for name in wanted if not (site / f"{name}.html").is_file()]
    assert "docs/index.html" in (site / "index.html").read_text("utf-8")
    front = (site / "docs" / "index.html").read_text("utf-8")
    for name in ("own_data", "release", "glossary", "lessons", "reference/index"):
        assert f'href="{name}.html"' in front, name


@pytest.mark.slow
def test_the_reference_has_every_public_name(site: Path) -> None:
    pages = {room: site / "docs" / "reference" / f"{room.split('.')[0] or 'widgets'}.html" for room in PUBLIC}
    shown = {room: path.read_text("utf-8") for room, path in pages.items()}
    elsewhere = {"Scenario": "scenario", "Outcome": "scenario", "Trajectory": "trajectory", "Series": "trajectory"}
    for room, names in PUBLIC.items():
        for name in names:
            at = room or elsewhere.get(name, "")
            assert f'id="{".".join(filter(None, ["lmdk_widgets", at, name]))}"' in shown[at], (room, name)


@pytest.mark.nightly
@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loads = re.compile(
        r"""(?:<(?:script|img|iframe|link rel="(?:stylesheet|icon|preload)")[^>]*|url\()["']?(?:https?:)?//"""
    )
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        text = path.read_text("utf-8")
        assert not (found := loads.search(text)), (path, found)
        assert not re.search("<script[^>]*mathjax", text, re.I), path


def test_documents_name_no_other_machine() -> None:
    nobodys = r"localhost|127\.0\.0\.1|192\.168\.|class\.example\.org"  # this machine, a room's network, an example
    for path in [*DOCS.rglob("*.md"), *DOCS.rglob("*.py"), *DOCS.rglob("*.css")]:
        assert not re.search(rf"https?://(?!{nobodys})", path.read_text("utf-8")), path


def test_the_wheel_holds_the_package_and_no_documents() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["lmdk_widgets"] and set(wheel["force-include"]) == {"notebooks"}
    assert not list((ROOT / "lmdk_widgets").rglob("site.js"))


@pytest.mark.parametrize(("make", "said"), WIDGETS, ids=["figure", "explorer", "curve", "choice", "map"])
def test_a_widget_is_sentences_and_figures_where_no_kernel_answers(
    make: Callable[[], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = make()
    view = "application/vnd.jupyter.widget-view+json"
    shown = widget._repr_mimebundle_()
    assert view in (shown[0] if isinstance(shown, tuple) else shown)
    monkeypatch.setenv("LMDK_READING", "1")
    html = widget._repr_mimebundle_()["text/html"]
    assert view not in widget._repr_mimebundle_() and html.count("<script") == html.count("</script>")
    assert said in html


def test_docstrings_keep_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    from docstrings import rewritten

    lines = [
        "Of |x|, `|y|`.",
        "",
        "Parameters",
        "----------",
        "n, m : a count: 1 | 2",
        "    or more.",
        "",
        ">>> 1 | 2",
        "3",
    ]
    assert rewritten(lines) == [
        r"Of \|x\|, `|y|`.",
        *lines[1:4],
        "n, m",
        r"    a count: 1 \| 2",
        *lines[5:],
    ]


def test_the_example_of_a_release_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "release.md").read_text("utf-8"), re.S)
    space: dict = {}
    exec(code, space)
    assert space["text"].startswith("time,latitude,longitude") and "simulation, not a private release" in space["text"]


def test_the_readmes_picture_moves() -> None:
    """A PNG file with a frame for each step: the number of frames stands in its first parts."""
    picture = (DOCS / "story.png").read_bytes()
    at = picture.index(b"acTL")
    frames = int.from_bytes(picture[at + 4 : at + 8], "big")
    assert frames == picture.count(b"fcTL") >= 5 and len(picture) < 1_500_000
    assert "docs/story.png" in (DOCS.parent / "README.md").read_text("utf-8")
