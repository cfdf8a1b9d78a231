"""The glossary: one for the pages and docs/glossary.md, and nothing that the pages say is missing from it."""

import re
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.noise import randomized_response_channel
from lmdk_widgets.page.glossary import GLOSSARY, document
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.scenario.model import Scenario

ROOT = Path(__file__).parents[2]


def test_the_documents_are_those_of_the_glossary():
    how = "run python -m lmdk_widgets.page.glossary"
    assert (ROOT / "docs" / "glossary.md").read_text("utf-8") == document(), how


def test_every_term_is_there_once_in_a_sentence_or_two():
    names = [name for term in GLOSSARY for name in term.names]
    assert len(names) == len(set(names)) and len(GLOSSARY) >= 40
    for term in GLOSSARY:
        assert term.meaning[0].isupper() and term.meaning.endswith(".") and len(term.meaning) < 190, term.names
        assert len(re.findall(r"[.:;](?= |$)", term.meaning)) <= 4


def test_one_randomised_answer_changes_the_odds_as_the_glossary_says() -> None:
    (said,) = (term.meaning for term in GLOSSARY if "randomised response" in term.names)
    assert "it changes the odds, by a factor of at most e^ε" in said
    for answers, epsilon in ((2, 0.5), (5, 1.0)):
        shown = randomized_response_channel(answers, epsilon)
        assert (shown.max(0) / shown.min(0)).max() == pytest.approx(np.exp(epsilon))


@pytest.mark.parametrize(
    "word",
    [
        "Epsilon",
        "Scheme",
        "Protection radius",
        "Mechanism",
        "Correlation",
        "Adversary",
        "Seed",
        "Prior",
        "Dilation",
        "Neighbour",
    ],
)
def test_labels_of_controls_are_explained(word):
    kinds = {
        k.label for choices in (Scenario, PlaceChoices, SeriesChoices, TableChoices) for k in choices.kinds().values()
    }
    assert any(word in label for label in kinds)
    assert any(word.lower() == name.lower() for term in GLOSSARY for name in term.names)
