"""Copied Python, run in a process of its own, computes every sentence, table and chart of its page again."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from lmdk_widgets import FoundationsLab, PeopleLab, PlacesLab, QuiltLab
from lmdk_widgets.pages.people import PeopleChoices
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices

OWN = "30;Paris;flu\n31;Paris;flu\n31;Rome;cold\n"
TOLD = """
import json
shown = [[p.name, p.title, p.figure, p.summary] for p in page.pictures()]
print("TOLD", json.dumps({"text": page.text(), "pictures": shown}, default=float))
"""
LABS = {
    "place": lambda: PlacesLab(PlaceChoices(rows=3, columns=2, prior="uniform", mechanism="spanner", level=0.7)),
    "painted": lambda: PlacesLab(
        PlaceChoices(rows=2, columns=2, prior="painted", painted=(1, 4, 0, 2), click="report")
    ),
    "series": lambda: QuiltLab(SeriesChoices(source="binary", length=50, seed=7, epsilon=1.25)),
    "table": lambda: FoundationsLab(TableChoices(levels=(4, 2), attack="homogeneity")),
    "noise": lambda: FoundationsLab(TableChoices(part="noise", mechanism="geometric", seed=3)),
    "stream": lambda: FoundationsLab(TableChoices(part="stream", level="landmark", landmarks=(2, 9), seed=4)),
    "adding": lambda: FoundationsLab(TableChoices(part="adding", correlated=True)),
    "sums": lambda: FoundationsLab(TableChoices(part="sums", query="quantile", far=40.0, seed=4)),
    "sequence": lambda: FoundationsLab(TableChoices(part="sequence", remedy="classes")),
    "people": lambda: PeopleLab(PeopleChoices(epsilon=0.5, most_percent=10)),
}
ONE_EACH = ("place", "series", "table", "people")


def plain(lab: Any) -> dict[str, Any]:
    """The page as plain values, as the program of a test prints them."""
    text = lab.text()  # which computes everything first
    shown = [[p.name, p.title, p.figure, p.summary] for p in lab.pictures()]
    return json.loads(json.dumps({"text": text, "pictures": shown}, default=float))


def run(program: str, folder: Any) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in ONE_EACH else pytest.mark.nightly) for name in LABS]
)
def test_the_program_computes_the_page_again(name: str, tmp_path: Any) -> None:
    lab = LABS[name]()
    here = plain(lab)
    printed, _, told = run(lab.session.program() + TOLD, tmp_path).partition("TOLD ")
    there = json.loads(told)
    assert there["text"] == here["text"]
    assert there["pictures"] == here["pictures"]
    assert all(part in printed for part in here["text"]["words"]["paragraph"].split("\n\n"))
    answers = [f"{a['name']}: {a['value']} ({a['short']})" for a in here["text"]["answers"]]
    assert printed.splitlines()[: len(answers)] == answers and len(answers) == 3
    assert "{'" not in printed and "[{" not in printed, "no line is a dictionary"


def test_a_program_says_what_counts_from_0_in_it() -> None:
    """The page counts timestamps and hours from 1."""
    said = "# Counted from 0 here, and from 1 on the page: "
    stream = FoundationsLab(TableChoices(part="stream", level="landmark", landmarks=(2, 9))).session
    series = QuiltLab(SeriesChoices(source="binary", length=50, node=7, a_first=3)).session
    for text in (stream.program(), stream.python()):
        assert f"{said}landmarks.\n" in text
    for text in (series.program(), series.python()):
        assert f"{said}timestamp, start of A.\n" in text
    assert said not in QuiltLab().session.program()


@pytest.mark.long
def test_a_table_of_ones_own_is_read_from_its_path(tmp_path: Any) -> None:
    (tmp_path / "people.csv").write_text("age;city;illness\n" + OWN)
    lab = FoundationsLab(TableChoices(table="own", quasi=(0, 1), sensitive=2), table=tmp_path / "people.csv")
    program = lab.session.program()
    assert "table='people.csv'" in program and "flu" not in program
    assert lab.text()["words"]["paragraph"] in run(program, tmp_path)
