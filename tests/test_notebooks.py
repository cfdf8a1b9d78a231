"""Every notebook is short in every cell and committed without outputs; those of the documents run to their last cell.

The lessons run where users run them: `tests/installed/lessons.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted([*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "docs").glob("*.ipynb")])
MOST_LINES = 15

nbformat = pytest.importorskip("nbformat")


def read(path: Path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def ids(path: Path) -> str:
    return path.stem


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"explorer", "correlation"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_cells_are_short_and_nothing_was_run(path: Path) -> None:
    for cell in code(read(path)):
        assert len(cell.source.splitlines()) <= MOST_LINES, cell.id
        assert cell.outputs == [] and cell.execution_count is None, cell.id


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.ipynb")), ids=ids)
def test_it_runs_and_shows_something(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    for name in ("LMDK_TRACK", "LMDK_TIMEZONE", "QUERY_STRING"):
        monkeypatch.delenv(name, raising=False)
    notebook = read(path)
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute(cwd=str(path.parent))  # raises for the first cell that fails
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    assert outputs and all(output.output_type in ("display_data", "execute_result") for output in outputs)
    assert not any("application/vnd.lmdk.sentence+json" in output.data for output in outputs), "a page shows an error"


@pytest.mark.slow
def test_an_error_in_a_cell_is_not_passed_over() -> None:
    nbclient = pytest.importorskip("nbclient")
    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 + 1 == 3")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(broken, timeout=120, kernel_name="python3").execute()
