"""What the documents say that links, settings and files hold of a user's own, against what they hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lmdk_widgets import Explorer, PlacesLab
from lmdk_widgets.answers.by_distance import loss_name
from lmdk_widgets.answers.odds import most_told
from lmdk_widgets.budgets import SCHEMES as SPREADS
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import to_query
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.track.files import FOR_YOU
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.study.measures import MEASURES
from lmdk_widgets.sweep.many_settings import NAMES
from lmdk_widgets.trajectory import sample
from tests.hosts.widget.test_reports import text_of

ROOT = Path(__file__).parents[1]
SAID = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "lmdk_widgets").rglob("*.py")]
MOVED = PlaceChoices(rows=2, columns=2, prior="painted", other="uniform", painted=(1.5, 2.5, 3.5, 4.5)).with_changes(
    latitude=37.7312459, longitude=-122.4186753
)
OWN = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,37.73{m:02d},-122.41{m:02d}\n" for m in range(30))


def words(path: Path) -> str:
    return " ".join(path.read_text("utf-8").split())


@pytest.mark.parametrize(
    "false",
    [
        "no link, log or saved setting holds a coordinate",
        "none holds a true coordinate",
        "spends no budget twice",
        "It holds settings, never a coordinate",
        "the times and the marked timestamps, and nothing else",
        "In nine of ten releases",
        "only many together are informative",
        "may more than double any odds",
    ],
)
def test_what_was_not_true_stands_nowhere(false: str) -> None:
    assert [path.name for path in SAID if false in words(path)] == []


def test_names_in_files_are_told_with_those_of_the_page() -> None:
    section = (ROOT / "docs" / "promises.md").read_text("utf-8").split("## Names in files and on the page")[1]
    told = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", section, re.M))
    schemes = {name: spread.title for name, spread in SPREADS.items() if name in told}
    assert schemes == {name: told[name] for name in ("planned", "best-plan", "given")}
    assert set(told) - set(schemes) <= set(NAMES) & set(MEASURES)
    outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    none = evaluate(Scenario(landmarks=(0, 2, 4, 7), correlation="none"), sample("bob"))
    assert told["pair_loss"].startswith(f"{loss_name(none)}, or {loss_name(outcome)} where a chain is assumed")
    assert 2 * float(outcome.total.max()) < most_told(outcome), "far below, as the table says"
    assert "links and saved settings count them from 0" in section and "`scheme_title`" in section
    assert "scheme_title" in NAMES
    assert "landmarks=0.2.4.7" in to_query(Scenario(landmarks=(0, 2, 4, 7))), "and so does a link"


def test_a_report_to_share_shows_settings_which_may_say_something() -> None:
    report = words(ROOT / "docs" / "take_away.md").split("### Two reports")[1].split("###")[0]
    assert "that release, the times and the marked timestamps. It also shows the settings as they are." in report
    assert "may say something about the track too" in report


def test_a_moved_grid_is_in_what_is_saved_and_in_no_link() -> None:
    page = PlacesLab(MOVED)
    session, report = page.session, page.report().data.decode()
    saved = [session.settings(), session.python(), session.program()]
    assert all("37.7312459" in text and "-122.4186753" in text and "4.5" in text for text in saved)
    assert len(re.findall(r"37\.73\d+", text_of(report))) == 3  # the settings, the Python and the JSON
    link = session.link
    assert not re.search(r"37\.|122\.|[1-4]\.5", link.query) and "where the grid lies" in link.left_out
    text = words(ROOT / "docs" / "own_data.md")
    assert "No link and no log contains a coordinate" in text
    assert "the settings, the copied Python and the report say where the grid is" in text


def test_the_settings_and_the_link_of_a_track_hold_no_coordinate() -> None:
    page = Explorer(scenario=Scenario(track="", landmarks=()), trajectory=None)
    page.session.load(OWN.encode(), "walk.csv")
    for text in (page.session.settings(), page.session.link.query, page.session.program()):
        assert "37.7" not in text and "122.4" not in text


def test_the_documents_name_the_files_that_are_for_their_owner() -> None:
    text = words(ROOT / "docs" / "take_away.md")
    assert "are for you alone" in text and "a true place can be computed" in text
    page = Explorer()
    page.session.load(OWN.encode(), "walk.csv")
    assert FOR_YOU.replace(", ", "-").replace(" ", "-") in page.session.save("table").name
    assert "for-you" in page.report().name and "for-you" not in page.session.save("csv").name


def test_the_ledger_helps_an_honest_owner(tmp_path: Path) -> None:
    """It refuses data that it knows, and does not know the same track in another spelling: that is all that is said of it."""
    ledger = Ledger(tmp_path / "ledger.json")
    assert ledger.spend(b"48.85,2.35", {"epsilon": 1}).of_these_data == 1
    with pytest.raises(InputError):
        ledger.spend(b"48.85,2.35", {"epsilon": 1})
    assert "a ledger that helps an honest owner" in words(ROOT / "README.md")
