"""Distances of the privacy, of the report and of the guess, each of its own; mornings and evenings; errors by cell."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import adversary_error, quality_loss
from lmdk_widgets.geoind.mechanisms import MECHANISMS
from lmdk_widgets.page.link import to_query
from lmdk_widgets.pages.place import PlaceChoices, Solvers, Sources, evaluate, improve, read_checkins
from lmdk_widgets.pages.place.distances import read_matrix
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.place.words import describe
from tests.geoind.places import slow_epsilon

MINUTES = b"0;4;9;20\n4;0;4;9\n9;4;0;30\n20;7;4;0\n"
CHOICES = PlaceChoices(rows=2, columns=2, prior="uniform", cell_m=1000.0, other="uniform")


def solved(places: PlaceChoices, sources: Sources) -> dict:
    outcome = evaluate(places, sources)
    last = {step.mechanism: step.assessed for step in Solvers().solve(outcome.instance, places) if step.finished}
    assert set(last) == set(MECHANISMS)
    return last


def test_a_matrix_counts_the_shorter_way_and_the_way_over_others() -> None:
    """By hand: A1 to B2 is 20 minutes, 13 over B1 and 4 + 4 + 4 with the way back from B2 to A2; 30 becomes 4."""
    found = read_matrix(MINUTES)
    assert found.values.tolist() == [[0, 4, 8, 11], [4, 0, 4, 7], [8, 4, 0, 4], [11, 7, 4, 0]]
    assert (found.unlike, found.shortened) == (2, 2)


def test_what_of_a_matrix_is_not_as_in_the_file_is_said() -> None:
    session = PlaceSession(PlaceChoices(rows=2, columns=2))
    assert "were read." in read_matrix(b"0,5\n5,0\n").said and "pair" not in read_matrix(b"0,5\n5,0\n").said
    said = session.with_file(session.read(b"0,1,9\n2,0,3\n9,3,0\n", "walk.csv", purpose="distances"))[1]
    assert said == (
        "Distances between 3 cells were read. For 1 pair the two directions differ: the shorter one counts. "
        "For 1 pair a route through other cells is shorter, so it counts."
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b"0,1\n1,0,2\n",
            "Each row of the distances must have 2 numbers, as there are 2 rows; got 1 with more or fewer.",
        ),
        (b"0,-1\n1,0\n", "Distances must be numbers between 0 and 1,000,000,000; got something else in line 1."),
        (
            b"0,1,x\n1,0,1\n1,1,0\n",
            "Distances must be numbers between 0 and 1,000,000,000; got something else in line 1.",
        ),
        (b"0,1\n1,2\n", "The distance from a cell to itself must be 0; got another number in row 2."),
        (
            b"0,0\n5,0\n",
            "The distance between two cells must be above 0; got 0. With no distance between them, two cells would be one.",
        ),
        (b"", "Distances must be of between 2 and 225 cells; got 0 rows."),
        (b"\xff\xfe", "Distances must be text in UTF-8. Save them as UTF-8."),
    ],
)
def test_a_file_of_no_distances_is_refused_in_words(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_matrix(data)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("by", ["manhattan", "squared", "matrix"])
@pytest.mark.parametrize("of", ["privacy_by", "quality_by", "error_by"])
def test_every_certificate_holds_by_the_distances_that_are_chosen(of: str, by: str) -> None:
    """Each mechanism, recomputed from its matrix: private over all pairs, the loss and the error by their own distances."""
    sources, name = Sources().with_matrix(read_matrix(MINUTES))
    places = CHOICES.with_changes(distances=name, **{of: by})
    found, instance = solved(places, sources), evaluate(places, sources).instance
    straight = evaluate(CHOICES).instance.distances_m
    apart = {
        "manhattan": np.array([[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]) * 1000.0,
        "squared": np.array([[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]) * 1000.0,
        "matrix": 80.0 * np.array([[0, 4, 8, 11], [4, 0, 4, 7], [8, 4, 0, 4], [11, 7, 4, 0]]),
    }[by]  # of a square the squares over 1 km add up to what streets are
    own = {each: apart if each == of else straight for each in ("privacy_by", "quality_by", "error_by")}
    for mechanism, each in found.items():
        matrix = each.channel.matrix
        epsilon = slow_epsilon(matrix.tolist(), own["privacy_by"].tolist())
        assert each.channel.epsilon == pytest.approx(epsilon, rel=1e-12)
        assert mechanism == "private" or epsilon <= places.epsilon_per_m * (1 + 1e-12)
        assert each.loss_m == pytest.approx(quality_loss(matrix, instance.prior, own["quality_by"]))
        assert each.error_m == pytest.approx(adversary_error(matrix, instance.prior, own["error_by"]))


def test_errors_by_cell_have_the_averages_that_are_said() -> None:
    places = CHOICES.with_changes(prior="city", error_by="manhattan", quality_by="squared", mechanism="planar")
    *_, outcome = improve(evaluate(places))
    present, prior = outcome.present, outcome.instance.prior
    assert float(prior @ present.reader_m) == pytest.approx(present.loss_m)
    assert float(prior @ present.attacker_m) == pytest.approx(present.error_m)


def test_distances_are_of_the_cells_and_in_no_link() -> None:
    session = PlaceSession(CHOICES)
    state, said = session.with_file(session.read(MINUTES, "minutes.csv", purpose="distances"))
    session.show(state)
    assert (
        said.startswith("Distances between 4 cells were read. For 2 pairs")
        and session.choices.by_matrix
        and session.is_own
    )
    assert session.choices.left_out() == ("your distances",)
    assert to_query(session.choices) == "page=place&v=3&rows=2&columns=2&prior=uniform&other=uniform"
    assert "distances='minutes.csv'" in session.python() and not session.outcome.instance.public
    session.apply([{"op": "set", "name": "rows", "value": 3}], commit=True)
    assert not session.choices.by_matrix, "other cells have other distances"
    with pytest.raises(InputError, match="a row and a column for each of the 6 cells; got 4 of them"):
        session.apply([{"op": "set", "name": "privacy_by", "value": "matrix"}], commit=True)
    with pytest.raises(InputError, match="must be uploaded first"):
        evaluate(CHOICES.with_changes(error_by="matrix"))


TIMED = b"""user,time,lat,lon
a,2026-03-01T08:00:00Z,48.857,2.330
b,2026-03-01T11:49:00Z,48.857,2.330
c,2026-03-01T11:52:00Z,48.865,2.341
d,soon,48.865,2.330
"""


def test_mornings_and_evenings_of_many_people_are_told_by_the_sun() -> None:
    """At 2.33 degrees east noon by the sun is at 11:50:40 UTC; what cannot be read counts for neither."""
    sources, name = Sources().with_checkins(read_checkins(TIMED))
    places = CHOICES.with_changes(prior="morning-checkins", other="evening-checkins", checkins=name)
    outcome = evaluate(places, sources)
    assert outcome.instance.prior.tolist() == [1, 0, 0, 0] and outcome.instance.other.tolist() == [0, 0, 0, 1]
    assert evaluate(places.with_changes(prior="checkins"), sources).instance.prior.tolist() == [0.5, 0, 0.25, 0.25]
    assert to_query(places) == "page=place&v=3&rows=2&columns=2&other=uniform"
    session = PlaceSession(places, checkins=read_checkins(TIMED))
    assert any("is their secret" in warning for warning in describe(session.outcome).warnings)
    without = read_checkins(TIMED.replace(b"time", b"note"))
    with pytest.raises(InputError, match="must have times for mornings and evenings"):
        evaluate(places, Sources().with_checkins(without)[0])


def test_squares_of_the_privacy_are_those_of_the_steps_between() -> None:
    """Two cells of 1 km apart: 4 by their square over 1 km, and 2 over the cell between, which the odds of a chain keep."""
    places = CHOICES.with_changes(columns=3, privacy_by="squared", quality_by="squared")
    instance = evaluate(places).instance
    assert (instance.distances_m[0, 2], instance.quality[0, 2]) == (2000.0, 4000.0)
