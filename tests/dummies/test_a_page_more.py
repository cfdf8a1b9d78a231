"""A page more is one folder, one line, what draws it and its test: one is added to a copy, built and used in a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.dummies.copied import ROOT, Copy

MODULE = '''"""A page of a test: how likely a die shows its highest side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.fields import whole
from lmdk_widgets.page.history import State
from lmdk_widgets.page.session import Session
from lmdk_widgets.page.what_if import RecordablePage


@dataclass(frozen=True)
class Dice(Choices):
    """What a user chooses."""

    PAGE: ClassVar[str] = "dice"

    sides: int = whole(6, (2, 100), label="Sides", group="The die")


class DiceSession(Session):
    """The die of the page."""

    def __init__(self, choices: Dice | None = None) -> None:
        super().__init__(State(choices or Dice(), None))

    def evaluate(self, choices: Dice, _data: Any) -> tuple[Dice, float]:
        return choices, 1 / choices.sides

    def python(self) -> str:
        return f"from lmdk_widgets.pages.dice.page import Dice\\n\\nDice({self.choices.sides})"


class DicePage(RecordablePage):
    """A die."""

    MODULE: ClassVar[str] = "dice.js"
    TITLE: ClassVar[str] = "How likely is the highest side?"
    SESSION = DiceSession

    def _text(self, outcome: tuple[Dice, float]) -> Message:
        said = f"The highest of {outcome[0].sides} sides shows with a chance of {100 * outcome[1]:.3g} %."
        return {"words": {"paragraph": said, "warnings": [], "assumption": "The die is fair."}}

    def _drawings(self, outcome: tuple[Dice, float]) -> Iterator[Drawing]:
        yield Drawing("draw", (outcome,), {"sides": outcome[0].sides}, {"chance": np.array([outcome[1]])})
'''
SCRIPT = """// The page of a test: a die as a row of marks.
import { h } from "../page/dom.js";
import { LabPage, pageOf } from "../page/lab.js";

const SAVES = { note: "Nothing here is of anyone.", items: [["Copy as Python", "python"]] };

class DicePage extends LabPage {
  build() {
    this.marks = this.columns().views.appendChild(h("p", { class: "lmdk-marks" }));
  }

  async draw({ sides }) {
    this.marks.textContent = "•".repeat(sides);
  }
}

export default pageOf(DicePage, { name: "dice", css: "", saves: SAVES });
"""
TEST = '''"""The chance of the highest side."""

from lmdk_widgets.pages.dice.page import Dice, DiceSession


def test_the_chance() -> None:
    assert DiceSession(Dice(4)).outcome[1] == 0.25
'''
WALK = """
import sys
from pathlib import Path

import lmdk_widgets
from lmdk_widgets.hosts.page_list import CAN
from lmdk_widgets.hosts.site.pages import first_state
from tests.browser import browser, page
from tests.server import serve

assert Path(lmdk_widgets.__file__).is_relative_to(sys.argv[1])
words = [message["words"] for message, _ in first_state("dice")["messages"] if message["type"] == "numbers"]
assert CAN[-1] == "dice" and words[0]["paragraph"].startswith("The highest of 6 sides"), words
with serve() as address, browser() as chromium, page(chromium) as tab:
    tab.goto(f"{address}?page=dice&sides=8")
    tab.get_by_text("The highest of 8 sides shows with a chance of 12.5 %.").wait_for()
    tab.get_by_text("••••••••", exact=True).wait_for()
    tab.get_by_role("heading", name="How likely is the highest side?").wait_for()
    sides = tab.get_by_label("Sides").first
    sides.fill("4")
    sides.press("Enter")
    tab.get_by_text("The highest of 4 sides shows with a chance of 25 %.").wait_for()
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_text("The highest of 8 sides").wait_for()
    tab.locator("[data-page=table]").click()
    tab.get_by_text("What protects people in published data?").first.wait_for()
    tab.locator("[data-page=dice]").click()
    tab.get_by_text("The highest of 8 sides").wait_for()
"""


@pytest.mark.nightly
@pytest.mark.browser
def test_a_page_more_is_one_folder_one_line_and_what_draws_it(tmp_path: Path) -> None:
    copy, pages = Copy(tmp_path), "lmdk_widgets/hosts/page_list.py"
    shutil.copytree(ROOT / "frontend", tmp_path / "frontend", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    copy.new("lmdk_widgets/pages/dice/page.py", MODULE)
    copy.insert(pages, '    "dice": ("Dice", ""),\n', "    LESSONS: (")
    copy.new("frontend/src/dice/page.js", SCRIPT)
    copy.new("tests/pages/test_dice.py", TEST)
    copy.follows("Add a page", "dice", most=4)
    build = "import sys; sys.path.insert(0, 'frontend'); from npm import npm; from pathlib import Path\n"
    copy.run("-c", f"{build}npm(Path('frontend'), 'run', '--silent', 'build')")
    copy.run("-c", WALK, str(tmp_path))
    copy.run(
        "-m",
        "pytest",
        "-q",
        "tests/pages/test_dice.py",
        "tests/test_ground.py",
        "-k",
        "dice or pages or rooms or circle",
    )
