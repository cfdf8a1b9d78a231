"""Every number of the trade-off and of the inverse questions: lines are recomputed, answers are tried."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.page.amounts import outward
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.found_epsilon import NOTHING_LASTS
from lmdk_widgets.pages.track.inverse import inverse_rows
from lmdk_widgets.pages.track.trade_off import EPSILONS, TradeOffChoices, describe_trade_off, trade_off_figure
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import SCHEMES, SPREADS
from lmdk_widgets.trajectory import Trajectory, sample
from tests.every_number.claims import least
from tests.every_number.found_names import subject
from tests.every_number.landmarks_drawn import SEVERAL
from tests.every_number.landmarks_errors_truth import HALF_EARTH_M
from tests.every_number.landmarks_truth import PLANS, LandmarkTruth
from tests.every_number.named import Named
from tests.every_number.spent_truth import ONLINE
from tests.every_number.test_landmark_numbers import by_hand, fitting, setting
from tests.every_number.useful_truth import SLACK
from tests.landmark_choices import page_of
from tests.sweeps import FULL, generators, more, size

SETTINGS = 36 if FULL else 24

TITLES = {text.partition(":")[0]: name for name, text in SCHEMES.items()}


DRAWN = 3
"""A reader reads so many draws here, where the page has up to 20."""


class Inverse:
    """The present outcome, and what each answer leads to."""

    def __init__(self, page: Any) -> None:
        outcome, self.asked = page.outcome, page.session.choices.inverse
        self.outcome, self.s, self.track = outcome, outcome.scenario, outcome.trajectory
        self.wanted_m, self.wanted_loss = self.asked.error_m, self.asked.loss
        self.epsilon, self.n, self.k = self.s.epsilon, len(outcome), len(self.s.landmarks)
        self.reads = DRAWN
        self.radius, self.now = self.s.radius_m, LandmarkTruth(outcome)

    def with_spent(self, epsilon: float) -> LandmarkTruth:
        scaled = [(min(value * epsilon, 1e6), length) for value, length in self.s.budgets]
        spent = {"budgets": scaled} if scaled else {"epsilon": epsilon, "target": epsilon}
        return LandmarkTruth(evaluate(self.s.with_changes(**spent), self.track))

    def error(self, epsilon: float) -> float:
        t = self.with_spent(epsilon)
        if self.s.scheme in ONLINE or (self.s.scheme == "skip" and self.k) or 0 in t.budgets:
            return float(np.nanmean(drawn_errors(t.s, self.track, 20)))
        return 2 * self.s.radius_m * math.fsum(1 / b for b in t.budgets) / self.n

    @property
    def needed(self) -> float:
        """What is said to be needed, once it is seen that it does and that a little less does not."""
        found = outward(self.outcome.found("inverse").error_epsilon, up=True)
        assert self.error(found) <= self.wanted_m * (1 + 1e-9) and self.error(found * 0.998) >= self.wanted_m * 0.9985
        if self.outcome.found("inverse").how == "formula" and not self.s.budgets:
            text = self.s.spread.formula_for(landmarks=bool(self.k))
            assert math.isclose(by_formula(text, self, found), self.error(found), rel_tol=1e-9), text
        return found

    def reader(self, epsilon: float) -> float:
        """What a reader is off by, the median of at most 20 draws."""
        return useful(self.with_spent(epsilon).o, min(DRAWN, max(1, 2000 // self.n))).reader

    @property
    def read(self) -> float:
        """What is said to keep a reader's error, once it is seen that it does."""
        found = next(
            row["set"][1] for row in inverse_rows(self.asked, self.outcome) if row["name"] == "inverse.error_m"
        )
        assert self.reader(found) <= self.wanted_m
        return found

    @property
    def below(self) -> float:
        """What is said not to: the next number of two digits, which is tried too."""
        found = self.outcome.found("inverse").read
        assert self.reader(found.below) > self.wanted_m and found.epsilon <= 1.12 * found.below
        return found.below

    @property
    def far(self) -> float:
        """What is said to keep lasting places far, once it is seen that it does and that a little more does not."""
        found, wanted = self.outcome.found("inverse").found.epsilon, self.s.radius_m
        assert self.with_spent(found).lasting[0].found >= wanted * (1 - 1e-6)
        if self.s.scheme != "adaptive" and not self.outcome.found("inverse").found.silent:
            more = (self.with_spent(found * factor).lasting[0].found for factor in (1.0015, 1.005, 1.03))
            assert any(near < wanted for near in more), "where budgets are drawn, the distance can jump up again"
        return found

    @property
    def silent(self) -> float:
        """How near the silences come without noise, of the place that they give away best."""
        quiet = [self.quiet_of(members, middle) for members, middle in self.now.located]
        return min(each.limit for each in quiet if each is not None)

    def quiet_of(self, members: list[int], middle: Any) -> Any:
        left_out = [i for i in members if self.now.own[i] <= 0]
        return self.now.silence(left_out, members, middle) if len(members) >= 5 else None

    @property
    def kept(self) -> float:
        found = next(row["set"][1] for row in inverse_rows(self.asked, self.outcome) if row["name"] == "inverse.loss")
        assert max(self.with_spent(found).landmark_bound) <= self.wanted_loss * (1 + 1e-7)
        assert max(self.with_spent(found * 1.002).landmark_bound) >= self.wanted_loss * (1 - 1e-7)
        return found

    @property
    def counted(self) -> float:
        found = self.outcome.found("inverse").counted_epsilon
        assert max(self.with_spent(found).landmark) <= self.wanted_loss * (1 + 1e-7)
        assert max(self.with_spent(found * 1.002).landmark) >= self.wanted_loss * (1 - 1e-7)
        return found

    def share(self, k: int) -> float:
        """How many times that of the whole epsilon the error is with k landmarks."""
        if self.s.scheme == "weighted":
            return (k + math.sqrt(self.n - k)) ** 2 / self.n if k else 1
        return min(k + 1, self.n)

    @property
    def room(self) -> int:
        fits = [2 * self.radius * self.share(k) / self.epsilon <= self.wanted_m for k in range(self.n + 1)]
        return max((k for k in range(self.n + 1) if fits[k]), default=0)


def by_formula(text: str, t: Inverse, epsilon: float) -> float:
    """The error that a formula on the page gives, read as it is written; all landmarks count as one less than all."""
    k = min(t.k, t.n - 1) if "with n instead" in text else t.k
    python = text.partition(", with")[0].replace("|L|", "k").replace("ε", "e").replace("−", "-")
    python = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", python.replace("√", "sqrt").replace("²", "**2"))
    return float(eval(python, {"sqrt": math.sqrt, "r": t.radius, "e": epsilon, "k": k, "n": t.n, "w": t.s.window}))


INVERSE: Mapping[str, Any] = {
    **SEVERAL,
    "wanted_error": "wanted_m",
    "wanted_loss": "wanted_loss",
    "wanted_distance": "radius",
    "needed.given": "needed",
    "at_read.given": "read",
    "at_below.given": "below",
    "up_to_distance.given": "far",
    "up_to_loss.given": "kept",
    "counted_given": least("counted"),
    "value_taken": lambda t: tuple(row["set"][1] for row in inverse_rows(t.asked, t.outcome) if row["set"]),
    "silences_within": "silent",
    "mean_draws": lambda t: 20,
    "landmark_room": "room",
    "n_timestamps": "n",
    "protected": "k",
    "epsilon": "epsilon",
    "radius": "radius",
    "least_drawn": lambda t: EPSILONS[0],
    "largest_drawn": lambda t: EPSILONS[-1],
    "subject": lambda t: subject(t.now),
    "found_distance": lambda t: t.now.distance(t.now.found_m),
}
"""Every number by its name."""

INVERSE_WHEN: Mapping[str, Callable[[Inverse], bool]] = {
    "with every {name} tried up to a million": lambda t: t.reader(1e6) > t.wanted_m,
    "up to a million achieves it": lambda t: t.error(1e6) > t.wanted_m,
    "No release is needed for that": lambda t: t.now.read_once.without <= t.wanted_m * (1 + SLACK),
    "not reached even without one": lambda t: 2 * t.radius * t.share(0) > t.wanted_m * t.epsilon * (1 - 1e-9),
    "leaves room for {landmark_room}": lambda t: 2 * t.radius * t.share(0) <= t.wanted_m * t.epsilon * (1 + 1e-9),
    "Averaging does not find": lambda t: not t.now.is_found,
    "Averaging now finds": lambda t: t.now.is_found,
}
"""Words that are true in some cases only."""

FORMULAS = {text for scheme in SPREADS.values() for text in (scheme.formula, scheme.formula_alone) if text}
AS_WRITTEN = ("two neighbouring cells", "two cells", "any two places", "nine in ten", "1 / ε", NOTHING_LASTS, *FORMULAS)


def asked(rng: np.random.Generator, made: Any = setting) -> tuple[TrackChoices, Trajectory]:
    scenario, track = made(rng)
    wanted = {"inverse.error_m": float(rng.uniform(50, 5000)), "inverse.loss": float(rng.uniform(0.1, 5))}
    epsilon = float(rng.uniform(0.05, 8))
    against = (
        str(rng.choice(["epsilon", "loss", "landmarks"])),
        str(rng.choice(["reader", "mean", "radius95"], p=[0.1, 0.5, 0.4])),
    )
    wanted |= {"stays.open": False, "inverse.open": True, "trade_off": TradeOffChoices(True, *against)}
    scenario = scenario.with_changes(average=False, states=3, epsilon=epsilon, **wanted)
    if track.stretch >= 1.0001:
        track = sample("bob")
        scenario = scenario.with_changes(landmarks=[k for k in scenario.scenario.landmarks if k < len(track)])
    return fitting(scenario, track)


def line_holds(asked: TradeOffChoices, outcome: Any, trace: dict[str, Any], rng: np.random.Generator) -> None:
    """Two points of a line: where they stand, what is said of them."""
    scheme = trace["meta"][0]["scheme"]
    for k in rng.choice(len(EPSILONS), 2, replace=False):
        epsilon = EPSILONS[k]
        s = outcome.scenario.with_changes(scheme=scheme, epsilon=epsilon, target=epsilon)
        t = LandmarkTruth(evaluate(s, outcome.trajectory))
        t.many = True
        x = {"epsilon": epsilon, "loss": t.told, "landmarks": max(t.landmark)}[asked.against]
        measured = [b for b, p in zip(t.budgets, t.o.published, strict=True) if p]
        if asked.error == "reader":
            known = useful(t.o, min(DRAWN, max(1, 2000 // t.n)))
            u = LandmarkTruth(t.o.improved(results={"useful": Result("", known, done=True)}))
            y, words = u.read[0], f"{u.useful_tile}, {u.useful_words[0].lower()}{u.useful_words[1:].partition(':')[0]}"
            assert trace["text"][k].partition(": ")[2].startswith(words), (trace["text"][k], words)
        elif asked.error == "radius95":
            y = np.nanmean(np.array(t.radius95_m, float))
        elif scheme in ONLINE or len(measured) < t.n:
            y = float(np.nanmean(drawn_errors(s, outcome.trajectory, 20), axis=1).mean())
        else:
            y = np.mean([min(2 * s.radius_m / b, HALF_EARTH_M) for b in measured])
        assert trace["x"][k] is None or abs(trace["x"][k] - x) <= 6e-5 * x, (scheme, epsilon, s)
        assert abs(trace["y"][k] - y) <= 6e-5 * y, (scheme, epsilon, s)
        said = re.fullmatch(r"(.+), (epsilon|target) (\S+): (.+)", trace["text"][k])
        assert said and TITLES[said[1]] == scheme and float(said[3]) == epsilon
        assert (said[2] == "target") == (scheme in PLANS)
        assert t.o.reports is not None or said[4].endswith(f"; found: {t.tile}"), (said[4], t.tile)


@pytest.mark.long
def test_every_number_of_the_trade_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.answers.usefulness.MOST_DRAWS", DRAWN)
    claims, lines = Named(INVERSE, as_written=AS_WRITTEN, true_when=INVERSE_WHEN), 0
    for k, rng in enumerate(chain(generators(5, SETTINGS), more(205, 300, claims.unused))):
        state = asked(rng, by_hand if k % 6 == 5 else setting)
        try:
            page = page_of(*state)
        except Exception:  # settings that do not go together
            continue
        outcome, choices = page.outcome, page.session.choices
        # what is further looked for is a sentence: lines would take most of the time
        for trace in trade_off_figure(choices.trade_off, outcome)["data"] if k < size(SETTINGS) else ():
            if "meta" in trace and None not in trace["y"]:
                line_holds(choices.trade_off, outcome, trace, rng)
                lines += 1
        with heard() as made:
            texts = [describe_trade_off(choices.trade_off, outcome)]
            texts += [row["text"] for row in inverse_rows(choices.inverse, outcome)]
        refused = (outcome.found("inverse").no_error, outcome.found("inverse").no_loss)
        plain = [text for text in texts if not any(why and why[1:] in text for why in refused)]
        claims.hold([(text[:20], text) for text in plain], made, Inverse(page))
    assert lines >= 4 * size(SETTINGS)
    assert not FULL or not claims.unused(), claims.unused()
