"""An assessment as HTML, as Markdown and for Word: for its owner only, the same in each, and its commands run."""

from __future__ import annotations

import re
import shlex
import sys
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.law_words import LAW_WORDS
from lmdk_widgets.pages.people import PeopleTable, tables
from lmdk_widgets.pages.people.assessment import assessment_of
from lmdk_widgets.pages.people.assessment_files import (
    assessment_html,
    assessment_markdown,
    assessment_word,
    numbered_sections,
)
from lmdk_widgets.pages.people.tables import read_table_at
from tests.pages.assessed_people import assessed, fake_worth, people_csv


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people_csv(tmp_path_factory.mktemp("assessed"))


@pytest.fixture(scope="module")
def table(file: Path) -> PeopleTable:
    return read_table_at(str(file), timezone="Europe/Paris")


@pytest.fixture(autouse=True)
def _fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "really" not in request.node.name:
        monkeypatch.setattr(tables, "worth_of", fake_worth)


@pytest.mark.long
def test_an_assessment_is_written_for_its_owner_only(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["assess", str(file), "--out", "a.html", "--out", "a.md"]) == 0
    assert "It is for the owner of the table only." in capsys.readouterr().out
    for name in ("a.html", "a.md"):
        path = tmp_path / name
        assert path.stat().st_mode & 0o077 == 0
        text = path.read_text("utf-8")
        assert "do not share" in text and "No legal advice" in text
        outside = re.sub(r"(?ms)^(`{3,})sh$.*?^\1$", "", text)
        assert "<b>_" not in outside and "u3" not in text, "the name of the table is no markup; nobody is named"
        assert not re.search(r"\b(48|2)\.\d{3,}", text), "no coordinate"
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "a &lt;b&gt;_`x`_ |.csv" in page and "<script" not in page and page.count("<h1>") == 1
    assert "a \\<b\\>\\_\\`x\\`\\_ \\|.csv" in (tmp_path / "a.md").read_text("utf-8")
    for arguments in (
        ["--out", "a.html"],
        ["--out", "a.txt"],
        ["--epsilon", "0"],
        ["--zone", "1"],
        ["--decimals", "9"],
    ):
        assert main(["assess", str(file), *arguments]) == 2
        assert capsys.readouterr().err.startswith("lmdk: ")


@pytest.mark.long
def test_the_other_commands_run_too(
    table: PeopleTable, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that writes the assessment again, and those that make releases, once a region and days are named."""
    monkeypatch.chdir(tmp_path)
    ran = set()
    for changes in ({}, {"count_cell_m": 50_000.0, "slot": "24", "most": 5, "epsilon": 2.0}):
        found = assessment_of(assessed(table, **changes), str(file))
        out = tmp_path / f"{len(ran)}.md"
        assert main([*shlex.split(found.again)[1:], "--out", str(out)]) == 0
        assert out.read_text("utf-8") == assessment_markdown(found)
        for k, (_, told) in enumerate(found.commands):
            words = shlex.split(told)[1:]
            if words[0] == "release":
                named = {
                    "FILE": str(file),
                    "--region=SOUTH,WEST,NORTH,EAST": "--region=48,1.5,50,4",
                    "counts": f"counts{k}",
                }
                words = [named.get(word, word) for word in words]
                words[words.index("--from") + 1], words[words.index("--until") + 1] = "2026-03-02", "2026-03-30"
                words += ["--ledger", str(tmp_path / f"ledger{k}.json")]
            else:
                words[-1] = f"{len(ran)}-{words[-1]}"
            assert main(words) == 0, capsys.readouterr().err
            ran.add((words[0], k))
    assert {"release", "people"} == {name for name, _ in ran}


def test_both_files_say_the_same(table: PeopleTable, file: Path) -> None:
    found = assessment_of(assessed(table), str(file))
    page, text = unescape(assessment_html(found)), assessment_markdown(found).replace("\\", "").replace("&amp;", "&")
    for said in (*found.answer.remain, found.limit, *(cell for row in found.alternatives for cell in row)):
        assert said in page and said in text
    for section, claims in numbered_sections(found):
        assert section.heading in page and section.heading in text
        for number, claim in claims:
            assert f"<b>{number}.</b> {claim.text}" in page and f"**{number}.** {claim.text}" in text
            assert claim.assumes in page and claim.assumes in text and claim.command in page
    for word in LAW_WORDS:
        assert f"“{word.quoted}”" in page and f"“{word.quoted}”" in text and word.where in page


def test_it_never_calls_the_data_anonymous(table: PeopleTable, file: Path) -> None:
    """The word stands where it is explained, and where it is said that no number decides it."""
    for changes in ({}, {"most_percent": 90.0}, {"epsilon": 1e-4}, {"scheme": "user", "epsilon": 9.0}):
        text = assessment_markdown(assessment_of(assessed(table, **changes)))
        allowed = "Whether data are personal data or anonymous is for the controller to decide"
        before_law = text.partition("## The law's words")[0]
        assert allowed in before_law and "anonym" not in before_law.replace(allowed, "").lower().replace(
            "opinion 05/2014 on anonymisation techniques", ""
        )
        assert " safe" not in text.lower() and "no legal advice" in text.lower()


def test_a_document_for_word_says_the_same(table: PeopleTable, file: Path) -> None:
    docx = pytest.importorskip("docx", reason="python-docx is not installed: no document for Word can be read")
    found = assessment_of(assessed(table), str(file))
    document = docx.Document(BytesIO(assessment_word(found)))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    cells = [[cell.text for cell in row.cells] for grid in document.tables for row in grid.rows]
    assert cells[1:6] == [list(row) for row in found.alternatives]
    for said in (*found.answer.remain, *found.answer.why, found.limit):
        assert said in text
    for section, claims in numbered_sections(found):
        assert section.heading in text and all(point in text for point in section.points)
        for number, claim in claims:
            assert f"{number}. {claim.text}\nAssumes: {claim.assumes}\n{claim.command}\n" in text
    assert next(line[2] for line in cells if line[0] == "anonymous").startswith("“information which does not relate")
    assert "For the owner" in document.sections[0].header.paragraphs[0].text and not document.core_properties.author


def test_texts_that_no_document_can_hold_are_left_out(table: PeopleTable) -> None:
    pytest.importorskip("docx", reason="python-docx is not installed: no document for Word can be written")
    found = assessment_of(assessed(table))._replace(table="a\x00b\x1b[31m\ud800 <w:t>")
    assert assessment_word(found)[:2] == b"PK"


def test_without_python_docx_a_sentence_says_how_to_install_it(
    table: PeopleTable, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    assert main(["assess", str(file), "--out", str(tmp_path / "a.docx")]) == 2
    said = capsys.readouterr().err
    assert "needs the library docx, which is not installed" in said and 'pip install "lmdk-widgets[word]"' in said
    assert not (tmp_path / "a.docx").exists()
    with pytest.raises(InputError, match="lmdk-widgets"):
        assessment_word(assessment_of(assessed(table)))
