"""What a user of the quilt lab chooses, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.checks import choice, number, whole
from lmdk_widgets.scenario.quilts.own_data import OwnData

SOURCES: dict[str, str] = {
    "power": "Power of a household: two generated days, a reading a minute, in levels of so many watts.",
    "activities": "Days of activities: a generated fortnight; how days go is learned from sixty other people's days.",
    "binary": "A chain of two states: the two sliders are the chances that a state stays as it is.",
    "track": "Cells of a track: a bundled track, seen as the square of a grid it is in.",
    "own": "A series of your own: states, power readings, or a track that you upload.",
}
"""Where the series comes from, in the order in which they are offered."""

THETAS: dict[str, str] = {
    "one": "One chain: adversaries are sure of it.",
    "bootstrap": "A bootstrap set: adversaries hold one of several chains that such data could have come from.",
}
"""What adversaries believe."""

MECHANISMS: dict[str, str] = {
    "exact": "Markov quilt, exact: the least noise that a quilt at every timestamp allows (MQMExact).",
    "approximate": "Markov quilt, approximate: from the chain's rarest state and its speed of mixing alone (MQMApprox).",
    "gk16": "GK16: ordinary noise, enlarged, where timestamps tell little of each other (Ghosh and Kleinberg, 2016).",
    "group": "Group differential privacy: hides the whole series, whatever is believed.",
    "entry": "Entry-level differential privacy: hides one timestamp as if it stood alone. Does not protect here.",
}
"""What is compared, in the order in which it is shown."""

QUERIES: dict[str, str] = {
    "shares": "Shares: the part of the timestamps in each state. One state changed moves two shares by 1 / T each.",
    "counts": "Counts: the number of timestamps in each state. One state changed moves two counts by 1 each.",
}
"""What is released."""

MAX_STATES = 60
MAX_TIMESTAMPS = 5_000
MAX_RELEASES = 8
WORST = -1
"""As a node: the timestamp that needs the most noise."""

RANGES: dict[str, tuple[float, float]] = {
    "epsilon": (0.01, 50.0),
    "epsilon_a": (0.01, 50.0),
    "epsilon_b": (0.01, 50.0),
    "level_w": (50.0, 5_000.0),
    "stay_one": (0.0, 1.0),
    "stay_two": (0.0, 1.0),
    "cell_m": (100.0, 50_000.0),
    "smoothing": (0.0, 100.0),
}
"""Lowest and highest value of the choices that are numbers."""

WHOLES: dict[str, tuple[int, int]] = {
    "every": (1, 1_000),
    "length": (2, MAX_TIMESTAMPS),
    "chains": (2, 30),
    "node": (WORST, MAX_TIMESTAMPS - 1),
    "seed": (0, 2**53 - 1),
    "a_first": (0, MAX_TIMESTAMPS - 1),
    "a_length": (1, MAX_TIMESTAMPS),
    "b_length": (1, MAX_TIMESTAMPS),
    "gap": (1, MAX_TIMESTAMPS),
    "truth_percent": (0, 99),
}
"""Least and most of the choices that are whole numbers."""

_NAMES = {"source": SOURCES, "theta": THETAS, "mechanism": MECHANISMS, "query": QUERIES}

SOURCE_DEFAULTS: dict[str, dict[str, Any]] = {
    "power": {"every": 10, "level_w": 500.0},
    "activities": {"every": 4},
    "binary": {"every": 1},
    "track": {"every": 6, "track": "commuter", "cell_m": 2_000.0},
    "own": {"every": 1},
}
"""What changes with the source: how densely it is read."""


@dataclass(frozen=True)
class QuiltChoices:
    """Everything that can be chosen in the lab. Immutable; `with_changes` gives the next one.

    Attributes
    ----------
    source : where the series comes from, a key of `SOURCES`.
    every : every how-manieth reading becomes a timestamp.
    level_w : width of a level of power, watts.
    stay_one, stay_two : of the two-state chain, the chances that state 1, and that state 2, is followed by itself.
    length : timestamps of the two-state chain.
    track, cell_m : name of a bundled track; side of a cell, metres.
    smoothing : added to every count of moves before the chain is estimated; 0 makes what was not seen impossible.
    theta, chains : what adversaries believe, a key of `THETAS`; the size of a bootstrap set.
    epsilon : of the release, no unit.
    node : the timestamp looked at, from 0; -1 for the one that needs the most noise.
    mechanism : whose release is drawn, a key of `MECHANISMS`.
    query : what is released, a key of `QUERIES`.
    seed : of the noise.
    releases : epsilons of the releases that are stacked.
    a_first, a_length, gap, b_length : segment A starts at a_first; B starts `gap` moves after A's end.
    epsilon_a, epsilon_b : of a release from each segment.
    truth_percent : how often Alice and Bob of the counterexample tell the truth for certain.
    own : an uploaded series; never part of `to_dict`.

    Examples
    --------
    >>> choices = QuiltChoices(epsilon=0.5)
    >>> QuiltChoices(**choices.to_dict()) == choices
    True
    """

    source: str = "power"
    every: int = 10
    level_w: float = 500.0
    stay_one: float = 0.9
    stay_two: float = 0.6
    length: int = 100
    track: str = "commuter"
    cell_m: float = 2_000.0
    smoothing: float = 0.1
    theta: str = "one"
    chains: int = 10
    epsilon: float = 2.0
    node: int = WORST
    mechanism: str = "exact"
    query: str = "shares"
    seed: int = 1
    releases: tuple[float, ...] = (1.0, 0.5, 0.25)
    a_first: int = 30
    a_length: int = 60
    gap: int = 5
    b_length: int = 60
    epsilon_a: float = 1.0
    epsilon_b: float = 0.5
    truth_percent: int = 90
    own: OwnData | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name, known in _NAMES.items():
            choice(name, getattr(self, name), known)
        for name, (low, high) in RANGES.items():
            put(self, name, number(name.replace("_", " "), getattr(self, name), low, high))
        for name, (least, most) in WHOLES.items():
            put(self, name, whole(name.replace("_", " "), getattr(self, name), least, most))
        put(self, "releases", _releases(self.releases))
        if not isinstance(self.track, str) or len(self.track) > 60:
            raise InputError("it is not a short name", where="track", value=self.track)
        if self.own is not None and not isinstance(self.own, OwnData):
            raise InputError("it is no uploaded series", where="own", value=type(self.own).__name__)
        if self.source == "own" and self.own is None:
            raise InputError(
                "there is no series of your own yet", where="source", remedy="Upload one, or choose another source"
            )

    def with_changes(self, **changes: Any) -> QuiltChoices:
        """These choices with some changed; an unknown name is an `InputError`."""
        names = {f.name for f in fields(self)}
        unknown = sorted(set(changes) - names)
        if unknown:
            raise InputError(
                "there is no such choice", where="choices", value=unknown[0], allowed=", ".join(sorted(names - {"own"}))
            )
        return QuiltChoices(**{name: getattr(self, name) for name in names} | changes)

    def with_source(self, source: str, **changes: Any) -> QuiltChoices:
        """Another series, read as densely as suits it, looked at where it needs the most noise."""
        choice("source", source, SOURCES)
        return self.with_changes(**{"source": source, "node": WORST} | SOURCE_DEFAULTS[source] | changes)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values for JSON, nothing of an uploaded series."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "own"}
        return values | {"releases": list(self.releases)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> QuiltChoices:
        """The choices of a mapping; those left out take their defaults."""
        if not isinstance(values, Mapping):
            raise InputError("it is not a set of named choices", where="choices", allowed="a JSON object")
        return cls().with_changes(**values)


def _releases(value: Any) -> tuple[float, ...]:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_RELEASES:
        raise InputError(
            "it is not a list of epsilons", where="releases", value=value, allowed=f"1 to {MAX_RELEASES} numbers"
        )
    return tuple(number("releases", e, *RANGES["epsilon"]) for e in value)
