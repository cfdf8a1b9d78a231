"""What the laboratory says: true of the numbers, honest about what has no guarantee, silent about coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.geoind import Channel
from lmdk_widgets.scenario.places import MECHANISMS, Bench, Outcome, Places, Solving, evaluate, judge
from lmdk_widgets.scenario.places.words import certificate, describe, guarantee, length, percent, stale, status, tell

SMALL = Places(rows=3, columns=3, prior="uniform", other="city")


@pytest.fixture(scope="module")
def solved() -> Outcome:
    out = evaluate(SMALL)
    judged = {s.mechanism: s.judged for s in Bench().solve(out.ground, SMALL) if s.finished and s.judged is not None}
    return out.with_results(judged, Solving())


def shown(out: Outcome, **changes: object) -> Outcome:
    return evaluate(out.places.with_changes(**changes)).with_results(out.judged, out.solving)


def test_the_paragraph_has_the_losses_and_the_saving(solved: Outcome) -> None:
    text = describe(solved).paragraph
    for name in ("optimal", "planar", "remapped"):
        assert length(solved.judged[name].loss_m) in text
    saved = 1 - solved.judged["optimal"].loss_m / solved.judged["planar"].loss_m
    assert f"saves {percent(saved)}" in text and "factor of 2.72" in text


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_certificate_and_guarantee_of_each_mechanism(solved: Outcome, mechanism: str) -> None:
    out = shown(solved, mechanism=mechanism)
    rows = dict(certificate(out))
    said, warned = guarantee(out), " ".join(describe(out).warnings)
    assert rows["Clipped, mixed"]
    if mechanism == "private":
        assert "no geo-indistinguishability" in said and "no geo-indistinguishability" in warned
        assert rows["ε certified"] == "without bound" and rows["ε asked for"].startswith("none")
    else:
        assert said.startswith("Geo-indistinguishability, against everybody") and not warned
        assert float(rows["ε certified"].split()[0]) <= 1
        assert rows["ε asked for"].startswith("1 within 1.0 km")
    assert ("Gap to the optimum" in rows) == (mechanism in ("optimal", "spanner"))
    assert ("Dilation" in rows) == (mechanism == "spanner")


def test_what_was_mended_is_said(solved: Outcome) -> None:
    best = solved.judged["optimal"].channel
    mended = Channel(best.matrix, best.quality_loss, best.epsilon, best.gap, 0.001, clipped=1e-12, mixed=2e-9)
    out = solved.with_results({"optimal": judge(mended, solved.ground)}, Solving())
    text = dict(certificate(out))["Clipped, mixed"]
    assert "1e-12" in text and "2e-09" in text


def test_a_picture_of_another_level_is_said_to_be_that(solved: Outcome) -> None:
    out = shown(solved, level=1.5)
    assert out.present is not None and stale(out, out.present) and not stale(solved, solved.judged["optimal"])
    assert "the picture before" in dict(certificate(out))["ε asked for"]
    assert "still solving" in describe(out).paragraph


def test_what_the_map_shows_in_words(solved: Outcome) -> None:
    names = solved.area.names
    true = tell(shown(solved, place=4), names)
    assert true.startswith("From the true place B2 (prior 11 %), the optimal mechanism reports most often: ")
    report = shown(solved, place=0, click="report")
    assert tell(report, names).startswith("After the report A1") and report.shown.guess >= 0
    assert report.shown.values.sum() == pytest.approx(1)
    painted = shown(solved, click="paint", mechanism="planar")
    assert tell(painted, names).startswith("The prior") and painted.shown.selected == -1
    assert np.array_equal(painted.shown.values, painted.ground.prior)
    assert tell(evaluate(SMALL), names).startswith("The prior")


def test_the_likeliest_cell_is_shown_when_none_was_chosen(solved: Outcome) -> None:
    assert shown(solved, prior="city").shown.selected == int(np.argmax(shown(solved, prior="city").ground.prior))


def test_warnings_for_tracks_and_empty_cells() -> None:
    out = evaluate(Places(area="track", prior="time"))
    assert "come from the track itself" in " ".join(describe(out).warnings)
    weights = [0.0, 0.0, *[1.0] * 7]
    out = evaluate(SMALL.with_changes(prior="painted", painted=weights))
    assert "Two cells have probability 0" in " ".join(describe(out).warnings)
    assert describe(out).paragraph.startswith("Nine cells")


def test_status_says_how_far_it_is() -> None:
    assert status(Solving()) == ""
    assert "gap so far 1.2 %" in status(Solving("solving", "optimal", 0.012, 2.0))
    assert "last good picture" in status(Solving("cancelled"))
    assert status(Solving("failed", reason="no.")) == "Solving ended: no."
