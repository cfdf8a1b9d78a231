"""Bundles the page's JavaScript when the package is built, and writes its description.

Leaflet comes from npm at the version in `frontend/package-lock.json`; Node comes from a wheel among the build requirements,
so `pip install` works where Node is not installed. No third-party code is committed, and nothing is fetched when the page
runs. A source distribution contains the finished bundles and needs no npm.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent / "release"))
sys.path.insert(0, str(Path(__file__).parent / "frontend"))
from description import description, urls  # modules beside what they are about, not a package
from notices import notices
from npm import npm


class DescriptionHook(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict) -> None:
        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
        given = project["tool"]["lmdk"]["repository"], metadata["version"]
        text = description((root / "README.md").read_text("utf-8"), *given)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = urls(*given)


class BundleHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        static = root / "lmdk_widgets" / "static"
        if not _up_to_date(root / "frontend", static):
            _bundle(root / "frontend", static)
        if self.target_name == "wheel":  # the samples, without the programs that make them
            data = root / "data"
            samples = [path for path in data.rglob("*") if path.suffix in (".csv", ".json", ".toml")]
            build_data["force_include"] |= {
                str(p): f"lmdk_widgets/_data/{p.relative_to(data).as_posix()}" for p in samples
            }


def _up_to_date(frontend: Path, static: Path) -> bool:
    built = static / "loader.js"
    if not built.exists():
        return False
    sources = [*frontend.glob("src/**/*"), *frontend.glob("*.json"), *frontend.glob("*.mjs")]
    # only files: unpacking a source distribution makes folders that are newer than everything in them
    return max((s.stat().st_mtime for s in sources if s.is_file()), default=0) <= built.stat().st_mtime


def _bundle(frontend: Path, static: Path) -> None:
    lock = frontend / "package-lock.json"
    if not (frontend / "node_modules" / ".package-lock.json").exists() or _newer(lock, frontend / "node_modules"):
        npm(frontend, "ci", "--no-audit", "--no-fund")
    npm(frontend, "run", "--silent", "build")
    shutil.rmtree(static / "pyodide", ignore_errors=True)  # earlier versions bundled Python for browsers
    (static / "THIRD_PARTY_NOTICES.txt").write_text(notices(frontend), "utf-8")


def _newer(a: Path, b: Path) -> bool:
    return a.stat().st_mtime > b.stat().st_mtime
