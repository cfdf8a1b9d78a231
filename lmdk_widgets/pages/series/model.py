"""What a user of the series page chooses, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.page.choices import Choices, PageChoices, beside
from lmdk_widgets.page.fields import PRIVACY, Slider, choice, number, numbers, text, whole
from lmdk_widgets.pages.series.own_chains import OwnChain, own_chains
from lmdk_widgets.trajectory.samples import sample_choices

SOURCES: dict[str, str] = {
    "power": "Power of a household: two generated days, in levels.",
    "activities": "Days of activities: a generated fortnight; the model is learned from sixty other people.",
    "binary": "A chain of two states: each stays with the chance of its slider.",
    "chains": "Chains of your own: what adversaries believe, typed or pasted; the series is one run of the first chain.",
    "track": "Cells of a track: a bundled track, seen as the grid squares that it visits.",
    "own": "A series of your own: states, power readings, or a track that you upload.",
}
"""Where the series comes from, in the order in which they are offered."""

THETAS: dict[str, str] = {
    "one": "One chain: adversaries are sure of it.",
    "bootstrap": "A bootstrap set: adversaries hold one of several chains that such data could have come from.",
}
"""What adversaries believe."""

COUNTS: dict[str, str] = {
    "definition": "By the definition: on the past side of a quilt, only states that can occur there count.",
    "all": "As the authors' code counts: every past state counts, possible or not, which takes at least as much noise.",
}
"""Which past states a max-influence looks at: `support` of the engine."""

MECHANISMS: dict[str, str] = {
    "exact": "Markov quilt, exact: the least noise that a quilt at every timestamp allows (MQMExact).",
    "approximate": "Markov quilt, approximate: from the chain's rarest state and its speed of mixing alone (MQMApprox).",
    "gk16": "GK16: ordinary noise, enlarged, where timestamps tell little about each other (Ghosh and Kleinberg, 2016).",
    "local": "Local influences: the same idea with a constant derived here, half as large.",
    "group": "Group differential privacy: hides the whole series, whatever is believed.",
    "entry": "Entry-level differential privacy: hides one timestamp as if it stood alone, which protects only if it does.",
}
"""What is compared, in the order in which it is shown."""

QUERIES: dict[str, str] = {
    "shares": "Shares: the part of the timestamps in each state. Changing one state moves two shares by 1 / T each.",
    "counts": "Counts: the number of timestamps in each state. Changing one state moves two counts by 1 each.",
}
"""What is released."""

MAX_STATES = 60
MAX_TIMESTAMPS = 5_000
MAX_RELEASES = 8
WORST = -1
"""As a node: the timestamp that needs the most noise."""

EPSILON_RANGE = (0.01, 50.0)
_EPSILON = Slider(0.05, 10, log=True, ends=PRIVACY)
_CELL = Slider(250, 10_000, log=True, ends=("small", "large"))
_LEVEL = Slider(100, 2_000, log=True, ends=("small", "large"))
_STAY = Slider(0, 1, ends=("never", "always"))
_SERIES = Slider(2, MAX_TIMESTAMPS, log=True, step=0.001, ends=("short", "long"))
_EVERY = Slider(1, 60, step=1, ends=("every one", "one of many"))
_SMOOTHING = Slider(0.001, 10, log=True, ends=("a little", "a lot"))
_CHAINS = Slider(2, 30, step=1, ends=("few", "many"))
_GAP = Slider(1, 500, log=True, ends=("near", "far apart"))
_START = Slider(0, 499, step=1, ends=("early", "late"))
_LENGTH = Slider(1, 500, step=1, ends=("short", "long"))

SOURCE_DEFAULTS: dict[str, dict[str, Any]] = {
    "power": {"every": 10, "level_w": 500.0},
    "activities": {"every": 4},
    "binary": {"every": 1},
    "chains": {"every": 1},
    "track": {"every": 6, "track": "commuter", "cell_m": 2_000.0},
    "own": {"every": 1},
}
"""What changes with the source: how densely it is read."""


SETTING = ("mechanism", "epsilon", "query", "smoothing", "theta", "chains", "support")
"""What is pinned: the release, and what adversaries believe; the series stays the present one."""


@dataclass(frozen=True, repr=False)
class QuiltSettings(Choices):
    """The series, what adversaries believe, what is released, and how releases compose.

    Attributes
    ----------
    source : where the series comes from, a key of `SOURCES`.
    every : every k-th reading becomes a timestamp.
    level_w : width of a level of power, watts; of other readings, in their unit.
    stay_one, stay_two : of the two-state chain, the chances that state 1, and that state 2, is followed by itself.
    length : timestamps of the two-state chain, or of the first one of `own_chains`.
    own_chains : chains of the user's own, each a start (empty: the long run) and a matrix.
    support : which past states count for them, a key of `COUNTS`.
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
    """

    PAGE: ClassVar[str] = "series"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("mechanism",)
    epsilon: float = number(2.0, EPSILON_RANGE, "Epsilon", "Privacy", slider=_EPSILON)
    source: str = choice("power", SOURCES, "Data", "Data")
    track: str = text("commuter", "Track", "Data", known=sample_choices)
    cell_m: float = number(2_000.0, (100.0, 50_000.0), "Cell size", "Data", unit="m", slider=_CELL)
    level_w: float = number(500.0, (1.0, 5_000.0), "Level width", "Data", unit="W", slider=_LEVEL)
    stay_one: float = number(0.9, (0.0, 1.0), "p: state 1 stays", "Data", subject="The probability p", slider=_STAY)
    stay_two: float = number(0.6, (0.0, 1.0), "q: state 2 stays", "Data", subject="The probability q", slider=_STAY)
    length: int = whole(100, (2, MAX_TIMESTAMPS), "Length T", "Data", unit="timestamps", slider=_SERIES)
    every: int = whole(
        10, (1, 1_000), "Read every k-th", "Data", subject="The k of “Read every k-th”", unit="reading", slider=_EVERY
    )
    own_chains: tuple[OwnChain, ...] = own_chains(label="Chains of your own")
    smoothing: float = number(0.1, (0.0, 100.0), "Smoothing", "Adversary", slider=_SMOOTHING)
    theta: str = choice("one", THETAS, "Belief Θ", "Adversary")
    chains: int = whole(10, (2, 30), "Chains in Θ", "Adversary", subject="The number of chains in Θ", slider=_CHAINS)
    support: str = choice("definition", COUNTS, "Past states counted", "Adversary")
    query: str = choice("shares", QUERIES, "Histogram", "Release")
    mechanism: str = choice("exact", MECHANISMS, "Mechanism drawn", "Release")
    seed: int = whole(1, (0, 2**53 - 1), "Seed", "Release")
    node: int = whole(WORST, (WORST, MAX_TIMESTAMPS - 1), "Timestamp")
    releases: tuple[float, ...] = numbers((1.0, 0.5, 0.25), EPSILON_RANGE, "Releases", least=1, most=MAX_RELEASES)
    gap: int = whole(5, (1, MAX_TIMESTAMPS), "Gap from A to B", "Segments", unit="moves", slider=_GAP)
    a_first: int = whole(
        30, (0, MAX_TIMESTAMPS - 1), "Start of A", "Segments", unit="timestamp", origin=1, slider=_START
    )
    a_length: int = whole(60, (1, MAX_TIMESTAMPS), "Length of A", "Segments", slider=_LENGTH)
    b_length: int = whole(60, (1, MAX_TIMESTAMPS), "Length of B", "Segments", slider=_LENGTH)
    epsilon_a: float = number(1.0, EPSILON_RANGE, "Epsilon of A", "Segments", slider=_EPSILON)
    epsilon_b: float = number(0.5, EPSILON_RANGE, "Epsilon of B", "Segments", slider=_EPSILON)
    truth_percent: int = whole(
        90,
        (0, 99),
        "Chance that an answer is the true sum, not a throw of a die",
        "Story",
        subject="The percentage of true sums",
        unit="%",
        slider=Slider(0, 99, step=1, ends=PRIVACY),
    )


@dataclass(frozen=True, repr=False)
class SeriesChoices(QuiltSettings, PageChoices):
    """Everything that can be chosen on the page. Immutable; `with_changes` returns a changed copy.

    Attributes
    ----------
    pinned : settings to compare with, of which only `SETTING` counts; None for none. The others: see `QuiltSettings`.

    Examples
    --------
    >>> choices = SeriesChoices(epsilon=0.5)
    >>> SeriesChoices(**choices.to_dict()) == choices
    True
    """

    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ()
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "your chains": ("own_chains", "source"),
        "the pinned option": ("pinned",),
    }

    pinned: QuiltSettings | None = beside(QuiltSettings, "Pinned option")

    def with_source(self, source: str, **changes: Any) -> SeriesChoices:
        """Another series, read as densely as suits it, looked at where it needs the most noise."""
        known = SOURCE_DEFAULTS.get(source, {}) if isinstance(source, str) else {}
        return self.with_changes(**{"source": source, "node": WORST} | known | changes)
