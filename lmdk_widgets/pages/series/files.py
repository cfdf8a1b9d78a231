"""What the series page saves as data: the quilt of every timestamp, the mechanisms, and the histogram."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.pages.series.mechanisms import mechanisms_table
from lmdk_widgets.pages.series.outcome import SeriesOutcome

TRUE_NOTE = f"{NOTE}; it contains the true histogram: never publish it if the series is about a real person"
"""What a file with the true histogram says."""


def quilts_csv(outcome: SeriesOutcome) -> str:
    """The active quilt of every timestamp, counted from 1: `quilt_left` and `quilt_right` (empty: a side without one),
    `nearby` (how many timestamps the noise must cover), `sigma` (what it needs by itself), `chain` (the belief that needs it,
    from 1). It contains no state of the series."""
    nodes, n = outcome.nodes, len(outcome)
    left, right = (np.where(side >= 0, side, -1) for side in (nodes.left, nodes.right))
    nearby = np.where(right >= 0, right, n) - left - 1
    ends = {"quilt_left": left, "quilt_right": right}
    named = {name: [i + 1 if i >= 0 else None for i in side.tolist()] for name, side in ends.items()}
    columns: dict[str, Any] = {"timestamp": np.arange(1, n + 1), **named, "nearby": nearby, "sigma": nodes.scale}
    return table_csv({**columns, "chain": nodes.chain + 1}, note=NOTE)


def mechanisms_csv(outcome: SeriesOutcome) -> str:
    """The table of the page, with the 5 and 95 % points of the error; empty if a mechanism is not applicable."""
    return mechanisms_table(outcome).csv(note=NOTE)


def histogram_csv(outcome: SeriesOutcome) -> str:
    """The histogram of the series: `true`, one released with the noise of the seed, and the middle 90 % of 100 releases.

    The seed's noise can be reproduced, and the true histogram is in the file too: it is a simulation, and says so.
    """
    found, unit = outcome.histogram, "share" if outcome.choices.query == "shares" else "timestamps"
    none = [None] * len(found.true)
    drawn = {"released": found.released, "p05": found.low, "p95": found.high}
    columns = {f"{name}_{unit}": none if values is None else values for name, values in drawn.items()}
    return table_csv({"state": outcome.series.labels, f"true_{unit}": found.true, **columns}, note=TRUE_NOTE)
