"""The choices of the quilt lab: frozen, checked, JSON-able; and the series they name."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import SeriesChoices, evaluate, household_text, household_watts, read_own, series_of
from lmdk_widgets.pages.series.model import MAX_STATES, SOURCES


def test_choices_survive_json_and_cannot_be_changed() -> None:
    choices = SeriesChoices(epsilon=0.3, releases=(1, 2), node=4, source="binary")
    again = SeriesChoices.from_dict(json.loads(json.dumps(choices.to_dict())))
    assert again == choices and again.releases == (1.0, 2.0)
    with pytest.raises(FrozenInstanceError):
        choices.epsilon = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilon": 0},
        {"epsilon": float("nan")},
        {"epsilon": True},
        {"epsilon": "1"},
        {"every": 1.5},
        {"length": 1},
        {"stay_one": 1.1},
        {"theta": "two"},
        {"source": "elsewhere"},
        {"releases": []},
        {"releases": [1.0] * 9},
        {"releases": [0.0]},
        {"releases": 1.0},
        {"node": -2},
        {"truth_percent": 100},
        {"own": "text"},
        {"nothing": 1},
    ],
)
def test_what_is_out_of_range_is_refused_in_a_sentence(wrong: dict) -> None:
    with pytest.raises(InputError) as refused:
        SeriesChoices().with_changes(**wrong)
    assert str(refused.value).endswith(".")


def test_a_timestamp_that_is_wrong_counts_as_on_the_page() -> None:
    with pytest.raises(InputError) as refused:
        SeriesChoices(a_first=-1)
    assert refused.value.sentence == "Start of A must be a whole number between 1 and 5,000; got 0."
    assert str(refused.value).endswith(" In Python: between 0 and 4,999, as Python counts from 0.")


def test_a_series_of_ones_own_wants_one() -> None:
    for look in (series_of, evaluate):
        with pytest.raises(InputError, match="A series of your own must be uploaded first. Upload one"):
            look(SeriesChoices(source="own"))


def test_another_source_is_read_as_suits_it() -> None:
    choices = SeriesChoices(node=200).with_source("activities")
    assert (choices.source, choices.every, choices.node) == ("activities", 4, -1)
    for source in set(SOURCES) - {"own"}:
        series = series_of(SeriesChoices().with_source(source))
        assert 2 <= series.n_states <= MAX_STATES and len(series) <= 400
        assert series.states.min() >= 0 and series.states.max() < series.n_states
        assert series is series_of(SeriesChoices().with_source(source)), "made once"


def test_levels_of_power() -> None:
    fine, coarse = (series_of(SeriesChoices(level_w=w, every=1)) for w in (100.0, 1000.0))
    assert len(fine) == len(coarse) == 2880
    watts = household_watts()
    assert coarse.labels[0] == "0–1000 W"
    assert (coarse.states == watts // 1000).all()
    assert (fine.states + watts.min() // 100 == watts // 100).all()
    assert coarse.clock(1441) == "day 2, 00:01"


def test_too_many_states_or_timestamps_say_what_to_do() -> None:
    with pytest.raises(InputError, match="Choose wider levels"):
        series_of(SeriesChoices(level_w=50.0, every=1))
    with pytest.raises(InputError, match="Choose larger cells"):
        series_of(SeriesChoices().with_source("track", track="taxi", cell_m=100.0))
    own = read_own(b"0\n1\n" * 6000)
    with pytest.raises(InputError, match="Read it less often"):
        series_of(SeriesChoices().with_source("own"), own)
    assert len(series_of(SeriesChoices().with_source("own", every=5), own)) == 2400


def test_the_household_reads_back_from_its_own_format() -> None:
    own = read_own(household_text().encode())
    assert own.watts is not None
    assert np.abs(own.watts - household_watts()).max() < 1e-9
    mine = series_of(SeriesChoices().with_source("own", every=10), own)
    bundled = series_of(SeriesChoices())
    assert (mine.states == bundled.states).all() and mine.labels == bundled.labels
