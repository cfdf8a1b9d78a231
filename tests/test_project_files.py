"""What others' tools read of the project: workflows, the citation, the recipe, types."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import lmdk_widgets

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
USER_CODE = """
from lmdk_widgets import Scenario, evaluate, sample
from lmdk_widgets.scenario import Outcome

outcome: Outcome = evaluate(Scenario(scheme="adaptive", epsilon=0.5, landmarks=(0, 2)), sample("bob"))
wrong: str = outcome.scenario.epsilon
"""


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_there_is(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            asked = re.findall(r"make ([a-z]+)", step.get("run", "")) if step.get("run", "").startswith("make") else []
            assert set(asked) <= set(targets)
            if ".ci/run" in step.get("run", ""):
                assert (ROOT / ".ci" / "run").is_file()
            extra = re.search(r"\.\[(\w+)\]", step.get("run", ""))
            assert extra is None or extra[1] in PROJECT["optional-dependencies"]


def test_the_versions_agree() -> None:
    recipe = (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {
        lmdk_widgets.__version__,
        PROJECT["version"],
        cited["version"],
        re.findall(r'version: "(.*?)"', recipe)[0],
    } == {PROJECT["version"]}


def test_a_container_installs_the_versions_that_were_tested() -> None:
    folder = ROOT / "docs" / "deploy"
    spec = importlib.util.spec_from_file_location("versions", folder / "versions.py")
    assert spec and spec.loader
    versions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(versions)
    lines = versions.FILE.read_text("utf-8").splitlines()[1:]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", line) for line in lines), "names and versions, no addresses"
    written = dict(line.split("==") for line in lines)
    assert set(written) == set(versions.installed()), "run python docs/deploy/versions.py"
    for asked in versions.asked():
        assert written[asked.name.replace("_", "-")] in asked.specifier, asked
    assert "-c /source/docs/deploy/versions.txt" in (folder / "Containerfile").read_text("utf-8")


def test_what_conda_reads_is_written_from_the_project_file() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "conda" / "generate.py")
    assert spec and spec.loader
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    said = generate.project_file()
    assert (ROOT / "environment.yml").read_text("utf-8") == generate.environment(said), "run python conda/generate.py"
    assert (ROOT / "conda" / "meta.yaml").read_text("utf-8") == generate.recipe(said), "run python conda/generate.py"
    packages = yaml.safe_load(generate.environment(said))["dependencies"]
    assert {"voila>=0.5.13", "traitlets>=5.14", "python-tzdata>=2024.1"} <= set(packages[:-1]), (
        "the higher bound of two"
    )
    assert generate.strictest(["b>=1.9", "a>=2", "b>=1.10"]) == {"a": ">=2", "b": ">=1.10"}


def test_papers_are_cited_as_the_documents_name_them() -> None:
    sources = " ".join((ROOT / "docs" / "sources.md").read_text("utf-8").split())
    for paper in yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["references"]:
        authors = ", ".join(author["family-names"] for author in paper["authors"])
        venue = paper.get("collection-title") or paper["journal"]
        assert f"{authors}, {venue} {paper['year']}" in sources


def test_an_unpacked_source_distribution_needs_no_node(tmp_path: Path) -> None:
    """All its files have one time, its folders that of unpacking: bundles are made again only where a file is newer."""
    text = (ROOT / "hatch_build.py").read_text("utf-8")
    (function,) = re.findall(r"^def _up_to_date.*?(?=^def )", text, re.M | re.S)
    known: dict[str, Any] = {"Path": Path}
    exec(function, known)
    frontend, static = tmp_path / "frontend", tmp_path / "static"
    for folder in (frontend / "src" / "page", static):
        folder.mkdir(parents=True)
    for path in (frontend / "src" / "page" / "lab.js", frontend / "build.mjs", static / "loader.js"):
        path.touch()
        os.utime(path, (1e9, 1e9))
    assert known["_up_to_date"](frontend, static)
    os.utime(frontend / "src" / "page" / "lab.js", (1e9 + 1, 1e9 + 1))
    assert not known["_up_to_date"](frontend, static)


@pytest.mark.nightly
@pytest.mark.slow
def test_user_code_is_typed(tmp_path: Path) -> None:
    """mypy sees the package's types from outside: one mistake, and only it."""
    assert (ROOT / "lmdk_widgets" / "py.typed").is_file()
    pytest.importorskip("mypy", reason="mypy is not installed: it comes with the extra 'check'")
    (tmp_path / "user.py").write_text(USER_CODE)
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports", "user.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    assert 'expression has type "float"' in said and "Found 1 error" in said, said
