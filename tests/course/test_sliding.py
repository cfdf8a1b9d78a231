"""Figures with sliders: each stop shows what the page shows with this choice, and a reader without a kernel gets the same."""

from __future__ import annotations

import json
from math import ceil, log

import pytest

from lmdk_widgets.course.figures import foundations_figure, track_figure
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.figure_view import SlidingFigure
from lmdk_widgets.page.blocks import Chart, Text
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.neighbours import most_believed
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample


def test_the_last_slider_changes_fastest_and_each_begins_where_it_says() -> None:
    figure = Sliding(lambda a, b: [Text(f"{a}{b}")], (Stops("a", (1, 2), 1), Stops("b", "xyz")))
    told = figure.message()
    assert [blocks[0]["shown"] for blocks in told["frames"]] == ["1x", "1y", "1z", "2x", "2y", "2z"]
    assert [(each["at"], each["stops"]) for each in told["sliders"]] == [(1, ["1", "2"]), (0, ["x", "y", "z"])]
    assert ">2x<" in figure.html() and told["opens"] == ""
    with pytest.raises(InputError):
        Sliding(figure.draw, (Stops("a", range(100)), Stops("b", range(3))))


def test_a_stop_is_the_page_with_that_choice() -> None:
    priors = (0.1, 0.3, 0.5)
    coins = TableChoices(part="noise", mechanism="two-coin", prior=0.3)
    told = foundations_figure(coins, "belief", prior=priors).message()
    assert told["sliders"] == [{"label": "Belief before", "stops": ["0.1", "0.3", "0.5"], "at": 1}]
    assert told["opens"].startswith("page=table&") and "prior=0.3" in told["opens"]
    for prior, (block,) in zip(priors, told["frames"], strict=True):
        assert f"at most {ceil(100 * most_believed(prior, log(3)) - 1e-9)} %" in block["shown"]["summary"]
    json.dumps(told, allow_nan=False)


def test_a_track_has_the_budgets_of_its_scheme() -> None:
    bob = Scenario(track="bob", landmarks=(0, 2, 4, 7), correlation="none")
    schemes = ("uniform", "user")
    figure = track_figure(bob, "budgets", scheme=schemes)
    for scheme in schemes:
        (chart,) = figure.draw(scheme)
        assert isinstance(chart, Chart)
        budgets = evaluate(bob.with_changes(scheme=scheme), sample("bob")).budgets
        assert next(trace["y"] for trace in chart.figure["data"]) == pytest.approx(budgets.tolist())
    view = SlidingFigure(figure)
    assert view.reading() == figure.html() and "<figure" in view.reading()
    view.close()
