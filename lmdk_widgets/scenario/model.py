"""A scenario: everything that determines a release and its loss, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypedDict, Unpack

from lmdk_widgets.budgets import LANDMARK_SCHEMES as LANDMARK_SCHEMES
from lmdk_widgets.budgets import ONLINE_SCHEMES as ONLINE_SCHEMES
from lmdk_widgets.budgets import SCHEMES as SPREADS
from lmdk_widgets.budgets import WINDOW_SCHEMES as WINDOW_SCHEMES
from lmdk_widgets.budgets import Scheme
from lmdk_widgets.cache import cached
from lmdk_widgets.names import AdversaryName, CorrelationName, MechanismName, SchemeName
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import (
    PRIVACY,
    Slider,
    box,
    choice,
    flag,
    indices,
    matrix,
    number,
    run_lengths,
    text,
    whole,
)
from lmdk_widgets.scenario.cards import ScenarioCard
from lmdk_widgets.scenario.written_values import BOUNDS
from lmdk_widgets.trajectory.samples import data_choices

ALL_SCHEMES: dict[str, str] = {name: scheme.text for name, scheme in SPREADS.items()}
"""The schemes to choose from, each with its meaning in one line, in the order in which they are offered."""

SCHEMES: dict[str, str] = {name: text for name, text in ALL_SCHEMES.items() if not SPREADS[name].by_hand}
"""Every scheme that spreads the budget. Budgets by hand do not follow from epsilon: what draws or compares every scheme
cannot use them without the budgets of the scenario."""

MECHANISMS: dict[str, str] = {
    "planar": "Planar Laplace: noise around the true place; the smaller the budget, the more noise.",
    "optimal": "Optimal on cells: reports a cell, with the least loss that the budget allows.",
    "spanner": "Spanner on cells: the same with far fewer constraints, at some loss of quality.",
    "remapped": "Remapped Laplace on cells: planar Laplace, each report replaced by the best guess for it.",
    "randomised": "Randomised response on cells: the true cell of a grid, or by chance any other one, near or far.",
}
"""How a measured timestamp is reported."""

CELLS: dict[str, str] = {
    "region": "Cells of the region: those of a fixed grid in it, all equally likely.",
    "people": "Cells of the region, by check-ins: the same, with a prior from your check-ins or a made-up city.",
    "track": "Cells of the track: those that it visits, and how often. They come from the data, which no guarantee covers.",
}
"""Which cells a mechanism reports, and the prior it is made for."""

CORRELATIONS: dict[str, str] = {
    "none": "None: timestamps are independent.",
    "weak": "Weak: staying is twice as likely as any one move.",
    "moderate": "Moderate: staying is 11 times as likely as any one move.",
    "strong": "Strong: staying is 101 times as likely as any one move.",
    "strength": "Set the strength: as sticky as the slider says, over as many places as you choose.",
    "estimated": "Estimated from this track: how often it moved from cell to cell, or a series from level to level.",
    "matrix": "A matrix of your own: pasted or uploaded.",
}

ADVERSARIES: dict[str, str] = {
    "both": "Past and future: sees every release, and knows how places follow each other in both directions.",
    "past": "Past only: reasons from earlier releases to the present place (backward loss).",
    "future": "Future only: reasons from later releases to the present place (forward loss).",
    "any": "Any start: past and future, with a bound however likely each place was at the start.",
}
"""Which way the adversary reasons along the track."""


MOST_CELLS = 400
"""Most cells of the grid on which a track is followed."""

MAX_STATES = 200
"""Most states of a Markov chain that the page works with."""

MAX_TIMESTAMPS = 1_000_000
SEEDS = (0, 2**53 - 1)
EPSILON_RANGE = (1e-9, 1e6)
HIDING: dict[str, str] = {
    "random": "Random: every other timestamp joins independently, with the same chance; the only method that hides.",
    "greedy": "Greedy: the paper's method that adds one dummy at a time and preserves the spread of the gaps.",
    "optimal": "Exact: the paper's method that compares all sequences of dummies; for short tracks.",
    "histogram": "By parts: the paper's method that adds a random timestamp from the part furthest below its share.",
}
"""How dummies are found: at random, or by the three methods of the landmark paper's authors, which reveal much."""

JOINING: dict[str, str] = {
    "proposed": "Proposed: protects three times as many timestamps on average, or half of the others where these are fewer; "
    "it reveals how many landmarks there are.",
    "stated": "Stated: the same for every timestamp, chosen without looking at the landmarks.",
}
"""Where the chance of random dummies comes from."""

BUDGET_RANGE = (1e-18, 1e6)
"""Of a budget by hand that is not 0: from the smallest epsilon, spread over the longest track, upwards."""
CELL_RANGE_M = (50.0, 1_000_000.0)
PLACE_RANGE_M = (20.0, 1_000_000.0)

_LENGTHS_M = (1.0, 100_000.0)
LENGTHS = (1e-9, 1e15)  # metres, or in the unit of a series
_RATES = (0.01, 0.99)
_VALUES = (-1e15, 1e15)

_BUDGET = Slider(0.01, 10, log=True, ends=PRIVACY)
_ALIKE = Slider(0.01, 10, log=True, ends=("any number", "most alike"))
_RADIUS = Slider(10, 5000, log=True, backwards=True, ends=PRIVACY)
_SIZE = Slider(100, 10_000, log=True, ends=("small", "large"))
_CHANCE = Slider(0.001, 1, log=True, ends=("few dummies", "many dummies"))
_RATE = Slider(0.05, 0.95, step=0.05, ends=("a little", "a lot"))
_DELTA = Slider(1e-12, 0.1, log=True, ends=("surer promise", "smaller ε"))
_STRENGTH = Slider(0.001, 10, log=True, backwards=True, ends=("weak: s large", "strong: s small"))
_MODELLED = frozenset({"weak", "moderate", "strong", "strength"})
"""Correlations over a number of places."""


class ScenarioChanges(TypedDict, total=False):
    """The choices of a scenario by name, as `with_changes` takes them."""

    track: str
    utc: bool
    region: Sequence[float]
    landmarks: Iterable[int]
    scheme: SchemeName
    budgets: Sequence[Any]
    epsilon: float
    target: float
    window: int
    radius_m: float
    mechanism: MechanismName
    cells: str
    place_m: float
    hide: bool
    hide_method: str
    hide_joining: str
    hide_chance: float
    hide_epsilon: float
    hide_most: int
    hide_draw: int
    hide_seed: int
    bounds: str
    lower: float
    upper: float
    increase: float
    decrease: float
    correlation: CorrelationName
    smoothing: float
    states: int
    cell_m: float
    level_width: float
    matrix: Any
    adversary: AdversaryName
    landmark_loss: bool
    delta: float
    seed: int
    average: bool


@dataclass(frozen=True, repr=False)
class Scenario(ScenarioCard, Choices):
    """Everything that determines a release and its loss. Immutable; `with_changes` returns a changed copy.

    Attributes
    ----------
    track : name of a bundled sample, or "" for a user's own track. No place of a track is ever part of a scenario.
    utc : show times in UTC instead of the track's own zone.
    region : south, west, north and east in degrees of the public area in which the track is known to lie; empty: a
        sample's own, or a proposal taken from the data. Links and files contain it: setting it declares it public.
    landmarks : indices of the timestamps that matter, from 0, increasing.
    scheme : how the budget is spread, a key of `ALL_SCHEMES`.
    epsilon : the budget, unitless, in [1e-9, 1e6].
    target : the total loss that "best-plan" and "planned" (Cao's plan) keep at every timestamp, in the range of epsilon.
    window : w of the w-event schemes, timestamps, at least 1.
    radius_m : protection radius r, metres: a timestamp with budget e is perturbed at e / r per metre.
    mechanism : how a measured timestamp is reported, a key of `MECHANISMS`.
    cells, place_m : which cells are reported, a key of `CELLS`, and their side, metres; planar Laplace uses neither.
    bounds, lower, upper : where the bounds of a series come from, a key of `BOUNDS`, and the stated ones, in its unit.
    budgets : of "given": runs of equal budgets, ((0.5, 3), (0.125, 1)), or one number per timestamp; empty: Uniform's.
    hide : protect dummies along with the landmarks, chosen by hide_method, a key of `HIDING`.
    hide_joining, hide_chance : of "random": where the chance to join comes from, a key of `JOINING`, and the stated one.
    hide_epsilon, hide_most : of the paper's methods: the budget of the number of dummies, which buys no privacy for the
        landmarks, and the most dummies. Anyone who knows the method may still find the landmarks.
    hide_draw, hide_seed : which draw of dummies it is, from 1, and the seed of these draws, a whole number of at least 0.
    increase, decrease : how fast Adaptive's sampling rate rises and falls, in (0, 1).
    correlation : what the adversary knows about how places follow each other, a key of `CORRELATIONS`.
    smoothing : s of "strength": the chain (1[i=j] + s) / (1 + m s); near 0 nobody moves, above 1 anything goes.
    states : number of places m of the named correlations and of "strength", 2 to 200.
    cell_m, level_width : size of the cells, metres, or of a series' levels, from which the correlation is estimated.
    matrix : (m, m) transition probabilities of "matrix", as a tuple of rows; rows sum to 1.
    adversary : which way the adversary reasons, a key of `ADVERSARIES`.
    landmark_loss : show what the landmarks lose together as well as the total loss.
    delta : at which the budgets are also added up, besides their sum, in "What this rests on".
    seed : of the noise, a whole number of at least 0.
    average : show the error of 100 draws with a band instead of one draw.

    Examples
    --------
    >>> scenario = Scenario(track="bob", epsilon=0.5, landmarks=(0, 2, 4, 7))
    >>> Scenario.from_dict(scenario.to_dict()) == scenario
    True
    """

    PAGE: ClassVar[str] = "track"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("track", "landmarks")
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "your matrix": ("matrix", "correlation"),
        "your landmarks": ("landmarks",),
        "your budgets": ("budgets", "scheme"),
    }

    track: str = text("bob", "Track", "Track", known=data_choices)
    utc: bool = flag(False, "Times in UTC", "Track")
    region: tuple[float, ...] = box("Region", subject="The region")
    landmarks: tuple[int, ...] = indices("Landmarks", most=MAX_TIMESTAMPS)
    scheme: SchemeName = choice("uniform", ALL_SCHEMES, "Scheme", "Privacy")
    budgets: tuple[tuple[float, int], ...] = run_lengths(BUDGET_RANGE, "Budgets", most=MAX_TIMESTAMPS)
    epsilon: float = number(1.0, EPSILON_RANGE, "Epsilon", "Privacy", slider=_BUDGET)
    target: float = number(1.0, EPSILON_RANGE, "Keep the loss at", "Privacy", subject="The target loss", slider=_BUDGET)
    window: int = whole(3, (1, MAX_TIMESTAMPS), "Window", "Privacy", unit="timestamps in a row")
    radius_m: float = number(200.0, _LENGTHS_M, "Protection radius", "Privacy", unit="m", slider=_RADIUS)
    mechanism: MechanismName = choice("planar", MECHANISMS, "Mechanism", "Privacy")
    cells: str = choice("region", CELLS, "Cells", "Privacy")
    place_m: float = number(4000.0, PLACE_RANGE_M, "Size of places", "Privacy", unit="m", slider=_SIZE)
    hide: bool = flag(False, "Add dummies to landmarks", "Privacy")
    hide_method: str = choice("random", HIDING, "Dummies by", "Privacy")
    hide_joining: str = choice("proposed", JOINING, "Chance to join", "Privacy")
    hide_chance: float = number(
        0.1, (1e-6, 1.0), "Stated chance", "Privacy", subject="The chance to join", slider=_CHANCE
    )
    hide_epsilon: float = number(
        1.0, EPSILON_RANGE, "Budget for their number", "Privacy", subject="The budget for dummies", slider=_ALIKE
    )
    hide_most: int = whole(8, (1, 500), "Dummies at most", "Privacy", subject="The number of dummies")
    hide_draw: int = whole(1, (1, 100), "Draw of dummies", "Privacy", subject="The draw of dummies")
    hide_seed: int = whole(1, SEEDS, "Seed of the dummies")
    bounds: str = choice("known", BOUNDS, "Bounds", "Privacy")
    lower: float = number(0.0, _VALUES, "Lower bound", "Privacy")
    upper: float = number(1.0, _VALUES, "Upper bound", "Privacy")
    increase: float = number(
        0.3, _RATES, "Adaptive: rate rises by", "Privacy", subject="The rise of Adaptive's rate", slider=_RATE
    )
    decrease: float = number(
        0.3, _RATES, "Adaptive: rate falls by", "Privacy", subject="The fall of Adaptive's rate", slider=_RATE
    )
    correlation: CorrelationName = choice("moderate", CORRELATIONS, "Correlation", "Adversary")
    smoothing: float = number(0.1, (1e-6, 1e3), "Strength s", "Adversary", slider=_STRENGTH)
    states: int = whole(5, (2, MAX_STATES), "States of the chain", "Adversary", subject="The number of states")
    cell_m: float = number(1000.0, CELL_RANGE_M, "Cell size", "Adversary", unit="m", slider=_SIZE)
    level_width: float = number(1.0, LENGTHS, "Width of a level", "Adversary")
    matrix: tuple[tuple[float, ...], ...] = matrix("Matrix", most=MAX_STATES)
    adversary: AdversaryName = choice("both", ADVERSARIES, "Adversary", "Adversary")
    landmark_loss: bool = flag(False, "Show what the landmarks lose together", "Adversary")
    delta: float = number(1e-6, (1e-12, 0.5), "Add up at δ", "Adversary", subject="The delta", slider=_DELTA)
    seed: int = whole(1, SEEDS, "Seed", "Noise")
    average: bool = flag(False, "Average of 100 draws", "Noise")

    def with_changes(self, **changes: Unpack[ScenarioChanges]) -> Self:  # type: ignore[override]  # only its own names
        """This scenario with some choices changed, by their names; an unknown name is an `InputError`."""
        return super().with_changes(**changes)

    @property
    def spread(self) -> Scheme:
        """How the scheme spreads the budget."""
        return SPREADS[self.scheme]

    @property
    def released(self) -> Scenario:
        """This scenario with what only affects how its outcome is shown reset: equal ones release the same."""
        return _released(self)

    @property
    def joins_at_random(self) -> bool:
        """Whether dummies join at random, each independently."""
        return self.hide_method == "random"

    def toggled(self, timestamp: int) -> Scenario:
        """This scenario with one timestamp made a landmark, or regular again."""
        return replace(self, landmarks=tuple(sorted(set(self.landmarks) ^ {timestamp})))

    def told(self) -> Mapping[str, Any]:
        """Of a user's own track a link reveals nothing, not even which timestamps mattered: neither the budgets, which
        show them, nor the seed of the dummies, which tells these from landmarks."""
        told = dict(super().told())
        if not self.track:
            del told["landmarks"], told["budgets"], told["hide_seed"]
        return told

    def visible(self) -> list[str]:
        """The choices that have an effect under this scheme, mechanism and correlation."""
        spread, cells = self.spread, self.mechanism != "planar"
        of_schemes = {name for scheme in SPREADS.values() for name in scheme.choices}
        conditions = {
            "epsilon": not spread.plans,
            "radius_m": self.mechanism != "randomised",  # which ignores distance
            "target": spread.plans,
            "budgets": spread.by_hand,
            "window": spread.windowed,
            **dict.fromkeys(("cells", "place_m"), cells),
            **dict.fromkeys(("hide_method", "hide_draw", "hide_seed"), self.hide),
            "hide_joining": self.hide and self.joins_at_random,
            "hide_chance": self.hide and self.joins_at_random and self.hide_joining == "stated",
            **dict.fromkeys(("hide_epsilon", "hide_most"), self.hide and not self.joins_at_random),
            **{name: name in spread.choices for name in of_schemes},
            "smoothing": self.correlation == "strength",
            "states": self.correlation in _MODELLED,
            **dict.fromkeys(("lower", "upper"), self.bounds == "stated"),
            "cell_m": self.correlation == "estimated",
            "level_width": self.correlation == "estimated",
            "adversary": self.correlation != "none",
        }
        return [name for name in super().visible() if conditions.get(name, True)]


@cached("settings", entries=64, what="the choices that a release depends on")
def _released(scenario: Scenario) -> Scenario:
    return replace(scenario, utc=False, landmark_loss=False, delta=1e-6)
