"""Measures OptPriv, the most private mechanism for a quality loss, with the largest number of places that it accepts.

    python benchmarks/optpriv_speed.py [--json FILE] [--figures FIGURES.md] [--repeats K]

Every figure is the processor time of the whole call: the programme, HiGHS, and the proof of the error. Promised: 2 s.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from measured import asked, milliseconds, spread, write

from lmdk_widgets.geoind import Channel, most_private_mechanism
from lmdk_widgets.geoind.private import MOST_PLACES

PROMISED_S = 2.0
PLACES = ("grid, uniform", "grid, two hot spots", "grid, spiky", "scattered, spiky")
SHARES = (0.05, 0.3, 0.6, 0.95)
"""The allowed quality loss, as a share of the adversary's error without a report."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write the figures."""
    options = asked(__doc__, repeats=3, of="random places and priors of each kind", quick="one of each").parse_args(
        arguments
    )
    load = os.getloadavg()[0]
    found = [measure(kind, 1 if options.quick else options.repeats) for kind in PLACES]
    table = markdown(found, load)
    print(table)
    write(options, "optpriv", found, table)
    return 0


def measure(kind: str, repeats: int) -> dict:
    """The seconds for one kind of places, over all shares, and the largest proven gap."""
    seconds, gaps = [], []
    for seed, share in product(range(repeats), SHARES):
        apart, prior = instance(kind, seed)
        channels: list[Channel] = []
        allowed = share * float((prior @ apart).min())
        seconds.append(milliseconds(lambda: channels.append(most_private_mechanism(apart, prior, allowed))) / 1e3)  # noqa: B023
        gaps.append(channels[0].gap)
    print(f"{kind:20} {max(seconds):.2f} s at most", flush=True)
    return {"places": kind, "solves": len(seconds), "seconds": spread(seconds), "gap": max(gaps)}


def instance(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The distances and the prior of 64 places.

    Examples
    --------
    >>> apart, prior = instance("scattered, spiky", 1)
    >>> apart.shape, round(prior.sum(), 9)
    ((64, 64), 1.0)
    """
    rng = np.random.default_rng(seed)
    where, shape = kind.split(", ")
    side = round(MOST_PLACES**0.5)
    points = (
        np.array(list(product(range(side), repeat=2)), float)
        if where == "grid"
        else rng.random((MOST_PLACES, 2)) * side
    )
    masses = {"uniform": np.ones(MOST_PLACES), "spiky": rng.dirichlet(np.full(MOST_PLACES, 0.3)) + 1e-6}
    if shape == "two hot spots":
        spots = rng.random((2, 2)) * side
        masses[shape] = 1e-3 + sum(np.exp(-((points - spot) ** 2).sum(axis=1) / 2) for spot in spots)
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    return apart, masses[shape] / masses[shape].sum()


def markdown(found: list[dict], load: float) -> str:
    """The table of the figures."""
    lines = [f"64 places, HiGHS, promised {PROMISED_S:g} s; load average at the start {load:.1f}.", ""]
    lines += [
        "| OptPriv: places, prior | solves | seconds, median (lowest to highest) | largest gap | |",
        "|---|--:|--:|--:|---|",
    ]
    for row in found:
        it = row["seconds"]
        verdict = "met" if it["high"] <= PROMISED_S else "NOT MET"
        times = f"{it['median']:.2f} ({it['low']:.2f} to {it['high']:.2f})"
        lines.append(f"| {row['places']} | {row['solves']} | {times} | {row['gap']:.0e} | {verdict} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
