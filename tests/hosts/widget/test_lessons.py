"""The figure of a lesson and what lessons count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

import numpy as np
import pytest
from ipywidgets import Widget

from lmdk_widgets import FigureView
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import STATIC
from lmdk_widgets.hosts.widget.figure_view import plain_figure
from lmdk_widgets.leakage import landmark_loss
from lmdk_widgets.leakage.layouts import landmark_layouts, mean_distance, own_losses
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.page.figures import curves


@pytest.fixture(autouse=True)
def no_comm_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


def test_values_become_what_json_knows() -> None:
    values = np.array([1.0, np.nan, np.inf, -np.inf])
    figure = {"data": [{"type": "bar", "y": values, "x": (np.int64(3), date(2026, 3, 1), True, None, "a")}]}
    view = FigureView(figure, summary="Bars.")
    (trace,) = view.figure["data"]
    assert trace == {"type": "bar", "y": [1.0, None, None, None], "x": [3, "2026-03-01", True, None, "a"]}
    json.dumps(view.figure, allow_nan=False)
    assert figure["data"][0]["y"] is values, "the argument is left alone"
    assert (STATIC / view._module).is_file()


def test_a_figure_of_plotly_for_python() -> None:
    graph_objects = pytest.importorskip("plotly.graph_objects")
    traces = [graph_objects.Scatter(y=np.arange(3)), graph_objects.Bar(y=np.array([0.5, np.nan]))]
    figure = FigureView(graph_objects.Figure(traces), summary="A line and a bar.").figure
    assert [trace["y"] for trace in figure["data"]] == [[0, 1, 2], [0.5, None]]


@pytest.mark.parametrize(
    ("figure", "sentence"),
    [
        (None, 'Figure must be a plotly figure, or a dict with a list of traces as "data"; got None.'),
        ({"layout": {}}, "Figure must be a plotly figure"),
        (
            {"data": [{"type": "heatmap", "z": [[1]]}]},
            'The type of trace 0 must be "scatter" or "bar"; got heat',
        ),
        ({"data": ["a"]}, 'The type of trace 0 must be "scatter" or "bar"; got a str.'),
        (
            {"data": [{"y": [object()]}]},
            "The entry data.y must be made of text, numbers, dates, lists and arrays; got an obj",
        ),
    ],
)
def test_what_is_no_figure_gets_a_sentence(figure: object, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        plain_figure(figure)
    assert str(caught.value).startswith(sentence)


def test_a_refusal_leaves_the_figure_and_words_are_required() -> None:
    view = FigureView({"data": [{"y": [1]}]}, summary="A point.")
    with pytest.raises(InputError):
        view.figure = {"data": [{"type": "scatter5d"}]}
    with pytest.raises(InputError):
        view.summary = " "
    assert view.figure["data"] == [{"y": [1]}] and view.summary == "A point."
    with pytest.raises(TypeError):
        FigureView({"data": []})  # type: ignore[call-arg]
    with pytest.raises(InputError):
        FigureView({"data": []}, summary="")


@pytest.mark.parametrize("n", [4, 7, 16, 101])
def test_layouts_hold_the_same_number_of_landmarks(n: int) -> None:
    for count in range(2, n // 2 + 1):
        for places in landmark_layouts(n, count).values():
            assert len(set(places)) == count and min(places) >= 0 and max(places) < n
            assert list(places) == sorted(places)
    with pytest.raises(InputError):
        landmark_layouts(n, n // 2 + 1)


def test_distance_in_the_plain_way() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(2, 30))
        marked = rng.choice(n, int(rng.integers(1, n)), replace=False).tolist()
        plain = [min(abs(t - i) for i in marked) for t in range(n) if t not in marked]
        assert mean_distance(n, marked) == pytest.approx(sum(plain) / len(plain))
    for nothing in ([], [0, 1, 2]):
        with pytest.raises(InputError):
            mean_distance(3, nothing)


def test_the_own_loss_is_the_landmark_loss_of_t_alone_between_its_neighbours() -> None:
    """Between the landmarks beside it t is the only landmark, and its loss there is its own."""
    p, rng = smoothed_identity(3, 0.1), np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(3, 12))
        budgets, marked = rng.uniform(0.05, 0.5, n), sorted(rng.choice(n, 2, replace=False).tolist())
        own = own_losses(p, p, budgets, marked)
        assert np.isnan(own[marked]).all()
        for t in set(range(n)) - set(marked):
            together = sorted({*marked, t})
            k = together.index(t)
            first = together[k - 1] + 1 if k else 0
            last = together[k + 1] if k + 1 < len(together) else n
            assert own[t] == pytest.approx(landmark_loss(p, p, budgets[first:last], [t - first])[t - first])


def test_curves_are_drawn_apart_without_colour() -> None:
    figure = curves({name: [1.0, 2.0] for name in "abcd"}, levels={"e": 1.0}, ticks={"one": 1.0}, log_y=True)
    assert len({trace["line"]["dash"] for trace in figure["data"]}) == 5
    assert figure["layout"]["xaxis"]["ticktext"] == ["one"] and figure["layout"]["yaxis"]["type"] == "log"
    assert curves({"a": np.zeros(100)})["data"][0]["mode"] == "lines"
