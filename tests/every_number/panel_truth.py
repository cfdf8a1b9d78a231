"""What no other file recomputes of the track page's panels: standing still, a study, a loss by distance, leaving out."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from functools import cached_property
from statistics import mean, stdev
from typing import Any

import numpy as np

from lmdk_widgets.answers.leaving_out import leave_out
from lmdk_widgets.budgets import release
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.answers import of_100
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.varied_study import MEASURED
from lmdk_widgets.pages.track.vary import results_csv
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.scenario.model import CORRELATIONS, SPREADS
from lmdk_widgets.study.layouts import LAYOUTS
from tests.every_number.claims import Wrong, agrees, most, near, read
from tests.every_number.found_names import nothing
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.named import Given

# -- standing still ----------------------------------------------------------------------------------------------------


class StandingTruth:
    """Three ways to report somebody who sometimes stands still, one timestamp after the other."""

    def __init__(self, page: TrackPage) -> None:
        self.o, self.s, self.still_m = page.outcome, page.outcome.scenario, page.session.choices.standing.still_m
        self.points, self.n = self.o.trajectory.points_m.tolist(), len(self.o)
        self.epsilon, self.w = self.s.epsilon, min(self.s.window, self.n)
        self.draws = max(10, min(200, 400_000 // self.n))
        self.found = page.outcome.found("standing")

    @cached_property
    def anew(self) -> list[bool]:
        """Where one goes farther than the distance from where the last report was made."""
        found, made = [], None
        for point in self.points:
            found.append(made is None or math.dist(point, made) > self.still_m)
            made = point if found[-1] else made
        return found

    @property
    def stood(self) -> list[bool]:
        return [not each for each in self.anew[1:]]

    @property
    def always(self) -> float:
        share = sum(self.stood) / len(self.stood)
        return max(share, 1 - share)

    @property
    def each_error(self) -> float:
        return 2 * self.s.radius_m * self.w / self.epsilon

    @cached_property
    def repeated(self) -> list[float]:
        """The mean error of each of many draws where a report is repeated."""
        rng, found = np.random.default_rng(5), []
        for _ in range(400):
            at, off = (0.0, 0.0), []
            for point, new in zip(self.points, self.anew, strict=True):
                if new:
                    angle, far = rng.uniform(0, 2 * math.pi), rng.gamma(2, self.each_error / 2)
                    at = (point[0] + far * math.cos(angle), point[1] + far * math.sin(angle))
                off.append(math.dist(at, point))
            found.append(mean(off))
        return found

    @cached_property
    def tested(self) -> list[tuple[float, float, float]]:
        """New reports, mean error and share of right guesses of each of many releases that are made one by one."""
        rng, noise, found = np.random.default_rng(6), PlanarLaplace(self.s.radius_m), []
        for _ in range(400):
            out = release(self.o.trajectory.points_m, "predictive", [], self.epsilon, noise, rng=rng, window=self.w)
            same = (out.outputs[1:] == out.outputs[:-1]).all(axis=1).tolist()
            off = np.hypot(*(out.outputs - self.o.trajectory.points_m).T)
            right = sum(a == b for a, b in zip(same, self.stood, strict=True)) / len(same)
            found.append((self.n - sum(same), float(off.mean()), right))
        return found

    def drawn(self, shown: float, values: list[float]) -> float:
        """What the page has from its own draws, once it is seen to be no farther off than draws are."""
        spread = stdev(values) * math.sqrt(1 / len(values) + 1 / self.draws)
        if abs(shown - mean(values)) > 6 * spread + 1e-9 * abs(shown):
            raise Wrong(f"{shown} is the mean of draws, and {mean(values)} ± {spread} of others")
        return shown

    @property
    def right(self) -> float:
        """Of the guesses by the tests; whoever always guesses the same may do better."""
        tested, shown = [each[2] for each in self.tested], self.found.ways[2].right
        return self.always if shown == self.always else self.drawn(shown, tested)

    def table(self, rows: list[list[str]]) -> None:
        anew, repeat, test = rows
        ways = self.found.ways
        expected: list[tuple[str, Any]] = [
            *zip(anew[1:], (self.n, self.each_error, self.always, self.epsilon), strict=True),
            *zip(repeat[1:4], (sum(self.anew), self.drawn(ways[1].error_m, self.repeated), 1.0), strict=True),
            (test[1], self.drawn(ways[2].new, [each[0] for each in self.tested])),
            (test[2], self.drawn(ways[2].error_m, [each[1] for each in self.tested])),
            (test[3], self.right),
            (test[4], self.epsilon),
        ]
        if repeat[4] != "no bound" or not all(agrees(near("x"), said, value) for said, value in expected):
            raise Wrong(f"standing still is {rows}, and should be {expected}")


STANDING: Mapping[str, Any] = {
    "kept_reports": lambda t: sum(t.anew),
    "all_reports": "n",
    "standing_guesses": lambda t: t.n - 1,
    "always_right": "always",
    "epsilon": "epsilon",
    "window_timestamps": "w",
    "half_epsilon": lambda t: t.epsilon / 2,
    "new_reports": lambda t: max(1, t.w // 4),
    "tested_right": "right",
    "standing_draws": "draws",
}

# -- a study -----------------------------------------------------------------------------------------------------------


class VariedTruth:
    """The means of a study, from its rows as they are saved."""

    def __init__(self, page: TrackPage) -> None:
        self.asked, self.o = page.session.choices.vary, page.outcome
        lines = [line for line in results_csv(page.outcome).splitlines() if not line.startswith("#")]
        self.rows = list(csv.DictReader(lines))
        self.repetitions, self.read = self.asked.repetitions, min(2, self.asked.repetitions)
        self.refused = sum(bool(row["refused"]) for row in self.rows)

    @property
    def axis(self) -> str:
        """What the saved rows call what is varied beside the scheme."""
        return "correlation" if self.asked.along == "chain" else self.asked.along

    @cached_property
    def values(self) -> list[str]:
        """The values on the axis, in their order."""
        return list(dict.fromkeys(row[self.axis] for row in self.rows))

    def of(self, scheme: str, value: str) -> list[float]:
        """The measure that is shown, of each release that has it."""
        rows = [row for row in self.rows if row["scheme"] == scheme and row[self.axis] == value]
        return [float(row[self.asked.shown]) for row in rows if row[self.asked.shown] not in ("", "nan")]

    def told(self, said: str) -> str:
        """The value that a row of the table names: by its words, or by its number."""
        for value in self.values:
            if self.asked.along in ("layout", "chain"):
                if said == {**LAYOUTS, **CORRELATIONS}[value].partition(":")[0]:
                    return value
            elif agrees(near("x"), said, float(value)):
                return value
        raise Wrong(f"{said} is not varied: {self.values}")

    def table(self, rows: list[list[str]]) -> None:
        """Each row, and of one release that its error is that of the setting evaluated by itself."""
        called = {SPREADS[name].title: name for name in SPREADS}
        for title, along, shown, error, releases in rows:
            values = self.of(called[title], self.told(along))
            means = mean(values) if values else math.nan
            off = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
            if not (agrees(near("x"), shown, means) and agrees(near("x"), error, off) and int(releases) == len(values)):
                raise Wrong(f"{(title, along, shown, error, releases)} is {means} ± {off} of {len(values)}")

    def lines(self, data: list[dict[str, Any]]) -> None:
        """Each mark; layouts and chains stand at 0, 1, 2 ..., a little apart for each scheme."""
        called = {SPREADS[name].title: name for name in SPREADS}
        for trace in data:
            for x, y in zip(trace["x"], trace["y"], strict=True):
                values = self.of(called[trace["name"]], self.value_at(x))
                if not math.isclose(y, mean(values), rel_tol=1e-9):
                    raise Wrong(f"{trace['name']} is drawn at {y}, and is {mean(values)}")

    def value_at(self, x: float) -> str:
        """The value whose mark is drawn at x."""
        if self.asked.along in ("layout", "chain"):
            at = math.floor(x + 0.5)
            if not (0 <= at < len(self.values) and abs(x - at) < 0.5):
                raise Wrong(f"a mark at {x} belongs to no value")
            return self.values[at]
        scale = 100 if self.asked.along == "share" else 1
        return min(self.values, key=lambda value: abs(scale * float(value) - x))

    @property
    def drawn(self) -> int:
        """How many timestamps are landmarks in each repetition."""
        return math.floor(self.asked.share * len(self.o) + 0.5)


VARIED: Mapping[str, Any] = {
    "refused_evaluations": "refused",
    "evaluations": lambda t: len(t.rows),
    "read_repetitions": "read",
    "repetitions": "repetitions",
    "epsilon": lambda t: t.o.scenario.epsilon,
    "study_share": lambda t: t.asked.share,
    "study_landmarks": "drawn",
    "all_reports": lambda t: len(t.o),
}
MEASURES = tuple(MEASURED.values())

# -- a loss by distance ------------------------------------------------------------------------------------------------


class DistanceTruth(LandmarkTruth):
    """What a chain tells of two places by how far apart they are, and what this draw told."""

    def __init__(self, page: TrackPage) -> None:
        super().__init__(page.outcome, page.session.choices)
        fold = page._text(page.outcome)["folds"]["by_distance"]
        self.data = fold[0]["shown"]["figure"]["data"] if fold and fold[0]["kind"] == "chart" else []

    def at(self, values: Mapping[str, str]) -> float:
        """The distance of which a loss is said: one of those that are drawn."""
        said = read(values["apart"])
        apart = [x for x in self.data[0]["x"] if abs(x - said.value) <= 0.51 * said.unit + 1e-9]
        return apart[0]

    def loss(self, values: Mapping[str, str]) -> float:
        found = self.told_at(self.at(values))
        assert found is not None
        return float(found.max())

    def lines(self) -> None:
        """The largest loss at every distance that is drawn."""
        highest = next((trace for trace in self.data if trace["name"].startswith("at most")), None)
        for x, y in zip(highest["x"], highest["y"], strict=True) if highest else ():
            found = self.told_at(x) if x < highest["x"][-1] else self.told_at(x * (1 - 1e-9))  # where rounding decides
            if found is None or not math.isclose(y, min(float(found.max()), math.log(1e6)), rel_tol=1e-6):
                raise Wrong(f"the loss at {x} m is drawn as {y}, and is {found}")

    @cached_property
    def by_draw(self) -> float:
        """The most that this draw changed the odds between the middles of two cells, at any moment, one after the other."""
        drawn = next(trace for trace in self.data if trace["name"] == "this draw")
        return max(drawn["y"])


BY_DISTANCE: Mapping[str, Any] = {
    "most_loss_apart": Given(lambda t, values: t.loss(values), most("x", slack=1e-7)),
    "apart": Given(lambda t, values: t.at(values)),
    "most_drawn_factor": most(lambda t: math.exp(min(t.by_draw, 700)), slack=1e-6),
    "most_if_chained": most(lambda t: max(t.told_near), slack=1e-7),
}

# -- leaving out -------------------------------------------------------------------------------------------------------


class LeavingTruth(LandmarkTruth):
    """The present setting, and that without what is found too near, each with the same reader."""

    def __init__(self, page: TrackPage) -> None:
        super().__init__(page.outcome, page.session.choices)
        self.page = page

    @cached_property
    def then(self) -> LandmarkTruth:
        scenario = leave_out(self.o, self.radius)
        near = {i for place in self.lasting if place.found < self.radius for i in place.members}
        assert set(scenario.landmarks) == {*self.s.landmarks, *near} and scenario.scheme == "skip"
        o = evaluate(scenario, self.track)
        found = LandmarkTruth(o.improved(results={"useful": self.read(o)}))
        assert all(place.found >= self.radius * (1 - 1e-6) for place in found.lasting)
        return found

    @staticmethod
    def read(outcome: Any) -> Result:
        from lmdk_widgets.answers.usefulness import useful

        return Result("", useful(outcome), done=True)

    def becomes(self, values: Mapping[str, str], which: str) -> str:
        """What an answer is now, or is then."""
        t = LandmarkTruth(self.o.improved(results={"useful": self.read(self.o)})) if which == "before" else self.then
        answer = values["answer"]
        if answer == "useful":
            return t.useful_tile
        if answer == "found":
            return t.tile
        name = "dearest" if answer == "one moment" else "landmarks_and_one"
        loss = getattr(t, name)
        return "no promise" if nothing(name)(t) else str(of_100(1 / (1 + math.exp(-min(loss, 700)))))

    @property
    def silent(self) -> float:
        """How near silences come of the places that were left out."""
        return min(max(place.quiet.half, 20.0) for place in self.then.lasting if place.quiet is not None)


def becomes(which: str) -> Given:
    return Given(lambda t, values: t.becomes(values, which))


LEAVING: Mapping[str, Any] = {
    "skip_epsilon": lambda t: t.then.epsilon,
    "answer_before": becomes("before"),
    "answer_after": becomes("after"),
    "unit": Given(lambda t, values: values["unit"] if values["unit"] in ("", " of 100") else "ANOTHER UNIT"),
    "silence_distance": lambda t: metres(t.silent),
}

PANEL_TRUTH: Mapping[str, Callable[[TrackPage], Any]] = {
    "standing": StandingTruth,
    "vary": VariedTruth,
    "by_distance": DistanceTruth,
    "leave_out": LeavingTruth,
}
