"""The rules of the package: who may import whom, the public names, sizes, and that the two lists of requirements agree."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from lmdk_widgets.errors import EXTRAS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lmdk_widgets"

PAGES = sorted(path.name for path in (PACKAGE / "pages").iterdir() if not path.name.startswith("_"))
"""A page is a folder of `pages`."""

LEVELS = {
    "cache": 0,
    "errors": 0,
    "geo": 0,
    "checks": 0,
    "version": 0,
    "names": 0,
    "palette": 0,
    "upwards": 0,
    "linear": 0,
    "trajectory": 1,
    "noise": 2,
    "budgets": 2,
    "leakage": 2,
    "geoind": 2,
    "inference": 2,
    "pufferfish": 2,
    "anonymity": 2,
    "composition": 2,
    "io": 2,
    "secure": 2,
    "page": 3,
    "scenario": 4,
    "answers": 5,
    "practice": 5,
    "population": 5,
    "sweep": 5,
    "verdict": 6,
    "study": 7,
    "audit": 7,
    **{f"pages.{page}": 8 for page in PAGES},
    "course": 9,
    "hosts.page_list": 10,
    "hosts.widget": 10,
    "hosts.site": 11,
    "hosts.serving": 11,
    "cli": 12,
}
"""Rooms by height, a page or a host each: a room may import from lower ones, and of its height from those before it."""

WIDGET_LIBRARIES = {"ipywidgets", "anywidget", "plotly", "folium", "pandas", "voila", "scipy", "IPython"}


UPWARDS = {"scenario.__init__", "scenario.outcome", "scenario.outcome_views", "trajectory.model"}
"""Files that offer what stands above them, through `upwards.from_above`: a figure, answers, a page, or public names."""


def name_of(call: ast.AST) -> str:
    """The last name of the function that is called; "" of what is no call."""
    function = getattr(call, "func", None)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


@cache
def modules_imported(path: Path) -> frozenset[str]:
    """What a file imports, in functions and for types too, and each module of the package that a text names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.Constant) and re.fullmatch(r"lmdk_widgets(\.\w+)+\.?", str(node.value)):
            found.add(str(node.value).rstrip("."))
        elif name_of(node) == "import_module" and re.search(r"import_module\(f'lmdk_widgets\.{", ast.unparse(node)):
            found.add("lmdk_widgets")
    return frozenset(found)


def rooms_imported(path: Path) -> set[str]:
    """The rooms of the package that a file imports, wherever in the file; "" is the front of the package."""
    parts = [name.split(".") for name in modules_imported(path)]
    mine = [part for part in parts if part[0] == "lmdk_widgets"]
    found = {name for part in mine for name in (".".join(part[1:3]), *part[1:2])}
    return found & {"", *LEVELS}


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return ".".join(parts[: 2 if parts[0] in ("pages", "hosts") else 1]).removesuffix(".py")


def test_no_arrow_goes_up() -> None:
    order = list(LEVELS)
    for path in sorted(PACKAGE.rglob("*.py")):
        if (room := room_of(path)).endswith("__init__"):
            continue
        assert room in LEVELS, f"{room} is a new room: give it a height"
        found = rooms_imported(path) - {room, "" if room == "upwards" else room}
        wrong = {r for r in found if not r or order.index(r) > order.index(room)}
        assert not wrong, f"{path}: {room} must not import {wrong}"


def test_only_a_few_methods_offer_what_stands_above_them() -> None:
    files = imports(fronts=True).items()
    users = {name.removeprefix("lmdk_widgets.") for name, targets in files if "lmdk_widgets.upwards" in targets}
    assert users == UPWARDS


def test_the_package_has_few_rooms() -> None:
    there = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))]
    entries = {path.name for path in there if not path.name.startswith(("_", "static"))}
    assert len(entries) <= 33 and {name.removesuffix(".py") for name in entries} == {
        room.split(".")[0] for room in LEVELS
    }


@pytest.mark.parametrize("page", PAGES)
def test_pages_know_what_they_share_and_no_other_page(page: str) -> None:
    for path in (PACKAGE / "pages" / page).rglob("*.py"):
        found = {room for room in rooms_imported(path) if room.startswith("pages.")}
        assert found <= {f"pages.{page}"}, path.name


def imports(*, fronts: bool = False) -> dict[str, set[str]]:
    """Which files of the package each one imports, in functions and for types too; the fronts of packages if asked for."""
    files = {".".join(p.relative_to(ROOT).with_suffix("").parts): p for p in PACKAGE.rglob("*.py")}
    files = {name: path for name, path in files.items() if fronts or path.name != "__init__.py"}
    found: dict[str, set[str]] = {name: set() for name in files}
    for name, path in files.items():
        found[name] = set(modules_imported(path) & files.keys()) - {name}
    return found


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets in which every file can be reached from every other, of two files and more."""
    reached = {}
    for start in arrows:
        seen, waiting = set(), [start]
        while waiting:
            new = arrows[waiting.pop()] - seen
            seen |= new
            waiting += new
        reached[start] = seen
    found = {frozenset(b for b in reached[a] if a in reached[b]) for a in arrows if a in reached[a]}
    return [set(circle) for circle in found]


def test_no_file_name_stands_twice_in_what_pages_are_built_on() -> None:
    rooms = ("scenario", "answers", "sweep", "practice", "population")
    names = sorted(path.name for room in rooms for path in (PACKAGE / room).rglob("*.py") if path.name != "__init__.py")
    assert not {name for name in names if names.count(name) > 1}


def test_circles_are_found() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(map(sorted, circles(arrows))) == [["a", "b", "c"], ["d", "e"]]


def test_there_is_no_circle() -> None:
    assert not [sorted(circle) for circle in circles(imports())]


SMALL_LINES = 80

SMALL = {
    "hosts.serving.folder",
}
"""Small modules with one importer that are not in it yet: no entry is added."""

LISTS = ("lmdk_widgets.__init__", "lmdk_widgets.pages.track.choices")
"""What lists modules of one kind, each of which stays a module however small: the widgets, the panels."""


def test_a_small_module_with_one_importer_is_in_that_importer() -> None:
    arrows = imports(fronts=True)
    small = set()
    for name in arrows:
        lines = (ROOT / (name.replace(".", "/") + ".py")).read_text("utf-8").splitlines()
        importers = [other for other, targets in arrows.items() if name in targets]
        if "iter_modules(" in (ROOT / name.replace(".", "/")).with_name("__init__.py").read_text("utf-8"):
            continue  # its package lists it by its name
        if len(lines) < SMALL_LINES and len(importers) == 1 and importers[0] not in LISTS:
            small.add(name.removeprefix("lmdk_widgets."))
    assert not small - SMALL, "merge these into their importers"
    assert not SMALL - small, "these are merged: take them out of the list"


COMPUTED = {"exp", "expm1", "log", "log1p", "sqrt", "hypot", "sinh", "cumsum", "einsum", "random", "quantile", "median"}
"""Functions of mathematics; a chart's axis may take the logarithm to base 10."""


def mathematics_of(path: Path) -> set[str]:
    """The mathematics that a file calls, of `math` or NumPy, by any name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("math", "np"):
            found.add(node.attr)
    return found & COMPUTED


@pytest.mark.parametrize("path", sorted((PACKAGE / "hosts" / "widget").rglob("*.py")), ids=lambda p: p.name)
def test_widgets_compute_nothing(path: Path) -> None:
    assert not mathematics_of(path)
    assert not rooms_imported(path) & {room for room, level in LEVELS.items() if level <= 2} - {
        "cache",
        "errors",
        "geo",
        "checks",
        "names",
        "trajectory",
        "io",
    }


def test_the_rule_catches_a_wrong_arrow(tmp_path: Path) -> None:
    bad = tmp_path / "geo.py"
    bad.write_text("def f():\n    from lmdk_widgets.hosts.widget.track import Explorer\n")
    assert rooms_imported(bad) == {"hosts.widget"}


@pytest.mark.parametrize(
    ("code", "room"),
    [
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from lmdk_widgets.pages.place.model import Places\n",
            "pages",
        ),
        ("import_module('lmdk_widgets.scenario.model')\n", "scenario"),
        ("import_module(f'lmdk_widgets.cli.{name}')\n", "cli"),
        ("from lmdk_widgets import __version__\n", ""),
        ("import lmdk_widgets\n", ""),
        ("import_module(f'lmdk_widgets.{name}')\n", ""),
    ],
)
def test_the_rule_reads_imports_for_types_by_name_and_of_the_front(tmp_path: Path, code: str, room: str) -> None:
    (tmp_path / "geo.py").write_text(code)
    assert room in {name.split(".")[0] for name in rooms_imported(tmp_path / "geo.py")}


MATHEMATICS = [
    *(
        "trajectory",
        "budgets",
        "noise",
        "leakage",
        "inference",
        "leakage.markov",
        "geoind",
        "geoind.solvers",
        "linear",
        "linear.compiling",
        "pufferfish",
        "geo",
        "scenario",
    ),
    *("io", "anonymity", "composition", "secure", "secure.track", "secure.command", "course", "course.ask"),
    *("course.moments", "course.classroom", "course.classroom.activity", "study", "audit"),
    *("page.session", "page.core", "page.what_if", "course.pages", "course.figures"),
    *(f"pages.{page}.session" for page in PAGES if page != "studies"),
    *(f"pages.{page}.page" for page in PAGES),
]
"""What computes, and what a page says."""


def test_importing_the_mathematics_imports_no_widget() -> None:
    """One process imports all of them: a library that any one brings is there at the end."""
    code = "import sys\nfor name in sys.argv[1:]:\n    __import__(f'lmdk_widgets.{name}')\n"
    code += "print(*sorted({m.split('.')[0] for m in sys.modules}))"
    command = [sys.executable, "-c", code, *MATHEMATICS]
    seen = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not WIDGET_LIBRARIES & set(seen.split())


OF_HOSTS = {"anywidget", "ipywidgets", "traitlets", "comm", "threading", "asyncio", "concurrent", "multiprocessing"}
"""What carries a page to a browser, and runs its long work."""


def imported(path: Path) -> set[str]:
    """The libraries that a file imports, wherever in the file."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = [a.name for node in nodes if isinstance(node, ast.Import) for a in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("room", ["page", "pages", "course"])
def test_a_page_knows_neither_a_widget_nor_a_thread(room: str) -> None:
    files = list((PACKAGE / room).rglob("*.py"))
    assert files and not {path.name: found for path in files if (found := imported(path) & OF_HOSTS)}


def test_the_explorer_imports_nothing_heavy() -> None:
    code = "import sys, lmdk_widgets; lmdk_widgets.Explorer(); print(*sorted({m.split('.')[0] for m in sys.modules}))"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    heavy = {"plotly", "folium", "pandas", "scipy", "voila", "gpxpy", "numba", "llvmlite", "highspy"}
    assert not heavy & set(seen.split())


def test_top_level_names() -> None:
    import lmdk_widgets

    assert lmdk_widgets.Explorer.__name__ == "Explorer"
    assert lmdk_widgets.TrajectoryMap.__name__ == "TrajectoryMap"
    with pytest.raises(AttributeError):
        lmdk_widgets.Nothing  # noqa: B018


def asked_by(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """What an extra asks for, with what the extras that it names ask for."""
    found = []
    for line in extras[extra]:
        named = re.fullmatch(r"lmdk-widgets\[(.*)\]", line)
        found += [x for name in named[1].split(",") for x in asked_by(name, extras)] if named else [line]
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_the_libraries_that_errors_name_it_for(extra: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    modules = {"python-calamine": "python_calamine", "python-docx": "docx"}  # whose packages have other names
    named = {line.split(">=")[0] for line in asked_by(extra, extras)} | {"branca"}  # folium brings it
    listed = {modules.get(name, name) for name in named}
    assert set(EXTRAS[extra]) <= listed
    everything = {modules.get(name, name) for name in (line.split(">=")[0] for line in asked_by("test", extras))}
    assert set(EXTRAS[extra]) - {"branca"} <= everything, "the tests of a fresh clone would be skipped"


def test_a_plain_installation_is_enough_to_import() -> None:
    """What stands at the head of a module comes with the package; only the server's modules and the simplex ask for more."""
    core = {"anywidget", "ipywidgets", "numpy", "traitlets", "lmdk_widgets", *sys.stdlib_module_names}
    more = {}
    for path in PACKAGE.rglob("*.py"):
        here = path.relative_to(PACKAGE)
        if here.is_relative_to("hosts/serving") or here.as_posix() == "linear/jit.py":
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            more |= {f"{here}: {name}": "" for name in names if name.split(".")[0] not in core}
    assert not list(more)


def test_version_is_one() -> None:
    import lmdk_widgets

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == lmdk_widgets.__version__
    assert f"## {lmdk_widgets.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_modules_stay_small() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "frontend" / "src").rglob("*.js")]
    assert not {p.name: n for p in files if (n := len(p.read_text("utf-8").splitlines())) > 500}


def test_functions_stay_small() -> None:
    """At most 50 lines beside the docstring."""
    long = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                long[f"{path.name}: {node.name}"] = body[-1].end_lineno - body[0].lineno + 1 if body else 0
    assert not {name: lines for name, lines in long.items() if lines > 50}
