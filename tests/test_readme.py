"""The blocks of the README and of docs/jupyter.md, each pasted as one cell: what they promise is seen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from lmdk_widgets.answers.main_places import main_place_of
from lmdk_widgets.inference import found_within
from lmdk_widgets.page.amounts import amount, bound, metres
from lmdk_widgets.pages.track.practices import TITLE
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate, settings_table
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.whose import ALL

README = Path(__file__).parents[1] / "README.md"
VIEW = "application/vnd.jupyter.widget-view+json"
DOCS = README.parent / "docs"
BLOCKS = re.findall(r"```python\n(.*?)```", (DOCS / "jupyter.md").read_text("utf-8"), re.S)
CLICK = "view.landmarks = [1]"  # what a click on the map sends, as far as the kernel sees it


def run(*cells: str, folder: Path) -> tuple[list[Any], NotebookClient]:
    """Runs a notebook of these cells; their outputs."""
    rows = "".join(f"2026-03-01 08:{m:02d}:00,{48.8 + m / 1000},2.3\n" for m in range(5))
    (folder / "my.csv").write_text("time,lat,lon\n" + rows)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [cell.outputs for cell in notebook.cells], client


def test_the_readme_is_short_and_its_first_block_runs() -> None:
    text = README.read_text("utf-8")
    assert len(text.split()) <= 1200
    exec(re.findall(r"```python\n(.*?)```", text, re.S)[0], {})


def test_there_are_blocks() -> None:
    assert "[Google Colab](docs/jupyter.md#google-colab)" in README.read_text("utf-8")
    assert "\n## Google Colab\n" in (DOCS / "jupyter.md").read_text("utf-8")
    assert len(BLOCKS) == 5 and "Explorer(" in BLOCKS[0] and "TrajectoryMap(" in BLOCKS[1]


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize("block", BLOCKS, ids=["explorer", "map", "question", "adversary", "mathematics"])
def test_a_block_shows_what_it_makes(block: str, tmp_path: Path) -> None:
    (outputs,), _ = run(block, folder=tmp_path)
    widget = any(name in block for name in ("Explorer(", "Question(", "TrajectoryMap("))
    assert len(outputs) == (2 if widget else 1), "beside the view, what is seen without a kernel"
    assert any(VIEW in output.data for output in outputs) or "evaluate(" in block


@pytest.mark.long
def test_what_an_observer_prints_can_be_seen(tmp_path: Path) -> None:
    """In the widget of its own, not in the output of a cell that happens to run, nor nowhere."""
    (_, outputs), client = run(BLOCKS[1], CLICK, folder=tmp_path)
    assert outputs == []
    told = [state["outputs"] for state in client.widget_state.values() if "outputs" in state]
    assert [output["text"] for output in told[0]] == ["landmarks: [1]\n"]


@pytest.mark.long
def test_the_three_questions_are_answered_with_these_numbers() -> None:
    text = README.read_text("utf-8").split("## Three questions")[1].split("\n## ")[0]
    flat = " ".join(text.split())
    bob = sample("bob")
    uniform, event = (evaluate(Scenario(scheme=name, landmarks=bob.landmarks), bob) for name in ("uniform", "event"))
    assert f"from {metres(uniform.mean_error_m)} to {metres(event.mean_error_m)}" in flat
    assert f"spend {amount(float(event.totals.max()))} together" in flat
    assert f"up to {bound(float(event.total.max()))} about one timestamp" in flat
    commuter = sample("commuter")
    choices = Scenario(track="commuter", scheme="event", epsilon=0.69, correlation="none", landmarks=commuter.landmarks)
    doubled, chained = (evaluate(choices.with_changes(correlation=name), commuter) for name in ("none", "moderate"))
    promised = r"the odds of[^,]*, between two places 200 m apart, by a factor of at most (\S+)\. "
    factors = re.findall(promised, describe(doubled).paragraph)
    assert factors == ["2"] and "by a factor of at most 2, for anyone" in flat
    assert "chain" not in describe(doubled).paragraph.replace("whatever the chain", "")
    more = re.search(
        r"between places in two cells change by a factor of at most (\S+) for", describe(chained).paragraph
    )
    assert more and f"the odds between places in two cells change by a factor of up to {more[1]}. " in flat
    assert flat.count("the place within a cell drawn anew at every timestamp") == 2, "with every number of a chain"
    assert f"are {metres(doubled.median_error_m)} or more from the truth" in flat
    there = main_place_of(commuter)
    assert there.home
    assert found_within(doubled.budgets[there.members], 200) < 20
    assert "finds the home to within 20 m or less in half of all releases" in flat
    for false in ("knows how places follow", "knows how people move"):
        assert false not in flat
    space: dict[str, Any] = {}
    block = re.findall(r"```python\n(.*?)```", text, re.S)[0].rstrip()
    exec(block, space)
    shown = eval(block.splitlines()[-1], space)
    losses = {name: float(text.rpartition(" ")[2]) for name, text in shown.items()}
    page = settings_table(Scenario(landmarks=commuter.landmarks), commuter, epsilons=[1], radii_m=[200])
    told = dict(zip(page.scheme, page.pair_loss, strict=True))
    assert losses == pytest.approx(told, abs=0.005) and losses["uniform"] == 3.21, "as the page says it"
    assert shown["event"] == "mean error 396 m, largest what-if loss 5.78" and "planned" in shown
    assert {"settings_table", "defences"} <= space.keys(), "the text calls them"
    assert len(space["outcomes"]) == len(SCHEMES) and len(space["outcomes"]["uniform"].to_frame()) == len(commuter)


def test_whoever_looks_for_a_privacy_zone_finds_the_way() -> None:
    """The words of the question, and those of each step on the page."""
    flat = " ".join(README.read_text("utf-8").split())
    question = flat[flat.index("privacy zone") :][:400]
    assert '"Compare", "What is done today", 500' in question and "docs/practices.md" in question
    assert TITLE.startswith("What is done today: privacy zones")
    assert ALL in question and "make explore TRACK=" in flat


def test_every_source_is_named_once() -> None:
    sources = (DOCS / "sources.md").read_text("utf-8")
    named = re.findall(r"[A-Z][^.;:]*, (?:CODASPY|VLDB|ICDE|CCS|TODS|SIGMOD|Allerton|IJUFKS|GIS|S&P) \d{4}", sources)
    assert len(named) >= 11 and len(set(named)) == len(named)
    assert sources.count("Markov quilt mechanism") == 1
