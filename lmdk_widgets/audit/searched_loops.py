"""What the audit searches: the loops that pages and private releases run, with pairs of inputs around their decisions.

A page makes its release with `Scheme.release`, and a private release with `spend_as_it_goes`, or `release_points` where
budgets are fixed: these very functions are called here, one release after another.

Pairs: those of the scheme; and the same with the values moved to where a decision is most open, half a step below and half
a step above the mean displacement of a new output. A decision that reads more of the truth than it pays for differs there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from lmdk_widgets.audit.deciding_releases import APART_M, COUNTED, PLACED, decisions, longer, ratios, runs
from lmdk_widgets.audit.evidence import Tested
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.audit.search import Seen, searched
from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.budgets.releases import check, perform
from lmdk_widgets.budgets.schemes.base import LANDMARKS, N, Pair
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace
from lmdk_widgets.secure.series import LAPLACE, SeriesSettings, drawn
from lmdk_widgets.secure.track import Settings

Rng = np.random.Generator

SLOWER = 10
"""A release of a page, made on its own, takes about this many times as long as one of many at once."""

SLOWEST = 50
"""And a private release with exact noise, one draw of a mechanism after another."""

BEYOND = 1000.0
"""A value far beyond the bounds of numbers."""

BOUNDED = 5
"""Numbers far beyond the bounds are told apart in a few draws, or not at all, and take as many times as long."""

FAR = 8
"""Displacements by which a value jumps, to be seen in any noise."""

LONGER_WINDOW = 4
"""A window whose half is more than one timestamp."""


def searched_subjects() -> list[Subject]:
    """One subject for each loop: of each scheme on a page, and of each that decides in a private release."""
    found = []
    for scheme in SCHEMES.values():
        if scheme.pairs and (scheme.online or scheme.name in ("uniform", "skip")):
            claim = "series around its decisions" if scheme.online else "series that differ as its promise allows"
            measure = partial(_on_pages, scheme.name)
            found.append(Subject(f"search: {scheme.title} on a page", claim, measure, tight=False))
    kinds: tuple[tuple[str, SeriesSettings | Settings], ...] = (("places", PLACED),)
    if find_spec("opendp"):
        kinds = (*kinds, ("counts", COUNTED))
        claim = "numbers at a bound and far beyond it, which are the same number once they are clipped"
        found.append(Subject("search: private release of numbers", claim, _beyond_bounds, tight=False))
    for of, settings in kinds:
        for scheme in SCHEMES.values():
            if scheme.online and (scheme.compares or scheme.by_outputs):
                name = f"search: private release of {of} by {scheme.title}"
                private = partial(_in_private, scheme.name, settings)
                found.append(Subject(name, f"{of} around its decisions", private, tight=False))
    return found


def around(name: str, epsilon: float, *, plane: bool = False, whole: bool = False) -> tuple[Pair, ...]:
    """The pairs of a scheme, and their neighbours at its decisions.

    Parameters
    ----------
    plane : for places, whose noise moves a report twice as far in the mean. whole : for counts.
    """
    scheme, found = SCHEMES[name], []
    windows = scheme.pairs
    if scheme.windowed:
        where = tuple(range(N - LONGER_WINDOW, N))
        jumps = tuple(math.ceil(4 * FAR / epsilon) * (t % 2.0) for t in range(N))
        windows = (*windows, Pair("at four timestamps in a row", where, jumps, LONGER_WINDOW, None, tight=False))
    for pair in windows:
        found.append(pair)
        if not scheme.online:
            continue
        first = pair.where[0]
        new = [not scheme.compares or (pair.initial is None and t == 0 < first) for t in range(N)]
        could = scheme.reserves(pair, epsilon, new)
        away = (2.0 if plane else 1.0) / max(could[t] for t in pair.where)
        at = 0.0 if pair.initial is None else pair.initial
        for level in (away - 0.5, -away - 0.5, FAR * away):
            level = math.ceil(level) if whole else level
            values = tuple(at + level if t in pair.where else at for t in range(N))
            found.append(replace(pair, values=values))
    return tuple(dict.fromkeys(found))


def _on_pages(name: str, epsilon: float, rng: Rng, draws: int) -> Tested:
    scheme = SCHEMES[name]

    def run(pair: Pair, truth: Floats, count: int) -> Seen:
        options = {"initial": pair.initial} if scheme.compares else {}
        request = check(truth, name, LANDMARKS, epsilon, Laplace(), rng, pair.window, options)
        made = [perform(request, rng) for _ in range(count)]
        return Seen(np.array([each.outputs for each in made]), np.array([each.published for each in made]))

    return searched(around(name, epsilon), run, draws // SLOWER, known=partial(_known, name, epsilon))


def _in_private(name: str, given: SeriesSettings | Settings, epsilon: float, _rng: Rng, draws: int) -> Tested:
    plane = isinstance(given, Settings)

    def run(pair: Pair, truth: Floats, count: int) -> Seen:
        window = pair.window if SCHEMES[name].windowed else None
        settings: Any = replace(given, scheme=name, epsilon=epsilon, landmarks=LANDMARKS, window=window)
        made = list(runs(settings, truth, count))
        outputs, new = np.array([outputs for outputs, _ in made]), np.array([noise > 0 for _, noise in made])
        for t in range(1, N):  # the last report stays
            outputs[:, t] = np.where(new[:, t], outputs[:, t], outputs[:, t - 1])
        return Seen(outputs, new)

    pairs = dict.fromkeys(replace(pair, initial=None) for pair in around(name, epsilon, plane=plane, whole=not plane))
    step = given.step / APART_M if isinstance(given, Settings) else 1.0
    return searched(
        tuple(pairs), run, draws // SLOWEST // longer(given), known=partial(_known, name, epsilon), step=step
    )


@dataclass(frozen=True)
class _Beyond(Pair):
    """A number far beyond the upper bound of 1, and one at the bound."""

    @property
    def truths(self) -> Floats:
        """See `Pair.truths`."""
        found = np.array([self.values, self.values])
        found[0, list(self.where)] = BEYOND
        return found


def _beyond_bounds(epsilon: float, _rng: Rng, draws: int) -> Tested:
    """Numbers by Budget Absorption, whose comparisons must see what is published: numbers within the bounds."""
    settings = SeriesSettings(scheme="budget-absorption", epsilon=epsilon, window=2, low=0.0, high=1.0)

    def run(_: Pair, truth: Floats, count: int) -> Seen:
        outputs = np.full((count, N), np.nan)
        for k in range(count):
            measured, made = drawn(LAPLACE, settings, truth)[1:]
            outputs[k, measured] = made.values
        return Seen(outputs, ~np.isnan(outputs))

    return searched((_Beyond("", (1,), (1.0,) * N),), run, draws // SLOWEST // BOUNDED)


def _known(name: str, epsilon: float, pair: Pair, seen: Seen) -> Floats:
    """(1, k) the ratio of densities; for a scheme that compares also (n + 1, k) the decisions, and their sum."""
    outputs, new = seen.outputs.T, seen.new.T
    found = ratios(name, pair, epsilon, outputs, new)[None]
    if not SCHEMES[name].compares:
        return found
    decided = decisions(name, pair, epsilon, outputs, new)
    return np.concatenate([found, decided, decided.sum(axis=0)[None]])
