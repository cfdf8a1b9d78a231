"""Every sentence with a number is a template with named values: read here without running a page."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from string import Formatter

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

BELOW = ("checks.py", "geoind/", "page/amounts.py", "page/answers.py", "trajectory/")
"""What makes no sentences: the writers themselves, and what knows no page, whose numbers stand in error messages."""


def modules() -> list[tuple[str, ast.Module]]:
    return [
        (str(path.relative_to(PACKAGE)), ast.parse(path.read_text("utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
        if "_data" not in path.parts
    ]


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def test_numbers_stand_in_templates() -> None:
    found: Counter[str] = Counter()
    for name, tree in modules():
        for node in ast.walk(tree) if not name.startswith(BELOW) else ():
            if isinstance(node, ast.JoinedStr) and any(called(inner) in WRITERS for inner in ast.walk(node)):
                found[name] += 1
    assert not found, f"write `sentence(template, name=value)` in place of formatted strings: {dict(found)}"


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
