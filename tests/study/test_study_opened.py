"""Results that are opened: what they vary, the setting behind each row, and the marks of their figure."""

from __future__ import annotations

import pickle
import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from math import isnan, sqrt
from typing import Any

import numpy as np
import pandas
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query
from lmdk_widgets.page.runner import Inline
from lmdk_widgets.pages.studies import page as studies
from lmdk_widgets.pages.studies.figures import facets, marks_of, titled
from lmdk_widgets.pages.studies.page import StudiesPage
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.study import Study
from lmdk_widgets.study.grid import VARIED
from lmdk_widgets.study.measures import MEASURES
from lmdk_widgets.study.opened_results import read_results
from lmdk_widgets.trajectory import sample
from tests.study.walks import short

GRID = {"scheme": ["uniform", "adaptive"], "share": [0.25, 0.5], "layout": ["uniform", "skewed"], "radius_m": [50, 200]}


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(["bob"], GRID, repetitions=3, measures=["mean_error_m", "landmarks"])


@pytest.fixture(scope="module")
def frame(study: Study) -> pandas.DataFrame:
    return study.run(None, jobs=1)


def csv(frame: pandas.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def test_every_row_leads_to_its_setting(study: Study, frame: pandas.DataFrame) -> None:
    opened = read_results([("one.csv", csv(frame[24:])), ("two.csv", csv(frame[:30]))])  # some rows twice, in any order
    assert opened.choices == {"track": ["bob"], **{name: [*map(type(v[0]), v)] for name, v in study.axes.items()}}
    assert opened.varied == [*GRID] and opened.measures == ["mean_error_m"] and len(opened.frame) == len(study)
    for k, row in enumerate(opened.frame.to_dict("records")):
        assert opened.scenario(row) == study.scenario(k)[0]


def test_lists_come_back() -> None:
    grid = {"landmarks": [[1, 5], [], [0, 1, 5]], "correlation": "matrix", "matrix": [[0.75, 0.25], [0.125, 0.875]]}
    study = Study(["bob"], grid, measures=["largest_total_loss"])
    opened = read_results([("x.csv", csv(study.run(None, jobs=1)))])
    rows = opened.frame.to_dict("records")
    assert [opened.scenario(row) for row in rows] == [study.scenario(k)[0] for k in range(3)]


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="Parquet is read by pyarrow")
def test_a_directory_is_opened_as_it_is(study: Study, frame: pandas.DataFrame, tmp_path) -> None:
    study.run(tmp_path, jobs=1)
    page = StudiesPage(tmp_path)
    assert page.opened.frame.mean_error_m.tolist() == frame.mean_error_m.tolist()
    files = [(file.name, file.read_bytes()) for file in tmp_path.iterdir()]
    assert len(read_results(files).frame) == len(frame) and len(files) == 3


def test_marks_are_means_with_standard_errors(frame: pandas.DataFrame) -> None:
    some = frame[frame.radius_m == 50]
    rows = some.to_dict("records")
    curves = marks_of(some, x="share", y="mean_error_m", colour="scheme", facet="layout")
    order = [(layout, scheme) for layout in GRID["layout"] for scheme in GRID["scheme"]]
    figure = facets(some, x="share", y="mean_error_m", colour="scheme", facet="layout")
    for (layout, scheme), curve, trace in zip(order, curves, figure["data"], strict=True):
        assert trace["name"] == scheme and [mark.x for mark in curve] == GRID["share"] == trace["x"]
        for mark, high in zip(curve, trace["error_y"]["array"], strict=True):
            alike = [
                row["mean_error_m"]
                for row in rows
                if (row["layout"], row["scheme"], row["share"]) == (layout, scheme, mark.x)
            ]
            assert mark.mean == pytest.approx(np.mean(alike)) and mark.rows == len(alike) == 3
            assert mark.error == high == pytest.approx(sqrt(np.var(alike) * 3 / 2 / 3))
            assert (mark.facet, mark.colour) == (layout, scheme)
    assert figure["layout"]["yaxis"]["title"]["text"] == "mean error, m"
    assert figure["layout"]["xaxis2"]["title"]["text"] == "share of landmarks"
    titles = [title["text"] for title in figure["layout"]["annotations"]]
    assert (
        titles == [f"layout: {layout}" for layout in GRID["layout"]]
        and len({trace["xaxis"] for trace in figure["data"]}) == 2
    )
    (alone,) = marks_of(some[:1], x="share", y="mean_error_m")
    assert isnan(alone[0].error) and facets(some[:1], x="share", y="mean_error_m")["data"][0]["error_y"]["array"] == [0]
    with pytest.raises(InputError, match="A column must be"):
        facets(some, x="share", y="error", colour="scheme", facet="layout")


def test_every_column_has_a_title_and_every_length_its_unit(frame: pandas.DataFrame) -> None:
    for name in (*MEASURES, *VARIED):
        title = titled(name, frame)
        assert "_" not in title and title.endswith(", m") == name.endswith("_m") | (name == "radius95_m")
        of = {
            track: titled(name, frame.assign(track=track)) for track in ("mine.csv", "heart", "household", "contacts")
        }
        if name in MEASURES and title.endswith(", m"):
            own, head = title + " or the unit of a series", title.removesuffix("m")
            units = {"heart": "bpm", "household": "kWh", "contacts": "share wrong"}
            assert of == {"mine.csv": own} | {track: head + unit for track, unit in units.items()}
        else:
            assert set(of.values()) == {title}
    mixed = frame.assign(track=["heart", "household"] * (len(frame) // 2) + ["heart"] * (len(frame) % 2))
    assert titled("mean_error_m", mixed) == "mean error, the unit of each series"


def test_a_person_who_stays_nowhere_makes_no_mean_infinite() -> None:
    rows = {
        "track": np.array(["a", "b", "c", "a", "b", "c"], object),
        "repetition": np.zeros(6, int),
        "epsilon": np.repeat([0.5, 1.0], 3),
        "found_within_m": np.array([100.0, 300.0, np.inf, 50.0, np.inf, np.inf]),
    }
    (curve,) = marks_of(rows, x="epsilon", y="found_within_m")
    assert [(mark.mean, mark.rows) for mark in curve] == [(200.0, 2), (50.0, 1)]
    page = StudiesPage(pandas.DataFrame(rows))
    left_out = "Left out: three evaluations without a finite value, where no report points to a lasting place."
    assert page.summary.endswith(left_out) and "infinite" not in page.summary
    assert all(row[3] != "no bound" for row in page.table.rows)


def test_the_page_mixes_nothing_and_a_mark_is_computed_again(frame: pandas.DataFrame) -> None:
    page = StudiesPage(frame)
    form = {field["name"]: field for field in page.form}
    assert form["radius_m"]["label"] == "Only protection radius in m" and form["radius_m"]["value"] == "50"
    page.choose("radius_m", "200")
    page.choose("x", "scheme")  # swapped with the curves
    assert (page._chosen["x"], page._chosen["colour"], page._chosen["facet"]) == ("scheme", "share", "layout")
    page.choose("colour", "")
    assert [field["name"] for field in page.form][5:] == ["share", "radius_m"]
    page.choose("share", "0.5")
    page.pick(1, 1)  # skewed; words stay in their order
    assert page.picked["said"].startswith(
        "track bob, scheme adaptive, share of landmarks 0.5, layout skewed, protection radius in m 200: mean error in m "
    )
    changes = from_query(page.picked["query"], Scenario)
    again = evaluate(Scenario(**changes), sample("bob")).mean_error_m
    same = frame[
        (frame.scheme == "adaptive") & (frame.layout == "skewed") & (frame.share == 0.5) & (frame.radius_m == 200)
    ]
    assert again == same.mean_error_m.iloc[0] and page.table.rows[2][-1] == "3"
    sent: list[Any] = []
    page._tell = lambda message, _buffers: sent.append(message)
    page._show({})
    columns, rows = (sent[0]["table"][part] for part in ("columns", "rows"))
    assert sent[0]["marks"][2] == [1, 0] and rows[2] == [*page.table.rows[2], ""] and len(columns) == len(rows[2])
    assert "The smallest is" in page.summary


def test_the_page_says_of_how_many_marks_it_tells_the_numbers(
    frame: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MOST_MARKS", 3)
    page = StudiesPage(frame)
    marks = sum(map(len, page._curves))
    assert page.table.title == f"The marks in numbers, the first 3 of {marks}" and len(page.table.rows) == 3 < marks


def test_a_track_of_ones_own_is_named_and_not_opened() -> None:
    page = StudiesPage(Study({"mine": short()}, {"epsilon": [1, 2]}).run(None, jobs=1))
    page.pick(0, 0)
    assert page.picked["query"] == "" and "must be a sample" in page.picked["why"]
    assert "mine" in page.picked["said"]


def test_what_a_page_sends_is_answered_or_refused(frame: pandas.DataFrame) -> None:
    sent: list[dict[str, Any]] = []
    page = StudiesPage(frame, send=lambda message, buffers: sent.append(message))
    page.receive({"type": "ready", "view": "v"})
    assert [(message["type"], message["view"]) for message in sent] == [("options", "v"), ("shown", "v")]
    page.receive({"type": "choose", "name": "colour", "value": "layout"})
    assert page._chosen["colour"] == "layout" and sent[-1]["figure"] == page.figure and "view" not in sent[-1]
    page.receive({"type": "narrow", "narrow": True})
    assert {axis["domain"][0] for name, axis in page.figure["layout"].items() if name.startswith("xaxis")} == {0}
    for message, buffers in (
        ({"type": "choose", "name": "colour", "value": "red"}, []),
        ({"type": "choose", "name": "nothing", "value": "red"}, []),
        ({"type": "choose"}, []),
        ({"type": "pick", "trace": 99, "index": 0}, []),
        ({"type": "results", "names": []}, []),
        ({"type": "results", "names": ["a.parquet"]}, [b"PAR1 nothing"]),
        ({"type": "results", "names": ["a.csv"]}, [b"\xff\xfe\x00"]),
        ({"type": "results", "names": ["a.csv"]}, [b"x,y\n1,2\n"]),
        ({"type": "results", "names": ["a.csv"]}, [b"track,repetition,mean_error_m\n"]),
        ({"type": "results", "names": ["_study.json"]}, [b"{}"]),
    ):
        page.receive(message | {"view": "w"}, buffers)
        refusal = sent[-1]
        assert (refusal["type"], refusal["view"]) == ("refused", "w")
        assert " must " in refusal["text"] and refusal["text"].endswith("."), (message, refusal)
        assert len(page.opened.frame) == len(frame)
    page.receive({"type": "results", "names": ["a.csv"]}, [memoryview(csv(frame[:6]))])
    assert page.name == "a.csv: six evaluations" and [message["type"] for message in sent[-2:]] == ["shown", "read"]
    many = len(sent)
    page.receive({"type": "other"})
    assert len(sent) == many


@pytest.mark.long
def test_results_are_read_without_pandas_as_pandas_reads_them(frame: pandas.DataFrame) -> None:
    odd = frame.assign(
        refused=None, note=["", "NA", "x,y", "1.5"] * 6 + [""] * (len(frame) - 24), yes=frame.share > 0.3
    )
    odd.loc[odd.index[3], "mean_error_m"] = np.nan
    read = read_results([("odd.csv", csv(odd))]).frame
    wanted = pandas.read_csv(BytesIO(csv(odd)))
    for name in wanted:
        assert read[name].isna().tolist() == wanted[name].isna().tolist(), name
        assert read[name].dropna().tolist() == wanted[name].dropna().tolist(), name
    program = (
        "import sys; sys.modules['pandas'] = None; from lmdk_widgets.pages.studies.page import StudiesPage as page"
    )
    done = subprocess.run([sys.executable, "-c", f"{program}; print(page().name)"], capture_output=True, text=True)
    assert done.stdout.strip() == "An example, Bob's day: 300 evaluations", done.stderr


def test_another_process_may_read_and_what_is_chosen_meanwhile_waits(frame: pandas.DataFrame) -> None:
    class Slow(Inline):
        beside = True

    sent: list[Any] = []
    page = StudiesPage(send=lambda message, _buffers: sent.append(message), runner=Slow)
    page.read_by(lambda kind, data, name, **more: pickle.loads(pickle.dumps(kind().read(data, name, **more))))
    page.receive({"type": "results", "names": ["a.csv", "b.csv"]}, [csv(frame[:30]), csv(frame[24:])])
    page.receive({"type": "choose", "name": "radius_m", "value": "200"})  # none of the example has it
    assert page.name.startswith("An example") and not any(message["type"] == "refused" for message in sent)
    page._reading.finish()
    assert page.name == f"2 files: {len(frame)} evaluations" and page._chosen["radius_m"] == "200"
    assert [message["type"] for message in sent] == ["shown", "read", "shown"]


def test_a_browser_sends_no_more_than_a_page_may_hold(frame: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST_CELLS", 100)
    sent: list[Any] = []
    page = StudiesPage(send=lambda message, _buffers: sent.append(message))
    page.receive({"type": "results", "names": ["a.csv"]}, [csv(frame)])
    assert sent[-1]["text"].startswith("The results must be a table of at most 100 values; got 480.")
    assert page.name.startswith("An example")
