"""A scenario: everything a user can choose, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.markov import transition_matrix
from lmdk_widgets.scenario.checks import choice, number, short_text, whole

SCHEMES: dict[str, str] = {
    "event": "Event level: every timestamp alone may spend the whole budget.",
    "user": "User level: the whole track shares one budget.",
    "window": "w-event uniform: any w timestamps in a row share one budget.",
    "uniform": "Uniform: the landmarks and any one other timestamp share one budget evenly.",
    "skip": "Skip: landmarks are not measured, the last release is repeated there.",
    "adaptive": "Adaptive: like Uniform, but measures less often while releases change little.",
    "budget-distribution": "Budget Distribution: any w in a row share one budget, halving it at each publication.",
    "budget-absorption": "Budget Absorption: any w in a row share one budget, a publication absorbs unused shares.",
    "planned": "Planned: the largest budgets that keep every total loss at a target, under the correlation below.",
}
"""Every scheme with its meaning in one line, in the order in which they are offered."""

WINDOW_SCHEMES = frozenset({"window", "budget-distribution", "budget-absorption"})
LANDMARK_SCHEMES = frozenset({"user", "uniform", "skip", "adaptive"})
"""Schemes that satisfy the landmark privacy Theorem for every set of landmarks."""

ONLINE_SCHEMES = frozenset({"adaptive", "budget-distribution", "budget-absorption"})
"""Schemes that set each budget from what was released before."""

MECHANISMS: dict[str, str] = {
    "planar": "Planar Laplace: noise around the true place, as far as the budget asks for.",
    "optimal": "Optimal on cells: reports one of the track's cells, with the least loss that the budget allows.",
    "spanner": "Spanner on cells: the same with far fewer constraints, at some loss of quality.",
    "remapped": "Remapped Laplace on cells: planar Laplace, each report replaced by the best guess for it.",
}
"""How a measured timestamp is reported."""

CORRELATIONS: dict[str, str] = {
    "none": "None: timestamps are independent.",
    "weak": "Weak: a place says little about the next one.",
    "moderate": "Moderate: people mostly stay where they are.",
    "strong": "Strong: a place nearly tells the next one.",
    "strength": "Set the strength: as sticky as the slider says, over as many places as you choose.",
    "estimated": "Estimated from this track: how often it moved from cell to cell.",
    "matrix": "A matrix of your own: pasted or uploaded.",
}

ADVERSARIES: dict[str, str] = {
    "both": "Past and future: sees every release and how places follow each other in both directions.",
    "past": "Past only: reasons from earlier releases to the present place (backward loss).",
    "future": "Future only: reasons from later releases to the present place (forward loss).",
}
"""Which way the adversary reasons along the track."""

MAX_STATES = 200
"""Most states of a Markov chain that the page works with."""

EPSILON_RANGE = (1e-9, 1e6)
RADIUS_RANGE_M = (1.0, 100_000.0)
CELL_RANGE_M = (50.0, 1_000_000.0)
PLACE_RANGE_M = (20.0, 50_000.0)
SMOOTHING_RANGE = (1e-6, 1e3)


@dataclass(frozen=True)
class Scenario:
    """Everything a user can choose. Immutable; `with_changes` gives the next one.

    Attributes
    ----------
    track : name of a bundled sample, or "" for a track of the user's own. No coordinate is ever part of a scenario.
    scheme : how the budget is spread, a key of `SCHEMES`.
    epsilon : the budget, unitless, in [1e-9, 1e6].
    landmarks : indices of the timestamps that matter, from 0, increasing.
    window : w of the w-event schemes, timestamps, at least 1.
    radius_m : protection radius r, metres: a timestamp with budget e is perturbed at e / r per metre.
    mechanism : how a measured timestamp is reported, a key of `MECHANISMS`.
    place_m : side of the cells that are reported, metres; planar Laplace does not look at it.
    correlation : what the adversary knows of how places follow each other, a key of `CORRELATIONS`.
    states : number of places m of the named correlations and of "strength", 2 to 200.
    smoothing : s of "strength": the chain (1[i=j] + s) / (1 + m s); near 0 nobody moves, above 1 anything goes.
    matrix : (m, m) transition probabilities of "matrix", as a tuple of rows; rows sum to 1.
    adversary : which way the adversary reasons, a key of `ADVERSARIES`.
    target : the total loss that "planned" keeps at every timestamp, in the range of epsilon.
    cell_m : side of the cells from which the correlation is estimated, metres.
    increase, decrease : how fast Adaptive's sampling rate rises and falls, in (0, 1).
    seed : of the noise, a whole number of at least 0.
    landmark_loss : show what the landmarks lose together beside the total loss.
    average : show the error of 100 draws with a band instead of one draw.

    Examples
    --------
    >>> scenario = Scenario(track="bob", epsilon=0.5, landmarks=(0, 2, 4, 7))
    >>> Scenario.from_dict(scenario.to_dict()) == scenario
    True
    """

    track: str = "bob"
    scheme: str = "uniform"
    epsilon: float = 1.0
    landmarks: tuple[int, ...] = ()
    window: int = 3
    radius_m: float = 200.0
    mechanism: str = "planar"
    place_m: float = 1000.0
    correlation: str = "moderate"
    cell_m: float = 1000.0
    states: int = 5
    smoothing: float = 0.1
    matrix: tuple[tuple[float, ...], ...] = ()
    adversary: str = "both"
    target: float = 1.0
    increase: float = 0.3
    decrease: float = 0.3
    seed: int = 1
    average: bool = False
    landmark_loss: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "track", short_text("track", self.track))
        put(self, "scheme", choice("scheme", self.scheme, SCHEMES))
        put(self, "correlation", choice("correlation", self.correlation, CORRELATIONS))
        put(self, "epsilon", number("epsilon", self.epsilon, *EPSILON_RANGE))
        put(self, "radius_m", number("protection radius", self.radius_m, *RADIUS_RANGE_M, unit="metres"))
        put(self, "mechanism", choice("mechanism", self.mechanism, MECHANISMS))
        put(self, "place_m", number("size of places", self.place_m, *PLACE_RANGE_M, unit="metres"))
        put(self, "cell_m", number("cell size", self.cell_m, *CELL_RANGE_M, unit="metres"))
        put(self, "adversary", choice("adversary", self.adversary, ADVERSARIES))
        put(self, "states", whole("states", self.states, 2, MAX_STATES))
        put(self, "smoothing", number("strength", self.smoothing, *SMOOTHING_RANGE))
        put(self, "target", number("target loss", self.target, *EPSILON_RANGE))
        put(self, "matrix", _matrix(self.matrix))
        put(self, "increase", number("Adaptive's increase", self.increase, 0.01, 0.99))
        put(self, "decrease", number("Adaptive's decrease", self.decrease, 0.01, 0.99))
        put(self, "window", whole("window", self.window, 1, 1_000_000))
        put(self, "seed", whole("seed", self.seed, 0, 2**53 - 1))
        put(self, "landmarks", _landmarks(self.landmarks))
        for name in ("average", "landmark_loss"):
            if not isinstance(value := getattr(self, name), bool):
                raise InputError("is neither true nor false", where=name, value=value, allowed="true or false")

    def with_changes(self, **changes: Any) -> Scenario:
        """This scenario with some choices changed; an unknown name is an `InputError`."""
        return Scenario.from_dict(self.to_dict() | changes)

    def toggled(self, timestamp: int) -> Scenario:
        """This scenario with one timestamp made a landmark, or a regular again."""
        return replace(self, landmarks=tuple(sorted(set(self.landmarks) ^ {timestamp})))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `from_dict` gives the equal scenario back."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {"landmarks": list(self.landmarks), "matrix": [list(row) for row in self.matrix]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scenario:
        """The scenario of a mapping; missing choices take their defaults, unknown ones raise `InputError`."""
        if not isinstance(values, Mapping):
            raise InputError("is not a set of named choices", where="scenario", allowed="a JSON object")
        names = {f.name for f in fields(cls)}
        unknown = sorted(str(name) for name in values if name not in names)
        if unknown:
            raise InputError(
                "there is no such choice", where="scenario", value=unknown[0], allowed=", ".join(sorted(names))
            )
        return cls(**values)


def _matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    """Rows of a transition matrix; nothing when none was given."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError("is not a list of rows", where="matrix", value=value, allowed="rows of probabilities")
    rows = list(value)
    if not rows:
        return ()
    if len(rows) > MAX_STATES:
        raise InputError("has too many rows", where="matrix", value=len(rows), allowed=f"at most {MAX_STATES}")
    return tuple(tuple(row) for row in transition_matrix(rows).tolist())


def _landmarks(value: Any) -> tuple[int, ...]:
    try:
        found = tuple(sorted({whole("landmarks", i, 0, 999_999) for i in value}))
    except TypeError:
        raise InputError(
            "are not a list", where="landmarks", value=value, allowed="indices of timestamps, from 0"
        ) from None
    return found
