"""What follows from the choices of the quilt lab: every number and array that a view of it shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.pages.series.belief import Belief
from lmdk_widgets.pages.series.meter import Metered
from lmdk_widgets.pages.series.model import SeriesChoices
from lmdk_widgets.pages.series.series import Series
from lmdk_widgets.pages.series.uploaded_series import OwnData
from lmdk_widgets.pufferfish import Counterexample, FarApart, NodeScales, QuiltScale


@dataclass(frozen=True, eq=False)
class Method:
    """One way to add noise, and what it does to the histogram.

    Attributes
    ----------
    name : a key of `MECHANISMS`.
    scale : sigma, None if it is not applicable.
    protects : whether it is private for this belief.
    note : one sentence on why.
    noise : b of the Laplace noise of every bar, in the unit of the histogram; None if not applicable.
    error, error_low, error_high : L1 error of the histogram: mean and 5 and 95 % points of 100 draws.
    """

    name: str
    scale: float | None
    protects: bool
    note: str
    noise: float | None = None
    error: float = float("nan")
    error_low: float = float("nan")
    error_high: float = float("nan")


@dataclass(frozen=True, eq=False)
class Histogram:
    """The query: true, released once, and the middle 90 % of 100 releases; each (m,). Noise: of the chosen mechanism."""

    true: Floats
    released: Floats | None
    low: Floats | None
    high: Floats | None


@dataclass(frozen=True, eq=False)
class Segments:
    """Releases from two segments of the series.

    Attributes
    ----------
    a, b : (first, last) timestamp.
    epsilon : of both together, by the parallel theorem.
    between : the same if the states between the segments are secrets as well.
    forward, backward : e(X_s | X_t) and e(X_t | X_s), t the end of A and s the start of B, the worst over Theta.
    far : whether the far-apart theorem applies, for releases by MQMApprox.
    gaps, guarantee : the guarantee of the parallel theorem by the gap.
    """

    a: tuple[int, int]
    b: tuple[int, int]
    epsilon: float
    between: float | None
    forward: float
    backward: float
    far: FarApart
    gaps: Floats
    guarantee: Floats

    @property
    def gap(self) -> int:
        """Moves from the end of A to the start of B."""
        return self.b[0] - self.a[1]


@dataclass(frozen=True, eq=False)
class SeriesOutcome:
    """Everything that the lab shows.

    Attributes
    ----------
    choices, own, series, belief : what it came from.
    scale : of the exact mechanism for the whole series. alone : what each chain would need by itself.
    scale_otherwise : with the other count of past states; None if it is the same or was not asked for.
    nodes : of every timestamp by itself.
    node : the timestamp looked at, from 0.
    quilt : its active quilt, None for a side without one.
    nearby : (first, last) timestamp of its nearby set.
    influence : e of that quilt.
    methods : the mechanisms, in the order of `MECHANISMS`.
    lipschitz : L of the query.
    histogram : true and released.
    stacked, stacked_older : epsilon of the stacked releases, by the sum and by K times the largest.
    segments : two releases from two segments; None for a series too short to hold two.
    story : two private releases that are not private together.
    beside : the outcome of the pinned setting, for the same series; None if nothing is pinned.
    metered : what the series tells if it is shared as is usual today; None if it is no meter's.
    """

    choices: SeriesChoices
    own: OwnData | None
    series: Series
    belief: Belief
    scale: QuiltScale
    alone: tuple[QuiltScale, ...]
    scale_otherwise: float | None
    nodes: NodeScales
    node: int
    quilt: tuple[int | None, int | None]
    nearby: tuple[int, int]
    influence: float
    methods: tuple[Method, ...]
    lipschitz: float
    histogram: Histogram
    stacked: float
    stacked_older: float
    segments: Segments | None
    story: Counterexample
    beside: SeriesOutcome | None = None
    metered: Metered | None = None

    def __len__(self) -> int:
        return len(self.series)

    @property
    def moved(self) -> float:
        """By how many timestamps the noise of the chosen mechanism moves a bar on average; nan if it does not apply."""
        noise = self.method(self.choices.mechanism).noise
        return float("nan") if noise is None else noise * (len(self) if self.choices.query == "shares" else 1)

    @property
    def longest(self) -> int:
        """The timestamps of the highest true bar."""
        return int(np.bincount(self.series.states).max())

    def when(self, timestamp: int) -> str:
        """A timestamp as the page says it: "timestamp 12 (day 1, 01:50)"; counted from 1."""
        clock = self.series.clock(timestamp)
        return f"timestamp {timestamp + 1:,}" + (f" ({clock})" if clock else "")

    def method(self, name: str) -> Method:
        """One of the mechanisms."""
        return next(method for method in self.methods if method.name == name)
