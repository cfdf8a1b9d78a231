"""What the page says: true of the numbers, honest about what has no guarantee, silent about coordinates."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lmdk_widgets.geoind import Channel, solver
from lmdk_widgets.geoind.mechanisms import LEAST, Assessment, excess
from lmdk_widgets.geoind.solvers import TOLERANCE
from lmdk_widgets.linear import engine
from lmdk_widgets.pages.place import MECHANISMS, Outcome, PlaceChoices, Point, Solvers, Solving, assess, evaluate
from lmdk_widgets.pages.place.certificate import certificate, guarantee
from lmdk_widgets.pages.place.page import tell
from lmdk_widgets.pages.place.words import (
    SUBJECTS,
    above_the_best,
    bound_percent,
    describe,
    length,
    percent,
    provisional,
    stale,
    status,
)

SMALL = PlaceChoices(rows=3, columns=3, prior="uniform", other="city")


@pytest.fixture(scope="module")
def solved() -> Outcome:
    out = evaluate(SMALL)
    assessed = {
        s.mechanism: s.assessed for s in Solvers().solve(out.instance, SMALL) if s.finished and s.assessed is not None
    }
    return out.with_results(assessed, Solving())


def shown(out: Outcome, **changes: object) -> Outcome:
    return evaluate(out.places.with_changes(**changes)).with_results(out.assessed, out.solving)


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_the_paragraph_speaks_of_the_mechanism_that_is_shown_beside_planar_laplace(
    solved: Outcome, mechanism: str
) -> None:
    text = describe(shown(solved, mechanism=mechanism)).paragraph
    own, plain = solved.assessed[mechanism].loss_m, solved.assessed["planar"].loss_m
    assert f"With {SUBJECTS[mechanism]}, the report is off by {length(own)} on average" in text
    assert "so far" not in text
    assert ("by a factor of at most" in text) == (mechanism != "private")
    if plain - own > 1:
        assert (
            f"with planar Laplace, by {length(plain)}: {SUBJECTS[mechanism]} saves {percent(1 - own / plain)} of that"
            in text
        )


@cache
def incumbents(mechanism: str) -> list[Assessment]:
    """The incumbents of a mechanism on 16 cells while it gets better, without the last."""
    places = PlaceChoices(rows=4, columns=4, mechanism=mechanism)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "SHOWN_S", 0.0)
        patch.setattr(solver, "PAUSE", 0)
        patch.setattr(engine, "SLICE", 20)
        steps = list(Solvers(1e-6).solve(evaluate(places).instance, places))
    return [s.assessed for s in steps if s.mechanism == mechanism and s.assessed is not None and not s.finished]


@pytest.mark.machine_code
@pytest.mark.parametrize("mechanism", LEAST)
@pytest.mark.parametrize("state", ["solving", "cancelled"])
def test_an_incumbent_is_never_told_as_final(mechanism: str, state: str) -> None:
    out = evaluate(PlaceChoices(rows=4, columns=4, mechanism=mechanism))
    coarse = [p for p in incumbents(mechanism) if p.channel.gap > TOLERANCE]
    assert coarse
    for incumbent in coarse:
        now = out.with_results({mechanism: incumbent}, Solving(state, mechanism, excess(incumbent.channel), 1.0))
        said = f"{length(incumbent.loss_m)} on average so far ({above_the_best(excess(incumbent.channel), mechanism)})"
        rows = dict(certificate(now).rows)
        assert said in describe(now).paragraph and provisional(now, mechanism)
        assert rows["Quality loss"] == said.replace(" on average", "")
        assert rows["Least possible loss"].startswith(("not known yet, between", "at most"))
        assert (
            rows["Least possible loss"].startswith("not")
            or f"at most {bound_percent(excess(incumbent.channel))}" in said
        )


def test_the_loss_on_the_way_is_no_farther_above_the_least_than_said(solved: Outcome) -> None:
    *_, best = Solvers(1e-7).incumbents("optimal", evaluate(PlaceChoices(rows=4, columns=4)).instance, 0.001, 1.1)
    assert best.assessed is not None
    for incumbent in incumbents("optimal"):
        assert incumbent.loss_m / best.assessed.loss_m - 1 <= excess(incumbent.channel) + 1e-9


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("state", ["solving", "cancelled", "failed"])
def test_without_a_mechanism_headline_certificate_and_map_all_say_so(
    solved: Outcome, mechanism: str, state: str
) -> None:
    others = {m: j for m, j in solved.assessed.items() if m != mechanism}
    now = shown(solved, mechanism=mechanism).with_results(others, Solving(state, mechanism, reason="no."))
    text = describe(now).paragraph
    why = "is not solved yet" if state == "solving" else "was not solved"
    assert f"{SUBJECTS[mechanism][1:]} {why}" in text
    assert (
        now.shown.meaning == "prior"
        and not certificate(now).rows
        and guarantee(now).endswith("the map shows the prior.")
    )
    told = [length(solved.assessed["planar"].loss_m)] if mechanism != "planar" else []
    assert [word for word in text.split(" by ")[1:]] == [f"{t} on average." for t in told]
    assert "mechanism stays" not in status(now)


def test_a_report_that_is_never_made_has_no_belief_and_no_guess(solved: Outcome) -> None:
    matrix = np.zeros((9, 9))
    matrix[:, 4] = 1.0
    never = assess(Channel(matrix, 1.0, 0.0, 0.0, 0.001, bound=1.0), solved.instance)
    for mechanism in ("optimal", "spanner", "remapped"):
        out = shown(solved, mechanism=mechanism, click="report", place=0).with_results({mechanism: never}, Solving())
        found = out.shown
        assert (found.meaning, found.guess, found.likely) == ("never", -1, 0.0) and np.isnan(found.values).all()
        text = tell(out, out.area.names)
        assert text.startswith(f"The report A1 is never made by {SUBJECTS[mechanism]}") and "guesses" not in text
        made = shown(out, place=4)
        assert made.shown.meaning == "belief" and made.shown.guess >= 0
    assert set(never.remap.tolist()) == {int((solved.instance.prior @ solved.instance.distances_m).argmin())}


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_certificate_and_guarantee_of_each_mechanism(solved: Outcome, mechanism: str) -> None:
    out = shown(solved, mechanism=mechanism)
    rows = dict(certificate(out).rows)
    said, warned = guarantee(out), " ".join(describe(out).warnings)
    if mechanism == "private":
        assert "No ε bounds what its report reveals." in said and "not guarantee geo-indistinguishability" in warned
        assert rows["ε certified"] == "unbounded" and rows["ε asked for"].startswith("none")
    else:
        assert said.startswith("Geo-indistinguishability against everyone") and not warned
        assert float(rows["ε certified"].split()[0]) <= 1
        assert rows["ε asked for"].startswith("1 within 1.0 km")
    assert ("Least possible loss" in rows) == (mechanism in ("optimal", "spanner"))
    assert ("Dilation" in rows) == (mechanism == "spanner")


def test_a_mechanism_of_another_level_is_said_to_be_that(solved: Outcome) -> None:
    out = shown(solved, level=1.5)
    assert out.present is not None and stale(out, out.present) and not stale(solved, solved.assessed["optimal"])
    assert "the previous mechanism" in dict(certificate(out).rows)["ε asked for"]
    assert "but this is the mechanism for level 1" in describe(out).paragraph
    assert "adversary" not in describe(out).paragraph


def test_what_the_map_shows_in_words(solved: Outcome) -> None:
    names = solved.area.names
    true = tell(shown(solved, place=4), names)
    assert true.startswith("From the true place B2 (prior 11 %), the optimal mechanism reports most often: ")
    report = shown(solved, place=0, click="report")
    assert tell(report, names).startswith("After the report A1") and report.shown.guess >= 0
    assert report.shown.values.sum() == pytest.approx(1)
    painted = shown(solved, click="paint", mechanism="planar")
    assert tell(painted, names).startswith("The prior") and painted.shown.selected == -1
    assert np.array_equal(painted.shown.values, painted.instance.prior)
    assert tell(evaluate(SMALL), names).startswith("The prior")


def test_the_likeliest_cell_is_shown_when_none_was_chosen(solved: Outcome) -> None:
    assert shown(solved, prior="city").shown.selected == int(np.argmax(shown(solved, prior="city").instance.prior))


def test_warnings_for_tracks_and_empty_cells() -> None:
    out = evaluate(PlaceChoices(area="track", prior="time"))
    assert "come from the track itself" in " ".join(describe(out).warnings)
    weights = [0.0, 0.0, *[1.0] * 7]
    out = evaluate(SMALL.with_changes(prior="painted", painted=weights))
    assert "Two cells have probability 0" in " ".join(describe(out).warnings)
    assert describe(out).paragraph.startswith("Nine cells") and "there is no mechanism yet" in describe(out).paragraph


def test_status_says_how_far_it_is() -> None:
    out = evaluate(SMALL)
    assert status(out) == ""
    assert "at most 1.2 % above the best" in status(out.with_results({}, Solving("solving", "optimal", 0.012, 2.0)))
    assert "not known yet" in status(out.with_results({}, Solving("solving", "optimal", float("inf"), 0.1)))
    assert status(out.with_results({}, Solving("cancelled"))) == "Cancelled before there was a mechanism."
    assert status(out.with_results({}, Solving("failed", reason="no."))) == "Solving ended: no."
    begun = replace(out, charts=replace(out.charts, begun=True, points=(Point("planar", 1.0, 1, 1, 1, 1),)))
    assert status(begun) == "Computing the charts, 2.2 %"
