"""The page of released counts checks a file as the command does, and notices what was changed afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lmdk_widgets.geo import Region
from lmdk_widgets.population.contributions import Counting
from lmdk_widgets.population.counts_release import NAMES, Plan, check_counts, received_counts, release_counts_of_people
from lmdk_widgets.population.together import bring_together
from lmdk_widgets.secure.folder import digest_of
from lmdk_widgets.secure.ledger import Ledger
from tests.browser import browser, page
from tests.population.crowds import crowd
from tests.secure.test_guarantee_page import in_node

SOURCE = Path(__file__).parents[2] / "frontend" / "src" / "guarantee" / "counts.js"
RUN = """
import { readFileSync } from "node:fs";
const { checkedCounts } = await import(process.argv[1]);
const given = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(given.map(([told, text]) => checkedCounts(told, text))));
"""
REGION = Region(48.75, 2.25, 49.0, 2.5)
DATE_LINE = Region(-10.0, 179.0, 10.0, -179.0)


def plans() -> list[Plan]:
    """Every kind of counts, by weeks and by days, one region across the date line."""
    of = {
        what: Counting(REGION, 8_000.0, "2026-01-05", "2026-01-12", 24, False, what, "Europe/Paris")
        for what in ("presence", "trips", "dwell")
    }
    weekly = Counting(REGION, 8_000.0, "2026-01-05", "2026-01-19", 12, True)
    short = Counting(DATE_LINE, 90_000.0, "2026-03-29", "2026-03-30", 3)
    made = [Plan(counting, "user", 0.8, most=3) for counting in (*of.values(), weekly, short)]
    return [*made, Plan(of["presence"], "event", 2.0), Plan(of["trips"], "budget-absorption", 1.0, window=2)]


def released(folder: Path, plan: Plan) -> tuple[dict, str]:
    """The guarantee and the text of a release."""
    rows, ledger = bring_together(crowd(4, most=40, seed=2)), Ledger(folder.parent / "l.json")
    release_counts_of_people(rows, plan, folder, ledger, again=True)
    return json.loads((folder / NAMES[0]).read_text("utf-8")), (folder / NAMES[-1]).read_text("utf-8")


def changed(text: str) -> dict[str, str]:
    """What may have happened to a file on its way."""
    heading, *rows = text.removesuffix("\n").split("\n")
    first, last = rows[0], rows[-1]

    def write(lines: list[str]) -> str:
        return "\n".join([heading, *lines]) + "\n"

    half = len(rows) // 2
    return {
        "one more": write([first + "0", *rows[1:]]),
        "missing": write(rows[1:]),
        "swapped": write([last, *rows[1:-1], first]),
        "twice": write([first, *rows]),
        "cut": write(rows[:half]),
        "no number": write([first.rpartition(",")[0] + ",", *rows[1:]]),
        "a fraction": write([first + ".5", *rows[1:]]),
        "another place": write([row.replace(",48.", ",58.").replace(",2.", ",3.") for row in rows]),
        "other lines": text.replace("\n", "\r\n"),
        "empty": "",
        "heading only": heading + "\n",
        "heading": "x" + text,
        "place": write([row.replace(row.split(",")[1], rows[-1].split(",")[1], 1) for row in rows]),
    }


def test_the_page_checks_as_the_command_does(tmp_path: Path) -> None:
    """Statement by statement, in the same words, of each kind of counts and of each change."""
    given, names = [], []
    for k, plan in enumerate(plans()):
        told, text = released(tmp_path / f"{k}", plan)
        for name, file in {"": text, **changed(text)}.items():
            given.append((told, file))
            names.append((k, name))
    found = in_node(RUN, [SOURCE.as_uri()], given)
    for (told, text), lines, name in zip(given, found, names, strict=True):
        own = [{"holds": holds, "text": said} for holds, said in received_counts(told, text)]
        assert lines == own, name
        if name[1] == "":
            assert [line["holds"] for line in lines] == [True] * 5 + [None], (name, lines)
        elif text != given[names.index((name[0], ""))][1]:
            assert lines[0]["holds"] is False, (name, "the digest is another")


def test_a_file_with_a_digest_of_its_own_must_still_have_the_public_rows(tmp_path: Path) -> None:
    """Somebody who changes the digest in both files is noticed by the rows, not only by the digest."""
    told, text = released(tmp_path / "a", plans()[0])
    noticed = {}
    for name, file in changed(text).items():
        lines = received_counts({**told, "release_sha256": digest_of(file)}, file)
        assert lines[0][0]
        noticed[name] = not all(holds is not False for holds, _ in lines)
    unseen = [name for name, seen in noticed.items() if not seen]
    assert unseen == ["one more", "place"], "a count is noise, whatever it is; cells are known to the command only"
    files = {NAMES[0]: json.dumps({**told, "release_sha256": digest_of(changed(text)["place"])}, indent=1) + "\n"}
    for name, file in {**files, NAMES[-1]: changed(text)["place"]}.items():
        (tmp_path / "a" / name).write_text(file)
    (cells,) = [holds for holds, said in check_counts(tmp_path / "a") if "for each public cell" in said]
    assert cells is False


def test_the_command_says_it_too(tmp_path: Path) -> None:
    told, text = released(tmp_path / "a", plans()[0])
    lines = check_counts(tmp_path / "a")
    for one in received_counts(told, text):
        assert one in lines
    file = tmp_path / "a" / NAMES[1]
    file.write_text(file.read_text("utf-8").replace("In words", "In other words", 1))
    assert [said for holds, said in check_counts(tmp_path / "a") if holds is False] == [
        "guarantee.html shows what follows from these numbers, and nothing else."
    ]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_a_recipient_has_the_file_checked_on_the_page(tmp_path: Path, width: int, dark: bool) -> None:
    _, text = released(tmp_path / "a", plans()[0])
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(changed(text)["missing"])
    with browser() as chromium, page(chromium, width=width, dark=dark) as shown:
        shown.goto((tmp_path / "a" / NAMES[1]).as_uri())
        shown.set_input_files("input[type=file]", tmp_path / "a" / NAMES[-1])
        shown.get_by_text("release.csv has the digest that the guarantee states.").wait_for()
        verdicts = [line.split(":")[0] for line in shown.locator("#found li").all_inner_texts()]
        assert verdicts == ["Holds"] * 5 + ["Cannot be checked"] * 2
        shown.set_input_files("input[type=file]", wrong)
        shown.get_by_text("DOES NOT HOLD").first.wait_for()
        assert shown.locator("#found .not").count() >= 2
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
