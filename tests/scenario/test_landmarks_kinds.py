"""Kinds of data bring their own words: no rewording of a sentence about tracks changes what a series is promised."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from lmdk_widgets.scenario import data_kinds
from lmdk_widgets.scenario.data_kinds import KINDS, Kind, kind_of
from tests.scenario.kinds_said import DATA, FOREIGN, MARK, all_said

PACKAGE = Path(data_kinds.__file__).parents[1]
WORDED = [path for room in ("scenario", "answers", "sweep", "pages/track") for path in (PACKAGE / room).glob("*.py")]
FORMATTING = {
    ("release_command.py", "name"),
    ("timeline.py", "axis"),
    ("timeline.py", "str(int(power))"),
}
"""Where something that is no sentence is rewritten: a plural, the name of an option, a decimal comma, an axis, a power."""

UNSAID = {"track": {"known_when"}, "answers": {"reported_one", "off", "near"}}
"""Words that no sentence of a kind has in these settings."""


@cache
def as_they_are(name: str) -> list[str]:
    """What is said of a kind before anyone changes a word."""
    return all_said(DATA[name])


def texts_of(kind: Kind) -> dict[str, str]:
    """The words of a kind, by their names."""
    return {name: value for name in Kind.__annotations__ if isinstance(value := getattr(kind, name), str)}


def rewritten(path: Path) -> set[tuple[str, str]]:
    """Where a file replaces a part of a text: its name, and what is rewritten."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in ("sub", "subn", "translate") or (name == "replace" and len(node.args) >= 2):
                found.add((path.name, ast.unparse(node.func.value)))
    return found


def test_no_sentence_is_searched_and_replaced() -> None:
    assert set().union(*map(rewritten, WORDED)) == FORMATTING


def test_every_kind_has_every_word() -> None:
    for kind in KINDS:
        assert texts_of(kind).keys() == {name for name, type_ in Kind.__annotations__.items() if type_ == "str"}
    assert [kind_of(data) for data in DATA.values()] == [*KINDS]


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(
    "own", [name if name == "numbers" else pytest.param(name, marks=pytest.mark.nightly) for name in DATA]
)
def test_the_words_of_a_kind_stand_in_its_own_sentences_alone(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word of each kind is replaced by a mark, and each mark is found where its kind is told, and nowhere else."""
    said = {(name, word) for name in DATA for word in texts_of(kind_of(DATA[name])).keys() - UNSAID.get(name, set())}
    for name, data in DATA.items():
        for word in texts_of(kind_of(data)):
            monkeypatch.setattr(type(kind_of(data)), word, f"<{name}_{word}>")
    marked = f"<({'|'.join(DATA)})_(\\w+)>"
    found = set(re.findall(marked, " ".join(all_said(DATA[own])).lower()))
    assert found == {(of, word) for of, word in said if of == own}


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize("name", DATA)
def test_nothing_is_promised_of_a_kind_that_is_false_of_it(name: str) -> None:
    said = " ".join(as_they_are(name))
    assert not [words for words in FOREIGN[name] if words in said]
    assert name != "answers" or "Under randomised response that is a proven bound" in said


@pytest.mark.nightly
def test_another_wording_of_every_template_promises_nothing_else() -> None:
    """Every text in every module that words something is reworded, in a process of its own: what each kind is promised is
    the same, as the mark is all that changed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.scenario.kinds_said"],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE.parent,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    assert done.returncode == 0, done.stderr
    for name, said in json.loads(done.stdout).items():
        assert sum(MARK in text for text in said) > len(said) / 2
        assert [text.replace(MARK, "") for text in said] == as_they_are(name), name
