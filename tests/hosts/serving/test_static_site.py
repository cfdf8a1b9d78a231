"""The folder of `lmdk site`: any web server carries it, nothing in it needs a kernel, and all of it is linked."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.course import LESSONS
from tests.browser import page

pytestmark = pytest.mark.browser


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A web server that knows nothing of the program and says nothing."""

    def log_message(self, *_said: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "demo"
    few = ["--pages", "quilts,track", "--lessons", "moments", "--stops", "2", "--jobs", "1"]
    assert main(["site", str(folder), *few]) == 0
    return folder


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_plain_web_server_carries_pages_and_lessons(chromium: Any, served: str, width: int, dark: bool) -> None:
    with page(chromium, width=width, dark=dark) as seen:
        seen.goto(f"{served}index.html")
        assert seen.get_by_role("link").all_inner_texts() == [
            "How private is this track?",
            "How private is any one moment of a day?",
            LESSONS["moments"].title,
        ]
        seen.get_by_role("link", name="How private is this track?").click()
        seen.wait_for_selector(".lmdk-explorer[data-lmdk-ready]")
        seen.get_by_label("Scheme", exact=True).select_option("event")
        said = seen.locator("[data-lmdk=numbers]", has_text="may spend the whole budget of")
        said.wait_for()
        seen.goto(f"{served}lesson-moments.html")
        folds = seen.locator("details:has(.lmdk-drawn)")
        folds.first.locator("summary").first.click()
        seen.wait_for_selector(".lmdk-drawn [data-lmdk-painted] svg")
        assert seen.locator(".lmdk-term").count() > 5, "words explain themselves"
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        seen.get_by_role("link", name="All pages and lessons").click()
        seen.get_by_role("heading", name="Lessons to read").wait_for()


def test_every_link_leads_to_a_file_and_no_file_asks_another_host(site: Path) -> None:
    files = {path.name for path in site.iterdir()}
    assert files == {"index.html", "track.html", "series.html", "lesson-moments.html", "static"}
    notices = site / "static" / "THIRD_PARTY_NOTICES.txt"
    assert {path.name for path in (site / "static").iterdir()} == {"reading.js", notices.name}
    assert "leaflet" in notices.read_text("utf-8"), "licences go with the scripts"
    for path in site.glob("*.html"):
        text = path.read_text("utf-8")
        assert "default-src 'none'" in text
        for link in re.findall(
            r'(?:href|src)="(?!data:|https?:|#)([^"]+)"', text.partition('data-name="recording"')[0]
        ):
            assert (site / link).exists(), (path.name, link)


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["site", str(tmp_path), "--pages", "none", "--lessons", "none"]) == 2
    assert "The folder of a site must be new or empty" in capsys.readouterr().err
    assert main(["site", str(tmp_path / "x"), "--lessons", "cooking"]) == 2
    assert "The lesson must be" in capsys.readouterr().err and not (tmp_path / "x").exists()
