"""The law's words: each once, with its article or opinion, and in the glossary that the pages explain words with."""

from __future__ import annotations

import subprocess
import sys

from lmdk_widgets.page.glossary import GLOSSARY, document
from lmdk_widgets.page.law_words import ABOUT_QUOTATIONS, LAW_WORDS


def test_each_word_says_where_it_is_defined_and_is_in_the_glossary() -> None:
    told = {word.names[0]: word for word in LAW_WORDS}
    assert {"singling out", "linkability", "inference", "controller", "pseudonymous", "anonymous"} < set(told)
    explained = {term.names: term.meaning for term in GLOSSARY}
    for word in LAW_WORDS:
        assert explained[word.names] == word.explained and f"({word.where})." in document()
        assert word.where.startswith(("GDPR Art. 4(", "GDPR Recital 26", "Opinion 05/2014"))
        assert word.quoted[0].islower() and not word.quoted.endswith(".") and word.quoted not in word.meaning


def test_the_articles_are_those_of_the_regulation() -> None:
    """By hand: 4(1) personal data, 4(5) pseudonymisation, 4(7) controller; the three questions are the opinion's."""
    where = {word.names[0]: word.where for word in LAW_WORDS}
    assert where["personal data"] == "GDPR Art. 4(1)" and where["controller"] == "GDPR Art. 4(7)"
    assert where["pseudonymous"] == "GDPR Art. 4(5), Recital 26" and where["anonymous"] == "GDPR Recital 26"
    assert all("Opinion 05/2014" in where[name] for name in ("singling out", "linkability", "inference"))
    assert "the opinion itself was not at hand" in ABOUT_QUOTATIONS


def test_the_glossary_needs_no_numpy() -> None:
    """A server of pages reads it before anything heavy is imported."""
    program = "import sys, lmdk_widgets.page.glossary; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
