"""What the series page says, recomputed from a series of states and the chains that are believed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from lmdk_widgets.noise import laplace
from lmdk_widgets.pages.series.generated import household_watts
from tests.every_number import losses
from tests.every_number.series_page_walks import (
    Scores,
    Walk,
    local_influences,
    scores_of,
    settled,
    tells_nothing,
    walked,
)

DRAWS = 100


class QuiltTruth:
    """Everything that the page may say of an outcome, each value from its definition."""

    def __init__(self, outcome: Any) -> None:
        self.o, self.c, self.series = outcome, outcome.choices, outcome.series
        self.T, self.epsilon = len(outcome.series.states), outcome.choices.epsilon
        self.m = len(self.labels)
        self.node = outcome.node
        self.own = self.c.own_chains if self.c.source == "chains" else ()
        if self.own:
            self.chains = [np.array(own.matrix) for own in self.own]
        else:
            self.chains = [self.first, *(c.transition for c in outcome.belief.chains[1:])]

    # -- the series and the belief --------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> list[str]:
        c, own = self.c, self.o.own
        if c.source == "power" or (c.source == "own" and own.watts is not None):
            watts = (household_watts() if c.source == "power" else own.watts)[:: c.every]
            low, high = math.floor(watts.min() / c.level_w), math.floor(watts.max() / c.level_w)
            return [f"{k * c.level_w:g}–{(k + 1) * c.level_w:g} W" for k in range(low, high + 1)]
        if c.source == "track" or (c.source == "own" and own.trajectory is not None):
            return [f"cell {k + 1}" for k in range(len(set(self.series.states.tolist())))]
        if c.source == "binary":
            return ["state 1", "state 2"]
        if c.source == "chains":
            return [f"state {k + 1}" for k in range(len(c.own_chains[0].matrix))]
        return list(self.series.labels)

    @cached_property
    def first(self) -> np.ndarray:
        """The chain that is given, or the moves that were seen."""
        c, m = self.c, self.m
        if self.own:
            return np.array(self.own[0].matrix)
        if c.source == "binary":
            return np.array([[c.stay_one, 1 - c.stay_one], [1 - c.stay_two, c.stay_two]])
        counts = np.full((m, m), c.smoothing)
        for days in self.series.learned_from or [self.series.states]:
            for x, y in itertools.pairwise(days.tolist()):
                counts[x, y] += 1
        total = counts.sum(axis=1, keepdims=True)
        return np.divide(counts, total, out=np.full((m, m), 1 / m), where=total > 0)

    @cached_property
    def starts(self) -> list[np.ndarray]:
        """Of every chain, as it was typed; what was left empty, and what was not typed, is the long run."""
        given = [np.array(own.initial) for own in self.own] or [np.zeros(0)] * len(self.chains)
        return [q if len(q) else losses.long_run(p) for p, q in zip(self.chains, given, strict=True)]

    @cached_property
    def at_home(self) -> list[bool]:
        """Of every chain, whether it starts in its long run."""
        return [bool(np.abs(q @ p - q).max() < 1e-11) for p, q in zip(self.chains, self.starts, strict=True)]

    @property
    def away(self) -> list[int]:
        """The numbers of the chains that do not start in their long run, from 1."""
        return [k for k, home in enumerate(self.at_home, start=1) if not home]

    @property
    def everything(self) -> bool:
        """Whether past states count that cannot occur."""
        return bool(self.own) and self.c.support == "all"

    @property
    def alike(self) -> bool:
        """Whether for an influence the distance alone counts."""
        return not self.away and not (self.everything and any((q == 0).any() for q in self.starts))

    @cached_property
    def long_run(self) -> np.ndarray:
        return settled(self.first, self.starts[0]) if self.own else losses.long_run(self.first)

    @cached_property
    def tables(self) -> list[tuple[Scores, np.ndarray, np.ndarray]]:
        """Where all timestamps are alike."""
        assert self.alike
        return [
            scores_of(np.ascontiguousarray(p, float).tobytes(), q.tobytes(), self.m, self.T)
            for p, q in zip(self.chains, self.starts, strict=True)
        ]

    def walks(self, everything: bool) -> list[Walk]:
        return [walked(p, q, self.T, everything) for p, q in zip(self.chains, self.starts, strict=True)]

    @property
    def scores(self) -> list[Any]:
        """The quilts of every chain."""
        return self.walks(self.everything) if self.own else [table for table, *_ in self.tables]

    @cached_property
    def alone(self) -> list[float]:
        """What every chain needs by itself."""
        return [float(scores.nodes(self.epsilon).max()) for scores in self.scores]

    def worst_of(self, k: int) -> int:
        """The timestamp that is said to decide for a chain, once it is seen to need the most; both from 1."""
        node = self.o.alone[k - 1].node
        needs = self.scores[k - 1].nodes(self.epsilon)
        return node + 1 if needs[node] >= needs.max() * (1 - 1e-9) else -1

    @property
    def deciding(self) -> str:
        largest = max(self.alone) * (1 - 1e-9)
        *some, last = [str(k) for k, needs in enumerate(self.alone, start=1) if needs >= largest]
        return f"chains {', '.join(some)} and {last} need it equally" if some else f"chain {last} needs it"

    @cached_property
    def otherwise(self) -> float:
        """The scale with the other count of past states."""
        return max(float(walk.nodes(self.epsilon).max()) for walk in self.walks(not self.everything))

    @property
    def possible(self) -> int:
        return max(walk.possible for walk in self.walks(False))

    @cached_property
    def scale(self) -> np.ndarray:
        """sigma of every timestamp, the worst over the chains."""
        return np.max([scores.nodes(self.epsilon) for scores in self.scores], axis=0)

    @property
    def sigma(self) -> float:
        return float(self.scale.max())

    @property
    def group(self) -> float:
        return self.T / self.epsilon

    @cached_property
    def quilt(self) -> tuple[int | None, int | None]:
        """The quilt that is shown, once it is seen to have the least score of its timestamp, for some chain."""
        left, right = self.o.quilt
        a, b = (self.node - left if left is not None else 0), (right - self.node if right is not None else 0)
        own = [scores.of(self.node, a, b, self.epsilon) for scores in self.scores]
        least = self.scale[self.node]
        assert any(abs(score - least) <= 1e-6 * least for score in own), (own, least)
        self._ab = a, b, int(np.argmin([abs(score - least) for score in own]))
        return left, right

    @property
    def influence(self) -> float:
        left, right = self.quilt
        if (left, right) == (None, None):
            return 0.0
        a, b, chain = self._ab
        return float(self.scores[chain].tells(self.node, a, b))

    @property
    def near(self) -> int:
        left, right = self.quilt
        return (self.T if right is None else right) - (-1 if left is None else left) - 1

    @property
    def clock(self) -> tuple[float | None, float]:
        """(minutes from one timestamp to the next, the minute of the first one); None without a clock."""
        c, own = self.c, self.o.own
        if c.source == "own" and own.trajectory is None and own.minutes is not None:
            return own.minutes * c.every, own.start_minute
        return {"power": 1.0 * c.every, "activities": 15.0 * c.every}.get(c.source), 0.0

    def when(self, timestamp: int) -> str:
        """ "timestamp 12 (day 1, 01:50)", by counting minutes."""
        minutes, start = self.clock
        said = f"timestamp {timestamp + 1:,}"
        if minutes is None:
            return said
        at = round(start + timestamp * minutes)
        return f"{said} (day {at // 1440 + 1}, {at // 60 % 24:02d}:{at % 60:02d})"

    @property
    def here(self) -> str:
        assert self.scale[self.node] >= self.sigma * (1 - 1e-9) or self.c.node >= 0
        assert self.c.node < 0 or self.node == min(self.c.node, self.T - 1)
        return self.when(self.node)

    @property
    def past(self) -> np.ndarray:
        """What one timestamp in the past tells, by distance, the worst over the chains; of `node` if they differ."""
        if not self.alike:
            return np.max([[w.back(self.node, d) for d in range(1, self.T)] for w in self.scores], axis=0)
        return np.maximum(np.max([past.max(axis=1) for _, past, _ in self.tables], axis=0), 0)

    @property
    def future(self) -> np.ndarray:
        if not self.alike:
            return np.max([[w.ahead(self.node, d) for d in range(1, self.T)] for w in self.scores], axis=0)
        return np.maximum(np.max([future.max(axis=1) for *_, future in self.tables], axis=0), 0)

    @property
    def falls_below(self) -> int:
        """The first distance; a side that the series does not have tells nothing, but one of them there must be."""
        both = [[e for e in pair if not math.isnan(e)] for pair in zip(self.past, self.future, strict=True)]
        return next((d for d, some in enumerate(both, start=1) if some and sum(some) < self.epsilon), -1)

    # -- mechanisms ---------------------------------------------------------------------------------------------------

    @cached_property
    def mixing(self) -> tuple[float, float, float]:
        """(pi_min, g, the share that is kept by a move), the worst over the chains."""
        rarest, kept, alike = math.inf, 0.0, True
        for p in self.chains:
            pi = losses.long_run(p)
            if pi.min() <= 0:
                return 0.0, 0.0, 1.0
            root = np.sqrt(pi)
            singular = sorted(np.linalg.svd(root[:, None] * p / root, compute_uv=False), reverse=True)
            second = min(1.0, singular[1]) if len(singular) > 1 else 0.0
            rarest, kept = min(rarest, pi.min()), max(kept, second)
            flow = pi[:, None] * p  # as much to as fro between any two states: detailed balance
            alike = alike and np.allclose(flow, flow.T, rtol=1e-9, atol=1e-12)
        return float(rarest), float(2 * (1 - kept) if alike else 1 - kept**2), float(kept)

    @property
    def mixes(self) -> bool:
        return self.mixing[0] > 0 and self.mixing[1] > 1e-12

    @property
    def moves(self) -> int:
        """Moves after which at most half is left of what a state tells."""
        kept, k = self.mixing[2], 1
        while kept**k > 0.5 * (1 + 1e-9):
            k += 1
        return k

    def mixing_scores(self, length: int) -> Scores:
        rarest, gap, _ = self.mixing
        d = np.exp(-gap * np.arange(1, length) / 2) / rarest
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.where(d < 1, np.log((1 + d) / (1 - d)), np.inf)[:, None]
        return Scores(2 * told, told, length)

    @cached_property
    def approximate(self) -> float:
        return float(self.mixing_scores(self.T).nodes(self.epsilon).max()) if self.mixes else self.group

    @cached_property
    def weak(self) -> tuple[float, float]:
        """(spectral norm of the local influences, largest column sum of Phi = (I - Gamma)^-1), the worst over Theta."""
        norm, total = 0.0, 0.0
        for p, q in zip(self.chains, self.starts, strict=True):
            gamma = local_influences(p, q, self.T)
            if not np.isfinite(gamma).all():
                return math.inf, math.inf
            here = float(np.linalg.norm(gamma, 2))
            if here >= 1:
                return here, math.inf
            norm, total = max(norm, here), max(total, float(np.linalg.inv(np.eye(self.T) - gamma).sum(axis=0).max()))
        return norm, total

    @cached_property
    def sigmas(self) -> dict[str, float | None]:
        total = self.weak[1]
        local = None if math.isinf(total) else total / self.epsilon
        return {
            "exact": self.sigma,
            "approximate": self.approximate,
            "gk16": None if local is None else 2 * local,
            "local": local,
            "group": self.group,
            "entry": 1 / self.epsilon,
        }

    @property
    def independent(self) -> bool:
        return all(tells_nothing(p, pi) for p, pi in zip(self.chains, self.starts, strict=True))

    @property
    def lipschitz(self) -> float:
        return 2 / self.T if self.c.query == "shares" else 2.0

    def noise(self, name: str) -> float:
        sigma = self.sigmas[name]
        return math.nan if sigma is None else sigma * self.lipschitz

    @cached_property
    def unit_draws(self) -> np.ndarray:
        return laplace(np.zeros((DRAWS, self.m)), 1.0, np.random.default_rng(self.c.seed))

    def error(self, name: str) -> float:
        """The mean over the draws of the sum over the bars."""
        return self.noise(name) * math.fsum(abs(v) for draw in self.unit_draws.tolist() for v in draw) / DRAWS

    def error_at(self, name: str, percent: float) -> float:
        return self.noise(name) * float(np.percentile(np.abs(self.unit_draws).sum(axis=1), percent))

    @cached_property
    def histogram(self) -> list[float]:
        states = self.series.states.tolist()
        each = 1 if self.c.query == "counts" else 1 / self.T
        return [states.count(k) * each for k in range(self.m)]

    @property
    def released(self) -> np.ndarray:
        return np.array(self.histogram) + self.noise(self.c.mechanism) * self.unit_draws

    # -- segments -----------------------------------------------------------------------------------------------------

    @cached_property
    def placed(self) -> tuple[int, int, int, int]:
        return self.placed_at(self.c.gap)

    def placed_at(self, gap: int) -> tuple[int, int, int, int]:
        """First and last of A and of B: too long ones are cut to two fifths, then the gap, then the start gives way."""
        c, n = self.c, self.T
        longest = max(1, (2 * n) // 5)
        a, b = min(c.a_length, longest), min(c.b_length, longest)
        gap = min(gap, n - a - b + 1)
        first = min(c.a_first, n - (a + gap - 1 + b))
        return first, first + a - 1, first + a - 1 + gap, first + a - 1 + gap + b - 1

    @property
    def gap(self) -> int:
        return self.placed[2] - self.placed[1]

    @property
    def widest(self) -> int:
        a1, a2, b1, b2 = self.placed
        return self.T - (a2 - a1 + 1) - (b2 - b1 + 1) + 1

    def between_ends(self, t: int, s: int) -> list[tuple[float, float]]:
        """For each chain (e(X_s | X_t), e(X_t | X_s)) by the definition, t before s: by distance, or where they are."""
        if self.alike:
            return [(max(future[s - t - 1].max(), 0), max(past[s - t - 1].max(), 0)) for _, past, future in self.tables]
        return [(walk.ahead(t, s - t), walk.back(s, s - t)) for walk in self.walks(False)]

    def parallel(self, gap: int) -> float:
        """max(eps_A + min(eps_B, e(X_s | X_t)), eps_B + min(eps_A, e(X_t | X_s))), the worst over the chains."""
        a, b = self.c.epsilon_a, self.c.epsilon_b
        _, end, start, _ = self.placed_at(gap)
        assert start - end == gap
        return max(max(a + min(b, ahead), b + min(a, back)) for ahead, back in self.between_ends(end, start))

    @property
    def forward(self) -> float:
        """What B's first state tells about A's last one, the worst over the chains."""
        return max(ahead for ahead, _ in self.between_ends(*self.placed[1:3]))

    @property
    def backward(self) -> float:
        return max(back for _, back in self.between_ends(*self.placed[1:3]))

    @property
    def together(self) -> float:
        return self.parallel(self.gap)

    @property
    def larger(self) -> float:
        return max(self.c.epsilon_a, self.c.epsilon_b)

    @property
    def between(self) -> float:
        """With the states between as secrets: min(eps_A, e(X_t | X_i)) + min(eps_B, e(X_s | X_i)) of each."""
        a, b, (_, end, start, _) = self.c.epsilon_a, self.c.epsilon_b, self.placed
        inner = [
            min(a, back) + min(b, ahead)
            for i in range(end + 1, start)
            for (_, back), (ahead, _) in zip(self.between_ends(end, i), self.between_ends(i, start), strict=True)
        ]
        return max([self.together, *inner])

    def reach(self, name: str) -> tuple[int, int] | None:
        """The quilt of the far-apart theorem, once it is seen to be active at some timestamp of the segment."""
        a1, a2, b1, b2 = self.placed
        length, epsilon = (a2 - a1 + 1, self.c.epsilon_a) if name == "A" else (b2 - b1 + 1, self.c.epsilon_b)
        found = getattr(self.o.segments.far, f"reach_{name.lower()}")
        if not self.mixes:
            assert found is None
            return None
        scores = self.mixing_scores(length)
        active = [
            (i, best)
            for i, best in enumerate(scores.nodes(epsilon).tolist())
            if found is not None and i >= found[0] and i + found[1] < length
        ]
        if found is not None:
            assert any(abs(scores.of(i, *found, epsilon) - best) <= 1e-9 * best for i, best in active), found
        return found

    # -- the story ----------------------------------------------------------------------------------------------------

    @property
    def story(self) -> dict[str, Fraction]:
        return told_story(self.c.truth_percent)


@lru_cache(maxsize=100)
def told_story(percent: int) -> dict[str, Any]:
    """Alice, Bob and both, by adding up all days in fractions."""
    t, third, stick = Fraction(percent, 100), Fraction(1, 3), Fraction(1, 100)
    says = {(s, o): t * (s == o) + (1 - t) * third for s in range(3) for o in range(3)}
    joint: dict = {}
    for x, y, a, b in itertools.product(range(3), repeat=4):
        chance = third * (stick * (x == y) + (1 - stick) * third)
        chance *= says[(x + y) % 3, a] * says[(x + 2 * y) % 3, b]
        for i, secret in enumerate((x, y)):
            joint[i, secret, a, b] = joint.get((i, secret, a, b), 0) + 3 * chance
    keys = list(itertools.product(range(2), range(3)))
    alice = {(*k, a): sum(joint[(*k, a, b)] for b in range(3)) for k in keys for a in range(3)}
    bob = {(*k, b): sum(joint[(*k, a, b)] for a in range(3)) for k in keys for b in range(3)}

    def worst(table: dict) -> Fraction:
        return max(table[k] / table[j] for k in table for j in table if k[0] == j[0] and k[2:] == j[2:])

    apart = [joint[k] / (alice[k[:3]] * bob[k[0], k[1], k[3]]) for k in joint]
    return {
        "alice": worst(alice),
        "bob": worst(bob),
        "both": worst(joint),
        "stay": stick + (1 - stick) * third,
        "truth": t,
        "apart": max(max(r, 1 / r) for r in apart),
        "joint": joint,
    }
