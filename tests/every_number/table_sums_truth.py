"""Sums with a limit on each value, by their definitions."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.stats import laplace

from tests.every_number.claims import agrees, most, near, once
from tests.every_number.table_answers import chance, told
from tests.every_number.table_drawn import close, held, ticks

TRIPS = [
    2,
    3,
    4,
    4,
    5,
    5,
    6,
    6,
    7,
    7,
    8,
    8,
    8,
    9,
    9,
    10,
    10,
    11,
    11,
    12,
    13,
    13,
    14,
    15,
    15,
    16,
    17,
    18,
    19,
    20,
    22,
    23,
]
TRIPS += [25, 27, 29, 33, 38, 45, 64]
QUERIES = {"count": "Count", "sum": "Sum", "average": "Average", "maximum": "Maximum", "quantile": "Nine in ten"}
LIMITED = ("sum", "average", "maximum")


class SumsTruth:
    """Forty people, of whom one went as far as is chosen."""

    def __init__(self, choices: Any) -> None:
        self.c = choices

    def answer(self, query: str, far: float, cut: float = math.inf) -> float:
        values = sorted(min(float(value), cut) for value in [*TRIPS, far])
        return {
            "count": float(sum(value > 20 for value in values)),
            "sum": math.fsum(values),
            "average": math.fsum(values) / 40,
            "maximum": values[-1],
            "quantile": values[35],
        }[query]

    def true(self, query: str) -> float:
        return self.answer(query, self.c.far)

    def cut(self, query: str, limit: float) -> float:
        return limit if query in LIMITED and self.c.clipped else math.inf

    def sensitivity(self, query: str, limit: float) -> float:
        """By two neighbours that are as far apart as can be: one at home, and one at the limit."""
        far, home = (
            self.answer(query, far, limit if query in LIMITED else math.inf) for far in (max(limit, 64.0), 0.0)
        )
        if query == "maximum":
            return limit  # everybody else may be at home
        return 1.0 if query == "count" else far - home

    def scale(self, query: str, limit: float) -> float:
        return self.sensitivity(query, limit) / self.c.epsilon

    def bias(self, query: str, limit: float) -> float:
        return self.answer(query, self.c.far, self.cut(query, limit)) - self.true(query)

    @once
    def chances(self, far: float, limit: float) -> list[float]:
        scores = [-abs(sum(v <= z for v in [*TRIPS, far]) - 36) for z in range(int(limit) + 1)]
        weights = [math.exp(self.c.epsilon * (score - max(scores)) / 2) for score in scores]
        return [weight / math.fsum(weights) for weight in weights]

    @once
    def error(self, query: str, limit: float) -> float:
        """The mean of what the output is off, by integration."""
        if query == "quantile":
            return math.fsum(p * abs(z - self.true(query)) for z, p in enumerate(self.chances(self.c.far, limit)))
        b, off = self.scale(query, limit), self.bias(query, limit) / self.scale(query, limit)
        parts = sorted({-60.0, min(max(-off, -60.0), 60.0), 0.0, 60.0})
        total = 0.0
        for low, high in pairwise(parts):
            total += quad(lambda x: abs(x + off) * math.exp(-abs(x)) / 2, low, high, epsabs=1e-12, limit=200)[0]
        return total * b

    @once
    def errors(self, query: str, limits: Any) -> list[float]:
        """The same at many limits: in closed form, ``|c| + b e^(-|c| / b)`` of Laplace noise of scale b that is c off."""
        if query == "quantile":
            return [self._error_of_choice(limit) for limit in limits]
        pairs = [(self.scale(query, limit), abs(self.bias(query, limit))) for limit in limits]
        return [off + b * math.exp(-off / b) for b, off in pairs]

    def _error_of_choice(self, limit: float) -> float:
        values = np.array([*TRIPS, self.c.far])
        offers = np.arange(int(limit) + 1)
        scores = -np.abs(np.sort(values).searchsorted(offers, side="right") - 36.0)
        weights = np.exp(self.c.epsilon * (scores - scores.max()) / 2)
        return float(weights @ np.abs(offers - self.true("quantile")) / weights.sum())

    def right(self, query: str) -> float:
        """The test that says "away" where that is likelier is right so often, with both alike beforehand."""
        limit = self.c.limit
        if query == "quantile":
            pairs = zip(self.chances(self.c.far, limit), self.chances(0.0, limit), strict=True)
            return math.fsum(max(a, b) for a, b in pairs) / 2
        away, home = (self.answer(query, far, self.cut(query, limit)) for far in (self.c.far, 0.0))
        return float(laplace(scale=self.scale(query, limit)).cdf(abs(away - home) / 2))

    @property
    def unbounded(self) -> bool:
        return self.c.query in LIMITED and not self.c.clipped

    @cached_property
    def drawn(self) -> float:
        rng = np.random.default_rng(self.c.seed)
        if self.c.query == "quantile":
            p = np.array(self.chances(self.c.far, self.c.limit))
            return float(rng.choice(len(p), p=p / p.sum()))
        kept = self.answer(self.c.query, self.c.far, self.cut(self.c.query, self.c.limit))
        return kept + self.scale(self.c.query, self.c.limit) * float(rng.laplace())

    @property
    def over(self) -> int:
        return sum(value > self.c.limit for value in [*TRIPS, self.c.far])

    # of the query that is shown

    def of(self, name: str) -> Any:
        return getattr(self, name)(self.c.query, self.c.limit)

    def unit(self, query: str | None = None) -> str:
        return "people" if (query or self.c.query) == "count" else "km"


def sums_more(t: SumsTruth, text: dict[str, Any], described: dict[str, Any]) -> None:
    """The answers, the table, the charts; which limit is best is read off the chart beforehand."""
    c, (useful, found, promised) = t.c, text["answers"]
    unit = " people" if c.query == "count" else " km"
    if useful["value"] == "1 person":
        useful = useful | {"value": "1 people"}
    told(useful, "Useful", (near("x"), t.of("error"), unit), "is the mean error")
    told(found, "Found", (most("x", size=1e-5), 100 * t.right(c.query), " of 100"), "at best; 50 is chance")
    if t.unbounded:
        told(promised, "Promised", "nothing", "A person may travel any distance: no noise covers them all.")
    else:
        right = chance(c.epsilon)
        if right >= 0.99:
            told(promised, "Promised", "nothing", "The release may reveal how far a person travelled.")
        else:
            told(promised, "Promised", (most("x", size=1e-5), 100 * right, " of 100"), "two equally likely distances")
    for row, (query, name) in zip(text["told"]["table"]["rows"], QUERIES.items(), strict=True):
        unit = " people" if query == "count" else " km"
        cells = [cell.replace("1 person", "1 people").removesuffix(unit) for cell in row[1:5]]
        changes: Any = (near("x"), t.sensitivity(query, c.limit)) if query != "quantile" else "its score by 1"
        if query in LIMITED and not c.clipped:
            changes = "no bound"
        scale: Any = "chosen by chance" if query == "quantile" else (near("x"), t.scale(query, c.limit))
        error = (near("x"), t.error(query, c.limit))
        held([row[0], *cells], [name, (near("x"), t.true(query)), changes, scale, error])
        held([row[5].removesuffix(" of 100")], [(most("x", size=1e-5), 100 * t.right(query))])
    _sums_drawn(t, described["figures"])


def best_of(t: SumsTruth, described: dict[str, Any]) -> float:
    """The limit of the chart with the least error; every one of its errors is checked besides."""
    curve = described["figures"]["error"]["figure"]["data"][0]
    return float(curve["x"][int(np.argmin(curve["y"]))])


def _sums_drawn(t: SumsTruth, figures: dict[str, Any]) -> None:
    c = t.c
    assert set(figures) == {"error", "trips", "outputs"}
    for trace in figures["error"]["figure"]["data"]:
        x, y = trace["x"], trace["y"]
        if trace["name"] == "this limit":
            close("this limit", x, [int(c.limit) if c.query == "quantile" else c.limit])
            close("its error", y, [t.of("error")], 1e-7)
            continue
        shown = [0.0 if each is None else each for each in y]
        if trace["name"] == "mean error":
            some = [0, len(x) // 2, len(x) - 1]  # integration is slow
            close("the errors", t.errors(c.query, [x[k] for k in some]), [t.error(c.query, x[k]) for k in some], 1e-7)
            wanted = t.errors(c.query, x)
        else:
            of = {"scale of the noise": t.scale, "taken away by the limit": t.bias}[trace["name"]]
            wanted = [abs(of(c.query, each)) for each in x]
        close(trace["name"], shown, wanted, 1e-7)
        close(trace["name"], x, figures["error"]["figure"]["data"][0]["x"])
    for drawn in figures.values():
        for axis in (value for name, value in drawn["figure"]["layout"].items() if name.endswith("axis")):
            ticks(axis if "ticktext" in axis else {"tickvals": [], "ticktext": []})
    others, one, limit = figures["trips"]["figure"]["data"]
    close("the limit", limit["x"], [0.4, 40.6])
    close("the others", others["y"], TRIPS)
    close("Scrooge", one["y"], [c.far])
    assert sorted([*others["x"], *one["x"]]) == list(range(1, 41)) and one["x"][0] == 1 + sum(v <= c.far for v in TRIPS)
    close("the limit", limit["y"], [c.limit] * 2)
    for trace, far in zip(figures["outputs"]["figure"]["data"], (c.far, 0.0), strict=True):
        if c.query == "quantile":
            assert trace["x"] == list(range(min(int(c.limit), 200) + 1))
            wanted = t.chances(far, c.limit)[:201]
        else:
            mean = t.answer(c.query, far, t.cut(c.query, c.limit))
            wanted = laplace(mean, t.of("scale")).pdf(trace["x"]).tolist()
        close(trace["name"], trace["y"], wanted, 1e-7)
    away = figures["outputs"]["figure"]["data"][0]["name"].removesuffix(" km away")
    assert agrees(near("x"), away, c.far)
