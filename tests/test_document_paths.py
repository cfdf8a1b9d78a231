"""Every file and folder that a document for contributors names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
KINDS = r"py|js|css|md|toml|ipynb|j2|cff|mjs"
NAMED = re.compile(rf"[\w.<>*-]+(?:/[\w.<>*-]+)*(?:\.(?:{KINDS})|/)")
MADE = ("build/", "live/")
"""What a command makes."""
USERS = {"explorer.py", "analysis.py", "study.py", "results.md", "homework.ipynb"}
"""Files of a reader's own."""


def named(text: str) -> list[tuple[str, set[str]]]:
    """What stands in backticks and looks like a path of this project, each with the folders named in its section or row."""
    found = []
    for part in re.split(r"\n(?=#|\|)", re.sub(r"```.*?```", "", text, flags=re.S)):
        tokens = [token.partition("::")[0] for token in re.findall(r"`([^`\s]+)`", part)]
        folders = {token if token.endswith("/") else token.rpartition("/")[0] for token in tokens if "/" in token}
        folders |= {token for token in tokens if "/" in token and (ROOT / token).is_dir()}
        found += [(token, folders) for token in tokens if NAMED.fullmatch(token)]
    return found


def exists(token: str, folders: set[str]) -> bool:
    pattern = re.sub(r"<\w+>", "*", token).rstrip("/")
    near = [re.sub(r"<\w+>", "*", folder).rstrip("/") for folder in folders]
    homes = ["", "lmdk_widgets", *near, *(f"lmdk_widgets/{folder}" for folder in near)]
    return any(any(ROOT.glob(f"{home}/{pattern}".lstrip("/"))) for home in homes)


def objects(text: str) -> list[tuple[str, str]]:
    """Names that a document says are in a file."""
    return re.findall(r"`(\w+)` in\s+`([\w/]+\.py)`", text)


def test_the_patterns_find_paths_and_what_is_missing() -> None:
    text = "| a | `lmdk_widgets/verdict/`: `limits.py`, `nosuch.py` | `x = 1` |"
    assert [(token, exists(token, folders)) for token, folders in named(text)] == [
        ("lmdk_widgets/verdict/", True),
        ("limits.py", True),
        ("nosuch.py", False),
    ]
    assert exists("lmdk_widgets/pages/<page>/words.py", set()) and not exists("pages/<page>/nosuch.py", set())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_names_exists(path: Path) -> None:
    missing = [
        token
        for token, folders in named(path.read_text("utf-8"))
        if not token.startswith(MADE)
        and token not in USERS
        and not exists(token, folders | {path.parent.relative_to(ROOT).as_posix()})
    ]
    assert not missing


def test_contributing_names_what_is_in_its_file() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert len(named(text)) > 60 and len(objects(text)) >= 5
    for name, file in objects(text):
        (path, *_) = [home / file for home in (ROOT, ROOT / "lmdk_widgets") if (home / file).is_file()] or [ROOT / file]
        assert path.is_file() and re.search(rf"\b{name}\b", path.read_text("utf-8")), f"{name} in {file}"
