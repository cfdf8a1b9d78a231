"""Writes the versions that a container installs: those of this environment, in which the tests have passed.

    python docs/deploy/versions.py

The file has names and versions only: where packages come from is for whoever builds the container to say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("versions.txt")
EXTRA = "dashboard"
CONTAINER = {"python_version": "3.12", "python_full_version": "3.12.0", "sys_platform": "linux", "os_name": "posix"}
CONTAINER |= {"platform_system": "Linux", "platform_python_implementation": "CPython", "implementation_name": "cpython"}
CONTAINER |= {"platform_machine": "x86_64"}
"""What the container is, for requirements that depend on it."""


def asked(extra: str = EXTRA) -> Iterator[Requirement]:
    """The packages that the project itself asks for, with an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for text in [*project["dependencies"], *project["optional-dependencies"][extra]]:
        if (found := Requirement(text)).name != project["name"]:
            yield found
            continue
        for another in found.extras:
            yield from asked(another)


def installed() -> dict[str, str]:
    """The version of every package that is installed with the project, by name."""
    found: dict[str, str] = {}
    waiting = list(asked())
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        known = set(filter(None, found.get(f"extras of {name}", "").split(",")))
        if name in found and one.extras <= known:
            continue
        found[name], found[f"extras of {name}"] = version(name), ",".join(known | one.extras)
        for text in requires(name) or ():
            more = Requirement(text)
            if any(
                more.marker is None or more.marker.evaluate(CONTAINER | {"extra": extra}) for extra in ("", *one.extras)
            ):
                waiting.append(more)
    return {name: number for name, number in sorted(found.items()) if not name.startswith("extras of ")}


def text() -> str:
    """The content of the file."""
    lines = [f"{name}=={number}" for name, number in installed().items()]
    return "\n".join(["# Written by docs/deploy/versions.py: what a container installs.", *lines, ""])


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
