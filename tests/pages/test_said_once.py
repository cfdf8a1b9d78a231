"""No sentence of Place or Series stands twice on its page."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from lmdk_widgets.pages.places import MECHANISMS, Places, evaluate, improve
from lmdk_widgets.pages.places.page import PlacesPage
from lmdk_widgets.pages.places.session import PlacesSession
from lmdk_widgets.pages.quilts import QuiltChoices
from lmdk_widgets.pages.quilts import evaluate as evaluate_quilts
from lmdk_widgets.pages.quilts.model import MECHANISMS as METHODS
from lmdk_widgets.pages.quilts.page import QuiltPage
from lmdk_widgets.pages.quilts.session import QuiltSession
from tests.every_number.claims import shown_by

Q = QuiltChoices()


def doubled(page: Any, outcome: Any) -> dict[str, set[str]]:
    """Clauses of five words and more that stand in several places; a card repeats the answers of its setting."""
    found = defaultdict(list)
    for path, text in shown_by(page, outcome):
        if isinstance(text, str) and ".cards." not in path and "hovertemplate" not in path and ".y." not in path:
            for clause in re.split(r"(?<=[.;:])\s+", text):
                if len(clause.split()) >= 5:
                    found[clause].append(path)
    return {clause: set(paths) for clause, paths in found.items() if len(paths) > 1}


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_place_says_nothing_twice(mechanism: str) -> None:
    *_, outcome = improve(evaluate(Places(rows=2, columns=3, mechanism=mechanism)))
    assert not doubled(PlacesPage(PlacesSession(outcome.places)), outcome)


@pytest.mark.parametrize("mechanism", list(METHODS))
@pytest.mark.parametrize("source", ["power", "activities", "binary", "chains"])
def test_series_says_nothing_twice(source: str, mechanism: str) -> None:
    outcome = evaluate_quilts(Q.with_source(source, mechanism=mechanism))
    assert not doubled(QuiltPage(QuiltSession(Q)), outcome)
