"""An attack more is an entry beside its function, and the same by hand: one is added to a copy and played on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dummies.copied import Copy

FUNCTION = '''
def outlier(table: pd.DataFrame, quasi_identifiers: Names, sensitive: Hashable) -> Findings:
    """Outlier: all but one of a class have one value, so that whoever knows the one knows the others."""
    read = _read(table, quasi_identifiers, sensitive)
    pairs = read.tally
    chosen = np.flatnonzero((pairs.times == pairs.size[pairs.group] - 1) & (pairs.times > 1))
    found = float(pairs.share.max())
    return read.findings(chosen, Prevention("the largest share of a value in a class", found, 0.5, at_least=False))


'''
ENTRY = """
    Attack(
        "outlier",
        DOMAIN,
        "The class of a person, and the value of someone else in it.",
        "All others of the class have the same value, and the person is one of them.",
        "No value that more than half of a class have.",
        "attribute",
        "a test",
        outlier,
    ),
"""
TRUTH = """    def _outlier(self) -> None:
        worst = Fraction(0)
        for rows in self.groups(self.t.quasi).values():
            for value, times in self.t.times(rows).items():
                share = Fraction(times, len(rows))
                worst = max(worst, share)
                if times == len(rows) - 1 > 1:
                    before = Fraction(self.everybody[value], len(self.rows))
                    self.hits |= {row: Guess(value, before, share) for row in rows}
        self.prevented("the largest share of a value in a class", worst, 0.5, False)

"""
WALK = """
from lmdk_widgets import FoundationsLab

lab = FoundationsLab(query="page=table&attack=outlier")
told = lab.page._text(lab.outcome)["told"]
assert ["outlier", "Outlier", "Knowledge of the sensitive values"] in told["attacks"] and told["attack"] == "outlier", told
assert [step["title"] for step in told["steps"]][2:] == ["Whom it hits", "What would have prevented it"], told["steps"]
assert "All others of the class have the same value" in lab.page.session.save("attack").data.decode()
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_an_attack_more_is_an_entry_and_what_it_finds_by_hand(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    attacks, truth = "lmdk_widgets/anonymity/one_release.py", "tests/every_number/table_attack_truth.py"
    copy.insert(attacks, FUNCTION.lstrip(), "def presence(")
    copy.insert(attacks, ENTRY, ')\n"""Attacks that use the sensitive')
    copy.insert(truth, TRUTH, "    def _meanings(")
    copy.follows("Add an attack on a table", "outlier", most=2)
    copy.run("-c", WALK)
    by_hand = "tests/every_number/test_table_numbers.py::test_every_number_of_a_table_and_its_attacks"
    copy.run("-m", "pytest", "-q", by_hand)
