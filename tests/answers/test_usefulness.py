"""Useful: spec J's table, the rule of words, and the reader by plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import digits, known_useful, reading_of, releases, remember, useful
from lmdk_widgets.geo import LocalFrame, Region
from lmdk_widgets.inference.reader import doubt
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import evaluate_one_draw
from lmdk_widgets.scenario.reading import mean_from_middle, motion
from lmdk_widgets.trajectory import Trajectory, sample, sample_series
from tests.every_number.useful_truth import doubted


def outcome_of(name: str, **changes):
    get = sample_series if name in ("household", "contacts") else sample
    data = get(name)
    return evaluate(Scenario(track=name, landmarks=data.landmarks, **changes), data)


@pytest.mark.parametrize(
    ("name", "draws", "within", "reader", "nothing", "spread", "noise"),
    [
        ("bob", 100, 0.15, 1435, 2837, 1262, 1893),
        ("commuter", 9, 0.05, 743, 3757, 2804, 3599),
        ("taxi", 5, 0.05, 892, 2930, 2643, 5194),
        ("household", 100, 0.05, 1.49, 2.479, 0.380, 41.8),
    ],
)
def test_the_table(name, draws, within, reader, nothing, spread, noise) -> None:
    found = useful(outcome_of(name), draws)
    assert found.reader == pytest.approx(reader, rel=within) and found.draws == draws
    assert (found.nothing, found.spread) == pytest.approx((nothing, spread), rel=1e-3)
    assert found.noise == pytest.approx(noise, rel=0.02)
    over = found.nothing_over_region
    assert (over is None) == (name == "household") and (over is None or over == pytest.approx(8931, rel=1e-3))


def test_the_commuter_at_other_budgets() -> None:
    for epsilon, reader in ((0.3, 1885), (3, 397), (10, 357)):
        assert useful(outcome_of("commuter", epsilon=epsilon), 3).reader == pytest.approx(reader, rel=0.08)
    found = useful(outcome_of("commuter", scheme="user"), 1)
    assert found.reader > found.nothing and found.words == "worse than nothing: the middle of the region is nearer"


def test_answers() -> None:
    found = useful(outcome_of("contacts"), 20)
    assert 1 - found.reader == pytest.approx(0.58, abs=0.03) and 1 - found.spread == pytest.approx(0.74, abs=0.003)
    assert found.nothing == 0.5 and 0.5 < 1 - found.balanced < 0.62
    assert found.words == "shows less than always giving the commoner answer"


def smoothed(likely, chains) -> list[np.ndarray]:
    """What is believed of each step, with dense chains."""
    n = len(likely)
    ahead, back = [likely[0]], [np.ones(likely.shape[1])]
    for t in range(1, n):
        ahead.append(ahead[-1] @ chains[t - 1] * likely[t])
        back.append(chains[n - 1 - t] @ (back[-1] * likely[n - t]))
        ahead[-1], back[-1] = ahead[-1] / ahead[-1].sum(), back[-1] / back[-1].sum()
    return [ahead[t] * back[n - 1 - t] / (ahead[t] @ back[n - 1 - t]) for t in range(n)]


REGION = Region(48.75, 2.25, 49.0, 2.5)


def by_loops(outcome, there, budgets, published) -> np.ndarray:
    """The reader's estimates of a track in metres of the region's frame, with dense chains, from reports (n, 2) in these."""
    xs, ys = (np.arange(19) - 9) * 1000.0, (np.arange(28) - 13.5) * 1000.0
    cells = np.array([(x, y) for y in ys for x in xs])
    track, n, r = outcome.trajectory, len(outcome.trajectory), outcome.scenario.radius_m
    far = np.hypot(*(cells[:, None] - cells).transpose(2, 0, 1))
    size = -(-n // 300)
    seconds = np.diff(track.time[::size]) / np.timedelta64(1, "s")
    usual, chain_of = np.median(seconds), {}
    gaps = usual * 2.0 ** np.round(np.log2(seconds / usual))
    for gap in set(gaps.tolist()):
        kernel = np.exp(-far / max(1000, min(5 * gap, 2000)))
        np.fill_diagonal(kernel, 0)
        chain = (1 - np.exp(-gap / 1800)) * kernel / kernel.sum(axis=1).max()
        chain[np.diag_indices(len(cells))] = 1 - chain.sum(axis=1)
        chain_of[gap] = 0.999 * chain + 0.001 / len(cells)
    logs = []
    for first in range(0, n, size):
        some = [t for t in range(first, min(first + size, n)) if published[t]]
        each = [-budgets[t] / r * np.hypot(*(there[t] - cells).T) for t in some]
        logs.append(np.sum(each, axis=0) if some else np.zeros(len(cells)))
    likely = np.exp([log - log.max() for log in logs])
    found, expected = [], []
    for k, post in enumerate(smoothed(likely, [chain_of[gap] for gap in gaps.tolist()])):
        losses = far @ post
        for _ in range(k * size, min((k + 1) * size, n)):
            found.append(cells[losses.argmin()])
            expected.append(np.hypot(losses.min(), 382.6))
    heard = [t for t in range(n) if published[t]]
    noise, reports = {t: 2 * r / budgets[t] for t in heard}, REGION.clip(there)
    apart = [np.hypot(*(reports[t] - found[t])) for t in heard]
    times = doubted(apart, [noise[t] for t in heard], [expected[t] for t in heard])
    for t, more in zip(heard, times, strict=True):
        if noise[t] < expected[t] * more:
            found[t] = reports[t]
    return np.array(found)


def of_the_release(outcome, released) -> np.ndarray:
    there = REGION.frame.to_metres(*outcome.trajectory.frame.to_degrees(released.outputs))
    return by_loops(outcome, there, released.budgets, released.published)


@pytest.mark.long
@pytest.mark.parametrize("name", ["commuter", "taxi"])
def test_the_reader_of_a_long_track_by_loops(name) -> None:
    """Of the release on the page, timestamp by timestamp; then of one whose noise is drawn here, on average."""
    outcome, rng = outcome_of(name), np.random.default_rng(7)
    found, released = useful(outcome, 1), next(releases(outcome))
    slow = of_the_release(outcome, released)
    apart = np.hypot(*(reading_of(outcome).follow([released])[0].estimates - slow).T)
    assert np.mean(apart < 20) > 0.98  # a tie of two cells may go the other way
    track, n = outcome.trajectory, len(outcome.trajectory)
    truth = REGION.frame.to_metres(track.latitude, track.longitude)
    assert found.reader == pytest.approx(np.hypot(*(slow - truth).T).mean(), rel=0.01)
    budget = 1 / (len(outcome.scenario.landmarks) + 1)
    radius, turn = rng.gamma(2, 200 / budget, n), rng.uniform(0, 2 * np.pi, n)
    drawn = truth + radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    own = by_loops(outcome, drawn, np.full(n, budget), np.full(n, True))
    assert np.hypot(*(own - truth).T).mean() == pytest.approx(found.reader, rel=0.2)


@pytest.mark.long
def test_the_reader_of_the_household_by_loops() -> None:
    """Of the release on the page, hour by hour; then the median of releases whose noise is drawn here."""
    outcome, rng = outcome_of("household"), np.random.default_rng(8)
    found, released, data = useful(outcome, 100), next(releases(outcome)), sample_series("household")
    width, n = data.upper - data.lower, len(data)
    levels = data.lower + width * np.arange(41) / 40
    far = abs(levels[:, None] - levels)
    kernel = np.exp(-far / (width / 20))
    np.fill_diagonal(kernel, 0)
    chain = 0.1 * kernel / kernel.sum(axis=1).max()
    chain[np.diag_indices(41)] = 1 - chain.sum(axis=1)

    def read(reports, budget):
        seen = np.exp([-budget / width * abs(report - levels) for report in reports])
        losses = [far @ post for post in smoothed(seen, [chain] * (n - 1))]
        keep = [width / budget < np.hypot(loss.min(), width / 160) for loss in losses]
        guesses = [levels[loss.argmin()] for loss in losses]
        return np.where(keep, np.clip(reports, data.lower, data.upper), guesses)

    budget = 1 / (len(data.landmarks) + 1)
    assert np.allclose(released.budgets, budget) and released.published.all()
    slow = read(released.outputs, budget)
    first = useful(outcome, 1)
    assert np.allclose(reading_of(outcome).follow([released])[0].estimates, slow, atol=1e-9)
    assert first.reader == pytest.approx(abs(slow - data.values).mean())
    own = [abs(read(data.values + rng.laplace(0, width / budget, n), budget) - data.values).mean() for _ in range(60)]
    assert np.median(own) == pytest.approx(found.reader, rel=0.3)


@pytest.mark.parametrize("changes", [{}, {"epsilon": 6.0}, {"scheme": "skip", "epsilon": 2.0}, {"scheme": "adaptive"}])
def test_the_reader_by_loops(changes) -> None:
    outcome = outcome_of("bob", **changes)
    found, released = useful(outcome, 1), next(releases(outcome))
    assert np.array_equal(released.budgets, outcome.budgets)
    slow = of_the_release(outcome, released)
    assert np.allclose(reading_of(outcome).follow([released])[0].estimates, slow, atol=5)
    truth = Region(48.75, 2.25, 49.0, 2.5).frame.to_metres(outcome.trajectory.latitude, outcome.trajectory.longitude)
    assert found.error_m == pytest.approx(np.hypot(*(slow - truth).T), abs=5)
    assert found.reader == pytest.approx(found.error_m.mean())


def test_the_first_draw_is_the_release_shown_and_only_it_is_read() -> None:
    outcome = outcome_of("bob", epsilon=4.0)
    shown = next(releases(outcome))
    latitude, longitude = outcome.trajectory.frame.to_degrees(shown.outputs)
    assert np.allclose(latitude, outcome.latitude) and np.allclose(longitude, outcome.longitude)
    track = outcome.trajectory
    moved = Trajectory(track.latitude + 0.001, track.longitude, track.time)
    reading = outcome.kind.reading(outcome.ground, Region(48.75, 2.25, 49.0, 2.5), None)
    other = outcome.kind.reading(evaluate(outcome.scenario, moved).ground, Region(48.75, 2.25, 49.0, 2.5), None)
    assert moved.frame == track.frame  # rounded, and so the same
    assert np.array_equal(*(each.follow([shown])[0].estimates for each in (reading, other)))
    assert np.array_equal(reading.alone(shown), other.alone(shown))


def test_nothing_released_leaves_the_middle() -> None:
    outcome = outcome_of("bob", scheme="given", budgets=((0.0, 8),))
    found = useful(outcome, 2)
    assert found.reader == pytest.approx(found.nothing, abs=600) and found.verdict == "useless"
    reading, shown = reading_of(outcome), next(releases(outcome))
    assert (reading.alone(shown) == 0).all() and np.isnan(found.noise)


def test_a_repeat_keeps_the_last_estimate_by_itself() -> None:
    outcome = outcome_of("bob", scheme="skip")
    shown = next(releases(outcome))
    alone = reading_of(outcome).alone(shown)
    assert (alone[0] == 0).all()  # before any report, the middle
    for t in np.flatnonzero(~shown.published)[1:]:
        assert (alone[t] == alone[t - 1]).all()


@pytest.mark.parametrize("mechanism", ["optimal", "remapped", "randomised"])
def test_cells_are_read_through_their_own_channel(mechanism: str) -> None:
    outcome = outcome_of("bob", mechanism=mechanism, place_m=4000.0, epsilon=40.0)
    found, shown, area = useful(outcome, 1), next(releases(outcome)), outcome.reports.area
    reading = reading_of(outcome)
    assert reading.area.cell_m == 4000 and not reading.follow([shown])[0].kept.any() and found.reader < found.nothing
    latitude, longitude = outcome.trajectory.frame.to_degrees(shown.outputs)
    reported = area.cell_of(area.frame.to_metres(latitude, longitude))
    assert (reported >= 0).all()
    m, seen = len(area), reading.likelihoods(shown)
    for t, report in enumerate(reported):
        if mechanism == "randomised":
            b = outcome.budgets[t]
            right = np.full(m, 1 / (np.exp(b) + m - 1))
            right[report] *= np.exp(b)
        else:
            channel = min(outcome.reports.channels.items(), key=lambda of: abs(of[0] - outcome.budgets[t]))[1]
            right = channel.matrix[:, report]
        assert np.allclose(np.exp(seen[t]), right, rtol=1e-9)


def test_digits_and_draws() -> None:
    found = useful(outcome_of("commuter"))
    assert found.draws == 1 and found.interval is None and found.shown == digits(found.reader, 2)
    near, far = (replace(found.worth, reader=reader).shown for reader in (332.6, 354.1))
    assert (near, far) == (330.0, 350.0), "one digit would make 300 and 400 of them"
    assert useful(outcome_of("bob")).draws == 100
    assert [digits(x, 2) for x in (1435.0, 0.0149)] == [1400.0, 0.015]


def test_words_of_the_verdict() -> None:
    base = useful(outcome_of("bob"), 1)

    def verdict(reader, expected=0.0):
        return replace(
            base, reader=reader, expected=expected, nothing=1000.0, spread=600.0, nothing_over_region=2000.0
        ).verdict

    assert [verdict(x) for x in (900, 899, 600, 599, 300, 299)] == ["useless", "area", "area", "way", "way", "good"]
    assert [verdict(x) for x in (150, 149)] == ["good", "close"]
    assert verdict(100, 1800.0) == "useless" and verdict(100, 1799.0) == "close"
    for name in ("bob", "household", "contacts"):
        words = outcome_of(name).kind.usefulness
        assert list(words) == ["useless", "area", "way", "good", "close"] and len(set(words.values())) == 5


def test_a_reader_who_is_wrong_about_the_moves_keeps_reports_that_are_nearer() -> None:
    """The taxi's moves are not those that a reader assumes: of 400 m and 519 m of noise the reader made 565 and 579."""
    for changes, most in (({"scheme": "event"}, 1.02), ({"epsilon": 10.0}, 1.0)):
        found = useful(outcome_of("taxi", **changes), 2)
        assert found.reader <= most * found.noise
    home = useful(outcome_of("commuter", scheme="event"), 3)
    assert home.reader < 0.9 * home.noise, "where the reader is right about them, it stays better than the reports"


def test_doubt_is_that_of_loops_and_moves_nothing_that_is_expected_rightly() -> None:
    rng = np.random.default_rng(11)
    for n in (0, 1, 99, 250, 1234):
        noise, expected = rng.uniform(200, 900, n), rng.uniform(100, 900, n)
        radius, turn = rng.gamma(2, noise / 2), rng.uniform(0, 2 * np.pi, n)
        wrong = np.hypot(radius * np.cos(turn) + 700, radius * np.sin(turn))
        assert doubt(wrong, noise, expected) == pytest.approx(doubted(*map(list, (wrong, noise, expected))))
    off = expected[:, None] * rng.normal(0, np.sqrt(2 / np.pi), (n, 2))  # as far off as is expected
    apart = np.hypot(*(off.T + radius * np.stack([np.cos(turn), np.sin(turn)])))
    assert doubt(apart, noise, expected).mean() < 1.1


def test_the_mean_distance_from_the_middle_and_the_motion() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(-0.5, 0.5, (400_000, 2)) * [3.0, 1.0]
    assert mean_from_middle(3.0, 1.0) == pytest.approx(np.hypot(*points.T).mean(), rel=5e-3)
    frame, into = LocalFrame(48.9, 2.3), LocalFrame(48.875, 2.375)
    origin, turn = motion(frame, into)
    points = rng.uniform(-9000, 9000, (50, 2))
    assert np.allclose((points - origin) @ turn, into.to_metres(*frame.to_degrees(points)), atol=2)


def test_noise_of_thousands_of_kilometres_does_not_wrap() -> None:
    outcome = outcome_of("commuter", epsilon=1e-4)
    released = next(releases(outcome))
    assert np.hypot(*released.outputs.T).max() > 3e7 and useful(outcome, 1).reader < 9_000
    assert released.published.all()


def test_a_plan_that_is_searched_for_is_read_when_it_is_found() -> None:
    plan = Scenario(landmarks=(0, 2), scheme="best-plan", target=1.2345)
    meanwhile = evaluate_one_draw(plan, sample("bob"), wait=False)
    assert meanwhile.in_place
    read, found = next(releases(meanwhile)), evaluate(plan, sample("bob"))
    assert not found.in_place and np.array_equal(read.budgets, found.budgets)
    assert np.array_equal(read.outputs, next(releases(found)).outputs)


def test_what_was_found_of_data_is_known_for_them_alone() -> None:
    outcome, track = outcome_of("bob"), sample("bob")
    remember(outcome, found := useful(outcome, 1))
    assert known_useful(outcome) is found
    assert known_useful(replace(outcome, scenario=outcome.scenario.with_changes(correlation="none"))) is found
    assert known_useful(replace(outcome, scenario=outcome.scenario.with_changes(seed=7))) is None
    again = Trajectory(track.latitude, track.longitude, track.time, landmarks=track.landmarks, labels=track.labels)
    assert known_useful(replace(outcome, trajectory=again)) is None, "of equal data that somebody else has uploaded"
