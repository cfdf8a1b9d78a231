"""A scenario: everything a user can choose, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from lmdk_widgets.scenario.base.choices import Choices
from lmdk_widgets.scenario.base.fields import PRIVACY, Slider, choice, flag, indices, matrix, number, text, whole
from lmdk_widgets.trajectory.samples import sample_choices

SCHEMES: dict[str, str] = {
    "event": "Event level: every timestamp alone may spend the whole budget.",
    "user": "User level: the whole track shares one budget.",
    "window": "w-event uniform: any w timestamps in a row share one budget.",
    "uniform": "Uniform: the landmarks and any one other timestamp share one budget evenly.",
    "weighted": "Weighted: the least expected error of fixed budgets, the landmarks and any one other timestamp sharing one.",
    "skip": "Skip: landmarks are not measured, the last release is repeated there.",
    "adaptive": "Adaptive: like Uniform, but measures less often while releases change little.",
    "budget-distribution": "Budget Distribution: any w in a row share one budget, halving it at each publication.",
    "budget-absorption": "Budget Absorption: any w in a row share one budget, a publication absorbs unused shares.",
    "planned": "Planned: the largest budgets that keep every total loss at a target, under the correlation below.",
}
"""Every scheme with its meaning in one line, in the order in which they are offered."""

WINDOW_SCHEMES = frozenset({"window", "budget-distribution", "budget-absorption"})
LANDMARK_SCHEMES = frozenset({"user", "uniform", "weighted", "skip", "adaptive"})
"""Schemes that satisfy the landmark privacy Theorem for every set of landmarks."""

ONLINE_SCHEMES = frozenset({"adaptive", "budget-distribution", "budget-absorption"})
"""Schemes that set each budget from what was released before."""

MECHANISMS: dict[str, str] = {
    "planar": "Planar Laplace: noise around the true place, more of it the smaller the budget.",
    "optimal": "Optimal on cells: reports one of the track's cells, with the least loss that the budget allows.",
    "spanner": "Spanner on cells: the same with far fewer constraints, at some loss of quality.",
    "remapped": "Remapped Laplace on cells: planar Laplace, each report replaced by the best guess for it.",
}
"""How a measured timestamp is reported."""

CORRELATIONS: dict[str, str] = {
    "none": "None: timestamps are independent.",
    "weak": "Weak: a place says little about the next one.",
    "moderate": "Moderate: people mostly stay where they are.",
    "strong": "Strong: a place nearly determines the next one.",
    "strength": "Set the strength: as sticky as the slider says, over as many places as you choose.",
    "estimated": "Estimated from this track: how often it moved from cell to cell.",
    "matrix": "A matrix of your own: pasted or uploaded.",
}

ADVERSARIES: dict[str, str] = {
    "both": "Past and future: sees every release and how places follow each other in both directions.",
    "past": "Past only: reasons from earlier releases to the present place (backward loss).",
    "future": "Future only: reasons from later releases to the present place (forward loss).",
    "any": "Any start: past and future, and a bound however likely each place was at the beginning.",
}
"""Which way the adversary reasons along the track."""

MAX_STATES = 200
"""Most states of a Markov chain that the page works with."""

MAX_TIMESTAMPS = 1_000_000
EPSILON_RANGE = (1e-9, 1e6)
CELL_RANGE_M = (50.0, 1_000_000.0)
PLACE_RANGE_M = (20.0, 50_000.0)

_LENGTHS_M = (1.0, 100_000.0)
_RATES = (0.01, 0.99)

_BUDGET = Slider(0.01, 10, log=True, ends=PRIVACY)
_RADIUS = Slider(10, 5000, log=True, backwards=True, ends=PRIVACY)
_SIZE = Slider(100, 10_000, log=True, ends=("small", "large"))
_RATE = Slider(0.05, 0.95, step=0.05, ends=("a little", "a lot"))
_STRENGTH = Slider(0.001, 10, log=True, backwards=True, ends=("weak: s large", "strong: s small"))
_MODELLED = frozenset({"weak", "moderate", "strong", "strength"})
"""Correlations that are made for a number of places."""


@dataclass(frozen=True)
class Scenario(Choices):
    """Everything a user of the landmark page can choose. Immutable; `with_changes` gives the next one.

    Attributes
    ----------
    track : name of a bundled sample, or "" for a track of the user's own. No coordinate is ever part of a scenario.
    utc : show times in UTC, and not in the track's own zone.
    landmarks : indices of the timestamps that matter, from 0, increasing.
    scheme : how the budget is spread, a key of `SCHEMES`.
    epsilon : the budget, unitless, in [1e-9, 1e6].
    target : the total loss that "planned" keeps at every timestamp, in the range of epsilon.
    window : w of the w-event schemes, timestamps, at least 1.
    radius_m : protection radius r, metres: a timestamp with budget e is perturbed at e / r per metre.
    mechanism : how a measured timestamp is reported, a key of `MECHANISMS`.
    place_m : side of the cells that are reported, metres; planar Laplace does not look at it.
    increase, decrease : how fast Adaptive's sampling rate rises and falls, in (0, 1).
    correlation : what the adversary knows of how places follow each other, a key of `CORRELATIONS`.
    smoothing : s of "strength": the chain (1[i=j] + s) / (1 + m s); near 0 nobody moves, above 1 anything goes.
    states : number of places m of the named correlations and of "strength", 2 to 200.
    cell_m : side of the cells from which the correlation is estimated, metres.
    matrix : (m, m) transition probabilities of "matrix", as a tuple of rows; rows sum to 1.
    adversary : which way the adversary reasons, a key of `ADVERSARIES`.
    landmark_loss : show what the landmarks lose together beside the total loss.
    seed : of the noise, a whole number of at least 0.
    average : show the error of 100 draws with a band instead of one draw.
    propose : propose landmarks where the track stays within stay_m metres for at least stay_minutes.
    compare : compute every scheme beside the chosen one.

    Examples
    --------
    >>> scenario = Scenario(track="bob", epsilon=0.5, landmarks=(0, 2, 4, 7))
    >>> Scenario.from_dict(scenario.to_dict()) == scenario
    True
    """

    PAGE: ClassVar[str] = "landmarks"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("track", "landmarks")
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "your matrix": ("matrix", "correlation"),
        "your landmarks": ("landmarks",),
    }

    track: str = text("bob", "Track", "Track", known=sample_choices)
    utc: bool = flag(False, "Times in UTC", "Track")
    landmarks: tuple[int, ...] = indices("Landmarks", most=MAX_TIMESTAMPS)
    scheme: str = choice("uniform", SCHEMES, "Scheme", "Privacy")
    epsilon: float = number(1.0, EPSILON_RANGE, "Epsilon", "Privacy", slider=_BUDGET)
    target: float = number(
        1.0, EPSILON_RANGE, "Keep the loss below", "Privacy", subject="The target loss", slider=_BUDGET
    )
    window: int = whole(3, (1, MAX_TIMESTAMPS), "Window", "Privacy", unit="timestamps in a row")
    radius_m: float = number(200.0, _LENGTHS_M, "Protection radius", "Privacy", unit="m", slider=_RADIUS)
    mechanism: str = choice("planar", MECHANISMS, "Mechanism", "Privacy")
    place_m: float = number(1000.0, PLACE_RANGE_M, "Size of places", "Privacy", unit="m", slider=_SIZE)
    increase: float = number(
        0.3, _RATES, "Adaptive: rate rises by", "Privacy", subject="The rise of Adaptive's rate", slider=_RATE
    )
    decrease: float = number(
        0.3, _RATES, "Adaptive: rate falls by", "Privacy", subject="The fall of Adaptive's rate", slider=_RATE
    )
    correlation: str = choice("moderate", CORRELATIONS, "Correlation", "Adversary")
    smoothing: float = number(0.1, (1e-6, 1e3), "Strength s", "Adversary", slider=_STRENGTH)
    states: int = whole(
        5, (2, MAX_STATES), "Places", "Adversary", subject="The number of places", unit="states of the chain"
    )
    cell_m: float = number(1000.0, CELL_RANGE_M, "Cell size", "Adversary", unit="m", slider=_SIZE)
    matrix: tuple[tuple[float, ...], ...] = matrix("Matrix", most=MAX_STATES)
    adversary: str = choice("both", ADVERSARIES, "Adversary", "Adversary")
    landmark_loss: bool = flag(False, "Show what the landmarks lose together", "Adversary")
    seed: int = whole(1, (0, 2**53 - 1), "Seed", "Noise")
    average: bool = flag(False, "Average of 100 draws", "Noise")
    propose: bool = flag(False, "Propose landmarks")
    stay_m: float = number(200.0, _LENGTHS_M, "Stay within", subject="The size of a stay", unit="m")
    stay_minutes: float = number(
        20.0, (1.0, 10_080.0), "Stay for at least", subject="The duration of a stay", unit="min"
    )
    compare: bool = flag(False, "Compare all schemes on this track")

    def toggled(self, timestamp: int) -> Scenario:
        """This scenario with one timestamp made a landmark, or a regular again."""
        return replace(self, landmarks=tuple(sorted(set(self.landmarks) ^ {timestamp})))

    def told(self) -> Mapping[str, Any]:
        """Of a track of the user's own a link tells nothing, not even which timestamps mattered."""
        told = dict(super().told())
        if not self.track:
            del told["landmarks"]
        return told

    def visible(self) -> list[str]:
        """The choices that have an effect under this scheme, mechanism and correlation."""
        planned, cells, adaptive = self.scheme == "planned", self.mechanism != "planar", self.scheme == "adaptive"
        conditions = {
            "epsilon": not planned,
            "target": planned,
            "window": self.scheme in WINDOW_SCHEMES,
            "place_m": cells,
            "increase": adaptive,
            "decrease": adaptive,
            "smoothing": self.correlation == "strength",
            "states": self.correlation in _MODELLED,
            "cell_m": self.correlation == "estimated",
            "adversary": self.correlation != "none",
        }
        return [name for name in super().visible() if conditions.get(name, True)]
