"""Every page's styles stand under its own root class: all sheets that a reader has opened stay in the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "frontend" / "src"
SHARED = {"page", "map"}
"""The rooms that every page may take styles from."""
MORE_ROOTS = {"track": {"lmdk-followed"}, "question": {"lmdk-then", "lmdk-thennote", "lmdk-onward"}}
"""Roots beside `lmdk-<room>`: the map of a lesson, and what stands around a question."""
CLASS = re.compile(r"lmdk-[\w-]*\w(?![\w-])")


def room(path: Path) -> str:
    """The page that a file belongs to: its folder, or its own name at the top."""
    first = path.relative_to(SOURCES).parts[0]
    return first.partition(".")[0]


def rooms(path: Path) -> set[str]:
    """The pages that a source belongs to: a bundle's entry belongs to the rooms that it imports."""
    if path.parent != SOURCES:
        return {room(path)}
    imported = re.findall(r'from "\./([\w-]+)/', path.read_text("utf-8"))
    return {room(path), *imported} if path.with_suffix(".css").exists() else set(imported) or SHARED


def rules(css: str) -> Iterator[str]:
    """The selectors of a sheet that stand in no other rule, those within @media and @container too."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    depth, start = 0, 0
    for k, sign in enumerate(css):
        if sign == "{":
            depth += 1
            if depth == 1:
                head, start = css[start:k].strip(), k + 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield from rules(css[start:k]) if head.startswith("@") else [head]
                start = k + 1
    assert depth == 0, "a brace is missing"


def under(selector: str, roots: set[str]) -> bool:
    """Whether all that a selector names lies in one of the roots."""
    pattern = rf"\.({'|'.join(map(re.escape, sorted(roots)))})(?![\w-])"
    while "(" in selector:
        selector = re.sub(r"\([^()]*\)", "", selector)
    return all(re.match(pattern, part.strip()) for part in selector.split(","))


SHEETS = sorted(SOURCES.rglob("*.css"))
PAGES = [sheet for sheet in SHEETS if room(sheet) not in SHARED]
OURS = {name for sheet in SHEETS if room(sheet) in SHARED for name in CLASS.findall(sheet.read_text("utf-8"))}


def test_every_rule_of_a_page_stands_under_its_root() -> None:
    assert len(PAGES) >= 8
    loose = {}
    for sheet in PAGES:
        roots = {f"lmdk-{room(sheet)}"} | MORE_ROOTS.get(room(sheet), set())
        if found := [rule for rule in rules(sheet.read_text("utf-8")) if not under(rule, roots)]:
            loose[sheet.name] = found
    assert not loose


def test_no_page_uses_a_class_of_another() -> None:
    taken = {}
    for sheet in PAGES:
        own = set(re.findall(r"\.(lmdk-[\w-]*\w)", sheet.read_text("utf-8"))) - OURS
        for path in [*SHEETS, *SOURCES.rglob("*.js")]:
            others = rooms(path) - SHARED
            used = own & set(CLASS.findall(path.read_text("utf-8")))
            if others and room(sheet) not in others and used:
                taken[f"{sheet.name} in {path.relative_to(SOURCES)}"] = sorted(used)
    assert not taken


def styled(css: str) -> set[str]:
    """The classes with which a selector of the sheet begins: those that it styles, or within which it does."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    heads = (head.strip() for head in re.findall(r"(?:^|[{};])([^{};]+)(?={)", css))
    one = re.compile(r"(?::is\(\s*)?\.(lmdk-[\w-]*\w)")
    return {found[1] for head in heads for part in head.split(",") if (found := one.match(part.strip()))}


def test_no_class_is_styled_by_two_pages() -> None:
    by: dict[str, set[str]] = {}
    for sheet in PAGES:
        for name in styled(sheet.read_text("utf-8")):
            by.setdefault(name, set()).add(room(sheet))
    assert not {name: sorted(pages) for name, pages in by.items() if len(pages) > 1}


def test_the_lint_sees_which_classes_a_sheet_styles() -> None:
    css = "/* .lmdk-no { */ .lmdk-a { --x: 1; .lmdk-b, & .lmdk-no { c: d } .lmdk-c:not(.lmdk-no) { e: f } }"
    css += " @media x { :is(.lmdk-d, .lmdk-e) .lmdk-no { g: h } }"
    assert styled(css) == {f"lmdk-{name}" for name in "abcde"}


def test_the_lint_sees_a_loose_rule_and_a_missing_brace() -> None:
    css = "/* a { */ .lmdk-a { .b { c: d } } @media x { .lmdk-a .c, .lmdk-b { e: f } } .d { g: h }"
    assert [rule for rule in rules(css) if not under(rule, {"lmdk-a"})] == [".lmdk-a .c, .lmdk-b", ".d"]
    assert not under(".lmdk-ab", {"lmdk-a"}) and under(".lmdk-a[hidden]", {"lmdk-a"})


ALWAYS_LOADED = ("page/style.css", "track/track.css", "dashboard.css")


@pytest.mark.parametrize("name", ALWAYS_LOADED)
def test_a_move_of_a_slider_does_not_style_the_whole_page_again(name):
    """A `:has` that looks at what a page holds makes the browser style every element again at each change of one. Those of
    lessons' figures look at nothing else."""
    rules = [rule for rule in re.split(r"[{}\n]", (SOURCES / name).read_text()) if ":has(" in rule]
    assert all("lmdk-sliding" in rule for rule in rules), rules
