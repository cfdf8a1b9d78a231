"""Secrets over time about real tracks: the specification's values, a second program, and the most that a release can say."""

from __future__ import annotations

import itertools
import math
from itertools import islice
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.secrets_over_time import Asked, Secret, UnknownHours, asks, secret_of, unknown_hours
from lmdk_widgets.answers.usefulness import releases
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, sample

WEEK, BOB = sample("commuter"), sample("bob")


def asked(track: Trajectory, scenario: dict[str, Any] | None = None, **changes: Any) -> Secret:
    made = {"track": track.name, "landmarks": track.landmarks or (0, 2, 4, 7)} | (scenario or {})
    return secret_of(evaluate(Scenario(**made), track), Asked(**changes))


def answer(secret: Secret, draws: int = 20) -> UnknownHours:
    *_, found = unknown_hours(secret, draws)
    assert isinstance(found, UnknownHours)
    return found


# -- known hours -------------------------------------------------------------------------------------------------------


def test_known_hours_are_those_of_the_promise() -> None:
    """Section R: the commuter's home, one radius away: 25 in half of all releases, 640 in one of ten, e^116 at most."""
    hours = asked(WEEK).hours
    assert hours is not None and hours.reports == 1044
    assert [round(math.exp(hours.half)), round(hours.tenth, 2), round(hours.most)] == [25, 6.46, 116]
    small = asked(WEEK, {"epsilon": 0.1}).hours
    assert small is not None and [round(math.exp(small.half), 2), round(math.exp(small.tenth), 2)] == [1.03, 1.43]
    user = asked(WEEK, {"scheme": "user"}).hours
    assert user is not None and round(math.exp(user.most), 2) == 1.68
    bob = asked(BOB).hours
    assert bob is not None and [round(math.exp(bob.tenth), 2), round(bob.most, 3)] == [1.21, 0.2]


def log_odds_of(secret: Secret, outputs: Floats, spent: Floats) -> float:
    """Report by report: how much nearer it is to the place than to the other one, in radii, times its budget."""
    here, there = secret.here_m.tolist(), secret.there_m.tolist()
    return sum(
        float(spent[t]) / 200 * (math.dist(outputs[t], there) - math.dist(outputs[t], here))
        for t in np.flatnonzero(secret.members).tolist()
        if spent[t] > 0
    )


@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive"])
def test_no_release_says_more_than_at_most(scheme: str) -> None:
    secret = asked(WEEK, {"scheme": scheme}, when="part", first=0, last=400)
    hours = secret.hours
    assert hours is not None
    drawn = [
        log_odds_of(secret, one.outputs, one.budgets * one.published) for one in islice(releases(secret.outcome), 40)
    ]
    assert drawn[0] == pytest.approx(secret.known_shown())
    assert all(abs(one) <= hours.most for one in drawn)
    if scheme == "uniform":  # its budgets are known beforehand
        assert sum(one >= hours.half for one in drawn) == pytest.approx(20, abs=9)
        assert sum(one >= hours.tenth for one in drawn) <= 10


def test_only_the_hours_asked_about_count() -> None:
    first = asked(WEEK, when="part", first=0, last=287)
    assert first.days == 1 and first.members.sum() == WEEK_AT_HOME[0]
    assert first.hours is not None and first.hours.reports == WEEK_AT_HOME[0]
    marked = asked(WEEK, {"landmarks": (3, 5, 900)}, when="landmarks")
    assert np.flatnonzero(marked.chosen).tolist() == [3, 5, 900]
    away = asked(WEEK, when="part", first=120, last=140)
    assert away.hours is None and not away.true


WEEK_AT_HOME = [int(asked(WEEK).here.members[k * 288 : (k + 1) * 288].sum()) for k in range(7)]

# -- unknown hours -----------------------------------------------------------------------------------------------------


def slow_log_odds(secret: Secret, outputs: Floats | None, spent: Floats) -> float:
    """By a second program, timestamp by timestamp: paths that avoid a place on some days, by inclusion and exclusion."""
    track, reading = secret.outcome.trajectory, secret.reading
    cells, cell = reading.area.points_m, reading.area.cell_m
    where = {name: reading.region.frame.to_metres(*degrees(secret, place)) for name, place in places(secret)}
    near = {name: int(np.hypot(*(cells - at).T).argmin()) for name, at in where.items()}
    gaps = np.diff(track.time) / np.timedelta64(1, "s")
    usual = float(np.median(gaps))
    apart = np.hypot(*(cells[:, None] - cells[None]).transpose(2, 0, 1))
    chains = {}
    for gap in set((usual * 2.0 ** np.round(np.log2(gaps / usual))).tolist()):
        kernel = np.exp(-apart / max(cell, min(5 * gap, 2000.0)))
        np.fill_diagonal(kernel, 0)
        kernel /= kernel.sum(axis=1).max()
        q = 1 - math.exp(-gap / (1.8 * cell))
        p = 0.999 * (np.diag(1 - q * kernel.sum(axis=1)) + q * kernel) + 0.001 / len(cells)
        chains[gap] = p
    seen = np.ones((len(track), len(cells)))
    if outputs is not None:
        at = reading.region.frame.to_metres(*track.frame.to_degrees(outputs))
        far = np.hypot(*(at[:, None] - cells[None]).transpose(2, 0, 1))
        seen = np.exp(-spent[:, None] / 200 * (far - far.min(axis=1, keepdims=True)))

    def chance(away: set[int], never: str = "", here: str = "here") -> float:
        """Of avoiding the place on these days, and the other place on all."""
        belief = np.ones(len(cells))
        for t in range(len(track)):
            if t:
                belief = belief @ chains[float(usual * 2.0 ** np.round(np.log2(gaps[t - 1] / usual)))]
            belief = belief * seen[t]
            if secret.chosen[t]:
                if secret.day[t] in away:
                    belief[near[here]] = 0
                if never:
                    belief[near[never]] = 0
        return float(belief.sum())

    days = sorted(set(secret.day[secret.chosen].tolist()))

    def visited(never: str = "", here: str = "here") -> float:
        """On exactly the days in a set, summed over all large sets."""
        total = 0.0
        avoided = {
            some: chance(set(some), never, here)
            for k in range(len(days) + 1)
            for some in itertools.combinations(days, k)
        }
        for k in range(secret.least, len(days) + 1):
            for there in itertools.combinations(days, k):
                rest = [day for day in days if day not in there]
                for j in range(len(there) + 1):
                    for more in itertools.combinations(there, j):
                        total += (-1) ** j * avoided[tuple(sorted((*rest, *more)))]
        return total

    one = visited("there" if secret.asked.kind == "home" else "")
    other = visited("here", "there") if secret.asked.kind == "home" else chance(set()) - one
    return math.log(one / other)


def places(secret: Secret) -> list[tuple[str, Floats]]:
    return [("here", secret.here_m), ("there", secret.there_m)]


def degrees(secret: Secret, place: Floats) -> tuple[float, float]:
    latitude, longitude = secret.outcome.trajectory.frame.to_degrees(place[None])
    return float(latitude[0]), float(longitude[0])


SOME = slice(0, 860, 43)
THREE_DAYS = Trajectory(WEEK.latitude[SOME], WEEK.longitude[SOME], WEEK.time[SOME], zone=WEEK.zone)


@pytest.mark.parametrize(
    ("track", "changes"),
    [
        (BOB, {}),
        (BOB, {"kind": "home", "east_m": 3000.0}),
        (THREE_DAYS, {"least": 2}),
        (THREE_DAYS, {"least": 3, "when": "part", "first": 2, "last": 17}),
        (THREE_DAYS, {"kind": "home", "other": 1}),
    ],
)
def test_unknown_hours_by_a_second_program(track: Trajectory, changes: dict[str, Any]) -> None:
    secret = asked(track, {"track": "", "region": tuple(region_of_week())}, **changes)
    sign = 1 if secret.true else -1
    before = sign * slow_log_odds(secret, None, np.zeros(len(track)))
    drawn = list(islice(releases(secret.outcome), 3))
    after = [sign * slow_log_odds(secret, one.outputs, one.budgets * one.published) for one in drawn]
    found = answer(secret, 3)
    assert found.before == pytest.approx(before, abs=1e-6)
    assert found.shown == pytest.approx(after[0] - before, abs=2e-3)  # two frames differ by some centimetres
    assert found.half == pytest.approx(float(np.median(after)) - before, abs=2e-3)
    assert found.tenth == pytest.approx(float(np.quantile(after, 0.9)) - before, abs=2e-3)
    assert max(abs(one - before) for one in after) <= found.most


def region_of_week() -> tuple[float, ...]:
    from lmdk_widgets.scenario.region import region_of

    limits = region_of(Scenario(track="commuter"), WEEK)
    assert limits is not None
    return limits.limits


def test_what_bounds_every_release_is_added_up_by_hand() -> None:
    """Bob: eight budgets of 0.2, at the largest distance of two cells, as all of the time is asked about."""
    secret = asked(BOB)
    points = secret.reading.area.points_m
    far = math.dist(points.min(axis=0), points.max(axis=0))
    assert answer(secret, 1).most == pytest.approx(float(secret.outcome.budgets.sum()) * far / 200)
    one = asked(BOB, when="part", first=3, last=3)
    sides = [max(math.log(p.max() / p.min()) for p in (way.matrix(q).T for way, q in part)) for part in of_moves(one)]
    budgets = one.outcome.budgets * far / 200
    before, after = min(sides[0], budgets[:3].sum()), min(sides[1], budgets[4:].sum())
    assert answer(one, 1).most == pytest.approx(before + budgets[3] + after)


def of_moves(secret: Secret) -> list[list[Any]]:
    """The moves into the timestamp asked about, and out of it."""
    moves = secret.reading.moves
    return [[moves[2]], [moves[3]]]


def test_an_adversary_who_does_not_know_the_hours_finds_out_less() -> None:
    away = asked(WEEK, {"epsilon": 0.1}, kind="home", other=1)
    hours = away.hours
    assert hours is not None and answer(away, 5).half < hours.half


def test_two_places_in_one_cell_are_not_told_apart() -> None:
    near = asked(BOB, kind="home", east_m=1.0)
    assert not near.told_apart and not list(unknown_hours(near))
    assert asked(BOB, east_m=1.0).told_apart  # one place is asked about


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"place": 9}, "one of the 8"),
        ({"other": 0}, "must differ"),
        ({"east_m": 0.0}, "must differ"),
        ({"when": "part", "first": 5, "last": 2}, "asked about"),
    ],
)
def test_what_cannot_be_asked_is_refused(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        asked(BOB, **changes)


def test_only_tracks_under_planar_laplace_are_asked() -> None:
    assert asks(evaluate(Scenario(), BOB))
    assert not asks(evaluate(Scenario(mechanism="randomised"), BOB))
