"""No sentence of Place or Series stands twice on its page."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from lmdk_widgets.pages.place import MECHANISMS, PlaceChoices, evaluate, improve
from lmdk_widgets.pages.place.page import PlacePage
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series import evaluate as evaluate_quilts
from lmdk_widgets.pages.series.model import MECHANISMS as METHODS
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession
from tests.every_number.claims import shown_by

Q = SeriesChoices()


def doubled(page: Any, outcome: Any) -> dict[str, set[str]]:
    """Clauses of five words and more that stand in several places; a card repeats the answers of its setting, and rows of
    a table may promise the same."""
    found = defaultdict(list)
    for path, text in shown_by(page, outcome):
        if (
            isinstance(text, str)
            and not any(each in path for each in (".cards.", ".shown.rows."))
            and "hovertemplate" not in path
            and ".y." not in path
        ):
            for clause in re.split(r"(?<=[.;:])\s+", text):
                if len(clause.split()) >= 5:
                    found[clause].append(path)
    return {clause: set(paths) for clause, paths in found.items() if len(paths) > 1}


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_place_says_nothing_twice(mechanism: str) -> None:
    *_, outcome = improve(evaluate(PlaceChoices(rows=2, columns=3, mechanism=mechanism)))
    assert not doubled(PlacePage(PlaceSession(outcome.places)), outcome)


@pytest.mark.parametrize("mechanism", list(METHODS))
@pytest.mark.parametrize("source", ["power", "activities", "binary", "chains"])
def test_series_says_nothing_twice(source: str, mechanism: str) -> None:
    outcome = evaluate_quilts(Q.with_source(source, mechanism=mechanism))
    assert not doubled(SeriesPage(SeriesSession(Q)), outcome)
