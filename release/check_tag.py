"""Whether a tag is that of this version, before anything is published: `python release/check_tag.py v1.0.0`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def wrong(tag: str, root: Path = ROOT) -> str:
    """What is wrong, in one sentence; "" if nothing is."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if tag != f"v{version}":
        return f"The tag must be v{version}, as pyproject.toml says version {version}; got {tag}."
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    newest = re.findall(r"^## (\S+)", changes, re.M)[0]
    if newest != version:
        return f"CHANGELOG.md must begin with version {version}; it begins with {newest}."
    return ""


if __name__ == "__main__":
    if found := wrong(*sys.argv[1:2]):
        sys.exit(found)
