"""A copy of the tree in which a test does what a recipe of CONTRIBUTING says, and counts the files that it takes.

copy = Copy(tmp_path)
copy.new("lmdk_widgets/budgets/schemes/halved.py", text)               # a file that the recipe asks for
copy.insert("lmdk_widgets/budgets/schemes/__init__.py", line, before)  # a line of one
copy.follows("Add a scheme", "halved", most=3)                         # just the files of the recipe, and no more
copy.run("-m", "tests.dummies.scheme_walk")                            # in the copy, as its user would
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("lmdk_widgets", "tests", "data", "notebooks", "docs")
FILE = re.compile(r"^\d+\. `([\w./<>-]+)`", re.M)
"""How a step of a recipe begins that is about a file."""


def recipe(heading: str) -> list[str]:
    """The files that a recipe of CONTRIBUTING numbers."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return FILE.findall(text.split(f"\n## {heading}\n")[1].split("\n## ")[0])


class Copy:
    """A copy of the tree, and the files of it that were written."""

    def __init__(self, folder: Path) -> None:
        self.root, self.written = folder, set[str]()
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name)  # with what is compiled: it is as old as its source
        for file in ("README.md", "pyproject.toml"):
            shutil.copyfile(ROOT / file, folder / file)

    def new(self, path: str, text: str) -> None:
        """Write a file that is not there yet."""
        assert not (self.root / path).exists(), path
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")
        self.written.add(path)

    def insert(self, path: str, text: str, before: str) -> None:
        """Put lines into a file, before a text that it holds once."""
        held = (self.root / path).read_text("utf-8")
        assert held.count(before) == 1, (path, before)
        (self.root / path).write_text(held.replace(before, text + before), "utf-8")
        self.written.add(path)

    def follows(self, heading: str, name: str, most: int) -> None:
        """Whether just the files of a recipe were written, `most` at most."""
        asked = {path.replace("<name>", name) for path in recipe(heading)}
        assert self.written == asked, (sorted(self.written), sorted(asked))
        assert len(asked) <= most, sorted(asked)

    def run(self, *command: str) -> str:
        """What Python prints, run in the copy; it must end well."""
        alone = {"PYTHONPATH": str(self.root), "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, *command], cwd=self.root, env=os.environ | alone, capture_output=True, text=True
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
        return done.stdout
