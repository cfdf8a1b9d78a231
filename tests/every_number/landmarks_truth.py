"""What the track page says, recomputed from a scenario, a track, and the budgets and releases of an outcome."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from lmdk_widgets.answers.odds import chain_losses, moment_losses
from lmdk_widgets.answers.pairs import of_many
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.choices import TrackChoices
from tests.every_number import losses
from tests.every_number.found_truth import FoundTruth
from tests.every_number.hidden_truth import Attacked, Drawn, attacked, drawn
from tests.every_number.landmarks_cells_truth import CellsTruth
from tests.every_number.landmarks_errors_truth import ErrorsTruth
from tests.every_number.pairs_truth import PairsTruth
from tests.every_number.region_truth import RegionTruth
from tests.every_number.spent_truth import WINDOWED, dearest
from tests.every_number.useful_truth import UsefulTruth

SMOOTHING = {"weak": 1.0, "moderate": 0.1, "strong": 0.01}
MOST = 690.0
"""Beyond it the exponentials of the recomputation overflow, and what is shown is only held to be beyond it too."""
PLANS = ("planned", "best-plan")


@lru_cache(maxsize=500)
def side(rows: bytes, m: int) -> losses.Side:
    return losses.side_of(np.frombuffer(rows).reshape(-1, m))


@lru_cache(maxsize=100)
def any_start(rows: bytes, m: int, smoothing: float | None) -> losses.AnyStartSide:
    return losses.AnyStartSide(np.frombuffer(rows).reshape(-1, m), smoothing)


def as_written(loss: float) -> float:
    """The factor e^loss as a sentence has it: two decimals, from 10 on a whole number, from a million on one for all."""
    factor = math.exp(min(loss, 20.0)) * (1 - 1e-9)
    if factor >= 1e6:
        return math.inf
    if factor > 10:
        step = 1 if factor < 99_999.5 else 100
        return math.ceil(factor / step) * step
    return max(math.ceil(factor * 100), 100) / 100


def spoken(seconds: float) -> str:
    for unit, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.3g} s"


class LandmarkTruth(ErrorsTruth, CellsTruth, RegionTruth, FoundTruth, UsefulTruth, PairsTruth):
    """Everything that the page may say of an outcome, each value from its definition."""

    def __init__(self, outcome: Any, choices: Any = None) -> None:
        self.o, self.s, self.track = outcome, outcome.scenario, outcome.trajectory
        self.choices = choices or TrackChoices(self.s)
        self.n, self.marks = len(self.track), self.s.landmarks
        if self.s.hide and self.marks:
            self.marks = self._protected()
        self.k = len(self.marks)
        self.epsilon, self.target, self.scheme = self.s.epsilon, self.s.target, self.s.scheme
        self.w, self.radius = self.s.window, self.s.radius_m
        self.spent = [float(b) for b in outcome.budgets]
        self.measured = sum(bool(p) for p in outcome.published)

    reads = 12
    """How many draws a reader reads of each of several settings."""

    @property
    def now(self) -> LandmarkTruth:
        """The present one of several settings."""
        return self

    @cached_property
    def read_once(self) -> LandmarkTruth:
        """The same read once: what is known without a release."""
        known = Result("", useful(self.o, 1), done=True)
        return LandmarkTruth(self.o.improved(results={"useful": known}))

    def _protected(self) -> tuple[int, ...]:
        """Which dummies were drawn is taken as it is, once it is seen to be a choice that there is."""
        marks = self.o.protected
        assert set(self.s.landmarks) <= set(marks) <= set(range(self.n)) and list(marks) == sorted(set(marks))
        if self.s.hide_method == "random":
            assert set(marks) == self.drawn.sets[-1], "another draw than that of the seed"
        else:
            assert len(marks) <= len(self.s.landmarks) + self.s.hide_most
        return marks

    @cached_property
    def drawn(self) -> Drawn:
        """Random dummies, drawn once more."""
        return drawn(self)

    @cached_property
    def attacked(self) -> Attacked:
        """What someone who knows the method finds of hidden landmarks."""
        return attacked(self)

    # -- budgets ------------------------------------------------------------------------------------------------------

    @cached_property
    def budgets(self) -> list[float]:
        """What the scheme gives by its formula; where it depends on releases, what was spent, once it is seen to fit."""
        e, n, k = self.epsilon, self.n, self.k
        every = {"event": e, "user": e / n, "window": e / self.w, "uniform": e / (k + (k < n))}
        if self.scheme in every:
            return [every[self.scheme]] * n
        if self.scheme == "skip":
            return [0.0 if t in self.marks else e for t in range(n)]
        if self.scheme == "weighted":
            if k in (0, n):
                return [e / max(k, 1)] * n
            a = e / (k + math.sqrt(n - k))
            return [a if t in self.marks else a * math.sqrt(n - k) for t in range(n)]
        if self.scheme == "given":
            each = [value for value, length in self.s.budgets for _ in range(length)]
            return each or [e / (k + (k < n))] * n
        fits = self.window_totals if self.scheme in WINDOWED else self.totals
        if self.scheme == "best-plan":
            assert max(self.total) <= self.target * (1 + 1e-9), "no timestamp loses more than the target"
            assert math.fsum(1 / b for b in self.spent) <= self.n**2 / self.target * (1 + 1e-6), "user level errs less"
            if self.cao is not None and min(self.cao) > 1e-6 * self.target:
                assert math.fsum(1 / b for b in self.spent) <= math.fsum(1 / b for b in self.cao) * (1 + 1e-6)
        elif self.scheme == "planned":
            assert max(abs(t - self.target) for t in self.total) <= 1e-6 * self.target, "a plan keeps its target"
        else:
            assert max(fits) <= e * (1 + 1e-12), "a scheme spends no more than it may"
        return self.spent

    @cached_property
    def reserved(self) -> list[float]:
        """Adaptive: the budget that each timestamp had when it was decided on, told from what was skipped."""
        budget, found = self.epsilon / (self.k + (self.k < self.n)), []
        for t in range(self.n):
            found.append(budget)
            if t in self.marks and not self.o.published[t]:
                budget += budget / (sum(i > t for i in self.marks) + 1)
        return found

    @cached_property
    def threshold_m(self) -> list[float]:
        return [self.radius / b for b in self.reserved]

    @cached_property
    def rate(self) -> list[float]:
        """Adaptive's sampling rate, followed from one release that was measured to the next.

        Releases are drawn here once more and seen to be those that are shown: in degrees, what is farther off than the
        world is large comes round again, and distances are lost.
        """
        noise = PlanarLaplace(radius_m=self.radius).standard_noise(self.n, np.random.default_rng(self.s.seed))
        last_on = np.maximum.accumulate(np.where(self.o.published, np.arange(self.n), 0))
        points = (self.track.points_m + noise * self.radius / np.array(self.reserved)[:, None])[last_on]
        shown = self.track.frame.to_degrees(points)
        np.testing.assert_allclose((self.o.latitude, self.o.longitude), shown, rtol=0, atol=1e-6)
        rate, found, last = 1.0, [], None
        for t in range(self.n):
            found.append(rate)
            if not self.o.published[t]:
                continue
            if last is not None:
                still = self.threshold_m[t] > math.dist(points[t], points[last])
                rate = rate - rate * self.s.decrease if still else rate + (1 - rate) * self.s.increase
            last = t
        return found

    @cached_property
    def share(self) -> float:
        return math.fsum(self.spent[i] for i in self.marks)

    @cached_property
    def totals(self) -> list[float]:
        return [math.fsum(self.spent[i] for i in {*self.marks, t}) for t in range(self.n)]

    @property
    def top(self) -> float:
        return max(self.totals)

    @property
    def fits(self) -> float:
        """What budgets may be multiplied by: the least that a timestamp with the landmarks allows."""
        return min((self.epsilon / each for each in self.totals if each > 0), default=math.inf)

    @property
    def adds(self) -> float:
        """What a timestamp that is no landmark adds, at most."""
        return max((self.spent[t] for t in range(self.n) if t not in self.marks), default=0.0)

    @cached_property
    def window_totals(self) -> list[float]:
        return [math.fsum(self.spent[max(0, t - self.w + 1) : t + 1]) for t in range(self.n)]

    @property
    def overrun(self) -> float:
        return self.top / (self.target if self.scheme in PLANS else self.epsilon)

    def alike(self, timestamps: Any, within: float = 1e-7) -> float:
        """What each of these timestamps spends; nothing if they do not spend the same."""
        values = [self.spent[t] for t in timestamps]
        return values[0] if max(values) - min(values) <= within * max(values) else math.nan

    @property
    def more_noise(self) -> float:
        """The noise of a landmark under weighted budgets, in that of Uniform: r / b over r / u."""
        return (self.epsilon / (self.k + 1)) / self.spent[self.marks[0]]

    @property
    def released_late(self) -> int:
        return next((t for t, p in enumerate(self.o.published) if p), self.n)

    # -- correlation --------------------------------------------------------------------------------------------------

    @cached_property
    def matrix(self) -> np.ndarray | None:
        s = self.s
        if s.correlation == "none":
            return None
        if s.correlation == "matrix":
            return np.array(s.matrix, float)
        if s.correlation == "estimated":
            cells = [(math.floor(x / s.cell_m), math.floor(y / s.cell_m)) for x, y in self.track.points_m.tolist()]
            number = {cell: k for k, cell in enumerate(sorted(set(cells)))}
            moves = Counter(itertools.pairwise(number[cell] for cell in cells))
            counts = np.array([[moves[x, y] + 0.01 for y in range(len(number))] for x in range(len(number))])
            return counts / counts.sum(axis=1, keepdims=True)
        m, added = s.states, SMOOTHING.get(s.correlation, s.smoothing)
        return np.array([[((i == j) + added) / (1 + m * added) for j in range(m)] for i in range(m)])

    @property
    def modelled(self) -> bool:
        return self.s.correlation not in ("none", "matrix", "estimated")

    @cached_property
    def long_run(self) -> np.ndarray:
        assert self.matrix is not None
        if self.modelled:  # symmetric
            return np.full(len(self.matrix), 1 / len(self.matrix))
        return losses.long_run(self.matrix)

    @cached_property
    def sides(self) -> tuple[Any, Any]:
        """What carries the loss on from the past and from the future; None: nothing does."""
        p, who = self.matrix, self.s.adversary
        if p is None:
            return None, None
        m, added = len(p), SMOOTHING.get(self.s.correlation, self.s.smoothing)
        ahead: Any = losses.sticky_side(m, added) if self.modelled else side(p.tobytes(), m)
        if who == "any":
            back: Any = any_start(p.tobytes(), m, added if self.modelled else None)
        else:
            past = losses.reversed_rows(p, self.long_run)
            back = ahead if self.modelled else side(past.tobytes(), len(past))
        return (None if who == "future" else back), (None if who == "past" else ahead)

    @cached_property
    def cao(self) -> list[float] | None:
        """Cao's plan for the target, by bisection of s + L_F(target - L_B(s)) = target; None: nothing is forgotten."""
        if self.n == 1:
            return [self.target]
        back, ahead = (side or (lambda _: 0.0) for side in self.sides)
        low, high = 0.0, self.target
        for _ in range(200):
            s = (low + high) / 2
            low, high = (s, high) if s + ahead(self.target - back(s)) <= self.target else (low, s)
        last = self.target - back(low)
        each = last - ahead(last)
        if each <= 1e-9 * self.target and self.n > 2:
            return None
        return [low, *[each] * (self.n - 2), last]

    @cached_property
    def backward(self) -> list[float]:
        return losses.run(self.sides[0], self.spent)

    @cached_property
    def forward(self) -> list[float]:
        return losses.run(self.sides[1], self.spent[::-1])[::-1]

    @cached_property
    def total(self) -> list[float]:
        return [b + f - e for b, f, e in zip(self.backward, self.forward, self.spent, strict=True)]

    @cached_property
    def tells(self) -> list[float]:
        """What a report tells at each timestamp: what if a chain is assumed, of places in two cells one radius apart, or of
        neighbouring cells; without a chain what it tells alone."""
        if self.matrix is None or len(self.matrix) == 1:  # there are no two cells
            return self.alone
        if not self.responds:
            shown = (of_many(self.o).near if self.many else chain_losses(self.o)).tolist()
            return [page if min(page, own) > MOST else own for page, own in zip(shown, self.told_near, strict=True)]
        return self.told_of_cells

    @cached_property
    def alone(self) -> list[float]:
        """What a report tells of two places one radius apart, or of neighbouring cells, if moments are independent."""
        flat = self.weakened <= 1.0001  # counts as one on the ground
        cells = self.o.reports is not None and not self.responds
        times = (1 if flat else self.weakened) * (self.s.place_m / self.radius if cells else 1)
        most = self.most_of_one if self.s.spread.online else 0.0
        return [times * (most or b) for b in self.spent]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo("UTC" if self.s.utc else self.track.zone or "UTC")

    def _when(self, timestamp: int) -> datetime:
        return datetime.fromtimestamp(int(self.track.time[timestamp].astype("datetime64[s]").astype(int)), self.zone)

    @property
    def about(self) -> str:
        """What was loaded: how many points, from when to when, how often."""
        if self.s.track:
            return ""
        first, last = self._when(0), self._when(-1)
        text = f"{self.track.name or 'Your track'}: {self.n:,} point{'s' * (self.n > 1)}, {first:%Y-%m-%d %H:%M}"
        if self.n > 1:
            text += f" to {last:%H:%M}" if first.date() == last.date() else f" to {last:%Y-%m-%d %H:%M}"
        text += f" ({self.zone.key})"
        apart = [b - a for a, b in itertools.pairwise(self.track.time.astype("datetime64[s]").astype(int).tolist())]
        if apart:
            text += f", {'every' if max(apart) == min(apart) else 'mostly about every'} {spoken(median(apart))}"
        return f"{text}."

    @property
    def clock_ms(self) -> list[float]:
        """What a clock of the zone shows, as if it were in UTC."""
        return [self._when(i).replace(tzinfo=UTC).timestamp() * 1000 for i in range(self.n)]

    @property
    def told(self) -> float:
        return max(self.tells)

    @property
    def compared_m(self) -> float:
        return self.s.place_m if self.o.reports is not None else self.radius

    @property
    def moment(self) -> str:
        """The clock time at which most is told; where all are alike, that they are."""
        if self.n == 1:
            return "at the one moment of this track"
        page = moment_losses(self.o)
        assert np.allclose(page, self.alone, rtol=1e-12), f"another timestamp tells more: {page} is not {self.alone}"
        shown = int(np.argmax(page))
        alike = sum(as_written(each) == as_written(page[shown]) for each in page.tolist())
        if alike == self.n:
            return "at any one moment"
        if alike > 1:
            return f"at each of {alike:,} of the {self.n:,} moments"
        at, first, last = (self._when(i) for i in (shown, 0, -1))
        text = at.strftime("at %H:%M:%S" if at.second else "at %H:%M") + (" UTC" if self.zone.key == "UTC" else "")
        if first.date() == last.date():
            return text
        text += f" on {at:%a} {at.day} {at:%b}"
        return text if first.year == last.year else f"{text} {at.year}"

    @property
    def peak(self) -> float:
        return max(self.total)

    @property
    def times(self) -> tuple[float, ...]:
        """The largest loss in units of what that timestamp spends; several may lose as much."""
        return tuple(
            t / b for t, b in zip(self.total, self.spent, strict=True) if t >= self.peak * (1 - 1e-9) and b > 0
        )

    @cached_property
    def supremum(self) -> float:
        if self.scheme in PLANS:
            return self.target
        here = self.epsilon if SCHEMES[self.scheme].grows else max(self.spent)  # on a longer track
        each = dearest(self.scheme, self.epsilon, self.w, here)
        if each == 0:  # nothing is ever measured
            return 0.0
        return sum(each if s is None else s.supremum(each) for s in self.sides) - each

    @property
    def bounded(self) -> float:
        return min((s.bounded for s in self.sides if s is not None), default=math.inf)

    @cached_property
    def window_loss(self) -> list[float]:
        found = []
        for last in range(self.n):
            first = max(0, last - self.w + 1)
            between = math.fsum(self.spent[first + 1 : last])
            together = self.backward[first] + self.forward[last] + between
            found.append(self.total[last] if first == last else together)
        return found

    def count_with(self, marks: Any) -> float:
        return losses.counted(*self.sides, self.spent, tuple(sorted(marks)))

    @cached_property
    def landmark(self) -> list[float]:
        """The paper's count for every timestamp."""
        whole, follow = [], losses.move_by_move if self.marks else losses.run
        for t in range(self.n):
            members = sorted({*self.marks, t})
            edges = [-1, *members, self.n]
            whole.append(
                sum(
                    follow(self.sides[0], self.spent[a + 1 : i + 1])[-1]
                    + follow(self.sides[1], self.spent[i:c][::-1])[-1]
                    - self.spent[i]
                    for a, i, c in zip(edges, members, edges[2:], strict=False)
                )
            )
        return whole

    @cached_property
    def landmark_bound(self) -> list[float]:
        """The bound by bridges, over the states that occur in the long run unless any start is allowed."""
        p = self.matrix
        if p is not None and self.s.adversary != "any":
            states = np.flatnonzero(self.long_run > 0)
            p = np.ascontiguousarray(p[np.ix_(states, states)])
        if p is None or len(p) == 1:
            return self.totals
        m, added = len(p), SMOOTHING.get(self.s.correlation, self.s.smoothing)
        ahead: Any = losses.sticky_side(m, added) if self.modelled else side(p.tobytes(), m)
        past = losses.reversed_rows(p, losses.long_run(p))
        back: Any = ahead if self.modelled else side(past.tobytes(), len(past))
        if self.s.adversary == "any":
            back = any_start(p.tobytes(), m, added if self.modelled else None)
        return [losses.bridged(p, back, ahead, self.spent, self.marks, t) for t in range(self.n)]
