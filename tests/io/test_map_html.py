"""The exported map as text: what may not be in it, and what it refuses. A browser sees it in another file."""

from __future__ import annotations

import re
import subprocess
import sys
from html import escape
from urllib.parse import quote

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, map_html, programs, release_map_html

built = pytest.mark.skipif(
    not (programs.STATIC / "leaflet.js").exists(), reason="the package is not built: lmdk_widgets/static is empty"
)
HOURS = np.datetime64("2026-01-26T08:00", "ns") + np.arange(3) * np.timedelta64(1, "h")
LATITUDE, LONGITUDE = [48.850000049, 48.86, np.nan], [2.35, 2.36, np.nan]


def page(**changes) -> str:
    return release_map_html(HOURS, LATITUDE, LONGITUDE, **{"title": "Bob", "note": NOTE, **changes})


@built
def test_it_stands_alone() -> None:
    text = page(places=[(48.8566, 2.3522, "Paris")])
    assert not re.search(r"<(script|link|img|iframe)[^>]*\s(src|href)", text)
    assert "url(" not in text.replace("url(#", "") and "sourceMappingURL" not in text and "@import" not in text
    for name in ("jquery", "bootstrap", "awesome", "cdn", "tile.openstreetmap"):
        assert name not in text.lower()
    assert text.index("Content-Security-Policy") < text.index("<style") < text.index("<script")
    assert "default-src 'none'" in text
    assert "Vladimir Agafonkin" in text and "Redistributions in binary form" in text


@built
def test_words() -> None:
    text = page(title="  Tom &\n Jerry ")
    assert "<h1>Tom &amp; Jerry</h1>" in text and "<title>Tom &amp; Jerry</title>" in text
    assert f'<p class="note" role="note">{NOTE}</p>' in text
    assert "2 released points, 2026-01-26T08:00:00Z to 2026-01-26T09:00:00Z; 1 timestamp without a release." in text
    assert "<h1>Release</h1>" in page(title=" ")
    assert text.startswith("<!DOCTYPE html>") and '<html lang="en">' in text


@built
def test_places_are_rounded() -> None:
    assert "48.85," in page() and "48.850000049" not in page()


@built
def test_the_same_release_gives_the_same_page() -> None:
    assert page(places=[(0, 0, "x")]) == page(places=[(0, 0, "x")])


@built
def test_texts_that_cannot_be_written_as_utf8() -> None:
    text = page(title="a\ud800b\x00c", places=[(0, 0, "\ud800")])
    assert "<h1>a?b c</h1>" in text
    text.encode("utf-8")


@pytest.mark.parametrize(
    "place", [(91, 0, "x"), (0, 181, "x"), (np.nan, 0, "x"), (0, 0, 1), (0, 0), ("north", 0, "x"), None]
)
def test_places_that_are_none(place) -> None:
    with pytest.raises(InputError, match="Place 1 must be"):
        page(places=[(0, 0, "fine"), place])


def test_too_many_points() -> None:
    n = map_html.MOST_POINTS + 1
    time = HOURS[0] + np.arange(n) * np.timedelta64(1, "s")
    with pytest.raises(InputError, match="CSV or GeoJSON"):
        release_map_html(time, np.zeros(n), np.zeros(n), title="", note=NOTE)


def test_bad_arrays_and_notes_are_refused_here_too() -> None:
    with pytest.raises(InputError, match="Timestamp 1 must have a latitude between -90 and 90"):
        release_map_html(HOURS, [0, 91, 0], [0, 0, 0], title="", note=NOTE)
    with pytest.raises(InputError, match="Note must be"):
        page(note="")


def test_a_package_that_was_never_built_says_so(tmp_path, monkeypatch) -> None:
    def forget() -> None:
        map_html._leaflet.cache_clear()
        programs.program.cache_clear()

    monkeypatch.setattr(programs, "STATIC", tmp_path)
    forget()
    with pytest.raises(RuntimeError, match="not built"):
        page()
    forget()


def test_importing_does_not_import_folium() -> None:
    code = "import sys, lmdk_widgets.io.map_html; print({'folium', 'branca', 'plotly', 'pandas'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


@built
@pytest.mark.parametrize("text", ["{{ 7 * '7' }}", "{% raw %}", "{# x", "{{ this.get_root() }}", "{{ undefined.x }}"])
def test_no_text_is_run_as_a_template(text) -> None:
    """branca renders what its templates give a second time: text in them would run in this process."""
    written = page(title=text, note=f"n {text}", places=[(48.85, 2.35, text)])
    assert "7777777" not in written and "branca" not in written
    assert written.count(quote(text)) == 1
    assert escape(text) in written


@built
def test_no_text_closes_the_script() -> None:
    text = "</script><script>hacked</script><!--"
    plain, hostile = page(places=[(48.85, 2.35, "x")]), page(title=text, note=f"n {text}", places=[(48.85, 2.35, text)])
    for tag in ("<script", "</script", "<!--"):
        assert hostile.count(tag) == plain.count(tag)
