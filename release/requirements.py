"""The libraries that extras ask for, one a line: `python release/requirements.py dashboard formats`.

`make explore` installs them while the package's pages are being built.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]


def requirements(extras: Iterable[str], root: Path = ROOT) -> list[str]:
    """What the package asks for with these extras, and with those that they name."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    own = re.compile(rf"{re.escape(project['name'])}\[(.*)\]")
    found, waiting = list(project["dependencies"]), list(extras)
    while waiting:
        for line in project["optional-dependencies"][waiting.pop()]:
            if inner := own.fullmatch(line):
                waiting += inner[1].split(",")
            else:
                found.append(line)
    return sorted(set(found))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
