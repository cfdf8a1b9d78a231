"""The dashboard: pages are made when they are first opened, and the address says which one is open."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.page_list import FIRST, PAGES
from lmdk_widgets.hosts.widget.dashboard import Dashboard
from tests.browser import browser, page
from tests.server import serve


def test_only_the_page_that_is_open_is_made() -> None:
    dashboard = Dashboard(query="epsilon=0.5")
    assert list(dashboard.widgets) == [FIRST] == list(dashboard._pages)
    assert dashboard.widgets[FIRST].scenario.epsilon == 0.5
    other = [name for name in PAGES if name != FIRST]
    for name in other:
        dashboard.page = name
    assert list(dashboard.widgets) == [FIRST, *other]
    dashboard.page = FIRST
    assert len(dashboard._pages) == len(PAGES)


def test_settings_of_other_pages_wait_until_they_are_opened() -> None:
    dashboard = Dashboard(
        query="page=place&rows=3&columns=3&other.series=page%3Dseries%26epsilon%3D0.5&other.nonsense=1"
    )
    assert list(dashboard.widgets) == ["place"] and dashboard.widgets["place"].choices.rows == 3
    dashboard.page = "series"
    dashboard.page = FIRST
    assert dashboard.widgets["series"].choices.epsilon == 0.5 and dashboard.widgets[FIRST].scenario.track == "bob"


def test_an_address_that_is_too_long_opens_the_first_page_with_a_sentence() -> None:
    dashboard = Dashboard(query="page=place&" + "x" * 9_000)
    assert dashboard.page == FIRST
    assert "A link must have at most 8,000 characters" in dashboard.widgets[FIRST].page._greeting[0]["text"]


def test_a_link_opens_its_page_alone() -> None:
    for name in PAGES:
        assert list(Dashboard(query=f"page={name}").widgets) == [name]
    assert Dashboard(query="page=nonsense").page == FIRST


def test_a_link_keeps_the_settings_of_other_pages_until_they_open() -> None:
    kept = Dashboard(query="page=place&rows=3&columns=3&other.series=page%3Dseries%26epsilon%3D0.5")
    assert kept.page == "place" and kept.widgets["place"].choices.rows == 3
    kept.page = "series"
    assert kept.page == "series" and kept.widgets["series"].choices.epsilon == 0.5


def test_an_unknown_page_is_refused_and_the_old_one_stays() -> None:
    dashboard = Dashboard()
    with pytest.raises(InputError, match='Page must be "track", .*; got '):
        dashboard.page = "nonsense"
    assert dashboard.page == FIRST


def test_the_first_page_loads_nothing_of_the_labs() -> None:
    program = (
        "import sys; from lmdk_widgets import Dashboard; Dashboard(); "
        "print([m for m in sys.modules if m.startswith(('lmdk_widgets.geoind', 'lmdk_widgets.pufferfish', "
        "'lmdk_widgets.pages.place', 'lmdk_widgets.pages.series', 'plotly', 'folium', 'pandas', 'scipy', 'numba', "
        "'llvmlite', 'highspy'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.nightly
@pytest.mark.browser
def test_every_page_opens_in_a_browser_and_a_reload_stays_there() -> None:
    with serve() as address, browser() as chromium, page(chromium) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        for name, (title, *_) in PAGES.items():
            view.locator(f".lmdk-nav [data-page={name}]").click()
            shown(view, title)
            assert view.evaluate("location.search") == (f"?page={name}" if name != FIRST else "")
        view.reload()
        shown(view, title)


def shown(view: Any, title: str) -> None:
    """Waits until the page with this title is painted and the only one that is seen."""
    view.wait_for_selector(f".lmdk-nav [aria-current]:has-text('{title}')", timeout=60_000)
    view.wait_for_selector(".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    assert view.locator(".lmdk-stage > div:visible").count() == 1
