"""A panel more is one module, one line and its test: one is added to a copy and used as a plain page and in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dummies.copied import Copy

MODULE = '''"""A panel of a test: what halving epsilon again and again does to the mean error."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.blocks import Block, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag, whole
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.outcome import Outcome


@dataclass(frozen=True)
class HalvingChoices(Choices):
    """Halve epsilon so many times."""

    open: bool = flag(False, "What does half of epsilon cost?")
    times: int = whole(3, (1, 20), "Halvings")


class Halving(Panel):
    NAME = "halving"
    FOLD = HalvingChoices
    FILES: ClassVar = {"halvings": lambda choices, outcome: _table(outcome).csv(note=NOTE)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: HalvingChoices = choices.halving
        return (asked, outcome.scenario.released, outcome.trajectory) if asked.open else None

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Any]:
        rows: tuple[tuple[float, float], ...] = ()
        for k in range(1, choices.halving.times + 1):
            one = outcome.scenario.with_changes(epsilon=outcome.scenario.epsilon / 2**k, average=False)
            rows = (*rows, (one.epsilon, evaluate(one, outcome.trajectory).mean_error_m))
            yield rows

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        done, times = len(_rows(outcome)), choices.halving.times
        return Progress(f"Halving epsilon: {done} of {times} are done.", done / times)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return f"after {len(_rows(outcome))} of {choices.halving.times} halvings"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        if rows := _rows(outcome):
            yield Text(f"Half of epsilon makes the mean error {rows[0][1] / outcome.mean_error_m:.3g} times as large.")
            yield _table(outcome)


def _rows(outcome: Outcome) -> tuple[tuple[float, float], ...]:
    return outcome.found(Halving.NAME) or ()


def _table(outcome: Outcome) -> Table:
    write = outcome.ground.write
    columns = (Column("epsilon", "epsilon", "{:.4g}".format), Column("error_m", "mean error", write, "right"))
    return Table("Epsilon halved", columns, _rows(outcome))
'''
TEST = '''"""Half of epsilon, twice the error."""

import pytest

from tests.landmark_choices import chosen, finished


def test_each_halving_doubles_the_error() -> None:
    outcome = finished(chosen(halving__open=True, halving__times=2, average=False))
    (half, twice), (quarter, four_times) = outcome.found("halving")
    assert (half, quarter) == (outcome.scenario.epsilon / 2, outcome.scenario.epsilon / 4)
    assert [twice, four_times] == pytest.approx([2 * outcome.mean_error_m, 4 * outcome.mean_error_m])
'''
PLAIN = """
import csv, io, sys
from pathlib import Path

import lmdk_widgets
from lmdk_widgets.page import core
from lmdk_widgets.pages.track.files import choices_from_json
from lmdk_widgets.pages.track.page import TrackPage

assert Path(lmdk_widgets.__file__).is_relative_to(sys.argv[1])
core.BETWEEN_S = 0.0  # every step is told
sent, cancel_at = [], ["Halving epsilon: 1 of 3 are done."]


def send(message, buffers=()):
    sent.append((message, buffers))
    if message["type"] == "numbers" and message["work"]["text"] in cancel_at:
        cancel_at.clear()
        page.receive({"type": "cancel"})


def told():
    return [message for message, _ in sent if message["type"] == "numbers"]


def change(*operations):
    page.receive({"type": "change", "id": len(sent), "view": "a", "operations": list(operations)})


page = TrackPage(send=send)
page.receive({"type": "ready", "view": "a"})
options = next(message for message, _ in sent if message["type"] == "options")
fold = next(fold for fold in options["folds"] if fold["name"] == "halving")
assert (fold["title"], fold["place"], fold["bare"]) == ("What does half of epsilon cost?", "compare", False)
assert fold["fields"] == ["halving.times"] and fold["files"] == [["halvings", "Halvings as CSV"]]
assert "halving" not in told()[-1]["folds"]
change({"op": "set", "name": "average", "value": False}, {"op": "set", "name": "halving.open", "value": True})
assert told()[-1]["busy"] and told()[-1]["work"] == {"text": "Halving epsilon: 0 of 3 are done.", "share": 0.0}
page.finish()  # cancelled after the first
assert told()[-1]["work"]["text"] == "Cancelled after 1 of 3 halvings." and not told()[-1]["busy"]
assert len(told()[-1]["folds"]["halving"][1]["shown"]["rows"]) == 1
page.receive({"type": "resume"})
page.finish()
words, table = told()[-1]["folds"]["halving"]
assert words == {"kind": "text", "shown": "Half of epsilon makes the mean error 2 times as large."}
assert table["kind"] == "table" and [row[0] for row in table["shown"]["rows"]] == ["0.5", "0.25", "0.125"]
assert {f"Halving epsilon: {k} of 3 are done." for k in (1, 2, 3)} <= {message["work"]["text"] for message in told()}

change({"op": "set", "name": "halving.times", "value": 2})
page.finish()
assert len(told()[-1]["folds"]["halving"][1]["shown"]["rows"]) == 2
link = told()[-1]["link"]
assert "halving.open=1" in link and "halving.times=2" in link, link
linked = TrackPage(query="?" + link)
assert linked.session.choices == page.session.choices == choices_from_json(page.session.settings())
page.receive({"type": "save", "what": "halvings", "view": "a"})
message, (content,) = sent[-1]
assert message["type"] == "file" and message["name"].endswith(".csv")
heads, *rows = csv.reader(io.StringIO(bytes(content).decode()))
assert heads == ["epsilon", "error_m", "note"] and [row[0] for row in rows] == ["0.5", "0.25"]
report = page.report().data.decode()
assert "What does half of epsilon cost?" in report and "<caption>Epsilon halved</caption>" in report
change({"op": "undo"})
page.finish()
assert page.session.choices["halving.times"] == 3 and len(told()[-1]["folds"]["halving"][1]["shown"]["rows"]) == 3
change({"op": "undo"})
assert not page.session.choices["halving.open"] and "halving" not in told()[-1]["folds"]
assert "What does half of epsilon cost?" not in page.report().data.decode()
change({"op": "set", "name": "halving.times", "value": 21})
assert sent[-1][0]["type"] == "refused" and "21" in sent[-1][0]["text"]
"""
WALK = """
import sys
from pathlib import Path

import lmdk_widgets
from tests.browser import browser, page
from tests.server import serve

assert Path(lmdk_widgets.__file__).is_relative_to(sys.argv[1])
with serve() as address, browser() as chromium, page(chromium, accept_downloads=True) as tab:
    tab.goto(f"{address}?page=track&average=0")
    tab.locator("[data-tab=compare]").click()
    fold = tab.locator("details[data-panel=halving]")
    fold.get_by_text("What does half of epsilon cost?").click()
    fold.get_by_text("Half of epsilon makes the mean error 2 times as large.").wait_for()
    fold.get_by_role("cell", name="km").or_(fold.get_by_role("cell", name="m")).nth(2).wait_for()
    assert fold.locator("tbody tr").count() == 3
    assert fold.get_by_role("region", name="Epsilon halved").first.is_visible()
    times = fold.get_by_label("Halvings")
    times.fill("2")
    times.press("Enter")
    tab.wait_for_function("document.querySelectorAll('[data-panel=halving] tbody tr').length === 2")
    with tab.expect_download() as saved:
        fold.get_by_role("button", name="Halvings as CSV").click()
    assert "0.25" in Path(saved.value.path()).read_text("utf-8")
    if len(sys.argv) > 2:
        fold.scroll_into_view_if_needed()
        tab.screenshot(path=sys.argv[2], full_page=True)
    tab.get_by_role("button", name="Undo").click()
    tab.wait_for_function("document.querySelectorAll('[data-panel=halving] tbody tr').length === 3")
    fold.get_by_text("What does half of epsilon cost?").click()
    tab.wait_for_function("document.querySelectorAll('[data-panel=halving] tbody tr').length === 0")
    tab.goto(f"{address}?page=track&halving.open=1&halving.times=1")
    tab.wait_for_function("document.querySelectorAll('[data-panel=halving] tbody tr').length === 1")
"""


def with_panel(folder: Path) -> Copy:
    """A copy of the tree in which the recipe was followed."""
    copy, choices = Copy(folder), "lmdk_widgets/pages/track/choices.py"
    copy.new("lmdk_widgets/pages/track/halving.py", MODULE)
    imported = "from lmdk_widgets.pages.track.halving import Halving, HalvingChoices\n"
    copy.insert(choices, imported, "from lmdk_widgets.pages.track.inverse import")
    copy.insert(choices, "            Halving(),\n", "            Inverse(),")
    copy.insert(choices, "    halving: HalvingChoices = group(HalvingChoices)\n", "    inverse: InverseChoices")
    copy.new("tests/pages/track/test_halving.py", TEST)
    copy.follows("Add a panel", "halving", most=3)
    return copy


@pytest.mark.nightly
@pytest.mark.browser
def test_a_panel_more_is_one_module_and_its_lines(tmp_path: Path) -> None:
    copy = with_panel(tmp_path)
    copy.run("-c", PLAIN, str(tmp_path))
    ground = ("tests/test_ground.py", "-k", "halving or rooms or circle or small")
    copy.run("-m", "pytest", "-q", "tests/pages/track/test_halving.py", *ground)
    copy.run("-c", WALK, str(tmp_path))
