"""Every number of the table to choose from: its rows and sentences against each setting evaluated by itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import chain, count
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.answers import of_100
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.table import SettingsTableChoices, TableReader, table_block, table_texts
from lmdk_widgets.pages.track.useful import Usefulness
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample
from tests.every_number.claims import Hole, Wrong, agrees, near
from tests.every_number.landmarks_drawn import SEVERAL
from tests.every_number.landmarks_errors_truth import HALF_EARTH_M
from tests.every_number.landmarks_fields import GROUND
from tests.every_number.landmarks_truth import PLANS, LandmarkTruth
from tests.every_number.named import Given, Named
from tests.every_number.spent_truth import ONLINE
from tests.every_number.test_landmark_numbers import fitting, setting
from tests.every_number.useful_truth import rounded
from tests.landmark_choices import finished
from tests.sweeps import FULL, generators, more, size

TABLES = 90 if FULL else 48

TITLES = {text.partition(":")[0]: name for name, text in SCHEMES.items()}
SLACK = 1e-9


class One:
    """One setting by itself: its numbers from the definitions."""

    def __init__(self, scenario: Scenario, track: Trajectory, scheme: str, epsilon: float, radius_m: float) -> None:
        self.scheme, self.epsilon, self.radius = scheme, epsilon, radius_m
        # the mechanism, or a plan's chain, from the track itself
        self.taken = (scenario.mechanism != "planar" and scheme not in ONLINE) or (
            scheme in PLANS and scenario.correlation == "estimated"
        )
        spent = "target" if scheme in PLANS else "epsilon"
        self.named = f"{SCHEMES[scheme].partition(':')[0]}, {spent} {epsilon:,.6g} at {radius_m:,.6g} m"
        s = scenario.with_changes(scheme=scheme, epsilon=epsilon, target=epsilon, radius_m=radius_m)
        self.served = True
        try:
            t = LandmarkTruth(evaluate(s, track))
            t.many = True
        except InputError:
            self.served, self.drawn, self.taken, self.kept = False, False, False, False
            self.error = self.within = self.loss = self.together = self.sum = math.nan
            self.found, self.found_m, self.moment, self.landmarks = "not computed", math.nan, math.nan, math.nan
            return
        measured = [b for b, p in zip(t.budgets, t.o.published, strict=True) if p]
        self.drawn = scheme in ONLINE or len(measured) < t.n
        self.error = (
            float(np.nanmean(drawn_errors(s, track, 20), axis=1).mean())
            if self.drawn and measured
            else np.mean([min(2 * radius_m / b, HALF_EARTH_M) for b in measured]) if measured else math.nan
        )  # fmt: skip
        self.within = float(np.nanmean(np.array(t.radius95_m, float))) if measured else math.nan
        cells = t.o.reports is not None
        self.found_m = math.nan if cells else t.found_m  # beside the present radius, whatever that of the setting is
        self.found = t.listed if cells else t.distance(t.found_m, scenario.radius_m)
        planar = t.o.reports is None and scenario.mechanism == "planar"
        nearer = scenario.radius_m / radius_m if planar else 1.0  # promises are compared at the present radius
        self.moment, self.landmarks = t.dearest * nearer, t.landmarks_and_one * nearer
        self.loss, self.together, self.sum = t.told, max(t.landmark), max(t.totals)
        self.kept = self.sum <= epsilon * (1 + SLACK)


class TableTruth:
    """What the sentences speak of: the least error under the conditions, or the setting that comes nearest."""

    def __init__(self, asked: SettingsTableChoices, outcome: Any, said: str) -> None:
        self.asked, self.reads = asked, min(5, LandmarkTruth.reads)
        self.ones = [
            One(outcome.scenario, outcome.trajectory, s, e, r)
            for s in asked.schemes
            for e in asked.epsilons
            for r in asked.radii_m
        ]
        self.now = LandmarkTruth(outcome)
        self.limits = {
            "error": asked.most_error_m,
            "within": asked.most_radius95_m,
            "loss": asked.most_loss,
            "together": asked.most_landmark_loss,
        }
        lasts = self.now.o.reports is None and bool(self.now.lasting)  # else nothing is asked of what is found
        self.nearest_m = outcome.scenario.radius_m if lasts else None
        self.n, served = len(self.ones), [one for one in self.ones if not math.isnan(one.error)]
        meeting = [one for one in served if self.factor(one) <= 1 + SLACK]
        self.good = len(meeting)
        self.broken = sum(not one.kept for one in self.ones if one.served)
        self.taken = sum(one.taken for one in self.ones)
        served, meeting = ([one for one in some if not one.taken] for some in (served, meeting))
        self.named = bool(served)
        if not served:
            return
        least = min(map(self.factor, served))
        nearest = [one for one in served if self.factor(one) <= least * (1 + SLACK)]
        self.one = self._shown(meeting or nearest, said)
        self.title = SCHEMES[self.one.scheme].partition(":")[0]
        self.how = "within" if self.one.kept else "above"

    @staticmethod
    def _shown(ones: list[One], said: str) -> One:
        """The one with the least error; of those that are as good but for rounding, the one that the sentence names."""
        least = min(one.error for one in ones)
        good = [one for one in ones if one.error <= least * (1 + SLACK)]
        return next((one for one in good if one.named in said), good[0])

    def factor(self, one: One) -> float:
        asked = [getattr(one, name) / limit for name, limit in self.limits.items() if limit is not None]
        asked += [] if self.nearest_m is None else [self.nearest_m / one.found_m]
        return max([*asked, one.sum / one.epsilon] if self.asked.kept else asked, default=0.0)

    def worse(self, answer: str) -> tuple[str, str, str]:
        """What a promise was, or found was, and what it becomes, where that is worse: "53", "74", " of 100"."""
        no_worse = ("NO WORSE", "NO WORSE", "")
        if answer == "found":
            before, after = (max(each, 20.0) for each in (self.now.found_m, self.one.found_m))
            return (self.now.listed, self.one.found, "") if after < before * (1 - SLACK) else no_worse
        if answer == "useful":
            after = read_at(self.now.o, self.one, self.reads)
            worse = after.read[0] > self.now.read[0] * (1 + SLACK)
            return (self.now.useful_tile, after.useful_tile, "") if worse else no_worse
        moment = answer == "one moment"
        losses = (self.now.dearest, self.one.moment) if moment else (self.now.landmarks_and_one, self.one.landmarks)
        if not losses[1] > losses[0] * (1 + SLACK):
            return no_worse
        was, becomes = (
            "no promise" if promised_none(loss) else str(of_100(1 / (1 + math.exp(-min(loss, 700))))) for loss in losses
        )
        return was, becomes, "" if becomes == "no promise" else " of 100"

    def over(self, name: str) -> float:
        over = getattr(self.one, name) - self.limits[name]
        assert over > 0
        return over


def promised_none(loss: float) -> bool:
    """Whether nothing is promised with a loss."""
    return 1 / (1 + math.exp(-min(loss, 700))) >= 0.99


def missed(find: Callable[[Any, str], float], size: float = 0.0) -> Given:
    """A number of the condition that is missed, by what the sentence calls it."""
    names = {"mean error": "error", "95 % radius": "within", "landmark loss": "together"}
    names |= dict.fromkeys(("largest loss", "largest what-if loss"), "loss")
    return Given(lambda t, values: find(t, names[values["what"]]), near("", slack=GROUND, size=size))


def rounded_if(few: Callable[[Any], bool], name: str) -> Hole:
    """A length of the setting, with two digits where it is estimated."""
    one = lambda t: getattr(t.one, name)  # noqa: E731
    return near(lambda t: rounded(one(t), GROUND) if few(t) else one(t), slack=GROUND)


def found_beside(found: float, limit: float) -> float:
    """What is found with two digits, or with more where these would be on the other side of a limit."""
    two = rounded(max(found, 20.0), 0)[0]
    return two if (two >= limit) == (found >= limit) else found


SETTINGS: Mapping[str, Any] = {
    "good_settings": "good",
    "broken_settings": "broken",
    "from_data_settings": "taken",
    "scheme": "title",
    "setting_epsilon": near(lambda t: t.one.epsilon),
    "setting_radius": near(lambda t: t.one.radius),
    "setting_error": rounded_if(lambda t: t.one.drawn, "error"),
    "drawn_error": rounded_if(lambda t: t.one.drawn, "error"),
    "setting_radius95": rounded_if(lambda t: t.one.scheme in ONLINE, "within"),
    "setting_loss": near(lambda t: t.one.loss),
    "setting_together": near(lambda t: t.one.together),
    "setting_sum": near(lambda t: t.one.sum),
    "kept": "how",
    "over_sum": near(lambda t: t.one.sum - t.one.epsilon),
    "missed_value": missed(lambda t, name: getattr(t.one, name)),
    "missed_by": missed(lambda t, name: t.over(name), size=1e-3),
    "missed_limit": missed(lambda t, name: t.limits[name]),
    "setting_found": near(lambda t: found_beside(t.one.found_m, t.nearest_m)),
    "found_limit": "nearest_m",
    "mean_draws": lambda t: 20,
    "settings": "n",
    "answer_before": Given(lambda t, values: t.worse(values["answer"])[0]),
    "answer_after": Given(lambda t, values: t.worse(values["answer"])[1]),
    "unit": Given(lambda t, values: t.worse(values["answer"])[2] if "answer" in values else values["unit"]),
    **SEVERAL,
}
"""Every number by its name."""


def some(rng: np.random.Generator) -> Any:
    scenario, track = setting(rng)

    def limit(low: float, high: float) -> float | None:
        return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.3g}") if rng.random() < 0.4 else None

    asked = SettingsTableChoices(
        open=True,
        schemes=[name for name in SCHEMES if rng.random() < 0.5] or ["event"],
        epsilons=[float(f"{e:.4g}") for e in np.exp(rng.uniform(np.log(0.05), np.log(8), 2))],
        radii_m=[float(f"{r:.4g}") for r in np.exp(rng.uniform(np.log(20), np.log(3000), 2))],
        most_error_m=limit(20, 20_000), most_radius95_m=limit(50, 50_000), most_loss=limit(0.05, 10),
        most_landmark_loss=limit(0.1, 30), kept=bool(rng.random() < 0.4),
        sort=str(rng.choice(["scheme", "epsilon", "error_m", "loss"])), falling=bool(rng.random() < 0.5),
    )  # fmt: skip
    changes = {"average": False, "stays.open": False, "states": 3, "table": asked}
    return fitting(scenario.with_changes(**changes), track if track.stretch < 1.0001 else sample("bob"))


READ = 6
"""A reader reads the rows of one table in so many."""


def read_at(outcome: Any, one: One, most: int) -> LandmarkTruth:
    """One setting with what a reader makes of it."""
    changes = {"scheme": one.scheme, "epsilon": one.epsilon, "target": one.epsilon, "radius_m": one.radius}
    o = evaluate(outcome.scenario.with_changes(**changes), outcome.trajectory)
    known = useful(o, max(1, min(most, 2000 // len(o))))
    return LandmarkTruth(o.improved(results={"useful": Result("", known, done=True)}))


def read_words(one: One, outcome: Any, most: int = 5) -> str:
    """What a reader is off by in this setting, as the table writes it."""
    u = read_at(outcome, one, most)
    return f"{u.useful_tile}, {u.useful_words[0].lower()}{u.useful_words[1:].partition(':')[0]}"


def read_holds(said: str, one: One, outcome: Any) -> None:
    """What a reader is said to be off by, against its recomputation in this setting."""
    if said != (words := read_words(one, outcome)):
        raise Wrong(f"a reader is {words}, not {said}: {vars(one)}")


def written(said: str, length: float, *, few: bool) -> bool:
    """Whether a length is written so: with two digits if it is estimated from draws."""
    if not few or math.isnan(length):
        return agrees(near("x", slack=GROUND), said, length)
    return said in map(metres, rounded(length, GROUND))


def row_holds(texts: list[str], one: One) -> None:
    title, spent, radius, error, _, within, found, loss, together, total = texts
    total, _, kept = total.partition(", ")
    held = {
        "title": TITLES[title] == one.scheme,
        "epsilon": agrees(near("x"), spent.removesuffix(" (target)"), one.epsilon)
        and spent.endswith(" (target)") == (one.scheme in PLANS),
        "radius": agrees(near("x"), radius, one.radius),
        "error": written(error.removeprefix("≈ "), one.error, few=one.drawn),
        "drawn": error.startswith("≈") == (one.drawn and not math.isnan(one.error)),
        "found": found == one.found,
        "within": written(within, one.within, few=one.scheme in ONLINE),
        "loss": agrees(near("x"), loss, one.loss),
        "together": agrees(near("x"), together, one.together),
        "sum": agrees(near("x"), total, one.sum),
        "kept": kept == ("" if not one.served else "kept" if one.kept else "not kept"),
    }
    if not all(held.values()):
        raise Wrong(f"{[name for name, holds in held.items() if not holds]} of {texts}: {vars(one)}")


@pytest.mark.long
def test_every_number_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, turn = TableReader.asked, count()
    monkeypatch.setattr(TableReader, "asked", lambda *of: None if next(turn) % READ else asked(*of))
    monkeypatch.setattr(Usefulness, "asked", lambda *of: None)
    as_written = ("95 % radius", "any two places", "places in two cells", "two neighbouring cells")
    claims, rows, read = Named(SETTINGS, as_written=as_written), 0, 0
    for rng in chain(generators(11, TABLES), more(211, 500, claims.unused)):
        state = some(rng)
        try:
            outcome = finished(*state)
        except InputError:  # settings that do not go together
            continue
        with heard() as made:
            said, table = table_texts(state.choices.table, outcome), table_block(state.choices.table, outcome)
        if "None of them releases anything." in said:
            assert all(row[3] == "none" for row in table.texts())
            continue
        opens = [[act["scheme"], act["epsilon"], act["radius_m"]] for act in table.acts]
        truth = TableTruth(state.choices.table, outcome, " ".join(said))
        assert ("break" in said[0]) == bool(truth.broken)
        assert any("called the best" in text for text in said) == bool(truth.taken)
        assert any("least error" in text or "It is" in text or "The nearest" in text for text in said) == truth.named
        if (known_by_reader := outcome.found("table_reader")) and outcome.kind.placed:
            for k in rng.choice(len(opens), min(2, len(opens)), replace=False):
                go = opens[k]
                if tuple(go) in known_by_reader:
                    one = next(o for o in truth.ones if [o.scheme, o.epsilon, o.radius] == go)
                    read_holds(table.texts()[k][4], one, outcome)
                    read += 1
        known = {(one.scheme, one.epsilon, one.radius): one for one in truth.ones}
        for row, go, sign in zip(table.texts(), opens, table.signs, strict=True):
            one = known[tuple(go)]
            row_holds(row, one)
            limits = (*truth.limits.values(), truth.nearest_m)
            conditions = truth.asked.kept or any(limit is not None for limit in limits)
            assert (sign == "✓ " or (conditions and sign == "★ ")) == (
                conditions and not math.isnan(one.error) and truth.factor(one) <= 1 + SLACK
            )
            rows += 1
        assert len(table.rows) == truth.n
        try:
            claims.hold([(f"texts.{k}", text) for k, text in enumerate(said)], made, truth)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{outcome.scenario}") from wrong
    assert rows >= 10 * size(TABLES) and read >= 0.1 * size(TABLES)
    assert not FULL or not claims.unused(), claims.unused()
