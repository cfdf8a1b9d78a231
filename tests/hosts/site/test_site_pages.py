"""The pages of a site in a browser: drawn as they begin, taken over by Python, with own files, and without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.hosts.site.distribution import gather
from lmdk_widgets.page.what_if import SITE_BYTES
from lmdk_widgets.study import Study
from tests.browser import open_tab, page, unfold
from tests.get_pyodide import Missing, pyodide
from tests.hosts.site.sites import NONE, served, write
from tests.hosts.widget.test_dropped_files import dropped_and_drawn, unit_is_kept
from tests.trajectory.example_files import FILES

pytestmark = pytest.mark.browser
TRACK = "time,lat,lon\n" + "".join(
    f"2026-03-02T{8 + k:02}:00Z,{48.85 + 0.01 * k},{2.3 + 0.005 * k}\n" for k in range(9)
)
DRAWN = ".lmdk-explorer[data-lmdk-ready]"
STAYS = "Python does not run in this browser"


def has_come(seen: Any) -> None:
    seen.wait_for_selector(".lmdk-live:is([data-state=ready], [data-state=kept])")


def test_without_python_a_page_stays_as_it_begins_and_says_so(chromium: Any, tmp_path: Path) -> None:
    home = write(tmp_path / "site", ("series",), NONE)
    with served(home) as address, page(chromium) as seen:
        seen.goto(f"{address}?page=series")
        seen.wait_for_selector(DRAWN)
        assert seen.locator(".lmdk-live").inner_text().startswith(STAYS)
        before = seen.locator("[data-lmdk=numbers]").text_content()
        assert len(before) > 50
        assert "A file that you upload never leaves this browser." in seen.locator(".lmdk-foot").text_content()
        assert seen.locator(".lmdk-goes").count() == 0 and "this computer" not in seen.locator("body").inner_text()
        epsilon = seen.get_by_label("Epsilon value")
        epsilon.fill("0.3")
        epsilon.press("Enter")
        seen.locator(".lmdk-error", has_text="a current browser computes every setting").wait_for()
        assert seen.locator("[data-lmdk=numbers]").text_content() == before
        # settings in the address cannot be computed: the page says so, and stands as it begins
        seen.goto(f"{address}?page=series&epsilon=0.3")
        seen.wait_for_selector(DRAWN)
        assert seen.locator("[data-lmdk=numbers]").text_content() == before


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("site") / "demo", ("track", "place", "series", "table"), lessons=("moments",))


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    with served(home) as found:
        yield found


@pytest.mark.nightly
def test_a_site_weighs_what_is_said_of_it(home: Path) -> None:
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    assert 0.85 < size / SITE_BYTES < 1.1


@pytest.mark.nightly
def test_python_takes_over_and_reads_a_file_that_never_leaves(chromium: Any, address: str) -> None:
    with page(chromium, anew=True) as seen:
        seen.goto(address)
        seen.wait_for_selector(DRAWN)
        # asked before Python is there: computed once it is
        epsilon = seen.get_by_label("Epsilon value")
        epsilon.fill("0.5")
        epsilon.press("Enter")
        has_come(seen)
        seen.wait_for_url(lambda url: "epsilon=0.5" in url)
        seen.get_by_role("button", name="Undo").click()
        seen.wait_for_url(lambda url: "epsilon=" not in url)
        asked = len(seen.guard.requests)
        file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": TRACK.encode()}
        seen.locator("input[type=file][accept*='.csv']").first.set_input_files(file)
        seen.locator(".lmdk-controls", has_text="mine").wait_for()
        assert all(url.startswith(address) for url in seen.guard.requests[asked:])
        for name in ("Place", "Series", "Table"):
            seen.get_by_role("button", name=name, exact=True).first.click()
            seen.wait_for_selector(f".lmdk-stage > div:not([hidden]) {DRAWN}")
        unfold(seen)


@pytest.mark.nightly
def test_files_are_dropped_accepted_and_drawn_in_the_browser_alone(chromium: Any, address: str) -> None:
    with page(chromium, anew=True, timezone_id="Europe/Berlin") as seen:
        seen.goto(address)
        seen.wait_for_selector(DRAWN)
        has_come(seen)
        asked = len(seen.guard.requests)
        for example in FILES:
            if example.name in (
                "table.csv",
                "walk.gpx",
                "animals.csv",
                "bare.csv",
                "meter.csv",
                "Timeline.json",
                "walk.kmz",
            ):
                dropped_and_drawn(seen, example)
        unit_is_kept(seen)
        assert all(url.startswith((address, "blob:", "data:")) for url in seen.guard.requests[asked:])


@pytest.mark.nightly
def test_place_is_solved_by_the_highs_inside_scipy_and_beyond_8_by_8_a_sentence_says_so(
    chromium: Any, tmp_path: Path
) -> None:
    try:
        files = gather(pyodide("scipy"))
    except Missing as why:
        pytest.skip(str(why))
    with served(write(tmp_path / "site", ("place",), files)) as there, page(chromium, anew=True) as seen:
        seen.goto(f"{there}?page=place&rows=7&columns=7&level=0.4")  # more than plain Python solves
        seen.locator(".lmdk-explorer", has_text="the report is off by").wait_for(timeout=120_000)
        seen.goto(f"{there}?page=place&rows=9&columns=9")
        said = "In a browser, the optimal mechanism must have at most 64 places; got 81."
        seen.locator(".lmdk-explorer", has_text=said).wait_for(timeout=120_000)


@pytest.mark.nightly
@pytest.mark.each_case
@pytest.mark.parametrize("width", [1280, 400])
def test_results_of_a_study_are_opened_on_a_site(chromium: Any, address: str, tmp_path: Path, width: int) -> None:
    grid = {"scheme": ["uniform", "user"], "epsilon": [0.5, 1, 2], "correlation": ["none", "strong"]}
    study = Study(["commuter"], grid, repetitions=2, measures=["mean_error_m", "largest_total_loss"])
    study.run(None, jobs=1).to_csv(tmp_path / "week.csv", index=False)
    (tmp_path / "part-0.parquet").write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    with page(chromium, width=width, anew=True) as seen:
        seen.goto(f"{address}?page=studies")
        has_come(seen)
        studies = seen.locator(".lmdk-studies")
        studies.get_by_text("An example, Bob's day: 300 evaluations").wait_for()
        asked = len(seen.guard.requests)
        studies.locator("input[type=file]").set_input_files(tmp_path / "part-0.parquet")
        studies.get_by_role("alert").get_by_text("pyarrow").wait_for()  # a browser reads CSV files alone, and says so
        studies.locator("input[type=file]").set_input_files(tmp_path / "week.csv")
        studies.get_by_text("week.csv: 24 evaluations").wait_for()
        studies.get_by_label("Show").select_option("largest_total_loss")
        studies.get_by_text("largest total loss against epsilon").wait_for()
        studies.get_by_text("The marks in numbers").click()
        assert studies.locator("tbody tr").count() == 12
        studies.locator("tbody button").first.click()
        studies.get_by_text("scheme uniform, epsilon 0.5, correlation none:").wait_for()
        assert all(url.startswith(address) for url in seen.guard.requests[asked:])
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        with seen.expect_popup() as opening:
            studies.get_by_role("link", name="Open this setting").click()
        opening.value.wait_for_selector(f"{DRAWN}")
        assert "epsilon=0.5" in opening.value.url and "correlation=none" in opening.value.url
        opening.value.close()


@pytest.mark.nightly
def test_a_study_runs_on_a_site_says_how_far_it_is_and_lets_the_page_go_on(chromium: Any, address: str) -> None:
    with page(chromium, anew=True) as seen:
        seen.goto(f"{address}?page=track")
        has_come(seen)
        open_tab(seen, "compare")
        seen.locator("summary", has_text="Vary the scheme and one more setting: a study").click()
        seen.get_by_text("of 75 evaluations are done").first.wait_for()
        epsilon = seen.get_by_label("Epsilon value")  # the study goes on meanwhile
        epsilon.fill("0.5")
        epsilon.press("Enter")
        seen.wait_for_url(lambda url: "epsilon=0.5" in url)
        table = seen.locator("table", has_text="error as released")
        table.locator("tbody tr:nth-child(15) td:last-child").get_by_text("5", exact=True).wait_for(timeout=120_000)
        assert table.locator("tbody td:last-child").all_inner_texts() == ["5"] * 15
        seen.get_by_text("The reader and the attacker are computed in 2 of 5 repetitions.").wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_question_of_a_lesson_is_judged_in_the_browser(chromium: Any, address: str, width: int, dark: bool) -> None:
    with page(chromium, width=width, dark=dark) as seen:
        seen.goto(f"{address}lesson-moments.html")
        question = seen.locator("[data-question='moments/share']")
        question.locator("input").fill("0.2")
        question.get_by_role("button", name="Check").click()
        question.get_by_text("Right: it is 0.20.").wait_for()
        seen.get_by_text("1 of 10 questions answered, 1 of them right.").wait_for()
        folds = seen.locator("details:has(.lmdk-drawn)")
        folds.first.locator("summary").first.click()
        seen.wait_for_selector(".lmdk-drawn [data-lmdk-painted] svg")
        assert seen.locator(".lmdk-term").count() > 5, "words explain themselves"
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        seen.get_by_role("link", name="← All lessons").click()
        seen.get_by_text("1 of 10 questions answered, 1 right").wait_for()


@pytest.mark.nightly
def test_a_site_opens_without_a_network_after_the_first_visit(chromium: Any, home: Path) -> None:
    with page(chromium, anew=True, check=False) as seen:
        with served(home) as there:
            seen.goto(there)
            seen.wait_for_selector(".lmdk-live[data-state=kept]")
        seen.goto(f"{there}?page=series")  # nobody answers there any more
        seen.wait_for_selector(DRAWN)
        has_come(seen)
        epsilon = seen.get_by_label("Epsilon value")
        epsilon.fill("0.3")
        epsilon.press("Enter")
        seen.wait_for_url(lambda url: "epsilon=0.3" in url)


@pytest.mark.nightly
def test_a_host_that_allows_no_machine_code_shows_how_pages_begin(chromium: Any, home: Path) -> None:
    policy = {"Content-Security-Policy": "script-src 'self'"}
    with served(home, **policy) as there, page(chromium, anew=True, check=False) as seen:
        seen.goto(f"{there}?page=series")
        seen.wait_for_selector(DRAWN)
        seen.locator(".lmdk-live[data-state=failed]", has_text=STAYS).wait_for()
