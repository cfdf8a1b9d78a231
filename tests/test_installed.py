"""What users run: the built wheel in a fresh environment outside the checkout, alone and then with the dashboard."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "tests" / "installed"

pytestmark = pytest.mark.slow


class Installed:
    """A fresh environment with the wheel in it, and a folder of its own to work in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Nobody's settings, and no switch of the tests: neither paths nor Jupyter's folders nor LMDK_MACHINE_CODE.
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER", "LMDK_"))
        }
        self.variables = kept | {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_DATA_DIR": str(folder / "jupyter")}
        self.python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.call(Path(sys.executable), "-m", "pip", "wheel", str(ROOT), "--no-deps", "-q", "-w", str(folder))
        self.call(Path(sys.executable), "-m", "venv", str(folder / "environment"))
        (wheel,) = folder.glob("*.whl")
        self.wheel = wheel
        self.install("")

    def install(self, extras: str) -> None:
        """Installs the wheel with some extras, such as "[dashboard]"."""
        self.call(self.python, "-m", "pip", "install", "-q", "--no-compile", f"{self.wheel}{extras}")

    def call(self, program: Path, *arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments], cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=480
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        return done.stdout

    def run(self, script: str, *arguments: str) -> list[str]:
        """What a script of `tests/installed` prints, run from a copy outside the checkout."""
        shutil.copy(SCRIPTS / script, self.folder / script)
        return self.call(self.python, "-I", script, *arguments).split()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    assert not folder.resolve().is_relative_to(ROOT.resolve())
    return Installed(folder)


@pytest.fixture(scope="module")
def installed(plain: Installed) -> Installed:
    plain.install("[dashboard]")
    return plain


@pytest.mark.nightly
def test_a_plain_installation_computes_and_names_what_is_missing(plain: Installed) -> None:
    """First of this module: the next tests add the dashboard to the same environment."""
    names = json.loads(plain.call(plain.python, "-m", "pip", "list", "--format", "json"))
    assert len(names) <= 30, [one["name"] for one in names]
    assert plain.run("core.py")[-1] == "done"
    with pytest.raises(AssertionError, match=re.escape('Install it with: pip install "lmdk-widgets[dashboard]"')):
        plain.call(plain.python.with_name("lmdk"), "explore")


@pytest.mark.nightly
def test_every_public_function_gives_its_published_value(installed: Installed) -> None:
    done = installed.run("calls.py", str(ROOT))
    assert done[0] == "heavy_packages_wait" and done[-1] == "heavy_packages_are_here" and len(done) == 14


@pytest.mark.nightly
def test_every_lesson_runs(installed: Installed) -> None:
    assert set(installed.run("lessons.py")) >= {"explorer", "moments", "correlation", "places", "states"}


@pytest.mark.nightly
def test_the_page_and_the_notices_are_in_the_wheel(plain: Installed) -> None:
    (package,) = (plain.folder / "environment").rglob("site-packages/lmdk_widgets")
    names = {path.name for path in (package / "static").iterdir()}
    assert {"loader.js", "dashboard.js", "leaflet.css", "report.js", "THIRD_PARTY_NOTICES.txt"} <= names
    assert not [*package.rglob("*.wasm")] and (package / "hosts" / "site" / "pyodide.json").is_file()
    assert plain.wheel.stat().st_size < 3.2e6, "without Python for browsers, which `lmdk site` fetches"
    assert list((package / "_data").iterdir())
    (about,) = (plain.folder / "environment").rglob("site-packages/lmdk_widgets-*.dist-info/METADATA")
    described = about.read_text("utf-8")
    assert "Two commands" in described and "Production" not in described
    assert not re.findall(r"\]\((?!https?:)[^)]*\)", described), "links that lead nowhere"
