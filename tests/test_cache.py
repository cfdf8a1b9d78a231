"""Every cache of the package is listed, says what it holds and of whom, and keeps a bounded number of anybody's data."""

from __future__ import annotations

import ast
import importlib
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lmdk_widgets import cache
from lmdk_widgets.cache import CACHES, RecentResults, cached, forget

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lmdk_widgets"
HOME = PACKAGE / "cache.py"
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "static" not in path.relative_to(PACKAGE).parts]

VIEWS = re.compile(
    r"(words|cards|figures|charts|chart_texts|page|report|sentences|timeline|\w+_(words|drawing|view))\.py"
)
"""Files that only draw or write what has been computed."""

LARGE = {
    "sweep.rows._worth": "a few numbers for each setting of a table or a study",
    "hosts.serving.accountant.network": "a short name for each address",
}
"""Caches of a visitor's data with more than 256 entries, and why."""


def caching(path: Path) -> list[str]:
    """The names in a file that make a cache: decorators and calls."""
    if not re.search(r"(cached|RecentResults)\(", text := path.read_text("utf-8")):
        return []
    nodes = list(ast.walk(ast.parse(text)))
    made = [d for n in nodes if isinstance(n, ast.FunctionDef) for d in n.decorator_list]
    made += [n.value for n in nodes if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None]
    texts = [ast.unparse(node) for node in made]
    return [text for text in texts if re.match(r"(cached|RecentResults)\(", text)]


def modules_with_caches() -> list[str]:
    names = []
    for path in FILES:
        if path != HOME and re.search(r"^from lmdk_widgets\.cache import", path.read_text("utf-8"), re.M):
            names.append(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return names


@pytest.fixture(scope="module")
def caches() -> dict[str, cache.Cache]:
    for name in modules_with_caches():
        importlib.import_module(name)
    return {name: one for name, one in CACHES.items() if not name.startswith(("test", "tests", "lmdk_widgets"))}


def test_functools_caches_nothing_outside_the_one_module() -> None:
    for path in FILES:
        if path == HOME or "functools" not in (text := path.read_text("utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module == "functools":
                names = {alias.name for alias in node.names}
                assert not names & {"cache", "lru_cache"}, f"{path.relative_to(ROOT)}: use lmdk_widgets.cache"
            elif isinstance(node, ast.Import):
                assert "functools" not in {alias.name for alias in node.names}, path.relative_to(ROOT)


def test_every_cache_is_listed_and_says_what_it_holds(caches: dict[str, cache.Cache]) -> None:
    written = sum(len(caching(path)) for path in FILES if path != HOME)
    elsewhere = sum(path.read_text("utf-8").count("\nlisted(") for path in FILES)
    assert len(caches) == written + elsewhere >= 150
    assert not [name for name, one in caches.items() if len(one.what) < 8]


def test_what_a_visitor_brings_is_never_kept_without_bound(caches: dict[str, cache.Cache]) -> None:
    unbounded = [name for name, one in caches.items() if one.entries is None and one.of != "everybody"]
    assert not unbounded
    large = {name for name, one in caches.items() if one.of == "visitor" and (one.entries or 0) > 256}
    assert large == set(LARGE)


def test_no_view_writes_a_cache() -> None:
    views = [path for path in FILES if VIEWS.fullmatch(path.name) and path.parts[-3] in ("pages", "lmdk_widgets")]
    assert len(views) > 20
    assert not {path.name: caching(path) for path in views if caching(path)}


def test_forget_empties_the_caches_of_one_kind() -> None:
    @cached("visitor", entries=4, what="doubles")
    def double(n: int) -> int:
        return 2 * n

    @cached("settings", entries=4, what="squares")
    def square(n: int) -> int:
        return n * n

    names = [name for name in CACHES if name.endswith((".double", ".square"))]
    try:
        assert (double(2), square(3), double(2)) == (4, 9, 4) and double.cache_info().hits == 1
        assert [CACHES[name].size() for name in names] == [1, 1]
        forget("visitor")
        assert [CACHES[name].size() for name in names] == [0, 1]
        forget()
        assert [CACHES[name].size() for name in names] == [0, 0]
    finally:
        for name in names:
            del CACHES[name]


def test_results_that_were_used_longest_ago_go_first() -> None:
    found: RecentResults[str, int] = RecentResults("test.recent", "numbers", "settings", entries=2)
    try:
        found.put("a", 1)
        found.put("b", 2)
        assert found.get("a") == 1
        found.put("c", 3)
        assert (found.get("a"), found.get("b"), found.get("c"), len(found)) == (1, None, 3, 2)
        forget("visitor")
        assert len(found) == 2
        forget("settings")
        assert len(found) == 0
    finally:
        del CACHES["test.recent"]


def test_threads_share_results() -> None:
    found: RecentResults[int, int] = RecentResults("test.threads", "numbers", "settings", entries=8)

    def work(seed: int) -> None:
        for k in range(2_000):
            key = (seed * 7 + k) % 16
            assert found.get(key) in (None, key)
            found.put(key, key)

    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        assert len(found) == 8
    finally:
        del CACHES["test.threads"]
