"""The cases in the note on the loss pair by pair (`pairs.md`): Cao's bound for each, ours, and what is reached.

The bound of Cao et al. counts every budget at one distance: the protection radius, or the largest distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from lmdk_widgets.leakage import LossFunction, estimate_transitions, pairwise_loss, reverse, temporal_loss
from lmdk_widgets.leakage.markov import level_states, smoothed_identity
from lmdk_widgets.page.figures import BLUE, GREY, ORANGE, line
from lmdk_widgets.trajectory.samples import sample_series

DAY_M = np.array([(0, 0), (1, 0), (2, -1), (2, 0), (4, 0)]) * 1000.0
"""Five places, in metres east and north."""
LINE = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
DRIFT = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
REACHED_STATES, REACHED_TIMES = 5, 8
"""Up to this many states and timestamps, every sequence of reports at the places is tried."""


def apart(points_m: np.ndarray) -> np.ndarray:
    """The distances (m, m) between places (m, 2), in metres."""
    return np.hypot(*np.moveaxis(points_m[:, None] - points_m, 2, 0))


@dataclass(frozen=True)
class Case:
    """A chain with its releases: D_t = budgets[t] distances / radius, with one array of distances, or one per timestamp.

    Results are the largest over all timestamps, or for the first alone.
    """

    name: str
    chain: np.ndarray
    budgets: Sequence[float]
    distances: Any
    radius: float
    of_first: bool = False

    @property
    def before(self) -> np.ndarray:
        """The chain reversed, from its long-run distribution."""
        return reverse(self.chain)

    @property
    def at(self) -> slice:
        """The timestamps that results cover."""
        return slice(1) if self.of_first else slice(None)

    def ours(self) -> float:
        """The largest total loss over timestamps and pairs."""
        loss = pairwise_loss(self.before, self.chain, self.budgets, self.distances, self.radius)
        return float(loss.total[self.at].max())

    def cao(self, distances: Any) -> float:
        """The same with one number for all pairs, each budget counted at a distance: one, or one per timestamp."""
        budgets = np.asarray(self.budgets) * distances / self.radius
        return float(temporal_loss(self.before, self.chain, budgets).total[self.at].max())

    def cao_everywhere(self) -> float:
        """The same at each timestamp's largest distance, which bounds all pairs."""
        return self.cao(np.max(self.distances, axis=(-2, -1)))

    def reached(self) -> float | None:
        """The most that is revealed when each output is the likeliest one at some place; None: too many to try."""
        m, n = len(self.chain), len(self.budgets)
        if m**n > REACHED_STATES**REACHED_TIMES:
            return None
        scale = np.broadcast_to(np.asarray(self.distances), (n, m, m)) / self.radius
        columns = np.exp(-np.asarray(self.budgets)[:, None, None] * scale)
        outputs = product(range(m), repeat=n) if m**n <= 5000 else ([x] * n for x in range(m))
        return max(self._told(columns[range(n), list(output)]) for output in outputs)

    def _told(self, columns: np.ndarray) -> float:
        return float(np.ptp(self._logs(columns)[self.at], axis=1).max())

    def _logs(self, columns: np.ndarray) -> np.ndarray:
        """ln Pr(outputs | state at t), shape (n, ..., m), from the columns (..., n, m) of the outputs."""
        each = np.moveaxis(columns, -2, 0)
        past, future = [each[0]], [each[-1]]
        for column in each[1:]:
            past.append(column * (past[-1] @ self.before.T))
        for column in each[-2::-1]:
            future.append(column * (future[-1] @ self.chain.T))
        return np.log(np.array(past) * np.array(future)[::-1] / each)

    def share(self) -> float:
        """For three states: the most that any mechanism reveals, as a share of the bound, for the best pair, averaged over
        timestamps. What is revealed is a ratio in each column, so extreme rays are enough."""
        loss = pairwise_loss(self.before, self.chain, self.budgets, self.distances, self.radius).total
        rays = [np.exp(three_state_rays(e * np.asarray(self.distances) / self.radius)) for e in self.budgets]
        logs = self._logs(np.array([*product(*rays)]))
        most = (logs[..., :, None] - logs[..., None, :]).max(axis=1)
        assert (most <= loss + 1e-9).all()
        return float((most / np.where(loss > 0, loss, np.inf)).max(axis=(1, 2)).mean())


def three_state_rays(bound: np.ndarray) -> np.ndarray:
    """The logarithms of the extreme rays: a middle state, with each other state as far above or below it as allowed."""
    found = []
    for middle in range(3):
        u, v = (x for x in range(3) if x != middle)
        for a, b in product((bound[u, middle], -bound[middle, u]), (bound[v, middle], -bound[middle, v])):
            height = np.zeros(3)
            height[[u, v]] = a, b
            if (height[:, None] - height <= bound + 1e-12).all():
                found.append(height)
    return np.unique(np.round(found, 12), axis=0)


def random_case(rng: np.random.Generator, n: int) -> Case:
    """Three random places within a kilometre, a random chain, and budgets up to 1 at 200 m."""
    chain = 0.02 + rng.dirichlet(np.ones(3), 3)
    return Case(
        "random", chain / chain.sum(axis=1, keepdims=True), rng.random(n), apart(1000 * rng.random((3, 2))), 200
    )


def household() -> tuple[np.ndarray, np.ndarray, float]:
    """The chain of a household's power in levels of half a kWh, the distances between the levels' middles, and the width of
    the release's bounds, both in kWh."""
    series = sample_series("household")
    states, middles = level_states(series.values, 0.5)
    chain = estimate_transitions(states, len(middles), smoothing=0.01)
    return chain, np.abs(np.subtract.outer(middles, middles)), series.upper - series.lower


def cases() -> Iterator[Case]:
    """The cases, in the order of the table."""
    platforms = np.array([[0.0, 1.0], [1.0, 0.0]])
    stay = np.array([[0.999, 0.001], [0.001, 0.999]])
    yield Case(
        "two platforms, as the trains leave", stay, [0.5, 0.5], [200 * platforms, 5000 * platforms], 200, slice(1)
    )
    yield Case("three places on a line", DRIFT, [1, 0.2, 0.2, 1], 1000 * LINE, 200)
    yield Case("five places of a day", smoothed_identity(5, 0.1), [0.2] * 8, apart(DAY_M), 200)
    yield Case("randomised response", DRIFT, [0.5] * 4, 1 - np.eye(3), 1)
    chain, kwh, width = household()
    yield Case("a household, levels alike", chain, [0.1] * 336, 1 - np.eye(len(chain)), 1)
    yield Case("a household, Laplace noise", chain, [0.1] * 336, kwh, width)


def walk_figure() -> tuple[dict[str, Any], str]:
    """The loss in the long run against distance, on five by five places 200 m apart, and what it shows in words."""
    metres = apart(200.0 * np.stack(np.divmod(np.arange(25), 5), axis=1))
    walk = np.exp(-metres / 200)
    walk /= walk.sum(axis=1, keepdims=True)
    before, off, most = reverse(walk), ~np.eye(25, dtype=bool), float(metres.max())
    ever = pairwise_loss(before, walk, [0.2], metres, 200).forever()
    sides = LossFunction(before), LossFunction(walk)
    cao = {d: sides[0].supremum(d / 1000) + sides[1].supremum(d / 1000) - d / 1000 for d in (200.0, most)}
    dots = {"type": "scatter", "mode": "markers", "name": "pair by pair", "marker": {"color": BLUE}}
    data = [dots | {"x": metres[off].tolist(), "y": ever[off].tolist()}]
    for (d, value), colour in zip(cao.items(), (ORANGE, GREY), strict=True):
        data.append(line(f"Cao at {d:,.0f} m", [200.0, most], [value] * 2, colour, "dash"))
    titles = {"xaxis": {"title": {"text": "distance, m"}}, "yaxis": {"title": {"text": "total loss, in the long run"}}}
    near = ever[np.isclose(metres, 200)].max()
    said = f"Places 200 m apart lose up to {near:.2f}, while Cao's number is {cao[200.0]:.2f}; "
    said += f"any two places lose up to {ever.max():.2f}, and Cao's number is {cao[most]:.2f}."
    return {"data": data, "layout": titles | {"height": 420}}, said


HEAD = "| case | Cao, radius | Cao, largest distance | pair by pair | reached |"
"""The head of the note's table."""


def rows() -> Iterator[tuple[str, ...]]:
    """The note's table: for each case, Cao at the radius, Cao at the largest distance, pair by pair, and what is reached."""
    for case in cases():
        reached = case.reached()
        said = [case.cao(case.radius), case.cao_everywhere(), case.ours()]
        yield (case.name, *(f"{value:,.4f}" for value in said), "" if reached is None else f"{reached:,.4f}")
