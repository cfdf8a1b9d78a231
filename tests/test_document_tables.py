"""The tables of the documents are those of the package's lists."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_tables_of_the_documents_are_those_of_the_package() -> None:
    spec = spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    tables = module_from_spec(spec)
    spec.loader.exec_module(tables)
    for path, text in tables.documents():
        assert path.read_text("utf-8") == text, f"{path.name}: run python docs/tables.py"
