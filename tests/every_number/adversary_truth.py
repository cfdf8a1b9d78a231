"""What an adversary infers, recomputed in logarithms: only the cells and the release of an outcome are taken as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import timedelta
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.attacker_error import MODELS
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.inference import main_place
from lmdk_widgets.pages.place import city_prior
from lmdk_widgets.scenario import infer
from lmdk_widgets.scenario.clock import clock, clock_times
from tests.every_number.losses import Prefixes, run
from tests.every_number.region_truth import in_frame
from tests.every_number.spent_truth import COMPARING
from tests.inference.inference_oracles import logs_of, path_score, reference
from tests.leakage.oracles import literal_loss


class Her:
    """What follows from an outcome for the adversary: only its cells and its release are taken as they are."""

    def __init__(self, page: Any) -> None:
        self.page, self.knows, outcome = page, page.session.choices.attacker, page.outcome
        self.o, self.s, self.track = outcome, outcome.scenario, outcome.trajectory
        self.found = infer(outcome, self.knows)
        area = self.found.area
        self.names, self.side, self.n, self.m = area.names, area.cell_m, len(outcome), len(area)
        self.middle, self.cells = (area.frame.latitude, area.frame.longitude), area.squares * self.side + area.origin_m
        self.apart = np.array([[math.dist(a, b) for b in self.cells] for a in self.cells])
        self.far, self.step, self.radius = float(self.apart.max()), self.knows.step_m, self.s.radius_m
        self.place = np.array(self.flat(self.track))
        self.true = [int(np.hypot(*(self.cells - place).T).argmin()) for place in self.flat(self.track)]

    def flat(self, where: Any) -> list[np.ndarray]:
        """Places with latitudes and longitudes in the plane of her cells."""
        each = zip(where.latitude.tolist(), where.longitude.tolist(), strict=True)
        return [np.array(in_frame(self.middle, *at)) for at in each]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        if "days" not in (self.knows.start, self.knows.moves):
            return [(0, self.n)]
        shown = [clock_day(self.track, i) for i in range(self.n)]
        starts = [i for i in range(self.n) if not i or shown[i] != shown[i - 1]]
        return list(zip(starts, [*starts[1:], self.n], strict=True))

    @cached_property
    def parts(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Prior, transitions and likelihoods of each part of the track."""
        return [(self.prior(*span), self.matrix(*span), self.seen[slice(*span)]) for span in self.spans]

    @cached_property
    def seen(self) -> np.ndarray:
        places = self.flat(self.o)
        online = self.s.scheme in COMPARING
        spent = self.o.budgets - (self.s.epsilon / (2 * self.s.window) if online else 0)
        found = np.zeros((self.n, self.m))
        if self.s.mechanism == "randomised":
            for t in np.flatnonzero(self.o.published):
                reported = int(np.hypot(*(self.cells - places[t]).T).argmin())
                found[t] = [-spent[t] * (x != reported) for x in range(self.m)]
            return found
        for t in np.flatnonzero(self.o.published):
            found[t] = [-spent[t] / self.radius * math.dist(places[t], cell) for cell in self.cells]
        return found

    def others(self, first: int, last: int) -> list[int]:
        return [x for t, x in enumerate(self.true) if not first <= t < last]

    @cached_property
    def people(self) -> list[int]:
        """The check-ins in each cell, counted one after the other."""
        visits, held = self.track.checkins, [0] * self.m
        for place, count in zip(self.flat(visits), visits.counts, strict=True):
            away = [max(abs(place - cell)) for cell in self.cells]
            if min(away) <= self.side / 2:
                held[int(np.argmin(away))] += int(count)
        return held

    def prior(self, first: int, last: int) -> np.ndarray:
        if self.knows.start == "people":
            if not hasattr(self.track, "checkins"):
                return city_prior(self.found.area)  # made up: it is what it is
            counts = np.array(self.people) + 0.01
            return counts / counts.sum()
        known = {"uniform": [], "days": self.others(first, last), "track": self.true}[self.knows.start]
        counts = np.full(self.m, 0.01)
        for x in known:
            counts[x] += 1
        return counts / counts.sum()

    def matrix(self, first: int, last: int) -> np.ndarray:
        moves, m = self.knows.moves, self.m
        estimated = moves == "page" and self.s.correlation == "estimated"
        if estimated or moves in ("days", "track"):
            states = self.others(first, last) if moves == "days" else self.true
            counts = np.full((m, m), 0.01)
            for k in range(len(states) - 1):
                counts[states[k], states[k + 1]] += 1
            return counts / counts.sum(axis=1, keepdims=True)
        if moves == "near":
            weights = np.exp(-self.apart / self.step)
            p = weights / weights.sum(axis=1).max() * (1 - 1e-6) + 1e-6 / m
            return p + np.diag(1 - p.sum(axis=1))
        chain = self.o.correlation
        stay = 0.0
        if chain.matrix is not None:
            stay = sum(p * row[i] for i, (p, row) in enumerate(zip(chain.stationary, chain.matrix, strict=True)))
        if m == 1:
            return np.ones((1, 1))
        jump = max((1 - max(stay, 1 / m)) / (1 - 1 / m), 1e-6)
        return np.eye(m) * (1 - jump) + jump / m

    def logs(self, looks: Any) -> np.ndarray:
        """Log posteriors of every timestamp from the releases that `looks(t, first, last)` names."""
        rows = []
        for (first, last), (prior, p, seen) in zip(self.spans, self.parts, strict=True):
            for t in range(first, last):
                masked = np.zeros_like(seen)
                some = [k - first for k in looks(t, first, last)]
                masked[some] = seen[some]
                rows.append(reference(prior, p, masked)[0][t - first])
        return np.array(rows)

    @cached_property
    def whole_logs(self) -> np.ndarray:
        looks = {"past": lambda t, a, b: range(a, t + 1), "future": lambda t, a, b: range(t, b)}
        return self.logs(looks.get(self.s.adversary, lambda t, a, b: range(a, b)))

    @cached_property
    def alone(self) -> np.ndarray:
        return np.exp(self.logs(lambda t, a, b: [t]))

    @cached_property
    def blind_logs(self) -> np.ndarray:
        return self.logs(lambda t, a, b: [])

    @cached_property
    def whole(self) -> np.ndarray:
        return np.exp(self.whole_logs)

    @cached_property
    def blind(self) -> np.ndarray:
        return np.exp(self.blind_logs)

    def to_place(self, states: list[int]) -> np.ndarray:
        """From the middle of a state at each timestamp to where the truth really is."""
        return np.array([float(np.linalg.norm(self.cells[x] - p)) for x, p in zip(states, self.place, strict=True)])

    def off(self, belief: np.ndarray) -> np.ndarray:
        """From the best guess to the true place; of guesses that are as good but for rounding, the one that is shown."""
        losses = belief @ self.apart
        worth = next(w for w, b in self.worths if b is belief)
        least = losses.min(axis=1)
        good = losses <= (least * (1 + 1e-9) + 1e-9)[:, None]
        each = [self.to_place([int(x)] * self.n) for x in range(self.m)]
        best = np.array([[each[x][t] if good[t, x] else math.nan for x in range(self.m)] for t in range(self.n)])
        at = np.nanargmin(abs(best - worth.error_m[:, None]), axis=1)
        return best[np.arange(self.n), at]

    @cached_property
    def worths(self) -> list[tuple[Any, np.ndarray]]:
        """What is shown of each belief."""
        return [(self.found.whole, self.whole), (self.found.alone, self.alone), (self.found.blind, self.blind)]

    @cached_property
    def by_reader(self) -> np.ndarray:
        """The errors of a careful reader of the whole release; of a part of it they are held elsewhere."""
        if self.s.adversary in ("both", "any"):
            return useful(self.o, 1).error_m
        assert self.found.by_reader is not None
        return self.found.by_reader

    @cached_property
    def errors(self) -> dict[str, np.ndarray]:
        return {"the reader’s model": self.by_reader, "the chain chosen under Attacker": self.off(self.whole)}

    @property
    def model(self) -> str:
        """The model with the smaller error; the one that is shown where both are as good but for rounding."""
        means = {name: float(off.mean()) for name, off in self.errors.items()}
        shown = MODELS[self.found.model]
        return shown if means[shown] <= min(means.values()) * (1 + 1e-9) + 1e-9 else min(means, key=means.__getitem__)

    @property
    def other(self) -> str:
        return next(name for name in self.errors if name != self.model)

    @property
    def error(self) -> np.ndarray:
        """The attacker's error at each timestamp."""
        return self.errors[self.model]

    def right(self, belief: np.ndarray) -> np.ndarray:
        return np.array([row[x] for row, x in zip(belief, self.true, strict=True)])

    @cached_property
    def guess(self) -> list[int]:
        """Her best guess: the one that is shown, where it is as good as any."""
        losses = self.whole @ self.apart
        shown = self.found.guess.tolist()
        good = [row[s] <= row.min() * (1 + 1e-6) + 1e-6 for s, row in zip(shown, losses, strict=True)]
        return [s if fine else int(row.argmin()) for s, fine, row in zip(shown, good, losses, strict=True)]

    @cached_property
    def followed(self) -> tuple[float, int]:
        """How far the median of the reports that seem to come from the likeliest cell, or beside it, is off, and how many
        these are; of cells that are as likely but for rounding the one that gives what is shown."""
        shares = self.whole.sum(axis=0) / self.n
        frame, o = self.track.frame, self.o
        reports = np.stack(frame.to_metres(o.latitude, o.longitude).T, axis=1)
        cell = int(shares.argmax())
        near = [k for k in range(self.m) if abs(self.cells[k] - self.cells[cell]).max() < 1.5 * self.side]
        compared = o.scenario.spread.compared(o.scenario.epsilon, o.scenario.window)
        counts = [t for t in range(self.n) if math.fsum(self.whole[t, near]) > 0.5 and o.published[t]]
        weights = np.array([o.budgets[t] - compared for t in counts])
        at = np.average(reports[counts], axis=0, weights=weights) if counts else self.cells[cell]
        for _ in range(3000 if counts else 0):  # Weiszfeld
            pull = weights / np.maximum(np.hypot(*(reports[counts] - at).T), 1e-9)
            at = pull @ reports[counts] / pull.sum()
        latitude, longitude, _ = main_place(self.track.latitude, self.track.longitude)
        return float(np.hypot(*(at - frame.to_metres(latitude, longitude)))), len(counts)

    @property
    def usual(self) -> int:
        """The cell that holds most timestamps, the first of ties."""
        return max(sorted(set(self.true)), key=self.true.count)

    def guessed(self, timestamps: Iterable[int]) -> float:
        """The share of some timestamps at which her best guess is the true cell."""
        right = [self.guess[i] == self.true[i] for i in timestamps]
        return sum(right) / len(right) if right else math.nan

    @cached_property
    def path(self) -> list[int]:
        """The likeliest path: the one that is shown, where no other scores more."""
        shown, found = self.found.path.tolist(), []
        for (first, last), (prior, p, seen) in zip(self.spans, self.parts, strict=True):
            best = logs_of(prior) + seen[0]
            for row in seen[1:]:
                best = (best[:, None] + logs_of(p)).max(axis=0) + row
            score = path_score(np.array(shown[first:last]), prior, p, seen)
            assert score >= best.max() - 1e-6 * abs(best.max()) - 1e-6, "there is a likelier path"
            found += shown[first:last]
        return found

    @cached_property
    def learned(self) -> np.ndarray:
        change = self.whole_logs - self.blind_logs
        return change.max(axis=1) - change.min(axis=1)

    @cached_property
    def bound(self) -> Any:
        estimated = (self.knows.moves, self.s.correlation) == ("page", "estimated")
        if self.knows.start != "uniform" or self.knows.moves in ("days", "track") or estimated:
            return None
        p = self.matrix(0, self.n)
        back, forth = literal_loss(p, self.o.budgets), literal_loss(p, self.o.budgets[::-1])[::-1]
        return {"past": back, "future": forth}.get(self.s.adversary, back + forth - self.o.budgets)

    @property
    def told_per_m(self) -> float:
        """What a budget of 1 tells of two cells a metre apart: by planar Laplace, or the most of every report and pair."""
        if self.s.mechanism == "planar":
            return 1 / self.radius
        found = 0.0
        for b, channel in self.o.reports.channels.items():
            logs = np.log(channel.matrix)
            away = self.apart > 0
            found = max(found, *(float(((row[:, None] - row)[away] / self.apart[away]).max()) / b for row in logs.T))
        return found

    @cached_property
    def far_bound(self) -> np.ndarray:
        """As if every two of her cells were as far apart as the farthest."""
        spent, side = self.o.budgets * self.told_per_m * float(self.apart.max()), Prefixes(self.matrix(0, self.n))
        back, forth = (np.array(run(side, each.tolist())) for each in (spent, spent[::-1]))
        both = back + forth[::-1] - spent
        found = np.asarray({"past": back, "future": forth[::-1]}.get(self.s.adversary, both))
        assert (self.learned <= found * (1 + 1e-6) + 1e-6).all()
        return found

    @cached_property
    def pair_bound(self) -> Any:
        """The loss between the two cells whose odds changed most, by the best of all stars: she goes anywhere alike."""
        if self.bound is None or self.knows.moves != "page" or self.s.mechanism == "randomised":
            return None
        change = self.whole_logs - self.blind_logs
        for t, (x, y) in enumerate(self.found.changed):
            assert change[t, x] - change[t, y] == pytest.approx(self.learned[t], rel=1e-5, abs=1e-6)
        p, unit = self.matrix(0, self.n), self.apart * self.told_per_m

        def side(budgets: list[float]) -> list[np.ndarray]:
            found, last = [budgets[0] * unit], 0  # the last report; before the first one, all is 0
            for t, budget in enumerate(budgets[1:], start=1):
                sums = np.log([np.linalg.matrix_power(p, t - last) @ np.exp(-row) for row in found[last]])
                found.append(budget * unit + np.max([row[:, None] - row for row in sums], axis=0))
                last = t if budget > 0 else last
            return found

        back, forth = side(list(self.o.budgets)), side(list(self.o.budgets)[::-1])[::-1]
        both = [b + f - e * unit for b, f, e in zip(back, forth, self.o.budgets, strict=True)]
        losses = {"past": back, "future": forth}.get(self.s.adversary, both)
        return np.array([loss[x, y] for loss, (x, y) in zip(losses, self.found.changed, strict=True)])

    @property
    def changed_at(self) -> int:
        """The timestamp of which she learned most; of those alike the one that is shown."""
        at = int(self.found.learned.argmax())
        assert self.learned[at] >= self.learned.max() - 1e-6 * max(1.0, self.learned.max())
        return at

    @property
    def changed_apart(self) -> float:
        """How far the two cells are apart of which she learned most."""
        return float(self.apart[tuple(self.found.changed[self.changed_at])])

    @property
    def proven(self) -> float:
        assert self.s.mechanism == "randomised" and (self.learned <= self.bound * (1 + 1e-9) + 1e-12).all()
        return float(self.bound.max())

    @property
    def stays(self) -> float:
        return float(np.mean([np.diag(self.matrix(*span)).mean() for span in self.spans]))

    @property
    def found_marks(self) -> list[int]:
        return [i for i in self.s.landmarks if self.guess[i] == self.true[i]]

    @property
    def named(self) -> str:
        labels = self.track.labels
        return ", ".join(labels[i] if labels else clock(self.s, self.track, i) for i in self.found_marks)

    @cached_property
    def haunt(self) -> dict[str, tuple[int, tuple[float, ...]]]:
        """Of the nights and the working days: how many, and how far the likeliest cells are from where the time is spent in
        the nearest true one; 0 in the true one."""
        found = {}
        clocks = [
            clock_times(self.track, self.track.zone or "UTC")[i].astype("datetime64[s]").item() for i in range(self.n)
        ]
        inside = {
            "night": [(c - timedelta(hours=22)).date() if not 6 <= c.hour < 22 else None for c in clocks],
            "day": [c.date() if 9 <= c.hour < 17 and c.weekday() < 5 else None for c in clocks],
        }
        for name, of in inside.items():
            days = sorted({d for d in of if d})
            if days:
                best = []
                for belief in (self.whole, np.eye(self.m)[self.true]):
                    each = [np.mean([belief[t] for t in range(self.n) if of[t] == d], axis=0) for d in days]
                    share = np.mean(each, axis=0)
                    best.append(np.flatnonzero(share >= share.max() * (1 - 1e-7)))
                there = [
                    np.median([p for p, t in zip(self.place, self.true, strict=True) if t == x], axis=0)
                    for x in best[1]
                ]
                off = [min(float(np.hypot(*(self.cells[x] - p))) for p in there) for x in best[0]]
                found[name] = (
                    len(days),
                    tuple(0.0 if x in best[1] else far for x, far in zip(best[0], off, strict=True)),
                )
        return found

    def met(self, of: str) -> int:
        """From how many she finds it; -1 where she does not."""
        days, off = self.haunt[of]
        return days if 0.0 in off else -1

    def marks(self, t: int) -> list[int]:
        row, found = self.whole[t], []
        for x in range(self.m):
            held = {share: sum(p for p in row if p > row[x] * (1 + 1e-9)) < share for share in (0.5, 0.95)}
            found.append(
                sum(row[x] >= c for c in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)) + 16 * held[0.5] + 8 * held[0.95]
            )
        return found


def clock_day(track: Any, i: int) -> Any:
    return clock_times(track, track.zone or "UTC")[i].astype("datetime64[D]")
