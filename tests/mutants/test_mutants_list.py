"""The list of mutants fits the files and the tests that it names; `make mutants` applies it."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.mutants.listed import ROOT, Mutant, all_mutants

MUTANTS = all_mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.file}: {m.harm}")
def test_each_mutant_fits_its_file_and_names_tests_that_exist(mutant: Mutant) -> None:
    assert mutant.wrong != mutant.text
    mutant.applied_to(ROOT)
    assert mutant.tests
    for test in mutant.tests:
        file, _, name = test.partition("::")
        source = (ROOT / file).read_text("utf-8")
        assert not name or re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), test


@cache
def only_nightly(file: str) -> set[str]:
    """The tests of a file that `make test` leaves out; "" is there if it leaves out the whole file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    marked = {"" for node in tree.body if isinstance(node, ast.Assign) and is_mark(node.targets[0], node.value)}
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return marked | {
        f.name for f in functions if any(ast.unparse(d) == "pytest.mark.nightly" for d in f.decorator_list)
    }


def is_mark(target: ast.expr, value: ast.expr) -> bool:
    return ast.unparse(target) == "pytestmark" and "pytest.mark.nightly" in ast.unparse(value)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.file}: {m.harm}")
def test_make_test_notices_each_mutant_or_the_list_says_why_only_the_nightly_tests_do(mutant: Mutant) -> None:
    left_out = []
    for test in mutant.tests:
        file, _, name = test.partition("::")
        left_out.append(bool(only_nightly(file) & {"", name}))
    assert bool(mutant.nightly) == all(left_out), mutant.tests


def test_no_mutant_is_listed_twice_and_each_says_what_is_wrong() -> None:
    assert len({(m.file, m.text, m.wrong) for m in MUTANTS}) == len(MUTANTS) >= 80
    assert len({m.harm for m in MUTANTS}) == len(MUTANTS)
    assert all(m.harm.endswith(".") for m in MUTANTS)
