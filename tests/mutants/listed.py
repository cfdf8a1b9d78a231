"""The list of mutants: small wrong changes of the package, each with the tests that must notice it.

The list is data, in the files `*.toml` of this folder. Each entry says

    harm   in plain words, what would be wrong for a user
    file   which file is changed
    text   what is replaced: exactly one place of the file
    wrong  what stands there instead
    tests  the test files, or single tests (file::name), of which at least one must fail
    nightly  if only `make nightly` runs all of these tests: why
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


@dataclass(frozen=True)
class Mutant:
    """One wrong change; the fields are those of the list."""

    harm: str
    file: str
    text: str
    wrong: str
    tests: tuple[str, ...]
    nightly: str = ""

    def applied_to(self, root: Path) -> str:
        """The changed file of a tree.

        Raises
        ------
        ValueError : the text does not stand there exactly once.
        """
        source = (root / self.file).read_text("utf-8")
        found = source.count(self.text)
        if found != 1:
            raise ValueError(f"{self.text!r} is {found} times in {self.file}, and must be there once")
        return source.replace(self.text, self.wrong)


def all_mutants() -> list[Mutant]:
    """The mutants of all lists, those of one file together."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8"))["mutant"]:
            found.append(Mutant(**entry | {"tests": tuple(entry["tests"])}))
    return found
