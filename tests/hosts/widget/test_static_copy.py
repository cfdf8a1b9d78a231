"""Pages where no kernel answers: what a notebook keeps beside each, from the blocks of its report, in bounds."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from ipywidgets import HBox, Label, VBox

from lmdk_widgets import Explorer, FoundationsLab, PeopleLab, PlacesLab, Question, QuiltLab, TrajectoryMap
from lmdk_widgets.answers import usefulness
from lmdk_widgets.hosts.widget import notebook_copy
from lmdk_widgets.hosts.widget.course import Answers, Lessons
from lmdk_widgets.hosts.widget.studies import Studies
from lmdk_widgets.page import reading
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.takeaway import CHARTS_IN_WORDS
from tests.browser import page

LABS = {"track": Explorer, "place": PlacesLab, "series": QuiltLab, "table": FoundationsLab, "people": PeopleLab}
MOST_BYTES = 350_000
"""Of what a notebook keeps of a page: the program that draws is much of it."""


@pytest.mark.parametrize("name", LABS)
def test_a_page_stands_with_the_parts_and_charts_of_its_report(name: str) -> None:
    widget = LABS[name]()
    if name != "place":  # it says where it is while nothing is solved
        widget.finish()
    copy, shown = widget.page.static_copy(), widget.page
    html = copy.html()
    words = shown._text(shown.outcome)["words"]
    short = shown._in_short()
    assert len(short) > 2 and all(short)
    assert copy.lines == short and copy.words == [words["paragraph"], *words["warnings"], words["assumption"]]
    opens, reasons = shown._parted()
    above = {*shown.IN_SHORT, CHARTS_IN_WORDS}  # in the first lines, and below each chart
    parts = [part for part in (*opens, *reasons) if part.heading not in above]
    assert parts and re.findall("<h3>(.*?)</h3>", "".join(copy.more))[0] == parts[0].heading
    assert html.index(escape(short[-1])) < html.index("<figure") < html.index(escape(words["assumption"]))
    for part in parts:
        for piece in part.pieces:
            inside = (piece if isinstance(piece, str) else piece.html()).partition("<caption>")[0]
            assert inside in html or '"kind": "release"' in inside, (name, part.heading)
    drawn = [json.loads(found) for found in re.findall(r'<figure class="chart">.*?json">(.*?)</script>', html)]
    assert drawn == [
        piece.figure for part in parts for piece in part.pieces if isinstance(piece, Chart) and piece.figure
    ]
    assert len(drawn) >= len(shown.pictures())
    widget.close()


def test_a_part_of_the_report_is_no_part_of_another_page() -> None:
    widget = FoundationsLab()
    table = "".join(widget.page.static_copy().more)
    widget.choices = widget.choices.with_changes(part="noise")
    assert (
        "<figure" in table and widget.page.static_copy().more and table not in "".join(widget.page.static_copy().more)
    )


def test_a_copy_begins_with_whose_it_is_the_settings_and_the_answers_and_ends_with_its_words() -> None:
    widget = Explorer()
    widget.scheme = "event"
    widget.finish()
    kept, _, below = widget.static_copy().kept("name").partition("<iframe")
    kept, _, untrusted = kept.partition('<div class="lmdk-untrusted">')
    note, verdict, asked, *rest = re.findall("<p[^>]*>(.*?)</p>", kept)
    assert untrusted.startswith("<p>Map and charts are drawn more simply here until this notebook is trusted.</p>")
    assert untrusted.count("data:image/svg+xml,") == 4 and "<script" not in untrusted, "the map and three charts"
    assert unescape(note) == f"{reading.NOBODYS.notebook} {reading.AGAIN}"
    assert verdict.startswith("This release meets your limits against the attacks computed here.")
    assert asked == "Scheme: Event level. Epsilon: 1."
    assert [line.partition(":")[0] for line in rest] == ["Useful", "Found", "Promised"]
    assert rest[0].startswith("Useful: 390 m. A careful reader is off by this much.")
    words = widget.page._text(widget.page.outcome)["words"]["paragraph"]
    said = re.findall("<p[^>]*>(.*?)</p>", below.partition("</iframe>")[2])
    assert "\n\n" in words and [unescape(line) for line in said][: words.count("\n\n") + 1] == words.split("\n\n")
    widget.close()


def test_what_is_kept_is_in_bounds_and_asks_for_nothing() -> None:
    widget = Explorer("commuter")
    kept = widget.page.static_copy().kept("name")
    (frame,) = re.findall(r'srcdoc="([^"]*)"', kept)
    text = unescape(frame)
    assert len(kept) < MOST_BYTES and kept.startswith('<div data-lmdk-still="name"><style>')
    assert text.index("""http-equiv="Content-Security-Policy" content="default-src 'none'""") < text.index("<title>")
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)
    assert "SOFTWARE IS PROVIDED" in text, "licences go with the programs"
    widget.close()


def test_what_would_be_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = QuiltLab()
    monkeypatch.setattr(reading, "MOST_KEPT", 1000)
    kept = widget.page.static_copy().kept("name")
    assert "<iframe" not in kept and widget.page.static_copy().lines[0][:40] in unescape(kept)
    widget.close()


@pytest.mark.parametrize(("scheme", "title"), [("uniform", "Uniform"), ("event", "Event level")])
def test_a_copy_of_the_users_own_data_says_so_first_and_draws_no_true_place(
    tmp_path: Path, scheme: str, title: str
) -> None:
    own = tmp_path / "mine.csv"
    own.write_text(
        "time,latitude,longitude\n" + "".join(f"2020-01-01T{h:02}:00Z,48.8{h},2.3{h}\n" for h in range(10, 20))
    )
    widget = Explorer(own)
    widget.scheme = scheme
    widget.finish()
    copy = widget.static_copy()
    verdict, asked, useful, *_ = copy.lines
    assert verdict.startswith(
        "This release does not meet your limits. Each report is found to within 192 m; you asked for no nearer than 200 m."
    )
    assert asked.startswith(f"Scheme: {title}.") and useful.startswith("Useful: ")
    assert not re.search(r"48\.|2\.3\d", " ".join(copy.lines)), "no coordinate in the settings and the answers"
    kept = copy.kept("x")
    first, rest = re.search('<p class="lmdk-still">(.*?)</p>(.*)', kept, re.DOTALL).groups()
    assert first.startswith(
        "For you only, do not share this notebook: this static copy reveals information about your true"
    )
    assert map_in("".join(copy.more))["kind"] == "release" and "<iframe" in rest
    assert not [f"48.8{h}," for h in range(10, 20) if f"48.8{h}," in unescape(rest)], "of places, only a release"
    assert widget.reading().count("Its tables and drawings are made from your true track") == 1
    assert "<figure" not in widget.reading(), "a page for everybody draws nothing of them"
    widget.close()


def map_in(html: str) -> dict[str, Any]:
    """What the only map of a static copy is drawn from."""
    (data,) = re.findall(r'<figure class="map"><script[^>]*>(.*?)</script>', html)
    return json.loads(data)


def test_a_map_draws_the_track_of_a_sample_with_its_landmarks() -> None:
    view = TrajectoryMap("bob", landmarks=[1, 6])
    told = map_in(view.reading())
    assert told["kind"] == "track" and told["landmarks"] == [1, 6] and told["names"] == list(view.trajectory.labels)
    assert told["latitudes"] == pytest.approx(view.trajectory.latitude, abs=1e-6)
    assert told["longitudes"] == pytest.approx(view.trajectory.longitude, abs=1e-6)
    assert "8 timestamps, landmarks at 2, 7." in view.reading()


def test_only_its_owner_sees_the_map_of_a_track_of_ones_own() -> None:
    bob = TrajectoryMap("bob").trajectory
    view = TrajectoryMap(bob[:5])
    said, kept = view.reading(), view.static_copy().kept("x")
    assert "5 timestamps" in said and "<figure" not in said and "48.8" not in said
    assert kept.index("For you only, do not share this notebook") < kept.index("<iframe") and "48.8" in kept


@pytest.mark.browser
def test_a_map_in_a_lesson_is_drawn_without_a_kernel(tmp_path: Path, chromium: Any) -> None:
    kept = TrajectoryMap("bob").static_copy().kept("map")
    path = tmp_path / "map.html"
    path.write_text(unescape(kept.partition('srcdoc="')[2].partition('"></iframe>')[0]), "utf-8")
    with page(chromium, width=400, check=False) as seen:
        seen.goto(path.as_uri())
        canvas = seen.get_by_role("img", name="Map of the track Bob's day in Paris")
        canvas.wait_for()
        shown = "c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; return [...d.keys()].filter"
        orange = f"{shown}(k => k % 4 === 0 && d[k] === 224 && d[k + 1] === 138 && d[k + 2] === 0).length }}"
        assert canvas.evaluate(orange) > 100, "its landmarks"
        assert canvas.evaluate("c => c.getBoundingClientRect().right <= window.innerWidth")


@pytest.mark.parametrize("make", [Lessons, lambda: Question("moments/share"), lambda: Answers("moments")])
def test_a_page_without_drawings_needs_no_frame(make: Any) -> None:
    widget = make()
    kept = widget.page.static_copy().kept("x")
    assert "<iframe" not in kept and "<script" not in kept and len(kept) < 3400
    assert widget.reading() == widget.page.static_copy().html()
    widget.close()


def test_a_study_stands_with_its_figure() -> None:
    widget = Studies()
    copy = widget.page.static_copy()
    assert copy.lines == [widget.page.name] and json.dumps(widget.page.figure)[:200] in copy.html()
    assert f"<summary>The marks in numbers</summary>{widget.page.table.html()}" in copy.html()
    widget.close()


def test_a_sentence_is_no_html_and_a_figure_ends_no_script() -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    drawn = reading.figure({"data": [{"name": hostile}]}, hostile)
    kept = reading.StaticCopy([hostile], [drawn]).kept("x")
    assert json.loads(drawn.split('json">')[1].split("</script>")[0]) == {"data": [{"name": hostile}]}
    assert "<img" not in kept and "<img" not in drawn and drawn.count("</script>") == 1
    assert "<img" not in reading.StaticCopy([hostile]).html()


@pytest.mark.long
def test_a_copy_is_renewed_when_the_work_in_the_background_ends(tmp_path: Path) -> None:
    """Otherwise a notebook saved a second later keeps for good that something is being computed."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    sources = [
        "from lmdk_widgets.hosts.widget import bundle, notebook_copy\nfrom lmdk_widgets import Explorer\n"
        "bundle.CALM_S = 1e6\nnotebook_copy.run_by_program = lambda: False",
        "shown = Explorer()\nshown",
        "import asyncio\nshown.epsilon = 7.0\nwhile shown.page.busy or shown._copy.waits:\n"
        "    await asyncio.sleep(0.05)",
    ]
    found = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(found, timeout=120, kernel_name="python3", store_widget_state=False).execute()
    shown, kept = found.cells[1].outputs
    assert "Epsilon: 7." in kept.data["text/html"] and usefulness.WAITS not in kept.data["text/html"]
    assert shown.data["text/plain"] == "Explorer(bob, Uniform, epsilon 1)"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook that was run and saved as JupyterLab does, without the widgets' state, as nbconvert writes it."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    exporters = pytest.importorskip("nbconvert.exporters")
    sources = [
        "from lmdk_widgets import QuiltLab, Explorer\nquilts = QuiltLab()\nquilts",
        "shown = Explorer()\nshown",
        "from lmdk_widgets import FoundationsLab, PeopleLab, PlacesLab\nplaces = PlacesLab()\nplaces.finish()\nplaces",
        "FoundationsLab()",
        "import os\nos.environ['LMDK_STILL'] = 'off'\nquilts",
    ]
    found = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(found, timeout=300, kernel_name="python3", store_widget_state=False).execute()
    assert [len(cell.outputs) for cell in found.cells] == [2, 2, 2, 2, 1]
    assert all("widget-view" in str([*cell.outputs[0].data]) for cell in found.cells)
    html, _ = exporters.HTMLExporter().from_notebook_node(found)
    path = tmp_path_factory.mktemp("saved") / "saved.html"
    path.write_text(html, "utf-8")
    return path


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.each_case
@pytest.mark.parametrize("width", [1280, 400])
def test_nbconvert_shows_text_charts_and_maps(saved: Path, chromium: Any, width: int) -> None:
    with page(chromium, width=width, check=False) as seen:
        seen.goto(saved.as_uri())
        frames = [seen.frame_locator("iframe").nth(k) for k in range(4)]
        _, landmarks, places, table = frames
        for frame, charts in zip(frames, (7, 3, 3, 1), strict=True):
            frame.locator("[data-lmdk-painted] svg.lmdk-drawing").nth(charts - 1).wait_for()
        for frame in (landmarks, places):
            assert frame.locator("figure.map canvas").count() == 1
        assert places.get_by_role("heading", name="The certificate").is_visible()
        assert table.get_by_role("heading", name="How well the classes hide").is_visible()
        assert landmarks.get_by_role("heading", name="Temporal privacy loss").is_visible()
        assert seen.get_by_text("This is a simulation, not a private release").first.is_visible()
        for frame in frames:
            inside = frame.locator("body")
            assert inside.evaluate("body => body.ownerDocument.documentElement.scrollWidth <= window.innerWidth")
            assert inside.evaluate("body => Math.abs(frameElement.clientHeight - body.offsetHeight) < 3")
        assert not seen.guard.errors and not [url for url in seen.guard.foreign if "mathjax" not in url.lower()]


COMPOSED = """import ipywidgets
from traitlets import link
from lmdk_widgets import Explorer, TrajectoryMap
explorer, slider, said = Explorer("commuter"), ipywidgets.FloatSlider(value=1, min=0.1, max=10), ipywidgets.Label()
link((slider, "value"), (explorer, "epsilon"))
ipywidgets.VBox([ipywidgets.HBox([slider, said]), explorer])"""
"""The cell of docs/composing.md, on a track whose reader takes most of a second."""


@pytest.fixture(scope="module")
def run_by_program() -> Any:
    """A notebook as `jupyter nbconvert --execute` leaves it: its cells run, and the kernel is gone."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    sources = [COMPOSED, 'TrajectoryMap("bob")', "explorer.epsilon = 7.0", "ipywidgets.VBox([slider])"]
    found = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(found, timeout=300, kernel_name="python3").execute()
    return found


@pytest.mark.long
def test_a_box_brings_the_copy_of_its_page_and_a_program_waits_for_it(run_by_program: Any) -> None:
    box, track, later, plain = (cell.outputs for cell in run_by_program.cells)
    assert [len(outputs) for outputs in (box, track, later, plain)] == [2, 2, 0, 1]
    kept, shown = box
    assert "widget-view" in str([*shown.data]) and shown.output_type == "execute_result" == plain[0].output_type
    text = "".join(kept.data["text/html"])
    assert "Epsilon: 7." in text, "the copy is the page after the last cell"
    assert usefulness.WAITS not in text and "Useful: " in text and "\N{HORIZONTAL ELLIPSIS}" not in text[:2000]
    assert "kind&quot;: &quot;track&quot;" in unescape("".join(track[1].data["text/html"])).replace('"', "&quot;")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_an_executed_notebook_as_html_shows_answers_and_map_before_words(
    run_by_program: Any, chromium: Any, tmp_path: Path, dark: bool
) -> None:
    exporters = pytest.importorskip("nbconvert.exporters")
    path = tmp_path / "run.html"
    path.write_text(exporters.HTMLExporter().from_notebook_node(run_by_program)[0], "utf-8")
    with page(chromium, width=1280, dark=dark, check=False) as seen:
        seen.context.set_offline(True)
        seen.goto(path.as_uri(), wait_until="domcontentloaded")
        frame = seen.frame_locator("iframe").first
        frame.locator("[data-lmdk-painted] svg.lmdk-drawing").first.wait_for()
        frame.locator("figure.map canvas").wait_for()
        answers, words = (
            seen.get_by_text(text).first.bounding_box()["y"] for text in ("Useful: ", "This is a simulation")
        )
        drawn = seen.locator("iframe").first.bounding_box()
        assert answers < drawn["y"] < drawn["y"] + drawn["height"] < words
        assert seen.frame_locator("iframe").nth(1).locator("figure.map canvas").is_visible(), "the map alone"


def test_on_a_page_for_everybody_a_box_is_read_by_its_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    box = VBox([HBox([Label("a"), TrajectoryMap("bob")]), Label("b"), Question("moments/share")])
    inside = list(notebook_copy.contained(box))
    assert list(map(isinstance, inside, (TrajectoryMap, Question))) == [True, True]
    assert notebook_copy._box_shown(box) == box._repr_mimebundle_(), "as it is outside a notebook"
    monkeypatch.setenv(reading.SWITCH, "1")
    assert notebook_copy._box_shown(box)["text/html"] == "".join(widget.reading() for widget in inside)
