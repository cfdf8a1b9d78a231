"""A report that is repeated while standing still, one made again and one after a noisy test: what they save and tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.budgets import release
from lmdk_widgets.budgets.repeated_reports import repeat_while_standing, reports_anew
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.blocks import Text
from lmdk_widgets.pages.track.repeat_reports import Standing, compare_standing
from lmdk_widgets.trajectory import sample
from tests.landmark_choices import chosen, finished, page_of

WAIT = np.array([[0.0, 0.0], [20.0, 0.0], [40.0, 0.0], [300.0, 0.0], [300.0, 0.0], [0.0, 0.0]])


def test_a_report_is_made_anew_where_one_is_farther_than_that_from_where_it_was_made() -> None:
    assert reports_anew(WAIT, 30.0).tolist() == [True, False, True, True, False, True]
    assert reports_anew(WAIT, 0.0).tolist() == [True, True, True, True, False, True]
    reports, anew = repeat_while_standing(WAIT, 0.01, 50.0, np.random.default_rng(2))
    assert anew.tolist() == [True, False, False, True, False, True]
    assert ((reports[1:] == reports[:-1]).all(axis=1) == ~anew[1:]).all(), (
        "a repeat says for certain that one stood still"
    )
    with pytest.raises(InputError, match="Still_m must be"):
        reports_anew(WAIT, -1.0)


def test_the_three_ways_by_loops() -> None:
    """Each release made one by one with the same random numbers; anew has the mean of planar Laplace, 2 r w / eps."""
    found = compare_standing(WAIT, 2.0, 4, 100.0, 50.0, 3)
    anew, repeat, tested = found.ways
    assert (found.stood, found.of, found.draws) == (3, 5, 200)
    assert anew == ("anew", 6.0, pytest.approx(400.0), 0.6, 2.0)
    assert (repeat.new, repeat.right, repeat.epsilon) == (3.0, 1.0, math.inf)
    rng = np.random.default_rng(3)
    off = []
    for _ in range(200):
        reports, _ = repeat_while_standing(WAIT, 2.0 / 4 / 100.0, 50.0, rng)
        off.append(np.mean([math.dist(a, b) for a, b in zip(reports.tolist(), WAIT.tolist(), strict=True)]))
    errors, new, right = [], [], []
    stood = [True, True, False, True, False]
    for _ in range(200):
        out = release(WAIT, "predictive", [], 2.0, PlanarLaplace(100.0), rng=rng, window=4)
        errors.append(np.linalg.norm(out.outputs - WAIT, axis=1).mean())
        new.append(int(out.published.sum()))
        right.append(np.mean([(not p) == s for p, s in zip(out.published[1:].tolist(), stood, strict=True)]))
    assert repeat.error_m == pytest.approx(np.mean(off))
    assert (tested.error_m, tested.new) == (pytest.approx(np.mean(errors)), pytest.approx(np.mean(new)))
    assert tested.right == pytest.approx(max(np.mean(right), 0.6)) and tested.epsilon == 2.0


@pytest.mark.long
def test_the_page_says_that_a_repeat_is_not_private() -> None:
    choices = chosen(track="commuter", standing__open=True, epsilon=1.0, window=12)
    outcome = finished(choices, sample("commuter"))
    first, second, table = Standing().blocks(choices, outcome)
    assert isinstance(first, Text) and "It is not private" in first.text and "All 2,015 guesses are right" in first.text
    assert "0.50 pays for the tests" in second.text and "at most three new reports" in second.text
    assert table.texts()[1][0] == "Repeated while standing still" and table.texts()[1][-1] == "no bound"
    page = page_of(choices, sample("commuter"))
    assert "standing_m" not in page.session.save("standing").data.decode()
    assert "three ways" in page.report().data.decode()


def test_whoever_never_stands_still_reports_the_same() -> None:
    choices = chosen(standing__open=True)
    first, *_ = Standing().blocks(choices, finished(choices, sample("bob")))
    assert isinstance(first, Text)
    assert first.text.startswith("Repeating a report while you stand still takes the same eight reports. It is not")


def test_a_series_has_no_place_to_stand_still_at() -> None:
    choices = chosen(track="household", standing__open=True)
    outcome = page_of(choices).outcome
    assert list(Standing().blocks(choices, outcome)) == []
