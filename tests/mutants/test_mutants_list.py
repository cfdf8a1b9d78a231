"""The list of mutants fits the files and the tests that it names; `make mutants` applies it."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.mutants.audit import drawn
from tests.mutants.listed import ROOT, all_mutants

MUTANTS = all_mutants()


def test_each_mutant_fits_its_file() -> None:
    found = [(mutant.harm, mutant.applied_to(ROOT) == (ROOT / mutant.file).read_text("utf-8")) for mutant in MUTANTS]
    assert not [harm for harm, unchanged in found if unchanged]


def test_each_mutant_names_tests_that_exist() -> None:
    def is_there(test: str) -> bool:
        file, _, name = test.partition("::")
        return not name or bool(re.search(rf"^(async )?def {name}\(", read(file), re.MULTILINE))

    read = cache(lambda file: (ROOT / file).read_text("utf-8"))
    assert not [(m.harm, test) for m in MUTANTS for test in m.tests or ("",) if not test or not is_there(test)]


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


def test_make_test_notices_each_mutant_or_the_list_says_why_only_the_nightly_tests_do() -> None:
    def left_out(test: str) -> bool:
        file, _, name = test.partition("::")
        return bool(only_nightly(file) & {"", name})

    assert not [(m.harm, m.tests) for m in MUTANTS if bool(m.nightly) != all(map(left_out, m.tests))]


def test_no_mutant_is_listed_twice_and_each_says_what_is_wrong() -> None:
    assert len({(m.file, m.text, m.wrong) for m in MUTANTS}) == len(MUTANTS) >= 80
    assert len({m.harm for m in MUTANTS}) == len(MUTANTS)
    assert all(m.harm.endswith(".") for m in MUTANTS)


def test_one_in_ten_is_drawn_by_its_seed() -> None:
    parts = [{m.harm for m in drawn(MUTANTS, 10, seed)} for seed in ("", "", "2")]
    assert parts[0] == parts[1] != parts[2] and {m.harm for m in drawn(MUTANTS, 1, "")} == {m.harm for m in MUTANTS}
    assert all(0.05 < len(part) / len(MUTANTS) < 0.15 for part in parts)
    assert {m.harm for m in drawn(MUTANTS[1:], 10, "")} == parts[0] - {MUTANTS[0].harm}
