"""The list of mutants fits the files and the tests that it names; `make mutants` applies it."""

from __future__ import annotations

import re

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


def test_no_mutant_is_listed_twice_and_each_says_what_is_wrong() -> None:
    assert len({(m.file, m.text, m.wrong) for m in MUTANTS}) == len(MUTANTS) >= 80
    assert len({m.harm for m in MUTANTS}) == len(MUTANTS)
    assert all(m.harm.endswith(".") for m in MUTANTS)
