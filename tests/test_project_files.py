"""What others' tools read of the project: workflows, the citation, the recipe, types."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import lmdk_widgets

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


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


def module_of(path: str) -> ModuleType:
    """A program of the repository that is not part of the package."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_conda_reads_is_written_from_the_project_file() -> None:
    generate = module_of("conda/generate.py")
    said = generate.project_file()
    assert (ROOT / "environment.yml").read_text("utf-8") == generate.environment(said), "run python conda/generate.py"
    assert (ROOT / "conda" / "meta.yaml").read_text("utf-8") == generate.recipe(said), "run python conda/generate.py"
    packages = yaml.safe_load(generate.environment(said))["dependencies"]
    assert {"voila>=0.5.13", "traitlets>=5.14", "python-tzdata>=2024.1"} <= set(packages[:-1]), (
        "the higher bound of two"
    )
    assert generate.strictest(["b>=1.9", "a>=2", "b>=1.10"]) == {"a": ">=2", "b": ">=1.10"}


def recipe_read(text: str) -> dict[str, Any]:
    """A recipe as conda reads it: its one variable is put in."""
    (python,) = re.findall(r'{% set python_min = "(.*?)" %}', text)
    text = re.sub(r"{%.*?%}\n", "", text).replace("{{ python_min }}", python).replace("{{ PYTHON }}", "python")
    assert "{{" not in text
    return yaml.safe_load(text)


def test_the_recipe_is_as_conda_forge_asks() -> None:
    generate = module_of("conda/generate.py")
    said = generate.project_file()
    ours = {**said, "tool": {"lmdk": {"repository": "https://code.example.org/me/it/", "maintainers": ["me", "you"]}}}
    for archive in (None, ("https://files.example.org/it-1.tar.gz", "ab" * 32)):
        read = recipe_read(generate.recipe(ours, archive))
        assert read["build"]["noarch"] == "python" and read["build"]["number"] == 0
        assert "--no-deps --no-build-isolation" in read["build"]["script"]
        host, run = read["requirements"]["host"], read["requirements"]["run"]
        assert "python 3.11" in host and "python >=3.11" in run and "python 3.11" in read["test"]["requires"]
        called = {"tzdata": "python-tzdata"}
        wanted = [re.split("[>=]", line)[0] for line in PROJECT["dependencies"]]
        assert {line.split()[0] for line in run} == {"python", *(called.get(name, name) for name in wanted)}
        assert "pip check" in read["test"]["commands"] and read["test"]["imports"] == ["lmdk_widgets"]
        files = read["about"]["license_file"]
        assert {"LICENSE", "NOTICES.md"} < set(files) and any("THIRD_PARTY" in name for name in files)
        assert read["about"]["summary"] == PROJECT["description"]
        assert read["about"]["home"] == read["about"]["dev_url"] == "https://code.example.org/me/it"
        assert read["extra"]["recipe-maintainers"] == ["me", "you"]
        assert any(line.startswith("nodejs") for line in host) == (archive is None), "an archive has the pages built"
        source = {"path": ".."} if archive is None else dict(zip(("url", "sha256"), archive, strict=True))
        assert read["source"] == source
    read = recipe_read(generate.recipe(said))
    assert ("home" in read["about"]) == bool(said["tool"]["lmdk"]["repository"])


def test_links_of_the_description_lead_somewhere_or_are_no_links() -> None:
    describe = module_of("release/description.py").description
    text = (ROOT / "README.md").read_text("utf-8")
    code = re.findall(r"^```.*?^```$", text, re.M | re.S)
    for address in ("", "https://code.example.org/me/it", "https://code.example.org/me/it/"):
        written = describe(text, address, "1.2")
        assert re.findall(r"^```.*?^```$", written, re.M | re.S) == code and len(code) >= 3
        targets = re.findall(r"\]\(([^)]+)\)", re.sub(r"^```.*?^```$", "", written, flags=re.M | re.S))
        assert bool(targets) == bool(address)
        for target in targets:
            at = re.fullmatch(r"https://code\.example\.org/me/it/(blob|raw)/v1\.2/([^#]+)(#.*)?", target)
            assert at and (ROOT / at[2]).is_file() and (at[1] == "raw") == at[2].endswith(".png"), target
    assert "docs/jupyter.md has a cell for each widget" in " ".join(describe(text, "", "1.2").split())


def test_the_package_says_what_it_is() -> None:
    """A beta until there has been a release; its description and addresses are written when it is built."""
    assert "Development Status :: 4 - Beta" in PROJECT["classifiers"]
    assert not any("Production" in line for line in PROJECT["classifiers"])
    assert set(PROJECT["dynamic"]) == {"readme", "urls"} and not {"readme", "urls"} & set(PROJECT)
    urls = module_of("release/description.py").urls
    assert urls("", "1.2") == {}
    assert urls("https://a.example/b/c/", "1.2") == {
        "Source": "https://a.example/b/c",
        "Issues": "https://a.example/b/c/issues",
        "Changelog": "https://a.example/b/c/blob/v1.2/CHANGELOG.md",
    }


def test_a_release_is_tested_and_named_by_its_tag_before_it_is_published(tmp_path: Path) -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))["jobs"]
    before = {"publish": "build", "build": "test"}
    assert {name: job["needs"] for name, job in jobs.items() if "needs" in job} == before
    ran = [step.get("run", "") for step in jobs["test"]["steps"]]
    assert 'python release/check_tag.py "$GITHUB_REF_NAME"' in ran and ".ci/run" in ran
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2"')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2\n\n- It works.\n\n## 1.1\n")
    wrong = module_of("release/check_tag.py").wrong
    assert wrong("v1.2", tmp_path) == ""
    assert wrong("v1.3", tmp_path).startswith("The tag must be v1.2, ")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 1.2\n")
    assert wrong("v1.2", tmp_path) == "CHANGELOG.md must begin with version 1.2; it begins with Unreleased."
    done = subprocess.run([sys.executable, "release/check_tag.py", "v0"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "got v0" in done.stderr


def test_a_first_start_installs_what_the_extras_ask_for() -> None:
    """The same as `pip install ".[dashboard,formats]"`, which installs the package as well."""
    found = module_of("release/requirements.py").requirements(["dashboard", "formats"])
    extras = PROJECT["optional-dependencies"]
    wanted = {*PROJECT["dependencies"], *(line for name in ("dashboard", "formats") for line in extras[name])}
    wanted |= {*extras["frames"], *extras["places"]}
    assert found == sorted(line for line in wanted if not line.startswith("lmdk-widgets["))
    assert "requirements.py dashboard formats" in (ROOT / "Makefile").read_text("utf-8")


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


@pytest.mark.long
def test_a_source_distribution_is_small() -> None:
    """What it takes of the repository, with the finished bundles, in one archive."""
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    left_out = targets["sdist"]["exclude"]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no repository")
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    taken = [name for name in names if not any(fnmatch(name, each) or name.startswith(f"{each}/") for each in left_out)]
    taken += [
        path.relative_to(ROOT).as_posix() for path in (ROOT / "lmdk_widgets" / "static").iterdir() if path.is_file()
    ]
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in taken:
            archive.add(ROOT / name, name)
    assert {"pyproject.toml", "hatch_build.py", "README.md", "release/description.py", "docs/recipes.md"} <= {*taken}
    assert len(packed.getvalue()) < 3.2e6
