"""Every notebook runs from its first cell to its last, is short in every cell, and is committed without outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.pufferfish import approximate_quilt_scale, binary_interval_scale

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
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
    assert {path.stem for path in NOTEBOOKS} >= {"explorer", "losses"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_cells_are_short_and_nothing_was_run(path: Path) -> None:
    for cell in code(read(path)):
        assert len(cell.source.splitlines()) <= MOST_LINES, cell.id
        assert cell.outputs == [] and cell.execution_count is None, cell.id


def test_what_the_lesson_on_quilts_says_of_its_tables_is_so() -> None:
    alphas, epsilons = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4), (0.2, 1.0, 5.0)
    exact = {(a, e): binary_interval_scale(a, 100, e).scale for a in alphas for e in epsilons}
    mixing = {
        (a, e): approximate_quilt_scale(length=100, epsilon=e, minimum_probability=a, gap=4 * a).scale for a, e in exact
    }
    factors = [mixing[key] / exact[key] for key in exact]
    saved = 1 - mixing[0.1, 0.2] / (100 / 0.2)
    said = " ".join(read(ROOT / "notebooks" / "quilts.ipynb").cells[7].source.split())
    assert f"costs a factor of {min(factors):.1f} to {max(factors):.0f}; at ε = 0.2" in said
    assert f"saves only {saved:.0%}".replace("%", " %") in said


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_it_runs_and_shows_something(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    for name in ("LMDK_TRACK", "LMDK_TIMEZONE", "QUERY_STRING"):
        monkeypatch.delenv(name, raising=False)
    notebook = read(path)
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute(cwd=str(tmp_path))  # raises for the first cell that fails
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    assert outputs and all(output.output_type in ("display_data", "execute_result") for output in outputs)
    assert not any("application/vnd.lmdk.sentence+json" in output.data for output in outputs), "a page shows an error"


@pytest.mark.slow
def test_an_error_in_a_cell_is_not_passed_over() -> None:
    nbclient = pytest.importorskip("nbclient")
    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 + 1 == 3")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(broken, timeout=120, kernel_name="python3").execute()
