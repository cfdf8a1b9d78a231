"""Cells and priors: geometry against slow oracles, counts against loops, check-ins against the map of Paris."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.geoind.checkins import CELL_M, Checkins
from lmdk_widgets.geoind.priors import LONGEST_GAP, before_noon, painted_prior, stay_weights
from lmdk_widgets.geoind.visits import crowded
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.pages.place import PlaceChoices, Sources, Visits, evaluate, grid_area, read_checkins, track_area
from lmdk_widgets.trajectory import Trajectory, sample

CHECKINS = Path(__file__).parents[3] / ".." / "shared" / "data" / "paris" / "paris-gowalla-global.csv"


def test_a_grid_has_the_distances_of_the_ground() -> None:
    area = grid_area(4, 3, 800)
    latitude, longitude = area.frame.to_degrees(area.points_m)
    for i in range(len(area)):
        away = distance_m(latitude[i], longitude[i], latitude, longitude)
        assert area.distances_m[i] == pytest.approx(away, rel=1e-5)
    assert area.distances_m[0, 1] == 800 and area.names[5] == "C2"
    south, north = latitude[area.names.index("A1")], latitude[area.names.index("A4")]
    assert south < north and longitude[area.names.index("A1")] < longitude[area.names.index("C1")]


def test_corners_are_half_a_cell_around_the_centre_counterclockwise() -> None:
    area = grid_area(2, 2, 500)
    latitude, longitude = area.corners
    corners = area.frame.to_metres(latitude.ravel(), longitude.ravel()).reshape(-1, 4, 2)
    steps = corners - area.points_m[:, None]
    assert steps == pytest.approx(
        np.broadcast_to([[-250, -250], [250, -250], [250, 250], [-250, 250]], steps.shape), abs=1e-3
    )


@pytest.mark.parametrize("cell_m", [300.0, 1000.0])
def test_a_point_is_in_the_cell_whose_centre_is_nearest(cell_m: float) -> None:
    rng = np.random.default_rng(3)
    for area in (grid_area(5, 7, cell_m), track_area(sample("commuter"), max(cell_m, 500))):
        middle = area.points_m.mean(axis=0)
        points = middle + rng.normal(0, 4 * area.cell_m, (300, 2))
        away = np.abs(points[:, None] - area.points_m).max(axis=2)
        nearest = np.where(away.min(axis=1) <= area.cell_m / 2, away.argmin(axis=1), -1)
        assert area.cell_of(points).tolist() == nearest.tolist()


def test_the_cells_of_a_track_are_the_squares_with_its_points() -> None:
    track = sample("commuter")
    area = track_area(track, 1000)
    states, centres = grid_states(track.points_m, 1000)
    assert area.points_m == pytest.approx(centres)
    assert area.cell_of(track.points_m).tolist() == states.tolist()
    assert len(set(area.names)) == len(area)
    with pytest.raises(InputError, match="larger cells"):
        track_area(sample("taxi"), 100)
    with pytest.raises(InputError, match="smaller cells"):
        track_area(sample("bob"), 50_000)


@pytest.mark.parametrize("prior", ["city", "uniform", "time", "counts", "painted"])
@pytest.mark.parametrize("area", ["grid", "track"])
def test_priors_are_distributions(prior: str, area: str) -> None:
    out = evaluate(PlaceChoices(prior=prior, area=area))
    for found in (out.instance.prior, out.instance.other):
        assert found.shape == (len(out.area),) and (found >= 0).all()
        assert found.sum() == pytest.approx(1, abs=1e-12)


def test_counts_and_time_of_a_track_by_loops() -> None:
    track = sample("commuter")
    out = evaluate(PlaceChoices(area="track", prior="counts"))
    cells = out.area.cell_of(track.points_m)
    counted = np.array([(cells == i).sum() for i in range(len(out.area))]) / len(track)
    assert out.instance.prior == pytest.approx(counted)
    time = evaluate(PlaceChoices(area="track", prior="time", other="morning")).instance
    seconds = np.zeros(len(out.area))
    early = np.zeros(len(out.area))
    for k in range(len(track)):
        lasts = 300.0 if k == len(track) - 1 else float((track.time[k + 1] - track.time[k]) / np.timedelta64(1, "s"))
        seconds[cells[k]] += lasts
        hour = (track.time[k] - track.time[k].astype("datetime64[D]")) / np.timedelta64(1, "h")
        if (hour + track.frame.longitude / 15) % 24 < 12:
            early[cells[k]] += lasts
    assert time.prior == pytest.approx(seconds / seconds.sum())
    assert time.other == pytest.approx(early / early.sum())


def test_a_long_gap_counts_little_and_noon_is_by_the_sun() -> None:
    minutes = np.array([0, 10, 20, 30, 40, 3000])
    track = Trajectory(
        np.zeros(6), np.full(6, 90.0), np.datetime64("2026-01-01", "ns") + minutes * np.timedelta64(1, "m")
    )
    assert stay_weights(track).tolist() == [600, 600, 600, 600, 600 * LONGEST_GAP, 600]
    assert before_noon(track).tolist() == [True] * 6  # 06:00 there at 00:00 UTC, and 08:00 two days later
    east = Trajectory(np.zeros(6), np.full(6, 179.0), track.time)
    assert before_noon(east).tolist() == [True] + [False] * 5  # 11:56, 12:06, ...


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (PlaceChoices(prior="time", latitude=10, longitude=10), "The track must have points in these cells; got none"),
        (PlaceChoices(latitude=10, longitude=10), "The evening of the track must have points"),
        (PlaceChoices(prior="checkins"), "A check-in file must be uploaded first"),
        (PlaceChoices(prior="painted", painted=[1, 2]), "one number for each of the 36 cells; got 2"),
        (PlaceChoices(prior="painted", painted=[0.0] * 36), "above 0 in at least one cell; got only zeros"),
        (PlaceChoices(place=36), "Cell must be a whole number between -1 and 35; got 36"),
    ],
)
def test_choices_that_do_not_go_together(places: PlaceChoices, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(places)


def test_painted_weights_become_shares() -> None:
    assert painted_prior((1.0, 3.0), 2).tolist() == [0.25, 0.75]
    assert painted_prior((), 4).tolist() == [0.25] * 4


@pytest.mark.parametrize(
    ("text", "said", "lines"),
    [
        (b"0.1,abc,0.2,0.3", "Line 1 of .* got text as number 2", [1]),
        (b"1 2\n3 4\n5,-33.865\n7 8\nx", "Line 3 of .* got a negative value as number 2", [3, 5]),
        (b"1,,2,3", "got nothing as number 2", [1]),
        (b"1,nan,2,3", "missing value as number 2", [1]),
        (b"1,2,3,4,5", "as many numbers as a square has cells.*; got 5", []),
        (b"0,0,0,0", "a number above 0; got only zeros", []),
        (b"", "got 0", []),
        (b"7", "got 1", []),
        (b"1,2\n\xff\xfe,3", "Line 2 of the check-in file must be text", []),
    ],
)
def test_a_bad_check_in_file_gets_a_sentence_with_its_lines(text: bytes, said: str, lines: list[int]) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_checkins(text)
    assert [line for line, _ in caught.value.rows] == lines
    assert "33.865" not in str(caught.value)  # it may be a coordinate


def test_check_in_files_come_in_many_forms() -> None:
    wanted = read_checkins(b"0,1,0,3").shares.tolist()
    for text in (b"\xef\xbb\xbf0;1;0;3\r\n", b"0 1\n0 3\n", b"0,1,\n0,3,\n\n", b"0\t1\t0\t3"):
        assert read_checkins(text).shares.tolist() == wanted


@pytest.mark.parametrize(
    "text",
    [
        "id,lat,lon,time\n{0},48.86,2.33,2026-01-01T08:00Z\n{1},48.87,2.34,\n",
        "Latitude (deg);Longitude (deg)\n48,86;2,33\n48,87;2,34",
        '\n"time"\t"longitude"\t"latitude"\n"a b"\t"2.33"\t48.86\n\nx\t 2.34\t48.87\n\t\t\n',
        "\ufeffLNG, LAT\r\n2.33, 48.86\r\n2.34, 48.87\r\n",
    ],
)
def test_a_line_for_each_check_in_with_its_columns_in_any_order(text: str) -> None:
    file = read_checkins(text.encode())
    assert isinstance(file, Visits)
    assert file.latitude.tolist() == [48.86, 48.87] and file.longitude.tolist() == [2.33, 2.34]
    assert repr(file) == "Visits(2 check-ins)"


@pytest.mark.parametrize(
    "text",
    ["lat,lon,count\n48.86,2.33,3\n48.8,2.3,0\n48.87,2.34,1\n", "Visits;lon;lat\n3;2,33;48,86\n1;2,34;48,87"],
)
def test_a_column_says_how_many_check_ins_a_line_stands_for(text: str) -> None:
    file = read_checkins(text.encode())
    assert isinstance(file, Visits) and repr(file) == "Visits(4 check-ins)"
    assert file.latitude.tolist() == [48.86, 48.87] and file.weights.tolist() == [3, 1]
    centre = LocalFrame(48.86, 2.33)
    one_by_one = Visits(np.repeat(file.latitude, [3, 1]), np.repeat(file.longitude, [3, 1]))
    points, weights = file.located(centre)
    assert weights @ points == pytest.approx(one_by_one.located(centre)[0].sum(axis=0))
    assert crowded(file, 500, 500) == crowded(one_by_one, 500, 500) == pytest.approx((48.86, 2.33))
    places = PlaceChoices(prior="checkins", checkins="f", around=True, rows=2, columns=2)
    priors = [evaluate(places, Sources(checkins={"f": each})) for each in (file, one_by_one)]
    assert priors[0].instance.prior == pytest.approx(priors[1].instance.prior)
    assert priors[0].checkins == priors[1].checkins == (3, 4)


@pytest.mark.parametrize(
    ("text", "said", "lines"),
    [
        (
            "lat,lon,count\n48.86,2.33,1.5\n48.86,2.33,\n48.86,2.33,x\n48.86,2.33,-1",
            "a count that is not a whole",
            [2, 3, 4, 5],
        ),
        ("lat,lon,count\n48.86,2.33,nan\n48.86,2.33,1e12", "a whole number between 0 and 1,000,000,000", [2, 3]),
        ("lat,lon,count\n48.86,2.33,0\n", "between 1 and 1,000,000 check-ins under its heading; got none", []),
        (
            "lat,lon\n48.8612,2.33\nabc,2.33\n48.8612\n48.8612,\n",
            "Line 3 of .* got a latitude that is not a number",
            [3, 4, 5],
        ),
        ("lat,lon\n48.8612,212.5\n", "Line 2 of .* got a longitude that is not between -180 and 180 degrees", [2]),
        ("lat,lon\n91.77,nan\ninf,2\n", "a latitude that is not between -90 and 90", [2, 3]),
        ("lat,lon\n48.8612,nan\n", "a longitude that is not between", [2]),
        ("lat,lon\n\n", "between 1 and 1,000,000 check-ins under its heading; got none", []),
        (
            "user,where\n1,48.8612\n",
            "Line 1 of .* names latitude and longitude, or contain numbers; got other words",
            [],
        ),
    ],
)
def test_bad_lines_of_check_ins_are_listed_without_their_coordinates(text: str, said: str, lines: list[int]) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_checkins(text.encode())
    assert [line for line, _ in caught.value.rows] == lines
    whole = str(caught.value) + str(caught.value.rows)
    assert not [value for value in ("48.8612", "212.5", "91.77") if value in whole]


def test_check_ins_are_counted_into_the_cells_by_a_loop() -> None:
    rng = np.random.default_rng(4)
    places = PlaceChoices(prior="checkins", checkins="f", rows=4, columns=3)
    latitude, longitude = places.latitude + rng.normal(0, 0.02, 500), places.longitude + rng.normal(0, 0.03, 500)
    out = evaluate(places, Sources(checkins={"f": Visits(latitude, longitude)}))
    x, y = out.area.frame.to_metres(latitude, longitude).T
    wanted = [
        np.count_nonzero((abs(x - a) < 500) & (abs(y - b) < 500))
        for b in (-1500, -500, 500, 1500)
        for a in (-1000, 0, 1000)
    ]
    assert out.instance.prior == pytest.approx(np.array(wanted) / sum(wanted))
    assert out.checkins == (sum(wanted), 500) and 0 < sum(wanted) < 500
    assert evaluate(PlaceChoices()).checkins is None


def test_check_ins_are_summed_into_the_cells_and_none_gets_lost() -> None:
    rng = np.random.default_rng(1)
    file = Checkins(rng.dirichlet(np.ones(400)).reshape(20, 20))
    places = PlaceChoices(prior="checkins", checkins="f", rows=4, columns=4, cell_m=500)
    prior = evaluate(places, Sources(checkins={"f": file})).instance.prior
    for k, (column, row) in enumerate((c, r) for r in range(4) for c in range(4)):
        block = file.shares[5 * column : 5 * column + 5, 5 * row : 5 * row + 5]
        assert prior[k] == pytest.approx(block.sum())
    assert CELL_M * file.side == 2000


@pytest.mark.skipif(not CHECKINS.exists(), reason="the check-ins of Paris are not on this machine")
def test_the_check_ins_of_paris_lie_over_its_stations_and_sights() -> None:
    """The reading of the file's order is a choice; of all eight it must be the one that hits what people visit."""
    file = read_checkins(CHECKINS.read_bytes())
    sights = [(48.8809, 2.3553), (48.8443, 2.3735), (48.8409, 2.3207), (48.8584, 2.2945), (48.8606, 2.3376)]
    sights += [(48.8738, 2.2950), (48.8757, 2.3255), (48.8606, 2.3522), (48.8386, 2.3785), (48.8867, 2.3431)]
    area = grid_area(6, 6, 1000)
    at = (area.frame.to_metres(*np.array(sights).T) / CELL_M + file.side / 2).astype(int)

    def hits(shares: np.ndarray) -> float:
        around = [shares[x - 2 : x + 3, y - 2 : y + 3].max() for x, y in at]
        return float(np.sqrt(around).sum())

    shares = file.shares
    others = [np.rot90(m, k) for m in (shares, shares.T) for k in range(4)]
    found = sorted((hits(m) for m in others), reverse=True)
    assert found[0] == hits(shares) > 1.2 * found[1]
