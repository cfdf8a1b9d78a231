"""Every scheme beside the chosen one, and landmarks that are moved: better outcomes, as far as they have come."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from lmdk_widgets.answers.odds import chain_losses
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import (
    CompareChoices,
    Comparison,
    compare_schemes,
    comparison_table,
    describe_moves,
    move_landmarks,
)
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import SCHEMES, Scenario, evaluate
from lmdk_widgets.trajectory import sample

BOB = Scenario(landmarks=(0, 2, 4, 7))
COMPARED = TrackChoices(BOB, compare=CompareChoices(open=True))


def put(name: str, value: object) -> dict[str, Any]:
    return {"op": "set", "name": name, "value": value}


def finished(session: TrackSession) -> TrackSession:
    began = session.state
    for better in session.improve(session.outcome):
        session.take(better, began)
    return session


def compared(outcome: Any) -> Comparison:
    return outcome.found("compare") or Comparison(())


@pytest.mark.long
@pytest.mark.usefixtures("no_reader")
def test_rows_come_one_by_one_and_the_moves_at_last() -> None:
    session = TrackSession(scenario=COMPARED)
    *outcomes, last = session.improve(session.outcome)
    many = len(SCHEMES)
    assert [len(compared(out).rows) for out in outcomes] == [*range(1, many), *[many] * (many + 2)]
    assert all(compared(out).moved is None for out in outcomes[:many])
    assert [compared(out).read for out in outcomes[many:]] == list(range(many + 1))
    rows, moved, read = compared(last)
    three = compared(outcomes[many + 3]).rows
    assert read == many and [row.worth is not None for row in three] == [k < 3 for k in range(many)]
    assert [row.scheme for row in rows] == list(SCHEMES)
    assert tuple(replace(row, worth=None) for row in rows) == tuple(compare_schemes(BOB, sample("bob")))
    assert moved == move_landmarks(last)
    chosen = rows[list(SCHEMES).index(last.scenario.scheme)]
    assert chosen["pair_loss"] == chain_losses(last).max()
    assert chosen["largest_total_loss"] == last.total.max() and chosen["supremum"] == last.supremum
    assert chosen["landmark_loss"] == last.landmark.max() and chosen["mean_error_m"] == last.mean_error_m
    assert (last.budgets, last.latitude) == (outcomes[0].budgets, outcomes[0].latitude), "the very arrays"


def test_the_table_has_a_row_for_each_and_the_moves_are_said() -> None:
    last = finished(TrackSession(scenario=COMPARED)).outcome
    rows = comparison_table(last).texts()
    assert [row[0] for row in rows] == [text.split(":")[0] for text in SCHEMES.values()]
    assert all(len(row) == 7 and all(row) for row in rows)
    assert describe_moves(last, compared(last).moved or (), sample("bob").labels).startswith(
        "By the landmark paper's count, the landmarks lose "
    )
    assert comparison_table(evaluate(BOB, sample("bob"))).texts() == []


@pytest.mark.long
def test_a_reader_reads_each_scheme_as_the_tile_does() -> None:
    """The same draws as on the first screen; before they are read there is no number in their place."""
    last = finished(TrackSession(scenario=COMPARED)).outcome
    rows = {row.scheme: row for row in compared(last).rows}
    for scheme in ("event", "uniform", "user", "planned"):
        alone = useful(evaluate(BOB.with_changes(scheme=scheme), sample("bob")))
        assert rows[scheme].worth == alone.worth
    table = comparison_table(last)
    assert (
        table.texts()[0][4] == "390 m, shows the route well"
        and table.texts()[1][4] == "1.8 km, shows the area, not the route"
    )
    written = table.csv(note="kept").splitlines()
    assert "reader_error_m,spread_m,nothing_m,found_within_m,error_m" in written[0] and "2837" in written[1]
    half = Comparison(tuple(replace(row, worth=None) for row in compared(last).rows), ())
    waiting = last.improved(results={"compare": Result("asked", half)})
    assert {row[4] for row in comparison_table(waiting).texts()} == {"\N{HORIZONTAL ELLIPSIS}"}


def test_a_landmark_that_is_moved_is_evaluated_under_the_same_budgets() -> None:
    outcome = evaluate(BOB.with_changes(scheme="event"), sample("bob"))
    moves = {(i, j): loss for i, j, loss in move_landmarks(outcome)}
    assert set(moves) == {(0, 1), (2, 1), (2, 3), (4, 3), (4, 5), (7, 6)}
    for (i, j), loss in moves.items():
        marked = tuple(sorted({0, 2, 4, 7} - {i} | {j}))
        other = evaluate(BOB.with_changes(scheme="event", landmarks=marked), sample("bob"))
        assert loss == pytest.approx(other.landmark.max())


@pytest.mark.usefixtures("no_reader")
def test_nothing_is_compared_until_it_is_asked_for() -> None:
    session = TrackSession()
    assert session.task(session.outcome) is None and compared(session.outcome).rows == ()
    session.apply([put("compare.open", True)], commit=True)
    assert session.task(session.outcome) is not None
    session.apply([put("compare.open", False)], commit=True)
    assert session.task(session.outcome) is None


def test_what_was_compared_is_not_compared_again_and_another_choice_is() -> None:
    session = TrackSession(scenario=COMPARED)
    task = session.task(session.outcome)
    finished(session)
    assert task is not None and session.task(session.outcome) is None
    session.apply([put("epsilon", 1.0)], commit=True)  # as it was
    assert session.task(session.outcome) is None and len(compared(session.outcome).rows) == len(SCHEMES)
    session.apply([put("epsilon", 0.5)], commit=True)
    other = session.task(session.outcome)
    assert other not in (task, None) and compared(session.outcome).rows == ()
    session.apply([put("track", "commuter")], commit=True)
    assert session.task(session.outcome) not in (task, other, None)


def test_beginning_again_leaves_no_row_twice() -> None:
    session = finished(TrackSession(scenario=COMPARED))
    rows = compared(session.outcome)
    assert compared(finished(session).outcome) == rows


def test_a_refused_scheme_is_no_practice() -> None:
    """Nothing is computed for it: "no promise" is said of a practice, which anybody may use."""
    last = finished(TrackSession(scenario=COMPARED)).outcome
    first, *others = compared(last).rows
    refused = replace(first, refused="It cannot.", numbers=dict.fromkeys(first.numbers, math.nan))
    table = comparison_table(last.improved(results={"compare": Result("asked", Comparison((refused, *others), ()))}))
    losses = [row[2] for row in table.texts()]
    assert losses[0] == "none" and "none" not in losses[1:] and "no promise" not in losses
