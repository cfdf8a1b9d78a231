"""A series in place of a track: the same Scenario, the same evaluate, errors in its unit, words without places."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import asdict, replace
from itertools import pairwise

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import reverse
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.chart_texts import describe_chain, summarise
from lmdk_widgets.pages.track.inverse import InverseChoices, epsilon_read, inverse_answers, inverse_rows
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.table import SettingsTableChoices, table_block, table_csv, table_texts
from lmdk_widgets.pages.track.trade_off import EPSILONS, trade_off
from lmdk_widgets.scenario import Scenario, describe, evaluate, infer
from lmdk_widgets.scenario.correlation import ESTIMATE_SMOOTHING
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import ALL_SCHEMES, CORRELATIONS, SCHEMES
from lmdk_widgets.sweep.many_settings import growing
from lmdk_widgets.sweep.rows import expected_error_m
from lmdk_widgets.trajectory import Series, load_series, sample_series
from lmdk_widgets.trajectory.samples import sample_data

MINUTES = np.datetime64("2026-01-26T08:00") + np.arange(8) * np.timedelta64(1, "m")
NUMBERS = Series(MINUTES, (0, 2, 4, 7), values=[1, 4, 2, 9, 3, 3, 8, 5], unit="kWh", lower=0.0, upper=10.0)
ANSWERS = Series(MINUTES, (0, 2, 4, 7), values=[1, 0, 0, 1, 1, 1, 0, 1], kind="answers")
BOB = Scenario(landmarks=(0, 2, 4, 7), correlation="none")


@pytest.mark.parametrize(
    ("scheme", "marks", "times"),
    [
        ("uniform", (0, 2, 4, 7), 5),
        ("uniform", (3,), 2),
        ("uniform", tuple(range(8)), 8),
        ("event", (0,), 1),
        ("user", (0,), 8),
    ],
)
def test_the_mean_error_is_a_multiple_of_the_sensitivity(scheme: str, marks: tuple[int, ...], times: int) -> None:
    """Spec H: (|L| + 1) times the sensitivity at epsilon 1, n when all are landmarks; here 10."""
    scenario = BOB.with_changes(scheme=scheme, landmarks=marks)
    outcome = evaluate(scenario, NUMBERS)
    assert expected_error_m(outcome) == pytest.approx(10.0 * times)
    assert drawn_errors(scenario, NUMBERS, 20_000).mean() == pytest.approx(10.0 * times, rel=0.02)
    assert (outcome.event_error_m, outcome.user_error_m) == pytest.approx((10.0, 80.0))


def test_an_output_is_the_value_with_laplace_noise_of_the_bounds() -> None:
    outcome = evaluate(BOB.with_changes(seed=5), NUMBERS)
    noise = np.random.default_rng(5).laplace(size=8)
    assert outcome.values == pytest.approx(NUMBERS.values + noise * 10.0 / 0.2)
    assert outcome.error_m == pytest.approx(np.abs(noise) * 50.0)
    assert outcome.radius95_m == pytest.approx(np.full(8, 50.0 * np.log(20)))
    assert np.isnan(outcome.latitude).all() and outcome.series is NUMBERS


def test_values_outside_the_bounds_are_moved_and_the_expected_error_knows() -> None:
    scenario = BOB.with_changes(bounds="stated", lower=2.0, upper=4.0)
    outcome = evaluate(scenario, NUMBERS)
    noise = np.random.default_rng(1).laplace(size=8)
    assert outcome.values == pytest.approx(np.clip(NUMBERS.values, 2, 4) + noise * 2.0 / 0.2)
    assert drawn_errors(scenario, NUMBERS, 40_000).mean() == pytest.approx(expected_error_m(outcome), rel=0.01)
    assert expected_error_m(outcome) > 10.0
    assert any(
        "4 of 8 values lie outside the bounds" in said and "5 kWh" in said for said in describe(outcome).warnings
    )
    with pytest.raises(InputError, match="The upper bound must be above the lower bound of 5; got 4"):
        evaluate(BOB.with_changes(bounds="stated", lower=5.0, upper=4.0), NUMBERS)


def test_bounds_taken_from_the_data_are_warned_of() -> None:
    taken = evaluate(BOB.with_changes(bounds="data"), NUMBERS)
    assert expected_error_m(taken) == pytest.approx(5 * 8.0)
    assert any("no budget pays for that" in said for said in describe(taken).warnings)
    unknown = Series(MINUTES, values=[1, 4, 2, 9, 3, 3, 8, 5])
    assert any("taken from the data" in said for said in describe(evaluate(BOB, unknown)).warnings)
    assert not any("taken from the data" in said for said in describe(evaluate(BOB, NUMBERS)).warnings)
    assert np.isfinite(evaluate(BOB, Series(MINUTES, values=[3.0] * 8)).values).all()


@pytest.mark.parametrize("scheme", ["event", "user", "uniform", "skip", "adaptive"])
def test_answers_are_wrong_with_the_chance_of_their_budget(scheme: str) -> None:
    outcome = evaluate(BOB.with_changes(scheme=scheme, epsilon=2.0), ANSWERS)
    assert np.isin(outcome.values[np.isfinite(outcome.values)], (0, 1)).all()
    seen = np.isfinite(outcome.values)
    assert outcome.error_m[seen].tolist() == (outcome.values != ANSWERS.values)[seen].tolist()
    assert outcome.event_error_m == pytest.approx(1 / (1 + np.exp(2)))
    assert outcome.user_error_m == pytest.approx(1 / (1 + np.exp(0.25)))
    if scheme in ("event", "user", "uniform"):
        assert expected_error_m(outcome) == pytest.approx(1 / (1 + np.exp(outcome.budgets[0])))


def estimated(states: list[int]) -> np.ndarray:
    m = max(states) + 1
    counts = np.full((m, m), ESTIMATE_SMOOTHING)
    for a, b in pairwise(states):
        counts[a, b] += 1
    return counts / counts.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("series", [NUMBERS, ANSWERS], ids=["numbers", "answers"])
def test_the_correlation_is_estimated_from_levels(series: Series) -> None:
    outcome = evaluate(BOB.with_changes(correlation="estimated", level_width=3.0), series)
    levels = (series.values if series.is_answers else series.values // 3).astype(int).tolist()
    number = {level: k for k, level in enumerate(sorted(set(levels)))}
    matrix = estimated([number[level] for level in levels])
    assert outcome.correlation.matrix == pytest.approx(matrix)
    total = temporal_loss(reverse(matrix), matrix, outcome.budgets).total
    assert outcome.total == pytest.approx(total, rel=1e-9)


@pytest.mark.long
def test_an_average_and_the_trade_off_are_in_the_unit_of_the_series() -> None:
    outcome = evaluate(BOB.with_changes(average=True), NUMBERS)
    assert outcome.mean_error_m == pytest.approx(50.0, rel=0.2) and (outcome.error_low_m <= outcome.error_high_m).all()
    lines = {line.scheme: line for line in trade_off(BOB, ANSWERS)}
    assert lines["event"]["error_m"] == pytest.approx(1 / (1 + np.exp(EPSILONS)))
    assert set(lines) == set(SCHEMES) and np.isfinite(lines["adaptive"]["error_m"]).all()


OF_TRACKS = re.compile(r"\b(places?|track|map|where you were|metres?|protection radius|cells?|Earth|\d (m|km))\b")


@pytest.mark.long
@pytest.mark.parametrize(
    "series", [NUMBERS, ANSWERS, Series(MINUTES, values=ANSWERS.values * 3)], ids=["n", "a", "plain"]
)
@pytest.mark.parametrize("scheme", ALL_SCHEMES)
def test_no_sentence_speaks_of_places(series: Series, scheme: str) -> None:
    for correlation in CORRELATIONS:
        for marks, average in (((0, 2, 4, 7), False), ((), True), (tuple(range(8)), False)):
            adversary = "past" if marks else "any"
            scenario = Scenario(
                scheme=scheme, landmarks=marks, correlation=correlation, average=average, adversary=adversary
            )
            matrix = ((0.8, 0.2), (0.0, 1.0)) if correlation == "matrix" else ()
            budgets = (0.5, 0.0, 0.3, 0.3, 0.1, 0.2, 0.2, 0.2) if scheme == "given" else ()
            try:
                changes = {"matrix": matrix, "budgets": budgets, "hide": len(marks) == 4}
                outcome = evaluate(scenario.with_changes(**changes), series)
            except InputError:  # no plan under this chain
                continue
            words = asdict(describe(outcome))
            said = [
                words["paragraph"],
                words["assumption"],
                *words["warnings"],
                summarise(outcome),
                describe_chain(outcome),
            ]
            for text in said:
                assert not OF_TRACKS.search(text), text


CSV = "time,energy_kwh\n" + "".join(f"2026-03-0{1 + k // 24}T{k % 24:02d}:00Z,{k % 7}.5\n" for k in range(48))


def test_a_session_opens_samples_and_files_and_hides_what_has_no_sense() -> None:
    session = TrackSession()
    session.apply([{"op": "set", "name": "mechanism", "value": "optimal"}], commit=True)
    session.apply([{"op": "set", "name": "track", "value": "household"}], commit=True)
    assert (session.choices.scenario.mechanism, session.choices.scenario.upper, session.choices.scenario.bounds) == (
        "planar",
        6.0,
        "known",
    )
    assert (
        not {"radius_m", "mechanism", "lower", "attacker.cells"} & set(session.visible())
        and "bounds" in session.visible()
    )
    assert session.choices.scenario.landmarks == sample_series("household").landmarks
    session.apply([{"op": "set", "name": "track", "value": "contacts"}], commit=True)
    assert "bounds" not in session.visible()
    session.apply([{"op": "set", "name": "track", "value": "bob"}], commit=True)
    assert {"radius_m", "mechanism"} <= set(session.visible()) and "bounds" not in session.visible()
    session.load(CSV.encode(), "meter.csv")
    assert (session.choices.scenario.track, session.data.unit, session.data.name) == ("", "kWh", "meter")
    assert "taken from the data" in " ".join(describe(session.outcome).warnings)
    session.apply([{"op": "set", "name": "bounds", "value": "stated"}], commit=True)
    assert {"lower", "upper"} <= set(session.visible())
    with pytest.raises(InputError, match="The upper bound must be above"):
        session.apply([{"op": "set", "name": "upper", "value": -3.0}], commit=True)
    assert session.choices.scenario.upper == 1.0 and session.link.left_out == ("your track and its landmarks",)


def test_what_is_saved_holds_no_true_value_and_is_read_again() -> None:
    session = TrackSession()
    session.load(CSV.encode(), "meter.csv")
    file = session.save("csv")
    rows = list(csv.DictReader(io.StringIO(file.data.decode())))
    assert len(rows) == 48 and list(rows[0]) == ["time", "value_kWh", "note"] and "simulation" in file.name
    assert not {row["value_kWh"] for row in rows} & {f"{k}.5" for k in range(7)}
    assert [float(row["value_kWh"]) for row in rows] != pytest.approx(session.outcome.values.tolist())
    assert load_series(file.data).unit == "kWh"
    table = list(csv.DictReader(io.StringIO(session.save("table").data.decode())))
    assert {"budget", "total_loss", "error", "measured"} <= set(table[0]) and "error_m" not in table[0]
    for what in ("html", "geojson"):
        with pytest.raises(InputError, match="A map needs a track of places"):
            session.save(what)
    assert "load_series('meter.csv'" in session.program() and "load_series('meter.csv'" in session.python()


@pytest.mark.long
def test_the_program_of_a_sample_computes_its_numbers_again() -> None:
    session = TrackSession(sample_series("contacts"))
    assert session.choices.scenario.track == "contacts"
    seen: dict = {}
    exec(session.program().replace("print(", "(lambda *a: None)("), seen)
    assert (seen["outcome"].values == session.outcome.values).all()
    frame = seen["outcome"].to_frame()
    assert {"released_value", "error"} <= set(frame) and not [name for name in frame if name.endswith(("_m", "_deg"))]


def test_an_adversary_comes_and_goes_with_what_a_series_allows() -> None:
    session = TrackSession()
    session.apply([{"op": "set", "name": "attacker.start", "value": "people"}], commit=True)
    session.apply([{"op": "set", "name": "attacker.moves", "value": "near"}], commit=True)
    session.apply([{"op": "set", "name": "track", "value": "heart"}], commit=True)
    assert (session.choices["attacker.start"], session.choices["attacker.step_m"]) == (
        "uniform",
        session.choices.scenario.level_width,
    )
    session.apply([{"op": "set", "name": "level_width", "value": 0.1}], commit=True)
    session.apply([{"op": "set", "name": "attacker.open", "value": True}], commit=True)
    assert len(infer(session.outcome, session.choices.attacker.known).area) <= 400
    assert {"level_width", "attacker.start", "attacker.step_m"} <= set(session.visible())
    session.apply([{"op": "set", "name": "epsilon", "value": 3.0}], commit=True)
    session.apply([{"op": "set", "name": "track", "value": "contacts"}], commit=True)
    assert session.choices["attacker.moves"] == "page" and len(session.outcome.found("attacker").area) == 2
    assert not {"level_width", "attacker.step_m", "states"} & set(session.visible())
    assert (
        session.outcome.correlation.matrix.shape == (2, 2) and "over 2 states" in describe(session.outcome).assumption
    )
    session.apply([{"op": "set", "name": "track", "value": "bob"}], commit=True)
    assert (session.choices["attacker.step_m"], session.choices["inverse.error_m"]) == (1000.0, 500.0)
    assert session.outcome.found("attacker") is not None and "states" in session.visible()


@pytest.mark.parametrize(("name", "wanted"), [("household", 0.5), ("heart", 20.0), ("contacts", 0.25), ("bob", 500.0)])
def test_the_error_that_is_wanted_at_first_is_one_that_the_data_can_have(name: str, wanted: float) -> None:
    """However they are opened: a twelfth of the width of the bounds, which everybody knows, and not of the values."""
    opened = TrackSession(sample_data(name), Scenario(track=name))
    chosen, linked = TrackSession(), TrackSession()
    chosen.apply([{"op": "set", "name": "track", "value": name}], commit=True)
    linked.open_link(f"?page=track&v=3&track={name}")
    assert {session.choices.inverse.error_m for session in (opened, chosen, linked)} == {wanted}


def test_which_epsilon_an_error_in_the_unit_of_a_series_takes() -> None:
    """Of numbers (|L| + 1) times the width of the bounds over epsilon; of answers 1 / (1 + e^(epsilon / (|L| + 1)))."""
    for series, wanted, said in (
        (NUMBERS, 12.5, "a mean error of at most 12.5 kWh needs epsilon 4"),
        (ANSWERS, 0.25, "a share of wrong answers of at most 0.25 needs epsilon 5.494: "),
    ):
        asked = InverseChoices(open=True, error_m=wanted)
        answers = inverse_answers(BOB, series, error_m=wanted)
        *_, read = epsilon_read(BOB, series, wanted)
        found = Result("asked", replace(answers, read=read), done=True)
        outcome = evaluate(BOB, series).improved(results={"inverse": found})
        error, loss = inverse_rows(asked, outcome)
        exact = 4.0 if series is NUMBERS else 5 * np.log(3)
        assert answers.error_epsilon == pytest.approx(exact, rel=1e-3) and answers.error_epsilon >= exact * (1 - 1e-9)
        reads = (
            "is off by at most 12.5 kWh" if series is NUMBERS else "gets a share of at most 0.25 of the answers wrong"
        )
        assert said in error["text"] and (f"A careful reader {reads} at epsilon" in error["text"]) != read.needless
        assert error["set"] == (None if read.needless else ["epsilon", read.epsilon])
        assert "2 r" not in error["text"] and "leaves room" not in error["text"]
        assert loss["set"] == ["epsilon", pytest.approx(1.0, rel=1e-3)]


def test_the_table_of_a_series_has_the_numbers_of_evaluate_and_no_radius() -> None:
    asked = SettingsTableChoices(open=True, schemes="uniform adaptive", epsilons="0.5 1", most_error_m=60.0)
    for series in (NUMBERS, ANSWERS):
        scenario = BOB.with_changes(correlation="moderate")
        *_, table = growing(scenario, series, asked)
        assert len(table.rows) == asked.wanted(placed=False) == 4
        for row in table.rows:
            one = evaluate(scenario.with_changes(scheme=row.scheme, epsilon=row.epsilon), series)
            assert (row["largest_total_loss"], row["theorem_sum"]) == (float(one.total.max()), float(one.totals.max()))
            if row.scheme == "uniform":
                assert row["error_m"] == expected_error_m(one) and row.exact
            else:
                drawn = drawn_errors(scenario.with_changes(scheme=row.scheme, epsilon=row.epsilon), series, 20)
                assert row["error_m"] == pytest.approx(np.nanmean(np.nanmean(drawn, axis=1)))
        outcome = evaluate(scenario, series).improved(results={"table": Result("asked", table, done=True)})
        told = " ".join(table_texts(asked, outcome)) + " ".join(
            " ".join(row) for row in table_block(asked, outcome).texts()
        )
        assert not OF_TRACKS.search(told.replace("no places", "")), told
        assert "kWh" in told if series is NUMBERS else "kWh" not in told
        head = table_csv(asked, outcome).splitlines()[0].split(",")
        assert ("mean_error_kWh" if series is NUMBERS else "mean_error") in head and not [
            name for name in head if name.endswith("_m")
        ]
