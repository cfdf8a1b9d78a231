"""The licences of what is bundled: complete, and part of the built package."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

FRONTEND = Path(__file__).parents[1] / "frontend"


def written() -> Any:
    spec = importlib.util.spec_from_file_location("notices", FRONTEND / "notices.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_everything_that_is_bundled_is_named() -> None:
    package = json.loads((FRONTEND / "package.json").read_text("utf-8"))
    assert set(written().BUNDLED) == set(package["dependencies"])


def test_the_package_holds_them_all() -> None:
    if not (FRONTEND / "node_modules" / "leaflet").is_dir():
        pytest.skip("the libraries are not here: they come when the package is built")
    assert "Volodymyr Agafonkin" in written().notices(FRONTEND)
