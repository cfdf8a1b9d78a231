"""Every sentence with a number is a template with named values: read here without running a page."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import lmdk_widgets

PACKAGE = Path(lmdk_widgets.__file__).parent
WRITERS = frozenset(
    (
        *("amount", "bound", "metres", "percent", "count", "numeral", "whole", "every", "ordinal", "factor", "times"),
        *("chance", "change", "bound_metres", "bound_percent", "bound_odds", "bound_digits", "metres_to"),
        *("write", "written", "with_unit", "factor_of", "length", "short", "scale_digits", "headcount"),
    )
)
"""What writes a number for a reader."""

NUMBER, WORD = re.compile(r"f'(?=.*[,.defg%])[<>+\d]*,?(\.(\d+|\{.*\}))?[defg%]?'"), re.compile(r"[^\W\d_]{2,}")
"""A format of a number, as Python writes it back, and a word of a sentence."""

REFUSALS = frozenset(("InputError", "refused", "_refused", "RunsError"))
"""What takes the words of an error message, which may say a limit in any way."""

ABOVE = ("answers/", "cli/", "course/", "hosts/", "page/", "pages/", "scenario/", "study/", "sweep/", "verdict/")
"""What may import `sentence`. What stands below makes no sentences of a page."""

WRITING = ("page/amounts.py", "page/answers.py")
"""The writers themselves."""

REFUSALS = frozenset(("InputError", "RunsError", "refused", "_refused", "let_go"))
"""What takes the words of an error message: a limit in it is a constant, which no test compares."""


@cache
def modules() -> list[tuple[str, ast.Module]]:
    return list(read())


def read() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name, text = path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")
        if name.startswith(ABOVE) and not name.startswith(WRITING) and re.search(r"\bf[\"']|sentence\(", text):
            yield name, ast.parse(text)


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def writes_a_number(text: ast.JoinedStr) -> bool:
    """Whether a formatted string calls a writer, or gives a number a format among at least two words."""
    if any(called(inner) in WRITERS for inner in ast.walk(text)):
        return True
    words = " ".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
    formats = [ast.unparse(part.format_spec) for part in text.values if getattr(part, "format_spec", None) is not None]
    return any(NUMBER.fullmatch(each) for each in formats) and len(WORD.findall(words)) >= 2


def formatted_sentences(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """The formatted strings with a number, but those of error messages, also where a name holds their words, and those that
    are a `Written` number with its unit."""
    nodes = list(ast.walk(tree))
    written = [node for node in nodes if called(node) == "Written"]
    refusals = [node for node in nodes if called(node) in REFUSALS or isinstance(node, ast.Raise)]
    within = {id(inner) for node in refusals + written for inner in ast.walk(node)}
    named = {inner.id for node in refusals for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Assign):
            targets = {inner.id for each in node.targets for inner in ast.walk(each) if isinstance(inner, ast.Name)}
            if targets & named:
                within |= {id(inner) for inner in ast.walk(node.value)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr) and id(node) not in within and writes_a_number(node):
            yield node


@pytest.mark.parametrize(
    "source, seen",
    (
        ('f"{done:,} of {of:,} settings are done"', True),
        ('f"Epsilon {amount(epsilon)}"', True),
        ('f"up to {edge:.15g}"', True),
        ('f"{value:g} m"', False),
        ('f"part-{part:08}.parquet"', False),
        ('f"Saved on {today:%Y-%m-%d} at noon"', False),
        ('what = f"at most {most:,} of them"\nraise InputError(what)', False),
        ('said = f"at most {most:,} of them"\nraise InputError(what)', True),
    ),
)
def test_a_formatted_number_among_words_is_seen(source: str, seen: bool) -> None:
    assert any(formatted_sentences(ast.parse(source))) == seen


def test_numbers_stand_in_templates() -> None:
    found = Counter({name: sum(1 for _ in formatted_sentences(tree)) for name, tree in modules()})
    assert not +found, f"write `sentence(template, name=value)` in place of formatted strings: {dict(+found)}"


def test_templates_are_constant_and_name_their_values() -> None:
    for name, tree in modules():
        for node in ast.walk(tree):
            if called(node) != "sentence" or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            where = f"{name}, line {node.lineno}"
            assert len(node.args) == 1, f"{where}: one template, then named values"
            template = node.args[0]
            if not (isinstance(template, ast.Constant) and isinstance(template.value, str)):
                assert not isinstance(template, ast.JoinedStr), f"{where}: a template is constant"
                continue
            holes = {field for _, field, _, _ in Formatter().parse(template.value) if field is not None}
            given = {keyword.arg for keyword in node.keywords}
            assert None in given or holes == given, f"{where}: {sorted(holes ^ {g for g in given if g})}"
            assert all(field.isidentifier() for field in holes), f"{where}: only names in braces"
