"""Every number in the texts and tables of the table page is altered by itself, and the test of the page then fails.

The page has no closed panels: one message holds all that its parts say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lmdk_widgets.hosts.widget.table import FoundationsLab
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.table import TableChoices, evaluate
from tests.every_number import table_names, test_table_numbers
from tests.every_number import table_sequence_truth as sequence
from tests.every_number.altered import AlteredPage, altered, at, places
from tests.every_number.claims import shown_by
from tests.every_number.named import Named
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_published_names import published_names
from tests.every_number.table_published_truth import example
from tests.every_number.table_truth import AddingTruth, NoiseTruth, StreamTruth

PARTS: dict[str, Any] = {
    "table": (published_names, lambda c: AttackedTable(example("t1"), c), test_table_numbers.of_table),
    "noise": (table_names.noise_names, NoiseTruth, test_table_numbers.of_noise),
    "stream": (table_names.stream_names, StreamTruth, test_table_numbers.of_stream),
    "adding": (table_names.adding_names, AddingTruth, test_table_numbers.of_adding),
    "sequence": (table_names.sequence_names, sequence.SequenceTruth, sequence.sequence_more),
}
SHORT = ("table", "noise", "stream", "sequence")
"""Parts that take less than a second."""
LOOKS = ("marked",)
"""The row that is marked, which is no number of a text."""
CONSTANT = "50 is chance"
"""Said of any two equally likely cases."""


@pytest.fixture(scope="module")
def lab() -> Iterator[Any]:
    made = FoundationsLab()
    yield made
    made.close()


def unread(lab: Any, part: str) -> list[str]:
    choices = TableChoices(part=part, **({"table": "t1"} if part == "table" else {}))
    make, truth_of, more = PARTS[part]
    claims: Named = make()
    with heard() as made:
        outcome = evaluate(choices, None)
        list(shown_by(lab.page, outcome))
    text, drawings = lab.page._text(outcome), list(lab.page._drawings(outcome))
    truth = truth_of(choices)

    def fails(text: Any) -> bool:
        page = AlteredPage(lab.page, text, drawings)
        try:
            claims.hold(shown_by(page, outcome), made, truth)
            more(truth, text, drawings[0].described["drawn"])
        except (AssertionError, ValueError, KeyError, IndexError):
            return True
        return False

    assert not fails(text)
    found = [path for path in places(text) if path[-1] not in LOOKS and not fails(altered(text, path))]
    return [".".join(map(str, path)) for path in found if CONSTANT not in str(at(text, path))]


@pytest.mark.long
@pytest.mark.parametrize(
    "part", [*SHORT, *(pytest.param(one, marks=pytest.mark.nightly) for one in PARTS if one not in SHORT)]
)
def test_every_number_is_read(lab: Any, part: str) -> None:
    assert not unread(lab, part)
