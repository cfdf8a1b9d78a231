"""An outcome as a DataFrame and as a figure: the same numbers, one row or one mark a timestamp."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.page.amounts import bound as rounded_up
from lmdk_widgets.pages.track.timeline import describe_timeline
from lmdk_widgets.scenario import Outcome, Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, sample

BOB = (0, 2, 4, 7)
COLUMNS = {
    "budget_epsilon": "budgets",
    "landmark_sum_epsilon": "totals",
    "backward_loss": "backward",
    "forward_loss": "forward",
    "total_loss": "total",
    "released_latitude_deg": "latitude",
    "released_longitude_deg": "longitude",
    "error_m": "error_m",
    "radius95_m": "radius95_m",
}
OPTIONAL = {
    "landmark_loss": "landmark",
    "landmark_loss_bound": "landmark_bound",
    "sampling_rate": "rate",
    "threshold_m": "threshold_m",
    "error_p05_m": "error_low_m",
    "error_p95_m": "error_high_m",
    "planar_error_m": "planar_error_m",
}
VARIANTS = [
    {},
    {"scheme": "skip"},
    {"scheme": "adaptive", "epsilon": 0.5, "landmark_loss": True},
    {"scheme": "planned", "correlation": "strength", "target": 1.0},
    {"correlation": "strength", "average": True},
    {"correlation": "strength", "epsilon": 30.0, "landmarks": ()},
    {"mechanism": "optimal", "average": True, "landmark_loss": True},
]


def outcome_of(variant: dict) -> Outcome:
    return evaluate(Scenario(**({"landmarks": BOB} | variant)), sample("bob"))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_frame_holds_the_arrays(variant: dict) -> None:
    outcome = outcome_of(variant)
    frame = outcome.to_frame()
    expected = COLUMNS | {
        name: array
        for name, array in OPTIONAL.items()
        if (variant.get("landmark_loss") if array.startswith("landmark") else getattr(outcome, array) is not None)
    }
    assert set(frame.columns) == {"time", "landmark", "published", *expected}
    for name, array in expected.items():
        assert np.array_equal(frame[name], getattr(outcome, array), equal_nan=True), name
    assert frame.index[frame["landmark"]].tolist() == list(outcome.scenario.landmarks)
    assert np.array_equal(frame["published"], outcome.published)
    assert (frame["landmark"].dtype, frame["published"].dtype) == (bool, bool)
    assert frame["time"].dtype == "datetime64[ns, UTC]"
    assert np.array_equal(frame["time"].dt.tz_localize(None), outcome.trajectory.time)
    assert ("error_p05_m" in frame) == bool(variant.get("average"))
    assert ("planar_error_m" in frame) == ("mechanism" in variant)


def test_skip_releases_nothing_before_the_first_regular_timestamp() -> None:
    frame = outcome_of({"scheme": "skip"}).to_frame()
    assert frame["budget_epsilon"].tolist() == [0, 1, 0, 1, 0, 1, 1, 0]
    assert frame["published"].tolist() == [False, True, False, True, False, True, True, False]
    assert frame.loc[0, ["released_latitude_deg", "error_m", "radius95_m"]].isna().all()
    assert frame.loc[2, "released_latitude_deg"] == frame.loc[1, "released_latitude_deg"]


def test_no_true_coordinate_is_in_the_frame() -> None:
    latitude, longitude = np.array([48.8123456789, 48.8223456789]), np.array([2.3123456789, 2.3223456789])
    track = Trajectory(latitude, longitude, np.array(["2026-01-26T10", "2026-01-26T11"], "M8[ns]"))
    text = evaluate(Scenario(landmarks=(0,), epsilon=1.0), track).to_frame().to_csv()
    assert not any(str(value)[:9] in text for value in (*latitude, *longitude))


def test_the_frame_and_the_figure_are_copies() -> None:
    outcome = outcome_of({})
    frame = outcome.to_frame()
    frame["budget_epsilon"] = 9.0
    frame.loc[0, "total_loss"] = 9.0
    outcome.figure().data[0].y[:] = 9.0
    assert outcome.budgets.max() == pytest.approx(0.2) and outcome.total.max() < 9


def drawn(outcome: Outcome) -> dict[str, np.ndarray]:
    """What each trace of the figure should hold, by its name."""
    scenario, crowded = outcome.scenario, outcome.error_low_m is not None or outcome.planar_error_m is not None

    def level(name: str, value: float) -> dict[str, np.ndarray]:
        return {name if crowded else f"{name} {metres(value)}": np.full(2, value)}

    arrays = {
        "each (landmarks orange)": outcome.budgets,
        "with the landmarks": outcome.totals,
        "backward": outcome.backward,
        "forward": outcome.forward,
        "total": outcome.total,
        "mean error" if scenario.average else "error": outcome.error_m,
        **level("mean", outcome.mean_error_m),
        **level("event level", outcome.event_error_m),
        **level("user level", outcome.user_error_m),
    }
    if scenario.landmark_loss:
        arrays |= {"landmarks ≤": outcome.landmark_bound, "count": outcome.landmark}
    if outcome.error_low_m is not None:
        arrays |= {"5 %": outcome.error_low_m, "5 to 95 %": outcome.error_high_m}
    if outcome.planar_error_m is not None:
        arrays["planar" if outcome.error_low_m is not None else "planar Laplace"] = outcome.planar_error_m
    if scenario.scheme == "adaptive":
        arrays |= {"sampling rate": outcome.rate, "threshold": outcome.threshold_m}
    if scenario.scheme == "planned":
        return arrays | {f"target {amount(scenario.target)}": np.full(2, scenario.target)}
    arrays[f"ε = {amount(scenario.epsilon)}"] = np.full(2, scenario.epsilon)
    if scenario.correlation != "none":
        bound = outcome.supremum
        name = f"never above {rounded_up(bound)}" if np.isfinite(bound) else "grows without bound"
        arrays[name] = np.full(2, bound if np.isfinite(bound) else np.nan)
    return arrays


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_trace_of_the_figure_is_an_array_of_the_outcome(variant: dict) -> None:
    outcome = outcome_of(variant)
    figure, expected = outcome.figure(), drawn(outcome)
    assert {trace.name for trace in figure.data} == set(expected) and len(figure.data) == len(expected)
    for trace in figure.data:
        assert np.array_equal(np.array(trace.y, float), expected[trace.name], equal_nan=True), trace.name
        assert trace.x is not None and len(trace.x) == len(trace.y)
    marked = [at for at, colour in enumerate(figure.data[0].marker.color) if colour == "#e08a00"]
    assert marked == list(outcome.scenario.landmarks)


def test_an_error_of_user_level_far_above_all_others_is_named_and_not_drawn() -> None:
    track = sample("commuter")
    outcome = evaluate(Scenario(landmarks=track.landmarks), track)
    (user,) = [trace for trace in outcome.figure().data if trace.name.startswith("user")]
    assert outcome.user_error_m == pytest.approx(806_400) and outcome.error_m.max() < 80_640
    assert user.name == "user level beyond the region, above" and user.y == (None, None)
    # few ticks stay readable: those up to the largest error that is drawn
    ticks = [value for value in outcome.figure().layout.yaxis3.tickvals if value <= outcome.error_m.max()]
    assert len([value for value in ticks if value >= outcome.error_m.min()]) >= 3
    beside = evaluate(Scenario(landmarks=track.landmarks, scheme="user"), track)
    traces = describe_timeline(outcome, beside)["data"]
    (user,) = [trace for trace in traces if trace["name"].startswith("user")]
    assert user["y"] == pytest.approx([806_400] * 2), "with errors as large beside it, it is drawn"


def test_a_long_track_is_drawn_whole() -> None:
    track = sample("commuter")
    outcome = evaluate(Scenario(landmarks=track.landmarks), track)
    figure = outcome.figure()
    by_name = {trace.name: trace for trace in figure.data}
    assert np.array_equal(by_name["budget"].y, outcome.budgets) and len(outcome) == 2016
    assert list(by_name["landmarks"].x) == list(track.landmarks)
    assert np.array_equal(by_name["landmarks"].y, outcome.budgets[list(track.landmarks)])
    assert len(outcome.to_frame()) == 2016


@pytest.mark.parametrize(
    ("every", "n", "utc", "names"),
    [
        ("1h", 6, False, ["23:00", "00:00", "01:00", "02:00", "03:00", "04:00"]),
        ("1h", 6, True, ["22:00", "23:00", "00:00", "01:00", "02:00", "03:00"]),
        ("10s", 3, False, ["23:00:00", "23:00:10", "23:00:20"]),
        (
            "1h",
            51,
            False,
            ["10 Jul 23:00", "11 Jul 09:00", "11 Jul 19:00", "12 Jul 05:00", "12 Jul 15:00", "13 Jul 01:00"],
        ),
    ],
)
def test_the_figure_shows_times(every: str, n: int, utc: bool, names: list[str]) -> None:
    time = pd.date_range("2026-07-10T21:00" if not utc else "2026-07-10T22:00", periods=n, freq=every).to_numpy()
    track = Trajectory(np.full(n, 48.85), np.full(n, 2.35), time, zone="Europe/Paris")
    axis = evaluate(Scenario(epsilon=1.0, utc=utc), track).figure().layout.xaxis
    assert list(axis.ticktext) == names
    assert axis.title.text == f"time ({'UTC' if utc else 'Europe/Paris'})"
    clock = pd.DatetimeIndex(time, tz="UTC").tz_convert("UTC" if utc else "Europe/Paris")
    for at, name in zip(axis.tickvals, names, strict=True):
        assert f"{clock[at]:%H:%M:%S}".startswith(name.split()[-1])
    assert axis.range == (-0.6, n - 0.4) and axis.anchor == "y3"


def test_the_figure_shares_nothing_on_the_web_and_draws_what_is_described() -> None:
    outcome = outcome_of({})
    assert "sendChartToCloud" in outcome.figure().layout.modebar.remove
    assert len(describe_timeline(outcome)["data"]) == len(outcome.figure().data)


def test_a_frame_of_a_track_in_and_a_frame_of_numbers_out() -> None:
    time = pd.date_range("2026-01-26", periods=3, freq="h", tz="UTC")
    table = pd.DataFrame({"time": time, "latitude": [48.85, 48.86, 48.87], "longitude": 2.35})
    frame = evaluate(Scenario(scheme="user", epsilon=3.0), Trajectory.from_frame(table)).to_frame()
    assert frame["budget_epsilon"].tolist() == [1.0, 1.0, 1.0]
    assert frame["landmark_sum_epsilon"].tolist() == [1.0, 1.0, 1.0]


def test_the_sampling_rate_has_a_panel_of_its_own_below_the_others() -> None:
    plain, adaptive = (outcome_of({"scheme": name}).figure() for name in ("uniform", "adaptive"))
    assert "yaxis4" not in plain.to_dict()["layout"] and plain.layout.xaxis.anchor == "y3"
    domains = [adaptive.layout[axis].domain for axis in ("yaxis4", "yaxis3", "yaxis2", "yaxis")]
    assert all(a[0] < a[1] < b[0] for a, b in pairwise(domains)) and domains[0][0] >= 0 and domains[-1][1] <= 1
    assert adaptive.layout.yaxis4.range == (0, 1.05) and adaptive.layout.xaxis.anchor == "y4"
    axes = {trace.name: trace.yaxis for trace in adaptive.data}
    assert (axes["sampling rate"], axes["threshold"]) == ("y4", "y3")
