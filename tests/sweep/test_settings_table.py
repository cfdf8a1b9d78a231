"""The table of many settings: every row against `evaluate` by itself, what is typed, and what it is asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.odds import chain_losses
from lmdk_widgets.answers.pairs import by_diameter, compute, has_pairs
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage.pair_step import stays
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.page.typed_choices import typed_numbers
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.table_choices import SettingsTableChoices, sorted_by
from lmdk_widgets.scenario import Scenario, evaluate, settings_table
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import ONLINE_SCHEMES, SCHEMES, SPREADS
from lmdk_widgets.sweep.many_settings import NAMES, settings
from lmdk_widgets.sweep.rows import DRAWS, expected_error_m
from lmdk_widgets.trajectory import Trajectory, sample
from tests.every_number.test_landmark_numbers import fitting, setting
from tests.sweeps import size

BOB = Scenario(landmarks=(0, 2, 4, 7), correlation="none")
MEASURED = (
    *("error_m", "radius95_m", "pair_loss", "promised_one", "promised_landmarks"),
    *("largest_total_loss", "landmark_loss", "theorem_sum"),
)


def by_itself(scenario: Scenario, trajectory: Trajectory, scheme: str, epsilon: float, radius_m: float) -> list[Any]:
    """One row the slow way: `evaluate`, and its draws one release after another."""
    mechanism = "planar" if scheme in ONLINE_SCHEMES else scenario.mechanism
    each = scenario.with_changes(
        scheme=scheme, mechanism=mechanism, epsilon=epsilon, target=epsilon, radius_m=radius_m, average=False
    )
    try:
        one = evaluate(each, trajectory)
    except InputError:
        return [mechanism, True, *[math.nan] * 8, False]
    expected = expected_error_m(one)
    if expected is None:
        errors = drawn_errors(each, trajectory, DRAWS)
        error_m = float(np.nanmean(errors, axis=1).mean()) if np.isfinite(errors).any() else math.nan
    else:
        error_m = expected
    within_m = one.radius95_m[np.isfinite(one.radius95_m)]
    largest = float(one.total.max()), float(one.landmark.max()), float(one.totals.max())
    radius95_m = float(within_m.mean()) if len(within_m) else math.nan
    promised = Promised(one).one, Promised(one).together
    aside = error_m, radius95_m, told(one), *promised, *largest
    return [mechanism, expected is not None, *aside, one.overrun <= 1 + 1e-9]


def told(one: Any) -> float:
    """What the first sentence says, which is found without haste; of many states by one number for all."""
    if not has_pairs(one):
        return float(chain_losses(one).max())
    many = one.scenario.adversary == "any" or not stays(one.correlation.matrix)
    if many and len(one) * len(one.correlation.matrix) ** 3 > 25_000:
        return float(by_diameter(one).near.max())
    *_, pairs = compute(one)
    return float(pairs.near.max())


def held(scenario: Scenario, trajectory: Trajectory, schemes: Any, epsilons: Any, radii_m: Any) -> int:
    rows = [row for some in settings(scenario, trajectory, schemes, epsilons, radii_m) for row in some]
    assert [(row.scheme, row.epsilon, row.radius_m) for row in rows] == [
        (s, e, r) for s in schemes for e in epsilons for r in radii_m
    ]
    for row in rows:
        alone = by_itself(scenario, trajectory, row.scheme, row.epsilon, row.radius_m)
        assert [row.mechanism, row.exact] == alone[:2] and row.kept == alone[-1], row
        assert tuple(row[name] for name in MEASURED) == pytest.approx(tuple(alone[2:-1]), rel=1e-9, nan_ok=True), row
    return len(rows)


@pytest.mark.long
def test_every_row_is_what_evaluate_gives_over_random_settings() -> None:
    rng, rows = np.random.default_rng(7), 0
    for _ in range(size(40)):
        choices, track = setting(rng)
        choices, track = fitting(choices.with_changes(states=5), track if track.stretch < 1.001 else sample("bob"))
        scenario = choices.scenario
        scenario = scenario.with_changes(landmarks=[i for i in scenario.landmarks if i < len(track)])
        epsilons = sorted(np.exp(rng.uniform(np.log(0.01), np.log(30), 3)).tolist())
        radii_m = sorted(np.exp(rng.uniform(np.log(10), np.log(5000), 2)).tolist())
        try:
            rows += held(scenario, track, tuple(SCHEMES), epsilons, radii_m)
        except InputError:  # settings that do not go together
            evaluated = False
            try:
                evaluate(scenario.with_changes(scheme="event", average=False), track)
                evaluated = True
            except InputError:
                pass
            assert not evaluated
    assert rows >= 40 * size(40)


@pytest.mark.long
def test_a_day_in_blocks_of_draws_and_a_track_around_the_world() -> None:
    day = sample("commuter")
    part = Trajectory(day.latitude[:288], day.longitude[:288], day.time[:288])
    scenario = Scenario(track="", landmarks=(5, 90, 91, 200))
    assert (
        held(scenario, part, tuple(ONLINE_SCHEMES) + ("skip",), [0.1, 0.5, 1.0, 3.0, 8.0], [50.0, 200.0, 900.0]) == 75
    )
    hours = sample("bob").time[:1] + np.arange(9) * np.timedelta64(1, "h")
    wide = Trajectory(np.linspace(-60, 60, 9), np.linspace(-170, 170, 9), hours)
    assert held(scenario.with_changes(landmarks=(2, 5)), wide, tuple(SCHEMES), [0.01, 1.0], [500.0, 100_000.0]) == 48


def test_cells_are_as_the_page_reports_them() -> None:
    cells = BOB.with_changes(mechanism="remapped", correlation="moderate")
    assert held(cells, sample("bob"), ("event", "uniform", "skip", "adaptive"), [0.5, 2.0], [300.0, 1000.0]) == 16


def test_a_plan_that_cannot_be_had_is_a_row_without_numbers() -> None:
    stays = 1 - 1e-12
    stuck = BOB.with_changes(correlation="matrix", matrix=((stays, 1e-12), (1e-12, stays)))
    (row,) = next(settings(stuck, sample("bob"), ("planned",), [1.0], [200.0]))
    assert math.isnan(row["error_m"]) and math.isnan(row["largest_total_loss"]) and not row.kept
    with pytest.raises(InputError):
        list(settings(stuck.with_changes(landmarks=(50,)), sample("bob"), ("planned",), [1.0], [200.0]))


def test_too_long_a_track_leaves_out_what_must_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.sweep.settings_grid.MOST_DRAWN", 7)
    table = settings_table(BOB, sample("bob"), epsilons=[1], radii_m=[200])
    known = {name for name, scheme in SPREADS.items() if scheme.plans or (scheme.fixed and name != "skip")}
    assert set(table.scheme) == known & set(SCHEMES) and len(known) >= 7


def test_the_data_frame_has_bobs_values_and_units_in_its_names() -> None:
    table = settings_table(
        BOB, sample("bob"), schemes="event window uniform user weighted", epsilons=[1, 2], radii_m=[200]
    )
    assert list(table.columns) == list(NAMES) and len(table) == 10 and table.expected.all()
    at_one = table[table.epsilon == 1].set_index("scheme")
    errors = at_one.mean_error_m.to_dict()
    assert errors == pytest.approx({"event": 400, "user": 3200, "window": 1200, "uniform": 2000, "weighted": 1800})
    assert at_one.theorem_sum.to_dict() == pytest.approx(
        {"event": 5, "user": 5 / 8, "window": 5 / 3, "uniform": 1, "weighted": 1}
    )
    assert at_one.theorem_kept.to_dict() == {
        "event": False,
        "user": True,
        "window": False,
        "uniform": True,
        "weighted": True,
    }


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.1 0.5 1", [0.1, 0.5, 1]),
        ("0,1; 0,5;1", [0.1, 0.5, 1]),
        ("0.1, 0.5, 1", [0.1, 0.5, 1]),
        (" 5e-1 ", [0.5]),
        ("1 to 100 in 3", [1, 10, 100]),
        ("0,1 TO 10 in 3", [0.1, 1, 10]),
        ("", []),
    ],
)
def test_numbers_are_typed_as_people_type_them(text: str, numbers: list[float]) -> None:
    assert typed_numbers(text, "Epsilons") == pytest.approx(numbers)


@pytest.mark.parametrize(
    "text", ["1,000", "0.1,0.5", "many", "-1", "2 to 1 in 3", "1 to 2 in 1", "1 to 2 in 999", "0 to 1 in 3"]
)
def test_what_is_no_list_of_numbers_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match=r"^Epsilons must be (numbers with spaces|a range from)"):
        typed_numbers(text, "Epsilons")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epsilons": ""}, "Epsilons must have between 1 and 200 entries; got 0."),
        ({"epsilons": "0.5 0"}, "Each of the epsilons must be between 1e-9 and 1,000,000; got 0"),
        ({"radii_m": [0.5]}, "Each of the radii must be between 1 and 100,000; got 0.5."),
        ({"schemes": []}, "Schemes must have at least one name; got none."),
        ({"schemes": "nosuch"}, "Scheme must be"),
        ({"schemes": 5}, "Schemes must be a list of names; got 5."),
        ({"schemes": [["event"]]}, "Scheme must be"),
        ({"most_error_m": -1}, "The maximum mean error must be between 0 and 20,000,000 m; got -1."),
        ({"most_loss": "1,000"}, "The maximum loss must be a number such as 1000, 0.5 or 0,5; got 1,000."),
        ({"sort": "nosuch"}, "Sorted by must be"),
        ({"epsilons": "1 to 2 in 200", "radii_m": "1 to 2 in 11"}, "The table must have at most 20,000 settings; got 26"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused_in_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refusal:
        SettingsTableChoices(**wrong)
    assert str(refusal.value).startswith(said)


def test_a_link_holds_all_that_is_asked_for() -> None:
    asked = SettingsTableChoices(
        schemes=["skip", "event"], epsilons=[0.1, 1e-9, 1 / 3], radii_m="10 20", most_loss=1.5, kept=False, sort="loss"
    )
    choices = TrackChoices(table=asked)
    query = to_query(choices)
    assert TrackChoices().with_changes(**from_query(query, TrackChoices)) == choices
    assert asked.schemes == ("event", "skip") and len(asked) == 12 and "to" not in query.partition("radii_m")[2]
    turned = sorted_by(sorted_by(SettingsTableChoices(), "loss"), "loss")
    assert (turned.sort, turned.falling) == ("loss", True)
    assert SettingsTableChoices(epsilons="0.1 to 10 in 3").to_dict()["epsilons"] == [0.1, 1.0, 10.0]
    assert SettingsTableChoices().to_dict()["most_loss"] is None


def test_a_range_is_typed_on_the_page_and_stands_in_no_link() -> None:
    with pytest.raises(InputError, match="Epsilons in the link cannot be read"):
        from_query("page=track&v=3&table.epsilons=0.1+to+10+in+3", TrackChoices)
