"""The spanner on the map, the loss allowed to OptPriv, and the preset of the paper's figure."""

from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.mechanisms import excess
from lmdk_widgets.pages.place import PlaceChoices, evaluate
from lmdk_widgets.pages.place.certificate import certificate
from lmdk_widgets.pages.place.edges import edges_of
from lmdk_widgets.pages.place.figures import adversary_figure
from lmdk_widgets.pages.place.improve import improve
from lmdk_widgets.pages.place.model import PRESETS
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.place.words import describe


def solved(places):
    """The outcome with all mechanisms, without the charts."""
    for outcome in improve(evaluate(places)):
        if not outcome.solving.state:
            return outcome
    raise AssertionError("never solved")


@pytest.fixture(scope="module")
def paris():
    session = PlaceSession()
    session.apply([{"op": "preset", "name": "paris"}], commit=True)
    return solved(session.choices)


def test_preset_has_the_spanner_of_the_paper(paris):
    edges = edges_of(paris)
    assert len(paris.instance) == 35 and len(edges.cells) == 118
    assert round(paris.present.channel.dilation, 4) == 1.0797
    assert dict(certificate(paris).rows)["Dilation"] == "1.08 asked for, 1.0797 reached"
    assert "118;" in dict(certificate(paris).rows)["Edges of the spanner"]


def test_preset_can_be_undone_and_an_unknown_one_is_refused():
    session = PlaceSession()
    before = session.choices
    session.apply([{"op": "preset", "name": "paris"}], commit=True)
    assert session.choices.dilation == 1.08 and session.choices.mechanism == "spanner"
    session.apply([{"op": "undo"}], commit=True)
    assert session.choices == before
    with pytest.raises(InputError, match="preset"):
        session.apply([{"op": "preset", "name": "rome"}], commit=True)
    assert all(PlaceChoices().with_changes(**changes) for _, changes in PRESETS.values())


@pytest.mark.parametrize("click, place", [("true", -1), ("report", 3), ("report", 17)])
def test_binding_edges_are_those_a_plain_loop_finds(paris, click, place):
    outcome = solved(paris.places.with_changes(click=click, place=place))
    edges, channel, apart = edges_of(outcome), outcome.present.channel, outcome.instance.distances_m
    reports = range(len(outcome.instance)) if click == "true" else [place]
    per_m = outcome.places.epsilon_per_m / 1.0796691275336339  # the dilation of the paper's spanner
    for (x, y), binds in zip(edges.cells.tolist(), edges.binding.tolist(), strict=True):
        ratios = [
            abs(np.log(channel.matrix[x, z] / channel.matrix[y, z])) / (per_m * apart[x, y])
            for z in reports
            if min(channel.matrix[x, z], channel.matrix[y, z]) > 1e-12
        ]
        assert binds == (max(ratios, default=0.0) > 1 - 1e-6)
        assert max(ratios, default=0.0) < 1 + 1e-6


def test_edges_are_drawn_for_the_spanner_alone(paris):
    assert edges_of(evaluate(PlaceChoices(rows=3, columns=3))) is None
    waiting = edges_of(evaluate(paris.places))
    assert len(waiting.cells) == 118 and not waiting.binding.any()


@pytest.mark.parametrize("percent", [0.0, 50.0, 100.0, 180.0, 1000.0])
def test_optpriv_reaches_the_error_that_its_loss_allows(percent):
    outcome = solved(PlaceChoices(rows=4, columns=4, mechanism="private", loss_percent=percent))
    allowed = percent / 100 * outcome.assessed["optimal"].loss_m
    private = outcome.assessed["private"]
    assert private.loss_m <= allowed * (1 + 1e-9)
    assert private.error_m == pytest.approx(min(allowed, outcome.instance.blind_m), rel=1e-6, abs=1e-6)
    asked = dict(certificate(outcome).rows)["ε asked for"]
    assert ("as much as the optimal" in asked) == (percent == 100)
    assert percent == 100 or f"{percent:g} % of the optimal mechanism's loss" in asked


def test_words_name_the_loss_allowed_and_call_the_solution_one_of_many():
    outcome = solved(PlaceChoices(rows=4, columns=4, mechanism="private", loss_percent=80.0))
    figure, text = adversary_figure(outcome)
    assert "allowed 80 % of its loss" in text and "luck" not in text
    assert any("q = 80 %" in name for name in figure["data"][0]["x"])
    assert any("this is the one that the solver HiGHS finds" in warning for warning in describe(outcome).warnings)


def test_a_changed_loss_leaves_no_old_optpriv_behind():
    session = PlaceSession(PlaceChoices(rows=3, columns=3, mechanism="private"))
    for outcome in session.improve(session.outcome):
        session.outcome = outcome
        if not outcome.solving.state:
            break
    session.apply([{"op": "set", "name": "loss_percent", "value": 60}], commit=True)
    assert "private" not in session.outcome.assessed and "optimal" in session.outcome.assessed
    assert session.outcome.solving.state == "solving"


def test_a_certificate_has_as_many_digits_as_its_gap_allows():
    """The loss and what is proven to be the least are different numbers, and look different."""
    for changes in ({}, {"mechanism": "spanner"}):
        outcome = solved(PlaceChoices(**changes))
        channel, rows = outcome.present.channel, dict(certificate(outcome).rows)
        if excess(channel) <= 1e-9:  # HiGHS, where there is no machine code, may leave no gap
            assert rows["Least possible loss"].startswith("this one")
            continue
        said = [float(rows[name].split(" km")[0]) for name in ("Quality loss", "Least possible loss")]
        assert excess(channel) < 1e-7 and said[0] - said[1] == pytest.approx(1e-6)
        assert said[1] <= channel.bound / 1000 < channel.quality_loss / 1000 <= said[0]
        coarse = replace(channel, bound=channel.quality_loss * (1 - 3e-5), gap=3e-5)
        present = replace(outcome.present, channel=coarse)
        rows = dict(certificate(outcome.with_results({outcome.places.mechanism: present}, outcome.solving)).rows)
        assert len(rows["Least possible loss"].split(" km")[0]) == len("1.234")


def test_the_spanner_of_a_larger_dilation_that_is_not_reached_loses_no_more():
    lost = [
        solved(PlaceChoices(rows=5, columns=5, prior="uniform", mechanism="spanner", dilation=d)).present.loss_m
        for d in (1.1, 1.2, 1.3)
    ]
    assert lost == pytest.approx([1266.598] * 3, abs=0.01)
