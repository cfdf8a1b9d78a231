"""The verdict on the page: first, from the answers that are there, changed where it is read; and in no file to share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import programs
from lmdk_widgets.page.link import from_query
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.files import choices_from_json, choices_json
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.verdict import LOOKING, VERDICT
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory.samples import sample_data
from lmdk_widgets.verdict import Limits, verdict
from lmdk_widgets.verdict.sentences import INVERSE, MEETS, MISSES, NOT_HERE, UNSET

NEAR = "time,latitude,longitude\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,48.8{m:02d},2.35\n" for m in range(10, 40))
CHOSEN = {"limits.found_m": 123.0, "limits.guesses": 60.0, "limits.useful_share": None}

built = pytest.mark.skipif(not (programs.STATIC / "report.js").exists(), reason="the package is not built")


def page_of(**changes: Any) -> TrackPage:
    page = TrackPage()
    page.show(page.session.choices.with_changes(**changes))
    return page


def told(page: TrackPage) -> dict[str, Any]:
    found: dict[str, Any] = page._text(page.outcome)["verdict"]
    return found


@pytest.mark.long
def test_the_page_says_what_programs_say() -> None:
    page = TrackPage()
    page.session.apply([{"op": "set", "name": "track", "value": "commuter"}], commit=True)
    page._shown({})
    page.finish()
    shown, commuter = told(page), sample_data("commuter")
    found = verdict(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    assert " ".join([shown["lead"], shown["why"], shown["help"], shown["cost"]]) == found.sentence
    assert shown["reasons"] == list(found.reasons) and shown["look"] == "misses"
    assert [take["text"] for take in shown["takes"]] == ["Use epsilon 0.463", "Leave out ten lasting places"]
    assert all("but" in take["said"] and not take["star"] for take in shown["takes"])


@pytest.mark.long
def test_it_waits_for_the_reader_and_says_so() -> None:
    page = page_of(scheme="user")
    assert told(page)["lead"] == "Not decided yet." and "being computed" in told(page)["why"]
    page.finish()
    shown = told(page)
    assert shown["lead"] == MISSES and LOOKING not in shown["help"]


def test_a_miss_is_said_before_it_is_known_what_helps() -> None:
    page = page_of(scheme="event", epsilon=5.0)
    shown = told(page)
    assert shown["lead"] == MISSES and shown["help"] == LOOKING and not shown["takes"]


def test_a_proposal_is_taken_in_one_step_and_undone_in_one() -> None:
    page = page_of(scheme="event", epsilon=5.0)
    page.finish()
    before = page.session.choices
    (take, *_) = told(page)["takes"]
    assert take["text"].startswith("Use epsilon ")
    page.session.apply([{"op": "take", "k": 0}], commit=True)
    page._shown({})
    page.finish()
    assert page.session.scenario.epsilon == float(take["text"].removeprefix("Use epsilon "))
    assert told(page)["lead"] == MEETS and told(page)["takes"] == []
    page.session.apply([{"op": "undo"}], commit=True)
    assert page.session.choices == before


def test_a_proposal_of_earlier_settings_is_refused() -> None:
    page = page_of()
    page.finish()
    for k in (0, -1, "0"):
        with pytest.raises(InputError, match="earlier settings"):
            page.session.apply([{"op": "take", "k": k}], commit=True)


def test_limits_are_choices_like_all_others() -> None:
    choices = TrackChoices().with_changes(**CHOSEN)
    assert choices_from_json(choices_json(choices)) == choices
    page = page_of(**CHOSEN)
    query = page.session.link.query
    assert "limits.found_m=123" in query and "limits.useful_share=none" in query and "verdict" not in query
    read = from_query(query, TrackChoices)
    assert all(name in read for name in CHOSEN)
    again = TrackPage(query=query)
    assert again.session.choices.limits == page.session.choices.limits
    page.session.apply([{"op": "set", "name": "limits.guesses", "value": None}], commit=True)
    assert page.session.choices.limits.guesses is None
    page.session.apply([{"op": "undo"}], commit=True)
    assert page.session.choices.limits.guesses == 60.0


def test_without_limits_nothing_is_looked_for() -> None:
    page = page_of(**{"limits.found_m": None, "limits.useful_share": None})
    page.finish()
    assert told(page)["lead"] == UNSET and "limits" not in page.outcome.results


def test_a_slider_costs_no_search() -> None:
    """The text of a change computes nothing for the verdict: what would help is looked for afterwards."""
    page = page_of(scheme="event", epsilon=5.0)
    assert page.outcome.results["limits"].found is None and not page.outcome.results["limits"].done
    page.finish()
    searched = page.outcome.results["limits"]
    page.show(page.session.choices.with_changes(utc=True))
    assert page.outcome.results["limits"] is searched, "what only affects display keeps it"


def test_a_limit_in_metres_does_not_stay_with_a_series() -> None:
    page = page_of(**{"limits.found_m": 5000.0})
    page.session.apply([{"op": "set", "name": "track", "value": "household"}], commit=True)
    assert page.session.choices.limits.found_m == "radius"
    assert page._text(page.outcome)["units"]["limits.found_m"] == "kWh"


def test_the_copied_program_prints_it_first(capsys: pytest.CaptureFixture[str]) -> None:
    page = page_of(**{"limits.guesses": 60.0})
    program = page.session.program()
    assert "from lmdk_widgets.verdict import Limits, verdict\n" in program
    exec(compile(program, "program", "exec"), {})
    first = capsys.readouterr().out.split("\n")[0]
    page.finish()
    assert first == verdict(page.outcome, Limits(guesses=60.0)).sentence
    assert "verdict(outcome).sentence" in page_of().session.program()


def test_a_static_copy_begins_with_it() -> None:
    page = page_of()
    page.finish()
    assert page.static_copy().lines[0].startswith(MEETS)
    assert VERDICT not in "".join(page.static_copy().more), "it is not said twice"


# -- files ------------------------------------------------------------------------------------------------------------


@built
def test_it_is_first_in_the_report_for_you_and_not_in_one_to_share(tmp_path: Path) -> None:
    own = tmp_path / "mine.csv"
    own.write_text(NEAR)
    explorer = Explorer(own, scheme="event", epsilon=5.0)
    explorer.finish()
    found = explorer.page.session
    mine = explorer.report().data.decode()
    lead = mine.index(MISSES)
    assert lead < mine.index("The answers") and INVERSE in mine
    shared = explorer.report(to_hand_on=True).data.decode()
    assert NOT_HERE in shared and shared.index(NOT_HERE) < shared.index("The answers")
    for said in (MISSES, MEETS, "you asked for", INVERSE):
        assert said not in shared
    what_if = found.what_if(truth=True)
    assert what_if.state.choices.limits.shown is False
    explorer.close()


@pytest.mark.parametrize("truth", [False, True])
def test_a_recorded_file_has_no_verdict(truth: bool) -> None:
    page = page_of(scheme="event", epsilon=5.0)
    source = page.session.what_if(truth=truth)
    shown = TrackPage.showing(source.state)
    shown.finish()
    text = json.dumps(shown._text(shown.outcome))
    assert NOT_HERE in text and MISSES not in text and "limits" not in shown.outcome.results


def test_no_table_map_or_link_contains_it(tmp_path: Path) -> None:
    own = tmp_path / "mine.csv"
    own.write_text(NEAR)
    explorer = Explorer(own, scheme="event", epsilon=5.0)
    explorer.finish()
    session = explorer.page.session
    cards = session.save("cards").data.decode().splitlines()
    assert cards[0].endswith("scheme_title,note") and ",Event level," in cards[1]
    files = [session.save(what).data.decode() for what in ("csv", "table", "geojson", "html", "scenario", "cards")]
    for text in (*files, session.link.query):
        assert MISSES not in text and "you asked for" not in text
    explorer.close()
